/*-------------------------------------------------------------------------
 *
 * list.c
 *	  What prints there are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "store/store.h"
#include "utils/tuplestore.h"

#define MAX_RESULT_COLUMNS 16

/*
 * A table's bucket is that of its freshest temporal column; a table without
 * one counts nowhere.  Each profile is looked at once, however many prints
 * hold it.
 */
static const char prints_sql[] =
"WITH buckets AS MATERIALIZED ("
"  SELECT c.id, CASE WHEN 'live' = ANY (b) THEN 'live' WHEN 'stale' = ANY (b) THEN 'stale'"
"    WHEN 'dormant' = ANY (b) THEN 'dormant' END AS bucket"
"  FROM driftprint.content c,"
"   LATERAL (SELECT array_agg(k.value -> 'freshness' ->> 'classification') AS b"
"     FROM jsonb_each(CASE jsonb_typeof(c.body -> 'columns') WHEN 'object'"
"       THEN c.body -> 'columns' ELSE '{}' END) AS k"
"     WHERE k.value -> 'freshness' ->> 'classification' IS NOT NULL) AS x"
"  WHERE c.family = 'profile')"
" SELECT p.id, p.label, p.source, p.taken_at, p.status,"
"  count(*) FILTER (WHERE o.family IN ('table', 'foreign_table', 'view', 'materialized_view')),"
"  count(*) FILTER (WHERE b.bucket = 'live'),"
"  count(*) FILTER (WHERE b.bucket = 'stale'),"
"  count(*) FILTER (WHERE b.bucket = 'dormant')"
" FROM driftprint.print p"
" LEFT JOIN driftprint.entry e ON e.print = p.id"
" LEFT JOIN driftprint.content o ON o.id = e.object"
" LEFT JOIN buckets b ON b.id = e.profile"
" GROUP BY p.id ORDER BY p.id";

/* Relations of a refresh that is under way; "d" are those still to be read. */
static const char progress_sql[] =
"SELECT p.id, p.label, p.taken_at, count(*) FILTER (WHERE e.status IN ('p', 'f', 'd')),"
" count(*) FILTER (WHERE e.status IN ('p', 'f')), count(*) FILTER (WHERE e.status = 'f')"
" FROM driftprint.print p LEFT JOIN driftprint.entry e ON e.print = p.id"
" WHERE p.status = 'running' GROUP BY p.id ORDER BY p.id";

/* Every row of a fixed query, read as the owner, into a function's result. */
static void
emit_query(const char *sql, Tuplestorestate *rows, TupleDesc desc)
{
	StoreIdentity saved;

	store_become_owner(&saved);
	SPI_connect();
	SPI_execute(sql, true, 0);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		Datum		values[MAX_RESULT_COLUMNS];
		bool		nulls[MAX_RESULT_COLUMNS];

		for (int i = 0; i < desc->natts; i++)
			values[i] = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, i + 1, &nulls[i]);
		tuplestore_putvalues(rows, desc, values, nulls);
	}
	SPI_finish();
	store_become_caller(&saved);
}

/* One row a print, oldest first; the columns of drift_prints(). */
void
store_list_prints(Tuplestorestate *rows, TupleDesc desc)
{
	emit_query(prints_sql, rows, desc);
}

void
store_list_progress(Tuplestorestate *rows, TupleDesc desc)
{
	emit_query(progress_sql, rows, desc);
}
