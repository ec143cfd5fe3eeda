/*-------------------------------------------------------------------------
 *
 * words.c
 *	  Before and after in words, within the width of a page.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "report/words.h"
#include "utils/formatting.h"

#define PAGE_WIDTH 100
#define INDENT "      "

/* Lines of one value. */
#define MAX_LINES 4

/* ---------- width ---------- */

/* Columns on a terminal. */
static int
width_of(const char *text)
{
	int			width = 0;

	for (; *text; text += pg_mblen(text))
		width += Max(pg_dsplen(text), 0);
	return width;
}

/* As much of the text as fits, whole characters, with dots where it goes on. */
static char *
fitted(const char *text, int width)
{
	const char *c = text;
	int			used = 0;

	if (width_of(text) <= width)
		return pstrdup(text);
	while (*c && used + Max(pg_dsplen(c), 0) <= width - 3)
	{
		used += Max(pg_dsplen(c), 0);
		c += pg_mblen(c);
	}
	return psprintf("%.*s...", (int) (c - text), text);
}

char *
words_one_line(char *text)
{
	char	   *to = text;
	bool		space = true;		/* none at the start */

	for (char *from = text; *from; from++)
	{
		bool		is_space = (unsigned char) *from <= ' ' || *from == 0x7f;

		if (is_space && space)
			continue;
		space = is_space;
		*to++ = is_space ? ' ' : *from;
	}
	*to = '\0';
	return text;
}

/* Where the two begin to differ, at a character; 0 when that is soon anyway. */
static int
common_start(const char *a, const char *b)
{
	int			same = 0;
	int			from = 0;

	while (a[same] && a[same] == b[same])
		same++;
	if (same < 40)
		return 0;
	for (const char *c = a; c < a + same - 20; c += pg_mblen(c))
		from = c - a;
	return from;
}

/* Bytes of the words at the start of the text that fit; none when not even one does. */
static int
words_that_fit(const char *text, int width)
{
	int			used = 0;
	int			fit = 0;
	const char *c;

	for (c = text; *c && used <= width; c += pg_mblen(c))
	{
		if (*c == ' ')
			fit = c - text;
		used += Max(pg_dsplen(c), 0);
	}
	return *c == '\0' && used <= width ? c - text : fit;
}

/* "start: value", going on below as long as there are lines. */
void
words_append_one(StringInfo out, const char *start, const char *value)
{
	int			room = PAGE_WIDTH - width_of(start) - 2;

	appendStringInfo(out, "%s%s", start, *value ? ":" : "");
	for (int line = 0; *value; line++)
	{
		int			fit = words_that_fit(value, room);

		if (line == MAX_LINES - 1 || (fit == 0 && line > 0))
		{
			appendStringInfo(out, " %s", fitted(value, room));
			break;
		}
		appendStringInfo(out, fit ? " %.*s" : "", fit, value);
		value += fit;
		value += *value == ' ';
		room = PAGE_WIDTH - strlen(INDENT);
		if (*value)
			appendStringInfoString(out, "\n     ");
	}
	appendStringInfoChar(out, '\n');
}

void
words_append_pair(StringInfo out, const char *start, const char *before, const char *after, const char *tail)
{
	int			from;
	int			room = PAGE_WIDTH - strlen(INDENT) - 5;

	if (width_of(start) + width_of(before) + width_of(after) + width_of(tail) + 6 <= PAGE_WIDTH)
	{
		appendStringInfo(out, "%s: %s -> %s%s\n", start, before, after, tail);
		return;
	}
	from = common_start(before, after);
	appendStringInfo(out, "%s%s\n", start, tail);
	appendStringInfo(out, INDENT "- %s%s\n", from ? "..." : "", fitted(before + from, room));
	appendStringInfo(out, INDENT "+ %s%s\n", from ? "..." : "", fitted(after + from, room));
}

/* ---------- parts of what is said ---------- */

static JsonbContainer *
root_of(const Jsonb *side)
{
	return (JsonbContainer *) &side->root;
}

static char *
text_in(const Jsonb *side, const char *key)
{
	return model_text_in(root_of(side), key);
}

static char *
member_text(JsonbContainer *object, const char *key)
{
	JsonbValue	v;

	return model_get_in(object, key, &v) ? model_value_text(&v) : NULL;
}

/* An element of a list: what it is of first, then all else it says; "value (count)". */
static char *
element_words(JsonbValue *v)
{
	static const char *const subjects[] = {"column", "expression", "name"};
	JsonbContainer *object = v->type == jbvBinary ? v->val.binary.data : NULL;
	JsonbIteratorToken token;
	JsonbIterator *it;
	JsonbValue	member;
	StringInfoData out;
	const char *subject = NULL;

	for (int i = 0; subject == NULL && i < lengthof(subjects); i++)
		if (model_text_in(object, subjects[i]) != NULL)
			subject = subjects[i];
	if (member_text(object, "value") != NULL && member_text(object, "count") != NULL)
		return psprintf("%s (%s)", member_text(object, "value"), member_text(object, "count"));
	if (subject == NULL)
		return model_value_text(v);
	initStringInfo(&out);
	appendStringInfoString(&out, model_text_in(object, subject));
	it = JsonbIteratorInit(object);
	while ((token = JsonbIteratorNext(&it, &member, true)) != WJB_DONE)
	{
		bool		other = token == WJB_KEY &&
			(member.val.string.len != strlen(subject) || strncmp(member.val.string.val, subject, member.val.string.len) != 0);

		if (token != WJB_KEY)
			continue;
		(void) JsonbIteratorNext(&it, &member, true);
		if (other)
			appendStringInfo(&out, " %s", model_value_text(&member));
	}
	return out.data;
}

/* "a, b, c". */
static char *
joined(JsonbContainer *array)
{
	StringInfoData out;

	initStringInfo(&out);
	for (uint32 i = 0; array != NULL && JsonContainerIsArray(array) && i < JsonContainerSize(array); i++)
		appendStringInfo(&out, "%s%s", i > 0 ? ", " : "", element_words(getIthJsonbValueFromContainer(array, i)));
	return out.data;
}

static char *
joined_in(const Jsonb *side, const char *key)
{
	return joined(model_container_in(root_of(side), key));
}

static void
append_if(StringInfo out, const char *format, const char *value)
{
	if (value != NULL && *value)
		appendStringInfo(out, format, value);
}

char *
words_of_value(const Jsonb *side)
{
	JsonbValue *scalar;

	if (!JB_ROOT_IS_SCALAR(side))
		return model_jsonb_text((Jsonb *) side);
	scalar = getIthJsonbValueFromContainer(root_of(side), 0);
	return scalar->type == jbvNull ? pstrdup("none") : model_value_text(scalar);
}

static bool
is_true(const Jsonb *side)
{
	return strcmp(words_of_value(side), "true") == 0;
}

/* ---------- sides ---------- */

char *
words_of_statistic(const Jsonb *side)
{
	return JB_ROOT_IS_ARRAY(side) && !JB_ROOT_IS_SCALAR(side) ? joined(root_of(side)) : words_of_value(side);
}

char *
words_of_nullable(const Jsonb *side)
{
	return pstrdup(is_true(side) ? "nullable" : "not null");
}

char *
words_of_column(const Jsonb *side)
{
	char	   *type = text_in(side, "type");

	if (type == NULL)
		return words_of_value(side);
	return psprintf("%s%s", type, model_bool_in(root_of(side), "nullable", true) ? "" : ", not null");
}

char *
words_of_columns(const Jsonb *side)
{
	return joined_in(side, "columns");
}

char *
words_of_table(const Jsonb *side)
{
	char	   *word = words_of_value(side);

	return strcmp(word, "matview") == 0 ? pstrdup("materialized view") : word;
}

char *
words_of_count(const Jsonb *side)
{
	char	   *count = member_text(root_of(side), "row_count");
	char	   *method = text_in(side, "method");

	if (count == NULL)
		return words_of_value(side);
	return psprintf("%s%s", method && strcmp(method, "approximate") == 0 ? "about " : "", count);
}

char *
words_of_list(const Jsonb *side)
{
	char	   *list = joined(root_of(side));

	return *list ? list : pstrdup("nothing");
}

char *
words_of_grain(const Jsonb *side)
{
	JsonbContainer *keys = model_container_in(root_of(side), "keys");
	StringInfoData out;

	initStringInfo(&out);
	for (uint32 i = 0; keys != NULL && JsonContainerIsArray(keys) && i < JsonContainerSize(keys); i++)
	{
		JsonbValue *v = getIthJsonbValueFromContainer(keys, i);
		JsonbContainer *key = v->type == jbvBinary ? v->val.binary.data : NULL;
		char	   *detection = model_text_in(key, "detection");

		appendStringInfo(&out, "%s(%s)", i > 0 ? ", " : "", joined(model_container_in(key, "columns")));
		if (detection != NULL && strcmp(detection, "measured") == 0)
			appendStringInfoString(&out, " measured");
	}
	return out.len ? out.data : pstrdup("no key");
}

char *
words_of_layout(const Jsonb *side)
{
	JsonbContainer *keys = model_container_in(root_of(side), "keys");
	StringInfoData out;

	initStringInfo(&out);
	append_if(&out, "%s", text_in(side, "mechanism"));
	append_if(&out, " by %s", text_in(side, "strategy"));
	for (uint32 i = 0; keys != NULL && JsonContainerIsArray(keys) && i < JsonContainerSize(keys); i++)
	{
		JsonbValue *v = getIthJsonbValueFromContainer(keys, i);

		append_if(&out, i == 0 ? " (%s" : ", %s", member_text(v->type == jbvBinary ? v->val.binary.data : NULL, "expression"));
		if (i == JsonContainerSize(keys) - 1)
			appendStringInfoChar(&out, ')');
	}
	return out.data;
}

char *
words_of_index(const Jsonb *side)
{
	StringInfoData out;

	initStringInfo(&out);
	append_if(&out, "%s ", model_bool_in(root_of(side), "unique", false) ? "unique" : "");
	append_if(&out, "%s ", text_in(side, "type"));
	appendStringInfo(&out, "(%s)", joined_in(side, "columns"));
	append_if(&out, " include (%s)", joined_in(side, "include"));
	append_if(&out, " where %s", text_in(side, "predicate"));
	append_if(&out, "%s", model_bool_in(root_of(side), "invalid", false) ? ", invalid" : "");
	return out.data;
}

char *
words_of_constraint(const Jsonb *side)
{
	char	   *type = text_in(side, "type");
	char	   *text = text_in(side, "expression");

	if (text == NULL)
		text = text_in(side, "definition");
	if (text == NULL)
		text = psprintf("(%s)", joined_in(side, "columns"));
	return psprintf("%s%s%s", type ? type : "", type ? " " : "", text);
}

char *
words_of_relationship(const Jsonb *side)
{
	StringInfoData out;
	char	   *on_delete = text_in(side, "on_delete");
	char	   *on_update = text_in(side, "on_update");
	char	   *target = text_in(side, "target");

	initStringInfo(&out);
	appendStringInfo(&out, "(%s) -> %s (%s)", joined_in(side, "columns"), target ? target : "", joined_in(side, "target_columns"));
	if (on_delete && strcmp(on_delete, "NO ACTION") != 0)
		appendStringInfo(&out, " on delete %s", asc_tolower(on_delete, strlen(on_delete)));
	if (on_update && strcmp(on_update, "NO ACTION") != 0)
		appendStringInfo(&out, " on update %s", asc_tolower(on_update, strlen(on_update)));
	return out.data;
}

char *
words_of_definition(const Jsonb *side)
{
	char	   *text = text_in(side, "definition");

	return text ? text : words_of_value(side);
}

char *
words_of_policy(const Jsonb *side)
{
	StringInfoData out;
	char	   *command = text_in(side, "command");

	if (command == NULL)
		return words_of_value(side);
	initStringInfo(&out);
	appendStringInfo(&out, "for %s to %s", asc_tolower(command, strlen(command)), joined_in(side, "roles"));
	append_if(&out, " using %s", text_in(side, "using"));
	append_if(&out, " with check %s", text_in(side, "check"));
	return out.data;
}

char *
words_of_row_security(const Jsonb *side)
{
	bool		enabled = model_bool_in(root_of(side), "enabled", false);
	bool		forced = model_bool_in(root_of(side), "forced", false);

	return pstrdup(!enabled ? forced ? "off, forced" : "off" : forced ? "on, forced" : "on");
}

char *
words_of_generated(const Jsonb *side)
{
	char	   *expression = text_in(side, "expression");
	char	   *generated = text_in(side, "generated");

	return generated ? psprintf("%s as %s", generated, expression ? expression : "?") : words_of_value(side);
}

/* ---------- members ---------- */

static char *
member_words(JsonbValue *v)
{
	if (v == NULL)
		return pstrdup("none");
	if (v->type == jbvBinary && JsonContainerIsArray(v->val.binary.data))
		return words_one_line(joined(v->val.binary.data));
	return words_one_line(model_value_text(v));
}

static void
add_member(List **members, const char *name, JsonbValue *before, JsonbValue *after)
{
	WordsMember *member = palloc(sizeof(WordsMember));

	member->name = pstrdup(name);
	for (char *c = member->name; *c; c++)
		if (*c == '_')
			*c = ' ';
	member->before = member_words(before);
	member->after = member_words(after);
	*members = lappend(*members, member);
}

/* Members of one side, against the other; "first" once for those on both. */
static void
compare_members(List **members, Jsonb *mine, Jsonb *theirs, bool first)
{
	JsonbIterator *it = JsonbIteratorInit(&mine->root);
	JsonbIteratorToken token;
	JsonbValue	v;

	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		char	   *key;
		JsonbValue	other;
		bool		both;

		if (token != WJB_KEY)
			continue;
		key = pnstrdup(v.val.string.val, v.val.string.len);
		(void) JsonbIteratorNext(&it, &v, true);
		both = model_get(theirs, key, &other);
		if (both ? !first || model_value_equal(&v, &other) : false)
			continue;
		add_member(members, key, first ? &v : NULL, first ? (both ? &other : NULL) : &v);
	}
}

List *
words_differing_members(Jsonb *before, Jsonb *after)
{
	List	   *members = NIL;

	if (!JB_ROOT_IS_OBJECT(before) || !JB_ROOT_IS_OBJECT(after))
		return NIL;
	compare_members(&members, before, after, true);
	compare_members(&members, after, before, false);
	return members;
}
