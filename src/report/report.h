/*-------------------------------------------------------------------------
 *
 * report.h
 *	  A diff for a person, or as a document.  Formats what it is handed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_REPORT_H
#define DRIFTPRINT_REPORT_H

#include "diff/diff.h"

/* From how large a movement a statistic is shown in the text report. */
typedef struct ReportThresholds
{
	double		cardinality_ratio;	/* absolute */
	double		percentile_pct; /* fraction of the value before */
	double		values_coverage;	/* absolute */
	double		otherwise;		/* fraction of the value before */
} ReportThresholds;

extern void report_default_thresholds(ReportThresholds *thresholds);
extern void report_read_thresholds(Jsonb *document, ReportThresholds *thresholds);
extern bool report_is_small(const DriftChange *change, const ReportThresholds *thresholds);

/* Readable in 100 columns; small statistic changes are counted, not shown. */
extern char *report_text(const DiffRun *run, const ReportThresholds *thresholds);

/* The document of dbprint v1, section 2.6, with all changes. */
extern Jsonb *report_document(const DiffRun *run);
extern char *report_json(const DiffRun *run);
extern char *report_yaml(const DiffRun *run);

#endif							/* DRIFTPRINT_REPORT_H */
