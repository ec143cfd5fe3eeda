/*-------------------------------------------------------------------------
 *
 * pairs.h
 *	  Pairs of columns: undeclared two-column keys, and which column
 *	  determines which (dbprint v1, sections 2.2.12 and 2.2.13).
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_PROFILE_PAIRS_H
#define DRIFTPRINT_PROFILE_PAIRS_H

#include "executor/tuptable.h"
#include "profile/column.h"

/* Rows at the beginning that most pairs are turned away by. */
#define PAIR_SAMPLE_ROWS 8192

/* Columns that take part, and pairs that are measured over all rows. */
#define PAIR_MAX_COLUMNS 32
#define PAIR_MAX_MEASURED 16

typedef struct ColumnPair
{
	int			a;				/* the determinant, for a dependency */
	int			b;
	bool		grain;			/* is it a key? else: does a determine b? */
	KeySet	   *keys;
	int64		distinct;
} ColumnPair;

typedef struct PairSearch
{
	ProfileColumn *columns;
	int			ncolumns;
	uint64	   *sample[PAIR_MAX_COLUMNS];	/* keys of the first rows, by column */
	int			nsampled;
	ColumnPair *measured;
	int			nmeasured;
	bool		exhausted;		/* every pair that could be a key was tested */
	bool		searched;		/* for keys at all */
} PairSearch;

extern void pairs_init(PairSearch *search, ProfileColumn *columns, int ncolumns);
extern void pairs_sample(PairSearch *search, TupleTableSlot *slot);

/* After the columns are finished: which pairs need all rows. */
extern void pairs_choose(PairSearch *search, int64 rows);
extern void pairs_add(PairSearch *search, TupleTableSlot *slot);
extern void pairs_finish(PairSearch *search);

/* The blocks; declared keys stand in "grain" already. */
extern Jsonb *pairs_grain(PairSearch *search, Jsonb *declared, int64 rows);
extern Jsonb *pairs_dependencies(PairSearch *search);

#endif							/* DRIFTPRINT_PROFILE_PAIRS_H */
