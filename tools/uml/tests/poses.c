// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * poses -- what libnaohw sends in poses, word by word:
 *
 *   poses DESCRIPTION WORD...
 *
 *   plain, stiff   opens a pose, without stiffness or with it
 *   LABEL          prints how stiff the joint is in it, in thousandths
 *   LABEL=N        says that, in thousandths
 *   push=N         pushes it for so many times, 20 ms apart
 *   recover        has the torque back
 *   wait=MS        does nothing
 *   close          closes it
 *
 * What fails is said, and ends it.
 *
 * pkg-config: naohw
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <naohw.h>

static struct naohw_robot *robot;
static struct naohw_pose *pose;
static struct naohw_error err;

static void check(int ret, const char *word)
{
	if (ret >= 0)
		return;
	printf("%s: %s: %s\n", word, strerrorname_np(-ret), err.message);
	exit(EXIT_FAILURE);
}

static void open_pose(const char *word)
{
	struct naohw_pose_settings *settings;

	check(naohw_pose_settings_new(&settings), word);
	naohw_pose_settings_set_stiffness(settings, strcmp(word, "stiff") == 0);
	check(naohw_pose_open(robot, settings, &pose, &err), word);
	naohw_pose_settings_free(settings);
}

static void push(const char *word, int times)
{
	while (times--) {
		check(naohw_pose_push(pose, &err), word);
		usleep(20000);
	}
}

static void joint(const char *word, const char *value)
{
	char label[32];
	double part;
	size_t number;

	snprintf(label, sizeof(label), "%.*s", (int)strcspn(word, "="), word);
	check(naohw_robot_find_joint(robot, label, &number), word);
	if (value) {
		check(naohw_pose_set_stiffness(pose, number, atof(value) / 1000), word);
		return;
	}
	check(naohw_pose_get_stiffness(pose, number, &part), word);
	printf("%.0f\n", part * 1000);
}

static void obey(const char *word)
{
	const char *equals = strchr(word, '='), *value = equals ? equals + 1 : NULL;

	if (strcmp(word, "plain") == 0 || strcmp(word, "stiff") == 0) {
		open_pose(word);
	} else if (strncmp(word, "push=", 5) == 0) {
		push(word, atoi(value));
	} else if (strncmp(word, "wait=", 5) == 0) {
		usleep((useconds_t)atoi(value) * 1000);
	} else if (strcmp(word, "recover") == 0) {
		check(naohw_pose_recover(pose, &err), word);
	} else if (strcmp(word, "close") == 0) {
		naohw_pose_close(pose);
		pose = NULL;
	} else {
		joint(word, value);
	}
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return EXIT_FAILURE;
	setlinebuf(stdout);
	check(naohw_robot_open(argv[1], NULL, &robot, &err), argv[1]);
	for (int i = 2; i < argc; i++)
		obey(argv[i]);
	naohw_pose_close(pose);
	naohw_robot_close(robot);
	return EXIT_SUCCESS;
}
