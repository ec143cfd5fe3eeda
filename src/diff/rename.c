/*-------------------------------------------------------------------------
 *
 * rename.c
 *	  The baseline's documents in the target's names.
 *
 * A renamed column or table changes every text that names it: checks, index
 * predicates, view bodies.  Those are one change, the rename, so the
 * baseline's text is compared after the same renames.  What the rewriting gets
 * wrong is at worst reported as a change it would have been anyway.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/diff_internal.h"
#include "miscadmin.h"
#include "utils/builtins.h"

/* Attributes whose text is SQL. */
static const char *const sql_keys[] = {
	"expression", "predicate", "generation_expression", "default", "using", "check",
	"definition", "view_definition"
};

/* Attributes that are a column's name or a list of them. */
static const char *const column_keys[] = {"columns", "include", "column", "on_delete_columns"};

static bool
is_one_of(const char *key, const char *const *keys, int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

static bool
is_word(char c)
{
	return IS_HIGHBIT_SET(c) || c == '_' || c == '$' || (c >= 'a' && c <= 'z') ||
		(c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* The end of a quoted token that starts at "c"; quotes are doubled inside. */
static const char *
skip_quoted(const char *c)
{
	char		quote = *c++;

	while (*c)
	{
		if (*c == quote && c[1] == quote)
			c += 2;
		else if (*c++ == quote)
			break;
	}
	return c;
}

/*
 * Replace an identifier wherever it stands as a token of its own; string
 * literals are left alone.  Names are given unquoted.
 */
char *
diff_rename_tokens(const char *text, const char *old_name, const char *new_name)
{
	const char *wanted = quote_identifier(old_name);
	const char *replacement = quote_identifier(new_name);
	StringInfoData out;
	const char *c = text;

	initStringInfo(&out);
	while (*c)
	{
		const char *start = c;

		if (*c == '\'' || *c == '"')
			c = skip_quoted(c);
		else if (is_word(*c))
			while (*c && is_word(*c))
				c++;
		else
			c++;
		if (c - start == strlen(wanted) && strncmp(start, wanted, c - start) == 0)
			appendStringInfoString(&out, replacement);
		else
			appendBinaryStringInfo(&out, start, c - start);
	}
	return out.data;
}

const char *
diff_new_column_name(DiffPair *pair, const char *name)
{
	ListCell   *lc;

	foreach(lc, pair->column_renames)
		if (strcmp(((Rename *) lfirst(lc))->old_name, name) == 0)
			return ((Rename *) lfirst(lc))->new_name;
	return name;
}

static char *
rename_sql(Diff *diff, DiffPair *pair, char *text)
{
	ListCell   *lc;

	foreach(lc, pair->column_renames)
	{
		Rename	   *rename = lfirst(lc);

		text = diff_rename_tokens(text, rename->old_name, rename->new_name);
	}
	foreach(lc, diff->table_renames)
	{
		Rename	   *rename = lfirst(lc);

		text = diff_rename_tokens(text, rename->old_name, rename->new_name);
		if (strcmp(rename->schema, rename->new_schema) != 0)
			text = diff_rename_tokens(text, rename->schema, rename->new_schema);
	}
	return text;
}

/* A string in the document, given the key it stands under. */
static char *
rename_string(Diff *diff, DiffPair *pair, const char *key, char *text)
{
	if (key == NULL)
		return text;
	if (is_one_of(key, sql_keys, lengthof(sql_keys)))
		return rename_sql(diff, pair, text);
	if (is_one_of(key, column_keys, lengthof(column_keys)))
		return pstrdup(diff_new_column_name(pair, text));
	return text;
}

/* A {schema, name} or {schema, table} object that names a renamed relation. */
static Rename *
find_table_rename(Diff *diff, JsonbContainer *object)
{
	char	   *schema = model_text_in(object, "schema");
	char	   *name = model_text_in(object, model_text_in(object, "table") ? "table" : "name");
	ListCell   *lc;

	if (schema == NULL || name == NULL)
		return NULL;
	foreach(lc, diff->table_renames)
	{
		Rename	   *rename = lfirst(lc);

		if (strcmp(rename->schema, schema) == 0 && strcmp(rename->old_name, name) == 0)
			return rename;
	}
	return NULL;
}

static void
set_string(JsonbValue *v, const char *text)
{
	v->val.string.val = (char *) text;
	v->val.string.len = strlen(text);
}

static void rename_container(Diff *diff, DiffPair *pair, const char *key, JsonbContainer *container,
							 ModelBuilder *b);

/* One value; its key, if it has one, has been pushed. */
static void
rename_value(Diff *diff, DiffPair *pair, const char *key, JsonbValue *v, bool element, ModelBuilder *b)
{
	JsonbValue	copy = *v;

	if (v->type == jbvBinary)
	{
		rename_container(diff, pair, key, v->val.binary.data, b);
		return;
	}
	if (v->type == jbvString)
	{
		copy.val.string.val = rename_string(diff, pair, key, pnstrdup(v->val.string.val, v->val.string.len));
		copy.val.string.len = strlen(copy.val.string.val);
	}
	b->result = pushJsonbValue(&b->state, element ? WJB_ELEM : WJB_VALUE, &copy);
}

static void
rename_container(Diff *diff, DiffPair *pair, const char *key, JsonbContainer *container, ModelBuilder *b)
{
	JsonbIterator *it = JsonbIteratorInit(container);
	JsonbIteratorToken token;
	JsonbValue	v;
	Rename	   *rename = JsonContainerIsObject(container) ? find_table_rename(diff, container) : NULL;

	check_stack_depth();
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		if (token == WJB_KEY)
		{
			char	   *inner = pnstrdup(v.val.string.val, v.val.string.len);

			model_key(b, inner);
			(void) JsonbIteratorNext(&it, &v, true);
			if (rename != NULL && strcmp(inner, "schema") == 0)
				set_string(&v, rename->new_schema);
			if (rename != NULL && (strcmp(inner, "name") == 0 || strcmp(inner, "table") == 0))
				set_string(&v, rename->new_name);
			rename_value(diff, pair, inner, &v, false, b);
		}
		else if (token == WJB_ELEM)
			rename_value(diff, pair, key, &v, true, b);
		else
			b->result = pushJsonbValue(&b->state, token, NULL);
	}
}

/* The body itself when nothing has been renamed. */
Jsonb *
diff_rename_body(Diff *diff, DiffPair *pair, Jsonb *body)
{
	ModelBuilder b = {0};

	if (pair->column_renames == NIL && diff->table_renames == NIL)
		return body;
	rename_container(diff, pair, NULL, &body->root, &b);
	return model_finish(&b);
}
