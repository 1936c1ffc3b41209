/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef NAOHW_PROBE_H
#define NAOHW_PROBE_H

/* -EBUSY when a program has the buffer of this IIO device ("iio:device3") open, else 0. */
int probe_buffer(const char *iio_id);

#endif
