/*-------------------------------------------------------------------------
 *
 * words.h
 *	  Before and after in words, within the width of a page.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_REPORT_WORDS_H
#define DRIFTPRINT_REPORT_WORDS_H

#include "model/model.h"

/* One side of a change in words; anything unexpected is shown as its JSON. */
extern char *words_of_value(const Jsonb *side);
extern char *words_of_statistic(const Jsonb *side);
extern char *words_of_nullable(const Jsonb *side);
extern char *words_of_column(const Jsonb *side);
extern char *words_of_columns(const Jsonb *side);
extern char *words_of_table(const Jsonb *side);
extern char *words_of_count(const Jsonb *side);
extern char *words_of_grain(const Jsonb *side);
extern char *words_of_layout(const Jsonb *side);
extern char *words_of_list(const Jsonb *side);
extern char *words_of_index(const Jsonb *side);
extern char *words_of_constraint(const Jsonb *side);
extern char *words_of_relationship(const Jsonb *side);
extern char *words_of_definition(const Jsonb *side);
extern char *words_of_policy(const Jsonb *side);
extern char *words_of_row_security(const Jsonb *side);
extern char *words_of_generated(const Jsonb *side);

/* A member in which two objects differ. */
typedef struct WordsMember
{
	char	   *name;
	char	   *before;
	char	   *after;
} WordsMember;

extern List *words_differing_members(Jsonb *before, Jsonb *after);

/* Control characters as spaces, runs of spaces as one; in place. */
extern char *words_one_line(char *text);

/* "start: value" over some lines of the width. */
extern void words_append_one(StringInfo out, const char *start, const char *value);

/* "start: before -> after" with the tail, or both on lines of their own. */
extern void words_append_pair(StringInfo out, const char *start, const char *before, const char *after,
							  const char *tail);

#endif							/* DRIFTPRINT_REPORT_WORDS_H */
