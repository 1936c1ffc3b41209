/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the pose device know of each other.
 */
#ifndef _DXL_POSE_H
#define _DXL_POSE_H

#include <linux/atomic.h>
#include <linux/iio/buffer_impl.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <linux/dxl/cycle.h>
#include <linux/dxl/timer.h>

#include "servo.h"

/* Goal position and goal speed, which are neighbours in every model. */
#define GOALS	2

/* What may be one more, and the bytes of one of these in a sample. */
#define CHANNELS_MAX	(GOALS + 1)
#define STIFFNESS_SIZE	2

/* Room for goals and torque limit, where that is their neighbour. */
#define GOAL_MAX	((GOALS + 1) * SERVO_FIELD_MAX)

/* Most items that a pose is for each servo: goals, torque limit, torque, brake. */
#define POSE_ITEMS	4

/* How often a packet is sent that nobody acknowledges. */
#define ROUNDS		2

/* Room for the registers from the torque limit to the position. */
#define SURVEY_MAX	40

/**
 * struct pose_goal - a goal of a servo
 * @field: the register
 * @range: lowest value, step and highest value
 * @offset: where it is in a sample
 * @at: where it is in the bytes of the packet
 */
struct pose_goal {
	const struct dxl_servo_field *field;
	const int *range;
	unsigned int offset;
	unsigned int at;
};

/**
 * struct pose_target - a servo and its goals
 * @servo: the servo
 * @goals: goal position and goal speed
 * @item: both as they go to the servo
 * @bytes: memory of @item, and of the torque limit where that is its neighbour
 * @stiffness_at: where its stiffness is in a sample
 * @stiffness: what that was in the last pose
 * @repeats: in how many more packets it is to be said
 * @switches: and in how many of these whether it is to have torque
 * @moves: it gets goals in this one
 * @due: its stiffness is in this one
 * @said: when that was last in one, in jiffies
 * @fresh: it need not wait for anything
 * @eased: when it was let go by a pose, in jiffies
 * @torque: whether it is to have torque, as it goes to the servo
 * @brake: whether it is to brake without, likewise
 * @ramping: its torque comes back, unless something has come between
 * @full: torque limit that it is to have in the end
 * @limit: torque limit as it goes to the servo
 * @survey: its registers before its torque comes back
 * @down: it does nothing before it has been restarted, or is not hot any more
 * @doubted: when it was last asked for what its alarm means, in jiffies
 */
struct pose_target {
	struct dxl_servo *servo;
	struct pose_goal goals[GOALS];
	struct dxl_item item;
	u8 bytes[GOAL_MAX];
	unsigned int stiffness_at;
	int stiffness;
	unsigned int repeats;
	unsigned int switches;
	bool moves;
	bool due;
	unsigned long said;
	bool fresh;
	unsigned long eased;
	u8 torque;
	u8 brake;
	bool ramping;
	int full;
	u8 limit[SERVO_FIELD_MAX];
	u8 survey[SURVEY_MAX];
	bool down;
	unsigned long doubted;
};

/**
 * enum pose_ramp_step - how torque comes back
 * @RAMP_SOFTEN: the torque limit is set to 0
 * @RAMP_AIM: the goal is where the joint is
 * @RAMP_HOLD: the torque is switched on
 * @RAMP_RISE: the torque limit rises, poses are sent
 * @RAMP_OVER: it is what it was
 */
enum pose_ramp_step {
	RAMP_SOFTEN,
	RAMP_AIM,
	RAMP_HOLD,
	RAMP_RISE,
	RAMP_OVER,
};

/**
 * struct pose_ramp - the torque of a bus as it comes back, see ramp.c
 * @step: what the next exchange does
 * @rounds: how often it has been done, as nobody acknowledges it
 * @began: when the torque limit began to rise
 */
struct pose_ramp {
	enum pose_ramp_step step;
	unsigned int rounds;
	ktime_t began;
};

/**
 * struct pose - private data of the IIO device
 * @indio_dev: the IIO device
 * @team: the servos
 * @output: what goes to them in exchanges
 * @access: how the buffer is used: @fifo, but for writes, which are signs of life
 * @fifo: how IIO's buffer is used
 * @sample: the sample being sent
 * @stiffness: a sample says how stiff each joint is
 * @channels: channels of each servo
 * @count: number of servos that take poses
 * @targets: these servos, by rising ID
 * @num_servos: number of all servos
 * @servos: all servos: those above and those in a mode without goal positions
 * @survey: for what is asked outside of exchanges
 * @release: for what lets joints go outside of exchanges
 * @items: memory for both
 * @open: the buffer is enabled
 * @taken: the device is being taken away, and its stream with it
 * @due: a tick has passed since a sample was taken
 * @alive: when the application last gave a sign of life
 * @spoken: when something last went to all servos
 * @timer: fires when there has been none for too long, and then for each exchange
 *	that nobody else begins
 * @begun: the present stream has had a pose
 * @posing: what is being sent is a pose
 * @byte: value of a register of one byte as it goes to all servos
 * @steps: that of their own watchdogs
 * @ramp: the torque as it comes back
 * @poses: how many have been sent
 * @dropped: how many have not
 * @underruns: ticks without one
 * @tell: tells user space that the state has changed
 * @auto_recover: a stream that has stalled recovers by itself when it goes on
 * @stalled: it has tripped for want of a sign of life, and for nothing else
 * @resume: has it recover
 * @patrol: asks those that nobody hears of
 * @recovery: held while torque is given back, and while a stream ends
 */
struct pose {
	struct iio_dev *indio_dev;
	struct dxl_team *team;
	struct dxl_output output;
	struct iio_buffer_access_funcs access;
	const struct iio_buffer_access_funcs *fifo;
	u8 *sample;
	bool stiffness;
	unsigned int channels;
	unsigned int count;
	struct pose_target *targets;
	unsigned int num_servos;
	struct dxl_servo **servos;
	struct dxl_group *survey;
	struct dxl_group *release;
	struct dxl_item *items;

	bool open;
	bool taken;
	atomic_t due;
	atomic64_t alive;
	ktime_t spoken;
	struct dxl_timer timer;
	bool begun;
	bool posing;
	u8 byte;
	u8 steps;
	struct pose_ramp ramp;
	u64 poses;
	u64 dropped;
	u64 underruns;
	struct work_struct tell;
	bool auto_recover;
	bool stalled;
	struct work_struct resume;
	struct delayed_work patrol;
	struct mutex recovery; /* see stream.c */
};

/* pose.c */
bool dxl_pose_takes(struct dxl_servo *servo);
void dxl_pose_fill(struct pose_target *target, const u8 *sample);
unsigned int dxl_pose_items(struct pose *pose, struct dxl_item *items);
void dxl_pose_register(struct dxl_item *item, const struct dxl_servo *servo,
		       enum dxl_servo_reg reg, u8 *buf);

/* stiffness.c */
void dxl_stiffness_begin(struct pose *pose);
unsigned int dxl_stiffness_items(struct pose *pose, struct dxl_item *items);
unsigned int dxl_stiffness_repeat(struct pose *pose, struct dxl_item *items);
void dxl_stiffness_end(struct pose *pose);
unsigned int dxl_stiffness_plan(struct pose *pose, struct dxl_item *items);

/* stream.c */
void dxl_stream_init(struct pose *pose);
void dxl_stream_take_buffer(struct pose *pose);
int dxl_stream_begin(struct pose *pose);
void dxl_stream_end(struct pose *pose);
int dxl_stream_recover(struct pose *pose);
int dxl_stream_set_stiffness(struct pose *pose, bool stiffness);
int dxl_stream_set_watchdog(struct pose *pose, unsigned int ms);
void dxl_stream_live(struct pose *pose);
const char *dxl_stream_state_name(const struct pose *pose);

/* stream_attrs.c */
extern const struct attribute_group dxl_stream_attrs;

/* bus_watchdog.c */
unsigned int dxl_bus_watchdog_fill(struct pose *pose, struct dxl_item *items);
void dxl_bus_watchdog_arm(struct pose *pose);
void dxl_bus_watchdog_disarm(struct pose *pose);
int dxl_bus_watchdog_has_stopped(const struct dxl_servo *servo);

/* patrol.c */
void dxl_patrol_init(struct pose *pose);
void dxl_patrol_prepare(struct pose *pose);
void dxl_patrol_begin(struct pose *pose);
void dxl_patrol_end(struct pose *pose);

/* ramp.c */
bool dxl_ramp_is_needed(const struct pose *pose);
int dxl_ramp_survey(struct pose *pose);
void dxl_ramp_begin(struct pose *pose);
unsigned int dxl_ramp_fill(struct pose *pose, struct dxl_item *items);
void dxl_ramp_stop(struct pose *pose);

#endif /* _DXL_POSE_H */
