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
	.classid = LanguageRelationId,
	.grants = OBJECT_LANGUAGE,
	.sql =
	"SELECT l.oid, 'language'::text, NULL::text, l.lanname::text, NULL::text, l.lanowner, l.lanacl,"
	" jsonb_build_object('trusted', " SET_FLAG("l.lanpltrusted") ", 'handler', nullif(l.lanplcallfoid, 0)::regproc::text,"
	"  'inline', nullif(l.laninline, 0)::regproc::text, 'validator', nullif(l.lanvalidator, 0)::regproc::text),"
	" NULL::text, NULL::jsonb"
	" FROM pg_language l WHERE " USER_OBJECT("l.oid")
};
