/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What programs say to a tty with the line discipline of a Dynamixel bus.
 */
#ifndef _UAPI_LINUX_DXL_H
#define _UAPI_LINUX_DXL_H

#include <linux/ioctl.h>
#include <linux/types.h>

/*
 * Number of the line discipline, for TIOCSETD. It is the kernel's N_DEVELOPMENT,
 * whose name <linux/tty.h> gives, for disciplines outside the kernel's tree.
 */
#define DXL_LDISC	29

/*
 * DXLIOC_BUS - number N of the bus dxlN that is on this tty
 *
 * -ENODEV after DXLIOC_DETACH.
 */
#define DXLIOC_BUS	_IOR(0xdc, 0, __u32)

/*
 * DXLIOC_DETACH - remove the bus and its devices while the line still works, so
 * that every device is left as its driver wants to leave it
 *
 * The discipline stays, without a bus.
 */
#define DXLIOC_DETACH	_IO(0xdc, 1)

#endif /* _UAPI_LINUX_DXL_H */
