// SPDX-License-Identifier: GPL-2.0
/*
 * A UART with a device-tree node, and overlays for the machine that runs
 *
 * The serial lines of UML cannot be serdev's, and nothing in a kernel loads overlays for
 * user space. Here is a platform device "dxl-uart", to be bound and unbound as any, whose
 * other end is /dev/dxl-uart: what is read there is what the UART has sent. Its
 * node has the path of the UART in QEMU's machine "virt", so that the overlays of that
 * fit. In debugfs, what is written to dxl_overlays/apply at once is applied; a write to
 * dxl_overlays/remove removes what was applied last.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/kfifo.h>
#include <linux/minmax.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/serdev.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "fake_tree.h"

#define FIFO_SIZE		4096
#define CHUNK			256
#define OVERLAY_SIZE_MAX	SZ_64K
#define OVERLAYS_MAX		8

/* --- the line --- */

static DEFINE_KFIFO(sent, u8, FIFO_SIZE);
static DEFINE_SPINLOCK(sent_lock);
static DECLARE_WAIT_QUEUE_HEAD(sent_wait);

/* Whose bytes are received; not while nobody has it open. */
static struct serdev_controller *receiver;
static DEFINE_MUTEX(receiver_lock);

static ssize_t uart_write_buf(struct serdev_controller *ctrl, const u8 *data,
			      size_t len)
{
	unsigned int done;

	done = kfifo_in_spinlocked(&sent, data, len, &sent_lock);
	wake_up(&sent_wait);

	return done;
}

static void uart_write_flush(struct serdev_controller *ctrl)
{
	spin_lock_bh(&sent_lock);
	kfifo_reset(&sent);
	spin_unlock_bh(&sent_lock);
}

static int uart_write_room(struct serdev_controller *ctrl)
{
	return kfifo_avail(&sent);
}

static void set_receiver(struct serdev_controller *ctrl)
{
	mutex_lock(&receiver_lock);
	receiver = ctrl;
	mutex_unlock(&receiver_lock);
}

static int uart_open(struct serdev_controller *ctrl)
{
	set_receiver(ctrl);

	return 0;
}

static void uart_close(struct serdev_controller *ctrl)
{
	set_receiver(NULL);
}

static int uart_set_parity(struct serdev_controller *ctrl,
			   enum serdev_parity parity)
{
	return 0;
}

static void uart_set_flow_control(struct serdev_controller *ctrl, bool enable)
{
}

static unsigned int uart_set_baudrate(struct serdev_controller *ctrl,
				      unsigned int rate)
{
	return rate;
}

static void uart_wait_until_sent(struct serdev_controller *ctrl, long timeout)
{
}

static const struct serdev_controller_ops uart_ops = {
	.write_buf = uart_write_buf,
	.write_flush = uart_write_flush,
	.write_room = uart_write_room,
	.open = uart_open,
	.close = uart_close,
	.set_flow_control = uart_set_flow_control,
	.set_parity = uart_set_parity,
	.set_baudrate = uart_set_baudrate,
	.wait_until_sent = uart_wait_until_sent,
};

static int uart_probe(struct platform_device *pdev)
{
	struct serdev_controller *ctrl;
	int ret;

	ctrl = serdev_controller_alloc(&pdev->dev, &pdev->dev, 0);
	if (!ctrl)
		return -ENOMEM;

	ctrl->ops = &uart_ops;
	ret = serdev_controller_add(ctrl);
	if (ret) {
		serdev_controller_put(ctrl);
		return ret;
	}
	platform_set_drvdata(pdev, ctrl);

	return 0;
}

static void uart_remove(struct platform_device *pdev)
{
	struct serdev_controller *ctrl = platform_get_drvdata(pdev);

	serdev_controller_remove(ctrl);
	serdev_controller_put(ctrl);
}

static struct platform_driver uart_driver = {
	.driver.name = "dxl-uart",
	.probe = uart_probe,
	.remove_new = uart_remove,
};

/* --- its other end --- */

static size_t take_sent(u8 *data, size_t len)
{
	size_t done;

	spin_lock_bh(&sent_lock);
	done = kfifo_out(&sent, data, len);
	spin_unlock_bh(&sent_lock);

	return done;
}

static ssize_t end_read(struct file *file, char __user *to, size_t len,
			loff_t *pos)
{
	u8 data[CHUNK];
	size_t done;
	int ret;

	while (!(done = take_sent(data, min(len, sizeof(data))))) {
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(sent_wait,
					       !kfifo_is_empty(&sent));
		if (ret)
			return ret;
	}

	return copy_to_user(to, data, done) ? -EFAULT : done;
}

/* What nobody receives is lost, as it is on a wire. */
static ssize_t end_write(struct file *file, const char __user *from, size_t len,
			 loff_t *pos)
{
	u8 data[CHUNK];

	len = min(len, sizeof(data));
	if (copy_from_user(data, from, len))
		return -EFAULT;

	mutex_lock(&receiver_lock);
	if (receiver)
		serdev_controller_receive_buf(receiver, data, len);
	mutex_unlock(&receiver_lock);

	return len;
}

static __poll_t end_poll(struct file *file, poll_table *wait)
{
	poll_wait(file, &sent_wait, wait);

	return EPOLLOUT | EPOLLWRNORM |
	       (kfifo_is_empty(&sent) ? 0 : EPOLLIN | EPOLLRDNORM);
}

static const struct file_operations end_fops = {
	.owner = THIS_MODULE,
	.read = end_read,
	.write = end_write,
	.poll = end_poll,
};

static struct miscdevice end_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "dxl-uart",
	.fops = &end_fops,
};

/* --- overlays --- */

static int overlays[OVERLAYS_MAX];
static int overlay_count;
static DEFINE_MUTEX(overlays_lock);

static int apply(const void *blob, size_t size)
{
	int ret = -ENOSPC;

	mutex_lock(&overlays_lock);
	if (overlay_count < OVERLAYS_MAX)
		ret = of_overlay_fdt_apply(blob, size, &overlays[overlay_count],
					   NULL);
	if (!ret)
		overlay_count++;
	mutex_unlock(&overlays_lock);

	return ret;
}

static int remove_last(void)
{
	int ret = -ENOENT;

	mutex_lock(&overlays_lock);
	if (overlay_count)
		ret = of_overlay_remove(&overlays[overlay_count - 1]);
	if (!ret)
		overlay_count--;
	mutex_unlock(&overlays_lock);

	return ret;
}

static ssize_t apply_write(struct file *file, const char __user *from,
			   size_t len, loff_t *pos)
{
	void *blob;
	int ret;

	if (len > OVERLAY_SIZE_MAX)
		return -EFBIG;

	blob = memdup_user(from, len);
	if (IS_ERR(blob))
		return PTR_ERR(blob);

	ret = apply(blob, len);
	kfree(blob);

	return ret ?: len;
}

static ssize_t remove_write(struct file *file, const char __user *from,
			    size_t len, loff_t *pos)
{
	return remove_last() ?: len;
}

static const struct file_operations apply_fops = {
	.owner = THIS_MODULE,
	.write = apply_write,
};

static const struct file_operations remove_fops = {
	.owner = THIS_MODULE,
	.write = remove_write,
};

/* --- all of it --- */

static struct platform_device *uart;
static struct dentry *dir;

static struct platform_device *add_uart(void)
{
	struct platform_device_info info = {
		.name = "dxl-uart",
		.id = PLATFORM_DEVID_NONE,
	};
	struct device_node *np;
	struct platform_device *pdev;

	np = of_find_node_by_path("/pl011@9000000");
	if (!np)
		return ERR_PTR(-ENOENT);

	info.fwnode = of_fwnode_handle(np);
	pdev = platform_device_register_full(&info);
	of_node_put(np);

	return pdev;
}

static int __init uart_init(void)
{
	int ret;

	ret = apply(__dtbo_fake_uart_begin,
		    __dtbo_fake_uart_end - __dtbo_fake_uart_begin);
	if (ret)
		return ret;

	uart = add_uart();
	if (IS_ERR(uart)) {
		ret = PTR_ERR(uart);
		goto err_overlay;
	}
	ret = platform_driver_register(&uart_driver);
	if (ret)
		goto err_uart;
	ret = misc_register(&end_device);
	if (ret)
		goto err_driver;

	dir = debugfs_create_dir("dxl_overlays", NULL);
	debugfs_create_file("apply", 0200, dir, NULL, &apply_fops);
	debugfs_create_file("remove", 0200, dir, NULL, &remove_fops);

	return 0;

err_driver:
	platform_driver_unregister(&uart_driver);
err_uart:
	platform_device_unregister(uart);
err_overlay:
	remove_last();

	return ret;
}

static void __exit uart_exit(void)
{
	debugfs_remove(dir);
	misc_deregister(&end_device);
	platform_driver_unregister(&uart_driver);
	platform_device_unregister(uart);
	while (!remove_last())
		;
}

module_init(uart_init);
module_exit(uart_exit);

MODULE_DESCRIPTION("UART with a device-tree node, for tests");
MODULE_LICENSE("GPL");
