/*-------------------------------------------------------------------------
 *
 * inferred.c
 *	  Relationships that names alone suggest (dbprint v1, section 2.3.8).
 *
 * A column "<name>_id" refers to the table <name>, or its regular plural, by
 * that table's one declared key column, where the types are compatible and no
 * declared foreign key covers the column.  Edges follow from the structure, so
 * they are worked out here, for both prints by the same rule, and only where a
 * structure changed: in the relation itself or in a table that may be meant.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff_internal.h"
#include "miscadmin.h"
#include "utils/hsearch.h"

/* The column that an edge to a table would mean. */
typedef struct Target
{
	DriftEntry *entry;
	bool		known;			/* the rest has been worked out */
	const char *column;			/* NULL: never a target */
	const char *type;
} Target;

/* The tables of one name, whatever their schema. */
typedef struct Namesakes
{
	char		name[NAMEDATALEN];
	List	   *targets;		/* of Target */
} Namesakes;

typedef struct Side
{
	DriftPrint *print;
	HTAB	   *namesakes;
} Side;

/* ---------- tables by name ---------- */

static HTAB *
index_tables(DriftPrint *print)
{
	HASHCTL		ctl = {0};
	HTAB	   *table;

	ctl.keysize = NAMEDATALEN;
	ctl.entrysize = sizeof(Namesakes);
	ctl.hcxt = CurrentMemoryContext;
	table = hash_create("tables by name", 256, &ctl, HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
	for (int i = 0; i < print->nentries; i++)
	{
		Target	   *target;
		Namesakes  *slot;
		bool		found;

		if (strcmp(print->entries[i].family, "table") != 0)
			continue;
		target = palloc0(sizeof(Target));
		target->entry = &print->entries[i];
		slot = hash_search(table, print->entries[i].name, HASH_ENTER, &found);
		slot->targets = found ? lappend(slot->targets, target) : list_make1(target);
	}
	return table;
}

static List *
targets_named(const Side *side, const char *name)
{
	Namesakes  *slot = strlen(name) < NAMEDATALEN ? hash_search(side->namesakes, name, HASH_FIND, NULL) : NULL;

	return slot ? slot->targets : NIL;
}

static bool
ends_in_sibilant(const char *word)
{
	static const char *const endings[] = {"s", "x", "z", "ch", "sh"};
	size_t		length = strlen(word);

	for (int i = 0; i < lengthof(endings); i++)
		if (length >= strlen(endings[i]) && strcmp(word + length - strlen(endings[i]), endings[i]) == 0)
			return true;
	return false;
}

/* What "<stem>_id" may mean, in the order in which it is tried; NIL for no stem. */
static List *
meant_names(const char *column)
{
	size_t		length = strlen(column);
	char	   *stem;
	List	   *names;

	if (length <= 3 || strcmp(column + length - 3, "_id") != 0)
		return NIL;
	stem = pnstrdup(column, length - 3);
	names = list_make2(stem, psprintf("%ss", stem));
	if (ends_in_sibilant(stem))
		names = lappend(names, psprintf("%ses", stem));
	if (stem[length - 4] == 'y')
		names = lappend(names, psprintf("%.*sies", (int) length - 4, stem));
	return names;
}

/* ---------- the key column of a table ---------- */

static bool
has_type(const DiffPart *part, const char *type)
{
	char	   *its = model_text_in(part->attributes, "type");

	return its != NULL && strcmp(its, type) == 0;
}

/* The one column of the only such constraint of one column; NULL if there is none or more. */
static char *
sole_column(List *constraints, const char *type)
{
	char	   *column = NULL;
	ListCell   *lc;

	foreach(lc, constraints)
	{
		JsonbContainer *columns = model_container_in(((DiffPart *) lfirst(lc))->attributes, "columns");
		char	   *its;

		if (!has_type(lfirst(lc), type) || columns == NULL || !JsonContainerIsArray(columns) || JsonContainerSize(columns) != 1)
			continue;
		its = model_value_text(getIthJsonbValueFromContainer(columns, 0));
		if (column != NULL && strcmp(column, its) != 0)
			return NULL;
		column = its;
	}
	return column;
}

static char *
type_of(Jsonb *body, const char *name)
{
	ListCell   *lc;

	foreach(lc, diff_parts(body, "column"))
		if (strcmp(((DiffPart *) lfirst(lc))->name, name) == 0)
			return model_text_in(((DiffPart *) lfirst(lc))->attributes, "type");
	return NULL;
}

static void
work_out(Target *target)
{
	List	   *constraints;
	char	   *column;

	if (target->known || target->entry->body == NULL)
		return;
	target->known = true;
	constraints = diff_parts(target->entry->body, "constraint");
	column = sole_column(constraints, "primary_key");
	if (column == NULL)
		column = sole_column(constraints, "unique");
	if (column == NULL)
		return;
	target->type = type_of(target->entry->body, column);
	target->column = target->type ? column : NULL;
}

/* The same type, or two of one kind; modifiers do not matter. */
static bool
are_compatible(const char *a, const char *b)
{
	static const char *const kinds[][4] = {
		{"smallint", "integer", "bigint", "numeric"},
		{"text", "character varying", "character", "name"}
	};
	char	   *plain[2] = {pstrdup(a), pstrdup(b)};

	for (int i = 0; i < 2; i++)
		if (strchr(plain[i], '(') != NULL)
			*strchr(plain[i], '(') = '\0';
	if (strcmp(plain[0], plain[1]) == 0)
		return true;
	for (int k = 0; k < lengthof(kinds); k++)
	{
		int			found = 0;

		for (int t = 0; t < lengthof(kinds[k]); t++)
			found += (strcmp(plain[0], kinds[k][t]) == 0) + (strcmp(plain[1], kinds[k][t]) == 0);
		if (found == 2)
			return true;
	}
	return false;
}

/* ---------- edges ---------- */

/* The eligible table of one name in the schema, or the only one in others. */
static Target *
find_target(const Side *side, const char *name, const char *schema, bool own, bool *ambiguous)
{
	Target	   *found = NULL;
	int			n = 0;
	ListCell   *lc;

	foreach(lc, targets_named(side, name))
	{
		Target	   *target = lfirst(lc);

		work_out(target);
		if (target->column == NULL || (strcmp(target->entry->schema, schema) == 0) != own)
			continue;
		found = target;
		n++;
	}
	*ambiguous = n > 1;
	return n == 1 ? found : NULL;
}

/* In the source's own schema first; the exact name before its plural. */
static Target *
resolve(const Side *side, List *names, const char *schema)
{
	for (int own = 1; own >= 0; own--)
	{
		ListCell   *lc;

		foreach(lc, names)
		{
			bool		ambiguous;
			Target	   *target = find_target(side, lfirst(lc), schema, own, &ambiguous);

			if (target != NULL || ambiguous)
				return target;
		}
	}
	return NULL;
}

static bool
is_covered(List *constraints, const char *column)
{
	ListCell   *lc;

	foreach(lc, constraints)
	{
		JsonbContainer *columns = model_container_in(((DiffPart *) lfirst(lc))->attributes, "columns");

		if (!has_type(lfirst(lc), "foreign_key") || columns == NULL || !JsonContainerIsArray(columns))
			continue;
		for (uint32 i = 0; i < JsonContainerSize(columns); i++)
			if (strcmp(model_value_text(getIthJsonbValueFromContainer(columns, i)), column) == 0)
				return true;
	}
	return false;
}

static Jsonb *
edge(const char *column, const Target *target)
{
	ModelBuilder b = {0};

	model_object_begin(&b);
	model_put_text(&b, "type", "foreign_key");
	model_put_text(&b, "detection", "inferred");
	model_put_texts(&b, "columns", list_make1((char *) column));
	model_key(&b, "target");
	model_object_begin(&b);
	model_put_text(&b, "schema", target->entry->schema);
	model_put_text(&b, "name", target->entry->name);
	model_object_end(&b);
	model_put_texts(&b, "target_columns", list_make1((char *) target->column));
	model_object_end(&b);
	return model_finish(&b);
}

static List *
edges_of(const Side *side, DriftEntry *entry)
{
	List	   *constraints = diff_parts(entry->body, "constraint");
	List	   *edges = NIL;
	ListCell   *lc;

	foreach(lc, diff_parts(entry->body, "column"))
	{
		DiffPart   *column = lfirst(lc);
		char	   *type = model_text_in(column->attributes, "type");
		Target	   *target = resolve(side, meant_names(column->name), entry->schema);

		if (target == NULL || type == NULL || !are_compatible(type, target->type) ||
			(target->entry == entry && strcmp(target->column, column->name) == 0) ||
			is_covered(constraints, column->name))
			continue;
		edges = lappend(edges, edge(column->name, target));
	}
	return edges;
}

/* ---------- which relations to look at ---------- */

static void
load(DriftPrint *print, List *entries)
{
	DriftEntry **missing = palloc(sizeof(DriftEntry *) * (list_length(entries) + 1));
	ListCell   *lc;
	int			n = 0;

	foreach(lc, entries)
		if (((DriftEntry *) lfirst(lc))->body == NULL)
			missing[n++] = lfirst(lc);
	if (n > 0 && print->load != NULL)
		print->load(print, missing, n, false);
}

/* The tables that columns of an entry may mean. */
static List *
may_be_meant(const Side *side, DriftEntry *entry)
{
	List	   *entries = NIL;
	ListCell   *c;
	ListCell   *n;
	ListCell   *t;

	foreach(c, diff_parts(entry->body, "column"))
		foreach(n, meant_names(((DiffPart *) lfirst(c))->name))
			foreach(t, targets_named(side, lfirst(n)))
				entries = lappend(entries, ((Target *) lfirst(t))->entry);
	return entries;
}

static void
load_meant(const Side *side, List *pairs, bool before)
{
	List	   *entries = NIL;
	ListCell   *lc;

	foreach(lc, pairs)
	{
		DiffPair   *pair = lfirst(lc);

		entries = list_concat(entries, may_be_meant(side, before ? pair->before : pair->after));
	}
	load(side->print, entries);
}

/* Whether an edge to a table could be another one now. */
static bool
same_target(DriftEntry *before, DriftEntry *after)
{
	Target		was = {before};
	Target		is = {after};

	if (strcmp(before->schema, after->schema) != 0 || strcmp(before->name, after->name) != 0)
		return false;
	work_out(&was);
	work_out(&is);
	if (was.column == NULL || is.column == NULL)
		return was.column == is.column;
	return strcmp(was.column, is.column) == 0 && strcmp(was.type, is.type) == 0;
}

static bool
is_eligible(DriftEntry *entry)
{
	Target		target = {entry};

	if (strcmp(entry->family, "table") == 0)
		work_out(&target);
	return target.column != NULL;
}

/* A table that may be meant by relations which did not change themselves. */
static bool
targets_changed(List *changed, List *removed, List *added)
{
	ListCell   *lc;

	foreach(lc, removed)
		if (is_eligible(lfirst(lc)))
			return true;
	foreach(lc, added)
		if (is_eligible(lfirst(lc)))
			return true;
	foreach(lc, changed)
	{
		DiffPair   *pair = lfirst(lc);

		if (strcmp(pair->after->family, "table") == 0 && !same_target(pair->before, pair->after))
			return true;
	}
	return false;
}

static List *
relation_pairs(List *pairs)
{
	List	   *relations = NIL;
	ListCell   *lc;

	foreach(lc, pairs)
	{
		DiffPair   *pair = lfirst(lc);

		if (model_is_relation_family(pair->after->family) && strcmp(pair->after->family, "partition") != 0)
			relations = lappend(relations, pair);
	}
	return relations;
}

/* Documents of all; an unchanged one is the same on both sides. */
static void
load_all(Diff *diff, List *relations)
{
	List	   *before = NIL;
	List	   *after = NIL;
	ListCell   *lc;

	foreach(lc, relations)
	{
		before = lappend(before, ((DiffPair *) lfirst(lc))->before);
		after = lappend(after, ((DiffPair *) lfirst(lc))->after);
	}
	load(diff->baseline, before);
	load(diff->target, after);
}

/*
 * What one print did not look at cannot be meant in it, which says nothing of
 * the edge.
 */
static bool
looked_at_target(const DriftPrint *print, Jsonb *edge)
{
	JsonbContainer *target = model_container_in(&edge->root, "target");
	DriftEntry	entry = {0};

	entry.schema = model_text_in(target, "schema");
	entry.name = model_text_in(target, "name");
	return diff_was_looked_at(print, &entry);
}

static List *
judgeable(List *edges, const DriftPrint *other)
{
	List	   *kept = NIL;
	ListCell   *lc;

	foreach(lc, edges)
		if (looked_at_target(other, lfirst(lc)))
			kept = lappend(kept, lfirst(lc));
	return kept;
}

/*
 * Work out the edges of the relations that may have other ones now, and leave
 * them with the pairs.  Before any document is renamed.
 */
void
diff_infer_edges(Diff *diff, List *pairs, List *changed, List *removed, List *added)
{
	Side		before;
	Side		after;
	List	   *relations = relation_pairs(changed);
	ListCell   *lc;

	if (diff->options->not_inferred)
		return;
	if (targets_changed(relations, removed, added))
	{
		relations = relation_pairs(pairs);
		load_all(diff, relations);
	}
	if (relations == NIL)
		return;
	before = (Side) {diff->baseline, index_tables(diff->baseline)};
	after = (Side) {diff->target, index_tables(diff->target)};
	load_meant(&before, relations, true);
	load_meant(&after, relations, false);
	foreach(lc, relations)
	{
		DiffPair   *pair = lfirst(lc);

		CHECK_FOR_INTERRUPTS();
		pair->inferred_before = judgeable(edges_of(&before, pair->before), diff->target);
		pair->inferred_after = judgeable(edges_of(&after, pair->after), diff->baseline);
	}
}

/* The baseline's edges in the target's names. */
void
diff_rename_edges(Diff *diff, List *pairs)
{
	ListCell   *p;
	ListCell   *e;

	foreach(p, pairs)
	{
		DiffPair   *pair = lfirst(p);

		foreach(e, pair->inferred_before)
			lfirst(e) = diff_rename_document(diff, pair, lfirst(e));
	}
}
