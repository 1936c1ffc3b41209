// SPDX-License-Identifier: LGPL-2.1-or-later
#include "live.h"

#include <string.h>

#include "host.h"

struct live_key {
	struct store_key key;
	void (*tell)(const struct dcm_host *dcm, struct naohw_value *value);
};

static void time_of(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, (double)dcm->time);
}

static void cycle_time(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, dcm->live.cycle_ms);
}

static void target_cycle_time(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, (double)naohw_frame_period(dcm->frame) / DCM_NS_PER_MS);
}

static void cycle_time_warning(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, dcm->preferences.cycle_time_warning);
}

static void cycle_time_needed(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, (double)writer_needed(dcm->writer) / DCM_NS_PER_MS);
}

static void error_counter(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, (double)dcm->live.errors);
}

static void error_last_time(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, (double)dcm->live.error_time);
}

static void error(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_text(value, dcm->live.trouble);
}

static void realtime(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, dcm->is_realtime);
}

static void refused(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, atomic_load(&dcm->refusals.count));
}

static const char *const streams[] = {
	[NAOHW_STREAM_RUNNING] = "running",
	[NAOHW_STREAM_RECOVERING] = "recovering",
	[NAOHW_STREAM_TRIPPED] = "tripped",
};

static void stream(const struct dcm_host *dcm, struct naohw_value *value)
{
	/* First this: when it has tripped, it is known why. */
	enum naohw_stream stream = torque_stream(dcm->torque);

	store_text(value, torque_is_limp(dcm->torque) ? LIVE_LIMP : streams[stream]);
}

/* What nobody knows cannot be relied upon to hold the robot. */
enum naohw_stream live_stream(const char *text)
{
	if (strcmp(text, streams[NAOHW_STREAM_RUNNING]) == 0)
		return NAOHW_STREAM_RUNNING;
	if (strcmp(text, streams[NAOHW_STREAM_RECOVERING]) == 0)
		return NAOHW_STREAM_RECOVERING;
	return NAOHW_STREAM_TRIPPED;
}

static void hal_time(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, (double)(dcm->live.frame_time / DCM_NS_PER_MS));
}

static void hal_cycle_time(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, dcm->live.frame_ms);
}

static void hal_ack(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, (double)dcm->live.frames);
}

static void hal_nack(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_number(value, (double)(dcm->live.missed + naohw_frame_lost(dcm->frame)));
}

static void hal_error(const struct dcm_host *dcm, struct naohw_value *value)
{
	store_text(value, dcm->live.fault);
}

#define LIVE(name, type, tell) { { name, NAOHW_KEY_##type, false }, tell }

/* NAO's names, but for CommandsRefused, CycleTimeNeeded and Stream. */
static const struct live_key rows[] = {
	LIVE("DCM/CommandsRefused", INT, refused),
	LIVE("DCM/CycleTime", FLOAT, cycle_time),
	LIVE("DCM/CycleTimeErrorCounter", INT, error_counter),
	LIVE("DCM/CycleTimeErrorLastTime", INT, error_last_time),
	LIVE(LIVE_NEEDED, FLOAT, cycle_time_needed),
	LIVE("DCM/CycleTimeWarning", INT, cycle_time_warning),
	LIVE("DCM/Error", STRING, error),
	LIVE("DCM/Realtime", INT, realtime),
	LIVE(LIVE_STREAM, STRING, stream),
	LIVE(PERIOD_NAME, FLOAT, target_cycle_time),
	LIVE(LIVE_TIME, INT, time_of),
	LIVE("HAL/Ack", INT, hal_ack),
	LIVE("HAL/CycleTime", FLOAT, hal_cycle_time),
	LIVE("HAL/Error", STRING, hal_error),
	LIVE("HAL/Nack", INT, hal_nack),
	LIVE("HAL/Time", INT, hal_time),
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

_Static_assert(ROWS <= LIVE_KEYS_MAX, "there is a slot for each");

size_t live_keys(struct store_key *keys)
{
	for (size_t i = 0; i < ROWS; i++)
		keys[i] = rows[i].key;
	return ROWS;
}

void live_find(struct live *live, const struct naohw_store *store)
{
	/* They are all there, as the store was made with them. */
	for (size_t i = 0; i < ROWS; i++)
		(void)naohw_store_find(store, rows[i].key.name, &live->slot[i]);
}

void live_tell(const struct dcm_host *dcm)
{
	for (size_t i = 0; i < ROWS; i++) {
		struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = dcm->time_ns };

		rows[i].tell(dcm, &value);
		store_put(dcm->base.store, dcm->live.slot[i], &value);
	}
}
