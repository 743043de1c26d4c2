// SPDX-License-Identifier: Apache-2.0
/* ringfence info: what a device is. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "ringfence.h"

static const char usage[] =
	"Usage: ringfence info [--json] [DEVICE]\n"
	"Prints what a device has.\n"
	"  --json    as a JSON object, quantities in bytes and Hz\n"
	"  DEVICE    \"sim:\", \"sim:seed=N\", \"drm:\", \"drm:NODE\"; default: $RINGFENCE_DEVICE,\n"
	"            else \"sim:\"\n";

static void print_text(const struct rf_device_info *info)
{
	printf("native fences        %s\n", info->native_fence ? "yes" : "no");
	printf("MonitoredValue       %s memory\n", info->monitored_local ? "local" : "system");
	printf("nodes                %u\n", info->nodes);
	printf("dedicated doorbells  %u\n", info->doorbells);
	printf("fence value stride   %u bytes\n", info->fence_stride);
	printf("local memory         %" PRIu64 " KiB\n", info->local_memory_bytes / 1024);
	printf("timestamp            %" PRIu64 " Hz\n", info->timestamp_hz);
}

static void print_json(const struct rf_device_info *info)
{
	printf("{\"native_fences\": %s, \"monitored_value_local\": %s, \"nodes\": %u, "
	       "\"doorbells\": %u, \"fence_value_stride\": %u, \"local_memory_bytes\": %" PRIu64
	       ", \"timestamp_hz\": %" PRIu64 "}\n",
	       info->native_fence ? "true" : "false", info->monitored_local ? "true" : "false",
	       info->nodes, info->doorbells, info->fence_stride, info->local_memory_bytes,
	       info->timestamp_hz);
}

int rf_main_info(int argc, char **argv)
{
	const char *name = NULL;
	struct rf_device_info info;
	struct rf_device *device;
	bool json = false;
	int error, i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--json")) {
			json = true;
		} else if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			fputs(usage, stdout);
			return 0;
		} else if (argv[i][0] == '-' || name) {
			fprintf(stderr, "ringfence: unexpected argument '%s'\n%s", argv[i], usage);
			return 2;
		} else {
			name = argv[i];
		}
	}
	error = rf_device_open(name, &device);
	if (error) {
		fprintf(stderr, "ringfence: cannot open %s: %s\n", name ? name : "the device",
			strerror(-error));
		return 1;
	}
	rf_device_info(device, &info);
	if (json)
		print_json(&info);
	else
		print_text(&info);
	rf_device_close(device);
	return 0;
}
