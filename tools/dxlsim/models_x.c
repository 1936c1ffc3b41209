// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The X series, and the MX series with the firmware for Protocol 2.0
 *
 * From the maker's manual, emanual.robotis.com/docs/en/dxl/x/MODEL/ and
 * .../dxl/mx/mx-28-2/ and so on: items, access, initial values and ranges from
 * the tables "Control Table of EEPROM Area" and "... of RAM Area", speeds from
 * the table "Specifications".
 */
#include "models.h"

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

/* Drive Mode: reverse, time-based profile, torque on by goal. */
static const struct item x_only[] = {
	{  10, 1, ROM, RW,      0, 0,    13, "drive_mode" },
	{  60, 1, ROM, RW,      0, 0,     3, "startup_configuration" },
	{ 147, 1, RAM, R,       0, 0,     1, "backup_ready" },
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

#define X_NUMBER(n)	{ 0, 2, ROM, R, n, 0, 65535, "model_number" }
#define FIRMWARE(n)	{ 6, 1, ROM, R, n, 0, 255, "firmware_version" }
#define CURRENT(n) \
	{  38, 2, ROM, RW, n,  0, n, "current_limit" }, \
	{ 102, 2, RAM, RW, n, -(n), n, "goal_current" }, \
	{ 126, 2, RAM, R,  0, -32768, 32767, "present_current" }
#define VELOCITY(n)	{ 44, 4, ROM, RW, n, 0, 1023, "velocity_limit" }

#define HARDWARE_ERRORS	{ .voltage = 0x01, .heat = 0x04, .overload = 0x20 }

#define SPEC(rpm, full, supplied) { \
	.bits = HARDWARE_ERRORS, \
	.supply = supplied, \
	.count_deg = 360.0 / 4096, \
	.speed_unit_rpm = 0.229, \
	.no_load_rpm = rpm, \
	.accel_deg = 5000, \
	.max_position = 4095, \
	.full_load = full, \
}

#define MODEL \
	.protocol = DXL_PROTOCOL_2, \
	.table_size = 662, \
	.rows = rows, \
	.row_count = COUNT(rows), \
	.indirect = indirect, \
	.indirect_count = COUNT(indirect), \
	.bauds = bauds, \
	.baud_count = COUNT(bauds), \
	.eeprom_byte = 1 * NSEC_PER_MSEC, \
	.boot = 200 * NSEC_PER_MSEC, \
	.ops = &servo_x_ops

#define X_MODEL \
	MODEL, \
	.registers = &registers, \
	.abilities = x_abilities, \
	.ability_count = COUNT(x_abilities)

#define MX_MODEL \
	MODEL, \
	.registers = &mx_registers, \
	.abilities = mx_abilities, \
	.ability_count = COUNT(mx_abilities)

static const struct item xm430_w350_items[] = {
	X_NUMBER(1020), FIRMWARE(46), CURRENT(1193), VELOCITY(200),
};

static const struct servo_spec xm430_w350_spec = SPEC(46, 1193, 120);

const struct model model_xm430_w350 = {
	X_MODEL,
	.name = "XM430-W350",
	.compatible = "robotis,xm430-w350",
	.number = 1020,
	.pieces = { PIECE(common), PIECE(x_only), PIECE(xm430_w350_items) },
	.servo = &xm430_w350_spec,
};

static const struct item mx64_2_items[] = {
	{ 10, 1, ROM, RW, 0, 0, 5, "drive_mode" },
	X_NUMBER(311), FIRMWARE(42), CURRENT(1941), VELOCITY(285),
	{ 84, 2, SAVED, RW, 850, 0, 16383, "position_p_gain" },
};

static const struct servo_spec mx64_2_spec = SPEC(63, 1941, 120);

const struct model model_mx64_2 = {
	MX_MODEL,
	.name = "MX-64 (2.0)",
	.compatible = "robotis,mx-64-2",
	.number = 311,
	.pieces = { PIECE(common), PIECE(mx64_2_items) },
	.servo = &mx64_2_spec,
};
