/*
 * config: rules as YAML.
 */
CREATE TABLE driftprint.config (
	only_one		boolean PRIMARY KEY DEFAULT true CHECK (only_one),
	yaml			text NOT NULL,
	connection		text,
	configured_by	text NOT NULL,
	configured_at	timestamptz NOT NULL
);
COMMENT ON TABLE driftprint.config IS 'the rules in force, as they were given';
REVOKE ALL ON driftprint.config FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('driftprint.config', '');

CREATE FUNCTION drift_configure(yaml text, connection text DEFAULT NULL) RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION drift_configure(text, text) IS
'puts rules in force, given as YAML; a text with an error is refused with line and column and the rules in force stay. connection names the one of several under connections:. NULL takes the rules away';
REVOKE ALL ON FUNCTION drift_configure(text, text) FROM PUBLIC;

CREATE FUNCTION drift_config() RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STABLE;
COMMENT ON FUNCTION drift_config() IS
'the rules in force as they were given, NULL without any';
REVOKE ALL ON FUNCTION drift_config() FROM PUBLIC;

CREATE FUNCTION drift_rules(relation text)
RETURNS TABLE (setting text, value text, source text)
AS 'MODULE_PATHNAME' LANGUAGE C STABLE;
COMMENT ON FUNCTION drift_rules(text) IS
'what the rules say of one relation (given as schema.name), and which line said so';
