/*-------------------------------------------------------------------------
 *
 * pairs.c
 *	  Pairs of columns: undeclared two-column keys, and which column
 *	  determines which.
 *
 * A pair that shows the same two values twice in the first rows is no key, and
 * a column that already meets more pairings there than it may have altogether
 * determines nothing.  That turns away nearly all pairs, and exactly; what is
 * left is counted over all rows by a run of its own over those few columns,
 * under the same snapshot and so over the same rows.
 *
 * Columns with nulls take no part.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "profile/pairs.h"
#include "utils/fmgrprotos.h"

/* A determination is published from here (section 4.1.3's bar). */
#define MIN_STRENGTH 0.95

void
pairs_init(PairSearch *search, ProfileColumn *columns, int ncolumns)
{
	memset(search, 0, sizeof(*search));
	search->columns = columns;
	search->ncolumns = Min(ncolumns, PAIR_MAX_COLUMNS);
	for (int i = 0; i < search->ncolumns; i++)
		search->sample[i] = palloc(sizeof(uint64) * PAIR_SAMPLE_ROWS);
}

void
pairs_sample(PairSearch *search, TupleTableSlot *slot)
{
	if (search->nsampled == PAIR_SAMPLE_ROWS)
		return;
	for (int i = 0; i < search->ncolumns; i++)
		search->sample[i][search->nsampled] = slot->tts_isnull[i] || search->columns[i].kind == KEY_NONE ? 0 :
			column_pair_key(&search->columns[i], slot->tts_values[i]);
	search->nsampled++;
}

static uint64
pair_key(uint64 a, uint64 b)
{
	return keyset_mix(a) * UINT64CONST(0x9e3779b97f4a7c15) + keyset_mix(b ^ UINT64CONST(0x5851f42d4c957f2d));
}

static int
compare_keys(const void *a, const void *b)
{
	uint64		ka = *(const uint64 *) a;
	uint64		kb = *(const uint64 *) b;

	return ka < kb ? -1 : ka > kb;
}

/* Distinct pairs in the first rows: a lower bound for all of them. */
static int64
sampled_pairs(PairSearch *search, int a, int b)
{
	uint64	   *keys = palloc(sizeof(uint64) * (search->nsampled + 1));
	int64		distinct = 0;

	for (int i = 0; i < search->nsampled; i++)
		keys[i] = pair_key(search->sample[a][i], search->sample[b][i]);
	qsort(keys, search->nsampled, sizeof(uint64), compare_keys);
	for (int i = 0; i < search->nsampled; i++)
		distinct += i == 0 || keys[i] != keys[i - 1];
	pfree(keys);
	return distinct;
}

static bool
takes_part(const ProfileColumn *column)
{
	return column->kind != KEY_NONE && column->nulls == 0 && column->cardinality > 1 && column->sorted == NULL &&
		column->type_class != CLASS_JSON;
}

/* No column by itself is a key, exactly: only then is a pair looked for. */
static bool
needs_grain(PairSearch *search, int64 rows)
{
	for (int i = 0; i < search->ncolumns; i++)
		if (search->columns[i].candidate_key && search->columns[i].cardinality == rows)
			return false;
	return rows > 0;
}

static bool
add_pair(PairSearch *search, int a, int b, bool grain)
{
	ColumnPair *pair;

	if (search->nmeasured == PAIR_MAX_MEASURED)
		return false;
	pair = &search->measured[search->nmeasured++];
	pair->a = a;
	pair->b = b;
	pair->grain = grain;
	pair->keys = palloc(sizeof(KeySet));
	keyset_init(pair->keys, (int64) maintenance_work_mem * 1024 / (12 * PAIR_MAX_MEASURED));
	return true;
}

static void
choose_grain(PairSearch *search, int64 rows)
{
	search->searched = needs_grain(search, rows);
	search->exhausted = true;
	for (int a = 0; search->searched && a < search->ncolumns; a++)
		for (int b = a + 1; b < search->ncolumns; b++)
		{
			CHECK_FOR_INTERRUPTS();
			if (!takes_part(&search->columns[a]) || !takes_part(&search->columns[b]) ||
				(double) search->columns[a].cardinality * search->columns[b].cardinality < rows ||
				sampled_pairs(search, a, b) < search->nsampled)
				continue;
			if (!add_pair(search, a, b, true))
				search->exhausted = false;
		}
}

static void
choose_dependencies(PairSearch *search)
{
	for (int a = 0; a < search->ncolumns; a++)
		for (int b = 0; b < search->ncolumns; b++)
		{
			ProfileColumn *determinant = &search->columns[a];

			CHECK_FOR_INTERRUPTS();
			if (a == b || !takes_part(determinant) || !takes_part(&search->columns[b]) ||
				determinant->candidate_key || determinant->cardinality < search->columns[b].cardinality ||
				sampled_pairs(search, a, b) > determinant->cardinality / MIN_STRENGTH)
				continue;
			(void) add_pair(search, a, b, false);
		}
}

void
pairs_choose(PairSearch *search, int64 rows)
{
	search->measured = palloc0(sizeof(ColumnPair) * PAIR_MAX_MEASURED);
	if (rows == 0)
		return;
	choose_grain(search, rows);
	choose_dependencies(search);
}

/* A row of the second run, which has all columns in their places. */
void
pairs_add(PairSearch *search, TupleTableSlot *slot)
{
	for (int i = 0; i < search->nmeasured; i++)
	{
		ColumnPair *pair = &search->measured[i];

		(void) keyset_add(pair->keys, pair_key(column_pair_key(&search->columns[pair->a], slot->tts_values[pair->a]),
											   column_pair_key(&search->columns[pair->b], slot->tts_values[pair->b])));
	}
}

void
pairs_finish(PairSearch *search)
{
	for (int i = 0; i < search->nmeasured; i++)
	{
		ColumnPair *pair = &search->measured[i];
		KeyStream  *stream;
		KeyCount	item;

		keyset_finish(pair->keys);
		stream = keyset_open(pair->keys);
		while (keyset_next(stream, &item))
			pair->distinct++;
		keyset_close(stream);
		keyset_release(pair->keys);
	}
}

static void
add_measured_key(PairSearch *search, const ColumnPair *pair, ModelBuilder *b)
{
	model_object_begin(b);
	model_key(b, "columns");
	model_array_begin(b);
	model_add_text(b, search->columns[pair->a].name);
	model_add_text(b, search->columns[pair->b].name);
	model_array_end(b);
	model_put_text(b, "detection", "measured");
	model_object_end(b);
}

static bool
is_declared(JsonbContainer *keys, const char *a, const char *b)
{
	for (uint32 i = 0; keys != NULL && i < JsonContainerSize(keys); i++)
	{
		JsonbContainer *columns = model_container_in(getIthJsonbValueFromContainer(keys, i)->val.binary.data, "columns");
		char	   *first;
		char	   *second;

		if (columns == NULL || JsonContainerSize(columns) != 2)
			continue;
		first = model_value_text(getIthJsonbValueFromContainer(columns, 0));
		second = model_value_text(getIthJsonbValueFromContainer(columns, 1));
		if ((strcmp(first, a) == 0 && strcmp(second, b) == 0) || (strcmp(first, b) == 0 && strcmp(second, a) == 0))
			return true;
	}
	return false;
}

Jsonb *
pairs_grain(PairSearch *search, Jsonb *declared, int64 rows)
{
	JsonbContainer *keys = model_container_in(&declared->root, "keys");
	ModelBuilder b = {0};

	if (!search->searched)
		return declared;
	model_object_begin(&b);
	model_key(&b, "keys");
	model_array_begin(&b);
	for (uint32 i = 0; keys != NULL && i < JsonContainerSize(keys); i++)
		model_add_value(&b, getIthJsonbValueFromContainer(keys, i));
	for (int i = 0; i < search->nmeasured; i++)
	{
		const ColumnPair *pair = &search->measured[i];

		if (pair->grain && pair->distinct == rows &&
			!is_declared(keys, search->columns[pair->a].name, search->columns[pair->b].name))
			add_measured_key(search, pair, &b);
	}
	model_array_end(&b);
	model_key(&b, "search");
	model_object_begin(&b);
	model_put_bool(&b, "exhausted", search->exhausted);
	model_object_end(&b);
	model_object_end(&b);
	return model_finish(&b);
}

Jsonb *
pairs_dependencies(PairSearch *search)
{
	ModelBuilder b = {0};

	model_array_begin(&b);
	for (int i = 0; i < search->nmeasured; i++)
	{
		const ColumnPair *pair = &search->measured[i];
		int64		cardinality = search->columns[pair->a].cardinality;

		if (pair->grain || cardinality < MIN_STRENGTH * pair->distinct)
			continue;
		model_object_begin(&b);
		model_put_text(&b, "determinant", search->columns[pair->a].name);
		model_put_text(&b, "dependent", search->columns[pair->b].name);
		model_put_numeric(&b, "strength", numbers_ratio(cardinality, pair->distinct, true));
		model_object_end(&b);
	}
	model_array_end(&b);
	return model_finish(&b);
}
