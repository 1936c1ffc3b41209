// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic under faults, every result of which is checked
 *
 * Writing a line such as
 *
 *   bus=dxl0 seconds=600 seed=1 width=2 a=32 b=48 c=30 min=33 max=1023
 *
 * to /sys/module/dxl_campaign/parameters/run drives all devices of a bus for that
 * long and fails with -EIO if a result was wrong; the parameter `result` then
 * tells, line by line, what happened.
 *
 * Each device has three registers of the same width, a, b and c, in which any
 * number from min to max may stand: cells. Users write and read a and b, one device at
 * a time; a cycle writes and reads c of all devices in group transfers. What is
 * written is a number that has not been in the cell for long and cannot be in
 * another one, so a stale answer, or one to another request, is recognised by its
 * value. A write that failed may have been carried out or not: from then until
 * the next good read both values are right.
 *
 * A number beyond max has been in no cell: it is damage that no checksum has
 * noticed, as one of 8 bits does not in one of 256 cases, and one of 16 bits in one
 * of 65536. So many are allowed for.
 *
 * strict=1: no transfer may fail. forget=1: a device that fails may have lost its
 * RAM (it was reset), so what its cells hold is unknown until the next good write.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/parser.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include <linux/dxl/bus.h>

#define USERS		4
#define DEVICES_MAX	254
#define CYCLE_MS	10
#define RESULT_SIZE	2048
#define CANDIDATES	8

enum { CELL_A, CELL_B, CELL_C, CELLS };

/* A register and what may stand in it. */
struct cell {
	struct mutex lock; /* guards the rest, held over a transfer */
	u32 number;
	unsigned int candidates;
	u32 candidate[CANDIDATES];
};

struct target {
	struct dxl_device *ddev;
	struct cell cells[CELLS];
	atomic_t failures;
};

struct campaign {
	struct dxl_bus *bus;
	u32 seconds, seed, width, min, max, strict, forget;
	u32 addr[CELLS];
	struct target *targets;
	unsigned int num_targets;
	ktime_t end;
	atomic_t running;
	struct completion done;
	atomic64_t good, failed, wrong, unnoticed, exchanges, incomplete;
	char first_wrong[160];
	atomic_t complaints;
};

static char *result;
static DEFINE_MUTEX(run_lock);

static void complain(struct campaign *c, const struct target *t, int cell,
		     const char *what, u32 value, int status)
{
	const struct cell *k = &t->cells[cell];

	atomic64_inc(&c->wrong);
	if (atomic_inc_return(&c->complaints) > 1)
		return;

	snprintf(c->first_wrong, sizeof(c->first_wrong),
		 "%s id=%u cell=%d value=%u expected=%u candidates=%u status=%d",
		 what, t->ddev->id, cell, value,
		 k->candidates ? k->candidate[0] : 0, k->candidates, status);
}

/* --- what a cell may hold --- */

/* A number that has not been there for long, and never is in another cell. */
static u32 next_number(struct campaign *c, struct cell *k, int cell)
{
	u32 numbers = (c->max - c->min) / CELLS;

	k->number = (k->number + 1) % numbers;

	return c->min + k->number * CELLS + cell;
}

static void know(struct cell *k, u32 value)
{
	k->candidate[0] = value;
	k->candidates = 1;
}

static void perhaps(struct cell *k, u32 value)
{
	/* Nothing known, or too much of it to be worth knowing. */
	if (!k->candidates || k->candidates == CANDIDATES)
		k->candidates = 0;
	else
		k->candidate[k->candidates++] = value;
}

static bool may_be(const struct cell *k, u32 value)
{
	unsigned int i;

	for (i = 0; i < k->candidates; i++)
		if (k->candidate[i] == value)
			return true;

	return !k->candidates;
}

static void forget_all(struct campaign *c, struct target *t)
{
	if (c->forget)
		atomic_inc(&t->failures);
}

static void check_status(struct campaign *c, struct target *t, int cell,
			 int status)
{
	if (!status) {
		atomic64_inc(&c->good);
		return;
	}

	atomic64_inc(&c->failed);
	forget_all(c, t);
	if (c->strict)
		complain(c, t, cell, "failed", 0, status);
}

static u32 get_value(const struct campaign *c, const u8 *raw)
{
	return c->width == 2 ? get_unaligned_le16(raw) :
			       get_unaligned_le32(raw);
}

static void check_read(struct campaign *c, struct target *t, int cell,
		       const u8 *raw, int failures)
{
	struct cell *k = &t->cells[cell];
	u32 value = get_value(c, raw);

	/* It may have lost its memory since the value was known. */
	if (failures != atomic_read(&t->failures))
		k->candidates = 0;
	if (value > c->max) {
		atomic64_inc(&c->unnoticed);
		return;
	}
	if (!may_be(k, value))
		complain(c, t, cell, "wrong", value, 0);
	know(k, value);
}

/* --- users --- */

static int known_failures(struct campaign *c, struct target *t, struct cell *k)
{
	int failures = atomic_read(&t->failures);

	/* In a campaign of resets a value outlives no failure of its device. */
	if (c->forget && failures)
		k->candidates = 0;

	return failures;
}

static void user_write(struct campaign *c, struct target *t, int cell)
{
	struct cell *k = &t->cells[cell];
	u32 value = next_number(c, k, cell);
	u8 raw[4];
	int ret;

	put_unaligned_le32(value, raw);
	ret = dxl_write(t->ddev, c->addr[cell], raw, c->width);
	check_status(c, t, cell, ret);
	if (ret)
		perhaps(k, value);
	else
		know(k, value);
}

static void user_read(struct campaign *c, struct target *t, int cell)
{
	struct cell *k = &t->cells[cell];
	int failures = known_failures(c, t, k);
	u8 raw[4];
	int ret;

	ret = dxl_read(t->ddev, c->addr[cell], raw, c->width);
	check_status(c, t, cell, ret);
	if (!ret)
		check_read(c, t, cell, raw, failures);
}

static void thread_done(struct campaign *c)
{
	if (atomic_dec_and_test(&c->running))
		complete(&c->done);
}

static int user_thread(void *data)
{
	struct campaign *c = data;
	struct rnd_state rnd;
	struct target *t;
	int cell;

	prandom_seed_state(&rnd, c->seed * USERS + atomic_read(&c->running));
	while (ktime_before(ktime_get(), c->end)) {
		t = &c->targets[prandom_u32_state(&rnd) % c->num_targets];
		cell = prandom_u32_state(&rnd) & 1 ? CELL_A : CELL_B;

		mutex_lock(&t->cells[cell].lock);
		if (prandom_u32_state(&rnd) & 1)
			user_write(c, t, cell);
		else
			user_read(c, t, cell);
		mutex_unlock(&t->cells[cell].lock);

		/* Sometimes back to back, sometimes not. */
		if (prandom_u32_state(&rnd) % 4)
			usleep_range(1, prandom_u32_state(&rnd) % 8000 + 2);
	}
	thread_done(c);

	return 0;
}

/* --- the cycle --- */

struct cycle {
	struct campaign *c;
	struct dxl_group *group;
	struct dxl_item *items;
	u8 (*raw)[4];
	int *failures;
	atomic_t completions;
	struct completion done;
};

static void cycle_complete(struct dxl_group *group, void *context)
{
	struct cycle *cy = context;

	atomic_inc(&cy->completions);
	complete(&cy->done);
}

static int cycle_go(struct cycle *cy, bool write)
{
	struct campaign *c = cy->c;
	unsigned int i;
	int ret;

	for (i = 0; i < c->num_targets; i++)
		cy->items[i] = (struct dxl_item){
			.ddev = c->targets[i].ddev,
			.addr = c->addr[CELL_C],
			.len = c->width,
			.buf = cy->raw[i],
		};

	reinit_completion(&cy->done);
	atomic_set(&cy->completions, 0);
	if (write)
		ret = dxl_group_write(cy->group, cy->items, c->num_targets,
				      cycle_complete, cy);
	else
		ret = dxl_group_read(cy->group, cy->items, c->num_targets,
				     cycle_complete, cy);
	if (ret)
		return ret;

	wait_for_completion(&cy->done);

	return 0;
}

static void cycle_write(struct cycle *cy)
{
	struct campaign *c = cy->c;
	unsigned int i;
	int ret;

	for (i = 0; i < c->num_targets; i++)
		put_unaligned_le32(next_number(c, &c->targets[i].cells[CELL_C],
					       CELL_C), cy->raw[i]);
	ret = cycle_go(cy, true);
	if (ret) {
		check_status(c, &c->targets[0], CELL_C, ret);
		return;
	}

	/* Nobody answers a group write: each may have missed it. */
	for (i = 0; i < c->num_targets; i++) {
		struct cell *k = &c->targets[i].cells[CELL_C];
		u32 value = get_value(c, cy->raw[i]);

		if (c->strict)
			know(k, value);
		else
			perhaps(k, value);
	}
}

static void cycle_read(struct cycle *cy)
{
	struct campaign *c = cy->c;
	bool all = true;
	unsigned int i;
	int ret;

	for (i = 0; i < c->num_targets; i++)
		cy->failures[i] = known_failures(c, &c->targets[i],
						 &c->targets[i].cells[CELL_C]);
	ret = cycle_go(cy, false);
	if (ret) {
		check_status(c, &c->targets[0], CELL_C, ret);
		return;
	}

	for (i = 0; i < c->num_targets; i++) {
		struct target *t = &c->targets[i];

		check_status(c, t, CELL_C, cy->items[i].status);
		if (cy->items[i].status)
			all = false;
		else
			check_read(c, t, CELL_C, cy->raw[i], cy->failures[i]);
	}
	atomic64_inc(&c->exchanges);
	if (!all)
		atomic64_inc(&c->incomplete);
	if (atomic_read(&cy->completions) != 1)
		complain(c, &c->targets[0], CELL_C, "completed twice", 0, 0);
}

static int cycle_thread(void *data)
{
	struct cycle *cy = data;
	struct campaign *c = cy->c;
	ktime_t next = ktime_get();
	s64 rest;

	while (ktime_before(ktime_get(), c->end)) {
		cycle_write(cy);
		cycle_read(cy);

		next = ktime_add_ms(next, CYCLE_MS);
		rest = ktime_us_delta(next, ktime_get());
		if (rest > 0)
			usleep_range(rest, rest + 1);
		else
			next = ktime_get();
	}
	thread_done(c);

	return 0;
}

static void cycle_free(struct cycle *cy)
{
	dxl_group_free(cy->group);
	kfree(cy->items);
	kfree(cy->raw);
	kfree(cy->failures);
}

static int cycle_init(struct cycle *cy, struct campaign *c)
{
	cy->c = c;
	cy->group = dxl_group_alloc(c->bus, c->num_targets, DXL_PRIO_CYCLIC);
	cy->items = kcalloc(c->num_targets, sizeof(*cy->items), GFP_KERNEL);
	cy->raw = kcalloc(c->num_targets, sizeof(*cy->raw), GFP_KERNEL);
	cy->failures = kcalloc(c->num_targets, sizeof(*cy->failures),
			       GFP_KERNEL);
	init_completion(&cy->done);

	return cy->group && cy->items && cy->raw && cy->failures ? 0 : -ENOMEM;
}

/* --- a run --- */

static int add_target(struct device *dev, void *data)
{
	struct campaign *c = data;
	struct target *t;
	int i;

	/* The bus has other children, as its trigger. */
	if (!dev->driver || dev->bus != &dxl_bus_type)
		return 0;
	if (c->num_targets == DEVICES_MAX)
		return -ENOSPC;

	t = &c->targets[c->num_targets++];
	t->ddev = to_dxl_device(dev);
	get_device(dev);
	for (i = 0; i < CELLS; i++)
		mutex_init(&t->cells[i].lock);

	return 0;
}

static void report(struct campaign *c)
{
	unsigned int i;
	int n;

	n = scnprintf(result, RESULT_SIZE,
		      "devices=%u\ngood=%lld\nfailed=%lld\nwrong=%lld\nunnoticed=%lld\nexchanges=%lld\nincomplete=%lld\n",
		      c->num_targets, atomic64_read(&c->good),
		      atomic64_read(&c->failed), atomic64_read(&c->wrong),
		      atomic64_read(&c->unnoticed),
		      atomic64_read(&c->exchanges),
		      atomic64_read(&c->incomplete));
	if (c->first_wrong[0])
		n += scnprintf(result + n, RESULT_SIZE - n, "first_wrong=%s\n",
			       c->first_wrong);
	for (i = 0; i < c->num_targets; i++)
		if (c->targets[i].ddev->state != DXL_ACTIVE)
			n += scnprintf(result + n, RESULT_SIZE - n,
				       "state.%u=%d\n", c->targets[i].ddev->id,
				       c->targets[i].ddev->state);
}

static int start_threads(struct campaign *c, struct cycle *cy)
{
	struct task_struct *task;
	int i;

	atomic_set(&c->running, 1);
	for (i = 0; i < USERS; i++) {
		atomic_inc(&c->running);
		task = kthread_run(user_thread, c, "dxl-user/%d", i);
		if (IS_ERR(task)) {
			thread_done(c);
			return PTR_ERR(task);
		}
	}

	atomic_inc(&c->running);
	task = kthread_run(cycle_thread, cy, "dxl-cycle");
	if (IS_ERR(task)) {
		thread_done(c);
		return PTR_ERR(task);
	}

	return 0;
}

static int drive(struct campaign *c)
{
	struct cycle cy = {};
	int ret;

	ret = cycle_init(&cy, c);
	if (!ret) {
		init_completion(&c->done);
		c->end = ktime_add_ms(ktime_get(), c->seconds * MSEC_PER_SEC);
		ret = start_threads(c, &cy);
		thread_done(c);
		wait_for_completion(&c->done);
	}
	cycle_free(&cy);
	if (ret)
		return ret;

	report(c);

	/* A bus on which nothing works has no wrong results either. */
	if (!atomic64_read(&c->good) || !atomic64_read(&c->exchanges))
		return -EIO;

	if (atomic64_read(&c->unnoticed) > atomic64_read(&c->failed) / 256 + 1)
		return -EIO;

	return atomic64_read(&c->wrong) ? -EIO : 0;
}

static int drive_all(struct campaign *c, struct device *bus_dev)
{
	unsigned int i;
	int ret;

	c->targets = kcalloc(DEVICES_MAX, sizeof(*c->targets), GFP_KERNEL);
	if (!c->targets)
		return -ENOMEM;

	ret = device_for_each_child(bus_dev, c, add_target);
	if (!ret && !c->num_targets)
		ret = -ENODEV;
	if (!ret) {
		c->bus = c->targets[0].ddev->bus;
		ret = drive(c);
	}

	for (i = 0; i < c->num_targets; i++)
		put_device(&c->targets[i].ddev->dev);
	kfree(c->targets);

	return ret;
}

static int parse_word(struct campaign *c, char *word, char *bus, size_t size)
{
	const struct {
		const char *name;
		u32 *value;
	} numbers[] = {
		{ "seconds", &c->seconds }, { "seed", &c->seed },
		{ "width", &c->width }, { "min", &c->min },
		{ "max", &c->max },
		{ "a", &c->addr[CELL_A] }, { "b", &c->addr[CELL_B] },
		{ "c", &c->addr[CELL_C] }, { "strict", &c->strict },
		{ "forget", &c->forget },
	};
	char *value = strchr(word, '=');
	int i;

	if (!value)
		return -EINVAL;
	*value++ = 0;
	if (!strcmp(word, "bus"))
		return strscpy(bus, value, size) < 0 ? -EINVAL : 0;
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!strcmp(word, numbers[i].name))
			return kstrtou32(value, 0, numbers[i].value);

	return -EINVAL;
}

static int run_set(const char *line, const struct kernel_param *kp)
{
	char *words __free(kfree) = kstrdup(line, GFP_KERNEL);
	struct campaign c = {
		.seconds = 1, .width = 2, .min = 33, .max = 1023,
		.addr = { 32, 48, 30 },
	};
	char bus[16] = "dxl0";
	char *rest, *word;
	struct device *dev;
	int ret;

	if (!words)
		return -ENOMEM;
	rest = strim(words);
	while ((word = strsep(&rest, " "))) {
		ret = *word ? parse_word(&c, word, bus, sizeof(bus)) : 0;
		if (ret)
			return ret;
	}
	if ((c.width != 2 && c.width != 4) || c.max < c.min + CELLS)
		return -EINVAL;

	guard(mutex)(&run_lock);

	dev = bus_find_device_by_name(&dxl_bus_type, NULL, bus);
	if (!dev)
		return -ENODEV;

	ret = drive_all(&c, dev);
	put_device(dev);

	return ret;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "Drive a bus, see the head of campaign.c");

static int result_get(char *buf, const struct kernel_param *kp)
{
	guard(mutex)(&run_lock);

	return sysfs_emit(buf, "%s\n", result);
}

static const struct kernel_param_ops result_ops = { .get = result_get };
module_param_cb(result, &result_ops, NULL, 0400);
MODULE_PARM_DESC(result, "What happened in the last run");

static int __init campaign_init(void)
{
	result = kzalloc(RESULT_SIZE, GFP_KERNEL);

	return result ? 0 : -ENOMEM;
}
module_init(campaign_init);

static void __exit campaign_exit(void)
{
	kfree(result);
}
module_exit(campaign_exit);

MODULE_DESCRIPTION("Dynamixel traffic under faults");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(DXL);
