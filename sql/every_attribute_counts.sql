-- Is each change of an object seen, and nothing else with it?
SET client_min_messages = error;
CREATE ROLE eac_owner;
CREATE ROLE eac_reader;
CREATE SCHEMA eac;
CREATE TYPE eac.mood AS ENUM ('sad', 'ok');
CREATE TYPE eac.pair AS (a int, b text);
CREATE DOMAIN eac.code AS varchar(5) DEFAULT 'a' CONSTRAINT known CHECK (VALUE IN ('a', 'b'));
CREATE TYPE eac.span AS RANGE (subtype = float8);
CREATE TABLE eac.t (id serial, n bigint GENERATED ALWAYS AS IDENTITY, v varchar, w varchar);
CREATE SEQUENCE eac.s;
CREATE FUNCTION eac.f(a int, b text DEFAULT 'x') RETURNS SETOF int LANGUAGE sql AS 'SELECT a';
CREATE FUNCTION eac.f(a int) RETURNS int LANGUAGE sql RETURN a + 1;
CREATE PROCEDURE eac.p(a int) LANGUAGE plpgsql AS 'BEGIN END';
CREATE AGGREGATE eac.total(int) (SFUNC = int4pl, STYPE = int);
CREATE FUNCTION eac.eq(eac.pair, eac.pair) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT ($1).a = ($2).a';
CREATE FUNCTION eac.cmp(eac.pair, eac.pair) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 0';
CREATE OPERATOR eac.=== (LEFTARG = eac.pair, RIGHTARG = eac.pair, FUNCTION = eac.eq);
CREATE OPERATOR CLASS eac.pair_ops FOR TYPE eac.pair USING btree AS OPERATOR 3 eac.===, FUNCTION 1 eac.cmp(eac.pair, eac.pair);
CREATE CAST (eac.mood AS eac.pair) WITH INOUT;
CREATE COLLATION eac.c FROM "C";
CREATE STATISTICS eac.st (mcv) ON v, w, (v || 'x') FROM eac.t;
CREATE TEXT SEARCH DICTIONARY eac.dict (TEMPLATE = simple);
CREATE TEXT SEARCH CONFIGURATION eac.cfg (COPY = simple);
CREATE FOREIGN DATA WRAPPER eac_fdw;
CREATE SERVER eac_server FOREIGN DATA WRAPPER eac_fdw OPTIONS (host 'a');
CREATE USER MAPPING FOR PUBLIC SERVER eac_server OPTIONS (password 'x');
CREATE PUBLICATION eac_pub FOR TABLE eac.t;
CREATE FUNCTION eac.evt() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
CREATE EVENT TRIGGER eac_evt ON ddl_command_end WHEN TAG IN ('DROP AGGREGATE') EXECUTE FUNCTION eac.evt();
ALTER DEFAULT PRIVILEGES FOR ROLE eac_owner IN SCHEMA eac GRANT SELECT ON TABLES TO eac_reader;

CREATE FUNCTION objects() RETURNS TABLE (object text, body jsonb) LANGUAGE sql VOLATILE AS $$
	SELECT family || ' ' || coalesce(schema || '.', '') || name || coalesce('(' || signature || ')', ''),
		o.body - 'attributes' || coalesce(o.body->'attributes', '{}') FROM drift_objects() o
	WHERE NOT (family = ANY ('{table,view}'))
$$;

CREATE TABLE before (object text, body jsonb);

-- Run a statement, say what it changed, and undo it.
CREATE FUNCTION changes(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	result text[];
BEGIN
	BEGIN
		EXECUTE statement;
		result := ARRAY(
			SELECT CASE WHEN b.value IS NULL THEN '  + ' || object WHEN a.body IS NULL THEN '  - ' || object ELSE '  ~ ' || object || ': ' ||
				(SELECT string_agg(coalesce(x.key, y.key), ', ' ORDER BY coalesce(x.key, y.key) COLLATE "C") FROM jsonb_each(b.value) x
				 FULL JOIN jsonb_each(a.body) y USING (key) WHERE x.value IS DISTINCT FROM y.value) END
			FROM before b (object, value) FULL JOIN objects() a USING (object)
			WHERE b.value IS DISTINCT FROM a.body ORDER BY object COLLATE "C");
		RAISE EXCEPTION 'undo' USING ERRCODE = 'DP999';
	EXCEPTION WHEN SQLSTATE 'DP999' THEN
		RETURN NEXT statement;
		RETURN QUERY SELECT unnest(result);
	END;
END $$;

INSERT INTO before SELECT * FROM objects();

\a \t
SET search_path = pg_catalog, public, eac;
SELECT changes(statement) FROM (VALUES
	-- nothing
	($$SELECT nextval('eac.s')$$),
	($$GRANT EXECUTE ON PROCEDURE eac.p(int) TO PUBLIC$$),
	($$GRANT USAGE ON TYPE eac.mood TO PUBLIC$$),
	($$GRANT ALL ON SEQUENCE eac.s TO postgres$$),
	($$CREATE OR REPLACE PROCEDURE eac.p(a int) LANGUAGE plpgsql AS 'BEGIN END'$$),
	($$CREATE TEMP SEQUENCE gone$$),
	-- schemas and roles
	($$COMMENT ON SCHEMA eac IS 'x'$$),
	($$ALTER SCHEMA eac OWNER TO eac_owner$$),
	($$GRANT USAGE ON SCHEMA eac TO eac_reader WITH GRANT OPTION$$),
	($$CREATE SCHEMA eac2$$),
	($$CREATE ROLE eac_third$$),
	($$ALTER ROLE eac_reader LOGIN CREATEDB CREATEROLE REPLICATION BYPASSRLS SUPERUSER NOINHERIT$$),
	($$ALTER ROLE eac_reader CONNECTION LIMIT 3 VALID UNTIL '2040-01-01'$$),
	($$ALTER ROLE eac_reader PASSWORD 'x'$$),
	($$ALTER ROLE eac_reader SET work_mem = '1MB'$$),
	($$ALTER ROLE eac_reader IN DATABASE contrib_regression SET work_mem = '1MB'$$),
	($$GRANT eac_owner TO eac_reader$$),
	($$COMMENT ON ROLE eac_reader IS 'x'$$),
	-- types
	($$ALTER TYPE eac.mood ADD VALUE 'meh' BEFORE 'ok'$$),
	($$ALTER TYPE eac.mood RENAME VALUE 'ok' TO 'fine'$$),
	($$ALTER TYPE eac.mood OWNER TO eac_owner$$),
	($$REVOKE USAGE ON TYPE eac.mood FROM PUBLIC$$),
	($$ALTER TYPE eac.pair ADD ATTRIBUTE c int$$),
	($$COMMENT ON COLUMN eac.pair.a IS 'x'$$),
	($$ALTER DOMAIN eac.code SET DEFAULT 'b'$$),
	($$ALTER DOMAIN eac.code SET NOT NULL$$),
	($$ALTER DOMAIN eac.code DROP CONSTRAINT known$$),
	($$ALTER DOMAIN eac.code ADD CHECK (VALUE <> 'c')$$),
	($$COMMENT ON CONSTRAINT known ON DOMAIN eac.code IS 'x'$$),
	($$COMMENT ON TYPE eac.span IS 'x'$$),
	($$ALTER TYPE eac.span SET SCHEMA public$$),
	-- sequences
	($$ALTER SEQUENCE eac.s AS smallint$$),
	($$ALTER SEQUENCE eac.s INCREMENT 2 MINVALUE 0 MAXVALUE 100 START 5 CACHE 7 CYCLE$$),
	($$ALTER SEQUENCE eac.s SET UNLOGGED$$),
	($$ALTER SEQUENCE eac.s OWNED BY eac.t.v$$),
	($$ALTER SEQUENCE eac.t_id_seq OWNED BY NONE$$),
	($$ALTER TABLE eac.t ALTER n SET INCREMENT 3$$),
	($$GRANT USAGE ON SEQUENCE eac.s TO eac_reader$$),
	-- functions, procedures, aggregates
	($$CREATE OR REPLACE FUNCTION eac.f(a int, b text DEFAULT 'x') RETURNS SETOF int LANGUAGE sql AS 'SELECT a + 1'$$),
	($$CREATE OR REPLACE FUNCTION eac.f(a int, b text DEFAULT 'y') RETURNS SETOF int LANGUAGE sql AS 'SELECT a'$$),
	($$CREATE OR REPLACE FUNCTION eac.f(a int) RETURNS int LANGUAGE sql RETURN a + 2$$),
	($$ALTER FUNCTION eac.f(int, text) STABLE$$),
	($$ALTER FUNCTION eac.f(int, text) PARALLEL SAFE$$),
	($$ALTER FUNCTION eac.f(int, text) STRICT SECURITY DEFINER LEAKPROOF$$),
	($$ALTER FUNCTION eac.f(int, text) COST 3 ROWS 5$$),
	($$ALTER FUNCTION eac.f(int, text) SET work_mem = '1MB'$$),
	($$ALTER FUNCTION eac.f(int, text) OWNER TO eac_owner$$),
	($$ALTER FUNCTION eac.f(int) RENAME TO g$$),
	($$REVOKE EXECUTE ON FUNCTION eac.f(int) FROM PUBLIC$$),
	($$COMMENT ON FUNCTION eac.f(int) IS 'x'$$),
	($$CREATE FUNCTION eac.f(text) RETURNS int LANGUAGE sql AS 'SELECT 1'$$),
	($$DROP PROCEDURE eac.p(int)$$),
	($$CREATE OR REPLACE AGGREGATE eac.total(int) (SFUNC = int4pl, STYPE = int, INITCOND = '1', SSPACE = 8, PARALLEL = safe, FINALFUNC_MODIFY = shareable)$$),
	($$CREATE OR REPLACE AGGREGATE eac.total(int) (SFUNC = int4larger, STYPE = int, SORTOP = >)$$),
	-- operators and what is made of them
	($$ALTER OPERATOR eac.=== (eac.pair, eac.pair) SET (RESTRICT = eqsel, JOIN = eqjoinsel)$$),
	($$ALTER OPERATOR eac.=== (eac.pair, eac.pair) OWNER TO eac_owner$$),
	($$COMMENT ON OPERATOR eac.=== (eac.pair, eac.pair) IS 'x'$$),
	($$ALTER OPERATOR FAMILY eac.pair_ops USING btree ADD OPERATOR 1 < (int4, int8)$$),
	($$DROP OPERATOR CLASS eac.pair_ops USING btree$$),
	($$ALTER OPERATOR CLASS eac.pair_ops USING btree RENAME TO pops$$),
	($$DROP CAST (eac.mood AS eac.pair)$$),
	($$COMMENT ON CAST (eac.mood AS eac.pair) IS 'x'$$),
	-- the rest
	($$COMMENT ON COLLATION eac.c IS 'x'$$),
	($$ALTER STATISTICS eac.st SET STATISTICS 100$$),
	($$ALTER TABLE eac.t RENAME v TO vv$$),
	($$ALTER TEXT SEARCH DICTIONARY eac.dict (ACCEPT = false)$$),
	($$ALTER TEXT SEARCH CONFIGURATION eac.cfg ALTER MAPPING FOR word WITH eac.dict$$),
	($$ALTER SERVER eac_server OPTIONS (SET host 'b')$$),
	($$ALTER SERVER eac_server VERSION '2'$$),
	($$ALTER FOREIGN DATA WRAPPER eac_fdw OPTIONS (ADD debug 'true')$$),
	($$ALTER USER MAPPING FOR PUBLIC SERVER eac_server OPTIONS (SET password 'y')$$),
	($$ALTER USER MAPPING FOR PUBLIC SERVER eac_server OPTIONS (ADD "user" 'y')$$),
	($$ALTER PUBLICATION eac_pub SET TABLE eac.t (id, v) WHERE (id > 1)$$),
	($$ALTER PUBLICATION eac_pub SET (publish = 'insert', publish_via_partition_root)$$),
	($$ALTER PUBLICATION eac_pub ADD TABLES IN SCHEMA eac$$),
	($$ALTER EVENT TRIGGER eac_evt DISABLE$$),
	($$ALTER DEFAULT PRIVILEGES FOR ROLE eac_owner IN SCHEMA eac GRANT UPDATE ON TABLES TO eac_reader$$),
	($$ALTER DEFAULT PRIVILEGES FOR ROLE eac_owner IN SCHEMA eac GRANT USAGE ON SEQUENCES TO eac_reader$$),
	($$CREATE EXTENSION pg_trgm SCHEMA eac$$)
) AS statements (statement);
\a \t

RESET search_path;
DROP EVENT TRIGGER eac_evt;
DROP PUBLICATION eac_pub;
DROP FOREIGN DATA WRAPPER eac_fdw CASCADE;
DROP SCHEMA eac CASCADE;
DROP OWNED BY eac_owner, eac_reader;
DROP ROLE eac_owner, eac_reader;
