// SPDX-License-Identifier: Apache-2.0
#include "two.h"

#include <string.h>

struct igpu_calls igpu_calls;

static const struct rf_ddi *igpu_behind;

static int igpu_update_current(void *h_adapter,
			       const struct rf_update_current_values_from_cpu *update)
{
	if (update->flags & RF_UPDATE_NOTIFICATION_ONLY)
		igpu_calls.notifications += update->num_fences;
	else
		igpu_calls.stores += update->num_fences;
	return igpu_behind->update_current_values_from_cpu(h_adapter, update);
}

struct rf_device *two_add_device(struct rf_conform *conform, const struct rf_ddi *ddi,
				 struct rf_hosted_device **hosted)
{
	struct rf_device *device;

	RF_CHECK_EQUAL(conform, rf_world_add_device(&conform->setup.world, ddi, hosted), 0,
		       "another device");
	RF_CHECK_EQUAL(conform, rf_device_open_hosted(*hosted, &device), 0, "a process on it");
	return device;
}

struct rf_fence *two_make_fence(struct rf_conform *conform, struct rf_device *device, uint32_t type,
				uint64_t initial)
{
	struct rf_fence *fence;

	RF_CHECK_EQUAL(conform,
		       rf_fence_create(device, type, RF_FENCE_CROSS_ADAPTER, initial, &fence), 0,
		       "rf_fence_create");
	return fence;
}

struct rf_fence *two_open_fence(struct rf_conform *conform, struct rf_device *device,
				struct rf_fence *other)
{
	struct rf_fence *fence;
	uint64_t token;

	RF_CHECK_EQUAL(conform, rf_fence_share(other, &token), 0, "rf_fence_share");
	RF_CHECK_EQUAL(conform, rf_fence_open(device, token, 0, &fence), 0, "rf_fence_open");
	return fence;
}

static void set_peer_off(struct rf_conform *conform, struct rfsim_device *sim, bool peer_off)
{
	struct rfsim_port_config config;

	rfsim_port_config(sim, &config);
	config.peer_off = peer_off;
	RF_CHECK_EQUAL(conform, rfsim_port_configure(sim, &config), 0, "rfsim_port_configure");
}

static struct two two_new_routed(struct rf_conform *conform, const struct rf_ddi *igpu,
				 bool peer_off)
{
	static struct rf_ddi counted;
	struct two two = { .conform = conform, .dgpu = conform->setup.device };

	counted = *igpu;
	counted.update_current_values_from_cpu = igpu_update_current;
	igpu_behind = igpu;
	memset(&igpu_calls, 0, sizeof(igpu_calls));
	two.igpu = two_add_device(conform, &counted, &two.second);
	set_peer_off(conform, conform->setup.world.sim, peer_off);
	set_peer_off(conform, conform->setup.world.more[0].sim, peer_off);
	two.on_dgpu = two_make_fence(conform, two.dgpu, RF_FENCE_DEFAULT, 0);
	two.global = rf_watch_find(RF_WATCH_CREATE_FENCE, rf_watch_count(RF_WATCH_CREATE_FENCE) - 1)
			     ->object;
	two.on_igpu = two_open_fence(conform, two.igpu, two.on_dgpu);
	rf_watch_clear();
	return two;
}

struct two two_new(struct rf_conform *conform, const struct rf_ddi *igpu)
{
	return two_new_routed(conform, igpu, true);
}

struct two two_new_peers(struct rf_conform *conform)
{
	return two_new_routed(conform, &rf_ringfence_ddi, false);
}

void two_end(struct two *two)
{
	rf_device_close(two->igpu);
}

struct rf_queue *two_queue(struct two *two, struct rf_device *device, uint32_t node, uint32_t flags)
{
	struct rf_queue *queue;

	RF_CHECK_EQUAL(
		two->conform,
		rf_queue_create(device, node, flags & RF_QUEUE_KERNEL ? 0 : 16, flags, &queue), 0,
		"rf_queue_create");
	return queue;
}

struct rf_queue *two_wait(struct two *two, struct rf_device *device, struct rf_fence *fence)
{
	struct rf_queue *queue = two_queue(two, device, RF_ENGINE_COMPUTE, 0);
	struct rf_commands *commands = stack_commands(two->conform, queue);

	rf_command_wait(commands, fence, 10);
	stack_submit(two->conform, commands);
	stack_settle(two->conform);
	RF_CHECK_EQUAL(two->conform, rf_queue_completed(queue), 0, "completed before the signal");
	return queue;
}

void two_signal(struct two *two, struct rf_device *device, struct rf_fence *fence)
{
	stack_signal(two->conform, two_queue(two, device, RF_ENGINE_COPY, 0), fence, 10);
	stack_settle(two->conform);
}

void two_check_released(struct two *two, struct rf_queue *queue)
{
	RF_CHECK_EQUAL(two->conform, rf_queue_completed(queue), 1, "completed after the signal");
	RF_CHECK_EQUAL(two->conform, rf_fence_value(two->on_igpu), 10, "value on the iGPU");
	RF_CHECK_EQUAL(two->conform, rf_fence_value(two->on_dgpu), 10, "value on the dGPU");
}

void two_check_notified(struct two *two, unsigned int times)
{
	RF_CHECK_EQUAL(two->conform, igpu_calls.notifications, times, "notifications of the iGPU");
	RF_CHECK_EQUAL(two->conform, igpu_calls.stores, 0, "stores by the iGPU's driver");
}

struct two_ring two_ring_of_three(struct two *two)
{
	struct rf_conform *conform = two->conform;
	struct rf_hosted_device *hosted;
	struct two_ring ring = { .third = two_add_device(conform, NULL, &hosted) };
	struct rf_device *devices[3] = { two->dgpu, two->igpu, ring.third };
	struct rf_commands *commands;
	unsigned int i, k, round;
	struct rf_fence *made;

	for (i = 0; i < 3; i++) {
		made = two_make_fence(conform, devices[i], RF_FENCE_DEFAULT, 0);
		for (k = 0; k < 3; k++)
			ring.fences[i][k] =
				k == i ? made : two_open_fence(conform, devices[k], made);
	}
	for (i = 0; i < 3; i++) {
		ring.queues[i] = two_queue(two, devices[i], RF_ENGINE_COMPUTE, 0);
		commands = stack_commands(conform, ring.queues[i]);
		for (round = 1; round <= 4; round++) {
			rf_command_wait(commands, ring.fences[i][i], round);
			rf_command_signal(commands, ring.fences[(i + 1) % 3][i],
					  i == 2 ? round + 1 : round);
		}
		stack_submit(conform, commands);
	}
	stack_settle(conform);
	return ring;
}
