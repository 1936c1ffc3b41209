/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What has a light come on when the sensor near it is touched: a trigger of the LED class, which
 * the kernel's ABI of boards calls LABEL-touch-SENSOR. The light's function begins with the sensor.
 */
#ifndef NAOHW_TOUCH_H
#define NAOHW_TOUCH_H

/* Name of a trigger, with its NUL */
#define TOUCH_TRIGGER_SIZE 64

/* Of the light in @dir, "LABEL:...:FUNCTION"; "" if this machine has none for it. */
void touch_find(int dir, const char *label, const char *function,
		char trigger[TOUCH_TRIGGER_SIZE]);

/* Does the light have it now? 1, 0 or a negative errno. */
int touch_is_armed(int dir, const char *trigger);

int touch_arm(int dir, const char *trigger);
/* What else has the light come on stays: that is somebody's own. */
int touch_disarm(int dir, const char *trigger);

#endif
