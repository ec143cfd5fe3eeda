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

#define DEFAULT_COLLATION "t.typcollation <> coalesce(bt.typcollation, 0)"
#define COLLATION_NAME(oid) "nullif(" oid ", 0)::regcollation::text"

static const char types_sql[] =
"SELECT t.oid, CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN 'domain' WHEN 'c' THEN 'composite_type'"
"  WHEN 'r' THEN 'range_type' ELSE 'base_type' END,"
" n.nspname::text, t.typname::text, NULL::text, t.typowner, t.typacl,"
" CASE t.typtype"
" WHEN 'e' THEN jsonb_build_object('values', (SELECT coalesce(jsonb_agg(e.enumlabel ORDER BY e.enumsortorder), '[]')"
"   FROM pg_enum e WHERE e.enumtypid = t.oid))"
" WHEN 'd' THEN jsonb_build_object("
"  'type', format_type(t.typbasetype, t.typtypmod),"
"  'not_null', " SET_FLAG("t.typnotnull") ","
"  'default', pg_get_expr(t.typdefaultbin, 0),"
"  'collation', CASE WHEN " DEFAULT_COLLATION " THEN " COLLATION_NAME("t.typcollation") " END)"
" WHEN 'c' THEN jsonb_build_object('columns', (SELECT coalesce(jsonb_agg(jsonb_build_object("
"    'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),"
"    'collation', CASE WHEN a.attcollation <> ct.typcollation THEN " COLLATION_NAME("a.attcollation") " END,"
"    'comment', d.description) ORDER BY a.attnum), '[]')"
"   FROM pg_attribute a JOIN pg_type ct ON ct.oid = a.atttypid"
"   LEFT JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = a.attrelid AND d.objsubid = a.attnum"
"   WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped))"
" WHEN 'r' THEN (SELECT jsonb_build_object("
"   'subtype', format_type(r.rngsubtype, NULL),"
"   'operator_class', CASE WHEN NOT oc.opcdefault OR oc.opcintype <> r.rngsubtype THEN"
"    jsonb_build_object('schema', ocn.nspname, 'name', oc.opcname) END,"
"   'collation', CASE WHEN r.rngcollation <> st.typcollation THEN " COLLATION_NAME("r.rngcollation") " END,"
"   'canonical', " FUNCTION_NAME("r.rngcanonical") ","
"   'subtype_difference', " FUNCTION_NAME("r.rngsubdiff") ","
"   'multirange', jsonb_build_object('schema', mn.nspname, 'name', m.typname))"
"  FROM pg_range r JOIN pg_type st ON st.oid = r.rngsubtype"
"  JOIN pg_opclass oc ON oc.oid = r.rngsubopc JOIN pg_namespace ocn ON ocn.oid = oc.opcnamespace"
"  LEFT JOIN pg_type m ON m.oid = r.rngmultitypid LEFT JOIN pg_namespace mn ON mn.oid = m.typnamespace"
"  WHERE r.rngtypid = t.oid)"
" ELSE CASE WHEN NOT t.typisdefined THEN '{\"shell\": true}' ELSE jsonb_build_object("
"  'input', " FUNCTION_NAME("t.typinput") ", 'output', " FUNCTION_NAME("t.typoutput") ","
"  'receive', " FUNCTION_NAME("t.typreceive") ", 'send', " FUNCTION_NAME("t.typsend") ","
"  'modifier_input', " FUNCTION_NAME("t.typmodin") ", 'modifier_output', " FUNCTION_NAME("t.typmodout") ","
"  'analyze', " FUNCTION_NAME("t.typanalyze") ", 'subscript', " FUNCTION_NAME("t.typsubscript") ","
"  'length', t.typlen, 'by_value', " SET_FLAG("t.typbyval") ","
"  'alignment', t.typalign, 'storage', t.typstorage, 'category', nullif(t.typcategory, 'U'),"
"  'preferred', " SET_FLAG("t.typispreferred") ", 'delimiter', nullif(t.typdelim, ','),"
"  'element', format_type(nullif(t.typelem, 0), NULL), 'collatable', " SET_FLAG("t.typcollation <> 0") ","
"  'default', t.typdefault) END"
" END, NULL::text,"
" CASE WHEN t.typtype = 'd' THEN (SELECT jsonb_agg(jsonb_build_object("
"   'family', 'constraint', 'name', c.conname, 'attributes', jsonb_build_object("
"    'type', 'check', 'expression', pg_get_expr(c.conbin, 0),"
"    'not_valid', " SET_FLAG("NOT c.convalidated") ", 'comment', d.description)) ORDER BY c.conname COLLATE \"C\")"
"  FROM pg_constraint c LEFT JOIN pg_description d ON d.classoid = 'pg_constraint'::regclass"
"   AND d.objoid = c.oid AND d.objsubid = 0"
"  WHERE c.contypid = t.oid AND c.contype = 'c') END"
" FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace"
" LEFT JOIN pg_type bt ON bt.oid = t.typbasetype AND t.typtype = 'd'"
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
	.classid = TypeRelationId,
	.grants = OBJECT_TYPE,
	.sql = types_sql,
	.depends_sql = types_depends_sql
};
