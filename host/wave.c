// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "wave.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device_string.h"
#include "output.h"

/* In the order of a submission's way through the device; NULL, and the group's name. */
static const struct {
	const char *group;
	const char *signal;
} signals[] = {
	{ "PCIe, to the device", NULL },
	{ NULL, "rx_tlp_valid_i" },
	{ NULL, "rx_tlp_ready_o" },
	{ NULL, "rx_tlp_hdr_i[127:0]" },
	{ "Doorbell and fetch", NULL },
	{ NULL, "doorbell_valid" },
	{ NULL, "event_ring" },
	{ NULL, "event_ring_fetch[1:0]" },
	{ NULL, "event_packet[1:0]" },
	{ "Nodes", NULL },
	{ NULL, "node_busy[1:0]" },
	{ NULL, "node_slot[7:0]" },
	{ NULL, "event_wait[1:0]" },
	{ "Engines", NULL },
	{ NULL, "engine_valid[1:0]" },
	{ NULL, "engine_ready[1:0]" },
	{ NULL, "engine_done[1:0]" },
	{ "Fences", NULL },
	{ NULL, "fence_valid[1:0]" },
	{ NULL, "fence_ready[1:0]" },
	{ NULL, "fence_done" },
	{ NULL, "snoop_valid" },
	{ NULL, "wait_valid" },
	{ NULL, "wait_ready" },
	{ NULL, "release_valid" },
	{ NULL, "release_slot[3:0]" },
	{ "Interrupts", NULL },
	{ NULL, "record_valid[4:0]" },
	{ NULL, "interrupt_raised" },
	{ NULL, "interrupt_suppressed" },
	{ "PCIe, from the device", NULL },
	{ NULL, "tx_tlp_valid_o" },
	{ NULL, "tx_tlp_ready_i" },
	{ NULL, "tx_tlp_hdr_o[127:0]" },
	{ NULL, "tx_read_tlp_valid_o" },
	{ NULL, "tx_read_tlp_ready_i" },
	{ NULL, "tx_read_tlp_hdr_o[127:0]" },
};

/* Flags of a line: bits in binary, buses in hexadecimal, both right-justified. */
#define FLAGS_BIT "@28"
#define FLAGS_BUS "@22"
#define FLAGS_BUS_AS_TEXT "@4022" /* as the translate filter process has it */
#define FLAGS_GROUP_BEGIN "@800200"
#define FLAGS_GROUP_END "@1000200"

/*
 * gtkwave may be started anywhere, so the wave has its whole name. It opens where the wave begins,
 * which commands let it do before their first doorbell, with 2^ZOOM ns in a pixel.
 */
#define ZOOM 5

static bool is_tlp(const char *signal)
{
	return strstr(signal, "tlp_hdr") != NULL;
}

/*
 * "PROGRAM tlp", with which gtkwave shows headers of TLPs as text: this program, unless it is
 * another one that writes waves. gtkwave cannot start what has a space in its name.
 */
static bool find_filter(char *filter, size_t bytes)
{
	char *program = realpath("/proc/self/exe", NULL);
	const char *name = program ? strrchr(program, '/') : NULL;
	bool found = name && !strncmp(name, "/ringfence", 10) && !strpbrk(program, " \t\n");

	if (found)
		snprintf(filter, bytes, "%s tlp", program);
	free(program);
	return found;
}

/* A header of TLPs as text, and the bits. */
static void write_signal(FILE *file, const char *signal, const char *filter)
{
	if (filter && is_tlp(signal))
		fprintf(file, FLAGS_BUS_AS_TEXT "\n^>1 %s\nTOP.rf_device.%s\n", filter, signal);
	fprintf(file, "%s\nTOP.rf_device.%s\n", strchr(signal, '[') ? FLAGS_BUS : FLAGS_BIT,
		signal);
}

static int write_save_file(const char *wave, const char *path, uint64_t cycle)
{
	FILE *file = rf_output_open(path);
	const char *group = NULL;
	char whole[PATH_MAX], filter[PATH_MAX + 8];
	bool found = find_filter(filter, sizeof(filter));
	size_t i;

	if (!file)
		return -EIO;
	fprintf(file,
		"[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n*-%d.000000 -1\n[treeopen] TOP.\n",
		realpath(wave, whole) ? whole : wave, cycle * (1000000000 / RFSIM_HZ), ZOOM);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		if (signals[i].group) {
			if (group)
				fprintf(file, FLAGS_GROUP_END "\n-%s\n", group);
			group = signals[i].group;
			fprintf(file, FLAGS_GROUP_BEGIN "\n-%s\n", group);
			continue;
		}
		write_signal(file, signals[i].signal, found ? filter : NULL);
	}
	fprintf(file, FLAGS_GROUP_END "\n-%s\n", group);
	return rf_output_close(file, path);
}

/* --- its end ------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static struct wave {
	struct rfsim_device *device;
	char *path;
} waves[RFSIM_STRING_DEVICES];
static unsigned int wave_count;
static pid_t owner; /* a child of fork() leaves it alone */

static int complain(const char *path, int error)
{
	fprintf(stderr, "ringfence: cannot write %s: %s\n", path,
		error == -ESPIPE ? "a wave is written at random places of a file"
				 : strerror(-error));
	return error;
}

int rf_wave_end(void)
{
	int error = 0, one;

	pthread_mutex_lock(&lock);
	for (; wave_count; wave_count--) {
		struct wave *wave = &waves[wave_count - 1];

		one = owner == getpid() ? rfsim_trace(wave->device, NULL) : 0;
		if (one)
			error = complain(wave->path ? wave->path : "the wave", one);
		free(wave->path);
	}
	pthread_mutex_unlock(&lock);
	return error;
}

static void end_at_exit(void)
{
	rf_wave_end();
}

/* The only thread that the signals are for. A second one ends the program at once. */
static void *end_by_signal(void *argument)
{
	const sigset_t *wanted = argument;
	int number;

	if (sigwait(wanted, &number))
		return NULL;
	signal(number, SIG_DFL);
	pthread_sigmask(SIG_UNBLOCK, wanted, NULL);
	rf_wave_end();
	raise(number);
	return NULL;
}

int rf_wave_prepare(void)
{
	/* of these, those that end the program */
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	static sigset_t wanted;
	struct sigaction action;
	const char *problem;
	pthread_t thread;
	size_t i;
	int error;

	sigemptyset(&wanted);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!sigaction(numbers[i], NULL, &action) && action.sa_handler == SIG_DFL)
			sigaddset(&wanted, numbers[i]);
	/* That is for the thread that writes, for which it is an error then. */
	if (!sigaction(SIGPIPE, NULL, &action) && action.sa_handler == SIG_DFL)
		signal(SIGPIPE, SIG_IGN);
	problem = rfsim_waves();
	if (problem) {
		fprintf(stderr, "ringfence: %s\n", problem);
		return -ENOENT;
	}
	error = pthread_sigmask(SIG_BLOCK, &wanted, NULL);
	if (!error)
		error = pthread_create(&thread, NULL, end_by_signal, &wanted);
	if (!error)
		error = pthread_detach(thread);
	if (!error && atexit(end_at_exit))
		error = ENOMEM;
	return error ? complain("a wave", -error) : 0;
}

int rf_wave_begin(struct rfsim_device *device, const char *path, uint64_t cycle)
{
	char *save, *copy;
	int error = rfsim_trace(device, path);

	if (error)
		return complain(path, error);
	copy = strdup(path);
	pthread_mutex_lock(&lock);
	waves[wave_count++] = (struct wave){ device, copy };
	owner = getpid();
	pthread_mutex_unlock(&lock);
	if (!copy || asprintf(&save, "%s.gtkw", path) < 0) {
		error = complain(path, -ENOMEM);
	} else {
		error = write_save_file(path, save, cycle);
		free(save);
	}
	if (error)
		rf_wave_end();
	return error;
}
