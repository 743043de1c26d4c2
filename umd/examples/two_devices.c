// SPDX-License-Identifier: Apache-2.0
/*
 * Two devices that hand work to each other: a queue of the first one fills a line and signals, a queue
 * of the second one waits for that, does its part and signals back. Both are submitted at once; from
 * then on the devices wait for each other, by fences that both have open (docs/two-devices.md).
 *
 * make examples builds it as build/examples/two_devices. The devices are those of the strings on the
 * command line, or "sim:" and "sim:device=1".
 */
#include <inttypes.h>
#include <stdio.h>

#include "ringfence.h"

#define ROUNDS 8u
#define LINE 256u

/* A device, and what this program has there. */
struct side {
	struct rf_device *device;
	struct rf_memory *memory;
	struct rf_queue *queue;
	struct rf_commands *commands;
	struct rf_fence *filled, *taken;
};

static int check(int error, const char *what)
{
	if (error)
		fprintf(stderr, "%s: %s\n", what, rf_error_string(error));
	return error;
}

static int open_side(struct side *side, const char *name)
{
	if (rf_device_open(name, &side->device)) {
		fprintf(stderr, "%s\n", rf_device_open_error());
		return -1;
	}
	return check(rf_memory_create(side->device, ROUNDS * LINE, RF_MEMORY_SYSTEM, &side->memory),
		     "memory") ||
	       check(rf_queue_create(side->device, RF_ENGINE_COPY, 16, 0, &side->queue), "queue") ||
	       check(rf_commands_create(side->queue, 16384, RF_MEMORY_SYSTEM, &side->commands),
		     "commands");
}

static void close_side(struct side *side)
{
	rf_commands_destroy(side->commands);
	rf_queue_destroy(side->queue);
	rf_fence_destroy(side->filled);
	rf_fence_destroy(side->taken);
	rf_memory_destroy(side->memory);
	rf_device_close(side->device);
}

/* Made on one device, and opened on the other by its token. */
static int share(struct side *maker, struct rf_fence **made, struct side *other,
		 struct rf_fence **opened)
{
	uint64_t token;

	return check(rf_fence_create(maker->device, RF_FENCE_DEFAULT, RF_FENCE_CROSS_ADAPTER, 0,
				     made),
		     "fence") ||
	       check(rf_fence_share(*made, &token), "share") ||
	       check(rf_fence_open(other->device, token, 0, opened), "open");
}

/* The pattern of a round, by each device. */
static uint64_t pattern(unsigned int device, unsigned int round)
{
	return 0x1000000000000000 * (device + 1) + round;
}

static void record(struct side *first, struct side *second)
{
	uint64_t to = rf_memory_address(first->memory), from = rf_memory_address(second->memory);
	unsigned int round;

	for (round = 1; round <= ROUNDS; round++, to += LINE, from += LINE) {
		rf_command_fill(first->commands, to, LINE, pattern(0, round));
		rf_command_signal(first->commands, first->filled, round);
		rf_command_wait(first->commands, first->taken, round);

		rf_command_wait(second->commands, second->filled, round);
		rf_command_fill(second->commands, from, LINE, pattern(1, round));
		rf_command_signal(second->commands, second->taken, round);
	}
}

static int compare(struct side *side, unsigned int device)
{
	unsigned int round;
	uint64_t word;

	for (round = 1; round <= ROUNDS; round++) {
		if (check(rf_memory_read(side->memory, round * LINE - 8, &word, 8), "read"))
			return -1;
		if (word != pattern(device, round)) {
			fprintf(stderr, "device %u, round %u: %016" PRIx64 "\n", device, round,
				word);
			return -1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct side first = { 0 }, second = { 0 };
	int failed;

	if (argc != 1 && argc != 3) {
		fprintf(stderr, "usage: two_devices [DEVICE DEVICE]\n");
		return 2;
	}
	if (open_side(&first, argc == 3 ? argv[1] : "sim:") ||
	    open_side(&second, argc == 3 ? argv[2] : "sim:device=1") ||
	    share(&first, &first.filled, &second, &second.filled) ||
	    share(&second, &second.taken, &first, &first.taken))
		return 1;
	record(&first, &second);
	/* the second one first: it waits */
	failed = check(rf_queue_submit(second.queue, second.commands), "submit") ||
		 check(rf_queue_submit(first.queue, first.commands), "submit") ||
		 check(rf_queue_wait(first.queue, RF_TIMEOUT_NONE), "wait") ||
		 check(rf_queue_wait(second.queue, RF_TIMEOUT_NONE), "wait") ||
		 compare(&first, 0) || compare(&second, 1);
	if (!failed)
		printf("%" PRIu64 " lines filled by one device, %" PRIu64 " taken by the other\n",
		       rf_fence_value(second.filled), rf_fence_value(first.taken));
	close_side(&first);
	close_side(&second);
	return failed ? 1 : 0;
}
