/*-------------------------------------------------------------------------
 *
 * print.h
 *	  Taking a print: selection, order, skip-if-fresh, the table pass.
 *
 * And opening one by name, which is how all later rooms get at prints.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_PRINT_H
#define DRIFTPRINT_PRINT_H

#include "model/model.h"

typedef struct PrintOptions
{
	const char *label;			/* NULL for none */
	List	   *include;		/* globs over schema.table; NIL = all */
	List	   *exclude;
	bool		force;			/* profile fresh tables too */
	bool		dry_run;		/* list what would be read, read nothing */
	bool		fail_fast;		/* the first relation that fails is an error */
	bool		profile;		/* read rows */
	bool		trust_counters; /* skip what its write counters say is unchanged */
	bool		store;			/* what was not read is carried forward */
} PrintOptions;

/* One row of drift_print(): what happened to a relation. */
typedef struct PrintOutcome
{
	DriftEntry *entry;
	int64		rows_scanned;	/* -1 when no row was read */
	double		elapsed_ms;		/* of reading rows */
	const char *notes;			/* what of the rules did not apply; may be NULL */
} PrintOutcome;

/*
 * Read the live database.  "previous" is the newest stored print or NULL; with
 * options->store, profiles that are fresh (or not asked for) are carried
 * forward from it.  *outcomes gets a list of PrintOutcome, one a relation,
 * partitions left out since they belong to their parent.
 */
extern DriftPrint *print_take(const PrintOptions *options, DriftPrint *previous, List **outcomes);

/*
 * A print by name: live (taken for the call, never stored), latest, an id or a
 * label.  Only what the caller may see is in it.  include and exclude restrict
 * either kind; an include that matches nothing is ERRCODE_DRIFT_NO_MATCH.  With
 * profile, rows of live are read.
 */
extern DriftPrint *print_open(const char *name, List *include, List *exclude, bool profile);

/*
 * Marks of the live relations' write counters now, for entries of a print of
 * this database; 0 where there is none.
 */
extern int64 *print_write_marks(DriftPrint *print, DriftEntry **entries, int n);

/* Raise ERRCODE_DRIFT_NO_MATCH unless each pattern matches an entry of either print. */
extern void print_check_include(List *include, DriftPrint *a, DriftPrint *b);

#endif							/* DRIFTPRINT_PRINT_H */
