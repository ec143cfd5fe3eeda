/*-------------------------------------------------------------------------
 *
 * yaml_out.h
 *	  A jsonb document as YAML.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_REPORT_YAML_OUT_H
#define DRIFTPRINT_REPORT_YAML_OUT_H

#include "utils/jsonb.h"

/* Block style, UTF-8, keys in jsonb's order; palloc'd. */
extern char *report_jsonb_yaml(Jsonb *document);

#endif							/* DRIFTPRINT_REPORT_YAML_OUT_H */
