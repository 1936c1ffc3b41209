// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * body-bench ROBOT [FILE...] -- plays each page of motion files on a robot with a body and
 * prints a table of which stand and which fall; without a file, what a second of the robot
 * takes of a processor while it squats.
 */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "recital.h"

/* Walks go on for ever. */
#define MOST		20	/* s of a page and what follows */

#define SQUATS		10

static const char *verdict(const struct recital *recital)
{
	if (!recital->began)
		return "falls before it begins";
	if (*recital->refusal.message)
		return recital->refusal.message;

	return recital->stood ? "stands" : "falls";
}

static void play_page(const char *robot, const struct naohw_motion *motion,
		      const struct naohw_page *page)
{
	unsigned int number = naohw_page_number(page);
	struct recital recital = recite(robot, motion, number, MOST);

	printf("%-4u %-15s %5.1f %4.0f  %s\n", number,
	       *naohw_page_name(page) ? naohw_page_name(page) : "\\-", recital.seconds,
	       recital.lean, verdict(&recital));
	fflush(stdout);
}

static int play_file(const char *robot, const char *path)
{
	static const char rule[] = "==== =============== ===== ====  ======================\n";
	struct naohw_motion *motion;
	struct naohw_error error;
	unsigned int i;

	if (naohw_motion_load(path, &motion, &error) < 0) {
		fprintf(stderr, "body-bench: %s\n", error.message);
		return EXIT_FAILURE;
	}
	printf("%s, %s:\n\n%sPage Name                s    °  Outcome\n%s", robot, path, rule,
	       rule);
	for (i = 1; i < naohw_motion_page_count(motion); i++) {
		const struct naohw_page *page = naohw_motion_page(motion, i);

		if (naohw_page_get_state(page) == NAOHW_PAGE_GOOD)
			play_page(robot, motion, page);
	}
	printf("%s\n", rule);
	naohw_motion_free(motion);

	return EXIT_SUCCESS;
}

static void bend(struct rig *rig, double knee)
{
	static const char *const sides[] = { "L", "R" };
	static const struct {
		const char *joint;
		double share;
	} joints[] = { { "HipPitch", -0.5 }, { "KneePitch", 1 }, { "AnklePitch", -0.5 } };
	char label[32];
	size_t i, j;

	for (i = 0; i < 2; i++)
		for (j = 0; j < 3; j++) {
			snprintf(label, sizeof(label), "%s%s", sides[i], joints[j].joint);
			mannequin_turn(rig, label, joints[j].share * knee);
		}
}

static double processor(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static int squat(const char *robot)
{
	struct rig *rig = mannequin_new(robot);
	double begin;
	nsec_t from;
	int i;

	mannequin_stand(rig);
	begin = processor();
	from = rig->now;
	for (i = 0; i < SQUATS; i++) {
		bend(rig, i % 2 ? 0 : 0.9);
		mannequin_wait(rig, 2);
	}
	printf("%s: %.3f s of a processor for a second of %zu joints\n", robot,
	       (processor() - begin) / ((double)(rig->now - from) / NSEC_PER_SEC),
	       world_physique(mannequin_world(rig))->count - 1);
	mannequin_free(rig);

	return EXIT_SUCCESS;
}

int main(int argc, char *argv[])
{
	int i, ret = EXIT_SUCCESS;

	if (argc < 2) {
		fprintf(stderr, "usage: body-bench ROBOT [FILE...]\n");
		return EXIT_FAILURE;
	}
	if (argc == 2)
		return squat(argv[1]);
	for (i = 2; i < argc && ret == EXIT_SUCCESS; i++)
		ret = play_file(argv[1], argv[i]);

	return ret;
}
