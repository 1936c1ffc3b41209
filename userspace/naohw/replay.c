// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plays a recording: in every period each joint gets as its goal where it was at that time.
 * Between two rows of the file it is on the line between them.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "frames.h"
#include "interrupt.h"
#include "monotonic.h"
#include "output.h"
#include "tracks.h"

#define NS_PER_S	 1000000000
#define NS_PER_MS	 1000000
/* Where there are no frames to go by. */
#define PERIOD_NS	 ((int64_t)10 * NS_PER_MS)
#define QUEUE		 2
#define TIMEOUT_MS	 250
/* On the way to the first pose, the joint that has the longest one goes so fast. */
#define APPROACH_RAD_S	 0.5
#define APPROACH_MIN_NS	 ((int64_t)500 * NS_PER_MS)
/* A joint that lags behind may catch up with this, or twice its present speed. */
#define CATCH_UP_RAD_S	 0.5
#define SLOWEST_RAD_S	 1e-6
#define ARRIVAL_NS	 ((int64_t)3 * NS_PER_S)
#define ARRIVED_RAD	 0.02
/* A joint that was to go so far, and has not moved, cannot. */
#define SENT_RAD	 0.2

/* A joint that both the file and the robot have. */
struct joint {
	const struct track *track;
	const char *label;
	double low;	 /* rad: where it may be sent */
	double high;
	double fastest;	 /* rad/s */
	double goal;	 /* rad; what it got last */
	bool arrived;	 /* was seen at its goal since it is awaited */
	double off;	 /* rad, from its goal as it was seen last; INFINITY: not seen */
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
	struct naohw_pose *pose;
	struct naohw_frame *frame; /* NULL: by the clock */
	struct joint *joint;
	size_t count;
	int64_t period;
	int64_t time;	 /* of the present period */
};

/* ---- the robot ---- */

static double within(double value, double low, double high)
{
	return fmin(fmax(value, low), high);
}

/* So fast that it arrives in time, as far as it can. */
static double speed_for(const struct joint *joint, double rad, int64_t ns)
{
	/* Something has to be said; the servo's slowest is more. */
	return within(rad / ((double)ns / NS_PER_S), SLOWEST_RAD_S, joint->fastest);
}

static bool is_in_frame(const struct naohw_frame *frame, size_t joint, double *rad)
{
	double age;

	return naohw_frame_get(frame, joint, NAOHW_QUANTITY_AGE, &age) == 0 && age == 0 &&
	       naohw_frame_get(frame, joint, NAOHW_QUANTITY_POSITION, rad) == 0 && !isnan(*rad);
}

static bool is_seen(const struct replay *replay, const struct joint *joint, double *rad)
{
	if (replay->frame)
		return is_in_frame(replay->frame, joint->track->joint, rad);
	return naohw_joint_read(replay->robot, joint->track->joint, NAOHW_QUANTITY_POSITION, rad,
				NULL) == 0;
}

/* A joint that hung beyond its limit when it was recorded may hang there again. */
static double distance(const struct joint *joint, double rad)
{
	double off = fabs(joint->goal - rad);
	bool is_beyond = (joint->goal <= joint->low && rad < joint->low) ||
			 (joint->goal >= joint->high && rad > joint->high);

	return is_beyond && off <= TRACK_BEYOND_RAD ? 0 : off;
}

/* Where it is, or else where it was told to be. */
static double look_at(const struct replay *replay, struct joint *joint)
{
	double rad;

	joint->off = INFINITY;
	if (!is_seen(replay, joint, &rad))
		return joint->goal;
	joint->off = distance(joint, rad);
	if (isnan(joint->began))
		joint->began = rad;
	joint->went = fmax(joint->went, fabs(rad - joint->began));
	return rad;
}

static int64_t now(const struct replay *replay)
{
	return replay->frame ? naohw_frame_time(replay->frame) : replay->time;
}

/* Push the pose and wait for the next period. */
static int beat(struct replay *replay)
{
	struct timespec until;
	struct naohw_error err;

	if (naohw_pose_push(replay->pose, &err) < 0)
		return complain("%s", err.message);
	if (replay->frame) {
		if (await_frame(replay->frame, replay->pose, &err) < 0)
			return complain("%s", err.message);
		return STATUS_OK;
	}
	replay->time += replay->period;
	/* After a stall, no hurry to make up for it. */
	if (replay->time < monotonic_ns())
		replay->time = monotonic_ns();
	until.tv_sec = replay->time / NS_PER_S;
	until.tv_nsec = replay->time % NS_PER_S;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		if (is_interrupted())
			break;
	return STATUS_OK;
}

static void set_goal(struct replay *replay, struct joint *joint, double goal, double speed)
{
	naohw_pose_set(replay->pose, joint->track->joint, within(goal, joint->low, joint->high),
		       speed);
	/* As near as the servo can be told. */
	naohw_pose_get_goal(replay->pose, joint->track->joint, &joint->goal);
	if (!isnan(joint->began))
		joint->was_sent = fmax(joint->was_sent, fabs(joint->goal - joint->began));
}

/* A joint that was seen at its goal is done: over a bad line not all answer at one time. */
static bool have_arrived(struct replay *replay)
{
	bool all = true;

	for (size_t i = 0; i < replay->count; i++) {
		struct joint *joint = &replay->joint[i];

		if (!joint->arrived) {
			look_at(replay, joint);
			joint->arrived = joint->off <= ARRIVED_RAD;
		}
		all &= joint->arrived;
	}
	return all;
}

static int wait_for_arrival(struct replay *replay, int64_t least)
{
	int64_t began = now(replay);

	for (size_t i = 0; i < replay->count; i++)
		replay->joint[i].arrived = false;
	while (!is_interrupted() && now(replay) - began < least + ARRIVAL_NS) {
		int status = beat(replay);

		if (status != STATUS_OK)
			return status;
		if (now(replay) - began >= least && have_arrived(replay))
			break;
	}
	return STATUS_OK;
}

/* All joints arrive at the same time, however far they have to go. */
static int approach(struct replay *replay)
{
	double longest = 0;
	int64_t ns;

	for (size_t i = 0; i < replay->count; i++) {
		struct joint *joint = &replay->joint[i];

		longest = fmax(longest, fabs(joint->track->first - look_at(replay, joint)));
	}
	ns = llround(longest / APPROACH_RAD_S * NS_PER_S);
	if (ns < APPROACH_MIN_NS)
		ns = APPROACH_MIN_NS;
	for (size_t i = 0; i < replay->count; i++) {
		struct joint *joint = &replay->joint[i];
		double way = fabs(joint->track->first - look_at(replay, joint));

		set_goal(replay, joint, joint->track->first, speed_for(joint, way, ns));
	}
	if (!replay->quiet)
		printf("To its first pose in %.1f s.\n", (double)ns / NS_PER_S);
	fflush(stdout);
	return wait_for_arrival(replay, ns);
}

/*
 * So fast that it is there within the period. One that lags behind is given a little more,
 * and not all of it at once: it may have been held, and would snap.
 */
static void follow(struct replay *replay, struct joint *joint)
{
	double goal = within(joint->track->place, joint->low, joint->high);
	double step = fabs(goal - joint->goal);
	double behind = fabs(goal - look_at(replay, joint));
	double most = fmax(2 * step, CATCH_UP_RAD_S * (double)replay->period / NS_PER_S);

	set_goal(replay, joint, goal,
		 speed_for(joint, fmax(step, fmin(behind, most)), replay->period));
}

/*
 * The time in the file goes on by two periods at most: after a stall the rest comes later, and
 * no joint has to make up for it at once.
 */
static int play_rows(struct replay *replay)
{
	int64_t before = now(replay), elapsed = 0;
	struct naohw_error err;
	int status = STATUS_OK;

	while (!is_interrupted() && status == STATUS_OK && !tracks_have_ended(&replay->tracks)) {
		int64_t passed = now(replay) - before, time;

		before += passed;
		if (passed > 2 * replay->period)
			passed = 2 * replay->period;
		elapsed += passed;
		/* Where the joints are to be when the next period begins. */
		time = llround((double)(elapsed + replay->period) * replay->speed);
		if (tracks_go_to(&replay->tracks, time, &err) < 0)
			return complain("%s", err.message);
		for (size_t i = 0; i < replay->count; i++)
			follow(replay, &replay->joint[i]);
		status = beat(replay);
	}
	return status;
}

/* Everything stays where it is found. */
static void hold(struct replay *replay)
{
	for (size_t i = 0; i < replay->count; i++) {
		struct joint *joint = &replay->joint[i];
		double goal = joint->goal;

		/* One that nobody hears of goes on to where it was sent. */
		(void)naohw_pose_stay(replay->pose, joint->track->joint, replay->frame, NULL);
		(void)naohw_pose_keep_alive(replay->pose, NULL);
		naohw_pose_get_goal(replay->pose, joint->track->joint, &goal);
		set_goal(replay, joint, goal, speed_for(joint, CATCH_UP_RAD_S, NS_PER_S));
	}
	naohw_pose_push(replay->pose, NULL);
}

static int check_torque(const struct replay *replay, int status)
{
	enum naohw_stream stream;

	if (naohw_pose_get_stream(replay->pose, &stream, NULL) < 0 ||
	    stream != NAOHW_STREAM_TRIPPED)
		return status;
	return complain("the kernel's watchdog has switched the torque off, since no pose came in "
			"time; \"naohw recover\" brings it back");
}

static bool never_moved(const struct joint *joint)
{
	return joint->was_sent > SENT_RAD && joint->went <= ARRIVED_RAD;
}

static bool is_amiss(const struct joint *joint)
{
	return !joint->arrived || never_moved(joint);
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
		if (!found || joint->off > found->off)
			found = joint;
	}
	return found;
}

/* One that has no torque may be at its goal all the same, where the file ends as it begins. */
static int verdict(const struct replay *replay)
{
	const char *begin = "final pose not reached";
	unsigned int amiss;
	const struct joint *joint = worst(replay, &amiss);

	if (!joint)
		return STATUS_OK;
	if (!isfinite(joint->off))
		complain("%s by %u of %zu joints; %s does not answer", begin, amiss, replay->count,
			 joint->label);
	else if (never_moved(joint))
		complain("%s by %u of %zu joints; %s has not moved: has it torque?", begin, amiss,
			 replay->count, joint->label);
	else
		complain("%s by %u of %zu joints; %s is %.3f rad off its goal", begin, amiss,
			 replay->count, joint->label, joint->off);
	return STATUS_NOT_REACHED;
}

static int perform(struct replay *replay)
{
	int status = check_torque(replay, STATUS_OK);

	if (status != STATUS_OK)
		return status;
	status = approach(replay);
	if (status == STATUS_OK)
		status = play_rows(replay);
	if (status == STATUS_OK && !is_interrupted())
		status = wait_for_arrival(replay, 0);
	if (is_interrupted() || status != STATUS_OK)
		hold(replay);
	else if (have_arrived(replay))
		naohw_pose_restore_speeds(replay->pose, NULL);
	status = check_torque(replay, status);
	if (is_interrupted() || status != STATUS_OK)
		return status == STATUS_OK ? STATUS_INTERRUPTED : status;
	return verdict(replay);
}

/* ---- both together ---- */

static void take_frames(struct replay *replay)
{
	const struct frame_options options = {
		.quantities = 1u << NAOHW_QUANTITY_POSITION,
		.timeout_ms = TIMEOUT_MS,
		.newest = true,
	};
	struct naohw_error err;
	int ret = try_frames(replay->robot, &options, &replay->frame, &err);

	replay->period = PERIOD_NS;
	replay->time = monotonic_ns();
	if (ret == 0)
		ret = naohw_frame_read(replay->frame, &err);
	if (ret == 0 && naohw_frame_period(replay->frame)) {
		replay->period = naohw_frame_period(replay->frame);
		return;
	}
	close_quietly(replay->frame, NULL);
	replay->frame = NULL;
	if (!replay->quiet)
		printf("Note: no frames to go by, but the clock: %s.\n",
		       ret < 0 ? err.message : "they have no period");
}

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
		return complain("%s: no frame is in it", path);
	if (replay->tracks.count == 0)
		return complain("%s: it has no position or goal of any joint%s", path, whose);
	return STATUS_OK;
}

static int prepare_joints(struct replay *replay)
{
	replay->joint = calloc(replay->tracks.count, sizeof(*replay->joint));
	if (!replay->joint)
		return complain("out of memory");
	replay->count = replay->tracks.count;
	for (size_t i = 0; i < replay->count; i++) {
		struct joint *joint = &replay->joint[i];
		size_t index = replay->tracks.track[i].joint;

		joint->track = &replay->tracks.track[i];
		joint->label = naohw_joint_label(replay->robot, index);
		joint->began = NAN;
		/* Of this pose: what was matched was a description of it. */
		if (naohw_pose_get_limits(replay->pose, index, &joint->low, &joint->high) < 0 ||
		    naohw_pose_get_speed_limit(replay->pose, index, &joint->fastest) < 0 ||
		    naohw_pose_get_goal(replay->pose, index, &joint->goal) < 0)
			return complain("%s: cannot be moved any more", joint->label);
	}
	return STATUS_OK;
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
	/* Only now the real one: what takes long has been done. */
	naohw_pose_close(replay->pose);
	replay->pose = NULL;
	status = output_begin();
	if (status != STATUS_OK)
		return status;
	catch_interrupts_of_stream();
	go_realtime(replay->quiet);
	if (try_pose(replay->robot, QUEUE, &replay->pose, &err) < 0)
		return is_interrupted() ? STATUS_INTERRUPTED : complain("%s", err.message);
	take_frames(replay);
	(void)naohw_pose_keep_alive(replay->pose, NULL);
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
	close_quietly(NULL, replay->pose);
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
	close_quietly(replay->frame, replay->pose);
	release_interrupts();
	status = output_end(status);
	naohw_robot_close(replay->robot);
	tracks_close(&replay->tracks);
	free(replay->joint);
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
