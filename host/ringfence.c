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
	{ "info", rf_main_info, "what a device is" },
	{ "conform", rf_main_conform, "run the conformance tests" },
	{ "soak", rf_main_soak, "mix everything for a long time" },
	{ "bench", rf_main_bench, "measure latencies, rates and interrupts" },
	{ "dump", rf_main_dump, "what waits for what; all that driver and device know" },
	{ "run", rf_main_run, "stream a file through a device" },
	{ "trace", rf_main_trace, "the same, and who ran when" },
	{ "replay", rf_main_replay, "a recorded run once more, to the cycle" },
	{ "sweep", rf_main_sweep, "move one event against another, cycle by cycle" },
	{ "shrink", rf_main_shrink, "the shortest device string that still fails" },
	{ "tlp", rf_main_tlp, "headers of TLPs as text, for the rows of a wave" },
};

static void print_usage(FILE *file)
{
	size_t i;

	fprintf(file, "Usage: ringfence COMMAND [OPTION]...\n");
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fprintf(file, "  %-8s %s\n", commands[i].name, commands[i].what);
	fprintf(file,
		"ringfence COMMAND --help tells more; ringfence --version prints the version.\n");
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
