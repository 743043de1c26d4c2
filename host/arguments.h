/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the programs. */
#ifndef RF_ARGUMENTS_H
#define RF_ARGUMENTS_H

#include <stdint.h>

/* A number in C notation; else a line on stderr that names @option, and -EINVAL. */
int rf_parse_number(const char *text, const char *option, uint64_t *number);

#endif
