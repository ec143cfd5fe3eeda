/*
 * detect: what values look like.
 */
CREATE FUNCTION drift_looks_like(value text) RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION drift_looks_like(text) IS
'what one value looks like (email, uuid, iban, ...: the patterns of dbprint v1, section 4.1), null for nothing in particular; a profile says it of a column when 95% of its sampled values agree';

CREATE FUNCTION drift_sensitivity(column_name text, sample text[] DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION drift_sensitivity(text, text[]) IS
'which sort of sensitive data a column of that name and with such values seems to hold (dbprint v1, section 4.4); null means not detected, never safe';
