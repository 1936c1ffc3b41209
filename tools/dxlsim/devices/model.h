/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one kind of device is: its control table as data and a handful of
 * operations where data is not enough.
 */
#ifndef DXLSIM_MODEL_H
#define DXLSIM_MODEL_H

#include <linux/types.h>

#include <linux/dxl/packet.h>

#include "../base/base.h"

/* Room for the longest control table. */
#define TABLE_MAX	1024
#define ITEMS_MAX	256

/*
 * AREA_SAVED is RAM that a backup of the control table keeps, AREA_STORAGE is EEPROM
 * that no reset sets back.
 */
enum area { AREA_EEPROM, AREA_STORAGE, AREA_RAM, AREA_SAVED };
enum access { ACCESS_R, ACCESS_RW };

/**
 * struct item - one item of a control table
 * @addr: address of its first byte
 * @size: 1, 2 or 4 bytes
 * @area: whether it outlives the power
 * @access: whether an instruction may write it
 * @init: value from the factory (EEPROM) or when switched on (RAM)
 * @min: lowest value that may be written; below zero, the item has a sign
 * @max: highest value that may be written
 * @name: name
 */
struct item {
	u16 addr;
	u8 size;
	u8 area;
	u8 access;
	int init;
	int min;
	int max;
	char name[28];
};

/* Items of one kind that follow one another; their names get a number. */
struct row {
	struct item item;	/* the first of them */
	unsigned int count;
	unsigned int number;	/* of the first */
	int step;		/* by which the initial value grows */
};

/* A control table may be put together: a later piece replaces single items. */
struct items {
	const struct item *items;
	size_t count;
};

#define PIECES_MAX	6
#define PIECE(a)	{ a, sizeof(a) / sizeof((a)[0]) }

/**
 * struct layout - pieces and rows put together, replaced items gone
 * @items: in the order of their addresses
 * @at: which item has the byte of that address, or NULL
 * @supply: where a device shows its supply, in 0.1 V, or NULL
 */
struct layout {
	struct item items[ITEMS_MAX];
	size_t count;
	const struct item *at[TABLE_MAX];
	const struct item *supply;
};

/* EEPROM behind the items that is written in pages. */
#define PAGES_MAX	8192
#define PAGE_BYTES	32

struct pages {
	u16 addr;
	u16 size;
	u8 firmware;		/* from which on there are any */
};

/* Where the items are that every device has; 0: this kind has none. */
struct registers {
	u16 firmware;
	u16 id;
	u16 baud;
	u16 return_delay;
	u16 secondary_id;
	u16 protocol;
	u16 status_level;
	u16 torque_enable;
	u16 registered;
	u16 lock;
	u16 startup;
	u16 backup_ready;
};

/* A row of addresses whose contents appear in the row of data. */
struct indirect {
	u16 addr;
	u16 data;
	u16 count;
};

/* An instruction that the model carries out, from which firmware on. */
struct ability {
	u8 instruction;
	u8 firmware;
};

struct board_spec;
struct servo_spec;
struct device_ops;
struct robot;

/**
 * struct model - a kind of device
 * @pieces: the control table's single items
 * @rows: and its rows
 * @pages: and what is behind them; NULL: nothing
 * @bauds: rates by the value of the Baud Rate item; NULL: 2000000 / (value + 1)
 * @fast_bauds: values 250 to 252 mean more than 2 Mbaud
 * @abilities: what it can do beyond the instructions of the protocol's start
 * @eeprom_byte: for how long writing a byte of the EEPROM makes it deaf; 0: it is not
 * @boot: for how long it is deaf when it starts
 * @servo: what it is as a servo; NULL: it is a board
 * @board: what it is as a board; NULL: it is a servo
 * @robot: the robot that has such devices; NULL: it may be in any
 */
struct model {
	const char *name;
	const char *compatible;
	u16 number;
	enum dxl_protocol protocol;
	size_t table_size;
	struct items pieces[PIECES_MAX];
	const struct row *rows;
	size_t row_count;
	const struct pages *pages;
	const struct registers *registers;
	const struct indirect *indirect;
	size_t indirect_count;
	const unsigned int *bauds;
	size_t baud_count;
	bool fast_bauds;
	const struct ability *abilities;
	size_t ability_count;
	nsec_t eeprom_byte;
	nsec_t boot;
	const struct servo_spec *servo;
	const struct board_spec *board;
	const struct robot *robot;
	const struct device_ops *ops;
};

const struct layout *model_layout(const struct model *model);
const struct item *model_item_at(const struct model *model, unsigned int addr);
const struct item *model_item_named(const struct model *model, const char *name);

unsigned int model_baud_rate(const struct model *model, unsigned int value);
int model_baud_value(const struct model *model, unsigned int rate);

#endif
