/*
 * diff: what happened between two prints.
 */
CREATE FUNCTION drift_diff(
	baseline text DEFAULT 'latest',
	target text DEFAULT 'live',
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL,
	profile boolean DEFAULT true)
RETURNS TABLE (
	kind text,
	relation text,
	column_name text,
	object_name text,
	stat text,
	before jsonb,
	after jsonb,
	delta numeric,
	delta_pct float8)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_diff(text, text, text[], text[], boolean) IS
'what changed from one print to another, a row a change, ordered by relation, kind and object, never filtered by a threshold. A print is named by live, latest, an id or a label. profile => false compares structure only and reads no rows. delta_pct is the fraction of before that delta is';

CREATE FUNCTION drift_summary(
	baseline text DEFAULT 'latest',
	target text DEFAULT 'live',
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL,
	profile boolean DEFAULT true)
RETURNS TABLE (counter text, count bigint)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_summary(text, text, text[], text[], boolean) IS
'counts of a diff; tables_modified + unchanged_tables + unevaluated_tables + tables_added is always tables_scanned. Unevaluated are relations that were not compared: views, scoped tables without a change, tables not read again';

CREATE FUNCTION drift_diff_documents(
	baseline jsonb,
	target jsonb,
	same_database boolean DEFAULT false,
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL,
	profile boolean DEFAULT true)
RETURNS TABLE (
	kind text,
	relation text,
	column_name text,
	object_name text,
	stat text,
	before jsonb,
	after jsonb,
	delta numeric,
	delta_pct float8)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE;
COMMENT ON FUNCTION drift_diff_documents(jsonb, jsonb, boolean, text[], text[], boolean) IS
'drift_diff of two lists of documents instead of prints: each entry has object {family, schema, name, attributes, parts}, and where known oid, attnums, status, row_count, count_method, write_mark and profile. same_database says that oid and attnums mean the same on both sides, so that a rename is seen';

CREATE FUNCTION drift_summary_documents(
	baseline jsonb,
	target jsonb,
	same_database boolean DEFAULT false,
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL,
	profile boolean DEFAULT true)
RETURNS TABLE (counter text, count bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE;
COMMENT ON FUNCTION drift_summary_documents(jsonb, jsonb, boolean, text[], text[], boolean) IS
'drift_summary of two lists of documents, as drift_diff_documents takes them';

CREATE FUNCTION drift_distance(
	baseline text DEFAULT 'latest',
	target text DEFAULT 'live',
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL)
RETURNS TABLE (
	relation text,
	column_name text,
	psi float8,
	ks float8,
	js float8,
	new_values jsonb,
	vanished_values jsonb,
	verdict text)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_distance(text, text, text[], text[]) IS
'how far each column''s values have moved, from the two profiles alone. psi: population stability index, the sum of (q - p) * ln(q / p) over the baseline''s deciles or the listed values (Kullback 1959, Siddiqi 2006; shares below 0.0001 count as 0.0001). ks: Kolmogorov-Smirnov distance of ordered columns, within 0.01 (Smirnov 1948). js: Jensen-Shannon distance to base 2 over listed values (Endres and Schindelin 2003). new_values and vanished_values: null where the other side''s list is not whole. verdict: stable below a psi of 0.1, moderate below 0.25, major from there, unknown without anything to compare';
