/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As much of the kernel as the bus core's queue needs, in one thread: a clock
 * that the fuzzer moves, timers and work items that fire as it does, and locks
 * that check how they are used. The headers beside this one lead here.
 */
#ifndef NAOHW_FUZZ_KERNEL_H
#define NAOHW_FUZZ_KERNEL_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>

#include "../../fuzz.h"

/* --- language --- */

#define __must_hold(lock)
#define __acquires(lock)
#define __releases(lock)
#define smp_store_release(p, value) (*(p) = (value))
#define smp_load_acquire(p) (*(p))
#define smp_mb()		do { } while (0)
#define xchg(p, value) \
	({ __typeof__(*(p)) before = *(p); *(p) = (value); before; })
#define ARRAY_SIZE(a)		((int)(sizeof(a) / sizeof((a)[0])))

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define container_of_const	container_of

#define IS_ENABLED(option)	0
#define IS_ERR(ptr)		((unsigned long)(ptr) >= (unsigned long)-4095)
#define PTR_ERR(ptr)		((long)(ptr))

#define BITS_PER_BYTE 8

/* Sleeps are no subject here. */
struct dev_pm_ops {
	int unused;
};

/* There is one thread. */
typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

static inline s64 atomic64_read(const atomic64_t *v)
{
	return v->counter;
}

static inline void atomic64_set(atomic64_t *v, s64 value)
{
	v->counter = value;
}

static inline unsigned int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static inline void put_unaligned_le16(u16 value, u8 *p)
{
	p[0] = value & 0xff;
	p[1] = value >> 8;
}

static inline u16 get_unaligned_le16(const u8 *p)
{
	return p[0] | p[1] << 8;
}

/* --- memory --- */

#define GFP_KERNEL		0
#define GFP_ATOMIC		0
#define kmalloc(size, flags)	malloc(size)
#define kzalloc(size, flags)	calloc(1, size)
#define kcalloc(n, size, flags)	calloc(n, size)
#define kfree(p)		free(p)
#define __free(kind)		__attribute__((cleanup(fuzz_free)))

static inline void fuzz_free(void *p)
{
	free(*(void **)p);
}

/* --- lists --- */

struct list_head {
	struct list_head *next, *prev;
};

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline void fuzz_list_insert(struct list_head *node,
				    struct list_head *prev,
				    struct list_head *next)
{
	CHECK(prev->next == next && next->prev == prev);
	node->next = next;
	node->prev = prev;
	prev->next = node;
	next->prev = node;
}

static inline void list_add(struct list_head *node, struct list_head *head)
{
	fuzz_list_insert(node, head, head->next);
}

static inline void list_add_tail(struct list_head *node, struct list_head *head)
{
	fuzz_list_insert(node, head->prev, head);
}

static inline void list_del(struct list_head *node)
{
	CHECK(node->next && node->next->prev == node &&
	      node->prev->next == node);
	node->next->prev = node->prev;
	node->prev->next = node->next;
	node->next = NULL;
	node->prev = NULL;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(head, type, member) \
	list_entry((head)->next, type, member)
#define list_first_entry_or_null(head, type, member) \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))
#define list_for_each_entry(pos, head, member)				\
	for (pos = list_entry((head)->next, __typeof__(*pos), member);	\
	     &pos->member != (head);					\
	     pos = list_entry(pos->member.next, __typeof__(*pos), member))

/* --- locks --- */

typedef struct {
	bool held;
} spinlock_t;

struct mutex {
	bool held;
};

static inline void spin_lock_init(spinlock_t *lock)
{
	lock->held = false;
}

static inline void spin_lock_bh(spinlock_t *lock)
{
	CHECK(!lock->held);
	lock->held = true;
}

void fuzz_bottom_half(void);

static inline void spin_unlock_bh(spinlock_t *lock)
{
	CHECK(lock->held);
	lock->held = false;
	fuzz_bottom_half();
}

#define lockdep_assert_held(lock)	CHECK((lock)->held)
#define scoped_guard(kind, what)	if (1)

/* --- time --- */

#define KTIME_MAX		((s64)~(1ULL << 63))
#define HZ			100

typedef s64 ktime_t;

extern ktime_t fuzz_now;

static inline ktime_t ktime_get(void)
{
	return fuzz_now;
}

static inline ktime_t ktime_add_ns(ktime_t t, u64 ns)
{
	return t + (s64)ns;
}

static inline ktime_t ktime_add_us(ktime_t t, u64 us)
{
	return t + (s64)us * NSEC_PER_USEC;
}

static inline ktime_t ktime_add(ktime_t a, ktime_t b)
{
	return a + b;
}

static inline ktime_t ktime_sub(ktime_t a, ktime_t b)
{
	return a - b;
}

static inline s64 ktime_to_ns(ktime_t t)
{
	return t;
}

static inline bool ktime_after(ktime_t a, ktime_t b)
{
	return a > b;
}

static inline bool ktime_before(ktime_t a, ktime_t b)
{
	return a < b;
}

#define jiffies	((unsigned long)(ktime_get() / (NSEC_PER_SEC / HZ)))

static inline unsigned long usecs_to_jiffies(u64 us)
{
	return (us * HZ + 999999) / 1000000;
}

static inline unsigned long msecs_to_jiffies(u64 ms)
{
	return usecs_to_jiffies(ms * 1000);
}

static inline unsigned long nsecs_to_jiffies(u64 ns)
{
	return ns * HZ / NSEC_PER_SEC;
}

/* --- bitmaps --- */

#define BITS_PER_LONG (8 * sizeof(unsigned long))
#define DECLARE_BITMAP(name, bits) \
	unsigned long name[((bits) + BITS_PER_LONG - 1) / BITS_PER_LONG]

static inline bool __test_and_set_bit(unsigned int nr, unsigned long *map)
{
	unsigned long bit = 1UL << nr % BITS_PER_LONG;
	bool was = map[nr / BITS_PER_LONG] & bit;

	map[nr / BITS_PER_LONG] |= bit;

	return was;
}

/* --- timers --- */

enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };
enum hrtimer_mode { HRTIMER_MODE_ABS_HARD };

struct hrtimer {
	enum hrtimer_restart (*function)(struct hrtimer *timer);
	ktime_t expires;
	bool active;
};

#define hrtimer_setup(timer, fn, clock, mode) \
	(*(timer) = (struct hrtimer){ .function = (fn) })
#define CLOCK_MONOTONIC 1

void hrtimer_start(struct hrtimer *timer, ktime_t expires,
		   enum hrtimer_mode mode);

static inline ktime_t hrtimer_get_expires(const struct hrtimer *timer)
{
	return timer->expires;
}

static inline int hrtimer_cancel(struct hrtimer *timer)
{
	bool active = timer->active;

	timer->active = false;

	return active;
}

#define hrtimer_try_to_cancel hrtimer_cancel

/* --- threads: only with PREEMPT_RT --- */

struct kthread_worker {
	void *task;
};

struct kthread_work {
	bool queued;
};

#define kthread_init_work(work, fn) ((void)(fn), (work)->queued = false)
#define kthread_run_worker(flags, ...) ((struct kthread_worker *)NULL)
#define kthread_destroy_worker(worker) ((void)(worker))
#define kthread_queue_work(worker, work) ((void)(worker), (work)->queued = true)
#define kthread_cancel_work_sync(work) ((work)->queued = false)
#define kthread_flush_work(work) CHECK(!(work)->queued)
#define sched_set_fifo(task) ((void)(task))

/* --- tasklets: they run when a lock is released, or an interrupt is over --- */

struct tasklet_struct {
	void (*callback)(struct tasklet_struct *tasklet);
	bool scheduled;
	struct tasklet_struct *next;
};

#define tasklet_setup(tasklet, run) \
	(*(tasklet) = (struct tasklet_struct){ .callback = (run) })
void tasklet_schedule(struct tasklet_struct *tasklet);
#define tasklet_kill(tasklet) ((void)(tasklet))

/* --- work --- */

struct work_struct {
	void (*func)(struct work_struct *work);
	bool pending;
	bool disabled;
	ktime_t due;
	struct work_struct *next;
};

struct delayed_work {
	struct work_struct work;
};

struct workqueue_struct {
	int unused;
};

#define WQ_UNBOUND 0
#define WQ_FREEZABLE 0
#define INIT_WORK(w, f)		(*(w) = (struct work_struct){ .func = (f) })
#define INIT_DELAYED_WORK(d, f)	INIT_WORK(&(d)->work, f)
#define to_delayed_work(w)	container_of(w, struct delayed_work, work)

struct workqueue_struct *alloc_workqueue(const char *name, unsigned int flags,
					 int max);
void destroy_workqueue(struct workqueue_struct *wq);
bool fuzz_queue_work(struct work_struct *work, u64 delay_ns);
bool cancel_delayed_work_sync(struct delayed_work *work);
bool disable_delayed_work_sync(struct delayed_work *work);

static inline bool queue_work(struct workqueue_struct *wq,
			      struct work_struct *work)
{
	CHECK(wq);

	return fuzz_queue_work(work, 0);
}

static inline bool queue_delayed_work(struct workqueue_struct *wq,
				      struct delayed_work *work,
				      unsigned long delay)
{
	CHECK(wq);

	return fuzz_queue_work(&work->work, delay * (NSEC_PER_SEC / HZ));
}

static inline bool mod_delayed_work(struct workqueue_struct *wq,
				    struct delayed_work *work,
				    unsigned long delay)
{
	bool pending = cancel_delayed_work_sync(work);

	queue_delayed_work(wq, work, delay);

	return pending;
}

/* --- waiting: time goes on until it is over --- */

typedef struct {
	int unused;
} wait_queue_head_t;

struct completion {
	bool done;
};

bool fuzz_step(void);

#define init_waitqueue_head(wq)	((wq)->unused = 0)
#define wake_up(wq)		((void)(wq))
#define wait_event(wq, condition)					\
	do {								\
		while (!(condition))					\
			CHECK(fuzz_step());				\
	} while (0)

#define DECLARE_COMPLETION_ONSTACK(name) struct completion name = { false }

static inline void complete(struct completion *completion)
{
	completion->done = true;
}

static inline void wait_for_completion(struct completion *completion)
{
	wait_event(, completion->done);
}

/* --- devices --- */

struct kobject {
	int unused;
};

struct attribute {
	const char *name;
};

struct attribute_group {
	const char *name;
	struct attribute **attrs;
};

struct bus_type {
	const char *name;
};

struct device_type {
	const char *name;
};

struct device_driver {
	const char *name;
};

struct device {
	struct kobject kobj;
	struct device *parent;
	const struct device_type *type;
	struct device_driver *driver;
	void *drvdata;
	int references;
};

struct fwnode_handle;
struct dentry;
struct module;

struct device_attribute {
	struct attribute attr;
	ssize_t (*show)(struct device *dev, struct device_attribute *attr,
			char *buf);
};

struct dev_ext_attribute {
	struct device_attribute attr;
	void *var;
};

#define __ATTR(_name, mode, _show, _store) \
	{ .attr = { .name = #_name }, .show = (_show) }
#define DEVICE_ATTR_RO(_name) \
	struct device_attribute dev_attr_##_name = \
		__ATTR(_name, 0444, _name##_show, NULL)

#define sysfs_emit(buf, ...)	sprintf(buf, __VA_ARGS__)
#define sysfs_notify(kobj, dir, name) ((void)(kobj))
#define KOBJ_CHANGE		0
#define kobject_uevent_env(kobj, action, env) ((void)(env))
#define device_is_registered(dev) true

static inline void *dev_get_drvdata(const struct device *dev)
{
	return dev->drvdata;
}

static inline void dev_set_drvdata(struct device *dev, void *data)
{
	dev->drvdata = data;
}

static inline struct device *get_device(struct device *dev)
{
	dev->references++;

	return dev;
}

static inline void put_device(struct device *dev)
{
	CHECK(dev->references > 0);
	dev->references--;
}

int device_for_each_child(struct device *parent, void *data,
			  int (*fn)(struct device *dev, void *data));
struct device *device_find_child(struct device *parent, const void *data,
				 int (*match)(struct device *dev, const void *data));

#endif
