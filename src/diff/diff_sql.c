/*-------------------------------------------------------------------------
 *
 * diff_sql.c
 *	  drift_diff(), drift_summary(), and the same of documents.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff.h"
#include "diff/documents.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/numeric.h"

PG_FUNCTION_INFO_V1(drift_diff);
PG_FUNCTION_INFO_V1(drift_summary);
PG_FUNCTION_INFO_V1(drift_diff_documents);
PG_FUNCTION_INFO_V1(drift_summary_documents);

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

static void
emit_changes(FunctionCallInfo fcinfo, List *changes)
{
	ListCell   *lc;

	foreach(lc, changes)
		emit((ReturnSetInfo *) fcinfo->resultinfo, lfirst(lc));
}

static void
emit_summary(FunctionCallInfo fcinfo, DiffSummary *summary)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	for (int i = 0; i < diff_ncounters; i++)
	{
		Datum		values[2];
		bool		nulls[2] = {false};

		values[0] = CStringGetTextDatum(diff_counters[i].name);
		values[1] = Int64GetDatum(*(int64 *) ((char *) summary + diff_counters[i].offset));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
}

Datum
drift_diff(PG_FUNCTION_ARGS)
{
	DiffRun		run;

	InitMaterializedSRF(fcinfo, 0);
	diff_run(fcinfo, 2, &run);
	emit_changes(fcinfo, run.changes);
	return (Datum) 0;
}

Datum
drift_summary(PG_FUNCTION_ARGS)
{
	DiffRun		run;

	InitMaterializedSRF(fcinfo, 0);
	diff_run(fcinfo, 2, &run);
	emit_summary(fcinfo, &run.summary);
	return (Datum) 0;
}

/* baseline and target documents, same_database, include, exclude, profile. */
static void
run_documents(FunctionCallInfo fcinfo, DiffRun *run)
{
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2) || PG_ARGISNULL(5))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the documents, \"same_database\" and \"profile\" must not be null")));
	memset(run, 0, sizeof(*run));
	run->options.include = PG_ARGISNULL(3) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(3), "include");
	run->options.exclude = PG_ARGISNULL(4) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(4), "exclude");
	run->options.profile = PG_GETARG_BOOL(5);
	run->baseline = diff_print_of_documents(PG_GETARG_JSONB_P(0), "baseline", PG_GETARG_BOOL(2));
	run->target = diff_print_of_documents(PG_GETARG_JSONB_P(1), "target", PG_GETARG_BOOL(2));
	run->changes = diff_prints(run->baseline, run->target, &run->options, &run->summary);
}

Datum
drift_diff_documents(PG_FUNCTION_ARGS)
{
	DiffRun		run;

	InitMaterializedSRF(fcinfo, 0);
	run_documents(fcinfo, &run);
	emit_changes(fcinfo, run.changes);
	return (Datum) 0;
}

Datum
drift_summary_documents(PG_FUNCTION_ARGS)
{
	DiffRun		run;

	InitMaterializedSRF(fcinfo, 0);
	run_documents(fcinfo, &run);
	emit_summary(fcinfo, &run.summary);
	return (Datum) 0;
}
