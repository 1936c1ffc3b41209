/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How an item is written, for the files of the models. */
#ifndef DXLSIM_MODELS_ITEMS_H
#define DXLSIM_MODELS_ITEMS_H

#include "models.h"

#define R	ACCESS_R
#define RW	ACCESS_RW
#define ROM	AREA_EEPROM
#define RAM	AREA_RAM
#define SAVED	AREA_SAVED
#define STORAGE	AREA_STORAGE

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

#endif
