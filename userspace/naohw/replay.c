// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plays a recording: in every period each joint gets as its goal where it was at that time.
 * Between two rows of the file it is on the line between them.
 */
#include <errno.h>
#include <getopt.h>
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
#include "recording.h"

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
#define ARRIVAL_NS	 ((int64_t)3 * NS_PER_S)
#define ARRIVED_RAD	 0.02

/* A joint that both the file and the robot have. */
struct track {
	size_t column;
	size_t axis;
	int joint; /* in the frame, or negative */
	struct naohw_axis info;
	double first;  /* rad */
	double before; /* in the last row at or before the present time; NAN: not known yet */
	double after;  /* in the one after it */
	int goal;      /* counts; what it got last */
};

struct replay {
	struct recording *recording;
	const struct recording_head *head;
	double speed;
	bool dry;
	bool quiet;
	struct naohw_robot *robot;
	struct naohw_pose *pose;
	struct naohw_frame *frame; /* NULL: by the clock */
	struct track *track;
	size_t count;
	double *values;	 /* of a row */
	uint64_t rows;
	int64_t length;	 /* of the file, ns */
	int64_t before;	 /* times of the rows around the present time */
	int64_t after;
	bool at_end;
	int64_t period;
	int64_t time;	 /* of the present period */
};

/* ---- the file ---- */

/*
 * Where a joint was. A goal that a motion page gave it tells where it was to be in the end, and
 * not on what way; only a file that has nothing else means it as that.
 */
static int column_of(const struct recording_head *head, const char *label)
{
	int column = recording_find(head, label, NAOHW_POSITION);

	return column >= 0 ? column : recording_find(head, label, NAOHW_GOAL);
}

/* The whole file is read once before anything moves: it may be damaged at its end. */
static int check_file(struct replay *replay)
{
	struct naohw_error err;
	int64_t time;
	int ret;

	while ((ret = recording_next(replay->recording, &time, replay->values, &err)) > 0) {
		for (size_t i = 0; i < replay->count; i++) {
			struct track *track = &replay->track[i];

			if (isnan(track->first))
				track->first = replay->values[track->column];
		}
		replay->rows++;
		replay->length = time;
	}
	recording_rewind(replay->recording);
	if (ret < 0)
		return complain("%s", err.message);
	if (replay->rows == 0)
		return complain("%s: no frame is in it", replay->recording->path);
	return STATUS_OK;
}

/* One row further. What a row does not have stays as it was. */
static int next_row(struct replay *replay)
{
	struct naohw_error err;
	int64_t time;
	int ret = recording_next(replay->recording, &time, replay->values, &err);

	if (ret < 0)
		return complain("%s", err.message);
	replay->before = replay->after;
	replay->at_end = ret == 0;
	if (ret > 0)
		replay->after = time;
	for (size_t i = 0; i < replay->count; i++) {
		struct track *track = &replay->track[i];
		double value = replay->values[track->column];

		track->before = track->after;
		if (ret > 0 && !isnan(value))
			track->after = value;
	}
	return STATUS_OK;
}

static int go_to(struct replay *replay, int64_t time)
{
	while (!replay->at_end && replay->after < time) {
		int status = next_row(replay);

		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static double at(const struct replay *replay, const struct track *track, int64_t time)
{
	double part;

	if (time >= replay->after || replay->after <= replay->before)
		return track->after;
	part = (double)(time - replay->before) / (double)(replay->after - replay->before);
	return track->before + part * (track->after - track->before);
}

/* ---- the robot ---- */

static int to_counts(const struct naohw_axis *axis, double rad)
{
	double counts = round(rad / axis->scale - axis->offset);

	return (int)fmin(fmax(counts, axis->min), axis->max);
}

static double to_rad(const struct naohw_axis *axis, int counts)
{
	return (counts + axis->offset) * axis->scale;
}

/* Rounded up, so that it arrives in time; 0 would mean "no limit". */
static int speed_for(const struct naohw_axis *axis, double rad, int64_t ns)
{
	double speed = ceil(rad / ((double)ns / NS_PER_S) / axis->speed_scale);

	return (int)fmin(fmax(speed, 1), axis->speed_max);
}

/* Where it is, or else where it was told to be. */
static double present(const struct replay *replay, const struct track *track)
{
	struct naohw_joint_state state;
	int counts;

	if (replay->frame && track->joint >= 0 &&
	    naohw_frame_get(replay->frame, (size_t)track->joint, &state) == 0 && !state.age)
		return state.position;
	if (!replay->frame &&
	    naohw_pose_read_present(replay->pose, track->axis, &counts, NULL) == 0)
		return to_rad(&track->info, counts);
	return to_rad(&track->info, track->goal);
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

static void set_goal(struct replay *replay, struct track *track, int goal, int speed)
{
	track->goal = goal;
	naohw_pose_set(replay->pose, track->axis, goal, speed);
}

static bool have_arrived(const struct replay *replay)
{
	for (size_t i = 0; i < replay->count; i++) {
		const struct track *track = &replay->track[i];

		if (fabs(present(replay, track) - to_rad(&track->info, track->goal)) > ARRIVED_RAD)
			return false;
	}
	return true;
}

static int wait_for_arrival(struct replay *replay, int64_t least)
{
	int64_t began = now(replay);

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
		const struct track *track = &replay->track[i];

		longest = fmax(longest, fabs(track->first - present(replay, track)));
	}
	ns = llround(longest / APPROACH_RAD_S * NS_PER_S);
	if (ns < APPROACH_MIN_NS)
		ns = APPROACH_MIN_NS;
	for (size_t i = 0; i < replay->count; i++) {
		struct track *track = &replay->track[i];
		double way = fabs(track->first - present(replay, track));

		set_goal(replay, track, to_counts(&track->info, track->first),
			 speed_for(&track->info, way, ns));
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
static void follow(struct replay *replay, struct track *track, int64_t time)
{
	int goal = to_counts(&track->info, at(replay, track, time));
	double step = fabs((goal - track->goal) * track->info.scale);
	double behind = fabs(to_rad(&track->info, goal) - present(replay, track));
	double most = fmax(2 * step, CATCH_UP_RAD_S * (double)replay->period / NS_PER_S);

	set_goal(replay, track, goal,
		 speed_for(&track->info, fmax(step, fmin(behind, most)), replay->period));
}

/*
 * The time in the file goes on by two periods at most: after a stall the rest comes later, and
 * no joint has to make up for it at once.
 */
static int play_rows(struct replay *replay)
{
	int64_t before = now(replay), elapsed = 0;
	int status = STATUS_OK;

	while (!is_interrupted() && status == STATUS_OK) {
		int64_t passed = now(replay) - before, time;

		before += passed;
		if (passed > 2 * replay->period)
			passed = 2 * replay->period;
		elapsed += passed;
		/* Where the joints are to be when the next period begins. */
		time = llround((double)(elapsed + replay->period) * replay->speed);
		status = go_to(replay, time);
		for (size_t i = 0; i < replay->count && status == STATUS_OK; i++)
			follow(replay, &replay->track[i], time);
		if (status == STATUS_OK)
			status = beat(replay);
		if (replay->at_end && time >= replay->length)
			break;
	}
	return status;
}

/* Everything stays where it is found. */
static void hold(struct replay *replay)
{
	for (size_t i = 0; i < replay->count; i++) {
		struct track *track = &replay->track[i];

		set_goal(replay, track, to_counts(&track->info, present(replay, track)),
			 speed_for(&track->info, CATCH_UP_RAD_S, NS_PER_S));
	}
	naohw_pose_push(replay->pose, NULL);
}

static int check_torque(const struct replay *replay, int status)
{
	if (naohw_pose_stream(replay->pose, NULL) != NAOHW_TRIPPED)
		return status;
	return complain("the kernel's watchdog has switched the torque off, since no pose came in "
			"time; \"naohw recover\" brings it back");
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
	return is_interrupted() && status == STATUS_OK ? STATUS_INTERRUPTED : status;
}

/* ---- both together ---- */

static void take_frames(struct replay *replay)
{
	const struct naohw_frame_options options = {
		.quantities = 1u << NAOHW_POSITION,
		.timeout_ms = TIMEOUT_MS,
		.newest = 1,
	};
	struct naohw_error err;
	int ret = try_frames(replay->robot, &options, &err, &replay->frame);

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

static void add_track(struct replay *replay, size_t column, size_t axis,
		      const struct naohw_axis *info)
{
	struct track *track = &replay->track[replay->count++];

	track->column = column;
	track->axis = axis;
	track->info = *info;
	track->joint = -1;
	track->first = track->before = track->after = NAN;
}

static int match(struct replay *replay)
{
	struct naohw_axis axis;

	for (size_t i = 0; naohw_pose_get_axis(replay->pose, i, &axis) == 0; i++) {
		int column = column_of(replay->head, axis.label);

		if (column >= 0)
			add_track(replay, (size_t)column, i, &axis);
	}
	if (replay->count)
		return STATUS_OK;
	return complain("%s: it has no position or goal of any joint of this robot",
			replay->recording->path);
}

/* Joints that the file knows nothing of have nothing to follow. */
static void drop_empty(struct replay *replay)
{
	size_t kept = 0;

	for (size_t i = 0; i < replay->count; i++)
		if (!isnan(replay->track[i].first))
			replay->track[kept++] = replay->track[i];
	replay->count = kept;
}

static void prepare_tracks(struct replay *replay)
{
	drop_empty(replay);
	for (size_t i = 0; i < replay->count; i++) {
		struct track *track = &replay->track[i];

		/* Of this pose: what was matched was a description of it. */
		naohw_pose_get_axis(replay->pose, track->axis, &track->info);
		track->goal = naohw_pose_get_goal(replay->pose, track->axis);
		track->before = track->after = track->first;
		if (replay->frame)
			track->joint = naohw_frame_find_joint(replay->frame, track->info.label);
	}
}

static void announce(const struct replay *replay)
{
	if (replay->quiet)
		return;
	printf("%s %s: %llu frames, %.2f s, %zu joints\n", replay->dry ? "Found in" : "Replaying",
	       replay->recording->path, (unsigned long long)replay->rows,
	       (double)replay->length / replay->speed / NS_PER_S, replay->count);
	fflush(stdout);
}

static int run_on_robot(struct replay *replay, const struct cli *cli)
{
	struct naohw_error err;
	int status;

	replay->robot = open_robot(cli);
	if (!replay->robot)
		return STATUS_FAILED;
	if (naohw_pose_describe(replay->robot, &err, &replay->pose) < 0)
		return complain("%s", err.message);
	status = match(replay);
	if (status == STATUS_OK)
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
	if (try_pose(replay->robot, QUEUE, &err, &replay->pose) < 0)
		return is_interrupted() ? STATUS_INTERRUPTED : complain("%s", err.message);
	take_frames(replay);
	prepare_tracks(replay);
	go_realtime(replay->quiet);
	announce(replay);
	return is_interrupted() ? STATUS_INTERRUPTED : perform(replay);
}

/* Without a robot: is the file whole, and what is in it? */
static int run_dry(struct replay *replay)
{
	static const struct naohw_axis none;
	int status;

	for (size_t i = 0; i < replay->head->count; i++)
		if (column_of(replay->head, replay->head->column[i].label) == (int)i)
			add_track(replay, i, 0, &none);
	status = check_file(replay);
	if (status == STATUS_OK) {
		drop_empty(replay);
		announce(replay);
	}
	return status;
}

static int run(struct replay *replay, const struct cli *cli, const char *path)
{
	struct naohw_error err;
	int status;

	if (recording_open(path, &err, &replay->recording) < 0)
		return complain("%s", err.message);
	replay->head = recording_head(replay->recording);
	replay->track = calloc(replay->head->count, sizeof(*replay->track));
	replay->values = calloc(replay->head->count, sizeof(*replay->values));
	if (!replay->track || !replay->values)
		status = complain("out of memory");
	else
		status = replay->dry ? run_dry(replay) : run_on_robot(replay, cli);
	close_quietly(replay->frame, replay->pose);
	release_interrupts();
	status = output_end(status);
	naohw_robot_close(replay->robot);
	recording_close(replay->recording);
	free(replay->values);
	free(replay->track);
	return status;
}

int cmd_replay(struct cli *cli, int argc, char **argv)
{
	static const struct option options[] = {
		{ "dry-run", no_argument, NULL, 'n' },
		{ "speed", required_argument, NULL, 's' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct replay replay = { .speed = 1 };
	int option;

	while ((option = getopt_long(argc, argv, "ns:qh", options, NULL)) >= 0) {
		if (option == 'n')
			replay.dry = true;
		else if (option == 'q')
			replay.quiet = true;
		else if (option != 's')
			return common_option(cli, option);
		if (option == 's' && !parse_double(optarg, 0.1, 10, &replay.speed))
			return complain_usage(cli, "--speed %s: expected 0.1 to 10", optarg);
	}
	if (argc - optind != 1)
		return complain_usage(cli, "expected FILE");
	return run(&replay, cli, argv[optind]);
}
