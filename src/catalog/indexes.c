/*-------------------------------------------------------------------------
 *
 * indexes.c
 *	  Indexes as parts of their relation.
 *
 * An index is described by its attributes and not by pg_get_indexdef(): plain
 * columns need no deparse at all, and a difference in one attribute can be
 * named.  Operator class and collation are given where they are not what the
 * column would have had by itself.  The index of a constraint goes into the
 * constraint.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/batch.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_collation.h"
#include "commands/defrem.h"
#include "executor/spi.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

static const char opclass_options_sql[] =
"SELECT a.attrelid, a.attnum, a.attoptions FROM pg_index i"
" JOIN pg_class c ON c.oid = i.indexrelid AND c.relam NOT IN (403, 405)"	/* btree and hash have none */
" JOIN pg_attribute a ON a.attrelid = i.indexrelid"
" WHERE i.indrelid = ANY ($1) AND EXISTS"
"  (SELECT FROM unnest(a.attoptions) o WHERE o NOT LIKE 'pg\\_attver=%')";

static const char indexes_sql[] =
"SELECT i.indexrelid, i.indrelid, c.relname, am.amname, am.oid, i.indisunique,"
" i.indnullsnotdistinct, i.indisvalid AND i.indisready AND i.indislive, i.indisclustered, i.indisreplident,"
" i.indnkeyatts, i.indkey::int2[], i.indclass::oid[], i.indcollation::oid[],"
" i.indoption::int2[], i.indexprs, pg_get_expr(i.indpred, i.indrelid),"
" c.reloptions, CASE WHEN c.reltablespace <> 0 THEN"
"   (SELECT ts.spcname FROM pg_tablespace ts WHERE ts.oid = c.reltablespace) END,"
" CASE WHEN c.relispartition THEN (SELECT h.inhparent FROM pg_inherits h WHERE h.inhrelid = c.oid) END,"
" (SELECT d.description FROM pg_description d WHERE d.objoid = c.oid AND d.objsubid = 0"
"   AND d.classoid = 'pg_class'::regclass),"
" CASE WHEN i.indisprimary OR i.indisexclusion THEN true WHEN NOT i.indisunique THEN false ELSE"
"  EXISTS (SELECT FROM pg_constraint con WHERE con.conindid = i.indexrelid"
"   AND con.conrelid = i.indrelid AND con.contype IN ('p', 'u', 'x')) END,"
" c.relkind = 'I' AND NOT i.indisvalid"
" FROM pg_index i"
" JOIN pg_class c ON c.oid = i.indexrelid"
" JOIN pg_am am ON am.oid = c.relam"
" WHERE i.indrelid = ANY ($1)";

enum
{
	IDX_OID = 1, IDX_RELID, IDX_NAME, IDX_METHOD, IDX_METHODID, IDX_UNIQUE, IDX_NULLSNOTDISTINCT,
	IDX_USABLE, IDX_CLUSTERED, IDX_REPLIDENT, IDX_NKEYS, IDX_KEY, IDX_CLASS, IDX_COLLATION,
	IDX_OPTION, IDX_EXPRESSIONS, IDX_PREDICATE, IDX_OPTIONS, IDX_TABLESPACE, IDX_PARENT,
	IDX_COMMENT, IDX_OWNED, IDX_PARTIAL_PARENT
};

typedef struct OpclassKey
{
	Oid			type;
	Oid			method;
} OpclassKey;

typedef struct OpclassDefault
{
	OpclassKey	key;
	Oid			opclass;
} OpclassDefault;

typedef struct OptionsKey
{
	Oid			index;
	int32		column;
} OptionsKey;

typedef struct OpclassOptions
{
	OptionsKey	key;
	List	   *options;
} OpclassOptions;

typedef struct OwnedIndex
{
	Oid			index;
	JsonbValue *attributes;
} OwnedIndex;

/* The arrays of the current row, and where its expressions stand. */
typedef struct IndexRow
{
	Oid			oid;
	Oid			method;
	int			natts;
	int			nkeys;
	int16	   *keys;
	Oid		   *classes;
	Oid		   *collations;
	int16	   *options;
	List	   *expressions;
	int			nexpressions;	/* met so far */
} IndexRow;

static ArrayType *
row_array(uint64 row, int column)
{
	bool		isnull;
	Datum		value = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, &isnull);

	return isnull ? NULL : DatumGetArrayTypeP(value);
}

/* GetDefaultOpClass() scans pg_opclass every time, so remember. */
static Oid
default_opclass(Batch *batch, Oid type, Oid method)
{
	OpclassKey	key = {type, method};
	OpclassDefault *entry;
	bool		found;

	entry = hash_search(batch->default_opclasses, &key, HASH_ENTER, &found);
	if (!found)
		entry->opclass = GetDefaultOpClass(type, method);
	return entry->opclass;
}

static void
read_opclass_options(Batch *batch)
{
	catalog_query(opclass_options_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		OptionsKey	key = {catalog_oid(row, 1), catalog_int(row, 2)};
		OpclassOptions *entry = hash_search(batch->opclass_options, &key, HASH_ENTER, NULL);

		entry->options = catalog_options(row, 3);
	}
}

static List *
opclass_options(Batch *batch, Oid index, int column)
{
	OptionsKey	key = {index, column};
	OpclassOptions *entry = hash_search(batch->opclass_options, &key, HASH_FIND, NULL);

	return entry ? entry->options : NIL;
}

static char *
opclass_name(Oid opclass)
{
	HeapTuple	tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(opclass));
	Form_pg_opclass form;
	char	   *schema;
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	form = (Form_pg_opclass) GETSTRUCT(tuple);
	schema = get_namespace_name(form->opcnamespace);
	name = schema != NULL && strcmp(schema, "pg_catalog") == 0 ?
		pstrdup(quote_identifier(NameStr(form->opcname))) :
		quote_qualified_identifier(schema, NameStr(form->opcname));
	ReleaseSysCache(tuple);
	return name;
}

char *
batch_collation_name(Oid collation)
{
	HeapTuple	tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	Form_pg_collation form;
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	form = (Form_pg_collation) GETSTRUCT(tuple);
	name = quote_qualified_identifier(get_namespace_name(form->collnamespace), NameStr(form->collname));
	ReleaseSysCache(tuple);
	return name;
}

static char *
index_expression(Oid index, int column)
{
	return TextDatumGetCString(DirectFunctionCall3(pg_get_indexdef_ext, ObjectIdGetDatum(index),
												   Int32GetDatum(column), BoolGetDatum(false)));
}

/* "DESC" and "NULLS FIRST" where they are not what the other implies. */
static void
put_order(ModelBuilder *b, int16 option)
{
	bool		descending = (option & INDOPTION_DESC) != 0;
	bool		nulls_first = (option & INDOPTION_NULLS_FIRST) != 0;

	if (descending)
		model_put_text(b, "order", "desc");
	if (nulls_first != descending)
		model_put_text(b, "nulls", nulls_first ? "first" : "last");
}

static void
add_key(Batch *batch, BatchRelation *relation, IndexRow *index, int i, ModelBuilder *b)
{
	Oid			type;
	Oid			collation;

	model_object_begin(b);
	if (index->keys[i] != 0)
	{
		BatchColumn *column = batch_column(relation, index->keys[i]);

		if (column == NULL)		/* a system column */
			type = collation = InvalidOid;
		else
		{
			type = column->type;
			collation = column->collation;
			model_put_text(b, "column", column->name);
		}
	}
	else
	{
		Node	   *expression = list_nth(index->expressions, index->nexpressions++);

		type = exprType(expression);
		collation = exprCollation(expression);
		model_put_text(b, "expression", catalog_canonical_expression(index_expression(index->oid, i + 1)));
	}
	if (OidIsValid(index->collations[i]) && index->collations[i] != collation)
		model_put_text(b, "collation", batch_collation_name(index->collations[i]));
	if (index->classes[i] != default_opclass(batch, type, index->method))
		model_put_text(b, "opclass", opclass_name(index->classes[i]));
	model_put_texts(b, "opclass_options", opclass_options(batch, index->oid, i + 1));
	put_order(b, index->options[i]);
	model_object_end(b);
}

static void
put_included(BatchRelation *relation, IndexRow *index, ModelBuilder *b)
{
	List	   *names = NIL;

	for (int i = index->nkeys; i < index->natts; i++)
		names = lappend(names, (char *) batch_column_name(relation, index->keys[i]));
	model_put_texts(b, "include", names);
}

static void
read_row(uint64 row, IndexRow *index)
{
	ArrayType  *keys = row_array(row, IDX_KEY);
	char	   *expressions = catalog_text(row, IDX_EXPRESSIONS);

	index->oid = catalog_oid(row, IDX_OID);
	index->method = catalog_oid(row, IDX_METHODID);
	index->natts = ArrayGetNItems(ARR_NDIM(keys), ARR_DIMS(keys));
	index->nkeys = catalog_int(row, IDX_NKEYS);
	index->keys = (int16 *) ARR_DATA_PTR(keys);
	index->classes = (Oid *) ARR_DATA_PTR(row_array(row, IDX_CLASS));
	index->collations = (Oid *) ARR_DATA_PTR(row_array(row, IDX_COLLATION));
	index->options = (int16 *) ARR_DATA_PTR(row_array(row, IDX_OPTION));
	index->expressions = expressions ? (List *) stringToNode(expressions) : NIL;
	index->nexpressions = 0;
}

static void
put_attributes(Batch *batch, BatchRelation *relation, uint64 row, ModelBuilder *b)
{
	IndexRow	index;
	char	   *predicate = catalog_text(row, IDX_PREDICATE);

	read_row(row, &index);
	model_put_text(b, "method", catalog_text(row, IDX_METHOD));
	model_put_bool(b, "unique", catalog_bool(row, IDX_UNIQUE));
	model_key(b, "columns");
	model_array_begin(b);
	for (int i = 0; i < index.nkeys; i++)
		add_key(batch, relation, &index, i, b);
	model_array_end(b);
	put_included(relation, &index, b);
	model_put_true(b, "nulls_not_distinct", catalog_bool(row, IDX_NULLSNOTDISTINCT));
	if (predicate != NULL)
		model_put_text(b, "predicate", catalog_canonical_expression(predicate));
	model_put_texts(b, "options", catalog_texts(row, IDX_OPTIONS));
	model_put_text(b, "tablespace", catalog_text(row, IDX_TABLESPACE));
	if (catalog_bool(row, IDX_PARTIAL_PARENT))
		model_put_true(b, "unattached", true);
	else
		model_put_true(b, "invalid", !catalog_bool(row, IDX_USABLE));
	model_put_true(b, "clustered", catalog_bool(row, IDX_CLUSTERED));
	model_put_true(b, "replica_identity", catalog_bool(row, IDX_REPLIDENT));
	if (OidIsValid(catalog_oid(row, IDX_PARENT)))
		batch_put_name(b, "attached_to", get_namespace_name(get_rel_namespace(catalog_oid(row, IDX_PARENT))),
					   get_rel_name(catalog_oid(row, IDX_PARENT)));
	model_put_text(b, "comment", catalog_text(row, IDX_COMMENT));
}

static void
create_tables(Batch *batch)
{
	HASHCTL		ctl = {0};

	ctl.keysize = sizeof(OpclassKey);
	ctl.entrysize = sizeof(OpclassDefault);
	ctl.hcxt = CurrentMemoryContext;
	batch->default_opclasses = hash_create("default operator classes", 64, &ctl,
										   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	ctl.keysize = sizeof(OptionsKey);
	ctl.entrysize = sizeof(OpclassOptions);
	batch->opclass_options = hash_create("operator class options", 64, &ctl,
										 HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	ctl.keysize = sizeof(Oid);
	ctl.entrysize = sizeof(OwnedIndex);
	batch->owned_indexes = hash_create("indexes of constraints", 256, &ctl,
									   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

void
batch_read_indexes(Batch *batch)
{
	create_tables(batch);
	read_opclass_options(batch);
	catalog_query(indexes_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		ModelBuilder b = {0};
		BatchRelation *relation = batch_find(batch, catalog_oid(row, IDX_RELID));

		if (catalog_bool(row, IDX_OWNED))
		{
			Oid			index = catalog_oid(row, IDX_OID);
			OwnedIndex *owned = hash_search(batch->owned_indexes, &index, HASH_ENTER, NULL);

			model_object_begin(&b);
			put_attributes(batch, relation, row, &b);
			model_object_end(&b);
			owned->attributes = b.result;
		}
		else
		{
			char	   *name = catalog_text(row, IDX_NAME);

			batch_part_begin(&b, "index", name);
			put_attributes(batch, relation, row, &b);
			batch_add_part(relation, "index", name, 0, &b);
		}
	}
}

/* Attributes of the index behind a constraint, read before; NULL when none. */
JsonbValue *
batch_owned_index(Batch *batch, Oid index)
{
	OwnedIndex *owned = hash_search(batch->owned_indexes, &index, HASH_FIND, NULL);

	return owned ? owned->attributes : NULL;
}
