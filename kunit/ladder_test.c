// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ladder on which devices that do not answer fall
 */
#include <linux/device.h>
#include <linux/net.h>
#include <linux/netlink.h>
#include <linux/string.h>
#include <linux/uio.h>
#include <linux/workqueue.h>

#include <net/net_namespace.h>
#include <net/sock.h>

#include <kunit/test.h>

#include <linux/dxl/transport.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/ladder.h"
#include "fake_line.h"
#include "fake_tree.h"

static int ladder_test_init(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1000000, NULL);

	test->priv = line;
	fake_line_add(test, line);

	return 0;
}

static struct fake_request *ask(struct kunit *test, struct fake_line *line,
				struct dxl_device *ddev)
{
	struct fake_request *req = fake_line_read(line, ddev->id, 36, 2);

	req->reply.ddev = ddev;
	fake_line_rested(line);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);

	return req;
}

static void fail(struct kunit *test, struct fake_line *line,
		 struct dxl_device *ddev)
{
	struct fake_request *req = ask(test, line, ddev);

	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ETIMEDOUT);
}

static void succeed(struct kunit *test, struct fake_line *line,
		    struct dxl_device *ddev)
{
	static const u8 params[] = { 1, 7 };
	struct fake_request *req = ask(test, line, ddev);

	fake_line_status(line, DXL_PROTOCOL_1, ddev->id, 0, params,
			 sizeof(params));
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
}

static enum dxl_state state_of(struct dxl_device *ddev)
{
	return READ_ONCE(ddev->state);
}

static void lose(struct kunit *test, struct fake_line *line,
		 struct dxl_device *ddev)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		fail(test, line, ddev);
	KUNIT_ASSERT_EQ(test, state_of(ddev), DXL_LOST);
}

/* --- up and down --- */

static void ladder_steps(struct kunit *test)
{
	static const enum dxl_state after[] = {
		DXL_ACTIVE, DXL_ACTIVE, DXL_WARNING, DXL_WARNING, DXL_PASSIVE,
		DXL_PASSIVE, DXL_PASSIVE, DXL_PASSIVE, DXL_LOST,
	};
	struct fake_line *line = test->priv;
	struct dxl_device *ddev = &line->ddevs[0];
	int faults;

	KUNIT_EXPECT_EQ(test, state_of(ddev), DXL_ACTIVE);
	for (faults = 1; faults <= 7; faults++) {
		fail(test, line, ddev);
		KUNIT_EXPECT_EQ_MSG(test, state_of(ddev), after[faults],
				    "%d faults", faults);
	}
	for (faults = 6; faults >= 0; faults--) {
		succeed(test, line, ddev);
		KUNIT_EXPECT_EQ_MSG(test, state_of(ddev), after[faults],
				    "%d faults", faults);
	}
	succeed(test, line, ddev);
	KUNIT_EXPECT_EQ(test, ddev->faults, 0);

	for (faults = 1; faults <= 8; faults++) {
		fail(test, line, ddev);
		KUNIT_EXPECT_EQ_MSG(test, state_of(ddev), after[faults],
				    "%d faults", faults);
	}
	KUNIT_EXPECT_EQ(test, state_of(&line->ddevs[1]), DXL_ACTIVE);
}

/* A fault is what a device did, not what befell a request without it. */
static void ladder_faults(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_device *ddev = &line->ddevs[0];
	struct fake_request *req;

	ask(test, line, ddev);
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf3);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, ddev->faults, 1);

	ask(test, line, ddev);
	fake_line_status(line, DXL_PROTOCOL_1, 1, 0, (u8[]){ 1 }, 1);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, ddev->faults, 2);

	/* One that refuses is there, and well. */
	req = ask(test, line, ddev);
	fake_line_status(line, DXL_PROTOCOL_1, 1, DXL1_ERR_RANGE, NULL, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, ddev->faults, 1);

	line->refusal = -EIO;
	ask(test, line, ddev);
	KUNIT_EXPECT_EQ(test, ddev->faults, 1);
	line->refusal = 0;

	ask(test, line, ddev);
	dxl_bus_disconnect(line->bus);
	KUNIT_EXPECT_EQ(test, ddev->faults, 1);
}

/* --- lost --- */

static void ladder_lost(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_device *ddev = &line->ddevs[0];
	struct fake_request *req;

	lose(test, line, ddev);
	KUNIT_EXPECT_EQ(test, line->writes, 8);
	req = ask(test, line, ddev);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EHOSTDOWN);
	KUNIT_EXPECT_EQ(test, req->reply.status, -EHOSTDOWN);
	KUNIT_EXPECT_EQ(test, line->writes, 8);
	KUNIT_EXPECT_EQ(test, fake_device_stat(ddev, DXL_STAT_NACK), 8);
	KUNIT_EXPECT_EQ(test, ddev->faults, 8);

	/* The others are none the worse. */
	succeed(test, line, &line->ddevs[1]);
}

/* One that was waiting when its device was found to be lost. */
static void ladder_lost_meanwhile(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_device *ddev = &line->ddevs[0];
	struct fake_request *last, *waiting;
	unsigned int i;

	for (i = 0; i < 7; i++)
		fail(test, line, ddev);
	last = ask(test, line, ddev);
	waiting = fake_line_read(line, 1, 36, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(waiting), 0);
	fake_line_give_up(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(last), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, fake_request_result(waiting), -EHOSTDOWN);
	KUNIT_EXPECT_EQ(test, line->writes, 8);
}

static void ladder_lost_maintenance(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_device *ddev = &line->ddevs[0];
	struct fake_request *req;

	lose(test, line, ddev);
	req = fake_line_read(line, 1, 36, 2);
	req->xfer.priority = DXL_PRIO_MAINTENANCE;
	fake_line_rested(line);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 9);
	fake_line_status(line, DXL_PROTOCOL_1, 1, 0, (u8[]){ 1, 7 }, 2);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);

	/* One good answer makes up for all. */
	KUNIT_EXPECT_EQ(test, state_of(ddev), DXL_ACTIVE);
	KUNIT_EXPECT_EQ(test, ddev->faults, 0);
	succeed(test, line, ddev);
}

/* --- devices that user space sees --- */

static void put_held(void *data)
{
	struct dxl_device *ddev = data;

	put_device(&ddev->dev);
}

static struct fake_line *described_line(struct kunit *test)
{
	struct fwnode_handle *node = fake_tree_bus(test, "bus-wrong");
	struct fake_line *line = fake_line_create(test, 1000000, node);

	fake_line_add(test, line);

	return line;
}

/* A device of described_line(), of Protocol 1.0. */
static struct dxl_device *described_device(struct kunit *test,
					   struct fake_line *line, u8 id)
{
	struct device *dev;
	char name[16];

	snprintf(name, sizeof(name), "%d-%03u", line->bus->nr, id);
	dev = device_find_child_by_name(dxl_bus_dev(line->bus), name);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	to_dxl_device(dev)->protocol = DXL_PROTOCOL_1;
	KUNIT_ASSERT_EQ(test,
			kunit_add_action_or_reset(test, put_held,
						  to_dxl_device(dev)), 0);

	return to_dxl_device(dev);
}

/* What sysfs shows as @name, one of the attributes of no group. */
static const char *show(struct dxl_device *ddev, const char *name, char *buf)
{
	const struct attribute_group **group;
	struct attribute **attr;

	for (group = ddev->dev.groups; *group; group++) {
		for (attr = (*group)->attrs; attr && *attr; attr++) {
			struct device_attribute *dev_attr =
				container_of(*attr, struct device_attribute,
					     attr);

			if ((*group)->name || strcmp((*attr)->name, name))
				continue;
			dev_attr->show(&ddev->dev, dev_attr, buf);
			return buf;
		}
	}

	return "no such attribute";
}

static void ladder_attribute(struct kunit *test)
{
	struct fake_line *line = described_line(test);
	struct dxl_device *ddev = described_device(test, line, 7);
	char *buf = kunit_kzalloc(test, 2 * PAGE_SIZE, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	/* sysfs_emit() wants a page of its own. */
	buf = PTR_ALIGN(buf, PAGE_SIZE);

	KUNIT_EXPECT_STREQ(test, show(ddev, "state", buf), "active\n");
	for (i = 0; i < 2; i++)
		fail(test, line, ddev);
	KUNIT_EXPECT_STREQ(test, show(ddev, "state", buf), "warning\n");
	for (i = 0; i < 2; i++)
		fail(test, line, ddev);
	KUNIT_EXPECT_STREQ(test, show(ddev, "state", buf), "passive\n");
	for (i = 0; i < 4; i++)
		fail(test, line, ddev);
	KUNIT_EXPECT_STREQ(test, show(ddev, "state", buf), "lost\n");
}

static void close_socket(void *data)
{
	sock_release(data);
}

/* A socket that hears what udev does. */
static struct socket *hear_uevents(struct kunit *test)
{
	struct sockaddr_nl group = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	struct socket *sock;

	KUNIT_ASSERT_EQ(test,
			sock_create_kern(&init_net, AF_NETLINK, SOCK_RAW,
					 NETLINK_KOBJECT_UEVENT, &sock), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, close_socket,
							sock), 0);
	KUNIT_ASSERT_EQ(test, kernel_bind(sock, (struct sockaddr *)&group,
					  sizeof(group)), 0);
	sock->sk->sk_rcvtimeo = msecs_to_jiffies(FAKE_PATIENCE_MS);

	return sock;
}

static bool has_string(const char *buf, size_t len, const char *string)
{
	const char *at;

	for (at = buf; at < buf + len; at += strlen(at) + 1)
		if (!strcmp(at, string))
			return true;

	return false;
}

/* Whether an event tells of @state, among those of others. */
static bool heard_state(struct socket *sock, char *buf, size_t size,
			const char *state)
{
	unsigned int i;
	int len;

	for (i = 0; i < 100; i++) {
		struct kvec vec = { .iov_base = buf, .iov_len = size - 1 };
		struct msghdr msg = {};

		len = kernel_recvmsg(sock, &msg, &vec, 1, size - 1, 0);
		if (len < 0)
			return false;
		buf[len] = '\0';
		if (has_string(buf, len, state))
			return has_string(buf, len, "ACTION=change");
	}

	return false;
}

static void ladder_uevent(struct kunit *test)
{
	struct fake_line *line = described_line(test);
	struct dxl_device *ddev = described_device(test, line, 7);
	struct socket *sock = hear_uevents(test);
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	fail(test, line, ddev);
	fail(test, line, ddev);
	KUNIT_EXPECT_TRUE(test, heard_state(sock, buf, PAGE_SIZE,
					    "DXL_STATE=warning"));
	succeed(test, line, ddev);
	KUNIT_EXPECT_TRUE(test, heard_state(sock, buf, PAGE_SIZE,
					    "DXL_STATE=active"));
}

/* The time has come to ask whether a lost device is back. */
static void probe_now(struct fake_line *line)
{
	fake_line_rested(line);
	mod_delayed_work(system_percpu_wq, &line->bus->ladder->work, 0);
}

/* A read of model number and firmware version. */
static bool wrote_probe(struct fake_line *line, u8 id)
{
	const u8 probe[] = {
		0xff, 0xff, id, 0x04, 0x02, 0x00, 0x03, ~(id + 0x09),
	};

	return fake_line_wrote(line, probe, sizeof(probe));
}

static void ladder_comes_back(struct kunit *test)
{
	static const u8 model[] = { 12, 0, 24 };
	struct fake_line *line = described_line(test);
	struct dxl_device *ddev = described_device(test, line, 7);

	lose(test, line, ddev);
	fake_line_forget(line);
	probe_now(line);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 9));
	KUNIT_EXPECT_TRUE(test, wrote_probe(line, 7));
	fake_line_status(line, DXL_PROTOCOL_1, 7, 0, model, sizeof(model));
	KUNIT_EXPECT_EQ(test, state_of(ddev), DXL_ACTIVE);
	KUNIT_EXPECT_EQ(test, ddev->faults, 0);
	succeed(test, line, ddev);

	/* Nobody is lost any more. */
	probe_now(line);
	flush_delayed_work(&line->bus->ladder->work);
	KUNIT_EXPECT_EQ(test, line->writes, 10);
}

static void ladder_stays_lost(struct kunit *test)
{
	struct fake_line *line = described_line(test);
	struct dxl_device *ddev = described_device(test, line, 7);

	lose(test, line, ddev);
	probe_now(line);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 9));

	/* One question at a time. */
	probe_now(line);
	flush_delayed_work(&line->bus->ladder->work);
	KUNIT_EXPECT_EQ(test, line->writes, 9);

	fake_line_give_up(line);
	KUNIT_EXPECT_EQ(test, state_of(ddev), DXL_LOST);
	KUNIT_EXPECT_TRUE(test, delayed_work_pending(&line->bus->ladder->work));
	probe_now(line);
	KUNIT_EXPECT_TRUE(test, fake_line_wait_writes(line, 10));
}

static void ladder_in_turn(struct kunit *test)
{
	static const u8 order[] = { 5, 7, 253, 5 };
	struct fake_line *line = described_line(test);
	size_t i;

	lose(test, line, described_device(test, line, 253));
	lose(test, line, described_device(test, line, 7));
	lose(test, line, described_device(test, line, 5));
	described_device(test, line, 0);
	line->bus->ladder->last_id = 0;
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		fake_line_forget(line);
		probe_now(line);
		KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 25 + i));
		KUNIT_EXPECT_TRUE_MSG(test, wrote_probe(line, order[i]),
				      "device %u", order[i]);
		fake_line_give_up(line);
	}
}

/* A program asks for something of a device that is lost, and is told that it is. */
static void seek(struct kunit *test, struct fake_line *line, struct dxl_device *ddev)
{
	KUNIT_EXPECT_EQ(test, fake_request_result(ask(test, line, ddev)), -EHOSTDOWN);
}

/* One that a program seeks is asked first, but every other question is one in turn. */
static void ladder_sought(struct kunit *test)
{
	struct fake_line *line = described_line(test);
	struct dxl_device *sought = described_device(test, line, 253);
	struct dxl_device *other = described_device(test, line, 7);
	struct delayed_work *work = &line->bus->ladder->work;

	lose(test, line, described_device(test, line, 5));
	lose(test, line, other);
	lose(test, line, sought);
	line->bus->ladder->last_id = 0;
	/* Its turn would not come. */
	mod_delayed_work(system_percpu_wq, work, 3600 * HZ);
	fake_line_forget(line);
	seek(test, line, sought);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 25));
	KUNIT_EXPECT_TRUE(test, wrote_probe(line, 253));
	fake_line_give_up(line);

	seek(test, line, other);
	seek(test, line, sought);
	flush_delayed_work(work);
	KUNIT_EXPECT_EQ(test, line->writes, 26);
	KUNIT_EXPECT_TRUE(test, wrote_probe(line, 5));
}

/* Where one is back the others may be, and are asked without a pause. */
static void ladder_all_come_back(struct kunit *test)
{
	static const u8 model[] = { 12, 0, 24 };
	static const u8 order[] = { 5, 7, 253 };
	struct fake_line *line = described_line(test);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(order); i++)
		lose(test, line, described_device(test, line, order[i]));
	/* The pause is as long as it may be. */
	line->bus->timing.margin_us = USEC_PER_SEC;
	line->bus->ladder->last_id = 0;
	fake_line_forget(line);
	probe_now(line);
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 25 + i));
		KUNIT_EXPECT_TRUE_MSG(test, wrote_probe(line, order[i]),
				      "device %u", order[i]);
		fake_line_forget(line);
		fake_line_status(line, DXL_PROTOCOL_1, order[i], 0, model,
				 sizeof(model));
	}
}

/* Nor does it keep them waiting that another one is lost meanwhile. */
static void ladder_back_while_lost(struct kunit *test)
{
	static const u8 model[] = { 12, 0, 24 };
	struct fake_line *line = described_line(test);
	struct dxl_device *failing = described_device(test, line, 253);
	unsigned int i;

	lose(test, line, described_device(test, line, 5));
	lose(test, line, described_device(test, line, 7));
	for (i = 0; i < 7; i++)
		fail(test, line, failing);
	line->bus->ladder->last_id = 0;
	ask(test, line, failing);
	probe_now(line);
	flush_delayed_work(&line->bus->ladder->work);
	fake_line_forget(line);
	fake_line_give_up(line);
	KUNIT_ASSERT_EQ(test, state_of(failing), DXL_LOST);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 25));
	KUNIT_EXPECT_TRUE(test, wrote_probe(line, 5));
	KUNIT_EXPECT_TRUE(test, delayed_work_pending(&line->bus->ladder->work));
	/* The pause would have no end. */
	mod_delayed_work(system_percpu_wq, &line->bus->ladder->work, 3600 * HZ);
	fake_line_forget(line);
	fake_line_status(line, DXL_PROTOCOL_1, 5, 0, model, sizeof(model));
	KUNIT_EXPECT_TRUE(test, fake_line_wait_writes(line, 26));
	KUNIT_EXPECT_TRUE(test, wrote_probe(line, 7));
}

static void ladder_removed_while_asked(struct kunit *test)
{
	struct fake_line *line = described_line(test);
	struct dxl_device *ddev = described_device(test, line, 7);

	lose(test, line, ddev);
	probe_now(line);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 9));
	fake_line_remove(line);
	KUNIT_EXPECT_FALSE(test, device_is_registered(&ddev->dev));
	KUNIT_EXPECT_EQ(test, line->writes, 9);
}

static void ladder_gone_while_asked(struct kunit *test)
{
	struct fake_line *line = described_line(test);
	struct dxl_device *ddev = described_device(test, line, 7);

	lose(test, line, ddev);
	probe_now(line);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 9));
	dxl_bus_disconnect(line->bus);
	probe_now(line);
	flush_delayed_work(&line->bus->ladder->work);
	KUNIT_EXPECT_EQ(test, line->writes, 9);
}

static struct kunit_case ladder_cases[] = {
	KUNIT_CASE(ladder_steps),
	KUNIT_CASE(ladder_faults),
	KUNIT_CASE(ladder_lost),
	KUNIT_CASE(ladder_lost_meanwhile),
	KUNIT_CASE(ladder_lost_maintenance),
	KUNIT_CASE(ladder_attribute),
	KUNIT_CASE(ladder_uevent),
	KUNIT_CASE(ladder_comes_back),
	KUNIT_CASE(ladder_stays_lost),
	KUNIT_CASE(ladder_in_turn),
	KUNIT_CASE(ladder_sought),
	KUNIT_CASE(ladder_all_come_back),
	KUNIT_CASE(ladder_back_while_lost),
	KUNIT_CASE(ladder_removed_while_asked),
	KUNIT_CASE(ladder_gone_while_asked),
	{}
};

static struct kunit_suite ladder_suite = {
	.name = "dxl_ladder",
	.init = ladder_test_init,
	.test_cases = ladder_cases,
};

kunit_test_suite(ladder_suite);
