/*
 * print: taking prints, and looking after them.
 */
CREATE FUNCTION drift_print(
	label text DEFAULT NULL,
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL,
	force boolean DEFAULT false,
	dry_run boolean DEFAULT false,
	fail_fast boolean DEFAULT false,
	profile boolean DEFAULT true,
	trust_counters boolean DEFAULT false)
RETURNS TABLE (
	relation text,
	kind text,
	status text,
	row_count bigint,
	rows_scanned bigint,
	elapsed_ms float8,
	message text)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_print(text, text[], text[], boolean, boolean, boolean, boolean, boolean) IS
'takes a print of this database and stores it; a row a relation: profiled, skipped (its profile is fresh and is carried forward), catalog_only, failed (message says why) or planned (dry_run). include and exclude are globs over the lower-cased schema.table. force profiles fresh tables too, fail_fast stops at the first failure, profile => false reads no rows, trust_counters skips tables whose write counters have not moved since their print';
REVOKE ALL ON FUNCTION drift_print(text, text[], text[], boolean, boolean, boolean, boolean, boolean) FROM PUBLIC;

CREATE FUNCTION drift_prints()
RETURNS TABLE (
	id integer,
	label text,
	source text,
	taken_at timestamptz,
	status text,
	relations bigint,
	live bigint,
	stale bigint,
	dormant bigint)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE;
COMMENT ON FUNCTION drift_prints() IS
'the prints that are stored, oldest first; source is live, sql or import; live, stale and dormant count tables by the freshness bucket of their newest temporal column';

CREATE FUNCTION drift_drop(print text) RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_drop(text) IS
'removes one print, given by id, label or latest, and the documents no other print holds';
REVOKE ALL ON FUNCTION drift_drop(text) FROM PUBLIC;

CREATE FUNCTION drift_prune(keep integer) RETURNS integer
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_prune(integer) IS
'removes all but the newest keep prints of the live database and returns how many went; loaded and imported prints stay';
REVOKE ALL ON FUNCTION drift_prune(integer) FROM PUBLIC;

CREATE PROCEDURE drift_refresh(
	label text DEFAULT NULL,
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL,
	force boolean DEFAULT false,
	profile boolean DEFAULT true)
AS 'MODULE_PATHNAME' LANGUAGE C;
COMMENT ON PROCEDURE drift_refresh(text, text[], text[], boolean, boolean) IS
'takes a print as drift_print() does, committed relation by relation: for schedules and long runs. A relation that fails does not stop the others. A second run while one is under way says so and leaves';
REVOKE ALL ON PROCEDURE drift_refresh(text, text[], text[], boolean, boolean) FROM PUBLIC;

CREATE FUNCTION drift_progress()
RETURNS TABLE (
	print integer,
	label text,
	started_at timestamptz,
	relations bigint,
	done bigint,
	failed bigint)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_progress() IS
'how far a running drift_refresh() is: relations whose rows are to be read, and how many of them are done';

CREATE FUNCTION drift_statistics(print text DEFAULT 'latest', include text[] DEFAULT NULL)
RETURNS TABLE (
	relation text,
	column_name text,
	stat text,
	value jsonb)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_statistics(text, text[]) IS
'the profiles in a print as rows to join with: relation, column (null for the relation''s own), dot path of the statistic, value. Only columns that the caller may SELECT';

CREATE FUNCTION drift_describe(relation text, print text DEFAULT 'latest')
RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_describe(text, text) IS
'one relation''s structure and profile in a print, laid out for a person';
