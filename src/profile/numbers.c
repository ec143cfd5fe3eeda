/*-------------------------------------------------------------------------
 *
 * numbers.c
 *	  Numbers as the format wants them (dbprint v1, section 2.2.6).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "profile/column.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

Datum
numbers_from_text(const char *text)
{
	return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

/* Without trailing zeros, so that equal values are equal text. */
static char *
trim_zeros(char *text)
{
	char	   *end;

	if (strchr(text, '.') == NULL)
		return text;
	end = text + strlen(text) - 1;
	while (*end == '0')
		*end-- = '\0';
	if (*end == '.')
		*end = '\0';
	return text;
}

/*
 * Six decimal places; six significant figures where that would make a zero of
 * something that is none.
 */
Datum
numbers_round(double value)
{
	char	   *text = psprintf("%.6f", value);

	if (value != 0 && strtod(text, NULL) == 0)
		text = psprintf("%.*f", 5 - (int) floor(log10(fabs(value))), value);
	text = trim_zeros(text);
	return numbers_from_text(strcmp(text, "-0") == 0 ? "0" : text);
}

Datum
numbers_round_numeric(Datum numeric)
{
	Datum		rounded = DirectFunctionCall2(numeric_round, numeric, Int32GetDatum(6));
	bool		zero = DatumGetBool(DirectFunctionCall2(numeric_eq, rounded, numbers_from_text("0")));
	bool		was_zero = DatumGetBool(DirectFunctionCall2(numeric_eq, numeric, numbers_from_text("0")));

	if (zero && !was_zero)
		return numbers_round(DatumGetFloat8(DirectFunctionCall1(numeric_float8, numeric)));
	return DirectFunctionCall1(numeric_trim_scale, rounded);
}

/*
 * A share of the rows: 0 of none, never 0 for some, and with "ceiling" never 1
 * for less than all.
 */
Datum
numbers_ratio(int64 part, int64 whole, bool ceiling)
{
	char	   *text;

	if (whole == 0 || part == 0)
		return numbers_from_text("0");
	text = psprintf("%.6f", (double) part / (double) whole);
	if (strcmp(text, "0.000000") == 0)
		return numbers_from_text("0.000001");
	if (ceiling && part != whole && strcmp(text, "1.000000") == 0)
		return numbers_from_text("0.999999");
	return numbers_from_text(trim_zeros(text));
}

/* A scaled integer as decimal text, without trailing zeros. */
char *
numbers_scaled_text(int128 value, int scale)
{
	char		digits[64];
	char	   *end = digits + sizeof(digits) - 1;
	char	   *c = end;
	bool		negative = value < 0;
	int			places = 0;

	if (value >= PG_INT64_MIN && value <= PG_INT64_MAX && scale == 0)
	{
		pg_lltoa((int64) value, digits);
		return pstrdup(digits);
	}
	*c = '\0';
	if (!negative && value <= PG_INT64_MAX)
	{
		uint64		left = (uint64) value;	/* 128-bit division is slow */

		do
		{
			*--c = '0' + left % 10;
			left /= 10;
			if (++places == scale)
				*--c = '.';
		} while (left != 0 || places <= scale);
		return trim_zeros(pstrdup(c));
	}
	do
	{
		int			digit = (int) (value % 10);

		*--c = '0' + (digit < 0 ? -digit : digit);
		value /= 10;
		if (++places == scale)
			*--c = '.';
	} while (value != 0 || places <= scale);
	if (scale == 0 && *c == '.')
		c++;
	if (negative)
		*--c = '-';
	return trim_zeros(pstrdup(c));
}
