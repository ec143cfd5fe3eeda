/*-------------------------------------------------------------------------
 *
 * keyset.c
 *	  Exact counts of 64-bit keys in bounded memory.
 *
 * The sort is least-significant-digit radix sort over bytes; a byte in which
 * all keys agree costs nothing, so small integers take two passes and not
 * eight.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/tablespace.h"
#include "compat.h"
#include "lib/binaryheap.h"
#include "miscadmin.h"
#include "profile/keyset.h"
#include "utils/memutils.h"

/* More than this share of a full table is too many. */
#define MAX_FILLED (KEYSET_SLOTS / 2)

/* Items read at a time from a run. */
#define READ_ITEMS 2048

#define FIRST_ALLOCATION 8192

/* One sorted sequence: in memory, or a part of the file read bit by bit. */
typedef struct Run
{
	KeyCount   *items;
	int64		nitems;
	int64		next;
	BufFile    *file;			/* NULL: all is in items */
	int64		left;			/* items still in the file */
	int			fileno;
	off_t		offset;
} Run;

struct KeyStream
{
	MemoryContext context;
	Run		   *runs;
	int			nruns;
	binaryheap *heap;			/* of run numbers, when there are several */
};

void
keyset_init(KeySet *set, int64 capacity)
{
	memset(set, 0, sizeof(*set));
	set->context = CurrentMemoryContext;
	set->capacity = Max(capacity, FIRST_ALLOCATION);
	set->slots = palloc0(sizeof(KeyCount) * KEYSET_SLOTS);
}

/* ---------- sorting ---------- */

static void
count_digits(const uint64 *keys, int64 n, uint32 counts[8][256])
{
	memset(counts, 0, sizeof(uint32) * 8 * 256);
	for (int64 i = 0; i < n; i++)
	{
		uint64		key = keys[i];

		for (int digit = 0; digit < 8; digit++)
			counts[digit][(key >> (digit * 8)) & 0xff]++;
	}
}

/* Sorts in place; "scratch" has room for as many. */
static void
radix_sort(uint64 *keys, uint64 *scratch, int64 n)
{
	uint32		counts[8][256];
	uint64	   *from = keys;
	uint64	   *to = scratch;

	count_digits(keys, n, counts);
	for (int digit = 0; digit < 8; digit++)
	{
		uint32	   *count = counts[digit];
		uint32		sum = 0;
		int			shift = digit * 8;

		if (count[(keys[0] >> shift) & 0xff] == n)
			continue;
		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < 256; i++)
		{
			uint32		here = count[i];

			count[i] = sum;
			sum += here;
		}
		for (int64 i = 0; i < n; i++)
			to[count[(from[i] >> shift) & 0xff]++] = from[i];
		{
			uint64	   *swap = from;

			from = to;
			to = swap;
		}
	}
	if (from != keys)
		memcpy(keys, from, sizeof(uint64) * n);
}

static KeyCount *
collapse(const uint64 *keys, int64 n, int64 *ncollapsed)
{
	int64		distinct = 1;
	int64		at = 0;
	KeyCount   *items;

	for (int64 i = 1; i < n; i++)
		distinct += keys[i] != keys[i - 1];
	items = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(KeyCount) * distinct);
	items[0] = (KeyCount) {keys[0], 1};
	for (int64 i = 1; i < n; i++)
	{
		if (keys[i] == items[at].key)
			items[at].count++;
		else
			items[++at] = (KeyCount) {keys[i], 1};
	}
	*ncollapsed = distinct;
	return items;
}

static KeyCount *
merge_counts(const KeyCount *a, int64 na, const KeyCount *b, int64 nb, int64 *nmerged)
{
	KeyCount   *out = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(KeyCount) * (na + nb + 1));
	int64		i = 0;
	int64		j = 0;
	int64		n = 0;

	while (i < na || j < nb)
	{
		if (j >= nb || (i < na && a[i].key < b[j].key))
			out[n++] = a[i++];
		else if (i >= na || b[j].key < a[i].key)
			out[n++] = b[j++];
		else
		{
			out[n] = a[i++];
			out[n++].count += b[j++].count;
		}
	}
	*nmerged = n;
	return out;
}

static void
write_run(KeySet *set, KeyCount *items, int64 n)
{
	KeyRun	   *run;

	if (set->file == NULL)
	{
		PrepareTempTablespaces();
		set->file = BufFileCreateTemp(false);
	}
	if (set->nruns == set->allocated_runs)
	{
		set->allocated_runs = set->allocated_runs ? set->allocated_runs * 2 : 16;
		set->runs = set->runs ? repalloc(set->runs, sizeof(KeyRun) * set->allocated_runs) :
			palloc(sizeof(KeyRun) * set->allocated_runs);
	}
	run = &set->runs[set->nruns++];
	run->length = n;
	BufFileTell(set->file, &run->fileno, &run->offset);
	for (int64 from = 0; from < n; from += READ_ITEMS)
	{
		CHECK_FOR_INTERRUPTS();
		BufFileWrite(set->file, items + from, sizeof(KeyCount) * Min(READ_ITEMS, n - from));
	}
}

/* Keep a sorted sequence in memory while it is small, else in the file. */
static void
keep(KeySet *set, KeyCount *items, int64 n)
{
	KeyCount   *merged;
	int64		nmerged;

	if (set->ncompact + n > set->capacity / 4)
	{
		write_run(set, items, n);
		pfree(items);
		return;
	}
	merged = merge_counts(set->compact, set->ncompact, items, n, &nmerged);
	pfree(items);
	if (set->compact)
		pfree(set->compact);
	set->compact = merged;
	set->ncompact = nmerged;
}

static void
sort_gathered(KeySet *set)
{
	MemoryContext old = MemoryContextSwitchTo(set->context);
	uint64	   *scratch;
	KeyCount   *items;
	int64		n;

	if (set->ngathered > 0)
	{
		scratch = MemoryContextAllocHuge(set->context, sizeof(uint64) * set->ngathered);
		radix_sort(set->gathered, scratch, set->ngathered);
		pfree(scratch);
		items = collapse(set->gathered, set->ngathered, &n);
		set->ngathered = 0;
		keep(set, items, n);
	}
	MemoryContextSwitchTo(old);
}

static int
compare_key_counts(const void *a, const void *b)
{
	uint64		ka = ((const KeyCount *) a)->key;
	uint64		kb = ((const KeyCount *) b)->key;

	return ka < kb ? -1 : ka > kb;
}

/* The small table's content as a sorted sequence. */
static void
empty_table(KeySet *set)
{
	MemoryContext old = MemoryContextSwitchTo(set->context);
	KeyCount   *items = palloc(sizeof(KeyCount) * (set->nslots + 1));
	int			n = 0;

	for (int i = 0; i < KEYSET_SLOTS; i++)
		if (set->slots[i].count != 0)
			items[n++] = set->slots[i];
	qsort(items, n, sizeof(KeyCount), compare_key_counts);
	pfree(set->slots);
	set->slots = NULL;
	set->compact = items;
	set->ncompact = n;
	MemoryContextSwitchTo(old);
}

/* A new key for the table, or no room where keys are gathered. */
void
keyset_add_slow(KeySet *set, uint64 key)
{
	if (set->slots != NULL)
	{
		uint32		i = keyset_mix(key) & (KEYSET_SLOTS - 1);

		while (set->slots[i].count != 0)
			i = (i + 1) & (KEYSET_SLOTS - 1);
		set->slots[i] = (KeyCount) {key, 1};
		if (++set->nslots > MAX_FILLED)
			empty_table(set);
		return;
	}
	if (set->allocated < set->capacity)
	{
		set->allocated = Min(set->capacity, set->allocated ? set->allocated * 2 : FIRST_ALLOCATION);
		if (set->gathered == NULL)
			set->gathered = MemoryContextAllocHuge(set->context, sizeof(uint64) * set->allocated);
		else
			set->gathered = repalloc_huge(set->gathered, sizeof(uint64) * set->allocated);
	}
	else
		sort_gathered(set);
	set->gathered[set->ngathered++] = key;
}

void
keyset_finish(KeySet *set)
{
	if (set->slots != NULL)
		empty_table(set);
	sort_gathered(set);
	if (set->gathered != NULL)
		pfree(set->gathered);
	set->gathered = NULL;
	set->allocated = 0;
}

void
keyset_release(KeySet *set)
{
	if (set->file != NULL)
		BufFileClose(set->file);
	set->file = NULL;
}

/* ---------- reading ---------- */

static bool
fill(Run *run)
{
	int64		n = Min(READ_ITEMS, run->left);

	if (run->file == NULL || n == 0)
		return false;
	if (BufFileSeek(run->file, run->fileno, run->offset, SEEK_SET) != 0)
		ereport(ERROR, (errcode_for_file_access(), errmsg("could not seek in a temporary file: %m")));
	CHECK_FOR_INTERRUPTS();
	BufFileReadExact(run->file, run->items, sizeof(KeyCount) * n);
	BufFileTell(run->file, &run->fileno, &run->offset);
	run->left -= n;
	run->nitems = n;
	run->next = 0;
	return true;
}

static int
compare_runs(Datum a, Datum b, void *arg)
{
	Run		   *runs = arg;
	Run		   *ra = &runs[DatumGetInt32(a)];
	Run		   *rb = &runs[DatumGetInt32(b)];
	uint64		ka = ra->items[ra->next].key;
	uint64		kb = rb->items[rb->next].key;

	return ka < kb ? 1 : ka > kb ? -1 : 0;	/* the heap's top is the largest */
}

static void
open_file_runs(KeySet *set, KeyStream *stream)
{
	for (int i = 0; i < set->nruns; i++)
	{
		Run		   *run = &stream->runs[stream->nruns++];

		run->items = palloc(sizeof(KeyCount) * READ_ITEMS);
		run->file = set->file;
		run->left = set->runs[i].length;
		run->fileno = set->runs[i].fileno;
		run->offset = set->runs[i].offset;
		fill(run);
	}
}

KeyStream *
keyset_open(KeySet *set)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sorted keys", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	KeyStream  *stream = palloc0(sizeof(KeyStream));

	stream->context = context;
	stream->runs = palloc0(sizeof(Run) * (set->nruns + 1));
	if (set->ncompact > 0)
	{
		stream->runs[0].items = set->compact;
		stream->runs[0].nitems = set->ncompact;
		stream->nruns = 1;
	}
	open_file_runs(set, stream);
	if (stream->nruns > 1)
	{
		stream->heap = binaryheap_allocate(stream->nruns, compare_runs, stream->runs);
		for (int i = 0; i < stream->nruns; i++)
			binaryheap_add_unordered(stream->heap, Int32GetDatum(i));
		binaryheap_build(stream->heap);
	}
	MemoryContextSwitchTo(old);
	return stream;
}

/* One item of the run with the smallest key. */
static bool
next_item(KeyStream *stream, KeyCount *item)
{
	Run		   *run;

	if (binaryheap_empty(stream->heap))
		return false;
	run = &stream->runs[DatumGetInt32(binaryheap_first(stream->heap))];
	*item = run->items[run->next++];
	if (run->next < run->nitems || fill(run))
		binaryheap_replace_first(stream->heap, binaryheap_first(stream->heap));
	else
		binaryheap_remove_first(stream->heap);
	return true;
}

static bool
peek_key(KeyStream *stream, uint64 *key)
{
	Run		   *run;

	if (binaryheap_empty(stream->heap))
		return false;
	run = &stream->runs[DatumGetInt32(binaryheap_first(stream->heap))];
	*key = run->items[run->next].key;
	return true;
}

bool
keyset_next(KeyStream *stream, KeyCount *item)
{
	KeyCount	more;
	uint64		key;

	if (stream->nruns == 0)
		return false;
	if (stream->heap == NULL)
	{
		Run		   *run = &stream->runs[0];

		if (run->next >= run->nitems && !fill(run))
			return false;
		*item = run->items[run->next++];
		return true;
	}
	if (!next_item(stream, item))
		return false;
	while (peek_key(stream, &key) && key == item->key && next_item(stream, &more))
		item->count += more.count;
	return true;
}

void
keyset_close(KeyStream *stream)
{
	MemoryContextDelete(stream->context);
}
