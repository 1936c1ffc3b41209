// SPDX-License-Identifier: LGPL-2.1-or-later
#include "seeds.h"

#include "support.h"

static unsigned int tried; /* 0: none */
static uint64_t number;

static void try(unsigned int seed, void (*property)(void))
{
	tried = seed;
	number = seed;
	property();
	tried = 0;
}

/* A sanitizer ends the program where it is. */
#ifdef __SANITIZE_ADDRESS__
void __sanitizer_set_death_callback(void (*callback)(void));
#else
static void __sanitizer_set_death_callback(void (*callback)(void))
{
	(void)callback;
}
#endif

void each_seed(unsigned int count, void (*property)(void))
{
	const char *alone = getenv("NAOHW_SEED");

	__sanitizer_set_death_callback(seeds_teardown);
	if (alone) {
		try((unsigned int)strtoul(alone, NULL, 10), property);
		return;
	}
	for (unsigned int seed = 1; seed <= count; seed++)
		try(seed, property);
}

unsigned int chance(unsigned int below)
{
	number = number * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(number >> 33) % below;
}

void seeds_teardown(void)
{
	if (tried)
		print_error("It failed with seed %u: NAOHW_SEED=%u tries that alone.\n", tried,
			    tried);
	tried = 0;
}
