#!/bin/sh
# Do objects read the same after a dump and restore, and under any settings?
#
#   test/pg run DIR test/tap/restored_objects.sh [FIXTURE.sql ...]
#
# Loads the fixtures, dumps and restores them twice, and compares what
# drift_objects() says in each database, byte for byte.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here/../fixtures/families.sql"
work=$(mktemp -d "${TMPDIR:-/tmp}/driftprint.objects.XXXXXX")
trap 'rm -rf "$work"' EXIT HUP INT TERM
failures=0

sql() { psql -Xq -v ON_ERROR_STOP=1 "$@"; }

objects() {
	sql -At -d "$1" -c "${2:-SELECT}" -c "SELECT family, schema, name, signature, body
		FROM public.drift_objects() ORDER BY 1, 2, 3, 4" | grep -v '^$'
}

same() {
	if diff "$2" "$3" >"$work/diff"; then
		echo "ok - $1 ($(wc -l <"$3") objects)"
	else
		echo "not ok - $1"
		sed 's/^/# /' "$work/diff"
		failures=$((failures + 1))
	fi
}

export PGDATABASE=postgres
sql -c 'CREATE ROLE dp_nobody' -c 'CREATE DATABASE dp_a'
sql -d dp_a -c 'CREATE EXTENSION driftprint'
for fixture in "$@"; do
	psql -Xq -d dp_a -f "$fixture" 2>&1 | grep -A 2 'ERROR:' | sed 's/^/# /' || :
done
objects dp_a >"$work/a"

objects dp_a "SET search_path = fx, \"Fx.Two\", public, pg_catalog; SET DateStyle = 'German'; SET TimeZone = 'Asia/Tokyo';
	SET IntervalStyle = 'sql_standard'; SET extra_float_digits = -10; SET quote_all_identifiers = on; SET bytea_output = 'escape'" >"$work/settings"
same 'the same under other settings' "$work/a" "$work/settings"

previous=dp_a
for copy in dp_b dp_c; do
	sql -c "CREATE DATABASE $copy"
	pg_dump "$previous" >"$work/$copy.sql"
	sql -d "$copy" -f "$work/$copy.sql" >/dev/null 2>"$work/errors" || cat "$work/errors"
	objects "$copy" >"$work/$copy"
	same "the same after dump and restore of $previous" "$work/a" "$work/$copy"
	previous=$copy
done

objects dp_a "SET ROLE dp_nobody" >"$work/nobody"
sed 's/"option_names": \[[^]]*\]/"undecided"/; s/"undecided": "[^"]*"/"undecided"/' "$work/a" "$work/nobody" | sort | uniq -u >"$work/rest"
if grep -v '"family": "user_mapping"' "$work/rest" >"$work/diff"; then
	echo 'not ok - the same for a role with no rights, but for user mappings'
	sed 's/^/# /' "$work/diff"
	failures=$((failures + 1))
else
	echo 'ok - the same for a role with no rights, but for user mappings'
fi
if grep -q secret "$work/a"; then
	echo 'not ok - no secret is read'
	failures=$((failures + 1))
else
	echo 'ok - no secret is read'
fi
[ -z "${KEEP_OBJECTS:-}" ] || cp "$work/a" "$KEEP_OBJECTS"
for database in dp_a dp_b dp_c; do sql -d "$database" -c 'DROP SUBSCRIPTION sub'; dropdb "$database"; done
psql -XAtq -c "SELECT format('DROP ROLE %I;', rolname) FROM pg_roles WHERE rolname ~* '^fx|^dp_nobody'" | psql -Xq
echo 1..5
exit $((failures > 0))
