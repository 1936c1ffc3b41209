// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A bus on a line of the fuzzer's.
 *
 * What is checked here, whatever the devices do: a transfer that was accepted is
 * completed exactly once and with a status for each answer; data that it brings
 * stand in a valid packet, from the right device and of the right length, that
 * came after the request; nothing is written to a line that has gone; in the end
 * the queue is idle, holds no device, and has counted what the line has counted.
 */
#include "line.h"

struct line line;

const struct device_type dxl_device_type = { "dxl_device" };

/* --- the driver model, as far as ladder.c asks it --- */

int device_for_each_child(struct device *parent, void *data,
			  int (*fn)(struct device *dev, void *data))
{
	int i, ret = 0;

	for (i = 0; i < DEVICES && !ret; i++)
		ret = fn(&line.devices[i].dev, data);

	return ret;
}

struct device *device_find_child(struct device *parent, const void *data,
				 int (*match)(struct device *dev, const void *data))
{
	int i;

	for (i = 0; i < DEVICES; i++) {
		if (match(&line.devices[i].dev, data))
			return get_device(&line.devices[i].dev);
	}

	return NULL;
}

/* --- the line --- */

static int write_line(struct dxl_bus *bus, const u8 *data, size_t len)
{
	int refuse = line.refuse;

	CHECK(bus->queue->lock.held);
	CHECK(!line.gone && len && len <= sizeof(line.tx));
	line.refuse = -1;
	if (refuse >= 0)
		return (size_t)refuse < len ? refuse : -EIO;

	if (line.sending) {
		line.sending->log_from = line.log_len;
		line.sending->packets_from = line.packets;
		line.sending = NULL;
	}
	memcpy(line.tx, data, len);
	line.tx_len = len;
	line.packets++;
	line.tx_bytes += len;

	return len;
}

static void flush_line(struct dxl_bus *bus)
{
	CHECK(bus->queue->lock.held && !line.gone);
}

static const struct dxl_transport_ops line_ops = {
	.write = write_line,
	.flush = flush_line,
};

void line_receive(const u8 *data, size_t len)
{
	/* A copy that ends where it ends, for the sanitizer. */
	u8 *copy;

	if (len > LOG_MAX - line.log_len)
		return;
	copy = malloc(len);
	CHECK(copy || !len);
	if (len) {
		memcpy(copy, data, len);
		memcpy(line.log + line.log_len, data, len);
	}
	line.log_len += len;
	dxl_bus_receive(&line.bus, copy, len);
	free(copy);
}

/* --- what a completion must be --- */

static void check_status(int status)
{
	static const int possible[] = {
		0, -ETIMEDOUT, -EBADMSG, -EPROTO, -EMSGSIZE, -EREMOTEIO,
		-ENODATA, -EHOSTDOWN, -EINVAL, -EIO, -ENODEV, -ESHUTDOWN,
		-EAGAIN,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(possible); i++) {
		if (status == possible[i])
			return;
	}
	CHECK(!"a documented status");
}

/* The data came in a packet of their own, or in the part of a fast answer. */
static void check_received(enum dxl_protocol protocol, u8 id, u8 error,
			   const u8 *data, size_t len, size_t log_from)
{
	struct dxl_packet packet = {
		.protocol = protocol,
		.id = id,
		.instruction = DXL_STATUS_RETURN,
		.error = error,
		.len = len,
		.params = data,
	};
	const u8 *log = line.log + log_from;
	size_t log_len = line.log_len - log_from;
	u8 bytes[2 * ANSWER_MAX + 20];
	int n = dxl_packet_encode(&packet, bytes, sizeof(bytes));

	CHECK(n > 0);
	if (memmem(log, log_len, bytes, n))
		return;
	bytes[0] = error;
	bytes[1] = id;
	memcpy(bytes + 2, data, len);
	CHECK(protocol == DXL_PROTOCOL_2 && memmem(log, log_len, bytes, len + 2));
}

static void check_reply(const struct request *request,
			const struct dxl_reply *reply)
{
	check_status(reply->status);
	if (reply->status)
		return;
	check_received(request->xfer.request.protocol, reply->id, reply->error,
		       reply->buf, reply->len, request->log_from);
	if (line.check)
		line.check(reply->id, reply->buf, reply->len,
			   request->packets_from);
}

static void request_free(struct request *request)
{
	unsigned int i;

	for (i = 0; i < request->xfer.num_replies; i++)
		free(request->replies[i].buf);
	request->xfer.num_replies = 0;
}

static int request_submit(struct request *request)
{
	int ret;

	request->busy = true;
	line.accepted++;
	ret = dxl_transfer_submit(&line.bus, &request->xfer);
	if (ret) {
		CHECK(ret == -ENODEV || ret == -ESHUTDOWN);
		CHECK(request->busy);
		request->busy = false;
		line.accepted--;
		request_free(request);
	}

	return ret;
}

static void request_complete(struct dxl_transfer *xfer)
{
	struct request *request = xfer->context;
	unsigned int i;
	int status = 0;

	CHECK(request->busy);
	CHECK(!line.bus.queue->lock.held);
	request->busy = false;
	line.completed++;

	check_status(xfer->status);
	for (i = 0; i < xfer->num_replies; i++) {
		check_reply(request, &request->replies[i]);
		status = status ? status : request->replies[i].status;
	}
	CHECK(!xfer->num_replies || xfer->status == status);

	if (request->again) {
		request->again--;
		request_submit(request);
		return;
	}
	request_free(request);
}

/* The core asks it right before the packet is written. */
static bool request_wanted(void *context)
{
	line.sending = context;

	return true;
}

/* --- transfers --- */

static struct request *free_request(void)
{
	int i;

	for (i = 0; i < REQUESTS; i++) {
		if (!line.requests[i].busy)
			return &line.requests[i];
	}

	return NULL;
}

static struct dxl_device *pick_device(struct input *in)
{
	return &line.devices[input_u8(in) % DEVICES];
}

static u16 pick_len(struct input *in)
{
	return 2 + input_u8(in) % (ANSWER_MAX - 2);
}

static void add_reply(struct request *request, struct dxl_device *ddev,
		      bool known, u16 len)
{
	struct dxl_reply *reply =
		&request->replies[request->xfer.num_replies++];

	*reply = (struct dxl_reply){
		.ddev = known ? ddev : NULL,
		.id = ddev->id,
		.buf = malloc(len),
		.len = len,
		.return_delay_us = ddev->return_delay_us,
	};
	CHECK(reply->buf);
}

static struct request *new_request(u8 how)
{
	struct request *request = free_request();

	if (!request)
		return NULL;
	*request = (struct request){
		.xfer = {
			.replies = request->replies,
			.complete = request_complete,
			.context = request,
			.wanted = request_wanted,
			.wanted_context = request,
			.priority = DXL_PRIO_ATTRIBUTE +
				    how % (DXL_PRIORITIES - DXL_PRIO_ATTRIBUTE),
			.repeatable = how & 0x08,
		},
		.again = how >> 6,
	};
	request->xfer.request.params = request->params;

	return request;
}

/* An instruction to a device, or to all of them. */
void line_submit(struct input *in)
{
	u8 how = input_u8(in);
	struct request *request = new_request(how);
	struct dxl_device *ddev = pick_device(in);
	u16 len = pick_len(in);

	if (!request)
		return;
	request->xfer.request.protocol = ddev->protocol;
	request->xfer.request.id = ddev->id;
	request->xfer.request.len = dxl_put_range(ddev->protocol,
						  request->params, 0, len);
	request->xfer.request.instruction = DXL_READ;
	switch (how >> 4 & 3) {
	case 0:
		request->xfer.request.id = DXL_ID_BROADCAST;
		request->xfer.request.instruction = DXL_SYNC_WRITE;
		break;
	case 1:
		request->xfer.request.instruction = DXL_WRITE;
		add_reply(request, ddev, how & 4, 0);
		break;
	default:
		add_reply(request, ddev, how & 4, len);
		break;
	}
	request_submit(request);
}

/* A group read whose packet is ours: SYNC_READ, FAST_SYNC_READ, BULK_READ. */
void line_submit_chain(struct input *in)
{
	static const u8 instructions[] = {
		DXL_SYNC_READ, DXL_FAST_SYNC_READ, DXL_BULK_READ,
		DXL_FAST_SYNC_READ,
	};
	u8 how = input_u8(in), who = input_u8(in);
	struct request *request = new_request(how);
	struct dxl_packet *packet;
	u16 len = pick_len(in);
	int i;

	if (!request)
		return;
	packet = &request->xfer.request;
	packet->protocol = DXL_PROTOCOL_2;
	packet->id = DXL_ID_BROADCAST;
	packet->instruction = instructions[how >> 4 & 3];
	packet->len = dxl_put_range(DXL_PROTOCOL_2, request->params, 0, len);
	for (i = 0; i < DEVICES; i++) {
		struct dxl_device *ddev = &line.devices[(i + who) % DEVICES];

		if (who >> 3 & 1 << i || ddev->protocol != DXL_PROTOCOL_2)
			continue;
		request->params[packet->len++] = ddev->id;
		add_reply(request, ddev, how & 4, len);
	}
	if (request->xfer.num_replies)
		request_submit(request);
}

static void free_items(struct group *group)
{
	unsigned int i;

	for (i = 0; i < group->num_items; i++)
		free(group->items[i].buf);
	group->num_items = 0;
}

static void check_item(const struct group *group, const struct dxl_item *item)
{
	check_status(item->status);
	CHECK(item->status != -ENODATA);
	if (item->status || group->write)
		return;
	check_received(item->ddev->protocol, item->ddev->id, item->error,
		       item->buf, item->len, group->log_from);
	if (line.check)
		line.check(item->ddev->id, item->buf, item->len,
			   group->packets_from);
}

static void group_complete(struct dxl_group *dxl_group, void *context)
{
	struct group *group = context;
	unsigned int i;

	CHECK(group->busy);
	CHECK(!line.bus.queue->lock.held);
	group->busy = false;
	for (i = 0; i < group->num_items; i++)
		check_item(group, &group->items[i]);
	free_items(group);
}

void line_submit_group(struct input *in)
{
	u8 how = input_u8(in), who = input_u8(in);
	struct group *group = &line.groups[how % GROUPS];
	u16 len = pick_len(in);
	int i;

	if (group->busy)
		return;
	for (i = 0; i < DEVICES; i++) {
		if (who >> 3 & 1 << i)
			continue;
		group->items[group->num_items++] = (struct dxl_item){
			.ddev = &line.devices[(i + who) % DEVICES],
			/* Now and then one that is not like the others. */
			.addr = how & 0x10 && i == 2,
			.len = len,
			.buf = calloc(1, len),
		};
	}
	group->write = how & 0x20;
	group->busy = true;
	group->log_from = line.log_len;
	group->packets_from = line.packets;
	CHECK(!(group->write ? dxl_group_write : dxl_group_read)
	      (group->group, group->items, group->num_items, group_complete,
	       group));
}

/* --- life --- */

static void add_device(int i, u8 setup)
{
	struct dxl_device *ddev = &line.devices[i];

	ddev->dev.type = &dxl_device_type;
	ddev->bus = &line.bus;
	ddev->id = i + 1;
	/* The first two may be older than the others. */
	ddev->protocol = setup & 1 && i < 2 ? DXL_PROTOCOL_1 : DXL_PROTOCOL_2;
	ddev->return_delay_us = i == 3 ? 500 : 0;
	ddev->status_level = DXL_ANSWERS_ALL;
	if (setup & 2 && ddev->protocol == DXL_PROTOCOL_2)
		ddev->features |= DXL_CAN_SYNC_READ | DXL_CAN_BULK_READ;
	if (setup & 4 && ddev->protocol == DXL_PROTOCOL_2)
		ddev->features |= DXL_CAN_FAST_SYNC_READ |
				  DXL_CAN_FAST_BULK_READ | DXL_CAN_BULK_WRITE;
	dxl_ladder_device_init(ddev);
}

void line_begin(u8 setup)
{
	int i;

	fuzz_reset();
	memset(&line.bus, 0, sizeof(line.bus));
	memset(line.devices, 0, sizeof(line.devices));
	memset(line.requests, 0, sizeof(line.requests));
	line.log_len = 0;
	line.sending = NULL;
	line.tx_len = 0;
	line.packets = 0;
	line.tx_bytes = 0;
	line.refuse = -1;
	line.gone = false;
	line.accepted = 0;
	line.completed = 0;
	line.bus.timing.baud = setup & 8 ? 4000000 : 1000000;
	line.bus.ops = &line_ops;
	CHECK(!dxl_ladder_module_init());
	line.bus.timing.margin_us = 1000;
	CHECK(!dxl_queue_alloc(&line.bus));
	CHECK(!dxl_ladder_alloc(&line.bus));
	line.bus.queue->retries = setup >> 4 & 1;
	for (i = 0; i < DEVICES; i++)
		add_device(i, setup);
	for (i = 0; i < GROUPS; i++) {
		line.groups[i] = (struct group){
			.group = dxl_group_alloc(&line.bus, DEVICES,
						 i ? DXL_PRIO_CYCLIC :
						     DXL_PRIO_REQUEST),
		};
		CHECK(line.groups[i].group);
	}
	dxl_queue_start(&line.bus);
}

static bool line_is_idle(void)
{
	int i;

	for (i = 0; i < GROUPS; i++) {
		if (line.groups[i].busy)
			return false;
	}

	return line.accepted == line.completed;
}

/* Enough time for all that is under way, each with its time-out and retries. */
static void run_dry(void)
{
	int steps = 2000;

	while (!line_is_idle()) {
		CHECK(steps--);
		CHECK(fuzz_step());
	}
}

static void check_stats(void)
{
	const u64 *bus = line.bus.stats.count;
	u64 sum;
	int i, j;

	CHECK(bus[DXL_STAT_PACKETS] == line.packets);
	CHECK(bus[DXL_STAT_TX_BYTES] == line.tx_bytes);
	CHECK(bus[DXL_STAT_RX_BYTES] == line.log_len);
	CHECK(bus[DXL_STAT_TIMEOUTS] + bus[DXL_STAT_DEVICE_ERRORS] <=
	      bus[DXL_STAT_NACK]);
	CHECK(bus[DXL_STAT_STALE_BYTES] <= bus[DXL_STAT_RX_BYTES]);
	CHECK(bus[DXL_STAT_ECHOES] <= bus[DXL_STAT_PACKETS]);
	for (i = 0; i < DXL_STATS; i++) {
		/* Some are a device's where the bus knows only bytes. */
		if (i == DXL_STAT_CHECKSUM_ERRORS || i == DXL_STAT_RX_BYTES)
			continue;
		for (sum = 0, j = 0; j < DEVICES; j++)
			sum += line.devices[j].stats.count[i];
		if (sum > bus[i])
			fprintf(stderr, "statistic %d: %llu of %llu\n", i, sum, bus[i]);
		CHECK(sum <= bus[i]);
	}
}

void line_end(void)
{
	struct dxl_queue *q = line.bus.queue;
	int i;

	if (q->reserved)
		dxl_queue_unreserve(&line.bus);
	run_dry();
	CHECK(!q->current_xfer || q->current_xfer->probe);
	check_stats();

	dxl_queue_stop(&line.bus);
	CHECK(!q->current_xfer);
	for (i = 0; i < DXL_PRIORITIES; i++)
		CHECK(list_empty(&q->pending[i]));
	dxl_ladder_stop(&line.bus);
	fuzz_advance(fuzz_now + NSEC_PER_SEC);
	dxl_ladder_module_exit();
	for (i = 0; i < DEVICES; i++)
		CHECK(!line.devices[i].dev.references);
	for (i = 0; i < GROUPS; i++)
		dxl_group_free(line.groups[i].group);
	dxl_ladder_free(&line.bus);
	dxl_queue_free(&line.bus);
}
