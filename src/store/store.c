/*-------------------------------------------------------------------------
 *
 * store.c
 *	  Becoming the storage's owner; writing prints.
 *
 * Writers take a self-exclusive lock on driftprint.content for as long as
 * they write, which is short: a print is written when everything has been
 * read.  Readers never wait for it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "store/store.h"
#include "store/store_internal.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"

/* Entries written by one statement. */
#define WRITE_ENTRIES 1000

/* The extension's row: who owns it, where its functions are. */
static void
read_extension(Oid *owner, Oid *namespace)
{
	Relation	rel = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ,
				CStringGetDatum("driftprint"));
	scan = systable_beginscan(rel, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("extension \"driftprint\" does not exist in this database"),
				 errhint("Run CREATE EXTENSION driftprint.")));
	if (owner)
		*owner = ((Form_pg_extension) GETSTRUCT(tuple))->extowner;
	if (namespace)
		*namespace = ((Form_pg_extension) GETSTRUCT(tuple))->extnamespace;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

Oid
store_extension_namespace(void)
{
	Oid			namespace;

	read_extension(NULL, &namespace);
	return namespace;
}

void
store_become_owner(StoreIdentity *saved)
{
	Oid			owner;

	read_extension(&owner, NULL);
	GetUserIdAndSecContext(&saved->userid, &saved->sec_context);
	saved->nestlevel = NewGUCNestLevel();
	SetUserIdAndSecContext(owner, saved->sec_context | SECURITY_LOCAL_USERID_CHANGE);
	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
}

void
store_become_caller(const StoreIdentity *saved)
{
	AtEOXact_GUC(true, saved->nestlevel);
	SetUserIdAndSecContext(saved->userid, saved->sec_context);
}

/* ---------- labels ---------- */

static bool
is_number(const char *text)
{
	return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* A label must not be mistaken for another way to name a print. */
void
store_check_label(const char *label)
{
	if (*label == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_LABEL),
				 errmsg("a print's label must not be empty"),
				 errhint("Leave the label out to have none.")));
	if (strcmp(label, "live") == 0 || strcmp(label, "latest") == 0)
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_LABEL),
				 errmsg("label \"%s\" is reserved", label),
				 errdetail("\"live\" and \"latest\" name prints by themselves.")));
	if (is_number(label))
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_LABEL),
				 errmsg("label \"%s\" would be taken for a print's id", label),
				 errhint("Use a label that is not a number.")));
	if (strlen(label) > 255)
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_LABEL),
				 errmsg("a print's label must not be longer than 255 bytes")));
}

static void
refuse_taken_label(const char *label)
{
	Oid			types[1] = {TEXTOID};
	Datum		values[1] = {CStringGetTextDatum(label)};

	if (SPI_execute_with_args("SELECT id FROM driftprint.print WHERE label = $1", 1, types, values,
							  NULL, false, 1) != SPI_OK_SELECT || SPI_processed == 0)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_DRIFT_LABEL),
			 errmsg("label \"%s\" is taken by print %s", label,
					SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1)),
			 errhint("Choose another label, or drop that print with drift_drop().")));
}

/* ---------- writing ---------- */

void
store_lock_for_writing(void)
{
	Oid			namespace = get_namespace_oid("driftprint", false);
	Oid			content = get_relname_relid("content", namespace);

	if (!OidIsValid(content))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("table \"driftprint.content\" does not exist"),
				 errhint("Drop and create the extension again.")));
	LockRelationOid(content, ShareRowExclusiveLock);
}

void
store_begin_print(DriftPrint *print)
{
	static const char sql[] =
		"INSERT INTO driftprint.print (label, source, status, taken_at, format_version,"
		" server_version_num, system_identifier, database, database_name, taken_by, facts)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id";
	Oid			types[11] = {TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID, INT4OID, INT4OID, TEXTOID,
	OIDOID, TEXTOID, TEXTOID, JSONBOID};
	Datum		values[11];
	char		nulls[11] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};
	StoreIdentity saved;
	bool		isnull;

	values[9] = CStringGetTextDatum(GetUserNameFromId(GetUserId(), false));
	store_become_owner(&saved);
	SPI_connect();
	store_lock_for_writing();
	if (print->label != NULL)
	{
		store_check_label(print->label);
		refuse_taken_label(print->label);
		values[0] = CStringGetTextDatum(print->label);
	}
	else
		nulls[0] = 'n';
	values[1] = CStringGetTextDatum(print->source);
	values[2] = CStringGetTextDatum(print->status);
	values[3] = TimestampTzGetDatum(print->taken_at);
	values[4] = Int32GetDatum(DRIFT_FORMAT_VERSION);
	values[5] = Int32GetDatum(print->server_version_num);
	values[6] = CStringGetTextDatum(psprintf(UINT64_FORMAT, print->system_identifier));
	values[7] = ObjectIdGetDatum(print->database);
	values[8] = CStringGetTextDatum(print->database_name);
	values[10] = JsonbPGetDatum(print->facts);
	SPI_execute_with_args(sql, 11, types, values, nulls, false, 0);
	print->id = DatumGetInt32(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	SPI_finish();
	store_become_caller(&saved);
}

void
store_finish_print(DriftPrint *print)
{
	Oid			types[3] = {INT4OID, TEXTOID, JSONBOID};
	Datum		values[3];
	StoreIdentity saved;

	store_become_owner(&saved);
	SPI_connect();
	values[0] = Int32GetDatum(print->id);
	values[1] = CStringGetTextDatum(print->status);
	values[2] = JsonbPGetDatum(print->facts);
	SPI_execute_with_args("UPDATE driftprint.print SET status = $2, facts = $3 WHERE id = $1"
						  " AND (status, facts) IS DISTINCT FROM ($2, $3)",
						  3, types, values, NULL, false, 0);
	SPI_finish();
	store_become_caller(&saved);
}

/* A document to store: an entry's body or its profile. */
typedef struct Document
{
	const uint8 *hash;
	DriftEntry *entry;			/* whose identity it carries; NULL for a profile */
	Jsonb	   *body;
	int64	   *id;				/* where its id goes */
} Document;

static Datum
hash_datum(const uint8 *hash)
{
	bytea	   *value = palloc(VARHDRSZ + DRIFT_HASH_BYTES);

	SET_VARSIZE(value, VARHDRSZ + DRIFT_HASH_BYTES);
	memcpy(VARDATA(value), hash, DRIFT_HASH_BYTES);
	return PointerGetDatum(value);
}

static Datum
array_datum(Datum *elements, bool *nulls, int n, Oid type)
{
	int			lower = 1;
	int16		length;
	bool		byval;
	char		align;

	get_typlenbyvalalign(type, &length, &byval, &align);
	return PointerGetDatum(construct_md_array(elements, nulls, 1, &n, &lower, type, length, byval, align));
}

static int
compare_documents(const void *a, const void *b)
{
	return memcmp(((const Document *) a)->hash, ((const Document *) b)->hash, DRIFT_HASH_BYTES);
}

/* Set the ids of documents that are stored; how many are not. */
static int
find_stored(Document *documents, int n)
{
	Oid			types[1] = {BYTEAARRAYOID};
	Datum		values[1];
	Datum	   *hashes = palloc(sizeof(Datum) * n);
	int			missing = 0;

	for (int i = 0; i < n; i++)
		hashes[i] = hash_datum(documents[i].hash);
	values[0] = array_datum(hashes, NULL, n, BYTEAOID);
	SPI_execute_with_args("SELECT hash, id FROM driftprint.content WHERE hash = ANY ($1) ORDER BY hash",
						  1, types, values, NULL, false, 0);
	for (uint64 row = 0, i = 0; row < SPI_processed; row++)
	{
		bool		isnull;
		bytea	   *hash = DatumGetByteaPP(SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 1, &isnull));
		int64		id = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 2, &isnull));

		while (i < n && memcmp(documents[i].hash, VARDATA_ANY(hash), DRIFT_HASH_BYTES) < 0)
			i++;
		for (; i < n && memcmp(documents[i].hash, VARDATA_ANY(hash), DRIFT_HASH_BYTES) == 0; i++)
			*documents[i].id = id;
	}
	for (int i = 0; i < n; i++)
		missing += *documents[i].id == 0;
	return missing;
}

static Datum
text_or_null(const char *text, bool *isnull)
{
	*isnull = text == NULL;
	return text == NULL ? (Datum) 0 : CStringGetTextDatum(text);
}

static void
insert_missing(Document *documents, int n, int missing)
{
	static const char sql[] =
		"INSERT INTO driftprint.content (hash, family, schema, name, signature, body)"
		" SELECT * FROM unnest($1, $2, $3, $4, $5, $6) ON CONFLICT (hash) DO NOTHING";
	Oid			types[6] = {BYTEAARRAYOID, TEXTARRAYOID, TEXTARRAYOID, TEXTARRAYOID, TEXTARRAYOID, JSONBARRAYOID};
	Datum		values[6];
	Datum	   *columns[6];
	bool	   *nulls[6];
	int			m = 0;

	for (int c = 0; c < 6; c++)
	{
		columns[c] = palloc(sizeof(Datum) * missing);
		nulls[c] = palloc0(sizeof(bool) * missing);
	}
	for (int i = 0; i < n; i++)
	{
		DriftEntry *entry = documents[i].entry;

		if (*documents[i].id != 0)
			continue;
		columns[0][m] = hash_datum(documents[i].hash);
		columns[1][m] = CStringGetTextDatum(entry ? entry->family : "profile");
		columns[2][m] = text_or_null(entry ? entry->schema : NULL, &nulls[2][m]);
		columns[3][m] = text_or_null(entry ? entry->name : NULL, &nulls[3][m]);
		columns[4][m] = text_or_null(entry ? entry->signature : NULL, &nulls[4][m]);
		columns[5][m] = JsonbPGetDatum(documents[i].body);
		m++;
	}
	values[0] = array_datum(columns[0], nulls[0], missing, BYTEAOID);
	for (int c = 1; c < 5; c++)
		values[c] = array_datum(columns[c], nulls[c], missing, TEXTOID);
	values[5] = array_datum(columns[5], nulls[5], missing, JSONBOID);
	SPI_execute_with_args(sql, 6, types, values, NULL, false, 0);
}

/*
 * Documents carried forward were read before the lock was taken; a prune may
 * have come in between.
 */
static void
refuse_pruned(DriftEntry **entries, int n)
{
	Oid			types[1] = {INT8ARRAYOID};
	Datum		values[1];
	Datum	   *ids = palloc(sizeof(Datum) * (n + 1));
	int			nids = 0;

	for (int i = 0; i < n; i++)
		if (entries[i]->profile == NULL && entries[i]->profile_id != 0)
			ids[nids++] = Int64GetDatum(entries[i]->profile_id);
	if (nids == 0)
		return;
	values[0] = array_datum(ids, NULL, nids, INT8OID);
	SPI_execute_with_args("SELECT FROM unnest($1) AS w(id) WHERE NOT EXISTS"
						  " (SELECT FROM driftprint.content c WHERE c.id = w.id) LIMIT 1",
						  1, types, values, NULL, false, 1);
	if (SPI_processed > 0)
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("the print that this one carries on from was removed meanwhile"),
				 errhint("Take the print again.")));
}

static void
write_documents(DriftEntry **entries, int n)
{
	Document   *documents = palloc0(sizeof(Document) * n * 2);
	int			ndocuments = 0;
	int			missing;

	for (int i = 0; i < n; i++)
	{
		if (entries[i]->body_id == 0)
			documents[ndocuments++] = (Document) {entries[i]->hash, entries[i], entries[i]->body,
				&entries[i]->body_id};
		if (entries[i]->profile != NULL && entries[i]->profile_id == 0)
			documents[ndocuments++] = (Document) {entries[i]->profile_hash, NULL, entries[i]->profile,
				&entries[i]->profile_id};
	}
	refuse_pruned(entries, n);
	if (ndocuments == 0)
		return;
	qsort(documents, ndocuments, sizeof(Document), compare_documents);
	missing = find_stored(documents, ndocuments);
	if (missing == 0)
		return;
	insert_missing(documents, ndocuments, missing);
	if (find_stored(documents, ndocuments) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("a stored document could not be found again")));
}

static Datum
attnums_datum(DriftEntry *entry)
{
	Size		size = sizeof(int16) * entry->nattnums;
	bytea	   *value = palloc(VARHDRSZ + size);

	SET_VARSIZE(value, VARHDRSZ + size);
	if (size > 0)
		memcpy(VARDATA(value), entry->attnums, size);
	return PointerGetDatum(value);
}

static void
insert_entries(DriftPrint *print, DriftEntry **entries, int n)
{
	static const char sql[] =
		"INSERT INTO driftprint.entry (print, object, profile, row_count, profiled_at, oid,"
		" max_age_days, status, count_method, attnums, scoped, write_mark)"
		" SELECT $1, * FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
	Oid			types[12] = {INT4OID, INT8ARRAYOID, INT8ARRAYOID, INT8ARRAYOID, TIMESTAMPTZARRAYOID,
	OIDARRAYOID, INT4ARRAYOID, CHARARRAYOID, CHARARRAYOID, BYTEAARRAYOID, BOOLARRAYOID, INT8ARRAYOID};
	static const Oid elements[12] = {InvalidOid, INT8OID, INT8OID, INT8OID, TIMESTAMPTZOID, OIDOID,
	INT4OID, CHAROID, CHAROID, BYTEAOID, BOOLOID, INT8OID};
	Datum		values[12];
	Datum	   *columns[12];

	for (int c = 1; c < 12; c++)
		columns[c] = palloc(sizeof(Datum) * n);
	for (int i = 0; i < n; i++)
	{
		columns[1][i] = Int64GetDatum(entries[i]->body_id);
		columns[2][i] = Int64GetDatum(entries[i]->profile_id);
		columns[3][i] = Int64GetDatum(entries[i]->row_count);
		columns[4][i] = TimestampTzGetDatum(entries[i]->profiled_at);
		columns[5][i] = ObjectIdGetDatum(entries[i]->oid);
		columns[6][i] = Int32GetDatum(entries[i]->max_age_days);
		columns[7][i] = CharGetDatum((char) entries[i]->status);
		columns[8][i] = CharGetDatum((char) entries[i]->count_method);
		columns[9][i] = attnums_datum(entries[i]);
		columns[10][i] = BoolGetDatum(entries[i]->scoped);
		columns[11][i] = Int64GetDatum(entries[i]->write_mark);
	}
	values[0] = Int32GetDatum(print->id);
	for (int c = 1; c < 12; c++)
		values[c] = array_datum(columns[c], NULL, n, elements[c]);
	SPI_execute_with_args(sql, 12, types, values, NULL, false, 0);
}

void
store_write_entries(DriftPrint *print, DriftEntry **entries, int n)
{
	StoreIdentity saved;

	store_become_owner(&saved);
	for (int from = 0; from < n; from += WRITE_ENTRIES)
	{
		int			some = Min(WRITE_ENTRIES, n - from);

		CHECK_FOR_INTERRUPTS();
		SPI_connect();
		write_documents(entries + from, some);
		insert_entries(print, entries + from, some);
		SPI_finish();
	}
	store_become_caller(&saved);
}

void
store_update_entry(DriftPrint *print, DriftEntry *entry)
{
	static const char sql[] =
		"UPDATE driftprint.entry e SET profile = $3, row_count = $4, profiled_at = $5,"
		" status = $6, count_method = $7, scoped = $9, write_mark = $10 WHERE e.print = $1 AND e.object = $2 AND e.oid = $8";
	Oid			types[10] = {INT4OID, INT8OID, INT8OID, INT8OID, TIMESTAMPTZOID, CHAROID, CHAROID, OIDOID, BOOLOID,
	INT8OID};
	Datum		values[10];
	StoreIdentity saved;

	store_become_owner(&saved);
	SPI_connect();
	store_lock_for_writing();
	write_documents(&entry, 1);
	values[0] = Int32GetDatum(print->id);
	values[1] = Int64GetDatum(entry->body_id);
	values[2] = Int64GetDatum(entry->profile_id);
	values[3] = Int64GetDatum(entry->row_count);
	values[4] = TimestampTzGetDatum(entry->profiled_at);
	values[5] = CharGetDatum((char) entry->status);
	values[6] = CharGetDatum((char) entry->count_method);
	values[7] = ObjectIdGetDatum(entry->oid);
	values[8] = BoolGetDatum(entry->scoped);
	values[9] = Int64GetDatum(entry->write_mark);
	SPI_execute_with_args(sql, 10, types, values, NULL, false, 0);
	SPI_finish();
	store_become_caller(&saved);
}

void
store_mark_interrupted(void)
{
	StoreIdentity saved;

	store_become_owner(&saved);
	SPI_connect();
	SPI_execute("UPDATE driftprint.print SET status = 'partial',"
				" facts = facts || '{\"interrupted\": true}' WHERE status = 'running'", false, 0);
	SPI_finish();
	store_become_caller(&saved);
}
