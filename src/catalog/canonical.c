/*-------------------------------------------------------------------------
 *
 * canonical.c
 *	  Deparsed expressions in the form that survives a dump and restore.
 *
 * What ruleutils prints is read back as the same meaning, but not always as
 * the same tree, so the restored object may print differently.  These cases
 * are known, and are brought into their restored form here:
 *
 * 1. A coercion of an array constructor.  The parser turns
 *		(ARRAY['a'::character varying, 'b'::character varying])::text[]
 *	  into coercions of the elements, which print as
 *		ARRAY[('a'::character varying)::text, ('b'::character varying)::text]
 *
 * 2. An AND list (or OR list) as the first operand of another, as it comes
 *	  from BETWEEN, from row comparison and from IN with columns:
 *		(((a >= 1) AND (a <= 2)) AND (b = 3))
 *	  becomes ((a >= 1) AND (a <= 2) AND (b = 3)).
 *
 * 3. A minus before a literal that was cast: (- 5) is read as '-5'::integer.
 *
 * 4. VALUES as a branch of UNION prints as (VALUES ...), and when restored as
 *	  the subquery ( VALUES ...).
 *
 * The text is what ruleutils prints without PRETTYFLAG_PAREN, under
 * search_path = pg_catalog; anything not recognised is left as it is.
 * Known not to be covered: an array constructor over array-valued columns
 * (its elements' types are not in the text) and one coerced to a domain.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/batch.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"

#define NOWHERE (-1)

/* An open bracket, and what has been seen inside it so far. */
typedef struct Frame
{
	int			open;			/* in the output, of the bracket itself */
	char		conjunction;	/* 'A' or 'O' when it is a list of AND or OR */
	int			child_open;		/* of its first child in parentheses, when it */
	int			child_close;	/* begins with one */
	char		child_conjunction;
	int			array_start;	/* of the last ARRAY[...] in it */
	int			array_end;
} Frame;

typedef struct Canonical
{
	const char *in;
	StringInfoData out;
	Frame	   *frames;
	int			nframes;
	int			maxframes;
} Canonical;

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_' || c == '$' || IS_HIGHBIT_SET(c);
}

/* End of $tag$...$tag$ beginning here, or NULL when it is something else. */
static const char *
skip_dollar_quoted(const char *p)
{
	const char *tag_end = p + 1;
	const char *end;
	char	   *tag;

	while (is_name_char(*tag_end) && *tag_end != '$')
		tag_end++;
	if (*tag_end != '$' || (p[1] >= '0' && p[1] <= '9'))
		return NULL;
	tag = pnstrdup(p, tag_end - p + 1);
	end = strstr(tag_end + 1, tag);
	end = end ? end + strlen(tag) : NULL;
	pfree(tag);
	return end;
}

static const char *
skip_quoted(const char *p, char quote, bool backslash)
{
	for (p++; *p; p++)
	{
		if (backslash && *p == '\\' && p[1])
			p++;
		else if (*p == quote)
		{
			if (p[1] != quote)
				return p + 1;
			p++;
		}
	}
	return p;
}

/* End of the token that begins here: a quoted thing, a name, or one character. */
static const char *
skip_token(const char *p)
{
	const char *end;

	if (*p == '\'')
		return skip_quoted(p, '\'', false);
	if (*p == '"')
		return skip_quoted(p, '"', false);
	if ((*p == 'E' || *p == 'e') && p[1] == '\'')
		return skip_quoted(p + 1, '\'', true);
	if (*p == '$' && (end = skip_dollar_quoted(p)) != NULL)
		return end;
	if (is_name_char(*p))
	{
		while (is_name_char(*p))
			p++;
		return p;
	}
	return p + 1;
}

/*
 * The element type of "::type[]" that begins here, or NULL; *end is put
 * behind it.
 */
static char *
parse_array_cast(const char *p, const char **end)
{
	const char *start = p + 2;
	int			depth = 0;

	if (p[0] != ':' || p[1] != ':')
		return NULL;
	for (p = start; *p; p = skip_token(p))
	{
		if (*p == '[')
			break;
		if (*p == '(')
			depth++;
		else if (*p == ')' && --depth < 0)
			return NULL;
		else if (!(is_name_char(*p) || *p == '"' || *p == '.' || *p == ' ' || *p == ')' ||
				   (*p == ',' && depth > 0)))
			return NULL;
	}
	if (p[0] != '[' || p[1] != ']')
		return NULL;
	*end = p + 2;
	return pnstrdup(start, p - start);
}

/* A type without its modifier: "numeric(5,2)" is "numeric". */
static char *
without_modifier(const char *type)
{
	char	   *base = pstrdup(type);
	char	   *open = strchr(base, '(');
	char	   *close = open ? strchr(open, ')') : NULL;

	if (close != NULL && *base != '"')
		memmove(open, close + 1, strlen(close));
	return base;
}

/*
 * What the top level of an element looks like: where its last cast begins,
 * where its COLLATE is when it is "(x COLLATE y)", and whether it is nothing
 * but a literal before the cast.
 */
typedef struct Element
{
	const char *cast;
	const char *collate;
	bool		literal;
} Element;

static Element
look_at_element(const char *text)
{
	Element		element = {NULL, NULL, false};
	int			depth = 0;
	const char *p;

	for (p = text; *p; p = skip_token(p))
	{
		if (*p == '(' || *p == '[')
			depth++;
		else if (*p == ')' || *p == ']')
		{
			depth--;
			if (depth == 0 && p[1] != '\0')
				element.collate = NULL; /* the first group is not the whole */
		}
		else if (depth == 0 && p[0] == ':' && p[1] == ':')
		{
			if (element.cast == NULL)
				element.literal = skip_token(text) == p && (*text == '\'' || *text == 'E');
			else
				element.literal = false;
			element.cast = p++;
		}
		else if (depth == 1 && *text == '(' && strncmp(p, "COLLATE ", 8) == 0)
			element.collate = p;
	}
	return element;
}

static bool
is_number(const char *text, int length, bool *integer)
{
	*integer = strspn(text, "0123456789") == length;
	return *text >= '0' && *text <= '9' && (*integer || strspn(text, "0123456789.eE+-") == length);
}

static void append_array(StringInfo out, const char *array, int length, const char *type);

/* One element of the constructor, coerced as the parser would. */
static void
append_element(StringInfo out, const char *text, const char *type)
{
	Element		element;
	bool		integer;

	check_stack_depth();
	if (strncmp(text, "ARRAY[", 6) == 0)
	{
		append_array(out, text, strlen(text), type);
		return;
	}
	element = look_at_element(text);
	if (element.cast != NULL && strcmp(element.cast + 2, type) == 0)
		appendStringInfoString(out, text);
	else if (element.literal && strcmp(element.cast + 2, without_modifier(type)) == 0)
		appendStringInfo(out, "%.*s::%s", (int) (element.cast - text), text, type);
	else if (strncmp(type, "numeric(", 8) == 0 && is_number(text, strlen(text), &integer) && !integer)
		appendStringInfo(out, "%s::%s", text, type);
	else if (element.collate != NULL)
	{
		appendStringInfoChar(out, '(');
		append_element(out, pnstrdup(text + 1, element.collate - text - 2), type);
		appendStringInfo(out, " %s", element.collate);
	}
	else
		appendStringInfo(out, "(%s)::%s", text, type);
}

/* "ARRAY[a, b]" with every element coerced. */
static void
append_array(StringInfo out, const char *array, int length, const char *type)
{
	char	   *text = pnstrdup(array, length);
	char	   *start = text + 6;
	int			depth = 0;
	char	   *p;

	check_stack_depth();
	appendStringInfoString(out, "ARRAY[");
	for (p = start; *p; p = (char *) skip_token(p))
	{
		if (*p == '(' || *p == '[')
			depth++;
		else if (depth > 0 && (*p == ')' || *p == ']'))
			depth--;
		else if (depth == 0 && (*p == ',' || *p == ']'))
		{
			bool		last = *p == ']';

			*p = '\0';
			append_element(out, start, type);
			if (last)
				break;
			appendStringInfoString(out, ", ");
			start = p[1] == ' ' ? p + 2 : p + 1;
			p = start - 1;
		}
	}
	appendStringInfoChar(out, ']');
	pfree(text);
}

static Frame *
push_frame(Canonical *c, int open)
{
	Frame	   *frame;

	if (c->nframes == c->maxframes)
	{
		c->maxframes = Max(32, c->maxframes * 2);
		c->frames = c->frames ? repalloc(c->frames, sizeof(Frame) * c->maxframes) :
			palloc(sizeof(Frame) * c->maxframes);
	}
	frame = &c->frames[c->nframes++];
	frame->open = open;
	frame->conjunction = '\0';
	frame->child_open = NOWHERE;
	frame->child_conjunction = '\0';
	frame->array_start = NOWHERE;
	return frame;
}

/* The group that ends here holds nothing but ARRAY[...] and is cast to an array type. */
static const char *
close_array_cast(Canonical *c, Frame *frame, const char *p)
{
	int			length = c->out.len - frame->open - 1;
	const char *end;
	char	   *type;
	char	   *array;

	if (*p != ')' || frame->array_start != frame->open + 1 || frame->array_end != c->out.len ||
		(frame->open > 0 && is_name_char(c->out.data[frame->open - 1])))
		return NULL;
	type = parse_array_cast(p + 1, &end);
	if (type == NULL)
		return NULL;
	array = pnstrdup(c->out.data + frame->array_start, length);
	c->out.len = frame->open;
	c->out.data[c->out.len] = '\0';
	append_array(&c->out, array, length, type);
	pfree(array);
	pfree(type);
	return end;
}

/*
 * The group that ends at p is "(- 5)", a constant when it is read again, or
 * "(- (- 5))".  Only integer and numeric constants print without quotes.
 */
static bool
close_negation(Canonical *c, Frame *frame, const char *p)
{
	char	   *number = c->out.data + frame->open + 3;
	bool		again = strncmp(c->out.data + frame->open, "(- '-", 5) == 0 && p[-1] == ')';
	int			length;
	bool		integer;

	if (strncmp(c->out.data + frame->open, "(- ", 3) != 0)
		return false;
	number += again ? 2 : 0;
	length = again ? strcspn(number, "'") : strlen(number);
	if (!is_number(number, length, &integer))
		return false;
	number = pnstrdup(number, length);
	c->out.len = frame->open;
	if (again || strspn(number, "0.") == length)
		appendStringInfoString(&c->out, number);
	else
		appendStringInfo(&c->out, "'-%s'::%s", number, integer ? "integer" : "numeric");
	pfree(number);
	return true;
}

/* "('-1.5'::numeric)::numeric(5,1)" is a constant of that type and modifier. */
static bool
close_constant_cast(Canonical *c, Frame *frame, const char *p)
{
	static const char label[] = "'::numeric";
	char	   *content = c->out.data + frame->open + 1;
	int			length = c->out.len - frame->open - 1;
	int			quoted = length - strlen(label) + 1;

	if (strncmp(p, ")::numeric(", 11) != 0 || quoted < 2 || *content != '\'' ||
		skip_token(content) != content + quoted || strcmp(content + quoted - 1, label) != 0)
		return false;
	memmove(content - 1, content, quoted);
	c->out.len = frame->open + quoted;
	c->out.data[c->out.len] = '\0';
	return true;
}

/* A closing bracket at p; returns where to read on. */
static const char *
close_frame(Canonical *c, const char *p)
{
	Frame		frame = c->frames[c->nframes - 1];
	Frame	   *parent = &c->frames[c->nframes - 2];
	const char *end;

	c->nframes--;
	if (*p == ')' && (close_negation(c, &frame, p) || close_constant_cast(c, &frame, p)))
		return p + 1;
	end = close_array_cast(c, &frame, p);
	if (end != NULL)
	{
		parent->array_start = frame.open;
		parent->array_end = c->out.len;
		return end;
	}
	appendStringInfoChar(&c->out, *p);
	if (*p == ']' && frame.open >= 5 && strncmp(c->out.data + frame.open - 5, "ARRAY", 5) == 0)
	{
		parent->array_start = frame.open - 5;
		parent->array_end = c->out.len;
	}
	else if (*p == ')' && frame.open == parent->open + 1)
	{
		parent->child_open = frame.open;
		parent->child_close = c->out.len - 1;
		parent->child_conjunction = frame.conjunction;
	}
	return p + 1;
}

/* AND or OR at the level of a frame: its first operand may dissolve in it. */
static void
see_conjunction(Canonical *c, char conjunction)
{
	Frame	   *frame = &c->frames[c->nframes - 1];
	char	   *data = c->out.data;

	frame->conjunction = conjunction;
	if (frame->child_open == NOWHERE || frame->child_conjunction != conjunction ||
		frame->child_close != c->out.len - 2 || data[c->out.len - 1] != ' ')
		return;
	memmove(data + frame->child_close, data + frame->child_close + 1, c->out.len - frame->child_close);
	memmove(data + frame->child_open, data + frame->child_open + 1, c->out.len - 1 - frame->child_open);
	c->out.len -= 2;
	frame->child_open = NOWHERE;
	frame->array_start = NOWHERE;
}

static bool
may_need_rewriting(const char *text)
{
	return strstr(text, "])::") != NULL || strstr(text, "(- ") != NULL ||
		strstr(text, "(VALUES ") != NULL ||
		((strstr(text, ") AND ") != NULL || strstr(text, ") OR ") != NULL) && strstr(text, "((") != NULL);
}

/* Returns its argument when there is nothing to rewrite. */
char *
catalog_canonical_expression(char *deparsed)
{
	Canonical	c = {0};
	const char *p = deparsed;

	if (deparsed == NULL || !may_need_rewriting(deparsed))
		return deparsed;
	initStringInfo(&c.out);
	push_frame(&c, NOWHERE);
	while (*p)
	{
		const char *end = skip_token(p);

		if (*p == '(' || *p == '[')
			push_frame(&c, c.out.len);
		else if ((*p == ')' || *p == ']') && c.nframes > 1)
		{
			p = close_frame(&c, p);
			continue;
		}
		else if (end - p == 3 && strncmp(p, "AND", 3) == 0)
			see_conjunction(&c, 'A');
		else if (end - p == 2 && strncmp(p, "OR", 2) == 0)
			see_conjunction(&c, 'O');
		else if (end - p == 6 && strncmp(p, "VALUES", 6) == 0 &&
				 c.frames[c.nframes - 1].open == c.out.len - 1)
			appendStringInfoChar(&c.out, ' ');
		appendBinaryStringInfo(&c.out, p, end - p);
		p = end;
	}
	return c.out.data;
}

/*
 * What pg_get_expr() prints for a list of expressions, one by one and in
 * canonical form.
 */
List *
catalog_split_expressions(char *deparsed)
{
	List	   *expressions = NIL;
	char	   *start = pstrdup(deparsed);
	int			depth = 0;
	char	   *p;

	for (p = start; *p; p = (char *) skip_token(p))
	{
		if (*p == '(' || *p == '[')
			depth++;
		else if (*p == ')' || *p == ']')
			depth--;
		else if (depth == 0 && *p == ',')
		{
			*p = '\0';
			expressions = lappend(expressions, catalog_canonical_expression(start));
			start = p[1] == ' ' ? p + 2 : p + 1;
			p = start - 1;
		}
	}
	return lappend(expressions, catalog_canonical_expression(start));
}
