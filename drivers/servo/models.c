// SPDX-License-Identifier: GPL-2.0
/*
 * What the models of a series have in common
 *
 * Every number is that of the page that is named with the model's row in
 * model_list.h, which is one of the maker's manual for all but NAO's motors. A model
 * is added by adding a row there.
 */
#include <linux/bits.h>
#include <linux/stddef.h>

#include <linux/dxl/models.h>

#include "servo.h"

/* --- baud rates --- */

static const struct dxl_baud bauds_ax[] = { DXL_BAUDS_V1, {} };

static const struct dxl_baud bauds_mx[] = {
	DXL_BAUDS_V1,
	{ 2000000, 0 }, { 2250000, 250 }, { 2500000, 251 }, { 3000000, 252 },
	{}
};

static const struct dxl_baud bauds_xl320[] = {
	{ 1000000, 3 }, { 115200, 2 }, { 57600, 1 }, { 9600, 0 }, {}
};

static const struct dxl_baud bauds_x[] = { DXL_BAUDS_V2, {} };

/* --- control tables --- */

/* Moving speed is a goal position's or, with a direction bit, a wheel's. */
#define SPEEDS_10_BIT							\
	.speed_range = { 0, 1, 1023 },					\
	.velocity_range = { -1023, 1, 1023 },				\
	.torque_max = 1023,						\
	.load_max = 1023

/*
 * Protocol 1.0. What is called the mode here are the two angle limits: both 0
 * for a wheel, both the highest position for several turns.
 */
#define FIELDS_V1							\
	[SERVO_MODE]		= { 6, 4 },				\
	[SERVO_MAX_TORQUE]	= { 14, 2 },				\
	[SERVO_TORQUE_ENABLE]	= { 24, 1 },				\
	[SERVO_GOAL_POSITION]	= { 30, 2, .is_signed = true },		\
	[SERVO_GOAL_SPEED]	= { 32, 2 },				\
	[SERVO_GOAL_VELOCITY]	= { 32, 2, .magnitude = 0x3ff },	\
	[SERVO_TORQUE_LIMIT]	= { 34, 2 },				\
	[SERVO_POSITION]	= { 36, 2, .is_signed = true },		\
	[SERVO_SPEED]		= { 38, 2, .magnitude = 0x3ff },	\
	[SERVO_LOAD]		= { 40, 2, .magnitude = 0x3ff },	\
	[SERVO_VOLTAGE]		= { 42, 1 },				\
	[SERVO_TEMPERATURE]	= { 43, 1 }

#define TABLE_V1(_size, _bauds)						\
	.table = {							\
		DXL_TABLE_V1(_size, _bauds),				\
		.torque_enable = 24,					\
	}

#define ERRORS_V1							\
	.errors = {							\
		[0] = "voltage", [1] = "angle-limit",			\
		[2] = "overheating", [5] = "overload",			\
	},								\
	.shutdown = SHUTDOWN_LIMIT

static const struct dxl_servo_layout layout_ax = {
	TABLE_V1(50, bauds_ax),
	.fields = { FIELDS_V1 },
	SPEEDS_10_BIT,
	ERRORS_V1,
};

static const struct dxl_servo_layout layout_ex = {
	TABLE_V1(58, bauds_ax),
	.fields = {
		FIELDS_V1,
		[SERVO_CURRENT] = { 56, 2 },
	},
	SPEEDS_10_BIT,
	ERRORS_V1,
};

/* In place of the compliance of others. */
#define GAINS_MX							\
	[SERVO_KD]		= { 26, 1 },				\
	[SERVO_KI]		= { 27, 1 },				\
	[SERVO_KP]		= { 28, 1 }

static const struct dxl_servo_layout layout_mx = {
	TABLE_V1(74, bauds_mx),
	.fields = { FIELDS_V1, GAINS_MX },
	SPEEDS_10_BIT,
	ERRORS_V1,
	.features = DXL_CAN_BULK_READ,
};

static const struct dxl_servo_layout layout_mx64 = {
	TABLE_V1(74, bauds_mx),
	.fields = {
		FIELDS_V1,
		GAINS_MX,
		[SERVO_CURRENT] = { 68, 2 },
	},
	SPEEDS_10_BIT,
	ERRORS_V1,
	.features = DXL_CAN_BULK_READ,
};

/* Protocol 2.0, all but XL-320. Register 126 is a load or a current. */
#define FIELDS_X							\
	[SERVO_MODE]		= { 11, 1 },				\
	[SERVO_TORQUE_ENABLE]	= { 64, 1 },				\
	[SERVO_ERRORS]		= { 70, 1 },				\
	[SERVO_KD]		= { 80, 2 },				\
	[SERVO_KI]		= { 82, 2 },				\
	[SERVO_KP]		= { 84, 2 },				\
	[SERVO_BUS_WATCHDOG]	= { 98, 1 },				\
	[SERVO_TORQUE_LIMIT]	= { 100, 2, .is_signed = true },	\
	[SERVO_GOAL_PWM]	= { 100, 2, .is_signed = true },	\
	[SERVO_GOAL_VELOCITY]	= { 104, 4, .is_signed = true },	\
	[SERVO_GOAL_SPEED]	= { 112, 4 },				\
	[SERVO_GOAL_POSITION]	= { 116, 4, .is_signed = true },	\
	[SERVO_SPEED]		= { 128, 4, .is_signed = true },	\
	[SERVO_POSITION]	= { 132, 4, .is_signed = true },	\
	[SERVO_VOLTAGE]		= { 144, 2 },				\
	[SERVO_TEMPERATURE]	= { 146, 1 }

/*
 * The torque limit is Goal PWM, of which 885 is the whole, but in the mode that it drives.
 * The bus watchdog came with firmware 38.
 */
#define LAYOUT_X							\
	.table = {							\
		.size = 662,						\
		.eeprom_size = 64,					\
		.eeprom_write_us = DXL_EEPROM_WRITE_US,			\
		.reboot_ms = DXL_REBOOT_MS,					\
		.id = 7,						\
		.baud = 8,						\
		.return_delay = 9,					\
		.status_level = 68,					\
		.torque_enable = 64,					\
		.bauds = bauds_x,					\
	},								\
	.speed_range = { 0, 1, 32767 },					\
	.velocity_range = { -1023, 1, 1023 },				\
	.pwm_range = { -885, 1, 885 },					\
	.torque_max = 885,						\
	.load_max = 1000,						\
	.errors = {							\
		[0] = "voltage", [2] = "overheating", [3] = "encoder",	\
		[4] = "electrical-shock", [5] = "overload",		\
	},								\
	.shutdown = SHUTDOWN_RESTART,					\
	.shutdown_errors = BIT(2) | BIT(3) | BIT(4) | BIT(5),		\
	.features = DXL_CAN_BULK_READ | DXL_CAN_SYNC_READ |		\
		    DXL_CAN_BULK_WRITE,					\
	.watchdog_firmware = 38

static const struct dxl_servo_layout layout_xl430 = {
	LAYOUT_X,
	.fields = {
		FIELDS_X,
		[SERVO_LOAD] = { 126, 2, .is_signed = true },
	},
};

static const struct dxl_servo_layout layout_x = {
	LAYOUT_X,
	.fields = {
		FIELDS_X,
		[SERVO_GOAL_CURRENT] = { 102, 2, .is_signed = true },
		[SERVO_CURRENT] = { 126, 2, .is_signed = true },
	},
};

/* Protocol 2.0 with registers much like those of 1.0. */
static const struct dxl_servo_layout layout_xl320 = {
	.table = {
		.size = 53,
		.eeprom_size = 24,
		.eeprom_write_us = DXL_EEPROM_WRITE_US,
		.reboot_ms = DXL_REBOOT_MS,
		.id = 3,
		.baud = 4,
		.return_delay = 5,
		.status_level = 17,
		.torque_enable = 24,
		.bauds = bauds_xl320,
	},
	.fields = {
		[SERVO_MODE]		= { 11, 1 },
		[SERVO_TORQUE_ENABLE]	= { 24, 1 },
		[SERVO_KD]		= { 27, 1 },
		[SERVO_KI]		= { 28, 1 },
		[SERVO_KP]		= { 29, 1 },
		[SERVO_GOAL_POSITION]	= { 30, 2 },
		[SERVO_GOAL_SPEED]	= { 32, 2 },
		[SERVO_GOAL_VELOCITY]	= { 32, 2, .magnitude = 0x3ff },
		[SERVO_TORQUE_LIMIT]	= { 35, 2 },
		[SERVO_POSITION]	= { 37, 2 },
		[SERVO_SPEED]		= { 39, 2, .magnitude = 0x3ff },
		[SERVO_LOAD]		= { 41, 2, .magnitude = 0x3ff },
		[SERVO_VOLTAGE]		= { 45, 1 },
		[SERVO_TEMPERATURE]	= { 46, 1 },
		[SERVO_ERRORS]		= { 50, 1 },
	},
	SPEEDS_10_BIT,
	.errors = { "overload", "overheating", "voltage" },
	.shutdown = SHUTDOWN_RESTART,
	.shutdown_errors = BIT(0) | BIT(1),
	.features = DXL_CAN_BULK_READ | DXL_CAN_SYNC_READ | DXL_CAN_BULK_WRITE,
};

/* Which motors, and which of the four encoders, on a board of two motors. */
#define MOTORS	{ "motor-1", "motor-2" }
#define MRES	{ "mre-1", "mre-2", "mre-3", "mre-4" }
#define MRE_CAUSES							\
	{								\
		"motor-no-data", "joint-no-data", "motor-other",	\
		"joint-other",						\
	}

/* In the order of the codes, those of NAO's documentation of its device keys. */
static const struct dxl_servo_error kinds_nao[SERVO_ERROR_KINDS] = {
	[1] = { "no-motor", MOTORS },
	[2] = { "temperature", MOTORS },
	[3] = { "control-error", MOTORS },
	[4] = { "mre-no-data", MRES },
	[5] = { "mre-cordic-overflow", MRES },
	[6] = { "mre-linearity", MRES },
	[7] = { "mre-magnetic-field", MRES },
	[8] = { "mre-parity", MRES },
	[9] = { "mre-offset", MRES },
	[10] = { "com", { "read-crc", "unfinished", "rcrc", "read-unfinished" } },
	[11] = { "uart-spi", { "spi-overflow", "parity", "framing", "overrun" } },
	[13] = { "current-limit", MOTORS },
	[14] = { "motor-1-stopped", MRE_CAUSES },
	[15] = { "motor-2-stopped", MRE_CAUSES },
};

/* Protocol 2.0, the map in Documentation/boards/nao-motor.rst. */
static const struct dxl_servo_layout layout_nao_motor = {
	.table = {
		.size = 85,
		.eeprom_size = 64,
		.eeprom_write_us = DXL_EEPROM_WRITE_US,
		.reboot_ms = DXL_REBOOT_MS,
		.id = 3,
		.baud = 4,
		.return_delay = 5,
		.status_level = 16,
		.torque_enable = 64,
		.bauds = bauds_x,
	},
	.fields = {
		[SERVO_STRUCT_VERSION]	= { 24, 1 },
		[SERVO_BID]		= { 25, 1 },
		[SERVO_BOARD_ID]	= { 26, 2 },
		[SERVO_BOARD_ID_2]	= { 28, 2 },
		[SERVO_BOOT_LOADER]	= { 30, 1 },
		[SERVO_PROGRAM]		= { 31, 1 },
		[SERVO_MOTOR_NUMBER]	= { 32, 1 },
		[SERVO_MODE]		= { 33, 1 },
		[SERVO_SENSOR_TYPE]	= { 34, 1 },
		[SERVO_CHAIN_JOINT]	= { 35, 1 },
		[SERVO_CHAIN_MOTOR]	= { 36, 1 },
		[SERVO_INVERTED]	= { 37, 1 },
		[SERVO_KP]		= { 38, 1 },
		[SERVO_KI]		= { 39, 1 },
		[SERVO_KD]		= { 40, 1 },
		[SERVO_GEAR_RATIO]	= { 42, 2 },
		[SERVO_ZERO]		= { 44, 2 },
		[SERVO_TORQUE_ENABLE]	= { 64, 1 },
		[SERVO_BUS_WATCHDOG]	= { 65, 1 },
		[SERVO_GOAL_CURRENT]	= { 66, 2 },
		[SERVO_GOAL_POSITION]	= { 68, 2, .is_signed = true },
		[SERVO_GOAL_SPEED]	= { 70, 2 },
		[SERVO_TORQUE_LIMIT]	= { 72, 2 },
		[SERVO_POSITION]	= { 74, 2, .is_signed = true },
		[SERVO_SPEED]		= { 76, 2, .is_signed = true },
		[SERVO_MOTOR_POSITION]	= { 78, 2 },
		[SERVO_CURRENT]		= { 80, 2 },
		[SERVO_TEMPERATURE]	= { 82, 1 },
		[SERVO_ERROR_CODE]	= { 83, 1 },
		[SERVO_BRAKE]		= { 84, 1 },
	},
	.speed_range = { 0, 1, 32767 },
	.torque_max = 1000,
	.kinds = kinds_nao,
	.zero_max = 4095,
	.features = DXL_CAN_BULK_READ | DXL_CAN_SYNC_READ | DXL_CAN_BULK_WRITE,
	.watches = true,
};

/* --- operating modes --- */

static const int joint_10_bit[] = { 0, 1, 1023 };
static const int joint_12_bit[] = { 0, 1, 4095 };
static const int turns_mx[] = { -28672, 1, 28672 };
static const int turns_x[] = { -1048575, 1, 1048575 };
static const int joint_16_bit[] = { -32768, 1, 32767 };

#define LIMITS(low, high)	((low) | (high) << 16)

#define POSITION_GOALS	(BIT(SERVO_GOAL_POSITION) | BIT(SERVO_GOAL_SPEED))

/* As a wheel these set the output and not the speed, so it is a PWM. */
static const struct dxl_servo_mode modes_ax[] = {
	{ "position", LIMITS(0, 1023), joint_10_bit, POSITION_GOALS },
	{ "pwm", LIMITS(0, 0), .goals = BIT(SERVO_GOAL_VELOCITY) },
	{}
};

static const struct dxl_servo_mode modes_ex[] = {
	{ "position", LIMITS(0, 4095), joint_12_bit, POSITION_GOALS },
	{ "pwm", LIMITS(0, 0), .goals = BIT(SERVO_GOAL_VELOCITY) },
	{}
};

static const struct dxl_servo_mode modes_mx[] = {
	{ "position", LIMITS(0, 4095), joint_12_bit, POSITION_GOALS },
	{ "velocity", LIMITS(0, 0), .goals = BIT(SERVO_GOAL_VELOCITY) },
	{ "extended-position", LIMITS(4095, 4095), turns_mx, POSITION_GOALS },
	{}
};

static const struct dxl_servo_mode modes_xl320[] = {
	{ "position", 2, joint_10_bit, POSITION_GOALS },
	{ "pwm", 1, .goals = BIT(SERVO_GOAL_VELOCITY) },
	{}
};

#define MODES_XL430							\
	[0] = { "position", 3, joint_12_bit, POSITION_GOALS },		\
	{ "velocity", 1, .goals = BIT(SERVO_GOAL_VELOCITY) },		\
	{ "extended-position", 4, turns_x, POSITION_GOALS },		\
	{ "pwm", 16, .goals = BIT(SERVO_GOAL_PWM) }

static const struct dxl_servo_mode modes_xl430[] = { MODES_XL430, {} };

static const struct dxl_servo_mode modes_x[] = {
	MODES_XL430,
	{ "current", 0, .goals = BIT(SERVO_GOAL_CURRENT) },
	{
		"current-position", 5, turns_x,
		POSITION_GOALS | BIT(SERVO_GOAL_CURRENT)
	},
	{}
};

static const struct dxl_servo_mode modes_nao_motor[] = {
	{ "position", 3, joint_16_bit, POSITION_GOALS },
	{}
};

/* --- series --- */

/* One step of speed, in nrad/s. */
#define RPM_0_111	11623893
#define RPM_0_114	11938052
#define RPM_0_229	23980824
#define RPM_0_916	95923296

/* 300 degrees in 1024 steps */
#define STEPS_10_BIT							\
	.position_zero = 512,						\
	.position_nrad = 5113269

/* 360 degrees in 4096 steps */
#define STEPS_12_BIT							\
	.position_zero = 2048,						\
	.position_nrad = 1533981

static const struct dxl_servo_series series_ax = {
	.layout = &layout_ax,
	STEPS_10_BIT,
	.speed_nrad_s = RPM_0_111,
	.modes = modes_ax,
};

/* 251 degrees in 4096 steps */
static const struct dxl_servo_series series_ex = {
	.layout = &layout_ex,
	.position_zero = 2048,
	.position_nrad = 1069525,
	.speed_nrad_s = RPM_0_111,
	.modes = modes_ex,
};

static const struct dxl_servo_series series_mx12 = {
	.layout = &layout_mx,
	STEPS_12_BIT,
	.speed_nrad_s = RPM_0_916,
	.modes = modes_mx,
};

static const struct dxl_servo_series series_mx = {
	.layout = &layout_mx,
	STEPS_12_BIT,
	.speed_nrad_s = RPM_0_114,
	.modes = modes_mx,
};

static const struct dxl_servo_series series_mx64 = {
	.layout = &layout_mx64,
	STEPS_12_BIT,
	.speed_nrad_s = RPM_0_114,
	.modes = modes_mx,
};

static const struct dxl_servo_series series_xl320 = {
	.layout = &layout_xl320,
	STEPS_10_BIT,
	.speed_nrad_s = RPM_0_111,
	.modes = modes_xl320,
};

/* Fast reads are the X series' alone: MX do not know them. */
#define SERIES_XL430							\
	.layout = &layout_xl430,					\
	STEPS_12_BIT,							\
	.speed_nrad_s = RPM_0_229,					\
	.modes = modes_xl430

#define SERIES_X							\
	.layout = &layout_x,						\
	STEPS_12_BIT,							\
	.speed_nrad_s = RPM_0_229,					\
	.modes = modes_x

static const struct dxl_servo_series series_mx28_2 = { SERIES_XL430 };

static const struct dxl_servo_series series_mx64_2 = { SERIES_X };

static const struct dxl_servo_series series_xl430 = {
	SERIES_XL430,
	.fast_firmware = 45,
};

static const struct dxl_servo_series series_x = {
	SERIES_X,
	.fast_firmware = 45,
};

/* 360 degrees in 65536 steps, and 1 mrad/s */
static const struct dxl_servo_series series_nao_motor = {
	.layout = &layout_nao_motor,
	.position_nrad = 95874,
	.speed_nrad_s = 1000000,
	.modes = modes_nao_motor,
};

/* --- models --- */

#define DXL_SERVO(_protocol, _number, _compatible, _series, ...)		\
	[DXL_SERVO_INDEX(_protocol, _number)] = {			\
		.compatible = _compatible,				\
		.protocol = DXL_PROTOCOL_##_protocol,			\
		.number = 0x##_number,					\
		.series = &series_##_series,				\
		__VA_ARGS__						\
	},

const struct dxl_servo_model dxl_servo_models[DXL_SERVO_MODELS] = {
#include "model_list.h"
};

#undef DXL_SERVO
