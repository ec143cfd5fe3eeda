-- Ten thousand random argument lists, over every function of the extension:
-- the server stays up, every call ends in rows or in an error with an SQLSTATE
-- of its own, and a call that failed leaves no row behind.
\set QUIET 1
BEGIN;
SELECT plan(5);

CREATE SCHEMA shop;
CREATE TABLE shop.customer (id int PRIMARY KEY, name text NOT NULL, born date);
CREATE TABLE shop.purchase (id int PRIMARY KEY, customer int REFERENCES shop.customer, amount numeric(10, 2) CHECK (amount > 0));
CREATE VIEW shop.spent AS SELECT customer, sum(amount) FROM shop.purchase GROUP BY customer;
INSERT INTO shop.customer SELECT i, 'name ' || i, date '1970-01-01' + i FROM generate_series(1, 20) i;
INSERT INTO shop.purchase SELECT i, i % 20 + 1, i FROM generate_series(1, 50) i;

-- What a value of each type may be: ordinary, odd, and hostile. A text may name
-- a print, a relation, a format, a depth or nothing at all.
CREATE FUNCTION pg_temp.random_text() RETURNS text LANGUAGE sql VOLATILE AS $body$
	SELECT texts[1 + floor(random() * cardinality(texts))::int] FROM (SELECT ARRAY[NULL, '', ' ', 'live', 'latest', 'base', 'LATEST', '0', '1', '-1', '2147483648',
		'99999999999999999999', 'text', 'json', 'yaml', 'github-actions', 'catalog', 'print', 'data', 'all',
		'destructive', 'shop.customer', 'shop.*', '*', '?', '[', '\', '%', '''', '"', '$$', '$x$', ';',
		'''; DROP TABLE shop.purchase; --', 'a' || chr(10) || 'b', chr(1), 'naïve – ✓ 𝄞', repeat('x', 64),
		repeat('é', 63), repeat('y', 5000), 'null', 'NaN', '{}', '{"a": [1, {"b": null}]}', '[[[[[[]]]]]]',
		repeat('[', 2000), 'a: b', 'a: &x [*x]', '- - - -', E'\t- a', 'SELECT 1', 'CREATE TABLE t (a int)',
		'CREATE TABLE t (', 'DROP SCHEMA shop CASCADE', 'COMMIT', 'version: 1', 'select', 'pg_catalog.pg_class'] AS texts) t
$body$;
CREATE FUNCTION pg_temp.random_value(type oid) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	element oid := (SELECT typelem FROM pg_type t WHERE t.oid = type AND typcategory = 'A');
	n int := floor(random() * 4)::int;
	v text;
BEGIN
	IF random() < 0.15 THEN RETURN format('NULL::%s', format_type(type, NULL)); END IF;
	IF element IS NOT NULL THEN
		SELECT 'ARRAY[' || coalesce(string_agg(pg_temp.random_value(element), ', '), '') || ']::' || format_type(type, NULL)
		INTO v FROM generate_series(1, n);
		RETURN v;
	END IF;
	v := CASE
		WHEN type = 'bool'::regtype THEN (ARRAY['true', 'false'])[1 + floor(random() * 2)::int]
		WHEN type IN ('int4'::regtype, 'int8'::regtype, 'int2'::regtype)
			THEN (ARRAY['0', '1', '-1', '7', '32767', '-32768'])[1 + floor(random() * 6)::int]
		WHEN type IN ('float8'::regtype, 'numeric'::regtype, 'float4'::regtype)
			THEN (ARRAY['0', '-1', '0.05', '1e30', 'NaN', 'Infinity', '-Infinity'])[1 + floor(random() * 7)::int]
		WHEN type = 'interval'::regtype
			THEN (ARRAY['0', '1 day', '-1 day', '178000000 years', '1 month -30 days'])[1 + floor(random() * 5)::int]
		WHEN type IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype)
			THEN (ARRAY['now', 'infinity', '-infinity', '4713-01-01 BC'])[1 + floor(random() * 4)::int]
		WHEN type IN ('json'::regtype, 'jsonb'::regtype)
			THEN (ARRAY['null', '{}', '[]', '1', '"x"', '{"format_version": 1}', '{"a": {"b": [1, 2, {}]}}'])[1 + floor(random() * 7)::int]
		WHEN type IN ('regclass'::regtype, 'oid'::regtype)
			THEN (ARRAY['0', '1259', '4294967295'])[1 + floor(random() * 3)::int]
		ELSE pg_temp.random_text()
	END;
	RETURN format('%L::%s', v, format_type(type, NULL));
END
$$;

-- Functions and their input arguments; those that end or wait by design are not called.
CREATE TEMP TABLE callable AS
	SELECT p.oid, p.pronamespace::regnamespace AS nsp, p.proname, p.proretset, p.prokind, p.pronargdefaults,
		(SELECT coalesce(array_agg(t ORDER BY i), '{}') FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY a (t, i)) AS args
	FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
	WHERE e.extname = 'driftprint' AND p.prokind = 'f'
	AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
	AND NOT 'internal'::regtype = ANY (p.proargtypes::oid[]);

CREATE TEMP TABLE outcome (call text, state text, message text, kept bool);

-- The number of rows in every storage table.
CREATE FUNCTION pg_temp.stored() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE r regclass; n bigint; result text := '';
BEGIN
	FOR r IN SELECT oid FROM pg_class WHERE relnamespace = 'driftprint'::regnamespace AND relkind = 'r' ORDER BY relname LOOP
		EXECUTE format('SELECT count(*) FROM %s', r) INTO n;
		result := result || r || '=' || n || ' ';
	END LOOP;
	RETURN result;
END
$$;

SELECT drift_print('base') \g /dev/null

DO $$
DECLARE
	f record;
	call text;
	nargs int;
	before text;
	i int := 0;
BEGIN
	SET LOCAL client_min_messages = error;
	SET LOCAL statement_timeout = 0;
	PERFORM setseed(0.42);
	WHILE i < 10000 LOOP
		FOR f IN SELECT * FROM callable ORDER BY oid LOOP
			EXIT WHEN i >= 10000;
			i := i + 1;
			nargs := cardinality(f.args) - floor(random() * (f.pronargdefaults + 1))::int;
			SELECT format('%s.%I(%s)', f.nsp, f.proname, coalesce(string_agg(pg_temp.random_value(t), ', ' ORDER BY o), ''))
			INTO call FROM unnest(f.args[1:nargs]) WITH ORDINALITY a (t, o);
			before := pg_temp.stored();
			BEGIN
				EXECUTE 'SELECT count(*) FROM ' || call;
				INSERT INTO outcome VALUES (call, '00000');
				-- Keep the database small: what a call stored goes again.
				IF pg_temp.stored() <> before THEN
					RAISE EXCEPTION USING ERRCODE = 'DPXXX', MESSAGE = 'undo';
				END IF;
			EXCEPTION
				WHEN SQLSTATE 'DPXXX' THEN INSERT INTO outcome VALUES (call, '00000', 'undone', pg_temp.stored() <> before);
				WHEN OTHERS THEN INSERT INTO outcome VALUES (call, SQLSTATE, SQLERRM, pg_temp.stored() <> before);
			END;
		END LOOP;
	END LOOP;
END
$$;

SELECT cmp_ok((SELECT count(*) FROM outcome), '=', 10000::bigint, 'ten thousand calls came back');
SELECT is_empty($$SELECT state, left(message, 100), left(call, 200), count(*) FROM (SELECT DISTINCT ON (state, message) * FROM outcome) o
	WHERE state LIKE 'XX%' OR state LIKE '5%' GROUP BY 1, 2, 3 LIMIT 20$$,
	'no call ends in an internal error or an exhausted resource');
SELECT is_empty($$SELECT left(call, 300), state FROM outcome WHERE kept LIMIT 20$$, 'a call that failed leaves no row behind');
SELECT is_empty($$SELECT f.proname FROM callable f WHERE NOT EXISTS (
	SELECT FROM outcome o WHERE o.call LIKE f.nsp || '.' || f.proname || '(%' AND o.state = '00000')$$,
	'every function also succeeds for some of its arguments');
SELECT is((SELECT count(*) FROM shop.purchase), 50::bigint, 'the users'' tables are as they were');
SELECT * FROM finish();
ROLLBACK;
