// SPDX-License-Identifier: GPL-2.0
/*
 * A device whose values frames carry
 *
 * What it has joined with is kept, as frames have channels for it longer than it has a
 * driver.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "frame.h"

/* The names of values may be those of a module that is unloaded. */
static int copy_values(struct frame_member *member, const struct dxl_value *values)
{
	unsigned int i;

	/* A value that has not been reached yet has none. */
	for (i = 0; i < member->num_values; i++) {
		struct iio_chan_spec *spec = &member->values[i].spec;

		member->values[i] = values[i];
		if (!spec->extend_name)
			continue;
		spec->extend_name = kstrdup(spec->extend_name, GFP_KERNEL);
		if (!spec->extend_name)
			return -ENOMEM;
	}

	return 0;
}

static struct frame_unit unit_of(struct dxl_device *ddev, const struct dxl_frame_ops *ops,
				 const struct dxl_value *value, enum iio_chan_info_enum info)
{
	struct frame_unit unit = { .type = -EINVAL };

	if (value->spec.info_mask_separate & BIT(info))
		unit.type = ops->read_raw(ddev, value, &unit.val, &unit.val2, info);

	return unit;
}

static int member_init(struct frame_member *member, struct dxl_device *ddev,
		       const struct dxl_frame_ops *ops, const struct dxl_value *values,
		       unsigned int num_values)
{
	unsigned int i;

	member->id = ddev->id;
	member->protocol = READ_ONCE(ddev->protocol);
	member->label = kstrdup(ops->label(ddev) ?: dev_name(&ddev->dev), GFP_KERNEL);
	member->scales = kcalloc(num_values, sizeof(*member->scales), GFP_KERNEL);
	member->offsets = kcalloc(num_values, sizeof(*member->offsets), GFP_KERNEL);
	member->values = kcalloc(num_values, sizeof(*member->values), GFP_KERNEL);
	if (!member->label || !member->scales || !member->offsets || !member->values)
		return -ENOMEM;

	member->num_values = num_values;
	for (i = 0; i < num_values; i++) {
		member->scales[i] = unit_of(ddev, ops, &values[i], IIO_CHAN_INFO_SCALE);
		member->offsets[i] = unit_of(ddev, ops, &values[i], IIO_CHAN_INFO_OFFSET);
	}

	return copy_values(member, values);
}

/**
 * frame_member_create() - note what a device has for frames
 * @ddev: the device
 * @ops: its driver's functions
 * @values: its values
 * @num_values: their number
 *
 * Return: the member, without its device, or NULL
 */
struct frame_member *frame_member_create(struct dxl_device *ddev,
					 const struct dxl_frame_ops *ops,
					 const struct dxl_value *values,
					 unsigned int num_values)
{
	struct frame_member *member = kzalloc(sizeof(*member), GFP_KERNEL);

	if (!member)
		return NULL;

	if (member_init(member, ddev, ops, values, num_values)) {
		frame_member_destroy(member);
		return NULL;
	}

	return member;
}

/**
 * frame_member_destroy() - take back frame_member_create()
 * @member: the member
 */
void frame_member_destroy(struct frame_member *member)
{
	unsigned int i;

	for (i = 0; i < member->num_values; i++)
		kfree(member->values[i].spec.extend_name);
	kfree(member->values);
	kfree(member->offsets);
	kfree(member->scales);
	kfree(member->label);
	kfree(member);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_value(const struct dxl_value *a, const struct dxl_value *b)
{
	return a->addr == b->addr && a->size == b->size && a->slow == b->slow &&
	       a->spec.type == b->spec.type && a->spec.channel == b->spec.channel &&
	       a->spec.channel2 == b->spec.channel2 &&
	       a->spec.address == b->spec.address &&
	       a->spec.info_mask_separate == b->spec.info_mask_separate &&
	       a->spec.scan_type.sign == b->spec.scan_type.sign &&
	       a->spec.scan_type.realbits == b->spec.scan_type.realbits &&
	       same_text(a->spec.extend_name, b->spec.extend_name);
}

static bool same_unit(const struct frame_unit *a, const struct frame_unit *b)
{
	return a->type == b->type && a->val == b->val && a->val2 == b->val2;
}

/**
 * frame_member_is_like() - whether the channels of one would do for another
 * @member: the one
 * @other: the other
 *
 * Return: true if they would
 */
bool frame_member_is_like(const struct frame_member *member,
			  const struct frame_member *other)
{
	unsigned int i;

	if (member->id != other->id || member->protocol != other->protocol ||
	    member->num_values != other->num_values ||
	    !same_text(member->label, other->label))
		return false;

	for (i = 0; i < member->num_values; i++)
		if (!same_value(&member->values[i], &other->values[i]) ||
		    !same_unit(&member->scales[i], &other->scales[i]) ||
		    !same_unit(&member->offsets[i], &other->offsets[i]))
			return false;

	return true;
}
