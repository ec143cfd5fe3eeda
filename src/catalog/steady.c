/*-------------------------------------------------------------------------
 *
 * steady.c
 *	  Reading objects that others may be changing.
 *
 * Most of these objects have no lock that all of their DDL would wait for, and
 * the deparse functions see newer catalogs than the query that calls them.  So
 * a read is checked instead: every change of a catalog is announced to all
 * sessions, and when no announcement came while reading, what was read is how
 * it was at one moment.  Otherwise all is read again, and what reads the same
 * twice is taken; the rest is read until it does.
 *
 * An error ends the whole query, so it is then run for halves, down to the one
 * object that is being dropped or cannot be read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/families.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/sinval.h"
#include "utils/array.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/resowner.h"

/* How often all is read, and how often what keeps changing, before it is taken as it is. */
#define WHOLE_READS 3
#define CHANGING_READS 20

typedef struct KnownEntry
{
	Oid			oid;
	DriftEntry *entry;
} KnownEntry;

static uint64
announcements(void)
{
	AcceptInvalidationMessages();
	return SharedInvalidMessageCounter;
}

/*
 * An object that vanishes while it is read shows as almost any error (cache
 * lookups, enum values, types), so these alone are known to mean something else.
 */
static bool
is_for_the_caller(const ErrorData *error)
{
	return ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_OPERATOR_INTERVENTION ||
		ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_INSUFFICIENT_RESOURCES ||
		error->sqlerrcode == ERRCODE_LOCK_NOT_AVAILABLE;
}

/* One read in a subtransaction; its error is returned. */
static ErrorData *
try_read(const FamilyReader *reader, ArrayType *oids, List **entries)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	PG_TRY();
	{
		*entries = family_read(reader, oids, caller);
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(caller);
		error = CopyErrorData();
		if (is_for_the_caller(error))
			PG_RE_THROW();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
	return error;
}

static ArrayType *
oid_array(List *oids, int from, int n)
{
	Datum	   *values = palloc(sizeof(Datum) * n);

	for (int i = 0; i < n; i++)
		values[i] = ObjectIdGetDatum(list_nth_oid(oids, from + i));
	return construct_array(values, n, OIDOID, sizeof(Oid), true, TYPALIGN_INT);
}

/*
 * An object that has been dropped is simply not there at the next try.  One
 * that cannot be read at all is undecided.
 */
static List *
read_halves(const FamilyReader *reader, List *oids, int from, int n)
{
	List	   *entries = NIL;
	ErrorData  *error = NULL;

	for (int i = 0; i < (n == 1 ? CHANGING_READS : 1); i++)
	{
		CHECK_FOR_INTERRUPTS();
		error = try_read(reader, oid_array(oids, from, n), &entries);
		if (error == NULL)
			return entries;
	}
	if (n == 1)
		return family_undecided(reader, oid_array(oids, from, n), error->message, CurrentMemoryContext);
	return list_concat(read_halves(reader, oids, from, n / 2),
					   read_halves(reader, oids, from + n / 2, n - n / 2));
}

/* All objects, or the given ones; whether that was undisturbed. */
static bool
read_objects(const FamilyReader *reader, List *oids, List **entries)
{
	uint64		before = announcements();
	ErrorData  *error;

	*entries = NIL;
	error = try_read(reader, oids ? oid_array(oids, 0, list_length(oids)) : NULL, entries);
	if (error == NULL)
		return announcements() == before;
	if (oids == NIL)
		oids = family_list(reader, CurrentMemoryContext);
	*entries = oids ? read_halves(reader, oids, 0, list_length(oids)) : NIL;
	return false;
}

static HTAB *
index_entries(List *entries)
{
	HASHCTL		ctl = {0};
	HTAB	   *table;
	ListCell   *lc;

	ctl.keysize = sizeof(Oid);
	ctl.entrysize = sizeof(KnownEntry);
	ctl.hcxt = CurrentMemoryContext;
	table = hash_create("entries by OID", 256, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	foreach(lc, entries)
	{
		DriftEntry *entry = lfirst(lc);
		KnownEntry *known = hash_search(table, &entry->oid, HASH_ENTER, NULL);

		known->entry = entry;
	}
	return table;
}

/* Those that were the same before go to *steady; the OIDs of the others are returned. */
static List *
take_steady(List *entries, List *before, List **steady)
{
	HTAB	   *known = index_entries(before);
	List	   *changing = NIL;
	ListCell   *lc;

	foreach(lc, entries)
	{
		DriftEntry *entry = lfirst(lc);
		KnownEntry *match = hash_search(known, &entry->oid, HASH_FIND, NULL);

		if (match != NULL && memcmp(match->entry->hash, entry->hash, DRIFT_HASH_BYTES) == 0)
			*steady = lappend(*steady, entry);
		else
			changing = lappend_oid(changing, entry->oid);
	}
	hash_destroy(known);
	return changing;
}

List *
family_read_steady(const FamilyReader *reader)
{
	List	   *steady = NIL;
	List	   *changing = NIL;
	List	   *entries;
	ListCell   *lc;

	if (read_objects(reader, NIL, &entries))
		return entries;
	for (int i = 1; i < WHOLE_READS + CHANGING_READS; i++)
	{
		List	   *before = entries;

		/* all, as long as something new may have taken the place of something old */
		if (i < WHOLE_READS)
			steady = NIL;
		if (read_objects(reader, i < WHOLE_READS ? NIL : changing, &entries))
			return list_concat(steady, entries);
		changing = take_steady(entries, before, &steady);
		if (changing == NIL)
			return steady;
	}
	foreach(lc, entries)
		if (list_member_oid(changing, ((DriftEntry *) lfirst(lc))->oid))
			steady = lappend(steady, lfirst(lc));
	return steady;
}
