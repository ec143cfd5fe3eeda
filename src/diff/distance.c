/*-------------------------------------------------------------------------
 *
 * distance.c
 *	  How far a column's values have moved, from two stored profiles.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "diff/distance.h"
#include "utils/date.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#define MAX_BOUNDS 101
#define PSI_BINS 10
#define LEAST_SHARE 0.0001

/* A cumulative distribution: bounds in order, evenly spaced in rank. */
typedef struct Distribution
{
	int			n;
	double		bounds[MAX_BOUNDS];
} Distribution;

typedef struct Share
{
	char	   *value;
	double		before;
	double		after;
} Share;

/* ---------- reading ---------- */

static double
number_of(const JsonbValue *value)
{
	return DatumGetFloat8(DirectFunctionCall1(numeric_float8, NumericGetDatum(value->val.numeric)));
}

static double
number_in(JsonbContainer *object, const char *key)
{
	JsonbValue	v;

	return model_get_in(object, key, &v) && v.type == jbvNumeric ? number_of(&v) : 0;
}

/* An instant or a time of day as a number; what only the order matters of. */
static double
instant_of(const char *text)
{
	if (strchr(text, '-') == NULL)
		return DatumGetTimeADT(DirectFunctionCall3(time_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid),
												   Int32GetDatum(-1)));
	return DatumGetTimestampTz(DirectFunctionCall3(timestamptz_in, CStringGetDatum(text),
												   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

static bool
read_distribution(JsonbContainer *column, Distribution *d)
{
	JsonbContainer *bounds = model_container_in(column, "histogram");

	d->n = bounds ? Min(JsonContainerSize(bounds), MAX_BOUNDS) : 0;
	for (int i = 0; i < d->n; i++)
	{
		JsonbValue *v = getIthJsonbValueFromContainer(bounds, i);

		d->bounds[i] = v->type == jbvNumeric ? number_of(v) : instant_of(model_value_text(v));
	}
	return d->n > 1;
}

/* ---------- ordered columns ---------- */

/* The share of values up to x, straight between bounds. */
static double
cumulative(const Distribution *d, double x)
{
	int			i = d->n - 1;

	if (x < d->bounds[0])
		return 0;
	while (i > 0 && d->bounds[i] > x)
		i--;
	if (i == d->n - 1)
		return 1;
	return (i + (x - d->bounds[i]) / (d->bounds[i + 1] - d->bounds[i])) / (d->n - 1);
}

static double
largest_gap(const Distribution *a, const Distribution *b)
{
	double		gap = 0;

	for (int i = 0; i < a->n; i++)
		gap = Max(gap, fabs(cumulative(a, a->bounds[i]) - cumulative(b, a->bounds[i])));
	for (int i = 0; i < b->n; i++)
		gap = Max(gap, fabs(cumulative(a, b->bounds[i]) - cumulative(b, b->bounds[i])));
	return gap;
}

static double
psi_term(double before, double after)
{
	before = Max(before, LEAST_SHARE);
	after = Max(after, LEAST_SHARE);
	return (after - before) * log(after / before);
}

/* Bins end at the baseline's deciles; equal deciles are one bin. */
static double
psi_of_distributions(const Distribution *before, const Distribution *after)
{
	double		psi = 0;
	double		last_before = 0;
	double		last_after = 0;

	for (int bin = 1; bin <= PSI_BINS; bin++)
	{
		bool		end = bin == PSI_BINS;
		double		bound = before->bounds[bin * (before->n - 1) / PSI_BINS];
		double		up_to_before = end ? 1 : cumulative(before, bound);
		double		up_to_after = end ? 1 : cumulative(after, bound);

		if (!end && up_to_before <= last_before)
			continue;
		psi += psi_term(up_to_before - last_before, up_to_after - last_after);
		last_before = up_to_before;
		last_after = up_to_after;
	}
	return psi;
}

/* ---------- listed values ---------- */

static bool
is_whole(JsonbContainer *column)
{
	JsonbContainer *values = model_container_in(column, "values");

	return values != NULL && JsonContainerSize(values) == number_in(column, "cardinality");
}

static int
find_share(Share *shares, int n, const char *value)
{
	for (int i = 0; i < n; i++)
		if (strcmp(shares[i].value, value) == 0)
			return i;
	return -1;
}

/* One side's listed values as shares of its rows that are not null. */
static int
add_shares(Share *shares, int n, JsonbContainer *column, double nonnull, bool after)
{
	JsonbContainer *values = model_container_in(column, "values");

	for (uint32 i = 0; values != NULL && i < JsonContainerSize(values); i++)
	{
		JsonbContainer *entry = getIthJsonbValueFromContainer(values, i)->val.binary.data;
		JsonbValue	v;
		char	   *text;
		int			at;

		if (!model_get_in(entry, "value", &v))
			continue;
		text = model_value_text(&v);
		at = find_share(shares, n, text);
		if (at < 0)
		{
			at = n++;
			shares[at] = (Share) {text, 0, 0};
		}
		*(after ? &shares[at].after : &shares[at].before) = number_in(entry, "count") / nonnull;
	}
	return n;
}

static double
js_term(double p, double m)
{
	return p > 0 ? p * log2(p / m) : 0;
}

/* Values in the list of one side only, where the other's is whole. */
static Jsonb *
only_there(Share *shares, int n, bool after)
{
	ModelBuilder b = {0};

	model_array_begin(&b);
	for (int i = 0; i < n; i++)
		if (after ? shares[i].after > 0 && shares[i].before == 0 : shares[i].before > 0 && shares[i].after == 0)
			model_add_text(&b, shares[i].value);
	model_array_end(&b);
	return model_finish(&b);
}

static void
compare_values(ColumnDistance *d, JsonbContainer *before, JsonbContainer *after, double nonnull_before,
			   double nonnull_after)
{
	JsonbContainer *b = model_container_in(before, "values");
	JsonbContainer *a = model_container_in(after, "values");
	Share	   *shares;
	int			n;
	double		rest_before = 1;
	double		rest_after = 1;
	double		divergence = 0;
	double		psi = 0;

	if (b == NULL || a == NULL || nonnull_before <= 0 || nonnull_after <= 0)
		return;
	shares = palloc(sizeof(Share) * (JsonContainerSize(b) + JsonContainerSize(a) + 1));
	n = add_shares(shares, 0, before, nonnull_before, false);
	n = add_shares(shares, n, after, nonnull_after, true);
	if (is_whole(before))
		d->new_values = only_there(shares, n, true);
	if (is_whole(after))
		d->vanished_values = only_there(shares, n, false);

	/* of two samples of many values nothing can be told */
	if (!is_whole(before) && !is_whole(after))
		return;
	for (int i = 0; i < n; i++)
	{
		rest_before -= shares[i].before;
		rest_after -= shares[i].after;
	}
	shares[n++] = (Share) {"", Max(rest_before, 0), Max(rest_after, 0)};
	for (int i = 0; i < n; i++)
	{
		double		middle = (shares[i].before + shares[i].after) / 2;

		if (middle <= 1e-12)
			continue;
		divergence += js_term(shares[i].before, middle) / 2 + js_term(shares[i].after, middle) / 2;
		psi += psi_term(shares[i].before, shares[i].after);
	}
	d->has_js = true;
	d->js = sqrt(Max(divergence, 0));
	if (!d->has_psi)
	{
		d->has_psi = true;
		d->psi = psi;
	}
}

static const char *
verdict_of(const ColumnDistance *d)
{
	if (!d->has_psi)
		return "unknown";
	return d->psi < 0.1 ? "stable" : d->psi < 0.25 ? "moderate" : "major";
}

static bool
is_redacted(JsonbContainer *column)
{
	JsonbValue	v;

	return model_get_in(column, "redacted", &v);
}

/* ---------- all columns ---------- */

static double
rows_of(const DriftEntry *entry)
{
	JsonbContainer *scope = model_container_in(&entry->profile->root, "scope");

	return scope ? number_in(scope, "rows_scanned") : entry->row_count;
}

static ColumnDistance *
compare_column(DriftEntry *before, DriftEntry *after, const char *name, JsonbContainer *b, JsonbContainer *a)
{
	ColumnDistance *d = palloc0(sizeof(ColumnDistance));
	Distribution db;
	Distribution da;

	d->relation = model_entry_name(after);
	d->column = name;
	if (!is_redacted(b) && !is_redacted(a))
	{
		if (read_distribution(b, &db) && read_distribution(a, &da))
		{
			d->has_ks = d->has_psi = true;
			d->ks = largest_gap(&db, &da);
			d->psi = psi_of_distributions(&db, &da);
		}
		compare_values(d, b, a, rows_of(before) - number_in(b, "null_count"),
					   rows_of(after) - number_in(a, "null_count"));
	}
	d->verdict = verdict_of(d);
	return d;
}

static List *
compare_entries(List *distances, DriftEntry *before, DriftEntry *after)
{
	JsonbContainer *columns = model_container_in(&before->profile->root, "columns");
	JsonbContainer *others = model_container_in(&after->profile->root, "columns");
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	v;

	if (columns == NULL || others == NULL)
		return distances;
	it = JsonbIteratorInit(columns);
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		char	   *name;
		JsonbContainer *other;

		if (token != WJB_KEY)
			continue;
		name = pnstrdup(v.val.string.val, v.val.string.len);
		(void) JsonbIteratorNext(&it, &v, true);
		other = model_container_in(others, name);
		if (other != NULL)
			distances = lappend(distances, compare_column(before, after, name, v.val.binary.data, other));
	}
	return distances;
}

static DriftEntry **
load_all(DriftPrint *print)
{
	DriftEntry **entries = palloc(sizeof(DriftEntry *) * (print->nentries + 1));

	for (int i = 0; i < print->nentries; i++)
		entries[i] = &print->entries[i];
	if (print->load != NULL)
		print->load(print, entries, print->nentries, true);
	return entries;
}

List *
diff_distances(DriftPrint *baseline, DriftPrint *target)
{
	List	   *distances = NIL;
	int			i = 0;
	int			j = 0;

	(void) load_all(baseline);
	(void) load_all(target);
	while (i < baseline->nentries && j < target->nentries)
	{
		DriftEntry *before = &baseline->entries[i];
		DriftEntry *after = &target->entries[j];
		int			c = model_compare_identity(before, after);

		if (c == 0 && before->profile != NULL && after->profile != NULL)
			distances = compare_entries(distances, before, after);
		i += c <= 0;
		j += c >= 0;
	}
	return distances;
}
