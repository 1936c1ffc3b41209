/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a robot's store is fed from: for each of its subdevices, where the value comes from, and
 * what it was last.
 */
#ifndef NAOHW_FEED_H
#define NAOHW_FEED_H

#include "../frame/frame.h"
#include "../robot/robot.h"
#include "../store/store.h"
#include "slow.h"

enum fed_from {
	FED_NOT, /* nobody tells: an actuator, or one that an extra key has taken the place of */
	FED_FRAME,
	FED_SLOW,
	FED_FORMULA, /* of the others, and so behind them */
};

#define FED_KINDS (FED_FORMULA + 1)

/* By the number of the subdevice in its robot */
struct fed {
	enum fed_from from;
	const struct subdevice *subdevice;
	size_t slot;
	struct naohw_value value;
	/* Of the frame: */
	size_t channel;
	size_t age;
	size_t alarm;
	bool is_slow; /* not read in each frame, and 0 before it was */
	/* Of the slow ones: */
	size_t index;
};

struct feed {
	struct store_source source; /* first, so that it is the feed too */
	const struct naohw_robot *robot;
	const struct naohw_frame *frame;
	uint64_t count; /* of frames that were taken */
	struct slow *slow; /* NULL: nothing is */
	struct fed *fed;
	size_t fed_count;
	struct fed **by_source; /* those that are fed, by what from */
	size_t end[FED_KINDS];	/* of each kind in it; they begin where the one before ends */
};

/*
 * As naohw_store_open(), of a store that has @extra keys, too, each in its place among the others;
 * one that is called as a key of the robot is there instead of it. Their values are the caller's to
 * put, as those of actuators: feed_update() leaves both alone.
 */
int feed_open(struct naohw_robot *robot, struct naohw_frame *frame, const struct store_key *extra,
	      size_t extra_count, struct naohw_store **store, struct naohw_error *err);

/* Put what there is of all into the store. */
void feed_update(struct store_source *source, struct naohw_store *store);

#endif
