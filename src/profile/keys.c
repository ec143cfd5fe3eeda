/*-------------------------------------------------------------------------
 *
 * keys.c
 *	  Values as 64-bit keys, and back.
 *
 * Fixed-width values become integers in the order of the values, so that one
 * sort of the keys gives distinct counts, bounds and percentiles.  A numeric is
 * read directly as an integer of its column's scale; when one does not fit the
 * column goes over to a sort of the values themselves.  Everything else is a
 * 64-bit hash, and its value is kept to be found again: two values in N would
 * share a hash with a probability of N * N / 2^65.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/detoast.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "common/int.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "parser/parse_coerce.h"
#include "profile/column.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/fmgrprotos.h"
#include "utils/datetime.h"
#include "utils/float.h"
#include "utils/json.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/pg_locale.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#define SIGN_BIT (UINT64CONST(1) << 63)

/* Decimal places kept of a numeric whose column fixes none. */
#define FREE_SCALE 6

/* Types whose values are keys by themselves. */
static const struct
{
	Oid			type;
	KeyKind		kind;
	TypeClass	type_class;
}			key_types[] =
{
	{BOOLOID, KEY_BOOL, CLASS_BOOLEAN},
	{INT2OID, KEY_INT2, CLASS_NUMERIC},
	{INT4OID, KEY_INT4, CLASS_NUMERIC},
	{INT8OID, KEY_INT8, CLASS_NUMERIC},
	{FLOAT4OID, KEY_FLOAT4, CLASS_NUMERIC},
	{FLOAT8OID, KEY_FLOAT8, CLASS_NUMERIC},
	{NUMERICOID, KEY_NUMERIC, CLASS_NUMERIC},
	{DATEOID, KEY_DATE, CLASS_TEMPORAL},
	{TIMESTAMPOID, KEY_TIMESTAMP, CLASS_TEMPORAL},
	{TIMESTAMPTZOID, KEY_TIMESTAMPTZ, CLASS_TEMPORAL},
	{TIMEOID, KEY_TIME, CLASS_TEMPORAL},
	{TIMETZOID, KEY_TIMETZ, CLASS_TEMPORAL},
	{OIDOID, KEY_OID, CLASS_TEXT},
	{JSONOID, KEY_NONE, CLASS_JSON},
	{JSONBOID, KEY_HASHED, CLASS_JSON},
	{BYTEAOID, KEY_NONE, CLASS_UNSUPPORTED}
};

static bool
is_plain_text(Oid type)
{
	return type == TEXTOID || type == VARCHAROID;
}

/* What can be done with the type, not what it is called. */
void
column_choose_key(ProfileColumn *column)
{
	TypeCacheEntry *entry;
	char		category;
	bool		preferred;

	column->deterministic = true;
	for (int i = 0; i < lengthof(key_types); i++)
		if (key_types[i].type == column->type)
		{
			column->kind = key_types[i].kind;
			column->type_class = key_types[i].type_class;
			if (column->kind != KEY_HASHED)
				return;
		}
	if (column->kind == KEY_NONE)
	{
		get_type_category_preferred(column->type, &category, &preferred);
		if (category == TYPCATEGORY_ARRAY || category == TYPCATEGORY_COMPOSITE ||
			category == TYPCATEGORY_PSEUDOTYPE)
			return;				/* unsupported: nulls only */
		if (get_typtype(column->type) == TYPTYPE_ENUM)
		{
			column->kind = KEY_OID;
			column->type_class = CLASS_TEXT;
			column->string = true;
			return;
		}
	}
	entry = lookup_type_cache(column->type, TYPECACHE_HASH_EXTENDED_PROC);
	if (!OidIsValid(entry->hash_extended_proc))
	{
		column->kind = KEY_NONE;
		if (column->type_class != CLASS_JSON)
			column->type_class = CLASS_UNSUPPORTED;
		return;
	}
	if (column->type_class == CLASS_UNSUPPORTED)
		column->type_class = CLASS_TEXT;
	column->string = column->type_class == CLASS_TEXT;
	column->deterministic = !OidIsValid(column->collation) ||
		get_collation_isdeterministic(column->collation);
	column->kind = is_plain_text(column->type) && column->deterministic ? KEY_BYTES : KEY_HASHED;
}

bool
column_is_ordered(const ProfileColumn *column)
{
	return column->kind >= KEY_INT2 && column->kind <= KEY_TIMETZ;
}

static bool
keeps_texts(const ProfileColumn *column)
{
	return column->kind == KEY_BYTES || column->kind == KEY_HASHED;
}

/* Lengths are those of the value cast to text, where the cast is a function. */
static void
find_text_cast(ProfileColumn *column)
{
	Oid			function;

	if (find_coercion_pathway(TEXTOID, column->type, COERCION_EXPLICIT, &function) == COERCION_PATH_FUNC &&
		get_func_nargs(function) == 1 && get_func_rettype(function) == TEXTOID)
		fmgr_info(function, &column->to_text);
}

void
column_prepare(ProfileColumn *column, int64 capacity)
{
	Oid			output;
	bool		varlena;

	getTypeOutputInfo(column->type, &output, &varlena);
	fmgr_info(output, &column->output);
	get_typlenbyval(column->type, &column->typlen, &column->byval);
	if (column->string && column->kind == KEY_HASHED)
		find_text_cast(column);
	if (column->kind == KEY_HASHED)
		fmgr_info(lookup_type_cache(column->type, TYPECACHE_HASH_EXTENDED_PROC)->hash_extended_proc,
				  &column->hash);
	if (column->kind == KEY_NUMERIC)
		column->scale = column->typmod >= (int32) VARHDRSZ ? ((column->typmod - VARHDRSZ) & 0x7ff) : FREE_SCALE;
	if (column->kind == KEY_NUMERIC && column->scale > 12)
		column->scale = 12;		/* typmods may be negative or large: what fits, fits */
	if (column->kind != KEY_NONE)
		keyset_init(&column->keys, capacity);
	if (keeps_texts(column))
		texts_init(&column->texts);
	column->lengths.min = PG_INT64_MAX;
	if (column->string)
		column->lengths.counts = palloc0(sizeof(int64) * LENGTHS_COUNTED);
}

/* ---------- numerics ---------- */

/*
 * The on-disk format of numeric, which pg_upgrade keeps: a header, and digits
 * of base 10000.  Only what is needed to read a finite one.
 */
#define NUMERIC_SHORT_FLAG 0x8000
#define NUMERIC_SPECIAL_FLAGS 0xC000

static const int64 powers[] = {
	INT64CONST(1), INT64CONST(10), INT64CONST(100), INT64CONST(1000), INT64CONST(10000),
	INT64CONST(100000), INT64CONST(1000000), INT64CONST(10000000), INT64CONST(100000000),
	INT64CONST(1000000000), INT64CONST(10000000000), INT64CONST(100000000000), INT64CONST(1000000000000)
};

/* value * 10^scale, or false when that is not an integer of 63 bits. */
static bool
scaled_numeric(Datum value, int scale, int64 *result)
{
	struct varlena *packed = (struct varlena *) DatumGetPointer(value);
	const char *data = VARDATA_ANY(packed);
	int			length = VARSIZE_ANY_EXHDR(packed);
	uint16		header;
	int			weight;
	bool		negative;
	int			ndigits;
	int128		sum = 0;
	int			places;

	memcpy(&header, data, sizeof(header));
	if ((header & NUMERIC_SPECIAL_FLAGS) == NUMERIC_SPECIAL_FLAGS)
		return false;
	if (header & NUMERIC_SHORT_FLAG)
	{
		negative = (header & 0x2000) != 0;
		weight = (header & 0x0040 ? ~0x003F : 0) | (header & 0x003F);
		data += sizeof(uint16);
		length -= sizeof(uint16);
	}
	else
	{
		int16		long_weight;

		negative = (header & NUMERIC_SPECIAL_FLAGS) == 0x4000;
		memcpy(&long_weight, data + sizeof(uint16), sizeof(long_weight));
		weight = long_weight;
		data += 2 * sizeof(uint16);
		length -= 2 * sizeof(uint16);
	}
	ndigits = length / sizeof(int16);
	if (ndigits == 0)
	{
		*result = 0;
		return true;
	}
	if (weight > 4 || ndigits - 1 - weight > 4)
		return false;
	for (int i = 0; i < ndigits; i++)
	{
		int16		digit;

		memcpy(&digit, data + i * sizeof(int16), sizeof(digit));
		sum = sum * 10000 + digit;
	}
	/* sum stands for value * 10000^(ndigits - 1 - weight) */
	places = 4 * (ndigits - 1 - weight);
	while (places > scale)
	{
		if (sum % 10 != 0)
			return false;
		sum /= 10;
		places--;
	}
	if (scale - places > 12 + 8)
		return false;
	for (; places < scale; places++)
		sum *= 10;
	if (sum > PG_INT64_MAX)
		return false;
	*result = negative ? -(int64) sum : (int64) sum;
	return true;
}

/* From now on the values themselves are sorted; keys met so far join them. */
static void
sort_values(ProfileColumn *column)
{
	MemoryContext old = MemoryContextSwitchTo(column->keys.context);
	TypeCacheEntry *entry = lookup_type_cache(column->type, TYPECACHE_LT_OPR);

	column->sorted = tuplesort_begin_datum(column->type, entry->lt_opr, column->collation, false,
										   Max(64, work_mem), NULL, TUPLESORT_NONE);
	MemoryContextSwitchTo(old);
}

static void
add_numeric(ProfileColumn *column, Datum value)
{
	int64		scaled;

	if (DatumGetPointer(value) != NULL && scaled_numeric(value, column->scale, &scaled))
	{
		(void) keyset_add(&column->keys, (uint64) scaled ^ SIGN_BIT);
		return;
	}
	if (numeric_is_nan(DatumGetNumeric(value)))
		column->nan++;
	else if (numeric_is_inf(DatumGetNumeric(value)))
		column->infinite++;
	if (column->sorted == NULL)
		sort_values(column);
	tuplesort_putdatum(column->sorted, value, false);
	column->nsorted++;
}

/* ---------- floats ---------- */

/* IEEE 754 in the order of float8lt: -0 is 0, every NaN is one and the last. */
static uint64
float_key(double value)
{
	uint64		bits;

	if (isnan(value))
		return PG_UINT64_MAX;
	if (value == 0)
		value = 0;
	memcpy(&bits, &value, sizeof(bits));
	return bits & SIGN_BIT ? ~bits : bits | SIGN_BIT;
}

static double
key_float(uint64 key)
{
	double		value;

	if (key == PG_UINT64_MAX)
		return get_float8_nan();
	key = key & SIGN_BIT ? key & ~SIGN_BIT : ~key;
	memcpy(&value, &key, sizeof(value));
	return value;
}

static void
add_float(ProfileColumn *column, double value)
{
	column->nan += isnan(value);
	column->infinite += isinf(value) != 0;
	(void) keyset_add(&column->keys, float_key(value));
}

/* ---------- texts ---------- */

/* Characters of a string in the database's encoding. */
static int64
count_characters(const char *data, int length)
{
	int64		n = 0;

	if (GetDatabaseEncoding() != PG_UTF8)
		return pg_mbstrlen_with_len(data, length);
	for (int i = 0; i < length; i++)
		n += (data[i] & 0xC0) != 0x80;	/* all but continuation bytes */
	return n;
}

static void
add_length(ProfileColumn *column, int64 length)
{
	LengthCounts *l = &column->lengths;

	l->n++;
	l->sum += length;
	l->min = Min(l->min, length);
	l->max = Max(l->max, length);
	l->empty += length == 0;
	if (length < LENGTHS_COUNTED)
		l->counts[length]++;
	else
	{
		if (l->others == NULL)
		{
			MemoryContext old = MemoryContextSwitchTo(column->keys.context);

			l->others = palloc(sizeof(KeySet));
			keyset_init(l->others, 65536);
			MemoryContextSwitchTo(old);
		}
		(void) keyset_add(l->others, length);
	}
}

static void
add_bytes(ProfileColumn *column, Datum value)
{
	struct varlena *text = PG_DETOAST_DATUM_PACKED(value);
	const char *data = VARDATA_ANY(text);
	int			length = VARSIZE_ANY_EXHDR(text);
	uint64		key = hash_bytes_extended((const unsigned char *) data, length, 0);

	if (!keyset_add(&column->keys, key) && !texts_seen(&column->texts, key))
		texts_put(&column->texts, key, data, length);
	add_length(column, count_characters(data, length));
	if ((Pointer) text != DatumGetPointer(value))
		pfree(text);
}

static void
note_json_kind(ProfileColumn *column, Datum value)
{
	Jsonb	   *json = DatumGetJsonbP(value);
	JsonbValue *scalar;
	int			kind;

	if (JB_ROOT_IS_OBJECT(json))
		kind = 0;
	else if (!JB_ROOT_IS_SCALAR(json))
		kind = 1;
	else
	{
		scalar = getIthJsonbValueFromContainer(&json->root, 0);
		kind = scalar->type == jbvString ? 2 : scalar->type == jbvNumeric ? 3 : scalar->type == jbvBool ? 4 : 5;
	}
	column->json_kinds[kind]++;
}

static void
add_hashed(ProfileColumn *column, Datum value)
{
	uint64		key = DatumGetUInt64(FunctionCall2Coll(&column->hash, column->collation, value, Int64GetDatum(0)));
	bool		known = keyset_add(&column->keys, key);
	bool		needed = column->string || column->type_class != CLASS_JSON;
	char	   *shown;
	int			length;

	if (column->type_class == CLASS_JSON)
		note_json_kind(column, value);
	if (!needed)
		return;
	shown = OutputFunctionCall(&column->output, value);
	if (OidIsValid(column->to_text.fn_oid))
	{
		char	   *cast = TextDatumGetCString(FunctionCall1Coll(&column->to_text, column->collation, value));

		add_length(column, count_characters(cast, strlen(cast)));
		if (column->type == BPCHAROID)
			shown = cast;		/* padding is not part of the value */
	}
	else
		add_length(column, count_characters(shown, strlen(shown)));
	length = strlen(shown);

	/*
	 * Where unequal bytes can be equal values each spelling is kept, so that
	 * the one shown does not depend on the order of the rows.
	 */
	if (column->deterministic ? !known && !texts_seen(&column->texts, key) :
		!texts_seen(&column->texts, key ^ keyset_mix(hash_bytes_extended((unsigned char *) shown, length, 0))))
		texts_put(&column->texts, key, shown, length);
	pfree(shown);
}

/* The kind of a json value is its first character that is not white space. */
static void
note_json_text(ProfileColumn *column, Datum value)
{
	struct varlena *json = (struct varlena *) PG_DETOAST_DATUM_PACKED(value);
	const char *c = VARDATA_ANY(json);
	const char *end = c + VARSIZE_ANY_EXHDR(json);

	while (c < end && (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r'))
		c++;
	if (c < end)
		column->json_kinds[*c == '{' ? 0 : *c == '[' ? 1 : *c == '"' ? 2 :
						   *c == 't' || *c == 'f' ? 4 : *c == 'n' ? 5 : 3]++;
	if ((Pointer) json != DatumGetPointer(value))
		pfree(json);
}

/* ---------- all kinds ---------- */

/* Zone and instant of a timetz in one key, ordered as timetz_cmp() orders. */
static uint64
timetz_key(const TimeTzADT *value)
{
	int64		instant = value->time + value->zone * INT64CONST(1000000);

	return ((uint64) (instant + USECS_PER_DAY) << 18) | (uint64) (value->zone + 131072);
}

static void
add_instant(ProfileColumn *column, int64 value, bool finite)
{
	column->infinite += !finite;
	(void) keyset_add(&column->keys, (uint64) value ^ SIGN_BIT);
}

/* One value that is not null. */
void
column_add(ProfileColumn *column, Datum value)
{
	if (column->typlen == -1)
	{
		column->width += toast_datum_size(value);
		column->toasted += VARATT_IS_EXTERNAL(DatumGetPointer(value));
	}
	switch (column->kind)
	{
		case KEY_NONE:
			if (column->type == JSONOID)
				note_json_text(column, value);
			break;
		case KEY_BOOL:
			(void) keyset_add(&column->keys, DatumGetBool(value));
			break;
		case KEY_INT2:
			(void) keyset_add(&column->keys, (uint64) (int64) DatumGetInt16(value) ^ SIGN_BIT);
			break;
		case KEY_INT4:
			(void) keyset_add(&column->keys, (uint64) (int64) DatumGetInt32(value) ^ SIGN_BIT);
			break;
		case KEY_INT8:
			(void) keyset_add(&column->keys, (uint64) DatumGetInt64(value) ^ SIGN_BIT);
			break;
		case KEY_FLOAT4:
			add_float(column, DatumGetFloat4(value));
			break;
		case KEY_FLOAT8:
			add_float(column, DatumGetFloat8(value));
			break;
		case KEY_NUMERIC:
			add_numeric(column, PointerGetDatum(PG_DETOAST_DATUM_PACKED(value)));
			break;
		case KEY_DATE:
			add_instant(column, DatumGetDateADT(value), !DATE_NOT_FINITE(DatumGetDateADT(value)));
			break;
		case KEY_TIMESTAMP:
		case KEY_TIMESTAMPTZ:
			add_instant(column, DatumGetTimestamp(value), !TIMESTAMP_NOT_FINITE(DatumGetTimestamp(value)));
			break;
		case KEY_TIME:
			add_instant(column, DatumGetTimeADT(value), true);
			break;
		case KEY_TIMETZ:
			(void) keyset_add(&column->keys, timetz_key(DatumGetTimeTzADTP(value)));
			break;
		case KEY_OID:
			(void) keyset_add(&column->keys, DatumGetObjectId(value));
			break;
		case KEY_BYTES:
			add_bytes(column, value);
			break;
		case KEY_HASHED:
			add_hashed(column, value);
			break;
	}
}

/*
 * A key for a value by itself, the same for equal values; for combining, so
 * its order does not matter.
 */
uint64
column_pair_key(ProfileColumn *column, Datum value)
{
	int64		scaled;

	switch (column->kind)
	{
		case KEY_NONE:
			return 0;
		case KEY_BOOL:
			return DatumGetBool(value);
		case KEY_INT2:
			return (uint64) (int64) DatumGetInt16(value);
		case KEY_INT4:
		case KEY_DATE:
			return (uint64) (int64) DatumGetInt32(value);
		case KEY_OID:
			return DatumGetObjectId(value);
		case KEY_FLOAT4:
			return float_key(DatumGetFloat4(value));
		case KEY_FLOAT8:
			return float_key(DatumGetFloat8(value));
		case KEY_NUMERIC:
			value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
			if (scaled_numeric(value, column->scale, &scaled))
				return (uint64) scaled;
			return DatumGetUInt64(DirectFunctionCall2(hash_numeric_extended, value, Int64GetDatum(0)));
		case KEY_TIMETZ:
			return timetz_key(DatumGetTimeTzADTP(value));
		case KEY_BYTES:
			{
				struct varlena *bytes = PG_DETOAST_DATUM_PACKED(value);

				return hash_bytes_extended((const unsigned char *) VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes), 0);
			}
		case KEY_HASHED:
			return DatumGetUInt64(FunctionCall2Coll(&column->hash, column->collation, value, Int64GetDatum(0)));
		default:
			return (uint64) DatumGetInt64(value);
	}
}

/* ---------- back ---------- */

bool
column_key_finite(const ProfileColumn *column, uint64 key)
{
	int64		value = (int64) (key ^ SIGN_BIT);

	switch (column->kind)
	{
		case KEY_FLOAT4:
		case KEY_FLOAT8:
			return isfinite(key_float(key));
		case KEY_DATE:
			return !DATE_NOT_FINITE(value);
		case KEY_TIMESTAMP:
		case KEY_TIMESTAMPTZ:
			return !TIMESTAMP_NOT_FINITE(value);
		default:
			return true;
	}
}

/* A numeric kind's value; exact where double is. */
double
column_key_float(const ProfileColumn *column, uint64 key)
{
	int64		value = (int64) (key ^ SIGN_BIT);

	if (column->kind == KEY_FLOAT4 || column->kind == KEY_FLOAT8)
		return key_float(key);
	if (column->kind == KEY_NUMERIC)
		return (double) value / powers[column->scale];
	return value;
}

Datum
column_key_datum(ProfileColumn *column, uint64 key)
{
	int64		value = (int64) (key ^ SIGN_BIT);

	switch (column->kind)
	{
		case KEY_BOOL:
			return BoolGetDatum(key != 0);
		case KEY_INT2:
			return Int16GetDatum(value);
		case KEY_INT4:
		case KEY_DATE:
			return Int32GetDatum(value);
		case KEY_FLOAT4:
			return Float4GetDatum(key_float(key));
		case KEY_FLOAT8:
			return Float8GetDatum(key_float(key));
		case KEY_NUMERIC:
			return numbers_from_text(numbers_scaled_text(value, column->scale));
		case KEY_TIMETZ:
			{
				TimeTzADT  *time = palloc(sizeof(TimeTzADT));

				time->zone = (int32) (key & 0x3ffff) - 131072;
				time->time = (int64) (key >> 18) - USECS_PER_DAY - time->zone * INT64CONST(1000000);
				return TimeTzADTPGetDatum(time);
			}
		case KEY_OID:
			return ObjectIdGetDatum((Oid) key);
		default:
			return Int64GetDatum(value);
	}
}

/* ISO 8601 where the type has a date, else what the type prints. */
static char *
temporal_text(Datum value, Oid type)
{
	char		buffer[MAXDATELEN + 1];
	int			zone = 0;
	char	   *utc;

	JsonEncodeDateTime(buffer, value, type, type == TIMESTAMPTZOID ? &zone : NULL);
	utc = type == TIMESTAMPTZOID ? strstr(buffer, "+00:00") : NULL;
	if (utc != NULL)			/* what follows is an era at most */
	{
		*utc = 'Z';
		memmove(utc + 1, utc + 6, strlen(utc + 6) + 1);
	}
	return pstrdup(buffer);
}

char *
column_key_text(ProfileColumn *column, uint64 key)
{
	Datum		value = column_key_datum(column, key);

	if (column->type_class == CLASS_TEMPORAL)
		return temporal_text(value, column->type);
	if (column->kind == KEY_NUMERIC)
		return numbers_scaled_text((int64) (key ^ SIGN_BIT), column->scale);
	return OutputFunctionCall(&column->output, value);
}

/* An instant given as the type's own integer. */
char *
column_instant(const ProfileColumn *column, int64 value)
{
	return temporal_text(column->kind == KEY_DATE ? Int32GetDatum(value) : Int64GetDatum(value), column->type);
}
