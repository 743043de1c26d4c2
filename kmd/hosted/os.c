// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * rf_os.h over POSIX threads and a bus.
 *
 * A spinlock is a mutex under which the bus delivers no interrupts: interrupts are
 * held before it is taken and released after. So a thread that is called to
 * deliver an interrupt has no spinlock of its own, and one that runs the simulated
 * clock under a spinlock leaves interrupts pending.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "hosted.h"

void *rf_alloc(size_t bytes)
{
	return calloc(1, bytes);
}

void rf_free(void *memory)
{
	free(memory);
}

void rf_mutex_init(struct rf_mutex *mutex)
{
	pthread_mutex_init(&mutex->mutex, NULL);
	mutex->owner = NULL;
}

void rf_mutex_destroy(struct rf_mutex *mutex)
{
	pthread_mutex_destroy(&mutex->mutex);
}

_Thread_local unsigned int hosted_locks_held;

/* Its address identifies the calling thread. */
static const void *hosted_this_thread(void)
{
	return &hosted_locks_held;
}

/* Written by the thread that holds the lock. Any other thread reads NULL or a thread that is
 * not itself, so the accesses need no order. */
static void hosted_set_owner(const void **owner, const void *thread)
{
	__atomic_store_n(owner, thread, __ATOMIC_RELAXED);
}

static bool hosted_is_owner(const void *const *owner)
{
	return __atomic_load_n(owner, __ATOMIC_RELAXED) == hosted_this_thread();
}

void rf_mutex_assert_held(const struct rf_mutex *mutex)
{
	rf_assert(hosted_is_owner(&mutex->owner));
}

void rf_spin_assert_held(const struct rf_spinlock *lock)
{
	rf_assert(hosted_is_owner(&lock->owner));
}

void hosted_assert_no_lock_held(const char *function)
{
	if (!hosted_locks_held)
		return;
	fprintf(stderr, "ringfence: %s with %u locks held\n", function, hosted_locks_held);
	abort();
}

void rf_mutex_lock(struct rf_mutex *mutex)
{
	pthread_mutex_lock(&mutex->mutex);
	hosted_set_owner(&mutex->owner, hosted_this_thread());
	hosted_locks_held++;
}

/* A signal that kills ends all threads of this process, so nothing has to be interrupted. */
int rf_mutex_lock_killable(struct rf_mutex *mutex)
{
	rf_mutex_lock(mutex);
	return 0;
}

void rf_mutex_unlock(struct rf_mutex *mutex)
{
	hosted_locks_held--;
	hosted_set_owner(&mutex->owner, NULL);
	pthread_mutex_unlock(&mutex->mutex);
}

void rf_spin_init(struct rf_spinlock *lock, struct rf_os *os)
{
	pthread_mutex_init(&lock->mutex, NULL);
	lock->owner = NULL;
	lock->os = os;
}

void rf_spin_destroy(struct rf_spinlock *lock)
{
	pthread_mutex_destroy(&lock->mutex);
}

_Thread_local unsigned int hosted_rounds;
/* Spinlocks of this thread, and rounds in the longest hold of any thread */
static _Thread_local unsigned int spinlocks_held;
static unsigned int longest_hold;

static void hosted_end_hold(void)
{
	unsigned int longest = __atomic_load_n(&longest_hold, __ATOMIC_RELAXED);

	while (hosted_rounds > longest &&
	       !__atomic_compare_exchange_n(&longest_hold, &longest, hosted_rounds, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

unsigned int rf_hosted_longest_hold(void)
{
	return __atomic_exchange_n(&longest_hold, 0, __ATOMIC_RELAXED);
}

unsigned long rf_spin_lock(struct rf_spinlock *lock)
{
	struct rf_bus *bus = lock->os->bus;

	if (bus)
		bus->ops->hold_interrupts(bus);
	pthread_mutex_lock(&lock->mutex);
	hosted_set_owner(&lock->owner, hosted_this_thread());
	hosted_locks_held++;
	if (!spinlocks_held++)
		hosted_rounds = 0;
	return 0;
}

void rf_spin_unlock(struct rf_spinlock *lock, unsigned long flags)
{
	struct rf_bus *bus = lock->os->bus;

	(void)flags;
	if (!--spinlocks_held)
		hosted_end_hold();
	hosted_locks_held--;
	hosted_set_owner(&lock->owner, NULL);
	pthread_mutex_unlock(&lock->mutex);
	if (bus)
		bus->ops->release_interrupts(bus);
}

u64 rf_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

void rf_completion_init(struct rf_completion *completion, struct rf_os *os)
{
	completion->os = os;
	completion->complete = 0;
}

void rf_completion_destroy(struct rf_completion *completion)
{
	(void)completion;
}

void rf_completion_complete(struct rf_completion *completion)
{
	struct rf_bus *bus = completion->os->bus;

	__atomic_store_n(&completion->complete, 1, __ATOMIC_RELEASE);
	if (bus)
		bus->ops->wake(bus);
}

void rf_completion_reset(struct rf_completion *completion)
{
	__atomic_store_n(&completion->complete, 0, __ATOMIC_RELAXED);
}

static bool hosted_is_complete(void *argument)
{
	struct rf_completion *completion = argument;

	return __atomic_load_n(&completion->complete, __ATOMIC_ACQUIRE);
}

/* This thread is blocked without a lock, and could do work for a device of others meanwhile. */
static bool hosted_may_work(const struct rf_completion *completion)
{
	return !hosted_locks_held &&
	       hosted_has_work_for_all(container_of(completion->os, struct rf_hosted, os));
}

static bool hosted_is_complete_or_may_work(void *argument)
{
	return hosted_is_complete(argument) || hosted_may_work(argument);
}

int rf_completion_wait(struct rf_completion *completion, u64 deadline)
{
	struct rf_bus *bus = completion->os->bus;
	int ret;

	hosted_go_on(completion->os);
	if (hosted_is_complete(completion))
		return 0;
	if (!bus || deadline <= rf_time())
		return -ETIMEDOUT;
	for (;;) {
		ret = bus->ops->wait(bus, hosted_is_complete_or_may_work, completion, deadline);
		if (ret || hosted_is_complete(completion))
			return ret;
		hosted_work_for_all(container_of(completion->os, struct rf_hosted, os));
	}
}

/* Signals do not interrupt a wait here. */
int rf_completion_wait_interruptible(struct rf_completion *completion, u64 deadline)
{
	return rf_completion_wait(completion, deadline);
}

static bool hosted_never(void *argument)
{
	(void)argument;
	return false;
}

void rf_sleep(struct rf_os *os, u64 nanoseconds)
{
	struct rf_bus *bus = os->bus;

	if (bus)
		bus->ops->wait(bus, hosted_never, NULL, rf_time() + nanoseconds);
}

void rf_shell_go_on(struct rf_os *os)
{
	__atomic_store_n(&os->unsettled, 1, __ATOMIC_RELEASE);
}

u64 rf_random(void)
{
	u64 number;

	do {
		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			abort(); /* cannot happen for 8 bytes */
	} while (!number);
	return number;
}

u64 rf_memory_bytes(void)
{
	return (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
}

/* --- the log ------------------------------------------------------------------------- */

/* Lines of a kind in an interval; as many as the kernel's ratelimit of other drivers allows */
#define LOG_INTERVAL 5000000000u
#define LOG_USER_LINES 10u
#define LOG_ERROR_LINES 50u

/* May another line be written? @left_out: lines dropped since the last one. */
static bool hosted_rate_take(struct rf_log_rate *rate, u32 most, u32 *left_out)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	u64 now = rf_time();
	bool allowed;

	pthread_mutex_lock(&mutex);
	if (!rate->begin || now - rate->begin >= LOG_INTERVAL) {
		rate->begin = now;
		rate->lines = 0;
	}
	allowed = rate->lines < most;
	if (allowed) {
		*left_out = rate->left_out;
		rate->left_out = 0;
		rate->lines++;
	} else {
		rate->left_out++;
	}
	pthread_mutex_unlock(&mutex);
	return allowed;
}

static void hosted_log_line(const char *level, const char *format, va_list arguments)
{
	char line[256];

	vsnprintf(line, sizeof(line), format, arguments);
	fprintf(stderr, "ringfence: %s%s\n", level, line);
}

static bool hosted_log_begin(struct rf_log_rate *rate, u32 most)
{
	u32 left_out = 0;

	if (!hosted_rate_take(rate, most, &left_out))
		return false;
	if (left_out)
		fprintf(stderr, "ringfence: %u lines were left out\n", left_out);
	return true;
}

void rf_log_error(struct rf_os *os, const char *format, ...)
{
	va_list arguments;

	if (!hosted_log_begin(&os->errors, LOG_ERROR_LINES))
		return;
	va_start(arguments, format);
	hosted_log_line("error: ", format, arguments);
	va_end(arguments);
}

void rf_log_user(struct rf_os *os, const char *format, ...)
{
	va_list arguments;

	if (!hosted_log_begin(&os->user, LOG_USER_LINES))
		return;
	va_start(arguments, format);
	hosted_log_line("", format, arguments);
	va_end(arguments);
}

bool rf_log_may_report(struct rf_os *os)
{
	return hosted_log_begin(&os->user, LOG_USER_LINES);
}

void rf_log_report(struct rf_os *os, const char *format, ...)
{
	va_list arguments;

	(void)os;
	va_start(arguments, format);
	hosted_log_line("", format, arguments);
	va_end(arguments);
}
