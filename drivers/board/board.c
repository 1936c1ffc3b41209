// SPDX-License-Identifier: GPL-2.0
/*
 * Sensor and controller boards on a Dynamixel bus
 *
 * One driver for all of them, see model_list.h: a board is a row that composes
 * functions, each of which is a file here. A board that does not answer when its
 * driver binds keeps its devices and is set up on the first access that it answers;
 * so is one that has been lost, which may be another one now, or have been reset.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/iio/iio.h>
#include <linux/lockdep.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/property.h>

#include "board.h"

/* --- access --- */

static int check_model(struct dxl_board *board)
{
	const struct dxl_board_model *model = board->model;
	struct dxl_device *ddev = board->ddev;
	int ret;

	ret = dxl_identify(ddev);
	if (ret)
		return ret;
	WRITE_ONCE(board->wrong_model,
		   model->number && ddev->model_number != model->number);
	if (!board->wrong_model)
		return 0;

	dev_err_ratelimited(&ddev->dev,
			    "found model number %u, expected %u (%s)\n",
			    ddev->model_number, model->number,
			    dxl_board_name(board));

	return -ENODEV;
}

static unsigned int configured_now(const struct dxl_board *board)
{
	return READ_ONCE(board->ddev->times_lost) + 1;
}

/* One that is lost while it is asked will have to be asked again. */
static int configure(struct dxl_board *board)
{
	unsigned int configured = configured_now(board);
	int ret;

	lockdep_assert_held(&board->lock);

	WRITE_ONCE(board->configured, 0);
	dxl_forget_answers(board->ddev);
	ret = check_model(board);
	if (ret)
		return ret;
	ret = dxl_learn_answers(board->ddev);
	if (ret)
		return ret;
	ret = dxl_board_write_outputs(board);
	if (ret)
		return ret;

	WRITE_ONCE(board->ddev->features, dxl_board_layout(board)->features);
	WRITE_ONCE(board->configured, configured);

	return 0;
}

/**
 * dxl_board_is_configured() - whether a board is known to be what it is taken for
 * @board: the board
 *
 * One that has been lost is not, even before its driver is told that it is back.
 *
 * Context: Any context.
 * Return: true if nobody has to ask it
 */
bool dxl_board_is_configured(const struct dxl_board *board)
{
	return READ_ONCE(board->configured) == configured_now(board);
}

/**
 * dxl_board_is_gone() - whether there is no such board any more
 * @board: the board
 *
 * Context: Any context.
 * Return: true if it is lost, or another model is in its place
 */
bool dxl_board_is_gone(const struct dxl_board *board)
{
	return READ_ONCE(board->ddev->state) == DXL_LOST ||
	       READ_ONCE(board->wrong_model);
}

/**
 * dxl_board_may_retry() - whether to repeat a write that has failed
 * @board: the board
 * @error: how it has
 *
 * One that is lost or another model is written to when it has come back; one that
 * refuses would do so again.
 *
 * Context: Any context.
 * Return: true if it is worth another try, a while later
 */
bool dxl_board_may_retry(const struct dxl_board *board, int error)
{
	return error != -EREMOTEIO && !dxl_board_is_gone(board);
}

/**
 * dxl_board_ready() - see that a board may be used
 * @board: the board
 *
 * Context: Process context. Sleeps.
 * Return: 0, -ENODEV if it is another model, or as dxl_read()
 */
int dxl_board_ready(struct dxl_board *board)
{
	guard(mutex)(&board->lock);

	return dxl_board_is_configured(board) ? 0 : configure(board);
}

/**
 * dxl_board_read() - read registers of a board
 * @board: the board
 * @addr: the first
 * @raw: where they go
 * @size: their number
 *
 * Context: Process context. Sleeps.
 * Return: 0 or a negative errno
 */
int dxl_board_read(struct dxl_board *board, u16 addr, u8 *raw, u16 size)
{
	return dxl_board_ready(board) ?:
	       dxl_read(board->ddev, addr, raw, size);
}

/**
 * dxl_board_read_attribute() - dxl_board_read() for whoever reads an attribute
 * @board: the board
 * @addr: the first
 * @raw: where they go
 * @size: their number
 *
 * Others go first, see dxl_read_attribute().
 *
 * Context: Process context. Sleeps.
 * Return: as dxl_board_read()
 */
int dxl_board_read_attribute(struct dxl_board *board, u16 addr, u8 *raw, u16 size)
{
	return dxl_board_ready(board) ?:
	       dxl_read_attribute(board->ddev, addr, raw, size);
}

/**
 * dxl_board_write() - write registers of a board outside of the EEPROM
 * @board: the board
 * @addr: the first
 * @raw: what they are to hold
 * @size: their number
 *
 * Context: Process context. Sleeps.
 * Return: 0 or a negative errno
 */
int dxl_board_write(struct dxl_board *board, u16 addr, const u8 *raw, u16 size)
{
	return dxl_board_ready(board) ?:
	       dxl_write(board->ddev, addr, raw, size);
}

/* --- life --- */

static int board_setup(struct dxl_board *board, struct dxl_device *ddev)
{
	struct device *dev = &ddev->dev;

	board->ddev = ddev;
	board->model = dxl_device_get_match_data(ddev);
	if (!board->model)
		return -ENODEV;

	device_property_read_string(dev, "label", &board->label);
	WRITE_ONCE(ddev->protocol, board->model->protocol);
	ddev->table = &dxl_board_layout(board)->table;

	return devm_mutex_init(dev, &board->lock) ?:
	       dxl_board_init_ports(board) ?:
	       dxl_board_init_sonar(board);
}

static int board_probe(struct dxl_device *ddev)
{
	struct device *dev = &ddev->dev;
	struct iio_dev *indio_dev;
	struct dxl_board *board;
	int ret;

	indio_dev = devm_iio_device_alloc(dev, sizeof(*board));
	if (!indio_dev)
		return -ENOMEM;

	board = iio_priv(indio_dev);
	ret = board_setup(board, ddev);
	if (ret)
		return ret;
	dxl_set_drvdata(ddev, board);

	ret = dxl_board_ready(board);
	if (ret == -ENODEV)
		return ret;
	if (ret)
		dev_warn(dev, "no answer of a %s: %pe\n",
			 dxl_board_name(board), ERR_PTR(ret));

	dxl_board_add_storage(board);

	return dxl_board_add_touch(board) ?:
	       dxl_board_add_leds(board) ?:
	       dxl_board_add_keys(board) ?:
	       dxl_board_add_buzzer(board) ?:
	       dxl_board_add_battery(board) ?:
	       dxl_board_iio(indio_dev);
}

/* It may have been without power. */
static void renew(struct dxl_board *board)
{
	dxl_board_renew_outputs(board);
	dxl_board_renew_leds(board);
	dxl_board_renew_sonar(board);
}

static void board_returned(struct dxl_device *ddev)
{
	struct dxl_board *board = dxl_get_drvdata(ddev);

	scoped_guard(mutex, &board->lock)
		configure(board);
	renew(board);
}

/* So it may, for a moment. Or it only says that it is not well, which does not matter. */
static void board_doubted(struct dxl_device *ddev)
{
	renew(dxl_get_drvdata(ddev));
}

static int board_resume(struct device *dev)
{
	struct dxl_device *ddev = to_dxl_device(dev);

	board_returned(ddev);
	if (!dxl_board_is_configured(dxl_get_drvdata(ddev)))
		dev_warn(dev, "does not answer after the machine slept\n");

	return 0;
}

static DEFINE_SIMPLE_DEV_PM_OPS(board_pm_ops, NULL, board_resume);

/* --- what the driver binds to --- */

#define DXL_BOARD(_protocol, _number, _compatible, ...)			\
	{								\
		.compatible = _compatible,				\
		.data = &dxl_board_models[DXL_BOARD_INDEX(_protocol,	\
							  _number)],	\
	},

static const struct of_device_id board_of_match[] = {
#include "model_list.h"
	{ }
};
MODULE_DEVICE_TABLE(of, board_of_match);

#undef DXL_BOARD
#define DXL_BOARD(_protocol, _number, ...)				\
	{								\
		.protocol = DXL_PROTOCOL_##_protocol,			\
		.model_number = 0x##_number,				\
		.data = &dxl_board_models[DXL_BOARD_INDEX(_protocol,	\
							  _number)],	\
	},

/* A scan finds boards by their number alone. */
#define DXL_BOARD_UNNUMBERED(...)

static const struct dxl_device_id board_ids[] = {
#include "model_list.h"
	{ }
};

/* As in the servo driver: what a MODULE_ALIAS() for each row would leave. */
#undef DXL_BOARD
#define DXL_BOARD(_protocol, _number, ...) \
	"alias=dxl:p" #_protocol "m" #_number "\0"
#define DXL_BOARD_UNNUMBERED(...)

static const char board_aliases[] __used __section(".modinfo") __aligned(1) =
#include "model_list.h"
;

static struct dxl_driver board_driver = {
	.driver = {
		.name = "dxl-board",
		.pm = pm_sleep_ptr(&board_pm_ops),
		.of_match_table = board_of_match,
		.probe_type = PROBE_PREFER_ASYNCHRONOUS,
	},
	.id_table = board_ids,
	.probe = board_probe,
	.returned = board_returned,
	.doubted = board_doubted,
};
module_dxl_driver(board_driver);

MODULE_DESCRIPTION("Boards on a Dynamixel bus");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("DXL");
