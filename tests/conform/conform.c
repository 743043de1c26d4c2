// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence conform: runs the tests, each in a process of its own, and writes
 * <output>/<target>.tsv (id, result, test, note) and <target>.xml (JUnit).
 */
#define _GNU_SOURCE /* FNM_EXTMATCH */
#include "conform.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../host/arguments.h"
#include "../../host/commands.h"
#include "../../host/output.h"
#include "../time_scale.h"
#include "problem.h"
#include "rf_bus.h"
#include "rf_miniport_loader.h"
#include "rf_pci_bus.h"
#include "ringfence_hw.h"
#include "watch.h"

#define TIMEOUT_SECONDS 300
#define SLOW_TIMEOUT_SECONDS 3600 /* of a simulated board at the end of a line, or of a link */
#define JOBS_MAX 1024

extern const struct rf_ddi rf_ringfence_ddi, rf_ringfence_optimized_ddi,
	rf_ringfence_global_doorbell_ddi, rf_ringfence_patching_ddi, rf_ringfence_windows7_ddi;

static const struct rf_conform_test *const groups[] = {
	rf_conform_fence_tests,	     rf_conform_race_tests,	 rf_conform_wait_tests,
	rf_conform_log_tests,	     rf_conform_interrupt_tests, rf_conform_queue_tests,
	rf_conform_engine_tests,     rf_conform_pcie_tests,	 rf_conform_stack_tests,
	rf_conform_doorbell_tests,   rf_conform_kernel_tests,	 rf_conform_monitored_tests,
	rf_conform_memory_tests,     rf_conform_sched_tests,	 rf_conform_swap_tests,
	rf_conform_packet_tests,     rf_conform_driver_tests,	 rf_conform_power_tests,
	rf_conform_recovery_tests,   rf_conform_hang_tests,	 rf_conform_storage_tests,
	rf_conform_order_tests,	     rf_conform_change_tests,	 rf_conform_cross_tests,
	rf_conform_cross_life_tests, rf_conform_peer_tests,	 rf_conform_linked_tests,
};

static const char usage[] =
	"Usage: ringfence conform [--device DEVICE] [--filter PATTERN] [--list] [--seed N]\n"
	"                         [--shard I/N] [--jobs N] [--name NAME] [--output FOLDER]\n"
	"                         [--json]\n"
	"       ringfence conform --miniport FILE [OPTION ...]\n"
	"Runs the conformance tests and writes FOLDER/NAME.tsv and FOLDER/NAME.xml.\n"
	"  --device   sim: or a device string (docs/device-string.md), the simulated device this\n"
	"             program is linked with; a render node, drm: or drm:NODE; pci:0000:00:04.0,\n"
	"             a function without a kernel driver, or serial:/dev/ttyUSB0, a board at the\n"
	"             end of that line, both one test at a time; default: $RINGFENCE_DEVICE,\n"
	"             else sim:. Tests that act in exact cycles, or choose their own latencies,\n"
	"             leave the words of a device string aside, but for link=, link-errors=.\n"
	"  --miniport a shared object with a miniport for a device of yours: the portable tests\n"
	"             run on it (docs/bench-your-device.md). The same as --device miniport:FILE;\n"
	"             miniport: without a file is the sample\n"
	"  --filter   only tests whose name matches the shell pattern, such as 'S0-3*' or, all\n"
	"             others, '!(S0-3*)'\n"
	"  --shard    the I-th of N parts of these tests, such as 1/4; the parts have each test\n"
	"             once\n"
	"  --list     print the names and stop; with --json also requirements, and the kinds of\n"
	"             devices that each test runs on\n"
	"  --seed     of the random choices, default 1\n"
	"  --jobs     tests at the same time, default 2\n"
	"  --name     of the results, default sim, sim-link (link=), drm, pci, serial or miniport\n"
	"  --output   folder of the results; default build/conform if the current folder has a\n"
	"             folder build, else ringfence-conform\n"
	"  --json     on standard output, instead of TAP, when all are done\n";

struct options {
	const char *device; /* NULL: the simulation */
	char *miniport; /* allocated, if --miniport gave the device's name */
	const char *simulation; /* its device string */
	struct rfsim_string string, plain; /* without words: of tests that count cycles */
	const char *filter, *name, *output, *shard;
	uint64_t part, parts; /* of the tests, from 0; parts is at least 1 */
	uint64_t seed;
	unsigned int jobs;
	bool list, json;
};

/* What a test's process tells: one of these and a line. */
enum result { RESULT_PASS, RESULT_FAIL, RESULT_SKIP, RESULT_CRASH };

struct outcome {
	const struct rf_conform_test *test;
	enum result result;
	double seconds;
	char note[512];
	pid_t process;
	int pipe;
	struct timespec start;
};

/* --- inside a test's process -------------------------------------------------------------- */

static int report_pipe;
static char report_note[480];

/* One record, smaller than PIPE_BUF; then the process is over. */
static void __attribute__((noreturn)) report(enum result result)
{
	char line[512];
	int bytes = snprintf(line, sizeof(line), "%c%s", "PFSC"[result], report_note);

	if (!report_pipe) { /* a user of dev.h that is no test */
		fprintf(stderr, "ringfence: %s\n", report_note);
		exit(1);
	}
	if (bytes >= (int)sizeof(line))
		bytes = sizeof(line) - 1;
	fflush(NULL);
	_exit(write(report_pipe, line, (size_t)bytes) == bytes ? 0 : 1);
}

void rf_conform_note(struct rf_conform *conform, const char *format, ...)
{
	va_list arguments;

	(void)conform;
	va_start(arguments, format);
	vsnprintf(report_note, sizeof(report_note), format, arguments);
	va_end(arguments);
}

void rf_conform_skip(struct rf_conform *conform, const char *format, ...)
{
	va_list arguments;

	(void)conform;
	va_start(arguments, format);
	vsnprintf(report_note, sizeof(report_note), format, arguments);
	va_end(arguments);
	report(RESULT_SKIP);
}

void rf_conform_fail(struct rf_conform *conform, const char *file, int line, const char *format,
		     ...)
{
	const char *violation = conform->setup.world.simulation
					? rfsim_world_check(conform->setup.world.simulation)
					: NULL;
	const char *base = strrchr(file, '/');
	va_list arguments;
	int used;

	used = snprintf(report_note, sizeof(report_note), "%s:%d: ", base ? base + 1 : file, line);
	va_start(arguments, format);
	used += vsnprintf(report_note + used, sizeof(report_note) - (size_t)used, format,
			  arguments);
	va_end(arguments);
	if (violation && used < (int)sizeof(report_note))
		snprintf(report_note + used, sizeof(report_note) - (size_t)used,
			 "; the device broke a rule: %s", violation);
	report(RESULT_FAIL);
}

uint64_t rf_conform_random(struct rf_conform *conform, uint64_t below)
{
	uint64_t x = conform->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	conform->random = x;
	return x * 0x2545f4914f6cdd1dull % below;
}

/* The driver that the test asks for. */
static const struct rf_ddi *choose_ddi(unsigned int flags)
{
	if (flags & RF_CONFORM_OPTIMIZED)
		return &rf_ringfence_optimized_ddi;
	if (flags & RF_CONFORM_GLOBAL_DOORBELL)
		return &rf_ringfence_global_doorbell_ddi;
	if (flags & RF_CONFORM_PATCHING)
		return &rf_ringfence_patching_ddi;
	if (flags & RF_CONFORM_WINDOWS7)
		return &rf_ringfence_windows7_ddi;
	return &rf_ringfence_ddi;
}

static bool is_pci(const char *device)
{
	return device && !strncmp(device, "pci:", 4);
}

static bool is_serial(const char *device)
{
	return device && !strncmp(device, "serial:", 7);
}

static bool is_miniport(const char *device)
{
	return device && !strncmp(device, RF_MINIPORT_PREFIX, strlen(RF_MINIPORT_PREFIX));
}

/* The tty's path; NULL: the device is simulated. */
static const char *line_of(const char *device)
{
	return device ? device + strlen("serial:") : NULL;
}

/* The device is in this process, as struct rf_setup has it. */
static bool has_world(const char *device)
{
	return !device || is_serial(device) || is_miniport(device);
}

/* A device with a root complex of its own. */
static void open_device(struct rf_conform *conform)
{
	const char *name = conform->device;
	int error;

	if (conform->test->flags & (RF_CONFORM_SIM_ONLY | RF_CONFORM_ROOT_COMPLEX))
		rf_conform_skip(conform, "needs the simulation");
	if (is_pci(name) != (conform->test->kind == RF_CONFORM_DEV))
		rf_conform_skip(conform, is_pci(name) ? "needs the kernel's driver"
						      : "needs a device without a driver");
	if (choose_ddi(conform->test->flags) != &rf_ringfence_ddi)
		rf_conform_skip(conform, "needs another driver of the device");
	if (is_pci(name))
		error = rf_pci_bus_create(name + 4, &conform->bus);
	else
		error = rf_device_open(name, &conform->setup.device);
	RF_CHECK(conform, !error, "cannot open %s: %s", name, rf_open_reason(name, error));
}

static void close_device(struct rf_conform *conform)
{
	if (conform->bus)
		rf_pci_bus_destroy(conform->bus);
	rf_device_close(conform->setup.device);
}

/* The graphics kernel over a loaded miniport. */
static void open_miniport(struct rf_conform *conform)
{
	struct rf_world *world = &conform->setup.world;
	int error = rf_setup_create_miniport(&conform->setup,
					     conform->device + strlen(RF_MINIPORT_PREFIX));

	if (!error)
		error = rf_world_add_driver(world, rf_watch(rf_miniport_get_ddi(world->miniport)));
	if (!error)
		error = rf_device_open_hosted(world->hosted_device, &conform->setup.device);
	RF_CHECK(conform, !error, "the miniport does not start: %s", strerror(-error));
	conform->bus = world->bus;
}

/* Tests choose latencies, and the string whether there is a link. */
static void use_link(struct rfsim_config *config, const struct rfsim_config *string)
{
	config->link = string->link;
	config->link_errors = string->link_errors;
}

/* A device in a world: simulated, or at the end of a line, whose cycles are its own. */
static void open_target(struct rf_conform *conform, const struct rfsim_config *chosen)
{
	struct rfsim_config own, *config = NULL;
	const struct rf_ddi *ddi = NULL;
	int error;

	if (chosen) {
		own = *chosen;
		use_link(&own, &conform->string->config);
		config = &own;
	}

	if (is_miniport(conform->device)) {
		if (config)
			rf_conform_skip(conform, "needs the simulation");
		open_miniport(conform);
		return;
	}
	if (conform->device && conform->test->flags & RF_CONFORM_SIM_ONLY)
		rf_conform_skip(
			conform,
			"sim-only: acts in exact cycles or measures them, or breaks the link");
	if (conform->device && conform->test->kind != RF_CONFORM_DEV)
		rf_conform_skip(conform, "needs the driver");
	if (conform->test->kind == RF_CONFORM_STACK) {
		ddi = rf_watch(choose_ddi(conform->test->flags));
		error = config ? rf_setup_create(&conform->setup, config, ddi)
			       : rf_setup_create_string(&conform->setup, conform->string, ddi);
		RF_CHECK(conform, !error, "cannot set up the driver");
		conform->bus = conform->setup.world.bus;
		return;
	}
	if (config || conform->device)
		error = rf_setup_create_bus(&conform->setup, config, line_of(conform->device));
	else
		error = rf_setup_create_string_bus(&conform->setup, conform->string);
	RF_CHECK(conform, !error, "cannot set up %s: %s",
		 conform->device ? conform->device : "the simulation", strerror(-error));
	conform->bus = conform->setup.world.bus;
}

static void close_target(struct rf_conform *conform)
{
	const char *violation = conform->setup.world.simulation
					? rfsim_world_check(conform->setup.world.simulation)
					: NULL;

	RF_CHECK(conform, !violation, "the device broke a rule: %s", violation);
	RF_CHECK(conform, !rf_setup_destroy(&conform->setup),
		 "the device broke a rule while it was closed");
}

void rf_conform_restart(struct rf_conform *conform, const struct rfsim_config *config)
{
	if (!has_world(conform->device)) {
		if (config)
			rf_conform_skip(conform, "needs the simulation");
		close_device(conform);
		open_device(conform);
		return;
	}
	close_target(conform);
	open_target(conform, config);
}

static bool has_link(const struct rf_conform *conform)
{
	return conform->string && conform->string->config.link;
}

unsigned int rf_conform_clock(const struct rf_conform *conform)
{
	return has_link(conform) ? 2 : 1;
}

unsigned int rf_conform_stretch(const struct rf_conform *conform)
{
	return has_link(conform) ? 8 : 1;
}

uint64_t rf_conform_stride(const struct rf_conform *conform, uint64_t cycles, unsigned int rounds)
{
	return has_link(conform) ? cycles / rounds | 1 : 1;
}

/* Whether the device has what a field of PARAMETERS tells; a driver keeps that to itself. */
static bool has(struct rf_conform *conform, uint64_t mask)
{
	return !conform->bus ||
	       rf_bus_read64(conform->bus, RF_BAR_REGISTERS, RF_REG_DEVICE_PARAMETERS) & mask;
}

static bool has_vector_engine(struct rf_conform *conform)
{
	struct rf_device_info info;

	if (!conform->setup.device)
		return has(conform, RF_DEVICE_PARAMETERS_VECTOR_ENGINE_MASK);
	rf_device_info(conform->setup.device, &info);
	return info.vector_engine;
}

static void skip_if_unable(struct rf_conform *conform)
{
	if (conform->test->flags & RF_CONFORM_SHADOW &&
	    !has(conform, RF_DEVICE_PARAMETERS_MONITORED_SHADOW_MASK))
		rf_conform_skip(conform, "this device keeps MonitoredValue in system memory");
	if (conform->test->flags & RF_CONFORM_VECTOR && !has_vector_engine(conform))
		rf_conform_skip(conform, "this device has no vector engine");
}

static void __attribute__((noreturn))
run_test(const struct rf_conform_test *test, const struct options *options)
{
	struct rf_conform conform = {
		.test = test,
		.device = options->device,
		.seed = options->seed,
		.string = test->flags & RF_CONFORM_SIM_ONLY ? &options->plain : &options->string,
		.random = options->seed | 1,
	};

	if (has_world(options->device))
		open_target(&conform, NULL);
	else
		open_device(&conform);
	skip_if_unable(&conform);
	test->run(&conform);
	if (has_world(options->device))
		close_target(&conform);
	else
		close_device(&conform);
	report(RESULT_PASS);
}

/* --- the table ------------------------------------------------------------------------------ */

static const char *const result_names[] = { "PASS", "FAIL", "SKIP", "FAIL" };

static size_t select_tests(const struct options *options, struct outcome **outcomes)
{
	size_t group, matching = 0, count = 0, capacity = 0;
	const struct rf_conform_test *test;
	struct outcome *list = NULL;

	for (group = 0; group < sizeof(groups) / sizeof(groups[0]); group++) {
		for (test = groups[group]; test->name; test++) {
			if (fnmatch(options->filter, test->name, FNM_EXTMATCH))
				continue;
			if (is_miniport(options->device) && !(test->flags & RF_CONFORM_PORTABLE))
				continue;
			if (matching++ % options->parts != options->part)
				continue;
			if (count == capacity) {
				capacity = capacity ? 2 * capacity : 64;
				list = realloc(list, capacity * sizeof(*list));
				if (!list)
					abort();
			}
			list[count] = (struct outcome){ .test = test };
			count++;
		}
	}
	*outcomes = list;
	return count;
}

static unsigned int timeout_of(const struct options *options)
{
	bool slow = is_serial(options->device) || (!options->device && options->string.config.link);

	return time_limit(slow ? SLOW_TIMEOUT_SECONDS : TIMEOUT_SECONDS);
}

static void start_test(struct outcome *outcome, const struct options *options)
{
	int pipes[2];

	clock_gettime(CLOCK_MONOTONIC, &outcome->start);
	outcome->result = RESULT_CRASH;
	fflush(NULL);
	if (pipe(pipes)) {
		snprintf(outcome->note, sizeof(outcome->note), "no pipe: %s", strerror(errno));
		return;
	}
	outcome->process = fork();
	if (!outcome->process) {
		close(pipes[0]);
		report_pipe = pipes[1];
		alarm(timeout_of(options));
		run_test(outcome->test, options);
	}
	close(pipes[1]);
	outcome->pipe = pipes[0];
}

static void finish_test(struct outcome *outcome, int status, const struct options *options)
{
	char line[512];
	ssize_t bytes = read(outcome->pipe, line, sizeof(line) - 1);
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	outcome->seconds = (double)(end.tv_sec - outcome->start.tv_sec) +
			   (double)(end.tv_nsec - outcome->start.tv_nsec) * 1e-9;
	close(outcome->pipe);
	outcome->process = 0;
	if (bytes > 0) {
		line[bytes] = 0;
		outcome->result = line[0] == 'P'   ? RESULT_PASS
				  : line[0] == 'S' ? RESULT_SKIP
						   : RESULT_FAIL;
		snprintf(outcome->note, sizeof(outcome->note), "%s", line + 1);
	} else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
		snprintf(outcome->note, sizeof(outcome->note), "no end within %u s",
			 timeout_of(options));
	} else if (WIFSIGNALED(status)) {
		snprintf(outcome->note, sizeof(outcome->note), "ended by signal %d",
			 WTERMSIG(status));
	} else {
		snprintf(outcome->note, sizeof(outcome->note), "ended with status %d",
			 WEXITSTATUS(status));
	}
}

static void print_outcome(const struct outcome *outcome, size_t number,
			  const struct options *options)
{
	bool good = outcome->result == RESULT_PASS || outcome->result == RESULT_SKIP;

	printf("%s %zu - %s%s%s\n", good ? "ok" : "not ok", number, outcome->test->name,
	       outcome->result == RESULT_SKIP ? " # SKIP " : "",
	       outcome->result == RESULT_SKIP ? outcome->note : "");
	if (!good)
		printf("# %s\n# repeat with: %s conform --device '%s' --filter '%s' --seed %" PRIu64
		       "\n",
		       outcome->note, program_invocation_name,
		       options->device ? options->device : options->simulation, outcome->test->name,
		       options->seed);
	fflush(stdout);
}

static void run_all(struct outcome *outcomes, size_t count, const struct options *options)
{
	size_t next = 0, finished = 0, i;
	unsigned int running = 0;
	int status;
	pid_t process;

	while (finished < count) {
		while (next < count && running < options->jobs) {
			start_test(&outcomes[next++], options);
			running++;
		}
		process = wait(&status);
		for (i = 0; i < next && outcomes[i].process != process; i++)
			;
		if (i == next)
			continue;
		finish_test(&outcomes[i], status, options);
		running--;
		finished++;
		if (!options->json)
			print_outcome(&outcomes[i], finished, options);
	}
}

/* --- files ------------------------------------------------------------------------------------ */

/* One row per requirement: the one in the name, and those it also shows. */
static void write_rows(FILE *file, const struct outcome *outcome)
{
	const char *name = outcome->test->name, *also = outcome->test->also;
	size_t length = strcspn(name, ".");

	for (;;) {
		fprintf(file, "%.*s\t%s\t%s\t%s\n", (int)length, length ? name : "",
			result_names[outcome->result], outcome->test->name, outcome->note);
		if (!also || !*also)
			return;
		name = also;
		length = strcspn(also, " ");
		also += length + strspn(also + length, " ");
	}
}

static void write_escaped(FILE *file, const char *text)
{
	size_t length;

	for (; *text; text += length ? length : 1) {
		length = rf_utf8_length(text);
		switch (length ? *text : 0) {
		case 0:
			fputs("\xef\xbf\xbd", file); /* U+FFFD */
			break;
		case '<':
			fputs("&lt;", file);
			break;
		case '>':
			fputs("&gt;", file);
			break;
		case '&':
			fputs("&amp;", file);
			break;
		case '"':
			fputs("&quot;", file);
			break;
		default:
			/* XML has no way to write most of the control characters */
			if (length > 1 || (unsigned char)*text >= 0x20)
				fwrite(text, 1, length, file);
			else
				fputc(' ', file);
		}
	}
}

static void write_junit(FILE *file, const struct outcome *outcomes, size_t count, const char *name)
{
	size_t i, failed = 0, skipped = 0;

	for (i = 0; i < count; i++) {
		skipped += outcomes[i].result == RESULT_SKIP;
		failed += outcomes[i].result == RESULT_FAIL || outcomes[i].result == RESULT_CRASH;
	}
	fprintf(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	fprintf(file, "<testsuite name=\"");
	write_escaped(file, name);
	fprintf(file, "\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n", count, failed,
		skipped);
	for (i = 0; i < count; i++) {
		const struct outcome *outcome = &outcomes[i];
		const char *element = outcome->result == RESULT_SKIP ? "skipped" : "failure";

		fprintf(file, "<testcase classname=\"conform.");
		write_escaped(file, name);
		fprintf(file, "\" name=\"%s\" time=\"%.3f\"", outcome->test->name,
			outcome->seconds);
		if (outcome->result == RESULT_PASS) {
			fprintf(file, "/>\n");
			continue;
		}
		fprintf(file, "><%s message=\"", element);
		write_escaped(file, outcome->note);
		fprintf(file, "\"/></testcase>\n");
	}
	fprintf(file, "</testsuite>\n");
}

static void print_json(const struct outcome *outcomes, size_t count, const struct options *options)
{
	size_t i;

	printf("{\"device\": ");
	rf_print_json_string(stdout, options->device ? options->device : options->simulation);
	printf(", \"seed\": %" PRIu64 ", \"tests\": [", options->seed);
	for (i = 0; i < count; i++) {
		printf("%s\n  {\"name\": \"%s\", \"result\": \"%s\", \"seconds\": %.3f, \"note\": ",
		       i ? "," : "", outcomes[i].test->name, result_names[outcomes[i].result],
		       outcomes[i].seconds);
		rf_print_json_string(stdout, outcomes[i].note);
		putchar('}');
	}
	printf("\n]}\n");
}

static bool is_folder(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static int make_folder(const char *path)
{
	if (!mkdir(path, 0777) || is_folder(path))
		return 0;
	return errno == EEXIST ? -ENOTDIR : -errno;
}

/* The folder and those that it is in. */
static int make_folders(const char *path)
{
	char *copy = strdup(path), *slash = copy;
	int error = !copy ? -ENOMEM : !*copy ? -ENOENT : 0;

	while (!error && (slash = strchr(slash + 1, '/'))) {
		*slash = 0;
		error = make_folder(copy);
		*slash = '/';
	}
	free(copy);
	return error ?: make_folder(path);
}

/* Before the tests run: is there a folder for their results, or can it be made? */
static int prepare_output(struct options *options)
{
	int error;

	if (!options->output)
		options->output = is_folder("build") ? "build/conform" : "ringfence-conform";
	error = make_folders(options->output);
	if (!error && access(options->output, W_OK | X_OK))
		error = -errno;
	if (error)
		fprintf(stderr,
			"ringfence: cannot write results into the folder '%s': %s; "
			"--output names another\n",
			options->output, strerror(-error));
	return error;
}

static FILE *open_result(const struct options *options, const char *ending, char **path)
{
	FILE *file;

	*path = rf_output_path(options->output, options->name, ending);
	file = *path ? rf_output_open(*path) : NULL;
	if (!file)
		free(*path);
	return file;
}

static int close_result(FILE *file, char *path)
{
	int error = rf_output_close(file, path);

	free(path);
	return error;
}

static int write_results(const struct outcome *outcomes, size_t count,
			 const struct options *options)
{
	char *path;
	FILE *file = open_result(options, ".tsv", &path);
	size_t i;

	if (!file)
		return -EIO;
	fprintf(file, "# id\tresult\ttest\tnote\n");
	for (i = 0; i < count; i++)
		write_rows(file, &outcomes[i]);
	if (close_result(file, path))
		return -EIO;
	file = open_result(options, ".xml", &path);
	if (!file)
		return -EIO;
	write_junit(file, outcomes, count, options->name);
	return close_result(file, path);
}

/* --- the list ----------------------------------------------------------------------------- */

static void print_requirements(const struct rf_conform_test *test)
{
	const char *also = test->also ? test->also : "";
	size_t length = strcspn(test->name, ".");

	printf("\"%.*s\"", (int)length, test->name);
	while (*also) {
		length = strcspn(also, " ");
		printf(", \"%.*s\"", (int)length, also);
		also += length + strspn(also + length, " ");
	}
}

/* The conditions are those of open_target() and open_device(). */
static void print_kinds(const struct rf_conform_test *test)
{
	const unsigned int simulation = RF_CONFORM_SIM_ONLY, root = RF_CONFORM_ROOT_COMPLEX;
	bool dev = test->kind == RF_CONFORM_DEV;

	printf("\"sim\"");
	if (dev && !(test->flags & simulation))
		printf(", \"serial\"");
	if (dev && !(test->flags & (simulation | root)))
		printf(", \"pci\"");
	if (!dev && !(test->flags & (simulation | root)) &&
	    choose_ddi(test->flags) == &rf_ringfence_ddi)
		printf(", \"drm\"");
	if (test->flags & RF_CONFORM_PORTABLE)
		printf(", \"miniport\"");
}

static void print_list(const struct outcome *outcomes, size_t count, bool json)
{
	size_t i;

	for (i = 0; i < count && !json; i++)
		printf("%s\n", outcomes[i].test->name);
	for (i = 0; i < count && json; i++) {
		printf("%s\n  {\"name\": \"%s\", \"requirements\": [", i ? "," : "[",
		       outcomes[i].test->name);
		print_requirements(outcomes[i].test);
		printf("], \"devices\": [");
		print_kinds(outcomes[i].test);
		printf("]}");
	}
	if (json)
		printf("%s\n]\n", count ? "" : "[");
}

/* --- arguments ---------------------------------------------------------------------------------- */

/* Each test has a device of its own. */
static int choose_simulation(struct options *options, const char *name)
{
	options->simulation = name;
	if (rf_setup_parse(RFSIM_STRING_PREFIX, &options->plain) ||
	    rf_setup_parse(name, &options->string))
		return -EINVAL;
	use_link(&options->plain.config, &options->string.config);
	if (*options->string.wave || *options->string.timeline || *options->string.record) {
		fprintf(stderr,
			"ringfence: cannot open %s: wave, timeline and record are for one device, "
			"each test has its own; take ringfence run or trace\n",
			name);
		return -EINVAL;
	}
	if (!options->name)
		options->name = options->string.config.link ? "sim-link" : "sim";
	return 0;
}

/* --miniport FILE is a device's name. */
static int choose_miniport(struct options *options, const char *path)
{
	if (!path)
		return 0;
	if (options->device) {
		fprintf(stderr,
			"ringfence: --miniport names the device, so --device is not taken\n");
		return -EINVAL;
	}
	if (!*path) {
		fprintf(stderr, "ringfence: --miniport needs a file, such as ./mine.so\n");
		return -EINVAL;
	}
	if (asprintf(&options->miniport, RF_MINIPORT_PREFIX "%s", path) < 0)
		return -ENOMEM;
	options->device = options->miniport;
	return 0;
}

/* A bare function and a line serve one process. */
static int choose_device(struct options *options)
{
	const char *name = rf_setup_name(options->device);

	options->device = NULL;
	if (!strncmp(name, "sim:", 4))
		return choose_simulation(options, name);
	options->device = name;
	if (is_miniport(name)) {
		options->name = options->name ? options->name : "miniport";
		return 0;
	}
	if (is_pci(name) || is_serial(name))
		options->jobs = 1;
	else if (strncmp(name, "drm:", 4) != 0) {
		fprintf(stderr,
			"ringfence: no device '%s'; there are: sim:, drm:, pci:, serial:, "
			"miniport:\n",
			name);
		return -EINVAL;
	}
	if (!options->name)
		options->name = is_pci(name) ? "pci" : is_serial(name) ? "serial" : "drm";
	return 0;
}

/* Before tests are skipped for reasons of their own. */
static int check_device(const struct options *options)
{
	const char *name = options->device;
	struct rf_setup setup = { 0 };
	struct rf_device *device = NULL;
	struct rf_bus *bus = NULL;
	const char *missing;
	int error;

	if (!name) {
		missing = options->string.config.link ? rfsim_link() : NULL;
		if (missing)
			fprintf(stderr, "ringfence: cannot open %s: %s\n", options->simulation,
				missing);
		return missing ? -ENOENT : 0;
	}
	if (is_miniport(name)) {
		error = rf_setup_create_miniport(&setup, name + strlen(RF_MINIPORT_PREFIX));
		rf_setup_destroy(&setup);
		return error;
	}
	if (is_pci(name))
		error = rf_pci_bus_create(name + 4, &bus);
	else if (is_serial(name))
		error = rf_setup_create_bus(&setup, NULL, line_of(name));
	else
		error = rf_device_open(name, &device);
	if (error)
		fprintf(stderr, "ringfence: cannot open %s: %s\n", name,
			rf_open_reason(name, error));
	if (bus)
		rf_pci_bus_destroy(bus);
	rf_setup_destroy(&setup);
	rf_device_close(device);
	return error;
}

/* I/N: 1/4 is the first of four parts. */
static int parse_shard(struct options *options)
{
	uint64_t part, parts;
	char end;

	options->parts = 1;
	if (!options->shard)
		return 0;
	if (!isdigit((unsigned char)options->shard[0]) ||
	    sscanf(options->shard, "%" SCNu64 "/%" SCNu64 "%c", &part, &parts, &end) != 2 ||
	    !part || part > parts) {
		fprintf(stderr,
			"ringfence: --shard %s is no part: 1/4, 2/4, 3/4 and 4/4 are four parts\n",
			options->shard);
		return -EINVAL;
	}
	options->part = part - 1;
	options->parts = parts;
	return 0;
}

static int parse(struct options *options, int argc, char **argv)
{
	uint64_t jobs = options->jobs;
	const char *miniport = NULL;
	const struct rf_option table[] = {
		{ "device", .text = &options->device },
		{ "miniport", .text = &miniport },
		{ "json", .flag = &options->json },
		{ "filter", .text = &options->filter },
		{ "shard", .text = &options->shard },
		{ "list", .flag = &options->list },
		{ "seed", .number = &options->seed },
		{ "jobs", .number = &jobs, .least = 1, .most = JOBS_MAX },
		{ "name", .text = &options->name },
		{ "output", .text = &options->output },
		{ 0 },
	};

	if (rf_parse_arguments(argc, argv, usage, table))
		return -EINVAL;
	options->jobs = (unsigned int)jobs;
	return parse_shard(options) ?: choose_miniport(options, miniport) ?: choose_device(options);
}

int rf_main_conform(int argc, char **argv)
{
	struct options options = { .filter = "*", .seed = 1, .jobs = 2 };
	struct outcome *outcomes;
	size_t count, i, failed = 0;

	if (parse(&options, argc, argv))
		return 2;
	count = select_tests(&options, &outcomes);
	if (options.list) {
		print_list(outcomes, count, options.json);
		free(outcomes);
		return 0;
	}
	if (!count) {
		fprintf(stderr, "ringfence: no test%s%s matches '%s'\n",
			options.shard ? " of part " : "", options.shard ? options.shard : "",
			options.filter);
		return 2;
	}
	if (prepare_output(&options) || check_device(&options)) {
		free(outcomes);
		return 1;
	}
	if (!options.json)
		printf("1..%zu\n", count);
	run_all(outcomes, count, &options);
	for (i = 0; i < count; i++)
		failed += outcomes[i].result == RESULT_FAIL || outcomes[i].result == RESULT_CRASH;
	if (options.json)
		print_json(outcomes, count, &options);
	if (write_results(outcomes, count, &options))
		failed++;
	else if (!options.json)
		printf("# results: %s/%s.tsv and .xml\n", options.output, options.name);
	free(outcomes);
	return failed ? 1 : 0;
}
