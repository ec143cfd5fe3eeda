/*-------------------------------------------------------------------------
 *
 * families.h
 *	  A reader of the families that are not relations; private to the room.
 *
 * Each file describes its families by one query a system catalog, and
 * families.c does the rest: comment, privileges, dependencies, canonical
 * text, the entry.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_CATALOG_FAMILIES_H
#define DRIFTPRINT_CATALOG_FAMILIES_H

#include "catalog/catalog.h"

#define READER_FAMILIES 6

typedef struct FamilyReader
{
	const char *families[READER_FAMILIES];	/* what it yields; ends with NULL */
	Oid			classid;		/* the catalog whose rows these objects are */
	bool		shared;			/* comments are in pg_shdescription */
	ObjectType	grants;			/* whose default privileges apply; with an _acl */

	/*
	 * Columns that begin with "_" are the object itself: _oid, _family,
	 * _schema, _name, _signature, _owner (an OID), _acl, _definition, _parts
	 * (jsonb); those that do not apply are not selected.  Every other column
	 * is an attribute by its own name, absent where it is null or false.
	 * Members of extensions are left out for all readers.
	 */
	const char *sql;

	/*
	 * More rows (owner, refclassid, refobjid) of what the objects need, for
	 * parts that have an entry of their own in pg_depend; may be NULL.
	 */
	const char *depends_sql;

	/* Objects that belong to what they depend on by an auto dependency. */
	bool		owned;
} FamilyReader;

/* SQL of common conditions and values; "n" is pg_namespace, arguments are expressions. */
#define USER_SCHEMA "n.nspname <> 'information_schema' AND NOT starts_with(n.nspname::text, 'pg_')"
#define USER_OBJECT(oid) oid " >= 16384"
/* NOT IN is hashed once, whatever the planner believes of pg_depend. */
#define NOT_INTERNAL(class, oid) \
	oid " NOT IN (SELECT i.objid FROM pg_depend i WHERE i.classid = '" class "'::regclass" \
	" AND i.objsubid = 0 AND i.deptype = 'i')"
#define FUNCTION_NAME(regproc) "nullif(" regproc ", 0)::regproc::text"
#define COLLATION_NAME(oid) "nullif(" oid ", 0)::regcollation::text"
#define TYPE_NAME(oid) "format_type(nullif(" oid ", 0), NULL)"
#define SORTED(array) "(SELECT array_agg(x ORDER BY x COLLATE \"C\") FROM unnest(" array ") AS x)"
#define NAME_OF(schema, name) "jsonb_build_object('schema', " schema ", 'name', " name ")"

/* families.c: all objects of a catalog, or those with the given OIDs. */
extern List *family_read(const FamilyReader *reader, ArrayType *oids, MemoryContext result);
extern List *family_undecided(const FamilyReader *reader, ArrayType *oids, const char *reason,
							  MemoryContext result);
extern List *family_list(const FamilyReader *reader, MemoryContext result);

/* steady.c: all objects, each as it was at one moment. */
extern List *family_read_steady(const FamilyReader *reader);

/* needs.c: rows (owner, family, schema, name, signature); false when there are none. */
extern bool family_query_needs(const FamilyReader *reader, ArrayType *oids);

extern const FamilyReader catalog_schemas;
extern const FamilyReader catalog_functions;
extern const FamilyReader catalog_sequences;
extern const FamilyReader catalog_types;
extern const FamilyReader catalog_extensions;
extern const FamilyReader catalog_roles;
extern const FamilyReader catalog_casts;
extern const FamilyReader catalog_operators;
extern const FamilyReader catalog_operator_classes;
extern const FamilyReader catalog_operator_families;
extern const FamilyReader catalog_conversions;
extern const FamilyReader catalog_text_search_parsers;
extern const FamilyReader catalog_text_search_templates;
extern const FamilyReader catalog_text_search_dictionaries;
extern const FamilyReader catalog_text_search_configurations;
extern const FamilyReader catalog_collations;
extern const FamilyReader catalog_statistics;
extern const FamilyReader catalog_foreign_data_wrappers;
extern const FamilyReader catalog_servers;
extern const FamilyReader catalog_user_mappings;
extern const FamilyReader catalog_publications;
extern const FamilyReader catalog_subscriptions;
extern const FamilyReader catalog_event_triggers;
extern const FamilyReader catalog_default_privileges;
extern const FamilyReader catalog_languages;
extern const FamilyReader catalog_transforms;
extern const FamilyReader catalog_access_methods;

#endif							/* DRIFTPRINT_CATALOG_FAMILIES_H */
