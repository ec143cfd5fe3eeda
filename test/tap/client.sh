#!/bin/sh
# The client: each command, each exit code, and names that try everything.
set -u

client=$(cd "$(dirname "$0")/../.." && pwd)/bin/driftprint
export PGDATABASE='sh"op we'"'"'ird'
work=$(mktemp -d)
trap 'rm -rf "$work"; dropdb --if-exists "$PGDATABASE" 2>/dev/null' EXIT
n=0
ok() { n=$((n + 1)); if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$work/out" "$work/err"; fi; }
# code WANTED DESCRIPTION COMMAND...: the exit code
code() {
	want=$1 what=$2; shift 2
	"$@" >"$work/out" 2>"$work/err" </dev/null
	got=$?
	[ $got -eq "$want" ]; ok "$what: exit code $want${*:+ }" $?
}
says() { grep -q -e "$1" "$work/out" "$work/err"; ok "it says: $1" $?; }
sql() { psql -XAtq -v ON_ERROR_STOP=1 -c "$1"; }

code 0 'help' "$client" --help
code 1 'no command' "$client"
code 1 'an unknown command' "$client" frobnicate
for command in print prints diff check freshness describe config drop; do
	code 0 "$command --help" "$client" "$command" --help
done
code 1 'an unknown option' "$client" check --frobnicate
says 'not known'
code 4 'no server' env PGHOST="$work" "$client" check
code 4 'no such database' env PGDATABASE=nothing "$client" check

createdb "$PGDATABASE"
code 1 'no extension' "$client" check
says 'CREATE EXTENSION driftprint'
sql 'CREATE SCHEMA "a b"' && sql 'CREATE EXTENSION driftprint SCHEMA "a b"'
sql 'CREATE TABLE t (id int PRIMARY KEY, v text)' && sql "INSERT INTO t SELECT i, 'v' || i % 3 FROM generate_series(1, 100) i"
sql 'CREATE TABLE "we''ird
""$name\" (id int)'
code 1 'no print' "$client" check
says 'there is no print yet'
label="o'ne \"two\"
\$three\\"
code 0 'a print' "$client" print -l "$label"
code 1 'a label that is taken' "$client" print -l "$label"
code 0 'prints' "$client" prints --format json
says 'ne \\"two'
code 0 'all holds' "$client" check
code 0 'freshness' "$client" freshness
code 2 'stale by --max-age' "$client" check --max-age 0
code 2 'freshness of what is stale' "$client" freshness --max-age 0
code 0 'stale, but another table is asked for' "$client" check --baseline "$label" -i 'public.we*' -x '*.t'

sql 'INSERT INTO t VALUES (101, NULL)'
code 0 'data moved, catalogs did not' "$client" check
code 3 'data moved' "$client" check --depth data
code 0 'data moved, but the schema is asked for' "$client" check --depth data --severity schema
sql 'ALTER TABLE t ADD COLUMN added int'
code 3 'drift' "$client" check
says 'column_added'
code 3 'drift as JSON' "$client" check --format json
says '"kind":"column_added"'
code 0 'a print has not drifted from itself' "$client" check --depth print
code 0 'diff' "$client" diff "$label"
says '+ column added: integer'
code 3 'diff --exit-code' "$client" diff --no-profile --exit-code
code 0 'diff of two equal prints' "$client" diff --exit-code 1 1
code 0 'diff as YAML' "$client" diff --format yaml
says 'kind: column_added'
code 1 'a format that is none' "$client" diff --format xml
code 1 'a print that is none' "$client" check --baseline nothing
code 1 'an include that matches nothing' "$client" check -i 'nothing.*'
says 'matches nothing'
code 0 'describe' "$client" describe t
says 'owned by'

printf 'max_age_days: 4\nassertions: [{table: public.t, row_count: {min: 1000}}]\n' >"$work/rules.yaml"
code 0 'rules from a file' "$client" config set "$work/rules.yaml"
cmp -s "$work/rules.yaml" "$work/same" 2>/dev/null
code 0 'the rules again' "$client" config
says 'max_age_days: 4'
code 0 'what applies' "$client" config rules public.t
says 'line 1'
code 1 'a file that is not there' "$client" config set "$work/nothing"
printf 'max_age_dys: 4' >"$work/bad.yaml"
code 1 'rules with an error' "$client" config set "$work/bad.yaml"
says 'line 1, column 1'
code 0 'a refresh' "$client" print --refresh --force
code 6 'an assertion' "$client" check
code 0 'no rules' "$client" config unset
code 0 'all holds again' "$client" check

sql "DO \$\$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'client_some') THEN CREATE ROLE client_some LOGIN; END IF; END \$\$"
sql 'GRANT USAGE ON SCHEMA "a b" TO client_some; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA "a b" TO client_some; GRANT SELECT ON t TO client_some'
code 5 'a role that may not read all' "$client" print -U client_some --force
code 7 'a role that may read nothing' "$client" print -U client_some --force -i 'public.we*'
says 'permission denied'
code 0 'drop' "$client" drop 1
code 1 'drop what is gone' "$client" drop 1
psql -XAtq -c 'DROP OWNED BY client_some; DROP ROLE client_some' >/dev/null 2>&1
echo "1..$n"
