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
 * The node outlives its team as long as it is open, and is of no use then.
 */
#include <linux/cleanup.h>
#include <linux/container_of.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "team.h"

/**
 * struct dxl_lease - by what a lease of a team can be held
 * @refs: the team's, and that of who holds it
 * @misc: the node
 * @lock: guards what follows; the team's locks nest in it
 * @team: the team, or NULL
 * @held: somebody holds it
 */
struct dxl_lease {
	struct kref refs;
	struct miscdevice misc;
	struct mutex lock; /* guards team and held */
	struct dxl_team *team;
	bool held;
};

static void lease_free(struct kref *refs)
{
	struct dxl_lease *lease = container_of(refs, struct dxl_lease, refs);

	mutex_destroy(&lease->lock);
	kfree(lease->misc.name);
	kfree(lease);
}

/* The node does not go meanwhile. */
static int lease_open(struct inode *inode, struct file *file)
{
	struct dxl_lease *lease = container_of(file->private_data, struct dxl_lease, misc);
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

	kref_get(&lease->refs);
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

	scoped_guard(mutex, &lease->lock) {
		lease->held = false;
		if (lease->team)
			dxl_stream_end_lease(lease->team);
	}
	kref_put(&lease->refs, lease_free);

	return 0;
}

static const struct file_operations lease_fops = {
	.owner = THIS_MODULE,
	.open = lease_open,
	.write = lease_write,
	.release = lease_release,
};

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
	int ret = -ENOMEM;

	if (!lease)
		return ERR_PTR(-ENOMEM);

	kref_init(&lease->refs);
	mutex_init(&lease->lock);
	lease->team = team;
	lease->misc.minor = MISC_DYNAMIC_MINOR;
	lease->misc.name = kstrdup(dev_name(dxl_bus_dev(team->bus)), GFP_KERNEL);
	lease->misc.fops = &lease_fops;
	lease->misc.parent = dxl_bus_dev(team->bus);
	if (lease->misc.name)
		ret = misc_register(&lease->misc);
	if (!ret)
		return lease;

	kref_put(&lease->refs, lease_free);

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
	misc_deregister(&lease->misc);
	scoped_guard(mutex, &lease->lock)
		lease->team = NULL;
	kref_put(&lease->refs, lease_free);
}
