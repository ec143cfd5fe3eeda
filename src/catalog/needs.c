/*-------------------------------------------------------------------------
 *
 * needs.c
 *	  What the objects of one catalog depend on.
 *
 * As for relations: objects of the system and schemas are left out, an object
 * that belongs to an extension stands for the extension, what is internal to
 * another object (a row type, an array type, a multirange, a default) stands
 * for that object.
 *
 * Planning a query over every catalog takes longer than running it, so it is
 * put together from the catalogs that are referred to.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_foreign_data_wrapper.h"
#include "catalog/pg_foreign_server.h"
#include "catalog/pg_language.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_publication.h"
#include "catalog/pg_ts_config.h"
#include "catalog/pg_ts_dict.h"
#include "catalog/pg_ts_parser.h"
#include "catalog/pg_ts_template.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"

#define RELATION_FAMILY \
	"CASE WHEN c.relkind = 'S' THEN 'sequence' WHEN c.relkind = 'v' THEN 'view'" \
	" WHEN c.relkind = 'm' THEN 'materialized_view' WHEN c.relkind = 'c' THEN 'composite_type'" \
	" WHEN c.relispartition THEN 'partition' WHEN c.relkind = 'f' THEN 'foreign_table' ELSE 'table' END"

/* %1$u is the catalog's OID, %2$s which kinds, %3$s a reader's own rows, %4$s a restriction. */
static const char needed_sql[] =
"WITH direct (owner, refclassid, refobjid) AS ("
" SELECT d.objid, d.refclassid, d.refobjid FROM pg_depend d"
"  WHERE d.classid = %1$u AND d.deptype IN (%2$s)%3$s),"
" needed AS ("
"  SELECT DISTINCT s.owner, s.refclassid, s.refobjid, e.extname FROM direct s"
"  LEFT JOIN (pg_depend d JOIN pg_extension e ON e.oid = d.refobjid)"
"   ON d.classid = s.refclassid AND d.objid = s.refobjid AND d.objsubid = 0 AND d.deptype = 'e'"
"  WHERE s.refobjid >= 16384 AND s.refobjid <> s.owner%4$s),"
" own AS (SELECT owner, refclassid, refobjid FROM needed WHERE extname IS NULL)";

static const char classes_sql[] = " SELECT DISTINCT refclassid FROM needed";

static const char identities_begin[] =
" SELECT owner, family, schema::text, name::text, signature FROM ("
" SELECT n.owner, 'extension' AS family, NULL::name AS schema, n.extname AS name,"
"   NULL::text AS signature FROM needed n WHERE n.extname IS NOT NULL";

static const char identities_end[] =
") AS d ORDER BY owner, family COLLATE \"C\", schema COLLATE \"C\", name COLLATE \"C\", signature COLLATE \"C\"";

/* How an object of a referred catalog is called. */
static const struct
{
	Oid			refclassid;
	const char *sql;
}			identities[] =
{
	{ExtensionRelationId,
		" UNION SELECT n.owner, 'extension', NULL, e.extname, NULL"
		"  FROM own n JOIN pg_extension e ON e.oid = n.refobjid AND n.refclassid = 'pg_extension'::regclass"
	},
	{RelationRelationId,
		" UNION SELECT n.owner, " RELATION_FAMILY ", s.nspname, c.relname, NULL"
		"  FROM own n JOIN pg_class c ON c.oid = n.refobjid AND n.refclassid = 'pg_class'::regclass"
		"   AND c.reltype <> n.owner"
		"  JOIN pg_namespace s ON s.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S', 'c')"
	},
	{TypeRelationId,
		/* a row type, or an array of it */
		" UNION SELECT n.owner, " RELATION_FAMILY ", s.nspname, c.relname, NULL"
		"  FROM own n JOIN pg_type a ON a.oid = n.refobjid AND n.refclassid = 'pg_type'::regclass"
		"  LEFT JOIN pg_type e ON e.oid = a.typelem AND e.typarray = a.oid"
		"  JOIN pg_type t ON t.oid = coalesce(e.oid, a.oid) AND t.typrelid <> 0"
		"  JOIN pg_class c ON c.oid = t.typrelid AND c.oid <> n.owner AND c.reltype <> n.owner"
		"  JOIN pg_namespace s ON s.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'c')"
		" UNION SELECT n.owner, CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN 'domain'"
		"   WHEN 'r' THEN 'range_type' ELSE 'base_type' END, s.nspname, t.typname, NULL"
		"  FROM own n JOIN pg_type a ON a.oid = n.refobjid AND n.refclassid = 'pg_type'::regclass"
		"  LEFT JOIN pg_type e ON e.oid = a.typelem AND e.typarray = a.oid"
		"  LEFT JOIN pg_range r ON r.rngmultitypid = coalesce(e.oid, a.oid)"
		"  JOIN pg_type t ON t.oid = coalesce(r.rngtypid, e.oid, a.oid) AND t.typrelid = 0"
		"  JOIN pg_namespace s ON s.oid = t.typnamespace WHERE t.oid >= 16384 AND t.oid <> n.owner"
	},
	{ProcedureRelationId,
		" UNION SELECT n.owner, CASE p.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate'"
		"   ELSE 'function' END, s.nspname, p.proname, oidvectortypes(p.proargtypes)"
		"  FROM own n JOIN pg_proc p ON p.oid = n.refobjid AND n.refclassid = 'pg_proc'::regclass"
		"  JOIN pg_namespace s ON s.oid = p.pronamespace"
	},
	{OperatorRelationId,
		" UNION SELECT n.owner, 'operator', s.nspname, p.oprname,"
		"   coalesce(" TYPE_NAME("p.oprleft") ", 'NONE') || ', ' || format_type(p.oprright, NULL)"
		"  FROM own n JOIN pg_operator p ON p.oid = n.refobjid AND n.refclassid = 'pg_operator'::regclass"
		"  JOIN pg_namespace s ON s.oid = p.oprnamespace WHERE p.oprcode <> 0"
	},
	{OperatorClassRelationId,
		" UNION SELECT n.owner, 'operator_class', s.nspname, p.opcname, m.amname::text"
		"  FROM own n JOIN pg_opclass p ON p.oid = n.refobjid AND n.refclassid = 'pg_opclass'::regclass"
		"  JOIN pg_am m ON m.oid = p.opcmethod JOIN pg_namespace s ON s.oid = p.opcnamespace"
	},
	{OperatorFamilyRelationId,
		" UNION SELECT n.owner, 'operator_family', s.nspname, p.opfname, m.amname::text"
		"  FROM own n JOIN pg_opfamily p ON p.oid = n.refobjid AND n.refclassid = 'pg_opfamily'::regclass"
		"  JOIN pg_am m ON m.oid = p.opfmethod JOIN pg_namespace s ON s.oid = p.opfnamespace"
	},
	{CollationRelationId,
		" UNION SELECT n.owner, 'collation', s.nspname, c.collname, NULL"
		"  FROM own n JOIN pg_collation c ON c.oid = n.refobjid AND n.refclassid = 'pg_collation'::regclass"
		"  JOIN pg_namespace s ON s.oid = c.collnamespace"
	},
	{TSParserRelationId,
		" UNION SELECT n.owner, 'text_search_parser', s.nspname, c.prsname, NULL"
		"  FROM own n JOIN pg_ts_parser c ON c.oid = n.refobjid AND n.refclassid = 'pg_ts_parser'::regclass"
		"  JOIN pg_namespace s ON s.oid = c.prsnamespace"
	},
	{TSTemplateRelationId,
		" UNION SELECT n.owner, 'text_search_template', s.nspname, c.tmplname, NULL"
		"  FROM own n JOIN pg_ts_template c ON c.oid = n.refobjid AND n.refclassid = 'pg_ts_template'::regclass"
		"  JOIN pg_namespace s ON s.oid = c.tmplnamespace"
	},
	{TSDictionaryRelationId,
		" UNION SELECT n.owner, 'text_search_dictionary', s.nspname, c.dictname, NULL"
		"  FROM own n JOIN pg_ts_dict c ON c.oid = n.refobjid AND n.refclassid = 'pg_ts_dict'::regclass"
		"  JOIN pg_namespace s ON s.oid = c.dictnamespace"
	},
	{TSConfigRelationId,
		" UNION SELECT n.owner, 'text_search_configuration', s.nspname, c.cfgname, NULL"
		"  FROM own n JOIN pg_ts_config c ON c.oid = n.refobjid AND n.refclassid = 'pg_ts_config'::regclass"
		"  JOIN pg_namespace s ON s.oid = c.cfgnamespace"
	},
	{ForeignDataWrapperRelationId,
		" UNION SELECT n.owner, 'foreign_data_wrapper', NULL, c.fdwname, NULL"
		"  FROM own n JOIN pg_foreign_data_wrapper c ON c.oid = n.refobjid"
		"   AND n.refclassid = 'pg_foreign_data_wrapper'::regclass"
	},
	{ForeignServerRelationId,
		" UNION SELECT n.owner, 'server', NULL, c.srvname, NULL"
		"  FROM own n JOIN pg_foreign_server c ON c.oid = n.refobjid"
		"   AND n.refclassid = 'pg_foreign_server'::regclass"
	},
	{LanguageRelationId,
		" UNION SELECT n.owner, 'language', NULL, c.lanname, NULL"
		"  FROM own n JOIN pg_language c ON c.oid = n.refobjid AND n.refclassid = 'pg_language'::regclass"
	},
	{AccessMethodRelationId,
		" UNION SELECT n.owner, 'access_method', NULL, c.amname, NULL"
		"  FROM own n JOIN pg_am c ON c.oid = n.refobjid AND n.refclassid = 'pg_am'::regclass"
	},
	{PublicationRelationId,
		" UNION SELECT n.owner, 'publication', NULL, c.pubname, NULL"
		"  FROM own n JOIN pg_publication c ON c.oid = n.refobjid AND n.refclassid = 'pg_publication'::regclass"
	}
};

/*
 * Rows (owner, family, schema, name, signature) of what the catalog's objects
 * need, or those in oids; false when there are none.
 */
bool
family_query_needs(const FamilyReader *reader, ArrayType *oids)
{
	StringInfoData sql;
	char	   *needed = psprintf(needed_sql, reader->classid,
								  reader->owned ? "'n'" : "'n', 'a', 'i'",
								  reader->depends_sql ? psprintf(" UNION ALL %s", reader->depends_sql) : "",
								  oids ? " AND s.owner = ANY ($1)" : "");

	catalog_query(psprintf("%s%s", needed, classes_sql), oids);
	if (SPI_processed == 0)
		return false;
	initStringInfo(&sql);
	appendStringInfo(&sql, "%s%s", needed, identities_begin);
	for (uint64 row = 0; row < SPI_processed; row++)
		for (int i = 0; i < lengthof(identities); i++)
			if (identities[i].refclassid == catalog_oid(row, 1))
				appendStringInfoString(&sql, identities[i].sql);
	appendStringInfoString(&sql, identities_end);
	catalog_query(sql.data, oids);
	return true;
}
