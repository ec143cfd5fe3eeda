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
