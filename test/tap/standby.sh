#!/bin/sh
# A read-only standby answers all that only reads: stored prints, a check against
# its live catalogs, diffs and reports. What would write says that it cannot.
set -eu

here=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" != --inside ]; then exec "$here/test/pg" run "$DRIFTPRINT_TREE" "$0" --inside; fi

as=
if [ "$(id -u)" = 0 ]; then as='runuser -u postgres --'; fi
export PGDATABASE=postgres
sql() { psql -XAtq -v ON_ERROR_STOP=1 -c "$1" 2>&1; }
n=0
is() { n=$((n + 1)); if [ "$2" = "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; echo "# got: $2"; echo "# want: $3"; fi; }

sql 'CREATE EXTENSION driftprint'
sql 'CREATE TABLE t (id int PRIMARY KEY, note text)'
sql "SELECT count(*) FROM drift_print('one')" >/dev/null
sql 'ALTER TABLE t ADD COLUMN added int'
sql "SELECT count(*) FROM drift_print('two')" >/dev/null
sql 'ALTER TABLE t DROP COLUMN note'

(cd / && $as pg_basebackup -D "$PG_WORK/standby" -R -c fast >/dev/null)
echo 'port = 5433' | $as tee -a "$PG_WORK/standby/postgresql.conf" >/dev/null
trap '(cd / && $as pg_ctl -D "$PG_WORK/standby" -m immediate stop >/dev/null 2>&1) || :' EXIT
(cd / && $as pg_ctl -D "$PG_WORK/standby" -l "$PG_WORK/standby.log" -w start >/dev/null)
export PGPORT=5433
is 'this is a standby' "$(sql 'SELECT pg_is_in_recovery()')" t
is 'drift_prints' "$(sql 'SELECT label FROM drift_prints() ORDER BY id' | tr '\n' ' ')" 'one two '
is 'drift_diff of stored prints' "$(sql "SELECT kind, column_name FROM drift_diff('one', 'two')")" 'column_added|added'
is 'drift_diff with live' "$(sql "SELECT kind, column_name FROM drift_diff('two', 'live', profile => false)")" 'column_removed|note'
is 'drift_summary' "$(sql "SELECT count FROM drift_summary('one', 'two') WHERE counter = 'columns_added'")" 1
is 'drift_report' "$(sql "SELECT drift_report('one', 'two') LIKE '%+ column added: %'")" t
is 'drift_check at depth catalog' "$(sql "SELECT code, kind FROM drift_check()")" '3|column_removed'
is 'drift_check at depth print' "$(sql "SELECT count(*) FROM drift_check(depth => 'print')")" 0
is 'drift_exit_code' "$(sql 'SELECT drift_exit_code()')" 3
is 'drift_freshness' "$(sql 'SELECT relation, fresh FROM drift_freshness()')" 'public.t|t'
for statement in "SELECT count(*) FROM drift_print('three')" "CALL drift_refresh('three')" "SELECT drift_drop('one')" 'SELECT drift_prune(0)'; do
	state=$(printf '\\set VERBOSITY sqlstate\n%s;\n' "$statement" | psql -XAtq 2>&1)
	# read_only_sql_transaction, or a lock that a standby does not give
	case $state in 'ERROR:  25006' | 'ERROR:  55000') state=refused ;; esac
	is "$statement is refused" "$state" refused
done
echo "1..$n"
