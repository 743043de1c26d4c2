// SPDX-License-Identifier: Apache-2.0
#include "stack.h"

#include "rf_miniport_loader.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A guest, its device and their emulator share the host with others. */
#define SETTLE_US 200000
#define SETTLE_TIMES 20000 /* 200th parts of it */

struct rf_fence *stack_fence(struct rf_conform *conform, uint32_t flags, uint64_t initial)
{
	struct rf_fence *fence;

	RF_CHECK_EQUAL(
		conform,
		rf_fence_create(conform->setup.device, RF_FENCE_DEFAULT, flags, initial, &fence), 0,
		"rf_fence_create");
	return fence;
}

struct rf_queue *stack_queue(struct rf_conform *conform, uint32_t node)
{
	struct rf_queue *queue;

	RF_CHECK_EQUAL(conform, rf_queue_create(conform->setup.device, node, 16, 0, &queue), 0,
		       "rf_queue_create");
	return queue;
}

struct rf_queue *stack_kernel_queue(struct rf_conform *conform, uint32_t node)
{
	struct rf_queue *queue;

	RF_CHECK_EQUAL(conform,
		       rf_queue_create(conform->setup.device, node, 0, RF_QUEUE_KERNEL, &queue), 0,
		       "rf_queue_create");
	return queue;
}

struct rf_commands *stack_commands(struct rf_conform *conform, struct rf_queue *queue)
{
	struct rf_commands *commands;

	RF_CHECK_EQUAL(conform, rf_commands_create(queue, 4000, RF_MEMORY_SYSTEM, &commands), 0,
		       "rf_commands_create");
	return commands;
}

void stack_submit(struct rf_conform *conform, struct rf_commands *commands)
{
	RF_CHECK_EQUAL(conform, rf_queue_submit(commands->queue, commands), 0, "rf_queue_submit");
}

void stack_submit_bad(struct rf_conform *conform, struct rf_commands *commands)
{
	int error = rf_queue_submit(commands->queue, commands);

	RF_CHECK(conform, !error || error == -EIO, "rf_queue_submit: %s", strerror(-error));
}

void stack_signal(struct rf_conform *conform, struct rf_queue *queue, struct rf_fence *fence,
		  uint64_t value)
{
	struct rf_commands *commands = stack_commands(conform, queue);

	rf_command_signal(commands, fence, value);
	stack_submit(conform, commands);
}

struct rf_event *stack_notify(struct rf_conform *conform, struct rf_fence *fence, uint64_t value)
{
	struct rf_event *event;

	RF_CHECK_EQUAL(conform, rf_event_create(fence->device, &event), 0, "rf_event_create");
	RF_CHECK_EQUAL(conform, rf_fences_notify(&fence, &value, 1, RF_WAIT_ALL, event), 0,
		       "rf_fences_notify");
	return event;
}

bool stack_is_set(struct rf_event *event)
{
	return rf_event_wait(event, 0) == 0;
}

struct rf_device *stack_process(struct rf_conform *conform)
{
	struct rf_device *device;
	int error;

	if (conform->setup.world.hosted_device)
		error = rf_device_open_hosted(conform->setup.world.hosted_device, &device);
	else
		error = rf_device_open(conform->device, &device);
	RF_CHECK(conform, !error, "a second process: %s", strerror(-error));
	return device;
}

static void settle_miniport(struct rf_conform *conform)
{
	unsigned int i;
	int idle = 0;

	for (i = 0; i < SETTLE_TIMES; i++) {
		idle = rf_miniport_is_idle(conform->setup.world.miniport);
		if (idle > 0)
			return;
		usleep(idle < 0 ? SETTLE_US : SETTLE_US / 200);
		if (idle < 0)
			return;
	}
	RF_CHECK(conform, idle, "the device never comes to rest");
}

void stack_settle(struct rf_conform *conform)
{
	struct rfsim_world *world = conform->setup.world.simulation;
	uint64_t end;

	if (conform->setup.world.miniport) {
		settle_miniport(conform);
		return;
	}
	if (!world) {
		usleep(SETTLE_US);
		return;
	}
	end = rfsim_cycle(world) + 10000000;
	while (!rfsim_idle(world)) {
		RF_CHECK(conform, rfsim_cycle(world) < end, "the device never comes to rest");
		rfsim_step(world, 16);
	}
}

bool stack_store_faults(const void *address)
{
	int status;
	pid_t process;

	fflush(NULL);
	process = fork();
	if (!process) {
		signal(SIGSEGV, SIG_DFL);
		*(volatile uint64_t *)(uintptr_t)address = 0x5555555555555555;
		_exit(0);
	}
	if (process < 0 || waitpid(process, &status, 0) != process)
		return false;
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

uint64_t stack_monitored(const struct rf_fence *fence)
{
	return rf_watch_read(fence->monitored_address);
}

uint64_t stack_counter(struct rf_conform *conform, unsigned int counter)
{
	return stack_register(conform, RF_REG_COUNTER_VALUE(counter));
}

uint64_t stack_register(struct rf_conform *conform, uint64_t offset)
{
	if (!conform->setup.world.sim)
		rf_conform_skip(conform, "looks at registers of the device");
	return rf_setup_register(&conform->setup, 0, offset);
}

void stack_lose_power(struct rf_conform *conform)
{
	struct rf_bus *bus = conform->setup.world.bus;
	uint8_t garbage[4096];
	uint64_t offset;

	memset(garbage, 0xa5, sizeof(garbage));
	for (offset = 0; offset < 1 << 16; offset += sizeof(garbage))
		bus->ops->write_bytes(bus, RF_BAR_LOCAL_MEMORY, offset, garbage, sizeof(garbage));
	RF_CHECK_EQUAL(conform, bus->ops->reset_function(bus), 0, "reset");
}
