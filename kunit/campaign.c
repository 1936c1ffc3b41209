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
 * number from min to max may stand: cells. Behind a word protocol=1 or protocol=2
 * these words are for the devices of that protocol, else for all. Users write and
 * read a and b, one device at a time; a cycle writes and reads c of all devices in
 * group transfers. What is written is a number that has not been in the cell for
 * long and cannot be in another one, so a stale answer, or one to another request,
 * is recognised by its value. A write that failed may have been carried out or not:
 * from then until the next good read both values are right.
 *
 * A number that has been in no cell lately is damage that the checksum has not
 * noticed. How often that may be, Documentation/testing.rst says.
 *
 * strict=1: no transfer may fail. forget=1: a device that fails may have lost its
 * RAM (it was reset), so what its cells hold is unknown until the next good write.
 * unplug=1: the line goes meanwhile, and from the first transfer that says so on
 * none may say anything else, but that its device is lost.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/math.h>
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
#define RECENT		4

/* Of 65536 damaged answers, those whose checksum is right, at most. */
#define UNNOTICED_1	256
#define UNNOTICED_2	16

enum { CELL_A, CELL_B, CELL_C, CELLS };

/* A register and what may stand in it. */
struct cell {
	struct mutex lock; /* guards the rest, held over a transfer */
	u32 number;
	unsigned int candidates;
	u32 candidate[CANDIDATES];
};

struct registers {
	u32 width, min, max;
	u32 addr[CELLS];
};

struct target {
	struct dxl_device *ddev;
	const struct registers *regs;
	struct cell cells[CELLS];
	atomic_t failures;
};

struct campaign {
	struct dxl_bus *bus;
	u32 seconds, seed, strict, forget, unplug;
	struct registers regs[2]; /* by protocol */
	struct target *targets;
	unsigned int num_targets;
	ktime_t end;
	atomic_t running;
	struct completion done;
	atomic64_t good, failed, wrong, unnoticed, exchanges, incomplete;
	atomic64_t chances; /* for damage to pass unnoticed, in 65536ths */
	bool gone;
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

/*
 * The numbers that a cell may hold are those of all cells' that leave the cell's own
 * remainder when divided by the count of cells.
 */
static u32 count_cells(const struct campaign *c)
{
	return c->num_targets * CELLS;
}

static u32 count_numbers(const struct campaign *c, const struct registers *regs)
{
	return (regs->max - regs->min) / count_cells(c);
}

/* A number that has not been there for long, and never is in another cell. */
static u32 next_number(struct campaign *c, struct target *t, int cell)
{
	struct cell *k = &t->cells[cell];
	u32 number = (k->number + 1) % count_numbers(c, t->regs);

	WRITE_ONCE(k->number, number);

	return t->regs->min + number * count_cells(c) +
	       (t - c->targets) * CELLS + cell;
}

/* Whether @value is, or was not long ago, in any cell of devices such as @t. */
static bool is_recent(const struct campaign *c, const struct target *t,
		      u32 value)
{
	u32 numbers = count_numbers(c, t->regs);
	u32 off = value - t->regs->min;
	const struct target *owner;
	u32 latest;

	if (value < t->regs->min || off / count_cells(c) >= numbers)
		return false;

	owner = &c->targets[off % count_cells(c) / CELLS];
	latest = READ_ONCE(owner->cells[off % CELLS].number);

	return owner->regs == t->regs &&
	       (latest + numbers - off / count_cells(c)) % numbers < RECENT;
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

/* Where two talk at once the line carries what both have in common. */
static bool may_be_left(const struct cell *k, u32 value)
{
	unsigned int i;

	for (i = 0; i < k->candidates; i++)
		if (!(value & ~k->candidate[i]))
			return true;

	return false;
}

static void forget_all(struct campaign *c, struct target *t)
{
	if (c->forget)
		atomic_inc(&t->failures);
}

/* The line has gone, or the device in consequence, or its driver. */
static bool says_gone(int status)
{
	return status == -ENODEV || status == -ESHUTDOWN || status == -EINVAL;
}

/* @gone: whether the line was known to have gone before the transfer began. */
static void check_status(struct campaign *c, struct target *t, int cell,
			 bool gone, int status)
{
	/* A device that has been lost by then is not asked. */
	if (gone && !says_gone(status) && status != -EHOSTDOWN)
		complain(c, t, cell, "line has gone", 0, status);

	if (!status) {
		atomic64_inc(&c->good);
		return;
	}

	if (says_gone(status))
		WRITE_ONCE(c->gone, true);
	atomic64_inc(&c->failed);
	atomic64_add(t->regs == &c->regs[0] ? UNNOTICED_1 : UNNOTICED_2,
		     &c->chances);
	forget_all(c, t);
	if (c->strict)
		complain(c, t, cell, "failed", 0, status);
}

static u32 get_value(const struct target *t, const u8 *raw)
{
	return t->regs->width == 2 ? get_unaligned_le16(raw) :
				     get_unaligned_le32(raw);
}

/* What no register holds: a read that brings nothing shall be seen. */
static void poison(u8 *raw)
{
	put_unaligned_le32(U32_MAX, raw);
}

static bool is_poison(const struct target *t, u32 value)
{
	return value == U32_MAX >> (32 - t->regs->width * BITS_PER_BYTE);
}

static void check_read(struct campaign *c, struct target *t, int cell,
		       const u8 *raw, int failures)
{
	struct cell *k = &t->cells[cell];
	u32 value = get_value(t, raw);

	/* It may have lost its memory since the value was known. */
	if (failures != atomic_read(&t->failures))
		k->candidates = 0;
	if (!may_be(k, value)) {
		if (!is_poison(t, value) &&
		    (may_be_left(k, value) || !is_recent(c, t, value))) {
			atomic64_inc(&c->unnoticed);
			return;
		}
		complain(c, t, cell, "wrong", value, 0);
	}
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
	u32 value = next_number(c, t, cell);
	bool gone = READ_ONCE(c->gone);
	u8 raw[4];
	int ret;

	put_unaligned_le32(value, raw);
	ret = dxl_write(t->ddev, t->regs->addr[cell], raw, t->regs->width);
	check_status(c, t, cell, gone, ret);
	if (ret)
		perhaps(k, value);
	else
		know(k, value);
}

static void user_read(struct campaign *c, struct target *t, int cell)
{
	struct cell *k = &t->cells[cell];
	int failures = known_failures(c, t, k);
	bool gone = READ_ONCE(c->gone);
	u8 raw[4];
	int ret;

	poison(raw);
	ret = dxl_read(t->ddev, t->regs->addr[cell], raw, t->regs->width);
	check_status(c, t, cell, gone, ret);
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
			.addr = c->targets[i].regs->addr[CELL_C],
			.len = c->targets[i].regs->width,
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
	bool gone = READ_ONCE(c->gone);
	unsigned int i;
	int ret;

	for (i = 0; i < c->num_targets; i++)
		put_unaligned_le32(next_number(c, &c->targets[i], CELL_C),
				   cy->raw[i]);
	ret = cycle_go(cy, true);
	if (ret) {
		check_status(c, &c->targets[0], CELL_C, gone, ret);
		return;
	}

	/* Nobody answers a group write: each may have missed it. */
	for (i = 0; i < c->num_targets; i++) {
		struct cell *k = &c->targets[i].cells[CELL_C];
		u32 value = get_value(&c->targets[i], cy->raw[i]);

		if (c->strict)
			know(k, value);
		else
			perhaps(k, value);
	}
}

static void cycle_read(struct cycle *cy)
{
	struct campaign *c = cy->c;
	bool gone = READ_ONCE(c->gone);
	bool all = true;
	unsigned int i;
	int ret;

	for (i = 0; i < c->num_targets; i++) {
		poison(cy->raw[i]);
		cy->failures[i] = known_failures(c, &c->targets[i],
						 &c->targets[i].cells[CELL_C]);
	}
	ret = cycle_go(cy, false);
	if (ret) {
		check_status(c, &c->targets[0], CELL_C, gone, ret);
		return;
	}

	for (i = 0; i < c->num_targets; i++) {
		struct target *t = &c->targets[i];

		check_status(c, t, CELL_C, gone, cy->items[i].status);
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
	t->regs = &c->regs[t->ddev->protocol == DXL_PROTOCOL_2];
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
		      "devices=%u\ngone=%d\ngood=%lld\nfailed=%lld\nwrong=%lld\nunnoticed=%lld\nexchanges=%lld\nincomplete=%lld\n",
		      c->num_targets, c->gone, atomic64_read(&c->good),
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

/*
 * How much damage may have passed unnoticed: what is to be expected, and three standard
 * deviations. Where none is to be expected there may still be one.
 */
static s64 most_unnoticed(const struct campaign *c)
{
	u64 chances = atomic64_read(&c->chances);

	return ((chances + 3 * int_sqrt64(chances << 16)) >> 16) + !!chances;
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

	if (atomic64_read(&c->unnoticed) > most_unnoticed(c))
		return -EIO;

	if (c->gone != !!c->unplug)
		return -EIO;

	return atomic64_read(&c->wrong) ? -EIO : 0;
}

/* Among the numbers of a cell those that are recent are not to be all. */
static int check_registers(const struct campaign *c)
{
	unsigned int i;

	for (i = 0; i < c->num_targets; i++) {
		const struct registers *regs = c->targets[i].regs;

		if ((regs->width != 2 && regs->width != 4) ||
		    regs->max < regs->min ||
		    count_numbers(c, regs) < 2 * RECENT)
			return -EINVAL;
	}

	return c->num_targets ? 0 : -ENODEV;
}

static int drive_all(struct campaign *c, struct device *bus_dev)
{
	unsigned int i;
	int ret;

	c->targets = kcalloc(DEVICES_MAX, sizeof(*c->targets), GFP_KERNEL);
	if (!c->targets)
		return -ENOMEM;

	ret = device_for_each_child(bus_dev, c, add_target);
	if (!ret)
		ret = check_registers(c);
	if (!ret) {
		c->bus = c->targets[0].ddev->bus;
		ret = drive(c);
	}

	for (i = 0; i < c->num_targets; i++)
		put_device(&c->targets[i].ddev->dev);
	kfree(c->targets);

	return ret;
}

static int parse_register(struct registers *regs, const char *name, u32 number)
{
	const struct {
		const char *name;
		u32 *value;
	} words[] = {
		{ "width", &regs->width }, { "min", &regs->min },
		{ "max", &regs->max }, { "a", &regs->addr[CELL_A] },
		{ "b", &regs->addr[CELL_B] }, { "c", &regs->addr[CELL_C] },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(name, words[i].name)) {
			*words[i].value = number;
			return 0;
		}

	return -EINVAL;
}

/* @protocol: which one the registers are for, 0 for both */
static int parse_number(struct campaign *c, const char *name, u32 number,
			u32 *protocol)
{
	const struct {
		const char *name;
		u32 *value;
	} words[] = {
		{ "seconds", &c->seconds }, { "seed", &c->seed },
		{ "strict", &c->strict }, { "forget", &c->forget },
		{ "unplug", &c->unplug }, { "protocol", protocol },
	};
	int i, ret = 0;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(name, words[i].name)) {
			*words[i].value = number;
			return 0;
		}

	for (i = 0; i < ARRAY_SIZE(c->regs) && !ret; i++)
		if (!*protocol || *protocol == i + 1)
			ret = parse_register(&c->regs[i], name, number);

	return ret;
}

static int parse_word(struct campaign *c, char *word, u32 *protocol, char *bus,
		      size_t size)
{
	char *value = strchr(word, '=');
	u32 number;
	int ret;

	if (!value)
		return -EINVAL;
	*value++ = 0;
	if (!strcmp(word, "bus"))
		return strscpy(bus, value, size) < 0 ? -EINVAL : 0;

	ret = kstrtou32(value, 0, &number);

	return ret ? ret : parse_number(c, word, number, protocol);
}

static int run_set(const char *line, const struct kernel_param *kp)
{
	char *words __free(kfree) = kstrdup(line, GFP_KERNEL);
	struct campaign c = { .seconds = 1 };
	char bus[16] = "dxl0";
	char *rest, *word;
	struct device *dev;
	u32 protocol = 0;
	int ret;

	if (!words)
		return -ENOMEM;
	rest = strim(words);
	while ((word = strsep(&rest, " "))) {
		ret = *word ? parse_word(&c, word, &protocol, bus, sizeof(bus)) :
			      0;
		if (ret)
			return ret;
	}

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
MODULE_IMPORT_NS("DXL");
