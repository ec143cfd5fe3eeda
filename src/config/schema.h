/*-------------------------------------------------------------------------
 *
 * schema.h
 *	  Which keys there are; private to the config room.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_CONFIG_SCHEMA_H
#define DRIFTPRINT_CONFIG_SCHEMA_H

#include "config/config.h"
#include "config/yaml.h"

typedef enum KeyType
{
	KEY_FLAG,
	KEY_COUNT,					/* a whole number within bounds */
	KEY_NUMBER,
	KEY_TEXT,
	KEY_WORD,					/* one of some words */
	KEY_TEXTS,					/* a list of texts, or one */
	KEY_PERCENTS,
	KEY_MAP,					/* of known keys */
	KEY_NAMED,					/* of names to maps of known keys */
	KEY_LIST,					/* of maps of known keys */
	KEY_ASSERTIONS
} KeyType;

typedef struct KeySpec
{
	const char *name;			/* NULL ends a table */
	KeyType		type;
	double		min;
	double		max;
	const char *const *words;	/* NULL-terminated */
	const struct KeySpec *keys;
} KeySpec;

/* What may stand at the top, raised with the place when something else does. */
extern void schema_check(const YamlNode *root);

/* Scalars, checked before. */
extern bool schema_flag(const YamlNode *node);
extern double schema_number(const YamlNode *node);
extern List *schema_texts(const YamlNode *node);
extern bool schema_is_number(const YamlNode *node, double *value);

#endif							/* DRIFTPRINT_CONFIG_SCHEMA_H */
