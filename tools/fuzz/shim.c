// SPDX-License-Identifier: GPL-2.0-or-later
/* The shims' clock, and what fires by it. */
#include "shim.h"

ktime_t fuzz_now;

static struct hrtimer *timer;
static struct work_struct *works;
static struct workqueue_struct the_queue;
static struct tasklet_struct *scheduled;
static bool in_softirq;

void fuzz_reset(void)
{
	/* As far from 0 as any time is from the first in the code under test. */
	fuzz_now = 1000 * NSEC_PER_SEC;
	timer = NULL;
	works = NULL;
	scheduled = NULL;
}

void tasklet_schedule(struct tasklet_struct *tasklet)
{
	if (tasklet->scheduled)
		return;

	tasklet->scheduled = true;
	tasklet->next = scheduled;
	scheduled = tasklet;
}

/* What the lock kept from running; not while such runs already. */
void fuzz_bottom_half(void)
{
	struct tasklet_struct *tasklet;

	if (in_softirq)
		return;

	in_softirq = true;
	while ((tasklet = scheduled)) {
		scheduled = tasklet->next;
		tasklet->scheduled = false;
		tasklet->callback(tasklet);
	}
	in_softirq = false;
}

void hrtimer_start(struct hrtimer *t, ktime_t expires, enum hrtimer_mode mode)
{
	/* There is one bus, and it has one timer. */
	CHECK(!timer || timer == t);
	timer = t;
	t->expires = expires;
	t->active = true;
}

struct workqueue_struct *alloc_workqueue(const char *name, unsigned int flags,
					 int max)
{
	return &the_queue;
}

void destroy_workqueue(struct workqueue_struct *wq)
{
	CHECK(!works);
}

bool fuzz_queue_work(struct work_struct *work, u64 delay_ns)
{
	CHECK(work->func);
	if (work->pending || work->disabled)
		return false;
	work->pending = true;
	work->due = fuzz_now + (s64)delay_ns;
	work->next = works;
	works = work;

	return true;
}

static bool unlink_work(struct work_struct *work)
{
	struct work_struct **link = &works;

	while (*link && *link != work)
		link = &(*link)->next;
	if (!*link)
		return false;
	*link = work->next;
	work->pending = false;

	return true;
}

bool cancel_delayed_work_sync(struct delayed_work *work)
{
	return unlink_work(&work->work);
}

bool disable_delayed_work_sync(struct delayed_work *work)
{
	work->work.disabled = true;

	return unlink_work(&work->work);
}

static struct work_struct *first_work(void)
{
	struct work_struct *work, *first = works;

	for (work = works; work; work = work->next) {
		if (work->due < first->due)
			first = work;
	}

	return first;
}

ktime_t fuzz_next(void)
{
	const struct work_struct *work = first_work();
	ktime_t next = work ? work->due : KTIME_MAX;

	if (timer && timer->active)
		next = min(next, timer->expires);

	return next;
}

/* Let the next thing happen; false if there is none. */
bool fuzz_step(void)
{
	struct work_struct *work = first_work();

	if (timer && timer->active && (!work || timer->expires <= work->due)) {
		fuzz_now = max(fuzz_now, timer->expires);
		timer->active = false;
		CHECK(!in_softirq);
		CHECK(timer->function(timer) == HRTIMER_NORESTART);
		fuzz_bottom_half();
		return true;
	}
	if (!work)
		return false;
	fuzz_now = max(fuzz_now, work->due);
	unlink_work(work);
	work->func(work);

	return true;
}

void fuzz_advance(ktime_t until)
{
	while (fuzz_next() <= until)
		CHECK(fuzz_step());
	fuzz_now = max(fuzz_now, until);
}
