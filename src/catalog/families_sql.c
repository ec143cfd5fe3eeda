/*-------------------------------------------------------------------------
 *
 * families_sql.c
 *	  drift_objects(): what stands in the database now, object by object.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/batch.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

PG_FUNCTION_INFO_V1(drift_objects);
PG_FUNCTION_INFO_V1(drift_not_compared);
PG_FUNCTION_INFO_V1(drift_canonical_expression);

static Datum
text_or_null(const char *value, bool *isnull)
{
	*isnull = value == NULL;
	return value ? CStringGetTextDatum(value) : (Datum) 0;
}

static void
emit_entry(ReturnSetInfo *rsinfo, const DriftEntry *entry)
{
	Datum		values[5];
	bool		nulls[5] = {false};

	values[0] = text_or_null(entry->family, &nulls[0]);
	values[1] = text_or_null(entry->schema, &nulls[1]);
	values[2] = text_or_null(entry->name, &nulls[2]);
	values[3] = text_or_null(entry->signature, &nulls[3]);
	values[4] = JsonbPGetDatum(entry->body);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/* Relations of one family, or of all. */
static List *
read_relations(const char *family)
{
	List	   *relations = catalog_list_relations();
	ListCell   *lc;

	foreach(lc, relations)
		if (family != NULL && strcmp(((CatalogRelation *) lfirst(lc))->family, family) != 0)
			relations = foreach_delete_current(relations, lc);
	return catalog_read_relations(relations);
}

Datum
drift_objects(PG_FUNCTION_ARGS)
{
	char	   *family = PG_ARGISNULL(0) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(0));
	List	   *entries;
	ListCell   *lc;
	int			nestlevel;

	InitMaterializedSRF(fcinfo, 0);
	nestlevel = model_canonical_begin();
	if (family == NULL)
		entries = list_concat(read_relations(NULL), catalog_read_families());
	else if (model_is_relation_family(family))
		entries = read_relations(family);
	else
		entries = catalog_read_family(family);
	model_canonical_end(nestlevel);
	foreach(lc, entries)
		emit_entry((ReturnSetInfo *) fcinfo->resultinfo, lfirst(lc));
	return (Datum) 0;
}

Datum
drift_not_compared(PG_FUNCTION_ARGS)
{
	List	   *families;
	ListCell   *lc;
	int			nestlevel;
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	nestlevel = model_canonical_begin();
	families = catalog_not_compared();
	model_canonical_end(nestlevel);
	foreach(lc, families)
	{
		Datum		value = CStringGetTextDatum(lfirst(lc));
		bool		isnull = false;

		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, &value, &isnull);
	}
	return (Datum) 0;
}

/* For tests, which declare it themselves. */
Datum
drift_canonical_expression(PG_FUNCTION_ARGS)
{
	char	   *deparsed = text_to_cstring(PG_GETARG_TEXT_PP(0));

	PG_RETURN_TEXT_P(cstring_to_text(catalog_canonical_expression(deparsed)));
}
