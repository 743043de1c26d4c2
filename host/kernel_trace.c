// SPDX-License-Identifier: Apache-2.0
#include "kernel_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const folders[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

static const char *folder(void)
{
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		char path[64];

		snprintf(path, sizeof(path), "%s/trace", folders[i]);
		if (!access(path, F_OK))
			return folders[i];
	}
	return folders[0];
}

static int write_file(const char *name, const char *text)
{
	char path[96];
	int file, error = 0;

	snprintf(path, sizeof(path), "%s/%s", folder(), name);
	file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (file < 0)
		return -errno;
	if (write(file, text, strlen(text)) < 0)
		error = -errno;
	if (close(file) && !error)
		error = -errno;
	return error;
}

int rf_kernel_trace_begin(void)
{
	int error = write_file("trace_clock", "mono");

	if (!error)
		error = write_file("trace", "");
	if (!error)
		error = write_file("events/ringfence/enable", "1");
	return error;
}

/* What fdinfo calls drm-client-id. */
static uint64_t client_of(int fd)
{
	char path[64], line[128];
	uint64_t client = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "drm-client-id: %" SCNu64, &client);
	if (file)
		fclose(file);
	return client;
}

/* The number behind " NAME=" or "NAME:"; false: there is none. */
static bool find(const char *text, const char *name, int base, uint64_t *number)
{
	const char *at = strstr(text, name);

	if (!at)
		return false;
	*number = strtoull(at + strlen(name), NULL, base);
	return true;
}

/* "  task-123   [000] .....   12.345678: ringfence_NAME: dev=ADDRESS client_id=5 ..." */
static bool parse(const char *line, const char *function, uint64_t client,
		  struct rf_kernel_event *event)
{
	const char *name = strstr(line, ": ringfence_"), *fields, *time;
	uint64_t number, seconds, microseconds;

	if (!name || !(fields = strstr(name, ": dev=")) ||
	    strncmp(fields + strlen(": dev="), function, strlen(function)) != 0)
		return false;
	/* the time ends where the name begins */
	for (time = name; time > line && time[-1] != ' '; time--)
		;
	if (sscanf(time, "%" SCNu64 ".%" SCNu64, &seconds, &microseconds) != 2)
		return false;
	if ((find(fields, "client_id=", 10, &number) || find(fields, "client_id:", 10, &number)) &&
	    number != client)
		return false;
	memset(event, 0, sizeof(*event));
	event->time = seconds * 1000000000u + microseconds * 1000u;
	name += strlen(": ringfence_");
	snprintf(event->name, sizeof(event->name), "%.*s", (int)strcspn(name, ":"), name);
	event->wait = !strcmp(event->name, "gpu_wait");
	event->log = event->wait || !strcmp(event->name, "gpu_signal");
	if (!event->log)
		return true;
	if (find(fields, " queue=", 16, &number))
		event->queue = (uint32_t)number;
	if (find(fields, " fence=", 16, &number))
		event->fence = (uint32_t)number;
	event->lost = find(fields, " lost=", 10, &number) && number;
	return find(fields, " value=", 10, &event->value) &&
	       find(fields, " begin=", 10, &event->begin) && find(fields, " end=", 10, &event->end);
}

int rf_kernel_trace_end(const char *function, int fd, rf_kernel_event_fn *tell, void *context)
{
	uint64_t client = client_of(fd);
	struct rf_kernel_event event;
	char path[64], line[512];
	FILE *file;
	int error = write_file("events/ringfence/enable", "0");

	if (error)
		return error;
	snprintf(path, sizeof(path), "%s/trace", folder());
	file = fopen(path, "r");
	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file))
		if (parse(line, function, client, &event))
			tell(context, &event);
	error = ferror(file) ? -EIO : 0;
	fclose(file);
	return error;
}
