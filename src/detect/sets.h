/*-------------------------------------------------------------------------
 *
 * sets.h
 *	  The closed sets: countries and currencies; private to the detect room.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_DETECT_SETS_H
#define DRIFTPRINT_DETECT_SETS_H

#include "postgres.h"

/* ISO 3166-1 alpha-2 and ISO 4217 alphabetic, whatever the case. */
extern bool detect_is_country(const char *code);
extern bool detect_is_currency(const char *code);

#endif							/* DRIFTPRINT_DETECT_SETS_H */
