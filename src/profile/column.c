/*-------------------------------------------------------------------------
 *
 * column.c
 *	  From what was met in a column to the column's document.
 *
 * One walk over the sorted, counted keys gives everything that depends on
 * order and frequency.  Hashed keys are walked twice and their values read
 * back once: the first walk finds how frequent a listed value must be, the
 * second which keys that are.
 *
 * Fields and rules: dbprint v1, sections 2.2.2 to 2.2.7, 3 and 4.2.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "compat.h"
#include "detect/detect.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "profile/column.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/fmgrprotos.h"
#include "utils/formatting.h"
#include "utils/hsearch.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#define SIGN_BIT (UINT64CONST(1) << 63)

/* Equi-depth histogram: bins, and so one bound more. */
#define HISTOGRAM_BINS 100

/* Equally frequent keys remembered to find the lexicographically first. */
#define MAX_TIED (1024 * 1024)

#define MAX_RANKS (HISTOGRAM_BINS + 1 + 20)

/* A value that is or may be listed. */
typedef struct Listed
{
	uint64		key;
	int64		count;
	char	   *text;
} Listed;

/* A rank at which the walk leaves a mark. */
typedef struct RankMark
{
	int64		rank;			/* 1-based, among finite values */
	int			percent;		/* of a percentile; -1 for the histogram's */
	int			bin;
} RankMark;

/* One item of the walk: a key, or a numeric that fits into none. */
typedef struct ValueCount
{
	uint64		key;
	int64		count;
	Datum		value;			/* when not by key */
	bool		by_key;
} ValueCount;

typedef struct Walk
{
	ProfileColumn *column;
	KeyStream  *stream;

	/* the two sources, one item ahead of each */
	KeyCount	ahead;
	bool		has_ahead;
	Datum		sorted_value;
	int64		sorted_count;
	bool		has_sorted;
	Datum		next_value;		/* first of the following group */
	bool		has_next;
} Walk;

/* A key of the sample, in the order of its hash: a random one that is always the same. */
typedef struct SampledKey
{
	uint64		order;
	uint64		key;
} SampledKey;

typedef struct Summary
{
	int			bound;			/* up to here the list is exhaustive */
	int			ntop;
	Listed	   *listed;			/* worst first while gathering, then in order */
	int			nlisted;

	bool		all_representable;	/* so far */
	int64		distinct;
	int64		seen;			/* finite values so far */
	RankMark   *marks;
	int			nmarks;
	int			next_mark;
	Jsonb	   *percentiles[101];
	Jsonb	   *histogram[HISTOGRAM_BINS + 1];
	char	   *unfit[101];		/* percentiles outside years 1 to 9999 */
	bool		has_range;
	ValueCount		first;			/* finite ones */
	ValueCount		last;

	int			sample_size;	/* distinct values looked at for their shape */
	SampledKey *sample;
	int			nsampled;
	DetectTally tally;

	int128		sum;			/* of scaled integers */
	double		fsum;			/* of floats, compensated */
	double		compensation;
	Datum		nsum;			/* of numerics that fit into no key */
	bool		has_nsum;
	int64		zeros;
	int64		negatives;
	int64		quantized;
} Summary;

/* ---------- walking ---------- */

static bool
same_numeric(Datum a, Datum b)
{
	return DatumGetBool(DirectFunctionCall2(numeric_eq, a, b));
}

/* Gather the next group of equal values from the sort. */
static void
advance_sorted(Walk *walk)
{
	bool		isnull;

	walk->has_sorted = walk->has_next;
	if (!walk->has_next)
		return;
	walk->sorted_value = walk->next_value;
	walk->sorted_count = 1;
	for (;;)
	{
		walk->has_next = compat_next_datum(walk->column->sorted, &walk->next_value, &isnull);
		if (!walk->has_next || !same_numeric(walk->sorted_value, walk->next_value))
			return;
		walk->sorted_count++;
		if ((walk->sorted_count & 0xfff) == 0)
			CHECK_FOR_INTERRUPTS();
	}
}

static void
begin_walk(Walk *walk, ProfileColumn *column)
{
	bool		isnull;

	memset(walk, 0, sizeof(*walk));
	walk->column = column;
	walk->stream = keyset_open(&column->keys);
	walk->has_ahead = keyset_next(walk->stream, &walk->ahead);
	if (column->sorted == NULL)
		return;
	walk->has_next = compat_next_datum(column->sorted, &walk->next_value, &isnull);
	advance_sorted(walk);
}

static bool
next_in_walk(Walk *walk, ValueCount *item)
{
	bool		by_key = walk->has_ahead;

	if (walk->has_ahead && walk->has_sorted)
		by_key = DatumGetInt32(DirectFunctionCall2(numeric_cmp, column_key_datum(walk->column, walk->ahead.key),
												   walk->sorted_value)) < 0;
	if (by_key)
	{
		*item = (ValueCount) {walk->ahead.key, walk->ahead.count, (Datum) 0, true};
		walk->has_ahead = keyset_next(walk->stream, &walk->ahead);
		return true;
	}
	if (!walk->has_sorted)
		return false;
	*item = (ValueCount) {0, walk->sorted_count, walk->sorted_value, false};
	advance_sorted(walk);
	return true;
}

static void
end_walk(Walk *walk)
{
	keyset_close(walk->stream);
}

static char *
item_text(ProfileColumn *column, const ValueCount *item)
{
	if (item->by_key)
		return column_key_text(column, item->key);
	return OutputFunctionCall(&column->output, DirectFunctionCall1(numeric_trim_scale, item->value));
}

static bool
item_finite(ProfileColumn *column, const ValueCount *item)
{
	if (item->by_key)
		return column_key_finite(column, item->key);
	return !numeric_is_nan(DatumGetNumeric(item->value)) && !numeric_is_inf(DatumGetNumeric(item->value));
}

/* ---------- a value as JSON ---------- */

static bool
is_number(const char *text)
{
	return strcmp(text, "NaN") != 0 && strstr(text, "nfinity") == NULL;
}

static Jsonb *
value_json(ProfileColumn *column, const char *text, bool round)
{
	JsonbValue	v;

	if (column->type_class == CLASS_BOOLEAN)
	{
		v.type = jbvBool;
		v.val.boolean = text[0] == 't';
		return JsonbValueToJsonb(&v);
	}
	if (column->type_class == CLASS_NUMERIC && is_number(text))
	{
		Datum		number = numbers_from_text(text);

		v.type = jbvNumeric;
		v.val.numeric = DatumGetNumeric(round ? numbers_round_numeric(number) : number);
		return JsonbValueToJsonb(&v);
	}
	return model_text_jsonb(text);
}

static bool is_unrepresentable(ProfileColumn *column, const ValueCount *item);

/* ---------- what is listed ---------- */

/* Whether "a" stands after "b" in the list: rarer, or equally frequent and later as text. */
static bool
is_worse(const Listed *a, const Listed *b)
{
	if (a->count != b->count)
		return a->count < b->count;
	return strcmp(a->text, b->text) > 0;
}

static int
compare_listed(const void *a, const void *b)
{
	return is_worse(a, b) ? 1 : is_worse(b, a) ? -1 : 0;
}

static void
sift_down(Listed *heap, int n, int i)
{
	for (;;)
	{
		int			worst = i;
		Listed		swap;

		for (int child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++)
			if (is_worse(&heap[child], &heap[worst]))
				worst = child;
		if (worst == i)
			return;
		swap = heap[i];
		heap[i] = heap[worst];
		heap[worst] = swap;
		i = worst;
	}
}

/*
 * The first character of the value's text where that is cheap to know, else
 * '\0'.  Most of many equally frequent values are turned away by it.
 */
static char
first_character(ProfileColumn *column, const ValueCount *item)
{
	double		value;

	if (!item->by_key || column->type_class != CLASS_NUMERIC)
		return '\0';
	value = column_key_float(column, item->key);
	if (!(value > 0 && value < 1e15))
		return '\0';
	if (value < 1)
		return value >= 1e-4 ? '0' : '\0';
	for (double power = 1e14; power >= 1; power /= 10)
		if (value >= power)
			return value - power * floor(value / power) < 0.999999 * power ? '0' + (int) (value / power) : '\0';
	return '\0';
}

/* Texts of instants between the years 1 and 9999 are in the instants' order. */
static bool
texts_ascend(ProfileColumn *column, const Summary *s, const ValueCount *item)
{
	return column->type_class == CLASS_TEMPORAL && column->kind != KEY_TIMETZ && s->all_representable &&
		item->by_key;
}

/* Offer a value to the list's heap, whose first is the worst. */
static void
offer(Summary *s, ProfileColumn *column, const ValueCount *item)
{
	Listed		candidate = {item->key, item->count, NULL};

	if (s->nlisted == s->bound)
	{
		if (item->count < s->listed[0].count)
			return;
		if (item->count == s->listed[0].count &&
			(texts_ascend(column, s, item) || first_character(column, item) > s->listed[0].text[0]))
			return;
	}
	candidate.text = item_text(column, item);
	if (s->nlisted < s->bound)
	{
		s->listed[s->nlisted++] = candidate;
		if (s->nlisted == s->bound)
			for (int i = s->bound / 2; i >= 0; i--)
				sift_down(s->listed, s->bound, i);
		return;
	}
	if (is_worse(&candidate, &s->listed[0]))
	{
		pfree(candidate.text);
		return;
	}
	s->listed[0] = candidate;
	sift_down(s->listed, s->bound, 0);
}

/* ---------- ranks ---------- */

static int
compare_marks(const void *a, const void *b)
{
	int64		ra = ((const RankMark *) a)->rank;
	int64		rb = ((const RankMark *) b)->rank;

	return ra < rb ? -1 : ra > rb;
}

/* percentile_disc(): the first value whose share of the values is reached. */
static int64
rank_of(int percent, int64 n)
{
	return Max(1, (int64) (((int128) n * percent + 99) / 100));
}

static void
plan_marks(Summary *s, const ProfileSettings *settings, int64 finite)
{
	s->marks = palloc(sizeof(RankMark) * MAX_RANKS);
	if (finite == 0)
		return;
	for (int i = 0; i < settings->npercentiles; i++)
		s->marks[s->nmarks++] = (RankMark) {rank_of(settings->percentiles[i], finite), settings->percentiles[i], -1};
	for (int bin = 0; bin <= HISTOGRAM_BINS; bin++)
		s->marks[s->nmarks++] = (RankMark) {rank_of(bin, finite), -1, bin};
	qsort(s->marks, s->nmarks, sizeof(RankMark), compare_marks);
}

static bool
is_unrepresentable(ProfileColumn *column, const ValueCount *item)
{
	int64		value;
	int64		low;
	int64		high;

	if (column->type_class != CLASS_TEMPORAL || column->kind == KEY_TIME || column->kind == KEY_TIMETZ)
		return false;
	value = (int64) (item->key ^ SIGN_BIT);
	low = (int64) (date2j(1, 1, 1) - POSTGRES_EPOCH_JDATE);
	high = (int64) (date2j(10000, 1, 1) - POSTGRES_EPOCH_JDATE);
	if (column->kind != KEY_DATE)
	{
		low *= USECS_PER_DAY;
		high *= USECS_PER_DAY;
	}
	return value < low || value >= high;
}

static void
leave_marks(Summary *s, ProfileColumn *column, const ValueCount *item)
{
	Jsonb	   *value = NULL;

	while (s->next_mark < s->nmarks && s->marks[s->next_mark].rank <= s->seen)
	{
		RankMark   *mark = &s->marks[s->next_mark++];

		if (value == NULL)
			value = value_json(column, item_text(column, item), true);
		if (mark->percent >= 0)
		{
			s->percentiles[mark->percent] = value;
			if (is_unrepresentable(column, item))
				s->unfit[mark->percent] = psprintf("p%02d", mark->percent);
		}
		else
			s->histogram[mark->bin] = value;
	}
}

/* ---------- arithmetic ---------- */

/* Neumaier's compensated sum: the same for the same values in sorted order. */
static void
add_float(Summary *s, double value)
{
	double		sum = s->fsum + value;

	if (fabs(s->fsum) >= fabs(value))
		s->compensation += (s->fsum - sum) + value;
	else
		s->compensation += (value - sum) + s->fsum;
	s->fsum = sum;
}

static bool
is_float(const ProfileColumn *column)
{
	return column->kind == KEY_FLOAT4 || column->kind == KEY_FLOAT8;
}

static int64
scale_factor(const ProfileColumn *column)
{
	int64		factor = 1;

	for (int i = 0; column->kind == KEY_NUMERIC && i < column->scale; i++)
		factor *= 10;
	return factor;
}

static void
add_numeric_item(Summary *s, const ValueCount *item)
{
	Datum		count = NumericGetDatum(int64_to_numeric(item->count));
	Datum		zero = numbers_from_text("0");
	Datum		total = DirectFunctionCall2(numeric_mul, item->value, count);

	s->nsum = s->has_nsum ? DirectFunctionCall2(numeric_add, s->nsum, total) : total;
	s->has_nsum = true;
	if (DatumGetBool(DirectFunctionCall2(numeric_lt, item->value, zero)))
		s->negatives += item->count;
	if (same_numeric(item->value, DirectFunctionCall2(numeric_trunc, item->value, Int32GetDatum(0))))
		s->quantized += item->count;
}

static void
add_number(Summary *s, ProfileColumn *column, const ValueCount *item)
{
	if (!item->by_key)
		add_numeric_item(s, item);
	else if (is_float(column))
	{
		double		value = column_key_float(column, item->key);

		add_float(s, value * item->count);
		s->zeros += value == 0 ? item->count : 0;
		s->negatives += value < 0 ? item->count : 0;
		s->quantized += value == trunc(value) ? item->count : 0;
	}
	else
	{
		int64		value = (int64) (item->key ^ SIGN_BIT);

		s->sum += (int128) value * item->count;
		s->zeros += value == 0 ? item->count : 0;
		s->negatives += value < 0 ? item->count : 0;
		s->quantized += value % scale_factor(column) == 0 ? item->count : 0;
	}
}

static void
add_instant(Summary *s, ProfileColumn *column, const ValueCount *item)
{
	if ((int64) (item->key ^ SIGN_BIT) % USECS_PER_DAY == 0)
		s->quantized += item->count;
}

/* ---------- the sample that is looked at ---------- */

static int
compare_sampled(const void *a, const void *b)
{
	uint64		oa = ((const SampledKey *) a)->order;
	uint64		ob = ((const SampledKey *) b)->order;

	return oa < ob ? -1 : oa > ob;
}

/* Keep the keys with the smallest hashes: twice as many at a time, then half. */
static void
sample_key(Summary *s, uint64 key)
{
	if (s->sample == NULL)
		return;
	s->sample[s->nsampled++] = (SampledKey) {keyset_mix(key), key};
	if (s->nsampled < 2 * s->sample_size)
		return;
	qsort(s->sample, s->nsampled, sizeof(SampledKey), compare_sampled);
	s->nsampled = s->sample_size;
}

static void
settle_sample(Summary *s)
{
	qsort(s->sample, s->nsampled, sizeof(SampledKey), compare_sampled);
	s->nsampled = Min(s->nsampled, s->sample_size);
}

/* ---------- the first walk ---------- */

static void
visit(Summary *s, ProfileColumn *column, const ValueCount *item)
{
	s->distinct++;
	if (!item_finite(column, item))
		return;
	if (!s->has_range)
		s->first = *item;
	s->has_range = true;
	s->last = *item;
	s->seen += item->count;
	leave_marks(s, column, item);
	if (column->type_class == CLASS_NUMERIC)
		add_number(s, column, item);
	else if (column->kind == KEY_TIMESTAMP || column->kind == KEY_TIMESTAMPTZ)
		add_instant(s, column, item);
}

static void
walk_ordered(Summary *s, ProfileColumn *column)
{
	Walk		walk;
	ValueCount		item;
	int			n = 0;

	s->all_representable = true;
	begin_walk(&walk, column);
	while (next_in_walk(&walk, &item))
	{
		if ((++n & 0xffff) == 0)
			CHECK_FOR_INTERRUPTS();
		if (s->all_representable && is_unrepresentable(column, &item))
			s->all_representable = false;
		offer(s, column, &item);
		visit(s, column, &item);
		if (item.by_key)
			sample_key(s, item.key);
	}
	end_walk(&walk);
	if (s->sample == NULL)
		return;
	settle_sample(s);
	for (int i = 0; i < s->nsampled; i++)
		detect_add(&s->tally, column_key_text(column, s->sample[i].key));
}

/* ---------- hashed keys: which are listed, and their values ---------- */

typedef struct Wanted
{
	uint64		key;
	int64		count;
	char	   *text;
} Wanted;

static HTAB *
create_keys(const char *name, Size entrysize, long n)
{
	HASHCTL		ctl = {0};

	ctl.keysize = sizeof(uint64);
	ctl.entrysize = entrysize;
	ctl.hcxt = CurrentMemoryContext;
	return hash_create(name, n, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static int
compare_counts(const void *a, const void *b)
{
	int64		ca = ((const KeyCount *) a)->count;
	int64		cb = ((const KeyCount *) b)->count;

	return ca > cb ? -1 : ca < cb;
}

/* The most frequent keys, most frequent first; how many keys there are. */
static int64
walk_counts(Summary *s, ProfileColumn *column, KeyCount *top, int ntop, int *filled)
{
	KeyStream  *stream = keyset_open(&column->keys);
	KeyCount	item;
	int64		distinct = 0;
	int			n = 0;

	while (keyset_next(stream, &item))
	{
		if ((++distinct & 0xffff) == 0)
			CHECK_FOR_INTERRUPTS();
		if (s->nsampled < s->sample_size)	/* hashes come in order */
			s->sample[s->nsampled++].key = item.key;
		if (n < ntop)
		{
			top[n++] = item;
			if (n == ntop)
				qsort(top, n, sizeof(KeyCount), compare_counts);
		}
		else if (item.count > top[ntop - 1].count)
		{
			int			i = ntop - 1;

			for (; i > 0 && top[i - 1].count < item.count; i--)
				top[i] = top[i - 1];
			top[i] = item;
		}
	}
	keyset_close(stream);
	qsort(top, n, sizeof(KeyCount), compare_counts);
	*filled = n;
	return distinct;
}

/* Keys just as frequent as the least listed one. */
static HTAB *
find_tied(ProfileColumn *column, int64 cutoff)
{
	KeyStream  *stream = keyset_open(&column->keys);
	HTAB	   *tied = create_keys("equally frequent values", sizeof(uint64), 1024);
	KeyCount	item;
	int64		n = 0;
	int64		ntied = 0;

	while (ntied < MAX_TIED && keyset_next(stream, &item))
	{
		if ((++n & 0xffff) == 0)
			CHECK_FOR_INTERRUPTS();
		if (item.count == cutoff)
		{
			(void) hash_search(tied, &item.key, HASH_ENTER, NULL);
			ntied++;
		}
	}
	keyset_close(stream);
	return tied;
}

static void
remember_text(Wanted *entry, const char *text)
{
	if (entry->text == NULL || strcmp(text, entry->text) < 0)
		entry->text = pstrdup(text);
}

/* A value just as frequent as others: only the first as texts are listed. */
static void
offer_tied(Summary *s, int first, int room, uint64 key, int64 count, const char *text)
{
	Listed	   *ties = s->listed + first;
	int			n = s->nlisted - first;

	if (n == room && strcmp(text, ties[0].text) >= 0)
		return;
	for (int i = 0; i < n; i++)
		if (ties[i].key == key)
		{
			if (strcmp(text, ties[i].text) < 0)
			{
				ties[i].text = pstrdup(text);
				for (int j = n / 2; j >= 0; j--)
					sift_down(ties, n, j);
			}
			return;
		}
	if (n < room)
	{
		ties[n] = (Listed) {key, count, pstrdup(text)};
		s->nlisted++;
		for (int i = (n + 1) / 2; i >= 0; i--)
			sift_down(ties, n + 1, i);
		return;
	}
	ties[0] = (Listed) {key, count, pstrdup(text)};
	sift_down(ties, n, 0);
}

static void
read_texts(ProfileColumn *column, Summary *s, HTAB *wanted, HTAB *tied, int nwanted, int room, int64 cutoff)
{
	uint64		key;
	char	   *text;
	Size		length;
	int64		n = 0;
	HASH_SEQ_STATUS scan;
	Wanted	   *entry;
	int			first;
	HTAB	   *sampled = create_keys("sampled values", sizeof(uint64), Max(s->nsampled, 1));
	uint64		last_sampled = s->nsampled > 0 ? s->sample[s->nsampled - 1].key : 0;
	uint64		filter = 0;		/* low bits of the wanted keys */

	hash_seq_init(&scan, wanted);
	while ((entry = hash_seq_search(&scan)) != NULL)
		filter |= UINT64CONST(1) << (entry->key & 63);

	for (int i = 0; i < s->nsampled; i++)
		(void) hash_search(sampled, &s->sample[i].key, HASH_ENTER, NULL);

	/* ties are gathered behind the place of those that are listed anyway */
	first = s->nlisted = nwanted;
	texts_rewind(&column->texts);
	while (texts_next(&column->texts, &key, &text, &length))
	{
		if ((++n & 0xffff) == 0)
			CHECK_FOR_INTERRUPTS();
		/* each once: the first of its spellings that was written */
		if (key <= last_sampled && hash_search(sampled, &key, HASH_REMOVE, NULL) != NULL)
			detect_add(&s->tally, text);
		entry = filter & (UINT64CONST(1) << (key & 63)) ? hash_search(wanted, &key, HASH_FIND, NULL) : NULL;
		if (entry != NULL)
			remember_text(entry, text);
		else if (room > 0 && (tied == NULL || hash_search(tied, &key, HASH_FIND, NULL) != NULL))
			offer_tied(s, first, room, key, cutoff, text);
	}
	n = 0;
	hash_seq_init(&scan, wanted);
	while ((entry = hash_seq_search(&scan)) != NULL)
		s->listed[n++] = (Listed) {entry->key, entry->count, entry->text ? entry->text : pstrdup("")};
}

static void
walk_hashed(Summary *s, ProfileColumn *column)
{
	KeyCount   *top = palloc(sizeof(KeyCount) * s->bound);
	HTAB	   *wanted = create_keys("listed values", sizeof(Wanted), 64);
	HTAB	   *tied = NULL;
	int			filled;
	int			room;
	int64		cutoff;
	int			nwanted = 0;

	s->distinct = walk_counts(s, column, top, s->bound, &filled);
	s->seen = column->nonnull;
	if (column->type_class == CLASS_JSON)
		return;
	room = s->distinct <= s->bound ? filled : Min(s->ntop, filled);
	cutoff = s->distinct <= s->bound ? 0 : top[room - 1].count;
	while (nwanted < filled && top[nwanted].count > cutoff)
	{
		Wanted	   *entry = hash_search(wanted, &top[nwanted].key, HASH_ENTER, NULL);

		entry->count = top[nwanted++].count;
		entry->text = NULL;
	}
	if (cutoff > 1)
		tied = find_tied(column, cutoff);
	read_texts(column, s, wanted, tied, nwanted, cutoff > 0 ? room - nwanted : 0, cutoff);
}

/* ---------- emitting ---------- */

static void
put_inline(ModelBuilder *b, const char *key, Jsonb *value)
{
	model_put_jsonb(b, key, value);
}

/* Trimmed and folded, as normalized_cardinality folds. */
static char *
fold(ProfileColumn *column, const char *text)
{
	int			length;

	while (*text == ' ')
		text++;
	length = strlen(text);
	while (length > 0 && text[length - 1] == ' ')
		length--;
	return str_tolower(text, length, OidIsValid(column->collation) ? column->collation : DEFAULT_COLLATION_OID);
}

/* The most frequent spelling of the same folded value, if it is not this one. */
static const char *
spelling_of(Summary *s, char **folded, int i)
{
	for (int j = 0; j < i; j++)
		if (strcmp(folded[i], folded[j]) == 0)
			return s->listed[j].text;
	return NULL;
}

static void
put_values(Summary *s, ProfileColumn *column, ModelBuilder *b)
{
	char	  **folded = palloc0(sizeof(char *) * (s->nlisted + 1));

	model_key(b, "values");
	model_array_begin(b);
	for (int i = 0; i < s->nlisted; i++)
	{
		model_object_begin(b);
		put_inline(b, "value", value_json(column, s->listed[i].text, false));
		model_put_int(b, "count", s->listed[i].count);
		if (column->string)
		{
			folded[i] = fold(column, s->listed[i].text);
			model_put_text(b, "spelling_of", spelling_of(s, folded, i));
		}
		model_object_end(b);
	}
	model_array_end(b);
}

static int64
listed_total(const Summary *s)
{
	int64		total = 0;

	for (int i = 0; i < s->nlisted; i++)
		total += s->listed[i].count;
	return total;
}

static const char *
distribution(const Summary *s, const ProfileColumn *column)
{
	bool		exhaustive = s->nlisted == s->distinct;
	double		total = listed_total(s);

	if (column->nonnull == 0 || s->nlisted == 0)
		return "uniform";
	if (s->listed[0].count >= 0.95 * column->nonnull)
		return "dominant_value";
	if (!exhaustive && total < 0.30 * column->nonnull)
		return "long_tail";
	if (s->listed[0].count > 2 * s->listed[s->nlisted - 1].count)
		return "imbalanced";
	return "uniform";
}

static void
put_coverage(Summary *s, ProfileColumn *column, ModelBuilder *b)
{
	bool		exhaustive = s->nlisted == s->distinct;

	model_put_numeric(b, "values_coverage", exhaustive ? numbers_from_text("1") :
					  numbers_ratio(listed_total(s), column->nonnull, true));
	if (exhaustive && column->nonnull > 0)
		model_put_text(b, "values_coverage_method", "measured");
}

static void
put_frequencies(Summary *s, ModelBuilder *b)
{
	model_key(b, "frequencies");
	model_object_begin(b);
	model_put_int(b, "top", s->nlisted ? s->listed[0].count : 0);
	model_put_int(b, "bottom", s->nlisted ? s->listed[s->nlisted - 1].count : 0);
	model_put_int(b, "listed", s->nlisted);
	model_put_int(b, "total", listed_total(s));
	model_object_end(b);
}

static bool
has_date(const ProfileColumn *column)
{
	return column->kind == KEY_DATE || column->kind == KEY_TIMESTAMP || column->kind == KEY_TIMESTAMPTZ;
}

/* Whole elapsed days between two values of a dated column. */
static int64
day_count(const ProfileColumn *column, int64 earlier, int64 later)
{
	if (column->kind == KEY_DATE)
		return later - earlier;
	return (int64) floor((double) (((int128) later - earlier) / 1000000) / SECS_PER_DAY);
}

static int64
item_instant(const ValueCount *item)
{
	return (int64) (item->key ^ SIGN_BIT);
}

static void
put_range(Summary *s, ProfileColumn *column, const ProfileSettings *settings, ModelBuilder *b)
{
	if (!s->has_range)
		return;
	model_key(b, "range");
	model_object_begin(b);
	put_inline(b, "min", value_json(column, item_text(column, &s->first), true));
	put_inline(b, "max", value_json(column, item_text(column, &s->last), true));
	if (column->type_class == CLASS_TEMPORAL)
		model_put_int(b, "span_days", has_date(column) ?
					  day_count(column, item_instant(&s->first), item_instant(&s->last)) : 0);
	model_object_end(b);

	model_key(b, "percentiles");
	model_object_begin(b);
	for (int i = 0; i < settings->npercentiles; i++)
		put_inline(b, psprintf("p%02d", settings->percentiles[i]), s->percentiles[settings->percentiles[i]]);
	model_object_end(b);
}

static void
put_histogram(Summary *s, ModelBuilder *b)
{
	if (!s->has_range)
		return;
	model_key(b, "histogram");
	model_array_begin(b);
	for (int bin = 0; bin <= HISTOGRAM_BINS; bin++)
		model_add_jsonb(b, s->histogram[bin]);
	model_array_end(b);
}

static void
put_unrepresentable(Summary *s, ProfileColumn *column, const ProfileSettings *settings, ModelBuilder *b)
{
	List	   *fields = NIL;

	if (s->has_range && is_unrepresentable(column, &s->first))
		fields = lappend(fields, "min");
	if (s->has_range && is_unrepresentable(column, &s->last))
		fields = lappend(fields, "max");
	for (int i = 0; i < settings->npercentiles; i++)
		if (s->unfit[settings->percentiles[i]] != NULL)
			fields = lappend(fields, s->unfit[settings->percentiles[i]]);
	model_put_texts(b, "unrepresentable", fields);
}

/* live below 7 days, stale below 90, dormant from there (section 2.2.4). */
static void
put_freshness(Summary *s, ProfileColumn *column, TimestampTz now, ModelBuilder *b)
{
	int64		age = 0;

	if (s->has_range && has_date(column))
	{
		int64		today = column->kind == KEY_DATE ? now / USECS_PER_DAY - (now < 0 && now % USECS_PER_DAY != 0) : now;

		age = Max(0, day_count(column, item_instant(&s->last), today));
	}
	model_key(b, "freshness");
	model_object_begin(b);
	model_put_int(b, "max_age_days", age);
	model_put_text(b, "classification", age < 7 ? "live" : age < 90 ? "stale" : "dormant");
	model_object_end(b);
}

static Datum
total_sum(Summary *s, ProfileColumn *column)
{
	Datum		sum;

	if (is_float(column))
		return DirectFunctionCall1(float8_numeric, Float8GetDatum(s->fsum + s->compensation));
	sum = numbers_from_text(numbers_scaled_text(s->sum, column->kind == KEY_NUMERIC ? column->scale : 0));
	return s->has_nsum ? DirectFunctionCall2(numeric_add, sum, s->nsum) : sum;
}

static void
put_numbers(Summary *s, ProfileColumn *column, ModelBuilder *b)
{
	if (s->seen > 0)
	{
		double		fsum = s->fsum + s->compensation;

		if (is_float(column) && !isfinite(fsum))
		{
			/* the sum of finite values is out of range; their mean may not be */
			model_put_text(b, "sum", fsum > 0 ? "Infinity" : "-Infinity");
		}
		else
		{
			Datum		sum = total_sum(s, column);
			Datum		n = NumericGetDatum(int64_to_numeric(s->seen));

			model_put_numeric(b, "sum", numbers_round_numeric(sum));
			model_put_numeric(b, "mean", numbers_round_numeric(DirectFunctionCall2(numeric_div, sum, n)));
		}
	}
	model_put_int(b, "zero_count", s->zeros);
	model_put_int(b, "negative_count", s->negatives);
	model_put_int(b, "quantized_count", s->quantized);
}

/* ---------- lengths ---------- */

/* percentile_cont(0.95) over the counted lengths. */
static double
length_at(LengthCounts *l, double fraction)
{
	double		position = fraction * (l->n - 1);
	int64		rank = (int64) floor(position);
	int64		low = -1;
	int64		high = -1;
	int64		seen = 0;

	for (int64 i = 0; i < LENGTHS_COUNTED && high < 0; i++)
	{
		seen += l->counts[i];
		if (low < 0 && seen > rank)
			low = i;
		if (high < 0 && seen > Min(rank + 1, l->n - 1))
			high = i;
	}
	if (high < 0 && l->others != NULL)
	{
		KeyStream  *stream = keyset_open(l->others);
		KeyCount	item;

		while (high < 0 && keyset_next(stream, &item))
		{
			seen += item.count;
			if (low < 0 && seen > rank)
				low = item.key;
			if (seen > Min(rank + 1, l->n - 1))
				high = item.key;
		}
		keyset_close(stream);
	}
	return low + (high - low) * (position - rank);
}

static void
put_lengths(ProfileColumn *column, ModelBuilder *b)
{
	LengthCounts *l = &column->lengths;

	if (!column->string || l->n == 0)
		return;
	if (l->others != NULL)
		keyset_finish(l->others);
	model_key(b, "length");
	model_object_begin(b);
	model_put_int(b, "min", l->min);
	model_put_int(b, "max", l->max);
	model_put_numeric(b, "avg", numbers_round_numeric(DirectFunctionCall2(numeric_div,
																		  NumericGetDatum(int64_to_numeric(l->sum)),
																		  NumericGetDatum(int64_to_numeric(l->n)))));
	model_put_numeric(b, "p95", numbers_round(length_at(l, 0.95)));
	model_object_end(b);
}

/* An enum's labels have their lengths per key. */
static void
measure_labels(ProfileColumn *column)
{
	KeyStream  *stream;
	KeyCount	item;
	LengthCounts *l = &column->lengths;

	if (column->kind != KEY_OID || !column->string)
		return;
	stream = keyset_open(&column->keys);
	while (keyset_next(stream, &item))
	{
		char	   *label = column_key_text(column, item.key);
		int64		length = Min(pg_mbstrlen(label), LENGTHS_COUNTED - 1);

		l->n += item.count;
		l->sum += length * item.count;
		l->min = Min(l->min, length);
		l->max = Max(l->max, length);
		l->empty += length == 0 ? item.count : 0;
		l->counts[length] += item.count;
	}
	keyset_close(stream);
}

/* ---------- the document ---------- */

static const char *
classify(const ProfileColumn *column, const ProfileSettings *settings)
{
	if (column->type_class == CLASS_BOOLEAN)
		return "boolean";
	if (column->type_class == CLASS_JSON)
		return "json";
	if (column->type_class == CLASS_UNSUPPORTED)
		return "unsupported";
	if (column->foreign_key)
		return "foreign_key_candidate";
	if (column->cardinality <= settings->enumeration_threshold)
		return "categorical";
	if (column->type_class == CLASS_TEMPORAL)
		return "temporal";
	return column->type_class == CLASS_NUMERIC ? "numeric" : "text";
}

static void
put_catalog_facts(ProfileColumn *column, int64 rows, bool scoped, ModelBuilder *b)
{
	model_put_text(b, "sql_type", column->sql_type);
	model_put_bool(b, "nullable", column->nullable);
	model_put_int(b, "null_count", column->nulls);
	model_put_numeric(b, "null_rate", numbers_ratio(column->nulls, rows, true));
	model_put_text(b, "collation", column->collation_name);
	model_put_true(b, "physical_layout_key", column->layout_key);
	if (scoped)
		model_put_int(b, "rows_scanned", rows);
}

/* What the format does not ask for. */
static void
put_own_facts(ProfileColumn *column, ModelBuilder *b)
{
	static const char *const kinds[] = {"object", "array", "string", "number", "boolean", "null"};

	if (column->nan > 0)
		model_put_int(b, "nan_count", column->nan);
	if (column->infinite > 0)
		model_put_int(b, "infinity_count", column->infinite);
	if (column->nonnull > 0)
		model_put_numeric(b, "avg_width", numbers_round(column->typlen > 0 ? column->typlen :
														(double) column->width / column->nonnull));
	if (column->toasted > 0)
		model_put_numeric(b, "toasted_share", numbers_ratio(column->toasted, column->nonnull, true));
	if (column->type_class == CLASS_JSON && column->nonnull > 0)
	{
		model_key(b, "kinds");
		model_object_begin(b);
		for (int i = 0; i < lengthof(kinds); i++)
			if (column->json_kinds[i] > 0)
				model_put_int(b, kinds[i], column->json_kinds[i]);
		model_object_end(b);
	}
}

static bool
is_class(const ProfileColumn *column, const char *classification)
{
	return strcmp(column->classification, classification) == 0;
}

static void
put_looks_like(Summary *s, ProfileColumn *column, ModelBuilder *b)
{
	DetectPattern verdict = detect_verdict(&s->tally);
	DetectPattern candidate = detect_candidate(&s->tally);
	bool		tautology = column->type_class == CLASS_NUMERIC;

	if (verdict != PATTERN_NONE && !(tautology && verdict == PATTERN_NUMERIC_STRING))
	{
		model_put_text(b, "looks_like", detect_pattern_name(verdict));
		model_put_int(b, "sampled", s->tally.sampled);
		model_put_int(b, "matched", s->tally.matched[verdict]);
	}
	else if (candidate != PATTERN_NONE && !(tautology && candidate == PATTERN_NUMERIC_STRING))
	{
		model_put_text(b, "looks_like_candidate", detect_pattern_name(candidate));
		model_put_numeric(b, "looks_like_candidate_share",
						  numbers_ratio(s->tally.matched[candidate], s->tally.sampled, true));
	}
}

static const char *
epoch_unit(Summary *s, ProfileColumn *column)
{
	if (is_class(column, "numeric"))
		return s->has_range && s->first.by_key && s->last.by_key ?
			detect_epoch_bounds(column_key_float(column, s->first.key), column_key_float(column, s->last.key)) : NULL;
	return detect_epoch(&s->tally);
}

/* Values are looked at on these classifications alone (section 4.1.5). */
static bool
is_looked_at(const ProfileColumn *column)
{
	return is_class(column, "categorical") || is_class(column, "text") || is_class(column, "foreign_key_candidate");
}

static void
put_inferred(Summary *s, ProfileColumn *column, int64 rows, ModelBuilder *b)
{
	ModelBuilder inner = {0};
	Jsonb	   *inferred;

	if (!is_looked_at(column))
		memset(&s->tally, 0, sizeof(s->tally));
	/* a scan of no rows is unique in nothing */
	column->candidate_key = rows > 0 && column->cardinality >= 0.9999 * rows;
	model_object_begin(&inner);
	put_looks_like(s, column, &inner);
	model_put_true(&inner, "candidate_key", column->candidate_key);
	if (column->candidate_key && column->cardinality < rows && column->cardinality < column->nonnull)
		model_put_text(&inner, "candidate_key_exception", "measured_duplicates");
	model_put_text(&inner, "sensitivity", detect_sensitivity(column->name, detect_verdict(&s->tally), &s->tally));
	if (is_looked_at(column) || is_class(column, "numeric"))
		model_put_text(&inner, "epoch_unit", epoch_unit(s, column));
	model_object_end(&inner);
	inferred = model_finish(&inner);
	if (JB_ROOT_COUNT(inferred) > 0)
		model_put_jsonb(b, "inferred", inferred);
}

static void
put_measured(Summary *s, ProfileColumn *column, const ProfileSettings *settings, int64 rows,
			 TimestampTz now, ModelBuilder *b)
{
	model_put_int(b, "cardinality", column->cardinality);
	model_put_numeric(b, "cardinality_ratio", numbers_ratio(column->cardinality, rows, false));
	model_put_text(b, "cardinality_method", "exact");
	put_inferred(s, column, rows, b);
	if (is_class(column, "json"))
		return;
	put_values(s, column, b);
	if (is_class(column, "temporal") || is_class(column, "numeric"))
	{
		put_frequencies(s, b);
		put_range(s, column, settings, b);
		if (is_class(column, "numeric"))
			put_numbers(s, column, b);
		else
		{
			put_unrepresentable(s, column, settings, b);
			put_freshness(s, column, now, b);
			if (column->kind == KEY_TIMESTAMP || column->kind == KEY_TIMESTAMPTZ)
				model_put_int(b, "quantized_count", s->quantized);
		}
	}
	else
		put_coverage(s, column, b);
	if (!is_class(column, "boolean"))
		model_put_text(b, "distribution", distribution(s, column));
	if (is_class(column, "text"))
		model_put_int(b, "empty_count", column->lengths.empty);
	put_lengths(column, b);
	if (column_is_ordered(column) && column->cardinality > settings->enumeration_threshold)
		put_histogram(s, b);
}

static void
put_unmeasured(ProfileColumn *column, ModelBuilder *b)
{
	static const char *const fields[] = {"cardinality", "cardinality_method", "cardinality_ratio"};
	List	   *names = NIL;

	if (column->type_class != CLASS_JSON)
		return;
	for (int i = 0; i < lengthof(fields); i++)
		names = lappend(names, (char *) fields[i]);
	model_put_texts(b, "unmeasured", names);
}

static void
summarize(Summary *s, ProfileColumn *column, const ProfileSettings *settings)
{
	s->ntop = settings->top_n_values;
	s->bound = Max(settings->enumeration_threshold, settings->top_n_values);
	s->listed = palloc0(sizeof(Listed) * (s->bound + s->ntop + 1));
	if (column->type_class == CLASS_TEXT || column->foreign_key || column->type_class == CLASS_NUMERIC ||
		column->type_class == CLASS_TEMPORAL)
	{
		s->sample_size = settings->looks_like_sample_size;
		s->sample = palloc(sizeof(SampledKey) * s->sample_size * 2);
	}
	keyset_finish(&column->keys);
	if (column->sorted != NULL)
		tuplesort_performsort(column->sorted);
	if (column->kind == KEY_BYTES || column->kind == KEY_HASHED)
		walk_hashed(s, column);
	else
	{
		if (column_is_ordered(column))
			plan_marks(s, settings, column->nonnull - column->nan - column->infinite);
		walk_ordered(s, column);
	}
	qsort(s->listed, s->nlisted, sizeof(Listed), compare_listed);
	if (s->distinct > s->bound)
		s->nlisted = Min(s->nlisted, s->ntop);
}

/* Emits one object: the column's document. */
void
column_finish(ProfileColumn *column, const ProfileSettings *settings, int64 rows, TimestampTz now,
			  bool scoped, ModelBuilder *b)
{
	Summary    *s = palloc0(sizeof(Summary));

	column->nonnull = rows - column->nulls;
	if (column->kind != KEY_NONE)
	{
		summarize(s, column, settings);
		column->cardinality = s->distinct;
		measure_labels(column);
	}
	column->classification = classify(column, settings);
	model_object_begin(b);
	put_catalog_facts(column, rows, scoped, b);
	model_put_text(b, "classification", column->classification);
	if (column->kind != KEY_NONE)
		put_measured(s, column, settings, rows, now, b);
	else
		put_unmeasured(column, b);
	put_own_facts(column, b);
	model_object_end(b);
}

/* ---------- timeline ---------- */

bool
column_is_anchor(const ProfileColumn *column)
{
	return has_date(column) && column->nonnull - column->infinite > 0;
}

/* The bucket's beginning: of the day, of the week's Monday, of the month. */
static int64
bucket_start(int64 day, char unit)
{
	int			year;
	int			month;
	int			mday;

	if (unit == 'd')
		return day;
	if (unit == 'w')
	{
		int64		since_monday = (day + POSTGRES_EPOCH_JDATE) % 7;

		return day - since_monday;
	}
	j2date((int) day + POSTGRES_EPOCH_JDATE, &year, &month, &mday);
	return date2j(year, month, 1) - POSTGRES_EPOCH_JDATE;
}

static int64
day_of(const ProfileColumn *column, uint64 key)
{
	int64		value = (int64) (key ^ SIGN_BIT);

	if (column->kind == KEY_DATE)
		return value;
	return value >= 0 ? value / USECS_PER_DAY : -((-value + USECS_PER_DAY - 1) / USECS_PER_DAY);
}

static void
add_bucket(ProfileColumn *column, int64 start, int64 count, ModelBuilder *b)
{
	model_object_begin(b);
	model_put_text(b, "start", column_instant(column, column->kind == KEY_DATE ? start : start * USECS_PER_DAY));
	model_put_int(b, "count", count);
	model_object_end(b);
}

/* Days up to a quarter, weeks up to two years, months beyond. */
static char
choose_unit(int64 span)
{
	return span <= 92 ? 'd' : span <= 732 ? 'w' : 'm';
}

static int64
anchor_span(ProfileColumn *column)
{
	KeyStream  *stream = keyset_open(&column->keys);
	KeyCount	item;
	int64		first = 0;
	int64		last = 0;
	bool		any = false;

	while (keyset_next(stream, &item))
	{
		if (!column_key_finite(column, item.key))
			continue;
		last = day_of(column, item.key);
		if (!any)
			first = last;
		any = true;
	}
	keyset_close(stream);
	return last - first;
}

Jsonb *
column_timeline(ProfileColumn *column, int64 rows)
{
	char		unit = choose_unit(anchor_span(column));
	KeyStream  *stream = keyset_open(&column->keys);
	KeyCount	item;
	ModelBuilder b = {0};
	int64		start = 0;
	int64		count = 0;
	int64		total = 0;

	model_object_begin(&b);
	model_put_text(&b, "column", column->name);
	model_put_text(&b, "unit", unit == 'd' ? "day" : unit == 'w' ? "week" : "month");
	model_key(&b, "buckets");
	model_array_begin(&b);
	while (keyset_next(stream, &item))
	{
		int64		here;

		if (!column_key_finite(column, item.key))
			continue;
		here = bucket_start(day_of(column, item.key), unit);
		if (count > 0 && here != start)
		{
			add_bucket(column, start, count, &b);
			count = 0;
		}
		start = here;
		count += item.count;
		total += item.count;
	}
	if (count > 0)
		add_bucket(column, start, count, &b);
	model_array_end(&b);
	model_put_numeric(&b, "coverage", numbers_ratio(total, rows, true));
	model_object_end(&b);
	keyset_close(stream);
	return model_finish(&b);
}

/* ---------- the end ---------- */

/* Files and sorts; an error's cleanup does the same through the resource owner. */
void
column_release(ProfileColumn *column)
{
	keyset_release(&column->keys);
	texts_release(&column->texts);
	if (column->lengths.others != NULL)
		keyset_release(column->lengths.others);
	if (column->sorted != NULL)
		tuplesort_end(column->sorted);
}
