// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dcm_stage.h"

#include <pthread.h>
#include <time.h>

#include "fake_iio.h"

#define NS_PER_MS ((int64_t)1000000)
#define PERIOD_MS 10
/* What a servo has in a frame; behind all of a bus the time, and on the first one the battery */
#define SERVO	  10
#define SPEED	  2
#define LOAD	  4
#define AGE	  8
#define ALARM	  9
#define TIME(n)	  (((n) * SERVO + 7) / 8 * 8)
#define BATTERY	  8
#define BATTERY_HEAT  10
#define BATTERY_CODE  12
#define BATTERY_AGE   14
#define BATTERY_ALARM 15
#define FRAME_MAX (TIME(2) + 16)

struct stage stage;

static const char *const labels[] = { "HeadYaw", "HeadPitch" };
static pthread_t own_thread;

/* ---- time ---- */

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

/* Only the cycle's stands still: other threads wait by theirs. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	if (!pthread_equal(pthread_self(), own_thread) || clock != CLOCK_MONOTONIC || !stage.now)
		return __real_clock_gettime(clock, time);
	time->tv_sec = stage.now / 1000;
	time->tv_nsec = stage.now % 1000 * NS_PER_MS + stage.beyond_us * 1000;
	stage.now += stage.look_ms;
	return 0;
}

static int64_t real_ms(void)
{
	struct timespec time;

	__real_clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / NS_PER_MS;
}

/* ---- frames ---- */

static void put16(unsigned char *at, int value)
{
	at[0] = (unsigned char)value;
	at[1] = (unsigned char)((unsigned int)value >> 8);
}

/* A wheel with torque turns as the last pose has it, unless it is held. */
static int turning(unsigned int joint)
{
	bool turns = stage.has_wheel && joint == PITCH && fake_pushes(0) && !stage.is_held[joint] &&
		     stage_stiffness(joint) > 0 && stage_wheel() != STAGE_LEFT_OUT;

	if (stage.has_wheel && joint == PITCH && stage.is_held[joint])
		return stage.turning;
	return turns ? stage_wheel() : 0;
}

/* A joint with torque is where the last pose sent it. */
static void move(unsigned int joint)
{
	if (stage.has_wheel && joint == PITCH)
		return;
	if (fake_pushes(0) && !stage.is_held[joint] && stage_stiffness(joint) > 0)
		stage.present[joint] = stage_goal(joint);
}

static void next_frame_of(unsigned int bus)
{
	unsigned char bytes[FRAME_MAX] = { 0 };
	int64_t time = stage.now * NS_PER_MS;
	unsigned int first = bus, count = 2 / stage.buses;

	for (unsigned int i = 0; i < count; i++) {
		unsigned char *servo = bytes + i * SERVO;

		move(first + i);
		put16(servo, stage.present[first + i]);
		put16(servo + SPEED, turning(first + i));
		put16(servo + LOAD, 10 * stage.load[first + i]);
		servo[AGE] = (unsigned char)stage.age[first + i];
		servo[ALARM] = (unsigned char)stage.alarm[first + i];
	}
	memcpy(bytes + TIME(count), &time, sizeof(time));
	if (bus == 0) {
		put16(bytes + TIME(count) + BATTERY, 1000 + stage.current);
		put16(bytes + TIME(count) + BATTERY_HEAT, stage.battery_heat);
		put16(bytes + TIME(count) + BATTERY_CODE, stage.battery_code);
		bytes[TIME(count) + BATTERY_AGE] = (unsigned char)stage.battery_age;
		bytes[TIME(count) + BATTERY_ALARM] = (unsigned char)stage.battery_alarm;
	}
	fake_frame(bus, bytes, TIME(count) + (bus == 0 ? 16 : 8));
}

static void next_frames(void)
{
	for (unsigned int bus = 0; bus < stage.buses; bus++)
		if (!stage.is_silent[bus])
			next_frame_of(bus);
}

static void has_waited(int ms)
{
	stage.now += ms;
}

/* ---- a robot ---- */

#define STAGE_TEXT(number)  STAGE_TEXT_(number)
#define STAGE_TEXT_(number) #number

#define ARRAY(name, in)	       "<Preference name=\"" name "\" type=\"array\">" in "</Preference>"
#define TEXT(name, value)      "<Preference name=\"" name "\" type=\"string\" value=\"" value "\"/>"
#define NUMBER(name, value)    "<Preference name=\"" name "\" type=\"float\" value=\"" value "\"/>"
#define RANGE(min, max)	       NUMBER("Min", min) NUMBER("Max", max)

#define JOINT                                                                                      \
	ARRAY("Position",                                                                          \
	      ARRAY("Sensor", TEXT("Channel", "in_angl0")                                          \
			      ARRAY("jointZeroPosition", TEXT("Attribute", "joint_zero")           \
							 TEXT("KeyType", "int")))                  \
	      ARRAY("Actuator", TEXT("Channel", "out_angl0") RANGE("-2", "2")))                    \
	ARRAY("Hardness",                                                                          \
	      ARRAY("Actuator", TEXT("Channel", "out_angl0") TEXT("Attribute", "torque_limit")     \
				TEXT("Enable", "en") NUMBER("Gain", "0.01") RANGE("-1", "1")))

#define ROBOT                                                                                      \
	"<ModulePreference>"                                                                       \
	ARRAY("SubDeviceList\" memoryName=\"Device/SubDeviceList",                                 \
	      ARRAY("HeadYaw", JOINT) ARRAY("HeadPitch", JOINT)                                    \
	      ARRAY("Twin", TEXT("Label", "HeadYaw") JOINT)                                        \
	      ARRAY("Battery",                                                                     \
		    ARRAY("Current",                                                               \
			  ARRAY("Sensor", TEXT("Channel", "current")                               \
					  NUMBER("Gain", "-0.1") NUMBER("Offset", "100") \
					  RANGE("-8", "8"))))               \
	      ARRAY("US", TEXT("Label", "HeadYaw")                                                 \
			  ARRAY("Actuator", TEXT("Attribute", "sonar_mode") RANGE("0", "255"))))   \
	"%s</ModulePreference>"

#define LEAF(name, type, value)                                                                    \
	"<Preference memoryName=\"Device/SubDeviceList/Wheel/" name "\" type=\"" type "\" "          \
	"value=\"" value "\"/>"

#define WHEEL                                                                                      \
	LEAF("Label", "string", "HeadPitch")                                                       \
	LEAF("Speed/Actuator/Channel", "string", "out_anglvel0")                                   \
	LEAF("Speed/Actuator/Gain", "float", "-1")                                                 \
	LEAF("Speed/Actuator/Min", "float", "-3") LEAF("Speed/Actuator/Max", "float", "2")

#define WHEEL_SENSOR                                                                               \
	LEAF("Speed/Sensor/Channel", "string", "in_anglvel0")                                      \
	LEAF("Speed/Sensor/Gain", "float", "-1")

static void make_bus(unsigned int bus, const char *const *servos, unsigned int count)
{
	char goal[32], scale[32];

	snprintf(goal, sizeof(goal), "dxl%u-goal", bus);
	fake_goal(bus, servos, count);
	for (unsigned int id = 1; id <= count; id++) {
		snprintf(scale, sizeof(scale), "out_angl%u_scale", id);
		fake_set(goal, scale, "0.005");
	}
	fake_state(bus, servos, count, 1000 / PERIOD_MS);
	fake_device_set(goal, "stiffness", "0");
	fake_device_set(goal, "all_goals", "0");
	fake_device_set(goal, "stream_state", "streaming");
	fake_device_set(goal, "auto_recover", "0");
	fake_device_set(goal, "keep_alive", "");
	fake_device_set(goal, "recover", "0");
	fake_device_set(goal, "limp", "0");
}

static void make_wheel(const char *counts)
{
	fake_set("HeadPitch", "out_anglvel0_raw_available", "[-1023 1 1023]");
	fake_set("HeadPitch", "out_anglvel0_raw", counts);
	fake_set("HeadPitch", "out_angl0_raw_available", "[0 0 0]");
	fake_set("dxl0-goal", "out_angl2_raw_available", "[0 0 0]");
	fake_set("dxl0-goal", "out_anglvel2_scale", "0.01");
}

static void make_devices(void)
{
	static const char *const parts[] = { "current", "heat", "code" };

	fake_reset();
	for (unsigned int i = 0; i < 2; i++) {
		fake_servo(labels[i]);
		fake_set(labels[i], "in_angl0_scale", "0.005");
		fake_set(labels[i], "out_angl0_scale", "0.005");
		fake_set(labels[i], "in_angl0_raw", STAGE_TEXT(STAGE_START));
		fake_device_set(labels[i], "joint_zero", "2048");
		fake_device_set(labels[i], "torque_state", "stiff");
	}
	fake_device_set("HeadYaw", "sonar_mode", "0");
	for (unsigned int bus = 0; bus < stage.buses; bus++)
		make_bus(bus, labels + bus, 2 / stage.buses);
	fake_board(0, 200, "Battery", parts, 3);
	fake_on_waited(has_waited);
}

/* @wheel: counts; NULL: there is none */
static int try_on(unsigned int buses, const char *preferences, const char *wheel,
		  const struct naohw_dcm_settings *settings, struct naohw_error *err)
{
	char text[8192];
	int ret;

	stage = (struct stage){
		.present = { STAGE_START, STAGE_START },
		.buses = buses,
		.has_wheel = wheel,
		.is_blind = stage.is_blind,
		.look_ms = stage.look_ms,
		.now = stage.look_ms ? real_ms() : 0,
	};
	/* The diagnosis keeps nothing, unless a test says where. */
	setenv("STATE_DIRECTORY", "/dev/null", 0);
	own_thread = pthread_self();
	make_devices();
	if (wheel)
		make_wheel(wheel);
	snprintf(text, sizeof(text), ROBOT, preferences);
	ret = naohw_robot_open(temp_text(text), NULL, &stage.robot, err);
	if (ret == 0)
		ret = stage_begin(settings, err);
	stage.now = real_ms();
	stage.look_ms = 0;
	return ret;
}

static void open_on(unsigned int buses, const char *preferences, const char *wheel,
		    const struct naohw_dcm_settings *settings)
{
	struct naohw_error err = { "" };

	if (try_on(buses, preferences, wheel, settings, &err) < 0)
		fail_msg("%s", err.message);
}

int stage_try(const char *preferences, struct naohw_error *err)
{
	return try_on(1, preferences, NULL, NULL, err);
}

void stage_open(const char *preferences, const struct naohw_dcm_settings *settings)
{
	open_on(1, preferences, NULL, settings);
}

void stage_open_stiff(const char *preferences, double stiffness)
{
	stage_open(preferences, NULL);
	stage_set(YAW_HARDNESS, stiffness, 0);
	stage_set(PITCH_HARDNESS, stiffness, 0);
	stage_cycles(2);
}

void stage_open_wheel(const char *preferences, const char *counts,
		      const struct naohw_dcm_settings *settings)
{
	char text[4096];

	snprintf(text, sizeof(text), WHEEL "%s%s", stage.is_blind ? "" : WHEEL_SENSOR, preferences);
	open_on(1, text, counts, settings);
}

void stage_open_two(void)
{
	open_on(2, "", NULL, NULL);
}

int stage_begin(const struct naohw_dcm_settings *settings, struct naohw_error *err)
{
	int ret = host_new(stage.robot, settings, &stage.host, err);

	if (ret == 0)
		stage.dcm = &stage.host->base;
	return ret;
}

void stage_end(void)
{
	naohw_dcm_close(stage.dcm);
	stage.dcm = NULL;
	stage.host = NULL;
}

void stage_close(void)
{
	stage.now = 0;
	if (stage.dcm)
		stage_end();
	naohw_robot_close(stage.robot);
	memset(&stage, 0, sizeof(stage));
}

int stage_teardown(void **state)
{
	(void)state;
	if (stage.robot)
		stage_close();
	return 0;
}

void stage_cycle_after(int64_t ms)
{
	stage.now += ms;
	next_frames();
	dcm_cycle(stage.host);
}

void stage_cycle_after_us(int64_t us)
{
	us += stage.beyond_us;
	stage.beyond_us = us % 1000;
	stage_cycle_after(us / 1000);
}

void stage_cycles(unsigned int count)
{
	while (count--)
		stage_cycle_after(PERIOD_MS);
}

/* ---- what came of it ---- */

/* Goals of all modes have the speed of a wheel, too. */
static unsigned int words(void)
{
	return stage.has_wheel ? 4 : 3;
}

/* angl1, anglvel1, count1, angl2, ... */
static int word(unsigned int joint, unsigned int index)
{
	unsigned int bus = joint < stage.buses ? joint : 0;

	return (int16_t)fake_pose(bus, fake_pushes(bus) - 1)[words() * (joint - bus) + index];
}

int stage_wheel(void)
{
	return word(PITCH, 2);
}

int stage_goal(unsigned int joint)
{
	return word(joint, 0);
}

int stage_speed(unsigned int joint)
{
	return word(joint, 1);
}

/* Of its 1023 steps */
int stage_stiffness(unsigned int joint)
{
	return (int)lround(word(joint, words() - 1) * 1000.0 / 1023);
}

static struct naohw_value value_of(const char *name)
{
	const struct naohw_store *store = naohw_dcm_store(stage.dcm);
	struct naohw_value value;
	char full[128];
	size_t slot;

	snprintf(full, sizeof(full), "Device/SubDeviceList/%s/Value", name);
	if (naohw_store_find(store, name, &slot) < 0)
		assert_int_equal(naohw_store_find(store, full, &slot), 0);
	assert_int_equal(naohw_store_read(store, slot, &value), 0);
	return value;
}

double stage_value(const char *name)
{
	return value_of(name).number;
}

const char *stage_text(const char *name)
{
	static struct naohw_value value;

	value = value_of(name);
	return value.text;
}

void stage_set(const char *name, double value, int64_t after)
{
	const struct naohw_command command = { .value = value, .time = stage.now + after };
	struct naohw_error err = { "" };

	if (naohw_dcm_set(stage.dcm, name, NAOHW_UPDATE_CLEAR_ALL, &command, 1, &err) < 0)
		fail_msg("%s: %s", name, err.message);
}
