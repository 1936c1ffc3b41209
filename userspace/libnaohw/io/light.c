// SPDX-License-Identifier: LGPL-2.1-or-later
#include "light.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "attribute.h"
#include "find.h"
#include "sysfs.h"
#include "touch.h"

#define INDEX	  "multi_index"
#define INTENSITY "multi_intensity"

/* As long as all of them with the longest numbers */
#define TEXT_SIZE (LIGHT_PARTS_MAX * 16)

#define LOCK_TRIES   100
#define LOCK_WAIT_NS 1000000

struct name {
	const char *label;
	const char *function;
};

/* All colours as they are; each is taken times brightness / max. */
struct colors {
	unsigned int brightness;
	unsigned int intensity[LIGHT_PARTS_MAX];
};

/* --- which it is --- */

/* "LABEL:COLOR:FUNCTION"; a pattern would take a colon for part of the colour. */
static bool is_named(struct udev_device *device, const void *what)
{
	const struct name *name = what;
	const char *found = udev_device_get_sysname(device);
	size_t length = strlen(name->label);
	const char *colon;

	if (strncmp(found, name->label, length) != 0 || found[length] != ':')
		return false;
	colon = strchr(found + length + 1, ':');
	return colon && strcmp(colon + 1, name->function) == 0;
}

static int open_directory(const struct name *name)
{
	char pattern[FIND_PATH_SIZE] = "";
	const struct find find = {
		.subsystem = "leds",
		.name = pattern,
		.fits = is_named,
		.what = name,
	};

	if (find_quote(pattern, sizeof(pattern), name->label, ":*:") < 0 ||
	    find_quote(pattern, sizeof(pattern), name->function, "") < 0)
		return -ENODEV;
	return find_directory(&find);
}

static int take_part(struct light *light, const char *color)
{
	char text[TEXT_SIZE], *rest = text, *word;
	int ret = attribute_read(light->dir, INDEX, text, sizeof(text));
	bool found = false;

	if (ret < 0)
		return ret;
	while ((word = strsep(&rest, " "))) {
		if (!*word)
			continue;
		if (light->parts == LIGHT_PARTS_MAX)
			return -EPROTO;
		if (strcmp(word, color) == 0) {
			light->part = light->parts;
			found = true;
		}
		light->parts++;
	}
	return found ? 0 : -ENOENT;
}

/* Brightness alone is no one's colour where there are several. */
static int take_whole(const struct light *light)
{
	char text[TEXT_SIZE];
	int ret = attribute_read(light->dir, INDEX, text, sizeof(text));

	if (ret == -ENOENT)
		return 0;
	return ret < 0 ? ret : -ENOENT;
}

static int take(struct light *light, const struct name *name, const char *color)
{
	int ret = attribute_read_count(light->dir, "max_brightness", &light->max);

	if (ret < 0)
		return ret == -ENOENT ? -EPROTO : ret;
	if (light->max == 0)
		return -EPROTO;
	touch_find(light->dir, name->label, name->function, light->trigger);
	return color ? take_part(light, color) : take_whole(light);
}

int light_open(struct light *light, const char *label, const char *function, const char *color)
{
	const struct name name = { label, function };
	int ret;

	*light = (struct light){ .dir = open_directory(&name) };
	if (light->dir < 0) {
		ret = light->dir;
		light->dir = -1;
		return ret;
	}
	ret = take(light, &name, color);
	if (ret < 0)
		light_close(light);
	return ret;
}

void light_close(struct light *light)
{
	if (light->dir >= 0)
		close(light->dir);
	light->dir = -1;
}

/* --- its colours --- */

/* "255 0 17", as many as there are colours */
static int parse_intensity(const struct light *light, const char *text, unsigned int *intensity)
{
	unsigned int i;
	char *end;

	for (i = 0; i < light->parts; i++) {
		unsigned long number;

		errno = 0;
		number = strtoul(text, &end, 10);
		if (end == text || errno || number > UINT_MAX)
			return -EPROTO;
		intensity[i] = (unsigned int)number;
		text = end;
	}
	return text[strspn(text, " ")] == '\0' ? 0 : -EPROTO;
}

static int read_colors(const struct light *light, struct colors *colors)
{
	char text[TEXT_SIZE];
	int ret = attribute_read_count(light->dir, "brightness", &colors->brightness);

	if (ret == 0)
		ret = attribute_read(light->dir, INTENSITY, text, sizeof(text));
	return ret < 0 ? ret : parse_intensity(light, text, colors->intensity);
}

static int write_intensity(const struct light *light, const unsigned int *intensity)
{
	char text[TEXT_SIZE];
	size_t at = 0;

	for (unsigned int i = 0; i < light->parts; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%u ", intensity[i]);
	return sysfs_write(light->dir, INTENSITY, text);
}

/* What the hardware has of a colour: the kernel rounds as here, and has no more than all. */
static unsigned int shown(const struct light *light, const struct colors *colors, unsigned int i)
{
	uint64_t product = (uint64_t)colors->intensity[i] * colors->brightness + light->max / 2;
	uint64_t level = product / light->max;

	return level < light->max ? (unsigned int)level : light->max;
}

/*
 * A colour never shines brighter than it is to, not even between the two writes. It is darker
 * for that time, if brightness was neither 0 nor all.
 */
static int change(const struct light *light, unsigned int level)
{
	struct colors colors;
	int ret = read_colors(light, &colors);

	if (ret < 0)
		return ret;
	for (unsigned int i = 0; i < light->parts; i++)
		colors.intensity[i] = shown(light, &colors, i);
	colors.intensity[light->part] = level;
	ret = write_intensity(light, colors.intensity);
	if (ret < 0 || colors.brightness == light->max)
		return ret;
	return attribute_write_count(light->dir, "brightness", light->max);
}

/* Whoever may read the file may lock it, and for ever: so nobody waits for ever. */
static int wait_for_lock(int fd)
{
	const struct timespec a_moment = { .tv_nsec = LOCK_WAIT_NS };

	for (unsigned int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		nanosleep(&a_moment, NULL);
	}
	return -EBUSY;
}

/* A file of its own each time: what threads share of an open file is also its lock. */
static int lock(const struct light *light)
{
	int fd = openat(light->dir, INTENSITY, O_WRONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return errno == ENOENT ? -ENODEV : -errno;
	ret = wait_for_lock(fd);
	if (ret == 0)
		return fd;
	close(fd);
	return ret;
}

/* --- for the owner --- */

/* By 0 the kernel ends any trigger, which is all that a part below 0 wants. */
static int write_brightness(const struct light *light, unsigned int level, double part)
{
	int ret = 0;

	if (*light->trigger && part > 0)
		ret = touch_disarm(light->dir, light->trigger);
	if (ret == 0)
		ret = attribute_write_count(light->dir, "brightness", level);
	if (ret == 0 && *light->trigger && part == 0)
		ret = touch_arm(light->dir, light->trigger);
	return ret;
}

int light_write(const struct light *light, double part)
{
	unsigned int level;
	int locked, ret;

	if (!(part >= -1 && part <= 1))
		return -ERANGE;
	level = (unsigned int)lround(fmax(part, 0) * light->max);
	if (!light->parts)
		return write_brightness(light, level, part);
	locked = lock(light);
	if (locked < 0)
		return locked;
	ret = change(light, level);
	close(locked);
	return ret;
}

static int read_level(const struct light *light, unsigned int *level)
{
	struct colors colors = { 0 };
	int ret;

	if (!light->parts)
		return attribute_read_count(light->dir, "brightness", level);
	ret = read_colors(light, &colors);
	if (ret == 0)
		*level = shown(light, &colors, light->part);
	return ret;
}

int light_read(const struct light *light, double *part)
{
	unsigned int level;
	int armed = 1, ret = read_level(light, &level);

	if (ret == 0 && level == 0 && *light->trigger)
		ret = armed = touch_is_armed(light->dir, light->trigger);
	if (ret < 0)
		return ret;
	*part = armed ? fmin((double)level / light->max, 1) : -1;
	return 0;
}
