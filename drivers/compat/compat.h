/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is different in older kernels; all else is written for 7.3
 *
 * Kbuild includes this before every file. The headers that older kernels do not
 * have are beside it, in linux/, and are looked for there last.
 *
 * A callback whose type has changed is a macro here with the name of the function:
 * where that is defined, it puts another one before it that has the old type.
 */
#ifndef _DXL_COMPAT_H
#define _DXL_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)

#include <linux/workqueue.h>

/* Since 6.17 the system's workqueues say which processors they are for. */
#define system_percpu_wq system_wq
#define system_dfl_wq system_unbound_wq

#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)

#include <linux/device.h>
#include <linux/kthread.h>

/* Since 6.14 a worker that has been created does not run yet. */
#define kthread_run_worker kthread_create_worker

/* Since 6.14 a child is looked for with const data. */
struct dxl_compat_search {
	const void *data;
	int (*match)(struct device *dev, const void *data);
};

static inline int dxl_compat_match(struct device *dev, void *data)
{
	const struct dxl_compat_search *search = data;

	return search->match(dev, search->data);
}

static inline struct device *
dxl_compat_find_child(struct device *parent, const void *data,
		      int (*match)(struct device *dev, const void *data))
{
	struct dxl_compat_search search = { data, match };

	return device_find_child(parent, &search, dxl_compat_match);
}

#define device_find_child dxl_compat_find_child

#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)

#include <linux/export.h>
#include <linux/hrtimer.h>
#include <linux/module.h>

/* Since 6.13 a namespace of symbols is a string. */
#undef MODULE_IMPORT_NS
#define MODULE_IMPORT_NS(ns) MODULE_INFO(import_ns, ns)
#undef EXPORT_SYMBOL_NS_GPL
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define EXPORT_SYMBOL_NS_GPL(sym, ns) __EXPORT_SYMBOL(sym, "_gpl", ns)
#else
#define EXPORT_SYMBOL_NS_GPL(sym, ns) __EXPORT_SYMBOL(sym, "GPL", ns)
#endif

/* Since 6.13. */
#define hrtimer_setup dxl_compat_hrtimer_setup
static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *),
	      clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}

#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0) || \
	LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#error Of the kernels before 6.12 only 6.1 is known here
#endif

#include <linux/list.h>
#include <linux/of_device.h>
#include <linux/property.h>

struct serdev_device;
struct tty_struct;

/* Since 6.2 properties are read of a const device. */
#define device_property_read_string(dev, name, value)			\
	device_property_read_string((struct device *)(dev), name, value)

/* Since 6.3 a uevent is of a const device. */
#define of_device_uevent_modalias(dev, env)				\
	of_device_uevent_modalias((struct device *)(dev), env)
#define dxl_device_uevent(...)						\
	dxl_device_uevent_const(__VA_ARGS__);				\
	static int dxl_device_uevent(struct device *dev,		\
				     struct kobj_uevent_env *env)	\
	{								\
		return dxl_device_uevent_const(dev, env);		\
	}								\
	static int dxl_device_uevent_const(__VA_ARGS__)

/* Since 6.3, and in a later one of 6.1, beside which ours must not be. */
#define list_count_nodes dxl_list_count_nodes
static inline size_t list_count_nodes(struct list_head *head)
{
	struct list_head *node;
	size_t count = 0;

	list_for_each(node, head)
		count++;

	return count;
}

/* Since 6.3 struct nvmem_cell_info is the providers'. */
#include <linux/nvmem-consumer.h>

/* Since 6.4 the driver core does not write to a bus type. */
#define const_bus_type struct bus_type

/* Since 6.5. */
#define device_is_compatible(dev, compatible)				\
	(device_property_match_string((struct device *)(dev),		\
				      "compatible", compatible) >= 0)

/* Since 6.6. */
#define abs_diff(a, b) ({						\
	typeof(a) __a = (a);						\
	typeof(b) __b = (b);						\
	__a > __b ? __a - __b : __b - __a;				\
})

/* Since 6.6 what a tty has received are u8, flags too, and a size_t of them. */
#define dxl_ldisc_receive(...)						\
	dxl_ldisc_receive_u8(__VA_ARGS__);				\
	static void dxl_ldisc_receive(struct tty_struct *tty,		\
				      const unsigned char *data,	\
				      const char *flags, int count)	\
	{								\
		dxl_ldisc_receive_u8(tty, data, flags, count);		\
	}								\
	static void dxl_ldisc_receive_u8(__VA_ARGS__)

/* Since 6.8. */
DEFINE_GUARD(device, struct device *, device_lock(_T), device_unlock(_T))

/* Since 6.9 a serdev's client has taken a size_t of bytes. */
#define dxl_serdev_receive(...)						\
	dxl_serdev_receive_size(__VA_ARGS__);				\
	static int dxl_serdev_receive(struct serdev_device *serdev,	\
				      const unsigned char *data,	\
				      size_t len)			\
	{								\
		return dxl_serdev_receive_size(serdev, data, len);	\
	}								\
	static size_t dxl_serdev_receive_size(__VA_ARGS__)

/*
 * Since 6.10. Here nothing is ever enabled again: what is taken for pending, and
 * for being cancelled, is not queued any more. It cannot be cancelled either.
 */
static inline bool dxl_compat_keep_out(struct work_struct *work)
{
	long old = atomic_long_read(&work->data);

	/* In one step from what being cancelled has left: who meets half of it spins. */
	return old == WORK_STRUCT_NO_POOL &&
	       atomic_long_cmpxchg(&work->data, old,
				   old | WORK_STRUCT_PENDING |
				   WORK_OFFQ_CANCELING) == old;
}

static inline bool disable_work_sync(struct work_struct *work)
{
	bool pending = false;

	do {
		pending |= cancel_work_sync(work);
	} while (!dxl_compat_keep_out(work));

	return pending;
}

static inline bool disable_delayed_work_sync(struct delayed_work *work)
{
	bool pending = false;

	do {
		pending |= cancel_delayed_work_sync(work);
	} while (!dxl_compat_keep_out(&work->work));

	return pending;
}

/* Since 6.11 a driver is const where it is matched. */
#define dxl_match(...)							\
	dxl_match_const(__VA_ARGS__);					\
	static int dxl_match(struct device *dev,			\
			     struct device_driver *drv)			\
	{								\
		return dxl_match_const(dev, drv);			\
	}								\
	static int dxl_match_const(__VA_ARGS__)

/* Since 6.12. */
#define iio_get_masklength(indio_dev) ((indio_dev)->masklength)
#define iio_for_each_active_channel(indio_dev, chan)			\
	for_each_set_bit(chan, (indio_dev)->active_scan_mask,		\
			 iio_get_masklength(indio_dev))

#endif
#endif
