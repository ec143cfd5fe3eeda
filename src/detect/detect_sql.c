/*-------------------------------------------------------------------------
 *
 * detect_sql.c
 *	  drift_looks_like(), drift_sensitivity().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "detect/detect.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(drift_looks_like);
PG_FUNCTION_INFO_V1(drift_sensitivity);

Datum
drift_looks_like(PG_FUNCTION_ARGS)
{
	DetectPattern pattern = detect_value(text_to_cstring(PG_GETARG_TEXT_PP(0)));

	if (pattern == PATTERN_NONE)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(detect_pattern_name(pattern)));
}

Datum
drift_sensitivity(PG_FUNCTION_ARGS)
{
	DetectTally tally = {0};
	const char *category;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (!PG_ARGISNULL(1))
	{
		Datum	   *elements;
		bool	   *nulls;
		int			n;

		deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &n);
		for (int i = 0; i < n; i++)
			if (!nulls[i])
				detect_add(&tally, TextDatumGetCString(elements[i]));
	}
	category = detect_sensitivity(text_to_cstring(PG_GETARG_TEXT_PP(0)), detect_verdict(&tally), &tally);
	if (category == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(category));
}
