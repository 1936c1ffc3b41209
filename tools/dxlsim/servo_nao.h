/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control table of NAO's motors, that of Documentation/boards/nao-motor.rst. */
#ifndef DXLSIM_SERVO_NAO_H
#define DXLSIM_SERVO_NAO_H

enum {
	BID			= 25,
	MOTOR_NUMBER		= 32,
	SENSOR_TYPE		= 34,
	CHAIN_JOINT		= 35,
	CHAIN_MOTOR		= 36,
	GEAR_RATIO		= 42,
	JOINT_ZERO		= 44,
	TORQUE_ENABLE		= 64,
	BUS_WATCHDOG		= 65,
	CURRENT_MAX		= 66,
	GOAL_POSITION		= 68,
	GOAL_SPEED		= 70,
	HARDNESS		= 72,
	PRESENT_POSITION	= 74,
	PRESENT_SPEED		= 76,
	MOTOR_POSITION		= 78,
	PRESENT_CURRENT		= 80,
	PRESENT_TEMPERATURE	= 82,
	ERROR			= 83,
	BRAKE			= 84,
};

#define FULL_HARDNESS	1000
#define FULL_CURRENT	2000	/* mA */

#endif
