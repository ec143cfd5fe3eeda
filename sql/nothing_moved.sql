--
-- Does anything move that nobody touched?  A hundred prints of a sampled table
-- give a hundred empty diffs, also after ANALYZE has guessed again.
--
SET client_min_messages = warning;
CREATE SCHEMA shop;
CREATE TABLE shop.reading AS
	SELECT g AS id, g % 7 AS kind, g / 3.0 AS value, md5(g::text) AS code, timestamptz '2026-01-01' + g * interval '1 min' AS at,
		(g * 1.1)::numeric(10, 2) AS amount, g % 2 = 0 AS ok, nullif(g % 5, 0) AS maybe, 'x' || g % 100 AS word, date '2026-01-01' + g % 365 AS day
	FROM generate_series(1, 10000) g;
ALTER TABLE shop.reading SET (autovacuum_enabled = off);
ANALYZE shop.reading;
SELECT pg_stat_force_next_flush() IS NOT NULL AS flushed;
SELECT drift_configure('rules: [{include: ["shop.reading"], sample: 0.1}]');
SELECT relation, status, row_count FROM drift_print('before', include => '{shop.reading}', force => true);
-- the estimate moves by some percent, the rows do not
UPDATE pg_class SET reltuples = reltuples * 1.04 WHERE oid = 'shop.reading'::regclass;
DO $$ BEGIN
	FOR i IN 1..100 LOOP
		PERFORM FROM drift_print(include => '{shop.reading}', force => true);
	END LOOP;
END $$;
SELECT count(DISTINCT id) AS prints, count(kind) AS changes
	FROM drift_prints() p LEFT JOIN LATERAL drift_diff('before', p.id::text) d ON true WHERE label IS NULL;
SELECT counter, count FROM drift_summary('before', 'live', include => '{shop.reading}') WHERE counter ~ 'tables' AND count > 0;
-- but rows do
INSERT INTO shop.reading SELECT 5, 5, 5, 'new', '2026-01-01', 5, NULL, 5, 'y', '2026-01-01' FROM generate_series(1, 5000);
SELECT pg_stat_force_next_flush() IS NOT NULL AS flushed;
ANALYZE shop.reading;
SELECT kind, before ->> 'row_count' AS was, after ->> 'row_count' AS is FROM drift_diff('before', 'live', include => '{shop.reading}') WHERE kind = 'table_row_count_changed';
SELECT count(*) > 20 AS statistics_too FROM drift_diff('before', 'live', include => '{shop.reading}') WHERE kind = 'statistic_changed';
SELECT drift_prune(0) > 0 AS pruned;
SELECT drift_configure(NULL);
DROP SCHEMA shop CASCADE;
