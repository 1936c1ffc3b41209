// SPDX-License-Identifier: GPL-2.0
/*
 * What user space sees of the stream of poses of a bus, and can tell it
 */
#include <linux/device.h>
#include <linux/iio/iio.h>
#include <linux/iio/sysfs.h>
#include <linux/kstrtox.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>

#include <linux/dxl/attr.h>

#include "pose.h"

static struct pose *pose_of(struct device *dev)
{
	return iio_priv(dev_to_iio_dev(dev));
}

static struct dxl_team *team_of(struct device *dev)
{
	return pose_of(dev)->team;
}

static ssize_t stream_state_show(struct device *dev,
				 struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", dxl_stream_state_name(team_of(dev)));
}
static IIO_DEVICE_ATTR_RO(stream_state, 0);

static ssize_t watchdog_ms_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  READ_ONCE(team_of(dev)->watchdog_ms));
}

static ssize_t watchdog_ms_store(struct device *dev,
				 struct device_attribute *attr, const char *buf,
				 size_t len)
{
	unsigned int ms;
	int ret;

	ret = kstrtouint(buf, 10, &ms);
	if (ret)
		return ret;
	if (ms < STREAM_WATCHDOG_MIN_MS || ms > STREAM_WATCHDOG_MAX_MS)
		return -ERANGE;

	return dxl_stream_set_watchdog(team_of(dev), ms) ?: len;
}
static IIO_DEVICE_ATTR_RW(watchdog_ms, 0);

static int parse_go(const char *buf)
{
	bool go;
	int ret;

	ret = kstrtobool(buf, &go);
	if (ret)
		return ret;

	return go ? 0 : -EINVAL;
}

static ssize_t keep_alive_store(struct device *dev,
				struct device_attribute *attr, const char *buf,
				size_t len)
{
	int ret = parse_go(buf);

	if (ret)
		return ret;

	dxl_stream_live(team_of(dev));

	return len;
}
static IIO_DEVICE_ATTR_WO(keep_alive, 0);

static ssize_t auto_recover_show(struct device *dev, struct device_attribute *attr,
				 char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(team_of(dev)->auto_recover));
}

static ssize_t auto_recover_store(struct device *dev, struct device_attribute *attr,
				  const char *buf, size_t len)
{
	bool by_itself;
	int ret;

	ret = kstrtobool(buf, &by_itself);
	if (ret)
		return ret;

	return dxl_stream_set_auto_recover(team_of(dev), by_itself) ?: len;
}
static IIO_DEVICE_ATTR_RW(auto_recover, 0);

static ssize_t recover_store(struct device *dev, struct device_attribute *attr,
			     const char *buf, size_t len)
{
	int ret = parse_go(buf);

	return ret ?: dxl_stream_recover(team_of(dev)) ?: len;
}
static IIO_DEVICE_ATTR_WO(recover, 0);

static ssize_t limp_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(team_of(dev)->limp));
}

static ssize_t limp_store(struct device *dev, struct device_attribute *attr,
			  const char *buf, size_t len)
{
	bool limp;
	int ret;

	ret = dxl_parse_flag(buf, &limp);
	if (ret)
		return ret;

	if (limp)
		dxl_stream_let_all_go(team_of(dev));
	else
		dxl_stream_lift_limp(team_of(dev));

	return len;
}
static IIO_DEVICE_ATTR_RW(limp, 0);

static ssize_t option_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%d\n",
			  !!(pose_of(dev)->options & to_iio_dev_attr(attr)->address));
}

static ssize_t option_store(struct device *dev, struct device_attribute *attr,
			    const char *buf, size_t len)
{
	bool on;
	int ret;

	ret = kstrtobool(buf, &on);
	if (ret)
		return ret;

	return dxl_stream_set_option(team_of(dev), to_iio_dev_attr(attr)->address, on) ?: len;
}
static IIO_DEVICE_ATTR(all_goals, 0644, option_show, option_store, POSE_ALL_GOALS);
static IIO_DEVICE_ATTR(stiffness, 0644, option_show, option_store, POSE_STIFFNESS);

static ssize_t stale_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(team_of(dev)->stale));
}
static IIO_DEVICE_ATTR_RO(stale, 0);

static ssize_t count_show(struct pose *pose, const u64 *count, char *buf)
{
	u64 value;

	spin_lock_bh(&pose->team->stream_lock);
	value = *count;
	spin_unlock_bh(&pose->team->stream_lock);

	return sysfs_emit(buf, "%llu\n", value);
}

static ssize_t poses_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	return count_show(pose_of(dev), &pose_of(dev)->poses, buf);
}
static IIO_DEVICE_ATTR_RO(poses, 0);

static ssize_t dropped_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	return count_show(pose_of(dev), &pose_of(dev)->dropped, buf);
}
static IIO_DEVICE_ATTR_RO(dropped, 0);

static ssize_t underruns_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
{
	return count_show(pose_of(dev), &pose_of(dev)->underruns, buf);
}
static IIO_DEVICE_ATTR_RO(underruns, 0);

static ssize_t ignored_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	return count_show(pose_of(dev), &pose_of(dev)->ignored, buf);
}
static IIO_DEVICE_ATTR_RO(ignored, 0);

static struct attribute *stream_attrs[] = {
	&iio_dev_attr_all_goals.dev_attr.attr,
	&iio_dev_attr_auto_recover.dev_attr.attr,
	&iio_dev_attr_dropped.dev_attr.attr,
	&iio_dev_attr_ignored.dev_attr.attr,
	&iio_dev_attr_keep_alive.dev_attr.attr,
	&iio_dev_attr_limp.dev_attr.attr,
	&iio_dev_attr_poses.dev_attr.attr,
	&iio_dev_attr_recover.dev_attr.attr,
	&iio_dev_attr_stale.dev_attr.attr,
	&iio_dev_attr_stiffness.dev_attr.attr,
	&iio_dev_attr_stream_state.dev_attr.attr,
	&iio_dev_attr_underruns.dev_attr.attr,
	&iio_dev_attr_watchdog_ms.dev_attr.attr,
	NULL
};

const struct attribute_group dxl_stream_attrs = {
	.attrs = stream_attrs,
};
