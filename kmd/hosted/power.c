// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Power transitions, which an operating system's power manager would request. */
#include "hosted.h"

int rf_hosted_sleep(struct rf_hosted_device *device)
{
	int ret = kmd_adapter_sleep(device->adapter);

	hosted_go_on(&device->hosted->os);
	return ret;
}

int rf_hosted_wake(struct rf_hosted_device *device)
{
	int ret = kmd_adapter_wake(device->adapter);

	hosted_go_on(&device->hosted->os);
	return ret;
}

void rf_hosted_look_for_idle(struct rf_hosted_device *device)
{
	kmd_adapter_look_for_idle(device->adapter);
	hosted_go_on(&device->hosted->os);
}
