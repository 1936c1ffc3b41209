// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST	  16
#define TEXT_SIZE 160
#define SECOND_NS ((int64_t)1000000000)
#define KEPT_NS	  (30 * SECOND_NS)
#define NS_PER_MS 1000000

struct fault {
	struct fault_time time;
	enum fault_level level;
	char text[TEXT_SIZE];
};

static bool is_younger(const struct fault *fault, int64_t now, int64_t ns)
{
	return now - fault->time.monotonic < ns;
}

/* Of that text; or else behind all others. */
static size_t place_of(const struct faults *faults, const char *text)
{
	size_t i = 0;

	while (i < faults->count && strncmp(faults->list[i].text, text, TEXT_SIZE - 1) != 0)
		i++;
	return i;
}

/* What lasts is found by each who looks: those who do so at once are to be told one time. */
void faults_add(struct faults *faults, const struct fault_time *now, enum fault_level level,
		const char *text)
{
	size_t place;

	if (!faults->list)
		faults->list = calloc(MOST, sizeof(*faults->list));
	if (!faults->list)
		return;
	place = place_of(faults, text);
	if (place < faults->count && is_younger(&faults->list[place], now->monotonic, SECOND_NS))
		return;
	if (place == faults->count && place < MOST)
		faults->count++;
	if (place == MOST)
		place--;
	memmove(faults->list + 1, faults->list, place * sizeof(*faults->list));
	faults->list[0].time = *now;
	faults->list[0].level = level;
	snprintf(faults->list[0].text, TEXT_SIZE, "%s", text);
}

void faults_print(const struct faults *faults, int64_t now, char *text, size_t size)
{
	size_t at = 0;

	*text = '\0';
	for (size_t i = 0; i < faults->count && is_younger(&faults->list[i], now, KEPT_NS); i++) {
		const struct fault *fault = &faults->list[i];
		int64_t ms = fault->time.real / NS_PER_MS;
		int length = snprintf(text + at, size - at, "%s%" PRId64 ".%03" PRId64 " %d %s",
				      at ? "; " : "", ms / 1000, ms % 1000, fault->level,
				      fault->text);

		if ((size_t)length >= size - at) {
			if (at)
				text[at] = '\0';
			return;
		}
		at += (size_t)length;
	}
}

void faults_free(struct faults *faults)
{
	free(faults->list);
}
