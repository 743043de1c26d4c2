// SPDX-License-Identifier: Apache-2.0
/*
 * One submission to a connected queue, for callgrind to count: from the call of
 * rf_queue_submit() to the doorbell. The linker leads rf_hosted_ring(), which stands
 * for the store to the doorbell, here (--wrap), where the counting ends. Valgrind
 * cannot map memory twice: views of memory are the memory itself here.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "hosted.h"
#include "ringfence.h"

static bool counting;

void __real_rf_hosted_ring(struct rf_doorbell_page *page, uint64_t value);
void __wrap_rf_hosted_ring(struct rf_doorbell_page *page, uint64_t value);

void __wrap_rf_hosted_ring(struct rf_doorbell_page *page, uint64_t value)
{
	if (counting) {
		CALLGRIND_TOGGLE_COLLECT;
		counting = false;
	}
	__real_rf_hosted_ring(page, value);
}

void *__wrap_hosted_view_create(const struct rf_mem *mem);
void __wrap_hosted_view_destroy(const struct rf_mem *mem, void *view);

void *__wrap_hosted_view_create(const struct rf_mem *mem)
{
	return mem->cpu;
}

void __wrap_hosted_view_destroy(const struct rf_mem *mem, void *view)
{
	(void)mem;
	(void)view;
}

static int submit_twice(struct rf_queue *queue, struct rf_fence *fence,
			struct rf_commands *commands)
{
	int error;

	/* The first one connects the doorbell. */
	rf_command_signal(commands, fence, 1);
	error = rf_queue_submit(queue, commands);
	if (!error)
		error = rf_queue_wait(queue, RF_TIMEOUT_NONE);
	if (error)
		return error;
	rf_commands_reset(commands);
	rf_command_signal(commands, fence, 2);
	counting = true;
	CALLGRIND_TOGGLE_COLLECT;
	error = rf_queue_submit(queue, commands);
	return error ? error : rf_queue_wait(queue, RF_TIMEOUT_NONE);
}

int main(void)
{
	struct rf_commands *commands;
	struct rf_device *device;
	struct rf_fence *fence;
	struct rf_queue *queue;
	int error;

	error = rf_device_open("sim:", &device);
	if (!error)
		error = rf_queue_create(device, RF_ENGINE_COPY, 16, 0, &queue);
	if (!error)
		error = rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &fence);
	if (!error)
		error = rf_commands_create(queue, 4096, RF_MEMORY_SYSTEM, &commands);
	if (!error)
		error = submit_twice(queue, fence, commands);
	if (!error && (counting || rf_fence_value(fence) != 2)) {
		fprintf(stderr, "submit: the submission was not as expected\n");
		return 1;
	}
	if (error) {
		fprintf(stderr, "submit: %s\n", strerror(-error));
		return 1;
	}
	rf_fence_destroy(fence);
	rf_queue_destroy(queue);
	rf_commands_destroy(commands);
	rf_device_close(device);
	return 0;
}
