// SPDX-License-Identifier: Apache-2.0
/* rf_assert_held() in the hosted shell: it fails unless the calling thread holds the lock. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake.h"

struct locks {
	struct rf_os os;
	struct rf_mutex mutex;
	struct rf_spinlock spinlock;
	pthread_barrier_t barrier;
};

static void locks_init(struct locks *locks)
{
	locks->os = (struct rf_os){ 0 };
	rf_mutex_init(&locks->mutex);
	rf_spin_init(&locks->spinlock, &locks->os);
	pthread_barrier_init(&locks->barrier, NULL, 2);
}

static void locks_destroy(struct locks *locks)
{
	pthread_barrier_destroy(&locks->barrier);
	rf_spin_destroy(&locks->spinlock);
	rf_mutex_destroy(&locks->mutex);
}

static void assert_mutex(const struct locks *locks)
{
	rf_assert_held(&locks->mutex);
}

static void assert_spinlock(const struct locks *locks)
{
	rf_assert_held(&locks->spinlock);
}

/* The assertion ends a child process by the trap of rf_assert(). */
static bool traps(void (*assertion)(const struct locks *locks), const struct locks *locks)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		signal(SIGILL, SIG_DFL); /* cmocka has a handler of its own */
		signal(SIGTRAP, SIG_DFL);
		assertion(locks);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status)) {
		assert_int_equal(WEXITSTATUS(status), 0);
		return false;
	}
	assert_true(WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP);
	return true;
}

static void held_by_this_thread(void **state)
{
	struct locks locks;
	unsigned long flags;

	(void)state;
	locks_init(&locks);
	rf_mutex_lock(&locks.mutex);
	assert_false(traps(assert_mutex, &locks));
	flags = rf_spin_lock(&locks.spinlock);
	assert_false(traps(assert_spinlock, &locks));
	assert_false(traps(assert_mutex, &locks));
	rf_spin_unlock(&locks.spinlock, flags);
	rf_mutex_unlock(&locks.mutex);
	locks_destroy(&locks);
}

static void free_before_and_after(void **state)
{
	struct locks locks;
	unsigned long flags;

	(void)state;
	locks_init(&locks);
	assert_true(traps(assert_mutex, &locks));
	assert_true(traps(assert_spinlock, &locks));
	rf_mutex_lock(&locks.mutex);
	rf_mutex_unlock(&locks.mutex);
	flags = rf_spin_lock(&locks.spinlock);
	rf_spin_unlock(&locks.spinlock, flags);
	assert_true(traps(assert_mutex, &locks));
	assert_true(traps(assert_spinlock, &locks));
	locks_destroy(&locks);
}

/* Holds both from the first barrier to the second. */
static void *hold(void *argument)
{
	struct locks *locks = argument;
	unsigned long flags;

	rf_mutex_lock(&locks->mutex);
	flags = rf_spin_lock(&locks->spinlock);
	pthread_barrier_wait(&locks->barrier);
	pthread_barrier_wait(&locks->barrier);
	rf_spin_unlock(&locks->spinlock, flags);
	rf_mutex_unlock(&locks->mutex);
	return NULL;
}

static void held_by_another_thread(void **state)
{
	struct locks locks;
	pthread_t thread;

	(void)state;
	locks_init(&locks);
	assert_int_equal(pthread_create(&thread, NULL, hold, &locks), 0);
	pthread_barrier_wait(&locks.barrier);
	assert_true(traps(assert_mutex, &locks));
	assert_true(traps(assert_spinlock, &locks));
	pthread_barrier_wait(&locks.barrier);
	pthread_join(thread, NULL);
	locks_destroy(&locks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("held-by-this-thread", held_by_this_thread),
		TEST("a-free-lock-is-not-held", free_before_and_after),
		TEST("a-lock-of-another-thread-is-not-held", held_by_another_thread),
	};

	return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
