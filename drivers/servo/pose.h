/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the pose device know of each other.
 */
#ifndef _DXL_POSE_H
#define _DXL_POSE_H

#include <linux/atomic.h>
#include <linux/iio/buffer_impl.h>
#include <linux/types.h>

#include "team.h"

/**
 * struct pose - private data of the IIO device
 * @indio_dev: the IIO device
 * @team: the servos
 * @access: how the buffer is used: @fifo, but for writes, which are signs of life
 * @fifo: how IIO's buffer is used
 * @options: what a sample has beside goal position and goal speed
 * @sample: the sample being sent
 * @num_targets: for how many servos it has channels
 * @targets: these, by rising ID, be there a servo or not
 * @open: the buffer is enabled, or about to be
 * @taken: the device is being taken away, and its stream with it
 * @life: guards @gone
 * @gone: it has been taken away, and the team may be, while its buffer is still open
 * @due: a tick has passed since a sample was taken
 * @begun: the present stream has had a pose
 * @posing: what is being sent is a pose
 * @poses: how many have been sent
 * @dropped: how many have not
 * @underruns: ticks without one
 * @ignored: goals other than 0 that were not of the mode of their servo
 */
struct pose {
	struct iio_dev *indio_dev;
	struct dxl_team *team;
	struct iio_buffer_access_funcs access;
	const struct iio_buffer_access_funcs *fifo;
	unsigned int options;
	u8 *sample;
	unsigned int num_targets;
	struct dxl_target **targets;

	bool open;
	bool taken;
	spinlock_t life; /* guards gone */
	bool gone;
	atomic_t due;
	bool begun;
	bool posing;
	u64 poses;
	u64 dropped;
	u64 underruns;
	u64 ignored;
};

/* pose.c */
struct pose *dxl_pose_create(struct dxl_team *team);
void dxl_pose_destroy(struct pose *pose);
bool dxl_pose_take(struct pose *pose);
void dxl_pose_drop_some(struct pose *pose);
void dxl_pose_drop_all(struct pose *pose);
void dxl_pose_tell(const struct pose *pose, const char *attr, const char *name,
		   const char *value);

/* stream_attrs.c */
extern const struct attribute_group dxl_stream_attrs;

#endif /* _DXL_POSE_H */
