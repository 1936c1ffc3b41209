/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bus's IIO devices, as a program without a library sees them. Included by the
 * test programs here, each of which is one file.
 */
#ifndef UML_TESTS_IIO_H
#define UML_TESTS_IIO_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define IIO		"/sys/bus/iio/devices"
#define CHANNELS_MAX	1024

#define NSEC_PER_USEC	1000ULL
#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_SEC	1000000000ULL

/* A value in a sample. */
struct channel {
	char name[48];		/* in_angl3, out_anglvel20, in_timestamp */
	unsigned int index;
	bool is_signed;
	bool big_endian;
	unsigned int bits;
	unsigned int bytes;
	unsigned int shift;
	unsigned int offset;
};

struct buffer {
	char dir[80];			/* of the device in sysfs */
	struct channel channels[CHANNELS_MAX];
	unsigned int count;
	unsigned int size;		/* of a sample, in bytes */
};

__attribute__((noreturn, format(printf, 1, 2)))
static inline void die(const char *format, ...)
{
	int error = errno;
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, ": %s\n", strerror(error));
	exit(EXIT_FAILURE);
}

static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);

	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* --- attributes --- */

static inline int open_attribute(const char *dir, const char *name, int flags)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return -1;
	fd = open(path, flags | O_CLOEXEC);
	free(path);

	return fd;
}

/* Bytes read, or -1; the text ends without its newline. */
static inline ssize_t read_text(const char *dir, const char *name, char *text,
				size_t size)
{
	int fd = open_attribute(dir, name, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, size - 1);
	close(fd);
	if (n >= 0)
		text[n] = '\0';
	if (n > 0 && text[n - 1] == '\n')
		text[n - 1] = '\0';

	return n;
}

static inline long long read_number(const char *dir, const char *name)
{
	char text[64];

	if (read_text(dir, name, text, sizeof(text)) < 0)
		die("%s/%s", dir, name);

	return strtoll(text, NULL, 10);
}

static inline int write_text(const char *dir, const char *name, const char *text)
{
	int fd = open_attribute(dir, name, O_WRONLY);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	close(fd);

	return n < 0 ? -1 : 0;
}

static inline void set(const char *dir, const char *name, const char *text)
{
	if (write_text(dir, name, text))
		die("%s to %s/%s", text, dir, name);
}

static inline void set_number(const char *dir, const char *name, unsigned long n)
{
	char text[24];

	snprintf(text, sizeof(text), "%lu", n);
	set(dir, name, text);
}

/* --- the device --- */

/* Whether there is the IIO device of a bus, such as dxl0-state; its directory in sysfs. */
static inline bool has_device(struct buffer *buffer, const char *bus,
			      const char *kind)
{
	char wanted[48], name[64];
	struct dirent *entry;
	DIR *dir = opendir(IIO);
	bool found = false;

	snprintf(wanted, sizeof(wanted), "%s-%s", bus, kind);
	while (dir && !found && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "iio:device", 10))
			continue;
		snprintf(buffer->dir, sizeof(buffer->dir), "%s/%.40s", IIO,
			 entry->d_name);
		found = read_text(buffer->dir, "name", name, sizeof(name)) > 0 &&
			!strcmp(name, wanted);
	}
	if (dir)
		closedir(dir);

	return found;
}

static inline void find_device(struct buffer *buffer, const char *bus,
			       const char *kind)
{
	if (has_device(buffer, bus, kind))
		return;
	errno = ENODEV;
	die("%s-%s", bus, kind);
}

static inline int open_device(const struct buffer *buffer, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/%s", strrchr(buffer->dir, '/') + 1);
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		die("%s", path);

	return fd;
}

static inline int by_index(const void *a, const void *b)
{
	const struct channel *one = a, *other = b;

	return one->index < other->index ? -1 : one->index > other->index;
}

static inline void parse_channel(const struct buffer *buffer,
				 struct channel *channel)
{
	char name[80], type[32], order, sign;

	snprintf(name, sizeof(name), "buffer0/%s_index", channel->name);
	channel->index = read_number(buffer->dir, name);
	snprintf(name, sizeof(name), "buffer0/%s_type", channel->name);
	if (read_text(buffer->dir, name, type, sizeof(type)) < 0 ||
	    sscanf(type, "%ce:%c%u/%u>>%u", &order, &sign, &channel->bits,
		   &channel->bytes, &channel->shift) != 5)
		die("%s of %s", name, buffer->dir);
	channel->bytes /= 8;
	channel->is_signed = sign == 's';
	channel->big_endian = order == 'b';
}

/* A value is placed at a multiple of its size, and so is the next sample. */
static inline void place_channels(struct buffer *buffer)
{
	unsigned int i, at = 0, widest = 1;

	qsort(buffer->channels, buffer->count, sizeof(buffer->channels[0]),
	      by_index);
	for (i = 0; i < buffer->count; i++) {
		unsigned int bytes = buffer->channels[i].bytes;

		at = (at + bytes - 1) / bytes * bytes;
		buffer->channels[i].offset = at;
		at += bytes;
		if (bytes > widest)
			widest = bytes;
	}
	buffer->size = (at + widest - 1) / widest * widest;
}

/*
 * Enable the channels that begin with one of @prefixes, a list that ends with
 * NULL, and none else. Without a list, all.
 */
static inline void choose_channels(struct buffer *buffer,
				   const char *const *prefixes)
{
	struct dirent *entry;
	char path[100];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/buffer0", buffer->dir);
	dir = opendir(path);
	if (!dir)
		die("%s", path);
	buffer->count = 0;
	while ((entry = readdir(dir))) {
		char *end = strstr(entry->d_name, "_en");
		struct channel *channel = &buffer->channels[buffer->count];
		bool wanted = !prefixes;
		unsigned int i;

		if (!end || end[3])
			continue;
		for (i = 0; prefixes && prefixes[i]; i++)
			wanted |= !strncmp(entry->d_name, prefixes[i],
					   strlen(prefixes[i]));
		set(path, entry->d_name, wanted ? "1" : "0");
		if (!wanted)
			continue;
		*channel = (struct channel){ 0 };
		memcpy(channel->name, entry->d_name, end - entry->d_name);
		parse_channel(buffer, channel);
		buffer->count++;
	}
	closedir(dir);
	place_channels(buffer);
}

/* --- values --- */

static inline int64_t get_value(const struct channel *channel,
				const uint8_t *sample)
{
	const uint8_t *bytes = sample + channel->offset;
	unsigned int i, spare = 64 - channel->bits;
	uint64_t value = 0;

	for (i = 0; i < channel->bytes; i++)
		value |= (uint64_t)bytes[channel->big_endian ?
					 channel->bytes - 1 - i : i] << 8 * i;
	value = value >> channel->shift << spare;

	if (channel->is_signed)
		return (int64_t)value >> spare;

	return value >> spare;
}

static inline void put_value(const struct channel *channel, uint8_t *sample,
			     int64_t value)
{
	unsigned int i;

	for (i = 0; i < channel->bytes; i++)
		sample[channel->offset + i] = value >> 8 * i;
}

#endif
