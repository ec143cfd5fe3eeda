/*-------------------------------------------------------------------------
 *
 * watch.h
 *	  Who changed what, and when: a log of DDL commands.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_WATCH_H
#define DRIFTPRINT_WATCH_H

#include "model/model.h"

/*
 * Who last changed an object, as one sentence; NULL when the log does not
 * know.  The name is as model_entry_name() gives it.
 */
extern char *watch_last_change(const char *object);

/* Whether anything has been written down at all. */
extern bool watch_has_log(void);

#endif							/* DRIFTPRINT_WATCH_H */
