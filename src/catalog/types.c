/*-------------------------------------------------------------------------
 *
 * types.c
 *	  Enums, domains, composite, range and base types.
 *
 * Row types of relations, array types and multiranges belong to another object
 * and are not listed.  The constraints of a domain are its parts, as those of a
 * table are.  A shell type is a base type that has nothing but its name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_type.h"

/* What only a base type that is defined has. */
#define BASE(value) "CASE WHEN t.typtype IN ('b', 'p') AND t.typisdefined THEN " value " END"

static const char types_sql[] =
"SELECT t.oid AS _oid, CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN 'domain' WHEN 'c' THEN 'composite_type'"
"  WHEN 'r' THEN 'range_type' ELSE 'base_type' END AS _family,"
" n.nspname AS _schema, t.typname AS _name, t.typowner AS _owner, t.typacl AS _acl,"
/* constraints of a domain */
" CASE WHEN t.typtype = 'd' THEN (SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object("
"   'family', 'constraint', 'name', c.conname, 'attributes', jsonb_build_object("
"    'type', 'check', 'expression', pg_get_expr(c.conbin, 0),"
"    'not_valid', nullif(NOT c.convalidated, false), 'comment', d.description))) ORDER BY c.conname COLLATE \"C\")"
"  FROM pg_constraint c LEFT JOIN pg_description d ON d.classoid = 'pg_constraint'::regclass"
"   AND d.objoid = c.oid AND d.objsubid = 0"
"  WHERE c.contypid = t.oid AND c.contype = 'c') END AS _parts,"
/* enums */
" CASE WHEN t.typtype = 'e' THEN (SELECT coalesce(jsonb_agg(e.enumlabel ORDER BY e.enumsortorder), '[]')"
"  FROM pg_enum e WHERE e.enumtypid = t.oid) END AS values,"
/* domains */
" CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod) END AS type,"
" t.typnotnull AS not_null,"
" CASE t.typtype WHEN 'd' THEN pg_get_expr(t.typdefaultbin, 0) ELSE t.typdefault END AS default,"
" CASE WHEN t.typtype = 'd' AND t.typcollation <> b.typcollation THEN " COLLATION_NAME("t.typcollation")
"  WHEN t.typtype = 'r' AND r.rngcollation <> st.typcollation THEN " COLLATION_NAME("r.rngcollation") " END AS collation,"
/* composite types */
" CASE WHEN t.typtype = 'c' THEN (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object("
"    'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),"
"    'collation', CASE WHEN a.attcollation <> ct.typcollation THEN " COLLATION_NAME("a.attcollation") " END,"
"    'comment', d.description)) ORDER BY a.attnum), '[]')"
"   FROM pg_attribute a JOIN pg_type ct ON ct.oid = a.atttypid"
"   LEFT JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = a.attrelid AND d.objsubid = a.attnum"
"   WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) END AS columns,"
/* range types */
" " TYPE_NAME("r.rngsubtype") " AS subtype,"
" CASE WHEN NOT o.opcdefault OR o.opcintype <> r.rngsubtype THEN " NAME_OF("os.nspname", "o.opcname") " END AS operator_class,"
" " FUNCTION_NAME("r.rngcanonical") " AS canonical,"
" " FUNCTION_NAME("r.rngsubdiff") " AS subtype_difference,"
" CASE WHEN m.oid IS NOT NULL THEN " NAME_OF("ms.nspname", "m.typname") " END AS multirange,"
/* base types */
" NOT t.typisdefined AS shell,"
" " BASE(FUNCTION_NAME("t.typinput")) " AS input,"
" " BASE(FUNCTION_NAME("t.typoutput")) " AS output,"
" " BASE(FUNCTION_NAME("t.typreceive")) " AS receive,"
" " BASE(FUNCTION_NAME("t.typsend")) " AS send,"
" " BASE(FUNCTION_NAME("t.typmodin")) " AS modifier_input,"
" " BASE(FUNCTION_NAME("t.typmodout")) " AS modifier_output,"
" " BASE(FUNCTION_NAME("t.typanalyze")) " AS analyze,"
" " BASE(FUNCTION_NAME("t.typsubscript")) " AS subscript,"
" " BASE("t.typlen") " AS length,"
" " BASE("t.typbyval") " AS by_value,"
" " BASE("CASE t.typalign WHEN 'c' THEN 'char' WHEN 's' THEN 'int2' WHEN 'i' THEN 'int4' ELSE 'double' END") " AS alignment,"
" " BASE("CASE t.typstorage WHEN 'p' THEN 'plain' WHEN 'e' THEN 'external' WHEN 'x' THEN 'extended' ELSE 'main' END") " AS storage,"
" " BASE("nullif(t.typcategory, 'U')") " AS category,"
" " BASE("t.typispreferred") " AS preferred,"
" " BASE("nullif(t.typdelim, ',')") " AS delimiter,"
" " BASE(TYPE_NAME("t.typelem")) " AS element,"
" " BASE("t.typcollation <> 0") " AS collatable"
" FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace"
" LEFT JOIN pg_type b ON b.oid = t.typbasetype AND t.typtype = 'd'"
" LEFT JOIN (pg_range r JOIN pg_type st ON st.oid = r.rngsubtype"
"   JOIN pg_opclass o ON o.oid = r.rngsubopc JOIN pg_namespace os ON os.oid = o.opcnamespace)"
"  ON r.rngtypid = t.oid"
" LEFT JOIN pg_type m ON m.oid = r.rngmultitypid LEFT JOIN pg_namespace ms ON ms.oid = m.typnamespace"
" WHERE " USER_SCHEMA " AND " USER_OBJECT("t.oid") " AND t.typtype IN ('e', 'd', 'c', 'r', 'b', 'p')"
" AND (t.typrelid = 0 OR EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))"
" AND NOT EXISTS (SELECT FROM pg_type el WHERE el.oid = t.typelem AND el.typarray = t.oid)";

/* Of a composite type's columns and of a domain's constraints. */
static const char types_depends_sql[] =
"SELECT t.oid, d.refclassid, d.refobjid FROM pg_class c JOIN pg_type t ON t.typrelid = c.oid"
" JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'n'"
" WHERE c.relkind = 'c'"
" UNION ALL SELECT c.contypid, d.refclassid, d.refobjid FROM pg_constraint c"
" JOIN pg_depend d ON d.classid = 'pg_constraint'::regclass AND d.objid = c.oid AND d.deptype = 'n'"
" WHERE c.contypid <> 0";

const FamilyReader catalog_types = {
	.families = {"enum", "domain", "composite_type", "range_type", "base_type"},
	.classid = TypeRelationId,
	.grants = OBJECT_TYPE,
	.sql = types_sql,
	.depends_sql = types_depends_sql
};
