/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * OS services: everything that kmd/core and kmd/ddi take from their host.
 *
 * The shell's rf_os_shell.h, found on the include path (kmd/hosted/ in process,
 * kmd/linux/ in the kernel), defines the types
 *
 *	struct rf_os          one instance of the host; never looked into here
 *	struct rf_mutex       sleeping lock                     (PASSIVE)
 *	struct rf_spinlock    lock that holds interrupts off    (any level)
 *	struct rf_completion  manual-reset event with time-out  (set: any level)
 *
 * Execution levels, in the words of the DDI:
 *   PASSIVE   process context, may sleep;
 *   DISPATCH  a spinlock is held or bottom half, never sleeps;
 *   DEVICE    interrupt service, or an rf_spinlock that it shares is held.
 *
 * In the hosted shell a bus access may run the simulated clock, and an interrupt
 * raised meanwhile is delivered when the caller holds no rf_spinlock any more,
 * as on a processor with interrupts disabled.
 */
#ifndef RF_OS_H
#define RF_OS_H

#include "rf_types.h"
#include "rf_os_shell.h"

/* Zeroed memory, or NULL. PASSIVE. */
void *rf_alloc(size_t bytes);
void rf_free(void *memory);

/* These two may be macros of the shell: lock validators know a lock by where it is initialised. */
#ifndef rf_mutex_init
void rf_mutex_init(struct rf_mutex *mutex);
#endif
void rf_mutex_destroy(struct rf_mutex *mutex);
void rf_mutex_lock(struct rf_mutex *mutex);
/* For requests: 0, or -EINTR and it is not locked: the process is being killed. */
int rf_mutex_lock_killable(struct rf_mutex *mutex);
void rf_mutex_unlock(struct rf_mutex *mutex);

#ifndef rf_spin_init
void rf_spin_init(struct rf_spinlock *lock, struct rf_os *os);
#endif
void rf_spin_destroy(struct rf_spinlock *lock);
unsigned long rf_spin_lock(struct rf_spinlock *lock);
void rf_spin_unlock(struct rf_spinlock *lock, unsigned long flags);

/*
 * rf_assert_held(lock): the calling thread holds the mutex or spinlock; otherwise as a failed
 * rf_assert(). A kernel without lockdep does not check it.
 */
#ifndef __KERNEL__
void rf_mutex_assert_held(const struct rf_mutex *mutex);
void rf_spin_assert_held(const struct rf_spinlock *lock);
#endif
/* clang-format off */
#define rf_assert_held(lock)                                        \
	_Generic((lock),                                            \
		 struct rf_mutex *: rf_mutex_assert_held,           \
		 const struct rf_mutex *: rf_mutex_assert_held,     \
		 struct rf_spinlock *: rf_spin_assert_held,         \
		 const struct rf_spinlock *: rf_spin_assert_held)(lock)
/* clang-format on */

/* Absolute time that never comes. */
#define RF_TIME_NEVER U64_MAX

/* Nanoseconds of CLOCK_MONOTONIC. Any level. */
u64 rf_time(void);

void rf_completion_init(struct rf_completion *completion, struct rf_os *os);
/* No thread waits for it any more. */
void rf_completion_destroy(struct rf_completion *completion);
/* Any level. */
void rf_completion_complete(struct rf_completion *completion);
void rf_completion_reset(struct rf_completion *completion);
/*
 * PASSIVE, no lock held. Returns 0 once complete, or -ETIMEDOUT at @deadline (absolute,
 * ns; one in the past polls). It stays complete. What takes as long as user mode likes is
 * waited for by the second, which also returns -EINTR, when a signal interrupts the wait.
 * What the driver has to see through is not, nor could it be: a process that was killed
 * has a signal pending while its files are closed.
 */
int rf_completion_wait(struct rf_completion *completion, u64 deadline);
int rf_completion_wait_interruptible(struct rf_completion *completion, u64 deadline);

/* For about so long; the device goes on meanwhile. PASSIVE, no spinlock is held. */
void rf_sleep(struct rf_os *os, u64 nanoseconds);

/* An unpredictable number, never 0. PASSIVE. */
u64 rf_random(void);

/* Bytes of memory that the machine has. */
u64 rf_memory_bytes(void);

/*
 * One line, no newline at the end. Any level. What is said of driver and device has a rate
 * that it does not exceed, and what user mode can cause has another, so that user mode
 * neither fills the log nor keeps anything else out of it: a line that is one too many is left
 * out, and the next one says so.
 */
void rf_log_error(struct rf_os *os, const char *format, ...) __printf(2, 3);
void rf_log_user(struct rf_os *os, const char *format, ...) __printf(2, 3);
/*
 * A report of some lines that user mode can cause: whether it may be made now, as one line of
 * that kind. Then its lines are those of the second; there are RF_LOG_REPORT_LINES at most.
 */
#define RF_LOG_REPORT_LINES 32u
bool rf_log_may_report(struct rf_os *os);
void rf_log_report(struct rf_os *os, const char *format, ...) __printf(2, 3);

/*
 * rf_index_nospec(index, size), a macro of the shell: @index, which user mode chose and which
 * was found to be less than @size; 0 where the processor speculates past that check. For each
 * index into an array of the kernel's.
 */

/*
 * Barriers between the processor and the device: rf_mb() orders everything,
 * including a store before a load (fence protocols need it), rf_rmb() loads,
 * rf_wmb() stores, memory as well as registers.
 */
#ifdef __KERNEL__
#define rf_mb() mb()
#define rf_rmb() rmb()
#define rf_wmb() wmb()
#else
#define rf_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define rf_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define rf_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#endif

/* An error of the driver: the end of a program, a warning in the kernel. */
#ifdef __KERNEL__
#define rf_assert(condition) WARN_ON_ONCE(!(condition))
#else
#define rf_assert(condition) ((condition) ? (void)0 : __builtin_trap())
#endif

/*
 * One aligned access that the compiler neither splits, repeats nor leaves out. Order
 * is what the barriers are for; acquire and release tell ThreadSanitizer, which does
 * not know barriers, that the writer comes before the reader.
 */
static inline u64 rf_read_once64(const u64 *address)
{
	return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}

static inline void rf_write_once64(u64 *address, u64 value)
{
	__atomic_store_n(address, value, __ATOMIC_RELEASE);
}

#endif /* RF_OS_H */
