/*-------------------------------------------------------------------------
 *
 * extensions.c
 *	  Extensions: which, which version, in which schema.
 *
 * Their members are part of them and are not listed.  Who owns an extension is
 * not part of a schema: no statement can say it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_extension.h"

const FamilyReader catalog_extensions = {
	.classid = ExtensionRelationId,
	.sql =
	"SELECT e.oid, 'extension'::text, NULL::text, e.extname::text, NULL::text, NULL::oid, NULL::aclitem[],"
	" jsonb_build_object('version', e.extversion, 'schema', n.nspname), NULL::text, NULL::jsonb"
	" FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace"
};
