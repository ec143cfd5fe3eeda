/*-------------------------------------------------------------------------
 *
 * store_internal.h
 *	  Shared by the files of the store room only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_STORE_INTERNAL_H
#define DRIFTPRINT_STORE_INTERNAL_H

#include "store/store.h"

/* Held by whoever writes or removes, until the end of the transaction. */
extern void store_lock_for_writing(void);

#endif							/* DRIFTPRINT_STORE_INTERNAL_H */
