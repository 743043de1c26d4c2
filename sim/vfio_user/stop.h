/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIGINT and SIGTERM, as a descriptor to poll: every wait of the server also waits for these, and
 * every loop whose length a client chooses ends after them.
 */
#ifndef VFIO_USER_STOP_H
#define VFIO_USER_STOP_H

#include <poll.h>
#include <stdbool.h>

/*
 * From now on the two signals do not end the process, and SIGPIPE and SIGXFSZ are errors of
 * the calls that cause them. 0 or a negative errno.
 */
int stop_on_signals(void);

/* One of them has come. Cheap. */
bool stop_requested(void);

/*
 * Wait until some of the @count descriptors at @polled are ready for their events (hang-up and error
 * count as well), for so many milliseconds, or without limit if negative. There is room for one more
 * behind them. How many are ready; 0 for a time-out or a signal; a negative errno.
 */
int stop_wait(struct pollfd *polled, unsigned int count, int milliseconds);

#endif
