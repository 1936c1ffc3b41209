// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of both protocols
 *
 * The answer to an instruction goes out as the device was set before it: a new
 * ID or Status Return Level holds from the next instruction on, as the printed
 * manual's examples for ID, Status Return Level and RESET show.
 *
 * An instruction to a secondary ID is carried out, never answered, and does not
 * reach the EEPROM.
 */
#include <string.h>

#include "instruction.h"

/* Status Return Level from which on an instruction is answered. */
enum level { ANSWER_ALWAYS, ANSWER_READS, ANSWER_ALL };

/* One instruction being carried out. */
struct call {
	struct device *dev;
	const u8 *params;
	unsigned int len;
	u8 id;			/* to which it was sent */
	nsec_t now;
	struct answer *answer;
};

struct instruction {
	u8 code;
	enum level level;
	enum refusal (*execute)(struct call *call);
};

static unsigned int word(const u8 *p)
{
	return p[0] | p[1] << 8;
}

static bool by_secondary_id(const struct call *call)
{
	return call->id != DXL_ID_BROADCAST && call->id != device_id(call->dev);
}

static enum refusal read_span(struct call *call, struct span span)
{
	enum refusal refusal = device_read(call->dev, span,
					   call->answer->params, call->now);

	call->answer->len = refusal ? 0 : span.len;

	return refusal;
}

static enum refusal write_span(struct call *call, struct span span,
			       const u8 *data)
{
	if (by_secondary_id(call))
		return device_write_ram(call->dev, span, data, call->now);

	return device_write(call->dev, span, data, call->now);
}

static enum refusal register_span(struct call *call, struct span span,
				  const u8 *data)
{
	return device_register(call->dev, span, data, by_secondary_id(call));
}

static enum refusal action(struct call *call)
{
	return device_action(call->dev, call->now);
}

/* --- Protocol 1.0 --- */

static enum refusal ping_1(struct call *call)
{
	return call->len ? REFUSED_PARAMS : REFUSED_NOT;
}

static enum refusal read_1(struct call *call)
{
	if (call->len != 2)
		return REFUSED_PARAMS;

	return read_span(call, (struct span){ call->params[0],
					      call->params[1] });
}

static enum refusal write_1(struct call *call)
{
	if (call->len < 2)
		return REFUSED_PARAMS;

	return write_span(call, (struct span){ call->params[0], call->len - 1 },
			  call->params + 1);
}

static enum refusal reg_write_1(struct call *call)
{
	if (call->len < 2)
		return REFUSED_PARAMS;

	return register_span(call, (struct span){ call->params[0],
						  call->len - 1 },
			     call->params + 1);
}

static enum refusal reset_1(struct call *call)
{
	device_factory_reset(call->dev, KEEP_NOTHING, call->now);

	return REFUSED_NOT;
}

/* Entries of a group write: an ID each, and @len bytes for it. */
static enum refusal write_entries(struct call *call, unsigned int first,
				  struct span span)
{
	enum refusal refusal = REFUSED_NOT;
	unsigned int i;

	if (!span.len || (call->len - first) % (span.len + 1))
		return REFUSED_PARAMS;

	for (i = first; i < call->len; i += span.len + 1) {
		if (!device_addressed(call->dev, call->params[i]) ||
		    call->params[i] == DXL_ID_BROADCAST)
			continue;
		call->id = call->params[i];
		refusal = write_span(call, span, call->params + i + 1);
	}

	return refusal;
}

/* Parameters: address, bytes for each device, then ID and bytes of each. */
static enum refusal sync_write_1(struct call *call)
{
	if (call->id != DXL_ID_BROADCAST || call->len < 3)
		return REFUSED_PARAMS;

	return write_entries(call, 2, (struct span){ call->params[0],
						     call->params[1] });
}

static const struct instruction instructions_1[] = {
	{ DXL_PING,		ANSWER_ALWAYS,	ping_1 },
	{ DXL_READ,		ANSWER_READS,	read_1 },
	{ DXL_WRITE,		ANSWER_ALL,	write_1 },
	{ DXL_REG_WRITE,	ANSWER_ALL,	reg_write_1 },
	{ DXL_ACTION,		ANSWER_ALL,	action },
	{ DXL_FACTORY_RESET,	ANSWER_ALL,	reset_1 },
	{ DXL_SYNC_WRITE,	ANSWER_ALL,	sync_write_1 },
};

/* --- Protocol 2.0 --- */

static enum refusal ping_2(struct call *call)
{
	const struct device *dev = call->dev;

	if (call->len)
		return REFUSED_PARAMS;

	memcpy(call->answer->params, dev->table, 2);
	call->answer->params[2] = dev->table[dev->model->registers->firmware];
	call->answer->len = 3;

	return REFUSED_NOT;
}

static enum refusal read_2(struct call *call)
{
	if (call->len != 4)
		return REFUSED_PARAMS;

	return read_span(call, (struct span){ word(call->params),
					      word(call->params + 2) });
}

static enum refusal write_2(struct call *call)
{
	if (call->len < 3)
		return REFUSED_PARAMS;

	return write_span(call, (struct span){ word(call->params),
					       call->len - 2 },
			  call->params + 2);
}

static enum refusal reg_write_2(struct call *call)
{
	if (call->len < 3)
		return REFUSED_PARAMS;

	return register_span(call, (struct span){ word(call->params),
						  call->len - 2 },
			     call->params + 2);
}

/* Firmware from which on a reset of everything is not taken by broadcast. */
#define CAREFUL_FIRMWARE	42

static bool ignores_broadcast_reset(const struct call *call)
{
	const struct device *dev = call->dev;

	return call->id == DXL_ID_BROADCAST &&
	       dev->table[dev->model->registers->firmware] >= CAREFUL_FIRMWARE;
}

static enum refusal factory_reset_2(struct call *call)
{
	enum keep keep;

	if (call->len != 1)
		return REFUSED_PARAMS;

	switch (call->params[0]) {
	case 0xff:
		if (ignores_broadcast_reset(call))
			return REFUSED_NOT;
		keep = KEEP_NOTHING;
		break;
	case 0x01:
		keep = KEEP_ID;
		break;
	case 0x02:
		keep = KEEP_ID_AND_BAUD;
		break;
	default:
		return REFUSED_RANGE;
	}
	device_factory_reset(call->dev, keep, call->now);

	return REFUSED_NOT;
}

static enum refusal reboot_2(struct call *call)
{
	if (call->len)
		return REFUSED_PARAMS;
	device_power_cycle(call->dev, call->now);

	return REFUSED_NOT;
}

/* Instructions that ought not to happen by chance have a word to say first. */
static enum refusal check_word(const struct call *call, const char *word)
{
	if (call->len != 5)
		return REFUSED_PARAMS;

	return memcmp(call->params + 1, word, 4) ? REFUSED_RANGE : REFUSED_NOT;
}

static enum refusal clear_2(struct call *call)
{
	enum refusal refusal = check_word(call, "DXL\x22");
	const struct device_ops *ops = call->dev->model->ops;

	if (refusal)
		return refusal;
	if (call->params[0] != 1)
		return REFUSED_RANGE;
	ops->advance(call->dev, call->now);

	return ops->clear_turns(call->dev) ? REFUSED_NOT : REFUSED_RESULT;
}

static enum refusal backup_2(struct call *call)
{
	enum refusal refusal = check_word(call, "CTRL");

	if (refusal)
		return refusal;

	switch (call->params[0]) {
	case 1:
		return device_store_backup(call->dev, call->now);
	case 2:
		return device_restore_backup(call->dev, call->now);
	default:
		return REFUSED_RANGE;
	}
}

static enum refusal sync_write_2(struct call *call)
{
	if (call->id != DXL_ID_BROADCAST || call->len < 5)
		return REFUSED_PARAMS;

	return write_entries(call, 4, (struct span){ word(call->params),
						     word(call->params + 2) });
}

/* Entries: ID, address, length, then that many bytes. */
static enum refusal bulk_write_2(struct call *call)
{
	enum refusal refusal = REFUSED_NOT;
	unsigned int i;

	if (call->id != DXL_ID_BROADCAST)
		return REFUSED_PARAMS;

	for (i = 0; i + 5 <= call->len;) {
		const u8 *entry = call->params + i;
		struct span span = { word(entry + 1), word(entry + 3) };

		i += 5 + span.len;
		if (i > call->len)
			return REFUSED_PARAMS;
		if (!device_addressed(call->dev, entry[0]) ||
		    entry[0] == DXL_ID_BROADCAST)
			continue;
		call->id = entry[0];
		refusal = write_span(call, span, entry + 5);
	}

	return i == call->len ? refusal : REFUSED_PARAMS;
}

static const struct instruction instructions_2[] = {
	{ DXL_PING,		ANSWER_ALWAYS,	ping_2 },
	{ DXL_READ,		ANSWER_READS,	read_2 },
	{ DXL_WRITE,		ANSWER_ALL,	write_2 },
	{ DXL_REG_WRITE,	ANSWER_ALL,	reg_write_2 },
	{ DXL_ACTION,		ANSWER_ALL,	action },
	{ DXL_FACTORY_RESET,	ANSWER_ALL,	factory_reset_2 },
	{ DXL_REBOOT,		ANSWER_ALL,	reboot_2 },
	{ DXL_CLEAR,		ANSWER_ALL,	clear_2 },
	{ DXL_BACKUP,		ANSWER_ALL,	backup_2 },
	{ DXL_SYNC_WRITE,	ANSWER_ALL,	sync_write_2 },
	{ DXL_BULK_WRITE,	ANSWER_ALL,	bulk_write_2 },
};

/* --- both --- */

/* Instructions that came later, and that not every model has. */
static bool is_optional(enum dxl_protocol protocol, u8 code)
{
	switch (code) {
	case DXL_CLEAR:
	case DXL_BACKUP:
	case DXL_FAST_SYNC_READ:
	case DXL_BULK_READ:
	case DXL_FAST_BULK_READ:
		return true;
	case DXL_SYNC_READ:
	case DXL_BULK_WRITE:
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
	const struct instruction *list = instructions_1;
	size_t i, n = sizeof(instructions_1) / sizeof(instructions_1[0]);

	if (dev->protocol == DXL_PROTOCOL_2) {
		list = instructions_2;
		n = sizeof(instructions_2) / sizeof(instructions_2[0]);
	}
	for (i = 0; i < n; i++)
		if (list[i].code == code)
			return &list[i];

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

static bool is_answered(const struct device *dev,
			const struct dxl_packet *packet)
{
	if (packet->id == DXL_ID_BROADCAST)
		return dev->protocol == DXL_PROTOCOL_2 &&
		       packet->instruction == DXL_PING;

	return packet->id == device_id(dev) &&
	       status_level(dev) >= level_of(dev, packet->instruction);
}

/* Carry out a packet of the device's protocol; true if @answer is to be sent. */
bool device_execute(struct device *dev, const struct dxl_packet *packet,
		    nsec_t now, struct answer *answer)
{
	const struct instruction *instruction = find(dev, packet->instruction);
	enum dxl_protocol protocol = dev->protocol;
	enum refusal refusal = REFUSED_INSTRUCTION;
	bool answered = is_answered(dev, packet);
	struct call call = {
		.dev = dev,
		.params = packet->params,
		.len = packet->len,
		.id = packet->id,
		.now = now,
		.answer = answer,
	};

	begin_answer(dev, answer);
	dev->model->ops->advance(dev, now);
	dev->heard_at = now;
	if (instruction && device_supports(dev, packet->instruction))
		refusal = instruction->execute(&call);
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
