// SPDX-License-Identifier: GPL-2.0-or-later
/* Each kind of fault is a row below; the control commands follow from it. */
#include <string.h>

#include "fault.h"
#include "random.h"

static void drop(struct wire_answer *answer, uint64_t *random)
{
	(void)random;
	answer->len = 0;
}

static void corrupt(struct wire_answer *answer, uint64_t *random)
{
	u8 *byte = &answer->bytes[random_below(random, answer->len)];

	*byte ^= 1 << random_below(random, 8);
}

static const struct fault_kind kinds[FAULT_KINDS] = {
	{ "drop", "dropped", "share of the answers that get lost", drop },
	{ "corrupt", "corrupted", "share of the answers with one bit flipped",
	  corrupt },
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
 * A number is drawn for each kind and answer, whatever befalls it, so that
 * changing one kind's share leaves the others' choices as they were.
 */
void faults_apply(struct faults *faults, struct wire_answer *answer)
{
	int i;

	for (i = 0; i < FAULT_KINDS; i++) {
		uint32_t draw = random_below(&faults->random, FAULT_SCALE);
		uint64_t detail = random_next(&faults->random);

		if (draw >= faults->share[i] || !answer->len)
			continue;
		kinds[i].apply(answer, &detail);
		faults->count[i]++;
	}
}
