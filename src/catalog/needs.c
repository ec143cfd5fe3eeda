/*-------------------------------------------------------------------------
 *
 * needs.c
 *	  The query for what the objects of one catalog depend on.
 *
 * As for relations: objects of the system and schemas are left out, an object
 * that belongs to an extension stands for the extension, what is internal to
 * another object (a row type, an array type, a multirange, a default) stands
 * for that object.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"

/* %1$u is the catalog's OID, %2$s which kinds, %3$s a reader's own rows. */
static const char direct_sql[] =
"WITH direct (owner, refclassid, refobjid) AS ("
" SELECT d.objid, d.refclassid, d.refobjid FROM pg_depend d"
"  WHERE d.classid = %1$u AND d.deptype IN (%2$s)%3$s),";

static const char needed_sql[] =
" needed AS ("
"  SELECT DISTINCT s.owner, s.refclassid, s.refobjid, e.extname FROM direct s"
"  LEFT JOIN (pg_depend d JOIN pg_extension e ON e.oid = d.refobjid)"
"   ON d.classid = s.refclassid AND d.objid = s.refobjid AND d.objsubid = 0 AND d.deptype = 'e'"
"  WHERE s.refobjid >= 16384 AND s.refobjid <> s.owner";

static const char needs_sql[] =
" own AS (SELECT owner, refclassid, refobjid FROM needed WHERE extname IS NULL)"
" SELECT owner, family, schema::text, name::text, signature FROM ("
" SELECT n.owner, 'extension' AS family, NULL::name AS schema, n.extname AS name,"
"   NULL::text AS signature FROM needed n WHERE n.extname IS NOT NULL"
" UNION SELECT n.owner, 'extension', NULL, e.extname, NULL"
"  FROM own n JOIN pg_extension e ON e.oid = n.refobjid AND n.refclassid = 'pg_extension'::regclass"
" UNION SELECT n.owner, CASE WHEN c.relkind = 'S' THEN 'sequence'"
"   WHEN c.relkind = 'v' THEN 'view' WHEN c.relkind = 'm' THEN 'materialized_view'"
"   WHEN c.relkind = 'c' THEN 'composite_type'"
"   WHEN c.relispartition THEN 'partition' WHEN c.relkind = 'f' THEN 'foreign_table'"
"   ELSE 'table' END, s.nspname, c.relname, NULL"
"  FROM (SELECT owner, refobjid AS relation FROM own WHERE refclassid = 'pg_class'::regclass"
"   UNION SELECT o.owner, t.typrelid FROM own o JOIN pg_type a ON a.oid = o.refobjid"
"    LEFT JOIN pg_type e ON e.oid = a.typelem AND e.typarray = a.oid"
"    JOIN pg_type t ON t.oid = coalesce(e.oid, a.oid)"
"    WHERE o.refclassid = 'pg_type'::regclass AND t.typrelid <> 0) AS n"
"  JOIN pg_class c ON c.oid = n.relation AND c.reltype <> n.owner"
"  JOIN pg_namespace s ON s.oid = c.relnamespace"
"  WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S', 'c') AND c.oid <> n.owner"
" UNION SELECT n.owner, CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN 'domain'"
"   WHEN 'r' THEN 'range_type' ELSE 'base_type' END, s.nspname, t.typname, NULL"
"  FROM own n JOIN pg_type a ON a.oid = n.refobjid AND n.refclassid = 'pg_type'::regclass"
"  LEFT JOIN pg_type el ON el.oid = a.typelem AND el.typarray = a.oid"
"  LEFT JOIN pg_range mr ON mr.rngmultitypid = coalesce(el.oid, a.oid)"
"  JOIN pg_type t ON t.oid = coalesce(mr.rngtypid, el.oid, a.oid) AND t.typrelid = 0"
"  JOIN pg_namespace s ON s.oid = t.typnamespace WHERE t.oid >= 16384 AND t.oid <> n.owner"
" UNION SELECT n.owner, CASE p.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate'"
"   ELSE 'function' END, s.nspname, p.proname, oidvectortypes(p.proargtypes)"
"  FROM own n JOIN pg_proc p ON p.oid = n.refobjid AND n.refclassid = 'pg_proc'::regclass"
"  JOIN pg_namespace s ON s.oid = p.pronamespace"
" UNION SELECT n.owner, 'operator', s.nspname, p.oprname,"
"   coalesce(format_type(nullif(p.oprleft, 0), NULL), 'NONE') || ', ' || format_type(p.oprright, NULL)"
"  FROM own n JOIN pg_operator p ON p.oid = n.refobjid AND n.refclassid = 'pg_operator'::regclass"
"  JOIN pg_namespace s ON s.oid = p.oprnamespace WHERE p.oprcode <> 0"
" UNION SELECT n.owner, 'operator_class', s.nspname, p.opcname, m.amname::text"
"  FROM own n JOIN pg_opclass p ON p.oid = n.refobjid AND n.refclassid = 'pg_opclass'::regclass"
"  JOIN pg_am m ON m.oid = p.opcmethod JOIN pg_namespace s ON s.oid = p.opcnamespace"
" UNION SELECT n.owner, 'operator_family', s.nspname, p.opfname, m.amname::text"
"  FROM own n JOIN pg_opfamily p ON p.oid = n.refobjid AND n.refclassid = 'pg_opfamily'::regclass"
"  JOIN pg_am m ON m.oid = p.opfmethod JOIN pg_namespace s ON s.oid = p.opfnamespace"
" UNION SELECT n.owner, 'collation', s.nspname, c.collname, NULL"
"  FROM own n JOIN pg_collation c ON c.oid = n.refobjid AND n.refclassid = 'pg_collation'::regclass"
"  JOIN pg_namespace s ON s.oid = c.collnamespace"
" UNION SELECT n.owner, 'text_search_parser', s.nspname, c.prsname, NULL"
"  FROM own n JOIN pg_ts_parser c ON c.oid = n.refobjid AND n.refclassid = 'pg_ts_parser'::regclass"
"  JOIN pg_namespace s ON s.oid = c.prsnamespace"
" UNION SELECT n.owner, 'text_search_template', s.nspname, c.tmplname, NULL"
"  FROM own n JOIN pg_ts_template c ON c.oid = n.refobjid AND n.refclassid = 'pg_ts_template'::regclass"
"  JOIN pg_namespace s ON s.oid = c.tmplnamespace"
" UNION SELECT n.owner, 'text_search_dictionary', s.nspname, c.dictname, NULL"
"  FROM own n JOIN pg_ts_dict c ON c.oid = n.refobjid AND n.refclassid = 'pg_ts_dict'::regclass"
"  JOIN pg_namespace s ON s.oid = c.dictnamespace"
" UNION SELECT n.owner, 'text_search_configuration', s.nspname, c.cfgname, NULL"
"  FROM own n JOIN pg_ts_config c ON c.oid = n.refobjid AND n.refclassid = 'pg_ts_config'::regclass"
"  JOIN pg_namespace s ON s.oid = c.cfgnamespace"
" UNION SELECT n.owner, 'foreign_data_wrapper', NULL, c.fdwname, NULL"
"  FROM own n JOIN pg_foreign_data_wrapper c ON c.oid = n.refobjid"
"   AND n.refclassid = 'pg_foreign_data_wrapper'::regclass"
" UNION SELECT n.owner, 'server', NULL, c.srvname, NULL"
"  FROM own n JOIN pg_foreign_server c ON c.oid = n.refobjid"
"   AND n.refclassid = 'pg_foreign_server'::regclass"
" UNION SELECT n.owner, 'language', NULL, c.lanname, NULL"
"  FROM own n JOIN pg_language c ON c.oid = n.refobjid AND n.refclassid = 'pg_language'::regclass"
" UNION SELECT n.owner, 'access_method', NULL, c.amname, NULL"
"  FROM own n JOIN pg_am c ON c.oid = n.refobjid AND n.refclassid = 'pg_am'::regclass"
" UNION SELECT n.owner, 'publication', NULL, c.pubname, NULL"
"  FROM own n JOIN pg_publication c ON c.oid = n.refobjid AND n.refclassid = 'pg_publication'::regclass"
" UNION SELECT n.owner, 'role', NULL, c.rolname, NULL"
"  FROM own n JOIN pg_roles c ON c.oid = n.refobjid AND n.refclassid = 'pg_authid'::regclass"
") AS d ORDER BY owner, family COLLATE \"C\", schema COLLATE \"C\", name COLLATE \"C\", signature COLLATE \"C\"";

char *
catalog_needs_sql(const FamilyReader *reader, bool some)
{
	char	   *direct = psprintf(direct_sql, reader->classid,
								  reader->owned ? "'n'" : "'n', 'a', 'i'",
								  reader->depends_sql ? psprintf(" UNION ALL %s", reader->depends_sql) : "");

	return psprintf("%s%s%s%s", direct, needed_sql, some ? " AND s.owner = ANY ($1))," : "),", needs_sql);
}
