// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the batteries behind boards, which are in memory
 */
#include <linux/bits.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/notifier.h>
#include <linux/power_supply.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "fake_servo.h"

#define ID		206

#define REG_STATUS	24
#define REG_CHARGE	26
#define REG_CURRENT	28
#define REG_CELL_MAX	30
#define REG_CELL_MIN	32
#define REG_TEMPERATURE	34
#define REG_FULL	36
#define REG_REMAINING	38
#define REG_SERIAL	48

/* Longer than what has been read counts as fresh, and than a look for news takes. */
#define STALE_MS	550
#define NEWS_MS		1500

struct battery_case {
	const char *name;
	u16 number;
	bool is_gauge;
};

static const struct battery_case cases[] = {
	{ "nao-battery-bmz", 0x4e20, false },
	{ "nao-battery-sanyo", 0x4e21, true },
};

static void case_desc(const struct battery_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(battery, cases, case_desc);

static struct fake_device *fake(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	return &f->line->devices[0];
}

static void give_back(void *psy)
{
	power_supply_put(psy);
}

/* One that is charged to two thirds, and rests. */
static struct power_supply *bind_as(struct kunit *test,
				    const struct battery_case *c)
{
	struct fake_servos *f = fake_servos_create(test, NULL);
	struct power_supply *psy;
	struct fake_device *dev;
	char text[48];
	ssize_t len;

	dev = fake_line_device(f->line, ID, DXL_PROTOCOL_2);
	put_le16(dev->table, c->number);
	dev->table[16] = DXL_ANSWERS_ALL;
	put_le16(dev->table + REG_CHARGE, 666);
	fake_line_add(test, f->line);
	len = snprintf(text, sizeof(text), "naohw,%s %u Battery", c->name, ID);
	KUNIT_ASSERT_EQ(test,
			dev_attr_store(dxl_bus_dev(f->line->bus), "new_device",
				       text), len);
	wait_for_device_probe();
	/* Of bus dxlN it is N. */
	snprintf(text, sizeof(text), "Battery-%s-%03u",
		 dev_name(dxl_bus_dev(f->line->bus)) + strlen("dxl"), ID);
	psy = power_supply_get_by_name(text);
	KUNIT_ASSERT_NOT_NULL(test, psy);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, give_back, psy),
			0);
	/* Its uevent asks for all properties, which a test is not to be beside. */
	flush_delayed_work(&psy->deferred_register_work);
	flush_work(&psy->changed_work);

	return psy;
}

static struct power_supply *bind(struct kunit *test)
{
	return bind_as(test, test->param_value);
}

static int get(struct kunit *test, struct power_supply *psy,
	       enum power_supply_property property)
{
	union power_supply_propval val = {};
	int ret = power_supply_get_property(psy, property, &val);

	return ret ?: val.intval;
}

/* What it measures, read anew. */
static int get_now(struct kunit *test, struct power_supply *psy,
		   enum power_supply_property property)
{
	msleep(STALE_MS);

	return get(test, psy, property);
}

static void expect_text(struct kunit *test, struct power_supply *psy,
			enum power_supply_property property, const char *text)
{
	union power_supply_propval val;

	KUNIT_ASSERT_EQ(test, power_supply_get_property(psy, property, &val),
			0);
	KUNIT_EXPECT_STREQ(test, val.strval, text);
}

static void battery_measures(struct kunit *test)
{
	const struct battery_case *c = test->param_value;
	struct power_supply *psy = bind(test);
	u8 *table = fake(test)->table;

	put_le16(table + REG_CHARGE, 995);
	put_le16(table + REG_CURRENT, -6000);
	put_le16(table + REG_CELL_MAX, 4150);
	put_le16(table + REG_CELL_MIN, 4148);
	put_le16(table + REG_TEMPERATURE, -105);
	put_le16(table + REG_FULL, 2150);
	put_le16(table + REG_REMAINING, 2139);
	strscpy(table + REG_SERIAL, "ALDE000039___PD00100600", 24);

	KUNIT_EXPECT_EQ(test, get_now(test, psy, POWER_SUPPLY_PROP_CAPACITY),
			100);
	/* More than its gauge has learnt that there can be. */
	put_le16(table + REG_CHARGE, 1080);
	KUNIT_EXPECT_EQ(test, get_now(test, psy, POWER_SUPPLY_PROP_CAPACITY),
			100);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_CURRENT_NOW),
			-6000000);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_TEMP), -105);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_CHARGE_FULL),
			2150000);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_PRESENT), 1);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_TECHNOLOGY),
			POWER_SUPPLY_TECHNOLOGY_LION);
	if (!c->is_gauge) {
		KUNIT_EXPECT_EQ(test,
				get(test, psy, POWER_SUPPLY_PROP_CHARGE_NOW),
				-EINVAL);
		return;
	}

	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_HEALTH),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_CHARGE_NOW),
			2139000);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_VOLTAGE_NOW),
			4149 * 6 * 1000);
	expect_text(test, psy, POWER_SUPPLY_PROP_MANUFACTURER, "SANYO");
	expect_text(test, psy, POWER_SUPPLY_PROP_SERIAL_NUMBER,
		    "ALDE000039___PD00100600");
}

/* A serial number that fills its registers has no end there. */
static void battery_long_serial(struct kunit *test)
{
	struct power_supply *psy = bind_as(test, &cases[1]);

	memset(fake(test)->table + REG_SERIAL, 'X', 32);
	expect_text(test, psy, POWER_SUPPLY_PROP_SERIAL_NUMBER,
		    "XXXXXXXXXXXXXXXXXXXXXXXX");
}

/* --- its status --- */

#define NOT_CHARGING	POWER_SUPPLY_STATUS_NOT_CHARGING
#define NORMAL		POWER_SUPPLY_CAPACITY_LEVEL_NORMAL
#define GOOD		POWER_SUPPLY_HEALTH_GOOD

/* What each bit of a BMZ alone means. */
static const struct {
	int status, level, health;
} bmz_bits[] = {
	[0] = { NOT_CHARGING, POWER_SUPPLY_CAPACITY_LEVEL_CRITICAL, GOOD },
	[1] = { NOT_CHARGING, POWER_SUPPLY_CAPACITY_LEVEL_LOW, GOOD },
	[2] = { NOT_CHARGING, NORMAL, GOOD },
	[3] = { NOT_CHARGING, NORMAL, GOOD },
	[4] = { NOT_CHARGING, NORMAL, GOOD },
	[5] = { POWER_SUPPLY_STATUS_DISCHARGING, NORMAL, GOOD },
	[6] = { POWER_SUPPLY_STATUS_FULL, POWER_SUPPLY_CAPACITY_LEVEL_FULL,
		GOOD },
	[7] = { POWER_SUPPLY_STATUS_CHARGING, NORMAL, GOOD },
	[8] = { NOT_CHARGING, NORMAL, POWER_SUPPLY_HEALTH_COLD },
	[9] = { NOT_CHARGING, NORMAL, POWER_SUPPLY_HEALTH_OVERVOLTAGE },
	[10] = { NOT_CHARGING, NORMAL, POWER_SUPPLY_HEALTH_UNSPEC_FAILURE },
	[11] = { NOT_CHARGING, NORMAL, POWER_SUPPLY_HEALTH_OVERCURRENT },
	[12] = { NOT_CHARGING, NORMAL, POWER_SUPPLY_HEALTH_OVERCURRENT },
	[13] = { NOT_CHARGING, NORMAL, POWER_SUPPLY_HEALTH_OVERCURRENT },
	[14] = { NOT_CHARGING, NORMAL, POWER_SUPPLY_HEALTH_COLD },
	[15] = { NOT_CHARGING, NORMAL, GOOD },
};

static void battery_bmz_bits(struct kunit *test)
{
	struct power_supply *psy = bind_as(test, &cases[0]);
	unsigned int bit;

	for (bit = 0; bit < ARRAY_SIZE(bmz_bits); bit++) {
		put_le16(fake(test)->table + REG_STATUS, BIT(bit));
		KUNIT_EXPECT_EQ_MSG(test,
				    get_now(test, psy, POWER_SUPPLY_PROP_STATUS),
				    bmz_bits[bit].status, "bit %u", bit);
		KUNIT_EXPECT_EQ_MSG(test,
				    get(test, psy,
					POWER_SUPPLY_PROP_CAPACITY_LEVEL),
				    bmz_bits[bit].level, "bit %u", bit);
		KUNIT_EXPECT_EQ_MSG(test,
				    get(test, psy, POWER_SUPPLY_PROP_HEALTH),
				    bmz_bits[bit].health, "bit %u", bit);
	}

	/* What is too cold at 0 degrees is too hot at 60. */
	put_le16(fake(test)->table + REG_STATUS, BIT(14));
	put_le16(fake(test)->table + REG_TEMPERATURE, 600);
	KUNIT_EXPECT_EQ(test, get_now(test, psy, POWER_SUPPLY_PROP_HEALTH),
			POWER_SUPPLY_HEALTH_OVERHEAT);
}

/* An answer that is missing is no error that keeps a uevent from being sent. */
static void battery_silent(struct kunit *test)
{
	struct power_supply *psy = bind(test);

	fake(test)->silent = true;
	KUNIT_EXPECT_EQ(test, get_now(test, psy, POWER_SUPPLY_PROP_CAPACITY),
			-ENODATA);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_PRESENT), 1);
}

/* A Sanyo has few bits; its current tells whether it is charged. */
static void battery_sanyo_bits(struct kunit *test)
{
	static const int levels[] = {
		[4] = NORMAL,
		[5] = POWER_SUPPLY_CAPACITY_LEVEL_LOW,
		[6] = POWER_SUPPLY_CAPACITY_LEVEL_CRITICAL,
		[7] = POWER_SUPPLY_CAPACITY_LEVEL_FULL,
		[8] = NORMAL,
	};
	struct power_supply *psy = bind_as(test, &cases[1]);
	u8 *table = fake(test)->table;
	unsigned int bit;

	for (bit = 4; bit < ARRAY_SIZE(levels); bit++) {
		put_le16(table + REG_STATUS, BIT(bit));
		KUNIT_EXPECT_EQ_MSG(test,
				    get_now(test, psy,
					    POWER_SUPPLY_PROP_CAPACITY_LEVEL),
				    levels[bit], "bit %u", bit);
	}

	put_le16(table + REG_STATUS, 0);
	KUNIT_EXPECT_EQ(test, get_now(test, psy, POWER_SUPPLY_PROP_STATUS),
			NOT_CHARGING);
	put_le16(table + REG_CURRENT, 1);
	KUNIT_EXPECT_EQ(test, get_now(test, psy, POWER_SUPPLY_PROP_STATUS),
			POWER_SUPPLY_STATUS_CHARGING);
	put_le16(table + REG_STATUS, BIT(7));
	KUNIT_EXPECT_EQ(test, get_now(test, psy, POWER_SUPPLY_PROP_STATUS),
			POWER_SUPPLY_STATUS_FULL);
	/* It says so down to 90 percent. */
	put_le16(table + REG_CURRENT, -1);
	KUNIT_EXPECT_EQ(test, get_now(test, psy, POWER_SUPPLY_PROP_STATUS),
			POWER_SUPPLY_STATUS_DISCHARGING);
}

/* --- news --- */

static atomic_t news;

static int count_news(struct notifier_block *block, unsigned long event,
		      void *data)
{
	struct power_supply *psy = data;

	if (event == PSY_EVENT_PROP_CHANGED &&
	    !strncmp(psy->desc->name, "Battery-", strlen("Battery-")))
		atomic_inc(&news);

	return NOTIFY_OK;
}

static struct notifier_block counter = { .notifier_call = count_news };

static void stop_counting(void *unused)
{
	power_supply_unreg_notifier(&counter);
}

/* Count news from now on, when the first have been told. */
static void count(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, power_supply_reg_notifier(&counter), 0);
	KUNIT_ASSERT_EQ(test,
			kunit_add_action_or_reset(test, stop_counting, NULL),
			0);
	msleep(2 * NEWS_MS);
	atomic_set(&news, 0);
}

/* They come when they come; more than one would be seen by who expects none. */
static void expect_news(struct kunit *test)
{
	unsigned int ms;

	for (ms = 0; ms < FAKE_PATIENCE_MS && !atomic_read(&news); ms += 20)
		msleep(20);
	KUNIT_EXPECT_EQ(test, atomic_xchg(&news, 0), 1);
}

static void expect_none(struct kunit *test)
{
	msleep(NEWS_MS);
	KUNIT_EXPECT_EQ(test, atomic_xchg(&news, 0), 0);
}

static void battery_news(struct kunit *test)
{
	u8 *table;

	bind(test);
	table = fake(test)->table;
	count(test);

	put_le16(table + REG_CHARGE, 656);
	expect_news(test);
	put_le16(table + REG_STATUS, BIT(6));
	expect_news(test);
	/* What moves all the time is none. */
	put_le16(table + REG_CHARGE, 657);
	put_le16(table + REG_TEMPERATURE, 333);
	expect_none(test);
	/* Nor is an answer that is missing. */
	fake(test)->silent = true;
	expect_none(test);
	fake(test)->silent = false;
	expect_none(test);
}

static void battery_lost(struct kunit *test)
{
	struct power_supply *psy = bind(test);
	struct dxl_device *ddev = servo_device(test, ID);

	count(test);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_CAPACITY), 67);
	servo_lose(fake(test), ddev);
	/* However fresh what it said is. */
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_CAPACITY),
			-ENODEV);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_PRESENT), 0);
	expect_news(test);
	servo_find_again(fake(test), ddev);
	expect_news(test);
	KUNIT_EXPECT_EQ(test, get(test, psy, POWER_SUPPLY_PROP_CAPACITY), 67);
}

/* Somebody who asks for all of it asks the battery once. */
static void battery_asked_once(struct kunit *test)
{
	struct power_supply *psy = bind(test);
	struct fake_servos *f = test->priv;
	unsigned int i;
	u64 packets;

	get_now(test, psy, POWER_SUPPLY_PROP_STATUS);
	packets = fake_line_stat(f->line, DXL_STAT_PACKETS);
	for (i = 0; i < 20; i++)
		get(test, psy, POWER_SUPPLY_PROP_CURRENT_NOW);
	/* On a slow machine that takes longer than what is known is fresh. */
	KUNIT_EXPECT_LE(test,
			fake_line_stat(f->line, DXL_STAT_PACKETS) - packets, 5);
}

static struct kunit_case battery_test_cases[] = {
	KUNIT_CASE_PARAM(battery_measures, battery_gen_params),
	KUNIT_CASE(battery_long_serial),
	KUNIT_CASE_PARAM(battery_silent, battery_gen_params),
	KUNIT_CASE_SLOW(battery_bmz_bits),
	KUNIT_CASE_SLOW(battery_sanyo_bits),
	{ .run_case = battery_news, .name = "battery_news",
	  .generate_params = battery_gen_params,
	  .attr = { .speed = KUNIT_SPEED_SLOW } },
	{ .run_case = battery_lost, .name = "battery_lost",
	  .generate_params = battery_gen_params,
	  .attr = { .speed = KUNIT_SPEED_SLOW } },
	KUNIT_CASE_PARAM(battery_asked_once, battery_gen_params),
	{}
};

static struct kunit_suite battery_suite = {
	.name = "dxl_battery",
	.test_cases = battery_test_cases,
};

kunit_test_suite(battery_suite);
