/* SPDX-License-Identifier: Apache-2.0 */
/* The measurements that need nothing but the library, on a device of any kind. */
#ifndef RF_BENCH_DEVICE_H
#define RF_BENCH_DEVICE_H

#include <stdbool.h>

/* Prints them as a table, or as a JSON object. 0, or 1 and a line on stderr. */
int rf_bench_device(const char *name, const char *filter, bool json);

#endif
