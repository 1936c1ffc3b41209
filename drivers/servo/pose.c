// SPDX-License-Identifier: GPL-2.0
/*
 * The pose of a bus: an IIO device whose buffer moves all its servos at once
 *
 * A sample holds goal position and goal speed of every servo, by rising ID.
 * On each tick of the trigger one sample leaves the buffer as one SYNC WRITE,
 * or as few as there are register layouts and as a packet has room for.
 *
 * The trigger handler only fills packets and submits them. If those of the
 * previous tick are still queued, the sample waits for the next tick, so that
 * poses never pile up behind other traffic. @in_flight counts the packets on
 * their way; their memory, and so the device, stays until it is 0 again.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/iio/trigger_consumer.h>
#include <linux/iio/triggered_buffer.h>
#include <linux/slab.h>
#include <linux/unaligned.h>
#include <linux/wait_bit.h>

#include "servo.h"

#define CHANNELS_PER_SERVO	2

/* A servo in a packet: its ID, goal position and goal speed. */
struct pose_slot {
	u8 id;
	__le16 position;
	__le16 speed;
} __packed;

#define GOAL_SIZE	(sizeof(struct pose_slot) - sizeof(u8))

/* The older protocol has the shorter packets: behind its address range fit */
#define SERVOS_PER_PACKET	((DXL1_PARAMS_MAX - 2) / sizeof(struct pose_slot))

/* A servo in a sample. */
struct pose_goal {
	__le16 position;
	__le16 speed;
};

struct pose_packet {
	struct dxl_transfer xfer;
	u8 addr;
	unsigned int servos;
	u8 params[DXL_RANGE_MAX + SERVOS_PER_PACKET * sizeof(struct pose_slot)];
};

/* Where a servo's goal goes. */
struct pose_target {
	struct dxl_servo *servo;
	struct pose_slot *slot;
};

/**
 * struct pose - private data of the IIO device
 * @bus: bus whose servos it moves
 * @in_flight: packets that the transfer queue has
 * @sample: the sample being sent
 * @count: number of servos
 * @targets: the servos, by rising ID
 * @packets: the packets that move them
 * @num_packets: their number
 */
struct pose {
	struct dxl_bus *bus;
	atomic_t in_flight;
	struct pose_goal *sample;
	unsigned int count;
	struct pose_target *targets;
	struct pose_packet *packets;
	unsigned int num_packets;
};

/* --- sending --- */

static void pose_complete(struct dxl_transfer *xfer)
{
	struct pose *pose = xfer->context;

	/* With the count the device may go: only its address is used then. */
	if (atomic_dec_and_test(&pose->in_flight))
		wake_up_var(&pose->in_flight);
}

static __le16 at_most(__le16 value, const int *range)
{
	return cpu_to_le16(min_t(u16, le16_to_cpu(value), range[2]));
}

static void pose_fill(const struct pose_target *target,
		      const struct pose_goal *goal)
{
	const struct dxl_servo_model *model = target->servo->model;

	target->slot->position = at_most(goal->position, model->position_range);
	target->slot->speed = at_most(goal->speed, model->speed_range);
}

static void pose_send(struct pose *pose)
{
	unsigned int i;

	for (i = 0; i < pose->count; i++)
		pose_fill(&pose->targets[i], &pose->sample[i]);

	atomic_set(&pose->in_flight, pose->num_packets);
	for (i = 0; i < pose->num_packets; i++) {
		struct dxl_transfer *xfer = &pose->packets[i].xfer;

		if (dxl_transfer_submit(pose->bus, xfer))
			pose_complete(xfer);
	}
}

static irqreturn_t pose_trigger_handler(int irq, void *p)
{
	struct iio_poll_func *pf = p;
	struct iio_dev *indio_dev = pf->indio_dev;
	struct pose *pose = iio_priv(indio_dev);

	if (!atomic_read(&pose->in_flight) &&
	    !iio_pop_from_buffer(indio_dev->buffer, pose->sample))
		pose_send(pose);

	iio_trigger_notify_done(indio_dev->trig);

	return IRQ_HANDLED;
}

/* --- buffer --- */

/* A sync write gives every servo in it the same registers. */
static int pose_preenable(struct iio_dev *indio_dev)
{
	if (bitmap_full(indio_dev->active_scan_mask,
			iio_get_masklength(indio_dev)))
		return 0;

	dev_dbg(&indio_dev->dev, "a pose has all channels: enable each\n");

	return -EINVAL;
}

static int pose_postdisable(struct iio_dev *indio_dev)
{
	struct pose *pose = iio_priv(indio_dev);

	wait_var_event(&pose->in_flight, !atomic_read(&pose->in_flight));

	return 0;
}

static const struct iio_buffer_setup_ops pose_buffer_ops = {
	.preenable = pose_preenable,
	.postdisable = pose_postdisable,
};

/* --- channels --- */

static struct dxl_servo *pose_servo(struct iio_dev *indio_dev,
				    const struct iio_chan_spec *chan)
{
	struct pose *pose = iio_priv(indio_dev);

	return pose->targets[chan->scan_index / CHANNELS_PER_SERVO].servo;
}

static int pose_read_raw(struct iio_dev *indio_dev,
			 const struct iio_chan_spec *chan, int *val, int *val2,
			 long mask)
{
	return dxl_servo_read_raw(pose_servo(indio_dev, chan), chan, val, val2,
				  mask);
}

static int pose_read_avail(struct iio_dev *indio_dev,
			   const struct iio_chan_spec *chan, const int **vals,
			   int *type, int *length, long mask)
{
	return dxl_servo_read_avail(pose_servo(indio_dev, chan), chan, vals,
				    type, mask);
}

static int pose_read_label(struct iio_dev *indio_dev,
			   const struct iio_chan_spec *chan, char *label)
{
	const struct dxl_servo *servo = pose_servo(indio_dev, chan);

	return sysfs_emit(label, "%s\n",
			  servo->label ?: dev_name(&servo->ddev->dev));
}

static const struct iio_info pose_info = {
	.read_raw = pose_read_raw,
	.read_avail = pose_read_avail,
	.read_label = pose_read_label,
};

static void pose_channel(struct iio_chan_spec *chan, u8 id,
			 enum dxl_servo_reg reg, int scan_index)
{
	bool position = reg == SERVO_GOAL_POSITION;

	*chan = (struct iio_chan_spec){
		.type = position ? IIO_ANGL : IIO_ANGL_VEL,
		.indexed = 1,
		.channel = id,
		.output = 1,
		.address = reg,
		.scan_index = scan_index,
		.scan_type = {
			.sign = 'u',
			.realbits = 16,
			.storagebits = 16,
			.endianness = IIO_LE,
		},
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE),
		.info_mask_separate_available = BIT(IIO_CHAN_INFO_RAW),
	};

	if (position)
		chan->info_mask_separate |= BIT(IIO_CHAN_INFO_OFFSET);
}

static struct iio_chan_spec *pose_channels(const struct pose *pose)
{
	struct iio_chan_spec *channels;
	unsigned int i;

	channels = kcalloc(pose->count, CHANNELS_PER_SERVO * sizeof(*channels),
			   GFP_KERNEL);
	if (!channels)
		return NULL;

	for (i = 0; i < pose->count; i++) {
		struct iio_chan_spec *chan = &channels[CHANNELS_PER_SERVO * i];
		u8 id = pose->targets[i].servo->ddev->id;

		pose_channel(chan, id, SERVO_GOAL_POSITION,
			     CHANNELS_PER_SERVO * i);
		pose_channel(chan + 1, id, SERVO_GOAL_SPEED,
			     CHANNELS_PER_SERVO * i + 1);
	}

	return channels;
}

/* --- packets --- */

/* Goal speed follows goal position, in every model so far. */
static u8 goal_address(const struct dxl_servo *servo)
{
	return servo->model->fields[SERVO_GOAL_POSITION].addr;
}

/* Find the packet that can take @servo, or begin one. */
static struct pose_packet *packet_for(struct pose *pose,
				      const struct dxl_servo *servo)
{
	enum dxl_protocol protocol = servo->model->protocol;
	u8 addr = goal_address(servo);
	struct pose_packet *packet;
	unsigned int i;

	for (i = 0; i < pose->num_packets; i++) {
		packet = &pose->packets[i];
		if (packet->xfer.request.protocol == protocol &&
		    packet->addr == addr &&
		    packet->servos < SERVOS_PER_PACKET)
			return packet;
	}

	packet = &pose->packets[pose->num_packets++];
	packet->addr = addr;
	packet->xfer = (struct dxl_transfer){
		.request = {
			.protocol = protocol,
			.id = DXL_ID_BROADCAST,
			.instruction = DXL_SYNC_WRITE,
			.params = packet->params,
			.len = dxl_put_range(protocol, packet->params, addr,
					     GOAL_SIZE),
		},
		.complete = pose_complete,
		.context = pose,
	};

	return packet;
}

static struct pose_slot *add_to_packet(struct pose *pose,
				       const struct dxl_servo *servo)
{
	struct pose_packet *packet = packet_for(pose, servo);
	struct dxl_packet *request = &packet->xfer.request;
	struct pose_slot *slot;

	slot = (struct pose_slot *)&packet->params[request->len];
	slot->id = servo->ddev->id;
	request->len += sizeof(*slot);
	packet->servos++;

	return slot;
}

/* --- life --- */

static void pose_free(struct iio_dev *indio_dev)
{
	struct pose *pose = iio_priv(indio_dev);

	kfree(indio_dev->name);
	kfree(indio_dev->channels);
	kfree(pose->packets);
	kfree(pose->targets);
	kfree(pose->sample);
	iio_device_free(indio_dev);
}

static int pose_init(struct iio_dev *indio_dev, struct dxl_bus *bus,
		     const struct list_head *servos)
{
	struct pose *pose = iio_priv(indio_dev);
	unsigned int count = list_count_nodes((struct list_head *)servos);
	struct dxl_servo *servo;

	pose->bus = bus;

	/* As many packets as there are servos is more than can be needed. */
	pose->sample = kcalloc(count, sizeof(*pose->sample), GFP_KERNEL);
	pose->targets = kcalloc(count, sizeof(*pose->targets), GFP_KERNEL);
	pose->packets = kcalloc(count, sizeof(*pose->packets), GFP_KERNEL);
	if (!pose->sample || !pose->targets || !pose->packets)
		return -ENOMEM;

	list_for_each_entry(servo, servos, node) {
		struct pose_target *target = &pose->targets[pose->count];

		if (READ_ONCE(servo->wrong))
			continue;

		pose->count++;
		target->servo = servo;
		target->slot = add_to_packet(pose, servo);
	}

	indio_dev->name = kasprintf(GFP_KERNEL, "%s-goal",
				    dev_name(dxl_bus_dev(bus)));
	indio_dev->channels = pose_channels(pose);
	if (!indio_dev->name || !indio_dev->channels)
		return -ENOMEM;

	indio_dev->num_channels = CHANNELS_PER_SERVO * pose->count;
	indio_dev->info = &pose_info;
	indio_dev->modes = INDIO_DIRECT_MODE;

	return 0;
}

/**
 * dxl_pose_create() - create and register the pose device of a bus
 * @bus: the bus
 * @servos: what it moves, &struct dxl_servo by rising ID; they must outlive it
 *
 * Return: the IIO device, an ERR_PTR, or NULL where there is nothing to move
 */
struct iio_dev *dxl_pose_create(struct dxl_bus *bus,
				const struct list_head *servos)
{
	struct iio_dev *indio_dev;
	int ret;

	indio_dev = iio_device_alloc(dxl_bus_dev(bus), sizeof(struct pose));
	if (!indio_dev)
		return ERR_PTR(-ENOMEM);

	ret = pose_init(indio_dev, bus, servos);
	if (ret)
		goto err_free;
	if (!indio_dev->num_channels) {
		pose_free(indio_dev);
		return NULL;
	}

	ret = iio_triggered_buffer_setup_ext(indio_dev, NULL,
					     pose_trigger_handler,
					     IIO_BUFFER_DIRECTION_OUT,
					     &pose_buffer_ops, NULL);
	if (ret)
		goto err_free;

	indio_dev->trig = iio_trigger_get(dxl_bus_cycle(bus));
	ret = iio_device_register(indio_dev);
	if (ret)
		goto err_buffer;

	return indio_dev;

err_buffer:
	iio_triggered_buffer_cleanup(indio_dev);
err_free:
	pose_free(indio_dev);

	return ERR_PTR(ret);
}

/**
 * dxl_pose_destroy() - take back dxl_pose_create()
 * @indio_dev: the pose device
 */
void dxl_pose_destroy(struct iio_dev *indio_dev)
{
	iio_device_unregister(indio_dev);
	iio_triggered_buffer_cleanup(indio_dev);
	pose_free(indio_dev);
}
