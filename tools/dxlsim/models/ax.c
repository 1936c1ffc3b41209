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
#include "items.h"

/* addr, size, area, access, initial value, min, max, name */
/* The AX-12; what others have differently follows further down. */
static const struct item ax_items[] = {
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

/* The MX-28, likewise. */
static const struct item mx_items[] = {
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

/* --- where things are --- */

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

#define MX_MAP \
	AX_MAP, \
	.multi_turn_offset = 20, \
	.divider = 22, \
	.p_gain = 28, \
	.tick = 50, \
	.goal_accel = 73

#define TORQUE_MAP \
	.current = 68, \
	.torque_mode = 70, \
	.goal_torque = 71

static const struct servo_map ax_map = {
	AX_MAP, .cw_margin = 26, .ccw_margin = 27, .cw_slope = 28, .ccw_slope = 29,
	.punch = 48,
};

static const struct servo_map ex_map = {
	AX_MAP, .cw_margin = 26, .ccw_margin = 27, .cw_slope = 28, .ccw_slope = 29,
	.punch = 48, .drive_mode = 10,
	.current = 56,
};

static const struct servo_map mx_map = { MX_MAP };
static const struct servo_map mx64_map = { MX_MAP, TORQUE_MAP };
static const struct servo_map mx106_map = {
	MX_MAP, TORQUE_MAP, .drive_mode = 10,
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

/* --- what the models share --- */

#define AX_SPEC \
	.bits = { DXL1_ERR_VOLTAGE, DXL1_ERR_OVERHEAT, DXL1_ERR_OVERLOAD }, \
	.count_deg = 300.0 / 1024, \
	.speed_unit_rpm = 0.111, \
	.accel_deg = 3500, \
	.max_position = 1023, \
	.wheel_is_output = true

#define MX_SPEC \
	.bits = { DXL1_ERR_VOLTAGE, DXL1_ERR_OVERHEAT, DXL1_ERR_OVERLOAD }, \
	.supply = 120, \
	.count_deg = 360.0 / 4096, \
	.accel_deg = 5000, \
	.max_position = 4095, \
	.multi_turn = 28672

#define MODEL \
	.protocol = DXL_PROTOCOL_1, \
	.registers = &registers, \
	.eeprom_byte = 6 * NSEC_PER_MSEC, \
	.boot = 50 * NSEC_PER_MSEC, \
	.ops = &servo_ops

static const struct ability mx_abilities[] = {
	{ DXL_BULK_READ, 0 },
};

#define MX_MODEL \
	MODEL, \
	.table_size = 74, \
	.fast_bauds = true, \
	.abilities = mx_abilities, \
	.ability_count = COUNT(mx_abilities)

#define NUMBER(n)	{ 0, 2, ROM, R, n, 0, 65535, "model_number" }
#define FIRMWARE(n)	{ 2, 1, ROM, R, n, 0, 255, "firmware_version" }
#define BAUD(n)		{ 4, 1, ROM, RW, n, 0, 254, "baud_rate" }
#define HEAT(n)		{ 11, 1, ROM, RW, n, 0, 100, "temperature_limit" }
#define MAX_VOLTAGE(n)	{ 13, 1, ROM, RW, n, 50, 250, "max_voltage_limit" }
#define TORQUE_CONTROL \
	{ 68, 2, RAM, R, 2048, 0, 4095, "current" }, \
	{ 70, 1, RAM, RW, 0, 0, 1, "torque_control_mode" }, \
	{ 71, 2, RAM, RW, 0, 0, 2047, "goal_torque" }
#define DRIVE_MODE	{ 10, 1, ROM, RW, 0, 0, 3, "drive_mode" }

/* --- AX --- */

static const struct item ax12_items[] = { NUMBER(12), FIRMWARE(24) };

static const struct servo_spec ax12_spec = {
	AX_SPEC, .map = &ax_map, .supply = 120, .no_load_rpm = 59, .torque = 1.5,
};

const struct model model_ax12 = {
	MODEL,
	.name = "AX-12",
	.compatible = "robotis,ax-12",
	.number = 12,
	.table_size = 50,
	.pieces = { PIECE(ax_items), PIECE(ax12_items) },
	.servo = &ax12_spec,
};

static const struct item ax18_items[] = {
	NUMBER(18), FIRMWARE(24), HEAT(75),
	{ 14, 2, ROM, RW, 983, 0, 1023, "max_torque" },
};

static const struct servo_spec ax18_spec = {
	AX_SPEC, .map = &ax_map, .supply = 120, .no_load_rpm = 97, .torque = 1.8,
};

const struct model model_ax18 = {
	MODEL,
	.name = "AX-18",
	.compatible = "robotis,ax-18",
	.number = 18,
	.table_size = 50,
	.pieces = { PIECE(ax_items), PIECE(ax18_items) },
	.servo = &ax18_spec,
};

/* --- RX and EX; where they are made for 14.8 V, speeds are given at 18.5 V --- */

#define AT_14V8(rpm)	((rpm) * 14.8 / 18.5)

static const struct item rx24f_items[] = {
	NUMBER(24), FIRMWARE(24), BAUD(34), HEAT(80), MAX_VOLTAGE(190),
};

static const struct servo_spec rx24f_spec = {
	AX_SPEC, .map = &ax_map, .supply = 120, .no_load_rpm = 126, .torque = 2.6,
};

const struct model model_rx24f = {
	MODEL,
	.name = "RX-24F",
	.compatible = "robotis,rx-24f",
	.number = 24,
	.table_size = 50,
	.pieces = { PIECE(ax_items), PIECE(rx24f_items) },
	.servo = &rx24f_spec,
};

static const struct item rx28_items[] = {
	NUMBER(28), FIRMWARE(24), BAUD(34), HEAT(80), MAX_VOLTAGE(190),
};

static const struct servo_spec rx28_spec = {
	AX_SPEC, .map = &ax_map, .supply = 148, .no_load_rpm = AT_14V8(85),
	.torque = AT_14V8(3.7),
};

const struct model model_rx28 = {
	MODEL,
	.name = "RX-28",
	.compatible = "robotis,rx-28",
	.number = 28,
	.table_size = 50,
	.pieces = { PIECE(ax_items), PIECE(rx28_items) },
	.servo = &rx28_spec,
};

static const struct item rx64_items[] = {
	NUMBER(64), FIRMWARE(24), BAUD(34), HEAT(80), MAX_VOLTAGE(190),
};

static const struct servo_spec rx64_spec = {
	AX_SPEC, .map = &ax_map, .supply = 148, .no_load_rpm = AT_14V8(64),
	.torque = AT_14V8(5.3),
};

const struct model model_rx64 = {
	MODEL,
	.name = "RX-64",
	.compatible = "robotis,rx-64",
	.number = 64,
	.table_size = 50,
	.pieces = { PIECE(ax_items), PIECE(rx64_items) },
	.servo = &rx64_spec,
};

static const struct item ex106_items[] = {
	NUMBER(107), FIRMWARE(24), BAUD(34), DRIVE_MODE, HEAT(80),
	MAX_VOLTAGE(240),
	{  6, 2, ROM, RW,    0,  0,  4095, "cw_angle_limit" },
	{  8, 2, ROM, RW, 4095,  0,  4095, "ccw_angle_limit" },
	{ 30, 2, RAM, RW,    0,  0,  4095, "goal_position" },
	{ 36, 2, RAM, R,     0,  0, 65535, "present_position" },
	{ 48, 2, RAM, RW,    0,  0,  1023, "punch" },
	{ 56, 2, RAM, R,   512,  0,  1023, "sensed_current" },
};

static const struct servo_spec ex106_spec = {
	.map = &ex_map,
	.bits = { DXL1_ERR_VOLTAGE, DXL1_ERR_OVERHEAT, DXL1_ERR_OVERLOAD },
	.supply = 148,
	.count_deg = 251.0 / 4096,
	.speed_unit_rpm = 0.111,
	.no_load_rpm = AT_14V8(91),
	.torque = AT_14V8(10.9),
	.accel_deg = 3500,
	.max_position = 4095,
	.wheel_is_output = true,
	.wheel_counts = true,
	.full_load = -511,		/* clockwise is more than nothing */
	.current_zero = 512,
};

const struct model model_ex106 = {
	MODEL,
	.name = "EX-106+",
	.compatible = "robotis,ex-106",
	.number = 107,
	.table_size = 58,
	.pieces = { PIECE(ax_items), PIECE(ex106_items) },
	.servo = &ex106_spec,
};

/* --- MX --- */

static const struct item mx12w_items[] = {
	NUMBER(360), FIRMWARE(41), BAUD(1),
	{ 26, 1, RAM, RW,    8,  0,   254, "d_gain" },
	{ 28, 1, RAM, RW,    8,  0,   254, "p_gain" },
	{ 48, 2, RAM, RW,   32,  0,  1023, "punch" },
};

static const struct servo_spec mx12w_spec = {
	MX_SPEC, .map = &mx_map, .speed_unit_rpm = 0.916, .no_load_rpm = 470, .torque = 0.2,
};

const struct model model_mx12w = {
	MX_MODEL,
	.name = "MX-12W",
	.compatible = "robotis,mx-12w",
	.number = 360,
	.pieces = { PIECE(mx_items), PIECE(mx12w_items) },
	.servo = &mx12w_spec,
};

static const struct item mx28_items[] = { NUMBER(29), FIRMWARE(41) };

static const struct servo_spec mx28_spec = {
	MX_SPEC, .map = &mx_map, .speed_unit_rpm = 0.114, .no_load_rpm = 55, .torque = 2.5,
};

const struct model model_mx28 = {
	MX_MODEL,
	.name = "MX-28",
	.compatible = "robotis,mx-28",
	.number = 29,
	.pieces = { PIECE(mx_items), PIECE(mx28_items) },
	.servo = &mx28_spec,
};

static const struct item mx64_items[] = {
	NUMBER(310), FIRMWARE(41), MAX_VOLTAGE(240), TORQUE_CONTROL,
};

static const struct servo_spec mx64_spec = {
	MX_SPEC, .map = &mx64_map, .speed_unit_rpm = 0.114, .no_load_rpm = 63, .torque = 6.0,
	.full_load = 911, .current_zero = 2048,		/* 4.1 A */
};

const struct model model_mx64 = {
	MX_MODEL,
	.name = "MX-64",
	.compatible = "robotis,mx-64",
	.number = 310,
	.pieces = { PIECE(mx_items), PIECE(mx64_items) },
	.servo = &mx64_spec,
};

static const struct item mx106_items[] = {
	NUMBER(320), FIRMWARE(41), DRIVE_MODE, TORQUE_CONTROL,
};

static const struct servo_spec mx106_spec = {
	MX_SPEC, .map = &mx106_map, .speed_unit_rpm = 0.114, .no_load_rpm = 45, .torque = 8.4,
	.full_load = 1155, .current_zero = 2048,	/* 5.2 A */
};

const struct model model_mx106 = {
	MX_MODEL,
	.name = "MX-106",
	.compatible = "robotis,mx-106",
	.number = 320,
	.pieces = { PIECE(mx_items), PIECE(mx106_items) },
	.servo = &mx106_spec,
};
