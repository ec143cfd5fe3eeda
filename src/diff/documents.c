/*-------------------------------------------------------------------------
 *
 * documents.c
 *	  A print made of documents, so that two can be compared without a
 *	  database behind either.
 *
 * What comes in was written by anybody: the parts that the other files of
 * this room rely on are checked here, once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "diff/documents.h"
#include "miscadmin.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

static void
refuse(int i, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("entry %d of the document is not one of a print", i + 1),
			 errdetail("%s.", what),
			 errhint("An entry is {\"object\": {\"family\", \"schema\", \"name\", \"attributes\", \"parts\"}, \"profile\": {...}, ...}.")));
}

/* ---------- fields of an entry ---------- */

static int64
integer_in(JsonbContainer *entry, int i, const char *key, int64 least, int64 most, int64 otherwise)
{
	JsonbValue	v;
	bool		valid;
	int64		value = 0;

	if (!model_get_in(entry, key, &v))
		return otherwise;
	valid = v.type == jbvNumeric && !numeric_is_nan(v.val.numeric) && !numeric_is_inf(v.val.numeric);
	if (valid)
		value = DatumGetInt64(DirectFunctionCall1(numeric_int8, NumericGetDatum(v.val.numeric)));
	if (!valid || value < least || value > most)
		refuse(i, psprintf("\"%s\" must be an integer from %lld to %lld", key, (long long) least, (long long) most));
	return value;
}

/* One of the words that a letter stands for; what is absent is "otherwise". */
static char
letter_in(JsonbContainer *entry, int i, const char *key, const char *const *words, const char *letters, char otherwise)
{
	char	   *text = model_text_in(entry, key);
	JsonbValue	v;

	if (!model_get_in(entry, key, &v))
		return otherwise;
	for (int w = 0; text != NULL && words[w] != NULL; w++)
		if (strcmp(words[w], text) == 0)
			return letters[w];
	refuse(i, psprintf("\"%s\" is not a word that is known there", key));
	return otherwise;
}

static void
read_attnums(DriftEntry *entry, JsonbContainer *document, int i)
{
	JsonbContainer *list = model_container_in(document, "attnums");

	if (list == NULL || !JsonContainerIsArray(list))
		return;
	entry->attnums = palloc(sizeof(int16) * (JsonContainerSize(list) + 1));
	for (uint32 n = 0; n < JsonContainerSize(list); n++)
	{
		JsonbValue *v = getIthJsonbValueFromContainer(list, n);

		if (v->type != jbvNumeric)
			refuse(i, "\"attnums\" must be a list of integers");
		entry->attnums[entry->nattnums++] = (int16)
			DatumGetInt32(DirectFunctionCall1(numeric_int2, NumericGetDatum(v->val.numeric)));
	}
}

static void
read_measured(DriftEntry *entry, JsonbContainer *document, int i)
{
	static const char *const statuses[] = {"profiled", "skipped", "catalog_only", "failed", "planned", NULL};
	static const char *const methods[] = {"exact", "approximate", NULL};
	JsonbContainer *profile = model_container_in(document, "profile");
	JsonbValue	v;

	if (model_get_in(document, "profile", &v) && (profile == NULL || !JsonContainerIsObject(profile)))
		refuse(i, "\"profile\" must be an object");
	if (profile != NULL)
	{
		entry->profile = model_value_jsonb(&v);
		model_hash(entry->profile, entry->profile_hash);
	}
	entry->status = letter_in(document, i, "status", statuses, "pscfd", profile ? DRIFT_PROFILED : DRIFT_CATALOG_ONLY);
	entry->scoped = model_get_in(profile, "scope", &v);
	entry->count_method = DRIFT_COUNT_NONE;
	if (model_get_in(document, "row_count", &v))
	{
		entry->row_count = integer_in(document, i, "row_count", 0, PG_INT64_MAX, 0);
		entry->count_method = letter_in(document, i, "count_method", methods, "ea", DRIFT_COUNT_EXACT);
	}
	entry->write_mark = integer_in(document, i, "write_mark", PG_INT64_MIN, PG_INT64_MAX, 0);
	entry->profiled_at = DT_NOBEGIN;
}

/* ---------- the object ---------- */

static void
check_object(JsonbContainer *object, int i)
{
	JsonbContainer *parts = model_container_in(object, "parts");
	JsonbValue	v;

	check_stack_depth();
	if (model_text_in(object, "family") == NULL || model_text_in(object, "name") == NULL)
		refuse(i, "Each object and part needs the texts \"family\" and \"name\"");
	if (model_get_in(object, "attributes", &v) && (v.type != jbvBinary || !JsonContainerIsObject(v.val.binary.data)))
		refuse(i, "\"attributes\" must be an object");
	if (model_get_in(object, "parts", &v) && (parts == NULL || !JsonContainerIsArray(parts)))
		refuse(i, "\"parts\" must be a list");
	for (uint32 n = 0; parts != NULL && n < JsonContainerSize(parts); n++)
	{
		JsonbValue *part = getIthJsonbValueFromContainer(parts, n);

		if (part->type != jbvBinary || !JsonContainerIsObject(part->val.binary.data))
			refuse(i, "A part must be an object");
		check_object(part->val.binary.data, i);
	}
}

static void
read_entry(DriftEntry *entry, JsonbValue *value, int i)
{
	JsonbContainer *document;
	JsonbValue	object;

	if (value->type != jbvBinary || !JsonContainerIsObject(value->val.binary.data))
		refuse(i, "It must be an object");
	document = value->val.binary.data;
	if (!model_get_in(document, "object", &object) || object.type != jbvBinary ||
		!JsonContainerIsObject(object.val.binary.data))
		refuse(i, "It must hold an \"object\"");
	check_object(object.val.binary.data, i);
	entry->family = model_text_in(object.val.binary.data, "family");
	entry->schema = model_text_in(object.val.binary.data, "schema");
	entry->name = model_text_in(object.val.binary.data, "name");
	entry->signature = model_text_in(object.val.binary.data, "signature");
	if (model_is_relation_family(entry->family) && entry->schema == NULL)
		refuse(i, "A relation needs its \"schema\"");
	entry->body = model_value_jsonb(&object);
	model_hash(entry->body, entry->hash);
	entry->oid = (Oid) integer_in(document, i, "oid", 0, PG_UINT32_MAX, InvalidOid);
	read_attnums(entry, document, i);
	read_measured(entry, document, i);
}

static void
check_unique(DriftPrint *print)
{
	for (int i = 1; i < print->nentries; i++)
		if (model_compare_identity(&print->entries[i - 1], &print->entries[i]) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_OBJECT),
					 errmsg("%s %s is in the document twice", print->entries[i].family,
							model_entry_name(&print->entries[i]))));
}

DriftPrint *
diff_print_of_documents(Jsonb *entries, const char *label, bool same_database)
{
	DriftPrint *print = palloc0(sizeof(DriftPrint));

	if (!JB_ROOT_IS_ARRAY(entries) || JB_ROOT_IS_SCALAR(entries))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%s\" must be a list of entries", label),
				 errhint("For example [{\"object\": {\"family\": \"table\", \"schema\": \"public\", \"name\": \"orders\"}}].")));
	print->context = CurrentMemoryContext;
	print->label = label;
	print->source = "import";
	print->status = "complete";
	print->system_identifier = same_database;
	print->database = same_database;
	print->nentries = JB_ROOT_COUNT(entries);
	print->entries = palloc0(sizeof(DriftEntry) * (print->nentries + 1));
	for (int i = 0; i < print->nentries; i++)
	{
		CHECK_FOR_INTERRUPTS();
		read_entry(&print->entries[i], getIthJsonbValueFromContainer(&entries->root, i), i);
	}
	qsort(print->entries, print->nentries, sizeof(DriftEntry), model_compare_entries);
	check_unique(print);
	return print;
}
