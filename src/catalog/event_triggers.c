/*-------------------------------------------------------------------------
 *
 * event_triggers.c
 *	  Event triggers.
 *
 * They belong to the database and have no schema.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_event_trigger.h"

const FamilyReader catalog_event_triggers = {
	.families = {"event_trigger"},
	.classid = EventTriggerRelationId,
	.sql =
	"SELECT e.oid AS _oid, 'event_trigger' AS _family, e.evtname AS _name, e.evtowner AS _owner,"
	" e.evtevent AS event, " FUNCTION_NAME("e.evtfoid") " AS function, " SORTED("e.evttags") " AS tags,"
	" CASE e.evtenabled WHEN 'D' THEN 'disabled' WHEN 'R' THEN 'replica' WHEN 'A' THEN 'always' END AS enabled"
	/* the triggers of drift_watch() watch the schema and are no part of it */
	" FROM pg_event_trigger e WHERE e.evtfoid NOT IN (SELECT d.objid FROM pg_depend d"
	"  JOIN pg_extension x ON x.oid = d.refobjid AND x.extname = 'driftprint'"
	"  WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass)"
};
