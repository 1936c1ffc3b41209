// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of leases: who has joints moved one by one is watched, too
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "../drivers/bus/base/base.h"
#include "fake_stream.h"

static struct file *open_lease(struct kunit *test, int flags)
{
	char *path = kunit_kzalloc(test, 32, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, path);
	snprintf(path, 32, "/dev/%s", dev_name(dxl_bus_dev(fs_bus_of(test))));

	return filp_open(path, flags, 0);
}

static struct file *take_lease(struct kunit *test)
{
	struct file *lease = open_lease(test, O_WRONLY);

	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(lease), "%pe", lease);

	return lease;
}

/* At once, as it is for a program. */
static void close_lease(struct file *lease)
{
	filp_close(lease, NULL);
	flush_delayed_fput();
}

static ssize_t renew(struct file *lease)
{
	return lease->f_op->write(lease, (__force const char __user *)"1", 1, &lease->f_pos);
}

static ssize_t torque(struct kunit *test, u8 id, const char *on)
{
	return dev_attr_store(servo_iio(test, id), "out_angl0_en", on);
}

static void lease_is_one(struct kunit *test)
{
	struct file *lease;

	fs_of_v1(test);
	KUNIT_EXPECT_EQ(test, PTR_ERR(open_lease(test, O_RDONLY)), -EINVAL);
	lease = take_lease(test);
	fs_expect_attr(test, "stream_state", "leased");
	KUNIT_EXPECT_EQ(test, PTR_ERR(open_lease(test, O_RDWR)), -EBUSY);
	close_lease(lease);
	fs_expect_attr(test, "stream_state", "idle");
	close_lease(take_lease(test));
}

/* Nobody has to say that it is over. */
static void lease_ends(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct file *lease = take_lease(test);

	fs_give_torque(test);
	fs_deaf = 2;
	close_lease(lease);
	fs_expect_torque(test, 0);
	/* What has been taken is given back by who wants it. */
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 1), 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, torque(test, 1, "1"), 1);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 1), 5), 0);
	KUNIT_EXPECT_EQ(test, fs_reg16(f->servo[0], GOAL), 5);
}

static void lease_lapses(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct file *lease = take_lease(test);

	fs_give_torque(test);
	fs_be_silent(WATCHDOG_MS - 5000);
	fs_fire_watchdog();
	fs_expect_attr(test, "stream_state", "leased");
	fs_be_silent(WATCHDOG_MS);
	KUNIT_EXPECT_EQ(test, renew(lease), 1);
	fs_fire_watchdog();
	fs_expect_attr(test, "stream_state", "leased");

	fs_forget_sent();
	fs_trip(test);
	fs_expect_attr(test, "stream_state", "lapsed");
	fs_expect_sent(test, 0, TORQUE, 3);
	fs_expect_torque(test, 0);

	/* Again and again, as nobody acknowledges it. */
	f->servo[1]->table[TORQUE] = 1;
	fs_trip(test);
	fs_expect_torque(test, 0);

	/* Nobody would watch. */
	KUNIT_EXPECT_EQ(test, torque(test, 1, "1"), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 1), 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, renew(lease), -ETIMEDOUT);
	fs_expect_attr(test, "stream_state", "leased");
	fs_expect_torque(test, 0);
	KUNIT_EXPECT_EQ(test, renew(lease), 1);
	KUNIT_EXPECT_EQ(test, torque(test, 1, "1"), 1);
	close_lease(lease);
}

/* A stream is watched in its place, and what is behind it holds on. */
static void lease_around_stream(struct kunit *test)
{
	struct file *lease;

	fs_of_v1(test);
	lease = take_lease(test);
	fs_open(test);
	fs_expect_attr(test, "stream_state", "streaming");
	fs_push(test, 300);
	fs_tick(test);
	fs_close(test);
	fs_expect_attr(test, "stream_state", "leased");
	fs_expect_torque(test, 1);
	fs_trip(test);
	fs_expect_attr(test, "stream_state", "lapsed");
	fs_expect_torque(test, 0);

	/* The next one gives back what this has taken. */
	fs_open(test);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_recover(test, 6);
	fs_end_ramp(test);
	fs_expect_torque(test, 1);
	close_lease(lease);
	fs_expect_attr(test, "stream_state", "tripped");
	fs_expect_torque(test, 0);
	fs_close(test);
	fs_expect_attr(test, "stream_state", "idle");
}

/* Its end would let go what another program moves. */
static void lease_behind_stream(struct kunit *test)
{
	fs_of_v1(test);
	fs_open(test);
	KUNIT_EXPECT_EQ(test, PTR_ERR(open_lease(test, O_WRONLY)), -EBUSY);
	fs_expect_attr(test, "stream_state", "streaming");
	fs_trip(test);
	KUNIT_EXPECT_EQ(test, PTR_ERR(open_lease(test, O_WRONLY)), -EBUSY);
	fs_close(test);
	close_lease(take_lease(test));
	fs_expect_attr(test, "stream_state", "idle");
	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(fs_bus_of(test)), 0);
	dxl_bus_release(fs_bus_of(test));
}

/* Who writes to it says nothing of who streams. */
static void lease_is_no_stream(struct kunit *test)
{
	struct file *lease;

	fs_of_v1(test);
	lease = take_lease(test);
	fs_open(test);
	fs_be_silent(WATCHDOG_MS);
	KUNIT_EXPECT_EQ(test, renew(lease), 1);
	fs_fire_watchdog();
	fs_expect_attr(test, "stream_state", "tripped");
	fs_close(test);

	/* Nor the other way round. */
	fs_be_silent(WATCHDOG_MS);
	KUNIT_EXPECT_EQ(test, fs_store("keep_alive", "1"), 1);
	fs_fire_watchdog();
	fs_expect_attr(test, "stream_state", "lapsed");
	close_lease(lease);
}

/* Torque could not be taken on a bus that somebody has for himself. */
static void lease_keeps_maintenance_out(struct kunit *test)
{
	struct file *lease;

	fs_of_v1(test);
	lease = take_lease(test);
	KUNIT_EXPECT_EQ(test, dxl_bus_reserve(fs_bus_of(test)), -EBUSY);
	close_lease(lease);
	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(fs_bus_of(test)), 0);
	KUNIT_EXPECT_EQ(test, PTR_ERR(open_lease(test, O_WRONLY)), -EBUSY);
	dxl_bus_release(fs_bus_of(test));
	fs_expect_attr(test, "stream_state", "idle");
}

/* A pose device that is registered anew does not end it. */
static void lease_outlives_pose(struct kunit *test)
{
	struct file *lease;

	fs_of_v1(test);
	lease = take_lease(test);
	fs_give_torque(test);
	KUNIT_ASSERT_EQ(test, fs_store("stiffness", "1"), 1);
	fs_wait_for_the_pose(test, 9);
	fs_expect_attr(test, "stream_state", "leased");
	fs_expect_torque(test, 1);
	fs_trip(test);
	fs_expect_torque(test, 0);
	close_lease(lease);
}

/* Nor does it need a servo. */
static void lease_outlives_servos(struct kunit *test)
{
	struct fake_servos *f = fs_of_v1(test);
	struct file *lease = take_lease(test);
	unsigned int i;

	fs_give_torque(test);
	for (i = 0; i < 3; i++)
		device_release_driver(&servo_device(test, f->servo[i]->id)->dev);
	fs_expect_torque(test, 0);
	KUNIT_EXPECT_EQ(test, renew(lease), -ENODEV);
	KUNIT_EXPECT_EQ(test, PTR_ERR(open_lease(test, O_WRONLY)), -ENOENT);
	close_lease(lease);
}

/* One that is bound again while nobody knows who watches has no torque. */
static void lease_of_newcomer(struct kunit *test)
{
	struct file *lease;
	struct device *dev;

	fs_of_v1(test);
	lease = take_lease(test);
	fs_give_torque(test);
	dev = &servo_device(test, 7)->dev;
	device_release_driver(dev);
	KUNIT_ASSERT_EQ(test, device_attach(dev), 1);
	KUNIT_EXPECT_EQ(test, chan_write(fs_goal_of(test, 7), 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, torque(test, 7, "1"), 1);
	close_lease(lease);
	fs_expect_torque(test, 0);
}

static struct kunit_case lease_cases[] = {
	KUNIT_CASE(lease_is_one),
	KUNIT_CASE(lease_ends),
	KUNIT_CASE(lease_lapses),
	KUNIT_CASE(lease_around_stream),
	KUNIT_CASE(lease_behind_stream),
	KUNIT_CASE(lease_is_no_stream),
	KUNIT_CASE(lease_keeps_maintenance_out),
	KUNIT_CASE(lease_outlives_pose),
	KUNIT_CASE(lease_outlives_servos),
	KUNIT_CASE(lease_of_newcomer),
	{}
};

static struct kunit_suite lease_suite = {
	.name = "dxl_lease",
	.test_cases = lease_cases,
};

kunit_test_suite(lease_suite);
