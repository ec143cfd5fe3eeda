/*-------------------------------------------------------------------------
 *
 * walk.c
 *	  A profile's leaves, one after another.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "profile/profile.h"

/* Arrays are leaves: values, histogram and the like are one answer each. */
static void
walk_object(JsonbContainer *object, const char *prefix, const char *column, ProfileLeaf leaf, void *state)
{
	JsonbIterator *it = JsonbIteratorInit(object);
	JsonbIteratorToken token;
	JsonbValue	v;

	check_stack_depth();
	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		char	   *key;
		char	   *path;

		if (token != WJB_KEY)
			continue;
		key = pnstrdup(v.val.string.val, v.val.string.len);
		path = *prefix ? psprintf("%s.%s", prefix, key) : key;
		(void) JsonbIteratorNext(&it, &v, true);
		if (v.type == jbvBinary && JsonContainerIsObject(v.val.binary.data))
			walk_object(v.val.binary.data, path, column, leaf, state);
		else
			leaf(state, column, path, model_value_jsonb(&v));
	}
}

void
profile_walk(Jsonb *profile, ProfileLeaf leaf, void *state)
{
	JsonbIterator *it = JsonbIteratorInit(&profile->root);
	JsonbIteratorToken token;
	JsonbValue	v;

	while ((token = JsonbIteratorNext(&it, &v, true)) != WJB_DONE)
	{
		char	   *key;

		if (token != WJB_KEY)
			continue;
		key = pnstrdup(v.val.string.val, v.val.string.len);
		(void) JsonbIteratorNext(&it, &v, true);
		if (strcmp(key, "columns") != 0)
		{
			if (v.type == jbvBinary && JsonContainerIsObject(v.val.binary.data))
				walk_object(v.val.binary.data, key, NULL, leaf, state);
			else
				leaf(state, NULL, key, model_value_jsonb(&v));
			continue;
		}
		if (v.type == jbvBinary)
		{
			JsonbIterator *columns = JsonbIteratorInit(v.val.binary.data);
			JsonbValue	c;

			while ((token = JsonbIteratorNext(&columns, &c, true)) != WJB_DONE)
				if (token == WJB_KEY)
				{
					char	   *column = pnstrdup(c.val.string.val, c.val.string.len);

					(void) JsonbIteratorNext(&columns, &c, true);
					walk_object(c.val.binary.data, "", column, leaf, state);
				}
		}
	}
}
