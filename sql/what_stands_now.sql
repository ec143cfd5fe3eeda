-- What stands in this database, besides tables and views?
CREATE ROLE wsn_owner;
CREATE ROLE wsn_reader NOINHERIT CONNECTION LIMIT 3 VALID UNTIL '2030-01-01 00:00:00+00';
GRANT wsn_owner TO wsn_reader WITH ADMIN OPTION;
ALTER ROLE wsn_reader SET work_mem = '5MB';
CREATE SCHEMA wsn AUTHORIZATION wsn_owner;
COMMENT ON SCHEMA wsn IS 'a story';
GRANT USAGE ON SCHEMA wsn TO PUBLIC;

-- What an object says, without what it is called.
CREATE FUNCTION shown(body jsonb) RETURNS text LANGUAGE sql
RETURN jsonb_pretty(body - ARRAY['family', 'schema', 'name', 'signature'] #- '{attributes,owner}');
\set show 'SELECT name, signature, shown(body) AS says FROM drift_objects(:''family'') WHERE schema = ''wsn'' ORDER BY name, signature;'
\a \t

\set family schema
SELECT body->'attributes' FROM drift_objects('schema') WHERE name = 'wsn';
\set family role
SELECT name, body->'attributes' FROM drift_objects('role') WHERE name LIKE 'wsn%' ORDER BY name;

-- Enums keep their order; domains have their constraints as parts.
CREATE TYPE wsn.mood AS ENUM ('sad', 'happy');
ALTER TYPE wsn.mood ADD VALUE 'ok' BEFORE 'happy';
REVOKE USAGE ON TYPE wsn.mood FROM PUBLIC;
\set family enum
:show
CREATE DOMAIN wsn.code AS varchar(5) COLLATE "C" DEFAULT 'a' NOT NULL CONSTRAINT known CHECK (VALUE IN ('a', 'b'));
ALTER DOMAIN wsn.code ADD CONSTRAINT later CHECK (VALUE <> '') NOT VALID;
COMMENT ON CONSTRAINT known ON DOMAIN wsn.code IS 'known codes';
\set family domain
:show
CREATE TYPE wsn.pair AS (a int, "B" text COLLATE "C", m wsn.mood[]);
COMMENT ON COLUMN wsn.pair.a IS 'the first';
\set family composite_type
:show
CREATE TYPE wsn.span AS RANGE (subtype = float8, subtype_diff = float8mi);
\set family range_type
:show

-- Sequences: bare, of serial, of an identity column.
CREATE SEQUENCE wsn.bare AS smallint INCREMENT -2 MINVALUE -100 START -10 CYCLE;
CREATE TABLE wsn.t (id serial, n bigint GENERATED ALWAYS AS IDENTITY, m wsn.mood, v varchar);
\set family sequence
:show

-- Each overload is an object; nothing of a plain function's attributes is said twice.
CREATE FUNCTION wsn.f(a int DEFAULT -1, b varchar[] DEFAULT ARRAY['x']) RETURNS int LANGUAGE sql AS 'SELECT a';
CREATE FUNCTION wsn.f(wsn.mood) RETURNS SETOF wsn.t LANGUAGE sql STABLE STRICT SECURITY DEFINER PARALLEL SAFE
	COST 7 ROWS 9 SET work_mem = '1MB' BEGIN ATOMIC SELECT * FROM wsn.t WHERE m = $1 AND v IN ('a', 'b'); END;
REVOKE EXECUTE ON FUNCTION wsn.f(wsn.mood) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION wsn.f(wsn.mood) TO wsn_reader WITH GRANT OPTION;
\set family function
:show
CREATE PROCEDURE wsn.p(x int, INOUT y text) LANGUAGE plpgsql AS 'BEGIN END';
\set family procedure
:show
CREATE AGGREGATE wsn.total(int) (SFUNC = int4pl, STYPE = int, INITCOND = '0', COMBINEFUNC = int4pl, PARALLEL = safe);
\set family aggregate
:show

-- Operators and what is made of them.
CREATE FUNCTION wsn.lt(wsn.pair, wsn.pair) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT ($1).a < ($2).a';
CREATE FUNCTION wsn.cmp(wsn.pair, wsn.pair) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT btint4cmp(($1).a, ($2).a)';
CREATE OPERATOR wsn.<<< (LEFTARG = wsn.pair, RIGHTARG = wsn.pair, FUNCTION = wsn.lt, RESTRICT = scalarltsel);
CREATE OPERATOR CLASS wsn.pair_ops FOR TYPE wsn.pair USING btree AS OPERATOR 1 wsn.<<<, FUNCTION 1 wsn.cmp(wsn.pair, wsn.pair);
\set family operator
:show
\set family operator_class
:show
CREATE CAST (wsn.mood AS wsn.pair) WITH INOUT AS ASSIGNMENT;
SELECT name, body->'attributes', body->'depends_on' FROM drift_objects('cast');

-- The rest.
CREATE COLLATION wsn.c FROM "C";
\set family collation
:show
CREATE STATISTICS wsn.st (mcv) ON v, (lower(v)), (v IN ('a', 'b')), (CASE WHEN id BETWEEN 1 AND 2 AND n > 3 THEN 1 END) FROM wsn.t;
\set family statistics_object
:show
CREATE TEXT SEARCH DICTIONARY wsn.dict (TEMPLATE = simple, ACCEPT = false);
CREATE TEXT SEARCH CONFIGURATION wsn.cfg (PARSER = "default");
ALTER TEXT SEARCH CONFIGURATION wsn.cfg ADD MAPPING FOR word WITH wsn.dict, simple;
\set family text_search_dictionary
:show
\set family text_search_configuration
:show
CREATE FOREIGN DATA WRAPPER wsn_fdw;
CREATE SERVER wsn_server FOREIGN DATA WRAPPER wsn_fdw OPTIONS (host 'far', dbname 'away');
CREATE USER MAPPING FOR wsn_owner SERVER wsn_server OPTIONS (password 'secret', "user" 'me');
SELECT family, name, signature, body->'attributes', body->'depends_on' FROM drift_objects()
WHERE family IN ('foreign_data_wrapper', 'server', 'user_mapping') ORDER BY family;
SET client_min_messages = error;
CREATE PUBLICATION wsn_pub FOR TABLE wsn.t (id, v) WHERE (id BETWEEN 1 AND 2 AND id > -1) WITH (publish = 'insert');
RESET client_min_messages;
SELECT name, body->'attributes', body->'depends_on' FROM drift_objects('publication');
ALTER DEFAULT PRIVILEGES FOR ROLE wsn_owner IN SCHEMA wsn GRANT SELECT ON TABLES TO wsn_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE wsn_owner REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
SELECT schema, name, signature, body->'attributes' FROM drift_objects('default_privileges') ORDER BY signature;

-- What the caller may not see is said, and not left out.
SET ROLE wsn_reader;
SELECT name, signature, body->'attributes' FROM drift_objects('user_mapping');
RESET ROLE;

-- Neither is what cannot be read: here the type of its result is gone.
CREATE FUNCTION wsn.broken(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
UPDATE pg_proc SET prorettype = 1 WHERE proname = 'broken' AND pronamespace = 'wsn'::regnamespace;
SELECT name, signature, body->'attributes' FROM drift_objects('function') WHERE name = 'broken';
UPDATE pg_proc SET prorettype = 23 WHERE proname = 'broken' AND pronamespace = 'wsn'::regnamespace;

-- Members of an extension are the extension's; the extension is an object.
SELECT count(*) FROM drift_objects('function') WHERE name LIKE 'drift%';
SELECT name, body->'attributes'->'schema' FROM drift_objects('extension') ORDER BY name;

-- What nobody describes is named.
SELECT drift_not_compared();
SELECT lo_create(424242);
SELECT drift_not_compared();
SELECT lo_unlink(424242);

\a \t
SET client_min_messages = error;
DROP PUBLICATION wsn_pub;
DROP FOREIGN DATA WRAPPER wsn_fdw CASCADE;
DROP SCHEMA wsn CASCADE;
DROP OWNED BY wsn_owner, wsn_reader;
DROP ROLE wsn_owner, wsn_reader;
