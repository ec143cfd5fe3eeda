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
	.families = {"collation"},
	.classid = CollationRelationId,
	.sql =
	"SELECT c.oid AS _oid, 'collation' AS _family, n.nspname AS _schema, c.collname AS _name,"
	/* the same name may stand for several encodings */
	" CASE WHEN c.collencoding >= 0 AND c.collencoding <> e.encoding"
	"  THEN pg_encoding_to_char(c.collencoding) END AS _signature,"
	" c.collowner AS _owner,"
	" CASE c.collprovider WHEN 'c' THEN 'libc' WHEN 'i' THEN 'icu' WHEN 'b' THEN 'builtin'"
	"  WHEN 'd' THEN 'default' END AS provider,"
	" c.collcollate AS collate, c.collctype AS ctype, " COLLATION_LOCALE ","
	" NOT c.collisdeterministic AS nondeterministic"
	" FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace"
	" CROSS JOIN (SELECT d.encoding FROM pg_database d WHERE d.datname = current_database()) AS e"
	" WHERE " USER_SCHEMA
};
