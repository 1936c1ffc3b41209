/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in the packets, and how it becomes bytes; here nothing knows of a robot or a socket. */
#ifndef NAOHWD_LOLA_PACKET_H
#define NAOHWD_LOLA_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

/* Clients have arrays of this, and it is the joints of messages in their order. */
#define LOLA_JOINTS NAOHW_NAO_JOINTS

/* ---- to a client ---- */

/* Of each packet, as clients rely on it. */
#define LOLA_SENSORS_SIZE 896

#define LOLA_ID_SIZE 20
#define LOLA_VERSION_SIZE 5

/* A text has no end but its size: blanks follow a shorter one. A version begins with a digit. */
struct lola_sensors {
	char body_id[LOLA_ID_SIZE];
	char body_version[LOLA_VERSION_SIZE];
	char head_id[LOLA_ID_SIZE];
	char head_version[LOLA_VERSION_SIZE];
	float accelerometer[3]; /* m/s2, x, y, z: of gravity, so that z is -9.8 upright */
	float angles[2]; /* rad, x to the right, y forward */
	float battery[4]; /* charge 0..1, status, current in A out of it below 0, degree C */
	float current[LOLA_JOINTS];
	float fsr[8]; /* kg, left foot front left, front right, rear left, rear right, right foot */
	float gyroscope[3];
	float position[LOLA_JOINTS];
	float sonar[2];
	float stiffness[LOLA_JOINTS];
	float temperature[LOLA_JOINTS];
	float touch[14];
	uint8_t status[LOLA_JOINTS];
};

/* Their bytes: all floats are of 32 bits, so that the layout is always the same. */
void lola_encode(const struct lola_sensors *sensors, uint8_t bytes[LOLA_SENSORS_SIZE]);

/* ---- from a client ---- */

enum lola_actuator {
	LOLA_POSITION,
	LOLA_STIFFNESS,
	LOLA_R_EAR,
	LOLA_L_EAR,
	LOLA_CHEST,
	LOLA_L_EYE,
	LOLA_R_EYE,
	LOLA_L_FOOT,
	LOLA_R_FOOT,
	LOLA_SKULL,
	LOLA_SONAR,
	LOLA_ACTUATORS,
};

/* Values of the longest field */
#define LOLA_VALUES 25

struct lola_field {
	const char *name;
	unsigned int count;
	bool is_flag; /* true and false, which are 1 and 0; else numbers */
	const char *of_joint; /* an actuator of each joint, by what is behind its name; or */
	const char *const *actuator; /* the actuator of each index; or both are NULL */
};

extern const struct lola_field lola_fields[LOLA_ACTUATORS];

/* A client's numbers may not be set yet: one that is none that a robot could use is NAN. */
struct lola_actuators {
	bool is_given[LOLA_ACTUATORS];
	double value[LOLA_ACTUATORS][LOLA_VALUES];
	struct naohw_error unusable; /* the first of those; "": there is none */
};

struct lola_decoder;

/* Return: NULL: there is no memory. lola_decoder_free() it. */
struct lola_decoder *lola_decoder_new(void);
void lola_decoder_free(struct lola_decoder *decoder);

/* Forget what has come of a packet. */
void lola_decoder_reset(struct lola_decoder *decoder);

/*
 * Read on in a packet, of which some may have come before. Allocates nothing.
 *
 * What has not been used is to be given again, with more behind it.
 * @used: how many bytes have been.
 * Return: 1 here is a packet's end, and @actuators are what it has; 0 more bytes are needed;
 * -EBADMSG this is no packet, or one with something wrong in it. Nothing can be read behind that.
 */
int lola_decode(struct lola_decoder *decoder, const uint8_t *bytes, size_t size, size_t *used,
		struct lola_actuators *actuators, struct naohw_error *err);

#endif
