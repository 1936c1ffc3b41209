// SPDX-License-Identifier: GPL-2.0-or-later
/* Each kind of fault is a row below; the control commands follow from it. */
#include <string.h>

#include "../base/base.h"
#include "fault.h"

static void drop(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	(void)value;
	(void)random;
	mishap->len = 0;
}

static void wrong_id(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	(void)value;
	mishap->id = (mishap->id + 1 + random_below(random, 251)) % 253;
	mishap->damaged = true;
}

static void corrupt(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	u8 *byte = &mishap->bytes[random_below(random, mishap->len)];

	(void)value;
	*byte ^= 1 << random_below(random, 8);
	mishap->damaged = true;
}

static void truncate_answer(struct mishap *mishap, uint32_t value,
			    uint64_t *random)
{
	(void)value;
	mishap->len = 1 + random_below(random, mishap->len - 1);
	mishap->damaged = true;
}

/* Make room for @count bytes; false if there is none. */
static bool open_gap(struct mishap *mishap, size_t at, size_t count)
{
	if (mishap->len + count > FAULT_BYTES)
		return false;

	memmove(mishap->bytes + at + count, mishap->bytes + at,
		mishap->len - at);
	mishap->len += count;

	return true;
}

static void duplicate(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	size_t len = mishap->len;

	(void)value;
	(void)random;
	if (open_gap(mishap, len, len))
		memcpy(mishap->bytes + len, mishap->bytes, len);
}

static void late(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	(void)random;
	mishap->late = value * NSEC_PER_USEC;
}

/* Before, within or behind the answer, each as likely as the others. */
static void garbage(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	size_t count = 1 + random_below(random, value ? value : 1);
	size_t places[] = { 0, 1 + random_below(random, mishap->len - 1),
			    mishap->len };
	unsigned int place = random_below(random, 3);
	size_t i;

	if (!open_gap(mishap, places[place], count))
		return;
	for (i = 0; i < count; i++)
		mishap->bytes[places[place] + i] = random_next(random);
	mishap->damaged |= place == 1;
}

/* A sound status packet of somebody else, before or behind the answer. */
static void stray(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	u8 params[8], bytes[32];
	struct dxl_packet packet = {
		.protocol = mishap->protocol,
		.id = (mishap->id + 1 + random_below(random, 251)) % 253,
		.instruction = DXL_STATUS_RETURN,
		.len = random_below(random, sizeof(params) + 1),
		.params = params,
	};
	size_t at = random_below(random, 2) ? mishap->len : 0;
	size_t i;
	int len;

	(void)value;
	for (i = 0; i < sizeof(params); i++)
		params[i] = random_next(random);
	len = dxl_packet_encode(&packet, bytes, sizeof(bytes));
	if (len > 0 && open_gap(mishap, at, len))
		memcpy(mishap->bytes + at, bytes, len);
}

static void overrun(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	mishap->overrun_at = random_below(random, mishap->len);
	mishap->overrun = value;
	mishap->damaged = true;
}

static void stall(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	mishap->stall_at = 1 + random_below(random, mishap->len - 1);
	mishap->stall = value * NSEC_PER_USEC;
}

static void deafness(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	(void)random;
	mishap->deaf = value * NSEC_PER_MSEC;
}

/* The reset takes the answer with it, sooner or later. */
static void self_reset(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	(void)value;
	mishap->len = random_below(random, mishap->len);
	mishap->damaged = true;
	mishap->reset = true;
}

static void lose(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	(void)value;
	(void)random;
	mishap->lost = true;
}

static void spoil(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	(void)value;
	(void)random;
	mishap->spoiled = true;
}

static void echo(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	(void)value;
	(void)random;
	mishap->echo = true;
}

static void disconnect(struct mishap *mishap, uint32_t value, uint64_t *random)
{
	(void)random;
	mishap->unplug = value * NSEC_PER_MSEC;
}

static const struct fault_kind kinds[FAULT_KINDS] = {
	{ "drop", "dropped", "answers that do not get onto the line",
	  FAULT_ANSWER, NULL, 0, drop },
	{ "corrupt", "corrupted", "answers with one bit flipped",
	  FAULT_ANSWER, NULL, 0, corrupt },
	{ "truncate", "truncated", "answers that break off",
	  FAULT_ANSWER, NULL, 0, truncate_answer },
	{ "duplicate", "duplicated", "answers that are sent twice",
	  FAULT_ANSWER, NULL, 0, duplicate },
	{ "late", "delayed", "answers that come late",
	  FAULT_ANSWER, "us", 5000, late },
	{ "garbage", "garbage", "answers with random bytes around or within",
	  FAULT_ANSWER, "bytes", 8, garbage },
	{ "wrongid", "wrong_ids", "answers that carry another's ID",
	  FAULT_FRAMING, NULL, 0, wrong_id },
	{ "stray", "strays", "answers with a status packet of nobody beside them",
	  FAULT_ANSWER, NULL, 0, stray },
	{ "overrun", "overruns", "answers of which the adapter loses bytes",
	  FAULT_ANSWER, "bytes", 4, overrun },
	{ "stall", "stalls", "answers with a pause in them, as the AX-12 makes",
	  FAULT_ANSWER, "us", 130, stall },
	{ "deafness", "deafened", "answers after which the device is deaf",
	  FAULT_ANSWER, "ms", 100, deafness },
	{ "self-reset", "self_resets", "answers in which the device resets itself",
	  FAULT_ANSWER, NULL, 0, self_reset },
	{ "lose-request", "requests_lost", "requests that nobody hears",
	  FAULT_REQUEST, NULL, 0, lose },
	{ "spoil-request", "requests_spoiled",
	  "requests that arrive with a wrong checksum",
	  FAULT_REQUEST, NULL, 0, spoil },
	{ "echo", "echoes", "requests that the controller hears itself",
	  FAULT_REQUEST, NULL, 0, echo },
	{ "disconnect", "disconnects", "requests during which the adapter is unplugged",
	  FAULT_REQUEST, "ms", 500, disconnect },
};

/* The kinds one after the other, NULL after the last. */
const struct fault_kind *fault_kind(unsigned int index)
{
	return index < FAULT_KINDS ? &kinds[index] : NULL;
}

int fault_find(const char *name)
{
	int i;

	for (i = 0; i < FAULT_KINDS; i++)
		if (!strcmp(kinds[i].name, name))
			return i;

	return -1;
}

/*
 * Each kind draws from a sequence of its own, so that a change of one kind's
 * share leaves the others' choices as they were.
 */
void faults_seed(struct faults *faults, uint64_t seed)
{
	unsigned int i;

	for (i = 0; i < FAULT_KINDS; i++) {
		uint64_t state = seed ^ (i + 1) * 0xd1342543de82ef95ULL;

		faults->random[i] = random_next(&state);
	}
}

/* No faults any more; what has been counted stays. */
void faults_clear(struct faults *faults)
{
	memset(faults->setting, 0, sizeof(faults->setting));
}

void faults_clear_counts(struct faults *faults)
{
	memset(faults->count, 0, sizeof(faults->count));
}

uint64_t faults_count(const struct faults *faults, unsigned int kind)
{
	uint64_t sum = 0;
	unsigned int id;

	for (id = 0; id < FAULT_IDS; id++)
		sum += faults->count[kind][id];

	return sum;
}

/* A fault that befalls everything is a property of the wiring. */
bool faults_always(const struct faults *faults, const char *name)
{
	return faults->setting[fault_find(name)][FAULT_ANY_ID].share >=
	       FAULT_SCALE;
}

static bool hits(struct fault_setting *setting, uint32_t draw)
{
	if (setting->next) {
		setting->next--;
		return true;
	}

	return draw < setting->share;
}

static void consider(struct faults *faults, unsigned int kind,
		     struct mishap *mishap)
{
	struct fault_setting *settings = faults->setting[kind];
	/* Drawn in any case: a seed gives the same run, whatever is set. */
	uint32_t draw = random_below(&faults->random[kind], FAULT_SCALE);
	uint64_t detail = random_next(&faults->random[kind]);
	struct fault_setting *setting = &settings[mishap->id];
	u8 id = mishap->id;

	if (kinds[kind].stage == FAULT_ANSWER && mishap->len < 2)
		return;
	if (!hits(setting, draw)) {
		setting = &settings[FAULT_ANY_ID];
		if (!hits(setting, draw))
			return;
	}
	kinds[kind].apply(mishap, setting->value ? setting->value :
			  kinds[kind].value, &detail);
	faults->count[kind][id]++;
}

void faults_apply(struct faults *faults, enum fault_stage stage,
		  struct mishap *mishap)
{
	unsigned int kind;

	for (kind = 0; kind < FAULT_KINDS; kind++)
		if (kinds[kind].stage == stage)
			consider(faults, kind, mishap);
}
