// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failure;

void report(int descriptor, const char *format, ...)
{
	struct pollfd output = { descriptor, POLLOUT, 0 };
	char line[512] = "rf-vfio-user: "; /* below PIPE_BUF: all or nothing */
	size_t bytes = strlen(line);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line + bytes, sizeof(line) - bytes - 1, format, arguments);
	va_end(arguments);
	strcat(line, "\n");
	if (poll(&output, 1, 0) == 1 && write(descriptor, line, strlen(line)) < 0 &&
	    errno != EPIPE && errno != EAGAIN && errno != EINTR && !failure)
		failure = errno;
}

int report_error(void)
{
	return failure;
}
