// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the stream of poses: its watchdog, and how torque comes back
 */
#include <linux/bitmap.h>
#include <linux/bottom_half.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/iio/buffer_impl.h>
#include <linux/iio/iio.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/cycle/beat.h"
#include "../drivers/bus/cycle/exchange.h"
#include "../drivers/bus/queue/ladder.h"
#include "../drivers/bus/queue/state.h"
#include "fake_stream.h"

#define MODEL_AX12	12
#define MODEL_MX28	29
#define MODEL_XM430	1020

/* --- poses --- */

static void stream_one_pose_a_tick(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_expect_attr(test, "stream_state", "idle");
	fs_open(test);
	fs_expect_attr(test, "stream_state", "streaming");

	fs_push(test, 300);
	fs_push(test, 400);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 3);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[2], GOAL), 300);
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[2], GOAL), 400);
	fs_expect_attr(test, "poses", "2");
	fs_close(test);
	fs_expect_attr(test, "stream_state", "idle");
	fs_expect_attr(test, "dropped", "0");
}

/* Who has begun no exchange by a tick takes no pose. */
static void stream_no_pose_without_tick(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	u64 before;

	fs_open(test);
	fs_push(test, 300);
	before = fs_exchanges(test);
	dxl_cycle_kick(f->line->bus);
	fs_wait_for_exchange(test, before);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 0);
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
}

/* The first pose is waited for; then one that is missing counts. */
static void stream_underruns(struct kunit *test)
{
	fs_of_v1(test);
	fs_open(test);
	fs_tick(test);
	fs_expect_attr(test, "underruns", "0");
	fs_push(test, 300);
	fs_tick(test);
	fs_tick(test);
	fs_tick(test);
	fs_expect_attr(test, "underruns", "2");
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
}

/* A line that refuses a pose loses it. */
static void stream_refused_pose(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	fs_push(test, 300);
	f->line->refusal = -EIO;
	fs_tick(test);
	f->line->refusal = 0;
	fs_expect_attr(test, "poses", "0");
	fs_expect_attr(test, "dropped", "1");
}

static void stream_end_drops(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	fs_push(test, 300);
	fs_push(test, 400);
	fs_push(test, 450);
	fs_tick(test);
	fs_close(test);
	fs_expect_attr(test, "poses", "1");
	fs_expect_attr(test, "dropped", "2");
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 300);
}

/* A pose would fit alone, but not beside a torque limit that rises. */
static void stream_too_long(struct kunit *test)
{
	fs_of_v1(test);
	WRITE_ONCE(fs_bus_of(test)->cycle->period_us, 350);
	bitmap_fill(fs_pose->indio_dev->buffer->scan_mask, 6);
	KUNIT_EXPECT_EQ(test, fs_store("enable", "1"), -ENOSPC);
	fs_expect_attr(test, "stream_state", "idle");
	WRITE_ONCE(fs_bus_of(test)->cycle->period_us, PERIOD_US);
	fs_open(test);
	fs_expect_attr(test, "stream_state", "streaming");
}

/* --- watchdog --- */

static void stream_signs_of_life(struct kunit *test)
{
	fs_of_v1(test);
	fs_open(test);
	fs_be_silent(WATCHDOG_MS - 5000);
	fs_fire_watchdog();
	fs_expect_attr(test, "stream_state", "streaming");

	fs_be_silent(WATCHDOG_MS);
	fs_push(test, 300);
	fs_fire_watchdog();
	fs_expect_attr(test, "stream_state", "streaming");

	fs_be_silent(WATCHDOG_MS);
	KUNIT_EXPECT_EQ(test, fs_store("keep_alive", "0"), -EINVAL);
	KUNIT_EXPECT_EQ(test, fs_store("keep_alive", "1"), 1);
	fs_fire_watchdog();
	fs_expect_attr(test, "stream_state", "streaming");

	/* That poses leave is none: they may be the last of a dead program. */
	fs_be_silent(WATCHDOG_MS);
	fs_tick(test);
	fs_fire_watchdog();
	fs_expect_attr(test, "stream_state", "tripped");
}

static void stream_trips(struct kunit *test)
{
	fs_of_v1(test);
	fs_open(test);
	fs_push(test, 300);
	fs_push(test, 400);
	fs_push(test, 450);
	fs_tick(test);
	fs_expect_torque(test, 1);
	fs_forget_sent();
	fs_trip(test);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_expect_sent(test, 0, TORQUE, 3);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
	fs_expect_torque(test, 0);
	fs_expect_attr(test, "poses", "1");
	fs_expect_attr(test, "dropped", "2");
}

/* Nobody acknowledges it. */
static void stream_repeats_torque_off(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	u64 before;

	fs_open(test);
	fs_trip(test);
	f->servo[1]->table[TORQUE] = 1;
	before = fs_exchanges(test);
	fs_fire_watchdog();
	fs_wait_for_exchange(test, before);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 2);
	fs_expect_torque(test, 0);
	KUNIT_EXPECT_LE(test,
			ktime_us_delta(dxl_timer_when(&fs_pose->team->timer),
				       ktime_get()),
			PERIOD_US + PERIOD_US / 2);

	f->servo[1]->table[TORQUE] = 1;
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 3);
	fs_expect_torque(test, 0);
}

/* A goal would switch the torque on. */
static void stream_drops_while_tripped(struct kunit *test)
{
	fs_of_v1(test);
	fs_open(test);
	fs_trip(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 1, TORQUE, 3);
	fs_expect_sent(test, 2, TORQUE, 3);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 3);
	fs_expect_torque(test, 0);
	fs_expect_attr(test, "dropped", "2");
	fs_expect_attr(test, "underruns", "0");
	fs_close(test);
	fs_expect_torque(test, 0);
}

/* As many as user space likes may wait, but not all are dropped under a lock. */
static void stream_drops_some_at_a_time(struct kunit *test)
{
	unsigned int i;

	fs_of_v1(test);
	fs_open_of(test, "200");
	fs_trip(test);
	for (i = 0; i < 100; i++)
		fs_push(test, 300);
	fs_tick(test);
	fs_expect_attr(test, "dropped", "64");
	fs_tick(test);
	fs_expect_attr(test, "dropped", "100");
	for (i = 0; i < 150; i++)
		fs_push(test, 300);
	fs_close(test);
	fs_expect_attr(test, "dropped", "250");
	fs_expect_torque(test, 0);
}

struct goal_writer {
	struct work_struct work;
	struct iio_channel goal;
	int ret;
};

static void write_goal(struct work_struct *work)
{
	struct goal_writer *w = container_of(work, struct goal_writer, work);

	w->ret = chan_write(w->goal, 700);
}

/*
 * Until a goal's turn comes a stream may have begun, tripped and ended, and it would
 * switch the torque on that has been taken.
 */
static void stream_stops_late_goal(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct goal_writer *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	struct fake_request *other = fake_line_read(f->line, NOBODY, 36, 2);

	KUNIT_ASSERT_NOT_NULL(test, w);
	f->servo[0]->table[TORQUE] = 0;
	w->goal = servo_channel(test, 1, IIO_ANGL, OUT);
	INIT_WORK(&w->work, write_goal);

	/* Nobody answers this: the line is taken until it is given up. */
	KUNIT_ASSERT_EQ(test, fake_request_submit(other), 0);
	queue_work(system_dfl_wq, &w->work);
	KUNIT_EXPECT_TRUE(test, fake_line_wait_pending(f->line,
						       DXL_PRIO_REQUEST));
	spin_lock_bh(&fs_pose->team->stream_lock);
	fs_pose->team->targets[0]->servo->torque = TORQUE_TRIPPED;
	spin_unlock_bh(&fs_pose->team->stream_lock);
	fake_line_expire(f->line);
	flush_work(&w->work);
	KUNIT_EXPECT_EQ(test, w->ret, -EBUSY);
	flush_work(&f->line->answer);
	KUNIT_EXPECT_NE(test, fs_reg16(f->servo[0], GOAL), 700);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
}

/* Nor may a goal come behind the torque-off that has overtaken it. */
static void stream_stops_overtaken_goal(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct goal_writer *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	struct fake_request *other = fake_line_read(f->line, NOBODY, 36, 2);
	struct attr_user *off;

	KUNIT_ASSERT_NOT_NULL(test, w);
	w->goal = servo_channel(test, 1, IIO_ANGL, OUT);
	INIT_WORK(&w->work, write_goal);

	KUNIT_ASSERT_EQ(test, fake_request_submit(other), 0);
	queue_work(system_dfl_wq, &w->work);
	KUNIT_EXPECT_TRUE(test, fake_line_wait_pending(f->line,
						       DXL_PRIO_REQUEST));
	/* As user space does: consumers in the kernel wait for each other. */
	off = attr_write(test, servo_iio(test, 1), "out_angl0_en", "0");
	KUNIT_EXPECT_TRUE(test, fake_line_wait_pending(f->line,
						       DXL_PRIO_RELEASE));
	fake_line_expire(f->line);
	KUNIT_EXPECT_EQ(test, attr_result(off), 1);
	flush_work(&w->work);
	KUNIT_EXPECT_EQ(test, w->ret, -EBUSY);
	KUNIT_EXPECT_NE(test, fs_reg16(f->servo[0], GOAL), 700);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	/* A later one is another matter. */
	KUNIT_EXPECT_EQ(test, chan_write(w->goal, 700), 0);
}

static void stream_trips_both(struct kunit *test)
{
	fs_of_both(test);
	fs_open(test);
	fs_trip(test);
	fs_expect_sent(test, 0, TORQUE, 1);
	fs_expect_sent(test, 1, TORQUE2, 2);
	fs_expect_torque(test, 0);
}

/* One that takes no poses loses its torque too, and does not get it back. */
static void stream_trips_wheel(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-mixed");
	struct iio_channel speed;

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add_v2(f, 2, MODEL_XM430);
	fake_servos_add_v2(f, 3, MODEL_XM430);
	f->servo[2]->table[11] = 1;
	fs_be_ready(test, 6);
	fs_open(test);
	speed = servo_channel(test, 3, IIO_ANGL_VEL, OUT);
	KUNIT_EXPECT_EQ(test, chan_write(speed, 7), 0);
	fs_trip(test);
	fs_expect_sent(test, 1, TORQUE2, 2);
	fs_expect_torque(test, 0);
	fs_recover(test, 3);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE2], 1);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE2], 0);
}

/* What is queued must not undo what a machine that goes down has done. */
static void stream_trips_at_shutdown(struct kunit *test)
{
	struct dxl_device *ddev;

	fs_of_v1(test);
	fs_open(test);
	fs_push(test, 300);
	ddev = servo_device(test, 1);
	dxl_bus_type.shutdown(&ddev->dev);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_tick(test);
	fs_expect_torque(test, 0);
}

/* --- recovery --- */

static ssize_t torque_by_hand(struct kunit *test, u8 id)
{
	return dev_attr_store(servo_iio(test, id), "out_angl0_en", "1");
}

static void let_go(struct kunit *test)
{
	u64 before = fs_exchanges(test);

	KUNIT_EXPECT_EQ(test, fs_store("limp", "1"), 1);
	fs_wait_for_exchange(test, before);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_expect_attr(test, "limp", "1");
	fs_expect_torque(test, 0);
}

/* By a person, and whoever moves them: nothing but a recovery gives their torque back. */
static void stream_is_let_go(struct kunit *test)
{
	fs_of_v1(test);
	fs_open(test);
	KUNIT_EXPECT_EQ(test, fs_store("auto_recover", "1"), 1);
	fs_push(test, 300);
	fs_tick(test);
	let_go(test);
	fs_push(test, 400);
	fs_tick(test);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_close(test);
	KUNIT_EXPECT_EQ(test, torque_by_hand(test, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 1), 5), -EBUSY);

	fs_open(test);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_expect_torque(test, 0);
	fs_recover(test, 6);
	fs_end_ramp(test);
	fs_expect_attr(test, "limp", "0");
	fs_expect_torque(test, 1);
	fs_close(test);
}

static void stream_is_let_go_in_recovery(struct kunit *test)
{
	fs_of_v1(test);
	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_trip(test);
	fs_recover(test, 6);
	let_go(test);
	fs_close(test);
	fs_expect_torque(test, 0);
}

/* Of a robot without its supply no joint recovers. When that comes it stays as it was left. */
static void stream_stays_let_go(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	int i;

	fs_open(test);
	let_go(test);
	for (i = 0; i < 3; i++)
		f->servo[i]->silent = true;
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), -EIO);
	for (i = 0; i < 3; i++)
		f->servo[i]->silent = false;
	fs_expect_attr(test, "limp", "1");
	fs_close(test);
	KUNIT_EXPECT_EQ(test, torque_by_hand(test, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 1), 5), -EBUSY);
	fs_open(test);
	fs_recover(test, 6);
	fs_expect_attr(test, "limp", "0");
}

/* There is no torque to come back, and the person who asks for it wants to go on. */
static void stream_recovers_what_is_free(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	int i;

	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, f->servo[i]->id), 0), 0);
	fs_open(test);
	let_go(test);
	fs_recover(test, 6);
	fs_end_ramp(test);
	fs_expect_attr(test, "limp", "0");
	fs_expect_torque(test, 0);
	KUNIT_EXPECT_EQ(test, torque_by_hand(test, 1), 1);
}

/* Each servo has to acknowledge it: without a stream the driver does not tell it again. */
static void stream_none_is_let_go(struct kunit *test)
{
	fs_of_v1(test);
	fs_give_torque(test);
	fs_deaf = 2;
	KUNIT_EXPECT_EQ(test, fs_store("limp", "1"), 1);
	fs_expect_attr(test, "stream_state", "idle");
	fs_expect_torque(test, 0);
	KUNIT_EXPECT_EQ(test, torque_by_hand(test, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, fs_store("limp", "0.5"), -EINVAL);
	KUNIT_EXPECT_EQ(test, fs_store("limp", "2"), -EINVAL);
	KUNIT_EXPECT_EQ(test, torque_by_hand(test, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, fs_store("limp", "0"), 1);
	fs_expect_torque(test, 0);
	KUNIT_EXPECT_EQ(test, torque_by_hand(test, 1), 1);
}

static void expect_kept_limp(struct kunit *test, u8 id, const struct fake_device *dev)
{
	KUNIT_EXPECT_EQ(test, dev->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, READ_ONCE(fs_servo(test, id)->torque), TORQUE_TRIPPED);
	KUNIT_EXPECT_EQ(test, torque_by_hand(test, id), -EBUSY);
}

/* It was stiff while it had no driver, which nobody has heard of. */
static void stream_keeps_returned_limp(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct device *dev = &servo_device(test, 7)->dev;

	KUNIT_EXPECT_EQ(test, fs_store("limp", "1"), 1);
	device_release_driver(dev);
	f->servo[2]->table[TORQUE] = 1;
	KUNIT_ASSERT_EQ(test, device_attach(dev), 1);
	expect_kept_limp(test, 7, f->servo[2]);
	fs_open(test);
	fs_recover(test, 6);
	fs_end_ramp(test);
	fs_expect_torque(test, 1);
}

static void stream_keeps_newcomer_limp(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	const char *text = "robotis,ax-12 9";
	struct fake_device *dev;

	KUNIT_EXPECT_EQ(test, fs_store("limp", "1"), 1);
	dev = fake_servos_add(f, 9, MODEL_AX12);
	dev->table[TORQUE] = 1;
	fs_listen(f);
	KUNIT_ASSERT_EQ(test, dev_attr_store(dxl_bus_dev(f->line->bus), "new_device", text),
			(ssize_t)strlen(text));
	wait_for_device_probe();
	fs_wait_for_the_pose(test, 8);
	expect_kept_limp(test, 9, dev);
	fs_expect_attr(test, "limp", "1");
}

static void stream_recovers(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	s64 ms;
	int i;

	fs_open(test);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), -EINVAL);
	fs_push(test, 300);
	fs_tick(test);
	fs_trip(test);
	put_le16(f->servo[0]->table + POSITION, 123);
	fs_forget_sent();
	KUNIT_EXPECT_EQ(test, fs_store("recover", "0"), -EINVAL);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
	fs_fire_watchdog();
	fs_expect_attr(test, "stream_state", "recovering");

	fs_push(test, 400);
	for (i = 0; i < 2; i++) {
		fs_tick(test);
		KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 0);
		/* Only here, as these switch their torque on at a goal. */
		if (!i)
			fs_expect_torque(test, 0);
		fs_tick(test);
		KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 123);
		KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], GOAL), 500);
		fs_tick(test);
		fs_expect_torque(test, 1);
		fs_expect_sent(test, 3 * i, LIMIT, 3);
		fs_expect_sent(test, 3 * i + 1, GOAL, 3);
		fs_expect_sent(test, 3 * i + 2, TORQUE, 3);
	}
	KUNIT_EXPECT_EQ(test, fs_num_sent, 6);

	/* No pose has waited for that. */
	fs_expect_attr(test, "dropped", "1");
	fs_push(test, 400);
	fs_pose->team->ramp.began = ktime_sub_ms(ktime_get(), RAMP_MS / 2);
	fs_tick(test);
	ms = ktime_ms_delta(ktime_get(), fs_pose->team->ramp.began);
	fs_expect_sent(test, 6, GOAL, 3);
	fs_expect_sent(test, 7, LIMIT, 3);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 400);
	KUNIT_EXPECT_GE(test, fs_reg16(f->servo[0], LIMIT), 500);
	KUNIT_EXPECT_LE(test, fs_reg16(f->servo[0], LIMIT), 1000 * ms / RAMP_MS);
	fs_expect_attr(test, "stream_state", "recovering");

	fs_end_ramp(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 1000);
	fs_forget_sent();
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 0);
	fs_expect_attr(test, "poses", "2");
}

static void stream_of_one_that_stalls(struct kunit *test, const char *by_itself)
{
	fs_of_v1(test);
	fs_open(test);
	KUNIT_EXPECT_EQ(test, fs_store("auto_recover", by_itself), 1);
	fs_push(test, 300);
	fs_tick(test);
	fs_trip(test);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_push(test, 300);
	flush_work(&fs_pose->team->resume);
}

/* On request a stream that has only stalled does that by itself. */
static void stream_recovers_by_itself(struct kunit *test)
{
	stream_of_one_that_stalls(test, "0");
	fs_expect_attr(test, "stream_state", "tripped");
	KUNIT_EXPECT_EQ(test, fs_store("auto_recover", "1"), 1);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_push(test, 300);
	flush_work(&fs_pose->team->resume);
	fs_expect_attr(test, "stream_state", "recovering");
	fs_close(test);
	fs_expect_attr(test, "auto_recover", "0");
}

/* A program that then finds the bus busy must not have asked for the next one. */
static void stream_recovers_by_itself_only(struct kunit *test)
{
	fs_of_v1(test);
	KUNIT_EXPECT_EQ(test, fs_store("auto_recover", "1"), -EINVAL);
	fs_open(test);
	fs_expect_attr(test, "auto_recover", "0");
	KUNIT_EXPECT_EQ(test, fs_store("auto_recover", "1"), 1);
	fs_close(test);
	fs_expect_attr(test, "auto_recover", "0");
	KUNIT_EXPECT_EQ(test, fs_store("auto_recover", "1"), -EINVAL);
	fs_expect_attr(test, "auto_recover", "0");
}

/* But not what has tripped it for another reason. */
static void stream_recovers_not_by_itself(struct kunit *test)
{
	struct dxl_device *ddev;

	stream_of_one_that_stalls(test, "1");
	fs_expect_attr(test, "stream_state", "recovering");
	ddev = servo_device(test, 1);
	dxl_bus_type.shutdown(&ddev->dev);
	fs_expect_attr(test, "stream_state", "tripped");
	KUNIT_EXPECT_EQ(test, fs_store("keep_alive", "1"), 1);
	flush_work(&fs_pose->team->resume);
	fs_expect_attr(test, "stream_state", "tripped");
}

static void stream_recovers_both(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);

	put_unaligned_le32(-7, f->servo[1]->table + POSITION2);
	put_unaligned_le32(3000, f->servo[2]->table + POSITION2);
	fs_open(test);
	fs_trip(test);
	fs_recover(test, 6);
	fs_expect_torque(test, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT2), 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[1]->table + GOAL2),
			0);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[2]->table + GOAL2),
			3000);
	fs_pose->team->ramp.began = ktime_sub_ms(ktime_get(), RAMP_MS);
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT2), 800);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 1000);
}

/* The application has to live while its torque comes back. */
static void stream_trips_in_recovery(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	fs_trip(test);
	fs_recover(test, 7);
	fs_trip(test);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_expect_torque(test, 0);
	put_le16(f->servo[0]->table + LIMIT, 70);

	/* The torque limit that it finds now is not what it was. */
	fs_recover(test, 6);
	fs_end_ramp(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 1000);
}

/* Half a ramp leaves neither torque nor a low torque limit. */
static void stream_ends_in_recovery(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	int i;

	fs_open(test);
	fs_trip(test);
	fs_recover(test, 7);
	fs_expect_torque(test, 1);
	fs_close(test);
	fs_expect_attr(test, "stream_state", "idle");
	fs_expect_torque(test, 0);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[i], LIMIT), 1000);
}

/* That the torque is off has to be sure before the torque limit is what it was. */
static void stream_ends_unheard(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	fs_trip(test);
	fs_recover(test, 7);
	fs_expect_torque(test, 1);
	fs_deaf = 1;
	f->servo[2]->silent = true;
	fs_close(test);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 1000);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE], 1);
	KUNIT_EXPECT_LT(test, fs_reg16(f->servo[2], LIMIT), 1000);
}

/* Nor by a device of another pose is a torque limit taken for what it was. */
static void stream_remembers_limit(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	fs_trip(test);
	fs_recover(test, 7);
	f->servo[0]->silent = true;
	fs_close(test);
	f->servo[0]->silent = false;
	device_release_driver(&servo_device(test, 7)->dev);
	fs_wait_for_the_pose(test, 4);
	put_le16(f->servo[0]->table + LIMIT, 70);

	fs_open(test);
	fs_recover(test, 6);
	fs_end_ramp(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 1000);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 1000);
}

/* Where a joint is that nobody has said must not be guessed. */
static void stream_recovers_without_silent(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	int i;

	fs_open(test);
	fs_trip(test);
	f->servo[1]->silent = true;
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
	f->servo[1]->silent = false;
	fs_push(test, 400);
	fs_forget_sent();
	for (i = 0; i < 6; i++)
		fs_tick(test);
	fs_push(test, 400);
	fs_tick(test);
	for (i = 0; i < 8; i++)
		KUNIT_EXPECT_EQ(test, fs_sent[i].devices, 2);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 400);
}

static void stream_recovers_nobody(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	int i;

	fs_open(test);
	fs_trip(test);
	for (i = 0; i < 3; i++)
		f->servo[i]->silent = true;
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), -EIO);
	fs_expect_attr(test, "stream_state", "tripped");
}

/* An end and a new beginning are not what gives torque back. */
static void stream_begins_tripped(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	int i;

	fs_open(test);
	fs_trip(test);
	fs_close(test);
	fs_expect_attr(test, "stream_state", "idle");
	fs_open(test);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_torque(test, 0);
	fs_close(test);

	/* Somebody who does it by hand is. */
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test,
				chan_write_enable(servo_channel(test,
								f->servo[i]->id,
								IIO_ANGL, OUT),
						  1), 0);
	fs_open(test);
	fs_expect_attr(test, "stream_state", "streaming");
	fs_expect_torque(test, 1);
}

/* Long enough for what a change leads to. */
static void settle(void)
{
	msleep(300);
}

/* It takes part from the next stream on. */
static void stream_goes_on_with_newcomer(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	const char *text = "robotis,ax-12 9";

	fs_open(test);
	fake_servos_add(f, 9, MODEL_AX12);
	fs_listen(f);
	KUNIT_ASSERT_EQ(test, dev_attr_store(dxl_bus_dev(f->line->bus), "new_device", text),
			(ssize_t)strlen(text));
	wait_for_device_probe();
	settle();
	fs_expect_attr(test, "stream_state", "streaming");
	/* Whoever trips would not take its torque. */
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 9), 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 9), 5), -EBUSY);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 3);
	fs_close(test);
	fs_wait_for_the_pose(test, 8);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 9), 5), 0);
}

/* One in a mode without such goals is left out, and the others go on. */
static void stream_goes_on_with_wheel(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, chan_write_enable(servo_channel(test, 1, IIO_ANGL, OUT), 0), 0);
	KUNIT_ASSERT_EQ(test, dev_attr_store(servo_iio(test, 1), "operating_mode", "pwm"), 3);
	settle();
	fs_expect_attr(test, "stream_state", "streaming");
	fs_push(test, 310);
	fs_tick(test);
	fs_expect_sent(test, 1, GOAL, 2);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
	fs_expect_attr(test, "ignored", "2");
	fs_expect_attr(test, "stale", "0");

	/* It is let go, to be a joint again. */
	KUNIT_ASSERT_EQ(test, dev_attr_store(servo_iio(test, 1), "operating_mode", "position"),
			8);
	KUNIT_EXPECT_EQ(test, chan_write_enable(servo_channel(test, 1, IIO_ANGL, OUT), 1), 0);
	fs_push(test, 320);
	fs_tick(test);
	fs_expect_sent(test, 2, GOAL, 3);
}

/* One whose driver is unbound is let go, and its channel waits for it. */
static void stream_goes_on_without_unbound(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct device *dev = &servo_device(test, 7)->dev;
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	device_release_driver(dev);
	settle();
	fs_expect_attr(test, "stream_state", "streaming");
	fs_expect_attr(test, "stale", "1");
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	fs_push(test, 310);
	fs_tick(test);
	fs_expect_sent(test, 1, GOAL, 2);

	/* What is known of its model is still there, but nobody is to be asked. */
	KUNIT_EXPECT_EQ(test, dev_attr_show(&fs_pose->indio_dev->dev, "out_angl7_raw", buf),
			-ENODEV);
	KUNIT_EXPECT_GT(test, dev_attr_show(&fs_pose->indio_dev->dev, "out_angl7_scale", buf),
			0);
	KUNIT_EXPECT_GT(test, dev_attr_show(&fs_pose->indio_dev->dev,
					    "out_angl7_raw_available", buf), 0);
	KUNIT_EXPECT_STREQ(test, strim(buf), "[0 1 1023]");

	/* It does not get its torque by that it is bound again. */
	KUNIT_ASSERT_EQ(test, device_attach(dev), 1);
	settle();
	fs_expect_attr(test, "stale", "0");
	fs_push(test, 320);
	fs_tick(test);
	fs_expect_sent(test, 2, GOAL, 2);
	fs_recover(test, 6);
	fs_end_ramp(test);
	fs_forget_sent();
	fs_push(test, 330);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 3);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[2], GOAL), 330);
}

/* When nobody is left there is nobody to stream to. */
static void stream_ends_without_servos(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	unsigned int i;

	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_torque(test, 1);
	fs_deaf = 2;
	for (i = 0; i < 3; i++)
		device_release_driver(&servo_device(test, f->servo[i]->id)->dev);
	flush_work(&f->line->answer);
	fs_expect_torque(test, 0);
	KUNIT_EXPECT_EQ(test, dxl_bus_reserve(f->line->bus), 0);
	dxl_bus_release(f->line->bus);
}

/* A goal of its own would switch the torque of a servo on, too. */
static void stream_leaves_no_goals(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct iio_channel goal, speed;

	goal = servo_channel(test, 1, IIO_ANGL, OUT);
	speed = servo_channel(test, 1, IIO_ANGL_VEL, OUT);
	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_trip(test);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write(speed, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 300);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), 0);
	/* Nor does it leap. */
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 500);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), 0);
	KUNIT_EXPECT_EQ(test, chan_write(speed, 5), 0);
}

/* --- servos that are lost --- */

/* All of its torque would be back with the next pose. */
static void stream_leaves_out_lost(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	int i;

	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_lose(test, 0);
	fs_power_cycle(f->servo[0]);
	f->servo[0]->silent = false;
	fs_forget_sent();
	fs_push(test, 310);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 2);

	fs_come_back(test, 0);
	fs_push(test, 320);
	fs_tick(test);
	fs_expect_sent(test, 1, GOAL, 2);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], GOAL), 320);
	fs_expect_attr(test, "stream_state", "streaming");

	/* It is given back as that of a stream that has tripped, to nobody else. */
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
	fs_expect_attr(test, "stream_state", "recovering");
	fs_forget_sent();
	for (i = 0; i < 6; i++)
		fs_tick(test);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ(test, fs_sent[i].devices, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 500);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], LIMIT), 1000);
	fs_expect_torque(test, 1);
	fs_end_ramp(test);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 1000);
	fs_forget_sent();
	fs_push(test, 330);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 3);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), -EINVAL);
}

/* Who has kept its torque has been without a bus only. */
static void stream_goes_on_with_returned(struct kunit *test)
{
	fs_of_v1(test);
	fs_open(test);
	fs_lose(test, 0);
	fs_come_back(test, 0);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 3);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), -EINVAL);
}

/* It answers again, but nobody has asked yet whether it has torque. */
static void stream_waits_for_answer(struct kunit *test)
{
	struct dxl_device *ddev;

	fs_of_v1(test);
	ddev = servo_device(test, 1);
	fs_open(test);
	fs_doubt(ddev);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 2);
	fs_tell_of_doubt(ddev);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 1, GOAL, 3);
}

/* A line that is full for a moment is no fault of the servo, which stays active. */
static void stream_asks_again(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);
	struct dxl_servo *servo = dxl_get_drvdata(ddev);

	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_doubt(ddev);
	f->line->refusal = -EIO;
	fs_tell_of_doubt(ddev);
	f->line->refusal = 0;
	flush_delayed_work(&servo->ask);
	KUNIT_EXPECT_EQ(test, READ_ONCE(ddev->state), DXL_ACTIVE);
	fs_push(test, 310);
	fs_tick(test);
	fs_expect_sent(test, 1, GOAL, 3);
}

/* Before its first goal it has no torque that it could have lost. */
static void stream_begins_in_doubt(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);

	f->servo[0]->table[TORQUE] = 0;
	fs_open(test);
	fs_doubt(ddev);
	fs_tell_of_doubt(ddev);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 3);
}

/* Nobody has asked, and nobody else is going to, before a goal of its own. */
static void stream_ends_in_doubt(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	int i;

	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	for (i = 0; i < 2; i++) {
		fs_power_cycle(f->servo[i]);
		fs_doubt(servo_device(test, f->servo[i]->id));
	}
	fs_close(test);
	KUNIT_EXPECT_EQ(test, chan_write(servo_channel(test, 1, IIO_ANGL, OUT),
					 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 300);

	/* That it does not leap needs to be known, too. */
	KUNIT_EXPECT_EQ(test,
			chan_write_enable(servo_channel(test, 2, IIO_ANGL, OUT),
					  1), 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[1], GOAL), 500);
	KUNIT_EXPECT_EQ(test, chan_write(servo_channel(test, 7, IIO_ANGL, OUT),
					 5), 0);
}

/* What has been told to let go before it was known is asked how it answers. */
static void stream_sets_up_after_shutdown(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-servos");
	struct dxl_device *ddev;

	fake_servos_add(f, 1, MODEL_AX12)->silent = true;
	fake_servos_add(f, 2, MODEL_MX28);
	fake_servos_add(f, 7, MODEL_AX12);
	fs_be_ready(test, 6);
	ddev = servo_device(test, 1);
	dxl_bus_type.shutdown(&ddev->dev);
	f->servo[0]->silent = false;
	KUNIT_EXPECT_EQ(test, chan_read(servo_channel(test, 1, IIO_ANGL, IN)),
			0);
}

/* One answer can be missing by accident; two are time for a servo to start in. */
static void stream_leaves_out_doubted(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);
	u8 buf[2];

	WRITE_ONCE(fs_bus_of(test)->queue->retries, 0);
	fs_open(test);
	f->servo[0]->silent = true;
	KUNIT_EXPECT_LT(test, dxl_read(ddev, POSITION, buf, 2), 0);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 3);

	fs_power_cycle(f->servo[0]);
	/* Its driver finds it silent, too. */
	KUNIT_EXPECT_LT(test, dxl_read(ddev, POSITION, buf, 2), 0);
	flush_work(&ddev->state_changed);
	f->servo[0]->silent = false;
	fs_push(test, 310);
	fs_tick(test);
	fs_expect_sent(test, 1, GOAL, 2);
	KUNIT_EXPECT_EQ(test, READ_ONCE(ddev->state), DXL_WARNING);

	/* By the time at which it is as it should be it has been asked again. */
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, POSITION, buf, 2), 0);
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, POSITION, buf, 2), 0);
	flush_work(&ddev->state_changed);
	KUNIT_EXPECT_EQ(test, READ_ONCE(ddev->state), DXL_ACTIVE);
	fs_push(test, 320);
	fs_tick(test);
	fs_expect_sent(test, 2, GOAL, 2);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
}

/* It may be anything, until it has been asked. */
static void stream_leaves_out_unknown(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-servos");
	struct dxl_device *ddev;
	u8 buf[2];

	fake_servos_add(f, 1, MODEL_AX12)->silent = true;
	fake_servos_add(f, 2, MODEL_MX28);
	fake_servos_add(f, 7, MODEL_AX12);
	fs_be_ready(test, 6);
	f->servo[0]->silent = false;
	ddev = servo_device(test, 1);
	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 2);

	while (READ_ONCE(ddev->state) != DXL_ACTIVE)
		KUNIT_ASSERT_EQ(test, dxl_read(ddev, POSITION, buf, 2), 0);
	flush_work(&ddev->state_changed);
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 1, GOAL, 3);
}

static void stream_recovers_no_lost(struct kunit *test)
{
	fs_of_v1(test);
	fs_open(test);
	fs_lose(test, 0);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), -EINVAL);
	fs_expect_attr(test, "stream_state", "streaming");
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 2);
}

/* At the end of a ramp. */
static void expect_lets_one_go(struct kunit *test)
{
	int i;

	fs_forget_sent();
	fs_end_ramp(test);
	for (i = 0; i < 2; i++) {
		fs_expect_sent(test, 2 * i, LIMIT, 2);
		fs_expect_sent(test, 2 * i + 1, TORQUE, 1);
	}
	KUNIT_EXPECT_EQ(test, fs_num_sent, 4);
}

/* What it has got of its torque limit may be gone, and the rest would be too much. */
static void stream_loses_in_recovery(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	fs_trip(test);
	fs_recover(test, 4);
	fs_lose(test, 0);
	fs_power_cycle(f->servo[0]);
	f->servo[0]->silent = false;
	fs_forget_sent();
	fs_push(test, 300);
	fs_tick(test);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 2);
	fs_expect_sent(test, 1, TORQUE, 2);
	expect_lets_one_go(test);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	fs_come_back(test, 0);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
}

/* Nobody would take the torque that it has kept, nor say how much of it. */
static void stream_lets_lost_go(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	fs_trip(test);
	fs_recover(test, 6);
	fs_lose(test, 0);
	f->servo[0]->silent = false;
	fs_expect_torque(test, 1);
	expect_lets_one_go(test);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE], 1);
}

/* A doubt at the very end is not one for ever. */
static void stream_recovers_in_doubt(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);
	int i;

	fs_open(test);
	fs_trip(test);
	fs_recover(test, 6);
	fs_pose->team->ramp.began = ktime_sub_ms(ktime_get(), RAMP_MS);
	fs_tick(test);
	fs_doubt(ddev);
	for (i = 0; i < 3; i++)
		fs_tick(test);
	fs_expect_attr(test, "stream_state", "recovering");
	fs_tell_of_doubt(ddev);
	fs_end_ramp(test);
	fs_expect_torque(test, 1);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 1000);
	fs_forget_sent();
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 3);
}

/* The others have not been let go, so they do not fall. */
static void stream_ends_in_recovery_of_one(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_lose(test, 0);
	fs_power_cycle(f->servo[0]);
	fs_come_back(test, 0);
	fs_recover(test, 7);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], LIMIT), 1000);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE], 1);
}

/* Nobody has asked before the stream's end, and the next one must not guess. */
static void stream_ends_with_lost(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct iio_channel goal;

	goal = servo_channel(test, 1, IIO_ANGL, OUT);
	fs_open(test);
	fs_push(test, 300);
	fs_tick(test);
	fs_lose(test, 0);
	fs_power_cycle(f->servo[0]);
	fs_close(test);
	fs_come_back(test, 0);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
	fs_open(test);
	fs_expect_attr(test, "stream_state", "tripped");
}

/* What nobody streams to keeps no memory of it. */
static void stream_begins_after_return(struct kunit *test)
{
	fs_of_v1(test);
	fs_lose(test, 0);
	fs_come_back(test, 0);
	fs_open(test);
	fs_expect_attr(test, "stream_state", "streaming");
	fs_push(test, 300);
	fs_tick(test);
	fs_expect_sent(test, 0, GOAL, 3);
}

static void push_both(struct kunit *test)
{
	u8 sample[20] = {};

	fs_push_bytes(test, sample, sizeof(sample));
}

/* A servo may be set to switch its torque on when it starts, but not to this. */
static void stream_sets_returned_bus_watchdog(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);

	fs_open(test);
	fs_lose(test, 1);
	fs_power_cycle(f->servo[1]);
	f->servo[1]->table[TORQUE2] = 1;
	fs_come_back(test, 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
	push_both(test);
	fs_tick(test);
	fs_expect_sent(test, 1, SPEED2, 2);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 0);
}

/* What is written last need not be what was meant last. */
static void stream_begins_on_return(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);

	fs_open(test);
	fs_lose(test, 1);
	fs_close(test);
	fs_begins_meanwhile = true;
	fs_come_back(test, 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
}

/* A servo that has stopped by itself goes on when it is told to, as the others. */
static void stream_leaves_stopped(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);
	int i;

	fs_open(test);
	fs_lose(test, 1);
	f->servo[1]->table[WATCHDOG2] = 0xff;
	fs_come_back(test, 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 0xff);
	push_both(test);
	fs_tick(test);
	fs_expect_sent(test, 1, SPEED2, 1);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
	for (i = 0; i < 6; i++)
		fs_tick(test);
	fs_end_ramp(test);
	fs_forget_sent();
	push_both(test);
	fs_tick(test);
	fs_expect_sent(test, 1, SPEED2, 2);
}

/* One that has no torque needs no watchdog before it has. */
static void stream_leaves_out_lost_v2(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);

	fs_open(test);
	fs_lose(test, 2);
	fs_power_cycle(f->servo[2]);
	fs_come_back(test, 2);
	push_both(test);
	fs_tick(test);
	fs_expect_sent(test, 1, SPEED2, 1);
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[WATCHDOG2], 127);
}

/* --- others --- */

static void stream_excludes_others(struct kunit *test)
{
	struct iio_channel goal, speed;

	fs_of_v1(test);
	goal = servo_channel(test, 1, IIO_ANGL, OUT);
	speed = servo_channel(test, 1, IIO_ANGL_VEL, OUT);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), 0);
	fs_open(test);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write(speed, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), 0);
	KUNIT_EXPECT_EQ(test, fs_store("watchdog_ms", "600"), -EBUSY);
	fs_trip(test);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 0), 0);
	fs_recover(test, 6);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), -EBUSY);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), 0);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), 0);
}

static void stream_keeps_maintenance_out(struct kunit *test)
{
	fs_of_v1(test);
	fs_open(test);
	KUNIT_EXPECT_EQ(test, dxl_bus_reserve(fs_bus_of(test)), -EBUSY);
	fs_close(test);
	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(fs_bus_of(test)), 0);
	bitmap_fill(fs_pose->indio_dev->buffer->scan_mask, 6);
	KUNIT_EXPECT_EQ(test, fs_store("enable", "1"), -EBUSY);
	dxl_bus_release(fs_bus_of(test));
	fs_expect_attr(test, "stream_state", "idle");
}

/* It outlives a device that is made anew. */
static void stream_watchdog_ms(struct kunit *test)
{
	fs_of_v1(test);
	KUNIT_EXPECT_EQ(test, fs_store("watchdog_ms", "19"), -ERANGE);
	KUNIT_EXPECT_EQ(test, fs_store("watchdog_ms", "10001"), -ERANGE);
	KUNIT_EXPECT_EQ(test, fs_store("watchdog_ms", "soon"), -EINVAL);
	KUNIT_EXPECT_EQ(test, fs_store("watchdog_ms", "20"), 2);

	KUNIT_ASSERT_EQ(test, fs_store("stiffness", "1"), 1);
	fs_wait_for_the_pose(test, 9);
	fs_expect_attr(test, "watchdog_ms", "20");
}

static void stream_described_watchdog(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-servos");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_bind(test);
	fs_wait_for_the_pose(test, 6);
	fs_expect_attr(test, "watchdog_ms", "700");
}

/* Twice as long as ours, and never so long that there is no word for it. */
static void stream_sets_bus_watchdog(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);

	fs_open(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
	fs_close(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 0);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[WATCHDOG2], 0);
	KUNIT_ASSERT_EQ(test, fs_store("watchdog_ms", "505"), 3);
	fs_open(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 51);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[WATCHDOG2], 51);
}

/* A firmware without it has something else there, or nothing. */
static void stream_leaves_old_firmware(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-mixed");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add_v2(f, 2, MODEL_XM430)->table[6] = 37;
	fake_servos_add_v2(f, 3, MODEL_XM430)->table[6] = 38;
	fs_be_ready(test, 6);
	fs_open(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 0);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[WATCHDOG2], 127);
}

/* Somebody who only keeps the stream alive must not seem to be gone after 2.54 s. */
static void stream_talks_to_bus_watchdog(struct kunit *test)
{
	fs_of_both(test);
	fs_open(test);
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 0);
	fs_pose->team->spoken = ktime_sub_ms(ktime_get(), 1300);
	fs_tick(test);
	fs_expect_sent(test, 0, WATCHDOG2, 2);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
	fs_tick(test);
	KUNIT_EXPECT_EQ(test, fs_num_sent, 1);
}

/* A servo that has stopped by itself takes a goal only after a 0. */
static void stream_recovers_stopped(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);

	fs_open(test);
	fs_trip(test);
	f->servo[1]->table[WATCHDOG2] = 0xff;
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
}

static void stream_begins_stopped(struct kunit *test)
{
	struct fake_servos *f = fs_of_both(test);

	f->servo[1]->table[WATCHDOG2] = 0xff;
	fs_open(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
}

static struct kunit_case stream_cases[] = {
	KUNIT_CASE(stream_one_pose_a_tick),
	KUNIT_CASE(stream_no_pose_without_tick),
	KUNIT_CASE(stream_underruns),
	KUNIT_CASE(stream_refused_pose),
	KUNIT_CASE(stream_end_drops),
	KUNIT_CASE(stream_too_long),
	KUNIT_CASE(stream_signs_of_life),
	KUNIT_CASE(stream_trips),
	KUNIT_CASE(stream_repeats_torque_off),
	KUNIT_CASE(stream_drops_while_tripped),
	KUNIT_CASE(stream_drops_some_at_a_time),
	KUNIT_CASE(stream_stops_late_goal),
	KUNIT_CASE(stream_stops_overtaken_goal),
	KUNIT_CASE(stream_trips_both),
	KUNIT_CASE(stream_trips_wheel),
	KUNIT_CASE(stream_trips_at_shutdown),
	KUNIT_CASE(stream_is_let_go),
	KUNIT_CASE(stream_is_let_go_in_recovery),
	KUNIT_CASE(stream_stays_let_go),
	KUNIT_CASE(stream_recovers_what_is_free),
	KUNIT_CASE(stream_none_is_let_go),
	KUNIT_CASE(stream_keeps_returned_limp),
	KUNIT_CASE(stream_keeps_newcomer_limp),
	KUNIT_CASE(stream_recovers),
	KUNIT_CASE(stream_recovers_by_itself),
	KUNIT_CASE(stream_recovers_by_itself_only),
	KUNIT_CASE(stream_recovers_not_by_itself),
	KUNIT_CASE(stream_recovers_both),
	KUNIT_CASE(stream_trips_in_recovery),
	KUNIT_CASE(stream_ends_in_recovery),
	KUNIT_CASE(stream_ends_unheard),
	KUNIT_CASE(stream_remembers_limit),
	KUNIT_CASE(stream_recovers_without_silent),
	KUNIT_CASE(stream_recovers_nobody),
	KUNIT_CASE(stream_begins_tripped),
	KUNIT_CASE(stream_goes_on_with_newcomer),
	KUNIT_CASE(stream_goes_on_with_wheel),
	KUNIT_CASE(stream_goes_on_without_unbound),
	KUNIT_CASE(stream_ends_without_servos),
	KUNIT_CASE(stream_leaves_no_goals),
	KUNIT_CASE(stream_leaves_out_lost),
	KUNIT_CASE(stream_goes_on_with_returned),
	KUNIT_CASE(stream_waits_for_answer),
	KUNIT_CASE(stream_asks_again),
	KUNIT_CASE(stream_begins_in_doubt),
	KUNIT_CASE(stream_ends_in_doubt),
	KUNIT_CASE(stream_sets_up_after_shutdown),
	KUNIT_CASE(stream_leaves_out_doubted),
	KUNIT_CASE(stream_leaves_out_unknown),
	KUNIT_CASE(stream_recovers_no_lost),
	KUNIT_CASE(stream_loses_in_recovery),
	KUNIT_CASE(stream_lets_lost_go),
	KUNIT_CASE(stream_recovers_in_doubt),
	KUNIT_CASE(stream_ends_in_recovery_of_one),
	KUNIT_CASE(stream_ends_with_lost),
	KUNIT_CASE(stream_begins_after_return),
	KUNIT_CASE(stream_sets_returned_bus_watchdog),
	KUNIT_CASE(stream_begins_on_return),
	KUNIT_CASE(stream_leaves_stopped),
	KUNIT_CASE(stream_leaves_out_lost_v2),
	KUNIT_CASE(stream_excludes_others),
	KUNIT_CASE(stream_keeps_maintenance_out),
	KUNIT_CASE(stream_watchdog_ms),
	KUNIT_CASE(stream_described_watchdog),
	KUNIT_CASE(stream_sets_bus_watchdog),
	KUNIT_CASE(stream_leaves_old_firmware),
	KUNIT_CASE(stream_talks_to_bus_watchdog),
	KUNIT_CASE(stream_recovers_stopped),
	KUNIT_CASE(stream_begins_stopped),
	{}
};

static struct kunit_suite stream_suite = {
	.name = "dxl_stream",
	.test_cases = stream_cases,
};

kunit_test_suite(stream_suite);
