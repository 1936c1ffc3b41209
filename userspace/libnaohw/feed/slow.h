/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Values whose sources take their time: files of batteries and memories, registers that no frame
 * has, and buttons, which are waited for. A thread of its own reads them, once a second or when
 * something happens, so that the one with the frames never waits for any of it.
 */
#ifndef NAOHW_SLOW_H
#define NAOHW_SLOW_H

#include "../robot/robot.h"

struct slow;

/*
 * Begin with @count subdevices, whose pointers are copied. Return: 0; -ENOMEM, or why there is no
 * thread.
 */
int slow_begin(const struct subdevice *const *subdevices, size_t count, struct slow **slow,
	       struct naohw_error *err);

/* Waits for a reading that is under way. NULL is fine. */
void slow_end(struct slow *slow);

/* Whether there may be something new since this was asked last. Takes no lock, as what follows. */
bool slow_has_news(struct slow *slow);

/* What was read last of the subdevice with this number, with Gain and Offset. */
void slow_get(const struct slow *slow, size_t index, struct naohw_value *value);

#endif
