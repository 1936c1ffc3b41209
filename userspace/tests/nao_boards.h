/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The NAO on the libiio that is none with all that its frames can have, and how they have it. */
#ifndef NAOHW_TEST_NAO_BOARDS_H
#define NAOHW_TEST_NAO_BOARDS_H

#include <stdint.h>

#include <naohw.h>

#include "nao.h"

#define NAO_BOARDS NAO_BUSES /* their bus is behind those of the joints */

/* As IIO lays out what the fake's buses have, each at a multiple of its length */
struct nao_servo {
	int16_t angle, speed, load;
	uint8_t voltage, temperature, age, alarm;
};

struct nao_joints_frame {
	struct nao_servo servo[NAO_JOINTS];
	int64_t time;
	int16_t current[NAO_JOINTS]; /* only of a NAO */
};

struct nao_foot {
	uint16_t buttons, force[4];
	uint8_t age, alarm;
};

struct nao_boards_frame {
	int64_t time;
	struct nao_foot left, right;
	struct {
		uint16_t touch;
		uint8_t age, alarm;
	} head;
	struct {
		uint16_t left, right;
		uint8_t age, alarm;
	} sonar;
	struct {
		uint16_t reference;
		uint8_t age, alarm;
		int16_t rate[2], acceleration[3], angle[2];
	} inertial;
	struct {
		uint16_t touch;
		uint8_t age, alarm;
	} left_hand, right_hand;
};

/*
 * As nao_make(), with what its motors draw in their frames, and on a bus of their own its feet,
 * touch sensors, sonar and inertial sensor.
 */
int nao_make_whole(struct naohw_error *err);

#endif
