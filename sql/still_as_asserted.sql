--
-- Is it still as asserted?  Predicates over statistics and queries, with their
-- codes.
--
SET client_min_messages = warning;
CREATE SCHEMA shop;
CREATE TABLE shop.purchase AS SELECT g AS id, (ARRAY['open', 'paid', 'void'])[1 + g % 3] AS status,
	CASE WHEN g % 10 > 0 THEN g * 1.5 END AS amount FROM generate_series(1, 300) g;
SELECT count(*) FROM drift_print(include => '{shop.*}');

-- all of these hold
SELECT drift_configure($$
assertions:
  - table: shop.purchase
    row_count: {min: 100, max: 1000}
  - table: shop.purchase
    column: id
    candidate_key: true
    null_rate: 0
    range.min: {min: 1}
  - table: shop.purchase
    column: status
    accepted_values: [open, paid, void]
    cardinality: 3
    distribution: {one_of: [uniform, imbalanced]}
  - table: shop.purchase
    column: amount
    percentiles.p99: {max: 450}
  - sql: SELECT count(*) FROM shop.purchase WHERE amount < 0
    expect: 0
  - sql: SELECT id FROM shop.purchase WHERE status IS NULL
    expect: empty
$$);
SELECT * FROM drift_check(include => '{shop.*}');
SELECT drift_exit_code(include => '{shop.*}');

-- none of these does, and some cannot be applied
SELECT drift_configure($$
assertions:
  - {table: shop.purchase, row_count: {min: 1000}, name: enough orders}
  - {table: shop.purchase, column: status, accepted_values: [open, paid]}
  - {table: shop.purchase, column: amount, null_rate: {max: 0.05}, severity: warning}
  - {table: shop.purchase, column: status, candidate_key: true}
  - {table: shop.purchase, column: status, mean: {min: 1}}
  - {table: shop.purchase, column: nothing, null_rate: 0}
  - {table: shop.nothing, row_count: {min: 1}}
  - {sql: SELECT count(*) FROM shop.purchase WHERE status = 'void', expect: 0}
  - {sql: SELECT id FROM shop.purchase WHERE id = 7, expect: empty}
  - {sql: SELECT 1 / 0, expect: 0}
  - {sql: DELETE FROM shop.purchase RETURNING id, expect: empty}
$$);
SELECT code, severity, kind, relation, object, before, after, detail FROM drift_check(include => '{shop.*}');
SELECT drift_exit_code(include => '{shop.*}');
SELECT drift_gate(include => '{shop.*}');
SELECT count(*) FROM shop.purchase;

-- at depth data the rows as they are now decide
DELETE FROM shop.purchase WHERE status = 'void';
SELECT drift_configure('assertions: [{table: shop.purchase, column: status, cardinality: 3}]');
SELECT drift_exit_code(include => '{shop.*}');
SELECT kind, object, before, after FROM drift_check('data', include => '{shop.*}') WHERE code = 6;

SELECT drift_configure(NULL);
SELECT drift_prune(0) > 0 AS pruned;
DROP SCHEMA shop CASCADE;
