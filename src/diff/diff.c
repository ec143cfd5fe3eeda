/*-------------------------------------------------------------------------
 *
 * diff.c
 *	  Matching the objects of two prints.
 *
 * By identity first: both sides are sorted by it, so one walk finds what is on
 * both, and equal hashes need no look at the documents.  Of what is left over,
 * objects with one OID in one database are the same object under a new name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff_internal.h"
#include "miscadmin.h"
#include "utils/hsearch.h"

/* A relation's place in the summary. */
typedef struct Modified
{
	char		name[5 * NAMEDATALEN];	/* key: qualified name, quotes doubled */
} Modified;

bool
diff_is_data_kind(const char *kind)
{
	return strcmp(kind, "statistic_changed") == 0 || strcmp(kind, "table_row_count_changed") == 0;
}

/* A new change of the pair, for the caller to fill. */
DriftChange *
diff_report(Diff *diff, DiffPair *pair, const char *kind)
{
	DriftChange *change = palloc0(sizeof(DriftChange));
	DriftEntry *entry = pair->after ? pair->after : pair->before;

	change->kind = kind;
	change->relation = pair->relation;
	change->schema = entry->schema;
	change->name = entry->name;
	change->family = entry->family;
	pair->nchanges++;
	diff->changes = lappend(diff->changes, change);
	return change;
}

static DiffPair *
new_pair(DriftEntry *before, DriftEntry *after)
{
	DiffPair   *pair = palloc0(sizeof(DiffPair));

	pair->before = before;
	pair->after = after;
	pair->relation = model_entry_name(after ? after : before);
	return pair;
}

/* ---------- matching ---------- */

static bool
is_selected(const Diff *diff, const DriftEntry *entry)
{
	return model_selected(entry->schema, entry->name, diff->options->include, diff->options->exclude);
}

/* An object left over in the target; OIDs are unique within a family. */
typedef struct ByOid
{
	char		key[NAMEDATALEN];	/* family and OID */
	DriftEntry *entry;
	bool		matched;
} ByOid;

static char *
oid_key(const DriftEntry *entry)
{
	return psprintf("%u %s", entry->oid, entry->family);
}

static HTAB *
index_by_oid(List *entries)
{
	HASHCTL		ctl = {0};
	HTAB	   *table;
	ListCell   *lc;

	ctl.keysize = NAMEDATALEN;
	ctl.entrysize = sizeof(ByOid);
	ctl.hcxt = CurrentMemoryContext;
	table = hash_create("left over by OID", 64, &ctl, HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
	foreach(lc, entries)
	{
		DriftEntry *entry = lfirst(lc);
		ByOid	   *slot;

		if (!OidIsValid(entry->oid))
			continue;
		slot = hash_search(table, oid_key(entry), HASH_ENTER, NULL);
		slot->matched = false;
		slot->entry = entry;
	}
	return table;
}

static ByOid *
find_by_oid(HTAB *table, const DriftEntry *entry)
{
	return OidIsValid(entry->oid) ? hash_search(table, oid_key(entry), HASH_FIND, NULL) : NULL;
}

/* Left over on both sides, same object: a rename or a move to a schema. */
static List *
match_renamed(Diff *diff, List **removed, List **added)
{
	List	   *pairs = NIL;
	List	   *gone = NIL;
	List	   *come = NIL;
	HTAB	   *table;
	ListCell   *lc;

	if (!diff->same_database || *removed == NIL || *added == NIL)
		return NIL;
	table = index_by_oid(*added);
	foreach(lc, *removed)
	{
		DriftEntry *before = lfirst(lc);
		ByOid	   *slot = find_by_oid(table, before);

		if (slot == NULL || slot->matched)
			gone = lappend(gone, before);
		else
		{
			pairs = lappend(pairs, new_pair(before, slot->entry));
			slot->matched = true;
		}
	}
	foreach(lc, *added)
	{
		ByOid	   *slot = find_by_oid(table, lfirst(lc));

		if (slot == NULL || slot->entry != lfirst(lc) || !slot->matched)
			come = lappend(come, lfirst(lc));
	}
	*removed = gone;
	*added = come;
	return pairs;
}

static void
match_entries(Diff *diff, List **pairs, List **removed, List **added)
{
	DriftPrint *b = diff->baseline;
	DriftPrint *t = diff->target;
	int			i = 0;
	int			j = 0;

	while (i < b->nentries || j < t->nentries)
	{
		int			c = i >= b->nentries ? 1 : j >= t->nentries ? -1 :
			model_compare_identity(&b->entries[i], &t->entries[j]);

		CHECK_FOR_INTERRUPTS();
		if (c < 0)
			*removed = lappend(*removed, &b->entries[i++]);
		else if (c > 0)
			*added = lappend(*added, &t->entries[j++]);
		else
			*pairs = lappend(*pairs, new_pair(&b->entries[i++], &t->entries[j++]));
	}
}

/* ---------- what was asked for ---------- */

static List *
selected_entries(const Diff *diff, List *entries)
{
	List	   *kept = NIL;
	ListCell   *lc;

	foreach(lc, entries)
		if (is_selected(diff, lfirst(lc)))
			kept = lappend(kept, lfirst(lc));
	return kept;
}

/* By either name. */
static List *
selected_pairs(const Diff *diff, List *pairs)
{
	List	   *kept = NIL;
	ListCell   *lc;

	foreach(lc, pairs)
	{
		DiffPair   *pair = lfirst(lc);

		if (is_selected(diff, pair->after) || is_selected(diff, pair->before))
			kept = lappend(kept, pair);
	}
	return kept;
}

/* ---------- what a print looked at ---------- */

static List *
texts_in(JsonbContainer *object, const char *key)
{
	JsonbContainer *array = model_container_in(object, key);
	List	   *texts = NIL;

	for (uint32 i = 0; array != NULL && JsonContainerIsArray(array) && i < JsonContainerSize(array); i++)
		texts = lappend(texts, model_value_text(getIthJsonbValueFromContainer(array, i)));
	return texts;
}

/* A partition is looked at where its parent is. */
static bool
is_within(const DriftEntry *entry, List *include, List *exclude)
{
	JsonbContainer *attributes = entry->body ? model_container_in(&entry->body->root, "attributes") : NULL;
	JsonbContainer *parent = model_container_in(attributes, "partition_of");
	char	   *name = model_text_in(parent, "name");

	return model_selected(entry->schema, entry->name, include, exclude) ||
		(name != NULL && model_selected(model_text_in(parent, "schema"), name, include, exclude));
}

static JsonbContainer *
selectors_of(const DriftPrint *print)
{
	return print->facts ? model_container_in(&print->facts->root, "selectors") : NULL;
}

bool
diff_was_looked_at(const DriftPrint *print, const DriftEntry *entry)
{
	JsonbContainer *selectors = selectors_of(print);

	return is_within(entry, texts_in(selectors, "include"), texts_in(selectors, "exclude"));
}

/*
 * Of what one print alone holds, what the other would hold if it were there: a
 * print of some schemas says nothing of the others (section 2.6.8).
 */
static List *
looked_at_by(const DriftPrint *other, List *entries)
{
	JsonbContainer *selectors = selectors_of(other);
	List	   *include = texts_in(selectors, "include");
	List	   *exclude = texts_in(selectors, "exclude");
	List	   *kept = NIL;
	ListCell   *lc;

	if (include == NIL && exclude == NIL)
		return entries;
	foreach(lc, entries)
		if (is_within(lfirst(lc), include, exclude))
			kept = lappend(kept, lfirst(lc));
	return kept;
}

/* ---------- what needs a look at the documents ---------- */

static bool
same_attnums(const DriftEntry *a, const DriftEntry *b)
{
	return a->nattnums == b->nattnums &&
		(a->nattnums == 0 || memcmp(a->attnums, b->attnums, sizeof(int16) * a->nattnums) == 0);
}

static bool
structure_differs(Diff *diff, DiffPair *pair)
{
	if (memcmp(pair->before->hash, pair->after->hash, DRIFT_HASH_BYTES) != 0)
		return true;
	return diff->same_database && pair->before->oid == pair->after->oid &&
		!same_attnums(pair->before, pair->after);
}

static bool
has_profile(const DriftEntry *entry)
{
	return entry->profile != NULL || entry->profile_id != 0;
}

static bool
profile_differs(Diff *diff, DiffPair *pair)
{
	if (!diff->options->profile || !has_profile(pair->before) || !has_profile(pair->after))
		return false;
	return memcmp(pair->before->profile_hash, pair->after->profile_hash, DRIFT_HASH_BYTES) != 0;
}

static void
load(DriftPrint *print, List *entries, bool profiles)
{
	DriftEntry **array = palloc(sizeof(DriftEntry *) * (list_length(entries) + 1));
	ListCell   *lc;

	if (print->load == NULL || entries == NIL)
		return;
	foreach(lc, entries)
		array[foreach_current_index(lc)] = lfirst(lc);
	print->load(print, array, list_length(entries), profiles);
}

static void
load_documents(Diff *diff, List *differing, List *removed, List *added)
{
	List	   *before = list_copy(removed);
	List	   *after = list_copy(added);
	ListCell   *lc;

	foreach(lc, differing)
	{
		before = lappend(before, ((DiffPair *) lfirst(lc))->before);
		after = lappend(after, ((DiffPair *) lfirst(lc))->after);
	}
	load(diff->baseline, before, diff->options->profile);
	load(diff->target, after, diff->options->profile);
}

/* ---------- added, removed, renamed ---------- */

static const char *
type_word(const char *family)
{
	if (strcmp(family, "materialized_view") == 0)
		return "matview";
	return strcmp(family, "view") == 0 ? "view" : "table";
}

/* A partition comes and goes as a part of its parent. */
static void
report_partition(Diff *diff, DriftEntry *entry, bool added)
{
	DiffPair   *pair = new_pair(added ? NULL : entry, added ? entry : NULL);
	DriftChange *change;
	Jsonb	   *bound = model_text_jsonb(model_text_in(model_container_in(&entry->body->root, "attributes"),
													   "partition_bound"));

	pair->relation = diff_parent_of(entry);
	change = diff_report(diff, pair, added ? "partition_added" : "partition_removed");
	change->object_name = model_entry_name(entry);
	*(added ? &change->after : &change->before) = bound;
}

/* The sequence behind a serial or identity column comes and goes with it. */
static bool
belongs_to_column(DriftEntry *entry)
{
	JsonbContainer *attributes;

	if (strcmp(entry->family, "sequence") != 0)
		return false;
	attributes = model_container_in(&entry->body->root, "attributes");
	return model_container_in(attributes, "owned_by") != NULL || model_bool_in(attributes, "identity", false);
}

static void
report_whole(Diff *diff, DriftEntry *entry, bool added)
{
	DiffPair   *pair;
	DriftChange *change;
	Jsonb	   *value;

	if (strcmp(entry->family, "partition") == 0)
	{
		report_partition(diff, entry, added);
		return;
	}
	if (belongs_to_column(entry))
		return;
	pair = new_pair(added ? NULL : entry, added ? entry : NULL);
	if (model_is_relation_family(entry->family))
	{
		change = diff_report(diff, pair, added ? "table_added" : "table_removed");
		value = model_text_jsonb(type_word(entry->family));
	}
	else
	{
		change = diff_report(diff, pair, psprintf("%s_%s", entry->family, added ? "added" : "removed"));
		value = model_text_jsonb(entry->family);
	}
	*(added ? &change->after : &change->before) = value;
}

static void
report_rename(Diff *diff, DiffPair *pair)
{
	bool		relation = model_is_relation_family(pair->after->family);
	DriftChange *change = diff_report(diff, pair, relation ? "table_renamed" :
									  psprintf("%s_renamed", pair->after->family));

	change->before = model_text_jsonb(model_entry_name(pair->before));
	change->after = model_text_jsonb(model_entry_name(pair->after));
}

static void
compare_pair(Diff *diff, DiffPair *pair)
{
	bool		relation = model_is_relation_family(pair->after->family);
	bool		structure = structure_differs(diff, pair);
	bool		profile = profile_differs(diff, pair);

	if (structure && relation)
		diff_relation(diff, pair);
	else if (structure)
		diff_object(diff, pair);
	else if (pair->inferred_before != NIL || pair->inferred_after != NIL)
		diff_relationships(diff, pair);
	if (relation && (structure || profile))
		diff_grain(diff, pair);
	if (profile)
		diff_statistics(diff, pair);
	if (diff->options->profile)
		diff_row_count(diff, pair);
}

/* Columns of all first: a rename in one is seen in others. */
static void
compare_pairs(Diff *diff, List *pairs, List *removed, List *added)
{
	List	   *changed = NIL;
	ListCell   *lc;

	foreach(lc, pairs)
	{
		DiffPair   *pair = lfirst(lc);

		if (model_is_relation_family(pair->after->family) && structure_differs(diff, pair))
			changed = lappend(changed, pair);
	}
	diff_infer_edges(diff, pairs, changed, removed, added);
	foreach(lc, changed)
	{
		CHECK_FOR_INTERRUPTS();
		diff_columns(diff, lfirst(lc));
	}
	diff_rename_edges(diff, pairs);
	foreach(lc, pairs)
	{
		CHECK_FOR_INTERRUPTS();
		compare_pair(diff, lfirst(lc));
	}
}

/* ---------- order and summary ---------- */

static int
compare_null_texts(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int
compare_changes(const ListCell *x, const ListCell *y)
{
	const DriftChange *a = lfirst(x);
	const DriftChange *b = lfirst(y);
	int			c;

	if ((c = compare_null_texts(a->relation, b->relation)) != 0)
		return c;
	if ((c = strcmp(a->kind, b->kind)) != 0)
		return c;
	if ((c = compare_null_texts(a->column_name, b->column_name)) != 0)
		return c;
	if ((c = compare_null_texts(a->object_name, b->object_name)) != 0)
		return c;
	if ((c = compare_null_texts(a->stat, b->stat)) != 0)
		return c;
	return strcmp(a->family, b->family);
}

/* Kinds and the counters they go to. */
static const struct
{
	const char *kind;
	size_t		counter;
}			counters[] =
{
	{"table_added", offsetof(DiffSummary, tables_added)},
	{"table_removed", offsetof(DiffSummary, tables_removed)},
	{"column_added", offsetof(DiffSummary, columns_added)},
	{"column_removed", offsetof(DiffSummary, columns_removed)},
	{"column_type_changed", offsetof(DiffSummary, columns_type_changed)},
	{"column_nullable_changed", offsetof(DiffSummary, columns_nullable_changed)},
	{"column_default_changed", offsetof(DiffSummary, columns_default_changed)},
	{"statistic_changed", offsetof(DiffSummary, statistics_drifted)},
	{"relationship_added", offsetof(DiffSummary, relationships_changed)},
	{"relationship_removed", offsetof(DiffSummary, relationships_changed)},
	{"relationship_modified", offsetof(DiffSummary, relationships_changed)},
	{"index_added", offsetof(DiffSummary, indexes_changed)},
	{"index_removed", offsetof(DiffSummary, indexes_changed)},
	{"index_modified", offsetof(DiffSummary, indexes_changed)},
	{"comment_changed", offsetof(DiffSummary, comments_changed)},
	{"table_row_count_changed", offsetof(DiffSummary, row_counts_changed)}
};

static void
count_change(DiffSummary *summary, const DriftChange *change)
{
	for (int i = 0; i < lengthof(counters); i++)
		if (strcmp(counters[i].kind, change->kind) == 0)
		{
			(*(int64 *) ((char *) summary + counters[i].counter))++;
			return;
		}
	summary->other_changes++;
}

static bool
is_scanned(const DriftEntry *entry)
{
	return model_is_relation_family(entry->family) && strcmp(entry->family, "partition") != 0;
}

/* The rows, or at least the claim to them, were looked at on both sides. */
static bool
was_evaluated(const DiffPair *pair)
{
	return pair->before->status != DRIFT_CATALOG_ONLY && pair->after->status == DRIFT_PROFILED &&
		pair->before->status != DRIFT_FAILED && pair->before->status != DRIFT_PLANNED &&
		!pair->before->scoped && !pair->after->scoped;
}

static bool
concerns_partitions(Diff *diff)
{
	ListCell   *lc;

	foreach(lc, diff->changes)
		if (strcmp(((DriftChange *) lfirst(lc))->family, "partition") == 0)
			return true;
	return false;
}

/* To know whose part a partition is, its document is needed. */
static void
load_partitions(Diff *diff, List *pairs)
{
	List	   *entries = NIL;
	ListCell   *lc;

	foreach(lc, pairs)
		if (strcmp(((DiffPair *) lfirst(lc))->after->family, "partition") == 0)
			entries = lappend(entries, ((DiffPair *) lfirst(lc))->after);
	load(diff->target, entries, false);
}

static HTAB *
modified_relations(Diff *diff, List *pairs)
{
	HASHCTL		ctl = {0};
	HTAB	   *table;
	ListCell   *lc;

	ctl.keysize = sizeof(Modified);
	ctl.entrysize = sizeof(Modified);
	ctl.hcxt = CurrentMemoryContext;
	table = hash_create("modified relations", 64, &ctl, HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
	foreach(lc, diff->changes)
	{
		DriftChange *change = lfirst(lc);

		/* another object may have a relation's name */
		if (model_is_relation_family(change->family))
			(void) hash_search(table, change->relation, HASH_ENTER, NULL);
	}

	if (!concerns_partitions(diff))
		return table;
	load_partitions(diff, pairs);

	/* what happens to a partition happens to its parent; children come after */
	for (bool grown = true; grown;)
	{
		grown = false;
		foreach(lc, pairs)
		{
			DiffPair   *pair = lfirst(lc);
			bool		found;

			if (strcmp(pair->after->family, "partition") != 0 || pair->after->body == NULL ||
				hash_search(table, pair->relation, HASH_FIND, NULL) == NULL)
				continue;
			(void) hash_search(table, diff_parent_of(pair->after), HASH_ENTER, &found);
			grown |= !found;
		}
	}
	return table;
}

static void
summarize(Diff *diff, List *pairs, List *added, DiffSummary *summary)
{
	HTAB	   *modified = modified_relations(diff, pairs);
	ListCell   *lc;

	memset(summary, 0, sizeof(*summary));
	foreach(lc, diff->changes)
		count_change(summary, lfirst(lc));
	foreach(lc, added)
		summary->tables_scanned += is_scanned(lfirst(lc));
	foreach(lc, pairs)
	{
		DiffPair   *pair = lfirst(lc);

		if (!is_scanned(pair->after))
			continue;
		summary->tables_scanned++;
		if (hash_search(modified, pair->relation, HASH_FIND, NULL) != NULL)
			summary->tables_modified++;
		else if (was_evaluated(pair))
			summary->unchanged_tables++;
		else
			summary->unevaluated_tables++;
	}
}

List *
diff_prints(DriftPrint *baseline, DriftPrint *target, const DiffOptions *options, DiffSummary *summary)
{
	Diff		diff = {0};
	List	   *pairs = NIL;
	List	   *removed = NIL;
	List	   *added = NIL;
	List	   *renamed;
	List	   *differing;
	ListCell   *lc;

	diff.baseline = baseline;
	diff.target = target;
	diff.options = options;
	diff.same_database = model_same_database(baseline, target);

	match_entries(&diff, &pairs, &removed, &added);
	renamed = match_renamed(&diff, &removed, &added);
	foreach(lc, renamed)
		diff_remember_rename(&diff, lfirst(lc));
	renamed = selected_pairs(&diff, renamed);
	pairs = selected_pairs(&diff, pairs);
	removed = selected_entries(&diff, removed);
	added = selected_entries(&diff, added);
	differing = list_copy(renamed);
	foreach(lc, pairs)
		if (structure_differs(&diff, lfirst(lc)) || profile_differs(&diff, lfirst(lc)))
			differing = lappend(differing, lfirst(lc));
	load_documents(&diff, differing, removed, added);
	removed = looked_at_by(target, removed);
	added = looked_at_by(baseline, added);

	foreach(lc, removed)
		report_whole(&diff, lfirst(lc), false);
	foreach(lc, added)
		report_whole(&diff, lfirst(lc), true);
	foreach(lc, renamed)
		report_rename(&diff, lfirst(lc));
	pairs = list_concat(pairs, renamed);
	compare_pairs(&diff, pairs, removed, added);
	diff_fold_partitions(&diff, pairs);
	list_sort(diff.changes, compare_changes);
	if (summary != NULL)
		summarize(&diff, pairs, added, summary);
	return diff.changes;
}
