// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a client may send, and which of our actuators each index of it is. Names, order and number
 * are LoLA's. Of a light in colours all red ones come first, then green, then blue.
 */
#include "packet.h"

#define RGB(place) \
	place "/Led/Red/Actuator", place "/Led/Green/Actuator", place "/Led/Blue/Actuator"

#define EYE_LIGHT(colour, side, degrees) "Face/Led/" colour "/" side "/" degrees "Deg/Actuator"
#define EAR_LIGHT(side, degrees) "Ears/Led/" side "/" degrees "Deg/Actuator"
#define HEAD_LIGHT(place) "Head/Led/" place "/Actuator"

#define L_EYE(colour)                                                               \
	EYE_LIGHT(colour, "Left", "45"), EYE_LIGHT(colour, "Left", "0"),            \
		EYE_LIGHT(colour, "Left", "315"), EYE_LIGHT(colour, "Left", "270"), \
		EYE_LIGHT(colour, "Left", "225"), EYE_LIGHT(colour, "Left", "180"), \
		EYE_LIGHT(colour, "Left", "135"), EYE_LIGHT(colour, "Left", "90")

#define R_EYE(colour)                                                                 \
	EYE_LIGHT(colour, "Right", "0"), EYE_LIGHT(colour, "Right", "45"),            \
		EYE_LIGHT(colour, "Right", "90"), EYE_LIGHT(colour, "Right", "135"),  \
		EYE_LIGHT(colour, "Right", "180"), EYE_LIGHT(colour, "Right", "225"), \
		EYE_LIGHT(colour, "Right", "270"), EYE_LIGHT(colour, "Right", "315")

static const char *const l_eye[] = { L_EYE("Red"), L_EYE("Green"), L_EYE("Blue") };
static const char *const r_eye[] = { R_EYE("Red"), R_EYE("Green"), R_EYE("Blue") };

static const char *const l_ear[] = {
	EAR_LIGHT("Left", "0"),	  EAR_LIGHT("Left", "36"),  EAR_LIGHT("Left", "72"),
	EAR_LIGHT("Left", "108"), EAR_LIGHT("Left", "144"), EAR_LIGHT("Left", "180"),
	EAR_LIGHT("Left", "216"), EAR_LIGHT("Left", "252"), EAR_LIGHT("Left", "288"),
	EAR_LIGHT("Left", "324"),
};

static const char *const r_ear[] = {
	EAR_LIGHT("Right", "324"), EAR_LIGHT("Right", "288"), EAR_LIGHT("Right", "252"),
	EAR_LIGHT("Right", "216"), EAR_LIGHT("Right", "180"), EAR_LIGHT("Right", "144"),
	EAR_LIGHT("Right", "108"), EAR_LIGHT("Right", "72"),  EAR_LIGHT("Right", "36"),
	EAR_LIGHT("Right", "0"),
};

static const char *const skull[] = {
	HEAD_LIGHT("Front/Left/1"),   HEAD_LIGHT("Front/Left/0"),  HEAD_LIGHT("Middle/Left/0"),
	HEAD_LIGHT("Rear/Left/0"),    HEAD_LIGHT("Rear/Left/1"),   HEAD_LIGHT("Rear/Left/2"),
	HEAD_LIGHT("Rear/Right/2"),   HEAD_LIGHT("Rear/Right/1"),  HEAD_LIGHT("Rear/Right/0"),
	HEAD_LIGHT("Middle/Right/0"), HEAD_LIGHT("Front/Right/0"), HEAD_LIGHT("Front/Right/1"),
};

static const char *const chest[] = { RGB("ChestBoard") };
static const char *const l_foot[] = { RGB("LFoot") };
static const char *const r_foot[] = { RGB("RFoot") };

#define LIGHTS(name, list)                                                \
	{                                                                 \
		name, sizeof(list) / sizeof((list)[0]), false, NULL, list \
	}

/* Sonar is how it listens, and no actuator of ours: see actuators.c. */
const struct lola_field lola_fields[] = {
	[LOLA_POSITION] = { "Position", LOLA_JOINTS, false, "/Position/Actuator", NULL },
	[LOLA_STIFFNESS] = { "Stiffness", LOLA_JOINTS, false, "/Hardness/Actuator", NULL },
	[LOLA_R_EAR] = LIGHTS("REar", r_ear),
	[LOLA_L_EAR] = LIGHTS("LEar", l_ear),
	[LOLA_CHEST] = LIGHTS("Chest", chest),
	[LOLA_L_EYE] = LIGHTS("LEye", l_eye),
	[LOLA_R_EYE] = LIGHTS("REye", r_eye),
	[LOLA_L_FOOT] = LIGHTS("LFoot", l_foot),
	[LOLA_R_FOOT] = LIGHTS("RFoot", r_foot),
	[LOLA_SKULL] = LIGHTS("Skull", skull),
	[LOLA_SONAR] = { "Sonar", 2, true, NULL, NULL },
};

_Static_assert(sizeof(l_eye) / sizeof(l_eye[0]) <= LOLA_VALUES && LOLA_JOINTS <= LOLA_VALUES,
	       "there is room for the values of each field");
