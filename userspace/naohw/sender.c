// SPDX-License-Identifier: GPL-2.0-or-later
#include "sender.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "interrupt.h"
#include "key_forms.h"

/* ms; for the first cycle, which may come without a frame */
#define FIRST_CYCLE  1000
/* ms; between two looks at whether it is over */
#define LOOK	     50
/* ms; a value that has not changed for so long has arrived, */
#define SETTLED	     300
/* and if it has not by then, something is wrong. */
#define SETTLE	     60000
/* So much stays free where locked memory has a limit. */
#define ROOM	     (1024 * 1024)

#define ALIAS	     "naohw-send"
#define POSITION     "/Position/Actuator"
#define HARDNESS     "/Hardness/Actuator"
#define NAME_SIZE    256

/* ---- what the store has ---- */

static bool read_key(const struct sender *sender, const char *name, double *number)
{
	const struct naohw_store *store = naohw_dcm_store(sender->dcm);
	struct naohw_value value;
	size_t slot;

	if (naohw_store_find(store, name, &slot) < 0 ||
	    naohw_store_read(store, slot, &value) < 0)
		return false;
	*number = value.number;
	return true;
}

static bool read_sent(const struct sender *sender, const char *actuator, double *number)
{
	char name[2 * NAME_SIZE];

	snprintf(name, sizeof(name), KEY_PREFIX "%s" KEY_SUFFIX, actuator);
	return read_key(sender, name, number);
}

static bool is_position(const char *actuator)
{
	size_t length = strlen(actuator);

	return length > strlen(POSITION) &&
	       strcmp(actuator + length - strlen(POSITION), POSITION) == 0;
}

/* Its joint's hardness. */
static void write_hardness(const char *position, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "%.*s" HARDNESS, (int)(strlen(position) - strlen(POSITION)),
		 position);
}

/* Then it goes where somebody turns it. */
static bool is_limp(const struct sender *sender, const char *position)
{
	char name[NAME_SIZE];
	double hardness;

	write_hardness(position, name);
	return read_sent(sender, name, &hardness) && hardness <= 0;
}

/* ---- waiting ---- */

int64_t sender_now(const struct sender *sender)
{
	return naohw_dcm_get_time(sender->dcm, -sender->zero);
}

static int check_stream(struct sender *sender)
{
	struct naohw_error err;

	if (naohw_dcm_check_stream(sender->dcm, &err) == 0)
		return STATUS_OK;
	sender->has_tripped = true;
	return complain("%s", err.message);
}

/* Until that time, in ms since the beginning, or until something can be read from @fd, or -1. */
static int wait_until(struct sender *sender, int64_t time, int fd)
{
	struct pollfd input = { .fd = fd, .events = POLLIN };

	for (;;) {
		int64_t left = time - sender_now(sender);
		int status = check_stream(sender);

		if (status != STATUS_OK)
			return status;
		if (is_interrupted())
			return STATUS_INTERRUPTED;
		if (left <= 0)
			return STATUS_OK;
		if (poll(&input, 1, left < LOOK ? (int)left : LOOK) > 0)
			return STATUS_OK;
	}
}

static int complain_of(const struct sender *sender, const char *message)
{
	if (sender->first_line == sender->last_line)
		return complain("%s:%lu: %s", sender->path, sender->last_line, message);
	return complain("%s: in the lines %lu to %lu: %s", sender->path, sender->first_line,
			sender->last_line, message);
}

/* What the cycle could not take is told afterwards. */
static int flush(struct sender *sender)
{
	struct naohw_error err;
	int status = STATUS_OK;

	if (!sender->last_line)
		return STATUS_OK;
	if (naohw_dcm_flush(sender->dcm, &err) < 0)
		status = complain_of(sender, err.message);
	sender->first_line = sender->last_line = 0;
	return status;
}

int sender_wait_for(struct sender *sender, int fd)
{
	int status = flush(sender);

	return status == STATUS_OK ? wait_until(sender, INT64_MAX, fd) : status;
}

/* ---- a line ---- */

static struct driven *find_driven(const struct sender *sender, const char *name)
{
	for (size_t i = 0; i < sender->count; i++)
		if (strcmp(sender->driven[i].name, name) == 0)
			return &sender->driven[i];
	return NULL;
}

static bool add_driven(struct sender *sender, const char *name)
{
	struct driven *more = reallocarray(sender->driven, sender->count + 1, sizeof(*more));

	if (!more)
		return false;
	sender->driven = more;
	more[sender->count++] = (struct driven){ .name = name };
	return true;
}

/* What is not there, a description names all the same. */
static int check_actuator(struct sender *sender, const char *name, unsigned long line)
{
	char full[2 * NAME_SIZE];
	struct naohw_error err;
	struct naohw_key *key;
	double value;
	int ret = 0;

	if (find_driven(sender, name))
		return STATUS_OK;
	snprintf(full, sizeof(full), KEY_PREFIX "%s" KEY_SUFFIX, name);
	if (naohw_robot_find_key(sender->robot, full, &key) == 0)
		ret = naohw_key_read(key, &value, &err);
	if (ret == -ENODEV || ret == -ENOENT)
		return complain("%s:%lu: %s", sender->path, line, err.message);
	return add_driven(sender, name) ? STATUS_OK : complain("out of memory");
}

int sender_check(struct sender *sender, const struct step *step)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < step->cast.count && status == STATUS_OK; i++)
		status = check_actuator(sender, step->cast.actuator[i], step->line);
	return status;
}

/* From the beginning's to the DCM's; and when is the last of them? */
static void shift_times(struct sender *sender, struct order *order)
{
	struct naohw_command *command = order->commands;

	for (size_t i = 0; i < order->lists; i++) {
		for (size_t j = 0; j < order->count[i]; j++, command++) {
			if (command->time == NAOHW_TIME_NONE)
				continue;
			if (command->time > sender->last)
				sender->last = command->time;
			command->time += sender->zero;
		}
	}
}

/* Several actuators are an alias, so that they all begin in the same cycle. */
static int give(const struct sender *sender, const struct step *step, struct naohw_error *err)
{
	const struct order *order = &step->order;
	const struct cast *cast = &step->cast;
	int ret;

	if (cast->count == 1)
		return naohw_dcm_set(sender->dcm, cast->actuator[0], order->update, order->list[0],
				     order->count[0], err);
	ret = naohw_dcm_create_alias(sender->dcm, ALIAS, cast->actuator, cast->count, NULL, err);
	if (ret < 0)
		return ret;
	if (order->kind == ORDER_SET)
		return naohw_dcm_set(sender->dcm, ALIAS, order->update, order->list[0],
				     order->count[0], err);
	return naohw_dcm_set_mixed(sender->dcm, ALIAS, order->update, order->list, order->count,
				   order->lists, err);
}

static int take_commands(struct sender *sender, struct step *step)
{
	struct naohw_error err;
	int ret;

	for (size_t i = 0; i < step->cast.count; i++)
		find_driven(sender, step->cast.actuator[i])->is_given = true;
	shift_times(sender, &step->order);
	ret = give(sender, step, &err);
	/* There are too many lines for one cycle: go on in the next one. */
	if (ret == -EAGAIN && flush(sender) == STATUS_OK)
		ret = give(sender, step, &err);
	if (ret < 0)
		return complain("%s:%lu: %s", sender->path, step->line, err.message);
	if (!sender->first_line)
		sender->first_line = step->line;
	sender->last_line = step->line;
	return STATUS_OK;
}

static int take_wait(struct sender *sender, const struct step *step)
{
	int status = flush(sender);

	return status == STATUS_OK ? wait_until(sender, step->order.time, -1) : status;
}

int sender_take(struct sender *sender, struct step *step)
{
	if (step->order.kind == ORDER_WAIT)
		return take_wait(sender, step);
	return step->cast.count ? take_commands(sender, step) : STATUS_OK;
}

/* ---- the beginning ---- */

static int await_cycle(struct sender *sender)
{
	struct naohw_error err;
	uint64_t cycle = 0;

	if (naohw_dcm_wait(sender->dcm, &cycle, FIRST_CYCLE, &err) < 0)
		return complain("%s", err.message);
	sender->zero = naohw_dcm_get_time(sender->dcm, 0);
	return check_stream(sender);
}

/* When all that is needed is there, so that memory is locked only if so much may be. */
static void lock_memory(const struct sender *sender, bool quiet)
{
	struct naohw_error no_lock;
	void *room = malloc(ROOM);
	double is_realtime = 0;
	int locked = naohw_realtime_lock(&no_lock);

	free(room);
	if (quiet)
		return;
	if (!read_key(sender, "DCM/Realtime", &is_realtime) || is_realtime == 0)
		printf("Not in real time: the cycle has no priority.\n");
	else if (locked < 0)
		printf("Not in real time: %s.\n", no_lock.message);
	else
		printf("Real time: the cycle has its priority, memory locked.\n");
}

int sender_open(struct sender *sender, bool quiet)
{
	struct naohw_error err;
	int status;

	if (naohw_dcm_open(sender->robot, NULL, &sender->dcm, &err) < 0)
		return complain("%s", err.message);
	status = await_cycle(sender);
	if (status == STATUS_OK)
		lock_memory(sender, quiet);
	return status;
}

/* ---- the end ---- */

/* Is any joint still on its way? One that is limp goes nowhere by itself. */
static bool has_moved(struct sender *sender)
{
	bool has_moved = false;

	for (size_t i = 0; i < sender->count; i++) {
		struct driven *driven = &sender->driven[i];
		double sent;

		if (!is_position(driven->name) || is_limp(sender, driven->name) ||
		    !read_sent(sender, driven->name, &sent) || sent == driven->seen)
			continue;
		driven->seen = sent;
		has_moved = true;
	}
	return has_moved;
}

/* One without a time, or that would be too fast, arrives later. */
static int settle(struct sender *sender)
{
	int64_t until = sender_now(sender) + SETTLE;
	int status = STATUS_OK;

	has_moved(sender);
	do {
		if (sender_now(sender) > until) {
			complain("joints are still on their way after %d s", SETTLE / 1000);
			return STATUS_NOT_REACHED;
		}
		status = wait_until(sender, sender_now(sender) + SETTLED, -1);
	} while (status == STATUS_OK && has_moved(sender));
	return status;
}

static int finish(struct sender *sender)
{
	int status = flush(sender);

	if (status == STATUS_OK)
		status = wait_until(sender, sender->last, -1);
	return status == STATUS_OK ? settle(sender) : status;
}

/* What is to come is dropped: all stay where they were sent last. */
static void hold(struct sender *sender)
{
	for (size_t i = 0; i < sender->count; i++)
		if (sender->driven[i].is_given)
			(void)naohw_dcm_set(sender->dcm, sender->driven[i].name,
					    NAOHW_UPDATE_CLEAR_ALL, NULL, 0, NULL);
	(void)naohw_dcm_flush(sender->dcm, NULL);
}

/* Whoever made a joint limp himself knows. */
static void tell_limp(const struct sender *sender)
{
	for (size_t i = 0; i < sender->count; i++) {
		const char *name = sender->driven[i].name;
		char hardness[NAME_SIZE];

		if (!is_position(name) || !is_limp(sender, name))
			continue;
		write_hardness(name, hardness);
		if (!find_driven(sender, hardness))
			printf("Note: %s is 0, so the joint is limp and has not moved.\n",
			       hardness);
	}
}

int sender_close(struct sender *sender, int status, bool quiet)
{
	if (status == STATUS_OK)
		status = finish(sender);
	if (status == STATUS_OK && !quiet)
		tell_limp(sender);
	if (sender->dcm && status != STATUS_OK)
		hold(sender);
	naohw_dcm_close(sender->dcm);
	free(sender->driven);
	return status;
}
