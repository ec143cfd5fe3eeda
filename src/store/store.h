/*-------------------------------------------------------------------------
 *
 * store.h
 *	  Writing and reading prints.
 *
 * Storage belongs to the extension's owner.  Functions of this room become
 * that owner for their own fixed statements only, with a pinned search_path,
 * and the caller again before they return, also on error.  Who may see what
 * of a print is decided above.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_STORE_H
#define DRIFTPRINT_STORE_H

#include "access/tupdesc.h"
#include "model/model.h"
#include "utils/tuplestore.h"

/* Who we were before, and which settings. */
typedef struct StoreIdentity
{
	Oid			userid;
	int			sec_context;
	int			nestlevel;
} StoreIdentity;

extern void store_become_owner(StoreIdentity *saved);
extern void store_become_caller(const StoreIdentity *saved);

/* The schema in which the extension's functions live. */
extern Oid	store_extension_namespace(void);

/*
 * A row for a new print; print->id is set.  The label is refused when it is
 * taken or reserved (ERRCODE_DRIFT_LABEL).
 */
extern void store_begin_print(DriftPrint *print);
extern void store_check_label(const char *label);

/* Entries of a print; bodies and profiles are stored unless they are already. */
extern void store_write_entries(DriftPrint *print, DriftEntry **entries, int n);

/* One entry of a print being refreshed: what reading its rows brought. */
extern void store_update_entry(DriftPrint *print, DriftEntry *entry);

/* A refresh that died left its print "running"; it is partial from now on. */
extern void store_mark_interrupted(void);

/* Rows of drift_progress(). */
extern void store_list_progress(Tuplestorestate *rows, TupleDesc desc);

/* The print's status and facts, when all is written. */
extern void store_finish_print(DriftPrint *print);

/*
 * A stored print by name (latest, an id or a label), without bodies; raises
 * ERRCODE_DRIFT_NO_PRINT or ERRCODE_DRIFT_FORMAT.  "latest" is the newest
 * print of a live database.  store_find() returns NULL instead of raising.
 */
extern DriftPrint *store_open(const char *name);
extern DriftPrint *store_find_latest(void);

/* Rows of drift_prints(): what prints there are. */
extern void store_list_prints(Tuplestorestate *rows, TupleDesc desc);

/* Retention; how many prints went. */
extern void store_drop(const char *name);
extern int	store_prune(int keep);

#endif							/* DRIFTPRINT_STORE_H */
