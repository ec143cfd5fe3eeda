/*-------------------------------------------------------------------------
 *
 * model.c
 *	  Identity, order and canonical bytes of objects; selection by name.
 *
 * Names are compared as bytes, so the order is the same in every database
 * whatever its collation.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "common/cryptohash.h"
#include "mb/pg_wchar.h"
#include "model/model.h"
#include "utils/builtins.h"
#include "utils/formatting.h"
#include "utils/guc.h"

/*
 * What decides how PostgreSQL prints an expression or a value.  The same for
 * every print, so that two prints differ only where the database does.
 */
static const struct
{
	const char *name;
	const char *value;
}			canonical_settings[] =
{
	{"search_path", "pg_catalog"},
	{"DateStyle", "ISO, YMD"},
	{"IntervalStyle", "postgres"},
	{"TimeZone", "UTC"},
	{"extra_float_digits", "1"},
	{"bytea_output", "hex"},
	{"xmlbinary", "base64"},
	{"xmloption", "content"},
	{"quote_all_identifiers", "off"},
	{"lc_monetary", "C"},
	{"lc_numeric", "C"},
	{"lc_time", "C"},
	{"array_nulls", "on"},
	/* catalog queries are many and short, whatever the planner thinks */
	{"jit", "off"}
};

/*
 * Put the canonical settings in force until model_canonical_end() or the end
 * of the surrounding (sub)transaction.
 */
int
model_canonical_begin(void)
{
	int			nestlevel = NewGUCNestLevel();

	for (int i = 0; i < lengthof(canonical_settings); i++)
		(void) set_config_option(canonical_settings[i].name, canonical_settings[i].value,
								 PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	return nestlevel;
}

void
model_canonical_end(int nestlevel)
{
	AtEOXact_GUC(true, nestlevel);
}

/* SHA-256 of a document's bytes (FIPS 180-4). */
void
model_hash(Jsonb *body, uint8 *hash)
{
	pg_cryptohash_ctx *ctx = pg_cryptohash_create(PG_SHA256);

	if (ctx == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	if (pg_cryptohash_init(ctx) < 0 ||
		pg_cryptohash_update(ctx, (const uint8 *) VARDATA(body), VARSIZE(body) - VARHDRSZ) < 0 ||
		pg_cryptohash_final(ctx, hash, DRIFT_HASH_BYTES) < 0)
	{
		pg_cryptohash_free(ctx);
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not compute the hash of an object")));
	}
	pg_cryptohash_free(ctx);
}

static int
compare_text(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

int
model_compare_identity(const DriftEntry *a, const DriftEntry *b)
{
	int			c;

	if ((c = compare_text(a->schema, b->schema)) != 0)
		return c;
	if ((c = compare_text(a->name, b->name)) != 0)
		return c;
	if ((c = compare_text(a->family, b->family)) != 0)
		return c;
	return compare_text(a->signature, b->signature);
}

/* For qsort over an array of DriftEntry. */
int
model_compare_entries(const void *a, const void *b)
{
	return model_compare_identity((const DriftEntry *) a, (const DriftEntry *) b);
}

char *
model_qualified_name(const char *schema, const char *name)
{
	if (schema == NULL)
		return pstrdup(quote_identifier(name));
	return quote_qualified_identifier(schema, name);
}

/* What a person would type: schema.name, with arguments where there are any. */
char *
model_entry_name(const DriftEntry *entry)
{
	char	   *name = model_qualified_name(entry->schema, entry->name);

	return entry->signature == NULL ? name : psprintf("%s(%s)", name, entry->signature);
}

bool
model_is_relation_family(const char *family)
{
	return strcmp(family, "table") == 0 || strcmp(family, "view") == 0 ||
		strcmp(family, "materialized_view") == 0 || strcmp(family, "foreign_table") == 0 ||
		strcmp(family, "partition") == 0;
}

/* Whether OIDs of one mean the same in the other. */
bool
model_same_database(const DriftPrint *a, const DriftPrint *b)
{
	return a->system_identifier != 0 && OidIsValid(a->database) &&
		a->system_identifier == b->system_identifier && a->database == b->database;
}

const char *
model_status_name(DriftStatus status)
{
	switch (status)
	{
		case DRIFT_PROFILED:
			return "profiled";
		case DRIFT_SKIPPED:
			return "skipped";
		case DRIFT_CATALOG_ONLY:
			return "catalog_only";
		case DRIFT_FAILED:
			return "failed";
		case DRIFT_PLANNED:
			return "planned";
	}
	return "unknown";
}

const char *
model_count_method_name(DriftCountMethod method)
{
	switch (method)
	{
		case DRIFT_COUNT_EXACT:
			return "exact";
		case DRIFT_COUNT_APPROXIMATE:
			return "approximate";
		case DRIFT_COUNT_NONE:
			break;
	}
	return NULL;
}

/*
 * "*" matches any run of characters, dots too, "?" one character.  Linear in
 * text times the number of stars: on a mismatch only the last star gives way.
 */
bool
model_glob_match(const char *pattern, const char *text)
{
	const char *star = NULL;
	const char *retry = NULL;

	while (*text)
	{
		if (*pattern == '*')
		{
			star = pattern++;
			retry = text;
		}
		else if (*pattern == '?')
		{
			pattern++;
			text += pg_mblen(text);
		}
		else if (*pattern && *pattern == *text)
		{
			pattern++;
			text++;
		}
		else if (star)
		{
			pattern = star + 1;
			retry += pg_mblen(retry);
			text = retry;
		}
		else
			return false;
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

static bool
matches_any(const char *folded, List *patterns)
{
	ListCell   *lc;

	foreach(lc, patterns)
	{
		const char *pattern = lfirst(lc);
		char	   *lower = str_tolower(pattern, strlen(pattern), DEFAULT_COLLATION_OID);
		bool		hit = model_glob_match(lower, folded);

		pfree(lower);
		if (hit)
			return true;
	}
	return false;
}

/* An empty include selects everything; exclude wins over include. */
bool
model_selected(const char *schema, const char *name, List *include, List *exclude)
{
	char	   *qualified;
	char	   *folded;
	bool		selected;

	if (include == NIL && exclude == NIL)
		return true;
	qualified = schema ? psprintf("%s.%s", schema, name) : pstrdup(name);
	folded = str_tolower(qualified, strlen(qualified), DEFAULT_COLLATION_OID);
	selected = (include == NIL || matches_any(folded, include)) && !matches_any(folded, exclude);
	pfree(qualified);
	pfree(folded);
	return selected;
}

List *
model_text_list(ArrayType *array, const char *what)
{
	List	   *texts = NIL;
	Datum	   *elements;
	bool	   *nulls;
	int			n;

	if (array == NULL)
		return NIL;
	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &n);
	if (n == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%s\" is an empty array", what),
				 errhint("Leave it out, or pass NULL, for no restriction.")));
	for (int i = 0; i < n; i++)
	{
		char	   *element = nulls[i] ? NULL : TextDatumGetCString(elements[i]);

		if (element == NULL || *element == '\0')
			ereport(ERROR,
					(errcode(element == NULL ? ERRCODE_NULL_VALUE_NOT_ALLOWED : ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("element %d of \"%s\" is %s", i + 1, what, element == NULL ? "null" : "empty")));
		texts = lappend(texts, element);
	}
	return texts;
}
