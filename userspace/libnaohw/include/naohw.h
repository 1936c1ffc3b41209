/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libnaohw: a robot of bus servos as named keys, poses and motion pages.
 *
 * Every function that can fail returns 0 on success and a negative errno value on
 * failure; what it finds comes through a pointer, which it leaves alone when it
 * fails. Parameters stand in one order: the object, what goes in, what comes out, err.
 * A function that takes a `struct naohw_error *err` also
 * leaves one sentence there that says what is wrong, in which file and line or
 * byte, what was found and what was expected; `err` may be NULL.
 *
 * Threads: the library has no global state. Two objects that were not made from
 * one another may be used in two threads at once. One object, together with all
 * that was made from it (keys, joints, poses and players belong to their robot),
 * must be used by one thread at a time, except where a function says otherwise. Frames
 * and a pose of the same robot may have a thread each. naohw_key_write() and
 * naohw_robot_keep_alive() belong to the pose's; what a key or a joint has now may be read, and
 * what is known of them be asked, by any thread beside these.
 * A motion file is constant once loaded: any number of threads may read it.
 *
 * Joints: a robot's joints are counted from 0, by bus and ID; those that are not there come last.
 * That number is the joint's in frames and poses too, as long as the robot is open.
 * Angles are those of the keys, in rad, and speeds in rad/s.
 *
 * NULL: no pointer may be NULL unless its description allows it. All *_close and
 * *_free functions accept NULL.
 */
#ifndef NAOHW_H
#define NAOHW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NAOHW_API __attribute__((visibility("default")))

/** One sentence about the last failure; untouched while calls succeed. */
struct naohw_error {
	char message[512];
};

/** naohw_version() - the library's version, "1.2.3". Any thread. */
NAOHW_API const char *naohw_version(void);

/* ---- Robot ---------------------------------------------------------------- */

struct naohw_robot;
struct naohw_key;
struct naohw_frame;
struct naohw_frame_settings;
struct naohw_pose;
struct naohw_pose_settings;
struct naohw_preferences;
struct naohw_motion;
struct naohw_player;

/**
 * naohw_robot_open() - read a robot's description and find its devices.
 * @description: path of a Device.xml, or of a directory that has one; or a bare name
 *	without '/' and without ".xml" ("bioloid"), looked up in the installed robots; or
 *	NULL for the one that the environment variable NAOHW_ROBOT names (in any of these
 *	ways), else "bioloid".
 * @uri: libiio context ("local:", "ip:HOST", "xml:FILE"); NULL is this machine.
 * @robot: receives the new robot; naohw_robot_close() it.
 *
 * Over the description lie Device_Head.xml, Device_Body.xml and Device_Local.xml, as far as
 * they are there, each of which overwrites single keys of those before it. For a bare name
 * they are in /etc/naohw/robots/NAME, where a Device.xml takes the place of the installed one
 * too; for DIR or DIR/Device.xml in DIR; for DIR/NAME.xml in DIR/NAME. A file whose
 * name does not end in .xml has none.
 *
 * A device that the description names and that is not there is no failure: the
 * keys and the joint bound to it answer -ENODEV, all others work.
 *
 * A robot's buses are those with a device that has one of the description's labels. Where two
 * robots have the same labels, or to be sure, the Preference Device/Buses names them (a string,
 * with blanks between them): "dxl0", or a directory above that in /sys, which is no number that
 * changes ("fe201200.serial"). All others are left alone.
 *
 * Return: 0; -ENOENT no such description; -EINVAL it, or a layer, is not valid (the message
 * has the file and line); -EACCES, -EISDIR or what else kept one that is there from being
 * read; -EFBIG one is larger than 16 MiB; -ENOMEM; or what libiio gave when the context
 * cannot be made (-ENOENT or -ENODEV: this machine has no IIO devices at all).
 */
NAOHW_API int naohw_robot_open(const char *description, const char *uri,
			       struct naohw_robot **robot, struct naohw_error *err);

/**
 * naohw_robot_close() - end a robot. Close its poses and players first. Joints that
 * naohw_key_write() has moved are let go, unless naohw_robot_set_unwatched() was called.
 */
NAOHW_API void naohw_robot_close(struct naohw_robot *robot);

/**
 * naohw_robot_keep_alive() - tell the kernel that whoever writes keys is well. From the first
 * key that moves a joint, or gives it torque, on the kernel watches over the joints of its
 * bus (a lease, /dev/dxlN): if no such key is written and this is not called for watchdog_ms
 * (500, see the attribute of dxlN-goal), or the robot is closed or its program dies, it lets
 * them go. While a pose is open it is that which counts.
 * Return: 0; -EPIPE they have been let go; or a negative errno from the kernel.
 */
NAOHW_API int naohw_robot_keep_alive(struct naohw_robot *robot, struct naohw_error *err);

/**
 * naohw_robot_set_unwatched() - have what keys do to joints last when the program ends, or
 * hangs, and nobody watch over them. Meant for a person who has a hand at the switch, as at a
 * shell. To be called before the first naohw_key_write(): what is watched by then remains so, and
 * is let go when the robot is closed.
 */
NAOHW_API void naohw_robot_set_unwatched(struct naohw_robot *robot);

/** naohw_robot_path() - path of the description that was read, without its layers. */
NAOHW_API const char *naohw_robot_path(const struct naohw_robot *robot);

/* ---- Keys ----------------------------------------------------------------- */

enum naohw_key_type {
	NAOHW_KEY_FLOAT,
	NAOHW_KEY_INT,
	NAOHW_KEY_STRING,
	NAOHW_KEY_BOOL, /* a constant of the description: 1 or 0, or "true" or "false" */
};

/**
 * naohw_robot_find_key() - find a key by its full name, for instance
 * "Device/SubDeviceList/HeadYaw/Position/Sensor/Value". A binary search; take the
 * key once and use it often.
 * Return: 0, or -ENOENT.
 */
NAOHW_API int naohw_robot_find_key(const struct naohw_robot *robot, const char *name,
				   struct naohw_key **key);

/** naohw_robot_key_count() - how many keys there are; sorted by name. */
NAOHW_API size_t naohw_robot_key_count(const struct naohw_robot *robot);

/** naohw_robot_key_at() - the key at @index, NULL past the end. */
NAOHW_API struct naohw_key *naohw_robot_key_at(const struct naohw_robot *robot, size_t index);

/** naohw_key_name() - the key's full name. */
NAOHW_API const char *naohw_key_name(const struct naohw_key *key);

/** naohw_key_get_type() - what the key holds. Every .../Value is a float. */
NAOHW_API enum naohw_key_type naohw_key_get_type(const struct naohw_key *key);

/** naohw_key_is_writable() - 1 for the Value of an actuator, else 0. */
NAOHW_API int naohw_key_is_writable(const struct naohw_key *key);

/**
 * naohw_key_read() - read a number.
 *
 * The device value is the channel in IIO's own unit: rad for angl, rad/s for
 * anglvel, millidegree C for temp, mV for voltage; for a channel with an Attribute
 * the number of that attribute. A sensor gives device value * Gain + Offset. An
 * actuator gives the last goal the servo got, converted back the same way. One
 * that has an Enable attribute and is switched off gives 0.
 * The other keys (Gain, Offset, Min, Max, SubDeviceNumber) come from the description; a
 * bool gives 1 or 0.
 *
 * Return: 0; -ENODEV the device is not there; -EINVAL the key is a string; else
 * what the kernel said: -ETIMEDOUT the servo does not answer, -EBADMSG its answer
 * was broken, -EIO or -EREMOTEIO it reported a fault.
 */
NAOHW_API int naohw_key_read(struct naohw_key *key, double *value, struct naohw_error *err);

/**
 * naohw_key_read_string() - any key as text; a string key as it is, a number in
 * the shortest form that tells its value, a bool as "true" or "false". @size counts the final NUL.
 * Return: 0; -ENOSPC the text was cut; otherwise as naohw_key_read().
 */
NAOHW_API int naohw_key_read_string(struct naohw_key *key, char *text, size_t size,
				    struct naohw_error *err);

/**
 * naohw_key_write() - give an actuator a value.
 *
 * The value is first brought into Min..Max, then the device gets
 * (value - Offset) / Gain. An actuator with an Enable attribute (Hardness): a value
 * of 0 or less switches the torque off; a higher one sets the limit, makes the
 * present position the goal if torque was off, so that nothing jumps, and switches
 * the torque on.
 *
 * From the first one on the kernel watches, see naohw_robot_keep_alive(); over the network
 * it cannot.
 *
 * Return: 0; -EBUSY another program moves the robot; -EPIPE the kernel has let the joints go
 * since the last time, as no sign of life came: nothing is written; -EACCES not an actuator's
 * Value; -EINVAL not a finite number; -ERANGE outside of what the servo accepts; else as
 * naohw_key_read().
 */
NAOHW_API int naohw_key_write(struct naohw_key *key, double value, struct naohw_error *err);

/* ---- Preferences ---------------------------------------------------------- */

/**
 * The constants of a description without a robot: what each is, and which file says so. Below,
 * a description is named as for naohw_robot_open(), and NULL is the default.
 */
struct naohw_preference {
	const char *key;
	enum naohw_key_type type;
	const char *text; /* the value as it is written there */
	double number;	  /* and as a number: of a bool 1 or 0, of a string 0 */
	const char *path; /* the file that it comes from, of all layers */
	long line;	  /* in it, from 1; of what comes out of an entity, where that is used */
};

/**
 * naohw_preferences_load() - read a description and its layers. Whether a robot can be made of
 * them is not looked at, so that what is wrong can be seen here. Any thread may load, and any
 * number of threads may read what was loaded, which is constant.
 * @preferences: receives them; naohw_preferences_free() them.
 * Return: as naohw_robot_open().
 */
NAOHW_API int naohw_preferences_load(const char *description,
				     struct naohw_preferences **preferences,
				     struct naohw_error *err);

/** naohw_preferences_free() - forget them, and all strings that they gave. */
NAOHW_API void naohw_preferences_free(struct naohw_preferences *preferences);

/** naohw_preferences_count() - how many there are; sorted by key, each key once. */
NAOHW_API size_t naohw_preferences_count(const struct naohw_preferences *preferences);

/** naohw_preferences_get() - the one at @index, from 0. Return: 0 or -EINVAL. */
NAOHW_API int naohw_preferences_get(const struct naohw_preferences *preferences, size_t index,
				    struct naohw_preference *preference);

/**
 * naohw_preferences_find() - the one of this key, by its full name.
 * Return: 0, or -ENOENT; the message has the nearest key.
 */
NAOHW_API int naohw_preferences_find(const struct naohw_preferences *preferences, const char *key,
				     struct naohw_preference *preference,
				     struct naohw_error *err);

/**
 * naohw_preferences_save() - give keys a value in Device_Local.xml, all of them or none.
 * @keys: @count full names, of keys that the description has, or that it leaves to
 *	their defaults (as Offset).
 * @value: as it would be written in the file, of the type that the key has without the Local
 *	layer. A number has a point, whatever the locale.
 *
 * For a joint's calibration, keys are the Offset of both its sensor and its actuator: with one
 * alone the joint would not go where it says it is. Robots that are open do not notice; the
 * next naohw_robot_open() does.
 *
 * The file and its directories are made when they are missing, for all users to read. All else
 * in it stays, comments too; only the space within a tag may not. It is replaced in one step,
 * once it is on the disk: whatever fails, the old one stands. Of a link, the file behind it is
 * replaced. Its group and permissions are kept, and its owner where that is allowed; its ACL is
 * not. Meanwhile the directory is locked (flock()), so several programs, and threads, may save
 * at once. Any thread.
 *
 * Return: 0; -ENOENT no such key (the message has the nearest), or no such description;
 * -EINVAL the value is not of that type or not finite, with it no robot could be opened
 * any more, or a layer is not valid, or the description can have none; -EBUSY another program has
 * had the directory for 5 s; -EAGAIN the path has come to lead to another file meanwhile;
 * -EACCES, -EROFS, -ENOSPC or what else kept the file from being written; -ENOMEM.
 */
NAOHW_API int naohw_preferences_save(const char *description, const char *const *keys,
				     size_t count, const char *value, struct naohw_error *err);

/**
 * naohw_preferences_unset() - take keys out of Device_Local.xml, so that the layers below
 * hold again; all of them or none.
 * Return: as naohw_preferences_save(); -ENOENT also: the layer does not have it; -EINVAL also:
 * it comes out of an entity there.
 */
NAOHW_API int naohw_preferences_unset(const char *description, const char *const *keys,
				      size_t count, struct naohw_error *err);

/* ---- Joints --------------------------------------------------------------- */

/**
 * What a joint's servo can be asked, or a frame holds; everywhere in these units. Angles, and
 * the sign of all that has one, are the joint's, as its keys have them, not its servo's.
 */
enum naohw_quantity {
	NAOHW_QUANTITY_POSITION,    /* rad */
	NAOHW_QUANTITY_GOAL,        /* rad; not in frames */
	NAOHW_QUANTITY_SPEED,       /* rad/s */
	NAOHW_QUANTITY_LOAD,        /* percent of the maximum torque, signed */
	NAOHW_QUANTITY_VOLTAGE,     /* V */
	NAOHW_QUANTITY_TEMPERATURE, /* degree C */
	NAOHW_QUANTITY_CURRENT,     /* A; only in frames, as what follows */
	NAOHW_QUANTITY_AGE,         /* frames since the servo answered: 0 to 255, 255 is "or more" */
	NAOHW_QUANTITY_ALARM,       /* the error byte of its last answer, 0: none */
};

/** naohw_robot_joint_count() - how many joints there are. */
NAOHW_API size_t naohw_robot_joint_count(const struct naohw_robot *robot);

/** naohw_robot_find_joint() - the joint of this label. Return: 0, or -ENOENT. */
NAOHW_API int naohw_robot_find_joint(const struct naohw_robot *robot, const char *label,
				     size_t *joint);

/**
 * naohw_joint_label() - what the overlay and the description call the joint; a servo without a
 * label has the name of its device, "0-005". NULL past the end. Lives as long as the robot.
 */
NAOHW_API const char *naohw_joint_label(const struct naohw_robot *robot, size_t joint);

/** naohw_joint_model() - "ax-12"; NULL when it is not there. Lives as long as the robot. */
NAOHW_API const char *naohw_joint_model(const struct naohw_robot *robot, size_t joint);

/** naohw_joint_iio_id() - "iio:device3"; NULL when it is not there. Lives as long as the robot. */
NAOHW_API const char *naohw_joint_iio_id(const struct naohw_robot *robot, size_t joint);

/** naohw_joint_get_place() - number of its bus, and its ID there. 0; -ENODEV it is not known. */
NAOHW_API int naohw_joint_get_place(const struct naohw_robot *robot, size_t joint,
				    unsigned int *bus, unsigned int *id);

/** naohw_joint_get_version() - its servo's numbers of model and firmware. 0; -ENODEV. */
NAOHW_API int naohw_joint_get_version(const struct naohw_robot *robot, size_t joint,
				      unsigned int *model_number, unsigned int *firmware);

/**
 * naohw_joint_read() - ask the servo itself. Angles and speeds are the joint's as its keys have
 * them, by Gain and Offset of its Position in the description, and a load above 0 drives it to
 * greater angles. Any thread.
 * Return: as naohw_key_read(); -ENOENT when the servo has no such value; -EINVAL no such joint.
 */
NAOHW_API int naohw_joint_read(struct naohw_robot *robot, size_t joint,
			       enum naohw_quantity quantity, double *value,
			       struct naohw_error *err);

/* ---- Frames --------------------------------------------------------------- */

/**
 * A frame is what all servos of all buses said in one period of the bus (IIO devices
 * dxlN-state). The kernel reads it, period after period, and reading one waits for it: a
 * control loop that reads a frame and pushes a pose needs no clock of its own.
 */

/**
 * naohw_frame_settings_new() - how frames are to be read; as if it were not given, until one of
 * the functions below is called. What is out of its range is refused by naohw_frame_open().
 * Return: 0 or -ENOMEM.
 */
NAOHW_API int naohw_frame_settings_new(struct naohw_frame_settings **settings);

/** naohw_frame_settings_free() - frames that were opened with it stay as they are. */
NAOHW_API void naohw_frame_settings_free(struct naohw_frame_settings *settings);

/**
 * naohw_frame_settings_set_quantities() - what of each servo is to be read: bits
 * 1u << NAOHW_QUANTITY_POSITION etc.; 0: all. Age and alarm, which cost nothing, are always there.
 */
NAOHW_API void naohw_frame_settings_set_quantities(struct naohw_frame_settings *settings,
						   unsigned int quantities);

/** naohw_frame_settings_set_depth() - frames kept for a reader that is late, 2 to 1024; else 8. */
NAOHW_API void naohw_frame_settings_set_depth(struct naohw_frame_settings *settings,
					      unsigned int frames);

/**
 * naohw_frame_settings_set_timeout() - the longest wait for a frame of all buses, 1 to 3600000 ms;
 * else 1000, or 4 of the longest period if that is more.
 */
NAOHW_API void naohw_frame_settings_set_timeout(struct naohw_frame_settings *settings,
						unsigned int ms);

/** naohw_frame_settings_set_newest() - 1: a reader that is late skips to the newest frame. */
NAOHW_API void naohw_frame_settings_set_newest(struct naohw_frame_settings *settings, int newest);

/**
 * naohw_frame_open() - have frames of all of the robot's buses read. @settings may be NULL.
 *
 * While they are open, no other program can read frames of these buses. Values of one joint
 * can still be asked for. What changes slowly (voltage, temperature) is not read in each
 * frame, and is 0 until it has been read once. Times are CLOCK_MONOTONIC where the
 * kernel allows, which it is told in the devices' current_timestamp_clock.
 *
 * Return: 0; -ENODEV no bus gives frames, or one has been registered anew since the robot was
 * opened; -EBUSY another program reads them, which this does
 * not disturb; -ENOSPC what is to be read does not fit into the bus's period; -EINVAL a
 * setting is out of its range, or the kernel shows something else than documented; -ENOMEM;
 * or libiio's.
 */
NAOHW_API int naohw_frame_open(struct naohw_robot *robot,
			       const struct naohw_frame_settings *settings,
			       struct naohw_frame **frame, struct naohw_error *err);

/** naohw_frame_close() - have no more frames read. */
NAOHW_API void naohw_frame_close(struct naohw_frame *frame);

/**
 * naohw_frame_read() - wait for the next frame of every bus, at most the time-out for all
 * together; over the network, where libiio can do no better, less than twice that.
 * Where several buses are not in step, older frames of one are passed over until they are, in
 * the same time. Allocates nothing, but when it fails. A signal does not end the wait.
 *
 * Return: 0; -ETIMEDOUT no frame came in time, and the one before stays: read again. (Over the
 * network, and on the way into step, some buses' values may be newer by then.) -ECANCELED by
 * naohw_frame_cancel(). Or what libiio gave, as -ENODEV when the bus is gone.
 */
NAOHW_API int naohw_frame_read(struct naohw_frame *frame, struct naohw_error *err);

/**
 * naohw_frame_try_read() - the next frame of every bus, if it is there; waits for nothing, but
 * for what libiio has to fetch where there is no naohw_frame_fd().
 * Return: 0; -EAGAIN not yet, and the one before stays; else as naohw_frame_read().
 */
NAOHW_API int naohw_frame_try_read(struct naohw_frame *frame, struct naohw_error *err);

/**
 * naohw_frame_fd() - a descriptor for event loops: it can be read (poll(), POLLIN) when it is time
 * for naohw_frame_try_read(), be that still too early, and as long as that has not been called. It
 * is the frame's, and closed with it.
 * Return: 0; -EOPNOTSUPP libiio has none for this context.
 */
NAOHW_API int naohw_frame_fd(const struct naohw_frame *frame, int *fd);

/**
 * naohw_frame_cancel() - end the wait of naohw_frame_read(), or of the next one if there is none.
 * Any thread, and safe in a signal handler. Where there is no naohw_frame_fd(), the wait ends with
 * its time-out.
 */
NAOHW_API void naohw_frame_cancel(struct naohw_frame *frame);

/** naohw_frame_count() - frames read so far; 0: the values are not there yet. */
NAOHW_API uint64_t naohw_frame_count(const struct naohw_frame *frame);

/**
 * naohw_frame_lost() - periods of which no frame came, of all buses together: the kernel was
 * late, or its queue was full. Counted by the frames' times and the trigger's frequency as it
 * was at the opening; 0 where the trigger has none.
 */
NAOHW_API uint64_t naohw_frame_lost(const struct naohw_frame *frame);

/** naohw_frame_skipped() - frames that came and were passed over for a newer one. */
NAOHW_API uint64_t naohw_frame_skipped(const struct naohw_frame *frame);

/**
 * naohw_frame_time() - when the kernel began to read this frame, in ns of its clock; with
 * several buses, the first of them.
 */
NAOHW_API int64_t naohw_frame_time(const struct naohw_frame *frame);

/** naohw_frame_period() - ns from one frame to the next, the longest; 0: not known. */
NAOHW_API int64_t naohw_frame_period(const struct naohw_frame *frame);

/** naohw_frame_has() - 1 if frames have this of the joint, else 0. */
NAOHW_API int naohw_frame_has(const struct naohw_frame *frame, size_t joint,
			      enum naohw_quantity quantity);

/**
 * naohw_frame_get() - a value of a joint in the present frame, in the unit of its quantity; NAN
 * is what frames do not have, and anything before the first frame. As old as the joint's
 * NAOHW_QUANTITY_AGE. Return: 0, or -EINVAL no such joint, with @value as it was.
 */
NAOHW_API int naohw_frame_get(const struct naohw_frame *frame, size_t joint,
			      enum naohw_quantity quantity, double *value);

/**
 * naohw_frame_channel_count() - values that frames have of joints, for who records them as the
 * kernel has them: ordered by bus, ID and quantity. What follows is 0 past the end.
 */
NAOHW_API size_t naohw_frame_channel_count(const struct naohw_frame *frame);

/** naohw_frame_channel_joint() - whose value it is. */
NAOHW_API size_t naohw_frame_channel_joint(const struct naohw_frame *frame, size_t channel);

/** naohw_frame_channel_quantity() - and of what. */
NAOHW_API enum naohw_quantity naohw_frame_channel_quantity(const struct naohw_frame *frame,
							   size_t channel);

/** naohw_frame_channel_bits() - 8, 16 or 32: what the raw value needs. */
NAOHW_API unsigned int naohw_frame_channel_bits(const struct naohw_frame *frame, size_t channel);

/** naohw_frame_channel_is_signed() - 1 or 0. */
NAOHW_API int naohw_frame_channel_is_signed(const struct naohw_frame *frame, size_t channel);

/**
 * naohw_frame_channel_scale() - (raw + offset) * scale is in the unit of the quantity; of an
 * angle, a speed, a load and a current the scale is below 0 where the servo turns against the
 * joint.
 */
NAOHW_API double naohw_frame_channel_scale(const struct naohw_frame *frame, size_t channel);

/** naohw_frame_channel_offset() - see naohw_frame_channel_scale(). */
NAOHW_API double naohw_frame_channel_offset(const struct naohw_frame *frame, size_t channel);

/** naohw_frame_raw() - the value of a channel as the kernel has it; 0 before the first frame. */
NAOHW_API int64_t naohw_frame_raw(const struct naohw_frame *frame, size_t channel);

/** What naohw_realtime() could get. */
struct naohw_realtime {
	int priority; /* of SCHED_FIFO; 0: the scheduling is as it was */
	int locked;   /* 1: all memory is locked and the stack is there */
};

/**
 * naohw_realtime() - make the calling thread one of real time: SCHED_FIFO with @priority (1
 * to 99), and the memory of the whole process locked. What children it has from then on
 * are not. Each of the two may be refused, by the lack of CAP_SYS_NICE and CAP_IPC_LOCK or of
 * the limits RLIMIT_RTPRIO and RLIMIT_MEMLOCK; the other one still holds. @got says which
 * and may be NULL. Any thread.
 * Return: 0 both; -EINVAL no such priority, with nothing done; else why not both.
 */
NAOHW_API int naohw_realtime(int priority, struct naohw_realtime *got, struct naohw_error *err);

/* ---- Store ---------------------------------------------------------------- */

/**
 * A store has the last value of each key of a robot, for any number of readers: other threads,
 * and other processes. One thread puts all values of a frame in at once; readers get them
 * without a lock, never a half of one frame and a half of the next, and never wait for that
 * thread, wherever it has been preempted.
 *
 * Threads: naohw_store_publish() and naohw_store_close() belong to one thread, that of the
 * frame. All other functions of a store may be called by any thread, as long as it is open. A
 * snapshot belongs to one thread at a time.
 */
struct naohw_store;
struct naohw_snapshot;

/** What is known of a value. */
enum naohw_state {
	NAOHW_STATE_ABSENT, /* nothing: no source gives it, or its servo has never answered, or not in
		       * the last 255 frames */
	NAOHW_STATE_FRESH,  /* of the last frame; or a constant */
	NAOHW_STATE_STALE,  /* older: its servo did not answer, or no frame came */
	NAOHW_STATE_FAULTY, /* of the last frame, in which its servo reported a fault */
};

#define NAOHW_TEXT_SIZE 64 /* with the final NUL */

/** A value, which stays readable in every state. */
struct naohw_value {
	enum naohw_key_type type;
	enum naohw_state state;
	int64_t time;	 /* when its source gave it, in ns of CLOCK_MONOTONIC; 0: never, or a
			  * constant */
	double number;	 /* a float; of an int or a bool the same number; else NAN */
	int64_t integer; /* an int; or a bool, 0 or 1; else 0 */
	char text[NAOHW_TEXT_SIZE]; /* a string; else "" */
};

/**
 * naohw_store_open() - a store with a slot for each key of @robot, by name as
 * naohw_robot_key_at() has them. Both the robot and @frame must outlive it.
 *
 * A sensor's Value comes from @frame, if that has the joint of its Label and a value of the kind
 * that its Channel names, with Gain and Offset as in naohw_key_read(): the same number. What has
 * an Attribute is in no frame. Values of actuators are absent: nobody tells them. A voltage or
 * a temperature is absent until it is not 0 for the first time, see naohw_frame_open().
 * Constants of the description are there from the beginning, but for strings that do not fit
 * into a value: they are absent.
 *
 * Return: 0; -EINVAL the robot has more than 32768 keys; -ENOMEM; or why there is no memory
 * that can be shared.
 */
NAOHW_API int naohw_store_open(struct naohw_robot *robot, struct naohw_frame *frame,
			       struct naohw_store **store, struct naohw_error *err);

/**
 * naohw_store_attach() - read the store of another process, which has passed @fd on. It is only
 * read, and nothing that is in it can make this process read elsewhere. @fd may be closed then.
 * Return: 0; -EINVAL it is no store, or one of another version of the library; -ENOMEM; or what
 * the kernel says.
 */
NAOHW_API int naohw_store_attach(int fd, struct naohw_store **store, struct naohw_error *err);

/**
 * naohw_store_close() - end a store, or the reading of one. Its snapshots go first. The readers
 * of other processes keep what they have.
 */
NAOHW_API void naohw_store_close(struct naohw_store *store);

/**
 * naohw_store_publish() - show what the frame has now, and that the writer lives. After each
 * naohw_frame_read(), also one that has failed: what came from frames is stale then.
 * Allocates nothing and takes no lock. Return: 0; -EBADF the store is another process's.
 */
NAOHW_API int naohw_store_publish(struct naohw_store *store);

/**
 * naohw_store_fd() - the store's memory, for naohw_store_attach() in another process. Nobody
 * can write to it or shorten it through that. It is closed with the store.
 */
NAOHW_API int naohw_store_fd(const struct naohw_store *store);

/**
 * naohw_store_generation() - which store it is. One that is opened later on the same machine has
 * a greater number, and its slots may be others.
 */
NAOHW_API uint64_t naohw_store_generation(const struct naohw_store *store);

/** naohw_store_sequence() - how often was published; 0: values are still to come. */
NAOHW_API uint64_t naohw_store_sequence(const struct naohw_store *store);

/**
 * naohw_store_check() - does the writer live? Return: 0; -EOWNERDEAD it has not published for
 * @limit_ms, so it is dead, or hangs; -ESHUTDOWN it has closed the store.
 */
NAOHW_API int naohw_store_check(const struct naohw_store *store, unsigned int limit_ms);

/** naohw_store_slot_count() - how many slots there are; from 0 on, sorted by name. */
NAOHW_API size_t naohw_store_slot_count(const struct naohw_store *store);

/** naohw_store_name() - the key of a slot, NULL past the end. It lives as long as the store. */
NAOHW_API const char *naohw_store_name(const struct naohw_store *store, size_t slot);

/**
 * naohw_store_find() - the slot of a key, by its full name. By a hash; take it once and use it
 * often. Return: 0 or -ENOENT.
 */
NAOHW_API int naohw_store_find(const struct naohw_store *store, const char *name, size_t *slot);

/**
 * naohw_store_read() - the newest value of a slot. Two readings may be of two frames; what
 * belongs together is in a snapshot.
 *
 * Return: 0; -EINVAL no such slot; -EAGAIN the writer was so much faster that 16 attempts were
 * all overtaken, each by seven frames or more: @value is as it was.
 */
NAOHW_API int naohw_store_read(const struct naohw_store *store, size_t slot,
			       struct naohw_value *value);

/** naohw_snapshot_new() - room for a snapshot of a store, which outlives it. 0 or -ENOMEM. */
NAOHW_API int naohw_snapshot_new(const struct naohw_store *store, struct naohw_snapshot **snapshot,
				 struct naohw_error *err);

/** naohw_snapshot_free() - let it go. */
NAOHW_API void naohw_snapshot_free(struct naohw_snapshot *snapshot);

/**
 * naohw_snapshot_take() - all values of the newest frame that was published. Allocates nothing.
 * Return: 0; -EAGAIN as naohw_store_read(): the snapshot is as it was.
 */
NAOHW_API int naohw_snapshot_take(struct naohw_snapshot *snapshot);

/** naohw_snapshot_sequence() - which publishing it is of, from 1 on; 0: of none yet. */
NAOHW_API uint64_t naohw_snapshot_sequence(const struct naohw_snapshot *snapshot);

/** naohw_snapshot_get() - a slot's value in a snapshot. Return: 0, or -EINVAL no such slot. */
NAOHW_API int naohw_snapshot_get(const struct naohw_snapshot *snapshot, size_t slot,
				 struct naohw_value *value);

/* ---- Poses ---------------------------------------------------------------- */

/**
 * A pose is what all joints are to do: to which angle, and how fast.
 *
 * naohw_pose_settings_new() - how a pose is to be opened. Return: 0 or -ENOMEM.
 */
NAOHW_API int naohw_pose_settings_new(struct naohw_pose_settings **settings);

/** naohw_pose_settings_free() - poses that were opened with it stay as they are. */
NAOHW_API void naohw_pose_settings_free(struct naohw_pose_settings *settings);

/**
 * naohw_pose_settings_set_queue() - how many poses the kernel queues for each bus: 2 to 1024;
 * else 4. A loop that pushes one pose for each frame wants 2, so that none waits long.
 */
NAOHW_API void naohw_pose_settings_set_queue(struct naohw_pose_settings *settings,
					     unsigned int poses);

/**
 * naohw_pose_open() - take the goal outputs (IIO devices dxlN-goal) of all of the robot's buses.
 * @settings may be NULL.
 *
 * While a pose is open, no other program can open one on these buses, nor have their joints
 * watched by naohw_key_write(). Nothing moves: joints start with the goal the servo has, or with its
 * present position when its torque is off.
 *
 * Return: 0; -ENODEV there is no goal output, or one has been registered anew since the robot
 * was opened, as when a servo joins; -EBUSY another program holds one, or a lease of its bus, which
 * this does not disturb; -EINVAL a setting is out of its range, or the kernel shows something else
 * than documented; or libiio's.
 */
NAOHW_API int naohw_pose_open(struct naohw_robot *robot, const struct naohw_pose_settings *settings,
			      struct naohw_pose **pose, struct naohw_error *err);

/**
 * naohw_pose_describe() - a pose whose joints can be asked for, and no more: it takes no
 * goal output, asks no servo (goals are the middle) and cannot be pushed (-EBADF).
 * Works while another program moves the robot.
 * Return: as naohw_pose_open(), but never -EBUSY.
 */
NAOHW_API int naohw_pose_describe(struct naohw_robot *robot, struct naohw_pose **pose,
				  struct naohw_error *err);

/** What becomes of pushed poses; the worst of all buses. */
enum naohw_stream {
	NAOHW_STREAM_RUNNING,  /* they leave, one per period */
	NAOHW_STREAM_RECOVERING, /* torque is coming back; they leave all the same */
	NAOHW_STREAM_TRIPPED,	  /* the watchdog has cut the torque, and they are dropped */
};

/**
 * naohw_pose_keep_alive() - tell the kernel that whoever moves the robot is well. An open pose
 * has to be pushed, or this to be called, at least every watchdog_ms (500, see the attribute of
 * dxlN-goal), or the kernel switches the torque of all joints off. Does nothing where the
 * kernel has no such watchdog.
 * Return: 0, -EBADF as naohw_pose_push(), or a negative errno from the kernel.
 */
NAOHW_API int naohw_pose_keep_alive(struct naohw_pose *pose, struct naohw_error *err);

/** naohw_pose_get_stream() - what the kernel does with poses now. Return: as keep_alive. */
NAOHW_API int naohw_pose_get_stream(struct naohw_pose *pose, enum naohw_stream *stream,
				    struct naohw_error *err);

/**
 * naohw_pose_recover() - have the torque back after the watchdog has cut it, which lasts also
 * when the pose was closed since, or its program has died. The goals of all
 * joints become their present positions, which the kernel makes them too, and stiffness
 * comes back within 2 s. Poses may be, and have to
 * be, pushed meanwhile. On a bus that streams, joints that their servos have let go
 * get theirs back, as after a supply that was gone; not those let go by hand. Where one bus
 * cannot, the others do.
 * Return: as naohw_pose_keep_alive(), of the first bus that failed.
 */
NAOHW_API int naohw_pose_recover(struct naohw_pose *pose, struct naohw_error *err);

/**
 * naohw_pose_close() - end the stream, when what was pushed has left all buses, which is waited
 * for half a second at the most. The joints hold the last pose; those that were still getting
 * their torque back are let go.
 */
NAOHW_API void naohw_pose_close(struct naohw_pose *pose);

/** naohw_pose_has() - 1 if the joint can be moved by the pose, else 0. */
NAOHW_API int naohw_pose_has(const struct naohw_pose *pose, size_t joint);

/**
 * naohw_pose_get_limits() - where the joint may be sent, in rad: what its servo accepts, narrowed
 * by Min and Max of its Position/Actuator in the description.
 * Return: 0; -EINVAL no such joint; -ENODEV the pose does not have it.
 */
NAOHW_API int naohw_pose_get_limits(const struct naohw_pose *pose, size_t joint, double *min,
				    double *max);

/** naohw_pose_get_speed_limit() - how fast, in rad/s. Return: as naohw_pose_get_limits(). */
NAOHW_API int naohw_pose_get_speed_limit(const struct naohw_pose *pose, size_t joint,
					 double *speed);

/**
 * naohw_pose_set() - put a goal (rad) and a speed (rad/s) into the pose. The servo gets the
 * nearest it can be told; of the speed the next higher one, so that it arrives in time.
 * Return: 0; -EINVAL no such joint, or not a finite number; -ENODEV the pose does not have it;
 * -ERANGE the goal is outside of its limits, by more than rounding, or the speed is not above 0 or
 * more than its limit.
 */
NAOHW_API int naohw_pose_set(struct naohw_pose *pose, size_t joint, double goal, double speed);

/** naohw_pose_get_goal() - the goal in the pose, in rad. Return: as naohw_pose_get_limits(). */
NAOHW_API int naohw_pose_get_goal(const struct naohw_pose *pose, size_t joint, double *goal);

/**
 * naohw_pose_push() - send the pose: one sync write with goal and speed of all
 * joints on each bus, on the bus's next tick. Waits while a queue is full, for all buses together
 * a second at the most, and keeps the watchdogs of all buses quiet meanwhile. None waits for
 * another's queue, and where one fails the others get theirs.
 * Return: 0; -ETIMEDOUT a queue was full for a second; or a negative errno from the kernel.
 */
NAOHW_API int naohw_pose_push(struct naohw_pose *pose, struct naohw_error *err);

/**
 * naohw_pose_stay() - have a joint stay where it is: that becomes its goal in the pose, within its
 * limits. @frame is looked into first, and may be NULL; what is not in it, or has not answered
 * there, is asked. Return: as naohw_pose_get_limits(); else as naohw_key_read().
 */
NAOHW_API int naohw_pose_stay(struct naohw_pose *pose, size_t joint,
			      const struct naohw_frame *frame, struct naohw_error *err);

/**
 * naohw_pose_restore_speeds() - give every joint its present goal with the speed
 * it had when the pose was opened (or its fastest, where that was "unlimited").
 * Meant for joints at rest. One whose speed could not be read then keeps the one in
 * the pose; if nobody has set it either, and it answers now, its goal becomes its present
 * position. Return: as naohw_pose_push().
 */
NAOHW_API int naohw_pose_restore_speeds(struct naohw_pose *pose, struct naohw_error *err);

struct naohw_axis;

/* ---- Motion files --------------------------------------------------------- */

#define NAOHW_PAGE_IDS	 31
#define NAOHW_PAGE_STEPS 7
#define NAOHW_TICK_MS	 8
/*
 * The count that speed base reckons with, in rad: 1024 for 300 degrees. This belongs to the
 * file formats, whatever the servo; that an AX-12 has the same is where it comes from.
 */
#define NAOHW_COUNT_RAD	 (300.0 / 1024 * 3.14159265358979323846 / 180)

/* Flags in a step's position; the value below them is void when one is set. */
#define NAOHW_POSITION_INVALID	  0x4000u /* keep the goal before */
#define NAOHW_POSITION_TORQUE_OFF 0x2000u /* treated as INVALID */

enum naohw_page_state {
	NAOHW_PAGE_GOOD,    /* can be played */
	NAOHW_PAGE_EMPTY,   /* no steps, or a repeat count of 0 */
	NAOHW_PAGE_ERASED,  /* 512 bytes of 0xff, as flash is when erased */
	NAOHW_PAGE_DAMAGED, /* checksum or values wrong; @why says what */
	NAOHW_PAGE_ZERO,    /* page 0 with steps in it: never played, as 0 means "no page" */
};

struct naohw_page {
	unsigned int number;
	enum naohw_page_state state;
	char name[16];	     /* printable ASCII; other bytes became '?' */
	unsigned int repeat; /* how often the page plays, 1..255 */
	unsigned int steps;  /* 1..7 */
	unsigned int next;   /* page after this one, 0 = end */
	unsigned int exit;   /* page after this one when stopped, 0 = end */
	unsigned int speed;  /* 32 = as written */
	unsigned int accel;  /* ticks; kept, not used: the servo has no such setting */
	int time_base;	     /* 1: step times are times; 0: step times are speeds */
	unsigned char softness[NAOHW_PAGE_IDS]; /* per ID, exponents: CW << 4 | CCW */
	char why[160];	     /* for a damaged page: byte or line, found, expected */
};

struct naohw_step {
	uint16_t position[NAOHW_PAGE_IDS]; /* by ID, counts or a flag */
	unsigned int pause;		   /* ticks, before speed is applied */
	unsigned int time;		   /* ticks (time base) or a speed */
};

/**
 * naohw_motion_load() - read a motion file: binary (1 to 256 pages of 512 bytes) or
 * RoboPlus text ("type=motion", version 1.0 or 1.01, 1 to 255 pages).
 * A binary page with a wrong checksum or value stays, marked as damaged. A text
 * file with a syntax error is refused; of one whose checksum does not match,
 * naohw_motion_checksum_fault() tells.
 *
 * Return: 0; -EINVAL not a motion file (the message has byte or line); -EFBIG too
 * large; -ENOMEM; or why it cannot be read.
 */
NAOHW_API int naohw_motion_load(const char *path, struct naohw_motion **motion,
				struct naohw_error *err);

/** naohw_motion_free() - let a motion file go. Players made from it go first. */
NAOHW_API void naohw_motion_free(struct naohw_motion *motion);

/** naohw_motion_path() - the path it was loaded from. */
NAOHW_API const char *naohw_motion_path(const struct naohw_motion *motion);

/** naohw_motion_is_text() - 1 for the RoboPlus form, 0 for the binary form. */
NAOHW_API int naohw_motion_is_text(const struct naohw_motion *motion);

/**
 * naohw_motion_checksum_fault() - what is wrong with the checksum that a text file ends with:
 * its byte, what was found and what was expected. Somebody has edited the file, or it was
 * damaged in a page that nobody knows. A player refuses it unless it is told otherwise,
 * see naohw_player_ignore_checksum(). In a binary file each page has a checksum of its own,
 * and one that is wrong makes that page NAOHW_PAGE_DAMAGED.
 * Return: the text, which lives as long as the motion; NULL when the checksum is right, or
 * the file has none.
 */
NAOHW_API const char *naohw_motion_checksum_fault(const struct naohw_motion *motion);

/** naohw_motion_page_count() - page numbers run from 0 to this - 1; 0 never plays. */
NAOHW_API unsigned int naohw_motion_page_count(const struct naohw_motion *motion);

/** naohw_motion_get_page() - a copy of a page's header. Return: 0 or -EINVAL. */
NAOHW_API int naohw_motion_get_page(const struct naohw_motion *motion, unsigned int number,
				    struct naohw_page *page);

/** naohw_motion_get_step() - a copy of step @index (0..steps-1). Return: 0 or -EINVAL. */
NAOHW_API int naohw_motion_get_step(const struct naohw_motion *motion, unsigned int number,
				    unsigned int index, struct naohw_step *step);

/**
 * naohw_motion_find_page() - a page's number by number ("12") or by its name.
 * Return: the number; -ENOENT no such page; -EINVAL several pages have this name.
 */
NAOHW_API int naohw_motion_find_page(const struct naohw_motion *motion, const char *page,
				     struct naohw_error *err);

/**
 * naohw_motion_page_ms() - how long one pass of a page takes, pauses included. In
 * speed base the travel before the first step is not known and counted as none.
 * @axes: the servos' scales, for speed base; with NULL counts are NAOHW_COUNT_RAD.
 * Return: milliseconds, or -EINVAL when the page cannot be played.
 */
NAOHW_API long naohw_motion_page_ms(const struct naohw_motion *motion, unsigned int number,
				    const struct naohw_axis *axes, size_t count);

/* ---- Player --------------------------------------------------------------- */

struct naohw_progress {
	unsigned int page;
	const char *name;
	unsigned int pass;     /* 1..passes */
	unsigned int passes;
	unsigned int step;     /* 1..steps */
	unsigned int steps;
	long step_ms;	       /* time of this step's movement */
	long pause_ms;	       /* and of the pause after it */
	long elapsed_ms;       /* since the play began */
	unsigned int too_fast; /* joints whose speed had to be cut to speed_max */
};

struct naohw_play_options {
	double speed;	     /* tempo, 0.01 to 100: 2 is twice as fast; 0 means 1 */
	unsigned int repeat; /* passes of the first page; 0 means the page's own */
	long max_ms;	     /* stop through the exit page after this; 0 = never */
	void *data;	     /* for the callbacks; each may be NULL */
	/* A step was sent. */
	void (*step)(void *data, const struct naohw_progress *progress);
	/* Nothing to do for @free_ms; do a little and come back. Called again and
	 * again until none is left, so it must be a matter of milliseconds. */
	void (*idle)(void *data, long free_ms);
	/* Something the user should know, said once. */
	void (*note)(void *data, const char *text);
};

/** Where the joints were found after a play. */
struct naohw_arrival {
	unsigned int joints;	/* joints that the play moved */
	unsigned int off;	/* of these: not within the tolerance or not readable */
	int worst;		/* largest distance from the goal, in counts */
	const char *worst_label;
	const char *lost_label;	/* a joint that could not be read, or NULL */
	int lost_error;		/* and why: a negative errno */
	long ms;		/* how long it took */
};

/**
 * naohw_player_new() - a player of @motion on @pose. Both must outlive it.
 * Return: 0 or -ENOMEM.
 */
NAOHW_API int naohw_player_new(const struct naohw_motion *motion, struct naohw_pose *pose,
			       struct naohw_player **player, struct naohw_error *err);

/**
 * naohw_player_new_dry() - a player that moves nothing and does not wait: its clock
 * jumps. The servos are @axes (copied), all of them at their middle.
 * Return: 0 or -ENOMEM.
 */
NAOHW_API int naohw_player_new_dry(const struct naohw_motion *motion, const struct naohw_axis *axes,
				   size_t count, struct naohw_player **player,
				   struct naohw_error *err);

/**
 * naohw_player_set_frame() - let a player take its time from frames instead of a clock. While it
 * waits it reads @frame, one after another, and pushes its pose for each; present positions
 * are those in the frame as long as the joint answers. The frame must outlive it, should have
 * the option newest, and nobody else may read it meanwhile; looking at it in the callbacks
 * is fine. Without it, or with NULL, and from when frames fail or four time-outs have passed
 * without one, the player goes by the monotonic clock, pushes its pose every 100 ms, and asks
 * each servo.
 * Return: 0; -EINVAL the player is dry; -ERANGE the frames' period is not known or longer
 * than 50 ms.
 */
NAOHW_API int naohw_player_set_frame(struct naohw_player *player, struct naohw_frame *frame);

/**
 * naohw_player_ignore_checksum() - from now on check and play also a motion with a
 * naohw_motion_checksum_fault(). Damaged pages stay refused.
 */
NAOHW_API void naohw_player_ignore_checksum(struct naohw_player *player);

/** naohw_player_free() - end a player; its pose and its frame stay open. */
NAOHW_API void naohw_player_free(struct naohw_player *player);

/**
 * naohw_player_check() - check a page and all pages reachable from it through next
 * and exit: each must be playable, and each goal within its servo's range.
 * Return: 0; -ENOENT no such page; -EBADMSG a damaged page, or the file has a
 * naohw_motion_checksum_fault() that is not to be ignored; -ENODATA an empty page to begin
 * with; -ERANGE a goal out of range, or a next or exit out of the file.
 */
NAOHW_API int naohw_player_check(struct naohw_player *player, unsigned int page,
				 struct naohw_error *err);

/**
 * naohw_player_play() - check, then play a page and what follows it. Returns when
 * the time of the last step is over. Where a joint cannot be read at the beginning,
 * it is taken to stand at its goal, and noted.
 *
 * Return: 0 played to the end; 1 stopped, through the exit page; -ECANCELED
 * halted; as naohw_player_check(), with nothing moved; -EINVAL the tempo is out of
 * its range; -EPIPE the kernel's watchdog has cut the torque, now or before; or
 * naohw_pose_push()'s.
 */
NAOHW_API int naohw_player_play(struct naohw_player *player, unsigned int page,
				const struct naohw_play_options *options, struct naohw_error *err);

/**
 * naohw_player_stop() - ask for a stop: this pass of the page ends, then its exit
 * page plays. The request lasts until naohw_player_play() or naohw_player_settle()
 * returns. Any thread, and safe in a signal handler.
 */
NAOHW_API void naohw_player_stop(struct naohw_player *player);

/**
 * naohw_player_halt() - stop now: the joints hold where they are. Once they do, their
 * speeds are put back as naohw_pose_restore_speeds() does. A joint that does not answer
 * then goes on to its goal, as fast as the page said. Any thread, and safe in a signal
 * handler.
 */
NAOHW_API void naohw_player_halt(struct naohw_player *player);

/**
 * naohw_player_settle() - wait until every joint that was moved is within
 * @tolerance counts of its goal, at most @timeout_ms. A joint that was seen there is not
 * asked again. Then put the speeds back, as naohw_pose_restore_speeds() does, of all joints
 * but those that did not arrive. A halt makes these hold where they are. @options gives
 * the idle callback and may be NULL.
 * Return: 0 all arrived; -ETIMEDOUT not all; -ECANCELED halted; or naohw_pose_push()'s.
 * @arrival is filled.
 */
NAOHW_API int naohw_player_settle(struct naohw_player *player, int tolerance, long timeout_ms,
				  const struct naohw_play_options *options,
				  struct naohw_arrival *arrival, struct naohw_error *err);

/** naohw_player_axis_count() - axes of the player; its pose's. */
NAOHW_API size_t naohw_player_axis_count(const struct naohw_player *player);

/** naohw_player_get_axis() - describe an axis. Return: 0 or -EINVAL. */
NAOHW_API int naohw_player_get_axis(const struct naohw_player *player, size_t index,
				    struct naohw_axis *axis);

/** naohw_player_get_goal() - the goal of an axis now, in counts. Return: it or -EINVAL. */
NAOHW_API int naohw_player_get_goal(const struct naohw_player *player, size_t index);

/** naohw_player_read_present() - present position in counts. Return: as naohw_key_read(). */
NAOHW_API int naohw_player_read_present(struct naohw_player *player, size_t index, int *counts,
					struct naohw_error *err);

#ifdef __cplusplus
}
#endif

#endif
