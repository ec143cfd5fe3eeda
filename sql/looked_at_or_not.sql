--
-- Was it looked at?  A print of one schema says nothing of the others: what it
-- did not look at has neither come nor gone.
--
SET client_min_messages = warning;
CREATE SCHEMA looked_shop;
CREATE SCHEMA looked_store;
CREATE TABLE looked_shop.customer (id int);
CREATE TABLE looked_shop.event (at date) PARTITION BY RANGE (at);
CREATE TABLE looked_shop.secret (id int);
CREATE TABLE looked_store.shelf (id int);
SELECT relation, status FROM drift_print('shop', include => '{looked_shop.*}', exclude => '{*.secret}', profile => false);
SELECT kind, relation FROM drift_diff('shop', 'live', profile => false);
SELECT kind, relation FROM drift_check();
-- what would have been looked at is missed, and found
DROP TABLE looked_shop.customer, looked_shop.secret, looked_store.shelf;
CREATE TABLE looked_shop.parcel (id int);
CREATE TABLE looked_store.parcel (id int);
CREATE TABLE looked_store.event_2026 PARTITION OF looked_shop.event FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
SELECT kind, relation, object_name FROM drift_diff('shop', 'live', profile => false);
-- what has moved away is known to have moved
ALTER TABLE looked_shop.event SET SCHEMA looked_store;
SELECT kind, relation, before FROM drift_diff('shop', 'live', profile => false);
-- and between two stored prints
SELECT count(*) FROM drift_print('store', include => '{looked_store.*}', profile => false);
SELECT kind, relation, before FROM drift_diff('shop', 'store');
SELECT kind, relation FROM drift_diff('store', 'live', profile => false);
SELECT drift_prune(0) > 0 AS pruned;
DROP SCHEMA looked_shop, looked_store CASCADE;
