// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the stream of poses: its watchdog, and how torque comes back
 *
 * Nothing here waits for a watchdog: time passes because a test says so. Ticks come
 * from it too, as the timer of the bus's trigger is stopped.
 */
#include <linux/bitmap.h>
#include <linux/bottom_half.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/iio/buffer_impl.h>
#include <linux/iio/iio.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/cycle/beat.h"
#include "../drivers/bus/cycle/exchange.h"
#include "../drivers/bus/queue/ladder.h"
#include "../drivers/bus/queue/state.h"
#include "../drivers/servo/pose.h"
#include "fake_servo.h"

#define MODEL_AX12	12
#define MODEL_MX28	29
#define MODEL_XM430	1020

/* Registers of Protocol 1.0, and of 2.0 but for XL-320. */
#define TORQUE		24
#define GOAL		30
#define LIMIT		34
#define POSITION	36
#define TORQUE2		64
#define WATCHDOG2	98
#define LIMIT2		100
#define SPEED2		112
#define GOAL2		116
#define POSITION2	132

/* Longer than any test, so that what is not meant to pass does not. */
#define PERIOD_US	1000000000
#define WATCHDOG_MS	10000000
#define RAMP_MS		2000

#define SENT_MAX	32

/**
 * struct sent_write - a sync write that has been sent
 * @addr: first register
 * @devices: how many devices it was for
 */
struct sent_write {
	u16 addr;
	unsigned int devices;
};

/* What the line has seen since forget_sent(). */
static struct sent_write sent[SENT_MAX];
static unsigned int num_sent;

/* Who does not hear what is for several, 0 for nobody. */
static u8 deaf;

/* A stream begins while somebody is told not to watch the bus. */
static bool begins_meanwhile;

static struct pose *the_pose;

/* --- servos that hear sync writes --- */

static struct fake_device *servo_of(struct fake_line *line, u8 id)
{
	unsigned int i;

	for (i = 0; i < line->num_devices; i++)
		if (line->devices[i].id == id)
			return &line->devices[i];

	return NULL;
}

/* A goal switches the torque of those of Protocol 1.0 on. */
static void hear(struct fake_device *dev, u16 addr, const u8 *data, u16 len)
{
	if (!dev || dev->silent || dev->id == deaf)
		return;

	memcpy(dev->table + addr, data, len);
	if (dev->protocol == DXL_PROTOCOL_1 && addr == GOAL)
		dev->table[TORQUE] = 1;
}

static void hear_all(struct fake_line *line, const struct dxl_packet *request)
{
	bool v1 = request->protocol == DXL_PROTOCOL_1;
	const u8 *p = request->params, *end = p + request->len;
	u16 addr = v1 ? p[0] : get_unaligned_le16(p);
	u16 len = v1 ? p[1] : get_unaligned_le16(p + 2);
	unsigned int devices = 0;

	for (p += v1 ? 2 : 4; p < end; p += 1 + len, devices++)
		hear(servo_of(line, *p), addr, p + 1, len);

	if (num_sent < SENT_MAX)
		sent[num_sent++] = (struct sent_write){ addr, devices };
}

/* What has stopped for want of a bus is told to go on by a 0. */
static bool is_refused(struct fake_line *line, const struct dxl_packet *request)
{
	struct fake_device *dev = servo_of(line, request->id);

	return request->protocol == DXL_PROTOCOL_2 &&
	       request->instruction == DXL_WRITE && dev &&
	       get_unaligned_le16(request->params) == WATCHDOG2 &&
	       dev->table[WATCHDOG2] == 0xff && request->params[2];
}

static bool tells_not_to_watch(const struct dxl_packet *request)
{
	return request->protocol == DXL_PROTOCOL_2 &&
	       request->instruction == DXL_WRITE &&
	       get_unaligned_le16(request->params) == WATCHDOG2 &&
	       !request->params[2];
}

/* An ID that nobody has: what is asked of it keeps the line until it is given up. */
#define NOBODY	99

static void respond(struct fake_line *line, const struct dxl_packet *request)
{
	if (request->id == NOBODY)
		return;
	if (begins_meanwhile && tells_not_to_watch(request))
		WRITE_ONCE(the_pose->team->watched, true);

	if (request->instruction == DXL_SYNC_WRITE)
		hear_all(line, request);
	else if (is_refused(line, request))
		fake_line_status(line, request->protocol, request->id, 4, NULL,
				 0);
	else
		fake_line_respond(line, request);
}

static void forget_sent(void)
{
	num_sent = 0;
}

static void expect_sent(struct kunit *test, unsigned int n, u16 addr,
			unsigned int devices)
{
	KUNIT_ASSERT_GT(test, num_sent, n);
	KUNIT_EXPECT_EQ(test, sent[n].addr, addr);
	KUNIT_EXPECT_EQ(test, sent[n].devices, devices);
}

/* --- time --- */

static struct dxl_bus *bus_of(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	return f->line->bus;
}

static u64 exchanges(struct kunit *test)
{
	struct dxl_exchange *x = bus_of(test)->exchange;
	u64 count;

	spin_lock_bh(&x->lock);
	count = x->exchanges;
	spin_unlock_bh(&x->lock);

	return count;
}

static void wait_for_exchange(struct kunit *test, u64 before)
{
	struct fake_servos *f = test->priv;
	unsigned int ms;

	for (ms = 0; ms < FAKE_PATIENCE_MS && exchanges(test) == before; ms++)
		usleep_range(1000, 2000);
	KUNIT_EXPECT_GT(test, exchanges(test), before);
	flush_work(&f->line->answer);
}

/* A tick of the trigger, and the exchange that follows it. */
static void tick(struct kunit *test)
{
	u64 before = exchanges(test);

	atomic_set(&the_pose->due, 1);
	dxl_cycle_kick(bus_of(test));
	wait_for_exchange(test, before);
}

static void fire_watchdog(void)
{
	local_bh_disable();
	the_pose->timer.expired(&the_pose->timer);
	local_bh_enable();
}

/* Let @ms pass since the last sign of life. */
static void be_silent(unsigned int ms)
{
	atomic64_set(&the_pose->alive, ktime_sub_ms(ktime_get(), ms));
}

static void trip(struct kunit *test)
{
	u64 before = exchanges(test);

	be_silent(WATCHDOG_MS);
	fire_watchdog();
	wait_for_exchange(test, before);
}

/* --- the application --- */

static void expect_attr(struct kunit *test, const char *name, const char *want)
{
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_GT(test, dev_attr_show(&the_pose->indio_dev->dev, name,
					    buf), 0);
	KUNIT_EXPECT_STREQ_MSG(test, strim(buf), want, "%s", name);
}

static ssize_t store(const char *name, const char *text)
{
	return dev_attr_store(&the_pose->indio_dev->dev, name, text);
}

/* The kernel's side of write(), with a sample that is in the kernel. */
static int fifo_write(struct iio_buffer *buffer, size_t n,
		      const char __user *buf)
{
	return buffer->access->store_to(buffer, (__force const char *)buf) ?: n;
}

static struct iio_buffer_access_funcs fake_fifo;

static void push_bytes(struct kunit *test, const u8 *sample, size_t len)
{
	struct iio_buffer *buffer = the_pose->indio_dev->buffer;

	KUNIT_EXPECT_EQ(test, len, the_pose->indio_dev->scan_bytes);
	KUNIT_EXPECT_EQ(test, buffer->access->write(buffer, len,
						    (__force const char __user *)sample),
			len);
}

/* A pose of three servos of Protocol 1.0 that have all the same goal. */
static void push(struct kunit *test, u16 goal)
{
	u8 sample[12];
	int i;

	for (i = 0; i < 3; i++) {
		put_le16(sample + 4 * i, goal);
		put_le16(sample + 4 * i + 2, 100);
	}
	push_bytes(test, sample, sizeof(sample));
}

static void wait_for_the_pose(struct kunit *test, int channels)
{
	struct iio_dev *indio_dev = servo_wait_for_pose(test, channels);

	KUNIT_ASSERT_NOT_NULL(test, indio_dev);
	the_pose = iio_priv(indio_dev);
}

static void open_stream_of(struct kunit *test, const char *length)
{
	struct iio_dev *indio_dev = the_pose->indio_dev;

	bitmap_fill(indio_dev->buffer->scan_mask, indio_dev->num_channels);
	KUNIT_ASSERT_GT(test, store("length", length), 0);
	KUNIT_ASSERT_EQ(test, store("enable", "1"), 1);
	hrtimer_cancel(&bus_of(test)->cycle->timer);
	forget_sent();
}

static void open_stream(struct kunit *test)
{
	open_stream_of(test, "8");
}

static void close_stream(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	KUNIT_EXPECT_EQ(test, store("enable", "0"), 1);
	flush_work(&f->line->answer);
}

/* Have the torque given back, and the first exchanges that do it. */
static void recover(struct kunit *test, unsigned int ticks)
{
	KUNIT_EXPECT_EQ(test, store("recover", "1"), 1);
	while (ticks--)
		tick(test);
}

static void end_ramp(struct kunit *test)
{
	the_pose->ramp.began = ktime_sub_ms(ktime_get(), RAMP_MS);
	tick(test);
	tick(test);
	expect_attr(test, "stream_state", "streaming");
}

static void be_ready(struct kunit *test, int channels)
{
	struct fake_servos *f = test->priv;

	deaf = 0;
	begins_meanwhile = false;
	f->line->respond = respond;
	fake_servos_bind(test);
	wait_for_the_pose(test, channels);
	WRITE_ONCE(bus_of(test)->cycle->period_us, PERIOD_US);
	WRITE_ONCE(the_pose->team->watchdog_ms, WATCHDOG_MS);
	fake_fifo = *the_pose->fifo;
	fake_fifo.write = fifo_write;
	the_pose->fifo = &fake_fifo;
}

/* AX-12, MX-28 and AX-12 with the IDs 1, 2 and 7, at 500. */
static struct fake_servos *stream_of_v1(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-servos");
	int i;

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add(f, 2, MODEL_MX28);
	fake_servos_add(f, 7, MODEL_AX12);
	for (i = 0; i < 3; i++) {
		put_le16(f->servo[i]->table + LIMIT, 1000);
		put_le16(f->servo[i]->table + POSITION, 500);
	}
	be_ready(test, 6);

	return f;
}

/* AX-12 with the ID 1 and two XM430-W350 with the IDs 2 and 3. */
static struct fake_servos *stream_of_both(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-mixed");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add_v2(f, 2, MODEL_XM430);
	fake_servos_add_v2(f, 3, MODEL_XM430);
	put_le16(f->servo[0]->table + LIMIT, 1000);
	put_le16(f->servo[1]->table + LIMIT2, 800);
	put_le16(f->servo[2]->table + LIMIT2, 800);
	be_ready(test, 6);

	return f;
}

static u16 reg16(const struct fake_device *dev, u16 addr)
{
	return get_unaligned_le16(dev->table + addr);
}

/* --- poses --- */

static void stream_one_pose_a_tick(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	expect_attr(test, "stream_state", "idle");
	open_stream(test);
	expect_attr(test, "stream_state", "streaming");

	push(test, 300);
	push(test, 400);
	tick(test);
	expect_sent(test, 0, GOAL, 3);
	KUNIT_EXPECT_EQ(test, num_sent, 1);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[2], GOAL), 300);
	tick(test);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[2], GOAL), 400);
	expect_attr(test, "poses", "2");
	close_stream(test);
	expect_attr(test, "stream_state", "idle");
	expect_attr(test, "dropped", "0");
}

/* Who has begun no exchange by a tick takes no pose. */
static void stream_no_pose_without_tick(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	u64 before;

	open_stream(test);
	push(test, 300);
	before = exchanges(test);
	dxl_cycle_kick(f->line->bus);
	wait_for_exchange(test, before);
	KUNIT_EXPECT_EQ(test, num_sent, 0);
	tick(test);
	KUNIT_EXPECT_EQ(test, num_sent, 1);
}

/* The first pose is waited for; then one that is missing counts. */
static void stream_underruns(struct kunit *test)
{
	stream_of_v1(test);
	open_stream(test);
	tick(test);
	expect_attr(test, "underruns", "0");
	push(test, 300);
	tick(test);
	tick(test);
	tick(test);
	expect_attr(test, "underruns", "2");
	KUNIT_EXPECT_EQ(test, num_sent, 1);
}

/* A line that refuses a pose loses it. */
static void stream_refused_pose(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	open_stream(test);
	push(test, 300);
	f->line->refusal = -EIO;
	tick(test);
	f->line->refusal = 0;
	expect_attr(test, "poses", "0");
	expect_attr(test, "dropped", "1");
}

static void stream_end_drops(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	open_stream(test);
	push(test, 300);
	push(test, 400);
	push(test, 450);
	tick(test);
	close_stream(test);
	expect_attr(test, "poses", "1");
	expect_attr(test, "dropped", "2");
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], GOAL), 300);
}

/* A pose would fit alone, but not beside a torque limit that rises. */
static void stream_too_long(struct kunit *test)
{
	stream_of_v1(test);
	WRITE_ONCE(bus_of(test)->cycle->period_us, 350);
	bitmap_fill(the_pose->indio_dev->buffer->scan_mask, 6);
	KUNIT_EXPECT_EQ(test, store("enable", "1"), -ENOSPC);
	expect_attr(test, "stream_state", "idle");
	WRITE_ONCE(bus_of(test)->cycle->period_us, PERIOD_US);
	open_stream(test);
	expect_attr(test, "stream_state", "streaming");
}

/* --- watchdog --- */

static void stream_signs_of_life(struct kunit *test)
{
	stream_of_v1(test);
	open_stream(test);
	be_silent(WATCHDOG_MS - 5000);
	fire_watchdog();
	expect_attr(test, "stream_state", "streaming");

	be_silent(WATCHDOG_MS);
	push(test, 300);
	fire_watchdog();
	expect_attr(test, "stream_state", "streaming");

	be_silent(WATCHDOG_MS);
	KUNIT_EXPECT_EQ(test, store("keep_alive", "0"), -EINVAL);
	KUNIT_EXPECT_EQ(test, store("keep_alive", "1"), 1);
	fire_watchdog();
	expect_attr(test, "stream_state", "streaming");

	/* That poses leave is none: they may be the last of a dead program. */
	be_silent(WATCHDOG_MS);
	tick(test);
	fire_watchdog();
	expect_attr(test, "stream_state", "tripped");
}

static void expect_torque(struct kunit *test, u8 on)
{
	struct fake_servos *f = test->priv;
	unsigned int i;

	for (i = 0; i < f->line->num_devices; i++) {
		struct fake_device *dev = f->servo[i];
		u16 addr = dev->protocol == DXL_PROTOCOL_1 ? TORQUE : TORQUE2;

		KUNIT_EXPECT_EQ_MSG(test, dev->table[addr], on, "servo %u",
				    dev->id);
	}
}

static void stream_trips(struct kunit *test)
{
	stream_of_v1(test);
	open_stream(test);
	push(test, 300);
	push(test, 400);
	push(test, 450);
	tick(test);
	expect_torque(test, 1);
	forget_sent();
	trip(test);
	expect_attr(test, "stream_state", "tripped");
	expect_sent(test, 0, TORQUE, 3);
	KUNIT_EXPECT_EQ(test, num_sent, 1);
	expect_torque(test, 0);
	expect_attr(test, "poses", "1");
	expect_attr(test, "dropped", "2");
}

/* Nobody acknowledges it. */
static void stream_repeats_torque_off(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	u64 before;

	open_stream(test);
	trip(test);
	f->servo[1]->table[TORQUE] = 1;
	before = exchanges(test);
	fire_watchdog();
	wait_for_exchange(test, before);
	KUNIT_EXPECT_EQ(test, num_sent, 2);
	expect_torque(test, 0);
	KUNIT_EXPECT_LE(test,
			ktime_us_delta(dxl_timer_when(&the_pose->timer),
				       ktime_get()),
			PERIOD_US + PERIOD_US / 2);

	f->servo[1]->table[TORQUE] = 1;
	tick(test);
	KUNIT_EXPECT_EQ(test, num_sent, 3);
	expect_torque(test, 0);
}

/* A goal would switch the torque on. */
static void stream_drops_while_tripped(struct kunit *test)
{
	stream_of_v1(test);
	open_stream(test);
	trip(test);
	push(test, 300);
	tick(test);
	push(test, 300);
	tick(test);
	expect_sent(test, 1, TORQUE, 3);
	expect_sent(test, 2, TORQUE, 3);
	KUNIT_EXPECT_EQ(test, num_sent, 3);
	expect_torque(test, 0);
	expect_attr(test, "dropped", "2");
	expect_attr(test, "underruns", "0");
	close_stream(test);
	expect_torque(test, 0);
}

/* As many as user space likes may wait, but not all are dropped under a lock. */
static void stream_drops_some_at_a_time(struct kunit *test)
{
	unsigned int i;

	stream_of_v1(test);
	open_stream_of(test, "200");
	trip(test);
	for (i = 0; i < 100; i++)
		push(test, 300);
	tick(test);
	expect_attr(test, "dropped", "64");
	tick(test);
	expect_attr(test, "dropped", "100");
	for (i = 0; i < 150; i++)
		push(test, 300);
	close_stream(test);
	expect_attr(test, "dropped", "250");
	expect_torque(test, 0);
}

struct goal_writer {
	struct work_struct work;
	struct iio_channel goal;
	int ret;
};

static void write_goal(struct work_struct *work)
{
	struct goal_writer *w = container_of(work, struct goal_writer, work);

	w->ret = chan_write(w->goal, 700);
}

struct release_writer {
	struct work_struct work;
	struct device *iio;
	ssize_t ret;
};

static void write_release(struct work_struct *work)
{
	struct release_writer *w = container_of(work, struct release_writer,
						work);

	/* As user space does: consumers in the kernel wait for each other. */
	w->ret = dev_attr_store(w->iio, "out_angl0_en", "0");
}

/*
 * Until a goal's turn comes a stream may have begun, tripped and ended, and it would
 * switch the torque on that has been taken.
 */
static void stream_stops_late_goal(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	struct goal_writer *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	struct fake_request *other = fake_line_read(f->line, NOBODY, 36, 2);

	KUNIT_ASSERT_NOT_NULL(test, w);
	f->servo[0]->table[TORQUE] = 0;
	w->goal = servo_channel(test, 1, IIO_ANGL, OUT);
	INIT_WORK(&w->work, write_goal);

	/* Nobody answers this: the line is taken until it is given up. */
	KUNIT_ASSERT_EQ(test, fake_request_submit(other), 0);
	queue_work(system_dfl_wq, &w->work);
	KUNIT_EXPECT_TRUE(test, fake_line_wait_pending(f->line,
						       DXL_PRIO_REQUEST));
	spin_lock_bh(&the_pose->team->stream_lock);
	the_pose->servos[0]->limp = true;
	spin_unlock_bh(&the_pose->team->stream_lock);
	fake_line_expire(f->line);
	flush_work(&w->work);
	KUNIT_EXPECT_EQ(test, w->ret, -EBUSY);
	flush_work(&f->line->answer);
	KUNIT_EXPECT_NE(test, reg16(f->servo[0], GOAL), 700);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
}

/* Nor may a goal come behind the torque-off that has overtaken it. */
static void stream_stops_overtaken_goal(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	struct goal_writer *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	struct fake_request *other = fake_line_read(f->line, NOBODY, 36, 2);
	struct release_writer *off = kunit_kzalloc(test, sizeof(*off), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, w);
	KUNIT_ASSERT_NOT_NULL(test, off);
	w->goal = servo_channel(test, 1, IIO_ANGL, OUT);
	off->iio = servo_iio(test, 1);
	INIT_WORK(&w->work, write_goal);
	INIT_WORK(&off->work, write_release);

	KUNIT_ASSERT_EQ(test, fake_request_submit(other), 0);
	queue_work(system_dfl_wq, &w->work);
	KUNIT_EXPECT_TRUE(test, fake_line_wait_pending(f->line,
						       DXL_PRIO_REQUEST));
	queue_work(system_dfl_wq, &off->work);
	KUNIT_EXPECT_TRUE(test, fake_line_wait_pending(f->line,
						       DXL_PRIO_RELEASE));
	fake_line_expire(f->line);
	flush_work(&off->work);
	flush_work(&w->work);
	KUNIT_EXPECT_EQ(test, off->ret, 1);
	KUNIT_EXPECT_EQ(test, w->ret, -EBUSY);
	KUNIT_EXPECT_NE(test, reg16(f->servo[0], GOAL), 700);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	/* A later one is another matter. */
	KUNIT_EXPECT_EQ(test, chan_write(w->goal, 700), 0);
}

static void stream_trips_both(struct kunit *test)
{
	stream_of_both(test);
	open_stream(test);
	trip(test);
	expect_sent(test, 0, TORQUE, 1);
	expect_sent(test, 1, TORQUE2, 2);
	expect_torque(test, 0);
}

/* One that takes no poses loses its torque too, and does not get it back. */
static void stream_trips_wheel(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-mixed");
	struct iio_channel speed;

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add_v2(f, 2, MODEL_XM430);
	fake_servos_add_v2(f, 3, MODEL_XM430);
	f->servo[2]->table[11] = 1;
	be_ready(test, 4);
	open_stream(test);
	speed = servo_channel(test, 3, IIO_ANGL_VEL, OUT);
	KUNIT_EXPECT_EQ(test, chan_write(speed, 7), 0);
	trip(test);
	expect_sent(test, 1, TORQUE2, 2);
	expect_torque(test, 0);
	recover(test, 3);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE2], 1);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE2], 0);
}

/* What is queued must not undo what a machine that goes down has done. */
static void stream_trips_at_shutdown(struct kunit *test)
{
	struct dxl_device *ddev;

	stream_of_v1(test);
	open_stream(test);
	push(test, 300);
	ddev = servo_device(test, 1);
	dxl_bus_type.shutdown(&ddev->dev);
	expect_attr(test, "stream_state", "tripped");
	tick(test);
	expect_torque(test, 0);
}

/* --- recovery --- */

static void stream_recovers(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	s64 ms;
	int i;

	open_stream(test);
	KUNIT_EXPECT_EQ(test, store("recover", "1"), -EINVAL);
	push(test, 300);
	tick(test);
	trip(test);
	put_le16(f->servo[0]->table + POSITION, 123);
	forget_sent();
	KUNIT_EXPECT_EQ(test, store("recover", "0"), -EINVAL);
	KUNIT_EXPECT_EQ(test, store("recover", "1"), 1);
	fire_watchdog();
	expect_attr(test, "stream_state", "recovering");

	push(test, 400);
	for (i = 0; i < 2; i++) {
		tick(test);
		KUNIT_EXPECT_EQ(test, reg16(f->servo[0], LIMIT), 0);
		/* Only here, as these switch their torque on at a goal. */
		if (!i)
			expect_torque(test, 0);
		tick(test);
		KUNIT_EXPECT_EQ(test, reg16(f->servo[0], GOAL), 123);
		KUNIT_EXPECT_EQ(test, reg16(f->servo[1], GOAL), 500);
		tick(test);
		expect_torque(test, 1);
		expect_sent(test, 3 * i, LIMIT, 3);
		expect_sent(test, 3 * i + 1, GOAL, 3);
		expect_sent(test, 3 * i + 2, TORQUE, 3);
	}
	KUNIT_EXPECT_EQ(test, num_sent, 6);

	/* No pose has waited for that. */
	expect_attr(test, "dropped", "1");
	push(test, 400);
	the_pose->ramp.began = ktime_sub_ms(ktime_get(), RAMP_MS / 2);
	tick(test);
	ms = ktime_ms_delta(ktime_get(), the_pose->ramp.began);
	expect_sent(test, 6, GOAL, 3);
	expect_sent(test, 7, LIMIT, 3);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], GOAL), 400);
	KUNIT_EXPECT_GE(test, reg16(f->servo[0], LIMIT), 500);
	KUNIT_EXPECT_LE(test, reg16(f->servo[0], LIMIT), 1000 * ms / RAMP_MS);
	expect_attr(test, "stream_state", "recovering");

	end_ramp(test);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], LIMIT), 1000);
	forget_sent();
	tick(test);
	KUNIT_EXPECT_EQ(test, num_sent, 0);
	expect_attr(test, "poses", "2");
}

static void stream_recovers_both(struct kunit *test)
{
	struct fake_servos *f = stream_of_both(test);

	put_unaligned_le32(-7, f->servo[1]->table + POSITION2);
	put_unaligned_le32(3000, f->servo[2]->table + POSITION2);
	open_stream(test);
	trip(test);
	recover(test, 6);
	expect_torque(test, 1);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[1], LIMIT2), 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[1]->table + GOAL2),
			0);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(f->servo[2]->table + GOAL2),
			3000);
	the_pose->ramp.began = ktime_sub_ms(ktime_get(), RAMP_MS);
	tick(test);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[1], LIMIT2), 800);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], LIMIT), 1000);
}

/* The application has to live while its torque comes back. */
static void stream_trips_in_recovery(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	open_stream(test);
	trip(test);
	recover(test, 7);
	trip(test);
	expect_attr(test, "stream_state", "tripped");
	expect_torque(test, 0);
	put_le16(f->servo[0]->table + LIMIT, 70);

	/* The torque limit that it finds now is not what it was. */
	recover(test, 6);
	end_ramp(test);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], LIMIT), 1000);
}

/* Half a ramp leaves neither torque nor a low torque limit. */
static void stream_ends_in_recovery(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	int i;

	open_stream(test);
	trip(test);
	recover(test, 7);
	expect_torque(test, 1);
	close_stream(test);
	expect_attr(test, "stream_state", "idle");
	expect_torque(test, 0);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, reg16(f->servo[i], LIMIT), 1000);
}

/* That the torque is off has to be sure before the torque limit is what it was. */
static void stream_ends_unheard(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	open_stream(test);
	trip(test);
	recover(test, 7);
	expect_torque(test, 1);
	deaf = 1;
	f->servo[2]->silent = true;
	close_stream(test);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], LIMIT), 1000);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE], 1);
	KUNIT_EXPECT_LT(test, reg16(f->servo[2], LIMIT), 1000);
}

/* Nor by a device of another pose is a torque limit taken for what it was. */
static void stream_remembers_limit(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	open_stream(test);
	trip(test);
	recover(test, 7);
	f->servo[0]->silent = true;
	device_release_driver(&servo_device(test, 7)->dev);
	f->servo[0]->silent = false;
	wait_for_the_pose(test, 4);
	put_le16(f->servo[0]->table + LIMIT, 70);

	open_stream(test);
	recover(test, 6);
	end_ramp(test);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], LIMIT), 1000);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[1], LIMIT), 1000);
}

/* Where a joint is that nobody has said must not be guessed. */
static void stream_recovers_without_silent(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	int i;

	open_stream(test);
	trip(test);
	f->servo[1]->silent = true;
	KUNIT_EXPECT_EQ(test, store("recover", "1"), 1);
	f->servo[1]->silent = false;
	push(test, 400);
	forget_sent();
	for (i = 0; i < 6; i++)
		tick(test);
	push(test, 400);
	tick(test);
	for (i = 0; i < 8; i++)
		KUNIT_EXPECT_EQ(test, sent[i].devices, 2);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], GOAL), 400);
}

static void stream_recovers_nobody(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	int i;

	open_stream(test);
	trip(test);
	for (i = 0; i < 3; i++)
		f->servo[i]->silent = true;
	KUNIT_EXPECT_EQ(test, store("recover", "1"), -EIO);
	expect_attr(test, "stream_state", "tripped");
}

/* An end and a new beginning are not what gives torque back. */
static void stream_begins_tripped(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	int i;

	open_stream(test);
	trip(test);
	close_stream(test);
	expect_attr(test, "stream_state", "idle");
	open_stream(test);
	expect_attr(test, "stream_state", "tripped");
	push(test, 300);
	tick(test);
	expect_torque(test, 0);
	close_stream(test);

	/* Somebody who does it by hand is. */
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test,
				chan_write_enable(servo_channel(test,
								f->servo[i]->id,
								IIO_ANGL, OUT),
						  1), 0);
	open_stream(test);
	expect_attr(test, "stream_state", "streaming");
	expect_torque(test, 1);
}

/* Nobody watches over a stream that has been taken away. */
static void stream_ends_by_force(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	open_stream(test);
	push(test, 300);
	tick(test);
	expect_torque(test, 1);
	deaf = 2;
	device_release_driver(&servo_device(test, 7)->dev);
	flush_work(&f->line->answer);
	expect_torque(test, 0);
	wait_for_the_pose(test, 4);
	expect_attr(test, "stream_state", "idle");
	open_stream(test);
	expect_attr(test, "stream_state", "tripped");
}

/* A goal of its own would switch the torque of a servo on, too. */
static void stream_leaves_no_goals(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	struct iio_channel goal, speed;

	goal = servo_channel(test, 1, IIO_ANGL, OUT);
	speed = servo_channel(test, 1, IIO_ANGL_VEL, OUT);
	open_stream(test);
	push(test, 300);
	tick(test);
	trip(test);
	close_stream(test);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write(speed, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], GOAL), 300);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), 0);
	/* Nor does it leap. */
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], GOAL), 500);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), 0);
	KUNIT_EXPECT_EQ(test, chan_write(speed, 5), 0);
}

/* --- servos that are lost --- */

/* Nobody hears from it until it is asked in vain often enough. */
static struct dxl_device *lose(struct kunit *test, unsigned int n)
{
	struct fake_servos *f = test->priv;
	struct dxl_device *ddev = servo_device(test, f->servo[n]->id);
	u8 buf[2];
	int i;

	f->servo[n]->silent = true;
	for (i = 0; i < 8; i++)
		KUNIT_EXPECT_LT(test, dxl_read(ddev, POSITION, buf, 2), 0);
	KUNIT_ASSERT_EQ(test, READ_ONCE(ddev->state), DXL_LOST);

	return ddev;
}

static bool is_back(struct dxl_device *ddev)
{
	struct dxl_queue *q = ddev->bus->queue;
	bool back;

	spin_lock_bh(&q->lock);
	back = ddev->state == DXL_ACTIVE;
	spin_unlock_bh(&q->lock);

	return back;
}

/* It is asked whether it is back, and its driver has dealt with that. */
static void come_back(struct kunit *test, unsigned int n)
{
	struct fake_servos *f = test->priv;
	struct dxl_device *ddev = servo_device(test, f->servo[n]->id);
	unsigned int ms;

	f->servo[n]->silent = false;
	mod_delayed_work(system_percpu_wq, &bus_of(test)->ladder->work, 0);
	for (ms = 0; ms < FAKE_PATIENCE_MS && !is_back(ddev); ms++)
		usleep_range(1000, 2000);
	KUNIT_ASSERT_TRUE(test, is_back(ddev));
	flush_work(&ddev->state_changed);
}

/* What a power-on leaves of a servo's RAM. */
static void power_cycle(struct fake_device *dev)
{
	bool v1 = dev->protocol == DXL_PROTOCOL_1;

	dev->table[v1 ? TORQUE : TORQUE2] = 0;
	put_le16(dev->table + (v1 ? LIMIT : LIMIT2), v1 ? 1000 : 800);
	if (!v1)
		dev->table[WATCHDOG2] = 0;
}

/* All of its torque would be back with the next pose. */
static void stream_leaves_out_lost(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	int i;

	open_stream(test);
	push(test, 300);
	tick(test);
	lose(test, 0);
	power_cycle(f->servo[0]);
	f->servo[0]->silent = false;
	forget_sent();
	push(test, 310);
	tick(test);
	expect_sent(test, 0, GOAL, 2);

	come_back(test, 0);
	push(test, 320);
	tick(test);
	expect_sent(test, 1, GOAL, 2);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[1], GOAL), 320);
	expect_attr(test, "stream_state", "streaming");

	/* It is given back as that of a stream that has tripped, to nobody else. */
	KUNIT_EXPECT_EQ(test, store("recover", "1"), 1);
	expect_attr(test, "stream_state", "recovering");
	forget_sent();
	for (i = 0; i < 6; i++)
		tick(test);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ(test, sent[i].devices, 1);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], GOAL), 500);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], LIMIT), 0);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[1], LIMIT), 1000);
	expect_torque(test, 1);
	end_ramp(test);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], LIMIT), 1000);
	forget_sent();
	push(test, 330);
	tick(test);
	expect_sent(test, 0, GOAL, 3);
	KUNIT_EXPECT_EQ(test, store("recover", "1"), -EINVAL);
}

/* Who has kept its torque has been without a bus only. */
static void stream_goes_on_with_returned(struct kunit *test)
{
	stream_of_v1(test);
	open_stream(test);
	lose(test, 0);
	come_back(test, 0);
	push(test, 300);
	tick(test);
	expect_sent(test, 0, GOAL, 3);
	KUNIT_EXPECT_EQ(test, store("recover", "1"), -EINVAL);
}

static void doubt(struct dxl_device *ddev)
{
	WRITE_ONCE(ddev->doubts, ddev->doubts + 1);
}

static void tell_of_doubt(struct dxl_device *ddev)
{
	to_dxl_driver(ddev->dev.driver)->doubted(ddev);
}

/* It answers again, but nobody has asked yet whether it has torque. */
static void stream_waits_for_answer(struct kunit *test)
{
	struct dxl_device *ddev;

	stream_of_v1(test);
	ddev = servo_device(test, 1);
	open_stream(test);
	doubt(ddev);
	push(test, 300);
	tick(test);
	expect_sent(test, 0, GOAL, 2);
	tell_of_doubt(ddev);
	push(test, 300);
	tick(test);
	expect_sent(test, 1, GOAL, 3);
}

/* A line that is full for a moment is no fault of the servo, which stays active. */
static void stream_asks_again(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);
	struct dxl_servo *servo = dxl_get_drvdata(ddev);

	open_stream(test);
	push(test, 300);
	tick(test);
	doubt(ddev);
	f->line->refusal = -EIO;
	tell_of_doubt(ddev);
	f->line->refusal = 0;
	flush_delayed_work(&servo->ask);
	KUNIT_EXPECT_EQ(test, READ_ONCE(ddev->state), DXL_ACTIVE);
	push(test, 310);
	tick(test);
	expect_sent(test, 1, GOAL, 3);
}

/* Before its first goal it has no torque that it could have lost. */
static void stream_begins_in_doubt(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);

	f->servo[0]->table[TORQUE] = 0;
	open_stream(test);
	doubt(ddev);
	tell_of_doubt(ddev);
	push(test, 300);
	tick(test);
	expect_sent(test, 0, GOAL, 3);
}

/* Nobody has asked, and nobody else is going to, before a goal of its own. */
static void stream_ends_in_doubt(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	int i;

	open_stream(test);
	push(test, 300);
	tick(test);
	for (i = 0; i < 2; i++) {
		power_cycle(f->servo[i]);
		doubt(servo_device(test, f->servo[i]->id));
	}
	close_stream(test);
	KUNIT_EXPECT_EQ(test, chan_write(servo_channel(test, 1, IIO_ANGL, OUT),
					 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], GOAL), 300);

	/* That it does not leap needs to be known, too. */
	KUNIT_EXPECT_EQ(test,
			chan_write_enable(servo_channel(test, 2, IIO_ANGL, OUT),
					  1), 0);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[1], GOAL), 500);
	KUNIT_EXPECT_EQ(test, chan_write(servo_channel(test, 7, IIO_ANGL, OUT),
					 5), 0);
}

/* What has been told to let go before it was known is asked how it answers. */
static void stream_sets_up_after_shutdown(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-servos");
	struct dxl_device *ddev;

	fake_servos_add(f, 1, MODEL_AX12)->silent = true;
	fake_servos_add(f, 2, MODEL_MX28);
	fake_servos_add(f, 7, MODEL_AX12);
	be_ready(test, 6);
	ddev = servo_device(test, 1);
	dxl_bus_type.shutdown(&ddev->dev);
	f->servo[0]->silent = false;
	KUNIT_EXPECT_EQ(test, chan_read(servo_channel(test, 1, IIO_ANGL, IN)),
			0);
}

/* One answer can be missing by accident; two are time for a servo to start in. */
static void stream_leaves_out_doubted(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);
	u8 buf[2];

	WRITE_ONCE(bus_of(test)->queue->retries, 0);
	open_stream(test);
	f->servo[0]->silent = true;
	KUNIT_EXPECT_LT(test, dxl_read(ddev, POSITION, buf, 2), 0);
	push(test, 300);
	tick(test);
	expect_sent(test, 0, GOAL, 3);

	power_cycle(f->servo[0]);
	/* Its driver finds it silent, too. */
	KUNIT_EXPECT_LT(test, dxl_read(ddev, POSITION, buf, 2), 0);
	flush_work(&ddev->state_changed);
	f->servo[0]->silent = false;
	push(test, 310);
	tick(test);
	expect_sent(test, 1, GOAL, 2);
	KUNIT_EXPECT_EQ(test, READ_ONCE(ddev->state), DXL_WARNING);

	/* By the time at which it is as it should be it has been asked again. */
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, POSITION, buf, 2), 0);
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, POSITION, buf, 2), 0);
	flush_work(&ddev->state_changed);
	KUNIT_EXPECT_EQ(test, READ_ONCE(ddev->state), DXL_ACTIVE);
	push(test, 320);
	tick(test);
	expect_sent(test, 2, GOAL, 2);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, store("recover", "1"), 1);
}

/* It may be anything, until it has been asked. */
static void stream_leaves_out_unknown(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-servos");
	struct dxl_device *ddev;
	u8 buf[2];

	fake_servos_add(f, 1, MODEL_AX12)->silent = true;
	fake_servos_add(f, 2, MODEL_MX28);
	fake_servos_add(f, 7, MODEL_AX12);
	be_ready(test, 6);
	f->servo[0]->silent = false;
	ddev = servo_device(test, 1);
	open_stream(test);
	push(test, 300);
	tick(test);
	expect_sent(test, 0, GOAL, 2);

	while (READ_ONCE(ddev->state) != DXL_ACTIVE)
		KUNIT_ASSERT_EQ(test, dxl_read(ddev, POSITION, buf, 2), 0);
	flush_work(&ddev->state_changed);
	push(test, 300);
	tick(test);
	expect_sent(test, 1, GOAL, 3);
}

static void stream_recovers_no_lost(struct kunit *test)
{
	stream_of_v1(test);
	open_stream(test);
	lose(test, 0);
	KUNIT_EXPECT_EQ(test, store("recover", "1"), -EINVAL);
	expect_attr(test, "stream_state", "streaming");
	push(test, 300);
	tick(test);
	expect_sent(test, 0, GOAL, 2);
}

/* At the end of a ramp. */
static void expect_lets_one_go(struct kunit *test)
{
	int i;

	forget_sent();
	end_ramp(test);
	for (i = 0; i < 2; i++) {
		expect_sent(test, 2 * i, LIMIT, 2);
		expect_sent(test, 2 * i + 1, TORQUE, 1);
	}
	KUNIT_EXPECT_EQ(test, num_sent, 4);
}

/* What it has got of its torque limit may be gone, and the rest would be too much. */
static void stream_loses_in_recovery(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	open_stream(test);
	trip(test);
	recover(test, 4);
	lose(test, 0);
	power_cycle(f->servo[0]);
	f->servo[0]->silent = false;
	forget_sent();
	push(test, 300);
	tick(test);
	tick(test);
	expect_sent(test, 0, GOAL, 2);
	expect_sent(test, 1, TORQUE, 2);
	expect_lets_one_go(test);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	come_back(test, 0);
	KUNIT_EXPECT_EQ(test, store("recover", "1"), 1);
}

/* Nobody would take the torque that it has kept, nor say how much of it. */
static void stream_lets_lost_go(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	open_stream(test);
	trip(test);
	recover(test, 6);
	lose(test, 0);
	f->servo[0]->silent = false;
	expect_torque(test, 1);
	expect_lets_one_go(test);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE], 1);
}

/* A doubt at the very end is not one for ever. */
static void stream_recovers_in_doubt(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	struct dxl_device *ddev = servo_device(test, 1);
	int i;

	open_stream(test);
	trip(test);
	recover(test, 6);
	the_pose->ramp.began = ktime_sub_ms(ktime_get(), RAMP_MS);
	tick(test);
	doubt(ddev);
	for (i = 0; i < 3; i++)
		tick(test);
	expect_attr(test, "stream_state", "recovering");
	tell_of_doubt(ddev);
	end_ramp(test);
	expect_torque(test, 1);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], LIMIT), 1000);
	forget_sent();
	push(test, 300);
	tick(test);
	expect_sent(test, 0, GOAL, 3);
}

/* The others have not been let go, so they do not fall. */
static void stream_ends_in_recovery_of_one(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	open_stream(test);
	push(test, 300);
	tick(test);
	lose(test, 0);
	power_cycle(f->servo[0]);
	come_back(test, 0);
	recover(test, 7);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 1);
	close_stream(test);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, reg16(f->servo[0], LIMIT), 1000);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[TORQUE], 1);
}

/* Nobody has asked before the stream's end, and the next one must not guess. */
static void stream_ends_with_lost(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);
	struct iio_channel goal;

	goal = servo_channel(test, 1, IIO_ANGL, OUT);
	open_stream(test);
	push(test, 300);
	tick(test);
	lose(test, 0);
	power_cycle(f->servo[0]);
	close_stream(test);
	come_back(test, 0);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, f->servo[0]->table[TORQUE], 0);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[TORQUE], 1);
	open_stream(test);
	expect_attr(test, "stream_state", "tripped");
}

/* What nobody streams to keeps no memory of it. */
static void stream_begins_after_return(struct kunit *test)
{
	stream_of_v1(test);
	lose(test, 0);
	come_back(test, 0);
	open_stream(test);
	expect_attr(test, "stream_state", "streaming");
	push(test, 300);
	tick(test);
	expect_sent(test, 0, GOAL, 3);
}

static void push_both(struct kunit *test)
{
	u8 sample[20] = {};

	push_bytes(test, sample, sizeof(sample));
}

/* A servo may be set to switch its torque on when it starts, but not to this. */
static void stream_sets_returned_bus_watchdog(struct kunit *test)
{
	struct fake_servos *f = stream_of_both(test);

	open_stream(test);
	lose(test, 1);
	power_cycle(f->servo[1]);
	f->servo[1]->table[TORQUE2] = 1;
	come_back(test, 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
	push_both(test);
	tick(test);
	expect_sent(test, 1, SPEED2, 2);
	close_stream(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 0);
}

/* What is written last need not be what was meant last. */
static void stream_begins_on_return(struct kunit *test)
{
	struct fake_servos *f = stream_of_both(test);

	open_stream(test);
	lose(test, 1);
	close_stream(test);
	begins_meanwhile = true;
	come_back(test, 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
}

/* A servo that has stopped by itself goes on when it is told to, as the others. */
static void stream_leaves_stopped(struct kunit *test)
{
	struct fake_servos *f = stream_of_both(test);
	int i;

	open_stream(test);
	lose(test, 1);
	f->servo[1]->table[WATCHDOG2] = 0xff;
	come_back(test, 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 0xff);
	push_both(test);
	tick(test);
	expect_sent(test, 1, SPEED2, 1);
	KUNIT_EXPECT_EQ(test, store("recover", "1"), 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
	for (i = 0; i < 6; i++)
		tick(test);
	end_ramp(test);
	forget_sent();
	push_both(test);
	tick(test);
	expect_sent(test, 1, SPEED2, 2);
}

/* One that has no torque needs no watchdog before it has. */
static void stream_leaves_out_lost_v2(struct kunit *test)
{
	struct fake_servos *f = stream_of_both(test);

	open_stream(test);
	lose(test, 2);
	power_cycle(f->servo[2]);
	come_back(test, 2);
	push_both(test);
	tick(test);
	expect_sent(test, 1, SPEED2, 1);
	KUNIT_EXPECT_EQ(test, store("recover", "1"), 1);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[WATCHDOG2], 127);
}

/* --- others --- */

static void stream_excludes_others(struct kunit *test)
{
	struct iio_channel goal, speed;

	stream_of_v1(test);
	goal = servo_channel(test, 1, IIO_ANGL, OUT);
	speed = servo_channel(test, 1, IIO_ANGL_VEL, OUT);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), 0);
	open_stream(test);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write(speed, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), 0);
	KUNIT_EXPECT_EQ(test, store("watchdog_ms", "600"), -EBUSY);
	trip(test);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 0), 0);
	recover(test, 6);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), -EBUSY);
	close_stream(test);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 1), 0);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), 0);
}

static void stream_keeps_maintenance_out(struct kunit *test)
{
	stream_of_v1(test);
	open_stream(test);
	KUNIT_EXPECT_EQ(test, dxl_bus_reserve(bus_of(test)), -EBUSY);
	close_stream(test);
	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(bus_of(test)), 0);
	bitmap_fill(the_pose->indio_dev->buffer->scan_mask, 6);
	KUNIT_EXPECT_EQ(test, store("enable", "1"), -EBUSY);
	dxl_bus_release(bus_of(test));
	expect_attr(test, "stream_state", "idle");
}

/* It outlives a device that is made anew, as by another mode. */
static void stream_watchdog_ms(struct kunit *test)
{
	struct fake_servos *f = stream_of_v1(test);

	KUNIT_EXPECT_EQ(test, store("watchdog_ms", "19"), -ERANGE);
	KUNIT_EXPECT_EQ(test, store("watchdog_ms", "10001"), -ERANGE);
	KUNIT_EXPECT_EQ(test, store("watchdog_ms", "soon"), -EINVAL);
	KUNIT_EXPECT_EQ(test, store("watchdog_ms", "20"), 2);

	f->servo[0]->table[TORQUE] = 0;
	KUNIT_ASSERT_EQ(test, dev_attr_store(servo_iio(test, 1),
					     "operating_mode", "pwm"), 3);
	wait_for_the_pose(test, 4);
	expect_attr(test, "watchdog_ms", "20");
}

static void stream_described_watchdog(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-servos");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_bind(test);
	wait_for_the_pose(test, 6);
	expect_attr(test, "watchdog_ms", "700");
}

/* Twice as long as ours, and never so long that there is no word for it. */
static void stream_sets_bus_watchdog(struct kunit *test)
{
	struct fake_servos *f = stream_of_both(test);

	open_stream(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
	close_stream(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 0);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[WATCHDOG2], 0);
	KUNIT_ASSERT_EQ(test, store("watchdog_ms", "505"), 3);
	open_stream(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 51);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[WATCHDOG2], 51);
}

/* A firmware without it has something else there, or nothing. */
static void stream_leaves_old_firmware(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-mixed");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add_v2(f, 2, MODEL_XM430)->table[6] = 37;
	fake_servos_add_v2(f, 3, MODEL_XM430)->table[6] = 38;
	be_ready(test, 6);
	open_stream(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 0);
	KUNIT_EXPECT_EQ(test, f->servo[2]->table[WATCHDOG2], 127);
}

/* Somebody who only keeps the stream alive must not seem to be gone after 2.54 s. */
static void stream_talks_to_bus_watchdog(struct kunit *test)
{
	stream_of_both(test);
	open_stream(test);
	tick(test);
	KUNIT_EXPECT_EQ(test, num_sent, 0);
	the_pose->spoken = ktime_sub_ms(ktime_get(), 1300);
	tick(test);
	expect_sent(test, 0, WATCHDOG2, 2);
	KUNIT_EXPECT_EQ(test, num_sent, 1);
	tick(test);
	KUNIT_EXPECT_EQ(test, num_sent, 1);
}

/* A servo that has stopped by itself takes a goal only after a 0. */
static void stream_recovers_stopped(struct kunit *test)
{
	struct fake_servos *f = stream_of_both(test);

	open_stream(test);
	trip(test);
	f->servo[1]->table[WATCHDOG2] = 0xff;
	KUNIT_EXPECT_EQ(test, store("recover", "1"), 1);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
}

static void stream_begins_stopped(struct kunit *test)
{
	struct fake_servos *f = stream_of_both(test);

	f->servo[1]->table[WATCHDOG2] = 0xff;
	open_stream(test);
	KUNIT_EXPECT_EQ(test, f->servo[1]->table[WATCHDOG2], 127);
}

static struct kunit_case stream_cases[] = {
	KUNIT_CASE(stream_one_pose_a_tick),
	KUNIT_CASE(stream_no_pose_without_tick),
	KUNIT_CASE(stream_underruns),
	KUNIT_CASE(stream_refused_pose),
	KUNIT_CASE(stream_end_drops),
	KUNIT_CASE(stream_too_long),
	KUNIT_CASE(stream_signs_of_life),
	KUNIT_CASE(stream_trips),
	KUNIT_CASE(stream_repeats_torque_off),
	KUNIT_CASE(stream_drops_while_tripped),
	KUNIT_CASE(stream_drops_some_at_a_time),
	KUNIT_CASE(stream_stops_late_goal),
	KUNIT_CASE(stream_stops_overtaken_goal),
	KUNIT_CASE(stream_trips_both),
	KUNIT_CASE(stream_trips_wheel),
	KUNIT_CASE(stream_trips_at_shutdown),
	KUNIT_CASE(stream_recovers),
	KUNIT_CASE(stream_recovers_both),
	KUNIT_CASE(stream_trips_in_recovery),
	KUNIT_CASE(stream_ends_in_recovery),
	KUNIT_CASE(stream_ends_unheard),
	KUNIT_CASE(stream_remembers_limit),
	KUNIT_CASE(stream_recovers_without_silent),
	KUNIT_CASE(stream_recovers_nobody),
	KUNIT_CASE(stream_begins_tripped),
	KUNIT_CASE(stream_ends_by_force),
	KUNIT_CASE(stream_leaves_no_goals),
	KUNIT_CASE(stream_leaves_out_lost),
	KUNIT_CASE(stream_goes_on_with_returned),
	KUNIT_CASE(stream_waits_for_answer),
	KUNIT_CASE(stream_asks_again),
	KUNIT_CASE(stream_begins_in_doubt),
	KUNIT_CASE(stream_ends_in_doubt),
	KUNIT_CASE(stream_sets_up_after_shutdown),
	KUNIT_CASE(stream_leaves_out_doubted),
	KUNIT_CASE(stream_leaves_out_unknown),
	KUNIT_CASE(stream_recovers_no_lost),
	KUNIT_CASE(stream_loses_in_recovery),
	KUNIT_CASE(stream_lets_lost_go),
	KUNIT_CASE(stream_recovers_in_doubt),
	KUNIT_CASE(stream_ends_in_recovery_of_one),
	KUNIT_CASE(stream_ends_with_lost),
	KUNIT_CASE(stream_begins_after_return),
	KUNIT_CASE(stream_sets_returned_bus_watchdog),
	KUNIT_CASE(stream_begins_on_return),
	KUNIT_CASE(stream_leaves_stopped),
	KUNIT_CASE(stream_leaves_out_lost_v2),
	KUNIT_CASE(stream_excludes_others),
	KUNIT_CASE(stream_keeps_maintenance_out),
	KUNIT_CASE(stream_watchdog_ms),
	KUNIT_CASE(stream_described_watchdog),
	KUNIT_CASE(stream_sets_bus_watchdog),
	KUNIT_CASE(stream_leaves_old_firmware),
	KUNIT_CASE(stream_talks_to_bus_watchdog),
	KUNIT_CASE(stream_recovers_stopped),
	KUNIT_CASE(stream_begins_stopped),
	{}
};

static struct kunit_suite stream_suite = {
	.name = "dxl_stream",
	.test_cases = stream_cases,
};

kunit_test_suite(stream_suite);
