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
}

void rf_mutex_destroy(struct rf_mutex *mutex)
{
	pthread_mutex_destroy(&mutex->mutex);
}

void rf_mutex_lock(struct rf_mutex *mutex)
{
	pthread_mutex_lock(&mutex->mutex);
}

void rf_mutex_unlock(struct rf_mutex *mutex)
{
	pthread_mutex_unlock(&mutex->mutex);
}

void rf_spin_init(struct rf_spinlock *lock, struct rf_os *os)
{
	pthread_mutex_init(&lock->mutex, NULL);
	lock->os = os;
}

void rf_spin_destroy(struct rf_spinlock *lock)
{
	pthread_mutex_destroy(&lock->mutex);
}

unsigned long rf_spin_lock(struct rf_spinlock *lock)
{
	struct rf_bus *bus = lock->os->bus;

	if (bus)
		bus->ops->hold_interrupts(bus);
	pthread_mutex_lock(&lock->mutex);
	return 0;
}

void rf_spin_unlock(struct rf_spinlock *lock, unsigned long flags)
{
	struct rf_bus *bus = lock->os->bus;

	(void)flags;
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

static bool is_complete(void *argument)
{
	struct rf_completion *completion = argument;

	return __atomic_load_n(&completion->complete, __ATOMIC_ACQUIRE);
}

int rf_completion_wait(struct rf_completion *completion, u64 deadline)
{
	struct rf_bus *bus = completion->os->bus;

	if (is_complete(completion))
		return 0;
	if (!bus || deadline <= rf_time())
		return -ETIMEDOUT;
	return bus->ops->wait(bus, is_complete, completion, deadline);
}

/* Signals of the process are its own business. */
int rf_completion_wait_interruptible(struct rf_completion *completion, u64 deadline)
{
	return rf_completion_wait(completion, deadline);
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

static void log_line(const char *level, const char *format, va_list arguments)
{
	char line[256];

	vsnprintf(line, sizeof(line), format, arguments);
	fprintf(stderr, "ringfence: %s%s\n", level, line);
}

void rf_log_error(struct rf_os *os, const char *format, ...)
{
	va_list arguments;

	(void)os;
	va_start(arguments, format);
	log_line("error: ", format, arguments);
	va_end(arguments);
}

void rf_log_info(struct rf_os *os, const char *format, ...)
{
	va_list arguments;

	(void)os;
	va_start(arguments, format);
	log_line("", format, arguments);
	va_end(arguments);
}
