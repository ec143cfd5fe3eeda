/*-------------------------------------------------------------------------
 *
 * casts_operators.c
 *	  Casts, operators, their classes and families, conversions, transforms,
 *	  access methods.
 *
 * The signature of an operator is its operand types, of an operator class or
 * family its access method, of a transform its language.  A cast is named by its
 * two types.  Members of an operator family that came with an operator class
 * are listed with the class.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_am.h"
#include "catalog/pg_cast.h"
#include "catalog/pg_conversion.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_transform.h"

#define OPERATOR_NAME(oid) "nullif(" oid ", 0)::regoperator::text"

/* Members that pg_depend ties to an operator class or family, as they are declared. */
#define MEMBER_OPERATORS(refclass, oid) \
	"(SELECT jsonb_agg(o.amopstrategy || ' ' || o.amopopr::regoperator::text ||" \
	"   CASE WHEN o.amopsortfamily <> 0 THEN ' FOR ORDER BY ' || quote_ident(sn.nspname) || '.' || quote_ident(sf.opfname)" \
	"    ELSE '' END ORDER BY o.amopstrategy, o.amopopr::regoperator::text COLLATE \"C\")" \
	"  FROM pg_depend d JOIN pg_amop o ON o.oid = d.objid" \
	"  LEFT JOIN pg_opfamily sf ON sf.oid = o.amopsortfamily LEFT JOIN pg_namespace sn ON sn.oid = sf.opfnamespace" \
	"  WHERE d.refclassid = '" refclass "'::regclass AND d.refobjid = " oid \
	"  AND d.classid = 'pg_amop'::regclass AND d.deptype IN ('a', 'i'))"
#define MEMBER_FUNCTIONS(refclass, oid) \
	"(SELECT jsonb_agg(f.amprocnum || ' (' || format_type(f.amproclefttype, NULL) || ', ' ||" \
	"   format_type(f.amprocrighttype, NULL) || ') ' || f.amproc::oid::regprocedure::text" \
	"   ORDER BY f.amprocnum, f.amproc::oid::regprocedure::text COLLATE \"C\")" \
	"  FROM pg_depend d JOIN pg_amproc f ON f.oid = d.objid" \
	"  WHERE d.refclassid = '" refclass "'::regclass AND d.refobjid = " oid \
	"  AND d.classid = 'pg_amproc'::regclass AND d.deptype IN ('a', 'i'))"

/* What the members of a class or family need. */
#define MEMBER_NEEDS(refclass) \
	"SELECT m.refobjid, d.refclassid, d.refobjid FROM pg_depend m" \
	" JOIN pg_depend d ON d.classid = m.classid AND d.objid = m.objid AND d.deptype = 'n'" \
	" WHERE m.classid IN ('pg_amop'::regclass, 'pg_amproc'::regclass)" \
	" AND m.refclassid = '" refclass "'::regclass AND m.deptype IN ('a', 'i')"

const FamilyReader catalog_casts = {
	.classid = CastRelationId,
	.sql =
	"SELECT c.oid, 'cast'::text, NULL::text,"
	" format_type(c.castsource, NULL) || ' AS ' || format_type(c.casttarget, NULL), NULL::text,"
	" NULL::oid, NULL::aclitem[], jsonb_build_object("
	"  'source', format_type(c.castsource, NULL), 'target', format_type(c.casttarget, NULL),"
	"  'method', CASE c.castmethod WHEN 'b' THEN 'binary' WHEN 'i' THEN 'inout' END,"
	"  'function', CASE WHEN c.castfunc <> 0 THEN c.castfunc::regprocedure::text END,"
	"  'context', CASE c.castcontext WHEN 'a' THEN 'assignment' WHEN 'i' THEN 'implicit' END),"
	" NULL::text, NULL::jsonb"
	" FROM pg_cast c WHERE " USER_OBJECT("c.oid")
	/* that of a range to its multirange belongs to the type */
	" AND NOT EXISTS (SELECT FROM pg_depend i WHERE i.classid = 'pg_cast'::regclass"
	"  AND i.objid = c.oid AND i.objsubid = 0 AND i.deptype = 'i')"
};

const FamilyReader catalog_operators = {
	.classid = OperatorRelationId,
	.sql =
	"SELECT o.oid, 'operator'::text, n.nspname::text, o.oprname::text,"
	" coalesce(format_type(nullif(o.oprleft, 0), NULL), 'NONE') || ', ' || format_type(o.oprright, NULL),"
	" o.oprowner, NULL::aclitem[], jsonb_build_object("
	"  'left', format_type(nullif(o.oprleft, 0), NULL), 'right', format_type(nullif(o.oprright, 0), NULL),"
	"  'returns', format_type(o.oprresult, NULL),"
	"  'function', " FUNCTION_NAME("o.oprcode") ","
	"  'commutator', " OPERATOR_NAME("o.oprcom") ", 'negator', " OPERATOR_NAME("o.oprnegate") ","
	"  'restriction_estimator', " FUNCTION_NAME("o.oprrest") ","
	"  'join_estimator', " FUNCTION_NAME("o.oprjoin") ","
	"  'hashes', " SET_FLAG("o.oprcanhash") ", 'merges', " SET_FLAG("o.oprcanmerge") "),"
	" NULL::text, NULL::jsonb"
	" FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace"
	" WHERE " USER_SCHEMA " AND o.oprcode <> 0"
};

const FamilyReader catalog_operator_classes = {
	.classid = OperatorClassRelationId,
	.sql =
	"SELECT c.oid, 'operator_class'::text, n.nspname::text, c.opcname::text, m.amname::text,"
	" c.opcowner, NULL::aclitem[], jsonb_build_object("
	"  'type', format_type(c.opcintype, NULL), 'default', " SET_FLAG("c.opcdefault") ","
	"  'family', " NAME_OF("fn.nspname", "f.opfname") ","
	"  'storage', format_type(nullif(c.opckeytype, 0), NULL),"
	"  'operators', " MEMBER_OPERATORS("pg_opclass", "c.oid") ","
	"  'functions', " MEMBER_FUNCTIONS("pg_opclass", "c.oid") "),"
	" NULL::text, NULL::jsonb"
	" FROM pg_opclass c JOIN pg_namespace n ON n.oid = c.opcnamespace JOIN pg_am m ON m.oid = c.opcmethod"
	" JOIN pg_opfamily f ON f.oid = c.opcfamily JOIN pg_namespace fn ON fn.oid = f.opfnamespace"
	" WHERE " USER_SCHEMA,
	.depends_sql = MEMBER_NEEDS("pg_opclass")
};

const FamilyReader catalog_operator_families = {
	.classid = OperatorFamilyRelationId,
	.sql =
	"SELECT f.oid, 'operator_family'::text, n.nspname::text, f.opfname::text, m.amname::text,"
	" f.opfowner, NULL::aclitem[], jsonb_build_object("
	"  'operators', " MEMBER_OPERATORS("pg_opfamily", "f.oid") ","
	"  'functions', " MEMBER_FUNCTIONS("pg_opfamily", "f.oid") "),"
	" NULL::text, NULL::jsonb"
	" FROM pg_opfamily f JOIN pg_namespace n ON n.oid = f.opfnamespace JOIN pg_am m ON m.oid = f.opfmethod"
	" WHERE " USER_SCHEMA,
	.depends_sql = MEMBER_NEEDS("pg_opfamily")
};

const FamilyReader catalog_conversions = {
	.classid = ConversionRelationId,
	.sql =
	"SELECT c.oid, 'conversion'::text, n.nspname::text, c.conname::text, NULL::text, c.conowner,"
	" NULL::aclitem[], jsonb_build_object("
	"  'from', pg_encoding_to_char(c.conforencoding), 'to', pg_encoding_to_char(c.contoencoding),"
	"  'function', " FUNCTION_NAME("c.conproc") ", 'default', " SET_FLAG("c.condefault") "),"
	" NULL::text, NULL::jsonb"
	" FROM pg_conversion c JOIN pg_namespace n ON n.oid = c.connamespace WHERE " USER_SCHEMA
};

const FamilyReader catalog_transforms = {
	.classid = TransformRelationId,
	.sql =
	"SELECT t.oid, 'transform'::text, NULL::text, format_type(t.trftype, NULL), l.lanname::text, NULL::oid,"
	" NULL::aclitem[], jsonb_build_object("
	"  'from_sql', CASE WHEN t.trffromsql <> 0 THEN t.trffromsql::regprocedure::text END,"
	"  'to_sql', CASE WHEN t.trftosql <> 0 THEN t.trftosql::regprocedure::text END),"
	" NULL::text, NULL::jsonb"
	" FROM pg_transform t JOIN pg_language l ON l.oid = t.trflang WHERE " USER_OBJECT("t.oid")
};

const FamilyReader catalog_access_methods = {
	.classid = AccessMethodRelationId,
	.sql =
	"SELECT a.oid, 'access_method'::text, NULL::text, a.amname::text, NULL::text, NULL::oid, NULL::aclitem[],"
	" jsonb_build_object('type', CASE a.amtype WHEN 't' THEN 'table' ELSE 'index' END,"
	"  'handler', " FUNCTION_NAME("a.amhandler") "), NULL::text, NULL::jsonb"
	" FROM pg_am a WHERE " USER_OBJECT("a.oid")
};
