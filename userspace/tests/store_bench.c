// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What it takes to read a store, beside what there is else: a map of strings behind a mutex,
 * which has our own hash so that only the rest differs, and an attribute that is read from a
 * file, by libiio where this machine has an IIO device. Nobody else wants the mutex.
 */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <iio.h>
#include <naohw.h>

#include "bench.h"
#include "io/sysfs.h"
#include "store/names.h"
#include "store/store.h"

#define JOINTS	 25
#define KINDS	 5  /* keys with a value of each joint */
#define OTHERS	 20 /* and constants */
#define PER	 (KINDS + OTHERS)
#define SLOTS	 (JOINTS * PER)
#define NAME	 80
#define MANY	 10000 /* short, so that some rounds are undisturbed */
#define SOME	 500

static char name[SLOTS][NAME];
static struct naohw_store *store;
static struct naohw_snapshot *snapshot;
static size_t slot[JOINTS]; /* of the positions */
static const char *position[JOINTS];
static unsigned int turn;
static volatile double sink;

/* ---- what is measured: the store ---- */

static unsigned int next_joint(void)
{
	turn = turn + 1 < JOINTS ? turn + 1 : 0;
	return turn;
}

static void read_handle(void)
{
	struct naohw_value value;

	if (naohw_store_read(store, slot[next_joint()], &value) < 0)
		die("not read");
	sink = value.number;
}

static void read_name(void)
{
	struct naohw_value value;
	size_t found;

	if (naohw_store_find(store, position[next_joint()], &found) < 0 ||
	    naohw_store_read(store, found, &value) < 0)
		die("not read");
	sink = value.number;
}

static void read_snapshot(void)
{
	struct naohw_value value;

	if (naohw_snapshot_take(snapshot) < 0)
		die("not taken");
	for (unsigned int i = 0; i < JOINTS; i++) {
		naohw_snapshot_get(snapshot, slot[i], &value);
		sink = value.number;
	}
}

/* ---- and what there is else ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct names map;
static double map_value[SLOTS];

static double map_get(const char *key)
{
	double value;

	pthread_mutex_lock(&mutex);
	value = map_value[names_find(&map, key)];
	pthread_mutex_unlock(&mutex);
	return value;
}

static void read_map(void)
{
	sink = map_get(position[next_joint()]);
}

/* As ALMemory gives a list of data: within one lock, so that they belong together */
static void read_map_list(void)
{
	pthread_mutex_lock(&mutex);
	for (unsigned int i = 0; i < JOINTS; i++)
		sink = map_value[names_find(&map, position[i])];
	pthread_mutex_unlock(&mutex);
}

static int directory;

static void read_file(void)
{
	char text[32];

	if (sysfs_read(directory, "in_angl0_raw", text, sizeof(text)) < 0)
		die("no file");
	sink = strtod(text, NULL);
}

static struct iio_channel *channel;

static void read_iio(void)
{
	long long raw;

	if (iio_channel_attr_read_longlong(channel, "raw", &raw) < 0)
		die("no attribute");
	sink = (double)raw;
}

/* ---- making it ---- */

static const char *kind_of(unsigned int kind)
{
	static const char *const kinds[KINDS] = {
		"Position/Sensor/Value", "Position/Actuator/Value", "Hardness/Actuator/Value",
		"Temperature/Sensor/Value", "ElectricCurrent/Sensor/Value",
	};

	return kind < KINDS ? kinds[kind] : "Position/Sensor/Constant";
}

static void make_names(struct store_key *keys)
{
	for (unsigned int i = 0; i < SLOTS; i++) {
		unsigned int kind = i % PER;

		snprintf(name[i], NAME, "Device/SubDeviceList/LShoulderPitch%02u/%s%.0u", i / PER,
			 kind_of(kind), kind < KINDS ? 0 : kind);
		keys[i] = (struct store_key){ name[i], NAOHW_KEY_FLOAT, kind >= KINDS };
	}
}

static void make_store(void)
{
	static struct store_key keys[SLOTS];
	struct naohw_value value = { .state = NAOHW_STATE_FRESH };

	make_names(keys);
	if (store_create(keys, SLOTS, &store, NULL) < 0 ||
	    naohw_snapshot_new(store, &snapshot, NULL) < 0)
		die("no store");
	for (unsigned int i = 0; i < SLOTS; i++) {
		value.number = map_value[i] = i;
		store_put(store, i, &value);
	}
	for (unsigned int i = 0; i < JOINTS; i++) {
		slot[i] = i * PER;
		position[i] = name[slot[i]];
	}
	naohw_store_publish(store);
}

static void make_map(void)
{
	if (names_init(&map, name[0], sizeof(name), SLOTS) < 0)
		die("no map");
	for (unsigned int i = 0; i < SLOTS; i++)
		if (names_add(&map, i * NAME) < 0)
			die("no map");
}

static char path[] = "/tmp/naohw-bench-XXXXXX";

static void make_file(void)
{
	int fd;

	if (!mkdtemp(path))
		die("no directory");
	directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = openat(directory, "in_angl0_raw", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, "512\n", 4) != 4)
		die("no file");
	close(fd);
}

static void end_file(void)
{
	unlinkat(directory, "in_angl0_raw", 0);
	close(directory);
	rmdir(path);
}

/* The first channel with a raw value, if there is one */
static void find_iio(void)
{
	struct iio_context *context = iio_create_local_context();
	unsigned int devices = context ? iio_context_get_devices_count(context) : 0;

	for (unsigned int i = 0; i < devices; i++) {
		struct iio_device *device = iio_context_get_device(context, i);

		for (unsigned int c = 0; c < iio_device_get_channels_count(device); c++) {
			channel = iio_device_get_channel(device, c);
			if (iio_channel_find_attr(channel, "raw"))
				return;
		}
	}
	channel = NULL;
}

int main(void)
{
	make_store();
	make_map();
	make_file();
	find_iio();
	/* In turn, so that what else the machine does meets all of them. */
	for (unsigned int round = 0; round < ROUNDS; round++) {
		measure("handle", MANY, read_handle);
		measure("name", MANY, read_name);
		measure("map", MANY, read_map);
		measure("snapshot", SOME, read_snapshot);
		measure("list", SOME, read_map_list);
		measure("file", SOME, read_file);
		if (channel)
			measure("libiio", SOME, read_iio);
	}
	end_file();
	names_free(&map);
	naohw_snapshot_free(snapshot);
	naohw_store_close(store);
	return 0;
}
