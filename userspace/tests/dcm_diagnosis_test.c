// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the diagnosis finds beside silent joints, by the rows of Pepper's table that follow: the board of the
 * stage, which a description calls each kind of device in turn, a bus that is gone, a program that has died,
 * and the active diagnosis.
 */
#include "dcm_stage.h"

#include <errno.h>
#include <glob.h>
#include <sys/stat.h>

#include "fake_iio.h"

#define LEAF(key, type, value)                                                                     \
	"<Preference memoryName='" key "' type='" type "' value='" value "'/>"
#define LIST "Device/SubDeviceList/"

#define PEPPER LEAF("DCM/DiagnosisRules", "string", "Pepper")
#define NAO    LEAF("DCM/DiagnosisRules", "string", "NAO")
#define IS(kind) LEAF(LIST "Battery/Diagnosis", "string", kind)
/* Yaw is of an arm, pitch of a leg. */
#define CHAINS                                                                                     \
	LEAF("Device/ChainList/LArm", "string", "HeadYaw")                                         \
	LEAF("Device/ChainList/Leg", "string", "HeadPitch")
#define POSTURE                                                                                    \
	LEAF(LIST YAW_POSITION "/Rest", "float", "0.5")                                            \
	LEAF(LIST PITCH_POSITION "/Rest", "float", "-0.3")
#define SENSORS                                                                                    \
	LEAF(LIST "Battery/Temperature/Sensor/Channel", "string", "heat")                          \
	LEAF(LIST "Battery/Temperature/Sensor/Max", "float", "60")                                 \
	LEAF(LIST "Battery/Error/Sensor/Channel", "string", "code")

static void open_stiff(const char *preferences)
{
	stage_open_stiff(preferences, 1);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 1000);
}

/* What robots have kept there; others may be called the same. */
static void forget_kept(void)
{
	char pattern[64];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/*", getenv("STATE_DIRECTORY"));
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			unlink(found.gl_pathv[i]);
	globfree(&found);
}

static void close_and_forget(void)
{
	stage_close();
	forget_kept();
}

static int teardown(void **state)
{
	(void)state;
	(void)!seteuid(0);
	if (stage.robot)
		close_and_forget();
	return 0;
}

static double error_of(const char *kind)
{
	char key[64];

	snprintf(key, sizeof(key), "Diagnosis/%s/Battery/Error", kind);
	return stage_value(key);
}

static void assert_stiff(int yaw, int pitch)
{
	assert_int_equal(stage_stiffness(YAW), yaw);
	assert_int_equal(stage_stiffness(PITCH), pitch);
}

static void assert_wakes_up(void)
{
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, NULL), 0);
	stage_cycles(210);
	assert_stiff(1000, 1000);
}

static void assert_forbidden(const char *why)
{
	struct naohw_error err = { "" };

	assert_string_equal(stage_text("DCM/WakeUpForbidden"), why);
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, &err), -EPERM);
	assert_says(&err, why);
}

/* ---- devices ---- */

static void a_silent_battery_has_the_robot_rest(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE IS("Battery"));
	stage.battery_age = 255;
	stage_cycles(195);
	assert_stiff(1000, 1000);
	stage_cycles(8);
	assert_string_equal(stage_text("DCM/Rest"), "going to rest");
	stage_cycles(300);
	assert_stiff(0, 0);
	assert_float_equal(error_of("Passive"), 1, 0);
	assert_string_equal(stage_text("Diagnosis/Passive/Battery/Cause"), "no answer");
	assert_forbidden("Battery: no answer");
	stage.battery_age = 0;
	stage_cycles(110);
	assert_float_equal(error_of("Passive"), 0, 0);
	assert_wakes_up();
}

static void a_battery_has_its_error_code_and_heat(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE SENSORS IS("Battery"));
	/* Three frames are a moment's noise. */
	stage.battery_code = 7;
	stage_cycles(3);
	stage.battery_code = 0;
	stage_cycles(300);
	assert_stiff(1000, 1000);
	stage.battery_code = 7;
	stage_cycles(400);
	assert_forbidden("Battery: error code 7");
	stage.battery_code = 0;
	stage_cycles(320);
	assert_wakes_up();
	stage_set(YAW_POSITION, 0, 0);
	stage_cycles(60);
	/* Status 2 rests, status 3 lets go at once. */
	stage.battery_heat = 54;
	stage_cycles(2);
	assert_string_equal(stage_text("DCM/Rest"), "going to rest");
	assert_stiff(1000, 1000);
	stage.battery_heat = 61;
	stage_cycles(3);
	assert_stiff(0, 0);
	assert_float_equal(error_of("Temperature"), 1, 0);
	assert_forbidden("Battery: too hot");
	stage.battery_heat = 30;
	stage_cycles(3);
	assert_float_equal(error_of("Temperature"), 0, 0);
	assert_wakes_up();
}

static void a_fuse_takes_the_chain_that_it_feeds(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE SENSORS IS("Fuse")
			   LEAF(LIST "Battery/DiagnosisChain", "string", "LArm"));
	stage.battery_heat = 60;
	stage_cycles(3);
	assert_stiff(0, 1000);
	assert_string_equal(stage_text("DCM/Guard/HeadYaw"), "diagnosis");
	assert_string_equal(stage_text("DCM/Rest"), "awake");
	close_and_forget();
	open_stiff(PEPPER CHAINS POSTURE SENSORS IS("Fuse")
			   LEAF(LIST "Battery/DiagnosisChain", "string", "Leg"));
	stage.battery_heat = 60;
	stage_cycles(3);
	assert_stiff(1000, 0);
	stage_cycles(300);
	assert_stiff(0, 0);
	assert_forbidden("Battery: too hot");
}

/* It has a temperature and a code, and nothing else. */
static void a_silent_fuse_is_one(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE LEAF(LIST "Fuse/Label", "string", "Battery")
			   LEAF(LIST "Fuse/Temperature/Sensor/Channel", "string", "heat")
			   LEAF(LIST "Fuse/Temperature/Sensor/Max", "float", "60")
			   LEAF(LIST "Fuse/Error/Sensor/Channel", "string", "code")
			   LEAF(LIST "Fuse/Diagnosis", "string", "Fuse")
			   LEAF(LIST "Fuse/DiagnosisChain", "string", "Leg"));
	stage.battery_age = 255;
	stage_cycles(203);
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "Fuse: no answer");
}

/* No table has a row of that. */
static void a_silent_brake_has_the_chain_of_its_joint_rest(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE IS("Brake") LEAF(LIST "Battery/DiagnosisJoint", "string", "HeadYaw")
			   LEAF(LIST "Battery/Severity", "string", "SERIOUS"));
	stage.current = 1;
	stage_cycles(10);
	stage.battery_age = 255;
	stage_cycles(500);
	assert_stiff(0, 1000);
	assert_int_equal(stage.present[YAW], STAGE_ZERO + 100);
}

#define BRAKE IS("Brake") LEAF(LIST "Battery/DiagnosisJoint", "string", "HeadPitch")

static void a_brake_is_open_while_its_joint_is_stiff(void **state)
{
	(void)state;
	stage_open(PEPPER CHAINS BRAKE, NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(45);
	/* It takes its time to open. */
	stage.current = 1;
	stage_cycles(200);
	assert_stiff(1000, 1000);
	/* As the diagnosis makes the joint limp, a closed brake is as it should be, and proves nothing. */
	stage.current = 0;
	stage_cycles(52);
	assert_string_equal(stage_text("Diagnosis/Passive/Battery/Cause"), "it stays closed");
	stage_cycles(400);
	assert_stiff(0, 0);
	assert_forbidden("Battery: it stays closed");
	stage.current = 1;
	stage_cycles(2);
	assert_float_equal(error_of("Passive"), 0, 0);
	/* The joint is limp, and it stays open. */
	stage_cycles(51);
	assert_forbidden("Battery: it stays open");
	stage.current = 0;
	stage_cycles(2);
	assert_float_equal(error_of("Passive"), 0, 0);
}

/* A board takes the torque of a silent motor by itself, and the brake closes. */
static void a_brake_is_not_judged_by_a_silent_joint(void **state)
{
	(void)state;
	stage_open(PEPPER CHAINS BRAKE, NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	stage.current = 1;
	stage_cycles(100);
	stage.age[PITCH] = 255;
	stage_cycles(50);
	stage.current = 0;
	stage_cycles(400);
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "HeadPitch: no answer");
	assert_float_equal(error_of("Passive"), 0, 0);
}

/* The text's second example: where no row has it, the severity says what follows. */
static void without_an_inertial_sensor_the_fall_manager_is_off(void **state)
{
	(void)state;
	open_stiff(NAO CHAINS IS("Inertial") LEAF(LIST "Battery/Severity", "string", "SERIOUS"));
	assert_float_equal(stage_value("Diagnosis/FallManager/Disabled"), 0, 0);
	stage.battery_age = 255;
	stage_cycles(205);
	assert_stiff(1000, 1000);
	assert_float_equal(stage_value("Diagnosis/FallManager/Disabled"), 1, 0);
	assert_float_equal(stage_value("Diagnosis/SmartStiffness/Disabled"), 1, 0);
	stage.battery_age = 0;
	stage_cycles(110);
	assert_float_equal(stage_value("Diagnosis/FallManager/Disabled"), 0, 0);
}

/* A board that has nothing but a button: frames say nothing of it, and so the kernel is asked. */
static void a_board_of_buttons_is_lost_when_the_kernel_says_so(void **state)
{
	(void)state;
	stage_open(PEPPER CHAINS POSTURE LEAF(LIST "Chest/Label", "string", "Battery")
			   LEAF(LIST "Chest/Button/Sensor/Event", "string", "BTN_START")
			   LEAF(LIST "Chest/Diagnosis", "string", "ChestBoard"), NULL);
	stage_end();
	fake_device_set("Battery", "state", "active");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	/* The other thread has asked by then. */
	for (int i = 0; i < 100; i++) {
		usleep(10000);
		stage_cycles(3);
	}
	assert_float_equal(stage_value("Diagnosis/Passive/Chest/Error"), 0, 0);
	fake_device_set("Battery", "state", "lost");
	UNTIL(stage_value("Diagnosis/Passive/Chest/Error") > 0, stage_cycles(1));
	assert_string_equal(stage_text("Diagnosis/Passive/Chest/Cause"), "no answer");
	fake_device_set("Battery", "state", "active");
	UNTIL(stage_value("Diagnosis/Passive/Chest/Error") == 0, stage_cycles(1));
}

/* Parts of a robot are built and tried: that is told, and nothing follows. */
static void what_has_no_device_is_told(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS LEAF(LIST "Tail/Position/Sensor/Channel", "string", "in_angl0")
			   LEAF(LIST "Tail/Position/Actuator/Channel", "string", "out_angl0")
			   LEAF(LIST "Tail/Position/Actuator/Min", "float", "-1")
			   LEAF(LIST "Tail/Position/Actuator/Max", "float", "1")
			   LEAF("Device/ChainList/RLeg", "string", "Tail"));
	stage_cycles(300);
	assert_float_equal(stage_value("Diagnosis/Passive/Tail/Error"), 1, 0);
	assert_string_equal(stage_text("Diagnosis/Passive/Tail/Cause"), "no device");
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "");
	assert_stiff(1000, 1000);
}

static void a_cause_that_becomes_another_one_is_a_change(void **state)
{
	double before;

	(void)state;
	/* Nothing follows, and so nothing else changes. */
	open_stiff(NAO CHAINS SENSORS IS("Battery"));
	stage.battery_code = 7;
	stage_cycles(30);
	before = stage_value("Diagnosis/Changes");
	stage_cycles(10);
	assert_float_equal(stage_value("Diagnosis/Changes"), before, 0);
	/* Codes that come in turn are one cause. */
	for (int i = 0; i < 200; i++) {
		stage.battery_code = i & 1 ? 7 : 8;
		stage_cycles(1);
	}
	assert_float_equal(stage_value("Diagnosis/Changes"), before, 0);
	stage.battery_code = 8;
	stage_cycles(230);
	assert_string_equal(stage_text("Diagnosis/Passive/Battery/Cause"), "error code 8");
	assert_true(stage_value("Diagnosis/Changes") > before);
}

static void a_silent_laser_degrades_the_robot_alone(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS IS("Laser"));
	assert_float_equal(stage_value("Diagnosis/Degraded/Battery"), 0, 0);
	stage.battery_age = 255;
	stage_cycles(205);
	assert_stiff(1000, 1000);
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "");
	assert_float_equal(stage_value("Diagnosis/Degraded/Battery"), 1, 0);
}

static void a_device_that_is_not_described_right_is_refused(void **state)
{
	static const struct {
		const char *preferences;
		const char *said;
	} rows[] = {
		{ PEPPER IS("Engine"), "the string Brake, Fuse, Battery" },
		{ PEPPER IS("Fuse"), "DiagnosisChain" },
		{ PEPPER CHAINS IS("Fuse") LEAF(LIST "Battery/DiagnosisChain", "string", "RArm"),
		  "DiagnosisChain" },
		{ PEPPER IS("Brake"), "DiagnosisJoint" },
		{ PEPPER IS("Brake") LEAF(LIST "Battery/DiagnosisJoint", "string", "HeadRoll"),
		  "DiagnosisJoint" },
		{ PEPPER LEAF(LIST "HeadYaw/Diagnosis", "string", "Fuse"), "one joint or device" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct naohw_error err = { "" };

		assert_int_equal(stage_try(rows[i].preferences, &err), -EINVAL);
		assert_says(&err, rows[i].said);
		close_and_forget();
	}
}

/* ---- a wheel ---- */

static void a_silent_wheel_has_the_robot_rest(void **state)
{
	(void)state;
	stage_open_wheel(PEPPER, "0", NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(2);
	stage.age[PITCH] = 255;
	stage_cycles(205);
	assert_string_equal(stage_text("Diagnosis/Passive/HeadPitch/Cause"), "no answer");
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "HeadPitch: no answer");
}

#define WHEEL_CHAINS LEAF("Device/ChainList/LArm", "string", "HeadYaw")

static void open_wheel_at_rest(const char *mode)
{
	stage_open_wheel(PEPPER WHEEL_CHAINS, "0", NULL);
	/* The DCM asks for that when it begins. */
	stage_end();
	fake_device_set("HeadPitch", "operating_mode", mode);
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(2);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	stage_cycles(310);
	assert_string_equal(stage_text("DCM/Rest"), "at rest");
}

/* Return: counts, as far as it has turned at the most. */
static double test_wheel(void)
{
	double at = 0, most = 0;
	int i;

	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(1);
	for (i = 0; strcmp(stage_text("DCM/Rest"), "testing") == 0 || i < 2; i++) {
		assert_true(i < 600);
		stage_cycles(1);
		if (stage_stiffness(PITCH) > 0 && stage_wheel() != STAGE_LEFT_OUT)
			at += stage_wheel() * 0.01 * 0.01;
		most = fmax(most, fabs(at));
	}
	assert_int_equal(stage_stiffness(PITCH), 0);
	assert_near(at, 0, 0.01);
	return most;
}

static void a_wheel_turns_a_little_and_passes(void **state)
{
	double turned;

	(void)state;
	open_wheel_at_rest("velocity");
	turned = test_wheel();
	assert_true(turned > 0.05 && turned <= 0.0873);
	assert_float_equal(stage_value("Diagnosis/Active/HeadPitch/Error"), 0, 0);
}

static void a_wheel_that_does_not_turn_has_the_robot_rest(void **state)
{
	(void)state;
	open_wheel_at_rest("velocity");
	stage.is_held[PITCH] = true;
	(void)test_wheel();
	assert_float_equal(stage_value("Diagnosis/Active/HeadPitch/Error"), 1, 0);
	assert_forbidden("HeadPitch: it does not go where it is sent");
	stage.is_held[PITCH] = false;
	(void)test_wheel();
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "");
}

/* The host cannot see how fast the wheel turns. */
static void a_wheel_without_a_sensor_is_not_tested(void **state)
{
	(void)state;
	stage.is_blind = true;
	open_wheel_at_rest("velocity");
	(void)test_wheel();
	assert_float_equal(stage_value("Diagnosis/Active/HeadPitch/Error"), 0, 0);
	assert_string_equal(stage_text("Diagnosis/Untested"), "HeadPitch");
}

/* A hand turns it before, and then it stands: what it is to do it does not. */
static void a_wheel_that_turns_by_itself_has_not_passed(void **state)
{
	(void)state;
	open_wheel_at_rest("velocity");
	stage.is_held[PITCH] = true;
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(20);
	stage.turning = -100;
	stage_cycles(20);
	stage.turning = 0;
	stage_cycles(300);
	assert_float_equal(stage_value("Diagnosis/Active/HeadPitch/Error"), 1, 0);
}

/* Its speed is a part of its voltage, and with a small one it may stand. */
static void a_wheel_by_voltage_is_not_tested(void **state)
{
	(void)state;
	open_wheel_at_rest("pwm");
	assert_float_equal(test_wheel(), 0, 0);
	assert_float_equal(stage_value("Diagnosis/Active/HeadPitch/Error"), 0, 0);
}

/* ---- the program before, and the bus ---- */

static void trip_before(const char *preferences)
{
	stage_open(preferences, NULL);
	stage_end();
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	fake_device_set("HeadYaw", "torque_state", "tripped");
	fake_device_set("HeadPitch", "torque_state", "tripped");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(5);
}

static void recovers(void)
{
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	fake_device_set("HeadYaw", "torque_state", "stiff");
	fake_device_set("HeadPitch", "torque_state", "stiff");
	UNTIL(naohw_dcm_get_stream(stage.dcm) != NAOHW_STREAM_TRIPPED, stage_cycles(1));
}

static void who_died_is_a_diagnosis_until_somebody_recovers_and_this_host_has_run(void **state)
{
	(void)state;
	trip_before(PEPPER CHAINS);
	assert_float_equal(stage_value("Diagnosis/Passive/HAL/Error"), 1, 0);
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "HAL: the program before has died");
	stage_cycles(600);
	assert_float_equal(stage_value("Diagnosis/Passive/HAL/Error"), 1, 0);
	recovers();
	stage_cycles(110);
	assert_float_equal(stage_value("Diagnosis/Passive/HAL/Error"), 0, 0);
	assert_stiff(0, 0);
	assert_wakes_up();
}

static void who_is_woken_up_after_a_crash_wakes_when_it_is_over(void **state)
{
	(void)state;
	trip_before(PEPPER CHAINS);
	recovers();
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, NULL), 0);
	stage_cycles(300);
	assert_stiff(0, 0);
	stage_cycles(500);
	assert_stiff(1000, 1000);
}

/* The thread that looks at torque has not seen yet that the kernel recovers. */
static void who_is_woken_up_at_once_after_a_crash_wakes_too(void **state)
{
	(void)state;
	trip_before(PEPPER CHAINS);
	stage_cycles(550);
	atomic_store(&stage.host->rest.wish, WISH_WAKE_UP);
	stage_cycles(3);
	recovers();
	stage_cycles(400);
	assert_stiff(1000, 1000);
}

/* On its return all joints are let go first. */
static void a_bus_that_is_gone_takes_all_stiffness_and_the_next_hosts_too(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE);
	stage.host->frame->bus[0].is_gone = true;
	stage_cycles(3);
	assert_stiff(0, 0);
	assert_forbidden("Bus: its adapter is gone");
	stage_end();
	/* As servos have it that nobody has let go */
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_set("HeadPitch", "out_angl0_en", "1");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(3);
	assert_stiff(0, 0);
	assert_float_equal(stage_value("Diagnosis/Passive/Bus/Error"), 1, 0);
	stage_cycles(110);
	assert_float_equal(stage_value("Diagnosis/Passive/Bus/Error"), 0, 0);
	assert_stiff(0, 0);
	assert_wakes_up();
}

static void lose_bus(int cycles)
{
	stage.host->frame->bus[0].is_gone = true;
	stage_cycles(cycles);
	stage.host->frame->bus[0].is_gone = false;
}

/* Half a second with the bus, as a plug that is loose has it, ends nothing; and so do cycles without a frame. */
static void a_bus_is_back_when_its_frames_have_come_for_a_second(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE);
	lose_bus(3);
	stage_cycles(60);
	lose_bus(1);
	stage_cycles(60);
	assert_float_equal(stage_value("Diagnosis/Passive/Bus/Error"), 1, 0);
	lose_bus(1);
	stage.is_silent[0] = true;
	stage_cycles(300);
	assert_float_equal(stage_value("Diagnosis/Passive/Bus/Error"), 1, 0);
	stage.is_silent[0] = false;
	stage_cycles(110);
	assert_float_equal(stage_value("Diagnosis/Passive/Bus/Error"), 0, 0);
}

static void a_nao_without_its_bus_is_limp_too(void **state)
{
	(void)state;
	open_stiff(NAO CHAINS POSTURE);
	lose_bus(3);
	assert_stiff(0, 0);
	assert_forbidden("Bus: its adapter is gone");
}

/* As in the kernel: its frames do not come, and its device is not there any more. */
static void a_bus_without_a_device_has_vanished(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE);
	stage.is_silent[0] = true;
	fake_device_remove("dxl0-state", "current_timestamp_clock");
	stage_cycles(3);
	assert_stiff(0, 0);
	assert_forbidden("Bus: its adapter is gone");
}

/* A frame that is damaged may be one of many. */
static void a_bus_that_cannot_be_read_has_not_vanished(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE);
	fake_frame_error(0, -EIO);
	stage_cycles(3);
	assert_stiff(1000, 1000);
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "");
}

/* NAO's table has no such row. */
static void a_crash_takes_nothing_from_a_nao(void **state)
{
	(void)state;
	trip_before(NAO CHAINS);
	assert_float_equal(stage_value("Diagnosis/Passive/HAL/Error"), 1, 0);
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "");
	assert_string_equal(stage_text("DCM/Rest"), "awake");
}

static void a_crash_has_a_severity(void **state)
{
	(void)state;
	trip_before(NAO CHAINS LEAF("Device/DeviceList/HAL/Severity", "string", "CRITICAL"));
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "HAL: the program before has died");
}

static void a_person_who_has_let_go_is_no_crash(void **state)
{
	(void)state;
	stage_open(PEPPER CHAINS, NULL);
	stage_end();
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	fake_device_set("dxl0-goal", "limp", "1");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(5);
	assert_float_equal(stage_value("Diagnosis/Passive/HAL/Error"), 0, 0);
}

/* ---- the active diagnosis ---- */

static void open_at_rest(const char *preferences)
{
	open_stiff(preferences);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	stage_cycles(310);
	assert_stiff(0, 0);
	assert_string_equal(stage_text("DCM/Rest"), "at rest");
}

static void only_at_rest_and_with_rules(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	open_stiff(CHAINS);
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, &err), -EOPNOTSUPP);
	close_and_forget();
	open_stiff(PEPPER CHAINS);
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, &err), -EPERM);
	assert_says(&err, "at rest");
}

/* Return: the cycles that it takes. */
static int test_all(void)
{
	int cycles = 0;

	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(2);
	while (strcmp(stage_text("DCM/Rest"), "testing") == 0) {
		assert_true(++cycles < 1000);
		stage.current = cycles & 1;
		stage_cycles(1);
		/* One at a time, 5 degrees at the most, and no command reaches it. */
		assert_true(stage_stiffness(YAW) == 0 || stage_stiffness(PITCH) == 0);
		assert_near(stage_goal(YAW), STAGE_START, 18);
		assert_near(stage_goal(PITCH), STAGE_START, 18);
	}
	assert_stiff(0, 0);
	return cycles;
}

static void each_joint_goes_a_little_and_passes(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS);
	assert_true(test_all() < 500);
	assert_float_equal(stage_value("Diagnosis/Tests"), 1, 0);
	assert_string_equal(stage_text("Diagnosis/Untested"), "");
	assert_float_equal(stage_value("Diagnosis/Active/HeadYaw/Error"), 0, 0);
	assert_float_equal(stage_value("Diagnosis/Active/HeadPitch/Error"), 0, 0);
	assert_string_equal(stage_text("DCM/Rest"), "at rest");
	assert_wakes_up();
}

static void one_that_does_not_move_fails_until_it_passes(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS);
	stage.is_held[PITCH] = true;
	test_all();
	assert_float_equal(stage_value("Diagnosis/Active/HeadYaw/Error"), 0, 0);
	assert_float_equal(stage_value("Diagnosis/Active/HeadPitch/Error"), 1, 0);
	assert_string_equal(stage_text("Diagnosis/Active/HeadPitch/Cause"),
			    "it does not go where it is sent");
	assert_forbidden("HeadPitch: it does not go where it is sent");
	stage.is_held[PITCH] = false;
	stage_cycles(300);
	assert_forbidden("HeadPitch: it does not go where it is sent");
	test_all();
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "");
	assert_wakes_up();
}

static void begin_anew(void)
{
	stage_end();
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(3);
}

static void a_failure_is_known_to_the_next_host_until_it_passes(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS);
	stage.is_held[PITCH] = true;
	test_all();
	stage.is_held[PITCH] = false;
	begin_anew();
	assert_float_equal(stage_value("Diagnosis/Active/HeadYaw/Error"), 0, 0);
	assert_float_equal(stage_value("Diagnosis/Active/HeadPitch/Error"), 1, 0);
	assert_forbidden("HeadPitch: it does not go where it is sent");
	stage_cycles(310);
	test_all();
	begin_anew();
	assert_float_equal(stage_value("Diagnosis/Active/HeadPitch/Error"), 0, 0);
	assert_string_equal(stage_text("DCM/Rest"), "awake");
}

/* Its first joint has just become stiff. */
static void open_under_test(const char *preferences)
{
	open_at_rest(preferences);
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(60);
	assert_true(stage_stiffness(YAW) > 0);
}

/* Each is called limp at once by something else: the board is a battery as hot as can be. */
static void what_lets_a_joint_go_ends_its_test(void **state)
{
	(void)state;
	open_under_test(PEPPER CHAINS SENSORS IS("Battery"));
	stage.battery_heat = 70;
	stage_cycles(3);
	for (int i = 0; i < 300; i++) {
		assert_stiff(0, 0);
		stage_cycles(1);
	}
	assert_float_equal(stage_value("Diagnosis/Active/HeadYaw/Error"), 0, 0);
}

static void rest_ends_a_test(void **state)
{
	(void)state;
	open_under_test(PEPPER CHAINS);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	stage_cycles(2);
	assert_stiff(0, 0);
	assert_string_equal(stage_text("DCM/Rest"), "at rest");
	assert_float_equal(stage_value("Diagnosis/Tests"), 0, 0);
}

static int stiffness_at_end;

static void note_end(const char *device, int opens)
{
	if (!opens && strcmp(device, "dxl0-goal") == 0)
		stiffness_at_end = stage_stiffness(YAW);
}

static void what_ends_the_host_lets_the_tested_joint_go(void **state)
{
	(void)state;
	open_under_test(PEPPER CHAINS);
	stiffness_at_end = -1;
	fake_on_buffer(note_end);
	stage_end();
	assert_int_equal(stiffness_at_end, 0);
}

/* A chain is on its way to rest, and whoever ends does not leave it stiff. */
static void what_ends_the_host_lets_a_broken_chain_go(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE SENSORS IS("Fuse") LEAF(LIST "Battery/DiagnosisChain", "string", "LArm"));
	stage.battery_heat = 54;
	stage_cycles(5);
	assert_stiff(1000, 1000);
	stiffness_at_end = -1;
	fake_on_buffer(note_end);
	stage_end();
	assert_int_equal(stiffness_at_end, 0);
}

static int answer_of_callback = 1;

static void test_in_callback(void *data, struct naohw_dcm *dcm)
{
	(void)data;
	answer_of_callback = naohw_dcm_diagnose(dcm, NULL);
}

static void no_callback_begins_a_test(void **state)
{
	struct naohw_dcm_settings *settings;

	(void)state;
	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	naohw_dcm_settings_at_post_process(settings, test_in_callback, NULL);
	stage_open(PEPPER CHAINS, settings);
	naohw_dcm_settings_free(settings);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	stage_cycles(5);
	assert_int_equal(answer_of_callback, -EBUSY);
}

static void a_test_waits_until_the_robot_is_at_rest(void **state)
{
	(void)state;
	open_stiff(PEPPER CHAINS POSTURE);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	stage_cycles(3);
	assert_string_equal(stage_text("DCM/Rest"), "going to rest");
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	for (int i = 0; strcmp(stage_text("DCM/Rest"), "testing") != 0; i++) {
		assert_true(i < 400);
		stage_cycles(1);
	}
}

static void a_test_does_not_take_the_place_of_waking_up(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	open_at_rest(PEPPER CHAINS);
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, NULL), 0);
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, &err), -EBUSY);
	stage_cycles(210);
	assert_stiff(1000, 1000);
}

/* There is nothing to move, and the sensors are looked at for their time. */
static void a_test_without_a_joint_looks_at_sensors_all_the_same(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS IS("Inertial"));
	stage.age[YAW] = stage.age[PITCH] = 255;
	stage_cycles(30);
	/* Its answer is missing in the cycle in which the test begins. */
	stage.battery_age = 1;
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(1);
	stage.battery_age = 0;
	stage_cycles(50);
	assert_string_equal(stage_text("DCM/Rest"), "testing");
	stage_cycles(250);
	assert_string_equal(stage_text("DCM/Rest"), "at rest");
	assert_float_equal(error_of("Active"), 0, 0);
	stage.battery_age = 255;
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(300);
	assert_float_equal(error_of("Active"), 1, 0);
}

/* Without frames nothing was seen of the sensors, and so nothing is said of them. */
static void a_test_without_frames_says_nothing(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS IS("Inertial"));
	stage.is_silent[0] = true;
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(190);
	assert_float_equal(error_of("Active"), 0, 0);
}

/* It would go farther than 5 degrees: its goal is within its range. */
static void a_joint_far_beyond_its_range_is_not_tested(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS);
	stage.present[YAW] = STAGE_ZERO + 450;
	stage_cycles(2);
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	for (int i = 0; i < 500; i++) {
		stage_cycles(1);
		assert_int_equal(stage_stiffness(YAW), 0);
	}
	assert_float_equal(stage_value("Diagnosis/Active/HeadYaw/Error"), 0, 0);
	assert_string_equal(stage_text("Diagnosis/Untested"), "HeadYaw");
}

/* A safe posture may be at a limit, and a limp joint sags a little. */
static void a_joint_at_its_limit_is_tested(void **state)
{
	int farthest = STAGE_ZERO + 402;

	(void)state;
	open_at_rest(PEPPER CHAINS);
	stage.present[YAW] = farthest;
	stage_cycles(2);
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	for (int i = 0; i < 500; i++) {
		stage_cycles(1);
		if (stage_stiffness(YAW) > 0)
			assert_in_range(stage_goal(YAW), STAGE_ZERO + 402 - 17, STAGE_ZERO + 402);
		if (stage.present[YAW] < farthest)
			farthest = stage.present[YAW];
	}
	assert_in_range(farthest, STAGE_ZERO + 402 - 17, STAGE_ZERO + 402 - 8);
	assert_float_equal(stage_value("Diagnosis/Active/HeadYaw/Error"), 0, 0);
	assert_string_equal(stage_text("Diagnosis/Untested"), "");
}

/* It gets no torque, and so it stays where it is. */
static void a_joint_without_a_calibration_is_not_tested(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS);
	fake_device_set("HeadYaw", "joint_zero", "0");
	UNTIL(stage_value("Device/SubDeviceList/HeadYaw/Position/Sensor/jointZeroPosition") == 0,
	      stage_cycles(1));
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(500);
	assert_float_equal(stage_value("Diagnosis/Active/HeadYaw/Error"), 0, 0);
	assert_string_equal(stage_text("Diagnosis/Untested"), "HeadYaw");
}

/* Nothing could move, and so nothing would fail. */
static void a_robot_without_torque_is_not_tested(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	open_at_rest(PEPPER CHAINS);
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	fake_device_set("dxl0-goal", "limp", "1");
	UNTIL(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_TRIPPED, stage_cycles(1));
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, &err), -EPERM);
	assert_says(&err, "naohw recover");
}

/* Of the one file that is kept there */
static off_t kept_size(void)
{
	struct stat found;
	char pattern[64];
	glob_t files;

	snprintf(pattern, sizeof(pattern), "%s/*.faults", getenv("STATE_DIRECTORY"));
	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	assert_int_equal(files.gl_pathc, 1);
	assert_int_equal(stat(files.gl_pathv[0], &found), 0);
	globfree(&files);
	return found.st_size;
}

/* As root's "naohw diagnose --active" leaves it to the service, which has the directory */
static void what_root_has_kept_a_service_changes(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	open_at_rest(PEPPER CHAINS);
	stage.is_held[PITCH] = true;
	test_all();
	stage.is_held[PITCH] = false;
	stage_end();
	assert_true(kept_size() > 0);
	assert_int_equal(chown(getenv("STATE_DIRECTORY"), 12345, 12345), 0);
	assert_int_equal(seteuid(12345), 0);
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(310);
	test_all();
	stage_end();
	assert_int_equal(kept_size(), 0);
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(chown(getenv("STATE_DIRECTORY"), 0, 0), 0);
}

static void waking_up_ends_a_test(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS);
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(30);
	assert_true(stage_stiffness(YAW) > 0);
	assert_wakes_up();
	assert_float_equal(stage_value("Diagnosis/Active/HeadYaw/Error"), 0, 0);
}

/* A silent joint, or a bus that trips, says nothing of what the joint can do. */
static void what_ends_a_test_is_no_failure(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS);
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(60);
	stage.age[YAW] = 255;
	stage_cycles(30);
	assert_int_equal(stage_stiffness(YAW), 0);
	stage_cycles(400);
	assert_float_equal(stage_value("Diagnosis/Active/HeadYaw/Error"), 0, 0);
	assert_float_equal(stage_value("Diagnosis/Active/HeadPitch/Error"), 0, 0);
}

/* @load: percent, of the joint that is held */
static void check_elsewhere(int load)
{
	open_at_rest(PEPPER CHAINS);
	stage.load[YAW] = load;
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, NULL), 0);
	stage.is_held[YAW] = true;
	stage_cycles(150);
	stage.present[YAW] += 80;
	stage_cycles(110);
	assert_string_equal(stage_text("Diagnosis/Active/HeadYaw/Cause"),
			    "it does not go where it is sent");
	assert_string_equal(stage_text("DCM/Guard/HeadYaw"), "diagnosis");
	stage_cycles(300);
	assert_stiff(0, 1000);
	close_and_forget();
}

/* One that is eased, as something blocks it, has failed, too. */
static void one_that_is_elsewhere_when_the_robot_is_awake_fails(void **state)
{
	(void)state;
	check_elsewhere(0);
	check_elsewhere(100);
}

/* The host does not know where the joint is now: it may have left the place of its last answer. */
static void one_that_is_silent_when_the_robot_is_awake_has_not_failed(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS);
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, NULL), 0);
	stage.is_held[YAW] = true;
	stage_cycles(150);
	stage.present[YAW] += 80;
	stage_cycles(2);
	stage.age[YAW] = 255;
	stage_cycles(120);
	assert_float_equal(stage_value("Diagnosis/Active/HeadYaw/Error"), 0, 0);
}

/* @fails: by a test in which the board has the same value all the time, or another one each time */
static void check_sensor(const char *kind, int value, bool changes, const char *cause)
{
	char preferences[512];

	snprintf(preferences, sizeof(preferences), PEPPER CHAINS IS("%s"), kind);
	open_at_rest(preferences);
	stage.current = value;
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	for (int i = 0; i < 600; i++) {
		if (changes)
			stage.current = i & 1;
		stage_cycles(1);
	}
	print_message("%s\n", kind);
	assert_string_equal(stage_text("Diagnosis/Active/Battery/Cause"), cause);
	assert_float_equal(error_of("Active"), *cause != '\0', 0);
	close_and_forget();
}

static void check_silent(const char *kind)
{
	char preferences[512];

	snprintf(preferences, sizeof(preferences), PEPPER CHAINS IS("%s"), kind);
	open_at_rest(preferences);
	stage.battery_age = 255;
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(600);
	assert_string_equal(stage_text("Diagnosis/Active/Battery/Cause"), "it does not respond");
	close_and_forget();
}

static void each_sensor_has_its_test(void **state)
{
	(void)state;
	check_sensor("Laser", 3, false, "its value does not change");
	check_sensor("Laser", 3, true, "");
	check_sensor("Sonar", 3, false, "its value does not change");
	check_sensor("Camera", 3, false, "it does not respond");
	check_sensor("Camera", 3, true, "");
	check_silent("Camera");
	check_silent("Inertial");
	check_sensor("Bumper", 1, false, "it stays pressed");
	check_sensor("Bumper", 0, false, "");
	check_sensor("Bumper", 1, true, "");
	/* One that answers responds. */
	check_sensor("Inertial", 0, false, "");
}

static void a_frozen_laser_degrades_and_a_dead_camera_forbids(void **state)
{
	(void)state;
	open_at_rest(PEPPER CHAINS IS("Laser"));
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(600);
	assert_float_equal(stage_value("Diagnosis/Degraded/Battery"), 1, 0);
	assert_wakes_up();
	close_and_forget();
	open_at_rest(PEPPER CHAINS IS("Camera"));
	assert_int_equal(naohw_dcm_diagnose(stage.dcm, NULL), 0);
	stage_cycles(600);
	assert_forbidden("Battery: it does not respond");
}

/* ---- no false alarm ---- */

#define CYCLES_AN_HOUR 360000
#define A_SECOND       100

static unsigned int chance;

static bool happens_once_in(unsigned int cycles)
{
	chance = chance * 1103515245u + 12345u;
	return (chance >> 8) % cycles == 0;
}

/* One answer of a thousand is lost, and now and then all of a second. Return: of how many cycles more */
static unsigned int lose(unsigned int left, unsigned int *age)
{
	if (!left && happens_once_in(1000))
		left = 1;
	if (!left && happens_once_in(CYCLES_AN_HOUR / 10))
		left = A_SECOND;
	*age = left ? *age + 1 : 0;
	return left ? left - 1 : 0;
}

/* What a robot that is well goes through: lost answers, single alarms and codes, and warm motors */
static void live_a_cycle(unsigned int cycle)
{
	static unsigned int left[3];

	left[0] = lose(left[0], &stage.age[YAW]);
	left[1] = lose(left[1], &stage.age[PITCH]);
	left[2] = lose(left[2], &stage.battery_age);
	stage.alarm[YAW] = happens_once_in(1000) ? 0x20 : 0;
	stage.alarm[PITCH] = happens_once_in(1000) ? 0x20 : 0;
	stage.battery_code = happens_once_in(1000) ? 1 + (int)(chance % 255) : 0;
	stage.battery_heat = 51 + (int)(cycle % 2);
	if (cycle % 80 == 0) {
		stage_set(YAW_POSITION, cycle % 160 ? 0.5 : -0.5, 800);
		stage_set(PITCH_POSITION, cycle % 160 ? -0.3 : 0.6, 800);
	}
	stage_cycles(1);
}

/* NAOHW_HOURS: how long; a minute without it */
static void a_robot_that_is_well_is_never_called_ill(void **state)
{
	const char *told = getenv("NAOHW_HOURS");
	unsigned int cycles = told ? (unsigned int)strtoul(told, NULL, 10) * CYCLES_AN_HOUR :
				     60 * A_SECOND;

	(void)state;
	chance = 20;
	open_stiff(PEPPER CHAINS POSTURE SENSORS IS("Battery"));
	for (unsigned int i = 0; i < cycles; i++) {
		live_a_cycle(i);
		assert_stiff(1000, 1000);
	}
	/* It has said nothing since it began. */
	assert_float_equal(stage_value("Diagnosis/Changes"), 2, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define STAGE_TEST(name) cmocka_unit_test_teardown(name, teardown)
		STAGE_TEST(a_silent_battery_has_the_robot_rest),
		STAGE_TEST(a_battery_has_its_error_code_and_heat),
		STAGE_TEST(a_fuse_takes_the_chain_that_it_feeds),
		STAGE_TEST(a_silent_fuse_is_one),
		STAGE_TEST(a_silent_brake_has_the_chain_of_its_joint_rest),
		STAGE_TEST(a_brake_is_open_while_its_joint_is_stiff),
		STAGE_TEST(a_brake_is_not_judged_by_a_silent_joint),
		STAGE_TEST(without_an_inertial_sensor_the_fall_manager_is_off),
		STAGE_TEST(a_board_of_buttons_is_lost_when_the_kernel_says_so),
		STAGE_TEST(what_has_no_device_is_told),
		STAGE_TEST(a_cause_that_becomes_another_one_is_a_change),
		STAGE_TEST(a_silent_laser_degrades_the_robot_alone),
		STAGE_TEST(a_device_that_is_not_described_right_is_refused),
		STAGE_TEST(a_silent_wheel_has_the_robot_rest),
		STAGE_TEST(a_wheel_turns_a_little_and_passes),
		STAGE_TEST(a_wheel_that_does_not_turn_has_the_robot_rest),
		STAGE_TEST(a_wheel_that_turns_by_itself_has_not_passed),
		STAGE_TEST(a_wheel_by_voltage_is_not_tested),
		STAGE_TEST(a_wheel_without_a_sensor_is_not_tested),
		STAGE_TEST(who_died_is_a_diagnosis_until_somebody_recovers_and_this_host_has_run),
		STAGE_TEST(who_is_woken_up_after_a_crash_wakes_when_it_is_over),
		STAGE_TEST(who_is_woken_up_at_once_after_a_crash_wakes_too),
		STAGE_TEST(a_bus_that_is_gone_takes_all_stiffness_and_the_next_hosts_too),
		STAGE_TEST(a_bus_is_back_when_its_frames_have_come_for_a_second),
		STAGE_TEST(a_bus_without_a_device_has_vanished),
		STAGE_TEST(a_bus_that_cannot_be_read_has_not_vanished),
		STAGE_TEST(a_nao_without_its_bus_is_limp_too),
		STAGE_TEST(a_crash_takes_nothing_from_a_nao),
		STAGE_TEST(a_crash_has_a_severity),
		STAGE_TEST(a_person_who_has_let_go_is_no_crash),
		STAGE_TEST(only_at_rest_and_with_rules),
		STAGE_TEST(each_joint_goes_a_little_and_passes),
		STAGE_TEST(one_that_does_not_move_fails_until_it_passes),
		STAGE_TEST(a_failure_is_known_to_the_next_host_until_it_passes),
		STAGE_TEST(what_lets_a_joint_go_ends_its_test),
		STAGE_TEST(rest_ends_a_test),
		STAGE_TEST(what_ends_the_host_lets_the_tested_joint_go),
		STAGE_TEST(what_ends_the_host_lets_a_broken_chain_go),
		STAGE_TEST(no_callback_begins_a_test),
		STAGE_TEST(a_test_waits_until_the_robot_is_at_rest),
		STAGE_TEST(a_test_does_not_take_the_place_of_waking_up),
		STAGE_TEST(a_test_without_a_joint_looks_at_sensors_all_the_same),
		STAGE_TEST(a_test_without_frames_says_nothing),
		STAGE_TEST(a_joint_far_beyond_its_range_is_not_tested),
		STAGE_TEST(a_joint_at_its_limit_is_tested),
		STAGE_TEST(a_joint_without_a_calibration_is_not_tested),
		STAGE_TEST(a_robot_without_torque_is_not_tested),
		STAGE_TEST(what_root_has_kept_a_service_changes),
		STAGE_TEST(waking_up_ends_a_test),
		STAGE_TEST(what_ends_a_test_is_no_failure),
		STAGE_TEST(one_that_is_elsewhere_when_the_robot_is_awake_fails),
		STAGE_TEST(one_that_is_silent_when_the_robot_is_awake_has_not_failed),
		STAGE_TEST(each_sensor_has_its_test),
		STAGE_TEST(a_robot_that_is_well_is_never_called_ill),
		STAGE_TEST(a_frozen_laser_degrades_and_a_dead_camera_forbids),
	};

	char directory[] = "/tmp/naohw-diagnosis-XXXXXX";
	int ret;

	assert_non_null(mkdtemp(directory));
	setenv("STATE_DIRECTORY", directory, 1);
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(directory);
	return ret;
}
