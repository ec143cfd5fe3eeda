/*-------------------------------------------------------------------------
 *
 * documents.h
 *	  A print made of documents.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_DIFF_DOCUMENTS_H
#define DRIFTPRINT_DIFF_DOCUMENTS_H

#include "model/model.h"

/*
 * "entries" is a list of
 *
 *	{ "object": the document of model.h,
 *	  "oid", "attnums": with same_database, what makes a rename certain,
 *	  "status": profiled | skipped | catalog_only | failed | planned,
 *	  "row_count", "count_method": exact | approximate, "write_mark",
 *	  "profile": the document of profile.h }
 *
 * of which all but the object may be absent.  Errors name the entry.  The
 * result lives in the current memory context.
 */
extern DriftPrint *diff_print_of_documents(Jsonb *entries, const char *label, bool same_database);

#endif							/* DRIFTPRINT_DIFF_DOCUMENTS_H */
