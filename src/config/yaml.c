/*-------------------------------------------------------------------------
 *
 * yaml.c
 *	  A YAML document as a small tree with places.
 *
 * Built from libyaml's events.  libyaml's memory is its own, so the parser is
 * deleted on every way out.  There are no aliases and so no bombs; depth and
 * size are bounded before anything is allocated for them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <yaml.h>

#include "config/yaml.h"
#include "miscadmin.h"
#include "model/model.h"

#define MAX_DEPTH 32

typedef struct YamlReader
{
	yaml_parser_t parser;
	yaml_event_t event;
	bool		has_event;
} YamlReader;

void
yaml_error(const YamlNode *where, const char *hint, const char *format,...)
{
	StringInfoData message;
	va_list		args;
	int			needed;

	initStringInfo(&message);
	for (;;)
	{
		va_start(args, format);
		needed = appendStringInfoVA(&message, format, args);
		va_end(args);
		if (needed == 0)
			break;
		enlargeStringInfo(&message, needed);
	}
	ereport(ERROR,
			(errcode(ERRCODE_DRIFT_CONFIG),
			 errmsg("line %d, column %d: %s", where->line, where->column, message.data),
			 hint ? errhint("%s", hint) : 0));
}

static YamlNode *
new_node(YamlReader *reader, YamlKind kind)
{
	YamlNode   *node = palloc0(sizeof(YamlNode));

	node->kind = kind;
	node->line = reader->event.start_mark.line + 1;
	node->column = reader->event.start_mark.column + 1;
	return node;
}

static void
drop_event(YamlReader *reader)
{
	if (reader->has_event)
		yaml_event_delete(&reader->event);
	reader->has_event = false;
}

/* libyaml says what it was doing and what was wrong. */
static void
parse_error(YamlReader *reader)
{
	YamlNode	where = {0};

	where.line = reader->parser.problem_mark.line + 1;
	where.column = reader->parser.problem_mark.column + 1;
	if (reader->parser.error == YAML_MEMORY_ERROR)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	yaml_error(&where, "See that lists and maps are indented alike, and put texts with special characters in quotes.",
			   "this is not YAML: %s%s%s", reader->parser.problem ? reader->parser.problem : "unknown problem",
			   reader->parser.context ? " " : "", reader->parser.context ? reader->parser.context : "");
}

static void
next_event(YamlReader *reader)
{
	drop_event(reader);
	CHECK_FOR_INTERRUPTS();
	if (!yaml_parser_parse(&reader->parser, &reader->event))
		parse_error(reader);
	reader->has_event = true;
}

static YamlNode *read_node(YamlReader *reader, int depth);

static void
add_pair(YamlNode *map, YamlNode *key, YamlNode *value)
{
	ListCell   *lc;

	if (key->kind != YAML_TEXT)
		yaml_error(key, NULL, "a key must be a plain text");
	foreach(lc, map->keys)
		if (strcmp(((YamlNode *) lfirst(lc))->text, key->text) == 0)
			yaml_error(key, "Keep one of the two.", "key \"%s\" is here a second time; the first is in line %d",
					   key->text, ((YamlNode *) lfirst(lc))->line);
	map->keys = lappend(map->keys, key);
	map->items = lappend(map->items, value);
}

static YamlNode *
read_map(YamlReader *reader, int depth)
{
	YamlNode   *map = new_node(reader, YAML_MAP);

	for (next_event(reader); reader->event.type != YAML_MAPPING_END_EVENT; next_event(reader))
	{
		YamlNode   *key = read_node(reader, depth);

		next_event(reader);
		add_pair(map, key, read_node(reader, depth));
	}
	return map;
}

static YamlNode *
read_list(YamlReader *reader, int depth)
{
	YamlNode   *list = new_node(reader, YAML_LIST);

	for (next_event(reader); reader->event.type != YAML_SEQUENCE_END_EVENT; next_event(reader))
		list->items = lappend(list->items, read_node(reader, depth));
	return list;
}

/* The node that the current event begins. */
static YamlNode *
read_node(YamlReader *reader, int depth)
{
	YamlNode   *node;

	if (depth > MAX_DEPTH)
		yaml_error(new_node(reader, YAML_TEXT), NULL, "nested more than %d deep", MAX_DEPTH);
	switch (reader->event.type)
	{
		case YAML_SCALAR_EVENT:
			node = new_node(reader, YAML_TEXT);
			if (strlen((char *) reader->event.data.scalar.value) != reader->event.data.scalar.length)
				yaml_error(node, NULL, "a text must not contain a zero byte");
			node->text = pstrdup((char *) reader->event.data.scalar.value);
			node->quoted = reader->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
			return node;
		case YAML_MAPPING_START_EVENT:
			return read_map(reader, depth + 1);
		case YAML_SEQUENCE_START_EVENT:
			return read_list(reader, depth + 1);
		case YAML_ALIAS_EVENT:
			yaml_error(new_node(reader, YAML_TEXT), "Write the value out.", "aliases are not accepted");
		default:
			yaml_error(new_node(reader, YAML_TEXT), NULL, "something that is no value is here");
	}
	return NULL;
}

static YamlNode *
read_document(YamlReader *reader)
{
	YamlNode   *root;

	next_event(reader);			/* the stream */
	next_event(reader);
	if (reader->event.type == YAML_STREAM_END_EVENT)
		return NULL;
	next_event(reader);
	root = read_node(reader, 0);
	next_event(reader);			/* the document's end */
	next_event(reader);
	if (reader->event.type != YAML_STREAM_END_EVENT)
		yaml_error(new_node(reader, YAML_TEXT), "Give one document.", "a second document begins here");
	return root;
}

YamlNode *
yaml_parse(const char *text, Size max_bytes)
{
	YamlReader *reader = palloc0(sizeof(YamlReader));
	YamlNode   *root = NULL;

	if (strlen(text) > max_bytes)
		ereport(ERROR,
				(errcode(ERRCODE_DRIFT_CONFIG),
				 errmsg("the text is %zu bytes long, more than %zu", strlen(text), max_bytes)));
	if (!yaml_parser_initialize(&reader->parser))
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	PG_TRY();
	{
		yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
		yaml_parser_set_input_string(&reader->parser, (const unsigned char *) text, strlen(text));
		root = read_document(reader);
	}
	PG_FINALLY();
	{
		drop_event(reader);
		yaml_parser_delete(&reader->parser);
	}
	PG_END_TRY();
	return root;
}

YamlNode *
yaml_get(const YamlNode *map, const char *key)
{
	if (map == NULL || map->kind != YAML_MAP)
		return NULL;
	for (int i = 0; i < list_length(map->keys); i++)
		if (strcmp(((YamlNode *) list_nth(map->keys, i))->text, key) == 0)
			return list_nth(map->items, i);
	return NULL;
}
