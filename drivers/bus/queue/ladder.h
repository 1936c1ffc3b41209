/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the queue tells the ladder of answers, and what the ladder asks.
 */
#ifndef _DXL_LADDER_H
#define _DXL_LADDER_H

#include <linux/types.h>
#include <linux/workqueue.h>

#include <linux/dxl/bus.h>

#define DXL_LADDER_NONE	(-1)

/**
 * struct dxl_ladder - asks the lost devices of a bus whether they are back
 * @bus: the bus
 * @work: sends a question, and takes the result of the last one
 * @busy: a question is under way
 * @xfer: the question
 * @reply: the answer
 * @params: registers asked for
 * @buf: what they hold
 * @asked: the device asked, with a reference, until @work runs again
 * @last_id: ID of the one asked last in turn
 * @sought_id: ID of one that a program seeks, or %DXL_LADDER_NONE
 * @out_of_turn: the last question was to such a one
 */
struct dxl_ladder {
	struct dxl_bus *bus;
	struct delayed_work work;
	bool busy;
	struct dxl_transfer xfer;
	struct dxl_reply reply;
	u8 params[DXL_RANGE_MAX];
	u8 buf[3];
	struct dxl_device *asked;
	u8 last_id;
	int sought_id;
	bool out_of_turn;
};

void dxl_ladder_result(struct dxl_bus *bus, struct dxl_device *ddev,
		       bool answered);
void dxl_ladder_seek(struct dxl_device *ddev);
void dxl_ladder_heard(struct dxl_device *ddev, u8 alerts);

#endif /* _DXL_LADDER_H */
