// SPDX-License-Identifier: GPL-2.0
/*
 * Exercise a Dynamixel bus as fast as it goes
 *
 * Group writes and group reads of the same devices, again and again, each
 * submitted from the completion of the last. A line of options is written to
 * debugfs, dxl_exercise/run; the write returns when it is done. The same open
 * file then reads as the result, one "name=value" a line; what was done last
 * can be read from dxl_exercise/result too. Several runs may be under way.
 *
 *   bus=NAME		the bus, "dxl0" unless told
 *   ids=LIST		devices, as in "1-18,20"
 *   op=NAME		group_read, group_write_read, or single_read, which asks
 *			one by one even if there is a group instruction for it
 *   addr=N len=N	what is read
 *   waddr=N wlen=N	what is written
 *   baud=N		the rate of the line, where the tty cannot tell: the serial
 *			lines of UML cannot
 *   count=N ms=N	end after so many exchanges, or so long; 1000 and 60000
 *			unless told
 *
 * The options are those of an exchange; how the devices are reached follows from
 * what their drivers have told the core.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/parser.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include <linux/dxl/bus.h>

#include "../drivers/bus/base/base.h"

#define IDS			(DXL_ID_MAX + 1)
#define DATA_MAX		32
#define RESULT_MAX		1024

/* Devices that fail at once must not keep a processor for themselves. */
#define PAUSE_MS		20

enum op {
	OP_GROUP_READ,
	OP_GROUP_WRITE_READ,
	OP_SINGLE_READ,
};

static const char * const op_names[] = {
	[OP_GROUP_READ] = "group_read",
	[OP_GROUP_WRITE_READ] = "group_write_read",
	[OP_SINGLE_READ] = "single_read",
};

/**
 * struct tally - exchanges of a kind
 * @count: their number
 * @ns: the time they took
 * @max_ns: that of the longest
 */
struct tally {
	u64 count;
	u64 ns;
	u64 max_ns;
};

/* What may be the matter with an exchange, the worst of which counts. */
enum outcome {
	OUTCOME_CLEAN,		/* all devices have answered */
	OUTCOME_LOST,		/* all that were asked: not those that are lost */
	OUTCOME_FAULTY,		/* an answer is missing */
	OUTCOMES
};

static const char * const outcome_names[] = {
	[OUTCOME_CLEAN] = "clean",
	[OUTCOME_LOST] = "lost",
	[OUTCOME_FAULTY] = "faulty",
};

/**
 * struct exercise - a run
 * @bus_name: bus to use
 * @op: what an exchange is
 * @ids: devices to use
 * @addr: first address read
 * @len: number of bytes read
 * @waddr: first address written
 * @wlen: number of bytes written
 * @baud: rate of the line, or 0
 * @count: exchanges to do
 * @ms: time to do them in
 * @bus: the bus
 * @ddevs: the devices, each with a reference
 * @num: their number
 * @reads: group that reads
 * @writes: group that writes
 * @in: what is read
 * @out: what is written
 * @in_data: memory of @in
 * @out_data: memory of @out
 * @step: next device of a single_read
 * @kicks: calls of exercise_kick() that are to be served
 * @parts: completions that the exchange lacks
 * @pause: goes on after a moment
 * @stop: no more exchanges
 * @gone: the bus has gone meanwhile
 * @done: all has ended
 * @begin: when the run began
 * @end: when it ended
 * @deadline: when it has to
 * @started: when the exchange began
 * @tallies: exchanges by outcome
 * @answers: good answers
 * @refused: refusals
 * @missing: answers that did not come, or were damaged
 * @skipped: devices not asked
 */
struct exercise {
	char bus_name[16];
	enum op op;
	DECLARE_BITMAP(ids, IDS);
	u16 addr;
	u16 len;
	u16 waddr;
	u16 wlen;
	u32 baud;
	u32 count;
	u32 ms;

	struct dxl_bus *bus;
	struct dxl_device *ddevs[IDS];
	unsigned int num;
	struct dxl_group *reads;
	struct dxl_group *writes;
	struct dxl_item in[IDS];
	struct dxl_item out[IDS];
	u8 in_data[IDS][DATA_MAX];
	u8 out_data[IDS][DATA_MAX];

	unsigned int step;
	atomic_t kicks;
	atomic_t parts;
	struct delayed_work pause;
	bool stop;
	bool gone;
	struct completion done;

	ktime_t begin;
	ktime_t end;
	ktime_t deadline;
	ktime_t started;
	struct tally tallies[OUTCOMES];
	u64 answers;
	u64 refused;
	u64 missing;
	u64 skipped;
};

/* An open file: the result of what was written to it. */
struct exercise_file {
	struct mutex lock; /* guards the rest */
	size_t len;
	char result[RESULT_MAX];
};

static struct dentry *exercise_dir;
static DEFINE_MUTEX(last_lock);
static struct exercise_file last;

/* --- the loop --- */

static enum outcome count_item(struct exercise *ex, const struct dxl_item *item)
{
	switch (item->status) {
	case 0:
		ex->answers++;
		return OUTCOME_CLEAN;
	case -EREMOTEIO:
		ex->refused++;
		return OUTCOME_CLEAN;
	case -EHOSTDOWN:
	case -EAGAIN:
		ex->skipped++;
		return OUTCOME_LOST;
	case -ENODEV:
	case -ESHUTDOWN:
		ex->gone = true;
		break;
	}
	ex->missing++;

	return OUTCOME_FAULTY;
}

static void count_exchange(struct exercise *ex)
{
	u64 ns = ktime_to_ns(ktime_sub(ktime_get(), ex->started));
	enum outcome outcome = OUTCOME_CLEAN;
	struct tally *tally;
	unsigned int i;

	for (i = 0; i < ex->num; i++)
		outcome = max(outcome, count_item(ex, &ex->in[i]));

	tally = &ex->tallies[outcome];
	tally->count++;
	tally->ns += ns;
	tally->max_ns = max(tally->max_ns, ns);
}

static u64 exchanges(const struct exercise *ex)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < OUTCOMES; i++)
		sum += ex->tallies[i].count;

	return sum;
}

static bool is_over(const struct exercise *ex)
{
	return READ_ONCE(ex->stop) || ex->gone || exchanges(ex) >= ex->count ||
	       ktime_after(ktime_get(), ex->deadline);
}

static void exercise_kick(struct exercise *ex);

/* One that nobody has answered may have taken no time, and so may the next. */
static void exchange_done(struct exercise *ex)
{
	u64 answers = ex->answers;

	count_exchange(ex);
	if (is_over(ex)) {
		ex->end = ktime_get();
		complete(&ex->done);
	} else if (ex->answers == answers) {
		schedule_delayed_work(&ex->pause, msecs_to_jiffies(PAUSE_MS));
	} else {
		exercise_kick(ex);
	}
}

static void part_complete(struct dxl_group *group, void *context)
{
	struct exercise *ex = context;

	if (atomic_dec_and_test(&ex->parts))
		exchange_done(ex);
}

static void single_complete(struct dxl_group *group, void *context)
{
	struct exercise *ex = context;

	if (++ex->step == ex->num)
		exchange_done(ex);
	else
		exercise_kick(ex);
}

/* Values that change: the number of the exchange. */
static void fill_writes(struct exercise *ex)
{
	u64 number = exchanges(ex);
	unsigned int i;

	for (i = 0; i < ex->num; i++)
		ex->out_data[i][0] = number & 0xff;
}

/* The read is queued behind the write at once, not when that is done. */
static int begin_exchange(struct exercise *ex)
{
	bool write = ex->op == OP_GROUP_WRITE_READ;
	int ret;

	ex->started = ktime_get();
	atomic_set(&ex->parts, write ? 2 : 1);
	if (write) {
		fill_writes(ex);
		ret = dxl_group_write(ex->writes, ex->out, ex->num,
				      part_complete, ex);
		if (ret)
			return ret;
	}

	return dxl_group_read(ex->reads, ex->in, ex->num, part_complete, ex);
}

static int begin_single(struct exercise *ex)
{
	if (ex->step == ex->num)
		ex->step = 0;
	if (!ex->step)
		ex->started = ktime_get();

	return dxl_group_read(ex->reads, &ex->in[ex->step], 1, single_complete,
			      ex);
}

/*
 * Go on. What completes before its submission has returned calls this again:
 * that is served by the loop and not by recursion.
 */
static void exercise_kick(struct exercise *ex)
{
	if (atomic_inc_return(&ex->kicks) > 1)
		return;

	do {
		/* exercise_find() has excluded what these refuse. */
		if (ex->op == OP_SINGLE_READ)
			WARN_ON_ONCE(begin_single(ex));
		else
			WARN_ON_ONCE(begin_exchange(ex));
	} while (atomic_dec_return(&ex->kicks));
}

static void exercise_resume(struct work_struct *work)
{
	exercise_kick(container_of(to_delayed_work(work), struct exercise,
				   pause));
}

/* --- preparation --- */

static struct dxl_device *find_device(const struct exercise *ex,
				      unsigned int id)
{
	struct device *dev;
	unsigned int nr;
	char name[24];

	if (sscanf(ex->bus_name, "dxl%u", &nr) != 1)
		return NULL;
	snprintf(name, sizeof(name), "%u-%03u", nr, id);
	dev = bus_find_device_by_name(&dxl_bus_type, NULL, name);

	return dev ? to_dxl_device(dev) : NULL;
}

static int exercise_find(struct exercise *ex)
{
	struct dxl_device *ddev;
	unsigned int id;

	for_each_set_bit(id, ex->ids, IDS) {
		ddev = find_device(ex, id);
		if (!ddev)
			return -ENODEV;
		ex->ddevs[ex->num] = ddev;
		ex->in[ex->num] = (struct dxl_item){
			.ddev = ddev,
			.addr = ex->addr,
			.len = ex->len,
			.buf = ex->in_data[ex->num],
		};
		ex->out[ex->num] = (struct dxl_item){
			.ddev = ddev,
			.addr = ex->waddr,
			.len = ex->wlen,
			.buf = ex->out_data[ex->num],
		};
		ex->num++;
		ex->bus = ddev->bus;
		/* No driver has told how to speak to it. */
		if (!READ_ONCE(ddev->protocol))
			return -ENODATA;
	}
	if (!ex->num)
		return -EINVAL;

	ex->reads = dxl_group_alloc(ex->bus, ex->num, DXL_PRIO_CYCLIC);
	ex->writes = dxl_group_alloc(ex->bus, ex->num, DXL_PRIO_CYCLIC);

	return ex->reads && ex->writes ? 0 : -ENOMEM;
}

static void exercise_free(struct exercise *ex)
{
	if (IS_ERR_OR_NULL(ex))
		return;

	dxl_group_free(ex->reads);
	dxl_group_free(ex->writes);
	while (ex->num--)
		put_device(&ex->ddevs[ex->num]->dev);
	kvfree(ex);
}

DEFINE_FREE(exercise, struct exercise *, exercise_free(_T))

static void exercise_run(struct exercise *ex)
{
	if (ex->baud)
		ex->bus->timing.baud = ex->baud;
	ex->begin = ktime_get();
	ex->deadline = ktime_add_ms(ex->begin, ex->ms);
	exercise_kick(ex);

	/* Every transfer ends by its deadline, and so does the last one. */
	if (wait_for_completion_interruptible(&ex->done)) {
		WRITE_ONCE(ex->stop, true);
		wait_for_completion(&ex->done);
	}
	/* The one that completed it may still be on its way out of the loop. */
	while (atomic_read(&ex->kicks))
		msleep(PAUSE_MS);
}

/* --- options --- */

enum option {
	OPT_BUS, OPT_IDS, OPT_OP, OPT_ADDR, OPT_LEN, OPT_WADDR, OPT_WLEN,
	OPT_BAUD, OPT_COUNT, OPT_MS, OPT_UNKNOWN
};

static const match_table_t options = {
	{ OPT_BUS, "bus=%s" },
	{ OPT_IDS, "ids=%s" },
	{ OPT_OP, "op=%s" },
	{ OPT_ADDR, "addr=%u" },
	{ OPT_LEN, "len=%u" },
	{ OPT_WADDR, "waddr=%u" },
	{ OPT_WLEN, "wlen=%u" },
	{ OPT_BAUD, "baud=%u" },
	{ OPT_COUNT, "count=%u" },
	{ OPT_MS, "ms=%u" },
	{ OPT_UNKNOWN, NULL }
};

static int parse_number(substring_t *arg, unsigned int min, unsigned int max,
			unsigned int *number)
{
	int ret = match_uint(arg, number);

	if (ret)
		return ret;

	return *number < min || *number > max ? -ERANGE : 0;
}

static int parse_u16(substring_t *arg, unsigned int min, unsigned int max,
		     u16 *value)
{
	unsigned int number;
	int ret = parse_number(arg, min, max, &number);

	if (!ret)
		*value = number;

	return ret;
}

static int parse_op(struct exercise *ex, substring_t *arg)
{
	char name[24];
	int op;

	match_strlcpy(name, arg, sizeof(name));
	op = match_string(op_names, ARRAY_SIZE(op_names), name);
	if (op < 0)
		return -EINVAL;
	ex->op = op;

	return 0;
}

static int parse_ids(struct exercise *ex, substring_t *arg)
{
	char *list __free(kfree) = match_strdup(arg);

	return list ? bitmap_parselist(list, ex->ids, IDS) : -ENOMEM;
}

static int parse_option(struct exercise *ex, char *text)
{
	substring_t args[MAX_OPT_ARGS];

	switch (match_token(text, options, args)) {
	case OPT_BUS:
		match_strlcpy(ex->bus_name, args, sizeof(ex->bus_name));
		return 0;
	case OPT_IDS:
		return parse_ids(ex, args);
	case OPT_OP:
		return parse_op(ex, args);
	case OPT_ADDR:
		return parse_u16(args, 0, U16_MAX, &ex->addr);
	case OPT_LEN:
		return parse_u16(args, 1, DATA_MAX, &ex->len);
	case OPT_WADDR:
		return parse_u16(args, 0, U16_MAX, &ex->waddr);
	case OPT_WLEN:
		return parse_u16(args, 1, DATA_MAX, &ex->wlen);
	case OPT_BAUD:
		return parse_number(args, 1, U32_MAX, &ex->baud);
	case OPT_COUNT:
		return parse_number(args, 1, U32_MAX, &ex->count);
	case OPT_MS:
		return parse_number(args, 1, U32_MAX, &ex->ms);
	default:
		pr_err("dxl_exercise: unknown option '%s'\n", text);
		return -EINVAL;
	}
}

static struct exercise *exercise_parse(char *text)
{
	struct exercise *ex = kvzalloc(sizeof(*ex), GFP_KERNEL);
	char *option;
	int ret;

	if (!ex)
		return ERR_PTR(-ENOMEM);

	strscpy(ex->bus_name, "dxl0");
	ex->len = 1;
	ex->wlen = 1;
	ex->count = 1000;
	ex->ms = 60000;
	init_completion(&ex->done);
	INIT_DELAYED_WORK(&ex->pause, exercise_resume);

	while ((option = strsep(&text, "\n "))) {
		ret = *option ? parse_option(ex, option) : 0;
		if (ret) {
			exercise_free(ex);
			return ERR_PTR(ret);
		}
	}

	return ex;
}

/* --- files --- */

static void report(const struct exercise *ex, struct exercise_file *file)
{
	size_t n = 0;
	int i;

	n += scnprintf(file->result + n, RESULT_MAX - n,
		       "exchanges=%llu\nns=%lld\nanswers=%llu\nrefused=%llu\nmissing=%llu\nskipped=%llu\ngone=%d\n",
		       exchanges(ex),
		       ktime_to_ns(ktime_sub(ex->end, ex->begin)), ex->answers,
		       ex->refused, ex->missing, ex->skipped, ex->gone);
	for (i = 0; i < OUTCOMES; i++) {
		const struct tally *tally = &ex->tallies[i];

		n += scnprintf(file->result + n, RESULT_MAX - n,
			       "%s=%llu\n%s_ns=%llu\n%s_max_ns=%llu\n",
			       outcome_names[i], tally->count,
			       outcome_names[i], tally->ns,
			       outcome_names[i], tally->max_ns);
	}
	file->len = n;
}

static int run_open(struct inode *inode, struct file *file)
{
	struct exercise_file *ef = kzalloc(sizeof(*ef), GFP_KERNEL);

	if (!ef)
		return -ENOMEM;
	mutex_init(&ef->lock);
	file->private_data = ef;

	return 0;
}

static int run_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);

	return 0;
}

static ssize_t run_write(struct file *file, const char __user *buf, size_t len,
			 loff_t *pos)
{
	struct exercise_file *ef = file->private_data;
	int ret;

	guard(mutex)(&ef->lock);

	char *text __free(kfree) = memdup_user_nul(buf, min(len, PAGE_SIZE));

	if (IS_ERR(text))
		return PTR_ERR(text);

	struct exercise *ex __free(exercise) = exercise_parse(text);

	if (IS_ERR(ex))
		return PTR_ERR(ex);
	ret = exercise_find(ex);
	if (ret)
		return ret;

	exercise_run(ex);
	report(ex, ef);
	scoped_guard(mutex, &last_lock) {
		memcpy(last.result, ef->result, ef->len);
		last.len = ef->len;
	}

	return len;
}

static ssize_t run_read(struct file *file, char __user *buf, size_t len,
			loff_t *pos)
{
	struct exercise_file *ef = file->private_data;

	guard(mutex)(&ef->lock);

	return simple_read_from_buffer(buf, len, pos, ef->result, ef->len);
}

static const struct file_operations run_fops = {
	.owner = THIS_MODULE,
	.open = run_open,
	.release = run_release,
	.write = run_write,
	.read = run_read,
};

static ssize_t result_read(struct file *file, char __user *buf, size_t len,
			   loff_t *pos)
{
	guard(mutex)(&last_lock);

	return simple_read_from_buffer(buf, len, pos, last.result, last.len);
}

static const struct file_operations result_fops = {
	.owner = THIS_MODULE,
	.read = result_read,
};

static int __init exercise_init(void)
{
	exercise_dir = debugfs_create_dir("dxl_exercise", NULL);
	debugfs_create_file("run", 0600, exercise_dir, NULL, &run_fops);
	debugfs_create_file("result", 0400, exercise_dir, NULL, &result_fops);

	return 0;
}
module_init(exercise_init);

static void __exit exercise_exit(void)
{
	debugfs_remove(exercise_dir);
}
module_exit(exercise_exit);

MODULE_DESCRIPTION("Exchanges on a Dynamixel bus, back to back");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("DXL");
