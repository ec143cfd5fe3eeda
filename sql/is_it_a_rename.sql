--
-- Is it a rename?  Whatever else names the renamed thing is no change; what
-- changed besides is.
--
SET client_min_messages = warning;
\pset format unaligned
CREATE SCHEMA renamed_shop;
SET search_path = renamed_shop, public;
CREATE TYPE mood AS ENUM ('sad', 'glad');
CREATE TABLE customer (
	id serial PRIMARY KEY,
	first text,
	last text,
	mood mood DEFAULT 'sad',
	date date,
	CONSTRAINT names_differ CHECK (first <> last),
	CONSTRAINT born CHECK (date > '1900-01-01'));
CREATE INDEX by_name ON customer (lower(first)) INCLUDE (id) WHERE last IS NOT NULL;
CREATE TABLE purchase (
	id int,
	customer int CONSTRAINT of_customer REFERENCES customer,
	amount int);
CREATE VIEW spent AS SELECT c.first, c.last, p.amount, p.id FROM customer c JOIN purchase p ON p.customer = c.id WHERE c.first > 'a';
CREATE VIEW name AS SELECT first, last, customer.id FROM customer;
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER touched BEFORE UPDATE OF first ON customer FOR EACH ROW
	WHEN (old.first IS DISTINCT FROM new.first) EXECUTE FUNCTION touch();
CREATE POLICY own ON purchase USING (customer IN (SELECT customer.id FROM customer WHERE customer.first = 'x'));
CREATE STATISTICS both_names ON first, last FROM customer;

CREATE PROCEDURE pg_temp.take() LANGUAGE plpgsql AS $$
BEGIN PERFORM FROM drift_print(profile => false, include => '{renamed_*}'); END $$;
CREATE VIEW pg_temp.changes AS
	SELECT kind, relation, column_name AS col, object_name AS object, before, after
	FROM drift_diff(profile => false, include => '{renamed_*}');
CALL pg_temp.take();

-- columns: a key that others refer to, one with the name of a type, and two that change places
ALTER TABLE customer RENAME id TO number;
ALTER TABLE customer RENAME date TO birthday;
ALTER TABLE customer RENAME first TO other;
ALTER TABLE customer RENAME last TO first;
ALTER TABLE customer RENAME other TO last;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- a view's own columns
ALTER VIEW name RENAME COLUMN last TO given;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- a table, its sequence, the type of a column, a function
ALTER TABLE customer RENAME TO client;
ALTER SEQUENCE customer_id_seq RENAME TO client_number;
ALTER TYPE mood RENAME TO feeling;
ALTER FUNCTION touch() RENAME TO feel;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- the schema of them all
ALTER SCHEMA renamed_shop RENAME TO renamed_store;
SET search_path = renamed_store, public;
SELECT kind, before, after FROM pg_temp.changes;
CALL pg_temp.take();

-- moved, and renamed
CREATE SCHEMA renamed_archive;
ALTER TABLE purchase SET SCHEMA renamed_archive;
ALTER TABLE renamed_archive.purchase RENAME TO sale;
SELECT kind, relation, before, after FROM pg_temp.changes WHERE kind <> 'schema_added';
CALL pg_temp.take();

-- what changed at the same time is told, once for each
ALTER TABLE client RENAME first TO family_name;
ALTER TABLE client RENAME TO person;
ALTER TABLE person ALTER family_name SET NOT NULL;
ALTER TABLE person DROP CONSTRAINT names_differ, ADD CONSTRAINT names_differ CHECK (last < family_name);
DROP INDEX by_name;
CREATE INDEX by_name ON person (lower(last)) INCLUDE (number) WHERE family_name IS NULL;
CREATE OR REPLACE VIEW name AS SELECT family_name AS first, last AS given, number AS id FROM person WHERE number > 0;
SELECT * FROM pg_temp.changes WHERE kind <> 'view_definition_changed';
SELECT relation, after::text LIKE '%0%' AS as_it_is_now FROM pg_temp.changes WHERE kind = 'view_definition_changed';
CALL pg_temp.take();

-- a foreign key that only got another name, or may wait, is modified as a constraint; another action is a relationship's
ALTER TABLE renamed_archive.sale RENAME CONSTRAINT of_customer TO of_person;
ALTER TABLE renamed_archive.sale ALTER CONSTRAINT of_person DEFERRABLE;
SELECT kind, object, before ->> 'name' AS was, after ->> 'name' AS is, after ->> 'deferrable' AS deferrable FROM pg_temp.changes;
CALL pg_temp.take();
ALTER TABLE renamed_archive.sale DROP CONSTRAINT of_person, ADD CONSTRAINT of_person FOREIGN KEY (customer) REFERENCES person ON DELETE CASCADE;
SELECT kind, object, before ->> 'on_delete' AS was, after ->> 'on_delete' AS is FROM pg_temp.changes;

-- without one database on both sides a new name is another object
SELECT kind, relation, column_name FROM drift_diff_documents(
	'[{"oid": 7, "object": {"family": "table", "schema": "s", "name": "a", "parts": [{"family": "column", "name": "x", "attributes": {"type": "integer"}}]}}]',
	'[{"oid": 7, "object": {"family": "table", "schema": "s", "name": "b", "parts": [{"family": "column", "name": "y", "attributes": {"type": "integer"}}]}}]');
SELECT kind, relation, column_name FROM drift_diff_documents(
	'[{"oid": 7, "object": {"family": "table", "schema": "s", "name": "a", "parts": [{"family": "column", "name": "x", "attributes": {"type": "integer"}}]}}]',
	'[{"oid": 7, "object": {"family": "table", "schema": "s", "name": "b", "parts": [{"family": "column", "name": "y", "attributes": {"type": "integer"}}]}}]',
	same_database => true);

SELECT drift_prune(0) > 0 AS pruned;
DROP SCHEMA renamed_store, renamed_archive CASCADE;
