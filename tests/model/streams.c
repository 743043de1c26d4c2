// SPDX-License-Identifier: Apache-2.0
/*
 * Random command streams of several processes, through the whole driver on the simulated
 * device with random latencies, against model.c.
 *
 * A round is written down as one sequence of operations on random queues. Where one
 * touches what an earlier one has touched, a barrier orders the two if they are of the
 * same queue, and a SIGNAL and a WAIT if not; more WAITs, for queues of other processes
 * and for the CPU, are mixed in. So the outcome is the same in whatever order the queues
 * get on, and so is the model's, which takes them in an order of its own. At the end all
 * memory, fences, logs, timestamps and the one queue that may have faulted are compared.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../host/arguments.h"
#include "../../host/setup.h"
#include "../time_scale.h"
#include "hosted.h"
#include "model.h"
#include "umd.h"

#define PROCESSES 3u
#define QUEUES 6u /* of a process, half of them of either node: more than there are slots */
#define STREAMS (PROCESSES * QUEUES)
#define MEMORIES 2u /* of a process: in system memory, and in local memory */
#define MEMORY_BYTES 4096u
#define STAMP_BYTES 2048u /* of the first, at its end: 8 bytes for each timestamp of a queue */
#define STAMPS (STAMP_BYTES / QUEUES / 8)
#define BYTES_MAX 600u
#define OPERATIONS 120u
#define ACCESSES (4 * OPERATIONS)
#define ENTRIES 128u
#define LOG_ENTRIES 4096u
#define TIMEOUT (time_limit(60) * 1000000000ull)
#define UNMAPPED 0x8000u

static const char usage[] = "Usage: streams [--rounds N] [--seconds N] [--seed N]\n";

struct access {
	uint32_t process, memory;
	uint64_t begin, end;
	bool store;
	struct stream *stream;
	uint64_t number; /* of the operation in its stream */
};

/* A queue, the fence that it signals, and what it has written down. */
struct stream {
	uint32_t process, index;
	struct rf_queue *queue;
	struct rf_fence *fences[PROCESSES]; /* the same one, as each process has it */
	uint64_t value; /* of its last SIGNAL */
	struct rf_commands *commands[ENTRIES];
	unsigned int submissions, packets; /* packets: of the commands not submitted */
	uint64_t operations; /* written down so far */
	uint64_t signaled, ordered; /* of them, before the last SIGNAL, and barrier */
	uint64_t waited[STREAMS]; /* operations of others that this one comes behind */
	unsigned int stamps;
	struct model_queue model;
	struct model_log_entry log[LOG_ENTRIES];
	unsigned int log_count;
};

struct process {
	struct rf_device *device;
	struct rf_memory *memories[MEMORIES];
	uint8_t data[MEMORIES][MEMORY_BYTES]; /* the model's */
	struct rf_fence *cpu; /* signalled by the CPU */
	uint64_t promised, signaled;
	uint64_t cpu_word;
	struct model_process model;
};

struct round {
	uint64_t seed, random;
	struct rf_setup setup;
	struct process processes[PROCESSES];
	struct stream streams[STREAMS];
	uint64_t words[STREAMS]; /* the model's fences */
	uint64_t monitored; /* a word that must not be written */
	struct access accesses[ACCESSES];
	unsigned int access_count;
	struct stream *faulty;
	unsigned int lost;
};

struct totals {
	uint64_t rounds, packets, waits, faults, entries;
};

static struct totals totals;
static struct round round_now;

static void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
static void fail(const char *format, ...)
{
	va_list arguments;

	printf("not ok 1 - streams-end-as-the-model-says\n# seed %" PRIu64 ": ", round_now.seed);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n# repeat with: build/model/streams --rounds 1 --seed %" PRIu64 "\n",
	       round_now.seed);
	exit(1);
}

static void must(int error, const char *what)
{
	if (error)
		fail("%s: %s", what, strerror(-error));
}

static uint64_t draw(struct round *round, uint64_t below)
{
	uint64_t word = round->random += 0x9e3779b97f4a7c15;

	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
	word = (word ^ word >> 27) * 0x94d049bb133111eb;
	return (word ^ word >> 31) % below;
}

/* --- a world ------------------------------------------------------------------------------ */

static void open_process(struct round *round, uint32_t place)
{
	struct process *process = &round->processes[place];
	struct rf_event *event;
	uint32_t i, k;

	process->device = round->setup.device;
	if (place)
		must(rf_device_open_hosted(round->setup.world.hosted_device, &process->device),
		     "a process");
	/* so that no two queues have the same handle, which is all that the trace tells */
	for (i = 0; i < 64 * place; i++)
		must(rf_event_create(process->device, &event), "an event");
	for (i = 0; i < MEMORIES; i++) {
		must(rf_memory_create(process->device, MEMORY_BYTES, i, &process->memories[i]),
		     "memory");
		for (k = 0; k < MEMORY_BYTES; k++)
			process->data[i][k] = (uint8_t)draw(round, 256);
		if (!i)
			memset(&process->data[0][MEMORY_BYTES - STAMP_BYTES], 0, STAMP_BYTES);
		must(rf_memory_write(process->memories[i], 0, process->data[i], MEMORY_BYTES),
		     "contents of memory");
		model_map(&process->model, rf_memory_address(process->memories[i]),
			  process->data[i], MEMORY_BYTES, true);
	}
	must(rf_fence_create(process->device, RF_FENCE_DEFAULT, 0, 0, &process->cpu), "a fence");
	model_map(&process->model, process->cpu->current_address, (uint8_t *)&process->cpu_word, 8,
		  true);
}

static void open_stream(struct round *round, uint32_t place)
{
	struct stream *stream = &round->streams[place];
	struct rf_device *owner;
	uint64_t token;
	uint32_t i;

	stream->process = place / QUEUES;
	stream->index = place % QUEUES;
	model_init(&stream->model, &round->processes[stream->process].model, stream->index % 2);
	owner = round->processes[stream->process].device;
	must(rf_queue_create(owner, stream->model.copies ? RF_ENGINE_COPY : RF_ENGINE_COMPUTE,
			     ENTRIES, draw(round, 4) ? 0 : RF_QUEUE_LOCAL, &stream->queue),
	     "a queue");
	must(rf_fence_create(owner, RF_FENCE_DEFAULT, RF_FENCE_SHARED, 0,
			     &stream->fences[stream->process]),
	     "a fence");
	must(rf_fence_share(stream->fences[stream->process], &token), "sharing");
	for (i = 0; i < PROCESSES; i++) {
		struct process *process = &round->processes[i];

		if (i != stream->process)
			must(rf_fence_open(process->device, token, 0, &stream->fences[i]),
			     "opening a fence");
		model_map(&process->model, stream->fences[i]->current_address,
			  (uint8_t *)&round->words[place], 8, true);
		model_map(&process->model, stream->fences[i]->monitored_address,
			  (uint8_t *)&round->monitored, 8, false);
	}
}

static void on_event(void *argument, const struct kmd_log_event *event)
{
	struct round *round = argument;
	struct stream *stream = NULL;
	uint32_t i;

	for (i = 0; i < STREAMS; i++)
		if (round->streams[i].queue->handle == event->queue)
			stream = &round->streams[i];
	if (!stream || event->lost || stream->log_count == LOG_ENTRIES) {
		round->lost++;
		return;
	}
	stream->log[stream->log_count++] = (struct model_log_entry){
		.type = event->type,
		.fence = event->entry->fence_handle,
		.operation = event->entry->operation_type,
		.value = event->entry->fence_value,
	};
}

/* --- writing down --------------------------------------------------------------------------- */

static struct rf_commands *commands_of(struct stream *stream)
{
	struct rf_commands **commands = &stream->commands[stream->submissions];

	if (stream->submissions == ENTRIES - 1)
		fail("too many submissions");
	if (!*commands)
		must(rf_commands_create(stream->queue, 8192, 0, commands), "commands");
	stream->packets++;
	totals.packets++;
	return *commands;
}

static void submit(struct stream *stream)
{
	struct rf_commands *commands = stream->commands[stream->submissions];
	const uint64_t progress[] = { RF_OPCODE_PROGRESS | RF_PACKET_PROGRESS_WORDS_MAX
								   << RF_PACKET_HEADER_WORDS_SHIFT,
				      stream->submissions + 1 };
	int error;

	if (!commands)
		return;
	model_submit(&stream->model, commands->words, commands->count);
	model_submit(&stream->model, progress, RF_PACKET_PROGRESS_WORDS_MAX);
	error = rf_queue_submit(stream->queue, commands);
	/* What it faults by may have been run before the submission returns. */
	if (error != -EIO || stream != round_now.faulty)
		must(error, "a submission");
	stream->submissions++;
	stream->packets = 0;
}

static void write_signal(struct stream *stream)
{
	rf_command_signal(commands_of(stream), stream->fences[stream->process], ++stream->value);
	stream->signaled = stream->ordered = stream->operations;
}

static void wait_for(struct round *round, struct stream *stream, struct stream *other)
{
	if (stream->waited[other - round->streams] == other->signaled && other->signaled)
		return;
	rf_command_wait(commands_of(stream), other->fences[stream->process], other->value);
	stream->waited[other - round->streams] = other->signaled;
	totals.waits++;
}

/* The next operation of @stream comes behind that one. */
static void come_behind(struct round *round, struct stream *stream, const struct access *access)
{
	struct stream *other = access->stream;

	if (other == stream) {
		if (access->number < stream->ordered)
			return;
		rf_command_barrier(commands_of(stream));
		stream->ordered = stream->operations;
		return;
	}
	if (access->number < stream->waited[other - round->streams])
		return;
	if (access->number >= other->signaled)
		write_signal(other);
	wait_for(round, stream, other);
}

static void touch(struct round *round, struct stream *stream, uint32_t memory, uint64_t begin,
		  uint64_t bytes, bool store)
{
	const struct access access = {
		.process = stream->process,
		.memory = memory,
		.begin = begin,
		.end = begin + bytes,
		.store = store,
		.stream = stream,
		.number = stream->operations,
	};
	unsigned int i;

	for (i = 0; i < round->access_count; i++) {
		const struct access *earlier = &round->accesses[i];

		if (earlier->process == access.process && earlier->memory == memory &&
		    earlier->begin < access.end && access.begin < earlier->end &&
		    (store || earlier->store) &&
		    !(earlier->stream == stream && earlier->number == access.number))
			come_behind(round, stream, earlier);
	}
	if (round->access_count == ACCESSES)
		fail("too many accesses");
	round->accesses[round->access_count++] = access;
}

/* A piece of a memory, which the next operation touches. */
static uint64_t pick(struct round *round, struct stream *stream, uint64_t bytes, uint64_t align,
		     bool store)
{
	uint32_t memory = (uint32_t)draw(round, MEMORIES);
	uint64_t room = memory ? MEMORY_BYTES : MEMORY_BYTES - STAMP_BYTES;
	uint64_t begin = draw(round, (room - bytes) / align + 1) * align;

	touch(round, stream, memory, begin, bytes, store);
	return rf_memory_address(round->processes[stream->process].memories[memory]) + begin;
}

static bool overlap(uint64_t a, uint64_t b, uint64_t bytes)
{
	return a < b + bytes && b < a + bytes;
}

static void write_copy(struct round *round, struct stream *stream)
{
	uint64_t bytes = draw(round, BYTES_MAX), source, target;

	target = pick(round, stream, bytes, 1, true);
	if (draw(round, 2)) {
		rf_command_fill(commands_of(stream), target, bytes, draw(round, UINT64_MAX));
		return;
	}
	do
		source = pick(round, stream, bytes, 1, false);
	while (overlap(source, target, bytes));
	rf_command_copy(commands_of(stream), target, source, bytes);
}

static void write_vector(struct round *round, struct stream *stream)
{
	uint32_t operation = (uint32_t)draw(round, 6);
	bool sum = operation == RF_VECTOR_SUM;
	uint64_t count = draw(round, BYTES_MAX / 4), target, x, y = 0;

	target = pick(round, stream, sum ? 8 : 4 * count, sum ? 8 : 4, true);
	do
		x = draw(round, 4) || sum ? pick(round, stream, 4 * count, 4, false) : target;
	while (x != target && overlap(x, target, 4 * count + 8));
	if (operation == RF_VECTOR_AXPB) {
		y = draw(round, UINT64_MAX);
	} else if (!sum) {
		do
			y = pick(round, stream, 4 * count, 4, false);
		while (overlap(y, target, 4 * count));
	}
	rf_command_vector(commands_of(stream), operation, target, x, y, (uint32_t)count);
}

static void write_stamp(struct round *round, struct stream *stream)
{
	uint64_t offset =
		MEMORY_BYTES - STAMP_BYTES + 8 * (stream->index * STAMPS + stream->stamps);

	if (stream->stamps++ < STAMPS)
		rf_command_timestamp(
			commands_of(stream),
			rf_memory_address(round->processes[stream->process].memories[0]) + offset);
}

static void write_cpu_wait(struct round *round, struct stream *stream)
{
	struct process *process = &round->processes[stream->process];

	rf_command_wait(commands_of(stream), process->cpu, ++process->promised);
	totals.waits++;
}

static void write_operation(struct round *round, struct stream *stream)
{
	switch (draw(round, 10)) {
	case 0:
		rf_command_write(commands_of(stream), pick(round, stream, 8, 8, true),
				 draw(round, UINT64_MAX));
		break;
	case 1:
		write_stamp(round, stream);
		break;
	case 2: /* whoever it is, and whatever it has signalled */
		wait_for(round, stream, &round->streams[draw(round, STREAMS)]);
		break;
	case 3:
		if (!draw(round, 4))
			write_cpu_wait(round, stream);
		break;
	default:
		if (stream->model.copies)
			write_copy(round, stream);
		else
			write_vector(round, stream);
	}
	stream->operations++;
}

static void write_fault(struct round *round)
{
	struct stream *stream = &round->streams[draw(round, STREAMS)];

	rf_command_write(
		commands_of(stream),
		draw(round, 2) ? UNMAPPED : stream->fences[stream->process]->monitored_address, 1);
	round->faulty = stream;
	totals.faults++;
}

static void signal_by_cpu(struct process *process)
{
	if (process->signaled < process->promised)
		must(rf_fence_signal(process->cpu, ++process->signaled), "a signal by the CPU");
}

static void write_down(struct round *round)
{
	unsigned int i;

	for (i = 0; i < OPERATIONS; i++) {
		write_operation(round, &round->streams[draw(round, STREAMS)]);
		if (!draw(round, 3))
			submit(&round->streams[draw(round, STREAMS)]);
		if (!draw(round, 8))
			signal_by_cpu(&round->processes[draw(round, PROCESSES)]);
		rfsim_step(round->setup.world.simulation, draw(round, 100));
	}
	if (!draw(round, 3))
		write_fault(round);
	for (i = 0; i < STREAMS; i++)
		submit(&round->streams[i]);
	for (i = 0; i < PROCESSES; i++)
		while (round->processes[i].signaled < round->processes[i].promised)
			signal_by_cpu(&round->processes[i]);
}

/* --- the end ----------------------------------------------------------------------------- */

/* The kernel looks at the logs when it hears of a signal behind all others. */
static void make_it_look(struct round *round)
{
	struct stream *stream = &round->streams[round->faulty == round->streams];
	struct rf_event *event;
	uint64_t value;

	write_signal(stream);
	value = stream->value;
	must(rf_event_create(stream->queue->device, &event), "an event");
	must(rf_fences_notify(&stream->fences[stream->process], &value, 1, RF_WAIT_ALL, event),
	     "a wait");
	submit(stream);
	must(rf_event_wait(event, TIMEOUT), "the last signal");
	must(rf_queue_wait(stream->queue, TIMEOUT), "the last queue");
	rf_event_destroy(event);
}

static void finish(struct round *round)
{
	uint32_t error, i;
	uint64_t address;
	int ret;

	for (i = 0; i < STREAMS; i++) {
		struct stream *stream = &round->streams[i];

		ret = rf_queue_wait(stream->queue, TIMEOUT);
		if (ret != (stream == round->faulty ? -EIO : 0))
			fail("queue %u ended with %s", i, strerror(-ret));
	}
	make_it_look(round);
	for (i = 0; i < PROCESSES; i++)
		round->processes[i].cpu_word = round->processes[i].signaled;
	for (bool moved = true; moved;) {
		uint32_t first = (uint32_t)draw(round, STREAMS);

		for (moved = false, i = 0; i < STREAMS; i++)
			moved |= model_step(&round->streams[(first + i) % STREAMS].model);
	}
	for (i = 0; i < STREAMS; i++) {
		struct stream *stream = &round->streams[i];

		if (!model_is_done(&stream->model))
			fail("the model's queue %u waits for ever", i);
		ret = rf_queue_status(stream->queue, &error, &address);
		if (!ret)
			error = 0;
		if (error != stream->model.space.error ||
		    (error && address != stream->model.space.error_address))
			fail("queue %u: error %u at %" PRIx64 ", of the model %u at %" PRIx64, i,
			     error, address, stream->model.space.error,
			     (uint64_t)stream->model.space.error_address);
		if (rf_queue_completed(stream->queue) != stream->model.progress)
			fail("queue %u: progress %" PRIu64 ", of the model %" PRIu64, i,
			     rf_queue_completed(stream->queue), stream->model.progress);
	}
}

/* They rise, and then are taken over, so that memory can be compared. */
static void check_stamps(struct process *process, struct stream *stream, const uint8_t *memory)
{
	uint64_t last = 0, now;
	unsigned int i;

	for (i = 0; i < stream->model.stamp_count; i++) {
		memcpy(&now, memory + (stream->model.stamps[i] - process->data[0]), 8);
		if (now <= last)
			fail("timestamp %u is %" PRIu64 " behind %" PRIu64, i, now, last);
		memcpy(stream->model.stamps[i], &now, 8);
		last = now;
	}
}

static void check_memory(struct round *round)
{
	uint8_t memory[MEMORY_BYTES];
	uint32_t i, k, at;

	for (i = 0; i < PROCESSES; i++) {
		struct process *process = &round->processes[i];

		for (k = 0; k < MEMORIES; k++) {
			must(rf_memory_read(process->memories[k], 0, memory, MEMORY_BYTES),
			     "reading memory");
			for (at = 0; !k && at < QUEUES; at++)
				check_stamps(process, &round->streams[i * QUEUES + at], memory);
			for (at = 0; at < MEMORY_BYTES; at++)
				if (memory[at] != process->data[k][at])
					fail("process %u, memory %u, byte %u: %02x, of the model "
					     "%02x",
					     i, k, at, memory[at], process->data[k][at]);
		}
		for (k = 0; k < STREAMS; k++)
			if (rf_fence_value(round->streams[k].fences[i]) != round->words[k])
				fail("fence %u is %" PRIu64 ", of the model %" PRIu64, k,
				     rf_fence_value(round->streams[k].fences[i]), round->words[k]);
	}
}

static const struct model_log_entry *next_of(const struct model_log_entry *log, unsigned int count,
					     unsigned int *at, uint32_t type)
{
	while (*at < count && log[*at].type != type)
		++*at;
	return *at < count ? &log[(*at)++] : NULL;
}

static void check_logs(struct round *round)
{
	const struct model_log_entry *got, *want;
	uint32_t i, type;

	if (round->lost)
		fail("%u log entries were lost, or of no queue", round->lost);
	for (i = 0; i < STREAMS; i++) {
		struct stream *stream = &round->streams[i];

		for (type = RF_LOG_TYPE_WAITS; type <= RF_LOG_TYPE_SIGNALS; type++) {
			unsigned int a = 0, b = 0, number = 0;

			do {
				got = next_of(stream->log, stream->log_count, &a, type);
				want = next_of(stream->model.log, stream->model.log_count, &b,
					       type);
				if (!got != !want || (got && memcmp(got, want, sizeof(*got))))
					fail("queue %u, log %u: entry %u is another", i, type,
					     number);
				number++;
				totals.entries += !!got;
			} while (got);
		}
	}
}

static void close_round(struct round *round)
{
	uint32_t i, k;

	kmd_adapter_trace(round->setup.world.hosted_device->adapter, NULL, NULL);
	for (i = 0; i < STREAMS; i++) {
		struct stream *stream = &round->streams[i];

		rf_queue_destroy(stream->queue);
		for (k = 0; k < ENTRIES; k++)
			rf_commands_destroy(stream->commands[k]);
		for (k = 0; k < PROCESSES; k++)
			rf_fence_destroy(stream->fences[k]);
		free(stream->model.words);
	}
	for (i = 0; i < PROCESSES; i++) {
		for (k = 0; k < MEMORIES; k++)
			rf_memory_destroy(round->processes[i].memories[k]);
		rf_fence_destroy(round->processes[i].cpu);
		if (i)
			rf_device_close(round->processes[i].device);
	}
	if (rf_setup_destroy(&round->setup))
		fail("the root complex has something to say");
}

static void run_round(uint64_t seed)
{
	struct round *round = &round_now;
	struct rfsim_config config;
	uint32_t i;

	*round = (struct round){ .seed = seed, .random = seed };
	rfsim_config_random(&config, seed);
	if (rf_setup_create(&round->setup, &config, NULL))
		fail("there is no device");
	for (i = 0; i < PROCESSES; i++)
		open_process(round, i);
	for (i = 0; i < STREAMS; i++)
		open_stream(round, i);
	kmd_adapter_trace(round->setup.world.hosted_device->adapter, on_event, round);
	write_down(round);
	finish(round);
	check_memory(round);
	check_logs(round);
	close_round(round);
	totals.rounds++;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	uint64_t rounds = 0, seconds = 10, seed = 1;
	const struct rf_option options[] = {
		{ "rounds", .number = &rounds },
		{ "seconds", .number = &seconds },
		{ "seed", .number = &seed },
		{ 0 },
	};
	double start = now();

	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	printf("1..1\n");
	while (rounds ? totals.rounds < rounds : now() - start < (double)seconds) {
		printf("# seed %" PRIu64 "\n", seed);
		fflush(stdout); /* it goes on */
		run_round(seed++);
	}
	printf("ok 1 - streams-end-as-the-model-says\n");
	printf("# seeds up to %" PRIu64 ": %" PRIu64 " rounds, %" PRIu64 " packets, %" PRIu64
	       " waits, %" PRIu64 " log entries, %" PRIu64 " faults\n",
	       seed - 1, totals.rounds, totals.packets, totals.waits, totals.entries,
	       totals.faults);
	return 0;
}
