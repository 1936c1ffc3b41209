// SPDX-License-Identifier: GPL-2.0
/*
 * How late exchanges begin: numbers of which quantiles can be told
 *
 * Delays are counted in steps, the first eight of 8 ns and then eight for each
 * doubling: a step is an eighth of its delay at most, and the last is reached
 * after seconds.
 */
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include <linux/dxl/bus.h>

#include "exchange.h"
#include "jitter.h"

#define UNIT_SHIFT	3
#define SUB_SHIFT	3
#define SUB_STEPS	BIT(SUB_SHIFT)

static unsigned int step_of(u64 ns)
{
	u64 units = ns >> UNIT_SHIFT;
	unsigned int shift, step;

	if (units < SUB_STEPS)
		return units;

	shift = fls64(units) - 1 - SUB_SHIFT;
	step = (shift + 1) * SUB_STEPS + ((units >> shift) - SUB_STEPS);

	return min(step, DXL_JITTER_STEPS - 1U);
}

/* The longest delay that is counted in @step. */
static u64 step_end(unsigned int step)
{
	unsigned int shift;
	u64 units;

	if (step < SUB_STEPS)
		return ((step + 1ULL) << UNIT_SHIFT) - 1;

	shift = step / SUB_STEPS - 1;
	units = SUB_STEPS + step % SUB_STEPS + 1;

	return (units << (shift + UNIT_SHIFT)) - 1;
}

/* Count a delay of @ns. */
void dxl_jitter_add(struct dxl_jitter *jitter, u64 ns)
{
	if (!jitter->count || ns < jitter->min_ns)
		jitter->min_ns = ns;
	jitter->max_ns = max(jitter->max_ns, ns);
	jitter->sum_ns += ns;
	jitter->count++;
	jitter->steps[step_of(ns)]++;
}

/*
 * A packet is being sent: if it is the first of an exchange, count its delay. Called
 * with the lock of the bus's transfer queue held.
 */
void dxl_jitter_sent(struct dxl_bus *bus, const struct dxl_transfer *xfer,
		     ktime_t now)
{
	struct dxl_exchange *x = bus->exchange;

	if (!x->beat || xfer->priority != DXL_PRIO_CYCLIC)
		return;

	dxl_jitter_add(&x->jitter, max_t(s64, ktime_sub(now, x->beat), 0));
	x->beat = 0;
}

/* What @permille of all delays are not longer than, to an eighth of it. */
u64 dxl_jitter_quantile(const struct dxl_jitter *jitter, unsigned int permille)
{
	u64 rest = div_u64(jitter->count * permille + 999, 1000);
	unsigned int step;

	if (!jitter->count)
		return 0;

	for (step = 0; step < DXL_JITTER_STEPS - 1; step++) {
		if (rest <= jitter->steps[step])
			break;
		rest -= jitter->steps[step];
	}

	return min(step_end(step), jitter->max_ns);
}
