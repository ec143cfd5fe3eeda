/*-------------------------------------------------------------------------
 *
 * list.c
 *	  Which relations there are, for a print to select from.
 *
 * Left out: system schemas, temporary tables of any session, and what belongs
 * to an extension (the extension is an object of its own).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/catalog.h"
#include "executor/spi.h"
#include "utils/array.h"

static const char list_sql[] =
"SELECT c.oid, n.nspname, c.relname, c.relkind, c.relispartition, c.reltuples::float8,"
" CASE WHEN c.relispartition THEN pg_partition_root(c.oid)::oid END,"
" r.reads"
" FROM pg_class c"
" JOIN pg_namespace n ON n.oid = c.relnamespace"
" LEFT JOIN (SELECT owner, array_agg(DISTINCT refobjid) AS reads FROM ("
"   SELECT w.ev_class AS owner, d.refobjid FROM pg_rewrite w"
"    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid"
"    AND d.refclassid = 'pg_class'::regclass"
"   UNION ALL SELECT p.polrelid, d.refobjid FROM pg_policy p"
"    JOIN pg_depend d ON d.classid = 'pg_policy'::regclass AND d.objid = p.oid"
"    AND d.refclassid = 'pg_class'::regclass) AS d"
"   JOIN pg_class rc ON rc.oid = d.refobjid AND rc.relkind IN ('r', 'p', 'f', 'v', 'm')"
"   WHERE d.owner <> d.refobjid GROUP BY owner) AS r ON r.owner = c.oid"
" WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND c.relpersistence <> 't'"
" AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"
" AND c.oid <> ALL (ARRAY(SELECT d.objid FROM pg_depend d"
"   WHERE d.refclassid = 'pg_extension'::regclass AND d.classid = 'pg_class'::regclass"
"   AND d.objsubid = 0 AND d.deptype = 'e'))"
" ORDER BY n.nspname COLLATE \"C\", c.relname COLLATE \"C\"";

enum
{
	LST_OID = 1, LST_SCHEMA, LST_NAME, LST_RELKIND, LST_ISPARTITION, LST_RELTUPLES, LST_ROOT, LST_READS
};

const char *
catalog_relation_family(char relkind, bool ispartition)
{
	if (ispartition)
		return "partition";
	switch (relkind)
	{
		case 'v':
			return "view";
		case 'm':
			return "materialized_view";
		case 'f':
			return "foreign_table";
	}
	return "table";
}

static void
read_oids(uint64 row, CatalogRelation *relation)
{
	bool		isnull;
	Datum		value = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, LST_READS, &isnull);
	ArrayType  *array;

	if (isnull)
		return;
	array = DatumGetArrayTypePCopy(value);
	relation->nreads = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	relation->reads = (Oid *) ARR_DATA_PTR(array);
}

List *
catalog_list_relations(void)
{
	MemoryContext caller = CurrentMemoryContext;
	List	   *relations = NIL;

	SPI_connect();
	catalog_query(list_sql, NULL);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		MemoryContext spi = MemoryContextSwitchTo(caller);
		CatalogRelation *relation = palloc0(sizeof(CatalogRelation));
		bool		isnull;

		relation->oid = catalog_oid(row, LST_OID);
		relation->schema = catalog_text(row, LST_SCHEMA);
		relation->name = catalog_text(row, LST_NAME);
		relation->relkind = catalog_char(row, LST_RELKIND);
		relation->family = catalog_relation_family(relation->relkind, catalog_bool(row, LST_ISPARTITION));
		relation->reltuples = DatumGetFloat8(SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc,
														   LST_RELTUPLES, &isnull));
		relation->root = catalog_oid(row, LST_ROOT);
		read_oids(row, relation);
		relations = lappend(relations, relation);
		MemoryContextSwitchTo(spi);
	}
	SPI_finish();
	return relations;
}
