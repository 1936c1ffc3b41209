/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the board driver know of each other.
 */
#ifndef _DXL_BOARD_H
#define _DXL_BOARD_H

#include <linux/iio/types.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <linux/dxl/bus.h>

struct attribute_group;
struct dxl_board_keys;
struct dxl_board_leds;
struct dxl_board_touch;
struct iio_dev;
struct input_dev;
struct nvmem_cell_info;

/* --- what a board is made of --- */

/**
 * struct dxl_board_unit - what an input counts
 * @offset: what is added to it before it is multiplied
 * @whole: one step in IIO's unit
 * @nano: billionths of the same
 * @firmware: version of the board's firmware from which on it counts so
 * @before: what it counted with an older one, with the same @offset
 */
struct dxl_board_unit {
	int offset;
	int whole;
	int nano;
	u8 firmware;
	const struct dxl_board_unit *before;
};

/**
 * struct dxl_board_point - where the curve of a sensor goes through
 * @count: what it counts there; 0 behind the last point
 * @value: what it measures then
 */
struct dxl_board_point {
	u16 count;
	u16 value;
};

/**
 * struct dxl_board_input - a value that a board measures
 * @type: its kind
 * @axis: along or about which axis; 0 if it has none
 * @number: tells it from others of its kind on the board, where there are any
 * @name: what it measures
 * @addr: its register
 * @size: bytes of that, little endian: 1 or 2
 * @is_signed: it is a two's complement
 * @slow: it changes slowly
 * @port: it is one of the board's ports, that with its @number
 * @unit: its unit, or NULL for a mere number
 * @curve: how it counts where that is no line, see dxl_board_on_curve(), or NULL; @unit
 *	is that of its values
 */
struct dxl_board_input {
	enum iio_chan_type type;
	enum iio_modifier axis;
	u8 number;
	const char *name;
	u16 addr;
	u8 size;
	bool is_signed;
	bool slow;
	bool port;
	const struct dxl_board_unit *unit;
	const struct dxl_board_point *curve;
};

/**
 * struct dxl_board_led - a light
 * @name: its colour and function, as LED class devices are named
 * @bit: where it begins in the registers of all lights
 * @bits: how many bits are its brightness or, of an RGB light, that of each
 *	colour
 * @step: of an RGB light, bits from one colour to the next: red, then green, then
 *	blue; 0 if it has only one colour
 * @touch: the touch sensor that it is near, one of the board's, or NULL
 */
struct dxl_board_led {
	const char *name;
	u16 bit;
	u8 bits;
	u8 step;
	const char *touch;
};

/* Most bytes of all lights of a board. */
#define BOARD_LEDS_SIZE		48

/* Most buttons of a board. */
#define BOARD_KEYS		8

/* Most ports of a board that anything may be plugged into. */
#define BOARD_PORTS		6

/**
 * struct dxl_board_pack - the battery behind a board
 * @addr: first of the registers with its state: see battery.c
 * @serial_addr: first of those with its serial number, or 0: one with a fuel gauge
 *	has that, tells what charge remains, and nothing of its health
 * @manufacturer: who has made it; of one with a serial number
 * @cells: how many of them there are in series
 * @charging: bits of its status while it is charged, or 0: then its current tells
 * @discharging: the same while it is discharged
 * @full: it is full
 * @low: it is nearly empty
 * @critical: it is empty
 * @temperature: it is too hot or too cold
 * @overcurrent: too much flows
 * @overcharge: it is charged too much
 * @failure: it is unwell otherwise
 */
struct dxl_board_pack {
	u16 addr;
	u16 serial_addr;
	const char *manufacturer;
	u8 cells;
	u16 charging;
	u16 discharging;
	u16 full;
	u16 low;
	u16 critical;
	u16 temperature;
	u16 overcurrent;
	u16 overcharge;
	u16 failure;
};

/**
 * struct dxl_board_layout - a board
 * @table: what the core has to know of its control table
 * @features: group instructions that it understands, of &enum dxl_feature
 * @inputs: its inputs
 * @num_inputs: their number, which may be 0
 * @num_ports: how many of them are ports
 * @outputs_addr: register with the outputs of its ports, a bit for each
 * @leds_addr: first register of its lights
 * @leds_size: bytes of them; they are written together
 * @leds: its lights, the last without a name
 * @keys_addr: register of its buttons, which is one of @inputs, too
 * @keys: code of the button in each bit, or 0; none is set on a board that has none
 * @touch: words for the touch sensors, which are the first of @keys, if there are
 *	lights near them; the last is NULL
 * @buzzer_addr: register of the tone that it makes, two bytes in Hz; 0 if it
 *	makes none
 * @power_addr: register of the supply of all other devices on its connectors;
 *	0 if it does not switch that
 * @sonar_addr: register with the mode of its sonar; 0 if it has none
 * @pack: the battery that it speaks for, or NULL
 * @cells: what is in the storage of its @table, by rising places
 * @num_cells: their number
 * @pages_firmware: version of its firmware from which on it has the pages of that
 */
struct dxl_board_layout {
	struct dxl_table table;
	u32 features;
	const struct dxl_board_input *inputs;
	unsigned int num_inputs;
	unsigned int num_ports;
	u16 outputs_addr;
	u16 leds_addr;
	u8 leds_size;
	const struct dxl_board_led *leds;
	u16 keys_addr;
	u16 keys[BOARD_KEYS];
	const char *const *touch;
	u16 buzzer_addr;
	u16 power_addr;
	u16 sonar_addr;
	const struct dxl_board_pack *pack;
	const struct nvmem_cell_info *cells;
	unsigned int num_cells;
	u8 pages_firmware;
};

/**
 * struct dxl_board_model - what the driver has to know of a model
 * @compatible: vendor and name, which is that of its devices
 * @protocol: protocol that it speaks
 * @number: model number that it reports; 0 where the maker does not say
 * @layout: what it is made of
 */
struct dxl_board_model {
	const char *compatible;
	enum dxl_protocol protocol;
	u16 number;
	const struct dxl_board_layout *layout;
};

/* Place of a model in the table of models. */
#define DXL_BOARD_INDEX(_protocol, _number) \
	DXL_BOARD_P##_protocol##_##_number

#define DXL_BOARD(_protocol, _number, ...) \
	DXL_BOARD_INDEX(_protocol, _number),

enum {
#include "model_list.h"
	DXL_BOARD_MODELS
};

#undef DXL_BOARD

extern const struct dxl_board_model dxl_board_models[DXL_BOARD_MODELS];

/* --- a board --- */

/**
 * struct dxl_board - a board
 * @ddev: its place on the bus
 * @model: its row in the table of models
 * @label: what it is in the robot, or NULL
 * @lock: guards @configured
 * @configured: how often the device had been lost when it was found to be a @model
 *	and asked how it answers, plus 1; 0 if it has not been
 * @wrong_model: it has been found to be another model
 * @inputs: its inputs: those of its layout, with what is plugged into its ports
 * @outputs: bits of those ports whose output is to be on
 * @leds: its lights, or NULL
 * @keys: its buttons, or NULL
 * @touch: the triggers of its touch sensors, or NULL
 * @sonar_lock: guards @sonar_mode, and that it is what the board is told; @lock is
 *	taken in it
 * @sonar_mode: the last mode that its sonar took, or was told and is not periodic
 * @sonar_retry: tells it a periodic one again
 */
struct dxl_board {
	struct dxl_device *ddev;
	const struct dxl_board_model *model;
	const char *label;
	struct mutex lock; /* guards configured */
	unsigned int configured;
	bool wrong_model;
	const struct dxl_board_input *inputs;
	u8 outputs;
	struct dxl_board_leds *leds;
	struct dxl_board_keys *keys;
	struct dxl_board_touch *touch;
	struct mutex sonar_lock; /* see above */
	u8 sonar_mode;
	struct delayed_work sonar_retry;
};

static inline const struct dxl_board_layout *
dxl_board_layout(const struct dxl_board *board)
{
	return board->model->layout;
}

static inline const char *dxl_board_name(const struct dxl_board *board)
{
	return strchr(board->model->compatible, ',') + 1;
}

/* Whether its firmware is known to be older than that. */
static inline bool dxl_board_is_older(const struct dxl_board *board, u8 firmware)
{
	const struct dxl_device *ddev = board->ddev;

	/* Pairs with the release where the core identifies devices. */
	return smp_load_acquire(&ddev->identified) &&
	       ddev->firmware_version < firmware;
}

/* How long after a failure what a board is to hold is written again. */
#define BOARD_RETRY_MS		500

/* board.c */
bool dxl_board_is_configured(const struct dxl_board *board);
bool dxl_board_is_gone(const struct dxl_board *board);
bool dxl_board_may_retry(const struct dxl_board *board, int error);
int dxl_board_ready(struct dxl_board *board);
int dxl_board_read(struct dxl_board *board, u16 addr, u8 *raw, u16 size);
int dxl_board_read_attribute(struct dxl_board *board, u16 addr, u8 *raw,
			     u16 size);
int dxl_board_write(struct dxl_board *board, u16 addr, const u8 *raw, u16 size);

/* iio.c */
int dxl_board_iio(struct iio_dev *indio_dev);

/* leds.c */
int dxl_board_add_leds(struct dxl_board *board);
void dxl_board_renew_leds(struct dxl_board *board);

/* keys.c */
int dxl_board_add_keys(struct dxl_board *board);
unsigned int dxl_board_key_reports(const struct dxl_board *board);
void dxl_board_report_keys(struct dxl_board *board, u32 pressed);
void dxl_board_report_keys_since(struct dxl_board *board, unsigned int reports,
				 u32 pressed);

/* touch.c */
#ifdef CONFIG_LEDS_TRIGGERS
int dxl_board_add_touch(struct dxl_board *board);
const char *dxl_board_touch_trigger(const struct dxl_board *board,
				    const char *sensor);
void dxl_board_touched(struct dxl_board *board, u32 touched);
#else
static inline int dxl_board_add_touch(struct dxl_board *board)
{
	return 0;
}

static inline const char *
dxl_board_touch_trigger(const struct dxl_board *board, const char *sensor)
{
	return NULL;
}

static inline void dxl_board_touched(struct dxl_board *board, u32 touched)
{
}
#endif

/* battery.c */
#ifdef CONFIG_POWER_SUPPLY
int dxl_board_add_battery(struct dxl_board *board);
#else
static inline int dxl_board_add_battery(struct dxl_board *board)
{
	return 0;
}
#endif

/* buzzer.c */
int dxl_board_add_buzzer(struct dxl_board *board);

/* ports.c */
int dxl_board_init_ports(struct dxl_board *board);
int dxl_board_write_outputs(struct dxl_board *board);
void dxl_board_renew_outputs(struct dxl_board *board);
int dxl_board_on_curve(const struct dxl_board_point *curve, int count);

/* sonar.c */
extern const struct attribute_group dxl_board_sonar_group;
int dxl_board_init_sonar(struct dxl_board *board);
void dxl_board_renew_sonar(struct dxl_board *board);

/* storage.c */
#ifdef CONFIG_NVMEM
void dxl_board_add_storage(struct dxl_board *board);
#else
static inline void dxl_board_add_storage(struct dxl_board *board)
{
}
#endif

/* input.c */
struct input_dev *dxl_board_input_dev(struct dxl_board *board,
				      const char *what, unsigned int number,
				      void *data);

#endif /* _DXL_BOARD_H */
