// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The streams behind a pose: the kernel's watchdog, which lets a bus's joints go when nobody
 * gives a sign of life, and how their torque comes back.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "inside.h"
#include "monotonic.h"

#define NS_PER_MS     1000000
/* Of the watchdog's time, what may pass between two signs of life; and where there is none. */
#define PATIENCE_PART 4
#define PATIENCE_NS   ((int64_t)100 * NS_PER_MS)

/* Kernels without the watchdog have none of its attributes. */
static int tell_bus(const struct pose_bus *bus, const char *attribute, struct naohw_error *err)
{
	int ret;

	if (!device_has(&bus->device.held, attribute))
		return 0;
	ret = device_write(&bus->device.held, attribute, "1");
	if (ret < 0)
		return fail(err, ret, "dxl%u-goal: %s: %s", bus->device.number, attribute,
			    error_text(ret));
	return 0;
}

int pose_recover_by_itself(const struct pose_bus *bus, struct naohw_error *err)
{
	if (!device_has(&bus->device.held, "auto_recover"))
		return fail(err, -EOPNOTSUPP,
			    "dxl%u-goal: this kernel recovers no stream by itself",
			    bus->device.number);
	return tell_bus(bus, "auto_recover", err);
}

/* The joints of the other buses must not pay for one that is gone. */
static int keep_alive(struct naohw_pose *pose, struct naohw_error *err)
{
	int ret = 0;

	pose->alive_at = monotonic_ns();
	for (size_t i = 0; i < pose->bus_count; i++) {
		int told = 0;

		if (pose->bus[i].device.buffer)
			told = tell_bus(&pose->bus[i], "keep_alive", ret < 0 ? NULL : err);
		if (ret == 0)
			ret = told;
	}
	return ret;
}

int naohw_pose_keep_alive(struct naohw_pose *pose, struct naohw_error *err)
{
	return pose->open ? keep_alive(pose, err) : pose_not_open(err);
}

void pose_take_patience(struct naohw_pose *pose, const struct bus_device *bus)
{
	int64_t patience = PATIENCE_NS;
	unsigned int ms;
	char text[16];

	if (device_has(&bus->held, "watchdog_ms") &&
	    device_read(&bus->held, "watchdog_ms", text, sizeof(text)) == 0 &&
	    sscanf(text, "%u", &ms) == 1)
		patience = (int64_t)ms * NS_PER_MS / PATIENCE_PART;
	if (!pose->patience || patience < pose->patience)
		pose->patience = patience;
}

int64_t pose_patience(const struct naohw_pose *pose)
{
	return pose->patience;
}

void pose_keep_alive(struct naohw_pose *pose)
{
	(void)keep_alive(pose, NULL);
}

/* Whoever waits is well. */
void pose_stay_alive(struct naohw_pose *pose)
{
	if (monotonic_ns() - pose->alive_at >= pose->patience)
		pose_keep_alive(pose);
}

static int stream_of(const struct pose_bus *bus, enum naohw_stream *stream,
		     struct naohw_error *err)
{
	char state[32];
	int ret;

	*stream = NAOHW_STREAM_RUNNING;
	if (!device_has(&bus->device.held, "stream_state"))
		return 0;
	ret = device_read(&bus->device.held, "stream_state", state, sizeof(state));
	if (ret < 0)
		return fail(err, ret, "dxl%u-goal: stream_state: %s", bus->device.number,
			    error_text(ret));
	if (strcmp(state, "tripped") == 0)
		*stream = NAOHW_STREAM_TRIPPED;
	if (strcmp(state, "recovering") == 0)
		*stream = NAOHW_STREAM_RECOVERING;
	return 0;
}

int naohw_pose_get_stream(struct naohw_pose *pose, enum naohw_stream *stream,
			  struct naohw_error *err)
{
	enum naohw_stream worst = NAOHW_STREAM_RUNNING, one;
	struct naohw_error why = { "" };
	size_t told = 0;
	int ret = 0;

	if (!pose->open)
		return pose_not_open(err);
	for (size_t i = 0; i < pose->bus_count; i++) {
		int one_ret = stream_of(&pose->bus[i], &one, &why);

		if (one_ret < 0) {
			ret = one_ret;
			continue;
		}
		told++;
		if (one > worst)
			worst = one;
	}
	/* One that is gone does not hide what has become of the others. */
	if (ret < 0 && !told)
		return fail(err, ret, "%s", why.message);
	*stream = worst;
	return 0;
}

int pose_let_go(const struct naohw_pose *pose, struct naohw_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < pose->bus_count; i++) {
		int told = bus_let_go(&pose->bus[i].device, ret < 0 ? NULL : err);

		if (ret == 0)
			ret = told;
	}
	return ret;
}

bool pose_is_limp(const struct naohw_pose *pose)
{
	for (size_t i = 0; i < pose->bus_count; i++)
		if (bus_is_limp(&pose->bus[i].device))
			return true;
	return false;
}

static bool is_free(const struct pose_axis *axis)
{
	double on = 1;

	if (axis->joint->goal.iio)
		(void)channel_read_attribute(&axis->joint->goal, "en", &on);
	return on == 0;
}

/* All joints of a bus, or those that a servo has let go by itself while the others go on. */
static bool has_let_go(const struct pose_axis *axis, const struct pose_bus *bus,
		       enum naohw_stream stream)
{
	return axis->bus == bus && (stream == NAOHW_STREAM_TRIPPED || is_free(axis));
}

/* The next pose must not draw the joints back to where they were before they fell. */
static bool stay_where_they_fell(struct naohw_pose *pose, const struct pose_bus *bus,
				 enum naohw_stream stream)
{
	bool any = stream == NAOHW_STREAM_TRIPPED;

	for (size_t i = 0; i < pose->axis_count; i++) {
		pose_stay_alive(pose);
		if (!has_let_go(&pose->axis[i], bus, stream))
			continue;
		pose_stay_here(&pose->axis[i]);
		any = true;
	}
	return any;
}

static int tell_recover(const struct pose_bus *bus, enum naohw_stream stream,
			struct naohw_error *err)
{
	int ret = tell_bus(bus, "recover", err);

	/* Who has let them go did so by hand. */
	return stream == NAOHW_STREAM_RUNNING && ret == -EINVAL ? 0 : ret;
}

static int recover_bus(struct naohw_pose *pose, const struct pose_bus *bus,
		       struct naohw_error *err)
{
	enum naohw_stream stream;
	int ret = stream_of(bus, &stream, err);

	if (ret < 0 || stream == NAOHW_STREAM_RECOVERING)
		return ret;
	return stay_where_they_fell(pose, bus, stream) ? tell_recover(bus, stream, err) : 0;
}

/* One leg that nobody can help is no reason to leave the rest on the ground. */
int naohw_pose_recover(struct naohw_pose *pose, struct naohw_error *err)
{
	int ret = 0;

	if (!pose->open)
		return pose_not_open(err);
	for (size_t i = 0; i < pose->bus_count; i++) {
		int told = recover_bus(pose, &pose->bus[i], ret < 0 ? NULL : err);

		if (ret == 0)
			ret = told;
		pose_keep_alive(pose);
	}
	return ret;
}

static int tell_bus_to_recover(const struct pose_bus *bus, struct naohw_error *err)
{
	enum naohw_stream stream;
	int ret = stream_of(bus, &stream, err);

	return ret < 0 || stream == NAOHW_STREAM_RECOVERING ? ret : tell_recover(bus, stream, err);
}

int pose_tell_recover(const struct naohw_pose *pose, struct naohw_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < pose->bus_count; i++) {
		int told = tell_bus_to_recover(&pose->bus[i], ret < 0 ? NULL : err);

		if (ret == 0)
			ret = told;
	}
	return ret;
}
