/*-------------------------------------------------------------------------
 *
 * profile.c
 *	  One executor run over a relation, and what it says.
 *
 * The query is an ordinary one, so privileges, row security, partitions,
 * inheritance, foreign tables, samples and filters are the executor's.  Its
 * receiver hands each row to the columns; nothing is copied, and nothing is read
 * twice but the few columns of a pair that may be a key or a dependency.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "parser/parser.h"
#include "profile/column.h"
#include "profile/pairs.h"
#include "profile/patterns.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/formatting.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/timestamp.h"

#define SIGN_BIT (UINT64CONST(1) << 63)

/* Everything one run knows. */
typedef struct ProfileRun
{
	const ProfileSettings *settings;
	Oid			relid;
	const char *schema;
	const char *name;
	bool		scoped;
	bool		partial;		/* row security hides rows from this user */

	ProfileColumn *columns;
	int			ncolumns;
	int		   *anchors;		/* columns that may date the table */
	int			nanchors;
	NullPatterns patterns;
	PairSearch	pairs;
	bool		search_pairs;
	MemoryContext row_context;	/* reset now and then while reading */
	int64		rows;
} ProfileRun;

typedef struct ProfileReceiver
{
	DestReceiver pub;
	ProfileRun *run;
} ProfileReceiver;

void
profile_default_settings(ProfileSettings *settings)
{
	static const int percents[] = {1, 5, 25, 50, 75, 95, 99};

	memset(settings, 0, sizeof(*settings));
	settings->estimated_rows = -1;
	settings->enumeration_threshold = 50;
	settings->top_n_values = 20;
	settings->top_n_null_patterns = 20;
	settings->looks_like_sample_size = 1000;
	settings->npercentiles = lengthof(percents);
	memcpy(settings->percentiles, percents, sizeof(percents));
	settings->compute_timeline = true;
	settings->search_pairs = true;
}

/* ---------- what the catalog says of the columns ---------- */

static char *
collation_name(Oid collation, Oid type)
{
	if (!OidIsValid(collation) || collation == get_typcollation(type) || collation == DEFAULT_COLLATION_OID)
		return NULL;
	return get_collation_name(collation);
}

static void
read_column(ProfileColumn *column, Form_pg_attribute att)
{
	column->name = pstrdup(NameStr(att->attname));
	column->attnum = att->attnum;
	column->typmod = att->atttypmod;
	column->type = getBaseTypeAndTypmod(att->atttypid, &column->typmod);
	column->collation = att->attcollation;
	column->nullable = !att->attnotnull;
	column->sql_type = format_type_with_typemod(att->atttypid, att->atttypmod);
	column->collation_name = collation_name(att->attcollation, att->atttypid);
	column_choose_key(column);
}

static void
mark_layout(ProfileRun *run, Relation rel)
{
	PartitionKey key;

	if (rel->rd_rel->relkind != RELKIND_PARTITIONED_TABLE)
		return;
	key = RelationGetPartitionKey(rel);
	for (int i = 0; i < key->partnatts; i++)
		for (int c = 0; c < run->ncolumns; c++)
			if (run->columns[c].attnum == key->partattrs[i])
				run->columns[c].layout_key = true;
}

static void
read_columns(ProfileRun *run)
{
	Relation	rel = relation_open(run->relid, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);

	run->schema = get_namespace_name(RelationGetNamespace(rel));
	run->name = pstrdup(RelationGetRelationName(rel));
	run->columns = palloc0(sizeof(ProfileColumn) * (desc->natts + 1));
	for (int i = 0; i < desc->natts; i++)
		if (!TupleDescAttr(desc, i)->attisdropped)
			read_column(&run->columns[run->ncolumns++], TupleDescAttr(desc, i));
	mark_layout(run, rel);
	relation_close(rel, AccessShareLock);
	run->partial = check_enable_rls(run->relid, InvalidOid, true) == RLS_ENABLED;
}

static ProfileColumn *
column_by_attnum(ProfileRun *run, AttrNumber attnum)
{
	for (int i = 0; i < run->ncolumns; i++)
		if (run->columns[i].attnum == attnum)
			return &run->columns[i];
	return NULL;
}

/* Declared keys as the grain; single-column ones and foreign keys marked. */
static Jsonb *
read_constraints(ProfileRun *run)
{
	static const char sql[] =
		"SELECT c.contype, c.conkey::pg_catalog.int2[] FROM pg_catalog.pg_constraint c"
		" WHERE c.conrelid OPERATOR(pg_catalog.=) $1 AND c.contype IN ('p', 'u', 'f')"
		" ORDER BY c.contype OPERATOR(pg_catalog.<>) 'p', c.oid";
	Oid			types[1] = {OIDOID};
	Datum		values[1] = {ObjectIdGetDatum(run->relid)};
	ModelBuilder b = {0};

	SPI_execute_with_args(sql, 1, types, values, NULL, true, 0);
	model_object_begin(&b);
	model_key(&b, "keys");
	model_array_begin(&b);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		bool		isnull;
		char		type = DatumGetChar(SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 1, &isnull));
		ArrayType  *key = DatumGetArrayTypeP(SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 2, &isnull));
		int16	   *attnums = (int16 *) ARR_DATA_PTR(key);
		int			n = ArrayGetNItems(ARR_NDIM(key), ARR_DIMS(key));

		for (int i = 0; i < n; i++)
		{
			ProfileColumn *column = column_by_attnum(run, attnums[i]);

			column->foreign_key |= type == 'f';
			column->declared_unique |= type != 'f' && n == 1;
		}
		if (type == 'f')
			continue;
		model_object_begin(&b);
		model_key(&b, "columns");
		model_array_begin(&b);
		for (int i = 0; i < n; i++)
			model_add_text(&b, column_by_attnum(run, attnums[i])->name);
		model_array_end(&b);
		model_put_text(&b, "detection", "declared");
		model_object_end(&b);
	}
	model_array_end(&b);
	model_object_end(&b);
	return model_finish(&b);
}

/* ---------- the query ---------- */

/*
 * One predicate, and nothing that could end it and begin something else.  It
 * runs with the caller's rights like the rest of the query.
 */
static void
check_filter(const char *filter)
{
	char	   *sql = psprintf("SELECT 1 WHERE (%s\n)", filter);
	List	   *statements = raw_parser(sql, RAW_PARSE_DEFAULT);
	SelectStmt *stmt = list_length(statements) == 1 ?
		(SelectStmt *) linitial_node(RawStmt, statements)->stmt : NULL;

	if (stmt == NULL || !IsA(stmt, SelectStmt) || stmt->op != SETOP_NONE || stmt->fromClause != NIL ||
		stmt->groupClause != NIL || stmt->havingClause != NULL || stmt->windowClause != NIL ||
		stmt->sortClause != NIL || stmt->limitCount != NULL || stmt->limitOffset != NULL ||
		stmt->lockingClause != NIL || stmt->withClause != NULL || stmt->valuesLists != NIL ||
		stmt->intoClause != NULL || stmt->whereClause == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("a filter must be one predicate"),
				 errdetail("The filter is: %s", filter)));
}

/* The same rows each time: the seed is the folded name's. */
static int32
sample_seed(ProfileRun *run)
{
	char	   *qualified = psprintf("%s.%s", run->schema, run->name);
	char	   *folded = str_tolower(qualified, strlen(qualified), DEFAULT_COLLATION_OID);

	return (int32) (hash_bytes((unsigned char *) folded, strlen(folded)) & 0x7fffffff);
}

/* Columns that are not wanted keep their places as nulls. */
static char *
build_query(ProfileRun *run, const bool *wanted)
{
	const ProfileSettings *settings = run->settings;
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT");
	for (int i = 0; i < run->ncolumns; i++)
		if (wanted == NULL || wanted[i])
			appendStringInfo(&sql, "%s t.%s", i ? "," : "", quote_identifier(run->columns[i].name));
		else
			appendStringInfo(&sql, "%s NULL", i ? "," : "");
	appendStringInfo(&sql, " FROM %s AS t", quote_qualified_identifier(run->schema, run->name));
	if (settings->sample > 0)
		appendStringInfo(&sql, " TABLESAMPLE %s (%.10g) REPEATABLE (%d)",
						 settings->sample_system ? "system" : "bernoulli", settings->sample * 100, sample_seed(run));
	if (settings->filter != NULL)
	{
		check_filter(settings->filter);
		appendStringInfo(&sql, " WHERE (%s\n)", settings->filter);
	}
	return sql.data;
}

/* ---------- reading ---------- */

static void
note_instants(ProfileRun *run, NullPattern *pattern, TupleTableSlot *slot)
{
	for (int a = 0; a < run->nanchors; a++)
	{
		int			c = run->anchors[a];
		int64		value;

		if (slot->tts_isnull[c])
			continue;
		if (run->columns[c].kind == KEY_DATE)
		{
			value = DatumGetDateADT(slot->tts_values[c]);
			if (DATE_NOT_FINITE(value))
				continue;
		}
		else
		{
			value = DatumGetTimestamp(slot->tts_values[c]);
			if (TIMESTAMP_NOT_FINITE(value))
				continue;
		}
		pattern->earliest[a] = Min(pattern->earliest[a], value);
		pattern->latest[a] = Max(pattern->latest[a], value);
	}
}

static bool
receive_row(TupleTableSlot *slot, DestReceiver *self)
{
	ProfileRun *run = ((ProfileReceiver *) self)->run;
	uint8	   *bits = run->patterns.current + sizeof(uint16);
	MemoryContext old = MemoryContextSwitchTo(run->row_context);

	slot_getallattrs(slot);
	if (run->search_pairs)
		pairs_sample(&run->pairs, slot);
	memset(bits, 0, run->patterns.nbytes - sizeof(uint16));
	for (int i = 0; i < run->ncolumns; i++)
	{
		ProfileColumn *column = &run->columns[i];

		if (slot->tts_isnull[i])
		{
			column->nulls++;
			bits[i / 8] |= 1 << (i % 8);
		}
		else
			column_add(column, slot->tts_values[i]);
	}
	note_instants(run, patterns_count(&run->patterns), slot);
	MemoryContextSwitchTo(old);
	if ((++run->rows & 0xff) == 0)
		MemoryContextReset(run->row_context);
	return true;
}

static bool
receive_pairs(TupleTableSlot *slot, DestReceiver *self)
{
	ProfileRun *run = ((ProfileReceiver *) self)->run;
	MemoryContext old = MemoryContextSwitchTo(run->row_context);

	slot_getallattrs(slot);
	pairs_add(&run->pairs, slot);
	MemoryContextSwitchTo(old);
	MemoryContextReset(run->row_context);
	return true;
}

static void
receiver_startup(DestReceiver *self, int operation, TupleDesc desc)
{
}

static void
receiver_end(DestReceiver *self)
{
}

static void
read_rows(ProfileRun *run, bool (*receive) (TupleTableSlot *, DestReceiver *), const char *sql)
{
	ProfileReceiver receiver = {0};
	SPIExecuteOptions options = {0};

	receiver.pub.receiveSlot = receive;
	receiver.pub.rStartup = receiver_startup;
	receiver.pub.rShutdown = receiver_end;
	receiver.pub.rDestroy = receiver_end;
	receiver.pub.mydest = DestNone;
	receiver.run = run;
	options.read_only = true;
	options.dest = (DestReceiver *) &receiver;
	if (SPI_execute_extended(sql, &options) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not read relation \"%s\"", run->name)));
}

/*
 * A share of maintenance_work_mem for each column: gathered keys, and half as
 * much for what is sorted and counted already.  Sorting takes a copy of one
 * column's keys at a time beyond that.
 */
static void
prepare(ProfileRun *run)
{
	int64		capacity = (int64) maintenance_work_mem * 1024 / (sizeof(uint64) * 3 / 2 * (run->ncolumns + 1));

	run->anchors = palloc(sizeof(int) * (run->ncolumns + 1));
	for (int i = 0; i < run->ncolumns; i++)
	{
		ProfileColumn *column = &run->columns[i];

		column_prepare(column, capacity);
		if (!run->scoped && run->settings->compute_timeline &&
			(column->kind == KEY_DATE || column->kind == KEY_TIMESTAMP || column->kind == KEY_TIMESTAMPTZ))
			run->anchors[run->nanchors++] = i;
	}
	patterns_init(&run->patterns, run->ncolumns, run->nanchors);
	run->search_pairs = run->settings->search_pairs && !run->scoped && run->ncolumns > 1;
	if (run->search_pairs)
		pairs_init(&run->pairs, run->columns, run->ncolumns);
	run->row_context = AllocSetContextCreate(CurrentMemoryContext, "row of a profile", ALLOCSET_DEFAULT_SIZES);
}

/* The same rows once more, for the columns of the pairs that are left. */
static void
measure_pairs(ProfileRun *run)
{
	bool	   *wanted = palloc0(sizeof(bool) * run->ncolumns);

	pairs_choose(&run->pairs, run->rows);
	if (run->pairs.nmeasured == 0)
		return;
	for (int i = 0; i < run->pairs.nmeasured; i++)
		wanted[run->pairs.measured[i].a] = wanted[run->pairs.measured[i].b] = true;
	read_rows(run, receive_pairs, build_query(run, wanted));
	pairs_finish(&run->pairs);
}

/* ---------- the table's own blocks ---------- */

static bool
is_better_anchor(const ProfileColumn *a, const ProfileColumn *b)
{
	if (a->layout_key != b->layout_key)
		return a->layout_key;
	if (a->nulls != b->nulls)
		return a->nulls < b->nulls;
	if (a->cardinality != b->cardinality)
		return a->cardinality > b->cardinality;
	return strcmp(a->name, b->name) < 0;
}

/* The column that dates the table (section 2.2.16); -1 for none. */
static int
choose_anchor(ProfileRun *run)
{
	int			best = -1;

	for (int a = 0; a < run->nanchors; a++)
	{
		ProfileColumn *column = &run->columns[run->anchors[a]];

		if (!column_is_anchor(column) || strcmp(column->classification, "temporal") != 0)
			continue;
		if (best < 0 || is_better_anchor(column, &run->columns[run->anchors[best]]))
			best = a;
	}
	return best;
}

static Jsonb *
populated(ProfileRun *run, int column, int anchor)
{
	ProfileColumn *dated = &run->columns[run->anchors[anchor]];
	ModelBuilder b = {0};
	int64		from;
	int64		to;

	if (run->columns[column].nulls == 0 || run->columns[column].nonnull == 0 ||
		!patterns_window(&run->patterns, column, anchor, &from, &to))
		return NULL;
	model_object_begin(&b);
	model_put_text(&b, "from", column_instant(dated, from));
	model_put_text(&b, "to", column_instant(dated, to));
	model_object_end(&b);
	return model_finish(&b);
}

static Jsonb *
with_populated(Jsonb *document, Jsonb *window)
{
	ModelBuilder b = {0};
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	v;

	if (window == NULL)
		return document;
	model_object_begin(&b);
	it = JsonbIteratorInit(&document->root);
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
		if (token == WJB_KEY)
		{
			char	   *key = pnstrdup(v.val.string.val, v.val.string.len);

			(void) JsonbIteratorNext(&it, &v, true);
			model_put_value(&b, key, &v);
		}
	model_put_jsonb(&b, "populated", window);
	model_object_end(&b);
	return model_finish(&b);
}

static Jsonb *
scope_document(ProfileRun *run)
{
	ModelBuilder b = {0};

	model_object_begin(&b);
	model_put_int(&b, "rows_scanned", run->rows);
	if (run->settings->sample > 0)
		model_put_float(&b, "sample", run->settings->sample);
	model_put_text(&b, "filter", run->settings->filter);
	model_object_end(&b);
	return model_finish(&b);
}

static Jsonb *
empty_array(void)
{
	ModelBuilder b = {0};

	model_array_begin(&b);
	model_array_end(&b);
	return model_finish(&b);
}

static Jsonb *
build_document(ProfileRun *run, Jsonb *grain, TimestampTz now)
{
	Jsonb	  **columns = palloc(sizeof(Jsonb *) * (run->ncolumns + 1));
	ModelBuilder b = {0};
	int			anchor;

	for (int i = 0; i < run->ncolumns; i++)
	{
		ModelBuilder column = {0};

		CHECK_FOR_INTERRUPTS();
		column_finish(&run->columns[i], run->settings, run->rows, now, run->scoped, &column);
		columns[i] = model_finish(&column);
	}
	anchor = run->rows > 0 ? choose_anchor(run) : -1;
	if (run->search_pairs)
		measure_pairs(run);

	model_object_begin(&b);
	model_key(&b, "columns");
	model_object_begin(&b);
	for (int i = 0; i < run->ncolumns; i++)
		model_put_jsonb(&b, run->columns[i].name,
						anchor < 0 ? columns[i] : with_populated(columns[i], populated(run, i, anchor)));
	model_object_end(&b);
	model_put_jsonb(&b, "null_patterns", patterns_document(&run->patterns, run->columns, run->ncolumns,
														   run->rows, run->settings->top_n_null_patterns));
	model_put_jsonb(&b, "grain", run->search_pairs ? pairs_grain(&run->pairs, grain, run->rows) : grain);
	if (run->settings->search_pairs)
		model_put_jsonb(&b, "dependencies", run->search_pairs ? pairs_dependencies(&run->pairs) : empty_array());
	else
		model_put_texts(&b, "unmeasured", list_make1("dependencies"));
	if (anchor >= 0)
		model_put_jsonb(&b, "timeline", column_timeline(&run->columns[run->anchors[anchor]], run->rows));
	if (run->scoped)
		model_put_jsonb(&b, "scope", scope_document(run));
	model_put_true(&b, "partial", run->partial);
	model_object_end(&b);
	return model_finish(&b);
}

/* ---------- row counts under a scope ---------- */

static int64
count_rows(ProfileRun *run)
{
	bool		isnull;

	SPI_execute(psprintf("SELECT pg_catalog.count(*) FROM %s",
						 quote_qualified_identifier(run->schema, run->name)), true, 0);
	return DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
}

static void
fill_counts(ProfileRun *run, ProfileResult *result)
{
	result->rows_scanned = run->rows;
	result->row_count_exact = true;
	if (!run->scoped)
		result->row_count = run->rows;
	else if (run->settings->estimated_rows < 0)
		result->row_count = count_rows(run);
	else
	{
		result->row_count = (int64) run->settings->estimated_rows;
		result->row_count_exact = false;
	}
}

void
profile_relation(Oid relid, const ProfileSettings *settings, ProfileResult *result)
{
	MemoryContext caller = CurrentMemoryContext;
	ProfileRun	run = {0};
	Jsonb	   *grain;
	Jsonb	   *document;

	memset(result, 0, sizeof(*result));
	run.settings = settings;
	run.relid = relid;
	run.scoped = settings->sample > 0 || settings->filter != NULL;
	SPI_connect();
	read_columns(&run);
	grain = read_constraints(&run);
	prepare(&run);
	read_rows(&run, receive_row, build_query(&run, NULL));
	document = build_document(&run, grain, GetCurrentTimestamp());
	fill_counts(&run, result);
	for (int i = 0; i < run.ncolumns; i++)
		column_release(&run.columns[i]);
	MemoryContextSwitchTo(caller);
	result->profile = (Jsonb *) PG_DETOAST_DATUM_COPY(JsonbPGetDatum(document));
	SPI_finish();
	MemoryContextSwitchTo(caller);
}
