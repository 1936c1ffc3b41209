// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evdev -- an input device, as a program without a library sees it:
 *
 *   evdev keys DEVICE N     prints the next N changes of keys, "CODE VALUE" each
 *   evdev held DEVICE       prints the codes of the keys that are down now
 *   evdev tone DEVICE HZ    makes a tone until it is killed
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

__attribute__((noreturn)) static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static void keys(int fd, int count)
{
	struct input_event event;

	while (count > 0) {
		if (read(fd, &event, sizeof(event)) != sizeof(event))
			die("read");
		if (event.type != EV_KEY)
			continue;
		printf("%d %d\n", event.code, event.value);
		fflush(stdout);
		count--;
	}
}

static void held(int fd)
{
	unsigned char down[KEY_CNT / 8];
	int code;

	if (ioctl(fd, EVIOCGKEY(sizeof(down)), down) < 0)
		die("EVIOCGKEY");
	for (code = 0; code < KEY_CNT; code++)
		if (down[code / 8] >> code % 8 & 1)
			printf("%d\n", code);
}

static void tone(int fd, int hz)
{
	struct input_event event = { .type = EV_SND, .code = SND_TONE, .value = hz };

	if (write(fd, &event, sizeof(event)) != sizeof(event))
		die("write");
	pause();
}

int main(int argc, char **argv)
{
	int fd;

	if (argc < 3)
		return EXIT_FAILURE;
	fd = open(argv[2], O_RDWR);
	if (fd < 0)
		die(argv[2]);

	if (!strcmp(argv[1], "keys") && argc == 4)
		keys(fd, atoi(argv[3]));
	else if (!strcmp(argv[1], "held"))
		held(fd);
	else if (!strcmp(argv[1], "tone") && argc == 4)
		tone(fd, atoi(argv[3]));
	else
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
