/*
 * report: a diff for a person, or as a document.
 */
CREATE FUNCTION drift_report(
	baseline text DEFAULT 'latest',
	target text DEFAULT 'live',
	format text DEFAULT 'text',
	threshold jsonb DEFAULT NULL,
	include text[] DEFAULT NULL,
	exclude text[] DEFAULT NULL,
	profile boolean DEFAULT true)
RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_report(text, text, text, jsonb, text[], text[], boolean) IS
'a diff as text for people, or as json or yaml (the document of the dbprint v1 format, section 2.6). threshold, as {"default": 0.01, "cardinality_ratio": 0.02, "percentile_pct": 0.05, "values_coverage": 0.05}, says which statistic changes the text leaves out; json and yaml leave out nothing';
