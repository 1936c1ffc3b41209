// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hammer BUS SECONDS THREADS -- reads all that can be read of a bus's devices, by
 * so many threads at once and without a pause: their attributes, and all their
 * registers in debugfs. Prints how often that went well, and how often not:
 *
 *   reads=N
 *   errors=N
 */
#include <pthread.h>
#include <stdatomic.h>

#include "iio.h"

#define FILES_MAX	4096
#define THREADS_MAX	16

static char *files[FILES_MAX];
static unsigned int num_files;
static uint64_t end_ns;
static atomic_ulong reads, errors;

static void add_file(const char *dir, const char *name)
{
	if (num_files == FILES_MAX ||
	    asprintf(&files[num_files], "%s/%s", dir, name) < 0)
		die("%s", name);
	num_files++;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && !strcmp(text + len - n, end);
}

/* What is read from the device itself. */
static bool is_value(const char *name)
{
	return ends_with(name, "_raw") || ends_with(name, "_en") ||
	       !strcmp(name, "hardware_error") || !strcmp(name, "operating_mode");
}

static void add_values(const char *dir)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;

	while (stream && (entry = readdir(stream)))
		if (is_value(entry->d_name))
			add_file(dir, entry->d_name);
	if (stream)
		closedir(stream);
}

/* The IIO devices of a device on the bus, and its registers. */
static void add_device(const char *parent, const char *name)
{
	char dir[300], path[400];
	struct dirent *entry;
	DIR *stream;

	snprintf(dir, sizeof(dir), "%s/%s", parent, name);
	stream = opendir(dir);
	while (stream && (entry = readdir(stream))) {
		if (strncmp(entry->d_name, "iio:device", 10))
			continue;
		snprintf(path, sizeof(path), "%s/%.40s", dir, entry->d_name);
		add_values(path);
	}
	if (stream)
		closedir(stream);
	snprintf(dir, sizeof(dir), "/sys/kernel/debug/regmap/%s", name);
	if (!access(dir, F_OK))
		add_file(dir, "registers");
}

static void find_files(const char *bus)
{
	const char *all = "/sys/bus/dxl/devices";
	struct dirent *entry;
	char prefix[16];
	DIR *dir = opendir(all);

	snprintf(prefix, sizeof(prefix), "%s-", bus + strlen("dxl"));
	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, prefix, strlen(prefix)))
			add_device(all, entry->d_name);
	if (dir)
		closedir(dir);
}

static bool read_file(const char *path)
{
	static _Thread_local char text[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	do {
		n = read(fd, text, sizeof(text));
	} while (n > 0);
	close(fd);

	return !n;
}

/* What fails at once takes no time, which in virtual time would then stand. */
static void *run(void *argument)
{
	unsigned int i = (uintptr_t)argument % num_files;

	while (now_ns() < end_ns) {
		if (read_file(files[i])) {
			reads++;
		} else {
			errors++;
			usleep(1000);
		}
		i = (i + 1) % num_files;
	}

	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	uintptr_t count, i;

	if (argc != 4)
		return 2;
	count = strtoul(argv[3], NULL, 10);
	find_files(argv[1]);
	if (!num_files || !count || count > THREADS_MAX) {
		errno = EINVAL;
		die("%u files, %lu threads", num_files, count);
	}
	end_ns = now_ns() + strtoul(argv[2], NULL, 10) * NSEC_PER_SEC;
	for (i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, run,
				   (void *)(i * num_files / count)))
			die("thread");
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("files=%u\nreads=%lu\nerrors=%lu\n", num_files, reads, errors);

	return EXIT_SUCCESS;
}
