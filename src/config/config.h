/*-------------------------------------------------------------------------
 *
 * config.h
 *	  Rules: what to look at, how closely, how long it stays fresh.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_CONFIG_H
#define DRIFTPRINT_CONFIG_H

#include "model/model.h"
#include "profile/profile.h"

/* What can be set for a table; each has a row in settings.c. */
typedef enum ConfigSetting
{
	SET_MAX_AGE_DAYS,
	SET_MAX_ROWS_SCANNED,
	SET_SAMPLE,
	SET_SAMPLE_METHOD,
	SET_FILTER,
	SET_COMPUTE_TIMELINE,
	SET_INFER_RELATIONSHIPS,
	SET_SKETCH_ALL_COLUMNS,
	SET_REFERENCE,
	SET_ENUMERATION_THRESHOLD,
	SET_TOP_N_VALUES,
	SET_TOP_N_NULL_PATTERNS,
	SET_LOOKS_LIKE_SAMPLE_SIZE,
	SET_PERCENTILES,
	CONFIG_NSETTINGS
} ConfigSetting;

/* One setting's value, as text, and who said so. */
typedef struct ConfigValue
{
	const char *text;			/* NULL: not set */
	double		number;			/* of a number or a flag */
	const char *source;			/* "default", "line 12", "line 30: rules[2]" */
} ConfigValue;

typedef struct ConfigRules ConfigRules;

/* Everything that applies to one table. */
typedef struct ConfigTable
{
	bool		included;
	ConfigValue values[CONFIG_NSETTINGS];
	ProfileSettings profile;	/* ready to use */
	List	   *notes;			/* what could not be applied, and why */
	const char *conflict;		/* why its rows cannot be read; NULL when they can */
} ConfigTable;

/* A statement that must hold of a statistic, or of a query's result. */
typedef struct ConfigAssertion
{
	const char *name;			/* NULL when none was given */
	int			line;
	bool		warning;
	const char *table;			/* a glob; NULL for SQL */
	const char *column;			/* NULL: the table's own */
	const char *stat;			/* dot path */
	const char *exact;
	bool		has_min;
	bool		has_max;
	double		min;
	double		max;
	List	   *one_of;			/* texts; also accepted_values */
	bool		accepted_values;
	const char *sql;
	bool		expect_empty;	/* else the one value must be 0 */
} ConfigAssertion;

/* The rules in force; without any, those that an empty text would give. */
extern ConfigRules *config_current(void);
extern ConfigRules *config_read(const char *yaml, const char *connection);

extern List *config_include(const ConfigRules *rules);
extern List *config_exclude(const ConfigRules *rules);
extern List *config_ignored_tables(const ConfigRules *rules);
extern List *config_ignored_extensions(const ConfigRules *rules);
extern List *config_assertions(const ConfigRules *rules);

/* Thresholds of the text report; *value stays when the rules say nothing. */
extern void config_threshold(const ConfigRules *rules, const char *name, double *value);

/*
 * What applies to a table.  estimated_rows is the catalog's, negative when it
 * has none.  A table that ends up with a sample and a filter has a conflict,
 * which config_check_table() raises (ERRCODE_DRIFT_CONFIG).
 */
extern void config_resolve(const ConfigRules *rules, const char *schema, const char *table,
						   double estimated_rows, ConfigTable *out);

extern void config_check_table(const ConfigTable *table);

extern const char *config_setting_name(ConfigSetting setting);

#endif							/* DRIFTPRINT_CONFIG_H */
