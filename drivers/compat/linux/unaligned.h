/* SPDX-License-Identifier: GPL-2.0 */
/* Since 6.12; it was the architecture's before. */
#include <asm/unaligned.h>
