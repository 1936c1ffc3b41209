/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An answer that a request on a Dynamixel bus is to bring. As packet.h it needs
 * nothing that userspace lacks.
 */
#ifndef _LINUX_DXL_REPLY_H
#define _LINUX_DXL_REPLY_H

#include <linux/types.h>

struct dxl_device;

/**
 * struct dxl_reply - an answer that a transfer is to bring
 * @ddev: device it is to come from; NULL for one that is not known yet
 * @id: ID it is to come from
 * @buf: where its parameters go; not to be looked at unless @status is 0
 * @len: how many there must be
 * @return_delay_us: how long the device may rest before it answers
 * @status: result: 0 or a negative errno, see dxl_transfer_submit()
 * @error: result: error byte of the answer, also where @status is 0
 */
struct dxl_reply {
	struct dxl_device *ddev;
	u8 id;
	u8 *buf;
	u16 len;
	u32 return_delay_us;
	int status;
	u8 error;
};

#endif /* _LINUX_DXL_REPLY_H */
