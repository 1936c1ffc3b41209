// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which instructions a device knows, and how it answers
 *
 * The answer to an instruction goes out as the device was set before it: a new
 * ID or Status Return Level holds from the next instruction on, as the printed
 * manual's examples for ID, Status Return Level and RESET show.
 */
#include "request.h"

/* Instructions that came later, and that not every model has. */
static bool is_optional(enum dxl_protocol protocol, u8 code)
{
	switch (code) {
	case DXL_BULK_READ:
		return true;
	case DXL_CLEAR:
	case DXL_BACKUP:
	case DXL_SYNC_READ:
	case DXL_FAST_SYNC_READ:
	case DXL_BULK_WRITE:
	case DXL_FAST_BULK_READ:
		return protocol == DXL_PROTOCOL_2;
	default:
		return false;
	}
}

static bool has_ability(const struct device *dev, u8 code)
{
	u8 firmware = dev->table[dev->model->registers->firmware];
	size_t i;

	for (i = 0; i < dev->model->ability_count; i++)
		if (dev->model->abilities[i].instruction == code)
			return firmware >= dev->model->abilities[i].firmware;

	return false;
}

static const struct instruction *find(const struct device *dev, u8 code)
{
	const struct instructions *all = dev->protocol == DXL_PROTOCOL_1 ?
					 &instructions_1 : &instructions_2;
	size_t i;

	for (i = 0; i < all->count; i++)
		if (all->list[i].code == code)
			return &all->list[i];

	return NULL;
}

/* Whether this device, with its firmware and as it is set, knows @code. */
bool device_supports(const struct device *dev, u8 code)
{
	if (is_optional(dev->protocol, code))
		return has_ability(dev, code);

	return find(dev, code);
}

static enum level level_of(const struct device *dev, u8 code)
{
	const struct instruction *instruction = find(dev, code);

	return instruction ? instruction->level : ANSWER_ALL;
}

static u8 status_level(const struct device *dev)
{
	return dev->table[dev->model->registers->status_level];
}

static void begin_answer(const struct device *dev, struct answer *answer)
{
	answer->id = device_id(dev);
	answer->error = 0;
	answer->len = 0;
	answer->delay = dev->table[dev->model->registers->return_delay] * 2 *
			NSEC_PER_USEC;
}

static u8 error_bits(enum refusal refusal)
{
	switch (refusal) {
	case REFUSED_NOT:
		return 0;
	case REFUSED_INSTRUCTION:
	case REFUSED_PARAMS:
		return DXL1_ERR_INSTRUCTION;
	case REFUSED_CRC:
		return DXL1_ERR_CHECKSUM;
	case REFUSED_LIMIT:
		return DXL1_ERR_ANGLE;
	default:
		return DXL1_ERR_RANGE;
	}
}

static u8 error_number(enum refusal refusal)
{
	return refusal == REFUSED_PARAMS ? DXL2_ERR_LENGTH : refusal;
}

/* What of a device's own condition Protocol 1.0 can tell. */
#define CONDITION_BITS \
	(DXL1_ERR_VOLTAGE | DXL1_ERR_OVERHEAT | DXL1_ERR_OVERLOAD)

static void finish_answer(struct device *dev, enum dxl_protocol protocol,
			  enum refusal refusal, nsec_t now,
			  struct answer *answer)
{
	u8 bits = error_bits(refusal);
	u8 condition;

	if (bits && dev->model->ops->alarmed)
		dev->model->ops->alarmed(dev, bits);
	condition = device_condition(dev, now);
	if (protocol == DXL_PROTOCOL_1)
		answer->error = bits | (condition & CONDITION_BITS);
	else
		answer->error = error_number(refusal) |
				(condition ? DXL2_ERR_ALERT : 0);
}

/* With Protocol 1.0 that is known of servos alone. */
static bool answers_everybody(const struct device *dev, u8 instruction)
{
	return instruction == DXL_PING &&
	       (dev->protocol == DXL_PROTOCOL_2 || dev->model->servo);
}

static bool is_answered(const struct device *dev,
			const struct dxl_packet *packet)
{
	if (packet->id == DXL_ID_BROADCAST)
		return answers_everybody(dev, packet->instruction);

	return packet->id == device_id(dev) &&
	       status_level(dev) >= level_of(dev, packet->instruction);
}

/* Those that it names are told by request_write(). */
static bool is_group_write(const struct dxl_packet *packet)
{
	return packet->instruction == DXL_SYNC_WRITE ||
	       packet->instruction == DXL_BULK_WRITE;
}

/* Carry out a packet of the device's protocol; true if @answer is to be sent. */
bool device_execute(struct device *dev, const struct dxl_packet *packet,
		    nsec_t now, struct answer *answer)
{
	const struct instruction *instruction = find(dev, packet->instruction);
	enum dxl_protocol protocol = dev->protocol;
	enum refusal refusal = REFUSED_INSTRUCTION;
	bool answered = is_answered(dev, packet);
	struct request request = {
		.dev = dev,
		.params = packet->params,
		.len = packet->len,
		.id = packet->id,
		.now = now,
		.answer = answer,
	};

	begin_answer(dev, answer);
	dev->model->ops->advance(dev, now);
	if (!is_group_write(packet))
		dev->heard_at = now;
	if (instruction && device_supports(dev, packet->instruction))
		refusal = instruction->execute(&request);
	finish_answer(dev, protocol, refusal, now, answer);

	return answered;
}

/* A packet for the device came with a wrong checksum or CRC. */
bool device_refuse_crc(struct device *dev, u8 instruction, nsec_t now,
		       struct answer *answer)
{
	begin_answer(dev, answer);
	finish_answer(dev, dev->protocol, REFUSED_CRC, now, answer);

	return status_level(dev) >= level_of(dev, instruction);
}

/* The device's part in a group read, of whatever kind. */
bool device_group_read(struct device *dev, u8 instruction, struct span span,
		       nsec_t now, struct answer *answer)
{
	enum refusal refusal;

	if (!device_supports(dev, instruction))
		return false;

	begin_answer(dev, answer);
	dev->model->ops->advance(dev, now);
	dev->heard_at = now;
	refusal = device_read(dev, span, answer->params, now);
	answer->len = refusal ? 0 : span.len;
	finish_answer(dev, dev->protocol, refusal, now, answer);

	return status_level(dev) >= ANSWER_READS;
}
