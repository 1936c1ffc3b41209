/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the models' files share; a macro each for what every row needs. */
#ifndef DXLSIM_MODELS_H
#define DXLSIM_MODELS_H

#include "model.h"
#include "servo.h"

#define R	ACCESS_R
#define RW	ACCESS_RW
#define ROM	AREA_EEPROM
#define RAM	AREA_RAM
#define SAVED	AREA_SAVED

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

extern const struct model model_mx64_2;
extern const struct model model_xm430_w350;

#endif
