/* SPDX-License-Identifier: Apache-2.0 */
/* Measurements that use the library only, on every kind of device. */
#ifndef RF_BENCH_DEVICE_H
#define RF_BENCH_DEVICE_H

#include <stdbool.h>

/* Prints them as a table, or as a JSON object. 0, or 1 and a line on stderr. */
int rf_bench_device(const char *name, const char *filter, bool json);

#endif
