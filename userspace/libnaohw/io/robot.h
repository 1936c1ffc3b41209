/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A robot's inside: its description, and the devices behind it. */
#ifndef NAOHW_ROBOT_H
#define NAOHW_ROBOT_H

#include <stdbool.h>

#include <iio.h>
#include <naohw.h>

#include "../description/description.h"
#include "bus_device.h"
#include "channel.h"
#include "device.h"

/* That the kernel watches over the joints of a bus */
struct lease {
	unsigned int bus;
	int fd;
};

/* A servo: what the description calls by a label. */
struct naohw_joint {
	struct naohw_robot *robot;
	const char *label;
	struct device device;
	struct channel position;
	struct channel goal;
	struct channel speed;
	struct channel goal_speed;
	struct channel voltage;
	struct channel temperature;
	int bus_id;
	int model_number;
	int firmware;
};

/* What hangs on one channel: "Device/SubDeviceList/HeadYaw/Position/Sensor". */
struct subdevice {
	char *name;
	char *label;
	const char *channel_name;
	const char *attribute; /* NULL: the channel's own value */
	const char *enable;    /* NULL: nothing to switch */
	const char *brake;     /* NULL: nothing to choose when that is off */
	bool actuator;
	double gain;
	double offset;
	double min;
	double max;
	struct naohw_joint *joint;
	struct channel channel;
};

struct naohw_key {
	char *name;
	enum naohw_key_type type;
	struct subdevice *value_of;	     /* a .../Value; else NULL */
	const struct preference *preference; /* a constant from the description; else NULL */
	const char *text;		     /* a constant that the description left out */
	double number;
};

struct naohw_robot {
	struct description *description;
	struct iio_context *context;
	struct bus_devices goals;  /* where poses go */
	struct bus_devices states; /* where frames come from */
	struct naohw_joint *joint; /* sorted by bus ID, then label */
	size_t joint_count;
	struct subdevice *subdevice;
	size_t subdevice_count;
	struct naohw_key *key; /* sorted by name */
	size_t key_count;
	unsigned int pose_queue; /* poses that the kernel is to queue for a bus */
	struct lease *lease;	 /* room for one a joint */
	size_t lease_count;
	bool unwatched;		 /* and none is to be held */
};

/* Build the tables; each frees nothing on failure, robot_close() does. */
int subdevices_build(struct naohw_robot *robot, struct naohw_error *err);
int joints_build(struct naohw_robot *robot, struct naohw_error *err);
int keys_build(struct naohw_robot *robot, struct naohw_error *err);

/* Could a robot be made of it, with whatever devices? */
int robot_check(struct description *description, struct naohw_error *err);

/* Before a joint gets a goal or torque; -EPIPE: all have been let go meanwhile. */
int lease_joint(const struct naohw_joint *joint, struct naohw_error *err);
/* A pose has it, and is watched itself. */
bool bus_is_streamed(const struct naohw_robot *robot, unsigned int number);
bool lease_is_ours(const struct naohw_robot *robot, unsigned int bus);
void leases_end(struct naohw_robot *robot);

struct naohw_joint *joint_find(const struct naohw_robot *robot, const char *label);

/*
 * The Position/Sensor of a joint, or its Position/Actuator, as is wanted; the other where only that
 * is there, or NULL.
 */
const struct subdevice *subdevice_position_of(const struct naohw_robot *robot, const char *label,
					      bool actuator);

/* NAO's rule between key and device; Min and Max apply on the way to the device. */
double subdevice_from_device(const struct subdevice *subdevice, double value);
double subdevice_to_device(const struct subdevice *subdevice, double value);

/*
 * Of a servo's channel with the value (raw + @offset) * @scale: make that the joint's, by what is
 * said of its position. What has no direction stays.
 */
void subdevice_fold(const struct subdevice *position, enum naohw_quantity quantity, double *scale,
		    double *offset);

int subdevice_read(const struct subdevice *subdevice, double *value, struct naohw_error *err);
int subdevice_write(const struct subdevice *subdevice, double value, struct naohw_error *err);

#endif
