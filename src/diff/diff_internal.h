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
	const char *old_name;
	const char *new_schema;		/* NULL for a column, and where there is none */
	const char *new_name;
} Rename;

/* All that is known to have been renamed; private to rename.c. */
typedef struct RenameBook RenameBook;

/* Everything one diff knows. */
typedef struct Diff
{
	DriftPrint *baseline;
	DriftPrint *target;
	const DiffOptions *options;
	bool		same_database;	/* OIDs and attribute numbers mean the same */

	RenameBook *book;			/* NULL while nothing was renamed */
	List	   *changes;		/* of DriftChange */
} Diff;

/* An entry on both sides, and where its changes are reported. */
typedef struct DiffPair
{
	DriftEntry *before;
	DriftEntry *after;
	const char *relation;		/* the target's qualified name */
	List	   *column_renames;	/* of Rename */
	List	   *columns_gone;	/* names in the baseline */
	List	   *columns_come;	/* names in the target */
	List	   *inferred_before;	/* attributes of edges, as of a foreign key */
	List	   *inferred_after;
	int			nchanges;
} DiffPair;

/* A part of an object, found in its document. */
typedef struct DiffPart
{
	const char *family;
	const char *name;
	JsonbContainer *attributes;
	const char *key;			/* what it is matched by */
	int16		attnum;			/* of a column */
	bool		matched;
} DiffPart;

/* diff.c */
extern bool diff_was_looked_at(const DriftPrint *print, const DriftEntry *entry);
extern DriftChange *diff_report(Diff *diff, DiffPair *pair, const char *kind);

/* relation.c: the columns of a relation first, then all else that it is */
extern void diff_columns(Diff *diff, DiffPair *pair);
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
extern void diff_relationships(Diff *diff, DiffPair *pair);
extern void diff_grain(Diff *diff, DiffPair *pair);

/* partitions.c */
extern char *diff_parent_of(const DriftEntry *entry);
extern void diff_fold_partitions(Diff *diff, List *pairs);

/* inferred.c */
extern void diff_infer_edges(Diff *diff, List *pairs, List *changed, List *removed, List *added);
extern void diff_rename_edges(Diff *diff, List *pairs);

/* statistics.c */
extern void diff_statistics(Diff *diff, DiffPair *pair);
extern void diff_row_count(Diff *diff, DiffPair *pair);

/* rename.c: the baseline's documents in the target's names */
extern void diff_remember_rename(Diff *diff, DiffPair *pair);
extern void diff_remember_columns(Diff *diff, DiffPair *pair);
extern Jsonb *diff_rename_document(Diff *diff, DiffPair *pair, Jsonb *document);

/* A baseline's column under its name in the target; NULL when it is not there. */
extern const char *diff_new_column_name(DiffPair *pair, const char *name);

#endif							/* DRIFTPRINT_DIFF_INTERNAL_H */
