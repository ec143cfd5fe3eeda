--
-- How far have the values moved?  Distances from stored profiles, beside the
-- same computed from the rows.
--
SET client_min_messages = warning;
SET extra_float_digits = 0;
CREATE SCHEMA shop;
CREATE TABLE shop.reading (same int, shifted float8, widened numeric(10,2), status text, at timestamptz, free text);
CREATE TABLE shop.was (LIKE shop.reading);
INSERT INTO shop.was SELECT g, g / 10.0, g, (ARRAY['ok', 'ok', 'ok', 'bad'])[1 + g % 4], timestamptz '2026-01-01' + g * interval '1 hour', md5(g::text) FROM generate_series(1, 600) g;
INSERT INTO shop.reading SELECT * FROM shop.was;
SELECT count(*) FROM drift_print('before', include => '{shop.reading}');
TRUNCATE shop.reading;
INSERT INTO shop.reading SELECT g, g / 10.0 + 30, g * 1.5, (ARRAY['ok', 'bad', 'bad', 'lost'])[1 + g % 4], timestamptz '2026-03-01' + g * interval '1 hour', md5(g::text) FROM generate_series(1, 600) g;
SELECT column_name, round(psi::numeric, 3) AS psi, round(ks::numeric, 3) AS ks, round(js::numeric, 3) AS js, new_values, vanished_values, verdict
	FROM drift_distance('before', 'live', include => '{shop.reading}') ORDER BY column_name COLLATE "C";

-- from the rows: the largest gap of the two empirical distributions
CREATE FUNCTION pg_temp.gap(col text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE gap numeric;
BEGIN
	EXECUTE format($q$
		WITH x AS (SELECT %1$I AS v FROM shop.was UNION SELECT %1$I FROM shop.reading)
		SELECT max(abs((SELECT count(*) FROM shop.was w WHERE w.%1$I <= x.v) / 600.0 - (SELECT count(*) FROM shop.reading r WHERE r.%1$I <= x.v) / 600.0)) FROM x$q$, col) INTO gap;
	RETURN gap;
END $$;
SELECT d.column_name, abs(d.ks - pg_temp.gap(d.column_name)) <= 0.01 AS ks_agrees
	FROM drift_distance('before', 'live', include => '{shop.reading}') d WHERE ks IS NOT NULL ORDER BY 1;

-- psi of the deciles and the js distance of the listed values, from the rows
WITH deciles AS (SELECT percentile_disc(ARRAY[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]) WITHIN GROUP (ORDER BY shifted) AS d FROM shop.was),
	bins AS (SELECT b, greatest(0.0001, (SELECT count(*) FROM shop.was, deciles WHERE width_bucket(-shifted, ARRAY(SELECT -u FROM unnest(d) u ORDER BY 1)) = b) / 600.0) AS p,
		greatest(0.0001, (SELECT count(*) FROM shop.reading, deciles WHERE width_bucket(-shifted, ARRAY(SELECT -u FROM unnest(d) u ORDER BY 1)) = b) / 600.0) AS q FROM generate_series(0, 9) b)
SELECT abs(sum((q - p) * ln(q / p)) - (SELECT psi FROM drift_distance('before', 'live') WHERE column_name = 'shifted')) < 0.05 AS psi_agrees FROM bins;
WITH s AS (SELECT v, (SELECT count(*) FROM shop.was WHERE status = v) / 600.0 AS p, (SELECT count(*) FROM shop.reading WHERE status = v) / 600.0 AS q FROM unnest(ARRAY['ok', 'bad', 'lost']) v),
	t AS (SELECT p, q, (p + q) / 2 AS m FROM s)
SELECT abs(sqrt(sum(CASE WHEN p > 0 THEN p * log(2, p / m) ELSE 0 END + CASE WHEN q > 0 THEN q * log(2, q / m) ELSE 0 END) / 2) - (SELECT js FROM drift_distance('before', 'live') WHERE column_name = 'status')) < 0.000001 AS js_agrees FROM t;

-- nothing moved
SELECT DISTINCT psi, ks, js, verdict FROM drift_distance('before', 'before') WHERE column_name <> 'free';
SELECT drift_distance('before', NULL);
SELECT drift_prune(0) > 0 AS pruned;
DROP SCHEMA shop CASCADE;
