/*-------------------------------------------------------------------------
 *
 * collations.c
 *	  Collations.
 *
 * The version that the provider had when a collation was made is a fact of the
 * server and not part of the object.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_collation.h"
#include "compat.h"

const FamilyReader catalog_collations = {
	.classid = CollationRelationId,
	.sql =
	"SELECT c.oid, 'collation'::text, n.nspname::text, c.collname::text,"
	/* the same name may stand for several encodings */
	" CASE WHEN c.collencoding >= 0 AND c.collencoding <> e.encoding THEN pg_encoding_to_char(c.collencoding) END,"
	" c.collowner, NULL::aclitem[], jsonb_build_object("
	"  'provider', CASE c.collprovider WHEN 'c' THEN 'libc' WHEN 'i' THEN 'icu' WHEN 'b' THEN 'builtin'"
	"   WHEN 'd' THEN 'default' END,"
	"  'collate', c.collcollate, 'ctype', c.collctype, " COLLATION_LOCALE ","
	"  'nondeterministic', " SET_FLAG("NOT c.collisdeterministic") "),"
	" NULL::text, NULL::jsonb"
	" FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace"
	" CROSS JOIN (SELECT d.encoding FROM pg_database d WHERE d.datname = current_database()) AS e"
	" WHERE " USER_SCHEMA
};
