// SPDX-License-Identifier: GPL-2.0
/*
 * A lease: somebody has joints moved one by one, and has to show that he is still there
 *
 * Who writes goals to single servos, or gives them torque, may hold /dev/dxlN open for
 * writing meanwhile. There is one lease of a bus at a time. Each write to it is a sign of
 * life, whatever is written. When none has come for
 * watchdog_ms it lapses, and all joints of the bus are let go, as a stream does that trips;
 * so they are when it is closed, be that by its program or by the program's death. Without
 * one nobody watches over what is written by hand.
 *
 * The node is a character device of its own and no misc device: those are opened one after
 * the other in all of the machine, and to open this one may take as long as a joint to be let
 * go. It outlives its team as long as it is open, and is of no use then.
 */
#include <linux/cdev.h>
#include <linux/cleanup.h>
#include <linux/container_of.h>
#include <linux/device.h>
#include <linux/device/class.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include <linux/dxl/transport.h>

#include "team.h"

/* As many buses as there are minor numbers. */
#define LEASES_MAX	(MINORMASK + 1)

static dev_t first_node;

static struct class lease_class = {
	.name = "dxl_lease",
};

/**
 * struct dxl_lease - by what a lease of a team can be held
 * @dev: its node in the driver model
 * @cdev: the character device
 * @lock: guards what follows; the team's locks nest in it
 * @team: the team, or NULL
 * @held: somebody holds it
 */
struct dxl_lease {
	struct device dev;
	struct cdev cdev;
	struct mutex lock; /* guards team and held */
	struct dxl_team *team;
	bool held;
};

static void lease_release_device(struct device *dev)
{
	struct dxl_lease *lease = container_of(dev, struct dxl_lease, dev);

	mutex_destroy(&lease->lock);
	kfree(lease);
}

/* --- the node --- */

static int lease_open(struct inode *inode, struct file *file)
{
	struct dxl_lease *lease = container_of(inode->i_cdev, struct dxl_lease, cdev);
	int ret;

	if (!(file->f_mode & FMODE_WRITE))
		return -EINVAL;

	guard(mutex)(&lease->lock);

	if (!lease->team)
		return -ENODEV;
	if (lease->held)
		return -EBUSY;

	ret = dxl_stream_lease(lease->team);
	if (ret)
		return ret;

	file->private_data = lease;
	lease->held = true;

	return stream_open(inode, file);
}

static ssize_t lease_write(struct file *file, const char __user *buf, size_t len,
			   loff_t *pos)
{
	struct dxl_lease *lease = file->private_data;
	int ret;

	guard(mutex)(&lease->lock);

	if (!lease->team)
		return -ENODEV;
	ret = dxl_stream_renew(lease->team);

	return ret ?: len;
}

static int lease_release(struct inode *inode, struct file *file)
{
	struct dxl_lease *lease = file->private_data;

	guard(mutex)(&lease->lock);

	lease->held = false;
	if (lease->team)
		dxl_stream_end_lease(lease->team);

	return 0;
}

static const struct file_operations lease_fops = {
	.owner = THIS_MODULE,
	.open = lease_open,
	.write = lease_write,
	.release = lease_release,
};

/* --- life --- */

/**
 * dxl_lease_create() - let a lease of a team be held
 * @team: the team, until dxl_lease_destroy()
 *
 * Context: Process context. Sleeps.
 * Return: the lease or an ERR_PTR
 */
struct dxl_lease *dxl_lease_create(struct dxl_team *team)
{
	struct dxl_lease *lease = kzalloc(sizeof(*lease), GFP_KERNEL);
	int ret;

	if (!lease)
		return ERR_PTR(-ENOMEM);

	mutex_init(&lease->lock);
	lease->team = team;
	device_initialize(&lease->dev);
	lease->dev.class = &lease_class;
	lease->dev.parent = dxl_bus_dev(team->bus);
	lease->dev.devt = first_node + dxl_bus_nr(team->bus);
	lease->dev.release = lease_release_device;
	cdev_init(&lease->cdev, &lease_fops);
	lease->cdev.owner = THIS_MODULE;
	ret = dev_set_name(&lease->dev, "%s", dev_name(lease->dev.parent)) ?:
	      cdev_device_add(&lease->cdev, &lease->dev);
	if (!ret)
		return lease;

	put_device(&lease->dev);

	return ERR_PTR(ret);
}

/**
 * dxl_lease_destroy() - take back dxl_lease_create()
 * @lease: the lease
 *
 * Context: Process context. Sleeps.
 */
void dxl_lease_destroy(struct dxl_lease *lease)
{
	cdev_device_del(&lease->cdev, &lease->dev);
	scoped_guard(mutex, &lease->lock)
		lease->team = NULL;
	put_device(&lease->dev);
}

/**
 * dxl_leases_init() - prepare for leases, before any team is
 *
 * Return: 0 or a negative errno
 */
int dxl_leases_init(void)
{
	int ret = class_register(&lease_class);

	if (ret)
		return ret;

	ret = alloc_chrdev_region(&first_node, 0, LEASES_MAX, "dxl");
	if (ret)
		class_unregister(&lease_class);

	return ret;
}

/**
 * dxl_leases_exit() - take back dxl_leases_init(), when no team is left
 */
void dxl_leases_exit(void)
{
	unregister_chrdev_region(first_node, LEASES_MAX);
	class_unregister(&lease_class);
}
