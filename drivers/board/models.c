// SPDX-License-Identifier: GPL-2.0
/*
 * What the boards are made of
 *
 * Every register is that of the page which is named with the board's row in
 * model_list.h. A board is added by adding a row there and a layout here.
 */
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/input-event-codes.h>
#include <linux/nvmem-provider.h>

#include <linux/dxl/models.h>

#include "board.h"

static const struct dxl_baud bauds_v1[] = { DXL_BAUDS_V1, {} };
static const struct dxl_baud bauds_v2[] = { DXL_BAUDS_V2, {} };

/* --- units --- */

/* 0.1 V. */
static const struct dxl_board_unit supply = { .whole = 100 };

/* 10 bits of 3.3 V, and of 5 V, and 12 bits of 3.3 V, in mV. */
static const struct dxl_board_unit adc_3v3 = { .whole = 3, .nano = 222656250 };

static const struct dxl_board_unit adc_5v = { .whole = 4, .nano = 882812500 };

static const struct dxl_board_unit adc12_3v3 = { .nano = 805664063 };

/* 10 bits of 500 degrees a second in both directions, in rad/s. */
static const struct dxl_board_unit gyro_500 = {
	.offset = -512,
	.nano = 17044231,
};

/*
 * 3.584 degrees a second: with the firmware that has its gyroscope measure up to 2000,
 * 64 of that one's counts of 0.07 are 5/4 of ours.
 */
static const struct dxl_board_unit gyro_cm730 = {
	.offset = -512,
	.nano = 62552600,
	.firmware = 0x13,
	.before = &gyro_500,
};

/* 16.4 of them are a degree a second. */
static const struct dxl_board_unit gyro_2000 = { .nano = 1064225 };

/* 2.7 of them are a degree a second, around what a NAO has at rest. */
static const struct dxl_board_unit gyro_nao = {
	.offset = 2000,
	.nano = 6464182,
};

/* 10 bits of 4 g in both directions, 16 bits of 2 g, in m/s^2. */
static const struct dxl_board_unit accel_4g = {
	.offset = -512,
	.nano = 76614453,
};

static const struct dxl_board_unit accel_2g = { .nano = 598550 };

/* 56 of them are 1 g. */
static const struct dxl_board_unit accel_nao = { .nano = 175118750 };

/* 0.1 degree. */
static const struct dxl_board_unit angle = { .nano = 100000000 };

/* 0.0001 rad in degrees. */
static const struct dxl_board_unit inclination = { .nano = 5729578 };

/* mN in N, mm in m. */
static const struct dxl_board_unit thousandth = { .nano = 1000000 };

/* cm in m. */
static const struct dxl_board_unit hundredth = { .nano = 10000000 };

/* 254 of them are the whole foot: thousandths of a percent. */
static const struct dxl_board_unit foot = { .whole = 393, .nano = 700787402 };

/* --- inputs --- */

#define ON_AXIS(_type, _axis, _name, _addr, _unit, ...)			\
	{								\
		.type = _type, .axis = IIO_MOD_##_axis, .name = _name,	\
		.addr = _addr, .size = 2, .unit = &(_unit), __VA_ARGS__	\
	}

#define GYRO(_axis, _addr, _unit, ...) \
	ON_AXIS(IIO_ANGL_VEL, _axis, "gyro", _addr, _unit, __VA_ARGS__)
#define ACCEL(_axis, _addr, _unit, ...) \
	ON_AXIS(IIO_ACCEL, _axis, "accel", _addr, _unit, __VA_ARGS__)

#define SUPPLY(_addr)							\
	{								\
		.type = IIO_VOLTAGE, .name = "supply",			\
		.addr = _addr, .size = 1, .slow = true, .unit = &supply	\
	}

#define ADC(_number, _name, _addr, _unit)				\
	{								\
		.type = IIO_VOLTAGE, .number = _number, .name = _name,	\
		.addr = _addr, .size = 2, .unit = &(_unit)		\
	}

/* In a frame the count without a number would be taken for a servo's load. */
#define BUTTONS(_number, _addr)						\
	{								\
		.type = IIO_COUNT, .number = _number, .name = "buttons", \
		.addr = _addr, .size = 1				\
	}

#define FSR(_number, _addr)						\
	{								\
		.type = IIO_COUNT, .number = _number,			\
		.name = "fsr" #_number,					\
		.addr = _addr, .size = 2, .unit = &thousandth		\
	}

#define ECHO(_number, _name, _addr)					\
	{								\
		.type = IIO_DISTANCE, .number = _number, .name = _name,	\
		.addr = _addr, .size = 1, .unit = &hundredth		\
	}

#define CENTRE(_axis, _addr)						\
	{								\
		.type = IIO_POSITIONRELATIVE, .axis = IIO_MOD_##_axis,	\
		.name = "centre", .addr = _addr, .size = 1,		\
		.unit = &foot						\
	}

/* CM-740 has those before the ADC. */
#define INPUTS_CM740	8

static const struct dxl_board_input inputs_cm730[] = {
	BUTTONS(1, 30),
	GYRO(Z, 38, gyro_cm730),
	GYRO(Y, 40, gyro_cm730),
	GYRO(X, 42, gyro_cm730),
	ACCEL(X, 44, accel_4g),
	ACCEL(Y, 46, accel_4g),
	ACCEL(Z, 48, accel_4g),
	SUPPLY(50),
	ADC(1, "mic1", 51, adc_3v3),
	ADC(2, "adc2", 53, adc_3v3),
	ADC(3, "adc3", 55, adc_3v3),
	ADC(4, "adc4", 57, adc_3v3),
	ADC(5, "adc5", 59, adc_3v3),
	ADC(6, "adc6", 61, adc_3v3),
	ADC(7, "adc7", 63, adc_3v3),
	ADC(8, "adc8", 65, adc_3v3),
	ADC(9, "mic2", 67, adc_3v3),
	ADC(10, "adc10", 69, adc_3v3),
	ADC(11, "adc11", 71, adc_3v3),
	ADC(12, "adc12", 73, adc_3v3),
	ADC(13, "adc13", 75, adc_3v3),
	ADC(14, "adc14", 77, adc_3v3),
	ADC(15, "adc15", 79, adc_3v3),
};

static const struct dxl_board_input inputs_opencr[] = {
	BUTTONS(1, 30),
	SUPPLY(31),
	GYRO(X, 32, gyro_2000, .is_signed = true),
	GYRO(Y, 34, gyro_2000, .is_signed = true),
	GYRO(Z, 36, gyro_2000, .is_signed = true),
	ACCEL(X, 38, accel_2g, .is_signed = true),
	ACCEL(Y, 40, accel_2g, .is_signed = true),
	ACCEL(Z, 42, accel_2g, .is_signed = true),
	ON_AXIS(IIO_INCLI, X, "roll", 44, angle, .is_signed = true),
	ON_AXIS(IIO_INCLI, Y, "pitch", 46, angle, .is_signed = true),
	ON_AXIS(IIO_INCLI, Z, "yaw", 48, angle, .is_signed = true),
};

static const struct dxl_board_input inputs_fsr[] = {
	FSR(1, 26),
	FSR(2, 28),
	FSR(3, 30),
	FSR(4, 32),
	CENTRE(X, 34),
	CENTRE(Y, 35),
	SUPPLY(42),
};

/* What is plugged into it, see ports.c */
#define PORT(_number, _addr)						\
	{								\
		.type = IIO_VOLTAGE, .number = _number,			\
		.name = "port" #_number,				\
		.addr = _addr, .size = 2, .unit = &adc_5v,		\
		.port = true,						\
	}

static const struct dxl_board_input inputs_cm510[] = {
	BUTTONS(1, 30),
	SUPPLY(31),
	PORT(1, 32),
	PORT(2, 34),
	PORT(3, 36),
	PORT(4, 38),
	PORT(5, 40),
	PORT(6, 42),
	{
		.type = IIO_COUNT, .number = 2, .name = "sounds",
		.addr = 44, .size = 2,
	},
};

static const struct dxl_board_input inputs_nao_buttons[] = {
	BUTTONS(1, 24),
};

static const struct dxl_board_input inputs_nao_foot[] = {
	BUTTONS(5, 24),
	FSR(1, 26),
	FSR(2, 28),
	FSR(3, 30),
	FSR(4, 32),
};

/* mV and mA. */
static const struct dxl_board_unit one = { .whole = 1 };

/* 0.1 degrees Celsius. */
static const struct dxl_board_unit celsius = { .whole = 100 };

/* A BMZ has those before the age. */
#define INPUTS_BMZ	6

static const struct dxl_board_input inputs_nao_battery[] = {
	{
		.type = IIO_COUNT, .number = 1, .name = "status",
		.addr = 24, .size = 2,
	},
	{
		.type = IIO_COUNT, .number = 2, .name = "charge",
		.addr = 26, .size = 2, .slow = true, .unit = &thousandth,
	},
	{
		.type = IIO_CURRENT, .name = "battery",
		.addr = 28, .size = 2, .is_signed = true, .unit = &one,
	},
	ADC(1, "cell-max", 30, one),
	ADC(2, "cell-min", 32, one),
	{
		.type = IIO_TEMP, .name = "battery",
		.addr = 34, .size = 2, .is_signed = true, .slow = true,
		.unit = &celsius,
	},
	{
		.type = IIO_COUNT, .number = 3, .name = "age",
		.addr = 40, .size = 1, .slow = true,
	},
};

static const struct dxl_board_input inputs_nao_inertial[] = {
	GYRO(X, 24, gyro_nao, .is_signed = true),
	GYRO(Y, 26, gyro_nao, .is_signed = true),
	ADC(1, "reference", 28, adc12_3v3),
	ACCEL(X, 30, accel_nao, .is_signed = true),
	ACCEL(Y, 32, accel_nao, .is_signed = true),
	ACCEL(Z, 34, accel_nao, .is_signed = true),
	ON_AXIS(IIO_INCLI, X, "angle", 36, inclination, .is_signed = true),
	ON_AXIS(IIO_INCLI, Y, "angle", 38, inclination, .is_signed = true),
};

static const struct dxl_board_input inputs_nao_us[] = {
	ECHO(0, "value", 24),
	ECHO(1, "left-value", 25),
	ECHO(2, "left-value1", 26),
	ECHO(3, "left-value2", 27),
	ECHO(4, "left-value3", 28),
	ECHO(5, "left-value4", 29),
	ECHO(6, "left-value5", 30),
	ECHO(7, "left-value6", 31),
	ECHO(8, "left-value7", 32),
	ECHO(9, "left-value8", 33),
	ECHO(10, "left-value9", 34),
	ECHO(11, "right-value", 35),
	ECHO(12, "right-value1", 36),
	ECHO(13, "right-value2", 37),
	ECHO(14, "right-value3", 38),
	ECHO(15, "right-value4", 39),
	ECHO(16, "right-value5", 40),
	ECHO(17, "right-value6", 41),
	ECHO(18, "right-value7", 42),
	ECHO(19, "right-value8", 43),
	ECHO(20, "right-value9", 44),
};

/* degrees Celsius */
static const struct dxl_board_unit whole_celsius = { .whole = 1000 };

#define COUNTS(_number, _name, _addr, _size)				\
	{								\
		.type = IIO_COUNT, .number = _number, .name = _name,	\
		.addr = _addr, .size = _size				\
	}

static const struct dxl_board_input inputs_pepper_fuse[] = {
	{
		.type = IIO_TEMP, .name = "fuse",
		.addr = 24, .size = 1, .unit = &whole_celsius,
	},
	COUNTS(1, "error", 25, 1),
};

#define SEGMENT(_number, _addr)						\
	{								\
		.type = IIO_DISTANCE, .number = _number,		\
		.name = "segment" #_number,				\
		.addr = _addr, .size = 2, .unit = &thousandth		\
	}

static const struct dxl_board_input inputs_pepper_laser[] = {
	SEGMENT(1, 24),
	SEGMENT(2, 26),
	SEGMENT(3, 28),
	COUNTS(1, "error", 30, 1),
};

static const struct dxl_board_input inputs_pepper_base[] = {
	BUTTONS(1, 24),
	COUNTS(2, "brake-hip-pitch", 25, 1),
	COUNTS(3, "brake-knee-pitch", 26, 1),
	COUNTS(4, "camera-frames", 28, 2),
};

/* --- lights --- */

#define LIGHT(_name, _bit)	{ _name, .bit = _bit, .bits = 1 }
#define RGB555(_name, _bit)	{ _name, .bit = _bit, .bits = 5, .step = 5 }

/* LED 5 is on the head, LED 6 is the eyes. */
static const struct dxl_board_led leds_cm7xx[] = {
	LIGHT(":indicator-2", 0),
	LIGHT(":indicator-3", 1),
	LIGHT(":indicator-4", 2),
	RGB555("rgb:head", 8),
	RGB555("rgb:eyes", 24),
	{}
};

static const struct dxl_board_led leds_opencr[] = {
	LIGHT(":indicator-1", 0),
	LIGHT(":indicator-2", 1),
	LIGHT(":indicator-3", 2),
	RGB555("rgb:indicator", 8),
	{}
};

static const struct dxl_board_led leds_fsr[] = {
	LIGHT(":indicator", 0),
	{}
};

static const struct dxl_board_led leds_cm510[] = {
	LIGHT(":power", 0),
	LIGHT(":tx", 1),
	LIGHT(":rx", 2),
	LIGHT(":aux", 3),
	LIGHT(":manage", 4),
	LIGHT(":programming", 5),
	LIGHT(":play", 6),
	{}
};

/* A byte for each colour, of which so many bits count. */
#define BYTE(_name, _byte, _bits) \
	{ _name, .bit = BITS_PER_BYTE * (_byte), .bits = _bits }
#define RGB_BYTES(_name, _byte, _bits)					\
	{								\
		_name, .bit = BITS_PER_BYTE * (_byte), .bits = _bits,	\
		.step = BITS_PER_BYTE					\
	}

static const struct dxl_board_led leds_nao_indicator[] = {
	RGB_BYTES("rgb:indicator", 0, 8),
	{}
};

static const char *const touch_nao_head[] = { "front", "middle", "rear", NULL };

#define NEAR(_touch, _name, _byte)					\
	{								\
		_name, .bit = BITS_PER_BYTE * (_byte), .bits = 4,	\
		.touch = _touch,					\
	}

static const struct dxl_board_led leds_nao_touch[] = {
	NEAR("front", "blue:front-left-0", 0),
	NEAR("front", "blue:front-left-1", 1),
	NEAR("front", "blue:front-right-0", 2),
	NEAR("front", "blue:front-right-1", 3),
	NEAR("middle", "blue:middle-left-0", 4),
	NEAR("middle", "blue:middle-right-0", 5),
	NEAR("rear", "blue:rear-left-0", 6),
	NEAR("rear", "blue:rear-left-1", 7),
	NEAR("rear", "blue:rear-left-2", 8),
	NEAR("rear", "blue:rear-right-0", 9),
	NEAR("rear", "blue:rear-right-1", 10),
	NEAR("rear", "blue:rear-right-2", 11),
	{}
};

static const struct dxl_board_led leds_nao_face[] = {
	RGB_BYTES("rgb:left-0deg", 0, 6),
	RGB_BYTES("rgb:left-45deg", 3, 6),
	RGB_BYTES("rgb:left-90deg", 6, 6),
	RGB_BYTES("rgb:left-135deg", 9, 6),
	RGB_BYTES("rgb:left-180deg", 12, 6),
	RGB_BYTES("rgb:left-225deg", 15, 6),
	RGB_BYTES("rgb:left-270deg", 18, 6),
	RGB_BYTES("rgb:left-315deg", 21, 6),
	RGB_BYTES("rgb:right-0deg", 24, 6),
	RGB_BYTES("rgb:right-45deg", 27, 6),
	RGB_BYTES("rgb:right-90deg", 30, 6),
	RGB_BYTES("rgb:right-135deg", 33, 6),
	RGB_BYTES("rgb:right-180deg", 36, 6),
	RGB_BYTES("rgb:right-225deg", 39, 6),
	RGB_BYTES("rgb:right-270deg", 42, 6),
	RGB_BYTES("rgb:right-315deg", 45, 6),
	{}
};

static const struct dxl_board_led leds_nao_ears[] = {
	BYTE("blue:left-0deg", 0, 4),
	BYTE("blue:left-36deg", 1, 4),
	BYTE("blue:left-72deg", 2, 4),
	BYTE("blue:left-108deg", 3, 4),
	BYTE("blue:left-144deg", 4, 4),
	BYTE("blue:left-180deg", 5, 4),
	BYTE("blue:left-216deg", 6, 4),
	BYTE("blue:left-252deg", 7, 4),
	BYTE("blue:left-288deg", 8, 4),
	BYTE("blue:left-324deg", 9, 4),
	BYTE("blue:right-0deg", 10, 4),
	BYTE("blue:right-36deg", 11, 4),
	BYTE("blue:right-72deg", 12, 4),
	BYTE("blue:right-108deg", 13, 4),
	BYTE("blue:right-144deg", 14, 4),
	BYTE("blue:right-180deg", 15, 4),
	BYTE("blue:right-216deg", 16, 4),
	BYTE("blue:right-252deg", 17, 4),
	BYTE("blue:right-288deg", 18, 4),
	BYTE("blue:right-324deg", 19, 4),
	{}
};

#define LEDS(_addr, _size, _leds)					\
	.leds_addr = _addr,						\
	.leds_size = _size,						\
	.leds = _leds

/* --- batteries --- */

static const struct dxl_board_pack pack_bmz = {
	.addr = 24,
	.charging = BIT(7),
	.discharging = BIT(5),
	.full = BIT(6),
	.low = BIT(1),
	.critical = BIT(0),
	.temperature = BIT(8) | BIT(14),
	.overcurrent = BIT(11) | BIT(12) | BIT(13),
	.overcharge = BIT(9),
	.failure = BIT(10),
};

static const struct dxl_board_pack pack_sanyo = {
	.addr = 24,
	.serial_addr = 48,
	.manufacturer = "SANYO",
	.cells = 6,
	.full = BIT(7),
	.low = BIT(5),
	.critical = BIT(6),
};

/* --- storage --- */

static const struct nvmem_cell_info cells_nao_chest[] = {
	{ .name = "body-id", .offset = 0, .bytes = 24 },
	{ .name = "nick-name", .offset = 24, .bytes = 24 },
	{ .name = "config", .offset = 48, .bytes = 128 },
	{ .name = "body-a", .offset = 176, .bytes = 4096 },
	{ .name = "body-b", .offset = 4272, .bytes = 4096 },
};

/* --- boards --- */

#define CM7XX(_size, _num_inputs)					\
	.table = { DXL_TABLE_V1(_size, bauds_v1), .factory_id = 200 },	\
	.features = DXL_CAN_BULK_READ,					\
	.inputs = inputs_cm730,						\
	.num_inputs = _num_inputs,					\
	LEDS(25, 5, leds_cm7xx),					\
	.keys_addr = 30,						\
	.keys = { BTN_MODE, BTN_START },				\
	.power_addr = 24

static const struct dxl_board_layout layout_cm730 = {
	CM7XX(81, ARRAY_SIZE(inputs_cm730)),
};

static const struct dxl_board_layout layout_cm740 = {
	CM7XX(51, INPUTS_CM740),
};

/* Protocol 2.0 with a table like that of 1.0. */
static const struct dxl_board_layout layout_opencr = {
	.table = { DXL_TABLE_V1(51, bauds_v2), .factory_id = 200 },
	.features = DXL_CAN_BULK_READ | DXL_CAN_SYNC_READ | DXL_CAN_BULK_WRITE,
	.inputs = inputs_opencr,
	.num_inputs = ARRAY_SIZE(inputs_opencr),
	LEDS(25, 3, leds_opencr),
	.keys_addr = 30,
	.keys = {
		BTN_MODE, BTN_START, BTN_TRIGGER_HAPPY1, BTN_TRIGGER_HAPPY2,
	},
	.buzzer_addr = 28,
	.power_addr = 24,
};

static const struct dxl_board_layout layout_fsr = {
	.table = { DXL_TABLE_V1(48, bauds_v1), .factory_id = 100 },
	.features = DXL_CAN_BULK_READ,
	.inputs = inputs_fsr,
	.num_inputs = ARRAY_SIZE(inputs_fsr),
	LEDS(25, 1, leds_fsr),
};

static const struct dxl_board_layout layout_cm510 = {
	.table = { DXL_TABLE_V1(46, bauds_v1), .factory_id = 200 },
	.inputs = inputs_cm510,
	.num_inputs = ARRAY_SIZE(inputs_cm510),
	.num_ports = 6,
	.outputs_addr = 26,
	LEDS(25, 1, leds_cm510),
	.keys_addr = 30,
	.keys = {
		[0] = BTN_START,
		[4] = BTN_DPAD_UP,
		[5] = BTN_DPAD_DOWN,
		[6] = BTN_DPAD_LEFT,
		[7] = BTN_DPAD_RIGHT,
	},
	.buzzer_addr = 28,
};

/* NAO's have what they sense from 24 on, and what they show from 64. */
#define NAO(_id, _size, ...)						\
	.table = {							\
		DXL_TABLE_V1(_size, bauds_v2),				\
		.factory_id = _id, __VA_ARGS__				\
	},								\
	.features = DXL_CAN_BULK_READ | DXL_CAN_SYNC_READ | DXL_CAN_BULK_WRITE

#define NAO_LEDS(_size, _leds)	LEDS(64, _size, _leds)

#define NAO_KEYS(...)							\
	.keys_addr = 24,						\
	.keys = { __VA_ARGS__ }

static const struct dxl_board_layout layout_nao_chest = {
	NAO(200, 256, .storage = 80, .storage_size = 8368, .pages = 256),
	.inputs = inputs_nao_buttons,
	.num_inputs = ARRAY_SIZE(inputs_nao_buttons),
	NAO_LEDS(3, leds_nao_indicator),
	NAO_KEYS(BTN_START),
	.cells = cells_nao_chest,
	.num_cells = ARRAY_SIZE(cells_nao_chest),
	.pages_firmware = 2,
};

static const struct dxl_board_layout layout_nao_foot = {
	NAO(100, 67),
	.inputs = inputs_nao_foot,
	.num_inputs = ARRAY_SIZE(inputs_nao_foot),
	NAO_LEDS(3, leds_nao_indicator),
	NAO_KEYS(BTN_TRIGGER_HAPPY1, BTN_TRIGGER_HAPPY2),
};

static const struct dxl_board_layout layout_nao_touch = {
	NAO(203, 76),
	.inputs = inputs_nao_buttons,
	.num_inputs = ARRAY_SIZE(inputs_nao_buttons),
	NAO_LEDS(12, leds_nao_touch),
	NAO_KEYS(BTN_TRIGGER_HAPPY1, BTN_TRIGGER_HAPPY2, BTN_TRIGGER_HAPPY3),
	.touch = touch_nao_head,
};

static const struct dxl_board_layout layout_nao_hand = {
	NAO(100, 25),
	.inputs = inputs_nao_buttons,
	.num_inputs = ARRAY_SIZE(inputs_nao_buttons),
	NAO_KEYS(BTN_TRIGGER_HAPPY1, BTN_TRIGGER_HAPPY2, BTN_TRIGGER_HAPPY3),
};

static const struct dxl_board_layout layout_nao_face = {
	NAO(204, 112),
	NAO_LEDS(48, leds_nao_face),
};

static const struct dxl_board_layout layout_nao_ears = {
	NAO(205, 84),
	NAO_LEDS(20, leds_nao_ears),
};

static const struct dxl_board_layout layout_nao_bmz = {
	NAO(206, 40),
	.inputs = inputs_nao_battery,
	.num_inputs = INPUTS_BMZ,
	.pack = &pack_bmz,
};

static const struct dxl_board_layout layout_nao_sanyo = {
	NAO(206, 72),
	.inputs = inputs_nao_battery,
	.num_inputs = ARRAY_SIZE(inputs_nao_battery),
	.pack = &pack_sanyo,
};

static const struct dxl_board_layout layout_nao_inertial = {
	NAO(201, 40),
	.inputs = inputs_nao_inertial,
	.num_inputs = ARRAY_SIZE(inputs_nao_inertial),
};

static const struct dxl_board_layout layout_nao_us = {
	NAO(202, 65),
	.inputs = inputs_nao_us,
	.num_inputs = ARRAY_SIZE(inputs_nao_us),
	.sonar_addr = 64,
};

/* A Pepper's are as those. */
static const struct dxl_board_layout layout_pepper_fuse = {
	NAO(100, 26),
	.inputs = inputs_pepper_fuse,
	.num_inputs = ARRAY_SIZE(inputs_pepper_fuse),
};

static const struct dxl_board_layout layout_pepper_laser = {
	NAO(214, 31),
	.inputs = inputs_pepper_laser,
	.num_inputs = ARRAY_SIZE(inputs_pepper_laser),
};

static const struct dxl_board_layout layout_pepper_base = {
	NAO(215, 30),
	.inputs = inputs_pepper_base,
	.num_inputs = ARRAY_SIZE(inputs_pepper_base),
	NAO_KEYS(BTN_TRIGGER_HAPPY1, BTN_TRIGGER_HAPPY2, BTN_TRIGGER_HAPPY3),
};

/* --- models --- */

#define DXL_BOARD(_protocol, _number, _compatible, _layout)		\
	[DXL_BOARD_INDEX(_protocol, _number)] = {			\
		.compatible = _compatible,				\
		.protocol = DXL_PROTOCOL_##_protocol,			\
		.number = 0x##_number,					\
		.layout = &layout_##_layout,				\
	},

const struct dxl_board_model dxl_board_models[] = {
#include "model_list.h"
};
