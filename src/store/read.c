/*-------------------------------------------------------------------------
 *
 * read.c
 *	  Stored prints by name.
 *
 * Opening a print reads who is in it and the hashes, not the documents; those
 * come by print->load() for the entries that need them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "store/store.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#define PRINT_COLUMNS \
	"id, label, source, status, taken_at, format_version, server_version_num," \
	" system_identifier, database, database_name, facts"

enum
{
	PRT_ID = 1, PRT_LABEL, PRT_SOURCE, PRT_STATUS, PRT_TAKEN_AT, PRT_FORMAT, PRT_SERVER_VERSION,
	PRT_SYSTEM, PRT_DATABASE, PRT_DATABASE_NAME, PRT_FACTS
};

static const char entries_sql[] =
"SELECT o.family, o.schema, o.name, o.signature, o.hash, e.object, e.profile, p.hash,"
" e.row_count, e.profiled_at, e.oid, e.max_age_days, e.status, e.count_method, e.attnums,"
" e.scoped, e.write_mark"
" FROM driftprint.entry e"
" JOIN driftprint.content o ON o.id = e.object"
" LEFT JOIN driftprint.content p ON p.id = e.profile"
" WHERE e.print = $1";

enum
{
	ENT_FAMILY = 1, ENT_SCHEMA, ENT_NAME, ENT_SIGNATURE, ENT_HASH, ENT_OBJECT, ENT_PROFILE,
	ENT_PROFILE_HASH, ENT_ROW_COUNT, ENT_PROFILED_AT, ENT_OID, ENT_MAX_AGE, ENT_STATUS,
	ENT_COUNT_METHOD, ENT_ATTNUMS, ENT_SCOPED, ENT_WRITE_MARK
};

static Datum
value_of(uint64 row, int column, bool *isnull)
{
	return SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, isnull);
}

static char *
text_of(uint64 row, int column)
{
	return SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column);
}

static void
run(const char *sql, Oid type, Datum value)
{
	SPI_execute_with_args(sql, OidIsValid(type) ? 1 : 0, &type, &value, NULL, true, 0);
}

static void
copy_hash(uint64 row, int column, uint8 *hash)
{
	bool		isnull;
	Datum		value = value_of(row, column, &isnull);

	if (!isnull)
		memcpy(hash, VARDATA_ANY(DatumGetByteaPP(value)), DRIFT_HASH_BYTES);
}

static void
copy_attnums(uint64 row, DriftEntry *entry)
{
	bool		isnull;
	bytea	   *value = DatumGetByteaPP(value_of(row, ENT_ATTNUMS, &isnull));
	Size		size = VARSIZE_ANY_EXHDR(value);

	if (size == 0)
		return;
	entry->nattnums = size / sizeof(int16);
	entry->attnums = palloc(size);
	memcpy(entry->attnums, VARDATA_ANY(value), size);
}

static void
read_entry(uint64 row, DriftEntry *entry)
{
	bool		isnull;

	entry->family = text_of(row, ENT_FAMILY);
	entry->schema = text_of(row, ENT_SCHEMA);
	entry->name = text_of(row, ENT_NAME);
	entry->signature = text_of(row, ENT_SIGNATURE);
	copy_hash(row, ENT_HASH, entry->hash);
	entry->body_id = DatumGetInt64(value_of(row, ENT_OBJECT, &isnull));
	entry->profile_id = DatumGetInt64(value_of(row, ENT_PROFILE, &isnull));
	copy_hash(row, ENT_PROFILE_HASH, entry->profile_hash);
	entry->row_count = DatumGetInt64(value_of(row, ENT_ROW_COUNT, &isnull));
	entry->profiled_at = DatumGetTimestampTz(value_of(row, ENT_PROFILED_AT, &isnull));
	entry->oid = DatumGetObjectId(value_of(row, ENT_OID, &isnull));
	entry->max_age_days = DatumGetInt32(value_of(row, ENT_MAX_AGE, &isnull));
	entry->status = (DriftStatus) DatumGetChar(value_of(row, ENT_STATUS, &isnull));
	entry->count_method = (DriftCountMethod) DatumGetChar(value_of(row, ENT_COUNT_METHOD, &isnull));
	copy_attnums(row, entry);
	entry->scoped = DatumGetBool(value_of(row, ENT_SCOPED, &isnull));
	entry->write_mark = DatumGetInt64(value_of(row, ENT_WRITE_MARK, &isnull));
}

/* Documents of the given ids, for the entries that lack them. */
typedef struct Wanted
{
	int64		id;
	Jsonb	  **where;
} Wanted;

static int
compare_wanted(const void *a, const void *b)
{
	int64		ia = ((const Wanted *) a)->id;
	int64		ib = ((const Wanted *) b)->id;

	return ia < ib ? -1 : ia > ib;
}

static void
hand_out(Wanted *wanted, int n, MemoryContext context)
{
	for (uint64 row = 0, i = 0; row < SPI_processed; row++)
	{
		bool		isnull;
		int64		id = DatumGetInt64(value_of(row, 1, &isnull));
		MemoryContext spi = MemoryContextSwitchTo(context);
		Jsonb	   *body = (Jsonb *) PG_DETOAST_DATUM_COPY(value_of(row, 2, &isnull));

		MemoryContextSwitchTo(spi);
		while (i < n && wanted[i].id < id)
			i++;
		for (; i < n && wanted[i].id == id; i++)
			*wanted[i].where = body;
	}
}

static void
load_documents(DriftPrint *print, DriftEntry **entries, int n, bool profiles)
{
	Wanted	   *wanted = palloc(sizeof(Wanted) * n * 2);
	Datum	   *ids = palloc(sizeof(Datum) * n * 2);
	int			nwanted = 0;
	StoreIdentity saved;

	for (int i = 0; i < n; i++)
	{
		if (entries[i]->body == NULL && entries[i]->body_id != 0)
			wanted[nwanted++] = (Wanted) {entries[i]->body_id, &entries[i]->body};
		if (profiles && entries[i]->profile == NULL && entries[i]->profile_id != 0)
			wanted[nwanted++] = (Wanted) {entries[i]->profile_id, &entries[i]->profile};
	}
	if (nwanted == 0)
		return;
	qsort(wanted, nwanted, sizeof(Wanted), compare_wanted);
	for (int i = 0; i < nwanted; i++)
		ids[i] = Int64GetDatum(wanted[i].id);

	store_become_owner(&saved);
	SPI_connect();
	run("SELECT id, body FROM driftprint.content WHERE id = ANY ($1) ORDER BY id", INT8ARRAYOID,
		PointerGetDatum(construct_array(ids, nwanted, INT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE)));
	hand_out(wanted, nwanted, print->context);
	SPI_finish();
	store_become_caller(&saved);
	for (int i = 0; i < nwanted; i++)
		if (*wanted[i].where == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_DRIFT_NO_PRINT),
					 errmsg("print %d has been dropped meanwhile", print->id),
					 errhint("List the prints there are with drift_prints().")));
}

static void
refuse_format(uint64 row)
{
	bool		isnull;
	int			version = DatumGetInt32(value_of(row, PRT_FORMAT, &isnull));

	if (version != DRIFT_FORMAT_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_FORMAT),
				 errmsg("print %s is of format %d, this driftprint reads format %d",
						text_of(row, PRT_ID), version, DRIFT_FORMAT_VERSION),
				 errhint("Take a new print, or update the extension.")));
}

/* The print of the current row, with all its entries. */
static DriftPrint *
read_print(MemoryContext context)
{
	DriftPrint *print;
	MemoryContext spi;
	bool		isnull;
	uint64		row = 0;

	refuse_format(row);
	spi = MemoryContextSwitchTo(context);
	print = palloc0(sizeof(DriftPrint));
	print->context = context;
	print->load = load_documents;
	print->id = DatumGetInt32(value_of(row, PRT_ID, &isnull));
	print->label = text_of(row, PRT_LABEL);
	print->source = text_of(row, PRT_SOURCE);
	print->status = text_of(row, PRT_STATUS);
	print->taken_at = DatumGetTimestampTz(value_of(row, PRT_TAKEN_AT, &isnull));
	print->server_version_num = DatumGetInt32(value_of(row, PRT_SERVER_VERSION, &isnull));
	print->system_identifier = strtou64(text_of(row, PRT_SYSTEM), NULL, 10);
	print->database = DatumGetObjectId(value_of(row, PRT_DATABASE, &isnull));
	print->database_name = text_of(row, PRT_DATABASE_NAME);
	print->facts = (Jsonb *) PG_DETOAST_DATUM_COPY(value_of(row, PRT_FACTS, &isnull));
	MemoryContextSwitchTo(spi);

	run(entries_sql, INT4OID, Int32GetDatum(print->id));
	MemoryContextSwitchTo(context);
	print->nentries = SPI_processed;
	print->entries = MemoryContextAllocHuge(context, sizeof(DriftEntry) * (print->nentries + 1));
	memset(print->entries, 0, sizeof(DriftEntry) * (print->nentries + 1));
	for (row = 0; row < print->nentries; row++)
		read_entry(row, &print->entries[row]);
	qsort(print->entries, print->nentries, sizeof(DriftEntry), model_compare_entries);
	MemoryContextSwitchTo(spi);
	return print;
}

static DriftPrint *
open_where(const char *sql, Oid type, Datum value)
{
	MemoryContext context = CurrentMemoryContext;
	DriftPrint *print = NULL;
	StoreIdentity saved;

	store_become_owner(&saved);
	SPI_connect();
	run(sql, type, value);
	if (SPI_processed > 0)
		print = read_print(context);
	SPI_finish();
	store_become_caller(&saved);
	return print;
}

DriftPrint *
store_find_latest(void)
{
	return open_where("SELECT " PRINT_COLUMNS " FROM driftprint.print WHERE source = 'live' AND status <> 'running'"
					  " ORDER BY id DESC LIMIT 1", InvalidOid, (Datum) 0);
}

/* An id as text; -1 when it is none. */
static int32
parse_id(const char *name)
{
	int64		id = 0;

	if (*name == '\0' || name[strspn(name, "0123456789")] != '\0')
		return -1;
	for (; *name; name++)
		if ((id = id * 10 + (*name - '0')) > PG_INT32_MAX)
			return PG_INT32_MAX;
	return id;
}

DriftPrint *
store_open(const char *name)
{
	DriftPrint *print;
	int32		id = parse_id(name);

	if (strcmp(name, "latest") == 0)
	{
		print = store_find_latest();
		if (print == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_DRIFT_NO_PRINT),
					 errmsg("there is no print yet"),
					 errhint("Take one with SELECT * FROM drift_print().")));
		return print;
	}
	print = id >= 0 ?
		open_where("SELECT " PRINT_COLUMNS " FROM driftprint.print WHERE id = $1",
				   INT4OID, Int32GetDatum(id)) :
		open_where("SELECT " PRINT_COLUMNS " FROM driftprint.print WHERE label = $1",
				   TEXTOID, CStringGetTextDatum(name));
	if (print == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_NO_PRINT),
				 errmsg("print \"%s\" does not exist", name),
				 errhint("List the prints there are with drift_prints().")));
	return print;
}
