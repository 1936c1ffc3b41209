// SPDX-License-Identifier: GPL-2.0
/*
 * A bus whose line and servos are in the kernel, for runs of days
 *
 * A simulator that is a program costs system calls for each packet, and in UML those
 * take longer than the packet. Here a packet costs two timers: one when its last bit
 * has gone over the line, one for each answer to it. Servos have no life beside their
 * control table: their position is the time, one count for each lockstep_us, so that
 * who reads a frame can tell whether it is coherent. Everything above the line is the
 * real thing.
 *
 *   protocol=1  AX-12, asked one by one
 *   protocol=2  XM430, which answer fast reads
 *
 * Locks: the bus's queue calls write() with its lock held, within which the line's own is
 * taken; the timer lets go of that before it gives the bus what has arrived. One bus lives
 * as long as the module: it is removed first, and then its timer cancelled, which nothing
 * starts any more.
 *
 * The parameter `goals` reads as a line for each servo: ID, how many goals it was
 * given, and the shortest and the longest time between two of them in nanoseconds.
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/unaligned.h>

#include <linux/dxl/packet.h>
#include <linux/dxl/transport.h>

#define SERVOS_MAX	32
#define TABLE_SIZE	256
#define PACKET_MAX	2048
#define BITS_PER_BYTE_8N1	10

/* How far positions count, a power of two that any servo's go to. */
#define LOCKSTEP_COUNTS	1024

static unsigned int protocol = DXL_PROTOCOL_1;
module_param(protocol, uint, 0400);
MODULE_PARM_DESC(protocol, "1 for AX-12, 2 for XM430");

static unsigned int servos = 20;
module_param(servos, uint, 0400);
MODULE_PARM_DESC(servos, "How many, with IDs from 1 on");

static unsigned int baud = 1000000;
module_param(baud, uint, 0400);
MODULE_PARM_DESC(baud, "Rate of the line");

/* One that is divided by, in nanoseconds, as a u32. */
static int lockstep_set(const char *value, const struct kernel_param *kp)
{
	return param_set_uint_minmax(value, kp, 1, U32_MAX / NSEC_PER_USEC);
}

static const struct kernel_param_ops lockstep_ops = {
	.set = lockstep_set,
	.get = param_get_uint,
};

static unsigned int lockstep_us = 103;
module_param_cb(lockstep_us, &lockstep_ops, &lockstep_us, 0600);
MODULE_PARM_DESC(lockstep_us, "Time of which a position is one count");

/**
 * struct servo_registers - where a model has what this file knows of
 * @goal: goal position
 * @position: present position
 * @initial: what the table holds at first, pairs of an address and a byte
 * @num_initial: how many bytes these are
 */
struct servo_registers {
	u16 goal;
	u16 position;
	const u8 *initial;
	size_t num_initial;
};

/* Model, firmware, highest angle, torque limits, status return level. */
static const u8 ax_initial[] = {
	0, 12, 2, 24, 8, 0xff, 9, 3, 14, 0xff, 15, 3, 16, 2, 34, 0xff, 35, 3,
	42, 120, 43, 30,
};

/* Model, firmware, mode, limits of PWM and position, status return level. */
static const u8 xm_initial[] = {
	0, 0xfc, 1, 3, 6, 45, 11, 3, 36, 0x75, 37, 3, 48, 0xff, 49, 0x0f,
	68, 2, 100, 0x75, 101, 3, 144, 120, 146, 30,
};

static const struct servo_registers registers[] = {
	[DXL_PROTOCOL_1] = {
		30, 36, ax_initial, sizeof(ax_initial)
	},
	[DXL_PROTOCOL_2] = {
		116, 132, xm_initial, sizeof(xm_initial)
	},
};

/**
 * struct fake_servo - a servo
 * @id: its address
 * @table: its control table
 * @goals: how many goals were written
 * @last: when the last one was
 * @shortest: shortest time between two
 * @longest: longest time between two
 */
struct fake_servo {
	u8 id;
	u8 table[TABLE_SIZE];
	u64 goals;
	ktime_t last;
	s64 shortest;
	s64 longest;
};

/**
 * struct fake_bus - the line, and what is on it
 * @bus: the bus
 * @regs: registers of its servos
 * @servo: the servos
 * @lock: guards all below; nests in the queue's lock
 * @timer: when something has gone over the line
 * @decoder: takes instruction packets apart
 * @decoded: memory of @decoder
 * @tx: the instruction packet that is under way
 * @tx_len: its length, or 0
 * @rx: the answers
 * @rx_len: their length
 * @end: where each of them ends in @rx
 * @answers: their number
 * @arrived: how many of them the bus has been given
 */
struct fake_bus {
	struct dxl_bus *bus;
	const struct servo_registers *regs;
	struct fake_servo servo[SERVOS_MAX];
	spinlock_t lock; /* nests in the queue's lock */
	struct hrtimer timer;
	struct dxl_decoder decoder;
	u8 decoded[2 * PACKET_MAX];
	u8 tx[PACKET_MAX];
	size_t tx_len;
	u8 rx[PACKET_MAX];
	size_t rx_len;
	size_t end[SERVOS_MAX];
	unsigned int answers;
	unsigned int arrived;
};

static struct device *parent;

/* Guarded by the lock of the module's parameters, which are there before and after it. */
static struct fake_bus *the_bus;

/* --- servos --- */

/* A range of registers as instructions name it, and where in @p that ends */
static const u8 *get_range(const u8 *p, u16 *addr, u16 *len)
{
	if (protocol == DXL_PROTOCOL_1) {
		*addr = p[0];
		*len = p[1];
		return p + 2;
	}
	*addr = get_unaligned_le16(p);
	*len = get_unaligned_le16(p + 2);

	return p + 4;
}

static void count_goal(struct fake_servo *servo)
{
	ktime_t now = ktime_get();
	s64 since = ktime_to_ns(ktime_sub(now, servo->last));

	if (servo->goals++) {
		servo->shortest = min(servo->shortest, since);
		servo->longest = max(servo->longest, since);
	}
	servo->last = now;
}

static void forget_goals(struct fake_servo *servo)
{
	servo->goals = 0;
	servo->shortest = S64_MAX;
	servo->longest = 0;
}

static void servo_write(struct fake_bus *fb, struct fake_servo *servo, u16 addr,
			const u8 *data, u16 len)
{
	if (WARN_ON_ONCE(addr + len > TABLE_SIZE))
		return;

	memcpy(servo->table + addr, data, len);
	if (addr <= fb->regs->goal && addr + len > fb->regs->goal)
		count_goal(servo);
}

/* Let the position be what the time is. */
static void servo_move(struct fake_bus *fb, struct fake_servo *servo)
{
	u64 count = div_u64(ktime_get_ns(), lockstep_us * NSEC_PER_USEC);
	u8 *position = servo->table + fb->regs->position;

	put_unaligned_le16(count % LOCKSTEP_COUNTS, position);
}

static struct fake_servo *find_servo(struct fake_bus *fb, u8 id)
{
	return id && id <= servos ? &fb->servo[id - 1] : NULL;
}

/* --- answers --- */

static void answer_ends(struct fake_bus *fb)
{
	fb->end[fb->answers++] = fb->rx_len;
}

static void answer(struct fake_bus *fb, const struct fake_servo *servo,
		   const u8 *params, u16 len)
{
	const struct dxl_packet status = {
		.protocol = protocol,
		.id = servo->id,
		.instruction = DXL_STATUS_RETURN,
		.params = params,
		.len = len,
	};
	int ret = dxl_packet_encode(&status, fb->rx + fb->rx_len,
				    PACKET_MAX - fb->rx_len);

	if (WARN_ON_ONCE(ret < 0 || fb->answers == SERVOS_MAX))
		return;

	fb->rx_len += ret;
	answer_ends(fb);
}

static void answer_ping(struct fake_bus *fb, const struct fake_servo *servo)
{
	const u8 *table = servo->table;
	const u8 params[] = { table[0], table[1], table[6] };

	answer(fb, servo, params,
	       protocol == DXL_PROTOCOL_2 ? sizeof(params) : 0);
}

static void answer_read(struct fake_bus *fb, struct fake_servo *servo, u16 addr,
			u16 len)
{
	if (WARN_ON_ONCE(addr + len > TABLE_SIZE))
		return;

	servo_move(fb, servo);
	answer(fb, servo, servo->table + addr, len);
}

/* A slot of a fast answer: error, ID, data, and the CRC of all so far. */
static void add_slot(struct fake_bus *fb, struct fake_servo *servo, u16 addr,
		     u16 len)
{
	u8 *p = fb->rx + fb->rx_len;

	servo_move(fb, servo);
	*p++ = 0;
	*p++ = servo->id;
	memcpy(p, servo->table + addr, len);
	p += len;
	put_unaligned_le16(dxl_crc16(0, fb->rx, p - fb->rx), p);
	fb->rx_len += len + DXL_FAST_OVERHEAD;
}

static void answer_fast(struct fake_bus *fb, u16 addr, u16 len, const u8 *ids,
			size_t num)
{
	const u8 header[] = { 0xff, 0xff, 0xfd, 0, DXL_ID_BROADCAST };
	size_t size = 1 + num * (len + DXL_FAST_OVERHEAD);
	size_t i;

	if (WARN_ON_ONCE(DXL_FAST_HEADER + size > PACKET_MAX ||
			 addr + len > TABLE_SIZE))
		return;

	memcpy(fb->rx, header, sizeof(header));
	put_unaligned_le16(size, fb->rx + sizeof(header));
	fb->rx[sizeof(header) + 2] = DXL_STATUS_RETURN;
	fb->rx_len = DXL_FAST_HEADER;
	for (i = 0; i < num; i++)
		add_slot(fb, find_servo(fb, ids[i]), addr, len);
	answer_ends(fb);
}

/* --- instructions --- */

static void sync_write(struct fake_bus *fb, const struct dxl_packet *request)
{
	const u8 *end = request->params + request->len;
	struct fake_servo *servo;
	u16 addr, len;
	const u8 *p;

	for (p = get_range(request->params, &addr, &len); p + len < end;
	     p += 1 + len) {
		servo = find_servo(fb, *p);
		if (servo)
			servo_write(fb, servo, addr, p + 1, len);
	}
}

static void sync_read(struct fake_bus *fb, const struct dxl_packet *request)
{
	const u8 *end = request->params + request->len;
	u16 addr, len;
	const u8 *ids = get_range(request->params, &addr, &len);
	const u8 *p;

	for (p = ids; p < end; p++)
		if (WARN_ON_ONCE(!find_servo(fb, *p)))
			return;

	if (request->instruction == DXL_FAST_SYNC_READ) {
		answer_fast(fb, addr, len, ids, end - ids);
		return;
	}
	for (p = ids; p < end; p++)
		answer_read(fb, find_servo(fb, *p), addr, len);
}

static void to_one(struct fake_bus *fb, struct fake_servo *servo,
		   const struct dxl_packet *request)
{
	const u8 *data = request->params + (protocol == DXL_PROTOCOL_1 ? 1 : 2);
	u16 addr, len;

	switch (request->instruction) {
	case DXL_PING:
		answer_ping(fb, servo);
		break;
	case DXL_READ:
		get_range(request->params, &addr, &len);
		answer_read(fb, servo, addr, len);
		break;
	case DXL_WRITE:
		addr = protocol == DXL_PROTOCOL_1 ? data[-1] :
						    get_unaligned_le16(data - 2);
		servo_write(fb, servo, addr, data,
			    request->params + request->len - data);
		answer(fb, servo, NULL, 0);
		break;
	default:
		WARN_ONCE(1, "instruction 0x%02x\n", request->instruction);
	}
}

static void to_all(struct fake_bus *fb, const struct dxl_packet *request)
{
	unsigned int i;

	switch (request->instruction) {
	case DXL_PING:
		for (i = 0; i < servos; i++)
			answer_ping(fb, &fb->servo[i]);
		break;
	case DXL_SYNC_WRITE:
		sync_write(fb, request);
		break;
	case DXL_SYNC_READ:
	case DXL_FAST_SYNC_READ:
		sync_read(fb, request);
		break;
	default:
		WARN_ONCE(1, "instruction 0x%02x\n", request->instruction);
	}
}

static void respond(struct fake_bus *fb)
{
	struct dxl_packet request;
	struct fake_servo *servo;

	dxl_decoder_feed(&fb->decoder, fb->tx, fb->tx_len);
	while (!dxl_decoder_next(&fb->decoder, &request)) {
		if (request.protocol != protocol)
			continue;
		servo = find_servo(fb, request.id);
		if (servo)
			to_one(fb, servo, &request);
		else if (request.id == DXL_ID_BROADCAST)
			to_all(fb, &request);
	}
}

/* --- the line --- */

/* Have the timer expire when @len bytes more have gone over the line. */
static void after_bytes(struct fake_bus *fb, size_t len)
{
	u64 ns = div_u64((u64)len * BITS_PER_BYTE_8N1 * NSEC_PER_SEC, baud);

	hrtimer_start(&fb->timer, ns_to_ktime(ns), HRTIMER_MODE_REL_SOFT);
}

static size_t answer_begin(const struct fake_bus *fb, unsigned int i)
{
	return i ? fb->end[i - 1] : 0;
}

static void next_answer(struct fake_bus *fb)
{
	unsigned int i = fb->arrived;

	if (i < fb->answers)
		after_bytes(fb, fb->end[i] - answer_begin(fb, i));
}

static void request_sent(struct fake_bus *fb)
{
	fb->rx_len = 0;
	fb->answers = 0;
	fb->arrived = 0;
	respond(fb);
	fb->tx_len = 0;
	next_answer(fb);
}

static enum hrtimer_restart fake_bus_timer(struct hrtimer *timer)
{
	struct fake_bus *fb = container_of(timer, struct fake_bus, timer);
	size_t begin, end;

	spin_lock_bh(&fb->lock);
	if (fb->tx_len) {
		request_sent(fb);
		spin_unlock_bh(&fb->lock);
		return HRTIMER_NORESTART;
	}
	begin = answer_begin(fb, fb->arrived);
	end = fb->end[fb->arrived++];
	next_answer(fb);
	spin_unlock_bh(&fb->lock);

	/* What it sends next starts the timer again. */
	dxl_bus_receive(fb->bus, fb->rx + begin, end - begin);

	return HRTIMER_NORESTART;
}

static int fake_bus_write(struct dxl_bus *bus, const u8 *data, size_t len)
{
	struct fake_bus *fb = dxl_bus_priv(bus);

	if (len > sizeof(fb->tx))
		return -EMSGSIZE;

	spin_lock_bh(&fb->lock);
	/* The line is free just as its timer is due. */
	if (fb->tx_len)
		request_sent(fb);
	WARN_ONCE(fb->arrived < fb->answers, "two talk at once\n");
	memcpy(fb->tx, data, len);
	fb->tx_len = len;
	after_bytes(fb, len);
	spin_unlock_bh(&fb->lock);

	return len;
}

/* There is one packet, and it is on the line. */
static void fake_bus_flush(struct dxl_bus *bus)
{
}

static const struct dxl_transport_ops fake_bus_ops = {
	.write = fake_bus_write,
	.flush = fake_bus_flush,
};

/* --- goals --- */

static int goals_get(char *buf, const struct kernel_param *kp)
{
	struct fake_bus *fb = the_bus;
	int len = 0;
	unsigned int i;

	if (!fb)
		return 0;

	spin_lock_bh(&fb->lock);
	for (i = 0; i < servos; i++)
		len += sysfs_emit_at(buf, len, "%u %llu %lld %lld\n",
				     fb->servo[i].id, fb->servo[i].goals,
				     fb->servo[i].shortest,
				     fb->servo[i].longest);
	spin_unlock_bh(&fb->lock);

	return len;
}

/* Writing anything begins to count anew. */
static int goals_set(const char *value, const struct kernel_param *kp)
{
	struct fake_bus *fb = the_bus;
	unsigned int i;

	if (!fb)
		return -ENODEV;

	spin_lock_bh(&fb->lock);
	for (i = 0; i < servos; i++)
		forget_goals(&fb->servo[i]);
	spin_unlock_bh(&fb->lock);

	return 0;
}

static const struct kernel_param_ops goals_ops = {
	.set = goals_set,
	.get = goals_get,
};
module_param_cb(goals, &goals_ops, NULL, 0600);
MODULE_PARM_DESC(goals, "What goals there were, and when");

/* --- life --- */

static void fake_servo_init(struct fake_bus *fb, struct fake_servo *servo, u8 id)
{
	const u8 *initial = fb->regs->initial;
	size_t i;

	servo->id = id;
	for (i = 0; i < fb->regs->num_initial; i += 2)
		servo->table[initial[i]] = initial[i + 1];
	servo->table[protocol == DXL_PROTOCOL_1 ? 3 : 7] = id;
	forget_goals(servo);
}

static struct fake_bus *fake_bus_alloc(void)
{
	struct fake_bus *fb = kzalloc(sizeof(*fb), GFP_KERNEL);
	unsigned int i;

	if (!fb)
		return NULL;

	fb->regs = &registers[protocol];
	for (i = 0; i < servos; i++)
		fake_servo_init(fb, &fb->servo[i], i + 1);
	spin_lock_init(&fb->lock);
	hrtimer_setup(&fb->timer, fake_bus_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_SOFT);
	dxl_decoder_init(&fb->decoder, DXL_INSTRUCTION, fb->decoded,
			 sizeof(fb->decoded));

	return fb;
}

static int fake_bus_register(struct fake_bus *fb)
{
	int ret;

	fb->bus = dxl_bus_alloc(parent, &fake_bus_ops, fb, baud);
	if (IS_ERR(fb->bus))
		return PTR_ERR(fb->bus);

	ret = dxl_bus_add(fb->bus);
	if (ret)
		dxl_bus_put(fb->bus);

	return ret;
}

static void show_goals(struct fake_bus *fb)
{
	kernel_param_lock(THIS_MODULE);
	the_bus = fb;
	kernel_param_unlock(THIS_MODULE);
}

static int __init fake_bus_init(void)
{
	struct fake_bus *fb;
	int ret;

	if (protocol < DXL_PROTOCOL_1 || protocol > DXL_PROTOCOL_2 ||
	    !servos || servos > SERVOS_MAX || !baud)
		return -EINVAL;

	fb = fake_bus_alloc();
	if (!fb)
		return -ENOMEM;

	parent = root_device_register("dxl_fake_bus");
	ret = PTR_ERR_OR_ZERO(parent);
	if (ret)
		goto free_bus;

	ret = fake_bus_register(fb);
	if (ret)
		goto unregister;
	show_goals(fb);

	return 0;

unregister:
	root_device_unregister(parent);
free_bus:
	kfree(fb);

	return ret;
}
module_init(fake_bus_init);

static void __exit fake_bus_exit(void)
{
	struct fake_bus *fb = the_bus;

	show_goals(NULL);
	dxl_bus_remove(fb->bus);
	hrtimer_cancel(&fb->timer);
	dxl_bus_put(fb->bus);
	root_device_unregister(parent);
	kfree(fb);
}
module_exit(fake_bus_exit);

MODULE_DESCRIPTION("Dynamixel bus that exists only in memory");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("DXL");
