// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamixel bus on any tty, as a line discipline
 *
 * serdev serves UARTs that a firmware describes. This serves the rest: adapters
 * on USB, ports of a PC, pseudo terminals. The number is N_DEVELOPMENT, which
 * the kernel keeps for disciplines outside its tree.
 *
 * Life. The bus comes with open() and has no devices then: nothing is received
 * before open() has returned, as the tty layer holds @ldisc_sem. It goes
 *
 * - by the ioctl DXLIOC_DETACH, with the line in order: drivers still reach
 *   their devices and hear their answers;
 * - by the last close of a serial port, in flush_buffer(), which the tty layer
 *   calls just before the port is shut down. What drivers send then still goes
 *   out, for instance to switch torque off, but no answer is received, since
 *   the caller holds the lock of the receive buffer. Each costs its time-out;
 * - by close() where another discipline is set, with the line in order, but again
 *   with no answers, as the caller keeps the tty layer from handing over any;
 * - by hangup(), or close() with the line gone: disconnected first, so that
 *   everybody who waits for the bus comes back at once.
 *
 * Whichever is first. Afterwards the tty is not touched any more, and bytes are
 * dropped, until close() gives the bus back.
 *
 * Locks. @lock makes the removal happen once. It nests inside the tty's own
 * locks and outside all those of the bus, and nothing that a removal waits for
 * takes it. hangup() therefore disconnects without it: a detach that waits for
 * answers ends by that.
 *
 * Contexts. write() runs under the queue's lock with soft interrupts off.
 * A pseudo terminal's bytes take a work item from one end to the other, so that
 * what is written there is never received from within write().
 */
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/compat.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>
#include <linux/tty_flip.h>
#include <linux/tty_ldisc.h>
#include <linux/uaccess.h>

#include <linux/dxl/bus.h>
#include <linux/dxl/transport.h>
#include <uapi/linux/dxl.h>

#include "line.h"

static_assert(DXL_LDISC == N_DEVELOPMENT);

/* More than a tty has to hand over in one piece. */
#define RECEIVE_ROOM	65536

/**
 * struct dxl_ldisc - a tty with a bus on it
 * @tty: the tty
 * @bus: the bus
 * @lock: guards @removed
 * @removed: the bus is no longer known, and will not use the tty any more
 * @baud: the rate that we have set last
 */
struct dxl_ldisc {
	struct tty_struct *tty;
	struct dxl_bus *bus;
	struct mutex lock; /* see above */
	bool removed;
	u32 baud;
};

/* --- the line --- */

static int dxl_ldisc_write(struct dxl_bus *bus, const u8 *data, size_t len)
{
	struct dxl_ldisc *ld = dxl_bus_priv(bus);
	struct tty_struct *tty = ld->tty;

	if (tty_io_error(tty))
		return -EIO;

	return tty->ops->write(tty, data, len);
}

/*
 * What a pseudo terminal has taken is at its other end already, and its driver
 * sleeps in flush_buffer().
 */
static void dxl_ldisc_flush(struct dxl_bus *bus)
{
	struct dxl_ldisc *ld = dxl_bus_priv(bus);

	if (ld->tty->driver->type != TTY_DRIVER_TYPE_PTY)
		tty_driver_flush_buffer(ld->tty);
}

/*
 * Nothing is to come between the bus and the wire: eight bits, no parity, no
 * flow control, and no pause that flow control has left behind. Damaged bytes
 * and breaks are to be told of as such, which drivers do for those who ask by
 * INPCK and BRKINT.
 */
static void set_line(struct tty_struct *tty, u32 baud)
{
	struct ktermios termios;

	down_read(&tty->termios_rwsem);
	termios = tty->termios;
	up_read(&tty->termios_rwsem);

	termios.c_iflag = INPCK | BRKINT;
	termios.c_oflag = 0;
	termios.c_lflag = 0;
	termios.c_cflag &= ~(CSIZE | CSTOPB | PARENB | PARODD | CMSPAR |
			     CRTSCTS);
	termios.c_cflag |= CS8 | CREAD | CLOCAL;
	tty_termios_encode_baud_rate(&termios, baud, baud);
	tty_set_termios(tty, &termios);
	start_tty(tty);
	tty_unthrottle(tty);
}

/* Drivers write down the rate that they have reached. */
static u32 line_baud(struct tty_struct *tty)
{
	guard(rwsem_read)(&tty->termios_rwsem);

	return tty_termios_baud_rate(&tty->termios);
}

static int dxl_ldisc_set_baud(struct dxl_bus *bus, u32 baud)
{
	struct dxl_ldisc *ld = dxl_bus_priv(bus);
	u32 reached;

	/* What an adapter still holds would leave at the new rate. */
	tty_wait_until_sent(ld->tty, HZ);
	WRITE_ONCE(ld->baud, baud);
	set_line(ld->tty, baud);
	reached = line_baud(ld->tty);
	if (dxl_baud_fits(reached, baud))
		return 0;

	dev_err(dxl_bus_dev(bus), "the tty cannot do %u baud, nearest is %u\n",
		baud, reached);

	return -EINVAL;
}

static const struct dxl_transport_ops dxl_ldisc_transport = {
	.write = dxl_ldisc_write,
	.flush = dxl_ldisc_flush,
	.set_baud = dxl_ldisc_set_baud,
};

/* The number of bytes up to the first that did not arrive well. */
static size_t good_bytes(const u8 *flags, size_t count)
{
	size_t i;

	if (!flags)
		return count;
	for (i = 0; i < count; i++)
		if (flags[i] != TTY_NORMAL)
			break;

	return i;
}

/*
 * A byte with a flag is none that a device has sent: a break or an overrun
 * stands for itself, and one with a framing error is known to be wrong, which is
 * more than a checksum of eight bits could tell.
 */
static void dxl_ldisc_receive(struct tty_struct *tty, const u8 *data,
			      const u8 *flags, size_t count)
{
	struct dxl_ldisc *ld = tty->disc_data;
	size_t done, good;

	for (done = 0; done < count; done += good) {
		good = good_bytes(flags ? flags + done : NULL, count - done);
		if (good) {
			dxl_bus_receive(ld->bus, data + done, good);
		} else {
			dxl_bus_line_error(ld->bus);
			good = 1;
		}
	}
}

/* --- life --- */

static void remove_bus(struct dxl_ldisc *ld)
{
	guard(mutex)(&ld->lock);

	if (ld->removed)
		return;

	dxl_bus_remove(ld->bus);
	dxl_bus_disconnect(ld->bus);
	ld->removed = true;
}

/* The end of a pseudo terminal that stands for the wire: it has no settings. */
static bool is_pty_master(const struct tty_struct *tty)
{
	return tty->driver->type == TTY_DRIVER_TYPE_PTY &&
	       tty->driver->subtype == PTY_TYPE_MASTER;
}

static int dxl_ldisc_open(struct tty_struct *tty)
{
	u32 baud = line_baud(tty);
	struct dxl_ldisc *ld;
	int ret;

	/* As serport does, which makes kernel devices from a tty, too. */
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!tty->ops->write || is_pty_master(tty))
		return -EOPNOTSUPP;

	ld = kzalloc(sizeof(*ld), GFP_KERNEL);
	if (!ld)
		return -ENOMEM;

	ld->tty = tty;
	ld->baud = baud;
	mutex_init(&ld->lock);
	ld->bus = dxl_bus_alloc(tty->dev, &dxl_ldisc_transport, ld, baud);
	if (IS_ERR(ld->bus)) {
		ret = PTR_ERR(ld->bus);
		goto err_free;
	}

	set_line(tty, baud);
	tty->receive_room = RECEIVE_ROOM;
	tty->disc_data = ld;

	ret = dxl_bus_add(ld->bus);
	if (ret)
		goto err_put;

	return 0;

err_put:
	tty->disc_data = NULL;
	dxl_bus_disconnect(ld->bus);
	dxl_bus_put(ld->bus);
err_free:
	mutex_destroy(&ld->lock);
	kfree(ld);

	return ret;
}

static void dxl_ldisc_hangup(struct tty_struct *tty)
{
	struct dxl_ldisc *ld = tty->disc_data;

	dxl_bus_disconnect(ld->bus);
}

static void dxl_ldisc_flush_buffer(struct tty_struct *tty)
{
	if (tty->closing && !test_bit(TTY_HUPPING, &tty->flags))
		remove_bus(tty->disc_data);
}

static void dxl_ldisc_close(struct tty_struct *tty)
{
	struct dxl_ldisc *ld = tty->disc_data;

	if (tty_io_error(tty))
		dxl_bus_disconnect(ld->bus);
	remove_bus(ld);
	tty->disc_data = NULL;
	dxl_bus_put(ld->bus);
	mutex_destroy(&ld->lock);
	kfree(ld);
}

/* --- users --- */

static int bus_number(struct dxl_ldisc *ld, u32 __user *to)
{
	guard(mutex)(&ld->lock);

	if (ld->removed)
		return -ENODEV;

	return put_user(dxl_bus_nr(ld->bus), to);
}

/*
 * Settings may be read but not changed, as the bus computes with them.
 */
static int dxl_ldisc_ioctl(struct tty_struct *tty, unsigned int cmd,
			   unsigned long arg)
{
	struct dxl_ldisc *ld = tty->disc_data;

	switch (cmd) {
	case DXLIOC_BUS:
		return bus_number(ld, (u32 __user *)arg);
	case DXLIOC_DETACH:
		if (!capable(CAP_SYS_ADMIN))
			return -EPERM;
		remove_bus(ld);
		return 0;
	case TCGETS:
#ifdef TCGETS2
	case TCGETS2:
#endif
		return tty_mode_ioctl(tty, cmd, arg);
	default:
		return -ENOIOCTLCMD;
	}
}

#ifdef CONFIG_COMPAT
static int dxl_ldisc_compat_ioctl(struct tty_struct *tty, unsigned int cmd,
				  unsigned long arg)
{
	return dxl_ldisc_ioctl(tty, cmd, (unsigned long)compat_ptr(arg));
}
#endif

/*
 * The other end of a pseudo terminal may set this end's rate, and there is no
 * way to refuse.
 */
static void dxl_ldisc_set_termios(struct tty_struct *tty,
				  const struct ktermios *old)
{
	struct dxl_ldisc *ld = tty->disc_data;

	if (tty->termios.c_ospeed != old->c_ospeed &&
	    tty->termios.c_ospeed != READ_ONCE(ld->baud))
		dev_info(dxl_bus_dev(ld->bus), "line is at %u baud now\n",
			 tty->termios.c_ospeed);
}

/* Readable never, but whoever holds the tty wants to know when it has gone. */
static __poll_t dxl_ldisc_poll(struct tty_struct *tty, struct file *file,
			       poll_table *wait)
{
	poll_wait(file, &tty->read_wait, wait);

	if (tty_hung_up_p(file) || test_bit(TTY_OTHER_CLOSED, &tty->flags))
		return EPOLLHUP;

	return 0;
}

static struct tty_ldisc_ops dxl_ldisc_ops = {
	.owner = THIS_MODULE,
	.num = N_DEVELOPMENT,
	.name = "dxl",
	.open = dxl_ldisc_open,
	.close = dxl_ldisc_close,
	.hangup = dxl_ldisc_hangup,
	.flush_buffer = dxl_ldisc_flush_buffer,
	.receive_buf = dxl_ldisc_receive,
	.ioctl = dxl_ldisc_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl = dxl_ldisc_compat_ioctl,
#endif
	.set_termios = dxl_ldisc_set_termios,
	.poll = dxl_ldisc_poll,
};

static int __init dxl_ldisc_init(void)
{
	return tty_register_ldisc(&dxl_ldisc_ops);
}
module_init(dxl_ldisc_init);

static void __exit dxl_ldisc_exit(void)
{
	tty_unregister_ldisc(&dxl_ldisc_ops);
}
module_exit(dxl_ldisc_exit);

MODULE_DESCRIPTION("Dynamixel bus on a tty");
MODULE_LICENSE("GPL");
MODULE_ALIAS_LDISC(N_DEVELOPMENT);
MODULE_IMPORT_NS("DXL");
