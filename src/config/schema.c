/*-------------------------------------------------------------------------
 *
 * schema.c
 *	  Which keys there are, what they may hold, and what is wrong when they
 *	  hold something else.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "config/schema.h"
#include "utils/varlena.h"
#include "utils/builtins.h"

static const char *const sample_methods[] = {"bernoulli", "system", NULL};
static const char *const redact_actions[] = {"mask", "drop", "hash", NULL};

static const KeySpec statistics_keys[] = {
	{"enumeration_threshold", KEY_COUNT, 1, 10000},
	{"top_n_values", KEY_COUNT, 1, 10000},
	{"top_n_null_patterns", KEY_COUNT, 1, 10000},
	{"looks_like_sample_size", KEY_COUNT, 1, 100000},
	{"percentiles", KEY_PERCENTS, 0, 100},
	{NULL}
};

#define TABLE_KEYS \
	{"max_age_days", KEY_COUNT, 0, 36500}, \
	{"max_rows_scanned", KEY_COUNT, 1, 1e15}, \
	{"sample_method", KEY_WORD, 0, 0, sample_methods}, \
	{"infer_relationships", KEY_FLAG}, \
	{"compute_timeline", KEY_FLAG}, \
	{"sketch_all_columns", KEY_FLAG}, \
	{"reference", KEY_FLAG}, \
	{"statistics", KEY_MAP, 0, 0, NULL, statistics_keys}

static const KeySpec rule_keys[] = {
	{"include", KEY_TEXTS},
	{"exclude", KEY_TEXTS},
	{"min_rows", KEY_COUNT, 0, 1e15},
	{"sample", KEY_NUMBER, 0, 1},
	{"filter", KEY_TEXT},
	TABLE_KEYS,
	{NULL}
};

static const KeySpec redact_keys[] = {
	{"columns", KEY_TEXTS},
	{"sensitivity", KEY_TEXTS},
	{"looks_like", KEY_TEXTS},
	{"action", KEY_WORD, 0, 0, redact_actions},
	{NULL}
};

static const KeySpec threshold_keys[] = {
	{"cardinality_ratio", KEY_NUMBER, 0, 1e9},
	{"percentile_pct", KEY_NUMBER, 0, 1e9},
	{"values_coverage", KEY_NUMBER, 0, 1e9},
	{"default", KEY_NUMBER, 0, 1e9},
	{NULL}
};

static const KeySpec diff_keys[] = {
	{"stat_change_threshold", KEY_MAP, 0, 0, NULL, threshold_keys},
	{NULL}
};

static const KeySpec ignore_keys[] = {
	{"tables", KEY_TEXTS},
	{NULL}
};

/* The same for one database at the top and for each of several connections. */
#define DATABASE_KEYS \
	{"include", KEY_TEXTS}, \
	{"exclude", KEY_TEXTS}, \
	TABLE_KEYS, \
	{"rules", KEY_LIST, 0, 0, NULL, rule_keys}, \
	{"redact", KEY_LIST, 0, 0, NULL, redact_keys}, \
	{"diff", KEY_MAP, 0, 0, NULL, diff_keys}, \
	{"assertions", KEY_ASSERTIONS}, \
	{"ignore", KEY_MAP, 0, 0, NULL, ignore_keys}, \
	{"ignore_extensions", KEY_TEXTS}

static const KeySpec database_keys[] = {DATABASE_KEYS, {NULL}};

static const KeySpec top_keys[] = {
	{"version", KEY_COUNT, 1, 1},
	{"defaults", KEY_MAP, 0, 0, NULL, database_keys},
	{"connections", KEY_NAMED, 0, 0, NULL, database_keys},
	DATABASE_KEYS,
	{NULL}
};

/* What an assertion says beside statistics. */
static const KeySpec assertion_keys[] = {
	{"name", KEY_TEXT},
	{"table", KEY_TEXT},
	{"column", KEY_TEXT},
	{"severity", KEY_TEXT},
	{"sql", KEY_TEXT},
	{"expect", KEY_TEXT},
	{NULL}
};

/* First parts of the statistics that can be asserted. */
static const char *const statistic_names[] = {
	"row_count", "null_count", "null_rate", "cardinality", "cardinality_ratio", "classification",
	"values_coverage", "distribution", "range", "percentiles", "mean", "sum", "zero_count",
	"negative_count", "empty_count", "quantized_count", "length", "freshness", "frequencies",
	"looks_like", "candidate_key", "sensitivity", "inferred", "accepted_values", "sql_type",
	"nullable", "normalized_cardinality", "nan_count", "infinity_count", "avg_width", "toasted_share",
	NULL
};

/* ---------- scalars ---------- */

static bool
is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (pg_strcasecmp(text, *words) == 0)
			return true;
	return false;
}

static const char *const true_words[] = {"true", "yes", "on", NULL};
static const char *const false_words[] = {"false", "no", "off", NULL};

bool
schema_flag(const YamlNode *node)
{
	return is_one_of(node->text, true_words);
}

bool
schema_is_number(const YamlNode *node, double *value)
{
	char	   *end;

	if (node->kind != YAML_TEXT || node->quoted || *node->text == '\0' ||
		strspn(node->text, "+-.0123456789eE_") != strlen(node->text))
		return false;
	*value = strtod(node->text, &end);
	return *end == '\0' && isfinite(*value);
}

double
schema_number(const YamlNode *node)
{
	double		value = 0;

	(void) schema_is_number(node, &value);
	return value;
}

/* A list of texts, or one text as such a list. */
List *
schema_texts(const YamlNode *node)
{
	List	   *texts = NIL;
	ListCell   *lc;

	if (node == NULL)
		return NIL;
	if (node->kind == YAML_TEXT)
		return list_make1(node->text);
	foreach(lc, node->items)
		texts = lappend(texts, ((YamlNode *) lfirst(lc))->text);
	return texts;
}

/* ---------- what is wrong ---------- */

static const char *
kind_word(const YamlNode *node)
{
	switch (node->kind)
	{
		case YAML_LIST:
			return "a list";
		case YAML_MAP:
			return "a map";
		case YAML_TEXT:
			break;
	}
	return node->quoted ? "a quoted text" : psprintf("\"%s\"", node->text);
}

static void
check_scalar(const YamlNode *node, const char *key, const char *wanted)
{
	if (node->kind != YAML_TEXT)
		yaml_error(node, NULL, "\"%s\" must be %s and is %s", key, wanted, kind_word(node));
}

static void
check_number(const YamlNode *node, const KeySpec *spec, bool whole)
{
	double		value;

	check_scalar(node, spec->name, "a number");
	if (!schema_is_number(node, &value) || (whole && value != floor(value)))
		yaml_error(node, NULL, "\"%s\" must be %s and is %s", spec->name, whole ? "a whole number" : "a number",
				   kind_word(node));
	if (value < spec->min || value > spec->max || (strcmp(spec->name, "sample") == 0 && value == 0))
		yaml_error(node, NULL, "\"%s\" must be %s%.15g to %.15g and is %s", spec->name,
				   strcmp(spec->name, "sample") == 0 ? "above " : "", spec->min, spec->max, node->text);
}

static void
check_texts(const YamlNode *node, const KeySpec *spec)
{
	ListCell   *lc;

	if (node->kind == YAML_MAP)
		yaml_error(node, NULL, "\"%s\" must be a text or a list of texts and is a map", spec->name);
	if (node->kind == YAML_TEXT && *node->text == '\0')
		yaml_error(node, "Leave the key out to say nothing.", "\"%s\" is empty", spec->name);
	foreach(lc, node->items)
	{
		YamlNode   *item = lfirst(lc);

		if (item->kind != YAML_TEXT || *item->text == '\0')
			yaml_error(item, NULL, "an element of \"%s\" must be a text and is %s", spec->name,
					   item->kind == YAML_TEXT ? "empty" : kind_word(item));
	}
}

/* Whole percents; fractions are accepted where they are such. */
static void
check_percents(const YamlNode *node, const KeySpec *spec)
{
	ListCell   *lc;

	if (node->kind != YAML_LIST || node->items == NIL || list_length(node->items) > 20)
		yaml_error(node, NULL, "\"%s\" must be a list of 1 to 20 percentages", spec->name);
	foreach(lc, node->items)
	{
		YamlNode   *item = lfirst(lc);
		double		value;

		if (!schema_is_number(item, &value))
			yaml_error(item, NULL, "a percentile must be a number and is %s", kind_word(item));
		if (value > 0 && value < 1)
			value = rint(value * 1e6) / 1e4;
		if (value != floor(value) || value < 1 || value > 99)
			yaml_error(item, "Write 95 or 0.95 for the 95th.",
					   "a percentile must be a whole percentage from 1 to 99 and is %s", item->text);
	}
}

static const char *
nearest(const char *name, const KeySpec *specs)
{
	const char *best = NULL;
	int			best_distance = 4;

	for (; specs->name; specs++)
	{
		int			distance;

		if (strlen(name) > 64)
			break;
		distance = varstr_levenshtein_less_equal(name, strlen(name), specs->name, strlen(specs->name), 1, 1, 1,
												 best_distance, true);
		if (distance < best_distance)
		{
			best = specs->name;
			best_distance = distance;
		}
	}
	return best;
}

static void
unknown_key(const YamlNode *key, const KeySpec *specs)
{
	const char *near = nearest(key->text, specs);
	StringInfoData all;

	initStringInfo(&all);
	for (const KeySpec *spec = specs; spec->name; spec++)
		appendStringInfo(&all, "%s%s", all.len ? ", " : "", spec->name);
	yaml_error(key, near ? psprintf("Perhaps you mean \"%s\".", near) :
			   psprintf("The keys here are %s.", all.data),
			   "key \"%.64s\" is not known here", key->text);
}

static void check_map(const YamlNode *node, const char *name, const KeySpec *specs);
static void check_assertions(const YamlNode *node);

static void
check_value(const YamlNode *node, const KeySpec *spec)
{
	ListCell   *lc;

	switch (spec->type)
	{
		case KEY_FLAG:
			check_scalar(node, spec->name, "true or false");
			if (!is_one_of(node->text, true_words) && !is_one_of(node->text, false_words))
				yaml_error(node, NULL, "\"%s\" must be true or false and is %s", spec->name, kind_word(node));
			break;
		case KEY_COUNT:
			check_number(node, spec, true);
			break;
		case KEY_NUMBER:
			check_number(node, spec, false);
			break;
		case KEY_TEXT:
			check_scalar(node, spec->name, "a text");
			break;
		case KEY_WORD:
			check_scalar(node, spec->name, "a word");
			if (!is_one_of(node->text, spec->words))
				yaml_error(node, psprintf("Use %s, %s%s%s.", spec->words[0], spec->words[1],
										  spec->words[2] ? " or " : "", spec->words[2] ? spec->words[2] : ""),
						   "\"%s\" cannot be %s", spec->name, kind_word(node));
			break;
		case KEY_TEXTS:
			check_texts(node, spec);
			break;
		case KEY_PERCENTS:
			check_percents(node, spec);
			break;
		case KEY_MAP:
			check_map(node, spec->name, spec->keys);
			break;
		case KEY_NAMED:
			if (node->kind != YAML_MAP)
				yaml_error(node, NULL, "\"%s\" must be a map of names", spec->name);
			foreach(lc, node->items)
				check_map(lfirst(lc), ((YamlNode *) list_nth(node->keys, foreach_current_index(lc)))->text, spec->keys);
			break;
		case KEY_LIST:
			if (node->kind != YAML_LIST)
				yaml_error(node, "Begin each of them with \"- \".", "\"%s\" must be a list and is %s", spec->name,
						   kind_word(node));
			foreach(lc, node->items)
				check_map(lfirst(lc), spec->name, spec->keys);
			break;
		case KEY_ASSERTIONS:
			check_assertions(node);
			break;
	}
}

static void
check_map(const YamlNode *node, const char *name, const KeySpec *specs)
{
	if (node->kind == YAML_TEXT && *node->text == '\0' && !node->quoted)
		return;					/* a key with nothing under it */
	if (node->kind != YAML_MAP)
		yaml_error(node, NULL, "\"%s\" must be a map of keys and is %s", name, kind_word(node));
	for (int i = 0; i < list_length(node->keys); i++)
	{
		YamlNode   *key = list_nth(node->keys, i);
		const KeySpec *spec = specs;

		while (spec->name && strcmp(spec->name, key->text) != 0)
			spec++;
		if (spec->name == NULL)
			unknown_key(key, specs);
		check_value(list_nth(node->items, i), spec);
	}
}

/* ---------- assertions ---------- */

static bool
is_statistic(const char *path)
{
	for (const char *const *name = statistic_names; *name; name++)
	{
		size_t		length = strlen(*name);

		if (strncmp(path, *name, length) == 0 && (path[length] == '\0' || path[length] == '.'))
			return true;
	}
	return false;
}

static void
check_predicate(const YamlNode *node, const char *stat)
{
	static const KeySpec keys[] = {
		{"min", KEY_NUMBER, -1e300, 1e300}, {"max", KEY_NUMBER, -1e300, 1e300},
		{"one_of", KEY_TEXTS}, {"exact", KEY_TEXT}, {NULL}
	};

	if (node->kind == YAML_MAP)
		check_map(node, stat, keys);
	else if (node->kind == YAML_LIST)
		check_texts(node, &(const KeySpec) {stat, KEY_TEXTS});
}

static void
check_assertion(const YamlNode *node)
{
	YamlNode   *severity = yaml_get(node, "severity");
	YamlNode   *expect = yaml_get(node, "expect");
	YamlNode   *sql = yaml_get(node, "sql");
	int			predicates = 0;

	if (node->kind != YAML_MAP)
		yaml_error(node, NULL, "an assertion must be a map and is %s", kind_word(node));
	for (int i = 0; i < list_length(node->keys); i++)
	{
		YamlNode   *key = list_nth(node->keys, i);
		YamlNode   *value = list_nth(node->items, i);
		const KeySpec *spec = assertion_keys;

		while (spec->name && strcmp(spec->name, key->text) != 0)
			spec++;
		if (spec->name != NULL)
			check_value(value, spec);
		else if (is_statistic(key->text))
		{
			check_predicate(value, key->text);
			predicates++;
		}
		else
			unknown_key(key, assertion_keys);
	}
	if (severity && strcmp(severity->text, "error") != 0 && strcmp(severity->text, "warning") != 0)
		yaml_error(severity, "Use error or warning.", "\"severity\" cannot be %s", kind_word(severity));
	if (expect && strcmp(expect->text, "0") != 0 && strcmp(expect->text, "empty") != 0)
		yaml_error(expect, "Use 0 or empty.", "\"expect\" cannot be %s", kind_word(expect));
	if ((sql == NULL) == (predicates == 0))
		yaml_error(node, "Give a table and a statistic, or sql.",
				   "an assertion is about statistics or about a query, %s", sql ? "not both" : "and this is neither");
	if (sql == NULL && yaml_get(node, "table") == NULL)
		yaml_error(node, NULL, "an assertion about statistics needs a \"table\"");
}

static void
check_assertions(const YamlNode *node)
{
	ListCell   *lc;

	if (node->kind != YAML_LIST)
		yaml_error(node, "Begin each of them with \"- \".", "\"assertions\" must be a list and is %s", kind_word(node));
	foreach(lc, node->items)
		check_assertion(lfirst(lc));
}

void
schema_check(const YamlNode *root)
{
	check_map(root, "the document", top_keys);
}
