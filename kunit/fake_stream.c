// SPDX-License-Identifier: GPL-2.0
/*
 * A stream of poses to servos that are not there
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
#include "fake_stream.h"

#define MODEL_AX12	12
#define MODEL_MX28	29
#define MODEL_XM430	1020

struct sent_write fs_sent[SENT_MAX];
unsigned int fs_num_sent;
u8 fs_deaf;
bool fs_begins_meanwhile;
struct pose *fs_pose;

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
	if (!dev || dev->silent || dev->id == fs_deaf)
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

	if (fs_num_sent < SENT_MAX)
		fs_sent[fs_num_sent++] = (struct sent_write){ addr, devices };
}

/* Each device with registers of its own; what is noted is the first's. */
static void hear_each(struct fake_line *line, const struct dxl_packet *request)
{
	const u8 *p = request->params, *end = p + request->len;
	u16 len, addr = get_unaligned_le16(p + 1);
	unsigned int devices = 0;

	for (; p < end; p += 5 + len, devices++) {
		len = get_unaligned_le16(p + 3);
		hear(servo_of(line, *p), get_unaligned_le16(p + 1), p + 5, len);
	}

	if (fs_num_sent < SENT_MAX)
		fs_sent[fs_num_sent++] = (struct sent_write){ addr, devices };
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

static void respond(struct fake_line *line, const struct dxl_packet *request)
{
	if (request->id == NOBODY)
		return;
	if (fs_begins_meanwhile && tells_not_to_watch(request))
		WRITE_ONCE(fs_pose->team->watched, true);

	if (request->instruction == DXL_SYNC_WRITE)
		hear_all(line, request);
	else if (request->instruction == DXL_BULK_WRITE)
		hear_each(line, request);
	else if (is_refused(line, request))
		fake_line_status(line, request->protocol, request->id, 4, NULL,
				 0);
	else
		fake_line_respond(line, request);
}

void fs_forget_sent(void)
{
	fs_num_sent = 0;
}

void fs_expect_sent(struct kunit *test, unsigned int n, u16 addr,
		    unsigned int devices)
{
	KUNIT_ASSERT_GT(test, fs_num_sent, n);
	KUNIT_EXPECT_EQ(test, fs_sent[n].addr, addr);
	KUNIT_EXPECT_EQ(test, fs_sent[n].devices, devices);
}

/* --- time --- */

struct dxl_bus *fs_bus_of(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	return f->line->bus;
}

u64 fs_exchanges(struct kunit *test)
{
	struct dxl_exchange *x = fs_bus_of(test)->exchange;
	u64 count;

	spin_lock_bh(&x->lock);
	count = x->exchanges;
	spin_unlock_bh(&x->lock);

	return count;
}

void fs_wait_for_exchange(struct kunit *test, u64 before)
{
	struct fake_servos *f = test->priv;
	unsigned int ms;

	for (ms = 0; ms < FAKE_PATIENCE_MS && fs_exchanges(test) == before; ms++)
		usleep_range(1000, 2000);
	KUNIT_EXPECT_GT(test, fs_exchanges(test), before);
	flush_work(&f->line->answer);
}

/* A tick of the trigger, and the exchange that follows it. */
void fs_tick(struct kunit *test)
{
	u64 before = fs_exchanges(test);

	atomic_set(&fs_pose->due, 1);
	dxl_cycle_kick(fs_bus_of(test));
	fs_wait_for_exchange(test, before);
}

void fs_fire_watchdog(void)
{
	local_bh_disable();
	fs_pose->team->timer.expired(&fs_pose->team->timer);
	local_bh_enable();
}

/* Let @ms pass since the last sign of life. */
void fs_be_silent(unsigned int ms)
{
	atomic64_set(&fs_pose->team->alive, ktime_sub_ms(ktime_get(), ms));
}

void fs_trip(struct kunit *test)
{
	u64 before = fs_exchanges(test);

	fs_be_silent(WATCHDOG_MS);
	fs_fire_watchdog();
	fs_wait_for_exchange(test, before);
}

/* --- the application --- */

void fs_expect_attr(struct kunit *test, const char *name, const char *want)
{
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_GT(test, dev_attr_show(&fs_pose->indio_dev->dev, name,
					    buf), 0);
	KUNIT_EXPECT_STREQ_MSG(test, strim(buf), want, "%s", name);
}

ssize_t fs_store(const char *name, const char *text)
{
	return dev_attr_store(&fs_pose->indio_dev->dev, name, text);
}

/* The kernel's side of write(), with a sample that is in the kernel. */
static int fifo_write(struct iio_buffer *buffer, size_t n,
		      const char __user *buf)
{
	return buffer->access->store_to(buffer, (__force const char *)buf) ?: n;
}

static struct iio_buffer_access_funcs fake_fifo;

void fs_push_bytes(struct kunit *test, const u8 *sample, size_t len)
{
	struct iio_buffer *buffer = fs_pose->indio_dev->buffer;

	KUNIT_EXPECT_EQ(test, len, fs_pose->indio_dev->scan_bytes);
	KUNIT_EXPECT_EQ(test, buffer->access->write(buffer, len,
						    (__force const char __user *)sample),
			len);
}

/* A pose of three servos of Protocol 1.0 that have all the same goal. */
void fs_push(struct kunit *test, u16 goal)
{
	u8 sample[12];
	int i;

	for (i = 0; i < 3; i++) {
		put_le16(sample + 4 * i, goal);
		put_le16(sample + 4 * i + 2, 100);
	}
	fs_push_bytes(test, sample, sizeof(sample));
}

void fs_wait_for_the_pose(struct kunit *test, int channels)
{
	struct iio_dev *indio_dev = servo_wait_for_pose(test, channels);

	KUNIT_ASSERT_NOT_NULL(test, indio_dev);
	fs_pose = iio_priv(indio_dev);
	fake_fifo = *fs_pose->fifo;
	fake_fifo.write = fifo_write;
	fs_pose->fifo = &fake_fifo;
}

void fs_open_of(struct kunit *test, const char *length)
{
	struct iio_dev *indio_dev = fs_pose->indio_dev;

	bitmap_fill(indio_dev->buffer->scan_mask, indio_dev->num_channels);
	KUNIT_ASSERT_GT(test, fs_store("length", length), 0);
	KUNIT_ASSERT_EQ(test, fs_store("enable", "1"), 1);
	hrtimer_cancel(&fs_bus_of(test)->cycle->timer);
	cancel_delayed_work_sync(&fs_pose->team->patrol);
	fs_forget_sent();
}

void fs_open(struct kunit *test)
{
	fs_open_of(test, "8");
}

void fs_close(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	KUNIT_EXPECT_EQ(test, fs_store("enable", "0"), 1);
	flush_work(&f->line->answer);
}

/* Have the torque given back, and the first exchanges that do it. */
void fs_recover(struct kunit *test, unsigned int ticks)
{
	KUNIT_EXPECT_EQ(test, fs_store("recover", "1"), 1);
	while (ticks--)
		fs_tick(test);
}

void fs_end_ramp(struct kunit *test)
{
	fs_pose->team->ramp.began = ktime_sub_ms(ktime_get(), RAMP_MS);
	fs_tick(test);
	fs_tick(test);
	fs_expect_attr(test, "stream_state", "streaming");
}

void fs_listen(struct fake_servos *f)
{
	fs_deaf = 0;
	fs_begins_meanwhile = false;
	f->line->respond = respond;
}

void fs_take_time(struct kunit *test)
{
	WRITE_ONCE(fs_bus_of(test)->cycle->period_us, PERIOD_US);
	WRITE_ONCE(fs_pose->team->watchdog_ms, WATCHDOG_MS);
}

void fs_be_ready(struct kunit *test, int channels)
{
	fs_listen(test->priv);
	fake_servos_bind(test);
	fs_wait_for_the_pose(test, channels);
	fs_take_time(test);
}

/* AX-12, MX-28 and AX-12 with the IDs 1, 2 and 7, at 500. */
struct fake_servos *fs_of_v1(struct kunit *test)
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
	fs_be_ready(test, 6);

	return f;
}

/* AX-12 with the ID 1 and two XM430-W350 with the IDs 2 and 3. */
struct fake_servos *fs_of_both(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-mixed");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add_v2(f, 2, MODEL_XM430);
	fake_servos_add_v2(f, 3, MODEL_XM430);
	put_le16(f->servo[0]->table + LIMIT, 1000);
	put_le16(f->servo[1]->table + LIMIT2, 800);
	put_le16(f->servo[2]->table + LIMIT2, 800);
	fs_be_ready(test, 6);

	return f;
}

u16 fs_reg16(const struct fake_device *dev, u16 addr)
{
	return get_unaligned_le16(dev->table + addr);
}

void fs_expect_torque(struct kunit *test, u8 on)
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

/* To each servo, by hand */
void fs_give_torque(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	unsigned int i;

	for (i = 0; i < f->line->num_devices; i++)
		KUNIT_EXPECT_EQ(test, dev_attr_store(servo_iio(test, f->servo[i]->id),
						     "out_angl0_en", "1"), 1);
	fs_expect_torque(test, 1);
}

/* The core counts a servo as lost after eight missing answers. One more read would seek it. */
struct dxl_device *fs_lose(struct kunit *test, unsigned int n)
{
	struct fake_servos *f = test->priv;
	struct dxl_device *ddev = servo_device(test, f->servo[n]->id);
	u8 buf[2];
	int i;

	f->servo[n]->silent = true;
	for (i = 0; i < 8 && READ_ONCE(ddev->state) != DXL_LOST; i++)
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
void fs_come_back(struct kunit *test, unsigned int n)
{
	struct fake_servos *f = test->priv;
	struct dxl_device *ddev = servo_device(test, f->servo[n]->id);
	unsigned int ms;

	f->servo[n]->silent = false;
	mod_delayed_work(system_percpu_wq, &fs_bus_of(test)->ladder->work, 0);
	for (ms = 0; ms < FAKE_PATIENCE_MS && !is_back(ddev); ms++)
		usleep_range(1000, 2000);
	KUNIT_ASSERT_TRUE(test, is_back(ddev));
	flush_work(&ddev->state_changed);
}

/* What a power-on leaves of a servo's RAM. */
void fs_power_cycle(struct fake_device *dev)
{
	bool v1 = dev->protocol == DXL_PROTOCOL_1;

	dev->table[v1 ? TORQUE : TORQUE2] = 0;
	put_le16(dev->table + (v1 ? LIMIT : LIMIT2), v1 ? 1000 : 800);
	if (!v1)
		dev->table[WATCHDOG2] = 0;
}

void fs_doubt(struct dxl_device *ddev)
{
	WRITE_ONCE(ddev->doubts, ddev->doubts + 1);
}

void fs_tell_of_doubt(struct dxl_device *ddev)
{
	to_dxl_driver(ddev->dev.driver)->doubted(ddev);
}

/* What the driver knows of it. */
struct dxl_servo *fs_servo(struct kunit *test, u8 id)
{
	return dxl_get_drvdata(servo_device(test, id));
}

struct iio_channel fs_goal_of(struct kunit *test, u8 id)
{
	return servo_channel(test, id, IIO_ANGL, OUT);
}

/* As frames do: any answer says how it is. */
void fs_hear_from(struct kunit *test, u8 id)
{
	struct dxl_device *ddev = servo_device(test, id);
	u8 buf[2];

	dxl_read(ddev, POSITION, buf, sizeof(buf));
	flush_work(&ddev->state_changed);
}

/* What it leaves of its registers; XL-320 is none of these. */
void fs_shut_down(struct fake_device *dev, u8 alarm)
{
	bool v1 = dev->protocol == DXL_PROTOCOL_1;

	dev->error = alarm;
	dev->table[v1 ? TORQUE : TORQUE2] = 0;
	if (v1)
		put_le16(dev->table + LIMIT, 0);
	else
		dev->table[ERRORS2] = ERROR2_OVERLOAD;
}
