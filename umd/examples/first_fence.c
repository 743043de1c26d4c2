// SPDX-License-Identifier: Apache-2.0
/*
 * The smallest whole program: a copy queue fills memory and signals a fence, the
 * CPU waits for it. make examples builds it as build/examples/first_fence.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "ringfence.h"

static int check(int error, const char *what)
{
	if (error)
		fprintf(stderr, "%s: %s\n", what, rf_error_string(error));
	return error;
}

static int open_device(struct rf_device **device)
{
	int error = rf_device_open(NULL, device);

	if (error)
		fprintf(stderr, "%s\n", rf_device_open_error());
	return error;
}

int main(void)
{
	struct rf_commands *commands;
	struct rf_device *device;
	struct rf_memory *memory;
	struct rf_queue *queue;
	struct rf_fence *fence;
	uint64_t word;

	if (open_device(&device) ||
	    check(rf_memory_create(device, 4096, RF_MEMORY_LOCAL, &memory), "memory") ||
	    check(rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &fence), "fence") ||
	    check(rf_queue_create(device, RF_ENGINE_COPY, 16, 0, &queue), "queue") ||
	    check(rf_commands_create(queue, 4096, RF_MEMORY_SYSTEM, &commands), "commands"))
		return 1;

	rf_command_fill(commands, rf_memory_address(memory), 4096, 0x0123456789abcdef);
	rf_command_signal(commands, fence, 1);
	if (check(rf_queue_submit(queue, commands), "submit") ||
	    check(rf_fence_wait(fence, 1, RF_TIMEOUT_NONE), "wait") ||
	    check(rf_memory_read(memory, 4088, &word, sizeof(word)), "read"))
		return 1;
	printf("fence is %" PRIu64 ", memory holds %016" PRIx64 "\n", rf_fence_value(fence), word);

	rf_commands_destroy(commands);
	rf_queue_destroy(queue);
	rf_fence_destroy(fence);
	rf_memory_destroy(memory);
	rf_device_close(device);
	return word != 0x0123456789abcdef || check(fflush(stdout) ? -errno : 0, "output");
}
