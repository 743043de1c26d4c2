/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VFIO_USER_REPORT_H
#define VFIO_USER_REPORT_H

/*
 * A line on standard output (1) or standard error (2). It is dropped if the write would block or
 * the reader has closed: a client cannot stop the server by causing output.
 */
__attribute__((format(printf, 2, 3))) void report(int descriptor, const char *format, ...);

/* Why a line could not be written to a file or device, a positive errno; 0: none was lost so. */
int report_error(void);

#endif
