// SPDX-License-Identifier: GPL-2.0-or-later
/* What must hold for every model, whatever its control table has. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../devices/table.h"
#include "../instructions/instructions.h"
#include "../models/models.h"

#define START	NSEC_PER_SEC

/* The manual's numbers, by the names that a device tree has for the models. */
static const struct {
	const char *compatible;
	u16 number;
	int protocol;
} known[] = {
	{ "robotis,ax-12", 12, 1 }, { "robotis,ax-18", 18, 1 },
	{ "robotis,rx-24f", 24, 1 }, { "robotis,rx-28", 28, 1 },
	{ "robotis,rx-64", 64, 1 }, { "robotis,ex-106", 107, 1 },
	{ "robotis,mx-12w", 360, 1 }, { "robotis,mx-28", 29, 1 },
	{ "robotis,mx-64", 310, 1 }, { "robotis,mx-106", 320, 1 },
	{ "robotis,mx-28-2", 30, 2 }, { "robotis,mx-64-2", 311, 2 },
	{ "robotis,mx-106-2", 321, 2 }, { "robotis,xl-320", 350, 2 },
	{ "robotis,xl430-w250", 1060, 2 }, { "robotis,xc430-w150", 1070, 2 },
	{ "robotis,xc430-w240", 1080, 2 }, { "robotis,xm430-w210", 1030, 2 },
	{ "robotis,xm430-w350", 1020, 2 }, { "robotis,xm540-w150", 1130, 2 },
	{ "robotis,xm540-w270", 1120, 2 }, { "robotis,xh430-w210", 1010, 2 },
	{ "robotis,xh430-w350", 1000, 2 }, { "robotis,xh430-v210", 1050, 2 },
	{ "robotis,xh430-v350", 1040, 2 }, { "robotis,xh540-w150", 1110, 2 },
	{ "robotis,xh540-w270", 1100, 2 }, { "robotis,xh540-v150", 1150, 2 },
	{ "robotis,xh540-v270", 1140, 2 },
	{ "robotis,cm-730", 0x7300, 1 }, { "robotis,cm-740", 0x7300, 1 },
	{ "robotis,opencr", 0x7400, 2 }, { "robotis,fsr", 0x0154, 1 },
	{ "robotis,cm-510", 0x0510, 1 },
	{ "naohw,nao-chest-board", 0x4e01, 2 },
	{ "naohw,nao-foot-board", 0x4e02, 2 },
	{ "naohw,nao-touch-board", 0x4e03, 2 },
	{ "naohw,nao-hand-touch", 0x4e04, 2 },
	{ "naohw,nao-face-board", 0x4e05, 2 },
	{ "naohw,nao-ear-leds", 0x4e06, 2 },
	{ "naohw,nao-battery-bmz", 0x4e20, 2 },
	{ "naohw,nao-battery-sanyo", 0x4e21, 2 },
	{ "naohw,nao-inertial-sensor", 0x4e07, 2 },
	{ "naohw,nao-motor", 0x4e10, 2 },
	{ "naohw,nao-us", 0x4e08, 2 },
	{ "naohw,pepper-fuse", 0x5001, 2 },
	{ "naohw,pepper-laser", 0x5002, 2 },
	{ "naohw,pepper-base", 0x5003, 2 },
};

#define KNOWN	(sizeof(known) / sizeof(known[0]))

static struct device *device_of(const struct model *model)
{
	struct device *dev = malloc(sizeof(*dev));

	assert_non_null(dev);
	device_init(dev, model, 7, 1000000, "Joint", START);

	return dev;
}

/* Says which model it was, where an assertion in it fails. */
static void each_model(void (*check)(const struct model *model))
{
	const struct model *model;
	size_t i;

	for (i = 0; (model = model_by_index(i)); i++) {
		print_message("%s\n", model->name);
		check(model);
	}
}

/* But for NAO's, which has tests of its own. */
static void each_servo(void (*check)(const struct model *model))
{
	const struct model *model;
	size_t i;

	for (i = 0; (model = model_by_index(i)); i++) {
		assert_true(!model->servo != !model->board);
		if (!model->servo || model == &model_nao_motor)
			continue;
		print_message("%s\n", model->name);
		check(model);
	}
}

static void the_list_is_complete(void **state)
{
	const struct model *model;
	size_t i, j;

	(void)state;
	for (i = 0; (model = model_by_index(i)); i++) {
		for (j = 0; j < KNOWN; j++)
			if (!strcmp(known[j].compatible, model->compatible))
				break;
		assert_in_range(j, 0, KNOWN - 1);
		assert_int_equal(model->number, known[j].number);
		assert_int_equal(model->protocol, known[j].protocol);
		assert_ptr_equal(model_named(model->name), model);
		/* One word, for the control socket. */
		assert_null(strchr(model->name, ' '));
	}
	assert_int_equal(i, KNOWN);
	assert_null(model_named("AX-13"));
}

/* --- the control table --- */

static void check_layout(const struct model *model)
{
	const struct layout *layout = model_layout(model);
	unsigned int end = 0;
	size_t i, j;

	for (i = 0; i < layout->count; i++) {
		const struct item *item = &layout->items[i];

		assert_true(item->addr >= end);
		assert_true(item->size == 1 || item->size == 2 ||
			    item->size == 4);
		end = item->addr + item->size;
		assert_true(strlen(item->name) > 0);
		for (j = 0; j < i; j++)
			assert_string_not_equal(layout->items[j].name,
						item->name);
		for (j = 0; j < item->size; j++)
			assert_ptr_equal(model_item_at(model, item->addr + j),
					 item);
		assert_ptr_equal(model_item_named(model, item->name), item);
	}
	assert_int_equal(end, model->table_size);
	assert_true(end <= TABLE_MAX);
}

static void no_items_overlap(void **state)
{
	(void)state;
	each_model(check_layout);
}

static void check_defaults(const struct model *model)
{
	const struct layout *layout = model_layout(model);
	size_t i;

	assert_int_equal(layout->items[0].init, model->number);
	for (i = 0; i < layout->count; i++) {
		const struct item *item = &layout->items[i];

		assert_true(item->min <= item->max);
		assert_in_range(item->init - (long)item->min, 0,
				item->max - (long)item->min);
		if (item->size == 1)
			assert_in_range(item->max, 0, 255);
		if (item->size == 2)
			assert_in_range(item->max, 0, 65535);
	}
}

static void defaults_are_in_range(void **state)
{
	(void)state;
	each_model(check_defaults);
}

static const char *const needed[] = {
	"model_number", "firmware_version", "id", "baud_rate",
	"return_delay_time", "status_return_level",
};

static const char *const needed_of_servos[] = {
	"shutdown", "torque_enable", "led", "goal_position",
	"present_position", "present_temperature", "moving",
};

static void check_needed(const struct model *model)
{
	const struct registers *registers = model->registers;
	size_t i;

	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		assert_non_null(model_item_named(model, needed[i]));
	assert_int_equal(registers->id, model_item_named(model, "id")->addr);
	assert_int_equal(registers->baud,
			 model_item_named(model, "baud_rate")->addr);
	assert_int_equal(registers->status_level,
			 model_item_named(model, "status_return_level")->addr);
	assert_int_equal(registers->firmware,
			 model_item_named(model, "firmware_version")->addr);
	assert_int_equal(registers->return_delay,
			 model_item_named(model, "return_delay_time")->addr);
}

static void every_model_has_the_common_items(void **state)
{
	(void)state;
	each_model(check_needed);
}

static void check_needed_of_servo(const struct model *model)
{
	size_t i;

	for (i = 0; i < sizeof(needed_of_servos) / sizeof(needed_of_servos[0]);
	     i++)
		assert_non_null(model_item_named(model, needed_of_servos[i]));
	assert_int_equal(model->registers->torque_enable,
			 model_item_named(model, "torque_enable")->addr);
}

static void every_servo_has_a_servos_items(void **state)
{
	(void)state;
	each_servo(check_needed_of_servo);
}

/* --- writing --- */

static enum refusal put(struct device *dev, const struct item *item, long value)
{
	const u8 data[] = { value, value >> 8, value >> 16, value >> 24 };

	return device_write(dev, (struct span){ item->addr, item->size }, data,
			    START);
}

/* Items whose values depend on others have tests of their own. */
static bool depends(const struct item *item)
{
	return !strncmp(item->name, "goal_", 5) ||
	       !strcmp(item->name, "moving_speed") ||
	       !strcmp(item->name, "operating_mode") ||
	       !strcmp(item->name, "torque_control_mode") ||
	       !strncmp(item->name, "indirect_data", 13);
}

static void check_item(const struct model *model, const struct item *item)
{
	struct device *dev = device_of(model);
	long most = item->size == 4 ? 0x7fffffffL :
				      (1L << (item->size * 8)) - 1;
	long least = -(1L << (item->size * 8 - 1));

	if (item->access == ACCESS_R) {
		assert_int_equal(put(dev, item, item->init), REFUSED_ACCESS);
		free(dev);
		return;
	}
	if (item->max < most && item->min >= 0)
		assert_int_equal(put(dev, item, item->max + 1L), REFUSED_RANGE);
	if (item->min && item->min > least)
		assert_int_equal(put(dev, item, item->min - 1L), REFUSED_RANGE);
	if (item->size > 1) {
		assert_int_equal(device_write(dev, (struct span){ item->addr, 1 },
					      (u8[]){ 0 }, START),
				 REFUSED_LENGTH);
	}
	if (!depends(item)) {
		assert_int_equal(put(dev, item, item->max), REFUSED_NOT);
		assert_int_equal(item_value(item, dev->table), item->max);
		device_init(dev, model, 7, 1000000, "Joint", START);
		assert_int_equal(put(dev, item, item->min), REFUSED_NOT);
		assert_int_equal(item_value(item, dev->table), item->min);
	}
	free(dev);
}

static void check_items(const struct model *model)
{
	const struct layout *layout = model_layout(model);
	size_t i;

	for (i = 0; i < layout->count; i++)
		check_item(model, &layout->items[i]);
}

static void every_item_keeps_its_rules(void **state)
{
	(void)state;
	each_model(check_items);
}

/* With Protocol 2.0 by torque, with 1.0 by Lock. */
static void check_lock(const struct model *model)
{
	struct device *dev = device_of(model);
	const struct item *limit = model_item_named(model, "temperature_limit");
	const struct item *lock = model_item_named(model, "lock");
	const struct item *torque = model_item_named(model, "torque_enable");

	assert_int_equal(put(dev, torque, 1), REFUSED_NOT);
	assert_int_equal(put(dev, limit, 50), lock ? REFUSED_NOT :
						     REFUSED_ACCESS);
	assert_int_equal(put(dev, torque, 0), REFUSED_NOT);
	assert_int_equal(put(dev, limit, 51), REFUSED_NOT);
	if (lock) {
		assert_int_equal(put(dev, lock, 1), REFUSED_NOT);
		assert_int_equal(put(dev, limit, 52), REFUSED_ACCESS);
	}
	assert_int_equal(item_value(limit, dev->table), 51);
	free(dev);
}

static void the_eeprom_can_be_locked(void **state)
{
	(void)state;
	each_servo(check_lock);
}

/* --- behaviour --- */

static int value(struct device *dev, const char *name, nsec_t now)
{
	return device_value(dev, model_item_named(dev->model, name), now);
}

static void check_motion(const struct model *model)
{
	struct device *dev = device_of(model);
	const struct item *goal = model_item_named(model, "goal_position");
	int middle = value(dev, "present_position", START);
	int there = middle + middle / 2;
	nsec_t now = START;
	int i;

	assert_int_equal(value(dev, "moving", now), 0);
	assert_int_equal(put(dev, model_item_named(model, "torque_enable"), 1),
			 REFUSED_NOT);
	assert_int_equal(put(dev, goal, there), REFUSED_NOT);
	now += 50 * NSEC_PER_MSEC;
	assert_int_equal(value(dev, "moving", now), 1);
	for (i = 0; i < 1000 && value(dev, "moving", now); i++)
		now += 10 * NSEC_PER_MSEC;
	assert_int_equal(value(dev, "moving", now), 0);
	assert_in_range(value(dev, "present_position", now), there - 1,
			there + 1);
	assert_int_equal(device_condition(dev, now), 0);
	free(dev);
}

static void every_servo_moves(void **state)
{
	(void)state;
	each_servo(check_motion);
}

static void check_power(const struct model *model)
{
	struct device *dev = device_of(model);
	const struct item *limit = model_item_named(model, "temperature_limit");
	const struct item *led = model_item_named(model, "led");

	assert_int_equal(dev->deaf_until, 0);
	assert_int_equal(put(dev, limit, 50), REFUSED_NOT);
	assert_int_equal(dev->deaf_until > START, model->eeprom_byte > 0);
	assert_int_equal(put(dev, led, 1), REFUSED_NOT);
	device_power_cycle(dev, START + NSEC_PER_SEC);
	assert_true(dev->deaf_until > START + NSEC_PER_SEC);
	assert_int_equal(item_value(limit, dev->table), 50);
	assert_int_equal(item_value(led, dev->table), 0);
	assert_int_equal(device_id(dev), 7);
	device_factory_reset(dev, KEEP_NOTHING, START + 2 * NSEC_PER_SEC);
	assert_int_equal(item_value(limit, dev->table), limit->init);
	assert_int_equal(device_id(dev), 1);
	free(dev);
}

static void every_servo_keeps_its_eeprom(void **state)
{
	(void)state;
	each_servo(check_power);
}

/* --- anything at all --- */

static const u8 codes[] = {
	0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x08, 0x10, 0x20, 0x82, 0x83, 0x8a,
	0x92, 0x93, 0x9a,
};

/* Mostly such as mean something, to places where something is. */
static size_t random_params(const struct model *model, u8 *params, uint64_t *seed)
{
	size_t len = random_below(seed, 24), i;

	for (i = 0; i < len; i++)
		params[i] = random_below(seed, 4) ? random_below(seed, 8) :
						    random_below(seed, 256);
	if (len > 3 && random_below(seed, 2)) {
		unsigned int addr = random_below(seed, model->table_size + 4);

		params[0] = addr;
		if (model->protocol == DXL_PROTOCOL_2)
			params[1] = addr >> 8;
	}

	return len;
}

static void check_random(const struct model *model)
{
	struct device *dev = device_of(model);
	static struct answer answer;
	uint64_t seed = model->number;
	nsec_t now = START;
	int i;

	for (i = 0; i < 10000; i++) {
		u8 params[32], code = codes[random_below(&seed, sizeof(codes))];
		struct dxl_packet packet = {
			.protocol = dev->protocol,
			.id = random_below(&seed, 4) ? device_id(dev) :
						       DXL_ID_BROADCAST,
			.instruction = code,
			.len = random_params(model, params, &seed),
			.params = params,
		};
		struct span span = { random_below(&seed, 700),
				     random_below(&seed, 700) };

		device_execute(dev, &packet, now, &answer);
		assert_in_range(answer.len, 0, TABLE_MAX);
		device_group_read(dev, code, span, now, &answer);
		assert_in_range(answer.len, 0, device_size(dev));
		now += random_below(&seed, 30) * NSEC_PER_MSEC;
	}
	free(dev);
}

static void nothing_upsets_it(void **state)
{
	(void)state;
	each_model(check_random);
}

/* --- baud rates --- */

static void baud_rates_of_the_x_series(void **state)
{
	static const unsigned int rates[] = {
		9600, 57600, 115200, 1000000, 2000000, 3000000, 4000000,
		4500000,
	};
	int i;

	(void)state;
	for (i = 0; i < 8; i++) {
		assert_int_equal(model_baud_rate(&model_xm430_w350, i), rates[i]);
		assert_int_equal(model_baud_value(&model_mx64_2, rates[i]), i);
	}
	assert_int_equal(model_baud_value(&model_xm430_w350, 500000), -1);
	assert_int_equal(model_baud_value(&model_xl320, 1000000), 3);
	assert_int_equal(model_baud_value(&model_xl320, 2000000), -1);
}

/* --- some tables from the manual, as it prints them --- */

struct line {
	const char *name;
	unsigned int addr;
	int init;
};

static void check_lines(const struct model *model, const struct line *lines,
			size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct item *item = model_item_named(model, lines[i].name);

		assert_non_null(item);
		assert_int_equal(item->addr, lines[i].addr);
		assert_int_equal(item->init, lines[i].init);
	}
}

#define LINES(model, lines) \
	check_lines(&(model), lines, sizeof(lines) / sizeof((lines)[0]))

static void differences_between_models(void **state)
{
	static const struct line xl430[] = {
		{ "temperature_limit", 31, 72 }, { "max_voltage_limit", 32, 140 },
		{ "velocity_limit", 44, 265 }, { "velocity_i_gain", 76, 1000 },
		{ "position_d_gain", 80, 4000 }, { "position_p_gain", 84, 640 },
		{ "present_load", 126, 0 },
	};
	static const struct line xh540[] = {
		{ "max_voltage_limit", 32, 300 }, { "min_voltage_limit", 34, 110 },
		{ "current_limit", 38, 1188 }, { "velocity_limit", 44, 230 },
		{ "external_port_mode_3", 58, 3 },
		{ "external_port_data_3", 156, 0 },
		{ "indirect_address_28", 222, 251 },
		{ "indirect_data_28", 251, 0 },
		{ "indirect_address_29", 578, 634 },
		{ "indirect_data_56", 661, 0 },
	};
	static const struct line ex106[] = {
		{ "baud_rate", 4, 34 }, { "ccw_angle_limit", 8, 4095 },
		{ "drive_mode", 10, 0 }, { "max_voltage_limit", 13, 240 },
		{ "punch", 48, 0 }, { "sensed_current", 56, 512 },
	};
	static const struct line mx106[] = {
		{ "drive_mode", 10, 0 }, { "max_voltage_limit", 13, 160 },
		{ "current", 68, 2048 }, { "torque_control_mode", 70, 0 },
		{ "goal_torque", 71, 0 }, { "goal_acceleration", 73, 0 },
	};

	static const struct line xl320[] = {
		{ "control_mode", 11, 2 }, { "temperature_limit", 12, 65 },
		{ "max_torque", 15, 1023 }, { "status_return_level", 17, 2 },
		{ "shutdown", 18, 3 }, { "p_gain", 29, 32 },
		{ "moving_speed", 32, 0 }, { "torque_limit", 35, 1023 },
		{ "present_position", 37, 0 }, { "present_speed", 39, 0 },
		{ "present_load", 41, 0 }, { "present_voltage", 45, 0 },
		{ "present_temperature", 46, 0 }, { "registered", 47, 0 },
		{ "moving", 49, 0 }, { "hardware_error_status", 50, 0 },
		{ "punch", 51, 32 },
	};

	(void)state;
	LINES(model_xl320, xl320);
	LINES(model_xl430_w250, xl430);
	LINES(model_xh540_v150, xh540);
	LINES(model_ex106, ex106);
	LINES(model_mx106, mx106);
	assert_null(model_item_named(&model_xl430_w250, "goal_current"));
	assert_null(model_item_named(&model_xm430_w350, "external_port_mode_1"));
	assert_null(model_item_named(&model_mx28, "goal_torque"));
	assert_null(model_item_named(&model_mx64_2, "backup_ready"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_is_complete),
		cmocka_unit_test(no_items_overlap),
		cmocka_unit_test(defaults_are_in_range),
		cmocka_unit_test(every_model_has_the_common_items),
		cmocka_unit_test(every_servo_has_a_servos_items),
		cmocka_unit_test(every_item_keeps_its_rules),
		cmocka_unit_test(the_eeprom_can_be_locked),
		cmocka_unit_test(every_servo_moves),
		cmocka_unit_test(every_servo_keeps_its_eeprom),
		cmocka_unit_test(nothing_upsets_it),
		cmocka_unit_test(baud_rates_of_the_x_series),
		cmocka_unit_test(differences_between_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
