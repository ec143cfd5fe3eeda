/*-------------------------------------------------------------------------
 *
 * foreign.c
 *	  Foreign data wrappers, servers and user mappings.
 *
 * A user mapping's options hold passwords: only their names are read, and only
 * by those whom the server lets see them; for others the mapping is undecided.
 * It is named by its server, its signature is the user.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_foreign_data_wrapper.h"
#include "catalog/pg_foreign_server.h"
#include "catalog/pg_user_mapping.h"

const FamilyReader catalog_foreign_data_wrappers = {
	.families = {"foreign_data_wrapper"},
	.classid = ForeignDataWrapperRelationId,
	.grants = OBJECT_FDW,
	.sql =
	"SELECT f.oid AS _oid, 'foreign_data_wrapper' AS _family, f.fdwname AS _name, f.fdwowner AS _owner, f.fdwacl AS _acl,"
	" " FUNCTION_NAME("f.fdwhandler") " AS handler, " FUNCTION_NAME("f.fdwvalidator") " AS validator,"
	" " SORTED("f.fdwoptions") " AS options"
	" FROM pg_foreign_data_wrapper f"
};

const FamilyReader catalog_servers = {
	.families = {"server"},
	.classid = ForeignServerRelationId,
	.grants = OBJECT_FOREIGN_SERVER,
	.sql =
	"SELECT s.oid AS _oid, 'server' AS _family, s.srvname AS _name, s.srvowner AS _owner, s.srvacl AS _acl,"
	" f.fdwname AS foreign_data_wrapper, s.srvtype AS type, s.srvversion AS version,"
	" " SORTED("s.srvoptions") " AS options"
	" FROM pg_foreign_server s JOIN pg_foreign_data_wrapper f ON f.oid = s.srvfdw"
};

/* Who may see a mapping's options; the view shows a null to others. */
#define MAY_SEE_OPTIONS \
	"(u.umoptions IS NOT NULL OR r.rolsuper" \
	" OR (u.umuser = 0 AND pg_has_role(s.srvowner, 'USAGE'))" \
	" OR (u.umuser <> 0 AND u.usename = current_user AND" \
	"  (pg_has_role(s.srvowner, 'USAGE') OR has_server_privilege(s.oid, 'USAGE'))))"

const FamilyReader catalog_user_mappings = {
	.families = {"user_mapping"},
	.classid = UserMappingRelationId,
	.sql =
	"SELECT u.umid AS _oid, 'user_mapping' AS _family, u.srvname AS _name,"
	" CASE WHEN u.umuser = 0 THEN 'PUBLIC' ELSE u.usename END AS _signature,"
	" (SELECT array_agg(o.option_name ORDER BY o.option_name COLLATE \"C\")"
	"   FROM pg_options_to_table(u.umoptions) o) AS option_names,"
	" CASE WHEN NOT " MAY_SEE_OPTIONS " THEN"
	"  'the options of another user''s mapping are hidden from role ' || quote_ident(current_user) END AS undecided"
	" FROM pg_user_mappings u JOIN pg_foreign_server s ON s.oid = u.srvid"
	" JOIN pg_roles r ON r.rolname = current_user"
};
