/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A stream of poses to servos that are not there
 *
 * Nothing waits for a watchdog: time passes because a test says so. Ticks come from it
 * too, as the timer of the bus's trigger is stopped.
 */
#ifndef _FAKE_STREAM_H
#define _FAKE_STREAM_H

#include <linux/bits.h>
#include <linux/iio/consumer.h>
#include <linux/types.h>

#include "../drivers/servo/pose.h"
#include "fake_servo.h"

/* Registers of Protocol 1.0, and of 2.0 but for XL-320. */
#define TORQUE		24
#define GOAL		30
#define LIMIT		34
#define POSITION	36
#define TORQUE2		64
#define WATCHDOG2	98
#define LIMIT2		100
#define SPEED2		112
#define GOAL2		116
#define POSITION2	132
#define ERRORS2		70

/* How servos say that something is wrong, and the same in a register of 2.0. */
#define ALARM_OVERLOAD	BIT(5)
#define ALARM_HEAT	BIT(2)
#define ERROR2_OVERLOAD	BIT(5)

/* Longer than any test, so that what is not meant to pass does not. */
#define PERIOD_US	1000000000
#define WATCHDOG_MS	10000000
#define RAMP_MS		2000

/* An ID that nobody has: what is asked of it keeps the line until it is given up. */
#define NOBODY	99

#define SENT_MAX	32

/**
 * struct sent_write - a sync write that has been sent
 * @addr: first register
 * @devices: how many devices it was for
 */
struct sent_write {
	u16 addr;
	unsigned int devices;
};

/* What the line has seen since fs_forget_sent(). */
extern struct sent_write fs_sent[SENT_MAX];
extern unsigned int fs_num_sent;

/* Who does not hear what is for several, 0 for nobody. */
extern u8 fs_deaf;

/* A stream begins while somebody is told not to watch the bus. */
extern bool fs_begins_meanwhile;

extern struct pose *fs_pose;

void fs_forget_sent(void);
void fs_expect_sent(struct kunit *test, unsigned int n, u16 addr, unsigned int devices);
struct dxl_bus *fs_bus_of(struct kunit *test);
u64 fs_exchanges(struct kunit *test);
void fs_wait_for_exchange(struct kunit *test, u64 before);
void fs_tick(struct kunit *test);
void fs_fire_watchdog(void);
void fs_be_silent(unsigned int ms);
void fs_trip(struct kunit *test);
void fs_expect_attr(struct kunit *test, const char *name, const char *want);
ssize_t fs_store(const char *name, const char *text);
void fs_push_bytes(struct kunit *test, const u8 *sample, size_t len);
void fs_push(struct kunit *test, u16 goal);
void fs_wait_for_the_pose(struct kunit *test, int channels);
void fs_open_of(struct kunit *test, const char *length);
void fs_open(struct kunit *test);
void fs_close(struct kunit *test);
void fs_recover(struct kunit *test, unsigned int ticks);
void fs_end_ramp(struct kunit *test);
void fs_listen(struct fake_servos *f);
void fs_take_time(struct kunit *test);
void fs_be_ready(struct kunit *test, int channels);
struct fake_servos *fs_of_v1(struct kunit *test);
struct fake_servos *fs_of_both(struct kunit *test);
u16 fs_reg16(const struct fake_device *dev, u16 addr);
void fs_expect_torque(struct kunit *test, u8 on);
void fs_give_torque(struct kunit *test);
struct dxl_device *fs_lose(struct kunit *test, unsigned int n);
void fs_come_back(struct kunit *test, unsigned int n);
void fs_power_cycle(struct fake_device *dev);
void fs_doubt(struct dxl_device *ddev);
void fs_tell_of_doubt(struct dxl_device *ddev);
struct dxl_servo *fs_servo(struct kunit *test, u8 id);
struct iio_channel fs_goal_of(struct kunit *test, u8 id);
void fs_hear_from(struct kunit *test, u8 id);
void fs_shut_down(struct fake_device *dev, u8 alarm);

#endif /* _FAKE_STREAM_H */
