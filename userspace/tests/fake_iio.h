/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A libiio made of memory: servos and goal outputs as the kernel drivers show them. They are this
 * machine's own, and the library's files that look into /sys and /dev are made of memory, too.
 */
#ifndef NAOHW_FAKE_IIO_H
#define NAOHW_FAKE_IIO_H

#include <stddef.h>
#include <stdint.h>

#define FAKE_SAMPLE 64 /* 16-bit words in a pose */

void fake_reset(void);

/* An AX-12 at rest in its middle, torque off. */
void fake_servo(const char *label);

/* "dxlN-goal" for @count servos; first ID is 1, labels as given. */
void fake_goal(unsigned int bus, const char *const *labels, unsigned int count);

/* The same for servos whose registers have @bits bits, 16 or 32. */
void fake_goal_of_bits(unsigned int bus, const char *const *labels, unsigned int count,
		       unsigned int bits);

/*
 * "dxlN-state" for @count servos; first ID is 1, labels as given. A sample has, of each servo,
 * angl (s16), anglvel (s16), load (s16), voltage (u8), temp (u8), age (u8) and alarm (u8), and at
 * last the timestamp. Its trigger ticks with @hertz; 0: it has no frequency.
 */
void fake_state(unsigned int bus, const char *const *labels, unsigned int count,
		unsigned int hertz);

/*
 * A board with the channels count1, count2, ... of these labels, on a bus that has been made. A
 * sample has, behind what is there, each of them (u16), age (u8) and alarm (u8).
 */
void fake_board(unsigned int bus, unsigned int id, const char *label, const char *const *parts,
		unsigned int count);

/* "out_angl1" has so many of the bits of its place in a sample, and the highest byte of it first. */
void fake_format(const char *device, const char *channel, unsigned int bits, int is_big);

/* One more channel of a sample, "in_anglvel201_x", of this label; NULL: it has none. */
void fake_channel(const char *device, const char *name, const char *label, unsigned int bits);

/* What a reading of frames gives next: this, whose bytes are those of the buffer, ... */
void fake_frame(unsigned int bus, const void *bytes, size_t size);
/* ... or an error. Where there is nothing more, it is -ETIMEDOUT, when that time is over. */
void fake_frame_error(unsigned int bus, int error);
/* From now on each comes so long after the one before was read, as poll() tells; 0: at once. */
void fake_frames_wait(unsigned int bus, unsigned int ms);
/* Be devices of another machine, and not of this one: there is nothing to poll. */
void fake_remote(void);
/* Bytes of a sample, as it was opened. */
size_t fake_sample_size(const char *device);
/* How many were read, and how often it was tried. */
unsigned int fake_frames_read(unsigned int bus);
unsigned int fake_refills(unsigned int bus);
/* Calls of poll() and epoll_wait(). */
unsigned int fake_polls(void);
/* What was done last of iio_context_set_timeout() and iio_device_set_kernel_buffers_count(). */
unsigned int fake_timeout(void);
unsigned int fake_depth(const char *device);
/* An attribute of the device itself: "current_timestamp_clock". */
void fake_device_set(const char *device, const char *attribute, const char *value);
void fake_device_remove(const char *device, const char *attribute);
const char *fake_device_get(const char *device, const char *attribute);
/* Writing an attribute of a device sets another one, as it does in the kernel. One at a time. */
void fake_on_write(const char *device, const char *attribute, const char *other,
		   const char *value);
/* Writing that attribute takes until writes are let go, ten seconds at the most. One at a time. */
void fake_hold_write(const char *device, const char *attribute);
void fake_let_writes_go(void);
/*
 * Called in each reading of a frame, to see what was done until then, or to make the frame, for
 * which nobody has to wait; NULL: nothing.
 */
void fake_on_frame(void (*call)(void));
/* Who waits for frames and has none does so in no time, and @call is told for how long. */
void fake_on_waited(void (*call)(int ms));
/* Called when a buffer has been opened (@open 1), and before it is closed (0). */
void fake_on_buffer(void (*call)(const char *device, int open));

/* An attribute by its file name: "in_angl0_raw", "out_angl0_en". The first is of a servo
 * by label, the second of a goal output by name. */
void fake_set(const char *device, const char *attribute, const char *value);
const char *fake_get(const char *device, const char *attribute);

/* Reading or writing it fails from now on; 0 ends that. */
void fake_fail(const char *device, const char *attribute, int error);

/* The same for this many readings only. */
void fake_fail_times(const char *device, const char *attribute, int error, unsigned int times);

/* Each reading of it gives so much more than the one before. */
void fake_climb(const char *device, const char *attribute, double step);

/* Take an attribute away. */
void fake_remove(const char *device, const char *attribute);

/* What was written, in order: "HeadYaw out_angl0_en=1;". */
const char *fake_log(void);

/*
 * What happened to buffers, in order: "dxl0-state lock;", "open", "close" and "unlock", and the
 * clocks that were set: "dxl0-state monotonic;". Locks are those of this machine's devices.
 */
const char *fake_buffer_log(void);

/* Poses that were pushed to a bus, of which the last thousand are there. */
unsigned int fake_pushes(unsigned int bus);
const uint16_t *fake_pose(unsigned int bus, unsigned int push);
int fake_buffer_is_open(unsigned int bus);
/* Writing it fails from now on; 0 ends that. */
void fake_device_fail(const char *device, const char *attribute, int error);
/* Pushes to a bus fail from now on, or so often. */
void fake_fail_push(unsigned int bus, int error);
void fake_fail_push_times(unsigned int bus, int error, unsigned int times);
/* What creating the next buffers fails with; 0: nothing. */
void fake_fail_buffer(int error);

/* What a probe of this machine's own devices gives. */
void fake_probe(int busy);
/* A lease, or a sign of life to it, fails from now on; 0 ends that. */
void fake_fail_lease(int error);
/* Another program has the device's buffer. */
void fake_take(const char *device);
/* Somebody has locked the device's buffer, for so many looks at it, 0: for ever. */
void fake_lock(const char *device, unsigned int times);
/* Called when it is looked whether somebody has. */
void fake_on_look(void (*call)(void));
/* What the bus of a servo cannot be told for; 0: it can. */
void fake_fail_bus(int error);
/* The bus that all servos are on; 0 if nothing is said. */
void fake_set_bus(unsigned int bus);
/* The device that was made last is on this bus, and that on this line. */
void fake_on_line(const char *line, unsigned int bus);
/* The longest time that poll() was to wait, in ms. */
int fake_longest_poll(void);
/* Poses that wait in a bus's queue, and never leave it. */
void fake_queue(unsigned int bus, unsigned int poses);
/* Called with the device when a pose is pushed, be it taken or not. */
void fake_on_push(void (*call)(const char *device));
/* How often an attribute of a device was written. */
unsigned int fake_device_writes(const char *device, const char *attribute);
/* The device was taken away, and another one has its number, under which libiio finds it. */
void fake_replug(const char *device);
void fake_rename(const char *device, const char *name);
/*
 * A goal output that has the attribute "stiffness" is registered anew when that is written. From
 * now on it is there after so many looks for it, and this program may use it after so many more.
 */
void fake_register_after(unsigned int looks);
void fake_deny(unsigned int looks);
/* One that has been made is registered, and listed in contexts, only after so many looks for it. */
void fake_appear_after(const char *device, unsigned int looks);
/* How often a device was looked for by its name. */
unsigned int fake_looks(void);
/* How many contexts there are. */
unsigned int fake_contexts(void);
/* How many buffers were created, well or not; each switches off what was running. */
unsigned int fake_buffers_created(void);
/* How often a value was asked for. */
unsigned int fake_reads(const char *device, const char *attribute);

#endif
