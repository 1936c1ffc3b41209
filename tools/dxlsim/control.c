// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses and carries out control commands; where they come from is not known here. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"

#define WORDS_MAX	(CONTROL_LINE_MAX / 2)

struct call {
	struct bus *bus;
	nsec_t now;
	FILE *out;
	int argc;
	char **argv;
	bool quit;
};

struct command {
	const char *name;
	const char *args;
	const char *help;
	int min_args;
	int max_args;
	bool (*run)(struct call *call);
};

static bool __attribute__((format(printf, 2, 3)))
fail(struct call *call, const char *format, ...)
{
	va_list args;

	fprintf(call->out, "error: ");
	va_start(args, format);
	vfprintf(call->out, format, args);
	va_end(args);
	fputc('\n', call->out);

	return false;
}

/* --- arguments --- */

static bool parse_number(struct call *call, const char *text, const char *what,
			 unsigned long long max, unsigned long long *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	if (!isdigit((unsigned char)text[0]) || *end || errno || *value > max)
		return fail(call, "%s is \"%s\", expected a number of 0 to %llu",
			    what, text, max);

	return true;
}

static bool parse_percent(struct call *call, const char *text, uint32_t *share)
{
	char *end;
	double percent = strtod(text, &end);

	if (!isdigit((unsigned char)text[0]) || *end || !(percent <= 100))
		return fail(call, "share is \"%s\", expected 0 to 100 percent",
			    text);
	*share = percent * FAULT_SCALE / 100 + 0.5;

	return true;
}

static struct device *by_id(struct bus *bus, const char *text)
{
	char *end;
	unsigned long id = strtoul(text, &end, 10);
	size_t i;

	if (!isdigit((unsigned char)text[0]) || *end)
		return NULL;
	for (i = 0; i < bus->device_count; i++)
		if (bus->devices[i].table[ADDR_ID] == id)
			return &bus->devices[i];

	return NULL;
}

static struct device *by_label(struct bus *bus, const char *text)
{
	size_t i;

	for (i = 0; i < bus->device_count; i++)
		if (!strcmp(bus->devices[i].label, text))
			return &bus->devices[i];

	return NULL;
}

static struct device *parse_device(struct call *call, const char *text)
{
	struct device *dev = by_id(call->bus, text);

	if (!dev)
		dev = by_label(call->bus, text);
	if (!dev)
		fail(call, "no device has the ID or label \"%s\"", text);

	return dev;
}

static bool parse_span(struct call *call, const struct device *dev,
		       const char *addr, unsigned long long len,
		       struct span *span)
{
	unsigned long long first, size = dev->model->table_size;

	if (!parse_number(call, addr, "address", size - 1, &first))
		return false;
	if (!len || first + len > size)
		return fail(call, "%llu bytes from address %llu, the table of the %s has %llu",
			    len, first, dev->model->name, size);
	*span = (struct span){ first, len };

	return true;
}

/* --- devices --- */

static int named_value(struct call *call, struct device *dev, const char *name)
{
	return device_value(dev, model_item_named(dev->model, name), call->now);
}

static bool list(struct call *call)
{
	size_t i;

	for (i = 0; i < call->bus->device_count; i++) {
		struct device *dev = &call->bus->devices[i];

		fprintf(call->out, "%u %s %s %d %d %d %s\n",
			dev->table[ADDR_ID], dev->label, dev->model->name,
			named_value(call, dev, "present_position"),
			named_value(call, dev, "goal_position"),
			named_value(call, dev, "torque_enable"),
			dev->silenced ? "silenced" : "-");
	}

	return true;
}

static bool read_table(struct call *call)
{
	struct device *dev = parse_device(call, call->argv[1]);
	u8 data[TABLE_MAX];
	unsigned long long len;
	struct span span;
	unsigned int i;

	if (!dev || !parse_number(call, call->argv[3], "length", TABLE_MAX, &len) ||
	    !parse_span(call, dev, call->argv[2], len, &span))
		return false;

	device_read(dev, span, data, call->now);
	for (i = 0; i < span.len; i++)
		fprintf(call->out, "%s%u", i ? " " : "", data[i]);
	fputc('\n', call->out);

	return true;
}

static bool write_table(struct call *call)
{
	struct device *dev = parse_device(call, call->argv[1]);
	u8 data[TABLE_MAX];
	struct span span;
	int i;

	if (!dev || !parse_span(call, dev, call->argv[2], call->argc - 3, &span))
		return false;

	for (i = 3; i < call->argc; i++) {
		unsigned long long byte;

		if (!parse_number(call, call->argv[i], "byte", 255, &byte))
			return false;
		data[i - 3] = byte;
	}
	device_poke(dev, span, data, call->now);

	return true;
}

/* Short names for what is asked for most. */
static const char *field_name(const char *name)
{
	static const char *const shortcuts[][2] = {
		{ "position", "present_position" },
		{ "speed", "present_speed" },
		{ "load", "present_load" },
		{ "voltage", "present_voltage" },
		{ "temperature", "present_temperature" },
		{ "goal", "goal_position" },
		{ "torque", "torque_enable" },
	};
	size_t i;

	for (i = 0; i < sizeof(shortcuts) / sizeof(shortcuts[0]); i++)
		if (!strcmp(name, shortcuts[i][0]))
			return shortcuts[i][1];

	return name;
}

static bool get(struct call *call)
{
	struct device *dev = parse_device(call, call->argv[1]);
	const struct item *item;

	if (!dev)
		return false;

	item = model_item_named(dev->model, field_name(call->argv[2]));
	if (!item)
		return fail(call, "the %s has no field \"%s\"",
			    dev->model->name, call->argv[2]);
	fprintf(call->out, "%d\n", device_value(dev, item, call->now));

	return true;
}

static bool for_devices(struct call *call, const char *which,
			void (*act)(struct device *dev, nsec_t now))
{
	struct device *dev;
	size_t i;

	if (strcmp(which, "all")) {
		dev = parse_device(call, which);
		if (dev)
			act(dev, call->now);
		return dev;
	}

	for (i = 0; i < call->bus->device_count; i++)
		act(&call->bus->devices[i], call->now);

	return true;
}

static void set_silenced(struct device *dev, nsec_t now)
{
	(void)now;
	dev->silenced = true;
}

static void clear_silenced(struct device *dev, nsec_t now)
{
	(void)now;
	dev->silenced = false;
}

static bool silence(struct call *call)
{
	return for_devices(call, call->argv[1], set_silenced);
}

static bool unsilence(struct call *call)
{
	return for_devices(call, call->argv[1], clear_silenced);
}

static bool power_cycle(struct call *call)
{
	return for_devices(call, call->argc > 1 ? call->argv[1] : "all",
			   device_power_cycle);
}

/* --- the line --- */

static bool set_fault(struct call *call)
{
	return parse_percent(call, call->argv[1],
			     &call->bus->faults.share[fault_find(call->argv[0])]);
}

static bool seed(struct call *call)
{
	unsigned long long value;

	if (!parse_number(call, call->argv[1], "seed", UINT64_MAX, &value))
		return false;
	call->bus->faults.random = value;

	return true;
}

static bool baud(struct call *call)
{
	unsigned long long value;

	if (!parse_number(call, call->argv[1], "baud rate", 10000000, &value))
		return false;
	if (value < 1000)
		return fail(call, "baud rate is %llu, expected 1000 to 10000000",
			    value);
	call->bus->baud = value;

	return true;
}

static void count(struct call *call, const char *name, uint64_t value)
{
	fprintf(call->out, "%s %llu\n", name, (unsigned long long)value);
}

static const char *instruction_name(unsigned int code)
{
	static const struct {
		unsigned int code;
		const char *name;
	} names[] = {
		{ DXL_PING, "ping" },
		{ DXL_READ, "read" },
		{ DXL_WRITE, "write" },
		{ DXL_REG_WRITE, "reg_write" },
		{ DXL_ACTION, "action" },
		{ DXL_FACTORY_RESET, "factory_reset" },
		{ DXL_SYNC_WRITE, "sync_write" },
		{ DXL_BULK_READ, "bulk_read" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].code == code)
			return names[i].name;

	return NULL;
}

static void count_kinds(struct call *call)
{
	const struct bus_stats *stats = &call->bus->stats;
	uint64_t other = 0;
	unsigned int code;

	for (code = 0; code < 256; code++) {
		const char *name = instruction_name(code);

		if (!name) {
			other += stats->rx_kind[code];
			continue;
		}
		fprintf(call->out, "rx_%s %llu\n", name,
			(unsigned long long)stats->rx_kind[code]);
	}
	count(call, "rx_other", other);
}

static bool stats(struct call *call)
{
	const struct bus_stats *stats = &call->bus->stats;
	unsigned int i;

	if (call->argc > 1) {
		if (strcmp(call->argv[1], "reset"))
			return fail(call, "\"%s\" is unknown, expected reset or nothing",
				    call->argv[1]);
		bus_clear_stats(call->bus);
		return true;
	}

	count(call, "rx_bytes", stats->rx_bytes);
	count(call, "rx_packets", stats->rx_packets);
	count_kinds(call);
	count(call, "rx_protocol2", stats->rx_protocol2);
	count(call, "checksum_errors", stats->checksum_errors);
	count(call, "framing_errors", stats->framing_errors);
	count(call, "skipped_bytes", call->bus->decoder.skipped);
	count(call, "gaps", stats->gaps);
	count(call, "tx_bytes", stats->tx_bytes);
	count(call, "tx_packets", stats->tx_packets);
	count(call, "silenced", stats->silenced);
	for (i = 0; i < FAULT_KINDS; i++)
		count(call, fault_kind(i)->done, call->bus->faults.count[i]);
	count(call, "overflows", stats->overflows);

	return true;
}

static bool set_trace(struct call *call)
{
	bool on = !strcmp(call->argv[1], "on");

	if (!on && strcmp(call->argv[1], "off"))
		return fail(call, "trace is \"%s\", expected on or off",
			    call->argv[1]);
	call->bus->trace = on ? stderr : NULL;

	return true;
}

static bool quit(struct call *call)
{
	call->quit = true;

	return true;
}

/* --- commands --- */

static bool help(struct call *call);

static const struct command commands[] = {
	{ "help", "", "this list", 0, 0, help },
	{ "list", "", "id, label, model, position, goal, torque, state of each device",
	  0, 0, list },
	{ "get", "ID FIELD", "value of a control-table field", 2, 2, get },
	{ "read", "ID ADDR LEN", "bytes of the control table", 3, 3, read_table },
	{ "write", "ID ADDR BYTE...", "set bytes, past all rules; a read-only field changes what it measures",
	  3, WORDS_MAX, write_table },
	{ "silence", "ID|all", "unplug from the data line", 1, 1, silence },
	{ "unsilence", "ID|all", "plug in again", 1, 1, unsilence },
	{ "power-cycle", "[ID|all]", "switch off and on: RAM is lost, EEPROM stays",
	  0, 1, power_cycle },
	{ "seed", "N", "make the faults' random choices repeatable", 1, 1, seed },
	{ "baud", "N", "rate at which the controller speaks and listens", 1, 1, baud },
	{ "stats", "[reset]", "counts of packets, bytes, errors and faults",
	  0, 1, stats },
	{ "trace", "on|off", "log packets to standard error", 1, 1, set_trace },
	{ "quit", "", "close this connection", 0, 0, quit },
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static bool help(struct call *call)
{
	const struct fault_kind *kind;
	unsigned int i;

	for (i = 0; i < COMMAND_COUNT; i++)
		fprintf(call->out, "%s%s%s: %s\n", commands[i].name,
			commands[i].args[0] ? " " : "", commands[i].args,
			commands[i].help);
	for (i = 0; (kind = fault_kind(i)); i++)
		fprintf(call->out, "%s PERCENT: %s\n", kind->name, kind->help);
	fprintf(call->out, "ID may be a label instead.\n");

	return true;
}

static const struct command *find_command(const char *name)
{
	static const struct command fault = {
		.name = "fault", .args = "PERCENT", .min_args = 1,
		.max_args = 1, .run = set_fault,
	};
	size_t i;

	for (i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];

	return fault_find(name) < 0 ? NULL : &fault;
}

static bool run(struct call *call)
{
	const struct command *command = find_command(call->argv[0]);
	int args = call->argc - 1;

	if (!command)
		return fail(call, "\"%s\" is no command, try help",
			    call->argv[0]);
	if (args < command->min_args || args > command->max_args)
		return fail(call, "%d arguments, expected: %s %s", args,
			    call->argv[0], command->args);

	return command->run(call);
}

static int split(char *text, char **words)
{
	char *save, *word;
	int n = 0;

	for (word = strtok_r(text, " \t\r", &save); word && n < WORDS_MAX;
	     word = strtok_r(NULL, " \t\r", &save))
		words[n++] = word;

	return n;
}

/* What is not printing would only spoil an error message. */
static bool printing(const char *text)
{
	for (; *text; text++)
		if (!isprint((unsigned char)*text) &&
		    !isspace((unsigned char)*text))
			return false;

	return true;
}

/* Carry out one line, without its newline. False if it asked to hang up. */
bool control_line(struct bus *bus, const char *line, nsec_t now, FILE *out)
{
	char text[CONTROL_LINE_MAX];
	char *words[WORDS_MAX];
	struct call call = { .bus = bus, .now = now, .out = out, .argv = words };
	size_t len = strlen(line);

	if (len >= sizeof(text)) {
		fail(&call, "line of %zu characters, at most %zu are possible",
		     len, sizeof(text) - 1);
		return true;
	}
	if (!printing(line)) {
		fail(&call, "line is not text");
		return true;
	}

	memcpy(text, line, len + 1);
	call.argc = split(text, words);
	if (!call.argc || run(&call))
		fprintf(out, "ok\n");

	return !call.quit;
}
