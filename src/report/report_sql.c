/*-------------------------------------------------------------------------
 *
 * report_sql.c
 *	  drift_report().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "config/config.h"
#include "fmgr.h"
#include "report/report.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(drift_report);

enum ReportFormat
{
	REPORT_TEXT, REPORT_JSON, REPORT_YAML
};

static const char *const format_names[] = {"text", "json", "yaml"};

static enum ReportFormat
format_argument(FunctionCallInfo fcinfo, int n)
{
	char	   *name = PG_ARGISNULL(n) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(n));

	for (int i = 0; name != NULL && i < lengthof(format_names); i++)
		if (strcmp(name, format_names[i]) == 0)
			return (enum ReportFormat) i;
	ereport(ERROR,
			(errcode(name ? ERRCODE_INVALID_PARAMETER_VALUE : ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 name ? errmsg("format \"%s\" is not known", name) : errmsg("\"format\" must not be null"),
			 errhint("The formats are text, json and yaml.")));
	return REPORT_TEXT;
}

/* The defaults, and what the rules say over them. */
static void
configured_thresholds(ReportThresholds *thresholds)
{
	ConfigRules *rules = config_current();

	report_default_thresholds(thresholds);
	config_threshold(rules, "cardinality_ratio", &thresholds->cardinality_ratio);
	config_threshold(rules, "percentile_pct", &thresholds->percentile_pct);
	config_threshold(rules, "values_coverage", &thresholds->values_coverage);
	config_threshold(rules, "default", &thresholds->otherwise);
}

/* baseline, target, format, threshold, include, exclude, profile. */
Datum
drift_report(PG_FUNCTION_ARGS)
{
	enum ReportFormat format = format_argument(fcinfo, 2);
	ReportThresholds thresholds;
	DiffRun		run;
	char	   *report;

	configured_thresholds(&thresholds);
	if (!PG_ARGISNULL(3))
		report_read_thresholds(PG_GETARG_JSONB_P(3), &thresholds);
	diff_run(fcinfo, 4, &run);
	report = format == REPORT_JSON ? report_json(&run) : format == REPORT_YAML ? report_yaml(&run) :
		report_text(&run, &thresholds);
	PG_RETURN_TEXT_P(cstring_to_text(report));
}
