/*-------------------------------------------------------------------------
 *
 * profile.h
 *	  What the rows of a relation say, measured in one pass.
 *
 * A profile is one jsonb document, the body of dbprint v1's statistics for a
 * table (sections 2.2 to 4 of its format specification) without what the
 * catalogs know anyway:
 *
 *	{ "columns": { name: { null_count, cardinality, ... } },
 *	  "null_patterns", "grain", "dependencies", "timeline",
 *	  "scope", "unmeasured", "partial" }
 *
 * Names are the catalog's own, not folded.  Beyond the format a column may
 * carry histogram (101 bounds), nan_count, infinity_count, avg_width,
 * toasted_share and kinds (of json).
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_PROFILE_H
#define DRIFTPRINT_PROFILE_H

#include "model/model.h"

/* What is read and measured; rules fill it. */
typedef struct ProfileSettings
{
	/* scope: at most one of sample and filter */
	double		sample;			/* fraction of the rows, 0 for all */
	bool		sample_system;	/* by pages instead of rows */
	const char *filter;			/* a predicate, NULL for none */
	double		estimated_rows; /* for row_count under a scope; negative: unknown */

	/* how much of it is told */
	int			enumeration_threshold;	/* up to here all values are listed */
	int			top_n_values;	/* beyond it, so many */
	int			top_n_null_patterns;
	int			looks_like_sample_size;
	int			npercentiles;
	int			percentiles[20];	/* whole percents, ascending */
	bool		compute_timeline;
	bool		search_pairs;	/* grain and dependencies */
	bool		sketch_all_columns;
} ProfileSettings;

typedef struct ProfileResult
{
	Jsonb	   *profile;
	int64		row_count;
	bool		row_count_exact;
	int64		rows_scanned;
} ProfileResult;

extern void profile_default_settings(ProfileSettings *settings);

/*
 * Profile a relation as the current user, under the active snapshot, with the
 * canonical settings in force.  The executor checks privileges and applies row
 * security.  Result in the current memory context; errors are raised.
 */
extern void profile_relation(Oid relid, const ProfileSettings *settings, ProfileResult *result);

/* A page about one relation, for a person; row_count may be NULL. */
extern char *profile_describe(Jsonb *object, Jsonb *profile, int64 rows, const char *row_count, const char *when);

/* A profile's leaves: column (NULL for the relation's own), dot path, value. */
typedef void (*ProfileLeaf) (void *state, const char *column, const char *path, Jsonb *value);
extern void profile_walk(Jsonb *profile, ProfileLeaf leaf, void *state);

#endif							/* DRIFTPRINT_PROFILE_H */
