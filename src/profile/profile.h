#ifndef DRIFTPRINT_PROFILE_H
#define DRIFTPRINT_PROFILE_H

#include "model/model.h"

typedef struct ProfileSettings
{
	double		sample;
} ProfileSettings;

typedef struct ProfileResult
{
	Jsonb	   *profile;
	int64		row_count;
	bool		row_count_exact;
	int64		rows_scanned;
} ProfileResult;

extern void profile_default_settings(ProfileSettings *settings);
extern void profile_relation(Oid relid, const ProfileSettings *settings, ProfileResult *result);

#endif
