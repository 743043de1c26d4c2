// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <errno.h>
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
