/* SPDX-License-Identifier: GPL-2.0 */
/* Since 6.7; it was a part of that before. */
#include <linux/kernel.h>
