// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "cli.h"
#include "frames.h"
#include "guard_words.h"
#include "interrupt.h"
#include "output.h"

/* The kernel takes 2 s, and a little for what it asks the servos before. */
#define PATIENCE_MS 6000
/* Between two signs of life. */
#define LOOK_MS	    20
#define QUEUE	    2

static void sleep_ms(long milliseconds)
{
	const struct timespec time = { .tv_nsec = milliseconds * 1000000 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

/* Who has the robot, and so gets its torque back: this program, or else a naohwd */
struct holder {
	struct naohw_pose *pose;
	struct naohw_dcm *dcm; /* NULL without one */
};

/* A servo may have lost its torque by itself, while its stream runs. */
static enum naohw_stream worst_of_joints(const struct naohw_store *store)
{
	enum naohw_stream worst = NAOHW_STREAM_RUNNING;
	const char *name;

	for (size_t i = 0; (name = naohw_store_name(store, i)); i++) {
		enum guard_reason reason;
		struct naohw_value value;

		if (!guard_label(name) || naohw_store_read(store, i, &value) < 0)
			continue;
		reason = guard_reason(value.text);
		if (reason == GUARD_TRIPPED || reason == GUARD_SHUT_DOWN)
			return NAOHW_STREAM_TRIPPED;
		if (reason == GUARD_RECOVERING)
			worst = NAOHW_STREAM_RECOVERING;
	}
	return worst;
}

static int get_stream(const struct holder *holder, enum naohw_stream *stream,
		      struct naohw_error *err)
{
	if (!holder->dcm)
		return naohw_pose_get_stream(holder->pose, stream, err);
	*stream = naohw_dcm_get_stream(holder->dcm);
	if (*stream == NAOHW_STREAM_RUNNING)
		*stream = worst_of_joints(naohw_dcm_store(holder->dcm));
	return 0;
}

static int tell_recover(const struct holder *holder, struct naohw_error *err)
{
	return holder->dcm ? naohw_dcm_recover(holder->dcm, err) :
			     naohw_pose_recover(holder->pose, err);
}

/* Nothing is pushed: all joints stay where the kernel finds them. */
static int wait_for_torque(const struct holder *holder)
{
	enum naohw_stream stream = NAOHW_STREAM_RECOVERING;
	struct naohw_error err;
	int ret = 0;

	/* Where one bus has gone meanwhile the others still need somebody to watch. */
	for (int waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
		if (is_interrupted()) {
			complain("interrupted before all of the torque was back");
			return STATUS_INTERRUPTED;
		}
		if (!holder->dcm)
			(void)naohw_pose_keep_alive(holder->pose, NULL);
		sleep_ms(LOOK_MS);
		ret = get_stream(holder, &stream, &err);
		if (ret == 0 && stream == NAOHW_STREAM_RUNNING)
			break;
	}
	if (ret < 0)
		return complain("%s", err.message);
	if (stream != NAOHW_STREAM_RUNNING)
		return complain("the torque has not come back within %d ms", PATIENCE_MS);
	printf("The torque is back.\n");
	return STATUS_OK;
}

static bool has_several_buses(const struct naohw_robot *robot)
{
	size_t count = naohw_robot_joint_count(robot);
	unsigned int first, other, id;

	if (!count || naohw_joint_get_place(robot, 0, &first, &id) < 0)
		return false;
	for (size_t i = 1; i < count; i++)
		if (naohw_joint_get_place(robot, i, &other, &id) == 0 && other != first)
			return true;
	return false;
}

static int recover(const struct naohw_robot *robot, const struct holder *holder)
{
	enum naohw_stream stream;
	struct naohw_error err;
	bool failed = false;

	if (get_stream(holder, &stream, &err) < 0)
		return complain("%s", err.message);
	if (stream == NAOHW_STREAM_RUNNING) {
		printf("No joint has lost its torque: there is nothing to bring back.\n");
		return STATUS_OK;
	}
	if (tell_recover(holder, &err) < 0) {
		complain("%s", err.message);
		failed = true;
	}
	/* What can be helped is, and needs somebody to watch till it has its torque. */
	if (failed && !has_several_buses(robot))
		return STATUS_FAILED;
	return wait_for_torque(holder);
}

static int try_holder(struct naohw_robot *robot, struct holder *holder, struct naohw_error *err)
{
	int ret = try_naohwd(robot, &holder->dcm, err);

	return ret < 0 || holder->dcm ? ret : try_pose(robot, QUEUE, &holder->pose, err);
}

static int run(struct naohw_robot *robot)
{
	struct holder holder = { NULL, NULL };
	struct naohw_error err;
	int ret, status = output_begin();

	if (status != STATUS_OK)
		return status;
	catch_interrupts_of_stream();
	ret = try_holder(robot, &holder, &err);
	if (is_interrupted())
		status = STATUS_INTERRUPTED;
	else
		status = ret < 0 ? complain("%s", err.message) : recover(robot, &holder);
	close_quietly(NULL, holder.pose);
	close_dcm(holder.dcm);
	release_interrupts();
	return output_end(status);
}

int cmd_recover(const struct cli *cli)
{
	struct naohw_robot *robot;
	int status;

	if (cli->line.operand_count)
		return complain_usage("\"%s\" is one argument too many", cli->line.operand[0]);
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	status = run(robot);
	naohw_robot_close(robot);
	return status;
}
