/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a client of LoLA does with bytes, written from what is known of NAO's: MessagePack put
 * together by hand, and the fields of a packet found in it. None of naohwd's is used.
 */
#ifndef NAOHW_TEST_LOLA_BYTES_H
#define NAOHW_TEST_LOLA_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- to be sent ---- */

struct bytes {
	uint8_t at[8192];
	size_t count;
};

void put_bytes(struct bytes *bytes, const void *more, size_t count);
void put_map(struct bytes *bytes, unsigned int count);
void put_array(struct bytes *bytes, unsigned int count);
void put_text(struct bytes *bytes, const char *text);
void put_float(struct bytes *bytes, float number);
void put_double(struct bytes *bytes, double number);
void put_flag(struct bytes *bytes, bool flag);

/* A name and its array, all of this value. */
void put_field(struct bytes *bytes, const char *name, unsigned int count, float value);

/* ---- that were sent ---- */

/* Where the values of a field are in a packet, which must be whole, and how many; else it fails. */
const uint8_t *field_of(const uint8_t *packet, size_t size, const char *name, unsigned int *count);

/* One of its floats. */
float float_of(const uint8_t *packet, size_t size, const char *name, unsigned int index);

#endif
