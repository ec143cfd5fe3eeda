/*-------------------------------------------------------------------------
 *
 * constraints.c
 *	  Constraints as parts of their relation.
 *
 * NOT NULL is an attribute of its column here, in every server version, also
 * where the server keeps it as a constraint.  A partition's copy of its
 * parent's foreign key is the parent's: its name is made up anew on a restore.  Constraint triggers are
 * triggers.  The index behind a key is part of the constraint; indexes.c has
 * read it before.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/batch.h"
#include "executor/spi.h"

static const char constraints_sql[] =
"SELECT con.conrelid, con.conname, con.contype, con.conkey::int2[],"
" CASE con.contype WHEN 'c' THEN pg_get_expr(con.conbin, con.conrelid) END,"
" CASE WHEN con.contype = 'x' THEN pg_get_constraintdef(con.oid) END,"
" con.condeferrable, con.condeferred, con.convalidated, con.connoinherit,"
" con.conislocal, con.conparentid <> 0, fn.nspname, fc.relname,"
" CASE WHEN con.contype = 'f' THEN"
"   (SELECT array_agg(a.attname ORDER BY k.n)"
"    FROM unnest(con.confkey) WITH ORDINALITY k(attnum, n)"
"    JOIN pg_attribute a ON a.attrelid = con.confrelid AND a.attnum = k.attnum) END,"
" con.confupdtype, con.confdeltype, con.confmatchtype, con.confdelsetcols,"
" con.conindid, d.description"
" FROM pg_constraint con"
" LEFT JOIN pg_class fc ON fc.oid = con.confrelid"
" LEFT JOIN pg_namespace fn ON fn.oid = fc.relnamespace"
" LEFT JOIN pg_description d ON d.objoid = con.oid AND d.objsubid = 0"
"   AND d.classoid = 'pg_constraint'::regclass"
" WHERE con.conrelid = ANY ($1) AND con.contype IN ('c', 'f', 'p', 'u', 'x')"
" AND NOT (con.contype = 'f' AND con.conparentid <> 0)";

enum
{
	CON_RELID = 1, CON_NAME, CON_TYPE, CON_KEY, CON_EXPRESSION, CON_DEFINITION, CON_DEFERRABLE,
	CON_DEFERRED, CON_VALIDATED, CON_NOINHERIT, CON_ISLOCAL, CON_ISCHILD, CON_TARGET_SCHEMA,
	CON_TARGET_NAME, CON_TARGET_KEY, CON_ON_UPDATE, CON_ON_DELETE, CON_MATCH, CON_SET_COLUMNS,
	CON_INDEX, CON_COMMENT
};

static const char *
type_name(char type)
{
	switch (type)
	{
		case 'c':
			return "check";
		case 'f':
			return "foreign_key";
		case 'p':
			return "primary_key";
		case 'u':
			return "unique";
	}
	return "exclusion";
}

static const char *
action_name(char action)
{
	switch (action)
	{
		case 'r':
			return "RESTRICT";
		case 'c':
			return "CASCADE";
		case 'n':
			return "SET NULL";
		case 'd':
			return "SET DEFAULT";
	}
	return "NO ACTION";
}

static const char *
match_name(char match)
{
	switch (match)
	{
		case 'f':
			return "FULL";
		case 'p':
			return "PARTIAL";
	}
	return "SIMPLE";
}

static List *
column_names(BatchRelation *relation, uint64 row, int column)
{
	bool		isnull;
	Datum		value = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, &isnull);
	ArrayType  *array;
	int16	   *attnums;
	List	   *names = NIL;

	if (isnull)
		return NIL;
	array = DatumGetArrayTypeP(value);
	attnums = (int16 *) ARR_DATA_PTR(array);
	for (int i = 0; i < ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)); i++)
		names = lappend(names, (char *) batch_column_name(relation, attnums[i]));
	return names;
}

static void
put_foreign_key(ModelBuilder *b, BatchRelation *relation, uint64 row)
{
	batch_put_name(b, "target", catalog_text(row, CON_TARGET_SCHEMA), catalog_text(row, CON_TARGET_NAME));
	model_put_texts(b, "target_columns", catalog_texts(row, CON_TARGET_KEY));
	model_put_text(b, "on_update", action_name(catalog_char(row, CON_ON_UPDATE)));
	model_put_text(b, "on_delete", action_name(catalog_char(row, CON_ON_DELETE)));
	model_put_text(b, "match", match_name(catalog_char(row, CON_MATCH)));
	model_put_texts(b, "on_delete_columns", column_names(relation, row, CON_SET_COLUMNS));
}

static void
add_constraint(BatchRelation *relation, uint64 row, ModelBuilder *b)
{
	char		type = catalog_char(row, CON_TYPE);
	char	   *expression = catalog_text(row, CON_EXPRESSION);
	List	   *columns = column_names(relation, row, CON_KEY);

	model_put_text(b, "type", type_name(type));
	if (type == 'c')
		list_sort(columns, catalog_compare_texts);
	model_put_texts(b, "columns", columns);
	if (expression != NULL)
		model_put_text(b, "expression", catalog_canonical_expression(expression));
	if (type == 'x')
		model_put_text(b, "definition", catalog_canonical_expression(catalog_text(row, CON_DEFINITION)));
	if (type == 'f')
		put_foreign_key(b, relation, row);
	model_put_true(b, "deferrable", catalog_bool(row, CON_DEFERRABLE));
	model_put_true(b, "deferred", catalog_bool(row, CON_DEFERRED));
	model_put_true(b, "not_valid", !catalog_bool(row, CON_VALIDATED));
	model_put_true(b, "no_inherit", type == 'c' && catalog_bool(row, CON_NOINHERIT));
	model_put_true(b, "inherited", !catalog_bool(row, CON_ISLOCAL) || catalog_bool(row, CON_ISCHILD));
	model_put_text(b, "comment", catalog_text(row, CON_COMMENT));
}

void
batch_read_constraints(Batch *batch)
{
	catalog_query(constraints_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		ModelBuilder b = {0};
		BatchRelation *relation = batch_find(batch, catalog_oid(row, CON_RELID));
		char	   *name = catalog_text(row, CON_NAME);
		char		type = catalog_char(row, CON_TYPE);

		batch_part_begin(&b, "constraint", name);
		add_constraint(relation, row, &b);
		if (type == 'p' || type == 'u' || type == 'x')
			model_put_value(&b, "index", batch_owned_index(batch, catalog_oid(row, CON_INDEX)));
		batch_add_part(relation, "constraint", name, 0, &b);
	}
}
