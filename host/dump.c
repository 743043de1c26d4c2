// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence dump: the post-mortem dump of a simulated device on which one queue waits for a
 * fence and another hangs in a copy, as docs/recovery.md explains it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "rf_hosted.h"
#include "ringfence.h"
#include "ringfence_hw.h"
#include "setup.h"

#define BYTES 4096u
#define CYCLES 5000u

static int submit(struct rf_device *device, uint32_t node, struct rf_fence *fence,
		  struct rf_memory *memory)
{
	struct rf_commands *commands;
	struct rf_queue *queue;
	int error;

	error = rf_queue_create(device, node, 16, 0, &queue);
	if (!error)
		error = rf_commands_create(queue, BYTES, RF_MEMORY_SYSTEM, &commands);
	if (error)
		return error;
	if (node == RF_ENGINE_COPY)
		rf_command_copy(commands, rf_memory_address(memory) + BYTES,
				rf_memory_address(memory), BYTES);
	else
		rf_command_wait(commands, fence, 1000);
	return rf_queue_submit(queue, commands);
}

/* The queues live as long as the program. */
static int set_up(struct rf_setup *setup)
{
	const uint64_t hold = RF_NODE_ENGINE_HOLD_MASK;
	struct rf_memory *memory;
	struct rf_fence *fence;
	int error;

	error = rf_fence_create(setup->device, RF_FENCE_DEFAULT, 0, 7, &fence);
	if (!error)
		error = rf_memory_create(setup->device, 2 * BYTES, RF_MEMORY_SYSTEM, &memory);
	if (!error)
		error = submit(setup->device, RF_ENGINE_COMPUTE, fence, memory);
	if (!error)
		error = rfsim_bar_write(setup->sim, 0, RF_REG_NODE_ENGINE(RF_NODE_COPY), &hold,
					sizeof(hold));
	if (!error)
		error = submit(setup->device, RF_ENGINE_COPY, fence, memory);
	if (!error)
		error = rfsim_step(setup->world, CYCLES);
	return error;
}

int rf_main_dump(int argc, char **argv)
{
	bool json = argc == 2 && !strcmp(argv[1], "--json");
	struct rf_setup setup;
	char *text;
	int error;

	if (argc > 1 && !json) {
		fprintf(stderr,
			"Usage: ringfence dump [--json]\n"
			"Everything that driver and device know, of a simulated device on\n"
			"which one queue waits and another hangs; 0 is left out of text.\n");
		return 2;
	}
	if (rf_setup_create(&setup, NULL, NULL))
		return 1;
	error = set_up(&setup);
	if (!error)
		error = rf_hosted_dump(setup.hosted_device, json, &text);
	if (error) {
		fprintf(stderr, "ringfence: dump failed: %s\n", strerror(-error));
		return 1;
	}
	fputs(text, stdout);
	free(text);
	return 0;
}
