// SPDX-License-Identifier: LGPL-2.1-or-later
/* Saving to a layer, mostly Local: what becomes of the file, and of it when something fails. */
#include "support.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "robot_files.h"
#include "seeds.h"

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, robot_setup, robot_teardown)
#define LOCAL  "Device_Local.xml"
#define LEAF(name, type, value) \
	"<Preference name=\"" name "\" type=\"" type "\" value=\"" value "\"/>"
#define SUB(name, body) "<Preference name=\"" name "\" type=\"array\">" body "</Preference>\n"
#define SENSOR	 LIST "Head/Position/Sensor/"
#define ACTUATOR LIST "Head/Position/Actuator/"

/* A sensor without an Offset, an actuator with one, and a key of each type. */
static const char robot[] = OPEN
	"<Preference memoryName=\"" LIST "Head\" type=\"array\">\n"
	SUB("Position",
	    SUB("Sensor", LEAF("Channel", "string", "in_angl0") LEAF("Gain", "float", "1"))
	    SUB("Actuator", LEAF("Channel", "string", "out_angl0") LEAF("Offset", "float", "0")
		LEAF("Min", "float", "-1") LEAF("Max", "float", "1")))
	LEAF("Int", "int", "1") LEAF("Text", "string", "a") LEAF("Bool", "bool", "true")
	"</Preference>\n" CLOSE;

/* ---- A disk that fails ---- */

static const char *failing; /* which call fails, and how */
static int failure;
static unsigned int writes; /* that succeed before */

static bool fails(const char *call)
{
	if (!failing || strcmp(failing, call) != 0)
		return false;
	errno = failure;
	return true;
}

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_renameat(int from, const char *name, int to, const char *renamed);
int __wrap_renameat(int from, const char *name, int to, const char *renamed);
int __real_nanosleep(const struct timespec *wait, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *wait, struct timespec *rest);

int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation);

/* How often the library has come to say what is wrong, behind a search for the nearest key */
static unsigned int messages;

int __wrap_fail(struct naohw_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

int __wrap_fail(struct naohw_error *err, int code, const char *format, ...)
{
	va_list args;

	messages++;
	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return code;
}

/* A disk that fills takes a part first. */
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	if (failing && strcmp(failing, "write") == 0 && writes) {
		writes--;
		return __real_write(fd, data, size > 10 ? 10 : size);
	}
	return fails("write") ? -1 : __real_write(fd, data, size);
}

int __wrap_fsync(int fd)
{
	struct stat found;
	bool directory = fstat(fd, &found) == 0 && S_ISDIR(found.st_mode);

	return fails(directory ? "fsync of the directory" : "fsync") ? -1 : __real_fsync(fd);
}

int __wrap_renameat(int from, const char *name, int to, const char *renamed)
{
	return fails("rename") ? -1 : __real_renameat(from, name, to, renamed);
}

static long waited_ns;
static bool hurried; /* time is counted, and not taken */

int __wrap_nanosleep(const struct timespec *wait, struct timespec *rest)
{
	waited_ns += wait->tv_sec * 1000000000L + wait->tv_nsec;
	return hurried ? 0 : __real_nanosleep(wait, rest);
}

static unsigned int owners_given;

int __real_fchown(int fd, uid_t user, gid_t group);
int __wrap_fchown(int fd, uid_t user, gid_t group);

int __wrap_fchown(int fd, uid_t user, gid_t group)
{
	owners_given++;
	return fails("fchown") ? -1 : __real_fchown(fd, user, group);
}

/* ---- Somebody who puts other things there while the lock is waited for ---- */

static void (*intrude)(void);

int __wrap_flock(int fd, int operation)
{
	void (*now)(void) = intrude;

	intrude = NULL;
	if (now)
		now();
	return __real_flock(fd, operation);
}

/* ---- Saving ---- */

static int robot_setup(void **state)
{
	failing = NULL;
	intrude = NULL;
	waited_ns = 0;
	hurried = false;
	if (robot_files_setup(state) < 0)
		return -1;
	robot_file("Device.xml", robot);
	return 0;
}

static int robot_teardown(void **state)
{
	seeds_teardown();
	return robot_files_teardown(state);
}

static int save(const char *key, const char *value, struct naohw_error *err)
{
	return naohw_preferences_save(robot_directory(), &key, 1, value, err);
}

static void save_well(const char *key, const char *value)
{
	struct naohw_error err;

	if (save(key, value, &err) < 0)
		fail_msg("%s", err.message);
}

static int unset(const char *key, struct naohw_error *err)
{
	return naohw_preferences_unset(robot_directory(), &key, 1, err);
}

/* The layer is refused or not changed as @code and @says tell, and stays as it was. */
static void check_refused(const char *key, const char *value, int code, const char *says)
{
	struct naohw_error err;
	char *before = access(robot_path(LOCAL), F_OK) == 0 ? strdup(robot_text(LOCAL)) : NULL;

	assert_int_equal(value ? save(key, value, &err) : unset(key, &err), code);
	assert_says(&err, says);
	assert_int_equal(access(robot_path(LOCAL ".new"), F_OK), -1);
	if (before)
		assert_string_equal(robot_text(LOCAL), before);
	else
		assert_int_equal(access(robot_path(LOCAL), F_OK), -1);
	free(before);
}

/* Where it is in all, which the caller frees */
static size_t found(const char *key, struct naohw_preferences **preferences)
{
	struct naohw_error err;
	size_t index;

	if (naohw_preferences_load(robot_directory(), preferences, &err) < 0 ||
	    naohw_preferences_find(*preferences, key, &index, &err) < 0)
		fail_msg("%s", err.message);
	return index;
}

static void check(const char *key, const char *text, const char *file, long line)
{
	struct naohw_preferences *preferences;
	size_t index = found(key, &preferences);

	assert_string_equal(naohw_preferences_text(preferences, index), text);
	assert_string_equal(naohw_preferences_path(preferences, index), robot_path(file));
	if (line)
		assert_int_equal(naohw_preferences_line(preferences, index), line);
	naohw_preferences_free(preferences);
}

static void the_file_is_made(void **state)
{
	(void)state;
	save_well(ACTUATOR "Offset", "-0.02");
	check(ACTUATOR "Offset", "-0.02", LOCAL, 4);
	assert_string_equal(
		robot_text(LOCAL),
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<!-- What is this robot's own, laid over its Device.xml. "
		"\"naohw pref\" writes here. -->\n"
		"<ModulePreference xmlns=\"http://www.aldebaran-robotics.com/ns/ALPreference\" "
		"name=\"naohw@Device\">\n"
		"\t<Preference name=\"Offset\" memoryName=\"" ACTUATOR "Offset\" type=\"float\" "
		"value=\"-0.02\"/>\n" CLOSE);
}

static void directories_are_made(void **state)
{
	static const char *const keys[] = { ACTUATOR "Offset" };
	struct naohw_error err;

	(void)state;
	robot_file("walker.xml", robot);
	assert_int_equal(naohw_preferences_save(robot_path("walker.xml"), keys, 1, "1", &err), 0);
	assert_non_null(strstr(robot_text("walker/" LOCAL), "value=\"1\""));
	assert_int_equal(naohw_preferences_save(robot_path("none.xml"), keys, 1, "1", &err),
			 -ENOENT);
	assert_int_equal(access(robot_path("none"), F_OK), -1);
}

static void check_mode(const char *name, mode_t mode)
{
	struct stat found;

	assert_int_equal(stat(robot_path(name), &found), 0);
	assert_int_equal(found.st_mode & 07777, mode);
}

static void save_walker(void)
{
	static const char *const keys[] = { ACTUATOR "Offset" };
	struct naohw_error err;

	if (naohw_preferences_save(robot_path("etc/walker.xml"), keys, 1, "1", &err) < 0)
		fail_msg("%s", err.message);
}

/* What one user makes all can read, and what is there stays as it is. */
static void no_umask_hides_a_calibration(void **state)
{
	mode_t before = umask(0077);

	(void)state;
	robot_file("etc/walker.xml", robot);
	assert_int_equal(chmod(robot_path("etc"), 02770), 0);
	save_walker();
	check_mode("etc", 02770);
	check_mode("etc/walker", 02755);
	check_mode("etc/walker/" LOCAL, 0644);
	assert_int_equal(chmod(robot_path("etc/walker"), 0700), 0);
	assert_int_equal(chmod(robot_path("etc/walker/" LOCAL), 0600), 0);
	(void)umask(0);
	save_walker();
	check_mode("etc/walker", 0700);
	check_mode("etc/walker/" LOCAL, 0600);
	assert_int_equal(unlink(robot_path("etc/walker/" LOCAL)), 0);
	save_walker();
	check_mode("etc/walker/" LOCAL, 0644);
	(void)umask(before);
}

/* A service may not give files away, and does not try to: the unit of naohwd forbids fchown(). */
static void a_file_of_ours_stays_ours(void **state)
{
	(void)state;
	save_well(SENSOR "Offset", "1");
	owners_given = 0;
	save_well(SENSOR "Offset", "2");
	assert_int_equal(owners_given, 0);
}

static void a_file_of_others_stays_theirs(void **state)
{
	struct stat found;

	(void)state;
	save_well(SENSOR "Offset", "1");
	if (chown(robot_path(LOCAL), 12345, 54321) < 0)
		skip();
	save_well(SENSOR "Offset", "2");
	assert_int_equal(stat(robot_path(LOCAL), &found), 0);
	assert_int_equal(found.st_uid, 12345);
	assert_int_equal(found.st_gid, 54321);
}

static void a_file_of_another_name_has_no_layers(void **state)
{
	static const char *const keys[] = { ACTUATOR "Offset" };
	struct naohw_error err;

	(void)state;
	robot_file("walker", robot);
	assert_int_equal(naohw_preferences_save(robot_path("walker"), keys, 1, "1", &err),
			 -EINVAL);
	assert_says(&err, "walker: has no layers, expected a name that ends in .xml");
}

#define LAYER_HEAD \
	"<?xml version=\"1.0\"?>\n<!-- calibrated by hand -->\n" \
	"<!DOCTYPE ModulePreference [\n<!ENTITY free \"<!-- none -->\">\n]>\n" OPEN "\n"
#define LAYER_BODY(offset) \
	"  <Preference memoryName=\"" LIST "Head\" type=\"array\">&free;\n" \
	"\t<!-- to the left --><Preference name=\"Position\" type=\"array\">" \
	"<Preference name=\"Actuator\" type=\"array\">\n" \
	"\t\t" LEAF("Offset", "float", offset) " <!-- measured -->\n" \
	"\t</Preference></Preference>\n  </Preference>\n"

static void all_else_stays(void **state)
{
	(void)state;
	robot_file(LOCAL, LAYER_HEAD LAYER_BODY("0.1") CLOSE "<!-- end -->\n");
	save_well(ACTUATOR "Offset", "0.25");
	assert_string_equal(robot_text(LOCAL), LAYER_HEAD LAYER_BODY("0.25") CLOSE
			    "<!-- end -->\n");
	save_well(LIST "Head/Int", "7");
	assert_string_equal(robot_text(LOCAL),
			    LAYER_HEAD LAYER_BODY("0.25")
			    "\t<Preference name=\"Int\" memoryName=\"" LIST "Head/Int\" "
			    "type=\"int\" value=\"7\"/>\n" CLOSE "<!-- end -->\n");
	assert_int_equal(unset(LIST "Head/Int", NULL), 0);
	assert_string_equal(robot_text(LOCAL), LAYER_HEAD LAYER_BODY("0.25") CLOSE
			    "<!-- end -->\n");
}

static void the_one_that_holds_is_changed(void **state)
{
	(void)state;
	robot_file(LOCAL, FILE_OF(FLOAT("Head/Position/Actuator/Offset", "1")
				  FLOAT("Head/Position/Actuator/Offset", "2")));
	save_well(ACTUATOR "Offset", "3");
	check(ACTUATOR "Offset", "3", LOCAL, 3);
	assert_non_null(strstr(robot_text(LOCAL), "\"1\""));
	assert_int_equal(unset(ACTUATOR "Offset", NULL), 0);
	assert_string_equal(robot_text(LOCAL), OPEN CLOSE);
	check(ACTUATOR "Offset", "0", "Device.xml", 0);
}

#define ENTITY \
	"<!DOCTYPE ModulePreference [<!ENTITY e '<Preference memoryName=\"" ACTUATOR \
	"Offset\" type=\"float\" value=\"1\"/>'>]>\n"

static void entities_are_left_alone(void **state)
{
	(void)state;
	robot_file(LOCAL, ENTITY FILE_OF(FLOAT("Head/Position/Actuator/Offset", "2") "&e;"));
	save_well(ACTUATOR "Offset", "3");
	check(ACTUATOR "Offset", "3", LOCAL, 0);
	save_well(ACTUATOR "Offset", "4");
	check(ACTUATOR "Offset", "4", LOCAL, 0);
	assert_null(strstr(robot_text(LOCAL), "\"3\""));
	assert_non_null(strstr(robot_text(LOCAL), "&e;"));
	check_refused(ACTUATOR "Offset", NULL, -EINVAL, "comes out of an entity");
}

static void values_have_their_type(void **state)
{
	(void)state;
	check_refused(ACTUATOR "Offset", "0,5", -EINVAL,
		      ACTUATOR "Offset: value \"0,5\", expected a number");
	check_refused(ACTUATOR "Offset", "nan", -EINVAL, "expected a number");
	check_refused(ACTUATOR "Offset", "-inf", -EINVAL, "expected a number");
	check_refused(ACTUATOR "Offset", "1e999", -EINVAL, "expected a number");
	check_refused(ACTUATOR "Offset", "", -EINVAL, "expected a number");
	check_refused(LIST "Head/Int", "1.5", -EINVAL, "expected a whole number");
	check_refused(LIST "Head/Bool", "yes", -EINVAL, "expected true or false");
	check_refused(LIST "Head/Text", "a\001b", -EINVAL, "expected text in UTF-8");
	check_refused(LIST "Head/Text", "a\xff", -EINVAL, "expected text in UTF-8");
	check_refused(LIST "Head/Text", "\xef\xbf\xbf", -EINVAL, "");
	save_well(LIST "Head/Bool", "false");
	save_well(LIST "Head/Int", "-3");
	save_well(LIST "Head/Text", " <&>\"'\t\n\r]]> \xc3\xa4 ");
	check(LIST "Head/Bool", "false", LOCAL, 4);
	check(LIST "Head/Int", "-3", LOCAL, 5);
	check(LIST "Head/Text", " <&>\"'\t\n\r]]> \xc3\xa4 ", LOCAL, 6);
}

/* What the layer itself has made of the type plays no part. */
static void the_type_is_that_of_what_is_overwritten(void **state)
{
	(void)state;
	robot_file(LOCAL, FILE_OF("<Preference memoryName=\"" LIST "Head/Int\" type=\"string\" "
				  "value=\"x\"/>\n"
				  FLOAT("Head/Own", "1")));
	check_refused(LIST "Head/Int", "y", -EINVAL, "expected a whole number");
	save_well(LIST "Head/Int", "2");
	assert_non_null(strstr(robot_text(LOCAL), "type=\"int\" value=\"2\""));
	check_refused(LIST "Head/Own", "y", -EINVAL, "expected a number");
	save_well(LIST "Head/Own", "2.5");
	check(LIST "Head/Own", "2.5", LOCAL, 3);
}

static void unknown_keys_are_refused(void **state)
{
	(void)state;
	check_refused(LIST "Head/Position/Aktuator/offset", "1", -ENOENT,
		      LIST "Head/Position/Aktuator/offset: no such key, the nearest is " ACTUATOR
			   "Offset");
	check_refused("DEVICE/SUBDEVICELIST/HEAD/POSITION/ACTUATOR/OFFSET", "1", -ENOENT,
		      "the nearest is " ACTUATOR "Offset");
	check_refused("Device/Frob", "1", -ENOENT, "Device/Frob: no such key");
	check_refused(SENSOR "Value", "1", -ENOENT, "no such key");
	check_refused(LIST "Head/Position/Offset", "1", -ENOENT, "no such key");
	check_refused(ACTUATOR "Offset", NULL, -ENOENT, LOCAL ": has no " ACTUATOR "Offset");
	check_refused(ACTUATOR "Offsets", NULL, -ENOENT, "the nearest is " ACTUATOR "Offset");
}

/* Nobody would be told of the nearest one, and to look for it takes longer than all else. */
static void who_wants_no_message_has_no_search(void **state)
{
	struct naohw_preferences *preferences;
	struct naohw_error err;
	size_t index;

	(void)state;
	assert_int_equal(naohw_preferences_load(robot_directory(), &preferences, &err), 0);
	messages = 0;
	assert_int_equal(naohw_preferences_find(preferences, LIST "Head/Boot", &index, NULL),
			 -ENOENT);
	assert_int_equal(messages, 0);
	assert_int_equal(naohw_preferences_find(preferences, LIST "Head/Boot", &index, &err),
			 -ENOENT);
	assert_int_equal(messages, 1);
	naohw_preferences_free(preferences);
}

static void what_has_a_default_is_known(void **state)
{
	(void)state;
	save_well(SENSOR "Offset", "0.5");
	check(SENSOR "Offset", "0.5", LOCAL, 4);
	check_refused(SENSOR "Bit", "x", -EINVAL, "expected a whole number");
}

/* It is of the robot, and of no subdevice. */
static void the_buses_can_be_named(void **state)
{
	(void)state;
	save_well("Device/Buses", "dxl1 fe201200.serial");
	check("Device/Buses", "dxl1 fe201200.serial", LOCAL, 0);
	check_refused("Device/Busses", "dxl1", -ENOENT, "Device/Busses");
}

static void all_keys_or_none(void **state)
{
	static const char *const keys[] = { SENSOR "Offset", ACTUATOR "Offset", "Device/Frob" };
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_preferences_save(robot_directory(), keys, 3, "1", &err), -ENOENT);
	assert_int_equal(access(robot_path(LOCAL), F_OK), -1);
	assert_int_equal(naohw_preferences_save(robot_directory(), keys, 2, "1", &err), 0);
	check(SENSOR "Offset", "1", LOCAL, 4);
	check(ACTUATOR "Offset", "1", LOCAL, 5);
	assert_int_equal(naohw_preferences_unset(robot_directory(), keys, 3, &err), -ENOENT);
	check(SENSOR "Offset", "1", LOCAL, 4);
	assert_int_equal(naohw_preferences_unset(robot_directory(), keys, 2, &err), 0);
	check(ACTUATOR "Offset", "0", "Device.xml", 0);
}

static int save_in(enum naohw_layer layer, const char *key, const char *value,
		   struct naohw_error *err)
{
	return naohw_preferences_save_each(robot_directory(), layer, &key, &value, 1, err);
}

static void check_layer(const char *key, int layer)
{
	struct naohw_preferences *preferences;
	size_t index = found(key, &preferences);

	assert_int_equal(naohw_preferences_layer(preferences, index), layer);
	naohw_preferences_free(preferences);
}

static void each_layer_has_its_file(void **state)
{
	(void)state;
	assert_int_equal(save_in(NAOHW_LAYER_HEAD, SENSOR "Offset", "1", NULL), 0);
	check(SENSOR "Offset", "1", "Device_Head.xml", 0);
	check_layer(SENSOR "Offset", NAOHW_LAYER_HEAD);
	assert_int_equal(save_in(NAOHW_LAYER_BODY, SENSOR "Offset", "2", NULL), 0);
	check(SENSOR "Offset", "2", "Device_Body.xml", 0);
	check_layer(SENSOR "Offset", NAOHW_LAYER_BODY);
	assert_int_equal(save_in(NAOHW_LAYER_LOCAL, SENSOR "Offset", "3", NULL), 0);
	check(SENSOR "Offset", "3", LOCAL, 0);
	check_layer(SENSOR "Offset", NAOHW_LAYER_LOCAL);
	check_layer(SENSOR "Channel", -ENOENT);
	assert_int_equal(save_in(NAOHW_LAYER_LOCAL + 1, SENSOR "Offset", "4", NULL), -EINVAL);
}

/* What is over it is none of its business, as long as there is a robot. */
static void what_is_over_a_layer_goes_on_to_hold(void **state)
{
	struct naohw_error err;

	(void)state;
	save_well(SENSOR "Offset", "3");
	assert_int_equal(save_in(NAOHW_LAYER_BODY, SENSOR "Offset", "2", NULL), 0);
	check(SENSOR "Offset", "3", LOCAL, 0);
	assert_int_equal(save_in(NAOHW_LAYER_BODY, SENSOR "Offset", NULL, NULL), 0);
	assert_int_equal(save_in(NAOHW_LAYER_BODY, ACTUATOR "Offset", NULL, &err), -ENOENT);
	assert_says(&err, "Device_Body.xml: has no");
	check(SENSOR "Offset", "3", LOCAL, 0);
	save_well(ACTUATOR "Min", "0.5");
	assert_int_equal(save_in(NAOHW_LAYER_HEAD, ACTUATOR "Max", "0.25", &err), -EINVAL);
	assert_int_equal(save_in(NAOHW_LAYER_HEAD, ACTUATOR "Max", "0.75", &err), 0);
}

static void each_key_has_its_own_value(void **state)
{
	const char *const keys[] = { SENSOR "Offset", ACTUATOR "Offset", LIST "Head/Text" };
	const char *const some[] = { "1", NULL, "b" }, *const values[] = { "1", "2", "b" };

	(void)state;
	assert_int_equal(naohw_preferences_save_each(robot_directory(), NAOHW_LAYER_BODY, keys,
						     some, 3, NULL),
			 -ENOENT);
	assert_int_equal(access(robot_path("Device_Body.xml"), F_OK), -1);
	assert_int_equal(naohw_preferences_save_each(robot_directory(), NAOHW_LAYER_BODY, keys,
						     values, 3, NULL),
			 0);
	assert_int_equal(naohw_preferences_save_each(robot_directory(), NAOHW_LAYER_BODY, keys,
						     some, 3, NULL),
			 0);
	check(keys[0], "1", "Device_Body.xml", 0);
	check(keys[1], "0", "Device.xml", 0);
	check(keys[2], "b", "Device_Body.xml", 0);
}

static void no_robot_is_made_useless(void **state)
{
	(void)state;
	check_refused(SENSOR "Gain", "0", -EINVAL,
		      LOCAL ":4: " SENSOR "Gain: value \"0\", expected anything but 0");
	check_refused(ACTUATOR "Min", "2", -EINVAL, "expected no more than Max");
	check_refused(SENSOR "Channel", "out_angl0", -EINVAL, "for a sensor");
}

static void what_is_wrong_can_be_mended(void **state)
{
	struct naohw_error err;

	(void)state;
	robot_file(LOCAL, FILE_OF(FLOAT("Head/Position/Sensor/Gain", "0")
				  FLOAT("Head/Position/Actuator/Min", "3")));
	strcpy(err.message, "untouched");
	assert_int_equal(save(SENSOR "Gain", "1", &err), 0);
	assert_string_equal(err.message, "untouched");
	assert_int_equal(unset(ACTUATOR "Min", NULL), 0);
	check_refused(SENSOR "Gain", "0", -EINVAL, "expected anything but 0");
	robot_file(LOCAL, FILE_OF(FLOAT("Head/Position/Sensor/Gain", "x")));
	check_refused(SENSOR "Gain", "1", -EINVAL, LOCAL ":2: " SENSOR "Gain: value \"x\"");
}

/* [key-20] [dev-6] [act-14] [pos-10]: whether the description has them or not. */
static void what_is_not_to_be_changed_is_not_saved(void **state)
{
	static const char *const built[] = {
		SENSOR "Type", SENSOR "SubDeviceNumber", SENSOR "Device", LIST "Head/Device",
		"Device/DeviceList/Head/Type", "Device/DeviceList/Head/Bus",
		"Device/DeviceList/Head/Address",
	};
	static const char *const configured[] = {
		ACTUATOR "Kp", ACTUATOR "InvertControlDirection", ACTUATOR "MotorNumber",
		SENSOR "GearRatio", SENSOR "SensorType", SENSOR "positionChainMREMotor",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(built) / sizeof(built[0]); i++)
		check_refused(built[i], "1", -EACCES, "is what the robot is built of");
	for (size_t i = 0; i < sizeof(configured) / sizeof(configured[0]); i++)
		check_refused(configured[i], "1", -EACCES, "is a motor board's configuration");
	check_refused(SENSOR "jointZeroPosition", "2048", -EACCES, "\"naohw calibrate\"");
	check_refused("Device/DeviceList/Head/Nack", "0", -EACCES, "is what is told of the device");
}

/* Who has written it there by hand knows why, and can be told to forget it. */
static void what_is_not_saved_may_stand_in_a_layer(void **state)
{
	(void)state;
	robot_file(LOCAL, FILE_OF("<Preference memoryName=\"" SENSOR "Type\" type=\"string\" "
				  "value=\"x\"/>\n"));
	check(SENSOR "Type", "x", LOCAL, 2);
	check_refused(SENSOR "Type", "y", -EACCES, SENSOR "Type: is what the robot is built of");
	save_well(SENSOR "Offset", "2");
	assert_int_equal(unset(SENSOR "Type", NULL), 0);
}

/* A name alone does not make a key one of a sub-device or a device. */
static void what_is_called_alike_is_saved(void **state)
{
	(void)state;
	robot_file("Device_Head.xml",
		   FILE_OF("<Preference memoryName=\"RobotConfig/Body/Type\" type=\"string\" "
			   "value=\"\"/>\n"
			   "<Preference memoryName=\"Device/DeviceList/Head/Max\" type=\"int\" "
			   "value=\"1\"/>\n"));
	save_well("RobotConfig/Body/Type", "NAO");
	save_well("Device/DeviceList/Head/Max", "2");
	save_well(ACTUATOR "Max", "0.5");
	save_well(ACTUATOR "Min", "-0.5");
}

static void the_file_behind_a_link_is_replaced(void **state)
{
	struct stat found;

	(void)state;
	robot_file("kept/calibration.xml", FILE_OF(FLOAT("Head/Position/Sensor/Offset", "1")));
	assert_int_equal(chmod(robot_path("kept/calibration.xml"), 0640), 0);
	if (geteuid() == 0)
		assert_int_equal(chown(robot_path("kept/calibration.xml"), 1234, 5678), 0);
	assert_int_equal(symlink("kept/calibration.xml", robot_path(LOCAL)), 0);
	save_well(SENSOR "Offset", "2");
	assert_int_equal(lstat(robot_path(LOCAL), &found), 0);
	assert_true(S_ISLNK(found.st_mode));
	assert_non_null(strstr(robot_text("kept/calibration.xml"), "\"2\""));
	assert_int_equal(lstat(robot_path("kept/calibration.xml"), &found), 0);
	assert_int_equal(found.st_mode, S_IFREG | 0640);
	if (geteuid() == 0) {
		assert_int_equal(found.st_uid, 1234);
		assert_int_equal(found.st_gid, 5678);
	}
	assert_int_equal(access(robot_path(LOCAL ".new"), F_OK), -1);
	assert_int_equal(access(robot_path("kept/calibration.xml.new"), F_OK), -1);
}

#define OFFSET(value) FILE_OF(FLOAT("Head/Position/Sensor/Offset", value))

static void put(const char *from, const char *to)
{
	assert_int_equal(rename(robot_path(from), robot_path(to)), 0);
}

static void turn_link(void)
{
	assert_int_equal(symlink("b.xml", robot_path("link")), 0);
	put("link", LOCAL);
}

static void check_changed(void)
{
	struct naohw_error err;

	assert_int_equal(save(SENSOR "Offset", "2", &err), -EAGAIN);
	assert_says(&err, LOCAL ": another file is there now");
	assert_string_equal(robot_text("a.xml"), OFFSET("0.5"));
	assert_string_equal(robot_text("b.xml"), OFFSET("1"));
	assert_int_equal(access(robot_path("a.xml.new"), F_OK), -1);
	assert_int_equal(access(robot_path(LOCAL ".new"), F_OK), -1);
}

/* Else what is in the one would be written to the other. */
static void a_link_that_turns_is_noticed(void **state)
{
	(void)state;
	robot_file("a.xml", OFFSET("0.5"));
	robot_file("b.xml", OFFSET("1"));
	assert_int_equal(symlink("a.xml", robot_path(LOCAL)), 0);
	intrude = turn_link;
	check_changed();
	assert_int_equal(unlink(robot_path(LOCAL)), 0);
	robot_file(LOCAL, OFFSET("0"));
	intrude = turn_link;
	check_changed();
	assert_int_equal(unlink(robot_path(LOCAL)), 0);
	intrude = turn_link;
	check_changed();
}

static void turn_link_to_nowhere(void)
{
	assert_int_equal(symlink("nowhere.xml", robot_path(LOCAL)), 0);
}

static void a_link_to_nowhere_is_noticed(void **state)
{
	struct naohw_error err;

	(void)state;
	intrude = turn_link_to_nowhere;
	assert_int_equal(save(SENSOR "Offset", "2", &err), -EAGAIN);
	assert_int_equal(access(robot_path("nowhere.xml"), F_OK), -1);
}

static void put_fifo(void)
{
	assert_int_equal(unlink(robot_path(LOCAL)), 0);
	assert_int_equal(mkfifo(robot_path(LOCAL), 0644), 0);
}

static void only_a_file_is_replaced(void **state)
{
	struct naohw_error err;
	struct stat found;

	(void)state;
	robot_file(LOCAL, OFFSET("1"));
	intrude = put_fifo;
	(void)alarm(5);
	assert_int_equal(save(SENSOR "Offset", "2", &err), -EINVAL);
	(void)alarm(0);
	assert_says(&err, LOCAL ": not a regular file");
	assert_int_equal(lstat(robot_path(LOCAL), &found), 0);
	assert_true(S_ISFIFO(found.st_mode));
}

static void put_file(void)
{
	put("a.xml", LOCAL);
}

/* As another who saves does: that is what the lock is for. */
static void what_is_there_under_the_lock_is_changed(void **state)
{
	struct stat found;

	(void)state;
	for (unsigned int there = 0; there < 2; there++) {
		robot_file("a.xml", FILE_OF(FLOAT("Head/Own", "7")));
		assert_int_equal(chmod(robot_path("a.xml"), 0640), 0);
		intrude = put_file;
		save_well(SENSOR "Offset", "2");
		check(LIST "Head/Own", "7", LOCAL, 2);
		check(SENSOR "Offset", "2", LOCAL, 3);
		assert_int_equal(stat(robot_path(LOCAL), &found), 0);
		assert_int_equal(found.st_mode, S_IFREG | 0640);
	}
}

static int save_offset(void)
{
	return -save(SENSOR "Offset", "2", NULL);
}

static void a_read_only_file_is_not_replaced(void **state)
{
	(void)state;
	robot_file(LOCAL, FILE_OF(FLOAT("Head/Position/Sensor/Offset", "1")));
	assert_int_equal(chmod(robot_path(LOCAL), 0444), 0);
	assert_int_equal(robot_as_nobody(save_offset), EACCES);
	assert_int_equal(chmod(robot_path(LOCAL), 0666), 0);
	check(SENSOR "Offset", "1", LOCAL, 2);
}

/* Whatever is left behind there, it is neither followed nor in the way. */
static void what_is_left_of_another_is_passed_over(void **state)
{
	(void)state;
	robot_file("precious", "as it was");
	assert_int_equal(symlink("precious", robot_path(LOCAL ".new")), 0);
	save_well(SENSOR "Offset", "2");
	assert_string_equal(robot_text("precious"), "as it was");
	assert_int_equal(access(robot_path(LOCAL ".new"), F_OK), -1);
}

static void check_fault(const char *call, int code, const char *says)
{
	failing = call;
	failure = code;
	writes = 3;
	check_refused(SENSOR "Offset", "2", -code, says);
	failing = NULL;
}

static void a_disk_that_fails_loses_nothing(void **state)
{
	(void)state;
	check_fault("write", ENOSPC, LOCAL ": No space left on device");
	robot_file(LOCAL, FILE_OF(FLOAT("Head/Position/Sensor/Offset", "1")));
	check_fault("write", ENOSPC, LOCAL ": No space left on device");
	check_fault("fsync", EIO, LOCAL ": ");
	check_fault("rename", EROFS, LOCAL ": Read-only file system");
	/* that one may not have reached the disk is told, but all of it is there */
	failing = "fsync of the directory";
	failure = EIO;
	assert_int_equal(save(SENSOR "Offset", "2", NULL), -EIO);
	failure = EINVAL;
	assert_int_equal(save(SENSOR "Offset", "3", NULL), 0);
	check(SENSOR "Offset", "3", LOCAL, 2);
}

#define SAVERS 6
#define SAVES  15

/* On a busy machine one's turn may not come in the 5 s that it is waited for. */
static int save_in_turn(const char *key, const char *value)
{
	int ret, tries = 20;

	do
		ret = save(key, value, NULL);
	while (ret == -EBUSY && --tries);
	return ret;
}

static int save_many(int saver)
{
	for (int i = 0; i < SAVES; i++) {
		char key[64], value[16];

		snprintf(key, sizeof(key), LIST "N%d/I%d", saver, i);
		snprintf(value, sizeof(value), "%d", saver * 100 + i);
		if (save_in_turn(key, value) < 0)
			return 1;
	}
	return 0;
}

static void write_keys(void)
{
	FILE *file = fopen(robot_path("Device_Head.xml"), "w");

	assert_non_null(file);
	fputs(OPEN, file);
	for (int i = 0; i < SAVERS * SAVES; i++)
		fprintf(file,
			"<Preference memoryName='" LIST "N%d/I%d' type='int' value='-1'/>\n",
			i / SAVES, i % SAVES);
	fputs(CLOSE, file);
	assert_int_equal(fclose(file), 0);
}

static void what_several_save_survives(void **state)
{
	pid_t child[SAVERS];
	int status;

	(void)state;
	write_keys();
	for (int i = 0; i < SAVERS; i++) {
		child[i] = fork();
		if (child[i] == 0)
			_exit(save_many(i));
	}
	for (int i = 0; i < SAVERS; i++) {
		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_int_equal(status, 0);
	}
	for (int i = 0; i < SAVERS * SAVES; i++) {
		char key[64], value[16];

		snprintf(key, sizeof(key), LIST "N%d/I%d", i / SAVES, i % SAVES);
		snprintf(value, sizeof(value), "%d", i / SAVES * 100 + i % SAVES);
		check(key, value, LOCAL, 0);
	}
}

static void nobody_waits_for_ever(void **state)
{
	int fd = open(robot_directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_int_equal(flock(fd, LOCK_EX), 0);
	hurried = true;
	check_refused(SENSOR "Offset", "2", -EBUSY, LOCAL ": another program is writing it");
	assert_int_equal(waited_ns, 5000000000L);
	close(fd);
	save_well(SENSOR "Offset", "2");
}

static void preferences_are_listed(void **state)
{
	struct naohw_preferences *preferences;
	struct naohw_error err;
	size_t index = 7;

	(void)state;
	save_well(SENSOR "Offset", "2");
	assert_int_equal(naohw_preferences_load(robot_directory(), &preferences, &err), 0);
	assert_int_equal(naohw_preferences_count(preferences), 10);
	for (size_t i = 1; i < 10; i++)
		assert_true(strcmp(naohw_preferences_key(preferences, i - 1),
				   naohw_preferences_key(preferences, i)) < 0);
	assert_int_equal(naohw_preferences_find(preferences, LIST "Head/Boot", &index, &err),
			 -ENOENT);
	assert_says(&err, "the nearest is " LIST "Head/Bool");
	assert_int_equal(index, 7);
	assert_int_equal(naohw_preferences_find(preferences, LIST "Head/Bool", &index, &err), 0);
	assert_string_equal(naohw_preferences_key(preferences, index), LIST "Head/Bool");
	assert_int_equal(naohw_preferences_type(preferences, index), NAOHW_KEY_BOOL);
	assert_string_equal(naohw_preferences_text(preferences, index), "true");
	assert_near(naohw_preferences_number(preferences, index), 1, 0);
	naohw_preferences_free(preferences);
	naohw_preferences_free(NULL);
}

static void past_the_end_is_nothing(void **state)
{
	static const size_t past[] = { 9, SIZE_MAX };
	struct naohw_preferences *preferences;
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_preferences_load(robot_directory(), &preferences, &err), 0);
	assert_int_equal(naohw_preferences_count(preferences), past[0]);
	for (size_t i = 0; i < 2; i++) {
		assert_null(naohw_preferences_key(preferences, past[i]));
		assert_int_equal(naohw_preferences_type(preferences, past[i]), NAOHW_KEY_STRING);
		assert_null(naohw_preferences_text(preferences, past[i]));
		assert_near(naohw_preferences_number(preferences, past[i]), 0, 0);
		assert_null(naohw_preferences_path(preferences, past[i]));
		assert_int_equal(naohw_preferences_layer(preferences, past[i]), -ENOENT);
		assert_int_equal(naohw_preferences_line(preferences, past[i]), 0);
	}
	naohw_preferences_free(preferences);
}

/* ---- What is saved is what is loaded, and nothing else changes ---- */

#define SEEDS  15
#define ROUNDS 10

struct slot {
	const char *key;
	enum naohw_key_type type;
	char text[32];
	char first[32];
};

static void make_value(struct slot *slot)
{
	static const char *const pieces[] = { "<", "&", "\"", "'", "\n", "\t", "\r", " ", "x",
					      "\xc3\xbc", "]]>", "&amp;", "-->" };
	double number;

	*slot->text = '\0';
	switch (slot->type) {
	case NAOHW_KEY_FLOAT:
		number = ((double)chance(1u << 31) / (1u << 30) - 1) * 0.99;
		/* That is of the same sign as the other one. */
		if (strcmp(slot->key, SENSOR "Gain") == 0)
			number = fabs(number);
		snprintf(slot->text, sizeof(slot->text), "%.17g", number);
		break;
	case NAOHW_KEY_INT:
		snprintf(slot->text, sizeof(slot->text), "%d", (int)chance(1u << 31) - (1 << 30));
		break;
	case NAOHW_KEY_BOOL:
		strcpy(slot->text, chance(2) ? "true" : "0");
		break;
	case NAOHW_KEY_STRING:
		for (unsigned int i = chance(6); i; i--)
			strcat(slot->text, pieces[chance(sizeof(pieces) / sizeof(pieces[0]))]);
		break;
	}
}

static void check_slots(const struct slot *slot, size_t count)
{
	struct naohw_preferences *preferences;
	struct naohw_error err;
	size_t index;

	if (naohw_preferences_load(robot_directory(), &preferences, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(naohw_preferences_count(preferences), 9);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(naohw_preferences_find(preferences, slot[i].key, &index, &err),
				 0);
		assert_string_equal(naohw_preferences_text(preferences, index), slot[i].text);
		assert_int_equal(naohw_preferences_type(preferences, index), slot[i].type);
	}
	naohw_preferences_free(preferences);
}

static void any_changes(void)
{
	struct slot slot[] = {
		{ ACTUATOR "Offset", NAOHW_KEY_FLOAT, "0", "0" },
		{ SENSOR "Gain", NAOHW_KEY_FLOAT, "1", "1" },
		{ LIST "Head/Int", NAOHW_KEY_INT, "1", "1" },
		{ LIST "Head/Text", NAOHW_KEY_STRING, "a", "a" },
		{ LIST "Head/Bool", NAOHW_KEY_BOOL, "true", "true" },
	};
	const size_t count = sizeof(slot) / sizeof(slot[0]);

	robot_file(LOCAL, LAYER_HEAD LAYER_BODY("0") CLOSE);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		struct slot *one = &slot[chance(count)];

		if (chance(4) == 0 && unset(one->key, NULL) == 0) {
			strcpy(one->text, one->first);
		} else {
			make_value(one);
			save_well(one->key, one->text);
		}
		check_slots(slot, count);
		assert_non_null(strstr(robot_text(LOCAL), "<!-- measured -->"));
	}
}

static void what_is_saved_is_loaded(void **state)
{
	(void)state;
	each_seed(SEEDS, any_changes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_file_is_made),
		TEST(directories_are_made),
		TEST(no_umask_hides_a_calibration),
		TEST(a_file_of_ours_stays_ours),
		TEST(a_file_of_others_stays_theirs),
		TEST(a_file_of_another_name_has_no_layers),
		TEST(all_else_stays),
		TEST(the_one_that_holds_is_changed),
		TEST(entities_are_left_alone),
		TEST(values_have_their_type),
		TEST(the_type_is_that_of_what_is_overwritten),
		TEST(unknown_keys_are_refused),
		TEST(who_wants_no_message_has_no_search),
		TEST(what_has_a_default_is_known),
		TEST(the_buses_can_be_named),
		TEST(all_keys_or_none),
		TEST(each_layer_has_its_file),
		TEST(what_is_over_a_layer_goes_on_to_hold),
		TEST(each_key_has_its_own_value),
		TEST(no_robot_is_made_useless),
		TEST(what_is_wrong_can_be_mended),
		TEST(what_is_not_to_be_changed_is_not_saved),
		TEST(what_is_not_saved_may_stand_in_a_layer),
		TEST(what_is_called_alike_is_saved),
		TEST(the_file_behind_a_link_is_replaced),
		TEST(a_link_that_turns_is_noticed),
		TEST(a_link_to_nowhere_is_noticed),
		TEST(only_a_file_is_replaced),
		TEST(what_is_there_under_the_lock_is_changed),
		TEST(a_read_only_file_is_not_replaced),
		TEST(what_is_left_of_another_is_passed_over),
		TEST(a_disk_that_fails_loses_nothing),
		TEST(what_several_save_survives),
		TEST(nobody_waits_for_ever),
		TEST(preferences_are_listed),
		TEST(past_the_end_is_nothing),
		TEST(what_is_saved_is_loaded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
