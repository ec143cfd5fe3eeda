/*-------------------------------------------------------------------------
 *
 * judge_internal.h
 *	  Shared by the files of the judge room only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_JUDGE_INTERNAL_H
#define DRIFTPRINT_JUDGE_INTERNAL_H

#include "judge/judge.h"

/* When what the print says of the entry was true. */
extern TimestampTz judge_known_at(const DriftPrint *print, const DriftEntry *entry);

/* Age below the threshold; 0 days can never be fresh. */
extern bool judge_is_fresh(const DriftPrint *print, const DriftEntry *entry, int max_age_days,
						   TimestampTz now);

/* What the rules assert of the print, and of queries. */
extern List *judge_assertions(DriftPrint *print);

/* Relations have an age; partitions share their parent's, other objects none. */
extern bool judge_has_age(const DriftEntry *entry);

#endif							/* DRIFTPRINT_JUDGE_INTERNAL_H */
