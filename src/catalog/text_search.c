/*-------------------------------------------------------------------------
 *
 * text_search.c
 *	  Text search parsers, templates, dictionaries and configurations.
 *
 * A configuration's mappings go by the parser's token names, in their order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_ts_config.h"
#include "catalog/pg_ts_dict.h"
#include "catalog/pg_ts_parser.h"
#include "catalog/pg_ts_template.h"

const FamilyReader catalog_text_search_parsers = {
	.families = {"text_search_parser"},
	.classid = TSParserRelationId,
	.sql =
	"SELECT p.oid AS _oid, 'text_search_parser' AS _family, n.nspname AS _schema, p.prsname AS _name,"
	" " FUNCTION_NAME("p.prsstart") " AS start, " FUNCTION_NAME("p.prstoken") " AS token,"
	" " FUNCTION_NAME("p.prsend") " AS end, " FUNCTION_NAME("p.prsheadline") " AS headline,"
	" " FUNCTION_NAME("p.prslextype") " AS token_types"
	" FROM pg_ts_parser p JOIN pg_namespace n ON n.oid = p.prsnamespace WHERE " USER_SCHEMA
};

const FamilyReader catalog_text_search_templates = {
	.families = {"text_search_template"},
	.classid = TSTemplateRelationId,
	.sql =
	"SELECT t.oid AS _oid, 'text_search_template' AS _family, n.nspname AS _schema, t.tmplname AS _name,"
	" " FUNCTION_NAME("t.tmplinit") " AS init, " FUNCTION_NAME("t.tmpllexize") " AS lexize"
	" FROM pg_ts_template t JOIN pg_namespace n ON n.oid = t.tmplnamespace WHERE " USER_SCHEMA
};

const FamilyReader catalog_text_search_dictionaries = {
	.families = {"text_search_dictionary"},
	.classid = TSDictionaryRelationId,
	.sql =
	"SELECT d.oid AS _oid, 'text_search_dictionary' AS _family, n.nspname AS _schema, d.dictname AS _name,"
	" d.dictowner AS _owner,"
	" " NAME_OF("tn.nspname", "t.tmplname") " AS template, d.dictinitoption AS options"
	" FROM pg_ts_dict d JOIN pg_namespace n ON n.oid = d.dictnamespace"
	" JOIN pg_ts_template t ON t.oid = d.dicttemplate JOIN pg_namespace tn ON tn.oid = t.tmplnamespace"
	" WHERE " USER_SCHEMA
};

const FamilyReader catalog_text_search_configurations = {
	.families = {"text_search_configuration"},
	.classid = TSConfigRelationId,
	.sql =
	"SELECT c.oid AS _oid, 'text_search_configuration' AS _family, n.nspname AS _schema, c.cfgname AS _name,"
	" c.cfgowner AS _owner,"
	" " NAME_OF("pn.nspname", "p.prsname") " AS parser,"
	" (SELECT jsonb_agg(jsonb_build_object('token', m.alias, 'dictionaries', m.dictionaries)"
	"   ORDER BY m.alias COLLATE \"C\") FROM ("
	"   SELECT tt.alias, jsonb_agg(" NAME_OF("dn.nspname", "d.dictname") " ORDER BY cm.mapseqno) AS dictionaries"
	"   FROM pg_ts_config_map cm JOIN ts_token_type(c.cfgparser) tt ON tt.tokid = cm.maptokentype"
	"   JOIN pg_ts_dict d ON d.oid = cm.mapdict JOIN pg_namespace dn ON dn.oid = d.dictnamespace"
	"   WHERE cm.mapcfg = c.oid GROUP BY tt.alias) AS m) AS mappings"
	" FROM pg_ts_config c JOIN pg_namespace n ON n.oid = c.cfgnamespace"
	" JOIN pg_ts_parser p ON p.oid = c.cfgparser JOIN pg_namespace pn ON pn.oid = p.prsnamespace"
	" WHERE " USER_SCHEMA
};
