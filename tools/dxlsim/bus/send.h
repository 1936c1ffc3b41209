/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers on their way onto the line, with all that may befall them. */
#ifndef DXLSIM_SEND_H
#define DXLSIM_SEND_H

#include "bus.h"

/* A device's place in the one packet that answers a fast group read. */
struct fast_part {
	u16 packet;
	u16 length;		/* of the packet, if this part begins it, or 0 */
	u16 size;		/* of the data */
	u16 crc;		/* of the parts before */
	u16 next_crc;		/* of this one too, as it was heard */
};

u8 bus_put(struct bus *bus, const struct line_byte *byte);
void bus_sent(struct bus *bus, u16 number, size_t len, bool damaged);
bool bus_hears(const struct bus *bus, unsigned int at);
bool bus_reaches(struct bus *bus, unsigned int at);

nsec_t send_byte_time(const struct bus *bus);
nsec_t send_answer(struct bus *bus, unsigned int at,
		   const struct answer *answer, nsec_t from);
nsec_t send_part(struct bus *bus, unsigned int at, const struct answer *answer,
		 struct fast_part *part, nsec_t from);
void send_trace(const struct bus *bus, char mark, const u8 *bytes, size_t len,
		nsec_t now);

#endif
