/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue that does what it must not, and one beside it that must not notice.
 */
#ifndef RF_CONFORM_VICTIM_H
#define RF_CONFORM_VICTIM_H

#include "dev.h"

#define RF_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* An address that no VMID maps. */
#define RF_DEV_NOWHERE 0x8000ull

/*
 * The queue comes to rest in error, and the next record of the interrupt ring, and
 * the slot's registers, say so alike: error, address, store. Any other record in
 * between fails the test.
 */
void rf_victim_stopped(struct rf_dev_queue *queue, enum rf_queue_error error, uint64_t address,
		       bool store);

/* A neighbour with work of its own. */
struct rf_neighbour {
	struct rf_dev_queue queue;
	struct rf_spot cells; /* it writes these, in order */
	uint64_t rounds;
};

void rf_neighbour_open(struct rf_neighbour *neighbour, struct rf_dev *dev, unsigned int slot,
		       unsigned int node, enum rf_place place);
/* Submit a round of work. */
void rf_neighbour_work(struct rf_neighbour *neighbour);
/* It is all done, and right. */
void rf_neighbour_check(struct rf_neighbour *neighbour);

#endif
