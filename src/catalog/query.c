/*-------------------------------------------------------------------------
 *
 * query.c
 *	  Catalog queries by SPI, and their rows as C values.
 *
 * A query runs under the latest snapshot, not the transaction's: the deparse
 * functions called by it read the newest committed catalogs, and the two must
 * agree.  Plans are not kept; there are few queries and many rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/catalog.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

/*
 * A generic plan, so that the planner does not weigh each of a batch's OIDs.
 */
void
catalog_query(const char *sql, ArrayType *oids)
{
	Oid			types[1] = {OIDARRAYOID};
	Datum		values[1] = {PointerGetDatum(oids)};
	SPIPlanPtr	plan = SPI_prepare_cursor(sql, oids ? 1 : 0, types, CURSOR_OPT_GENERIC_PLAN);
	int			ret;

	if (plan == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not prepare a catalog query: %s", SPI_result_code_string(SPI_result))));
	PushActiveSnapshot(GetLatestSnapshot());
	ret = SPI_execute_plan(plan, values, NULL, true, 0);
	PopActiveSnapshot();
	if (ret != SPI_OK_SELECT)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not read the catalogs: %s", SPI_result_code_string(ret))));
}

static Datum
value_of(uint64 row, int column, bool *isnull)
{
	return SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, isnull);
}

char *
catalog_text(uint64 row, int column)
{
	return SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column);
}

/* A text[] or name[] as a list of C strings; NIL for null or empty. */
List *
catalog_texts(uint64 row, int column)
{
	bool		isnull;
	Datum		value = value_of(row, column, &isnull);
	List	   *texts = NIL;
	ArrayType  *array;
	Oid			type;
	Datum	   *elements;
	bool	   *nulls;
	int			n;

	if (isnull)
		return NIL;
	array = DatumGetArrayTypeP(value);
	type = ARR_ELEMTYPE(array);
	if (type == NAMEOID)
		deconstruct_array(array, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &elements, &nulls, &n);
	else
		deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &n);
	for (int i = 0; i < n; i++)
		if (!nulls[i])
			texts = lappend(texts, type == NAMEOID ? pstrdup(NameStr(*DatumGetName(elements[i]))) :
							TextDatumGetCString(elements[i]));
	return texts;
}

/*
 * Options of a column, without the server's own stamp: newer minor releases
 * keep an attribute's version there (ATTRIBUTE_VERSION_ATTOPTION),
 * which is no more a part of the schema than an OID is.
 */
List *
catalog_options(uint64 row, int column)
{
	List	   *options = NIL;
	ListCell   *lc;

	foreach(lc, catalog_texts(row, column))
		if (strncmp(lfirst(lc), "pg_attver=", strlen("pg_attver=")) != 0)
			options = lappend(options, lfirst(lc));
	list_sort(options, catalog_compare_texts);
	return options;
}

Oid
catalog_oid(uint64 row, int column)
{
	bool		isnull;
	Datum		value = value_of(row, column, &isnull);

	return isnull ? InvalidOid : DatumGetObjectId(value);
}

/* For int2 and int4 and int8 columns; 0 for null. */
int64
catalog_int(uint64 row, int column)
{
	bool		isnull;
	Datum		value = value_of(row, column, &isnull);

	if (isnull)
		return 0;
	switch (SPI_gettypeid(SPI_tuptable->tupdesc, column))
	{
		case INT2OID:
			return DatumGetInt16(value);
		case INT4OID:
			return DatumGetInt32(value);
		default:
			return DatumGetInt64(value);
	}
}

bool
catalog_bool(uint64 row, int column)
{
	bool		isnull;
	Datum		value = value_of(row, column, &isnull);

	return !isnull && DatumGetBool(value);
}

/* For "char" columns; '\0' for null. */
char
catalog_char(uint64 row, int column)
{
	bool		isnull;
	Datum		value = value_of(row, column, &isnull);

	return isnull ? '\0' : DatumGetChar(value);
}

int
catalog_compare_texts(const ListCell *a, const ListCell *b)
{
	return strcmp((const char *) lfirst(a), (const char *) lfirst(b));
}
