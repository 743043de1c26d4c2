// SPDX-License-Identifier: Apache-2.0
#include "counted.h"

void counted_open(struct rf_conform *conform, struct counted *counted)
{
	struct rf_device *device = conform->setup.device;
	struct rf_device_info info;

	rf_device_info(device, &info);
	counted->adds = info.vector_engine;
	counted->queue = stack_queue(conform, RF_ENGINE_COMPUTE);
	counted->want = 0;
	RF_CHECK(conform, !rf_memory_create(device, 4096, RF_MEMORY_SYSTEM, &counted->memory),
		 "rf_memory_create");
	counted->commands = stack_commands(conform, counted->queue);
	if (counted->adds)
		rf_command_vector(counted->commands, RF_VECTOR_AXPB,
				  rf_memory_address(counted->memory),
				  rf_memory_address(counted->memory), 1ull << 32 | 1, 1);
}

void counted_submit(struct rf_conform *conform, struct counted *counted)
{
	stack_submit(conform, counted->commands);
	counted->want++;
}

uint32_t counted_done(const struct counted *counted)
{
	if (!counted->adds)
		return (uint32_t)rf_queue_progressed(counted->queue);
	return *(volatile uint32_t *)rf_memory_map(counted->memory);
}

void counted_finish(struct rf_conform *conform, struct counted *counted, const char *when)
{
	RF_CHECK_EQUAL(conform, rf_queue_wait(counted->queue, 20 * SECOND), 0, when);
	RF_CHECK_EQUAL(conform, counted_done(counted), counted->want, when);
}

void counted_publish(struct counted *counted)
{
	struct rf_queue *queue = counted->queue;
	struct rf_commands *commands = counted->commands;
	uint64_t submitted = queue->submitted + 1;
	uint64_t *tail = &commands->words[commands->count];
	struct rf_ring_entry *ring = (struct rf_ring_entry *)queue->entries;

	tail[0] = (uint64_t)RF_OPCODE_PROGRESS << RF_PACKET_HEADER_OPCODE_SHIFT |
		  (uint64_t)RF_PACKET_PROGRESS_WORDS_MAX << RF_PACKET_HEADER_WORDS_SHIFT;
	tail[1] = submitted;
	*queue->last_queued = submitted;
	ring[(submitted - 1) & (queue->entry_count - 1)] = (struct rf_ring_entry){
		.address = commands->memory->address,
		.size = (commands->count + RF_PACKET_PROGRESS_WORDS_MAX) * 8,
	};
	__atomic_store_n(queue->write_pointer, submitted, __ATOMIC_SEQ_CST);
	queue->submitted = submitted;
	counted->want++;
}

void ring_now(void *argument)
{
	struct race *race = argument;

	counted_publish(race->counted);
	rf_carrier_ring(race->counted->queue->doorbell, race->counted->queue->submitted);
}

void read_now(void *argument)
{
	struct race *race = argument;

	race->status = __atomic_load_n(race->counted->queue->status, __ATOMIC_ACQUIRE);
	race->read = true;
}
