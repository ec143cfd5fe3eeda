/*
 * judge: is it still true.
 */
CREATE FUNCTION drift_check(
	depth text DEFAULT 'catalog',
	baseline text DEFAULT 'latest',
	max_age integer DEFAULT NULL,
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL)
RETURNS TABLE (
	code integer,
	severity text,
	kind text,
	relation text,
	object text,
	before text,
	after text,
	detail text)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_check(text, text, integer, text[], text[]) IS
'compares a print with the live database; one row a finding, none when all holds. depth: print looks at stored prints only, catalog (default) also at the live catalogs, data also at rows. code: 2 stale, 3 drift, 5 some relations could not be read, 6 assertion failed, 7 none could be read. max_age (days) overrides the thresholds recorded with the print';

CREATE FUNCTION drift_exit_code(
	depth text DEFAULT 'catalog',
	baseline text DEFAULT 'latest',
	max_age integer DEFAULT NULL,
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL)
RETURNS integer
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_exit_code(text, text, integer, text[], text[]) IS
'the worst code of a check: 0 holds, 1 no print or a malformed one, 2 stale, 3 drift, 5 partial, 6 assertion failed, 7 total failure; of several the worst is 7, then 1, 3, 6, 5, 2';

CREATE FUNCTION drift_gate(
	depth text DEFAULT 'catalog',
	baseline text DEFAULT 'latest',
	max_age integer DEFAULT NULL,
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL,
	severity text DEFAULT 'all')
RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_gate(text, text, integer, text[], text[], text) IS
'raises an error unless all holds, for psql -v ON_ERROR_STOP=1: SQLSTATE DP001 no print, DP002 stale, DP003 drift, DP005 partial, DP006 assertion, DP007 total failure. severity => schema lets data movement pass';

CREATE FUNCTION drift_freshness(max_age integer DEFAULT NULL, print text DEFAULT 'latest')
RETURNS TABLE (
	relation text,
	profiled_at timestamptz,
	age interval,
	max_age_days integer,
	fresh boolean,
	bucket text,
	rule text,
	unchanged_since timestamptz)
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_freshness(integer, text) IS
'how old the print of each relation is, against the threshold recorded with it (or max_age, in days); bucket says how recent the relation''s newest temporal column was: live, stale or dormant; rule says which of today''s rules sets the threshold; unchanged_since is the time of the print where the relation''s write counters have not moved since, so nothing needs to be read to know it is as it was';
