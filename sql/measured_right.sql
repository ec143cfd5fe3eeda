--
-- Is it measured right?  Every number of a profile against plain SQL
-- aggregates over the same rows, on edge cases and on generated tables.
--
SET client_min_messages = warning;
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
SET IntervalStyle = 'postgres';
SET extra_float_digits = 1;

-- Differences between a column's profile and SQL; no row when there is none.
CREATE FUNCTION pg_temp.differs(tab regclass, col text, p jsonb)
RETURNS TABLE (what text, profile text, sql text) LANGUAGE plpgsql AS $$
DECLARE
	q text := quote_ident(col);
	t text := p ->> 'classification';
	typ text := (SELECT format_type(a.atttypid, NULL) FROM pg_attribute a WHERE attrelid = tab AND attname = col);
	fin text := CASE WHEN typ IN ('real', 'double precision', 'numeric')
		THEN format('AND %s::numeric::text NOT IN (''NaN'', ''Infinity'', ''-Infinity'')', q)
		WHEN typ IN ('date', 'timestamp without time zone', 'timestamp with time zone')
		THEN format('AND isfinite(%s)', q) ELSE '' END;
	r record;
	e text;
	n int;
BEGIN
	EXECUTE format('SELECT count(*) FROM %s WHERE %s IS NULL', tab, q) INTO e;
	IF e <> p ->> 'null_count' THEN RETURN QUERY SELECT 'null_count', p ->> 'null_count', e; END IF;
	IF p ? 'cardinality' THEN
		EXECUTE format('SELECT count(DISTINCT %s) FROM %s', q, tab) INTO e;
		IF e <> p ->> 'cardinality' THEN RETURN QUERY SELECT 'cardinality', p ->> 'cardinality', e; END IF;
	END IF;
	IF p ? 'values' AND jsonb_array_length(p -> 'values') > 0 AND t <> 'boolean' THEN
		n := jsonb_array_length(p -> 'values');
		IF t IN ('temporal', 'numeric') OR typ NOT IN ('text', 'character varying', 'name') THEN
			-- counts only: texts of the list follow the format's own rendering
			EXECUTE format('SELECT string_agg(c::text, '','' ORDER BY c DESC) FROM (SELECT count(*) c FROM %s WHERE %s IS NOT NULL GROUP BY %s ORDER BY 1 DESC LIMIT %s) x', tab, q, q, n) INTO e;
			IF e IS DISTINCT FROM (SELECT string_agg(v ->> 'count', ',' ORDER BY (v ->> 'count')::bigint DESC) FROM jsonb_array_elements(p -> 'values') v)
			THEN RETURN QUERY SELECT 'counts', p ->> 'values', e; END IF;
		ELSE
			EXECUTE format('SELECT string_agg(v || ''='' || c, '','' ORDER BY c DESC, v COLLATE "C") FROM (SELECT min(%2$s::text COLLATE "C") v, count(*) c FROM %1$s WHERE %2$s IS NOT NULL GROUP BY %2$s ORDER BY 2 DESC, 1 LIMIT %3$s) x', tab, q, n) INTO e;
			IF e IS DISTINCT FROM (SELECT string_agg((v ->> 'value') || '=' || (v ->> 'count'), ',' ORDER BY o) FROM jsonb_array_elements(p -> 'values') WITH ORDINALITY x(v, o))
			THEN RETURN QUERY SELECT 'values', p ->> 'values', e; END IF;
		END IF;
	END IF;
	IF p ? 'length' THEN
		EXECUTE format('SELECT min(length(%1$s::text)) || '' '' || max(length(%1$s::text)) || '' '' || trim_scale(round(avg(length(%1$s::text)), 6)) || '' '' || trim_scale(round((percentile_cont(0.95) WITHIN GROUP (ORDER BY length(%1$s::text)))::numeric, 6)) FROM %2$s WHERE %1$s IS NOT NULL', q, tab) INTO e;
		IF e IS DISTINCT FROM concat_ws(' ', p #>> '{length,min}', p #>> '{length,max}', p #>> '{length,avg}', p #>> '{length,p95}')
		THEN RETURN QUERY SELECT 'length', p ->> 'length', e; END IF;
	END IF;
	IF p ? 'empty_count' THEN
		EXECUTE format('SELECT count(*) FROM %s WHERE %s::text = ''''', tab, q) INTO e;
		IF e <> p ->> 'empty_count' THEN RETURN QUERY SELECT 'empty_count', p ->> 'empty_count', e; END IF;
	END IF;
	IF t = 'numeric' THEN
		FOR r IN EXECUTE format($q$
			SELECT unnest(ARRAY['sum', 'mean', 'zero_count', 'negative_count', 'quantized_count', 'min', 'max', 'p01', 'p50', 'p99']) AS w,
			 unnest(ARRAY[sum(%1$s::%4$s::numeric), avg(%1$s::%4$s::numeric), count(*) FILTER (WHERE %1$s = 0), count(*) FILTER (WHERE %1$s < 0),
			  count(*) FILTER (WHERE %1$s::%4$s::numeric = trunc(%1$s::%4$s::numeric)), min(%1$s::%4$s::numeric), max(%1$s::%4$s::numeric),
			  percentile_disc(0.01) WITHIN GROUP (ORDER BY %1$s::%4$s::numeric), percentile_disc(0.5) WITHIN GROUP (ORDER BY %1$s::%4$s::numeric),
			  percentile_disc(0.99) WITHIN GROUP (ORDER BY %1$s::%4$s::numeric)]) AS b
			FROM %2$s WHERE %1$s IS NOT NULL %3$s$q$, q, tab, fin,
			CASE WHEN typ = 'real' THEN 'float8' ELSE typ END)
		LOOP
			e := coalesce(p ->> r.w, p -> 'range' ->> r.w, p -> 'percentiles' ->> r.w);
			IF r.b IS NOT NULL AND (e IS NULL OR
				abs(e::numeric - r.b) > 0.000001 + abs(r.b) * CASE typ WHEN 'real' THEN 1e-6 WHEN 'double precision' THEN 1e-9 ELSE 0 END)
			THEN RETURN QUERY SELECT r.w, e, r.b::text; END IF;
		END LOOP;
	END IF;
	IF t = 'temporal' THEN
		FOR r IN EXECUTE format($q$
			SELECT unnest(ARRAY['min', 'max', 'p05', 'p50', 'p95']) AS w, unnest(ARRAY[min(%1$s), max(%1$s),
			  percentile_disc(0.05) WITHIN GROUP (ORDER BY %1$s), percentile_disc(0.5) WITHIN GROUP (ORDER BY %1$s),
			  percentile_disc(0.95) WITHIN GROUP (ORDER BY %1$s)])::text AS b
			FROM %2$s WHERE %1$s IS NOT NULL %3$s$q$, q, tab, fin)
		LOOP
			e := coalesce(p -> 'range' ->> r.w, p -> 'percentiles' ->> r.w);
			IF replace(regexp_replace(e, '(\d)T', '\1 '), 'Z', '+00') IS DISTINCT FROM r.b
			THEN RETURN QUERY SELECT r.w, e, r.b; END IF;
		END LOOP;
	END IF;
END $$;

CREATE FUNCTION pg_temp.check_table(tab regclass)
RETURNS TABLE (col text, what text, profile text, sql text) LANGUAGE plpgsql AS $$
DECLARE
	p jsonb := drift_profile(tab);
BEGIN
	RETURN QUERY SELECT c.key, d.* FROM jsonb_each(p -> 'columns') c, pg_temp.differs(tab, c.key, c.value) d;
END $$;

-- edge cases
CREATE TABLE edge_empty (a int, b text, c timestamptz);
CREATE TABLE edge_null AS SELECT NULL::int AS a, NULL::text AS b, NULL::date AS c FROM generate_series(1, 10);
CREATE TABLE edge_single AS SELECT 7 AS a, 'x'::text AS b, date '2026-01-01' AS c;
CREATE TABLE edge_float AS SELECT x::float8 AS a, x::float4 AS b FROM unnest(
	ARRAY['NaN', 'Infinity', '-Infinity', '0', '-0', '1e-30', '1e30', '-1e-30']) AS x
	UNION ALL SELECT g * 1.1, g * 2.5 FROM generate_series(-60, 60) g;
CREATE TABLE edge_numeric AS SELECT x::numeric AS a, x::numeric(20, 4) AS b FROM (SELECT g * 0.001 AS x FROM generate_series(-70, 70) g) s
	UNION ALL SELECT 'NaN', NULL UNION ALL SELECT 12345678901234567890123.456789012345, 1234567890123456.7891
	UNION ALL SELECT 12345678901234567890123.456789012345, -1234567890123456.7891 UNION ALL SELECT 0.00000000000001, 0
	UNION ALL SELECT 'Infinity', NULL;
CREATE TABLE edge_int AS SELECT g::int2 AS a, (g::bigint * 300000000000000) AS b, g AS c FROM generate_series(-30000, 30000, 7) g
	UNION ALL SELECT 32767, 9223372036854775807, 2147483647 UNION ALL SELECT -32768, -9223372036854775808, -2147483648;
CREATE TABLE edge_time AS SELECT date '2026-01-01' + g AS a, timestamp '2026-01-01' + g * interval '7 hours' AS b,
	timestamptz '2026-01-01' + g * interval '1 day' AS c, time '00:00' + g * interval '11 minutes' AS d FROM generate_series(1, 100) g
	UNION ALL SELECT 'infinity', '-infinity', 'infinity', '24:00' UNION ALL SELECT '4713-01-01 BC', '294276-12-31 23:59:59', '4713-01-01 BC', '00:00';
CREATE TABLE edge_text AS SELECT 'Ünïcödé ' || g AS a, repeat('x', g * 20) AS b, chr(97 + g % 26) AS c, NULLIF(g % 3, 0)::text AS d,
	('v' || g % 60)::varchar(10) AS e, (g % 70)::text::char(5) AS f FROM generate_series(1, 200) g UNION ALL SELECT '', '', ' ', '', '', '';
CREATE TYPE edge_mood AS ENUM ('sad', 'glad', 'mad');
CREATE DOMAIN edge_year AS int CHECK (VALUE > 0);
CREATE TABLE edge_types AS SELECT (ARRAY['sad', 'glad', 'mad']::edge_mood[])[1 + g % 3] AS a, (1900 + g)::edge_year AS b,
	md5((g % 80)::text)::uuid AS c, (g || ' minutes')::interval AS d, ('10.0.0.' || g % 99)::inet AS e,
	int4range(g % 70, g + 100) AS f, (g % 2 = 0) AS g, g::oid AS h, ('k' || g % 90)::name AS i FROM generate_series(1, 300) g;
CREATE COLLATION edge_ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE edge_collated AS SELECT (CASE g % 2 WHEN 0 THEN 'word' ELSE 'WORD' END || g % 75) COLLATE edge_ci AS a FROM generate_series(1, 400) g;

SELECT t.relname, d.* FROM pg_class t, pg_temp.check_table(t.oid) d
	WHERE t.relname LIKE 'edge\_%' AND t.relkind = 'r' ORDER BY 1, 2, 3;

-- generated tables: types, null rates, skews and duplicates from a seed
CREATE FUNCTION pg_temp.generate_and_check(seeds int) RETURNS TABLE (seed int, col text, what text, profile text, sql text)
LANGUAGE plpgsql AS $$
DECLARE
	types constant text[] := ARRAY['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'numeric(12,3)', 'date', 'timestamp',
		'timestamptz', 'time', 'text', 'varchar(30)', 'bool'];
	source text;
	ty text;
	cols text;
	spread int;
	n int;
BEGIN
	FOR s IN 1 .. seeds LOOP
		PERFORM setseed(s / 10000.0);
		n := (ARRAY[0, 1, 2, 49, 51, 200, 1000])[1 + floor(random() * 7)];
		cols := '';
		FOR i IN 1 .. 4 LOOP
			ty := types[1 + floor(random() * array_length(types, 1))];
			spread := (ARRAY[1, 3, 40, 60, 5000])[1 + floor(random() * 5)];
			source := format('floor(power(random(), %s) * %s)', 1 + floor(random() * 3), spread);
			source := CASE
				WHEN ty = 'bool' THEN 'random() < 0.3'
				WHEN ty = 'date' THEN format('date %L + (%s)::int', '2020-02-28', source)
				WHEN ty LIKE 'timestamp%' THEN format('%s %L + (%s) * interval %L', ty, '2020-02-28 13:00', source, 1 + floor(random() * 1440) || ' minutes')
				WHEN ty = 'time' THEN format('time %L + (%s) * interval %L', '00:00', source, '1 second')
				WHEN ty IN ('text', 'varchar(30)') THEN format('(ARRAY[%L, %L, %L, %L, %L])[1 + floor(random() * 5)] || (%s)', 'a', 'Ab', '', 'ä', 'z z', source)
				WHEN ty LIKE 'int%' THEN format('((%s) - %s)', source, spread / 3)
				ELSE format('((%s) - %s) / %s.0', source, spread / 3, (ARRAY[1, 4, 7])[1 + floor(random() * 3)]) END;
			cols := cols || format('%s CASE WHEN random() >= %s THEN (%s)::%s END AS c%s', CASE WHEN i > 1 THEN ',' ELSE '' END,
				(ARRAY[0, 0.1, 0.9, 1])[1 + floor(random() * 4)], source, ty, i);
		END LOOP;
		EXECUTE format('CREATE TABLE generated AS SELECT %s FROM generate_series(1, %s)', cols, n);
		RETURN QUERY SELECT s, c.* FROM pg_temp.check_table('generated') c;
		DROP TABLE generated;
	END LOOP;
END $$;
SELECT * FROM pg_temp.generate_and_check(300);
