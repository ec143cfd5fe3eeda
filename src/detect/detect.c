/*-------------------------------------------------------------------------
 *
 * detect.c
 *	  Verdicts over a column's sampled values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "detect/detect.h"

/* Windows of an epoch, about 32 years each (section 4.5.1). */
#define SECONDS_LOW 1e9
#define SECONDS_HIGH 2e9
#define MILLISECONDS_LOW 1e12
#define MILLISECONDS_HIGH 2e12

static bool
is_whole_number(const char *value, double *number)
{
	const char *c = *value == '-' ? value + 1 : value;

	if (*c == '\0' || strlen(c) > 15 || strspn(c, "0123456789") != strlen(c))
		return false;
	*number = strtod(value, NULL);
	return true;
}

/* ddd-dd-dddd without areas, groups and serials that are never issued. */
static bool
is_ssn(const char *v)
{
	if (strlen(v) != 11 || v[3] != '-' || v[6] != '-')
		return false;
	for (int i = 0; i < 11; i++)
		if (i != 3 && i != 6 && (v[i] < '0' || v[i] > '9'))
			return false;
	return strncmp(v, "000", 3) != 0 && strncmp(v, "666", 3) != 0 && v[0] != '9' &&
		strncmp(v + 4, "00", 2) != 0 && strcmp(v + 7, "0000") != 0;
}

void
detect_add(DetectTally *tally, const char *value)
{
	DetectPattern pattern = detect_value(value);
	double		number;

	tally->sampled++;
	if (pattern != PATTERN_NONE)
		tally->matched[pattern]++;
	if (is_whole_number(value, &number))
	{
		tally->seconds += number >= SECONDS_LOW && number <= SECONDS_HIGH;
		tally->milliseconds += number >= MILLISECONDS_LOW && number <= MILLISECONDS_HIGH;
	}
	tally->ssn += is_ssn(value);
}

/* The most frequent pattern; of two the one with priority. */
static DetectPattern
best(const DetectTally *tally)
{
	DetectPattern found = PATTERN_NONE;

	for (int i = 0; i < PATTERN_COUNT; i++)
		if (tally->matched[i] > (found == PATTERN_NONE ? 0 : tally->matched[found]))
			found = (DetectPattern) i;
	return found;
}

DetectPattern
detect_verdict(const DetectTally *tally)
{
	DetectPattern found = best(tally);

	return found != PATTERN_NONE && tally->matched[found] >= 0.95 * tally->sampled ? found : PATTERN_NONE;
}

DetectPattern
detect_candidate(const DetectTally *tally)
{
	DetectPattern found = best(tally);

	if (found == PATTERN_NONE || detect_verdict(tally) != PATTERN_NONE)
		return PATTERN_NONE;
	return tally->matched[found] >= 0.50 * tally->sampled ? found : PATTERN_NONE;
}

const char *
detect_epoch(const DetectTally *tally)
{
	if (tally->sampled == 0)
		return NULL;
	if (tally->seconds >= 0.95 * tally->sampled)
		return "seconds";
	return tally->milliseconds >= 0.95 * tally->sampled ? "milliseconds" : NULL;
}

const char *
detect_epoch_bounds(double min, double max)
{
	if (min != floor(min) || max != floor(max))
		return NULL;
	if (min >= SECONDS_LOW && max <= SECONDS_HIGH)
		return "seconds";
	return min >= MILLISECONDS_LOW && max <= MILLISECONDS_HIGH ? "milliseconds" : NULL;
}
