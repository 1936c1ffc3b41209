// SPDX-License-Identifier: GPL-2.0
/*
 * A serial line that exists only in memory, and devices on it
 */
#include <linux/bottom_half.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/jiffies.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include <kunit/device.h>
#include <kunit/test.h>

#include <linux/dxl/transport.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/state.h"
#include "fake_line.h"

/* --- transport --- */

static int record(struct fake_line *line, const u8 *data, size_t len)
{
	/* With devices on the line, just the last packet is kept. */
	if (line->respond && line->seen == line->tx_len) {
		line->seen = 0;
		line->tx_len = 0;
	}
	if (len > FAKE_TX_MAX - line->tx_len)
		return -ENOSPC;

	memcpy(line->tx + line->tx_len, data, len);
	line->tx_len += len;
	line->writes++;
	wake_up(&line->written);
	if (line->respond)
		schedule_work(&line->answer);

	return len;
}

/* Take what is written to the line, as its write() does. */
int fake_line_take(struct fake_line *line, const u8 *data, size_t len)
{
	int ret;

	spin_lock_bh(&line->lock);
	ret = line->refusal_once ?: line->refusal ?: record(line, data, len);
	line->refusal_once = 0;
	spin_unlock_bh(&line->lock);

	return ret;
}

void fake_line_flush(struct fake_line *line)
{
	spin_lock_bh(&line->lock);
	line->flushes++;
	spin_unlock_bh(&line->lock);
}

static int fake_write(struct dxl_bus *bus, const u8 *data, size_t len)
{
	return fake_line_take(dxl_bus_priv(bus), data, len);
}

static void fake_flush(struct dxl_bus *bus)
{
	fake_line_flush(dxl_bus_priv(bus));
}

static void fake_receive(struct fake_line *line, const u8 *data, size_t len)
{
	dxl_bus_receive(line->bus, data, len);
}

static int fake_set_baud(struct dxl_bus *bus, u32 baud)
{
	struct fake_line *line = dxl_bus_priv(bus);

	if (baud == line->baud_refused)
		return -EINVAL;

	WRITE_ONCE(line->baud, baud);

	return 0;
}

static const struct dxl_transport_ops fake_ops = {
	.write = fake_write,
	.flush = fake_flush,
	.set_baud = fake_set_baud,
};

/* Hand each complete request written since the last time to the devices. */
static void fake_answer(struct work_struct *work)
{
	struct fake_line *line = container_of(work, struct fake_line, answer);
	struct dxl_packet request;
	struct dxl_decoder dec;
	size_t len;
	u8 *buf;

	buf = kmalloc(2 * DXL_PACKET_MAX, GFP_KERNEL);
	if (!buf)
		return;

	dxl_decoder_init(&dec, DXL_INSTRUCTION, buf, 2 * DXL_PACKET_MAX);
	spin_lock_bh(&line->lock);
	len = dxl_decoder_feed(&dec, line->tx + line->seen,
			       line->tx_len - line->seen);
	line->seen += len;
	spin_unlock_bh(&line->lock);

	while (!dxl_decoder_next(&dec, &request)) {
		line->handled++;
		line->respond(line, &request);
	}
	kfree(buf);
}

/* --- life --- */

void fake_line_remove(struct fake_line *line)
{
	if (line->added)
		dxl_bus_remove(line->bus);
	line->added = false;
}

/* They are the line's, and go with it. */
static void fake_ddev_release(struct device *dev)
{
}

/* The core holds a reference for this work, as for that of its own devices. */
static void fake_ddev_state_changed(struct work_struct *work)
{
	struct dxl_device *ddev = container_of(work, struct dxl_device,
					       state_changed);

	put_device(&ddev->dev);
}

static void fake_ddev_init(struct fake_line *line, struct dxl_device *ddev,
			   u8 id)
{
	ddev->bus = line->bus;
	ddev->id = id;
	ddev->protocol = DXL_PROTOCOL_1;
	ddev->status_level = DXL_ANSWERS_ALL;
	INIT_WORK(&ddev->state_changed, fake_ddev_state_changed);
	device_initialize(&ddev->dev);
	ddev->dev.init_name = "fake";
	ddev->dev.release = fake_ddev_release;
}

static void fake_line_destroy(void *data)
{
	struct fake_line *line = data;
	size_t i;

	if (!line->bus)
		return;

	fake_line_remove(line);
	cancel_work_sync(&line->answer);
	for (i = 0; i < FAKE_DEVICES; i++) {
		flush_work(&line->ddevs[i].state_changed);
		put_device(&line->ddevs[i].dev);
	}
	dxl_bus_put(line->bus);
}

/*
 * A line without a bus. What uses it is to be given back before it, by actions
 * that are added later.
 */
void fake_line_init(struct kunit *test, struct fake_line *line, u32 baud)
{
	line->baud = baud;
	line->receive = fake_receive;
	line->tx = kunit_kzalloc(test, FAKE_TX_MAX, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, line->tx);
	line->requests = kunit_kcalloc(test, FAKE_REQUESTS,
				       sizeof(*line->requests), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, line->requests);
	spin_lock_init(&line->lock);
	init_waitqueue_head(&line->written);
	INIT_WORK(&line->answer, fake_answer);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, fake_line_destroy,
							line), 0);
}

/* The bus of a line, with a reference that goes with the line. */
void fake_line_set_bus(struct fake_line *line, struct dxl_bus *bus)
{
	size_t i;

	line->bus = bus;
	for (i = 0; i < FAKE_DEVICES; i++)
		fake_ddev_init(line, &line->ddevs[i], i + 1);
	fake_line_set_margin(line, FAKE_NEVER_US);
}

/*
 * A line and its bus, not yet added, that go with the test. @fwnode describes
 * the devices on the bus, or is NULL.
 */
struct fake_line *fake_line_create(struct kunit *test, u32 baud,
				   struct fwnode_handle *fwnode)
{
	static unsigned int lines;
	struct fake_line *line;
	struct dxl_bus *bus;

	line = kunit_kzalloc(test, sizeof(*line), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, line);
	snprintf(line->name, sizeof(line->name), "dxl-line.%u", lines++);
	line->parent = kunit_device_register(test, line->name);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, line->parent);
	device_set_node(line->parent, fwnode);

	fake_line_init(test, line, baud);
	bus = dxl_bus_alloc(line->parent, &fake_ops, line,
			    max_t(u32, baud, DXL_BAUD_MIN));
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, bus);
	/* Slower than any that there is, it gives a test time. */
	bus->timing.baud = baud;
	fake_line_set_bus(line, bus);

	return line;
}

void fake_line_add(struct kunit *test, struct fake_line *line)
{
	KUNIT_ASSERT_EQ(test, dxl_bus_add(line->bus), 0);
	line->added = true;
}

/* --- what the queue does --- */

u64 fake_line_stat(struct fake_line *line, enum dxl_stat stat)
{
	struct dxl_bus *bus = line->bus;
	u64 count;

	spin_lock_bh(&bus->queue->lock);
	count = bus->stats.count[stat];
	spin_unlock_bh(&bus->queue->lock);

	return count;
}

u64 fake_device_stat(struct dxl_device *ddev, enum dxl_stat stat)
{
	struct dxl_bus *bus = ddev->bus;
	u64 count;

	spin_lock_bh(&bus->queue->lock);
	count = ddev->stats.count[stat];
	spin_unlock_bh(&bus->queue->lock);

	return count;
}

void fake_line_set_margin(struct fake_line *line, u32 margin_us)
{
	WRITE_ONCE(line->bus->timing.margin_us, margin_us);
}

/* What happens when the queue's timer fires, without waiting for it. */
static void fake_line_tick(struct fake_line *line)
{
	struct dxl_timer *timer = &line->bus->queue->timer;

	local_bh_disable();
	timer->expired(timer);
	local_bh_enable();
}

/* Let the deadline of the transfer on the wire pass, if there is one. */
void fake_line_expire(struct fake_line *line)
{
	struct dxl_queue *q = line->bus->queue;
	bool busy;

	spin_lock_bh(&q->lock);
	busy = q->current_xfer;
	if (busy)
		q->engine.deadline = ktime_get();
	spin_unlock_bh(&q->lock);

	if (busy)
		fake_line_tick(line);
}

/* Let the time pass for which the queue leaves devices alone. */
void fake_line_rested(struct fake_line *line)
{
	struct dxl_queue *q = line->bus->queue;

	spin_lock_bh(&q->lock);
	memset(q->quiet_until, 0, sizeof(q->quiet_until));
	q->engine.settled = 0;
	q->hold_until = 0;
	spin_unlock_bh(&q->lock);

	fake_line_tick(line);
}

/* Let time pass until nobody can answer what is on the wire any more. */
void fake_line_give_up(struct fake_line *line)
{
	fake_line_expire(line);
	fake_line_rested(line);
}

/* Wait until write() has taken @writes packets altogether. */
bool fake_line_wait_writes(struct fake_line *line, unsigned int writes)
{
	return wait_event_timeout(line->written,
				  READ_ONCE(line->writes) >= writes,
				  msecs_to_jiffies(FAKE_PATIENCE_MS));
}

/* Wait until something of @priority waits for the line. */
bool fake_line_wait_pending(struct fake_line *line, enum dxl_priority priority)
{
	struct dxl_queue *q = line->bus->queue;
	unsigned int ms;
	bool pending;

	for (ms = 0; ms < FAKE_PATIENCE_MS; ms++) {
		spin_lock_bh(&q->lock);
		pending = !list_empty(&q->pending[priority]);
		spin_unlock_bh(&q->lock);
		if (pending)
			return true;
		usleep_range(1000, 2000);
	}

	return false;
}

/* Forget the bytes written so far. */
void fake_line_forget(struct fake_line *line)
{
	spin_lock_bh(&line->lock);
	line->tx_len = 0;
	line->seen = 0;
	line->handled = line->writes;
	spin_unlock_bh(&line->lock);
}

/* Whether just these bytes were written since fake_line_forget(); forgets. */
bool fake_line_wrote(struct fake_line *line, const u8 *bytes, size_t len)
{
	bool same;

	spin_lock_bh(&line->lock);
	same = line->tx_len == len && !memcmp(line->tx, bytes, len);
	if (!same)
		pr_info("fake line: wrote %*ph, expected %*ph\n",
			(int)min_t(size_t, line->tx_len, 64), line->tx,
			(int)min_t(size_t, len, 64), bytes);
	line->tx_len = 0;
	line->seen = 0;
	line->handled = line->writes;
	spin_unlock_bh(&line->lock);

	return same;
}

/* --- devices --- */

/* Put bytes on the line, as devices do. */
void fake_line_receive(struct fake_line *line, const u8 *data, size_t len)
{
	line->receive(line, data, len);
}

/* Put @packet on the line, as a device does. */
int fake_line_send(struct fake_line *line, const struct dxl_packet *packet)
{
	u8 *buf = kmalloc(DXL_PACKET_MAX, GFP_KERNEL);
	int len;

	if (!buf)
		return -ENOMEM;

	len = dxl_packet_encode(packet, buf, DXL_PACKET_MAX);
	if (len > 0)
		fake_line_receive(line, buf, len);
	kfree(buf);

	return min(len, 0);
}

void fake_line_status(struct fake_line *line, enum dxl_protocol protocol, u8 id,
		      u8 error, const u8 *params, u16 len)
{
	const struct dxl_packet status = {
		.protocol = protocol,
		.id = id,
		.instruction = DXL_STATUS_RETURN,
		.error = error,
		.len = len,
		.params = params,
	};

	WARN_ON(fake_line_send(line, &status));
}

static void respond_ping(struct fake_line *line, struct fake_device *dev)
{
	const u8 p2[] = { dev->table[0], dev->table[1], dev->table[6] };

	fake_line_status(line, dev->protocol, dev->id, dev->error, p2,
			 dev->protocol == DXL_PROTOCOL_1 ? 0 : sizeof(p2));
}

static void respond_read(struct fake_line *line, struct fake_device *dev,
			 const struct dxl_packet *request)
{
	const u8 *p = request->params;
	u16 addr = p[0], len = p[1];

	if (dev->protocol == DXL_PROTOCOL_2) {
		addr = get_unaligned_le16(p);
		len = get_unaligned_le16(p + 2);
	}
	if (WARN_ON(addr + len > sizeof(dev->table)))
		return;

	fake_line_status(line, dev->protocol, dev->id, dev->error,
			 dev->table + addr, len);
}

/* The new ID and baud rate count from the answer on, which this device skips. */
static void write_table(struct fake_device *dev, u16 addr, const u8 *data,
			size_t len)
{
	u16 id = dev->protocol == DXL_PROTOCOL_1 ? 3 : 7;
	const struct dxl_baud *baud;

	memcpy(dev->table + addr, data, len);
	dev->id = dev->table[id];
	for (baud = dev->bauds; baud && baud->rate; baud++)
		if (baud->value == dev->table[id + 1])
			dev->baud = baud->rate;
}

static void do_write(struct fake_line *line, struct fake_device *dev,
		     const struct dxl_packet *request)
{
	size_t addr_len = dev->protocol == DXL_PROTOCOL_1 ? 1 : 2;
	const u8 *p = request->params;
	u16 addr = addr_len == 1 ? p[0] : get_unaligned_le16(p);
	size_t len = request->len - addr_len;

	if (WARN_ON(addr + len > sizeof(dev->table)))
		return;

	if (!dev->frozen)
		write_table(dev, addr, p + addr_len, len);
	if (dev->status_level >= DXL_ANSWERS_ALL)
		fake_line_status(line, dev->protocol, dev->id, dev->error, NULL,
				 0);
}

static bool hears(const struct fake_line *line, const struct fake_device *dev,
		  const struct dxl_packet *request)
{
	if (dev->silent || ktime_before(ktime_get(), dev->deaf_until) ||
	    (dev->baud && dev->baud != READ_ONCE(line->baud)))
		return false;

	return dev->id == request->id && dev->protocol == request->protocol;
}

static struct fake_device *find_device(struct fake_line *line,
				       const struct dxl_packet *request)
{
	unsigned int i;

	for (i = 0; i < line->num_devices; i++)
		if (hears(line, &line->devices[i], request))
			return &line->devices[i];

	return NULL;
}

static void device_respond(struct fake_line *line, struct fake_device *dev,
			   const struct dxl_packet *request)
{
	switch (request->instruction) {
	case DXL_PING:
		respond_ping(line, dev);
		break;
	case DXL_READ:
		if (dev->status_level >= DXL_ANSWERS_READ)
			respond_read(line, dev, request);
		break;
	case DXL_WRITE:
		do_write(line, dev, request);
		break;
	case DXL_REBOOT:
		dev->reboots++;
		fake_line_status(line, dev->protocol, dev->id, dev->error, NULL,
				 0);
		break;
	case DXL_FACTORY_RESET:
		dev->resets++;
		dev->reset_what = request->len ? request->params[0] : 0;
		dev->deaf_until = ktime_add_ms(ktime_get(), dev->reset_ms);
		fake_line_status(line, dev->protocol, dev->id, dev->error, NULL,
				 0);
		break;
	}
}

static bool is_on_wire(struct fake_line *line, unsigned int sent)
{
	struct dxl_queue *q = line->bus->queue;
	bool on_wire;

	spin_lock_bh(&q->lock);
	on_wire = q->current_xfer && line->writes == sent;
	spin_unlock_bh(&q->lock);

	return on_wire;
}

/* A @respond that speaks for @devices; the deadline passes where none does. */
void fake_line_respond(struct fake_line *line, const struct dxl_packet *request)
{
	struct fake_device *dev = find_device(line, request);

	if (dev)
		device_respond(line, dev, request);
	if (is_on_wire(line, line->handled))
		fake_line_give_up(line);
}

/* Add a device for fake_line_respond(), its control table all zero. */
struct fake_device *fake_line_device(struct fake_line *line, u8 id,
				     enum dxl_protocol protocol)
{
	struct fake_device *dev = &line->devices[line->num_devices++];

	dev->id = id;
	dev->protocol = protocol;
	dev->status_level = DXL_ANSWERS_ALL;
	dev->table[protocol == DXL_PROTOCOL_1 ? 3 : 7] = id;
	line->respond = fake_line_respond;

	return dev;
}

/* --- requests --- */

static void fake_complete(struct dxl_transfer *xfer)
{
	struct fake_request *req = xfer->context;
	struct fake_line *line = req->line;

	line->depth_max = max(line->depth_max, ++line->depth);
	req->order = line->completed++;
	req->completions++;
	if (req->then)
		req->then(req);
	line->depth--;
	complete(&req->done);
}

/* A request, yet to be filled. It stays until the bus is gone. */
struct fake_request *fake_line_request(struct fake_line *line)
{
	struct fake_request *req = &line->requests[line->num_requests++];

	req->line = line;
	req->xfer.complete = fake_complete;
	req->xfer.context = req;
	req->xfer.priority = DXL_PRIO_REQUEST;
	req->xfer.request.params = req->params;
	req->xfer.replies = &req->reply;
	req->reply.buf = req->rx;
	init_completion(&req->done);

	return req;
}

static struct fake_request *line_read(struct fake_line *line,
				      enum dxl_protocol protocol, u8 id,
				      u16 addr, u16 len)
{
	struct fake_request *req = fake_line_request(line);
	struct dxl_transfer *xfer = &req->xfer;

	xfer->request.protocol = protocol;
	xfer->request.id = id;
	xfer->request.instruction = DXL_READ;
	xfer->request.len = dxl_put_range(protocol, req->params, addr, len);
	xfer->num_replies = 1;
	req->reply.id = id;
	req->reply.len = len;
	if (id && id <= FAKE_DEVICES)
		req->reply.ddev = &line->ddevs[id - 1];

	return req;
}

/* A Protocol 1.0 read; IDs up to FAKE_DEVICES are those of @ddevs. */
struct fake_request *fake_line_read(struct fake_line *line, u8 id, u16 addr,
				    u16 len)
{
	return line_read(line, DXL_PROTOCOL_1, id, addr, len);
}

/* The same in Protocol 2.0. */
struct fake_request *fake_line_read2(struct fake_line *line, u8 id, u16 addr,
				     u16 len)
{
	return line_read(line, DXL_PROTOCOL_2, id, addr, len);
}

int fake_request_submit(struct fake_request *req)
{
	return dxl_transfer_submit(req->line->bus, &req->xfer);
}

bool fake_request_pending(struct fake_request *req)
{
	return !READ_ONCE(req->completions);
}

/*
 * Wait for a request's completion.
 *
 * Return: its status, -EINPROGRESS if it did not come, -EALREADY if it came
 * more than once
 */
int fake_request_result(struct fake_request *req)
{
	if (!wait_for_completion_timeout(&req->done,
					 msecs_to_jiffies(FAKE_PATIENCE_MS)))
		return -EINPROGRESS;

	return req->completions == 1 ? req->xfer.status : -EALREADY;
}
