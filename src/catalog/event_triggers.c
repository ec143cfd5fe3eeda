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
	.classid = EventTriggerRelationId,
	.sql =
	"SELECT e.oid, 'event_trigger'::text, NULL::text, e.evtname::text, NULL::text, e.evtowner, NULL::aclitem[],"
	" jsonb_build_object('event', e.evtevent, 'function', " FUNCTION_NAME("e.evtfoid") ","
	"  'tags', " SORTED_TEXTS("e.evttags") ","
	"  'enabled', CASE e.evtenabled WHEN 'D' THEN 'disabled' WHEN 'R' THEN 'replica' WHEN 'A' THEN 'always' END),"
	" NULL::text, NULL::jsonb"
	" FROM pg_event_trigger e"
};
