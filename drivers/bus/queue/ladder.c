// SPDX-License-Identifier: GPL-2.0
/*
 * How well the devices of a bus answer, as CAN controllers know it of themselves
 *
 * Each device has a counter that rises by one with an answer that is missing or
 * damaged and falls by one with a good one:
 *
 *   below 2	active
 *   from 2	warning
 *   from 4	passive: requests to it are not repeated any more
 *   8		lost: it is not asked any more, so that it costs no time
 *
 * The lost devices of a bus are asked in turn whether they are back, so seldom
 * that it takes a 250th of the bus's time. One that answers is active at once, and
 * the next is asked at once: all that were without power come back together.
 *
 * One that a program seeks, as it reads an attribute, is asked at once, out of turn, if the
 * one before it was asked in turn. The next pause is twice as long for that.
 *
 * An answer that is missing while its device is not active is a doubt, as the device may
 * have been without power. So is one that tells of something wrong with the device that
 * the one before did not, as the device may have shut itself down. Its driver is told,
 * again at each change of the state.
 *
 * Counter and state are guarded by the lock of the bus's transfer queue. User
 * space, and the driver of a device that is back, are told from a work item, which
 * holds a reference to the device.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/kobject.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include "ladder.h"
#include "state.h"

#define WARNING_FROM	2
#define PASSIVE_FROM	4
#define LOST_FROM	8

/*
 * A question that is not answered costs at most one in so many parts of time,
 * unless that were longer than anybody wants to wait.
 */
#define PROBE_SHARE	250
#define PROBE_MAX_MS	5000

/* Bytes on the wire of that question and its answer, at the most. */
#define PROBE_BYTES	32

static struct workqueue_struct *ladder_wq;

static const char * const state_names[] = {
	[DXL_ACTIVE] = "active",
	[DXL_WARNING] = "warning",
	[DXL_PASSIVE] = "passive",
	[DXL_LOST] = "lost",
};

int dxl_ladder_module_init(void)
{
	ladder_wq = alloc_workqueue("dxl", WQ_UNBOUND | WQ_FREEZABLE, 0);

	return ladder_wq ? 0 : -ENOMEM;
}

void dxl_ladder_module_exit(void)
{
	destroy_workqueue(ladder_wq);
}

/* --- telling user space --- */

static ssize_t state_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	return sysfs_emit(buf, "%s\n",
			  state_names[READ_ONCE(to_dxl_device(dev)->state)]);
}
static DEVICE_ATTR_RO(state);

static struct attribute *ladder_attrs[] = {
	&dev_attr_state.attr,
	NULL
};

const struct attribute_group dxl_ladder_group = {
	.attrs = ladder_attrs,
};

/* The device is locked. */
static void tell_user_space(struct dxl_device *ddev)
{
	enum dxl_state state = READ_ONCE(ddev->state);
	char variable[32];
	char *env[2] = { variable, NULL };

	if (ddev->told == state)
		return;

	ddev->told = state;
	snprintf(variable, sizeof(variable), "DXL_STATE=%s", state_names[state]);
	sysfs_notify(&ddev->dev.kobj, NULL, "state");
	kobject_uevent_env(&ddev->dev.kobj, KOBJ_CHANGE, env);
}

static void tell_of_loss(struct dxl_device *ddev, const struct dxl_driver *drv)
{
	if (drv && drv->lost)
		drv->lost(ddev);
}

static void tell_of_answers(struct dxl_device *ddev, const struct dxl_driver *drv)
{
	unsigned int times_lost = READ_ONCE(ddev->times_lost);
	bool returned = ddev->returns != times_lost;

	ddev->returns = times_lost;
	if (!drv)
		return;

	if (returned && drv->returned)
		drv->returned(ddev);
	else if (drv->doubted)
		drv->doubted(ddev);
}

/* The device is locked, so it is bound, or it is not, to its end. */
static void tell_driver(struct dxl_device *ddev)
{
	const struct device_driver *driver = ddev->dev.driver;
	const struct dxl_driver *drv = driver ? to_dxl_driver(driver) : NULL;

	if (READ_ONCE(ddev->state) == DXL_LOST)
		tell_of_loss(ddev, drv);
	else
		tell_of_answers(ddev, drv);
}

static void ladder_tell(struct work_struct *work)
{
	struct dxl_device *ddev = container_of(work, struct dxl_device,
					       state_changed);

	scoped_guard(device, &ddev->dev) {
		if (device_is_registered(&ddev->dev)) {
			tell_user_space(ddev);
			tell_driver(ddev);
		}
	}

	put_device(&ddev->dev);
}

void dxl_ladder_device_init(struct dxl_device *ddev)
{
	INIT_WORK(&ddev->state_changed, ladder_tell);
}

/* --- asking the lost --- */

static unsigned long probe_interval(const struct dxl_bus *bus)
{
	u64 us = READ_ONCE(bus->timing.margin_us) +
		 bus->ladder->reply.return_delay_us;
	u64 ns = us * NSEC_PER_USEC + dxl_wire_ns(&bus->timing, PROBE_BYTES);

	return min(nsecs_to_jiffies(ns * PROBE_SHARE),
		   msecs_to_jiffies(PROBE_MAX_MS));
}

/* An answer costs little, and where one is back the others may be. */
static void probe_complete(struct dxl_transfer *xfer)
{
	struct dxl_bus *bus = xfer->context;
	struct dxl_ladder *ladder = bus->ladder;
	bool answered = !xfer->replies->status;
	unsigned long pause = probe_interval(bus) *
			      (READ_ONCE(ladder->out_of_turn) ? 2 : 1);

	/* From here on the next question may be filled into it. */
	smp_store_release(&ladder->busy, false);
	/* One that is sought from now on finds it not busy; before, it is seen here. */
	smp_mb();
	/* A device that was lost meanwhile may have set a pause. */
	if (answered || READ_ONCE(ladder->sought_id) != DXL_LADDER_NONE)
		mod_delayed_work(ladder_wq, &ladder->work, 0);
	else
		queue_delayed_work(ladder_wq, &ladder->work, pause);
}

/* IDs of lost devices, or -1: the first, and the first behind @after. */
struct lost_search {
	int after;
	int next;
	int first;
};

static void note_lowest(int *lowest, int id)
{
	if (*lowest < 0 || id < *lowest)
		*lowest = id;
}

static int note_lost(struct device *dev, void *data)
{
	struct lost_search *search = data;
	struct dxl_device *ddev;

	if (!dxl_is_device(dev))
		return 0;

	ddev = to_dxl_device(dev);
	if (READ_ONCE(ddev->state) != DXL_LOST)
		return 0;

	note_lowest(&search->first, ddev->id);
	if (ddev->id > search->after)
		note_lowest(&search->next, ddev->id);

	return 0;
}

static int match_device_id(struct device *dev, const void *id)
{
	return dxl_is_device(dev) &&
	       to_dxl_device(dev)->id == *(const int *)id;
}

/* The next lost device behind @after, with a reference, or NULL. */
static struct dxl_device *next_lost(struct dxl_bus *bus, int after)
{
	struct lost_search search = { after, -1, -1 };
	struct device *dev;

	device_for_each_child(&bus->dev, &search, note_lost);
	if (search.next < 0)
		search.next = search.first;

	dev = device_find_child(&bus->dev, &search.next, match_device_id);

	return dev ? to_dxl_device(dev) : NULL;
}

/*
 * The question is for the model number, and no PING: in Protocol 1.0 the answer to
 * that can be the same as the request, and be taken for its echo.
 */
static void fill_probe(struct dxl_bus *bus, struct dxl_device *ddev)
{
	struct dxl_ladder *ladder = bus->ladder;

	ladder->reply = (struct dxl_reply){
		.ddev = ddev,
		.id = ddev->id,
		.buf = ladder->buf,
		.len = sizeof(ladder->buf),
		.return_delay_us = READ_ONCE(ddev->return_delay_us),
	};
	ladder->xfer = (struct dxl_transfer){
		.request = {
			.protocol = ddev->protocol,
			.id = ddev->id,
			.instruction = DXL_READ,
			.len = dxl_put_range(ddev->protocol, ladder->params, 0,
					     sizeof(ladder->buf)),
			.params = ladder->params,
		},
		.replies = &ladder->reply,
		.num_replies = 1,
		.priority = DXL_PRIO_REQUEST,
		.complete = probe_complete,
		.context = bus,
		.probe = true,
	};
}

/* The lost device that is to be asked now, with a reference, or NULL. */
static struct dxl_device *take_turn(struct dxl_ladder *ladder)
{
	int sought_id = xchg(&ladder->sought_id, DXL_LADDER_NONE);
	bool out_of_turn = sought_id != DXL_LADDER_NONE;
	struct dxl_device *ddev = next_lost(ladder->bus,
					    out_of_turn ? sought_id - 1 :
							  ladder->last_id);

	WRITE_ONCE(ladder->out_of_turn, out_of_turn && ddev);
	if (ddev && !out_of_turn)
		ladder->last_id = ddev->id;

	return ddev;
}

static void ladder_ask(struct work_struct *work)
{
	struct dxl_ladder *ladder = container_of(to_delayed_work(work),
						 struct dxl_ladder, work);
	struct dxl_bus *bus = ladder->bus;

	/* Pairs with the release in probe_complete(). */
	if (smp_load_acquire(&ladder->busy))
		return;

	if (ladder->asked)
		put_device(&ladder->asked->dev);
	ladder->asked = take_turn(ladder);
	if (!ladder->asked)
		return;

	fill_probe(bus, ladder->asked);
	WRITE_ONCE(ladder->busy, true);
	if (dxl_transfer_submit(bus, &ladder->xfer))
		WRITE_ONCE(ladder->busy, false);
}

/* Returns 0 or -ENOMEM. */
int dxl_ladder_alloc(struct dxl_bus *bus)
{
	struct dxl_ladder *ladder = kzalloc(sizeof(*ladder), GFP_KERNEL);

	if (!ladder)
		return -ENOMEM;

	bus->ladder = ladder;
	ladder->bus = bus;
	ladder->sought_id = DXL_LADDER_NONE;
	INIT_DELAYED_WORK(&ladder->work, ladder_ask);

	return 0;
}

void dxl_ladder_free(struct dxl_bus *bus)
{
	kfree(bus->ladder);
}

/* No device is left on the bus, and its queue has been stopped. */
void dxl_ladder_stop(struct dxl_bus *bus)
{
	/* The answer to the last question may still be on its way through. */
	disable_delayed_work_sync(&bus->ladder->work);
	if (bus->ladder->asked)
		put_device(&bus->ladder->asked->dev);
	bus->ladder->asked = NULL;
}

/* --- counting --- */

static enum dxl_state state_of(unsigned int faults)
{
	if (faults >= LOST_FROM)
		return DXL_LOST;
	if (faults >= PASSIVE_FROM)
		return DXL_PASSIVE;

	return faults >= WARNING_FROM ? DXL_WARNING : DXL_ACTIVE;
}

/* Somebody is to look what has become of a device. */
static void tell(struct dxl_device *ddev)
{
	get_device(&ddev->dev);
	if (!queue_work(ladder_wq, &ddev->state_changed))
		put_device(&ddev->dev);
}

static void doubt(struct dxl_device *ddev)
{
	lockdep_assert_held(&ddev->bus->queue->lock);

	WRITE_ONCE(ddev->doubts, ddev->doubts + 1);
	tell(ddev);
}

/* A device has been asked, and has answered or not. */
void dxl_ladder_result(struct dxl_bus *bus, struct dxl_device *ddev,
		       bool answered)
{
	enum dxl_state state;

	lockdep_assert_held(&bus->queue->lock);

	if (!answered)
		ddev->faults = min(ddev->faults + 1, LOST_FROM);
	else if (ddev->state == DXL_LOST)
		ddev->faults = 0;
	else if (ddev->faults)
		ddev->faults--;

	state = state_of(ddev->faults);
	if (!answered && state != DXL_ACTIVE)
		WRITE_ONCE(ddev->doubts, ddev->doubts + 1);
	if (state == ddev->state)
		return;

	if (state == DXL_LOST)
		WRITE_ONCE(ddev->times_lost, ddev->times_lost + 1);
	WRITE_ONCE(ddev->state, state);
	tell(ddev);
	if (state == DXL_LOST)
		queue_delayed_work(ladder_wq, &bus->ladder->work,
				   probe_interval(bus));
}

/* A program has asked for something of a device that is lost: it may be back. */
void dxl_ladder_seek(struct dxl_device *ddev)
{
	struct dxl_ladder *ladder = ddev->bus->ladder;

	lockdep_assert_held(&ddev->bus->queue->lock);

	if (READ_ONCE(ladder->out_of_turn) ||
	    READ_ONCE(ladder->sought_id) != DXL_LADDER_NONE)
		return;

	WRITE_ONCE(ladder->sought_id, ddev->id);
	mod_delayed_work(ladder_wq, &ladder->work, 0);
}

/* A device says with each answer whether it is well. */
void dxl_ladder_heard(struct dxl_device *ddev, u8 alerts)
{
	bool rises = alerts & ~ddev->alerts;

	lockdep_assert_held(&ddev->bus->queue->lock);

	WRITE_ONCE(ddev->heard, jiffies);
	WRITE_ONCE(ddev->alerts, alerts);
	if (rises)
		doubt(ddev);
}

/**
 * dxl_device_doubt() - have the driver of a device find out what has become of it
 * @ddev: the device
 *
 * For one that has long said that it is not well, and would tell nothing new with an
 * answer if it had shut itself down by now.
 *
 * Context: Process or soft interrupt context.
 */
void dxl_device_doubt(struct dxl_device *ddev)
{
	dxl_queue_lock(ddev->bus);
	doubt(ddev);
	dxl_queue_unlock(ddev->bus);
}
EXPORT_SYMBOL_NS_GPL(dxl_device_doubt, "DXL");
