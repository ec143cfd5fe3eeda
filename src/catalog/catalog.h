/*-------------------------------------------------------------------------
 *
 * catalog.h
 *	  Reading the catalogs into objects of the one common shape.
 *
 * Every reader is set-based: a handful of queries for many objects, run
 * under a snapshot of its own that is as new as what the deparse functions
 * see.  The caller has put model_canonical_begin() in force.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_CATALOG_H
#define DRIFTPRINT_CATALOG_H

#include "postgres.h"

#include "model/model.h"
#include "nodes/parsenodes.h"
#include "utils/acl.h"

/* A relation as it stands in the list from which a print selects. */
typedef struct CatalogRelation
{
	Oid			oid;
	const char *family;			/* table, partition, foreign_table, view, materialized_view */
	const char *schema;
	const char *name;
	char		relkind;
	double		reltuples;		/* the catalog's estimate; negative when unknown */
	Oid			root;			/* of a partition: its topmost parent */
	int			nreads;			/* relations that its deparse will lock */
	Oid		   *reads;
} CatalogRelation;

/* Relations of user schemas, sorted by schema and name. */
extern List *catalog_list_relations(void);
extern const char *catalog_relation_family(char relkind, bool ispartition);

/*
 * Entries of the given relations (a list of CatalogRelation), in the same
 * order, without those that have been dropped meanwhile.  Takes ACCESS SHARE
 * on some hundred relations at a time and releases it; never waits for a lock
 * while it holds another.  A relation that could not be read has status
 * DRIFT_FAILED and a message.
 */
extern List *catalog_read_relations(List *relations);

/*
 * Entries of every other family: schemas, functions, sequences, types,
 * extensions, roles and so on, in no order that matters.  families.c.
 */
extern List *catalog_read_families(void);
extern List *catalog_read_family(const char *family);

/* Names of kinds of objects that the database holds and nothing here reads. */
extern List *catalog_not_compared(void);

/* One more query under a fresh snapshot; rows in SPI_tuptable.  relations.c. */
extern void catalog_query(const char *sql, ArrayType *oids);

/* Text of a column of the current row, NULL for null. */
extern char *catalog_text(uint64 row, int column);
extern List *catalog_texts(uint64 row, int column);
extern List *catalog_options(uint64 row, int column);
extern Oid	catalog_oid(uint64 row, int column);
extern int64 catalog_int(uint64 row, int column);
extern bool catalog_bool(uint64 row, int column);
extern char catalog_char(uint64 row, int column);

/*
 * Privileges as a sorted array under "grants"; nothing when they are what the
 * owner has without any GRANT.  grants.c.
 */
extern void catalog_put_grants(ModelBuilder *b, Acl *acl, ObjectType type, Oid owner);

extern int	catalog_compare_texts(const ListCell *a, const ListCell *b);

#endif							/* DRIFTPRINT_CATALOG_H */
