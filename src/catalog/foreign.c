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
	.classid = ForeignDataWrapperRelationId,
	.grants = OBJECT_FDW,
	.sql =
	"SELECT f.oid, 'foreign_data_wrapper'::text, NULL::text, f.fdwname::text, NULL::text, f.fdwowner, f.fdwacl,"
	" jsonb_build_object('handler', " FUNCTION_NAME("f.fdwhandler") ", 'validator', " FUNCTION_NAME("f.fdwvalidator") ","
	"  'options', " SORTED_TEXTS("f.fdwoptions") "), NULL::text, NULL::jsonb"
	" FROM pg_foreign_data_wrapper f"
};

const FamilyReader catalog_servers = {
	.classid = ForeignServerRelationId,
	.grants = OBJECT_FOREIGN_SERVER,
	.sql =
	"SELECT s.oid, 'server'::text, NULL::text, s.srvname::text, NULL::text, s.srvowner, s.srvacl,"
	" jsonb_build_object('foreign_data_wrapper', f.fdwname, 'type', s.srvtype, 'version', s.srvversion,"
	"  'options', " SORTED_TEXTS("s.srvoptions") "), NULL::text, NULL::jsonb"
	" FROM pg_foreign_server s JOIN pg_foreign_data_wrapper f ON f.oid = s.srvfdw"
};

/* The condition is that of the view itself, which shows a null to others. */
const FamilyReader catalog_user_mappings = {
	.classid = UserMappingRelationId,
	.sql =
	"SELECT u.umid, 'user_mapping'::text, NULL::text, u.srvname::text,"
	" CASE WHEN u.umuser = 0 THEN 'PUBLIC' ELSE u.usename::text END, NULL::oid, NULL::aclitem[],"
	" CASE WHEN u.umoptions IS NOT NULL OR r.rolsuper"
	"  OR (u.umuser = 0 AND pg_has_role(s.srvowner, 'USAGE'))"
	"  OR (u.umuser <> 0 AND u.usename = current_user AND"
	"   (pg_has_role(s.srvowner, 'USAGE') OR has_server_privilege(s.oid, 'USAGE')))"
	"  THEN jsonb_build_object('option_names', (SELECT jsonb_agg(o.option_name ORDER BY o.option_name COLLATE \"C\")"
	"   FROM pg_options_to_table(u.umoptions) o))"
	"  ELSE jsonb_build_object('undecided', 'the options of another user''s mapping are hidden from role '"
	"   || quote_ident(current_user)) END,"
	" NULL::text, NULL::jsonb"
	" FROM pg_user_mappings u JOIN pg_foreign_server s ON s.oid = u.srvid"
	" JOIN pg_roles r ON r.rolname = current_user"
};
