/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A robot's inside: its description, and the devices behind it. */
#ifndef NAOHW_ROBOT_INSIDE_H
#define NAOHW_ROBOT_INSIDE_H

#include <pthread.h>
#include <stdbool.h>

#include <iio.h>
#include <naohw.h>

#include "../description/description.h"
#include "../io/io.h"

/* That the kernel watches over the joints of a bus */
struct lease {
	unsigned int bus;
	int fd;
};

/* A servo or a board: what the description, or else the kernel, calls by a label. */
struct unit {
	char *label;
	struct device device;
	struct channel *channel; /* those that somebody has opened */
	size_t channel_count;
};

#define JOINT_UNKNOWN -1

/* A servo's own goal, and how fast it turns where it is a wheel */
#define JOINT_GOAL "out_angl0"
#define JOINT_SPEED "out_anglvel0"

/* A unit that turns. Its place in the robot's list is its number for those who use the library. */
struct joint {
	const struct unit *unit;
	struct channel position;
	struct channel goal;
	struct channel speed;
	struct channel goal_speed;
	struct channel current;
	struct channel voltage;
	struct channel temperature;
	int bus; /* JOINT_UNKNOWN, as what follows */
	int id;
	int model_number;
	int firmware;
};

struct chain;
struct source_kind;
struct buttons;
struct station;
struct tone;

/*
 * What hangs on one source: "Device/SubDeviceList/HeadYaw/Position/Sensor", or a property of that or
 * of a device, which is a key itself: ".../Sensor/GearRatio", "Device/DeviceList/ChestBoard/BodyId".
 */
struct subdevice {
	struct naohw_robot *robot;
	char *name;
	char *label;
	const struct source_kind *kind;
	const char *source;    /* what the description has for that: a channel, a light's name */
	const char *attribute; /* NULL: the channel's own value */
	const char *enable;    /* NULL: nothing to switch */
	const char *brake;     /* NULL: nothing to choose when that is off */
	int bit;	       /* of the device's value; negative: all of it */
	enum naohw_key_type type; /* of the key that has its value */
	bool actuator;
	bool inverse; /* of one by the device's value */
	double gain;
	double offset;
	double min;
	double max;
	struct station *station; /* the device that controls it, or has it; NULL: of a property */
	const struct unit *unit; /* NULL: none has this label, or it is of another robot's bus */
	struct channel channel;
	void *own; /* its kind's */
};

/* There are thousands of them. */
struct naohw_key {
	char *name;
	struct subdevice *value_of; /* a .../Value; NULL: a constant */
	union {
		const char *text; /* the constant, of a string; it is others' */
		double number;
	};
	enum naohw_key_type type;
	bool has_own_name; /* else it is that of the preference or of the subdevice */
};

struct naohw_robot {
	struct description *description;
	char *path; /* the description's, wherever the program is by now; NULL: not read yet */
	struct iio_context *context;
	struct bus_devices goals;  /* where poses go */
	struct bus_devices states; /* where frames come from */
	unsigned int *foreign;	   /* numbers of the buses that are not ours */
	size_t foreign_count;
	struct unit *unit; /* sorted by label */
	size_t unit_count;
	struct joint *joint; /* sorted by bus and ID, then label */
	size_t joint_count;
	struct subdevice *subdevice;
	size_t subdevice_count;
	struct station *station; /* of DeviceList, and what else controls subdevices */
	size_t station_count;
	struct chain *chain; /* sorted by name */
	size_t chain_count;
	struct naohw_key *key; /* sorted by name */
	size_t key_count;
	struct lease *lease;	 /* room for one a joint */
	size_t lease_count;
	bool unwatched;		 /* and none is to be held */
	bool is_free;		 /* then: no unit is to have it, as it was when asked */
	pthread_mutex_t opening; /* of sources that are opened when they are needed */
	struct buttons *buttons; /* of those who read keys; under the same lock */
	struct tone *tones;	 /* of its buzzers */
	pthread_mutex_t looking; /* for errors of devices */
};

/*
 * Build the tables; each frees nothing on failure, robot_close() does. Of a robot that is only
 * looked at there are no units, and so no joints.
 */
int subdevices_build(struct naohw_robot *robot, struct naohw_error *err);
void subdevices_open(struct naohw_robot *robot);
void subdevices_close(struct naohw_robot *robot);
int keys_build(struct naohw_robot *robot, struct naohw_error *err);
void keys_close(struct naohw_robot *robot);
int units_build(struct naohw_robot *robot, struct naohw_error *err);
void units_free(struct naohw_robot *robot);
int joints_build(struct naohw_robot *robot, struct naohw_error *err);

/* Is what the description says of buses of the right kind? */
int buses_check(const struct naohw_robot *robot, struct naohw_error *err);

/* Hold the buses that are this robot's, and no others. */
int buses_build(struct naohw_robot *robot, struct naohw_error *err);
/* For messages: what a bus that is missing would have to be, too. */
const char *buses_wanted(const struct naohw_robot *robot);
bool bus_is_foreign(const struct naohw_robot *robot, unsigned int number);

/* Could a robot be made of it, with whatever devices? */
int robot_check(struct description *description, struct naohw_error *err);

/* The unit of this label, or NULL. */
const struct unit *unit_find(const struct naohw_robot *robot, const char *label);

/*
 * A channel by its name, as channel_find() has it; what is to be read of it is read once for all
 * who open it. -ENOENT, and @channel is of nothing: the unit has none.
 */
int unit_open_channel(struct naohw_robot *robot, const struct unit *unit, const char *name,
		      struct channel *channel);

/* The joint of this label, or NULL. */
const struct joint *joint_find(const struct naohw_robot *robot, const char *label);

/*
 * How far off its goal, in counts, a servo of this model may be with the load that a robot's own weight
 * is: the tolerance of who wants to know whether a joint has arrived. @model: NULL: not known.
 */
int sag_of_model(const char *model);

/* Is it on this machine? */
bool robot_is_here(const struct naohw_robot *robot);
/* Who is to take it asks: is it a naohwd's, as its unit is enabled? Return: 0; -EBUSY it is. */
int robot_leave_to_unit(const struct naohw_robot *robot, struct naohw_error *err);
/* Add who reads its frames, or moves it, to the message, as far as is known; @err may be NULL. */
void robot_tell_reader(const struct naohw_robot *robot, struct naohw_error *err);
void robot_tell_mover(const struct naohw_robot *robot, struct naohw_error *err);

/* Before a unit gets a goal or torque; -EPIPE: all have been let go meanwhile. */
int lease_unit(struct naohw_robot *robot, const struct unit *unit, struct naohw_error *err);
/* A pose has it, and is watched itself. */
bool bus_is_streamed(const struct naohw_robot *robot, unsigned int number);
bool lease_is_ours(const struct naohw_robot *robot, unsigned int bus);
void leases_end(struct naohw_robot *robot);

/* As naohw_robot_limp(), of one bus by the device that is held; nothing is waited for. */
int bus_let_go(const struct bus_device *bus, struct naohw_error *err);
/* Has a person let all joints of a bus go, and nobody recovered them? */
bool bus_is_limp(const struct bus_device *bus);
/* Those of the joint's bus, by the device that it has now? */
bool joint_is_limp(const struct naohw_robot *robot, const struct joint *joint);

/*
 * The Position/Sensor of a joint, or its Position/Actuator, as is wanted; the other where only that
 * is there, or NULL.
 */
const struct subdevice *subdevice_position_of(const struct naohw_robot *robot, const char *label,
					      bool actuator);

/* Is its name that of its key, or one above it: ".../Sensor/GearRatio" or ".../Sensor"? */
bool subdevice_has_own_key(const struct subdevice *subdevice);
/* Is it of this one of DeviceList, "ChestBoard"? */
bool subdevice_is_of(const struct subdevice *subdevice, const char *device);

/* Has the kernel lost all of the device that it is of? What was never there is not lost. */
bool subdevice_is_lost(const struct subdevice *subdevice);

/* Is it one of a sensor's other values: ".../Sensor/Value3"? */
bool subdevice_is_numbered(const struct subdevice *subdevice);

/* Is it how stiff a servo is: its torque limit, whose Enable is its torque? */
bool subdevice_is_hardness(const struct subdevice *subdevice);

/* Is it the speed of a wheel, as its description says, whatever mode its servo is in? */
bool subdevice_is_wheel(const struct subdevice *subdevice);
/* That of the servo with this label, or NULL: the description does not call it a wheel. */
const struct subdevice *subdevice_wheel_of(const struct naohw_robot *robot, const char *label);

/* NAO's rule between key and device. */
double subdevice_from_device(const struct subdevice *subdevice, double value);
double subdevice_to_device(const struct subdevice *subdevice, double value);
/* Within Min and Max. */
double subdevice_bounded(const struct subdevice *subdevice, double value);

/*
 * Of a servo's channel with the value (raw + @offset) * @scale: make that the joint's, by what is
 * said of its position. What has no direction stays.
 */
void subdevice_fold(const struct subdevice *position, enum naohw_quantity quantity, double *scale,
		    double *offset);

/* The value of the key. */
int subdevice_read(const struct subdevice *subdevice, double *value, struct naohw_error *err);
int subdevice_read_text(const struct subdevice *subdevice, char *text, size_t size,
			struct naohw_error *err);
/* What is beyond Min and Max is brought to them, here and in no source. */
int subdevice_write(const struct subdevice *subdevice, double value, struct naohw_error *err);
int subdevice_write_text(const struct subdevice *subdevice, const char *text,
			 struct naohw_error *err);

/* Is it a text? Can it be written, as that or as a number? */
bool subdevice_is_text(const struct subdevice *subdevice);
bool subdevice_is_writable(const struct subdevice *subdevice);

#endif
