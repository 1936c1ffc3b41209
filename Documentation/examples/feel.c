/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the robot feels, in SI units, a few times; all that is said at a time is of one frame. Moves
 * nothing. cc feel.c -o feel $(pkg-config --cflags --libs naohw)
 */
#include <err.h>
#include <naohw.h>
#include <stdio.h>

#define LOOKS  5
#define FRAMES 100 /* from one look to the next */

static const char *const states[] = { "absent", "fresh", "stale", "faulty" };

static void say(const struct naohw_messages *messages)
{
	const struct naohw_accelerometer *acceleration = naohw_messages_accelerometer(messages);
	const struct naohw_battery *battery = naohw_messages_battery(messages);
	const struct naohw_touch *touch = naohw_messages_touch(messages);
	const struct naohw_joint_positions *joints = naohw_messages_joint_positions(messages);

	printf("acceleration %.2f %.2f %.2f m/s2, %s\n", acceleration->x, acceleration->y,
	       acceleration->z, states[acceleration->state.all]);
	printf("battery %.0f %%, %s\n", battery->charge, states[battery->state.all]);
	printf("head touched: front %d, middle %d, rear %d, %s\n", touch->head_front,
	       touch->head_middle, touch->head_rear, states[touch->state.all]);
	printf("neck %.2f %.2f rad, %s\n", joints->positions[NAOHW_NAO_HEAD_YAW],
	       joints->positions[NAOHW_NAO_HEAD_PITCH],
	       states[joints->state.each[NAOHW_NAO_HEAD_YAW]]);
}

int main(void)
{
	struct naohw_messages *messages;
	struct naohw_snapshot *snapshot;
	struct naohw_robot *robot;
	struct naohw_frame *frame;
	struct naohw_store *store;
	struct naohw_error error;

	if (naohw_robot_open(NULL, NULL, &robot, &error) ||
	    naohw_frame_open(robot, NULL, &frame, &error) ||
	    naohw_store_open(robot, frame, &store, &error) ||
	    naohw_snapshot_new(store, &snapshot, &error) ||
	    naohw_messages_new(store, &messages, &error))
		errx(1, "%s", error.message);
	for (int i = 1; i <= LOOKS * FRAMES; i++) {
		if (naohw_frame_read(frame, &error))
			errx(1, "%s", error.message);
		if (naohw_store_publish(store) || naohw_snapshot_take(snapshot))
			errx(1, "the store is another's");
		if (i % FRAMES || naohw_messages_fill(messages, snapshot))
			continue;
		say(messages);
	}
	naohw_messages_free(messages);
	naohw_snapshot_free(snapshot);
	naohw_store_close(store);
	naohw_frame_close(frame);
	naohw_robot_close(robot);
}
