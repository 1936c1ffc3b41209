/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A board: what it senses of the world around it, and whom it feeds. Its LEDs and
 * its buzzer are items of its control table and nothing more.
 */
#ifndef DXLSIM_BOARD_H
#define DXLSIM_BOARD_H

#include <stddef.h>

#include <linux/types.h>

#include "../base/base.h"
#include "../body/body.h"
#include "curve.h"
#include "ports.h"

#define BOARD_SENSES_MAX	24
#define BOARD_FORCES		4
#define BOARD_FROZEN_MAX	96	/* behind all registers with what boards sense */

struct device;
struct device_ops;
struct item;

enum quantity {
	QUANTITY_RATE, QUANTITY_ACCELERATION, QUANTITY_ANGLE, QUANTITY_VOLTAGE,
	QUANTITY_FORCE, QUANTITY_DISTANCE, QUANTITY_CURRENT,
	QUANTITY_TEMPERATURE, QUANTITY_CHARGE, QUANTITY_SHARE, QUANTITY_BITS,
	QUANTITY_SOUNDS,
};

/**
 * struct sense - how an item shows something of the world
 * @addr: the item, whose range is that of the sensor
 * @quantity: what it is
 * @zero: the count for nothing of it
 * @per_unit: counts for a unit of it; a distance may have a curve instead
 * @least: a force below this is not felt
 * @offset: of an angle, the item that is taken off it; 0: none
 * @axis: of the body, 1 for x to 3 for z, and below 0 the other way round; 0: the
 *	body has no part in it
 * @most: more than this is not measured, either way; 0: as much as the item shows
 * @curve: how a distance is counted, by rising counts; the last has none; NULL: evenly
 * @lamp: bit of the board's outputs without which it sees nothing; 0: it needs none
 */
struct sense {
	u16 addr;
	u8 quantity;
	int zero;
	double per_unit;
	double least;
	u16 offset;
	int axis;
	double most;
	const struct point *curve;
	u8 lamp;
};

struct button {
	u8 bit;
	const char *name;
};

/* A brake on a joint's axis: open while the motor of the servo with that label has torque. */
struct brake {
	u16 addr;
	const char *joint;
};

/**
 * struct board_spec - what of a board is not in its control table
 * @senses: what it senses, each as the item's initial value at first
 * @button: item with the buttons' bits; 0: it has none
 * @ports: items of its ports, into which anything may be plugged
 * @kit: what is, if nothing else is said
 * @outputs: item with the bits of those ports whose outputs are on
 * @power: item that switches the supply of what hangs on the bus; 0: none does
 * @fed: hangs on that supply itself
 * @centre: item with where the forces' centre is, first x, then y; 0: none
 * @calibrate: item that has angles begin anew, a bit for each; 0: none
 * @since: version of the firmware from which on rates are counted as @senses say
 * @rate_before: counts for a unit of them with an older one
 * @sonar: item with the mode of a sonar, which sends a wave when it is written;
 *	0: none
 * @renews: how often it tells anew of the robot's battery, which it is in; 0: in none
 * @gauge: and has a gauge there, whose flags its status is
 * @brakes: items that are 1 while a brake is open, and whose brakes these are
 * @pictures: item that counts the pictures of a camera; 0: none
 * @noisy: its distances are noisy unless told otherwise
 */
struct board_spec {
	const struct sense *senses;
	size_t sense_count;
	u16 button;
	const struct button *buttons;
	size_t button_count;
	const u16 *ports;
	size_t port_count;
	const char *kit;
	u16 outputs;
	u16 power;
	bool fed;
	u16 centre;
	u16 calibrate;
	u16 sonar;
	u8 since;
	double rate_before;
	nsec_t renews;
	bool gauge;
	const struct brake *brakes;
	size_t brake_count;
	u16 pictures;
	bool noisy;
};

/* The world as far as a board feels it; it outlives the power. */
struct board {
	struct sense senses[BOARD_SENSES_MAX];
	double world[BOARD_SENSES_MAX];
	u8 held;		/* buttons */
	u8 touched;		/* by what is in the body's room */
	nsec_t time;
	nsec_t calibrated_at;	/* when what is under way will be */
	nsec_t captured_at;	/* when the sonar has heard the echoes */
	struct body *body;
	unsigned int felt;	/* its motion that has been felt to the end */
	bool noisy;		/* its distances */
	u64 seed;
	bool frozen[BOARD_FROZEN_MAX];	/* bytes of the table that stay as they are */
	u8 kept[BOARD_FROZEN_MAX];
	struct device *fellows;	/* all devices of its bus; NULL: it is on none */
	const size_t *fellow_count;
};

extern const struct device_ops board_ops;

const char *quantity_unit(enum quantity quantity);
bool quantity_has_sign(enum quantity quantity);

const struct sense *board_sense(const struct device *dev, u16 addr);
double board_world(const struct device *dev, const struct sense *sense);
void board_set_world(struct device *dev, const struct sense *sense, double value);
void board_set_count(struct device *dev, const struct sense *sense, int count);
void board_range(const struct device *dev, const struct sense *sense, int *min, int *max);
bool board_moves(const struct device *dev, const struct sense *sense);
void board_hold(struct device *dev, const struct button *button, bool held);
bool board_has_distances(const struct device *dev);
int board_noise(const struct device *dev, u16 addr, nsec_t time);
bool board_can_freeze(const struct item *item);
bool board_is_frozen(const struct device *dev, const struct item *item);
void board_freeze(struct device *dev, const struct item *item, int value);
void board_thaw(struct device *dev, const struct item *item);

#endif
