// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commands by which a test follows the joints: what it reads of them can be told
 * to the microsecond, and so can what became of them, and when. Times are those
 * of the monotonic clock, in ns.
 */
#include <math.h>
#include <string.h>

#include "call_motion.h"

#define LOCKSTEP_MAX	1000000	/* us */

bool call_lockstep(struct call *call)
{
	unsigned long long us = 0;
	size_t i;

	if (strcmp(call->argv[1], "off") &&
	    !call_number(call, call->argv[1], "time in us", LOCKSTEP_MAX, &us))
		return false;
	for (i = 0; i < call->bus->device_count; i++)
		call->bus->devices[i].servo.lockstep = us * NSEC_PER_USEC;

	return true;
}

static unsigned long long number(uint64_t value)
{
	return value;
}

static void tell_torque(struct call *call, struct device *dev)
{
	const struct past *past = &dev->servo.past;

	if (!dev->model->servo)
		return;
	/* An alarm may have cut it meanwhile. */
	dev->model->ops->advance(dev, call->now);
	fprintf(call->out, "%u %d %llu\n", device_id(dev), past->torque,
		number(past->torque_at));
}

/* Of all servos, or of one. */
static bool tell(struct call *call,
		 void (*one)(struct call *call, struct device *dev))
{
	const struct device *dev;

	if (strcmp(call->argv[1], "all")) {
		dev = call_device(call, call->argv[1]);
		if (!dev)
			return false;
		if (!dev->model->servo)
			return call_fail(call, "the %s has no motor",
					 dev->model->name);
	}

	return call_devices(call, call->argv[1], one);
}

bool call_torque(struct call *call)
{
	return tell(call, tell_torque);
}

static void tell_goals(struct call *call, struct device *dev)
{
	const struct goals *goals = &dev->servo.past.goals;

	if (!dev->model->servo)
		return;
	fprintf(call->out, "%u %llu %llu %llu %llu %llu %ld\n",
		device_id(dev), number(goals->count), number(goals->first),
		number(goals->last), number(goals->shortest),
		number(goals->longest), lround(goals->farthest));
}

bool call_goals(struct call *call)
{
	return tell(call, tell_goals);
}
