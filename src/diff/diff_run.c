/*-------------------------------------------------------------------------
 *
 * diff_run.c
 *	  A diff as the SQL functions ask for it: two prints by name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "config/config.h"
#include "diff/diff.h"
#include "print/print.h"
#include "utils/builtins.h"

const DiffCounter diff_counters[] = {
	{"tables_scanned", offsetof(DiffSummary, tables_scanned)},
	{"tables_added", offsetof(DiffSummary, tables_added)},
	{"tables_removed", offsetof(DiffSummary, tables_removed)},
	{"tables_modified", offsetof(DiffSummary, tables_modified)},
	{"unchanged_tables", offsetof(DiffSummary, unchanged_tables)},
	{"unevaluated_tables", offsetof(DiffSummary, unevaluated_tables)},
	{"columns_added", offsetof(DiffSummary, columns_added)},
	{"columns_removed", offsetof(DiffSummary, columns_removed)},
	{"columns_type_changed", offsetof(DiffSummary, columns_type_changed)},
	{"columns_nullable_changed", offsetof(DiffSummary, columns_nullable_changed)},
	{"columns_default_changed", offsetof(DiffSummary, columns_default_changed)},
	{"statistics_drifted", offsetof(DiffSummary, statistics_drifted)},
	{"relationships_changed", offsetof(DiffSummary, relationships_changed)},
	{"indexes_changed", offsetof(DiffSummary, indexes_changed)},
	{"comments_changed", offsetof(DiffSummary, comments_changed)},
	{"row_counts_changed", offsetof(DiffSummary, row_counts_changed)},
	{"other_changes", offsetof(DiffSummary, other_changes)}
};

const int	diff_ncounters = lengthof(diff_counters);

static char *
print_argument(FunctionCallInfo fcinfo, int n, const char *what)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("\"%s\" must not be null", what),
				 errhint("Name a print: live, latest, an id or a label.")));
	return text_to_cstring(PG_GETARG_TEXT_PP(n));
}

/* The rules' default, for all tables. */
static bool
infers_relationships(void)
{
	ConfigTable table;

	config_resolve(config_current(), "", "", -1, &table);
	return table.values[SET_INFER_RELATIONSHIPS].number != 0;
}

/*
 * Of live only what is asked for is read.  A stored print is there anyway, and
 * what was renamed may have another name in it.
 */
static DriftPrint *
open_print(const char *name, const DiffOptions *options)
{
	bool		live = strcmp(name, "live") == 0;

	return print_open(name, live ? options->include : NIL, live ? options->exclude : NIL, options->profile);
}

void
diff_run(FunctionCallInfo fcinfo, int selection, DiffRun *run)
{
	char	   *baseline = print_argument(fcinfo, 0, "baseline");
	char	   *target = print_argument(fcinfo, 1, "target");

	memset(run, 0, sizeof(*run));
	run->options.include = PG_ARGISNULL(selection) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(selection), "include");
	run->options.exclude = PG_ARGISNULL(selection + 1) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(selection + 1), "exclude");
	if (PG_ARGISNULL(selection + 2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("\"profile\" must not be null")));
	run->options.profile = PG_GETARG_BOOL(selection + 2);
	run->options.not_inferred = !infers_relationships();
	run->baseline = open_print(baseline, &run->options);
	run->target = open_print(target, &run->options);
	print_check_include(run->options.include, run->baseline, run->target);
	run->changes = diff_prints(run->baseline, run->target, &run->options, &run->summary);
}
