/*-------------------------------------------------------------------------
 *
 * model.h
 *	  The shapes that travel between the rooms: object, entry, print, change.
 *
 * The ground floor: every room may use it, and it uses none.  Nothing here
 * reads a catalog, a table or a setting.
 *
 * An object is one jsonb document:
 *
 *	{ "family":     "table",
 *	  "schema":     "public",			absent where a family has no schema
 *	  "name":       "orders",
 *	  "signature":  "integer, text",	functions, operators, casts only
 *	  "attributes": { name: value },	absent value = the default
 *	  "depends_on": [ identity, ... ],	sorted; absent = nothing
 *	  "definition": "CREATE ...",		only where attributes do not suffice
 *	  "parts":      [ object, ... ] }	without "schema"; sorted by family, name
 *
 * An identity is { "family", "schema", "parent", "name", "signature" }, each
 * key present only where the family has it.  All text in it is what
 * PostgreSQL prints with search_path = pg_catalog and the settings of
 * model_canonical_settings(), so equal objects are equal bytes.  jsonb orders
 * keys itself; arrays whose order has no meaning are sorted by the reader.
 *
 * Families with an OID of their own at the top level (an entry each): table,
 * foreign_table, view, materialized_view, partition, function, procedure,
 * aggregate, sequence, enum, domain, composite_type, range_type, ...
 * Families that are parts: column, constraint, index, trigger, rule, policy.
 *
 * Attributes of relations (absent = default or not applicable):
 *
 *	table, partition, foreign_table, view, materialized_view:
 *	  owner, comment, persistence (unlogged | temporary), access_method,
 *	  tablespace, options [ "name=value" ], of_type, replica_identity,
 *	  row_security true, force_row_security true,
 *	  inherits [ {schema, name} ],
 *	  partition_key { strategy, keys [ {expression, column?, collation?,
 *	  opclass?} ], definition }, partition_of {schema, name},
 *	  partition_bound text, server, foreign_options [..],
 *	  view_definition text, depends_on [ {schema, name} ] (relations a view
 *	  reads directly), check_option, populated false,
 *	  grants [ {grantee, privilege, grantable?} ]
 *	column: position (1.. over live columns), type, nullable, default,
 *	  generated (stored | virtual) with generation_expression, identity
 *	  (always | by_default), collation, storage, compression,
 *	  statistics_target, options, foreign_options, inherited true, comment,
 *	  grants
 *	constraint: type (primary_key | unique | check | foreign_key |
 *	  exclusion), columns, expression, definition, deferrable, deferred,
 *	  not_valid, no_inherit, inherited, comment; unique and primary_key and
 *	  exclusion also index { as an index's attributes }; foreign_key also
 *	  target {schema, name}, target_columns, on_update, on_delete,
 *	  on_delete_columns, match
 *	index: method, columns [ {column | expression, collation?, opclass?,
 *	  opclass_options?, order?, nulls?} ], include [..], unique,
 *	  nulls_not_distinct, predicate, options, tablespace, invalid true,
 *	  clustered, replica_identity, attached_to {schema, name}, comment
 *	trigger: definition, function {schema, name}, enabled, inherited, comment
 *	rule: definition, enabled, comment
 *	policy: command, permissive, roles, using, check, comment
 *
 * Attributes of the other families; all may have owner, comment and grants:
 *
 *	function, procedure, aggregate (signature: types of the input arguments):
 *	  arguments and returns text, language, window, volatility (immutable |
 *	  stable), parallel (safe | restricted), strict, security_definer,
 *	  leakproof, cost, rows, support, config [..]; function and procedure have
 *	  a definition; aggregate: kind (ordered_set | hypothetical_set),
 *	  direct_arguments, transition_function, state_type, state_space,
 *	  final_function(_extra, _modify), combine_function, serial_function,
 *	  deserial_function, initial_value, the same with moving_, sort_operator
 *	sequence: type, start, increment, minimum, maximum, cache, cycle,
 *	  persistence, owned_by {schema, table, column}, identity true (it belongs
 *	  to that column)
 *	enum: values [..] in order
 *	domain: type, not_null, default, collation; parts: constraint
 *	composite_type: columns [ {name, type, collation?, comment?} ] in order
 *	range_type: subtype, operator_class {schema, name}, collation, canonical,
 *	  subtype_difference, multirange {schema, name}
 *	base_type: shell true, or input, output, receive, send, modifier_input,
 *	  modifier_output, analyze, subscript, length, by_value, alignment,
 *	  storage, category, preferred, delimiter, element, collatable, default
 *	extension: version, schema
 *	role: superuser, no_inherit, create_role, create_database, login,
 *	  replication, bypass_row_security, connection_limit, valid_until,
 *	  settings [..], database_settings [..], member_of [ {role, admin?,
 *	  inherit?, no_set?} ]
 *	cast (name: "source AS target"): source, target, method (binary | inout),
 *	  function, context (assignment | implicit)
 *	operator (signature: "left, right", NONE for none): left, right, returns,
 *	  function, commutator, negator, restriction_estimator, join_estimator,
 *	  hashes, merges
 *	operator_class, operator_family (signature: access method): operators
 *	  [..], functions [..]; class: type, default, family {schema, name},
 *	  storage
 *	conversion: from, to, function, default
 *	transform (name: type, signature: language): from_sql, to_sql
 *	access_method: type (table | index), handler
 *	text_search_parser: start, token, end, headline, token_types
 *	text_search_template: init, lexize
 *	text_search_dictionary: template {schema, name}, options text
 *	text_search_configuration: parser {schema, name}, mappings [ {token,
 *	  dictionaries [ {schema, name} ]} ]
 *	collation: provider, collate, ctype, locale, rules, nondeterministic
 *	statistics_object: table {schema, name}, columns [..], expressions [..],
 *	  kinds [..], statistics_target
 *	foreign_data_wrapper: handler, validator, options [..]
 *	server: foreign_data_wrapper, type, version, options [..]
 *	user_mapping (name: server, signature: user or PUBLIC): option_names [..]
 *	publication: all_tables, publish [..], via_root, schemas [..], tables
 *	  [ {schema, name, columns?, where?} ]
 *	subscription: publications [..], slot_name
 *	event_trigger: event, function, tags [..], enabled (disabled | replica |
 *	  always)
 *	default_privileges (name: role, signature: tables | sequences | functions
 *	  | types | schemas | large objects; schema absent = everywhere): grants,
 *	  always in full
 *	language: trusted, handler, inline, validator
 *
 * An object that the role may not look at has the attribute "undecided" with
 * the reason.
 *
 * An entry is an object as one print holds it: the document, how it is
 * addressed, and what was measured.  A profile is a jsonb document too; the
 * profile room owns its shape.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_MODEL_H
#define DRIFTPRINT_MODEL_H

#include "postgres.h"

#include "common/sha2.h"
#include "datatype/timestamp.h"
#include "lib/stringinfo.h"
#include "nodes/pg_list.h"
#include "utils/array.h"
#include "utils/jsonb.h"

/* The layout of stored prints; a print of another major version is refused. */
#define DRIFT_FORMAT_VERSION 1

#define DRIFT_HASH_BYTES PG_SHA256_DIGEST_LENGTH

/* SQLSTATEs of our own, class DP. */
#define ERRCODE_DRIFT_NO_PRINT MAKE_SQLSTATE('D', 'P', '0', '0', '1')
#define ERRCODE_DRIFT_STALE MAKE_SQLSTATE('D', 'P', '0', '0', '2')
#define ERRCODE_DRIFT_DRIFT MAKE_SQLSTATE('D', 'P', '0', '0', '3')
#define ERRCODE_DRIFT_PARTIAL MAKE_SQLSTATE('D', 'P', '0', '0', '5')
#define ERRCODE_DRIFT_ASSERTION MAKE_SQLSTATE('D', 'P', '0', '0', '6')
#define ERRCODE_DRIFT_TOTAL_FAILURE MAKE_SQLSTATE('D', 'P', '0', '0', '7')
#define ERRCODE_DRIFT_LABEL MAKE_SQLSTATE('D', 'P', '1', '0', '1')
#define ERRCODE_DRIFT_NO_MATCH MAKE_SQLSTATE('D', 'P', '1', '0', '2')
#define ERRCODE_DRIFT_FORMAT MAKE_SQLSTATE('D', 'P', '1', '0', '3')
#define ERRCODE_DRIFT_CONFIG MAKE_SQLSTATE('D', 'P', '1', '0', '4')
#define ERRCODE_DRIFT_LOAD MAKE_SQLSTATE('D', 'P', '1', '0', '5')

/* What happened to a relation when it was printed; stored as this letter. */
typedef enum DriftStatus
{
	DRIFT_PROFILED = 'p',		/* structure and rows were read */
	DRIFT_SKIPPED = 's',		/* its profile is fresh and was carried forward */
	DRIFT_CATALOG_ONLY = 'c',	/* structure only */
	DRIFT_FAILED = 'f',			/* could not be read; see message */
	DRIFT_PLANNED = 'd'			/* dry run: would have been read */
} DriftStatus;

/* How row_count was obtained; stored as this letter. */
typedef enum DriftCountMethod
{
	DRIFT_COUNT_NONE = 'n',		/* no row count */
	DRIFT_COUNT_EXACT = 'e',
	DRIFT_COUNT_APPROXIMATE = 'a'	/* the catalog's estimate */
} DriftCountMethod;

typedef struct DriftEntry
{
	/* identity */
	const char *family;
	const char *schema;			/* NULL where the family has none */
	const char *name;
	const char *signature;		/* NULL where the family has none */

	/* where it stood in its database, for certain renames */
	Oid			oid;			/* InvalidOid when not known */
	int			nattnums;		/* 0 when attribute numbers are 1..n */
	int16	   *attnums;		/* attribute number of each column part, in order */

	/* the object */
	uint8		hash[DRIFT_HASH_BYTES];	/* of the body's bytes */
	Jsonb	   *body;			/* NULL until print->load_bodies() brought it */
	int64		body_id;		/* in storage; 0 for an entry of live */

	/* what was measured */
	DriftStatus status;
	bool		scoped;			/* the profile describes part of the rows */
	int64		write_mark;		/* of the relation's write counters; 0 when unknown */
	int64		row_count;		/* meaningful unless DRIFT_COUNT_NONE */
	DriftCountMethod count_method;
	TimestampTz profiled_at;	/* DT_NOBEGIN when never */
	int			max_age_days;	/* the threshold recorded with the print */
	Jsonb	   *profile;		/* NULL when none, or not yet loaded */
	int64		profile_id;		/* in storage; 0 when none */
	uint8		profile_hash[DRIFT_HASH_BYTES];
	const char *message;		/* why it failed or was skipped; may be NULL */
} DriftEntry;

typedef struct DriftPrint
{
	int32		id;				/* 0 for live */
	const char *label;			/* NULL when none; "live" for live */
	const char *source;			/* live, sql, import */
	const char *status;			/* complete, partial, failed */
	TimestampTz taken_at;
	uint64		system_identifier;	/* with database: same database = OIDs comparable */
	Oid			database;
	const char *database_name;
	int			server_version_num;
	Jsonb	   *facts;			/* what is true of the whole print */

	int			nentries;
	DriftEntry *entries;		/* sorted by model_compare_entries() */

	/*
	 * Brings body (and profile, when asked) of the given entries into memory
	 * in one go.  NULL when everything is in memory already.  load_all is
	 * what a load that hides something is laid over.
	 */
	void		(*load) (struct DriftPrint *print, DriftEntry **entries, int n, bool profiles);
	void		(*load_all) (struct DriftPrint *print, DriftEntry **entries, int n, bool profiles);
	MemoryContext context;		/* owns all of the above */
} DriftPrint;

/* One change, before it is judged or shown. */
typedef struct DriftChange
{
	const char *kind;
	const char *relation;		/* quoted qualified name, or the object's name */
	const char *schema;			/* the same in parts */
	const char *name;
	const char *family;			/* of the entry the change belongs to */
	const char *column_name;	/* NULL unless column grain */
	const char *object_name;	/* index, constraint, trigger, ...; may be NULL */
	const char *stat;			/* dot path, for statistic_changed */
	Jsonb	   *before;			/* NULL = SQL null */
	Jsonb	   *after;
	bool		has_delta;
	double		delta;
	bool		has_delta_pct;
	double		delta_pct;
} DriftChange;

/*
 * Building jsonb.  A JsonbParseState with one level of sugar: every function
 * pushes a key and a value, and those with a NULL or "off" value push nothing.
 */
typedef struct ModelBuilder
{
	JsonbParseState *state;
	JsonbValue *result;
} ModelBuilder;

extern void model_object_begin(ModelBuilder *b);
extern void model_object_end(ModelBuilder *b);
extern void model_array_begin(ModelBuilder *b);
extern void model_array_end(ModelBuilder *b);
extern void model_key(ModelBuilder *b, const char *key);
extern void model_put_text(ModelBuilder *b, const char *key, const char *value);
extern void model_put_true(ModelBuilder *b, const char *key, bool value);
extern void model_put_bool(ModelBuilder *b, const char *key, bool value);
extern void model_put_int(ModelBuilder *b, const char *key, int64 value);
extern void model_put_numeric(ModelBuilder *b, const char *key, Datum numeric);
extern void model_put_float(ModelBuilder *b, const char *key, double value);
extern void model_put_null(ModelBuilder *b, const char *key);
extern void model_put_jsonb(ModelBuilder *b, const char *key, Jsonb *value);
extern void model_put_value(ModelBuilder *b, const char *key, JsonbValue *value);
extern void model_put_texts(ModelBuilder *b, const char *key, List *values);
extern void model_add_text(ModelBuilder *b, const char *value);
extern void model_add_jsonb(ModelBuilder *b, Jsonb *value);
extern void model_add_value(ModelBuilder *b, JsonbValue *value);
extern Jsonb *model_finish(ModelBuilder *b);

/*
 * Reading jsonb.  All return NULL (or false, or the default) when the key is
 * absent or of another type; text is a palloc'd C string.
 */
extern bool model_get(Jsonb *object, const char *key, JsonbValue *value);
extern bool model_get_in(JsonbContainer *object, const char *key, JsonbValue *value);
extern char *model_get_text(Jsonb *object, const char *key);
extern char *model_text_in(JsonbContainer *object, const char *key);
extern bool model_bool_in(JsonbContainer *object, const char *key, bool otherwise);
extern JsonbContainer *model_container_in(JsonbContainer *object, const char *key);
extern Jsonb *model_value_jsonb(const JsonbValue *value);
extern char *model_value_text(const JsonbValue *value);
extern bool model_value_equal(const JsonbValue *a, const JsonbValue *b);
extern Jsonb *model_text_jsonb(const char *text);
extern Jsonb *model_int_jsonb(int64 value);
extern char *model_jsonb_text(Jsonb *value);

/* Identity, order, canonical bytes. */
extern void model_hash(Jsonb *body, uint8 *hash);
extern int	model_compare_identity(const DriftEntry *a, const DriftEntry *b);
extern int	model_compare_entries(const void *a, const void *b);
extern char *model_qualified_name(const char *schema, const char *name);
extern char *model_entry_name(const DriftEntry *entry);
extern bool model_is_relation_family(const char *family);
extern bool model_same_database(const DriftPrint *a, const DriftPrint *b);
extern const char *model_status_name(DriftStatus status);
extern const char *model_count_method_name(DriftCountMethod method);

/*
 * The settings under which everything is read.  Call model_canonical_begin()
 * and model_canonical_end() around catalog and row reading; an error in
 * between is cleaned up by the (sub)transaction's end.
 */
extern int	model_canonical_begin(void);
extern void model_canonical_end(int nestlevel);

/*
 * Selection: globs over the lower-cased "schema.table"; "*" spans dots, "?"
 * is one character, everything else stands for itself.
 */
extern bool model_glob_match(const char *pattern, const char *text);
extern bool model_selected(const char *schema, const char *name, List *include, List *exclude);

/*
 * A text[] argument as a list of C strings, NIL for SQL null.  An empty array,
 * a null or an empty element is refused; "what" is the argument's name.
 */
extern List *model_text_list(ArrayType *array, const char *what);

#endif							/* DRIFTPRINT_MODEL_H */
