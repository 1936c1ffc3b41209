// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of who goes first on a bus, and of how it all ends
 */
#include <linux/delay.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include <linux/dxl/transport.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/state.h"
#include "fake_line.h"

static int priority_test_init(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1000000, NULL);

	test->priv = line;
	fake_line_add(test, line);

	return 0;
}

static void answer(struct fake_line *line, u8 id)
{
	const u8 params[] = { id, id };

	fake_line_status(line, DXL_PROTOCOL_1, id, 0, params, sizeof(params));
}

static struct fake_request *submit(struct kunit *test, u8 id,
				   enum dxl_priority priority)
{
	struct fake_request *req = fake_line_read(test->priv, id, 36, 2);

	req->xfer.priority = priority;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);

	return req;
}

/* A request that nobody answers, to all. */
static struct fake_request *submit_broadcast(struct kunit *test)
{
	struct fake_request *req = fake_line_request(test->priv);

	req->xfer.request.protocol = DXL_PROTOCOL_1;
	req->xfer.request.id = DXL_ID_BROADCAST;
	req->xfer.request.instruction = DXL_ACTION;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);

	return req;
}

static u8 id_on_wire(struct fake_line *line)
{
	struct dxl_queue *q = line->bus->queue;
	u8 id = 0;

	spin_lock_bh(&q->lock);
	if (q->current_xfer)
		id = q->current_xfer->request.id;
	spin_unlock_bh(&q->lock);

	return id;
}

/* --- who goes first --- */

static void priority_order(struct kunit *test)
{
	static const u8 order[] = { 1, 9, 6, 7, 4, 5, 2, 8, 3 };
	struct fake_line *line = test->priv;
	size_t i;

	submit(test, 1, DXL_PRIO_ATTRIBUTE);
	submit(test, 8, DXL_PRIO_ATTRIBUTE);
	submit(test, 2, DXL_PRIO_REQUEST);
	submit(test, 4, DXL_PRIO_CYCLIC);
	submit(test, 6, DXL_PRIO_MAINTENANCE);
	submit(test, 9, DXL_PRIO_RELEASE);
	submit(test, 3, DXL_PRIO_REQUEST);
	submit(test, 7, DXL_PRIO_MAINTENANCE);
	submit(test, 5, DXL_PRIO_CYCLIC);

	for (i = 0; i < ARRAY_SIZE(order); i++) {
		KUNIT_EXPECT_EQ(test, id_on_wire(line), order[i]);
		answer(line, order[i]);
	}
	for (i = 0; i < ARRAY_SIZE(order); i++)
		KUNIT_EXPECT_EQ(test, fake_request_result(&line->requests[i]),
				0);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 0);
}

/* However many attributes are read a request waits for one of them, and so do they. */
static void priority_turns(struct kunit *test)
{
	static const u8 order[] = { 1, 20, 2, 21, 3, 22, 4, 5, 23 };
	struct fake_line *line = test->priv;
	size_t i;

	for (i = 1; i <= 5; i++)
		submit(test, i, DXL_PRIO_ATTRIBUTE);
	for (i = 20; i <= 22; i++)
		submit(test, i, DXL_PRIO_REQUEST);

	for (i = 0; i < ARRAY_SIZE(order); i++) {
		if (order[i] == 5)
			submit(test, 23, DXL_PRIO_ATTRIBUTE);
		KUNIT_EXPECT_EQ(test, id_on_wire(line), order[i]);
		answer(line, order[i]);
	}
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 0);
}

/* Those whose devices are to be left alone are overtaken, but not looked at without end. */
static void priority_look_ahead(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_queue *q = line->bus->queue;
	unsigned int i;

	spin_lock_bh(&q->lock);
	q->quiet_until[1] = ktime_add_us(ktime_get(), FAKE_NEVER_US);
	spin_unlock_bh(&q->lock);

	for (i = 1; i < 32; i++)
		submit(test, 1, DXL_PRIO_ATTRIBUTE);
	submit(test, 2, DXL_PRIO_ATTRIBUTE);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 2);
	answer(line, 2);
	submit(test, 1, DXL_PRIO_ATTRIBUTE);
	submit(test, 3, DXL_PRIO_ATTRIBUTE);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 0);
	submit(test, 4, DXL_PRIO_REQUEST);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 4);
	answer(line, 4);
	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 1);
}

static bool ask_wanted(void *is_wanted)
{
	return *(bool *)is_wanted;
}

/* What has become wrong while it waited is not sent, nor is it sent again. */
static void priority_wanted_no_more(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first = submit(test, 1, DXL_PRIO_REQUEST);
	struct fake_request *second = fake_line_read(line, 2, 36, 2);
	bool is_wanted = true;

	second->xfer.wanted = ask_wanted;
	second->xfer.wanted_context = &is_wanted;
	second->xfer.repeatable = true;
	KUNIT_ASSERT_EQ(test, fake_request_submit(second), 0);
	answer(line, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(first), 0);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 2);
	is_wanted = false;
	fake_line_give_up(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(second), -ECANCELED);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
}

/* What a cycle is to do goes on at the cost of what is on the wire, no more. */
static void priority_does_not_interrupt(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *request = submit(test, 1, DXL_PRIO_REQUEST);
	struct fake_request *cyclic = submit(test, 2, DXL_PRIO_CYCLIC);

	KUNIT_EXPECT_EQ(test, line->writes, 1);
	answer(line, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(request), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	answer(line, 2);
	KUNIT_EXPECT_EQ(test, fake_request_result(cyclic), 0);
}

/* The packet behind one that nobody answers follows it without a gap. */
static void priority_behind_unanswered(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1, NULL);
	struct fake_request *first, *second;

	fake_line_add(test, line);
	test->priv = line;
	first = submit_broadcast(test);
	KUNIT_EXPECT_EQ(test, line->writes, 1);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(first));
	second = submit(test, 1, DXL_PRIO_REQUEST);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	KUNIT_EXPECT_EQ(test, fake_request_result(first), 0);
	/* Six bytes, then eight: its own time begins behind the other's. */
	KUNIT_EXPECT_GE(test, ktime_us_delta(line->bus->queue->engine.turn, ktime_get()),
			130000000);
	answer(line, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(second), 0);
}

/* One may follow at once, the next not before that is being sent. */
static void priority_one_ahead(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1, NULL);
	struct fake_request *third, *urgent;

	fake_line_add(test, line);
	test->priv = line;
	submit_broadcast(test);
	submit_broadcast(test);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	third = submit_broadcast(test);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	urgent = submit(test, 1, DXL_PRIO_CYCLIC);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 1);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(third));
	answer(line, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(urgent), 0);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(third), 0);
}

/* --- a bus that somebody has for himself --- */

static void reserved_waits(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *request, *cyclic, *maintenance;

	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(line->bus), 0);
	request = submit(test, 1, DXL_PRIO_REQUEST);
	cyclic = submit(test, 2, DXL_PRIO_CYCLIC);
	KUNIT_EXPECT_EQ(test, line->writes, 0);

	maintenance = submit(test, 3, DXL_PRIO_MAINTENANCE);
	KUNIT_EXPECT_EQ(test, line->writes, 1);
	answer(line, 3);
	KUNIT_EXPECT_EQ(test, fake_request_result(maintenance), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 1);

	/* One that fails lets nobody else go either. */
	maintenance = submit(test, 4, DXL_PRIO_MAINTENANCE);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(maintenance), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, line->writes, 2);

	dxl_bus_release(line->bus);
	KUNIT_EXPECT_EQ(test, line->writes, 3);
	answer(line, 2);
	KUNIT_EXPECT_EQ(test, fake_request_result(cyclic), 0);
	answer(line, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(request), 0);
}

/* Whoever has the bus does not keep anybody from letting a joint go. */
static void reserved_releases(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *maintenance, *release;

	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(line->bus), 0);
	maintenance = submit(test, 1, DXL_PRIO_MAINTENANCE);
	submit(test, 2, DXL_PRIO_MAINTENANCE);
	release = submit(test, 3, DXL_PRIO_RELEASE);
	answer(line, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(maintenance), 0);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 3);
	answer(line, 3);
	KUNIT_EXPECT_EQ(test, fake_request_result(release), 0);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 2);
	answer(line, 2);
	dxl_bus_release(line->bus);
}

/* What the queue is told by the core; it looks again when its timer fires. */
static void set_flag(struct fake_line *line, bool *flag, bool value)
{
	spin_lock_bh(&line->bus->queue->lock);
	*flag = value;
	spin_unlock_bh(&line->bus->queue->lock);
	fake_line_rested(line);
}

/* But at another rate nobody would hear it. */
static void reserved_away(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *release, *maintenance;

	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(line->bus), 0);
	set_flag(line, &line->bus->queue->away, true);
	release = submit(test, 1, DXL_PRIO_RELEASE);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
	maintenance = submit(test, 2, DXL_PRIO_MAINTENANCE);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 2);
	answer(line, 2);
	KUNIT_EXPECT_EQ(test, fake_request_result(maintenance), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 1);

	set_flag(line, &line->bus->queue->away, false);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 1);
	answer(line, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(release), 0);
	dxl_bus_release(line->bus);
}

/* Who has forgotten it is told so, and has not the lowest for that. */
static void priority_unset(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = fake_line_read(line, 1, 36, 2);

	req->xfer.priority = DXL_PRIO_UNSET;
	KUNIT_EXPECT_EQ(test, fake_request_submit(req), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_transfer_sync(line->bus, &req->xfer), -EINVAL);
	KUNIT_EXPECT_EQ(test, req->completions, 0);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
}

/* --- a task that is held up in submitting --- */

/**
 * struct straggler - a task that submits, and is not run again in the middle of that
 * @work: submits
 * @req: what
 * @there: it is held, or has submitted
 * @let_go: it may go on
 */
struct straggler {
	struct work_struct work;
	struct fake_request *req;
	struct completion there;
	struct completion let_go;
};

static void straggler_work(struct work_struct *work)
{
	struct straggler *s = container_of(work, struct straggler, work);

	fake_request_submit(s->req);
	complete(&s->there);
}

/* Where a task runs completions it may be preempted there, for as long as others run. */
static void hold_task(struct fake_request *req)
{
	struct straggler *s = req->context;

	if (!in_task() || IS_ENABLED(CONFIG_PREEMPT_RT))
		return;
	complete(&s->there);
	wait_for_completion_timeout(&s->let_go,
				    2 * msecs_to_jiffies(FAKE_PATIENCE_MS));
}

static void end_straggler(void *data)
{
	struct straggler *s = data;

	complete_all(&s->let_go);
	cancel_work_sync(&s->work);
}

/* Have a task submit @req, and be held in the completion of @held if it is its to run. */
static void begin_straggler(struct kunit *test, struct fake_request *req,
			    struct fake_request *held)
{
	struct straggler *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	unsigned long patience = msecs_to_jiffies(FAKE_PATIENCE_MS);

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->req = req;
	held->context = s;
	held->then = hold_task;
	init_completion(&s->there);
	init_completion(&s->let_go);
	INIT_WORK(&s->work, straggler_work);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, end_straggler, s),
			0);
	queue_work(system_dfl_wq, &s->work);
	KUNIT_ASSERT_NE(test, wait_for_completion_timeout(&s->there, patience),
			0);
}

static void expect_release_goes(struct kunit *test)
{
	struct fake_line *line = test->priv;
	unsigned int writes = READ_ONCE(line->writes);
	struct fake_request *release = submit(test, 7, DXL_PRIO_RELEASE);

	KUNIT_EXPECT_TRUE(test, fake_line_wait_writes(line, writes + 1));
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 7);
	answer(line, 7);
	KUNIT_EXPECT_EQ(test, fake_request_result(release), 0);
}

/* It finds the write of an exchange sent, which others are to go on with. */
static void straggler_behind_unanswered(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *write, *read;

	line->bus->timing.baud = 10;
	write = submit_broadcast(test);
	read = fake_line_read(line, 1, 36, 2);
	begin_straggler(test, read, write);
	KUNIT_EXPECT_EQ(test, fake_request_result(write), 0);
	answer(line, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(read), 0);
	expect_release_goes(test);
}

/* What it asks of a lost device ends without a packet. */
static void straggler_in_vain(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *read = fake_line_read(line, 1, 36, 2);

	line->ddevs[0].state = DXL_LOST;
	read->reply.ddev = &line->ddevs[0];
	begin_straggler(test, read, read);
	expect_release_goes(test);
	KUNIT_EXPECT_EQ(test, fake_request_result(read), -EHOSTDOWN);
}

/* --- a line that sleeps --- */

/* Who goes on while the machine sleeps waits, whatever it is. */
static void asleep_waits(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *request, *release;

	set_flag(line, &line->bus->queue->asleep, true);
	request = submit(test, 1, DXL_PRIO_REQUEST);
	release = submit(test, 2, DXL_PRIO_RELEASE);
	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
	set_flag(line, &line->bus->queue->asleep, false);
	KUNIT_EXPECT_EQ(test, id_on_wire(line), 2);
	answer(line, 2);
	KUNIT_EXPECT_EQ(test, fake_request_result(release), 0);
	answer(line, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(request), 0);
}

struct reserver {
	struct work_struct work;
	struct fake_line *line;
	struct completion reserved;
	struct completion released;
};

static void reserver_work(struct work_struct *work)
{
	struct reserver *r = container_of(work, struct reserver, work);

	if (dxl_bus_reserve(r->line->bus))
		return;
	complete(&r->reserved);
	wait_for_completion_timeout(&r->released,
				    msecs_to_jiffies(FAKE_PATIENCE_MS));
	dxl_bus_release(r->line->bus);
}

static bool becomes_reserved(struct dxl_bus *bus)
{
	unsigned int i;

	for (i = 0; i < FAKE_PATIENCE_MS; i++) {
		if (READ_ONCE(bus->queue->reserved))
			return true;
		fsleep(1000);
	}

	return false;
}

static void stop_reserver(void *data)
{
	struct reserver *r = data;

	/* Whoever waits for the line to become idle waits no longer. */
	fake_line_remove(r->line);
	complete(&r->released);
	cancel_work_sync(&r->work);
}

/* What is on the wire is not disturbed, and what waits behind it goes not. */
static void reserved_when_idle(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first, *second;
	unsigned long patience = msecs_to_jiffies(FAKE_PATIENCE_MS);
	struct reserver *r;

	r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, r);
	r->line = line;
	init_completion(&r->reserved);
	init_completion(&r->released);
	INIT_WORK(&r->work, reserver_work);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, stop_reserver, r),
			0);

	first = submit(test, 1, DXL_PRIO_REQUEST);
	second = submit(test, 2, DXL_PRIO_CYCLIC);
	queue_work(system_dfl_wq, &r->work);
	KUNIT_ASSERT_TRUE(test, becomes_reserved(line->bus));
	KUNIT_EXPECT_FALSE(test, completion_done(&r->reserved));

	answer(line, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(first), 0);
	KUNIT_ASSERT_NE(test, wait_for_completion_timeout(&r->reserved,
							  patience), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 1);

	complete(&r->released);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 2));
	answer(line, 2);
	KUNIT_EXPECT_EQ(test, fake_request_result(second), 0);
}

/* --- the line goes --- */

static void expect_gone(struct kunit *test, unsigned int writes)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;
	unsigned int i;

	for (i = 0; i < line->num_requests; i++) {
		req = &line->requests[i];
		KUNIT_EXPECT_EQ_MSG(test, fake_request_result(req), -ENODEV,
				    "request %u", i);
		KUNIT_EXPECT_EQ(test, req->reply.status, -ENODEV);
	}

	req = fake_line_read(line, 1, 36, 2);
	KUNIT_EXPECT_EQ(test, fake_request_submit(req), -ENODEV);
	fake_line_rested(line);
	answer(line, 1);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, line->writes, writes);
	KUNIT_EXPECT_EQ(test, req->completions, 0);
}

/* Refused, and so not completed a second time. */
static void submit_again(struct fake_request *req)
{
	req->then = NULL;
	fake_request_submit(req);
}

static void gone_when_busy(struct kunit *test)
{
	struct fake_line *line = test->priv;

	submit(test, 1, DXL_PRIO_REQUEST)->then = submit_again;
	submit(test, 2, DXL_PRIO_REQUEST)->then = submit_again;
	submit(test, 3, DXL_PRIO_CYCLIC);
	submit(test, 4, DXL_PRIO_MAINTENANCE)->then = submit_again;
	dxl_bus_disconnect(line->bus);
	expect_gone(test, 1);
	KUNIT_EXPECT_EQ(test, line->completed, 4);
}

static void gone_when_idle(struct kunit *test)
{
	struct fake_line *line = test->priv;

	dxl_bus_disconnect(line->bus);
	dxl_bus_disconnect(line->bus);
	expect_gone(test, 0);
	KUNIT_EXPECT_EQ(test, line->flushes, 0);
}

/* In the middle of an answer. */
static void gone_when_receiving(struct kunit *test)
{
	struct fake_line *line = test->priv;

	submit(test, 1, DXL_PRIO_REQUEST);
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04);
	dxl_bus_disconnect(line->bus);
	FAKE_LINE_RECEIVE(line, 0x00, 0x01, 0x07, 0xf2);
	expect_gone(test, 1);
}

static void gone_before_retry(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = fake_line_read(line, 1, 36, 2);

	req->xfer.repeatable = true;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	fake_line_expire(line);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	dxl_bus_disconnect(line->bus);
	expect_gone(test, 1);
}

static void gone_when_held_back(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first = submit(test, 1, DXL_PRIO_REQUEST);

	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(first), -ETIMEDOUT);
	line->num_requests = 0;
	memset(first, 0, sizeof(*first));
	submit(test, 1, DXL_PRIO_REQUEST);
	dxl_bus_disconnect(line->bus);
	expect_gone(test, 1);
}

static void gone_when_reserved(struct kunit *test)
{
	struct fake_line *line = test->priv;

	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(line->bus), 0);
	submit(test, 1, DXL_PRIO_REQUEST);
	submit(test, 2, DXL_PRIO_MAINTENANCE);
	dxl_bus_disconnect(line->bus);
	expect_gone(test, 1);
	dxl_bus_release(line->bus);
	KUNIT_EXPECT_EQ(test, line->writes, 1);
}

/* One that nobody answers may be with the line's buffer still. */
static void gone_behind_unanswered(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1, NULL);
	struct fake_request *first;

	fake_line_add(test, line);
	test->priv = line;
	first = submit_broadcast(test);
	submit(test, 1, DXL_PRIO_REQUEST);
	KUNIT_EXPECT_EQ(test, fake_request_result(first), 0);
	dxl_bus_disconnect(line->bus);
	KUNIT_EXPECT_EQ(test, fake_request_result(&line->requests[1]), -ENODEV);
	KUNIT_EXPECT_EQ(test, first->completions, 1);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
}

/* A bus whose line has gone is removed as any other. */
static void gone_then_removed(struct kunit *test)
{
	struct fake_line *line = test->priv;

	submit(test, 1, DXL_PRIO_REQUEST);
	dxl_bus_disconnect(line->bus);
	fake_line_remove(line);
	dxl_bus_disconnect(line->bus);
	KUNIT_EXPECT_EQ(test, fake_request_result(&line->requests[0]), -ENODEV);
	KUNIT_EXPECT_EQ(test, line->writes, 1);
}

static struct kunit_case priority_cases[] = {
	KUNIT_CASE(priority_order),
	KUNIT_CASE(priority_turns),
	KUNIT_CASE(priority_look_ahead),
	KUNIT_CASE(priority_wanted_no_more),
	KUNIT_CASE(priority_does_not_interrupt),
	KUNIT_CASE(priority_behind_unanswered),
	KUNIT_CASE(priority_one_ahead),
	KUNIT_CASE(priority_unset),
	KUNIT_CASE(reserved_waits),
	KUNIT_CASE(reserved_when_idle),
	KUNIT_CASE(reserved_releases),
	KUNIT_CASE(reserved_away),
	KUNIT_CASE(straggler_behind_unanswered),
	KUNIT_CASE(straggler_in_vain),
	KUNIT_CASE(asleep_waits),
	KUNIT_CASE(gone_when_busy),
	KUNIT_CASE(gone_when_idle),
	KUNIT_CASE(gone_when_receiving),
	KUNIT_CASE(gone_before_retry),
	KUNIT_CASE(gone_when_held_back),
	KUNIT_CASE(gone_when_reserved),
	KUNIT_CASE(gone_behind_unanswered),
	KUNIT_CASE(gone_then_removed),
	{}
};

static struct kunit_suite priority_suite = {
	.name = "dxl_priority",
	.init = priority_test_init,
	.test_cases = priority_cases,
};

kunit_test_suite(priority_suite);
