// SPDX-License-Identifier: Apache-2.0
/* ringfence info: what a device is. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "ringfence.h"

int rf_main_info(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	struct rf_device_info info;
	struct rf_device *device;
	int error;

	if (argc > 2 || (name && name[0] == '-')) {
		fprintf(stderr,
			"Usage: ringfence info [DEVICE]\n"
			"DEVICE: \"sim:\", \"sim:seed=N\", \"drm:\", \"drm:NODE\"; default: $RINGFENCE_DEVICE, else \"sim:\"\n");
		return 2;
	}
	error = rf_device_open(name, &device);
	if (error) {
		fprintf(stderr, "ringfence: cannot open %s: %s\n", name ? name : "the device",
			strerror(-error));
		return 1;
	}
	rf_device_info(device, &info);
	printf("native fences        %s\n", info.native_fence ? "yes" : "no");
	printf("MonitoredValue       %s memory\n", info.monitored_local ? "local" : "system");
	printf("nodes                %u\n", info.nodes);
	printf("dedicated doorbells  %u\n", info.doorbells);
	printf("fence value stride   %u bytes\n", info.fence_stride);
	printf("local memory         %" PRIu64 " KiB\n", info.local_memory_bytes / 1024);
	printf("timestamp            %" PRIu64 " Hz\n", info.timestamp_hz);
	rf_device_close(device);
	return 0;
}
