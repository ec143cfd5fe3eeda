/*-------------------------------------------------------------------------
 *
 * roles.c
 *	  Roles, their attributes, settings and memberships; never a password.
 *
 * Roles belong to the server, not to the database.  Those that every server has
 * (the first superuser and pg_*) are left out.  pg_roles is readable by all and
 * holds everything but the password.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_authid.h"
#include "compat.h"

const FamilyReader catalog_roles = {
	.classid = AuthIdRelationId,
	.shared = true,
	.sql =
	"SELECT r.oid, 'role'::text, NULL::text, r.rolname::text, NULL::text, NULL::oid, NULL::aclitem[],"
	" jsonb_build_object("
	"  'superuser', " SET_FLAG("r.rolsuper") ","
	"  'no_inherit', " SET_FLAG("NOT r.rolinherit") ","
	"  'create_role', " SET_FLAG("r.rolcreaterole") ","
	"  'create_database', " SET_FLAG("r.rolcreatedb") ","
	"  'login', " SET_FLAG("r.rolcanlogin") ","
	"  'replication', " SET_FLAG("r.rolreplication") ","
	"  'bypass_row_security', " SET_FLAG("r.rolbypassrls") ","
	"  'connection_limit', nullif(r.rolconnlimit, -1),"
	"  'valid_until', CASE WHEN r.rolvaliduntil <> 'infinity' THEN r.rolvaliduntil::text END,"
	"  'settings', (SELECT " SORTED_TEXTS("s.setconfig") " FROM pg_db_role_setting s"
	"    WHERE s.setrole = r.oid AND s.setdatabase = 0),"
	"  'database_settings', (SELECT " SORTED_TEXTS("s.setconfig") " FROM pg_db_role_setting s"
	"    JOIN pg_database d ON d.oid = s.setdatabase AND d.datname = current_database()"
	"    WHERE s.setrole = r.oid),"
	"  'member_of', (SELECT jsonb_agg(m.membership ORDER BY m.name COLLATE \"C\") FROM ("
	"    SELECT g.rolname AS name, jsonb_strip_nulls(jsonb_build_object('role', g.rolname,"
	"      " ROLE_MEMBERSHIP_OPTIONS ")) AS membership"
	"    FROM pg_auth_members am JOIN pg_roles g ON g.oid = am.roleid"
	"    WHERE am.member = r.oid GROUP BY g.rolname) AS m)),"
	" NULL::text, NULL::jsonb"
	" FROM pg_roles r WHERE " USER_OBJECT("r.oid") " AND r.rolname !~ '^pg_'"
};
