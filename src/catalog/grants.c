/*-------------------------------------------------------------------------
 *
 * grants.c
 *	  Access privileges in canonical form.
 *
 * One element a grantee and privilege, sorted by both; who granted it is not
 * part of it.  A null ACL and an ACL that says what the built-in default says
 * are the same: nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/catalog.h"
#include "catalog/pg_authid.h"
#include "miscadmin.h"
#include "utils/acl.h"

typedef struct Grant
{
	const char *grantee;
	const char *privilege;
	bool		grantable;
} Grant;

static const struct
{
	AclMode		bit;
	const char *name;
}			privileges[] =
{
	{ACL_INSERT, "INSERT"},
	{ACL_SELECT, "SELECT"},
	{ACL_UPDATE, "UPDATE"},
	{ACL_DELETE, "DELETE"},
	{ACL_TRUNCATE, "TRUNCATE"},
	{ACL_REFERENCES, "REFERENCES"},
	{ACL_TRIGGER, "TRIGGER"},
	{ACL_EXECUTE, "EXECUTE"},
	{ACL_USAGE, "USAGE"},
	{ACL_CREATE, "CREATE"},
	{ACL_CREATE_TEMP, "TEMPORARY"},
	{ACL_CONNECT, "CONNECT"},
	{ACL_SET, "SET"},
	{ACL_ALTER_SYSTEM, "ALTER SYSTEM"},
#ifdef ACL_MAINTAIN
	{ACL_MAINTAIN, "MAINTAIN"},
#endif
};

static int
compare_grants(const void *a, const void *b)
{
	const Grant *ga = a;
	const Grant *gb = b;
	int			c = strcmp(ga->grantee, gb->grantee);

	return c != 0 ? c : strcmp(ga->privilege, gb->privilege);
}

/* Expand an ACL; the same privilege from two grantors is one grant. */
static Grant *
expand(const Acl *acl, int *ngrants)
{
	AclItem    *items = ACL_DAT(acl);
	Grant	   *grants = palloc(sizeof(Grant) * (ACL_NUM(acl) * lengthof(privileges) + 1));
	int			n = 0;
	int			kept = 0;

	for (int i = 0; i < ACL_NUM(acl); i++)
	{
		const char *grantee = items[i].ai_grantee == ACL_ID_PUBLIC ? "PUBLIC" :
			GetUserNameFromId(items[i].ai_grantee, true);

		if (grantee == NULL)	/* the role is gone, its privileges are dust */
			continue;
		for (int p = 0; p < lengthof(privileges); p++)
			if (ACLITEM_GET_PRIVS(items[i]) & privileges[p].bit)
			{
				grants[n].grantee = grantee;
				grants[n].privilege = privileges[p].name;
				grants[n].grantable = (ACLITEM_GET_GOPTIONS(items[i]) & privileges[p].bit) != 0;
				n++;
			}
	}
	qsort(grants, n, sizeof(Grant), compare_grants);
	for (int i = 0; i < n; i++)
	{
		if (kept > 0 && compare_grants(&grants[kept - 1], &grants[i]) == 0)
			grants[kept - 1].grantable |= grants[i].grantable;
		else
			grants[kept++] = grants[i];
	}
	*ngrants = kept;
	return grants;
}

static bool
same_grants(const Grant *a, int na, const Grant *b, int nb)
{
	if (na != nb)
		return false;
	for (int i = 0; i < na; i++)
		if (compare_grants(&a[i], &b[i]) != 0 || a[i].grantable != b[i].grantable)
			return false;
	return true;
}

/*
 * An ACL that grants nothing at all, where the default grants something, is
 * an empty array: it is a difference from the default.
 */
void
catalog_put_grants(ModelBuilder *b, Acl *acl, ObjectType type, Oid owner)
{
	Grant	   *grants;
	Grant	   *defaults;
	int			n;
	int			ndefaults;

	if (acl == NULL)
		return;
	grants = expand(acl, &n);
	defaults = expand(acldefault(type, owner), &ndefaults);
	if (same_grants(grants, n, defaults, ndefaults))
		return;

	model_key(b, "grants");
	model_array_begin(b);
	for (int i = 0; i < n; i++)
	{
		model_object_begin(b);
		model_put_text(b, "grantee", grants[i].grantee);
		model_put_text(b, "privilege", grants[i].privilege);
		model_put_true(b, "grantable", grants[i].grantable);
		model_object_end(b);
	}
	model_array_end(b);
}
