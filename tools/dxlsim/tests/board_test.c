// SPDX-License-Identifier: GPL-2.0-or-later
/* The boards as a master on the bus sees them. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define CM730		200
#define CM740		201
#define OPENCR		202
#define RIGHT_FOOT	111
#define LEFT_FOOT	112
#define CM510		210
#define AX		1
#define XM		2
#define NAO_CHEST	206
#define NAO_INERTIAL	201
#define NAO_TOUCH	203
#define NAO_FACE	204
#define NAO_EARS	205

#define POWER		24	/* of CM-730, CM-740 and OpenCR */

static struct device *device(struct rig *rig, u8 id)
{
	size_t i;

	for (i = 0; i < rig->bus.device_count; i++)
		if (device_id(&rig->bus.devices[i]) == id)
			return &rig->bus.devices[i];
	fail();

	return NULL;
}

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_cm510, CM510);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

/* --- the tables, as the manual and our own page have them --- */

struct entry {
	unsigned int addr;
	unsigned int size;
	int value;		/* of a new board */
	bool writable;
};

static const struct entry cm730[] = {
	{ 0, 2, 0x7300, false }, { 3, 1, 200, true }, { 4, 1, 1, true },
	{ 5, 1, 0, true }, { 16, 1, 2, true }, { 24, 1, 0, true },
	{ 25, 1, 0, true }, { 26, 2, 0, true }, { 28, 2, 0, true },
	{ 30, 1, 0, false }, { 38, 2, 512, false }, { 40, 2, 512, false },
	{ 42, 2, 512, false }, { 44, 2, 512, false }, { 46, 2, 512, false },
	{ 48, 2, 640, false }, { 50, 1, 111, false }, { 51, 2, 0, false },
	{ 53, 2, 0, false }, { 65, 2, 0, false }, { 67, 2, 0, false },
	{ 69, 2, 0, false }, { 79, 2, 0, false },
};

static const struct entry opencr[] = {
	{ 0, 2, 0x7400, false }, { 2, 1, 2, false }, { 3, 1, 200, true },
	{ 4, 1, 4, true }, { 5, 1, 0, true }, { 16, 1, 2, true },
	{ 18, 2, 0, true }, { 20, 2, 0, true }, { 22, 2, 0, true },
	{ 24, 1, 0, true }, { 25, 1, 0, true }, { 26, 2, 31, true },
	{ 28, 2, 0, true }, { 30, 1, 0, false }, { 31, 1, 111, false },
	{ 32, 2, 0, false }, { 34, 2, 0, false }, { 36, 2, 0, false },
	{ 38, 2, 0, false }, { 40, 2, 0, false }, { 42, 2, 16384, false },
	{ 44, 2, 0, false }, { 46, 2, 0, false }, { 48, 2, 0, false },
	{ 50, 1, 0, true },
};

static const struct entry fsr[] = {
	{ 0, 2, 0x0154, false }, { 3, 1, 100, true }, { 4, 1, 34, true },
	{ 5, 1, 250, true }, { 16, 1, 2, true }, { 25, 1, 0, true },
	{ 26, 2, 0, false }, { 28, 2, 0, false }, { 30, 2, 0, false },
	{ 32, 2, 0, false }, { 34, 1, 255, false }, { 35, 1, 255, false },
	{ 42, 1, 111, false }, { 44, 1, 0, false }, { 47, 1, 0, true },
};

static const struct entry cm510[] = {
	{ 0, 2, 0x0510, false }, { 2, 1, 2, false }, { 3, 1, 200, true },
	{ 4, 1, 1, true }, { 5, 1, 0, true }, { 6, 1, 2, true },
	{ 7, 1, 1, true }, { 16, 1, 2, true }, { 25, 1, 0, true },
	{ 26, 1, 0, true }, { 28, 2, 0, true }, { 30, 1, 0, false },
	{ 31, 1, 111, false }, { 32, 2, 0, false }, { 34, 2, 0, false },
	{ 36, 2, 250, false }, { 38, 2, 250, false }, { 40, 2, 0, false },
	{ 42, 2, 0, false }, { 44, 2, 0, false },
};

static const struct entry nao_chest[] = {
	{ 0, 2, 0x4e01, false }, { 2, 1, 2, false }, { 3, 1, 200, true },
	{ 4, 1, 3, true }, { 5, 1, 0, true }, { 16, 1, 2, true },
	{ 24, 1, 0, false }, { 64, 1, 0, true }, { 65, 1, 0, true },
	{ 66, 1, 0, true }, { 80, 1, 0, true }, { 103, 1, 0, true },
	{ 104, 1, 0, true }, { 127, 1, 0, true }, { 128, 1, 0, true },
	{ 255, 1, 0, true },
};

static const struct entry nao_foot[] = {
	{ 0, 2, 0x4e02, false }, { 3, 1, 100, true }, { 24, 1, 0, false },
	{ 26, 2, 0, false }, { 28, 2, 0, false }, { 30, 2, 0, false },
	{ 32, 2, 0, false }, { 64, 1, 0, true }, { 65, 1, 0, true },
	{ 66, 1, 0, true },
};

static const struct entry nao_touch[] = {
	{ 0, 2, 0x4e03, false }, { 3, 1, 203, true }, { 24, 1, 0, false },
	{ 64, 1, 0, true }, { 75, 1, 0, true },
};

static const struct entry nao_hand[] = {
	{ 0, 2, 0x4e04, false }, { 3, 1, 100, true }, { 24, 1, 0, false },
};

static const struct entry nao_face[] = {
	{ 0, 2, 0x4e05, false }, { 3, 1, 204, true }, { 64, 1, 0, true },
	{ 111, 1, 0, true },
};

static const struct entry nao_ears[] = {
	{ 0, 2, 0x4e06, false }, { 3, 1, 205, true }, { 64, 1, 0, true },
	{ 83, 1, 0, true },
};

static const struct entry nao_inertial[] = {
	{ 0, 2, 0x4e07, false }, { 3, 1, 201, true }, { 24, 2, -2000, false },
	{ 26, 2, -2000, false }, { 28, 2, 1527, false }, { 30, 2, 0, false },
	{ 32, 2, 0, false }, { 34, 2, 56, false }, { 36, 2, 0, false },
	{ 38, 2, 0, false },
};

static const struct entry nao_us[] = {
	{ 0, 2, 0x4e08, false }, { 2, 1, 1, false }, { 3, 1, 202, true },
	{ 24, 1, 0, false }, { 25, 1, 0, false }, { 26, 1, 0, false },
	{ 34, 1, 0, false }, { 35, 1, 0, false }, { 44, 1, 0, false },
	{ 64, 1, 0, true },
};

static const struct entry pepper_fuse[] = {
	{ 0, 2, 0x5001, false }, { 2, 1, 1, false }, { 3, 1, 100, true },
	{ 24, 1, 40, false }, { 25, 1, 0, false },
};

/* Its distances, that of an empty room, are noisy. */
static const struct entry pepper_laser[] = {
	{ 0, 2, 0x5002, false }, { 3, 1, 214, true }, { 30, 1, 0, false },
};

static const struct entry pepper_base[] = {
	{ 0, 2, 0x5003, false }, { 3, 1, 215, true }, { 24, 1, 0, false },
	{ 25, 1, 0, false }, { 26, 1, 0, false }, { 28, 2, 60, false },
};

static void check_page(const struct model *model, const struct entry *page,
		       size_t count)
{
	struct device *dev = calloc(1, sizeof(*dev));
	size_t i;

	device_init(dev, model, 7, 1000000, "Board", NSEC_PER_SEC);
	device_factory_reset(dev, KEEP_NOTHING, NSEC_PER_SEC);
	assert_false(device_torque(dev));
	for (i = 0; i < count; i++) {
		const struct item *item = model_item_at(model, page[i].addr);

		assert_non_null(item);
		assert_int_equal(item->addr, page[i].addr);
		assert_int_equal(item->size, page[i].size);
		assert_int_equal(item->access == ACCESS_RW, page[i].writable);
		assert_int_equal(item->area == AREA_EEPROM, item->addr < 24);
		assert_int_equal(device_value(dev, item, 2 * NSEC_PER_SEC),
				 page[i].value);
	}
	free(dev);
}

#define PAGE(model, page) \
	check_page(&(model), page, sizeof(page) / sizeof((page)[0]))

static void tables_are_those_of_the_manual(void **state)
{
	(void)state;
	PAGE(model_cm730, cm730);
	check_page(&model_cm740, cm730, 17);	/* up to the voltage */
	assert_null(model_item_at(&model_cm740, 51));
	PAGE(model_opencr, opencr);
	PAGE(model_fsr, fsr);
	PAGE(model_cm510, cm510);
	PAGE(model_nao_chest, nao_chest);
	PAGE(model_nao_foot, nao_foot);
	PAGE(model_nao_touch, nao_touch);
	PAGE(model_nao_hand, nao_hand);
	PAGE(model_nao_face, nao_face);
	PAGE(model_nao_ears, nao_ears);
	PAGE(model_nao_inertial, nao_inertial);
	PAGE(model_nao_us, nao_us);
	PAGE(model_pepper_fuse, pepper_fuse);
	PAGE(model_pepper_laser, pepper_laser);
	PAGE(model_pepper_base, pepper_base);
	assert_int_equal(model_baud_rate(&model_opencr, 4), 2000000);
	assert_int_equal(model_baud_rate(&model_fsr, 34), 57142);
	assert_int_equal(model_baud_rate(&model_cm730, 1), 1000000);
}

/* --- what the master writes --- */

static void leds_and_buzzer(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_write8(rig, CM510, 25, 0x7f), 0);
	assert_int_equal(rig_read8(rig, CM510, 25), 0x7f);
	assert_int_equal(rig_write8(rig, CM510, 25, 0x80), DXL1_ERR_RANGE);
	assert_int_equal(rig_read8(rig, CM510, 25), 0x7f);
	assert_int_equal(rig_write16(rig, CM510, 28, 440), 0);
	assert_int_equal(rig_read16(rig, CM510, 28), 440);
	assert_int_equal(rig_write8(rig, CM510, 28, 1), DXL1_ERR_RANGE);

	rig_add(rig, &model_cm730, CM730);
	assert_int_equal(rig_write8(rig, CM730, 25, 7), 0);
	assert_int_equal(rig_write8(rig, CM730, 25, 8), DXL1_ERR_RANGE);
	assert_int_equal(rig_write16(rig, CM730, 26, 0x7fff), 0);
	assert_int_equal(rig_write16(rig, CM730, 28, 0x8000), DXL1_ERR_RANGE);
	assert_int_equal(rig_write8(rig, CM730, 30, 1), DXL1_ERR_RANGE);
	assert_int_equal(rig_write16(rig, CM730, 38, 1), DXL1_ERR_RANGE);
	assert_int_equal(rig_read16(rig, CM730, 26), 0x7fff);

	rig_add(rig, &model_opencr, OPENCR);
	assert_int_equal(rig_set2(rig, OPENCR, 26, 2, 0x7c00), 0);
	assert_int_equal(rig_value2(rig, OPENCR, 26, 2), 0x7c00);
	assert_int_equal(rig_set2(rig, OPENCR, 26, 2, 0x8000), DXL2_ERR_RANGE);
	assert_int_equal(rig_set2(rig, OPENCR, 30, 1, 1), DXL2_ERR_ACCESS);
	assert_int_equal(rig_set2(rig, OPENCR, 28, 2, 65535), 0);
}

/* Lights that are one item each are written in one piece, or none is. */
static void naos_lights(void **state)
{
	struct rig *rig = *state;
	u8 lights[12] = { 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4 };
	const u8 too_bright[] = { 1, 16 }, behind[] = { 1, 1, 1, 1 };

	rig_add(rig, &model_nao_touch, NAO_TOUCH);
	assert_int_equal(rig_write2(rig, NAO_TOUCH, 64, lights, 12).error, 0);
	assert_int_equal(rig_value2(rig, NAO_TOUCH, 64, 1), 15);
	assert_int_equal(rig_value2(rig, NAO_TOUCH, 75, 1), 4);
	told(rig, "get 203 rear_left_2", "7\nok\n");
	assert_int_equal(rig_write2(rig, NAO_TOUCH, 64, too_bright, 2).error,
			 DXL2_ERR_RANGE);
	assert_int_equal(rig_value2(rig, NAO_TOUCH, 64, 1), 15);

	rig_add(rig, &model_nao_face, NAO_FACE);
	assert_int_equal(rig_set2(rig, NAO_FACE, 111, 1, 63), 0);
	assert_int_equal(rig_set2(rig, NAO_FACE, 111, 1, 64), DXL2_ERR_RANGE);
	told(rig, "get 204 right_315_blue", "63\nok\n");
	assert_int_equal(rig_set2(rig, NAO_FACE, 88, 1, 9), 0);
	told(rig, "get 204 right_0_red", "9\nok\n");
	told(rig, "press 204 left", "error: the NAO-face-board has no buttons\n");

	rig_add(rig, &model_nao_ears, NAO_EARS);
	assert_int_equal(rig_set2(rig, NAO_EARS, 74, 1, 15), 0);
	assert_int_equal(rig_set2(rig, NAO_EARS, 74, 1, 16), DXL2_ERR_RANGE);
	told(rig, "get 205 right_0", "15\nok\n");

	rig_add(rig, &model_nao_chest, NAO_CHEST);
	assert_int_equal(rig_set2(rig, NAO_CHEST, 64, 1, 255), 0);
	assert_int_equal(rig_value2(rig, NAO_CHEST, 64, 1), 255);
	assert_int_not_equal(rig_write2(rig, NAO_CHEST, 64, behind, 4).error, 0);
	assert_int_equal(rig_value2(rig, NAO_CHEST, 65, 1), 0);
}

/* REG_WRITE works where no item tells of it. */
static void registered_writes(void **state)
{
	struct rig *rig = *state;
	const u8 led[] = { 25, 3 };

	rig_add(rig, &model_fsr, RIGHT_FOOT);
	assert_int_equal(rig_ask(rig, CM510, 4, led, 2).error, 0);
	assert_int_equal(rig_read16(rig, CM510, 0), 0x0510);
	assert_int_equal(rig_read8(rig, CM510, 25), 0);
	assert_int_equal(rig_ask(rig, CM510, 5, NULL, 0).error, 0);
	assert_int_equal(rig_read8(rig, CM510, 25), 3);

	assert_int_equal(rig_ask(rig, RIGHT_FOOT, 4, (u8[]){ 25, 1 }, 2).error,
			 0);
	assert_int_equal(rig_read8(rig, RIGHT_FOOT, 44), 1);
	assert_int_equal(rig_ask(rig, RIGHT_FOOT, 5, NULL, 0).error, 0);
	assert_int_equal(rig_read8(rig, RIGHT_FOOT, 44), 0);
	assert_int_equal(rig_read8(rig, RIGHT_FOOT, 25), 1);
}

static void eeprom_and_lock(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_fsr, RIGHT_FOOT);
	assert_int_equal(rig_write8(rig, RIGHT_FOOT, 5, 9), 0);
	rig_wait(rig, 1);
	assert_int_equal(rig_write8(rig, RIGHT_FOOT, 47, 1), 0);
	assert_int_equal(rig_write8(rig, RIGHT_FOOT, 5, 8), DXL1_ERR_RANGE);
	assert_int_equal(rig_write8(rig, RIGHT_FOOT, 47, 0), DXL1_ERR_RANGE);
	order(rig, "power-cycle");
	assert_int_equal(rig_ping(rig, RIGHT_FOOT).id, -1);
	rig_wait(rig, 1);
	assert_int_equal(rig_read8(rig, RIGHT_FOOT, 47), 0);
	assert_int_equal(rig_read8(rig, RIGHT_FOOT, 5), 9);

	/* Nothing locks the others'. */
	rig_add(rig, &model_opencr, OPENCR);
	assert_int_equal(rig_set2(rig, OPENCR, POWER, 1, 1), 0);
	rig_wait(rig, 1);
	assert_int_equal(rig_set2(rig, OPENCR, 18, 2, -25), 0);
	rig_wait(rig, 1);
	assert_int_equal((int16_t)rig_value2(rig, OPENCR, 18, 2), -25);
	assert_int_equal((int16_t)rig_value2(rig, OPENCR, 44, 2), 25);
}

static void group_reads(void **state)
{
	struct rig *rig = *state;
	const u8 bulk[] = { 0, 2, CM730, 48, 4, RIGHT_FOOT, 26, 1, CM510, 25 };
	struct reply reply;

	rig_add(rig, &model_cm730, CM730);
	rig_add(rig, &model_fsr, RIGHT_FOOT);
	rig_write8(rig, CM730, POWER, 1);
	rig_wait(rig, 1);
	rig_send(rig, 254, 0x92, bulk, sizeof(bulk));
	reply = rig_reply(rig);
	assert_int_equal(reply.id, CM730);
	assert_int_equal(reply.params[0] | reply.params[1] << 8, 640);
	reply = rig_reply(rig);
	assert_int_equal(reply.id, RIGHT_FOOT);
	assert_int_equal(reply.len, 4);
	/* Like the AX-12s, which know no such thing. */
	assert_int_equal(rig_reply(rig).id, -1);

	rig_add(rig, &model_opencr, OPENCR);
	rig_send2(rig, 254, 0x82, (u8[]){ 42, 0, 2, 0, OPENCR }, 5);
	reply = rig_reply(rig);
	assert_int_equal(reply.id, OPENCR);
	assert_int_equal(reply.params[0] | reply.params[1] << 8, 16384);
	assert_int_equal(rig_ping2(rig, OPENCR).params[1], 0x74);
}

/* --- what the world does --- */

static void cm730_feels(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_cm730, CM730);
	order(rig, "set 200 gyro_x 90");
	assert_int_equal(rig_read16(rig, CM730, 42), 512 + 25);
	order(rig, "set 200 gyro_y -1835");
	assert_int_equal(rig_read16(rig, CM730, 40), 0);
	order(rig, "set 200 gyro_z 1835");
	assert_int_equal(rig_read16(rig, CM730, 38), 1023);
	order(rig, "set 200 gyro_z 90000");
	assert_int_equal(rig_read16(rig, CM730, 38), 1023);
	order(rig, "set 200 acc_x -4");
	assert_int_equal(rig_read16(rig, CM730, 44), 0);
	order(rig, "set 200 acc_y 0.5");
	assert_int_equal(rig_read16(rig, CM730, 46), 576);
	order(rig, "set 200 acc_z 4");
	assert_int_equal(rig_read16(rig, CM730, 48), 1023);
	order(rig, "set 200 voltage 9.84");
	assert_int_equal(rig_read8(rig, CM730, 50), 98);
	order(rig, "set 200 voltage 30");
	assert_int_equal(rig_read8(rig, CM730, 50), 255);
	order(rig, "set 200 adc_15 1.65");
	assert_int_equal(rig_read16(rig, CM730, 79), 512);
	order(rig, "set 200 mic_2 raw 77");
	assert_int_equal(rig_read16(rig, CM730, 67), 77);
	/* The world stays when the power goes. */
	order(rig, "power-cycle 200");
	rig_wait(rig, 1);
	assert_int_equal(rig_read16(rig, CM730, 42), 512 + 25);
	/* One whose firmware has not been renewed counts otherwise. */
	order(rig, "write 200 2 18");
	assert_int_equal(rig_read16(rig, CM730, 42), 512 + 92);
}

static void cm730_refuses_baud_0(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_cm730, CM730);
	assert_int_equal(rig_write(rig, CM730, 4, (u8[]){ 0 }, 1).error,
			 DXL1_ERR_RANGE);
	assert_int_equal(rig_read8(rig, CM730, 4), 1);
}

static void opencr_feels(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_opencr, OPENCR);
	order(rig, "set 202 gyro_x -100");
	assert_int_equal((int16_t)rig_value2(rig, OPENCR, 32, 2), -1640);
	order(rig, "set 202 gyro_z 2000");
	assert_int_equal(rig_value2(rig, OPENCR, 36, 2), 32767);
	order(rig, "set 202 acc_y -2");
	assert_int_equal((int16_t)rig_value2(rig, OPENCR, 40, 2), -32768);
	order(rig, "set 202 pitch -12.34");
	assert_int_equal((int16_t)rig_value2(rig, OPENCR, 46, 2), -123);
	order(rig, "set 202 pitch raw 45");
	assert_int_equal(rig_value2(rig, OPENCR, 46, 2), 45);
}

static void opencr_calibrates(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_opencr, OPENCR);
	order(rig, "set 202 roll 3");
	order(rig, "set 202 pitch -2");
	assert_int_equal(rig_set2(rig, OPENCR, 50, 1, 0x1a), 0);
	assert_int_equal(rig_value2(rig, OPENCR, 50, 1), 0x1a);
	rig_wait(rig, 2.5);
	assert_int_equal(rig_value2(rig, OPENCR, 50, 1), 0x1a);
	assert_int_equal((int16_t)rig_value2(rig, OPENCR, 46, 2), -20);
	rig_wait(rig, 0.1);
	/* Pitch, and the gyro, whose zero is right; bit 4 has no meaning. */
	assert_int_equal(rig_value2(rig, OPENCR, 50, 1), 0x10);
	assert_int_equal(rig_value2(rig, OPENCR, 46, 2), 0);
	assert_int_equal((int16_t)rig_value2(rig, OPENCR, 20, 2), -20);
	assert_int_equal(rig_value2(rig, OPENCR, 44, 2), 30);
	assert_int_equal(rig_value2(rig, OPENCR, 18, 2), 0);
	order(rig, "set 202 pitch 0");
	assert_int_equal(rig_value2(rig, OPENCR, 46, 2), 20);
}

static void feet_feel(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_fsr, LEFT_FOOT);
	order(rig, "set 112 fsr_1 0.492");
	assert_int_equal(rig_read16(rig, LEFT_FOOT, 26), 0);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 34), 255);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 35), 255);
	order(rig, "set 112 fsr_1 0.493");
	assert_int_equal(rig_read16(rig, LEFT_FOOT, 26), 493);
	/* Front left is all there is. */
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 34), 0);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 35), 254);
	order(rig, "set 112 fsr_3 70");
	assert_int_equal(rig_read16(rig, LEFT_FOOT, 30), 65535);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 34), 252);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 35), 2);
	order(rig, "set 112 fsr_1 9.8");
	order(rig, "set 112 fsr_2 9.8");
	order(rig, "set 112 fsr_3 9.8");
	order(rig, "set 112 fsr_4 9.8");
	assert_int_equal(rig_read16(rig, LEFT_FOOT, 28), 9800);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 34), 127);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 35), 127);
	order(rig, "set 112 fsr_2 29.4");
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 34), 169);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 35), 169);
}

static void cm510_feels(void **state)
{
	struct rig *rig = *state;

	order(rig, "set 210 port_1 5");
	assert_int_equal(rig_read16(rig, CM510, 32), 1023);
	order(rig, "set 210 port_6 2.5");
	assert_int_equal(rig_read16(rig, CM510, 42), 512);
	/* 205 counts are 300 degrees/s, of which it shows no more. */
	order(rig, "set 210 port_3 300");
	assert_int_equal(rig_read16(rig, CM510, 36), 455);
	order(rig, "set 210 port_4 -150");
	assert_int_equal(rig_read16(rig, CM510, 38), 250 - 102);
	order(rig, "set 210 port_4 -1000");
	assert_int_equal(rig_read16(rig, CM510, 38), 45);
	order(rig, "set 210 sounds 70000");
	assert_int_equal(rig_read16(rig, CM510, 44), 65535);
}

/* By the points that were measured, and by lines between them */
static void cm510_sees(void **state)
{
	static const struct {
		const char *order;
		int count;
	} cases[] = {
		{ "set 210 port_5 250", 205 }, { "set 210 port_5 225", 225 },
		{ "set 210 port_5 50", 625 }, { "set 210 port_5 1", 625 },
		{ "set 210 port_5 800", 70 }, { "set 210 port_5 790", 71 },
		{ "set 210 port_5 801", 0 }, { "set 210 port_5 100", 455 },
		{ "set 210 port_5 0", 0 },
	};
	struct rig *rig = *state;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		order(rig, cases[i].order);
		assert_int_equal(rig_read16(rig, CM510, 40), cases[i].count);
	}
	order(rig, "set 210 port_5 raw 540");
	told(rig, "senses 210",
	     "present_voltage 11.1 V\nport_1 0 V\nport_2 0 V\n"
	     "port_3 0 degrees/s\nport_4 0 degrees/s\nport_5 75 mm\nport_6 0 V\n"
	     "sounds 0 sounds\nok\n");
}

/* The driver knows the same: drivers/board/ports.c. */
static void cm510_has_what_is_plugged_in(void **state)
{
	struct rig *rig = *state;
	struct device *dev = &rig->bus.devices[0];

	plug(dev, "dms,ir,accel-z,none,gyro-z,ir");
	told(rig, "senses 210",
	     "present_voltage 11.1 V\nport_1 0 mm\nport_2 0 mm\nport_3 1 g\n"
	     "port_4 0 V\nport_5 0 degrees/s\nport_6 0 mm\nsounds 0 sounds\nok\n");
	assert_int_equal(rig_read16(rig, CM510, 36), 406);
	assert_int_equal(rig_read16(rig, CM510, 40), 250);
	order(rig, "set 210 port_1 200");
	assert_int_equal(rig_read16(rig, CM510, 32), 245);
	order(rig, "set 210 port_3 -1");
	assert_int_equal(rig_read16(rig, CM510, 36), 270);
	order(rig, "set 210 port_4 2.5");
	assert_int_equal(rig_read16(rig, CM510, 38), 512);
}

/* It lights what it looks at by the port's output. */
static void an_infrared_sensor_needs_its_light(void **state)
{
	struct rig *rig = *state;

	plug(&rig->bus.devices[0], "none,ir,none,none,none,ir");
	order(rig, "set 210 port_2 100");
	order(rig, "set 210 port_6 30");
	assert_int_equal(rig_read16(rig, CM510, 34), 0);
	rig_write8(rig, CM510, 26, 0x20);
	assert_int_equal(rig_read16(rig, CM510, 34), 0);
	assert_int_equal(rig_read16(rig, CM510, 42), 200);
	rig_write8(rig, CM510, 26, 0x02);
	assert_int_equal(rig_read16(rig, CM510, 34), 18);
	assert_int_equal(rig_read16(rig, CM510, 42), 0);
	order(rig, "set 210 port_2 151");
	assert_int_equal(rig_read16(rig, CM510, 34), 0);
	order(rig, "set 210 port_2 1");
	assert_int_equal(rig_read16(rig, CM510, 34), 1023);
}

static void a_twin_has_the_same_in_its_ports(void **state)
{
	struct rig *rig = *state;

	plug(&rig->bus.devices[0], "accel-z,none,none,none,none,none");
	order(rig, "twin 210");
	told(rig, "get Joint210~ port_1", "406\nok\n");
}

static void naos_feet_feel(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_nao_foot, LEFT_FOOT);
	order(rig, "set 112 fsr_1 0.001");
	assert_int_equal(rig_value2(rig, LEFT_FOOT, 26, 2), 1);
	order(rig, "set 112 fsr_4 30");
	assert_int_equal(rig_value2(rig, LEFT_FOOT, 32, 2), 30000);
	order(rig, "set 112 fsr_3 66");
	assert_int_equal(rig_value2(rig, LEFT_FOOT, 30, 2), 65535);
}

static int inertial(struct rig *rig, u16 addr)
{
	return (int16_t)rig_value2(rig, NAO_INERTIAL, addr, 2);
}

/* [in-6] [in-7] */
static void naos_inertial_sensor_feels(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_nao_inertial, NAO_INERTIAL);
	order(rig, "set 201 gyro_x 100");
	assert_int_equal(inertial(rig, 24), -1730);
	order(rig, "set 201 gyro_y -100");
	assert_int_equal(inertial(rig, 26), -2270);
	order(rig, "set 201 gyro_y 1000");
	assert_int_equal(inertial(rig, 26), 0);
	order(rig, "set 201 gyro_y -1000");
	assert_int_equal(inertial(rig, 26), -4095);
	order(rig, "set 201 gyro_reference 1.65");
	assert_int_equal(inertial(rig, 28), 2048);
	order(rig, "set 201 acc_x -1");
	assert_int_equal(inertial(rig, 30), -56);
	order(rig, "set 201 acc_y 3");
	assert_int_equal(inertial(rig, 32), 127);
	order(rig, "set 201 acc_z -3");
	assert_int_equal(inertial(rig, 34), -128);
	order(rig, "set 201 angle_x 90");
	assert_int_equal(inertial(rig, 36), 15708);
	order(rig, "set 201 angle_y -180");
	assert_int_equal(inertial(rig, 38), -31416);
}

static bool never_shown(const struct sense *sense, int count)
{
	double least = sense->curve ?
		       sense->curve->count :
		       sense->least * sense->per_unit;

	return count && count < least - 0.5;
}

static int last(const struct point *curve)
{
	while (curve[1].count)
		curve++;

	return curve->count;
}

static void check_counts(const struct model *model, const char *plugged)
{
	struct device *dev = calloc(1, sizeof(*dev));
	size_t i;

	device_init(dev, model, 7, 1000000, "Board", NSEC_PER_SEC);
	dev->board.noisy = false;
	if (plugged)
		plug(dev, plugged);
	if (model->board->outputs)
		dev->table[model->board->outputs] = 0x3f;
	for (i = 0; i < model->board->sense_count; i++) {
		const struct sense *sense = &dev->board.senses[i];
		const struct item *item = model_item_at(model, sense->addr);
		int count, min, max;

		assert_int_equal(item->addr, sense->addr);
		assert_ptr_equal(board_sense(dev, sense->addr), sense);
		board_range(dev, sense, &min, &max);
		if (sense->curve)
			max = last(sense->curve);
		for (count = min; count <= max; count++) {
			if (never_shown(sense, count))
				continue;
			board_set_count(dev, sense, count);
			assert_int_equal(device_value(dev, item, NSEC_PER_SEC),
					 count);
		}
	}
	free(dev);
}

static void every_count_can_be_set(void **state)
{
	const struct model *model;
	size_t i;

	(void)state;
	for (i = 0; (model = model_by_index(i)); i++)
		if (model->board)
			check_counts(model, NULL);
	check_counts(&model_cm510, "ir,dms,accel-x,gyro-z,ir,accel-z");
}

static void buttons(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_cm730, CM730);
	rig_add(rig, &model_opencr, OPENCR);
	order(rig, "press 210 start");
	order(rig, "press 210 right");
	assert_int_equal(rig_read8(rig, CM510, 30), 0x81);
	order(rig, "press 210 up");
	order(rig, "press 210 down");
	order(rig, "press 210 left");
	order(rig, "release 210 start");
	assert_int_equal(rig_read8(rig, CM510, 30), 0xf0);
	order(rig, "press 200 mode");
	assert_int_equal(rig_read8(rig, CM730, 30), 1);
	order(rig, "press 200 start");
	order(rig, "release 200 mode");
	assert_int_equal(rig_read8(rig, CM730, 30), 2);
	order(rig, "press 202 user");
	order(rig, "press 202 reset");
	assert_int_equal(rig_value2(rig, OPENCR, 30, 1), 12);
	rig_add(rig, &model_nao_touch, NAO_TOUCH);
	order(rig, "press 203 rear");
	order(rig, "press 203 front");
	assert_int_equal(rig_value2(rig, NAO_TOUCH, 24, 1), 5);
	order(rig, "release 203 rear");
	order(rig, "press 203 middle");
	assert_int_equal(rig_value2(rig, NAO_TOUCH, 24, 1), 3);
	rig_add(rig, &model_nao_hand, 113);
	order(rig, "press 113 back");
	order(rig, "press 113 right");
	assert_int_equal(rig_value2(rig, 113, 24, 1), 5);
	order(rig, "release 113 back");
	order(rig, "press 113 left");
	assert_int_equal(rig_value2(rig, 113, 24, 1), 6);
	rig_add(rig, &model_nao_chest, NAO_CHEST);
	order(rig, "press 206 chest");
	assert_int_equal(rig_value2(rig, NAO_CHEST, 24, 1), 1);
	/* A finger stays where it is. */
	order(rig, "power-cycle");
	rig_wait(rig, 1);
	assert_int_equal(rig_read8(rig, CM510, 30), 0xf0);
	/* Past all rules, as any item. */
	order(rig, "write 210 30 1");
	assert_int_equal(rig_read8(rig, CM510, 30), 1);
	order(rig, "write 210 32 10 1");
	assert_int_equal(rig_read16(rig, CM510, 32), 266);
}

/* --- the supply of the servos --- */

static void servos_without_such_a_board(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_ax12, AX);
	rig_add(rig, &model_fsr, RIGHT_FOOT);
	assert_int_equal(rig_ping(rig, AX).id, AX);
	assert_int_equal(rig_ping(rig, RIGHT_FOOT).id, RIGHT_FOOT);
}

static void the_supply_is_switched(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_ax12, AX);
	rig_add(rig, &model_cm730, CM730);
	rig_add(rig, &model_xm430_w350, XM);
	rig_add(rig, &model_fsr, RIGHT_FOOT);
	rig_wait(rig, 1);
	assert_int_equal(rig_ping(rig, AX).id, -1);
	assert_int_equal(rig_ping2(rig, XM).id, -1);
	assert_int_equal(rig_ping(rig, RIGHT_FOOT).id, -1);
	assert_int_equal(rig_ping(rig, CM510).id, CM510);
	assert_int_equal(rig->bus.stats.id[AX].of[COUNT_DEAF], 1);
	assert_int_equal(rig_read8(rig, CM730, POWER), 0);

	assert_int_equal(rig_write8(rig, CM730, POWER, 2), DXL1_ERR_RANGE);
	assert_int_equal(rig_write8(rig, CM730, POWER, 1), 0);
	/* They start first: 50 ms, and servos of Protocol 2.0 400 ms. */
	rig_wait(rig, 0.049);
	assert_int_equal(rig_ping(rig, AX).id, -1);
	rig_wait(rig, 0.002);
	assert_int_equal(rig_ping(rig, AX).id, AX);
	assert_int_equal(rig_ping(rig, RIGHT_FOOT).id, RIGHT_FOOT);
	assert_int_equal(rig_ping2(rig, XM).id, -1);
	rig_wait(rig, 0.35);
	assert_int_equal(rig_ping2(rig, XM).id, XM);

	/* RAM and torque are lost with it; EEPROM is not. */
	assert_int_equal(rig_write8(rig, AX, 25, 1), 0);
	assert_int_equal(rig_write8(rig, AX, 24, 1), 0);
	assert_int_equal(rig_write8(rig, AX, 17, 5), 0);
	rig_wait(rig, 1);
	assert_int_equal(rig_write8(rig, CM730, POWER, 1), 0);
	assert_int_equal(rig_read8(rig, AX, 25), 1);
	assert_int_equal(rig_write8(rig, CM730, POWER, 0), 0);
	assert_false(device_torque(device(rig, AX)));
	assert_int_equal(rig_ping(rig, AX).id, -1);
	rig_wait(rig, 1);
	assert_int_equal(rig_write8(rig, CM730, POWER, 1), 0);
	rig_wait(rig, 1);
	assert_int_equal(rig_read8(rig, AX, 25), 0);
	assert_int_equal(rig_read8(rig, AX, 24), 0);
	assert_int_equal(rig_read8(rig, AX, 17), 5);
}

/* Whatever takes RAM from the board takes the supply from the servos. */
static void the_supply_goes_with_the_board(void **state)
{
	static const char *const ways[] = {
		"power-cycle 200", "reset 200", "write 200 24 0",
	};
	struct rig *rig = *state;
	size_t i;

	rig_add(rig, &model_ax12, AX);
	rig_add(rig, &model_cm730, CM730);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		rig_write8(rig, CM730, POWER, 1);
		rig_wait(rig, 1);
		assert_int_equal(rig_ping(rig, AX).id, AX);
		order(rig, ways[i]);
		rig_wait(rig, 1);
		assert_int_equal(rig_ping(rig, AX).id, -1);
		assert_int_equal(rig_ping(rig, CM730).id, CM730);
	}
	rig_write8(rig, CM730, POWER, 1);
	rig_wait(rig, 1);
	rig_ask(rig, CM730, 6, NULL, 0);
	rig_wait(rig, 1);
	assert_int_equal(rig_ping(rig, AX).id, -1);

	/* A board that resets itself, by a fault. */
	order(rig, "write 200 24 1");
	rig_wait(rig, 1);
	assert_int_equal(rig_ping(rig, AX).id, AX);
	order(rig, "self-reset next 1 id 200");
	rig_ping(rig, CM730);
	rig_forget(rig);
	rig_wait(rig, 1);
	assert_int_equal(rig_ping(rig, AX).id, -1);
	assert_int_equal(rig_ping(rig, CM730).id, CM730);
}

static void two_boards_feed_together(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_ax12, AX);
	rig_add(rig, &model_cm740, CM740);
	rig_add(rig, &model_opencr, OPENCR);
	rig_write8(rig, CM740, POWER, 1);
	rig_set2(rig, OPENCR, POWER, 1, 1);
	rig_wait(rig, 1);
	rig_write8(rig, AX, 25, 1);
	rig_write8(rig, CM740, POWER, 0);
	assert_int_equal(rig_read8(rig, AX, 25), 1);
	rig_set2(rig, OPENCR, POWER, 1, 0);
	assert_int_equal(rig_ping(rig, AX).id, -1);
	rig_set2(rig, OPENCR, POWER, 1, 1);
	rig_wait(rig, 1);
	assert_int_equal(rig_read8(rig, AX, 25), 0);
}

/* In one packet for all, the board's part counts as much as alone. */
static void switched_by_sync_write(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_ax12, AX);
	rig_add(rig, &model_cm730, CM730);
	rig_send(rig, 254, 0x83, (u8[]){ POWER, 1, AX, 1, CM730, 1 }, 6);
	rig_wait(rig, 1);
	/* It was off when that came. */
	assert_int_equal(rig_read8(rig, AX, 24), 0);
}

/* --- faults --- */

static void faults_befall_boards(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_opencr, OPENCR);
	order(rig, "drop on id 210");
	assert_int_equal(rig_ping(rig, CM510).id, -1);
	assert_int_equal(rig_ping2(rig, OPENCR).id, OPENCR);
	order(rig, "calm");
	order(rig, "drop next 1 id 202");
	assert_int_equal(rig_ping2(rig, OPENCR).id, -1);
	assert_int_equal(rig_ping2(rig, OPENCR).id, OPENCR);
	order(rig, "spoil-request next 1 id 210");
	assert_int_equal(rig_ping(rig, CM510).error, DXL1_ERR_CHECKSUM);
	order(rig, "deafness next 1 ms 20 id 210");
	assert_int_equal(rig_ping(rig, CM510).id, CM510);
	assert_int_equal(rig_ping(rig, CM510).id, -1);
	rig_wait(rig, 0.03);
	assert_int_equal(rig_ping(rig, CM510).id, CM510);
	order(rig, "disconnect next 1 ms 50 id 210");
	assert_int_equal(rig_ping(rig, CM510).id, -1);
	assert_true(bus_unplugged(&rig->bus, rig->now));
	order(rig, "plug");
	assert_int_equal(rig_ping(rig, CM510).id, CM510);
	order(rig, "silence 210");
	assert_int_equal(rig_ping(rig, CM510).id, -1);
	order(rig, "unsilence 210");
	order(rig, "twin 210");
	order(rig, "untwin 210");
	assert_int_equal(rig_ping(rig, CM510).id, CM510);
}

#define BOARD_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_TEST(tables_are_those_of_the_manual),
		BOARD_TEST(leds_and_buzzer),
		BOARD_TEST(naos_lights),
		BOARD_TEST(registered_writes),
		BOARD_TEST(eeprom_and_lock),
		BOARD_TEST(group_reads),
		BOARD_TEST(cm730_feels),
		BOARD_TEST(cm730_refuses_baud_0),
		BOARD_TEST(opencr_feels),
		BOARD_TEST(opencr_calibrates),
		BOARD_TEST(feet_feel),
		BOARD_TEST(cm510_feels),
		BOARD_TEST(cm510_sees),
		BOARD_TEST(cm510_has_what_is_plugged_in),
		BOARD_TEST(an_infrared_sensor_needs_its_light),
		BOARD_TEST(a_twin_has_the_same_in_its_ports),
		BOARD_TEST(naos_feet_feel),
		BOARD_TEST(naos_inertial_sensor_feels),
		BOARD_TEST(every_count_can_be_set),
		BOARD_TEST(buttons),
		BOARD_TEST(servos_without_such_a_board),
		BOARD_TEST(the_supply_is_switched),
		BOARD_TEST(the_supply_goes_with_the_board),
		BOARD_TEST(two_boards_feed_together),
		BOARD_TEST(switched_by_sync_write),
		BOARD_TEST(faults_befall_boards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
