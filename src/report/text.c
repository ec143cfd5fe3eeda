/*-------------------------------------------------------------------------
 *
 * text.c
 *	  A diff as a page that people read.
 *
 * A relation, then a line a change; what does not fit into a line is shown
 * from where the two sides begin to differ.  Names are never cut.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "report/report.h"
#include "report/words.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

/* Statistics shown of one relation; the rest are counted. */
#define STATISTICS_SHOWN 8

typedef char *(*Describe) (const Jsonb *side);

/* How a kind is said: the word before the subject, and each side. */
typedef struct KindWords
{
	const char *kind;			/* or its beginning, up to the last "_" */
	const char *word;
	Describe	describe;		/* NULL: the value itself */
	bool		by_member;		/* where both sides are objects: what differs in them */
	bool		sides_only;		/* they name the subject */
} KindWords;

static const KindWords kind_words[] = {
	{"column_renamed", "column renamed", NULL, false, true},
	{"column_type", "type of", NULL},
	{"column_nullable", "column", words_of_nullable},
	{"column_default", "default of", NULL},
	{"column_order", "order of columns", words_of_columns},
	{"column", "column", words_of_column},
	{"table_row_count", "rows", words_of_count},
	{"table_renamed", "renamed", NULL},
	{"table", "", words_of_table},
	{"grain", "grain", words_of_grain},
	{"physical_layout", "layout", words_of_layout},
	{"depends_on", "reads", words_of_list},
	{"statistic", "", words_of_statistic},
	{"index", "index", words_of_index, true},
	{"relationship", "relationship", words_of_relationship, true},
	{"constraint", "constraint", words_of_constraint, true},
	{"trigger", "trigger", words_of_definition, true},
	{"rule", "rule", words_of_definition, true},
	{"policy", "policy", words_of_policy, true},
	{"partition", "partition", NULL},
	{"rls", "row security", words_of_row_security},
	{"generated", "generated", words_of_generated}
};

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

static const KindWords *
find_words(const char *kind)
{
	for (int i = 0; i < lengthof(kind_words); i++)
	{
		size_t		length = strlen(kind_words[i].kind);

		if (strncmp(kind, kind_words[i].kind, length) == 0 &&
			(kind[length] == '\0' || strrchr(kind, '_') == kind + length))
			return &kind_words[i];
	}
	return NULL;
}

/* Of a kind without words of its own: what stands before the last "_". */
static char *
plain_word(const char *kind)
{
	char	   *word = pstrdup(kind);

	*strrchr(word, '_') = '\0';
	for (char *c = word; *c; c++)
		if (*c == '_')
			*c = ' ';
	return word;
}

/* ---------- a line ---------- */

/* "  ~ type of email", to be followed by what became what. */
static char *
opening(const DriftChange *change, const KindWords *words)
{
	bool		relation = model_is_relation_family(change->family);
	const char *word = words ? words->word : relation ? plain_word(change->kind) : "";
	const char *subject = change->column_name ? change->column_name : change->object_name;
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfo(&out, "  %s", sign_of(change->kind));
	if (*word)
		appendStringInfo(&out, " %s", word);
	if (subject != NULL && !(words && words->sides_only))
		appendStringInfo(&out, "%s %s", words || !change->column_name ? "" : " of", words_one_line(pstrdup(subject)));
	if (change->stat != NULL)
		appendStringInfo(&out, " %s", change->stat);
	return out.data;
}

static char *
side_words(const Jsonb *side, const KindWords *words)
{
	if (side == NULL)
		return pstrdup("none");
	return words_one_line(words && words->describe ? words->describe(side) : words_of_value(side));
}

static void
append_percent(StringInfo out, const DriftChange *change)
{
	if (change->has_delta_pct)
		appendStringInfo(out, " (%+.1f%%)", change->delta_pct * 100);
}

/* Each member that differs on a line of its own. */
static void
append_members(StringInfo out, const DriftChange *change)
{
	ListCell   *lc;

	appendStringInfoChar(out, '\n');
	foreach(lc, words_differing_members(change->before, change->after))
	{
		WordsMember *member = lfirst(lc);

		words_append_pair(out, psprintf("      %s", member->name), member->before, member->after, "");
	}
}

static void
append_change(StringInfo out, const DriftChange *change)
{
	const KindWords *words = find_words(change->kind);
	const char *sign = sign_of(change->kind);
	char	   *start = opening(change, words);
	StringInfoData tail;

	initStringInfo(&tail);
	append_percent(&tail, change);
	if (*sign != '~' && !model_is_relation_family(change->family))
		appendStringInfo(out, "%s %s\n", start, *sign == '+' ? "added" : "removed");
	else if (*sign != '~' && change->column_name == NULL && change->object_name == NULL)
		appendStringInfo(out, "%s %s\n", start, side_words(change->after ? change->after : change->before, words));
	else if (*sign != '~')
		words_append_one(out, start, side_words(change->after ? change->after : change->before, words));
	else if (change->before && change->after && (words ? words->by_member : has_suffix(change->kind, "_modified")))
	{
		appendStringInfoString(out, start);
		if (!model_is_relation_family(change->family))
			appendStringInfoString(out, " modified");
		append_members(out, change);
	}
	else
		words_append_pair(out, start, side_words(change->before, words), side_words(change->after, words), tail.data);
}

/* ---------- the page ---------- */

static char *
print_name(const DriftPrint *print)
{
	const char *at = timestamptz_to_str(print->taken_at - print->taken_at % USECS_PER_SEC);

	if (print->id == 0)
		return pstrdup("the live database");
	if (print->label != NULL)
		return psprintf("print %d \"%s\" of %s", print->id, words_one_line(pstrdup(print->label)), at);
	return psprintf("print %d of %s", print->id, at);
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

/* Once, where a relation's statistics end. */
static void
append_more(StringInfo out, int *statistics)
{
	if (*statistics > STATISTICS_SHOWN)
		appendStringInfo(out, "  ~ and %d more statistics; drift_diff() has them all\n",
						 *statistics - STATISTICS_SHOWN);
	*statistics = 0;
}

static void
append_heading(StringInfo out, const DriftChange *change)
{
	char	   *family = model_is_relation_family(change->family) ? pstrdup("") : psprintf("%s ", change->family);

	for (char *c = family; *c; c++)
		if (*c == '_')
			*c = ' ';
	appendStringInfo(out, "\n%s%s\n", family, words_one_line(pstrdup(change->relation)));
}

static bool
same_heading(const DriftChange *a, const DriftChange *b)
{
	bool		relations = model_is_relation_family(a->family) && model_is_relation_family(b->family);

	return strcmp(a->relation, b->relation) == 0 && (relations || strcmp(a->family, b->family) == 0);
}

char *
report_text(const DiffRun *run, const ReportThresholds *thresholds)
{
	const DriftChange *last = NULL;
	StringInfoData out;
	ListCell   *lc;
	int			hidden = 0;
	int			statistics = 0;

	initStringInfo(&out);
	appendStringInfo(&out, "From %s", print_name(run->baseline));
	appendStringInfo(&out, "\nto %s\n", print_name(run->target));
	foreach(lc, run->changes)
	{
		DriftChange *change = lfirst(lc);

		if (report_is_small(change, thresholds))
		{
			hidden++;
			continue;
		}
		if (last == NULL || !same_heading(last, change))
		{
			append_more(&out, &statistics);
			append_heading(&out, change);
		}
		last = change;
		if (strcmp(change->kind, "statistic_changed") == 0 && ++statistics > STATISTICS_SHOWN)
			continue;
		if (strcmp(change->kind, "statistic_changed") != 0)
			append_more(&out, &statistics);
		append_change(&out, change);
	}
	append_more(&out, &statistics);
	if (run->changes == NIL)
		appendStringInfoString(&out, "\nNo changes.\n");
	append_summary(&out, &run->summary, hidden);
	return out.data;
}
