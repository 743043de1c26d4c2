// SPDX-License-Identifier: Apache-2.0
#include "victim.h"

#define CELLS 8

void rf_victim_stopped(struct rf_dev_queue *queue, enum rf_queue_error error, uint64_t address,
		       bool store)
{
	struct rf_dev *dev = queue->dev;
	struct rf_conform *conform = dev->conform;
	struct rf_interrupt_record record;
	uint64_t status;

	rf_dev_await_state(queue, RF_SLOT_STATE_ERROR);
	rf_dev_settle(dev);
	status = rf_dev_register(dev, RF_REG_SLOT_STATUS(queue->slot));
	RF_CHECK_EQUAL(conform, rf_dev_queue_error(queue), error, "queue error");
	RF_CHECK_EQUAL(conform, !!(status & RF_SLOT_STATUS_STORE_MASK), store, "store in STATUS");
	RF_CHECK_EQUAL(conform, rf_dev_register(dev, RF_REG_SLOT_ERROR_ADDRESS(queue->slot)),
		       address, "ERROR_ADDRESS");

	RF_CHECK(conform, rf_dev_record(dev, &record), "no record of the error");
	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_QUEUE_ERROR, "record kind");
	RF_CHECK_EQUAL(conform, record.detail, error, "record detail");
	RF_CHECK_EQUAL(conform, record.handle, RF_DEV_HANDLE(queue->slot), "record queue");
	RF_CHECK_EQUAL(conform, record.vmid, queue->vmid, "record VMID");
	RF_CHECK_EQUAL(conform, record.node, queue->node, "record node");
	RF_CHECK_EQUAL(conform, record.address, address, "record address");
	RF_CHECK_EQUAL(conform, record.value,
		       status & (RF_SLOT_STATUS_STORE_MASK | RF_SLOT_STATUS_LEVEL_MASK),
		       "record value");
	RF_CHECK(conform, !rf_dev_record(dev, &record), "two records for one error");
	rf_dev_consume(dev);
}

void rf_neighbour_open(struct rf_neighbour *neighbour, struct rf_dev *dev, unsigned int slot,
		       unsigned int node, enum rf_place place)
{
	rf_dev_queue_open(&neighbour->queue, dev, slot, node, 2, place);
	neighbour->cells = rf_dev_alloc(dev, place, CELLS * 8, 64);
	neighbour->rounds = 0;
}

void rf_neighbour_work(struct rf_neighbour *neighbour)
{
	unsigned int i;

	neighbour->rounds++;
	for (i = 0; i < CELLS; i++)
		rf_dev_write_packet(&neighbour->queue, rf_spot_at(neighbour->cells, 8 * i),
				    neighbour->rounds << 8 | i);
	rf_dev_submit(&neighbour->queue);
}

void rf_neighbour_check(struct rf_neighbour *neighbour)
{
	struct rf_dev *dev = neighbour->queue.dev;
	unsigned int i;

	rf_dev_finish(&neighbour->queue);
	for (i = 0; i < CELLS; i++)
		rf_dev_await(dev, rf_spot_at(neighbour->cells, 8 * i), neighbour->rounds << 8 | i);
}
