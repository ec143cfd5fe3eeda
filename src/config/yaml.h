/*-------------------------------------------------------------------------
 *
 * yaml.h
 *	  A YAML document as a small tree with places.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_CONFIG_YAML_H
#define DRIFTPRINT_CONFIG_YAML_H

#include "compat.h"
#include "nodes/pg_list.h"

typedef enum YamlKind
{
	YAML_TEXT,
	YAML_LIST,
	YAML_MAP
} YamlKind;

typedef struct YamlNode
{
	YamlKind	kind;
	int			line;			/* 1-based */
	int			column;
	char	   *text;			/* of a scalar */
	bool		quoted;			/* said to be a string */
	List	   *items;			/* YamlNode of a list; values of a map */
	List	   *keys;			/* YamlNode, beside items, of a map */
} YamlNode;

/*
 * Parse one document of at most max_bytes.  Aliases, duplicate keys, a second
 * document, excessive depth and anything that is not YAML are refused with
 * line and column (ERRCODE_DRIFT_CONFIG).  NULL for an empty document.
 */
extern YamlNode *yaml_parse(const char *text, Size max_bytes);

/* The value of a map's key; NULL when it is not there. */
extern YamlNode *yaml_get(const YamlNode *map, const char *key);

/* ": line L, column C" raised with what is wrong there and what to do. */
pg_noreturn extern void yaml_error(const YamlNode *where, const char *hint, const char *format,...)
			pg_attribute_printf(3, 4);

#endif							/* DRIFTPRINT_CONFIG_YAML_H */
