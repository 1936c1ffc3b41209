// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stiff robot on a floor that is tilted tips when its centre of mass passes the edge of
 * its feet. Where both are is reckoned here, from the description alone.
 */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "../physics/physics.h"
#include "../physique_load.h"
#include "mannequin.h"

#define DEGREE		(M_PI / 180)
#define START		(1 * NSEC_PER_SEC)

/*
 * How near to what is reckoned. The tilting's own swing takes a part of it: what falls with a
 * time constant of 0.2 s does so 0.1 degrees early at SLOW_RATE.
 */
#define MARGIN		(0.3 * DEGREE)

/* How hard contact.c has a point of it, N/m. */
#define HARDNESS	20e3

/*
 * How fast the floor is tilted, a second: the less is left, the slower, so that the robot gets no
 * swing. A floor that slows down pushes the robot on, and the robot's weight pulls it back onto its
 * feet. Both are in proportion to what is left, and the pull is about five times the push.
 */
#define TILT_RATE	(15 * DEGREE)
#define SLOWER		2.5		/* of what is left, a second */
#define SLOW_RATE	(0.5 * DEGREE)
#define TILTED		(15 * DEGREE)	/* against the floor: it has tipped */

/* To the right it is as to the left. */
enum way { AHEAD, BACK, LEFT };

#define WAYS		3

static const char *const way_names[] = { "ahead", "back", "to the left" };

/* --- on paper --- */

struct stance {
	double height;		/* of the centre of mass above the soles, m */
	double reach[WAYS];	/* of the feet from below it */
	double side[2];		/* of a foot, m */
	double weight;		/* N */
};

/* With all joints at 0 links are moved against each other, and not turned. */
static void find_joint(const struct physique *physique, size_t link, double at[3])
{
	int i;

	at[0] = at[1] = at[2] = 0;
	for (; link != TORSO; link = physique->links[link].parent)
		for (i = 0; i < 3; i++)
			at[i] += physique->links[link].at[i];
}

static void find_centre(const struct physique *physique, double centre[3], double *mass)
{
	double at[3];
	size_t link;
	int i;

	*mass = centre[0] = centre[1] = centre[2] = 0;
	for (link = 0; link < physique->count; link++) {
		const struct part *part = &physique->links[link];

		find_joint(physique, link, at);
		for (i = 0; i < 3; i++)
			centre[i] += part->mass * (at[i] + part->centre[i]);
		*mass += part->mass;
	}
	for (i = 0; i < 3; i++)
		centre[i] /= *mass;
}

static struct stance stance_of(const struct physique *physique)
{
	struct stance stance = { .reach = { -INFINITY, -INFINITY, -INFINITY } };
	double centre[3], mass, at[3];
	size_t foot;

	find_centre(physique, centre, &mass);
	stance.weight = mass * WORLD_GRAVITY;
	for (foot = 0; foot < 2; foot++) {
		const struct part *part = &physique->links[physique->feet[foot].link];
		double *reach = stance.reach;

		find_joint(physique, physique->feet[foot].link, at);
		reach[AHEAD] = fmax(reach[AHEAD], at[0] + part->high[0] - centre[0]);
		reach[BACK] = fmax(reach[BACK], centre[0] - at[0] - part->low[0]);
		reach[LEFT] = fmax(reach[LEFT], at[1] + part->high[1] - centre[1]);
		stance.height = centre[2] - at[2] - part->low[2];
		stance.side[0] = part->high[0] - part->low[0];
		stance.side[1] = part->high[1] - part->low[1];
	}

	return stance;
}

/*
 * The ground gives way: when only the corners at the edge carry it - of both feet, or of the
 * lower one - they have sunk in and that foot's others are about to lift off. So far it leans
 * before it tips, 0.1 to 0.8 degrees.
 */
static double lean(const struct stance *stance, enum way way)
{
	double corners = way == LEFT ? 2 : 4;

	return stance->weight / (corners * HARDNESS) / stance->side[way == LEFT];
}

/* --- in the world --- */

static void tilt(struct world *world, enum way way, double angle)
{
	struct ground ground = { .friction = 2 };

	if (way == LEFT)
		ground.roll = -angle;
	else
		ground.pitch = way == AHEAD ? angle : -angle;
	room_floor(world, &ground);
}

static void tilt_on(struct world *world, enum way way, double from, double to)
{
	double angle = from;
	nsec_t now = world_time(world);

	while (angle < to) {
		double rate = fmin(fmax(SLOWER * (to - angle), SLOW_RATE), TILT_RATE);

		angle = fmin(to, angle + rate * WORLD_STEP / NSEC_PER_SEC);
		tilt(world, way, angle);
		world_advance(world, now += WORLD_STEP);
	}
}

static void wait(struct world *world, double seconds)
{
	world_advance(world, world_time(world) + (nsec_t)(seconds * NSEC_PER_SEC));
}

/* How far it leans against the floor. */
static double leaning(const struct world *world, enum way way, double slope)
{
	struct inertial inertial;

	world_inertial(world, &inertial);
	switch (way) {
	case AHEAD:
		return inertial.angle[1] - slope;
	case BACK:
		return -inertial.angle[1] - slope;
	default:
		return -inertial.angle[0] - slope;
	}
}

static struct physique *load(const char *robot)
{
	struct physique *physique;
	char path[256];

	snprintf(path, sizeof(path), ROBOTS "/%s.xml", robot);
	physique = physique_load(path, stderr);
	assert_non_null(physique);

	return physique;
}

static void check_way(const struct physique *physique, enum way way)
{
	const struct stance stance = stance_of(physique);
	double angle = atan(stance.reach[way] / stance.height) - lean(&stance, way);
	double least = angle - MARGIN, most = angle + MARGIN;
	struct world *world = world_new(physique, START);
	int i;

	assert_true(least > 0);
	world_release(world);
	wait(world, 0.2);
	tilt_on(world, way, 0, least);
	wait(world, 1);
	if (fabs(leaning(world, way, least)) > 2 * DEGREE)
		fail_msg("tips %s at %g, expected to at %g", way_names[way], least / DEGREE,
			 angle / DEGREE);
	tilt_on(world, way, least, most);
	for (i = 0; i < 30 && leaning(world, way, most) < TILTED; i++)
		wait(world, 0.1);
	if (leaning(world, way, most) < TILTED)
		fail_msg("does not tip %s at %g, expected to at %g", way_names[way],
			 most / DEGREE, angle / DEGREE);
	world_free(world);
}

static void it_tips_over_the_edge_of_its_feet(void **state)
{
	const char *robot = *state;
	struct physique *physique = load(robot);
	enum way way;

	for (way = AHEAD; way <= LEFT; way++)
		check_way(physique, way);
	free(physique);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROBOT_TEST(it_tips_over_the_edge_of_its_feet, "bioloid"),
		ROBOT_TEST(it_tips_over_the_edge_of_its_feet, "darwin-op"),
		ROBOT_TEST(it_tips_over_the_edge_of_its_feet, "op3"),
		ROBOT_TEST(it_tips_over_the_edge_of_its_feet, "nao-h25-v33"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
