/*-------------------------------------------------------------------------
 *
 * parts.c
 *	  Constraints, relationships, indexes, triggers, rules and policies.
 *
 * A part is matched by its name; one that is left over on both sides with the
 * same attributes is the same part under a new name, which is a modification.
 * A foreign key is matched by what it says, its columns and its target, as a
 * relationship (dbprint v1, section 2.6.6).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff_internal.h"

typedef Jsonb *(*PartShape) (const DiffPart *part);
typedef char *(*PartKey) (const DiffPart *part);
typedef bool (*PartFilter) (const DiffPart *part);
typedef bool (*PartTest) (const DiffPart *before, const DiffPart *after);

/* How one sort of part is matched and reported. */
typedef struct PartKind
{
	const char *family;
	PartFilter	filter;			/* which parts of the family; NULL: all */
	PartKey		key;			/* what makes it the same part */
	PartShape	shape;			/* before and after */
	const char *added;
	const char *removed;
	const char *modified;
	PartTest	is_minor;		/* modified, but as a plain constraint; NULL: never */
} PartKind;

static Jsonb *plain_shape(const DiffPart *part);
static Jsonb *index_shape(const DiffPart *part);
static Jsonb *relationship_shape(const DiffPart *part);
static char *name_key(const DiffPart *part);
static char *relationship_key(const DiffPart *part);
static bool is_relationship(const DiffPart *part);
static bool same_actions(const DiffPart *before, const DiffPart *after);
static bool is_other_constraint(const DiffPart *part);

static const PartKind part_kinds[] = {
	{"constraint", is_other_constraint, name_key, plain_shape,
	"constraint_added", "constraint_removed", "constraint_modified"},
	{"constraint", is_relationship, relationship_key, relationship_shape,
	"relationship_added", "relationship_removed", "relationship_modified", same_actions},
	{"index", NULL, name_key, index_shape, "index_added", "index_removed", "index_modified"},
	{"trigger", NULL, name_key, plain_shape, "trigger_added", "trigger_removed", "trigger_modified"},
	{"rule", NULL, name_key, plain_shape, "rule_added", "rule_removed", "rule_modified"},
	{"policy", NULL, name_key, plain_shape, "policy_added", "policy_removed", "policy_modified"}
};

/* ---------- which and what ---------- */

static bool
has_type(const DiffPart *part, const char *type)
{
	char	   *its = model_text_in(part->attributes, "type");

	return its != NULL && strcmp(its, type) == 0;
}

static bool
is_relationship(const DiffPart *part)
{
	return has_type(part, "foreign_key");
}

/* A primary key's columns are the grain; what else it says is a constraint's. */
static bool
is_other_constraint(const DiffPart *part)
{
	return !is_relationship(part) && !has_type(part, "primary_key");
}

static char *
name_key(const DiffPart *part)
{
	return pstrdup(part->name);
}

static void
append_texts(StringInfo out, JsonbContainer *array)
{
	for (uint32 i = 0; array != NULL && JsonContainerIsArray(array) && i < JsonContainerSize(array); i++)
		appendStringInfo(out, "%c%s", '\x1f', model_value_text(getIthJsonbValueFromContainer(array, i)));
	appendStringInfoChar(out, '\x1e');
}

static char *
target_name(JsonbContainer *target)
{
	char	   *schema = model_text_in(target, "schema");
	char	   *name = model_text_in(target, "name");

	return name == NULL ? pstrdup("") : model_qualified_name(schema, name);
}

static char *
relationship_key(const DiffPart *part)
{
	JsonbContainer *target = model_container_in(part->attributes, "target");
	StringInfoData out;

	initStringInfo(&out);
	append_texts(&out, model_container_in(part->attributes, "columns"));
	appendStringInfo(&out, "%s\x1e", target_name(target));
	append_texts(&out, model_container_in(part->attributes, "target_columns"));
	return out.data;
}

static bool
same_text(const DiffPart *before, const DiffPart *after, const char *key)
{
	char	   *was = model_text_in(before->attributes, key);
	char	   *is = model_text_in(after->attributes, key);

	return was == is || (was && is && strcmp(was, is) == 0);
}

/*
 * A relationship is modified by its actions alone (section 2.6.6); its name, or
 * whether it is deferrable or validated, is a matter of the constraint.
 */
static bool
same_actions(const DiffPart *before, const DiffPart *after)
{
	return same_text(before, after, "on_delete") && same_text(before, after, "on_update");
}

/* ---------- shapes ---------- */

/* Everything that is known, with the name first in nobody's order. */
static void
put_all(ModelBuilder *b, JsonbContainer *attributes, const char *const *except)
{
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	v;

	if (attributes == NULL)
		return;
	it = JsonbIteratorInit(attributes);
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		char	   *key;
		bool		skip = false;

		if (token != WJB_KEY)
			continue;
		key = pnstrdup(v.val.string.val, v.val.string.len);
		(void) JsonbIteratorNext(&it, &v, true);
		for (int i = 0; except && except[i]; i++)
			skip |= strcmp(except[i], key) == 0;
		if (!skip)
			model_put_value(b, key, &v);
	}
}

static Jsonb *
plain_shape(const DiffPart *part)
{
	ModelBuilder b = {0};

	model_object_begin(&b);
	model_put_text(&b, "name", part->name);
	put_all(&b, part->attributes, NULL);
	model_object_end(&b);
	return model_finish(&b);
}

/*
 * columns, unique and type as the format has them; the detailed keys beside
 * them wherever a key says more than its column.
 */
static Jsonb *
index_shape(const DiffPart *part)
{
	static const char *const renamed[] = {"columns", "method", NULL};
	JsonbContainer *keys = model_container_in(part->attributes, "columns");
	ModelBuilder b = {0};
	bool		detailed = false;
	JsonbValue	v;

	model_object_begin(&b);
	model_put_text(&b, "name", part->name);
	model_put_text(&b, "type", model_text_in(part->attributes, "method"));
	model_key(&b, "columns");
	model_array_begin(&b);
	for (uint32 i = 0; keys != NULL && JsonContainerIsArray(keys) && i < JsonContainerSize(keys); i++)
	{
		JsonbValue *element = getIthJsonbValueFromContainer(keys, i);
		JsonbContainer *key = element->type == jbvBinary ? element->val.binary.data : NULL;
		char	   *column = model_text_in(key, "column");
		char	   *expression = model_text_in(key, "expression");

		detailed |= column == NULL || JsonContainerSize(key) > 1;
		model_add_text(&b, column ? column : expression ? expression : model_value_text(element));
	}
	model_array_end(&b);
	if (detailed && model_get_in(part->attributes, "columns", &v))
		model_put_value(&b, "keys", &v);
	put_all(&b, part->attributes, renamed);
	model_object_end(&b);
	return model_finish(&b);
}

static Jsonb *
relationship_shape(const DiffPart *part)
{
	static const char *const own[] = {"type", "target", "match", "detection", NULL};
	char	   *detection = model_text_in(part->attributes, "detection");
	JsonbContainer *target = model_container_in(part->attributes, "target");
	char	   *match = model_text_in(part->attributes, "match");
	ModelBuilder b = {0};

	model_object_begin(&b);
	model_put_text(&b, "name", *part->name ? part->name : NULL);
	model_put_text(&b, "detection", detection ? detection : "declared");
	model_put_text(&b, "target", target_name(target));
	if (match != NULL && strcmp(match, "SIMPLE") != 0)
		model_put_text(&b, "match", match);
	put_all(&b, part->attributes, own);
	model_object_end(&b);
	return model_finish(&b);
}

/* ---------- matching ---------- */

static List *
inferred_parts(List *edges)
{
	List	   *parts = NIL;
	ListCell   *lc;

	foreach(lc, edges)
	{
		DiffPart   *part = palloc0(sizeof(DiffPart));

		part->family = "constraint";
		part->name = "";
		part->attributes = &((Jsonb *) lfirst(lc))->root;
		parts = lappend(parts, part);
	}
	return parts;
}

/* "inferred" are edges that count as foreign keys too. */
static List *
parts_of_kind(Jsonb *body, List *inferred, const PartKind *kind)
{
	List	   *parts = list_concat(diff_parts(body, kind->family), inferred_parts(inferred));
	List	   *kept = NIL;
	ListCell   *lc;

	foreach(lc, parts)
	{
		DiffPart   *part = lfirst(lc);

		if (kind->filter != NULL && !kind->filter(part))
			continue;
		part->key = kind->key(part);
		kept = lappend(kept, part);
	}
	return kept;
}

static bool
same_attributes(const DiffPart *a, const DiffPart *b)
{
	return diff_differing(a->attributes, b->attributes, NULL) == NULL;
}

/* ---------- what makes two parts the same, the surest first ---------- */

static bool
same_key_and_name(const DiffPart *a, const DiffPart *b)
{
	return strcmp(a->key, b->key) == 0 && strcmp(a->name, b->name) == 0;
}

static bool
same_key_and_attributes(const DiffPart *a, const DiffPart *b)
{
	return strcmp(a->key, b->key) == 0 && same_attributes(a, b);
}

static bool
same_key(const DiffPart *a, const DiffPart *b)
{
	return strcmp(a->key, b->key) == 0;
}

/* Round by round, so that a rename cannot take the place of the same part. */
static const PartTest rounds[] = {same_key_and_name, same_key_and_attributes, same_key, same_attributes};

/* An inferred edge has no name, and one column. */
static const char *
only_column(const DiffPart *part)
{
	JsonbContainer *columns = model_container_in(part->attributes, "columns");

	return columns ? model_value_text(getIthJsonbValueFromContainer(columns, 0)) : NULL;
}

static void
report_part(Diff *diff, DiffPair *pair, const PartKind *kind, const char *change_kind,
			DiffPart *before, DiffPart *after)
{
	DriftChange *change;

	if (before && after && kind->is_minor && kind->is_minor(before, after))
	{
		report_part(diff, pair, &part_kinds[0], part_kinds[0].modified, before, after);
		return;
	}
	change = diff_report(diff, pair, change_kind);
	change->object_name = after && *after->name ? after->name : before && *before->name ? before->name : NULL;
	if (change->object_name == NULL)
		change->column_name = only_column(after ? after : before);
	change->before = before ? kind->shape(before) : NULL;
	change->after = after ? kind->shape(after) : NULL;
}

static void
match_round(Diff *diff, DiffPair *pair, const PartKind *kind, List *before, List *after, PartTest same)
{
	ListCell   *b;
	ListCell   *a;

	foreach(b, before)
	{
		DiffPart   *was = lfirst(b);

		if (was->matched)
			continue;
		foreach(a, after)
		{
			DiffPart   *is = lfirst(a);

			if (is->matched || !same(was, is))
				continue;
			was->matched = is->matched = true;
			if (strcmp(was->name, is->name) != 0 || !same_attributes(was, is))
				report_part(diff, pair, kind, kind->modified, was, is);
			break;
		}
	}
}

static void
compare_kind(Diff *diff, DiffPair *pair, const PartKind *kind)
{
	bool		edges = kind->filter == is_relationship;
	List	   *before = parts_of_kind(pair->before->body, edges ? pair->inferred_before : NIL, kind);
	List	   *after = parts_of_kind(pair->after->body, edges ? pair->inferred_after : NIL, kind);
	ListCell   *lc;

	for (int i = 0; i < lengthof(rounds); i++)
		match_round(diff, pair, kind, before, after, rounds[i]);
	foreach(lc, before)
		if (!((DiffPart *) lfirst(lc))->matched)
			report_part(diff, pair, kind, kind->removed, lfirst(lc), NULL);
	foreach(lc, after)
		if (!((DiffPart *) lfirst(lc))->matched)
			report_part(diff, pair, kind, kind->added, NULL, lfirst(lc));
}

/* ---------- the primary key, beside the grain ---------- */

static DiffPart *
primary_key(Jsonb *body)
{
	ListCell   *lc;

	foreach(lc, diff_parts(body, "constraint"))
		if (has_type(lfirst(lc), "primary_key"))
			return lfirst(lc);
	return NULL;
}

/* A primary key that kept its columns and changed in something else. */
static void
compare_primary_key(Diff *diff, DiffPair *pair)
{
	static const PartKind kind = {"constraint", NULL, name_key, plain_shape, NULL, NULL, "constraint_modified"};
	DiffPart   *was = primary_key(pair->before->body);
	DiffPart   *is = primary_key(pair->after->body);
	JsonbValue	a;
	JsonbValue	b;

	if (was == NULL || is == NULL)
		return;
	if (model_get_in(was->attributes, "columns", &a) && model_get_in(is->attributes, "columns", &b) &&
		!model_value_equal(&a, &b))
		return;
	if (strcmp(was->name, is->name) != 0 || !same_attributes(was, is))
		report_part(diff, pair, &kind, kind.modified, was, is);
}

/* Of a relation that stayed as it was, while what it may mean did not. */
void
diff_relationships(Diff *diff, DiffPair *pair)
{
	for (int i = 0; i < lengthof(part_kinds); i++)
		if (part_kinds[i].filter == is_relationship)
			compare_kind(diff, pair, &part_kinds[i]);
}

void
diff_parts_of_relation(Diff *diff, DiffPair *pair)
{
	for (int i = 0; i < lengthof(part_kinds); i++)
		compare_kind(diff, pair, &part_kinds[i]);
	compare_primary_key(diff, pair);
}

/* ---------- grain ---------- */

static void
add_key(ModelBuilder *b, DiffPart *constraint)
{
	JsonbValue	columns;

	model_object_begin(b);
	if (model_get_in(constraint->attributes, "columns", &columns))
		model_put_value(b, "columns", &columns);
	model_put_text(b, "detection", "declared");
	model_object_end(b);
}

/* The declared keys of one type: what the catalog says now. */
static void
add_declared(ModelBuilder *b, List *constraints, const char *type)
{
	ListCell   *lc;

	foreach(lc, constraints)
		if (has_type(lfirst(lc), type))
			add_key(b, lfirst(lc));
}

static bool
has_columns_of(DiffPart *constraint, JsonbContainer *key)
{
	JsonbValue	a;
	JsonbValue	b;

	return (has_type(constraint, "primary_key") || has_type(constraint, "unique")) &&
		model_get_in(constraint->attributes, "columns", &a) && model_get_in(key, "columns", &b) &&
		model_value_equal(&a, &b);
}

/* The keys that only the rows show, unless they have been declared since. */
static void
add_measured(ModelBuilder *b, List *constraints, JsonbContainer *grain)
{
	JsonbContainer *keys = model_container_in(grain, "keys");

	for (uint32 i = 0; keys != NULL && JsonContainerIsArray(keys) && i < JsonContainerSize(keys); i++)
	{
		JsonbValue *key = getIthJsonbValueFromContainer(keys, i);
		JsonbContainer *object = key->type == jbvBinary ? key->val.binary.data : NULL;
		char	   *detection = model_text_in(object, "detection");
		bool		declared = false;
		ListCell   *lc;

		foreach(lc, constraints)
			declared |= has_columns_of(lfirst(lc), object);
		if (!declared && detection != NULL && strcmp(detection, "measured") == 0)
			model_add_jsonb(b, model_value_jsonb(key));
	}
}

/*
 * Declared keys are the catalog's, since a profile that was carried forward may
 * be older than the constraints; measured ones come after them.
 */
static Jsonb *
grain_block(Jsonb *body, Jsonb *grain)
{
	List	   *constraints = diff_parts(body, "constraint");
	ModelBuilder b = {0};
	JsonbValue	search;

	model_object_begin(&b);
	model_key(&b, "keys");
	model_array_begin(&b);
	add_declared(&b, constraints, "primary_key");
	add_declared(&b, constraints, "unique");
	if (grain != NULL)
		add_measured(&b, constraints, &grain->root);
	model_array_end(&b);
	if (grain != NULL && model_get(grain, "search", &search))
		model_put_value(&b, "search", &search);
	model_object_end(&b);
	return model_finish(&b);
}

static Jsonb *
measured_grain(Diff *diff, DriftEntry *entry)
{
	JsonbValue	v;

	if (!diff->options->profile || !model_get(entry->profile, "grain", &v) || v.type != jbvBinary)
		return NULL;
	return model_value_jsonb(&v);
}

/* Whether each key of one block is in the other. */
static bool
holds_keys(Jsonb *mine, Jsonb *theirs)
{
	JsonbContainer *a = model_container_in(&mine->root, "keys");
	JsonbContainer *b = model_container_in(&theirs->root, "keys");

	for (uint32 i = 0; a != NULL && i < JsonContainerSize(a); i++)
	{
		JsonbValue *key = getIthJsonbValueFromContainer(a, i);
		bool		found = false;

		for (uint32 j = 0; b != NULL && !found && j < JsonContainerSize(b); j++)
			found = model_value_equal(key, getIthJsonbValueFromContainer(b, j));
		if (!found)
			return false;
	}
	return true;
}

/* Where the search ran on one side only, it says nothing about a change. */
static bool
same_search(Jsonb *before, Jsonb *after)
{
	JsonbContainer *b = model_container_in(&before->root, "search");
	JsonbContainer *a = model_container_in(&after->root, "search");

	if (a == NULL || b == NULL)
		return true;
	return model_bool_in(a, "exhausted", false) == model_bool_in(b, "exhausted", false);
}

static bool
is_undecided(const DriftEntry *entry)
{
	return model_text_in(model_container_in(&entry->body->root, "attributes"), "undecided") != NULL;
}

/*
 * The keys a row is identified by.  With a profile on both sides measured keys
 * count too; otherwise the declared ones, which the catalog always answers.
 */
void
diff_grain(Diff *diff, DiffPair *pair)
{
	Jsonb	   *was = measured_grain(diff, pair->before);
	Jsonb	   *is = measured_grain(diff, pair->after);
	DriftChange *change;

	if (is_undecided(pair->before) || is_undecided(pair->after))
		return;
	if (was == NULL || is == NULL)
		was = is = NULL;
	was = grain_block(pair->before->body, was ? diff_rename_document(diff, pair, was) : NULL);
	is = grain_block(pair->after->body, is);
	if (holds_keys(was, is) && holds_keys(is, was) && same_search(was, is))
		return;
	change = diff_report(diff, pair, "grain_changed");
	change->before = was;
	change->after = is;
}
