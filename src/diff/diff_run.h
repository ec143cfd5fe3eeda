/*-------------------------------------------------------------------------
 *
 * diff_run.h
 *	  A diff as the SQL functions ask for it: two prints by name.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_DIFF_RUN_H
#define DRIFTPRINT_DIFF_RUN_H

#include "diff/diff.h"
#include "fmgr.h"

typedef struct DiffRun
{
	DiffOptions options;
	DriftPrint *baseline;
	DriftPrint *target;
	List	   *changes;		/* of DriftChange */
	DiffSummary summary;
} DiffRun;

/* Counters of a summary by name, in the order in which they are shown. */
typedef struct DiffCounter
{
	const char *name;
	size_t		offset;			/* in DiffSummary */
} DiffCounter;

extern const DiffCounter diff_counters[];
extern const int diff_ncounters;

/*
 * Opens two prints and compares them.  The call's arguments 0 and 1 name
 * baseline and target; include, exclude and profile begin at "selection".
 */
extern void diff_run(FunctionCallInfo fcinfo, int selection, DiffRun *run);

#endif							/* DRIFTPRINT_DIFF_RUN_H */
