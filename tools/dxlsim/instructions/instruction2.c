// SPDX-License-Identifier: GPL-2.0-or-later
/* Instructions of Protocol 2.0 */
#include <string.h>

#include "request.h"

static unsigned int word(const u8 *p)
{
	return p[0] | p[1] << 8;
}

static enum refusal ping(struct request *request)
{
	const struct device *dev = request->dev;

	if (request->len)
		return REFUSED_PARAMS;

	memcpy(request->answer->params, dev->table, 2);
	request->answer->params[2] = dev->table[dev->model->registers->firmware];
	request->answer->len = 3;

	return REFUSED_NOT;
}

static enum refusal read_data(struct request *request)
{
	const u8 *p = request->params;

	if (request->len != 4)
		return REFUSED_PARAMS;

	return request_read(request, (struct span){ word(p), word(p + 2) });
}

static enum refusal write_data(struct request *request)
{
	const u8 *p = request->params;

	if (request->len < 3)
		return REFUSED_PARAMS;

	return request_write(request,
			     (struct span){ word(p), request->len - 2 }, p + 2);
}

static enum refusal reg_write(struct request *request)
{
	const u8 *p = request->params;

	if (request->len < 3)
		return REFUSED_PARAMS;

	return request_register(request,
				(struct span){ word(p), request->len - 2 },
				p + 2);
}

/* Firmware from which on a reset of everything is not taken by broadcast. */
#define CAREFUL_FIRMWARE	42

static bool ignores_broadcast_reset(const struct request *request)
{
	const struct device *dev = request->dev;

	return request->id == DXL_ID_BROADCAST &&
	       dev->table[dev->model->registers->firmware] >= CAREFUL_FIRMWARE;
}

static enum refusal factory_reset(struct request *request)
{
	enum keep keep;

	if (request->len != 1)
		return REFUSED_PARAMS;

	switch (request->params[0]) {
	case 0xff:
		if (ignores_broadcast_reset(request))
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
	device_factory_reset(request->dev, keep, request->now);

	return REFUSED_NOT;
}

static enum refusal reboot(struct request *request)
{
	if (request->len)
		return REFUSED_PARAMS;
	device_power_cycle(request->dev, request->now);

	return REFUSED_NOT;
}

/* Instructions that ought not to happen by chance have a word to say first. */
static enum refusal check_word(const struct request *request, const char *word)
{
	if (request->len != 5)
		return REFUSED_PARAMS;

	return memcmp(request->params + 1, word, 4) ? REFUSED_RANGE : REFUSED_NOT;
}

static enum refusal clear(struct request *request)
{
	enum refusal refusal = check_word(request, "DXL\x22");
	const struct device_ops *ops = request->dev->model->ops;

	if (refusal)
		return refusal;
	if (request->params[0] != 1)
		return REFUSED_RANGE;
	ops->advance(request->dev, request->now);

	return ops->clear_turns(request->dev) ? REFUSED_NOT : REFUSED_RESULT;
}

static enum refusal backup(struct request *request)
{
	enum refusal refusal = check_word(request, "CTRL");

	if (refusal)
		return refusal;

	switch (request->params[0]) {
	case 1:
		return device_store_backup(request->dev, request->now);
	case 2:
		return device_restore_backup(request->dev, request->now);
	default:
		return REFUSED_RANGE;
	}
}

static enum refusal sync_write(struct request *request)
{
	const u8 *p = request->params;

	if (request->id != DXL_ID_BROADCAST || request->len < 5)
		return REFUSED_PARAMS;

	return request_write_entries(request, 4,
				     (struct span){ word(p), word(p + 2) });
}

/* Entries: ID, address, length, then that many bytes. */
static enum refusal bulk_write(struct request *request)
{
	enum refusal refusal = REFUSED_NOT;
	unsigned int i;

	if (request->id != DXL_ID_BROADCAST)
		return REFUSED_PARAMS;

	for (i = 0; i + 5 <= request->len;) {
		const u8 *entry = request->params + i;
		struct span span = { word(entry + 1), word(entry + 3) };

		i += 5 + span.len;
		if (i > request->len)
			return REFUSED_PARAMS;
		if (!device_addressed(request->dev, entry[0]) ||
		    entry[0] == DXL_ID_BROADCAST)
			continue;
		request->id = entry[0];
		refusal = request_write(request, span, entry + 5);
	}

	return i == request->len ? refusal : REFUSED_PARAMS;
}

static const struct instruction list[] = {
	{ DXL_PING,		ANSWER_ALWAYS,	ping },
	{ DXL_READ,		ANSWER_READS,	read_data },
	{ DXL_WRITE,		ANSWER_ALL,	write_data },
	{ DXL_REG_WRITE,	ANSWER_ALL,	reg_write },
	{ DXL_ACTION,		ANSWER_ALL,	request_action },
	{ DXL_FACTORY_RESET,	ANSWER_ALL,	factory_reset },
	{ DXL_REBOOT,		ANSWER_ALL,	reboot },
	{ DXL_CLEAR,		ANSWER_ALL,	clear },
	{ DXL_BACKUP,		ANSWER_ALL,	backup },
	{ DXL_SYNC_WRITE,	ANSWER_ALL,	sync_write },
	{ DXL_BULK_WRITE,	ANSWER_ALL,	bulk_write },
};

const struct instructions instructions_2 = {
	list, sizeof(list) / sizeof(list[0]),
};
