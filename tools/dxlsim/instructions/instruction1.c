// SPDX-License-Identifier: GPL-2.0-or-later
/* Instructions of Protocol 1.0 */
#include "request.h"

static enum refusal ping(struct request *request)
{
	return request->len ? REFUSED_PARAMS : REFUSED_NOT;
}

static enum refusal read_data(struct request *request)
{
	const u8 *p = request->params;

	if (request->len != 2)
		return REFUSED_PARAMS;

	return request_read(request, (struct span){ p[0], p[1] });
}

static enum refusal write_data(struct request *request)
{
	const u8 *p = request->params;

	if (request->len < 2)
		return REFUSED_PARAMS;

	return request_write(request, (struct span){ p[0], request->len - 1 },
			     p + 1);
}

static enum refusal reg_write(struct request *request)
{
	const u8 *p = request->params;

	if (request->len < 2)
		return REFUSED_PARAMS;

	return request_register(request,
				(struct span){ p[0], request->len - 1 }, p + 1);
}

static enum refusal reset(struct request *request)
{
	device_factory_reset(request->dev, KEEP_NOTHING, request->now);

	return REFUSED_NOT;
}

/* Parameters: address, bytes for each device, then ID and bytes of each. */
static enum refusal sync_write(struct request *request)
{
	const u8 *p = request->params;

	if (request->id != DXL_ID_BROADCAST || request->len < 3)
		return REFUSED_PARAMS;

	return request_write_entries(request, 2, (struct span){ p[0], p[1] });
}

static const struct instruction list[] = {
	{ DXL_PING,		ANSWER_ALWAYS,	ping },
	{ DXL_READ,		ANSWER_READS,	read_data },
	{ DXL_WRITE,		ANSWER_ALL,	write_data },
	{ DXL_REG_WRITE,	ANSWER_ALL,	reg_write },
	{ DXL_ACTION,		ANSWER_ALL,	request_action },
	{ DXL_FACTORY_RESET,	ANSWER_ALL,	reset },
	{ DXL_SYNC_WRITE,	ANSWER_ALL,	sync_write },
};

const struct instructions instructions_1 = {
	list, sizeof(list) / sizeof(list[0]),
};
