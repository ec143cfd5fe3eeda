/*-------------------------------------------------------------------------
 *
 * rules.c
 *	  From the document to the rules, and from the rules to one table.
 *
 * Defaults come first, then the connection (or the top level), then each rule
 * that matches, in order; later wins, and the statistics' settings each by
 * themselves.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "config/config.h"
#include "config/schema.h"
#include "config/yaml.h"

/* Beyond a configuration that people write. */
#define MAX_CONFIG_BYTES (1024 * 1024)

/* Settings by their place in a map, with what they are when nobody says. */
static const struct
{
	const char *name;			/* as drift_rules() shows it */
	const char *map;			/* the map it stands in, NULL for the level itself */
	const char *key;
	const char *fallback;
	bool		flag;
}			settings[CONFIG_NSETTINGS] =
{
	[SET_MAX_AGE_DAYS] = {"max_age_days", NULL, "max_age_days", "7"},
	[SET_MAX_ROWS_SCANNED] = {"max_rows_scanned", NULL, "max_rows_scanned", NULL},
	[SET_SAMPLE] = {"sample", NULL, "sample", NULL},
	[SET_SAMPLE_METHOD] = {"sample_method", NULL, "sample_method", "bernoulli"},
	[SET_FILTER] = {"filter", NULL, "filter", NULL},
	[SET_COMPUTE_TIMELINE] = {"compute_timeline", NULL, "compute_timeline", "true", true},
	[SET_INFER_RELATIONSHIPS] = {"infer_relationships", NULL, "infer_relationships", "true", true},
	[SET_SKETCH_ALL_COLUMNS] = {"sketch_all_columns", NULL, "sketch_all_columns", "false", true},
	[SET_REFERENCE] = {"reference", NULL, "reference", "false", true},
	[SET_ENUMERATION_THRESHOLD] = {"statistics.enumeration_threshold", "statistics", "enumeration_threshold", "50"},
	[SET_TOP_N_VALUES] = {"statistics.top_n_values", "statistics", "top_n_values", "20"},
	[SET_TOP_N_NULL_PATTERNS] = {"statistics.top_n_null_patterns", "statistics", "top_n_null_patterns", "20"},
	[SET_LOOKS_LIKE_SAMPLE_SIZE] = {"statistics.looks_like_sample_size", "statistics", "looks_like_sample_size", "1000"},
	[SET_PERCENTILES] = {"statistics.percentiles", "statistics", "percentiles", "1, 5, 25, 50, 75, 95, 99"}
};

struct ConfigRules
{
	YamlNode   *root;			/* NULL for an empty document */
	YamlNode   *database;		/* the connection's map, or the top level */
	const char *connection;
};

const char *
config_setting_name(ConfigSetting setting)
{
	return settings[setting].name;
}

/* ---------- which connection ---------- */

static YamlNode *
choose_connection(YamlNode *root, const char *connection)
{
	YamlNode   *connections = yaml_get(root, "connections");
	int			n = connections && connections->kind == YAML_MAP ? list_length(connections->keys) : 0;
	YamlNode   *chosen;

	if (connection == NULL && n == 0)
		return root;
	if (connection == NULL && n == 1)
		return linitial(connections->items);
	if (connection == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_CONFIG),
				 errmsg("the configuration has %d connections", n),
				 errhint("Say which is this database: drift_configure(yaml, connection).")));
	chosen = yaml_get(connections, connection);
	if (chosen == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_CONFIG),
				 errmsg("the configuration has no connection \"%s\"", connection)));
	return chosen;
}

ConfigRules *
config_read(const char *yaml, const char *connection)
{
	ConfigRules *rules = palloc0(sizeof(ConfigRules));

	rules->root = yaml_parse(yaml, MAX_CONFIG_BYTES);
	if (rules->root != NULL)
		schema_check(rules->root);
	rules->connection = connection;
	rules->database = rules->root ? choose_connection(rules->root, connection) : NULL;
	return rules;
}

/* A key of the connection's map, else of the defaults. */
static YamlNode *
database_key(const ConfigRules *rules, const char *key)
{
	YamlNode   *found = yaml_get(rules->database, key);

	return found ? found : yaml_get(yaml_get(rules->root, "defaults"), key);
}

List *
config_include(const ConfigRules *rules)
{
	return schema_texts(database_key(rules, "include"));
}

List *
config_exclude(const ConfigRules *rules)
{
	return schema_texts(database_key(rules, "exclude"));
}

List *
config_ignored_tables(const ConfigRules *rules)
{
	return schema_texts(yaml_get(database_key(rules, "ignore"), "tables"));
}

List *
config_ignored_extensions(const ConfigRules *rules)
{
	return schema_texts(database_key(rules, "ignore_extensions"));
}

void
config_threshold(const ConfigRules *rules, const char *name, double *value)
{
	YamlNode   *node = yaml_get(yaml_get(database_key(rules, "diff"), "stat_change_threshold"), name);

	if (node != NULL)
		*value = schema_number(node);
}

/* ---------- one table ---------- */

static char *
percents_text(const YamlNode *node)
{
	StringInfoData out;
	ListCell   *lc;

	initStringInfo(&out);
	foreach(lc, node->items)
	{
		double		value = schema_number(lfirst(lc));

		appendStringInfo(&out, "%s%.0f", out.len ? ", " : "", value < 1 ? value * 100 : value);
	}
	return out.data;
}

static void
set_value(ConfigTable *out, ConfigSetting setting, const YamlNode *node, const char *label)
{
	ConfigValue *value = &out->values[setting];

	value->text = setting == SET_PERCENTILES ? percents_text(node) :
		settings[setting].flag ? (schema_flag(node) ? "true" : "false") : node->text;
	value->number = settings[setting].flag ? schema_flag(node) : schema_number(node);
	value->source = label ? psprintf("line %d: %s", node->line, label) : psprintf("line %d", node->line);
}

/* Every setting that stands in a map, over what is there. */
static void
apply_level(ConfigTable *out, const YamlNode *level, const char *label)
{
	for (int i = 0; i < CONFIG_NSETTINGS; i++)
	{
		const YamlNode *map = settings[i].map ? yaml_get(level, settings[i].map) : level;
		const YamlNode *node = yaml_get(map, settings[i].key);

		if (node != NULL)
			set_value(out, i, node, label);
	}
}

static bool
rule_matches(const YamlNode *rule, const char *label, const char *schema, const char *table, double rows,
			 ConfigTable *out)
{
	YamlNode   *min_rows = yaml_get(rule, "min_rows");

	if (!model_selected(schema, table, schema_texts(yaml_get(rule, "include")),
						schema_texts(yaml_get(rule, "exclude"))))
		return false;
	if (min_rows == NULL)
		return true;
	if (rows < 0)
	{
		out->notes = lappend(out->notes, psprintf("%s (line %d) does not apply: the size of the table is not known, ANALYZE it",
												  label, rule->line));
		return false;
	}
	return rows >= schema_number(min_rows);
}

static void
apply_rules(const ConfigRules *rules, const char *schema, const char *table, double rows, ConfigTable *out)
{
	YamlNode   *list = database_key(rules, "rules");
	ListCell   *lc;

	if (list == NULL)
		return;
	foreach(lc, list->items)
	{
		char	   *label = psprintf("rules[%d]", foreach_current_index(lc));

		if (rule_matches(lfirst(lc), label, schema, table, rows, out))
			apply_level(out, lfirst(lc), label);
	}
}

static void
apply_fallbacks(ConfigTable *out)
{
	for (int i = 0; i < CONFIG_NSETTINGS; i++)
	{
		out->values[i].text = settings[i].fallback;
		out->values[i].number = settings[i].fallback == NULL ? 0 :
			settings[i].flag ? strcmp(settings[i].fallback, "true") == 0 : strtod(settings[i].fallback, NULL);
		out->values[i].source = "default";
	}
}

/*
 * The ceiling as a fraction of the estimate, rounded down to a power of 0.9:
 * steps of 10%, so that an estimate that moves a little gives the same one.
 */
static double
ceiling_fraction(double ceiling, double rows)
{
	double		fraction = 1;

	while (fraction * rows > ceiling)
		fraction *= 0.9;
	return fraction;
}

static void
resolve_scope(ConfigTable *out, const char *schema, const char *table, double rows)
{
	ConfigValue *ceiling = &out->values[SET_MAX_ROWS_SCANNED];
	ConfigValue *sample = &out->values[SET_SAMPLE];
	ConfigValue *filter = &out->values[SET_FILTER];

	if (sample->text != NULL && filter->text != NULL)
	{
		out->conflict = psprintf("%s has both a sample (%s) and a filter (%s)", model_qualified_name(schema, table),
								 sample->source, filter->source);
		out->notes = lappend(out->notes, (char *) out->conflict);
		return;
	}
	out->profile.sample = sample->text ? sample->number : 0;
	out->profile.filter = filter->text;
	if (ceiling->text == NULL)
		return;
	if (filter->text != NULL)
		out->notes = lappend(out->notes, pstrdup("max_rows_scanned does not apply: a filter narrows the table"));
	else if (rows < 0)
		out->notes = lappend(out->notes, pstrdup("max_rows_scanned does not apply: the size of the table is not known, ANALYZE it"));
	else
	{
		double		fraction = ceiling_fraction(ceiling->number, rows);

		if (fraction < 1 && (out->profile.sample == 0 || fraction < out->profile.sample))
			out->profile.sample = fraction;
	}
}

static void
fill_profile(ConfigTable *out, double rows)
{
	ProfileSettings *p = &out->profile;
	char	   *list = pstrdup(out->values[SET_PERCENTILES].text);

	profile_default_settings(p);
	p->estimated_rows = rows;
	p->sample_system = pg_strcasecmp(out->values[SET_SAMPLE_METHOD].text, "system") == 0;
	p->enumeration_threshold = out->values[SET_ENUMERATION_THRESHOLD].number;
	p->top_n_values = out->values[SET_TOP_N_VALUES].number;
	p->top_n_null_patterns = out->values[SET_TOP_N_NULL_PATTERNS].number;
	p->looks_like_sample_size = out->values[SET_LOOKS_LIKE_SAMPLE_SIZE].number;
	p->compute_timeline = out->values[SET_COMPUTE_TIMELINE].number != 0;
	p->sketch_all_columns = out->values[SET_SKETCH_ALL_COLUMNS].number != 0;
	p->npercentiles = 0;
	for (char *item = strtok(list, ", "); item != NULL; item = strtok(NULL, ", "))
		p->percentiles[p->npercentiles++] = atoi(item);
}

void
config_resolve(const ConfigRules *rules, const char *schema, const char *table, double estimated_rows,
			   ConfigTable *out)
{
	memset(out, 0, sizeof(*out));
	out->included = model_selected(schema, table, config_include(rules), config_exclude(rules));
	apply_fallbacks(out);
	apply_level(out, yaml_get(rules->root, "defaults"), "defaults");
	if (rules->database != NULL)
		apply_level(out, rules->database, rules->database == rules->root ? NULL : "the connection");
	apply_rules(rules, schema, table, estimated_rows, out);
	fill_profile(out, estimated_rows);
	resolve_scope(out, schema, table, estimated_rows);
}

void
config_check_table(const ConfigTable *table)
{
	if (table->conflict != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_CONFIG),
				 errmsg("%s", table->conflict),
				 errhint("Narrow it one way or the other; drift_rules() shows what applies.")));
}

/* ---------- assertions ---------- */

static void
read_predicate(ConfigAssertion *a, const YamlNode *value)
{
	YamlNode   *node;

	if (value->kind == YAML_TEXT)
	{
		a->exact = value->text;
		return;
	}
	if (value->kind == YAML_LIST)
	{
		a->one_of = schema_texts(value);
		return;
	}
	if ((node = yaml_get(value, "min")) != NULL)
	{
		a->has_min = true;
		a->min = schema_number(node);
	}
	if ((node = yaml_get(value, "max")) != NULL)
	{
		a->has_max = true;
		a->max = schema_number(node);
	}
	if ((node = yaml_get(value, "exact")) != NULL)
		a->exact = node->text;
	a->one_of = schema_texts(yaml_get(value, "one_of"));
}

static char *
text_of(const YamlNode *map, const char *key)
{
	YamlNode   *node = yaml_get(map, key);

	return node ? node->text : NULL;
}

static ConfigAssertion *
new_assertion(const YamlNode *map)
{
	ConfigAssertion *a = palloc0(sizeof(ConfigAssertion));
	char	   *severity = text_of(map, "severity");
	char	   *expect = text_of(map, "expect");

	a->name = text_of(map, "name");
	a->line = map->line;
	a->warning = severity != NULL && strcmp(severity, "warning") == 0;
	a->table = text_of(map, "table");
	a->column = text_of(map, "column");
	a->sql = text_of(map, "sql");
	a->expect_empty = expect != NULL && strcmp(expect, "empty") == 0;
	return a;
}

/* Short names of what stands under "inferred". */
static const char *
stat_path(const char *key)
{
	static const char *const inferred[] = {"looks_like", "candidate_key", "sensitivity"};

	for (int i = 0; i < lengthof(inferred); i++)
		if (strcmp(key, inferred[i]) == 0)
			return psprintf("inferred.%s", key);
	return key;
}

/* One a statistic: a map with three of them is three assertions. */
List *
config_assertions(const ConfigRules *rules)
{
	static const char *const own[] = {"name", "table", "column", "severity", "sql", "expect"};
	YamlNode   *list = database_key(rules, "assertions");
	List	   *assertions = NIL;
	ListCell   *lc;

	if (list == NULL)
		return NIL;
	foreach(lc, list->items)
	{
		YamlNode   *map = lfirst(lc);

		if (yaml_get(map, "sql") != NULL)
			assertions = lappend(assertions, new_assertion(map));
		for (int i = 0; i < list_length(map->keys); i++)
		{
			YamlNode   *key = list_nth(map->keys, i);
			ConfigAssertion *a;
			bool		is_own = false;

			for (int k = 0; k < lengthof(own); k++)
				is_own |= strcmp(own[k], key->text) == 0;
			if (is_own)
				continue;
			a = new_assertion(map);
			a->line = key->line;
			a->accepted_values = strcmp(key->text, "accepted_values") == 0;
			a->stat = a->accepted_values ? "values" : stat_path(key->text);
			read_predicate(a, list_nth(map->items, i));
			assertions = lappend(assertions, a);
		}
	}
	return assertions;
}
