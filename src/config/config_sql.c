/*-------------------------------------------------------------------------
 *
 * config_sql.c
 *	  drift_configure(), drift_config(), drift_rules(), and the stored text.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "config/config.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "store/store.h"
#include "utils/builtins.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/varlena.h"

PG_FUNCTION_INFO_V1(drift_configure);
PG_FUNCTION_INFO_V1(drift_config);
PG_FUNCTION_INFO_V1(drift_rules);

/* The stored text and connection in the caller's memory; false without one. */
static bool
read_stored(char **yaml, char **connection)
{
	MemoryContext caller = CurrentMemoryContext;
	StoreIdentity saved;
	bool		found;

	store_become_owner(&saved);
	SPI_connect();
	SPI_execute("SELECT yaml, connection FROM driftprint.config", true, 1);
	found = SPI_processed > 0;
	if (found)
	{
		MemoryContext spi = MemoryContextSwitchTo(caller);

		*yaml = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
		*connection = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 2);
		MemoryContextSwitchTo(spi);
	}
	SPI_finish();
	store_become_caller(&saved);
	return found;
}

ConfigRules *
config_current(void)
{
	char	   *yaml = NULL;
	char	   *connection = NULL;

	if (!read_stored(&yaml, &connection))
		return config_read("", NULL);
	return config_read(yaml, connection);
}

static void
write_stored(const char *yaml, const char *connection)
{
	static const char sql[] =
		"INSERT INTO driftprint.config (yaml, connection, configured_by, configured_at)"
		" VALUES ($1, $2, $3, $4) ON CONFLICT (only_one) DO UPDATE SET yaml = excluded.yaml,"
		" connection = excluded.connection, configured_by = excluded.configured_by,"
		" configured_at = excluded.configured_at";
	Oid			types[4] = {TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID};
	Datum		values[4];
	char		nulls[4] = {' ', connection ? ' ' : 'n', ' ', ' '};
	StoreIdentity saved;

	values[0] = CStringGetTextDatum(yaml);
	values[1] = connection ? CStringGetTextDatum(connection) : (Datum) 0;
	values[2] = CStringGetTextDatum(GetUserNameFromId(GetUserId(), false));
	values[3] = TimestampTzGetDatum(GetCurrentTimestamp());
	store_become_owner(&saved);
	SPI_connect();
	SPI_execute_with_args(sql, 4, types, values, nulls, false, 0);
	SPI_finish();
	store_become_caller(&saved);
}

static void
remove_stored(void)
{
	StoreIdentity saved;

	store_become_owner(&saved);
	SPI_connect();
	SPI_execute("DELETE FROM driftprint.config", false, 0);
	SPI_finish();
	store_become_caller(&saved);
}

Datum
drift_configure(PG_FUNCTION_ARGS)
{
	char	   *yaml;
	char	   *connection = PG_ARGISNULL(1) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(1));

	if (PG_ARGISNULL(0))
	{
		remove_stored();
		PG_RETURN_VOID();
	}
	yaml = text_to_cstring(PG_GETARG_TEXT_PP(0));
	(void) config_assertions(config_read(yaml, connection));
	write_stored(yaml, connection);
	PG_RETURN_VOID();
}

Datum
drift_config(PG_FUNCTION_ARGS)
{
	char	   *yaml = NULL;
	char	   *connection = NULL;

	if (!read_stored(&yaml, &connection))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(yaml));
}

static void
emit(ReturnSetInfo *rsinfo, const char *setting, const char *value, const char *source)
{
	Datum		values[3];
	bool		nulls[3] = {false, value == NULL, false};

	values[0] = CStringGetTextDatum(setting);
	values[1] = value ? CStringGetTextDatum(value) : (Datum) 0;
	values[2] = CStringGetTextDatum(source);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/* The catalog's estimate of a relation by name; negative when unknown. */
static double
estimate(const char *schema, const char *table)
{
	Oid			namespace = get_namespace_oid(schema, true);
	HeapTuple	tuple = OidIsValid(namespace) ?
		SearchSysCache2(RELNAMENSP, CStringGetDatum(table), ObjectIdGetDatum(namespace)) : NULL;
	double		rows = -1;

	if (HeapTupleIsValid(tuple))
	{
		rows = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
		ReleaseSysCache(tuple);
	}
	return rows;
}

Datum
drift_rules(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	List	   *names;
	const char *schema;
	const char *table;
	ConfigTable resolved;
	ListCell   *lc;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("\"relation\" must not be null")));
	names = textToQualifiedNameList(PG_GETARG_TEXT_PP(0));
	if (list_length(names) > 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a relation is named by schema and name"),
				 errhint("For example drift_rules('public.orders').")));
	schema = list_length(names) == 2 ? strVal(linitial(names)) : "public";
	table = strVal(llast(names));

	InitMaterializedSRF(fcinfo, 0);
	config_resolve(config_current(), schema, table, estimate(schema, table), &resolved);
	emit(rsinfo, "included", resolved.included ? "true" : "false", "include and exclude");
	for (int i = 0; i < CONFIG_NSETTINGS; i++)
		emit(rsinfo, config_setting_name(i), resolved.values[i].text, resolved.values[i].source);
	if (resolved.profile.sample > 0)
		emit(rsinfo, "effective sample", psprintf("%.6g", resolved.profile.sample),
			 resolved.values[SET_SAMPLE].text ? resolved.values[SET_SAMPLE].source :
			 resolved.values[SET_MAX_ROWS_SCANNED].source);
	foreach(lc, resolved.notes)
		emit(rsinfo, "note", lfirst(lc), "rules");
	return (Datum) 0;
}
