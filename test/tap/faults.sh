#!/bin/sh
# kill -9 at random points: of the backend that prints, refreshes, loads or
# drops, and of the postmaster. After every recovery the storage is whole, the
# earlier print is untouched, nothing is left lying about, and the next run works.
#
# DRIFTPRINT_FAULTS: how many times (200).
set -eu

rounds=${DRIFTPRINT_FAULTS:-200}
here=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" != --inside ]; then
	PG_CONF='restart_after_crash = on
synchronous_commit = on
log_min_messages = panic' exec "$here/test/pg" run "$DRIFTPRINT_TREE" "$0" --inside
fi

export PGDATABASE=faults PGCONNECT_TIMEOUT=10
as=
if [ "$(id -u)" = 0 ]; then as='runuser -u postgres --'; fi
sql() { psql -XAtq -v ON_ERROR_STOP=1 -c "$1"; }
has() { [ "$(sql "SELECT count(*) FROM pg_proc WHERE proname = '$1'")" -gt 0 ]; }

createdb faults
sql 'CREATE EXTENSION driftprint'
sql "DO \$\$ BEGIN FOR i IN 1 .. 60 LOOP
	EXECUTE format('CREATE TABLE t%s AS SELECT i AS id, md5(i::text) AS code, now() - i * interval ''1 hour'' AS made, i %% 7 AS class
		FROM generate_series(1, 3000) i', i);
	EXECUTE format('ALTER TABLE t%s ADD PRIMARY KEY (id)', i);
	EXECUTE format('CREATE INDEX ON t%s (class) WHERE class > 3', i);
	END LOOP; END \$\$"
sql "SELECT count(*) FROM drift_print('base')" >/dev/null
sql 'ALTER TABLE t1 ADD COLUMN added int'

# What the first print holds, as one number.
base() {
	sql "SELECT md5(string_agg(concat_ws('|', c.family, c.schema, c.name, encode(c.hash, 'hex'), p.hash, e.row_count, e.status), E'\n'
		ORDER BY c.family, c.schema, c.name, c.signature))
		FROM driftprint.entry e JOIN driftprint.print ON print.id = e.print JOIN driftprint.content c ON c.id = e.object
		LEFT JOIN driftprint.content p ON p.id = e.profile WHERE print.label = 'base'"
}
# What must not be there.
broken() {
	sql "SELECT 'an entry without its object' FROM driftprint.entry e WHERE NOT EXISTS (SELECT FROM driftprint.content c WHERE c.id = e.object)
		UNION SELECT 'an entry without its profile' FROM driftprint.entry e WHERE profile <> 0 AND NOT EXISTS (SELECT FROM driftprint.content c WHERE c.id = e.profile)
		UNION SELECT 'an entry without its print' FROM driftprint.entry e WHERE NOT EXISTS (SELECT FROM driftprint.print p WHERE p.id = e.print)
		UNION SELECT 'a scratch database' FROM pg_database WHERE datname NOT IN ('postgres', 'template0', 'template1', 'faults')
		UNION SELECT 'a temporary file' FROM pg_ls_tmpdir()
		UNION SELECT 'a prepared transaction' FROM pg_prepared_xacts"
}

works='print rows refresh prune'
has drift_load && works="$works load"
has drift_import && has drift_export && works="$works import"
statement() {
	case $1 in
	print) echo "SELECT count(*) FROM drift_print('p$2', profile => false)" ;;
	rows) echo "SELECT count(*) FROM drift_print('p$2', force => true)" ;;
	refresh) echo "CALL drift_refresh('p$2', force => true)" ;;
	prune) echo "SELECT count(*) FROM drift_print('p$2', profile => false); SELECT drift_drop('p$2')" ;;
	load) echo "SELECT drift_load('p$2', 'CREATE TABLE a (id int PRIMARY KEY); CREATE VIEW v AS SELECT id FROM a')" ;;
	import) echo "SELECT drift_import('p$2', drift_export('base'))" ;;
	esac
}

up() {	# wait until the server answers, starting it where it is gone
	for _ in $(seq 200); do
		if psql -XAtq -c 'SELECT 1' >/dev/null 2>&1; then return; fi
		if ! kill -0 "$(head -n 1 "$PG_DATA/postmaster.pid" 2>/dev/null || echo 999999999)" 2>/dev/null; then
			(cd / && $as pg_ctl -D "$PG_DATA" -l "$PG_LOG" -w start >/dev/null 2>&1) || :
		fi
		sleep 0.05
	done
	echo "Bail out! the server does not come back"; exit 1
}

# How long each work takes, so that the blow falls while it runs.
for work in $works; do
	started=$(date +%s%N)
	sql "$(statement "$work" 0)" >/dev/null
	eval "time_$work=$((($(date +%s%N) - started) / 1000000))"
	sql "DO \$\$ BEGIN PERFORM drift_drop('p0'); EXCEPTION WHEN OTHERS THEN NULL; END \$\$" 2>/dev/null
done
whole=$(base)
lost=0 unclean=0 again=0 hit=0 n=0
set -- $works
while [ "$n" -lt "$rounds" ]; do
	n=$((n + 1))
	work=$1; shift; set -- "$@" "$work"
	eval "time=\$time_$work"
	# A pseudo-random moment, the same in every run.
	delay=$(awk -v seed="$n" -v ms="$time" 'BEGIN { srand(seed); printf "%.3f", rand() * ms * 1.1 / 1000 }')
	PGAPPNAME=victim psql -XAtq -c "$(statement "$work" "$n")" >/dev/null 2>&1 &
	client=$!
	sleep "$delay"
	if [ $((n % 5)) = 0 ]; then
		kill -9 "$(head -n 1 "$PG_DATA/postmaster.pid")" 2>/dev/null && hit=$((hit + 1))
	else
		victim=$(psql -XAtq -d postgres -c "SELECT pid FROM pg_stat_activity WHERE application_name = 'victim' AND state = 'active'" 2>/dev/null || :)
		[ -z "$victim" ] || { kill -9 $victim 2>/dev/null && hit=$((hit + 1)); }
	fi
	wait "$client" 2>/dev/null || :
	up
	[ "$(base)" = "$whole" ] || { lost=$((lost + 1)); echo "# round $n, $work after ${delay} s: the earlier print is not what it was"; }
	# A worker of the dead may take a moment to notice.
	left=$(broken)
	[ -z "$left" ] || { sleep 2; left=$(broken); }
	[ -z "$left" ] || { unclean=$((unclean + 1)); echo "# round $n, $work after ${delay} s: left behind:" $left; }
	if [ $((n % 4)) = 0 ]; then
		sql "SELECT count(*) FROM drift_print('next', profile => false)" >/dev/null 2>"$PG_WORK/error" &&
			[ "$(sql "SELECT string_agg(kind, ' ') FROM drift_diff('base', 'next', profile => false)")" = column_added ] &&
			sql "SELECT drift_drop('next')" >/dev/null ||
			{ again=$((again + 1)); echo "# round $n: the next run fails"; sed 's/^/# /' "$PG_WORK/error"; }
	fi
	sql "DO \$\$ BEGIN PERFORM drift_drop('p$n'); EXCEPTION WHEN OTHERS THEN NULL; END \$\$" 2>/dev/null
done

say() { if [ "$1" = 0 ]; then echo "ok $2 - $3"; else echo "not ok $2 - $3 ($1 times not)"; fi; }
echo "1..4"
say "$lost" 1 "the earlier print is untouched after each of $n kills ($hit of them in the middle of: $works)"
say "$unclean" 2 'storage is consistent, and no scratch database or temporary file stays'
say "$again" 3 'the next run succeeds'
say "$(($(sql 'SELECT count(*) FROM driftprint.content') > $(sql "SELECT count(DISTINCT x) FROM driftprint.entry, unnest(ARRAY[object, profile]) x WHERE x <> 0") * 3))" 4 'storage does not fill with what killed runs wrote'
