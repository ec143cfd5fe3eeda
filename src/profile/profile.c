#include "postgres.h"

#include "executor/spi.h"
#include "profile/profile.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

void
profile_default_settings(ProfileSettings *settings)
{
	memset(settings, 0, sizeof(*settings));
}

void
profile_relation(Oid relid, const ProfileSettings *settings, ProfileResult *result)
{
	char	   *name = quote_qualified_identifier(get_namespace_name(get_rel_namespace(relid)), get_rel_name(relid));
	bool		isnull;

	memset(result, 0, sizeof(*result));
	SPI_connect();
	SPI_execute(psprintf("SELECT count(*) FROM %s", name), true, 0);
	result->row_count = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	SPI_finish();
	result->row_count_exact = true;
	result->rows_scanned = result->row_count;
}
