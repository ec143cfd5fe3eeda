/*-------------------------------------------------------------------------
 *
 * text.c
 *	  A diff as a page that people read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "mb/pg_wchar.h"
#include "report/report.h"
#include "utils/builtins.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

/* Characters of a value on a line. */
#define VALUE_CHARACTERS 60

/* Statistics shown of one relation; the rest are counted. */
#define STATISTICS_SHOWN 8

void
report_default_thresholds(ReportThresholds *thresholds)
{
	thresholds->cardinality_ratio = 0.02;
	thresholds->percentile_pct = 0.05;
	thresholds->values_coverage = 0.05;
	thresholds->otherwise = 0.01;
}

static const struct
{
	const char *key;
	size_t		offset;
}			threshold_keys[] =
{
	{"cardinality_ratio", offsetof(ReportThresholds, cardinality_ratio)},
	{"percentile_pct", offsetof(ReportThresholds, percentile_pct)},
	{"values_coverage", offsetof(ReportThresholds, values_coverage)},
	{"default", offsetof(ReportThresholds, otherwise)}
};

static double *
threshold_field(ReportThresholds *thresholds, const char *key)
{
	for (int i = 0; i < lengthof(threshold_keys); i++)
		if (strcmp(threshold_keys[i].key, key) == 0)
			return (double *) ((char *) thresholds + threshold_keys[i].offset);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("threshold \"%s\" is not known", key),
			 errhint("The thresholds are cardinality_ratio, percentile_pct, values_coverage and default.")));
	return NULL;
}

/* An object of thresholds over the defaults. */
void
report_read_thresholds(Jsonb *document, ReportThresholds *thresholds)
{
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	v;

	if (!JB_ROOT_IS_OBJECT(document))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"threshold\" must be a JSON object"),
				 errhint("For example {\"default\": 0.05}.")));
	it = JsonbIteratorInit(&document->root);
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		char	   *key;
		double	   *field;

		if (token != WJB_KEY)
			continue;
		key = pnstrdup(v.val.string.val, v.val.string.len);
		field = threshold_field(thresholds, key);
		(void) JsonbIteratorNext(&it, &v, true);
		if (v.type != jbvNumeric)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("threshold \"%s\" must be a number", key)));
		*field = DatumGetFloat8(DirectFunctionCall1(numeric_float8, NumericGetDatum(v.val.numeric)));
		if (*field < 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("threshold \"%s\" must not be negative", key)));
	}
}

/* Whether a statistic moved less than is worth a line. */
static bool
is_small(const DriftChange *change, const ReportThresholds *t)
{
	double		fraction = change->has_delta_pct ? fabs(change->delta_pct) : HUGE_VAL;

	if (strcmp(change->kind, "statistic_changed") != 0 || !change->has_delta)
		return false;
	if (strcmp(change->stat, "cardinality_ratio") == 0)
		return fabs(change->delta) < t->cardinality_ratio;
	if (strcmp(change->stat, "values_coverage") == 0)
		return fabs(change->delta) < t->values_coverage;
	if (strncmp(change->stat, "percentiles.", strlen("percentiles.")) == 0)
		return fraction < t->percentile_pct;
	return fraction < t->otherwise;
}

/* ---------- values ---------- */

static char *
one_line(char *text)
{
	char	   *to = text;
	bool		space = false;

	for (char *from = text; *from; from++)
	{
		bool		is_space = *from == '\n' || *from == '\t' || *from == '\r' || *from == ' ';

		if (is_space && space)
			continue;
		space = is_space;
		*to++ = is_space ? ' ' : *from;
	}
	*to = '\0';
	return text;
}

static char *
value_text(Jsonb *value)
{
	JsonbValue *scalar;

	if (value == NULL)
		return pstrdup("none");
	if (!JB_ROOT_IS_SCALAR(value))
		return one_line(model_jsonb_text(value));
	scalar = getIthJsonbValueFromContainer(&value->root, 0);
	return scalar->type == jbvNull ? pstrdup("none") : one_line(model_value_text(scalar));
}

/* Cut in the middle of nothing: from a little before "from", with dots. */
static char *
window(const char *text, int from)
{
	int			length;

	while (from > 0 && IS_HIGHBIT_SET(text[from]))
		from--;
	length = pg_mbcharcliplen(text + from, strlen(text + from), VALUE_CHARACTERS);
	return psprintf("%s%.*s%s", from > 0 ? "..." : "", length, text + from,
					text[from + length] != '\0' ? "..." : "");
}

/* Two values on two lines when long, from where they begin to differ. */
static void
append_values(StringInfo out, Jsonb *before, Jsonb *after)
{
	char	   *was = value_text(before);
	char	   *is = value_text(after);
	int			same = 0;

	if (pg_mbstrlen(was) + pg_mbstrlen(is) <= VALUE_CHARACTERS)
	{
		appendStringInfo(out, ": %s -> %s\n", was, is);
		return;
	}
	while (was[same] && was[same] == is[same])
		same++;
	same = same > 24 ? same - 16 : 0;
	appendStringInfo(out, "\n      - %s\n      + %s\n", window(was, same), window(is, same));
}

/* ---------- lines ---------- */

/* "column_type_changed" as words. */
static char *
kind_words(const char *kind)
{
	char	   *words = pstrdup(kind);

	for (char *c = words; *c; c++)
		if (*c == '_')
			*c = ' ';
	return words;
}

static bool
has_suffix(const char *text, const char *suffix)
{
	int			at = strlen(text) - strlen(suffix);

	return at >= 0 && strcmp(text + at, suffix) == 0;
}

static const char *
sign_of(const char *kind)
{
	if (has_suffix(kind, "_added"))
		return "+";
	if (has_suffix(kind, "_removed"))
		return "-";
	return "~";
}

static char *
subject_of(const DriftChange *change)
{
	if (change->column_name && change->stat)
		return psprintf(" %s.%s", change->column_name, change->stat);
	if (change->column_name || change->object_name)
		return psprintf(" %s", change->column_name ? change->column_name : change->object_name);
	return pstrdup("");
}

static void
append_counts(StringInfo out, const DriftChange *change)
{
	appendStringInfo(out, ": %s -> %s rows",
					 model_value_text(getKeyJsonValueFromContainer(&change->before->root, "row_count", 9, NULL)),
					 model_value_text(getKeyJsonValueFromContainer(&change->after->root, "row_count", 9, NULL)));
	if (change->has_delta_pct)
		appendStringInfo(out, " (%+.1f%%)", change->delta_pct * 100);
	appendStringInfoChar(out, '\n');
}

static void
append_change(StringInfo out, const DriftChange *change)
{
	appendStringInfo(out, "  %s %s%s", sign_of(change->kind), kind_words(change->kind), subject_of(change));
	if (strcmp(change->kind, "table_row_count_changed") == 0)
		append_counts(out, change);
	else if (change->before != NULL && change->after != NULL)
		append_values(out, change->before, change->after);
	else if (*sign_of(change->kind) != '~')
		appendStringInfo(out, ": %s\n", window(value_text(change->before ? change->before : change->after), 0));
	else
		append_values(out, change->before, change->after);
}

static char *
print_name(const DriftPrint *print)
{
	if (print->id == 0)
		return pstrdup("the live database");
	if (print->label != NULL)
		return psprintf("print %d \"%s\" of %s", print->id, print->label, timestamptz_to_str(print->taken_at));
	return psprintf("print %d of %s", print->id, timestamptz_to_str(print->taken_at));
}

static void
append_summary(StringInfo out, const DiffSummary *s, int hidden)
{
	appendStringInfo(out, "\n%lld relations: %lld modified, %lld added, %lld unchanged, %lld not evaluated; %lld removed.\n",
					 (long long) s->tables_scanned, (long long) s->tables_modified, (long long) s->tables_added,
					 (long long) s->unchanged_tables, (long long) s->unevaluated_tables,
					 (long long) s->tables_removed);
	if (hidden > 0)
		appendStringInfo(out, "%d statistic changes below the thresholds are not shown.\n", hidden);
}

static void
append_more(StringInfo out, int statistics)
{
	if (statistics > STATISTICS_SHOWN)
		appendStringInfo(out, "  ~ and %d more statistics; drift_diff() has them all\n",
						 statistics - STATISTICS_SHOWN);
}

char *
report_text(const DiffRun *run, const ReportThresholds *thresholds)
{
	const char *relation = NULL;
	StringInfoData out;
	ListCell   *lc;
	int			hidden = 0;
	int			statistics = 0;

	initStringInfo(&out);
	appendStringInfo(&out, "From %s", print_name(run->baseline));
	appendStringInfo(&out, " to %s\n", print_name(run->target));
	foreach(lc, run->changes)
	{
		DriftChange *change = lfirst(lc);

		if (is_small(change, thresholds))
		{
			hidden++;
			continue;
		}
		if (relation == NULL || strcmp(relation, change->relation) != 0)
		{
			append_more(&out, statistics);
			appendStringInfo(&out, "\n%s\n", change->relation);
			statistics = 0;
		}
		relation = change->relation;
		if (strcmp(change->kind, "statistic_changed") == 0 && ++statistics > STATISTICS_SHOWN)
			continue;
		append_change(&out, change);
	}
	append_more(&out, statistics);
	if (run->changes == NIL)
		appendStringInfoString(&out, "\nNo changes.\n");
	append_summary(&out, &run->summary, hidden);
	return out.data;
}
