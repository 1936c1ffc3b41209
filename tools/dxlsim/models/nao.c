// SPDX-License-Identifier: GPL-2.0-or-later
/* NAO's boards, with the maps of Documentation/boards/nao-boards.rst and nao-battery.rst. */
#include <math.h>

#include "../body/body.h"
#include "board.h"

#define NAO_HEAD(number, id)	HEAD(number, 1, id, 252, 3, 0, 7, 0)

#define BUTTON		24
#define BUTTONS(bits)	{ BUTTON, 1, RAM, R, 0, 0, (1 << (bits)) - 1, "button" }

#define LED(a, max, name)	{ 64 + (a), 1, RAM, RW, 0, 0, max, name }
#define RGB(a, max, prefix) \
	LED(a, max, prefix "red"), \
	LED((a) + 1, max, prefix "green"), \
	LED((a) + 2, max, prefix "blue")

/* --- chest --- */

static const struct item chest_items[] = {
	HEAD(0x4e01, 2, 200, 252, 3, 0, 7, 0), BUTTONS(1), RGB(0, 255, ""),
};

#define BYTES(a, area, access, count, number, name) \
	{ { a, 1, area, access, 0, 0, 255, name }, count, number, 0 }

static const struct row chest_rows[] = {
	BYTES(80, STORAGE, RW, 24, 0, "body_id"),
	BYTES(104, STORAGE, RW, 24, 0, "nick_name"),
	BYTES(128, STORAGE, RW, 128, 0, "config"),
};

/* Two copies of what software keeps of the body. */
static const struct pages chest_pages = {
	.addr = 256, .size = 2 * 4096, .firmware = 2,
};

static const struct button chest_buttons[] = { { 0, "chest" } };

static const struct board_spec chest_spec = {
	LIST(button, chest_buttons),
	.button = BUTTON,
};

const struct model model_nao_chest = {
	MODEL_2,
	.name = "NAO-chest-board",
	.compatible = "naohw,nao-chest-board",
	.number = 0x4e01,
	.table_size = 256,
	.pieces = { PIECE(chest_items) },
	LIST(row, chest_rows),
	.pages = &chest_pages,
	.board = &chest_spec,
};

/* --- foot --- */

static const struct item foot_items[] = {
	NAO_HEAD(0x4e02, 100), BUTTONS(2),
	{ 26, 2, RAM, R, 0, 0, 65535, "fsr_1" },
	{ 28, 2, RAM, R, 0, 0, 65535, "fsr_2" },
	{ 30, 2, RAM, R, 0, 0, 65535, "fsr_3" },
	{ 32, 2, RAM, R, 0, 0, 65535, "fsr_4" },
	RGB(0, 255, ""),
};

static const struct sense foot_senses[] = {
	FORCE(26, 0), FORCE(28, 0), FORCE(30, 0), FORCE(32, 0),
};

static const struct button foot_buttons[] = { { 0, "left" }, { 1, "right" } };

static const struct board_spec foot_spec = {
	LIST(sense, foot_senses),
	LIST(button, foot_buttons),
	.button = BUTTON,
};

const struct model model_nao_foot = {
	MODEL_2,
	.name = "NAO-foot-board",
	.compatible = "naohw,nao-foot-board",
	.number = 0x4e02,
	.table_size = 67,
	.pieces = { PIECE(foot_items) },
	.board = &foot_spec,
	.robot = &robot_nao,
};

/* --- touch sensors on the head --- */

static const struct item touch_items[] = {
	NAO_HEAD(0x4e03, 203), BUTTONS(3),
	LED(0, 15, "front_left_0"), LED(1, 15, "front_left_1"),
	LED(2, 15, "front_right_0"), LED(3, 15, "front_right_1"),
	LED(4, 15, "middle_left_0"), LED(5, 15, "middle_right_0"),
	LED(6, 15, "rear_left_0"), LED(7, 15, "rear_left_1"),
	LED(8, 15, "rear_left_2"), LED(9, 15, "rear_right_0"),
	LED(10, 15, "rear_right_1"), LED(11, 15, "rear_right_2"),
};

static const struct button touch_buttons[] = {
	{ 0, "front" }, { 1, "middle" }, { 2, "rear" },
};

static const struct board_spec touch_spec = {
	LIST(button, touch_buttons),
	.button = BUTTON,
};

const struct model model_nao_touch = {
	MODEL_2,
	.name = "NAO-touch-board",
	.compatible = "naohw,nao-touch-board",
	.number = 0x4e03,
	.table_size = 76,
	.pieces = { PIECE(touch_items) },
	.board = &touch_spec,
};

/* --- touch sensors on a hand --- */

static const struct item hand_items[] = {
	NAO_HEAD(0x4e04, 100), BUTTONS(3),
};

static const struct button hand_buttons[] = {
	{ 0, "back" }, { 1, "left" }, { 2, "right" },
};

static const struct board_spec hand_spec = {
	LIST(button, hand_buttons),
	.button = BUTTON,
};

const struct model model_nao_hand = {
	MODEL_2,
	.name = "NAO-hand-touch",
	.compatible = "naohw,nao-hand-touch",
	.number = 0x4e04,
	.table_size = 25,
	.pieces = { PIECE(hand_items) },
	.board = &hand_spec,
};

/* --- face: both eyes --- */

static const struct item face_items[] = {
	NAO_HEAD(0x4e05, 204),
	RGB(0, 63, "left_0_"),
	RGB(3, 63, "left_45_"),
	RGB(6, 63, "left_90_"),
	RGB(9, 63, "left_135_"),
	RGB(12, 63, "left_180_"),
	RGB(15, 63, "left_225_"),
	RGB(18, 63, "left_270_"),
	RGB(21, 63, "left_315_"),
	RGB(24, 63, "right_0_"),
	RGB(27, 63, "right_45_"),
	RGB(30, 63, "right_90_"),
	RGB(33, 63, "right_135_"),
	RGB(36, 63, "right_180_"),
	RGB(39, 63, "right_225_"),
	RGB(42, 63, "right_270_"),
	RGB(45, 63, "right_315_"),
};

/* They sense nothing. */
static const struct board_spec lights_spec = { 0 };

const struct model model_nao_face = {
	MODEL_2,
	.name = "NAO-face-board",
	.compatible = "naohw,nao-face-board",
	.number = 0x4e05,
	.table_size = 112,
	.pieces = { PIECE(face_items) },
	.board = &lights_spec,
};

/* --- ears --- */

static const struct item ears_items[] = {
	NAO_HEAD(0x4e06, 205),
	LED(0, 15, "left_0"),
	LED(1, 15, "left_36"),
	LED(2, 15, "left_72"),
	LED(3, 15, "left_108"),
	LED(4, 15, "left_144"),
	LED(5, 15, "left_180"),
	LED(6, 15, "left_216"),
	LED(7, 15, "left_252"),
	LED(8, 15, "left_288"),
	LED(9, 15, "left_324"),
	LED(10, 15, "right_0"),
	LED(11, 15, "right_36"),
	LED(12, 15, "right_72"),
	LED(13, 15, "right_108"),
	LED(14, 15, "right_144"),
	LED(15, 15, "right_180"),
	LED(16, 15, "right_216"),
	LED(17, 15, "right_252"),
	LED(18, 15, "right_288"),
	LED(19, 15, "right_324"),
};

const struct model model_nao_ears = {
	MODEL_2,
	.name = "NAO-ear-LEDs",
	.compatible = "naohw,nao-ear-leds",
	.number = 0x4e06,
	.table_size = 84,
	.pieces = { PIECE(ears_items) },
	.board = &lights_spec,
};

/* --- batteries, with the map of Documentation/boards/nao-battery.rst --- */

#define BATTERY_ITEMS(status) \
	{ 24, 2, RAM, R, status,     0, 65535, "status" }, \
	{ 26, 2, RAM, R,    800,     0,  1000, "charge" }, \
	{ 28, 2, RAM, R,  -1000, -32768, 32767, "current" }, \
	{ 30, 2, RAM, R,   3900,     0, 65535, "cell_voltage_max" }, \
	{ 32, 2, RAM, R,   3900,     0, 65535, "cell_voltage_min" }, \
	{ 34, 2, RAM, R,    300,  -400,  1250, "present_temperature" }, \
	{ 36, 2, RAM, R,   2150,     0, 65535, "full_charge_capacity" }

#define BATTERY_SENSES \
	SENSE(24, BITS, 0, 1), \
	SENSE(26, SHARE, 0, 10), \
	SENSE(28, CURRENT, 0, 1000), \
	SENSE(30, VOLTAGE, 0, 1000), \
	SENSE(32, VOLTAGE, 0, 1000), \
	SENSE(34, TEMPERATURE, 0, 10), \
	SENSE(36, CHARGE, 0, 1000)

/* It is discharged, and both transistors are on. */
static const struct item bmz_items[] = {
	NAO_HEAD(0x4e20, 206), BATTERY_ITEMS(0x002c),
	{ 38, 2, RAM, R, 0, 0, 0, "remaining_capacity" },
};

static const struct sense bmz_senses[] = { BATTERY_SENSES };

static const struct board_spec bmz_spec = {
	LIST(sense, bmz_senses),
	.renews = 20 * NSEC_PER_MSEC,
};

const struct model model_nao_bmz = {
	MODEL_2,
	.name = "NAO-battery-BMZ",
	.compatible = "naohw,nao-battery-bmz",
	.number = 0x4e20,
	.table_size = 40,
	.pieces = { PIECE(bmz_items) },
	.board = &bmz_spec,
};

/* Four characters of a text. */
#define TEXT(a, c0, c1, c2, c3, name) \
	{ a, 4, RAM, R, (c0) | (c1) << 8 | (c2) << 16 | (c3) << 24, \
	  0, 0x7fffffff, name }

static const struct item sanyo_items[] = {
	NAO_HEAD(0x4e21, 206), BATTERY_ITEMS(0),
	{ 38, 2, RAM, R, 1720, 0, 65535, "remaining_capacity" },
	{ 40, 1, RAM, R, 100, 0, 100, "age" },
	TEXT(48, 'A', 'L', 'D', 'E', "serial_number_1"),
	TEXT(52, '0', '0', '0', '0', "serial_number_2"),
	TEXT(56, '3', '9', '_', '_', "serial_number_3"),
	TEXT(60, '_', 'P', 'D', '0', "serial_number_4"),
	TEXT(64, '0', '1', '0', '0', "serial_number_5"),
	TEXT(68, '6', '0', '0', 0, "serial_number_6"),
};

static const struct sense sanyo_senses[] = {
	BATTERY_SENSES,
	SENSE(38, CHARGE, 0, 1000),
	SENSE(40, SHARE, 0, 1),
};

static const struct board_spec sanyo_spec = {
	LIST(sense, sanyo_senses),
	.renews = 3500 * NSEC_PER_MSEC,
	.gauge = true,
};

const struct model model_nao_sanyo = {
	MODEL_2,
	.name = "NAO-battery-Sanyo",
	.compatible = "naohw,nao-battery-sanyo",
	.number = 0x4e21,
	.table_size = 72,
	.pieces = { PIECE(sanyo_items) },
	.board = &sanyo_spec,
};

/* --- inertial sensor --- */

#define GYRO_REST	-2000
#define REFERENCE	1527	/* 1.23 V, that of the gyroscope's maker */
#define ACC_G		56

static const struct item inertial_items[] = {
	NAO_HEAD(0x4e07, 201),
	{ 24, 2, RAM, R, GYRO_REST, -4095,      0, "gyro_x" },
	{ 26, 2, RAM, R, GYRO_REST, -4095,      0, "gyro_y" },
	{ 28, 2, RAM, R, REFERENCE,      0,  4095, "gyro_reference" },
	{ 30, 2, RAM, R,         0,   -128,   127, "acc_x" },
	{ 32, 2, RAM, R,         0,   -128,   127, "acc_y" },
	{ 34, 2, RAM, R,     ACC_G,   -128,   127, "acc_z" },
	{ 36, 2, RAM, R,         0, -31416, 31416, "angle_x" },
	{ 38, 2, RAM, R,         0, -31416, 31416, "angle_y" },
};

#define NAO_RATE(a, ax)		SENSE(a, RATE, GYRO_REST, 2.7, .axis = ax)
#define NAO_ACCEL(a, ax)	SENSE(a, ACCELERATION, 0, ACC_G, .axis = ax)
#define NAO_ANGLE(a, ax)	SENSE(a, ANGLE, 0, 10000 * M_PI / 180, .axis = ax)
#define ADC12_3V3(a)		SENSE(a, VOLTAGE, 0, 4096 / 3.3)

static const struct sense inertial_senses[] = {
	NAO_RATE(24, X), NAO_RATE(26, Y), ADC12_3V3(28),
	NAO_ACCEL(30, X), NAO_ACCEL(32, Y), NAO_ACCEL(34, Z),
	NAO_ANGLE(36, X), NAO_ANGLE(38, Y),
};

static const struct board_spec inertial_spec = {
	LIST(sense, inertial_senses),
};

const struct model model_nao_inertial = {
	MODEL_2,
	.name = "NAO-inertial-sensor",
	.compatible = "naohw,nao-inertial-sensor",
	.number = 0x4e07,
	.table_size = 40,
	.pieces = { PIECE(inertial_items) },
	.board = &inertial_spec,
};

/* --- sonar --- */

#define MODE	64

static const struct item us_items[] = {
	NAO_HEAD(0x4e08, 202),
	{ SONAR_VALUE, 1, RAM, R, 0, 0, 255, "value" },
	{ SONAR_LEFT, 1, RAM, R, 0, 0, 255, "left_value" },
	{ SONAR_RIGHT, 1, RAM, R, 0, 0, 255, "right_value" },
	{ MODE, 1, RAM, RW, 0, 0, 76, "mode" },
};

static const struct row us_rows[] = {
	BYTES(SONAR_LEFT + 1, RAM, R, SONAR_ECHOES - 1, 1, "left_value"),
	BYTES(SONAR_RIGHT + 1, RAM, R, SONAR_ECHOES - 1, 1, "right_value"),
};

static const struct board_spec us_spec = { .sonar = MODE };

const struct model model_nao_us = {
	MODEL_2,
	.name = "NAO-US",
	.compatible = "naohw,nao-us",
	.number = 0x4e08,
	.table_size = 65,
	.pieces = { PIECE(us_items) },
	LIST(row, us_rows),
	.board = &us_spec,
};
