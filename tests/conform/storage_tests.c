// SPDX-License-Identifier: Apache-2.0
/*
 * MonitoredValues that leave local memory, through the whole driver, while engines signal
 * and waits begin.
 */
#include <pthread.h>

#include "base/adapter.h"
#include "base/file.h"
#include "fences/value_move.h"
#include "queues/lost_queue.h"
#include "counted.h"
#include "hosted.h"

#define NONE UINT64_MAX /* MonitoredValue without a waiter */

static struct kmd_adapter *adapter_of(struct rf_conform *conform)
{
	return conform->setup.world.hosted_device->adapter;
}

static uint64_t demotions(struct rf_conform *conform)
{
	struct kmd_statistics statistics;

	kmd_adapter_statistics(adapter_of(conform), &statistics);
	return statistics.demotions;
}

static bool is_local(const struct rf_fence *fence)
{
	uint64_t offset;

	return rf_watch_memory(fence->monitored_address, &offset)->kind == RF_MEM_LOCAL;
}

/* All of local memory that can be had. */
static void fill_local_memory(struct rf_conform *conform)
{
	struct rf_device *device = conform->setup.device;
	struct rf_device_info info;
	struct rf_memory *memory;
	uint64_t bytes;

	RF_CHECK_EQUAL(conform, rf_device_info(device, &info), 0, "rf_device_info");
	for (bytes = info.local_memory_bytes; bytes >= PAGE_BYTES; bytes /= 2)
		while (!rf_memory_create(device, bytes, RF_MEMORY_LOCAL, &memory))
			;
}

static void values_make_room(struct rf_conform *conform)
{
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = stack_fence(conform, 0, 0), *late;
	struct rf_event *at5, *at9;

	at5 = stack_notify(conform, fence, 5);
	at9 = stack_notify(conform, fence, 9);
	RF_CHECK(conform, is_local(fence), "MonitoredValue is not in local memory at first");
	fill_local_memory(conform);
	RF_CHECK(conform, !is_local(fence), "MonitoredValue is in local memory still");
	RF_CHECK(conform, !is_local(&queue->progress), "so is that of a queue");
	RF_CHECK(conform, demotions(conform) > 0, "nothing was counted");
	RF_CHECK_EQUAL(conform, stack_monitored(fence), 4, "MonitoredValue there");
	RF_CHECK_EQUAL(conform, rf_watch_map_flags(fence->monitored_address), RF_MAP_READ_ONLY,
		       "flags of its mapping");

	rf_watch_clear();
	stack_signal(conform, queue, fence, 4);
	stack_settle(conform);
	RF_CHECK(conform, !stack_is_set(at5), "4 woke the waiter for 5");
	RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_FENCE), 0, "interrupts for 4");
	stack_signal(conform, queue, fence, 5);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(at5), "5 did not wake its waiter");
	RF_CHECK_EQUAL(conform, stack_monitored(fence), 8, "MonitoredValue after that");
	stack_signal(conform, queue, fence, 9);
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "rf_queue_wait");
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(at9), "9 did not wake its waiter");
	RF_CHECK_EQUAL(conform, stack_monitored(fence), NONE, "MonitoredValue at last");

	/* what is made now never gets there */
	late = stack_fence(conform, 0, 0);
	RF_CHECK(conform, !is_local(late), "a new fence found room in local memory");
	at9 = stack_notify(conform, late, 9);
	stack_signal(conform, queue, late, 9);
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(at9), "9 did not wake the waiter of a new fence");
}

/* --- a signal beside the demotion ------------------------------------------------------------ */

/* Points at which the wait begins */
enum {
	BEFORE,
	REPLACEMENTS, /* and behind each begin and end of one, those two of either process */
	AFTER = REPLACEMENTS + 4,
	NEVER,
	PLACES
};

struct demotion {
	struct rf_conform *conform;
	struct counted counted;
	struct race race;
	struct rf_fence *fence;
	uint64_t value;
	struct rf_event *event;
	unsigned int place, point;
	unsigned int before, during, after; /* when CurrentValue became visible */
	uint64_t longest;
};

static int notify(struct demotion *demotion)
{
	return rf_fences_notify(&demotion->fence, &demotion->value, 1, RF_WAIT_ALL,
				demotion->event);
}

static void begin_wait(struct demotion *demotion)
{
	RF_CHECK_EQUAL(demotion->conform, notify(demotion), 0, "rf_fences_notify");
}

static void *notify_thread(void *argument)
{
	return (void *)(intptr_t)notify(argument);
}

/* Another thread waits: this one has the demotion's locks. */
static void at_replacement(void *argument)
{
	struct demotion *demotion = argument;
	pthread_t thread;
	void *result;

	if (demotion->place != REPLACEMENTS + demotion->point++)
		return;
	RF_CHECK_EQUAL(demotion->conform, pthread_create(&thread, NULL, notify_thread, demotion), 0,
		       "pthread_create");
	pthread_join(thread, &result);
	RF_CHECK(demotion->conform, !result, "rf_fences_notify");
}

static void demote(struct rf_conform *conform)
{
	struct kmd_adapter *adapter = adapter_of(conform);

	rf_mutex_lock(&adapter->mutex);
	while (kmd_value_page_demote(adapter))
		;
	rf_mutex_unlock(&adapter->mutex);
}

static bool is_signaled(const struct demotion *demotion)
{
	return rf_fence_value(demotion->fence) == demotion->value;
}

/*
 * Signals of the sweep are visible before the demotion begins, meanwhile, and after its end. In cycles,
 * behind a link so many times more.
 */
#define LEAD 600
#define SWEEP_BEGIN 300
#define SWEEP_END 900

/* The signal is rung after @delay cycles, the demotion begins after the lead. */
static void race_once(struct demotion *demotion, uint64_t delay)
{
	struct rf_conform *conform = demotion->conform;
	struct rfsim_world *world = conform->setup.world.simulation;
	const uint64_t lead = LEAD * rf_conform_stretch(conform);
	uint64_t begin;
	bool before;

	demotion->race = (struct race){ .counted = &demotion->counted };
	demotion->point = 0;
	rf_watch_clear();
	if (demotion->place == BEFORE)
		begin_wait(demotion);
	RF_CHECK(conform, is_local(demotion->fence), "MonitoredValue is not in local memory");
	begin = rfsim_cycle(world);
	RF_CHECK(conform, !rfsim_at(world, begin + delay, ring_now, &demotion->race), "rfsim_at");
	while (rfsim_cycle(world) < begin + lead)
		rfsim_step(world, 1);
	before = is_signaled(demotion);
	demote(conform);
	if (rfsim_cycle(world) - begin - lead > demotion->longest)
		demotion->longest = rfsim_cycle(world) - begin - lead;
	if (before)
		demotion->before++;
	else if (is_signaled(demotion))
		demotion->during++;
	else
		demotion->after++;
	if (demotion->place == AFTER)
		begin_wait(demotion);
	while (rfsim_cycle(world) <= begin + delay)
		rfsim_step(world, 1);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, demotion->point, AFTER - REPLACEMENTS, "points passed");
	RF_CHECK(conform, is_signaled(demotion), "there was no signal");
	if (demotion->place == NEVER)
		RF_CHECK_EQUAL(conform, rf_watch_count(RF_WATCH_NOTIFY_FENCE), 0,
			       "interrupts without a waiter");
	else
		RF_CHECK(conform, stack_is_set(demotion->event),
			 "lost: wait at point %u, signal %llu cycles after the beginning",
			 demotion->place, (unsigned long long)delay);
	RF_CHECK_EQUAL(conform, stack_monitored(demotion->fence), NONE, "MonitoredValue at last");
}

static void open_demotion(struct rf_conform *conform, struct demotion *demotion)
{
	*demotion = (struct demotion){ .conform = conform };
	RF_CHECK_EQUAL(conform, rf_event_create(conform->setup.device, &demotion->event), 0,
		       "rf_event_create");
	rf_watch_change.on_replace = at_replacement;
	rf_watch_change.argument = demotion;
}

static void close_demotion(struct demotion *demotion)
{
	struct rf_conform *conform = demotion->conform;

	rf_conform_note(conform,
			"demotions of up to %llu cycles, signals before %u, during %u, after %u",
			(unsigned long long)demotion->longest, demotion->before, demotion->during,
			demotion->after);
	RF_CHECK(conform, demotion->before > 10 && demotion->during > 15 && demotion->after > 10,
		 "the window was missed: %u before, %u during, %u after", demotion->before,
		 demotion->during, demotion->after);
	rf_watch_change.on_replace = NULL;
}

static void run_once(struct demotion *demotion)
{
	stack_submit(demotion->conform, demotion->counted.commands);
	RF_CHECK_EQUAL(demotion->conform, rf_queue_wait(demotion->counted.queue, 20 * SECOND), 0,
		       "rf_queue_wait");
	rf_commands_reset(demotion->counted.commands);
}

static void demotion_races_signal(struct rf_conform *conform)
{
	const unsigned int stretch = rf_conform_stretch(conform);
	const unsigned int step = stretch > 1 ? 2 : 1; /* fewer rounds, as each takes longer */
	struct demotion demotion;
	struct rf_fence *neighbour;
	uint64_t place;

	open_demotion(conform, &demotion);
	demotion.value = 42;
	demotion.counted.queue = stack_queue(conform, RF_ENGINE_COPY);
	demotion.counted.commands = stack_commands(conform, demotion.counted.queue);
	run_once(&demotion);
	demote(conform); /* the queue's own */
	for (place = SWEEP_BEGIN; place < SWEEP_END; place += step) {
		demotion.place = place / step % PLACES;
		demotion.fence = stack_fence(conform, 0, 0);
		neighbour = stack_fence(conform, 0, 0);
		/* what a signal needs is in the TLB */
		rf_command_signal(demotion.counted.commands, neighbour, 1);
		run_once(&demotion);
		rf_command_signal(demotion.counted.commands, demotion.fence, demotion.value);
		race_once(&demotion, place * stretch);
		rf_commands_reset(demotion.counted.commands);
		rf_fence_destroy(demotion.fence);
		rf_fence_destroy(neighbour);
	}
	close_demotion(&demotion);
}

/* PROGRESS names MonitoredValue in the system process. */
static void demotion_races_progress(struct rf_conform *conform)
{
	const unsigned int stretch = rf_conform_stretch(conform);
	const unsigned int step =
		stretch > 1 ? 2 : 5; /* the window is a smaller part of the sweep */
	struct demotion demotion;
	uint64_t place;

	open_demotion(conform, &demotion);
	for (place = SWEEP_BEGIN; place < SWEEP_END; place += step) {
		demotion.place = place / step % PLACES;
		demotion.counted.queue = stack_queue(conform, RF_ENGINE_COPY);
		demotion.counted.commands = stack_commands(conform, demotion.counted.queue);
		run_once(&demotion);
		demotion.fence = &demotion.counted.queue->progress;
		demotion.value = demotion.counted.queue->submitted + 1;
		race_once(&demotion, place * stretch);
		rf_commands_destroy(demotion.counted.commands);
		rf_queue_destroy(demotion.counted.queue);
	}
	close_demotion(&demotion);
}

/* --- logs that are enlarged ------------------------------------------------------------------- */

#define LARGE ((65536 - RF_LOG_HEADER_BYTES) / RF_LOG_ENTRY_BYTES)

struct traced {
	uint64_t next; /* value expected next */
	unsigned int entries, lost, wrong;
};

static void on_event(void *argument, const struct kmd_log_event *event)
{
	struct traced *traced = argument;

	if (event->lost) {
		traced->lost++;
	} else if (event->type == RF_LOG_TYPE_SIGNALS) {
		traced->entries++;
		traced->wrong += event->entry->fence_value != traced->next;
		traced->next = event->entry->fence_value + 1;
	}
}

/* @count increasing signals; the value is not read until there is a waiter. */
static void signal_many(struct rf_conform *conform, struct rf_commands *commands,
			struct rf_fence *fence, uint64_t *value, unsigned int count)
{
	rf_commands_reset(commands);
	while (count--)
		rf_command_signal(commands, fence, ++*value);
	stack_submit(conform, commands);
}

/* The kernel reads the logs when it hears of a signal. */
static void make_it_look(struct rf_conform *conform, struct rf_commands *commands,
			 struct rf_fence *fence, uint64_t *value)
{
	struct rf_event *event;

	RF_CHECK_EQUAL(conform, rf_queue_wait(commands->queue, 20 * SECOND), 0, "rf_queue_wait");
	event = stack_notify(conform, fence, *value + 1);
	signal_many(conform, commands, fence, value, 1);
	RF_CHECK_EQUAL(conform, rf_queue_wait(commands->queue, 20 * SECOND), 0, "rf_queue_wait");
	stack_settle(conform);
	RF_CHECK(conform, stack_is_set(event), "nobody was told");
	rf_event_destroy(event);
}

static void tracing_enlarges_logs(struct rf_conform *conform)
{
	struct kmd_adapter *adapter = adapter_of(conform);
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_fence *fence = stack_fence(conform, 0, 0);
	struct traced traced = { .next = 1 };
	struct rf_commands *commands;
	uint64_t value = 0, before;

	RF_CHECK_EQUAL(conform, rf_commands_create(queue, 64 * (LARGE + 8), 0, &commands), 0,
		       "rf_commands_create");
	/* at work when the log is switched; numbered for the old one */
	signal_many(conform, commands, fence, &value, 60);
	while (rf_fence_value(fence) < 20)
		rfsim_step(conform->setup.world.simulation, 1);
	before = rf_fence_value(fence);
	kmd_adapter_trace(adapter, on_event, &traced);
	rf_conform_note(conform, "logs switched from value %llu to %llu",
			(unsigned long long)before, (unsigned long long)rf_fence_value(fence));
	make_it_look(conform, commands, fence, &value);
	RF_CHECK_EQUAL(conform, traced.entries, value, "entries told");
	RF_CHECK_EQUAL(conform, traced.wrong + traced.lost, 0, "entries out of order, or lost");

	signal_many(conform, commands, fence, &value, LARGE - 1);
	make_it_look(conform, commands, fence, &value);
	RF_CHECK_EQUAL(conform, traced.entries, value, "entries told of a full log");
	RF_CHECK_EQUAL(conform, traced.wrong + traced.lost, 0, "entries out of order, or lost");

	/* and goes on behind what was lost */
	signal_many(conform, commands, fence, &value, LARGE + 1);
	traced.next = value + 1;
	make_it_look(conform, commands, fence, &value);
	RF_CHECK_EQUAL(conform, traced.lost, 1, "times that entries were told to be lost");
	RF_CHECK_EQUAL(conform, traced.next, value + 1, "the entry told last");
	RF_CHECK_EQUAL(conform, traced.wrong, 0, "entries out of order");
	kmd_adapter_trace(adapter, NULL, NULL);
}

/* --- a fence of a lost process ----------------------------------------------------------- */

/* What recovery does with the process whose work hung. */
static void lose(struct rf_conform *conform, struct kmd_file *file)
{
	struct kmd_adapter *adapter = adapter_of(conform);

	rf_mutex_lock(&adapter->mutex);
	kmd_file_mark_lost(file);
	rf_mutex_unlock(&adapter->mutex);
	kmd_adapter_work(adapter);
}

static void signals_do_not_touch_storage(struct rf_conform *conform)
{
	struct kmd_adapter *adapter = adapter_of(conform);
	struct kmd_file *innocent_file = rf_list_first(&adapter->files, struct kmd_file, link);
	struct rf_queue *waiter = stack_queue(conform, RF_ENGINE_COMPUTE);
	struct rf_queue *queue = stack_queue(conform, RF_ENGINE_COPY);
	struct rf_device *guilty = stack_process(conform);
	struct rf_commands *commands = stack_commands(conform, queue);
	struct rf_commands *waits = stack_commands(conform, waiter);
	struct rf_fence *theirs, *fence, *done;
	struct kmd_file *file;
	unsigned int steps, i;
	uint64_t token;

	RF_CHECK(conform,
		 !rf_fence_create(guilty, RF_FENCE_DEFAULT, RF_FENCE_SHARED, 1, &theirs) &&
			 !rf_fence_share(theirs, &token) &&
			 !rf_fence_open(conform->setup.device, token, 0, &fence),
		 "a shared fence");
	done = stack_fence(conform, 0, 0);
	rf_list_for_each(file, &adapter->files, link)
		if (file != innocent_file)
			break;

	/* an engine waits already; others signal beside the loss, and after it */
	rf_command_wait(waits, fence, 1000);
	rf_command_signal(waits, done, 1);
	stack_submit(conform, waits);
	stack_settle(conform);
	for (i = 0; i < 50; i++)
		rf_command_signal(commands, fence, 2 + i);
	stack_submit(conform, commands);
	lose(conform, file);
	RF_CHECK_EQUAL(conform, rf_fence_value(fence), NONE, "the value when recovery is over");
	for (i = 0; i < 3; i++) {
		RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "rf_queue_wait");
		rf_commands_reset(commands);
		rf_command_signal(commands, fence, 100 + i);
		rf_command_wait(commands, fence, 1000 + i);
		stack_submit(conform, commands);
		for (steps = 0; !rfsim_idle(conform->setup.world.simulation); steps++) {
			rfsim_step(conform->setup.world.simulation, 1);
			RF_CHECK(conform, rf_fence_value(fence) == NONE,
				 "a signal touched the value: %llu",
				 (unsigned long long)rf_fence_value(fence));
		}
		RF_CHECK(conform, steps > 20, "nothing happened");
	}
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "waits behind signals");
	RF_CHECK_EQUAL(conform, rf_queue_wait(waiter, 20 * SECOND), 0, "the wait before");
	RF_CHECK_EQUAL(conform, rf_fence_value(done), 1, "a fence of the innocent");
}

#define STACK RF_CONFORM_STACK
#define SIM (RF_CONFORM_SIM_ONLY | RF_CONFORM_SHADOW)

const struct rf_conform_test rf_conform_storage_tests[] = {
	{ "S0-31.values_make_room", "S0-36", STACK, SIM, values_make_room },
	{ "S0-36.demotion_races_signal", "S0-31 S0-22", STACK, SIM, demotion_races_signal },
	{ "S0-36.demotion_races_progress", "S0-31 S0-22", STACK, SIM, demotion_races_progress },
	{ "S0-119.tracing_enlarges_logs", "S0-103 S0-104 S0-117", STACK, RF_CONFORM_SIM_ONLY,
	  tracing_enlarges_logs },
	{ "A-10.signals_do_not_touch_storage", NULL, STACK, RF_CONFORM_SIM_ONLY,
	  signals_do_not_touch_storage },
	{ 0 },
};
