// SPDX-License-Identifier: GPL-2.0
/*
 * Which servos of a bus move together
 *
 * The servos of a bus are a team. Each has a place in it, its target, from which it can be
 * gone, as when its driver is unbound, without its place being so. IIO wants to know the
 * channels of a device when it is registered, so the pose device has them for the places
 * that there are then. A servo that comes to a place of its own takes it. Any other change
 * has the device registered anew a moment later, so that the servos of a whole robot cost
 * one registration, but not before a stream that there is has ended.
 *
 * Locks: teams_lock guards the list of teams and is taken before the lock of
 * one of them, which guards its members and its pose device. Removal of the pose
 * device waits for its readers, so neither is taken on behalf of one: these hold @users
 * while they use a servo.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "pose.h"

/* Servos bind within milliseconds of each other, by asynchronous probing. */
#define SETTLE_MS	100

/* When there was no memory. */
#define RETRY_MS	1000

static LIST_HEAD(teams);
static DEFINE_MUTEX(teams_lock);

/* --- who can be moved --- */

static void drop_pose(struct dxl_team *team)
{
	lockdep_assert_held(&team->lock);

	if (team->pose)
		dxl_pose_destroy(team->pose);
}

/* No pose device has channels for them. */
static void drop_absent(struct dxl_team *team)
{
	struct dxl_target *target, *next;

	lockdep_assert_held(&team->lock);

	list_for_each_entry_safe(target, next, &team->members, node) {
		if (target->servo)
			continue;
		list_del(&target->node);
		dxl_target_destroy(target);
	}
}

/* Whether poses have channels for others than those that are there, or other channels. */
static bool is_stale(const struct dxl_team *team)
{
	const struct dxl_target *target;

	list_for_each_entry(target, &team->members, node)
		if (target->in_pose != !!target->servo)
			return true;

	return team->pose->options != READ_ONCE(team->options);
}

/*
 * Returns whether there is nothing to be done now: whoever streams would lose his device, and
 * with it all joints. Else no stream begins any more.
 */
static bool keeps_pose(struct dxl_team *team)
{
	bool was_stale, stale, open;

	/* As streams begin and end, and ask for other poses. */
	scoped_guard(mutex, &team->recovery) {
		was_stale = team->stale;
		stale = is_stale(team);
		open = dxl_stream_is_open(READ_ONCE(team->stream));
		WRITE_ONCE(team->stale, stale);
	}

	if (stale != was_stale)
		dxl_pose_tell(team->pose, "stale", "DXL_STALE", stale ? "1" : "0");
	if (open && stale && !was_stale)
		dev_info(dxl_bus_dev(team->bus),
			 "the members of poses change when the stream ends\n");

	return open || !stale;
}

static void schedule_rebuild(struct dxl_team *team, unsigned int ms)
{
	mod_delayed_work(system_percpu_wq, &team->rebuild, msecs_to_jiffies(ms));
}

static void team_rebuild(struct work_struct *work)
{
	struct dxl_team *team = container_of(to_delayed_work(work),
					     struct dxl_team, rebuild);
	struct pose *pose;
	int ret;

	guard(mutex)(&team->lock);

	if (team->pose && keeps_pose(team))
		return;

	drop_pose(team);
	drop_absent(team);
	WRITE_ONCE(team->stale, false);
	if (list_empty(&team->members))
		return;

	ret = dxl_lineup_gather(team);
	pose = ret ? ERR_PTR(ret) : dxl_pose_create(team);
	if (!IS_ERR(pose))
		return;

	dev_err_ratelimited(dxl_bus_dev(team->bus), "no pose device: %pe\n", pose);
	if (PTR_ERR(pose) == -ENOMEM)
		schedule_rebuild(team, RETRY_MS);
}

/**
 * dxl_team_changed() - have a team's pose device registered anew soon
 * @team: the team
 *
 * Context: Any.
 */
void dxl_team_changed(struct dxl_team *team)
{
	schedule_rebuild(team, SETTLE_MS);
}

/**
 * dxl_team_set_options() - have a team's pose device registered anew soon, with other poses
 * @team: the team
 * @options: what these have
 *
 * Not at once: a program that ends its stream has channels to disable yet, by files of that device.
 *
 * Context: Any.
 */
void dxl_team_set_options(struct dxl_team *team, unsigned int options)
{
	if (READ_ONCE(team->options) == options)
		return;

	WRITE_ONCE(team->options, options);
	WRITE_ONCE(team->stale, true);
	dxl_team_changed(team);
}

/* --- all at once --- */

static void let_team_go(struct dxl_team *team)
{
	struct dxl_target *target;

	guard(mutex)(&team->lock);

	dxl_stream_trip(team);
	list_for_each_entry(target, &team->members, node)
		if (target->servo)
			dxl_servo_release(target->servo);
}

/**
 * dxl_teams_let_go() - let all joints go, as the driver is about to be unloaded
 *
 * Its servos go one after the other, and each waits for whoever uses it.
 *
 * Context: Process context. Sleeps.
 */
void dxl_teams_let_go(void)
{
	struct dxl_team *team;

	guard(mutex)(&teams_lock);

	list_for_each_entry(team, &teams, node)
		let_team_go(team);
}

/* --- life --- */

static uint watchdog_ms = STREAM_WATCHDOG_MS;
module_param(watchdog_ms, uint, 0444);
MODULE_PARM_DESC(watchdog_ms,
		 "How long streams of poses may give no sign of life where the machine's description does not say, in milliseconds (default 500)");

static unsigned int default_watchdog(void)
{
	return clamp_t(uint, watchdog_ms, STREAM_WATCHDOG_MIN_MS,
		       STREAM_WATCHDOG_MAX_MS);
}

/* As the machine's description says, if that can be. */
static unsigned int described_watchdog(struct dxl_bus *bus)
{
	struct device *dev = dxl_bus_dev(bus);
	u32 ms;

	if (device_property_read_u32(dev, "watchdog-timeout-ms", &ms))
		return default_watchdog();
	if (ms >= STREAM_WATCHDOG_MIN_MS && ms <= STREAM_WATCHDOG_MAX_MS)
		return ms;

	dev_warn(dev, "watchdog-timeout-ms of %u is out of range\n", ms);

	return default_watchdog();
}

static struct dxl_team *team_create(struct dxl_bus *bus)
{
	struct dxl_lease *lease;
	struct dxl_team *team;

	team = kzalloc(sizeof(*team), GFP_KERNEL);
	if (!team)
		return ERR_PTR(-ENOMEM);

	team->bus = bus;
	INIT_DELAYED_WORK(&team->rebuild, team_rebuild);
	mutex_init(&team->lock);
	INIT_LIST_HEAD(&team->members);
	init_rwsem(&team->users);
	team->watchdog_ms = described_watchdog(bus);
	dxl_stream_init(team);
	lease = dxl_lease_create(team);
	if (IS_ERR(lease)) {
		dxl_stream_exit(team);
		mutex_destroy(&team->lock);
		kfree(team);
		return ERR_CAST(lease);
	}

	team->lease = lease;
	list_add(&team->node, &teams);

	return team;
}

/* No servo is left. */
static void team_destroy(struct dxl_team *team)
{
	list_del(&team->node);
	disable_delayed_work_sync(&team->rebuild);
	dxl_lease_destroy(team->lease);
	scoped_guard(mutex, &team->lock) {
		drop_pose(team);
		drop_absent(team);
	}
	dxl_stream_exit(team);
	mutex_destroy(&team->lock);
	kfree(team);
}

static struct dxl_team *team_find(const struct dxl_bus *bus)
{
	struct dxl_team *team;

	lockdep_assert_held(&teams_lock);

	list_for_each_entry(team, &teams, node)
		if (team->bus == bus)
			return team;

	return NULL;
}

/* --- members --- */

/* Where it was before. */
static struct dxl_target *find_place(struct dxl_team *team, const struct dxl_servo *servo)
{
	struct dxl_target *target;

	list_for_each_entry(target, &team->members, node)
		if (!target->servo && target->id == servo->ddev->id &&
		    target->model == servo->model &&
		    !strcmp(target->label, dxl_servo_label(servo)))
			return target;

	return NULL;
}

static void insert(struct dxl_team *team, struct dxl_target *target)
{
	struct dxl_target *other;

	list_for_each_entry(other, &team->members, node)
		if (other->id > target->id)
			break;
	list_add_tail(&target->node, &other->node);
}

static bool is_deserted(const struct dxl_team *team)
{
	const struct dxl_target *target;

	list_for_each_entry(target, &team->members, node)
		if (target->servo)
			return false;

	return true;
}

static int team_insert(struct dxl_team *team, struct dxl_servo *servo, bool *deserted)
{
	struct dxl_target *target;

	guard(mutex)(&team->lock);

	*deserted = is_deserted(team);
	target = find_place(team, servo);
	if (!target) {
		target = dxl_target_create(servo);
		if (!target)
			return -ENOMEM;
		insert(team, target);
	}

	servo->team = team;
	servo->target = target;
	scoped_guard(rwsem_write, &team->users)
		target->servo = servo;
	if (target->in_pose)
		dxl_lineup_join(target);
	dxl_team_changed(team);

	return 0;
}

/**
 * dxl_team_add() - let a servo move with the others of its bus
 * @servo: the servo
 *
 * Return: 0 or a negative errno
 */
int dxl_team_add(struct dxl_servo *servo)
{
	struct dxl_team *team;
	bool deserted;
	int ret;

	guard(mutex)(&teams_lock);

	team = team_find(servo->ddev->bus);
	if (!team)
		team = team_create(servo->ddev->bus);
	if (IS_ERR(team))
		return PTR_ERR(team);

	ret = team_insert(team, servo, &deserted);
	if (ret && deserted)
		team_destroy(team);

	return ret;
}

/**
 * dxl_team_remove() - take back dxl_team_add()
 * @servo: the servo; nothing refers to it afterwards
 */
void dxl_team_remove(struct dxl_servo *servo)
{
	struct dxl_target *target = servo->target;
	struct dxl_team *team = servo->team;
	bool deserted;

	guard(mutex)(&teams_lock);

	scoped_guard(mutex, &team->lock) {
		dxl_lineup_leave(target);
		scoped_guard(rwsem_write, &team->users)
			target->servo = NULL;
		if (!target->in_pose) {
			list_del(&target->node);
			dxl_target_destroy(target);
		}
		deserted = is_deserted(team);
	}

	if (deserted)
		team_destroy(team);
	else
		dxl_team_changed(team);
}
