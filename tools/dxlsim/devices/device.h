/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device on the bus: a control table and the rules for reading and writing
 * it. What the items mean for the hardware behind them is in the model's ops.
 */
#ifndef DXLSIM_DEVICE_H
#define DXLSIM_DEVICE_H

#include <linux/types.h>

#include "../base/base.h"
#include "board.h"
#include "model.h"
#include "servo.h"

#define LABEL_MAX	32

/* A piece of the control table. */
struct span {
	unsigned int addr;
	unsigned int len;
};

/*
 * Why an instruction is not carried out. The first ones are the error numbers
 * of Protocol 2.0, which tells them apart; 1.0 has fewer.
 */
enum refusal {
	REFUSED_NOT		= 0,
	REFUSED_RESULT		= DXL2_ERR_RESULT,
	REFUSED_INSTRUCTION	= DXL2_ERR_INSTRUCTION,
	REFUSED_CRC		= DXL2_ERR_CRC,
	REFUSED_RANGE		= DXL2_ERR_RANGE,
	REFUSED_LENGTH		= DXL2_ERR_LENGTH,
	REFUSED_LIMIT		= DXL2_ERR_LIMIT,
	REFUSED_ACCESS		= DXL2_ERR_ACCESS,
	REFUSED_PARAMS,		/* not as many parameters as there must be */
};

/* What of the table a write reaches, of indirect items their target. */
struct reach {
	bool at[TABLE_MAX];
	const struct item *items[ITEMS_MAX];
	size_t count;
};

struct device {
	const struct model *model;
	const struct layout *layout;
	char label[LABEL_MAX];
	enum dxl_protocol protocol;	/* that it speaks now */
	nsec_t deaf_until;
	nsec_t heard_at;		/* when the last instruction came */
	u8 table[TABLE_MAX];
	struct {
		struct span span;
		u8 data[TABLE_MAX];
	} registered;
	struct {
		u8 bytes[PAGES_MAX];
		bool cut;		/* the power goes while one is written, */
		unsigned int left;	/* after so many */
	} pages;
	u8 backup[TABLE_MAX];
	bool has_backup;
	struct servo servo;
	struct board board;
	bool silenced;
	bool starved;			/* a board has switched its supply off */
};

/**
 * struct device_ops - what a model does beyond keeping bytes
 * @assemble: the device has been made and gets its physical state
 * @power_on: the RAM area has its initial values again
 * @advance: bring the physical state to the time given
 * @refresh: put the physical state into the table's read-only items
 * @check: judge a table as a write would leave it
 * @written: act on a write; the table before it is given
 * @condition: error bits of the device's present state
 * @alarmed: an instruction was refused, with these error bits of Protocol 1.0
 * @clear_turns: forget whole turns; false where that cannot be now
 * @poke: set what a read-only item measures, if it measures anything
 * @mount: in a body: how a servo counts the angle of its shaft
 * @order: and what it asks of its motor for the coming step
 * @ran: and the step is over; it has its heat, and its guard looks at it
 */
struct device_ops {
	void (*assemble)(struct device *dev, nsec_t now);
	void (*power_on)(struct device *dev, nsec_t now);
	void (*advance)(struct device *dev, nsec_t now);
	void (*refresh)(struct device *dev);
	enum refusal (*check)(const struct device *dev, const u8 *table,
			      const struct reach *reach);
	void (*written)(struct device *dev, const u8 *before,
			const struct reach *reach);
	u8 (*condition)(const struct device *dev);
	void (*alarmed)(struct device *dev, u8 error);
	bool (*clear_turns)(struct device *dev);
	void (*poke)(struct device *dev, const struct item *item, int value);
	struct mount (*mount)(const struct device *dev);
	void (*order)(struct device *dev, double seconds, struct drive_order *order);
	void (*ran)(struct device *dev, double seconds);
};

/* What of the EEPROM a factory reset leaves alone. */
enum keep { KEEP_NOTHING, KEEP_ID, KEEP_ID_AND_BAUD };

void device_init(struct device *dev, const struct model *model, u8 id,
		 unsigned int baud, const char *label, nsec_t now);
void device_power_cycle(struct device *dev, nsec_t now);
void device_factory_reset(struct device *dev, enum keep keep, nsec_t now);

u8 device_id(const struct device *dev);
bool device_addressed(const struct device *dev, u8 id);
unsigned int device_baud(const struct device *dev);
unsigned int device_size(const struct device *dev);
bool device_torque(const struct device *dev);
void device_forget_goals(struct device *dev);

enum refusal device_read(struct device *dev, struct span span, u8 *out,
			 nsec_t now);
enum refusal device_write(struct device *dev, struct span span, const u8 *data,
			  nsec_t now);
enum refusal device_write_ram(struct device *dev, struct span span,
			      const u8 *data, nsec_t now);
enum refusal device_register(struct device *dev, struct span span,
			     const u8 *data, bool ram_only);
enum refusal device_action(struct device *dev, nsec_t now);
enum refusal device_store_backup(struct device *dev, nsec_t now);
enum refusal device_restore_backup(struct device *dev, nsec_t now);
u8 device_condition(struct device *dev, nsec_t now);

int device_poke(struct device *dev, struct span span, const u8 *data,
		nsec_t now);
int device_value(struct device *dev, const struct item *item, nsec_t now);

#endif
