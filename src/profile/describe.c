/*-------------------------------------------------------------------------
 *
 * describe.c
 *	  A page about one relation, for a person.
 *
 * Plain characters, at most 100 columns where names allow it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "profile/profile.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

#define BAR_CHARACTERS 30
#define SHOWN_VALUES 8
#define SHOWN_CHARACTERS 28

static double
number_in(JsonbContainer *object, const char *key)
{
	JsonbValue	v;

	if (!model_get_in(object, key, &v) || v.type != jbvNumeric)
		return 0;
	return DatumGetFloat8(DirectFunctionCall1(numeric_float8, NumericGetDatum(v.val.numeric)));
}

/* A value as text, empty when absent. */
static char *
text_in(JsonbContainer *object, const char *key)
{
	JsonbValue	v;

	return model_get_in(object, key, &v) ? model_value_text(&v) : pstrdup("");
}

static char *
shorten(char *text)
{
	int			length;

	for (char *c = text; *c; c++)
		if (*c == '\n' || *c == '\t' || *c == '\r')
			*c = ' ';
	if (pg_mbstrlen(text) <= SHOWN_CHARACTERS)
		return text;
	length = pg_mbcharcliplen(text, strlen(text), SHOWN_CHARACTERS - 3);
	return psprintf("%.*s...", length, text);
}

/* printf's width counts bytes; names have characters. */
static void
append_padded(StringInfo out, const char *text, int width)
{
	int			length = pg_mbstrlen(text);

	appendStringInfoString(out, text);
	appendStringInfoSpaces(out, Max(0, width - length));
}

static void
append_bar(StringInfo out, double share)
{
	int			n = (int) (share * BAR_CHARACTERS + 0.5);

	for (int i = 0; i < BAR_CHARACTERS; i++)
		appendStringInfoChar(out, i < Max(n, share > 0 ? 1 : 0) ? '#' : '.');
}

/* ---------- structure ---------- */

static void
append_heading(StringInfo out, Jsonb *object, const char *row_count, const char *when)
{
	JsonbContainer *attributes = model_container_in(&object->root, "attributes");
	char	   *comment = model_text_in(attributes, "comment");

	appendStringInfo(out, "%s\n", model_qualified_name(model_get_text(object, "schema"), model_get_text(object, "name")));
	appendStringInfo(out, "  %s owned by %s", model_get_text(object, "family"), text_in(attributes, "owner"));
	if (row_count != NULL)
		appendStringInfo(out, ", %s rows", row_count);
	appendStringInfo(out, ", as of %s\n", when);
	if (comment != NULL)
		appendStringInfo(out, "  \"%s\"\n", comment);
}

static void
append_column_facts(StringInfo out, JsonbContainer *attributes)
{
	char	   *fallback = model_text_in(attributes, "default");
	char	   *comment = model_text_in(attributes, "comment");

	appendStringInfoString(out, text_in(attributes, "type"));
	if (!model_bool_in(attributes, "nullable", true))
		appendStringInfoString(out, " not null");
	if (model_text_in(attributes, "generated") != NULL)
		appendStringInfo(out, " generated as %s", text_in(attributes, "generation_expression"));
	if (model_text_in(attributes, "identity") != NULL)
		appendStringInfoString(out, " identity");
	if (fallback != NULL)
		appendStringInfo(out, " default %s", fallback);
	if (comment != NULL)
		appendStringInfo(out, "  -- %s", comment);
	appendStringInfoChar(out, '\n');
}

/* ---------- what the rows say ---------- */

static void
append_measures(StringInfo out, JsonbContainer *column)
{
	JsonbContainer *range = model_container_in(column, "range");
	JsonbContainer *length = model_container_in(column, "length");
	JsonbContainer *inferred = model_container_in(column, "inferred");
	JsonbContainer *freshness = model_container_in(column, "freshness");
	double		null_rate = number_in(column, "null_rate");
	char	   *distinct = text_in(column, "cardinality");

	appendStringInfo(out, "    %s", text_in(column, "classification"));
	if (*distinct)
		appendStringInfo(out, ", %s distinct", distinct);
	if (null_rate > 0)
		appendStringInfo(out, ", %.1f%% null", null_rate * 100);
	if (inferred != NULL && model_bool_in(inferred, "candidate_key", false))
		appendStringInfoString(out, ", candidate key");
	if (inferred != NULL && model_text_in(inferred, "looks_like") != NULL)
		appendStringInfo(out, ", looks like %s", text_in(inferred, "looks_like"));
	if (range != NULL)
		appendStringInfo(out, ", from %s to %s", text_in(range, "min"), text_in(range, "max"));
	if (model_container_in(column, "percentiles") != NULL)
		appendStringInfo(out, ", median %s", text_in(model_container_in(column, "percentiles"), "p50"));
	if (length != NULL)
		appendStringInfo(out, ", %s to %s characters", text_in(length, "min"), text_in(length, "max"));
	if (freshness != NULL)
		appendStringInfo(out, ", %s", text_in(freshness, "classification"));
	appendStringInfoChar(out, '\n');
}

static void
append_values(StringInfo out, JsonbContainer *column, double rows)
{
	JsonbContainer *values = model_container_in(column, "values");
	double		nonnull = rows - number_in(column, "null_count");
	int			n = values ? JsonContainerSize(values) : 0;

	/* a list in which nothing is frequent says nothing */
	if (n == 0 || nonnull <= 0 ||
		number_in(getIthJsonbValueFromContainer(values, 0)->val.binary.data, "count") < Max(2, nonnull / 100))
		return;
	for (int i = 0; i < Min(n, SHOWN_VALUES); i++)
	{
		JsonbContainer *entry = getIthJsonbValueFromContainer(values, i)->val.binary.data;
		double		share = number_in(entry, "count") / nonnull;

		appendStringInfoString(out, "      ");
		append_padded(out, shorten(text_in(entry, "value")), SHOWN_CHARACTERS);
		appendStringInfoChar(out, ' ');
		append_bar(out, share);
		appendStringInfo(out, " %5.1f%%\n", share * 100);
	}
	if (n > SHOWN_VALUES)
		appendStringInfo(out, "      and %d more\n", n - SHOWN_VALUES);
}

static void
append_columns(StringInfo out, Jsonb *object, Jsonb *profile, double rows)
{
	JsonbContainer *parts = model_container_in(&object->root, "parts");
	JsonbContainer *columns = profile ? model_container_in(&profile->root, "columns") : NULL;

	appendStringInfoString(out, "\nColumns\n");
	for (uint32 i = 0; parts != NULL && i < JsonContainerSize(parts); i++)
	{
		JsonbContainer *part = getIthJsonbValueFromContainer(parts, i)->val.binary.data;
		JsonbContainer *measured;

		if (strcmp(text_in(part, "family"), "column") != 0)
			continue;
		appendStringInfoString(out, "  ");
		append_padded(out, text_in(part, "name"), 20);
		appendStringInfoChar(out, ' ');
		append_column_facts(out, model_container_in(part, "attributes"));
		measured = columns ? model_container_in(columns, text_in(part, "name")) : NULL;
		if (measured == NULL)
			continue;
		append_measures(out, measured);
		append_values(out, measured, rows);
	}
}

static void
append_other_parts(StringInfo out, Jsonb *object)
{
	JsonbContainer *parts = model_container_in(&object->root, "parts");
	bool		any = false;

	for (uint32 i = 0; parts != NULL && i < JsonContainerSize(parts); i++)
	{
		JsonbContainer *part = getIthJsonbValueFromContainer(parts, i)->val.binary.data;
		JsonbContainer *attributes = model_container_in(part, "attributes");
		char	   *family = text_in(part, "family");

		if (strcmp(family, "column") == 0)
			continue;
		if (!any)
			appendStringInfoString(out, "\nConstraints, indexes, triggers, rules, policies\n");
		any = true;
		appendStringInfo(out, "  %s %s", family, text_in(part, "name"));
		if (*text_in(attributes, "type"))
			appendStringInfo(out, " %s", text_in(attributes, "type"));
		if (*text_in(attributes, "method"))
			appendStringInfo(out, " %s", text_in(attributes, "method"));
		if (*text_in(attributes, "expression"))
			appendStringInfo(out, " %s", text_in(attributes, "expression"));
		else if (*text_in(attributes, "columns"))
			appendStringInfo(out, " %s", text_in(attributes, "columns"));
		if (*text_in(attributes, "predicate"))
			appendStringInfo(out, " where %s", text_in(attributes, "predicate"));
		appendStringInfoChar(out, '\n');
	}
}

static void
append_timeline(StringInfo out, Jsonb *profile)
{
	JsonbContainer *timeline = profile ? model_container_in(&profile->root, "timeline") : NULL;
	JsonbContainer *buckets = model_container_in(timeline, "buckets");
	int			n = buckets ? JsonContainerSize(buckets) : 0;
	double		most = 0;

	if (n == 0)
		return;
	for (int i = 0; i < n; i++)
		most = Max(most, number_in(getIthJsonbValueFromContainer(buckets, i)->val.binary.data, "count"));
	appendStringInfo(out, "\nRows by %s of %s\n", text_in(timeline, "unit"), text_in(timeline, "column"));
	for (int i = Max(0, n - 24); i < n; i++)
	{
		JsonbContainer *bucket = getIthJsonbValueFromContainer(buckets, i)->val.binary.data;

		appendStringInfo(out, "  %-20s ", text_in(bucket, "start"));
		append_bar(out, number_in(bucket, "count") / most);
		appendStringInfo(out, " %s\n", text_in(bucket, "count"));
	}
}

/* rows: how many the shares are of; the scanned ones under a scope. */
char *
profile_describe(Jsonb *object, Jsonb *profile, int64 rows, const char *row_count, const char *when)
{
	JsonbContainer *scope = profile ? model_container_in(&profile->root, "scope") : NULL;
	StringInfoData out;

	initStringInfo(&out);
	append_heading(&out, object, row_count, when);
	if (scope != NULL)
		appendStringInfo(&out, "  measured on %s rows\n", text_in(scope, "rows_scanned"));
	append_columns(&out, object, profile, scope ? number_in(scope, "rows_scanned") : rows);
	append_other_parts(&out, object);
	append_timeline(&out, profile);
	return out.data;
}
