/*-------------------------------------------------------------------------
 *
 * statistics.c
 *	  Extended statistics objects.
 *
 * An entry each, with the table they are on; they have a schema and a name of
 * their own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_statistic_ext.h"

const FamilyReader catalog_statistics = {
	.families = {"statistics_object"},
	.classid = StatisticExtRelationId,
	.sql =
	"SELECT s.oid AS _oid, 'statistics_object' AS _family, n.nspname AS _schema, s.stxname AS _name,"
	" s.stxowner AS _owner,"
	" " NAME_OF("tn.nspname", "t.relname") " AS table,"
	" (SELECT array_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a"
	"   WHERE a.attrelid = s.stxrelid AND a.attnum = ANY (s.stxkeys::int2[])) AS columns,"
	" pg_get_expr(s.stxexprs, s.stxrelid) AS expressions,"
	" (SELECT array_agg(CASE k WHEN 'd' THEN 'ndistinct' WHEN 'f' THEN 'dependencies'"
	"   ELSE 'mcv' END ORDER BY k) FROM unnest(s.stxkind) AS k WHERE k <> 'e') AS kinds,"
	" nullif(s.stxstattarget, -1) AS statistics_target"
	" FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = s.stxnamespace"
	" JOIN pg_class t ON t.oid = s.stxrelid JOIN pg_namespace tn ON tn.oid = t.relnamespace"
	" WHERE " USER_SCHEMA " AND t.relpersistence <> 't'"
};
