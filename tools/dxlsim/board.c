// SPDX-License-Identifier: GPL-2.0-or-later
/* What is behind the control table of a board: its sensors and buttons. */
#include <math.h>

#include "board.h"
#include "device.h"

/* The centre of the forces, without any. */
#define CENTRE_NONE	255
#define CENTRE_MAX	254

/* How long an angle is averaged for its offset: 512 readings at 200 Hz. */
#define CALIBRATION	(2560 * NSEC_PER_MSEC)
#define CALIBRATE_BITS	0x0f

static const struct {
	const char *unit;
	bool has_sign;
} quantities[] = {
	[QUANTITY_RATE] = { "degrees/s", true },
	[QUANTITY_ACCELERATION] = { "g", true },
	[QUANTITY_ANGLE] = { "degrees", true },
	[QUANTITY_VOLTAGE] = { "V", false },
	[QUANTITY_FORCE] = { "N", false },
	[QUANTITY_DISTANCE] = { "mm", false },
};

const char *quantity_unit(enum quantity quantity)
{
	return quantities[quantity].unit;
}

bool quantity_has_sign(enum quantity quantity)
{
	return quantities[quantity].has_sign;
}

static const struct board_spec *spec(const struct device *dev)
{
	return dev->model->board;
}

static const struct item *item_of(const struct device *dev,
				  const struct sense *sense)
{
	return dev->layout->at[sense->addr];
}

/* --- the world --- */

const struct sense *board_sense(const struct device *dev, u16 addr)
{
	size_t i;

	for (i = 0; i < spec(dev)->sense_count; i++)
		if (spec(dev)->senses[i].addr == addr)
			return &spec(dev)->senses[i];

	return NULL;
}

double board_world(const struct device *dev, const struct sense *sense)
{
	return dev->board.world[sense - spec(dev)->senses];
}

void board_set_world(struct device *dev, const struct sense *sense, double value)
{
	dev->board.world[sense - spec(dev)->senses] = value;
}

static int offset(const struct device *dev, const struct sense *sense)
{
	return sense->offset ? table_s16(dev->table, sense->offset) : 0;
}

/* Have the world be so that the item shows @count. */
void board_set_count(struct device *dev, const struct sense *sense, int count)
{
	board_set_world(dev, sense, (count + offset(dev, sense) - sense->zero) /
				    sense->per_unit);
}

void board_hold(struct device *dev, const struct button *button, bool held)
{
	u8 bit = 1 << button->bit;

	dev->board.held = held ? dev->board.held | bit : dev->board.held & ~bit;
}

/* --- what the sensors make of it --- */

static int within(double count, const struct item *item)
{
	return lround(fmin(fmax(count, item->min), item->max));
}

/* The count before the offset is taken off. */
static int measured(const struct device *dev, const struct sense *sense)
{
	const struct item *item = item_of(dev, sense);
	double value = board_world(dev, sense);

	if (sense->quantity == QUANTITY_FORCE && value < sense->least)
		return 0;
	if (sense->quantity == QUANTITY_DISTANCE) {
		if (value == 0 || value * sense->per_unit > item->max)
			return 0;
		value = fmax(value, sense->least);
	}

	return within(sense->zero + value * sense->per_unit, item);
}

static int shown(const struct device *dev, const struct sense *sense)
{
	return within(measured(dev, sense) - offset(dev, sense),
		      item_of(dev, sense));
}

/*
 * Where the forces' centre is, from left to right and from the heel to the toes.
 * They are front left, front right, back right and back left.
 */
static void refresh_centre(struct device *dev)
{
	static const bool right[BOARD_FORCES] = { false, true, true, false };
	static const bool front[BOARD_FORCES] = { true, true, false, false };
	double sum = 0, x = 0, y = 0;
	size_t i;

	for (i = 0; i < BOARD_FORCES; i++) {
		int force = measured(dev, &spec(dev)->senses[i]);

		sum += force;
		x += right[i] * force;
		y += front[i] * force;
	}
	dev->table[spec(dev)->centre] =
		sum ? lround(x / sum * CENTRE_MAX) : CENTRE_NONE;
	dev->table[spec(dev)->centre + 1] =
		sum ? lround(y / sum * CENTRE_MAX) : CENTRE_NONE;
}

static void refresh(struct device *dev)
{
	size_t i;

	for (i = 0; i < spec(dev)->sense_count; i++) {
		const struct sense *sense = &spec(dev)->senses[i];

		item_store(item_of(dev, sense), dev->table, shown(dev, sense));
	}
	if (spec(dev)->button)
		dev->table[spec(dev)->button] = dev->board.held;
	if (spec(dev)->centre)
		refresh_centre(dev);
}

/* --- calibration --- */

static void calibrate(struct device *dev)
{
	u8 *bits = &dev->table[spec(dev)->calibrate];
	unsigned int bit = 0;
	size_t i;

	for (i = 0; i < spec(dev)->sense_count; i++) {
		const struct sense *sense = &spec(dev)->senses[i];

		if (sense->offset && *bits & 1 << bit++)
			table_put_u16(dev->table, sense->offset,
				      measured(dev, sense));
	}
	*bits &= ~CALIBRATE_BITS;
}

static void advance(struct device *dev, nsec_t now)
{
	u16 addr = spec(dev)->calibrate;

	if (now <= dev->board.time)
		return;
	dev->board.time = now;
	if (addr && dev->table[addr] & CALIBRATE_BITS &&
	    now >= dev->board.calibrated_at)
		calibrate(dev);
}

static void written(struct device *dev, const u8 *before,
		    const struct reach *reach)
{
	(void)before;
	if (spec(dev)->calibrate && reach->at[spec(dev)->calibrate])
		dev->board.calibrated_at = dev->board.time + CALIBRATION;
}

/* --- the rest --- */

static void assemble(struct device *dev, nsec_t now)
{
	size_t i;

	dev->board.time = now;
	for (i = 0; i < spec(dev)->sense_count; i++)
		board_set_count(dev, &spec(dev)->senses[i],
				item_of(dev, &spec(dev)->senses[i])->init);
}

static void power_on(struct device *dev, nsec_t now)
{
	dev->board.time = now;
}

static enum refusal check(const struct device *dev, const u8 *table,
			  const struct reach *reach)
{
	(void)dev;
	(void)table;
	(void)reach;

	return REFUSED_NOT;
}

static u8 condition(const struct device *dev)
{
	(void)dev;

	return 0;
}

static void poke(struct device *dev, const struct item *item, int value)
{
	const struct sense *sense = board_sense(dev, item->addr);

	if (sense)
		board_set_count(dev, sense, value);
	else if (item->addr == spec(dev)->button)
		dev->board.held = value;
}

const struct device_ops board_ops = {
	.assemble = assemble,
	.power_on = power_on,
	.advance = advance,
	.refresh = refresh,
	.check = check,
	.written = written,
	.condition = condition,
	.poke = poke,
};
