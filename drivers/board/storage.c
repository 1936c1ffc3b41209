// SPDX-License-Identifier: GPL-2.0
/*
 * What a board keeps for its robot without power, as non-volatile memory
 *
 * It is read and written in pieces, which keep no exchange of the bus waiting. Its
 * name is taken while a consumer holds that of a board which has been unbound: bound
 * anew, the board goes without.
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/nvmem-provider.h>

#include "board.h"

#define PIECE_SIZE	32

static u16 addr_of(const struct dxl_board *board, unsigned int offset)
{
	return dxl_board_layout(board)->table.storage + offset;
}

/* Users in the kernel may ask for anything. */
static bool is_stored(const struct dxl_board *board, unsigned int offset,
		      size_t bytes)
{
	size_t size = dxl_board_layout(board)->table.storage_size;

	return offset <= size && bytes <= size - offset;
}

static int storage_read(void *priv, unsigned int offset, void *val,
			size_t bytes)
{
	struct dxl_board *board = priv;
	size_t size;
	int ret = 0;

	if (!is_stored(board, offset, bytes))
		return -EINVAL;

	for (; bytes && !ret; bytes -= size) {
		size = min(bytes, PIECE_SIZE);
		ret = dxl_board_read_attribute(board, addr_of(board, offset),
					       val, size);
		offset += size;
		val += size;
	}

	return ret;
}

static int storage_write(void *priv, unsigned int offset, void *val,
			 size_t bytes)
{
	struct dxl_board *board = priv;
	size_t size;
	int ret;

	if (!is_stored(board, offset, bytes))
		return -EINVAL;

	ret = dxl_board_ready(board);
	for (; bytes && !ret; bytes -= size) {
		size = min(bytes, PIECE_SIZE);
		ret = dxl_eeprom_write(board->ddev, addr_of(board, offset), val,
				       size);
		offset += size;
		val += size;
	}

	return ret;
}

/**
 * dxl_board_add_storage() - register the storage of a board, if it has one
 * @board: the board
 *
 * All else that is on the board does not depend on it.
 */
void dxl_board_add_storage(struct dxl_board *board)
{
	const struct dxl_board_layout *layout = dxl_board_layout(board);
	struct device *dev = &board->ddev->dev;
	const struct nvmem_config config = {
		.dev = dev,
		.name = dev_name(dev),
		.id = NVMEM_DEVID_NONE,
		.type = NVMEM_TYPE_EEPROM,
		.cells = layout->cells,
		.ncells = layout->num_cells,
		.size = layout->table.storage_size,
		.reg_read = storage_read,
		.reg_write = storage_write,
		.priv = board,
	};
	struct nvmem_device *nvmem;

	if (!config.size)
		return;

	nvmem = devm_nvmem_register(dev, &config);
	if (IS_ERR(nvmem))
		dev_warn(dev, "no storage: %pe\n", nvmem);
}
