/*-------------------------------------------------------------------------
 *
 * hide.c
 *	  What of a print its reader may see.
 *
 * The rule is that of the view pg_stats: statistics of a column are for who
 * may SELECT it now, in a table whose row security does not restrict them.  A
 * relation of which the reader may not SELECT any column, or which is gone, is
 * not there at all; nor is anything of another database's print.  Members of
 * pg_read_all_data and superusers see everything.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "print/print_internal.h"
#include "store/store.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/syscache.h"

static bool
sees_everything(void)
{
	return superuser() || has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_DATA);
}

static bool
sees_table(Oid relid)
{
	return pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
}

static bool
sees_relation(const DriftEntry *entry)
{
	if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(entry->oid)))
		return false;
	return sees_table(entry->oid) ||
		pg_attribute_aclcheck_all(entry->oid, GetUserId(), ACL_SELECT, ACLMASK_ANY) == ACLCHECK_OK;
}

static bool
sees_column(Oid relid, const char *column)
{
	AttrNumber	attnum = get_attnum(relid, column);

	return attnum != InvalidAttrNumber &&
		pg_attribute_aclcheck(relid, attnum, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
}

/*
 * The profile without the columns that may not be seen.  Blocks that speak of
 * several columns at once go with the first column that goes.
 */
static Jsonb *
visible_profile(Oid relid, Jsonb *profile)
{
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbValue	v;
	ModelBuilder b = {0};

	model_object_begin(&b);
	model_key(&b, "columns");
	model_object_begin(&b);
	if (model_container_in(&profile->root, "columns") != NULL)
	{
		it = JsonbIteratorInit(model_container_in(&profile->root, "columns"));
		while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
		{
			if (token == WJB_KEY)
			{
				char	   *column = pnstrdup(v.val.string.val, v.val.string.len);

				(void) JsonbIteratorNext(&it, &v, true);
				if (sees_column(relid, column))
					model_put_value(&b, column, &v);
			}
		}
	}
	model_object_end(&b);
	model_object_end(&b);
	return model_finish(&b);
}

static void
load_visible(DriftPrint *print, DriftEntry **entries, int n, bool profiles)
{
	print->load_all(print, entries, n, profiles);
	if (!profiles)
		return;
	for (int i = 0; i < n; i++)
	{
		Oid			relid = entries[i]->oid;

		if (entries[i]->profile == NULL || !model_is_relation_family(entries[i]->family))
			continue;
		if (check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		{
			entries[i]->profile = NULL;
			entries[i]->profile_id = 0;
			entries[i]->count_method = DRIFT_COUNT_NONE;
		}
		else if (!sees_table(relid))
		{
			MemoryContext old = MemoryContextSwitchTo(print->context);

			entries[i]->profile = visible_profile(relid, entries[i]->profile);
			MemoryContextSwitchTo(old);
		}
	}
}

void
print_hide(DriftPrint *print)
{
	int			kept = 0;
	bool		here = print->system_identifier != 0 && print->database == MyDatabaseId;

	if (sees_everything())
		return;
	for (int i = 0; i < print->nentries; i++)
	{
		DriftEntry *entry = &print->entries[i];

		if (here && (!model_is_relation_family(entry->family) || sees_relation(entry)))
			print->entries[kept++] = *entry;
	}
	print->nentries = kept;
	print->load_all = print->load;
	if (print->load != NULL)
		print->load = load_visible;
}
