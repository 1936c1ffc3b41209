// SPDX-License-Identifier: GPL-2.0
/*
 * The buzzer of a board, as an input device that makes sounds
 */
#include <linux/bitops.h>
#include <linux/container_of.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/input.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/unaligned.h>
#include <linux/workqueue.h>

#include "board.h"

/* As those of the kernel's other beepers: nobody hears less. */
#define BELL_HZ		1000
#define SILENT_HZ	20

/* The longest tone: a program that has been stopped does not end its own. */
#define LONGEST_MS	60000

/**
 * struct dxl_board_buzzer - the buzzer of a board
 * @board: the board
 * @hz: the tone that it is to make, or 0
 * @write: has it make that
 * @end: ends a tone that its program has not ended
 */
struct dxl_board_buzzer {
	struct dxl_board *board;
	u16 hz;
	struct work_struct write;
	struct delayed_work end;
};

static void write_work(struct work_struct *work)
{
	struct dxl_board_buzzer *buzzer = container_of(work,
						       struct dxl_board_buzzer,
						       write);
	struct dxl_board *board = buzzer->board;
	u8 raw[2];
	int ret;

	put_unaligned_le16(READ_ONCE(buzzer->hz), raw);
	ret = dxl_board_write(board, dxl_board_layout(board)->buzzer_addr, raw,
			      sizeof(raw));
	if (ret)
		dev_warn_ratelimited(&board->ddev->dev, "cannot write the tone: %pe\n",
				     ERR_PTR(ret));
}

static void end_work(struct work_struct *work)
{
	struct dxl_board_buzzer *buzzer =
		container_of(to_delayed_work(work), struct dxl_board_buzzer,
			     end);

	WRITE_ONCE(buzzer->hz, 0);
	schedule_work(&buzzer->write);
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
	/* After a suspend the input core says 1 for a tone that there was. */
	if (value <= SILENT_HZ)
		value = 0;
	WRITE_ONCE(buzzer->hz, min(value, U16_MAX));
	schedule_work(&buzzer->write);
	if (value)
		mod_delayed_work(system_percpu_wq, &buzzer->end,
				 msecs_to_jiffies(LONGEST_MS));
	else
		cancel_delayed_work(&buzzer->end);

	return 0;
}

/*
 * Whoever made it sound may have died. It is the input core that ends it, lest it
 * have it sound again after a suspend.
 */
static void buzzer_close(struct input_dev *input)
{
	unsigned int code;

	for_each_set_bit(code, input->snd, SND_CNT)
		input_event(input, EV_SND, code, 0);
}

/* A virtual console has every buzzer open for ever, so nobody else is the last. */
static int buzzer_flush(struct input_dev *input, struct file *file)
{
	buzzer_close(input);

	return 0;
}

static void buzzer_stop(void *data)
{
	struct dxl_board_buzzer *buzzer = data;

	cancel_delayed_work_sync(&buzzer->end);
	flush_work(&buzzer->write);
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
	int ret;

	if (!dxl_board_layout(board)->buzzer_addr)
		return 0;

	buzzer = devm_kzalloc(&board->ddev->dev, sizeof(*buzzer), GFP_KERNEL);
	if (!buzzer)
		return -ENOMEM;

	buzzer->board = board;
	INIT_WORK(&buzzer->write, write_work);
	INIT_DELAYED_WORK(&buzzer->end, end_work);
	ret = devm_add_action(&board->ddev->dev, buzzer_stop, buzzer);
	if (ret)
		return ret;

	input = dxl_board_input_dev(board, "buzzer", 1, buzzer);
	if (!input)
		return -ENOMEM;

	input_set_capability(input, EV_SND, SND_BELL);
	input_set_capability(input, EV_SND, SND_TONE);
	input->event = buzzer_event;
	input->close = buzzer_close;
	input->flush = buzzer_flush;

	return input_register_device(input);
}
