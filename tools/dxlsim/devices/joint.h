/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A shaft that a motor turns: position and speed over time, no load on it. */
#ifndef DXLSIM_JOINT_H
#define DXLSIM_JOINT_H

struct joint {
	double pos;	/* counts */
	double vel;	/* counts per second */
};

/* What the motor can do, in counts, counts/s and counts/s^2; both above 0. */
struct drive {
	double max_vel;
	double accel;
};

void joint_seek(struct joint *joint, const struct drive *drive, double goal,
		double seconds);
void joint_spin(struct joint *joint, double vel, double accel, double seconds);

#endif
