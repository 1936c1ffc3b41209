// SPDX-License-Identifier: GPL-2.0-or-later
#include "report.h"

static void line(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, "%s %llu\n", name, (unsigned long long)value);
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
		{ DXL_REBOOT, "reboot" },
		{ DXL_CLEAR, "clear" },
		{ DXL_BACKUP, "backup" },
		{ DXL_SYNC_READ, "sync_read" },
		{ DXL_SYNC_WRITE, "sync_write" },
		{ DXL_FAST_SYNC_READ, "fast_sync_read" },
		{ DXL_BULK_READ, "bulk_read" },
		{ DXL_BULK_WRITE, "bulk_write" },
		{ DXL_FAST_BULK_READ, "fast_bulk_read" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].code == code)
			return names[i].name;

	return NULL;
}

static void report_kinds(const struct bus_stats *stats, FILE *out)
{
	uint64_t other = 0;
	unsigned int code;

	for (code = 0; code < 256; code++) {
		const char *name = instruction_name(code);

		if (!name) {
			other += stats->rx_kind[code];
			continue;
		}
		fprintf(out, "rx_%s %llu\n", name,
			(unsigned long long)stats->rx_kind[code]);
	}
	line(out, "rx_other", other);
}

void report_bus(const struct bus *bus, FILE *out)
{
	const struct bus_stats *stats = &bus->stats;
	unsigned int i;

	line(out, "rx_bytes", stats->rx_bytes);
	line(out, "rx_packets", stats->rx_packets);
	report_kinds(stats, out);
	line(out, "rx_protocol2", stats->rx_protocol2);
	line(out, "checksum_errors", stats->checksum_errors);
	line(out, "framing_errors", stats->framing_errors);
	line(out, "skipped_bytes", bus->decoder.skipped);
	line(out, "gaps", stats->gaps);
	line(out, "tx_bytes", stats->tx_bytes);
	line(out, "delivered_bytes", stats->delivered_bytes);
	for (i = 0; i < COUNT_KINDS; i++)
		line(out, count_name(i), bus_count(bus, i));
	for (i = 0; fault_kind(i); i++)
		line(out, fault_kind(i)->done, faults_count(&bus->faults, i));
	line(out, "overflows", stats->overflows);
	line(out, "unplugged_bytes", stats->unplugged_bytes);
	line(out, "output_flushes", stats->output_flushes);
}

static void report_counts(const struct bus *bus, u8 id, const char *prefix,
			  FILE *out)
{
	unsigned int i;

	for (i = 0; i < COUNT_KINDS; i++) {
		fputs(prefix, out);
		line(out, count_name(i), bus->stats.id[id].of[i]);
	}
	for (i = 0; fault_kind(i); i++) {
		fputs(prefix, out);
		line(out, fault_kind(i)->done, bus->faults.count[i][id]);
	}
}

void report_id(const struct bus *bus, u8 id, FILE *out)
{
	report_counts(bus, id, "", out);
}

/* Of each device, with its ID in front of every line. */
void report_all(const struct bus *bus, FILE *out)
{
	char prefix[sizeof("255 ")];
	size_t i;

	for (i = 0; i < bus->device_count; i++) {
		u8 id = device_id(&bus->devices[i]);

		snprintf(prefix, sizeof(prefix), "%u ", id);
		report_counts(bus, id, prefix, out);
	}
}
