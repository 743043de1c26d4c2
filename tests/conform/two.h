/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tests with two simulated devices of one world share. In the words of the sources' tables,
 * dGPU is the first device, and iGPU the second one, which has native fences (scenario 1) or none
 * (scenarios 2a and 2b). Calls of the iGPU's miniport are counted here, those of the dGPU's are
 * watched (watch.h).
 */
#ifndef RF_CONFORM_TWO_H
#define RF_CONFORM_TWO_H

#include "rf_ddi_tables.h"
#include "rf_hosted.h"
#include "stack.h"

/* Fences that the core named to the iGPU's driver in update_current_values_from_cpu. */
struct igpu_calls {
	unsigned int notifications; /* with NotificationOnly */
	unsigned int stores; /* without */
};

extern struct igpu_calls igpu_calls;

/**
 * struct two - two devices, and a fence of both
 * @dgpu: the first, a process on it, and its part of the fence
 * @igpu: the second
 * @second: the same as the shell has it
 * @global: handle of the dGPU's miniport for the fence
 */
struct two {
	struct rf_conform *conform;
	struct rf_device *dgpu, *igpu;
	struct rf_hosted_device *second;
	struct rf_fence *on_dgpu, *on_igpu;
	const void *global;
};

/*
 * Each fails the test if something does not work. @igpu: table of the second device. The root
 * complex does not route requests between devices, so that the CPU propagates signals.
 */
struct two two_new(struct rf_conform *conform, const struct rf_ddi *igpu);
/* The same with a root complex that routes, so that devices signal to each other. */
struct two two_new_peers(struct rf_conform *conform);
/* The setup closes the dGPU only. */
void two_end(struct two *two);
/* One more device, and a process on it. */
struct rf_device *two_add_device(struct rf_conform *conform, const struct rf_ddi *ddi,
				 struct rf_hosted_device **hosted);
struct rf_fence *two_make_fence(struct rf_conform *conform, struct rf_device *device, uint32_t type,
				uint64_t initial);
struct rf_fence *two_open_fence(struct rf_conform *conform, struct rf_device *device,
				struct rf_fence *other);
struct rf_queue *two_queue(struct two *two, struct rf_device *device, uint32_t node,
			   uint32_t flags);

/* A compute queue whose commands wait for 10. */
struct rf_queue *two_wait(struct two *two, struct rf_device *device, struct rf_fence *fence);
/* Signal 10, by commands of a copy queue, and run until nothing happens any more. */
void two_signal(struct two *two, struct rf_device *device, struct rf_fence *fence);
/* That queue goes on, and the value is 10 on both. */
void two_check_released(struct two *two, struct rf_queue *queue);
/* The iGPU was notified so often, and its driver stored nothing. */
void two_check_notified(struct two *two, unsigned int times);

/**
 * struct two_ring - a third device, and a value that queues of three devices pass on in a ring
 * @third: a process on it
 * @fences: by the device that made it, by the device that uses it
 * @queues: each waits for its own device's fence and signals the next one's, four rounds
 */
struct two_ring {
	struct rf_device *third;
	struct rf_fence *fences[3][3];
	struct rf_queue *queues[3];
};

/* All is submitted and stands still until fences[0] is 1. The caller closes the third device. */
struct two_ring two_ring_of_three(struct two *two);

#endif
