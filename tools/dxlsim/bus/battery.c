// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "battery.h"
#include "bus.h"
#include "pack_status.h"

#define TICK		(20 * NSEC_PER_MSEC)

/* From here on a gauge can tell how much it takes when it is full. */
#define GAUGE_LEAST	0.1

/* Of a cell without load, V, a tenth of the charge apart; our own, as is usual. */
static const double curve[] = {
	3.27, 3.69, 3.73, 3.77, 3.80, 3.84, 3.87, 3.95, 4.02, 4.11, 4.20,
};

#define TENTHS		(sizeof(curve) / sizeof(curve[0]) - 1)

static double cell_voltage(double charge)
{
	size_t below = fmin(charge * TENTHS, TENTHS - 1);

	return curve[below] + (curve[below + 1] - curve[below]) *
			      (charge * TENTHS - below);
}

double battery_voltage(const struct battery *battery)
{
	const struct pack *pack = battery->pack;

	return pack->cells * cell_voltage(battery->charge) -
	       battery->current * pack->resistance;
}

static void supply(struct device *dev, int tenths)
{
	const struct item *item = model_layout(dev->model)->supply;

	if (item)
		dev->model->ops->poke(dev, item, tenths);
}

static void show(struct device *dev, const char *name, double value)
{
	const struct item *item = model_item_named(dev->model, name);

	if (item)
		dev->model->ops->poke(dev, item, lround(value));
}

static void show_status(struct device *dev, const struct battery *battery)
{
	const struct item *item = model_item_named(dev->model, "status");
	u16 before = board_world(dev, board_sense(dev, item->addr));

	show(dev, "status", dev->model->board->gauge ? pack_status_sanyo(battery, before) :
						       pack_status_bmz(battery, before));
}

static void show_left(struct device *dev, const struct battery *battery)
{
	double left = 1000 * battery->charge * battery->pack->capacity / 3600;

	show(dev, "remaining_capacity", left);
	if (dev->model->board->gauge && battery->charge >= GAUGE_LEAST)
		show(dev, "full_charge_capacity", left / battery->charge);
}

/* What a board in the battery tells of it, when it is time to do so. */
static void show_pack(struct device *dev, const struct battery *battery)
{
	nsec_t renews = dev->model->board ? dev->model->board->renews : 0;
	double cell = 1000 * battery_voltage(battery) / battery->pack->cells;

	if (!renews || (battery->next - battery->first) % renews)
		return;
	show(dev, "charge", 1000 * battery->charge);
	show(dev, "current", -1000 * battery->current);
	show(dev, "cell_voltage_max", cell);
	show(dev, "cell_voltage_min", cell);
	show_left(dev, battery);
	show_status(dev, battery);
}

static void supply_all(struct bus *bus)
{
	size_t i;

	for (i = 0; i < bus->device_count; i++) {
		supply(&bus->devices[i], lround(10 * battery_voltage(&bus->battery)));
		show_pack(&bus->devices[i], &bus->battery);
	}
}

static void supply_from_mains(struct device *dev)
{
	const struct item *item = model_layout(dev->model)->supply;

	if (item)
		supply(dev, dev->model->servo ? dev->model->servo->supply :
						item->init);
}

/* What a device has drawn since it was asked last, As. */
static double drawn_by(struct device *dev, const struct pack *pack, nsec_t now)
{
	double full;

	if (!dev->model->servo)
		return 0;
	dev->model->ops->advance(dev, now);
	full = dev->servo.full_seconds;
	dev->servo.full_seconds = 0;

	return full * pack->full_load +
	       (dev->starved ? 0 : pack->idle * TICK / NSEC_PER_SEC);
}

static double drawn(struct bus *bus, nsec_t now)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < bus->device_count; i++)
		sum += drawn_by(&bus->devices[i], &bus->body.robot->pack, now);

	return sum;
}

static void tick(struct bus *bus)
{
	struct battery *battery = &bus->battery;
	const struct pack *pack = battery->pack;
	const double seconds = (double)TICK / NSEC_PER_SEC;
	double current = drawn(bus, battery->next) / seconds;
	double before = battery->charge;

	if (battery->charger)
		current -= pack->charger;
	battery->charge = fmin(fmax(before - current * seconds / pack->capacity,
				    0), 1);
	/* A full one takes no more. */
	battery->current = battery->charge < 1 ? current : fmax(current, 0);
	battery->next += TICK;
	supply_all(bus);
}

/* What servos have drawn before is not drawn from it. */
void battery_use(struct bus *bus, double charge, nsec_t now)
{
	drawn(bus, now);
	bus->battery = (struct battery){
		.used = true, .pack = &bus->body.robot->pack,
		.charge = charge, .first = now + TICK, .next = now + TICK,
	};
	supply_all(bus);
}

void battery_remove(struct bus *bus, nsec_t now)
{
	size_t i;

	drawn(bus, now);
	bus->battery = (struct battery){ 0 };
	for (i = 0; i < bus->device_count; i++)
		supply_from_mains(&bus->devices[i]);
}

nsec_t battery_due(const struct bus *bus)
{
	return bus->battery.used ? bus->battery.next : NSEC_NEVER;
}

void battery_play(struct bus *bus, nsec_t now)
{
	while (battery_due(bus) <= now)
		tick(bus);
}
