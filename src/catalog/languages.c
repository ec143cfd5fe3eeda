/*-------------------------------------------------------------------------
 *
 * languages.c
 *	  Procedural languages that no extension brought.
 *
 * Those of the server itself are left out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_language.h"

const FamilyReader catalog_languages = {
	.families = {"language"},
	.classid = LanguageRelationId,
	.grants = OBJECT_LANGUAGE,
	.sql =
	"SELECT l.oid AS _oid, 'language' AS _family, l.lanname AS _name, l.lanowner AS _owner, l.lanacl AS _acl,"
	" l.lanpltrusted AS trusted, " FUNCTION_NAME("l.lanplcallfoid") " AS handler,"
	" " FUNCTION_NAME("l.laninline") " AS inline, " FUNCTION_NAME("l.lanvalidator") " AS validator"
	" FROM pg_language l WHERE " USER_OBJECT("l.oid")
};
