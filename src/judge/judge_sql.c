/*-------------------------------------------------------------------------
 *
 * judge_sql.c
 *	  drift_check(), drift_exit_code(), drift_gate(), drift_freshness().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "config/config.h"
#include "fmgr.h"
#include "funcapi.h"
#include "judge/judge.h"
#include "judge/judge_internal.h"
#include "print/print.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(drift_check);
PG_FUNCTION_INFO_V1(drift_exit_code);
PG_FUNCTION_INFO_V1(drift_gate);
PG_FUNCTION_INFO_V1(drift_freshness);

static const struct
{
	const char *name;
	JudgeDepth	depth;
}			depths[] =
{
	{"print", JUDGE_PRINT},
	{"catalog", JUDGE_CATALOG},
	{"data", JUDGE_DATA}
};

/* What a gate raises for each code. */
static const struct
{
	JudgeCode	code;
	int			sqlstate;
	const char *message;
}			gate_errors[] =
{
	{JUDGE_GENERIC, ERRCODE_DRIFT_NO_PRINT, "the print cannot be checked"},
	{JUDGE_STALE, ERRCODE_DRIFT_STALE, "the print is stale"},
	{JUDGE_DRIFT, ERRCODE_DRIFT_DRIFT, "the database has drifted from its print"},
	{JUDGE_PARTIAL, ERRCODE_DRIFT_PARTIAL, "some relations could not be read"},
	{JUDGE_ASSERTION, ERRCODE_DRIFT_ASSERTION, "an assertion failed"},
	{JUDGE_TOTAL_FAILURE, ERRCODE_DRIFT_TOTAL_FAILURE, "no relation could be read"}
};

static JudgeDepth
depth_argument(FunctionCallInfo fcinfo, int n)
{
	char	   *name = PG_ARGISNULL(n) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(n));

	for (int i = 0; name != NULL && i < lengthof(depths); i++)
		if (strcmp(name, depths[i].name) == 0)
			return depths[i].depth;
	ereport(ERROR,
			(errcode(name ? ERRCODE_INVALID_PARAMETER_VALUE : ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 name ? errmsg("depth \"%s\" is not known", name) : errmsg("\"depth\" must not be null"),
			 errhint("Use print (stored prints only), catalog (and the live catalogs) or data (and rows).")));
	return JUDGE_PRINT;
}

static int
max_age_argument(FunctionCallInfo fcinfo, int n)
{
	if (PG_ARGISNULL(n))
		return -1;
	if (PG_GETARG_INT32(n) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"max_age\" must not be negative"),
				 errhint("It is a number of days; 0 means that no print is fresh.")));
	return PG_GETARG_INT32(n);
}

static char *
print_argument(FunctionCallInfo fcinfo, int n, const char *what)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("\"%s\" must not be null", what),
				 errhint("Name a print: latest, live, an id or a label.")));
	return text_to_cstring(PG_GETARG_TEXT_PP(n));
}

/* depth, baseline, max_age, include, exclude. */
static void
read_options(FunctionCallInfo fcinfo, JudgeOptions *options)
{
	options->depth = depth_argument(fcinfo, 0);
	options->baseline = print_argument(fcinfo, 1, "baseline");
	options->max_age_days = max_age_argument(fcinfo, 2);
	options->include = PG_ARGISNULL(3) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(3), "include");
	options->exclude = PG_ARGISNULL(4) ? NIL : model_text_list(PG_GETARG_ARRAYTYPE_P(4), "exclude");
	if (strcmp(options->baseline, "live") == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a check needs a stored print as its baseline"),
				 errhint("Use latest, an id or a label.")));
}

static void
emit(ReturnSetInfo *rsinfo, const JudgeFinding *finding)
{
	const char *texts[7] = {finding->severity, finding->kind, finding->relation, finding->object,
	finding->before, finding->after, finding->detail};
	Datum		values[8];
	bool		nulls[8] = {false};

	values[0] = Int32GetDatum(finding->code);
	for (int i = 0; i < lengthof(texts); i++)
	{
		nulls[i + 1] = texts[i] == NULL;
		values[i + 1] = texts[i] ? CStringGetTextDatum(texts[i]) : (Datum) 0;
	}
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

Datum
drift_check(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	JudgeOptions options;
	ListCell   *lc;
	List	   *findings;

	InitMaterializedSRF(fcinfo, 0);
	read_options(fcinfo, &options);
	findings = judge_check(&options);
	foreach(lc, findings)
		emit(rsinfo, lfirst(lc));
	return (Datum) 0;
}

/*
 * Codes instead of errors for what a code stands for; a wrong argument is
 * still an error.
 */
Datum
drift_exit_code(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	JudgeOptions options;
	JudgeCode	code = JUDGE_HOLDS;

	read_options(fcinfo, &options);
	PG_TRY();
	{
		code = judge_worst(judge_check(&options));
	}
	PG_CATCH();
	{
		int			sqlstate = geterrcode();

		if (sqlstate != ERRCODE_DRIFT_NO_PRINT && sqlstate != ERRCODE_DRIFT_FORMAT)
			PG_RE_THROW();
		MemoryContextSwitchTo(caller);
		FlushErrorState();
		code = JUDGE_GENERIC;
	}
	PG_END_TRY();
	PG_RETURN_INT32(code);
}

static bool
is_schema_finding(const JudgeFinding *finding)
{
	return !(finding->code == JUDGE_DRIFT && strcmp(finding->severity, "warning") == 0);
}

static List *
without_data_movement(List *findings)
{
	List	   *kept = NIL;
	ListCell   *lc;

	foreach(lc, findings)
		if (is_schema_finding(lfirst(lc)))
			kept = lappend(kept, lfirst(lc));
	return kept;
}

static bool
severity_argument(FunctionCallInfo fcinfo, int n)
{
	char	   *name = PG_ARGISNULL(n) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(n));

	if (name == NULL || (strcmp(name, "all") != 0 && strcmp(name, "schema") != 0))
		ereport(ERROR,
				(errcode(name ? ERRCODE_INVALID_PARAMETER_VALUE : ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 name ? errmsg("severity \"%s\" is not known", name) : errmsg("\"severity\" must not be null"),
				 errhint("Use all, or schema to let data movement pass.")));
	return strcmp(name, "schema") == 0;
}

static int
count_code(List *findings, JudgeCode code)
{
	int			n = 0;
	ListCell   *lc;

	foreach(lc, findings)
		n += ((JudgeFinding *) lfirst(lc))->code == code;
	return n;
}

Datum
drift_gate(PG_FUNCTION_ARGS)
{
	JudgeOptions options;
	List	   *findings;
	JudgeCode	code;
	JudgeFinding *first = NULL;
	ListCell   *lc;
	bool		schema_only;

	read_options(fcinfo, &options);
	schema_only = severity_argument(fcinfo, 5);
	findings = judge_check(&options);
	if (schema_only)
		findings = without_data_movement(findings);
	code = judge_worst(findings);
	if (code == JUDGE_HOLDS)
		PG_RETURN_VOID();
	foreach(lc, findings)
		if (((JudgeFinding *) lfirst(lc))->code == code)
		{
			first = lfirst(lc);
			break;
		}
	for (int i = 0; i < lengthof(gate_errors); i++)
		if (gate_errors[i].code == code)
			ereport(ERROR,
					(errcode(gate_errors[i].sqlstate),
					 errmsg("%s: %d findings", gate_errors[i].message, count_code(findings, code)),
					 errdetail("First: %s %s%s%s.", first->kind, first->relation,
							   first->object ? " " : "", first->object ? first->object : ""),
					 errhint("See SELECT * FROM drift_check().")));
	PG_RETURN_VOID();
}

/* The freshest bucket among a profile's temporal columns; NULL without one. */
static const char *
freshest_bucket(Jsonb *profile)
{
	static const char *const order[] = {"live", "stale", "dormant"};
	int			best = lengthof(order);
	JsonbContainer *columns = profile ? model_container_in(&profile->root, "columns") : NULL;
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	v;

	if (columns == NULL)
		return NULL;
	it = JsonbIteratorInit(columns);
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		char	   *bucket;

		if (token != WJB_VALUE || v.type != jbvBinary)
			continue;
		bucket = model_text_in(model_container_in(v.val.binary.data, "freshness"), "classification");
		for (int i = 0; bucket != NULL && i < best; i++)
			if (strcmp(bucket, order[i]) == 0)
				best = i;
	}
	return best < lengthof(order) ? order[best] : NULL;
}

static void
emit_freshness(ReturnSetInfo *rsinfo, DriftPrint *print, DriftEntry *entry, int max_age, TimestampTz now,
			   ConfigRules *rules, int64 mark_now)
{
	const char *bucket = freshest_bucket(entry->profile);
	Datum		values[8];
	bool		nulls[8] = {false};
	ConfigTable table;

	if (max_age < 0)
		max_age = entry->max_age_days;
	values[0] = CStringGetTextDatum(model_entry_name(entry));
	values[1] = TimestampTzGetDatum(entry->profiled_at);
	nulls[1] = entry->profiled_at == DT_NOBEGIN;
	values[2] = DirectFunctionCall2(timestamp_mi, TimestampTzGetDatum(now),
									TimestampTzGetDatum(judge_known_at(print, entry)));
	values[3] = Int32GetDatum(max_age);
	values[4] = BoolGetDatum(judge_is_fresh(print, entry, max_age, now));
	nulls[5] = bucket == NULL;
	values[5] = bucket ? CStringGetTextDatum(bucket) : (Datum) 0;
	config_resolve(rules, entry->schema, entry->name, -1, &table);
	values[6] = CStringGetTextDatum(table.values[SET_MAX_AGE_DAYS].source);
	nulls[7] = entry->profiled_at == DT_NOBEGIN || entry->write_mark == 0 || entry->write_mark != mark_now;
	values[7] = TimestampTzGetDatum(entry->profiled_at);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

Datum
drift_freshness(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	int			max_age = max_age_argument(fcinfo, 0);
	DriftPrint *print = print_open(print_argument(fcinfo, 1, "print"), NIL, NIL, false);
	DriftEntry **entries = palloc(sizeof(DriftEntry *) * (print->nentries + 1));
	TimestampTz now = GetCurrentTimestamp();
	ConfigRules *rules = config_current();
	int64	   *marks;
	int			n = 0;

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < print->nentries; i++)
		if (judge_has_age(&print->entries[i]))
			entries[n++] = &print->entries[i];
	if (print->load != NULL)
		print->load(print, entries, n, true);
	marks = print_write_marks(print, entries, n);
	for (int i = 0; i < n; i++)
		emit_freshness(rsinfo, print, entries[i], max_age, now, rules, marks[i]);
	return (Datum) 0;
}
