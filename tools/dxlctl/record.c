// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/ending.h"
#include "film.h"
#include "record.h"
#include "talk.h"

/* For how long the bus's time may stand still, s of ours. */
#define PATIENCE 5.0

/* What is farther from where it was has moved, m; and how much of the rest is kept, s. */
#define STIRRED 0.004
#define REST 0.5

static void wait_for(double seconds, const sigset_t *while_waiting)
{
	struct timespec time = { .tv_sec = seconds };

	time.tv_nsec = (seconds - time.tv_sec) * 1e9;
	ppoll(NULL, 0, &time, while_waiting);
}

/* An exit status, after saying what is wrong. */
static int ask(int fd, struct scene *scene)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int ret;

	if (!out)
		abort();
	ret = talk(fd, "scene\n", out);
	fclose(out);
	if (ret == EXIT_REFUSED)
		fprintf(stderr, "dxlctl: %s", text);
	else if (ret == EXIT_SUCCESS && !scene_parse(scene, text))
		ret = EXIT_REFUSED;
	free(text);

	return ret;
}

/* Until the bus's time is @due; false if it is not to be waited for any more. */
static int await(int fd, double due, double every, struct scene *scene,
		 const sigset_t *while_waiting)
{
	double waited = 0, step = every, before = scene->time;
	int ret;

	do {
		wait_for(step, while_waiting);
		ret = ending ? EXIT_SUCCESS : ask(fd, scene);
		waited = scene->time > before ? 0 : waited + step;
		before = scene->time;
		step = every / 8;
	} while (!ending && ret == EXIT_SUCCESS && scene->time < due && waited < PATIENCE);
	if (waited < PATIENCE)
		return ret;
	fprintf(stderr, "dxlctl: the simulator's time stands still\n");

	return EXIT_NO_ANSWER;
}

int record(int fd, double length, double every, struct recording *recording)
{
	struct scene scene = { 0 };
	sigset_t while_waiting;
	size_t most = length > 0 ? length / every + 2 : 1;
	double first;
	int ret;

	recording->count = 0;
	recording->scenes = calloc(most, sizeof(scene));
	if (!recording->scenes)
		abort();
	ending_catch();
	/* So that no answer is cut */
	ending_wait_only(&while_waiting);
	ret = ask(fd, &scene);
	if (ret != EXIT_SUCCESS)
		return ret;
	first = scene.time;
	recording->scenes[recording->count++] = scene;
	while (!ending && recording->count < most && scene.time < first + length) {
		/* The distances are those of the bus's time, whatever came late. */
		double due =
			first + every * (floor((scene.time - first) / every + 0.5) + 1);

		ret = await(fd, due, every, &scene, &while_waiting);
		if (ending || ret != EXIT_SUCCESS)
			break;
		recording->scenes[recording->count++] = scene;
	}

	return ret;
}

static bool has_stirred(const struct scene *scene, const struct scene *from)
{
	size_t i;
	int j;

	if (scene->count != from->count)
		return true;
	for (i = 0; i < scene->count; i++)
		for (j = 0; j < 3; j++)
			if (fabs(scene->parts[i].at[j] - from->parts[i].at[j]) > STIRRED)
				return true;

	return false;
}

void record_trim(struct recording *recording)
{
	struct scene *scenes = recording->scenes;
	size_t begin = 0, end = recording->count - 1, first, last;

	while (begin < end && !has_stirred(&scenes[begin + 1], &scenes[0]))
		begin++;
	while (end > begin && !has_stirred(&scenes[end - 1], &scenes[recording->count - 1]))
		end--;
	for (first = begin; first && scenes[begin].time - scenes[first].time < REST;
	     first--)
		;
	for (last = end;
	     last + 1 < recording->count && scenes[last].time - scenes[end].time < REST;
	     last++)
		;
	recording->count = last - first + 1;
	memmove(scenes, scenes + first, recording->count * sizeof(*scenes));
}
