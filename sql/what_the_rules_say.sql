--
-- What do the rules say?  YAML in, and for one table what applies and which
-- line said so.
--
SET client_min_messages = warning;
CREATE SCHEMA shop;
CREATE TABLE shop.purchase AS SELECT g AS id, 'x' || g % 5 AS what FROM generate_series(1, 1000) g;
CREATE TABLE shop.customer AS SELECT g AS id FROM generate_series(1, 10) g;
CREATE TABLE shop.fresh (id int);
CREATE TABLE shop.scratch (id int);
ANALYZE shop.purchase, shop.customer;
SELECT drift_config() IS NULL AS no_rules;

SELECT drift_configure($$
exclude: ["shop.scratch"]
max_age_days: 3
statistics:
  top_n_values: 5
rules:
  - include: ["shop.*"]
    max_age_days: 30
    statistics: {percentiles: [10, 0.5, 90]}
  - include: ["shop.purchase"]
    max_rows_scanned: 500
    statistics: {enumeration_threshold: 2}
  - include: ["shop.*"]
    min_rows: 100
    compute_timeline: false
  - include: ["shop.customer"]
    filter: id <= 4
diff:
  stat_change_threshold: {default: 0.5}
$$);
SELECT * FROM drift_rules('shop.purchase');
SELECT * FROM drift_rules('shop.fresh') WHERE setting IN ('max_age_days', 'compute_timeline', 'note');
SELECT setting, value, source FROM drift_rules('shop.scratch') WHERE setting = 'included';
SELECT left(drift_config(), 30);

-- and a print follows them
SELECT relation, status, row_count, rows_scanned < row_count AS narrowed, message FROM drift_print(include => '{shop.*}');
SELECT relation, max_age_days, fresh, rule FROM drift_freshness();
SELECT relation, column_name, stat, value FROM drift_statistics(include => '{shop.customer}') WHERE stat LIKE 'scope%' OR stat = 'cardinality' OR stat LIKE 'perc%';
SELECT DISTINCT stat FROM drift_statistics() WHERE column_name = 'id' AND stat LIKE 'percentiles%';

-- one connection of several; the text is kept as it was given
SELECT drift_configure('connections: {primary: {max_age_days: 1}, other: {max_age_days: 2}}');
SELECT drift_configure('connections: {primary: {max_age_days: 1}, other: {max_age_days: 2}}', 'other');
SELECT value, source FROM drift_rules('shop.customer') WHERE setting = 'max_age_days';
SELECT drift_config();
SELECT drift_configure('connections: {primary: {max_age_days: 1}}', 'nobody');
SELECT drift_configure('{defaults: {max_age_days: 9}, connections: {only: {compute_timeline: false}}}');
SELECT setting, value, source FROM drift_rules('shop.customer') WHERE source <> 'default' ORDER BY 1;

-- 0: always stale, always read again
SELECT drift_configure('max_age_days: 0');
SELECT status, count(*) FROM drift_print(include => '{shop.*}') GROUP BY 1 ORDER BY 1;
SELECT status, count(*) FROM drift_print(include => '{shop.*}') GROUP BY 1 ORDER BY 1;
SELECT bool_or(fresh) FROM drift_freshness();
SELECT drift_exit_code(include => '{shop.*}');
SELECT drift_exit_code(include => '{shop.*}', max_age => 1);

-- a table narrowed in two ways is refused by name; the others are printed
SELECT drift_configure($$
rules:
  - include: ["shop.customer"]
    sample: 0.5
  - include: ["*customer"]
    filter: id > 3
$$);
SELECT relation, status, message FROM drift_print(include => '{shop.*}', force => true);

SELECT drift_configure(NULL);
SELECT drift_config() IS NULL AS no_rules;
SELECT drift_prune(0) > 0 AS pruned;
DROP SCHEMA shop CASCADE;
