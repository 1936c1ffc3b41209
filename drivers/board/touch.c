// SPDX-License-Identifier: GPL-2.0
/*
 * The touch sensors of a board, as triggers of the lights near them
 *
 * A light comes on when the sensor near it is touched, and goes off when that is let
 * go, as long as it has the sensor's trigger. Whoever takes that from it, or gives it
 * to another light, does so as with any LED. A touch is seen when somebody reads the
 * buttons, see keys.c.
 */
#include <linux/bits.h>
#include <linux/device.h>
#include <linux/leds.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "board.h"

/**
 * struct dxl_board_touch - the triggers of a board's touch sensors
 * @touched: bits of those that are touched; guarded by the lock of the board's buttons
 * @triggers: one for each sensor, in the order of their bits
 */
struct dxl_board_touch {
	u32 touched;
	struct led_trigger triggers[BOARD_KEYS];
};

static const char *name_of(struct device *dev, const char *owner,
			   const char *sensor)
{
	return devm_kasprintf(dev, GFP_KERNEL, "%s-touch-%s", owner, sensor);
}

static int register_as(struct device *dev, struct led_trigger *trigger,
		       const char *owner, const char *sensor)
{
	trigger->name = name_of(dev, owner, sensor);
	if (!trigger->name)
		return -ENOMEM;

	return devm_led_trigger_register(dev, trigger);
}

/* Another robot on this machine may have a board of that label. */
static int add_trigger(struct dxl_board *board, struct led_trigger *trigger,
		       const char *sensor)
{
	struct device *dev = &board->ddev->dev;
	int ret;

	ret = register_as(dev, trigger, board->label ?: dev_name(dev), sensor);
	if (ret == -EEXIST && board->label)
		ret = register_as(dev, trigger, dev_name(dev), sensor);

	return ret;
}

/**
 * dxl_board_add_touch() - register the triggers of a board's touch sensors, if any
 * @board: the board; its lights are registered later
 *
 * Return: 0 or a negative errno
 */
int dxl_board_add_touch(struct dxl_board *board)
{
	const char *const *sensors = dxl_board_layout(board)->touch;
	struct dxl_board_touch *touch;
	unsigned int bit;
	int ret;

	if (!sensors)
		return 0;

	touch = devm_kzalloc(&board->ddev->dev, sizeof(*touch), GFP_KERNEL);
	if (!touch)
		return -ENOMEM;

	for (bit = 0; sensors[bit]; bit++) {
		ret = add_trigger(board, &touch->triggers[bit], sensors[bit]);
		if (ret)
			return ret;
	}
	board->touch = touch;

	return 0;
}

/**
 * dxl_board_touch_trigger() - the trigger of a touch sensor
 * @board: the board
 * @sensor: the sensor, as its layout calls it, or NULL
 *
 * Return: name of the trigger, or NULL if there is none
 */
const char *dxl_board_touch_trigger(const struct dxl_board *board,
				    const char *sensor)
{
	const char *const *sensors = dxl_board_layout(board)->touch;
	unsigned int bit;

	if (!sensor || !board->touch)
		return NULL;

	for (bit = 0; sensors[bit]; bit++)
		if (!strcmp(sensors[bit], sensor))
			return board->touch->triggers[bit].name;

	return NULL;
}

/**
 * dxl_board_touched() - light what is near the sensors that are touched
 * @board: the board
 * @touched: their bits
 *
 * Context: Any context, with the lock of the board's buttons held.
 */
void dxl_board_touched(struct dxl_board *board, u32 touched)
{
	const char *const *sensors = dxl_board_layout(board)->touch;
	struct dxl_board_touch *touch = board->touch;
	unsigned int bit;
	u32 changed;

	if (!touch)
		return;

	changed = touch->touched ^ touched;
	touch->touched = touched;
	for (bit = 0; sensors[bit]; bit++)
		if (changed & BIT(bit))
			led_trigger_event(&touch->triggers[bit],
					  touched & BIT(bit) ? LED_FULL :
							       LED_OFF);
}
