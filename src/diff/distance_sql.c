/*-------------------------------------------------------------------------
 *
 * distance_sql.c
 *	  drift_distance().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/distance.h"
#include "fmgr.h"
#include "funcapi.h"
#include "print/print.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(drift_distance);

static void
emit(ReturnSetInfo *rsinfo, const ColumnDistance *d)
{
	Datum		values[8];
	bool		nulls[8] = {false, false, !d->has_psi, !d->has_ks, !d->has_js, d->new_values == NULL,
	d->vanished_values == NULL, false};

	values[0] = CStringGetTextDatum(d->relation);
	values[1] = CStringGetTextDatum(d->column);
	values[2] = Float8GetDatum(d->psi);
	values[3] = Float8GetDatum(d->ks);
	values[4] = Float8GetDatum(d->js);
	values[5] = JsonbPGetDatum(d->new_values);
	values[6] = JsonbPGetDatum(d->vanished_values);
	values[7] = CStringGetTextDatum(d->verdict);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

Datum
drift_distance(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	List	   *include = PG_ARGISNULL(2) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(2), "include");
	List	   *exclude = PG_ARGISNULL(3) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(3), "exclude");
	DriftPrint *baseline;
	DriftPrint *target;
	List	   *distances;
	ListCell   *lc;
	int			nestlevel;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the name of a print must not be null"),
				 errhint("Name a print: live, latest, an id or a label.")));
	InitMaterializedSRF(fcinfo, 0);
	baseline = print_open(text_to_cstring(PG_GETARG_TEXT_PP(0)), include, exclude, true);
	target = print_open(text_to_cstring(PG_GETARG_TEXT_PP(1)), include, exclude, true);
	print_check_include(include, baseline, target);
	nestlevel = model_canonical_begin();
	distances = diff_distances(baseline, target);
	model_canonical_end(nestlevel);
	foreach(lc, distances)
		emit(rsinfo, lfirst(lc));
	return (Datum) 0;
}
