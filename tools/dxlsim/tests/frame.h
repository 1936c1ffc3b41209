/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of both protocols, framed by the tests themselves, so that the codec is
 * not tested against the codec.
 */
#ifndef DXLSIM_TESTS_FRAME_H
#define DXLSIM_TESTS_FRAME_H

#include <stddef.h>

#include <linux/types.h>

u8 sum_of(const u8 *bytes, size_t len);
size_t frame(u8 *bytes, u8 id, u8 instruction, const u8 *params, size_t len);

u16 crc_of(const u8 *bytes, size_t len);
size_t unstuff(u8 *bytes, size_t len);
size_t frame2(u8 *bytes, u8 id, u8 instruction, const u8 *params, size_t len);

#endif
