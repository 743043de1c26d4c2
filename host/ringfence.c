// SPDX-License-Identifier: Apache-2.0
/* The program ringfence: finds the subcommand and hands over. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "ringfence_version.h"

static const struct {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *what;
} commands[] = {
	{ "run", rf_main_run, "stream a file through a device and check the result" },
	{ "info", rf_main_info, "print the parameters, link and counters of a device" },
	{ "link", rf_main_link,
	  "print the state of the PCIe link of a board, over its serial line" },
	{ "trace", rf_main_trace, "run, and write a trace of queues, fences and the CPU" },
	{ "dump", rf_main_dump,
	  "say which queue waits for what; print the state of device and driver" },
	{ "conform", rf_main_conform, "run the conformance tests" },
	{ "bench", rf_main_bench, "measure latencies, rates and interrupts" },
	{ "soak", rf_main_soak, "stress all features at random, and check every result" },
	{ "sweep", rf_main_sweep, "run a command with one event moved cycle by cycle" },
	{ "shrink", rf_main_shrink, "find the shortest device string with which a command fails" },
	{ "replay", rf_main_replay, "repeat a recorded run, cycle by cycle" },
	{ "tlp", rf_main_tlp, "decode TLP headers; GTKWave calls it" },
};

static void print_usage(FILE *file)
{
	size_t i;

	fprintf(file, "Usage: ringfence COMMAND [OPTION]...\n");
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fprintf(file, "  %-8s %s\n", commands[i].name, commands[i].what);
	fprintf(file,
		"--help after a command lists its options; --version prints the version.\n"
		"--device names a device:\n"
		"  sim:                  simulated in this process (default)\n"
		"  sim:seed=7,random     the same with latencies and faults, docs/device-string.md\n"
		"  sim:link=gen1x1       the same behind a PCIe link, symbol by symbol\n"
		"  drm:                  the Linux driver\n"
		"  pci:0000:00:04.0      a PCIe function without a driver\n"
		"  serial:/dev/ttyUSB0   a board on a serial line\n"
		"  miniport:./mine.so    a device of yours; miniport: alone is a fast device in\n"
		"                        software\n");
}

int main(int argc, char **argv)
{
	size_t i;

	rf_output_begin();
	if (argc < 2) {
		print_usage(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_usage(stdout);
		return rf_output_end(0);
	}
	if (!strcmp(argv[1], "--version")) {
		puts("ringfence (Ringfence) " RF_VERSION);
		return rf_output_end(0);
	}
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (!strcmp(argv[1], commands[i].name))
			return rf_output_end(commands[i].main(argc - 1, argv + 1));
	}
	fprintf(stderr, "ringfence: no command '%s'\n", argv[1]);
	print_usage(stderr);
	return 2;
}
