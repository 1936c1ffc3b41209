// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the states of a servo's torque
 *
 * Each row of the table in Documentation/cycle.rst stands here once more, and every event
 * that is in none of them has to change nothing. Then what a stream makes of the states.
 */
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/iio/iio.h>
#include <linux/jiffies.h>
#include <linux/poll.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include "fake_stream.h"

#define MAX_TORQUE	14
#define ALARM_VOLTAGE	BIT(0)

/* A bit of Hardware Error Status of the X series */
#define ERROR2_VOLTAGE	BIT(0)

/**
 * struct torque_edge - a row
 * @before: state before
 * @event: what happens
 * @after: state after
 */
struct torque_edge {
	enum dxl_torque before;
	enum dxl_torque_event event;
	enum dxl_torque after;
};

static const struct torque_edge edges[] = {
	{ TORQUE_UNHEARD, TORQUE_ANSWERED, TORQUE_UNUSED },
	{ TORQUE_UNHEARD, TORQUE_GIVEN, TORQUE_STIFF },
	{ TORQUE_UNHEARD, TORQUE_MOVED, TORQUE_STIFF },
	{ TORQUE_UNHEARD, TORQUE_EASED, TORQUE_RELAXED },
	{ TORQUE_UNHEARD, TORQUE_LET_GO, TORQUE_FREE },
	{ TORQUE_UNHEARD, TORQUE_TAKEN, TORQUE_TRIPPED },
	{ TORQUE_UNUSED, TORQUE_MISSED, TORQUE_UNHEARD },
	{ TORQUE_UNUSED, TORQUE_GIVEN, TORQUE_STIFF },
	{ TORQUE_UNUSED, TORQUE_MOVED, TORQUE_STIFF },
	{ TORQUE_UNUSED, TORQUE_EASED, TORQUE_RELAXED },
	{ TORQUE_UNUSED, TORQUE_LET_GO, TORQUE_FREE },
	{ TORQUE_UNUSED, TORQUE_TAKEN, TORQUE_TRIPPED },
	{ TORQUE_STIFF, TORQUE_MISSED, TORQUE_DOUBTED },
	{ TORQUE_STIFF, TORQUE_EASED, TORQUE_RELAXED },
	{ TORQUE_STIFF, TORQUE_LET_GO, TORQUE_FREE },
	{ TORQUE_STIFF, TORQUE_TAKEN, TORQUE_TRIPPED },
	{ TORQUE_DOUBTED, TORQUE_ANSWERED, TORQUE_STIFF },
	{ TORQUE_DOUBTED, TORQUE_GONE, TORQUE_TRIPPED },
	{ TORQUE_DOUBTED, TORQUE_FAILED, TORQUE_SHUT_DOWN },
	{ TORQUE_DOUBTED, TORQUE_EASED, TORQUE_RELAXED },
	{ TORQUE_DOUBTED, TORQUE_LET_GO, TORQUE_FREE },
	{ TORQUE_DOUBTED, TORQUE_TAKEN, TORQUE_TRIPPED },
	{ TORQUE_FREE, TORQUE_GIVEN, TORQUE_STIFF },
	{ TORQUE_FREE, TORQUE_MOVED, TORQUE_STIFF },
	{ TORQUE_FREE, TORQUE_CLAIMED, TORQUE_RELAXED },
	{ TORQUE_FREE, TORQUE_TAKEN, TORQUE_TRIPPED },
	{ TORQUE_RELAXED, TORQUE_FAILED, TORQUE_SHUT_DOWN },
	{ TORQUE_RELAXED, TORQUE_GIVEN, TORQUE_STIFF },
	{ TORQUE_RELAXED, TORQUE_MOVED, TORQUE_STIFF },
	{ TORQUE_RELAXED, TORQUE_LET_GO, TORQUE_FREE },
	{ TORQUE_RELAXED, TORQUE_TAKEN, TORQUE_TRIPPED },
	{ TORQUE_TRIPPED, TORQUE_GIVEN, TORQUE_STIFF },
	{ TORQUE_TRIPPED, TORQUE_CLAIMED, TORQUE_RELAXED },
	{ TORQUE_TRIPPED, TORQUE_RECOVERS, TORQUE_RECOVERING },
	{ TORQUE_RECOVERING, TORQUE_MISSED, TORQUE_RECOVERING_DOUBTED },
	{ TORQUE_RECOVERING, TORQUE_RECOVERED, TORQUE_STIFF },
	{ TORQUE_RECOVERING, TORQUE_EASED, TORQUE_RELAXED },
	{ TORQUE_RECOVERING, TORQUE_LET_GO, TORQUE_FREE },
	{ TORQUE_RECOVERING, TORQUE_TAKEN, TORQUE_TRIPPED },
	{ TORQUE_RECOVERING_DOUBTED, TORQUE_ANSWERED, TORQUE_RECOVERING },
	{ TORQUE_RECOVERING_DOUBTED, TORQUE_GONE, TORQUE_TRIPPED },
	{ TORQUE_RECOVERING_DOUBTED, TORQUE_FAILED, TORQUE_SHUT_DOWN },
	{ TORQUE_RECOVERING_DOUBTED, TORQUE_RECOVERED, TORQUE_DOUBTED },
	{ TORQUE_RECOVERING_DOUBTED, TORQUE_EASED, TORQUE_RELAXED },
	{ TORQUE_RECOVERING_DOUBTED, TORQUE_LET_GO, TORQUE_FREE },
	{ TORQUE_RECOVERING_DOUBTED, TORQUE_TAKEN, TORQUE_TRIPPED },
	{ TORQUE_SHUT_DOWN, TORQUE_GIVEN, TORQUE_STIFF },
	{ TORQUE_SHUT_DOWN, TORQUE_RECOVERS, TORQUE_RECOVERING },
};

static enum dxl_torque expected(enum dxl_torque before, enum dxl_torque_event event)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(edges); i++)
		if (edges[i].before == before && edges[i].event == event)
			return edges[i].after;

	return before;
}

static void torque_edges(struct kunit *test)
{
	unsigned int before, event;

	for (before = TORQUE_STATES_BEGIN + 1; before < TORQUE_STATES; before++)
		for (event = 0; event < TORQUE_EVENTS; event++)
			KUNIT_EXPECT_EQ_MSG(test, dxl_torque_next(before, event),
					    expected(before, event),
					    "state %u, event %u", before, event);
}

/* Nothing that the servo does by itself, or a stream, leads back to torque. */
static void torque_taken_stays(struct kunit *test)
{
	static const enum dxl_torque taken[] = {
		TORQUE_FREE, TORQUE_TRIPPED, TORQUE_SHUT_DOWN
	};
	static const enum dxl_torque_event others[] = {
		TORQUE_MISSED, TORQUE_ANSWERED, TORQUE_GONE, TORQUE_FAILED, TORQUE_RECOVERED,
	};
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(taken); i++)
		for (k = 0; k < ARRAY_SIZE(others); k++)
			KUNIT_EXPECT_EQ(test, dxl_torque_next(taken[i], others[k]), taken[i]);
}

/* --- by hand --- */

static void pose_goes_to(struct kunit *test, unsigned int servos)
{
	fs_forget_sent();
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, servos);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
}

/* The next pose does not undo it, and torque by hand does not make the joint leap. */
static void torque_off_in_stream(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	pose_goes_to(test, 3);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);
	pose_goes_to(test, 2);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);

	put_le16(f->servo[0]->table + POSITION, 123);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 1), 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 123);
	pose_goes_to(test, 3);
}

/* Somebody has pushed it further than it can be told to go. */
static void torque_beyond_range(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);
	put_le16(f->servo[0]->table + POSITION, 1100);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 1), 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 1023);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
}

/* Nor does the next stream. */
static void torque_off_before_stream(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);
	fs_open(test);
	pose_goes_to(test, 2);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);

	/* That is what its user wants of it. */
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 1), 400), 0);
	fs_open(test);
	pose_goes_to(test, 3);
}

/* Nor what gives all others their torque back. */
static void torque_off_in_recovery(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);
	fs_trip(test);
	fs_recover(test, 7);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);

	/* Half a ramp is no torque limit for later. */
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 2), 0), 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 1000);
	fs_end_ramp(test);
	pose_goes_to(test, 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
}

/* The order of Documentation/cycle.rst, after a trip. */
static void torque_by_hand_after_trip(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	pose_goes_to(test, 3);
	fs_trip(test);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 1), -EBUSY);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 1), 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, 1), "out_angl0_torque_limit",
					     "50"), 2);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 1), 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 512);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 1), 5), 0);
}

/* It holds where it is, whatever goal it had been given before. */
static void torque_after_goal(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);

	f->servo[1]->table[TORQUE2] = 0;
	put_unaligned_le32(600, f->servo[1]->table + POSITION2);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 2), 700), 0);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 2), 1), 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[1]->table + GOAL2), 600);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 2), 700), 0);
	/* One that holds is not disturbed. */
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 2), 1), 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[1]->table + GOAL2), 700);
}

/* What is written in mid-ramp is where it ends, and not all at once. */
static void torque_limit_in_recovery(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	fs_trip(test);
	fs_recover(test, 6);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 0);
	KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, 1), "out_angl0_torque_limit",
					     "50"), 2);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 0);
	fs_end_ramp(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 512);
}

/* --- servos that shut themselves down --- */

static void expect_left_alone(struct kunit *test, u8 id)
{
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, id), 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, id), 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, id), "out_angl0_torque_limit",
					     "50"), -EBUSY);
}

static void torque_shut_down(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	put_le16(f->servo[0]->table + MAX_TORQUE, 900);
	fs_open(test);
	pose_goes_to(test, 3);
	fs_shut_down(f->servo[0], ALARM_OVERLOAD);
	fs_hear_from(test, 1);
	fs_shut_down(f->servo[1], ALARM_HEAT);
	fs_hear_from(test, 2);
	expect_left_alone(test, 1);
	pose_goes_to(test, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 0);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);

	KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, 7), "out_angl0_torque_limit",
					     "50"), 2);
	f->servo[0]->error = 0;
	f->servo[1]->error = 0;
	fs_recover(test, 6);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	fs_end_ramp(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 900);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[2], LIMIT), 512);
	pose_goes_to(test, 3);
}

/* That it is hot it says long before it does anything about it. */
static void torque_alarm(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	pose_goes_to(test, 3);
	f->servo[0]->error = ALARM_HEAT;
	fs_hear_from(test, 1);
	pose_goes_to(test, 3);
	/* The next alarm is another one. */
	fs_shut_down(f->servo[0], ALARM_HEAT | ALARM_OVERLOAD);
	fs_hear_from(test, 1);
	pose_goes_to(test, 2);
}

static void run_patrol(struct kunit *test, u8 id)
{
	struct dxl_device *ddev = servo_device(test, id);

	mod_delayed_work(system_freezable_wq, &fs_pose->team->patrol, 0);
	flush_delayed_work(&fs_pose->team->patrol);
	flush_work(&ddev->state_changed);
	cancel_delayed_work_sync(&fs_pose->team->patrol);
}

/* It has been hot for long, and says nothing new when that is too much. */
static void torque_alarm_of_old(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	pose_goes_to(test, 3);
	f->servo[0]->error = ALARM_HEAT;
	fs_hear_from(test, 1);
	fs_shut_down(f->servo[0], ALARM_HEAT);
	fs_hear_from(test, 1);
	pose_goes_to(test, 3);
	fs_pose->team->targets[0]->doubted = jiffies - 2 * HZ;
	run_patrol(test, 1);
	pose_goes_to(test, 2);
}

/* Nor is it forgotten what was said before the stream. */
static void torque_alarm_before_stream(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	pose_goes_to(test, 3);
	fs_close(test);
	fs_shut_down(f->servo[0], ALARM_OVERLOAD);
	fs_hear_from(test, 1);
	fs_open(test);
	flush_work(&servo_device(test, 1)->state_changed);
	pose_goes_to(test, 2);
}

/* A voltage that is too low by now and then keeps nobody from moving. */
static void torque_alarm_of_voltage(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);
	unsigned int doubts = READ_ONCE(ddev->doubts);

	fs_open(test);
	f->servo[0]->error = ALARM_VOLTAGE;
	fs_hear_from(test, 1);
	KUNIT_EXPECT_EQ(test, READ_ONCE(ddev->doubts), doubts);
	pose_goes_to(test, 3);
}

/* In Protocol 2.0 that is the same alert, and what it is has to be asked. */
static void torque_alarm_of_voltage_v2(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);
	struct dxl_servo *servo = fs_servo(test, 2);

	fs_open(test);
	f->servo[1]->error = DXL2_ERR_ALERT;
	f->servo[1]->table[ERRORS2] = ERROR2_VOLTAGE;
	f->servo[1]->table[TORQUE2] = 0;
	fs_hear_from(test, 2);
	KUNIT_EXPECT_EQ(test, READ_ONCE(servo->torque), TORQUE_TRIPPED);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
}

/* What is hot would only shut itself down again. */
static void torque_recovers_no_heat(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	pose_goes_to(test, 3);
	fs_shut_down(f->servo[0], ALARM_HEAT);
	fs_hear_from(test, 1);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), -EIO);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 0);
	fs_expect_attr(test, "stream_state", "streaming");
	f->servo[0]->error = 0;
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
}

/* Who lets it go by hand as well does not want it to recover. */
static void torque_shut_down_by_hand(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	pose_goes_to(test, 3);
	fs_shut_down(f->servo[0], ALARM_OVERLOAD);
	fs_hear_from(test, 1);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);
	expect_left_alone(test, 1);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), -EINVAL);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 1), 0);
}

/* A trip is told to all, those included of which everybody thinks that they are free. */
static void torque_off_at_trip(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	pose_goes_to(test, 3);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);
	f->servo[0]->table[TORQUE] = 1;
	fs_trip(test);
	fs_expect_torque(test, 0);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 1), 5), -EBUSY);
}

/* Between the alarm and the answer to what it means nothing is sent. */
static void torque_alarm_unasked(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev;
	u8 buf[2];

	fs_open(test);
	pose_goes_to(test, 3);
	ddev = servo_device(test, 1);
	fs_shut_down(f->servo[0], ALARM_OVERLOAD);
	scoped_guard(device, &ddev->dev) {
		KUNIT_EXPECT_EQ(test, dxl_read(ddev, POSITION, buf, sizeof(buf)), 0);
		pose_goes_to(test, 2);
	}
}

/* A program that reads nothing does not keep it from being noticed. */
static void torque_shut_down_unheard(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev;

	fs_open(test);
	pose_goes_to(test, 3);
	ddev = servo_device(test, 1);
	fs_shut_down(f->servo[0], ALARM_OVERLOAD);
	WRITE_ONCE(ddev->heard, jiffies - HZ);
	run_patrol(test, 1);
	pose_goes_to(test, 2);
}

/* Only a restart helps those of Protocol 2.0. */
static void torque_shut_down_v2(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);

	fs_open(test);
	fs_shut_down(f->servo[1], DXL2_ERR_ALERT);
	fs_hear_from(test, 2);
	expect_left_alone(test, 2);
	fs_trip(test);
	fs_recover(test, 6);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE2], 0);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE2], 1);
}

/* It stays so when the stream ends, for the next as well. */
static void torque_shut_down_stays(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	pose_goes_to(test, 3);
	fs_shut_down(f->servo[0], ALARM_OVERLOAD);
	fs_hear_from(test, 1);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 1), 5), -EBUSY);
	fs_open(test);
	fs_expect_attr(test, "stream_state", "tripped");
}

/* --- what user space sees of it --- */

static void expect_word(struct kunit *test, u8 id, const char *want)
{
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_ASSERT_GT(test, dev_attr_show(servo_iio(test, id), "torque_state", buf), 0);
	KUNIT_EXPECT_STREQ(test, strim(buf), want);
}

/* A word for each state. */
static void torque_words(struct kunit *test)
{
	static const char * const words[TORQUE_STATES] = {
		[TORQUE_UNHEARD] = "unheard",
		[TORQUE_UNUSED] = "unused",
		[TORQUE_STIFF] = "stiff",
		[TORQUE_DOUBTED] = "doubted",
		[TORQUE_FREE] = "free",
		[TORQUE_RELAXED] = "relaxed",
		[TORQUE_TRIPPED] = "tripped",
		[TORQUE_RECOVERING] = "recovering",
		[TORQUE_RECOVERING_DOUBTED] = "recovering-doubted",
		[TORQUE_SHUT_DOWN] = "shut-down",
	};
	struct dxl_servo *servo;
	enum dxl_torque torque;

	fs_of_v1(test);
	servo = fs_servo(test, 1);
	expect_word(test, 1, "unused");
	for (torque = TORQUE_STATES_BEGIN + 1; torque < TORQUE_STATES; torque++) {
		WRITE_ONCE(servo->torque, torque);
		expect_word(test, 1, words[torque]);
	}
}

static void torque_words_of_a_stream(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	pose_goes_to(test, 3);
	expect_word(test, 1, "stiff");
	fs_doubt(servo_device(test, 1));
	pose_goes_to(test, 2);
	expect_word(test, 1, "doubted");
	fs_tell_of_doubt(servo_device(test, 1));
	expect_word(test, 1, "stiff");
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 2), 0), 0);
	expect_word(test, 2, "free");
	fs_shut_down(f->servo[0], ALARM_OVERLOAD);
	fs_hear_from(test, 1);
	expect_word(test, 1, "shut-down");
	fs_trip(test);
	expect_word(test, 7, "tripped");
	/* No recovery brings it back. */
	expect_word(test, 2, "free");
	fs_recover(test, 1);
	expect_word(test, 7, "recovering");
	fs_close(test);
	expect_word(test, 7, "tripped");
}

/* Neither is known of a servo that is not there. */
static void torque_words_of_nobody(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_lose(test, 0);
	expect_word(test, 1, "lost");
	put_le16(f->servo[0]->table, 29);
	fs_come_back(test, 0);
	expect_word(test, 1, "other-model");
	fs_lose(test, 0);
	expect_word(test, 1, "lost");
	put_le16(f->servo[0]->table, 12);
	fs_come_back(test, 0);
	expect_word(test, 1, "unused");
}

/* Open for reading, and read. */
static struct file *poller_of(struct kunit *test, u8 id)
{
	char *path = kunit_kzalloc(test, 64, GFP_KERNEL);
	struct file *file;

	KUNIT_ASSERT_NOT_NULL(test, path);
	snprintf(path, 64, "/sys/bus/iio/devices/%s/torque_state", dev_name(servo_iio(test, id)));
	file = filp_open(path, O_RDONLY, 0);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(file), "%pe", file);

	return file;
}

/* Whether it has changed since it was read; reads it. */
static bool has_changed(struct kunit *test, struct file *file)
{
	bool changed = vfs_poll(file, NULL) & EPOLLPRI;
	loff_t pos = 0;
	char buf[32];

	KUNIT_EXPECT_GT(test, kernel_read(file, buf, sizeof(buf), &pos), 0);

	return changed;
}

static void torque_is_polled(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);
	struct file *file = poller_of(test, 1);

	has_changed(test, file);
	KUNIT_EXPECT_FALSE(test, has_changed(test, file));
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 1), 0);
	KUNIT_EXPECT_TRUE(test, has_changed(test, file));
	/* Nothing has. */
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 1), 0);
	KUNIT_EXPECT_FALSE(test, has_changed(test, file));

	fs_open(test);
	pose_goes_to(test, 3);
	fs_trip(test);
	KUNIT_EXPECT_TRUE(test, has_changed(test, file));
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);
	KUNIT_EXPECT_TRUE(test, has_changed(test, file));
	fs_close(test);

	fs_give_torque(test);
	fs_open(test);
	pose_goes_to(test, 3);
	has_changed(test, file);
	fs_doubt(ddev);
	fs_push(test, 300);
	fs_tick(test);
	KUNIT_EXPECT_TRUE(test, has_changed(test, file));
	fs_close(test);

	has_changed(test, file);
	fs_lose(test, 0);
	flush_work(&ddev->state_changed);
	KUNIT_EXPECT_TRUE(test, has_changed(test, file));
	put_le16(f->servo[0]->table, 29);
	fs_come_back(test, 0);
	KUNIT_EXPECT_TRUE(test, has_changed(test, file));

	/* Its device goes while somebody polls. */
	device_release_driver(&ddev->dev);
	KUNIT_EXPECT_TRUE(test, vfs_poll(file, NULL) & EPOLLERR);
	filp_close(file, NULL);
	flush_delayed_fput();
}

static struct kunit_case torque_cases[] = {
	KUNIT_CASE(torque_edges),
	KUNIT_CASE(torque_taken_stays),
	KUNIT_CASE(torque_off_in_stream),
	KUNIT_CASE(torque_beyond_range),
	KUNIT_CASE(torque_off_before_stream),
	KUNIT_CASE(torque_off_in_recovery),
	KUNIT_CASE(torque_by_hand_after_trip),
	KUNIT_CASE(torque_after_goal),
	KUNIT_CASE(torque_limit_in_recovery),
	KUNIT_CASE(torque_shut_down),
	KUNIT_CASE(torque_alarm),
	KUNIT_CASE(torque_alarm_of_old),
	KUNIT_CASE(torque_alarm_before_stream),
	KUNIT_CASE(torque_alarm_of_voltage),
	KUNIT_CASE(torque_alarm_of_voltage_v2),
	KUNIT_CASE(torque_recovers_no_heat),
	KUNIT_CASE(torque_shut_down_by_hand),
	KUNIT_CASE(torque_off_at_trip),
	KUNIT_CASE(torque_alarm_unasked),
	KUNIT_CASE(torque_shut_down_unheard),
	KUNIT_CASE(torque_shut_down_v2),
	KUNIT_CASE(torque_shut_down_stays),
	KUNIT_CASE(torque_words),
	KUNIT_CASE(torque_words_of_a_stream),
	KUNIT_CASE(torque_words_of_nobody),
	KUNIT_CASE(torque_is_polled),
	{}
};

static struct kunit_suite torque_suite = {
	.name = "dxl_torque",
	.test_cases = torque_cases,
};

kunit_test_suite(torque_suite);
