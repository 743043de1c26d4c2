// SPDX-License-Identifier: Apache-2.0
/*
 * Two devices that share a fence, of which one sleeps, is suspended, hangs, or is removed, through
 * the whole driver. See two.h.
 */
#include "base/adapter.h"
#include "base/file.h"
#include "hosted.h"
#include "ringfence_hw.h"
#include "two.h"

/* The process on the iGPU. */
static struct kmd_file *igpu_file(const struct two *two)
{
	return rf_list_first(&two->second->adapter->files, struct kmd_file, link);
}

/* What a sleeping device forgets without power. */
static void lose_power(struct rf_conform *conform, struct rf_bus *bus)
{
	RF_CHECK_EQUAL(conform, bus->ops->reset_function(bus), 0, "reset");
}

/* The iGPU sleeps with a queue that waits; the signal of the dGPU wakes it. */
static void signal_wakes_a_sleeper(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct rf_queue *queue = two_wait(&two, two.igpu, two.on_igpu);

	RF_CHECK_EQUAL(conform, rf_hosted_sleep(two.second), 0, "rf_hosted_sleep");
	lose_power(conform, two.second->bus);
	RF_CHECK(conform, two.second->adapter->in_d3, "it does not sleep");
	stack_signal(conform, two_queue(&two, two.dgpu, RF_ENGINE_COPY, 0), two.on_dgpu, 10);
	/* a thread that waits does the work */
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "rf_queue_wait");
	RF_CHECK(conform, !two.second->adapter->in_d3, "it sleeps still");
	two_check_released(&two, queue);
	two_end(&two);
}

/* A queue of the iGPU that is off the device when the value comes reads it when it is back. */
static void suspended_queue_finds_the_signal(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct rf_context *context;
	struct rf_commands *commands;
	struct rf_queue *queue;

	RF_CHECK_EQUAL(conform, rf_context_create(two.igpu, RF_ENGINE_COMPUTE, 0, &context), 0,
		       "rf_context_create");
	RF_CHECK_EQUAL(conform, rf_context_queue_create(context, 16, 0, &queue), 0,
		       "rf_context_queue_create");
	commands = stack_commands(conform, queue);
	rf_command_wait(commands, two.on_igpu, 10);
	stack_submit(conform, commands);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, kmd_context_suspend(igpu_file(&two), context->handle), 0,
		       "kmd_context_suspend");
	two_signal(&two, two.dgpu, two.on_dgpu);
	two_check_notified(&two, 1);
	RF_CHECK_EQUAL(conform, rf_queue_completed(queue), 0, "completed while suspended");
	RF_CHECK_EQUAL(conform, kmd_context_resume(igpu_file(&two), context->handle), 0,
		       "kmd_context_resume");
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "rf_queue_wait");
	two_check_released(&two, queue);
	two_end(&two);
}

/* The copy engine of the dGPU hangs before its signal: the fence of the lost process ends waits. */
static void signaller_hangs(struct rf_conform *conform)
{
	static const uint64_t hold = RF_NODE_ENGINE_HOLD_MASK;
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct rf_queue *waiting = two_wait(&two, two.igpu, two.on_igpu), *queue;
	struct rf_hosted_device *dgpu = conform->setup.world.hosted_device;
	struct rf_event *event = stack_notify(conform, two.on_igpu, 10);
	struct rf_commands *commands;
	struct rf_memory *memory;
	struct rf_hosted_recoveries recoveries;
	unsigned int i;

	RF_CHECK_EQUAL(conform, rf_memory_create(two.dgpu, 8192, RF_MEMORY_SYSTEM, &memory), 0,
		       "rf_memory_create");
	queue = two_queue(&two, two.dgpu, RF_ENGINE_COPY, 0);
	commands = stack_commands(conform, queue);
	rf_command_copy(commands, rf_memory_address(memory), rf_memory_address(memory) + 4096,
			4096);
	rf_command_signal(commands, two.on_dgpu, 10);
	rfsim_bar_write(conform->setup.world.sim, 0, RF_REG_NODE_ENGINE(RF_ENGINE_COPY), &hold,
			sizeof(hold));
	stack_submit(conform, commands);
	for (i = 1; i <= 8; i++) {
		rfsim_step(conform->setup.world.simulation, 3000);
		rf_hosted_watch_progress(dgpu, i * SECOND);
	}
	rf_hosted_recoveries(dgpu, &recoveries);
	RF_CHECK_EQUAL(conform, recoveries.engine_resets, 1, "engine resets");
	RF_CHECK_EQUAL(conform, recoveries.adapter_resets, 0, "resets of the dGPU");
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(two.on_igpu), RF_FENCE_VALUE_LOST,
		       "value on the iGPU");
	RF_CHECK_EQUAL(conform, rf_queue_completed(waiting), 1, "completed on the iGPU");
	RF_CHECK(conform, stack_is_set(event), "the waiter of the iGPU was not woken");
	two_end(&two);
}

/* A device is removed without notice; what it could not signal alone goes on. */
static void signaller_is_removed(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);
	struct rf_queue *queue = two_wait(&two, two.igpu, two.on_igpu);
	struct rf_event *event = stack_notify(conform, two.on_igpu, 10);
	struct rf_event *of_dgpu = stack_notify(conform, two.on_dgpu, 10);

	kmd_adapter_notify_removal(conform->setup.world.hosted_device->adapter);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_event_wait(of_dgpu, 0), -ENODEV, "a waiter of the dGPU");
	RF_CHECK(conform, !stack_is_set(event), "the waiter of the iGPU was woken");
	RF_CHECK_EQUAL(conform, rf_queue_completed(queue), 0, "completed before the signal");
	two_signal(&two, two.igpu, two.on_igpu);
	RF_CHECK(conform, stack_is_set(event), "the waiter of the iGPU was not woken");
	two_check_released(&two, queue);
	two_end(&two);
}

#define STACK RF_CONFORM_STACK
#define SIM RF_CONFORM_SIM_ONLY

const struct rf_conform_test rf_conform_cross_life_tests[] = {
	{ "S3-46.signal_of_another_device_wakes", "S0-80", STACK, SIM, signal_wakes_a_sleeper },
	{ "S3-34.suspended_queue_finds_a_signal_of_another_device", "S0-81", STACK, SIM,
	  suspended_queue_finds_the_signal },
	{ "A-11.another_device_hangs", "S0-82", STACK, SIM, signaller_hangs },
	{ "S0-82.another_device_is_removed", NULL, STACK, SIM, signaller_is_removed },
	{ 0 },
};
