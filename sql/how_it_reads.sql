--
-- How does it read?  A diff as a page of 100 columns, and as the documents that
-- programs read.
--
SET client_min_messages = warning;
\pset format unaligned
\pset tuples_only on
SET timezone = 'UTC';
-- without the times, which are never the same
CREATE FUNCTION pg_temp.page(report text) RETURNS text LANGUAGE sql AS
	$$ SELECT regexp_replace(regexp_replace($1, '\d{4}-\d\d-\d\d[T ][\d:.]+(Z|\+00)', '(time)', 'g'), 'print(:?) \d+', 'print\1 (n)', 'g') $$;
CREATE SCHEMA reads_shop;
SET search_path = reads_shop, public;
CREATE TABLE customer (
	id int,
	email varchar(40) NOT NULL DEFAULT 'none',
	rating int,
	note text,
	CONSTRAINT rating_known CHECK (rating > 0));
CREATE INDEX by_rating ON customer (rating) WHERE rating > 3;
CREATE TABLE purchase (id int, customer int, amount numeric, made date);
CREATE TABLE event (at date) PARTITION BY RANGE (at);
CREATE TABLE event_2026 PARTITION OF event FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE VIEW good AS SELECT c.id, 'x' AS word FROM customer c CROSS JOIN purchase p WHERE c.id > 5;
CREATE TYPE mood AS ENUM ('sad', 'glad');
INSERT INTO purchase SELECT g, g % 10, g * 2, date '2026-01-01' + g FROM generate_series(1, 100) g;
SELECT count(*) FROM drift_print('before', include => '{reads_shop.*}');

SELECT pg_temp.page(drift_report('before', include => '{reads_shop.*}'));

ALTER TABLE customer ADD PRIMARY KEY (id), ALTER email TYPE text, ALTER rating SET NOT NULL, ALTER email SET DEFAULT 'unknown', DROP note, ADD phone text;
ALTER TABLE customer DROP CONSTRAINT rating_known, ADD CONSTRAINT rating_known CHECK (rating BETWEEN 1 AND 10);
DROP INDEX by_rating;
CREATE UNIQUE INDEX by_rating ON customer (rating DESC, lower(email)) WHERE rating > 4;
ALTER TABLE purchase ADD CONSTRAINT of_customer FOREIGN KEY (customer) REFERENCES customer ON DELETE CASCADE NOT VALID;
ALTER TABLE purchase RENAME TO sale;
ALTER TABLE sale ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON sale FOR SELECT USING (customer = 7);
CREATE RULE quiet AS ON DELETE TO sale DO INSTEAD NOTHING;
COMMENT ON TABLE sale IS 'what was sold, to whom and for how much; a comment that is far too long for one line of a page and goes on';
CREATE OR REPLACE VIEW good AS SELECT c.id, 'x' AS word FROM customer c JOIN sale s ON s.customer = c.id CROSS JOIN event WHERE c.id > 5;
CREATE TABLE event_2027 PARTITION OF event FOR VALUES FROM ('2027-01-01') TO ('2028-01-01');
CREATE TABLE "odd
name" ("naïve – ✓ 統計情報" int);
CREATE MATERIALIZED VIEW totals AS SELECT count(*) FROM sale;
ALTER TYPE mood ADD VALUE 'mad';
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER touched AFTER UPDATE OF email, rating ON customer FOR EACH ROW WHEN (old.email IS DISTINCT FROM new.email) EXECUTE FUNCTION touch('with', 'arguments');
INSERT INTO customer SELECT g, g, 5 FROM generate_series(0, 9) g;
INSERT INTO sale SELECT g, g % 10, g * 3, date '2026-01-01' + g FROM generate_series(101, 103) g;
SELECT pg_temp.page(drift_report('before', include => '{reads_shop.*}', profile => false));
-- and of the rows, as far as they moved much
SELECT line FROM regexp_split_to_table(drift_report('before', include => '{reads_shop.sale}'), '\n') line WHERE line ~ 'amount|rows|more';
SELECT max(length(line)) <= 100 AS fits FROM regexp_split_to_table(drift_report('before', include => '{reads_shop.*}'), '\n') line;

-- thresholds hide statistics from the page, and nothing else
SELECT line FROM regexp_split_to_table(drift_report('before', include => '{reads_shop.sale}', threshold => '{"default": 0.5, "percentile_pct": 0.5, "cardinality_ratio": 1}'), '\n') line WHERE line ~ 'amount|rows|more|thresholds';
SELECT count(*) FROM regexp_split_to_table(drift_report('before', include => '{reads_shop.sale}', threshold => '1000'), '\n') line WHERE line ~ 'threshold';
SELECT count(*) = (SELECT count(*) FROM drift_diff('before', include => '{reads_shop.sale}')) AS all_of_them
	FROM jsonb_array_elements(drift_report('before', include => '{reads_shop.sale}', format => 'json', threshold => '1000')::jsonb -> 'changes');
SELECT drift_report('before', threshold => '-1');
SELECT drift_report('before', threshold => '{"defalut": 1}');
SELECT drift_report('before', threshold => '[]');

-- the document: the header, the counters, and for each kind its fields
SELECT pg_temp.page(drift_report('before', include => '{reads_shop.customer}', profile => false, format => 'yaml'));
SELECT d -> 'summary' ->> 'tables_modified' AS modified, d #>> '{target,tables_scanned}' AS scanned, jsonb_array_length(d -> 'changes') AS changes
	FROM (SELECT drift_report('before', include => '{reads_shop.*}', profile => false, format => 'json')::jsonb AS d) r;
-- no relationship_modified without an action, no delta where there is none
SELECT c ->> 'kind' AS kind, string_agg(DISTINCT k, ' ' ORDER BY k) FROM jsonb_array_elements(drift_report('before', include => '{reads_shop.*}', format => 'json')::jsonb -> 'changes') c, jsonb_object_keys(c) k
	WHERE c ->> 'kind' ~ '^(table|column|statistic|grain|depends|comment|relationship|index)' GROUP BY 1 ORDER BY 1;
SELECT drift_report('before', format => 'xml');

SELECT drift_prune(0) > 0 AS pruned;
DROP SCHEMA reads_shop CASCADE;
