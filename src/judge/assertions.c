/*-------------------------------------------------------------------------
 *
 * assertions.c
 *	  What the rules say must hold: of a statistic, or of a query's result.
 *
 * A query runs with the caller's rights in a read-only subtransaction that is
 * rolled back.  An assertion that cannot be applied is a warning that says
 * why, never a silent pass.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "config/config.h"
#include "executor/spi.h"
#include "judge/judge_internal.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/numeric.h"
#include "utils/resowner.h"

static JudgeFinding *
new_finding(const ConfigAssertion *a, const char *relation, bool applied, const char *detail)
{
	JudgeFinding *finding = palloc0(sizeof(JudgeFinding));

	finding->code = applied && !a->warning ? JUDGE_ASSERTION : JUDGE_HOLDS;
	finding->severity = applied && !a->warning ? "error" : "warning";
	finding->kind = applied ? "assertion_failed" : "assertion_not_applied";
	finding->relation = relation;
	finding->object = a->sql ? NULL : a->column ? psprintf("%s.%s", a->column, a->stat) : a->stat;
	finding->detail = a->name ? psprintf("%s (line %d): %s", a->name, a->line, detail) :
		psprintf("line %d: %s", a->line, detail);
	return finding;
}

/* ---------- statistics ---------- */

/* The value at a dot path; a percentile's key may have one digit. */
static bool
find_value(JsonbContainer *object, const char *path, JsonbValue *value)
{
	while (object != NULL)
	{
		const char *dot = strchr(path, '.');
		char	   *key = dot ? pnstrdup(path, dot - path) : pstrdup(path);

		if (dot == NULL)
			return model_get_in(object, key, value);
		object = model_container_in(object, key);
		path = dot + 1;
	}
	return false;
}

static bool
as_number(const JsonbValue *value, double *number)
{
	if (value->type != jbvNumeric)
		return false;
	*number = DatumGetFloat8(DirectFunctionCall1(numeric_float8, NumericGetDatum(value->val.numeric)));
	return true;
}

static bool
equals_text(const JsonbValue *value, const char *text)
{
	double		number;
	char	   *end;

	if (value->type == jbvBool)
		return (pg_strcasecmp(text, "true") == 0) == value->val.boolean;
	if (as_number(value, &number))
	{
		double		wanted = strtod(text, &end);

		return *text && *end == '\0' && wanted == number;
	}
	return strcmp(model_value_text(value), text) == 0;
}

static bool
is_one_of(const JsonbValue *value, List *texts)
{
	ListCell   *lc;

	foreach(lc, texts)
		if (equals_text(value, lfirst(lc)))
			return true;
	return false;
}

static char *
join_texts(List *texts)
{
	StringInfoData out;
	ListCell   *lc;

	initStringInfo(&out);
	foreach(lc, texts)
		appendStringInfo(&out, "%s%s", out.len ? ", " : "", (char *) lfirst(lc));
	return out.data;
}

/* Every listed value is accepted; of a list that is not whole that is no proof. */
static JudgeFinding *
check_accepted(const ConfigAssertion *a, const char *relation, JsonbContainer *column, JsonbValue *values)
{
	JsonbContainer *list = values->type == jbvBinary ? values->val.binary.data : NULL;
	JsonbValue	coverage;
	double		share = 0;
	JudgeFinding *finding;

	for (uint32 i = 0; list != NULL && i < JsonContainerSize(list); i++)
	{
		JsonbValue	value;

		if (!model_get_in(getIthJsonbValueFromContainer(list, i)->val.binary.data, "value", &value) ||
			is_one_of(&value, a->one_of))
			continue;
		finding = new_finding(a, relation, true, "a value is not accepted");
		finding->before = join_texts(a->one_of);
		finding->after = model_value_text(&value);
		return finding;
	}
	if (model_get_in(column, "values_coverage", &coverage) && as_number(&coverage, &share) && share == 1)
		return NULL;
	return new_finding(a, relation, false, "the print does not list all values of the column");
}

static JudgeFinding *
check_value(const ConfigAssertion *a, const char *relation, JsonbValue *value)
{
	JudgeFinding *finding = NULL;
	double		number = 0;

	if ((a->has_min || a->has_max) && !as_number(value, &number))
		return new_finding(a, relation, false, "the statistic is no number");
	if (a->has_min && number < a->min)
	{
		finding = new_finding(a, relation, true, "below the minimum");
		finding->before = psprintf("at least %.15g", a->min);
	}
	else if (a->has_max && number > a->max)
	{
		finding = new_finding(a, relation, true, "above the maximum");
		finding->before = psprintf("at most %.15g", a->max);
	}
	else if (a->exact && !equals_text(value, a->exact))
	{
		finding = new_finding(a, relation, true, "not as asserted");
		finding->before = a->exact;
	}
	else if (a->one_of != NIL && !is_one_of(value, a->one_of))
	{
		finding = new_finding(a, relation, true, "not one of those asserted");
		finding->before = join_texts(a->one_of);
	}
	if (finding)
		finding->after = model_value_text(value);
	return finding;
}

static JudgeFinding *
check_entry(const ConfigAssertion *a, DriftEntry *entry)
{
	char	   *relation = model_entry_name(entry);
	JsonbContainer *object;
	JsonbValue	value;

	if (a->column == NULL && strcmp(a->stat, "row_count") == 0)
	{
		if (entry->count_method == DRIFT_COUNT_NONE)
			return new_finding(a, relation, false, "the print has no row count of the relation");
		value.type = jbvNumeric;
		value.val.numeric = int64_to_numeric(entry->row_count);
		return check_value(a, relation, &value);
	}
	if (entry->profile == NULL)
		return new_finding(a, relation, false, "the print has no profile of the relation");
	object = &entry->profile->root;
	if (a->column != NULL)
		object = model_container_in(model_container_in(object, "columns"), a->column);
	if (object == NULL)
		return new_finding(a, relation, false, "the relation has no such column, or it may not be seen");
	if (!find_value(object, a->stat, &value))
	{
		/* a flag that is only ever true is false where it is absent */
		if (a->exact && strcmp(a->stat, "inferred.candidate_key") == 0)
		{
			value.type = jbvBool;
			value.val.boolean = false;
			return check_value(a, relation, &value);
		}
		return new_finding(a, relation, false, "the column has no such statistic");
	}
	return a->accepted_values ? check_accepted(a, relation, object, &value) : check_value(a, relation, &value);
}

static List *
check_statistic(const ConfigAssertion *a, DriftPrint *print, List *findings)
{
	List	   *pattern = list_make1((char *) a->table);
	int			matched = 0;

	for (int i = 0; i < print->nentries; i++)
	{
		DriftEntry *entry = &print->entries[i];
		JudgeFinding *finding;

		if (!judge_has_age(entry) || !model_selected(entry->schema, entry->name, pattern, NIL))
			continue;
		matched++;
		finding = check_entry(a, entry);
		if (finding != NULL)
			findings = lappend(findings, finding);
	}
	if (matched == 0)
		findings = lappend(findings, new_finding(a, a->table, false, "no relation of the print matches"));
	return findings;
}

/* ---------- queries ---------- */

/* What is wrong with the query's result; NULL when it is as expected. */
static char *
run_query(const ConfigAssertion *a, MemoryContext caller)
{
	char	   *wrong = NULL;
	char	   *value = NULL;

	SPI_connect();
	(void) set_config_option("transaction_read_only", "on", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
	if (SPI_execute(a->sql, false, a->expect_empty ? 1 : 2) < 0 || SPI_tuptable == NULL)
		wrong = "the query returns no rows to look at";
	else if (a->expect_empty)
		wrong = SPI_processed > 0 ? "the query returns rows" : NULL;
	else if (SPI_processed != 1 || SPI_tuptable->tupdesc->natts != 1)
		wrong = "the query does not return one value";
	else
	{
		value = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
		if (value == NULL || strtod(value, NULL) != 0)
			wrong = psprintf("the query returns %s", value ? value : "null");
	}
	if (wrong)
		wrong = MemoryContextStrdup(caller, wrong);
	SPI_finish();
	return wrong;
}

static List *
check_query(const ConfigAssertion *a, List *findings)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	char	   *volatile wrong = NULL;
	char	   *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	PG_TRY();
	{
		wrong = run_query(a, caller);
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *data;

		MemoryContextSwitchTo(caller);
		data = CopyErrorData();
		if (data->sqlerrcode == ERRCODE_QUERY_CANCELED || data->sqlerrcode == ERRCODE_ADMIN_SHUTDOWN)
			PG_RE_THROW();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		error = data->message;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
	if (error)
		return lappend(findings, new_finding(a, "(query)", false, error));
	return wrong ? lappend(findings, new_finding(a, "(query)", true, wrong)) : findings;
}

/* ---------- all ---------- */

static void
load_profiles(DriftPrint *print)
{
	DriftEntry **entries = palloc(sizeof(DriftEntry *) * (print->nentries + 1));
	int			n = 0;

	if (print->load == NULL)
		return;
	for (int i = 0; i < print->nentries; i++)
		if (judge_has_age(&print->entries[i]))
			entries[n++] = &print->entries[i];
	print->load(print, entries, n, true);
}

List *
judge_assertions(DriftPrint *print)
{
	List	   *assertions = config_assertions(config_current());
	List	   *findings = NIL;
	ListCell   *lc;

	if (assertions == NIL)
		return NIL;
	load_profiles(print);
	foreach(lc, assertions)
	{
		ConfigAssertion *a = lfirst(lc);

		findings = a->sql ? check_query(a, findings) : check_statistic(a, print, findings);
	}
	return findings;
}
