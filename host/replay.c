// SPDX-License-Identifier: Apache-2.0
/* ringfence replay: a record of a run is given to new devices, which have to do the same. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "arguments.h"
#include "commands.h"
#include "record.h"

static const char usage[] =
	"Usage: ringfence replay FILE [--with WORDS] [--json]\n"
	"Sends new devices the TLPs that recorded ones received, in the same cycles, and compares the\n"
	"TLPs that they send. record=FILE in a device string writes FILE (docs/device-string.md).\n"
	"Neither the program, its inputs nor the guest are needed.\n"
	"  --with WORDS  words for the device string, such as wave=w.fst,timeline=t.json\n"
	"  --json        the result as a JSON object\n";

static void print_json(const struct rfsim_replay *replay)
{
	printf("{\"device\": ");
	rf_print_json_string(stdout, replay->string);
	printf(", \"cycles\": %" PRIu64 ", \"received\": %" PRIu64 ", \"sent\": %" PRIu64
	       ", \"devices\": %u, \"cut\": %s, \"same\": %s, \"difference\": ",
	       replay->cycles, replay->received, replay->sent, replay->devices,
	       replay->cut ? "true" : "false", *replay->difference ? "false" : "true");
	rf_print_json_string(stdout, replay->difference);
	printf("}\n");
}

static void print_text(const struct rfsim_replay *replay)
{
	if (replay->devices == 1)
		printf("%s: %" PRIu64 " cycles, %" PRIu64 " TLPs to the device, %" PRIu64
		       " from it\n",
		       replay->string, replay->cycles, replay->received, replay->sent);
	else
		printf("%s: %" PRIu64 " cycles, %" PRIu64 " TLPs to the %u devices, %" PRIu64
		       " from them\n",
		       replay->string, replay->cycles, replay->received, replay->devices,
		       replay->sent);
	if (replay->cut)
		printf("The record has no end: the program did not close its device.\n");
	if (*replay->difference)
		printf("The first difference: %s\n", replay->difference);
	else
		printf("The same TLPs in the same cycles.\n");
}

int rf_main_replay(int argc, char **argv)
{
	static struct rfsim_replay replay;
	char problem[RFSIM_STRING_PROBLEM];
	const char *words = NULL, *path = NULL;
	bool json = false;
	const struct rf_option options[] = {
		{ "with", .text = &words },
		{ "json", .flag = &json },
		{ 0 },
	};

	if (argc > 1 && argv[1][0] != '-') {
		path = argv[1];
		argv[1] = argv[0];
		argc--;
		argv++;
	}
	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	if (!path) {
		fprintf(stderr, "ringfence: FILE is missing\n%s", usage);
		return 2;
	}
	if (rfsim_replay(path, words, &replay, problem)) {
		fprintf(stderr, "ringfence: %s\n", problem);
		return 1;
	}
	if (json)
		print_json(&replay);
	else
		print_text(&replay);
	return *replay.difference ? 1 : 0;
}
