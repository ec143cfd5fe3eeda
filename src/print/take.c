/*-------------------------------------------------------------------------
 *
 * take.c
 *	  Taking a print of the live database.
 *
 * Structure first, all of it, under catalog snapshots; then rows, relation by
 * relation, all under the one snapshot of the calling statement.  Each
 * relation's rows are read in a subtransaction that is always rolled back:
 * it gives the relation's lock back at once, and an error in one relation is
 * that relation's row in the result and not the end of the print.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/catalog.h"
#include "commands/dbcommands.h"
#include "compat.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "portability/instr_time.h"
#include "print/print.h"
#include "print/print_internal.h"
#include "profile/profile.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"

typedef struct OidEntry
{
	Oid			oid;
	void	   *pointer;
} OidEntry;

static HTAB *
create_oid_table(MemoryContext context)
{
	HASHCTL		ctl = {0};

	ctl.keysize = sizeof(Oid);
	ctl.entrysize = sizeof(OidEntry);
	ctl.hcxt = context;
	return hash_create("relations by OID", 256, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static void
remember(HTAB *table, Oid oid, void *pointer)
{
	OidEntry   *entry = hash_search(table, &oid, HASH_ENTER, NULL);

	entry->pointer = pointer;
}

static void *
recall(HTAB *table, Oid oid)
{
	OidEntry   *entry = table ? hash_search(table, &oid, HASH_FIND, NULL) : NULL;

	return entry ? entry->pointer : NULL;
}

/* ---------- selection ---------- */

/*
 * The call narrows what the rules select.  Objects without a schema, such as
 * roles, are never named by the rules' include and so not kept out by it.
 */
bool
print_selected(const ConfigRules *rules, const char *schema, const char *name, List *include, List *exclude)
{
	return model_selected(schema, name, include, exclude) &&
		model_selected(schema, name, schema ? config_include(rules) : NIL, config_exclude(rules)) &&
		model_selected(schema, name, NIL, config_ignored_tables(rules));
}

/* A partition goes where its topmost parent goes. */
static void
select_relations(PrintRun *run)
{
	List	   *all = catalog_list_relations();
	HTAB	   *by_oid = create_oid_table(CurrentMemoryContext);
	ListCell   *lc;

	foreach(lc, all)
		remember(by_oid, ((CatalogRelation *) lfirst(lc))->oid, lfirst(lc));
	foreach(lc, all)
	{
		CatalogRelation *relation = lfirst(lc);
		CatalogRelation *chosen = relation;

		if (OidIsValid(relation->root) && recall(by_oid, relation->root))
			chosen = recall(by_oid, relation->root);
		if (!print_selected(run->rules, chosen->schema, chosen->name, run->options->include, run->options->exclude))
			continue;
		run->relations = lappend(run->relations, relation);
		remember(run->estimates, relation->oid, relation);
	}
}

/* ---------- what was there before ---------- */

static void
index_previous(PrintRun *run)
{
	if (run->previous == NULL)
		return;
	run->same_database = model_same_database(run->previous, run->print);
	if (!run->same_database)
		return;
	run->previous_by_oid = create_oid_table(run->context);
	for (int i = 0; i < run->previous->nentries; i++)
		if (model_is_relation_family(run->previous->entries[i].family))
			remember(run->previous_by_oid, run->previous->entries[i].oid, &run->previous->entries[i]);
}

static bool
is_fresh(const DriftEntry *previous, int max_age_days, TimestampTz now)
{
	if (previous == NULL || previous->profiled_at == DT_NOBEGIN || previous->status == DRIFT_FAILED)
		return false;
	return now - previous->profiled_at < (int64) max_age_days * USECS_PER_DAY;
}

/* The profile as it was, with its time: known, but not read again. */
static void
carry_forward(DriftEntry *entry, const DriftEntry *previous)
{
	entry->profile_id = previous->profile_id;
	entry->row_count = previous->row_count;
	entry->count_method = previous->count_method;
	entry->profiled_at = previous->profiled_at;
	entry->scoped = previous->scoped;
	entry->write_mark = previous->write_mark;
}

static bool
is_unwritten(const DriftEntry *entry, const DriftEntry *previous)
{
	return previous != NULL && previous->profile_id != 0 && previous->status != DRIFT_FAILED &&
		entry->write_mark != 0 && entry->write_mark == previous->write_mark;
}

/* ---------- rows ---------- */

static bool
has_rows(const DriftEntry *entry)
{
	return strcmp(entry->family, "table") == 0 || strcmp(entry->family, "materialized_view") == 0;
}

/* The catalog's estimate; negative when it has none. */
static double
estimate_of(PrintRun *run, const DriftEntry *entry)
{
	CatalogRelation *relation = recall(run->estimates, entry->oid);

	return relation ? relation->reltuples : -1;
}

static void
estimate_rows(PrintRun *run, DriftEntry *entry)
{
	if (estimate_of(run, entry) < 0 || !has_rows(entry))
		return;
	entry->row_count = (int64) estimate_of(run, entry);
	entry->count_method = DRIFT_COUNT_APPROXIMATE;
}

static bool
is_fatal(const ErrorData *error)
{
	return error->sqlerrcode == ERRCODE_QUERY_CANCELED || error->sqlerrcode == ERRCODE_ADMIN_SHUTDOWN ||
		error->sqlerrcode == ERRCODE_CRASH_SHUTDOWN || error->sqlerrcode == ERRCODE_DATABASE_DROPPED;
}

/* What of the rules could not be applied, as one message. */
static char *
copy_notes(List *notes, MemoryContext context)
{
	StringInfoData out;
	ListCell   *lc;

	if (notes == NIL)
		return NULL;
	initStringInfo(&out);
	foreach(lc, notes)
		appendStringInfo(&out, "%s%s", out.len ? "; " : "", (char *) lfirst(lc));
	return MemoryContextStrdup(context, out.data);
}

static void
copy_result(DriftEntry *entry, const ProfileResult *result, MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);

	if (result->profile != NULL)
	{
		JsonbValue	scope;

		entry->profile = (Jsonb *) PG_DETOAST_DATUM_COPY(JsonbPGetDatum(result->profile));
		model_hash(entry->profile, entry->profile_hash);
		entry->scoped = model_get(entry->profile, "scope", &scope);
	}
	MemoryContextSwitchTo(old);
	entry->row_count = result->row_count;
	entry->count_method = result->row_count_exact ? DRIFT_COUNT_EXACT : DRIFT_COUNT_APPROXIMATE;
	entry->status = DRIFT_PROFILED;
}

/* Read the rows of one relation; its failure is kept in the entry. */
static void
profile_entry(PrintRun *run, PrintOutcome *outcome)
{
	DriftEntry *entry = outcome->entry;
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	MemoryContext scratch = AllocSetContextCreate(caller, "profile of a relation", ALLOCSET_DEFAULT_SIZES);
	instr_time	start;
	instr_time	elapsed;

	INSTR_TIME_SET_CURRENT(start);
	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(scratch);
	PG_TRY();
	{
		ConfigTable table;
		ProfileResult result;

		config_resolve(run->rules, entry->schema, entry->name, estimate_of(run, entry), &table);
		config_check_table(&table);
		profile_relation(entry->oid, &table.profile, &result);
		outcome->notes = copy_notes(table.notes, run->context);
		copy_result(entry, &result, run->context);
		outcome->rows_scanned = result.rows_scanned;
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(run->context);
		error = CopyErrorData();
		if (run->options->fail_fast || is_fatal(error))
			PG_RE_THROW();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		entry->status = DRIFT_FAILED;
		entry->message = error->message;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
	MemoryContextDelete(scratch);
	entry->profiled_at = entry->status == DRIFT_FAILED ? DT_NOBEGIN : run->print->taken_at;
	INSTR_TIME_SET_CURRENT(elapsed);
	INSTR_TIME_SUBTRACT(elapsed, start);
	outcome->elapsed_ms = INSTR_TIME_GET_MILLISEC(elapsed);
}

/* Why a relation's rows are not read, or read them. */
void
print_visit(PrintRun *run, PrintOutcome *outcome)
{
	DriftEntry *entry = outcome->entry;
	DriftEntry *previous = recall(run->previous_by_oid, entry->oid);
	bool		fresh;

	if (entry->status == DRIFT_FAILED)
	{
		if (run->options->fail_fast)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("could not print %s: %s", model_entry_name(entry), entry->message)));
		return;
	}
	fresh = !run->options->force && is_fresh(previous, entry->max_age_days, run->print->taken_at);
	if (run->options->trust_counters && !fresh && has_rows(entry) && is_unwritten(entry, previous))
	{
		/* known to be as it was, as of now */
		carry_forward(entry, previous);
		entry->profiled_at = run->print->taken_at;
		entry->status = DRIFT_SKIPPED;
		entry->message = "its write counters have not moved";
		return;
	}
	if (!has_rows(entry))
		return;
	if (run->plan_only)
	{
		entry->status = fresh ? DRIFT_SKIPPED : run->options->profile ? DRIFT_PLANNED : DRIFT_CATALOG_ONLY;
		if (run->options->store && previous != NULL && previous->profiled_at != DT_NOBEGIN)
			carry_forward(entry, previous);
		return;
	}
	if (run->options->profile && !fresh)
		profile_entry(run, outcome);
	else if (run->options->store && previous != NULL && previous->profiled_at != DT_NOBEGIN)
	{
		carry_forward(entry, previous);
		if (run->options->profile)
		{
			entry->status = DRIFT_SKIPPED;
			entry->message = "its print is fresh";
		}
	}
	else
		estimate_rows(run, entry);
}

/* ---------- the whole ---------- */

/* Objects that are not relations are selected by their own names. */
static List *
read_other_objects(PrintRun *run)
{
	List	   *selected = NIL;
	ListCell   *lc;

	foreach(lc, catalog_read_families())
	{
		DriftEntry *entry = lfirst(lc);

		if (print_selected(run->rules, entry->schema, entry->name, run->options->include, run->options->exclude))
			selected = lappend(selected, entry);
	}
	return selected;
}

/* The threshold that is recorded with the print; only relations age. */
static int
max_age_of(PrintRun *run, const DriftEntry *entry)
{
	ConfigTable table;

	if (!model_is_relation_family(entry->family))
		return 0;
	config_resolve(run->rules, entry->schema, entry->name, estimate_of(run, entry), &table);
	return (int) table.values[SET_MAX_AGE_DAYS].number;
}

static void
read_structure(PrintRun *run)
{
	List	   *entries = list_concat(catalog_read_relations(run->relations), read_other_objects(run));
	ListCell   *lc;
	int			n = 0;

	run->print->nentries = list_length(entries);
	run->print->entries = MemoryContextAllocHuge(run->context, sizeof(DriftEntry) * (list_length(entries) + 1));
	foreach(lc, entries)
	{
		run->print->entries[n] = *(DriftEntry *) lfirst(lc);
		run->print->entries[n].max_age_days = max_age_of(run, &run->print->entries[n]);
		n++;
	}
	qsort(run->print->entries, n, sizeof(DriftEntry), model_compare_entries);
}

void
print_list_outcomes(PrintRun *run)
{
	for (int i = 0; i < run->print->nentries; i++)
	{
		DriftEntry *entry = &run->print->entries[i];
		PrintOutcome *outcome;

		if (!model_is_relation_family(entry->family) ||
			(strcmp(entry->family, "partition") == 0 && entry->status != DRIFT_FAILED))
			continue;
		outcome = palloc0(sizeof(PrintOutcome));
		outcome->entry = entry;
		outcome->rows_scanned = -1;
		run->outcomes = lappend(run->outcomes, outcome);
	}
}

/* What the call looked at, so that nothing else is said to have come or gone. */
static void
put_selectors(ModelBuilder *b, const PrintOptions *options)
{
	if (options->include == NIL && options->exclude == NIL)
		return;
	model_key(b, "selectors");
	model_object_begin(b);
	model_put_texts(b, "include", options->include);
	model_put_texts(b, "exclude", options->exclude);
	model_object_end(b);
}

static DriftPrint *
new_live_print(MemoryContext context, const PrintOptions *options)
{
	DriftPrint *print = palloc0(sizeof(DriftPrint));
	ModelBuilder b = {0};

	print->context = context;
	print->source = "live";
	print->status = "complete";
	print->taken_at = GetCurrentTimestamp();
	print->system_identifier = GetSystemIdentifier();
	print->database = MyDatabaseId;
	print->database_name = get_database_name(MyDatabaseId);
	print->server_version_num = COMPAT_SERVER_VERSION;
	model_object_begin(&b);
	model_put_texts(&b, "not_compared", catalog_not_compared());
	put_selectors(&b, options);
	model_object_end(&b);
	print->facts = model_finish(&b);
	return print;
}

void
print_begin(PrintRun *run)
{
	run->print = new_live_print(run->context, run->options);
	run->print->label = run->options->label;
	run->rules = config_current();
	run->estimates = create_oid_table(run->context);
	select_relations(run);
	read_structure(run);
	if (run->options->store || run->options->profile)
		print_mark_writes(run->print);
	index_previous(run);
	print_list_outcomes(run);
}

void
print_conclude(PrintRun *run)
{
	ListCell   *lc;

	run->tried = run->failed = 0;
	foreach(lc, run->outcomes)
	{
		run->tried++;
		run->failed += ((PrintOutcome *) lfirst(lc))->entry->status == DRIFT_FAILED;
	}
	run->print->status = run->failed == 0 ? "complete" : run->failed == run->tried ? "failed" : "partial";
}

DriftPrint *
print_take(const PrintOptions *options, DriftPrint *previous, List **outcomes)
{
	PrintRun	run = {0};
	ListCell   *lc;
	int			nestlevel;

	run.options = options;
	run.context = CurrentMemoryContext;
	run.previous = previous;
	run.plan_only = options->dry_run;
	nestlevel = model_canonical_begin();
	print_begin(&run);
	foreach(lc, run.outcomes)
	{
		CHECK_FOR_INTERRUPTS();
		print_visit(&run, lfirst(lc));
	}
	model_canonical_end(nestlevel);
	print_conclude(&run);
	if (outcomes != NULL)
		*outcomes = run.outcomes;
	return run.print;
}
