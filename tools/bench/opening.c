// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * opening DESCRIPTION LABEL -- what it takes to open a robot with its frames and its store, part
 * by part, beside libiio alone; what heap it has then; and what it takes to read a value of the
 * store, beside the attribute of the servo LABEL. Prints "NAME VALUE" for each round:
 *
 *   description               naohw_preferences_load(), which a robot's opening does as well, in ns
 *   context                   libiio's context in naohw_robot_open()
 *   binding                   what that takes beside those two
 *   frames, store             naohw_frame_open(), naohw_store_open()
 *   opening                   all of these
 *   reads-binding, reads-frames, reads-store
 *                             how many files the library reads in them
 *   peer-context              libiio's context, and reading ...
 *   peer-labels, peer-scales  ... with it each label; each scale and offset
 *   peer-all                  ... and all that there is to read, as iio_info does; once
 *   heap, heap-context        bytes in use when all is open, beyond the context; and by that
 *   memory                    bytes of the store that other processes can share
 *   handle, raw, scale        a key by handle; the servo's angle, and its scale, by libiio
 */
#include <dlfcn.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <iio.h>
#include <naohw.h>

#define ROUNDS	20
#define MANY	10000
#define SOME	50
#define TEXT	1024

static struct naohw_error err;

static void die(const char *what)
{
	fprintf(stderr, "opening: %s\n", what);
	exit(EXIT_FAILURE);
}

static void must(int ret)
{
	if (ret < 0)
		die(err.message);
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void say(const char *name, long long value)
{
	printf("%s %lld\n", name, value);
}

static long long in_use(void)
{
	struct mallinfo2 info = mallinfo2();

	return (long long)(info.uordblks + info.hblkhd);
}

/* --- what the library calls instead of libiio and the C library --- */

/* Of the context that was made last. */
static int64_t context_ns;
static long long context_heap;
static long long reads;

struct iio_context *iio_create_local_context(void)
{
	struct iio_context *(*create)(void);
	struct iio_context *context;
	int64_t begin;
	long long heap;

	create = (struct iio_context *(*)(void))dlsym(RTLD_NEXT, "iio_create_local_context");
	if (!create)
		die("no libiio");
	heap = in_use();
	begin = now();
	context = create();
	context_ns = now() - begin;
	context_heap = in_use() - heap;

	return context;
}

/* libiio reads by the C library's streams, which do not come here. */
ssize_t read(int fd, void *buf, size_t size)
{
	reads++;

	return syscall(SYS_read, fd, buf, size);
}

/* --- the library --- */

struct robot {
	struct naohw_robot *robot;
	struct naohw_frame *frame;
	struct naohw_store *store;
	struct naohw_snapshot *snapshot;
	struct naohw_pose *pose;
};

static int64_t load_description(const char *description)
{
	struct naohw_preferences *preferences;
	int64_t begin = now();

	must(naohw_preferences_load(description, &preferences, &err));
	begin = now() - begin;
	naohw_preferences_free(preferences);

	return begin;
}

static void open_robot(struct robot *robot, const char *description)
{
	int64_t of_description = load_description(description);
	int64_t at[4];
	long long count[4];

	count[0] = reads;
	at[0] = now();
	must(naohw_robot_open(description, NULL, &robot->robot, &err));
	at[1] = now();
	count[1] = reads;
	must(naohw_frame_open(robot->robot, NULL, &robot->frame, &err));
	at[2] = now();
	count[2] = reads;
	must(naohw_store_open(robot->robot, robot->frame, &robot->store, &err));
	at[3] = now();
	count[3] = reads;
	say("description", of_description);
	say("context", context_ns);
	say("binding", at[1] - at[0] - context_ns - of_description);
	say("frames", at[2] - at[1]);
	say("store", at[3] - at[2]);
	say("opening", at[3] - at[0]);
	say("reads-binding", count[1] - count[0]);
	say("reads-frames", count[2] - count[1]);
	say("reads-store", count[3] - count[2]);
}

static void close_robot(struct robot *robot)
{
	naohw_pose_close(robot->pose);
	naohw_snapshot_free(robot->snapshot);
	naohw_store_close(robot->store);
	naohw_frame_close(robot->frame);
	naohw_robot_close(robot->robot);
}

/* With all that there is: what stays of a first opening does for all that follow. */
static void open_all(struct robot *robot, const char *description)
{
	long long before = in_use();

	open_robot(robot, description);
	must(naohw_snapshot_new(robot->store, &robot->snapshot, &err));
	must(naohw_pose_open(robot->robot, NULL, &robot->pose, &err));
	say("heap", in_use() - before - context_heap);
	say("heap-context", context_heap);
	say("memory", lseek(naohw_store_fd(robot->store), 0, SEEK_END));
}

/* --- libiio alone --- */

static void read_one(const struct iio_channel *channel, const char *attribute)
{
	char text[TEXT];

	if (iio_channel_find_attr(channel, attribute))
		(void)iio_channel_attr_read(channel, attribute, text, sizeof(text));
}

static void read_labels(const struct iio_channel *channel)
{
	read_one(channel, "label");
}

static void read_scales(const struct iio_channel *channel)
{
	read_one(channel, "scale");
	read_one(channel, "offset");
}

static void read_all(const struct iio_channel *channel)
{
	for (unsigned int i = 0; i < iio_channel_get_attrs_count(channel); i++)
		read_one(channel, iio_channel_get_attr(channel, i));
}

static void each_channel(const char *name, const struct iio_context *context,
			 void (*look)(const struct iio_channel *channel))
{
	unsigned int devices = iio_context_get_devices_count(context);
	int64_t begin = now();

	for (unsigned int i = 0; i < devices; i++) {
		const struct iio_device *device = iio_context_get_device(context, i);

		for (unsigned int c = 0; c < iio_device_get_channels_count(device); c++)
			look(iio_device_get_channel(device, c));
	}
	say(name, now() - begin);
}

static void open_peer(bool whole)
{
	struct iio_context *context = iio_create_local_context();

	if (!context)
		die("no context");
	say("peer-context", context_ns);
	each_channel("peer-labels", context, read_labels);
	each_channel("peer-scales", context, read_scales);
	if (whole)
		each_channel("peer-all", context, read_all);
	iio_context_destroy(context);
}

/* --- a value --- */

static volatile double sink;

static struct iio_channel *angle_of(const struct iio_context *context, const char *label)
{
	for (unsigned int i = 0; i < iio_context_get_devices_count(context); i++) {
		struct iio_device *device = iio_context_get_device(context, i);
		const char *found = iio_device_get_label(device);

		if (found && !strcmp(found, label))
			return iio_device_find_channel(device, "angl0", false);
	}

	return NULL;
}

static void measure_attribute(const struct iio_channel *channel, const char *attribute)
{
	int64_t begin = now();
	double value;

	for (unsigned int i = 0; i < SOME; i++) {
		if (iio_channel_attr_read_double(channel, attribute, &value) < 0)
			die("an attribute cannot be read");
		sink = value;
	}
	say(attribute, (now() - begin) / SOME);
}

static size_t slot_of(const struct naohw_store *store, const char *label)
{
	char name[128];
	size_t slot;

	snprintf(name, sizeof(name), "Device/SubDeviceList/%s/Position/Sensor/Value", label);
	if (naohw_store_find(store, name, &slot) < 0)
		die("no key of that servo");

	return slot;
}

/* In a tenth of a ns: a whole one would be a good part of it. */
static void measure_handle(const struct naohw_store *store, size_t slot)
{
	int64_t begin = now();
	struct naohw_value value;

	for (unsigned int i = 0; i < MANY; i++) {
		if (naohw_store_read(store, slot, &value) < 0 ||
		    value.state == NAOHW_STATE_ABSENT)
			die("no value in the store");
		sink = value.number;
	}
	printf("handle %.1f\n", (double)(now() - begin) / MANY);
}

static void measure_values(struct robot *robot, const char *label)
{
	struct iio_context *context = iio_create_local_context();
	struct iio_channel *channel = context ? angle_of(context, label) : NULL;
	size_t slot = slot_of(robot->store, label);

	if (!channel)
		die("no such servo");
	must(naohw_frame_read(robot->frame, &err));
	naohw_store_publish(robot->store);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		measure_handle(robot->store, slot);
		measure_attribute(channel, "raw");
		measure_attribute(channel, "scale");
	}
	iio_context_destroy(context);
}

int main(int argc, char **argv)
{
	struct robot robot = { 0 };

	if (argc != 3)
		die("usage: opening DESCRIPTION LABEL");
	for (unsigned int round = 0; round < ROUNDS; round++) {
		open_robot(&robot, argv[1]);
		close_robot(&robot);
		open_peer(round == 0);
	}
	open_all(&robot, argv[1]);
	measure_values(&robot, argv[2]);
	close_robot(&robot);

	return EXIT_SUCCESS;
}
