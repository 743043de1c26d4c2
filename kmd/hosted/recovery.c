// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Recovery from hangs, as the hosted shell offers it: whoever runs the clock also looks. */
#include "hosted.h"

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
