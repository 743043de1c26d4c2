/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VFIO_USER_REPORT_H
#define VFIO_USER_REPORT_H

/*
 * A line on standard output (1) or standard error (2). It is dropped if it would have to
 * wait: the server does not stand still because nobody reads what a client makes it say.
 */
__attribute__((format(printf, 2, 3))) void report(int descriptor, const char *format, ...);

#endif
