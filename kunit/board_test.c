// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the board driver: each board as one in memory
 *
 * What is expected here is computed from the makers' figures by hand and not from
 * the driver's table.
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/iio/consumer.h>
#include <linux/iio/iio.h>
#include <linux/input.h>
#include <linux/led-class-multicolor.h>
#include <linux/leds.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include <kunit/test.h>

#include <linux/dxl/cycle.h>

#include "fake_servo.h"

#define ID		200

#define REG_POWER	24
#define REG_BUZZER	28

/* More than all lights of a board have. */
#define LIGHTS_SIZE	48
#define LIGHTS_MAX	20

/* Age, alarm and timestamp, which a frame has beside a board's inputs. */
#define FRAME_CHANNELS	3

/**
 * struct input_case - an input at a point of its scale
 * @type: its type
 * @axis: its modifier, or 0
 * @number: its number
 * @label: its label
 * @addr: its register
 * @size: bytes of that
 * @reg: what that holds
 * @raw: what is read
 * @nano: that in billionths of IIO's unit
 */
struct input_case {
	enum iio_chan_type type;
	int axis;
	int number;
	const char *label;
	u8 addr;
	u8 size;
	u16 reg;
	int raw;
	s64 nano;
};

/**
 * struct light_case - a light when it is as bright as can be
 * @name: its name
 * @max: its levels
 * @registers: what the registers of all lights hold
 */
struct light_case {
	const char *name;
	unsigned int max;
	u8 registers[LIGHTS_SIZE];
};

/**
 * struct board_case - a board
 * @vendor: the first part of its compatible
 * @name: the second
 * @protocol: its protocol
 * @number: its model number
 * @features: its group instructions
 * @inputs: its inputs
 * @num_inputs: their number
 * @lights_addr: the first register of its lights
 * @lights: its lights, the last without a name; or NULL
 * @keys_addr: the register of its buttons
 * @keys: their codes, by bit
 * @buzzer: it has one
 * @power: it switches the servos' supply
 */
struct board_case {
	const char *vendor;
	const char *name;
	enum dxl_protocol protocol;
	u16 number;
	u32 features;
	const struct input_case *inputs;
	unsigned int num_inputs;
	u8 lights_addr;
	const struct light_case *lights;
	u8 keys_addr;
	u16 keys[8];
	bool buzzer;
	bool power;
};

/* That from which on a CM-730 has its gyroscope measure more */
#define FIRMWARE	0x13

/* 1023 of 1024 parts of 3.3 V */
#define FULL_3V3	3296777343750LL

/* 3.584 degrees a second, 8 g in 1024 steps, tenths of a volt */
static const struct input_case cm730_inputs[] = {
	{ IIO_COUNT, 0, 1, "buttons", 30, 1, 3, 3, 3000000000LL },
	{ IIO_ANGL_VEL, IIO_MOD_Z, 0, "gyro", 38, 2, 0, 0, -32026931200LL },
	{ IIO_ANGL_VEL, IIO_MOD_Y, 0, "gyro", 40, 2, 512, 512, 0 },
	{ IIO_ANGL_VEL, IIO_MOD_X, 0, "gyro", 42, 2, 1023, 1023,
	  31964378600LL },
	{ IIO_ACCEL, IIO_MOD_X, 0, "accel", 44, 2, 0, 0, -39226600000LL },
	{ IIO_ACCEL, IIO_MOD_Y, 0, "accel", 46, 2, 512, 512, 0 },
	{ IIO_ACCEL, IIO_MOD_Z, 0, "accel", 48, 2, 640, 640, 9806650000LL },
	{ IIO_VOLTAGE, 0, 0, "supply", 50, 1, 121, 121,
	  12100 * 1000000000LL },
	{ IIO_VOLTAGE, 0, 1, "mic1", 51, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 2, "adc2", 53, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 3, "adc3", 55, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 4, "adc4", 57, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 5, "adc5", 59, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 6, "adc6", 61, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 7, "adc7", 63, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 8, "adc8", 65, 2, 512, 512, 1650000000000LL },
	{ IIO_VOLTAGE, 0, 9, "mic2", 67, 2, 0, 0, 0 },
	{ IIO_VOLTAGE, 0, 10, "adc10", 69, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 11, "adc11", 71, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 12, "adc12", 73, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 13, "adc13", 75, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 14, "adc14", 77, 2, 1023, 1023, FULL_3V3 },
	{ IIO_VOLTAGE, 0, 15, "adc15", 79, 2, 1023, 1023, FULL_3V3 },
};

/* 16.4 a degree a second, 2 g in 32768 steps, tenths of a degree */
static const struct input_case opencr_inputs[] = {
	{ IIO_COUNT, 0, 1, "buttons", 30, 1, 15, 15, 15000000000LL },
	{ IIO_VOLTAGE, 0, 0, "supply", 31, 1, 118, 118,
	  11800 * 1000000000LL },
	{ IIO_ANGL_VEL, IIO_MOD_X, 0, "gyro", 32, 2, 1640, 1640,
	  1745329252LL },
	{ IIO_ANGL_VEL, IIO_MOD_Y, 0, "gyro", 34, 2, 0xf998, -1640,
	  -1745329252LL },
	{ IIO_ANGL_VEL, IIO_MOD_Z, 0, "gyro", 36, 2, 0, 0, 0 },
	{ IIO_ACCEL, IIO_MOD_X, 0, "accel", 38, 2, 0x8000, -32768,
	  -19613300000LL },
	{ IIO_ACCEL, IIO_MOD_Y, 0, "accel", 40, 2, 0, 0, 0 },
	{ IIO_ACCEL, IIO_MOD_Z, 0, "accel", 42, 2, 16384, 16384,
	  9806650000LL },
	{ IIO_INCLI, IIO_MOD_X, 0, "roll", 44, 2, 0xfc7c, -900,
	  -90 * 1000000000LL },
	{ IIO_INCLI, IIO_MOD_Y, 0, "pitch", 46, 2, 455, 455,
	  45500000000LL },
	{ IIO_INCLI, IIO_MOD_Z, 0, "yaw", 48, 2, 1800, 1800,
	  180 * 1000000000LL },
};

/* mN; 254 is the whole foot, which is 100000 thousandths of a percent */
static const struct input_case fsr_inputs[] = {
	{ IIO_COUNT, 0, 1, "fsr1", 26, 2, 9800, 9800, 9800000000LL },
	{ IIO_COUNT, 0, 2, "fsr2", 28, 2, 0xffff, 65535, 65535000000LL },
	{ IIO_COUNT, 0, 3, "fsr3", 30, 2, 493, 493, 493000000LL },
	{ IIO_COUNT, 0, 4, "fsr4", 32, 2, 0, 0, 0 },
	{ IIO_POSITIONRELATIVE, IIO_MOD_X, 0, "centre", 34, 1, 254, 254,
	  100000 * 1000000000LL },
	{ IIO_POSITIONRELATIVE, IIO_MOD_Y, 0, "centre", 35, 1, 127, 127,
	  50000 * 1000000000LL },
	{ IIO_VOLTAGE, 0, 0, "supply", 42, 1, 255, 255,
	  25500 * 1000000000LL },
};

/* 5 V in 1024 steps: nobody says what is plugged in */
static const struct input_case cm510_inputs[] = {
	{ IIO_COUNT, 0, 1, "buttons", 30, 1, 0xf1, 0xf1, 241000000000LL },
	{ IIO_VOLTAGE, 0, 0, "supply", 31, 1, 111, 111,
	  11100 * 1000000000LL },
	{ IIO_VOLTAGE, 0, 1, "port1", 32, 2, 1023, 1023, 4995117187500LL },
	{ IIO_VOLTAGE, 0, 2, "port2", 34, 2, 512, 512, 2500000000000LL },
	{ IIO_VOLTAGE, 0, 3, "port3", 36, 2, 250, 250, 1220703125000LL },
	{ IIO_VOLTAGE, 0, 4, "port4", 38, 2, 0, 0, 0 },
	{ IIO_VOLTAGE, 0, 5, "port5", 40, 2, 625, 625, 3051757812500LL },
	{ IIO_VOLTAGE, 0, 6, "port6", 42, 2, 1, 1, 4882812500LL },
	{ IIO_COUNT, 0, 2, "sounds", 44, 2, 0xffff, 65535, 65535000000000LL },
};

/* One bit for each */
static const struct input_case nao_chest_inputs[] = {
	{ IIO_COUNT, 0, 1, "buttons", 24, 1, 1, 1, 1000000000LL },
};

static const struct input_case nao_touch_inputs[] = {
	{ IIO_COUNT, 0, 1, "buttons", 24, 1, 7, 7, 7000000000LL },
};

/* mN */
static const struct input_case nao_foot_inputs[] = {
	{ IIO_COUNT, 0, 5, "buttons", 24, 1, 3, 3, 3000000000LL },
	{ IIO_COUNT, 0, 1, "fsr1", 26, 2, 9800, 9800, 9800000000LL },
	{ IIO_COUNT, 0, 2, "fsr2", 28, 2, 0xffff, 65535, 65535000000LL },
	{ IIO_COUNT, 0, 3, "fsr3", 30, 2, 1, 1, 1000000LL },
	{ IIO_COUNT, 0, 4, "fsr4", 32, 2, 0, 0, 0 },
};

/* 2.7 a degree a second, 12 bits of 3.3 V, 56 a g, 0.0001 rad */
static const struct input_case nao_inertial_inputs[] = {
	{ IIO_ANGL_VEL, IIO_MOD_X, 0, "gyro", 24, 2, 0xf830, -2000, 0 },
	{ IIO_ANGL_VEL, IIO_MOD_Y, 0, "gyro", 26, 2, 0xf93e, -1730,
	  1745329252LL },
	{ IIO_VOLTAGE, 0, 1, "reference", 28, 2, 2048, 2048, 1650000000000LL },
	{ IIO_ACCEL, IIO_MOD_X, 0, "accel", 30, 2, 0xffc8, -56, -9806650000LL },
	{ IIO_ACCEL, IIO_MOD_Y, 0, "accel", 32, 2, 0, 0, 0 },
	{ IIO_ACCEL, IIO_MOD_Z, 0, "accel", 34, 2, 127, 127, 22240081250LL },
	{ IIO_INCLI, IIO_MOD_X, 0, "angle", 36, 2, 15708, 15708,
	  90000210459LL },
	{ IIO_INCLI, IIO_MOD_Y, 0, "angle", 38, 2, 0x8548, -31416,
	  -180000420918LL },
};

/* cm; a distance of the first receiver, then ten of each */
static const struct input_case nao_us_inputs[] = {
	{ IIO_DISTANCE, 0, 0, "value", 24, 1, 255, 255, 2550000000LL },
	{ IIO_DISTANCE, 0, 1, "left-value", 25, 1, 25, 25, 250000000LL },
	{ IIO_DISTANCE, 0, 2, "left-value1", 26, 1, 1, 1, 10000000LL },
	{ IIO_DISTANCE, 0, 3, "left-value2", 27, 1, 0, 0, 0 },
	{ IIO_DISTANCE, 0, 4, "left-value3", 28, 1, 3, 3, 30000000LL },
	{ IIO_DISTANCE, 0, 5, "left-value4", 29, 1, 4, 4, 40000000LL },
	{ IIO_DISTANCE, 0, 6, "left-value5", 30, 1, 5, 5, 50000000LL },
	{ IIO_DISTANCE, 0, 7, "left-value6", 31, 1, 6, 6, 60000000LL },
	{ IIO_DISTANCE, 0, 8, "left-value7", 32, 1, 7, 7, 70000000LL },
	{ IIO_DISTANCE, 0, 9, "left-value8", 33, 1, 8, 8, 80000000LL },
	{ IIO_DISTANCE, 0, 10, "left-value9", 34, 1, 9, 9, 90000000LL },
	{ IIO_DISTANCE, 0, 11, "right-value", 35, 1, 254, 254, 2540000000LL },
	{ IIO_DISTANCE, 0, 12, "right-value1", 36, 1, 11, 11, 110000000LL },
	{ IIO_DISTANCE, 0, 13, "right-value2", 37, 1, 12, 12, 120000000LL },
	{ IIO_DISTANCE, 0, 14, "right-value3", 38, 1, 13, 13, 130000000LL },
	{ IIO_DISTANCE, 0, 15, "right-value4", 39, 1, 14, 14, 140000000LL },
	{ IIO_DISTANCE, 0, 16, "right-value5", 40, 1, 15, 15, 150000000LL },
	{ IIO_DISTANCE, 0, 17, "right-value6", 41, 1, 16, 16, 160000000LL },
	{ IIO_DISTANCE, 0, 18, "right-value7", 42, 1, 17, 17, 170000000LL },
	{ IIO_DISTANCE, 0, 19, "right-value8", 43, 1, 18, 18, 180000000LL },
	{ IIO_DISTANCE, 0, 20, "right-value9", 44, 1, 19, 19, 190000000LL },
};

/* Degrees Celsius, of which IIO has thousandths */
static const struct input_case pepper_fuse_inputs[] = {
	{ IIO_TEMP, 0, 0, "fuse", 24, 1, 85, 85, 85000 * 1000000000LL },
	{ IIO_COUNT, 0, 1, "error", 25, 1, 255, 255, 255000000000LL },
};

/* mm */
static const struct input_case pepper_laser_inputs[] = {
	{ IIO_DISTANCE, 0, 1, "segment1", 24, 2, 5000, 5000, 5000000000LL },
	{ IIO_DISTANCE, 0, 2, "segment2", 26, 2, 1, 1, 1000000LL },
	{ IIO_DISTANCE, 0, 3, "segment3", 28, 2, 0, 0, 0 },
	{ IIO_COUNT, 0, 1, "error", 30, 1, 3, 3, 3000000000LL },
};

static const struct input_case pepper_base_inputs[] = {
	{ IIO_COUNT, 0, 1, "buttons", 24, 1, 7, 7, 7000000000LL },
	{ IIO_COUNT, 0, 2, "brake-hip-pitch", 25, 1, 1, 1, 1000000000LL },
	{ IIO_COUNT, 0, 3, "brake-knee-pitch", 26, 1, 0, 0, 0 },
	{ IIO_COUNT, 0, 4, "camera-frames", 28, 2, 0xffff, 65535, 65535000000000LL },
};

static const struct light_case cm7xx_lights[] = {
	{ "Body::indicator-2", 1, { 0x01 } },
	{ "Body::indicator-3", 1, { 0x02 } },
	{ "Body::indicator-4", 1, { 0x04 } },
	{ "Body:rgb:head", 31, { 0, 0xff, 0x7f } },
	{ "Body:rgb:eyes", 31, { 0, 0, 0, 0xff, 0x7f } },
	{}
};

static const struct light_case opencr_lights[] = {
	{ "Body::indicator-1", 1, { 0x01 } },
	{ "Body::indicator-2", 1, { 0x02 } },
	{ "Body::indicator-3", 1, { 0x04 } },
	{ "Body:rgb:indicator", 31, { 0, 0xff, 0x7f } },
	{}
};

static const struct light_case fsr_lights[] = {
	{ "Body::indicator", 1, { 0x01 } },
	{}
};

static const struct light_case cm510_lights[] = {
	{ "Body::power", 1, { 0x01 } },
	{ "Body::tx", 1, { 0x02 } },
	{ "Body::rx", 1, { 0x04 } },
	{ "Body::aux", 1, { 0x08 } },
	{ "Body::manage", 1, { 0x10 } },
	{ "Body::programming", 1, { 0x20 } },
	{ "Body::play", 1, { 0x40 } },
	{}
};

static const struct light_case nao_indicator_lights[] = {
	{ "Body:rgb:indicator", 255, { 255, 255, 255 } },
	{}
};

static const struct light_case nao_touch_lights[] = {
	{ "Body:blue:front-left-0", 15, { 15 } },
	{ "Body:blue:front-left-1", 15, { [1] = 15 } },
	{ "Body:blue:front-right-0", 15, { [2] = 15 } },
	{ "Body:blue:front-right-1", 15, { [3] = 15 } },
	{ "Body:blue:middle-left-0", 15, { [4] = 15 } },
	{ "Body:blue:middle-right-0", 15, { [5] = 15 } },
	{ "Body:blue:rear-left-0", 15, { [6] = 15 } },
	{ "Body:blue:rear-left-1", 15, { [7] = 15 } },
	{ "Body:blue:rear-left-2", 15, { [8] = 15 } },
	{ "Body:blue:rear-right-0", 15, { [9] = 15 } },
	{ "Body:blue:rear-right-1", 15, { [10] = 15 } },
	{ "Body:blue:rear-right-2", 15, { [11] = 15 } },
	{}
};

static const struct light_case nao_face_lights[] = {
	{ "Body:rgb:left-0deg", 63, { [0 ... 2] = 63 } },
	{ "Body:rgb:left-45deg", 63, { [3 ... 5] = 63 } },
	{ "Body:rgb:left-90deg", 63, { [6 ... 8] = 63 } },
	{ "Body:rgb:left-135deg", 63, { [9 ... 11] = 63 } },
	{ "Body:rgb:left-180deg", 63, { [12 ... 14] = 63 } },
	{ "Body:rgb:left-225deg", 63, { [15 ... 17] = 63 } },
	{ "Body:rgb:left-270deg", 63, { [18 ... 20] = 63 } },
	{ "Body:rgb:left-315deg", 63, { [21 ... 23] = 63 } },
	{ "Body:rgb:right-0deg", 63, { [24 ... 26] = 63 } },
	{ "Body:rgb:right-45deg", 63, { [27 ... 29] = 63 } },
	{ "Body:rgb:right-90deg", 63, { [30 ... 32] = 63 } },
	{ "Body:rgb:right-135deg", 63, { [33 ... 35] = 63 } },
	{ "Body:rgb:right-180deg", 63, { [36 ... 38] = 63 } },
	{ "Body:rgb:right-225deg", 63, { [39 ... 41] = 63 } },
	{ "Body:rgb:right-270deg", 63, { [42 ... 44] = 63 } },
	{ "Body:rgb:right-315deg", 63, { [45 ... 47] = 63 } },
	{}
};

static const struct light_case nao_ears_lights[] = {
	{ "Body:blue:left-0deg", 15, { [0] = 15 } },
	{ "Body:blue:left-36deg", 15, { [1] = 15 } },
	{ "Body:blue:left-72deg", 15, { [2] = 15 } },
	{ "Body:blue:left-108deg", 15, { [3] = 15 } },
	{ "Body:blue:left-144deg", 15, { [4] = 15 } },
	{ "Body:blue:left-180deg", 15, { [5] = 15 } },
	{ "Body:blue:left-216deg", 15, { [6] = 15 } },
	{ "Body:blue:left-252deg", 15, { [7] = 15 } },
	{ "Body:blue:left-288deg", 15, { [8] = 15 } },
	{ "Body:blue:left-324deg", 15, { [9] = 15 } },
	{ "Body:blue:right-0deg", 15, { [10] = 15 } },
	{ "Body:blue:right-36deg", 15, { [11] = 15 } },
	{ "Body:blue:right-72deg", 15, { [12] = 15 } },
	{ "Body:blue:right-108deg", 15, { [13] = 15 } },
	{ "Body:blue:right-144deg", 15, { [14] = 15 } },
	{ "Body:blue:right-180deg", 15, { [15] = 15 } },
	{ "Body:blue:right-216deg", 15, { [16] = 15 } },
	{ "Body:blue:right-252deg", 15, { [17] = 15 } },
	{ "Body:blue:right-288deg", 15, { [18] = 15 } },
	{ "Body:blue:right-324deg", 15, { [19] = 15 } },
	{}
};

#define NAO(_name, _number)						\
	.vendor = "naohw",						\
	.name = _name,							\
	.protocol = DXL_PROTOCOL_2,					\
	.number = _number,						\
	.features = DXL_CAN_BULK_READ | DXL_CAN_SYNC_READ |		\
		    DXL_CAN_BULK_WRITE,					\
	.lights_addr = 64,						\
	.keys_addr = 24

static const struct board_case board_cases[] = {
	{
		.vendor = "robotis",
		.name = "cm-730",
		.protocol = DXL_PROTOCOL_1,
		.number = 0x7300,
		.features = DXL_CAN_BULK_READ,
		.inputs = cm730_inputs,
		.num_inputs = ARRAY_SIZE(cm730_inputs),
		.lights_addr = 25,
		.lights = cm7xx_lights,
		.keys_addr = 30,
		.keys = { BTN_MODE, BTN_START },
		.power = true,
	},
	{
		.vendor = "robotis",
		.name = "cm-740",
		.protocol = DXL_PROTOCOL_1,
		/* Any: the maker does not say. */
		.number = 0x1234,
		.features = DXL_CAN_BULK_READ,
		.inputs = cm730_inputs,
		.num_inputs = 8,
		.lights_addr = 25,
		.lights = cm7xx_lights,
		.keys_addr = 30,
		.keys = { BTN_MODE, BTN_START },
		.power = true,
	},
	{
		.vendor = "robotis",
		.name = "opencr",
		.protocol = DXL_PROTOCOL_2,
		.number = 0x7400,
		.features = DXL_CAN_BULK_READ | DXL_CAN_SYNC_READ |
			    DXL_CAN_BULK_WRITE,
		.inputs = opencr_inputs,
		.num_inputs = ARRAY_SIZE(opencr_inputs),
		.lights_addr = 25,
		.lights = opencr_lights,
		.keys_addr = 30,
		.keys = {
			BTN_MODE, BTN_START, BTN_TRIGGER_HAPPY1,
			BTN_TRIGGER_HAPPY2,
		},
		.buzzer = true,
		.power = true,
	},
	{
		.vendor = "robotis",
		.name = "fsr",
		.protocol = DXL_PROTOCOL_1,
		.number = 0x0154,
		.features = DXL_CAN_BULK_READ,
		.inputs = fsr_inputs,
		.num_inputs = ARRAY_SIZE(fsr_inputs),
		.lights_addr = 25,
		.lights = fsr_lights,
	},
	{
		.vendor = "robotis",
		.name = "cm-510",
		.protocol = DXL_PROTOCOL_1,
		.number = 0x0510,
		.inputs = cm510_inputs,
		.num_inputs = ARRAY_SIZE(cm510_inputs),
		.lights_addr = 25,
		.lights = cm510_lights,
		.keys_addr = 30,
		.keys = {
			[0] = BTN_START, [4] = BTN_DPAD_UP,
			[5] = BTN_DPAD_DOWN, [6] = BTN_DPAD_LEFT,
			[7] = BTN_DPAD_RIGHT,
		},
		.buzzer = true,
	},
	{
		NAO("nao-chest-board", 0x4e01),
		.inputs = nao_chest_inputs,
		.num_inputs = ARRAY_SIZE(nao_chest_inputs),
		.lights = nao_indicator_lights,
		.keys = { BTN_START },
	},
	{
		NAO("nao-foot-board", 0x4e02),
		.inputs = nao_foot_inputs,
		.num_inputs = ARRAY_SIZE(nao_foot_inputs),
		.lights = nao_indicator_lights,
		.keys = { BTN_TRIGGER_HAPPY1, BTN_TRIGGER_HAPPY2 },
	},
	{
		NAO("nao-touch-board", 0x4e03),
		.inputs = nao_touch_inputs,
		.num_inputs = ARRAY_SIZE(nao_touch_inputs),
		.lights = nao_touch_lights,
		.keys = {
			BTN_TRIGGER_HAPPY1, BTN_TRIGGER_HAPPY2,
			BTN_TRIGGER_HAPPY3,
		},
	},
	{
		NAO("nao-hand-touch", 0x4e04),
		.inputs = nao_touch_inputs,
		.num_inputs = ARRAY_SIZE(nao_touch_inputs),
		.keys = {
			BTN_TRIGGER_HAPPY1, BTN_TRIGGER_HAPPY2,
			BTN_TRIGGER_HAPPY3,
		},
	},
	{
		NAO("nao-face-board", 0x4e05),
		.lights = nao_face_lights,
	},
	{
		NAO("nao-ear-leds", 0x4e06),
		.lights = nao_ears_lights,
	},
	{
		NAO("nao-inertial-sensor", 0x4e07),
		.inputs = nao_inertial_inputs,
		.num_inputs = ARRAY_SIZE(nao_inertial_inputs),
	},
	{
		NAO("nao-us", 0x4e08),
		.inputs = nao_us_inputs,
		.num_inputs = ARRAY_SIZE(nao_us_inputs),
	},
	{
		NAO("pepper-fuse", 0x5001),
		.inputs = pepper_fuse_inputs,
		.num_inputs = ARRAY_SIZE(pepper_fuse_inputs),
	},
	{
		NAO("pepper-laser", 0x5002),
		.inputs = pepper_laser_inputs,
		.num_inputs = ARRAY_SIZE(pepper_laser_inputs),
	},
	{
		NAO("pepper-base", 0x5003),
		.inputs = pepper_base_inputs,
		.num_inputs = ARRAY_SIZE(pepper_base_inputs),
		.keys = {
			BTN_TRIGGER_HAPPY1, BTN_TRIGGER_HAPPY2,
			BTN_TRIGGER_HAPPY3,
		},
	},
};

static void board_desc(const struct board_case *board, char *desc)
{
	strscpy(desc, board->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(board, board_cases, board_desc);

/* --- fixture --- */

static const struct board_case *board_of(struct kunit *test)
{
	return test->param_value;
}

/* The one board, whose table is to be the test's. */
static struct fake_device *fake(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	return &f->line->devices[0];
}

static u8 *lights_reg(struct kunit *test)
{
	return fake(test)->table + board_of(test)->lights_addr;
}

static u8 *keys_reg(struct kunit *test)
{
	return fake(test)->table + board_of(test)->keys_addr;
}

static void need_inputs(struct kunit *test)
{
	if (!board_of(test)->num_inputs)
		kunit_skip(test, "it measures nothing");
}

static void need_lights(struct kunit *test)
{
	if (!board_of(test)->lights)
		kunit_skip(test, "it has no lights");
}

static int board_test_init(struct kunit *test)
{
	const struct board_case *board = test->param_value;
	struct fake_servos *f = fake_servos_create(test, NULL);
	struct fake_device *dev;

	dev = fake_line_device(f->line, ID, board->protocol);
	put_le16(dev->table, board->number);
	dev->table[2] = FIRMWARE;
	dev->table[5] = 3;
	dev->table[16] = DXL_ANSWERS_ALL;

	return 0;
}

static void bind(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct device *bus = dxl_bus_dev(f->line->bus);
	char text[48];
	ssize_t len;

	len = snprintf(text, sizeof(text), "%s,%s %u Body",
		       board_of(test)->vendor, board_of(test)->name, ID);
	fake_line_add(test, f->line);
	KUNIT_ASSERT_EQ(test, dev_attr_store(bus, "new_device", text), len);
	wait_for_device_probe();
}

#define EVENTUALLY(test, condition)					\
	do {								\
		unsigned int ms_ = 0;					\
		bool holds_;						\
									\
		while (!(holds_ = (condition)) && ms_ < FAKE_PATIENCE_MS) { \
			msleep(20);					\
			ms_ += 20;					\
		}							\
		KUNIT_EXPECT_TRUE(test, holds_);			\
	} while (0)

static struct led_classdev *light(struct kunit *test, const char *name)
{
	struct dxl_device *ddev = servo_device(test, ID);
	struct device *dev;

	dev = servos_hold(test->priv,
			  device_find_child_by_name(&ddev->dev, name));
	KUNIT_ASSERT_NOT_NULL_MSG(test, dev, "%s is missing", name);

	return dev_get_drvdata(dev);
}

static int is_keys(struct device *dev, const void *type)
{
	return dev->class == &input_class && strstarts(dev_name(dev), "input") &&
	       test_bit((uintptr_t)type, to_input_dev(dev)->evbit);
}

static struct input_dev *input_of(struct kunit *test, unsigned int type)
{
	struct dxl_device *ddev = servo_device(test, ID);
	struct device *dev;

	dev = device_find_child(&ddev->dev, (const void *)(uintptr_t)type, is_keys);
	servos_hold(test->priv, dev);

	return dev ? to_input_dev(dev) : NULL;
}

static bool has_keys(const struct board_case *board)
{
	return board->keys[0];
}

/* Whether it is there is as it should be, and so is what it is called. */
static void expect_input_dev(struct kunit *test, unsigned int type, bool wanted,
			     const char *name, const char *phys)
{
	struct input_dev *input = input_of(test, type);

	KUNIT_ASSERT_EQ(test, !!input, wanted);
	if (!input)
		return;
	KUNIT_EXPECT_STREQ(test, input->name, name);
	KUNIT_EXPECT_STREQ(test, strchrnul(input->phys, '/'), phys);
}

static bool is_pressed(struct input_dev *input, unsigned int code)
{
	return test_bit(code, input->key);
}

/* --- what there is --- */

/* One that measures nothing has none. */
static void expect_iio_dev(struct kunit *test)
{
	struct iio_dev *iio = servo_find(test, ID);

	KUNIT_ASSERT_EQ(test, !!iio, !!board_of(test)->num_inputs);
	if (!iio)
		return;
	KUNIT_EXPECT_STREQ(test, iio->name, board_of(test)->name);
	KUNIT_EXPECT_STREQ(test, iio->label, "Body");
}

static void board_binds(struct kunit *test)
{
	const struct board_case *board = board_of(test);
	struct dxl_device *ddev;

	bind(test);
	expect_iio_dev(test);
	ddev = servo_device(test, ID);
	KUNIT_EXPECT_EQ(test, ddev->model_number, board->number);
	KUNIT_EXPECT_EQ(test, ddev->firmware_version, FIRMWARE);
	KUNIT_EXPECT_EQ(test, ddev->return_delay_us, 6);
	KUNIT_EXPECT_EQ(test, ddev->features, board->features);
	KUNIT_ASSERT_NOT_NULL(test, ddev->table);
	KUNIT_EXPECT_EQ(test, ddev->table->id, 3);
	KUNIT_EXPECT_EQ(test, ddev->table->torque_enable, 0);
	expect_input_dev(test, EV_KEY, has_keys(board), "Body buttons",
			 "/input0");
	expect_input_dev(test, EV_SND, board->buzzer, "Body buzzer", "/input1");
}

static void board_of_wrong_model(struct kunit *test)
{
	fake(test)->table[0] ^= 0xff;
	bind(test);
	/* One whose number the maker does not say may have any. */
	if (!strcmp(board_of(test)->name, "cm-740"))
		KUNIT_EXPECT_NOT_NULL(test, servo_device(test, ID)->dev.driver);
	else
		KUNIT_EXPECT_NULL(test, servo_device(test, ID)->dev.driver);
}

static const struct iio_chan_spec *channel(struct kunit *test,
					   struct iio_dev *iio,
					   const struct input_case *c,
					   int number)
{
	const struct iio_chan_spec *spec;
	int i;

	for (i = 0; i < iio->num_channels; i++) {
		spec = &iio->channels[i];
		if (spec->type == c->type && spec->channel == number &&
		    spec->channel2 == c->axis && spec->modified == !!c->axis)
			return spec;
	}

	KUNIT_FAIL_AND_ABORT(test, "no %s at %u", c->label, c->addr);

	return NULL;
}

/* A step is known to a billionth, and there are 65536 of them at most. */
static void expect_input(struct kunit *test, struct iio_dev *iio,
			 const struct input_case *c)
{
	const struct iio_chan_spec *spec = channel(test, iio, c, c->number);
	struct iio_channel chan = { .indio_dev = iio, .channel = spec };
	int offset = 0, whole = 1, nano = 0, unused, raw = 0;
	s64 got;

	KUNIT_EXPECT_TRUE(test, spec->indexed == !c->axis);
	KUNIT_EXPECT_EQ(test, iio_read_channel_raw(&chan, &raw), IIO_VAL_INT);
	KUNIT_EXPECT_EQ_MSG(test, raw, c->raw, "%s", c->label);

	if (spec->info_mask_separate & BIT(IIO_CHAN_INFO_OFFSET))
		iio->info->read_raw(iio, spec, &offset, &unused,
				    IIO_CHAN_INFO_OFFSET);
	if (spec->info_mask_separate & BIT(IIO_CHAN_INFO_SCALE))
		KUNIT_EXPECT_EQ(test,
				iio->info->read_raw(iio, spec, &whole, &nano,
						    IIO_CHAN_INFO_SCALE),
				IIO_VAL_INT_PLUS_NANO);
	got = (s64)(raw + offset) * (whole * 1000000000LL + nano);
	KUNIT_EXPECT_LE_MSG(test, abs(got - c->nano), 65536,
			    "%s: raw %d is %lld, not %lld", c->label, raw, got,
			    c->nano);
}

static void put_input(struct kunit *test, const struct input_case *c)
{
	u8 *reg = fake(test)->table + c->addr;

	if (c->size == 1)
		*reg = c->reg;
	else
		put_le16(reg, c->reg);
}

static void board_inputs(struct kunit *test)
{
	const struct board_case *board = board_of(test);
	const struct input_case *c;
	struct iio_dev *iio;
	char *buf;

	buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	need_inputs(test);
	bind(test);
	iio = dev_to_iio_dev(servo_iio(test, ID));
	KUNIT_EXPECT_EQ(test, iio->num_channels, board->num_inputs + 1);
	for (c = board->inputs; c < board->inputs + board->num_inputs; c++) {
		put_input(test, c);
		expect_input(test, iio, c);
		KUNIT_EXPECT_GT(test,
				iio->info->read_label(iio,
						      channel(test, iio, c,
							      c->number), buf),
				0);
		strim(buf);
		KUNIT_EXPECT_STREQ(test, buf, c->label);
	}
}

/* A board whose firmware has not been renewed counts as it did. */
static void board_gyro_before(struct kunit *test)
{
	struct iio_channel gyro;

	if (strcmp(board_of(test)->name, "cm-730"))
		kunit_skip(test, "it counts the same with any");

	fake(test)->table[2] = FIRMWARE - 1;
	bind(test);
	gyro = servo_channel(test, ID, IIO_ANGL_VEL, IN);
	expect_nano(test, gyro, 0, -512 * 17044231LL);
	expect_nano(test, gyro, 1023, 511 * 17044231LL);
}

/* In a frame the number has the ID in it, and the label the board's. */
static void board_frame(struct kunit *test)
{
	const struct board_case *board = board_of(test);
	const struct input_case *c;
	struct iio_dev *iio;
	char *buf, want[32];

	buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	need_inputs(test);
	bind(test);
	iio = servo_wait_for_state(test, board->num_inputs + FRAME_CHANNELS);
	KUNIT_ASSERT_NOT_NULL(test, iio);
	for (c = board->inputs; c < board->inputs + board->num_inputs; c++) {
		const struct iio_chan_spec *spec;

		spec = channel(test, iio, c, ID + 1024 * c->number);
		KUNIT_EXPECT_EQ(test, spec->scan_type.storagebits, 8 * c->size);
		KUNIT_EXPECT_GT(test, iio->info->read_label(iio, spec, buf), 0);
		snprintf(want, sizeof(want), c->number ? "Body %s\n" : "Body\n",
			 c->label);
		KUNIT_EXPECT_STREQ(test, buf, want);
	}
}

/* --- lights --- */

static bool lights_are(struct kunit *test, const u8 *registers, size_t size)
{
	return !memcmp(lights_reg(test), registers, size);
}

/* Without what is behind the lights of the smaller boards. */
static size_t lights_size(const struct board_case *board)
{
	size_t size = 0;
	const struct light_case *c;

	for (c = board->lights; c->name; c++)
		while (memchr_inv(c->registers + size, 0,
				  sizeof(c->registers) - size))
			size++;

	return size;
}

static void board_lights(struct kunit *test)
{
	static const u8 dark[LIGHTS_SIZE];
	const struct board_case *board = board_of(test);
	const struct light_case *c;
	struct led_classdev *led;
	size_t size;

	need_lights(test);
	size = lights_size(board);
	memset(lights_reg(test), 0xff, size);
	lights_reg(test)[size] = 0x55;
	bind(test);
	EVENTUALLY(test, lights_are(test, dark, size));
	for (c = board->lights; c->name; c++) {
		led = light(test, c->name);
		KUNIT_EXPECT_EQ(test, led->max_brightness, c->max);
		led_set_brightness(led, c->max);
		EVENTUALLY(test, lights_are(test, c->registers, size));
		led_set_brightness(led, LED_OFF);
		EVENTUALLY(test, lights_are(test, dark, size));
	}
	KUNIT_EXPECT_EQ(test, lights_reg(test)[size], 0x55);
}

static struct led_classdev *find_rgb(struct kunit *test)
{
	const struct light_case *c;

	need_lights(test);
	for (c = board_of(test)->lights; c->name; c++)
		if (c->max == 31)
			return light(test, c->name);
	kunit_skip(test, "it has no RGB light");

	return NULL;
}

static bool rgb_is(struct kunit *test, u16 value)
{
	return get_unaligned_le16(lights_reg(test) + 1) == value;
}

static void board_colors(struct kunit *test)
{
	struct led_classdev *led;

	bind(test);
	led = find_rgb(test);
	dev_attr_store(led->dev, "multi_intensity", "31 0 0");
	led_set_brightness(led, 31);
	EVENTUALLY(test, rgb_is(test, 31));
	dev_attr_store(led->dev, "multi_intensity", "0 31 0");
	EVENTUALLY(test, rgb_is(test, 31 << 5));
	dev_attr_store(led->dev, "multi_intensity", "1 2 30");
	EVENTUALLY(test, rgb_is(test, 1 | 2 << 5 | 30 << 10));
	/* Half of it, rounded. */
	led_set_brightness(led, 16);
	EVENTUALLY(test, rgb_is(test, 1 | 1 << 5 | 15 << 10));
	/* More than there is does not spill into its neighbour. */
	dev_attr_store(led->dev, "multi_intensity", "32 0 1000");
	led_set_brightness(led, 31);
	EVENTUALLY(test, rgb_is(test, 31 | 31 << 10));
	dev_attr_store(led->dev, "multi_intensity", "0 -1 0");
	EVENTUALLY(test, rgb_is(test, 31 << 5));
}

static bool bytes_are(struct kunit *test, u8 red, u8 green, u8 blue)
{
	const u8 bytes[] = { red, green, blue };

	return !memcmp(lights_reg(test), bytes, sizeof(bytes));
}

/* Where each colour is a byte, of which only the low bits may count. */
static void board_colors_of_bytes(struct kunit *test)
{
	const struct light_case *c = board_of(test)->lights;
	struct led_classdev *led;

	if (!c || !c->registers[2])
		kunit_skip(test, "its first light has not three bytes");
	bind(test);
	led = light(test, c->name);
	dev_attr_store(led->dev, "multi_intensity", "1 2 30");
	led_set_brightness(led, c->max);
	EVENTUALLY(test, bytes_are(test, 1, 2, 30));
	/* Half of it, rounded. */
	led_set_brightness(led, c->max / 2 + 1);
	EVENTUALLY(test, bytes_are(test, 1, 1, 15));
	/* More than there is does not spill into its neighbour. */
	dev_attr_store(led->dev, "multi_intensity", "256 0 1000");
	led_set_brightness(led, c->max);
	EVENTUALLY(test, bytes_are(test, c->max, 0, c->max));
}

/* How often registers of lights have been written, and how; @hold has no answer. */
static struct {
	u8 addr;
	unsigned int writes;
	unsigned int group_writes;
	bool hold;
} seen;

static void begin_to_note(struct kunit *test)
{
	memset(&seen, 0, sizeof(seen));
	seen.addr = board_of(test)->lights_addr;
}

static void note_writes(struct fake_line *line, const struct dxl_packet *request)
{
	bool lights = request->len && request->params[0] == READ_ONCE(seen.addr);

	if (request->instruction == DXL_SYNC_WRITE && lights)
		WRITE_ONCE(seen.group_writes, seen.group_writes + 1);
	if (request->instruction == DXL_WRITE && lights) {
		WRITE_ONCE(seen.writes, seen.writes + 1);
		if (READ_ONCE(seen.hold))
			return;
	}
	fake_line_respond(line, request);
}

/* What is changed while they cannot be written is one write then. */
static void board_lights_at_once(struct kunit *test)
{
	const struct board_case *board = board_of(test);
	struct fake_servos *f = test->priv;
	unsigned int i, round, count = 0, last = 0;
	const struct light_case *c;
	struct led_classdev *leds[LIGHTS_MAX];

	need_lights(test);
	bind(test);
	for (c = board->lights; c->name; c++) {
		leds[count++] = light(test, c->name);
		last |= c->registers[0] / c->max;
	}
	led_set_brightness(leds[0], 1);
	EVENTUALLY(test, *lights_reg(test) == 1);

	begin_to_note(test);
	seen.hold = true;
	f->line->respond = note_writes;
	led_set_brightness(leds[0], 0);
	EVENTUALLY(test, READ_ONCE(seen.writes) == 1);
	for (round = 0; round < 20; round++)
		for (i = 0; i < count; i++)
			led_set_brightness(leds[i], round % 2);
	WRITE_ONCE(seen.hold, false);
	fake_line_status(f->line, board->protocol, ID, 0, NULL, 0);
	EVENTUALLY(test, *lights_reg(test) == last);
	/* Would there be another one? */
	msleep(50);
	KUNIT_EXPECT_EQ(test, READ_ONCE(seen.writes), 2);
	f->line->respond = fake_line_respond;
}

/*
 * An exchange that begins before takes them along. The board does not hear that: one
 * in memory hears no group write, and any may miss one.
 */
static void board_lights_in_exchange(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct led_classdev *led;
	unsigned int round;

	need_lights(test);
	bind(test);
	led = light(test, board_of(test)->lights[0].name);
	led_set_brightness(led, 1);
	EVENTUALLY(test, *lights_reg(test) == 1);
	begin_to_note(test);
	f->line->respond = note_writes;
	for (round = 0; round < 50 && !READ_ONCE(seen.group_writes); round++) {
		led_set_brightness(led, round % 2);
		dxl_cycle_kick(f->line->bus);
		msleep(20);
	}
	KUNIT_EXPECT_GT(test, READ_ONCE(seen.group_writes), 0);
	EVENTUALLY(test, *lights_reg(test) == !(round % 2));
	f->line->respond = fake_line_respond;
}

/* --- buttons --- */

static int read_buttons(struct kunit *test)
{
	struct iio_dev *iio = dev_to_iio_dev(servo_iio(test, ID));
	const struct input_case *c = board_of(test)->inputs;
	struct iio_channel chan = { .indio_dev = iio };

	while (c->addr != board_of(test)->keys_addr)
		c++;
	chan.channel = channel(test, iio, c, c->number);

	return chan_read(chan);
}

/* Whoever reads them reports them. */
static void board_buttons(struct kunit *test)
{
	const struct board_case *board = board_of(test);
	u8 *reg = keys_reg(test);
	struct input_dev *input;
	unsigned int bit, other;

	if (!has_keys(board))
		kunit_skip(test, "it has no buttons");
	bind(test);
	input = input_of(test, EV_KEY);
	for (bit = 0; bit < ARRAY_SIZE(board->keys); bit++) {
		*reg = BIT(bit);
		KUNIT_EXPECT_EQ(test, read_buttons(test), BIT(bit));
		for (other = 0; other < ARRAY_SIZE(board->keys); other++)
			if (board->keys[other])
				KUNIT_EXPECT_EQ(test,
						is_pressed(input,
							   board->keys[other]),
						other == bit);
	}
	*reg = 0xff;
	read_buttons(test);
	for (bit = 0; bit < ARRAY_SIZE(board->keys); bit++)
		if (board->keys[bit])
			KUNIT_EXPECT_TRUE(test, is_pressed(input,
							   board->keys[bit]));
	*reg = 0;
	read_buttons(test);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(input->key, KEY_CNT));
}

/* Somebody who listens to an input device of the board. */
static struct input_handle listener;

static int listener_connect(struct input_handler *handler,
			    struct input_dev *dev,
			    const struct input_device_id *id)
{
	int ret;

	if (dev->dev.parent->bus != &dxl_bus_type || listener.dev)
		return -ENODEV;

	listener.dev = dev;
	listener.handler = handler;
	listener.name = "dxl-kunit";
	ret = input_register_handle(&listener);
	if (!ret)
		ret = input_open_device(&listener);

	return ret;
}

static void listener_disconnect(struct input_handle *handle)
{
	input_close_device(handle);
	input_unregister_handle(handle);
	handle->dev = NULL;
}

static const struct input_device_id key_ids[] = {
	{
		.flags = INPUT_DEVICE_ID_MATCH_EVBIT,
		.evbit = { BIT(EV_KEY) },
	},
	{}
};

static const struct input_device_id sound_ids[] = {
	{
		.flags = INPUT_DEVICE_ID_MATCH_EVBIT,
		.evbit = { BIT(EV_SND) },
	},
	{}
};

static void listener_event(struct input_handle *handle, unsigned int type,
			   unsigned int code, int value)
{
}

static struct input_handler listener_handler = {
	.name = "dxl-kunit",
	.event = listener_event,
	.connect = listener_connect,
	.disconnect = listener_disconnect,
};

static void stop_listening(void *unused)
{
	input_unregister_handler(&listener_handler);
}

static void listen(struct kunit *test, const struct input_device_id *ids)
{
	memset(&listener, 0, sizeof(listener));
	listener_handler.id_table = ids;
	KUNIT_ASSERT_EQ(test, input_register_handler(&listener_handler), 0);
	KUNIT_ASSERT_EQ(test,
			kunit_add_action_or_reset(test, stop_listening, NULL),
			0);
	KUNIT_ASSERT_NOT_NULL(test, listener.dev);
}

/* A button that is held while somebody listens, so that the driver reads it. */
static struct dxl_device *hold_button(struct kunit *test)
{
	const struct board_case *board = board_of(test);

	if (!has_keys(board))
		kunit_skip(test, "it has no buttons");
	bind(test);
	listen(test, key_ids);
	WRITE_ONCE(*keys_reg(test), 1);
	EVENTUALLY(test, is_pressed(listener.dev, board->keys[0]));

	return servo_device(test, ID);
}

/* An answer that is missing is no release, and hides none. */
static void board_buttons_polled(struct kunit *test)
{
	struct dxl_device *ddev = hold_button(test);
	u16 key = board_of(test)->keys[0];

	fake(test)->silent = true;
	EVENTUALLY(test, fake_device_stat(ddev, DXL_STAT_NACK) > 0);
	KUNIT_EXPECT_TRUE(test, is_pressed(listener.dev, key));
	WRITE_ONCE(*keys_reg(test), 0);
	fake(test)->silent = false;
	EVENTUALLY(test, !is_pressed(listener.dev, key));
}

static void board_lost_releases(struct kunit *test)
{
	struct dxl_device *ddev = hold_button(test);
	u16 key = board_of(test)->keys[0];

	servo_lose(fake(test), ddev);
	EVENTUALLY(test, !is_pressed(listener.dev, key));
	KUNIT_EXPECT_EQ(test, read_buttons(test), -EHOSTDOWN);
	servo_find_again(fake(test), ddev);
	EVENTUALLY(test, is_pressed(listener.dev, key));
}

/* --- sound and power --- */

static bool tone_is(struct kunit *test, u16 hz)
{
	return get_unaligned_le16(fake(test)->table + REG_BUZZER) == hz;
}

static void board_buzzer(struct kunit *test)
{
	if (!board_of(test)->buzzer)
		kunit_skip(test, "it has no buzzer");
	bind(test);
	listen(test, sound_ids);
	input_inject_event(&listener, EV_SND, SND_TONE, 440);
	EVENTUALLY(test, tone_is(test, 440));
	input_inject_event(&listener, EV_SND, SND_TONE, 0);
	EVENTUALLY(test, tone_is(test, 0));
	input_inject_event(&listener, EV_SND, SND_BELL, 1);
	EVENTUALLY(test, tone_is(test, 1000));
	input_inject_event(&listener, EV_SND, SND_TONE, 100000);
	EVENTUALLY(test, tone_is(test, 0xffff));
	input_inject_event(&listener, EV_SND, SND_TONE, -1);
	/* Whoever made it may be gone without a word. */
	kunit_release_action(test, stop_listening, NULL);
	EVENTUALLY(test, tone_is(test, 0));
}

static struct input_dev *listen_to_buzzer(struct kunit *test)
{
	if (!board_of(test)->buzzer)
		kunit_skip(test, "it has no buzzer");
	bind(test);
	listen(test, sound_ids);

	return listener.dev;
}

static void sound(struct kunit *test, unsigned int code, int value, u16 hz)
{
	input_inject_event(&listener, EV_SND, code, value);
	EVENTUALLY(test, tone_is(test, hz));
}

static void respond_slowly(struct fake_line *line,
			   const struct dxl_packet *request)
{
	if (request->instruction == DXL_WRITE)
		msleep(50);
	fake_line_respond(line, request);
}

/* Its end waits for the write of another when who has made it goes. */
static void board_buzzer_closed(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	listen_to_buzzer(test);
	sound(test, SND_TONE, 440, 440);
	f->line->respond = respond_slowly;
	input_inject_event(&listener, EV_SND, SND_TONE, 441);
	msleep(20);
	input_inject_event(&listener, EV_SND, SND_TONE, 0);
	kunit_release_action(test, stop_listening, NULL);
	EVENTUALLY(test, tone_is(test, 0));
	f->line->respond = fake_line_respond;
}

/* A console keeps every buzzer open. */
static void board_buzzer_flushed(struct kunit *test)
{
	struct input_dev *input = listen_to_buzzer(test);

	sound(test, SND_TONE, 440, 440);
	input_flush_device(&listener, NULL);
	EVENTUALLY(test, tone_is(test, 0));

	/* What has ended does not begin anew when the machine has slept. */
	sound(test, SND_BELL, 1, 1000);
	input_flush_device(&listener, NULL);
	EVENTUALLY(test, tone_is(test, 0));
	input_reset_device(input);
	msleep(50);
	KUNIT_EXPECT_TRUE(test, tone_is(test, 0));
}

/* Then the input layer knows that there was a tone, and not which: it says 1 Hz. */
static void board_buzzer_resumes(struct kunit *test)
{
	struct input_dev *input = listen_to_buzzer(test);

	sound(test, SND_TONE, 440, 440);
	input_reset_device(input);
	EVENTUALLY(test, tone_is(test, 0));
}

/* The driver leaves it alone: the servos hold the robot. */
static void board_power(struct kunit *test)
{
	u8 *reg = &fake(test)->table[REG_POWER];
	struct device *dev;
	char *buf;

	buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	need_inputs(test);
	*reg = 1;
	bind(test);
	dev = servo_iio(test, ID);
	KUNIT_EXPECT_EQ(test, *reg, 1);
	if (!board_of(test)->power) {
		KUNIT_EXPECT_EQ(test, dev_attr_show(dev, "servo_power", buf),
				-ENOENT);
		return;
	}

	KUNIT_EXPECT_EQ(test, dev_attr_show(dev, "servo_power", buf), 2);
	KUNIT_EXPECT_STREQ(test, buf, "1\n");
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "servo_power", "2"), -EINVAL);
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "servo_power", ""), -EINVAL);
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "servo_power", "0.5"),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, *reg, 1);
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "servo_power", "0"), 1);
	KUNIT_EXPECT_EQ(test, *reg, 0);
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "servo_power", "1"), 1);
	KUNIT_EXPECT_EQ(test, *reg, 1);
}

/* --- gone and back --- */

static void board_silent(struct kunit *test)
{
	const struct board_case *board = board_of(test);

	fake(test)->silent = true;
	bind(test);
	fake(test)->silent = false;
	if (board->num_inputs) {
		put_input(test, board->inputs);
		expect_input(test, dev_to_iio_dev(servo_iio(test, ID)),
			     board->inputs);
	}
	if (board->lights) {
		led_set_brightness(light(test, board->lights[0].name), 1);
		EVENTUALLY(test, *lights_reg(test) == 1);
	}
	KUNIT_EXPECT_EQ(test, servo_device(test, ID)->return_delay_us, 6);
}

/* It may have been without power: what it shows is told to it again. */
static void board_returns(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct dxl_device *ddev;

	need_lights(test);
	bind(test);
	ddev = servo_device(test, ID);
	led_set_brightness(light(test, board_of(test)->lights[0].name), 1);
	EVENTUALLY(test, *lights_reg(test) == 1);

	servo_lose(fake(test), ddev);
	*lights_reg(test) = 0;
	fake(test)->table[5] = 4;
	servo_find_again(fake(test), ddev);
	device_lock(&ddev->dev);
	to_dxl_driver(ddev->dev.driver)->returned(ddev);
	device_unlock(&ddev->dev);
	EVENTUALLY(test, *lights_reg(test) == 1);
	KUNIT_EXPECT_EQ(test, ddev->return_delay_us, 8);

	/* When the driver goes the lights go off. */
	fake_servos_drop(f);
	fake_line_remove(f->line);
	KUNIT_EXPECT_EQ(test, *lights_reg(test), 0);
}

/* It has been without power for so short a time that it has not been lost. */
static void board_doubted(struct kunit *test)
{
	const struct iio_chan_spec *spec;
	struct dxl_device *ddev;
	struct iio_channel chan;
	unsigned int tries = 8;
	struct iio_dev *iio;

	need_inputs(test);
	need_lights(test);
	bind(test);
	ddev = servo_device(test, ID);
	iio = dev_to_iio_dev(servo_iio(test, ID));
	spec = channel(test, iio, board_of(test)->inputs,
		       board_of(test)->inputs->number);
	chan = (struct iio_channel){ .indio_dev = iio, .channel = spec };
	led_set_brightness(light(test, board_of(test)->lights[0].name), 1);
	EVENTUALLY(test, *lights_reg(test) == 1);

	fake(test)->silent = true;
	*lights_reg(test) = 0;
	while (READ_ONCE(ddev->state) == DXL_ACTIVE && tries--)
		KUNIT_EXPECT_LT(test, chan_read(chan), 0);
	fake(test)->silent = false;
	EVENTUALLY(test, *lights_reg(test) == 1);
	KUNIT_EXPECT_EQ(test, ddev->times_lost, 0);
}

/* Nothing is written to it before it has been asked what it is. */
static void board_returns_as_other(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct dxl_device *ddev;
	struct led_classdev *led;

	if (!strcmp(board_of(test)->name, "cm-740"))
		kunit_skip(test, "its number is not known");
	need_lights(test);
	bind(test);
	ddev = servo_device(test, ID);
	led = light(test, board_of(test)->lights[0].name);
	led_set_brightness(led, 1);
	EVENTUALLY(test, *lights_reg(test) == 1);

	servo_lose(fake(test), ddev);
	fake(test)->table[0] ^= 0xff;
	servo_find_again(fake(test), ddev);
	begin_to_note(test);
	f->line->respond = note_writes;
	led_set_brightness(led, 0);
	dxl_cycle_kick(f->line->bus);
	/* It is time for a write of its own, too. */
	msleep(100);
	KUNIT_EXPECT_EQ(test, READ_ONCE(seen.group_writes), 0);
	KUNIT_EXPECT_EQ(test, READ_ONCE(seen.writes), 0);
	f->line->respond = fake_line_respond;
}

static struct kunit_case board_test_cases[] = {
	KUNIT_CASE_PARAM(board_binds, board_gen_params),
	KUNIT_CASE_PARAM(board_of_wrong_model, board_gen_params),
	KUNIT_CASE_PARAM(board_inputs, board_gen_params),
	KUNIT_CASE_PARAM(board_gyro_before, board_gen_params),
	KUNIT_CASE_PARAM(board_frame, board_gen_params),
	KUNIT_CASE_PARAM(board_lights, board_gen_params),
	KUNIT_CASE_PARAM(board_colors, board_gen_params),
	KUNIT_CASE_PARAM(board_colors_of_bytes, board_gen_params),
	KUNIT_CASE_PARAM(board_lights_at_once, board_gen_params),
	KUNIT_CASE_PARAM(board_lights_in_exchange, board_gen_params),
	KUNIT_CASE_PARAM(board_buttons, board_gen_params),
	KUNIT_CASE_PARAM(board_buttons_polled, board_gen_params),
	KUNIT_CASE_PARAM(board_lost_releases, board_gen_params),
	KUNIT_CASE_PARAM(board_buzzer, board_gen_params),
	KUNIT_CASE_PARAM(board_buzzer_closed, board_gen_params),
	KUNIT_CASE_PARAM(board_buzzer_flushed, board_gen_params),
	KUNIT_CASE_PARAM(board_buzzer_resumes, board_gen_params),
	KUNIT_CASE_PARAM(board_power, board_gen_params),
	KUNIT_CASE_PARAM(board_silent, board_gen_params),
	KUNIT_CASE_PARAM(board_returns, board_gen_params),
	KUNIT_CASE_PARAM(board_doubted, board_gen_params),
	KUNIT_CASE_PARAM(board_returns_as_other, board_gen_params),
	{}
};

static struct kunit_suite board_suite = {
	.name = "dxl_board",
	.init = board_test_init,
	.test_cases = board_test_cases,
};

kunit_test_suite(board_suite);
