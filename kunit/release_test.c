// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of how a joint is let go: by hand, and by the driver that leaves its servo
 *
 * Neither depends on what else is done with the bus or the servo. And a device that is known
 * to be another model gets nothing, as it has something else at that address.
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/ladder.h"
#include "../drivers/bus/queue/state.h"
#include "fake_stream.h"

#define MODEL_MX28	29

static struct attr_user *begin_to_let_go(struct kunit *test, u8 id)
{
	return attr_write(test, servo_iio(test, id), "out_angl0_en", "0");
}

static bool becomes_free(const struct fake_device *dev)
{
	unsigned int ms;

	for (ms = 0; ms < FAKE_PATIENCE_MS && READ_ONCE(dev->table[TORQUE]); ms++)
		usleep_range(1000, 2000);

	return !READ_ONCE(dev->table[TORQUE]);
}

/**
 * struct return_of - a servo that is back, whose driver is told so
 * @work: tells it
 * @ddev: the device
 */
struct return_of {
	struct work_struct work;
	struct dxl_device *ddev;
};

static void tell_of_return(struct work_struct *work)
{
	struct dxl_device *ddev = container_of(work, struct return_of, work)->ddev;

	to_dxl_driver(ddev->dev.driver)->returned(ddev);
}

/* Its driver asks what it is, which waits for whoever has the bus for himself. */
static void release_beside_reservation(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct return_of back = { .ddev = servo_device(test, 1) };
	struct attr_user *user;

	fs_give_torque(test);
	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(fs_bus_of(test)), 0);
	INIT_WORK_ONSTACK(&back.work, tell_of_return);
	queue_work(system_unbound_wq, &back.work);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_pending(f->line, DXL_PRIO_REQUEST));

	user = begin_to_let_go(test, 1);
	KUNIT_EXPECT_TRUE(test, becomes_free(f->servo[0]));
	dxl_bus_release(fs_bus_of(test));
	KUNIT_EXPECT_EQ(test, attr_result(user), 1);
	flush_work(&back.work);
	destroy_work_on_stack(&back.work);
}

static void set_away(struct dxl_bus *bus, bool away)
{
	spin_lock_bh(&bus->queue->lock);
	bus->queue->away = away;
	spin_unlock_bh(&bus->queue->lock);
}

/* While the line is at another rate no device would understand it. */
static void release_waits_for_the_rate(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_bus *bus = fs_bus_of(test);
	struct attr_user *user;
	unsigned int writes;

	fs_give_torque(test);
	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(bus), 0);
	set_away(bus, true);
	writes = f->line->writes;
	user = begin_to_let_go(test, 1);
	KUNIT_EXPECT_TRUE(test, fake_line_wait_pending(f->line, DXL_PRIO_RELEASE));
	KUNIT_EXPECT_EQ(test, f->line->writes, writes);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	set_away(bus, false);
	dxl_bus_release(bus);
	KUNIT_EXPECT_TRUE(test, becomes_free(f->servo[0]));
	KUNIT_EXPECT_EQ(test, attr_result(user), 1);
}

/* The first hears, and is not heard. */
static void respond_in_silence(struct fake_line *line, const struct dxl_packet *request)
{
	if (request->id != 1) {
		fake_line_respond(line, request);
		return;
	}

	if (request->instruction == DXL_WRITE)
		line->devices[0].table[request->params[0]] = request->params[1];
	fake_line_give_up(line);
}

/* A cable may be broken in one direction. */
static void release_of_lost(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev;

	fs_give_torque(test);
	ddev = fs_lose(test, 0);
	f->line->respond = respond_in_silence;

	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), -EHOSTDOWN);
	flush_work(&f->line->answer);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, READ_ONCE(ddev->state), DXL_LOST);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(fs_servo(test, 1)->by_hand));
	/* All else is refused without a packet. */
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 1), -EHOSTDOWN);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	/* That has it asked at once whether it is back, and not again for a while. */
	flush_delayed_work(&f->line->bus->ladder->work);
	flush_work(&f->line->answer);

	/* What it says when it is back, and has not been asked yet, is no answer to a question. */
	f->line->respond = fake_line_respond;
	f->servo[0]->table[TORQUE] = 1;
	f->servo[0]->silent = false;
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), -EHOSTDOWN);
	fs_come_back(test, 0);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, ddev->faults, 0);
}

/* Nor is one said to be free that does not acknowledge any write. */
static void release_of_lost_that_is_terse(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);

	fs_give_torque(test);
	f->servo[0]->status_level = DXL_ANSWERS_READ;
	WRITE_ONCE(ddev->status_level, DXL_ANSWERS_READ);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), 0);
	fs_lose(test, 0);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), -EHOSTDOWN);
}

/* It has not heard that, either: then it is told when it is back. */
static void release_of_deaf(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);

	fs_give_torque(test);
	fs_lose(test, 0);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), -EHOSTDOWN);
	flush_work(&f->line->answer);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	fs_come_back(test, 0);
	KUNIT_EXPECT_EQ(test, fs_servo(test, 1)->torque, TORQUE_FREE);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);

	/* But not that somebody wants it to hold by now. */
	fs_lose(test, 0);
	f->servo[0]->silent = false;
	fs_come_back(test, 0);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 1), 0);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
}

/* Nor does the driver leave one that is lost as it is. */
static void release_of_lost_at_unbind(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct device *dev = &servo_device(test, 1)->dev;

	fs_give_torque(test);
	fs_lose(test, 0);
	f->line->respond = respond_in_silence;
	device_release_driver(dev);
	flush_work(&f->line->answer);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
}

/* --- another model in a servo's place --- */

static unsigned int writes_to_first;

static void respond_and_count(struct fake_line *line, const struct dxl_packet *request)
{
	bool writes = request->instruction == DXL_WRITE ||
		      request->instruction == DXL_REG_WRITE;

	writes_to_first += writes && request->id == 1;
	fake_line_respond(line, request);
}

/* What it has at the address of its torque may be its power. */
static struct dxl_device *replace(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);

	fs_give_torque(test);
	fs_lose(test, 0);
	put_le16(f->servo[0]->table, MODEL_MX28);
	fs_come_back(test, 0);
	KUNIT_ASSERT_TRUE(test, READ_ONCE(fs_servo(test, 1)->wrong_model));
	f->line->respond = respond_and_count;
	writes_to_first = 0;

	return ddev;
}

static void expect_nothing_written(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	flush_work(&f->line->answer);
	KUNIT_EXPECT_EQ(test, writes_to_first, 0);
}

static void release_of_other_model(struct kunit *test)
{
	replace(test);
	KUNIT_EXPECT_EQ(test, chan_write_enable(fs_goal_of(test, 1), 0), -ENODEV);
	expect_nothing_written(test);
}

static void release_of_other_model_at_unbind(struct kunit *test)
{
	device_release_driver(&replace(test)->dev);
	expect_nothing_written(test);
}

/* Suspend goes the same way. */
static void release_of_other_model_at_shutdown(struct kunit *test)
{
	struct dxl_device *ddev = replace(test);

	dxl_bus_type.shutdown(&ddev->dev);
	expect_nothing_written(test);
}

static struct kunit_case release_cases[] = {
	KUNIT_CASE(release_beside_reservation),
	KUNIT_CASE(release_waits_for_the_rate),
	KUNIT_CASE(release_of_lost),
	KUNIT_CASE(release_of_lost_that_is_terse),
	KUNIT_CASE(release_of_deaf),
	KUNIT_CASE(release_of_lost_at_unbind),
	KUNIT_CASE(release_of_other_model),
	KUNIT_CASE(release_of_other_model_at_unbind),
	KUNIT_CASE(release_of_other_model_at_shutdown),
	{}
};

static struct kunit_suite release_suite = {
	.name = "dxl_release",
	.test_cases = release_cases,
};

kunit_test_suite(release_suite);
