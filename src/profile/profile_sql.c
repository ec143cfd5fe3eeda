/*-------------------------------------------------------------------------
 *
 * profile_sql.c
 *	  drift_profile().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "fmgr.h"
#include "profile/profile.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

PG_FUNCTION_INFO_V1(drift_profile);

static void
check_relation(Oid relid)
{
	char		relkind = get_rel_relkind(relid);

	if (relkind == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE), errmsg("relation with OID %u does not exist", relid)));
	if (relkind != RELKIND_RELATION && relkind != RELKIND_PARTITIONED_TABLE && relkind != RELKIND_MATVIEW &&
		relkind != RELKIND_FOREIGN_TABLE && relkind != RELKIND_VIEW)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" has no rows to profile", get_rel_name(relid)),
				 errhint("Profile a table, a partitioned table, a materialized view, a foreign table or a view.")));
}

/* relation, sample, filter. */
Datum
drift_profile(PG_FUNCTION_ARGS)
{
	ProfileSettings settings;
	ProfileResult result;
	int			nestlevel;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("\"relation\" must not be null")));
	check_relation(PG_GETARG_OID(0));
	profile_default_settings(&settings);
	if (!PG_ARGISNULL(1))
	{
		settings.sample = PG_GETARG_FLOAT8(1);
		if (!(settings.sample > 0 && settings.sample <= 1))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("\"sample\" must be a fraction above 0 and not above 1")));
	}
	if (!PG_ARGISNULL(2))
		settings.filter = text_to_cstring(PG_GETARG_TEXT_PP(2));
	if (settings.sample > 0 && settings.filter != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a profile is narrowed by a sample or by a filter, not by both")));
	nestlevel = model_canonical_begin();
	profile_relation(PG_GETARG_OID(0), &settings, &result);
	model_canonical_end(nestlevel);
	PG_RETURN_JSONB_P(result.profile);
}
