/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages, as this room makes them: which key a field is of, and what it makes of its value. */
#ifndef NAOHW_MESSAGE_H
#define NAOHW_MESSAGE_H

#include <stddef.h>

#include <naohw.h>

struct message_set {
	struct naohw_accelerometer accelerometer;
	struct naohw_angle angle;
	struct naohw_battery battery;
	struct naohw_buttons buttons;
	struct naohw_fsr fsr;
	struct naohw_gyroscope gyroscope;
	struct naohw_joint_positions joint_positions;
	struct naohw_joint_stiffnesses joint_stiffnesses;
	struct naohw_joint_temperatures joint_temperatures;
	struct naohw_joint_currents joint_currents;
	struct naohw_joint_statuses joint_statuses;
	struct naohw_sonar sonar;
	struct naohw_touch touch;
	struct naohw_robot_config robot_config;
};

/* What a field makes of its key's value */
enum form {
	FORM_NUMBER,	/* float: the same */
	FORM_PERCENT,	/* float: 1 is 100 */
	FORM_STIFFNESS, /* float: nothing below 0 */
	FORM_FLAG,	/* bool: it is not 0 */
	FORM_POSITIVE,	/* bool: it is above 0 */
	FORM_STATUS,	/* int32_t: of a temperature, see status.c */
	FORM_TEXT,	/* NAOHW_TEXT_SIZE */
};

struct message_field {
	size_t message;	     /* where in a set its message is, and so the state of that */
	size_t at;	     /* where it is itself */
	unsigned int number; /* of the message's fields */
	enum form form;
	const char *key;
	const char *limit; /* of a status: where its Max is; else NULL */
};

extern const struct message_field message_fields[];
extern const size_t message_field_count;

/* Of a motor of @temperature with this Max, degrees C; either is NAN if it is not known. */
enum naohw_joint_status status_of(float temperature, float max);

#endif
