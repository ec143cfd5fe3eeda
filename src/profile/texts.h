/*-------------------------------------------------------------------------
 *
 * texts.h
 *	  Values behind hashed keys, kept to be found again.
 *
 * A value is written once or a few times, however often it occurs; they are
 * read back in one go, when it is known which keys are wanted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_PROFILE_TEXTS_H
#define DRIFTPRINT_PROFILE_TEXTS_H

#include "postgres.h"

#include "storage/buffile.h"

/* Remembered marks of what has been written lately; a power of two. */
#define TEXTS_REMEMBERED 16384

typedef struct TextStore
{
	MemoryContext context;
	uint64	   *remembered;
	char	   *buffer;
	Size		used;
	Size		size;
	BufFile    *file;			/* NULL while all fits into the buffer */
	int64		written;		/* bytes in the file */

	/* reading */
	int64		read;
	char	   *item;
	Size		item_size;
} TextStore;

extern void texts_init(TextStore *store);
extern void texts_put(TextStore *store, uint64 key, const char *data, Size length);
extern void texts_rewind(TextStore *store);
extern void texts_release(TextStore *store);

/* The next one; *data is valid until the next call. */
extern bool texts_next(TextStore *store, uint64 *key, char **data, Size *length);

/* Whether a value with this mark has been written lately; it is from now on. */
static inline bool
texts_seen(TextStore *store, uint64 mark)
{
	uint64	   *slot = &store->remembered[mark & (TEXTS_REMEMBERED - 1)];

	if (*slot == mark)
		return true;
	*slot = mark;
	return false;
}

#endif							/* DRIFTPRINT_PROFILE_TEXTS_H */
