// SPDX-License-Identifier: GPL-2.0
/*
 * What a board keeps for its robot without power, as non-volatile memory
 *
 * It is read and written in pieces, which keep no exchange of the bus waiting. Those in
 * pages are many, and the board hears nothing while it writes one, so they are only for
 * a bus that nobody streams on. Its name is taken while a consumer holds that of a board
 * which has been unbound: bound anew, the board goes without.
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/nvmem-provider.h>

#include <linux/dxl/cycle.h>

#include "board.h"

static const struct dxl_table *table_of(const struct dxl_board *board)
{
	return &dxl_board_layout(board)->table;
}

static u16 addr_of(const struct dxl_board *board, unsigned int offset)
{
	return table_of(board)->storage + offset;
}

/* What it has; with old firmware none that is in pages. */
static size_t storage_size(const struct dxl_board *board)
{
	const struct dxl_table *table = table_of(board);

	if (dxl_board_is_older(board, dxl_board_layout(board)->pages_firmware))
		return table->pages - table->storage;

	return table->storage_size;
}

/* Users in the kernel may ask for anything, and a board may be an older one now. */
static int check_stored(struct dxl_board *board, unsigned int offset,
			size_t bytes)
{
	size_t size;
	int ret;

	ret = dxl_board_ready(board);
	if (ret)
		return ret;

	size = storage_size(board);

	return offset <= size && bytes <= size - offset ? 0 : -EINVAL;
}

static int check_stream(const struct dxl_board *board, u16 addr)
{
	const struct dxl_table *table = table_of(board);

	if (table->pages && addr >= table->pages &&
	    dxl_cycle_is_streaming(board->ddev->bus))
		return -EBUSY;

	return 0;
}

static int read_piece(struct dxl_board *board, u16 addr, void *val, size_t size)
{
	return check_stream(board, addr) ?:
	       dxl_board_read_attribute(board, addr, val, size);
}

static int write_piece(struct dxl_board *board, u16 addr, void *val, size_t size)
{
	return check_stream(board, addr) ?:
	       dxl_eeprom_write(board->ddev, addr, val, size);
}

/* One after the other until one fails, each within a page. */
static int each_piece(struct dxl_board *board, unsigned int offset, void *val,
		      size_t bytes,
		      int (*transfer)(struct dxl_board *board, u16 addr,
				      void *val, size_t size))
{
	size_t size;
	int ret;

	ret = check_stored(board, offset, bytes);
	for (; bytes && !ret; bytes -= size) {
		u16 addr = addr_of(board, offset);

		size = min(bytes, DXL_PAGE_SIZE - addr % DXL_PAGE_SIZE);
		ret = transfer(board, addr, val, size);
		offset += size;
		val += size;
	}

	return ret;
}

static int storage_read(void *priv, unsigned int offset, void *val,
			size_t bytes)
{
	return each_piece(priv, offset, val, bytes, read_piece);
}

static int storage_write(void *priv, unsigned int offset, void *val,
			 size_t bytes)
{
	return each_piece(priv, offset, val, bytes, write_piece);
}

static unsigned int num_cells(const struct dxl_board *board)
{
	const struct dxl_board_layout *layout = dxl_board_layout(board);
	size_t size = storage_size(board);
	unsigned int count = 0;

	while (count < layout->num_cells && layout->cells[count].offset < size)
		count++;

	return count;
}

/**
 * dxl_board_add_storage() - register the storage of a board, if it has one
 * @board: the board
 *
 * All else that is on the board does not depend on it. Of one that has not answered
 * yet it is as large as it can be.
 */
void dxl_board_add_storage(struct dxl_board *board)
{
	struct device *dev = &board->ddev->dev;
	const struct nvmem_config config = {
		.dev = dev,
		.name = dev_name(dev),
		.id = NVMEM_DEVID_NONE,
		.type = NVMEM_TYPE_EEPROM,
		.cells = dxl_board_layout(board)->cells,
		.ncells = num_cells(board),
		.size = storage_size(board),
		.reg_read = storage_read,
		.reg_write = storage_write,
		.priv = board,
	};
	struct nvmem_device *nvmem;

	if (!config.size)
		return;

	nvmem = devm_nvmem_register(dev, &config);
	if (IS_ERR(nvmem))
		dev_warn(dev, "cannot register the storage: %pe\n", nvmem);
}
