/*-------------------------------------------------------------------------
 *
 * partitions.c
 *	  What a partition only follows its parent in is told once, of the parent.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff_internal.h"
#include "miscadmin.h"
#include "utils/fmgrprotos.h"
#include "utils/hsearch.h"

/* Changes of one kind to one column, or to the relation itself. */
typedef struct Told
{
	char		key[8 * NAMEDATALEN];
	List	   *changes;		/* of DriftChange */
} Told;

/* A partition that changed, and whose part it is. */
typedef struct Child
{
	char		key[5 * NAMEDATALEN];
	const char *parent;
} Child;

static HTAB *
create_table(const char *name, Size key, Size entry)
{
	HASHCTL		ctl = {0};

	ctl.keysize = key;
	ctl.entrysize = entry;
	ctl.hcxt = CurrentMemoryContext;
	return hash_create(name, 64, &ctl, HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
}

char *
diff_parent_of(const DriftEntry *entry)
{
	JsonbContainer *attributes = model_container_in(&entry->body->root, "attributes");
	JsonbContainer *parent = model_container_in(attributes, "partition_of");
	char	   *name = model_text_in(parent, "name");

	return name == NULL ? model_entry_name(entry) : model_qualified_name(model_text_in(parent, "schema"), name);
}

static char *
told_key(const char *relation, const DriftChange *change)
{
	return psprintf("%s\x1f%s\x1f%s", relation, change->kind, change->column_name ? change->column_name : "");
}

static HTAB *
index_changes(Diff *diff)
{
	HTAB	   *told = create_table("changes told", sizeof(((Told *) 0)->key), sizeof(Told));
	ListCell   *lc;

	foreach(lc, diff->changes)
	{
		DriftChange *change = lfirst(lc);
		bool		found;
		Told	   *slot = hash_search(told, told_key(change->relation, change), HASH_ENTER, &found);

		slot->changes = found ? lappend(slot->changes, change) : list_make1(change);
	}
	return told;
}

static HTAB *
index_children(List *pairs)
{
	HTAB	   *children = create_table("changed partitions", sizeof(((Child *) 0)->key), sizeof(Child));
	ListCell   *lc;

	foreach(lc, pairs)
	{
		DiffPair   *pair = lfirst(lc);
		Child	   *slot;

		if (pair->nchanges == 0 || strcmp(pair->after->family, "partition") != 0 || pair->after->body == NULL)
			continue;
		slot = hash_search(children, pair->relation, HASH_ENTER, NULL);
		slot->parent = diff_parent_of(pair->after);
	}
	return children;
}

static bool
same_side(Jsonb *a, Jsonb *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return compareJsonbContainers(&a->root, &b->root) == 0;
}

/* A part that its parent's part brought along. */
static bool
follows(Jsonb *part, const DriftChange *of_parent)
{
	JsonbContainer *attached = part ? model_container_in(&part->root, "attached_to") : NULL;
	char	   *name = model_text_in(attached, "name");

	if (part == NULL || of_parent->object_name == NULL)
		return false;
	if (name == NULL && model_bool_in(&part->root, "inherited", false))
		name = model_get_text(part, "name");
	return name != NULL && strcmp(name, of_parent->object_name) == 0;
}

static bool
is_told(HTAB *told, const char *parent, const DriftChange *change)
{
	Told	   *slot = hash_search(told, told_key(parent, change), HASH_FIND, NULL);
	ListCell   *lc;

	if (slot == NULL)
		return false;
	foreach(lc, slot->changes)
	{
		DriftChange *other = lfirst(lc);

		if (change->object_name != NULL ? follows(change->after ? change->after : change->before, other) :
			same_side(change->before, other->before) && same_side(change->after, other->after))
			return true;
	}
	return false;
}

/* A document may say that a partition is its own; then nothing tops it. */
static bool
has_top(HTAB *children, const Child *child)
{
	long		steps = hash_get_num_entries(children);

	while (child != NULL && steps-- >= 0)
		child = hash_search(children, child->parent, HASH_FIND, NULL);
	return child == NULL;
}

/* What is said of the relation as a whole each has for itself. */
static bool
can_follow(const DriftChange *change)
{
	return strcmp(change->family, "partition") == 0 &&
		(change->column_name != NULL || change->object_name != NULL || strcmp(change->kind, "grain_changed") == 0);
}

void
diff_fold_partitions(Diff *diff, List *pairs)
{
	HTAB	   *told = NULL;
	HTAB	   *children = NULL;
	List	   *kept = NIL;
	ListCell   *lc;

	foreach(lc, diff->changes)
	{
		DriftChange *change = lfirst(lc);
		Child	   *child;

		CHECK_FOR_INTERRUPTS();
		if (can_follow(change))
		{
			if (told == NULL)
			{
				told = index_changes(diff);
				children = index_children(pairs);
			}
			child = hash_search(children, change->relation, HASH_FIND, NULL);
			if (child != NULL && is_told(told, child->parent, change) && has_top(children, child))
				continue;
		}
		kept = lappend(kept, change);
	}
	diff->changes = kept;
}
