// SPDX-License-Identifier: Apache-2.0
/* Values, comparison and interrupt of one signal at a time. */
#include "dev.h"

/* With CV=41 and a waiter for 42, MV=41: 41 is silent, 42 interrupts. */
static void interrupt_above_monitored_only(struct rf_conform *conform)
{
	struct rf_interrupt_record record;
	struct rf_dev_queue queue;
	struct rf_spot cv, mv;
	struct rf_dev dev;

	rf_dev_open(&dev, conform, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, &dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	cv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	mv = rf_dev_alloc(&dev, RF_PLACE_SYSTEM, 8, 64);
	rf_dev_write(&dev, mv, 41);

	rf_dev_signal(&queue, cv, 41, mv, RF_DEV_NO_LOG);
	rf_dev_submit(&queue);
	rf_dev_finish(&queue);
	rf_dev_settle(&dev);
	RF_CHECK_EQUAL(conform, rf_dev_read(&dev, cv), 41, "CurrentValue");
	RF_CHECK(conform, !rf_dev_record(&dev, &record), "a record although 41 is not above 41");

	rf_dev_signal(&queue, cv, 42, mv, RF_DEV_NO_LOG);
	rf_dev_submit(&queue);
	rf_dev_finish(&queue);
	rf_dev_settle(&dev);
	RF_CHECK(conform, rf_dev_record(&dev, &record), "no record for 42");
	RF_CHECK_EQUAL(conform, record.kind, RF_RECORD_KIND_FENCE_SIGNALED, "record kind");
	RF_CHECK_EQUAL(conform, record.value, 42, "record value");
	RF_CHECK_EQUAL(conform, record.address, rf_dev_address(&dev, 1, cv), "record address");
	RF_CHECK_EQUAL(conform, record.handle, RF_DEV_HANDLE(0), "record queue");
	RF_CHECK_EQUAL(conform, dev.interrupts, 1, "interrupts");
	rf_dev_close(&dev);
}

const struct rf_conform_test rf_conform_fence_tests[] = {
	{ "S0-12.interrupt_above_monitored_only", "S0-1 S0-13 S0-14 S0-20", RF_CONFORM_DEV, 0,
	  interrupt_above_monitored_only },
	{ 0 },
};
