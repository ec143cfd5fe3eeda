/*-------------------------------------------------------------------------
 *
 * print_internal.h
 *	  Shared by the files of the print room only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_PRINT_INTERNAL_H
#define DRIFTPRINT_PRINT_INTERNAL_H

#include "config/config.h"
#include "print/print.h"
#include "utils/hsearch.h"

/* Whether the rules and the options select a name; no schema: not a relation's. */
extern bool print_selected(const ConfigRules *rules, const char *schema, const char *name,
						   List *include, List *exclude);

/* Everything one run knows. */
typedef struct PrintRun
{
	const PrintOptions *options;
	ConfigRules *rules;
	MemoryContext context;		/* owns what the print holds */

	/* what there is */
	List	   *relations;		/* of CatalogRelation, selected */
	HTAB	   *estimates;		/* oid -> CatalogRelation */

	/* what was there before */
	DriftPrint *previous;
	bool		same_database;
	HTAB	   *previous_by_oid;

	/* what came of it */
	DriftPrint *print;
	List	   *outcomes;
	bool		plan_only;		/* say what would be read, read nothing */
	int			tried;
	int			failed;
} PrintRun;

/* Read the structure of what is selected into a new print. */
extern void print_begin(PrintRun *run);

/* Read rows of one relation, or note why not; with a snapshot in force. */
extern void print_visit(PrintRun *run, PrintOutcome *outcome);

/* Relations of the print in order, one outcome each. */
extern void print_list_outcomes(PrintRun *run);

/* Status of the whole from its relations. */
extern void print_conclude(PrintRun *run);

/* Store a print with all its entries. */
extern void print_write(DriftPrint *print);

/*
 * The same work as drift_print(), committed relation by relation.  The caller
 * is a procedure outside a transaction block.
 */
extern void print_refresh(const PrintOptions *options);

/* A print that a refresh left behind when it died counts as partial. */
extern void print_bury_interrupted(void);

/*
 * A mark of each relation's write counters, 0 where there is none: equal marks
 * at two times mean that nothing was written in between.
 */
extern void print_mark_writes(DriftPrint *print);

/* Take out of a stored or live print what the caller may not see. */
extern void print_hide(DriftPrint *print);

#endif							/* DRIFTPRINT_PRINT_INTERNAL_H */
