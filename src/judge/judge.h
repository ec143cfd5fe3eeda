/*-------------------------------------------------------------------------
 *
 * judge.h
 *	  Is it still true: freshness, drift, and what they are worth.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_JUDGE_H
#define DRIFTPRINT_JUDGE_H

#include "model/model.h"

/* The codes of a check; a client adds 4, "could not connect". */
typedef enum JudgeCode
{
	JUDGE_HOLDS = 0,
	JUDGE_GENERIC = 1,			/* no print, or a malformed one */
	JUDGE_STALE = 2,
	JUDGE_DRIFT = 3,
	JUDGE_PARTIAL = 5,			/* some relations could not be read */
	JUDGE_ASSERTION = 6,
	JUDGE_TOTAL_FAILURE = 7		/* none could be read */
} JudgeCode;

/* How far a check looks. */
typedef enum JudgeDepth
{
	JUDGE_PRINT,				/* stored prints only */
	JUDGE_CATALOG,				/* and the live catalogs, no rows */
	JUDGE_DATA					/* and rows, profiled again */
} JudgeDepth;

typedef struct JudgeFinding
{
	JudgeCode	code;
	const char *severity;		/* error or warning */
	const char *kind;
	const char *relation;
	const char *schema;			/* of the relation; may be NULL */
	const char *object;			/* column, index, constraint, ...; may be NULL */
	const char *before;			/* short, for a person */
	const char *after;
	const char *detail;
} JudgeFinding;

typedef struct JudgeOptions
{
	JudgeDepth	depth;
	const char *baseline;
	int			max_age_days;	/* -1: each table by the threshold of its print */
	List	   *include;
	List	   *exclude;
} JudgeOptions;

/* Findings of a check, worst kind of code decides; NIL when all holds. */
extern List *judge_check(const JudgeOptions *options);

/* The one code that stands for a list of findings. */
extern JudgeCode judge_worst(List *findings);

#endif							/* DRIFTPRINT_JUDGE_H */
