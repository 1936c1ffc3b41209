/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the servo driver know of each other.
 */
#ifndef _DXL_SERVO_H
#define _DXL_SERVO_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <linux/dxl/bus.h>

#include "torque.h"

struct attribute_group;
struct dxl_buffer_ops;
struct iio_chan_spec;
struct iio_dev;

/**
 * enum dxl_servo_reg - registers that servos have, wherever a model puts them
 * @SERVO_MODE: what the goals mean, see &struct dxl_servo_mode
 * @SERVO_TORQUE_ENABLE: whether the motor holds
 * @SERVO_GOAL_POSITION: where to go
 * @SERVO_GOAL_SPEED: how fast to go there; 0 is as fast as it can
 * @SERVO_GOAL_VELOCITY: how fast to turn, in modes that have no goal position
 * @SERVO_GOAL_CURRENT: current of the motor, or a limit to it
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
 * @SERVO_REGS: number of registers
 */
enum dxl_servo_reg {
	SERVO_MODE,
	SERVO_TORQUE_ENABLE,
	SERVO_GOAL_POSITION,
	SERVO_GOAL_SPEED,
	SERVO_GOAL_VELOCITY,
	SERVO_GOAL_CURRENT,
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
 * @turns: it is driven by the goal velocity
 */
struct dxl_servo_mode {
	const char *name;
	u32 value;
	const int *position_range;
	bool turns;
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
 * @lock: guards @configured and writes of @mode and @wrong_model
 * @configured: the device has been found to be a @model and asked how it
 *	answers
 * @mode: its operating mode, as far as known
 * @wrong_model: it has been found to be another model
 * @torque: what is known of its torque; guarded by the team's stream_lock
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
 * @node: its place among them
 */
struct dxl_servo {
	struct dxl_device *ddev;
	const struct dxl_servo_model *model;
	const char *label;
	struct mutex lock; /* guards configured, mode and wrong_model */
	bool configured;
	const struct dxl_servo_mode *mode;
	bool wrong_model;
	enum dxl_torque torque;
	unsigned int doubts;
	struct delayed_work ask;
	atomic_t releases;
	bool by_hand;
	unsigned int letting_go;
	int limit;
	int restore;
	struct dxl_team *team;
	struct list_head node;
};

/**
 * enum dxl_stream_state - the poses of a bus as a stream, see stream.c
 * @STREAM_IDLE: there is none
 * @STREAM_STREAMING: poses are sent as they come
 * @STREAM_TRIPPED: the torque has been taken, poses are dropped
 * @STREAM_RECOVERING: the torque is coming back
 */
enum dxl_stream_state {
	STREAM_IDLE,
	STREAM_STREAMING,
	STREAM_TRIPPED,
	STREAM_RECOVERING,
};

/* How long a stream may be without a sign of life. */
#define STREAM_WATCHDOG_MS	500
#define STREAM_WATCHDOG_MIN_MS	20
#define STREAM_WATCHDOG_MAX_MS	10000

/**
 * struct dxl_team - the servos of a bus
 * @node: its place among all teams
 * @bus: the bus
 * @rebuild: registers the pose device anew
 * @lock: guards @servos and @pose
 * @servos: the servos, by rising ID
 * @pose: their pose device, or NULL
 * @watchdog_ms: how long a stream may be without a sign of life
 * @stiffness: the next stream's poses say how stiff each joint is
 * @stale: @pose has other channels than it is to have, and is to be registered anew
 * @stream_lock: guards @stream and the torque of the servos; nests in the core's
 *	locks, and is taken in soft interrupt context
 * @stream: what the stream of poses is doing
 * @watched: servos are told to watch the bus, from before the first of them is until
 *	before the first is told not to
 */
struct dxl_team {
	struct list_head node;
	struct dxl_bus *bus;
	struct delayed_work rebuild;
	struct mutex lock; /* see team.c */
	struct list_head servos;
	struct iio_dev *pose;
	unsigned int watchdog_ms;
	bool stiffness;
	bool stale;
	spinlock_t stream_lock; /* see stream.c */
	enum dxl_stream_state stream;
	bool watched;
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

/* A pose in the steps of one model, or of no mode of its own, must not move it. */
static inline bool dxl_servo_takes_poses(const struct dxl_servo *servo)
{
	return !READ_ONCE(servo->wrong_model) && READ_ONCE(servo->mode)->position_range;
}

/* Poses are streamed to the servos of its bus, or would be if it had not tripped. */
static inline bool dxl_servo_in_stream(const struct dxl_servo *servo)
{
	return READ_ONCE(servo->team->stream) != STREAM_IDLE;
}

static inline const char *dxl_servo_name(const struct dxl_servo *servo)
{
	return strchr(servo->model->compatible, ',') + 1;
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
void dxl_servo_torque_off(struct dxl_servo *servo);

/* channels.c */
int dxl_servo_channels(struct iio_dev *indio_dev);
void dxl_servo_set_scan_type(struct iio_chan_spec *chan,
			     const struct dxl_servo_field *field);
const int *dxl_servo_range(const struct dxl_servo *servo,
			   enum dxl_servo_reg reg);
int dxl_servo_read_raw(struct dxl_servo *servo,
		       const struct iio_chan_spec *chan, int *val, int *val2,
		       long mask);
int dxl_servo_read_avail(const struct dxl_servo *servo,
			 const struct iio_chan_spec *chan, const int **vals,
			 int *type, long mask);

/* values.c */
extern const struct dxl_buffer_ops dxl_servo_buffer_ops;
int dxl_servo_join_frames(struct dxl_servo *servo);

/* attrs.c */
extern const struct attribute_group dxl_servo_attrs;

/* team.c */
int dxl_team_add(struct dxl_servo *servo);
void dxl_team_remove(struct dxl_servo *servo);
void dxl_team_changed(struct dxl_team *team);
void dxl_team_set_stiffness(struct dxl_team *team, bool stiffness);
void dxl_team_trip(struct dxl_servo *servo);

/* pose.c */
struct iio_dev *dxl_pose_create(struct dxl_team *team);
void dxl_pose_destroy(struct iio_dev *indio_dev);

/* torque.c */
void dxl_torque_event(struct dxl_servo *servo, enum dxl_torque_event event);
void dxl_torque_tell(struct dxl_servo *servo, enum dxl_torque_event event);
enum dxl_torque dxl_torque_now(struct dxl_servo *servo);
bool dxl_torque_is_taken(const struct dxl_servo *servo);

/* doubt.c */
bool dxl_doubt_lasts(const struct dxl_servo *servo);
bool dxl_doubt_matters(struct dxl_servo *servo);
int dxl_doubt_needs_restart(const struct dxl_servo *servo);
int dxl_doubt_end(struct dxl_servo *servo, unsigned int doubts);

/* bus_watchdog.c */
int dxl_bus_watchdog_start(const struct dxl_servo *servo);
int dxl_bus_watchdog_set(const struct dxl_servo *servo);

/* ramp.c */
bool dxl_ramp_takes_limit(struct dxl_servo *servo, int limit);
void dxl_ramp_note_limit(struct dxl_servo *servo, int limit);
void dxl_ramp_restore(struct dxl_servo *servo);

/* stream.c */
bool dxl_stream_allows_rebuild(struct iio_dev *indio_dev);
void dxl_stream_trip(struct iio_dev *indio_dev);
bool dxl_stream_forbids_goals(const struct dxl_servo *servo);
bool dxl_stream_forbids_torque(const struct dxl_servo *servo);
bool dxl_stream_forbids_limit(const struct dxl_servo *servo);
bool dxl_stream_lets_move(struct dxl_servo *servo);
bool dxl_stream_lets_limit(struct dxl_servo *servo);
void dxl_stream_torque_given(struct dxl_servo *servo, int releases);
int dxl_stream_release(struct dxl_servo *servo);
int dxl_stream_let_go(struct dxl_servo *servo);

#endif /* _DXL_SERVO_H */
