// SPDX-License-Identifier: GPL-2.0-or-later
/* What is behind the control table of a board: its sensors and buttons. */
#include <math.h>
#include <string.h>

#include "board.h"
#include "nerve.h"
#include "sonar.h"
#include "table.h"

/* The IDs of the OP's feet. An FSR with another is under no foot. */
#define RIGHT_FOOT	111
#define LEFT_FOOT	112

/* The centre of the forces, without any. */
#define CENTRE_NONE	255
#define CENTRE_MAX	254

/* How long an angle is averaged for its offset: 512 readings at 200 Hz. */
#define CALIBRATION	(2560 * NSEC_PER_MSEC)
#define CALIBRATE_BITS	0x0f

/* How long a noise lasts, and how often a camera has a picture. */
#define NOISE		(20 * NSEC_PER_MSEC)
#define PICTURES_HZ	30

/* Where an FSR's sensors are. */
static const struct corner corners[BOARD_FORCES] = {
	{ .front = true }, { .front = true, .right = true },
	{ .right = true }, { },
};

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
	[QUANTITY_CURRENT] = { "A", true },
	[QUANTITY_TEMPERATURE] = { "degrees Celsius", true },
	[QUANTITY_CHARGE] = { "Ah", false },
	[QUANTITY_SHARE] = { "percent", false },
	[QUANTITY_BITS] = { "bits", false },
	[QUANTITY_SOUNDS] = { "sounds", false },
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
		if (dev->board.senses[i].addr == addr)
			return &dev->board.senses[i];

	return NULL;
}

double board_world(const struct device *dev, const struct sense *sense)
{
	return dev->board.world[sense - dev->board.senses];
}

void board_set_world(struct device *dev, const struct sense *sense, double value)
{
	dev->board.world[sense - dev->board.senses] = value;
}

static int offset(const struct device *dev, const struct sense *sense)
{
	return sense->offset ? table_s16(dev->table, sense->offset) : 0;
}

static double per_unit(const struct device *dev, const struct sense *sense)
{
	u8 firmware = dev->table[dev->model->registers->firmware];

	if (sense->quantity == QUANTITY_RATE && firmware < spec(dev)->since)
		return spec(dev)->rate_before;
	return sense->per_unit;
}

/* Have the world be so that the item shows @count. */
void board_set_count(struct device *dev, const struct sense *sense, int count)
{
	if (sense->curve)
		board_set_world(dev, sense, curve_value(sense->curve, count));
	else
		board_set_world(dev, sense,
				(count + offset(dev, sense) - sense->zero) /
				per_unit(dev, sense));
}

void board_hold(struct device *dev, const struct button *button, bool held)
{
	u8 bit = 1 << button->bit;

	dev->board.held = held ? dev->board.held | bit : dev->board.held & ~bit;
}

/* --- what the sensors make of it --- */

void board_range(const struct device *dev, const struct sense *sense, int *min, int *max)
{
	const struct item *item = item_of(dev, sense);

	*min = item->min;
	*max = item->max;
	if (!sense->most)
		return;
	*min = fmax(*min, lround(sense->zero - sense->most * per_unit(dev, sense)));
	*max = fmin(*max, lround(sense->zero + sense->most * per_unit(dev, sense)));
}

static int within(const struct device *dev, const struct sense *sense, double count)
{
	int min, max;

	board_range(dev, sense, &min, &max);

	return lround(fmin(fmax(count, min), max));
}

static bool is_lit(const struct device *dev, const struct sense *sense)
{
	return !sense->lamp || dev->table[spec(dev)->outputs] & sense->lamp;
}

bool board_has_distances(const struct device *dev)
{
	size_t i;

	for (i = 0; i < spec(dev)->sense_count; i++)
		if (dev->board.senses[i].quantity == QUANTITY_DISTANCE)
			return true;

	return spec(dev)->sonar;
}

/* One count up or down, or none: of an item by the time and the seed, however often it is read. */
int board_noise(const struct device *dev, u16 addr, nsec_t time)
{
	uint64_t state = dev->board.seed ^ (u64)device_id(dev) << 56 ^ (u64)addr << 40 ^ time / NOISE;

	return dev->board.noisy ? (int)random_below(&state, 3) - 1 : 0;
}

/* Of a distance that is counted evenly, and out of sight beyond what the item shows. */
static int line_count(const struct device *dev, const struct sense *sense, double value)
{
	double count = sense->zero + value * per_unit(dev, sense);

	return count > item_of(dev, sense)->max ? 0 : lround(count);
}

/* Nothing in sight is a count of 0, which no noise makes a distance of. */
static int distance(const struct device *dev, const struct sense *sense, double value)
{
	int count = 0;

	if (!sense->curve)
		count = line_count(dev, sense, value);
	else if (is_lit(dev, sense))
		count = curve_count(sense->curve, value);
	if (!count)
		return 0;

	return fmax(within(dev, sense, count + board_noise(dev, sense->addr, dev->board.time)), 1);
}

/* The count before the offset is taken off. */
static int measured(const struct device *dev, const struct sense *sense)
{
	double value = board_world(dev, sense);

	if (sense->quantity == QUANTITY_FORCE && value < sense->least)
		return 0;
	if (sense->quantity == QUANTITY_DISTANCE)
		return distance(dev, sense, value);

	return within(dev, sense, sense->zero + value * per_unit(dev, sense));
}

static int shown(const struct device *dev, const struct sense *sense)
{
	return within(dev, sense, measured(dev, sense) - offset(dev, sense));
}

/* Where the forces' centre is, from left to right and from the heel to the toes. */
static void refresh_centre(struct device *dev)
{
	double sum = 0, x = 0, y = 0;
	size_t i;

	for (i = 0; i < BOARD_FORCES; i++) {
		int force = measured(dev, &dev->board.senses[i]);

		sum += force;
		x += corners[i].right * force;
		y += corners[i].front * force;
	}
	dev->table[spec(dev)->centre] =
		sum ? lround(x / sum * CENTRE_MAX) : CENTRE_NONE;
	dev->table[spec(dev)->centre + 1] =
		sum ? lround(y / sum * CENTRE_MAX) : CENTRE_NONE;
}

/* --- brakes --- */

/* A servo's own watchdog may have taken its torque since it was asked last. */
static bool has_torque(const struct device *dev, const char *label)
{
	size_t i;

	for (i = 0; dev->board.fellows && i < *dev->board.fellow_count; i++) {
		struct device *fellow = &dev->board.fellows[i];

		if (!fellow->model->servo || strcmp(fellow->label, label))
			continue;
		fellow->model->ops->advance(fellow, dev->board.time);

		return device_torque(fellow);
	}

	return false;
}

static void refresh_brakes(struct device *dev)
{
	size_t i;

	for (i = 0; i < spec(dev)->brake_count; i++) {
		const struct brake *brake = &spec(dev)->brakes[i];

		dev->table[brake->addr] = has_torque(dev, brake->joint);
	}
}

/* --- what is frozen --- */

bool board_can_freeze(const struct item *item)
{
	return item->area == AREA_RAM && item->access == ACCESS_R &&
	       item->addr + item->size <= BOARD_FROZEN_MAX;
}

bool board_is_frozen(const struct device *dev, const struct item *item)
{
	return board_can_freeze(item) && dev->board.frozen[item->addr];
}

/* Have it show @value whatever is measured, with and without power. */
void board_freeze(struct device *dev, const struct item *item, int value)
{
	item_store(item, dev->board.kept, value);
	memset(dev->board.frozen + item->addr, true, item->size);
}

void board_thaw(struct device *dev, const struct item *item)
{
	memset(dev->board.frozen + item->addr, false, item->size);
}

static void show_frozen(struct device *dev)
{
	size_t i;

	for (i = 0; i < BOARD_FROZEN_MAX; i++)
		if (dev->board.frozen[i])
			dev->table[i] = dev->board.kept[i];
}

static void refresh(struct device *dev)
{
	size_t i;

	for (i = 0; i < spec(dev)->sense_count; i++) {
		const struct sense *sense = &dev->board.senses[i];

		item_store(item_of(dev, sense), dev->table, shown(dev, sense));
	}
	if (spec(dev)->button)
		dev->table[spec(dev)->button] = dev->board.held | dev->board.touched;
	if (spec(dev)->centre)
		refresh_centre(dev);
	refresh_brakes(dev);
	if (spec(dev)->pictures)
		table_put_u16(dev->table, spec(dev)->pictures,
			      dev->board.time / (NSEC_PER_SEC / PICTURES_HZ));
	show_frozen(dev);
}

/* --- the body --- */

static double along(const double *axes, int axis)
{
	return axis < 0 ? -axes[-axis - 1] : axes[axis - 1];
}

static bool is_foot(const struct device *dev)
{
	return device_id(dev) == LEFT_FOOT || device_id(dev) == RIGHT_FOOT;
}

static bool is_felt(const struct device *dev, const struct sense *sense)
{
	if (sense->quantity == QUANTITY_FORCE)
		return is_foot(dev);

	return sense->axis || nerve_sees(dev, sense);
}

static bool has_motion(const struct device *dev)
{
	const struct body *body = dev->board.body;

	return body && (body->world || dev->board.felt != body->motions);
}

/* Whether a motion gives it, and would again at once whatever it is set to. */
bool board_moves(const struct device *dev, const struct sense *sense)
{
	return has_motion(dev) && is_felt(dev, sense);
}

static double force(const struct device *dev, size_t corner, nsec_t now)
{
	enum foot foot = device_id(dev) == LEFT_FOOT ? FOOT_LEFT : FOOT_RIGHT;

	return body_force(dev->board.body, foot, corners[corner], now);
}

static void feel_sense(struct device *dev, size_t i,
		       const struct feeling *feeling, nsec_t now)
{
	const struct sense *sense = &dev->board.senses[i];
	double *world = &dev->board.world[i];

	if (!is_felt(dev, sense))
		return;
	if (nerve_sees(dev, sense))
		*world = nerve_distance(dev, sense);
	else if (sense->quantity == QUANTITY_FORCE)
		*world = force(dev, i, now);
	else if (sense->quantity == QUANTITY_RATE)
		*world = along(feeling->rate, sense->axis);
	else if (sense->quantity == QUANTITY_ACCELERATION)
		*world = along(feeling->acceleration, sense->axis);
	else
		*world = along(feeling->angle, sense->axis);
}

/* As long as the body moves, and once when it has come to rest. */
static void feel_body(struct device *dev, nsec_t now)
{
	struct body *body = dev->board.body;
	struct feeling feeling;
	size_t i;

	if (!has_motion(dev))
		return;
	body_advance(body, now);
	body_feel(body, now, &feeling);
	for (i = 0; i < spec(dev)->sense_count; i++)
		feel_sense(dev, i, &feeling, now);
	dev->board.touched = nerve_touched(dev);
	if (now >= body->end)
		dev->board.felt = body->motions;
}

/* --- calibration --- */

static void calibrate(struct device *dev)
{
	u8 *bits = &dev->table[spec(dev)->calibrate];
	unsigned int bit = 0;
	size_t i;

	for (i = 0; i < spec(dev)->sense_count; i++) {
		const struct sense *sense = &dev->board.senses[i];

		if (!sense->offset)
			continue;
		if (*bits & 1 << bit)
			table_put_u16(dev->table, sense->offset,
				      measured(dev, sense));
		bit++;
	}
	*bits &= ~CALIBRATE_BITS;
}

static void advance(struct device *dev, nsec_t now)
{
	u16 addr = spec(dev)->calibrate;

	feel_body(dev, now);
	if (now <= dev->board.time)
		return;
	dev->board.time = now;
	if (addr && dev->table[addr] & CALIBRATE_BITS &&
	    now >= dev->board.calibrated_at)
		calibrate(dev);
	if (spec(dev)->sonar)
		sonar_advance(dev, now);
}

static void written(struct device *dev, const u8 *before,
		    const struct reach *reach)
{
	(void)before;
	if (spec(dev)->calibrate && reach->at[spec(dev)->calibrate])
		dev->board.calibrated_at = dev->board.time + CALIBRATION;
	if (spec(dev)->sonar && reach->at[spec(dev)->sonar])
		sonar_begin(dev, dev->board.time);
}

/* --- the rest --- */

/* Each is at rest, or as its item's initial value says; nobody has plugged in more than the kit. */
static void assemble(struct device *dev, nsec_t now)
{
	char problem[PORTS_PROBLEM];
	struct ports ports;
	size_t i;

	dev->board.time = now;
	dev->board.noisy = spec(dev)->noisy;
	for (i = 0; i < spec(dev)->sense_count; i++) {
		dev->board.senses[i] = spec(dev)->senses[i];
		board_set_count(dev, &dev->board.senses[i],
				item_of(dev, &dev->board.senses[i])->init);
	}
	if (spec(dev)->kit && ports_read(&ports, spec(dev), spec(dev)->kit, problem))
		ports_plug(dev, &ports);
}

static void power_on(struct device *dev, nsec_t now)
{
	dev->board.time = now;
	dev->board.captured_at = NSEC_NEVER;
}

static enum refusal check(const struct device *dev, const u8 *table,
			  const struct reach *reach)
{
	u16 sonar = spec(dev)->sonar;

	if (sonar && reach->at[sonar] && !sonar_has_mode(table[sonar]))
		return REFUSED_RANGE;

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
