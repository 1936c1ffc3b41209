// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Motion with limited speed and acceleration. It is computed in phases of
 * constant acceleration and not in small steps, so the result does not depend
 * on how often anyone looks.
 */
#include <math.h>

#include "joint.h"

/* Closer and slower than this is arrival, in counts and counts/s. */
#define ARRIVED_POS	1e-6
#define ARRIVED_VEL	1e-3

/* More phases than any motion has; ends the loop whatever the rounding does. */
#define MAX_PHASES	64

struct phase {
	double accel;
	double seconds;
	double end_vel;		/* exact, where computing it would round */
};

static void move(struct joint *joint, double accel, double seconds)
{
	joint->pos += (joint->vel + accel * seconds / 2) * seconds;
	joint->vel += accel * seconds;
}

/* Turn with a speed, as in wheel mode, or come to a stop with speed 0. */
void joint_spin(struct joint *joint, double vel, double accel, double seconds)
{
	double change = vel - joint->vel;
	double ramp = fabs(change) / accel;

	if (ramp > seconds) {
		move(joint, copysign(accel, change), seconds);
		return;
	}

	move(joint, copysign(accel, change), ramp);
	joint->vel = vel;
	joint->pos += vel * (seconds - ramp);
}

/*
 * The phase of the motion that a joint is in, for a goal that lies ahead in
 * the positive direction by @dist.
 */
static struct phase next_phase(const struct drive *drive, double dist,
			       double vel)
{
	double need = vel * vel / (2 * dist);	/* to stop just there */
	double peak;

	if (vel < 0)
		return (struct phase){ drive->accel, -vel / drive->accel, 0 };
	if (vel > 0 && need > drive->accel * 1.0001)
		return (struct phase){ -drive->accel, vel / drive->accel, 0 };
	if (vel > 0 && need > drive->accel * 0.9999)
		return (struct phase){ -need, vel / need, 0 };
	if (vel > drive->max_vel + ARRIVED_VEL)
		return (struct phase){ -drive->accel,
				       (vel - drive->max_vel) / drive->accel,
				       drive->max_vel };

	peak = fmin(drive->max_vel, sqrt(drive->accel * dist + vel * vel / 2));
	if (vel < peak - ARRIVED_VEL)
		return (struct phase){ drive->accel,
				       (peak - vel) / drive->accel, peak };

	return (struct phase){
		0, (dist - vel * vel / (2 * drive->accel)) / vel, vel };
}

static int arrived(const struct joint *joint, double goal)
{
	return fabs(goal - joint->pos) < ARRIVED_POS &&
	       fabs(joint->vel) < ARRIVED_VEL;
}

/* Move towards @goal and stop there. */
void joint_seek(struct joint *joint, const struct drive *drive, double goal,
		double seconds)
{
	int i;

	for (i = 0; i < MAX_PHASES && seconds > 0; i++) {
		double dist = goal - joint->pos;
		double dir = dist < 0 ? -1 : 1;
		struct phase phase;

		if (arrived(joint, goal))
			break;

		phase = next_phase(drive, fmax(fabs(dist), ARRIVED_POS / 2),
				   joint->vel * dir);
		if (phase.seconds > seconds) {
			move(joint, phase.accel * dir, seconds);
			return;
		}
		move(joint, phase.accel * dir, phase.seconds);
		joint->vel = phase.end_vel * dir;
		seconds -= phase.seconds;
	}

	if (arrived(joint, goal)) {
		joint->pos = goal;
		joint->vel = 0;
	}
}
