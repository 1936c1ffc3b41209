/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A robot with a body, in virtual time: a servo for each of its joints, and its boards. */
#ifndef DXLSIM_TESTS_MANNEQUIN_H
#define DXLSIM_TESTS_MANNEQUIN_H

#include "../physics/physics.h"
#include "harness.h"

/* Of "bioloid", "darwin-op", "op3" and "nao-h25-v33". */
struct rig *mannequin_new(const char *robot);
void mannequin_free(struct rig *rig);

struct world *mannequin_world(struct rig *rig);
struct device *mannequin_servo(struct rig *rig, const char *label);
struct device *mannequin_board(struct rig *rig, const char *model);

/* Let time pass, and let no motor's own watchdog find the bus quiet. */
void mannequin_wait(struct rig *rig, double seconds);
void mannequin_wait_until(struct rig *rig, nsec_t end);

/* Torque for all, with the places where they are as goals. */
void mannequin_stiffen(struct rig *rig);
void mannequin_loosen(struct rig *rig);

/* Have a joint's goal be an angle of the description, rad. */
void mannequin_turn(struct rig *rig, const char *label, double angle);

/* Straight legs and arms down, stiff, let go and still. */
void mannequin_stand(struct rig *rig);

int mannequin_item(struct rig *rig, struct device *dev, const char *item);
void mannequin_put(struct rig *rig, struct device *dev, const char *item, int value);

/* A case of one robot, whose name is its state. */
#define ROBOT_TEST(test, robot) { robot ": " #test, test, NULL, NULL, (void *)(robot) }

#endif
