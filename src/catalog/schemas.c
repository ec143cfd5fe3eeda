/*-------------------------------------------------------------------------
 *
 * schemas.c
 *	  Schemas.
 *
 * Only what a schema says of itself; its objects are entries of their own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_namespace.h"

const FamilyReader catalog_schemas = {
	.families = {"schema"},
	.classid = NamespaceRelationId,
	.grants = OBJECT_SCHEMA,
	.sql =
	"SELECT n.oid AS _oid, 'schema' AS _family, n.nspname AS _name, n.nspowner AS _owner, n.nspacl AS _acl"
	" FROM pg_namespace n WHERE " USER_SCHEMA
};
