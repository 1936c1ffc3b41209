// SPDX-License-Identifier: LGPL-2.1-or-later
#include "buzzer.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <linux/input.h>

#include "input.h"

int buzzer_open(const char *label)
{
	return input_open(label, "buzzer", O_WRONLY);
}

int buzzer_sound(int fd, int hz)
{
	const struct input_event event = { .type = EV_SND, .code = SND_TONE, .value = hz };

	return write(fd, &event, sizeof(event)) < 0 ? -errno : 0;
}
