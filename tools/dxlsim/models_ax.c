// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The models with Protocol 1.0
 *
 * From the maker's manual, emanual.robotis.com/docs/en/dxl/SERIES/MODEL/, which
 * says what each item is, its access and initial value. Ranges come from the
 * items' descriptions there; where those are silent, from the table "Control
 * Table Data Range and Length for Writing" of the printed AX-12 manual.
 * Documentation/dxlsim.rst lists what neither of them says.
 */
#include "models.h"

/* addr, size, area, access, initial value, min, max, name */
static const struct item ax12_items[] = {
	{  0, 2, ROM, R,    12,  0, 65535, "model_number" },
	{  2, 1, ROM, R,    24,  0,   255, "firmware_version" },
	{  3, 1, ROM, RW,    1,  0,   253, "id" },
	{  4, 1, ROM, RW,    1,  0,   254, "baud_rate" },
	{  5, 1, ROM, RW,  250,  0,   254, "return_delay_time" },
	{  6, 2, ROM, RW,    0,  0,  1023, "cw_angle_limit" },
	{  8, 2, ROM, RW, 1023,  0,  1023, "ccw_angle_limit" },
	{ 11, 1, ROM, RW,   70,  0,   100, "temperature_limit" },
	{ 12, 1, ROM, RW,   60, 50,   250, "min_voltage_limit" },
	{ 13, 1, ROM, RW,  140, 50,   250, "max_voltage_limit" },
	{ 14, 2, ROM, RW, 1023,  0,  1023, "max_torque" },
	{ 16, 1, ROM, RW,    2,  0,     2, "status_return_level" },
	{ 17, 1, ROM, RW,   36,  0,   127, "alarm_led" },
	{ 18, 1, ROM, RW,   36,  0,   127, "shutdown" },
	{ 24, 1, RAM, RW,    0,  0,     1, "torque_enable" },
	{ 25, 1, RAM, RW,    0,  0,     1, "led" },
	{ 26, 1, RAM, RW,    1,  0,   255, "cw_compliance_margin" },
	{ 27, 1, RAM, RW,    1,  0,   255, "ccw_compliance_margin" },
	{ 28, 1, RAM, RW,   32,  0,   254, "cw_compliance_slope" },
	{ 29, 1, RAM, RW,   32,  0,   254, "ccw_compliance_slope" },
	{ 30, 2, RAM, RW,    0,  0,  1023, "goal_position" },
	{ 32, 2, RAM, RW,    0,  0,  2047, "moving_speed" },
	{ 34, 2, RAM, RW, 1023,  0,  1023, "torque_limit" },
	{ 36, 2, RAM, R,     0,  0,  1023, "present_position" },
	{ 38, 2, RAM, R,     0,  0,  2047, "present_speed" },
	{ 40, 2, RAM, R,     0,  0,  2047, "present_load" },
	{ 42, 1, RAM, R,     0,  0,   255, "present_voltage" },
	{ 43, 1, RAM, R,     0,  0,   255, "present_temperature" },
	{ 44, 1, RAM, R,     0,  0,     1, "registered" },
	{ 46, 1, RAM, R,     0,  0,     1, "moving" },
	{ 47, 1, RAM, RW,    0,  0,     1, "lock" },
	{ 48, 2, RAM, RW,   32, 32,  1023, "punch" },
};

static const struct item mx28_items[] = {
	{  0, 2, ROM, R,    29,  0, 65535, "model_number" },
	{  2, 1, ROM, R,    41,  0,   255, "firmware_version" },
	{  3, 1, ROM, RW,    1,  0,   253, "id" },
	{  4, 1, ROM, RW,   34,  0,   254, "baud_rate" },
	{  5, 1, ROM, RW,  250,  0,   254, "return_delay_time" },
	{  6, 2, ROM, RW,    0,  0,  4095, "cw_angle_limit" },
	{  8, 2, ROM, RW, 4095,  0,  4095, "ccw_angle_limit" },
	{ 11, 1, ROM, RW,   80,  0,   100, "temperature_limit" },
	{ 12, 1, ROM, RW,   60, 50,   160, "min_voltage_limit" },
	{ 13, 1, ROM, RW,  160, 50,   160, "max_voltage_limit" },
	{ 14, 2, ROM, RW, 1023,  0,  1023, "max_torque" },
	{ 16, 1, ROM, RW,    2,  0,     2, "status_return_level" },
	{ 17, 1, ROM, RW,   36,  0,   127, "alarm_led" },
	{ 18, 1, ROM, RW,   36,  0,   127, "shutdown" },
	{ 20, 2, ROM, RW,    0, -24576, 24576, "multi_turn_offset" },
	{ 22, 1, ROM, RW,    1,  1,     4, "resolution_divider" },
	{ 24, 1, RAM, RW,    0,  0,     1, "torque_enable" },
	{ 25, 1, RAM, RW,    0,  0,     1, "led" },
	{ 26, 1, RAM, RW,    0,  0,   254, "d_gain" },
	{ 27, 1, RAM, RW,    0,  0,   254, "i_gain" },
	{ 28, 1, RAM, RW,   32,  0,   254, "p_gain" },
	{ 30, 2, RAM, RW,    0, -28672, 28672, "goal_position" },
	{ 32, 2, RAM, RW,    0,  0,  2047, "moving_speed" },
	{ 34, 2, RAM, RW, 1023,  0,  1023, "torque_limit" },
	{ 36, 2, RAM, R,     0, -28672, 28672, "present_position" },
	{ 38, 2, RAM, R,     0,  0,  2047, "present_speed" },
	{ 40, 2, RAM, R,     0,  0,  2047, "present_load" },
	{ 42, 1, RAM, R,     0,  0,   255, "present_voltage" },
	{ 43, 1, RAM, R,     0,  0,   255, "present_temperature" },
	{ 44, 1, RAM, R,     0,  0,     1, "registered" },
	{ 46, 1, RAM, R,     0,  0,     1, "moving" },
	{ 47, 1, RAM, RW,    0,  0,     1, "lock" },
	{ 48, 2, RAM, RW,    0,  0,  1023, "punch" },
	{ 50, 2, RAM, R,     0,  0, 32767, "realtime_tick" },
	{ 73, 1, RAM, RW,    0,  0,   254, "goal_acceleration" },
};

#define AX_MAP \
	.cw_limit = 6, \
	.ccw_limit = 8, \
	.temp_limit = 11, \
	.min_voltage = 12, \
	.max_voltage = 13, \
	.max_torque = 14, \
	.shutdown = 18, \
	.goal = 30, \
	.speed = 32, \
	.torque_limit = 34, \
	.present_position = 36, \
	.present_speed = 38, \
	.present_load = 40, \
	.present_voltage = 42, \
	.present_temp = 43, \
	.moving = 46

static const struct servo_map ax_map = {
	AX_MAP,
	.cw_margin = 26,
	.ccw_margin = 27,
};

static const struct servo_map mx_map = {
	AX_MAP,
	.multi_turn_offset = 20,
	.divider = 22,
	.p_gain = 28,
	.tick = 50,
	.goal_accel = 73,
};

static const struct registers registers = {
	.firmware = 2,
	.id = 3,
	.baud = 4,
	.return_delay = 5,
	.status_level = 16,
	.torque_enable = 24,
	.registered = 44,
	.lock = 47,
};

#define ERROR_BITS { \
	.voltage = DXL1_ERR_VOLTAGE, \
	.heat = DXL1_ERR_OVERHEAT, \
	.overload = DXL1_ERR_OVERLOAD, \
}

#define MODEL \
	.protocol = DXL_PROTOCOL_1, \
	.registers = &registers, \
	.eeprom_byte = 6 * NSEC_PER_MSEC, \
	.boot = 50 * NSEC_PER_MSEC, \
	.ops = &servo_ops

static const struct ability mx_abilities[] = {
	{ DXL_BULK_READ, 0 },
};

static const struct servo_spec ax12_spec = {
	.map = &ax_map,
	.bits = ERROR_BITS,
	.supply = 120,
	.count_deg = 300.0 / 1024,
	.speed_unit_rpm = 0.111,
	.no_load_rpm = 59,
	.accel_deg = 3500,
	.max_position = 1023,
	.wheel_is_output = true,
};

static const struct servo_spec mx28_spec = {
	.map = &mx_map,
	.bits = ERROR_BITS,
	.supply = 120,
	.count_deg = 360.0 / 4096,
	.speed_unit_rpm = 0.114,
	.no_load_rpm = 55,
	.accel_deg = 5000,
	.max_position = 4095,
	.multi_turn = 28672,
};

const struct model model_ax12 = {
	MODEL,
	.name = "AX-12",
	.compatible = "robotis,ax-12",
	.number = 12,
	.table_size = 50,
	.pieces = { PIECE(ax12_items) },
	.servo = &ax12_spec,
};

const struct model model_mx28 = {
	MODEL,
	.name = "MX-28",
	.compatible = "robotis,mx-28",
	.number = 29,
	.table_size = 74,
	.pieces = { PIECE(mx28_items) },
	.fast_bauds = true,
	.abilities = mx_abilities,
	.ability_count = COUNT(mx_abilities),
	.servo = &mx28_spec,
};
