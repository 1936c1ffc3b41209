// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * devices -- what libnaohw reads and writes beside IIO, a device each time:
 *
 *   devices light LABEL FUNCTION COLOR [PART]   sets it, or prints what it is told; a light of
 *                                               one colour has COLOR -
 *   devices button LABEL CODE N                 prints "VALUE", and its next N changes as
 *                                               "VALUE later" or, not by the clock, "VALUE earlier"
 *   devices supply LABEL PROPERTY               prints the number, or else the text
 *   devices memory LABEL CELL [TEXT]            writes it, or prints it
 *   devices changes N                           prints the next N as "added SUBSYSTEM NAME"
 *   devices held LABEL FUNCTION                 says "open", reads a line, and sets it to 1
 *
 * What fails is said as the error's name alone.
 *
 * cc: -I userspace/libnaohw -I userspace/libnaohw/include
 * cc: userspace/libnaohw/base/number.c userspace/libnaohw/io/attribute.c
 * cc: userspace/libnaohw/io/event.c userspace/libnaohw/io/find.c userspace/libnaohw/io/hotplug.c
 * cc: userspace/libnaohw/io/input.c userspace/libnaohw/io/light.c userspace/libnaohw/io/memory.c
 * cc: userspace/libnaohw/io/supply.c userspace/libnaohw/io/sysfs.c userspace/libnaohw/io/touch.c
 * pkg-config: libevdev libudev
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/event.h"
#include "io/hotplug.h"
#include "io/light.h"
#include "io/memory.h"
#include "io/supply.h"

/* Gives up by the error; what is not one goes on. */
static int check(int ret)
{
	if (ret >= 0)
		return ret;
	puts(strerrorname_np(-ret));
	exit(EXIT_FAILURE);
}

static void wait_for(int fd)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	poll(&ready, 1, -1);
}

static void light(char **argument)
{
	const char *color = strcmp(argument[2], "-") == 0 ? NULL : argument[2];
	struct light light;
	double part;

	check(light_open(&light, argument[0], argument[1], color));
	if (argument[3]) {
		check(light_write(&light, atof(argument[3])));
	} else {
		check(light_read(&light, &part));
		printf("%.3f\n", part);
	}
	light_close(&light);
}

static void held(char **argument)
{
	struct light light;

	check(light_open(&light, argument[0], argument[1], NULL));
	puts("open");
	fflush(stdout);
	getchar();
	check(light_write(&light, 1));
	light_close(&light);
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void button(char **argument)
{
	struct event_source source;
	int code = check(event_code(argument[1]));
	int64_t last = now();
	int left = atoi(argument[2]);

	check(event_open(&source, argument[0]));
	printf("%d\n", check(event_value(&source, code)));
	fflush(stdout);
	while (left > 0) {
		int64_t time;

		wait_for(event_descriptor(&source));
		check(event_update(&source));
		time = event_time(&source, code);
		if (time == 0 || time == last)
			continue;
		printf("%d %s\n", event_value(&source, code),
		       time > last && time <= now() ? "later" : "earlier");
		fflush(stdout);
		last = time;
		left--;
	}
	event_close(&source);
}

static void supply(char **argument)
{
	struct supply supply;
	char text[64];
	double value;

	check(supply_open(&supply, argument[0]));
	if (supply_read(&supply, argument[1], &value) == 0) {
		printf("%.0f\n", value);
	} else {
		check(supply_read_text(&supply, argument[1], text, sizeof(text)));
		puts(text);
	}
	supply_close(&supply);
}

static void memory(char **argument)
{
	struct memory memory;
	char text[256];

	check(memory_open(&memory, argument[0]));
	if (argument[2]) {
		check(memory_write(&memory, argument[1], argument[2]));
	} else {
		check(memory_read(&memory, argument[1], text, sizeof(text)));
		puts(text);
	}
	memory_close(&memory);
}

static void changes(char **argument)
{
	struct hotplug_change change;
	struct hotplug hotplug;
	int left = atoi(argument[0]);

	check(hotplug_open(&hotplug));
	puts("listening");
	while (left > 0) {
		fflush(stdout);
		wait_for(hotplug_descriptor(&hotplug));
		while (left > 0 && check(hotplug_next(&hotplug, &change)) == 1) {
			printf("%s %s %s\n", change.added ? "added" : "removed", change.subsystem,
			       change.name);
			left--;
		}
	}
	hotplug_close(&hotplug);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int arguments;
		void (*call)(char **argument);
	} commands[] = {
		{ "light", 3, light }, { "button", 3, button },	  { "supply", 2, supply },
		{ "memory", 2, memory }, { "changes", 1, changes }, { "held", 2, held },
	};

	for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(argv[1], commands[i].name) != 0 || argc - 2 < commands[i].arguments)
			continue;
		commands[i].call(argv + 2);
		return EXIT_SUCCESS;
	}
	return EXIT_FAILURE;
}
