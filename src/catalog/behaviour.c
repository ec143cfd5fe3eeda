/*-------------------------------------------------------------------------
 *
 * behaviour.c
 *	  Triggers, rules and row-security policies as parts of their relation.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/batch.h"
#include "executor/spi.h"

static const char triggers_sql[] =
"SELECT t.tgrelid, t.tgname, pg_get_triggerdef(t.oid), t.tgenabled, t.tgparentid <> 0,"
" n.nspname, p.proname, d.description"
" FROM pg_trigger t"
" JOIN pg_proc p ON p.oid = t.tgfoid"
" JOIN pg_namespace n ON n.oid = p.pronamespace"
" LEFT JOIN pg_description d ON d.objoid = t.oid AND d.objsubid = 0"
"   AND d.classoid = 'pg_trigger'::regclass"
" WHERE t.tgrelid = ANY ($1) AND NOT t.tgisinternal";

enum
{
	TRG_RELID = 1, TRG_NAME, TRG_DEFINITION, TRG_ENABLED, TRG_ISCHILD, TRG_FUNCTION_SCHEMA,
	TRG_FUNCTION_NAME, TRG_COMMENT
};

static const char rules_sql[] =
"SELECT r.ev_class, r.rulename, pg_get_ruledef(r.oid), r.ev_enabled, d.description"
" FROM pg_rewrite r"
" LEFT JOIN pg_description d ON d.objoid = r.oid AND d.objsubid = 0"
"   AND d.classoid = 'pg_rewrite'::regclass"
" WHERE r.ev_class = ANY ($1) AND r.rulename <> '_RETURN'";

enum
{
	RUL_RELID = 1, RUL_NAME, RUL_DEFINITION, RUL_ENABLED, RUL_COMMENT
};

static const char policies_sql[] =
"SELECT p.polrelid, p.polname, p.polcmd, p.polpermissive,"
" (SELECT array_agg(CASE r WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(r)::text END"
"    ORDER BY CASE r WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(r)::text END COLLATE \"C\")"
"  FROM unnest(p.polroles) r),"
" pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid), d.description"
" FROM pg_policy p"
" LEFT JOIN pg_description d ON d.objoid = p.oid AND d.objsubid = 0"
"   AND d.classoid = 'pg_policy'::regclass"
" WHERE p.polrelid = ANY ($1)";

enum
{
	POL_RELID = 1, POL_NAME, POL_COMMAND, POL_PERMISSIVE, POL_ROLES, POL_USING, POL_CHECK, POL_COMMENT
};

static const char *
enabled_name(char enabled)
{
	switch (enabled)
	{
		case 'D':
			return "disabled";
		case 'R':
			return "replica";
		case 'A':
			return "always";
	}
	return NULL;				/* 'O', the default */
}

static const char *
command_name(char command)
{
	switch (command)
	{
		case 'r':
			return "SELECT";
		case 'a':
			return "INSERT";
		case 'w':
			return "UPDATE";
		case 'd':
			return "DELETE";
	}
	return "ALL";
}

static void
put_expression(ModelBuilder *b, const char *key, char *expression)
{
	if (expression != NULL)
		model_put_text(b, key, catalog_canonical_expression(expression));
}

void
batch_read_triggers(Batch *batch)
{
	catalog_query(triggers_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		ModelBuilder b = {0};
		char	   *name = catalog_text(row, TRG_NAME);

		batch_part_begin(&b, "trigger", name);
		put_expression(&b, "definition", catalog_text(row, TRG_DEFINITION));
		batch_put_name(&b, "function", catalog_text(row, TRG_FUNCTION_SCHEMA),
					   catalog_text(row, TRG_FUNCTION_NAME));
		model_put_text(&b, "enabled", enabled_name(catalog_char(row, TRG_ENABLED)));
		model_put_true(&b, "inherited", catalog_bool(row, TRG_ISCHILD));
		model_put_text(&b, "comment", catalog_text(row, TRG_COMMENT));
		batch_add_part(batch_find(batch, catalog_oid(row, TRG_RELID)), "trigger", name, 0, &b);
	}
}

void
batch_read_rules(Batch *batch)
{
	catalog_query(rules_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		ModelBuilder b = {0};
		char	   *name = catalog_text(row, RUL_NAME);

		batch_part_begin(&b, "rule", name);
		put_expression(&b, "definition", catalog_text(row, RUL_DEFINITION));
		model_put_text(&b, "enabled", enabled_name(catalog_char(row, RUL_ENABLED)));
		model_put_text(&b, "comment", catalog_text(row, RUL_COMMENT));
		batch_add_part(batch_find(batch, catalog_oid(row, RUL_RELID)), "rule", name, 0, &b);
	}
}

void
batch_read_policies(Batch *batch)
{
	catalog_query(policies_sql, batch->oids);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		ModelBuilder b = {0};
		char	   *name = catalog_text(row, POL_NAME);

		batch_part_begin(&b, "policy", name);
		model_put_text(&b, "command", command_name(catalog_char(row, POL_COMMAND)));
		model_put_bool(&b, "permissive", catalog_bool(row, POL_PERMISSIVE));
		model_put_texts(&b, "roles", catalog_texts(row, POL_ROLES));
		put_expression(&b, "using", catalog_text(row, POL_USING));
		put_expression(&b, "check", catalog_text(row, POL_CHECK));
		model_put_text(&b, "comment", catalog_text(row, POL_COMMENT));
		batch_add_part(batch_find(batch, catalog_oid(row, POL_RELID)), "policy", name, 0, &b);
	}
}
