/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Is the print still true?
 *
 * Staleness is judged by the threshold that was recorded with each table when
 * it was printed, not by today's rules.  Drift is what a diff of the print
 * with the live database says.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "diff/diff.h"
#include "judge/judge.h"
#include "judge/judge_internal.h"
#include "mb/pg_wchar.h"
#include "print/print.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "watch/watch.h"

/* Characters of a value shown in a finding. */
#define SHORT_CHARACTERS 28

/* Codes by what they are worth, worst first. */
static const JudgeCode by_weight[] = {
	JUDGE_TOTAL_FAILURE, JUDGE_GENERIC, JUDGE_DRIFT, JUDGE_ASSERTION, JUDGE_PARTIAL, JUDGE_STALE
};

JudgeCode
judge_worst(List *findings)
{
	for (int i = 0; i < lengthof(by_weight); i++)
	{
		ListCell   *lc;

		foreach(lc, findings)
			if (((JudgeFinding *) lfirst(lc))->code == by_weight[i])
				return by_weight[i];
	}
	return JUDGE_HOLDS;
}

/* ---------- values for a person ---------- */

static char *
cut(char *text)
{
	int			length;

	for (char *c = text; *c; c++)
		if (*c == '\n' || *c == '\t' || *c == '\r')
			*c = ' ';
	if (pg_mbstrlen(text) <= SHORT_CHARACTERS)
		return text;
	length = pg_mbcharcliplen(text, strlen(text), SHORT_CHARACTERS - 3);
	return psprintf("%.*s...", length, text);
}

/* "key: value" of what differs from the other side; all of it without one. */
static char *
differing_keys(Jsonb *value, Jsonb *other)
{
	JsonbIterator *it = JsonbIteratorInit(&value->root);
	JsonbIteratorToken token;
	JsonbValue	v;
	StringInfoData out;

	initStringInfo(&out);
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		char	   *key;
		JsonbValue	mine;
		JsonbValue	theirs;

		if (token != WJB_KEY)
			continue;
		key = pnstrdup(v.val.string.val, v.val.string.len);
		(void) JsonbIteratorNext(&it, &mine, true);
		if (other != NULL && model_get(other, key, &theirs) && model_value_equal(&mine, &theirs))
			continue;
		if (out.len > 0)
			appendStringInfoString(&out, ", ");
		if (mine.type == jbvBool && mine.val.boolean)
			appendStringInfoString(&out, key);
		else
			appendStringInfo(&out, "%s: %s", key, model_value_text(&mine));
	}
	return out.len > 0 ? out.data : NULL;
}

/* Long texts that begin alike are shown from a little before they part. */
static char *
from_difference(char *text, const char *other)
{
	int			same = 0;
	int			from;

	if (pg_mbstrlen(text) <= SHORT_CHARACTERS)
		return text;
	while (text[same] && text[same] == other[same])
		same++;
	from = same - SHORT_CHARACTERS / 3;
	while (from > 0 && IS_HIGHBIT_SET(text[from]))
		from--;
	return from > 3 ? psprintf("...%s", text + from) : text;
}

static char *
scalar_text(Jsonb *value)
{
	JsonbValue *scalar = getIthJsonbValueFromContainer(&value->root, 0);

	return scalar->type == jbvNull ? NULL : model_value_text(scalar);
}

static char *
short_value(Jsonb *value, Jsonb *other)
{
	if (value == NULL)
		return NULL;
	if (JB_ROOT_IS_SCALAR(value))
	{
		char	   *text = scalar_text(value);
		char	   *other_text = other && JB_ROOT_IS_SCALAR(other) ? scalar_text(other) : NULL;

		if (text != NULL && other_text != NULL)
			text = from_difference(text, other_text);
		return text ? cut(text) : NULL;
	}
	if (JB_ROOT_IS_OBJECT(value))
	{
		char	   *text = differing_keys(value, other && JB_ROOT_IS_OBJECT(other) ? other : NULL);

		return text ? cut(text) : NULL;
	}
	return cut(model_jsonb_text(value));
}

/* ---------- findings ---------- */

static JudgeFinding *
new_finding(JudgeCode code, const char *severity, const char *kind, const char *relation)
{
	JudgeFinding *finding = palloc0(sizeof(JudgeFinding));

	finding->code = code;
	finding->severity = severity;
	finding->kind = kind;
	finding->relation = relation;
	return finding;
}

static JudgeFinding *
drift_finding(const DriftChange *change)
{
	JudgeFinding *finding = new_finding(JUDGE_DRIFT, diff_is_data_kind(change->kind) ? "warning" : "error",
										change->kind, change->relation);

	finding->schema = change->schema;
	if (change->column_name != NULL && change->stat != NULL)
		finding->object = psprintf("%s.%s", change->column_name, change->stat);
	else
		finding->object = change->column_name ? change->column_name :
			change->object_name ? change->object_name : change->stat;
	finding->before = short_value(change->before, change->after);
	finding->after = short_value(change->after, change->before);
	return finding;
}

static List *
add_drift(List *findings, DriftPrint *baseline, DriftPrint *live, const JudgeOptions *options)
{
	DiffOptions diff = {0};
	List	   *changes;
	ListCell   *lc;
	int			failed = 0;
	int			relations = 0;

	print_check_include(options->include, baseline, live);
	diff.include = options->include;
	diff.exclude = options->exclude;
	diff.profile = options->depth == JUDGE_DATA;

	changes = diff_prints(baseline, live, &diff, NULL);
	foreach(lc, changes)
		findings = lappend(findings, drift_finding(lfirst(lc)));

	for (int i = 0; i < live->nentries; i++)
	{
		JudgeFinding *finding;

		relations += model_is_relation_family(live->entries[i].family);
		if (live->entries[i].status != DRIFT_FAILED)
			continue;
		failed++;
		finding = new_finding(JUDGE_PARTIAL, "error", "unreadable", model_entry_name(&live->entries[i]));
		finding->detail = live->entries[i].message;
		findings = lappend(findings, finding);
	}
	if (failed > 0 && failed == relations)
		foreach(lc, findings)
			if (((JudgeFinding *) lfirst(lc))->code == JUDGE_PARTIAL)
				((JudgeFinding *) lfirst(lc))->code = JUDGE_TOTAL_FAILURE;
	return findings;
}

/* ---------- freshness ---------- */

/* When what the print says of the entry was true. */
TimestampTz
judge_known_at(const DriftPrint *print, const DriftEntry *entry)
{
	return entry->profiled_at == DT_NOBEGIN ? print->taken_at : entry->profiled_at;
}

bool
judge_is_fresh(const DriftPrint *print, const DriftEntry *entry, int max_age_days, TimestampTz now)
{
	return now - judge_known_at(print, entry) < (int64) max_age_days * USECS_PER_DAY;
}

bool
judge_has_age(const DriftEntry *entry)
{
	return model_is_relation_family(entry->family) && strcmp(entry->family, "partition") != 0;
}

static char *
age_text(TimestampTz from, TimestampTz to)
{
	double		days = (double) (to - from) / USECS_PER_DAY;

	if (days >= 2)
		return psprintf("%.0f days", floor(days));
	return psprintf("%.1f hours", days * 24);
}

static List *
add_stale(List *findings, DriftPrint *baseline, const JudgeOptions *options)
{
	TimestampTz now = GetCurrentTimestamp();

	for (int i = 0; i < baseline->nentries; i++)
	{
		DriftEntry *entry = &baseline->entries[i];
		int			max_age = options->max_age_days >= 0 ? options->max_age_days : entry->max_age_days;
		JudgeFinding *finding;

		if (!judge_has_age(entry) || judge_is_fresh(baseline, entry, max_age, now))
			continue;
		finding = new_finding(JUDGE_STALE, "warning", "stale", model_entry_name(entry));
		finding->before = age_text(judge_known_at(baseline, entry), now);
		finding->after = psprintf("%d days", max_age);
		finding->detail = "older than its threshold; take a new print";
		findings = lappend(findings, finding);
	}
	return findings;
}

static List *
add_failed(List *findings, DriftPrint *baseline)
{
	for (int i = 0; i < baseline->nentries; i++)
	{
		DriftEntry *entry = &baseline->entries[i];
		JudgeFinding *finding;

		if (entry->status != DRIFT_FAILED)
			continue;
		finding = new_finding(strcmp(baseline->status, "failed") == 0 ? JUDGE_TOTAL_FAILURE : JUDGE_PARTIAL,
							  "error", "not_printed", model_entry_name(entry));
		finding->detail = "could not be read when the print was taken";
		findings = lappend(findings, finding);
	}
	return findings;
}

/* Who last changed what drifted, where the log of DDL commands knows. */
static void
add_authors(List *findings)
{
	ListCell   *lc;

	foreach(lc, findings)
	{
		JudgeFinding *finding = lfirst(lc);

		if (finding->code != JUDGE_DRIFT || diff_is_data_kind(finding->kind))
			continue;
		/* an index has a name of its own beside its table's */
		if (finding->object != NULL && strncmp(finding->kind, "index_", 6) == 0)
			finding->detail = watch_last_change(model_qualified_name(finding->schema, finding->object));
		if (finding->detail == NULL)
			finding->detail = watch_last_change(finding->relation);
	}
}

List *
judge_check(const JudgeOptions *options)
{
	DriftPrint *baseline = print_open(options->baseline, options->include, options->exclude, false);
	DriftPrint *live = NULL;
	List	   *findings = NIL;

	if (options->depth != JUDGE_PRINT)
	{
		live = print_open("live", options->include, options->exclude, options->depth == JUDGE_DATA);
		findings = add_drift(findings, baseline, live, options);
	}
	else
		print_check_include(options->include, baseline, NULL);
	if (findings != NIL && watch_has_log())
		add_authors(findings);
	findings = add_failed(findings, baseline);
	findings = add_stale(findings, baseline, options);
	return list_concat(findings, judge_assertions(options->depth == JUDGE_DATA ? live : baseline));
}
