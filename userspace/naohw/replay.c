// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plays a recording: the DCM takes the joints from one place of the file to the next, each at the
 * time at which it was there. It is told so shortly before, a stretch of a cycle or two at a time.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "frames.h"
#include "hold.h"
#include "interrupt.h"
#include "output.h"
#include "tracks.h"

#define NS_PER_S	 1e9
#define NS_PER_MS	 1e6
#define MS_PER_S	 1000.0
/* ms, where the DCM does not say it */
#define PERIOD		 10
/* So many periods before it is due, or a little more, the DCM is told. */
#define AHEAD		 2
/* ms, of a cycle that does not come; and how many of those are waited for */
#define TIMEOUT		 250
#define TRIES		 4
/* For so long no joint may answer: in ms, and in cycles, as a machine may have stood still. */
#define SILENT		 500
#define SILENT_CYCLES	 5
/* On the way to the first pose, the joint that has the longest one goes so fast. */
#define APPROACH_RAD_S	 0.5
#define APPROACH_MIN	 500 /* ms */
/* ms: joints that are to stay where they were seen come back from a little further. */
#define HOLD		 100
#define ARRIVAL		 3000 /* ms */
#define ARRIVED_RAD	 0.02
/* A joint that was to go so far, and has not moved, cannot. */
#define SENT_RAD	 0.2

/* A joint that both the file and the robot have. */
struct joint {
	const struct track *track;
	struct naohw_dcm_joint *dcm;
	struct naohw_dcm_look look; /* as it was seen last */
	double goal;	 /* rad: where it is to be; NAN: nowhere yet */
	bool is_left;	 /* it was limp: if it gets torque, it is not to snap to its goal */
	bool arrived;	 /* was seen at its goal since it is awaited */
	double began;	 /* where it was seen first, rad; NAN: not yet */
	double went;	 /* how far from there it was seen ... */
	double was_sent; /* ... and was to be */
};

struct replay {
	struct tracks tracks;
	double speed;
	bool dry;
	bool quiet;
	struct naohw_robot *robot;
	struct naohw_pose *pose; /* only a description */
	struct naohw_dcm *dcm;
	struct hold hold;
	struct joint *joint;
	size_t count;
	const char **labels; /* of each joint */
	/* Of a step: room for all */
	const char **names;
	double *goals;
	uint64_t cycle;	    /* the last one that was waited for */
	double until;	    /* ms, by the DCM's time: the end of what it was given */
	unsigned int silent; /* cycles without an answer of any joint, */
	double heard;	     /* ms: which was there last at this time */
};

/* ---- what the DCM has ---- */

static double now(const struct replay *replay)
{
	return (double)naohw_dcm_get_time(replay->dcm, 0);
}

/* In whole ms, as steps are. */
static double period_of(const struct replay *replay)
{
	double ms = naohw_dcm_get_period(replay->dcm);

	return ms > 0 ? ceil(ms) : PERIOD;
}

static void look_at(struct replay *replay, struct joint *joint)
{
	struct naohw_dcm_look *look = &joint->look;

	if (naohw_dcm_joint_look(joint->dcm, joint->goal, look) < 0)
		return;
	joint->is_left |= look->is_limp;
	replay->silent = 0;
	replay->heard = now(replay);
	if (isnan(joint->began))
		joint->began = look->present;
	joint->went = fmax(joint->went, fabs(look->present - joint->began));
	if (isfinite(joint->goal))
		joint->was_sent = fmax(joint->was_sent, fabs(joint->goal - joint->began));
}

static int check_torque(const struct replay *replay)
{
	struct naohw_error err;

	return naohw_dcm_check_stream(replay->dcm, &err) < 0 ? complain("%s", err.message) : STATUS_OK;
}

/* A machine that stands still for a while is waited for. */
static int wait_for_cycle(struct replay *replay)
{
	struct naohw_error err;
	int ret = -ETIMEDOUT;

	for (int i = 0; i < TRIES && ret == -ETIMEDOUT && !is_interrupted(); i++)
		ret = naohw_dcm_wait(replay->dcm, &replay->cycle, TIMEOUT, &err);
	return ret == 0 || is_interrupted() ? STATUS_OK : complain("%s", err.message);
}

/* Wait for the next cycle, and look at what it has. */
static int beat(struct replay *replay)
{
	int status = wait_for_cycle(replay);

	if (status == STATUS_OK)
		status = check_torque(replay);
	if (status != STATUS_OK || is_interrupted())
		return status;
	replay->silent++;
	for (size_t i = 0; i < replay->count; i++)
		look_at(replay, &replay->joint[i]);
	if (replay->silent > SILENT_CYCLES && now(replay) > replay->heard + SILENT)
		return complain("no joint answers any more");
	return STATUS_OK;
}

/* Of those that are sent anywhere. Return: how many they are. */
static size_t take_goals(struct replay *replay)
{
	size_t count = 0;

	for (size_t i = 0; i < replay->count; i++) {
		const struct joint *joint = &replay->joint[i];

		if (joint->is_left || !isfinite(joint->goal))
			continue;
		replay->names[count] = naohw_dcm_joint_position(joint->dcm);
		replay->goals[count++] = joint->goal;
	}
	return count;
}

/* To their goals, in the same cycles. */
static int send(struct replay *replay, double begin, double end, struct naohw_error *err)
{
	size_t count = take_goals(replay);
	int ret = 0;

	for (size_t i = 0; i < count && ret == 0; i += NAOHW_STEP_JOINTS_MAX) {
		size_t left = count - i;

		if (left > NAOHW_STEP_JOINTS_MAX)
			left = NAOHW_STEP_JOINTS_MAX;
		ret = naohw_dcm_set_step(replay->dcm, &replay->names[i], &replay->goals[i], left,
					 llround(begin), llround(end), err);
	}
	return ret;
}

/* ---- the way through the file ---- */

/*
 * A joint that was seen at its goal is done: over a bad line not all answer at one time. Nobody waits
 * for one that is sent nowhere.
 */
static bool have_arrived(struct replay *replay)
{
	bool all = true;

	for (size_t i = 0; i < replay->count; i++) {
		struct joint *joint = &replay->joint[i];

		joint->arrived |= joint->look.off <=
				  fmax(ARRIVED_RAD, naohw_dcm_joint_sag(joint->dcm));
		all &= joint->arrived || joint->is_left;
	}
	return all;
}

/* When they have been sent there; some may be late. */
static int wait_for_arrival(struct replay *replay)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < replay->count; i++)
		replay->joint[i].arrived = false;
	while (status == STATUS_OK && !is_interrupted() && now(replay) < replay->until + ARRIVAL) {
		status = beat(replay);
		if (now(replay) >= replay->until && have_arrived(replay))
			break;
	}
	return status;
}

/* One that does not tell where it is may be where it was sent, or the other way round. */
static double way_to_first(const struct joint *joint)
{
	return fmax(fabs(joint->track->first - joint->look.present),
		    fabs(joint->track->first - joint->look.sent));
}

/* ms: so slowly that no joint goes faster than it may */
static double time_for_approach(const struct replay *replay)
{
	double ms = APPROACH_MIN;

	for (size_t i = 0; i < replay->count; i++) {
		const struct joint *joint = &replay->joint[i];
		double speed = fmin(APPROACH_RAD_S, naohw_dcm_joint_speed_max(joint->dcm));

		if (!joint->is_left)
			ms = fmax(ms, way_to_first(joint) / speed * MS_PER_S);
	}
	return ms;
}

/* All joints arrive at the same time, however far they have to go. */
static int approach(struct replay *replay)
{
	double ms = time_for_approach(replay), begin = now(replay);
	struct naohw_error err;

	for (size_t i = 0; i < replay->count; i++)
		replay->joint[i].goal = replay->joint[i].track->first;
	if (!replay->quiet)
		printf("To its first pose in %.1f s.\n", ms / MS_PER_S);
	fflush(stdout);
	replay->until = begin + ms;
	if (send(replay, begin, replay->until, &err) < 0)
		return complain("%s", err.message);
	return wait_for_arrival(replay);
}

/* At least as long as a cycle, and to a row if there is one. */
static int send_stretch(struct replay *replay, double period, struct naohw_error *err)
{
	struct tracks *tracks = &replay->tracks;
	int64_t from = tracks->time, least = llround(period * NS_PER_MS * replay->speed);
	double begin = replay->until;
	int ret = tracks_go_on(tracks, least, 2 * least, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < replay->count; i++)
		replay->joint[i].goal = replay->joint[i].track->place;
	replay->until += (double)(tracks->time - from) / NS_PER_MS / replay->speed;
	return send(replay, begin, replay->until, err);
}

/*
 * The DCM knows no more than the next cycles: after a stall the rest comes later, and no joint has
 * to make up for it at once.
 */
static int send_ahead(struct replay *replay)
{
	double period = period_of(replay), time = now(replay);
	struct naohw_error err;

	if (replay->until < time)
		replay->until = time + period;
	while (!tracks_have_ended(&replay->tracks) && replay->until < time + AHEAD * period)
		if (send_stretch(replay, period, &err) < 0)
			return complain("%s", err.message);
	return STATUS_OK;
}

static int play_rows(struct replay *replay)
{
	int status = STATUS_OK;

	while (status == STATUS_OK && !is_interrupted() && !tracks_have_ended(&replay->tracks)) {
		status = send_ahead(replay);
		if (status == STATUS_OK)
			status = beat(replay);
	}
	return status;
}

/* Each stays where it is found; one that nobody hears of, where it was sent. */
static void stay(struct replay *replay)
{
	double begin = now(replay);

	for (size_t i = 0; i < replay->count; i++) {
		struct joint *joint = &replay->joint[i];
		struct naohw_dcm_look *look = &joint->look;

		if (naohw_dcm_joint_look(joint->dcm, NAN, look) == 0)
			joint->goal = look->present;
		else
			joint->goal = look->sent;
	}
	if (send(replay, begin, begin + HOLD, NULL) < 0)
		return;
	while (now(replay) <= begin + HOLD)
		if (naohw_dcm_wait(replay->dcm, &replay->cycle, TIMEOUT, NULL) < 0)
			return;
}

/* ---- what came of it ---- */

static bool never_moved(const struct joint *joint)
{
	return joint->was_sent > SENT_RAD && joint->went <= ARRIVED_RAD;
}

static bool is_amiss(const struct joint *joint)
{
	return joint->is_left || !joint->arrived || never_moved(joint);
}

static const struct joint *worst(const struct replay *replay, unsigned int *amiss)
{
	const struct joint *found = NULL;

	*amiss = 0;
	for (size_t i = 0; i < replay->count; i++) {
		const struct joint *joint = &replay->joint[i];

		if (!is_amiss(joint))
			continue;
		(*amiss)++;
		if (!found || joint->look.off > found->look.off)
			found = joint;
	}
	return found;
}

/* A joint that was left out may be at its goal all the same, where the file ends as it begins. */
static int verdict(const struct replay *replay)
{
	const char *begin = "final pose not reached";
	unsigned int amiss;
	const struct joint *joint = worst(replay, &amiss);
	const char *label;

	if (!joint)
		return STATUS_OK;
	label = replay->labels[joint - replay->joint];
	if (joint->is_left)
		complain("%s by %u of %zu joints; %s was limp", begin, amiss, replay->count, label);
	else if (!isfinite(joint->look.off))
		complain("%s by %u of %zu joints; %s does not answer", begin, amiss, replay->count,
			 label);
	else if (never_moved(joint))
		complain("%s by %u of %zu joints; %s has not moved: has it torque?", begin, amiss,
			 replay->count, label);
	else
		complain("%s by %u of %zu joints; %s is %.3f rad off its goal", begin, amiss,
			 replay->count, label, joint->look.off);
	return STATUS_NOT_REACHED;
}

static void tell_limp(const struct replay *replay)
{
	const char *separator = ": ";

	for (size_t i = 0; i < replay->count; i++) {
		if (!replay->joint[i].look.is_limp)
			continue;
		if (*separator == ':')
			printf("Note: a replay gives no torque, limp joints are left out");
		printf("%s%s", separator, replay->labels[i]);
		separator = ", ";
	}
	if (*separator == ',')
		printf(".\n");
}

static int perform(struct replay *replay)
{
	int status;

	/* The first cycle sees frames before the kernel has been asked what became of torque. */
	status = wait_for_cycle(replay);
	replay->heard = now(replay);
	if (status == STATUS_OK)
		status = beat(replay);
	if (status == STATUS_OK && !replay->quiet)
		tell_limp(replay);
	if (status != STATUS_OK || is_interrupted())
		return status == STATUS_OK ? STATUS_INTERRUPTED : status;
	status = approach(replay);
	if (status == STATUS_OK)
		status = play_rows(replay);
	if (status == STATUS_OK && !is_interrupted())
		status = wait_for_arrival(replay);
	if (status == STATUS_OK && !is_interrupted())
		return verdict(replay);
	stay(replay);
	return status == STATUS_OK ? STATUS_INTERRUPTED : status;
}

/* ---- both together ---- */

static void match(struct replay *replay)
{
	for (size_t i = 0; i < naohw_robot_joint_count(replay->robot); i++) {
		struct track_limits limits;

		if (naohw_pose_get_limits(replay->pose, i, &limits.low, &limits.high) < 0 ||
		    naohw_pose_get_speed_limit(replay->pose, i, &limits.speed) < 0)
			continue;
		tracks_add(&replay->tracks, naohw_joint_label(replay->robot, i), i, &limits);
	}
}

/* The whole file is read once before anything moves: it may be damaged at its end. */
static int check_file(struct replay *replay)
{
	const char *path = replay->tracks.recording->path;
	const char *whose = replay->pose ? " of this robot" : "";
	struct naohw_error err;

	if (tracks_check(&replay->tracks, &err) < 0)
		return complain("%s", err.message);
	if (replay->tracks.rows == 0)
		return complain("%s: has no frames", path);
	if (replay->tracks.count == 0)
		return complain("%s: has no position or goal of any joint%s", path, whose);
	return STATUS_OK;
}

static bool make_room(struct replay *replay)
{
	size_t count = replay->tracks.count;

	replay->joint = calloc(count, sizeof(*replay->joint));
	replay->labels = calloc(count, sizeof(*replay->labels));
	replay->names = calloc(count, sizeof(*replay->names));
	replay->goals = calloc(count, sizeof(*replay->goals));
	return replay->joint && replay->labels && replay->names && replay->goals;
}

static int prepare_joint(struct replay *replay, const struct track *track)
{
	struct joint *joint = &replay->joint[replay->count];
	struct naohw_error err;
	int ret = naohw_dcm_joint_new(replay->dcm, replay->pose, track->joint, &joint->dcm, &err);

	if (ret == -ENOENT) {
		if (!replay->quiet)
			printf("Note: passed over: %s.\n", err.message);
		return STATUS_OK;
	}
	if (ret < 0)
		return complain("%s", err.message);
	joint->track = track;
	joint->goal = joint->began = NAN;
	replay->labels[replay->count++] = naohw_joint_label(replay->robot, track->joint);
	return STATUS_OK;
}

static int prepare_joints(struct replay *replay)
{
	int status = make_room(replay) ? STATUS_OK : complain("out of memory");
	struct naohw_error err;

	for (size_t i = 0; i < replay->tracks.count && status == STATUS_OK; i++)
		status = prepare_joint(replay, &replay->tracks.track[i]);
	if (status == STATUS_OK && !replay->count)
		status = complain("%s: has no joint of this robot that can be moved",
				  replay->tracks.recording->path);
	if (status == STATUS_OK &&
	    hold_begin(&replay->hold, replay->dcm, replay->labels, replay->count, &err) < 0)
		status = complain("%s", err.message);
	return status;
}

static void free_joints(struct replay *replay)
{
	for (size_t i = 0; i < replay->count; i++)
		naohw_dcm_joint_free(replay->joint[i].dcm);
	free(replay->joint);
	free(replay->labels);
	free(replay->names);
	free(replay->goals);
}

static void announce(const struct replay *replay)
{
	const struct tracks *tracks = &replay->tracks;
	const char *label;
	size_t from = 0;

	if (replay->quiet)
		return;
	while ((label = tracks_passed_over(tracks, &from)))
		printf("Note: %s is passed over: this robot does not have it, or the file has no "
		       "place of it.\n", label);
	printf("%s %s: %llu frames, %.2f s, %zu joints\n", replay->dry ? "Found in" : "Replaying",
	       tracks->recording->path, (unsigned long long)tracks->rows,
	       (double)tracks->length / replay->speed / NS_PER_S, tracks->count);
	fflush(stdout);
}

static int run_on_robot(struct replay *replay, const struct cli *cli)
{
	struct naohw_error err;
	int status;

	replay->robot = open_robot(cli);
	if (!replay->robot)
		return STATUS_FAILED;
	if (naohw_pose_describe(replay->robot, &replay->pose, &err) < 0)
		return complain("%s", err.message);
	match(replay);
	status = check_file(replay);
	if (status != STATUS_OK)
		return status;
	/* Only now: what takes long has been done. */
	status = output_begin();
	if (status != STATUS_OK)
		return status;
	catch_interrupts_of_stream();
	prepare_for_dcm(replay->quiet);
	if (naohw_dcm_open(replay->robot, NULL, &replay->dcm, &err) < 0)
		return is_interrupted() ? STATUS_INTERRUPTED : complain("%s", err.message);
	status = prepare_joints(replay);
	if (status != STATUS_OK)
		return status;
	announce(replay);
	return is_interrupted() ? STATUS_INTERRUPTED : perform(replay);
}

/* Nothing is taken: the robot may be moving under another program. */
static void describe_robot(struct replay *replay, const struct cli *cli)
{
	struct naohw_error err;

	if (try_robot(cli, &replay->robot, &err) == 0 &&
	    naohw_pose_describe(replay->robot, &replay->pose, &err) == 0)
		match(replay);
	if (replay->tracks.count)
		return;
	naohw_pose_close(replay->pose);
	replay->pose = NULL;
	tracks_add_all(&replay->tracks);
	if (!replay->quiet)
		printf("No robot here that has these joints: checked by what no servo can do.\n");
}

/* Is the file whole, what is in it, and would it be played? */
static int run_dry(struct replay *replay, const struct cli *cli)
{
	int status;

	describe_robot(replay, cli);
	status = check_file(replay);
	if (status == STATUS_OK)
		announce(replay);
	return status;
}

static int run(struct replay *replay, const struct cli *cli, const char *path)
{
	struct naohw_error err;
	int status;

	if (tracks_open(&replay->tracks, path, replay->speed, &err) < 0)
		return complain("%s", err.message);
	status = replay->dry ? run_dry(replay, cli) : run_on_robot(replay, cli);
	hold_end(&replay->hold);
	free_joints(replay);
	naohw_dcm_close(replay->dcm);
	release_interrupts();
	status = output_end(status);
	naohw_pose_close(replay->pose);
	naohw_robot_close(replay->robot);
	tracks_close(&replay->tracks);
	return status;
}

int cmd_replay(const struct cli *cli)
{
	const struct line *line = &cli->line;
	struct replay replay = {
		.dry = line->option[OPTION_DRY_RUN],
		.quiet = line->option[OPTION_QUIET],
		.speed = line_number(line, OPTION_SPEED, 1),
	};

	if (line->operand_count != 1)
		return complain_usage("expected FILE");
	return run(&replay, cli, line->operand[0]);
}
