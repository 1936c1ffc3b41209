// SPDX-License-Identifier: GPL-2.0
/*
 * The mode of a board's sonar, as attributes of its IIO device
 *
 * A wave goes out when a mode is written, whatever it was before. Only a board that
 * is to send them by itself is told its mode again when it may have forgotten it.
 */
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/container_of.h>
#include <linux/device.h>
#include <linux/devm-helpers.h>
#include <linux/err.h>
#include <linux/iio/iio.h>
#include <linux/iio/sysfs.h>
#include <linux/jiffies.h>
#include <linux/kstrtox.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include "board.h"

#define PERIODIC	BIT(6)

/* Documentation/boards/nao-boards.rst: each may be periodic, too. */
static const u8 modes[] = { 0, 1, 2, 3, 4, 8, 12 };

static bool is_mode(u8 mode)
{
	return memchr(modes, mode & ~PERIODIC, sizeof(modes));
}

static int write_mode(struct dxl_board *board, u8 mode)
{
	return dxl_board_write(board, dxl_board_layout(board)->sonar_addr,
			       &mode, sizeof(mode));
}

static ssize_t sonar_mode_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	struct dxl_board *board = iio_priv(dev_to_iio_dev(dev));
	u8 mode;
	int ret;

	ret = dxl_board_read_attribute(board,
				       dxl_board_layout(board)->sonar_addr,
				       &mode, sizeof(mode));
	if (ret)
		return ret;

	return sysfs_emit(buf, "%u\n", mode);
}

static ssize_t sonar_mode_store(struct device *dev,
				struct device_attribute *attr, const char *buf,
				size_t len)
{
	struct dxl_board *board = iio_priv(dev_to_iio_dev(dev));
	u8 mode;
	int ret;

	ret = kstrtou8(buf, 10, &mode);
	if (ret)
		return ret;
	if (!is_mode(mode))
		return -EINVAL;

	guard(mutex)(&board->sonar_lock);

	/* Should it take that unheard, it must not be told to go on again. */
	if (!(mode & PERIODIC))
		board->sonar_mode = mode;
	ret = write_mode(board, mode);
	if (ret)
		return ret;
	board->sonar_mode = mode;

	return len;
}
static IIO_DEVICE_ATTR_RW(sonar_mode, 0);

static ssize_t sonar_mode_available_show(struct device *dev,
					 struct device_attribute *attr,
					 char *buf)
{
	unsigned int i;
	int at = 0;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		at += sysfs_emit_at(buf, at, "%u ", modes[i]);
	for (i = 0; i < ARRAY_SIZE(modes); i++)
		at += sysfs_emit_at(buf, at, "%lu ", modes[i] | PERIODIC);
	buf[at - 1] = '\n';

	return at;
}
static IIO_DEVICE_ATTR_RO(sonar_mode_available, 0);

static struct attribute *sonar_attrs[] = {
	&iio_dev_attr_sonar_mode.dev_attr.attr,
	&iio_dev_attr_sonar_mode_available.dev_attr.attr,
	NULL
};

const struct attribute_group dxl_board_sonar_group = {
	.attrs = sonar_attrs,
};

/* --- what it may have forgotten --- */

static void renew(struct dxl_board *board)
{
	int ret;

	lockdep_assert_held(&board->sonar_lock);

	if (!(board->sonar_mode & PERIODIC))
		return;

	ret = write_mode(board, board->sonar_mode);
	if (!ret)
		return;

	dev_warn_ratelimited(&board->ddev->dev, "cannot write the mode of the sonar: %pe\n",
			     ERR_PTR(ret));
	if (dxl_board_may_retry(board, ret))
		schedule_delayed_work(&board->sonar_retry,
				      msecs_to_jiffies(BOARD_RETRY_MS));
}

static void retry_work(struct work_struct *work)
{
	struct dxl_board *board = container_of(to_delayed_work(work),
					       struct dxl_board, sonar_retry);

	guard(mutex)(&board->sonar_lock);

	renew(board);
}

/**
 * dxl_board_renew_sonar() - have a board that may have forgotten its mode go on
 * @board: the board
 *
 * Context: Process context. Sleeps.
 */
void dxl_board_renew_sonar(struct dxl_board *board)
{
	guard(mutex)(&board->sonar_lock);

	/* One that is in doubt is told when it answers as it should. */
	if (READ_ONCE(board->ddev->state) == DXL_ACTIVE)
		renew(board);
}

/**
 * dxl_board_init_sonar() - prepare what a board with a sonar needs
 * @board: the board
 *
 * Return: 0 or a negative errno
 */
int dxl_board_init_sonar(struct dxl_board *board)
{
	struct device *dev = &board->ddev->dev;

	return devm_mutex_init(dev, &board->sonar_lock) ?:
	       devm_delayed_work_autocancel(dev, &board->sonar_retry,
					    retry_work);
}
