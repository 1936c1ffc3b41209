// SPDX-License-Identifier: LGPL-2.1-or-later
#include "slow.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../base/base.h"
#include "../store/store.h"
#include "monotonic.h"
#include "source.h"

#define INTERVAL_NS ((int64_t)1000 * 1000000)
#define NS_PER_MS   1000000
#define NAME_SIZE   24 /* of a number, with its NUL */

struct item {
	const struct subdevice *subdevice;
	bool is_dead; /* the device is not there, and will not be before the robot is opened anew */
	struct naohw_value value;
};

/*
 * The store that they are put into is one more of those that readers never wait for; it has the
 * subdevices' numbers for names.
 */
struct slow {
	struct item *item;
	size_t count;
	struct pollfd *wait; /* the end, and for each item its button's device or none */
	struct naohw_store *store;
	uint64_t seen;
	pthread_t thread;
	bool runs;
	int end;
};

/* ---- reading ---- */

static int read_item(struct item *item, struct naohw_value *value)
{
	const struct subdevice *s = item->subdevice;

	if (subdevice_is_text(s))
		return subdevice_read_text(s, value->text, sizeof(value->text), NULL);
	return subdevice_read(s, &value->number, NULL);
}

static int64_t time_of(const struct item *item)
{
	int64_t changed = 0;

	if (item->subdevice->kind == &source_event)
		changed = source_event_time(item->subdevice);
	return changed ? changed : monotonic_ns();
}

/* What failed keeps the value that it had, and is what it is no more. */
static void look_at(struct item *item)
{
	struct naohw_value value = item->value;
	int ret = read_item(item, &value);

	if (ret == 0) {
		item->value = value;
		item->value.state = NAOHW_STATE_FRESH;
		item->value.time = time_of(item);
		return;
	}
	item->is_dead = ret == -ENODEV || ret == -ENOENT;
	if (ret == -EIO || ret == -EREMOTEIO)
		item->value.state = NAOHW_STATE_FAULTY;
	else if (item->value.time)
		item->value.state = NAOHW_STATE_STALE;
}

static void look(struct slow *slow, bool events_only)
{
	for (size_t i = 0; i < slow->count; i++) {
		struct item *item = &slow->item[i];

		if (item->is_dead || (events_only && item->subdevice->kind != &source_event))
			continue;
		look_at(item);
		store_put(slow->store, i, &item->value);
		/* A device that is gone would wake us for ever. */
		if (item->is_dead)
			slow->wait[i + 1].fd = -1;
	}
	naohw_store_publish(slow->store);
}

/* ---- the thread ---- */

/* What is opened here is opened in the thread, too, as it takes its time. */
static void find_descriptors(struct slow *slow)
{
	for (size_t i = 0; i < slow->count; i++) {
		const struct subdevice *s = slow->item[i].subdevice;
		int fd = s->kind == &source_event ? source_event_descriptor(s) : -1;

		slow->wait[i + 1] = (struct pollfd){ .fd = fd < 0 ? -1 : fd, .events = POLLIN };
	}
}

static int ms_until(int64_t time)
{
	int64_t rest = time - monotonic_ns();

	return rest > 0 ? (int)((rest + NS_PER_MS - 1) / NS_PER_MS) : 0;
}

static void *run(void *data)
{
	struct slow *slow = data;
	int64_t next = 0;

	find_descriptors(slow);
	while (!slow->wait[0].revents) {
		bool is_time = monotonic_ns() >= next;

		look(slow, !is_time);
		if (is_time)
			next = monotonic_ns() + INTERVAL_NS;
		(void)poll(slow->wait, slow->count + 1, ms_until(next));
	}
	return NULL;
}

/* Signals are for the program's own threads. */
static int start(struct slow *slow)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&slow->thread, NULL, run, slow);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	slow->runs = ret == 0;
	return -ret;
}

/* ---- for the one with the frames ---- */

static int make_store(struct slow *slow, struct naohw_error *err)
{
	struct store_key *keys = calloc(slow->count, sizeof(*keys));
	char(*names)[NAME_SIZE] = calloc(slow->count, sizeof(*names));
	int ret = -ENOMEM;

	for (size_t i = 0; keys && names && i < slow->count; i++) {
		snprintf(names[i], NAME_SIZE, "%zu", i);
		keys[i].name = names[i];
		keys[i].type = subdevice_is_text(slow->item[i].subdevice) ? NAOHW_KEY_STRING
									  : NAOHW_KEY_FLOAT;
	}
	if (keys && names)
		ret = store_create(keys, slow->count, &slow->store, err);
	else
		fail(err, ret, "out of memory");
	free(names);
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
	slow->end = eventfd(0, EFD_CLOEXEC);
	slow->wait[0] = (struct pollfd){ .fd = slow->end, .events = POLLIN };
	ret = slow->end < 0 ? -errno : start(slow);
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
	naohw_store_close(slow->store);
	free(slow->wait);
	free(slow->item);
	free(slow);
}

bool slow_has_news(struct slow *slow)
{
	uint64_t sequence = naohw_store_sequence(slow->store);
	bool news = sequence != slow->seen;

	slow->seen = sequence;
	return news;
}

/* One that was overtaken keeps the value that it has until the next time. */
void slow_get(const struct slow *slow, size_t index, struct naohw_value *value)
{
	(void)naohw_store_read(slow->store, index, value);
}
