// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "sway.h"

/* Small enough that energy is kept to a thousandth of it. */
#define STEP		(100 * NSEC_PER_USEC)

/* At which the ankles let it swing as long as the feet reach, Hz; our own. */
#define SWING		2

#define LYING		(M_PI / 2)

/* Less than any sensor tells; rad and rad/s. */
#define STILL_ANGLE	1e-4
#define STILL_RATE	1e-3

static bool pushed(const struct sway *sway)
{
	return sway->time < sway->until;
}

static double squared(double value)
{
	return value * value;
}

/*
 * Where the weight is on the feet: where the ankles put it to bring the robot back,
 * but not beyond the feet's edge. They lead by as much as it takes to catch a robot
 * that can be caught.
 */
double sway_centre(const struct sway *sway)
{
	double stiffness = 1 + squared(2 * M_PI * SWING) / sway->gravity;
	double centre = stiffness * sway->angle +
			sway->rate / sqrt(sway->gravity);

	return fmax(fmin(centre, sway->most), sway->least);
}

static double acceleration(const struct sway *sway)
{
	double force = pushed(sway) ? sway->force : 0;

	return sway->gravity * (sin(sway->angle) +
				(force - sway_centre(sway)) * cos(sway->angle));
}

static void rest(struct sway *sway, double angle)
{
	sway->angle = angle;
	sway->rate = 0;
	sway->ended = true;
}

static void step(struct sway *sway)
{
	const double seconds = (double)STEP / NSEC_PER_SEC;

	sway->rate += acceleration(sway) * seconds;
	sway->angle += sway->rate * seconds;
	sway->time += STEP;

	if (fabs(sway->angle) >= LYING)
		rest(sway, copysign(LYING, sway->angle));
	else if (!pushed(sway) && fabs(sway->angle) < STILL_ANGLE &&
		 fabs(sway->rate) < STILL_RATE)
		rest(sway, 0);
}

/* By whole steps, so that it is the same however often it is looked at. */
void sway_advance(struct sway *sway, nsec_t now)
{
	while (!sway->ended && sway->time + STEP <= now)
		step(sway);
}

/* Within the step that begins where it has been brought to. */
double sway_angle(const struct sway *sway, nsec_t now)
{
	double seconds = now > sway->time ?
			 (double)(now - sway->time) / NSEC_PER_SEC : 0;

	return sway->angle + sway->rate * seconds;
}
