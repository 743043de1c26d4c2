// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence shrink: the shortest device string with which a command still fails in the same way.
 * Words are left out one by one, ranges become their first number, and numbers become smaller, as
 * long as the outcome stays the same.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "device_string.h"
#include "setup.h"
#include "trial.h"

static const char usage[] =
	"Usage: ringfence shrink [--device DEVICE] [--seconds N] [--json] -- COMMAND [ARGUMENT]...\n"
	"Searches the shortest device string with which COMMAND fails as with DEVICE: with the same\n"
	"status and the same last line of output.\n"
	"  --device DEVICE  a device string (docs/device-string.md) with which it fails; default:\n"
	"                   $RINGFENCE_DEVICE\n"
	"  --seconds N      time limit of a run; 60\n"
	"  --json           as a JSON object\n";

#define WORDS 64u
#define WORD_BYTES 256u

struct words {
	char text[WORDS][WORD_BYTES];
	unsigned int count;
};

struct shrink {
	const char *device;
	uint64_t seconds, runs;
	bool json;
	char **command;
	char outcome[RF_TRIAL_OUTCOME]; /* that is kept */
	struct words words;
};

/* --- words ---------------------------------------------------------------------------------- */

static int split(const char *device, struct words *words)
{
	char copy[RFSIM_STRING_TEXT], *word, *rest = NULL;

	snprintf(copy, sizeof(copy), "%s", device + strlen(RFSIM_STRING_PREFIX));
	for (word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
		if (words->count == WORDS || strlen(word) >= WORD_BYTES)
			return -EINVAL;
		strcpy(words->text[words->count++], word);
	}
	return 0;
}

static void join(const struct words *words, char device[RFSIM_STRING_TEXT])
{
	size_t used = (size_t)sprintf(device, RFSIM_STRING_PREFIX);
	unsigned int i;

	for (i = 0; i < words->count; i++)
		used += (size_t)snprintf(device + used, RFSIM_STRING_TEXT - used, "%s%s",
					 i ? "," : "", words->text[i]);
}

/* --- one try ---------------------------------------------------------------------------------- */

/* 1: @words fails in the same way, and is kept; 0: not; or a negative errno. */
static int try(struct shrink *shrink, const struct words *words)
{
	char device[RFSIM_STRING_TEXT], problem[RFSIM_STRING_PROBLEM], outcome[RF_TRIAL_OUTCOME];
	struct rfsim_string string;
	int error;

	join(words, device);
	if (rfsim_string_parse(device, &string, problem))
		return 0;
	shrink->runs++;
	error = rf_trial_run(shrink->command, device, shrink->seconds, outcome);
	if (error)
		return error;
	if (strcmp(outcome, shrink->outcome))
		return 0;
	shrink->words = *words;
	return 1;
}

/* --- what is tried ------------------------------------------------------------------------------ */

static int without_word(struct shrink *shrink, unsigned int i)
{
	struct words words = shrink->words;

	words.count--;
	memmove(words.text[i], words.text[i + 1], (words.count - i) * WORD_BYTES);
	return try(shrink, &words);
}

/* The word with what is from @begin to @end replaced. */
static int with_other(struct shrink *shrink, unsigned int i, size_t begin, size_t end,
		      const char *other)
{
	struct words words = shrink->words;
	const char *old = shrink->words.text[i];

	snprintf(words.text[i], WORD_BYTES, "%.*s%s%s", (int)begin, old, other, old + end);
	return try(shrink, &words);
}

/* A range becomes its first number. */
static int without_range(struct shrink *shrink, unsigned int i)
{
	const char *word = shrink->words.text[i];
	const char *dots = strstr(word, "..");

	if (!dots)
		return 0;
	return with_other(shrink, i, (size_t)(dots - word),
			  (size_t)(dots - word) + 2 + strspn(dots + 2, "0123456789abcdefx"), "");
}

/* A half, or one less; as often as it goes. */
static int smaller_number(struct shrink *shrink, unsigned int i, size_t begin)
{
	size_t end = begin + strspn(shrink->words.text[i] + begin, "0123456789");
	uint64_t number = strtoull(shrink->words.text[i] + begin, NULL, 10);
	char text[24];
	int kept = 0;

	if (number > 1) {
		snprintf(text, sizeof(text), "%" PRIu64, number / 2);
		kept = with_other(shrink, i, begin, end, text);
	}
	if (!kept && number) {
		snprintf(text, sizeof(text), "%" PRIu64, number - 1);
		kept = with_other(shrink, i, begin, end, text);
	}
	return kept;
}

static int smaller_numbers(struct shrink *shrink, unsigned int i)
{
	size_t at = strcspn(shrink->words.text[i], "=");
	int kept;

	while (shrink->words.text[i][at]) {
		const char *word = shrink->words.text[i];

		if (!isdigit((unsigned char)word[at]) || !strncmp(word + at, "0x", 2)) {
			at += strncmp(word + at, "0x", 2)
				      ? 1
				      : 2 + strspn(word + at + 2, "0123456789abcdef");
			continue;
		}
		kept = smaller_number(shrink, i, at);
		if (kept)
			return kept;
		at += strspn(word + at, "0123456789");
	}
	return 0;
}

/* Until nothing can be left out or made smaller. */
static int shrink_words(struct shrink *shrink)
{
	static int (*const ways[])(struct shrink * shrink, unsigned int i) = {
		without_word,
		without_range,
		smaller_numbers,
	};
	unsigned int way, i;
	int kept;

	for (way = 0; way < 3; way++) {
		for (i = 0; i < shrink->words.count; i++) {
			kept = ways[way](shrink, i);
			if (kept < 0)
				return kept;
			if (kept) {
				way = 0;
				i = UINT32_MAX; /* once more from the first word */
			}
		}
	}
	return 0;
}

/* --- the command ---------------------------------------------------------------------------------- */

static void print(const struct shrink *shrink)
{
	char device[RFSIM_STRING_TEXT];

	join(&shrink->words, device);
	if (!shrink->json) {
		printf("%" PRIu64 " runs; %s\n", shrink->runs, shrink->outcome);
		rf_trial_print(shrink->command, device);
		return;
	}
	printf("{\"device\": ");
	rf_print_json_string(stdout, device);
	printf(", \"outcome\": ");
	rf_print_json_string(stdout, shrink->outcome);
	printf(", \"runs\": %" PRIu64 "}\n", shrink->runs);
}

static int parse(struct shrink *shrink, int argc, char **argv)
{
	const struct rf_option options[] = {
		{ "device", .text = &shrink->device },
		{ "seconds", .number = &shrink->seconds, .least = 1 },
		{ "json", .flag = &shrink->json },
		{ 0 },
	};
	struct rfsim_string string;

	shrink->command = rf_trial_command(&argc, argv);
	if (rf_parse_arguments(argc, argv, usage, options))
		return -EINVAL;
	if (!shrink->command) {
		fprintf(stderr, "ringfence: -- COMMAND is missing\n%s", usage);
		return -EINVAL;
	}
	shrink->device = rf_setup_name(shrink->device);
	if (rf_setup_parse(shrink->device, &string))
		return -EINVAL;
	if (split(string.text, &shrink->words)) {
		fprintf(stderr, "ringfence: more than %u words, or one that is too long\n", WORDS);
		return -EINVAL;
	}
	return 0;
}

int rf_main_shrink(int argc, char **argv)
{
	static struct shrink shrink = { .seconds = 60 };

	if (parse(&shrink, argc, argv))
		return 2;
	shrink.runs = 1;
	if (rf_trial_run(shrink.command, shrink.device, shrink.seconds, shrink.outcome))
		return 1;
	if (!strcmp(shrink.outcome, RF_TRIAL_OK)) {
		fprintf(stderr, "ringfence: %s does not fail with %s\n", shrink.command[0],
			shrink.device);
		return 1;
	}
	if (shrink_words(&shrink))
		return 1;
	print(&shrink);
	return 0;
}
