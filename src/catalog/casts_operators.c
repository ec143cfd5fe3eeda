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
#define SIGNATURE(oid) "nullif(" oid ", 0)::regprocedure::text"

/* Members that pg_depend ties to an operator class or family, as they are declared. */
#define MEMBER_OPERATORS(refclass, oid) \
	"(SELECT array_agg(o.amopstrategy || ' ' || o.amopopr::regoperator::text ||" \
	"   CASE WHEN o.amopsortfamily <> 0 THEN ' FOR ORDER BY ' || quote_ident(sn.nspname) || '.' || quote_ident(sf.opfname)" \
	"    ELSE '' END ORDER BY o.amopstrategy, o.amopopr::regoperator::text COLLATE \"C\")" \
	"  FROM pg_depend d JOIN pg_amop o ON o.oid = d.objid" \
	"  LEFT JOIN pg_opfamily sf ON sf.oid = o.amopsortfamily LEFT JOIN pg_namespace sn ON sn.oid = sf.opfnamespace" \
	"  WHERE d.refclassid = '" refclass "'::regclass AND d.refobjid = " oid \
	"  AND d.classid = 'pg_amop'::regclass AND d.deptype IN ('a', 'i'))"
#define MEMBER_FUNCTIONS(refclass, oid) \
	"(SELECT array_agg(f.amprocnum || ' (' || format_type(f.amproclefttype, NULL) || ', ' ||" \
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
	.families = {"cast"},
	.classid = CastRelationId,
	.sql =
	"SELECT c.oid AS _oid, 'cast' AS _family,"
	" format_type(c.castsource, NULL) || ' AS ' || format_type(c.casttarget, NULL) AS _name,"
	" format_type(c.castsource, NULL) AS source, format_type(c.casttarget, NULL) AS target,"
	" CASE c.castmethod WHEN 'b' THEN 'binary' WHEN 'i' THEN 'inout' END AS method,"
	" " SIGNATURE("c.castfunc") " AS function,"
	" CASE c.castcontext WHEN 'a' THEN 'assignment' WHEN 'i' THEN 'implicit' END AS context"
	" FROM pg_cast c WHERE " USER_OBJECT("c.oid")
	/* that of a range to its multirange belongs to the type */
	" AND " NOT_INTERNAL("pg_cast", "c.oid")
};

const FamilyReader catalog_operators = {
	.families = {"operator"},
	.classid = OperatorRelationId,
	.sql =
	"SELECT o.oid AS _oid, 'operator' AS _family, n.nspname AS _schema, o.oprname AS _name,"
	" coalesce(" TYPE_NAME("o.oprleft") ", 'NONE') || ', ' || format_type(o.oprright, NULL) AS _signature,"
	" o.oprowner AS _owner,"
	" " TYPE_NAME("o.oprleft") " AS left, " TYPE_NAME("o.oprright") " AS right,"
	" format_type(o.oprresult, NULL) AS returns,"
	" " FUNCTION_NAME("o.oprcode") " AS function,"
	" " OPERATOR_NAME("o.oprcom") " AS commutator, " OPERATOR_NAME("o.oprnegate") " AS negator,"
	" " FUNCTION_NAME("o.oprrest") " AS restriction_estimator,"
	" " FUNCTION_NAME("o.oprjoin") " AS join_estimator,"
	" o.oprcanhash AS hashes, o.oprcanmerge AS merges"
	" FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace"
	" WHERE " USER_SCHEMA " AND o.oprcode <> 0"
};

const FamilyReader catalog_operator_classes = {
	.families = {"operator_class"},
	.classid = OperatorClassRelationId,
	.sql =
	"SELECT c.oid AS _oid, 'operator_class' AS _family, n.nspname AS _schema, c.opcname AS _name,"
	" m.amname AS _signature, c.opcowner AS _owner,"
	" format_type(c.opcintype, NULL) AS type, c.opcdefault AS default,"
	" " NAME_OF("fn.nspname", "f.opfname") " AS family,"
	" " TYPE_NAME("c.opckeytype") " AS storage,"
	" " MEMBER_OPERATORS("pg_opclass", "c.oid") " AS operators,"
	" " MEMBER_FUNCTIONS("pg_opclass", "c.oid") " AS functions"
	" FROM pg_opclass c JOIN pg_namespace n ON n.oid = c.opcnamespace JOIN pg_am m ON m.oid = c.opcmethod"
	" JOIN pg_opfamily f ON f.oid = c.opcfamily JOIN pg_namespace fn ON fn.oid = f.opfnamespace"
	" WHERE " USER_SCHEMA,
	.depends_sql = MEMBER_NEEDS("pg_opclass")
};

const FamilyReader catalog_operator_families = {
	.families = {"operator_family"},
	.classid = OperatorFamilyRelationId,
	.sql =
	"SELECT f.oid AS _oid, 'operator_family' AS _family, n.nspname AS _schema, f.opfname AS _name,"
	" m.amname AS _signature, f.opfowner AS _owner,"
	" " MEMBER_OPERATORS("pg_opfamily", "f.oid") " AS operators,"
	" " MEMBER_FUNCTIONS("pg_opfamily", "f.oid") " AS functions"
	" FROM pg_opfamily f JOIN pg_namespace n ON n.oid = f.opfnamespace JOIN pg_am m ON m.oid = f.opfmethod"
	" WHERE " USER_SCHEMA,
	.depends_sql = MEMBER_NEEDS("pg_opfamily")
};

const FamilyReader catalog_conversions = {
	.families = {"conversion"},
	.classid = ConversionRelationId,
	.sql =
	"SELECT c.oid AS _oid, 'conversion' AS _family, n.nspname AS _schema, c.conname AS _name, c.conowner AS _owner,"
	" pg_encoding_to_char(c.conforencoding) AS from, pg_encoding_to_char(c.contoencoding) AS to,"
	" " FUNCTION_NAME("c.conproc") " AS function, c.condefault AS default"
	" FROM pg_conversion c JOIN pg_namespace n ON n.oid = c.connamespace WHERE " USER_SCHEMA
};

const FamilyReader catalog_transforms = {
	.families = {"transform"},
	.classid = TransformRelationId,
	.sql =
	"SELECT t.oid AS _oid, 'transform' AS _family, format_type(t.trftype, NULL) AS _name, l.lanname AS _signature,"
	" " SIGNATURE("t.trffromsql") " AS from_sql, " SIGNATURE("t.trftosql") " AS to_sql"
	" FROM pg_transform t JOIN pg_language l ON l.oid = t.trflang WHERE " USER_OBJECT("t.oid")
};

const FamilyReader catalog_access_methods = {
	.families = {"access_method"},
	.classid = AccessMethodRelationId,
	.sql =
	"SELECT a.oid AS _oid, 'access_method' AS _family, a.amname AS _name,"
	" CASE a.amtype WHEN 't' THEN 'table' ELSE 'index' END AS type, " FUNCTION_NAME("a.amhandler") " AS handler"
	" FROM pg_am a WHERE " USER_OBJECT("a.oid")
};
