// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The watchdog thread (C6): it waits for a period, running the simulated clock as any blocked
 * thread does, and then calls kmd_adapter_watchdog().
 */
#include "hosted.h"

static bool hosted_watchdog_is_stopped(void *argument)
{
	struct rf_hosted_device *device = argument;

	return __atomic_load_n(&device->watchdog_stop, __ATOMIC_ACQUIRE);
}

static void *hosted_watchdog_thread(void *argument)
{
	struct rf_hosted_device *device = argument;
	struct rf_bus *bus = device->bus;

	while (bus->ops->wait(bus, hosted_watchdog_is_stopped, device,
			      rf_time() + device->watchdog_period) == -ETIMEDOUT) {
		kmd_adapter_watchdog(device->adapter);
		hosted_go_on(&device->hosted->os);
	}
	return NULL;
}

static void hosted_watchdog_stop(struct rf_hosted_device *device)
{
	if (!device->watchdog_period)
		return;
	__atomic_store_n(&device->watchdog_stop, true, __ATOMIC_RELEASE);
	device->bus->ops->wake(device->bus);
	pthread_join(device->watchdog, NULL);
	device->watchdog_period = 0;
}

int rf_hosted_watchdog(struct rf_hosted_device *device, uint64_t period)
{
	if (period && period < KMD_WATCHDOG_PERIOD_MIN)
		return -EINVAL;
	hosted_watchdog_stop(device);
	if (!period)
		return 0;
	device->watchdog_period = period;
	device->watchdog_stop = false;
	if (!pthread_create(&device->watchdog, NULL, hosted_watchdog_thread, device))
		return 0;
	device->watchdog_period = 0;
	return -ENOMEM;
}

uint64_t rf_hosted_lost_interrupts(struct rf_hosted_device *device)
{
	struct kmd_statistics statistics;

	kmd_adapter_statistics(device->adapter, &statistics);
	return statistics.lost_interrupts;
}
