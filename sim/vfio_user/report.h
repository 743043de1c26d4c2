/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VFIO_USER_REPORT_H
#define VFIO_USER_REPORT_H

/*
 * A line on standard output (1) or standard error (2). It is dropped if it would have to
 * wait, or if nobody is there to read it: the server does not stand still because of what
 * a client makes it say.
 */
__attribute__((format(printf, 2, 3))) void report(int descriptor, const char *format, ...);

/* Why a line could not be written to a file or device, a positive errno; 0: none was lost so. */
int report_error(void);

#endif
