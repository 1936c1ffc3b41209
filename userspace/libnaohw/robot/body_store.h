/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a board keeps of its body, in two cells of its memory: NAME-a and NAME-b, of which one is
 * whole while the other is written. Each begins with a header, of which all is little-endian:
 *
 *	"NAOB"		four bytes
 *	version		16 bits, 1
 *	flags		16 bits; bit 0: what follows is zlib's format
 *	generation	32 bits; the copy with the later one holds
 *	length		32 bits, of what follows the header
 *	CRC		32 bits, zlib's, of the 16 bytes before it and of what follows
 */
#ifndef NAOHW_BODY_STORE_H
#define NAOHW_BODY_STORE_H

#include "../description/description.h"

#define BODY_COPY 4096 /* the size of each */
#define BODY_TEXT (256u << 10) /* of what is unpacked, no more */

extern const struct body_store body_store;

/* The installed robots, as they are at @uri: what a board keeps is read on this machine only. */
struct places body_places(const char *uri);

#endif
