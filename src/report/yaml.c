/*-------------------------------------------------------------------------
 *
 * yaml.c
 *	  A jsonb document as YAML, by libyaml's emitter.
 *
 * Strings that YAML would read as something else are quoted.  libyaml's memory
 * is its own: the emitter is deleted on every way out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <yaml.h>

#include "miscadmin.h"
#include "report/report.h"
#include "report/yaml_out.h"

/* Keys that open an object, in this order; all others follow in jsonb's. */
static const char *const first_keys[] = {
	"format_version", "generated_at", "scanned_at", "connection", "adapter", "baseline", "target", "summary",
	"changes", "kind", "source", "path", "print", "label", "table", "name", "column", "object", "index_name",
	"source_table", "source_column", "target_table", "target_column", "stat", "mechanism", "type", "sql_type",
	"nullable", "columns", "unique", "keys", "before", "after", "delta", "delta_pct"
};

typedef struct YamlOut
{
	yaml_emitter_t emitter;
	StringInfoData out;
} YamlOut;

static int
append(void *data, unsigned char *buffer, size_t size)
{
	appendBinaryStringInfo(&((YamlOut *) data)->out, (char *) buffer, size);
	return 1;
}

static void
emit(YamlOut *yaml, yaml_event_t *event)
{
	if (!yaml_emitter_emit(&yaml->emitter, event))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not write YAML: %s",
						yaml->emitter.problem ? yaml->emitter.problem : "out of memory")));
}

/* Whether a plain scalar would be read as null, a boolean or a number. */
static bool
needs_quotes(const char *text, int length)
{
	static const char *const words[] = {"null", "~", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "="};

	if (length == 0)
		return true;
	for (int i = 0; i < lengthof(words); i++)
		if (strlen(words[i]) == length && pg_strncasecmp(text, words[i], length) == 0)
			return true;
	return strchr("+-.0123456789", text[0]) != NULL;
}

static void
emit_scalar(YamlOut *yaml, const char *text, int length, bool string)
{
	yaml_event_t event;
	yaml_scalar_style_t style = YAML_PLAIN_SCALAR_STYLE;

	if (string && memchr(text, '\n', length) != NULL)
		style = YAML_DOUBLE_QUOTED_SCALAR_STYLE;
	else if (string && needs_quotes(text, length))
		style = YAML_SINGLE_QUOTED_SCALAR_STYLE;
	if (!yaml_scalar_event_initialize(&event, NULL, NULL, (yaml_char_t *) text, length, 1, 1, style))
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	emit(yaml, &event);
}

static void
emit_value(YamlOut *yaml, const JsonbValue *v)
{
	char	   *text;

	switch (v->type)
	{
		case jbvNull:
			emit_scalar(yaml, "null", 4, false);
			break;
		case jbvBool:
			emit_scalar(yaml, v->val.boolean ? "true" : "false", v->val.boolean ? 4 : 5, false);
			break;
		case jbvNumeric:
			text = model_value_text(v);
			emit_scalar(yaml, text, strlen(text), false);
			break;
		default:
			emit_scalar(yaml, v->val.string.val, v->val.string.len, true);
	}
}

static void emit_container(YamlOut *yaml, JsonbContainer *container);

static void
emit_any(YamlOut *yaml, const JsonbValue *v)
{
	if (v->type == jbvBinary)
		emit_container(yaml, v->val.binary.data);
	else
		emit_value(yaml, v);
}

static void
emit_array(YamlOut *yaml, JsonbContainer *array)
{
	yaml_event_t event;

	yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE);
	emit(yaml, &event);
	for (uint32 i = 0; i < JsonContainerSize(array); i++)
		emit_any(yaml, getIthJsonbValueFromContainer(array, i));
	yaml_sequence_end_event_initialize(&event);
	emit(yaml, &event);
}

static bool
is_first_key(const JsonbValue *key)
{
	for (int i = 0; i < lengthof(first_keys); i++)
		if (strlen(first_keys[i]) == key->val.string.len &&
			strncmp(first_keys[i], key->val.string.val, key->val.string.len) == 0)
			return true;
	return false;
}

static void
emit_other_members(YamlOut *yaml, JsonbContainer *object)
{
	JsonbIterator *it = JsonbIteratorInit(object);
	JsonbIteratorToken token;
	JsonbValue	key;
	JsonbValue	v;

	while ((token = JsonbIteratorNext(&it, &key, true)) != WJB_DONE)
	{
		if (token != WJB_KEY)
			continue;
		(void) JsonbIteratorNext(&it, &v, true);
		if (is_first_key(&key))
			continue;
		emit_scalar(yaml, key.val.string.val, key.val.string.len, true);
		emit_any(yaml, &v);
	}
}

static void
emit_object(YamlOut *yaml, JsonbContainer *object)
{
	yaml_event_t event;

	yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE);
	emit(yaml, &event);
	for (int i = 0; i < lengthof(first_keys); i++)
	{
		JsonbValue	v;

		if (!model_get_in(object, first_keys[i], &v))
			continue;
		emit_scalar(yaml, first_keys[i], strlen(first_keys[i]), true);
		emit_any(yaml, &v);
	}
	emit_other_members(yaml, object);
	yaml_mapping_end_event_initialize(&event);
	emit(yaml, &event);
}

static void
emit_container(YamlOut *yaml, JsonbContainer *container)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (JsonContainerIsArray(container))
		emit_array(yaml, container);
	else
		emit_object(yaml, container);
}

static void
emit_document(YamlOut *yaml, Jsonb *document)
{
	yaml_event_t event;

	yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING);
	emit(yaml, &event);
	yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1);
	emit(yaml, &event);
	emit_container(yaml, &document->root);
	yaml_document_end_event_initialize(&event, 1);
	emit(yaml, &event);
	yaml_stream_end_event_initialize(&event);
	emit(yaml, &event);
}

/* The document must be an object or an array. */
char *
report_jsonb_yaml(Jsonb *document)
{
	YamlOut    *yaml = palloc0(sizeof(YamlOut));

	initStringInfo(&yaml->out);
	if (!yaml_emitter_initialize(&yaml->emitter))
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	PG_TRY();
	{
		yaml_emitter_set_output(&yaml->emitter, append, yaml);
		yaml_emitter_set_unicode(&yaml->emitter, 1);
		yaml_emitter_set_width(&yaml->emitter, -1);
		emit_document(yaml, document);
	}
	PG_FINALLY();
	{
		yaml_emitter_delete(&yaml->emitter);
	}
	PG_END_TRY();
	return yaml->out.data;
}

char *
report_yaml(const DiffRun *run)
{
	return report_jsonb_yaml(report_document(run));
}
