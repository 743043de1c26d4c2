// SPDX-License-Identifier: GPL-2.0 OR MIT
/* rf_os.h in the Linux kernel. */
#include <linux/delay.h>
#include <linux/dev_printk.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/ratelimit.h>
#include <linux/slab.h>

#include "rf_os.h"

void *rf_alloc(size_t bytes)
{
	return kvzalloc(bytes, GFP_KERNEL_ACCOUNT);
}

void rf_free(void *memory)
{
	kvfree(memory);
}

void rf_mutex_destroy(struct rf_mutex *mutex)
{
	mutex_destroy(&mutex->mutex);
}

void rf_mutex_lock(struct rf_mutex *mutex)
{
	mutex_lock(&mutex->mutex);
}

int rf_mutex_lock_killable(struct rf_mutex *mutex)
{
	return mutex_lock_killable(&mutex->mutex);
}

void rf_mutex_unlock(struct rf_mutex *mutex)
{
	mutex_unlock(&mutex->mutex);
}

void rf_spin_destroy(struct rf_spinlock *lock) {}

unsigned long rf_spin_lock(struct rf_spinlock *lock) __acquires(&lock->lock)
{
	unsigned long flags;

	spin_lock_irqsave(&lock->lock, flags);
	return flags;
}

void rf_spin_unlock(struct rf_spinlock *lock, unsigned long flags) __releases(&lock->lock)
{
	spin_unlock_irqrestore(&lock->lock, flags);
}

u64 rf_time(void)
{
	return ktime_get_ns();
}

void rf_completion_init(struct rf_completion *completion, struct rf_os *os)
{
	init_completion(&completion->completion);
}

void rf_completion_destroy(struct rf_completion *completion) {}

void rf_completion_complete(struct rf_completion *completion)
{
	complete_all(&completion->completion);
}

void rf_completion_reset(struct rf_completion *completion)
{
	reinit_completion(&completion->completion);
}

/* In jiffies; 0 if it is past. */
static unsigned long rf_time_left(u64 deadline)
{
	u64 now = rf_time();

	if (deadline == RF_TIME_NEVER)
		return MAX_SCHEDULE_TIMEOUT;
	if (deadline <= now)
		return 0;
	return min_t(u64, nsecs_to_jiffies64(deadline - now) + 1, MAX_SCHEDULE_TIMEOUT - 1);
}

int rf_completion_wait(struct rf_completion *completion, u64 deadline)
{
	return wait_for_completion_timeout(&completion->completion, rf_time_left(deadline))
		       ? 0
		       : -ETIMEDOUT;
}

int rf_completion_wait_interruptible(struct rf_completion *completion, u64 deadline)
{
	long left = rf_time_left(deadline);

	if (!left) /* a poll is not interrupted */
		return completion_done(&completion->completion) ? 0 : -ETIMEDOUT;
	left = wait_for_completion_interruptible_timeout(&completion->completion, left);
	if (left < 0)
		return -EINTR;
	return left ? 0 : -ETIMEDOUT;
}

void rf_sleep(struct rf_os *os, u64 nanoseconds)
{
	unsigned long us = max_t(u64, div_u64(nanoseconds, 1000), 1);

	usleep_range(us, 2 * us);
}

u64 rf_random(void)
{
	u64 number;

	do {
		number = get_random_u64();
	} while (!number);
	return number;
}

u64 rf_memory_bytes(void)
{
	return (u64)totalram_pages() << PAGE_SHIFT;
}

/* --- the log ------------------------------------------------------------------------- */

#define LOG_ERROR_LINES 50 /* in an interval */

void rf_os_init(struct rf_os *os, struct device *dev)
{
	os->dev = dev;
	ratelimit_state_init(&os->errors, DEFAULT_RATELIMIT_INTERVAL, LOG_ERROR_LINES);
	ratelimit_state_init(&os->user, DEFAULT_RATELIMIT_INTERVAL, DEFAULT_RATELIMIT_BURST);
}

static void rf_log(struct rf_os *os, const char *level, const char *format, va_list *arguments)
{
	struct va_format text = { .fmt = format, .va = arguments };

	dev_printk(level, os->dev, "%pV\n", &text);
}

void rf_log_error(struct rf_os *os, const char *format, ...)
{
	va_list arguments;

	if (!__ratelimit(&os->errors))
		return;
	va_start(arguments, format);
	rf_log(os, KERN_ERR, format, &arguments);
	va_end(arguments);
}

void rf_log_user(struct rf_os *os, const char *format, ...)
{
	va_list arguments;

	if (!__ratelimit(&os->user))
		return;
	va_start(arguments, format);
	rf_log(os, KERN_INFO, format, &arguments);
	va_end(arguments);
}

bool rf_log_may_report(struct rf_os *os)
{
	return __ratelimit(&os->user);
}

void rf_log_report(struct rf_os *os, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	rf_log(os, KERN_INFO, format, &arguments);
	va_end(arguments);
}
