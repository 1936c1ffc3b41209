// SPDX-License-Identifier: GPL-2.0-or-later
#include "sensors.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "key_forms.h"

/*
 * A battery's Status, which of ours has other bits by its maker. The first two are those of a NAO
 * v6, as numbers of 16 bits: bit 7 says charging, bit 5 discharging, bit 15 that the robot has its
 * supply. Programs look at bit 7, or take a battery without bit 5 for charging. Without a battery,
 * or while its current is not known, only bit 5 is there.
 */
#define STATUS_CHARGING	   (-32628.0f)
#define STATUS_DISCHARGING (-32724.0f)
#define STATUS_NONE	   32.0f

/* Of a version that nobody knows; see put_version() */
#define VERSION_NONE "0.0.0"

/* Where the touch sensors of hands stand, which no message has. */
#define HANDS 6

static const struct {
	size_t at;
	const char *key;
} hands[HANDS] = {
	{ 6, KEY_PREFIX "LHand/Touch/Back/Sensor" KEY_SUFFIX },
	{ 7, KEY_PREFIX "LHand/Touch/Left/Sensor" KEY_SUFFIX },
	{ 8, KEY_PREFIX "LHand/Touch/Right/Sensor" KEY_SUFFIX },
	{ 11, KEY_PREFIX "RHand/Touch/Back/Sensor" KEY_SUFFIX },
	{ 12, KEY_PREFIX "RHand/Touch/Left/Sensor" KEY_SUFFIX },
	{ 13, KEY_PREFIX "RHand/Touch/Right/Sensor" KEY_SUFFIX },
};

/* Of a slot that a store does not have */
#define NO_SLOT SIZE_MAX

struct lola_senses {
	struct naohw_snapshot *snapshot;
	struct naohw_messages *messages;
	size_t hand[HANDS];
};

static void find_hands(struct lola_senses *senses, const struct naohw_store *store)
{
	for (size_t i = 0; i < HANDS; i++)
		if (naohw_store_find(store, hands[i].key, &senses->hand[i]) < 0)
			senses->hand[i] = NO_SLOT;
}

int lola_senses_new(const struct naohw_store *store, struct lola_senses **out,
		    struct naohw_error *err)
{
	struct lola_senses *senses = calloc(1, sizeof(*senses));
	int ret;

	if (!senses)
		return trouble(err, -ENOMEM, "out of memory");
	ret = naohw_snapshot_new(store, &senses->snapshot, err);
	if (ret == 0)
		ret = naohw_messages_new(store, &senses->messages, err);
	if (ret < 0) {
		lola_senses_free(senses);
		return ret;
	}
	find_hands(senses, store);
	*out = senses;
	return 0;
}

void lola_senses_free(struct lola_senses *senses)
{
	if (!senses)
		return;
	naohw_messages_free(senses->messages);
	naohw_snapshot_free(senses->snapshot);
	free(senses);
}

/* ---- messages ---- */

static float known(float number)
{
	return isfinite(number) ? number : 0;
}

static void copy_joints(float to[LOLA_JOINTS], const float from[LOLA_JOINTS])
{
	for (size_t i = 0; i < LOLA_JOINTS; i++)
		to[i] = known(from[i]);
}

static void put_joints(struct lola_sensors *sensors, const struct naohw_messages *messages)
{
	const int32_t *status = naohw_messages_joint_statuses(messages)->statuses;

	copy_joints(sensors->position, naohw_messages_joint_positions(messages)->positions);
	copy_joints(sensors->stiffness, naohw_messages_joint_stiffnesses(messages)->stiffnesses);
	copy_joints(sensors->temperature,
		    naohw_messages_joint_temperatures(messages)->temperatures);
	copy_joints(sensors->current, naohw_messages_joint_currents(messages)->currents);
	for (size_t i = 0; i < LOLA_JOINTS; i++)
		sensors->status[i] = status[i] == NAOHW_STATUS_UNKNOWN ? 0 : (uint8_t)status[i];
}

/* Messages have what keeps the robot from falling, and LoLA has where it would fall. */
static void put_inertial(struct lola_sensors *sensors, const struct naohw_messages *messages)
{
	const struct naohw_accelerometer *accelerometer = naohw_messages_accelerometer(messages);
	const struct naohw_gyroscope *gyroscope = naohw_messages_gyroscope(messages);
	const struct naohw_angle *angle = naohw_messages_angle(messages);

	sensors->accelerometer[0] = known(-accelerometer->x);
	sensors->accelerometer[1] = known(-accelerometer->y);
	sensors->accelerometer[2] = known(-accelerometer->z);
	sensors->gyroscope[0] = known(gyroscope->x);
	sensors->gyroscope[1] = known(gyroscope->y);
	sensors->gyroscope[2] = known(gyroscope->z);
	sensors->angles[0] = known(angle->x);
	sensors->angles[1] = known(angle->y);
}

static void put_battery(struct lola_sensors *sensors, const struct naohw_messages *messages)
{
	const struct naohw_battery *battery = naohw_messages_battery(messages);

	sensors->battery[0] = known(battery->charge) / 100;
	sensors->battery[2] = known(battery->current);
	sensors->battery[3] = known(battery->temperature);
	if (!isfinite(battery->current))
		sensors->battery[1] = STATUS_NONE;
	else
		sensors->battery[1] = battery->charging ? STATUS_CHARGING : STATUS_DISCHARGING;
}

static void put_feet(struct lola_sensors *sensors, const struct naohw_messages *messages)
{
	const struct naohw_fsr *fsr = naohw_messages_fsr(messages);

	sensors->fsr[0] = known(fsr->l_foot_front_left);
	sensors->fsr[1] = known(fsr->l_foot_front_right);
	sensors->fsr[2] = known(fsr->l_foot_back_left);
	sensors->fsr[3] = known(fsr->l_foot_back_right);
	sensors->fsr[4] = known(fsr->r_foot_front_left);
	sensors->fsr[5] = known(fsr->r_foot_front_right);
	sensors->fsr[6] = known(fsr->r_foot_back_left);
	sensors->fsr[7] = known(fsr->r_foot_back_right);
}

static void put_sonar(struct lola_sensors *sensors, const struct naohw_messages *messages)
{
	const struct naohw_sonar *sonar = naohw_messages_sonar(messages);

	sensors->sonar[0] = known(sonar->left);
	sensors->sonar[1] = known(sonar->right);
}

static void put_touch(struct lola_sensors *sensors, const struct naohw_messages *messages)
{
	const struct naohw_buttons *buttons = naohw_messages_buttons(messages);
	const struct naohw_touch *touch = naohw_messages_touch(messages);

	sensors->touch[0] = buttons->chest;
	sensors->touch[1] = touch->head_front;
	sensors->touch[2] = touch->head_middle;
	sensors->touch[3] = touch->head_rear;
	sensors->touch[4] = buttons->l_foot_bumper_left;
	sensors->touch[5] = buttons->l_foot_bumper_right;
	sensors->touch[9] = buttons->r_foot_bumper_left;
	sensors->touch[10] = buttons->r_foot_bumper_right;
}

static void put_hands(struct lola_sensors *sensors, const struct lola_senses *senses)
{
	for (size_t i = 0; i < HANDS; i++) {
		struct naohw_value value;

		if (naohw_snapshot_get(senses->snapshot, senses->hand[i], &value) == 0)
			sensors->touch[hands[i].at] = isfinite(value.number) && value.number != 0;
	}
}

/* Clients take bytes for letters: one that is a part of a letter is none. */
static void put_text(char *to, size_t size, const char *text)
{
	size_t length = strnlen(text, size);

	for (size_t i = 0; i < size; i++) {
		char letter = i < length ? text[i] : ' ';

		to[i] = letter >= ' ' && letter < 0x7f ? letter : '?';
	}
}

/* A NAO v6 has "6.0.0", and programs read the first character as a number: "V3.3" becomes "3.3". */
static void put_version(char to[LOLA_VERSION_SIZE], const char *version)
{
	version += strcspn(version, "0123456789");
	put_text(to, LOLA_VERSION_SIZE, *version ? version : VERSION_NONE);
}

static void put_config(struct lola_sensors *sensors, const struct naohw_messages *messages)
{
	const struct naohw_robot_config *config = naohw_messages_robot_config(messages);

	put_text(sensors->body_id, LOLA_ID_SIZE, config->body_id);
	put_version(sensors->body_version, config->body_version);
	put_text(sensors->head_id, LOLA_ID_SIZE, config->head_id);
	put_version(sensors->head_version, config->head_version);
}

int lola_sense(struct lola_senses *senses, struct lola_sensors *sensors)
{
	int ret = naohw_snapshot_take(senses->snapshot);

	if (ret == 0)
		ret = naohw_messages_fill(senses->messages, senses->snapshot);
	if (ret < 0)
		return ret;
	memset(sensors, 0, sizeof(*sensors));
	put_config(sensors, senses->messages);
	put_inertial(sensors, senses->messages);
	put_battery(sensors, senses->messages);
	put_feet(sensors, senses->messages);
	put_joints(sensors, senses->messages);
	put_sonar(sensors, senses->messages);
	put_touch(sensors, senses->messages);
	put_hands(sensors, senses);
	return 0;
}
