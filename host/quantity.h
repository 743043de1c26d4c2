/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities as people read them. Each writes at most @bytes of @text, and returns @text. */
#ifndef RF_QUANTITY_H
#define RF_QUANTITY_H

#include <stddef.h>
#include <stdint.h>

#define RF_QUANTITY_BYTES 48

/* "1.2 ms" */
char *rf_time_text(char *text, size_t bytes, double ns);
/* "5486 cycles (43.9 us)"; without the time if @hz is 0 */
char *rf_cycles_text(char *text, size_t bytes, uint64_t cycles, uint64_t hz);
/* "64 KiB", "100 bytes" */
char *rf_bytes_text(char *text, size_t bytes, uint64_t quantity);
/* "125 MHz" */
char *rf_frequency_text(char *text, size_t bytes, uint64_t hz);

#endif
