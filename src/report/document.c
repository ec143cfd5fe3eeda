/*-------------------------------------------------------------------------
 *
 * document.c
 *	  A diff as the document of dbprint v1, section 2.6.
 *
 * Each kind's fields are those of section 2.6.6; our own kinds carry table,
 * column, object, before and after.  Nothing is filtered.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "report/report.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

typedef void (*FieldWriter) (ModelBuilder *b, const DriftChange *change);

static void write_added_table(ModelBuilder *b, const DriftChange *change);
static void write_nothing(ModelBuilder *b, const DriftChange *change);
static void write_added_column(ModelBuilder *b, const DriftChange *change);
static void write_values(ModelBuilder *b, const DriftChange *change);
static void write_statistic(ModelBuilder *b, const DriftChange *change);
static void write_row_count(ModelBuilder *b, const DriftChange *change);
static void write_index(ModelBuilder *b, const DriftChange *change);
static void write_comment(ModelBuilder *b, const DriftChange *change);
static void write_relationship(ModelBuilder *b, const DriftChange *change);

/* What a kind carries beyond kind, table and column. */
static const struct
{
	const char *kind;
	FieldWriter write;
}			writers[] =
{
	{"table_added", write_added_table},
	{"table_removed", write_nothing},
	{"column_added", write_added_column},
	{"column_removed", write_nothing},
	{"statistic_changed", write_statistic},
	{"table_row_count_changed", write_row_count},
	{"index_added", write_index},
	{"index_removed", write_index},
	{"index_modified", write_index},
	{"comment_changed", write_comment},
	{"relationship_added", write_relationship},
	{"relationship_removed", write_relationship},
	{"relationship_modified", write_relationship}
};

static void
write_nothing(ModelBuilder *b, const DriftChange *change)
{
}

static void
put_or_null(ModelBuilder *b, const char *key, Jsonb *value)
{
	if (value == NULL)
		model_put_null(b, key);
	else
		model_put_jsonb(b, key, value);
}

static void
write_added_table(ModelBuilder *b, const DriftChange *change)
{
	model_put_jsonb(b, "type", change->after);
}

static void
write_added_column(ModelBuilder *b, const DriftChange *change)
{
	model_put_text(b, "sql_type", model_get_text(change->after, "type"));
	model_put_bool(b, "nullable", model_bool_in(&change->after->root, "nullable", true));
}

static void
write_values(ModelBuilder *b, const DriftChange *change)
{
	model_put_text(b, "object", change->object_name);
	put_or_null(b, "before", change->before);
	put_or_null(b, "after", change->after);
}

static void
put_number(ModelBuilder *b, const char *key, double value)
{
	model_put_numeric(b, key, DirectFunctionCall3(numeric_in, CStringGetDatum(float8out_internal(value)),
												  ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

static void
write_statistic(ModelBuilder *b, const DriftChange *change)
{
	model_put_text(b, "stat", change->stat);
	put_or_null(b, "before", change->before);
	put_or_null(b, "after", change->after);
	if (change->has_delta)
		put_number(b, "delta", change->delta);
	if (change->has_delta_pct)
		put_number(b, "delta_pct", change->delta_pct);
}

static void
put_member(ModelBuilder *b, const char *key, Jsonb *object, const char *member)
{
	JsonbValue	v;

	if (object != NULL && model_get(object, member, &v))
		model_put_value(b, key, &v);
}

static void
write_row_count(ModelBuilder *b, const DriftChange *change)
{
	put_member(b, "before", change->before, "row_count");
	put_member(b, "after", change->after, "row_count");
	put_number(b, "delta", change->delta);
	put_member(b, "before_method", change->before, "method");
	put_member(b, "after_method", change->after, "method");
}

static void
write_index(ModelBuilder *b, const DriftChange *change)
{
	model_put_text(b, "index_name", change->object_name);
	if (change->before != NULL && change->after != NULL)
	{
		model_put_jsonb(b, "before", change->before);
		model_put_jsonb(b, "after", change->after);
	}
	else if (change->after != NULL)
	{
		put_member(b, "columns", change->after, "columns");
		put_member(b, "unique", change->after, "unique");
		put_member(b, "type", change->after, "type");
		model_put_jsonb(b, "definition", change->after);
	}
}

static void
write_comment(ModelBuilder *b, const DriftChange *change)
{
	model_put_text(b, "target", change->column_name ? "column" : "table");
	put_or_null(b, "before", change->before);
	put_or_null(b, "after", change->after);
}

/* {before, after} of an action where it moved; null where there was none. */
static void
put_action(ModelBuilder *b, const char *action, const DriftChange *change)
{
	char	   *was = model_get_text(change->before, action);
	char	   *is = model_get_text(change->after, action);

	if (was == is || (was && is && strcmp(was, is) == 0))
		return;
	model_key(b, action);
	model_object_begin(b);
	put_or_null(b, "before", model_text_jsonb(was));
	put_or_null(b, "after", model_text_jsonb(is));
	model_object_end(b);
}

static void
write_relationship(ModelBuilder *b, const DriftChange *change)
{
	Jsonb	   *known = change->after ? change->after : change->before;

	model_put_text(b, "source_table", change->relation);
	put_member(b, "source_column", known, "columns");
	put_member(b, "target_table", known, "target");
	put_member(b, "target_column", known, "target_columns");
	if (change->before != NULL && change->after != NULL)
	{
		put_action(b, "on_delete", change);
		put_action(b, "on_update", change);
		model_put_jsonb(b, "before", change->before);
		model_put_jsonb(b, "after", change->after);
	}
	else if (change->after != NULL)
	{
		put_member(b, "on_delete", known, "on_delete");
		put_member(b, "on_update", known, "on_update");
		put_member(b, "detection", known, "detection");
	}
}

static FieldWriter
writer_of(const char *kind)
{
	for (int i = 0; i < lengthof(writers); i++)
		if (strcmp(writers[i].kind, kind) == 0)
			return writers[i].write;
	return write_values;
}

static void
add_change(ModelBuilder *b, const DriftChange *change)
{
	FieldWriter write = writer_of(change->kind);

	model_object_begin(b);
	model_put_text(b, "kind", change->kind);
	if (write != write_relationship)
		model_put_text(b, model_is_relation_family(change->family) ? "table" : "name", change->relation);
	model_put_text(b, "column", change->column_name);
	write(b, change);
	model_object_end(b);
}

/* UTC, ISO 8601, whole seconds. */
static char *
utc(TimestampTz at)
{
	struct pg_tm tm;
	fsec_t		fsec;

	if (timestamp2tm(at, NULL, &tm, &fsec, NULL, NULL) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE), errmsg("timestamp out of range")));
	return psprintf("%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour,
					tm.tm_min, tm.tm_sec);
}

static void
put_print(ModelBuilder *b, const char *key, const DriftPrint *print, const char *time_key)
{
	model_key(b, key);
	model_object_begin(b);
	model_put_text(b, "source", print->id == 0 ? "live_database" : "committed_prints");
	if (print->id != 0)
	{
		model_put_text(b, "path", psprintf("prints/%s/", print->database_name));
		model_put_text(b, "dbprint_version", DRIFTPRINT_VERSION);
	}
	if (print->id != 0)
		model_put_int(b, "print", print->id);
	if (print->id != 0)
		model_put_text(b, "label", print->label);
	model_put_text(b, time_key, utc(print->taken_at));
}

static void
put_patterns(ModelBuilder *b, const char *key, List *patterns)
{
	ListCell   *lc;

	model_key(b, key);
	model_array_begin(b);
	foreach(lc, patterns)
		model_add_text(b, lfirst(lc));
	model_array_end(b);
}

static void
put_summary(ModelBuilder *b, const DiffSummary *summary)
{
	model_key(b, "summary");
	model_object_begin(b);
	for (int i = 0; i < diff_ncounters; i++)
		if (strcmp(diff_counters[i].name, "tables_scanned") != 0)
			model_put_int(b, diff_counters[i].name, *(int64 *) ((char *) summary + diff_counters[i].offset));
	model_object_end(b);
}

Jsonb *
report_document(const DiffRun *run)
{
	ModelBuilder b = {0};
	ListCell   *lc;

	model_object_begin(&b);
	model_put_int(&b, "format_version", 1);
	model_put_text(&b, "generated_at", utc(GetCurrentTimestamp()));
	model_put_text(&b, "connection", run->target->database_name);
	model_put_text(&b, "adapter", "driftprint");
	put_print(&b, "baseline", run->baseline, "generated_at");
	model_object_end(&b);
	put_print(&b, "target", run->target, "scanned_at");
	model_key(&b, "selectors");
	model_object_begin(&b);
	put_patterns(&b, "include", run->options.include);
	put_patterns(&b, "exclude", run->options.exclude);
	model_object_end(&b);
	model_put_int(&b, "tables_scanned", run->summary.tables_scanned);
	model_object_end(&b);
	put_summary(&b, &run->summary);
	model_key(&b, "changes");
	model_array_begin(&b);
	foreach(lc, run->changes)
		add_change(&b, lfirst(lc));
	model_array_end(&b);
	model_object_end(&b);
	return model_finish(&b);
}

char *
report_json(const DiffRun *run)
{
	Jsonb	   *document = report_document(run);

	return JsonbToCStringIndent(NULL, &document->root, VARSIZE(document));
}
