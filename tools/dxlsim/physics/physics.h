/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rigid bodies: a robot of links and joints in a room with a floor and things in it. It
 * knows nothing of servos and boards; those drive joints and ask what there is to feel.
 */
#ifndef DXLSIM_PHYSICS_H
#define DXLSIM_PHYSICS_H

#include "physique.h"
#include "room.h"
#include "sense.h"
#include "world.h"

#endif
