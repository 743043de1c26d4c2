/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as people write them, in arguments and in names of devices. */
#ifndef RF_NUMBER_H
#define RF_NUMBER_H

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * An unsigned number in C notation, the whole text: no sign, no blanks, no unit. 0; -EINVAL
 * it is none; -ERANGE it does not fit 64 bits. Only 0 changes @number.
 */
static inline int rf_number(const char *text, uint64_t *number)
{
	unsigned long long value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, 0);
	if (*end)
		return -EINVAL;
	if (errno == ERANGE)
		return -ERANGE;
	*number = value;
	return 0;
}

#endif
