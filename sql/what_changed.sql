--
-- What changed?  Each kind of change, made by a real statement and shown with
-- everything it carries.
--
SET client_min_messages = warning;
\pset format unaligned
CREATE ROLE regress_drift_owner;
CREATE SCHEMA shop;
CREATE TABLE shop.customer (
	id int PRIMARY KEY,
	email varchar(40) NOT NULL DEFAULT 'none',
	rating int,
	full_name text,
	score int GENERATED ALWAYS AS (rating * 2) STORED,
	CONSTRAINT rating_known CHECK (rating > 0));
CREATE INDEX customer_rating ON shop.customer (rating) WHERE rating > 3;
CREATE TABLE shop.purchase (
	id int GENERATED ALWAYS AS IDENTITY,
	customer int CONSTRAINT purchase_customer REFERENCES shop.customer ON DELETE CASCADE,
	bought_at timestamptz);
CREATE VIEW shop.good_customer AS SELECT id, email FROM shop.customer WHERE rating > 5;
CREATE TABLE shop.event (at date, what text) PARTITION BY RANGE (at);
CREATE TABLE shop.event_2025 PARTITION OF shop.event FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE FUNCTION shop.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';

CREATE PROCEDURE pg_temp.take() LANGUAGE plpgsql AS $$
BEGIN PERFORM FROM drift_print(profile => false, exclude => '{*regress*}'); END $$;
-- An owner holds one privilege more from PostgreSQL 17 on; told without it.
CREATE VIEW pg_temp.changes AS
	SELECT kind, relation, column_name AS col, object_name AS object, before,
		replace(after::text, '{"grantee": "postgres", "privilege": "MAINTAIN"}, ', '')::jsonb AS after
	FROM drift_diff(profile => false, include => '{shop*}');

CALL pg_temp.take();
SELECT * FROM pg_temp.changes;

-- tables come and go
CREATE TABLE shop.parcel (id int);
CREATE MATERIALIZED VIEW shop.totals AS SELECT count(*) FROM shop.customer;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
DROP TABLE shop.parcel;
DROP MATERIALIZED VIEW shop.totals;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- columns come and go
ALTER TABLE shop.customer ADD COLUMN phone text, ADD COLUMN vip boolean NOT NULL DEFAULT false;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
ALTER TABLE shop.customer DROP COLUMN phone, DROP COLUMN vip;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- dropped and added again under the same name is not hidden
ALTER TABLE shop.customer DROP COLUMN full_name;
ALTER TABLE shop.customer ADD COLUMN full_name text;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- a column's type, nullability, default and comment
ALTER TABLE shop.purchase ALTER COLUMN bought_at TYPE date;
ALTER TABLE shop.customer ALTER COLUMN rating SET NOT NULL, ALTER COLUMN email SET DEFAULT 'unknown';
COMMENT ON COLUMN shop.customer.rating IS 'one to ten';
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- a default that follows its column's type says nothing new
ALTER TABLE shop.customer ADD COLUMN state varchar(10) DEFAULT 'new';
CALL pg_temp.take();
ALTER TABLE shop.customer ALTER COLUMN state TYPE text;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- a rename is a rename, and what names the column in passing is no change
ALTER TABLE shop.customer RENAME COLUMN rating TO stars;
SELECT kind, relation, col, object, before, after FROM pg_temp.changes WHERE kind <> 'view_definition_changed';
CALL pg_temp.take();
ALTER TABLE shop.purchase RENAME TO sale;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- indexes: also when only the predicate, the order, INCLUDE, an operator class or an expression moved
CREATE INDEX sale_when ON shop.sale (bought_at);
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
DROP INDEX shop.sale_when, shop.customer_rating;
CREATE INDEX sale_when ON shop.sale (bought_at DESC);
CREATE INDEX customer_rating ON shop.customer (stars) WHERE stars > 4;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
DROP INDEX shop.sale_when, shop.customer_rating;
CREATE INDEX sale_when ON shop.sale (bought_at DESC) INCLUDE (customer);
CREATE INDEX customer_rating ON shop.customer (lower(full_name) text_pattern_ops);
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
ALTER INDEX shop.sale_when RENAME TO sale_time;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
DROP INDEX shop.sale_time;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- relationships
ALTER TABLE shop.sale DROP CONSTRAINT purchase_customer,
	ADD CONSTRAINT purchase_customer FOREIGN KEY (customer) REFERENCES shop.customer ON DELETE SET NULL;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
ALTER TABLE shop.sale DROP CONSTRAINT purchase_customer;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
ALTER TABLE shop.sale ADD CONSTRAINT purchase_customer FOREIGN KEY (customer) REFERENCES shop.customer;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- constraints and the grain
ALTER TABLE shop.customer DROP CONSTRAINT rating_known, ADD CONSTRAINT rating_known CHECK (stars > 1);
ALTER TABLE shop.sale ADD PRIMARY KEY (id), ADD CONSTRAINT one_a_day UNIQUE (customer, bought_at);
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
ALTER TABLE shop.sale DROP CONSTRAINT one_a_day;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- what a view says, and what it reads
CREATE OR REPLACE VIEW shop.good_customer AS SELECT id, email FROM shop.customer WHERE stars > 6;
SELECT kind, relation, before <> after AS differs FROM pg_temp.changes;
CALL pg_temp.take();
CREATE OR REPLACE VIEW shop.good_customer AS SELECT c.id, c.email FROM shop.customer c JOIN shop.sale s ON s.customer = c.id;
SELECT kind, before, after FROM pg_temp.changes WHERE kind = 'depends_on_changed';
CALL pg_temp.take();

-- partitions belong to their parent; the layout is a fact of its own
CREATE TABLE shop.event_2026 PARTITION OF shop.event FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
ALTER TABLE shop.event DETACH PARTITION shop.event_2025;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
DROP TABLE shop.event;
CREATE TABLE shop.event (at date, what text);
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- the rest of what a table is
COMMENT ON TABLE shop.customer IS 'who buys';
ALTER TABLE shop.customer OWNER TO regress_drift_owner;
ALTER TABLE shop.customer ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON shop.customer USING (email = current_user);
CREATE TRIGGER touched BEFORE UPDATE ON shop.customer FOR EACH ROW EXECUTE FUNCTION shop.touch();
CREATE RULE no_delete AS ON DELETE TO shop.sale DO INSTEAD NOTHING;
ALTER TABLE shop.sale SET UNLOGGED, SET (fillfactor = 70), REPLICA IDENTITY FULL;
ALTER TABLE shop.sale ALTER COLUMN id SET GENERATED BY DEFAULT;
ALTER TABLE shop.customer ALTER COLUMN full_name TYPE text COLLATE "C", ALTER COLUMN full_name SET STORAGE external;
GRANT SELECT ON shop.sale TO regress_drift_owner;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
ALTER POLICY own_rows ON shop.customer USING (true);
ALTER TABLE shop.customer DISABLE TRIGGER touched;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
DROP POLICY own_rows ON shop.customer;
DROP TRIGGER touched ON shop.customer;
DROP RULE no_delete ON shop.sale;
SELECT kind, relation, object FROM pg_temp.changes;
CALL pg_temp.take();

-- a generated column's expression can only be changed by making it anew
ALTER TABLE shop.customer ALTER COLUMN score DROP EXPRESSION;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();

-- other families
CREATE TYPE shop.mood AS ENUM ('sad', 'glad');
CREATE SEQUENCE shop.counter;
SELECT * FROM pg_temp.changes;
CALL pg_temp.take();
ALTER TYPE shop.mood ADD VALUE 'mad' BEFORE 'sad';
ALTER SEQUENCE shop.counter INCREMENT 5;
CREATE OR REPLACE FUNCTION shop.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
SELECT kind, relation, before, after FROM pg_temp.changes WHERE kind <> 'function_modified';
SELECT kind, relation FROM pg_temp.changes WHERE kind = 'function_modified';
CALL pg_temp.take();
SELECT * FROM pg_temp.changes;

-- rows: the counts, and only where both sides have one
SELECT count(*) FROM drift_print(include => '{shop.*}', force => true);
INSERT INTO shop.event VALUES ('2026-05-05', 'a'), ('2026-05-06', 'b');
SELECT kind, relation, before, after, delta, delta_pct
	FROM drift_diff(include => '{shop.*}') WHERE kind = 'table_row_count_changed';

SELECT drift_prune(0) > 0 AS pruned;
DROP SCHEMA shop CASCADE;
DROP ROLE regress_drift_owner;
