// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int rf_parse_number(const char *text, const char *option, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 0);
	if (*text && !*end)
		return 0;
	fprintf(stderr, "ringfence: %s: '%s' is not a number\n", option, text);
	return -EINVAL;
}

int rf_check_no_more(int argc, char **argv, const char *usage)
{
	if (optind == argc)
		return 0;
	fprintf(stderr, "ringfence: unexpected argument '%s'\n%s", argv[optind], usage);
	return -EINVAL;
}

void rf_print_json_string(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte == '"' || byte == '\\')
			fprintf(file, "\\%c", byte);
		else if (byte < 0x20)
			fprintf(file, "\\u%04x", byte);
		else
			fputc(byte, file);
	}
	fputc('"', file);
}
