/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A DCM without a thread, on the libiio that is none, in a time of its own: a test says what the
 * servos answer, has a cycle done, and looks at what was sent. The period is 10 ms.
 */
#ifndef NAOHW_TEST_DCM_STAGE_H
#define NAOHW_TEST_DCM_STAGE_H

#include <unistd.h>

#include "support.h"

#include "dcm/host.h"

/* Of a servo: a count is 0.005 rad, and 512 of them are 0 rad. */
#define STAGE_COUNT 0.005
#define STAGE_ZERO  512
#define STAGE_START 520

#define YAW   0
#define PITCH 1

#define YAW_POSITION   "HeadYaw/Position/Actuator"
#define PITCH_POSITION "HeadPitch/Position/Actuator"
#define YAW_HARDNESS   "HeadYaw/Hardness/Actuator"
#define PITCH_HARDNESS "HeadPitch/Hardness/Actuator"
#define WHEEL_SPEED    "Wheel/Speed/Actuator"

extern struct stage {
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	struct dcm_host *host; /* the same */
	int64_t now; /* ms */
	int64_t beyond_us; /* that: less than a ms */
	int present[2];	     /* counts; where they are told to go, unless they are held */
	bool is_held[2];
	unsigned int age[2]; /* 0: it answers */
	unsigned int alarm[2];
	int load[2]; /* percent */
	int turning; /* counts, of a wheel that is held: by a hand */
	int current; /* of the battery, as a board of the frame has it: 0.1 A out of it */
	int battery_heat; /* degrees C */
	int battery_code;
	unsigned int battery_age; /* as of a joint */
	unsigned int battery_alarm;
	unsigned int buses;
	bool has_wheel;	 /* the second one is one */
	bool is_silent[2]; /* no frame of this bus comes */
	bool is_blind;	 /* said before it is opened: the wheel has no sensor of its speed */
	int64_t look_ms; /* while it is opened each look at the clock takes so long */
} stage;

/* A robot of these preferences beside its own; @settings may be NULL. */
void stage_open(const char *preferences, const struct naohw_dcm_settings *settings);
/* The same of one that may be refused: 0, or the error. */
int stage_try(const char *preferences, struct naohw_error *err);
/* The same as stage_open() with the second joint on a bus of its own */
void stage_open_two(void);
/*
 * The same, of which the second servo is a wheel that turns against its key, 0.01 rad/s a count; it
 * has had @counts before.
 */
void stage_open_wheel(const char *preferences, const char *counts,
		      const struct naohw_dcm_settings *settings);
/* As stage_open(), and both joints get this stiffness. */
void stage_open_stiff(const char *preferences, double stiffness);
void stage_close(void);
/* For cmocka: close one that is open. */
int stage_teardown(void **state);
/* The DCM alone, anew */
void stage_end(void);
int stage_begin(const struct naohw_dcm_settings *settings, struct naohw_error *err);

/* The cycle ends @ms later than the one before. */
void stage_cycle_after(int64_t ms);
void stage_cycle_after_us(int64_t us);
/* The same 10 ms later, so often. */
void stage_cycles(unsigned int count);

/* What another thread does is not done at once: go on with @step until it is. */
#define UNTIL(condition, step)                                                                     \
	do {                                                                                       \
		for (int left = 400; !(condition); left--) {                                       \
			assert_true(left > 0);                                                     \
			usleep(5000);                                                              \
			step;                                                                      \
		}                                                                                  \
	} while (0)

/* What the last pose says, in counts; stiffness in thousandths. */
int stage_goal(unsigned int joint);
int stage_speed(unsigned int joint);
int stage_stiffness(unsigned int joint);

/* The speed of the wheel, in counts; and what leaves a goal out of a pose. */
int stage_wheel(void);
#define STAGE_LEFT_OUT (-32768)

/* What the store has of a key, by its full name or that of an actuator. */
double stage_value(const char *name);
const char *stage_text(const char *name);

/* One command for an actuator, @after ms from now; must be taken. */
void stage_set(const char *name, double value, int64_t after);

#endif
