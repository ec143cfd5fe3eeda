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

typedef struct FamilyReader
{
	Oid			classid;		/* the catalog whose rows these objects are */
	bool		shared;			/* comments are in pg_shdescription */
	ObjectType	grants;			/* whose default privileges apply; with an acl */

	/*
	 * SELECT of (oid, family, schema, name, signature, owner oid, acl,
	 * attributes jsonb, definition text, parts jsonb).  Attributes that are
	 * null are dropped, as absent means the default.  Objects of extensions
	 * and of system schemas need not be left out: that is done for all.
	 */
	const char *sql;

	/*
	 * More rows (owner, refclassid, refobjid) of what the objects need, for
	 * parts that have an entry of their own in pg_depend; may be NULL.
	 */
	const char *depends_sql;

	/* What pg_depend's auto dependencies say is not a need; sequences. */
	bool		owned;
} FamilyReader;

/*
 * SQL of common pieces; "n" is pg_namespace, arguments are expressions.
 */
#define USER_SCHEMA "n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'"
#define USER_OBJECT(oid) oid " >= 16384"
#define ROLE_NAME(oid) "pg_get_userbyid(" oid ")"
#define FUNCTION_NAME(regproc) "nullif((" regproc ")::regproc::text, '-')"
#define SET_FLAG(condition) "nullif(" condition ", false)"
#define SORTED_TEXTS(array) "(SELECT jsonb_agg(x ORDER BY x COLLATE \"C\") FROM unnest(" array ") AS x)"
#define NAME_OF(schema, name) "jsonb_build_object('schema', " schema ", 'name', " name ")"

/* needs.c */
extern char *catalog_needs_sql(const FamilyReader *reader);

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
