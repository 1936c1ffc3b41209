/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the servo driver know of each other.
 */
#ifndef _DXL_SERVO_H
#define _DXL_SERVO_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <linux/dxl/bus.h>

#include "torque.h"

struct attribute_group;
struct dxl_buffer_ops;
struct dxl_target;
struct dxl_team;
struct iio_chan_spec;
struct iio_dev;
struct kernfs_node;

/**
 * enum dxl_servo_reg - registers that servos have, wherever a model puts them
 * @SERVO_MODE: what the goals mean, see &struct dxl_servo_mode
 * @SERVO_TORQUE_ENABLE: whether the motor holds
 * @SERVO_GOAL_POSITION: where to go
 * @SERVO_GOAL_SPEED: how fast to go there; 0 is as fast as it can
 * @SERVO_GOAL_VELOCITY: how fast to turn, in modes that have no goal position
 * @SERVO_GOAL_CURRENT: current of the motor, or a limit to it
 * @SERVO_GOAL_PWM: output of the motor
 * @SERVO_TORQUE_LIMIT: share of the maximum torque that may be used
 * @SERVO_MAX_TORQUE: what that is when it starts
 * @SERVO_POSITION: where it is
 * @SERVO_SPEED: how fast it moves
 * @SERVO_LOAD: share of the maximum torque that it uses
 * @SERVO_CURRENT: current of the motor
 * @SERVO_VOLTAGE: its supply
 * @SERVO_TEMPERATURE: its inside
 * @SERVO_ERRORS: what is wrong with it
 * @SERVO_BUS_WATCHDOG: after how long without an instruction it stops by itself,
 *	in steps of 20 ms
 * @SERVO_ZERO: what its encoder reads where the joint is at 0
 * @SERVO_MOTOR_POSITION: where the motor's shaft is, before the gear
 * @SERVO_ERROR_CODE: one of the things that are wrong with it, see
 *	&struct dxl_servo_error
 * @SERVO_STRUCT_VERSION: version of its configuration
 * @SERVO_BOARD_ID: number of the board that it is on
 * @SERVO_BOARD_ID_2: another one
 * @SERVO_BOOT_LOADER: version of that board's boot loader
 * @SERVO_PROGRAM: version of its program
 * @SERVO_BID: which of the boards of the bus that is, from 1 on
 * @SERVO_MOTOR_NUMBER: which of the motors of that board it is, from 1 on
 * @SERVO_BRAKE: whether it brakes its joint while it has no torque
 * @SERVO_SENSOR_TYPE: how many encoders it has
 * @SERVO_CHAIN_JOINT: place of the joint's encoder on the chain of its board's
 * @SERVO_CHAIN_MOTOR: place of the motor's own there; 0 if it has none
 * @SERVO_INVERTED: whether the motor turns the joint the other way
 * @SERVO_KP: proportional gain of the control of its position
 * @SERVO_KI: integral gain
 * @SERVO_KD: derivative gain
 * @SERVO_GEAR_RATIO: turns of the motor to one of the joint, in hundredths
 * @SERVO_REGS: number of registers
 */
enum dxl_servo_reg {
	SERVO_MODE,
	SERVO_TORQUE_ENABLE,
	SERVO_GOAL_POSITION,
	SERVO_GOAL_SPEED,
	SERVO_GOAL_VELOCITY,
	SERVO_GOAL_CURRENT,
	SERVO_GOAL_PWM,
	SERVO_TORQUE_LIMIT,
	SERVO_MAX_TORQUE,
	SERVO_POSITION,
	SERVO_SPEED,
	SERVO_LOAD,
	SERVO_CURRENT,
	SERVO_VOLTAGE,
	SERVO_TEMPERATURE,
	SERVO_ERRORS,
	SERVO_BUS_WATCHDOG,
	SERVO_ZERO,
	SERVO_MOTOR_POSITION,
	SERVO_ERROR_CODE,
	SERVO_STRUCT_VERSION,
	SERVO_BOARD_ID,
	SERVO_BOARD_ID_2,
	SERVO_BOOT_LOADER,
	SERVO_PROGRAM,
	SERVO_BID,
	SERVO_MOTOR_NUMBER,
	SERVO_BRAKE,
	SERVO_SENSOR_TYPE,
	SERVO_CHAIN_JOINT,
	SERVO_CHAIN_MOTOR,
	SERVO_INVERTED,
	SERVO_KP,
	SERVO_KI,
	SERVO_KD,
	SERVO_GEAR_RATIO,
	SERVO_REGS
};

/* Longest register. */
#define SERVO_FIELD_MAX	4

/**
 * struct dxl_servo_field - a register of a model
 * @addr: its address in the control table
 * @size: its bytes, little endian: 1, 2 or 4; 0 where a model has no such
 *	register
 * @is_signed: it holds a two's complement
 * @magnitude: where not 0, the mask of the magnitude in a register whose next
 *	higher bit is set for clockwise, which is negative here
 */
struct dxl_servo_field {
	u16 addr;
	u8 size;
	bool is_signed;
	u16 magnitude;
};

/* Number of the bits of SERVO_ERRORS that may have a name. */
#define SERVO_ERROR_BITS	8

/* How many kinds of errors a code can tell, and how many causes of each. */
#define SERVO_ERROR_KINDS	16
#define SERVO_ERROR_CAUSES	4

/**
 * struct dxl_servo_error - a kind of error that %SERVO_ERROR_CODE tells
 * @name: word for it; NULL for what is none
 * @causes: words for the lower four bits of the code, whose upper ones are the kind
 */
struct dxl_servo_error {
	const char *name;
	const char *causes[SERVO_ERROR_CAUSES];
};

/**
 * enum dxl_servo_shutdown - what a servo leaves that has shut itself down
 * @SHUTDOWN_NEVER: it does not do that
 * @SHUTDOWN_LIMIT: a torque limit of 0, which is all that keeps it from going on
 * @SHUTDOWN_RESTART: no torque, and it gets none before it has been restarted
 */
enum dxl_servo_shutdown {
	SHUTDOWN_NEVER,
	SHUTDOWN_LIMIT,
	SHUTDOWN_RESTART,
};

/**
 * struct dxl_servo_layout - the control table that models of a series share
 * @table: what the core has to know of it
 * @fields: the registers
 * @speed_range: goal speed: lowest, step and highest, as IIO wants it. 0 is
 *	not a speed but no limit to it.
 * @velocity_range: the same of goal velocity
 * @pwm_range: the same of goal PWM
 * @torque_max: full value of the torque limit
 * @load_max: full value of the load
 * @errors: names of the bits of %SERVO_ERRORS or, where there is no such
 *	register, of the error byte of an answer
 * @kinds: of %SERVO_ERROR_CODE, in place of @errors; %SERVO_ERROR_KINDS of them
 * @zero_max: highest value of %SERVO_ZERO
 * @shutdown: what they leave when they shut themselves down
 * @shutdown_errors: bits of %SERVO_ERRORS for which they do
 * @features: group instructions that they understand, of &enum dxl_feature
 * @watchdog_firmware: the first version that has %SERVO_BUS_WATCHDOG
 * @watches: it watches the bus from the start, and not only when told to
 */
struct dxl_servo_layout {
	struct dxl_table table;
	struct dxl_servo_field fields[SERVO_REGS];
	int speed_range[3];
	int velocity_range[3];
	int pwm_range[3];
	int torque_max;
	int load_max;
	const char *errors[SERVO_ERROR_BITS];
	const struct dxl_servo_error *kinds;
	int zero_max;
	enum dxl_servo_shutdown shutdown;
	u8 shutdown_errors;
	u32 features;
	u8 watchdog_firmware;
	bool watches;
};

/**
 * struct dxl_servo_mode - an operating mode
 * @name: word for it
 * @value: what %SERVO_MODE holds for it
 * @position_range: goal position: lowest, step and highest; NULL in a mode
 *	that has none
 * @goals: by which of its registers it is driven, as bits of &enum dxl_servo_reg
 */
struct dxl_servo_mode {
	const char *name;
	u32 value;
	const int *position_range;
	u32 goals;
};

/**
 * struct dxl_servo_series - models that count alike
 * @layout: their control table
 * @position_zero: position that counts as 0 rad
 * @position_nrad: one step of position, in nrad
 * @speed_nrad_s: one step of speed, in nrad/s
 * @modes: their operating modes, the last without a name. The first one has
 *	goal positions; it is what any value means that belongs to no other.
 * @fast_firmware: the first version that understands fast group reads; 0 if none
 *	does
 */
struct dxl_servo_series {
	const struct dxl_servo_layout *layout;
	u16 position_zero;
	u32 position_nrad;
	u32 speed_nrad_s;
	const struct dxl_servo_mode *modes;
	u8 fast_firmware;
};

/**
 * struct dxl_servo_model - what the driver has to know of a model
 * @compatible: compatible string; behind its vendor, name of the IIO device
 * @protocol: protocol that it speaks
 * @number: model number that it reports
 * @series: what it shares with others
 * @current_ua: one step of current, in uA
 * @current_zero: value of no current
 * @current_range: goal current: lowest, step and highest
 */
struct dxl_servo_model {
	const char *compatible;
	enum dxl_protocol protocol;
	u16 number;
	const struct dxl_servo_series *series;
	int current_ua;
	u16 current_zero;
	int current_range[3];
};

/* Place of a model in the table of models. */
#define DXL_SERVO_INDEX(_protocol, _number) \
	DXL_SERVO_P##_protocol##_##_number

#define DXL_SERVO(_protocol, _number, ...) \
	DXL_SERVO_INDEX(_protocol, _number),

enum {
#include "model_list.h"
	DXL_SERVO_MODELS
};

#undef DXL_SERVO

extern const struct dxl_servo_model dxl_servo_models[DXL_SERVO_MODELS];

/**
 * struct dxl_servo - a servo
 * @ddev: its place on the bus
 * @model: its row in the table of models
 * @label: the joint it moves, or NULL
 * @lock: guards @configured and writes of @mode, @mode_in_doubt and @wrong_model
 * @configured: the device has been found to be a @model and asked how it
 *	answers
 * @mode: its operating mode, as far as known
 * @wrong_model: it has been found to be another model
 * @mode_in_doubt: its mode is being changed, or may have been without having been read
 *	since; see dxl_servo_mode_is_known()
 * @torque: what is known of its torque; guarded by the team's stream_lock
 * @torque_file: the attribute that tells of @torque, or NULL; guarded as that is
 * @doubts: those of its device, when it was last asked whether it has torque
 * @ask: asks it again when that has failed
 * @releases: how often it has been told to let go, see dxl_servo_release()
 * @by_hand: somebody has let it go, and nobody has given it torque since; guarded as
 *	@torque is
 * @letting_go: how many are about to let it go by hand; guarded by the team's stream_lock
 * @limit: the torque limit that was last asked for, in steps of the register, or
 *	%INT_MAX
 * @restore: the torque limit that it is to have where a ramp has left another one, else
 *	negative
 * @team: the servos that it moves with, between dxl_team_add() and
 *	dxl_team_remove()
 * @target: how poses move it there
 */
struct dxl_servo {
	struct dxl_device *ddev;
	const struct dxl_servo_model *model;
	const char *label;
	struct mutex lock; /* guards configured, mode, mode_in_doubt and wrong_model */
	bool configured;
	const struct dxl_servo_mode *mode;
	bool wrong_model;
	bool mode_in_doubt;
	enum dxl_torque torque;
	struct kernfs_node *torque_file;
	unsigned int doubts;
	struct delayed_work ask;
	atomic_t releases;
	bool by_hand;
	unsigned int letting_go;
	int limit;
	int restore;
	struct dxl_team *team;
	struct dxl_target *target;
};

static inline const struct dxl_servo_layout *
dxl_servo_layout(const struct dxl_servo *servo)
{
	return servo->model->series->layout;
}

static inline const struct dxl_servo_field *
dxl_servo_field(const struct dxl_servo *servo, enum dxl_servo_reg reg)
{
	return &dxl_servo_layout(servo)->fields[reg];
}

/* The joint that it moves, if that is known. */
static inline const char *dxl_servo_label(const struct dxl_servo *servo)
{
	return servo->label ?: dev_name(&servo->ddev->dev);
}

static inline const char *dxl_servo_name(const struct dxl_servo *servo)
{
	return strchr(servo->model->compatible, ',') + 1;
}

/* Whether its mode is that of the servo: neither torque nor a goal goes to it before. */
static inline bool dxl_servo_mode_is_known(const struct dxl_servo *servo)
{
	/* Pairs with the release in take_mode(). */
	return !smp_load_acquire(&servo->mode_in_doubt);
}

/* regs.c */
int dxl_servo_decode(const struct dxl_servo_field *field, const u8 *raw);
void dxl_servo_encode(const struct dxl_servo_field *field, int value, u8 *raw);
void dxl_servo_init(struct dxl_servo *servo);
int dxl_servo_ready(struct dxl_servo *servo);
int dxl_servo_ready_to_move(struct dxl_servo *servo);
void dxl_servo_returned(struct dxl_servo *servo);
void dxl_servo_doubted(struct dxl_servo *servo);
void dxl_servo_ask(struct work_struct *work);
int dxl_servo_read(struct dxl_servo *servo, enum dxl_servo_reg reg, int *value);
int dxl_servo_write(struct dxl_servo *servo, enum dxl_servo_reg reg, int value);
int dxl_servo_read_anyway(const struct dxl_servo *servo, enum dxl_servo_reg reg,
			  int *value);
int dxl_servo_write_anyway(const struct dxl_servo *servo, enum dxl_servo_reg reg,
			   int value);
int dxl_servo_write_anyway_if(const struct dxl_servo *servo,
			      bool (*wanted)(void *context), void *context,
			      enum dxl_servo_reg reg, int value);
int dxl_servo_release(struct dxl_servo *servo);
int dxl_servo_get_mode(struct dxl_servo *servo,
		       const struct dxl_servo_mode **mode);
int dxl_servo_set_mode(struct dxl_servo *servo,
		       const struct dxl_servo_mode *mode);
int dxl_servo_set_zero(struct dxl_servo *servo, int zero);

/* channels.c */
int dxl_servo_channels(struct iio_dev *indio_dev);
void dxl_servo_set_scan_type(struct iio_chan_spec *chan,
			     const struct dxl_servo_field *field);
const int *dxl_model_range(const struct dxl_servo_model *model,
			   const struct dxl_servo_mode *mode, enum dxl_servo_reg reg);
const int *dxl_servo_range(const struct dxl_servo *servo,
			   enum dxl_servo_reg reg);
int dxl_model_scale(const struct dxl_servo_model *model, const struct iio_chan_spec *chan,
		    int *val, int *val2);
int dxl_model_offset(const struct dxl_servo_model *model, const struct iio_chan_spec *chan);
int dxl_servo_read_raw(struct dxl_servo *servo,
		       const struct iio_chan_spec *chan, int *val, int *val2,
		       long mask);
enum dxl_servo_reg dxl_servo_goal_reg(const struct dxl_servo *servo,
				      const struct iio_chan_spec *chan);

/* by_hand.c */
int dxl_hand_goal(struct dxl_servo *servo, const struct iio_chan_spec *chan, int value);
int dxl_hand_torque(struct dxl_servo *servo, bool on);
int dxl_hand_limit(struct dxl_servo *servo, int limit);

/* torque.c */
const char *dxl_torque_word(const struct dxl_servo *servo);

/* values.c */
extern const struct dxl_buffer_ops dxl_servo_buffer_ops;
int dxl_servo_join_frames(struct dxl_servo *servo);

/* attrs.c */
extern const struct attribute_group dxl_servo_attrs;

#endif /* _DXL_SERVO_H */
