// SPDX-License-Identifier: Apache-2.0
/*
 * Nanoseconds between symbols at the device's end of its PCIe link: the link's clock is 125 MHz, two
 * symbols a cycle, the device's 62.5 MHz, as on a board. The SERDES itself is not in these times.
 */
#include <stdio.h>

#include "../sim/tlp.h"
#include "bench.h"

#define SYMBOL_NS 4

/* @from, @bytes: of the address; @sent: when the first TLP there began, 0: none came */
struct link_place {
	enum rfsim_stream stream;
	uint64_t from, bytes, sent, received;
};

enum { PLACE_RING, PLACE_VALUE, PLACE_MSIX, PLACES };

static void watch_places(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct link_place *place = context;
	unsigned int i;

	for (i = 0; i < PLACES; i++, place++)
		if (tlp->stream == place->stream && !place->sent &&
		    tlp_address(tlp->header) - place->from < place->bytes)
			rf_bench_must(rfsim_link_times(device, &place->received, &place->sent),
				      "link");
}

void rf_bench_link(void)
{
	struct link_place places[PLACES] = {
		[PLACE_RING] = { .stream = RFSIM_READ },
		[PLACE_VALUE] = { .stream = RFSIM_POSTED, .bytes = 8 },
		[PLACE_MSIX] = { RFSIM_POSTED, RFSIM_MSI_BASE, RFSIM_MSI_BYTES, 0, 0 },
	};
	const char *missing = rfsim_link();
	struct rf_spot value, monitored;
	struct rfsim_config config;
	struct rf_dev_queue queue;
	struct rf_bench bench;
	struct rf_dev *dev = &bench.dev;
	unsigned int i;

	if (missing) {
		fprintf(stderr, "ringfence: %s\n", missing);
		return;
	}
	rfsim_config_init(&config);
	config.link = RFSIM_LINK_GEN1X1;
	rf_bench_open(&bench, &config, RF_PLACE_SYSTEM);
	rf_dev_queue_open(&queue, dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	value = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 8, 64);
	monitored = rf_dev_alloc(dev, RF_PLACE_LOCAL, 8, 64);
	places[PLACE_RING].from = dev->system_bus + queue.ring.offset;
	places[PLACE_RING].bytes = queue.entries * 16;
	places[PLACE_VALUE].from = dev->system_bus + value.offset;
	for (i = 1; i <= 2; i++) { /* the second time with a warm TLB */
		rf_dev_signal(&queue, value, i, monitored, RF_DEV_NO_LOG);
		rf_dev_append(&queue);
		rf_dev_settle(dev);
		if (i == 2)
			rfsim_tlp_callback(bench.conform.setup.world.sim, watch_places, places);
		rf_dev_ring(&queue);
		rf_dev_settle(dev);
		rf_dev_finish(&queue);
		RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, value), i, "CurrentValue");
		dev->consumer++;
		rf_dev_consume(dev);
	}
	rfsim_tlp_callback(bench.conform.setup.world.sim, NULL, NULL);
	for (i = 0; i < PLACES; i++)
		RF_CHECK(dev->conform, places[i].sent, "TLP %u is not seen", i);
	rf_dev_queue_close(&queue);
	rf_bench_close(&bench);
	rf_bench_set(LINK_RING_TO_READ,
		     SYMBOL_NS * (double)(places[PLACE_RING].sent - places[PLACE_RING].received),
		     "last symbol of the doorbell to first one of the ring read, at the SERDES");
	rf_bench_set(
		LINK_VALUE_TO_MSIX,
		SYMBOL_NS * (double)(places[PLACE_MSIX].sent - places[PLACE_VALUE].sent),
		"first symbols of both; MonitoredValue local, interrupt ring in system memory");
}
