/*-------------------------------------------------------------------------
 *
 * thresholds.c
 *	  From how large a movement a statistic is worth a line of the text.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "report/report.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

void
report_default_thresholds(ReportThresholds *thresholds)
{
	thresholds->cardinality_ratio = 0.02;
	thresholds->percentile_pct = 0.05;
	thresholds->values_coverage = 0.05;
	thresholds->otherwise = 0.01;
}

static const char *const threshold_keys[] = {"cardinality_ratio", "percentile_pct", "values_coverage", "default"};

static double *
threshold_field(ReportThresholds *thresholds, const char *key)
{
	double	   *const fields[] = {
		&thresholds->cardinality_ratio, &thresholds->percentile_pct, &thresholds->values_coverage, &thresholds->otherwise
	};

	for (int i = 0; i < lengthof(threshold_keys); i++)
		if (strcmp(threshold_keys[i], key) == 0)
			return fields[i];
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("threshold \"%s\" is not known", key),
			 errhint("The thresholds are cardinality_ratio, percentile_pct, values_coverage and default.")));
	return NULL;
}

static double
threshold_value(const JsonbValue *v, const char *key)
{
	double		value = -1;

	if (v->type == jbvNumeric)
		value = DatumGetFloat8(DirectFunctionCall1(numeric_float8, NumericGetDatum(v->val.numeric)));
	if (v->type != jbvNumeric || !(value >= 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg(v->type != jbvNumeric ? "threshold \"%s\" must be a number" :
						"threshold \"%s\" must not be negative", key)));
	return value;
}

/* An object of thresholds over those in force, or one number for all of them. */
void
report_read_thresholds(Jsonb *document, ReportThresholds *thresholds)
{
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	v;

	if (JB_ROOT_IS_SCALAR(document))
	{
		double		all = threshold_value(getIthJsonbValueFromContainer(&document->root, 0), "all");

		for (int i = 0; i < lengthof(threshold_keys); i++)
			*threshold_field(thresholds, threshold_keys[i]) = all;
		return;
	}
	if (!JB_ROOT_IS_OBJECT(document))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"threshold\" must be a number or an object of numbers"),
				 errhint("For example 0.05, or {\"default\": 0.05}.")));
	it = JsonbIteratorInit(&document->root);
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		char	   *key;
		double	   *field;

		if (token != WJB_KEY)
			continue;
		key = pnstrdup(v.val.string.val, v.val.string.len);
		field = threshold_field(thresholds, key);
		(void) JsonbIteratorNext(&it, &v, true);
		*field = threshold_value(&v, key);
	}
}

/* Whether a statistic moved less than is worth a line. */
bool
report_is_small(const DriftChange *change, const ReportThresholds *t)
{
	double		fraction = change->has_delta_pct ? fabs(change->delta_pct) : HUGE_VAL;

	if (strcmp(change->kind, "statistic_changed") != 0 || !change->has_delta)
		return false;
	if (strcmp(change->stat, "cardinality_ratio") == 0)
		return fabs(change->delta) < t->cardinality_ratio;
	if (strcmp(change->stat, "values_coverage") == 0)
		return fabs(change->delta) < t->values_coverage;
	if (strncmp(change->stat, "percentiles.", strlen("percentiles.")) == 0)
		return fraction < t->percentile_pct;
	return fraction < t->otherwise;
}
