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

static const char columns_sql[] =
"SELECT a.attrelid, a.attnum, a.attname, a.atttypid, a.attcollation,"
" format_type(a.atttypid, a.atttypmod), a.attnotnull,"
" pg_get_expr(ad.adbin, ad.adrelid), a.attgenerated, a.attidentity,"
" CASE WHEN a.attcollation <> t.typcollation THEN"
"   (SELECT quote_ident(n.nspname) || '.' || quote_ident(co.collname)"
"    FROM pg_collation co JOIN pg_namespace n ON n.oid = co.collnamespace"
"    WHERE co.oid = a.attcollation) END,"
" CASE WHEN a.attstorage <> t.typstorage THEN a.attstorage END,"
" a.attcompression, nullif(a.attstattarget, -1)::int4,"
" a.attoptions, a.attfdwoptions, a.attislocal, d.description, a.attacl,"
" c.relowner, NOT c.relispartition AND EXISTS"
"   (SELECT FROM pg_inherits h WHERE h.inhrelid = c.oid)"
" FROM pg_attribute a"
" JOIN pg_class c ON c.oid = a.attrelid"
" JOIN pg_type t ON t.oid = a.atttypid"
" LEFT JOIN pg_attrdef ad ON ad.adrelid = a.attrelid AND ad.adnum = a.attnum"
" LEFT JOIN pg_description d ON d.objoid = a.attrelid AND d.objsubid = a.attnum"
"   AND d.classoid = 'pg_class'::regclass"
" WHERE a.attrelid = ANY ($1) AND a.attnum > 0 AND NOT a.attisdropped"
" ORDER BY a.attrelid, a.attnum";

enum
{
	COL_RELID = 1, COL_ATTNUM, COL_NAME, COL_TYPEID, COL_COLLATIONID, COL_TYPE, COL_NOTNULL,
	COL_DEFAULT, COL_GENERATED, COL_IDENTITY, COL_COLLATION, COL_STORAGE, COL_COMPRESSION,
	COL_STATTARGET, COL_OPTIONS, COL_FDWOPTIONS, COL_ISLOCAL, COL_COMMENT, COL_ACL, COL_OWNER,
	COL_INHERITS
};

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

static void
add_column(BatchRelation *relation, uint64 row)
{
	ModelBuilder b = {0};
	BatchColumn *column = &relation->columns[relation->ncolumns++];
	int64		target = catalog_int(row, COL_STATTARGET);
	bool		inherits = catalog_bool(row, COL_INHERITS);

	column->attnum = catalog_int(row, COL_ATTNUM);
	column->name = catalog_text(row, COL_NAME);
	column->type = catalog_oid(row, COL_TYPEID);
	column->collation = catalog_oid(row, COL_COLLATIONID);

	batch_part_begin(&b, "column", column->name);
	if (!inherits)
		model_put_int(&b, "position", relation->ncolumns);
	model_put_text(&b, "type", catalog_text(row, COL_TYPE));
	model_put_bool(&b, "nullable", !catalog_bool(row, COL_NOTNULL));
	put_expression(&b, row);
	put_identity(&b, catalog_char(row, COL_IDENTITY));
	model_put_text(&b, "collation", catalog_text(row, COL_COLLATION));
	model_put_text(&b, "storage", storage_name(catalog_char(row, COL_STORAGE)));
	model_put_text(&b, "compression", compression_name(catalog_char(row, COL_COMPRESSION)));
	if (target != 0 || catalog_text(row, COL_STATTARGET) != NULL)
		model_put_int(&b, "statistics_target", target);
	model_put_texts(&b, "options", catalog_options(row, COL_OPTIONS));
	model_put_texts(&b, "foreign_options", catalog_texts(row, COL_FDWOPTIONS));
	model_put_true(&b, "inherited", !catalog_bool(row, COL_ISLOCAL));
	model_put_text(&b, "comment", catalog_text(row, COL_COMMENT));
	catalog_put_grants(&b, row_acl(row, COL_ACL), OBJECT_COLUMN, catalog_oid(row, COL_OWNER));
	batch_add_part(relation, "column", column->name, inherits ? 0 : relation->ncolumns, &b);
}

void
batch_read_columns(Batch *batch)
{
	BatchRelation *relation = NULL;

	catalog_query(columns_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		Oid			relid = catalog_oid(row, COL_RELID);

		if (relation == NULL || relation->relation->oid != relid)
		{
			relation = batch_find(batch, relid);
			relation->columns = palloc0(sizeof(BatchColumn) * MaxHeapAttributeNumber);
		}
		add_column(relation, row);
	}
}
