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
	.classid = NamespaceRelationId,
	.grants = OBJECT_SCHEMA,
	.sql =
	"SELECT n.oid, 'schema'::text, NULL::text, n.nspname::text, NULL::text, n.nspowner, n.nspacl,"
	" NULL::jsonb, NULL::text, NULL::jsonb"
	" FROM pg_namespace n WHERE " USER_SCHEMA
};
