/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the servo driver know of each other.
 */
#ifndef _DXL_SERVO_H
#define _DXL_SERVO_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include <linux/dxl/bus.h>

struct dxl_group;
struct iio_chan_spec;
struct iio_dev;

/**
 * enum dxl_servo_reg - registers that servos have, wherever a model puts them
 * @SERVO_RETURN_DELAY: rest before an answer, in steps of 2 us
 * @SERVO_STATUS_LEVEL: which instructions are answered
 * @SERVO_TORQUE_ENABLE: whether the motor holds
 * @SERVO_GOAL_POSITION: where to go
 * @SERVO_GOAL_SPEED: how fast; 0 is as fast as it can
 * @SERVO_TORQUE_LIMIT: share of the maximum torque that may be used
 * @SERVO_POSITION: where it is
 * @SERVO_SPEED: how fast it moves
 * @SERVO_LOAD: share of the maximum torque that it uses
 * @SERVO_VOLTAGE: its supply
 * @SERVO_TEMPERATURE: its inside
 * @SERVO_REGS: number of registers
 */
enum dxl_servo_reg {
	SERVO_RETURN_DELAY,
	SERVO_STATUS_LEVEL,
	SERVO_TORQUE_ENABLE,
	SERVO_GOAL_POSITION,
	SERVO_GOAL_SPEED,
	SERVO_TORQUE_LIMIT,
	SERVO_POSITION,
	SERVO_SPEED,
	SERVO_LOAD,
	SERVO_VOLTAGE,
	SERVO_TEMPERATURE,
	SERVO_REGS
};

/**
 * struct dxl_servo_field - a register of a model
 * @addr: its address in the control table
 * @size: its bytes, little endian
 * @magnitude: where not 0, the mask of the magnitude in a register whose next
 *	higher bit is set for clockwise, which is negative here
 */
struct dxl_servo_field {
	u8 addr;
	u8 size;
	u16 magnitude;
};

/**
 * struct dxl_servo_model - what the driver has to know of a model
 * @name: name of its IIO device
 * @number: model number that it reports
 * @protocol: protocol that it speaks
 * @position_range: lowest goal position, step and highest, as IIO wants it
 * @position_zero: position that counts as 0 rad
 * @position_nrad: one step of position, in nrad
 * @speed_range: the same of goal speed; 0 is not a speed but no limit to it
 * @speed_nrad_s: one step of speed, in nrad/s
 * @torque_max: full value of torque limit and load
 * @voltage_mv: one step of voltage, in mV
 * @fields: its registers
 */
struct dxl_servo_model {
	const char *name;
	u16 number;
	enum dxl_protocol protocol;
	int position_range[3];
	u16 position_zero;
	u32 position_nrad;
	int speed_range[3];
	u32 speed_nrad_s;
	int torque_max;
	u16 voltage_mv;
	const struct dxl_servo_field *fields;
};

extern const struct dxl_servo_model dxl_ax12;
extern const struct dxl_servo_model dxl_mx28;

/**
 * struct dxl_servo - a servo
 * @ddev: its place on the bus
 * @model: its row in the table of models
 * @label: the joint it moves, or NULL
 * @lock: guards @configured
 * @configured: the device has been found to be a @model and asked how it
 *	answers
 * @wrong: the device has last been found to be no @model
 * @group: the servos that it moves with, between dxl_group_add() and
 *	dxl_group_remove()
 * @node: its place among them
 */
struct dxl_servo {
	struct dxl_device *ddev;
	const struct dxl_servo_model *model;
	const char *label;
	struct mutex lock; /* guards configured */
	bool configured;
	bool wrong;
	struct dxl_group *group;
	struct list_head node;
};

/* servo.c */
int dxl_servo_read_raw(struct dxl_servo *servo,
		       const struct iio_chan_spec *chan, int *val, int *val2,
		       long mask);
int dxl_servo_read_avail(const struct dxl_servo *servo,
			 const struct iio_chan_spec *chan, const int **vals,
			 int *type, long mask);

/* group.c */
int dxl_group_add(struct dxl_servo *servo);
void dxl_group_remove(struct dxl_servo *servo);
void dxl_group_changed(struct dxl_group *group);

/* pose.c */
struct iio_dev *dxl_pose_create(struct dxl_bus *bus,
				const struct list_head *servos);
void dxl_pose_destroy(struct iio_dev *indio_dev);

#endif /* _DXL_SERVO_H */
