/*-------------------------------------------------------------------------
 *
 * marks.c
 *	  Whether anything was written, from the cumulative statistics alone.
 *
 * A mark is a hash of a relation's counters of inserted, updated and deleted
 * rows and its file (which TRUNCATE replaces), of all leaves for a partitioned
 * one, and of what tells that the counters have run on: the server's start and
 * the times of the last resets, of which one comes with every crash.  Equal
 * marks mean that nothing was written in between and reported since; a session
 * reports its writes within a second of its commit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "print/print_internal.h"
#include "utils/array.h"

static const char marks_sql[] =
"SELECT r.oid, coalesce(t.relid, r.oid)::pg_catalog.oid AS leaf, pg_catalog.concat_ws('/', c.relfilenode,"
" pg_catalog.pg_stat_get_tuples_inserted(c.oid), pg_catalog.pg_stat_get_tuples_updated(c.oid),"
" pg_catalog.pg_stat_get_tuples_deleted(c.oid),"
" EXTRACT(epoch FROM pg_catalog.pg_postmaster_start_time()),"
" EXTRACT(epoch FROM pg_catalog.pg_stat_get_db_stat_reset_time(d.oid)),"
" EXTRACT(epoch FROM pg_catalog.pg_stat_get_bgwriter_stat_reset_time()))"
" FROM pg_catalog.unnest($1) AS r(oid) JOIN pg_catalog.pg_class p ON p.oid = r.oid"
" LEFT JOIN LATERAL pg_catalog.pg_partition_tree(CASE p.relkind WHEN 'p' THEN r.oid END) AS t ON t.isleaf"
" JOIN pg_catalog.pg_class c ON c.oid = coalesce(t.relid, r.oid) AND c.relkind IN ('r', 'm')"
" JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database()"
" ORDER BY 1, 2";

typedef struct OidMark
{
	Oid			oid;
	int64		mark;
} OidMark;

static int
compare_marks(const void *a, const void *b)
{
	Oid			oa = ((const OidMark *) a)->oid;
	Oid			ob = ((const OidMark *) b)->oid;

	return oa < ob ? -1 : oa > ob;
}

/* One mark an OID, in the order of OIDs; relations without counters are not there. */
static OidMark *
read_marks(Oid *oids, int n, int *nmarks)
{
	MemoryContext caller = CurrentMemoryContext;
	OidMark    *marks = palloc(sizeof(OidMark) * (n + 1));
	Datum	   *elements = palloc(sizeof(Datum) * (n + 1));
	Oid			types[1] = {OIDARRAYOID};
	Datum		values[1];

	*nmarks = 0;
	for (int i = 0; i < n; i++)
		elements[i] = ObjectIdGetDatum(oids[i]);
	values[0] = PointerGetDatum(construct_array(elements, n, OIDOID, sizeof(Oid), true, TYPALIGN_INT));
	SPI_connect();
	SPI_execute_with_args(marks_sql, 1, types, values, NULL, true, 0);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		bool		isnull;
		Oid			oid = DatumGetObjectId(SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 1, &isnull));
		char	   *text = SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, 3);
		uint64		hash = hash_bytes_extended((unsigned char *) text, strlen(text), 0);

		if (*nmarks == 0 || marks[*nmarks - 1].oid != oid)
			marks[(*nmarks)++] = (OidMark) {oid, 0};
		marks[*nmarks - 1].mark = (int64) hash_combine64((uint64) marks[*nmarks - 1].mark, hash);
	}
	SPI_finish();
	MemoryContextSwitchTo(caller);
	return marks;
}

int64 *
print_write_marks(DriftPrint *print, DriftEntry **entries, int n)
{
	int64	   *result = palloc0(sizeof(int64) * (n + 1));
	Oid		   *oids = palloc(sizeof(Oid) * (n + 1));
	OidMark    *marks;
	int			noids = 0;
	int			nmarks;

	if (print->database != MyDatabaseId)
		return result;
	for (int i = 0; i < n; i++)
		if (strcmp(entries[i]->family, "table") == 0 || strcmp(entries[i]->family, "materialized_view") == 0)
			oids[noids++] = entries[i]->oid;
	if (noids == 0)
		return result;
	marks = read_marks(oids, noids, &nmarks);
	for (int i = 0; i < n; i++)
	{
		OidMark		key = {entries[i]->oid, 0};
		OidMark    *found = bsearch(&key, marks, nmarks, sizeof(OidMark), compare_marks);

		result[i] = found ? found->mark : 0;
	}
	return result;
}

void
print_mark_writes(DriftPrint *print)
{
	DriftEntry **entries = palloc(sizeof(DriftEntry *) * (print->nentries + 1));
	int64	   *marks;

	for (int i = 0; i < print->nentries; i++)
		entries[i] = &print->entries[i];
	marks = print_write_marks(print, entries, print->nentries);
	for (int i = 0; i < print->nentries; i++)
		entries[i]->write_mark = marks[i];
}
