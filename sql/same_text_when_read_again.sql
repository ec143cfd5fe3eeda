-- Does an expression print the same after it was printed and read back, as a dump and restore does?
CREATE FUNCTION canonical(deparsed text) RETURNS text
AS '$libdir/driftprint', 'drift_canonical_expression' LANGUAGE C STRICT;

CREATE DOMAIN word AS text;
CREATE TABLE t (
	v varchar, v5 varchar(5), v3 varchar(3), c char(3), x text, i int, b bigint, n numeric, f float8,
	arr text[], va varchar[], nm name, w word, d date);

-- An expression as a constraint, and what the server prints for it as a constraint again.
CREATE TABLE seen (expression text, first text, second text, third text);
CREATE PROCEDURE read_again(expression text) LANGUAGE plpgsql AS $$
DECLARE
	texts text[];
	next text := 'CHECK (' || expression || ')';
BEGIN
	FOR i IN 1..3 LOOP
		EXECUTE 'ALTER TABLE t ADD CONSTRAINT probe ' || next;
		SELECT pg_get_constraintdef(oid) INTO next FROM pg_constraint WHERE conname = 'probe';
		texts[i] := next;
		ALTER TABLE t DROP CONSTRAINT probe;
	END LOOP;
	INSERT INTO seen VALUES (expression, texts[1], texts[2], texts[3]);
END $$;

-- Lists of literals: the server prints the first form, and reads it back as the second.
CALL read_again($$ v IN ('a', 'b') $$);
SELECT first, second, canonical(first) = canonical(second) AS equal FROM seen;

CALL read_again($$ v NOT IN ('a]', 'b[', 'c)', 'd(', 'e,f', 'g::h', 'i''j', E'k\\l', '"m') $$);
CALL read_again($$ v = ANY (ARRAY['a', NULL]::varchar[]) AND v IN (NULL, 'a') $$);
CALL read_again($$ v5 IN ('a'::varchar(5), 'b'::varchar(3)) AND v5::varchar(3) IN ('a', 'b') $$);
CALL read_again($$ v IN ('a'::text, 'b'::varchar) AND v IN ('a'::bpchar, 'b') $$);
CALL read_again($$ v IN (lower('A'), v5 || 'x', 'b') AND v = ANY (ARRAY[lower(v5), v3 || 'x']::varchar[]) $$);
CALL read_again($$ v = ANY (ARRAY[(v5 || 'a')::varchar, CASE WHEN v IN ('x', 'y') THEN v3 ELSE 'y' END]) $$);
CALL read_again($$ v COLLATE "C" IN ('a', 'b') AND v IN ('a' COLLATE "C", 'b') $$);
CALL read_again($$ (v = ANY (ARRAY['a', 'b']::varchar[] COLLATE "C")) $$);
CALL read_again($$ c IN ('a', 'b') AND c = ANY (ARRAY['a', 'b']::char(3)[]::text[]) $$);
CALL read_again($$ nm = ANY (ARRAY['a', 'b']::name[]::text[]) AND w = ANY (ARRAY['a', 'b']::word[]) $$);
CALL read_again($$ arr = ARRAY['a', 'b']::varchar(3)[]::varchar[]::text[] $$);
CALL read_again($$ arr = ARRAY['a', 'b']::varchar(3)[]::varchar(5)[]::text[] AND va = ARRAY['a', 'b']::varchar[]::varchar(5)[] $$);
CALL read_again($$ arr <> ARRAY[ARRAY['a', 'b'], ARRAY['c', 'd']]::varchar[]::text[] $$);
CALL read_again($$ arr <> ARRAY[]::varchar[]::text[] AND arr <> '{}'::varchar[]::text[] $$);
CALL read_again($$ n = ANY (ARRAY[1, 2]) AND f = ANY (ARRAY[1, i]) AND b = ANY (ARRAY[1, -2, i + 1]) $$);
CALL read_again($$ n = ANY (ARRAY[-1.5, 2.5, 3]::numeric[]::numeric(5,1)[]) $$);
CALL read_again($$ array_length(ARRAY['a', 'b']::varchar[]::text[], 1) = 2 AND v LIKE ANY (ARRAY['a%', 'b%']) $$);

-- Nested lists of AND and OR.
CALL read_again($$ i BETWEEN 1 AND 2 AND b = 3 $$);
CALL read_again($$ ((i BETWEEN 1 AND 2 AND b > 1) AND n = 1) OR ((f = 1 OR f = 2) OR f = 3) $$);
CALL read_again($$ b = 3 AND i BETWEEN 1 AND 2 AND (i, b) = (1, 2) $$);
CALL read_again($$ (i, b) = (1, 2) AND (i, b) < (3, 4) $$);
CALL read_again($$ v IN ('a', v5) OR v IN ('b', v3) OR NOT (i BETWEEN 1 AND 2 AND b > 1) $$);
CALL read_again($$ i BETWEEN SYMMETRIC 2 AND 1 AND i NOT BETWEEN 4 AND 5 AND i > 0 $$);
CALL read_again($$ CASE WHEN i BETWEEN 1 AND 2 AND b = 1 THEN i IN (1, b) OR n = 1 END $$);

-- Minus.
CALL read_again($$ i > -1::int AND n > -1.5::numeric AND b > -5::bigint AND i > -(-5::int) AND i <> -(0::int) $$);
CALL read_again($$ n > (-1.5::numeric)::numeric(5,1) AND n > -(1.5::numeric(5,1)) AND f > -1.5::float8 $$);
CALL read_again($$ i > - -5 AND i - -1 > 0 AND -i ^ 2 > @ -5 AND n > -0.0::numeric $$);

-- What is left: nothing.
SELECT expression, canonical(first) AS first, canonical(second) AS second FROM seen
WHERE canonical(first) <> canonical(second) OR canonical(second) <> canonical(third);
-- The canonical form is the one that the server settles on.
SELECT expression, canonical(first), third FROM seen WHERE canonical(third) <> third;
-- How many were not stable without it.
SELECT count(*) FILTER (WHERE first <> second) AS unstable, count(*) AS all FROM seen;

-- Text that only looks like one of these stays as it is.
SELECT text, canonical(text) = text AS untouched FROM (VALUES
	(''), ('(ARRAY[1])::text'), ($$'(ARRAY[1])::text[]'$$), ('f(ARRAY[1])::text[]'), ('(ARRAY[1, 2] || x)::text[]'),
	('"(ARRAY[1])::t[]"'), ($$((a - 5) AND (b = '((x AND y) AND z)'))$$), ($q$AS $f$ (ARRAY[1])::text[] (- 5) $f$$q$),
	($$(- x)$$), ($$(- '5'::numeric)$$), ('(('), ('))'), ('(ARRAY[1'), ('(ARRAY[1])::'), ($$'unterminated$$),
	('(ARRAY[(1])::text[]'), ('f(VALUES)'), ('a (- b)')) AS texts (text);
