// SPDX-License-Identifier: Apache-2.0
#include "stages.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* State of a queue while its log records are processed in order. */
struct queue {
	uint64_t last; /* end of the record before */
	const struct rf_stage_record *pending[RF_STAGE_WAITS]; /* waits since the last signal */
	unsigned int pending_count;
};

/* By time; of records of one time, which one queue does not have, waits are over first. */
static int compare(const void *a, const void *b)
{
	const struct rf_stage_record *one = a, *other = b;

	if (one->end != other->end)
		return one->end < other->end ? -1 : 1;
	return (int)other->wait - (int)one->wait;
}

/* The stage that ended with the first signal that covers the wait; NULL: a CPU's signal. */
static const struct rf_stage *find_signal(const struct rf_stage *stages, size_t count,
					  const struct rf_stage_record *wait)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!stages[i].wait && stages[i].fence == wait->fence &&
		    stages[i].value >= wait->value)
			return &stages[i];
	return NULL;
}

static void add_waits(struct rf_stage *stage, const struct queue *queue,
		      const struct rf_stage *stages, size_t count)
{
	unsigned int i;

	for (i = 0; i < queue->pending_count; i++) {
		const struct rf_stage *signal = find_signal(stages, count, queue->pending[i]);

		if (signal)
			stage->waits[stage->wait_count++] = signal->id;
	}
}

static void take_wait(struct queue *queue, const struct rf_stage_record *record)
{
	if (queue->pending_count < RF_STAGE_WAITS)
		queue->pending[queue->pending_count++] = record;
}

long rf_stages_build(const struct rf_stage_record *records, size_t count, uint64_t begin,
		     struct rf_stage **result)
{
	struct rf_stage_record *sorted = malloc((count + 1) * sizeof(*sorted));
	struct rf_stage *stages = calloc(count + 1, sizeof(*stages));
	struct queue queues[RF_STAGE_QUEUES] = { 0 };
	size_t made = 0, i;

	if (!sorted || !stages) {
		free(sorted);
		free(stages);
		return -ENOMEM;
	}
	memcpy(sorted, records, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare);
	for (i = 0; i < RF_STAGE_QUEUES; i++)
		queues[i].last = begin;
	for (i = 0; i < count; i++) {
		const struct rf_stage_record *record = &sorted[i];
		struct queue *queue = &queues[record->queue];
		struct rf_stage *stage = &stages[made];

		if (record->lost)
			continue;
		if (record->wait)
			take_wait(queue, record);
		if (!record->wait || record->observed) {
			/* A WAIT may reach the wait unit before the signal in front of it is performed. */
			bool stalls = record->wait && record->observed > queue->last;

			*stage = (struct rf_stage){
				.id = made + 1,
				.queue = record->queue,
				.wait = record->wait,
				.fence = record->fence,
				.value = record->value,
				.begin = stalls ? record->observed : queue->last,
				.end = record->end,
			};
			if (!record->wait) {
				add_waits(stage, queue, stages, made);
				queue->pending_count = 0;
			}
			made++;
		}
		queue->last = record->end;
	}
	free(sorted);
	*result = stages;
	return (long)made;
}
