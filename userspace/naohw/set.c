// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <string.h>

#include "cli.h"
#include "digits.h"
#include "ends.h"
#include "failures.h"
#include "frames.h"
#include "keys.h"
#include "monotonic.h"
#include "numbers.h"
#include "travel.h"

#define ACTUATOR    "/Actuator/Value"
#define POSITION    "/Position" ACTUATOR
#define SPEED	    "/Speed" ACTUATOR
#define TONE	    "/Buzzer/Frequency" ACTUATOR
#define DEGREES	    "deg"
/* So much of its range beyond Min or Max, a position is brought to that, and is refused beyond. */
#define BEYOND	    0.05
#define NUMBER_SIZE 32
#define NAME_SIZE   256
/* By then a naohwd has begun a tone. */
#define BEGIN_MS    1000
/* No tone lasts longer. */
#define TONE_MS	    61000
/* Between two looks at a tone */
#define LOOK_MS	    10

/* A user who has written too much would wonder where the joint goes. @given: what @text has been. */
static void tell_bounded(const struct naohw_key *key, const char *text, const char *given)
{
	double value, bounded;
	char shown[NUMBER_SIZE];

	if (!parse_double(text, -HUGE_VAL, HUGE_VAL, &value))
		return;
	bounded = naohw_key_bounded(key, value);
	if (bounded == value)
		return;
	(void)number_write(shown, sizeof(shown), bounded);
	complain("warning: %s: %s is %s, so it is set to %s", naohw_key_name(key), given,
		 value > bounded ? "more than Max" : "less than Min", shown);
}

/* A naohwd that has the robot moves it; what else can be set is so as without one. */
static int write_key(struct naohw_dcm *dcm, struct naohw_key *key, const char *text,
		     struct naohw_error *err)
{
	struct naohw_command command = { .time = NAOHW_TIME_NONE };

	if (dcm && text_ends_with(naohw_key_name(key), ACTUATOR) &&
	    parse_double(text, -HUGE_VAL, HUGE_VAL, &command.value))
		return naohw_dcm_set(dcm, naohw_key_name(key), NAOHW_UPDATE_CLEAR_ALL, &command, 1,
				     err);
	return naohw_key_write_string(key, text, err);
}

static bool is_position(const struct naohw_key *key)
{
	return text_ends_with(naohw_key_name(key), POSITION);
}

/* "30deg" in rad, in @room; all else as it is. */
static const char *in_rad(const struct naohw_key *key, const char *text, char *room)
{
	size_t length = strlen(text);
	double degrees;

	if (!is_position(key) || !text_ends_with(text, DEGREES) || length >= NUMBER_SIZE)
		return text;
	memcpy(room, text, length + 1);
	room[length - strlen(DEGREES)] = '\0';
	if (!parse_double(room, -HUGE_VAL, HUGE_VAL, &degrees))
		return text;
	(void)number_write(room, NUMBER_SIZE, degrees * M_PI / 180);
	return room;
}

/* What turns without an end is to be watched. */
static int check_wheel(const struct naohw_key *key, const char *text)
{
	double value;

	if (!text_ends_with(naohw_key_name(key), SPEED) ||
	    !parse_double(text, -HUGE_VAL, HUGE_VAL, &value) || value == 0)
		return STATUS_OK;
	return complain("%s: %s is not set: the wheel would turn on with nobody to stop it; "
			"\"naohw send\" turns it as long as that runs", naohw_key_name(key), text);
}

/* At its stop a servo that is driven on pulls with all it has. @given: what @text has been. */
static int check_position(const struct naohw_key *key, const char *text, const char *given)
{
	double min = naohw_key_bounded(key, -HUGE_VAL), max = naohw_key_bounded(key, HUGE_VAL);
	double value;

	if (!is_position(key) || !parse_double(text, -HUGE_VAL, HUGE_VAL, &value) ||
	    !(fabs(value - naohw_key_bounded(key, value)) > BEYOND * (max - min)))
		return STATUS_OK;
	return complain("%s: %s is not set: it is far outside of %.4g to %.4g rad%s",
			naohw_key_name(key), given, min, max,
			text == given ? "; degrees are written as 30" DEGREES : "");
}

/* What is set, and how */
struct setting {
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;	/* NULL: the robot is set by itself */
	struct travel *travel;	/* NULL: at once */
	struct failures failures;
};

static int give(struct setting *setting, struct naohw_key *key, const char *text)
{
	struct naohw_error err;
	double value;

	if (setting->travel && parse_double(text, -HUGE_VAL, HUGE_VAL, &value))
		return travel_add(setting->travel, key, value);
	if (write_key(setting->dcm, key, text, &err) == 0)
		return STATUS_OK;
	failures_take(&setting->failures, err.message);
	return STATUS_FAILED;
}

static int set_key(struct setting *setting, struct naohw_key *key, const char *value)
{
	char room[NUMBER_SIZE];
	const char *text = in_rad(key, value, room);
	int status = check_position(key, text, value);

	if (status == STATUS_OK)
		status = check_wheel(key, text);
	if (status == STATUS_OK)
		status = give(setting, key, text);
	if (status == STATUS_OK)
		tell_bounded(key, text, value);
	return status;
}

/* ---- joints that do not go where they were sent ---- */

static int complain_still(const struct naohw_key *key, const struct naohw_reason *reason)
{
	return complain("%s%s: the joint does not move: %s%s%s", reason->is_fault ? "" : "warning: ",
			naohw_key_name(key), reason->what, reason->remedy ? "; " : "",
			reason->remedy ? reason->remedy : "");
}

/* That of a position, by its label; false: it is none. */
static bool find_joint(const struct naohw_robot *robot, const struct naohw_key *key, size_t *joint)
{
	char name[NAME_SIZE], label[NAME_SIZE];
	struct naohw_key *of;

	if (!is_position(key))
		return false;
	snprintf(name, sizeof(name), "%.*sLabel",
		 (int)(strlen(naohw_key_name(key)) - strlen("Value")), naohw_key_name(key));
	return naohw_robot_find_key(robot, name, &of) == 0 &&
	       naohw_key_read_string(of, label, sizeof(label), NULL) == 0 &&
	       naohw_robot_find_joint(robot, label, joint) == 0;
}

/* What passes by itself is not worth a word. */
static int check_moves(const struct setting *setting, const struct keys *keys)
{
	int status = STATUS_OK;
	bool is_told = !setting->dcm;
	size_t joint;

	for (size_t i = 0; i < keys->count; i++) {
		const struct naohw_reason *reason;

		if (!find_joint(setting->robot, keys->at[i].key, &joint))
			continue;
		/* It may have got its torque with this. Cycles that do not come are told elsewhere. */
		if (!is_told)
			(void)await_dcm(setting->dcm, NULL);
		is_told = true;
		reason = naohw_joint_reason(setting->robot, setting->dcm, joint);
		if (!reason->remedy)
			continue;
		complain_still(keys->at[i].key, reason);
		if (reason->is_fault)
			status = STATUS_FAILED;
	}
	return status;
}

/* ---- tones ---- */

static bool sounds(const struct naohw_dcm *dcm, struct naohw_key *key)
{
	const struct naohw_store *store = dcm ? naohw_dcm_store(dcm) : NULL;
	struct naohw_value found;
	double hz;
	size_t slot;

	if (!store)
		return naohw_key_read(key, &hz, NULL) == 0 && hz > 0;
	return naohw_store_check(store, BEGIN_MS) == 0 &&
	       naohw_store_find(store, naohw_key_name(key), &slot) == 0 &&
	       naohw_store_read(store, slot, &found) == 0 && found.number > 0;
}

static void wait_while(bool it_sounds, int ms, const struct naohw_dcm *dcm, struct naohw_key *key)
{
	for (; ms > 0 && sounds(dcm, key) == it_sounds; ms -= LOOK_MS)
		monotonic_sleep_ms(LOOK_MS);
}

/* A tone ends with its program, which so stays as long. */
static void wait_for_tone(const struct naohw_dcm *dcm, struct naohw_key *key, const char *text)
{
	double hz;

	if (!text_ends_with(naohw_key_name(key), TONE) ||
	    !parse_double(text, -HUGE_VAL, HUGE_VAL, &hz) || hz <= 0)
		return;
	if (dcm)
		wait_while(false, BEGIN_MS, dcm, key);
	wait_while(true, TONE_MS, dcm, key);
}

/* Arguments are keys and values in turn. */
static bool find_all(struct keys *keys, const struct naohw_robot *robot, const struct line *line)
{
	const struct match match = { .to_be_set = true };

	for (size_t i = 0; i < line->operand_count; i += 2)
		if (!keys_add(keys, robot, line->operand, i, &match))
			return false;
	return true;
}

/* One that is refused does not keep the others from being set. */
static int set_all(struct setting *setting, const struct keys *keys, char *const *arguments)
{
	struct naohw_dcm *dcm = setting->dcm;
	int status = STATUS_OK;
	struct naohw_error err;

	for (size_t i = 0; i < keys->count; i++)
		if (set_key(setting, keys->at[i].key, arguments[keys->at[i].argument + 1]) !=
		    STATUS_OK)
			status = STATUS_FAILED;
	failures_tell(&setting->failures);
	if (dcm && naohw_dcm_flush(dcm, &err) < 0)
		return complain("%s", err.message);
	if (status == STATUS_OK)
		status = check_moves(setting, keys);
	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < keys->count; i++)
		wait_for_tone(dcm, keys->at[i].key, arguments[keys->at[i].argument + 1]);
	return status;
}

/* Before any is set */
static int check_positions(const struct keys *keys)
{
	for (size_t i = 0; i < keys->count; i++)
		if (!is_position(keys->at[i].key))
			return complain("%s: nothing is set: --in is for .../Position/Actuator",
					naohw_key_name(keys->at[i].key));
	return STATUS_OK;
}

static int set_in(struct setting *setting, struct travel *travel, const struct keys *keys,
		  char *const *arguments)
{
	int status = check_positions(keys), end;

	setting->travel = travel;
	if (status == STATUS_OK)
		status = travel_begin(travel);
	if (status == STATUS_OK) {
		status = set_all(setting, keys, arguments);
		end = travel_wait(travel);
		status = end == STATUS_OK ? status : end;
	}
	travel_free(travel);
	return status;
}

static int run(struct naohw_robot *robot, const struct line *line, double seconds)
{
	struct travel travel = { .robot = robot, .seconds = seconds };
	struct setting setting = { .robot = robot };
	struct keys keys = { 0 };
	struct naohw_dcm *dcm;
	struct naohw_error err;
	int status = STATUS_FAILED, ret;

	/* Where one is to have it and is not there, a joint can still be let go, and a light lit. */
	ret = try_naohwd(robot, &dcm, &err);
	if (ret < 0 && ret != -EAGAIN)
		return complain("%s", err.message);
	/* What a person at a shell has switched on stays on. */
	naohw_robot_set_unwatched(robot);
	travel.dcm = setting.dcm = dcm;
	if (find_all(&keys, robot, line))
		status = seconds > 0 ? set_in(&setting, &travel, &keys, line->operand) :
				       set_all(&setting, &keys, line->operand);
	keys_free(&keys);
	naohw_dcm_close(dcm);
	return status;
}

int cmd_set(const struct cli *cli)
{
	const char *in = cli->line.option[OPTION_IN];
	struct naohw_robot *robot;
	double seconds = 0;
	int status;

	if (cli->line.operand_count == 0 || cli->line.operand_count % 2)
		return complain_usage("expected KEY and VALUE, or several of both");
	if (in && !travel_parse(in, &seconds))
		return STATUS_USAGE;
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	status = run(robot, &cli->line, seconds);
	naohw_robot_close(robot);
	return status;
}
