/*-------------------------------------------------------------------------
 *
 * relation.c
 *	  A relation, or another object, on both sides.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff_internal.h"
#include "utils/fmgrprotos.h"

/* Parts of one family in a document, in their order. */
List *
diff_parts(Jsonb *body, const char *family)
{
	JsonbContainer *parts = model_container_in(&body->root, "parts");
	List	   *found = NIL;

	for (uint32 i = 0; parts != NULL && i < JsonContainerSize(parts); i++)
	{
		JsonbValue *v = getIthJsonbValueFromContainer(parts, i);
		char	   *its_family = model_text_in(v->val.binary.data, "family");
		DiffPart   *part;

		if (its_family == NULL || strcmp(its_family, family) != 0)
			continue;
		part = palloc0(sizeof(DiffPart));
		part->family = family;
		part->name = model_text_in(v->val.binary.data, "name");
		part->attributes = model_container_in(v->val.binary.data, "attributes");
		found = lappend(found, part);
	}
	return found;
}

static List *
columns_of(DriftEntry *entry, Jsonb *body)
{
	List	   *columns = diff_parts(body, "column");
	ListCell   *lc;

	foreach(lc, columns)
	{
		int			i = foreach_current_index(lc);

		((DiffPart *) lfirst(lc))->attnum = i < entry->nattnums ? entry->attnums[i] : i + 1;
	}
	return columns;
}

static DiffPart *
find_by_name(List *parts, const char *name)
{
	ListCell   *lc;

	foreach(lc, parts)
		if (strcmp(((DiffPart *) lfirst(lc))->name, name) == 0)
			return lfirst(lc);
	return NULL;
}

static DiffPart *
find_by_attnum(List *parts, int16 attnum)
{
	ListCell   *lc;

	foreach(lc, parts)
		if (((DiffPart *) lfirst(lc))->attnum == attnum)
			return lfirst(lc);
	return NULL;
}

/*
 * In one and the same relation the attribute number is the column; anywhere
 * else its name is.
 */
static bool
is_same_relation(const Diff *diff, const DiffPair *pair)
{
	return diff->same_database && OidIsValid(pair->before->oid) && pair->before->oid == pair->after->oid;
}

static DiffPart *
counterpart(Diff *diff, DiffPair *pair, List *others, DiffPart *column)
{
	if (is_same_relation(diff, pair))
		return find_by_attnum(others, column->attnum);
	return find_by_name(others, column->name);
}

static Jsonb *
type_and_nullability(DiffPart *column)
{
	ModelBuilder b = {0};

	model_object_begin(&b);
	model_put_text(&b, "type", model_text_in(column->attributes, "type"));
	model_put_bool(&b, "nullable", model_bool_in(column->attributes, "nullable", true));
	model_object_end(&b);
	return model_finish(&b);
}

static void
add_rename(DiffPair *pair, DiffPart *before, DiffPart *after)
{
	Rename	   *rename = palloc0(sizeof(Rename));

	rename->old_name = before->name;
	rename->new_name = after->name;
	pair->column_renames = lappend(pair->column_renames, rename);
}

/*
 * The columns both sides hold, where their order is not the same: own kind.
 * Within one relation a column never moves, so this is for copies of it.
 */
static void
compare_order(Diff *diff, DiffPair *pair, List *was, List *is)
{
	DriftChange *change;
	ModelBuilder b = {0};
	ModelBuilder a = {0};
	bool		same = true;

	for (int i = 0; i < list_length(was); i++)
		same &= strcmp(list_nth(was, i), list_nth(is, i)) == 0;
	if (same)
		return;
	change = diff_report(diff, pair, "column_order_changed");
	model_object_begin(&b);
	model_put_texts(&b, "columns", was);
	model_object_end(&b);
	model_object_begin(&a);
	model_put_texts(&a, "columns", is);
	model_object_end(&a);
	change->before = model_finish(&b);
	change->after = model_finish(&a);
}

static void
compare_columns(Diff *diff, DiffPair *pair, List *before, List *after)
{
	List	   *order_before = NIL;
	List	   *order_after = NIL;
	ListCell   *lc;

	foreach(lc, before)
	{
		DiffPart   *was = lfirst(lc);
		DiffPart   *is = counterpart(diff, pair, after, was);
		DriftChange *change;

		if (is == NULL)
		{
			change = diff_report(diff, pair, "column_removed");
			change->column_name = was->name;
			change->before = type_and_nullability(was);
			pair->columns_gone = lappend(pair->columns_gone, (void *) was->name);
			continue;
		}
		is->matched = true;
		order_before = lappend(order_before, (char *) is->name);
		if (strcmp(was->name, is->name) != 0)
		{
			change = diff_report(diff, pair, "column_renamed");
			change->column_name = is->name;
			change->before = model_text_jsonb(was->name);
			change->after = model_text_jsonb(is->name);
			add_rename(pair, was, is);
		}
	}
	foreach(lc, after)
	{
		DiffPart   *is = lfirst(lc);
		DriftChange *change;

		if (is->matched)
		{
			order_after = lappend(order_after, (char *) is->name);
			continue;
		}
		change = diff_report(diff, pair, "column_added");
		change->column_name = is->name;
		change->after = type_and_nullability(is);
		pair->columns_come = lappend(pair->columns_come, (void *) is->name);
	}
	compare_order(diff, pair, order_before, order_after);
}

/* After the renames are known: what changed in each column that stayed. */
static void
compare_column_attributes(Diff *diff, DiffPair *pair, List *before, List *after, bool by_attnum)
{
	ListCell   *lc;

	foreach(lc, before)
	{
		DiffPart   *was = lfirst(lc);
		DiffPart   *is = by_attnum ? find_by_attnum(after, was->attnum) : find_by_name(after, was->name);

		if (is != NULL)
			diff_column_attributes(diff, pair, is->name, was->attributes, is->attributes);
	}
}

static bool
is_undecided(Jsonb *body)
{
	return model_text_in(model_container_in(&body->root, "attributes"), "undecided") != NULL;
}

static JsonbContainer *
attributes_of(Jsonb *body)
{
	return model_container_in(&body->root, "attributes");
}

/* First of all relations, since the renames of one are seen in others. */
void
diff_columns(Diff *diff, DiffPair *pair)
{
	Jsonb	   *before = pair->before->body;
	Jsonb	   *after = pair->after->body;

	if (is_undecided(before) || is_undecided(after))
		return;
	compare_columns(diff, pair, columns_of(pair->before, before), columns_of(pair->after, after));
	diff_remember_columns(diff, pair);
}

void
diff_relation(Diff *diff, DiffPair *pair)
{
	Jsonb	   *before = pair->before->body;
	Jsonb	   *after = pair->after->body;
	bool		by_attnum = is_same_relation(diff, pair);

	if (is_undecided(before) || is_undecided(after))
		return;

	/* from here on the baseline speaks in the target's names */
	before = pair->before->body = diff_rename_document(diff, pair, before);
	compare_column_attributes(diff, pair, columns_of(pair->before, before),
							  columns_of(pair->after, after), by_attnum);
	diff_relation_attributes(diff, pair, attributes_of(before), attributes_of(after));
	diff_parts_of_relation(diff, pair);
}

/* The attributes that differ, with definition and parts where those do; names are a rename's. */
static Jsonb *
object_difference(Jsonb *mine, Jsonb *theirs)
{
	static const char *const outer[] = {"attributes", "depends_on", "signature", "family", "schema", "name", NULL};
	Jsonb	   *attributes = diff_differing(attributes_of(mine), attributes_of(theirs), NULL);
	Jsonb	   *rest = diff_differing(&mine->root, &theirs->root, outer);

	if (attributes == NULL || rest == NULL)
		return attributes ? attributes : rest;
	return DatumGetJsonbP(DirectFunctionCall2(jsonb_concat, JsonbPGetDatum(attributes), JsonbPGetDatum(rest)));
}

/* Any other object: one change that carries what differs. */
void
diff_object(Diff *diff, DiffPair *pair)
{
	Jsonb	   *was;
	Jsonb	   *is;
	DriftChange *change;

	if (is_undecided(pair->before->body) || is_undecided(pair->after->body))
		return;
	pair->before->body = diff_rename_document(diff, pair, pair->before->body);
	was = object_difference(pair->before->body, pair->after->body);
	is = object_difference(pair->after->body, pair->before->body);
	if (was == NULL && is == NULL)
		return;
	change = diff_report(diff, pair, psprintf("%s_modified", pair->after->family));
	change->before = was;
	change->after = is;
}
