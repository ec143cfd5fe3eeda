/*-------------------------------------------------------------------------
 *
 * texts.c
 *	  Values behind hashed keys, kept to be found again.
 *
 * One after another in a buffer, and in a temporary file once that is full.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/tablespace.h"
#include "compat.h"
#include "miscadmin.h"
#include "profile/texts.h"
#include "utils/memutils.h"

#define BUFFER_BYTES (256 * 1024)

typedef struct ItemHeader
{
	uint64		key;
	uint64		length;
} ItemHeader;

void
texts_init(TextStore *store)
{
	memset(store, 0, sizeof(*store));
	store->context = CurrentMemoryContext;
	store->remembered = palloc0(sizeof(uint64) * TEXTS_REMEMBERED);
}

static void
flush(TextStore *store)
{
	if (store->used == 0)
		return;
	if (store->file == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(store->context);

		PrepareTempTablespaces();
		store->file = BufFileCreateTemp(false);
		MemoryContextSwitchTo(old);
	}
	CHECK_FOR_INTERRUPTS();
	BufFileWrite(store->file, store->buffer, store->used);
	store->written += store->used;
	store->used = 0;
}

static void
append(TextStore *store, const void *data, Size length)
{
	if (store->buffer == NULL)
	{
		store->size = BUFFER_BYTES;
		store->buffer = MemoryContextAlloc(store->context, store->size);
	}
	while (length > 0)
	{
		Size		n = Min(length, store->size - store->used);

		memcpy(store->buffer + store->used, data, n);
		store->used += n;
		data = (const char *) data + n;
		length -= n;
		if (store->used == store->size)
			flush(store);
	}
}

void
texts_put(TextStore *store, uint64 key, const char *data, Size length)
{
	ItemHeader	header = {key, length};

	append(store, &header, sizeof(header));
	append(store, data, length);
}

void
texts_rewind(TextStore *store)
{
	if (store->file != NULL)
	{
		flush(store);
		if (BufFileSeek(store->file, 0, 0, SEEK_SET) != 0)
			ereport(ERROR, (errcode_for_file_access(), errmsg("could not seek in a temporary file: %m")));
	}
	store->read = 0;
}

static void
read_bytes(TextStore *store, void *to, Size length)
{
	if (store->file != NULL)
		BufFileReadExact(store->file, to, length);
	else
		memcpy(to, store->buffer + store->read, length);
	store->read += length;
}

bool
texts_next(TextStore *store, uint64 *key, char **data, Size *length)
{
	ItemHeader	header;

	if (store->read >= (store->file ? store->written : store->used))
		return false;
	read_bytes(store, &header, sizeof(header));
	if (store->item_size < header.length + 1)
	{
		MemoryContext old = MemoryContextSwitchTo(store->context);

		if (store->item)
			pfree(store->item);
		store->item_size = Max(header.length + 1, 8192);
		store->item = MemoryContextAllocHuge(store->context, store->item_size);
		MemoryContextSwitchTo(old);
	}
	read_bytes(store, store->item, header.length);
	store->item[header.length] = '\0';
	*key = header.key;
	*data = store->item;
	*length = header.length;
	return true;
}

void
texts_release(TextStore *store)
{
	if (store->file != NULL)
		BufFileClose(store->file);
	store->file = NULL;
}
