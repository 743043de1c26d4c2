// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence sweep: one event of a run is moved, cycle by cycle, against another, and what comes of
 * it is shown as a table and a picture. A race that is lost in three cycles of a thousand is found
 * by the first sweep over it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "device_string.h"
#include "output.h"
#include "setup.h"
#include "trial.h"

static const char usage[] =
	"Usage: ringfence sweep --move THING@N --against EVENT@N [--device DEVICE] [--from N]\n"
	"                       [--to N] [--step N] [--seconds N] [--picture FILE] [--json]\n"
	"                       -- COMMAND [ARGUMENT]...\n"
	"Runs COMMAND once for each cycle of a window, with RINGFENCE_DEVICE set so that THING is\n"
	"held until that many cycles after EVENT, and prints the outcome of each cycle. The outcome is\n"
	"the status and the last line of output. Status 1 if an outcome is not ok.\n"
	"  --move THING@N     the event to move: ring@2, msi@1, completion@5\n"
	"  --against EVENT@N  the fixed event: ring, msi, read, signal, wait, release, copy\n"
	"                     or compute, with its number (docs/device-string.md)\n"
	"  --device DEVICE    \"sim:\" or a device string, to which the hold is added; default:\n"
	"                     $RINGFENCE_DEVICE, else \"sim:\"\n"
	"  --from N           first cycle after EVENT; 0\n"
	"  --to N             last cycle after EVENT; 100\n"
	"  --step N           cycles from run to run; 1\n"
	"  --seconds N        time limit of a run; 60\n"
	"  --picture FILE     the outcomes as a picture, in SVG\n"
	"  --json             as a JSON object\n";

#define OUTCOMES 26 /* that have a letter */
#define RUNS_MAX 100000u
#define COLUMNS 64u

struct sweep {
	const char *device, *move, *against, *picture;
	uint64_t from, to, step, seconds;
	bool json;
	char **command;
	char outcomes[OUTCOMES][RF_TRIAL_OUTCOME]; /* in the order of their first cycle */
	unsigned int outcome_count;
	uint8_t *of_run; /* its outcome, by run */
	size_t runs;
};

static uint64_t cycle_of(const struct sweep *sweep, size_t run)
{
	return sweep->from + run * sweep->step;
}

static void make_device(const struct sweep *sweep, size_t run, char *text, size_t bytes)
{
	snprintf(text, bytes, "%s%shold=%s:%s+%" PRIu64, sweep->device,
		 strcmp(sweep->device, RFSIM_STRING_PREFIX) ? "," : "", sweep->move, sweep->against,
		 cycle_of(sweep, run));
}

/* --- running it ------------------------------------------------------------------------- */

/* Its place; the last one stands for all that have no letter. */
static uint8_t outcome_number(struct sweep *sweep, const char *outcome)
{
	unsigned int i;

	for (i = 0; i < sweep->outcome_count; i++)
		if (!strcmp(sweep->outcomes[i], outcome))
			return (uint8_t)i;
	if (i == OUTCOMES) {
		strcpy(sweep->outcomes[OUTCOMES - 1], "another outcome");
		return OUTCOMES - 1;
	}
	strcpy(sweep->outcomes[sweep->outcome_count++], outcome);
	return (uint8_t)i;
}

static int run_all(struct sweep *sweep)
{
	char device[2 * RFSIM_STRING_TEXT], outcome[RF_TRIAL_OUTCOME];
	size_t run;
	int error = 0;

	strcpy(sweep->outcomes[sweep->outcome_count++], RF_TRIAL_OK);
	for (run = 0; run < sweep->runs && !error; run++) {
		make_device(sweep, run, device, sizeof(device));
		error = rf_trial_run(sweep->command, device, sweep->seconds, outcome);
		if (!error)
			sweep->of_run[run] = outcome_number(sweep, outcome);
	}
	return error;
}

/* --- what is shown ---------------------------------------------------------------------- */

static char letter(unsigned int outcome)
{
	return outcome ? (char)('A' + outcome - 1) : '.';
}

/* The first run behind @run that has another outcome. */
static size_t end_of_group(const struct sweep *sweep, size_t run)
{
	size_t end = run + 1;

	while (end < sweep->runs && sweep->of_run[end] == sweep->of_run[run])
		end++;
	return end;
}

static void print_text(const struct sweep *sweep)
{
	char device[2 * RFSIM_STRING_TEXT];
	unsigned int outcome;
	size_t run, end;

	printf("%s held until N cycles after %s\n\n%20s  outcome\n", sweep->move, sweep->against,
	       "N");
	for (run = 0; run < sweep->runs; run = end) {
		end = end_of_group(sweep, run);
		printf("%8" PRIu64 " .. %8" PRIu64 "  %c %s\n", cycle_of(sweep, run),
		       cycle_of(sweep, end - 1), letter(sweep->of_run[run]),
		       sweep->outcomes[sweep->of_run[run]]);
	}
	for (run = 0; run < sweep->runs; run++) {
		if (run % COLUMNS == 0)
			printf("\n%8" PRIu64 " ", cycle_of(sweep, run));
		putchar(letter(sweep->of_run[run]));
	}
	printf("\n");
	for (outcome = 1; outcome < sweep->outcome_count; outcome++) {
		for (run = 0; sweep->of_run[run] != outcome; run++)
			;
		make_device(sweep, run, device, sizeof(device));
		printf("\n%c: ", letter(outcome));
		rf_trial_print(sweep->command, device);
	}
}

static void print_json(const struct sweep *sweep)
{
	unsigned int outcome;
	size_t run;

	printf("{\"device\": ");
	rf_print_json_string(stdout, sweep->device);
	printf(", \"move\": ");
	rf_print_json_string(stdout, sweep->move);
	printf(", \"against\": ");
	rf_print_json_string(stdout, sweep->against);
	printf(", \"outcomes\": [");
	for (outcome = 0; outcome < sweep->outcome_count; outcome++) {
		printf("%s", outcome ? ", " : "");
		rf_print_json_string(stdout, sweep->outcomes[outcome]);
	}
	printf("], \"cycles\": [");
	for (run = 0; run < sweep->runs; run++)
		printf("%s[%" PRIu64 ", %u]", run ? ", " : "", cycle_of(sweep, run),
		       sweep->of_run[run]);
	printf("]}\n");
}

/* --- the picture -------------------------------------------------------------------------- */

#define WIDTH 800u
#define LEFT 20u
#define BAR_TOP 40u
#define BAR_HEIGHT 40u
#define LEGEND_TOP 130u
#define LEGEND_LINE 22u
#define TICKS 8u

static const char *const colours[] = { "#8fbc8f", "#d62728", "#ff7f0e", "#1f77b4",
				       "#9467bd", "#8c564b", "#e377c2", "#bcbd22" };

static const char *colour(unsigned int outcome)
{
	return colours[outcome ? 1 + (outcome - 1) % 7 : 0];
}

static void draw_text(FILE *file, double x, unsigned int y, const char *text)
{
	fprintf(file, "<text x=\"%.1f\" y=\"%u\">", x, y);
	for (; *text; text++) {
		if (*text == '<' || *text == '>' || *text == '&')
			fprintf(file, "&#%d;", *text);
		else if ((unsigned char)*text < 0x80)
			fputc(*text, file);
		else
			fputc('?', file);
	}
	fprintf(file, "</text>\n");
}

static double place(const struct sweep *sweep, size_t run)
{
	return LEFT + (double)WIDTH * (double)run / (double)sweep->runs;
}

static void draw_bar(const struct sweep *sweep, FILE *file)
{
	size_t run, end;

	for (run = 0; run < sweep->runs; run = end) {
		end = end_of_group(sweep, run);
		fprintf(file,
			"<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%u\" fill=\"%s\">"
			"<title>%" PRIu64 "..%" PRIu64 "</title></rect>\n",
			place(sweep, run), BAR_TOP, place(sweep, end) - place(sweep, run),
			BAR_HEIGHT, colour(sweep->of_run[run]), cycle_of(sweep, run),
			cycle_of(sweep, end - 1));
	}
}

static void draw_ticks(const struct sweep *sweep, FILE *file)
{
	size_t last = sweep->runs, run;
	unsigned int tick;
	char text[24];

	for (tick = 0; tick < TICKS; tick++) {
		run = sweep->runs * tick / TICKS;
		if (run == last)
			continue;
		last = run;
		snprintf(text, sizeof(text), "%" PRIu64, cycle_of(sweep, run));
		fprintf(file, "<path d=\"M%.1f %uv6\" stroke=\"black\"/>\n", place(sweep, run),
			BAR_TOP + BAR_HEIGHT);
		draw_text(file, place(sweep, run), BAR_TOP + BAR_HEIGHT + 22, text);
	}
}

static void draw(const struct sweep *sweep, FILE *file)
{
	unsigned int height = LEGEND_TOP + LEGEND_LINE * sweep->outcome_count, i;
	char text[RF_TRIAL_OUTCOME];

	fprintf(file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		"font-family=\"sans-serif\" font-size=\"14\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
		WIDTH + 2 * LEFT, height);
	snprintf(text, sizeof(text), "%.60s held until so many cycles after %.60s", sweep->move,
		 sweep->against);
	draw_text(file, LEFT, 25, text);
	draw_bar(sweep, file);
	draw_ticks(sweep, file);
	for (i = 0; i < sweep->outcome_count; i++) {
		fprintf(file, "<rect x=\"%u\" y=\"%u\" width=\"14\" height=\"14\" fill=\"%s\"/>\n",
			LEFT, LEGEND_TOP + LEGEND_LINE * i - 12, colour(i));
		draw_text(file, LEFT + 22, LEGEND_TOP + LEGEND_LINE * i, sweep->outcomes[i]);
	}
	fprintf(file, "</svg>\n");
}

static int write_picture(const struct sweep *sweep)
{
	FILE *file = rf_output_open(sweep->picture);

	if (!file)
		return -EIO;
	draw(sweep, file);
	return rf_output_close(file, sweep->picture);
}

/* --- arguments ------------------------------------------------------------------------------ */

static int check_window(const struct sweep *sweep)
{
	if (sweep->to < sweep->from) {
		fprintf(stderr, "ringfence: --to %" PRIu64 " is before --from %" PRIu64 "\n",
			sweep->to, sweep->from);
		return -EINVAL;
	}
	if ((sweep->to - sweep->from) / sweep->step >= RUNS_MAX) {
		fprintf(stderr, "ringfence: more than %u runs; use a larger --step\n", RUNS_MAX);
		return -EINVAL;
	}
	return 0;
}

static int check_device(const struct sweep *sweep)
{
	char device[2 * RFSIM_STRING_TEXT];
	struct rfsim_string string;

	if (strlen(sweep->device) >= RFSIM_STRING_TEXT || strlen(sweep->move) > 100 ||
	    strlen(sweep->against) > 100) {
		fprintf(stderr, "ringfence: the device string is too long\n");
		return -EINVAL;
	}
	if (strncmp(sweep->device, RFSIM_STRING_PREFIX, strlen(RFSIM_STRING_PREFIX))) {
		fprintf(stderr, "ringfence: sweep is for simulated devices, sim:, not %s\n",
			sweep->device);
		return -EINVAL;
	}
	if (rf_setup_parse(sweep->device, &string))
		return -EINVAL;
	make_device(sweep, 0, device, sizeof(device));
	return rf_setup_parse(device, &string);
}

static int parse(struct sweep *sweep, int argc, char **argv)
{
	const struct rf_option options[] = {
		{ "move", .text = &sweep->move },
		{ "against", .text = &sweep->against },
		{ "device", .text = &sweep->device },
		{ "from", .number = &sweep->from },
		{ "to", .number = &sweep->to },
		{ "step", .number = &sweep->step, .least = 1 },
		{ "seconds", .number = &sweep->seconds, .least = 1 },
		{ "picture", .text = &sweep->picture },
		{ "json", .flag = &sweep->json },
		{ 0 },
	};
	const char *missing;

	sweep->command = rf_trial_command(&argc, argv);
	if (rf_parse_arguments(argc, argv, usage, options))
		return -EINVAL;
	missing = !sweep->move ? "--move" : !sweep->against ? "--against" : NULL;
	if (!missing && !sweep->command)
		missing = "-- COMMAND";
	if (missing) {
		fprintf(stderr, "ringfence: %s is missing\n%s", missing, usage);
		return -EINVAL;
	}
	sweep->device = rf_setup_name(sweep->device);
	return check_window(sweep) || check_device(sweep) ? -EINVAL : 0;
}

int rf_main_sweep(int argc, char **argv)
{
	static struct sweep sweep = { .to = 100, .step = 1, .seconds = 60 };
	int error;

	if (parse(&sweep, argc, argv))
		return 2;
	sweep.runs = (size_t)((sweep.to - sweep.from) / sweep.step) + 1;
	sweep.of_run = calloc(sweep.runs, 1);
	error = sweep.of_run ? run_all(&sweep) : -ENOMEM;
	if (!error && sweep.json)
		print_json(&sweep);
	else if (!error)
		print_text(&sweep);
	if (!error && sweep.picture)
		error = write_picture(&sweep);
	free(sweep.of_run);
	return error || sweep.outcome_count > 1 ? 1 : 0;
}
