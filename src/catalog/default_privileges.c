/*-------------------------------------------------------------------------
 *
 * default_privileges.c
 *	  Default privileges: of a role, in a schema or everywhere, for a kind of object.
 *
 * Named by the role, with the kind of object as signature; the schema is absent
 * where they hold everywhere.  What they hold is listed in full: in a schema
 * they add to what holds everywhere, and an empty list everywhere is a
 * difference from the built-in one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_default_acl.h"

const FamilyReader catalog_default_privileges = {
	.families = {"default_privileges"},
	.classid = DefaultAclRelationId,
	.sql =
	"SELECT d.oid AS _oid, 'default_privileges' AS _family, n.nspname AS _schema,"
	" pg_get_userbyid(d.defaclrole) AS _name,"
	" CASE d.defaclobjtype WHEN 'r' THEN 'tables' WHEN 'S' THEN 'sequences' WHEN 'f' THEN 'functions'"
	"  WHEN 'T' THEN 'types' WHEN 'n' THEN 'schemas' WHEN 'L' THEN 'large objects' END AS _signature,"
	" (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object("
	"   'grantee', g.grantee, 'privilege', g.privilege, 'grantable', nullif(g.grantable, false)))"
	"   ORDER BY g.grantee COLLATE \"C\", g.privilege COLLATE \"C\"), '[]') FROM ("
	"   SELECT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE r.rolname::text END AS grantee,"
	"    a.privilege_type AS privilege, bool_or(a.is_grantable) AS grantable"
	"   FROM aclexplode(d.defaclacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee"
	"   WHERE a.grantee = 0 OR r.oid IS NOT NULL GROUP BY 1, 2) AS g) AS grants"
	" FROM pg_default_acl d LEFT JOIN pg_namespace n ON n.oid = d.defaclnamespace"
};
