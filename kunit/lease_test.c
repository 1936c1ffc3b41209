// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of leases: who has joints moved one by one is watched, too
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include "../drivers/bus/base/base.h"
#include "fake_stream.h"

static const char *path_of(struct kunit *test)
{
	char *path = kunit_kzalloc(test, 32, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, path);
	snprintf(path, 32, "/dev/%s", dev_name(dxl_bus_dev(fs_bus_of(test))));

	return path;
}

static struct file *open_lease(struct kunit *test, int flags)
{
	return filp_open(path_of(test), flags, 0);
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

/* --- without memory --- */

/* Those of the line-up, and the first of the hundreds that the registration of a device takes. */
#define ALLOCATIONS	16

#ifdef CONFIG_FAULT_INJECTION

static void set_fail_nth(unsigned int nth)
{
	current->fail_nth = nth;
}

static unsigned int get_fail_nth(void)
{
	return current->fail_nth;
}

#else

static void set_fail_nth(unsigned int nth)
{
}

static unsigned int get_fail_nth(void)
{
	return 1;
}

#endif

/*
 * Make the driver register the pose device anew while the @nth allocation fails; see fail-nth in
 * the kernel's Documentation/fault-injection. Return whether the driver has allocated so often.
 */
static bool rebuild_without(struct kunit *test, const char *stiffness, int nth)
{
	struct dxl_team *team = fs_servo(test, 1)->team;
	bool failed;

	KUNIT_ASSERT_EQ(test, fs_store("stiffness", stiffness), 1);
	cancel_delayed_work_sync(&team->rebuild);
	set_fail_nth(nth);
	team->rebuild.work.func(&team->rebuild.work);
	failed = !get_fail_nth();
	set_fail_nth(0);
	/* It is tried once more a while later. */
	if (failed)
		mod_delayed_work(system_percpu_wq, &team->rebuild, 0);

	return failed;
}

/* Whatever has failed, joints that a lease watches are let go, and all is mended later. */
static void lease_without_memory(struct kunit *test)
{
	struct file *lease;
	int nth;

	if (!IS_ENABLED(CONFIG_FAILSLAB))
		kunit_skip(test, "this kernel has no allocation fail");

	fs_of_v1(test);
	for (nth = 1; nth <= ALLOCATIONS; nth++) {
		lease = take_lease(test);
		fs_give_torque(test);
		KUNIT_EXPECT_TRUE(test, rebuild_without(test, nth & 1 ? "1" : "0", nth));
		close_lease(lease);
		fs_expect_torque(test, 0);
		fs_wait_for_the_pose(test, nth & 1 ? 9 : 6);
	}
}

/* --- and others --- */

/**
 * struct opener - a program that opens a device
 * @work: does so
 * @path: the device
 * @file: what that gives
 * @done: it has been opened, or not
 */
struct opener {
	struct work_struct work;
	const char *path;
	struct file *file;
	struct completion done;
};

static void open_it(struct work_struct *work)
{
	struct opener *opener = container_of(work, struct opener, work);

	opener->file = filp_open(opener->path, O_WRONLY, 0);
	complete(&opener->done);
}

static void begin_to_open(struct opener *opener, const char *path)
{
	opener->path = path;
	init_completion(&opener->done);
	INIT_WORK_ONSTACK(&opener->work, open_it);
	queue_work(system_unbound_wq, &opener->work);
}

static bool is_opened(struct opener *opener, unsigned int ms)
{
	return wait_for_completion_timeout(&opener->done, msecs_to_jiffies(ms));
}

static void end_opening(struct kunit *test, struct opener *opener)
{
	flush_work(&opener->work);
	destroy_work_on_stack(&opener->work);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(opener->file), "%pe", opener->file);
	close_lease(opener->file);
}

static const struct file_operations other_fops = {
	.owner = THIS_MODULE,
};

static struct miscdevice other = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "dxl-kunit-other",
	.fops = &other_fops,
};

static void forget_other(void *unused)
{
	misc_deregister(&other);
}

/* All misc devices of a machine are opened under one lock. */
static void lease_keeps_nobody_waiting(struct kunit *test)
{
	struct opener lease, misc;

	fs_of_v1(test);
	KUNIT_ASSERT_EQ(test, misc_register(&other), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, forget_other, NULL), 0);
	/* A stream is just being ended, which asks and tells servos. */
	mutex_lock(&fs_pose->team->recovery);
	begin_to_open(&lease, path_of(test));
	KUNIT_EXPECT_FALSE(test, is_opened(&lease, 20));
	begin_to_open(&misc, "/dev/dxl-kunit-other");
	KUNIT_EXPECT_TRUE(test, is_opened(&misc, FAKE_PATIENCE_MS));
	mutex_unlock(&fs_pose->team->recovery);
	end_opening(test, &misc);
	end_opening(test, &lease);
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
	KUNIT_CASE(lease_without_memory),
	KUNIT_CASE(lease_keeps_nobody_waiting),
	{}
};

static struct kunit_suite lease_suite = {
	.name = "dxl_lease",
	.test_cases = lease_cases,
};

kunit_test_suite(lease_suite);
