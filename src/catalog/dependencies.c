/*-------------------------------------------------------------------------
 *
 * dependencies.c
 *	  What a relation and its parts need to exist, from pg_depend.
 *
 * For ordering a plan without a database.  Objects of the system, the
 * relation itself and its schema are left out; an object that belongs to an
 * extension stands for the extension.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/batch.h"
#include "executor/spi.h"

static const char dependencies_sql[] =
"WITH direct AS ("
" SELECT d.objid AS owner, d.refclassid, d.refobjid FROM pg_depend d"
"  WHERE d.classid = 'pg_class'::regclass AND d.objid = ANY ($1)"
" UNION ALL SELECT x.adrelid, d.refclassid, d.refobjid FROM pg_attrdef x"
"  JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = x.oid"
"  WHERE x.adrelid = ANY ($1)"
" UNION ALL SELECT x.conrelid, d.refclassid, d.refobjid FROM pg_constraint x"
"  JOIN pg_depend d ON d.classid = 'pg_constraint'::regclass AND d.objid = x.oid"
"  WHERE x.conrelid = ANY ($1)"
" UNION ALL SELECT x.indrelid, d.refclassid, d.refobjid FROM pg_index x"
"  JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = x.indexrelid"
"  WHERE x.indrelid = ANY ($1)"
" UNION ALL SELECT x.ev_class, d.refclassid, d.refobjid FROM pg_rewrite x"
"  JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = x.oid"
"  WHERE x.ev_class = ANY ($1)"
" UNION ALL SELECT x.tgrelid, d.refclassid, d.refobjid FROM pg_trigger x"
"  JOIN pg_depend d ON d.classid = 'pg_trigger'::regclass AND d.objid = x.oid"
"  WHERE x.tgrelid = ANY ($1) AND NOT x.tgisinternal"
" UNION ALL SELECT x.polrelid, d.refclassid, d.refobjid FROM pg_policy x"
"  JOIN pg_depend d ON d.classid = 'pg_policy'::regclass AND d.objid = x.oid"
"  WHERE x.polrelid = ANY ($1)),"
" needed AS ("
"  SELECT DISTINCT s.owner, s.refclassid, s.refobjid, e.extname FROM direct s"
"  LEFT JOIN (pg_depend d JOIN pg_extension e ON e.oid = d.refobjid)"
"   ON d.classid = s.refclassid AND d.objid = s.refobjid AND d.objsubid = 0 AND d.deptype = 'e'"
"  WHERE s.refobjid >= 16384 AND s.refobjid <> s.owner"
"  AND s.refclassid <> ALL (ARRAY['pg_namespace', 'pg_authid', 'pg_constraint']::regclass[])),"
" own AS (SELECT owner, refclassid, refobjid FROM needed WHERE extname IS NULL)"
" SELECT * FROM ("
" SELECT n.owner, 'extension' AS family, NULL::name AS schema, n.extname AS name,"
"   NULL::text AS signature FROM needed n WHERE n.extname IS NOT NULL"
" UNION SELECT n.owner, CASE WHEN c.relkind = 'S' THEN 'sequence'"
"   WHEN c.relkind = 'v' THEN 'view' WHEN c.relkind = 'm' THEN 'materialized_view'"
"   WHEN c.relkind = 'c' THEN 'composite_type'"
"   WHEN c.relispartition THEN 'partition' WHEN c.relkind = 'f' THEN 'foreign_table'"
"   ELSE 'table' END, s.nspname, c.relname, NULL"
"  FROM own n LEFT JOIN pg_type t ON n.refclassid = 'pg_type'::regclass AND t.oid = n.refobjid"
"  JOIN pg_class c ON c.oid = CASE WHEN n.refclassid = 'pg_class'::regclass THEN n.refobjid"
"   ELSE t.typrelid END"
"  JOIN pg_namespace s ON s.oid = c.relnamespace"
"  WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S', 'c') AND c.oid <> n.owner AND c.oid >= 16384"
" UNION SELECT n.owner, CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN 'domain'"
"   WHEN 'r' THEN 'range_type' WHEN 'm' THEN 'range_type' ELSE 'base_type' END,"
"   s.nspname, t.typname, NULL"
"  FROM own n JOIN pg_type a ON a.oid = n.refobjid AND n.refclassid = 'pg_type'::regclass"
"  LEFT JOIN pg_range mr ON mr.rngmultitypid = a.oid"
"  JOIN pg_type t ON t.oid = coalesce(mr.rngtypid, nullif(a.typelem, 0), a.oid) AND t.typrelid = 0"
"  JOIN pg_namespace s ON s.oid = t.typnamespace WHERE t.oid >= 16384"
" UNION SELECT n.owner, CASE p.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate'"
"   ELSE 'function' END, s.nspname, p.proname, oidvectortypes(p.proargtypes)"
"  FROM own n JOIN pg_proc p ON p.oid = n.refobjid AND n.refclassid = 'pg_proc'::regclass"
"  JOIN pg_namespace s ON s.oid = p.pronamespace"
" UNION SELECT n.owner, 'collation', s.nspname, c.collname, NULL"
"  FROM own n JOIN pg_collation c ON c.oid = n.refobjid AND n.refclassid = 'pg_collation'::regclass"
"  JOIN pg_namespace s ON s.oid = c.collnamespace"
" UNION SELECT n.owner, 'server', NULL, c.srvname, NULL"
"  FROM own n JOIN pg_foreign_server c ON c.oid = n.refobjid"
"   AND n.refclassid = 'pg_foreign_server'::regclass) AS d"
" ORDER BY owner, family COLLATE \"C\", schema, name, signature COLLATE \"C\"";

void
batch_read_dependencies(Batch *batch)
{
	catalog_query(dependencies_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		BatchRelation *relation = batch_find(batch, catalog_oid(row, 1));
		ModelBuilder b = {0};

		model_object_begin(&b);
		model_put_text(&b, "family", catalog_text(row, 2));
		model_put_text(&b, "schema", catalog_text(row, 3));
		model_put_text(&b, "name", catalog_text(row, 4));
		model_put_text(&b, "signature", catalog_text(row, 5));
		model_object_end(&b);
		relation->depends_on = lappend(relation->depends_on, b.result);
	}
}
