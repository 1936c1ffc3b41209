// SPDX-License-Identifier: GPL-2.0
/*
 * The exchange of a period: first all that is to be written, then a frame is read
 *
 * Whoever takes part in it keeps a note of its own that it is due, and kicks. What
 * is kicked together is one exchange. It begins where queue/deferred.c has it, and
 * goes on from the completions of its transfers; no thread is woken in between.
 *
 * An exchange that is still under way at the next beat of the bus is an overrun:
 * nothing is begun then, and what is due waits for another beat. Where others than
 * the bus kick, one that comes meanwhile is made up for at once.
 *
 * Locks: the exchange's lock guards all of it. It is held over the fill() and
 * sent() of outputs, and is taken before the lock of the transfer queue. While
 * @busy is set, items and group belong to the exchange; they are replaced, and
 * outputs come and go, only while it is not: by who ends the exchange.
 */
#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/device.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include <linux/dxl/cycle.h>

#include "../access/access.h"
#include "../base/base.h"
#include "../queue/queue.h"
#include "exchange.h"
#include "frame.h"

/* Have an exchange begin that could not, under the lock: it is still the bus's. */
static void exchange_make_up(struct dxl_exchange *x)
{
	lockdep_assert_held(&x->lock);

	if (x->again)
		dxl_cycle_kick(x->bus);
	x->again = false;
}

/* --- changes --- */

/**
 * struct exchange_change - something that may be done only while no exchange is
 * under way
 * @apply: does it, under the lock
 * @applied: it is done
 */
struct exchange_change {
	void (*apply)(struct dxl_exchange *x, struct exchange_change *change);
	struct completion applied;
};

static void apply_change(struct dxl_exchange *x)
{
	struct exchange_change *change = x->change;

	lockdep_assert_held(&x->lock);

	if (!change)
		return;

	x->change = NULL;
	change->apply(x, change);
	complete(&change->applied);
}

/*
 * Have something changed now, or by the bus when what is under way ends: who would
 * wait for that and then do it, keeps the bus waiting while it is not run itself.
 */
static void exchange_change(struct dxl_exchange *x,
			    struct exchange_change *change)
{
	lockdep_assert_held(&x->resize);

	init_completion(&change->applied);

	spin_lock_bh(&x->lock);
	x->change = change;
	if (!x->busy)
		apply_change(x);
	spin_unlock_bh(&x->lock);

	wait_for_completion(&change->applied);
}

/* --- an exchange --- */

static void exchange_end(struct dxl_bus *bus)
{
	struct dxl_exchange *x = bus->exchange;

	spin_lock_bh(&x->lock);
	WRITE_ONCE(x->busy, false);
	x->exchanges++;
	x->ends++;
	apply_change(x);
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
	begun = x->group && !x->busy;
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

/**
 * struct exchange_room - more room for an exchange, or what it had before
 * @change: swaps the two
 * @group: for its transfers
 * @items: what is transferred
 * @max_items: room for them
 */
struct exchange_room {
	struct exchange_change change;
	struct dxl_group *group;
	struct dxl_item *items;
	unsigned int max_items;
};

static void swap_room(struct dxl_exchange *x, struct exchange_change *change)
{
	struct exchange_room *room = container_of(change, struct exchange_room,
						  change);

	swap(x->group, room->group);
	swap(x->items, room->items);
	x->max_items = room->max_items;
}

static int exchange_resize(struct dxl_bus *bus, unsigned int max_items)
{
	struct dxl_exchange *x = bus->exchange;
	struct exchange_room room = {
		.change.apply = swap_room,
		.max_items = max_items,
	};
	int ret = 0;

	lockdep_assert_held(&x->resize);

	if (x->group && max_items <= x->max_items)
		return 0;

	room.items = kcalloc(max_items, sizeof(*room.items), GFP_KERNEL);
	room.group = dxl_group_alloc(bus, max_items, DXL_PRIO_CYCLIC);
	if (room.items && room.group)
		exchange_change(x, &room.change);
	else
		ret = -ENOMEM;

	kfree(room.items);
	dxl_group_free(room.group);

	return ret;
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
 * struct exchange_member - an output that comes or goes
 * @change: has it do so
 * @output: the output
 */
struct exchange_member {
	struct exchange_change change;
	struct dxl_output *output;
};

static struct dxl_output *output_of(struct exchange_change *change)
{
	return container_of(change, struct exchange_member, change)->output;
}

static void add_member(struct dxl_exchange *x, struct exchange_change *change)
{
	list_add_tail(&output_of(change)->node, &x->outputs);
}

static void remove_member(struct dxl_exchange *x,
			  struct exchange_change *change)
{
	list_del(&output_of(change)->node);
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
	struct exchange_member member = { { .apply = add_member }, output };
	int ret;

	guard(mutex)(&x->resize);

	ret = exchange_resize(bus, sum_of_items(bus) + output->max_items);
	if (ret)
		return ret;

	output->count = 0;
	exchange_change(x, &member.change);

	return 0;
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_add_output, "DXL");

/**
 * dxl_cycle_resize_output() - write more, or less, in the exchanges of a bus
 * @bus: the bus
 * @output: what writes, between dxl_cycle_add_output() and dxl_cycle_remove_output()
 * @max_items: most items from now on; if it fails, as many as before
 *
 * Context: Process context. Sleeps.
 * Return: 0 or -ENOMEM
 */
int dxl_cycle_resize_output(struct dxl_bus *bus, struct dxl_output *output,
			    unsigned int max_items)
{
	struct dxl_exchange *x = bus->exchange;
	int ret;

	guard(mutex)(&x->resize);

	ret = exchange_resize(bus, sum_of_items(bus) - output->max_items + max_items);
	if (!ret)
		output->max_items = max_items;

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_resize_output, "DXL");

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
	struct exchange_member member = { { .apply = remove_member }, output };

	guard(mutex)(&x->resize);

	exchange_change(x, &member.change);
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
