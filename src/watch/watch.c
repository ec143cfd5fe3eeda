/*-------------------------------------------------------------------------
 *
 * watch.c
 *	  The log of DDL commands, written by event triggers.
 *
 * A command is written down in a subtransaction: whatever goes wrong there is
 * a warning, and the user's command goes on.  What stood before is what the
 * log last saw of the object, or else the latest print.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/catalog.h"
#include "catalog/dependency.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_event_trigger.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_type.h"
#include "commands/event_trigger.h"
#include "commands/extension.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "print/print.h"
#include "store/store.h"
#include "tcop/tcopprot.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"
#include "watch/watch.h"

PG_FUNCTION_INFO_V1(drift_watch_ddl);
PG_FUNCTION_INFO_V1(drift_watch);
PG_FUNCTION_INFO_V1(drift_history);

/* Characters of a command's text that are kept. */
#define QUERY_CHARACTERS 10000

/* One object that a command touched. */
typedef struct Touched
{
	Oid			oid;
	bool		relation;
	char	   *command;
	char	   *object_type;
	char	   *object;
} Touched;

static const char touched_sql[] =
"SELECT objid, classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND object_type NOT IN ('index', 'sequence'),"
" command_tag, object_type, object_identity FROM pg_catalog.pg_event_trigger_ddl_commands()"
" WHERE NOT in_extension AND object_identity IS NOT NULL AND schema_name IS DISTINCT FROM 'pg_temp'";

static const char dropped_sql[] =
"SELECT objid, false, $1, object_type, object_identity FROM pg_catalog.pg_event_trigger_dropped_objects()"
" WHERE original AND NOT is_temporary";

static const char insert_sql[] =
"INSERT INTO driftprint.ddl_log (at, transaction, role, session, application, client, command,"
" object_type, object, oid, before, after, query)"
" SELECT $1, pg_catalog.pg_current_xact_id(), $2, $3, $4,"
" (SELECT pg_catalog.host(client_addr) FROM pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()) AS a),"
" $5, $6, $7, $8, coalesce("
"  (SELECT l.after FROM driftprint.ddl_log l WHERE l.oid = $8 ORDER BY l.id DESC LIMIT 1),"
"  (SELECT c.body FROM driftprint.entry e JOIN driftprint.content c ON c.id = e.object"
"   WHERE e.oid = $8 AND c.name IS NOT NULL AND $11 AND e.print ="
"   (SELECT p.id FROM driftprint.print p WHERE p.source = 'live' ORDER BY p.id DESC LIMIT 1) LIMIT 1)),"
" $9, $10";

/* ---------- writing ---------- */

static List *
read_touched(const char *tag, bool dropped)
{
	List	   *list = NIL;
	Oid			types[1] = {TEXTOID};
	Datum		values[1] = {CStringGetTextDatum(tag)};

	if (dropped)
		SPI_execute_with_args(dropped_sql, 1, types, values, NULL, true, 0);
	else
		SPI_execute(touched_sql, true, 0);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		Touched    *touched = palloc0(sizeof(Touched));
		bool		isnull;

		touched->oid = DatumGetObjectId(SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 1, &isnull));
		touched->relation = DatumGetBool(SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 2, &isnull));
		touched->command = SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 3);
		touched->object_type = SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 4);
		touched->object = SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 5);
		list = lappend(list, touched);
	}
	return list;
}

/* The relation as it stands after the command; NULL for other objects. */
static Jsonb *
body_after(const Touched *touched, bool dropped)
{
	List	   *entries;
	ListCell   *lc;
	Jsonb	   *body = NULL;
	int			nestlevel;

	if (dropped || !touched->relation)
		return NULL;
	nestlevel = model_canonical_begin();
	foreach(lc, catalog_list_relations())
	{
		CatalogRelation *relation = lfirst(lc);

		if (relation->oid != touched->oid)
			continue;
		entries = catalog_read_relations(list_make1(relation));
		if (entries != NIL)
			body = ((DriftEntry *) linitial(entries))->body;
		break;
	}
	model_canonical_end(nestlevel);
	return body;
}

static Datum
text_or_null(const char *text, char *null)
{
	*null = text ? ' ' : 'n';
	return text ? CStringGetTextDatum(text) : (Datum) 0;
}

static void
write_touched(const Touched *touched, Jsonb *after, const char *role, const char *session)
{
	Oid			types[11] = {TIMESTAMPTZOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, OIDOID,
	JSONBOID, TEXTOID, BOOLOID};
	Datum		values[11];
	char		nulls[11] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};
	StoreIdentity saved;

	values[0] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[1] = CStringGetTextDatum(role);
	values[2] = CStringGetTextDatum(session);
	values[3] = text_or_null(application_name && *application_name ? application_name : NULL, &nulls[3]);
	values[4] = CStringGetTextDatum(touched->command);
	values[5] = CStringGetTextDatum(touched->object_type);
	values[6] = CStringGetTextDatum(touched->object);
	values[7] = ObjectIdGetDatum(touched->oid);
	values[8] = JsonbPGetDatum(after);
	nulls[8] = after ? ' ' : 'n';
	values[9] = text_or_null(debug_query_string ? pnstrdup(debug_query_string, QUERY_CHARACTERS) : NULL, &nulls[9]);
	values[10] = BoolGetDatum(touched->relation);
	store_become_owner(&saved);
	SPI_execute_with_args(insert_sql, 11, types, values, nulls, false, 0);
	store_become_caller(&saved);
}

static void
write_down(const char *tag, bool dropped)
{
	char	   *role = GetUserNameFromId(GetUserId(), false);
	char	   *session = GetUserNameFromId(GetSessionUserId(), false);
	ListCell   *lc;

	SPI_connect();
	foreach(lc, read_touched(tag, dropped))
		write_touched(lfirst(lc), body_after(lfirst(lc), dropped), role, session);
	SPI_finish();
}

/*
 * Event trigger function.  A log that fails is a warning; a cancel is still a
 * cancel.
 */
Datum
drift_watch_ddl(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	EventTriggerData *data;

	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("drift_watch_ddl() is an event trigger function"),
				 errhint("Use drift_watch(true).")));
	data = (EventTriggerData *) fcinfo->context;
	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	PG_TRY();
	{
		write_down(GetCommandTagName(data->tag), strcmp(data->event, "sql_drop") == 0);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(caller);
		error = CopyErrorData();
		if (error->sqlerrcode == ERRCODE_QUERY_CANCELED || error->sqlerrcode == ERRCODE_ADMIN_SHUTDOWN)
			PG_RE_THROW();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		ereport(WARNING, (errmsg("this command could not be written down: %s", error->message)));
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
	PG_RETURN_NULL();
}

/* ---------- switching ---------- */

static const char *const trigger_names[] = {"driftprint_watch_ddl", "driftprint_watch_drop"};
static const char *const trigger_events[] = {"ddl_command_end", "sql_drop"};

/* With the extension the triggers go, though they are not part of it. */
static void
tie_to_extension(const char *name)
{
	ObjectAddress trigger;
	ObjectAddress extension;

	ObjectAddressSet(trigger, EventTriggerRelationId, get_event_trigger_oid(name, false));
	ObjectAddressSet(extension, ExtensionRelationId, get_extension_oid("driftprint", false));
	recordDependencyOn(&trigger, &extension, DEPENDENCY_AUTO_EXTENSION);
}

Datum
drift_watch(PG_FUNCTION_ARGS)
{
	char	   *function = quote_qualified_identifier(get_namespace_name(store_extension_namespace()), "drift_watch_ddl");
	bool		enable;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("\"enable\" must be true or false")));
	enable = PG_GETARG_BOOL(0);
	SPI_connect();
	for (int i = 0; i < lengthof(trigger_names); i++)
	{
		bool		exists = OidIsValid(get_event_trigger_oid(trigger_names[i], true));

		if (enable == exists)
			continue;
		if (enable)
		{
			SPI_execute(psprintf("CREATE EVENT TRIGGER %s ON %s EXECUTE FUNCTION %s()",
								 trigger_names[i], trigger_events[i], function), false, 0);
			CommandCounterIncrement();
			tie_to_extension(trigger_names[i]);
		}
		else
			SPI_execute(psprintf("DROP EVENT TRIGGER %s", trigger_names[i]), false, 0);
	}
	SPI_finish();
	PG_RETURN_VOID();
}

/* ---------- reading ---------- */

bool
watch_has_log(void)
{
	StoreIdentity saved;
	bool		any;

	store_become_owner(&saved);
	SPI_connect();
	SPI_execute("SELECT FROM driftprint.ddl_log LIMIT 1", true, 1);
	any = SPI_processed > 0;
	SPI_finish();
	store_become_caller(&saved);
	return any;
}

char *
watch_last_change(const char *object)
{
	static const char sql[] =
		"SELECT pg_catalog.format('%s by %s at %s', command, role,"
		" pg_catalog.to_char(at, 'YYYY-MM-DD HH24:MI:SS TZ'))"
		" FROM driftprint.ddl_log WHERE object = $1 OR object LIKE $2 ORDER BY id DESC LIMIT 1";
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[2] = {TEXTOID, TEXTOID};
	Datum		values[2] = {CStringGetTextDatum(object), CStringGetTextDatum(psprintf("%s.%%", object))};
	StoreIdentity saved;
	char	   *sentence = NULL;

	store_become_owner(&saved);
	SPI_connect();
	SPI_execute_with_args(sql, 2, types, values, NULL, true, 1);
	if (SPI_processed > 0)
		sentence = MemoryContextStrdup(caller, SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1));
	SPI_finish();
	store_become_caller(&saved);
	return sentence;
}

/* Under its names of now and before: what the log knows of the same OIDs. */
static const char history_sql[] =
"SELECT at, role, command, object_type, object, session, application, transaction, before, after, query"
" FROM driftprint.ddl_log l WHERE $1 IS NULL OR object = $1 OR object LIKE $1 || '.%'"
" OR oid IN (SELECT k.oid FROM driftprint.ddl_log k WHERE k.object = $1) ORDER BY id";

Datum
drift_history(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	Oid			types[1] = {TEXTOID};
	Datum		args[1] = {PG_ARGISNULL(0) ? (Datum) 0 : PG_GETARG_DATUM(0)};
	char		argnulls[1] = {PG_ARGISNULL(0) ? 'n' : ' '};
	StoreIdentity saved;

	if (!superuser() && !has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_DATA))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to read the log of DDL commands"),
				 errhint("It holds other people's commands; members of pg_read_all_data may read it.")));
	InitMaterializedSRF(fcinfo, 0);
	store_become_owner(&saved);
	SPI_connect();
	SPI_execute_with_args(history_sql, 1, types, args, argnulls, true, 0);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		Datum		values[11];
		bool		nulls[11];

		for (int i = 0; i < 11; i++)
			values[i] = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, i + 1, &nulls[i]);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	SPI_finish();
	store_become_caller(&saved);
	return (Datum) 0;
}
