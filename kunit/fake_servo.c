// SPDX-License-Identifier: GPL-2.0
/*
 * Servos that exist only in memory, and what the driver shows of them
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/state.h"
#include "fake_servo.h"
#include "fake_tree.h"

void put_le16(u8 *p, u16 value)
{
	p[0] = value & 0xff;
	p[1] = value >> 8;
}

/* --- servos --- */

void fake_servos_drop(struct fake_servos *f)
{
	while (f->num_held)
		put_device(f->held[--f->num_held]);
}

static void drop_held(void *data)
{
	fake_servos_drop(data);
}

/* The servos of the tree's bus @bus, or of one that has none if it is NULL. */
struct fake_servos *fake_servos_create(struct kunit *test, const char *bus)
{
	struct fwnode_handle *node = bus ? fake_tree_bus(test, bus) : NULL;
	struct fake_servos *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	f->line = fake_line_create(test, 1000000, node);
	ret = kunit_add_action_or_reset(test, drop_held, f);
	KUNIT_ASSERT_EQ(test, ret, 0);

	return f;
}

static struct fake_device *add(struct fake_servos *f, u8 id,
			       enum dxl_protocol protocol, u16 model)
{
	unsigned int n = f->line->num_devices;

	f->servo[n] = fake_line_device(f->line, id, protocol);
	put_le16(f->servo[n]->table, model);

	return f->servo[n];
}

/* A servo of Protocol 1.0 with its torque on, in joint mode. */
struct fake_device *fake_servos_add(struct fake_servos *f, u8 id, u16 model)
{
	struct fake_device *dev = add(f, id, DXL_PROTOCOL_1, model);

	dev->table[2] = 24;
	dev->table[5] = 250;
	put_le16(dev->table + 8, 1023);
	dev->table[16] = DXL_ANSWERS_ALL;
	dev->table[24] = 1;

	return dev;
}

/* The same of Protocol 2.0; no XL-320. */
struct fake_device *fake_servos_add_v2(struct fake_servos *f, u8 id, u16 model)
{
	struct fake_device *dev = add(f, id, DXL_PROTOCOL_2, model);

	dev->table[6] = 45;
	dev->table[9] = 250;
	dev->table[11] = 3;
	dev->table[64] = 1;
	dev->table[68] = DXL_ANSWERS_ALL;

	return dev;
}

/* --- what the driver makes of them --- */

/* Add the bus and let the driver bind, as it does in its own time. */
void fake_servos_bind(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	fake_line_add(test, f->line);
	wait_for_device_probe();
}

struct device *servos_hold(struct fake_servos *f, struct device *dev)
{
	if (dev && !WARN_ON(f->num_held == FAKE_HELD))
		f->held[f->num_held++] = dev;

	return dev;
}

struct dxl_device *servo_device(struct kunit *test, u8 id)
{
	struct fake_servos *f = test->priv;
	struct device *bus = dxl_bus_dev(f->line->bus);
	struct device *dev;
	char name[16];

	snprintf(name, sizeof(name), "%d-%03u", f->line->bus->nr, id);
	dev = servos_hold(f, device_find_child_by_name(bus, name));
	KUNIT_ASSERT_NOT_NULL_MSG(test, dev, "%s", name);

	return to_dxl_device(dev);
}

static int is_iio(struct device *dev, const void *data)
{
	/* Triggers are on this bus too. */
	return dev->bus == &iio_bus_type &&
	       strstarts(dev_name(dev), "iio:device");
}

/* The IIO device of a servo, or NULL if the driver has not bound to it. */
struct iio_dev *servo_find(struct kunit *test, u8 id)
{
	struct dxl_device *ddev = servo_device(test, id);
	struct device *dev;

	dev = device_find_child(&ddev->dev, NULL, is_iio);
	servos_hold(test->priv, dev);

	return dev ? dev_to_iio_dev(dev) : NULL;
}

/* The device of a servo that the driver must have bound to. */
struct device *servo_iio(struct kunit *test, u8 id)
{
	struct iio_dev *indio_dev = servo_find(test, id);

	KUNIT_ASSERT_NOT_NULL_MSG(test, indio_dev, "servo %u is not bound", id);

	return &indio_dev->dev;
}

/* Have a device be lost. An answer that is under way must not bring it back. */
void servo_lose(struct fake_device *dev, struct dxl_device *ddev)
{
	struct dxl_queue *q = ddev->bus->queue;

	dev->silent = true;
	spin_lock_bh(&q->lock);
	ddev->times_lost++;
	ddev->state = DXL_LOST;
	ddev->faults = 8;
	spin_unlock_bh(&q->lock);
}

void servo_find_again(struct fake_device *dev, struct dxl_device *ddev)
{
	struct dxl_queue *q = ddev->bus->queue;

	dev->silent = false;
	spin_lock_bh(&q->lock);
	ddev->state = DXL_ACTIVE;
	ddev->faults = 0;
	spin_unlock_bh(&q->lock);
}

static int is_iio_of(struct device *dev, const void *kind)
{
	const char *name;

	if (!is_iio(dev, NULL))
		return 0;

	name = strchr(dev_to_iio_dev(dev)->name, '-');

	return name && !strcmp(name + 1, kind);
}

/*
 * A device of the bus, "goal" or "state", which comes, and comes anew, a moment
 * after the servos.
 */
static struct iio_dev *wait_for_bus_iio(struct kunit *test, char *kind,
					int channels)
{
	struct fake_servos *f = test->priv;
	struct device *bus = dxl_bus_dev(f->line->bus);
	struct device *dev;
	unsigned int ms;

	for (ms = 0; ms < FAKE_PATIENCE_MS; ms += 20) {
		dev = device_find_child(bus, kind, is_iio_of);
		if (dev && dev_to_iio_dev(dev)->num_channels == channels)
			return dev_to_iio_dev(servos_hold(f, dev));
		put_device(dev);
		msleep(20);
	}

	return NULL;
}

struct iio_dev *servo_wait_for_pose(struct kunit *test, int channels)
{
	return wait_for_bus_iio(test, "goal", channels);
}

struct iio_dev *servo_wait_for_state(struct kunit *test, int channels)
{
	return wait_for_bus_iio(test, "state", channels);
}

static const struct iio_chan_spec *find_channel(struct kunit *test,
						struct iio_dev *indio_dev,
						enum iio_chan_type type,
						bool output)
{
	const struct iio_chan_spec *spec;
	int i;

	KUNIT_ASSERT_NOT_NULL_MSG(test, indio_dev, "is dxl_servo loaded?");
	for (i = 0; i < indio_dev->num_channels; i++) {
		spec = &indio_dev->channels[i];
		if (spec->type == type && spec->output == output)
			return spec;
	}

	return NULL;
}

bool servo_has_channel(struct kunit *test, u8 id, enum iio_chan_type type,
		       bool output)
{
	return find_channel(test, servo_find(test, id), type, output);
}

struct iio_channel servo_channel(struct kunit *test, u8 id,
				 enum iio_chan_type type, bool output)
{
	struct iio_dev *indio_dev = servo_find(test, id);
	const struct iio_chan_spec *spec;

	spec = find_channel(test, indio_dev, type, output);
	KUNIT_ASSERT_NOT_NULL_MSG(test, spec, "servo %u, channel of type %d",
				  id, type);

	return (struct iio_channel){
		.indio_dev = indio_dev,
		.channel = spec,
	};
}

/* --- channels --- */

int chan_read(struct iio_channel chan)
{
	int value, ret;

	ret = iio_read_channel_raw(&chan, &value);

	return ret < 0 ? ret : value;
}

int chan_write(struct iio_channel chan, int value)
{
	return iio_write_channel_raw(&chan, value);
}

int chan_write_enable(struct iio_channel chan, int value)
{
	return iio_write_channel_attribute(&chan, value, 0,
					   IIO_CHAN_INFO_ENABLE);
}

int chan_read_attr(struct iio_channel chan, enum iio_chan_info_enum info)
{
	int value, unused, ret;

	ret = iio_read_channel_attribute(&chan, &value, &unused, info);

	return ret < 0 ? ret : value;
}

/* What userspace makes of a raw value: (raw + offset) * scale, in billionths */
static s64 in_nano(struct kunit *test, struct iio_channel chan, int raw)
{
	int offset, integer, part, unused, type;

	if (iio_read_channel_attribute(&chan, &offset, &unused,
				       IIO_CHAN_INFO_OFFSET) < 0)
		offset = 0;

	type = iio_read_channel_attribute(&chan, &integer, &part,
					  IIO_CHAN_INFO_SCALE);
	switch (type) {
	case IIO_VAL_INT:
		part = 0;
		break;
	case IIO_VAL_INT_PLUS_MICRO:
		part *= 1000;
		break;
	default:
		KUNIT_ASSERT_EQ(test, type, IIO_VAL_INT_PLUS_NANO);
	}

	return (s64)(raw + offset) * (integer * 1000000000LL + part);
}

/* A table holds a step to a billionth, and there are 2048 of them at most. */
void expect_nano(struct kunit *test, struct iio_channel chan, int raw,
		 s64 want)
{
	s64 got = in_nano(test, chan, raw);

	KUNIT_EXPECT_LE_MSG(test, abs(got - want), 2048,
			    "%s: raw %d is %lld, not %lld",
			    chan.indio_dev->name, raw, got, want);
}

/* --- attributes --- */

static struct device_attribute *find_attr(const struct attribute_group **groups,
					  const char *name)
{
	struct attribute **attr;

	for (; groups && *groups; groups++)
		for (attr = (*groups)->attrs; attr && *attr; attr++)
			if (!strcmp((*attr)->name, name))
				return container_of(*attr,
						    struct device_attribute,
						    attr);

	return NULL;
}

static struct device_attribute *dev_attr(struct device *dev, const char *name)
{
	return find_attr(dev->groups, name) ?:
	       find_attr(dev->type->groups, name);
}

/* Whether user space sees the attribute @name of @dev. */
bool dev_has_attr(struct device *dev, const char *name)
{
	struct kernfs_node *node = sysfs_get_dirent(dev->kobj.sd, name);

	sysfs_put(node);

	return node;
}

/* As reading the attribute @name of @dev. */
ssize_t dev_attr_show(struct device *dev, const char *name, char *buf)
{
	struct device_attribute *attr = dev_attr(dev, name);

	return attr && attr->show ? attr->show(dev, attr, buf) : -ENOENT;
}

/* As writing to it. */
ssize_t dev_attr_store(struct device *dev, const char *name, const char *text)
{
	struct device_attribute *attr = dev_attr(dev, name);

	if (!attr || !attr->store)
		return -ENOENT;

	return attr->store(dev, attr, text, strlen(text));
}

/* --- attributes, while the test goes on --- */

static void use_attr(struct work_struct *work)
{
	struct attr_user *user = container_of(work, struct attr_user, work);

	user->ret = user->text ? dev_attr_store(user->dev, user->name, user->text) :
				 dev_attr_show(user->dev, user->name, user->buf);
}

static struct attr_user *begin_to_use(struct kunit *test, struct device *dev, const char *name,
				      const char *text)
{
	struct attr_user *user = kunit_kzalloc(test, sizeof(*user), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, user);
	user->buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, user->buf);
	user->dev = dev;
	user->name = name;
	user->text = text;
	INIT_WORK(&user->work, use_attr);
	queue_work(system_dfl_wq, &user->work);

	return user;
}

/* Begin to read the attribute @name of @dev. */
struct attr_user *attr_read(struct kunit *test, struct device *dev, const char *name)
{
	return begin_to_use(test, dev, name, NULL);
}

/* Begin to write @text to it. */
struct attr_user *attr_write(struct kunit *test, struct device *dev, const char *name,
			     const char *text)
{
	return begin_to_use(test, dev, name, text);
}

/* Wait for the end of either. */
ssize_t attr_result(struct attr_user *user)
{
	flush_work(&user->work);

	return user->ret;
}
