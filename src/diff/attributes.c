/*-------------------------------------------------------------------------
 *
 * attributes.c
 *	  Attribute by attribute, each with the kind of change it is.
 *
 * The tables below are all that knows which attribute is reported how; an
 * attribute that is in none of them is reported under its own name, so a new
 * one needs no line here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff_internal.h"

typedef Jsonb *(*DiffShape) (JsonbContainer *attributes);

typedef struct AttributeKind
{
	const char *attribute;
	const char *kind;			/* NULL: never reported */
	DiffShape	shape;			/* before and after; NULL: the value itself */
	bool		needs_both;		/* absence on either side is no answer */
	bool		is_set;			/* a list whose order says nothing */
	const char *block;			/* the profile's name for it, where it may say "unmeasured" */
} AttributeKind;

static Jsonb *row_security_shape(JsonbContainer *attributes);
static Jsonb *layout_shape(JsonbContainer *attributes);
static Jsonb *reads_shape(JsonbContainer *attributes);
static Jsonb *generated_shape(JsonbContainer *attributes);

static const AttributeKind relation_kinds[] = {
	{"comment", "comment_changed"},
	{"owner", "owner_changed"},
	{"row_security", "rls_changed", row_security_shape},
	{"force_row_security", "rls_changed", row_security_shape},
	{"partition_key", "physical_layout_changed", layout_shape, false, false, "physical_layout"},
	{"depends_on", "depends_on_changed", reads_shape, true, true},
	{"view_definition", "view_definition_changed"},
	{"inherits", "inheritance_changed"},
	{"partition_of", "inheritance_changed"},
	{"undecided", NULL}
};

static const AttributeKind column_kinds[] = {
	{"type", "column_type_changed"},
	{"nullable", "column_nullable_changed"},
	{"default", "column_default_changed"},
	{"comment", "comment_changed"},
	{"generated", "generated_changed", generated_shape},
	{"generation_expression", "generated_changed", generated_shape},
	{"identity", "identity_changed"},
	{"collation", "collation_changed"},
	{"inherited", "inheritance_changed"},
	{"options", "options_changed"},
	{"position", NULL}			/* moves when another column goes */
};

/* ---------- shapes ---------- */

static Jsonb *
row_security_shape(JsonbContainer *attributes)
{
	ModelBuilder b = {0};

	model_object_begin(&b);
	model_put_bool(&b, "enabled", model_bool_in(attributes, "row_security", false));
	model_put_bool(&b, "forced", model_bool_in(attributes, "force_row_security", false));
	model_object_end(&b);
	return model_finish(&b);
}

/* {mechanism, keys}; null where the relation is confirmed to have none. */
static Jsonb *
layout_shape(JsonbContainer *attributes)
{
	JsonbContainer *key = model_container_in(attributes, "partition_key");
	JsonbValue	keys;
	ModelBuilder b = {0};

	if (key == NULL)
		return NULL;
	model_object_begin(&b);
	model_put_text(&b, "mechanism", "partition");
	model_put_text(&b, "strategy", model_text_in(key, "strategy"));
	if (model_get_in(key, "keys", &keys))
		model_put_value(&b, "keys", &keys);
	model_object_end(&b);
	return model_finish(&b);
}

static Jsonb *
reads_shape(JsonbContainer *attributes)
{
	JsonbContainer *reads = model_container_in(attributes, "depends_on");
	ModelBuilder b = {0};

	if (reads == NULL || !JsonContainerIsArray(reads))
		return NULL;
	model_array_begin(&b);
	for (uint32 i = 0; i < JsonContainerSize(reads); i++)
	{
		JsonbValue *read = getIthJsonbValueFromContainer(reads, i);
		JsonbContainer *names = read->type == jbvBinary ? read->val.binary.data : NULL;
		char	   *name = model_text_in(names, "name");

		model_add_text(&b, name ? model_qualified_name(model_text_in(names, "schema"), name) : model_value_text(read));
	}
	model_array_end(&b);
	return model_finish(&b);
}

static Jsonb *
generated_shape(JsonbContainer *attributes)
{
	ModelBuilder b = {0};
	char	   *generated = model_text_in(attributes, "generated");

	if (generated == NULL)
		return NULL;
	model_object_begin(&b);
	model_put_text(&b, "generated", generated);
	model_put_text(&b, "expression", model_text_in(attributes, "generation_expression"));
	model_object_end(&b);
	return model_finish(&b);
}

static Jsonb *
plain_shape(JsonbContainer *attributes, const char *attribute)
{
	JsonbValue	v;

	return model_get_in(attributes, attribute, &v) ? model_value_jsonb(&v) : NULL;
}

/* ---------- comparing ---------- */

static const AttributeKind *
find_kind(const AttributeKind *kinds, int nkinds, const char *attribute)
{
	for (int i = 0; i < nkinds; i++)
		if (strcmp(kinds[i].attribute, attribute) == 0)
			return &kinds[i];
	return NULL;
}

/*
 * A default that changed only its cast to the column's own type: the cast is
 * how the catalog stores the column's type, and that change is reported.
 */
static char *
default_without_cast(JsonbContainer *attributes)
{
	char	   *text = model_text_in(attributes, "default");
	char	   *type = model_text_in(attributes, "type");
	char	   *typmod;
	char	   *cast;
	int			at;

	if (text == NULL || type == NULL)
		return text;
	if ((typmod = strchr(type, '(')) != NULL)
	{
		char	   *close = strchr(typmod, ')');

		if (close != NULL)
			memmove(typmod, close + 1, strlen(close + 1) + 1);
	}
	cast = psprintf("::%s", type);
	at = strlen(text) - strlen(cast);
	if (at > 0 && strcmp(text + at, cast) == 0)
		text[at] = '\0';
	return text;
}

static bool
only_cast_differs(JsonbContainer *before, JsonbContainer *after)
{
	char	   *a = default_without_cast(before);
	char	   *b = default_without_cast(after);
	char	   *type_before = model_text_in(before, "type");
	char	   *type_after = model_text_in(after, "type");

	return a != NULL && b != NULL && type_before != NULL && type_after != NULL &&
		strcmp(type_before, type_after) != 0 && strcmp(a, b) == 0;
}

/* The union of the keys of two objects, sorted. */
static List *
union_keys(JsonbContainer *a, JsonbContainer *b)
{
	JsonbContainer *sides[2] = {a, b};
	List	   *keys = NIL;

	for (int side = 0; side < 2; side++)
	{
		JsonbIterator *it;
		JsonbIteratorToken token;
		JsonbValue	v;

		if (sides[side] == NULL)
			continue;
		it = JsonbIteratorInit(sides[side]);
		while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
			if (token == WJB_KEY)
			{
				char	   *key = pnstrdup(v.val.string.val, v.val.string.len);
				JsonbValue	other;

				if (side == 0 || !model_get_in(a, key, &other))
					keys = lappend(keys, key);
			}
	}
	return keys;
}

static bool
same_attribute(JsonbContainer *before, JsonbContainer *after, const char *attribute)
{
	JsonbValue	b;
	JsonbValue	a;
	bool		has_before = model_get_in(before, attribute, &b);
	bool		has_after = model_get_in(after, attribute, &a);

	if (!has_before || !has_after)
		return has_before == has_after;
	return model_value_equal(&b, &a);
}

/* Whether a side confirmed nothing about the block (section 2.2.1). */
static bool
is_unmeasured(const DriftEntry *entry, const char *block)
{
	JsonbContainer *list = entry->profile ? model_container_in(&entry->profile->root, "unmeasured") : NULL;

	for (uint32 i = 0; list != NULL && JsonContainerIsArray(list) && i < JsonContainerSize(list); i++)
		if (strcmp(model_value_text(getIthJsonbValueFromContainer(list, i)), block) == 0)
			return true;
	return false;
}

static bool
holds_all(Jsonb *mine, Jsonb *theirs)
{
	for (uint32 i = 0; i < JB_ROOT_COUNT(mine); i++)
	{
		JsonbValue *element = getIthJsonbValueFromContainer(&mine->root, i);
		bool		found = false;

		for (uint32 j = 0; !found && j < JB_ROOT_COUNT(theirs); j++)
			found = model_value_equal(element, getIthJsonbValueFromContainer(&theirs->root, j));
		if (!found)
			return false;
	}
	return true;
}

static void
compare_attributes(Diff *diff, DiffPair *pair, const char *column, const AttributeKind *kinds,
				   int nkinds, JsonbContainer *before, JsonbContainer *after)
{
	List	   *reported = NIL;
	ListCell   *lc;

	foreach(lc, union_keys(before, after))
	{
		const char *attribute = lfirst(lc);
		const AttributeKind *entry = find_kind(kinds, nkinds, attribute);
		const char *kind = entry ? entry->kind : psprintf("%s_changed", attribute);
		DiffShape	shape = entry ? entry->shape : NULL;
		DriftChange *change;
		Jsonb	   *was;
		Jsonb	   *is;

		if (kind == NULL || same_attribute(before, after, attribute))
			continue;
		if (entry && entry->block && (is_unmeasured(pair->before, entry->block) || is_unmeasured(pair->after, entry->block)))
			continue;
		was = shape ? shape(before) : plain_shape(before, attribute);
		is = shape ? shape(after) : plain_shape(after, attribute);
		if (entry && entry->needs_both && (was == NULL || is == NULL))
			continue;
		if (entry && entry->is_set && holds_all(was, is) && holds_all(is, was))
			continue;
		if (column != NULL && strcmp(attribute, "default") == 0 && only_cast_differs(before, after))
			continue;
		if (shape != NULL)
		{
			/* two attributes may share a shape; once is enough */
			if (list_member_ptr(reported, kind))
				continue;
			reported = lappend(reported, (void *) kind);
		}
		change = diff_report(diff, pair, kind);
		change->column_name = column;
		change->before = was;
		change->after = is;
	}
}

void
diff_relation_attributes(Diff *diff, DiffPair *pair, JsonbContainer *before, JsonbContainer *after)
{
	compare_attributes(diff, pair, NULL, relation_kinds, lengthof(relation_kinds), before, after);
}

void
diff_column_attributes(Diff *diff, DiffPair *pair, const char *column, JsonbContainer *before,
					   JsonbContainer *after)
{
	compare_attributes(diff, pair, column, column_kinds, lengthof(column_kinds), before, after);
}

/* What of "mine" is not the same in "theirs"; NULL when nothing differs. */
Jsonb *
diff_differing(JsonbContainer *mine, JsonbContainer *theirs, const char *const *ignored)
{
	ModelBuilder b = {0};
	bool		differs = false;
	ListCell   *lc;

	model_object_begin(&b);
	foreach(lc, union_keys(mine, theirs))
	{
		const char *key = lfirst(lc);
		JsonbValue	v;
		bool		skip = false;

		for (int i = 0; ignored != NULL && ignored[i] != NULL; i++)
			skip |= strcmp(ignored[i], key) == 0;
		if (skip || same_attribute(mine, theirs, key))
			continue;
		differs = true;
		if (model_get_in(mine, key, &v))
			model_put_value(&b, key, &v);
	}
	model_object_end(&b);
	return differs ? model_finish(&b) : NULL;
}
