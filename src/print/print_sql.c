/*-------------------------------------------------------------------------
 *
 * print_sql.c
 *	  drift_print() and what looks after prints.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "nodes/parsenodes.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "print/print_internal.h"
#include "store/store.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

PG_FUNCTION_INFO_V1(drift_print);
PG_FUNCTION_INFO_V1(drift_refresh);
PG_FUNCTION_INFO_V1(drift_progress);
PG_FUNCTION_INFO_V1(drift_prints);
PG_FUNCTION_INFO_V1(drift_drop);
PG_FUNCTION_INFO_V1(drift_prune);

static List *
list_argument(FunctionCallInfo fcinfo, int n, const char *what)
{
	return PG_ARGISNULL(n) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(n), what);
}

/* A flag must be said: null is neither. */
static bool
flag_argument(FunctionCallInfo fcinfo, int n, const char *what)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("\"%s\" must not be null", what)));
	return PG_GETARG_BOOL(n);
}

static void
read_options(FunctionCallInfo fcinfo, PrintOptions *options)
{
	memset(options, 0, sizeof(*options));
	options->label = PG_ARGISNULL(0) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(0));
	options->include = list_argument(fcinfo, 1, "include");
	options->exclude = list_argument(fcinfo, 2, "exclude");
	options->force = flag_argument(fcinfo, 3, "force");
	options->dry_run = flag_argument(fcinfo, 4, "dry_run");
	options->fail_fast = flag_argument(fcinfo, 5, "fail_fast");
	options->profile = flag_argument(fcinfo, 6, "profile");
	options->trust_counters = flag_argument(fcinfo, 7, "trust_counters");
	options->store = !options->dry_run;
	if (options->label != NULL)
		store_check_label(options->label);
}

static void
emit(ReturnSetInfo *rsinfo, PrintOutcome *outcome)
{
	DriftEntry *entry = outcome->entry;
	Datum		values[7];
	bool		nulls[7] = {false};

	values[0] = CStringGetTextDatum(model_qualified_name(entry->schema, entry->name));
	values[1] = CStringGetTextDatum(entry->family);
	values[2] = CStringGetTextDatum(model_status_name(entry->status));
	values[3] = Int64GetDatum(entry->row_count);
	nulls[3] = entry->count_method == DRIFT_COUNT_NONE;
	values[4] = Int64GetDatum(outcome->rows_scanned);
	nulls[4] = outcome->rows_scanned < 0;
	values[5] = Float8GetDatum(outcome->elapsed_ms);
	nulls[5] = outcome->rows_scanned < 0;
	nulls[6] = entry->message == NULL && outcome->notes == NULL;
	values[6] = nulls[6] ? (Datum) 0 : CStringGetTextDatum(entry->message ? entry->message : outcome->notes);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}


Datum
drift_print(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	PrintOptions options;
	DriftPrint *print;
	List	   *outcomes = NIL;
	ListCell   *lc;

	InitMaterializedSRF(fcinfo, 0);
	read_options(fcinfo, &options);
	if (!options.dry_run)
		print_bury_interrupted();
	print = print_take(&options, store_find_latest(), &outcomes);
	print_check_include(options.include, print, NULL);
	if (!options.dry_run)
		print_write(print);
	foreach(lc, outcomes)
		emit(rsinfo, lfirst(lc));
	return (Datum) 0;
}

/* Between transactions only: the work is committed relation by relation. */
Datum
drift_refresh(PG_FUNCTION_ARGS)
{
	PrintOptions options = {0};

	if (fcinfo->context == NULL || !IsA(fcinfo->context, CallContext) ||
		castNode(CallContext, fcinfo->context)->atomic)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_TERMINATION),
				 errmsg("drift_refresh() cannot run inside a transaction block"),
				 errhint("Call it by itself, or use drift_print() in a transaction.")));
	options.label = PG_ARGISNULL(0) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(0));
	options.include = list_argument(fcinfo, 1, "include");
	options.exclude = list_argument(fcinfo, 2, "exclude");
	options.force = flag_argument(fcinfo, 3, "force");
	options.profile = flag_argument(fcinfo, 4, "profile");
	options.store = true;
	if (options.label != NULL)
		store_check_label(options.label);
	print_refresh(&options);
	PG_RETURN_VOID();
}

Datum
drift_progress(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	store_list_progress(rsinfo->setResult, rsinfo->setDesc);
	return (Datum) 0;
}

Datum
drift_drop(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the name of a print must not be null"),
				 errhint("List the prints there are with drift_prints().")));
	store_drop(text_to_cstring(PG_GETARG_TEXT_PP(0)));
	PG_RETURN_VOID();
}

Datum
drift_prune(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0) || PG_GETARG_INT32(0) < 0)
		ereport(ERROR,
				(errcode(PG_ARGISNULL(0) ? ERRCODE_NULL_VALUE_NOT_ALLOWED : ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"keep\" must be a number of prints, 0 or more")));
	PG_RETURN_INT32(store_prune(PG_GETARG_INT32(0)));
}

Datum
drift_prints(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	store_list_prints(rsinfo->setResult, rsinfo->setDesc);
	return (Datum) 0;
}
