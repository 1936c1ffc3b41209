// SPDX-License-Identifier: GPL-2.0-or-later
/* NAME PERCENT|on|off|next N, then the fault's value and an ID, if any. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "call_fault.h"

#define VALUE_MAX	10000000

struct order {
	unsigned int kind;
	unsigned int id;
	struct fault_setting setting;
	bool next;		/* a number of packets, and not a share */
};

static bool parse_share(struct call *call, const char *text, uint32_t *share)
{
	char *end;
	double percent = strtod(text, &end);

	if (!strcmp(text, "on") || !strcmp(text, "off")) {
		*share = text[1] == 'n' ? FAULT_SCALE : 0;
		return true;
	}
	if (!isdigit((unsigned char)text[0]) || *end || !(percent <= 100))
		return call_fail(call, "share is \"%s\", expected 0 to 100 percent, on, off or next N",
				 text);
	*share = percent * FAULT_SCALE / 100 + 0.5;

	return true;
}

/* How often; returns how many words that took, or 0. */
static int parse_extent(struct call *call, struct order *order)
{
	unsigned long long count;

	order->next = !strcmp(call->argv[1], "next");
	if (!order->next)
		return parse_share(call, call->argv[1], &order->setting.share);
	if (call->argc < 3)
		return call_fail(call, "a number is missing behind \"next\"");
	if (!call_number(call, call->argv[2], "number", UINT32_MAX, &count))
		return 0;
	order->setting.next = count;

	return 2;
}

static bool parse_id(struct call *call, const char *text, unsigned int *id)
{
	unsigned long long number;
	struct device *dev;

	if (isdigit((unsigned char)text[0])) {
		if (!call_number(call, text, "ID", DXL_ID_BROADCAST, &number))
			return false;
		*id = number;
		return true;
	}
	dev = call_device(call, text);
	if (dev)
		*id = device_id(dev);

	return dev;
}

static bool parse_detail(struct call *call, struct order *order,
			 const char *name, const char *text)
{
	const struct fault_kind *kind = fault_kind(order->kind);
	unsigned long long value;

	if (!strcmp(name, "id"))
		return parse_id(call, text, &order->id);
	if (!kind->unit || strcmp(name, kind->unit))
		return call_fail(call, "\"%s\" is unknown, expected %s%sid",
				 name, kind->unit ? kind->unit : "",
				 kind->unit ? " or " : "");
	if (!call_number(call, text, kind->unit, VALUE_MAX, &value))
		return false;
	if (!value)
		return call_fail(call, "%s is 0, expected 1 to %u", kind->unit,
				 VALUE_MAX);
	order->setting.value = value;

	return true;
}

static bool parse_order(struct call *call, struct order *order)
{
	int at = 1 + parse_extent(call, order);

	if (at == 1)
		return false;
	for (; at < call->argc; at += 2) {
		if (at + 1 == call->argc)
			return call_fail(call, "a value is missing behind \"%s\"",
					 call->argv[at]);
		if (!parse_detail(call, order, call->argv[at],
				  call->argv[at + 1]))
			return false;
	}

	return true;
}

/* Have a fault befall packets from now on. */
bool call_fault(struct call *call)
{
	struct order order = {
		.kind = fault_find(call->argv[0]), .id = FAULT_ANY_ID,
	};
	struct fault_setting *setting;

	if (!parse_order(call, &order))
		return false;

	setting = &call->bus->faults.setting[order.kind][order.id];
	if (order.next)
		setting->next = order.setting.next;
	else
		setting->share = order.setting.share;
	setting->value = order.setting.value;

	return true;
}

bool call_calm(struct call *call)
{
	faults_clear(&call->bus->faults);

	return true;
}

void call_fault_help(FILE *out)
{
	const struct fault_kind *kind;
	unsigned int i;

	for (i = 0; (kind = fault_kind(i)); i++) {
		fprintf(out, "%s PERCENT|on|off|next N", kind->name);
		if (kind->unit)
			fprintf(out, " [%s N]", kind->unit);
		fprintf(out, " [id ID]: %s", kind->help);
		if (kind->unit)
			fprintf(out, " (%u %s)", kind->value, kind->unit);
		fputc('\n', out);
	}
}
