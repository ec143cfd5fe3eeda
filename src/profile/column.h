/*-------------------------------------------------------------------------
 *
 * column.h
 *	  One column being profiled; private to the profile room.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_PROFILE_COLUMN_H
#define DRIFTPRINT_PROFILE_COLUMN_H

#include "fmgr.h"
#include "profile/keyset.h"
#include "profile/profile.h"
#include "profile/texts.h"
#include "utils/sortsupport.h"
#include "utils/tuplesort.h"

/* How a value becomes a 64-bit key, and whether the key's order is its own. */
typedef enum KeyKind
{
	KEY_NONE,					/* nulls only */
	KEY_BOOL,					/* these are ordered: */
	KEY_INT2,
	KEY_INT4,
	KEY_INT8,
	KEY_FLOAT4,
	KEY_FLOAT8,
	KEY_NUMERIC,				/* scaled to an integer while that is exact */
	KEY_DATE,
	KEY_TIMESTAMP,
	KEY_TIMESTAMPTZ,
	KEY_TIME,
	KEY_TIMETZ,
	KEY_OID,					/* by value, not in an order anybody means */
	KEY_BYTES,					/* text under a deterministic collation: hash of the bytes */
	KEY_HASHED					/* the type's own extended hash */
} KeyKind;

/* What the format's matrix goes by, before cardinality decides. */
typedef enum TypeClass
{
	CLASS_UNSUPPORTED,
	CLASS_BOOLEAN,
	CLASS_JSON,
	CLASS_TEMPORAL,
	CLASS_NUMERIC,
	CLASS_TEXT					/* anything else that can be printed and compared */
} TypeClass;

/* Characters of values: exact counts of the lengths met. */
typedef struct LengthCounts
{
	int64	   *counts;			/* by length, below LENGTHS_COUNTED */
	KeySet	   *others;			/* longer ones */
	int64		n;
	uint64		sum;
	int64		min;
	int64		max;
	int64		empty;
} LengthCounts;

#define LENGTHS_COUNTED 1024

typedef struct ProfileColumn
{
	/* what it is */
	const char *name;
	AttrNumber	attnum;
	Oid			type;			/* a domain's base type */
	int32		typmod;
	Oid			collation;
	bool		nullable;
	const char *sql_type;
	const char *collation_name; /* where it is not the type's own */
	bool		foreign_key;	/* declared */
	bool		layout_key;		/* column of the partition key */
	bool		declared_unique;	/* by itself */
	KeyKind		kind;
	TypeClass	type_class;
	bool		byval;
	int16		typlen;
	bool		string;			/* could hold a string, for length */
	bool		deterministic;	/* equal values are equal bytes */
	int			scale;			/* of KEY_NUMERIC */
	const char *unmeasured;		/* why, when it could not be measured */
	FmgrInfo	hash;
	FmgrInfo	output;
	FmgrInfo	to_text;		/* of the cast to text, where it is a function */

	/* what was met */
	int64		nulls;
	int64		nan;
	int64		infinite;
	uint64		width;			/* bytes, as stored */
	int64		toasted;
	int64		json_kinds[6];
	KeySet		keys;
	TextStore	texts;
	LengthCounts lengths;
	Tuplesortstate *sorted;		/* numerics that fit into no key */
	int64		nsorted;

	/* what came of it */
	int64		nonnull;
	int64		cardinality;
	const char *classification;
	bool		candidate_key;
} ProfileColumn;

/* keys.c */
extern void column_choose_key(ProfileColumn *column);
extern void column_prepare(ProfileColumn *column, int64 capacity);
extern void column_add(ProfileColumn *column, Datum value);
extern uint64 column_pair_key(ProfileColumn *column, Datum value);
extern bool column_is_ordered(const ProfileColumn *column);
extern char *column_key_text(ProfileColumn *column, uint64 key);
extern Datum column_key_datum(ProfileColumn *column, uint64 key);
extern double column_key_float(const ProfileColumn *column, uint64 key);
extern bool column_key_finite(const ProfileColumn *column, uint64 key);

/* numbers.c: numbers as the format wants them */
extern Datum numbers_round(double value);
extern Datum numbers_round_numeric(Datum numeric);
extern Datum numbers_ratio(int64 part, int64 whole, bool ceiling);
extern char *numbers_scaled_text(int128 value, int scale);
extern Datum numbers_from_text(const char *text);

/* column.c: from what was met to the column's document */
extern void column_finish(ProfileColumn *column, const ProfileSettings *settings, int64 rows,
						  TimestampTz now, bool scoped, ModelBuilder *b);
extern void column_release(ProfileColumn *column);
extern bool column_is_anchor(const ProfileColumn *column);
extern Jsonb *column_timeline(ProfileColumn *column, int64 rows);
extern char *column_instant(const ProfileColumn *column, int64 value);

#endif							/* DRIFTPRINT_PROFILE_COLUMN_H */
