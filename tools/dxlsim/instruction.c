// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of Protocol 1.0
 *
 * The answer to an instruction goes out as the device was set before it: a new
 * ID or Status Return Level holds from the next instruction on, as the printed
 * manual's examples for ID, Status Return Level and RESET show.
 */
#include <string.h>

#include "instruction.h"

/* Status Return Level from which on an instruction is answered. */
enum level { ANSWER_ALWAYS, ANSWER_READS, ANSWER_ALL };

struct instruction {
	u8 code;
	enum level level;
	u8 (*execute)(struct device *dev, const struct dxl_packet *packet,
		      nsec_t now, struct answer *answer);
};

static u8 ping(struct device *dev, const struct dxl_packet *packet, nsec_t now,
	       struct answer *answer)
{
	(void)dev;
	(void)now;
	(void)answer;

	return packet->len ? DXL1_ERR_INSTRUCTION : 0;
}

static u8 read_data(struct device *dev, const struct dxl_packet *packet,
		    nsec_t now, struct answer *answer)
{
	struct span span;
	u8 error;

	if (packet->len != 2)
		return DXL1_ERR_INSTRUCTION;

	span = (struct span){ packet->params[0], packet->params[1] };
	error = device_read(dev, span, answer->params, now);
	answer->len = error ? 0 : span.len;

	return error;
}

static u8 write_data(struct device *dev, const struct dxl_packet *packet,
		     nsec_t now, struct answer *answer)
{
	(void)answer;

	if (packet->len < 2)
		return DXL1_ERR_INSTRUCTION;

	return device_write(dev, (struct span){ packet->params[0],
						packet->len - 1 },
			    packet->params + 1, now);
}

static u8 reg_write(struct device *dev, const struct dxl_packet *packet,
		    nsec_t now, struct answer *answer)
{
	(void)now;
	(void)answer;

	if (packet->len < 2)
		return DXL1_ERR_INSTRUCTION;

	return device_register(dev, (struct span){ packet->params[0],
						   packet->len - 1 },
			       packet->params + 1);
}

static u8 action(struct device *dev, const struct dxl_packet *packet,
		 nsec_t now, struct answer *answer)
{
	(void)packet;
	(void)answer;

	return device_action(dev, now);
}

static u8 factory_reset(struct device *dev, const struct dxl_packet *packet,
			nsec_t now, struct answer *answer)
{
	(void)packet;
	(void)answer;
	device_factory_reset(dev, now);

	return 0;
}

/* Parameters: address, bytes for each device, then ID and bytes of each. */
static u8 sync_write(struct device *dev, const struct dxl_packet *packet,
		     nsec_t now, struct answer *answer)
{
	unsigned int len, i;
	u8 error = 0;

	(void)answer;
	if (packet->id != DXL_ID_BROADCAST || packet->len < 3)
		return DXL1_ERR_INSTRUCTION;

	len = packet->params[1];
	if (!len || (packet->len - 2) % (len + 1))
		return DXL1_ERR_INSTRUCTION;

	for (i = 2; i < packet->len; i += len + 1)
		if (packet->params[i] == dev->table[ADDR_ID])
			error |= device_write(dev, (struct span){
						packet->params[0], len },
					      packet->params + i + 1, now);

	return error;
}

static const struct instruction instructions[] = {
	{ DXL_PING,		ANSWER_ALWAYS,	ping },
	{ DXL_READ,		ANSWER_READS,	read_data },
	{ DXL_WRITE,		ANSWER_ALL,	write_data },
	{ DXL_REG_WRITE,	ANSWER_ALL,	reg_write },
	{ DXL_ACTION,		ANSWER_ALL,	action },
	{ DXL_FACTORY_RESET,	ANSWER_ALL,	factory_reset },
	{ DXL_SYNC_WRITE,	ANSWER_ALL,	sync_write },
};

static const struct instruction *find(u8 code)
{
	size_t i;

	for (i = 0; i < sizeof(instructions) / sizeof(instructions[0]); i++)
		if (instructions[i].code == code)
			return &instructions[i];

	return NULL;
}

static enum level level_of(u8 code)
{
	const struct instruction *instruction = find(code);

	return instruction ? instruction->level : ANSWER_ALL;
}

static void begin_answer(const struct device *dev, struct answer *answer)
{
	answer->id = dev->table[ADDR_ID];
	answer->error = 0;
	answer->len = 0;
	answer->delay = dev->table[ADDR_RETURN_DELAY] * 2 * NSEC_PER_USEC;
}

/* Carry out a packet; true if @answer is to be sent. */
bool device_execute(struct device *dev, const struct dxl_packet *packet,
		    nsec_t now, struct answer *answer)
{
	const struct instruction *instruction = find(packet->instruction);
	u8 level = dev->table[ADDR_STATUS_LEVEL];
	u8 error = DXL1_ERR_INSTRUCTION;

	begin_answer(dev, answer);
	if (instruction)
		error = instruction->execute(dev, packet, now, answer);
	if (error)
		device_alarm(dev, error);
	answer->error = error | device_condition(dev, now);

	return packet->id != DXL_ID_BROADCAST &&
	       level >= level_of(packet->instruction);
}

/* A packet for the device came with a wrong checksum. */
bool device_refuse_checksum(struct device *dev, u8 instruction, nsec_t now,
			    struct answer *answer)
{
	begin_answer(dev, answer);
	device_alarm(dev, DXL1_ERR_CHECKSUM);
	answer->error = DXL1_ERR_CHECKSUM | device_condition(dev, now);

	return dev->table[ADDR_STATUS_LEVEL] >= level_of(instruction);
}

/* The device's part in a BULK_READ. */
bool device_bulk_read(struct device *dev, struct span span, nsec_t now,
		      struct answer *answer)
{
	u8 error;

	begin_answer(dev, answer);
	error = device_read(dev, span, answer->params, now);
	answer->len = error ? 0 : span.len;
	if (error)
		device_alarm(dev, error);
	answer->error = error | device_condition(dev, now);

	return dev->table[ADDR_STATUS_LEVEL] >= ANSWER_READS;
}
