// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The errors of a device. Whoever asks for them looks whether there are new ones, a store's thread
 * once a second; what was before the first look nobody knows. No reading of frames takes part.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../base/base.h"
#include "../io/io.h"
#include "fault.h"
#include "monotonic.h"
#include "source.h"
#include "station.h"

#define WORDS_SIZE 128
#define TEXT_SIZE  64

/* How well it answers, by the kernel's counter of its faults */
static const struct {
	const char *state;
	enum fault_level level;
	const char *text;
} states[] = {
	{ "warning", FAULT_LIGHT_WARNING, "some answers are missing" },
	{ "passive", FAULT_WARNING, "many answers are missing" },
	{ "lost", FAULT_NOT_USABLE, "lost" },
};

#define STATES (sizeof(states) / sizeof(states[0]))

static int find(const struct subdevice *s)
{
	return station_need(s->station, s->robot);
}

static void add(struct station *station, const struct party *party, const struct fault_time *now,
		enum fault_level level, const char *what)
{
	char text[2 * TEXT_SIZE];

	snprintf(text, sizeof(text), "%s: %s", party->label, what);
	faults_add(&station->faults, now, level, text);
}

/* Has the counter grown since the last time? What cannot be read has not. */
static bool has_grown(const struct party *party, const char *file, double *last)
{
	double before = *last;

	return attribute_read_number(party->dir, file, last) == 0 && *last > before;
}

static void look_at_answers(struct station *station, struct party *party,
			    const struct fault_time *now)
{
	char state[TEXT_SIZE];

	if (has_grown(party, "statistics/nack", &party->nack) && party->seen)
		add(station, party, now, FAULT_NOT_USABLE, "no answer");
	if (attribute_read(party->dir, "state", state, sizeof(state)) < 0)
		return;
	for (size_t i = 0; i < STATES; i++)
		if (strcmp(state, states[i].state) == 0)
			add(station, party, now, states[i].level, states[i].text);
}

/* A servo says by each answer that something is wrong, only NAO's motors not of each warning. */
static bool may_tell(struct party *party)
{
	bool alerts = has_grown(party, "statistics/alerts", &party->alerts);

	return alerts || !party->seen || device_has(&party->unit->device, "motor_number");
}

static void look_at_servo(struct station *station, struct party *party,
			  const struct fault_time *now)
{
	char words[WORDS_SIZE];

	if (!party->unit || !party->unit->device.iio ||
	    !device_has(&party->unit->device, "hardware_error") || !may_tell(party))
		return;
	if (device_read(&party->unit->device, "hardware_error", words, sizeof(words)) == 0)
		faults_add_words(&station->faults, now, party->label, words);
}

static void look(struct station *station, const struct fault_time *now)
{
	for (size_t i = 0; i < station->party_count; i++) {
		struct party *party = &station->party[i];

		if (party->dir < 0)
			continue;
		look_at_servo(station, party, now);
		look_at_answers(station, party, now);
		party->seen = true;
	}
}

static int64_t real_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int read_error(const struct subdevice *s, char *text, size_t size, struct naohw_error *err)
{
	const struct fault_time now = { .monotonic = monotonic_ns(), .real = real_ns() };

	(void)err;
	pthread_mutex_lock(&s->robot->looking);
	look(s->station, &now);
	faults_print(&s->station->faults, now.monotonic, text, size);
	pthread_mutex_unlock(&s->robot->looking);
	return 0;
}

const struct source_kind source_error = {
	.name = "Error",
	.own_size = sizeof(struct late),
	.find = find,
	.read_text = read_error,
};
