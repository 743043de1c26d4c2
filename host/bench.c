// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence bench: how many cycles, how much of the link, how many interrupts.
 * Streams are always ready and latencies fixed, so a device gives the same numbers
 * each time. A distance counts from the handshake of the first named event to the
 * handshake of the first beat of the second.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "bench.h"
#include "bench_device.h"
#include "commands.h"
#include "output.h"
#include "rf_hosted.h"
#include "wave.h"

static const char usage[] =
	"Usage: ringfence bench [--output FILE] [--filter PATTERN] [--submit-instructions N]\n"
	"                       [--simulation-instructions N] [--waves FOLDER] [--json]\n"
	"       ringfence bench --device DEVICE [--filter PATTERN] [--json]\n"
	"Measures the device in simulation, in cycles, and prints each value beside its target; or,\n"
	"with --device, times and interrupts as a program sees them.\n"
	"  --device DEVICE          \"sim:\" or a device string (docs/device-string.md), \"drm:\",\n"
	"                           \"drm:NODE\", \"pci:0000:00:04.0\"\n"
	"  --json                   as a JSON object\n"
	"  --output FILE            the same into a file\n"
	"  --filter PATTERN         only keys that match the shell pattern, such as 'copy_*'\n"
	"  --waves FOLDER           for each latency, a wave in FST format of its measurement\n"
	"  --submit-instructions N, --simulation-instructions N\n"
	"                           measured by `make bench` with callgrind\n";

/* --- keys ---------------------------------------------------------------------------------- */

enum aim { AIM_NONE, AIM_AT_MOST, AIM_AT_LEAST };

static const struct {
	const char *name;
	const char *unit;
	int digits; /* behind the point */
	enum aim aim;
	double bound;
} keys[KEYS] = {
	[RING_TO_READ] = { "ring_to_read_cycles", "cycles", 0, AIM_AT_MOST, 9 },
	[RING_TO_READ_COLD] = { "ring_to_read_cold_cycles", "cycles", 0, AIM_NONE, 0 },
	[SIGNAL_TO_VALUE] = { "signal_to_value_cycles", "cycles", 0, AIM_AT_MOST, 6 },
	[VALUE_TO_MSIX_LOCAL] = { "value_to_msix_local_mv_cycles", "cycles", 0, AIM_AT_MOST, 11 },
	[VALUE_TO_MSIX_LOGGED] = { "value_to_msix_logged_cycles", "cycles", 0, AIM_AT_MOST, 19 },
	[VALUE_TO_MSIX_SYSTEM] = { "value_to_msix_system_mv_cycles", "cycles", 0, AIM_NONE },
	[RELEASE_LOCAL] = { "signal_to_release_local_cycles", "cycles", 0, AIM_AT_MOST, 8 },
	[RELEASE_SYSTEM] = { "signal_to_release_system_cycles", "cycles", 0, AIM_AT_MOST, 8 },
	[HOP_TWO_NODES] = { "hop_two_nodes_cycles", "cycles", 1, AIM_AT_MOST, 15 },
	[HOP_TWO_NODES_LOGGED] = { "hop_two_nodes_logged_cycles", "cycles", 1, AIM_AT_MOST, 30 },
	[HOP_ONE_NODE] = { "hop_one_node_cycles", "cycles", 1, AIM_AT_MOST, 30 },
	[PREEMPT_IDLE] = { "preempt_to_saved_cycles_idle", "cycles", 0, AIM_AT_MOST,
			   PREEMPT_BOUND },
	[PREEMPT_SIGNALS] = { "preempt_to_saved_cycles_signals", "cycles", 0, AIM_AT_MOST,
			      PREEMPT_BOUND },
	[PREEMPT_WAIT] = { "preempt_to_saved_cycles_wait", "cycles", 0, AIM_AT_MOST,
			   PREEMPT_BOUND },
	[PREEMPT_COPY] = { "preempt_to_saved_cycles_copy", "cycles", 0, AIM_AT_MOST,
			   PREEMPT_BOUND },
	[PREEMPT_FILL] = { "preempt_to_saved_cycles_fill", "cycles", 0, AIM_AT_MOST,
			   PREEMPT_BOUND },
	[PREEMPT_VECTOR] = { "preempt_to_saved_cycles_vector", "cycles", 0, AIM_AT_MOST,
			     PREEMPT_BOUND },
	[RESUME_TO_PACKET] = { "resume_to_packet_cycles", "cycles", 0, AIM_NONE },
	[COPY_SPLIT] = { "copy_256_bytes_split_cycles", "cycles", 0, AIM_NONE },
	[SIGNAL_INTERVAL] = { "signal_interval_local_cycles", "cycles", 2, AIM_AT_MOST, 6 },
	[SIGNAL_SHARE] = { "signal_wire_share", "of the link", 3, AIM_AT_LEAST, 0.95 },
	[SIGNAL_LOGGED_SHARE] = { "signal_logged_wire_share", "of the link", 3, AIM_AT_LEAST,
				  0.95 },
	[COPY_WRITE_SHARE] = { "copy_write_wire_share", "of the link", 3, AIM_AT_LEAST, 0.95 },
	[COPY_READ_SHARE_250NS] = { "copy_read_wire_share_250ns", "of the link", 3, AIM_AT_LEAST,
				    0.90 },
	[COPY_READ_SHARE_1US] = { "copy_read_wire_share_1us", "of the link", 3, AIM_AT_LEAST,
				  0.90 },
	[COPY_READ_SHARE_4US] = { "copy_read_wire_share_4us", "of the link", 3, AIM_AT_LEAST,
				  0.90 },
	[CROSS_RELEASE_CPU] = { "cross_signal_to_release_cpu_cycles", "cycles", 0, AIM_NONE },
	[CROSS_RELEASE_PEER] = { "cross_signal_to_release_peer_cycles", "cycles", 0, AIM_AT_MOST,
				 40 },
	[CROSS_RELEASE_PEER_500NS] = { "cross_signal_to_release_peer_500ns_cycles", "cycles", 0,
				       AIM_NONE },
	[INTERRUPTS_CROSS_CPU] = { "interrupts_per_1000_cross_signals_cpu", "interrupts", 0,
				   AIM_AT_MOST, 1000 },
	[INTERRUPTS_CROSS_PEER] = { "interrupts_per_1000_cross_signals_peer", "interrupts", 0,
				    AIM_AT_MOST, 0 },
	[INTERRUPTS_UNWAITED] = { "interrupts_per_1000_unwaited_signals", "interrupts", 0,
				  AIM_AT_MOST, 0 },
	[INTERRUPTS_WAITED] = { "interrupts_per_1000_waited_signals", "interrupts", 0, AIM_NONE },
	[HELD_ROUNDS] = { "interrupts_off_rounds", "rounds", 0, AIM_AT_MOST, RF_HOLD_ROUNDS_MAX },
	[LINK_RING_TO_READ] = { "link_ring_to_read_ns", "ns", 0, AIM_NONE, 0 },
	[LINK_VALUE_TO_MSIX] = { "link_value_to_msix_ns", "ns", 0, AIM_NONE, 0 },
	[LINK_VALUE_TO_MSIX_SYSTEM] = { "link_value_to_msix_system_mv_ns", "ns", 0, AIM_NONE, 0 },
	[LINK_COPY_WRITE] = { "link_copy_write_mb_s", "MB/s", 1, AIM_AT_LEAST, 210 },
	[LINK_COPY_READ_SHARE] = { "link_copy_read_share", "of the rest", 3, AIM_AT_LEAST, 0.95 },
	[LINK_COPY_READ_DLLPS] = { "link_copy_read_dllp_share", "of the link", 3, AIM_NONE, 0 },
	[SIMULATED_SPEED] = { "simulated_cycles_per_second", "cycles/s", 0, AIM_NONE },
	[SUBMIT_INSTRUCTIONS] = { "submit_instructions", "instructions", 0, AIM_AT_MOST, 60 },
	[SIMULATION_INSTRUCTIONS] = { "simulation_instructions", "instructions", 0, AIM_AT_MOST,
				      22000 },
};

struct result {
	bool measured;
	double value;
	char note[160];
};

static struct result results[KEYS];

void rf_bench_set(enum key key, double value, const char *format, ...)
{
	va_list arguments;

	results[key].measured = true;
	results[key].value = value;
	va_start(arguments, format);
	vsnprintf(results[key].note, sizeof(results[key].note), format, arguments);
	va_end(arguments);
}

static bool met(enum key key)
{
	return keys[key].aim == AIM_NONE ||
	       (keys[key].aim == AIM_AT_MOST ? results[key].value <= keys[key].bound
					     : results[key].value >= keys[key].bound);
}

void rf_bench_must(int error, const char *what)
{
	if (error) {
		fprintf(stderr, "ringfence: %s: %s\n", what, strerror(-error));
		exit(1);
	}
}

static const char *filter = "*"; /* of keys */
static const char *waves; /* folder, or NULL: none are wanted */

bool rf_bench_wanted(enum key key)
{
	return !fnmatch(filter, keys[key].name, 0);
}

char *rf_bench_wave_path(enum key key)
{
	char *path = waves ? rf_output_path(waves, keys[key].name, ".fst") : NULL;

	rf_bench_must(waves && !path ? -ENOMEM : 0, "wave");
	return path;
}

/* --- all of them ------------------------------------------------------------------------------------------ */

static const struct {
	void (*run)(void);
	enum key first, last; /* the keys that it measures */
} benches[] = {
	{ rf_bench_signal, RING_TO_READ, VALUE_TO_MSIX_SYSTEM },
	{ rf_bench_release, RELEASE_LOCAL, RELEASE_SYSTEM },
	{ rf_bench_hop_two_nodes, HOP_TWO_NODES, HOP_TWO_NODES },
	{ rf_bench_hop_two_nodes_logged, HOP_TWO_NODES_LOGGED, HOP_TWO_NODES_LOGGED },
	{ rf_bench_hop_one_node, HOP_ONE_NODE, HOP_ONE_NODE },
	{ rf_bench_preempt, PREEMPT_IDLE, RESUME_TO_PACKET },
	{ rf_bench_copy_split, COPY_SPLIT, COPY_SPLIT },
	{ rf_bench_signal_interval, SIGNAL_INTERVAL, SIGNAL_INTERVAL },
	{ rf_bench_signal_wire, SIGNAL_SHARE, SIGNAL_SHARE },
	{ rf_bench_signal_logged_wire, SIGNAL_LOGGED_SHARE, SIGNAL_LOGGED_SHARE },
	{ rf_bench_copy_write, COPY_WRITE_SHARE, COPY_WRITE_SHARE },
	{ rf_bench_copy_read_250ns, COPY_READ_SHARE_250NS, COPY_READ_SHARE_250NS },
	{ rf_bench_copy_read_1us, COPY_READ_SHARE_1US, COPY_READ_SHARE_1US },
	{ rf_bench_copy_read_4us, COPY_READ_SHARE_4US, COPY_READ_SHARE_4US },
	{ rf_bench_cross, CROSS_RELEASE_CPU, INTERRUPTS_CROSS_PEER },
	{ rf_bench_unwaited, INTERRUPTS_UNWAITED, INTERRUPTS_UNWAITED },
	{ rf_bench_waited, INTERRUPTS_WAITED, INTERRUPTS_WAITED },
	{ rf_bench_held, HELD_ROUNDS, HELD_ROUNDS },
	{ rf_bench_link, LINK_RING_TO_READ, LINK_VALUE_TO_MSIX_SYSTEM },
	{ rf_bench_link_copy_write, LINK_COPY_WRITE, LINK_COPY_WRITE },
	{ rf_bench_link_copy_read, LINK_COPY_READ_SHARE, LINK_COPY_READ_DLLPS },
	{ rf_bench_speed, SIMULATED_SPEED, SIMULATED_SPEED },
};

static void run_benches(void)
{
	enum key key;
	size_t i;

	for (i = 0; i < sizeof(benches) / sizeof(benches[0]); i++) {
		for (key = benches[i].first; key <= benches[i].last; key++) {
			if (rf_bench_wanted(key))
				break;
		}
		if (key <= benches[i].last)
			benches[i].run();
	}
}

/* --- what it prints ------------------------------------------------------------------------------------- */

static void print_aim(char *text, size_t bytes, enum key key)
{
	text[0] = 0;
	if (keys[key].aim != AIM_NONE)
		snprintf(text, bytes, "%s %g",
			 keys[key].aim == AIM_AT_MOST ? "<=" : ">=", keys[key].bound);
}

static void print_table(void)
{
	char value[32], aim[32];
	enum key key;

	printf("%-37s %10s %-12s %-9s %-7s %s\n", "key", "value", "unit", "aim", "", "note");
	for (key = 0; key < KEYS; key++) {
		if (!rf_bench_wanted(key))
			continue;
		if (!results[key].measured) {
			printf("%-37s %10s %s\n", keys[key].name, "-", "not measured");
			continue;
		}
		snprintf(value, sizeof(value), "%.*f", keys[key].digits, results[key].value);
		print_aim(aim, sizeof(aim), key);
		printf("%-37s %10s %-12s %-9s %-7s %s\n", keys[key].name, value, keys[key].unit,
		       aim,
		       keys[key].aim == AIM_NONE ? "stated"
		       : met(key)		 ? "met"
						 : "missed",
		       results[key].note);
	}
}

static void print_json(FILE *file)
{
	const char *separator = "";
	char value[32], aim[32];
	enum key key;

	fprintf(file, "{\n");
	for (key = 0; key < KEYS; key++) {
		if (!rf_bench_wanted(key) || !results[key].measured)
			continue;
		snprintf(value, sizeof(value), "%.*f", keys[key].digits, results[key].value);
		print_aim(aim, sizeof(aim), key);
		fprintf(file,
			"%s  \"%s\": {\"value\": %s, \"unit\": \"%s\", \"aim\": %s%s%s, \"met\": %s, "
			"\"note\": \"%s\"}",
			separator, keys[key].name, value, keys[key].unit, aim[0] ? "\"" : "",
			aim[0] ? aim : "null", aim[0] ? "\"" : "",
			keys[key].aim == AIM_NONE ? "null"
			: met(key)		  ? "true"
						  : "false",
			results[key].note);
		separator = ",\n";
	}
	fprintf(file, "\n}\n");
}

static int write_json(const char *path)
{
	FILE *file = rf_output_open(path);

	if (!file)
		return -EIO;
	print_json(file);
	return rf_output_close(file, path);
}

int rf_main_bench(int argc, char **argv)
{
	const char *device = NULL, *output = NULL;
	uint64_t submission = 0, cycle = 0; /* instructions */
	bool json = false;
	const struct rf_option options[] = {
		{ "device", .text = &device },
		{ "json", .flag = &json },
		{ "output", .text = &output },
		{ "filter", .text = &filter },
		{ "waves", .text = &waves },
		{ "submit-instructions", .number = &submission },
		{ "simulation-instructions", .number = &cycle },
		{ 0 },
	};
	int error;

	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	if (device && (output || waves || submission || cycle)) {
		fprintf(stderr,
			"ringfence: --output, --waves, --submit-instructions and "
			"--simulation-instructions are not for a device\n%s",
			usage);
		return 2;
	}
	if (device)
		return rf_bench_device(device, filter, json);
	if (submission)
		rf_bench_set(SUBMIT_INSTRUCTIONS, (double)submission,
			     "callgrind, up to and with the doorbell store");
	if (cycle)
		rf_bench_set(SIMULATION_INSTRUCTIONS, (double)cycle,
			     "callgrind, of the model in a cycle of copy_write_wire_share");
	if (waves && rf_wave_prepare())
		return 1;
	run_benches();
	if (json)
		print_json(stdout);
	else
		print_table();
	error = output ? write_json(output) : 0;
	return error ? 1 : 0;
}
