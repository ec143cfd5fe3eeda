/*-------------------------------------------------------------------------
 *
 * show_sql.c
 *	  drift_statistics() and drift_describe(): what a print holds, to look at.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "print/print.h"
#include "profile/profile.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(drift_statistics);
PG_FUNCTION_INFO_V1(drift_describe);

typedef struct LeafRows
{
	ReturnSetInfo *rsinfo;
	const char *relation;
} LeafRows;

static char *
text_argument(FunctionCallInfo fcinfo, int n, const char *what)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("\"%s\" must not be null", what)));
	return text_to_cstring(PG_GETARG_TEXT_PP(n));
}

static void
emit_leaf(void *state, const char *column, const char *path, Jsonb *value)
{
	LeafRows   *rows = state;
	Datum		values[4];
	bool		nulls[4] = {false};

	values[0] = CStringGetTextDatum(rows->relation);
	nulls[1] = column == NULL;
	values[1] = column ? CStringGetTextDatum(column) : (Datum) 0;
	values[2] = CStringGetTextDatum(path);
	values[3] = JsonbPGetDatum(value);
	tuplestore_putvalues(rows->rsinfo->setResult, rows->rsinfo->setDesc, values, nulls);
}

static void
emit_row_count(LeafRows *rows, const DriftEntry *entry)
{
	if (entry->count_method == DRIFT_COUNT_NONE)
		return;
	emit_leaf(rows, NULL, "row_count", model_int_jsonb(entry->row_count));
	emit_leaf(rows, NULL, "row_count_method", model_text_jsonb(model_count_method_name(entry->count_method)));
}

/* Entries of relations with their documents in memory. */
static DriftEntry **
load_relations(DriftPrint *print, int *n)
{
	DriftEntry **entries = palloc(sizeof(DriftEntry *) * (print->nentries + 1));

	*n = 0;
	for (int i = 0; i < print->nentries; i++)
		if (model_is_relation_family(print->entries[i].family))
			entries[(*n)++] = &print->entries[i];
	if (print->load != NULL)
		print->load(print, entries, *n, true);
	return entries;
}

Datum
drift_statistics(PG_FUNCTION_ARGS)
{
	LeafRows	rows = {(ReturnSetInfo *) fcinfo->resultinfo, NULL};
	char	   *name = text_argument(fcinfo, 0, "print");
	List	   *include = PG_ARGISNULL(1) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(1), "include");
	DriftPrint *print = print_open(name, include, NIL, true);
	DriftEntry **entries;
	int			n;

	InitMaterializedSRF(fcinfo, 0);
	print_check_include(include, print, NULL);
	entries = load_relations(print, &n);
	for (int i = 0; i < n; i++)
	{
		rows.relation = model_entry_name(entries[i]);
		emit_row_count(&rows, entries[i]);
		if (entries[i]->profile != NULL)
			profile_walk(entries[i]->profile, emit_leaf, &rows);
	}
	return (Datum) 0;
}

/* By its qualified name, or by its bare name where only one has it. */
static DriftEntry *
find_relation(DriftPrint *print, const char *name)
{
	DriftEntry *found = NULL;
	int			matches = 0;

	for (int i = 0; i < print->nentries; i++)
	{
		DriftEntry *entry = &print->entries[i];

		if (!model_is_relation_family(entry->family))
			continue;
		if (strcmp(model_entry_name(entry), name) == 0 || strcmp(psprintf("%s.%s", entry->schema, entry->name), name) == 0)
			return entry;
		if (strcmp(entry->name, name) == 0)
		{
			found = entry;
			matches++;
		}
	}
	if (matches == 1)
		return found;
	ereport(ERROR,
			(errcode(matches == 0 ? ERRCODE_UNDEFINED_TABLE : ERRCODE_AMBIGUOUS_ALIAS),
			 matches == 0 ? errmsg("relation \"%s\" is not in the print", name) :
			 errmsg("relation \"%s\" is in more than one schema of the print", name),
			 errhint("Name it with its schema, as drift_print() shows it.")));
	return NULL;
}

Datum
drift_describe(PG_FUNCTION_ARGS)
{
	char	   *name = text_argument(fcinfo, 0, "relation");
	DriftPrint *print = print_open(text_argument(fcinfo, 1, "print"), NIL, NIL, true);
	DriftEntry *entry = find_relation(print, name);
	char	   *count = NULL;
	TimestampTz when;

	if (print->load != NULL)
		print->load(print, &entry, 1, true);
	if (entry->count_method != DRIFT_COUNT_NONE)
		count = psprintf("%s" INT64_FORMAT, entry->count_method == DRIFT_COUNT_APPROXIMATE ? "about " : "",
						 entry->row_count);
	when = entry->profiled_at == DT_NOBEGIN ? print->taken_at : entry->profiled_at;
	PG_RETURN_TEXT_P(cstring_to_text(profile_describe(entry->body, entry->profile, entry->row_count, count,
													  timestamptz_to_str(when))));
}
