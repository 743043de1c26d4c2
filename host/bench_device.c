// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence bench --device: latencies and costs as a program sees them. Times of the device are
 * taken by TIMESTAMP packets; times of the CPU have little meaning if the device is simulated.
 *
 * Instructions and system calls of a submission are counted in a separate process, which is
 * single-stepped between two stops; the cost of a stop itself is measured the same way.
 * With sim: and pci: the driver is in the process, and so are its instructions; and with sim:
 * the store to a doorbell is a call. A kernel-mode submission there runs the simulation, so its
 * instructions are not counted.
 */
#include "bench_device.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"
#include "rf_miniport_loader.h"
#include "ringfence_hw.h"
#include "setup.h"

#define SUBMISSIONS 32u /* measured in one go; a ring has room for them */
#define SIGNALS 200u
#define FENCES 200u
#define COPY_BYTES 65536u
#define TIMEOUT 60000000000ull

struct bench {
	const char *name, *filter;
	bool json, printed;
	struct rf_setup setup;
};

static void must(int error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "ringfence: bench: %s: %s\n", what, rf_error_string(error));
	exit(1);
}

static bool wanted(const struct bench *bench, const char *key)
{
	return !fnmatch(bench->filter, key, 0);
}

static void print(struct bench *bench, const char *key, double value, const char *unit)
{
	if (!wanted(bench, key))
		return;
	if (bench->json)
		printf("%s\n  \"%s\": {\"value\": %.2f, \"unit\": \"%s\"}",
		       bench->printed ? "," : "", key, value, unit);
	else
		printf("%-40s %14.2f %s\n", key, value, unit);
	bench->printed = true;
	fflush(stdout);
}

/* --- submissions -------------------------------------------------------------------------- */

struct submitter {
	struct rf_queue *queue;
	struct rf_commands *commands[SUBMISSIONS];
};

static void submitter_open(struct submitter *submitter, struct rf_device *device, bool kernel)
{
	unsigned int i;

	must(rf_queue_create(device, RF_ENGINE_COPY, kernel ? 0 : 64, kernel ? RF_QUEUE_KERNEL : 0,
			     &submitter->queue),
	     "queue");
	for (i = 0; i < SUBMISSIONS; i++) {
		must(rf_commands_create(submitter->queue, 64, RF_MEMORY_SYSTEM,
					&submitter->commands[i]),
		     "commands");
		rf_command_nop(submitter->commands[i], 1);
	}
	/* The first connects the doorbell. */
	must(rf_queue_submit(submitter->queue, submitter->commands[0]), "submit");
	must(rf_queue_wait(submitter->queue, TIMEOUT), "wait");
}

static void submitter_close(struct submitter *submitter)
{
	unsigned int i;

	rf_queue_destroy(submitter->queue);
	for (i = 0; i < SUBMISSIONS; i++)
		rf_commands_destroy(submitter->commands[i]);
}

static uint64_t cycle(const struct bench *bench)
{
	return bench->setup.world.simulation ? rfsim_cycle(bench->setup.world.simulation) : 0;
}

static void time_submissions(struct bench *bench, bool kernel)
{
	const char *kind = kernel ? "kernel_mode" : "user_mode";
	struct submitter submitter;
	uint64_t begin, submitted, end, cycles;
	char key[64];
	unsigned int i;

	submitter_open(&submitter, bench->setup.device, kernel);
	cycles = cycle(bench);
	begin = rf_job_time();
	for (i = 0; i < SUBMISSIONS; i++)
		must(rf_queue_submit(submitter.queue, submitter.commands[i]), "submit");
	submitted = rf_job_time();
	must(rf_queue_wait(submitter.queue, TIMEOUT), "wait");
	end = rf_job_time();
	cycles = cycle(bench) - cycles;
	snprintf(key, sizeof(key), "%s_submit_ns", kind);
	print(bench, key, (double)(submitted - begin) / SUBMISSIONS, "ns");
	snprintf(key, sizeof(key), "%s_submit_and_complete_ns", kind);
	print(bench, key, (double)(end - begin) / SUBMISSIONS, "ns");
	snprintf(key, sizeof(key), "%s_submit_and_complete_cycles", kind);
	if (bench->setup.world.simulation)
		print(bench, key, (double)cycles / SUBMISSIONS, "cycles");
	submitter_close(&submitter);
}

/* --- steps of a submission --------------------------------------------------------------- */

#if defined(__x86_64__)

struct steps {
	uint64_t instructions, system_calls;
};

/* To the next stop of the process. */
static int step(pid_t process, struct steps *steps)
{
	struct user_regs_struct registers;
	int status;

	memset(steps, 0, sizeof(*steps));
	for (;;) {
		errno = 0;
		if (ptrace(PTRACE_GETREGS, process, NULL, &registers))
			return -errno;
		/* syscall is 0f 05 */
		if ((ptrace(PTRACE_PEEKTEXT, process, (void *)registers.rip, NULL) & 0xffff) ==
		    0x050f)
			steps->system_calls++;
		steps->instructions++;
		if (ptrace(PTRACE_SINGLESTEP, process, NULL, NULL) ||
		    waitpid(process, &status, 0) != process)
			return -errno;
		if (!WIFSTOPPED(status))
			return -ECHILD;
		if (WSTOPSIG(status) == SIGSTOP)
			return 0;
	}
}

/* Stops, stops again at once, submits, stops. */
static void __attribute__((noreturn)) stepped_process(const char *name, bool kernel)
{
	struct submitter submitter;
	struct rf_setup setup;

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || rf_setup_open(&setup, name))
		_exit(1);
	submitter_open(&submitter, setup.device, kernel);
	raise(SIGSTOP);
	raise(SIGSTOP);
	rf_queue_submit(submitter.queue, submitter.commands[1]);
	raise(SIGSTOP);
	rf_queue_wait(submitter.queue, TIMEOUT);
	submitter_close(&submitter);
	rf_setup_destroy(&setup);
	_exit(0);
}

static void count_steps(struct bench *bench, bool kernel)
{
	const char *kind = kernel ? "kernel_mode" : "user_mode";
	struct steps stop, all;
	char key[64];
	pid_t process;
	int status;

	fflush(NULL);
	process = fork();
	if (!process)
		stepped_process(bench->name, kernel);
	if (process < 0 || waitpid(process, &status, 0) != process)
		must(-ECHILD, "process to be stepped");
	if (WIFEXITED(status))
		exit(WEXITSTATUS(status)); /* it has said why */
	if (!WIFSTOPPED(status))
		must(-ECHILD, "process to be stepped");
	must(step(process, &stop), "step");
	must(step(process, &all), "step");
	ptrace(PTRACE_CONT, process, NULL, NULL);
	waitpid(process, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		must(-ECHILD, "process that was stepped");
	snprintf(key, sizeof(key), "%s_submit_instructions", kind);
	print(bench, key, (double)(all.instructions - stop.instructions), "instructions");
	snprintf(key, sizeof(key), "%s_submit_system_calls", kind);
	print(bench, key, (double)(all.system_calls - stop.system_calls), "calls");
}

#else

static void count_steps(struct bench *bench, bool kernel)
{
	(void)bench;
	(void)kernel;
}

#endif

/* --- the device's time ---------------------------------------------------------------------- */

/* Between TIMESTAMPs at the words 0 and 1 of @memory. */
static double device_ns(struct bench *bench, struct rf_commands *commands, struct rf_queue *queue,
			struct rf_memory *memory)
{
	struct rf_device_info info;
	uint64_t times[2];

	must(rf_queue_submit(queue, commands), "submit");
	must(rf_queue_wait(queue, TIMEOUT), "wait");
	must(rf_memory_read(memory, 0, times, sizeof(times)), "times");
	rf_device_info(bench->setup.device, &info);
	return (double)(times[1] - times[0]) * 1e9 / (double)info.timestamp_hz;
}

static void time_device(struct bench *bench)
{
	struct rf_device *device = bench->setup.device;
	struct rf_commands *signals, *copy;
	struct rf_memory *memory, *data;
	struct rf_fence *fence;
	struct rf_queue *queue;
	unsigned int i;

	must(rf_queue_create(device, RF_ENGINE_COPY, 16, 0, &queue), "queue");
	must(rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &fence), "fence");
	must(rf_memory_create(device, 16, RF_MEMORY_SYSTEM, &memory), "memory");
	must(rf_memory_create(device, 2 * COPY_BYTES, RF_MEMORY_LOCAL, &data), "local memory");
	must(rf_commands_create(queue, SIGNALS * 40 + 64, RF_MEMORY_LOCAL, &signals), "commands");
	must(rf_commands_create(queue, 128, RF_MEMORY_LOCAL, &copy), "commands");
	rf_commands_log(signals, 0);
	rf_command_timestamp(signals, rf_memory_address(memory));
	for (i = 1; i <= SIGNALS; i++)
		rf_command_signal(signals, fence, i);
	rf_command_timestamp(signals, rf_memory_address(memory) + 8);
	print(bench, "signal_interval_ns", device_ns(bench, signals, queue, memory) / SIGNALS,
	      "ns of the device");
	rf_command_timestamp(copy, rf_memory_address(memory));
	rf_command_copy(copy, rf_memory_address(data) + COPY_BYTES, rf_memory_address(data),
			COPY_BYTES);
	rf_command_barrier(copy);
	rf_command_timestamp(copy, rf_memory_address(memory) + 8);
	print(bench, "local_copy_mb_per_s",
	      COPY_BYTES * 1e3 / device_ns(bench, copy, queue, memory), "MB/s of the device");
	rf_queue_destroy(queue);
	rf_commands_destroy(signals);
	rf_commands_destroy(copy);
	rf_memory_destroy(data);
	rf_memory_destroy(memory);
	rf_fence_destroy(fence);
}

/* --- interrupts --------------------------------------------------------------------------------- */

/* Of the device, or all of the kernel's driver; other processes' as well. */
static uint64_t interrupts(struct bench *bench)
{
	uint64_t sum = 0, number;
	char line[256];
	FILE *file;

	if (bench->setup.world.miniport)
		return rf_miniport_interrupts(bench->setup.world.miniport);
	if (bench->setup.world.bus)
		return rf_setup_register(&bench->setup, 0,
					 RF_REG_COUNTER_VALUE(RF_COUNTER_INTERRUPTS_RAISED));
	file = fopen("/proc/interrupts", "r");
	must(file ? 0 : -errno, "/proc/interrupts");
	while (fgets(line, sizeof(line), file)) {
		char *text = strchr(line, ':'), *end;

		if (!text || !strstr(line, "ringfence"))
			continue;
		for (text++;; text = end) {
			number = strtoull(text, &end, 10);
			if (end == text || *end != ' ')
				break;
			sum += number;
		}
	}
	fclose(file);
	return sum;
}

/* By looking at it, which no interrupt is needed for. */
static void poll_value(struct bench *bench, struct rf_fence *fence, uint64_t value)
{
	uint64_t deadline = rf_job_time() + TIMEOUT;

	while (rf_fence_value(fence) < value) {
		must(rf_job_time() < deadline ? 0 : -ETIMEDOUT, "value");
		if (bench->setup.world.simulation)
			rfsim_step(bench->setup.world.simulation, 16);
		else
			usleep(100);
	}
	must(rf_fence_value(fence) == RF_FENCE_VALUE_LOST ? -EIO : 0, "value");
}

static void count_interrupts(struct bench *bench, bool wait)
{
	struct rf_device *device = bench->setup.device;
	struct rf_commands *commands;
	struct rf_fence *fence;
	struct rf_queue *queue;
	struct rf_event *event;
	uint64_t before, i;

	must(rf_queue_create(device, RF_ENGINE_COPY, 16, 0, &queue), "queue");
	must(rf_fence_create(device, RF_FENCE_DEFAULT, 0, 0, &fence), "fence");
	must(rf_event_create(device, &event), "event");
	must(rf_commands_create(queue, 64, RF_MEMORY_SYSTEM, &commands), "commands");
	before = interrupts(bench);
	for (i = 1; i <= FENCES; i++) {
		rf_commands_reset(commands);
		rf_command_signal(commands, fence, i);
		/* the wait begins before the signal: a later one would find the value, without an interrupt */
		if (wait)
			must(rf_fences_notify(&fence, &i, 1, RF_WAIT_ALL, event), "notify");
		must(rf_queue_submit(queue, commands), "submit");
		if (wait)
			must(rf_event_wait(event, TIMEOUT), "wait");
		else
			poll_value(bench, fence, i);
		/* the commands are free when the submission behind the signal is complete */
		poll_value(bench, rf_queue_progress(queue), rf_queue_submitted(queue));
	}
	print(bench,
	      wait ? "interrupts_per_1000_waited_fences" : "interrupts_per_1000_unwaited_fences",
	      (double)(interrupts(bench) - before) * 1000 / FENCES, "interrupts");
	rf_queue_destroy(queue);
	rf_commands_destroy(commands);
	rf_event_destroy(event);
	rf_fence_destroy(fence);
}

int rf_bench_device(const char *name, const char *filter, bool json)
{
	struct bench bench = { .name = name, .filter = filter, .json = json };
	int error;

	if (json)
		printf("{");
	/* A bare function is one process's: the others come first. */
	if (wanted(&bench, "user_mode_submit_instructions") ||
	    wanted(&bench, "user_mode_submit_system_calls"))
		count_steps(&bench, false);
	if (strncmp(name, "sim:", 4) != 0 && (wanted(&bench, "kernel_mode_submit_instructions") ||
					      wanted(&bench, "kernel_mode_submit_system_calls")))
		count_steps(&bench, true);
	if (rf_setup_open(&bench.setup, name))
		return 1;
	time_submissions(&bench, false);
	time_submissions(&bench, true);
	count_interrupts(&bench, false);
	count_interrupts(&bench, true);
	time_device(&bench);
	if (json)
		printf("\n}\n");
	error = rf_setup_destroy(&bench.setup);
	if (!bench.printed) {
		fprintf(stderr, "ringfence: no measurement matches '%s'\n", filter);
		return 2;
	}
	return error ? 1 : 0;
}
