/*-------------------------------------------------------------------------
 *
 * batch.h
 *	  Some hundred relations being read together; private to the catalog room.
 *
 * Each family file runs its queries for the whole batch and hands its parts
 * to the relation they belong to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_CATALOG_BATCH_H
#define DRIFTPRINT_CATALOG_BATCH_H

#include "catalog/catalog.h"
#include "utils/hsearch.h"

typedef struct BatchColumn
{
	int16		attnum;
	const char *name;
	Oid			type;
	Oid			collation;
} BatchColumn;

typedef struct BatchPart
{
	const char *family;
	const char *name;
	int			position;		/* columns sort by it, others have 0 */
	JsonbValue *value;
} BatchPart;

typedef struct BatchRelation
{
	CatalogRelation *relation;
	bool		found;
	bool		inherits;		/* from a table that is not its partitioned parent */
	ModelBuilder attributes;	/* an open object */
	List	   *parts;			/* of BatchPart */
	List	   *depends_on;		/* of JsonbValue, sorted */
	int			ncolumns;
	BatchColumn *columns;		/* live columns by attnum */
} BatchRelation;

typedef struct Batch
{
	ArrayType  *oids;			/* parameter of every query */
	int			nrelations;
	BatchRelation *relations;	/* sorted by OID */
	HTAB	   *default_opclasses;	/* (type, access method) -> operator class */
	HTAB	   *opclass_options;	/* (index, column) -> its options, where it has any */
	HTAB	   *owned_indexes;	/* index of a constraint -> its attributes */
} Batch;

extern BatchRelation *batch_find(Batch *batch, Oid relid);
extern void batch_add_part(BatchRelation *relation, const char *family,
						   const char *name, int position, ModelBuilder *part);
extern const char *batch_column_name(BatchRelation *relation, int16 attnum);
extern BatchColumn *batch_column(BatchRelation *relation, int16 attnum);
extern void batch_part_begin(ModelBuilder *b, const char *family, const char *name);
extern void batch_put_name(ModelBuilder *b, const char *key, const char *schema, const char *name);

extern char *batch_collation_name(Oid collation);
extern JsonbValue *batch_owned_index(Batch *batch, Oid index);

extern void batch_read_columns(Batch *batch);
extern void batch_read_indexes(Batch *batch);
extern void batch_read_constraints(Batch *batch);
extern void batch_read_triggers(Batch *batch);
extern void batch_read_rules(Batch *batch);
extern void batch_read_policies(Batch *batch);
extern void batch_read_dependencies(Batch *batch);

/* canonical.c: ruleutils' text in the form that survives a dump and restore. */
extern char *catalog_canonical_expression(char *deparsed);
extern List *catalog_split_expressions(char *deparsed);

#endif							/* DRIFTPRINT_CATALOG_BATCH_H */
