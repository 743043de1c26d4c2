// SPDX-License-Identifier: Apache-2.0
/* The copy queue brings a block, the compute queue adds to it; fences order them. */
#include <string.h>

#include "fuzz.h"

#define WORDS 64
#define GOOD_VMID 1

static enum rf_place any_place(struct fuzz *fuzz)
{
	return chance(fuzz, 50) ? RF_PLACE_LOCAL : RF_PLACE_SYSTEM;
}

void good_open(struct fuzz *fuzz)
{
	struct rf_dev *dev = &fuzz->dev;

	rf_dev_queue_open(&fuzz->copy, dev, 0, RF_NODE_COPY, GOOD_VMID, any_place(fuzz));
	rf_dev_queue_open(&fuzz->vector, dev, 1, RF_NODE_COMPUTE, GOOD_VMID, any_place(fuzz));
	fuzz->in = rf_dev_alloc(dev, any_place(fuzz), 4 * WORDS, 64);
	fuzz->middle = rf_dev_alloc(dev, any_place(fuzz), 4 * WORDS, 64);
	fuzz->out = rf_dev_alloc(dev, any_place(fuzz), 4 * WORDS, 64);
	fuzz->fences = rf_dev_alloc(dev, any_place(fuzz), 16, 64);
	fuzz->monitored =
		rf_dev_alloc(dev, dev->shadow ? any_place(fuzz) : RF_PLACE_SYSTEM, 16, 64);
	rf_dev_write(dev, fuzz->monitored, RF_MONITORED_NONE);
	rf_dev_write(dev, rf_spot_at(fuzz->monitored, 8), RF_MONITORED_NONE);
}

static uint32_t input(const struct fuzz *fuzz, unsigned int i)
{
	return (uint32_t)(fuzz->jobs * 0x9e3779b9u + i * 0x85ebca6bu);
}

void good_begin(struct fuzz *fuzz)
{
	struct rf_dev *dev = &fuzz->dev;
	const struct rf_spot copied = fuzz->fences, added = rf_spot_at(fuzz->fences, 8);
	const uint64_t copy[] = { rf_dev_address(dev, GOOD_VMID, fuzz->middle),
				  rf_dev_address(dev, GOOD_VMID, fuzz->in), 4 * WORDS };
	const uint64_t vector[] = { rf_dev_address(dev, GOOD_VMID, fuzz->out),
				    rf_dev_address(dev, GOOD_VMID, fuzz->middle), WORDS,
				    (uint64_t)fuzz->jobs << 32 | 3 };
	uint32_t words[WORDS];
	unsigned int i;

	fuzz->jobs++;
	for (i = 0; i < WORDS; i++)
		words[i] = input(fuzz, i);
	rf_dev_write_bytes(dev, fuzz->in, words, sizeof(words));
	rf_dev_wait(&fuzz->copy, added, fuzz->jobs - 1, RF_DEV_NO_LOG);
	rf_dev_packet(&fuzz->copy, RF_OPCODE_COPY, 0, 0, copy, 3);
	rf_dev_signal(&fuzz->copy, copied, fuzz->jobs, fuzz->monitored, RF_DEV_NO_LOG);
	rf_dev_wait(&fuzz->vector, copied, fuzz->jobs, RF_DEV_NO_LOG);
	rf_dev_packet(&fuzz->vector, RF_OPCODE_VECTOR, 0, RF_VECTOR_OPERATION_AXPB, vector, 4);
	rf_dev_signal(&fuzz->vector, added, fuzz->jobs, rf_spot_at(fuzz->monitored, 8),
		      RF_DEV_NO_LOG);
	/* the one that waits may be rung first */
	if (chance(fuzz, 50)) {
		rf_dev_submit(&fuzz->vector);
		rf_dev_submit(&fuzz->copy);
	} else {
		rf_dev_submit(&fuzz->copy);
		rf_dev_submit(&fuzz->vector);
	}
}

/* The fence of the last packet says so: a read pointer moves before that is performed. */
bool good_done(struct fuzz *fuzz)
{
	return rf_dev_queue_done(&fuzz->copy) == fuzz->copy.write_pointer &&
	       rf_dev_queue_done(&fuzz->vector) == fuzz->vector.write_pointer &&
	       rf_dev_read(&fuzz->dev, rf_spot_at(fuzz->fences, 8)) == fuzz->jobs;
}

void good_check(struct fuzz *fuzz)
{
	struct rf_conform *conform = &fuzz->conform;
	uint32_t words[WORDS];
	unsigned int i;

	RF_CHECK_EQUAL(conform, rf_dev_queue_error(&fuzz->copy), 0, "error of the good copy queue");
	RF_CHECK_EQUAL(conform, rf_dev_queue_error(&fuzz->vector), 0,
		       "error of the good compute queue");
	RF_CHECK_EQUAL(conform, rf_dev_read(&fuzz->dev, rf_spot_at(fuzz->fences, 8)), fuzz->jobs,
		       "fence of the good queues");
	rf_dev_read_bytes(&fuzz->dev, fuzz->out, words, sizeof(words));
	for (i = 0; i < WORDS; i++)
		RF_CHECK_EQUAL(conform, words[i],
			       (uint32_t)(3 * input(fuzz, i) + (uint32_t)(fuzz->jobs - 1)),
			       "result of the good queues");
}
