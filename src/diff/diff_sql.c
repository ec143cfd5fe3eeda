/*-------------------------------------------------------------------------
 *
 * diff_sql.c
 *	  drift_diff(), drift_summary().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff_run.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/numeric.h"

PG_FUNCTION_INFO_V1(drift_diff);
PG_FUNCTION_INFO_V1(drift_summary);

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
	DiffRun		run;
	ListCell   *lc;

	InitMaterializedSRF(fcinfo, 0);
	diff_run(fcinfo, 2, &run);
	foreach(lc, run.changes)
		emit(rsinfo, lfirst(lc));
	return (Datum) 0;
}

Datum
drift_summary(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DiffRun		run;

	InitMaterializedSRF(fcinfo, 0);
	diff_run(fcinfo, 2, &run);
	for (int i = 0; i < diff_ncounters; i++)
	{
		Datum		values[2];
		bool		nulls[2] = {false};

		values[0] = CStringGetTextDatum(diff_counters[i].name);
		values[1] = Int64GetDatum(*(int64 *) ((char *) &run.summary + diff_counters[i].offset));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
