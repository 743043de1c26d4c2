// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence soak: everything at once, for as long as one likes. More processes than
 * VMIDs, more queues than slots, more slots than doorbells; work of every kind, waits
 * across queues and devices, suspensions, breakpoints, faults, engines that hang, devices that
 * sleep, queues and processes that end in the midst of it. What a queue does to its memory is done
 * to a copy by the CPU as well, so that each result is checked word by word. One thread: a seed
 * repeats a run.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "commands.h"
#include "base/adapter.h"
#include "base/file.h"
#include "hosted.h"
#include "setup.h"
#include "umd.h"

#define PROCESSES 20u /* on each device */
#define LANES 8u /* queues of a process */
#define MEMORY_BYTES 8192u
#define WORDS (MEMORY_BYTES / 4)
#define ENTRIES 8u
/* A queue that should finish: cycles of the device, and seconds in which it makes none. */
#define LONGEST_CYCLES 100000000ull
#define LONGEST_SECONDS 60u
#define SECOND 1000000000ull
#define NANOSECONDS_PER_CYCLE (1000000000u / RFSIM_HZ)
/* While an engine hangs: the watch is to find that soon. */
#define SHORT_TDR_CYCLES 6000u
#define HANG_CYCLES (100 * SHORT_TDR_CYCLES)

static const char usage[] =
	"Usage: ringfence soak [--seconds N] [--rounds N] [--seed N] [--device DEVICE]\n"
	"                      [--devices COUNT] [--json]\n"
	"Runs a randomised stress mix of all features of a simulated device and its driver, verifies\n"
	"every result, and prints what was covered.\n"
	"  --seconds N  duration in real time; 10 unless rounds are given\n"
	"  --rounds N   duration in steps of the mix\n"
	"  --seed N     seed of the mix; 1\n"
	"  --device DEVICE\n"
	"               \"sim:\" or a device string (docs/device-string.md); default:\n"
	"               $RINGFENCE_DEVICE, else \"sim:\"\n"
	"  --devices COUNT\n"
	"               1 or 2, as devices= in a device string; queues of two devices also wait for\n"
	"               each other; default: 1\n"
	"  --json       the coverage as a JSON object\n";

/* A fence of another device that commands wait for. */
struct opened {
	struct rf_fence *fence;
	struct process *signaller; /* NULL: it has ended */
	uint64_t value;
};

/* A queue and what it works on. */
struct lane {
	struct process *process;
	struct rf_context *context;
	struct rf_queue *queue;
	struct rf_memory *memory;
	struct rf_fence *fence; /* that it signals */
	uint64_t promised; /* value of its last signal */
	bool shared; /* other devices may open the fence */
	struct rf_commands *commands[ENTRIES];
	struct opened opened[ENTRIES]; /* what they wait for */
	uint32_t node;
	bool kernel;
	uint32_t words[WORDS]; /* what the memory will hold */
};

struct process {
	unsigned int number; /* of its device */
	bool computes; /* which has a vector engine */
	struct rf_device *device;
	struct kmd_file *file;
	struct rf_fence *fence; /* that the CPU signals */
	uint64_t promised;
	struct lane *lanes[LANES];
};

enum covered {
	SUBMISSIONS,
	CHECKS,
	WAITS_ACROSS,
	WAITS_ACROSS_DEVICES,
	CPU_SIGNALS,
	SUSPENSIONS,
	BREAKPOINTS,
	FAULTS,
	HANGS,
	SLEEPS,
	QUEUES_ENDED,
	PROCESSES_ENDED,
	COVERED,
};

static const char *const covered_names[COVERED] = {
	"submissions",
	"memories checked",
	"waits across queues",
	"waits across devices",
	"signals by the CPU",
	"suspensions",
	"breakpoints",
	"faults",
	"engines that hung",
	"times a device slept and was reset",
	"queues ended in their work",
	"processes ended",
};

struct soak {
	struct rf_setup setup;
	struct process *processes[RF_SETUP_DEVICES * PROCESSES]; /* the devices in turn */
	unsigned int devices, process_count;
	uint64_t seed, random, rounds, seconds;
	bool json;
	uint64_t round;
	uint64_t covered[COVERED];
	/* What blocks queues at present; each must end before a wait for such a queue */
	struct process *unsignaled;
	struct lane *suspended;
	struct lane *trapped;
	struct rf_hosted_device *asleep;
};

/* --- small things ------------------------------------------------------------------------ */

static void __attribute__((noreturn, format(printf, 2, 3)))
give_up(const struct soak *soak, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "ringfence: soak: ");
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, " (seed %" PRIu64 ", round %" PRIu64 ")\n", soak->seed, soak->round);
	exit(1);
}

static void must(const struct soak *soak, int error, const char *what)
{
	if (error)
		give_up(soak, "%s: %s", what, strerror(-error));
}

/* splitmix64 */
static uint64_t draw(struct soak *soak, uint64_t below)
{
	uint64_t word = soak->random += 0x9e3779b97f4a7c15;

	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
	word = (word ^ word >> 27) * 0x94d049bb133111eb;
	return (word ^ word >> 31) % below;
}

static struct process *any_process(struct soak *soak)
{
	return soak->processes[draw(soak, soak->process_count)];
}

static struct lane *any_lane(struct soak *soak)
{
	return any_process(soak)->lanes[draw(soak, LANES)];
}

/* --- processes and queues ------------------------------------------------------------------ */

static struct lane *open_lane(struct soak *soak, struct process *process)
{
	struct lane *lane = calloc(1, sizeof(*lane));
	uint32_t flags;

	if (!lane)
		give_up(soak, "no memory");
	lane->process = process;
	lane->node = (uint32_t)draw(soak, 2);
	lane->kernel = !draw(soak, 8);
	flags = lane->kernel ? RF_QUEUE_KERNEL : draw(soak, 4) ? 0 : RF_QUEUE_LOCAL;
	must(soak,
	     rf_context_create(process->device, lane->node, (uint32_t)draw(soak, 3),
			       &lane->context),
	     "a context");
	must(soak,
	     rf_context_queue_create(lane->context, lane->kernel ? 0 : ENTRIES, flags,
				     &lane->queue),
	     "a queue");
	must(soak, rf_memory_create(process->device, MEMORY_BYTES, 0, &lane->memory), "memory");
	lane->shared = soak->devices > 1 && draw(soak, 2);
	must(soak,
	     rf_fence_create(process->device, RF_FENCE_DEFAULT,
			     lane->shared ? RF_FENCE_CROSS_ADAPTER : 0, 0, &lane->fence),
	     "a fence");
	return lane;
}

static void close_lane(struct lane *lane)
{
	unsigned int i;

	rf_queue_destroy(lane->queue);
	rf_context_destroy(lane->context);
	for (i = 0; i < ENTRIES; i++) {
		rf_commands_destroy(lane->commands[i]);
		rf_fence_destroy(lane->opened[i].fence);
	}
	rf_memory_destroy(lane->memory);
	rf_fence_destroy(lane->fence);
	free(lane);
}

static struct process *open_process(struct soak *soak, unsigned int number)
{
	struct process *process = calloc(1, sizeof(*process));
	struct rf_hosted_device *hosted = rf_setup_hosted(&soak->setup, number);
	struct rf_device_info info;
	unsigned int i;

	if (!process)
		give_up(soak, "no memory");
	process->number = number;
	must(soak, rf_device_open_hosted(hosted, &process->device), "a process");
	rf_device_info(process->device, &info);
	process->computes = info.vector_engine;
	process->file = rf_list_entry(hosted->adapter->files.prev, struct kmd_file, link);
	must(soak, rf_fence_create(process->device, RF_FENCE_DEFAULT, 0, 0, &process->fence),
	     "a fence");
	for (i = 0; i < LANES; i++)
		process->lanes[i] = open_lane(soak, process);
	return process;
}

static void close_process(struct process *process)
{
	unsigned int i;

	for (i = 0; i < LANES; i++)
		close_lane(process->lanes[i]);
	rf_fence_destroy(process->fence);
	rf_device_close(process->device);
	free(process);
}

/* Queues of other devices wait for what it has not signalled: they do so themselves. */
static void release_waiters(struct soak *soak, const struct process *ended)
{
	unsigned int i, j, k;

	for (i = 0; i < soak->process_count; i++) {
		for (j = 0; j < LANES && soak->processes[i]; j++) {
			for (k = 0; k < ENTRIES; k++) {
				struct opened *opened = &soak->processes[i]->lanes[j]->opened[k];

				if (!opened->fence || opened->signaller != ended)
					continue;
				if (rf_fence_value(opened->fence) < opened->value)
					must(soak, rf_fence_signal(opened->fence, opened->value),
					     "a signal of a waiter");
				opened->signaller = NULL;
			}
		}
	}
}

static void replace_process(struct soak *soak, unsigned int place)
{
	struct process *ended = soak->processes[place];
	unsigned int number = ended->number;

	soak->processes[place] = NULL;
	close_process(ended);
	release_waiters(soak, ended);
	soak->processes[place] = open_process(soak, number);
}

/* --- what holds queues up --------------------------------------------------------------------- */

static void let_go(struct soak *soak)
{
	uint64_t code;
	int error;

	if (soak->unsignaled)
		must(soak, rf_fence_signal(soak->unsignaled->fence, soak->unsignaled->promised),
		     "a signal");
	soak->unsignaled = NULL;
	if (soak->suspended)
		must(soak,
		     kmd_context_resume(soak->suspended->process->file,
					soak->suspended->context->handle),
		     "a resumption");
	soak->suspended = NULL;
	if (soak->asleep)
		must(soak, rf_hosted_wake(soak->asleep), "waking up");
	soak->asleep = NULL;
	while (soak->trapped) {
		error = rf_queue_trapped(soak->trapped->queue, &code);
		if (error == -EAGAIN) {
			rfsim_step(soak->setup.world.simulation, 100);
			continue;
		}
		must(soak, error, "a breakpoint");
		must(soak, rf_queue_resume(soak->trapped->queue), "a resumption");
		soak->trapped = NULL;
	}
}

/* On a busy host a second has few cycles: what counts is how far the device comes. */
static int wait_for_queue(struct soak *soak, struct rf_queue *queue)
{
	struct rfsim_world *world = soak->setup.world.simulation;
	uint64_t begin = rfsim_cycle(world), last = begin, now = begin;
	unsigned int still = 0;
	int error = rf_queue_wait(queue, SECOND);

	while (error == -ETIMEDOUT && still < LONGEST_SECONDS && now - begin < LONGEST_CYCLES) {
		error = rf_queue_wait(queue, SECOND);
		now = rfsim_cycle(world);
		still = now == last ? still + 1 : 0;
		last = now;
	}
	return error;
}

static void check_lane(struct soak *soak, struct lane *lane)
{
	let_go(soak);
	must(soak, wait_for_queue(soak, lane->queue), "a queue that should finish");
	if (memcmp(rf_memory_map(lane->memory), lane->words, MEMORY_BYTES))
		give_up(soak, "a memory does not hold what it should");
	soak->covered[CHECKS]++;
}

/* --- work ---------------------------------------------------------------------------------------- */

/* Commands that are not in flight any more. */
static struct rf_commands *begin(struct soak *soak, struct lane *lane)
{
	uint64_t submitted = rf_queue_submitted(lane->queue);
	struct rf_commands **commands = &lane->commands[submitted % ENTRIES];
	struct opened *opened = &lane->opened[submitted % ENTRIES];

	if (submitted - rf_queue_completed(lane->queue) >= ENTRIES - 1)
		check_lane(soak, lane);
	rf_fence_destroy(opened->fence);
	*opened = (struct opened){ 0 };
	if (*commands)
		rf_commands_reset(*commands);
	else
		must(soak, rf_commands_create(lane->queue, 1024, 0, commands), "commands");
	return *commands;
}

static int try_submit(struct soak *soak, struct lane *lane, struct rf_commands *commands)
{
	soak->covered[SUBMISSIONS]++;
	return rf_queue_submit(lane->queue, commands);
}

static void submit(struct soak *soak, struct lane *lane, struct rf_commands *commands)
{
	must(soak, try_submit(soak, lane, commands), "a submission");
}

/* Two parts of the memory that do not overlap, in words. */
static void pick_parts(struct soak *soak, uint32_t *from, uint32_t *to, uint32_t *count)
{
	*count = 1 + (uint32_t)draw(soak, WORDS / 2 - 1);
	*from = (uint32_t)draw(soak, WORDS / 2 - *count + 1);
	*to = WORDS / 2 + (uint32_t)draw(soak, WORDS / 2 - *count + 1);
	if (draw(soak, 2)) {
		uint32_t other = *from;

		*from = *to;
		*to = other;
	}
}

static void record_copying(struct soak *soak, struct lane *lane, struct rf_commands *commands)
{
	const uint64_t address = rf_memory_address(lane->memory);
	uint32_t from, to, count, i;
	uint64_t pattern;

	pick_parts(soak, &from, &to, &count);
	if (draw(soak, 2)) {
		rf_command_copy(commands, address + to * 4, address + from * 4, count * 4);
		memcpy(&lane->words[to], &lane->words[from], count * 4);
		return;
	}
	pattern = draw(soak, UINT64_MAX);
	to &= ~1u;
	count = (count + 1) & ~1u;
	if (to + count > WORDS)
		count = WORDS - to;
	rf_command_fill(commands, address + to * 4, count * 4, pattern);
	for (i = 0; i < count; i += 2)
		memcpy(&lane->words[to + i], &pattern, 8);
}

/* What a node without an engine can do */
static void record_writing(struct soak *soak, struct lane *lane, struct rf_commands *commands)
{
	uint32_t to = 2 * (uint32_t)draw(soak, WORDS / 2);
	uint64_t value = draw(soak, UINT64_MAX);

	rf_command_write(commands, rf_memory_address(lane->memory) + to * 4, value);
	memcpy(&lane->words[to], &value, 8);
}

/* In place as well: nothing may be done twice. */
static void record_computing(struct soak *soak, struct lane *lane, struct rf_commands *commands)
{
	const uint64_t address = rf_memory_address(lane->memory);
	uint32_t factor = (uint32_t)draw(soak, 1u << 31) * 2 + 1;
	uint32_t addend = (uint32_t)draw(soak, 1ull << 32);
	uint32_t from, to, count, i;

	pick_parts(soak, &from, &to, &count);
	if (draw(soak, 2)) {
		from = to;
	} else if (draw(soak, 2)) {
		rf_command_vector(commands, RF_VECTOR_ADD, address + to * 4, address + from * 4,
				  address + to * 4, count);
		for (i = 0; i < count; i++)
			lane->words[to + i] += lane->words[from + i];
		return;
	}
	rf_command_vector(commands, RF_VECTOR_AXPB, address + to * 4, address + from * 4,
			  (uint64_t)addend << 32 | factor, count);
	for (i = 0; i < count; i++)
		lane->words[to + i] = factor * lane->words[from + i] + addend;
}

static void record_work(struct soak *soak, struct lane *lane, struct rf_commands *commands)
{
	uint64_t operations = 1 + draw(soak, 4);

	while (operations--) {
		if (lane->node == RF_ENGINE_COPY)
			record_copying(soak, lane, commands);
		else if (lane->process->computes)
			record_computing(soak, lane, commands);
		else
			record_writing(soak, lane, commands);
	}
}

/* --- the steps of the mix -------------------------------------------------------------------------- */

static void step_work(struct soak *soak)
{
	struct lane *lane = any_lane(soak);
	struct rf_commands *commands = begin(soak, lane);

	record_work(soak, lane, commands);
	submit(soak, lane, commands);
}

static void step_check(struct soak *soak)
{
	check_lane(soak, any_lane(soak));
}

/* One queue waits for another of its process, to which the signal is submitted next. */
static void step_wait_across(struct soak *soak)
{
	struct process *process = any_process(soak);
	uint64_t first = draw(soak, LANES);
	struct lane *waiter = process->lanes[first];
	struct lane *signaller = process->lanes[(first + 1 + draw(soak, LANES - 1)) % LANES];
	struct rf_commands *commands;

	/* only with room in both rings, so that the wait is never submitted without its signal */
	begin(soak, signaller);
	commands = begin(soak, waiter);
	rf_command_wait(commands, signaller->fence, ++signaller->promised);
	record_work(soak, waiter, commands);
	submit(soak, waiter, commands);
	commands = begin(soak, signaller);
	record_work(soak, signaller, commands);
	rf_command_signal(commands, signaller->fence, signaller->promised);
	submit(soak, signaller, commands);
	soak->covered[WAITS_ACROSS]++;
}

/* A lane of a process on another device, with a fence that can be opened elsewhere; or NULL */
static struct lane *find_signaller(struct soak *soak, const struct process *waiter)
{
	struct lane *lane;
	unsigned int tries;

	for (tries = 0; tries < 100; tries++) {
		lane = any_lane(soak);
		if (lane->process->number != waiter->number && lane->shared)
			return lane;
	}
	return NULL;
}

/* As above, with a queue of another device. */
static void step_wait_across_devices(struct soak *soak)
{
	struct lane *waiter = any_lane(soak), *signaller;
	struct rf_commands *commands;
	struct opened *opened;
	uint64_t token;

	signaller = soak->devices > 1 ? find_signaller(soak, waiter->process) : NULL;
	if (!signaller)
		return;
	begin(soak, signaller);
	commands = begin(soak, waiter);
	opened = &waiter->opened[rf_queue_submitted(waiter->queue) % ENTRIES];
	opened->value = ++signaller->promised;
	opened->signaller = signaller->process;
	must(soak, rf_fence_share(signaller->fence, &token), "a token");
	must(soak, rf_fence_open(waiter->process->device, token, 0, &opened->fence),
	     "a fence of another device");
	rf_command_wait(commands, opened->fence, opened->value);
	record_work(soak, waiter, commands);
	submit(soak, waiter, commands);
	commands = begin(soak, signaller);
	record_work(soak, signaller, commands);
	rf_command_signal(commands, signaller->fence, signaller->promised);
	submit(soak, signaller, commands);
	soak->covered[WAITS_ACROSS_DEVICES]++;
}

static void step_cpu_signal(struct soak *soak)
{
	struct lane *lane = any_lane(soak);
	struct rf_commands *commands = begin(soak, lane);

	let_go(soak);
	rf_command_wait(commands, lane->process->fence, ++lane->process->promised);
	record_work(soak, lane, commands);
	submit(soak, lane, commands);
	soak->unsignaled = lane->process;
	soak->covered[CPU_SIGNALS]++;
}

static void step_suspend(struct soak *soak)
{
	struct lane *lane = any_lane(soak);

	let_go(soak);
	must(soak, kmd_context_suspend(lane->process->file, lane->context->handle), "a suspension");
	soak->suspended = lane;
	soak->covered[SUSPENSIONS]++;
}

static void step_breakpoint(struct soak *soak)
{
	struct lane *lane = any_lane(soak);
	struct rf_commands *commands = begin(soak, lane);

	let_go(soak);
	rf_command_trap(commands, soak->round);
	record_work(soak, lane, commands);
	submit(soak, lane, commands);
	soak->trapped = lane;
	soak->covered[BREAKPOINTS]++;
}

/* No queue waits for this one, and it waits for none. */
static void quiet_process(struct soak *soak, struct process *process)
{
	unsigned int i;

	for (i = 0; i < LANES; i++)
		check_lane(soak, process->lanes[i]);
}

static void replace_lane(struct soak *soak, struct lane *lane)
{
	struct process *process = lane->process;
	unsigned int i;

	for (i = 0; process->lanes[i] != lane; i++)
		;
	close_lane(lane);
	process->lanes[i] = open_lane(soak, process);
}

static void step_fault(struct soak *soak)
{
	const uint64_t wrong = 0x7f | 1 << 8;
	struct lane *lane = any_lane(soak);
	struct rf_commands *commands;
	uint64_t address;
	uint32_t cause;
	int error;

	quiet_process(soak, lane->process);
	commands = begin(soak, lane);
	if (draw(soak, 2))
		rf_command_raw(commands, &wrong, 1);
	else
		rf_command_write(commands, 0x8000, 1);
	/* It may be noticed before the submission is over. */
	error = try_submit(soak, lane, commands);
	if (error != -EIO)
		must(soak, error, "a submission");
	if (wait_for_queue(soak, lane->queue) != -EIO)
		give_up(soak, "a fault was not noticed");
	if (rf_queue_status(lane->queue, &cause, &address) != -EIO)
		give_up(soak, "a lost queue says that it is sound");
	replace_lane(soak, lane);
	soak->covered[FAULTS]++;
}

static unsigned int lost_processes(const struct soak *soak, unsigned int *place)
{
	unsigned int i, lost = 0;

	for (i = 0; i < soak->process_count; i++) {
		if (!soak->processes[i]->file->lost)
			continue;
		*place = i;
		lost++;
	}
	return lost;
}

/*
 * An engine hangs and is reset. The process whose work it was is lost, and nothing else. A node
 * without an engine has none that hangs.
 */
static void step_hang(struct soak *soak)
{
	const uint64_t hold = RF_NODE_ENGINE_HOLD_MASK;
	struct rfsim_world *world = soak->setup.world.simulation;
	struct lane *lane = any_lane(soak);
	unsigned int number = lane->process->number, place;
	struct rf_hosted_device *hosted = rf_setup_hosted(&soak->setup, number);
	struct rf_commands *commands;
	uint64_t begun;

	if (lane->node == RF_ENGINE_COMPUTE && !lane->process->computes)
		return;
	check_lane(soak, lane);
	commands = begin(soak, lane);
	must(soak,
	     rfsim_bar_write(rf_setup_sim(&soak->setup, number), 0, RF_REG_NODE_ENGINE(lane->node),
			     &hold, sizeof(hold)),
	     "a hang");
	record_work(soak, lane, commands);
	submit(soak, lane, commands);
	rf_hosted_set_tdr_delay(hosted, SHORT_TDR_CYCLES * NANOSECONDS_PER_CYCLE);
	for (begun = rfsim_cycle(world); !lost_processes(soak, &place);) {
		if (rfsim_cycle(world) - begun > HANG_CYCLES)
			give_up(soak, "an engine that hangs was not noticed");
		rfsim_step(world, SHORT_TDR_CYCLES / 2);
		rf_hosted_watch_progress(hosted, rfsim_cycle(world) * NANOSECONDS_PER_CYCLE);
	}
	rf_hosted_set_tdr_delay(hosted, (uint64_t)RF_WORLD_TDR_CYCLES * NANOSECONDS_PER_CYCLE);
	if (lost_processes(soak, &place) != 1)
		give_up(soak, "an engine that hangs loses more than one process");
	replace_process(soak, place);
	soak->covered[HANGS]++;
}

/*
 * D3, in which it loses its power. A request or a signal may wake it before let_go(), perhaps at
 * once.
 */
static void step_sleep(struct soak *soak)
{
	struct rf_hosted_device *hosted =
		rf_setup_hosted(&soak->setup, (unsigned int)draw(soak, soak->devices));

	let_go(soak);
	must(soak, rf_hosted_sleep(hosted), "sleep");
	if (!hosted->adapter->in_d3)
		return;
	must(soak, hosted->bus->ops->reset_function(hosted->bus), "a reset");
	soak->asleep = hosted;
	soak->covered[SLEEPS]++;
}

static void step_end_queue(struct soak *soak)
{
	struct lane *lane = any_lane(soak);
	struct rf_commands *commands;

	quiet_process(soak, lane->process);
	commands = begin(soak, lane);
	record_work(soak, lane, commands);
	submit(soak, lane, commands);
	rfsim_step(soak->setup.world.simulation, draw(soak, 500));
	replace_lane(soak, lane);
	soak->covered[QUEUES_ENDED]++;
}

static void step_end_process(struct soak *soak)
{
	let_go(soak);
	replace_process(soak, (unsigned int)draw(soak, soak->process_count));
	soak->covered[PROCESSES_ENDED]++;
}

/* How many times in a hundred steps, or so. */
static const struct {
	void (*step)(struct soak *soak);
	unsigned int weight;
} mix[] = {
	{ step_work, 60 },	  { step_check, 6 },
	{ step_wait_across, 16 }, { step_wait_across_devices, 16 },
	{ step_cpu_signal, 5 },	  { step_suspend, 4 },
	{ step_breakpoint, 3 },	  { step_fault, 2 },
	{ step_hang, 3 },	  { step_sleep, 2 },
	{ step_end_queue, 2 },	  { step_end_process, 2 },
};

static void take_step(struct soak *soak)
{
	unsigned int total = 0, i;
	uint64_t chosen;

	for (i = 0; i < ARRAY_SIZE(mix); i++)
		total += mix[i].weight;
	chosen = draw(soak, total);
	for (i = 0; chosen >= mix[i].weight; i++)
		chosen -= mix[i].weight;
	mix[i].step(soak);
	rfsim_step(soak->setup.world.simulation, draw(soak, 200));
}

/* --- the run ------------------------------------------------------------------------------------------ */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Of all devices: those that are printed */
static void sum_statistics(const struct soak *soak, struct kmd_statistics *sum)
{
	struct kmd_statistics one;
	unsigned int i;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < soak->devices; i++) {
		kmd_adapter_statistics(rf_setup_hosted(&soak->setup, i)->adapter, &one);
		sum->residences += one.residences;
		sum->evictions += one.evictions;
		sum->victims += one.victims;
		sum->interrupts += one.interrupts;
		sum->lost_interrupts += one.lost_interrupts;
	}
}

static void print_progress(const struct soak *soak, double seconds)
{
	struct kmd_statistics statistics;

	sum_statistics(soak, &statistics);
	printf("%6.0f s  round %" PRIu64 ", cycle %" PRIu64 ", %" PRIu64
	       " checks, %llu evictions\n",
	       seconds, soak->round, rfsim_cycle(soak->setup.world.simulation),
	       soak->covered[CHECKS], (unsigned long long)statistics.evictions);
	fflush(stdout);
}

static void print_number(const struct soak *soak, const char *name, uint64_t number)
{
	if (soak->json)
		printf(", \"%s\": %" PRIu64, name, number);
	else
		printf("%12" PRIu64 "  %s\n", number, name);
}

static void print_summary(const struct soak *soak)
{
	struct kmd_statistics statistics;
	uint64_t cycles = rfsim_cycle(soak->setup.world.simulation);
	unsigned int i;

	sum_statistics(soak, &statistics);
	if (soak->json)
		printf("{\"seed\": %" PRIu64 ", \"rounds\": %" PRIu64 ", \"cycles\": %" PRIu64,
		       soak->seed, soak->round, cycles);
	else
		printf("seed %" PRIu64 ", %" PRIu64 " rounds, %" PRIu64
		       " cycles, all as it should be\n",
		       soak->seed, soak->round, cycles);
	for (i = 0; i < COVERED; i++)
		if (i != WAITS_ACROSS_DEVICES || soak->devices > 1)
			print_number(soak, covered_names[i], soak->covered[i]);
	print_number(soak, "times a queue was made resident", statistics.residences);
	print_number(soak, "of them for another that was evicted", statistics.evictions);
	print_number(soak, "doorbells taken away", statistics.victims);
	print_number(soak, "interrupts", statistics.interrupts);
	print_number(soak, "interrupts that the watch found lost", statistics.lost_interrupts);
	if (soak->json)
		printf("}\n");
}

static void run(struct soak *soak)
{
	double start = now(), told = start, time;
	unsigned int i;

	for (i = 0; i < soak->process_count; i++)
		soak->processes[i] = open_process(soak, i % soak->devices);
	for (;;) {
		time = now();
		if (soak->rounds ? soak->round == soak->rounds
				 : time - start >= (double)soak->seconds)
			break;
		if (time - told >= 5 && !soak->rounds && !soak->json) {
			print_progress(soak, time - start);
			told = time;
		}
		soak->round++;
		take_step(soak);
	}
	for (i = 0; i < soak->process_count; i++)
		quiet_process(soak, soak->processes[i]);
	print_summary(soak);
	for (i = 0; i < soak->process_count; i++)
		close_process(soak->processes[i]);
}

int rf_main_soak(int argc, char **argv)
{
	struct soak soak = { .seed = 1, .seconds = 10 };
	const char *name = NULL;
	uint64_t devices = 0;
	const struct rf_option options[] = {
		{ "seconds", .number = &soak.seconds },
		{ "rounds", .number = &soak.rounds },
		{ "seed", .number = &soak.seed },
		{ "device", .text = &name },
		{ "devices", .number = &devices, .least = 1, .most = RF_SETUP_DEVICES },
		{ "json", .flag = &soak.json },
		{ 0 },
	};
	int error;

	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	name = rf_setup_name(name);
	if (strncmp(name, "sim:", 4)) {
		fprintf(stderr,
			"ringfence: soak looks into the driver of a simulated device, sim:, "
			"not %s\n",
			name);
		return 2;
	}
	soak.random = soak.seed;
	if (rf_setup_open_devices(&soak.setup, name, devices))
		return 1;
	soak.devices = rf_setup_count(&soak.setup);
	soak.process_count = soak.devices * PROCESSES;
	run(&soak);
	error = rf_setup_destroy(&soak.setup);
	return error ? 1 : 0;
}
