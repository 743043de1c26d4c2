// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Recovery from hangs: the hosted shell has no timer, so its user calls the watch. */
#include <stdlib.h>

#include "hosted.h"
#include "rf_dump.h"
#include "rf_writer.h"

/* What a dump takes at first; it may grow while it is made */
#define DUMP_BYTES 65536u

void rf_hosted_watch_progress(struct rf_hosted_device *device, uint64_t now)
{
	kmd_adapter_watch(device->adapter, now);
	hosted_go_on(&device->hosted->os);
}

void rf_hosted_set_tdr_delay(struct rf_hosted_device *device, uint64_t delay)
{
	kmd_adapter_set_tdr_delay(device->adapter, delay);
}

void rf_hosted_recoveries(struct rf_hosted_device *device, struct rf_hosted_recoveries *recoveries)
{
	struct kmd_statistics statistics;

	kmd_adapter_statistics(device->adapter, &statistics);
	*recoveries = (struct rf_hosted_recoveries){
		.preemption_requests = statistics.preemption_requests,
		.preemptions = statistics.preemptions,
		.engine_resets = statistics.engine_resets,
		.adapter_resets = statistics.adapter_resets,
	};
}

/* Write up to @size bytes of the dump; returns its full length, or a negative errno. */
typedef long dump_fn(void *of, bool json, char *buffer, size_t size);

static int hosted_dump(dump_fn *function, void *of, bool json, char **text)
{
	size_t size = DUMP_BYTES;
	char *buffer = NULL;
	long used;

	for (;;) {
		char *larger = realloc(buffer, size);

		if (!larger) {
			free(buffer);
			return -ENOMEM;
		}
		buffer = larger;
		used = function(of, json, buffer, size);
		if (used < (long)size)
			break;
		size = 2 * (size_t)used;
	}
	if (used < 0) {
		free(buffer);
		return (int)used;
	}
	buffer[used] = 0;
	*text = buffer;
	return 0;
}

static long hosted_dump_adapter(void *of, bool json, char *buffer, size_t size)
{
	return (long)kmd_adapter_dump(of, json, buffer, size);
}

int rf_hosted_dump(struct rf_hosted_device *device, bool json, char **text)
{
	return hosted_dump(hosted_dump_adapter, device->adapter, json, text);
}

static long hosted_dump_bus(void *of, bool json, char *buffer, size_t size)
{
	struct rf_writer writer = { .buffer = buffer, .size = size, .json = json, .first = true };
	int error;

	if (json)
		rf_write_text(&writer, "{");
	rf_write_object(&writer, "device");
	error = rf_dump_device(of, &writer);
	rf_write_object_end(&writer);
	rf_write_text(&writer, json ? "}\n" : "\n");
	return error ? error : (long)writer.used;
}

int rf_hosted_dump_bus(struct rf_bus *bus, bool json, char **text)
{
	struct rf_os os = { .bus = bus };

	int ret;

	bus->os = &os;
	ret = hosted_dump(hosted_dump_bus, bus, json, text);
	bus->os = NULL;
	return ret;
}
