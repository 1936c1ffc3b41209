// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The XL-320: a servo of the AX-12's family that speaks Protocol 2.0
 *
 * From the maker's manual, emanual.robotis.com/docs/en/dxl/x/xl320/.
 */
#include "items.h"

/* addr, size, area, access, initial value, min, max, name */
static const struct item items[] = {
	{  0, 2, ROM, R,   350,  0, 65535, "model_number" },
	{  2, 1, ROM, R,    29,  0,   255, "firmware_version" },
	{  3, 1, ROM, RW,    1,  0,   252, "id" },
	{  4, 1, ROM, RW,    3,  0,     3, "baud_rate" },
	{  5, 1, ROM, RW,  250,  0,   254, "return_delay_time" },
	{  6, 2, ROM, RW,    0,  0,  1023, "cw_angle_limit" },
	{  8, 2, ROM, RW, 1023,  0,  1023, "ccw_angle_limit" },
	{ 11, 1, ROM, RW,    2,  1,     2, "control_mode" },
	{ 12, 1, ROM, RW,   65,  0,   150, "temperature_limit" },
	{ 13, 1, ROM, RW,   60, 50,   250, "min_voltage_limit" },
	{ 14, 1, ROM, RW,   90, 50,   250, "max_voltage_limit" },
	{ 15, 2, ROM, RW, 1023,  0,  1023, "max_torque" },
	{ 17, 1, ROM, RW,    2,  0,     2, "status_return_level" },
	{ 18, 1, ROM, RW,    3,  0,     7, "shutdown" },
	{ 24, 1, RAM, RW,    0,  0,     1, "torque_enable" },
	{ 25, 1, RAM, RW,    0,  0,     7, "led" },
	{ 27, 1, RAM, RW,    0,  0,   254, "d_gain" },
	{ 28, 1, RAM, RW,    0,  0,   254, "i_gain" },
	{ 29, 1, RAM, RW,   32,  0,   254, "p_gain" },
	{ 30, 2, RAM, RW,    0,  0,  1023, "goal_position" },
	{ 32, 2, RAM, RW,    0,  0,  2047, "moving_speed" },
	{ 35, 2, RAM, RW, 1023,  0,  1023, "torque_limit" },
	{ 37, 2, RAM, R,     0,  0,  1023, "present_position" },
	{ 39, 2, RAM, R,     0,  0,  2047, "present_speed" },
	{ 41, 2, RAM, R,     0,  0,  2047, "present_load" },
	{ 45, 1, RAM, R,     0,  0,   255, "present_voltage" },
	{ 46, 1, RAM, R,     0,  0,   255, "present_temperature" },
	{ 47, 1, RAM, R,     0,  0,     1, "registered" },
	{ 49, 1, RAM, R,     0,  0,     1, "moving" },
	{ 50, 1, RAM, R,     0,  0,     7, "hardware_error_status" },
	{ 51, 2, RAM, RW,   32,  0,  1023, "punch" },
};

static const struct registers registers = {
	.firmware = 2,
	.id = 3,
	.baud = 4,
	.return_delay = 5,
	.status_level = 17,
	.torque_enable = 24,
	.registered = 47,
};

static const struct servo_map map = {
	.cw_limit = 6,
	.ccw_limit = 8,
	.control_mode = 11,
	.temp_limit = 12,
	.min_voltage = 13,
	.max_voltage = 14,
	.max_torque = 15,
	.shutdown = 18,
	.p_gain = 29,
	.goal = 30,
	.speed = 32,
	.torque_limit = 35,
	.punch = 51,
	.present_position = 37,
	.present_speed = 39,
	.present_load = 41,
	.present_voltage = 45,
	.present_temp = 46,
	.moving = 49,
	.hardware_error = 50,
};

static const struct servo_spec spec = {
	.map = &map,
	.bits = { .voltage = 0x04, .heat = 0x02, .overload = 0x01 },
	.supply = 74,
	.count_deg = 300.0 / 1024,
	.speed_unit_rpm = 0.111,
	.no_load_rpm = 114,
	.torque = 0.39,
	.accel_deg = 3500,
	.max_position = 1023,
	.wheel_is_output = true,
};

static const unsigned int bauds[] = { 9600, 57600, 115200, 1000000 };

static const struct ability abilities[] = {
	{ DXL_SYNC_READ, 0 },
	{ DXL_BULK_READ, 0 },
	{ DXL_BULK_WRITE, 0 },
};

const struct model model_xl320 = {
	.name = "XL-320",
	.compatible = "robotis,xl-320",
	.number = 350,
	.protocol = DXL_PROTOCOL_2,
	.table_size = 53,
	.pieces = { PIECE(items) },
	.registers = &registers,
	.bauds = bauds,
	.baud_count = COUNT(bauds),
	.abilities = abilities,
	.ability_count = COUNT(abilities),
	.eeprom_byte = 1 * NSEC_PER_MSEC,
	.boot = 400 * NSEC_PER_MSEC,
	.servo = &spec,
	.ops = &servo_ops,
};
