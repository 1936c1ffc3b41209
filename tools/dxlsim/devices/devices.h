/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Servos and boards: a control table, the rules for reading and writing it, and what
 * is behind it. A model says as data what one kind is; device.h is what a bus does
 * with one, the others are for those who describe models, and for tests that look
 * into a device or play the world around it. How tables are kept and what motors do is
 * nobody else's concern.
 */
#ifndef DXLSIM_DEVICES_H
#define DXLSIM_DEVICES_H

#include "board.h"
#include "device.h"
#include "limb.h"
#include "model.h"
#include "pages.h"
#include "servo.h"
#include "servo_nao.h"
#include "sonar.h"

#endif
