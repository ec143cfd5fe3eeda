/*
 * profile: what the rows of a relation say.
 */
CREATE FUNCTION drift_profile(
	relation regclass,
	sample float8 DEFAULT NULL,
	filter text DEFAULT NULL)
RETURNS jsonb
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_profile(regclass, float8, text) IS
'the profile of one relation, read now and not stored: per column counts, distinct values, bounds, percentiles, lengths, and for the table null patterns, grain and timeline. sample is a fraction of the rows (the same ones each time), filter one predicate';
