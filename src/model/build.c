/*-------------------------------------------------------------------------
 *
 * build.c
 *	  Building and reading the jsonb documents that objects travel in.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "model/model.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

static void
push_scalar(ModelBuilder *b, JsonbIteratorToken token, JsonbValue *value)
{
	b->result = pushJsonbValue(&b->state, token, value);
}

static JsonbValue
text_value(const char *text)
{
	JsonbValue	v;

	v.type = jbvString;
	v.val.string.val = (char *) text;
	v.val.string.len = strlen(text);
	return v;
}

void
model_object_begin(ModelBuilder *b)
{
	b->result = pushJsonbValue(&b->state, WJB_BEGIN_OBJECT, NULL);
}

void
model_object_end(ModelBuilder *b)
{
	b->result = pushJsonbValue(&b->state, WJB_END_OBJECT, NULL);
}

void
model_array_begin(ModelBuilder *b)
{
	b->result = pushJsonbValue(&b->state, WJB_BEGIN_ARRAY, NULL);
}

void
model_array_end(ModelBuilder *b)
{
	b->result = pushJsonbValue(&b->state, WJB_END_ARRAY, NULL);
}

void
model_key(ModelBuilder *b, const char *key)
{
	JsonbValue	v = text_value(key);

	push_scalar(b, WJB_KEY, &v);
}

/* Put a value under a key; the value may be a container. */
void
model_put_value(ModelBuilder *b, const char *key, JsonbValue *value)
{
	if (value == NULL)
		return;
	model_key(b, key);
	push_scalar(b, WJB_VALUE, value);
}

void
model_put_text(ModelBuilder *b, const char *key, const char *value)
{
	JsonbValue	v;

	if (value == NULL)
		return;
	v = text_value(value);
	model_put_value(b, key, &v);
}

void
model_put_bool(ModelBuilder *b, const char *key, bool value)
{
	JsonbValue	v;

	v.type = jbvBool;
	v.val.boolean = value;
	model_put_value(b, key, &v);
}

/* Flags are present only when they are set. */
void
model_put_true(ModelBuilder *b, const char *key, bool value)
{
	if (value)
		model_put_bool(b, key, true);
}

void
model_put_null(ModelBuilder *b, const char *key)
{
	JsonbValue	v;

	v.type = jbvNull;
	model_put_value(b, key, &v);
}

void
model_put_numeric(ModelBuilder *b, const char *key, Datum numeric)
{
	JsonbValue	v;

	v.type = jbvNumeric;
	v.val.numeric = DatumGetNumeric(numeric);
	model_put_value(b, key, &v);
}

void
model_put_int(ModelBuilder *b, const char *key, int64 value)
{
	model_put_numeric(b, key, NumericGetDatum(int64_to_numeric(value)));
}

/* Not-a-number and infinities have no place in JSON and are put as text. */
void
model_put_float(ModelBuilder *b, const char *key, double value)
{
	if (isnan(value) || isinf(value))
		model_put_text(b, key, isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
	else
		model_put_numeric(b, key, DirectFunctionCall1(float8_numeric, Float8GetDatum(value)));
}

/*
 * A jsonb document as one value; a scalar document becomes the scalar.  The
 * value points into the document.
 */
static void
jsonb_to_value(Jsonb *document, JsonbValue *value)
{
	if (JB_ROOT_IS_SCALAR(document))
		*value = *getIthJsonbValueFromContainer(&document->root, 0);
	else
	{
		value->type = jbvBinary;
		value->val.binary.data = &document->root;
		value->val.binary.len = VARSIZE(document) - VARHDRSZ;
	}
}

void
model_put_jsonb(ModelBuilder *b, const char *key, Jsonb *value)
{
	JsonbValue	v;

	if (value == NULL)
		return;
	jsonb_to_value(value, &v);
	model_put_value(b, key, &v);
}

/* A list of C strings as an array; an empty or NIL list is put as nothing. */
void
model_put_texts(ModelBuilder *b, const char *key, List *values)
{
	ListCell   *lc;

	if (values == NIL)
		return;
	model_key(b, key);
	model_array_begin(b);
	foreach(lc, values)
		model_add_text(b, (const char *) lfirst(lc));
	model_array_end(b);
}

void
model_add_text(ModelBuilder *b, const char *value)
{
	JsonbValue	v;

	if (value == NULL)
		v.type = jbvNull;
	else
		v = text_value(value);
	push_scalar(b, WJB_ELEM, &v);
}

void
model_add_jsonb(ModelBuilder *b, Jsonb *value)
{
	JsonbValue	v;

	jsonb_to_value(value, &v);
	push_scalar(b, WJB_ELEM, &v);
}

/* A finished builder's result as an element, without making bytes of it. */
void
model_add_value(ModelBuilder *b, JsonbValue *value)
{
	push_scalar(b, WJB_ELEM, value);
}

Jsonb *
model_finish(ModelBuilder *b)
{
	return JsonbValueToJsonb(b->result);
}

/* ---------- reading ---------- */

bool
model_get_in(JsonbContainer *object, const char *key, JsonbValue *value)
{
	if (object == NULL || !JsonContainerIsObject(object))
		return false;
	return getKeyJsonValueFromContainer(object, key, strlen(key), value) != NULL;
}

bool
model_get(Jsonb *object, const char *key, JsonbValue *value)
{
	return object != NULL && model_get_in(&object->root, key, value);
}

char *
model_text_in(JsonbContainer *object, const char *key)
{
	JsonbValue	v;

	if (!model_get_in(object, key, &v) || v.type != jbvString)
		return NULL;
	return pnstrdup(v.val.string.val, v.val.string.len);
}

char *
model_get_text(Jsonb *object, const char *key)
{
	return object == NULL ? NULL : model_text_in(&object->root, key);
}

bool
model_bool_in(JsonbContainer *object, const char *key, bool otherwise)
{
	JsonbValue	v;

	if (!model_get_in(object, key, &v) || v.type != jbvBool)
		return otherwise;
	return v.val.boolean;
}

JsonbContainer *
model_container_in(JsonbContainer *object, const char *key)
{
	JsonbValue	v;

	if (!model_get_in(object, key, &v) || v.type != jbvBinary)
		return NULL;
	return v.val.binary.data;
}

/* A copy of the value as a document of its own; NULL for NULL. */
Jsonb *
model_value_jsonb(const JsonbValue *value)
{
	return value == NULL ? NULL : JsonbValueToJsonb((JsonbValue *) value);
}

/* Text of a string as it is, of anything else as JSON. */
char *
model_value_text(const JsonbValue *value)
{
	if (value->type == jbvString)
		return pnstrdup(value->val.string.val, value->val.string.len);
	return model_jsonb_text(model_value_jsonb(value));
}

bool
model_value_equal(const JsonbValue *a, const JsonbValue *b)
{
	Jsonb	   *ja;
	Jsonb	   *jb;

	if (a == NULL || b == NULL)
		return a == b;
	if (a->type != b->type)
		return false;
	if (a->type == jbvString)
		return a->val.string.len == b->val.string.len &&
			memcmp(a->val.string.val, b->val.string.val, a->val.string.len) == 0;
	if (a->type == jbvBinary)
		return a->val.binary.len == b->val.binary.len &&
			memcmp(a->val.binary.data, b->val.binary.data, a->val.binary.len) == 0;
	ja = model_value_jsonb(a);
	jb = model_value_jsonb(b);
	return compareJsonbContainers(&ja->root, &jb->root) == 0;
}

Jsonb *
model_text_jsonb(const char *text)
{
	JsonbValue	v;

	if (text == NULL)
		return NULL;
	v = text_value(text);
	return JsonbValueToJsonb(&v);
}

Jsonb *
model_int_jsonb(int64 value)
{
	JsonbValue	v;

	v.type = jbvNumeric;
	v.val.numeric = int64_to_numeric(value);
	return JsonbValueToJsonb(&v);
}

char *
model_jsonb_text(Jsonb *value)
{
	return JsonbToCString(NULL, &value->root, VARSIZE(value));
}
