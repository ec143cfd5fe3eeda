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
	.families = {"role"},
	.classid = AuthIdRelationId,
	.shared = true,
	.sql =
	"SELECT r.oid AS _oid, 'role' AS _family, r.rolname AS _name,"
	" r.rolsuper AS superuser,"
	" NOT r.rolinherit AS no_inherit,"
	" r.rolcreaterole AS create_role,"
	" r.rolcreatedb AS create_database,"
	" r.rolcanlogin AS login,"
	" r.rolreplication AS replication,"
	" r.rolbypassrls AS bypass_row_security,"
	" nullif(r.rolconnlimit, -1) AS connection_limit,"
	" CASE WHEN r.rolvaliduntil <> 'infinity' THEN r.rolvaliduntil::text END AS valid_until,"
	" (SELECT " SORTED("s.setconfig") " FROM pg_db_role_setting s"
	"   WHERE s.setrole = r.oid AND s.setdatabase = 0) AS settings,"
	" (SELECT " SORTED("s.setconfig") " FROM pg_db_role_setting s"
	"   JOIN pg_database d ON d.oid = s.setdatabase AND d.datname = current_database()"
	"   WHERE s.setrole = r.oid) AS database_settings,"
	" (SELECT jsonb_agg(m.membership ORDER BY m.name COLLATE \"C\") FROM ("
	"   SELECT g.rolname AS name, jsonb_strip_nulls(jsonb_build_object('role', g.rolname,"
	"     " ROLE_MEMBERSHIP_OPTIONS ")) AS membership"
	"   FROM pg_auth_members am JOIN pg_roles g ON g.oid = am.roleid"
	"   WHERE am.member = r.oid GROUP BY g.rolname) AS m) AS member_of"
	" FROM pg_roles r WHERE " USER_OBJECT("r.oid") " AND NOT starts_with(r.rolname::text, 'pg_')"
};
