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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NAOHW_API __attribute__((visibility("default")))

/** One sentence about the last failure; untouched while calls succeed. It keeps its size. */
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
struct naohw_page;
struct naohw_player;
struct naohw_dcm;
struct naohw_dcm_settings;
struct naohw_dcm_joint;

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
 * with blanks between them): "dxl0", or a directory above that in /sys, whose name stays where
 * numbers may change ("fe201200.serial"). All others are left alone.
 *
 * Return: 0; -ENOENT no such description; -EINVAL it, or a layer, is not valid (the message
 * has the file and line); -EACCES, -EISDIR or what else kept one that is there from being
 * read; -EFBIG one is larger than 16 MiB; -ENOTUNIQ two devices have one label; -ENOMEM; or
 * what libiio gave when the context cannot be made (-ENOENT or -ENODEV: this machine has no IIO
 * devices at all).
 */
NAOHW_API int naohw_robot_open(const char *description, const char *uri,
			       struct naohw_robot **robot, struct naohw_error *err);

/**
 * naohw_robot_describe() - a robot of a description alone, for who wants to know what keys it has,
 * of which type, and which of them can be set. Nothing is asked of this machine, nor needed there:
 * what is not the description's constant answers -ENODEV, and no joint is there.
 * @description: as for naohw_robot_open().
 * @robot: receives the new robot; naohw_robot_close() it.
 * Return: 0; as naohw_robot_open(), but for what libiio gives.
 */
NAOHW_API int naohw_robot_describe(const char *description, struct naohw_robot **robot,
				   struct naohw_error *err);

/**
 * naohw_robot_close() - end a robot. Close its players, stores, frames and poses first. Joints that
 * naohw_key_write() has moved are let go, unless naohw_robot_set_unwatched() was called.
 */
NAOHW_API void naohw_robot_close(struct naohw_robot *robot);

/**
 * naohw_robot_limp() - let all joints go, whoever moves them, also with wheels, and keep them so: the kernel
 * gives no joint torque any more, by poses or by keys, until naohw_dcm_recover(), naohw_pose_recover() or
 * "naohw recover". Commands that the DCM of the robot has for joints then are dropped, and so are the
 * ends of naohwd's leases. A robot that stands falls. A robot in the network, too.
 *
 * When a program begins or ends to move the robot, the kernel registers the device of a bus anew.
 * The function waits up to two seconds for it, after it has let go the joints of all other buses.
 * In the network it does not wait: open the robot again.
 *
 * Return: 0, all joints of all buses are told; -ENODEV the robot has no bus with joints, or the
 * device of a bus has not come; -EACCES this program may not; -EOPNOTSUPP the kernel's driver is
 * too old; -ENOMEM; or a negative errno from the kernel. The message names the buses that failed;
 * the joints of the others are let go.
 */
NAOHW_API int naohw_robot_limp(struct naohw_robot *robot, struct naohw_error *err);

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

/**
 * naohw_robot_body() - has the board that keeps Body's layer told it when the robot was opened?
 * Where it has not, the robot is as Device_Body.xml says, and could be opened all the same.
 * Return: 0 it has; -ENODEV the description names none, or it is not on this machine; -ENODATA it
 * keeps nothing yet; -EUCLEAN neither of its copies is whole, and the message, which is for the
 * user, says what to do; -EBUSY another program streams; or what else kept it from being read.
 */
NAOHW_API int naohw_robot_body(const struct naohw_robot *robot, struct naohw_error *err);

/**
 * naohw_robot_path() - path of the description that was read, without its layers: an absolute one,
 * which holds in whatever directory the program is by now.
 */
NAOHW_API const char *naohw_robot_path(const struct naohw_robot *robot);

/* ---- Keys ----------------------------------------------------------------- */

enum naohw_key_type {
	NAOHW_KEY_FLOAT,
	NAOHW_KEY_INT,
	NAOHW_KEY_STRING,
	NAOHW_KEY_BOOL, /* a constant of the description: 1 or 0, or "true" or "false" */
};

/** In kg: a foot that carries less is off the ground, and has its CenterOfPressure at 0. */
#define NAOHW_FOOT_NOTHING 0.05

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

/**
 * naohw_robot_nearest_key() - the key whose name is the nearest to one that is none, to be told to
 * who has written that. It looks at all keys, which takes its time. Capitals are no other letters.
 * Return: how many characters are to be put in, taken out or changed; -ENOENT none is nearer
 * than a third of the name's length.
 */
NAOHW_API int naohw_robot_nearest_key(const struct naohw_robot *robot, const char *name,
				      struct naohw_key **key);

/** naohw_key_name() - the key's full name. */
NAOHW_API const char *naohw_key_name(const struct naohw_key *key);

/** naohw_key_get_type() - what the key holds. Every .../Value is a float. */
NAOHW_API enum naohw_key_type naohw_key_get_type(const struct naohw_key *key);

/** naohw_key_is_writable() - 1 for the Value of an actuator and what a board keeps, else 0. */
NAOHW_API int naohw_key_is_writable(const struct naohw_key *key);

/**
 * naohw_key_is_wiring() - 1 for a constant by which the description tells this library where
 * values come from and go to, as a Label, a Channel or a KeyType, or what the body is and bears: its
 * chains, a Rest, a SpeedMax, an AccelerationMax, a MotionOffset, a Severity. NAO has none of
 * these, stores do not have them, and programs that show keys to people may leave them out. Else 0.
 */
NAOHW_API int naohw_key_is_wiring(const struct naohw_key *key);

/**
 * naohw_key_read() - read a number.
 *
 * The device value is the channel in IIO's own unit: rad for angl, rad/s for
 * anglvel, millidegree C for temp, mV for voltage; for a channel with an Attribute
 * the number of that attribute, with a Bit 1 or 0. Of a light it is 0 to 1 of its highest
 * level, or -1 where one near a touch sensor is to stay dark; of a button 1 while it is pressed, of
 * a battery what its file says; of a buzzer the Hz of the tone of this robot that sounds now, or 0,
 * and the seconds that its tones last. A sensor gives device value * Gain + Offset. An actuator
 * gives the last goal the servo got, converted back the same way. One that has an Enable attribute
 * and is switched off gives 0. Any thread.
 * A foot's CenterOfPressure is 0 while that carries less than NAOHW_FOOT_NOTHING.
 * The other keys (Gain, Offset, Min, Max, SubDeviceNumber) come from the description; a
 * bool gives 1 or 0.
 *
 * Return: 0; -ENODEV the device is not there; -ENOENT it is, and has no such thing, as a
 * battery of another make; -EINVAL the key is a string; else
 * what the kernel said: -ETIMEDOUT the servo does not answer, -EBADMSG its answer
 * was broken, -EIO or -EREMOTEIO it reported a fault.
 */
NAOHW_API int naohw_key_read(struct naohw_key *key, double *value, struct naohw_error *err);

/**
 * naohw_key_read_string() - any key as text; a string key as it is, a whole number with all its
 * digits, any other in the shortest form that tells its value, a bool as "true" or "false". @size
 * counts the final NUL.
 * What a device has is UTF-8 in one line: a byte that fits into neither is a "?".
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
 * A buzzer's Frequency begins a tone, in place of the one before; 0 ends it. It also ends when its
 * Duration in s, which is 0.5 or what was set last, has passed; when the robot is closed; and when
 * the program dies. This returns at once.
 *
 * From the first one on the kernel watches, see naohw_robot_keep_alive(); over the network
 * it cannot.
 *
 * Return: 0; -EBUSY another program moves the robot, or is to, as naohw_pose_open() has it; -EPIPE
 * the kernel has let the joints go since the last time, as no sign of life came: nothing is
 * written; -EACCES it is not to be set, and the message says why; -EINVAL not a finite number, or
 * the key is a string, or no tone has this frequency or duration; -ERANGE outside of what the servo
 * accepts; -EREMOTEIO the servo refuses it, as a NAO's motor does torque for a joint that is not
 * calibrated, which the message says then; else as naohw_key_read().
 */
NAOHW_API int naohw_key_write(struct naohw_key *key, double value, struct naohw_error *err);

/**
 * naohw_key_go() - have a joint take its time to a goal: give the servo the speed (Moving Speed, Profile
 * Velocity) with which it is there from where it is in @seconds, and then the goal, as naohw_key_write()
 * does. The servo keeps that speed until naohw_key_put_speed_back(). A servo has steps of speed: slower
 * than the lowest of them, which for an AX-12 is 0.7 degrees/s, it cannot go.
 * @seconds: above 0.
 * @speed_before: receives what the servo had before, in its counts.
 * Return: 0; -ENOTSUP the key is no Position/Actuator, or the servo has no speed to a goal in its mode;
 * -ERANGE the servo cannot go so fast, and the message says what it takes; as naohw_key_write(). Of what
 * fails the speed is as before.
 */
NAOHW_API int naohw_key_go(struct naohw_key *key, double value, double seconds, int *speed_before,
			   struct naohw_error *err);

/**
 * naohw_key_way() - how far its servo is from its goal, in rad; 0 as soon as it is as near as it has to
 * be under the robot's own weight (naohw_dcm_joint_sag()). Return: 0; as naohw_key_go().
 */
NAOHW_API int naohw_key_way(struct naohw_key *key, double *rad, struct naohw_error *err);

/** naohw_key_stay() - have a joint stop where it is. Return: 0; as naohw_key_go(). */
NAOHW_API int naohw_key_stay(struct naohw_key *key, struct naohw_error *err);

/**
 * naohw_key_put_speed_back() - give its servo the speed of before. An AX-12 that is still on its way goes
 * on with that. Return: 0; as naohw_key_go().
 */
NAOHW_API int naohw_key_put_speed_back(struct naohw_key *key, int speed_before,
				       struct naohw_error *err);

/**
 * naohw_key_bounded() - what naohw_key_write() makes of a value first: the nearest one that is in
 * Min..Max. The value itself, if it is or if the key cannot be written as a number.
 */
NAOHW_API double naohw_key_bounded(const struct naohw_key *key, double value);

/**
 * naohw_key_write_string() - give any key that can be set what a text says.
 *
 * A number is as files have it, whatever the locale, with nothing behind it, and is then given as
 * naohw_key_write() does. A string is a text that a board keeps without power, as its
 * BodyNickName: as it is, UTF-8 in one line. A NAO's chest writes for 9 ms a byte, and so long
 * does this wait.
 *
 * Return: 0; -EINVAL @text is no number, or no such line; -EMSGSIZE the board has no room for
 * so much, and keeps what it has; -EACCES the key cannot be set, or only root may; -EIO the board
 * has not taken all of it; else as naohw_key_write().
 */
NAOHW_API int naohw_key_write_string(struct naohw_key *key, const char *text,
				     struct naohw_error *err);

/* ---- Preferences ---------------------------------------------------------- */

/*
 * The constants of a description without a robot: what each is, and which file says so. Below,
 * a description is named as for naohw_robot_open(), and NULL is the default.
 */

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

/** naohw_preferences_key() - the full name of the one at @index, from 0; NULL past the end. */
NAOHW_API const char *naohw_preferences_key(const struct naohw_preferences *preferences,
					    size_t index);

/** naohw_preferences_type() - what it holds; past the end a string. */
NAOHW_API enum naohw_key_type naohw_preferences_type(const struct naohw_preferences *preferences,
						     size_t index);

/** naohw_preferences_is_wiring() - as naohw_key_is_wiring(); past the end 0. */
NAOHW_API int naohw_preferences_is_wiring(const struct naohw_preferences *preferences,
					  size_t index);

/** naohw_preferences_text() - its value as it is written there; NULL past the end. */
NAOHW_API const char *naohw_preferences_text(const struct naohw_preferences *preferences,
					     size_t index);

/**
 * naohw_preferences_number() - its value as a number: of a bool 1 or 0, of a string 0, and
 * so past the end.
 */
NAOHW_API double naohw_preferences_number(const struct naohw_preferences *preferences,
					  size_t index);

/** naohw_preferences_path() - the file that it comes from, of all layers; NULL past the end. */
NAOHW_API const char *naohw_preferences_path(const struct naohw_preferences *preferences,
					     size_t index);

/**
 * naohw_preferences_line() - its line in that file, from 1; of what comes out of an entity, the
 * line where that is used. 0 past the end.
 */
NAOHW_API long naohw_preferences_line(const struct naohw_preferences *preferences, size_t index);

/**
 * naohw_preferences_layer() - which layer it comes from, a board's being Body's.
 * Return: an enum naohw_layer; -ENOENT the description itself says it, or past the end.
 */
NAOHW_API int naohw_preferences_layer(const struct naohw_preferences *preferences, size_t index);

/**
 * naohw_preferences_body() - read all that the body's board keeps now, which may take a second:
 * both copies of Body's layer, of which one is there in case the power goes while the other is
 * written.
 * @generation: receives that of the copy that holds, if one does: how often it has been written.
 * Return: 0 all is well; 1 the other copy is broken, which the next one that saves mends; else as
 * naohw_robot_body().
 */
NAOHW_API int naohw_preferences_body(const struct naohw_preferences *preferences,
				     uint32_t *generation, struct naohw_error *err);

/**
 * naohw_preferences_find() - where the one of this key is, by its full name.
 * @index: receives that; when there is none, it is as it was.
 * Return: 0, or -ENOENT; the message has the nearest key, or says that the key is left to its
 * default.
 */
NAOHW_API int naohw_preferences_find(const struct naohw_preferences *preferences, const char *key,
				     size_t *index, struct naohw_error *err);

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
 * What NAO's maker says is not to be changed is not saved, in no layer: of a sub-device its Type,
 * Device, SubDeviceNumber, jointZeroPosition and what its motor board is configured with, of a
 * device its Type, Bus and Address; nor is what is counted, Ack, Nack and Error. Limits (Min, Max)
 * are. Where a layer says it all the same, written by hand, it holds, and can be taken out.
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
 * -EACCES a key is not to be changed, and the message says why; -EACCES, -EROFS, -ENOSPC or what
 * else kept the file from being written; -ENOMEM.
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

/** What a constant belongs to that is not of the type of robot. */
enum naohw_layer {
	NAOHW_LAYER_HEAD,  /* Device_Head.xml: this head, on whatever body it is */
	NAOHW_LAYER_BODY,  /* Device_Body.xml: this body, whatever head is on it */
	NAOHW_LAYER_LOCAL, /* Device_Local.xml: the two together */
};

/**
 * naohw_preferences_save_each() - as naohw_preferences_save(), in any of the layers, with a value
 * for each key.
 * @layer: whose file is changed, and of Body what its board keeps, if the description names
 *	one that is there: that first, which takes up to two seconds. A key's type is that which
 *	it has below this layer; what a layer over it says of the key goes on to hold.
 * @keys: @count full names.
 * @values: as many; NULL for a key that is taken out of the layer, as
 *	naohw_preferences_unset() does.
 * Return: as naohw_preferences_save() and naohw_preferences_unset(); -EINVAL also: there is no
 * such layer; -EBUSY also: the board's bus streams; -EFBIG also: it is too much for the board;
 * -EACCES also: only root may write to it; -EIO or what else the kernel says of the board.
 */
NAOHW_API int naohw_preferences_save_each(const char *description, enum naohw_layer layer,
					  const char *const *keys, const char *const *values,
					  size_t count, struct naohw_error *err);

/**
 * naohw_preferences_restore() - have the body's board keep what Device_Body.xml says, whatever it
 * keeps now: on a new board, or one whose two copies are both broken.
 * Return: as naohw_preferences_save_each() with NAOHW_LAYER_BODY; -ENODEV the description names no
 * such board, or it is not on this machine; -ENOENT also: there is no such file.
 */
NAOHW_API int naohw_preferences_restore(const char *description, struct naohw_error *err);

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
	NAOHW_QUANTITY_CURRENT,     /* A */
	/* In frames only: frames since the servo answered, 255 is "or more"; */
	NAOHW_QUANTITY_AGE,
	/* and the error byte of its last answer, 0: none */
	NAOHW_QUANTITY_ALARM,
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
 * Why a joint does not move, or does less than it is told; dcm.rst lists all of them. The library makes
 * it, the texts are constant, and a later release may add members at the end.
 */
struct naohw_reason {
	const char *word;   /* as DCM/Guard/LABEL has it; "": nothing keeps it from what it is told */
	const char *what;   /* has happened, for people */
	const char *remedy; /* what to do; NULL: it passes by itself */
	int is_fault;	    /* 0: it is so on purpose, or passes */
};

/**
 * naohw_joint_reason() - why does a joint not move? Any thread. Of several reasons it tells the one
 * with which a person has to begin; dcm.rst has their order. Of a servo that does not answer it
 * tells what the last scan of the bus has found (*scan* in maintenance.rst).
 * @dcm: of this robot; its key DCM/Guard/LABEL is what counts then. NULL: there is none, and kernel and
 *	servo are asked, which waits for the bus as naohw_joint_read() does. "limp", that a person
 *	has let the robot go (naohw_robot_limp()), is told in either case.
 * Return: the reason, never NULL.
 */
NAOHW_API const struct naohw_reason *naohw_joint_reason(const struct naohw_robot *robot,
							const struct naohw_dcm *dcm, size_t joint);

/**
 * naohw_servo_reason() - the same of a servo without its robot, of which no description need be
 * there. If the servo does not answer, the last scan of its bus counts as one that was made just
 * now. It does not tell "limp", which is a state of the whole bus: the servo is "tripped" then.
 * @directory: of its IIO device in /sys, open.
 * @is_wheel: 1: it is to turn, so a mode without goal positions is none of the reasons.
 */
NAOHW_API const struct naohw_reason *naohw_servo_reason(int directory, int is_wheel);

/** naohw_reason_of() - what a text of DCM/Guard/LABEL means: never NULL. */
NAOHW_API const struct naohw_reason *naohw_reason_of(const char *word);

/**
 * naohw_joint_read_torque() - what the kernel knows of the torque of the joint's servo, in its word:
 * "stiff", "free", "tripped"; cycle.rst lists them. The servo is not asked. Any thread.
 * @text: receives the word, cut to @size bytes.
 * Return: 0; -EINVAL no such joint; -ENODEV the joint is not there; -ENOENT its driver does not tell.
 */
NAOHW_API int naohw_joint_read_torque(const struct naohw_robot *robot, size_t joint, char *text,
				      size_t size);

/**
 * naohw_joint_read() - ask the servo itself. Angles and speeds are the joint's as its keys have
 * them, by Gain and Offset of its Position in the description, and a load above 0 drives it to
 * greater angles. Any thread.
 * Return: as naohw_key_read(); -ENOENT when the servo has no such value; -EINVAL no such joint.
 */
NAOHW_API int naohw_joint_read(struct naohw_robot *robot, size_t joint,
			       enum naohw_quantity quantity, double *value,
			       struct naohw_error *err);

/* ---- Chains --------------------------------------------------------------- */

/**
 * A chain is what of a body moves together, by NAO's names: Head, LArm, RArm, LLeg, RLeg, Legs
 * (both) and Body, which is all joints. The description has each with its joints in their order
 * from the trunk on. A joint may be in several: a NAO's LHipYawPitch is in both legs. All of this
 * is the description's, and so is there as well for a robot of naohw_robot_describe().
 */

/** naohw_robot_chain_count() - how many chains the description has; they are sorted by name. */
NAOHW_API size_t naohw_robot_chain_count(const struct naohw_robot *robot);

/** naohw_robot_find_chain() - the number of the chain of this name. Return: 0, or -ENOENT. */
NAOHW_API int naohw_robot_find_chain(const struct naohw_robot *robot, const char *name,
				     size_t *chain);

/** naohw_chain_name() - "LArm". NULL past the end. Lives as long as the robot. */
NAOHW_API const char *naohw_chain_name(const struct naohw_robot *robot, size_t chain);

/** naohw_chain_joint_count() - how many joints a chain has, 1 or more; 0: there is no such chain. */
NAOHW_API size_t naohw_chain_joint_count(const struct naohw_robot *robot, size_t chain);

/**
 * naohw_chain_joint() - the label of the joint at @index, from 0, as naohw_joint_label() has it.
 * Whether a servo is there, naohw_robot_find_joint() and naohw_joint_model() tell.
 * NULL past the end. Lives as long as the robot.
 */
NAOHW_API const char *naohw_chain_joint(const struct naohw_robot *robot, size_t chain,
					size_t index);

/**
 * naohw_chain_get_rest() - where the joint at @index is in the chain's safe posture, in which it
 * can be let go: rad, as its keys have it, within its Min and Max. A robot's own safe posture is
 * that of Body.
 * Return: 0; -ENODATA the description does not say; -EINVAL there is no such joint.
 */
NAOHW_API int naohw_chain_get_rest(const struct naohw_robot *robot, size_t chain, size_t index,
				   double *angle);

/* ---- Severity ------------------------------------------------------------- */

/** How much a robot loses with a device, by the words of NAO's diagnosis. */
enum naohw_severity {
	NAOHW_SEVERITY_NEGLIGIBLE, /* nothing else is affected */
	/* a joint: the chains that have it are to be limp; a sensor: what relies on it is off */
	NAOHW_SEVERITY_SERIOUS,
	NAOHW_SEVERITY_CRITICAL, /* the robot is to rest, and stay so */
};

/**
 * naohw_robot_get_severity() - what the description says of a device.
 * @name: of a device ("LeftHipBoard"), or of what hangs on one: a joint ("LHipRoll"), a sensor
 *	("InertialSensor", "US/Left/Sensor"). What is not said of that itself, or at a level above,
 *	is said of its device.
 *
 * The library itself does nothing with it.
 * Return: 0; -ENODATA the description does not say; -ENOENT it has no such device.
 */
NAOHW_API int naohw_robot_get_severity(const struct naohw_robot *robot, const char *name,
				       enum naohw_severity *severity);

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

/**
 * naohw_frame_settings_set_depth() - frames kept for a reader that is late, 2 to 1024; without this
 * call 8.
 */
NAOHW_API void naohw_frame_settings_set_depth(struct naohw_frame_settings *settings,
					      unsigned int frames);

/**
 * naohw_frame_settings_set_timeout() - the longest wait for a frame of all buses, 1 to 3600000 ms;
 * without this call 1000, or 4 of the longest period if that is more.
 */
NAOHW_API void naohw_frame_settings_set_timeout(struct naohw_frame_settings *settings,
						unsigned int ms);

/** naohw_frame_settings_set_newest() - 1: a reader that is late skips to the newest frame. */
NAOHW_API void naohw_frame_settings_set_newest(struct naohw_frame_settings *settings, int newest);

/**
 * naohw_frame_open() - have frames of all of the robot's buses read. @settings may be NULL.
 *
 * Over the network the time-out is also that of all else that is asked of the robot, as libiio
 * has but one. While they are open, no other program can read frames of these buses. Values of
 * one joint can still be asked for. What changes slowly (voltage, temperature) is not read in each
 * frame, and is 0 until it has been read once. Times are CLOCK_MONOTONIC where the
 * kernel allows, which it is told in the devices' current_timestamp_clock.
 *
 * Return: 0; -ENODEV no bus gives frames, or one has been registered anew since the robot was
 * opened; -EBUSY another program reads them, which this does not disturb (one with libnaohw is
 * named), or the unit of a naohwd is enabled, which so has the robot (dcm.rst); -ENOSPC what is to
 * be read does not fit into the bus's period; -ENOTUNIQ two servos have one label; -EINVAL a
 * setting is out of its range, or the kernel shows something else than documented; -ENOMEM; or
 * what the kernel or libiio gave.
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
 * Return: 0; -ETIMEDOUT no frame of all came in time, and the one before stays: read again; what
 * has come of some buses waits for the others. -ECANCELED by naohw_frame_cancel(). -ENODEV the bus
 * is gone. Or what the kernel or libiio gave.
 */
NAOHW_API int naohw_frame_read(struct naohw_frame *frame, struct naohw_error *err);

/**
 * naohw_frame_try_read() - the next frame of every bus, if it is there; waits for nothing, but
 * for what libiio has to fetch where there is no naohw_frame_fd().
 * Return: 0; -EAGAIN not yet, and the one before stays; -ENODEV a bus is gone, which is looked
 * for when the time-out is over; else as naohw_frame_read().
 */
NAOHW_API int naohw_frame_try_read(struct naohw_frame *frame, struct naohw_error *err);

/**
 * naohw_frame_fd() - a descriptor for event loops: it can be read (poll(), POLLIN) when it is time
 * for naohw_frame_try_read(), be that still too early, and as long as that has not been called. It
 * is the frame's, and closed with it. That a bus is gone need not show in it: a loop should call
 * that function after a time without any, too.
 * Return: 0; -EOPNOTSUPP there is none, as the robot is on another machine.
 */
NAOHW_API int naohw_frame_fd(const struct naohw_frame *frame, int *fd);

/**
 * naohw_frame_cancel() - end the wait of naohw_frame_read(), or of the next one if there is none.
 * Any thread, and safe in a signal handler. Where there is no naohw_frame_fd(), the wait ends with
 * a frame, or with its time-out.
 */
NAOHW_API void naohw_frame_cancel(struct naohw_frame *frame);

/** naohw_frame_count() - frames read so far; 0: the values are not there yet. */
NAOHW_API uint64_t naohw_frame_count(const struct naohw_frame *frame);

/**
 * naohw_frame_lost() - periods of which no frame came, of all buses together: the kernel was
 * late, or its queue was full. Counted by the frames' times and the trigger's frequency as
 * this library knows it, from the opening on; 0 where the trigger has none.
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
 * naohw_frame_has_key() - 1 if frames have the Value that this key of their robot is, or all that a
 * Formula is reckoned from, so that a store has it anew with each of them; else 0. It is looked
 * for, which takes its time.
 */
NAOHW_API int naohw_frame_has_key(const struct naohw_frame *frame, const struct naohw_key *key);

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

/* ---- Real time ------------------------------------------------------------ */

/**
 * naohw_realtime_schedule() - make the calling thread one of real time: SCHED_FIFO with
 * @priority (1 to 99). What children it has from then on are not. Any thread.
 * Return: 0; -EINVAL no such priority; -EPERM neither CAP_SYS_NICE nor the limit RLIMIT_RTPRIO
 * allows it. What fails leaves the scheduling as it was.
 */
NAOHW_API int naohw_realtime_schedule(int priority, struct naohw_error *err);

/**
 * naohw_realtime_lock() - lock the memory of the whole process, what it will have too, and have
 * 64 KiB of the calling thread's stack there, so that no loop waits for a page. Any thread. What is
 * mapped of a file by then, privately and only to be read, in a piece of 4 MiB or more, as tables
 * of libraries are, is locked page by page, when it is read.
 * Return: 0; -EPERM or -ENOMEM neither CAP_IPC_LOCK nor the limit RLIMIT_MEMLOCK allows it.
 */
NAOHW_API int naohw_realtime_lock(struct naohw_error *err);

/* ---- Store ---------------------------------------------------------------- */

/**
 * A store has the last value of each key of a robot, for any number of readers: other threads,
 * and other processes. One thread puts all values of a frame in at once; readers get them
 * without a lock, never a half of one frame and a half of the next, and never wait for that
 * thread, wherever it has been preempted.
 *
 * Threads: naohw_store_publish() and naohw_store_close() belong to one thread, that of the
 * frame. All other functions of a store may be called by any thread, as long as it is open. Of
 * these naohw_store_wait() alone may be under way when the store is closed. A snapshot belongs to
 * one thread at a time.
 */
struct naohw_store;
struct naohw_snapshot;

/** What is known of a value. */
enum naohw_state {
	NAOHW_STATE_ABSENT, /* nothing: no source gives it, or its servo has never answered, or not in
		       * the last 255 frames */
	NAOHW_STATE_FRESH,  /* of the last frame, or what a slow source said last; or a constant */
	NAOHW_STATE_STALE,  /* older: its source did not answer, or no frame came */
	NAOHW_STATE_FAULTY, /* of the last answer, in which its source reported a fault */
};

#define NAOHW_TEXT_SIZE 64 /* with the final NUL */

/** A value, which stays readable in every state. Programs make it, and so it keeps its size. */
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
 * naohw_robot_key_at() has them, but for wiring (naohw_key_is_wiring()). What sub-devices have of
 * their device, Ack, Nack and Error, is in it by the device's name alone. Both the robot and @frame
 * must outlive it.
 *
 * A sensor's Value comes from @frame, if that has its Channel, or its Attribute as a count, with
 * Gain and Offset as in naohw_key_read(): the same number. A Formula is reckoned from what its sensors
 * have then. All else (other attributes, files of batteries, memories, what no frame has) a thread of
 * the store's reads once a second, and a button's when it is pressed or let go; a source that says
 * -ENODEV or -ENOENT is not asked again, but for a button, whose device may come, or come back. Values
 * of actuators are absent: nobody tells them. A voltage or a temperature is absent until it is not 0
 * for the first time, see naohw_frame_open().
 * Constants of the description are there from the beginning, but for strings that do not fit
 * into a value: they are absent.
 *
 * Return: 0; -EINVAL the robot has more than 32768 keys; -ENOMEM; or why there is no memory
 * that can be shared, or no thread.
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
 * naohw_store_close() - end a store, or the reading of one. Its snapshots go first. Each
 * naohw_store_wait() that is under way returns -ESHUTDOWN, which this waits for; a thread that may
 * call it once more is to be told before. The readers of other processes keep what they have. A
 * DCM's store is closed by naohw_dcm_close() alone.
 */
NAOHW_API void naohw_store_close(struct naohw_store *store);

/**
 * naohw_store_publish() - show what the frame has now, and that the writer lives. After each
 * naohw_frame_read(), also one that has failed: what came from frames is stale then.
 * Allocates nothing and takes no lock. Return: 0; -EBADF the store is another process's, or that of
 * a DCM, whose cycle publishes.
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

/** A writer that has published nothing for so long is not waited for. */
#define NAOHW_STORE_DEAD_MS 1000

/**
 * naohw_store_wait() - wait for what is published next, in any thread of any process that has the
 * store, without asking again and again. The writer does not wait for those who wait.
 * @sequence: naohw_store_sequence() as it is known, 0 for none; receives another one, and at once
 *	if there is one already. What was published in between is missed.
 * @timeout_ms: of CLOCK_MONOTONIC.
 * Return: 0; -ETIMEDOUT; -ESHUTDOWN the writer has closed the store, or another thread of this
 * process closes it here; -EOWNERDEAD the writer has published
 * nothing for NAOHW_STORE_DEAD_MS, so it is dead, or hangs. What fails leaves @sequence as it was.
 */
NAOHW_API int naohw_store_wait(const struct naohw_store *store, uint64_t *sequence,
			       unsigned int timeout_ms);

/**
 * naohw_store_wake() - wake all who wait for what is published next, or see at once that it has been.
 * Whoever publishes wakes 32, and each of them as many, so that publishing takes no longer for
 * thousands; but where these are a program's that does not do so, others look for themselves only after
 * 250 ms. A host that serves strangers calls this after each cycle, from a thread that may
 * take longer. Any thread. Return: how many that were.
 */
NAOHW_API int naohw_store_wake(const struct naohw_store *store);

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

/**
 * naohw_snapshot_new() - room for a snapshot of a store, which outlives it.
 * Return: 0 or -ENOMEM.
 */
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

/* ---- Messages ------------------------------------------------------------- */

/**
 * Messages are what a robot senses, by kind: those of ROS' nao_sensor_msgs, in SI units and by
 * NAO's axes, where x is forward, y to the left and z up. All of them are made of one snapshot, and
 * so of one frame. They are the same for all robots, and a robot has those of their fields whose
 * keys it has.
 *
 * A float is NAN, a bool false, a status NAOHW_STATUS_UNKNOWN and a text "" where nobody knows it
 * (NAOHW_STATE_ABSENT): no source has told it yet, or none has for long. What a robot has no
 * source for, as z of a NAO's gyroscope, the ID of its head, or WristYaw of a Bioloid, is so for
 * ever. What is old is still there. Each message begins with a state, which tells that.
 *
 * The library makes messages, and programs read them where they are. So a message may become
 * longer at its end, and programs that are there still find in it what they know. They may copy
 * one, but have no arrays of what the library gives.
 *
 * Threads: messages belong to one thread at a time, which need not be that of the store.
 */
struct naohw_messages;

/* More than any message has */
#define NAOHW_MESSAGE_FIELDS 32

/** What is known of a message. Each begins with it, and so it keeps its size. */
struct naohw_message_state {
	enum naohw_state all; /* the worst of the fields that the robot has: fresh, faulty, stale,
			       * absent, which it also is if it has none of them */
	enum naohw_state each[NAOHW_MESSAGE_FIELDS]; /* of the fields, in their order; of joints in
						      * that of enum naohw_nao_joint */
	int64_t time; /* when the newest of them was told, in ns of CLOCK_MONOTONIC; 0: none, or
		       * they are constants */
};

/** What keeps the robot from falling freely, so that z is +9.8 when it stands. */
struct naohw_accelerometer {
	struct naohw_message_state state;
	float x; /* m/s2 */
	float y;
	float z;
};

/** How the torso leans, as the robot reckons it; 0 is upright. */
struct naohw_angle {
	struct naohw_message_state state;
	float x; /* rad; above 0 to the right */
	float y; /* rad; above 0 forward */
};

struct naohw_battery {
	struct naohw_message_state state;
	float charge;	   /* percent, 0 to 100 */
	bool charging;	   /* more flows into it than out of it */
	float current;	   /* A; above 0 into it, below 0 out of it */
	float temperature; /* degree C */
};

/** True is pressed. Left and right are the robot's. */
struct naohw_buttons {
	struct naohw_message_state state;
	bool chest;
	bool l_foot_bumper_left;
	bool l_foot_bumper_right;
	bool r_foot_bumper_left;
	bool r_foot_bumper_right;
};

/** What each of the sensors under the feet carries. Left and right are the robot's. */
struct naohw_fsr {
	struct naohw_message_state state;
	float l_foot_front_left; /* kg */
	float l_foot_front_right;
	float l_foot_back_left;
	float l_foot_back_right;
	float r_foot_front_left;
	float r_foot_front_right;
	float r_foot_back_left;
	float r_foot_back_right;
};

/** How fast the torso turns about each axis, by the right-hand rule. */
struct naohw_gyroscope {
	struct naohw_message_state state;
	float x; /* rad/s */
	float y;
	float z;
};

/**
 * Joints as messages have them, which is no joint's number in its robot. RHipYawPitch is
 * LHipYawPitch, as one motor turns both.
 */
enum naohw_nao_joint {
	NAOHW_NAO_HEAD_YAW,
	NAOHW_NAO_HEAD_PITCH,
	NAOHW_NAO_L_SHOULDER_PITCH,
	NAOHW_NAO_L_SHOULDER_ROLL,
	NAOHW_NAO_L_ELBOW_YAW,
	NAOHW_NAO_L_ELBOW_ROLL,
	NAOHW_NAO_L_WRIST_YAW,
	NAOHW_NAO_L_HIP_YAW_PITCH,
	NAOHW_NAO_L_HIP_ROLL,
	NAOHW_NAO_L_HIP_PITCH,
	NAOHW_NAO_L_KNEE_PITCH,
	NAOHW_NAO_L_ANKLE_PITCH,
	NAOHW_NAO_L_ANKLE_ROLL,
	NAOHW_NAO_R_HIP_ROLL,
	NAOHW_NAO_R_HIP_PITCH,
	NAOHW_NAO_R_KNEE_PITCH,
	NAOHW_NAO_R_ANKLE_PITCH,
	NAOHW_NAO_R_ANKLE_ROLL,
	NAOHW_NAO_R_SHOULDER_PITCH,
	NAOHW_NAO_R_SHOULDER_ROLL,
	NAOHW_NAO_R_ELBOW_YAW,
	NAOHW_NAO_R_ELBOW_ROLL,
	NAOHW_NAO_R_WRIST_YAW,
	NAOHW_NAO_L_HAND,
	NAOHW_NAO_R_HAND,
};

#define NAOHW_NAO_JOINTS 25

struct naohw_joint_positions {
	struct naohw_message_state state;
	float positions[NAOHW_NAO_JOINTS]; /* rad; of a hand as its key has it, 0 closed, 1 open */
};

/** Absent as long as nobody tells the store what actuators got, see naohw_store_open(). */
struct naohw_joint_stiffnesses {
	struct naohw_message_state state;
	float stiffnesses[NAOHW_NAO_JOINTS]; /* 0 to 1; 0 also of a joint that is free, whose
					      * Hardness is below that */
};

struct naohw_joint_temperatures {
	struct naohw_message_state state;
	float temperatures[NAOHW_NAO_JOINTS]; /* degree C */
};

struct naohw_joint_currents {
	struct naohw_message_state state;
	float currents[NAOHW_NAO_JOINTS]; /* A; a motor of a NAO has no sign */
};

/**
 * How hot a joint is, by its temperature and the Max of that (NAO: 85, AX-12: 70, MX-28 and XM430:
 * 80). A motor of a NAO is given less current from 75 on, to nothing at 85; both are its
 * maker's. That it falls evenly between them, and what over 30 % is, is ours. Other servos are as
 * strong as ever up to their Max, and let go there; that they have the first two statuses at
 * the same distances from it is ours, too, as a warning.
 */
enum naohw_joint_status {
	NAOHW_STATUS_UNKNOWN = -1,	 /* no temperature is known, or no Max of it */
	NAOHW_STATUS_NORMAL = 0,
	NAOHW_STATUS_HOT = 1,		 /* from Max - 10 on: less and less stiff */
	NAOHW_STATUS_VERY_HOT = 2,	 /* above Max - 7: by more than 30 % */
	NAOHW_STATUS_CRITICALLY_HOT = 3, /* from Max on: not stiff at all */
};

struct naohw_joint_statuses {
	struct naohw_message_state state;
	int32_t statuses[NAOHW_NAO_JOINTS]; /* enum naohw_joint_status */
};

/** Distances in front of the robot; of a NAO 0 is an error, and 2.55 that nothing was heard. */
struct naohw_sonar {
	struct naohw_message_state state;
	float left; /* m */
	float right;
};

/** True is touched. */
struct naohw_touch {
	struct naohw_message_state state;
	bool head_front;
	bool head_middle;
	bool head_rear;
};

/** Which robot it is: what its chest keeps, and RobotConfig/ of its description. */
struct naohw_robot_config {
	struct naohw_message_state state;
	char body_id[NAOHW_TEXT_SIZE];	    /* "P0000073A07S94700012" */
	char body_version[NAOHW_TEXT_SIZE]; /* "3.3.0" */
	char head_id[NAOHW_TEXT_SIZE];	    /* only where a layer has RobotConfig/Head/FullHeadId */
	char head_version[NAOHW_TEXT_SIZE]; /* "V3.3": the kind of head, as it has no other */
};

/**
 * naohw_messages_new() - messages of a store, which outlives them. The store may be that of
 * another process. Keys are looked up here, and all is absent until naohw_messages_fill().
 * Return: 0 or -ENOMEM.
 */
NAOHW_API int naohw_messages_new(const struct naohw_store *store, struct naohw_messages **messages,
				 struct naohw_error *err);

/** naohw_messages_free() - let them go. */
NAOHW_API void naohw_messages_free(struct naohw_messages *messages);

/**
 * naohw_messages_fill() - make all messages of what @snapshot has now. Allocates nothing and takes
 * no lock. Return: 0; -EINVAL the snapshot is of another store, and messages are as they were.
 */
NAOHW_API int naohw_messages_fill(struct naohw_messages *messages,
				  const struct naohw_snapshot *snapshot);

/** naohw_messages_sequence() - naohw_snapshot_sequence() of what they are of; 0: not filled. */
NAOHW_API uint64_t naohw_messages_sequence(const struct naohw_messages *messages);

/**
 * naohw_messages_time() - when the kernel began to read the frame that they are of, by the newest
 * of the joints' positions, in ns of CLOCK_MONOTONIC; 0: no frame yet. While no frame comes, it is
 * that of the last one.
 */
NAOHW_API int64_t naohw_messages_time(const struct naohw_messages *messages);

/**
 * naohw_messages_accelerometer() - what accelerates it. As the others below, it lives as long as
 * the messages, stays where it is, and changes when these are filled.
 */
NAOHW_API const struct naohw_accelerometer *
naohw_messages_accelerometer(const struct naohw_messages *messages);

/** naohw_messages_angle() - how it leans. */
NAOHW_API const struct naohw_angle *naohw_messages_angle(const struct naohw_messages *messages);

/** naohw_messages_battery() - its battery. */
NAOHW_API const struct naohw_battery *naohw_messages_battery(const struct naohw_messages *messages);

/** naohw_messages_buttons() - its buttons and bumpers. */
NAOHW_API const struct naohw_buttons *naohw_messages_buttons(const struct naohw_messages *messages);

/** naohw_messages_fsr() - the forces on its feet. */
NAOHW_API const struct naohw_fsr *naohw_messages_fsr(const struct naohw_messages *messages);

/** naohw_messages_gyroscope() - how fast it turns. */
NAOHW_API const struct naohw_gyroscope *
naohw_messages_gyroscope(const struct naohw_messages *messages);

/** naohw_messages_joint_positions() - where its joints are. */
NAOHW_API const struct naohw_joint_positions *
naohw_messages_joint_positions(const struct naohw_messages *messages);

/** naohw_messages_joint_stiffnesses() - how stiff they are. */
NAOHW_API const struct naohw_joint_stiffnesses *
naohw_messages_joint_stiffnesses(const struct naohw_messages *messages);

/** naohw_messages_joint_temperatures() - how warm their motors are. */
NAOHW_API const struct naohw_joint_temperatures *
naohw_messages_joint_temperatures(const struct naohw_messages *messages);

/** naohw_messages_joint_currents() - what these draw. */
NAOHW_API const struct naohw_joint_currents *
naohw_messages_joint_currents(const struct naohw_messages *messages);

/** naohw_messages_joint_statuses() - how much too warm they are. */
NAOHW_API const struct naohw_joint_statuses *
naohw_messages_joint_statuses(const struct naohw_messages *messages);

/** naohw_messages_sonar() - how far away something is. */
NAOHW_API const struct naohw_sonar *naohw_messages_sonar(const struct naohw_messages *messages);

/** naohw_messages_touch() - where its head is touched. */
NAOHW_API const struct naohw_touch *naohw_messages_touch(const struct naohw_messages *messages);

/** naohw_messages_robot_config() - which robot it is. */
NAOHW_API const struct naohw_robot_config *
naohw_messages_robot_config(const struct naohw_messages *messages);

/**
 * naohw_nao_joint_name() - what keys call a joint of messages, enum naohw_nao_joint: "HeadYaw".
 * NULL past the end. Any thread.
 */
NAOHW_API const char *naohw_nao_joint_name(size_t joint);

/* ---- Poses ---------------------------------------------------------------- */

/** A pose is what all joints are to do: to which angle, and how fast. */

/**
 * naohw_pose_settings_new() - how a pose is to be opened; as if it were not given, until the
 * function below is called. What is out of its range is refused by naohw_pose_open().
 * Return: 0 or -ENOMEM.
 */
NAOHW_API int naohw_pose_settings_new(struct naohw_pose_settings **settings);

/** naohw_pose_settings_free() - poses that were opened with it stay as they are. */
NAOHW_API void naohw_pose_settings_free(struct naohw_pose_settings *settings);

/**
 * naohw_pose_settings_set_queue() - how many poses the kernel queues for each bus: 2 to 1024;
 * without this call 4. A loop that pushes one pose for each frame wants 2, so that none waits long.
 */
NAOHW_API void naohw_pose_settings_set_queue(struct naohw_pose_settings *settings,
					     unsigned int poses);

/**
 * naohw_pose_settings_set_stiffness() - is the pose to say how stiff each joint is, beside where it
 * goes? No, unless set. Then naohw_key_write() of Hardness fails (-EBUSY) while it is open.
 *
 * Joints start with the torque limit that their servo has, and with 0 where its torque is off, or
 * below 0 where its motor is free as well. One that cannot be asked starts with 0, as nobody knows
 * whether it has torque: so with the first push it is told to have none.
 */
NAOHW_API void naohw_pose_settings_set_stiffness(struct naohw_pose_settings *settings,
						 int stiffness);

/**
 * naohw_pose_settings_set_auto_recover() - is the torque that the watchdog has cut to come back by
 * itself, with the next sign of life and within 2 s? No, unless set. See Documentation/cycle.rst
 * for when that is safe.
 */
NAOHW_API void naohw_pose_settings_set_auto_recover(struct naohw_pose_settings *settings,
						    int by_itself);

/**
 * naohw_pose_open() - take the goal outputs (IIO devices dxlN-goal) of all of the robot's buses.
 * @settings may be NULL.
 *
 * While a pose is open, no other program can open one on these buses, nor have their joints
 * watched by naohw_key_write(). Nothing moves: joints start with the goal the servo has, or with
 * its present position when its torque is off.
 *
 * For stiffness the kernel registers the outputs anew, and udev is to let this program use
 * them, which is waited for 10 s at the most. What fails leaves the outputs as they were.
 *
 * Return: 0; -ENODEV there is no goal output, or one has gone since the robot was opened, or has
 * got a servo that joined it; -EBUSY another program holds one, or a lease of its bus, which this
 * does not disturb (one with libnaohw is named), or the unit of a naohwd is enabled, which so has
 * the robot (dcm.rst); -ENOTUNIQ two servos have one label; -EINVAL a setting is out of its
 * range, or the kernel shows something else than documented; -EOPNOTSUPP this kernel does not do
 * what the settings say, or for stiffness the robot is not on this machine; -ETIMEDOUT an output
 * has not been registered anew; or what the kernel or libiio gave.
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

/**
 * naohw_pose_get_stream() - what the kernel does with poses now: of several buses the worst, without
 * those that are gone as long as one is there. Any thread may ask, also while another one pushes.
 * Return: as naohw_pose_keep_alive().
 */
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
 * their torque back are let go. After one with stiffness the kernel registers the outputs anew,
 * which is waited for as in naohw_pose_open().
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
 * naohw_pose_set_stiffness() - say in the pose how stiff a joint is: above 0 @part of its highest
 * torque limit, up to 1; at 0 it has no torque, and is braked if its motor can do so; below 0, down
 * to -1, it turns as freely as it can. The servo gets the nearest that it can be told, and 0 only
 * for 0.
 * Return: as naohw_pose_get_limits(); -EINVAL also what is no finite number; -ERANGE it is more
 * than 1, or less than -1; -EOPNOTSUPP the pose says nothing of stiffness.
 */
NAOHW_API int naohw_pose_set_stiffness(struct naohw_pose *pose, size_t joint, double part);

/**
 * naohw_pose_get_stiffness() - what the pose says of it. Return: as naohw_pose_set_stiffness();
 * -ENODATA the servo had lost its torque when the pose was opened, or did not say how stiff it is. Until
 * naohw_pose_set_stiffness() the servo is left alone: it gets neither a stiffness nor its goal.
 */
NAOHW_API int naohw_pose_get_stiffness(const struct naohw_pose *pose, size_t joint, double *part);

/**
 * naohw_pose_push() - send the pose: one sync write with goal, speed and stiffness of all
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

/* ---- Motion files --------------------------------------------------------- */

#define NAOHW_PAGE_IDS	 31
#define NAOHW_PAGE_STEPS 7
#define NAOHW_TICK_MS	 8

/* Flags in a step's position; the value below them is void when one is set. */
#define NAOHW_POSITION_INVALID	  0x4000u /* keep the goal before */
#define NAOHW_POSITION_TORQUE_OFF 0x2000u /* treated as INVALID */

enum naohw_page_state {
	NAOHW_PAGE_GOOD,    /* can be played */
	NAOHW_PAGE_EMPTY,   /* no steps, or a repeat count of 0 */
	NAOHW_PAGE_ERASED,  /* 512 bytes of 0xff, as flash is when erased */
	NAOHW_PAGE_DAMAGED, /* checksum or values wrong; naohw_page_fault() says what */
	NAOHW_PAGE_ZERO,    /* page 0 with steps in it: never played, as 0 means "no page" */
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

/**
 * naohw_motion_read() - the same of a file that is in memory, as one that came through a socket.
 * @name: what messages call it, and naohw_motion_path().
 * @bytes: @size of them; they are not needed any more then.
 * Return: as naohw_motion_load().
 */
NAOHW_API int naohw_motion_read(const char *name, const void *bytes, size_t size,
				struct naohw_motion **motion, struct naohw_error *err);

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

/** naohw_motion_page() - a page, which lives as long as the motion; NULL past the end. */
NAOHW_API const struct naohw_page *naohw_motion_page(const struct naohw_motion *motion,
						     unsigned int number);

/**
 * naohw_motion_find_page() - a page's number by number ("12") or by its name.
 * Return: 0; -ENOENT no such page; -EINVAL several pages have this name.
 */
NAOHW_API int naohw_motion_find_page(const struct naohw_motion *motion, const char *text,
				     unsigned int *number, struct naohw_error *err);

/** naohw_page_number() - the page's number. */
NAOHW_API unsigned int naohw_page_number(const struct naohw_page *page);

/** naohw_page_get_state() - whether it can be played, or why not. */
NAOHW_API enum naohw_page_state naohw_page_get_state(const struct naohw_page *page);

/** naohw_page_fault() - of a damaged page: byte or line, found, expected. NULL: it is not. */
NAOHW_API const char *naohw_page_fault(const struct naohw_page *page);

/** naohw_page_name() - printable ASCII, 15 characters at most; other bytes became '?'. */
NAOHW_API const char *naohw_page_name(const struct naohw_page *page);

/** naohw_page_repeat() - how often the page plays, 1 to 255. */
NAOHW_API unsigned int naohw_page_repeat(const struct naohw_page *page);

/** naohw_page_next() - the page after this one; 0: none. */
NAOHW_API unsigned int naohw_page_next(const struct naohw_page *page);

/** naohw_page_exit() - the page after this one when the play is stopped; 0: none. */
NAOHW_API unsigned int naohw_page_exit(const struct naohw_page *page);

/** naohw_page_speed() - the page's own tempo; 32: as written. */
NAOHW_API unsigned int naohw_page_speed(const struct naohw_page *page);

/** naohw_page_accel() - in ticks; kept, not used: the servo has no such setting. */
NAOHW_API unsigned int naohw_page_accel(const struct naohw_page *page);

/** naohw_page_is_time_base() - 1: the steps' times are times; 0: they are speeds. */
NAOHW_API int naohw_page_is_time_base(const struct naohw_page *page);

/** naohw_page_softness() - of an ID, exponents: CW << 4 | CCW. 0 past NAOHW_PAGE_IDS. */
NAOHW_API unsigned int naohw_page_softness(const struct naohw_page *page, unsigned int id);

/** naohw_page_step_count() - how many steps it has, 0 to 7; below, they count from 0. */
NAOHW_API unsigned int naohw_page_step_count(const struct naohw_page *page);

/**
 * naohw_page_step_position() - where a step has the servo with this ID go, in counts, or a flag.
 * NAOHW_POSITION_INVALID where there is no such step or ID. Real files hold garbage, which is
 * told as it is.
 */
NAOHW_API unsigned int naohw_page_step_position(const struct naohw_page *page, unsigned int step,
						unsigned int id);

/** naohw_page_step_pause() - after a step, in ticks, before speed is applied. 0: no such step. */
NAOHW_API unsigned int naohw_page_step_pause(const struct naohw_page *page, unsigned int step);

/** naohw_page_step_time() - of a step, in ticks (time base), or a speed. 0: no such step. */
NAOHW_API unsigned int naohw_page_step_time(const struct naohw_page *page, unsigned int step);

/**
 * naohw_page_ms() - how long one pass of a page takes, pauses included. In speed base the travel
 * before the first step is not known and counted as none, and counts are those of the file's
 * format, 1024 for 300 degrees.
 * Return: 0, or -EINVAL when the page cannot be played.
 */
NAOHW_API int naohw_page_ms(const struct naohw_page *page, long *ms);

/* ---- Player --------------------------------------------------------------- */

/**
 * A player plays pages, one after the other. There are two ways to use it:
 *
 * naohw_player_play() and naohw_player_settle() return when all is over, and call back meanwhile.
 *
 * Who has a loop already begins with naohw_player_begin() or naohw_player_begin_settle(), and
 * then calls naohw_player_step(), which never waits for a time to come, but says when it is to be
 * called again, until naohw_player_get_state() says that it is over:
 *
 *	int64_t due = 0;
 *	int ret = naohw_player_begin(player, 1, &err);
 *
 *	while (ret == 0 && naohw_player_get_state(player) == NAOHW_PLAYER_PLAYING) {
 *		do_something_else_until(due);
 *		ret = naohw_player_step(player, &due, &err);
 *	}
 *
 * Between begin and end the joints are on their way: to end it early, ask for a halt and go on until
 * it is over. What calls back may ask the player what it likes, stop and halt it, and no more.
 */
enum naohw_player_state {
	NAOHW_PLAYER_IDLE,     /* nothing was begun, or it has ended with an error */
	NAOHW_PLAYER_PLAYING,  /* also while a halt is on its way */
	NAOHW_PLAYER_SETTLING, /* the same */
	NAOHW_PLAYER_DONE,     /* played to the end, or settled */
	NAOHW_PLAYER_STOPPED,  /* played, and stopped through the exit page */
};

/**
 * naohw_player_new() - a player of @motion that gives @dcm commands, beside whatever else does:
 * naohw_dcm_set_step() for each step. A joint without torque gets no goal, see
 * naohw_player_set_stiff(). The first step that moves a joint takes as long as SpeedMax needs, which
 * is told by a note. Pages move servos for which the description has a Position/Actuator.
 * @robot: that of the DCM.
 *
 * All three must outlive it.
 * Return: 0; -ENOMEM; or, where a naohwd hosts the DCM, as naohw_pose_describe().
 */
NAOHW_API int naohw_player_new(const struct naohw_motion *motion, struct naohw_robot *robot,
			       struct naohw_dcm *dcm, struct naohw_player **player,
			       struct naohw_error *err);

/**
 * naohw_player_new_dry() - a player that moves nothing and does not wait: its clock begins at 0
 * and jumps to what is due. It has the servos of @pose, which need only be described, all of them
 * at their middle. NULL: servos as the file suggests, one for each ID that the first step of the
 * page to be played moves. @motion and @pose must outlive it.
 * Return: 0 or -ENOMEM.
 */
NAOHW_API int naohw_player_new_dry(const struct naohw_motion *motion, const struct naohw_pose *pose,
				   struct naohw_player **player, struct naohw_error *err);

/**
 * naohw_player_assumed_servo() - the kind of servo that a dry player without a pose reckons
 * with, "AX-12" or "MX-28". NULL: it has those of a pose.
 */
NAOHW_API const char *naohw_player_assumed_servo(const struct naohw_player *player);

/** naohw_player_joint_count() - how many of its joints a page's first step moves. */
NAOHW_API unsigned int naohw_player_joint_count(const struct naohw_player *player,
						unsigned int page);

/**
 * naohw_player_free() - end a player; its DCM stays open. Joints that it has on their way go on to
 * the goal of their step.
 */
NAOHW_API void naohw_player_free(struct naohw_player *player);

/**
 * naohw_player_ignore_checksum() - from now on check and play also a motion with a
 * naohw_motion_checksum_fault(). Damaged pages stay refused.
 */
NAOHW_API void naohw_player_ignore_checksum(struct naohw_player *player);

/**
 * naohw_player_set_head() - 1: pages move the joints of the chain Head, too. As at first, 0: their
 * goals for these are left out, also where a play is checked or asked for what it moves, so that
 * others may turn the head meanwhile; a note says so when a play begins. A robot that has no such
 * chain has all its joints moved.
 * Return: 0; -EBUSY something has been begun.
 */
NAOHW_API int naohw_player_set_head(struct naohw_player *player, int moves,
				    struct naohw_error *err);

/**
 * naohw_player_set_stiff() - 1: a play gives torque to those of its joints that have none: all of it
 * within a second, in which they stay where they are, and the first step comes then. As at first, 0: it
 * gives none. A joint that has no torque when the first step is due, or loses it later, is sent nowhere
 * by this play any more, also if it gets torque meanwhile. A note names those that have none before the
 * first step; naohw_player_limp() tells them at any time.
 *
 * Only a player on a DCM asks for torque. It goes by what the DCM's store has of it. So where joints
 * have none, a play that gives none waits for 200 ms before its first step: what was set just before it
 * counts.
 * Return: 0; -EBUSY something has been begun.
 */
NAOHW_API int naohw_player_set_stiff(struct naohw_player *player, int gives_torque,
				     struct naohw_error *err);

/**
 * naohw_player_set_speed() - the tempo, 0.01 to 100: 2 is twice as fast as the pages say. Holds
 * from the next step on.
 * Return: 0; -EINVAL out of its range, and the one before stays.
 */
NAOHW_API int naohw_player_set_speed(struct naohw_player *player, double speed,
				     struct naohw_error *err);

/**
 * naohw_player_set_repeat() - how often the first page plays; 0, as at first: as often as it says.
 * Holds from the next play on.
 */
NAOHW_API void naohw_player_set_repeat(struct naohw_player *player, unsigned int passes);

/** naohw_player_set_max_ms() - stop through the exit page after this; 0, as at first: never. */
NAOHW_API void naohw_player_set_max_ms(struct naohw_player *player, long max_ms);

/** naohw_player_on_step() - have @step called when a step was sent. NULL: nothing. */
NAOHW_API void naohw_player_on_step(struct naohw_player *player,
				    void (*step)(void *data, const struct naohw_player *player),
				    void *data);

/**
 * naohw_player_on_idle() - have @idle called by naohw_player_play() and naohw_player_settle()
 * when there is nothing to do for @free_ms; do a little and come back. Called again and again
 * until none is left, so it must be a matter of milliseconds. NULL: nothing.
 */
NAOHW_API void naohw_player_on_idle(struct naohw_player *player,
				    void (*idle)(void *data, long free_ms), void *data);

/** naohw_player_on_note() - have @note called with what the user should know, said once. */
NAOHW_API void naohw_player_on_note(struct naohw_player *player,
				    void (*note)(void *data, const char *text), void *data);

/**
 * naohw_player_check() - check a page and all pages reachable from it through next
 * and exit: each must be playable, and each goal within its servo's range.
 * Return: 0; -ENOENT no such page; -EBADMSG a damaged page, or the file has a
 * naohw_motion_checksum_fault() that is not to be ignored; -ENODATA an empty page to begin
 * with; -ERANGE a goal out of range, or a next or exit out of the file; -ENOTSUP the file is for
 * servos that count otherwise (motor_type of a text file); -EBUSY something has been begun.
 */
NAOHW_API int naohw_player_check(struct naohw_player *player, unsigned int page,
				 struct naohw_error *err);

/**
 * naohw_player_moved() - for which servos a page, or one that is reached from it, has a goal.
 * @labels: receives up to @room of their labels, as naohw_joint_label() has them, which live as
 *	long as the player.
 * Return: how many there are; 0 also if naohw_player_check() refuses the page.
 */
NAOHW_API size_t naohw_player_moved(struct naohw_player *player, unsigned int page,
				    const char **labels, size_t room);

/**
 * naohw_player_limp() - which joints the present play, or the last one, has found without torque and
 * leaves out.
 * @labels: receives up to @room of their labels, as naohw_player_moved() has them.
 * Return: how many there are.
 */
NAOHW_API size_t naohw_player_limp(const struct naohw_player *player, const char **labels,
				   size_t room);

/**
 * naohw_player_behind() - a joint that has not come to its goal, as the last wait for that has found,
 * and why: of joints of this robot for which a page had a goal, also those that no pose can move.
 * @index: from 0 on.
 * @label: receives its label, as naohw_player_moved() has it.
 * Return: why, *stuck* where nothing is known; NULL: there are no more.
 */
NAOHW_API const struct naohw_reason *naohw_player_behind(const struct naohw_player *player,
							 size_t index, const char **label);

/**
 * naohw_player_play() - check, then play a page and what follows it. Returns when
 * the time of the last step is over. Where a joint cannot be read at the beginning,
 * it is taken to stand where it was sent last, and noted.
 *
 * Return: 0 played to the end, which was the exit page's if naohw_player_get_state() says
 * NAOHW_PLAYER_STOPPED; -ECANCELED halted; as naohw_player_begin(), with nothing moved; -EPIPE the
 * kernel's watchdog has cut the torque, now or before; or as naohw_dcm_set_step().
 */
NAOHW_API int naohw_player_play(struct naohw_player *player, unsigned int page,
				struct naohw_error *err);

/** Of naohw_player_settle(): as near to the goal as a robot that stands gets, see motion.rst. */
#define NAOHW_TOLERANCE_SAG (-1)

/**
 * naohw_player_settle() - wait until every joint that was moved is within
 * @tolerance counts of its goal, at most @timeout_ms. NAOHW_TOLERANCE_SAG: of each as many as its
 * servo may sag under the robot's own weight (naohw_dcm_joint_sag()). A joint that was seen there is not
 * looked at again. A halt makes those that did not arrive hold where they are. Counts are the
 * servo's, as in motion pages. A joint that hangs a little beyond the limit to which it was sent has
 * arrived, see naohw_dcm_joint_look(). One without torque (naohw_player_limp()) does not arrive,
 * wherever it is, and is not waited for; the message names it.
 * Return: 0 all arrived; -ETIMEDOUT not all; -ECANCELED halted; -EBUSY something has been begun;
 * -EPIPE as naohw_player_play(). The functions naohw_player_arrival_...() say where the joints were
 * found.
 */
NAOHW_API int naohw_player_settle(struct naohw_player *player, int tolerance, long timeout_ms,
				  struct naohw_error *err);

/**
 * naohw_player_begin() - check and begin a play, of which naohw_player_step() then sends the
 * first step at once, or when joints have got their torque (naohw_player_set_stiff()), or 200 ms later
 * where joints are limp. Looks where the joints are, in the DCM's store.
 * Return: 0; -EBUSY something has been begun already, which goes on; as naohw_player_check(); or, if it
 * is to give torque, -EPIPE as naohw_player_play(), and naohw_dcm_set()'s.
 */
NAOHW_API int naohw_player_begin(struct naohw_player *player, unsigned int page,
				 struct naohw_error *err);

/** naohw_player_begin_settle() - the same for naohw_player_settle(). Return: 0 or -EBUSY. */
NAOHW_API int naohw_player_begin_settle(struct naohw_player *player, int tolerance, long timeout_ms,
					struct naohw_error *err);

/**
 * naohw_player_step() - do what is due of what was begun, if anything is. Waits for no time to
 * come; what it takes is a naohw_dcm_set_step().
 * @due_ns: receives when to call it again at the latest, by CLOCK_MONOTONIC, which may be past;
 *	INT64_MAX when it is over. More often is fine, and after a halt it is better at once. A dry
 *	player, whose clock goes there by itself, says it by that one.
 *
 * Who comes late has the rest of the motion later by as much, when that is more than 50 ms.
 *
 * Return: 0, and naohw_player_get_state() says whether it is over; -EINVAL nothing was begun, or
 * it is over already. Any other failure is the end of what was begun: as naohw_player_play() and
 * naohw_player_settle() return it.
 */
NAOHW_API int naohw_player_step(struct naohw_player *player, int64_t *due_ns,
				struct naohw_error *err);

/**
 * naohw_player_get_period() - the shortest period of the bus, in ms, that is of use to its plays: 8, a
 * page's tick, or what the bus needs for a frame and a pose (DCM/CycleTimeNeeded) and 1 to 2 ms for other
 * requests. A play does not set it: whoever begins one gives it to DCM/TargetCycleTime before, if it is
 * shorter than naohw_dcm_get_period(), and takes it back afterwards. 0: the period is to stay, as a
 * Preference sets it or the bus does not tell what it needs.
 */
NAOHW_API double naohw_player_get_period(const struct naohw_player *player);

/** naohw_player_get_state() - what it is at, or how the last one ended. */
NAOHW_API enum naohw_player_state naohw_player_get_state(const struct naohw_player *player);

/**
 * naohw_player_stop() - ask for a stop: this pass of the page ends, then its exit
 * page plays. The request lasts until the play, or the settling, is over. Any thread, and safe
 * in a signal handler.
 */
NAOHW_API void naohw_player_stop(struct naohw_player *player);

/**
 * naohw_player_halt() - stop now: the joints hold where they are, and one that does not answer goes
 * no further than it was sent. Those that are just getting their torque (naohw_player_set_stiff())
 * keep what they have of it. 100 ms later, when they do, it is over. Any thread, and safe in a signal
 * handler. It ends no poll() of a loop of yours.
 */
NAOHW_API void naohw_player_halt(struct naohw_player *player);

/** naohw_player_progress_page() - the page of the step that was sent last; NULL: nothing yet. */
NAOHW_API const struct naohw_page *
naohw_player_progress_page(const struct naohw_player *player);

/** naohw_player_progress_pass() - which pass of it, from 1 on. */
NAOHW_API unsigned int naohw_player_progress_pass(const struct naohw_player *player);

/** naohw_player_progress_passes() - of how many. */
NAOHW_API unsigned int naohw_player_progress_passes(const struct naohw_player *player);

/** naohw_player_progress_step() - which step in it, from 1 on; 0: none has been sent yet. */
NAOHW_API unsigned int naohw_player_progress_step(const struct naohw_player *player);

/** naohw_player_progress_step_ms() - time of that step's movement. */
NAOHW_API long naohw_player_progress_step_ms(const struct naohw_player *player);

/** naohw_player_progress_pause_ms() - and of the pause after it. */
NAOHW_API long naohw_player_progress_pause_ms(const struct naohw_player *player);

/** naohw_player_progress_elapsed_ms() - from the first step's beginning to that step's. */
NAOHW_API long naohw_player_progress_elapsed_ms(const struct naohw_player *player);

/** naohw_player_arrival_joints() - when they settled: joints that the play had moved. */
NAOHW_API unsigned int naohw_player_arrival_joints(const struct naohw_player *player);

/** naohw_player_arrival_off() - of these: not within the tolerance, not readable, or limp. */
NAOHW_API unsigned int naohw_player_arrival_off(const struct naohw_player *player);

/** naohw_player_arrival_worst() - the largest distance from a goal, in counts. */
NAOHW_API int naohw_player_arrival_worst(const struct naohw_player *player);

/** naohw_player_arrival_worst_label() - whose that was; NULL: no joint was read. */
NAOHW_API const char *naohw_player_arrival_worst_label(const struct naohw_player *player);

/** naohw_player_arrival_lost_label() - a joint that could not be read, or NULL. */
NAOHW_API const char *naohw_player_arrival_lost_label(const struct naohw_player *player);

/** naohw_player_arrival_lost_error() - why: 0 none, or a negative errno. */
NAOHW_API int naohw_player_arrival_lost_error(const struct naohw_player *player);

/** naohw_player_arrival_ms() - how long it took. */
NAOHW_API long naohw_player_arrival_ms(const struct naohw_player *player);

/* ---- DCM ------------------------------------------------------------------ */

/**
 * A DCM (device communication manager, as NAO's is called) is a robot's control loop: one thread of
 * the library's own, which in each period of the bus
 *
 *	reads the frame of all buses and publishes it in the store,
 *	calls who wanted to be called then (post-process),
 *	takes the commands that other threads have left, and brings each actuator to where its
 *	timed commands say that it is to be now,
 *	calls who wanted to see that before it is sent (pre-process), and
 *	sends one pose to each bus.
 *
 * What is slow to write, as lights, another thread writes.
 *
 * Times are in ms of CLOCK_MONOTONIC. An actuator is named as its key without Value, with or
 * without the prefix and with or without a slash and Value behind it:
 * "HeadYaw/Position/Actuator", "Device/SubDeviceList/HeadYaw/Position/Actuator/Value"; or it is
 * "DCM/TargetCycleTime", the bus's period in ms. A naohwd sets the shortest period that any of its
 * clients asks for. With naohw_dcm_close() the bus has the period of before again, but for what others ask
 * for.
 *
 * What a command says is first clamped to Min and Max and brought to the number of the device that
 * is nearest; what stands in the key is what that number comes to. In between two commands in time
 * positions, speeds of wheels, hardnesses and lights go on a straight line; all else gets the value
 * of a command once, when its time has come. After its last one an actuator keeps it.
 *
 * What is always so, whatever the commands say:
 *  - a joint whose hardness is 0 or less has its position follow the sensor;
 *  - no joint goes faster than SpeedMax of its Position/Actuator says, in rad/s, or else
 *    DCM/SpeedMax (4 rad/s), but for steps of motions; and on a way that has a time its servo is
 *    told to go no faster than its goal does;
 *  - no wheel ("WheelFL/Speed/Actuator") turns faster than SpeedMax of that says, or else
 *    DCM/SpeedMax, and no speed changes faster than AccelerationMax, rad/s^2, or else
 *    DCM/AccelerationMax (10 rad/s^2). A wheel that is limp or has lost its torque stands, see
 *    dcm.rst;
 *  - a joint that is not calibrated (jointZeroPosition is 0) gets no hardness above 0;
 *  - one that has not answered for a while, and was moved meanwhile, goes back at 1 rad/s;
 *  - too much current out of the battery (Max of Battery/Current) lowers all hardness slowly.
 *
 * Threads: naohw_dcm_open() and naohw_dcm_close() belong to one thread, which has the robot.
 * Everything else may be called by any thread, also in the callbacks, where not said otherwise.
 */

/** naohw_dcm_settings_new() - how a DCM is to be; as if none were given. Return: 0 or -ENOMEM. */
NAOHW_API int naohw_dcm_settings_new(struct naohw_dcm_settings **settings);

/** naohw_dcm_settings_free() - DCMs that were opened with it stay as they are. */
NAOHW_API void naohw_dcm_settings_free(struct naohw_dcm_settings *settings);

/**
 * naohw_dcm_settings_set_host() - whose cycle is it to be?
 * @host: 0, as unless set: a naohwd's, if there is one that has the robot, or is to have it as its
 *	unit is enabled, or else this program's own; above 0: its own in any case, and
 *	naohw_dcm_open() says -EBUSY where another program has the robot; below 0: a naohwd's, without
 *	waiting for one: -ENOENT where there is none and none is to be, or -EAGAIN.
 */
NAOHW_API void naohw_dcm_settings_set_host(struct naohw_dcm_settings *settings, int host);

/**
 * naohw_dcm_settings_at_post_process() - have @call called in each cycle, in the DCM's thread, when
 * the store has what the frame says. It must be done within a fraction of a period, and wait for
 * nothing; the thread's stack has 256 KiB. naohw_dcm_set() and its kin hold in the same cycle from
 * there. Those that are given are called one after the other.
 * Return: 0; -ENOSPC there are eight already.
 */
NAOHW_API int naohw_dcm_settings_at_post_process(struct naohw_dcm_settings *settings,
						 void (*call)(void *data, struct naohw_dcm *dcm),
						 void *data);

/**
 * naohw_dcm_settings_at_pre_process() - the same when the values that are going to be sent are
 * known (naohw_dcm_get_value()). What is set from there is sent with them.
 */
NAOHW_API int naohw_dcm_settings_at_pre_process(struct naohw_dcm_settings *settings,
						void (*call)(void *data, struct naohw_dcm *dcm),
						void *data);

/**
 * naohw_dcm_settings_add_text() - have a key of this name in the store, which begins with "DCM/",
 * and whose text is naohw_dcm_set_text()'s to give: "" at first.
 * Return: 0; -EINVAL it cannot be called so; -EEXIST there is such a text already; -ENOSPC there
 * are 128; -ENOMEM.
 */
NAOHW_API int naohw_dcm_settings_add_text(struct naohw_dcm_settings *settings, const char *name);

/**
 * naohw_dcm_open() - take a robot's frames and goals, and begin with the cycle. Nothing moves, and
 * what is stiff stays so. @settings may be NULL. The thread has the priority DCM/RealtimePriority
 * (40) of SCHED_FIFO where DCM/Realtime (1) is not 0 and the system allows it.
 *
 * If a naohwd has the robot, and @settings do not say otherwise, the cycle is the daemon's, and so is
 * all that follows: what is set is a request to it and waits for its answer, a second at the most,
 * and the callbacks are called in a thread of this program after each of its cycles, where what
 * they set acts in the next one. Without an answer it is -EOWNERDEAD: the daemon has gone, and the
 * kernel takes the torque; -ETIMEDOUT: it may yet do what it was asked, and what this program holds
 * by a lease it still holds; or -EPROTO. When it is there again, the DCM goes on by itself, with
 * the same store, or says -ESTALE for ever: the robot's keys are others. See dcm.rst.
 *
 * The memory of a program that moves a robot is locked by naohw_realtime_lock(), which is the
 * program's to call; else a page that is not there yet may make a cycle late.
 *
 * Meanwhile neither frames nor a pose of the robot can be opened, nor a second DCM.
 *
 * Return: 0; as naohw_frame_open(), naohw_store_open() and naohw_pose_open(); -EOPNOTSUPP the robot is
 * on another machine; -ENOSPC the bus's period has no time for frames and poses; -EINVAL a
 * Preference DCM/... is not of its type or out of its range; -EACCES this program may not use the
 * naohwd that has the robot; -EAGAIN a naohwd is to have it, as its unit is enabled, and does not
 * answer within 5 s; -EBUSY that has another robot of its name; -ETIMEDOUT or -EOWNERDEAD one that
 * has it does not answer, or ends meanwhile.
 */
NAOHW_API int naohw_dcm_open(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
			     struct naohw_dcm **dcm, struct naohw_error *err);

/**
 * naohw_dcm_check() - could naohw_dcm_open() use what a robot's description has of the DCM, as its
 * numbers and aliases? Of a robot that is described (naohw_robot_describe()), too.
 * Return: 0; -EINVAL or -ENOENT it could not, and the message has the file and the line; -ENOMEM.
 */
NAOHW_API int naohw_dcm_check(const struct naohw_robot *robot, struct naohw_error *err);

/**
 * naohw_dcm_close() - end the cycle. The joints hold where they were sent last, as stiff as they
 * are, and wheels stop. Commands that were not due yet are dropped. Waits for the cycle, and for
 * what is slow. A naohwd's goes on, with all that was set but what this program holds by a lease,
 * and the speeds of wheels that it has set.
 *
 * Calls of other threads may be under way then, and may begin until this returns, which waits for
 * all of them. Those that wait, as naohw_dcm_wait() and naohw_dcm_flush(), and those that begin
 * return -ESHUTDOWN; naohw_dcm_get_stream() returns NAOHW_STREAM_TRIPPED, naohw_dcm_ticket() 0. The
 * request to a naohwd that is under way takes until its answer, three seconds at the most; those
 * behind it are not sent. Of naohw_dcm_store() no call may be under way. No call may begin when this
 * has returned: a thread that may make one more is to be told before.
 */
NAOHW_API void naohw_dcm_close(struct naohw_dcm *dcm);

/**
 * naohw_dcm_store() - its store, with the keys of DCM/ and HAL/ beside the robot's, and in which
 * actuators have what they were sent last. It is to be read: the cycle alone publishes in it
 * (naohw_store_publish() says -EBADF), and it is closed with the DCM.
 */
NAOHW_API struct naohw_store *naohw_dcm_store(const struct naohw_dcm *dcm);

/**
 * naohw_dcm_set_text() - give a key of naohw_dcm_settings_add_text() a text, which is seen from the
 * next cycle on, and is cut after NAOHW_TEXT_SIZE - 1. Neither the cycle nor who calls waits.
 * Return: 0; -ENOENT there is no such one; -EBUSY this is a callback; -ENOTSUP a naohwd hosts the
 * cycle; -ESHUTDOWN the DCM is being closed.
 */
NAOHW_API int naohw_dcm_set_text(struct naohw_dcm *dcm, const char *name, const char *text);

/**
 * naohw_dcm_get_time() - its time, which is CLOCK_MONOTONIC's, and @offset more, in ms; in a
 * callback that of the cycle. What no time can be is the earliest, or the latest.
 */
NAOHW_API int64_t naohw_dcm_get_time(const struct naohw_dcm *dcm, int64_t offset);

/**
 * naohw_dcm_get_prefix() - what all keys begin with, as NAO's getPrefix() tells: 0 those of
 * sub-devices, "Device/SubDeviceList/"; 1 those of devices; NULL: there is no more.
 */
NAOHW_API const char *naohw_dcm_get_prefix(unsigned int index);

/**
 * naohw_dcm_get_period() - the period of the bus that is in force, in ms, as DCM/TargetCycleTime has it;
 * 0: the bus does not tell it, or the DCM is being closed.
 */
NAOHW_API double naohw_dcm_get_period(const struct naohw_dcm *dcm);

/**
 * naohw_dcm_wait() - wait for the end of a cycle: its pose has been sent, and what was set in it
 * is seen. Not in callbacks.
 * @cycle: the number of the last cycle that is known, 0 for none; receives that of the newest.
 * Return: 0; -ETIMEDOUT there was none within @timeout_ms; -EBUSY this is a callback; -ESHUTDOWN
 * the DCM is being closed.
 */
NAOHW_API int naohw_dcm_wait(struct naohw_dcm *dcm, uint64_t *cycle, unsigned int timeout_ms,
			     struct naohw_error *err);

/** A value for a time. */
struct naohw_command {
	double value;
	int64_t time; /* in ms, see naohw_dcm_get_time(); one that has passed is now; or this: */
#define NAOHW_TIME_NONE INT64_MIN /* at the bounded speed DCM/SpeedWithoutTime (1 rad/s), begun now;
				   * of what is no position, now */
	int importance; /* NAO's programs give one; as there, nobody looks at it */
};

/** What becomes of an actuator's commands when new ones come. A time that is in both has the new. */
enum naohw_update {
	NAOHW_UPDATE_MERGE,	   /* they stay */
	NAOHW_UPDATE_CLEAR_ALL,	   /* they go */
	NAOHW_UPDATE_CLEAR_AFTER,  /* those after the first new one go */
	NAOHW_UPDATE_CLEAR_BEFORE, /* those before the last new one go */
};

/*
 * DCM/TargetCycleTime, ms. The kernel lets go who gives no sign of life for half a second, unless told
 * otherwise, and there are two periods from one to the next when a frame is missed.
 */
#define NAOHW_PERIOD_MIN 1
#define NAOHW_PERIOD_MAX 100

/* Of one actuator, be they given in one list or in many */
#define NAOHW_COMMANDS_MAX 512

/**
 * naohw_dcm_set() - give commands to an actuator, or the same to all of an alias.
 * @name: of an actuator or an alias.
 * @commands: @count of them, in any order. None at all with NAOHW_UPDATE_CLEAR_ALL is to drop what
 *	is to come: the value that was sent last stays.
 *
 * From another thread it is left for the cycle, which takes what was left in the order in which it
 * was, all of a call at once: in the next one, unless more was left than a cycle has time for, see
 * dcm.rst. naohw_dcm_flush() tells when.
 *
 * Return: 0; -ENOENT no such actuator or alias (the message has the nearest); -EACCES it is not to
 * be set, and the message says why; -ENODEV its servo was not there when the DCM was opened, or was
 * in a mode for something else: a joint has goal positions, a wheel a speed with two directions (of
 * an alias such actuators are passed over); -EINVAL no update like
 * that, or a value that is not finite, or no commands where there must be some; -ENOSPC more than
 * NAOHW_COMMANDS_MAX; -EAGAIN the cycle has not read what was left before: 4096 calls, or fewer
 * that are larger; -EPERM a hardness above 0, and a person has let the robot go (naohw_robot_limp());
 * -E2BIG a naohwd hosts the cycle, which takes 4096 at once, where an actuator
 * counts 8 and a command 1; -ERANGE a naohwd hosts the cycle, whose period may be
 * NAOHW_PERIOD_MIN to NAOHW_PERIOD_MAX ms; -ENOMEM. What fails changes nothing.
 */
NAOHW_API int naohw_dcm_set(struct naohw_dcm *dcm, const char *name, enum naohw_update update,
			    const struct naohw_command *commands, size_t count,
			    struct naohw_error *err);

/**
 * naohw_dcm_set_mixed() - give each actuator of an alias commands of its own (NAO's setAlias(),
 * "time-mixed").
 * @commands: for each of the alias, in its order, a pointer to @counts[i] commands.
 * @actuators: how many that are.
 * Return: as naohw_dcm_set(); -EINVAL also: the alias has not so many.
 */
NAOHW_API int naohw_dcm_set_mixed(struct naohw_dcm *dcm, const char *alias,
				  enum naohw_update update,
				  const struct naohw_command *const *commands,
				  const size_t *counts, size_t actuators, struct naohw_error *err);

/**
 * naohw_dcm_set_separate() - give all actuators of an alias values for the same times (NAO's
 * setAlias(), "time-separate").
 * @times: @count of them, as in struct naohw_command.
 * @importance: NAO's programs give one; nobody looks at it.
 * @values: @actuators times @count: first those of the first one.
 * Return: as naohw_dcm_set_mixed().
 */
NAOHW_API int naohw_dcm_set_separate(struct naohw_dcm *dcm, const char *alias,
				     enum naohw_update update, int importance,
				     const int64_t *times, size_t count, const double *values,
				     size_t actuators, struct naohw_error *err);

/* Of one step */
#define NAOHW_STEP_JOINTS_MAX 128

/**
 * naohw_dcm_set_step() - a step of a motion, as players have it: joints go on straight lines that
 * begin and end in the same cycles.
 * @names: @count of them, 1 to NAOHW_STEP_JOINTS_MAX, of positions of joints, each once.
 * @goals: where each is to be at @end, rad.
 * @begin: in ms, see naohw_dcm_get_time(). Each joint begins where its commands have it by then;
 *	its commands for later times are dropped. If the time has passed, the joint catches up, as fast
 *	as its servo can be told.
 * @end: the same, and later. A step alone may be faster than SpeedMax, up to what the servo can be
 *	told.
 * Return: as naohw_dcm_set(); -EINVAL also: @end is not after @begin, one of them is no position, or
 * a goal is not finite.
 */
NAOHW_API int naohw_dcm_set_step(struct naohw_dcm *dcm, const char *const *names,
				 const double *goals, size_t count, int64_t begin, int64_t end,
				 struct naohw_error *err);

/* A joint that is pushed or hangs is up to this far beyond its limits. */
#define NAOHW_BEYOND_RAD 0.1

/** How a joint is, see naohw_dcm_joint_look(). Programs make it, and so it keeps its size. */
struct naohw_dcm_look {
	double present; /* rad, as its Position/Actuator counts: where it was when it answered last; NAN:
			 * it never has */
	double sent;	/* rad: where the cycle has sent it last; NAN: nowhere, or that is unknown */
	double off;	/* rad: how far it is from the goal that was asked about; HUGE_VAL: it does not
			 * answer */
	int is_limp;	/* 1: it has no torque, by its hardness or since it was let go (DCM/Guard) */
};

/**
 * naohw_dcm_joint_new() - a joint of a DCM, to be looked at.
 * @pose: of the DCM's robot; one that describes is enough (naohw_pose_describe()), and is not needed
 *	any more then.
 * @index: as naohw_robot_find_joint() has it.
 *
 * Return: 0; -EINVAL no such joint; -ENODEV no pose can move it; -ENOENT the description has no
 * Position/Actuator of it; -EINVAL also: a preference of the DCM's is wrong; -ENOMEM.
 */
NAOHW_API int naohw_dcm_joint_new(const struct naohw_dcm *dcm, const struct naohw_pose *pose,
				  size_t index, struct naohw_dcm_joint **joint,
				  struct naohw_error *err);

/** naohw_dcm_joint_free() - before its DCM is closed. NULL is nothing. */
NAOHW_API void naohw_dcm_joint_free(struct naohw_dcm_joint *joint);

/** naohw_dcm_joint_position() - its Position/Actuator, as naohw_dcm_set_step() takes it. */
NAOHW_API const char *naohw_dcm_joint_position(const struct naohw_dcm_joint *joint);

/** naohw_dcm_joint_speed_max() - rad/s: how fast it may be but in steps of motions, see above. */
NAOHW_API double naohw_dcm_joint_speed_max(const struct naohw_dcm_joint *joint);

/**
 * naohw_dcm_joint_sag() - rad: how far off its goal a joint may be with the load that the robot's own
 * weight is, by the model of its servo as it is delivered. motion.rst has the numbers.
 */
NAOHW_API double naohw_dcm_joint_sag(const struct naohw_dcm_joint *joint);

/**
 * naohw_dcm_joint_look() - where is a joint, and has it arrived? It has if it answers (0) and is no
 * further off than the program tolerates; that it is limp is no matter then. Any thread.
 * @goal: rad: where it is to be, of which its servo can be told the nearest. A joint that hangs up to
 *	NAOHW_BEYOND_RAD beyond its limit is not off, if the goal is that limit or beyond it. NAN: the
 *	program does not want to know.
 * @look: is filled in whatever is returned.
 * Return: 0; -ENODEV the joint has no sensor; -ENODATA its servo has never answered; -ETIMEDOUT it
 * does not answer now.
 */
NAOHW_API int naohw_dcm_joint_look(const struct naohw_dcm_joint *joint, double goal,
				   struct naohw_dcm_look *look);

/* Of a DCM; and the size of an alias's name, with its NUL */
#define NAOHW_ALIASES_MAX     256
#define NAOHW_ALIAS_NAME_SIZE 64

/**
 * naohw_dcm_create_alias() - make a name for some actuators, in this order, or give an alias
 * others. It stays until it is removed or the DCM is closed; where a naohwd hosts the cycle, one
 * whose program has gone gives way when there is no room for another one. Not in callbacks.
 * @alias: a name that no actuator and no joint has, of letters, digits, '_', '-', '.' and '/', 1 to
 *	63 long.
 * @names: @count of them, of actuators, or of aliases, which stand for those that they have now.
 * @answer: receives for each the name, or "" if there is no such actuator: NAO's answer. Those
 *	are left out of the alias. NULL: nobody wants to know.
 * Return: 0; -ENOENT none of them is there; -EINVAL the name cannot be one, or an actuator is in it
 * twice; -ENOSPC there are NAOHW_ALIASES_MAX, or this program has made 128 of a naohwd's;
 * -EBUSY this is a callback; -ENOMEM.
 */
NAOHW_API int naohw_dcm_create_alias(struct naohw_dcm *dcm, const char *alias,
				     const char *const *names, size_t count, const char **answer,
				     struct naohw_error *err);

/**
 * naohw_dcm_remove_alias() - let an alias's name stand for nothing. What was set by it stays, and
 * so do aliases that were made of it. Not in callbacks.
 * Return: 0; -ENOENT there is no such alias; -EBUSY this is a callback, or, where a naohwd hosts
 * the cycle, another program has made it, which is named; -EACCES it is naohwd's or the robot's.
 */
NAOHW_API int naohw_dcm_remove_alias(struct naohw_dcm *dcm, const char *alias,
				     struct naohw_error *err);

/**
 * naohw_dcm_get_actuators() - which actuators a name stands for: one, or those of an alias in its
 * order. Not in callbacks.
 * @actuators: receives up to @room names, without prefix and Value. They live as long as the DCM,
 *	and each actuator has one name at one place.
 * Return: how many there are; -ENOENT no such actuator or alias; -EBUSY this is a callback;
 * -ENOTSUP a naohwd hosts the cycle; -ESHUTDOWN the DCM is being closed.
 */
NAOHW_API int naohw_dcm_get_actuators(struct naohw_dcm *dcm, const char *name,
				      const char **actuators, size_t room);

/**
 * naohw_dcm_flush() - wait until the cycle has taken all that this thread has set. In a callback
 * that is so already, or, where a naohwd hosts the cycle, cannot be waited for.
 * Return: 0; -ENOSPC a list that was set since the flush before, by whichever thread of the same
 * party (naohw_dcm_act_for()), had no room beside those of its actuator, which is as it was (the
 * message says which); -ETIMEDOUT not within a second, or two where cycles are missing;
 * -ESHUTDOWN the DCM is being closed.
 */
NAOHW_API int naohw_dcm_flush(struct naohw_dcm *dcm, struct naohw_error *err);

/* Parties that a DCM tells from each other */
#define NAOHW_DCM_PARTIES_MAX 256

/**
 * naohw_dcm_act_for() - for who serves others: whose is what this thread sets from now on? A flush,
 * or naohw_dcm_has_taken(), tells of the lists of the party for which its thread acts alone. All
 * threads begin with party 0. Where a naohwd hosts the cycle, it tells its clients from each other.
 * @party: below NAOHW_DCM_PARTIES_MAX.
 * Return: 0; -EINVAL there are not so many.
 */
NAOHW_API int naohw_dcm_act_for(unsigned int party);

/**
 * naohw_dcm_ticket() - the same for those who must not wait, who ask again after a cycle: a number
 * that stands for all that any thread has set by now, for naohw_dcm_has_taken(). 0 where a naohwd
 * hosts the cycle.
 */
NAOHW_API uint64_t naohw_dcm_ticket(const struct naohw_dcm *dcm);

/**
 * naohw_dcm_has_taken() - has the cycle taken what a ticket stands for? Waits for nothing.
 * Return: 0; -EAGAIN not yet; -ENOSPC as naohw_dcm_flush(); -ENOTSUP a naohwd hosts the cycle;
 * -ESHUTDOWN the DCM is being closed.
 */
NAOHW_API int naohw_dcm_has_taken(struct naohw_dcm *dcm, uint64_t ticket, struct naohw_error *err);

/**
 * naohw_dcm_get_value() - what an actuator is sent in this cycle, as its key has it; where a naohwd
 * hosts it, what it was sent last. Only in pre-process callbacks; elsewhere the store tells.
 * Return: 0; -ENOENT no such actuator; -ENODEV it is absent, see naohw_dcm_set(); -ENODATA it is
 * sent nothing, as its servo has not said where it is or how stiff (beside a naohwd that is -ENODEV,
 * too); -EBUSY not in such a callback.
 */
NAOHW_API int naohw_dcm_get_value(const struct naohw_dcm *dcm, const char *name, double *value);

/**
 * naohw_dcm_get_stream() - does the kernel let the joints move? Tripped is what it has become when
 * a cycle was late by more than the watchdog's time; that lasts until naohw_dcm_recover(), or with
 * the Preference DCM/AutoRecover (0) as 1 goes by itself, as NAO's does, with what naohw_pose_recover()
 * says of it.
 */
NAOHW_API enum naohw_stream naohw_dcm_get_stream(const struct naohw_dcm *dcm);

/**
 * naohw_dcm_check_stream() - the same as an error. Return: 0; -EPIPE it has tripped, or the robot rests
 * (naohw_dcm_rest()), which the message says, and what to do about it; -ESHUTDOWN the DCM is being closed.
 */
NAOHW_API int naohw_dcm_check_stream(const struct naohw_dcm *dcm, struct naohw_error *err);

/**
 * naohw_dcm_is_limp() - has a person let the robot go (naohw_robot_limp(), naohw_dcm_limp())? The
 * stream is tripped then, too. As the DCM has seen it in its last cycle, a tenth of a second late.
 * Return: 1 or 0.
 */
NAOHW_API int naohw_dcm_is_limp(const struct naohw_dcm *dcm);

/**
 * naohw_dcm_recover() - have the torque back after a trip, or of servos that have lost it by
 * themselves, softly, within 2 s. Not in callbacks. After a trip from before naohw_dcm_open() each
 * joint gets the stiffness that it had, and no goal but the place where it is, until it is commanded;
 * one that was let go by hand stays free. A joint that the DCM has eased, as something blocked it, goes on.
 * Return: 0 it is on its way; -EBUSY this is a callback; or a negative errno from the kernel.
 */
NAOHW_API int naohw_dcm_recover(struct naohw_dcm *dcm, struct naohw_error *err);

/**
 * naohw_dcm_limp() - let all joints that the DCM moves go, as naohw_robot_limp() does, and keep
 * them so until naohw_dcm_recover(). Where a naohwd hosts the DCM it does so for this program,
 * which needs no right to write to the kernel's files. Not in callbacks. Waits for no device: a bus
 * that is gone is an error.
 * Return: 0; -EBUSY this is a callback; or as naohw_robot_limp(), or naohw_dcm_set() beside a
 * naohwd.
 */
NAOHW_API int naohw_dcm_limp(struct naohw_dcm *dcm, struct naohw_error *err);

/**
 * naohw_dcm_rest() - have the robot rest: each joint that is stiff goes to its safe posture, the Rest of its
 * Position/Actuator, no faster than DCM/SpeedWithoutTime; then all torque goes, but for joints without a Hardness/Actuator. A wheel is
 * stopped gently before. Commands do nothing to a joint at rest, or on its way there, and none makes it stiff, until
 * naohw_dcm_wake_up(). DCM/Rest tells how far it is.
 * Return: 0: from the next cycle on; or what a naohwd said.
 */
NAOHW_API int naohw_dcm_rest(struct naohw_dcm *dcm, struct naohw_error *err);

/**
 * naohw_dcm_wake_up() - the opposite: all joints that rest, or are limp, become fully stiff within 2 s, where
 * they are, but for those that the diagnosis keeps limp. How stiff others are does not change. What
 * naohw_dcm_recover() brings back comes back, too, also where waking up is forbidden. Not in callbacks.
 * Return: 0 it is on its way; -EPERM the diagnosis forbids it, and the message has why, as
 * DCM/WakeUpForbidden does; -EBUSY this is a callback; or as naohw_dcm_recover().
 */
NAOHW_API int naohw_dcm_wake_up(struct naohw_dcm *dcm, struct naohw_error *err);

/**
 * naohw_dcm_diagnose() - the active diagnosis, of a robot at rest: each joint that is not known to be broken
 * becomes stiff, one after the other, goes 5 degrees at the most and back, and is let go again, in 2.5 s at the most.
 * Diagnosis/Active/NAME/Error tell what it has found, of sensors, too. DCM/Rest is "testing" meanwhile, and
 * Diagnosis/Tests becomes one more at the end. What was found before is over for those that pass. naohw_dcm_wake_up(),
 * naohw_dcm_rest() and naohw_dcm_close() of a DCM of one's own end it before. Not in callbacks.
 * Return: 0 it begins with the next cycle, or when the robot on its way to rest has arrived; -EPERM the robot does not
 * rest; -EOPNOTSUPP the description has no DCM/DiagnosisRules; -EBUSY this is a callback, or the robot is about to wake
 * up or rest; or what a naohwd said.
 */
NAOHW_API int naohw_dcm_diagnose(struct naohw_dcm *dcm, struct naohw_error *err);

/**
 * naohw_dcm_is_resting() - is the whole robot at rest, or on its way there, be that by naohw_dcm_rest() or by
 * the diagnosis? As of the last cycle. Return: 1 or 0.
 */
NAOHW_API int naohw_dcm_is_resting(const struct naohw_dcm *dcm);

/** What becomes of what a lease holds, when it is released, or its program closes the DCM or dies. */
enum naohw_lease_end {
	NAOHW_LEASE_SOFTEN, /* hardness goes to 0 on a straight line, in some seconds */
	NAOHW_LEASE_HOLD,   /* it stays where it is, as stiff as it is */
	NAOHW_LEASE_FREE,   /* hardness is 0 at once */
};

/**
 * naohw_dcm_lease() - have joints of a robot that a naohwd has for this program alone, and in a safe
 * end if it dies. Where no naohwd hosts the cycle there is no other program, and nobody who could
 * do something in its place: the kernel takes the torque then. Where naohwd was begun anew, it is
 * taken again, unless another program was faster. Not in callbacks.
 * @names: @count of them, of joints, which are their position and hardness, of actuators, or of
 *	aliases.
 * @seconds: for NAOHW_LEASE_SOFTEN, 0 to 60.
 * @lease: receives its number, for naohw_dcm_release().
 * Return: 0; -ENOTSUP this program hosts the cycle; -EBUSY another one holds some of it, and the
 * message names it, or this is a callback; -ENOENT no such joint, actuator or alias; -EINVAL no
 * end like that; -ENOSPC this program has sixteen; or as naohw_dcm_set(). After -ETIMEDOUT it may
 * be held, without a number, until the DCM is closed.
 */
NAOHW_API int naohw_dcm_lease(struct naohw_dcm *dcm, const char *const *names, size_t count,
			      enum naohw_lease_end end, double seconds, unsigned int *lease,
			      struct naohw_error *err);

/**
 * naohw_dcm_lease_rest() - the same, but in the end joints go to a pose in which the robot rests, and
 * soften there within 3 s; others of the lease hold until then, and soften with them.
 * @joints: @joint_count of them, 1 to 256, each one of the lease; @angles: rad, of each.
 * @seconds: in which they go there, 0 to 60, but no faster than they may.
 * Return: as naohw_dcm_lease(), with -EINVAL also for a joint that is not in the lease.
 */
NAOHW_API int naohw_dcm_lease_rest(struct naohw_dcm *dcm, const char *const *names, size_t count,
				   const char *const *joints, const double *angles,
				   size_t joint_count, double seconds, unsigned int *lease,
				   struct naohw_error *err);

/**
 * naohw_dcm_release() - end a lease, as it was said. Not in callbacks.
 * Return: 0; -ENOENT this program has no such lease, or no more; or as naohw_dcm_lease().
 */
NAOHW_API int naohw_dcm_release(struct naohw_dcm *dcm, unsigned int lease,
				struct naohw_error *err);

#ifdef __cplusplus
}
#endif

#endif
