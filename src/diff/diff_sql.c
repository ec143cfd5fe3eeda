/*-------------------------------------------------------------------------
 *
 * diff_sql.c
 *	  drift_diff(), drift_summary().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff.h"
#include "fmgr.h"
#include "funcapi.h"
#include "print/print.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/numeric.h"

PG_FUNCTION_INFO_V1(drift_diff);
PG_FUNCTION_INFO_V1(drift_summary);

static const struct
{
	const char *name;
	size_t		offset;
}			summary_rows[] =
{
	{"tables_scanned", offsetof(DiffSummary, tables_scanned)},
	{"tables_added", offsetof(DiffSummary, tables_added)},
	{"tables_removed", offsetof(DiffSummary, tables_removed)},
	{"tables_modified", offsetof(DiffSummary, tables_modified)},
	{"unchanged_tables", offsetof(DiffSummary, unchanged_tables)},
	{"unevaluated_tables", offsetof(DiffSummary, unevaluated_tables)},
	{"columns_added", offsetof(DiffSummary, columns_added)},
	{"columns_removed", offsetof(DiffSummary, columns_removed)},
	{"columns_type_changed", offsetof(DiffSummary, columns_type_changed)},
	{"columns_nullable_changed", offsetof(DiffSummary, columns_nullable_changed)},
	{"columns_default_changed", offsetof(DiffSummary, columns_default_changed)},
	{"statistics_drifted", offsetof(DiffSummary, statistics_drifted)},
	{"relationships_changed", offsetof(DiffSummary, relationships_changed)},
	{"indexes_changed", offsetof(DiffSummary, indexes_changed)},
	{"comments_changed", offsetof(DiffSummary, comments_changed)},
	{"row_counts_changed", offsetof(DiffSummary, row_counts_changed)},
	{"other_changes", offsetof(DiffSummary, other_changes)}
};

static char *
print_argument(FunctionCallInfo fcinfo, int n, const char *what)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("\"%s\" must not be null", what),
				 errhint("Name a print: live, latest, an id or a label.")));
	return text_to_cstring(PG_GETARG_TEXT_PP(n));
}

/* baseline, target, include, exclude, profile: shared by both functions. */
static List *
run_diff(FunctionCallInfo fcinfo, DiffSummary *summary)
{
	DiffOptions options = {0};
	char	   *baseline_name = print_argument(fcinfo, 0, "baseline");
	char	   *target_name = print_argument(fcinfo, 1, "target");
	DriftPrint *baseline;
	DriftPrint *target;

	options.include = PG_ARGISNULL(2) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(2), "include");
	options.exclude = PG_ARGISNULL(3) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(3), "exclude");
	if (PG_ARGISNULL(4))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("\"profile\" must not be null")));
	options.profile = PG_GETARG_BOOL(4);
	baseline = print_open(baseline_name, options.include, options.exclude, options.profile);
	target = print_open(target_name, options.include, options.exclude, options.profile);
	print_check_include(options.include, baseline, target);
	return diff_prints(baseline, target, &options, summary);
}

/* A float's shortest exact form, so that 0.1 is 0.1 and not its binary value. */
static Datum
numeric_of(double value)
{
	char	   *text = float8out_internal(value);

	return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

static void
emit(ReturnSetInfo *rsinfo, const DriftChange *change)
{
	const char *texts[5] = {change->kind, change->relation, change->column_name, change->object_name, change->stat};
	Datum		values[9] = {0};
	bool		nulls[9] = {false};

	for (int i = 0; i < lengthof(texts); i++)
	{
		nulls[i] = texts[i] == NULL;
		if (texts[i] != NULL)
			values[i] = CStringGetTextDatum(texts[i]);
	}
	nulls[5] = change->before == NULL;
	values[5] = JsonbPGetDatum(change->before);
	nulls[6] = change->after == NULL;
	values[6] = JsonbPGetDatum(change->after);
	nulls[7] = !change->has_delta;
	if (change->has_delta)
		values[7] = numeric_of(change->delta);
	nulls[8] = !change->has_delta_pct;
	values[8] = Float8GetDatum(change->delta_pct);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

Datum
drift_diff(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	ListCell   *lc;

	InitMaterializedSRF(fcinfo, 0);
	foreach(lc, run_diff(fcinfo, NULL))
		emit(rsinfo, lfirst(lc));
	return (Datum) 0;
}

Datum
drift_summary(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DiffSummary summary;

	InitMaterializedSRF(fcinfo, 0);
	(void) run_diff(fcinfo, &summary);
	for (int i = 0; i < lengthof(summary_rows); i++)
	{
		Datum		values[2];
		bool		nulls[2] = {false};

		values[0] = CStringGetTextDatum(summary_rows[i].name);
		values[1] = Int64GetDatum(*(int64 *) ((char *) &summary + summary_rows[i].offset));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
