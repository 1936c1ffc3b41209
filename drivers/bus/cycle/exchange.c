// SPDX-License-Identifier: GPL-2.0
/*
 * The exchange of a period: first all that is to be written, then a frame is read
 *
 * Whoever takes part in it keeps a note of its own that it is due, and kicks. What
 * is kicked together is one exchange. It begins where timer.c has it, and goes on
 * from the completions of its transfers; no thread is woken in between.
 *
 * An exchange that is still under way at the next beat of the bus is an overrun:
 * nothing is begun then, and what is due waits for another beat. Where others than
 * the bus kick, one that comes meanwhile is made up for at once.
 *
 * Locks: the exchange's lock guards all of it. It is held over the fill() and
 * sent() of outputs, and is taken before the lock of the transfer queue. While
 * @busy is set, items and group belong to the exchange; they are replaced, and
 * outputs come and go, only while it is not.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include <linux/dxl/cycle.h>

#include "../access/access.h"
#include "../bus.h"
#include "../queue/queue.h"
#include "exchange.h"
#include "frame.h"

static bool exchange_is_idle(struct dxl_exchange *x)
{
	bool idle;

	spin_lock_bh(&x->lock);
	idle = !x->busy;
	spin_unlock_bh(&x->lock);

	return idle;
}

/*
 * Take the lock when no exchange is under way. None begins meanwhile, lest one
 * that follows the other at once keep us waiting for ever.
 */
static void exchange_lock_idle(struct dxl_exchange *x)
	__acquires(&x->lock)
{
	spin_lock_bh(&x->lock);
	x->waiting++;
	while (x->busy) {
		spin_unlock_bh(&x->lock);
		wait_event(x->idle, exchange_is_idle(x));
		spin_lock_bh(&x->lock);
	}
	x->waiting--;
}

/* Have an exchange begin that could not, under the lock: it is still the bus's. */
static void exchange_make_up(struct dxl_exchange *x)
{
	lockdep_assert_held(&x->lock);

	if (x->again)
		dxl_cycle_kick(x->bus);
	x->again = false;
}

/* Take back exchange_lock_idle(). */
static void exchange_unlock(struct dxl_exchange *x)
	__releases(&x->lock)
{
	exchange_make_up(x);
	spin_unlock_bh(&x->lock);
}

/* --- an exchange --- */

static void exchange_end(struct dxl_bus *bus)
{
	struct dxl_exchange *x = bus->exchange;

	spin_lock_bh(&x->lock);
	WRITE_ONCE(x->busy, false);
	x->exchanges++;
	x->ends++;
	exchange_make_up(x);
	wake_up(&x->idle);
	spin_unlock_bh(&x->lock);
}

static void all_failed(struct dxl_exchange *x, int status)
{
	unsigned int i;

	for (i = 0; i < x->count; i++)
		x->items[i].status = status;
}

static void read_complete(struct dxl_group *group, void *context)
{
	struct dxl_bus *bus = context;
	struct dxl_exchange *x = bus->exchange;

	dxl_frame_done(bus, x->items, x->count);
	exchange_end(bus);
}

static void exchange_read(struct dxl_bus *bus)
{
	struct dxl_exchange *x = bus->exchange;
	int ret;

	x->count = dxl_frame_fill(bus, x->items);
	ret = dxl_group_read(x->group, x->items, x->count, read_complete, bus);
	if (!ret)
		return;

	all_failed(x, ret);
	read_complete(x->group, bus);
}

static void write_complete(struct dxl_group *group, void *context)
{
	struct dxl_bus *bus = context;
	struct dxl_exchange *x = bus->exchange;
	const struct dxl_item *item = x->items;
	struct dxl_output *output;

	spin_lock_bh(&x->lock);
	list_for_each_entry(output, &x->outputs, node) {
		if (output->count && output->sent)
			output->sent(output, item, output->count);
		item += output->count;
		output->count = 0;
	}
	spin_unlock_bh(&x->lock);

	exchange_read(bus);
}

static unsigned int fill_outputs(struct dxl_exchange *x)
{
	struct dxl_item *item = x->items;
	struct dxl_output *output;

	lockdep_assert_held(&x->lock);

	list_for_each_entry(output, &x->outputs, node) {
		output->count = output->fill(output, item);
		item += output->count;
	}

	return item - x->items;
}

/* Nothing is begun while something is under way, but it is not forgotten. */
static bool exchange_begin(struct dxl_exchange *x, bool beat)
{
	bool begun;

	spin_lock_bh(&x->lock);
	begun = x->group && !x->busy && !x->waiting;
	if (begun) {
		WRITE_ONCE(x->busy, true);
		x->count = fill_outputs(x);
	} else if (beat && x->busy) {
		x->overruns++;
	} else {
		x->again = x->group;
	}
	spin_unlock_bh(&x->lock);

	return begun;
}

/* From now on the first packet is waited for, see dxl_jitter_sent(). */
static void expect_packet(struct dxl_bus *bus, ktime_t beat)
{
	dxl_queue_lock(bus);
	bus->exchange->beat = beat;
	dxl_queue_unlock(bus);
}

static void exchange_run(struct dxl_timer *timer)
{
	struct dxl_exchange *x = container_of(timer, struct dxl_exchange, timer);
	struct dxl_bus *bus = x->bus;
	ktime_t beat = atomic64_xchg(&x->ticked, 0);
	int ret;

	if (!exchange_begin(x, beat))
		return;

	expect_packet(bus, beat);
	ret = dxl_group_write(x->group, x->items, x->count, write_complete,
			      bus);
	if (ret) {
		all_failed(x, ret);
		write_complete(x->group, bus);
	}
}

/**
 * dxl_cycle_kick() - have an exchange begin now
 * @bus: the bus
 *
 * Context: Any, also hard interrupt context.
 */
void dxl_cycle_kick(struct dxl_bus *bus)
{
	dxl_timer_start(&bus->exchange->timer, ktime_get());
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_kick, "DXL");

/**
 * dxl_cycle_urge() - have an exchange begin as soon as none is under way
 * @bus: the bus
 *
 * For what must not be lost: unlike a kick it is never an overrun.
 *
 * Context: Process or soft interrupt context; not from an output's functions.
 */
void dxl_cycle_urge(struct dxl_bus *bus)
{
	struct dxl_exchange *x = bus->exchange;

	spin_lock_bh(&x->lock);
	if (x->busy)
		x->again = true;
	else
		dxl_cycle_kick(bus);
	spin_unlock_bh(&x->lock);
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_urge, "DXL");

/* Whether what was under way when @ends were over is so no more. */
static bool exchange_has_ended(struct dxl_exchange *x, unsigned int ends)
{
	bool ended;

	spin_lock_bh(&x->lock);
	ended = !x->busy || x->ends != ends;
	spin_unlock_bh(&x->lock);

	return ended;
}

/**
 * dxl_cycle_flush() - wait until the exchange that is under way has ended
 * @bus: the bus
 *
 * Another one may have begun then.
 *
 * Context: Process context. Sleeps.
 */
void dxl_cycle_flush(struct dxl_bus *bus)
{
	struct dxl_exchange *x = bus->exchange;
	unsigned int ends;

	spin_lock_bh(&x->lock);
	ends = x->ends;
	spin_unlock_bh(&x->lock);

	wait_event(x->idle, exchange_has_ended(x, ends));
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_flush, "DXL");

/* --- who takes part --- */

static unsigned int sum_of_items(struct dxl_bus *bus)
{
	struct dxl_exchange *x = bus->exchange;
	struct dxl_output *output;
	unsigned int sum = 0;

	spin_lock_bh(&x->lock);
	list_for_each_entry(output, &x->outputs, node)
		sum += output->max_items;
	spin_unlock_bh(&x->lock);

	return max(sum, dxl_frame_max_items(bus));
}

static int exchange_resize(struct dxl_bus *bus, unsigned int max_items)
{
	struct dxl_exchange *x = bus->exchange;
	struct dxl_group *group;
	struct dxl_item *items;

	lockdep_assert_held(&x->resize);

	if (x->group && max_items <= x->max_items)
		return 0;

	items = kcalloc(max_items, sizeof(*items), GFP_KERNEL);
	group = dxl_group_alloc(bus, max_items, DXL_PRIO_CYCLIC);
	if (!items || !group) {
		kfree(items);
		dxl_group_free(group);
		return -ENOMEM;
	}

	exchange_lock_idle(x);
	swap(x->group, group);
	swap(x->items, items);
	x->max_items = max_items;
	exchange_unlock(x);

	kfree(items);
	dxl_group_free(group);

	return 0;
}

/**
 * dxl_exchange_resize() - make room for what has come to take part in exchanges
 * @bus: the bus
 *
 * Return: 0 or -ENOMEM
 */
int dxl_exchange_resize(struct dxl_bus *bus)
{
	guard(mutex)(&bus->exchange->resize);

	return exchange_resize(bus, sum_of_items(bus));
}

/**
 * dxl_cycle_add_output() - write in the exchanges of a bus
 * @bus: the bus
 * @output: what writes; must stay until dxl_cycle_remove_output()
 *
 * Context: Process context. Sleeps.
 * Return: 0 or -ENOMEM
 */
int dxl_cycle_add_output(struct dxl_bus *bus, struct dxl_output *output)
{
	struct dxl_exchange *x = bus->exchange;
	int ret;

	guard(mutex)(&x->resize);

	ret = exchange_resize(bus, sum_of_items(bus) + output->max_items);
	if (ret)
		return ret;

	output->count = 0;
	exchange_lock_idle(x);
	list_add_tail(&output->node, &x->outputs);
	exchange_unlock(x);

	return 0;
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_add_output, "DXL");

/**
 * dxl_cycle_remove_output() - take back dxl_cycle_add_output()
 * @bus: the bus
 * @output: what writes; nothing of it is used any more on return
 *
 * Context: Process context. Sleeps.
 */
void dxl_cycle_remove_output(struct dxl_bus *bus, struct dxl_output *output)
{
	struct dxl_exchange *x = bus->exchange;

	guard(mutex)(&x->resize);

	exchange_lock_idle(x);
	list_del(&output->node);
	exchange_unlock(x);
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_remove_output, "DXL");

/* --- how long it takes --- */

static unsigned int plan_outputs(struct dxl_exchange *x, struct dxl_item *items)
{
	struct dxl_item *item = items;
	struct dxl_output *output;

	lockdep_assert_held(&x->resize);

	list_for_each_entry(output, &x->outputs, node)
		item += output->plan(output, item);

	return item - items;
}

/**
 * dxl_exchange_wire_ns() - time on the line of the longest exchange
 * @bus: the bus
 * @ns: result
 *
 * What counts is what is enabled, and that all devices answer.
 *
 * Return: 0 or -ENOMEM
 */
int dxl_exchange_wire_ns(struct dxl_bus *bus, u64 *ns)
{
	struct dxl_exchange *x = bus->exchange;
	struct dxl_item *items __free(kfree) = NULL;
	struct dxl_group *group;

	guard(mutex)(&x->resize);

	items = kcalloc(x->max_items, sizeof(*items), GFP_KERNEL);
	group = dxl_group_alloc(bus, x->max_items, DXL_PRIO_CYCLIC);
	if (!items || !group) {
		dxl_group_free(group);
		return -ENOMEM;
	}

	*ns = dxl_group_wire_ns(group, items, plan_outputs(x, items), true);
	*ns += dxl_group_wire_ns(group, items, dxl_frame_plan(bus, items),
				 false);
	dxl_group_free(group);

	return 0;
}

/* --- life --- */

/* Returns 0 or -ENOMEM. */
int dxl_exchange_alloc(struct dxl_bus *bus)
{
	struct dxl_exchange *x = kzalloc(sizeof(*x), GFP_KERNEL);

	if (!x)
		return -ENOMEM;

	bus->exchange = x;
	x->bus = bus;
	spin_lock_init(&x->lock);
	mutex_init(&x->resize);
	INIT_LIST_HEAD(&x->outputs);
	init_waitqueue_head(&x->idle);
	dxl_timer_setup(&x->timer, bus, exchange_run);

	return 0;
}

void dxl_exchange_free(struct dxl_bus *bus)
{
	kfree(bus->exchange);
}

/* End what is under way; nobody takes part or kicks any more. */
void dxl_exchange_stop(struct dxl_bus *bus)
{
	struct dxl_exchange *x = bus->exchange;

	dxl_timer_cancel(&x->timer);
	dxl_cycle_flush(bus);
	/* What was made up for. */
	dxl_timer_cancel(&x->timer);
	dxl_cycle_flush(bus);
	dxl_group_free(x->group);
	kfree(x->items);
	x->group = NULL;
	x->items = NULL;
}
