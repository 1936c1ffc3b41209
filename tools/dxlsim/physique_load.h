/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A robot's body from the description that libnaohw reads. */
#ifndef DXLSIM_PHYSIQUE_LOAD_H
#define DXLSIM_PHYSIQUE_LOAD_H

#include <stdio.h>

#include "physics/physics.h"

/* @name is that of an installed robot, or a path; NULL after giving the reason. */
struct physique *physique_load(const char *name, FILE *err);

#endif
