// SPDX-License-Identifier: Apache-2.0
/*
 * Nanoseconds between symbols at the device's end of its PCIe link, and bytes per second there: the
 * link's clock is 125 MHz, two symbols a cycle, the device's 62.5 MHz, as on a board. The SERDES itself
 * is not in these times.
 */
#include <stdio.h>

#include "../sim/tlp.h"
#include "bench.h"

#define SYMBOL_NS 4

/* A device behind a link; false, and a line on stderr: there is no model of one. */
static bool open_linked(struct rf_bench *bench, struct rfsim_config *config)
{
	const char *missing = rfsim_link();

	if (missing) {
		fprintf(stderr, "ringfence: %s\n", missing);
		return false;
	}
	config->link = RFSIM_LINK_GEN1X1;
	rf_bench_open(bench, config, RF_PLACE_SYSTEM);
	return true;
}

/* --- latencies -------------------------------------------------------------------------------- */

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

/* A signal with an interrupt, twice; the second time, with a warm TLB, it is watched. */
static void watch_signal(struct rf_bench *bench, enum rf_place monitored_place,
			 struct link_place places[PLACES])
{
	struct rf_dev *dev = &bench->dev;
	struct rf_spot value, monitored;
	struct rf_dev_queue queue;
	unsigned int i;

	rf_dev_queue_open(&queue, dev, 0, RF_NODE_COPY, 1, RF_PLACE_SYSTEM);
	value = rf_dev_alloc(dev, RF_PLACE_SYSTEM, 8, 64);
	monitored = rf_dev_alloc(dev, monitored_place, 8, 64);
	places[PLACE_RING] = (struct link_place){ .stream = RFSIM_READ,
						  .from = dev->system_bus + queue.ring.offset,
						  .bytes = queue.entries * 16 };
	places[PLACE_VALUE] = (struct link_place){ .stream = RFSIM_POSTED,
						   .from = dev->system_bus + value.offset,
						   .bytes = 8 };
	places[PLACE_MSIX] = (struct link_place){ .stream = RFSIM_POSTED,
						  .from = RFSIM_MSI_BASE,
						  .bytes = RFSIM_MSI_BYTES };
	for (i = 1; i <= 2; i++) {
		rf_dev_signal(&queue, value, i, monitored, RF_DEV_NO_LOG);
		rf_dev_append(&queue);
		rf_dev_settle(dev);
		if (i == 2)
			rfsim_tlp_callback(bench->conform.setup.world.sim, watch_places, places);
		rf_dev_ring(&queue);
		rf_dev_settle(dev);
		rf_dev_finish(&queue);
		RF_CHECK_EQUAL(dev->conform, rf_dev_read(dev, value), i, "CurrentValue");
		dev->consumer++;
		rf_dev_consume(dev);
	}
	rfsim_tlp_callback(bench->conform.setup.world.sim, NULL, NULL);
	for (i = 0; i < PLACES; i++)
		RF_CHECK(dev->conform, places[i].sent, "TLP %u is not seen", i);
	rf_dev_queue_close(&queue);
}

static double value_to_msix(const struct link_place places[PLACES])
{
	return SYMBOL_NS * (double)(places[PLACE_MSIX].sent - places[PLACE_VALUE].sent);
}

void rf_bench_link(void)
{
	struct link_place places[PLACES];
	struct rfsim_config config;
	struct rf_bench bench;
	double latency;

	rfsim_config_init(&config);
	if (!open_linked(&bench, &config))
		return;
	watch_signal(&bench, RF_PLACE_LOCAL, places);
	rf_bench_set(LINK_RING_TO_READ,
		     SYMBOL_NS * (double)(places[PLACE_RING].sent - places[PLACE_RING].received),
		     "last symbol of the doorbell to first one of the ring read, at the SERDES");
	rf_bench_set(
		LINK_VALUE_TO_MSIX, value_to_msix(places),
		"first symbols of both; MonitoredValue local, interrupt ring in system memory");
	watch_signal(&bench, RF_PLACE_SYSTEM, places);
	latency = 1e9 / RFSIM_HZ * config.port.read_latency_min;
	rf_bench_set(LINK_VALUE_TO_MSIX_SYSTEM, value_to_msix(places) - latency,
		     "both values in system memory; less the read latency of %.0f ns", latency);
	rf_bench_close(&bench);
}

/* --- rates ---------------------------------------------------------------------------------------- */

#define COMPLETION_BYTES 64 /* what many root ports answer with, whatever is asked for */
#define TIMES_MAX 4096

/*
 * @wire_bytes: of such a TLP; @seen: TLPs in that direction, @at: their symbol times, @dllps, @skps: symbols of
 * DLLPs and SKP sets up to then, to the device alone; @data: TLPs of the copy, @others: the rest, none of them
 * in the middle half
 */
struct link_rate {
	struct rf_conform *conform;
	uint64_t system_bus;
	unsigned int bytes; /* of payload in each */
	unsigned int wire_bytes;
	unsigned int data, others, seen;
	uint64_t at[TIMES_MAX], dllps[TIMES_MAX], skps[TIMES_MAX];
};

/* Payload of the middle half of the TLPs, in MB/s: neither the begin nor the end of the copy shows. */
static double middle_rate(const struct link_rate *rate)
{
	unsigned int first = rate->seen / 4, last = rate->seen * 3 / 4;

	return 1e3 * (last - first) * rate->bytes /
	       (SYMBOL_NS * (double)(rate->at[last] - rate->at[first]));
}

/* All of the copy in TLPs of one size. */
static void check_sizes(const struct link_rate *rate)
{
	RF_CHECK(rate->conform,
		 rate->data * rate->bytes == RF_BENCH_COPY_BYTES &&
			 rate->seen == rate->data + rate->others,
		 "%u TLPs, %u with %u bytes", rate->seen, rate->data, rate->bytes);
}

static void watch_writes(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct link_rate *rate = context;
	uint64_t received;

	if (tlp->stream != RFSIM_POSTED || !tlp_is_memory_write(tlp->header) ||
	    tlp_address(tlp->header) - rate->system_bus >= RF_BENCH_COPY_BYTES)
		return;
	if (4 * tlp->words != rate->bytes || rate->seen == TIMES_MAX)
		return;
	rate->wire_bytes = tlp_wire_bytes(tlp->header);
	rate->data++;
	rf_bench_must(rfsim_link_times(device, &received, &rate->at[rate->seen++]), "link");
}

void rf_bench_link_copy_write(void)
{
	struct rfsim_config config;
	struct rf_dev_queue queue;
	struct link_rate rate;
	struct rf_bench bench;
	unsigned int i;

	rfsim_config_init(&config);
	if (!open_linked(&bench, &config))
		return;
	rate = (struct link_rate){ .conform = &bench.conform, .bytes = config.port.max_payload };
	rate.system_bus = bench.dev.system_bus + RF_BENCH_COPY_OFFSET;
	rf_dev_queue_open(&queue, &bench.dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	for (i = 0; i < 2; i++) { /* the second time the pages are in the TLB */
		rate.data = rate.seen = 0;
		rf_bench_append_copy(&queue, RF_PLACE_LOCAL);
		rf_dev_settle(&bench.dev);
		rfsim_tlp_callback(bench.conform.setup.world.sim, watch_writes, &rate);
		rf_dev_ring(&queue);
		rf_dev_settle(&bench.dev);
		rfsim_tlp_callback(bench.conform.setup.world.sim, NULL, NULL);
		rf_dev_finish(&queue);
		check_sizes(&rate);
	}
	rf_bench_set(
		LINK_COPY_WRITE, middle_rate(&rate),
		"%u KiB in writes of %u bytes, %u symbols each; %.1f with nothing between them",
		RF_BENCH_COPY_BYTES >> 10, rate.bytes, rate.wire_bytes,
		1e3 * rate.bytes / (SYMBOL_NS * rate.wire_bytes));
	rf_dev_queue_close(&queue);
	rf_bench_close(&bench);
}

/* TLPs that the root port hands to the link: some of them are then still in its queue. */
static void watch_completions(void *context, struct rfsim_device *device,
			      const struct rfsim_tlp *tlp)
{
	const unsigned int total = RF_BENCH_COPY_BYTES / COMPLETION_BYTES;
	struct link_rate *rate = context;

	(void)device;
	if (tlp->stream != RFSIM_RECEIVE)
		return;
	if (tlp_is_completion(tlp->header) && 4 * tlp->words == rate->bytes) {
		rate->wire_bytes = tlp_wire_bytes(tlp->header);
		rate->data++;
		return;
	}
	/* the doorbell, the ring */
	RF_CHECK(rate->conform, rate->data < total / 8 || rate->data == total,
		 "other TLPs amid the copy");
	rate->others++;
}

/* The ends of the TLPs that come to the device. */
static void watch_arrivals(struct rf_bench *bench, struct link_rate *rate)
{
	struct rfsim_device *device = bench->conform.setup.world.sim;
	uint64_t last, received, sent;

	rf_bench_must(rfsim_link_times(device, &last, &sent), "link");
	while (!rfsim_idle(bench->conform.setup.world.simulation)) {
		rf_bench_must(rfsim_step(bench->conform.setup.world.simulation, 1), "step");
		rf_bench_must(rfsim_link_times(device, &received, &sent), "link");
		if (received == last)
			continue;
		last = received;
		RF_CHECK(rate->conform, rate->seen < TIMES_MAX, "too many TLPs");
		rf_bench_must(rfsim_link_symbols(device, &rate->dllps[rate->seen],
						 &rate->skps[rate->seen]),
			      "link");
		rate->at[rate->seen++] = received;
	}
}

/*
 * Of the middle half: which part completions take of the symbols that the root port's SKP sets and DLLPs leave
 * (an Ack and an UpdateFC for each read, whatever the device does), and DLLPs of all symbols.
 */
static void set_read_shares(const struct link_rate *rate, unsigned int latency)
{
	unsigned int first = rate->seen / 4, last = rate->seen * 3 / 4;
	double all = rate->at[last] - rate->at[first];
	double dllps = rate->dllps[last] - rate->dllps[first];
	double skps = rate->skps[last] - rate->skps[first];

	RF_CHECK(rate->conform, dllps > 0 && skps > 0, "%.0f symbols of DLLPs, %.0f of SKP sets",
		 dllps, skps);
	rf_bench_set(
		LINK_COPY_READ_SHARE, (last - first) * rate->wire_bytes / (all - dllps - skps),
		"of what the root port's DLLPs and SKP sets leave; %.1f MB/s: %u KiB in completions of "
		"%u bytes, %u symbols each, read latency %u",
		middle_rate(rate), RF_BENCH_COPY_BYTES >> 10, rate->bytes, rate->wire_bytes,
		latency);
	rf_bench_set(LINK_COPY_READ_DLLPS, dllps / all,
		     "the root port's DLLPs in this copy; its SKP sets take %.3f", skps / all);
}

void rf_bench_link_copy_read(void)
{
	struct rfsim_config config;
	struct rf_dev_queue queue;
	struct link_rate rate;
	struct rf_bench bench;
	unsigned int i;

	rfsim_config_init(&config);
	config.port.completion_boundary = COMPLETION_BYTES;
	config.port.split_percent = 100;
	if (!open_linked(&bench, &config))
		return;
	rate = (struct link_rate){ .conform = &bench.conform, .bytes = COMPLETION_BYTES };
	rf_dev_queue_open(&queue, &bench.dev, 0, RF_NODE_COPY, 1, RF_PLACE_LOCAL);
	for (i = 0; i < 2; i++) { /* the second time the pages are in the TLB */
		rf_bench_append_copy(&queue, RF_PLACE_SYSTEM);
		rf_dev_settle(&bench.dev);
		rate.data = rate.others = rate.seen = 0;
		/* the first time there are page tables among them */
		if (i == 1)
			rfsim_tlp_callback(bench.conform.setup.world.sim, watch_completions, &rate);
		rf_dev_ring(&queue);
		watch_arrivals(&bench, &rate);
		rfsim_tlp_callback(bench.conform.setup.world.sim, NULL, NULL);
		rf_dev_finish(&queue);
	}
	check_sizes(&rate);
	set_read_shares(&rate, config.port.read_latency_min);
	rf_dev_queue_close(&queue);
	rf_bench_close(&bench);
}
