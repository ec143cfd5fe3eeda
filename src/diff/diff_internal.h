/*-------------------------------------------------------------------------
 *
 * diff_internal.h
 *	  Shared by the files of the diff room only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_DIFF_INTERNAL_H
#define DRIFTPRINT_DIFF_INTERNAL_H

#include "diff/diff.h"

/* One name that became another. */
typedef struct Rename
{
	const char *schema;			/* of a relation; NULL for a column */
	const char *old_name;
	const char *new_schema;
	const char *new_name;
} Rename;

/* Everything one diff knows. */
typedef struct Diff
{
	DriftPrint *baseline;
	DriftPrint *target;
	const DiffOptions *options;
	bool		same_database;	/* OIDs and attribute numbers mean the same */

	List	   *table_renames;	/* of Rename */
	List	   *changes;		/* of DriftChange */
} Diff;

/* An entry on both sides, and where its changes are reported. */
typedef struct DiffPair
{
	DriftEntry *before;
	DriftEntry *after;
	const char *relation;		/* the target's qualified name */
	List	   *column_renames;	/* of Rename */
	int			nchanges;
} DiffPair;

/* A part of an object, found in its document. */
typedef struct DiffPart
{
	const char *family;
	const char *name;
	JsonbContainer *attributes;
	int16		attnum;			/* of a column */
	bool		matched;
} DiffPart;

/* diff.c */
extern DriftChange *diff_report(Diff *diff, DiffPair *pair, const char *kind);

/* relation.c: the parts of a relation and its own attributes */
extern void diff_relation(Diff *diff, DiffPair *pair);
extern void diff_object(Diff *diff, DiffPair *pair);
extern List *diff_parts(Jsonb *body, const char *family);

/* attributes.c: attribute by attribute, each with its kind */
extern void diff_relation_attributes(Diff *diff, DiffPair *pair, JsonbContainer *before,
									 JsonbContainer *after);
extern void diff_column_attributes(Diff *diff, DiffPair *pair, const char *column,
								   JsonbContainer *before, JsonbContainer *after);
extern Jsonb *diff_differing(JsonbContainer *mine, JsonbContainer *theirs, const char *const *ignored);

/* parts.c: constraints, relationships, indexes, triggers, rules, policies */
extern void diff_parts_of_relation(Diff *diff, DiffPair *pair);
extern void diff_grain(Diff *diff, DiffPair *pair);

/* statistics.c */
extern void diff_statistics(Diff *diff, DiffPair *pair);
extern void diff_row_count(Diff *diff, DiffPair *pair);

/* rename.c: the baseline's documents in the target's names */
extern Jsonb *diff_rename_body(Diff *diff, DiffPair *pair, Jsonb *body);
extern const char *diff_new_column_name(DiffPair *pair, const char *name);
extern char *diff_rename_tokens(const char *text, const char *old_name, const char *new_name);

#endif							/* DRIFTPRINT_DIFF_INTERNAL_H */
