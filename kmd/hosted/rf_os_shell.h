/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Types of rf_os.h for the hosted shell: POSIX threads, and interrupts of a bus. */
#ifndef RF_OS_SHELL_H
#define RF_OS_SHELL_H

#include <pthread.h>

struct rf_bus;

/**
 * struct rf_log_rate - how much of a kind was written to the log
 * @begin: of the interval that @lines are of, in ns
 * @lines: written in it
 * @left_out: lines since the last one that was written
 */
struct rf_log_rate {
	unsigned long long begin;
	unsigned int lines;
	unsigned int left_out;
};

/**
 * struct rf_os - the host of the devices of one world
 * @bus: any of them: interrupts are held, and waits made, through it
 * @errors: of rf_log_error()
 * @user: of what user mode can cause
 * @unsettled: kmd_sync_domain_go_on() is wanted; atomic
 */
struct rf_os {
	struct rf_bus *bus;
	struct rf_log_rate errors;
	struct rf_log_rate user;
	int unsettled;
};

/* @owner: the thread that holds it, or NULL; atomic */
struct rf_mutex {
	pthread_mutex_t mutex;
	const void *owner;
};

/* @owner: as above */
struct rf_spinlock {
	pthread_mutex_t mutex;
	const void *owner;
	struct rf_os *os;
};

struct rf_completion {
	struct rf_os *os;
	int complete; /* atomic */
};

/* Rounds of loops since this thread took its first spinlock. */
extern _Thread_local unsigned int hosted_rounds;
#ifndef rf_count_round /* a test counts none of its own */
#define rf_count_round() ((void)hosted_rounds++)
#endif

/* User mode is this process. */
#define rf_index_nospec(index, size) (index)

#endif /* RF_OS_SHELL_H */
