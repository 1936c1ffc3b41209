/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The servos of a bus as a team: how they are moved together, and watched while they are
 *
 * Order of locks, each of which may be taken within those before it: teams_lock (team.c), that
 * of a lease, that of a team, IIO's of the pose device's buffer, @recovery, and stream_lock,
 * which is also taken in exchanges. A servo's lock nests in @users, and never in @recovery.
 */
#ifndef _DXL_TEAM_H
#define _DXL_TEAM_H

#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <linux/dxl/cycle.h>
#include <linux/dxl/timer.h>

#include "servo.h"

struct dxl_lease;
struct pose;

/* Most goals of a servo that poses can have, whatever its mode is. */
#define GOALS_MAX	5

/* Bytes of its stiffness in a sample. */
#define STIFFNESS_SIZE	2

/* Room for all goals and the torque limit. */
#define GOAL_BYTES_MAX	((GOALS_MAX + 1) * SERVO_FIELD_MAX)

/* In how many pieces the goals of a mode are in the registers, at most. */
#define GOAL_ITEMS	2

/* Most items that a pose is for each servo: goals, torque limit, torque, brake. */
#define POSE_ITEMS	(GOAL_ITEMS + 3)

/* How often a packet is sent that nobody acknowledges. */
#define ROUNDS		2

/* Room for the registers from the torque limit to the position. */
#define SURVEY_MAX	40

/* How long a stream may be without a sign of life. */
#define STREAM_WATCHDOG_MS	500
#define STREAM_WATCHDOG_MIN_MS	20
#define STREAM_WATCHDOG_MAX_MS	10000

/**
 * enum dxl_stream_state - who watches over the joints of a bus, see stream.c
 * @STREAM_IDLE: nobody
 * @STREAM_LEASED: somebody who has goals written one by one, see lease.c
 * @STREAM_LAPSED: he gives no sign of life any more: the torque has been taken
 * @STREAM_STREAMING: poses are sent as they come
 * @STREAM_TRIPPED: the torque has been taken, poses are dropped
 * @STREAM_RECOVERING: the torque is coming back
 */
enum dxl_stream_state {
	STREAM_IDLE,
	STREAM_LEASED,
	STREAM_LAPSED,
	STREAM_STREAMING,
	STREAM_TRIPPED,
	STREAM_RECOVERING,
};

/* What samples of poses have beside goal position and goal speed. */
#define POSE_STIFFNESS	BIT(0)
#define POSE_ALL_GOALS	BIT(1)

/**
 * struct dxl_goal - a goal of a servo
 * @reg: the register
 * @field: where that is
 * @is_signed: it may be negative
 * @offset: where the goal is in a sample
 * @value: what it was in the last pose
 */
struct dxl_goal {
	enum dxl_servo_reg reg;
	const struct dxl_servo_field *field;
	bool is_signed;
	unsigned int offset;
	int value;
};

/**
 * struct dxl_target - a servo, as poses move it
 * @node: its place in the team
 * @servo: the servo, or NULL while it has no driver
 * @model: its model
 * @id: its ID
 * @label: the joint it moves, or the name of its device
 * @in_pose: the pose device has channels for it
 * @gathered: it is among the team's targets: what takes the torque of all takes its, too
 * @goals: its goals in a sample
 * @num_goals: their number
 * @given: those that the last pose has not left out, as bits of &enum dxl_servo_reg
 * @by_addr: the same by rising address
 * @bytes: goals, and the torque limit where that is their neighbour, as they go to the
 *	servo
 * @plan: the same for who only wants to know how long that takes
 * @stiffness_at: where its stiffness is in a sample
 * @stiffness: what that was in the last pose
 * @left_alone: the last pose says nothing of the servo
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
 * @risen: what it has of that
 * @limit: torque limit as it goes to the servo
 * @survey: its registers before its torque comes back
 * @down: it does nothing before it has been restarted, or is not hot any more
 * @doubted: when it was last asked for what its alarm means, in jiffies
 */
struct dxl_target {
	struct list_head node;
	struct dxl_servo *servo;
	const struct dxl_servo_model *model;
	u8 id;
	const char *label;
	bool in_pose;
	bool gathered;
	struct dxl_goal goals[GOALS_MAX];
	unsigned int num_goals;
	u32 given;
	struct dxl_goal *by_addr[GOALS_MAX];
	u8 bytes[GOAL_BYTES_MAX];
	u8 plan[GOAL_BYTES_MAX];
	unsigned int stiffness_at;
	int stiffness;
	bool left_alone;
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
	int risen;
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
 * struct pose_ramp - the torque of a team as it comes back, see ramp.c
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
 * struct dxl_team - the servos of a bus
 * @node: its place among all teams
 * @bus: the bus
 * @rebuild: has poses move those that there are, and registers the pose device anew
 * @lock: guards @members, @pose and @lease
 * @members: a &struct dxl_target for each servo by rising ID, and for those that have
 *	gone as long as poses have channels for them
 * @pose: the pose device, or NULL
 * @lease: the device by which a lease is held, or NULL
 * @users: held for reading by who uses a servo on behalf of the pose device, for writing
 *	when one has gone
 * @options: what the poses of the next stream have
 * @stale: @pose has other channels than it is to have, and is to be registered anew
 * @targets: those of @members that can be moved; written with @stream_lock and @recovery
 *	held
 * @count: their number
 * @capacity: room for so many
 * @incomplete: there was no memory for all that there are
 * @output: what goes to them in exchanges
 * @survey: for what is asked outside of exchanges
 * @release: for what lets joints go outside of exchanges
 * @items: memory for both
 * @stream_lock: guards what follows, and the torque of the servos; nests in the core's
 *	locks, and is taken in soft interrupt context
 * @stream: who watches
 * @leased: a lease is held
 * @alive: when the application last gave a sign of life
 * @watchdog_ms: how long it may give none
 * @timer: fires when there has been none for too long, and then for each exchange
 *	that nobody else begins
 * @spoken: when something last went to all servos
 * @watched: servos are told to watch the bus, from before the first of them is until
 *	before the first is told not to
 * @byte: value of a register of one byte as it goes to all servos
 * @steps: that of their own watchdogs
 * @ramp: the torque as it comes back
 * @tell: tells user space that the state has changed
 * @auto_recover: a stream that has stalled recovers by itself when it goes on
 * @stalled: it has tripped for want of a sign of life, and for nothing else
 * @limps: how often all joints were let go until somebody recovers them
 * @limp: they are to stay so, whoever streams or not
 * @resume: has it recover
 * @patrol: asks those that nobody hears of
 * @recovery: held while torque is given back, and while a stream begins or ends
 * @ending: the end of a stream waits for @recovery: who holds it is to hurry
 */
struct dxl_team {
	struct list_head node;
	struct dxl_bus *bus;
	struct delayed_work rebuild;
	struct mutex lock; /* see team.c */
	struct list_head members;
	struct pose *pose;
	struct dxl_lease *lease;
	struct rw_semaphore users;
	unsigned int options;
	bool stale;

	struct dxl_target **targets;
	unsigned int count;
	unsigned int capacity;
	bool incomplete;
	struct dxl_output output;
	struct dxl_group *survey;
	struct dxl_group *release;
	struct dxl_item *items;

	spinlock_t stream_lock; /* see stream.c */
	enum dxl_stream_state stream;
	bool leased;
	atomic64_t alive;
	unsigned int watchdog_ms;
	struct dxl_timer timer;
	ktime_t spoken;
	bool watched;
	u8 byte;
	u8 steps;
	struct pose_ramp ramp;
	struct work_struct tell;
	bool auto_recover;
	bool stalled;
	unsigned int limps;
	bool limp;
	struct work_struct resume;
	struct delayed_work patrol;
	struct mutex recovery; /* see stream.c */
	bool ending;
};

/* Whether poses are streamed in a state, or would be if it had not tripped. */
static inline bool dxl_stream_is_open(enum dxl_stream_state state)
{
	return state >= STREAM_STREAMING;
}

static inline bool dxl_servo_in_stream(const struct dxl_servo *servo)
{
	return dxl_stream_is_open(READ_ONCE(servo->team->stream));
}

/* team.c */
int dxl_team_add(struct dxl_servo *servo);
void dxl_team_remove(struct dxl_servo *servo);
void dxl_team_changed(struct dxl_team *team);
void dxl_team_set_options(struct dxl_team *team, unsigned int options);
void dxl_teams_let_go(void);

/* target.c */
struct dxl_target *dxl_target_create(const struct dxl_servo *servo);
void dxl_target_destroy(struct dxl_target *target);
void dxl_target_place(struct dxl_target *target, unsigned int options, unsigned int *end);
u32 dxl_target_goals(const struct dxl_servo *servo);
bool dxl_servo_takes_poses(const struct dxl_servo *servo);
bool dxl_servo_has_limit(const struct dxl_servo *servo);
bool dxl_servo_has_goal(const struct dxl_servo *servo, enum dxl_servo_reg reg);
bool dxl_target_moves(struct dxl_target *target);
bool dxl_target_is_meant(const struct dxl_target *target);
unsigned int dxl_target_take(struct dxl_target *target, const u8 *sample);
void dxl_target_set(struct dxl_target *target,
		    int (*value)(const struct dxl_target *target, enum dxl_servo_reg reg));
bool dxl_target_limit_is_near(const struct dxl_target *target);
unsigned int dxl_target_items(struct dxl_target *target, int limit, struct dxl_item *items);
unsigned int dxl_target_plan(struct dxl_target *target, struct dxl_item *items);
void dxl_target_register(struct dxl_item *item, const struct dxl_servo *servo,
			 enum dxl_servo_reg reg, u8 *buf);

/* torque.c */
void dxl_torque_event(struct dxl_servo *servo, enum dxl_torque_event event);
void dxl_torque_tell(struct dxl_servo *servo, enum dxl_torque_event event);
enum dxl_torque dxl_torque_now(struct dxl_servo *servo);
bool dxl_torque_is_taken(const struct dxl_servo *servo);
bool dxl_torque_is_off(const struct dxl_servo *servo);
void dxl_torque_notify(struct dxl_servo *servo);
int devm_dxl_torque_publish(struct dxl_servo *servo, struct iio_dev *indio_dev);

/* doubt.c */
bool dxl_doubt_lasts(const struct dxl_servo *servo);
bool dxl_doubt_matters(struct dxl_servo *servo);
int dxl_doubt_needs_restart(const struct dxl_servo *servo);
int dxl_doubt_end(struct dxl_servo *servo, unsigned int doubts);

/* stiffness.c */
void dxl_stiffness_renew(struct dxl_target *target);
void dxl_stiffness_begin(struct dxl_team *team);
unsigned int dxl_stiffness_items(struct pose *pose, struct dxl_item *items);
unsigned int dxl_stiffness_repeat(struct dxl_team *team, struct dxl_item *items);
void dxl_stiffness_end(struct dxl_team *team);
unsigned int dxl_stiffness_plan(struct dxl_team *team, struct dxl_item *items);

/* stream.c */
void dxl_stream_init(struct dxl_team *team);
void dxl_stream_exit(struct dxl_team *team);
int dxl_stream_begin(struct pose *pose);
void dxl_stream_end(struct pose *pose);
void dxl_stream_trip(struct dxl_team *team);
void dxl_stream_let_all_go(struct dxl_team *team);
void dxl_stream_lift_limp(struct dxl_team *team);
int dxl_stream_recover(struct dxl_team *team);
int dxl_stream_set_auto_recover(struct dxl_team *team, bool by_itself);
int dxl_stream_set_option(struct dxl_team *team, unsigned int option, bool on);
int dxl_stream_set_watchdog(struct dxl_team *team, unsigned int ms);
void dxl_stream_live(struct dxl_team *team);
int dxl_stream_lease(struct dxl_team *team);
int dxl_stream_renew(struct dxl_team *team);
void dxl_stream_end_lease(struct dxl_team *team);
const char *dxl_stream_state_name(const struct dxl_team *team);

/* lineup.c */
int dxl_lineup_gather(struct dxl_team *team);
void dxl_lineup_drop(struct dxl_team *team);
void dxl_lineup_join(struct dxl_target *target);
void dxl_lineup_leave(struct dxl_target *target);

/* permit.c */
bool dxl_stream_forbids_goal(const struct dxl_servo *servo, enum dxl_servo_reg reg);
bool dxl_stream_forbids_torque(const struct dxl_servo *servo);
bool dxl_stream_forbids_limit(const struct dxl_servo *servo);
bool dxl_stream_lets_move(struct dxl_servo *servo, enum dxl_servo_reg reg);
bool dxl_stream_lets_limit(struct dxl_servo *servo);
void dxl_stream_torque_given(struct dxl_servo *servo, int releases);
int dxl_stream_release(struct dxl_servo *servo);
int dxl_stream_let_go(struct dxl_servo *servo);

/* lease.c */
struct dxl_lease *dxl_lease_create(struct dxl_team *team);
void dxl_lease_destroy(struct dxl_lease *lease);
int dxl_leases_init(void);
void dxl_leases_exit(void);

/* bus_watchdog.c */
int dxl_bus_watchdog_start(const struct dxl_servo *servo);
int dxl_bus_watchdog_set(const struct dxl_servo *servo);
unsigned int dxl_bus_watchdog_fill(struct dxl_team *team, struct dxl_item *items);
void dxl_bus_watchdog_arm(struct dxl_team *team);
void dxl_bus_watchdog_disarm(struct dxl_team *team);
int dxl_bus_watchdog_has_stopped(const struct dxl_servo *servo);

/* patrol.c */
void dxl_patrol_init(struct dxl_team *team);
void dxl_patrol_prepare(struct dxl_team *team);
void dxl_patrol_begin(struct dxl_team *team);
void dxl_patrol_end(struct dxl_team *team);

/* ramp.c */
bool dxl_ramp_is_needed(const struct dxl_team *team);
int dxl_ramp_survey(struct dxl_team *team);
void dxl_ramp_begin(struct dxl_team *team);
unsigned int dxl_ramp_fill(struct dxl_team *team, struct dxl_item *items);
void dxl_ramp_stop(struct dxl_team *team);
bool dxl_ramp_takes_limit(struct dxl_servo *servo, int limit);
void dxl_ramp_note_limit(struct dxl_servo *servo, int limit);
void dxl_ramp_restore(struct dxl_servo *servo);

#endif /* _DXL_TEAM_H */
