// SPDX-License-Identifier: GPL-2.0
/*
 * The buzzer of a board, as an input device that makes sounds
 */
#include <linux/container_of.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/input.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/unaligned.h>
#include <linux/workqueue.h>

#include "board.h"

/* As that of the kernel's other beepers. */
#define BELL_HZ		1000

/**
 * struct dxl_board_buzzer - the buzzer of a board
 * @board: the board
 * @hz: the tone that it is to make, or 0
 * @write: has it make that
 */
struct dxl_board_buzzer {
	struct dxl_board *board;
	u16 hz;
	struct work_struct write;
};

static void write_tone(struct dxl_board_buzzer *buzzer)
{
	struct dxl_board *board = buzzer->board;
	u8 raw[2];
	int ret;

	put_unaligned_le16(READ_ONCE(buzzer->hz), raw);
	ret = dxl_board_write(board, dxl_board_layout(board)->buzzer_addr, raw,
			      sizeof(raw));
	if (ret)
		dev_warn_ratelimited(&board->ddev->dev, "no tone: %pe\n",
				     ERR_PTR(ret));
}

static void write_work(struct work_struct *work)
{
	write_tone(container_of(work, struct dxl_board_buzzer, write));
}

/* Called with interrupts off. */
static int buzzer_event(struct input_dev *input, unsigned int type,
			unsigned int code, int value)
{
	struct dxl_board_buzzer *buzzer = input_get_drvdata(input);

	if (type != EV_SND || value < 0)
		return -EINVAL;

	if (code == SND_BELL)
		value = value ? BELL_HZ : 0;
	WRITE_ONCE(buzzer->hz, min(value, U16_MAX));
	schedule_work(&buzzer->write);

	return 0;
}

/* Whoever made it sound may have died. */
static void buzzer_close(struct input_dev *input)
{
	struct dxl_board_buzzer *buzzer = input_get_drvdata(input);

	cancel_work_sync(&buzzer->write);
	if (!READ_ONCE(buzzer->hz))
		return;

	WRITE_ONCE(buzzer->hz, 0);
	write_tone(buzzer);
}

/**
 * dxl_board_add_buzzer() - register the buzzer of a board, if it has one
 * @board: the board
 *
 * Return: 0 or a negative errno
 */
int dxl_board_add_buzzer(struct dxl_board *board)
{
	struct dxl_board_buzzer *buzzer;
	struct input_dev *input;

	if (!dxl_board_layout(board)->buzzer_addr)
		return 0;

	buzzer = devm_kzalloc(&board->ddev->dev, sizeof(*buzzer), GFP_KERNEL);
	if (!buzzer)
		return -ENOMEM;

	buzzer->board = board;
	INIT_WORK(&buzzer->write, write_work);
	input = dxl_board_input_dev(board, buzzer);
	if (!input)
		return -ENOMEM;

	input_set_capability(input, EV_SND, SND_BELL);
	input_set_capability(input, EV_SND, SND_TONE);
	input->event = buzzer_event;
	input->close = buzzer_close;

	return input_register_device(input);
}
