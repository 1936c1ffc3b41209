// SPDX-License-Identifier: GPL-2.0
/*
 * Table of servo models
 *
 * Every number is that of the maker's page named with its row, below
 * emanual.robotis.com/docs/en/dxl/. A model is added by adding a row. The rows
 * describe servos in joint mode; in wheel or multi-turn mode some registers
 * mean something else.
 */
#include "servo.h"

/* The layout that the AX, RX and MX series share in Protocol 1.0. */
static const struct dxl_servo_field fields_v1[SERVO_REGS] = {
	[SERVO_RETURN_DELAY]	= {  5, 1 },
	[SERVO_STATUS_LEVEL]	= { 16, 1 },
	[SERVO_TORQUE_ENABLE]	= { 24, 1 },
	[SERVO_GOAL_POSITION]	= { 30, 2 },
	[SERVO_GOAL_SPEED]	= { 32, 2 },
	[SERVO_TORQUE_LIMIT]	= { 34, 2 },
	[SERVO_POSITION]	= { 36, 2 },
	[SERVO_SPEED]		= { 38, 2, .magnitude = 0x3ff },
	[SERVO_LOAD]		= { 40, 2, .magnitude = 0x3ff },
	[SERVO_VOLTAGE]		= { 42, 1 },
	[SERVO_TEMPERATURE]	= { 43, 1 },
};

/* ax/ax-12a/: 300 degrees in 1024 steps, 0.111 rpm a step of speed */
const struct dxl_servo_model dxl_ax12 = {
	.name = "ax-12",
	.number = 12,
	.protocol = DXL_PROTOCOL_1,
	.position_range = { 0, 1, 1023 },
	.position_zero = 512,
	.position_nrad = 5113269,
	.speed_range = { 0, 1, 1023 },
	.speed_nrad_s = 11623893,
	.torque_max = 1023,
	.voltage_mv = 100,
	.fields = fields_v1,
};

/* mx/mx-28/: 360 degrees in 4096 steps, 0.114 rpm a step of speed */
const struct dxl_servo_model dxl_mx28 = {
	.name = "mx-28",
	.number = 29,
	.protocol = DXL_PROTOCOL_1,
	.position_range = { 0, 1, 4095 },
	.position_zero = 2048,
	.position_nrad = 1533981,
	.speed_range = { 0, 1, 1023 },
	.speed_nrad_s = 11938052,
	.torque_max = 1023,
	.voltage_mv = 100,
	.fields = fields_v1,
};
