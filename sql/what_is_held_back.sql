--
-- What is held back?  The rules that keep a diff to its signal, each both ways:
-- suppressed, and not suppressed where it must not be.  Profiles are changed in
-- storage to be exactly what the rule speaks of.
--
SET client_min_messages = warning;
\pset format unaligned
CREATE SCHEMA shop;
CREATE TABLE shop.reading AS SELECT g AS id, g * 1.5 AS amount, 'name ' || g AS name, 'k' || g % 3 AS kind FROM generate_series(1, 200) g;
SELECT count(*) FROM drift_print('a', include => '{shop.reading}');

-- another print with the same content, whose profile is what "change" says
CREATE FUNCTION pg_temp.becomes(change jsonb) RETURNS TABLE (changes text) LANGUAGE plpgsql AS $$
DECLARE
	p jsonb := (SELECT c.body FROM driftprint.entry e JOIN driftprint.content c ON c.id = e.profile WHERE c.family = 'profile' LIMIT 1);
	path text;
	value jsonb;
	id int8;
BEGIN
	FOR path, value IN SELECT * FROM jsonb_each(change) LOOP
		p := CASE WHEN value = '"(gone)"' THEN p #- string_to_array(path, '/') ELSE jsonb_set(p, string_to_array(path, '/'), value) END;
	END LOOP;
	INSERT INTO driftprint.content (hash, family, body) VALUES (sha256(convert_to(p::text || clock_timestamp(), 'UTF8')), 'profile', p) RETURNING content.id INTO id;
	PERFORM FROM drift_print('b', include => '{shop.reading}', force => true);
	UPDATE driftprint.entry SET profile = id, scoped = p ? 'scope' WHERE print = (SELECT max(x.id) FROM driftprint.print x);
	RETURN QUERY SELECT concat_ws(' ', kind, column_name, stat, before, after, delta, delta_pct) FROM drift_diff('a', 'b', include => '{shop.reading}');
	RETURN QUERY SELECT concat_ws(' ', counter, count) FROM drift_summary('a', 'b', include => '{shop.reading}') WHERE counter ~ 'tables_(scanned|modified)|unchanged|unevaluated' AND count > 0;
	PERFORM drift_drop('b');
END $$;

-- nothing moved; something did, with delta and the fraction; of zero there is no fraction
SELECT * FROM pg_temp.becomes('{}');
SELECT * FROM pg_temp.becomes('{"columns/amount/mean": 160.75, "columns/amount/zero_count": 2}');
SELECT * FROM pg_temp.becomes('{"columns/kind/distribution": "long_tail", "columns/amount/percentiles/p99": 300}');
-- values carry the whole list
SELECT left(changes, 90) FROM pg_temp.becomes('{"columns/kind/values": [{"value": "k1", "count": 200}]}');
-- never compared
SELECT * FROM pg_temp.becomes('{"columns/id/sql_type": "bigint", "columns/id/nullable": false, "columns/id/rows_scanned": 7, "columns/id/sketch": {"values": "x"},
	"columns/id/freshness": {"max_age_days": 9}, "columns/name/inferred": {"candidate_key": true, "sampled": 5, "matched": 4, "looks_like_candidate": "email", "looks_like_candidate_share": 0.6}}');
-- but the verdict beside them is
SELECT * FROM pg_temp.becomes('{"columns/name/inferred": {"candidate_key": true, "looks_like": "email"}}');
-- cardinality drops out where it was only estimated, and the rest does not
SELECT * FROM pg_temp.becomes('{"columns/id/cardinality": 150, "columns/id/cardinality_ratio": 0.75}');
SELECT * FROM pg_temp.becomes('{"columns/id/cardinality": 150, "columns/id/cardinality_ratio": 0.75, "columns/id/cardinality_method": "approximate", "columns/id/null_count": 3}');
-- normalized_cardinality on one side only
SELECT * FROM pg_temp.becomes('{"columns/name/normalized_cardinality": 190}');
-- what a side could not measure
SELECT * FROM pg_temp.becomes('{"columns/amount/unmeasured": ["mean"], "columns/amount/mean": "(gone)", "columns/amount/sum": 1}');
-- a scope takes out what grows with the rows, and leaves ratios, mean and length
SELECT * FROM pg_temp.becomes('{"scope": {"sample": 0.5, "rows_scanned": 100}, "columns/amount/sum": 1, "columns/amount/zero_count": 1, "columns/amount/negative_count": 1,
	"columns/id/quantized_count": 1, "columns/name/empty_count": 9, "columns/id/null_count": 5, "columns/id/cardinality": 100, "columns/kind/values": []}');
SELECT * FROM pg_temp.becomes('{"scope": {"sample": 0.5, "rows_scanned": 100}, "columns/amount/mean": 160.75, "columns/name/length/max": 12, "columns/id/null_rate": 0.1}');
-- a redacted column keeps its values to itself; the marker and the counts are told
SELECT * FROM pg_temp.becomes('{"columns/amount/redacted": "mask", "columns/amount/mean": 1, "columns/amount/sum": 1, "columns/amount/range": {"min": "x", "max": "x"}, "columns/amount/percentiles/p50": "x",
	"columns/amount/values": [], "columns/amount/zero_count": 4}');

-- 100 prints of a sampled table that nobody writes to, ANALYZE in between: 100 empty diffs
CREATE TABLE shop.still AS SELECT g AS c1, g % 7 AS c2, g * 1.1 AS c3, md5(g::text) AS c4, date '2026-01-01' + g % 300 AS c5, g % 2 = 0 AS c6,
	NULLIF(g % 5, 0) AS c7, 'x' || g % 40 AS c8, now() AS c9, g::numeric(10, 3) AS c10 FROM generate_series(1, 3000) g;
ANALYZE shop.still;
SELECT pg_stat_force_next_flush();
SELECT drift_configure('rules: [{include: ["shop.still"], max_rows_scanned: 1000}]');
SELECT rows_scanned BETWEEN 700 AND 1100 AS sampled FROM drift_print('still', include => '{shop.still}');
CREATE FUNCTION pg_temp.hundred() RETURNS TABLE (prints bigint, changes numeric) LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMP TABLE seen (n int, changes bigint);
	FOR i IN 1 .. 100 LOOP
		UPDATE pg_class SET reltuples = 3000 + (i % 5) * 20 WHERE oid = 'shop.still'::regclass;
		PERFORM FROM drift_print(NULL, include => '{shop.still}', force => true);
		INSERT INTO seen SELECT i, count(*) FROM drift_diff('still', 'latest', include => '{shop.still}');
	END LOOP;
	RETURN QUERY SELECT count(*), sum(s.changes) FROM seen s;
END $$;
SELECT * FROM pg_temp.hundred();
SELECT drift_configure(NULL);
SELECT drift_prune(0) > 0 AS pruned;

-- the summary's identity over random pairs of prints
CREATE FUNCTION pg_temp.identity(pairs int) RETURNS TABLE (compared bigint, broken bigint) LANGUAGE plpgsql AS $$
DECLARE
	s record;
	bad int := 0;
BEGIN
	FOR i IN 1 .. pairs LOOP
		PERFORM setseed(i / 1000.0);
		EXECUTE 'DROP SCHEMA IF EXISTS random CASCADE; CREATE SCHEMA random';
		FOR t IN 1 .. 6 LOOP
			EXECUTE format('CREATE %s random.t%s %s', CASE WHEN random() < 0.2 THEN 'VIEW' ELSE 'TABLE' END, t, 'AS SELECT 1 AS a, 2 AS b');
		END LOOP;
		PERFORM FROM drift_print('x', include => '{random.*}', profile => random() < 0.7);
		FOR t IN 1 .. 6 LOOP
			CASE floor(random() * 6)
				WHEN 0 THEN EXECUTE format('DROP %s random.t%s', (SELECT CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END FROM pg_class WHERE oid = format('random.t%s', t)::regclass), t);
				WHEN 1 THEN EXECUTE format('COMMENT ON COLUMN random.t%s.a IS ''c''', t);
				WHEN 2 THEN EXECUTE format('CREATE TABLE random.n%s (a int)', t);
				WHEN 3 THEN IF (SELECT relkind FROM pg_class WHERE oid = format('random.t%s', t)::regclass) = 'r' THEN EXECUTE format('INSERT INTO random.t%s VALUES (5, 6)', t); END IF;
				ELSE NULL;
			END CASE;
		END LOOP;
		PERFORM FROM drift_print('y', include => '{random.*}', force => random() < 0.5, profile => random() < 0.8);
		SELECT max(count) FILTER (WHERE counter = 'tables_scanned') AS scanned, sum(count) FILTER (WHERE counter IN ('tables_modified', 'unchanged_tables', 'unevaluated_tables', 'tables_added')) AS parts
			INTO s FROM drift_summary('x', 'y', include => '{random.*}');
		IF s.scanned <> s.parts OR s.scanned <> (SELECT count(*) FROM pg_class WHERE relnamespace = 'random'::regnamespace) THEN bad := bad + 1; END IF;
		PERFORM drift_drop('x'), drift_drop('y');
	END LOOP;
	RETURN QUERY SELECT pairs::bigint, bad::bigint;
END $$;
SELECT * FROM pg_temp.identity(60);
DROP SCHEMA random, shop CASCADE;
