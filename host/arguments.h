/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the programs, and what they print. */
#ifndef RF_ARGUMENTS_H
#define RF_ARGUMENTS_H

#include <stdint.h>
#include <stdio.h>

/* A number in C notation; else a line on stderr that names @option, and -EINVAL. */
int rf_parse_number(const char *text, const char *option, uint64_t *number);
/* After getopt_long(): -EINVAL, and a line and @usage on stderr, if there are more. */
int rf_check_no_more(int argc, char **argv, const char *usage);

/* As a JSON string, in quotes. */
void rf_print_json_string(FILE *file, const char *text);

#endif
