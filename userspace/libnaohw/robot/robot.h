/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A robot, for the rooms above: its tables, and what the values in them come from. */
#ifndef NAOHW_ROBOT_H
#define NAOHW_ROBOT_H

#include "formula.h"
#include "inside.h"
#include "reason.h"
#include "rule.h"
#include "source.h"

#endif
