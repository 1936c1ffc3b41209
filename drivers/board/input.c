// SPDX-License-Identifier: GPL-2.0
/*
 * What the input devices of a board have in common
 */
#include <linux/device.h>
#include <linux/input.h>

#include "board.h"

/**
 * dxl_board_input_dev() - make an input device of a board
 * @board: the board
 * @what: what it is on the board
 * @number: tells it from the others of the board
 * @data: what input_get_drvdata() gives of it
 *
 * Return: the device, not yet registered; or NULL
 */
struct input_dev *dxl_board_input_dev(struct dxl_board *board,
				      const char *what, unsigned int number,
				      void *data)
{
	struct device *dev = &board->ddev->dev;
	struct input_dev *input;

	input = devm_input_allocate_device(dev);
	if (!input)
		return NULL;

	input->name = devm_kasprintf(dev, GFP_KERNEL, "%s %s",
				     board->label ?: dxl_board_name(board), what);
	input->phys = devm_kasprintf(dev, GFP_KERNEL, "%s/input%u",
				     dev_name(dev), number);
	if (!input->name || !input->phys)
		return NULL;

	input->id.bustype = BUS_RS232;
	input->id.product = board->model->number;
	input_set_drvdata(input, data);

	return input;
}
