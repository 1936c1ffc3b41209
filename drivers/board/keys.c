// SPDX-License-Identifier: GPL-2.0
/*
 * The buttons of a board, as an input device
 *
 * Whoever reads their register reports them: the frames of the bus, if they carry
 * it, or a poll that sees to it while somebody listens. What counts is their state
 * and not a change of it, so that an answer that is missing hides no release. The
 * buttons of a board that is lost are taken to be released.
 *
 * Nothing is done about contacts that bounce: they do so for less time than lies
 * between two polls, but frames of a short period show it.
 */
#include <linux/bits.h>
#include <linux/container_of.h>
#include <linux/device.h>
#include <linux/input.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "board.h"

#define POLL_MS		20
#define POLL_MIN_MS	5
#define POLL_MAX_MS	1000

/**
 * struct dxl_board_keys - the buttons of a board
 * @board: the board
 * @input: their input device
 * @lock: guards @reports and the order of reports; taken in soft interrupt context
 * @reports: how many there have been
 * @polled: how many there were at the last poll
 */
struct dxl_board_keys {
	struct dxl_board *board;
	struct input_dev *input;
	spinlock_t lock; /* see above */
	unsigned int reports;
	unsigned int polled;
};

static void report(struct dxl_board_keys *keys, u32 pressed)
{
	const u16 *codes = dxl_board_layout(keys->board)->keys;
	unsigned int bit;

	lockdep_assert_held(&keys->lock);

	for (bit = 0; bit < BOARD_KEYS; bit++)
		if (codes[bit])
			input_report_key(keys->input, codes[bit],
					 pressed & BIT(bit));
	input_sync(keys->input);
	dxl_board_touched(keys->board, pressed);
	keys->reports++;
}

/**
 * dxl_board_report_keys() - report the buttons of a board
 * @board: the board, which has some
 * @pressed: the bits of those that are pressed
 *
 * Context: Process or soft interrupt context.
 */
void dxl_board_report_keys(struct dxl_board *board, u32 pressed)
{
	struct dxl_board_keys *keys = board->keys;

	spin_lock_bh(&keys->lock);
	report(keys, pressed);
	spin_unlock_bh(&keys->lock);
}

/**
 * dxl_board_key_reports() - how often the buttons of a board have been reported
 * @board: the board
 *
 * Return: what dxl_board_report_keys_since() is to be told; 0 if it has no buttons
 */
unsigned int dxl_board_key_reports(const struct dxl_board *board)
{
	return board->keys ? READ_ONCE(board->keys->reports) : 0;
}

/**
 * dxl_board_report_keys_since() - report buttons that may have been read long ago
 * @board: the board, which has some
 * @reports: dxl_board_key_reports() from before they were read; what somebody has
 *	reported since is newer
 * @pressed: the bits of those that were pressed
 *
 * Context: Process context.
 */
void dxl_board_report_keys_since(struct dxl_board *board, unsigned int reports,
				 u32 pressed)
{
	struct dxl_board_keys *keys = board->keys;

	spin_lock_bh(&keys->lock);
	if (keys->reports == reports)
		report(keys, pressed);
	spin_unlock_bh(&keys->lock);
}

static void keys_poll(struct input_dev *input)
{
	struct dxl_board_keys *keys = input_get_drvdata(input);
	struct dxl_board *board = keys->board;
	unsigned int reports = dxl_board_key_reports(board);
	u8 pressed = 0;
	int ret;

	/* Others read them often enough. */
	if (reports != keys->polled) {
		keys->polled = reports;
		return;
	}

	ret = dxl_board_read(board, dxl_board_layout(board)->keys_addr,
			     &pressed, sizeof(pressed));
	if (ret && !dxl_board_is_gone(board))
		return;

	dxl_board_report_keys_since(board, reports, ret ? 0 : pressed);
	keys->polled = dxl_board_key_reports(board);
}

static int add_input(struct dxl_board_keys *keys)
{
	const u16 *codes = dxl_board_layout(keys->board)->keys;
	struct input_dev *input = keys->input;
	unsigned int bit;
	int ret;

	for (bit = 0; bit < BOARD_KEYS; bit++)
		if (codes[bit])
			input_set_capability(input, EV_KEY, codes[bit]);

	ret = input_setup_polling(input, keys_poll);
	if (ret)
		return ret;
	input_set_poll_interval(input, POLL_MS);
	input_set_min_poll_interval(input, POLL_MIN_MS);
	input_set_max_poll_interval(input, POLL_MAX_MS);

	return input_register_device(input);
}

/**
 * dxl_board_add_keys() - register the buttons of a board, if it has some
 * @board: the board
 *
 * Return: 0 or a negative errno
 */
int dxl_board_add_keys(struct dxl_board *board)
{
	struct dxl_board_keys *keys;

	if (!dxl_board_layout(board)->keys_addr)
		return 0;

	keys = devm_kzalloc(&board->ddev->dev, sizeof(*keys), GFP_KERNEL);
	if (!keys)
		return -ENOMEM;

	keys->board = board;
	spin_lock_init(&keys->lock);
	keys->input = dxl_board_input_dev(board, "buttons", 0, keys);
	if (!keys->input)
		return -ENOMEM;

	board->keys = keys;

	return add_input(keys);
}
