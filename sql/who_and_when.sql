--
-- Who changed it, and when?  DDL is written down while drift_watch is on; a
-- log that fails never fails the command.
--
SET client_min_messages = warning;
CREATE ROLE regress_drift_dba;
CREATE SCHEMA shop;
GRANT ALL ON SCHEMA shop TO regress_drift_dba;
CREATE TABLE shop.purchase (id int, what text);
ALTER TABLE shop.purchase OWNER TO regress_drift_dba;
SELECT count(*) FROM drift_print(include => '{shop.*}');

SELECT drift_watch(true);
SELECT drift_watch(true);
SELECT evtname, evtevent, evtfoid::regproc FROM pg_event_trigger WHERE evtname LIKE 'driftprint%' ORDER BY 1;
SET ROLE regress_drift_dba;
SET application_name = 'night shift';
ALTER TABLE shop.purchase ADD COLUMN note text;
ALTER TABLE shop.purchase RENAME TO sale;
CREATE INDEX sale_id ON shop.sale (id);
CREATE TABLE shop.gone (id int);
DROP TABLE shop.gone;
RESET ROLE;
RESET application_name;
SELECT role, command, object_type, object, application, before IS NOT NULL AS had_before, after -> 'name' AS after, query FROM drift_history();
SELECT command, object, jsonb_array_length(before -> 'parts') AS columns_before, jsonb_array_length(after -> 'parts') AS after FROM drift_history('shop.sale');
SELECT kind, relation, object, regexp_replace(detail, ' at .*', '') AS detail FROM drift_check(include => '{shop.*}');

-- in an open transaction it sees its own DDL, and rolls back with it
BEGIN;
ALTER TABLE shop.sale DROP COLUMN note;
SELECT command FROM drift_history('shop.sale') OFFSET 3;
SELECT kind, object FROM drift_check(include => '{shop.*}') ORDER BY 1, 2;
ROLLBACK;
SELECT count(*) FROM drift_history('shop.sale');

-- a log that cannot be written
SET client_min_messages = notice;
ALTER TABLE driftprint.ddl_log ADD CONSTRAINT never CHECK (object <> 'shop.unlucky');
CREATE TABLE shop.unlucky (id int);
ALTER TABLE driftprint.ddl_log DROP CONSTRAINT never;
SELECT relname FROM pg_class WHERE oid = 'shop.unlucky'::regclass;
SET client_min_messages = warning;

-- others' commands are not for everybody
SET ROLE regress_drift_dba;
SELECT * FROM drift_history();
RESET ROLE;

SELECT drift_watch(false);
SELECT count(*) FROM pg_event_trigger WHERE evtname LIKE 'driftprint%';
SELECT count(*) AS before_and_after FROM drift_history();
CREATE TABLE shop.unseen (id int);
SELECT count(*) AS before_and_after FROM drift_history();

-- the triggers go with the extension
SELECT drift_watch(true);
SELECT count(*) FROM drift_check(include => '{shop.*}') WHERE kind LIKE 'event_trigger%';
BEGIN;
DROP EXTENSION driftprint;
SELECT count(*) FROM pg_event_trigger WHERE evtname LIKE 'driftprint%';
ROLLBACK;
SELECT drift_watch(false);
SELECT drift_prune(0) > 0 AS pruned;
DROP SCHEMA shop CASCADE;
DROP ROLE regress_drift_dba;
