// SPDX-License-Identifier: GPL-2.0-or-later
/* What is measured is the mean of many readings, between which nothing may have happened. */
#include <math.h>
#include <time.h>

#include "calibrate.h"

#define SAMPLES	  100
#define SAMPLE_NS (10 * 1000000)

static bool take(const struct naohw_robot *robot, struct sample *sample)
{
	double value;

	if (!calibrate_read(robot, sample->key, &value))
		return false;
	sample->mean += value;
	sample->least = fmin(sample->least, value);
	sample->most = fmax(sample->most, value);
	return true;
}

static bool take_all(const struct naohw_robot *robot, struct sample *samples, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!take(robot, &samples[i]))
			return false;
	return true;
}

static bool is_still(const struct sample *sample, const struct still *still)
{
	if (sample->most - sample->least <= still->range)
		return true;
	complain("%s was from %.3g to %.3g %s: the robot must stand still", sample->key,
		 sample->least, sample->most, still->unit);
	return false;
}

bool calibrate_sample(const struct cli *cli, const struct naohw_robot *robot,
		      struct sample *samples, size_t count, const struct still *still)
{
	const struct timespec pause = { .tv_nsec = SAMPLE_NS };
	long times = line_whole(&cli->line, OPTION_COUNT, SAMPLES);

	for (size_t i = 0; i < count; i++) {
		samples[i].mean = 0;
		samples[i].least = INFINITY;
		samples[i].most = -INFINITY;
	}
	for (long n = 0; n < times; n++) {
		if (!take_all(robot, samples, count))
			return false;
		nanosleep(&pause, NULL);
	}
	for (size_t i = 0; i < count; i++) {
		if (!is_still(&samples[i], still))
			return false;
		samples[i].mean /= (double)times;
	}
	return true;
}
