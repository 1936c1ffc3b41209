// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The X series, and the MX series with the firmware for Protocol 2.0
 *
 * From the maker's manual, emanual.robotis.com/docs/en/dxl/x/MODEL/ and
 * .../dxl/mx/mx-28-2/ and so on: items, access, initial values and ranges from
 * the tables "Control Table of EEPROM Area" and "... of RAM Area", speeds from
 * the table "Specifications".
 */
#include "items.h"

#define NO_LIMIT	1048575

/* --- pieces of the control tables --- */

/* addr, size, area, access, initial value, min, max, name */
static const struct item common[] = {
	{   2, 4, ROM, R,       0, 0, 0x7fffffff, "model_information" },
	{   7, 1, ROM, RW,      1, 0,   252, "id" },
	{   8, 1, ROM, RW,      1, 0,     7, "baud_rate" },
	{   9, 1, ROM, RW,    250, 0,   254, "return_delay_time" },
	{  11, 1, ROM, RW,      3, 0,    16, "operating_mode" },
	{  12, 1, ROM, RW,    255, 0,   255, "secondary_id" },
	{  13, 1, ROM, RW,      2, 1,     2, "protocol_type" },
	{  20, 4, ROM, RW,      0, -1044479, 1044479, "homing_offset" },
	{  24, 4, ROM, RW,     10, 0,  1023, "moving_threshold" },
	{  31, 1, ROM, RW,     80, 0,   100, "temperature_limit" },
	{  32, 2, ROM, RW,    160, 95,  160, "max_voltage_limit" },
	{  34, 2, ROM, RW,     95, 95,  160, "min_voltage_limit" },
	{  36, 2, ROM, RW,    885, 0,   885, "pwm_limit" },
	{  48, 4, ROM, RW,   4095, 0,  4095, "max_position_limit" },
	{  52, 4, ROM, RW,      0, 0,  4095, "min_position_limit" },
	{  63, 1, ROM, RW,     52, 0,    63, "shutdown" },
	{  64, 1, RAM, RW,      0, 0,     1, "torque_enable" },
	{  65, 1, RAM, RW,      0, 0,     1, "led" },
	{  68, 1, RAM, RW,      2, 0,     2, "status_return_level" },
	{  69, 1, RAM, R,       0, 0,     1, "registered_instruction" },
	{  70, 1, RAM, R,       0, 0,   255, "hardware_error_status" },
	{  76, 2, SAVED, RW, 1920, 0, 16383, "velocity_i_gain" },
	{  78, 2, SAVED, RW,  100, 0, 16383, "velocity_p_gain" },
	{  80, 2, SAVED, RW,    0, 0, 16383, "position_d_gain" },
	{  82, 2, SAVED, RW,    0, 0, 16383, "position_i_gain" },
	{  84, 2, SAVED, RW,  800, 0, 16383, "position_p_gain" },
	{  88, 2, SAVED, RW,    0, 0, 16383, "feedforward_2nd_gain" },
	{  90, 2, SAVED, RW,    0, 0, 16383, "feedforward_1st_gain" },
	{  98, 1, RAM, RW,      0, 0,   127, "bus_watchdog" },
	{ 100, 2, RAM, RW,    885, -885, 885, "goal_pwm" },
	{ 104, 4, RAM, RW,      0, -1023, 1023, "goal_velocity" },
	{ 108, 4, SAVED, RW,    0, 0, 32767, "profile_acceleration" },
	{ 112, 4, SAVED, RW,    0, 0, 32767, "profile_velocity" },
	{ 116, 4, RAM, RW,      0, -NO_LIMIT, NO_LIMIT, "goal_position" },
	{ 120, 2, RAM, R,       0, 0, 32767, "realtime_tick" },
	{ 122, 1, RAM, R,       0, 0,     1, "moving" },
	{ 123, 1, RAM, R,       0, 0,   255, "moving_status" },
	{ 124, 2, RAM, R,       0, -885, 885, "present_pwm" },
	{ 128, 4, RAM, R,       0, -NO_LIMIT, NO_LIMIT, "present_velocity" },
	{ 132, 4, RAM, R,       0, -NO_LIMIT, NO_LIMIT, "present_position" },
	{ 136, 4, RAM, R,       0, -NO_LIMIT, NO_LIMIT, "velocity_trajectory" },
	{ 140, 4, RAM, R,       0, -NO_LIMIT, NO_LIMIT, "position_trajectory" },
	{ 144, 2, RAM, R,       0, 0, 65535, "present_input_voltage" },
	{ 146, 1, RAM, R,       0, 0,   255, "present_temperature" },
};

static const struct row rows[] = {
	{ { 168, 2, SAVED, RW, 224, 64, 661, "indirect_address" }, 28, 1, 1 },
	{ { 224, 1, RAM, RW, 0, 0, 255, "indirect_data" }, 28, 1, 0 },
	{ { 578, 2, SAVED, RW, 634, 64, 661, "indirect_address" }, 28, 29, 1 },
	{ { 634, 1, RAM, RW, 0, 0, 255, "indirect_data" }, 28, 29, 0 },
};

/* Drive Mode: reverse, time-based profile, torque on by goal; 540: slave. */
static const struct item x430[] = {
	{  10, 1, ROM, RW,      0, 0,    13, "drive_mode" },
	{  60, 1, ROM, RW,      0, 0,     3, "startup_configuration" },
	{ 147, 1, RAM, R,       0, 0,     1, "backup_ready" },
};

static const struct item x540[] = {
	{  10, 1, ROM, RW,      0, 0,    15, "drive_mode" },
	{  56, 1, ROM, RW,      3, 0,     3, "external_port_mode_1" },
	{  57, 1, ROM, RW,      3, 0,     3, "external_port_mode_2" },
	{  58, 1, ROM, RW,      3, 0,     3, "external_port_mode_3" },
	{  60, 1, ROM, RW,      0, 0,     3, "startup_configuration" },
	{ 147, 1, RAM, R,       0, 0,     1, "backup_ready" },
	{ 152, 2, RAM, RW,      0, 0,  4095, "external_port_data_1" },
	{ 154, 2, RAM, RW,      0, 0,  4095, "external_port_data_2" },
	{ 156, 2, RAM, RW,      0, 0,  4095, "external_port_data_3" },
};

static const struct item mx[] = {
	{  40, 4, ROM, RW,  32767, 0, 32767, "acceleration_limit" },
	{  84, 2, SAVED, RW,  850, 0, 16383, "position_p_gain" },
};

/* With a supply of 24 V. */
static const struct item volts24[] = {
	{  32, 2, ROM, RW,    300, 110, 300, "max_voltage_limit" },
	{  34, 2, ROM, RW,    110, 110, 300, "min_voltage_limit" },
};

/* What does not measure its current tells its load. */
static const struct item load[] = {
	{ 126, 2, RAM, R,       0, -1000, 1000, "present_load" },
};

static const struct registers registers = {
	.firmware = 6,
	.id = 7,
	.baud = 8,
	.return_delay = 9,
	.secondary_id = 12,
	.protocol = 13,
	.startup = 60,
	.torque_enable = 64,
	.status_level = 68,
	.registered = 69,
	.backup_ready = 147,
};

static const struct registers mx_registers = {
	.firmware = 6,
	.id = 7,
	.baud = 8,
	.return_delay = 9,
	.secondary_id = 12,
	.protocol = 13,
	.torque_enable = 64,
	.status_level = 68,
	.registered = 69,
};

static const struct indirect indirect[] = {
	{ 168, 224, 28 },
	{ 578, 634, 28 },
};

static const unsigned int bauds[] = {
	9600, 57600, 115200, 1000000, 2000000, 3000000, 4000000, 4500000,
};

static const struct ability x_abilities[] = {
	{ DXL_SYNC_READ, 0 },
	{ DXL_BULK_READ, 0 },
	{ DXL_BULK_WRITE, 0 },
	{ DXL_CLEAR, 42 },
	{ DXL_BACKUP, 45 },
	{ DXL_FAST_SYNC_READ, 45 },
	{ DXL_FAST_BULK_READ, 45 },
};

static const struct ability mx_abilities[] = {
	{ DXL_SYNC_READ, 0 },
	{ DXL_BULK_READ, 0 },
	{ DXL_BULK_WRITE, 0 },
	{ DXL_CLEAR, 42 },
};

/* --- models --- */

#define NUMBER(n)	{ 0, 2, ROM, R, n, 0, 65535, "model_number" }
#define FIRMWARE(n)	{ 6, 1, ROM, R, n, 0, 255, "firmware_version" }
#define CURRENT(n) \
	{  38, 2, ROM, RW, n,  0, n, "current_limit" }, \
	{ 102, 2, RAM, RW, n, -(n), n, "goal_current" }, \
	{ 126, 2, RAM, R,  0, -32768, 32767, "present_current" }
#define VELOCITY(n)	{ 44, 4, ROM, RW, n, 0, 1023, "velocity_limit" }
#define MAX_VOLTAGE(n)	{ 32, 2, ROM, RW, n, 60, n, "max_voltage_limit" }
#define MIN_VOLTAGE(most) \
	{ 34, 2, ROM, RW, 60, 60, most, "min_voltage_limit" }
#define P_GAIN(n)	{ 84, 2, SAVED, RW, n, 0, 16383, "position_p_gain" }

/* Present Load of full torque. */
#define LOAD		1000

#define MODEL \
	.protocol = DXL_PROTOCOL_2, \
	.table_size = 662, \
	.rows = rows, \
	.row_count = COUNT(rows), \
	.indirect = indirect, \
	.indirect_count = COUNT(indirect), \
	.bauds = bauds, \
	.baud_count = COUNT(bauds), \
	.boot = 400 * NSEC_PER_MSEC, \
	.ops = &servo_x_ops

#define X_MODEL \
	MODEL, \
	.registers = &registers, \
	.abilities = x_abilities, \
	.ability_count = COUNT(x_abilities)

#define MX_MODEL \
	MODEL, \
	.registers = &mx_registers, \
	.eeprom_byte = 1 * NSEC_PER_MSEC, \
	.abilities = mx_abilities, \
	.ability_count = COUNT(mx_abilities)

/*
 * Supply in 0.1 V; at it the speed without load and the torque standing, Nm; Present
 * Current at full torque.
 */
#define SPEC(id, supplied, rpm, stall, full) \
static const struct servo_spec id##_spec = { \
	.bits = { .voltage = 0x01, .heat = 0x04, .overload = 0x20 }, \
	.supply = supplied, \
	.count_deg = 360.0 / 4096, \
	.speed_unit_rpm = 0.229, \
	.no_load_rpm = rpm, \
	.torque = stall, \
	.accel_deg = 5000, \
	.max_position = 4095, \
	.full_load = full, \
}

static const struct item xl430_w250_items[] = {
	NUMBER(1060), FIRMWARE(46), VELOCITY(265), MAX_VOLTAGE(140),
	MIN_VOLTAGE(140),
	P_GAIN(640),
	{ 31, 1, ROM, RW, 72, 0, 100, "temperature_limit" },
	{ 76, 2, SAVED, RW, 1000, 0, 16383, "velocity_i_gain" },
	{ 80, 2, SAVED, RW, 4000, 0, 16383, "position_d_gain" },
};

SPEC(xl430_w250, 120, 61, 1.5, LOAD);

const struct model model_xl430_w250 = {
	X_MODEL,
	.name = "XL430-W250",
	.compatible = "robotis,xl430-w250",
	.number = 1060,
	.pieces = {
		PIECE(common), PIECE(x430), PIECE(load),
		PIECE(xl430_w250_items),
	},
	.servo = &xl430_w250_spec,
};

static const struct item xc430_w150_items[] = {
	NUMBER(1070), FIRMWARE(46), VELOCITY(460), MAX_VOLTAGE(160),
	MIN_VOLTAGE(160),
	P_GAIN(460),
	{ 24, 4, ROM, RW, 20, 0, 1023, "moving_threshold" },
};

SPEC(xc430_w150, 120, 106, 1.6, LOAD);

const struct model model_xc430_w150 = {
	X_MODEL,
	.name = "XC430-W150",
	.compatible = "robotis,xc430-w150",
	.number = 1070,
	.pieces = {
		PIECE(common), PIECE(x430), PIECE(load),
		PIECE(xc430_w150_items),
	},
	.servo = &xc430_w150_spec,
};

static const struct item xc430_w240_items[] = {
	NUMBER(1080), FIRMWARE(46), VELOCITY(306), MAX_VOLTAGE(160),
	MIN_VOLTAGE(160),
	P_GAIN(700),
};

SPEC(xc430_w240, 120, 70, 1.9, LOAD);

const struct model model_xc430_w240 = {
	X_MODEL,
	.name = "XC430-W240",
	.compatible = "robotis,xc430-w240",
	.number = 1080,
	.pieces = {
		PIECE(common), PIECE(x430), PIECE(load),
		PIECE(xc430_w240_items),
	},
	.servo = &xc430_w240_spec,
};

static const struct item xm430_w210_items[] = {
	NUMBER(1030), FIRMWARE(46), CURRENT(1193), VELOCITY(330),
};

SPEC(xm430_w210, 120, 77, 3.0, 1193);

const struct model model_xm430_w210 = {
	X_MODEL,
	.name = "XM430-W210",
	.compatible = "robotis,xm430-w210",
	.number = 1030,
	.pieces = {
		PIECE(common), PIECE(x430),
		PIECE(xm430_w210_items),
	},
	.servo = &xm430_w210_spec,
};

static const struct item xm430_w350_items[] = {
	NUMBER(1020), FIRMWARE(46), CURRENT(1193), VELOCITY(200),
};

SPEC(xm430_w350, 120, 46, 4.1, 1193);

const struct model model_xm430_w350 = {
	X_MODEL,
	.name = "XM430-W350",
	.compatible = "robotis,xm430-w350",
	.number = 1020,
	.pieces = {
		PIECE(common), PIECE(x430),
		PIECE(xm430_w350_items),
	},
	.servo = &xm430_w350_spec,
};

static const struct item xm540_w150_items[] = {
	NUMBER(1130), FIRMWARE(46), CURRENT(2047), VELOCITY(230),
};

SPEC(xm540_w150, 120, 53, 7.3, 2047);

const struct model model_xm540_w150 = {
	X_MODEL,
	.name = "XM540-W150",
	.compatible = "robotis,xm540-w150",
	.number = 1130,
	.pieces = {
		PIECE(common), PIECE(x540),
		PIECE(xm540_w150_items),
	},
	.servo = &xm540_w150_spec,
};

static const struct item xm540_w270_items[] = {
	NUMBER(1120), FIRMWARE(46), CURRENT(2047), VELOCITY(128),
};

SPEC(xm540_w270, 120, 30, 10.6, 2047);

const struct model model_xm540_w270 = {
	X_MODEL,
	.name = "XM540-W270",
	.compatible = "robotis,xm540-w270",
	.number = 1120,
	.pieces = {
		PIECE(common), PIECE(x540),
		PIECE(xm540_w270_items),
	},
	.servo = &xm540_w270_spec,
};

static const struct item xh430_w210_items[] = {
	NUMBER(1010), FIRMWARE(46), CURRENT(648), VELOCITY(210), P_GAIN(900),
};

SPEC(xh430_w210, 120, 50, 2.5, 648);

const struct model model_xh430_w210 = {
	X_MODEL,
	.name = "XH430-W210",
	.compatible = "robotis,xh430-w210",
	.number = 1010,
	.pieces = {
		PIECE(common), PIECE(x430),
		PIECE(xh430_w210_items),
	},
	.servo = &xh430_w210_spec,
};

static const struct item xh430_w350_items[] = {
	NUMBER(1000), FIRMWARE(46), CURRENT(648), VELOCITY(130), P_GAIN(900),
};

SPEC(xh430_w350, 120, 30, 3.4, 648);

const struct model model_xh430_w350 = {
	X_MODEL,
	.name = "XH430-W350",
	.compatible = "robotis,xh430-w350",
	.number = 1000,
	.pieces = {
		PIECE(common), PIECE(x430),
		PIECE(xh430_w350_items),
	},
	.servo = &xh430_w350_spec,
};

static const struct item xh430_v210_items[] = {
	NUMBER(1050), FIRMWARE(46), CURRENT(689), VELOCITY(380),
};

SPEC(xh430_v210, 240, 52, 2.6, 689);

const struct model model_xh430_v210 = {
	X_MODEL,
	.name = "XH430-V210",
	.compatible = "robotis,xh430-v210",
	.number = 1050,
	.pieces = {
		PIECE(common), PIECE(x430), PIECE(volts24),
		PIECE(xh430_v210_items),
	},
	.servo = &xh430_v210_spec,
};

static const struct item xh430_v350_items[] = {
	NUMBER(1040), FIRMWARE(46), CURRENT(689), VELOCITY(135),
};

SPEC(xh430_v350, 240, 31, 3.5, 689);

const struct model model_xh430_v350 = {
	X_MODEL,
	.name = "XH430-V350",
	.compatible = "robotis,xh430-v350",
	.number = 1040,
	.pieces = {
		PIECE(common), PIECE(x430), PIECE(volts24),
		PIECE(xh430_v350_items),
	},
	.servo = &xh430_v350_spec,
};

static const struct item xh540_w150_items[] = {
	NUMBER(1110), FIRMWARE(46), CURRENT(2047), VELOCITY(300),
};

SPEC(xh540_w150, 120, 70, 7.1, 2047);

const struct model model_xh540_w150 = {
	X_MODEL,
	.name = "XH540-W150",
	.compatible = "robotis,xh540-w150",
	.number = 1110,
	.pieces = {
		PIECE(common), PIECE(x540),
		PIECE(xh540_w150_items),
	},
	.servo = &xh540_w150_spec,
};

static const struct item xh540_w270_items[] = {
	NUMBER(1100), FIRMWARE(46), CURRENT(2047), VELOCITY(167),
};

SPEC(xh540_w270, 120, 39, 9.9, 2047);

const struct model model_xh540_w270 = {
	X_MODEL,
	.name = "XH540-W270",
	.compatible = "robotis,xh540-w270",
	.number = 1100,
	.pieces = {
		PIECE(common), PIECE(x540),
		PIECE(xh540_w270_items),
	},
	.servo = &xh540_w270_spec,
};

static const struct item xh540_v150_items[] = {
	NUMBER(1150), FIRMWARE(46), CURRENT(1188), VELOCITY(230),
};

SPEC(xh540_v150, 240, 60, 6.9, 1188);

const struct model model_xh540_v150 = {
	X_MODEL,
	.name = "XH540-V150",
	.compatible = "robotis,xh540-v150",
	.number = 1150,
	.pieces = {
		PIECE(common), PIECE(x540), PIECE(volts24),
		PIECE(xh540_v150_items),
	},
	.servo = &xh540_v150_spec,
};

static const struct item xh540_v270_items[] = {
	NUMBER(1140), FIRMWARE(46), CURRENT(2047), VELOCITY(128),
};

SPEC(xh540_v270, 240, 34, 9.2, 2047);

const struct model model_xh540_v270 = {
	X_MODEL,
	.name = "XH540-V270",
	.compatible = "robotis,xh540-v270",
	.number = 1140,
	.pieces = {
		PIECE(common), PIECE(x540), PIECE(volts24),
		PIECE(xh540_v270_items),
	},
	.servo = &xh540_v270_spec,
};

static const struct item mx28_2_items[] = {
	NUMBER(30), FIRMWARE(42), VELOCITY(230),
	{ 10, 1, ROM, RW, 0, 0, 5, "drive_mode" },
};

SPEC(mx28_2, 120, 55, 2.5, LOAD);

const struct model model_mx28_2 = {
	MX_MODEL,
	.name = "MX-28(2.0)",
	.compatible = "robotis,mx-28-2",
	.number = 30,
	.pieces = {
		PIECE(common), PIECE(mx), PIECE(load),
		PIECE(mx28_2_items),
	},
	.servo = &mx28_2_spec,
};

static const struct item mx64_2_items[] = {
	NUMBER(311), FIRMWARE(42), CURRENT(1941), VELOCITY(435),
	{ 10, 1, ROM, RW, 0, 0, 5, "drive_mode" },
};

SPEC(mx64_2, 120, 63, 6.0, 1941);

const struct model model_mx64_2 = {
	MX_MODEL,
	.name = "MX-64(2.0)",
	.compatible = "robotis,mx-64-2",
	.number = 311,
	.pieces = {
		PIECE(common), PIECE(mx),
		PIECE(mx64_2_items),
	},
	.servo = &mx64_2_spec,
};

static const struct item mx106_2_items[] = {
	NUMBER(321), FIRMWARE(42), CURRENT(2047), VELOCITY(360),
	{ 10, 1, ROM, RW, 0, 0, 7, "drive_mode" },
};

SPEC(mx106_2, 120, 45, 8.4, 2047);

const struct model model_mx106_2 = {
	MX_MODEL,
	.name = "MX-106(2.0)",
	.compatible = "robotis,mx-106-2",
	.number = 321,
	.pieces = {
		PIECE(common), PIECE(mx),
		PIECE(mx106_2_items),
	},
	.servo = &mx106_2_spec,
};
