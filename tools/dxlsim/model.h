/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one kind of device is: its control table as data and a handful of
 * operations where data is not enough.
 */
#ifndef DXLSIM_MODEL_H
#define DXLSIM_MODEL_H

#include <linux/types.h>

/* Room for the longest control table of Protocol 1.0. */
#define TABLE_MAX	128

/* Addresses that every Protocol 1.0 servo of the AX and MX series shares. */
enum {
	ADDR_MODEL		= 0,
	ADDR_FIRMWARE		= 2,
	ADDR_ID			= 3,
	ADDR_BAUD		= 4,
	ADDR_RETURN_DELAY	= 5,
	ADDR_CW_LIMIT		= 6,
	ADDR_CCW_LIMIT		= 8,
	ADDR_TEMP_LIMIT		= 11,
	ADDR_MIN_VOLTAGE	= 12,
	ADDR_MAX_VOLTAGE	= 13,
	ADDR_MAX_TORQUE		= 14,
	ADDR_STATUS_LEVEL	= 16,
	ADDR_ALARM_LED		= 17,
	ADDR_SHUTDOWN		= 18,
	ADDR_MULTI_TURN_OFFSET	= 20,	/* MX */
	ADDR_DIVIDER		= 22,	/* MX */
	ADDR_TORQUE_ENABLE	= 24,
	ADDR_LED		= 25,
	ADDR_CW_MARGIN		= 26,	/* AX */
	ADDR_CCW_MARGIN		= 27,	/* AX */
	ADDR_P_GAIN		= 28,	/* MX */
	ADDR_GOAL_POSITION	= 30,
	ADDR_MOVING_SPEED	= 32,
	ADDR_TORQUE_LIMIT	= 34,
	ADDR_PRESENT_POSITION	= 36,
	ADDR_PRESENT_SPEED	= 38,
	ADDR_PRESENT_LOAD	= 40,
	ADDR_PRESENT_VOLTAGE	= 42,
	ADDR_PRESENT_TEMP	= 43,
	ADDR_REGISTERED		= 44,
	ADDR_MOVING		= 46,
	ADDR_LOCK		= 47,
	ADDR_PUNCH		= 48,
	ADDR_TICK		= 50,	/* MX */
	ADDR_GOAL_ACCEL		= 73,	/* MX */
};

enum area { AREA_EEPROM, AREA_RAM };
enum access { ACCESS_R, ACCESS_RW };

struct item {
	u8 addr;
	u8 size;
	enum area area;
	enum access access;
	int init;
	int min;
	int max;
	const char *name;
};

/* What of a servo's mechanics is not in its control table. */
struct servo_spec {
	double count_deg;	/* one position count */
	double speed_unit_rpm;	/* one count of Moving Speed */
	double no_load_rpm;	/* at 12 V */
	double accel_deg;	/* most it can do, degrees/s^2 */
	int max_position;
	int multi_turn;		/* most counts from zero, or 0: has no such mode */
	bool wheel_is_output;	/* wheel mode sets the output and not the speed */
	bool compliance;	/* dead zone by the compliance margins, or PID */
};

struct device_ops;

struct model {
	const char *name;
	const char *compatible;
	u16 number;
	size_t table_size;
	const struct item *items;
	size_t item_count;
	bool bulk_read;
	bool fast_bauds;	/* baud values 250 to 252 mean more than 2 Mbaud */
	const struct servo_spec *servo;
	const struct device_ops *ops;
};

extern const struct model model_ax12;
extern const struct model model_mx28;

const struct model *model_by_index(size_t index);
const struct item *model_item_at(const struct model *model, unsigned int addr);
const struct item *model_item_named(const struct model *model, const char *name);

unsigned int model_baud_rate(const struct model *model, unsigned int value);
int model_baud_value(const struct model *model, unsigned int rate);

#endif
