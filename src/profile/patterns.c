/*-------------------------------------------------------------------------
 *
 * patterns.c
 *	  Which columns are null on the same rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "profile/patterns.h"

/* Entries point to their pattern, whose size is the table's own. */
typedef struct PatternEntry
{
	const uint8 *nulls;			/* key: points into the pattern */
	NullPattern *pattern;
} PatternEntry;

typedef struct Shown
{
	NullPattern *pattern;
	List	   *columns;
} Shown;

static uint32
hash_pattern(const void *key, Size keysize)
{
	/* the length is not known here; patterns begin with theirs */
	const uint8 *nulls = *(const uint8 *const *) key;
	uint16		nbytes;

	memcpy(&nbytes, nulls, sizeof(nbytes));
	return hash_bytes(nulls, nbytes);
}

static int
match_pattern(const void *a, const void *b, Size keysize)
{
	const uint8 *na = *(const uint8 *const *) a;
	const uint8 *nb = *(const uint8 *const *) b;
	uint16		nbytes;

	memcpy(&nbytes, na, sizeof(nbytes));
	return memcmp(na, nb, nbytes);
}

/* The bits stand behind the length in bytes. */
#define BITS(nulls) ((nulls) + sizeof(uint16))

void
patterns_init(NullPatterns *patterns, int ncolumns, int nanchors)
{
	HASHCTL		ctl = {0};
	uint16		nbytes = sizeof(uint16) + (ncolumns + 7) / 8;

	patterns->context = CurrentMemoryContext;
	patterns->nbytes = nbytes;
	patterns->nanchors = nanchors;
	patterns->last = NULL;
	patterns->current = palloc0(nbytes);
	memcpy(patterns->current, &nbytes, sizeof(nbytes));
	ctl.keysize = sizeof(uint8 *);
	ctl.entrysize = sizeof(PatternEntry);
	ctl.hash = hash_pattern;
	ctl.match = match_pattern;
	ctl.hcxt = CurrentMemoryContext;
	patterns->table = hash_create("null patterns", 64, &ctl, HASH_ELEM | HASH_FUNCTION | HASH_COMPARE | HASH_CONTEXT);
}

static NullPattern *
new_pattern(NullPatterns *patterns)
{
	MemoryContext old = MemoryContextSwitchTo(patterns->context);
	NullPattern *pattern = palloc0(offsetof(NullPattern, nulls) + patterns->nbytes);

	memcpy(pattern->nulls, patterns->current, patterns->nbytes);
	pattern->earliest = palloc(sizeof(int64) * (patterns->nanchors + 1));
	pattern->latest = palloc(sizeof(int64) * (patterns->nanchors + 1));
	for (int i = 0; i < patterns->nanchors; i++)
	{
		pattern->earliest[i] = PG_INT64_MAX;
		pattern->latest[i] = PG_INT64_MIN;
	}
	MemoryContextSwitchTo(old);
	return pattern;
}

/* Count the row whose bits stand in patterns->current. */
NullPattern *
patterns_count(NullPatterns *patterns)
{
	PatternEntry *entry;
	bool		found;

	if (patterns->last == NULL || memcmp(patterns->last->nulls, patterns->current, patterns->nbytes) != 0)
	{
		entry = hash_search(patterns->table, &patterns->current, HASH_ENTER, &found);
		if (!found)
		{
			entry->pattern = new_pattern(patterns);
			entry->nulls = entry->pattern->nulls;
		}
		patterns->last = entry->pattern;
	}
	patterns->last->count++;
	return patterns->last;
}

static bool
is_null(const NullPattern *pattern, int column)
{
	return (BITS(pattern->nulls)[column / 8] & (1 << (column % 8))) != 0;
}

static int
compare_columns(List *a, List *b)
{
	for (int i = 0; i < Min(list_length(a), list_length(b)); i++)
	{
		int			c = strcmp(list_nth(a, i), list_nth(b, i));

		if (c != 0)
			return c;
	}
	return list_length(a) - list_length(b);
}

static int
compare_shown(const void *a, const void *b)
{
	const Shown *sa = a;
	const Shown *sb = b;

	if (sa->pattern->count != sb->pattern->count)
		return sa->pattern->count > sb->pattern->count ? -1 : 1;
	return compare_columns(sa->columns, sb->columns);
}

/* The most frequent combinations; NULL when no column is ever null. */
Jsonb *
patterns_document(NullPatterns *patterns, ProfileColumn *columns, int ncolumns, int64 rows, int most)
{
	long		n = hash_get_num_entries(patterns->table);
	Shown	   *shown = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(Shown) * (n + 1));
	HASH_SEQ_STATUS scan;
	PatternEntry *entry;
	ModelBuilder b = {0};
	int64		total = 0;
	long		i = 0;
	bool		any = false;

	hash_seq_init(&scan, patterns->table);
	while ((entry = hash_seq_search(&scan)) != NULL)
	{
		shown[i].pattern = entry->pattern;
		shown[i].columns = NIL;
		for (int c = 0; c < ncolumns; c++)
			if (is_null(entry->pattern, c))
				shown[i].columns = lappend(shown[i].columns, (char *) columns[c].name);
		any |= shown[i].columns != NIL;
		i++;
	}
	if (!any)
		return NULL;
	qsort(shown, n, sizeof(Shown), compare_shown);
	model_object_begin(&b);
	model_key(&b, "patterns");
	model_array_begin(&b);
	for (i = 0; i < Min(n, most); i++)
	{
		ListCell   *lc;

		model_object_begin(&b);
		model_key(&b, "columns");
		model_array_begin(&b);
		foreach(lc, shown[i].columns)
			model_add_text(&b, lfirst(lc));
		model_array_end(&b);
		model_put_int(&b, "count", shown[i].pattern->count);
		model_object_end(&b);
		total += shown[i].pattern->count;
	}
	model_array_end(&b);
	model_put_numeric(&b, "coverage", n <= most ? numbers_from_text("1") : numbers_ratio(total, rows, true));
	if (n <= most)
		model_put_text(&b, "coverage_method", "measured");
	model_object_end(&b);
	return model_finish(&b);
}

/* The anchor's bounds over rows where the column is not null. */
bool
patterns_window(NullPatterns *patterns, int column, int anchor, int64 *from, int64 *to)
{
	HASH_SEQ_STATUS scan;
	PatternEntry *entry;

	*from = PG_INT64_MAX;
	*to = PG_INT64_MIN;
	hash_seq_init(&scan, patterns->table);
	while ((entry = hash_seq_search(&scan)) != NULL)
	{
		if (is_null(entry->pattern, column))
			continue;
		*from = Min(*from, entry->pattern->earliest[anchor]);
		*to = Max(*to, entry->pattern->latest[anchor]);
	}
	return *from <= *to;
}
