/*-------------------------------------------------------------------------
 *
 * open.c
 *	  A print by name, as the caller may see it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "print/print_internal.h"
#include "store/store.h"
#include "utils/builtins.h"
#include "utils/formatting.h"

/* A pattern's match over the names of a print. */
static bool
pattern_matches(const char *pattern, DriftPrint *print)
{
	List	   *include = list_make1(pstrdup(pattern));

	for (int i = 0; print != NULL && i < print->nentries; i++)
		if (model_selected(print->entries[i].schema, print->entries[i].name, include, NIL))
			return true;
	return false;
}

void
print_check_include(List *include, DriftPrint *a, DriftPrint *b)
{
	ListCell   *lc;

	foreach(lc, include)
	{
		const char *pattern = lfirst(lc);

		if (pattern_matches(pattern, a) || pattern_matches(pattern, b))
			continue;
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_NO_MATCH),
				 errmsg("include pattern \"%s\" matches nothing", pattern),
				 errdetail("Patterns are compared with the lower-cased schema.table; \"*\" matches any characters, dots too."),
				 errhint("Write the schema too, as in \"public.%s\" or \"*.%s\".", pattern, pattern)));
	}
}

/* Keep what the rules, include and exclude select; a partition goes with its own name. */
static void
restrict_entries(DriftPrint *print, List *include, List *exclude)
{
	ConfigRules *rules = config_current();
	int			kept = 0;

	for (int i = 0; i < print->nentries; i++)
		if (print_selected(rules, print->entries[i].schema, print->entries[i].name, include, exclude))
			print->entries[kept++] = print->entries[i];
	print->nentries = kept;
}

DriftPrint *
print_open(const char *name, List *include, List *exclude, bool profile)
{
	DriftPrint *print;

	if (strcmp(name, "live") == 0)
	{
		PrintOptions options = {0};

		options.include = include;
		options.exclude = exclude;
		options.force = true;
		options.profile = profile;
		print = print_take(&options, NULL, NULL);
		print->label = "live";
	}
	else
	{
		print = store_open(name);
		restrict_entries(print, include, exclude);
	}
	print_hide(print);
	return print;
}
