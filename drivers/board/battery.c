// SPDX-License-Identifier: GPL-2.0
/*
 * The battery behind a board, as a power supply
 *
 * Its registers are read together, and anew only when they are old: one uevent asks
 * for every property. It is sent only if each property that cannot be told says so
 * with ENODEV or ENODATA. What users are told changes of is polled once a second. A
 * battery that is lost is one that is not present.
 *
 * The battery's lock is held while its registers are read, and the board's is taken in
 * it. The poll is set up behind the power supply, so it has ended when that goes.
 */
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/devm-helpers.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/power_supply.h>
#include <linux/property.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "board.h"

#define POLL_MS		1000
#define FRESH_MS	500

#define SERIAL_SIZE	24

#define MICRO_PER_MILLI	1000

/* Which of both an alarm means that says that it is too hot or too cold, 0.1 C. */
#define COLD		200

/* Its registers, from the pack's first. */
enum {
	REG_STATUS	= 0,
	REG_CHARGE	= 2,
	REG_CURRENT	= 4,
	REG_CELL_MAX	= 6,
	REG_CELL_MIN	= 8,
	REG_TEMPERATURE	= 10,
	REG_FULL	= 12,
	REG_REMAINING	= 14,
	REGS_SIZE	= 16,
};

/**
 * struct news - what users are told of a change of
 * @present: whether the battery answers
 * @status: what it does, of &enum power_supply_status
 * @health: how it is
 * @level: how full it is, roughly
 * @capacity: how full it is, in percent
 */
struct news {
	int present;
	int status;
	int health;
	int level;
	int capacity;
};

/**
 * struct dxl_board_battery - a battery
 * @board: the board
 * @psy: its power supply
 * @desc: what that is
 * @poll: looks for news
 * @lock: guards the following
 * @regs: what its registers have held
 * @read_at: when they were read, in jiffies
 * @known: that was at all
 * @serial: its serial number
 * @told: the last news; of @poll alone
 */
struct dxl_board_battery {
	struct dxl_board *board;
	struct power_supply *psy;
	struct power_supply_desc desc;
	struct delayed_work poll;
	struct mutex lock; /* see above */
	u8 regs[REGS_SIZE];
	unsigned long read_at;
	bool known;
	u8 serial[SERIAL_SIZE + 1];
	struct news told;
};

static const struct dxl_board_pack *
pack_of(const struct dxl_board_battery *battery)
{
	return dxl_board_layout(battery->board)->pack;
}

/* --- its registers --- */

static bool are_fresh(const struct dxl_board_battery *battery)
{
	lockdep_assert_held(&battery->lock);

	return battery->known &&
	       time_before(jiffies,
			   battery->read_at + msecs_to_jiffies(FRESH_MS));
}

/* Take a copy of them: what is told of one moment is to fit together. */
static int read_regs(struct dxl_board_battery *battery, u8 *regs)
{
	int ret;

	guard(mutex)(&battery->lock);

	if (!are_fresh(battery)) {
		battery->known = false;
		ret = dxl_board_read(battery->board, pack_of(battery)->addr,
				     battery->regs, REGS_SIZE);
		if (ret)
			return ret;
		battery->read_at = jiffies;
		battery->known = true;
	}
	memcpy(regs, battery->regs, REGS_SIZE);

	return 0;
}

/* It may be another battery by now; whoever looks at the last one finds an end. */
static int read_serial(struct dxl_board_battery *battery,
		       union power_supply_propval *val)
{
	guard(mutex)(&battery->lock);

	val->strval = battery->serial;

	return dxl_board_read(battery->board, pack_of(battery)->serial_addr,
			      battery->serial, SERIAL_SIZE);
}

/* --- what they mean --- */

static int current_of(const u8 *regs)
{
	return (s16)get_unaligned_le16(regs + REG_CURRENT);
}

static int temperature_of(const u8 *regs)
{
	return (s16)get_unaligned_le16(regs + REG_TEMPERATURE);
}

static bool is_charging(const struct dxl_board_pack *pack, const u8 *regs,
			u16 status)
{
	return pack->charging ? status & pack->charging : current_of(regs) > 0;
}

static bool is_discharging(const struct dxl_board_pack *pack, const u8 *regs,
			   u16 status)
{
	return pack->discharging ? status & pack->discharging :
				   current_of(regs) < 0;
}

/* One that has been full may stay so by its flags while it is used. */
static int status_of(const struct dxl_board_pack *pack, const u8 *regs)
{
	u16 status = get_unaligned_le16(regs + REG_STATUS);

	if (is_discharging(pack, regs, status))
		return POWER_SUPPLY_STATUS_DISCHARGING;
	if (status & pack->full)
		return POWER_SUPPLY_STATUS_FULL;
	if (is_charging(pack, regs, status))
		return POWER_SUPPLY_STATUS_CHARGING;

	return POWER_SUPPLY_STATUS_NOT_CHARGING;
}

static int health_of(const struct dxl_board_pack *pack, const u8 *regs)
{
	u16 status = get_unaligned_le16(regs + REG_STATUS);

	if (status & pack->temperature)
		return temperature_of(regs) < COLD ?
		       POWER_SUPPLY_HEALTH_COLD : POWER_SUPPLY_HEALTH_OVERHEAT;
	if (status & pack->overcurrent)
		return POWER_SUPPLY_HEALTH_OVERCURRENT;
	if (status & pack->overcharge)
		return POWER_SUPPLY_HEALTH_OVERVOLTAGE;
	if (status & pack->failure)
		return POWER_SUPPLY_HEALTH_UNSPEC_FAILURE;

	return POWER_SUPPLY_HEALTH_GOOD;
}

static int level_of(const struct dxl_board_pack *pack, const u8 *regs)
{
	u16 status = get_unaligned_le16(regs + REG_STATUS);

	if (status & pack->critical)
		return POWER_SUPPLY_CAPACITY_LEVEL_CRITICAL;
	if (status & pack->low)
		return POWER_SUPPLY_CAPACITY_LEVEL_LOW;
	if (status & pack->full)
		return POWER_SUPPLY_CAPACITY_LEVEL_FULL;

	return POWER_SUPPLY_CAPACITY_LEVEL_NORMAL;
}

/* Thousandths in percent. A gauge may count more than it has learnt that there can be. */
static int capacity_of(const u8 *regs)
{
	return min(DIV_ROUND_CLOSEST(get_unaligned_le16(regs + REG_CHARGE), 10), 100);
}

static int mean_cell(const u8 *regs)
{
	return (get_unaligned_le16(regs + REG_CELL_MIN) +
		get_unaligned_le16(regs + REG_CELL_MAX)) / 2;
}

/* --- a power supply --- */

/* The first is of one without a fuel gauge alone, the last are of one with it. */
static const enum power_supply_property properties[] = {
	POWER_SUPPLY_PROP_HEALTH,
	POWER_SUPPLY_PROP_PRESENT,
	POWER_SUPPLY_PROP_TECHNOLOGY,
	POWER_SUPPLY_PROP_STATUS,
	POWER_SUPPLY_PROP_CAPACITY,
	POWER_SUPPLY_PROP_CAPACITY_LEVEL,
	POWER_SUPPLY_PROP_CURRENT_NOW,
	POWER_SUPPLY_PROP_TEMP,
	POWER_SUPPLY_PROP_CHARGE_FULL,
	POWER_SUPPLY_PROP_CHARGE_NOW,
	POWER_SUPPLY_PROP_VOLTAGE_NOW,
	POWER_SUPPLY_PROP_MANUFACTURER,
	POWER_SUPPLY_PROP_SERIAL_NUMBER,
};

#define WITHOUT_GAUGE	9

static int measured(const struct dxl_board_pack *pack, const u8 *regs,
		    enum power_supply_property property)
{
	switch (property) {
	case POWER_SUPPLY_PROP_STATUS:
		return status_of(pack, regs);
	case POWER_SUPPLY_PROP_HEALTH:
		return health_of(pack, regs);
	case POWER_SUPPLY_PROP_CAPACITY:
		return capacity_of(regs);
	case POWER_SUPPLY_PROP_CAPACITY_LEVEL:
		return level_of(pack, regs);
	case POWER_SUPPLY_PROP_CURRENT_NOW:
		return current_of(regs) * MICRO_PER_MILLI;
	case POWER_SUPPLY_PROP_VOLTAGE_NOW:
		return mean_cell(regs) * pack->cells * MICRO_PER_MILLI;
	case POWER_SUPPLY_PROP_TEMP:
		return temperature_of(regs);
	case POWER_SUPPLY_PROP_CHARGE_FULL:
		return get_unaligned_le16(regs + REG_FULL) * MICRO_PER_MILLI;
	default: /* POWER_SUPPLY_PROP_CHARGE_NOW */
		return get_unaligned_le16(regs + REG_REMAINING) * MICRO_PER_MILLI;
	}
}

static int ask(struct dxl_board_battery *battery,
	       enum power_supply_property property,
	       union power_supply_propval *val)
{
	u8 regs[REGS_SIZE];
	int ret;

	if (property == POWER_SUPPLY_PROP_SERIAL_NUMBER)
		return read_serial(battery, val);

	ret = read_regs(battery, regs);
	if (!ret)
		val->intval = measured(pack_of(battery), regs, property);

	return ret;
}

static int battery_get(struct power_supply *psy,
		       enum power_supply_property property,
		       union power_supply_propval *val)
{
	struct dxl_board_battery *battery = power_supply_get_drvdata(psy);

	switch (property) {
	case POWER_SUPPLY_PROP_PRESENT:
		val->intval = !dxl_board_is_gone(battery->board);
		return 0;
	case POWER_SUPPLY_PROP_TECHNOLOGY:
		val->intval = POWER_SUPPLY_TECHNOLOGY_LION;
		return 0;
	case POWER_SUPPLY_PROP_MANUFACTURER:
		val->strval = pack_of(battery)->manufacturer;
		return 0;
	default:
		/* What it said a moment ago is not told of one that is gone. */
		if (dxl_board_is_gone(battery->board))
			return -ENODEV;
		return ask(battery, property, val) ? -ENODATA : 0;
	}
}

/* --- news --- */

/* An answer that is missing is none. */
static bool look_for_news(struct dxl_board_battery *battery, struct news *news)
{
	const struct dxl_board_pack *pack = pack_of(battery);
	u8 regs[REGS_SIZE];
	int ret;

	*news = battery->told;
	ret = read_regs(battery, regs);
	news->present = !dxl_board_is_gone(battery->board);
	if (!ret) {
		news->status = status_of(pack, regs);
		news->health = health_of(pack, regs);
		news->level = level_of(pack, regs);
		news->capacity = capacity_of(regs);
	}

	return memcmp(news, &battery->told, sizeof(*news));
}

static void poll_work(struct work_struct *work)
{
	struct dxl_board_battery *battery =
		container_of(to_delayed_work(work), struct dxl_board_battery,
			     poll);
	struct news news;

	if (look_for_news(battery, &news)) {
		battery->told = news;
		power_supply_changed(battery->psy);
	}
	schedule_delayed_work(&battery->poll, msecs_to_jiffies(POLL_MS));
}

/* --- life --- */

/* The class has one name only once, and robots of a kind have the same labels. */
static const char *name_of(const struct dxl_board *board)
{
	struct device *dev = &board->ddev->dev;

	if (!board->label)
		return dev_name(dev);

	return devm_kasprintf(dev, GFP_KERNEL, "%s-%s", board->label,
			      dev_name(dev));
}

static int describe(struct dxl_board_battery *battery)
{
	struct power_supply_desc *desc = &battery->desc;

	desc->name = name_of(battery->board);
	if (!desc->name)
		return -ENOMEM;
	desc->type = POWER_SUPPLY_TYPE_BATTERY;
	desc->get_property = battery_get;
	/* A zone without trips is of no use, and would limit the name's length. */
	desc->no_thermal = true;
	desc->properties = properties;
	desc->num_properties = WITHOUT_GAUGE;
	if (pack_of(battery)->serial_addr) {
		desc->properties++;
		desc->num_properties = ARRAY_SIZE(properties) - 1;
	}

	return 0;
}

/**
 * dxl_board_add_battery() - register the battery behind a board, if there is one
 * @board: the board
 *
 * Return: 0 or a negative errno
 */
int dxl_board_add_battery(struct dxl_board *board)
{
	struct device *dev = &board->ddev->dev;
	struct dxl_board_battery *battery;
	struct power_supply_config config = {};
	int ret;

	if (!dxl_board_layout(board)->pack)
		return 0;

	battery = devm_kzalloc(dev, sizeof(*battery), GFP_KERNEL);
	if (!battery)
		return -ENOMEM;

	battery->board = board;
	ret = devm_mutex_init(dev, &battery->lock);
	if (ret)
		return ret;

	ret = describe(battery);
	if (ret)
		return ret;
	config.drv_data = battery;
	config.fwnode = dev_fwnode(dev);
	battery->psy = devm_power_supply_register(dev, &battery->desc, &config);
	if (IS_ERR(battery->psy))
		return PTR_ERR(battery->psy);

	ret = devm_delayed_work_autocancel(dev, &battery->poll, poll_work);
	if (!ret)
		schedule_delayed_work(&battery->poll, 0);

	return ret;
}
