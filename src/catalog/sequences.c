/*-------------------------------------------------------------------------
 *
 * sequences.c
 *	  Sequences: what they are set to do, not how far they have come.
 *
 * A sequence of SERIAL or OWNED BY says which column owns it; that of an
 * identity column is marked, as it belongs to the column.  What a sequence is
 * owned by is no dependency: the column's default depends on the sequence.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_class.h"

/* Bounds that CREATE SEQUENCE would choose. */
#define TYPE_MAXIMUM "CASE s.seqtypid WHEN 21 THEN 32767 WHEN 23 THEN 2147483647 ELSE 9223372036854775807 END"
#define TYPE_MINIMUM "CASE s.seqtypid WHEN 21 THEN -32768 WHEN 23 THEN -2147483648 ELSE (-9223372036854775808)::int8 END"

const FamilyReader catalog_sequences = {
	.families = {"sequence"},
	.classid = RelationRelationId,
	.grants = OBJECT_SEQUENCE,
	.owned = true,
	.sql =
	"SELECT c.oid AS _oid, 'sequence' AS _family, n.nspname AS _schema, c.relname AS _name,"
	" c.relowner AS _owner, c.relacl AS _acl,"
	" format_type(s.seqtypid, NULL) AS type,"
	" nullif(s.seqstart, CASE WHEN s.seqincrement > 0 THEN s.seqmin ELSE s.seqmax END) AS start,"
	" nullif(s.seqincrement, 1) AS increment,"
	" nullif(s.seqmin, CASE WHEN s.seqincrement > 0 THEN 1 ELSE " TYPE_MINIMUM " END) AS minimum,"
	" nullif(s.seqmax, CASE WHEN s.seqincrement > 0 THEN " TYPE_MAXIMUM " ELSE -1 END) AS maximum,"
	" nullif(s.seqcache, 1) AS cache,"
	" s.seqcycle AS cycle,"
	" CASE c.relpersistence WHEN 'u' THEN 'unlogged' END AS persistence,"
	" o.identity, o.owned_by"
	" FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid"
	" JOIN pg_namespace n ON n.oid = c.relnamespace"
	/* LIMIT keeps it a look-up for each sequence */
	" LEFT JOIN LATERAL (SELECT d.deptype = 'i' AS identity,"
	"   jsonb_build_object('schema', tn.nspname, 'table', t.relname, 'column', a.attname) AS owned_by"
	"  FROM pg_depend d JOIN pg_class t ON t.oid = d.refobjid JOIN pg_namespace tn ON tn.oid = t.relnamespace"
	"  JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid"
	"  WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.objsubid = 0"
	"  AND d.refclassid = 'pg_class'::regclass AND d.refobjsubid > 0 AND d.deptype IN ('a', 'i')"
	"  LIMIT 1) AS o ON true"
	" WHERE " USER_SCHEMA " AND c.relpersistence <> 't'"
};
