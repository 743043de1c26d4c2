// SPDX-License-Identifier: Apache-2.0
/* ringfence info: parameters, link and counters of a device. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "rf_registers.h"
#include "ringfence_hw.h"
#include "setup.h"

static const char usage[] =
	"Usage: ringfence info [--device DEVICE] [--json]\n"
	"Prints the parameters, link and counters of a device; with drm: also those of its driver,\n"
	"as root; with devices= in a device string, those of each device.\n"
	"  --device DEVICE  \"sim:\" or a device string (docs/device-string.md), \"drm:\",\n"
	"                   \"drm:NODE\", \"pci:0000:00:04.0\", \"serial:/dev/ttyUSB0\",\n"
	"                   \"miniport:FILE\";\n"
	"                   default: $RINGFENCE_DEVICE, else \"sim:\"\n"
	"  --json           as a JSON object, quantities in bytes and Hz; several devices are a list\n"
	"                   in it\n";

/* --- the link ------------------------------------------------------------------------- */

struct link {
	double gigatransfers; /* 0: not known */
	unsigned int width;
};

#define CAPABILITY_EXPRESS 0x10
#define EXPRESS_LINK_STATUS 0x12

static void simulated_link(struct rfsim_device *sim, struct link *link)
{
	static const double speeds[] = { 0, 2.5, 5, 8, 16, 32 };
	unsigned int capability = rfsim_config_find(sim, CAPABILITY_EXPRESS);
	uint32_t status;

	if (!capability || rfsim_config_read(sim, capability + EXPRESS_LINK_STATUS, 2, &status))
		return;
	if ((status & 15) < sizeof(speeds) / sizeof(speeds[0]))
		link->gigatransfers = speeds[status & 15];
	link->width = status >> 4 & 63;
}

/* A number at the beginning of a file of sysfs, or 0. */
static double sysfs_number(const char *function, const char *name)
{
	char path[80];
	double number;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", function, name);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%lf", &number) != 1)
		number = 0;
	if (file)
		fclose(file);
	return number;
}

static void find_link(const struct rf_setup *setup, const char *name, unsigned int device,
		      struct link *link)
{
	char function[16];

	if (setup->world.sim) {
		simulated_link(rf_setup_sim(setup, device), link);
	} else if (!rf_setup_function(setup, name, function)) {
		link->gigatransfers = sysfs_number(function, "current_link_speed");
		link->width = (unsigned int)sysfs_number(function, "current_link_width");
	}
}

/* --- printing --------------------------------------------------------------------------- */

/* The names of the counters, by enum rf_counter. */
static const struct rf_register_description *counter_values(void)
{
	uint32_t block, i;

	for (block = 0; block < rf_register_block_count; block++) {
		const struct rf_block_description *description = &rf_register_blocks[block];

		if (description->type != RF_BLOCK_TYPE_COUNTER)
			continue;
		for (i = 0; i < description->register_count; i++)
			if (!strcmp(description->registers[i].name, "value"))
				return &description->registers[i];
	}
	return NULL;
}

static void print_text(const struct rf_device_info *info, const struct link *link)
{
	printf("native fences        %s\n", info->native_fence ? "yes" : "no");
	printf("MonitoredValue       %s memory\n", info->monitored_local ? "local" : "system");
	printf("nodes                %u\n", info->nodes);
	printf("vector engine        %s\n", info->vector_engine ? "yes" : "no");
	printf("dedicated doorbells  %u\n", info->doorbells);
	printf("fence value stride   %u bytes\n", info->fence_stride);
	printf("local memory         %" PRIu64 " KiB\n", info->local_memory_bytes / 1024);
	printf("timestamp            %" PRIu64 " Hz\n", info->timestamp_hz);
	if (link->width)
		printf("link                 %g GT/s x%u\n", link->gigatransfers, link->width);
}

/* One of what was counted; @count: of those before it. */
static void print_counter(const char *name, uint64_t value, unsigned int count, bool json)
{
	if (json)
		printf("%s\"%s\": %" PRIu64, count ? ", " : "", name, value);
	else if (value)
		printf("counted %-32s %" PRIu64 "\n", name, value);
}

static void print_registers(struct rf_setup *setup, unsigned int device, bool json)
{
	const struct rf_register_description *counters = counter_values();
	uint32_t i;

	for (i = 0; i < counters->count; i++)
		print_counter(counters->names[i],
			      rf_setup_register(setup, device, RF_REG_COUNTER_VALUE(i)), i, json);
}

/* Statistics of the kernel's driver, for root: one name and number a line. */
static void print_statistics(const char *function, bool json)
{
	unsigned int count = 0;
	char path[80], name[64];
	uint64_t value;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%s/statistics", function);
	file = fopen(path, "r");
	if (!file)
		return;
	while (fscanf(file, "%63s %" SCNu64, name, &value) == 2)
		print_counter(name, value, count++, json);
	fclose(file);
}

static void print_counters(struct rf_setup *setup, const char *name, unsigned int device, bool json)
{
	char function[16];

	if (setup->world.miniport)
		return; /* it has no registers that are known */
	if (setup->world.bus)
		print_registers(setup, device, json);
	else if (!rf_setup_function(setup, name, function))
		print_statistics(function, json);
}

static void print_json(struct rf_setup *setup, const char *name, unsigned int device,
		       const struct rf_device_info *info, const struct link *link)
{
	printf("{\"native_fences\": %s, \"monitored_value_local\": %s, \"nodes\": %u, "
	       "\"vector_engine\": %s, \"doorbells\": %u, \"fence_value_stride\": %u, \"local_memory_bytes\": %" PRIu64
	       ", \"timestamp_hz\": %" PRIu64,
	       info->native_fence ? "true" : "false", info->monitored_local ? "true" : "false",
	       info->nodes, info->vector_engine ? "true" : "false", info->doorbells,
	       info->fence_stride, info->local_memory_bytes, info->timestamp_hz);
	if (link->width)
		printf(", \"link_gigatransfers\": %g, \"link_width\": %u", link->gigatransfers,
		       link->width);
	printf(", \"counters\": {");
	print_counters(setup, name, device, true);
	printf("}}\n");
}

static void print_device(struct rf_setup *setup, const char *name, unsigned int device, bool json)
{
	struct link link = { 0 };
	struct rf_device_info info;

	rf_device_info(rf_setup_device(setup, device), &info);
	find_link(setup, name, device, &link);
	if (json) {
		print_json(setup, name, device, &info, &link);
	} else {
		print_text(&info, &link);
		print_counters(setup, name, device, false);
	}
}

static void print_devices(struct rf_setup *setup, const char *name, bool json)
{
	unsigned int i, count = rf_setup_count(setup);

	if (count == 1) {
		print_device(setup, name, 0, json);
		return;
	}
	if (json)
		printf("{\"devices\": [\n");
	for (i = 0; i < count; i++) {
		if (json && i)
			printf(",\n");
		else if (!json)
			printf("%sdevice %u\n", i ? "\n" : "", i);
		print_device(setup, name, i, json);
	}
	if (json)
		printf("]}\n");
}

int rf_main_info(int argc, char **argv)
{
	const char *name = NULL;
	struct rf_setup setup;
	bool json = false;
	const struct rf_option options[] = {
		{ "device", .text = &name },
		{ "json", .flag = &json },
		{ 0 },
	};

	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	name = rf_setup_name(name);
	if (rf_setup_open_world(&setup, name))
		return 1;
	print_devices(&setup, name, json);
	return rf_setup_destroy(&setup) ? 1 : 0;
}
