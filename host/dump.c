// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence dump: the state of driver and device, as explained in docs/recovery.md. For the kernel's
 * driver it is read from debugfs. For a bare function the registers are read without a reset, so
 * that the state left by a process that died is kept. A simulated device exists in this process
 * only, so the command makes it hang first. Each of them gives JSON; the diagnosis and the text are
 * made of that.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "diagnosis.h"
#include "dump_text.h"
#include "problem.h"
#include "rf_hosted.h"
#include "rf_miniport_loader.h"
#include "rf_pci_bus.h"
#include "ringfence.h"
#include "ringfence_hw.h"
#include "setup.h"

static const char usage[] =
	"Usage: ringfence dump [--device DEVICE] [--devices COUNT] [--json]\n"
	"       ringfence dump --input FILE [--json]\n"
	"Prints what waits for what, in sentences, then the state of driver and device, without zeros.\n"
	"  --device DEVICE  \"drm:\", \"drm:NODE\": from the kernel driver, as root;\n"
	"                   \"pci:0000:00:04.0\": the registers, without changing them;\n"
	"                   \"sim:\" or a device string (docs/device-string.md): a device on\n"
	"                   which a queue waits and another hangs; default: $RINGFENCE_DEVICE, else \"sim:\"\n"
	"  --devices COUNT  1 or 2 simulated devices, as devices= in a device string; default: 1.\n"
	"                   Of two, the second one waits for the first one, which hangs\n"
	"  --input FILE     a dump that --json printed before, here or elsewhere\n"
	"  --json           the same names, with all numbers, without the sentences\n";

#define BYTES 4096u
#define CYCLES 5000u

#define VALUE 1000u /* that is waited for */

static int create_queue(struct rf_device *device, uint32_t node, struct rf_queue **queue,
			struct rf_commands **commands)
{
	int error = rf_queue_create(device, node, 16, 0, queue);

	return error ? error : rf_commands_create(*queue, BYTES, RF_MEMORY_SYSTEM, commands);
}

static int submit_wait(struct rf_device *device, struct rf_fence *fence)
{
	struct rf_commands *commands;
	struct rf_queue *queue;
	int error = create_queue(device, RF_ENGINE_COMPUTE, &queue, &commands);

	if (error)
		return error;
	rf_command_wait(commands, fence, VALUE);
	return rf_queue_submit(queue, commands);
}

/* Work that the engine does not end, and the signal behind it. */
static int submit_work(struct rf_device *device, struct rf_fence *fence)
{
	struct rf_commands *commands;
	struct rf_memory *memory;
	struct rf_queue *queue;
	int error = rf_memory_create(device, 2 * BYTES, RF_MEMORY_SYSTEM, &memory);

	if (!error)
		error = create_queue(device, RF_ENGINE_COPY, &queue, &commands);
	if (error)
		return error;
	rf_command_copy(commands, rf_memory_address(memory) + BYTES, rf_memory_address(memory),
			BYTES);
	rf_command_signal(commands, fence, VALUE);
	return rf_queue_submit(queue, commands);
}

/* The fence of the first device, on the last one: they may be the same. */
static int open_last(struct rf_setup *setup, struct rf_fence *fence, struct rf_fence **opened)
{
	unsigned int last = rf_setup_count(setup) - 1;
	uint64_t token;
	int error;

	*opened = fence;
	if (!last)
		return 0;
	error = rf_fence_share(fence, &token);
	return error ? error : rf_fence_open(rf_setup_device(setup, last), token, 0, opened);
}

/* The first device hangs, the last one waits. The queues live as long as the program. */
static int set_up(struct rf_setup *setup)
{
	const uint64_t hold = RF_NODE_ENGINE_HOLD_MASK;
	unsigned int last = rf_setup_count(setup) - 1;
	struct rf_fence *fence, *opened;
	int error;

	error = rf_fence_create(setup->device, RF_FENCE_DEFAULT, last ? RF_FENCE_CROSS_ADAPTER : 0,
				7, &fence);
	if (!error)
		error = open_last(setup, fence, &opened);
	if (!error)
		error = submit_wait(rf_setup_device(setup, last), opened);
	if (!error)
		error = rfsim_bar_write(setup->world.sim, 0, RF_REG_NODE_ENGINE(RF_NODE_COPY),
					&hold, sizeof(hold));
	if (!error)
		error = submit_work(setup->device, fence);
	if (!error)
		error = rfsim_step(setup->world.simulation, CYCLES);
	return error;
}

/* Of several devices: a list. */
static int dump_devices(struct rf_setup *setup, FILE *file)
{
	unsigned int i, count = rf_setup_count(setup);
	int error = 0;
	char *text;

	if (count > 1)
		fputs("{\"devices\": [\n", file);
	for (i = 0; i < count && !error; i++) {
		error = rf_hosted_dump(rf_setup_hosted(setup, i), true, &text);
		if (error)
			break;
		fprintf(file, "%s%s", i ? ",\n" : "", text);
		free(text);
	}
	if (count > 1)
		fputs("]}\n", file);
	return error;
}

static int dump_simulated(const char *name, uint64_t devices, char **text)
{
	struct rf_setup setup;
	size_t bytes;
	FILE *file;
	int error;

	if (rf_setup_open_devices(&setup, name, devices))
		exit(1);
	error = set_up(&setup);
	if (error)
		return error;
	file = open_memstream(text, &bytes);
	if (!file)
		return -ENOMEM;
	error = dump_devices(&setup, file);
	if (fclose(file) && !error)
		error = -ENOMEM;
	return error; /* the device hangs: it ends with the program */
}

static int dump_function(const char *name, char **text)
{
	struct rf_bus *bus;
	int error = rf_pci_bus_attach(name + strlen("pci:"), &bus);

	if (error) {
		fprintf(stderr, "ringfence: cannot open %s: %s\n", name,
			rf_open_reason(name, error));
		exit(1);
	}
	error = rf_hosted_dump_bus(bus, true, text);
	rf_pci_bus_destroy(bus);
	return error;
}

/* All of a file that has no 0 in it; ends the program if it cannot be opened. */
static int read_file(const char *path, char **text)
{
	FILE *file = fopen(path, "r");
	size_t size = 0;
	int error;

	if (!file) {
		fprintf(stderr, "ringfence: cannot read %s: %s\n", path,
			errno == EACCES && !strncmp(path, "/sys/", 5) ? "debugfs is for root"
								      : strerror(errno));
		exit(1);
	}
	error = getdelim(text, &size, 0, file) < 0 ? -EIO : 0;
	fclose(file);
	return error;
}

static int dump_kernel(const char *name, char **text)
{
	char function[16], path[80];
	struct rf_setup setup;
	int error;

	if (rf_setup_open(&setup, name))
		exit(1);
	error = rf_setup_function(&setup, name, function);
	rf_setup_destroy(&setup);
	if (error)
		return error;
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%s/dump.json", function);
	return read_file(path, text);
}

static int take_dump(const char *name, uint64_t devices, char **text)
{
	name = rf_setup_name(name);
	if (strncmp(name, "sim:", 4) && devices > 1) {
		fprintf(stderr,
			"ringfence: cannot dump %s with --devices %u: only simulated devices are "
			"several; dump each device by itself\n",
			name, (unsigned int)devices);
		exit(1);
	}
	if (!strncmp(name, RF_MINIPORT_PREFIX, strlen(RF_MINIPORT_PREFIX))) {
		fprintf(stderr,
			"ringfence: cannot dump %s: a miniport's device is in this process "
			"only, and idle; a dump is of drm:, pci: or sim:\n",
			name);
		exit(1);
	}
	if (!strncmp(name, "pci:", 4))
		return dump_function(name, text);
	if (!strncmp(name, "sim:", 4))
		return dump_simulated(name, devices, text);
	return dump_kernel(name, text);
}

static int print_text(const char *text)
{
	struct json_object *dump = json_tokener_parse(text);

	if (!json_object_is_type(dump, json_type_object)) {
		fprintf(stderr, "ringfence: this is no dump: a dump is what ringfence dump --json "
				"prints\n");
		json_object_put(dump);
		return 1;
	}
	rf_diagnose(dump, stdout);
	rf_print_dump(dump, stdout);
	json_object_put(dump);
	return 0;
}

int rf_main_dump(int argc, char **argv)
{
	const char *name = NULL, *input = NULL;
	char *text = NULL;
	bool json = false;
	uint64_t devices = 0;
	const struct rf_option options[] = {
		{ "device", .text = &name },
		{ "devices", .number = &devices, .least = 1, .most = RF_SETUP_DEVICES },
		{ "input", .text = &input },
		{ "json", .flag = &json },
		{ 0 },
	};
	int error, status = 0;

	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	if ((name || devices) && input) {
		fprintf(stderr, "ringfence: dump takes --device or --input, not both\n%s", usage);
		return 2;
	}
	error = input ? read_file(input, &text) : take_dump(name, devices, &text);
	if (error) {
		fprintf(stderr, "ringfence: dump failed: %s\n", strerror(-error));
		return 1;
	}
	if (json)
		fputs(text, stdout);
	else
		status = print_text(text);
	free(text);
	return status;
}
