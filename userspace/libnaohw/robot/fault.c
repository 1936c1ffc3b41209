// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST	  16
#define TEXT_SIZE 160
#define KEPT_NS	  (30 * (int64_t)1000000000)
#define NS_PER_MS 1000000

struct fault {
	int64_t time;
	enum fault_level level;
	char text[TEXT_SIZE];
};

/* Of the same text, or else one more; the oldest of too many. */
static size_t place_of(const struct faults *faults, const char *text)
{
	for (size_t i = 0; i < faults->count; i++)
		if (strncmp(faults->list[i].text, text, TEXT_SIZE - 1) == 0)
			return i;
	return faults->count < MOST ? faults->count : MOST - 1;
}

void faults_add(struct faults *faults, int64_t now, enum fault_level level, const char *text)
{
	size_t place;

	if (!faults->list)
		faults->list = calloc(MOST, sizeof(*faults->list));
	if (!faults->list)
		return;
	place = place_of(faults, text);
	if (place == faults->count)
		faults->count++;
	memmove(faults->list + 1, faults->list, place * sizeof(*faults->list));
	faults->list[0].time = now;
	faults->list[0].level = level;
	snprintf(faults->list[0].text, TEXT_SIZE, "%s", text);
}

void faults_print(const struct faults *faults, int64_t now, char *text, size_t size)
{
	size_t at = 0;

	*text = '\0';
	for (size_t i = 0; i < faults->count && now - faults->list[i].time < KEPT_NS; i++) {
		const struct fault *fault = &faults->list[i];
		int64_t ms = fault->time / NS_PER_MS;
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
