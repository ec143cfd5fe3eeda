/*-------------------------------------------------------------------------
 *
 * publications.c
 *	  Publications, and subscriptions without their connection.
 *
 * Whether a subscription is enabled is its state and not its description.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_publication.h"
#include "catalog/pg_subscription.h"
#include "compat.h"

const FamilyReader catalog_publications = {
	.families = {"publication"},
	.classid = PublicationRelationId,
	.sql =
	"SELECT p.oid AS _oid, 'publication' AS _family, p.pubname AS _name, p.pubowner AS _owner,"
	" p.puballtables AS all_tables,"
	" array_remove(ARRAY[CASE WHEN p.pubinsert THEN 'insert' END, CASE WHEN p.pubupdate THEN 'update' END,"
	"   CASE WHEN p.pubdelete THEN 'delete' END, CASE WHEN p.pubtruncate THEN 'truncate' END], NULL) AS publish,"
	" p.pubviaroot AS via_root," PUBLICATION_OPTIONS
	" (SELECT array_agg(sn.nspname ORDER BY sn.nspname COLLATE \"C\")"
	"   FROM pg_publication_namespace pn JOIN pg_namespace sn ON sn.oid = pn.pnnspid WHERE pn.pnpubid = p.oid) AS schemas,"
	" (SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('schema', tn.nspname, 'name', t.relname,"
	"    'columns', (SELECT jsonb_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a"
	"      WHERE a.attrelid = pr.prrelid AND a.attnum = ANY (pr.prattrs::int2[])),"
	"    'where', pg_get_expr(pr.prqual, pr.prrelid)))"
	"    ORDER BY tn.nspname COLLATE \"C\", t.relname COLLATE \"C\")"
	"   FROM pg_publication_rel pr JOIN pg_class t ON t.oid = pr.prrelid"
	"   JOIN pg_namespace tn ON tn.oid = t.relnamespace WHERE pr.prpubid = p.oid) AS tables"
	" FROM pg_publication p",
	.depends_sql =
	"SELECT r.prpubid, d.refclassid, d.refobjid FROM pg_publication_rel r"
	" JOIN pg_depend d ON d.classid = 'pg_publication_rel'::regclass AND d.objid = r.oid"
	" AND d.refclassid <> 'pg_publication'::regclass"
};

const FamilyReader catalog_subscriptions = {
	.families = {"subscription"},
	.classid = SubscriptionRelationId,
	.shared = true,
	.sql =
	"SELECT s.oid AS _oid, 'subscription' AS _family, s.subname AS _name, s.subowner AS _owner,"
	" " SORTED("s.subpublications") " AS publications, s.subslotname AS slot_name"
	" FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database()"
};
