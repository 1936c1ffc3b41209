// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The humanoids that are installed: their keys must mean what NAO's do. What is known of a
 * robot here is not Gain and Offset but what its servos' counts do to its body, by the public
 * sources that Documentation/robots.rst names: how it stands at some counts, about which axis
 * a part turns when its count grows, and postures of others for it, which are to make sense.
 * From the keys the body follows by NAO's own kinematics.
 */
#include "support.h"

#include "fake_iio.h"
#include "robot_keys.h"

#define JOINTS	20
#define DEGREE	(M_PI / 180)
/* How much the count of a servo grows, to see what turns: a small angle. */
#define STEP	24

struct vec {
	double x;
	double y;
	double z;
};

struct turn {
	double m[3][3];
};

/* By ID; where a posture says nothing of a servo (0), it is in its middle. */
struct posture {
	unsigned int count[JOINTS + 1];
};

/**
 * struct humanoid - what is known of a robot, in its body's axes: x forward, y left, z up
 * @base: a posture,
 * @upper_arm: where, in that, parts of the left side point; the right one mirrors it
 * @seen_from: and, for a joint by ID, the side from which the part beyond it turns
 *	counterclockwise when the count grows
 * @elbow_yaw: where NAO's left ElbowYaw would be for the elbow to turn as this one does
 * @squat: a posture with bent knees and hanging arms
 * @squat_pitch: how far the soles are out of level in it, about y, seen from the trunk
 * @mass: of the whole
 */
struct humanoid {
	const char *name;
	unsigned int last_count;
	const char *scale;
	struct posture base;
	struct vec upper_arm;
	struct vec lower_arm;
	struct vec thigh;
	struct vec tibia;
	struct vec toes;
	struct vec face;
	struct vec seen_from[JOINTS + 1];
	double elbow_yaw;
	struct posture squat;
	double squat_pitch;
	double mass;
};

/* By ID, as in the overlays. */
enum {
	R_SHOULDER_PITCH = 1, L_SHOULDER_PITCH, R_SHOULDER_ROLL, L_SHOULDER_ROLL,
	R_ELBOW, L_ELBOW, R_HIP_YAW, L_HIP_YAW, R_HIP_ROLL, L_HIP_ROLL, R_HIP_PITCH, L_HIP_PITCH,
	R_KNEE, L_KNEE, R_ANKLE_PITCH, L_ANKLE_PITCH, R_ANKLE_ROLL, L_ANKLE_ROLL,
	HEAD_YAW, HEAD_PITCH,
};

static const char *const label[JOINTS + 1] = {
	"", "RShoulderPitch", "LShoulderPitch", "RShoulderRoll", "LShoulderRoll", "RElbowRoll",
	"LElbowRoll", "RHipYaw", "LHipYaw", "RHipRoll", "LHipRoll", "RHipPitch", "LHipPitch",
	"RKneePitch", "LKneePitch", "RAnklePitch", "LAnklePitch", "RAnkleRoll", "LAnkleRoll",
	"HeadYaw", "HeadPitch",
};

#define FRONT { 1, 0, 0 }
#define BACK  { -1, 0, 0 }
#define LEFT  { 0, 1, 0 }
#define RIGHT { 0, -1, 0 }
#define ABOVE { 0, 0, 1 }
#define BELOW { 0, 0, -1 }

/* The maker's URDF; the squat is the target of his ini_pose.yaml, in counts. */
static const struct humanoid op3 = {
	.name = "op3",
	.last_count = 4095,
	.scale = "0.001533981",
	.upper_arm = LEFT,
	.lower_arm = LEFT,
	.thigh = BELOW,
	.tibia = BELOW,
	.toes = FRONT,
	.face = FRONT,
	.seen_from = {
		[R_SHOULDER_PITCH] = RIGHT, [L_SHOULDER_PITCH] = LEFT,
		[R_SHOULDER_ROLL] = BACK,   [L_SHOULDER_ROLL] = BACK,
		[R_ELBOW] = FRONT,	    [L_ELBOW] = FRONT,
		[R_HIP_YAW] = BELOW,	    [L_HIP_YAW] = BELOW,
		[R_HIP_ROLL] = BACK,	    [L_HIP_ROLL] = BACK,
		[R_HIP_PITCH] = RIGHT,	    [L_HIP_PITCH] = LEFT,
		[R_KNEE] = RIGHT,	    [L_KNEE] = LEFT,
		[R_ANKLE_PITCH] = LEFT,	    [L_ANKLE_PITCH] = RIGHT,
		[R_ANKLE_ROLL] = FRONT,	    [L_ANKLE_ROLL] = FRONT,
		[HEAD_YAW] = ABOVE,	    [HEAD_PITCH] = RIGHT,
	},
	.squat = { {
		0, 2219, 1877, 1536, 2560, 2560, 1536, 2048, 2048, 2048, 2048, 2844, 1252, 432, 3664,
		1252, 2844, 2048, 2048, 2048, 1934,
	} },
	.squat_pitch = 2,
	.mass = 3.1,
};

/* The base is UPennalizers' posZero and the maker's EYE_TILT_OFFSET_ANGLE; axes are those of the
 * same, of the maker's Walking.cpp and of darwin_description. Postures are of the maker's
 * motion file: page 15, "sit down", and the second step of page 12, a kick with the right foot,
 * before which it leans to the left. */
static const struct posture darwin_lean = { {
	0, 1407, 2420, 1837, 2287, 2383, 1714, 2050, 2050, 2057, 2043, 1637, 2459, 2646, 1443, 2389,
	1707, 2203, 2160, 2050, 2207,
} };

static const struct humanoid darwin = {
	.name = "darwin-op",
	.last_count = 4095,
	.scale = "0.001533981",
	.upper_arm = { 0, 1, -1 },
	.lower_arm = FRONT,
	.thigh = BELOW,
	.tibia = BELOW,
	.toes = FRONT,
	.face = { 0.766044, 0, -0.642788 },
	.seen_from = {
		[R_SHOULDER_PITCH] = RIGHT, [L_SHOULDER_PITCH] = LEFT,
		[R_SHOULDER_ROLL] = BACK,   [L_SHOULDER_ROLL] = BACK,
		[R_ELBOW] = { 0, -1, 1 },   [L_ELBOW] = { 0, 1, 1 },
		[R_HIP_YAW] = BELOW,	    [L_HIP_YAW] = BELOW,
		[R_HIP_ROLL] = BACK,	    [L_HIP_ROLL] = BACK,
		[R_HIP_PITCH] = LEFT,	    [L_HIP_PITCH] = RIGHT,
		[R_KNEE] = LEFT,	    [L_KNEE] = RIGHT,
		[R_ANKLE_PITCH] = RIGHT,    [L_ANKLE_PITCH] = LEFT,
		[R_ANKLE_ROLL] = FRONT,	    [L_ANKLE_ROLL] = FRONT,
		[HEAD_YAW] = ABOVE,	    [HEAD_PITCH] = RIGHT,
	},
	.elbow_yaw = -90,
	.squat = { {
		0, 1500, 2517, 1834, 2283, 2380, 1710, 2043, 2033, 2057, 2043, 1277, 2797, 3513, 571,
		2843, 1240, 2077, 2037, 2050, 2173,
	} },
	.squat_pitch = -9,
	.mass = 2.9,
};

/* How it stands and turns is ros-bioloid's URDF and directionSign. The base, with both feet
 * ahead, and the squat are clear() and initPos of iscl-ufabc/BioloidCodes, Bioloid.java. */
static const struct humanoid bioloid = {
	.name = "bioloid",
	.last_count = 1023,
	.scale = "0.005113269",
	.base = { { [R_HIP_YAW] = 361, [L_HIP_YAW] = 663 } },
	.upper_arm = LEFT,
	.lower_arm = LEFT,
	.thigh = { -14.5, 0, -75 },
	.tibia = { 14.5, 0, -75 },
	.toes = FRONT,
	.face = FRONT,
	.seen_from = {
		[R_SHOULDER_PITCH] = RIGHT, [L_SHOULDER_PITCH] = LEFT,
		[R_SHOULDER_ROLL] = BELOW,  [L_SHOULDER_ROLL] = BELOW,
		[R_ELBOW] = BELOW,	    [L_ELBOW] = BELOW,
		[R_HIP_YAW] = BELOW,	    [L_HIP_YAW] = BELOW,
		[R_HIP_ROLL] = FRONT,	    [L_HIP_ROLL] = FRONT,
		[R_HIP_PITCH] = LEFT,	    [L_HIP_PITCH] = RIGHT,
		[R_KNEE] = RIGHT,	    [L_KNEE] = LEFT,
		[R_ANKLE_PITCH] = RIGHT,    [L_ANKLE_PITCH] = LEFT,
		[R_ANKLE_ROLL] = BACK,	    [L_ANKLE_ROLL] = BACK,
		[HEAD_YAW] = ABOVE,	    [HEAD_PITCH] = RIGHT,
	},
	.squat = { {
		0, 336, 687, 298, 724, 412, 611, 355, 664, 491, 530, 394, 625, 278, 743, 616, 405, 490,
		530, 512, 512,
	} },
	.squat_pitch = 3,
	.mass = 1.7,
};

/* --- vectors and turns --- */

static struct turn product(const struct turn *a, const struct turn *b)
{
	struct turn c = { 0 };

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 3; k++)
				c.m[i][j] += a->m[i][k] * b->m[k][j];
	return c;
}

/* About the axis 0 (x), 1 (y) or 2 (z), by the right-hand rule. */
static struct turn about(int axis, double angle)
{
	int next = (axis + 1) % 3, last = (axis + 2) % 3;
	struct turn t = { 0 };

	t.m[axis][axis] = 1;
	t.m[next][next] = t.m[last][last] = cos(angle);
	t.m[last][next] = sin(angle);
	t.m[next][last] = -sin(angle);
	return t;
}

static void then(struct turn *t, int axis, double angle)
{
	struct turn next = about(axis, angle);

	*t = product(t, &next);
}

static struct vec turned(const struct turn *t, double x, double y, double z)
{
	return (struct vec){
		t->m[0][0] * x + t->m[0][1] * y + t->m[0][2] * z,
		t->m[1][0] * x + t->m[1][1] * y + t->m[1][2] * z,
		t->m[2][0] * x + t->m[2][1] * y + t->m[2][2] * z,
	};
}

static struct vec sum(struct vec a, struct vec b, double times)
{
	return (struct vec){ a.x + b.x * times, a.y + b.y * times, a.z + b.z * times };
}

static double dot(struct vec a, struct vec b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vec mirrored(struct vec v)
{
	return (struct vec){ v.x, -v.y, v.z };
}

/* The axis of the turn that leads from one to the other. */
static struct vec axis_between(const struct turn *from, const struct turn *to)
{
	struct turn back, by;

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			back.m[i][j] = from->m[j][i];
	by = product(to, &back);
	return (struct vec){ by.m[2][1] - by.m[1][2], by.m[0][2] - by.m[2][0],
			     by.m[1][0] - by.m[0][1] };
}

static void assert_along(const char *what, struct vec found, struct vec expected)
{
	double cosine = dot(found, expected) / sqrt(dot(found, found) * dot(expected, expected));

	/* 2 degrees: counts are whole numbers, and the bodies were not measured better. */
	if (!(cosine > cos(2 * DEGREE)))
		fail_msg("%s: along (%.2f %.2f %.2f), expected (%.2f %.2f %.2f)", what, found.x,
			 found.y, found.z, expected.x, expected.y, expected.z);
}

/* --- the body that the keys tell of, by NAO's kinematics --- */

static const struct humanoid *known;

struct body {
	double angle[JOINTS + 1];
};

static double position(unsigned int id, const char *rest)
{
	char name[96];

	snprintf(name, sizeof(name), "Device/SubDeviceList/%s/Position/%s", label[id], rest);
	return value_of(name);
}

static double of_body(const char *name)
{
	char text[96];

	snprintf(text, sizeof(text), "Device/Body/%s", name);
	return value_of(text);
}

/* A goal by the key is the count that gave it: sensor and actuator agree, within Min and Max. */
static void check_goal(unsigned int id, double angle, const char *count)
{
	struct naohw_error err;
	char name[96];

	snprintf(name, sizeof(name), "Device/SubDeviceList/%s/Position/Actuator/Value", label[id]);
	if (naohw_key_write(key(name), angle, &err) < 0)
		fail_msg("%s", err.message);
	if (strcmp(fake_get(label[id], "out_angl0_raw"), count) != 0)
		fail_msg("%s: %g rad is count %s, expected %s", name, angle,
			 fake_get(label[id], "out_angl0_raw"), count);
}

static struct body in_posture(const struct posture *posture)
{
	struct body body;
	char count[16];

	for (unsigned int id = 1; id <= JOINTS; id++) {
		unsigned int at = posture->count[id];

		snprintf(count, sizeof(count), "%u", at ? at : (known->last_count + 1) / 2);
		fake_set(label[id], "in_angl0_raw", count);
		body.angle[id] = position(id, "Sensor/Value");
		check_goal(id, body.angle[id], count);
	}
	return body;
}

static struct turn arm_part(const struct body *body, bool left, unsigned int last)
{
	struct turn t = about(1, body->angle[R_SHOULDER_PITCH + left]);

	if (last >= R_SHOULDER_ROLL)
		then(&t, 2, body->angle[R_SHOULDER_ROLL + left]);
	if (last >= R_ELBOW) {
		then(&t, 0, (left ? 1 : -1) * known->elbow_yaw * DEGREE);
		then(&t, 2, body->angle[R_ELBOW + left]);
	}
	return t;
}

static struct turn leg_part(const struct body *body, bool left, unsigned int last)
{
	static const int axis[] = { 2, 0, 1, 1, 1, 0 };
	struct turn t = about(0, 0);

	for (unsigned int id = R_HIP_YAW, i = 0; id <= last; id += 2, i++)
		then(&t, axis[i], body->angle[id + left]);
	return t;
}

static struct turn head_part(const struct body *body, unsigned int last)
{
	struct turn t = about(2, body->angle[HEAD_YAW]);

	if (last == HEAD_PITCH)
		then(&t, 1, body->angle[HEAD_PITCH]);
	return t;
}

/* How the part stands that a joint moves. */
static struct turn part(const struct body *body, unsigned int id)
{
	bool left = id % 2 == 0;

	if (id >= HEAD_YAW)
		return head_part(body, id);
	return id >= R_HIP_YAW ? leg_part(body, left, id - left) : arm_part(body, left, id - left);
}

struct leg {
	struct vec knee;
	struct vec ankle;
	struct turn sole;
};

/* From the hip on. */
static struct leg leg_of(const struct body *body, bool left)
{
	struct turn thigh = leg_part(body, left, R_HIP_PITCH);
	struct turn tibia = leg_part(body, left, R_KNEE);
	struct leg leg;

	leg.knee = turned(&thigh, 0, 0, -of_body("Thigh/Length"));
	leg.ankle = sum(leg.knee, turned(&tibia, 0, 0, -1), of_body("Tibia/Length"));
	leg.sole = leg_part(body, left, R_ANKLE_ROLL);
	return leg;
}

/* --- the tests --- */

static int setup(void **state)
{
	struct naohw_error err;
	char path[256], text[32];

	known = *state;
	fake_reset();
	for (unsigned int id = 1; id <= JOINTS; id++) {
		fake_servo(label[id]);
		for (int i = 0; i < 2; i++) {
			const char *way = i ? "out" : "in";

			snprintf(path, sizeof(path), "%s_angl0_scale", way);
			fake_set(label[id], path, known->scale);
			snprintf(path, sizeof(path), "%s_angl0_offset", way);
			snprintf(text, sizeof(text), "-%u", (known->last_count + 1) / 2);
			fake_set(label[id], path, text);
		}
		snprintf(text, sizeof(text), "[0 1 %u]", known->last_count);
		fake_set(label[id], "out_angl0_raw_available", text);
	}
	snprintf(path, sizeof(path), "%s/%s.xml", ROBOTS_DIR, known->name);
	if (naohw_robot_open(path, NULL, &robot, &err) < 0) {
		print_error("%s\n", err.message);
		return -1;
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	return 0;
}

static void counts_turn_parts_as_the_body_does(void **state)
{
	struct body base = in_posture(&known->base);

	(void)state;
	for (unsigned int id = 1; id <= JOINTS; id++) {
		struct posture more = known->base;
		struct turn before = part(&base, id), after;
		struct body body;

		if (!more.count[id])
			more.count[id] = (known->last_count + 1) / 2;
		more.count[id] += STEP;
		body = in_posture(&more);
		after = part(&body, id);
		assert_along(label[id], axis_between(&before, &after), known->seen_from[id]);
	}
}

static void parts_point_where_they_do(void **state)
{
	struct body base = in_posture(&known->base);
	struct turn head = head_part(&base, HEAD_PITCH);

	(void)state;
	for (int left = 0; left < 2; left++) {
		struct turn upper = arm_part(&base, left, R_SHOULDER_ROLL);
		struct turn lower = arm_part(&base, left, R_ELBOW);
		struct turn thigh = leg_part(&base, left, R_HIP_PITCH);
		struct turn tibia = leg_part(&base, left, R_KNEE);
		struct turn sole = leg_part(&base, left, R_ANKLE_ROLL);

		assert_along("upper arm", turned(&upper, 1, 0, 0),
			     left ? known->upper_arm : mirrored(known->upper_arm));
		assert_along("lower arm", turned(&lower, 1, 0, 0),
			     left ? known->lower_arm : mirrored(known->lower_arm));
		assert_along("thigh", turned(&thigh, 0, 0, -1), known->thigh);
		assert_along("tibia", turned(&tibia, 0, 0, -1), known->tibia);
		assert_along("toes", turned(&sole, 1, 0, 0), known->toes);
		assert_along("sole", turned(&sole, 0, 0, 1), (struct vec)ABOVE);
	}
	assert_along("face", turned(&head, 1, 0, 0), known->face);
}

/* 0 of all keys is NAO's: arms ahead, legs straight. It is within what each joint can do. */
static void all_can_be_at_zero(void **state)
{
	(void)state;
	for (unsigned int id = 1; id <= JOINTS; id++) {
		assert_true(position(id, "Actuator/Min") <= 0);
		assert_true(position(id, "Actuator/Max") >= 0);
		assert_near(position(id, "Sensor/Min"), position(id, "Actuator/Min"), 0);
		assert_near(position(id, "Sensor/Max"), position(id, "Actuator/Max"), 0);
	}
}

static void assert_between(const char *what, double degrees, double least, double most)
{
	if (!(degrees >= least && degrees <= most))
		fail_msg("%s: %.1f degrees, expected %g to %g", what, degrees, least, most);
}

static double degrees(const struct body *body, unsigned int id)
{
	return body->angle[id] / DEGREE;
}

/* Yaw and roll are opposite on the two sides, pitch is the same: 8 degrees of play. */
static void check_mirrored(const struct body *body)
{
	for (unsigned int id = R_SHOULDER_PITCH; id < HEAD_YAW; id += 2) {
		bool pitch = strstr(label[id], "Pitch") != NULL;
		double left = degrees(body, id + 1);

		assert_between(label[id], degrees(body, id) - (pitch ? left : -left), -8, 8);
	}
}

static void a_squat_is_one(void **state)
{
	struct body body = in_posture(&known->squat);

	(void)state;
	check_mirrored(&body);
	for (int left = 0; left < 2; left++) {
		struct leg leg = leg_of(&body, left);
		struct vec up = turned(&leg.sole, 0, 0, 1);
		double share = dot(leg.knee, leg.ankle) / dot(leg.ankle, leg.ankle);

		assert_between("knee", degrees(&body, R_KNEE + left), 40, 145);
		assert_between("hip", degrees(&body, R_HIP_PITCH + left), -80, -15);
		assert_between("ankle", degrees(&body, R_ANKLE_PITCH + left), -80, -15);
		/* The knee is before the line from hip to ankle, the ankle below the hip. */
		assert_true(leg.knee.x > share * leg.ankle.x + 0.02);
		assert_between("leg", atan2(leg.ankle.x, -leg.ankle.z) / DEGREE, -15, 15);
		assert_between("sole, pitch", atan2(up.x, up.z) / DEGREE, known->squat_pitch - 3,
			       known->squat_pitch + 3);
		assert_between("sole, roll", atan2(-up.y, up.z) / DEGREE, -3, 3);
	}
	/* Arms hang, a little outward, and the elbows are bent as elbows bend. */
	assert_between("shoulder", degrees(&body, L_SHOULDER_PITCH), 45, 140);
	assert_between("shoulder", degrees(&body, L_SHOULDER_ROLL), 15, 50);
	assert_between("elbow", degrees(&body, L_ELBOW), -125, -20);
	assert_between("head", degrees(&body, HEAD_PITCH), -5, 35);
}

/* Both soles are level then, so that the trunk leans as both say. */
static void check_lean(const struct body *body)
{
	for (int left = 0; left < 2; left++) {
		struct turn sole = leg_part(body, left, R_ANKLE_ROLL);
		struct vec up = turned(&sole, 0, 0, 1);

		assert_between("lean", atan2(-up.y, up.z) / DEGREE, 5, 18);
	}
}

static void darwin_kicks_from_its_left_foot(void **state)
{
	struct body body = in_posture(&darwin_lean);

	(void)state;
	check_lean(&body);
}

static void the_body_is_described(void **state)
{
	static const char *const one[] = { "Torso/Mass", "Neck/Mass", "Head/Mass" };
	static const char *const two[] = { "Shoulder/Mass", "UpperArm/Mass", "LowerArm/Mass",
					   "Pelvis/Mass",   "Hip/Mass",	     "Thigh/Mass",
					   "Tibia/Mass",    "Ankle/Mass",    "Foot/Mass" };
	static const char *const length[] = { "UpperArm/Length",       "LowerArm/Length",
					      "Thigh/Length",	       "Tibia/Length",
					      "Foot/Height",	       "Torso/HipOffsetY",
					      "Torso/HipOffsetZ",      "Torso/ShoulderOffsetY",
					      "Torso/NeckOffsetZ" };
	double mass = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(one) / sizeof(one[0]); i++)
		mass += of_body(one[i]);
	for (size_t i = 0; i < sizeof(two) / sizeof(two[0]); i++)
		mass += 2 * of_body(two[i]);
	assert_near(mass, known->mass, 0.05);
	for (size_t i = 0; i < sizeof(length) / sizeof(length[0]); i++)
		assert_true(of_body(length[i]) > 0.02 && of_body(length[i]) < 0.2);
	assert_true(of_body("Torso/ShoulderOffsetZ") >= 0);
	assert_near(of_body("LElbowYaw"), known->elbow_yaw * DEGREE, 1e-5);
	assert_near(of_body("RElbowYaw"), -known->elbow_yaw * DEGREE, 1e-5);
}

/* --- pages of real robots, where they are at hand --- */

static struct naohw_motion *load(const char *path)
{
	struct naohw_motion *motion;
	struct naohw_error err;

	if (naohw_motion_load(path, &motion, &err) < 0)
		fail_msg("%s", err.message);
	return motion;
}

static struct body in_step_of(const struct naohw_motion *motion, unsigned int page,
			      unsigned int index)
{
	const struct naohw_page *found = naohw_motion_page(motion, page);
	struct posture posture;

	assert_non_null(found);
	for (unsigned int id = 1; id <= JOINTS; id++) {
		unsigned int position = naohw_page_step_position(found, index, id);

		posture.count[id] = position < NAOHW_POSITION_INVALID ? (int)position : 0;
	}
	return in_posture(&posture);
}

static struct body in_step(const char *file, const char *page, unsigned int index)
{
	const char *path = shared_file(file);
	struct naohw_motion *motion;
	unsigned int number;
	struct body body;

	if (!path) {
		print_message("%s is not there\n", file);
		skip();
	}
	motion = load(path);
	assert_int_equal(naohw_motion_find_page(motion, page, &number, NULL), 0);
	body = in_step_of(motion, number, index);
	naohw_motion_free(motion);
	return body;
}

static void op3_kicks_from_its_left_foot(void **state)
{
	struct body body = in_step("op3-motion.bin", "83", 0);

	(void)state;
	check_lean(&body);
}

static void bioloid_kicks_from_its_left_foot(void **state)
{
	struct body body = in_step("bioloid-soccer.mtn", "R_Shoot", 0);

	(void)state;
	check_lean(&body);
}

/* A step aside spreads the legs, and a turn to the right turns the right toes outward first. */
static void bioloid_steps_outward(void **state)
{
	struct body body = in_step("bioloid-soccer.mtn", "L", 0);

	(void)state;
	assert_between("right hip", degrees(&body, R_HIP_ROLL), -25, -10);
	assert_between("left hip", degrees(&body, L_HIP_ROLL), 10, 25);
	body = in_step("bioloid-soccer.mtn", "RT", 0);
	assert_between("right toes", degrees(&body, R_HIP_YAW), -40, -15);
	assert_between("left toes", degrees(&body, L_HIP_YAW), 15, 40);
	body = in_step("bioloid-soccer.mtn", "D_Ready", 0);
	assert_between("right hip", degrees(&body, R_HIP_ROLL), -30, -15);
	for (int left = 0; left < 2; left++) {
		struct leg leg = leg_of(&body, left);

		assert_between("sole, roll",
			       atan2(-turned(&leg.sole, 0, 0, 1).y, 1) / DEGREE, -4, 4);
	}
}

static void check_bent_knees(const struct body *body)
{
	for (int left = 0; left < 2; left++) {
		struct leg leg = leg_of(body, left);

		assert_between("knee", degrees(body, R_KNEE + left), 20, 150);
		assert_true(leg.ankle.z < 0 && leg.knee.x > 0.01);
	}
}

static void op3_sits(void **state)
{
	struct body body = in_step("op3-motion.bin", "15", 0);

	(void)state;
	check_mirrored(&body);
	check_bent_knees(&body);
}

static void bioloid_stands_ready(void **state)
{
	struct body body = in_step("bioloid-soccer.mtn", "Init", 0);

	(void)state;
	check_mirrored(&body);
	check_bent_knees(&body);
}

/* In none of our own a knee is bent backwards, or a joint goes beyond Min and Max. */
static void own_pages_suit_it(void **state)
{
	const struct naohw_page *page;
	struct naohw_motion *motion;
	unsigned int steps = 0;
	char path[256];

	(void)state;
	snprintf(path, sizeof(path), "%s/../motions/%s.mtn", ROBOTS_DIR, known->name);
	motion = load(path);
	for (unsigned int i = 1; (page = naohw_motion_page(motion, i)); i++) {
		for (unsigned int k = 0; k < naohw_page_step_count(page); k++) {
			struct body body = in_step_of(motion, i, k);

			check_bent_knees(&body);
			assert_between("face", degrees(&body, HEAD_PITCH), -15, 30);
			steps++;
		}
	}
	assert_true(steps > 10);
	naohw_motion_free(motion);
}

#define CASE(test, known_robot) \
	{ #known_robot ": " #test, test, setup, teardown, (void *)(uintptr_t)&known_robot }
#define CASES(known_robot) \
	CASE(counts_turn_parts_as_the_body_does, known_robot), \
	CASE(parts_point_where_they_do, known_robot), \
	CASE(all_can_be_at_zero, known_robot), \
	CASE(a_squat_is_one, known_robot), \
	CASE(the_body_is_described, known_robot), \
	CASE(own_pages_suit_it, known_robot)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASES(op3),
		CASE(op3_sits, op3),
		CASE(op3_kicks_from_its_left_foot, op3),
		CASES(darwin),
		CASE(darwin_kicks_from_its_left_foot, darwin),
		CASES(bioloid),
		CASE(bioloid_stands_ready, bioloid),
		CASE(bioloid_kicks_from_its_left_foot, bioloid),
		CASE(bioloid_steps_outward, bioloid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
