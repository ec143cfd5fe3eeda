-- The catalog of what the extension makes: every object is described, nothing
-- runs with another role's rights, and storage is closed.
\set QUIET 1
BEGIN;
SELECT no_plan();

CREATE TEMP VIEW own_function AS
	SELECT p.oid::regprocedure::text AS name, p.*
	FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
	JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
	WHERE e.extname = 'driftprint' AND d.deptype = 'e';
CREATE TEMP VIEW own_relation AS
	SELECT c.oid::regclass::text AS name, c.*
	FROM pg_class c JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
	JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
	WHERE e.extname = 'driftprint' AND d.deptype = 'e';

SELECT isnt_empty('SELECT name FROM own_function', 'the extension has functions');
SELECT is_empty($$SELECT name FROM own_function WHERE obj_description(oid, 'pg_proc') IS NULL$$,
	'every function has a comment');
SELECT is_empty($$SELECT name FROM own_relation WHERE relkind IN ('r', 'v', 'm')
	AND obj_description(oid, 'pg_class') IS NULL$$, 'every table and view has a comment');
SELECT is_empty($$SELECT name FROM own_function WHERE prosecdef$$, 'no function is SECURITY DEFINER');
SELECT is_empty($$SELECT name FROM own_function WHERE NOT proname ~ '^_?drift_'$$,
	'every function in the users'' schema is named drift_…');
SELECT is_empty($$SELECT name FROM own_function WHERE proparallel = 's'
	AND (provolatile = 'v' OR proname ~ '^drift_(print|load|import|configure)')$$,
	'no function that writes says it may run in a parallel worker');
SELECT is_empty($$SELECT name FROM own_function
	WHERE proname ~ '^drift_(print|refresh|drop|prune|load|import|configure|exit_code|gate)$' AND provolatile <> 'v'$$,
	'a function that writes, or looks at what changes meanwhile, is volatile');
SELECT is_empty($$SELECT name FROM own_function WHERE provolatile = 'i' AND proname !~ '^_'$$,
	'no function that reads tables claims to be immutable');
SELECT is_empty($$SELECT name FROM own_function
	WHERE prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql')
	AND NOT coalesce(proconfig::text LIKE '%search_path=%', false) AND prosqlbody IS NULL$$,
	'no SQL function depends on the caller''s search_path');
SELECT is_empty($$SELECT name FROM own_function
	WHERE prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql')
	AND NOT coalesce(proconfig::text LIKE '%search_path=%', false)$$,
	'no PL/pgSQL function depends on the caller''s search_path');

-- Storage is nobody's but the owner's.
SELECT is_empty($$SELECT r.name, p FROM own_relation r, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) p
	WHERE relkind IN ('r', 'v', 'm') AND has_table_privilege('public', r.oid, p)$$,
	'PUBLIC may not touch the storage tables');
SELECT is_empty($$SELECT r.name FROM own_relation r WHERE relkind = 'S'
	AND (has_sequence_privilege('public', r.oid, 'USAGE') OR has_sequence_privilege('public', r.oid, 'SELECT'))$$,
	'PUBLIC may not touch the storage sequences');
SELECT ok(NOT has_schema_privilege('public', 'driftprint', 'CREATE'), 'PUBLIC may not create in the storage schema');
SELECT is_empty($$SELECT name FROM own_relation WHERE relkind IN ('r', 'S')
	AND relnamespace = 'driftprint'::regnamespace
	AND NOT oid = ANY ((SELECT extconfig FROM pg_extension WHERE extname = 'driftprint')::oid[])$$,
	'pg_dump saves every storage table and sequence');

SELECT * FROM finish();
ROLLBACK;
