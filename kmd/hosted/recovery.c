// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Recovery from hangs, as the hosted shell offers it: whoever runs the clock also looks. */
#include <stdlib.h>

#include "hosted.h"

/* What a dump takes at first; it may grow while it is made */
#define DUMP_BYTES 65536u

void rf_hosted_watch_progress(struct rf_hosted_device *device, uint64_t now)
{
	kmd_adapter_watch_progress(device->adapter, now);
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

int rf_hosted_dump(struct rf_hosted_device *device, bool json, char **text)
{
	size_t size = DUMP_BYTES, used;
	char *buffer = NULL;

	for (;;) {
		char *larger = realloc(buffer, size);

		if (!larger) {
			free(buffer);
			return -ENOMEM;
		}
		buffer = larger;
		used = kmd_adapter_dump(device->adapter, json, buffer, size);
		if (used < size)
			break;
		size = 2 * used;
	}
	buffer[used] = 0;
	*text = buffer;
	return 0;
}
