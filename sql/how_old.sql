--
-- How old is it?  A table's print is fresh for max_age_days; a fresh one is not
-- read again, and one that nobody wrote to need not be.
--
SET client_min_messages = warning;
CREATE SCHEMA shop;
CREATE TABLE shop.purchase AS SELECT g AS id FROM generate_series(1, 100) g;
CREATE TABLE shop.visit (id int, at date) PARTITION BY RANGE (at);
CREATE TABLE shop.visit_2026 PARTITION OF shop.visit FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
INSERT INTO shop.visit VALUES (1, '2026-05-05');
CREATE VIEW shop.early AS SELECT * FROM shop.purchase WHERE id < 10;
SELECT pg_stat_force_next_flush();
SELECT relation, status, message FROM drift_print(include => '{shop.*}');
SELECT relation, status, message FROM drift_print(include => '{shop.*}');
SELECT relation, status FROM drift_print(include => '{shop.*}', force => true);
SELECT relation, max_age_days, fresh, rule FROM drift_freshness();
SELECT count(*) FROM drift_check(include => '{shop.*}');

-- a print as old as its threshold is stale, whatever today's rules say
UPDATE driftprint.entry SET profiled_at = profiled_at - interval '8 days';
UPDATE driftprint.print SET taken_at = taken_at - interval '8 days';
SELECT code, severity, kind, relation, before, after, detail FROM drift_check(include => '{shop.*}');
SELECT drift_exit_code(include => '{shop.*}'), drift_exit_code('print', include => '{shop.*}'), drift_exit_code(max_age => 30, include => '{shop.*}');
SELECT drift_configure('max_age_days: 30');
SELECT drift_exit_code(include => '{shop.*}');
SELECT relation, max_age_days, fresh, age > interval '7 days' AS old, rule FROM drift_freshness();
SELECT drift_configure(NULL);
SELECT drift_gate(include => '{shop.*}');

-- the write counters know more
SELECT relation, unchanged_since IS NOT NULL AS unchanged FROM drift_freshness();
INSERT INTO shop.visit VALUES (2, '2026-06-06');
SELECT pg_stat_force_next_flush();
SELECT relation, unchanged_since IS NOT NULL AS unchanged FROM drift_freshness();
SELECT relation, status, row_count, message FROM drift_print(include => '{shop.*}', trust_counters => true);
SELECT relation, fresh FROM drift_freshness();
-- TRUNCATE moves no counter, but the file
TRUNCATE shop.purchase;
SELECT relation, unchanged_since IS NOT NULL AS unchanged FROM drift_freshness();
-- counters that were reset say nothing any more
SELECT pg_stat_reset();
SELECT relation, unchanged_since IS NOT NULL AS unchanged FROM drift_freshness();

-- arguments
SELECT * FROM drift_freshness(-1);
SELECT * FROM drift_freshness(1, 'nothing');
SELECT drift_exit_code('print', 'nothing');
SELECT drift_exit_code('deep');
SELECT drift_check(baseline => 'live');
SELECT drift_prune(0) > 0 AS pruned;
SELECT drift_exit_code();
SELECT * FROM drift_check();
DROP SCHEMA shop CASCADE;
