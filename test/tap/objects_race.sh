#!/bin/sh
# Objects that come, change and go while they are being read: no error, no
# half description.
#
#   test/pg run DIR test/tap/objects_race.sh [SECONDS]
set -eu

seconds=${1:-5}
work=$(mktemp -d "${TMPDIR:-/tmp}/driftprint.race.XXXXXX")
trap 'kill $changers 2>/dev/null || :; rm -rf "$work"' EXIT HUP INT TERM
changers=
createdb dp_race
PGDATABASE=dp_race
export PGDATABASE
psql -Xq -c 'CREATE EXTENSION driftprint' -c 'CREATE SCHEMA race'

# A changer runs its lines over and over, each statement a transaction of its own.
repeat() {
	awk -v n=3000 '{ line[NR] = $0 } END { for (i = 0; i < n; i++) for (l = 1; l <= NR; l++) { s = line[l]; gsub("@", i % 7, s); print s } }' >"$work/$1.sql"
	psql -Xq -f "$work/$1.sql" >/dev/null 2>&1 &
	changers="$changers $!"
}

repeat types <<-'SQL'
	CREATE TYPE race.e@ AS ENUM ('a'); CREATE TYPE race.c@ AS (a race.e@); CREATE DOMAIN race.d@ AS race.c@ CHECK ((VALUE).a = 'a');
	CREATE FUNCTION race.f@(race.d@, x race.e@ DEFAULT 'a') RETURNS race.c@ LANGUAGE sql BEGIN ATOMIC SELECT ROW($2)::race.c@; END;
	ALTER TYPE race.e@ RENAME TO g@; ALTER TYPE race.g@ ADD VALUE 'b';
	DROP TYPE race.g@ CASCADE; DROP TYPE race.c@ CASCADE;
SQL
repeat functions <<-'SQL'
	CREATE TABLE race.t@ (id serial, n int GENERATED ALWAYS AS IDENTITY, v varchar CHECK (v IN ('a', 'b')));
	CREATE FUNCTION race.g@(race.t@) RETURNS SETOF race.t@ LANGUAGE sql BEGIN ATOMIC SELECT * FROM race.t@ WHERE v IN ('a', 'b'); END;
	CREATE AGGREGATE race.a@(int) (SFUNC = int4pl, STYPE = int); CREATE STATISTICS race.s@ ON (v || 'x'), (id + 1) FROM race.t@;
	ALTER FUNCTION race.g@(race.t@) RENAME TO h@; ALTER TABLE race.t@ RENAME v TO w;
	DROP AGGREGATE race.a@(int); DROP TABLE race.t@ CASCADE;
SQL
repeat roles <<-'SQL'
	CREATE ROLE race_role@; GRANT USAGE ON SCHEMA race TO race_role@; CREATE SCHEMA race@ AUTHORIZATION race_role@; CREATE SEQUENCE race@.s;
	ALTER DEFAULT PRIVILEGES FOR ROLE race_role@ GRANT SELECT ON TABLES TO PUBLIC; GRANT ALL ON SEQUENCE race@.s TO race_role@;
	DROP SCHEMA race@ CASCADE; DROP OWNED BY race_role@; DROP ROLE race_role@;
SQL

end=$(($(date +%s) + seconds))
reads=0 errors=0 strange=0
while [ "$(date +%s)" -lt "$end" ]; do
	if ! psql -XqAt -v ON_ERROR_STOP=1 -c 'SELECT body FROM drift_objects()' >"$work/out" 2>"$work/error"; then
		errors=$((errors + 1))
		sed 's/^/# /' "$work/error"
	fi
	if grep -F '???' "$work/out" >"$work/strange"; then
		strange=$((strange + 1))
		sed 's/^/# /' "$work/strange"
	fi
	reads=$((reads + 1))
done
kill $changers 2>/dev/null || :
wait 2>/dev/null || :
changers=
psql -XAtq -c "SELECT format('DROP OWNED BY %I CASCADE; DROP ROLE %1\$I;', rolname) FROM pg_roles WHERE rolname ~ '^race_role'" | psql -Xq >/dev/null 2>&1 || :
dropdb --maintenance-db=postgres --force dp_race
echo 1..1
echo "# $reads reads, $errors errors, $strange with a type that is gone"
[ $errors -eq 0 ] && [ $strange -eq 0 ] && echo 'ok - objects that change while they are read' ||
	{ echo 'not ok - objects that change while they are read'; exit 1; }
