/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How hot a motor is, by the statuses of the messages, and without going to and fro at a limit. */
#ifndef NAOHW_DIAGNOSIS_HEAT_H
#define NAOHW_DIAGNOSIS_HEAT_H

#include <naohw.h>

#include "rules.h"

/* degrees C that it is to be below the limit of a status that it has had */
#define HEAT_HYSTERESIS 2

/*
 * From the status before to that of now; of an unknown temperature it stays what it was. @max as
 * status_of() has it.
 */
enum naohw_joint_status heat_status(enum naohw_joint_status before, double temperature, double max);

enum trouble heat_trouble(enum naohw_joint_status status);

/* The part of its stiffness that a motor may have which does not reduce it itself. */
double heat_part(enum naohw_joint_status status);

#endif
