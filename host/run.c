// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence run: the main job (job.h), what the device did meanwhile, and whether the
 * result is right.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "job.h"
#include "ringfence_hw.h"
#include "setup.h"
#include "timeline.h"

static const char usage[] =
	"Usage: ringfence run --input FILE [--output FILE] [--device DEVICE]\n"
	"                     [--devices COUNT] [--json]\n"
	"Streams FILE through a device: copy to local memory, 32-bit words\n"
	"x -> 2654435761 * x + 40503, copy back; checks the result. Through two devices: the first\n"
	"one does so and hands on, the second one does x -> 1664525 * x + 1013904223 and copies back.\n"
	"  --input FILE     input; any size, also a FIFO\n"
	"  --output FILE    result, as long as the input\n"
	"  --device DEVICE  \"sim:\" or a device string (docs/device-string.md), such as\n"
	"                   sim:seed=7,random,page=t.html; \"drm:\", \"drm:NODE\";\n"
	"                   \"pci:0000:00:04.0\" or \"serial:/dev/ttyUSB0\", whose local memory must\n"
	"                   hold all of FILE; \"miniport:FILE\";\n"
	"                   default: $RINGFENCE_DEVICE, else \"sim:\"\n"
	"  --devices COUNT  1 or 2 simulated devices, as devices= in a device string; default: 1\n"
	"  --json           the measurements as a JSON object\n"
	"A simulated device also prints its measurements in cycles.\n";

struct run {
	struct rf_setup setup;
	struct rf_job job;
	struct rf_timeline *timeline; /* of a simulation */
	const char *name, *input, *output;
	uint64_t devices; /* of the option, or 0 */
	bool json;
};

/* --- what a driver developer wants to see -------------------------------------------------- */

static void print_latency(const char *name, const struct rf_latency *latency)
{
	if (!latency->count) {
		printf("  %-42s none\n", name);
		return;
	}
	printf("  %-42s %5" PRIu64 " %7.1f %6" PRIu64 "   (%" PRIu64 ")\n", name, latency->least,
	       (double)latency->sum / (double)latency->count, latency->most, latency->count);
}

static uint64_t counter(struct run *run, unsigned int device, enum rf_counter index)
{
	return rf_setup_register(&run->setup, device, RF_REG_COUNTER_VALUE(index));
}

/* Of all devices */
static uint64_t sum(struct run *run, enum rf_counter index)
{
	uint64_t total = 0;
	unsigned int i;

	for (i = 0; i < rf_setup_count(&run->setup); i++)
		total += counter(run, i, index);
	return total;
}

static void print_traffic(const char *name, const struct rfsim_traffic *traffic)
{
	printf("  %-12s %8" PRIu64 " reads, %8" PRIu64 " writes of %10" PRIu64 " bytes, %8" PRIu64
	       " completions of %10" PRIu64 " bytes, %" PRIu64 " MSI-X\n",
	       name, traffic->tlps[RFSIM_TLP_MEMORY_READ], traffic->tlps[RFSIM_TLP_MEMORY_WRITE],
	       traffic->payload_bytes[RFSIM_TLP_MEMORY_WRITE], traffic->tlps[RFSIM_TLP_COMPLETION],
	       traffic->payload_bytes[RFSIM_TLP_COMPLETION], traffic->tlps[RFSIM_TLP_MSI]);
}

static void print_interrupts(struct run *run, unsigned int device, bool numbered)
{
	printf(numbered ? "Interrupts of device %u: " : "Interrupts: ", device);
	printf("%" PRIu64 " raised, %" PRIu64 " suppressed, for %" PRIu64 " signals; %" PRIu64
	       " waits, of which %" PRIu64 " blocked\n",
	       counter(run, device, RF_COUNTER_INTERRUPTS_RAISED),
	       counter(run, device, RF_COUNTER_INTERRUPTS_SUPPRESSED),
	       counter(run, device, RF_COUNTER_SIGNALS), counter(run, device, RF_COUNTER_WAITS),
	       counter(run, device, RF_COUNTER_WAITS_BLOCKED));
}

static void print_report(struct run *run, uint64_t cycles, double seconds)
{
	unsigned int i, count = rf_setup_count(&run->setup);
	const struct rf_latencies *latencies = rf_timeline_latencies(run->timeline);
	struct rfsim_statistics statistics;
	struct rf_device_info info;

	rf_device_info(run->setup.device, &info);
	printf("\nCycles                                       least    mean   most   (how often)\n");
	print_latency("doorbell TLP -> ring read TLP", &latencies->ring_to_read);
	print_latency("fence packet -> value performed", &latencies->signal);
	print_latency("value performed -> waiter's next packet", &latencies->release);
	print_latency("value performed -> MSI-X TLP", &latencies->interrupt);

	printf("\n");
	for (i = 0; i < count; i++)
		print_interrupts(run, i, count > 1);

	for (i = 0; i < count; i++) {
		rfsim_statistics(rf_setup_sim(&run->setup, i), &statistics);
		printf(count > 1 ? "\nOn the link of device %u\n" : "\nOn the link\n", i);
		print_traffic("to device", &statistics.receive);
		print_traffic("from device", &statistics.transmit);
	}

	printf("\nSimulated time: %" PRIu64 " cycles, %.3f ms at %" PRIu64
	       " MHz; %.0f cycles per second of real time\n",
	       cycles, (double)cycles * 1e3 / (double)info.timestamp_hz,
	       info.timestamp_hz / 1000000, seconds > 0 ? (double)cycles / seconds : 0.0);

	printf("\nQueues over time\n");
	rf_timeline_print(run->timeline, stdout, 72);
}

static void print_latency_json(const char *name, const struct rf_latency *latency)
{
	printf("    \"%s\": {\"count\": %" PRIu64 ", \"least\": %" PRIu64 ", \"most\": %" PRIu64
	       ", \"sum\": %" PRIu64 "},\n",
	       name, latency->count, latency->least, latency->most, latency->sum);
}

static void print_simulation_json(struct run *run, uint64_t cycles)
{
	const struct rf_latencies *latencies = rf_timeline_latencies(run->timeline);

	printf(",\n  \"simulation\": {\n    \"cycles\": %" PRIu64 ",\n", cycles);
	print_latency_json("doorbell_to_ring_read_cycles", &latencies->ring_to_read);
	print_latency_json("packet_to_value_cycles", &latencies->signal);
	print_latency_json("value_to_next_packet_cycles", &latencies->release);
	print_latency_json("value_to_msix_cycles", &latencies->interrupt);
	printf("    \"interrupts_raised\": %" PRIu64 ",\n    \"interrupts_suppressed\": %" PRIu64
	       ",\n    \"signals\": %" PRIu64 ",\n    \"waits\": %" PRIu64
	       ",\n    \"waits_blocked\": %" PRIu64 "\n  }",
	       sum(run, RF_COUNTER_INTERRUPTS_RAISED), sum(run, RF_COUNTER_INTERRUPTS_SUPPRESSED),
	       sum(run, RF_COUNTER_SIGNALS), sum(run, RF_COUNTER_WAITS),
	       sum(run, RF_COUNTER_WAITS_BLOCKED));
}

static void print_json(struct run *run, uint64_t cycles, double seconds)
{
	printf("{\n  \"device\": ");
	rf_print_json_string(stdout, run->name);
	printf(",\n  \"input\": ");
	rf_print_json_string(stdout, run->input);
	printf(",\n  \"devices\": %u,\n  \"bytes\": %" PRIu64 ",\n  \"chunks\": %" PRIu64
	       ",\n  \"seconds\": %.6f",
	       run->job.device_count, run->job.bytes, run->job.chunks, seconds);
	if (run->setup.world.simulation)
		print_simulation_json(run, cycles);
	printf("\n}\n");
}

/* --- running it ---------------------------------------------------------------------------- */

static int start_timeline(struct run *run)
{
	run->timeline = run->setup.timeline;
	if (!run->timeline)
		run->timeline = rf_timeline_create(run->setup.world.simulation);
	if (!run->timeline)
		return -ENOMEM;
	rf_timeline_restart(run->timeline);
	rf_job_name(&run->job, run->timeline);
	return 0;
}

/* The CPU's word on the result comes before the device's figures. */
static int work(struct run *run)
{
	uint64_t begin = run->setup.world.simulation ? rfsim_cycle(run->setup.world.simulation) : 0;
	uint64_t start = rf_job_time(), cycles;
	double seconds;
	int error;

	error = rf_job_run(&run->job, !run->json);
	if (error) {
		fprintf(stderr, "ringfence: run failed: %s\n", rf_error_string(error));
		return error;
	}
	seconds = (double)(rf_job_time() - start) * 1e-9;
	cycles = run->setup.world.simulation ? rfsim_cycle(run->setup.world.simulation) - begin : 0;
	error = rf_job_check(&run->job);
	if (error)
		return error;
	if (run->json)
		print_json(run, cycles, seconds);
	else if (run->setup.world.simulation)
		print_report(run, cycles, seconds);
	else
		printf("\nTime on %s %.3f s\n", run->name, seconds);
	if (!run->json)
		printf("\nThe result is what the CPU computes.\n");
	if (!run->json && run->setup.page_file)
		printf("Timeline: %s\n", run->setup.string.page);
	return 0;
}

static void tell_missing_engines(const struct run *run)
{
	unsigned int i;

	for (i = 0; i < run->job.device_count; i++)
		if (!run->job.computes[i])
			printf("Device %u has no vector engine: it passes the words on as they are.\n",
			       i);
}

static int run_job(struct run *run)
{
	int error;

	error = rf_job_read(&run->job, run->input);
	if (!error)
		error = rf_job_create(&run->job);
	if (!error && run->setup.world.simulation)
		error = start_timeline(run);
	if (error)
		return error;
	if (!run->json) {
		printf("%s: %" PRIu64 " bytes in %" PRIu64 " chunks\n", run->input, run->job.bytes,
		       run->job.chunks);
		tell_missing_engines(run);
	}
	error = work(run);
	if (!error && run->output)
		error = rf_job_write(&run->job, run->output);
	return error;
}

static int parse(struct run *run, int argc, char **argv)
{
	const struct rf_option options[] = {
		{ "input", .text = &run->input },
		{ "output", .text = &run->output },
		{ "device", .text = &run->name },
		{ "devices", .number = &run->devices, .least = 1, .most = RF_SETUP_DEVICES },
		{ "json", .flag = &run->json },
		{ 0 },
	};

	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	if (!run->input) {
		fprintf(stderr, "ringfence: --input is missing\n%s", usage);
		return 2;
	}
	return 0;
}

static void on_stall(void *context)
{
	struct run *run = context;

	rf_setup_stalled(&run->setup);
}

int rf_main_run(int argc, char **argv)
{
	struct run run = { 0 };
	unsigned int i;
	int error;

	if (parse(&run, argc, argv))
		return 2;
	run.name = rf_setup_name(run.name);
	if (rf_setup_open_devices(&run.setup, run.name, run.devices))
		return 1;
	run.job.on_stall = on_stall;
	run.job.context = &run;
	run.job.device_count = rf_setup_count(&run.setup);
	for (i = 0; i < run.job.device_count; i++)
		run.job.devices[i] = rf_setup_device(&run.setup, i);
	error = run_job(&run);
	rf_job_destroy(&run.job);
	if (run.timeline != run.setup.timeline)
		rf_timeline_destroy(run.timeline);
	if (rf_setup_destroy(&run.setup) && !error)
		error = -EIO;
	return error ? 1 : 0;
}
