--
-- What moved in the rows?  Each rule that keeps the signal, both ways: what it
-- keeps quiet, and what it must not.
--
\pset format unaligned
SET client_min_messages = warning;

-- Two profiles of one column, or more of their entries.
CREATE FUNCTION pg_temp.entry(fields jsonb, more jsonb DEFAULT '{}', about_table jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_array(jsonb_build_object(
		'object', '{"family": "table", "schema": "s", "name": "t", "parts": [{"family": "column", "name": "c", "attributes": {"type": "integer"}}]}'::jsonb,
		'profile', jsonb_build_object('columns', jsonb_build_object('c', fields)) || about_table) || more)
$$;
CREATE FUNCTION pg_temp.moved(before jsonb, after jsonb, more_before jsonb DEFAULT '{}', more_after jsonb DEFAULT '{}',
	table_before jsonb DEFAULT '{}', table_after jsonb DEFAULT '{}')
RETURNS TABLE (kind text, stat text, before jsonb, after jsonb, delta numeric, delta_pct float8) LANGUAGE sql AS $$
	SELECT d.kind, d.stat, d.before, d.after, d.delta, d.delta_pct
	FROM drift_diff_documents(pg_temp.entry($1, $3, $5), pg_temp.entry($2, $4, $6)) d
$$;

-- every path, with delta for numbers and a percentage unless it was 0
SELECT * FROM pg_temp.moved(
	'{"null_count": 0, "cardinality": 4, "mean": 2.5, "classification": "categorical", "percentiles": {"p50": 10, "p99": 20}, "range": {"min": 1, "max": 9}}',
	'{"null_count": 3, "cardinality": 5, "mean": 2.25, "classification": "numeric", "percentiles": {"p50": 10, "p99": 25}, "range": {"min": 1, "max": 9}}');
-- however small
SELECT stat, delta, delta_pct FROM pg_temp.moved('{"mean": 1000000}', '{"mean": 1000000.000001}');
-- numbers beyond what a float holds exactly
SELECT stat, delta FROM pg_temp.moved('{"sum": 9007199254740993, "mean": 0.1}', '{"sum": 9007199254740994, "mean": 0.3}');
-- values carries the whole list, whatever moved in it
SELECT * FROM pg_temp.moved('{"values": [{"value": "a", "count": 2}, {"value": "b", "count": 1}]}', '{"values": [{"value": "a", "count": 2}, {"value": "b", "count": 2}]}');
-- the same is no change, also written otherwise
SELECT * FROM pg_temp.moved('{"null_rate": 0.5, "values": [1, 2]}', '{"values": [1, 2], "null_rate": 0.5}');

-- never compared
SELECT * FROM pg_temp.moved(
	'{"freshness": {"max_age_days": 1}, "sql_type": "a", "nullable": true, "rows_scanned": 1, "unmeasured": ["x"], "sketch": "a", "inferred": {"sampled": 1, "matched": 1, "looks_like_candidate": "email", "looks_like_candidate_share": 0.5}}',
	'{"freshness": {"max_age_days": 2}, "sql_type": "b", "nullable": false, "rows_scanned": 2, "unmeasured": ["y"], "sketch": "b", "inferred": {"sampled": 2, "matched": 2, "looks_like_candidate": "uuid", "looks_like_candidate_share": 0.6}}');
-- but what was inferred is
SELECT * FROM pg_temp.moved('{"inferred": {"looks_like": "email", "candidate_key": true}}', '{"inferred": {"looks_like": "uuid", "candidate_key": false}}');

-- an approximate count on either side
SELECT stat FROM pg_temp.moved('{"cardinality": 10, "cardinality_ratio": 0.1, "null_rate": 0.1, "cardinality_method": "approximate"}', '{"cardinality": 11, "cardinality_ratio": 0.11, "null_rate": 0.2, "cardinality_method": "approximate"}');
SELECT stat FROM pg_temp.moved('{"cardinality": 10, "cardinality_ratio": 0.1, "cardinality_method": "exact"}', '{"cardinality": 11, "cardinality_ratio": 0.11, "cardinality_method": "approximate"}');
SELECT stat FROM pg_temp.moved('{"cardinality": 10, "cardinality_ratio": 0.1, "cardinality_method": "exact"}', '{"cardinality": 11, "cardinality_ratio": 0.11, "cardinality_method": "exact"}');

-- normalized_cardinality on one side only
SELECT stat FROM pg_temp.moved('{"normalized_cardinality": 3}', '{}');
SELECT stat FROM pg_temp.moved('{"normalized_cardinality": 3}', '{"normalized_cardinality": 4}');

-- a scope on either side: what scales with the population is quiet, ratios, mean and lengths are not
CREATE FUNCTION pg_temp.scoped(table_before jsonb, table_after jsonb) RETURNS TABLE (stats text) LANGUAGE sql AS $$
	SELECT string_agg(stat, ' ' ORDER BY stat COLLATE "C") FROM pg_temp.moved(
		'{"cardinality": 1, "null_count": 1, "values": [1], "sum": 1, "zero_count": 1, "negative_count": 1, "empty_count": 1, "quantized_count": 1, "normalized_cardinality": 1, "null_rate": 0.1, "cardinality_ratio": 0.1, "values_coverage": 0.1, "mean": 1, "length": {"min": 1, "avg": 1}}',
		'{"cardinality": 2, "null_count": 2, "values": [2], "sum": 2, "zero_count": 2, "negative_count": 2, "empty_count": 2, "quantized_count": 2, "normalized_cardinality": 2, "null_rate": 0.2, "cardinality_ratio": 0.2, "values_coverage": 0.2, "mean": 2, "length": {"min": 2, "avg": 2}}',
		table_before => $1, table_after => $2)
$$;
SELECT * FROM pg_temp.scoped('{"scope": {"sample": 0.1}}', '{"scope": {"sample": 0.1}}');
SELECT * FROM pg_temp.scoped('{}', '{"scope": {"filter": "x > 1"}}');
SELECT * FROM pg_temp.scoped('{}', '{}');
-- the count of rows is of the whole table, and so exempt
SELECT kind, before, after, delta, delta_pct FROM pg_temp.moved('{"null_count": 1}', '{"null_count": 2}',
	'{"row_count": 10, "count_method": "approximate"}', '{"row_count": 15, "count_method": "approximate"}', '{"scope": {"sample": 0.1}}', '{"scope": {"sample": 0.1}}');

-- a redacted column on either side gives away no values; the marker itself is told, and counts go on
SELECT stat, before, after FROM pg_temp.moved(
	'{"values": [1], "range": {"min": 1}, "percentiles": {"p50": 1}, "mean": 1, "sum": 1, "length": {"min": 1}, "null_count": 1, "values_coverage": 0.5}',
	'{"redacted": "hash", "values": [2], "range": {"min": 2}, "percentiles": {"p50": 2}, "mean": 2, "sum": 2, "length": {"min": 2}, "null_count": 2, "values_coverage": 0.6}');
SELECT stat FROM pg_temp.moved(
	'{"values": [1], "range": {"min": 1}, "percentiles": {"p50": 1}, "mean": 1, "sum": 1, "length": {"min": 1}, "null_count": 1}',
	'{"values": [2], "range": {"min": 2}, "percentiles": {"p50": 2}, "mean": 2, "sum": 2, "length": {"min": 2}, "null_count": 1}');

-- a field that one side says it did not measure
SELECT stat FROM pg_temp.moved('{"mean": 1, "length": {"avg": 2}}', '{"unmeasured": ["length"]}');
SELECT stat, before, after FROM pg_temp.moved('{"mean": 1, "length": {"avg": 2}}', '{}');

-- columns that only one profile holds, and profiles that only one side has
SELECT count(*) FROM drift_diff_documents(pg_temp.entry('{"mean": 1}'), jsonb_set(pg_temp.entry('{"mean": 2}'), '{0,profile,columns}', '{"other": {"mean": 3}}'));
SELECT count(*) FROM drift_diff_documents(pg_temp.entry('{"mean": 1}'), pg_temp.entry('{"mean": 2}') #- '{0,profile}');
-- structure only, when so asked
SELECT count(*) FROM drift_diff_documents(pg_temp.entry('{"mean": 1}', '{"row_count": 1}'), pg_temp.entry('{"mean": 2}', '{"row_count": 2}'), profile => false);

-- the count of rows: the number alone is a change, with both methods
SELECT kind, before, after, delta, delta_pct FROM pg_temp.moved('{}', '{}', '{"row_count": 0}', '{"row_count": 7, "count_method": "approximate"}');
SELECT count(*) FROM pg_temp.moved('{}', '{}', '{"row_count": 7}', '{"row_count": 7, "count_method": "approximate"}');
SELECT count(*) FROM pg_temp.moved('{}', '{}', '{"row_count": 7}', '{}');
-- two estimates of a table that nobody wrote to differ by themselves
SELECT count(*) FROM pg_temp.moved('{}', '{}', '{"row_count": 7, "count_method": "approximate", "write_mark": 5}', '{"row_count": 8, "count_method": "approximate", "write_mark": 5}');
SELECT count(*) FROM pg_temp.moved('{}', '{}', '{"row_count": 7, "count_method": "approximate", "write_mark": 5}', '{"row_count": 8, "count_method": "approximate", "write_mark": 6}');
SELECT count(*) FROM pg_temp.moved('{}', '{}', '{"row_count": 7, "count_method": "exact", "write_mark": 5}', '{"row_count": 8, "count_method": "exact", "write_mark": 5}');

-- the grain: measured keys where both profiles searched, with the whole block on both sides
SELECT kind, before, after FROM pg_temp.moved('{}', '{}', table_before => '{"grain": {"keys": [{"columns": ["c"], "detection": "measured"}], "search": {"exhausted": true}}}', table_after => '{"grain": {"keys": [], "search": {"exhausted": true}}}');
SELECT kind, before, after FROM pg_temp.moved('{}', '{}', table_before => '{"grain": {"keys": [], "search": {"exhausted": true}}}', table_after => '{"grain": {"keys": [], "search": {"exhausted": false}}}');
SELECT count(*) FROM pg_temp.moved('{}', '{}', table_before => '{"grain": {"keys": [{"columns": ["c"], "detection": "measured"}]}}');
SELECT count(*) FROM pg_temp.moved('{}', '{}', table_before => '{"grain": {"keys": [], "search": {"exhausted": true}}}', table_after => '{"grain": {"keys": []}}');
-- a key that was declared since is what it was, otherwise found: a change of detection
SELECT kind, d.before, d.after FROM drift_diff_documents(
	pg_temp.entry('{}', about_table => '{"grain": {"keys": [{"columns": ["c"], "detection": "measured"}]}}'),
	jsonb_set(pg_temp.entry('{}', about_table => '{"grain": {"keys": [{"columns": ["c"], "detection": "measured"}]}}'), '{0,object,parts,1}',
		'{"family": "constraint", "name": "pk", "attributes": {"type": "primary_key", "columns": ["c"]}}')) d;

-- the layout: absent is a confirmed none, unless it was not measured
CREATE FUNCTION pg_temp.laid_out(key jsonb, more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_array(jsonb_build_object('object', '{"family": "table", "schema": "s", "name": "t"}'::jsonb ||
		jsonb_build_object('attributes', jsonb_strip_nulls(jsonb_build_object('partition_key', key)))) || more)
$$;
SELECT kind, before, after FROM drift_diff_documents(pg_temp.laid_out(NULL), pg_temp.laid_out('{"strategy": "range", "keys": [{"column": "at", "expression": "at"}]}'));
SELECT kind FROM drift_diff_documents(pg_temp.laid_out(NULL, '{"profile": {"unmeasured": ["physical_layout"]}}'), pg_temp.laid_out('{"strategy": "range", "keys": [{"column": "at", "expression": "at"}]}'));
-- what a view reads: only where both sides could ask; nothing is an answer
CREATE FUNCTION pg_temp.reading(relations jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_array(jsonb_build_object('object', '{"family": "view", "schema": "s", "name": "v"}'::jsonb ||
		jsonb_build_object('attributes', jsonb_strip_nulls(jsonb_build_object('depends_on', relations)))))
$$;
SELECT kind, before, after FROM drift_diff_documents(pg_temp.reading('[]'), pg_temp.reading('[{"schema": "s", "name": "t"}]'));
SELECT kind, before, after FROM drift_diff_documents(pg_temp.reading(NULL), pg_temp.reading('[{"schema": "s", "name": "t"}]'));

-- unevaluated is never unchanged
CREATE FUNCTION pg_temp.summary(before jsonb, after jsonb) RETURNS TABLE (modified bigint, unchanged bigint, unevaluated bigint, scanned bigint) LANGUAGE sql AS $$
	SELECT max(count) FILTER (WHERE counter = 'tables_modified'), max(count) FILTER (WHERE counter = 'unchanged_tables'),
		max(count) FILTER (WHERE counter = 'unevaluated_tables'), max(count) FILTER (WHERE counter = 'tables_scanned')
	FROM drift_summary_documents($1, $2)
$$;
SELECT 'profiled' AS what, * FROM pg_temp.summary(pg_temp.entry('{"mean": 1}'), pg_temp.entry('{"mean": 1}'))
UNION ALL SELECT 'moved', * FROM pg_temp.summary(pg_temp.entry('{"mean": 1}'), pg_temp.entry('{"mean": 2}'))
UNION ALL SELECT 'not read again', * FROM pg_temp.summary(pg_temp.entry('{"mean": 1}'), pg_temp.entry('{"mean": 1}', '{"status": "skipped"}'))
UNION ALL SELECT 'catalog only', * FROM pg_temp.summary(pg_temp.reading('[]'), pg_temp.reading('[]'))
UNION ALL SELECT 'catalog only, redefined', * FROM pg_temp.summary(pg_temp.reading('[]'), pg_temp.reading('[{"schema": "s", "name": "t"}]'))
UNION ALL SELECT 'scoped', * FROM pg_temp.summary(pg_temp.entry('{"mean": 1}', '{}', '{"scope": {}}'), pg_temp.entry('{"mean": 1}', '{}', '{"scope": {}}'))
UNION ALL SELECT 'scoped, moved', * FROM pg_temp.summary(pg_temp.entry('{"mean": 1}', '{}', '{"scope": {}}'), pg_temp.entry('{"mean": 2}', '{}', '{"scope": {}}'));

-- what is not a document of a print is refused, and where
SELECT * FROM drift_diff_documents('{}', '[]');
SELECT * FROM drift_diff_documents('[]', '[1]');
SELECT * FROM drift_diff_documents('[]', '[{"object": {"family": "table", "name": "t"}}]');
SELECT * FROM drift_diff_documents('[]', '[{"object": {"family": "enum", "name": "t", "parts": [[]]}}]');
SELECT * FROM drift_diff_documents('[]', '[{"object": {"family": "enum", "name": "t"}, "row_count": "many"}]');
SELECT * FROM drift_diff_documents('[]', '[{"object": {"family": "enum", "name": "t"}}, {"object": {"family": "enum", "name": "t"}}]');
SELECT * FROM drift_diff_documents(NULL, '[]');
