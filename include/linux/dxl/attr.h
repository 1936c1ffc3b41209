/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is written to attributes
 */
#ifndef _LINUX_DXL_ATTR_H
#define _LINUX_DXL_ATTR_H

#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/types.h>

/**
 * dxl_parse_flag() - read an attribute that takes 0 and 1 alone
 * @buf: what is written to it
 * @on: receives whether it is 1
 *
 * For what takes torque or supply from a robot. kstrtobool() takes "0.5" for 0, by its first
 * letter.
 *
 * Return: 0, or -EINVAL or -ERANGE for all else
 */
static inline int dxl_parse_flag(const char *buf, bool *on)
{
	u8 value;
	int ret;

	ret = kstrtou8(buf, 10, &value);
	if (ret)
		return ret;
	if (value > 1)
		return -EINVAL;

	*on = value;

	return 0;
}

#endif /* _LINUX_DXL_ATTR_H */
