// SPDX-License-Identifier: Apache-2.0
#include "stop.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <unistd.h>

/* How often a system call is interrupted that was begun in the very moment of the signal */
#define NUDGE_MICROSECONDS 100000

static volatile sig_atomic_t stopped;
static int event = -1;

static void stop(int signal)
{
	const struct itimerval nudge = { .it_interval.tv_usec = NUDGE_MICROSECONDS,
					 .it_value.tv_usec = NUDGE_MICROSECONDS };
	const unsigned long long one = 1;
	int error = errno;

	if (signal != SIGALRM) {
		stopped = 1;
		if (write(event, &one, sizeof(one)) < 0)
			stopped = 1; /* it is full, which is as good */
		setitimer(ITIMER_REAL, &nudge, NULL);
	}
	errno = error;
}

int stop_on_signals(void)
{
	const struct sigaction action = { .sa_handler = stop }; /* no SA_RESTART */
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (event < 0)
		return -errno;
	if (sigaction(SIGPIPE, &ignore, NULL) || sigaction(SIGXFSZ, &ignore, NULL) ||
	    sigaction(SIGALRM, &action, NULL) || sigaction(SIGINT, &action, NULL) ||
	    sigaction(SIGTERM, &action, NULL))
		return -errno;
	return 0;
}

bool stop_requested(void)
{
	return stopped;
}

int stop_wait(struct pollfd *polled, unsigned int count, int milliseconds)
{
	int ready;

	polled[count] = (struct pollfd){ event, POLLIN, 0 };
	ready = poll(polled, count + 1, milliseconds);
	if (ready < 0)
		return errno == EINTR ? 0 : -errno;
	return stopped ? 0 : ready;
}
