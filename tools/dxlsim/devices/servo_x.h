/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The X series' control table, and what it asks of the motor. */
#ifndef DXLSIM_SERVO_X_H
#define DXLSIM_SERVO_X_H

#include "device.h"

enum {
	DRIVE_MODE		= 10,
	OPERATING_MODE		= 11,
	HOMING_OFFSET		= 20,
	MOVING_THRESHOLD	= 24,
	TEMPERATURE_LIMIT	= 31,
	MAX_VOLTAGE_LIMIT	= 32,
	MIN_VOLTAGE_LIMIT	= 34,
	PWM_LIMIT		= 36,
	CURRENT_LIMIT		= 38,
	ACCELERATION_LIMIT	= 40,	/* MX */
	VELOCITY_LIMIT		= 44,
	MAX_POSITION_LIMIT	= 48,
	MIN_POSITION_LIMIT	= 52,
	SHUTDOWN		= 63,
	TORQUE_ENABLE		= 64,
	HARDWARE_ERROR		= 70,
	GAINS			= 76,
	POSITION_D_GAIN		= 80,
	POSITION_P_GAIN		= 84,
	GAINS_END		= 92,
	BUS_WATCHDOG		= 98,
	GOAL_PWM		= 100,
	GOAL_CURRENT		= 102,
	GOAL_VELOCITY		= 104,
	PROFILE_ACCELERATION	= 108,
	PROFILE_VELOCITY	= 112,
	GOAL_POSITION		= 116,
	REALTIME_TICK		= 120,
	MOVING			= 122,
	MOVING_STATUS		= 123,
	PRESENT_PWM		= 124,
	PRESENT_CURRENT		= 126,	/* or load */
	PRESENT_VELOCITY	= 128,
	PRESENT_POSITION	= 132,
	VELOCITY_TRAJECTORY	= 136,
	POSITION_TRAJECTORY	= 140,
	PRESENT_VOLTAGE		= 144,
	PRESENT_TEMPERATURE	= 146,
};

/* Drive Mode */
enum {
	REVERSE		= 0x01,
	TIME_BASED	= 0x04,
	TORQUE_BY_GOAL	= 0x08,
};

/* Operating Mode */
enum {
	MODE_CURRENT		= 0,
	MODE_VELOCITY		= 1,
	MODE_POSITION		= 3,
	MODE_EXTENDED		= 4,
	MODE_CURRENT_POSITION	= 5,
	MODE_PWM		= 16,
};

/* Moving Status */
enum {
	IN_POSITION		= 0x01,
	PROFILE_ONGOING		= 0x02,
	FOLLOWING_ERROR		= 0x08,
	PROFILE_RECTANGULAR	= 0x10,
	PROFILE_TRIANGULAR	= 0x20,
	PROFILE_TRAPEZOIDAL	= 0x30,
};

#define TURN		4096
#define FULL_PWM	885

/* In a body: full output when it is this share of the top speed too slow; ours. */
#define X_HOLDS_SPEED	20

u8 x_mode(const struct device *dev);
bool x_has_goal(u8 mode);
bool x_has_current(const struct device *dev);
double x_clamp(double value, double low, double high);
double x_velocity(const struct device *dev, int value);
int x_velocity_value(const struct device *dev, double vel);
double x_top_speed(const struct device *dev);
double x_top_accel(const struct device *dev);
int x_homing_offset(const struct device *dev);
int x_present_position(const struct device *dev);
double x_goal(const struct device *dev);
double x_goal_current(const struct device *dev);
double x_position_gain(const struct device *dev);
double x_position_damping(const struct device *dev);
double x_output_limit(const struct device *dev);
double x_free_speed(const struct device *dev);
void x_plan_speed(struct device *dev);
void x_plan(struct device *dev);

#endif
