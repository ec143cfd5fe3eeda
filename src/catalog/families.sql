/*
 * catalog: what stands in the database now.
 */
CREATE FUNCTION drift_objects(
	only_family text DEFAULT NULL,
	OUT family text,
	OUT schema text,
	OUT name text,
	OUT signature text,
	OUT body jsonb)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE;
COMMENT ON FUNCTION drift_objects(text) IS
'every object of this database as a print describes it: family, schema, name and signature say which, body holds its attributes, parts, definition and what it depends on; a family as argument shows only that one';

CREATE FUNCTION drift_not_compared() RETURNS SETOF text
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE;
COMMENT ON FUNCTION drift_not_compared() IS
'the kinds of objects that this database holds and no print describes';
