/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor as it is at its own start, whatever the boot loader has done before us */
#ifndef CM510_START_H
#define CM510_START_H

/* Before all else, while nothing interrupts */
void start_clean(void);

#endif
