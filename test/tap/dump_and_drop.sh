#!/bin/sh
# Prints survive pg_dump and pg_restore, and go with the extension.
set -eu

export PGDATABASE=kept
sql() { psql -XAtq -v ON_ERROR_STOP=1 -c "$1" 2>&1; }
n=0
is() { n=$((n + 1)); if [ "$2" = "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; echo "# got: $2"; echo "# want: $3"; fi; }
work=$(mktemp -d)
trap 'rm -rf "$work"; for d in kept plain custom; do dropdb --if-exists "$d" 2>/dev/null; done' EXIT

# Everything in the catalogs that a database may hold, by name.
contents() {
	sql "SELECT 'schema ' || nspname FROM pg_namespace UNION ALL SELECT 'relation ' || oid::regclass FROM pg_class WHERE oid >= 16384
		UNION ALL SELECT 'function ' || oid::regprocedure FROM pg_proc WHERE oid >= 16384
		UNION ALL SELECT 'type ' || oid::regtype FROM pg_type WHERE oid >= 16384
		UNION ALL SELECT 'trigger ' || evtname FROM pg_event_trigger UNION ALL SELECT 'setting ' || setconfig::text FROM pg_db_role_setting
		UNION ALL SELECT 'database ' || datname FROM pg_database UNION ALL SELECT 'role ' || rolname FROM pg_roles
		UNION ALL SELECT 'extension ' || extname FROM pg_extension ORDER BY 1"
}

createdb kept
sql 'CREATE SCHEMA functions; CREATE TABLE t (id int PRIMARY KEY, note text); INSERT INTO t SELECT i, i FROM generate_series(1, 100) i'
contents >"$work/before"
sql 'CREATE EXTENSION driftprint SCHEMA functions'
sql "SELECT count(*) FROM functions.drift_print('one')" >/dev/null
sql 'ALTER TABLE t ADD COLUMN added int'
sql "SELECT count(*) FROM functions.drift_print('two')" >/dev/null
sql 'ALTER TABLE t DROP COLUMN note'
diff='SELECT kind, relation, column_name, before, after FROM functions.drift_diff'

createdb plain
pg_dump kept | psql -Xq -v ON_ERROR_STOP=1 -d plain >/dev/null
createdb custom
pg_dump -Fc kept | pg_restore -d custom
for copy in plain custom; do
	is "$copy: the prints are there" "$(PGDATABASE=$copy sql "SELECT string_agg(label, ' ' ORDER BY id) FROM functions.drift_prints()")" 'one two'
	is "$copy: and say what they said" "$(PGDATABASE=$copy sql "$diff('one', 'two')")" "$(sql "$diff('one', 'two')")"
	is "$copy: what is there now compares by name" \
		"$(PGDATABASE=$copy sql "SELECT kind, column_name FROM functions.drift_diff('two', 'live', profile => false)")" 'column_removed|note'
	PGDATABASE=$copy sql "SELECT count(*) FROM functions.drift_print('three')" >/dev/null
	is "$copy: a new print gets an id of its own" "$(PGDATABASE=$copy sql "SELECT string_agg(label, ' ' ORDER BY id) FROM functions.drift_prints()")" 'one two three'
done

sql 'DROP EXTENSION driftprint; ALTER TABLE t DROP COLUMN added'
dropdb plain
dropdb custom
contents >"$work/after"
is 'DROP EXTENSION leaves nothing' "$(diff "$work/before" "$work/after")" ''
echo "1..$n"
