/*-------------------------------------------------------------------------
 *
 * distance.h
 *	  How far a column's values have moved, from two stored profiles.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_DIFF_DISTANCE_H
#define DRIFTPRINT_DIFF_DISTANCE_H

#include "model/model.h"

/*
 * psi		population stability index, sum of (q - p) * ln(q / p) over bins, p the
 *			baseline's share and q the target's (S. Kullback's J-divergence, 1959; as
 *			an index of populations N. Siddiqi, Credit Risk Scorecards, 2006).
 *			Ordered columns: ten bins of the baseline's deciles; others: the listed
 *			values and the rest.  Shares below 0.0001 count as 0.0001.
 * ks		Kolmogorov-Smirnov distance, the largest difference of the two cumulative
 *			distributions (N. Smirnov, 1948), at the bounds of both histograms and so
 *			within 0.01 of the rows' own.  Ordered columns.
 * js		Jensen-Shannon distance, the square root of the divergence to base 2 (D.
 *			Endres and J. Schindelin, 2003), over the listed values and the rest.
 * verdict	stable below a psi of 0.1, moderate below 0.25, major from there (the
 *			usual cut-offs, Siddiqi 2006); unknown without anything to compare.
 */
typedef struct ColumnDistance
{
	const char *relation;
	const char *column;
	bool		has_psi;
	bool		has_ks;
	bool		has_js;
	double		psi;
	double		ks;
	double		js;
	Jsonb	   *new_values;		/* NULL where the baseline's list is not whole */
	Jsonb	   *vanished_values;	/* NULL where the target's list is not whole */
	const char *verdict;
} ColumnDistance;

/* A list of ColumnDistance, a column that both prints profiled each. */
extern List *diff_distances(DriftPrint *baseline, DriftPrint *target);

#endif							/* DRIFTPRINT_DIFF_DISTANCE_H */
