/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A serial line that exists only in memory, and devices on it.
 *
 * Time is the test's: deadlines are set so far away that none is met by a slow
 * machine, and fake_line_expire() lets the one that counts pass. So are the
 * times for which the queue leaves devices alone, and fake_line_rested().
 */
#ifndef _DXL_FAKE_LINE_H
#define _DXL_FAKE_LINE_H

#include <linux/completion.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <linux/dxl/bus.h>
#include <linux/dxl/transport.h>

/* How long a test waits for what must happen, in milliseconds. */
#define FAKE_PATIENCE_MS	5000

/* A deadline that no test lives to see, in microseconds. */
#define FAKE_NEVER_US		600000000

#define FAKE_TX_MAX		32768
#define FAKE_RX_MAX		16
#define FAKE_REQUESTS		1100
#define FAKE_DEVICES		8

struct fake_line;
struct kunit;

/**
 * struct fake_request - a transfer and what became of it
 * @xfer: the transfer
 * @reply: the answer to it, where it is to have one
 * @line: line it is for
 * @params: its parameters
 * @rx: the parameters of its answer
 * @done: completed with it
 * @completions: how often its complete() was called
 * @order: how many of the line's requests had been completed before
 * @then: called from its complete(), if not NULL
 * @context: for it
 */
struct fake_request {
	struct dxl_transfer xfer;
	struct dxl_reply reply;
	struct fake_line *line;
	u8 params[8];
	u8 rx[FAKE_RX_MAX];
	struct completion done;
	unsigned int completions;
	unsigned int order;
	void (*then)(struct fake_request *req);
	void *context;
};

/* That of a NAO's chest board. */
#define FAKE_TABLE_SIZE		8448

/**
 * struct fake_device - a device with a control table that anything may be
 *	written to
 * @id: its address
 * @protocol: protocol that it speaks
 * @status_level: what it answers, as its register says
 * @silent: it answers nothing
 * @frozen: it answers writes but does not do them
 * @error: error byte of its answers
 * @baud: rate at which it hears; 0 for any
 * @bauds: rates that its baud rate register stands for, or NULL
 * @reboots: how often it was told to reboot
 * @resets: how often it was told to go back to its factory settings
 * @reset_what: which of them, at last; 0 where the request did not say
 * @reset_ms: how long it hears nothing after that
 * @deaf_until: until when it hears nothing
 * @table: its control table
 */
struct fake_device {
	u8 id;
	enum dxl_protocol protocol;
	u8 status_level;
	bool silent;
	bool frozen;
	u8 error;
	u32 baud;
	const struct dxl_baud *bauds;
	unsigned int reboots;
	unsigned int resets;
	u8 reset_what;
	unsigned int reset_ms;
	ktime_t deaf_until;
	u8 table[FAKE_TABLE_SIZE];
};

/**
 * struct fake_line - a line and the bus on it
 * @name: name of @parent
 * @parent: device that stands for the UART
 * @bus: the bus
 * @added: dxl_bus_add() was called, and dxl_bus_remove() not yet
 * @baud: its rate
 * @baud_refused: a rate that it cannot do
 * @receive: brings to the bus what devices have put on the line
 * @respond: answers a request in the name of the devices; runs in a work item
 * @devices: devices for fake_line_respond()
 * @num_devices: their number
 * @requests: memory of fake_line_request()
 * @num_requests: how many of them are in use
 * @completed: how many of them were completed
 * @depth: how many complete() are being run at this moment
 * @depth_max: the most there were
 * @ddevs: devices for the requests to name
 * @lock: guards all that follows
 * @tx: the bytes written
 * @tx_len: their number
 * @seen: how many of them @respond has seen
 * @writes: how often write() took a packet
 * @handled: how many packets @respond has been given
 * @flushes: how often flush() was called
 * @refusal: if not 0, what write() returns
 * @refusal_once: the same for the next time alone
 * @written: woken by write()
 * @answer: work item that @respond is run by
 */
struct fake_line {
	char name[16];
	struct device *parent;
	struct dxl_bus *bus;
	bool added;
	u32 baud;
	u32 baud_refused;
	void (*receive)(struct fake_line *line, const u8 *data, size_t len);
	void (*respond)(struct fake_line *line,
			const struct dxl_packet *request);
	struct fake_device devices[FAKE_DEVICES];
	unsigned int num_devices;
	struct fake_request *requests;
	unsigned int num_requests;
	unsigned int completed;
	unsigned int depth;
	unsigned int depth_max;
	struct dxl_device ddevs[FAKE_DEVICES];
	spinlock_t lock; /* nests in the queue's lock */
	u8 *tx;
	size_t tx_len;
	size_t seen;
	unsigned int writes;
	unsigned int handled;
	unsigned int flushes;
	int refusal;
	int refusal_once;
	wait_queue_head_t written;
	struct work_struct answer;
};

void fake_line_init(struct kunit *test, struct fake_line *line, u32 baud);
void fake_line_set_bus(struct fake_line *line, struct dxl_bus *bus);
int fake_line_take(struct fake_line *line, const u8 *data, size_t len);
void fake_line_flush(struct fake_line *line);

struct fake_line *fake_line_create(struct kunit *test, u32 baud,
				   struct fwnode_handle *fwnode);
void fake_line_add(struct kunit *test, struct fake_line *line);
void fake_line_remove(struct fake_line *line);

u64 fake_line_stat(struct fake_line *line, enum dxl_stat stat);
u64 fake_device_stat(struct dxl_device *ddev, enum dxl_stat stat);
void fake_line_set_margin(struct fake_line *line, u32 margin_us);
void fake_line_expire(struct fake_line *line);
void fake_line_rested(struct fake_line *line);
void fake_line_give_up(struct fake_line *line);
bool fake_line_wait_writes(struct fake_line *line, unsigned int writes);
bool fake_line_wait_pending(struct fake_line *line, enum dxl_priority priority);
void fake_line_forget(struct fake_line *line);
bool fake_line_wrote(struct fake_line *line, const u8 *bytes, size_t len);

#define FAKE_LINE_WROTE(line, ...)					\
	fake_line_wrote(line, (const u8[]){ __VA_ARGS__ },		\
			sizeof((const u8[]){ __VA_ARGS__ }))
#define FAKE_LINE_RECEIVE(line, ...)					\
	fake_line_receive(line, (const u8[]){ __VA_ARGS__ },		\
			  sizeof((const u8[]){ __VA_ARGS__ }))

void fake_line_receive(struct fake_line *line, const u8 *data, size_t len);
int fake_line_send(struct fake_line *line, const struct dxl_packet *packet);
void fake_line_status(struct fake_line *line, enum dxl_protocol protocol, u8 id,
		      u8 error, const u8 *params, u16 len);
void fake_line_respond(struct fake_line *line,
		       const struct dxl_packet *request);
struct fake_device *fake_line_device(struct fake_line *line, u8 id,
				     enum dxl_protocol protocol);

struct fake_request *fake_line_request(struct fake_line *line);
struct fake_request *fake_line_read(struct fake_line *line, u8 id, u16 addr,
				    u16 len);
struct fake_request *fake_line_read2(struct fake_line *line, u8 id, u16 addr,
				     u16 len);
int fake_request_submit(struct fake_request *req);
bool fake_request_pending(struct fake_request *req);
int fake_request_result(struct fake_request *req);

#endif /* _DXL_FAKE_LINE_H */
