/*-------------------------------------------------------------------------
 *
 * families.c
 *	  Entries of every family that is not a relation.
 *
 * One query a system catalog for the whole database, one more for what its
 * objects depend on; steady.c sees to it that nothing changed meanwhile.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/batch.h"
#include "catalog/families.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

static const FamilyReader *const readers[] =
{
	&catalog_schemas,
	&catalog_functions,
	&catalog_sequences,
	&catalog_types,
	&catalog_extensions,
	&catalog_roles,
	&catalog_casts,
	&catalog_operators,
	&catalog_operator_classes,
	&catalog_operator_families,
	&catalog_conversions,
	&catalog_text_search_parsers,
	&catalog_text_search_templates,
	&catalog_text_search_dictionaries,
	&catalog_text_search_configurations,
	&catalog_collations,
	&catalog_statistics,
	&catalog_foreign_data_wrappers,
	&catalog_servers,
	&catalog_user_mappings,
	&catalog_publications,
	&catalog_subscriptions,
	&catalog_event_triggers,
	&catalog_default_privileges,
	&catalog_languages,
	&catalog_transforms,
	&catalog_access_methods
};

/*
 * %1$u is the catalog's OID, %2$s the reader's query, %3$s where comments are,
 * %4$s a restriction to some objects.
 * A look-up for each comment and NOT IN, which is hashed once, stay linear
 * whatever the planner believes of the catalogs.
 */
static const char objects_sql[] =
"SELECT (SELECT d.description FROM %3$s d WHERE d.objoid = o._oid AND d.classoid = %1$u) AS _comment,"
" o.* FROM (%2$s) AS o"
" WHERE o._oid NOT IN (SELECT e.objid FROM pg_depend e WHERE e.classid = %1$u"
"  AND e.objsubid = 0 AND e.deptype = 'e')%4$s";

static const char names_from[] =
" FROM (%2$s) AS o WHERE o._oid NOT IN (SELECT e.objid FROM pg_depend e WHERE e.classid = %1$u"
"  AND e.objsubid = 0 AND e.deptype = 'e')%3$s";

/* Columns that are the object itself, and where a query has them; 0 for one it has not. */
typedef enum ObjectColumn
{
	OBJ_OID, OBJ_FAMILY, OBJ_SCHEMA, OBJ_NAME, OBJ_SIGNATURE, OBJ_OWNER, OBJ_ACL, OBJ_DEFINITION,
	OBJ_PARTS, OBJ_COMMENT, OBJ_COLUMNS
} ObjectColumn;

static const char *const object_columns[OBJ_COLUMNS] =
{
	"_oid", "_family", "_schema", "_name", "_signature", "_owner", "_acl", "_definition",
	"_parts", "_comment"
};

/* Attributes (and members of attributes) that hold what ruleutils printed. */
static const char *const deparsed_keys[] =
{"arguments", "default", "expression", "where"};

/* What one catalog's objects need: OID of the object -> list of identities. */
typedef struct NeedsEntry
{
	Oid			owner;
	List	   *needs;			/* of JsonbValue */
} NeedsEntry;

/* ---------- attributes ---------- */

static bool
is_deparsed(const char *key)
{
	for (int i = 0; i < lengthof(deparsed_keys); i++)
		if (strcmp(deparsed_keys[i], key) == 0)
			return true;
	return false;
}

/* A document into the builder, its deparsed texts made canonical. */
static void
put_document(ModelBuilder *b, Jsonb *document)
{
	JsonbIterator *it = JsonbIteratorInit(&document->root);
	JsonbIteratorToken token;
	JsonbValue	value;
	bool		deparsed = false;

	while ((token = JsonbIteratorNext(&it, &value, false)) != WJB_DONE)
	{
		bool		scalar = token == WJB_KEY || token == WJB_VALUE || token == WJB_ELEM;

		if (token == WJB_KEY)
			deparsed = is_deparsed(pnstrdup(value.val.string.val, value.val.string.len));
		else if (token == WJB_VALUE && deparsed && value.type == jbvString)
		{
			value.val.string.val = catalog_canonical_expression(pnstrdup(value.val.string.val,
																		  value.val.string.len));
			value.val.string.len = strlen(value.val.string.val);
		}
		b->result = pushJsonbValue(&b->state, token, scalar ? &value : NULL);
	}
}

static void
put_text_attribute(ModelBuilder *b, const char *key, char *value)
{
	if (strcmp(key, "expressions") == 0)
		model_put_texts(b, key, catalog_split_expressions(value));
	else if (is_deparsed(key))
		model_put_text(b, key, catalog_canonical_expression(value));
	else
		model_put_text(b, key, value);
}

/* A column of the current row as an attribute by its name. */
static void
put_attribute(ModelBuilder *b, uint64 row, int column)
{
	TupleDesc	desc = SPI_tuptable->tupdesc;
	const char *key = NameStr(TupleDescAttr(desc, column - 1)->attname);
	bool		isnull;
	Datum		value = SPI_getbinval(SPI_tuptable->vals[row], desc, column, &isnull);

	if (isnull)
		return;
	switch (SPI_gettypeid(desc, column))
	{
		case BOOLOID:
			model_put_true(b, key, DatumGetBool(value));
			break;
		case INT2OID:
		case INT4OID:
		case INT8OID:
			model_put_int(b, key, catalog_int(row, column));
			break;
		case NUMERICOID:
			model_put_numeric(b, key, value);
			break;
		case TEXTARRAYOID:
		case NAMEARRAYOID:
			model_put_texts(b, key, catalog_texts(row, column));
			break;
		case JSONBOID:
			model_key(b, key);
			put_document(b, DatumGetJsonbP(value));
			break;
		default:
			put_text_attribute(b, key, catalog_text(row, column));
	}
}

static void
put_attributes(ModelBuilder *b, const FamilyReader *reader, uint64 row, const int *columns)
{
	TupleDesc	desc = SPI_tuptable->tupdesc;
	Oid			owner = columns[OBJ_OWNER] ? catalog_oid(row, columns[OBJ_OWNER]) : InvalidOid;
	bool		isnull;
	Datum		acl;

	model_key(b, "attributes");
	model_object_begin(b);
	if (OidIsValid(owner))
		model_put_text(b, "owner", GetUserNameFromId(owner, true));
	model_put_text(b, "comment", catalog_text(row, columns[OBJ_COMMENT]));
	for (int column = 1; column <= desc->natts; column++)
		if (NameStr(TupleDescAttr(desc, column - 1)->attname)[0] != '_')
			put_attribute(b, row, column);
	if (columns[OBJ_ACL])
	{
		acl = SPI_getbinval(SPI_tuptable->vals[row], desc, columns[OBJ_ACL], &isnull);
		if (!isnull)
			catalog_put_grants(b, DatumGetAclP(acl), reader->grants, owner);
	}
	model_object_end(b);
}

/* ---------- dependencies ---------- */

static HTAB *
read_needs(const FamilyReader *reader, ArrayType *oids)
{
	HASHCTL		ctl = {0};
	HTAB	   *table;

	ctl.keysize = sizeof(Oid);
	ctl.entrysize = sizeof(NeedsEntry);
	ctl.hcxt = CurrentMemoryContext;
	table = hash_create("needs by OID", 256, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);

	if (!family_query_needs(reader, oids))
		return table;
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		Oid			owner = catalog_oid(row, 1);
		ModelBuilder b = {0};
		bool		found;
		NeedsEntry *entry = hash_search(table, &owner, HASH_ENTER, &found);

		model_object_begin(&b);
		model_put_text(&b, "family", catalog_text(row, 2));
		model_put_text(&b, "schema", catalog_text(row, 3));
		model_put_text(&b, "name", catalog_text(row, 4));
		model_put_text(&b, "signature", catalog_text(row, 5));
		model_object_end(&b);
		entry->needs = lappend(found ? entry->needs : NIL, b.result);
	}
	return table;
}

static void
put_needs(ModelBuilder *b, HTAB *table, Oid owner)
{
	NeedsEntry *entry = hash_search(table, &owner, HASH_FIND, NULL);
	ListCell   *lc;

	if (entry == NULL)
		return;
	model_key(b, "depends_on");
	model_array_begin(b);
	foreach(lc, entry->needs)
		model_add_value(b, lfirst(lc));
	model_array_end(b);
}

/* ---------- entries ---------- */

static char *
object_text(uint64 row, int column)
{
	return column ? catalog_text(row, column) : NULL;
}

static void
put_identity(ModelBuilder *b, uint64 row, const int *columns)
{
	model_put_text(b, "family", object_text(row, columns[OBJ_FAMILY]));
	model_put_text(b, "schema", object_text(row, columns[OBJ_SCHEMA]));
	model_put_text(b, "name", object_text(row, columns[OBJ_NAME]));
	model_put_text(b, "signature", object_text(row, columns[OBJ_SIGNATURE]));
}

static Jsonb *
build_body(const FamilyReader *reader, uint64 row, const int *columns, HTAB *needs)
{
	ModelBuilder b = {0};
	bool		isnull = true;
	Datum		parts = (Datum) 0;

	model_object_begin(&b);
	put_identity(&b, row, columns);
	put_attributes(&b, reader, row, columns);
	put_needs(&b, needs, catalog_oid(row, columns[OBJ_OID]));
	model_put_text(&b, "definition",
				   catalog_canonical_expression(object_text(row, columns[OBJ_DEFINITION])));
	if (columns[OBJ_PARTS])
		parts = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, columns[OBJ_PARTS], &isnull);
	if (!isnull)
	{
		model_key(&b, "parts");
		put_document(&b, DatumGetJsonbP(parts));
	}
	model_object_end(&b);
	return model_finish(&b);
}

/* In the current memory context, of the current row. */
static DriftEntry *
new_entry(uint64 row, const int *columns, Jsonb *body)
{
	DriftEntry *entry = palloc0(sizeof(DriftEntry));

	entry->family = object_text(row, columns[OBJ_FAMILY]);
	entry->schema = object_text(row, columns[OBJ_SCHEMA]);
	entry->name = object_text(row, columns[OBJ_NAME]);
	entry->signature = object_text(row, columns[OBJ_SIGNATURE]);
	entry->oid = catalog_oid(row, columns[OBJ_OID]);
	entry->body = (Jsonb *) PG_DETOAST_DATUM_COPY(JsonbPGetDatum(body));
	entry->status = DRIFT_CATALOG_ONLY;
	entry->count_method = DRIFT_COUNT_NONE;
	entry->profiled_at = DT_NOBEGIN;
	model_hash(entry->body, entry->hash);
	return entry;
}

static void
find_columns(TupleDesc desc, int *columns)
{
	for (int i = 0; i < OBJ_COLUMNS; i++)
		columns[i] = Max(SPI_fnumber(desc, object_columns[i]), 0);
}

/* All objects of a catalog, or those with the given OIDs. */
List *
family_read(const FamilyReader *reader, ArrayType *oids, MemoryContext result)
{
	List	   *entries = NIL;
	const char *comments = reader->shared ? "pg_shdescription" :
		"(SELECT objoid, classoid, description FROM pg_description WHERE objsubid = 0)";
	int			columns[OBJ_COLUMNS];
	MemoryContext scratch;
	SPITupleTable *objects;
	uint64		nobjects;
	HTAB	   *needs;

	SPI_connect();
	catalog_query(psprintf(objects_sql, reader->classid, reader->sql, comments,
						   oids ? " AND o._oid = ANY ($1)" : ""), oids);
	objects = SPI_tuptable;
	nobjects = SPI_processed;
	needs = nobjects > 0 ? read_needs(reader, oids) : NULL;

	SPI_tuptable = objects;
	find_columns(objects->tupdesc, columns);
	scratch = AllocSetContextCreate(CurrentMemoryContext, "one object", ALLOCSET_DEFAULT_SIZES);
	for (uint64 row = 0; row < nobjects; row++)
	{
		MemoryContext spi = MemoryContextSwitchTo(scratch);
		Jsonb	   *body;

		CHECK_FOR_INTERRUPTS();
		body = build_body(reader, row, columns, needs);
		MemoryContextSwitchTo(result);
		entries = lappend(entries, new_entry(row, columns, body));
		MemoryContextSwitchTo(spi);
		MemoryContextReset(scratch);
	}
	SPI_finish();
	return entries;
}

/* A query for what a reader's objects are called and nothing else. */
static char *
names_sql(const FamilyReader *reader, const char *restriction)
{
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ");
	for (int i = OBJ_OID; i <= OBJ_SIGNATURE; i++)
		if (strstr(reader->sql, psprintf(" AS %s", object_columns[i])) != NULL)
			appendStringInfo(&sql, "%so.%s", i == OBJ_OID ? "" : ", ", object_columns[i]);
	appendStringInfo(&sql, names_from, reader->classid, reader->sql, restriction);
	return sql.data;
}

/* Entries that say no more than that the objects could not be read, and why. */
List *
family_undecided(const FamilyReader *reader, ArrayType *oids, const char *reason, MemoryContext result)
{
	List	   *entries = NIL;
	int			columns[OBJ_COLUMNS];

	SPI_connect();
	catalog_query(names_sql(reader, " AND o._oid = ANY ($1)"), oids);
	find_columns(SPI_tuptable->tupdesc, columns);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		ModelBuilder b = {0};
		DriftEntry *entry;
		MemoryContext spi;

		model_object_begin(&b);
		put_identity(&b, row, columns);
		model_key(&b, "attributes");
		model_object_begin(&b);
		model_put_text(&b, "undecided", reason);
		model_object_end(&b);
		model_object_end(&b);
		spi = MemoryContextSwitchTo(result);
		entry = new_entry(row, columns, model_finish(&b));
		entry->status = DRIFT_FAILED;
		entry->message = pstrdup(reason);
		entries = lappend(entries, entry);
		MemoryContextSwitchTo(spi);
	}
	SPI_finish();
	return entries;
}

/* Which objects there are, without looking at them closely. */
List *
family_list(const FamilyReader *reader, MemoryContext result)
{
	List	   *oids = NIL;
	MemoryContext spi;

	SPI_connect();
	catalog_query(names_sql(reader, ""), NULL);
	spi = MemoryContextSwitchTo(result);
	for (uint64 row = 0; row < SPI_processed; row++)
		oids = lappend_oid(oids, catalog_oid(row, 1));
	MemoryContextSwitchTo(spi);
	SPI_finish();
	return oids;
}

static bool
yields(const FamilyReader *reader, const char *family)
{
	for (int i = 0; i < READER_FAMILIES && reader->families[i] != NULL; i++)
		if (strcmp(reader->families[i], family) == 0)
			return true;
	return false;
}

List *
catalog_read_families(void)
{
	List	   *entries = NIL;

	for (int i = 0; i < lengthof(readers); i++)
		entries = list_concat(entries, family_read_steady(readers[i]));
	return entries;
}

List *
catalog_read_family(const char *family)
{
	List	   *entries = NIL;
	ListCell   *lc;

	for (int i = 0; i < lengthof(readers); i++)
		if (yields(readers[i], family))
			entries = family_read_steady(readers[i]);
	foreach(lc, entries)
		if (strcmp(((DriftEntry *) lfirst(lc))->family, family) != 0)
			entries = foreach_delete_current(entries, lc);
	return entries;
}

/* ---------- what nobody reads ---------- */

static const char not_compared_sql[] =
"SELECT 'database comment' WHERE shobj_description("
"  (SELECT oid FROM pg_database WHERE datname = current_database()), 'pg_database') IS NOT NULL"
" UNION ALL SELECT 'database privilege' FROM pg_database"
"  WHERE datname = current_database() AND datacl IS NOT NULL"
" UNION ALL SELECT 'database setting' WHERE EXISTS (SELECT FROM pg_db_role_setting s"
"  JOIN pg_database d ON d.oid = s.setdatabase WHERE s.setrole = 0 AND d.datname = current_database())"
" UNION ALL SELECT 'large object' WHERE EXISTS (SELECT FROM pg_largeobject_metadata)"
" UNION ALL SELECT 'parameter privilege' WHERE EXISTS (SELECT FROM pg_parameter_acl)"
" UNION ALL SELECT 'security label' WHERE EXISTS (SELECT FROM pg_seclabel)"
"  OR EXISTS (SELECT FROM pg_shseclabel)";

List *
catalog_not_compared(void)
{
	MemoryContext caller = CurrentMemoryContext;
	List	   *families = NIL;

	SPI_connect();
	catalog_query(not_compared_sql, NULL);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		MemoryContext spi = MemoryContextSwitchTo(caller);

		families = lappend(families, catalog_text(row, 1));
		MemoryContextSwitchTo(spi);
	}
	SPI_finish();
	return families;
}
