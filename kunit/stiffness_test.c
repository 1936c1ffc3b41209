// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of poses that say how stiff each joint is
 */
#include <linux/bitmap.h>
#include <linux/device.h>
#include <linux/iio/buffer_impl.h>
#include <linux/iio/iio.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include "fake_stream.h"

/* NAO's motors */
#define NAO_MOTOR	19984
#define NAO_GOAL	68
#define NAO_HARDNESS	72
#define NAO_BRAKE	84

/* From now on, until a stream ends */
static void ask_for_stiffness(struct kunit *test, int channels)
{
	KUNIT_ASSERT_EQ(test, fs_store("stiffness", "1"), 1);
	fs_wait_for_the_pose(test, channels);
}

/* Those that nobody has heard for long are asked first. */
static void open_stiff(struct kunit *test)
{
	unsigned int i;

	fs_open(test);
	for (i = 0; i < fs_pose->team->count; i++)
		flush_work(&fs_pose->team->targets[i]->servo->ddev->state_changed);
}

static struct fake_servos *stiff_v1(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	ask_for_stiffness(test, 9);
	open_stiff(test);

	return f;
}

/* Time goes by, in which the servos have answered. */
static void wait_long(void)
{
	unsigned int i;

	for (i = 0; i < fs_pose->team->count; i++) {
		fs_pose->team->targets[i]->said = jiffies - HZ;
		fs_pose->team->targets[i]->eased = jiffies - HZ;
		WRITE_ONCE(fs_pose->team->targets[i]->servo->ddev->heard, jiffies);
	}
}

/* Of three servos of Protocol 1.0, and what follows from it in one tick */
static void pose_at_once(struct kunit *test, s16 first, s16 second, s16 third)
{
	const s16 stiffness[] = { first, second, third };
	u8 sample[18];
	int i;

	for (i = 0; i < 3; i++) {
		put_le16(sample + 6 * i, 300);
		put_le16(sample + 6 * i + 2, 100);
		put_le16(sample + 6 * i + 4, stiffness[i]);
	}
	fs_push_bytes(test, sample, sizeof(sample));
	fs_forget_sent();
	fs_tick(test);
}

static void pose(struct kunit *test, s16 first, s16 second, s16 third)
{
	wait_long();
	pose_at_once(test, first, second, third);
}

/* They exist for who has asked for them, and for nobody else. */
static void stiffness_channels(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_expect_attr(test, "stiffness", "0");
	fs_open(test);
	KUNIT_EXPECT_EQ(test, fs_store("stiffness", "1"), -EBUSY);
	fs_close(test);
	ask_for_stiffness(test, 9);
	fs_expect_attr(test, "stiffness", "1");
	fs_expect_attr(test, "out_count1_scale", "0.097751710");
	open_stiff(test);
	pose(test, 500, 500, 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[2], LIMIT), 500);
	fs_close(test);
	/* Who has closed it disables its channels yet. */
	fs_expect_attr(test, "stiffness", "1");
	fs_expect_attr(test, "stale", "1");
	fs_wait_for_the_pose(test, 6);
	fs_expect_attr(test, "stiffness", "0");
}

/* It costs no packet of its own, and nothing at all where it does not change. */
static void stiffness_beside_goals(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);

	pose(test, 500, 600, 5000);
	fs_expect_sent(test, 0, GOAL, 3);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 300);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 600);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[2], LIMIT), 1023);
	fs_expect_torque(test, 1);

	/* Once more, as nobody has acknowledged it. */
	put_le16(f->servo[0]->table + LIMIT, 7);
	pose(test, 500, 600, 5000);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 500);
	put_le16(f->servo[0]->table + LIMIT, 7);
	pose(test, 500, 600, 5000);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 7);

	pose(test, 500, 601, 5000);
	fs_expect_sent(test, 0, GOAL, 2);
	fs_expect_sent(test, 1, GOAL, 1);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 2);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 601);
}

/* A program that does not know how stiff a servo is neither moves it nor lets it go. */
static void stiffness_leaves_alone(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);

	pose(test, 500, 600, 700);
	put_le16(f->servo[1]->table + GOAL, 200);
	put_le16(f->servo[1]->table + LIMIT, 333);
	pose(test, 510, S16_MIN, S16_MIN);
	pose(test, 510, S16_MIN, S16_MIN);
	fs_expect_sent(test, 0, GOAL, 1);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], GOAL), 200);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 333);
	fs_expect_torque(test, 1);

	pose(test, 510, 601, S16_MIN);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], GOAL), 300);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 601);
}

/* From a stream's beginning on, it says nothing to a servo that has torque either. */
static void stiffness_leaves_alone_at_first(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);

	put_le16(f->servo[2]->table + GOAL, 200);
	f->servo[2]->table[TORQUE] = 1;
	pose(test, 500, 600, S16_MIN);
	pose(test, 500, 600, S16_MIN);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[2], GOAL), 200);
	fs_expect_torque(test, 1);
}

/* Else it could undo a shutdown that nobody has heard of. */
static void stiffness_waits(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);

	pose_at_once(test, 500, 500, 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 500);
	pose_at_once(test, 600, 0, 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 500);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
	/* Nor is that one stiff again before it has answered. */
	WRITE_ONCE(servo_device(test, 2)->heard, jiffies - HZ);
	pose_at_once(test, 600, 400, 500);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
	WRITE_ONCE(servo_device(test, 2)->heard, jiffies + 1);
	pose_at_once(test, 600, 400, 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 400);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);

	/* Long ago, but without an answer since. */
	fs_pose->team->targets[0]->said = jiffies - HZ / 5;
	WRITE_ONCE(servo_device(test, 1)->heard, jiffies - HZ);
	pose_at_once(test, 600, 400, 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 500);
	WRITE_ONCE(servo_device(test, 1)->heard, jiffies);
	pose_at_once(test, 600, 400, 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 600);
}

/* What had to wait is there when the stream has ended. */
static void stiffness_at_the_end(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);

	pose(test, 500, 500, 500);
	pose_at_once(test, 100, 100, 500);
	put_le16(f->servo[1]->table + LIMIT, 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 500);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 100);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 0);
}

/* Who has given torque to a joint that is to be free is told so again. */
static void stiffness_stays_free(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);
	int i;

	for (i = 0; i < 3; i++)
		pose(test, 500, 0, 500);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 2), 1), 0);
	pose(test, 500, 0, 500);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
	for (i = 0; i < 3; i++)
		pose(test, 500, 0, 500);

	fs_trip(test);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
	for (i = 0; i < 6; i++)
		fs_tick(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
	pose(test, 500, 0, 500);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
	/* Nor is a ramp a way around the ramp. */
	pose(test, 500, 900, 500);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
	fs_end_ramp(test);
	pose(test, 500, 900, 500);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
}

/* A stream on a device that is about to go would be one that trips. */
static void stiffness_begins_anew(struct kunit *test)
{
	fs_of_v1(test);
	WRITE_ONCE(fs_pose->team->stale, true);
	bitmap_fill(fs_pose->indio_dev->buffer->scan_mask, 6);
	KUNIT_EXPECT_EQ(test, fs_store("enable", "1"), -EBUSY);
	fs_expect_attr(test, "stream_state", "idle");
}

static void stiffness_sets_free(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);

	pose(test, 500, 500, 500);
	pose(test, 500, 0, 500);
	fs_expect_sent(test, 0, GOAL, 2);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);

	/* Whether a pose comes or not, it is said once more. */
	f->servo[1]->table[TORQUE] = 1;
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
	pose(test, 500, 0, 500);
	fs_expect_sent(test, 0, GOAL, 2);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
	pose(test, 500, -1, 500);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);

	pose(test, 500, 400, 500);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 400);
	pose(test, 0, 0, 0);
	fs_expect_torque(test, 0);
	fs_close(test);
	fs_expect_torque(test, 0);
}

/* Two poses without a change, and all is said. A pose that needs no packet is one. */
static void stiffness_all_free(struct kunit *test)
{
	stiff_v1(test);
	pose(test, 0, 0, 0);
	fs_expect_sent(test, 0, TORQUE, 3);
	pose(test, 0, 0, 0);
	pose(test, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 0);
	fs_expect_attr(test, "poses", "3");
	fs_expect_attr(test, "dropped", "0");
}

/* Before the first pose there is nothing to be said. */
static void stiffness_before_poses(struct kunit *test)
{
	stiff_v1(test);
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 0);
}

/* AX-12 with the ID 1 and two XM430-W350 with the IDs 2 and 3 */
static void stiffness_of_both(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);
	u8 sample[32] = {};
	int i;

	ask_for_stiffness(test, 9);
	open_stiff(test);
	for (i = 0; i < 3; i++)
		f->servo[i]->table[i ? TORQUE2 : TORQUE] = 0;
	put_le16(sample, 300);
	put_le16(sample + 4, 500);
	put_unaligned_le32(1000, sample + 8);
	put_le16(sample + 16, 600);
	put_unaligned_le32(1001, sample + 20);
	put_le16(sample + 28, (u16)-1);
	fs_push_bytes(test, sample, sizeof(sample));
	fs_forget_sent();
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[1]->table + GOAL2), 1000);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT2), 600);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE2], 1);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE2], 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[2], LIMIT2), 800);
}

/* libiio up to 0.24 would not pad it, whose samples IIO would refuse. */
static void stiffness_needs_no_padding(struct kunit *test)
{
	const struct iio_chan_spec *last;
	struct iio_dev *indio_dev;

	fs_of_both(test);
	ask_for_stiffness(test, 9);
	indio_dev = fs_pose->indio_dev;
	last = &indio_dev->channels[indio_dev->num_channels - 1];
	KUNIT_EXPECT_EQ(test, last->scan_type.realbits, 16);
	KUNIT_EXPECT_EQ(test, last->scan_type.storagebits, 32);
	KUNIT_EXPECT_EQ(test, last[-3].scan_type.storagebits, 16);
}

/* What somebody lets go in mid-stream is his; what has been let go before is the stream's. */
static void stiffness_by_hand(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);

	pose(test, 500, 500, 500);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);
	pose(test, 600, 500, 500);
	pose(test, 0, 500, 500);
	pose(test, 600, 500, 500);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, 2), "out_angl0_torque_limit",
					     "50"), -EBUSY);
	fs_close(test);
	fs_wait_for_the_pose(test, 6);
	ask_for_stiffness(test, 9);
	open_stiff(test);
	pose(test, 600, 500, 500);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
}

static void recover_and_say_nothing(struct kunit *test)
{
	int i;

	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
	for (i = 0; i < 6; i++)
		fs_tick(test);
	pose(test, S16_MIN, S16_MIN, S16_MIN);
	fs_end_ramp(test);
}

/* Only a pose that says so gives torque to what was let go by hand, whatever has become of it. */
static void stiffness_recovers_none_by_hand(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);
	int i;

	pose(test, 500, 500, 500);
	fs_trip(test);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);
	fs_close(test);
	fs_wait_for_the_pose(test, 6);
	ask_for_stiffness(test, 9);
	open_stiff(test);
	/* It begins tripped, and trips once more. */
	for (i = 0; i < 2; i++) {
		fs_expect_attr(test, "stream_state", "tripped");
		recover_and_say_nothing(test);
		fs_expect_attr(test, "stream_state", "streaming");
		KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
		KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
		KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 500);
		fs_trip(test);
	}
	recover_and_say_nothing(test);
	pose(test, 600, S16_MIN, S16_MIN);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 600);
}

/* A stream without the say on it leaves it as it is. */
static void stiffness_then_none(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);

	pose(test, 500, 0, 500);
	fs_close(test);
	fs_wait_for_the_pose(test, 6);
	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 2);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
}

/* A ramp ends at what the poses say meanwhile, and not before its time. */
static void stiffness_in_recovery(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);
	int i;

	pose(test, 500, 500, 500);
	fs_trip(test);
	fs_expect_torque(test, 0);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
	for (i = 0; i < 6; i++)
		fs_tick(test);
	pose(test, 800, 500, 0);
	KUNIT_EXPECT_LT(test, fs_reg16(f->servo[0], LIMIT), 100);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE], 0);
	fs_end_ramp(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 800);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 500);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE], 0);
	pose(test, 800, 500, 300);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[2], LIMIT), 300);
}

/* Neither the same stiffness nor, once it is known, another one undoes it. */
static void stiffness_of_shut_down(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);

	pose(test, 500, 500, 500);
	pose(test, 500, 500, 500);
	fs_shut_down(f->servo[0], ALARM_HEAT);
	pose(test, 500, 500, 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 0);
	fs_hear_from(test, 1);
	pose(test, 600, 500, 500);
	pose(test, 0, 500, 500);
	pose(test, 700, 500, 500);
	fs_expect_sent(test, 0, GOAL, 2);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 0);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);

	f->servo[0]->error = 0;
	fs_recover(test, 6);
	pose(test, 700, 500, 500);
	fs_end_ramp(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 700);
}

/* So it is with one that a pose has let go, and that is hot from before. */
static void stiffness_of_relaxed_shut_down(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);

	pose(test, 500, 500, 500);
	pose(test, 0, 500, 500);
	fs_shut_down(f->servo[0], ALARM_HEAT);
	fs_hear_from(test, 1);
	pose(test, 600, 500, 500);
	fs_expect_sent(test, 0, GOAL, 2);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 0);
}

/* Who has missed it is told when he answers. */
static void stiffness_after_doubt(struct kunit *test)
{
	struct fake_servos *f = stiff_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);

	pose(test, 500, 500, 500);
	pose(test, 500, 500, 500);
	fs_doubt(ddev);
	pose(test, 600, 500, 500);
	pose(test, 600, 500, 500);
	pose(test, 600, 500, 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 500);
	fs_tell_of_doubt(ddev);
	pose(test, 600, 500, 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 600);

	/* But to be free there is nothing to be asked. */
	fs_doubt(ddev);
	pose(test, 0, 500, 500);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
}

/* A motor of NAO is braked at 0 and free below. */
static void stiffness_brakes(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, NULL);
	const char *text = "naohw,nao-motor 1 Joint";
	struct fake_device *dev = fake_line_device(f->line, 1, DXL_PROTOCOL_2);
	u8 sample[6] = {};

	f->servo[0] = dev;
	put_le16(dev->table, NAO_MOTOR);
	dev->table[2] = 1;
	dev->table[16] = DXL_ANSWERS_ALL;
	dev->table[33] = 3;
	fs_listen(f);
	fake_line_add(test, f->line);
	KUNIT_ASSERT_EQ(test, dev_attr_store(dxl_bus_dev(f->line->bus), "new_device", text),
			(ssize_t)strlen(text));
	wait_for_device_probe();
	fs_wait_for_the_pose(test, 2);
	fs_take_time(test);
	ask_for_stiffness(test, 3);
	open_stiff(test);

	put_le16(sample + 4, 700);
	fs_push_bytes(test, sample, sizeof(sample));
	fs_tick(test);
	fs_expect_sent(test, 0, NAO_GOAL, 1);
	fs_expect_sent(test, 1, TORQUE2, 1);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 2);
	KUNIT_EXPECT_EQ(test, fs_reg16(dev, NAO_HARDNESS), 700);
	KUNIT_EXPECT_EQ(test, dev->table[TORQUE2], 1);

	dev->table[NAO_BRAKE] = 1;
	put_le16(sample + 4, (u16)-1);
	fs_push_bytes(test, sample, sizeof(sample));
	fs_forget_sent();
	fs_tick(test);
	fs_expect_sent(test, 0, TORQUE2, 1);
	fs_expect_sent(test, 1, NAO_BRAKE, 1);
	KUNIT_EXPECT_EQ(test, dev->table[TORQUE2], 0);
	KUNIT_EXPECT_EQ(test, dev->table[NAO_BRAKE], 0);

	put_le16(sample + 4, 0);
	fs_push_bytes(test, sample, sizeof(sample));
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, dev->table[NAO_BRAKE], 1);
}

static struct kunit_case stiffness_cases[] = {
	KUNIT_CASE(stiffness_channels),
	KUNIT_CASE(stiffness_beside_goals),
	KUNIT_CASE(stiffness_leaves_alone),
	KUNIT_CASE(stiffness_leaves_alone_at_first),
	KUNIT_CASE(stiffness_waits),
	KUNIT_CASE(stiffness_at_the_end),
	KUNIT_CASE(stiffness_stays_free),
	KUNIT_CASE(stiffness_begins_anew),
	KUNIT_CASE(stiffness_sets_free),
	KUNIT_CASE(stiffness_all_free),
	KUNIT_CASE(stiffness_before_poses),
	KUNIT_CASE(stiffness_of_both),
	KUNIT_CASE(stiffness_needs_no_padding),
	KUNIT_CASE(stiffness_by_hand),
	KUNIT_CASE(stiffness_recovers_none_by_hand),
	KUNIT_CASE(stiffness_then_none),
	KUNIT_CASE(stiffness_in_recovery),
	KUNIT_CASE(stiffness_of_shut_down),
	KUNIT_CASE(stiffness_of_relaxed_shut_down),
	KUNIT_CASE(stiffness_after_doubt),
	KUNIT_CASE(stiffness_brakes),
	{}
};

static struct kunit_suite stiffness_suite = {
	.name = "dxl_stiffness",
	.test_cases = stiffness_cases,
};

kunit_test_suite(stiffness_suite);
