/*-------------------------------------------------------------------------
 *
 * print_internal.h
 *	  Shared by the files of the print room only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_PRINT_INTERNAL_H
#define DRIFTPRINT_PRINT_INTERNAL_H

#include "print/print.h"

/* A table's print is fresh this long unless a rule says otherwise. */
#define PRINT_DEFAULT_MAX_AGE_DAYS 7

/* Take out of a stored or live print what the caller may not see. */
extern void print_hide(DriftPrint *print);

#endif							/* DRIFTPRINT_PRINT_INTERNAL_H */
