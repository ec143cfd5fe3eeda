/*-------------------------------------------------------------------------
 *
 * diff.h
 *	  What happened between two prints.
 *
 * Reads two prints and nothing else.  Changes speak of baseline -> target:
 * column_added means that the target has it and the baseline had not.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_DIFF_H
#define DRIFTPRINT_DIFF_H

#include "fmgr.h"
#include "model/model.h"

typedef struct DiffOptions
{
	List	   *include;		/* globs over schema.table; NIL = all */
	List	   *exclude;
	bool		profile;		/* compare statistics and row counts too */
	bool		not_inferred;	/* declared relationships only */
} DiffOptions;

/*
 * Always: tables_modified + unchanged_tables + unevaluated_tables +
 * tables_added = tables_scanned (dbprint v1, section 2.6.4).
 */
typedef struct DiffSummary
{
	int64		tables_scanned;
	int64		tables_added;
	int64		tables_removed;
	int64		tables_modified;
	int64		unchanged_tables;
	int64		unevaluated_tables;
	int64		columns_added;
	int64		columns_removed;
	int64		columns_type_changed;
	int64		columns_nullable_changed;
	int64		columns_default_changed;
	int64		statistics_drifted;
	int64		relationships_changed;
	int64		indexes_changed;
	int64		comments_changed;
	int64		row_counts_changed;
	int64		other_changes;
} DiffSummary;

/*
 * Changes (a list of DriftChange) ordered by relation, kind, column, object
 * and statistic.  summary may be NULL.
 */
extern List *diff_prints(DriftPrint *baseline, DriftPrint *target, const DiffOptions *options,
						 DiffSummary *summary);

/* The two kinds that are data movement; all others are schema. */
extern bool diff_is_data_kind(const char *kind);

/* A diff as the SQL functions ask for it: two prints by name. */
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

#endif							/* DRIFTPRINT_DIFF_H */
