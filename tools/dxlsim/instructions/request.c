// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the instructions of both protocols share
 *
 * An instruction to a secondary ID is carried out, never answered, and does not
 * reach the EEPROM.
 */
#include "request.h"

static bool by_secondary_id(const struct request *request)
{
	return request->id != DXL_ID_BROADCAST &&
	       request->id != device_id(request->dev);
}

enum refusal request_read(struct request *request, struct span span)
{
	enum refusal refusal = device_read(request->dev, span,
					   request->answer->params,
					   request->now);

	request->answer->len = refusal ? 0 : span.len;

	return refusal;
}

enum refusal request_write(struct request *request, struct span span,
			   const u8 *data)
{
	request->dev->heard_at = request->now;
	if (by_secondary_id(request))
		return device_write_ram(request->dev, span, data, request->now);

	return device_write(request->dev, span, data, request->now);
}

enum refusal request_register(struct request *request, struct span span,
			      const u8 *data)
{
	return device_register(request->dev, span, data,
			       by_secondary_id(request));
}

enum refusal request_action(struct request *request)
{
	return device_action(request->dev, request->now);
}

/* Entries of a group write: an ID each, and @len bytes for it. */
enum refusal request_write_entries(struct request *request, unsigned int first,
				   struct span span)
{
	enum refusal refusal = REFUSED_NOT;
	unsigned int i;

	if (!span.len || (request->len - first) % (span.len + 1))
		return REFUSED_PARAMS;

	for (i = first; i < request->len; i += span.len + 1) {
		if (!device_addressed(request->dev, request->params[i]) ||
		    request->params[i] == DXL_ID_BROADCAST)
			continue;
		request->id = request->params[i];
		refusal = request_write(request, span, request->params + i + 1);
	}

	return refusal;
}
