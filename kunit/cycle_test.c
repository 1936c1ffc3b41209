// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the cycle: what an exchange is made of, what it leaves to
 * requests, and how its delays are counted
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/iio/trigger.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include <linux/dxl/cycle.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/cycle/beat.h"
#include "../drivers/bus/cycle/exchange.h"
#include "fake_line.h"
#include "fake_servo.h"

/* It needs nothing of the rest. */
#include "../drivers/bus/cycle/jitter.c"

#define BAUD		1000000
#define BYTE_NS		10000
#define OUTPUTS		2
#define MAX_ITEMS	300

/**
 * struct writer - an output that writes two bytes to one device
 * @output: the output
 * @ddev: the device
 * @bytes: what is written
 * @due: it is, in the next exchange
 * @planned: it takes part in plans, with that many items
 * @sent: how often it was sent
 * @status: the status of the last time
 */
struct writer {
	struct dxl_output output;
	struct dxl_device *ddev;
	u8 bytes[2];
	bool due;
	unsigned int planned;
	unsigned int sent;
	int status;
};

/**
 * struct fixture - a bus and what writes in its exchanges
 * @line: the line
 * @bus: the bus on it
 * @writers: the outputs
 * @added: how many of them have been added
 */
struct fixture {
	struct fake_line *line;
	struct dxl_bus *bus;
	struct writer writers[OUTPUTS];
	unsigned int added;
};

static struct dxl_item writer_item(struct writer *w)
{
	return (struct dxl_item){
		.ddev = w->ddev,
		.addr = 30,
		.len = sizeof(w->bytes),
		.buf = w->bytes,
	};
}

static unsigned int writer_plan(struct dxl_output *output,
				struct dxl_item *items)
{
	struct writer *w = container_of(output, struct writer, output);
	unsigned int i;

	for (i = 0; i < w->planned; i++)
		items[i] = writer_item(w);

	return w->planned;
}

static unsigned int writer_fill(struct dxl_output *output,
				struct dxl_item *items)
{
	struct writer *w = container_of(output, struct writer, output);

	if (!w->due)
		return 0;

	w->due = false;
	*items = writer_item(w);

	return 1;
}

static void writer_sent(struct dxl_output *output,
			const struct dxl_item *items, unsigned int count)
{
	struct writer *w = container_of(output, struct writer, output);

	w->sent += count;
	w->status = items->status;
}

static void remove_outputs(void *data)
{
	struct fixture *f = data;

	while (f->added)
		dxl_cycle_remove_output(f->bus,
					&f->writers[--f->added].output);
	fake_line_remove(f->line);
}

static int cycle_test_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	struct writer *w;

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	f->line = fake_line_create(test, BAUD, NULL);
	fake_line_add(test, f->line);
	f->bus = f->line->bus;

	for (; f->added < OUTPUTS; f->added++) {
		w = &f->writers[f->added];
		w->ddev = &f->line->ddevs[f->added];
		w->ddev->protocol = DXL_PROTOCOL_1;
		w->output = (struct dxl_output){
			.max_items = MAX_ITEMS,
			.plan = writer_plan,
			.fill = writer_fill,
			.sent = writer_sent,
		};
		memset(w->bytes, 0x11 * (f->added + 1), sizeof(w->bytes));
		KUNIT_ASSERT_EQ(test,
				dxl_cycle_add_output(f->bus, &w->output), 0);
	}

	return kunit_add_action_or_reset(test, remove_outputs, f);
}

/* --- exchanges --- */

static const u8 write_to_1[] = {
	0xff, 0xff, 0xfe, 0x07, 0x83, 0x1e, 0x02, 0x01, 0x11, 0x11, 0x34,
};

static const u8 write_to_1_and_2[] = {
	0xff, 0xff, 0xfe, 0x0a, 0x83, 0x1e, 0x02, 0x01, 0x11, 0x11,
	0x02, 0x22, 0x22, 0xeb,
};

static void cycle_outputs_in_one_packet(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->writers[0].due = true;
	f->writers[1].due = true;
	dxl_cycle_kick(f->bus);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(f->line, 1));
	dxl_cycle_flush(f->bus);

	KUNIT_EXPECT_TRUE(test, fake_line_wrote(f->line, write_to_1_and_2,
						sizeof(write_to_1_and_2)));
	KUNIT_EXPECT_EQ(test, f->writers[0].sent, 1);
	KUNIT_EXPECT_EQ(test, f->writers[1].sent, 1);
	KUNIT_EXPECT_EQ(test, f->writers[1].status, 0);
	KUNIT_EXPECT_EQ(test, f->bus->exchange->exchanges, 1);
	KUNIT_EXPECT_EQ(test, f->bus->exchange->overruns, 0);
}

/* Who has nothing to say is not told of having been sent. */
static void cycle_output_not_due(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->writers[0].due = true;
	dxl_cycle_kick(f->bus);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(f->line, 1));
	dxl_cycle_flush(f->bus);

	KUNIT_EXPECT_TRUE(test, fake_line_wrote(f->line, write_to_1,
						sizeof(write_to_1)));
	KUNIT_EXPECT_EQ(test, f->writers[0].sent, 1);
	KUNIT_EXPECT_EQ(test, f->writers[1].sent, 0);
}

/* Begin an exchange: it has begun when what was due no longer is. */
static void kick(struct fixture *f)
{
	f->writers[0].due = true;
	dxl_cycle_kick(f->bus);
	while (READ_ONCE(f->writers[0].due))
		cpu_relax();
}

static void cycle_line_refuses(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->line->refusal = -EIO;
	kick(f);
	dxl_cycle_flush(f->bus);

	KUNIT_EXPECT_EQ(test, f->writers[0].sent, 1);
	KUNIT_EXPECT_EQ(test, f->writers[0].status, -EIO);
}

/* A request on the wire holds an exchange up until the test answers it. */
static struct fake_request *hold_up(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_request *req = fake_line_read(f->line, 3, 36, 2);

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	kick(f);

	return req;
}

static void let_go(struct kunit *test, struct fake_request *req)
{
	struct fixture *f = test->priv;
	static const u8 params[] = { 1, 2 };

	fake_line_status(f->line, DXL_PROTOCOL_1, 3, 0, params, sizeof(params));
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
	dxl_cycle_flush(f->bus);
}

static void cycle_overrun(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_request *req = hold_up(test);

	f->writers[1].due = true;
	dxl_exchange_beat(f->bus, ktime_get());
	dxl_cycle_kick(f->bus);
	while (!READ_ONCE(f->bus->exchange->overruns))
		cpu_relax();
	let_go(test, req);

	KUNIT_EXPECT_EQ(test, f->bus->exchange->overruns, 1);
	KUNIT_EXPECT_EQ(test, f->bus->exchange->exchanges, 1);
	KUNIT_EXPECT_EQ(test, f->writers[0].sent, 1);
	KUNIT_EXPECT_EQ(test, f->writers[1].sent, 0);
}

/* A kick that is no beat of the bus is made up for. */
static void cycle_kicked_meanwhile(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_request *req = hold_up(test);

	f->writers[1].due = true;
	dxl_cycle_kick(f->bus);
	while (!READ_ONCE(f->bus->exchange->again))
		cpu_relax();
	let_go(test, req);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(f->line, 3));
	dxl_cycle_flush(f->bus);

	KUNIT_EXPECT_EQ(test, f->bus->exchange->overruns, 0);
	KUNIT_EXPECT_EQ(test, f->writers[1].sent, 1);
}

static void cycle_urged(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_request *req = hold_up(test);

	f->writers[1].due = true;
	dxl_exchange_beat(f->bus, ktime_get());
	dxl_cycle_urge(f->bus);
	let_go(test, req);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(f->line, 3));
	dxl_cycle_flush(f->bus);

	KUNIT_EXPECT_EQ(test, f->bus->exchange->overruns, 0);
	KUNIT_EXPECT_EQ(test, f->writers[1].sent, 1);
}

/**
 * struct leaver - a task that takes an output away
 * @work: does it
 * @f: the bus
 */
struct leaver {
	struct work_struct work;
	struct fixture *f;
};

static void leaver_work(struct work_struct *work)
{
	struct leaver *leaver = container_of(work, struct leaver, work);
	struct fixture *f = leaver->f;

	dxl_cycle_remove_output(f->bus, &f->writers[1].output);
}

/* Wait, but let no other task run meanwhile. */
static bool spin_until_ended(struct dxl_exchange *x, u64 exchanges)
{
	ktime_t end = ktime_add_ms(ktime_get(), FAKE_PATIENCE_MS);

	while (READ_ONCE(x->exchanges) < exchanges)
		if (ktime_after(ktime_get(), end))
			return false;

	return true;
}

/* Who waits for an exchange to end, and does not get to run then, holds up none. */
static void cycle_waiter_is_slow(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_request *req = hold_up(test);
	struct leaver leaver = { .f = f };
	bool ended, ended_again;

	INIT_WORK_ONSTACK(&leaver.work, leaver_work);
	f->added--;
	queue_work(system_dfl_wq, &leaver.work);
	while (!READ_ONCE(f->bus->exchange->change))
		fsleep(1000);

	preempt_disable();
	FAKE_LINE_RECEIVE(f->line, 0xff, 0xff, 3, 4, 0, 1, 2, 0xf5);
	ended = spin_until_ended(f->bus->exchange, 1);
	f->writers[0].due = true;
	f->writers[1].due = true;
	dxl_cycle_kick(f->bus);
	ended_again = spin_until_ended(f->bus->exchange, 2);
	preempt_enable();

	KUNIT_EXPECT_TRUE(test, ended);
	KUNIT_EXPECT_TRUE(test, ended_again);
	flush_work(&leaver.work);
	destroy_work_on_stack(&leaver.work);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
	KUNIT_EXPECT_EQ(test, f->writers[1].sent, 0);
}

/* --- time --- */

static int set_period(struct kunit *test, const char *us)
{
	struct fixture *f = test->priv;
	ssize_t ret = dev_attr_store(dxl_bus_dev(f->bus), "period_us", us);

	return min_t(ssize_t, ret, 0);
}

/* 300 items of the same device are 300 packets of 11 bytes. */
static void cycle_does_not_fit(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_trigger *other;

	KUNIT_EXPECT_EQ(test, set_period(test, "33000"), 0);
	f->writers[0].planned = MAX_ITEMS;
	KUNIT_EXPECT_EQ(test, dxl_cycle_check(f->bus, dxl_bus_cycle(f->bus)),
			0);
	KUNIT_EXPECT_EQ(test, f->bus->exchange->wire_ns,
			MAX_ITEMS * 11 * BYTE_NS);
	KUNIT_EXPECT_EQ(test, set_period(test, "32999"), -ENOSPC);
	KUNIT_EXPECT_EQ(test, dxl_cycle_period_us(f->bus), 33000);

	f->writers[1].planned = 1;
	KUNIT_EXPECT_EQ(test, dxl_cycle_check(f->bus, dxl_bus_cycle(f->bus)),
			-ENOSPC);

	/* Of another trigger nobody knows the period. */
	other = iio_trigger_alloc(NULL, "other");
	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_EXPECT_EQ(test, dxl_cycle_check(f->bus, other), 0);
	iio_trigger_free(other);
}

static void cycle_period_range(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, dxl_cycle_period_us(f->bus), 10000);
	KUNIT_EXPECT_EQ(test, set_period(test, "999"), -ERANGE);
	KUNIT_EXPECT_EQ(test, set_period(test, "1000"), 0);
	KUNIT_EXPECT_EQ(test, set_period(test, "1000001"), -ERANGE);
	KUNIT_EXPECT_EQ(test, set_period(test, "1000000"), 0);
	KUNIT_EXPECT_EQ(test, set_period(test, "ten"), -EINVAL);
}

/**
 * struct budget - the time there is for a request
 * @name: what is special about it
 * @wire_ms: what an exchange takes of a period of a second
 * @left_ms: time until the next beat
 * @allowed: whether the request may be sent
 */
struct budget {
	const char *name;
	u32 wire_ms;
	s32 left_ms;
	bool allowed;
};

/*
 * On a slow line, so that no machine is too slow for the test, the request takes
 * 80 ms; its answer 80 ms and, as a UART may hold it back for five bytes, 50 ms
 * more; the margin is 300 ms. So that is 510 ms, or 210 ms without the margin.
 */
static const struct budget budgets[] = {
	{ "room for a time-out", 300, 650, true },
	{ "no room for a time-out", 300, 490, false },
	{ "a beat that is late", 300, -10, false },
	{ "no period has room for a time-out", 600, 350, true },
	{ "nor is there room for an answer", 600, 190, false },
	{ "no period has room for an answer", 900, 10, true },
	{ "an exchange that does not fit itself", 2000, 10, true },
};

static void budget_desc(const struct budget *b, char *desc)
{
	strscpy(desc, b->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(budget, budgets, budget_desc);

static void cycle_budget(struct kunit *test)
{
	const struct budget *b = test->param_value;
	struct fixture *f = test->priv;
	struct fake_request *req = fake_line_read(f->line, 3, 36, 2);
	struct dxl_cycle *cycle = f->bus->cycle;

	f->bus->timing.baud = 1000;
	fake_line_set_margin(f->line, 300000);
	cycle->period_us = USEC_PER_SEC;
	WRITE_ONCE(f->bus->exchange->wire_ns, b->wire_ms * 1000000ULL);
	atomic64_set(&cycle->next, ktime_add_ms(ktime_get(), b->left_ms));

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, f->line->writes, b->allowed);
}

/* What had to wait goes when the beat has passed, without anybody's help. */
static void cycle_request_waits(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_request *req = fake_line_read(f->line, 3, 36, 2);
	struct dxl_cycle *cycle = f->bus->cycle;

	fake_line_set_margin(f->line, 1000);
	atomic64_set(&cycle->next, ktime_get());
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, f->line->writes, 0);

	atomic64_set(&cycle->next, 0);
	KUNIT_EXPECT_TRUE(test, fake_line_wait_writes(f->line, 1));
}

/* Nor is it in the way of an exchange. */
static void cycle_goes_first(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_request *req = fake_line_read(f->line, 3, 36, 2);

	fake_line_set_margin(f->line, 1000);
	atomic64_set(&f->bus->cycle->next, ktime_get());
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	f->writers[0].due = true;
	dxl_cycle_kick(f->bus);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(f->line, 1));

	KUNIT_EXPECT_TRUE(test, fake_line_wrote(f->line, write_to_1,
						sizeof(write_to_1)));
}

/* The exchange of a beat that has just passed may not have begun yet. */
static void cycle_beat_has_passed(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_request *req = fake_line_read(f->line, 3, 36, 2);
	ktime_t next = ktime_add_ms(ktime_get(), 60000);

	fake_line_set_margin(f->line, 1000);
	atomic64_set(&f->bus->cycle->next, next);
	dxl_exchange_beat(f->bus, next);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, f->line->writes, 0);

	dxl_exchange_beat(f->bus, 0);
	KUNIT_EXPECT_TRUE(test, fake_line_wait_writes(f->line, 1));
}

static void cycle_stream_or_maintenance(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, dxl_cycle_get_stream(f->bus), 0);
	KUNIT_EXPECT_EQ(test, dxl_bus_reserve(f->bus), -EBUSY);
	dxl_cycle_put_stream(f->bus);

	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(f->bus), 0);
	KUNIT_EXPECT_EQ(test, dxl_cycle_get_stream(f->bus), -EBUSY);
	dxl_bus_release(f->bus);

	KUNIT_EXPECT_EQ(test, dxl_cycle_get_stream(f->bus), 0);
	dxl_cycle_put_stream(f->bus);
}

/* --- jitter --- */

static void cycle_jitter(struct kunit *test)
{
	struct dxl_jitter *jitter = kunit_kzalloc(test, sizeof(*jitter),
						  GFP_KERNEL);
	u64 p;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, jitter);
	KUNIT_EXPECT_EQ(test, dxl_jitter_quantile(jitter, 990), 0);

	for (i = 1; i <= 1000; i++)
		dxl_jitter_add(jitter, i * 1000);
	KUNIT_EXPECT_EQ(test, jitter->count, 1000);
	KUNIT_EXPECT_EQ(test, jitter->min_ns, 1000);
	KUNIT_EXPECT_EQ(test, jitter->max_ns, 1000000);
	KUNIT_EXPECT_EQ(test, jitter->sum_ns, 500500000);
	KUNIT_EXPECT_EQ(test, dxl_jitter_quantile(jitter, 1000), 1000000);

	/* To an eighth of it. */
	p = dxl_jitter_quantile(jitter, 990);
	KUNIT_EXPECT_GE(test, p, 990000);
	KUNIT_EXPECT_LE(test, p, 990000 * 9 / 8);
	p = dxl_jitter_quantile(jitter, 500);
	KUNIT_EXPECT_GE(test, p, 500000);
	KUNIT_EXPECT_LE(test, p, 500000 * 9 / 8);

	dxl_jitter_add(jitter, U64_MAX / 2);
	KUNIT_EXPECT_EQ(test, jitter->steps[DXL_JITTER_STEPS - 1], 1);
}

/* Only the first packet of an exchange that the bus itself has begun counts. */
static void cycle_jitter_of_beats(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->writers[0].due = true;
	dxl_cycle_kick(f->bus);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(f->line, 1));
	dxl_cycle_flush(f->bus);
	KUNIT_EXPECT_EQ(test, f->bus->exchange->jitter.count, 0);

	f->writers[0].due = true;
	dxl_exchange_beat(f->bus, ktime_sub_us(ktime_get(), 5));
	dxl_cycle_kick(f->bus);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(f->line, 2));
	dxl_cycle_flush(f->bus);
	KUNIT_EXPECT_EQ(test, f->bus->exchange->jitter.count, 1);
	KUNIT_EXPECT_GE(test, f->bus->exchange->jitter.min_ns, 5000);
}

static struct kunit_case cycle_cases[] = {
	KUNIT_CASE(cycle_outputs_in_one_packet),
	KUNIT_CASE(cycle_output_not_due),
	KUNIT_CASE(cycle_line_refuses),
	KUNIT_CASE(cycle_overrun),
	KUNIT_CASE(cycle_kicked_meanwhile),
	KUNIT_CASE(cycle_urged),
	KUNIT_CASE(cycle_waiter_is_slow),
	KUNIT_CASE(cycle_does_not_fit),
	KUNIT_CASE(cycle_period_range),
	KUNIT_CASE_PARAM(cycle_budget, budget_gen_params),
	KUNIT_CASE(cycle_request_waits),
	KUNIT_CASE(cycle_goes_first),
	KUNIT_CASE(cycle_beat_has_passed),
	KUNIT_CASE(cycle_stream_or_maintenance),
	KUNIT_CASE(cycle_jitter),
	KUNIT_CASE(cycle_jitter_of_beats),
	{ }
};

static struct kunit_suite cycle_suite = {
	.name = "dxl_cycle",
	.init = cycle_test_init,
	.test_cases = cycle_cases,
};

kunit_test_suite(cycle_suite);
