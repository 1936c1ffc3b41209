/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "naohw doctor" knows of a machine, and what each of its checks finds. */
#ifndef NAOHW_DOCTOR_H
#define NAOHW_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

#include "below.h"

#define LABEL_SIZE 64

/* A device on a bus. */
struct patient_device {
	char name[16];		/* "0-019" */
	char label[LABEL_SIZE]; /* or its name, if it has none */
	char iio[BELOW_PATH];	/* the directory of its IIO device; "": it has none */
	bool has_driver;
};

struct patient {
	int root;	       /* the directory that is "/" */
	const char *robot;     /* NULL: the default */
	char name[LABEL_SIZE]; /* of the robot, for sentences and commands */
	char release[128];     /* of the kernel */
	char node[BELOW_PATH]; /* of a bus in the device tree; "": there is none */
	bool has_device_tree;
	struct names_below buses;
	struct patient_device *device;
	size_t device_count;
	struct naohw_preferences *preferences; /* NULL: @load_error and @err say why */
	int load_error;
	struct naohw_error err;
	struct naohw_robot *described; /* NULL: the description cannot be read */
	struct naohw_dcm *dcm;	       /* of the robot's naohwd; NULL: @join_error, @join_err say why */
	int join_error;
	struct naohw_error join_err;
};

#define DXL_DEVICES "sys/bus/dxl/devices"
#define IIO_DEVICES "sys/bus/iio/devices"

enum finding_state {
	FINDING_OK,
	FINDING_PROBLEM,
	FINDING_NOT_LOOKED_AT,
};

struct finding {
	enum finding_state state;
	char what[512];
	char why[512];	  /* of a problem; "": what says all */
	char remedy[512]; /* of a problem: what to type, or to do */
};

/* A check calls one of these; of a problem then because() and so_do(). */
void is_well(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void not_looked_at(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void is_wrong(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void because(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void so_do(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Names for a sentence: "A, B and 3 more". Begins as { 0 }. */
struct enumeration {
	char text[256];
	size_t count;
	size_t left_out;
};

void enumerate(struct enumeration *names, const char *name);
const char *enumerated(struct enumeration *names);

typedef void check_function(const struct patient *patient, struct finding *finding);

/* doctor_machine.c */
check_function check_kernel;
check_function check_modules;
check_function check_loaded;
/* doctor_bus.c */
check_function check_overlay;
check_function check_bus;
check_function check_port;
/* doctor_devices.c */
check_function check_devices;
check_function check_drivers;
check_function check_permissions;
check_function check_errors;
/* doctor_answers.c */
check_function check_answers;
/* doctor_voltage.c */
check_function check_voltage;
/* doctor_watchdog.c */
check_function check_watchdog;
/*
 * doctor_scan.c: look on the bus for a device that does not answer. @reason: what has been found, if it
 * is anything but silence. @failure: why it could not be looked for; "": it was.
 */
void look_for(const struct patient *patient, const struct patient_device *device,
	      const struct naohw_reason **reason, char *failure, size_t size);

/* doctor_torque.c */
check_function check_torque;
/* doctor_naohwd.c */
check_function check_naohwd;
/* doctor_body.c */
check_function check_body;
/* doctor_robot.c */
check_function check_description;
check_function check_labels;

/* Look at what is there; patient_free() in any case. false: no memory. */
bool patient_look(struct patient *patient, int root, const char *robot);
void patient_free(struct patient *patient);

/* Is it on this bus? A device of "dxl0" is called "0-019". */
bool device_is_on(const struct patient_device *device, const char *bus);

/* All checks, in order, printed; an exit status. */
int examine(const struct patient *patient, bool as_json);

#endif
