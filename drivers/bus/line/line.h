/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known here of serial lines: which baud rates are the same to a device.
 */
#ifndef _DXL_LINE_H
#define _DXL_LINE_H

#include <linux/math.h>
#include <linux/types.h>

/* A receiver that samples in mid-bit loses the last bit beyond some 4 %. */
#define DXL_BAUD_TOLERANCE_PERCENT	3

/* Would devices at @baud understand a line at @reached? */
static inline bool dxl_baud_fits(u32 reached, u32 baud)
{
	return abs_diff(reached, baud) <=
	       baud / 100 * DXL_BAUD_TOLERANCE_PERCENT;
}

#endif /* _DXL_LINE_H */
