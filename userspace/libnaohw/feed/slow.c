// SPDX-License-Identifier: LGPL-2.1-or-later
#include "slow.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "../store/store.h"
#include "monotonic.h"

#define INTERVAL_NS ((int64_t)1000 * 1000000)
/* How often all is looked at where the kernel refuses to wait */
#define REFUSED_MS  100
/* When nothing has been read for so long, a reading hangs. */
#define LATE_MS	    5000

struct item {
	const struct subdevice *subdevice;
	bool is_dead; /* the device is not there, and will not be before the robot is opened anew */
	struct naohw_value value;
};

/* The store that they are put into is one more of those that readers never wait for. */
struct slow {
	struct item *item;
	size_t count;
	struct pollfd *wait; /* the end, and for each item its button's device or none */
	struct buttons *buttons;
	struct naohw_store *store;
	uint64_t seen;
	bool was_late;
	pthread_t thread;
	bool runs;
	int end;
};

/* ---- reading ---- */

static bool is_event(const struct item *item)
{
	return item->subdevice->kind == &source_event;
}

/* A button's time is that of its last change, until there is none that of the reading. */
static int read_event(struct slow *slow, const struct item *item, struct naohw_value *value)
{
	double device;
	int64_t changed;
	int ret = source_event_look(&slow->buttons, item->subdevice, &device, &changed);

	if (ret < 0)
		return ret;
	store_number(value, subdevice_from_device(item->subdevice, device));
	if (changed)
		value->time = changed;
	else if (!value->time)
		value->time = monotonic_ns();
	return 0;
}

static int read_number(const struct subdevice *s, struct naohw_value *value)
{
	double number;
	int ret = subdevice_read(s, &number, NULL);

	if (ret == 0)
		store_number(value, number);
	return ret;
}

static int read_item(struct slow *slow, const struct item *item, struct naohw_value *value)
{
	const struct subdevice *s = item->subdevice;
	int ret;

	if (is_event(item))
		return read_event(slow, item, value);
	if (subdevice_is_text(s))
		ret = subdevice_read_text(s, value->text, sizeof(value->text), NULL);
	else
		ret = read_number(s, value);
	value->time = monotonic_ns();
	return ret;
}

static enum naohw_state state_after(const struct item *item, int ret)
{
	if (ret == -EIO || ret == -EREMOTEIO)
		return NAOHW_STATE_FAULTY;
	return item->value.time ? NAOHW_STATE_STALE : NAOHW_STATE_ABSENT;
}

/* A button's device comes late, and comes back; whether it has this button is known once. */
static bool is_for_ever(const struct item *item, int ret)
{
	return ret == -ENOENT || (ret == -ENODEV && !is_event(item));
}

/* The descriptor is another one, or none, when the device was opened meanwhile, or has gone. */
static void wait_at(struct slow *slow, size_t index)
{
	const struct item *item = &slow->item[index];
	int fd = -1;

	if (is_event(item) && !item->is_dead)
		fd = source_event_descriptor(&slow->buttons, item->subdevice);
	slow->wait[index + 1] = (struct pollfd){ .fd = fd < 0 ? -1 : fd, .events = POLLIN };
}

/* What failed keeps the value that it had, and is what it is no more. */
static void look_at(struct slow *slow, size_t index)
{
	struct item *item = &slow->item[index];
	struct naohw_value value = item->value;
	int ret;

	if (item->is_dead)
		return;
	ret = read_item(slow, item, &value);
	if (ret == 0) {
		item->value = value;
		item->value.state = NAOHW_STATE_FRESH;
	} else {
		item->is_dead = is_for_ever(item, ret);
		item->value.state = state_after(item, ret);
	}
	store_put(slow->store, index, &item->value);
	wait_at(slow, index);
}

/* ---- the thread ---- */

static void look_at_events(struct slow *slow)
{
	for (size_t i = 0; i < slow->count; i++)
		if (is_event(&slow->item[i]))
			look_at(slow, i);
	naohw_store_publish(slow->store);
}

static bool is_to_end(const struct slow *slow)
{
	uint64_t count;

	return read(slow->end, &count, sizeof(count)) == sizeof(count);
}

/* As poll() of more descriptors than the process may have is (RLIMIT_NOFILE), or without memory. */
static void do_without_poll(int ms)
{
	(void)poll(NULL, 0, ms < REFUSED_MS ? ms : REFUSED_MS);
}

/* Waits until @ms have passed, or something has happened. false: it is to end. */
static bool wait_for(struct slow *slow, int ms)
{
	int ret = poll(slow->wait, slow->count + 1, ms);
	bool is_refused = ret < 0 && errno != EINTR;

	if (is_refused)
		do_without_poll(ms);
	if (is_to_end(slow))
		return false;
	if (ret > 0 || is_refused)
		look_at_events(slow);
	return true;
}

/* Between two of them, which may each take as long as a board is silent, comes what is quick. */
static bool look_at_all(struct slow *slow)
{
	for (size_t i = 0; i < slow->count; i++) {
		if (is_event(&slow->item[i]))
			continue;
		look_at(slow, i);
		naohw_store_publish(slow->store);
		if (!wait_for(slow, 0))
			return false;
	}
	return true;
}

static void *run(void *data)
{
	struct slow *slow = data;
	bool goes_on;

	do {
		int64_t next = monotonic_ns() + INTERVAL_NS;

		look_at_events(slow);
		goes_on = look_at_all(slow);
		while (goes_on && monotonic_ns() < next)
			goes_on = wait_for(slow, monotonic_ms_until(next));
	} while (goes_on);
	return NULL;
}

/* ---- for the one with the frames ---- */

static int make_store(struct slow *slow, struct naohw_error *err)
{
	struct store_key *keys = calloc(slow->count, sizeof(*keys));
	int ret;

	if (!keys)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < slow->count; i++) {
		const struct subdevice *s = slow->item[i].subdevice;

		keys[i].name = s->name;
		keys[i].type = s->type;
	}
	ret = store_create(keys, slow->count, &slow->store, err);
	free(keys);
	return ret;
}

static int build(struct slow *slow, const struct subdevice *const *subdevices, size_t count,
		 struct naohw_error *err)
{
	int ret;

	slow->item = calloc(count, sizeof(*slow->item));
	slow->wait = calloc(count + 1, sizeof(*slow->wait));
	if (!slow->item || !slow->wait)
		return fail(err, -ENOMEM, "out of memory");
	slow->count = count;
	for (size_t i = 0; i < count; i++)
		slow->item[i] = (struct item){ .subdevice = subdevices[i], .value.number = NAN };
	ret = make_store(slow, err);
	if (ret < 0)
		return ret;
	slow->end = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	for (size_t i = 0; i <= count; i++)
		slow->wait[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	slow->wait[0].fd = slow->end;
	ret = slow->end < 0 ? -errno : thread_begin(&slow->thread, run, slow);
	slow->runs = ret == 0;
	return ret < 0 ? fail(err, ret, "no thread for what is slow: %s", error_text(ret)) : 0;
}

int slow_begin(const struct subdevice *const *subdevices, size_t count, struct slow **out,
	       struct naohw_error *err)
{
	struct slow *slow = calloc(1, sizeof(*slow));
	int ret;

	if (!slow)
		return fail(err, -ENOMEM, "out of memory");
	slow->end = -1;
	ret = build(slow, subdevices, count, err);
	if (ret < 0) {
		slow_end(slow);
		return ret;
	}
	*out = slow;
	return 0;
}

void slow_end(struct slow *slow)
{
	const uint64_t once = 1;

	if (!slow)
		return;
	if (slow->runs && write(slow->end, &once, sizeof(once)) == sizeof(once))
		pthread_join(slow->thread, NULL);
	if (slow->end >= 0)
		close(slow->end);
	source_events_end(&slow->buttons);
	naohw_store_close(slow->store);
	free(slow->wait);
	free(slow->item);
	free(slow);
}

bool slow_has_news(struct slow *slow)
{
	uint64_t sequence = naohw_store_sequence(slow->store);
	bool is_late = naohw_store_check(slow->store, LATE_MS) < 0;
	bool news = sequence != slow->seen || is_late != slow->was_late;

	slow->seen = sequence;
	slow->was_late = is_late;
	return news;
}

/* One that was overtaken keeps the value that it has until the next time. */
void slow_get(const struct slow *slow, size_t index, struct naohw_value *value)
{
	(void)naohw_store_read(slow->store, index, value);
	if (slow->was_late && value->state == NAOHW_STATE_FRESH)
		value->state = NAOHW_STATE_STALE;
}
