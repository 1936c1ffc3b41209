// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Load, heat and the passing of time. The state is brought up to date when
 * someone looks; it is a function of time, not of how often that is.
 */
#include <math.h>

#include "../physics/physics.h"
#include "device.h"
#include "motor.h"

/* How long a load must be too much to count as persistent. */
#define OVERLOAD_TIME	(500 * NSEC_PER_MSEC)

/* Heating: in the end this much above the surroundings at full load. */
#define AMBIENT		25.0
#define FULL_LOAD_HEAT	55.0
#define HEAT_TIME	400.0	/* time constant, s */

/* Longest step in which overload and heat are looked at only once. */
#define STEP_MAX	(10 * NSEC_PER_MSEC)
#define STEPS_MAX	1000

#define TICKS		32768	/* Realtime Tick, ms */

#define LOCKSTEP_COUNTS	1024	/* the shortest range of Present Position */

void motor_init(struct servo *servo, double pos, int supply, nsec_t now)
{
	*servo = (struct servo){
		.joint.pos = pos,
		.time = now,
		.power_on_at = now,
		.stalled_at = NSEC_NEVER,
		.temperature = AMBIENT,
		.supply = supply,
	};
}

void motor_power_on(struct servo *servo, nsec_t now)
{
	servo->joint.vel = 0;
	servo->down = false;
	servo->errors = 0;
	servo->power_on_at = now;
	motor_forget_load(servo);
}

/* What an output takes, for so long, of a motor that is at @rest without any. */
void motor_warm(struct servo *servo, double rest, double rise, double output,
		double seconds)
{
	double end = rest + rise * output * output;

	servo->temperature = end + (servo->temperature - end) *
				   exp(-seconds / HEAT_TIME);
	servo->full_seconds += fabs(output) * seconds;
}

void motor_load(struct servo *servo, double output, double seconds)
{
	motor_warm(servo, AMBIENT, FULL_LOAD_HEAT, output, seconds);
}

void motor_forget_load(struct servo *servo)
{
	servo->stalled_at = NSEC_NEVER;
	servo->overload = false;
}

/* To be told for as long as the motor is driven. */
void motor_watch_load(struct servo *servo, bool stalled)
{
	if (!stalled) {
		motor_forget_load(servo);
		return;
	}

	if (servo->stalled_at == NSEC_NEVER)
		servo->stalled_at = servo->time;
	if (servo->time - servo->stalled_at >= OVERLOAD_TIME)
		servo->overload = true;
}

unsigned int motor_tick(const struct servo *servo)
{
	return (servo->time - servo->power_on_at) / NSEC_PER_MSEC % TICKS;
}

/* --- for tests --- */

/* In lockstep all joints show the same count, one that every model has. */
int motor_shown(const struct servo *servo, int position)
{
	if (!servo->lockstep)
		return position;

	return servo->time / servo->lockstep % LOCKSTEP_COUNTS;
}

/* To be told after whatever may have changed it. */
void motor_note_torque(struct servo *servo, bool torque)
{
	if (torque == servo->past.torque)
		return;
	servo->past.torque = torque;
	servo->past.torque_at = servo->time;
}

void motor_note_goal(struct servo *servo)
{
	struct goals *goals = &servo->past.goals;
	nsec_t pause = servo->time - goals->last;

	if (!goals->count)
		goals->first = servo->time;
	else if (goals->count == 1 || pause < goals->shortest)
		goals->shortest = pause;
	if (goals->count && pause > goals->longest)
		goals->longest = pause;
	goals->last = servo->time;
	goals->count++;
}

void motor_note_aim(struct servo *servo, bool aimed, double aim)
{
	struct past *past = &servo->past;
	double from = past->aimed ? past->aim : servo->joint.pos;

	past->aimed = aimed;
	past->aim = aim;
	if (aimed)
		past->goals.farthest = fmax(past->goals.farthest,
					    fabs(aim - from));
}

void motor_forget_goals(struct servo *servo)
{
	servo->past.goals = (struct goals){ 0 };
}

/* Go on to @now in steps, with a look at the alarms between them. */
void motor_advance(struct device *dev, nsec_t now,
		   void (*step)(struct device *dev, nsec_t length),
		   void (*guard)(struct device *dev))
{
	struct servo *servo = &dev->servo;
	nsec_t length;

	if (now <= servo->time)
		return;
	if (servo->limb.world) {
		world_advance(servo->limb.world, now);
		servo->time = now;
		return;
	}

	length = (now - servo->time) / STEPS_MAX;
	if (length < STEP_MAX)
		length = STEP_MAX;

	guard(dev);
	while (servo->time < now) {
		if (length > now - servo->time)
			length = now - servo->time;
		step(dev, length);
		servo->time += length;
		guard(dev);
	}
}
