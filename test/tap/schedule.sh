#!/bin/sh
# pg_cron for real: CALL drift_refresh() on a schedule, on a server of its own.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" != --inside ]; then
	if [ ! -e "$(echo "$DRIFTPRINT_TREE"/usr/lib/postgresql/*/lib/pg_cron.so)" ]; then echo '1..0 # SKIP pg_cron is not installed'; exit 0; fi
	export PG_CONF="shared_preload_libraries = 'pg_cron'
cron.database_name = 'postgres'
cron.host = ''
cron.use_background_workers = on"
	exec "$root/test/pg" run "$DRIFTPRINT_TREE" "$0" --inside
fi

n=0
is() { n=$((n + 1)); if [ "$2" = "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; echo "# got: $2"; echo "# want: $3"; fi; }
sql() { psql -XAtq -v ON_ERROR_STOP=1 -c "$1" 2>&1; }
# wait_for SECONDS QUERY: until it is true
wait_for() {
	tries=$(($1 * 2))
	while [ $tries -gt 0 ]; do
		[ "$(sql "$2")" = t ] && { echo t; return; }
		tries=$((tries - 1)); sleep 0.5
	done
	echo f
}

sql 'CREATE EXTENSION pg_cron' && sql 'CREATE EXTENSION driftprint'
sql "CREATE TABLE shop AS SELECT g AS id, 'v' || g AS v FROM generate_series(1, 1000) g; CREATE TABLE broken (a int)"
# a table whose rows one role cannot read: its policy raises
sql "CREATE FUNCTION explode() RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'" >/dev/null
sql "INSERT INTO broken VALUES (1); CREATE ROLE cron_reader LOGIN; GRANT SELECT ON shop, broken TO cron_reader;
	GRANT EXECUTE ON PROCEDURE drift_refresh TO cron_reader; ALTER TABLE broken ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON broken USING (explode());
	GRANT USAGE ON SCHEMA cron TO cron_reader"

is 'the line of the README schedules it' "$(sql "SELECT cron.schedule('driftprint', '* * * * *', 'CALL drift_refresh()')")" 1
is 'a print appears' "$(wait_for 75 "SELECT count(*) > 0 FROM drift_prints() WHERE status = 'complete'")" t
is 'its run succeeded' "$(wait_for 10 "SELECT bool_and(status = 'succeeded') FROM cron.job_run_details WHERE jobid = 1")" t
sql "UPDATE driftprint.entry SET profiled_at = profiled_at - interval '30 days'; UPDATE driftprint.print SET taken_at = taken_at - interval '30 days'"
is 'a table is stale' "$(sql "SELECT fresh FROM drift_freshness() WHERE relation = 'public.shop'")" f
is 'and turns fresh by itself' "$(wait_for 75 "SELECT fresh FROM drift_freshness() WHERE relation = 'public.shop'")" t
sql "SELECT cron.unschedule('driftprint')" >/dev/null

# a failing table does not stop the others
PGUSER=cron_reader sql 'CALL drift_refresh(force => true)' >/dev/null
is 'a failing table' "$(sql "SELECT status FROM drift_prints() ORDER BY id DESC LIMIT 1")" partial
is 'does not stop the others' "$(sql "SELECT string_agg(e.status::text, '' ORDER BY c.name) FROM driftprint.entry e JOIN driftprint.content c ON c.id = e.object
	WHERE print = (SELECT max(id) FROM driftprint.print) AND c.name IN ('broken', 'shop')")" fp

# two at once: the second says so and leaves
sql 'CREATE TABLE big AS SELECT g AS a, md5(g::text) AS b, md5(g::text) AS c FROM generate_series(1, 1500000) g' >/dev/null
psql -Xq -c 'CALL drift_refresh(force => true)' >/dev/null 2>&1 &
first=$!
seen=$(wait_for 20 'SELECT count(*) > 0 FROM drift_progress()')
is 'another session sees how far it is' "$seen" t
second=$(psql -XAtq -c 'CALL drift_refresh(force => true)' 2>&1)
case $second in *'another drift_refresh() is under way'*) left=yes ;; *) left="$second" ;; esac
is 'the second leaves it to the first' "$left" yes
wait $first
is 'and the first is done' "$(sql "SELECT status FROM drift_prints() ORDER BY id DESC LIMIT 1")" complete
is 'nothing is under way any more' "$(sql 'SELECT count(*) FROM drift_progress()')" 0
echo "1..$n"
