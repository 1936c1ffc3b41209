// SPDX-License-Identifier: GPL-2.0-or-later
/* Robots with a body stand in their safe posture, and do not topple when they are let go in it. */
#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "../../../userspace/libnaohw/description/description.h"
#include "mannequin.h"

/* Leaning further than this, degrees, it has fallen. */
#define FALLEN		40

#define LOOKS		40
#define LOOK		0.05	/* s between them */

static double rest_of(const struct description *description, const char *joint)
{
	const struct preference *found;
	char key[128];

	snprintf(key, sizeof(key), KEY_PREFIX "%s/Position/Actuator/Rest", joint);
	found = description_find_key(description, key);
	if (!found)
		fail_msg("no %s", key);

	return found->number;
}

static void take_posture(struct rig *rig, const char *robot)
{
	const struct physique *physique = world_physique(mannequin_world(rig));
	struct description *description;
	struct naohw_error error;
	char path[256];
	size_t i;

	snprintf(path, sizeof(path), ROBOTS "/%s.xml", robot);
	if (description_load(path, &installed_places, &description, &error) < 0)
		fail_msg("%s", error.message);
	mannequin_stiffen(rig);
	for (i = 1; i < physique->count; i++)
		mannequin_turn(rig, physique->links[i].joint,
			       rest_of(description, physique->links[i].joint));
	description_free(description);
}

/* How far it leans at the most, degrees. */
static double watch(struct rig *rig)
{
	double most = 0;
	int i;

	for (i = 0; i < LOOKS; i++) {
		struct pose pose;

		mannequin_wait(rig, LOOK);
		pose = body_pose(&rig->bus.body, rig->now);
		most = fmax(most, fmax(fabs(pose.roll), fabs(pose.pitch)));
	}

	return most;
}

static void it_rests(void **state)
{
	const char *robot = *state;
	struct rig *rig = mannequin_new(robot);
	double stiff, limp;

	take_posture(rig, robot);
	mannequin_wait(rig, 3);
	assert_false(world_held(mannequin_world(rig)));
	stiff = watch(rig);
	mannequin_loosen(rig);
	limp = watch(rig);
	if (stiff > FALLEN || limp > FALLEN)
		fail_msg("%s leans by %g degrees, limp by %g", robot, stiff, limp);
	mannequin_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROBOT_TEST(it_rests, "bioloid"),
		ROBOT_TEST(it_rests, "darwin-op"),
		ROBOT_TEST(it_rests, "op3"),
		ROBOT_TEST(it_rests, "nao-h25-v33"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
