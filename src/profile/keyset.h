/*-------------------------------------------------------------------------
 *
 * keyset.h
 *	  Exact counts of 64-bit keys in bounded memory.
 *
 * Keys go in one by one and come out sorted and counted.  Few distinct keys
 * are counted in a small table as they come; many are gathered, radix-sorted
 * and collapsed, and go to temporary files as sorted runs when the memory is
 * used up.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_PROFILE_KEYSET_H
#define DRIFTPRINT_PROFILE_KEYSET_H

#include "postgres.h"

#include "storage/buffile.h"

/* Slots of the small table; a power of two. */
#define KEYSET_SLOTS 4096

typedef struct KeyCount
{
	uint64		key;
	int64		count;
} KeyCount;

/* A sorted sequence in the file. */
typedef struct KeyRun
{
	int64		length;
	int			fileno;
	off_t		offset;
} KeyRun;

typedef struct KeySet
{
	MemoryContext context;
	int64		capacity;		/* keys gathered before they are sorted */

	/* few distinct keys */
	KeyCount   *slots;			/* count 0 = free; NULL once there were too many */
	int			nslots;

	/* many */
	uint64	   *gathered;
	int64		ngathered;
	int64		allocated;
	KeyCount   *compact;		/* sorted and counted, in memory */
	int64		ncompact;
	BufFile    *file;			/* sorted runs */
	int			nruns;
	KeyRun	   *runs;
	int			allocated_runs;
} KeySet;

typedef struct KeyStream KeyStream;

extern void keyset_init(KeySet *set, int64 capacity);
extern void keyset_add_slow(KeySet *set, uint64 key);
extern void keyset_finish(KeySet *set);

/* Give up temporary files; memory goes with the context. */
extern void keyset_release(KeySet *set);

/* Sorted, each key once; any number of streams one after another. */
extern KeyStream *keyset_open(KeySet *set);
extern bool keyset_next(KeyStream *stream, KeyCount *item);
extern void keyset_close(KeyStream *stream);

/* murmur3's finalizer: spreads a key over the table. */
static inline uint64
keyset_mix(uint64 k)
{
	k ^= k >> 33;
	k *= UINT64CONST(0xff51afd7ed558ccd);
	k ^= k >> 33;
	return k;
}

/*
 * Count a key.  True when it is certain that the key was there before, so
 * that what it stands for need not be kept again.
 */
static inline bool
keyset_add(KeySet *set, uint64 key)
{
	if (set->slots != NULL)
	{
		uint32		i = keyset_mix(key) & (KEYSET_SLOTS - 1);

		while (set->slots[i].count != 0)
		{
			if (set->slots[i].key == key)
			{
				set->slots[i].count++;
				return true;
			}
			i = (i + 1) & (KEYSET_SLOTS - 1);
		}
	}
	else if (set->ngathered < set->allocated)
	{
		set->gathered[set->ngathered++] = key;
		return false;
	}
	keyset_add_slow(set, key);
	return false;
}

#endif							/* DRIFTPRINT_PROFILE_KEYSET_H */
