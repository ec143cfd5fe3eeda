--
-- Rules with an error: what is wrong, where, and what to do.  The rules in
-- force stay as they were.
--
SET client_min_messages = warning;
\set VERBOSITY default
SELECT drift_configure('max_age_days: 5');
SELECT drift_configure(E'max_age_dys: 5');
SELECT drift_configure(E'rules:\n  - include: ["a.*"]\n    fliter: x > 1');
SELECT drift_configure('max_age_days: -1');
SELECT drift_configure('max_age_days: 1.5');
SELECT drift_configure('max_age_days: soon');
SELECT drift_configure('max_age_days: [1]');
SELECT drift_configure('compute_timeline: 7');
SELECT drift_configure('sample_method: random');
SELECT drift_configure('rules: {sample: 2}');
SELECT drift_configure('rules: [{sample: 1.5}]');
SELECT drift_configure('rules: [{sample: 0}]');
SELECT drift_configure('rules: [7]');
SELECT drift_configure('include: ""');
SELECT drift_configure('include: [a, [b]]');
SELECT drift_configure('statistics: {percentiles: [0.999]}');
SELECT drift_configure('statistics: {top_n_values: 0}');
SELECT drift_configure(E'max_age_days: 1\nmax_age_days: 2');
SELECT drift_configure(E'a: &x [1]\nb: *x');
SELECT drift_configure(E'max_age_days: 1\n---\nmax_age_days: 2');
SELECT drift_configure(E'rules:\n  - include: ["a"\n');
SELECT drift_configure('[1, 2]');
SELECT drift_configure('just text');
SELECT drift_configure('assertions: [{table: a}]');
SELECT drift_configure('assertions: [{table: a, null_rte: 0}]');
SELECT drift_configure('assertions: [{null_rate: 0}]');
SELECT drift_configure('assertions: [{sql: "SELECT 0", expect: 1}]');
SELECT drift_configure('assertions: [{table: a, null_rate: {maximum: 1}}]');
SELECT drift_configure('assertions: [{table: a, null_rate: 0, severity: fatal}]');
SELECT drift_configure(repeat('[', 100));
SELECT drift_configure(repeat('garbage ', 200000));
SELECT drift_config();
SELECT drift_configure(NULL);
