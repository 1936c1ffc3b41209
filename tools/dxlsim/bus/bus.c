// SPDX-License-Identifier: GPL-2.0-or-later
/* The bus: who is on it, what is on the line, and what comes of it. */
#include <string.h>

#include "../devices/devices.h"
#include "send.h"

/* Restart the random choices of the faults, and the noise of the boards. */
void bus_seed(struct bus *bus, uint64_t seed)
{
	size_t i;

	faults_seed(&bus->faults, seed);
	bus->seed = seed;
	for (i = 0; i < bus->device_count; i++)
		bus->devices[i].board.seed = seed;
}

void bus_init(struct bus *bus, unsigned int baud)
{
	memset(bus, 0, sizeof(*bus));
	bus->baud = baud;
	bus_seed(bus, 0);
	body_init(&bus->body);
	dxl_decoder_init(&bus->decoder, DXL_INSTRUCTION, bus->rx_buf,
			 sizeof(bus->rx_buf));
}

/* --- devices --- */

static struct device *next_device(struct bus *bus)
{
	if (bus->device_count == BUS_DEVICES_MAX)
		return NULL;
	memset(&bus->stations[bus->device_count], 0, sizeof(bus->stations[0]));

	return &bus->devices[bus->device_count++];
}

static void introduce(struct bus *bus, struct device *dev)
{
	dev->board.body = &bus->body;
	dev->board.seed = bus->seed;
	dev->board.fellows = bus->devices;
	dev->board.fellow_count = &bus->device_count;
}

struct device *bus_add(struct bus *bus, const struct model *model, u8 id,
		       const char *label, nsec_t now)
{
	struct device *dev = next_device(bus);

	if (!dev)
		return NULL;
	device_init(dev, model, id, bus->baud, label, now);
	introduce(bus, dev);
	if (model->robot)
		bus->body.robot = model->robot;
	bus_feed(bus, now);

	return dev;
}

static void stand_up(struct bus *bus, struct world *world)
{
	const struct physique *physique = world_physique(world);
	double angles[LINKS_MAX] = { 0 };
	size_t i, j;

	for (i = 0; i < bus->device_count; i++)
		for (j = 0; bus->devices[i].servo.limb.world && j < physique->count; j++)
			if (!strcmp(physique->links[j].servo, bus->devices[i].label))
				angles[j] = limb_angle(&bus->devices[i]);
	world_place(world, angles);
}

/*
 * Have the devices be in this body; it stands as the servos' shafts are. How many servos
 * turn joints of it: the others turn freely, and joints without one are stiff.
 */
size_t bus_embody(struct bus *bus, struct world *world)
{
	size_t i, joints = 0;

	for (i = 0; i < bus->device_count; i++)
		joints += limb_attach(&bus->devices[i], world);
	bus->body.world = world;
	stand_up(bus, world);

	return joints;
}

/* Put a second device with the ID of @dev onto the bus. */
bool bus_add_twin(struct bus *bus, const struct device *dev, nsec_t now)
{
	char label[LABEL_MAX];
	struct device *twin = next_device(bus);

	if (!twin)
		return false;

	snprintf(label, sizeof(label), "%.*s~", LABEL_MAX - 2, dev->label);
	device_init(twin, dev->model, device_id(dev), bus->baud, label, now);
	introduce(bus, twin);
	memcpy(twin->board.senses, dev->board.senses, sizeof(twin->board.senses));
	memcpy(twin->board.world, dev->board.world, sizeof(twin->board.world));
	bus->stations[bus->device_count - 1].twin = true;

	return true;
}

static void remove_device(struct bus *bus, size_t at)
{
	size_t behind = --bus->device_count - at;

	memmove(&bus->devices[at], &bus->devices[at + 1],
		behind * sizeof(bus->devices[0]));
	memmove(&bus->stations[at], &bus->stations[at + 1],
		behind * sizeof(bus->stations[0]));
}

void bus_remove_twins(struct bus *bus, u8 id)
{
	size_t at = bus->device_count;

	while (at--)
		if (bus->stations[at].twin && device_id(&bus->devices[at]) == id)
			remove_device(bus, at);
}

static struct station *station_of(struct bus *bus, const struct device *dev)
{
	return &bus->stations[dev - bus->devices];
}

void bus_deafen(struct bus *bus, struct device *dev, nsec_t until)
{
	struct station *station = station_of(bus, dev);

	if (station->deaf_until < until)
		station->deaf_until = until;
}

/* --- the adapter --- */

void bus_unplug(struct bus *bus, nsec_t until)
{
	bus_hang_up(bus);
	bus->unplugged_until = until;
}

void bus_plug(struct bus *bus)
{
	bus->unplugged_until = 0;
}

bool bus_unplugged(const struct bus *bus, nsec_t now)
{
	return now < bus->unplugged_until;
}

/* --- the line --- */

static void recount(struct bus *bus, struct talk *talk)
{
	struct counts *counts = &bus->stats.id[talk->id];

	if (!talk->good || !talk->damaged)
		return;
	talk->good = false;
	counts->of[COUNT_GOOD]--;
	counts->of[COUNT_DAMAGED]++;
}

/* What was good may have been cut since. */
static void recount_all(struct bus *bus)
{
	unsigned int i;

	for (i = 0; i < LINE_TALKS; i++)
		recount(bus, &bus->line.talk[i]);
}

static void count_collision(struct bus *bus, struct talk *talk)
{
	if (!talk->collided)
		bus->stats.id[talk->id].of[COUNT_COLLISIONS]++;
	talk->collided = true;
	recount(bus, talk);
}

/* Put a byte onto the line; what is heard of it. */
u8 bus_put(struct bus *bus, const struct line_byte *byte)
{
	struct clash clash = line_put(&bus->line, byte);
	unsigned int i;

	for (i = 0; i < clash.count; i++)
		count_collision(bus, &bus->line.talk[clash.talk[i]]);
	if (clash.count)
		count_collision(bus, &bus->line.talk[byte->talk]);

	return clash.value;
}

/* A device's answer is on the line. */
void bus_sent(struct bus *bus, u16 number, size_t len, bool damaged)
{
	struct talk *talk = &bus->line.talk[number];
	struct counts *counts = &bus->stats.id[talk->id];

	talk->damaged |= damaged;
	talk->good = !talk->damaged;
	counts->of[COUNT_SENT]++;
	counts->of[talk->good ? COUNT_GOOD : COUNT_DAMAGED]++;
	bus->stats.tx_bytes += len;
}

/* --- power --- */

static void restart(struct bus *bus, struct device *dev, nsec_t now)
{
	struct station *station = station_of(bus, dev);

	line_cut(&bus->line, dev - bus->devices, now);
	recount_all(bus);
	device_power_cycle(dev, now);
	station->sending_until = 0;
	station->turn_until = 0;
}

/* With several boards that switch the supply, one does for all. */
static bool supplied(const struct bus *bus)
{
	bool switched = false;
	size_t i;

	for (i = 0; i < bus->device_count; i++) {
		const struct device *dev = &bus->devices[i];
		const struct board_spec *board = dev->model->board;

		if (!board || !board->power)
			continue;
		if (dev->table[board->power])
			return true;
		switched = true;
	}

	return !switched;
}

static bool takes_supply(const struct device *dev)
{
	return !dev->model->board || dev->model->board->fed;
}

/* To be told after whatever may have switched the supply. */
void bus_feed(struct bus *bus, nsec_t now)
{
	bool starved = !supplied(bus);
	size_t i;

	for (i = 0; i < bus->device_count; i++) {
		struct device *dev = &bus->devices[i];

		if (!takes_supply(dev) || dev->starved == starved)
			continue;
		dev->starved = starved;
		restart(bus, dev, now);
	}
}

/* The device switches itself off and on; what it was sending breaks off. */
void bus_reset_device(struct bus *bus, struct device *dev, nsec_t now)
{
	restart(bus, dev, now);
	bus_feed(bus, now);
}

/* Take bytes that are due into @bytes (LINE_BYTES); 0 if there are none. */
size_t bus_send(struct bus *bus, u8 *bytes, nsec_t now)
{
	size_t len;

	chain_run(bus, now);
	len = line_take(&bus->line, now, bytes);
	bus->stats.delivered_bytes += len;

	return len;
}

nsec_t bus_due(const struct bus *bus)
{
	nsec_t chain = chain_due(&bus->chain);
	nsec_t line = line_due(&bus->line);

	return chain < line ? chain : line;
}

/* The controller has gone: what was under way concerns nobody any more. */
void bus_hang_up(struct bus *bus)
{
	dxl_decoder_reset(&bus->decoder);
	bus->hearing.open = false;
	chain_abandon(&bus->chain);
	line_clear(&bus->line);
	recount_all(bus);
}

uint64_t bus_count(const struct bus *bus, enum count count)
{
	uint64_t sum = 0;
	unsigned int id;

	for (id = 0; id < BUS_IDS; id++)
		sum += bus->stats.id[id].of[count];

	return sum;
}

void bus_clear_stats(struct bus *bus)
{
	size_t i;

	memset(&bus->stats, 0, sizeof(bus->stats));
	faults_clear_counts(&bus->faults);
	for (i = 0; i < bus->device_count; i++)
		device_forget_goals(&bus->devices[i]);
}
