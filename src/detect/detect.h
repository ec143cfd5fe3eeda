/*-------------------------------------------------------------------------
 *
 * detect.h
 *	  What a column's values look like, and whether they must not leave.
 *
 * Pure functions: no catalog, no table, no setting.  Rules are those of
 * dbprint v1, sections 4.1 (looks_like), 4.4 (sensitivity) and 4.5
 * (epoch_unit).
 *
 *-------------------------------------------------------------------------
 */
#ifndef DRIFTPRINT_DETECT_H
#define DRIFTPRINT_DETECT_H

#include "postgres.h"

/* Patterns in their order of priority (section 4.1.4). */
typedef enum DetectPattern
{
	PATTERN_UUID, PATTERN_EMAIL, PATTERN_URL, PATTERN_URN, PATTERN_CONTENT_TYPE, PATTERN_IP,
	PATTERN_MAC_ADDRESS, PATTERN_COUNTRY_CODE, PATTERN_CURRENCY_CODE, PATTERN_POSTAL_CODE,
	PATTERN_ISBN, PATTERN_EAN, PATTERN_IMEI, PATTERN_CARD_NUMBER, PATTERN_IBAN, PATTERN_BIC,
	PATTERN_PHONE, PATTERN_TIMEZONE, PATTERN_JSON, PATTERN_HEX, PATTERN_JWT, PATTERN_VIN,
	PATTERN_BASE64, PATTERN_LATLON, PATTERN_ISO8601_DURATION, PATTERN_ISO8601_DATE,
	PATTERN_ISO8601_DATETIME, PATTERN_NUMERIC_STRING, PATTERN_SEMVER, PATTERN_PATH,
	PATTERN_FILENAME, PATTERN_PROSE,
	PATTERN_COUNT,
	PATTERN_NONE = PATTERN_COUNT
} DetectPattern;

extern const char *detect_pattern_name(DetectPattern pattern);

/* The first pattern in order of priority that the value has. */
extern DetectPattern detect_value(const char *value);

/* Whether the value has one pattern, whatever stands above it. */
extern bool detect_matches(DetectPattern pattern, const char *value);

/* A tally over sampled values. */
typedef struct DetectTally
{
	int64		sampled;
	int64		matched[PATTERN_COUNT];
	int64		seconds;		/* whole numbers in the window of epoch seconds */
	int64		milliseconds;
	int64		ssn;			/* dashed US social security numbers */
} DetectTally;

extern void detect_add(DetectTally *tally, const char *value);

/* The verdict (95%), or the candidate (50%) in its absence; PATTERN_NONE. */
extern DetectPattern detect_verdict(const DetectTally *tally);
extern DetectPattern detect_candidate(const DetectTally *tally);

/* seconds, milliseconds or NULL: by sampled values, or by a column's bounds. */
extern const char *detect_epoch(const DetectTally *tally);
extern const char *detect_epoch_bounds(double min, double max);

/*
 * The category of sensitive data that a column's name, its shape and its
 * values speak for; NULL for none.  tally may be NULL.
 */
extern const char *detect_sensitivity(const char *column, DetectPattern looks_like, const DetectTally *tally);

#endif							/* DRIFTPRINT_DETECT_H */
