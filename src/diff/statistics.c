/*-------------------------------------------------------------------------
 *
 * statistics.c
 *	  What moved in the rows: statistics by dot path, and row counts.
 *
 * Which paths are never compared, and which not under a scope, approximate
 * counts or redaction, are the tables below (dbprint v1, sections 2.2.8,
 * 2.2.9 and 2.6.6).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff_internal.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

/* Moves on every run whatever the rows do, or is ours and told elsewhere. */
static const char *const never[] = {
	"freshness", "sql_type", "nullable", "rows_scanned", "unmeasured", "sketch",
	"inferred.sampled", "inferred.matched", "inferred.looks_like_candidate",
	"inferred.looks_like_candidate_share", "physical_name", "collation", "physical_layout_key",
	"histogram", "hll", NULL
};

/* Scales with the population, which a scope on either side has narrowed. */
static const char *const population[] = {
	"cardinality", "null_count", "values", "sum", "zero_count", "negative_count", "empty_count",
	"quantized_count", "normalized_cardinality", "nan_count", "infinity_count", NULL
};

/* Counted on one side only approximately: two estimates differ by themselves. */
static const char *const counted[] = {"cardinality", "cardinality_ratio", NULL};

/* Cell values, or made of them. */
static const char *const cells[] = {"values", "range", "percentiles", "mean", "sum", "length", NULL};

/* Reported only when both sides measured it. */
static const char *const needs_both[] = {"normalized_cardinality", NULL};

typedef struct StatisticPair
{
	Diff	   *diff;
	DiffPair   *pair;
	const char *column;
	JsonbContainer *before;		/* all fields of the column */
	JsonbContainer *after;
	bool		scoped;
	bool		approximate;
	bool		redacted;
} StatisticPair;

/* A path is covered by a field's name when it is that field or lies in it. */
static bool
covers(const char *const *fields, const char *path)
{
	for (int i = 0; fields[i] != NULL; i++)
	{
		size_t		length = strlen(fields[i]);

		if (strncmp(path, fields[i], length) == 0 && (path[length] == '\0' || path[length] == '.'))
			return true;
	}
	return false;
}

static bool
is_unmeasured(JsonbContainer *fields, const char *path)
{
	JsonbContainer *list = model_container_in(fields, "unmeasured");

	for (uint32 i = 0; list != NULL && JsonContainerIsArray(list) && i < JsonContainerSize(list); i++)
	{
		const char *field[2] = {model_value_text(getIthJsonbValueFromContainer(list, i)), NULL};

		if (covers(field, path))
			return true;
	}
	return false;
}

static bool
is_suppressed(StatisticPair *s, const char *path, bool both)
{
	return covers(never, path) ||
		(s->scoped && covers(population, path)) ||
		(s->approximate && covers(counted, path)) ||
		(s->redacted && covers(cells, path)) ||
		(!both && covers(needs_both, path)) ||
		is_unmeasured(s->before, path) || is_unmeasured(s->after, path);
}

static void
set_delta(DriftChange *change, JsonbValue *before, JsonbValue *after)
{
	double		was;
	double		is;

	if (before->type != jbvNumeric || after->type != jbvNumeric)
		return;
	was = DatumGetFloat8(DirectFunctionCall1(numeric_float8, NumericGetDatum(before->val.numeric)));
	is = DatumGetFloat8(DirectFunctionCall1(numeric_float8, NumericGetDatum(after->val.numeric)));
	change->has_delta = true;
	change->delta = DatumGetFloat8(DirectFunctionCall1(numeric_float8,
													   DirectFunctionCall2(numeric_sub,
																		   NumericGetDatum(after->val.numeric),
																		   NumericGetDatum(before->val.numeric))));
	if (was != 0)
	{
		change->has_delta_pct = true;
		change->delta_pct = (is - was) / was;
	}
}

static void
report_statistic(StatisticPair *s, const char *path, JsonbValue *before, JsonbValue *after)
{
	DriftChange *change = diff_report(s->diff, s->pair, "statistic_changed");

	change->column_name = s->column;
	change->stat = path;
	change->before = model_value_jsonb(before);
	change->after = model_value_jsonb(after);
	if (before != NULL && after != NULL)
		set_delta(change, before, after);
}

static bool
is_object(JsonbValue *v)
{
	return v->type == jbvBinary && JsonContainerIsObject(v->val.binary.data);
}

static void compare_fields(StatisticPair *s, const char *prefix, JsonbContainer *before, JsonbContainer *after);

/* One field, absent (NULL) on at most one side; objects go on by their fields. */
static void
compare_field(StatisticPair *s, const char *path, JsonbValue *before, JsonbValue *after)
{
	if (is_suppressed(s, path, before && after))
		return;
	if ((before == NULL || is_object(before)) && (after == NULL || is_object(after)))
	{
		compare_fields(s, path, before ? before->val.binary.data : NULL, after ? after->val.binary.data : NULL);
		return;
	}
	if (before && after && model_value_equal(before, after))
		return;
	report_statistic(s, path, before, after);
}

static void
compare_fields(StatisticPair *s, const char *prefix, JsonbContainer *before, JsonbContainer *after)
{
	JsonbContainer *sides[2] = {before, after};

	for (int side = 0; side < 2; side++)
	{
		JsonbIterator *it;
		JsonbIteratorToken token;
		JsonbValue	v;

		if (sides[side] == NULL)
			continue;
		it = JsonbIteratorInit(sides[side]);
		while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
		{
			char	   *key;
			char	   *path;
			JsonbValue	mine;
			JsonbValue	other;
			bool		has_other;

			if (token != WJB_KEY)
				continue;
			key = pnstrdup(v.val.string.val, v.val.string.len);
			path = *prefix ? psprintf("%s.%s", prefix, key) : key;
			(void) JsonbIteratorNext(&it, &mine, true);
			has_other = model_get_in(sides[1 - side], key, &other);
			if (side == 0)
				compare_field(s, path, &mine, has_other ? &other : NULL);
			else if (!has_other)
				compare_field(s, path, NULL, &mine);
		}
	}
}

static bool
is_approximate(JsonbContainer *fields)
{
	char	   *method = model_text_in(fields, "cardinality_method");

	return method != NULL && strcmp(method, "approximate") == 0;
}

static bool
is_redacted(JsonbContainer *fields)
{
	JsonbValue	v;

	return model_get_in(fields, "redacted", &v);
}

static void
compare_column(Diff *diff, DiffPair *pair, const char *column, JsonbContainer *before, JsonbContainer *after)
{
	StatisticPair s = {0};

	s.diff = diff;
	s.pair = pair;
	s.column = column;
	s.before = before;
	s.after = after;
	s.scoped = pair->before->scoped || pair->after->scoped;
	s.approximate = is_approximate(before) || is_approximate(after);
	s.redacted = is_redacted(before) || is_redacted(after);
	compare_fields(&s, "", before, after);
}

/* Columns that both profiles hold, the baseline's under its name now. */
void
diff_statistics(Diff *diff, DiffPair *pair)
{
	JsonbContainer *before;
	JsonbContainer *after;
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	v;

	if (pair->before->profile == NULL || pair->after->profile == NULL)
		return;
	before = model_container_in(&pair->before->profile->root, "columns");
	after = model_container_in(&pair->after->profile->root, "columns");
	if (before == NULL || after == NULL)
		return;
	it = JsonbIteratorInit(before);
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		const char *column;
		JsonbContainer *counterpart;

		if (token != WJB_KEY)
			continue;
		column = diff_new_column_name(pair, pnstrdup(v.val.string.val, v.val.string.len));
		(void) JsonbIteratorNext(&it, &v, true);
		counterpart = column ? model_container_in(after, column) : NULL;
		if (counterpart != NULL && v.type == jbvBinary)
			compare_column(diff, pair, column, v.val.binary.data, counterpart);
	}
}

static Jsonb *
count_shape(const DriftEntry *entry)
{
	ModelBuilder b = {0};

	model_object_begin(&b);
	model_put_int(&b, "row_count", entry->row_count);
	model_put_text(&b, "method", model_count_method_name(entry->count_method));
	model_object_end(&b);
	return model_finish(&b);
}

/*
 * Fires on the number alone; a change of method is none.  Two estimates of a
 * table that nobody wrote to in between are the estimator's doing.
 */
void
diff_row_count(Diff *diff, DiffPair *pair)
{
	DriftChange *change;

	if (pair->before->count_method == DRIFT_COUNT_NONE || pair->after->count_method == DRIFT_COUNT_NONE ||
		pair->before->row_count == pair->after->row_count)
		return;
	if (pair->before->count_method == DRIFT_COUNT_APPROXIMATE && pair->after->count_method == DRIFT_COUNT_APPROXIMATE &&
		pair->before->write_mark != 0 && pair->before->write_mark == pair->after->write_mark)
		return;
	change = diff_report(diff, pair, "table_row_count_changed");
	change->before = count_shape(pair->before);
	change->after = count_shape(pair->after);
	change->has_delta = true;
	change->delta = (double) (pair->after->row_count - pair->before->row_count);
	if (pair->before->row_count != 0)
	{
		change->has_delta_pct = true;
		change->delta_pct = change->delta / pair->before->row_count;
	}
}
