/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  Every difference between server versions 15, 16, 17 and 18.
 *
 * No other file looks at PG_VERSION_NUM.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_COMPAT_H
#define DRIFTPRINT_COMPAT_H

#include "postgres.h"

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 190000
#error "driftprint supports PostgreSQL 15, 16, 17 and 18"
#endif

#endif							/* DRIFTPRINT_COMPAT_H */
