// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A tone of a board's buzzer: how many Hz, and for how many seconds. A thread ends it then; and the
 * kernel ends it with the program, however that dies.
 */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/base.h"
#include "../io/io.h"
#include "monotonic.h"
#include "source.h"

#define FREQUENCY   "Buzzer/Frequency/Actuator"
#define DURATION    "Buzzer/Duration/Actuator"
#define NS_PER_S    1000000000
#define SECONDS	    0.5 /* until another duration is set */
#define SECONDS_MIN 0.01
#define SECONDS_MAX 60.0

/* A buzzer, as its two subdevices share it. */
struct tone {
	struct tone *next;
	const char *label;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* what its thread waits for has */
	pthread_t thread;
	bool runs;
	bool is_to_end;
	int fd;	       /* -1: it is silent */
	atomic_int hz; /* 0: the same */
	double seconds;
	int64_t begun; /* in ns, from which the seconds count */
};

struct own_tone {
	struct tone *tone;
	bool is_frequency;
};

/* ---- with its lock ---- */

static void silence(struct tone *tone)
{
	atomic_store(&tone->hz, 0);
	if (tone->fd >= 0)
		close(tone->fd);
	tone->fd = -1;
}

static void wait_until(struct tone *tone, int64_t end)
{
	const struct timespec time = { .tv_sec = end / NS_PER_S, .tv_nsec = end % NS_PER_S };

	pthread_cond_timedwait(&tone->changed, &tone->lock, &time);
}

static void *run(void *data)
{
	struct tone *tone = data;

	pthread_mutex_lock(&tone->lock);
	while (!tone->is_to_end) {
		int64_t end = tone->begun + (int64_t)(tone->seconds * NS_PER_S);

		if (tone->fd < 0)
			pthread_cond_wait(&tone->changed, &tone->lock);
		else if (monotonic_ns() < end)
			wait_until(tone, end);
		else
			silence(tone);
	}
	silence(tone);
	pthread_mutex_unlock(&tone->lock);
	return NULL;
}

static int need_thread(struct tone *tone)
{
	int ret = tone->runs ? 0 : thread_begin(&tone->thread, run, tone);

	tone->runs = ret == 0;
	return ret;
}

/* A board that has been away meanwhile has another device now. */
static int have_sound(struct tone *tone, int hz)
{
	if (tone->fd >= 0 && buzzer_sound(tone->fd, hz) == 0)
		return 0;
	silence(tone);
	tone->fd = buzzer_open(tone->label);
	return tone->fd < 0 ? tone->fd : buzzer_sound(tone->fd, hz);
}

static int begin(struct tone *tone, int hz)
{
	int ret = need_thread(tone);

	if (ret == 0)
		ret = have_sound(tone, hz);
	if (ret < 0) {
		silence(tone);
		return ret;
	}
	atomic_store(&tone->hz, hz);
	tone->begun = monotonic_ns();
	return 0;
}

static int set_frequency(struct tone *tone, int hz)
{
	if (hz)
		return begin(tone, hz);
	silence(tone);
	return 0;
}

/* ---- for the subdevices ---- */

static struct tone *find_tone(struct tone *tone, const char *label)
{
	while (tone && strcmp(tone->label, label) != 0)
		tone = tone->next;
	return tone;
}

static struct tone *add_tone(struct tone **list, const char *label)
{
	struct tone *tone = calloc(1, sizeof(*tone));
	pthread_condattr_t attributes;

	if (!tone)
		return NULL;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&tone->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_init(&tone->lock, NULL);
	tone->label = label;
	tone->fd = -1;
	tone->seconds = SECONDS;
	tone->next = *list;
	*list = tone;
	return tone;
}

static int check(struct subdevice *s, const struct preference *tone, struct naohw_error *err)
{
	struct own_tone *own = s->own;

	own->is_frequency = text_ends_with(s->name, "/" FREQUENCY);
	if (!own->is_frequency && !text_ends_with(s->name, "/" DURATION))
		return source_wrong(tone, "none but in .../" FREQUENCY " and .../" DURATION, err);
	if (strcmp(s->source, "buzzer") != 0)
		return source_wrong(tone, "\"buzzer\"", err);
	own->tone = find_tone(s->robot->tones, s->label);
	if (!own->tone)
		own->tone = add_tone(&s->robot->tones, s->label);
	return own->tone ? 0 : fail(err, -ENOMEM, "out of memory");
}

bool source_is_tone(const struct subdevice *s)
{
	const struct own_tone *own = s->own;

	return s->kind == &source_tone && own->is_frequency;
}

double source_tone_hz(const struct subdevice *s)
{
	const struct own_tone *own = s->own;

	return atomic_load(&own->tone->hz);
}

static int read_tone(const struct subdevice *s, double *device, struct naohw_error *err)
{
	const struct own_tone *own = s->own;

	(void)err;
	if (own->is_frequency) {
		*device = source_tone_hz(s);
		return 0;
	}
	pthread_mutex_lock(&own->tone->lock);
	*device = own->tone->seconds;
	pthread_mutex_unlock(&own->tone->lock);
	return 0;
}

static int check_frequency(const struct subdevice *s, double hz, struct naohw_error *err)
{
	if (hz == 0 || (hz >= BUZZER_HZ_MIN && hz <= BUZZER_HZ_MAX))
		return 0;
	return fail(err, -EINVAL, "%s: %g Hz, expected %d to %d, or 0 to end a tone", s->name, hz,
		    BUZZER_HZ_MIN, BUZZER_HZ_MAX);
}

static int check_duration(const struct subdevice *s, double seconds, struct naohw_error *err)
{
	if (seconds >= SECONDS_MIN && seconds <= SECONDS_MAX)
		return 0;
	return fail(err, -EINVAL, "%s: %g s, expected %g to %g", s->name, seconds, SECONDS_MIN,
		    SECONDS_MAX);
}

static int set(struct tone *tone, bool is_frequency, double device)
{
	int ret = 0;

	pthread_mutex_lock(&tone->lock);
	if (is_frequency)
		ret = set_frequency(tone, (int)device);
	else
		tone->seconds = device;
	pthread_cond_signal(&tone->changed);
	pthread_mutex_unlock(&tone->lock);
	return ret;
}

static int write_tone(const struct subdevice *s, double value, struct naohw_error *err)
{
	const struct own_tone *own = s->own;
	double device = subdevice_to_device(s, value);
	int ret;

	if (own->is_frequency)
		device = round(device);
	ret = own->is_frequency ? check_frequency(s, device, err) : check_duration(s, device, err);
	if (ret < 0)
		return ret;
	ret = set(own->tone, own->is_frequency, device);
	return ret < 0 ? source_failed(s, ret, err) : 0;
}

void source_tones_end(struct tone **list)
{
	while (*list) {
		struct tone *tone = *list;

		*list = tone->next;
		pthread_mutex_lock(&tone->lock);
		tone->is_to_end = true;
		pthread_cond_signal(&tone->changed);
		pthread_mutex_unlock(&tone->lock);
		if (tone->runs)
			pthread_join(tone->thread, NULL);
		pthread_cond_destroy(&tone->changed);
		pthread_mutex_destroy(&tone->lock);
		free(tone);
	}
}

const struct source_kind source_tone = {
	.name = "Tone",
	.own_size = sizeof(struct own_tone),
	.check = check,
	.read = read_tone,
	.write = write_tone,
};
