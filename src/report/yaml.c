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

static void
emit_token(YamlOut *yaml, JsonbIteratorToken token, const JsonbValue *v)
{
	yaml_event_t event;

	switch (token)
	{
		case WJB_BEGIN_OBJECT:
			yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE);
			emit(yaml, &event);
			break;
		case WJB_END_OBJECT:
			yaml_mapping_end_event_initialize(&event);
			emit(yaml, &event);
			break;
		case WJB_BEGIN_ARRAY:
			if (v->val.array.rawScalar)
				break;
			yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE);
			emit(yaml, &event);
			break;
		case WJB_END_ARRAY:
			yaml_sequence_end_event_initialize(&event);
			emit(yaml, &event);
			break;
		default:
			emit_value(yaml, v);
	}
}

static void
emit_document(YamlOut *yaml, Jsonb *document)
{
	JsonbIterator *it = JsonbIteratorInit(&document->root);
	JsonbIteratorToken token;
	JsonbValue	v;
	yaml_event_t event;

	yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING);
	emit(yaml, &event);
	yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1);
	emit(yaml, &event);
	while ((token = JsonbIteratorNext(&it, &v, false)) != WJB_DONE)
	{
		CHECK_FOR_INTERRUPTS();
		if (token == WJB_KEY)
			emit_scalar(yaml, v.val.string.val, v.val.string.len, true);
		else
			emit_token(yaml, token, &v);
	}
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
