// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "slave.h"

#define ID_BROADCAST	254

enum instruction {
	PING		= 0x01,
	READ		= 0x02,
	WRITE		= 0x03,
	REG_WRITE	= 0x04,
	ACTION		= 0x05,
	RESET		= 0x06,
	SYNC_WRITE	= 0x83,
};

/* Bits of an answer's error byte */
#define NO_ERROR		0
#define ERROR_RANGE		0x08
#define ERROR_CHECKSUM		0x10
#define ERROR_INSTRUCTION	0x40

/* Where in an answer */
enum {
	AT_ANSWER_ID = 2,
	AT_ANSWER_LENGTH,
	AT_ANSWER_ERROR,
	AT_ANSWER_PARAMETERS,
};

struct request {
	struct slave *slave;
	const uint8_t *parameters;
	uint8_t len;
	bool broadcast;
	struct answer *answer;
	uint8_t answered;	/* parameters in it */
};

void slave_init(struct slave *slave)
{
	memset(slave, 0, sizeof(*slave));
	table_init(&slave->table);
}

void slave_restart(struct slave *slave)
{
	uint8_t measured[MAP_MEASURED_END - MAP_MEASURED];

	memcpy(measured, slave->table.bytes + MAP_MEASURED, sizeof(measured));
	slave_init(slave);
	memcpy(slave->table.bytes + MAP_MEASURED, measured, sizeof(measured));
	slave->table.unkept = true;
}

static uint8_t id_of(const struct slave *slave)
{
	return slave->table.bytes[MAP_ID];
}

bool slave_concerned(const struct slave *slave, const struct receiver *receiver)
{
	return receiver->id == id_of(slave) || receiver->id == ID_BROADCAST;
}

/* --- instructions, each of which returns its error --- */

static uint8_t read_data(struct request *request)
{
	uint8_t addr, len;

	if (request->len != 2)
		return ERROR_INSTRUCTION;
	addr = request->parameters[0];
	len = request->parameters[1];
	if (!table_reaches(addr, len))
		return ERROR_RANGE;
	memcpy(request->answer->bytes + AT_ANSWER_PARAMETERS, request->slave->table.bytes + addr,
	       len);
	request->answered = len;

	return NO_ERROR;
}

static uint8_t write_bytes(struct slave *slave, uint8_t addr, const uint8_t *data, uint8_t len)
{
	if (!table_admits(addr, data, len))
		return ERROR_RANGE;
	table_write(&slave->table, addr, data, len);

	return NO_ERROR;
}

static uint8_t write_data(struct request *request)
{
	if (request->len < 2)
		return ERROR_INSTRUCTION;

	return write_bytes(request->slave, request->parameters[0], request->parameters + 1,
			   request->len - 1);
}

/* One that is refused leaves what was registered before. */
static uint8_t reg_write(struct request *request)
{
	struct slave *slave = request->slave;
	uint8_t len = request->len - 1;

	if (request->len < 2)
		return ERROR_INSTRUCTION;
	if (!table_admits(request->parameters[0], request->parameters + 1, len))
		return ERROR_RANGE;
	slave->registered_addr = request->parameters[0];
	slave->registered_len = len;
	memcpy(slave->registered, request->parameters + 1, len);

	return NO_ERROR;
}

static uint8_t action(struct request *request)
{
	struct slave *slave = request->slave;
	uint8_t len = slave->registered_len;

	if (!len)
		return ERROR_INSTRUCTION;
	slave->registered_len = 0;

	return write_bytes(slave, slave->registered_addr, slave->registered, len);
}

/* Address and bytes for each device, then the ID and the bytes of each */
static uint8_t sync_write(struct request *request)
{
	const uint8_t *parameters = request->parameters, *entry;
	uint8_t len;

	if (!request->broadcast || request->len < 3)
		return ERROR_INSTRUCTION;
	len = parameters[1];
	if (!len || (request->len - 2) % (len + 1))
		return ERROR_INSTRUCTION;
	for (entry = parameters + 2; entry < parameters + request->len; entry += len + 1)
		if (*entry == id_of(request->slave))
			write_bytes(request->slave, parameters[0], entry + 1, len);

	return NO_ERROR;
}

static uint8_t carry_out(struct request *request, uint8_t instruction)
{
	switch (instruction) {
	case PING:
		return request->len ? ERROR_INSTRUCTION : NO_ERROR;
	case READ:
		return read_data(request);
	case WRITE:
		return write_data(request);
	case REG_WRITE:
		return reg_write(request);
	case ACTION:
		return action(request);
	case RESET:
		request->slave->reset = true;
		return NO_ERROR;
	case SYNC_WRITE:
		return sync_write(request);
	default:
		return ERROR_INSTRUCTION;
	}
}

/* --- the answer --- */

/* Status Return Level from which on it is answered */
static uint8_t level_of(uint8_t instruction)
{
	switch (instruction) {
	case PING:
		return 0;
	case READ:
		return 1;
	default:
		return 2;
	}
}

static void frame(struct answer *answer, uint8_t id, uint8_t error, uint8_t parameters)
{
	uint8_t *byte = answer->bytes + AT_ANSWER_PARAMETERS;
	uint8_t sum = id + (parameters + 2) + error, left;

	answer->bytes[0] = 0xff;
	answer->bytes[1] = 0xff;
	answer->bytes[AT_ANSWER_ID] = id;
	answer->bytes[AT_ANSWER_LENGTH] = parameters + 2;
	answer->bytes[AT_ANSWER_ERROR] = error;
	for (left = parameters; left; left--)
		sum += *byte++;
	*byte = ~sum;
	answer->len = AT_ANSWER_PARAMETERS + parameters + 1;
}

void slave_execute(struct slave *slave, const struct receiver *receiver, enum received received,
		   struct answer *answer)
{
	struct request request = {
		.slave = slave,
		.parameters = receiver->body + 1,
		.len = receiver->length - 2,
		.broadcast = receiver->id == ID_BROADCAST,
		.answer = answer,
	};
	uint8_t id = id_of(slave), instruction = receiver->body[0];
	bool answered = !request.broadcast &&
			slave->table.bytes[MAP_STATUS_LEVEL] >= level_of(instruction);
	uint8_t error = ERROR_CHECKSUM;

	answer->len = 0;
	if (!slave_concerned(slave, receiver))
		return;
	if (received == RECEIVED_PACKET)
		error = carry_out(&request, instruction);
	if (answered)
		frame(answer, id, error, error ? 0 : request.answered);
}
