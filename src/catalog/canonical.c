#include "postgres.h"

#include "catalog/batch.h"

char *
catalog_canonical_expression(char *deparsed)
{
	return deparsed;
}
