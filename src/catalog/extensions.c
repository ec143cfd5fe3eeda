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
	.families = {"extension"},
	.classid = ExtensionRelationId,
	.sql =
	"SELECT e.oid AS _oid, 'extension' AS _family, e.extname AS _name,"
	" e.extversion AS version, n.nspname AS schema"
	" FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace"
};
