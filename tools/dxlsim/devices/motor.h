/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every servo does behind its control table, whatever that looks like. */
#ifndef DXLSIM_MOTOR_H
#define DXLSIM_MOTOR_H

#include <linux/types.h>

#include "../base/base.h"

/* Of the full torque, what moving takes: at all, and more at full speed. */
#define MOTOR_FRICTION	(30 / 1023.0)
#define MOTOR_DRAG	(70 / 1023.0)

#define DEGREES_PER_RPM	6.0	/* degrees/s */

struct device;
struct servo;

void motor_init(struct servo *servo, double pos, int supply, nsec_t now);
void motor_power_on(struct servo *servo, nsec_t now);
void motor_warm(struct servo *servo, double rest, double rise, double output,
		double seconds);
void motor_load(struct servo *servo, double output, double seconds);
void motor_watch_load(struct servo *servo, bool stalled);
void motor_forget_load(struct servo *servo);
unsigned int motor_tick(const struct servo *servo);

int motor_shown(const struct servo *servo, int position);
void motor_note_torque(struct servo *servo, bool torque);
void motor_note_goal(struct servo *servo);

/*
 * To be told after whatever may have changed it: where the shaft is to be, if it is to be anywhere.
 * How far that is from where it was to be before, or from where it was without torque, is how far
 * it is told to jump.
 */
void motor_note_aim(struct servo *servo, bool aimed, double aim);
void motor_forget_goals(struct servo *servo);

void motor_advance(struct device *dev, nsec_t now,
		   void (*step)(struct device *dev, nsec_t length),
		   void (*guard)(struct device *dev));

#endif
