// SPDX-License-Identifier: Apache-2.0
/* In place of carrier_hosted.c where the driver is the kernel's: the shared library. */
#include <errno.h>

#include "../carrier.h"

const char rf_carrier_default[] = "drm:";

int rf_carrier_open_named(const char *name, struct rf_carrier **carrier)
{
	(void)name;
	(void)carrier;
	return -ENODEV;
}

int rf_carrier_open_hosted(struct rf_hosted_device *device, struct rf_carrier **carrier)
{
	(void)device;
	(void)carrier;
	return -ENODEV;
}
