/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the programs, and what they print. */
#ifndef RF_ARGUMENTS_H
#define RF_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "json_text.h"

/*
 * "--NAME", "--NAME TEXT" or "--NAME NUMBER", and where it goes: one of the three. A number
 * is of [@least, @most], where @most is 0 of all that fit 64 bits.
 */
struct rf_option {
	const char *name;
	bool *flag;
	const char **text;
	uint64_t *number;
	uint64_t least, most;
};

/*
 * Arguments that are options only; @options ends with one without a name. After --help and -h
 * the process ends, with @usage on stdout. -EINVAL, and a line and @usage on stderr, for what
 * is no option, has no argument or too much; -ENOMEM.
 */
int rf_parse_arguments(int argc, char **argv, const char *usage, const struct rf_option *options);
/*
 * An unsigned number in C notation, of 64 bits; else a line on stderr that names @option, and
 * -EINVAL.
 */
int rf_parse_number(const char *text, const char *option, uint64_t *number);

#endif
