--
-- What refers to what?  Relationships that are declared, and those that names
-- suggest: a column "<name>_id" and the table of that name with one declared key.
--
SET client_min_messages = warning;
\pset format unaligned
CREATE SCHEMA refers_shop;
CREATE SCHEMA refers_other;
SET search_path = refers_shop, public;
CREATE TABLE customers (id int PRIMARY KEY, name text);
CREATE TABLE box (id int UNIQUE, code text);
CREATE TABLE category (id int, kind text, PRIMARY KEY (id, kind));
CREATE TABLE purchase (id int PRIMARY KEY, customer int);
CREATE TABLE parcel (id int PRIMARY KEY);
CREATE PROCEDURE pg_temp.take() LANGUAGE plpgsql AS $$
BEGIN PERFORM FROM drift_print(profile => false, include => '{refers_*}'); END $$;
CREATE VIEW pg_temp.edges AS
	SELECT kind, relation, column_name AS col, object_name AS object, before, after
	FROM drift_diff(profile => false, include => '{refers_*}') WHERE kind ~ '^relationship';
CALL pg_temp.take();

-- a name suggests an edge to the table, to its plural, and not to one with two key columns or another type
ALTER TABLE purchase RENAME customer TO customer_id;
ALTER TABLE parcel ADD box_id bigint, ADD category_id int, ADD purchase_id text, ADD parcel_id int, ADD nothing_id int;
SELECT * FROM pg_temp.edges;
CALL pg_temp.take();

-- declared, it is the same edge with actions; dropped, it is suggested again
ALTER TABLE purchase ADD CONSTRAINT of_customer FOREIGN KEY (customer_id) REFERENCES customers ON DELETE CASCADE;
SELECT * FROM pg_temp.edges;
CALL pg_temp.take();
ALTER TABLE purchase DROP CONSTRAINT of_customer;
SELECT kind, object, before ->> 'on_delete' AS was, after ->> 'on_delete' AS is, after ->> 'detection' AS now FROM pg_temp.edges;
CALL pg_temp.take();

-- a table that could be meant comes and goes: the relations themselves did not change
CREATE TABLE refers_other.customer (id int PRIMARY KEY);
SELECT kind, relation, after ->> 'target' AS target FROM pg_temp.edges;
CREATE TABLE customer (id int PRIMARY KEY);
SELECT kind, relation, coalesce(before, after) ->> 'target' AS target FROM pg_temp.edges;
ALTER TABLE customer DROP CONSTRAINT customer_pkey;
DROP TABLE refers_other.customer;
SELECT kind, relation, coalesce(before, after) ->> 'target' AS target FROM pg_temp.edges;
DROP TABLE customer;
CREATE VIEW customer AS SELECT 1 AS id;
SELECT kind, relation, coalesce(before, after) ->> 'target' AS target FROM pg_temp.edges;
DROP VIEW customer;
ALTER TABLE box DROP CONSTRAINT box_id_key;
SELECT kind, relation, coalesce(before, after) ->> 'target' AS target FROM pg_temp.edges;
CALL pg_temp.take();

-- renamed to what the column still means, it is the same edge
ALTER TABLE customers RENAME TO customer;
SELECT * FROM pg_temp.edges;
CALL pg_temp.take();

-- one table of another schema may be meant, and not one of two
ALTER TABLE parcel ADD shelf_id int;
CREATE TABLE refers_other.shelf (id int PRIMARY KEY);
SELECT kind, relation, after ->> 'target' AS target FROM pg_temp.edges;
CREATE SCHEMA refers_third;
CREATE TABLE refers_third.shelf (id int PRIMARY KEY);
SELECT kind, relation, after ->> 'target' AS target FROM pg_temp.edges;

-- what one print did not look at says nothing
SELECT count(*) FROM drift_print('part', include => '{refers_shop.purchase}', profile => false);
COMMENT ON TABLE purchase IS 'changed';
SELECT kind FROM drift_diff('part', 'live', profile => false);

-- not when the rules say so
CALL pg_temp.take();
ALTER TABLE purchase RENAME customer_id TO buyer;
SELECT kind FROM drift_diff(profile => false, include => '{refers_shop.*}') ORDER BY 1;
SELECT drift_configure('infer_relationships: false');
SELECT kind FROM drift_diff(profile => false, include => '{refers_shop.*}') ORDER BY 1;
SELECT drift_configure(NULL);

SELECT drift_prune(0) > 0 AS pruned;
DROP SCHEMA refers_shop, refers_other, refers_third CASCADE;
