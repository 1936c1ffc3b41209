// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The DCM's period. Each party may ask for one, and the shortest is set. One that is too short for the
 * bus counts as the one from before the first party asked, if that is longer; and that one is set when
 * no party asks any more.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "table.h"

/* ms in which the bus takes on a period, or is too slow for it */
#define PATIENCE 1000
/* ms; the kernel has periods in us. */
#define NEAR	 0.001

/* ---- what is set ---- */

static double counts_as(const struct period *period, const struct period_wish *wish)
{
	if (!(wish->ms > 0))
		return INFINITY;
	if (!wish->is_too_short)
		return wish->ms;
	return wish->ms < period->before ? period->before : INFINITY;
}

static double shortest(const struct period *period)
{
	double ms = INFINITY;

	for (const struct party *party = period->asking; party; party = party->wish.next)
		if (counts_as(period, &party->wish) < ms)
			ms = counts_as(period, &party->wish);
	return isfinite(ms) ? ms : period->before;
}

/* Where the cycle has no room for it the next look tries again. */
static void tell(struct leases *leases, double ms)
{
	const struct naohw_command command = {
		.value = ms,
		.time = naohw_dcm_get_time(leases->dcm, 0),
	};

	if (naohw_dcm_set(leases->dcm, DCM_PERIOD, NAOHW_UPDATE_CLEAR_ALL, &command, 1, NULL) < 0)
		return;
	leases->period.told = ms;
	leases->period.told_at = command.time;
}

static void note_too_short(const struct leases *leases, double has)
{
	for (struct party *party = leases->period.asking; party; party = party->wish.next) {
		if (party->wish.ms != leases->period.told)
			continue;
		party->wish.is_too_short = true;
		log_line("%s (process %ld) asks for a period of %g ms, which is too short for the "
			 "bus: it has %g ms",
			 party->program, (long)party->pid, party->wish.ms, has);
	}
}

static void judge(struct leases *leases)
{
	struct period *period = &leases->period;
	double has = naohw_dcm_get_period(leases->dcm);

	period->told_at = 0;
	if (has > period->told + NEAR)
		note_too_short(leases, has);
}

/* A wish whose time has come takes the place of the one before it. */
static void take_due(const struct leases *leases)
{
	int64_t now = naohw_dcm_get_time(leases->dcm, 0);

	for (struct party *party = leases->period.asking; party; party = party->wish.next) {
		struct period_wish *wish = &party->wish;

		if (!(wish->then > 0) || now < wish->then_at)
			continue;
		wish->ms = wish->then;
		wish->then = 0;
		wish->is_too_short = false;
	}
}

static bool is_time_to_judge(const struct leases *leases)
{
	return leases->period.told_at &&
	       naohw_dcm_get_time(leases->dcm, -PATIENCE) >= leases->period.told_at;
}

/*
 * period->before is kept until the bus has had time to go back to it: until then the store may still
 * have another one, which a party that asks would take for the one from before.
 */
void leases_look_at_period(struct leases *leases)
{
	struct period *period = &leases->period;
	double ms;

	if (is_time_to_judge(leases))
		judge(leases);
	take_due(leases);
	ms = shortest(period);
	/* It is 0 where the bus does not tell its period, and so there is none to go back to. */
	if (ms > 0 && ms != period->told)
		tell(leases, ms);
	else if (!period->asking && !period->told_at)
		*period = (struct period){ 0 };
}

/* ---- who asks ---- */

static void join(struct party *party)
{
	struct period *period = &party->leases->period;

	if (party->wish.ms > 0 || party->wish.then > 0)
		return;
	if (!(period->before > 0))
		period->before = period->told = naohw_dcm_get_period(party->leases->dcm);
	party->wish.next = period->asking;
	period->asking = party;
}

int party_ask_period(struct party *party, double ms, int64_t time, struct naohw_error *err)
{
	int ret = lease_check(party->leases, party, DCM_PERIOD, err);

	if (ret < 0)
		return ret;
	if (!(ms >= NAOHW_PERIOD_MIN && ms <= NAOHW_PERIOD_MAX))
		return trouble(err, -ERANGE, DCM_PERIOD ": %g ms, expected %d to %d ms", ms,
			       NAOHW_PERIOD_MIN, NAOHW_PERIOD_MAX);
	join(party);
	party->wish.then = ms;
	party->wish.then_at = time;
	leases_look_at_period(party->leases);
	return 0;
}

void party_ask_no_period(struct party *party)
{
	struct party **place = &party->leases->period.asking;

	while (*place && *place != party)
		place = &(*place)->wish.next;
	if (!*place)
		return;
	*place = party->wish.next;
	party->wish = (struct period_wish){ 0 };
	leases_look_at_period(party->leases);
}

double leases_period_before(const struct leases *leases)
{
	return leases->period.before > 0 ? leases->period.before : naohw_dcm_get_period(leases->dcm);
}

/* ---- its name ---- */

int leases_find_period(struct leases *leases, const char *name)
{
	int count = naohw_dcm_get_actuators(leases->dcm, name, leases->names, leases->count);

	for (int i = 0; i < count; i++)
		if (strcmp(leases->names[i], DCM_PERIOD) == 0)
			return count;
	return 0;
}
