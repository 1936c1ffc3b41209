// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of poses that have the goals of all operating modes
 *
 * AX-12 with the ID 1 and two XM430-W350 with the IDs 2 and 3, each in any mode.
 */
#include <linux/bits.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/iio/iio.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include "fake_stream.h"

#define MODEL_AX12	12
#define MODEL_XM430	1020

#define CW_LIMIT	6
#define CCW_LIMIT	8
#define SPEED		32
#define MODE2		11
#define PWM2		100
#define CURRENT2	102
#define VELOCITY2	104

/* What MODE2 holds. */
#define CURRENT_MODE	0
#define VELOCITY_MODE	1
#define POSITION_MODE	3
#define CURRENT_POSITION_MODE	5
#define PWM_MODE	16

#define CHANNELS	13

/* A goal that is left out. */
#define NONE16		0x8000
#define NONE32		0x80000000

/* What a number of a channel has beside the ID where a type is there twice. */
#define TWICE		1024

/**
 * struct goals - what a pose of them has
 * @position: goal position
 * @speed: goal speed
 * @velocity: goal velocity
 * @current_limit: goal current, of X alone
 * @pwm: goal PWM, likewise
 */
struct goals {
	int position;
	int speed;
	int velocity;
	int current_limit;
	int pwm;
};

static struct fake_servos *servos_of(struct kunit *test, bool wheel, u8 second, u8 third)
{
	struct fake_servos *f = fake_servos_create(test, "bus-mixed");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add_v2(f, 2, MODEL_XM430)->table[MODE2] = second;
	fake_servos_add_v2(f, 3, MODEL_XM430)->table[MODE2] = third;
	put_le16(f->servo[0]->table + LIMIT, 1000);
	if (wheel)
		put_le16(f->servo[0]->table + CCW_LIMIT, 0);
	put_le16(f->servo[1]->table + LIMIT2, 800);
	put_le16(f->servo[2]->table + LIMIT2, 800);
	fs_be_ready(test, 6);
	KUNIT_ASSERT_EQ(test, fs_store("all_goals", "1"), 1);
	fs_wait_for_the_pose(test, CHANNELS);
	fs_take_time(test);

	return f;
}

static void put_ax(u8 *at, const struct goals *goals)
{
	put_le16(at, goals->position);
	put_le16(at + 2, goals->speed);
	put_le16(at + 4, goals->velocity);
}

static void put_x(u8 *at, const struct goals *goals)
{
	put_unaligned_le32(goals->position, at);
	put_unaligned_le32(goals->speed, at + 4);
	put_unaligned_le32(goals->velocity, at + 8);
	put_le16(at + 12, goals->current_limit);
	put_le16(at + 14, goals->pwm);
}

static void push(struct kunit *test, struct goals goals)
{
	u8 sample[40] = {};

	put_ax(sample, &goals);
	put_x(sample + 8, &goals);
	put_x(sample + 24, &goals);
	fs_push_bytes(test, sample, sizeof(sample));
}

static void pose(struct kunit *test, struct goals goals)
{
	push(test, goals);
	fs_forget_sent();
	fs_tick(test);
}

static s16 reg16s(const struct fake_device *dev, u16 addr)
{
	return fs_reg16(dev, addr);
}

static s32 velocity_of(const struct fake_device *dev)
{
	return get_unaligned_le32(dev->table + VELOCITY2);
}

/* --- channels --- */

static void expect_channel(struct kunit *test, int index, enum iio_chan_type type, int number,
			   char sign, unsigned int bits)
{
	const struct iio_chan_spec *chan = &fs_pose->indio_dev->channels[index];

	KUNIT_EXPECT_EQ(test, chan->type, type);
	KUNIT_EXPECT_EQ(test, chan->channel, number);
	KUNIT_EXPECT_EQ(test, chan->scan_type.sign, sign);
	KUNIT_EXPECT_EQ(test, chan->scan_type.realbits, bits);
}

/* They are those of the model, in whatever mode. */
static void modes_channels(struct kunit *test)
{
	servos_of(test, true, PWM_MODE, POSITION_MODE);
	expect_channel(test, 0, IIO_ANGL, 1, 'u', 16);
	expect_channel(test, 1, IIO_ANGL_VEL, 1, 'u', 16);
	expect_channel(test, 2, IIO_ANGL_VEL, TWICE + 1, 's', 16);
	expect_channel(test, 8, IIO_ANGL, 3, 's', 32);
	expect_channel(test, 9, IIO_ANGL_VEL, 3, 'u', 32);
	expect_channel(test, 10, IIO_ANGL_VEL, TWICE + 3, 's', 32);
	expect_channel(test, 11, IIO_CURRENT, 3, 's', 16);
	expect_channel(test, 12, IIO_COUNT, TWICE + 3, 's', 16);

	/* Who comes next gets what he knows. */
	fs_open(test);
	fs_expect_attr(test, "all_goals", "1");
	fs_close(test);
	fs_wait_for_the_pose(test, 6);
	fs_expect_attr(test, "all_goals", "0");
}

/* --- what goes to whom --- */

static void modes_of_wheels(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, true, VELOCITY_MODE, PWM_MODE);

	fs_give_torque(test);
	fs_open(test);
	pose(test, (struct goals){ .velocity = -100, .pwm = 300 });
	KUNIT_EXPECT_EQ(test, fs_num_sent, 2);
	fs_expect_sent(test, 0, SPEED, 1);
	KUNIT_EXPECT_EQ(test, fs_sent[1].devices, 2);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 1024 + 100);
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), -100);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], PWM2), 800);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], PWM2), 300);

	/* No farther than the register goes. */
	pose(test, (struct goals){ .velocity = 30000, .pwm = -30000 });
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 1023);
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 1023);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], PWM2), -885);
}

static void modes_of_current(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, false, CURRENT_MODE, CURRENT_POSITION_MODE);

	fs_give_torque(test);
	fs_open(test);
	pose(test, (struct goals){ .position = 700, .speed = 9, .current_limit = -55 });
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 700);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[1], CURRENT2), -55);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], CURRENT2), -55);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[2]->table + GOAL2), 700);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[2]->table + SPEED2), 9);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[1]->table + GOAL2), 0);
}

/* What asks for nothing is not counted, else nobody would look at it. */
static void modes_ignored(struct kunit *test)
{
	servos_of(test, false, VELOCITY_MODE, POSITION_MODE);
	fs_open(test);
	pose(test, (struct goals){});
	fs_expect_attr(test, "ignored", "0");
	/* Of AX-12 and the third. */
	pose(test, (struct goals){ .velocity = 5 });
	fs_expect_attr(test, "ignored", "2");
	/* Of both X. */
	pose(test, (struct goals){ .pwm = 5 });
	fs_expect_attr(test, "ignored", "4");
	fs_expect_attr(test, "poses", "3");
}

/* --- what a pose says nothing of --- */

/* All but the goals of one kind, as a program has it that knows of each servo what it is. */
static void put_none(u8 *sample)
{
	const struct goals ax = { .position = NONE16, .speed = NONE16, .velocity = NONE16 };
	const struct goals x = {
		.position = NONE32,
		.speed = NONE32,
		.velocity = NONE32,
		.current_limit = NONE16,
		.pwm = NONE16,
	};

	put_ax(sample, &ax);
	put_x(sample + 8, &x);
	memcpy(sample + 24, sample + 8, 16);
}

/* A servo keeps what it has, be that a limit beside its goal. */
static void modes_left_out(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, true, VELOCITY_MODE, CURRENT_POSITION_MODE);
	u8 sample[40];

	put_none(sample);
	put_unaligned_le32(50, sample + 16);
	put_unaligned_le32(700, sample + 24);
	put_unaligned_le32(9, sample + 28);
	put_le16(f->servo[0]->table + SPEED, 33);
	put_le16(f->servo[2]->table + CURRENT2, 77);
	fs_give_torque(test);
	/* That has had them stand still. */
	put_le16(f->servo[0]->table + SPEED, 33);
	fs_open(test);
	fs_push_bytes(test, sample, sizeof(sample));
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 33);
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 50);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[2]->table + GOAL2), 700);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[2]->table + SPEED2), 9);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], CURRENT2), 77);
	fs_expect_attr(test, "ignored", "0");
	/* What turned before is stopped all the same. */
	fs_close(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 0);
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 0);
}

/* Nor is one that is not what a program takes it for sent anywhere, or made stiff. */
static void modes_not_as_meant(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, false, POSITION_MODE, POSITION_MODE);
	u8 sample[48] = {}, goals[40];
	unsigned int i;

	KUNIT_ASSERT_EQ(test, fs_store("stiffness", "1"), 1);
	fs_wait_for_the_pose(test, CHANNELS + 3);
	fs_take_time(test);
	put_le16(f->servo[0]->table + GOAL, 300);
	put_unaligned_le32(400, f->servo[1]->table + GOAL2);
	put_none(goals);
	memcpy(sample, goals, 6);
	put_le16(sample + 4, 100);
	put_le16(sample + 6, 500);
	memcpy(sample + 8, goals + 8, 16);
	put_unaligned_le32(100, sample + 16);
	put_le16(sample + 24, 500);
	put_x(sample + 28, &(struct goals){ .position = 200 });
	put_le16(sample + 44, 500);
	f->servo[0]->table[TORQUE] = 0;
	f->servo[1]->table[TORQUE2] = 0;
	f->servo[2]->table[TORQUE2] = 0;
	fs_open(test);
	for (i = 0; i < 3; i++) {
		fs_push_bytes(test, sample, sizeof(sample));
		fs_tick(test);
		fs_hear_from(test, 1);
		fs_hear_from(test, 2);
		fs_hear_from(test, 3);
	}
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 300);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[1]->table + GOAL2), 400);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE2], 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[2]->table + GOAL2), 200);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE2], 1);
}

/* --- the end of a motion that has none --- */

static void modes_end_with_stream(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, true, VELOCITY_MODE, PWM_MODE);

	fs_give_torque(test);
	fs_open(test);
	pose(test, (struct goals){ .velocity = 100, .pwm = 100 });
	fs_close(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 0);
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 0);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], PWM2), 0);
	fs_expect_torque(test, 1);
}

/* One that has not heard it at once hears it by itself. */
static void modes_end_unheard(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, true, VELOCITY_MODE, CURRENT_MODE);

	fs_give_torque(test);
	fs_open(test);
	pose(test, (struct goals){ .velocity = 100, .current_limit = 100 });
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 100);
	fs_deaf = 2;
	fs_close(test);
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 0);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], CURRENT2), 0);
}

/* One that may hear, and that nobody hears of, is let go. */
static void modes_end_in_doubt(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, true, VELOCITY_MODE, POSITION_MODE);

	fs_give_torque(test);
	fs_open(test);
	pose(test, (struct goals){ .velocity = 100 });
	fs_doubt(servo_device(test, 1));
	fs_doubt(servo_device(test, 3));
	fs_close(test);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE2], 1);
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 0);
	/* A joint holds. */
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE2], 1);
}

/* What is under way is not touched by who wants to know how long it takes. */
static void modes_plan_writes_nothing(struct kunit *test)
{
	struct dxl_target *target;
	u8 before[GOAL_BYTES_MAX];

	servos_of(test, false, POSITION_MODE, POSITION_MODE);
	fs_open(test);
	pose(test, (struct goals){ .position = 700, .speed = 9 });
	target = fs_pose->team->targets[1];
	memcpy(before, target->bytes, sizeof(before));
	target->goals[0].value = 800;
	dxl_cycle_update(fs_bus_of(test));
	KUNIT_EXPECT_MEMEQ(test, target->bytes, before, sizeof(before));
}

/* What was asked for before a trip is asked for no more. */
static void modes_trip(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, true, VELOCITY_MODE, PWM_MODE);

	fs_give_torque(test);
	fs_open(test);
	pose(test, (struct goals){ .velocity = 100, .pwm = 200 });
	fs_trip(test);
	fs_expect_torque(test, 0);
	fs_recover(test, 3);
	fs_expect_torque(test, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 0);
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 0);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], PWM2), 0);
}

/* Where the torque limit is a goal, the goal rises with it. */
static void modes_recover(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, true, VELOCITY_MODE, PWM_MODE);

	fs_give_torque(test);
	fs_open(test);
	fs_trip(test);
	fs_recover(test, 6);
	fs_pose->team->ramp.began = ktime_sub_ms(ktime_get(), RAMP_MS / 10);
	fs_tick(test);
	pose(test, (struct goals){ .velocity = 100, .pwm = 800 });
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 100);
	KUNIT_EXPECT_GE(test, reg16s(f->servo[2], PWM2), 885 / 10);
	KUNIT_EXPECT_LT(test, reg16s(f->servo[2], PWM2), 800);
	fs_end_ramp(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT2), 800);
	pose(test, (struct goals){ .pwm = 800 });
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], PWM2), 800);
}

/* Neither does torque by hand begin the old motion again. */
static void modes_by_hand(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, true, VELOCITY_MODE, PWM_MODE);

	fs_give_torque(test);
	fs_open(test);
	pose(test, (struct goals){ .velocity = 100, .pwm = 200 });
	fs_trip(test);
	fs_close(test);
	put_le16(f->servo[0]->table + SPEED, 100);
	put_unaligned_le32(100, f->servo[1]->table + VELOCITY2);
	put_le16(f->servo[2]->table + PWM2, 200);
	fs_give_torque(test);
	fs_expect_torque(test, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 0);
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 0);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], PWM2), 0);
}

/* A speed gives a wheel no torque, but stiffness does. */
static void modes_with_stiffness(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, true, POSITION_MODE, PWM_MODE);
	u8 sample[48] = {};

	KUNIT_ASSERT_EQ(test, fs_store("stiffness", "1"), 1);
	fs_wait_for_the_pose(test, CHANNELS + 3);
	fs_take_time(test);
	fs_open(test);
	/* Of AX-12 behind its velocity, of X behind their PWM. */
	put_ax(sample, &(struct goals){ .velocity = 100 });
	put_le16(sample + 6, 500);
	put_x(sample + 8, &(struct goals){ .position = 100 });
	put_le16(sample + 24, 400);
	put_x(sample + 28, &(struct goals){ .pwm = 800 });
	put_le16(sample + 44, 300);
	fs_push_bytes(test, sample, sizeof(sample));
	fs_tick(test);
	/* Those that nobody had heard of have been asked meanwhile. */
	fs_hear_from(test, 1);
	fs_hear_from(test, 2);
	fs_hear_from(test, 3);
	fs_push_bytes(test, sample, sizeof(sample));
	fs_tick(test);
	fs_expect_torque(test, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 100);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT2), 400);
	/* No more than it is to be stiff, and no such limit where that is a goal. */
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], PWM2), 300);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], PWM2), 0);
}

/* --- a goal that is the torque limit elsewhere --- */

static void modes_pwm_is_no_limit(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, false, POSITION_MODE, PWM_MODE);
	struct device *iio = servo_iio(test, 3);

	KUNIT_EXPECT_EQ(test, dev_attr_store(iio, "out_angl0_torque_limit", "10"), -EBUSY);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], PWM2), 800);
	KUNIT_EXPECT_EQ(test, dev_attr_store(iio, "out_count0_raw", "-77"), 3);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[2], PWM2), -77);
	/* The other way round, too. */
	KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, 2), "out_count0_raw", "7"),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, reg16s(f->servo[1], PWM2), 800);
}

/* Poses have the say on all goals that they have. */
static void modes_exclude_others(struct kunit *test)
{
	servos_of(test, true, CURRENT_MODE, PWM_MODE);
	fs_open(test);
	KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, 1), "out_anglvel0_raw", "7"),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, 2), "out_current0_raw", "7"),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, 3), "out_count0_raw", "7"),
			-EBUSY);
}

/* --- what the driver takes the mode for --- */

static void (*usual)(struct fake_line *line, const struct dxl_packet *request);

/**
 * struct late_answer - one that a servo gives when the test says so
 * @asked: the servo has been asked
 * @go_on: it may answer
 * @armed: its next answer waits for that
 */
static struct late_answer {
	struct completion asked;
	struct completion go_on;
	bool armed;
} late;

static bool asks_for_mode(const struct dxl_packet *request)
{
	return request->id == 1 && request->instruction == DXL_READ &&
	       request->params[0] == CW_LIMIT;
}

/* The servo says what it is, and the answer takes its time. */
static void respond_late(struct fake_line *line, const struct dxl_packet *request)
{
	u8 mode[4];

	if (!late.armed || !asks_for_mode(request)) {
		usual(line, request);
		return;
	}

	late.armed = false;
	memcpy(mode, line->devices[0].table + CW_LIMIT, sizeof(mode));
	complete(&late.asked);
	wait_for_completion_timeout(&late.go_on, msecs_to_jiffies(FAKE_PATIENCE_MS));
	fake_line_status(line, DXL_PROTOCOL_1, 1, 0, mode, sizeof(mode));
}

static const struct dxl_servo_mode *mode_of(struct kunit *test)
{
	return READ_ONCE(fs_servo(test, 1)->mode);
}

static bool is_changing(struct kunit *test)
{
	return !dxl_servo_mode_is_known(fs_servo(test, 1));
}

static void wait_for_mode(struct kunit *test)
{
	const struct dxl_servo *servo = fs_servo(test, 1);
	unsigned int ms;

	for (ms = 0; ms < FAKE_PATIENCE_MS && !dxl_servo_mode_is_known(servo); ms++)
		usleep_range(1000, 2000);
	KUNIT_EXPECT_TRUE(test, dxl_servo_mode_is_known(servo));
}

/* A reader has an old answer by the time at which the mode is another one. */
static void modes_beside_reader(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	u8 *table = f->servo[0]->table;
	struct attr_user *reader, *writer;

	table[TORQUE] = 0;
	put_le16(table + CCW_LIMIT, 1023);
	put_le16(table + SPEED, 200);
	late.armed = true;
	init_completion(&late.asked);
	init_completion(&late.go_on);
	usual = f->line->respond;
	f->line->respond = respond_late;

	reader = attr_read(test, servo_iio(test, 1), "operating_mode");
	KUNIT_ASSERT_GT(test, wait_for_completion_timeout(&late.asked,
							  msecs_to_jiffies(FAKE_PATIENCE_MS)), 0);
	writer = attr_write(test, servo_iio(test, 1), "operating_mode", "pwm");
	/* It has the servo's lock then, for which a reader with an old answer would wait. */
	KUNIT_EXPECT_TRUE(test, fake_line_wait_pending(f->line, DXL_PRIO_REQUEST));
	complete(&late.go_on);
	attr_result(writer);
	attr_result(reader);

	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], CCW_LIMIT), 0);
	KUNIT_EXPECT_STREQ(test, mode_of(test)->name, "pwm");
	/* So what would turn stands still before it gets torque, and no pose goes to it. */
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 1), 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 0);
	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 0);
	fs_close(test);
}

/* Another program has changed it, by another way: a reader has the driver know. */
static void modes_changed_elsewhere(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	put_le16(f->servo[0]->table + CCW_LIMIT, 1023);
	dev_attr_show(servo_iio(test, 1), "operating_mode", buf);
	KUNIT_EXPECT_STREQ(test, mode_of(test)->name, "position");
	put_le16(f->servo[0]->table + CCW_LIMIT, 0);
	KUNIT_EXPECT_GT(test, dev_attr_show(servo_iio(test, 1), "operating_mode", buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, "pwm\n");
	KUNIT_EXPECT_STREQ(test, mode_of(test)->name, "pwm");
}

static unsigned int refusals;

static void respond_refuse(struct fake_line *line, const struct dxl_packet *request)
{
	if (!refusals || !asks_for_mode(request)) {
		usual(line, request);
		return;
	}

	refusals--;
	fake_line_status(line, DXL_PROTOCOL_1, 1, DXL1_ERR_CHECKSUM, NULL, 0);
}

/* @times a request to read the mode is refused, and so repeated once. */
static void set_mode_unread(struct kunit *test, unsigned int times)
{
	struct fake_servos *f = fs_of_v1(test);

	f->servo[0]->table[TORQUE] = 0;
	put_le16(f->servo[0]->table + CCW_LIMIT, 1023);
	usual = f->line->respond;
	f->line->respond = respond_refuse;
	refusals = 2 * times;
	KUNIT_EXPECT_LT(test, dev_attr_store(servo_iio(test, 1), "operating_mode", "pwm"), 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], CCW_LIMIT), 0);
}

/* The servo has done it, though nobody could read that. */
static void modes_written_unread(struct kunit *test)
{
	set_mode_unread(test, 1);
	KUNIT_EXPECT_STREQ(test, mode_of(test)->name, "pwm");
	KUNIT_EXPECT_FALSE(test, is_changing(test));
}

/* Nor afterwards: it gets nothing until it has told, for which it is asked again. */
static void modes_unread_for_long(struct kunit *test)
{
	struct fake_servos *f;

	set_mode_unread(test, 100);
	f = test->priv;
	KUNIT_EXPECT_TRUE(test, is_changing(test));
	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], SPEED), 0);
	fs_close(test);
	KUNIT_EXPECT_LT(test, chan_write(fs_goal_of(test, 1), 5), 0);
	KUNIT_EXPECT_LT(test, chan_write_enable(fs_goal_of(test, 1), 1), 0);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	/* But it is let go. */
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);

	refusals = 0;
	wait_for_mode(test);
	KUNIT_EXPECT_STREQ(test, mode_of(test)->name, "pwm");
}

/* The servo does what it is told, and says nothing any more. */
static void respond_last(struct fake_line *line, const struct dxl_packet *request)
{
	usual(line, request);
	if (request->id == 1 && request->instruction == DXL_WRITE &&
	    request->params[0] == CW_LIMIT)
		line->devices[0].silent = true;
}

/* Nobody has to use it to have it asked again. */
static void modes_unread_in_silence(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	f->servo[0]->table[TORQUE] = 0;
	put_le16(f->servo[0]->table + CCW_LIMIT, 1023);
	usual = f->line->respond;
	f->line->respond = respond_last;
	KUNIT_EXPECT_LT(test, dev_attr_store(servo_iio(test, 1), "operating_mode", "pwm"), 0);
	flush_work(&servo_device(test, 1)->state_changed);
	KUNIT_EXPECT_TRUE(test, is_changing(test));
	f->line->respond = usual;
	f->servo[0]->silent = false;
	wait_for_mode(test);
	KUNIT_EXPECT_STREQ(test, mode_of(test)->name, "pwm");
}

/* What holds is not disturbed by who is refused. */
static void modes_refused(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_give_torque(test);
	put_le16(f->servo[0]->table + CCW_LIMIT, 1023);
	usual = f->line->respond;
	f->line->respond = respond_refuse;
	refusals = 100;
	KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, 1), "operating_mode", "pwm"),
			-EBUSY);
	KUNIT_EXPECT_FALSE(test, is_changing(test));
}

/* A servo of which nobody knows whether it is a wheel may turn on. */
static void modes_in_doubt_at_the_end(struct kunit *test)
{
	struct fake_servos *f = servos_of(test, false, VELOCITY_MODE, POSITION_MODE);
	struct dxl_servo *servo = fs_servo(test, 2);

	fs_give_torque(test);
	fs_open(test);
	pose(test, (struct goals){ .velocity = 50 });
	KUNIT_ASSERT_EQ(test, velocity_of(f->servo[1]), 50);
	WRITE_ONCE(servo->mode_in_doubt, true);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE2], 0);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE2], 1);
}

/* Behind a stream nobody would ask a servo that its poses have passed over. */
static void modes_passed_over_in_doubt(struct kunit *test)
{
	struct dxl_servo *servo;

	servos_of(test, false, VELOCITY_MODE, POSITION_MODE);
	servo = fs_servo(test, 2);
	KUNIT_ASSERT_EQ(test, fs_store("all_goals", "0"), 1);
	fs_wait_for_the_pose(test, 6);
	fs_take_time(test);
	fs_give_torque(test);
	fs_open(test);
	fs_doubt(servo_device(test, 2));
	fs_doubt(servo_device(test, 3));
	fs_close(test);
	KUNIT_EXPECT_EQ(test, servo->torque, TORQUE_STIFF);
	servo = fs_servo(test, 3);
	KUNIT_EXPECT_EQ(test, servo->torque, TORQUE_DOUBTED);
}

/* --- wheels, and those who read --- */

#define READERS	250

static unsigned int reads, reads_before_stop;
static bool ends;

/* Each answer takes its time. What is for several is that all stand still. */
static void respond_slowly(struct fake_line *line, const struct dxl_packet *request)
{
	bool group = request->instruction == DXL_SYNC_WRITE ||
		     request->instruction == DXL_BULK_WRITE;

	if (ends && request->instruction == DXL_READ) {
		reads++;
		usleep_range(1000, 1100);
	}
	if (ends && group) {
		reads_before_stop = reads;
		ends = false;
	}
	usual(line, request);
}

static void begin_to_read(struct kunit *test, struct fake_line *line,
			  enum dxl_priority priority)
{
	struct fake_request *req;
	unsigned int i;

	for (i = 0; i < READERS; i++) {
		req = fake_line_read2(line, 3, POSITION2, 4);
		req->reply.ddev = NULL;
		req->xfer.priority = priority;
		KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	}
}

/* A servo that nobody has heard of is being asked when the stream ends. */
static void stop_beside(struct kunit *test, enum dxl_priority priority)
{
	struct fake_servos *f = servos_of(test, false, VELOCITY_MODE, POSITION_MODE);

	fs_give_torque(test);
	fs_open(test);
	pose(test, (struct goals){ .velocity = 50 });
	KUNIT_ASSERT_EQ(test, velocity_of(f->servo[1]), 50);

	WRITE_ONCE(servo_device(test, 1)->heard, jiffies - HZ);
	usual = f->line->respond;
	f->line->respond = respond_slowly;
	reads = 0;
	ends = true;
	begin_to_read(test, f->line, priority);
	mod_delayed_work(system_freezable_wq, &fs_pose->team->patrol, 0);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(f->line, f->line->writes + 2));
	reads = 0;
	fs_close(test);
	KUNIT_EXPECT_FALSE(test, ends);
	KUNIT_EXPECT_LT(test, reads_before_stop, READERS / 2);
	KUNIT_EXPECT_EQ(test, velocity_of(f->servo[1]), 0);
}

/* Anybody may read an attribute, as often as he likes. */
static void modes_stop_beside_readers(struct kunit *test)
{
	stop_beside(test, DXL_PRIO_ATTRIBUTE);
}

/* And a program that may write makes requests, among which the question has its turn. */
static void modes_stop_beside_writers(struct kunit *test)
{
	stop_beside(test, DXL_PRIO_REQUEST);
}

static struct kunit_case modes_cases[] = {
	KUNIT_CASE(modes_channels),
	KUNIT_CASE(modes_of_wheels),
	KUNIT_CASE(modes_of_current),
	KUNIT_CASE(modes_ignored),
	KUNIT_CASE(modes_left_out),
	KUNIT_CASE(modes_not_as_meant),
	KUNIT_CASE(modes_end_with_stream),
	KUNIT_CASE(modes_end_unheard),
	KUNIT_CASE(modes_end_in_doubt),
	KUNIT_CASE(modes_plan_writes_nothing),
	KUNIT_CASE(modes_trip),
	KUNIT_CASE(modes_recover),
	KUNIT_CASE(modes_by_hand),
	KUNIT_CASE(modes_with_stiffness),
	KUNIT_CASE(modes_pwm_is_no_limit),
	KUNIT_CASE(modes_exclude_others),
	KUNIT_CASE(modes_beside_reader),
	KUNIT_CASE(modes_changed_elsewhere),
	KUNIT_CASE(modes_written_unread),
	KUNIT_CASE(modes_unread_for_long),
	KUNIT_CASE(modes_unread_in_silence),
	KUNIT_CASE(modes_refused),
	KUNIT_CASE(modes_in_doubt_at_the_end),
	KUNIT_CASE(modes_passed_over_in_doubt),
	KUNIT_CASE(modes_stop_beside_readers),
	KUNIT_CASE(modes_stop_beside_writers),
	{}
};

static struct kunit_suite modes_suite = {
	.name = "dxl_modes",
	.test_cases = modes_cases,
};

kunit_test_suite(modes_suite);
