/*-------------------------------------------------------------------------
 *
 * relations.c
 *	  Tables, partitions, foreign tables, views and materialized views.
 *
 * Relations are read some hundred at a time.  A batch runs in a subtransaction
 * that is always rolled back: it takes ACCESS SHARE on its relations, reads
 * them under snapshots taken after the locks, and gives the locks back.  So
 * nothing in a batch can be dropped, altered or renamed half-way through its
 * description, and no lock outlives its batch.
 *
 * A batch never waits for a lock, since waiting with other locks in hand is
 * how deadlocks are made.  A relation whose lock is not free at once is put
 * off: it is read alone at the end, after waiting for the one lock that was
 * missing with no other in hand.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/batch.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "storage/lmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/ruleutils.h"

/* Enough to spread the cost of a query, few enough for the lock table. */
#define BATCH_RELATIONS 400

/* How often a relation is tried whose locks keep being taken by others. */
#define MAX_LOCK_ATTEMPTS 20

static const char relations_sql[] =
"SELECT c.oid, pg_get_userbyid(c.relowner), c.relpersistence,"
" CASE WHEN c.relkind IN ('r', 'p', 'm') AND am.amname <> 'heap' THEN am.amname END,"
" ts.spcname, c.reloptions, tc.reloptions, c.relreplident, c.relrowsecurity,"
" c.relforcerowsecurity, c.relispopulated,"
" CASE WHEN c.reloftype <> 0 THEN format_type(c.reloftype, -1) END,"
" CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END,"
" pt.partstrat, pt.partattrs::int2[], pt.partexprs,"
" CASE WHEN c.relispartition THEN pg_get_expr(c.relpartbound, c.oid) END,"
" CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END,"
" d.description, c.relacl, c.relowner, srv.srvname, ft.ftoptions, c.relkind,"
" pn.nspname, pc.relname"
" FROM pg_class c"
" LEFT JOIN pg_am am ON am.oid = c.relam"
" LEFT JOIN pg_tablespace ts ON ts.oid = c.reltablespace"
" LEFT JOIN pg_class tc ON tc.oid = c.reltoastrelid AND tc.reloptions IS NOT NULL"
" LEFT JOIN pg_partitioned_table pt ON pt.partrelid = c.oid"
" LEFT JOIN pg_inherits inh ON inh.inhrelid = c.oid AND c.relispartition"
" LEFT JOIN pg_class pc ON pc.oid = inh.inhparent"
" LEFT JOIN pg_namespace pn ON pn.oid = pc.relnamespace"
" LEFT JOIN pg_foreign_table ft ON ft.ftrelid = c.oid"
" LEFT JOIN pg_foreign_server srv ON srv.oid = ft.ftserver"
" LEFT JOIN pg_description d ON d.objoid = c.oid AND d.objsubid = 0"
"   AND d.classoid = 'pg_class'::regclass"
" WHERE c.oid = ANY ($1)";

enum
{
	REL_OID = 1, REL_OWNER, REL_PERSISTENCE, REL_METHOD, REL_TABLESPACE, REL_OPTIONS,
	REL_TOAST_OPTIONS, REL_REPLIDENT, REL_ROWSECURITY, REL_FORCE, REL_POPULATED, REL_OFTYPE,
	REL_PARTKEY, REL_PARTSTRATEGY, REL_PARTATTRS, REL_PARTEXPRS, REL_BOUND, REL_VIEWDEF,
	REL_COMMENT, REL_ACL, REL_OWNERID, REL_SERVER, REL_FOREIGN_OPTIONS, REL_RELKIND,
	REL_PARENT_SCHEMA, REL_PARENT_NAME
};

static const char parents_sql[] =
"SELECT i.inhrelid, n.nspname, p.relname"
" FROM pg_inherits i"
" JOIN pg_class c ON c.oid = i.inhrelid AND NOT c.relispartition"
" JOIN pg_class p ON p.oid = i.inhparent"
" JOIN pg_namespace n ON n.oid = p.relnamespace"
" WHERE i.inhrelid = ANY ($1)"
" ORDER BY i.inhrelid, i.inhseqno";

static const char reads_sql[] =
"SELECT DISTINCT r.ev_class, n.nspname COLLATE \"C\", c.relname COLLATE \"C\""
" FROM pg_rewrite r"
" JOIN pg_class v ON v.oid = r.ev_class AND v.relkind IN ('v', 'm')"
" LEFT JOIN (pg_depend d"
"   JOIN pg_class c ON c.oid = d.refobjid AND c.relkind IN ('r', 'p', 'f', 'v', 'm')"
"   JOIN pg_namespace n ON n.oid = c.relnamespace)"
"  ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid"
"  AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class"
" WHERE r.ev_class = ANY ($1) AND r.rulename = '_RETURN'"
" ORDER BY 1, 2, 3";

/* ---------- a batch and its relations ---------- */

BatchRelation *
batch_find(Batch *batch, Oid relid)
{
	int			low = 0;
	int			high = batch->nrelations - 1;

	while (low <= high)
	{
		int			middle = (low + high) / 2;
		Oid			oid = batch->relations[middle].relation->oid;

		if (oid == relid)
			return &batch->relations[middle];
		if (oid < relid)
			low = middle + 1;
		else
			high = middle - 1;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INTERNAL_ERROR),
			 errmsg("relation %u is not part of the batch being read", relid)));
	return NULL;
}

BatchColumn *
batch_column(BatchRelation *relation, int16 attnum)
{
	for (int i = Min(attnum, relation->ncolumns) - 1; i >= 0; i--)
		if (relation->columns[i].attnum == attnum)
			return &relation->columns[i];
	return NULL;
}

const char *
batch_column_name(BatchRelation *relation, int16 attnum)
{
	BatchColumn *column = batch_column(relation, attnum);

	return column ? column->name : NULL;
}

void
batch_part_begin(ModelBuilder *b, const char *family, const char *name)
{
	model_object_begin(b);
	model_put_text(b, "family", family);
	model_put_text(b, "name", name);
	model_key(b, "attributes");
	model_object_begin(b);
}

void
batch_add_part(BatchRelation *relation, const char *family, const char *name, int position,
			   ModelBuilder *b)
{
	BatchPart  *part = palloc(sizeof(BatchPart));

	model_object_end(b);
	model_object_end(b);
	part->family = family;
	part->name = name;
	part->position = position;
	part->value = b->result;
	relation->parts = lappend(relation->parts, part);
}

void
batch_put_name(ModelBuilder *b, const char *key, const char *schema, const char *name)
{
	if (key != NULL)
		model_key(b, key);
	model_object_begin(b);
	model_put_text(b, "schema", schema);
	model_put_text(b, "name", name);
	model_object_end(b);
}

static int
compare_parts(const ListCell *a, const ListCell *b)
{
	const BatchPart *pa = lfirst(a);
	const BatchPart *pb = lfirst(b);
	int			c = strcmp(pa->family, pb->family);

	if (c == 0)
		c = pa->position - pb->position;
	return c != 0 ? c : strcmp(pa->name, pb->name);
}

/* ---------- attributes of the relation itself ---------- */

static const char *
replica_identity_name(char ident)
{
	switch (ident)
	{
		case 'n':
			return "nothing";
		case 'f':
			return "full";
		case 'i':
			return "index";
	}
	return NULL;				/* 'd', the default */
}

static const char *
strategy_name(char strategy)
{
	switch (strategy)
	{
		case 'h':
			return "hash";
		case 'l':
			return "list";
	}
	return "range";
}

static void
put_options(ModelBuilder *b, uint64 row)
{
	List	   *options = catalog_texts(row, REL_OPTIONS);
	ListCell   *lc;

	foreach(lc, catalog_texts(row, REL_TOAST_OPTIONS))
		options = lappend(options, psprintf("toast.%s", (char *) lfirst(lc)));
	list_sort(options, catalog_compare_texts);
	model_put_texts(b, "options", options);
}

/* Keys in their order: a column by its name, an expression as text. */
static void
put_partition_key(ModelBuilder *b, BatchRelation *relation, uint64 row)
{
	bool		isnull;
	Datum		value = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, REL_PARTATTRS, &isnull);
	ArrayType  *attrs = DatumGetArrayTypeP(value);
	int16	   *attnums = (int16 *) ARR_DATA_PTR(attrs);
	char	   *expressions = catalog_text(row, REL_PARTEXPRS);
	List	   *nodes = expressions ? (List *) stringToNode(expressions) : NIL;
	int			nexpressions = 0;

	model_key(b, "partition_key");
	model_object_begin(b);
	model_put_text(b, "strategy", strategy_name(catalog_char(row, REL_PARTSTRATEGY)));
	model_put_text(b, "definition", catalog_canonical_expression(catalog_text(row, REL_PARTKEY)));
	model_key(b, "keys");
	model_array_begin(b);
	for (int i = 0; i < ArrayGetNItems(ARR_NDIM(attrs), ARR_DIMS(attrs)); i++)
	{
		model_object_begin(b);
		if (attnums[i] != 0)
		{
			const char *column = batch_column_name(relation, attnums[i]);

			model_put_text(b, "column", column);
			model_put_text(b, "expression", quote_identifier(column));
		}
		else
			model_put_text(b, "expression",
						   deparse_expression(list_nth(nodes, nexpressions++),
											  deparse_context_for(relation->relation->name,
																  relation->relation->oid),
											  false, false));
		model_object_end(b);
	}
	model_array_end(b);
	model_object_end(b);
}

static void
put_view(ModelBuilder *b, uint64 row)
{
	char	   *definition = catalog_text(row, REL_VIEWDEF);

	if (definition != NULL)
		model_put_text(b, "view_definition", catalog_canonical_expression(definition));
	if (catalog_char(row, REL_RELKIND) == 'm' && !catalog_bool(row, REL_POPULATED))
		model_put_bool(b, "populated", false);
}

static void
put_relation(BatchRelation *relation, uint64 row)
{
	ModelBuilder *b = &relation->attributes;
	bool		isnull;
	Datum		acl = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, REL_ACL, &isnull);

	relation->found = true;
	model_put_text(b, "owner", catalog_text(row, REL_OWNER));
	model_put_text(b, "comment", catalog_text(row, REL_COMMENT));
	if (catalog_char(row, REL_PERSISTENCE) == 'u')
		model_put_text(b, "persistence", "unlogged");
	model_put_text(b, "access_method", catalog_text(row, REL_METHOD));
	model_put_text(b, "tablespace", catalog_text(row, REL_TABLESPACE));
	put_options(b, row);
	if (catalog_char(row, REL_RELKIND) == 'r' || catalog_char(row, REL_RELKIND) == 'p')
		model_put_text(b, "replica_identity", replica_identity_name(catalog_char(row, REL_REPLIDENT)));
	model_put_true(b, "row_security", catalog_bool(row, REL_ROWSECURITY));
	model_put_true(b, "force_row_security", catalog_bool(row, REL_FORCE));
	model_put_text(b, "of_type", catalog_text(row, REL_OFTYPE));
	if (catalog_char(row, REL_RELKIND) == 'p')
		put_partition_key(b, relation, row);
	if (catalog_text(row, REL_PARENT_NAME) != NULL)
		batch_put_name(b, "partition_of", catalog_text(row, REL_PARENT_SCHEMA),
					   catalog_text(row, REL_PARENT_NAME));
	model_put_text(b, "partition_bound", catalog_text(row, REL_BOUND));
	put_view(b, row);
	model_put_text(b, "server", catalog_text(row, REL_SERVER));
	model_put_texts(b, "foreign_options", catalog_texts(row, REL_FOREIGN_OPTIONS));
	catalog_put_grants(b, isnull ? NULL : DatumGetAclP(acl), OBJECT_TABLE, catalog_oid(row, REL_OWNERID));
}

static void
read_relations(Batch *batch)
{
	catalog_query(relations_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
		put_relation(batch_find(batch, catalog_oid(row, REL_OID)), row);
}

/* A query's consecutive rows of one relation become one array of names; a null name adds none. */
static void
read_names(Batch *batch, const char *sql, const char *key)
{
	BatchRelation *relation = NULL;

	catalog_query(sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		Oid			relid = catalog_oid(row, 1);

		if (relation == NULL || relation->relation->oid != relid)
		{
			if (relation != NULL)
				model_array_end(&relation->attributes);
			relation = batch_find(batch, relid);
			relation->inherits |= strcmp(key, "inherits") == 0;
			model_key(&relation->attributes, key);
			model_array_begin(&relation->attributes);
		}
		if (catalog_text(row, 3) != NULL)
			batch_put_name(&relation->attributes, NULL, catalog_text(row, 2), catalog_text(row, 3));
	}
	if (relation != NULL)
		model_array_end(&relation->attributes);
}

/* ---------- from a batch to entries ---------- */

/* Attribute numbers in the order of the column parts, unless they are 1..n. */
static void
set_attnums(BatchRelation *relation, DriftEntry *entry)
{
	int16	   *attnums = palloc(sizeof(int16) * (relation->ncolumns + 1));
	bool		plain = true;
	int			n = 0;
	ListCell   *lc;

	foreach(lc, relation->parts)
	{
		BatchPart  *part = lfirst(lc);

		if (strcmp(part->family, "column") != 0)
			continue;
		for (int i = 0; i < relation->ncolumns; i++)
			if (relation->columns[i].name == part->name)
				attnums[n] = relation->columns[i].attnum;
		plain &= attnums[n] == n + 1;
		n++;
	}
	if (plain)
		return;
	entry->nattnums = n;
	entry->attnums = attnums;
}

static Jsonb *
finish_body(BatchRelation *relation)
{
	ModelBuilder b = {0};
	ListCell   *lc;

	model_object_end(&relation->attributes);
	list_sort(relation->parts, compare_parts);

	model_object_begin(&b);
	model_put_text(&b, "family", relation->relation->family);
	model_put_text(&b, "schema", relation->relation->schema);
	model_put_text(&b, "name", relation->relation->name);
	model_put_value(&b, "attributes", relation->attributes.result);
	if (relation->depends_on != NIL)
	{
		model_key(&b, "depends_on");
		model_array_begin(&b);
		foreach(lc, relation->depends_on)
			model_add_value(&b, lfirst(lc));
		model_array_end(&b);
	}
	if (relation->parts != NIL)
	{
		model_key(&b, "parts");
		model_array_begin(&b);
		foreach(lc, relation->parts)
			model_add_value(&b, ((BatchPart *) lfirst(lc))->value);
		model_array_end(&b);
	}
	model_object_end(&b);
	return model_finish(&b);
}

static DriftEntry *
new_entry(CatalogRelation *relation)
{
	DriftEntry *entry = palloc0(sizeof(DriftEntry));

	entry->family = relation->family;
	entry->schema = relation->schema;
	entry->name = relation->name;
	entry->oid = relation->oid;
	entry->status = DRIFT_CATALOG_ONLY;
	entry->count_method = DRIFT_COUNT_NONE;
	entry->profiled_at = DT_NOBEGIN;
	return entry;
}

static DriftEntry *
failed_entry(CatalogRelation *relation, const char *message)
{
	DriftEntry *entry = new_entry(relation);
	ModelBuilder b = {0};

	model_object_begin(&b);
	model_put_text(&b, "family", relation->family);
	model_put_text(&b, "schema", relation->schema);
	model_put_text(&b, "name", relation->name);
	model_key(&b, "attributes");
	model_object_begin(&b);
	model_put_text(&b, "undecided", message);
	model_object_end(&b);
	model_object_end(&b);
	entry->body = model_finish(&b);
	model_hash(entry->body, entry->hash);
	entry->status = DRIFT_FAILED;
	entry->message = message;
	return entry;
}

/*
 * The list was made a moment ago; the lock may have been waited for while the
 * relation was renamed or moved, or became a partition or ceased to be one.
 * What it is now is what it is under the lock.
 */
static const char names_sql[] =
"SELECT c.oid, n.nspname, c.relname, c.relispartition,"
" CASE WHEN c.relispartition THEN pg_partition_root(c.oid)::oid END FROM pg_class c"
" JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = ANY ($1)";

static void
refresh_names(Batch *batch, MemoryContext result)
{
	catalog_query(names_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		CatalogRelation *relation = batch_find(batch, catalog_oid(row, 1))->relation;
		MemoryContext spi = MemoryContextSwitchTo(result);
		char	   *schema = catalog_text(row, 2);
		char	   *name = catalog_text(row, 3);

		if (strcmp(schema, relation->schema) != 0)
			relation->schema = schema;
		if (strcmp(name, relation->name) != 0)
			relation->name = name;
		relation->family = catalog_relation_family(relation->relkind, catalog_bool(row, 4));
		relation->root = catalog_oid(row, 5);
		MemoryContextSwitchTo(spi);
	}
}

static int
compare_batch_relations(const void *a, const void *b)
{
	Oid			oa = ((const BatchRelation *) a)->relation->oid;
	Oid			ob = ((const BatchRelation *) b)->relation->oid;

	return oa < ob ? -1 : oa > ob;
}

static Batch *
begin_batch(List *relations)
{
	Batch	   *batch = palloc0(sizeof(Batch));
	Datum	   *oids = palloc(sizeof(Datum) * list_length(relations));
	ListCell   *lc;
	int			n = 0;

	batch->nrelations = list_length(relations);
	batch->relations = palloc0(sizeof(BatchRelation) * batch->nrelations);
	foreach(lc, relations)
	{
		batch->relations[n].relation = lfirst(lc);
		model_object_begin(&batch->relations[n].attributes);
		oids[n] = ObjectIdGetDatum(((CatalogRelation *) lfirst(lc))->oid);
		n++;
	}
	qsort(batch->relations, n, sizeof(BatchRelation), compare_batch_relations);
	batch->oids = construct_array(oids, n, OIDOID, sizeof(Oid), true, TYPALIGN_INT);
	return batch;
}

/* All relations of the list are locked.  Entries are made in "result". */
static List *
read_batch(List *relations, MemoryContext result)
{
	List	   *entries = NIL;
	Batch	   *batch;

	SPI_connect();
	batch = begin_batch(relations);
	refresh_names(batch, result);
	read_names(batch, parents_sql, "inherits");
	batch_read_columns(batch);
	read_relations(batch);
	read_names(batch, reads_sql, "depends_on");
	batch_read_indexes(batch);
	batch_read_constraints(batch);
	batch_read_triggers(batch);
	batch_read_rules(batch);
	batch_read_policies(batch);
	batch_read_dependencies(batch);

	for (int i = 0; i < batch->nrelations; i++)
	{
		BatchRelation *relation = &batch->relations[i];
		Jsonb	   *body;
		DriftEntry *entry;
		MemoryContext spi;

		CHECK_FOR_INTERRUPTS();
		if (!relation->found)
			continue;
		body = finish_body(relation);
		spi = MemoryContextSwitchTo(result);
		entry = new_entry(relation->relation);
		entry->body = (Jsonb *) PG_DETOAST_DATUM_COPY(JsonbPGetDatum(body));
		set_attnums(relation, entry);
		entries = lappend(entries, entry);
		MemoryContextSwitchTo(spi);
		model_hash(entry->body, entry->hash);
	}
	SPI_finish();
	return entries;
}

/*
 * A batch asks for a few hundred known objects in catalogs that may hold
 * millions and may never have been analyzed: an index scan is right every
 * time.  The settings end with the subtransaction.
 */
static void
prefer_index_scans(void)
{
	static const char *const off[] = {"enable_seqscan", "enable_hashjoin", "enable_mergejoin"};

	for (int i = 0; i < lengthof(off); i++)
		(void) set_config_option(off[i], "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
	(void) set_config_option("max_parallel_workers_per_gather", "0", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_LOCAL, true, 0, false);
}

/* ---------- locks ---------- */

/* Everything that reading the relation will lock; the missing one on failure. */
static Oid
lock_at_once(CatalogRelation *relation)
{
	if (!ConditionalLockRelationOid(relation->oid, AccessShareLock))
		return relation->oid;
	for (int i = 0; i < relation->nreads; i++)
		if (!ConditionalLockRelationOid(relation->reads[i], AccessShareLock))
			return relation->reads[i];
	return InvalidOid;
}

/*
 * Read a list of relations in one subtransaction, which is rolled back to
 * release its locks.  Relations that could not be locked go to *later, the
 * lock to wait for to *missing.
 */
static List *
read_locked(List *relations, List **later, Oid *missing)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	List	   *locked = NIL;
	List	   *entries = NIL;
	ListCell   *lc;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	foreach(lc, relations)
	{
		Oid			wanted = lock_at_once(lfirst(lc));

		if (!OidIsValid(wanted))
			locked = lappend(locked, lfirst(lc));
		else
		{
			*later = lappend(*later, lfirst(lc));
			*missing = wanted;
		}
	}
	prefer_index_scans();
	if (locked != NIL)
		entries = read_batch(locked, caller);
	RollbackAndReleaseCurrentSubTransaction();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
	return entries;
}

/*
 * Wait for the missing lock with no other in hand, give it back, and try
 * again.  lock_timeout and statement_timeout hold.
 */
static List *
read_patiently(CatalogRelation *relation, Oid missing)
{
	List	   *entries = NIL;

	for (int attempt = 0; attempt < MAX_LOCK_ATTEMPTS; attempt++)
	{
		List	   *later = NIL;

		if (OidIsValid(missing))
		{
			LockRelationOid(missing, AccessShareLock);
			UnlockRelationOid(missing, AccessShareLock);
		}
		missing = InvalidOid;
		entries = read_locked(list_make1(relation), &later, &missing);
		if (later == NIL)
			return entries;
	}
	return list_make1(failed_entry(relation, "it is being changed over and over; its lock was never free"));
}

/*
 * One relation alone, an error kept as the reason why it could not be read.
 * A cancel or a shutdown is not such an error.
 */
static List *
read_alone(CatalogRelation *relation)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	List	   *entries = NIL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	PG_TRY();
	{
		entries = read_patiently(relation, relation->oid);
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(caller);
		error = CopyErrorData();
		if (error->sqlerrcode == ERRCODE_QUERY_CANCELED || error->sqlerrcode == ERRCODE_ADMIN_SHUTDOWN ||
			error->sqlerrcode == ERRCODE_CRASH_SHUTDOWN)
			PG_RE_THROW();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(caller);
		entries = list_make1(failed_entry(relation, error->message));
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
	return entries;
}

/*
 * A batch that fails as a whole is read again one by one, so that what is
 * wrong with one relation stays with it.
 */
static List *
read_together(List *relations, List **later)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	List	   *entries = NIL;
	List	   *postponed = NIL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	PG_TRY();
	{
		Oid			missing = InvalidOid;

		entries = read_locked(relations, &postponed, &missing);
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(caller);
		error = CopyErrorData();
		if (error->sqlerrcode == ERRCODE_QUERY_CANCELED || error->sqlerrcode == ERRCODE_ADMIN_SHUTDOWN ||
			error->sqlerrcode == ERRCODE_CRASH_SHUTDOWN)
			PG_RE_THROW();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(caller);
		entries = NIL;
		postponed = list_copy(relations);
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
	*later = list_concat(*later, postponed);
	return entries;
}

List *
catalog_read_relations(List *relations)
{
	List	   *entries = NIL;
	List	   *later = NIL;
	ListCell   *lc;

	for (int from = 0; from < list_length(relations); from += BATCH_RELATIONS)
	{
		List	   *some = NIL;

		for (int i = from; i < Min(from + BATCH_RELATIONS, list_length(relations)); i++)
			some = lappend(some, list_nth(relations, i));
		entries = list_concat(entries, read_together(some, &later));
	}
	foreach(lc, later)
		entries = list_concat(entries, read_alone(lfirst(lc)));
	return entries;
}
