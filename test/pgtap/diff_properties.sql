-- What is true of every diff, over random pairs of prints made of documents:
-- the identity of the summary, that each counter is a count of rows, that
-- nothing changed between a print and itself, and that the way back is the
-- same changes with the sides changed over.
--
-- The seed is printed; drift.seed in postgresql.conf (PG_CONF) sets it.
\set QUIET 1
BEGIN;
SELECT no_plan();

CREATE FUNCTION pg_temp.one_of(VARIADIC texts text[]) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT texts[1 + floor(random() * cardinality(texts))::int] $$;
CREATE FUNCTION pg_temp.upto(n int) RETURNS int LANGUAGE sql VOLATILE AS 'SELECT floor(random() * (n + 1))::int';

CREATE FUNCTION pg_temp.random_parts() RETURNS jsonb LANGUAGE sql VOLATILE AS $$
	SELECT coalesce(jsonb_agg(part), '[]') FROM (
		SELECT jsonb_build_object('family', 'column', 'name', name, 'attributes', jsonb_build_object(
			'type', pg_temp.one_of('integer', 'text', 'date'), 'nullable', random() < 0.5)) AS part
		FROM (SELECT DISTINCT pg_temp.one_of('a', 'b', 'c', 'd') AS name FROM generate_series(1, pg_temp.upto(4))) c
		UNION ALL
		SELECT jsonb_build_object('family', family, 'name', name, 'attributes', CASE family
			WHEN 'index' THEN jsonb_build_object('method', 'btree', 'unique', random() < 0.3,
				'columns', jsonb_build_array(jsonb_build_object('column', pg_temp.one_of('a', 'b'))))
			WHEN 'constraint' THEN pg_temp.one_of('{"type": "check", "expression": "(a > 0)"}', '{"type": "primary_key", "columns": ["a"]}',
				'{"type": "unique", "columns": ["a", "b"]}', '{"type": "foreign_key", "columns": ["a"], "target": {"schema": "s", "name": "t"}, "target_columns": ["a"], "on_delete": "CASCADE"}',
				'{"type": "foreign_key", "columns": ["a"], "target": {"schema": "s", "name": "t"}, "target_columns": ["a"], "on_delete": "NO ACTION"}')::jsonb
			ELSE jsonb_build_object('definition', pg_temp.one_of('x', 'y')) END)
		FROM (SELECT DISTINCT ON (family, name) pg_temp.one_of('index', 'constraint', 'trigger', 'rule', 'policy') AS family, pg_temp.one_of('p', 'q') AS name
			FROM generate_series(1, pg_temp.upto(3))) p) parts $$;
CREATE FUNCTION pg_temp.random_profile() RETURNS jsonb LANGUAGE sql VOLATILE AS $$
	SELECT jsonb_strip_nulls(jsonb_build_object('columns', jsonb_build_object(
			'a', jsonb_build_object('mean', pg_temp.upto(1), 'cardinality', pg_temp.upto(1), 'cardinality_method', pg_temp.one_of('exact', 'approximate')),
			'b', jsonb_build_object('null_count', pg_temp.upto(1), 'range', jsonb_build_object('min', pg_temp.upto(1))) || pg_temp.one_of('{}', '{"redacted": "mask"}')::jsonb),
		'grain', pg_temp.one_of(NULL, '{"keys": []}', '{"keys": [{"columns": ["b"], "detection": "measured"}], "search": {"exhausted": true}}')::jsonb,
		'scope', pg_temp.one_of(NULL, NULL, NULL, '{"sample": 0.1}')::jsonb)) $$;
CREATE FUNCTION pg_temp.random_print() RETURNS jsonb LANGUAGE sql VOLATILE AS $$
	SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
			'object', jsonb_build_object('family', family, 'schema', pg_temp.one_of('s', 's', 'S'), 'name', name,
				'attributes', jsonb_strip_nulls(jsonb_build_object('owner', pg_temp.one_of('me', 'you'), 'comment', pg_temp.one_of(NULL, 'x', 'y'),
					'undecided', pg_temp.one_of(NULL, NULL, NULL, NULL, NULL, 'no rights'),
					'partition_bound', CASE family WHEN 'partition' THEN pg_temp.one_of('DEFAULT', 'FOR VALUES IN (1)') END,
					'partition_of', CASE family WHEN 'partition' THEN jsonb_build_object('schema', 's', 'name', pg_temp.one_of('t', 'u', 'gone')) END,
					'depends_on', CASE family WHEN 'view' THEN pg_temp.one_of(NULL, '[]', '[{"schema": "s", "name": "t"}]')::jsonb END)),
				'parts', pg_temp.random_parts()),
			'oid', oid,
			'status', pg_temp.one_of('profiled', 'profiled', 'skipped', 'catalog_only', 'failed', 'planned'),
			'row_count', CASE WHEN random() < 0.7 THEN pg_temp.upto(2) END,
			'count_method', pg_temp.one_of('exact', 'approximate'),
			'profile', CASE WHEN random() < 0.6 THEN pg_temp.random_profile() END))), '[]')
	FROM (SELECT DISTINCT ON (name) name, oid, CASE WHEN name LIKE 'e%' THEN pg_temp.one_of('enum', 'function') ELSE
				pg_temp.one_of('table', 'table', 'view', 'materialized_view', 'foreign_table', 'partition') END AS family
			FROM (SELECT pg_temp.one_of('t', 'u', 'v', 'w', 'x y', 'Z', 'e', 'e2') AS name, 1 + pg_temp.upto(20) AS oid FROM generate_series(1, pg_temp.upto(9))) n) e $$;

SELECT setseed(seed), diag('the seed is ' || seed) FROM (SELECT coalesce(nullif(current_setting('drift.seed', true), '')::float8, round(random()::numeric, 6)::float8) AS seed) s;

CREATE TEMP TABLE pair AS SELECT n, pg_temp.random_print() AS x, pg_temp.random_print() AS y, random() < 0.5 AS same, random() < 0.8 AS profile FROM generate_series(1, 1000) n;
-- half of them are two states of one print and not two prints
UPDATE pair SET y = (SELECT coalesce(jsonb_agg(CASE WHEN random() < 0.5 THEN coalesce((SELECT o FROM jsonb_array_elements(pair.y) o
		WHERE o #>> '{object,name}' = e #>> '{object,name}' AND o #>> '{object,schema}' = e #>> '{object,schema}' LIMIT 1), e) ELSE e END), '[]')
	FROM jsonb_array_elements(x) e) WHERE n % 2 = 0;
CREATE TEMP TABLE change AS SELECT n, d.* FROM pair, drift_diff_documents(x, y, same, profile => profile) d;
CREATE TEMP TABLE back AS SELECT n, d.* FROM pair, drift_diff_documents(y, x, same, profile => profile) d;
CREATE TEMP TABLE summary AS SELECT n, jsonb_object_agg(counter, count) AS s FROM pair, drift_summary_documents(x, y, same, profile => profile) GROUP BY n;

SELECT cmp_ok((SELECT count(*) FROM change), '>', 1000::bigint, 'the pairs differ');
SELECT cmp_ok((SELECT count(DISTINCT kind) FROM change), '>', 30::bigint, 'in many ways');
SELECT is_empty($$SELECT n, s FROM summary WHERE (s ->> 'tables_modified')::int + (s ->> 'unchanged_tables')::int
	+ (s ->> 'unevaluated_tables')::int + (s ->> 'tables_added')::int <> (s ->> 'tables_scanned')::int$$,
	'modified, unchanged, unevaluated and added tables are the scanned ones');
SELECT is_empty($$SELECT n FROM summary JOIN pair USING (n) WHERE (s ->> 'tables_scanned')::int <> (SELECT count(*) FROM jsonb_array_elements(y) e
	WHERE e #>> '{object,family}' IN ('table', 'view', 'materialized_view', 'foreign_table'))$$, 'scanned are the target''s relations, partitions with their parents');
SELECT is_empty($$SELECT n, s FROM summary WHERE EXISTS (SELECT FROM jsonb_each_text(s) WHERE value::bigint < 0)$$, 'no count is negative');
SELECT results_eq($$SELECT n, (s ->> 'statistics_drifted')::bigint, (s ->> 'relationships_changed')::bigint, (s ->> 'indexes_changed')::bigint,
		(s ->> 'columns_added')::bigint, (s ->> 'tables_removed')::bigint, (s ->> 'row_counts_changed')::bigint, (s ->> 'comments_changed')::bigint FROM summary ORDER BY n$$,
	$$SELECT pair.n, count(*) FILTER (WHERE kind = 'statistic_changed'), count(*) FILTER (WHERE kind LIKE 'relationship%'), count(*) FILTER (WHERE kind LIKE 'index%'),
		count(*) FILTER (WHERE kind = 'column_added'), count(*) FILTER (WHERE kind = 'table_removed'), count(*) FILTER (WHERE kind = 'table_row_count_changed'), count(*) FILTER (WHERE kind = 'comment_changed')
	FROM pair LEFT JOIN change USING (n) GROUP BY pair.n ORDER BY pair.n$$, 'the counters are counts of changes');
SELECT is_empty($$SELECT n, d.* FROM pair, drift_diff_documents(x, x, same, profile => profile) d$$, 'nothing changed between a print and itself');
SELECT is_empty($$SELECT * FROM change WHERE before IS NULL AND after IS NULL OR before = after$$, 'a change has two sides that differ');
SELECT is_empty($$SELECT n FROM (SELECT n, replace(replace(replace(kind, '_added', '_+'), '_removed', '_added'), '_+', '_removed') AS kind, count(*) FROM change GROUP BY 1, 2
		EXCEPT SELECT n, kind, count(*) FROM back GROUP BY 1, 2) x WHERE n NOT IN (SELECT n FROM change WHERE kind LIKE '%\_renamed')$$,
	'the way back has the same changes, what was added removed');
SELECT is_empty($$SELECT n, column_name, object_name, stat, before, after, delta FROM change JOIN pair USING (n) WHERE kind LIKE '%_changed' AND NOT same
	EXCEPT ALL SELECT n, column_name, object_name, stat, after, before, -delta FROM back JOIN pair USING (n)$$, 'and its sides are these, changed over');
SELECT is_empty($$SELECT n, kind FROM change JOIN pair USING (n) WHERE NOT profile AND kind IN ('statistic_changed', 'table_row_count_changed')$$,
	'without profiles nothing is said of the rows');
SELECT is_empty($$SELECT n FROM pair WHERE EXISTS (SELECT d FROM drift_diff_documents(x, y, same, profile => profile) d
		EXCEPT ALL SELECT d FROM drift_diff_documents((SELECT jsonb_agg(e ORDER BY random()) FROM jsonb_array_elements(x) e), y, same, profile => profile) d) AND x <> '[]'$$,
	'the order of the entries says nothing');
SELECT is_empty($$SELECT n, relation, kind FROM (SELECT n, relation, kind, at, row_number() OVER (PARTITION BY n
			ORDER BY relation COLLATE "C", kind COLLATE "C", column_name COLLATE "C", object_name COLLATE "C", stat COLLATE "C", at) AS wanted
		FROM pair, drift_diff_documents(x, y, same, profile => profile) WITH ORDINALITY d (kind, relation, column_name, object_name, stat, before, after, delta, delta_pct, at)) o
	WHERE at <> wanted$$, 'rows come by relation, kind, column, object and statistic');

-- Documents come from anywhere: put something else in a random place of one.
CREATE FUNCTION pg_temp.random_path(d jsonb, steps int DEFAULT 9) RETURNS text[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	k text;
BEGIN
	IF steps = 0 OR jsonb_typeof(d) NOT IN ('object', 'array') OR random() < 0.15 AND steps < 8 THEN RETURN '{}'; END IF;
	SELECT key INTO k FROM (SELECT jsonb_object_keys(d) AS key WHERE jsonb_typeof(d) = 'object'
		UNION ALL SELECT (n - 1)::text FROM generate_series(1, CASE jsonb_typeof(d) WHEN 'array' THEN jsonb_array_length(d) END) n) x ORDER BY random() LIMIT 1;
	RETURN CASE WHEN k IS NULL THEN '{}' ELSE k || pg_temp.random_path(d #> ARRAY[k], steps - 1) END;
END $$;
CREATE FUNCTION pg_temp.broken(x jsonb, y jsonb, same boolean) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	PERFORM FROM drift_diff_documents(x, y, same);
	PERFORM FROM drift_summary_documents(y, x, same);
	RETURN 'compared';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE TEMP TABLE outcome AS
	SELECT n, pg_temp.broken(jsonb_set(x, path, pg_temp.one_of('null', '1', '-1e300', '""', '"x"', 'true', '[]', '{}', '[1]', '[[]]', '{"schema": 1}', '{"name": "t", "schema": "s"}', '[{}]', '"a.b"')::jsonb), y, same) AS what
	FROM (SELECT n, x, y, same, pg_temp.random_path(x) AS path FROM pair, generate_series(1, 4)) p WHERE path <> '{}';
SELECT cmp_ok((SELECT count(*) FROM outcome WHERE what = 'compared'), '>', 500::bigint, 'most documents with something odd in them are compared all the same');
SELECT set_has('VALUES (''compared''), (''22023''), (''42710''), (''22003'')', 'SELECT DISTINCT what FROM outcome', 'and the others refused');

SELECT * FROM finish();
ROLLBACK;
