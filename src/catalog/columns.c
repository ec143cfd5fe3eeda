/*-------------------------------------------------------------------------
 *
 * columns.c
 *	  Columns as parts of their relation, in their order.
 *
 * A column's position counts live columns only, so that a table with dropped
 * columns equals its restored twin.  A table that inherits has no positions:
 * pg_dump puts inherited columns first, so its columns are in order of name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/batch.h"
#include "catalog/pg_attribute.h"
#include "executor/spi.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/*
 * One scan of pg_attribute; what another catalog says of a column is looked up
 * only where there is something, since there are many columns.
 */
static const char columns_sql[] =
"SELECT a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attcollation, a.attnotnull,"
" CASE WHEN a.atthasdef THEN (SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d"
"   WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum) END,"
" a.attgenerated, a.attidentity, a.attstorage, a.attcompression, nullif(a.attstattarget, -1)::int4,"
" a.attoptions, a.attfdwoptions, a.attislocal, a.attacl"
" FROM pg_attribute a"
" WHERE a.attrelid = ANY ($1) AND a.attnum > 0 AND NOT a.attisdropped"
" ORDER BY a.attrelid, a.attnum";

enum
{
	COL_RELID = 1, COL_ATTNUM, COL_NAME, COL_TYPEID, COL_TYPMOD, COL_COLLATIONID, COL_NOTNULL,
	COL_DEFAULT, COL_GENERATED, COL_IDENTITY, COL_STORAGE, COL_COMPRESSION, COL_STATTARGET,
	COL_OPTIONS, COL_FDWOPTIONS, COL_ISLOCAL, COL_ACL
};

static const char comments_sql[] =
"SELECT objoid, objsubid, description FROM pg_description"
" WHERE classoid = 'pg_class'::regclass AND objoid = ANY ($1) AND objsubid > 0";

/* What a type gives its columns; the same few types come again and again. */
typedef struct TypeDefaults
{
	Oid			type;
	Oid			collation;
	char		storage;
} TypeDefaults;

typedef struct CommentKey
{
	Oid			relid;
	int32		attnum;
} CommentKey;

typedef struct ColumnComment
{
	CommentKey	key;
	char	   *text;
} ColumnComment;

static const char *
storage_name(char storage)
{
	switch (storage)
	{
		case 'p':
			return "plain";
		case 'e':
			return "external";
		case 'm':
			return "main";
		case 'x':
			return "extended";
	}
	return NULL;
}

static const char *
compression_name(char compression)
{
	switch (compression)
	{
		case 'p':
			return "pglz";
		case 'l':
			return "lz4";
	}
	return NULL;
}

static void
put_expression(ModelBuilder *b, uint64 row)
{
	char	   *expression = catalog_text(row, COL_DEFAULT);
	char		generated = catalog_char(row, COL_GENERATED);

	if (expression != NULL)
		expression = catalog_canonical_expression(expression);
	if (generated == '\0')
		model_put_text(b, "default", expression);
	else
	{
		model_put_text(b, "generated", generated == 'v' ? "virtual" : "stored");
		model_put_text(b, "generation_expression", expression);
	}
}

static void
put_identity(ModelBuilder *b, char identity)
{
	if (identity == 'a')
		model_put_text(b, "identity", "always");
	else if (identity == 'd')
		model_put_text(b, "identity", "by_default");
}

/* The current row's ACL; NULL for null. */
static Acl *
row_acl(uint64 row, int column)
{
	bool		isnull;
	Datum		acl = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, &isnull);

	return isnull ? NULL : DatumGetAclP(acl);
}

/* A column's default privileges are none, whoever owns the table. */
static void
put_grants(ModelBuilder *b, Oid relid, Acl *acl)
{
	if (acl != NULL)
		catalog_put_grants(b, acl, OBJECT_COLUMN, InvalidOid);
}

static TypeDefaults *
type_defaults(HTAB *types, Oid type)
{
	bool		found;
	TypeDefaults *defaults = hash_search(types, &type, HASH_ENTER, &found);

	if (!found)
	{
		defaults->collation = get_typcollation(type);
		defaults->storage = get_typstorage(type);
	}
	return defaults;
}

static char *
find_comment(HTAB *comments, Oid relid, int16 attnum)
{
	CommentKey	key = {relid, attnum};
	ColumnComment *comment = hash_search(comments, &key, HASH_FIND, NULL);

	return comment ? comment->text : NULL;
}

static HTAB *
create_table(const char *name, Size keysize, Size entrysize)
{
	HASHCTL		ctl = {0};

	ctl.keysize = keysize;
	ctl.entrysize = entrysize;
	ctl.hcxt = CurrentMemoryContext;
	return hash_create(name, 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static HTAB *
read_comments(Batch *batch)
{
	HTAB	   *comments = create_table("column comments", sizeof(CommentKey), sizeof(ColumnComment));

	catalog_query(comments_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		CommentKey	key = {catalog_oid(row, 1), catalog_int(row, 2)};
		ColumnComment *comment = hash_search(comments, &key, HASH_ENTER, NULL);

		comment->text = catalog_text(row, 3);
	}
	return comments;
}

static void
add_column(BatchRelation *relation, uint64 row, HTAB *types, HTAB *comments)
{
	ModelBuilder b = {0};
	BatchColumn *column = &relation->columns[relation->ncolumns++];
	int64		target = catalog_int(row, COL_STATTARGET);
	bool		inherits = relation->inherits;
	TypeDefaults *defaults;

	column->attnum = catalog_int(row, COL_ATTNUM);
	column->name = catalog_text(row, COL_NAME);
	column->type = catalog_oid(row, COL_TYPEID);
	column->collation = catalog_oid(row, COL_COLLATIONID);

	batch_part_begin(&b, "column", column->name);
	if (!inherits)
		model_put_int(&b, "position", relation->ncolumns);
	model_put_text(&b, "type", format_type_extended(column->type, catalog_int(row, COL_TYPMOD),
													 FORMAT_TYPE_TYPEMOD_GIVEN));
	model_put_bool(&b, "nullable", !catalog_bool(row, COL_NOTNULL));
	put_expression(&b, row);
	put_identity(&b, catalog_char(row, COL_IDENTITY));
	defaults = type_defaults(types, column->type);
	if (column->collation != defaults->collation)
		model_put_text(&b, "collation", batch_collation_name(column->collation));
	if (catalog_char(row, COL_STORAGE) != defaults->storage)
		model_put_text(&b, "storage", storage_name(catalog_char(row, COL_STORAGE)));
	model_put_text(&b, "compression", compression_name(catalog_char(row, COL_COMPRESSION)));
	if (target != 0 || catalog_text(row, COL_STATTARGET) != NULL)
		model_put_int(&b, "statistics_target", target);
	model_put_texts(&b, "options", catalog_options(row, COL_OPTIONS));
	model_put_texts(&b, "foreign_options", catalog_texts(row, COL_FDWOPTIONS));
	model_put_true(&b, "inherited", !catalog_bool(row, COL_ISLOCAL));
	model_put_text(&b, "comment", find_comment(comments, relation->relation->oid, column->attnum));
	put_grants(&b, relation->relation->oid, row_acl(row, COL_ACL));
	batch_add_part(relation, "column", column->name, inherits ? 0 : relation->ncolumns, &b);
}

void
batch_read_columns(Batch *batch)
{
	BatchRelation *relation = NULL;
	HTAB	   *types = create_table("types of columns", sizeof(Oid), sizeof(TypeDefaults));
	HTAB	   *comments = read_comments(batch);

	catalog_query(columns_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		Oid			relid = catalog_oid(row, COL_RELID);

		if (relation == NULL || relation->relation->oid != relid)
		{
			relation = batch_find(batch, relid);
			relation->columns = palloc0(sizeof(BatchColumn) * MaxHeapAttributeNumber);
		}
		add_column(relation, row, types, comments);
	}
}
