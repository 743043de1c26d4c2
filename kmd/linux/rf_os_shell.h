/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Types of rf_os.h in the Linux kernel. */
#ifndef RF_OS_SHELL_H
#define RF_OS_SHELL_H

#include <linux/completion.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/ratelimit_types.h>

#include <linux/nospec.h>
#include <linux/spinlock.h>

struct device;

/**
 * struct rf_os - the host of one device
 * @dev: device in the prefix of log lines
 * @errors: rate of rf_log_error()
 * @user: rate of lines that user mode can cause
 */
struct rf_os {
	struct device *dev;
	struct ratelimit_state errors;
	struct ratelimit_state user;
};

/* Before the first line is logged. */
void rf_os_init(struct rf_os *os, struct device *dev);

struct rf_mutex {
	struct mutex mutex;
};

struct rf_spinlock {
	spinlock_t lock;
};

struct rf_completion {
	struct completion completion;
};

/* Macros, since lockdep makes one lock class for each place of initialisation. */
#define rf_mutex_init(lock) mutex_init(&(lock)->mutex)
#define rf_spin_init(spinlock, os) spin_lock_init(&(spinlock)->lock)

static inline void rf_mutex_assert_held(const struct rf_mutex *mutex)
{
	lockdep_assert_held(&mutex->mutex);
}

static inline void rf_spin_assert_held(const struct rf_spinlock *spinlock)
{
	lockdep_assert_held(&spinlock->lock);
}

/* The hosted shell counts what is done with interrupts off. */
#define rf_count_round() ((void)0)

#define rf_index_nospec(index, size) array_index_nospec(index, size)

#endif /* RF_OS_SHELL_H */
