/*-------------------------------------------------------------------------
 *
 * refresh.c
 *	  Taking a print in many transactions, one a relation.
 *
 * The print is stored at once, with its structure and with the profiles of the
 * print before it, as "running"; each relation that is read replaces its own
 * entry and commits.  Nobody takes a running print for the latest.  A run that
 * dies leaves it behind, and whoever prints next marks it partial: what it
 * read is kept, what it did not reach has its older profile and its older
 * time.
 *
 * A session-level advisory lock keeps two runs apart; it ends with the
 * session, so a dead run holds nobody up.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "print/print_internal.h"
#include "storage/lock.h"
#include "store/store.h"
#include "utils/memutils.h"
#include "utils/portal.h"
#include "utils/snapmgr.h"

/* Advisory lock of the refresh of a database: "drif", "tpri". */
#define REFRESH_LOCK_KEY1 0x64726966
#define REFRESH_LOCK_KEY2 0x74707269

static void
refresh_tag(LOCKTAG *tag)
{
	SET_LOCKTAG_ADVISORY(*tag, MyDatabaseId, REFRESH_LOCK_KEY1, REFRESH_LOCK_KEY2, 2);
}

static bool
claim(bool session)
{
	LOCKTAG		tag;

	refresh_tag(&tag);
	return LockAcquire(&tag, ExclusiveLock, session, true) != LOCKACQUIRE_NOT_AVAIL;
}

static void
release(void)
{
	LOCKTAG		tag;

	refresh_tag(&tag);
	LockRelease(&tag, ExclusiveLock, true);
}

void
print_write(DriftPrint *print)
{
	DriftEntry **entries = palloc(sizeof(DriftEntry *) * (print->nentries + 1));

	for (int i = 0; i < print->nentries; i++)
		entries[i] = &print->entries[i];
	store_begin_print(print);
	store_write_entries(print, entries, print->nentries);
}

/* Only when no refresh is under way is a running print a dead one. */
void
print_bury_interrupted(void)
{
	if (claim(false))
		store_mark_interrupted();
}

/* One transaction's work, with its snapshot and the canonical settings. */
static int
begin_work(void)
{
	PushActiveSnapshot(GetTransactionSnapshot());
	return model_canonical_begin();
}

static void
end_work(int nestlevel)
{
	model_canonical_end(nestlevel);
	PopActiveSnapshot();
	SPI_commit();
}

static void
store_structure(PrintRun *run)
{
	int			nestlevel = begin_work();
	ListCell   *lc;

	store_mark_interrupted();
	CommandCounterIncrement();
	UpdateActiveSnapshotCommandId();
	run->previous = store_find_latest();
	print_begin(run);
	print_check_include(run->options->include, run->print, NULL);
	run->plan_only = true;
	foreach(lc, run->outcomes)
		print_visit(run, lfirst(lc));
	run->plan_only = false;
	run->print->status = "running";
	print_write(run->print);
	end_work(nestlevel);
}

static void
refresh_relation(PrintRun *run, PrintOutcome *outcome)
{
	int			nestlevel = begin_work();

	outcome->entry->profile_id = 0;
	print_visit(run, outcome);
	store_update_entry(run->print, outcome->entry);
	if (outcome->entry->status == DRIFT_FAILED)
		ereport(WARNING,
				(errmsg("could not read %s: %s", model_entry_name(outcome->entry),
						outcome->entry->message)));
	end_work(nestlevel);
}

static void
finish(PrintRun *run)
{
	int			nestlevel = begin_work();

	print_conclude(run);
	store_finish_print(run->print);
	end_work(nestlevel);
}

static void
refresh(const PrintOptions *options)
{
	PrintRun	run = {0};
	ListCell   *lc;

	run.options = options;
	run.context = CurrentMemoryContext;
	store_structure(&run);
	MemoryContextSwitchTo(run.context);
	foreach(lc, run.outcomes)
	{
		CHECK_FOR_INTERRUPTS();
		if (((PrintOutcome *) lfirst(lc))->entry->status != DRIFT_PLANNED)
			continue;
		refresh_relation(&run, lfirst(lc));
		MemoryContextSwitchTo(run.context);
	}
	finish(&run);
}

void
print_refresh(const PrintOptions *options)
{
	MemoryContext context = AllocSetContextCreate(PortalContext, "drift_refresh", ALLOCSET_DEFAULT_SIZES);

	if (!claim(true))
	{
		ereport(NOTICE,
				(errmsg("another drift_refresh() is under way in this database; leaving it to that one"),
				 errhint("See SELECT * FROM drift_progress().")));
		return;
	}
	SPI_connect_ext(SPI_OPT_NONATOMIC);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		refresh(options);
	}
	PG_FINALLY();
	{
		release();
	}
	PG_END_TRY();
	SPI_finish();
	MemoryContextDelete(context);
}
