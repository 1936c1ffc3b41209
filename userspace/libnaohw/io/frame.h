/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What of a frame its readers get in their own units, as keys have it: in IIO's. */
#ifndef NAOHW_FRAME_H
#define NAOHW_FRAME_H

#include <naohw.h>

/*
 * Which value of a frame a channel ("in_angl0") of the servo with this label has too; -ENOENT:
 * none. @id is the IIO channel's without "in_".
 */
int frame_find_channel(const struct naohw_frame *frame, const char *label, const char *id);

/* The value of a joint that is of this quantity, by number as naohw_frame_get_channel(). */
int frame_find_quantity(const struct naohw_frame *frame, size_t joint,
			enum naohw_quantity quantity);

/* As the servo's own channel gives it; not before there is a frame. */
double frame_value(const struct naohw_frame *frame, size_t channel);

/* When the bus that the value is of was read; buses are not in step. */
int64_t frame_value_time(const struct naohw_frame *frame, size_t channel);

#endif
