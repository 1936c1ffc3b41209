// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A value that is an IIO channel of the unit, by its name ("in_angl0") or its label ("fsr1"); one
 * of the channel's attributes, which may be switched on and off by another one; or one of its
 * bits.
 */
#include <errno.h>
#include <string.h>

#include "../base/base.h"
#include "reason.h"
#include "source.h"

#define BITS 32

bool subdevice_is_hardness(const struct subdevice *s)
{
	return s->actuator && s->kind == &source_channel && s->attribute && s->enable &&
	       strcmp(s->source, JOINT_GOAL) == 0;
}

bool subdevice_is_wheel(const struct subdevice *s)
{
	return s->actuator && s->kind == &source_channel && !s->attribute &&
	       strcmp(s->source, JOINT_SPEED) == 0 && text_ends_with(s->name, "/Speed/Actuator");
}

const struct subdevice *subdevice_wheel_of(const struct naohw_robot *robot, const char *label)
{
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		const struct subdevice *s = &robot->subdevice[i];

		if (subdevice_is_wheel(s) && strcmp(s->label, label) == 0)
			return s;
	}
	return NULL;
}

/* ---- the description ---- */

static int check_direction(const struct subdevice *s, const struct preference *channel,
			   struct naohw_error *err)
{
	if (s->actuator && !text_begins_with(s->source, "out_"))
		return source_wrong(channel, "\"out_...\" for an actuator", err);
	/* What a property is may be what the device was told. */
	if (!s->actuator && !subdevice_has_own_key(s) && text_begins_with(s->source, "out_"))
		return source_wrong(channel, "\"in_...\" for a sensor, or a channel's label", err);
	return 0;
}

static int check_bit(const struct subdevice *s, const struct preference *bit,
		     struct naohw_error *err)
{
	if (!bit)
		return 0;
	if (bit->number < 0 || bit->number >= BITS)
		return source_wrong(bit, "0 to 31", err);
	if (s->actuator || s->attribute)
		return source_wrong(bit, "none: only a sensor's channel has bits", err);
	return 0;
}

static int check(struct subdevice *s, const struct preference *channel, struct naohw_error *err)
{
	const struct description *d = s->robot->description;
	const struct preference *min = description_find(d, s->name, "Min");
	const struct preference *bit = description_find(d, s->name, "Bit");
	int ret = check_direction(s, channel, err);

	if (ret == 0)
		ret = check_bit(s, bit, err);
	if (ret < 0)
		return ret;
	s->bit = bit ? (int)bit->number : -1;
	/* To let a joint go would switch it on. */
	if (s->enable && min && min->number > 0)
		return source_wrong(min, "0 or less: 0 is what lets the joint go", err);
	return 0;
}

/* ---- the device ---- */

static int check_there(const struct subdevice *s, struct naohw_error *err)
{
	if (!s->unit || !s->unit->device.iio)
		return fail(err, -ENODEV, "%s: no IIO device has the label \"%s\"", s->name,
			    s->label);
	if (!s->channel.iio)
		return fail(err, -ENOENT, "%s: the IIO device \"%s\" has no channel %s", s->name,
			    s->label, s->source);
	return 0;
}

static int told(const struct subdevice *s, int ret, struct naohw_error *err)
{
	if (ret >= 0)
		return 0;
	return fail(err, ret, "%s (%s%s%s): %s", s->label, s->source, s->attribute ? "_" : "",
		    s->attribute ? s->attribute : "", error_text(ret));
}

/* ---- reading ---- */

/* A joint that is let go has the value 0, one that turns freely as well the value -1. */
static int read_off(const struct subdevice *s, double *device)
{
	double brake = 1;
	int ret = 0;

	if (s->brake)
		ret = channel_read_attribute(&s->channel, s->brake, &brake);
	*device = ((brake != 0 ? 0 : -1) - s->offset) / s->gain;
	return ret < 0 ? ret : 0;
}

static int read_bit(const struct subdevice *s, double *device)
{
	int ret = channel_read_bit(&s->channel, s->bit);

	if (ret < 0)
		return ret;
	*device = ret;
	return 0;
}

static int read_device(const struct subdevice *s, double *device)
{
	double on;
	int ret;

	if (s->enable) {
		ret = channel_read_attribute(&s->channel, s->enable, &on);
		if (ret < 0)
			return ret;
		if (on == 0)
			return read_off(s, device);
	}
	if (s->attribute)
		return channel_read_attribute(&s->channel, s->attribute, device);
	return s->bit < 0 ? channel_read(&s->channel, device) : read_bit(s, device);
}

static int read_channel(const struct subdevice *s, double *device, struct naohw_error *err)
{
	int ret = check_there(s, err);

	return ret < 0 ? ret : told(s, read_device(s, device), err);
}

/* ---- writing ---- */

static int write_device(const struct subdevice *s, double device)
{
	if (s->attribute)
		return channel_write_attribute(&s->channel, s->attribute, device);
	return channel_write(&s->channel, device);
}

/* The limit goes first. NAO's rule, that the joint then holds where it is, is the kernel's. */
static int switch_on(const struct subdevice *s, double device)
{
	int ret = write_device(s, device);

	return ret < 0 ? ret : channel_write_attribute(&s->channel, s->enable, 1);
}

/* Below 0 the joint is not even braked, where it can be either. */
static int switch_off(const struct subdevice *s, bool brake)
{
	int ret = channel_write_attribute(&s->channel, s->enable, 0);

	if (ret >= 0 && s->brake)
		ret = channel_write_attribute(&s->channel, s->brake, brake);
	return ret;
}

/* The kernel refuses a joint that a stream of poses has, or has let go. */
static int busy(const struct subdevice *s, struct naohw_error *err)
{
	const struct joint *joint = joint_find(s->robot, s->label);
	double on = 1;

	if (joint && joint->goal.iio)
		(void)channel_read_attribute(&joint->goal, "en", &on);
	if (on == 0)
		return fail(err, -EBUSY,
			    "%s: the joint has been let go, as when a program that moves it dies; "
			    "\"naohw recover\" gives the torque back",
			    s->name);
	fail(err, -EBUSY, "%s: another program is moving the robot", s->name);
	robot_tell_mover(s->robot, err);
	return -EBUSY;
}

/* Of a NAO's motor; others keep no zero. */
static bool is_uncalibrated(const struct subdevice *s)
{
	const struct joint *joint = joint_find(s->robot, s->label);
	double zero;

	return s->enable && joint && joint->position.iio &&
	       channel_read_attribute(&joint->position, "calibbias", &zero) == 0 && zero == 0;
}

static int uncalibrated(const struct subdevice *s, struct naohw_error *err)
{
	const char *joint = s->name + strlen(KEY_PREFIX);

	return fail(err, -EREMOTEIO,
		    "%s: the joint is not calibrated, and gets no torque; bring it to 0 and type "
		    "\"naohw calibrate joint %.*s\"",
		    s->name, (int)strcspn(joint, "/"), joint);
}

/* Of the goals of a joint; all else of a servo can be written whether that moves or not. */
static enum guard_reason why_still(const struct subdevice *s)
{
	const struct joint *joint = joint_find(s->robot, s->label);

	if (!joint || (strcmp(s->source, JOINT_GOAL) != 0 && strcmp(s->source, JOINT_SPEED) != 0))
		return GUARD_NONE;
	return joint_reason(s->robot, joint, true);
}

/* A mode that has no such goal takes no value. */
static bool takes_any(const struct subdevice *s)
{
	int min, max;

	return s->attribute || !channel_read_range(&s->channel, &min, &max) || min < max;
}

static int refused(const struct subdevice *s, double value, int ret, struct naohw_error *err)
{
	const struct naohw_reason *why;

	if (ret == -EREMOTEIO && is_uncalibrated(s))
		return uncalibrated(s, err);
	/* Whatever keeps the joint: once that is mended, the value is as wrong as before. */
	if (ret == -ERANGE && takes_any(s))
		return fail(err, ret, "%s: %g is outside of what the servo accepts", s->name,
			    value);
	why = reason_told(why_still(s));
	if (why->is_fault)
		return fail(err, ret, "%s: the joint does not move: %s; %s", s->name, why->what,
			    why->remedy);
	return ret == -EBUSY ? busy(s, err) : told(s, ret, err);
}

static int write_channel(const struct subdevice *s, double value, struct naohw_error *err)
{
	double device = subdevice_to_device(s, value);
	bool lets_go = s->enable && value <= 0;
	int ret = check_there(s, err);

	/* To let go is nobody's business to watch, nor to refuse. */
	if (ret == 0 && !lets_go)
		ret = lease_unit(s->robot, s->unit, err);
	if (ret < 0)
		return ret;
	if (lets_go)
		ret = switch_off(s, value >= 0);
	else if (s->enable)
		ret = switch_on(s, device);
	else
		ret = write_device(s, device);
	return ret < 0 ? refused(s, value, ret, err) : 0;
}

const struct source_kind source_channel = {
	.name = "Channel",
	.check = check,
	.read = read_channel,
	.write = write_channel,
};
