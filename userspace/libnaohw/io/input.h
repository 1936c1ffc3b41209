/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event devices of a board's input devices, "LABEL buttons" and "LABEL buzzer". Any thread. */
#ifndef NAOHW_INPUT_H
#define NAOHW_INPUT_H

/*
 * Open the event device of the input device named "LABEL WHAT", with these flags of open(). Return:
 * its descriptor. -ENODEV: there is none. -ENOTUNIQ: there are several. -ENOENT: it has no event
 * device, as the kernel's evdev is missing. -EACCES: as for files.
 */
int input_open(const char *label, const char *what, int flags);

#endif
