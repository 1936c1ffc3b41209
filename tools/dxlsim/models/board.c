// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The boards that ROBOTIS sells
 *
 * From the maker's manual where it has them, and each with a page of its own in
 * Documentation/boards/, which names its sources and what is open in them.
 */
#include "board.h"

/* --- what the boards share --- */

#define REGISTERS \
	.firmware = 2, \
	.id = 3, \
	.baud = 4, \
	.return_delay = 5, \
	.status_level = 16

const struct registers board_registers = { REGISTERS };

#define MODEL_1 \
	.protocol = DXL_PROTOCOL_1, \
	.eeprom_byte = 6 * NSEC_PER_MSEC, \
	.boot = 50 * NSEC_PER_MSEC, \
	.ops = &board_ops

const unsigned int board_bauds_2[] = {
	9600, 57600, 115200, 1000000, 2000000, 3000000, 4000000, 4500000,
};

const struct ability board_abilities_2[] = {
	{ DXL_SYNC_READ, 0 },
	{ DXL_BULK_READ, 0 },
	{ DXL_BULK_WRITE, 0 },
};

#define BATTERY		111	/* 11.1 V: three cells */

/*
 * 10 bits: of 2000 degrees/s by a gyroscope of 70 mdps a count, of which 64 are 4/5 of
 * one, and +-500 degrees/s before that firmware; and +-4 g
 */
#define GYRO_FIRMWARE	0x13
#define RATE_BEFORE	(1024 / 1000.0)
#define RATE10(a, ax)	SENSE(a, RATE, 512, 1 / 3.584, .axis = ax)
#define ACCEL10(a, ax)	SENSE(a, ACCELERATION, 512, 1024 / 8.0, .axis = ax)
#define G10		640

#define RATE16(a, ax)	SENSE(a, RATE, 0, 16.4, .axis = ax)
#define ACCEL16(a, ax)	SENSE(a, ACCELERATION, 0, 16384, .axis = ax)
#define G16		16384
#define ANGLE(a, off, ax) SENSE(a, ANGLE, 0, 10, .offset = off, .axis = ax)

#define SUPPLY(a)	SENSE(a, VOLTAGE, 0, 10)
#define ADC_3V3(a)	SENSE(a, VOLTAGE, 0, 1024 / 3.3)
#define ADC_5V(a)	SENSE(a, VOLTAGE, 0, 1024 / 5.0)

/* --- CM-730 and CM-740 --- */

static const struct item cm730_items[] = {
	HEAD(0x7300, GYRO_FIRMWARE, 200, 253, 1, 1, 254, 0),
	{ 24, 1, RAM, RW,    0,  0,     1, "dynamixel_power" },
	{ 25, 1, RAM, RW,    0,  0,     7, "led_panel" },
	{ 26, 2, RAM, RW,    0,  0, 32767, "led_5" },
	{ 28, 2, RAM, RW,    0,  0, 32767, "led_6" },
	{ 30, 1, RAM, R,     0,  0,     3, "button" },
	{ 38, 2, RAM, R,   512,  0,  1023, "gyro_z" },
	{ 40, 2, RAM, R,   512,  0,  1023, "gyro_y" },
	{ 42, 2, RAM, R,   512,  0,  1023, "gyro_x" },
	{ 44, 2, RAM, R,   512,  0,  1023, "acc_x" },
	{ 46, 2, RAM, R,   512,  0,  1023, "acc_y" },
	{ 48, 2, RAM, R,   G10,  0,  1023, "acc_z" },
	{ 50, 1, RAM, R, BATTERY, 0,  255, "present_voltage" },
};

static const struct item cm730_analogue[] = {
	{ 51, 2, RAM, R,     0,  0,  1023, "mic_1" },
	{ 53, 2, RAM, R,     0,  0,  1023, "adc_2" },
	{ 55, 2, RAM, R,     0,  0,  1023, "adc_3" },
	{ 57, 2, RAM, R,     0,  0,  1023, "adc_4" },
	{ 59, 2, RAM, R,     0,  0,  1023, "adc_5" },
	{ 61, 2, RAM, R,     0,  0,  1023, "adc_6" },
	{ 63, 2, RAM, R,     0,  0,  1023, "adc_7" },
	{ 65, 2, RAM, R,     0,  0,  1023, "adc_8" },
	{ 67, 2, RAM, R,     0,  0,  1023, "mic_2" },
	{ 69, 2, RAM, R,     0,  0,  1023, "adc_10" },
	{ 71, 2, RAM, R,     0,  0,  1023, "adc_11" },
	{ 73, 2, RAM, R,     0,  0,  1023, "adc_12" },
	{ 75, 2, RAM, R,     0,  0,  1023, "adc_13" },
	{ 77, 2, RAM, R,     0,  0,  1023, "adc_14" },
	{ 79, 2, RAM, R,     0,  0,  1023, "adc_15" },
};

#define CM730_SENSES \
	RATE10(38, Z), RATE10(40, Y), RATE10(42, X), \
	ACCEL10(44, -Y), ACCEL10(46, X), ACCEL10(48, Z), SUPPLY(50)

static const struct sense cm730_senses[] = {
	CM730_SENSES,
	ADC_3V3(51), ADC_3V3(53), ADC_3V3(55), ADC_3V3(57), ADC_3V3(59),
	ADC_3V3(61), ADC_3V3(63), ADC_3V3(65), ADC_3V3(67), ADC_3V3(69),
	ADC_3V3(71), ADC_3V3(73), ADC_3V3(75), ADC_3V3(77), ADC_3V3(79),
};

static const struct sense cm740_senses[] = { CM730_SENSES };

static const struct button cm730_buttons[] = { { 0, "mode" }, { 1, "start" } };

static const struct board_spec cm730_spec = {
	LIST(sense, cm730_senses),
	LIST(button, cm730_buttons),
	.button = 30,
	.power = 24,
	.since = GYRO_FIRMWARE,
	.rate_before = RATE_BEFORE,
};

static const struct board_spec cm740_spec = {
	LIST(sense, cm740_senses),
	LIST(button, cm730_buttons),
	.button = 30,
	.power = 24,
	.since = GYRO_FIRMWARE,
	.rate_before = RATE_BEFORE,
};

static const struct ability bulk_read[] = {
	{ DXL_BULK_READ, 0 },
};

const struct model model_cm730 = {
	MODEL_1,
	.name = "CM-730",
	.compatible = "robotis,cm-730",
	.number = 0x7300,
	.table_size = 81,
	.pieces = { PIECE(cm730_items), PIECE(cm730_analogue) },
	.registers = &board_registers,
	.abilities = bulk_read,
	.ability_count = COUNT(bulk_read),
	.board = &cm730_spec,
};

const struct model model_cm740 = {
	MODEL_1,
	.name = "CM-740",
	.compatible = "robotis,cm-740",
	.number = 0x7300,
	.table_size = 51,
	.pieces = { PIECE(cm730_items) },
	.registers = &board_registers,
	.abilities = bulk_read,
	.ability_count = COUNT(bulk_read),
	.board = &cm740_spec,
};

/* --- OpenCR, with the firmware of the OP3 --- */

static const struct item opencr_items[] = {
	HEAD(0x7400, 2, 200, 252, 4, 0, 7, 0),
	{ 18, 2, ROM, RW,    0, -32768, 32767, "roll_offset" },
	{ 20, 2, ROM, RW,    0, -32768, 32767, "pitch_offset" },
	{ 22, 2, ROM, RW,    0, -32768, 32767, "yaw_offset" },
	{ 24, 1, RAM, RW,    0,  0,     1, "dynamixel_power" },
	{ 25, 1, RAM, RW,    0,  0,     7, "led" },
	{ 26, 2, RAM, RW,   31,  0, 32767, "led_rgb" },
	{ 28, 2, RAM, RW,    0,  0, 65535, "buzzer" },
	{ 30, 1, RAM, R,     0,  0,    15, "button" },
	{ 31, 1, RAM, R, BATTERY, 0,  255, "present_voltage" },
	{ 32, 2, RAM, R,     0, -32768, 32767, "gyro_x" },
	{ 34, 2, RAM, R,     0, -32768, 32767, "gyro_y" },
	{ 36, 2, RAM, R,     0, -32768, 32767, "gyro_z" },
	{ 38, 2, RAM, R,     0, -32768, 32767, "acc_x" },
	{ 40, 2, RAM, R,     0, -32768, 32767, "acc_y" },
	{ 42, 2, RAM, R,   G16, -32768, 32767, "acc_z" },
	{ 44, 2, RAM, R,     0, -32768, 32767, "roll" },
	{ 46, 2, RAM, R,     0, -32768, 32767, "pitch" },
	{ 48, 2, RAM, R,     0, -32768, 32767, "yaw" },
	{ 50, 1, RAM, RW,    0,  0,   255, "imu_control" },
};

static const struct sense opencr_senses[] = {
	SUPPLY(31),
	RATE16(32, -X), RATE16(34, -Y), RATE16(36, Z),
	ACCEL16(38, -X), ACCEL16(40, -Y), ACCEL16(42, Z),
	ANGLE(44, 18, -X), ANGLE(46, 20, -Y), ANGLE(48, 22, 0),
};

static const struct button opencr_buttons[] = {
	{ 0, "mode" }, { 1, "start" }, { 2, "user" }, { 3, "reset" },
};

static const struct board_spec opencr_spec = {
	LIST(sense, opencr_senses),
	LIST(button, opencr_buttons),
	.button = 30,
	.power = 24,
	.calibrate = 50,
};

const struct model model_opencr = {
	MODEL_2,
	.name = "OpenCR",
	.compatible = "robotis,opencr",
	.number = 0x7400,
	.table_size = 51,
	.pieces = { PIECE(opencr_items) },
	.board = &opencr_spec,
};

/* --- FSR: a foot of the OP --- */

static const struct item fsr_items[] = {
	HEAD(0x0154, 17, 100, 253, 34, 0, 254, 250),
	{ 25, 1, RAM, RW,    0,  0,     1, "led" },
	{ 26, 2, RAM, R,     0,  0, 65535, "fsr_1" },
	{ 28, 2, RAM, R,     0,  0, 65535, "fsr_2" },
	{ 30, 2, RAM, R,     0,  0, 65535, "fsr_3" },
	{ 32, 2, RAM, R,     0,  0, 65535, "fsr_4" },
	{ 34, 1, RAM, R,   255,  0,   255, "fsr_x" },
	{ 35, 1, RAM, R,   255,  0,   255, "fsr_y" },
	{ 42, 1, RAM, R, BATTERY, 0,  255, "present_voltage" },
	{ 44, 1, RAM, R,     0,  0,     1, "registered" },
	{ 47, 1, RAM, RW,    0,  0,     1, "lock" },
};

static const struct registers fsr_registers = {
	REGISTERS,
	.registered = 44,
	.lock = 47,
};

/* What a force has to be for one to be felt, N */
#define LEAST	0.493

/* The forces come first: see refresh_centre(). */
static const struct sense fsr_senses[] = {
	FORCE(26, LEAST), FORCE(28, LEAST), FORCE(30, LEAST), FORCE(32, LEAST),
	SUPPLY(42),
};

static const struct board_spec fsr_spec = {
	LIST(sense, fsr_senses),
	.fed = true,
	.centre = 34,
};

const struct model model_fsr = {
	MODEL_1,
	.name = "FSR",
	.compatible = "robotis,fsr",
	.number = 0x0154,
	.table_size = 48,
	.pieces = { PIECE(fsr_items) },
	.registers = &fsr_registers,
	.fast_bauds = true,
	.abilities = bulk_read,
	.ability_count = COUNT(bulk_read),
	.board = &fsr_spec,
};

/* --- CM-510, with the map of Documentation/boards/cm-510.rst --- */

static const struct item cm510_items[] = {
	HEAD(0x0510, 2, 200, 253, 1, 1, 254, 0),
	{  6, 1, ROM, RW,    2,  0,     2, "host_jack" },
	{  7, 1, ROM, RW,    1,  1,   254, "host_baud_rate" },
	{ 22, 2, RAM, R,     0,  0, 65535, "lost_packets" },
	{ 25, 1, RAM, RW,    0,  0,   127, "led" },
	{ 26, 1, RAM, RW,    0,  0,    63, "port_output" },
	{ 28, 2, RAM, RW,    0,  0, 65535, "buzzer" },
	{ 30, 1, RAM, R,     0,  0,   255, "button" },
	{ 31, 1, RAM, R, BATTERY, 0,  255, "present_voltage" },
	{ 32, 2, RAM, R,     0,  0,  1023, "port_1" },
	{ 34, 2, RAM, R,     0,  0,  1023, "port_2" },
	{ 36, 2, RAM, R,     0,  0,  1023, "port_3" },
	{ 38, 2, RAM, R,     0,  0,  1023, "port_4" },
	{ 40, 2, RAM, R,     0,  0,  1023, "port_5" },
	{ 42, 2, RAM, R,     0,  0,  1023, "port_6" },
	{ 44, 2, RAM, R,     0,  0, 65535, "sounds" },
};

#define SOUNDS(a)	SENSE(a, SOUNDS, 0, 1)

/* What is in a port tells how it counts. */
static const struct sense cm510_senses[] = {
	SUPPLY(31), ADC_5V(32), ADC_5V(34), ADC_5V(36), ADC_5V(38), ADC_5V(40), ADC_5V(42),
	SOUNDS(44),
};

static const u16 cm510_ports[] = { 32, 34, 36, 38, 40, 42 };

static const struct button cm510_buttons[] = {
	{ 0, "start" }, { 4, "up" }, { 5, "down" }, { 6, "left" }, { 7, "right" },
};

static const struct board_spec cm510_spec = {
	LIST(sense, cm510_senses),
	LIST(button, cm510_buttons),
	LIST(port, cm510_ports),
	.button = 30,
	.kit = "none,none,gyro-x,gyro-y,dms,none",
	.outputs = 26,
};

const struct model model_cm510 = {
	MODEL_1,
	.name = "CM-510",
	.compatible = "robotis,cm-510",
	.number = 0x0510,
	.table_size = 46,
	.pieces = { PIECE(cm510_items) },
	.registers = &board_registers,
	.board = &cm510_spec,
};
