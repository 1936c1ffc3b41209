// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the line discipline on a UART, which tells of what it has lost or
 * damaged and need not take what is written, unlike a pseudo terminal
 */
#include <linux/device.h>
#include <linux/minmax.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>
#include <linux/tty_flip.h>
#include <linux/tty_ldisc.h>
#include <linux/tty_port.h>

#include <kunit/test.h>

#include <uapi/linux/dxl.h>

#include "../drivers/bus/base/base.h"
#include "fake_line.h"

#define BAUD		1000000

/**
 * struct uart - a UART; a test's priv
 * @line: what it drives
 * @driver: driver of this UART alone
 * @port: its port
 * @tty: its tty, while it is open
 * @room: how many bytes of a packet it takes
 */
struct uart {
	struct fake_line line;
	struct tty_driver *driver;
	struct tty_port port;
	struct tty_struct *tty;
	size_t room;
};

/* --- driver --- */

static struct uart *to_uart(struct tty_struct *tty)
{
	return container_of(tty->port, struct uart, port);
}

static int uart_open(struct tty_struct *tty, struct file *file)
{
	return tty_port_open(tty->port, tty, file);
}

static void uart_close(struct tty_struct *tty, struct file *file)
{
	tty_port_close(tty->port, tty, file);
}

static void uart_hangup(struct tty_struct *tty)
{
	tty_port_hangup(tty->port);
}

static ssize_t uart_write(struct tty_struct *tty, const u8 *data, size_t len)
{
	struct uart *u = to_uart(tty);

	len = min(len, u->room);

	return len ? fake_line_take(&u->line, data, len) : 0;
}

static unsigned int uart_write_room(struct tty_struct *tty)
{
	return to_uart(tty)->room;
}

static void uart_flush_buffer(struct tty_struct *tty)
{
	fake_line_flush(&to_uart(tty)->line);
	tty_wakeup(tty);
}

static const struct tty_operations uart_ops = {
	.open = uart_open,
	.close = uart_close,
	.hangup = uart_hangup,
	.write = uart_write,
	.write_room = uart_write_room,
	.flush_buffer = uart_flush_buffer,
};

static const struct tty_port_operations uart_port_ops = {
};

/* What is received, all of it with @flag. */
static void insert(struct uart *u, const u8 *data, size_t len, u8 flag)
{
	size_t taken = tty_insert_flip_string_fixed_flag(&u->port, data, flag,
							 len);

	WARN_ON(taken != len);
}

static void push(struct uart *u)
{
	tty_flip_buffer_push(&u->port);
	flush_work(&u->port.buf.work);
}

static void uart_receive(struct fake_line *line, const u8 *data, size_t len)
{
	struct uart *u = container_of(line, struct uart, line);

	insert(u, data, len, TTY_NORMAL);
	push(u);
}

/* --- life --- */

KUNIT_DEFINE_ACTION_WRAPPER(destroy_port, tty_port_destroy, struct tty_port *);
KUNIT_DEFINE_ACTION_WRAPPER(put_driver, tty_driver_kref_put,
			    struct tty_driver *);
KUNIT_DEFINE_ACTION_WRAPPER(unregister_driver, tty_unregister_driver,
			    struct tty_driver *);

static void unregister_device(void *data)
{
	tty_unregister_device(data, 0);
}

static void add_action(struct kunit *test, kunit_action_t *action, void *data)
{
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, action, data), 0);
}

static void register_uart(struct kunit *test, struct uart *u)
{
	struct tty_driver *driver;
	struct device *dev;

	tty_port_init(&u->port);
	u->port.ops = &uart_port_ops;
	add_action(test, destroy_port, &u->port);

	driver = tty_alloc_driver(1, TTY_DRIVER_REAL_RAW |
				     TTY_DRIVER_DYNAMIC_DEV);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, driver);
	add_action(test, put_driver, driver);
	driver->driver_name = "dxl_kunit";
	driver->name = "ttyDXL";
	driver->type = TTY_DRIVER_TYPE_SERIAL;
	driver->subtype = SERIAL_TYPE_NORMAL;
	driver->init_termios = tty_std_termios;
	tty_termios_encode_baud_rate(&driver->init_termios, BAUD, BAUD);
	tty_set_operations(driver, &uart_ops);
	u->driver = driver;

	KUNIT_ASSERT_EQ(test, tty_register_driver(driver), 0);
	add_action(test, unregister_driver, driver);
	dev = tty_port_register_device(&u->port, driver, 0, NULL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	add_action(test, unregister_device, driver);
}

/* One that has been hung up has had its close. */
static void close_tty(void *data)
{
	struct uart *u = data;
	struct tty_struct *tty = u->tty;

	if (!tty)
		return;

	u->tty = NULL;
	tty_lock(tty);
	if (!test_bit(TTY_HUPPED, &tty->flags))
		tty->ops->close(tty, NULL);
	tty_unlock(tty);
	tty_kclose(tty);
}

static void open_tty(struct kunit *test, struct uart *u)
{
	dev_t dev = MKDEV(u->driver->major, u->driver->minor_start);
	int ret;

	u->tty = tty_kopen_exclusive(dev);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, u->tty);
	ret = u->tty->ops->open(u->tty, NULL);
	tty_unlock(u->tty);
	add_action(test, close_tty, u);
	KUNIT_ASSERT_EQ(test, ret, 0);
}

/* Put a bus on the tty. Its caller gets a reference. */
static struct dxl_bus *attach(struct kunit *test, struct uart *u)
{
	struct device *dev;

	KUNIT_ASSERT_EQ(test, tty_set_ldisc(u->tty, DXL_LDISC), 0);
	dev = device_find_any_child(u->tty->dev);
	KUNIT_ASSERT_NOT_NULL(test, dev);

	return to_dxl_bus(dev);
}

static int ldisc_test_init(struct kunit *test)
{
	struct uart *u = kunit_kzalloc(test, sizeof(*u), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, u);
	test->priv = u;
	u->room = SIZE_MAX;
	fake_line_init(test, &u->line, BAUD);
	u->line.receive = uart_receive;
	register_uart(test, u);
	open_tty(test, u);
	fake_line_set_bus(&u->line, attach(test, u));

	return 0;
}

/* --- exchanges --- */

/* Device 1 says that its registers hold 1 and 7. */
static const u8 answer[] = { 0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf2 };

static void insert_answer(struct uart *u, size_t from, size_t to)
{
	insert(u, answer + from, to - from, TTY_NORMAL);
}

static struct fake_request *submit_read(struct kunit *test, u8 id)
{
	struct uart *u = test->priv;
	struct fake_request *req = fake_line_read(&u->line, id, 36, 2);

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);

	return req;
}

static void expect_answered(struct kunit *test, struct fake_request *req)
{
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
	KUNIT_EXPECT_EQ(test, req->rx[0], req->xfer.request.id);
	KUNIT_EXPECT_EQ(test, req->rx[1], 7);
}

/* Afterwards any device may be asked, this one too. */
static void expect_exchange(struct kunit *test, u8 id)
{
	struct fake_request *req = submit_read(test, id);
	struct uart *u = test->priv;
	const u8 params[] = { id, 7 };

	fake_line_status(&u->line, DXL_PROTOCOL_1, id, 0, params,
			 sizeof(params));
	expect_answered(test, req);
	fake_line_rested(&u->line);
}

/* Another device is heard at once, and the same one when it has rested. */
static void expect_recovered(struct kunit *test)
{
	expect_exchange(test, 2);
	expect_exchange(test, 1);
}

static void expect_stat(struct kunit *test, enum dxl_stat stat, u64 count)
{
	struct uart *u = test->priv;

	KUNIT_EXPECT_EQ_MSG(test, fake_line_stat(&u->line, stat), count,
			    "counter %d", stat);
}

static void ldisc_exchange(struct kunit *test)
{
	struct uart *u = test->priv;
	struct fake_device *dev = fake_line_device(&u->line, 1,
						   DXL_PROTOCOL_1);
	struct fake_request *req;

	dev->table[36] = 1;
	dev->table[37] = 7;
	req = submit_read(test, 1);
	expect_answered(test, req);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(&u->line, 0xff, 0xff, 0x01,
						0x04, 0x02, 0x24, 0x02, 0xd2));
	expect_stat(test, DXL_STAT_RX_BYTES, sizeof(answer));
	expect_stat(test, DXL_STAT_STALE_BYTES, 0);
}

/* Drivers tell of damage only where INPCK and BRKINT say so. */
static void ldisc_settings(struct kunit *test)
{
	struct uart *u = test->priv;
	const struct ktermios *termios = &u->tty->termios;

	KUNIT_EXPECT_EQ(test, termios->c_iflag, INPCK | BRKINT);
	KUNIT_EXPECT_EQ(test, termios->c_oflag, 0);
	KUNIT_EXPECT_EQ(test, termios->c_lflag, 0);
	KUNIT_EXPECT_EQ(test, termios->c_cflag & (CSIZE | PARENB | CSTOPB),
			CS8);
	KUNIT_EXPECT_EQ(test, tty_termios_baud_rate(termios), BAUD);
}

/* --- what a UART tells of what it has received --- */

/* A buffer in which all is well has no flags, until one byte is not. */
static void ldisc_no_flags(struct kunit *test)
{
	static const u8 flags[sizeof(answer)] = { };
	struct uart *u = test->priv;
	struct fake_request *req = submit_read(test, 1);

	insert_answer(u, 0, 3);
	push(u);
	insert_answer(u, 3, sizeof(answer));
	KUNIT_EXPECT_FALSE(test, u->port.buf.tail->flags);
	push(u);
	expect_answered(test, req);

	fake_line_rested(&u->line);
	req = submit_read(test, 1);
	tty_insert_flip_string_flags(&u->port, answer, flags, sizeof(answer));
	KUNIT_EXPECT_TRUE(test, u->port.buf.tail->flags);
	push(u);
	expect_answered(test, req);
	expect_stat(test, DXL_STAT_LINE_ERRORS, 0);
	expect_stat(test, DXL_STAT_RX_BYTES, 2 * sizeof(answer));
}

struct line_error {
	const char *name;
	u8 flag;
};

static const struct line_error line_errors[] = {
	{ "overrun", TTY_OVERRUN },
	{ "break", TTY_BREAK },
	{ "framing error", TTY_FRAME },
	{ "parity error", TTY_PARITY },
};

static void line_error_desc(const struct line_error *error, char *desc)
{
	strscpy(desc, error->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(line_error, line_errors, line_error_desc);

/* The answer under way is void, and nothing else is. */
static void expect_void(struct kunit *test, struct fake_request *req, size_t at)
{
	struct uart *u = test->priv;

	KUNIT_EXPECT_TRUE_MSG(test, fake_request_pending(req), "at %zu", at);
	fake_line_expire(&u->line);
	KUNIT_EXPECT_EQ_MSG(test, fake_request_result(req), -EBADMSG, "at %zu",
			    at);
	expect_stat(test, DXL_STAT_LINE_ERRORS, at + 1);
	expect_stat(test, DXL_STAT_NACK, at + 1);
	expect_recovered(test);
}

/*
 * The flag comes with a byte of the answer or, where that is lost, with a zero in
 * its place, which is what the answer's error byte was. The rest fits together.
 */
static void ldisc_byte_with_flag(struct kunit *test)
{
	const struct line_error *error = test->param_value;
	struct uart *u = test->priv;
	struct fake_request *req;
	size_t at;

	for (at = 0; at < sizeof(answer); at++) {
		req = submit_read(test, 1);
		insert_answer(u, 0, at);
		insert(u, answer + at, 1, error->flag);
		insert_answer(u, at + 1, sizeof(answer));
		push(u);
		expect_void(test, req, at);
	}
	expect_stat(test, DXL_STAT_TIMEOUTS, 0);
	expect_stat(test, DXL_STAT_RX_BYTES,
		    at * (3 * sizeof(answer) - 1));
}

/* The flag comes with a byte of its own, as that of an overrun does. */
static void ldisc_flag_between(struct kunit *test)
{
	const struct line_error *error = test->param_value;
	struct uart *u = test->priv;
	struct fake_request *req;
	size_t at;

	for (at = 1; at < sizeof(answer); at++) {
		req = submit_read(test, 1);
		insert_answer(u, 0, at);
		insert(u, "", 1, error->flag);
		insert_answer(u, at, sizeof(answer));
		push(u);
		expect_void(test, req, at - 1);
	}
	expect_stat(test, DXL_STAT_TIMEOUTS, 0);
	expect_stat(test, DXL_STAT_RX_BYTES, (at - 1) * 3 * sizeof(answer));
}

/* Before an answer and behind it, it does that no harm. */
static void ldisc_flag_beside(struct kunit *test)
{
	const struct line_error *error = test->param_value;
	struct fake_request *req = submit_read(test, 1);
	struct uart *u = test->priv;

	insert(u, "", 1, error->flag);
	insert_answer(u, 0, sizeof(answer));
	insert(u, "", 1, error->flag);
	push(u);
	expect_answered(test, req);
	expect_stat(test, DXL_STAT_LINE_ERRORS, 2);
	expect_stat(test, DXL_STAT_RX_BYTES, sizeof(answer));
	expect_stat(test, DXL_STAT_STALE_BYTES, 0);
	expect_stat(test, DXL_STAT_NACK, 0);
	expect_recovered(test);
}

/* It says nothing about an answer that was not asked for yet. */
static void ldisc_flag_while_idle(struct kunit *test)
{
	const struct line_error *error = test->param_value;
	struct uart *u = test->priv;
	struct fake_request *req;

	insert(u, (const u8[]){ 0, 0, 0 }, 3, error->flag);
	push(u);
	expect_stat(test, DXL_STAT_LINE_ERRORS, 3);
	expect_stat(test, DXL_STAT_RX_BYTES, 0);
	expect_stat(test, DXL_STAT_STALE_BYTES, 0);
	expect_exchange(test, 1);

	insert(u, "", 1, error->flag);
	push(u);
	req = submit_read(test, 1);
	fake_line_expire(&u->line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ETIMEDOUT);
	expect_recovered(test);
}

/* --- what it takes of what is written --- */

/* The rest of a packet is never sent: the device would answer late. */
static void ldisc_partial_write(struct kunit *test)
{
	struct uart *u = test->priv;
	struct fake_request *req;

	u->room = 3;
	req = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EIO);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(&u->line, 0xff, 0xff, 0x01));
	KUNIT_EXPECT_EQ(test, u->line.flushes, 1);
	expect_stat(test, DXL_STAT_PACKETS, 0);

	u->room = SIZE_MAX;
	tty_wakeup(u->tty);
	KUNIT_EXPECT_EQ(test, u->line.writes, 1);
	expect_exchange(test, 1);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(&u->line, 0xff, 0xff, 0x01,
						0x04, 0x02, 0x24, 0x02, 0xd2));
	KUNIT_EXPECT_EQ(test, u->line.flushes, 1);
}

static void ldisc_write_takes_nothing(struct kunit *test)
{
	struct uart *u = test->priv;
	struct fake_request *req;

	u->room = 0;
	req = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EIO);
	expect_stat(test, DXL_STAT_PACKETS, 0);

	u->room = SIZE_MAX;
	expect_exchange(test, 1);
}

static void ldisc_write_fails(struct kunit *test)
{
	struct uart *u = test->priv;
	struct fake_request *req;

	u->line.refusal_once = -ENOSPC;
	req = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ENOSPC);
	expect_exchange(test, 1);

	/* The port is not to be written to. */
	set_bit(TTY_IO_ERROR, &u->tty->flags);
	req = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EIO);
	KUNIT_EXPECT_EQ(test, u->line.writes, 1);
	expect_stat(test, DXL_STAT_PACKETS, 1);

	clear_bit(TTY_IO_ERROR, &u->tty->flags);
	expect_exchange(test, 1);
}

/* --- ends --- */

/**
 * struct last_requests - what is under way when the tty goes
 * @sent: half of its answer has come
 * @waiting: not sent yet
 */
struct last_requests {
	struct fake_request *sent;
	struct fake_request *waiting;
};

static struct last_requests submit_last(struct kunit *test)
{
	struct last_requests last = {
		.sent = submit_read(test, 1),
		.waiting = submit_read(test, 2),
	};
	struct uart *u = test->priv;

	insert_answer(u, 0, 5);
	push(u);
	expect_stat(test, DXL_STAT_RX_BYTES, 5);

	return last;
}

static void expect_ended(struct kunit *test, struct last_requests *last,
			 int status)
{
	KUNIT_EXPECT_EQ(test, fake_request_result(last->sent), status);
	KUNIT_EXPECT_EQ(test, fake_request_result(last->waiting), status);
}

/* Nothing is sent any more, nor received. */
static void expect_gone(struct kunit *test, int status)
{
	struct uart *u = test->priv;
	struct fake_request *late = fake_line_read(&u->line, 3, 36, 2);

	KUNIT_EXPECT_EQ(test, fake_request_submit(late), status);
	KUNIT_EXPECT_EQ(test, u->line.writes, 1);

	insert_answer(u, 5, sizeof(answer));
	push(u);
	expect_stat(test, DXL_STAT_RX_BYTES, 5);
}

static void ldisc_hangup(struct kunit *test)
{
	struct last_requests last = submit_last(test);
	struct uart *u = test->priv;

	tty_vhangup(u->tty);
	expect_ended(test, &last, -ENODEV);
	expect_gone(test, -ENODEV);
}

/*
 * A driver hangs up when its adapter has been pulled out. Whoever waits for an
 * answer within the discipline, as a detach may, keeps that from being closed.
 */
static void ldisc_hangup_while_in_use(struct kunit *test)
{
	struct last_requests last = submit_last(test);
	struct uart *u = test->priv;
	struct tty_ldisc *ld = tty_ldisc_ref(u->tty);

	KUNIT_ASSERT_NOT_NULL(test, ld);
	tty_hangup(u->tty);
	expect_ended(test, &last, -ENODEV);
	tty_ldisc_deref(ld);
	flush_work(&u->tty->hangup_work);
	expect_gone(test, -ENODEV);
}

static void ldisc_replaced(struct kunit *test)
{
	struct last_requests last = submit_last(test);
	struct uart *u = test->priv;
	struct dxl_bus *bus;

	KUNIT_ASSERT_EQ(test, tty_set_ldisc(u->tty, N_TTY), 0);
	expect_ended(test, &last, -ESHUTDOWN);
	expect_gone(test, -ESHUTDOWN);

	bus = attach(test, u);
	KUNIT_EXPECT_PTR_NE(test, bus, u->line.bus);
	put_device(&bus->dev);
}

/* The line is in order, but nobody hears it any more. */
static void ldisc_closed(struct kunit *test)
{
	struct last_requests last = submit_last(test);

	close_tty(test->priv);
	expect_ended(test, &last, -ESHUTDOWN);
	expect_gone(test, -ESHUTDOWN);
}

static struct kunit_case ldisc_cases[] = {
	KUNIT_CASE(ldisc_exchange),
	KUNIT_CASE(ldisc_settings),
	KUNIT_CASE(ldisc_no_flags),
	KUNIT_CASE_PARAM(ldisc_byte_with_flag, line_error_gen_params),
	KUNIT_CASE_PARAM(ldisc_flag_between, line_error_gen_params),
	KUNIT_CASE_PARAM(ldisc_flag_beside, line_error_gen_params),
	KUNIT_CASE_PARAM(ldisc_flag_while_idle, line_error_gen_params),
	KUNIT_CASE(ldisc_partial_write),
	KUNIT_CASE(ldisc_write_takes_nothing),
	KUNIT_CASE(ldisc_write_fails),
	KUNIT_CASE(ldisc_hangup),
	KUNIT_CASE(ldisc_hangup_while_in_use),
	KUNIT_CASE(ldisc_replaced),
	KUNIT_CASE(ldisc_closed),
	{}
};

static struct kunit_suite ldisc_suite = {
	.name = "dxl_ldisc",
	.init = ldisc_test_init,
	.test_cases = ldisc_cases,
};

kunit_test_suite(ldisc_suite);
