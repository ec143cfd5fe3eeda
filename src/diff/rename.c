/*-------------------------------------------------------------------------
 *
 * rename.c
 *	  The baseline's documents in the target's names.
 *
 * A renamed column or table changes every text that names it: checks, index
 * predicates, view bodies.  Those are one change, the rename.  Where a name
 * stands by itself in a document it is replaced.  Where it stands in SQL, the
 * target's texts are looked through for one that differs by nothing but names
 * that are known to have changed; without one the text stays as it was, and is
 * reported as a change.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff_internal.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"

/* Attributes whose text is SQL. */
static const char *const sql_keys[] = {
	"expression", "expressions", "predicate", "generation_expression", "default", "using", "check", "where",
	"definition", "view_definition", "partition_bound", "type", "returns", "arguments"
};

/* Attributes that are a column's name or a list of them. */
static const char *const column_keys[] = {"columns", "include", "column", "on_delete_columns"};

/* Of these, texts that may hold queries, which name other relations' columns. */
static const char *const query_keys[] = {"using", "check", "definition", "view_definition"};

#define SEPARATOR "\x1f"

/* What a name became, or that it did (with both names as the key). */
typedef struct Renamed
{
	char		key[10 * NAMEDATALEN];
	const Rename *rename;
} Renamed;

/* A relation whose columns were renamed, under its name in the baseline. */
typedef struct RenamedColumns
{
	char		key[5 * NAMEDATALEN];
	List	   *renames;
} RenamedColumns;

struct RenameBook
{
	HTAB	   *objects;		/* class, schema, name -> rename */
	HTAB	   *pairs;			/* old and new of qualified names, aliases and columns */
	HTAB	   *columns;		/* relation -> column renames */
};

/* A document being rewritten. */
typedef struct Rewrite
{
	Diff	   *diff;
	DiffPair   *pair;
	bool		is_query;		/* the text at hand may hold one */
	List	   *texts;			/* of TargetText */
	ModelBuilder b;
} Rewrite;

typedef struct TargetText
{
	const char *key;
	char	   *text;
} TargetText;

/* ---------- the book of renames ---------- */

static bool
is_one_of(const char *key, const char *const *keys, int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

static HTAB *
create_book(const char *name, Size key, Size entry)
{
	HASHCTL		ctl = {0};

	ctl.keysize = key;
	ctl.entrysize = entry;
	ctl.hcxt = CurrentMemoryContext;
	return hash_create(name, 64, &ctl, HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
}

static RenameBook *
book_of(Diff *diff)
{
	RenameBook *book = diff->book;

	if (book == NULL)
	{
		book = diff->book = palloc0(sizeof(RenameBook));
		book->objects = create_book("renamed objects", sizeof(((Renamed *) 0)->key), sizeof(Renamed));
		book->pairs = create_book("old and new names", sizeof(((Renamed *) 0)->key), sizeof(Renamed));
		book->columns = create_book("renamed columns", sizeof(((RenamedColumns *) 0)->key), sizeof(RenamedColumns));
	}
	return book;
}

/* Families whose names cannot meet; relations and sequences share one. */
static const char *
class_of(const char *family)
{
	if (strcmp(family, "function") == 0 || strcmp(family, "procedure") == 0 || strcmp(family, "aggregate") == 0)
		return "function";
	return model_is_relation_family(family) || strcmp(family, "sequence") == 0 ? "relation" : family;
}

static char *
key_of(const char *a, const char *b, const char *c)
{
	return psprintf("%s" SEPARATOR "%s" SEPARATOR "%s", a, b ? b : "", c);
}

static void
note_pair(RenameBook *book, const char *kind, const char *old_name, const char *new_name)
{
	(void) hash_search(book->pairs, key_of(kind, old_name, new_name), HASH_ENTER, NULL);
}

static bool
is_pair(Diff *diff, const char *kind, const char *old_name, const char *new_name)
{
	return hash_search(diff->book->pairs, key_of(kind, old_name, new_name), HASH_FIND, NULL) != NULL;
}

void
diff_remember_rename(Diff *diff, DiffPair *pair)
{
	RenameBook *book = book_of(diff);
	DriftEntry *before = pair->before;
	DriftEntry *after = pair->after;
	Rename	   *rename = palloc0(sizeof(Rename));
	Renamed    *slot = hash_search(book->objects, key_of(class_of(before->family), before->schema, before->name),
								   HASH_ENTER, NULL);

	rename->old_name = before->name;
	rename->new_schema = after->schema;
	rename->new_name = after->name;
	slot->rename = rename;
	if (before->schema != NULL && after->schema != NULL)
		note_pair(book, "qualified", model_qualified_name(before->schema, before->name),
				  model_qualified_name(after->schema, after->name));
	note_pair(book, "alias", before->name, after->name);
}

void
diff_remember_columns(Diff *diff, DiffPair *pair)
{
	RenameBook *book;
	RenamedColumns *slot;
	ListCell   *lc;

	if (pair->column_renames == NIL)
		return;
	book = book_of(diff);
	slot = hash_search(book->columns, model_entry_name(pair->before), HASH_ENTER, NULL);
	slot->renames = pair->column_renames;
	foreach(lc, pair->column_renames)
		note_pair(book, "column", ((Rename *) lfirst(lc))->old_name, ((Rename *) lfirst(lc))->new_name);
}

static const Rename *
find_object(Diff *diff, const char *class, const char *schema, const char *name)
{
	Renamed    *slot = hash_search(diff->book->objects, key_of(class, schema, name), HASH_FIND, NULL);

	return slot ? slot->rename : NULL;
}

static List *
columns_renamed_in(Diff *diff, const char *schema, const char *name)
{
	RenamedColumns *slot = hash_search(diff->book->columns, model_qualified_name(schema, name), HASH_FIND, NULL);

	return slot ? slot->renames : NIL;
}

static const char *
new_name(List *renames, const char *name)
{
	ListCell   *lc;

	foreach(lc, renames)
		if (strcmp(((Rename *) lfirst(lc))->old_name, name) == 0)
			return ((Rename *) lfirst(lc))->new_name;
	return NULL;
}

static bool
holds(List *names, const char *name)
{
	ListCell   *lc;

	foreach(lc, names)
		if (strcmp(lfirst(lc), name) == 0)
			return true;
	return false;
}

const char *
diff_new_column_name(DiffPair *pair, const char *name)
{
	const char *renamed = new_name(pair->column_renames, name);

	if (renamed == NULL)
		renamed = name;
	return holds(pair->columns_gone, name) || holds(pair->columns_come, renamed) ? NULL : renamed;
}

/* ---------- SQL as tokens ---------- */

typedef enum TokenKind
{
	TOKEN_NAME, TOKEN_STRING, TOKEN_OTHER
} TokenKind;

typedef struct Token
{
	TokenKind	kind;
	char	   *text;			/* a name without its quotes */
} Token;

static bool
is_word(char c)
{
	return IS_HIGHBIT_SET(c) || c == '_' || c == '$' || (c >= 'a' && c <= 'z') ||
		(c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* The content of what is quoted, and in *end where it ends. */
static char *
unquoted(const char *c, const char **end)
{
	char		quote = *c++;
	char	   *text = palloc(strlen(c) + 1);
	char	   *to = text;

	while (*c && !(*c == quote && c[1] != quote))
	{
		if (*c == quote)
			c++;
		*to++ = *c++;
	}
	*to = '\0';
	*end = *c ? c + 1 : c;
	return text;
}

static Token *
tokens_of(const char *text, int *n)
{
	Token	   *tokens = palloc(sizeof(Token) * (strlen(text) + 1));
	const char *c = text;

	for (*n = 0; *c;)
	{
		Token	   *token = &tokens[*n];
		const char *start = c;

		if (*c == ' ' || *c == '\n' || *c == '\t')
		{
			c++;
			continue;
		}
		token->kind = *c == '\'' ? TOKEN_STRING : *c == '"' || is_word(*c) ? TOKEN_NAME : TOKEN_OTHER;
		if (*c == '\'' || *c == '"')
			token->text = unquoted(c, &c);
		else
		{
			while (is_word(*start) && is_word(*c))
				c++;
			c += c == start;
			token->text = pnstrdup(start, c - start);
		}
		(*n)++;
	}
	return tokens;
}

/* ---------- two texts that differ by names alone ---------- */

typedef struct Side
{
	Token	   *tokens;
	int			n;
	int			at;
} Side;

static bool
is_token(const Side *side, int offset, const char *text)
{
	int			i = side->at + offset;

	return i >= 0 && i < side->n && strcmp(side->tokens[i].text, text) == 0;
}

static bool
is_name(const Side *side, int offset)
{
	int			i = side->at + offset;

	return i >= 0 && i < side->n && side->tokens[i].kind == TOKEN_NAME;
}

static const char *
token_text(const Side *side, int offset)
{
	return side->tokens[side->at + offset].text;
}

static bool
is_qualified(const Side *side)
{
	return is_name(side, 0) && is_token(side, 1, ".") && is_name(side, 2);
}

/* The name of a column: of this relation, or of one that the text reads. */
static bool
column_became(Rewrite *r, const char *was, const char *is, bool dotted)
{
	const char *renamed = new_name(r->pair->column_renames, was);

	return (renamed != NULL && strcmp(renamed, is) == 0) ||
		((dotted || r->is_query) && is_pair(r->diff, "column", was, is));
}

/* A name that must have changed where it stands for a column. */
static bool
is_left_behind(Rewrite *r, const Side *before)
{
	return new_name(r->pair->column_renames, token_text(before, 0)) != NULL &&
		!is_token(before, -1, ":") && !is_token(before, -1, ".") && !is_token(before, 1, "(");
}

/* 'schema.name' as in nextval('shop.counter'::regclass). */
static bool
string_became(Rewrite *r, const char *was, const char *is)
{
	return strcmp(was, is) == 0 || is_pair(r->diff, "qualified", was, is);
}

/*
 * A query names its columns as it always did: "x" becomes "y AS x" and "x AS y"
 * becomes "y" when x is renamed to y; and "x" becomes "x AS y" when the view's
 * own column is.
 */
static void
skip_label(Rewrite *r, Side *before, Side *after, const char *was, const char *is)
{
	if (!r->is_query)
		return;
	if (is_token(after, 0, "AS") && is_name(after, 1) && !is_token(before, 0, "AS") &&
		(strcmp(token_text(after, 1), was) == 0 || column_became(r, was, token_text(after, 1), true)))
		after->at += 2;
	else if (is_token(before, 0, "AS") && is_name(before, 1) && !is_token(after, 0, "AS") &&
			 (strcmp(token_text(before, 1), is) == 0 || column_became(r, token_text(before, 1), is, true)))
		before->at += 2;
}

static bool
qualified_became(Rewrite *r, const Side *before, const Side *after)
{
	if (!is_qualified(before) || !is_qualified(after) ||
		(is_token(after, 0, token_text(before, 0)) && is_token(after, 2, token_text(before, 2))))
		return false;
	return is_pair(r->diff, "qualified", model_qualified_name(token_text(before, 0), token_text(before, 2)),
				   model_qualified_name(token_text(after, 0), token_text(after, 2)));
}

static bool
name_became(Rewrite *r, Side *before, Side *after, bool strict)
{
	const char *was = token_text(before, 0);
	const char *is = token_text(after, 0);
	bool		same = strcmp(was, is) == 0;

	if (same && strict && is_left_behind(r, before))
		return false;
	if (!same && !column_became(r, was, is, is_token(before, -1, ".")) &&
		!(is_token(before, 1, ".") && is_pair(r->diff, "alias", was, is)))
		return false;
	before->at++;
	after->at++;
	skip_label(r, before, after, was, is);
	return true;
}

static bool
step(Rewrite *r, Side *before, Side *after, bool strict)
{
	TokenKind	kind = before->tokens[before->at].kind;

	if (kind != after->tokens[after->at].kind)
		return false;
	if (qualified_became(r, before, after))
	{
		before->at += 3;
		after->at += 3;
		return true;
	}
	if (kind == TOKEN_NAME)
		return name_became(r, before, after, strict);
	if (kind == TOKEN_STRING ? !string_became(r, token_text(before, 0), token_text(after, 0)) :
		strcmp(token_text(before, 0), token_text(after, 0)) != 0)
		return false;
	before->at++;
	after->at++;
	return true;
}

static bool
differ_by_names(Rewrite *r, const Side *was, const char *text, bool strict)
{
	Side		before = *was;
	Side		after = {0};

	after.tokens = tokens_of(text, &after.n);
	while (before.at < before.n && after.at < after.n)
		if (!step(r, &before, &after, strict))
			return false;
	return before.at == before.n && after.at == after.n;
}

/* The target's text of that attribute that this one has become, or itself. */
static char *
rewrite_sql(Rewrite *r, const char *key, char *text)
{
	Side		before = {0};

	r->is_query = is_one_of(key, query_keys, lengthof(query_keys));
	before.tokens = tokens_of(text, &before.n);
	for (int strict = 1; strict >= 0; strict--)
	{
		ListCell   *lc;

		foreach(lc, r->texts)
		{
			TargetText *target = lfirst(lc);

			CHECK_FOR_INTERRUPTS();
			if (strcmp(target->key, key) == 0 && differ_by_names(r, &before, target->text, strict))
				return target->text;
		}
	}
	return text;
}

/* ---------- the document ---------- */

static bool
is_sql(const char *key)
{
	return key != NULL && is_one_of(key, sql_keys, lengthof(sql_keys));
}

static void
collect_texts(Rewrite *r, const char *outer, JsonbContainer *container)
{
	JsonbIterator *it = JsonbIteratorInit(container);
	JsonbIteratorToken token;
	const char *key = outer;
	JsonbValue	v;

	check_stack_depth();
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		if (token == WJB_KEY)
			key = pnstrdup(v.val.string.val, v.val.string.len);
		else if ((token == WJB_VALUE || token == WJB_ELEM) && v.type == jbvBinary)
			collect_texts(r, key, v.val.binary.data);
		else if ((token == WJB_VALUE || token == WJB_ELEM) && v.type == jbvString && is_sql(key))
		{
			TargetText *text = palloc(sizeof(TargetText));

			text->key = key;
			text->text = pnstrdup(v.val.string.val, v.val.string.len);
			r->texts = lappend(r->texts, text);
		}
	}
}

/* Where the columns named in an object belong: the relation it names, or around it. */
static List *
columns_in_scope(Rewrite *r, JsonbContainer *object, const char *relation, List *around)
{
	JsonbContainer *named = relation ? model_container_in(object, relation) : object;
	char	   *schema = model_text_in(named, "schema");
	char	   *name = model_text_in(named, "table");

	if (name == NULL)
		name = model_text_in(named, "name");
	return schema && name ? columns_renamed_in(r->diff, schema, name) : around;
}

/* The columns of a check are a set, which the readers put in order. */
static bool
is_check(JsonbContainer *attributes)
{
	char	   *type = model_text_in(attributes, "type");

	return type != NULL && strcmp(type, "check") == 0;
}

static int
compare_texts(const ListCell *a, const ListCell *b)
{
	return strcmp(lfirst(a), lfirst(b));
}

static void
rewrite_set(Rewrite *r, JsonbContainer *array, List *columns)
{
	List	   *names = NIL;
	ListCell   *lc;

	for (uint32 i = 0; i < JsonContainerSize(array); i++)
	{
		char	   *name = model_value_text(getIthJsonbValueFromContainer(array, i));
		const char *renamed = new_name(columns, name);

		names = lappend(names, renamed ? (char *) renamed : name);
	}
	list_sort(names, compare_texts);
	model_array_begin(&r->b);
	foreach(lc, names)
		model_add_text(&r->b, lfirst(lc));
	model_array_end(&r->b);
}

/* A {schema, name} or {schema, table} object that names something renamed. */
static const Rename *
renamed_object(Rewrite *r, const char *key, JsonbContainer *object)
{
	char	   *schema = model_text_in(object, "schema");
	char	   *name = model_text_in(object, model_text_in(object, "table") ? "table" : "name");
	bool		function = key && strstr(key, "function") != NULL;

	if (schema == NULL || name == NULL || model_text_in(object, "family") != NULL)
		return NULL;
	return find_object(r->diff, function ? "function" : "relation", schema, name);
}

static void rewrite_container(Rewrite *r, const char *key, JsonbContainer *container, List *columns);

static char *
rewrite_string(Rewrite *r, const char *key, char *text, List *columns)
{
	const char *renamed;

	if (key == NULL)
		return text;
	if (is_sql(key))
		return rewrite_sql(r, key, text);
	if (!is_one_of(key, column_keys, lengthof(column_keys)) && strcmp(key, "target_columns") != 0)
		return text;
	renamed = new_name(columns, text);
	return renamed ? (char *) renamed : text;
}

/* One value; its key, if it has one, has been pushed. */
static void
rewrite_value(Rewrite *r, const char *key, JsonbValue *v, JsonbIteratorToken token, List *columns)
{
	JsonbValue	copy = *v;

	if (v->type == jbvBinary)
	{
		rewrite_container(r, key, v->val.binary.data, columns);
		return;
	}
	if (v->type == jbvString)
	{
		copy.val.string.val = rewrite_string(r, key, pnstrdup(v->val.string.val, v->val.string.len), columns);
		copy.val.string.len = strlen(copy.val.string.val);
	}
	r->b.result = pushJsonbValue(&r->b.state, token, &copy);
}

static void
set_string(JsonbValue *v, const char *text)
{
	v->val.string.val = (char *) text;
	v->val.string.len = strlen(text);
}

static void
rewrite_container(Rewrite *r, const char *key, JsonbContainer *container, List *around)
{
	bool		object = JsonContainerIsObject(container);
	const Rename *rename = object ? renamed_object(r, key, container) : NULL;
	bool		part = object && model_text_in(container, "family") != NULL;
	bool		check = object && is_check(container);
	List	   *columns = object && !part ? columns_in_scope(r, container, NULL, around) : around;
	List	   *of_target = object ? columns_in_scope(r, container, "target", columns) : NIL;
	List	   *of_table = object ? columns_in_scope(r, container, "table", columns) : NIL;
	JsonbIterator *it = JsonbIteratorInit(container);
	JsonbIteratorToken token;
	JsonbValue	v;

	check_stack_depth();
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		if (token == WJB_KEY)
		{
			char	   *inner = pnstrdup(v.val.string.val, v.val.string.len);

			model_key(&r->b, inner);
			(void) JsonbIteratorNext(&it, &v, true);
			if (rename != NULL && strcmp(inner, "schema") == 0)
				set_string(&v, rename->new_schema);
			if (rename != NULL && (strcmp(inner, "name") == 0 || strcmp(inner, "table") == 0))
				set_string(&v, rename->new_name);
			if (check && strcmp(inner, "columns") == 0 && v.type == jbvBinary && JsonContainerIsArray(v.val.binary.data))
				rewrite_set(r, v.val.binary.data, columns);
			else
				rewrite_value(r, inner, &v, WJB_VALUE, strcmp(inner, "target_columns") == 0 ? of_target : of_table);
		}
		else if (token == WJB_ELEM)
			rewrite_value(r, key, &v, WJB_ELEM, columns);
		else
			r->b.result = pushJsonbValue(&r->b.state, token, NULL);
	}
}

/* "document", of the baseline; itself when nothing has been renamed. */
Jsonb *
diff_rename_document(Diff *diff, DiffPair *pair, Jsonb *document)
{
	Rewrite		r = {0};

	if (diff->book == NULL)
		return document;
	r.diff = diff;
	r.pair = pair;
	if (pair->after->body != NULL)
		collect_texts(&r, NULL, &pair->after->body->root);
	rewrite_container(&r, NULL, &document->root, pair->column_renames);
	return model_finish(&r.b);
}
