/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Servos that exist only in memory, and what the driver shows of them.
 */
#ifndef _DXL_FAKE_SERVO_H
#define _DXL_FAKE_SERVO_H

#include <linux/iio/consumer.h>
#include <linux/iio/iio.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "fake_line.h"

struct kunit;

/* A servo has one channel of a type in each direction at most. */
#define IN		false
#define OUT		true

/* References to devices that a test may hold. */
#define FAKE_HELD	1024

/**
 * struct fake_servos - a bus with servos; a test's priv
 * @line: its line
 * @servo: the servos, in the order in which they were added
 * @held: references to give back
 * @num_held: their number
 */
struct fake_servos {
	struct fake_line *line;
	struct fake_device *servo[FAKE_DEVICES];
	struct device *held[FAKE_HELD];
	unsigned int num_held;
};

struct fake_servos *fake_servos_create(struct kunit *test, const char *bus);
struct fake_device *fake_servos_add(struct fake_servos *f, u8 id, u16 model);
struct fake_device *fake_servos_add_v2(struct fake_servos *f, u8 id, u16 model);
void fake_servos_bind(struct kunit *test);
void fake_servos_drop(struct fake_servos *f);

struct device *servos_hold(struct fake_servos *f, struct device *dev);
struct dxl_device *servo_device(struct kunit *test, u8 id);
struct iio_dev *servo_find(struct kunit *test, u8 id);
struct device *servo_iio(struct kunit *test, u8 id);
struct iio_dev *servo_wait_for_pose(struct kunit *test, int channels);
struct iio_dev *servo_wait_for_state(struct kunit *test, int channels);
struct iio_channel servo_channel(struct kunit *test, u8 id,
				 enum iio_chan_type type, bool output);
bool servo_has_channel(struct kunit *test, u8 id, enum iio_chan_type type,
		       bool output);

void servo_lose(struct fake_device *dev, struct dxl_device *ddev);
void servo_find_again(struct fake_device *dev, struct dxl_device *ddev);

int chan_read(struct iio_channel chan);
int chan_write(struct iio_channel chan, int value);
int chan_write_enable(struct iio_channel chan, int value);
int chan_read_attr(struct iio_channel chan, enum iio_chan_info_enum info);
void expect_nano(struct kunit *test, struct iio_channel chan, int raw,
		 s64 want);

/**
 * struct attr_user - a program that uses an attribute while the test goes on
 * @work: does that
 * @dev: the device
 * @name: name of the attribute
 * @text: what is written; NULL if it is read
 * @buf: what has been read, of PAGE_SIZE
 * @ret: what that has given
 */
struct attr_user {
	struct work_struct work;
	struct device *dev;
	const char *name;
	const char *text;
	char *buf;
	ssize_t ret;
};

struct attr_user *attr_read(struct kunit *test, struct device *dev, const char *name);
struct attr_user *attr_write(struct kunit *test, struct device *dev, const char *name,
			     const char *text);
ssize_t attr_result(struct attr_user *user);

bool dev_has_attr(struct device *dev, const char *name);
ssize_t dev_attr_show(struct device *dev, const char *name, char *buf);
ssize_t dev_attr_store(struct device *dev, const char *name, const char *text);

void put_le16(u8 *p, u16 value);

#endif /* _DXL_FAKE_SERVO_H */
