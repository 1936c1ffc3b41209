/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What robot the devices are in: its weight, its feet, its battery. */
#ifndef DXLSIM_ROBOT_H
#define DXLSIM_ROBOT_H

/**
 * struct sole - how far from the ankle a foot's sensors are, m
 * @front: to the front
 * @back: to the back
 * @outer: to the outer side
 * @inner: to the side of the other foot
 */
struct sole {
	double front;
	double back;
	double outer;
	double inner;
};

/**
 * struct pack - a battery
 * @cells: in series
 * @capacity: As
 * @resistance: ohm
 * @charger: A
 * @idle: what a servo draws standing by, A
 * @full_load: and at full load, A
 */
struct pack {
	unsigned int cells;
	double capacity;
	double resistance;
	double charger;
	double idle;
	double full_load;
};

/**
 * struct robot - a robot
 * @mass: kg
 * @height: of its centre of mass, m
 * @ankles: between them, m
 * @sole: of each of its feet
 * @pack: its battery
 */
struct robot {
	double mass;
	double height;
	double ankles;
	struct sole sole;
	struct pack pack;
};

extern const struct robot robot_op;
extern const struct robot robot_nao;

#endif
