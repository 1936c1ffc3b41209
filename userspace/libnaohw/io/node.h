/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef NAOHW_NODE_H
#define NAOHW_NODE_H

#include <stdbool.h>

/*
 * Open the character device of an IIO device ("iio:device3"), to read and write without waiting.
 * Return: a descriptor for close(), or a negative errno: -EBUSY another program has it open.
 */
int node_open(const char *iio_id);

/* -EBUSY when a program has it open, else 0. */
int node_probe(const char *iio_id);

/* May this program open its character device, be it in use or not? */
bool node_may_be_used(const char *iio_id);

/* Have a bus's joints watched: a file for close(), which lets them go, or a negative errno. */
int node_lease(unsigned int bus);

/* Say that whoever has that is well; -ETIMEDOUT: they have been let go before. */
int node_sign(int lease);

#endif
