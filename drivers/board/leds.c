// SPDX-License-Identifier: GPL-2.0
/*
 * The lights of a board, as LED class devices
 *
 * All of them lie side by side in the board's registers and are written together. A
 * change waits for the next exchange of the bus, so many changes are one item of its
 * packet. A board does not say whether it has heard that, so the exchange behind has
 * it once more. Where none begins within a beat, as the bus does not cycle, one write
 * of its own has them all, and that is answered.
 *
 * Locks: @lock guards the image and what is to be done with it. It is taken in any
 * context, by triggers of LEDs, and nests in the lock of the exchange.
 */
#include <linux/bitops.h>
#include <linux/container_of.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/led-class-multicolor.h>
#include <linux/leds.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <linux/dxl/cycle.h>

#include "board.h"

#define COLORS		3

/* So many exchanges have a change. */
#define EXCHANGES	2

/* How long a change waits for each of them at most. */
#define WAIT_MAX_US	20000

/**
 * struct light - a light
 * @mc: its LED class device
 * @colors: the colours, of an RGB light
 * @desc: what it is
 * @leds: the lights of its board
 */
struct light {
	struct led_classdev_mc mc;
	struct mc_subled colors[COLORS];
	const struct dxl_board_led *desc;
	struct dxl_board_leds *leds;
};

/**
 * struct dxl_board_leds - the lights of a board
 * @board: the board
 * @lock: guards all up to @writing
 * @image: what their registers are to hold
 * @sending: what the exchange that is under way writes there
 * @owed: how many more exchanges are to write that, unless a write of its own does
 * @soon: that will within a beat, so a change need not hurry it
 * @writing: a write of its own is under way, which a later one must not overtake
 * @output: writes them in exchanges
 * @write: writes them when none begins
 * @lights: each of them
 */
struct dxl_board_leds {
	struct dxl_board *board;
	spinlock_t lock; /* see above */
	u8 image[BOARD_LEDS_SIZE];
	u8 sending[BOARD_LEDS_SIZE];
	unsigned int owed;
	bool soon;
	bool writing;
	struct dxl_output output;
	struct delayed_work write;
	struct light lights[];
};

static unsigned int levels(const struct dxl_board_led *desc)
{
	return BIT(desc->bits) - 1;
}

/* --- to the board --- */

static struct dxl_item item_of(struct dxl_board_leds *leds)
{
	const struct dxl_board_layout *layout = dxl_board_layout(leds->board);

	return (struct dxl_item){
		.ddev = leds->board->ddev,
		.addr = layout->leds_addr,
		.len = layout->leds_size,
		.buf = leds->sending,
	};
}

/* They may be changed at any time. */
static unsigned int output_plan(struct dxl_output *output,
				struct dxl_item *items)
{
	items[0] = item_of(container_of(output, struct dxl_board_leds, output));

	return 1;
}

/* One that is not what it is taken for has other registers. */
static bool may_write(const struct dxl_board_leds *leds)
{
	return leds->owed && !leds->writing &&
	       dxl_board_is_configured(leds->board);
}

/* Leave what is owed to the next exchange, if there is one within a beat. */
static void wait_for_exchange(struct dxl_board_leds *leds)
{
	u32 us = min(dxl_cycle_period_us(leds->board->ddev->bus), WAIT_MAX_US);

	lockdep_assert_held(&leds->lock);

	leds->soon = true;
	mod_delayed_work(system_percpu_wq, &leds->write, usecs_to_jiffies(us) + 1);
}

static unsigned int output_fill(struct dxl_output *output,
				struct dxl_item *items)
{
	struct dxl_board_leds *leds = container_of(output,
						   struct dxl_board_leds,
						   output);
	unsigned int count = 0;
	unsigned long flags;

	spin_lock_irqsave(&leds->lock, flags);
	if (may_write(leds)) {
		memcpy(leds->sending, leds->image, sizeof(leds->image));
		items[0] = item_of(leds);
		count = 1;
		if (--leds->owed)
			wait_for_exchange(leds);
	}
	spin_unlock_irqrestore(&leds->lock, flags);

	return count;
}

static void failed(struct dxl_board_leds *leds)
{
	unsigned long flags;

	spin_lock_irqsave(&leds->lock, flags);
	leds->owed = EXCHANGES;
	spin_unlock_irqrestore(&leds->lock, flags);
	schedule_delayed_work(&leds->write, msecs_to_jiffies(BOARD_RETRY_MS));
}

static void output_sent(struct dxl_output *output, const struct dxl_item *items,
			unsigned int count)
{
	if (items[0].status)
		failed(container_of(output, struct dxl_board_leds, output));
}

/* Take what is to be written, if there is something. */
static bool begin_write(struct dxl_board_leds *leds, u8 *raw)
{
	unsigned long flags;
	bool owed;

	spin_lock_irqsave(&leds->lock, flags);
	owed = leds->owed;
	leds->owed = 0;
	leds->soon = false;
	leds->writing = owed;
	memcpy(raw, leds->image, sizeof(leds->image));
	spin_unlock_irqrestore(&leds->lock, flags);

	return owed;
}

static void end_write(struct dxl_board_leds *leds)
{
	unsigned long flags;

	spin_lock_irqsave(&leds->lock, flags);
	leds->writing = false;
	spin_unlock_irqrestore(&leds->lock, flags);
}

static int write_now(struct dxl_board_leds *leds)
{
	const struct dxl_board_layout *layout = dxl_board_layout(leds->board);
	u8 raw[BOARD_LEDS_SIZE];
	int ret;

	if (!begin_write(leds, raw))
		return 0;

	ret = dxl_board_write(leds->board, layout->leds_addr, raw,
			      layout->leds_size);
	end_write(leds);

	return ret;
}

static void write_work(struct work_struct *work)
{
	struct dxl_board_leds *leds = container_of(to_delayed_work(work),
						   struct dxl_board_leds,
						   write);
	int ret = write_now(leds);

	if (ret && dxl_board_may_retry(leds->board, ret))
		failed(leds);
}

/*
 * What else is changed until they are written puts that off no further. While the first
 * of them are set up, which may set them, nothing is written for the last.
 */
static void changed(struct dxl_board_leds *leds)
{
	lockdep_assert_held(&leds->lock);

	leds->owed = EXCHANGES;
	if (!leds->soon && READ_ONCE(leds->board->leds))
		wait_for_exchange(leds);
}

/**
 * dxl_board_renew_leds() - write the lights of a board that may have forgotten them
 * @board: the board
 */
void dxl_board_renew_leds(struct dxl_board *board)
{
	struct dxl_board_leds *leds = board->leds;
	unsigned long flags;

	if (!leds)
		return;

	spin_lock_irqsave(&leds->lock, flags);
	changed(leds);
	spin_unlock_irqrestore(&leds->lock, flags);
}

/* --- from the LED class --- */

static void put_bits(u8 *image, unsigned int bit, unsigned int bits,
		     unsigned int value)
{
	for (; bits; bits--, bit++, value >>= 1) {
		image[bit / BITS_PER_BYTE] &= ~BIT(bit % BITS_PER_BYTE);
		if (value & 1)
			image[bit / BITS_PER_BYTE] |= BIT(bit % BITS_PER_BYTE);
	}
}

/* User space may set a colour to more than there is. */
static void put_colors(struct light *light, enum led_brightness brightness)
{
	const struct dxl_board_led *desc = light->desc;
	unsigned int i, value;

	led_mc_calc_color_components(&light->mc, brightness);
	for (i = 0; i < COLORS; i++) {
		value = min(light->colors[i].brightness, levels(desc));
		put_bits(light->leds->image, desc->bit + i * desc->step,
			 desc->bits, value);
	}
}

static void light_set(struct led_classdev *cdev, enum led_brightness brightness)
{
	struct light *light = container_of(lcdev_to_mccdev(cdev), struct light,
					   mc);
	const struct dxl_board_led *desc = light->desc;
	struct dxl_board_leds *leds = light->leds;
	unsigned long flags;

	spin_lock_irqsave(&leds->lock, flags);
	if (desc->step)
		put_colors(light, brightness);
	else
		put_bits(leds->image, desc->bit, desc->bits, brightness);
	changed(leds);
	spin_unlock_irqrestore(&leds->lock, flags);
}

static void set_colors(struct light *light)
{
	static const unsigned int ids[COLORS] = {
		LED_COLOR_ID_RED, LED_COLOR_ID_GREEN, LED_COLOR_ID_BLUE,
	};
	unsigned int i;

	for (i = 0; i < COLORS; i++) {
		light->colors[i].color_index = ids[i];
		light->colors[i].intensity = levels(light->desc);
	}
	light->mc.num_colors = COLORS;
	light->mc.subled_info = light->colors;
}

static int add_light(struct dxl_board_leds *leds, struct light *light,
		     const struct dxl_board_led *desc)
{
	const struct dxl_board *board = leds->board;
	struct device *dev = &board->ddev->dev;
	struct led_classdev *cdev = &light->mc.led_cdev;

	light->desc = desc;
	light->leds = leds;
	cdev->name = devm_kasprintf(dev, GFP_KERNEL, "%s:%s",
				    board->label ?: dev_name(dev), desc->name);
	if (!cdev->name)
		return -ENOMEM;

	cdev->max_brightness = levels(desc);
	cdev->brightness_set = light_set;
	cdev->default_trigger = dxl_board_touch_trigger(board, desc->touch);
	if (!desc->step)
		return devm_led_classdev_register(dev, cdev);

	set_colors(light);

	return devm_led_classdev_multicolor_register(dev, &light->mc);
}

/* --- life --- */

/* The lights have gone off with their devices. */
static void stop(void *data)
{
	struct dxl_board_leds *leds = data;

	dxl_cycle_remove_output(leds->board->ddev->bus, &leds->output);
	cancel_delayed_work_sync(&leds->write);
	write_now(leds);
}

static int start(struct dxl_board_leds *leds)
{
	struct dxl_device *ddev = leds->board->ddev;
	int ret;

	spin_lock_init(&leds->lock);
	INIT_DELAYED_WORK(&leds->write, write_work);
	leds->output.max_items = 1;
	leds->output.plan = output_plan;
	leds->output.fill = output_fill;
	leds->output.sent = output_sent;

	ret = dxl_cycle_add_output(ddev->bus, &leds->output);
	if (ret)
		return ret;

	return devm_add_action_or_reset(&ddev->dev, stop, leds);
}

/**
 * dxl_board_add_leds() - register the lights of a board, if it has some
 * @board: the board
 *
 * They are switched off.
 *
 * Return: 0 or a negative errno
 */
int dxl_board_add_leds(struct dxl_board *board)
{
	const struct dxl_board_led *desc = dxl_board_layout(board)->leds;
	struct dxl_board_leds *leds;
	unsigned int i, count = 0;
	int ret;

	if (!desc)
		return 0;

	while (desc[count].name)
		count++;

	leds = devm_kzalloc(&board->ddev->dev,
			    struct_size(leds, lights, count), GFP_KERNEL);
	if (!leds)
		return -ENOMEM;

	leds->board = board;
	ret = start(leds);
	if (ret)
		return ret;

	for (i = 0; i < count; i++) {
		ret = add_light(leds, &leds->lights[i], &desc[i]);
		if (ret)
			return ret;
	}

	WRITE_ONCE(board->leds, leds);
	dxl_board_renew_leds(board);

	return 0;
}
