/*-------------------------------------------------------------------------
 *
 * retention.c
 *	  Removing prints, and the documents that no print holds any more.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "store/store_internal.h"
#include "utils/builtins.h"

static void
remove_unheld_documents(void)
{
	SPI_execute("DELETE FROM driftprint.content c"
				" WHERE NOT EXISTS (SELECT FROM driftprint.entry e WHERE e.object = c.id)"
				" AND NOT EXISTS (SELECT FROM driftprint.entry e WHERE e.profile = c.id)", false, 0);
}

void
store_drop(const char *name)
{
	DriftPrint *print = store_open(name);
	Oid			types[1] = {INT4OID};
	Datum		values[1] = {Int32GetDatum(print->id)};
	StoreIdentity saved;

	store_become_owner(&saved);
	SPI_connect();
	store_lock_for_writing();
	SPI_execute_with_args("DELETE FROM driftprint.entry WHERE print = $1", 1, types, values, NULL, false, 0);
	SPI_execute_with_args("DELETE FROM driftprint.print WHERE id = $1", 1, types, values, NULL, false, 0);
	remove_unheld_documents();
	SPI_finish();
	store_become_caller(&saved);
}

/* Keep the newest "keep" prints of a live database; others are not counted. */
int
store_prune(int keep)
{
	Oid			types[1] = {INT4OID};
	Datum		values[1] = {Int32GetDatum(keep)};
	StoreIdentity saved;
	int			removed;

	store_become_owner(&saved);
	SPI_connect();
	store_lock_for_writing();
	SPI_execute_with_args("WITH gone AS (DELETE FROM driftprint.print WHERE id IN"
						  " (SELECT id FROM driftprint.print WHERE source = 'live'"
						  "  ORDER BY id DESC OFFSET $1) RETURNING id),"
						  " entries AS (DELETE FROM driftprint.entry WHERE print IN (SELECT id FROM gone))"
						  " SELECT id FROM gone", 1, types, values, NULL, false, 0);
	removed = SPI_processed;
	if (removed > 0)
		remove_unheld_documents();
	SPI_finish();
	store_become_caller(&saved);
	return removed;
}
