/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the boards' models share. */
#ifndef DXLSIM_MODELS_BOARD_H
#define DXLSIM_MODELS_BOARD_H

#include "items.h"

#define LIST(list, a)	.list##s = a, .list##_count = COUNT(a)

/* Where an item's initial value is that of a sensor, it is the world's at first. */
#define HEAD(number, firmware, id_init, id_max, baud, baud_min, baud_max, delay) \
	{  0, 2, ROM, R,  number,   0, 65535,    "model_number" }, \
	{  2, 1, ROM, R,  firmware, 0, 255,      "firmware_version" }, \
	{  3, 1, ROM, RW, id_init,  0, id_max,   "id" }, \
	{  4, 1, ROM, RW, baud, baud_min, baud_max, "baud_rate" }, \
	{  5, 1, ROM, RW, delay,    0, 254,      "return_delay_time" }, \
	{ 16, 1, ROM, RW, 2,        0, 2,        "status_return_level" }

/* Axes of the body: forward, to the left, up. */
enum { X = 1, Y, Z };

/* How an item shows something, and whatever else struct sense knows of that. */
#define SENSE(a, what, none, steps, ...) { \
	.addr = a, .quantity = QUANTITY_##what, .zero = none, .per_unit = steps, \
	__VA_ARGS__ \
}

#define FORCE(a, felt)	SENSE(a, FORCE, 0, 1000, .least = felt)

#define MODEL_2 \
	.protocol = DXL_PROTOCOL_2, \
	.registers = &board_registers, \
	.bauds = board_bauds_2, \
	.baud_count = BOARD_BAUDS_2, \
	.abilities = board_abilities_2, \
	.ability_count = BOARD_ABILITIES_2, \
	.eeprom_byte = 1 * NSEC_PER_MSEC, \
	.boot = 200 * NSEC_PER_MSEC, \
	.ops = &board_ops

#define BOARD_BAUDS_2		8
#define BOARD_ABILITIES_2	3

extern const struct registers board_registers;
extern const unsigned int board_bauds_2[BOARD_BAUDS_2];
extern const struct ability board_abilities_2[BOARD_ABILITIES_2];

#endif
