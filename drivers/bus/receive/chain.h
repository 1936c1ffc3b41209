/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whose an answer is. Of the receiving side alone.
 */
#ifndef _DXL_CHAIN_H
#define _DXL_CHAIN_H

#include "receive.h"

void dxl_chain_packet(struct dxl_engine *e, const struct dxl_packet *packet,
		      struct dxl_event *event);
struct dxl_reply *dxl_chain_next_slot(const struct dxl_engine *e);
void dxl_chain_slot(struct dxl_engine *e, struct dxl_reply *reply,
		    const struct dxl_packet *packet, int fault,
		    struct dxl_event *event);
void dxl_chain_wait_for_rest(struct dxl_engine *e, const struct dxl_reply *next);
void dxl_chain_fault(struct dxl_engine *e, int fault);
void dxl_chain_conclude(struct dxl_engine *e);
void dxl_chain_give_up(struct dxl_engine *e);

#endif /* _DXL_CHAIN_H */
