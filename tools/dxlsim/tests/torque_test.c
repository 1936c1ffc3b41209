// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A robot is held in the air and holds its limbs out: what each servo shows of its load or
 * current is the torque of all that hangs on it, as reckoned here from the description's
 * masses and lengths.
 */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mannequin.h"

/*
 * Until what its friction carried is its motor's, s. A NAO's motors take it over sooner: in 9 s the
 * rest is as small a part of what is tolerated as others' in 15 s.
 */
#define CREEPING	15
#define CREEPING_NAO	9

#define DEGREE		(M_PI / 180)

/* How near, by full torque: the rest of the friction; and a count of the reading's. */
#define SHARE		0.004

/* --- on paper --- */

struct frame {
	double turn[3][3];
	double at[3];		/* of its joint, m */
};

static void rotate(double turn[3][3], const double of[3], double to[3])
{
	int i, j;

	for (i = 0; i < 3; i++)
		for (to[i] = j = 0; j < 3; j++)
			to[i] += turn[i][j] * of[j];
}

/* About an axis: Rodrigues' formula. */
static void find_turn(const double axis[3], double angle, double turn[3][3])
{
	const double *a = axis;
	const double cross[3][3] = {
		{ 0, -a[2], a[1] }, { a[2], 0, -a[0] }, { -a[1], a[0], 0 },
	};
	int i, j;

	for (i = 0; i < 3; i++)
		for (j = 0; j < 3; j++)
			turn[i][j] = (i == j) * cos(angle) + sin(angle) * cross[i][j] +
				     (1 - cos(angle)) * a[i] * a[j];
}

/* How the torso is held, rad: down ahead, and to the right about its own axis. */
struct lean {
	double roll;
	double pitch;
};

static const struct lean upright;

static void find_torso(const struct lean *lean, double turn[3][3])
{
	double ahead[3][3], to_right[3][3];
	int i, j, k;

	find_turn((double [3]){ 0, 1, 0 }, lean->pitch, ahead);
	find_turn((double [3]){ 1, 0, 0 }, lean->roll, to_right);
	for (i = 0; i < 3; i++)
		for (j = 0; j < 3; j++)
			for (turn[i][j] = k = 0; k < 3; k++)
				turn[i][j] += ahead[i][k] * to_right[k][j];
}

/* Of all links, with the torso held so and its joints where they are. */
static void find_frames(const struct world *world, const struct lean *lean,
			struct frame *frames)
{
	const struct physique *physique = world_physique(world);
	size_t link;
	int i, j, k;

	frames[TORSO] = (struct frame){ 0 };
	find_torso(lean, frames[TORSO].turn);
	for (link = 1; link < physique->count; link++) {
		const struct part *part = &physique->links[link];
		struct frame *parent = &frames[part->parent], *own = &frames[link];
		double turn[3][3], off[3];

		find_turn(part->axis, world_turning(world, link).angle, turn);
		rotate(parent->turn, part->at, off);
		for (i = 0; i < 3; i++) {
			own->at[i] = parent->at[i] + off[i];
			for (j = 0; j < 3; j++)
				for (own->turn[i][j] = k = 0; k < 3; k++)
					own->turn[i][j] += parent->turn[i][k] * turn[k][j];
		}
	}
}

static bool hangs_on(const struct physique *physique, size_t link, size_t joint)
{
	while (link != joint && link != TORSO)
		link = physique->links[link].parent;

	return link == joint;
}

/* What it takes to hold a joint against the weight of all that is on it, Nm. */
static double holding(const struct physique *physique, struct frame *frames, size_t joint)
{
	double axis[3], middle[3], sum = 0;
	size_t link;

	rotate(frames[joint].turn, physique->links[joint].axis, axis);
	for (link = 1; link < physique->count; link++) {
		const struct part *part = &physique->links[link];

		if (!hangs_on(physique, link, joint))
			continue;
		rotate(frames[link].turn, part->centre, middle);
		middle[0] += frames[link].at[0] - frames[joint].at[0];
		middle[1] += frames[link].at[1] - frames[joint].at[1];
		sum += part->mass * WORLD_GRAVITY * (axis[0] * middle[1] - axis[1] * middle[0]);
	}

	return sum;
}

/* --- what servos show of it --- */

/**
 * struct reading - what a servo shows of its torque, all in Nm
 * @torque: the joint's by it
 * @count: what a count is
 * @full: what the servo has
 * @punch: the least that it gives: for less it stays within its margin, and friction carries
 * @magnitude: it does not show to which side
 */
struct reading {
	double torque;
	double count;
	double full;
	double punch;
	bool magnitude;
};

static double full_torque(const struct part *part, const struct device *dev)
{
	return part->torque ? part->torque : dev->model->servo->torque;
}

static struct reading read_load(struct rig *rig, const struct part *part,
				struct device *dev)
{
	bool current = model_item_named(dev->model, "present_current");
	int value = mannequin_item(rig, dev, current ? "present_current" : "present_load");
	double whole = current ? dev->model->servo->full_load : 1023;
	struct reading reading = {
		.full = full_torque(part, dev),
		.magnitude = dev->model == &model_nao_motor,
	};

	if (!current)
		value = value & 1024 ? -(value & 1023) : value;
	reading.count = reading.full / whole;
	if (dev->model == &model_ax12)
		reading.punch = reading.count * mannequin_item(rig, dev, "punch");
	reading.torque = reading.count * value * (part->gain < 0 ? -1 : 1);

	return reading;
}

/* --- holding them out --- */

static const struct {
	const char *joint;
	double angle;		/* of the left one; rolls and yaws of the right one are against it */
	bool mirrored;
} pose[] = {
	{ "HeadPitch", 0.4, false },
	{ "ShoulderPitch", 0.4, false },
	{ "ShoulderRoll", 0.6, true },
	{ "ElbowYaw", -0.6, true },
	{ "ElbowRoll", -0.7, true },
	{ "HipYawPitch", -0.3, false },
	{ "HipRoll", 0.3, true },
	{ "HipPitch", -0.7, false },
	{ "KneePitch", 0.9, false },
	{ "AnklePitch", 0.3, false },
	{ "AnkleRoll", 0.25, true },
};

#define POSE_JOINTS	(sizeof(pose) / sizeof(pose[0]))

static void hold_out(struct rig *rig, const struct lean *lean, double creeping)
{
	char label[64];
	size_t i;

	snprintf(label, sizeof(label), "hold 0.8 %.10g %.10g", lean->roll / DEGREE,
		 lean->pitch / DEGREE);
	order(rig, label);
	mannequin_stiffen(rig);
	for (i = 0; i < POSE_JOINTS; i++) {
		mannequin_turn(rig, pose[i].joint, pose[i].angle);
		snprintf(label, sizeof(label), "L%s", pose[i].joint);
		mannequin_turn(rig, label, pose[i].angle);
		snprintf(label, sizeof(label), "R%s", pose[i].joint);
		mannequin_turn(rig, label, pose[i].mirrored ? -pose[i].angle : pose[i].angle);
	}
	mannequin_wait(rig, creeping);
}

/* --- how far they let it sag --- */

static void soften(struct rig *rig, struct device *dev, int slope)
{
	mannequin_put(rig, dev, "cw_compliance_slope", slope);
	mannequin_put(rig, dev, "ccw_compliance_slope", slope);
	mannequin_wait(rig, CREEPING);
}

/*
 * By the maker's picture of compliance: beyond the margin output goes from the punch up to all
 * there is, which is reached a slope further.
 */
static double sag(double share, double punch, int slope, int margin)
{
	return margin + slope * (share - punch) / (1 - punch);
}

static void a_bioloids_leg_sags_as_its_slopes_allow(void **state)
{
	static const int slopes[] = { 16, 64, 254 };
	struct rig *rig = mannequin_new("bioloid");
	struct world *world = mannequin_world(rig);
	const struct physique *physique = world_physique(world);
	struct device *dev = mannequin_servo(rig, "LHipPitch");
	size_t link = physique_link(physique, "LThigh"), i;
	struct frame frames[LINKS_MAX];

	(void)state;
	order(rig, "hold 0.8");
	mannequin_stiffen(rig);
	mannequin_turn(rig, "LHipPitch", -1);
	for (i = 0; i < sizeof(slopes) / sizeof(slopes[0]); i++) {
		const struct part *part = &physique->links[link];
		double off, expected;

		soften(rig, dev, slopes[i]);
		find_frames(world, &upright, frames);
		off = abs(mannequin_item(rig, dev, "present_position") -
			  mannequin_item(rig, dev, "goal_position"));
		expected = sag(fabs(holding(physique, frames, link)) / full_torque(part, dev),
			       mannequin_item(rig, dev, "punch") / 1023.0, slopes[i],
			       mannequin_item(rig, dev, "cw_compliance_margin"));
		/* The softer it is, the longer friction carries some of it. */
		if (!(fabs(off - expected) <= 1 + 0.02 * slopes[i]))
			fail_msg("slope %d: %g counts, expected %g", slopes[i], off, expected);
	}
	mannequin_free(rig);
}

/* Of all joints that the servo turns. A NAO's motor shows how much, and not to which side. */
static double expected(const struct physique *physique, struct frame *frames,
		       const struct part *of)
{
	double sum = 0;
	size_t link;

	for (link = 1; link < physique->count; link++)
		if (!strcmp(physique->links[link].servo, of->servo))
			sum += holding(physique, frames, link);

	return sum;
}

/* Whether the servo has so much to carry that its reading tells. */
static bool check_joint(struct rig *rig, struct frame *frames, const struct part *part)
{
	const struct physique *physique = world_physique(mannequin_world(rig));
	struct device *dev = mannequin_servo(rig, part->servo);
	struct reading reading = read_load(rig, part, dev);
	double torque = expected(physique, frames, part);
	double off = reading.count + SHARE * reading.full;

	if (reading.magnitude)
		torque = fabs(torque);
	if (fabs(torque) < reading.punch)
		off += reading.punch;
	if (!(fabs(reading.torque - torque) <= off))
		fail_msg("%s: %g Nm, expected %g +- %g", part->joint, reading.torque, torque,
			 off);

	return fabs(torque) > 4 * off;
}

/* All joints as they should; those with something to tell, a bit for each. */
static u32 check(const char *robot, const struct lean *lean, unsigned int telling)
{
	struct rig *rig = mannequin_new(robot);
	struct world *world = mannequin_world(rig);
	const struct physique *physique = world_physique(world);
	struct frame frames[LINKS_MAX];
	unsigned int count = 0;
	u32 told = 0;
	size_t link;

	hold_out(rig, lean, strcmp(robot, "nao-h25-v33") ? CREEPING : CREEPING_NAO);
	find_frames(world, lean, frames);
	for (link = 1; link < physique->count; link++) {
		bool tells = check_joint(rig, frames, &physique->links[link]);

		told |= (u32)tells << link;
		count += tells;
	}
	if (count < telling)
		fail_msg("%s: %u joints tell, expected %u", robot, count, telling);
	mannequin_free(rig);

	return told;
}

/* Where the axis is upright, or next to nothing is on it, there is nothing to tell. */
static void each_servo_of_a_bioloid_feels_what_it_carries(void **state)
{
	(void)state;
	check("bioloid", &upright, 6);
}

static void an_ops_do(void **state)
{
	(void)state;
	check("darwin-op", &upright, 8);
}

static void an_op3s_do(void **state)
{
	(void)state;
	check("op3", &upright, 8);
}

static void a_naos_do(void **state)
{
	(void)state;
	check("nao-h25-v33", &upright, 15);
}

/* --- the same leaning, for joints whose axes are upright in the torso --- */

static const struct lean right = { 60 * DEGREE, 40 * DEGREE };
static const struct lean left = { -60 * DEGREE, 40 * DEGREE };

/* @told: by which joints, with one lean or more */
static void check_yaws(const char *robot, u32 told, const char *const *joints)
{
	struct rig *rig = mannequin_new(robot);
	const struct physique *physique = world_physique(mannequin_world(rig));
	size_t link;

	for (; *joints; joints++) {
		for (link = 1; strcmp(physique->links[link].joint, *joints); link++)
			assert_true(link < physique->count);
		if (!(told & 1u << link))
			fail_msg("%s: %s has nothing to tell", robot, *joints);
	}
	mannequin_free(rig);
}

/* The heads of all but a NAO are too light for what their servos show. */
static const char *const hips[] = { "LHipYaw", "RHipYaw", NULL };

static void check_both(const char *robot, unsigned int telling)
{
	check_yaws(robot, check(robot, &right, telling) | check(robot, &left, telling), hips);
}

static void a_leaning_bioloids_do(void **state)
{
	(void)state;
	check_both("bioloid", 6);
}

static void a_leaning_ops_do(void **state)
{
	(void)state;
	check_both("darwin-op", 8);
}

static void a_leaning_op3s_do(void **state)
{
	(void)state;
	check_both("op3", 8);
}

/* To the left no joint tells that does not tell to the right or upright. */
static void a_leaning_naos_do(void **state)
{
	static const char *const joints[] = {
		"HeadYaw", "LShoulderRoll", "RShoulderRoll", NULL
	};

	(void)state;
	check_yaws("nao-h25-v33", check("nao-h25-v33", &right, 15), joints);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bioloids_leg_sags_as_its_slopes_allow),
		cmocka_unit_test(each_servo_of_a_bioloid_feels_what_it_carries),
		cmocka_unit_test(an_ops_do),
		cmocka_unit_test(an_op3s_do),
		cmocka_unit_test(a_naos_do),
		cmocka_unit_test(a_leaning_bioloids_do),
		cmocka_unit_test(a_leaning_ops_do),
		cmocka_unit_test(a_leaning_op3s_do),
		cmocka_unit_test(a_leaning_naos_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
