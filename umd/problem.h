/* SPDX-License-Identifier: Apache-2.0 */
/* Why a device could not be opened; what programs see of it is in ringfence.h. */
#ifndef RF_PROBLEM_H
#define RF_PROBLEM_H

#define RF_OPEN_PROBLEM 640 /* bytes of the line */

/* What rf_device_open() of @name means by @error, and what to do about it. */
const char *rf_open_reason(const char *name, int error);

/* What rf_device_open_error() returns in this thread from now on. */
void rf_open_failed(const char *name, const char *reason);
void rf_open_succeeded(void);

#endif
