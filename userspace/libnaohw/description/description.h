/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is known of a robot: the Preferences of its Device.xml and of the layers over it, as a
 * sorted list of keys with their constant values.
 */
#ifndef NAOHW_DESCRIPTION_H
#define NAOHW_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

#include "../../common/key_forms.h"
#include "content.h"
#include "replace.h"
#include "value.h"

#define DEVICE_PREFIX "Device/DeviceList/"

/*
 * Ours: the buses, what a description is made over, and what it lacks of that; which devices a robot
 * may lack; and of a board where it keeps Body's layer
 */
#define BUSES_KEY    "Device/Buses"
#define RULES_KEY "DCM/DiagnosisRules"
#define BASE_KEY     "Device/Base"
#define WITHOUT_KEY  "Device/Without"
#define OPTIONAL_KEY "Device/Optional"
#define STORE_NAME   "BodyStore"

/* Ours, too: what moves together, "Device/ChainList/Head" a list of joints */
#define CHAIN_PREFIX "Device/ChainList/"

/* And how much is lost with a device, or what hangs on one: "InertialSensor/Severity" */
#define SEVERITY_NAME "Severity"

/* What the tables of the diagnosis effect call it: "Fuse/LArm/Diagnosis" */
#define DIAGNOSIS_NAME "Diagnosis"

/* Between the names of a list */
#define BLANKS " \t\r\n"

/* What versions of its parts it has: NAO's RobotConfig keys */
#define ROBOT_CONFIG_PREFIX "RobotConfig/"
/* Each head has its own. */
#define HEAD_ID_KEY ROBOT_CONFIG_PREFIX "Head/FullHeadId"

/* How its control loop is to be: NAO's keys of the DCM */
#define DCM_PREFIX "DCM/"

/* Of which these are names for several actuators */
#define DCM_ALIAS	 "DCM/Alias"
#define DCM_ALIAS_PREFIX DCM_ALIAS "/"

/* The files of a description; later ones overwrite. All but the first may be missing. */
enum layer {
	LAYER_DEVICE,
	LAYER_HEAD,
	LAYER_BODY,
	LAYER_LOCAL,
};

#define LAYERS (LAYER_LOCAL + 1)

/*
 * What the board @label keeps in its store @name. read() returns which of the store's copies
 * holds, from 0; -ENODEV: there is no such store. -ENODATA: nothing has been written there.
 * -EUCLEAN: no copy is whole. check() reads all of them: 0 they are whole, or 1 one is not.
 */
struct body_store {
	int (*read)(const char *label, const char *name, struct content *content);
	int (*check)(const char *label, const char *name, uint32_t *generation);
	int (*write)(const char *label, const char *name, const struct content *content,
		     struct naohw_error *err);
};

/* Where robots with a bare name are: their files, and a directory for each robot's layers. */
struct places {
	const char *robots;
	const char *layers;
	const struct body_store *body; /* where boards are looked for; NULL: nowhere */
};

extern const struct places installed_places;

/* One leaf Preference: "Device/SubDeviceList/HeadYaw/Position/Sensor/Gain". */
struct preference {
	char *key;	  /* one malloc: the key, its NUL, then the text */
	char *text;	  /* the value as written */
	enum naohw_key_type type;
	double number;	  /* and as a number, unless it is a string */
	const char *path; /* the file it stands in, and where */
	long line;
	size_t order;	  /* a later one of the same key wins */
};

/* So many may be made one over another */
#define BASES 4

struct description {
	char *path[LAYERS];	 /* there or not; NULL: a file of this name has no layers */
	char *base[BASES];	 /* what the first is made over, the next one down first */
	size_t base_count;
	char *board;		 /* where Body's layer is from: "ChestBoard:body-a"; NULL: a file */
	int body_error;		 /* 0, or why it is from a file */
	struct preference *list; /* sorted by key, each key once */
	size_t count;
	size_t capacity;
	size_t nodes;		 /* of its files, those of entities as often as they are used */
};

/* @name as naohw_robot_open() takes it. */
int description_load(const char *name, const struct places *places,
		     struct description **description, struct naohw_error *err);
void description_free(struct description *description);

/* As naohw_robot_body(), and naohw_preferences_body(). */
int description_body(const struct description *description, struct naohw_error *err);
int description_check_body(const struct description *description, const struct places *places,
			   uint32_t *generation, struct naohw_error *err);

/* The Preference of this key, or NULL. */
const struct preference *description_find_key(const struct description *description,
					      const char *key);

/* The Preference "@prefix/@name", or NULL. */
const struct preference *description_find(const struct description *description,
					  const char *prefix, const char *name);

/* The same, but also looked for at each level above @prefix. */
const struct preference *description_inherit(const struct description *description,
					     const char *prefix, const char *name);

/*
 * Says that there is no such key, and which somebody may have meant; or that it is left to its
 * default. -ENOENT.
 */
int unknown_key(const struct description *description, const char *key, struct naohw_error *err);

/* What a subdevice may have, and of which type; a number is of either type. */
struct subdevice_name {
	const char *name;
	enum naohw_key_type type;
	enum {
		NAOS,	    /* NAO's descriptions have it, too */
		OURS,	    /* it says how a value is reached or what the body bears, and NAO's do not */
		OUR_SOURCE, /* the same, and it makes its array a subdevice */
	} whose;
};

extern const struct subdevice_name subdevice_names[];
extern const size_t subdevice_name_count;

/* What may be said of the DCM: numbers, all of which have defaults */
extern const char *const dcm_names[];
extern const size_t dcm_name_count;

/*
 * Does a key of this name say where values come from, or go to, or what the body bears? NAO has none
 * of these.
 */
bool known_is_wiring(const char *key);

/* Of a key that is not to be changed, or cannot be. */
struct fixed {
	const char *reason; /* "KEY: is ..." */
	bool but_in_layers; /* it is for programs only that this holds */
};

/* NULL: nothing is against changing it. */
const struct fixed *fixed_find(const char *key);

/* What becomes of keys in a layer; a value of NULL takes the key out. */
struct change {
	enum layer layer;
	const char *const *keys;
	const char *const *values; /* NULL: all get @value */
	const char *value;
	size_t count;
	bool restore; /* Body's: whatever the board keeps, its file is what holds */
};

/* Can a robot be made of it? */
typedef int description_check(struct description *description, struct naohw_error *err);

/* As naohw_preferences_save_each(). Refused if @check is content before and not afterwards. */
int description_save(const char *name, const struct places *places, const struct change *change,
		     description_check *check, struct naohw_error *err);

#endif
