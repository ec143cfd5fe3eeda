/*-------------------------------------------------------------------------
 *
 * patterns.h
 *	  Which columns are null on the same rows.
 *
 * Each combination also remembers the earliest and latest instant of every
 * column that may date the table, so that it can be told from when to when
 * another column was filled (dbprint v1, sections 2.2.4 and 2.2.10).
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_PROFILE_PATTERNS_H
#define DRIFTPRINT_PROFILE_PATTERNS_H

#include "profile/column.h"
#include "utils/hsearch.h"

typedef struct NullPattern
{
	int64		count;
	int64	   *earliest;		/* by anchor; PG_INT64_MAX when none */
	int64	   *latest;
	uint8		nulls[FLEXIBLE_ARRAY_MEMBER];	/* a bit a column; the key */
} NullPattern;

typedef struct NullPatterns
{
	MemoryContext context;
	int			nbytes;
	int			nanchors;
	HTAB	   *table;
	NullPattern *last;			/* most rows are like the one before */
	uint8	   *current;		/* the row being read */
} NullPatterns;

extern void patterns_init(NullPatterns *patterns, int ncolumns, int nanchors);
extern NullPattern *patterns_count(NullPatterns *patterns);
extern Jsonb *patterns_document(NullPatterns *patterns, ProfileColumn *columns, int ncolumns,
								int64 rows, int most);
extern bool patterns_window(NullPatterns *patterns, int column, int anchor, int64 *from, int64 *to);

#endif							/* DRIFTPRINT_PROFILE_PATTERNS_H */
