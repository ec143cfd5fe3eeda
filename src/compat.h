/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  Every difference between server versions 15, 16, 17 and 18.
 *
 * No other file looks at PG_VERSION_NUM.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_COMPAT_H
#define DRIFTPRINT_COMPAT_H

#include "postgres.h"

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 190000
#error "driftprint supports PostgreSQL 15, 16, 17 and 18"
#endif

/* The server version this library is for. */
#define COMPAT_SERVER_VERSION PG_VERSION_NUM

/* Options of the membership of role "r", for a group of pg_auth_members "am". */
#if PG_VERSION_NUM >= 160000
#define ROLE_MEMBERSHIP_OPTIONS \
	"'admin', nullif(bool_or(am.admin_option), false)," \
	" 'inherit', nullif(bool_or(am.inherit_option), r.rolinherit)," \
	" 'no_set', nullif(NOT bool_or(am.set_option), false)"
#else
#define ROLE_MEMBERSHIP_OPTIONS "'admin', nullif(bool_or(am.admin_option), false)"
#endif

/* What pg_collation "c" says beside collate and ctype. */
#if PG_VERSION_NUM >= 170000
#define COLLATION_LOCALE "c.colllocale AS locale, c.collicurules AS rules"
#elif PG_VERSION_NUM >= 160000
#define COLLATION_LOCALE "c.colliculocale AS locale, c.collicurules AS rules"
#else
#define COLLATION_LOCALE "c.colliculocale AS locale"
#endif

/* What pg_publication "p" has that older servers lack. */
#if PG_VERSION_NUM >= 180000
#define PUBLICATION_OPTIONS " CASE p.pubgencols WHEN 's' THEN 'stored' END AS generated_columns,"
#else
#define PUBLICATION_OPTIONS ""
#endif

/* Reading a temporary file, where coming up short is an error. */
#if PG_VERSION_NUM < 160000
#include "storage/buffile.h"

static inline void
BufFileReadExact(BufFile *file, void *ptr, size_t size)
{
	if (BufFileRead(file, ptr, size) != size)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read from a temporary file: it is too short")));
}
#endif

/* The next value of a sort of values, in memory of its own. */
#include "utils/tuplesort.h"

static inline bool
compat_next_datum(Tuplesortstate *sort, Datum *value, bool *isnull)
{
#if PG_VERSION_NUM >= 160000
	return tuplesort_getdatum(sort, true, true, value, isnull, NULL);
#else
	return tuplesort_getdatum(sort, true, value, isnull, NULL);
#endif
}

/* Whether a text is JSON, without an error when it is not. */
#include "common/jsonapi.h"
#include "mb/pg_wchar.h"

static inline bool
compat_is_json(const char *text, int length)
{
#if PG_VERSION_NUM >= 170000
	JsonLexContext *lex = makeJsonLexContextCstringLen(NULL, text, length, GetDatabaseEncoding(), false);
	bool		valid = pg_parse_json(lex, &nullSemAction) == JSON_SUCCESS;

	freeJsonLexContext(lex);
	return valid;
#else
	JsonLexContext *lex = makeJsonLexContextCstringLen((char *) text, length, GetDatabaseEncoding(), false);

	return pg_parse_json(lex, &nullSemAction) == JSON_SUCCESS;
#endif
}

/* Of a function that does not return; in front of its declaration. */
#if PG_VERSION_NUM < 180000
#define pg_noreturn pg_attribute_noreturn()
#endif

#endif							/* DRIFTPRINT_COMPAT_H */
