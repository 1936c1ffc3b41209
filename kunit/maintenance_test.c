// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of how devices come to a bus, and of what changes them there
 */
#include <linux/completion.h>
#include <linux/device.h>
#include <linux/kobject.h>
#include <linux/mod_devicetable.h>
#include <linux/of.h>
#include <linux/property.h>
#include <linux/regmap.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <kunit/test.h>

#include <linux/dxl/cycle.h>
#include <linux/dxl/transport.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/state.h"
#include "fake_line.h"
#include "fake_tree.h"

#define BAUD		1000000
#define OTHER_BAUD	57600
#define NO_DRIVERS_BAUD	9600
#define FOUR_RATES	"9600,9600,9600,9600,"

#define MODEL_1		0x4321
#define MODEL_2		0x5432
#define MODEL_UNKNOWN	0x0666
#define FIRMWARE	42

/* Registers of the fake models. */
#define EEPROM_1	10
#define TORQUE_1	24
#define EEPROM_2	20
#define TORQUE_2	64

/* --- a driver --- */

static const struct dxl_baud fake_bauds[] = {
	{ BAUD, 1 },
	{ OTHER_BAUD, 34 },
	{ }
};

/* As a driver knows it: what the divider makes of 57600, and one near to it. */
static const struct dxl_baud table_bauds[] = {
	{ 58823, 33 },
	{ 57143, 34 },
	{ BAUD, 1 },
	{ }
};

static const struct dxl_table fake_table_1 = {
	.size = 64,
	.eeprom_size = 24,
	.eeprom_write_us = 10,
	.reboot_ms = 1,
	.id = 3,
	.factory_id = 9,
	.baud = 4,
	.torque_enable = TORQUE_1,
	.bauds = table_bauds,
};

static const struct dxl_table fake_table_2 = {
	.size = 128,
	.eeprom_size = 64,
	.eeprom_write_us = 10,
	.reboot_ms = 1,
	.id = 7,
	.baud = 8,
	.torque_enable = TORQUE_2,
	.bauds = table_bauds,
};

/* What the drivers did; there is one test at a time. */
static unsigned int probes, removes, shutdowns;

/* How many had been shut down when the first was removed. */
static unsigned int shutdowns_before;

static int fake_probe(struct dxl_device *ddev)
{
	const struct dxl_table *table = dxl_device_get_match_data(ddev);

	if (!table)
		return -EINVAL;

	ddev->protocol = table == &fake_table_1 ? DXL_PROTOCOL_1 :
						  DXL_PROTOCOL_2;
	ddev->table = table;
	probes++;

	return 0;
}

static void fake_remove(struct dxl_device *ddev)
{
	if (!removes++)
		shutdowns_before = shutdowns;
}

static void fake_shutdown(struct dxl_device *ddev)
{
	shutdowns++;
}

static const struct of_device_id fake_of_match[] = {
	{ .compatible = "naohw,fake-1", .data = &fake_table_1 },
	{ .compatible = "naohw,fake-2", .data = &fake_table_2 },
	{ }
};

static const struct dxl_device_id fake_id_table[] = {
	{ DXL_PROTOCOL_1, MODEL_1, &fake_table_1 },
	{ DXL_PROTOCOL_2, MODEL_2, &fake_table_2 },
	{ }
};

static struct dxl_driver fake_driver = {
	.driver = {
		.name = "dxl-fake",
		.of_match_table = fake_of_match,
		.probe_type = PROBE_FORCE_SYNCHRONOUS,
	},
	.id_table = fake_id_table,
	.probe = fake_probe,
	.remove = fake_remove,
	.shutdown = fake_shutdown,
};

static int maintenance_suite_init(struct kunit_suite *suite)
{
	return dxl_driver_register(&fake_driver);
}

static void maintenance_suite_exit(struct kunit_suite *suite)
{
	dxl_driver_unregister(&fake_driver);
}

/* --- the bus --- */

static int maintenance_test_init(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, BAUD, NULL);

	test->priv = line;
	fake_line_add(test, line);
	probes = 0;
	removes = 0;
	shutdowns = 0;

	return 0;
}

static struct device_attribute *find_attribute(struct device *dev,
					       const char *name)
{
	const struct attribute_group **group;
	struct attribute **attr;

	for (group = dev->groups ?: dev->type->groups; *group; group++)
		for (attr = (*group)->attrs; attr && *attr; attr++)
			if (!strcmp((*attr)->name, name))
				return container_of(*attr,
						    struct device_attribute,
						    attr);

	return NULL;
}

/* Write to an attribute; 0 or what that failed with. */
static int store(struct kunit *test, struct device *dev, const char *name,
		 const char *text)
{
	struct device_attribute *attr = find_attribute(dev, name);
	ssize_t ret;

	KUNIT_ASSERT_NOT_NULL_MSG(test, attr, "%s", name);
	ret = attr->store(dev, attr, text, strlen(text));
	if (ret < 0)
		return ret;
	KUNIT_EXPECT_EQ(test, ret, strlen(text));

	return 0;
}

static int store_bus(struct kunit *test, const char *name, const char *text)
{
	struct fake_line *line = test->priv;

	return store(test, dxl_bus_dev(line->bus), name, text);
}

/* What an attribute holds, there until the end of the test. */
static const char *show(struct kunit *test, struct device *dev,
			const char *name)
{
	struct device_attribute *attr = find_attribute(dev, name);
	char *page = (char *)get_zeroed_page(GFP_KERNEL);
	char *copy;

	KUNIT_ASSERT_NOT_NULL(test, attr);
	KUNIT_ASSERT_NOT_NULL(test, page);
	KUNIT_EXPECT_GE(test, attr->show(dev, attr, page), 0);
	copy = kunit_kstrdup(test, page, GFP_KERNEL);
	free_page((unsigned long)page);
	KUNIT_ASSERT_NOT_NULL(test, copy);

	return copy;
}

static const char *show_bus(struct kunit *test, const char *name)
{
	struct fake_line *line = test->priv;

	return show(test, dxl_bus_dev(line->bus), name);
}

/* The device with number @id, with a reference, or NULL. */
static struct dxl_device *find(struct kunit *test, u8 id)
{
	struct fake_line *line = test->priv;
	struct device *dev;
	char name[16];

	snprintf(name, sizeof(name), "%d-%03u", dxl_bus_nr(line->bus), id);
	dev = device_find_child_by_name(dxl_bus_dev(line->bus), name);

	return dev ? to_dxl_device(dev) : NULL;
}

static void put_held(void *ddev)
{
	put_device(&((struct dxl_device *)ddev)->dev);
}

/* The same, with the reference given back at the end of the test. */
static struct dxl_device *device(struct kunit *test, u8 id)
{
	struct dxl_device *ddev = find(test, id);

	if (ddev)
		KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test,
								   put_held,
								   ddev));

	return ddev;
}

static struct fake_device *fake(struct kunit *test, u8 id,
				enum dxl_protocol protocol, u16 model)
{
	struct fake_device *dev = fake_line_device(test->priv, id, protocol);

	dev->table[0] = model & 0xff;
	dev->table[1] = model >> 8;
	dev->table[protocol == DXL_PROTOCOL_1 ? 2 : 6] = FIRMWARE;
	dev->bauds = fake_bauds;

	return dev;
}

/* A device that user space has added, with its driver bound if it has one. */
static struct dxl_device *bound(struct kunit *test, const char *compatible,
				u8 id)
{
	struct dxl_device *ddev;
	char text[40];

	snprintf(text, sizeof(text), "%s %u", compatible, id);
	KUNIT_ASSERT_EQ(test, store_bus(test, "new_device", text), 0);
	ddev = device(test, id);
	KUNIT_ASSERT_NOT_NULL(test, ddev);

	return ddev;
}

static const char *modalias_of_uevent(struct kunit *test,
				      struct dxl_device *ddev)
{
	struct kobj_uevent_env *env = kunit_kzalloc(test, sizeof(*env),
						    GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, env);
	KUNIT_EXPECT_EQ(test, ddev->dev.type->uevent(&ddev->dev, env), 0);

	return env->envp_idx ? env->envp[0] : "";
}

/* --- devices from user space --- */

static void maintenance_new_device(struct kunit *test)
{
	struct dxl_device *ddev;
	const char *label;
	u32 reg;

	KUNIT_ASSERT_EQ(test, store_bus(test, "new_device",
					"naohw,fake-1  5 LeftElbow\n"), 0);
	ddev = device(test, 5);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_EXPECT_PTR_EQ(test, ddev->dev.driver, &fake_driver.driver);
	KUNIT_EXPECT_PTR_EQ(test, ddev->table, &fake_table_1);
	KUNIT_EXPECT_EQ(test, device_property_read_u32(&ddev->dev, "reg", &reg),
			0);
	KUNIT_EXPECT_EQ(test, reg, 5);
	KUNIT_ASSERT_EQ(test, device_property_read_string(&ddev->dev, "label",
							  &label), 0);
	KUNIT_EXPECT_STREQ(test, label, "LeftElbow");
	KUNIT_EXPECT_STREQ(test, show(test, &ddev->dev, "modalias"),
			   "of:NdeviceT(null)Cnaohw,fake-1\n");
	KUNIT_EXPECT_STREQ(test, modalias_of_uevent(test, ddev),
			   "MODALIAS=of:NdeviceT(null)Cnaohw,fake-1");

	/* Without a label, and without a driver. */
	ddev = bound(test, "naohw,nobody", 253);
	KUNIT_EXPECT_NULL(test, ddev->dev.driver);
	KUNIT_EXPECT_FALSE(test, device_property_present(&ddev->dev, "label"));

	KUNIT_EXPECT_EQ(test, store_bus(test, "delete_device", "5\n"), 0);
	KUNIT_EXPECT_NULL(test, device(test, 5));
	KUNIT_EXPECT_EQ(test, removes, 1);
	KUNIT_EXPECT_EQ(test, store_bus(test, "delete_device", "5\n"), -ENOENT);
	KUNIT_EXPECT_EQ(test, store_bus(test, "delete_device", "256"), -ERANGE);
	KUNIT_EXPECT_EQ(test, store_bus(test, "delete_device", "x"), -EINVAL);
}

/* A removal may wait for others; by then all joints have been let go. */
static void maintenance_driver_leaves(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, store_bus(test, "new_device", "naohw,fake-1 5"),
			0);
	KUNIT_ASSERT_EQ(test, store_bus(test, "new_device", "naohw,fake-2 6"),
			0);
	KUNIT_ASSERT_EQ(test, probes, 2);

	dxl_driver_unregister(&fake_driver);
	KUNIT_EXPECT_EQ(test, removes, 2);
	KUNIT_EXPECT_EQ(test, shutdowns_before, 2);
	KUNIT_ASSERT_EQ(test, dxl_driver_register(&fake_driver), 0);
}

static void maintenance_new_device_errors(struct kunit *test)
{
	static const struct {
		const char *text;
		int error;
	} cases[] = {
		{ "", -EINVAL },
		{ "naohw,fake-1", -EINVAL },
		{ "fake-1 3", -EINVAL },
		{ ",fake-1 3", -EINVAL },
		{ "naohw, 3", -EINVAL },
		{ "naohw,fa/ke 3", -EINVAL },
		{ "naohw,a123456789b123456789c123456789d123456789e123456789f12345678 3",
		  -EINVAL },
		{ "naohw,fake-1 three", -EINVAL },
		{ "naohw,fake-1 254", -ERANGE },
		{ "naohw,fake-1 256", -ERANGE },
		{ "naohw,fake-1 -1", -EINVAL },
		{ "naohw,fake-1 3 Left Elbow", -EINVAL },
		{ "naohw,fake-1 3 Elbow ports=", -EINVAL },
		{ "naohw,fake-1 3 Elbow ports=a,,b", -EINVAL },
		{ "naohw,fake-1 3 Elbow ports=a,b,", -EINVAL },
		{ "naohw,fake-1 3 Elbow ports=1,2,3,4,5,6,7,8,9", -EINVAL },
		{ "naohw,fake-1 3 Elbow ports=a,b c", -EINVAL },
		{ "naohw,fake-1 4", -EBUSY },
	};
	size_t i;

	bound(test, "naohw,fake-1", 4);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, store_bus(test, "new_device",
						    cases[i].text),
				    cases[i].error, "'%s'", cases[i].text);
	KUNIT_EXPECT_NULL(test, device(test, 3));
}

/* The name of the node that @ddev has; the reference to it is given back. */
static void put_named(struct kunit *test, struct dxl_device *ddev, char *name,
		      size_t size)
{
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	snprintf(name, size, "%pfwP", dev_fwnode(&ddev->dev));
	put_device(&ddev->dev);
}

/* The number of a software node is free again once the node is. */
static void maintenance_node_is_freed(struct kunit *test)
{
	struct fake_device *dev = fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	char expected[2][16], name[16];
	struct dxl_device *ddev;
	int i;

	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_EQ(test, store_bus(test, "new_device",
						"naohw,fake-1 5 Elbow"), 0);
		ddev = find(test, 5);
		KUNIT_ASSERT_NOT_NULL(test, ddev);
		KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 6), 0);
		put_named(test, ddev, i ? name : expected[0], sizeof(name));
		KUNIT_EXPECT_TRUE(test, !i || !strcmp(name, expected[0]));

		/* Another ID makes another node. */
		put_named(test, find(test, 6), i ? name : expected[1],
			  sizeof(name));
		KUNIT_EXPECT_TRUE(test, !i || !strcmp(name, expected[1]));
		KUNIT_EXPECT_EQ(test, store_bus(test, "delete_device", "6"), 0);
		dev->id = 5;
		dev->table[3] = 5;
	}
}

/* Which IDs there are is known only when the driver has told the protocol. */
static void maintenance_id_of_protocol2(struct kunit *test)
{
	struct dxl_device *ddev;

	ddev = bound(test, "naohw,fake-1", 253);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);
	KUNIT_EXPECT_EQ(test, store_bus(test, "delete_device", "253"), 0);

	ddev = bound(test, "naohw,fake-2", 253);
	KUNIT_EXPECT_NULL(test, ddev->dev.driver);
	KUNIT_EXPECT_NULL(test, ddev->table);
	KUNIT_EXPECT_EQ(test, removes, probes);
}

/* --- scan --- */

static void maintenance_scan(struct kunit *test)
{
	struct fake_device *dev;
	struct dxl_device *ddev;

	fake(test, 3, DXL_PROTOCOL_1, MODEL_1);
	dev = fake(test, 4, DXL_PROTOCOL_1, MODEL_UNKNOWN);
	/* Its answer to a PING is the PING. */
	dev->error = DXL1_ERR_VOLTAGE;
	dev = fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	dev->status_level = DXL_ANSWERS_PING;
	fake(test, 6, DXL_PROTOCOL_2, MODEL_2);

	KUNIT_EXPECT_STREQ(test, show_bus(test, "scan"), "");
	KUNIT_ASSERT_EQ(test, store_bus(test, "scan", "1-8\n"), 0);
	KUNIT_EXPECT_STREQ(test, show_bus(test, "scan"),
			   "3 1 17185 42 1000000\n"
			   "4 1 1638 42 1000000\n"
			   "5 1 - - 1000000\n"
			   "6 2 21554 42 1000000\n");

	ddev = device(test, 3);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_EXPECT_PTR_EQ(test, ddev->table, &fake_table_1);
	KUNIT_EXPECT_STREQ(test, show(test, &ddev->dev, "modalias"),
			   "dxl:p1m4321\n");
	KUNIT_EXPECT_STREQ(test, modalias_of_uevent(test, ddev),
			   "MODALIAS=dxl:p1m4321");
	ddev = device(test, 6);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_EXPECT_PTR_EQ(test, ddev->table, &fake_table_2);
	KUNIT_EXPECT_STREQ(test, show(test, &ddev->dev, "model_number"),
			   "21554\n");
	ddev = device(test, 4);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_EXPECT_NULL(test, ddev->dev.driver);
	KUNIT_EXPECT_NULL(test, device(test, 5));

	/* Again: what is known stays. */
	KUNIT_EXPECT_EQ(test, store_bus(test, "scan", "all protocol=2"), 0);
	KUNIT_EXPECT_STREQ(test, show_bus(test, "scan"),
			   "6 2 21554 42 1000000\n");
	KUNIT_EXPECT_EQ(test, probes, 2);
	KUNIT_EXPECT_EQ(test, removes, 0);
	KUNIT_EXPECT_EQ(test, store_bus(test, "delete_device", "6"), 0);
}

static void maintenance_scan_costs(struct kunit *test)
{
	struct fake_line *line = test->priv;

	fake(test, 200, DXL_PROTOCOL_1, MODEL_1);
	KUNIT_ASSERT_EQ(test, store_bus(test, "scan", "11-20 protocol=1"), 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_TIMEOUTS), 10);
	KUNIT_EXPECT_EQ(test, line->writes, 10);
}

static void maintenance_scan_described(struct kunit *test)
{
	struct fwnode_handle *node = fake_tree_bus(test, "bus-servos");
	struct fake_line *line = fake_line_create(test, BAUD, node);
	struct dxl_device *ddev;

	test->priv = line;
	fake(test, 7, DXL_PROTOCOL_1, MODEL_1);
	fake(test, 9, DXL_PROTOCOL_1, MODEL_1);
	fake_line_add(test, line);
	wait_for_device_probe();
	KUNIT_ASSERT_EQ(test, store_bus(test, "scan", "7,9"), 0);

	ddev = device(test, 7);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.of_node);
	KUNIT_EXPECT_FALSE(test, ddev->dev.driver == &fake_driver.driver);
	KUNIT_EXPECT_EQ(test, store_bus(test, "delete_device", "7"), -EPERM);
	KUNIT_EXPECT_NOT_NULL(test, device(test, 9));
	KUNIT_EXPECT_EQ(test, store_bus(test, "delete_device", "9"), 0);
}

/* A description that comes later prevails over a scan, but not over another. */
static void maintenance_scan_makes_way(struct kunit *test)
{
	struct dxl_device *scanned, *ddev;

	fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	KUNIT_ASSERT_EQ(test, store_bus(test, "scan", "5"), 0);
	scanned = device(test, 5);
	KUNIT_ASSERT_NOT_NULL(test, scanned);

	ddev = bound(test, "naohw,fake-1", 5);
	KUNIT_EXPECT_PTR_NE(test, ddev, scanned);
	KUNIT_EXPECT_FALSE(test, device_is_registered(&scanned->dev));
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);
	KUNIT_EXPECT_EQ(test, store_bus(test, "new_device", "naohw,fake-1 5"),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, store_bus(test, "scan", "5"), 0);
	KUNIT_EXPECT_PTR_EQ(test, device(test, 5), ddev);
}

static void maintenance_scan_errors(struct kunit *test)
{
	static const struct {
		const char *text;
		int error;
	} cases[] = {
		{ "", -EINVAL },
		{ "protocol=1", -EINVAL },
		{ "5-", -EINVAL },
		{ "5-4", -EINVAL },
		{ "1,,2", -EINVAL },
		{ "254", -ERANGE },
		{ "1-254", -ERANGE },
		{ "some", -EINVAL },
		{ "all protocol=3", -EINVAL },
		{ "all baud=", -EINVAL },
		{ "all baud=0", -ERANGE },
		{ "all baud=7842", -ERANGE },
		{ "all baud=" FOUR_RATES FOUR_RATES FOUR_RATES FOUR_RATES "9600",
		  -EINVAL },
	};
	struct fake_line *line = test->priv;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, store_bus(test, "scan",
						    cases[i].text),
				    cases[i].error, "'%s'", cases[i].text);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
}

static void maintenance_scan_bauds(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_device *dev;

	dev = fake(test, 3, DXL_PROTOCOL_1, MODEL_1);
	dev->baud = OTHER_BAUD;
	dev = fake(test, 4, DXL_PROTOCOL_1, MODEL_1);
	dev->baud = BAUD;

	KUNIT_ASSERT_EQ(test, store_bus(test, "scan",
					"1-5 protocol=1 baud=57600,1000000"),
			0);
	KUNIT_EXPECT_STREQ(test, show_bus(test, "scan"),
			   "3 1 17185 42 57600\n"
			   "4 1 17185 42 1000000\n");
	KUNIT_EXPECT_EQ(test, line->baud, BAUD);
	KUNIT_EXPECT_NULL(test, device(test, 3));
	KUNIT_EXPECT_NOT_NULL(test, device(test, 4));

	line->baud_refused = OTHER_BAUD;
	KUNIT_EXPECT_EQ(test, store_bus(test, "scan", "1-5 baud=57600"),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, line->baud, BAUD);
	KUNIT_EXPECT_STREQ(test, show_bus(test, "baud"), "1000000\n");
}

static struct fake_request *release;
static unsigned int asked_since;

/* Somebody wants a joint let go in the middle of it. */
static void release_and_respond(struct fake_line *line,
				const struct dxl_packet *request)
{
	if (request->id == 3 && request->instruction == DXL_PING)
		fake_request_submit(release);
	else if (request->id != release->xfer.request.id &&
		 release->xfer.status == -EINPROGRESS)
		asked_since++;
	fake_line_respond(line, request);
}

/* At another rate it waits for what is being asked, and for nothing else. */
static void maintenance_scan_yields(struct kunit *test)
{
	struct fake_line *line = test->priv;

	fake(test, 9, DXL_PROTOCOL_1, MODEL_1)->baud = BAUD;
	release = fake_line_read(line, 9, 36, 2);
	release->xfer.priority = DXL_PRIO_RELEASE;
	release->xfer.status = -EINPROGRESS;
	asked_since = 0;
	line->respond = release_and_respond;

	KUNIT_EXPECT_EQ(test, store_bus(test, "scan",
					"1-200 protocol=1 baud=57600"), 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(release), 0);
	KUNIT_EXPECT_LE(test, asked_since, 2);
	KUNIT_EXPECT_EQ(test, line->baud, BAUD);
}

static struct task_struct *scanner;

static void interrupt_and_respond(struct fake_line *line,
				  const struct dxl_packet *request)
{
	if (request->id == 3 && request->instruction == DXL_PING)
		set_tsk_thread_flag(scanner, TIF_SIGPENDING);
	fake_line_respond(line, request);
}

static void maintenance_scan_interrupted(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_device *dev;
	int ret;

	dev = fake(test, 2, DXL_PROTOCOL_1, MODEL_1);
	dev->baud = OTHER_BAUD;
	dev = fake(test, 4, DXL_PROTOCOL_1, MODEL_1);
	dev->baud = OTHER_BAUD;
	scanner = current;
	line->respond = interrupt_and_respond;

	ret = store_bus(test, "scan", "1-5 protocol=1 baud=57600");
	clear_thread_flag(TIF_SIGPENDING);
	KUNIT_EXPECT_EQ(test, ret, -EINTR);
	KUNIT_EXPECT_EQ(test, line->baud, BAUD);
	KUNIT_EXPECT_STREQ(test, show_bus(test, "scan"),
			   "2 1 17185 42 57600\n");

	/* And the bus is free again. */
	KUNIT_EXPECT_EQ(test, store_bus(test, "scan", "9 protocol=1"), 0);
}

static void answer_and_leave(struct fake_line *line,
			     const struct dxl_packet *request)
{
	fake_line_respond(line, request);
	if (request->instruction == DXL_READ)
		line->devices[0].id = 6;
}

/* Somebody has changed an ID before what was found could be added. */
static void maintenance_scan_outdated(struct kunit *test)
{
	struct fake_line *line = test->priv;

	fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	line->respond = answer_and_leave;
	KUNIT_EXPECT_EQ(test, store_bus(test, "scan", "5"), 0);
	KUNIT_EXPECT_STREQ(test, show_bus(test, "scan"),
			   "5 1 17185 42 1000000\n");
	KUNIT_EXPECT_NULL(test, device(test, 5));
}

/* --- the bus for oneself --- */

static void maintenance_reserve(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first, *second, *own;

	fake(test, 1, DXL_PROTOCOL_1, MODEL_1);
	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(line->bus), 0);

	first = fake_line_read(line, 1, 0, 2);
	second = fake_line_read(line, 1, 2, 1);
	second->xfer.priority = DXL_PRIO_CYCLIC;
	KUNIT_ASSERT_EQ(test, fake_request_submit(first), 0);
	KUNIT_ASSERT_EQ(test, fake_request_submit(second), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 0);

	own = fake_line_read(line, 1, 2, 1);
	own->xfer.priority = DXL_PRIO_MAINTENANCE;
	KUNIT_ASSERT_EQ(test, fake_request_submit(own), 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(own), 0);
	KUNIT_EXPECT_EQ(test, own->rx[0], FIRMWARE);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(first));
	KUNIT_EXPECT_TRUE(test, fake_request_pending(second));

	dxl_bus_release(line->bus);
	KUNIT_EXPECT_EQ(test, fake_request_result(second), 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(first), 0);
	KUNIT_EXPECT_LT(test, second->order, first->order);
}

/* --- EEPROM --- */

/* When the deaf time of a device ends that it was last given. */
static ktime_t quiet_until(struct kunit *test, u8 id)
{
	struct fake_line *line = test->priv;

	return line->bus->queue->quiet_until[id];
}

static void maintenance_eeprom(struct kunit *test)
{
	static const u8 data[] = { 1, 2, 3 };
	struct fake_device *dev = fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	struct dxl_device *ddev = bound(test, "naohw,fake-1", 5);

	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, EEPROM_1, data, 3), 0);
	KUNIT_EXPECT_MEMEQ(test, dev->table + EEPROM_1, data, 3);
	KUNIT_EXPECT_NE(test, quiet_until(test, 5), 0);

	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 0, data, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 22, data, 3), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 24, data, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 2, data, 2), -EPERM);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 4, data, 2), -EPERM);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 5, data, 1), 0);

	dev->table[TORQUE_1] = 1;
	dev->table[EEPROM_1] = 99;
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, EEPROM_1, data, 3),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, dev->table[EEPROM_1], 99);
	dev->table[TORQUE_1] = 0;

	dev->frozen = true;
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, EEPROM_1, data, 3), -EIO);
	dev->frozen = false;
	dev->error = DXL1_ERR_RANGE;
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, EEPROM_1, data, 3),
			-EREMOTEIO);
	dev->error = 0;

	device_release_driver(&ddev->dev);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, EEPROM_1, data, 3),
			-EOPNOTSUPP);
}

/* No request slips in between the answer and the deaf time. */
static void maintenance_rest(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *write, *next, *other;

	write = fake_line_read(line, 1, 0, 2);
	write->xfer.rest_us = FAKE_NEVER_US;
	next = fake_line_read(line, 1, 2, 1);
	other = fake_line_read(line, 2, 2, 1);
	KUNIT_ASSERT_EQ(test, fake_request_submit(write), 0);
	KUNIT_ASSERT_EQ(test, fake_request_submit(next), 0);
	KUNIT_ASSERT_EQ(test, fake_request_submit(other), 0);

	fake_line_status(line, DXL_PROTOCOL_1, 1, 0, (const u8[]){ 0, 0 }, 2);
	KUNIT_EXPECT_EQ(test, fake_request_result(write), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	fake_line_status(line, DXL_PROTOCOL_1, 2, 0, (const u8[]){ 7 }, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(other), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 2);

	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 3);
	fake_line_status(line, DXL_PROTOCOL_1, 1, 0, (const u8[]){ 7 }, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(next), 0);
}

/* A refusal changes nothing; without an answer nobody knows. */
static void maintenance_rest_refused(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *write;

	write = fake_line_read(line, 1, 0, 2);
	write->xfer.rest_us = FAKE_NEVER_US;
	KUNIT_ASSERT_EQ(test, fake_request_submit(write), 0);
	fake_line_status(line, DXL_PROTOCOL_1, 1, DXL1_ERR_RANGE, NULL, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(write), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, quiet_until(test, 1), 0);

	write = fake_line_read(line, 2, 0, 2);
	write->xfer.rest_us = FAKE_NEVER_US;
	fake_line_set_margin(line, 0);
	KUNIT_ASSERT_EQ(test, fake_request_submit(write), 0);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(write), -ETIMEDOUT);
	KUNIT_EXPECT_GT(test, ktime_us_delta(quiet_until(test, 2), ktime_get()),
			FAKE_NEVER_US / 2);
}

/* --- ID --- */

/* What is in a board's ports stays with it. */
static void maintenance_ports(struct kunit *test)
{
	struct dxl_device *ddev;
	const char *ports[3];

	fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	KUNIT_ASSERT_EQ(test, store_bus(test, "new_device",
					"naohw,fake-1 5 Elbow ports=dms,ir"), 0);
	ddev = device(test, 5);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_ASSERT_EQ(test, dxl_set_id(ddev, 6), 0);
	ddev = device(test, 6);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_ASSERT_EQ(test, device_property_read_string_array(&ddev->dev,
								"robotis,port-sensors",
								ports, 3), 2);
	KUNIT_EXPECT_STREQ(test, ports[0], "dms");
	KUNIT_EXPECT_STREQ(test, ports[1], "ir");
}

static void maintenance_set_id(struct kunit *test)
{
	struct fake_device *dev = fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	struct dxl_device *ddev;
	const char *label;
	u32 reg;

	KUNIT_ASSERT_EQ(test, store_bus(test, "new_device",
					"naohw,fake-1 5 Elbow"), 0);
	ddev = device(test, 5);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 5), 0);
	KUNIT_EXPECT_EQ(test, probes, 1);
	KUNIT_ASSERT_EQ(test, dxl_set_id(ddev, 253), 0);
	KUNIT_EXPECT_EQ(test, dev->id, 253);
	KUNIT_EXPECT_FALSE(test, device_is_registered(&ddev->dev));
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 6), -ENODEV);
	KUNIT_EXPECT_NULL(test, device(test, 5));

	ddev = device(test, 253);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_EXPECT_EQ(test, probes, 2);
	KUNIT_EXPECT_TRUE(test, ddev->dynamic);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);
	KUNIT_EXPECT_EQ(test, device_property_read_u32(&ddev->dev, "reg", &reg),
			0);
	KUNIT_EXPECT_EQ(test, reg, 253);
	KUNIT_ASSERT_EQ(test, device_property_read_string(&ddev->dev, "label",
							  &label), 0);
	KUNIT_EXPECT_STREQ(test, label, "Elbow");
	KUNIT_EXPECT_EQ(test, dxl_identify(ddev), 0);
	KUNIT_EXPECT_EQ(test, ddev->model_number, MODEL_1);
}

/* A device that was found by its model number is still known by it. */
static void maintenance_set_id_scanned(struct kunit *test)
{
	struct dxl_device *ddev;

	fake(test, 5, DXL_PROTOCOL_2, MODEL_2);
	KUNIT_ASSERT_EQ(test, store_bus(test, "scan", "5"), 0);
	ddev = device(test, 5);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 253), -ERANGE);
	KUNIT_ASSERT_EQ(test, dxl_set_id(ddev, 252), 0);

	ddev = device(test, 252);
	KUNIT_ASSERT_NOT_NULL(test, ddev);
	KUNIT_EXPECT_PTR_EQ(test, ddev->table, &fake_table_2);
	KUNIT_EXPECT_EQ(test, ddev->model_number, MODEL_2);
}

static void maintenance_set_id_refused(struct kunit *test)
{
	struct fake_device *dev = fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	struct dxl_device *ddev = bound(test, "naohw,fake-1", 5);

	/* Known, and not there. */
	bound(test, "naohw,fake-1", 6);
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 6), -EBUSY);
	/* There, and not known. */
	fake(test, 7, DXL_PROTOCOL_2, MODEL_2);
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 7), -EBUSY);
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 254), -ERANGE);
	KUNIT_EXPECT_EQ(test, dev->id, 5);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);

	/* Its driver would switch the torque off if it had to leave. */
	removes = 0;
	dev->table[TORQUE_1] = 1;
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 8), -EBUSY);
	KUNIT_EXPECT_EQ(test, removes, 0);
	dev->table[TORQUE_1] = 0;

	dev->frozen = true;
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 8), -EIO);
	KUNIT_EXPECT_EQ(test, removes, 1);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);
	KUNIT_EXPECT_PTR_EQ(test, device(test, 5), ddev);

	dev->silent = true;
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 8), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, removes, 1);

	device_release_driver(&ddev->dev);
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 8), -EOPNOTSUPP);
}

/* --- reboot and factory reset --- */

static void maintenance_reboot(struct kunit *test)
{
	struct fake_device *dev = fake(test, 5, DXL_PROTOCOL_2, MODEL_2);
	struct dxl_device *ddev = bound(test, "naohw,fake-2", 5);

	KUNIT_EXPECT_EQ(test, dxl_reboot(ddev), 0);
	KUNIT_EXPECT_EQ(test, dev->reboots, 1);
	KUNIT_EXPECT_EQ(test, probes, 2);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);

	dev->silent = true;
	KUNIT_EXPECT_EQ(test, dxl_reboot(ddev), -ETIMEDOUT);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);

	KUNIT_EXPECT_EQ(test, store(test, &ddev->dev, "reboot", "0"), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_reboot(bound(test, "naohw,fake-1", 6)),
			-EOPNOTSUPP);
}

static void maintenance_factory_reset(struct kunit *test)
{
	struct fake_device *dev = fake(test, 5, DXL_PROTOCOL_2, MODEL_2);
	struct dxl_device *ddev = bound(test, "naohw,fake-2", 5);

	dev->table[TORQUE_2] = 1;
	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_ALL), -EBUSY);
	dev->table[TORQUE_2] = 0;
	KUNIT_EXPECT_EQ(test, dev->resets, 0);

	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_KEEP_ID_BAUD),
			0);
	KUNIT_EXPECT_EQ(test, dev->reset_what, 2);
	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_KEEP_ID), 0);
	KUNIT_EXPECT_EQ(test, dev->reset_what, 1);
	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_ALL), 0);
	KUNIT_EXPECT_EQ(test, dev->reset_what, 0xff);
	KUNIT_EXPECT_EQ(test, dev->resets, 3);
	KUNIT_EXPECT_EQ(test, probes, 4);

	/* It would become a second one with the ID 1. */
	fake(test, 1, DXL_PROTOCOL_1, MODEL_1);
	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_ALL), -EBUSY);
	KUNIT_EXPECT_EQ(test, dev->resets, 3);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);
}

/* The maker does not say how long it takes, and its own examples wait 2 s. */
static void maintenance_slow_factory_reset(struct kunit *test)
{
	struct fake_device *dev = fake(test, 5, DXL_PROTOCOL_2, MODEL_2);
	struct dxl_device *ddev = bound(test, "naohw,fake-2", 5);

	dev->reset_ms = 1900;
	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_KEEP_ID_BAUD),
			0);
	KUNIT_EXPECT_EQ(test, dev->resets, 1);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);
}

static void maintenance_factory_reset_protocol1(struct kunit *test)
{
	struct fake_device *dev = fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	struct dxl_device *ddev = bound(test, "naohw,fake-1", 5);

	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_KEEP_ID),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_KEEP_ID_BAUD),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, dev->resets, 0);
	/* What others are delivered with is none of its business. */
	fake(test, 1, DXL_PROTOCOL_1, MODEL_1);
	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_ALL), 0);
	KUNIT_EXPECT_EQ(test, dev->resets, 1);
	KUNIT_EXPECT_EQ(test, dev->reset_what, 0);

	fake(test, 9, DXL_PROTOCOL_1, MODEL_1);
	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_ALL), -EBUSY);
	KUNIT_EXPECT_EQ(test, dev->resets, 1);
}

/* --- turns, and the backup --- */

/* What the device was told last by these two instructions, and answered. */
static u8 told[5];
static unsigned int times_told;
static u8 told_error;
/* It comes back with another ID. */
static bool moves_away;

static void respond_special(struct fake_line *line,
			    const struct dxl_packet *request)
{
	if (request->instruction == DXL_CLEAR ||
	    request->instruction == DXL_BACKUP) {
		memset(told, 0, sizeof(told));
		memcpy(told, request->params,
		       min_t(size_t, request->len, sizeof(told)));
		times_told++;
		if (!line->devices[0].silent)
			fake_line_status(line, request->protocol, request->id,
					 told_error, NULL, 0);
		if (moves_away)
			line->devices[0].id = 7;
	}
	fake_line_respond(line, request);
}

static struct fake_device *fake_special(struct kunit *test)
{
	struct fake_device *dev = fake(test, 5, DXL_PROTOCOL_2, MODEL_2);
	struct fake_line *line = test->priv;

	line->respond = respond_special;
	times_told = 0;
	told_error = 0;
	moves_away = false;

	return dev;
}

#define EXPECT_TOLD(test, ...)						\
	KUNIT_EXPECT_MEMEQ(test, told, ((const u8[]){ __VA_ARGS__ }),	\
			   sizeof(told))

static void maintenance_clear(struct kunit *test)
{
	struct fake_device *dev = fake_special(test);
	struct dxl_device *ddev = bound(test, "naohw,fake-2", 5);

	dev->table[TORQUE_2] = 1;
	KUNIT_EXPECT_EQ(test, dxl_clear_turns(ddev), 0);
	EXPECT_TOLD(test, 1, 0x44, 0x58, 0x4c, 0x22);
	KUNIT_EXPECT_EQ(test, times_told, 1);
	KUNIT_EXPECT_EQ(test, store(test, &ddev->dev, "clear", "turns\n"), 0);
	KUNIT_EXPECT_EQ(test, times_told, 2);
	KUNIT_EXPECT_EQ(test, probes, 1);

	/* It moves. */
	told_error = DXL2_ERR_RESULT;
	KUNIT_EXPECT_EQ(test, dxl_clear_turns(ddev), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, times_told, 3);

	KUNIT_EXPECT_EQ(test, store(test, &ddev->dev, "clear", "errors"),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_clear_turns(bound(test, "naohw,fake-1", 6)),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, times_told, 3);

	/* Nothing but the answer tells whether it was done. */
	dev->silent = true;
	KUNIT_EXPECT_EQ(test, dxl_clear_turns(ddev), -ETIMEDOUT);
}

static void maintenance_backup(struct kunit *test)
{
	struct fake_device *dev = fake_special(test);
	struct dxl_device *ddev = bound(test, "naohw,fake-2", 5);

	dev->table[TORQUE_2] = 1;
	KUNIT_EXPECT_EQ(test, dxl_backup(ddev, DXL_BACKUP_STORE), -EBUSY);
	KUNIT_EXPECT_EQ(test, dxl_backup(ddev, DXL_BACKUP_RESTORE), -EBUSY);
	KUNIT_EXPECT_EQ(test, times_told, 0);
	KUNIT_EXPECT_EQ(test, removes, 0);
	dev->table[TORQUE_2] = 0;

	KUNIT_EXPECT_EQ(test, dxl_backup(ddev, DXL_BACKUP_STORE), 0);
	EXPECT_TOLD(test, 1, 0x43, 0x54, 0x52, 0x4c);
	KUNIT_EXPECT_NE(test, quiet_until(test, 5), 0);
	KUNIT_EXPECT_EQ(test, removes, 0);

	/* Its registers may be others now: the driver has to look. */
	KUNIT_EXPECT_EQ(test, dxl_backup(ddev, DXL_BACKUP_RESTORE), 0);
	EXPECT_TOLD(test, 2, 0x43, 0x54, 0x52, 0x4c);
	KUNIT_EXPECT_EQ(test, removes, 1);
	KUNIT_EXPECT_EQ(test, probes, 2);
	KUNIT_EXPECT_EQ(test, times_told, 2);
}

static void maintenance_backup_refused(struct kunit *test)
{
	struct dxl_device *ddev, *other;

	fake_special(test);
	ddev = bound(test, "naohw,fake-2", 5);
	other = bound(test, "naohw,fake-1", 6);

	KUNIT_EXPECT_EQ(test, dxl_backup(other, DXL_BACKUP_STORE), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, dxl_backup(other, DXL_BACKUP_RESTORE),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, store(test, &ddev->dev, "backup", "1"), -EINVAL);
	KUNIT_EXPECT_EQ(test, times_told, 0);

	told_error = DXL2_ERR_RESULT;
	KUNIT_EXPECT_EQ(test, dxl_backup(ddev, DXL_BACKUP_STORE), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, quiet_until(test, 5), 0);
	KUNIT_EXPECT_EQ(test, dxl_backup(ddev, DXL_BACKUP_RESTORE), -EREMOTEIO);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);
	KUNIT_EXPECT_EQ(test, probes, 3);

	/* It has not come back. */
	told_error = 0;
	moves_away = true;
	KUNIT_EXPECT_EQ(test, dxl_backup(ddev, DXL_BACKUP_RESTORE), -ETIMEDOUT);
	KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);

	device_release_driver(&ddev->dev);
	KUNIT_EXPECT_EQ(test, dxl_backup(ddev, DXL_BACKUP_STORE), -EOPNOTSUPP);
}

/* --- beside a stream of poses --- */

/* To unbind a driver would end it. */
static void maintenance_beside_stream(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_device *ddev;

	fake_special(test);
	ddev = bound(test, "naohw,fake-2", 5);
	KUNIT_ASSERT_EQ(test, dxl_cycle_get_stream(line->bus), 0);
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 6), -EBUSY);
	KUNIT_EXPECT_EQ(test, dxl_reboot(ddev), -EBUSY);
	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_KEEP_ID_BAUD),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, dxl_backup(ddev, DXL_BACKUP_RESTORE), -EBUSY);
	KUNIT_EXPECT_EQ(test, removes, 0);
	KUNIT_EXPECT_EQ(test, dxl_backup(ddev, DXL_BACKUP_STORE), 0);
	dxl_cycle_put_stream(line->bus);
	KUNIT_EXPECT_EQ(test, dxl_reboot(ddev), 0);
	KUNIT_EXPECT_EQ(test, removes, 1);
}

/* --- baud rate --- */

static void maintenance_baud(struct kunit *test)
{
	struct fake_device *one = fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	struct fake_device *two = fake(test, 6, DXL_PROTOCOL_2, MODEL_2);
	struct fake_line *line = test->priv;

	one->baud = BAUD;
	two->baud = BAUD;
	bound(test, "naohw,fake-1", 5);
	bound(test, "naohw,fake-2", 6);
	/* One that is not there does not matter, with or without a driver. */
	bound(test, "naohw,fake-1", 7);
	bound(test, "naohw,nobody", 8);

	KUNIT_ASSERT_EQ(test, store_bus(test, "baud", "57600\n"), 0);
	KUNIT_EXPECT_EQ(test, line->baud, OTHER_BAUD);
	KUNIT_EXPECT_EQ(test, one->baud, OTHER_BAUD);
	KUNIT_EXPECT_EQ(test, two->baud, OTHER_BAUD);
	KUNIT_EXPECT_STREQ(test, show_bus(test, "baud"), "57600\n");

	/* Just the line, and the devices are not heard any more. */
	KUNIT_ASSERT_EQ(test, store_bus(test, "baud", "line 1000000"), 0);
	KUNIT_EXPECT_EQ(test, line->baud, BAUD);
	KUNIT_EXPECT_EQ(test, one->baud, OTHER_BAUD);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "line 57600"), 0);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "1000000"), 0);
	KUNIT_EXPECT_EQ(test, one->baud, BAUD);
}

static void maintenance_baud_refused(struct kunit *test)
{
	struct fake_device *one = fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	struct fake_device *two = fake(test, 6, DXL_PROTOCOL_2, MODEL_2);
	struct fake_line *line = test->priv;

	one->baud = BAUD;
	bound(test, "naohw,fake-1", 5);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "0"), -ERANGE);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "7842"), -ERANGE);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "line 1"), -ERANGE);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "line"), -EINVAL);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "fast"), -EINVAL);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "9600"), -ERANGE);

	line->baud_refused = OTHER_BAUD;
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "57600"), -EINVAL);
	line->baud_refused = 0;

	one->table[TORQUE_1] = 1;
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "57600"), -EBUSY);
	one->table[TORQUE_1] = 0;

	/* One that is there, and nobody knows how to change it. */
	bound(test, "naohw,nobody", 6);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "57600"), -EOPNOTSUPP);
	two->silent = true;

	KUNIT_EXPECT_EQ(test, one->baud, BAUD);
	KUNIT_EXPECT_EQ(test, line->baud, BAUD);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "57600"), 0);
}

static void maintenance_baud_left_behind(struct kunit *test)
{
	struct fake_device *one = fake(test, 5, DXL_PROTOCOL_1, MODEL_1);
	struct fake_device *two = fake(test, 6, DXL_PROTOCOL_2, MODEL_2);
	struct fake_line *line = test->priv;

	one->baud = BAUD;
	two->baud = BAUD;
	bound(test, "naohw,fake-1", 5);
	bound(test, "naohw,fake-2", 6);

	/* With nobody at the new rate the line comes back. */
	one->frozen = true;
	two->frozen = true;
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "57600"), -EIO);
	KUNIT_EXPECT_EQ(test, line->baud, BAUD);

	two->frozen = false;
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "57600"), -EIO);
	KUNIT_EXPECT_EQ(test, line->baud, OTHER_BAUD);
	KUNIT_EXPECT_EQ(test, one->baud, BAUD);
	KUNIT_EXPECT_EQ(test, two->baud, OTHER_BAUD);
}

/* --- the line goes --- */

static void maintenance_disconnected(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_device *ddev;

	fake(test, 5, DXL_PROTOCOL_2, MODEL_2);
	ddev = bound(test, "naohw,fake-2", 5);
	dxl_bus_disconnect(line->bus);

	KUNIT_EXPECT_EQ(test, store_bus(test, "scan", "1-5 baud=57600"),
			-ENODEV);
	KUNIT_EXPECT_EQ(test, store_bus(test, "baud", "line 57600"), -ENODEV);
	KUNIT_EXPECT_EQ(test, dxl_set_id(ddev, 6), -ENODEV);
	KUNIT_EXPECT_EQ(test, dxl_reboot(ddev), -ENODEV);
	KUNIT_EXPECT_EQ(test, dxl_factory_reset(ddev, DXL_RESET_ALL), -ENODEV);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
	KUNIT_EXPECT_EQ(test, line->baud, BAUD);

	fake_line_remove(line);
	KUNIT_EXPECT_EQ(test, store_bus(test, "new_device", "naohw,fake-1 6"),
			-ENODEV);
}

/* A line without a device behind it, as a pseudo terminal's. */
static void maintenance_no_parent(struct kunit *test)
{
	static const struct dxl_transport_ops ops;
	struct dxl_bus *bus = dxl_bus_alloc(NULL, &ops, NULL, BAUD);
	char name[16];

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, bus);
	snprintf(name, sizeof(name), "dxl%d", dxl_bus_nr(bus));
	KUNIT_EXPECT_EQ(test, dxl_bus_add(bus), 0);
	KUNIT_EXPECT_STREQ(test, dev_name(dxl_bus_dev(bus)), name);
	KUNIT_EXPECT_EQ(test, store(test, dxl_bus_dev(bus), "baud", "57600"),
			-EOPNOTSUPP);
	dxl_bus_remove(bus);
	dxl_bus_put(bus);
}

/* --- overlays --- */

static int apply_added(int *overlay)
{
	return of_overlay_fdt_apply(__dtbo_fake_added_begin,
				    __dtbo_fake_added_end -
				    __dtbo_fake_added_begin, overlay, NULL);
}

static void maintenance_overlay(struct kunit *test)
{
	struct fwnode_handle *node = fake_tree_bus(test, "bus-servos");
	struct fake_line *line = fake_line_create(test, BAUD, node);
	struct dxl_device *ddev;
	int overlay, i;

	test->priv = line;
	fake(test, 20, DXL_PROTOCOL_1, MODEL_1);
	fake_line_add(test, line);
	wait_for_device_probe();

	for (i = 1; i <= 2; i++) {
		KUNIT_ASSERT_EQ(test, apply_added(&overlay), 0);
		ddev = find(test, 20);
		KUNIT_ASSERT_NOT_NULL(test, ddev);
		KUNIT_EXPECT_NOT_NULL(test, ddev->dev.of_node);
		KUNIT_EXPECT_NOT_NULL(test, ddev->dev.driver);
		KUNIT_EXPECT_NULL(test, device(test, 21));

		/* Who has the device still, as the ladder may, has not its node. */
		KUNIT_ASSERT_EQ(test, of_overlay_remove(&overlay), 0);
		KUNIT_EXPECT_NULL(test, ddev->dev.of_node);
		put_device(&ddev->dev);
		KUNIT_EXPECT_NULL(test, device(test, 20));
		KUNIT_EXPECT_EQ(test, probes, i);
		KUNIT_EXPECT_EQ(test, removes, i);
	}
}

/* The nodes of a bus that has gone are free for the next. */
static void maintenance_described_again(struct kunit *test)
{
	struct fwnode_handle *node = fake_tree_bus(test, "bus-wrong");
	struct fake_line *line;
	int i;

	for (i = 0; i < 2; i++) {
		line = fake_line_create(test, BAUD, node);
		test->priv = line;
		fake_line_add(test, line);
		KUNIT_EXPECT_NOT_NULL(test, device(test, 7));
		fake_line_remove(line);
	}
}

/* Nodes that are there before their bus, and after it. */
static void maintenance_overlay_without_bus(struct kunit *test)
{
	struct fwnode_handle *node = fake_tree_bus(test, "bus-servos");
	struct fake_line *line = fake_line_create(test, BAUD, node);
	int overlay;

	test->priv = line;
	fake(test, 20, DXL_PROTOCOL_1, MODEL_1);
	KUNIT_ASSERT_EQ(test, apply_added(&overlay), 0);
	KUNIT_EXPECT_EQ(test, probes, 0);
	fake_line_add(test, line);
	wait_for_device_probe();
	KUNIT_EXPECT_EQ(test, probes, 1);
	fake_line_remove(line);
	KUNIT_EXPECT_EQ(test, removes, 1);
	KUNIT_EXPECT_EQ(test, of_overlay_remove(&overlay), 0);
}

/* --- registers --- */

static void maintenance_registers(struct kunit *test)
{
	struct fake_device *dev = fake(test, 5, DXL_PROTOCOL_2, MODEL_2);
	struct dxl_device *ddev = bound(test, "naohw,fake-2", 5);
	struct fake_line *line = test->priv;
	unsigned int value, writes;
	struct regmap *map;
	u8 buf[16];

	map = dev_get_regmap(&ddev->dev, NULL);
	KUNIT_ASSERT_NOT_NULL(test, map);
	KUNIT_EXPECT_EQ(test, regmap_get_max_register(map), 127);

	dev->table[100] = 0x5a;
	KUNIT_EXPECT_EQ(test, regmap_read(map, 100, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 0x5a);
	/* Not kept. */
	dev->table[100] = 0x5b;
	KUNIT_EXPECT_EQ(test, regmap_read(map, 100, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 0x5b);

	writes = line->writes;
	KUNIT_EXPECT_EQ(test, regmap_bulk_read(map, 90, buf, sizeof(buf)), 0);
	KUNIT_EXPECT_MEMEQ(test, buf, dev->table + 90, sizeof(buf));
	KUNIT_EXPECT_EQ(test, line->writes, writes + 1);
	KUNIT_EXPECT_NE(test, regmap_read(map, 128, &value), 0);

	KUNIT_EXPECT_EQ(test, regmap_write(map, 101, 7), 0);
	KUNIT_EXPECT_EQ(test, dev->table[101], 7);
	KUNIT_EXPECT_EQ(test, regmap_write(map, EEPROM_2, 8), 0);
	KUNIT_EXPECT_EQ(test, dev->table[EEPROM_2], 8);
	dev->table[TORQUE_2] = 1;
	KUNIT_EXPECT_EQ(test, regmap_write(map, EEPROM_2, 9), -EBUSY);

	device_release_driver(&ddev->dev);
	KUNIT_EXPECT_NULL(test, dev_get_regmap(&ddev->dev, NULL));
}

static struct kunit_case maintenance_cases[] = {
	KUNIT_CASE(maintenance_new_device),
	KUNIT_CASE(maintenance_driver_leaves),
	KUNIT_CASE(maintenance_new_device_errors),
	KUNIT_CASE(maintenance_node_is_freed),
	KUNIT_CASE(maintenance_id_of_protocol2),
	KUNIT_CASE(maintenance_scan),
	KUNIT_CASE(maintenance_scan_costs),
	KUNIT_CASE(maintenance_scan_described),
	KUNIT_CASE(maintenance_scan_makes_way),
	KUNIT_CASE(maintenance_scan_errors),
	KUNIT_CASE(maintenance_scan_bauds),
	KUNIT_CASE(maintenance_scan_yields),
	KUNIT_CASE(maintenance_scan_interrupted),
	KUNIT_CASE(maintenance_scan_outdated),
	KUNIT_CASE(maintenance_reserve),
	KUNIT_CASE(maintenance_eeprom),
	KUNIT_CASE(maintenance_rest),
	KUNIT_CASE(maintenance_rest_refused),
	KUNIT_CASE(maintenance_ports),
	KUNIT_CASE(maintenance_set_id),
	KUNIT_CASE(maintenance_set_id_scanned),
	KUNIT_CASE(maintenance_set_id_refused),
	KUNIT_CASE(maintenance_reboot),
	KUNIT_CASE(maintenance_factory_reset),
	KUNIT_CASE(maintenance_slow_factory_reset),
	KUNIT_CASE(maintenance_factory_reset_protocol1),
	KUNIT_CASE(maintenance_clear),
	KUNIT_CASE(maintenance_backup),
	KUNIT_CASE(maintenance_backup_refused),
	KUNIT_CASE(maintenance_beside_stream),
	KUNIT_CASE(maintenance_baud),
	KUNIT_CASE(maintenance_baud_refused),
	KUNIT_CASE(maintenance_baud_left_behind),
	KUNIT_CASE(maintenance_disconnected),
	KUNIT_CASE(maintenance_no_parent),
	KUNIT_CASE(maintenance_described_again),
	KUNIT_CASE(maintenance_overlay),
	KUNIT_CASE(maintenance_overlay_without_bus),
	KUNIT_CASE(maintenance_registers),
	{}
};

static struct kunit_suite maintenance_suite = {
	.name = "dxl_maintenance",
	.suite_init = maintenance_suite_init,
	.suite_exit = maintenance_suite_exit,
	.init = maintenance_test_init,
	.test_cases = maintenance_cases,
};

kunit_test_suite(maintenance_suite);
