/*-------------------------------------------------------------------------
 *
 * driftprint.c
 *	  Module load and settings, nothing more.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/guc.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

void
_PG_init(void)
{
	MarkGUCPrefixReserved("driftprint");
}
