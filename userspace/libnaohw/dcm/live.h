/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The keys of DCM/ and HAL/, which tell how the cycle goes. */
#ifndef NAOHW_DCM_LIVE_H
#define NAOHW_DCM_LIVE_H

#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

#include "../store/store.h"

#define LIVE_KEYS_MAX 20

/* Those that are read here, too */
#define LIVE_NEEDED "DCM/CycleTimeNeeded"
#define LIVE_STREAM "DCM/Stream"
#define LIVE_TIME   "DCM/Time"

/* The text of LIVE_STREAM when it has tripped as a person has let the robot go */
#define LIVE_LIMP "limp"

struct dcm_host;

struct live {
	size_t slot[LIVE_KEYS_MAX];
	double cycle_ms; /* from the cycle before to this one */
	double frame_ms; /* the same of their frames */
	int64_t frame_time; /* ns; 0: none yet */
	uint64_t frames;
	uint64_t missed; /* frames that did not come in time */
	uint64_t errors; /* cycles that were too long */
	int64_t error_time; /* ms, of the last of them; 0: none */
	char fault[NAOHW_TEXT_SIZE]; /* of the last frame, or "" */
	char trouble[NAOHW_TEXT_SIZE]; /* of the last pose, or "" */
};

/* For the store, which is to have them too: into room for LIVE_KEYS_MAX. */
size_t live_keys(struct store_key *keys);

/* Where they are in the store. */
void live_find(struct live *live, const struct naohw_store *store);

/* What the text of LIVE_STREAM means. */
enum naohw_stream live_stream(const char *text);

/* Put them in. */
void live_tell(const struct dcm_host *dcm);

#endif
