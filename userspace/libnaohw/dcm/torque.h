/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel says of the streams, which its watchdog trips, and of each joint: why it does not
 * move. A thread of its own looks at that ten times a second, so that nothing that waits for a servo
 * keeps it from that.
 */
#ifndef NAOHW_DCM_TORQUE_H
#define NAOHW_DCM_TORQUE_H

#include <stdbool.h>

#include <naohw.h>

#include "../pose/pose.h"

struct torque;

/* Has looked once when it returns. Return: 0; -ENOMEM, or why there is no thread. */
int torque_begin(struct naohw_pose *pose, struct torque **torque, struct naohw_error *err);

/* NULL is fine. The pose is open until then. */
void torque_end(struct torque *torque);

/* As it was a tenth of a second ago, or later. Any thread. */
enum naohw_stream torque_stream(const struct torque *torque);
/* Has it tripped as a person has let the robot go? */
bool torque_is_limp(const struct torque *torque);
enum guard_reason torque_of(const struct torque *torque, size_t joint);

/* Have the thread look at once. Takes no lock. */
void torque_look(struct torque *torque);

#endif
