// SPDX-License-Identifier: Apache-2.0
/*
 * Devices that signal to each other, through the whole driver: a signal needs the CPU only if a CPU
 * waits. See two.h; MonitoredValue, interrupts and words of the devices are read where they are.
 */
#include <string.h>

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "recovery/recovery.h"
#include "hosted.h"
#include "ringfence_hw.h"
#include "two.h"

#define SIGNALS 12u /* fewer than a ring has room for */

/* --- what the devices say ---------------------------------------------------------------------- */

static struct rf_bus *bus_of(const struct two *two, unsigned int device)
{
	return device ? two->conform->setup.world.more[device - 1].bus
		      : two->conform->setup.world.bus;
}

static struct kmd_adapter *adapter_of(const struct two *two, unsigned int device)
{
	return device ? two->conform->setup.world.more[device - 1].hosted_device->adapter
		      : two->conform->setup.world.hosted_device->adapter;
}

static uint64_t peer_register(const struct two *two, unsigned int device, uint64_t offset)
{
	return rf_bus_read64(bus_of(two, device), RF_BAR_REGISTERS, offset);
}

/* Words that came. */
struct words {
	uint64_t good, stale, malformed, sent;
};

static struct words words_of(const struct two *two, unsigned int device)
{
	uint64_t received = peer_register(two, device, RF_REG_PEER_RECEIVED);

	return (struct words){
		.good = (received & RF_PEER_RECEIVED_GOOD_MASK) >> RF_PEER_RECEIVED_GOOD_SHIFT,
		.stale = (received & RF_PEER_RECEIVED_STALE_MASK) >> RF_PEER_RECEIVED_STALE_SHIFT,
		.malformed = (received & RF_PEER_RECEIVED_MALFORMED_MASK) >>
			     RF_PEER_RECEIVED_MALFORMED_SHIFT,
		.sent = peer_register(two, device, RF_REG_PEER_SENT),
	};
}

static uint64_t interrupts_of(const struct two *two, unsigned int device)
{
	struct kmd_statistics statistics;

	kmd_adapter_statistics(adapter_of(two, device), &statistics);
	return statistics.interrupts;
}

/* The opening of the fence on a device; there is one such fence at a time. */
static struct kmd_opening *opening_of(const struct two *two, unsigned int device)
{
	struct kmd_opening *opening;

	rf_list_for_each(opening, &adapter_of(two, device)->fences, link)
		if (opening->fence->cross_adapter)
			return opening;
	return NULL;
}

static void check_peered(const struct two *two, bool peered)
{
	RF_CHECK_EQUAL(two->conform, kmd_fence_is_peered(opening_of(two, 1)->fence), peered,
		       "devices signal to each other");
}

/* Signals 1 to SIGNALS by one device, each waited for by a queue of the other, with interrupts. */
static uint64_t signal_many(struct two *two, unsigned int from)
{
	struct rf_device *devices[] = { two->dgpu, two->igpu };
	struct rf_fence *fences[] = { two->on_dgpu, two->on_igpu };
	struct rf_queue *signals = two_queue(two, devices[from], RF_ENGINE_COPY, 0);
	struct rf_queue *waits = two_queue(two, devices[!from], RF_ENGINE_COMPUTE, 0);
	uint64_t before, value;

	for (value = 1; value <= SIGNALS; value++) {
		struct rf_commands *commands = stack_commands(two->conform, waits);

		rf_command_wait(commands, fences[!from], value);
		stack_submit(two->conform, commands);
	}
	stack_settle(two->conform);
	before = interrupts_of(two, 0) + interrupts_of(two, 1);
	for (value = 1; value <= SIGNALS; value++) {
		RF_CHECK_EQUAL(two->conform, rf_queue_completed(waits), value - 1,
			       "completed before the signal");
		stack_signal(two->conform, signals, fences[from], value);
		stack_settle(two->conform);
	}
	RF_CHECK_EQUAL(two->conform, rf_queue_completed(waits), SIGNALS, "completed");
	return interrupts_of(two, 0) + interrupts_of(two, 1) - before;
}

/* --- signals ----------------------------------------------------------------------------------- */

static void no_interrupts(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);
	struct words words;

	check_peered(&two, true);
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), 0, "interrupts");
	words = words_of(&two, 1);
	RF_CHECK_EQUAL(conform, words.good, SIGNALS, "words that the iGPU heeded");
	RF_CHECK_EQUAL(conform, words.stale + words.malformed, 0, "other words");
	two_check_notified(&two, 1); /* when the devices began to signal to each other */
	two_end(&two);
}

static void no_interrupts_back(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);

	check_peered(&two, true);
	RF_CHECK_EQUAL(conform, signal_many(&two, 1), 0, "interrupts");
	RF_CHECK_EQUAL(conform, words_of(&two, 0).good, SIGNALS, "words that the dGPU heeded");
	two_end(&two);
}

static void no_route(struct rf_conform *conform)
{
	struct two two = two_new(conform, &rf_ringfence_ddi);

	check_peered(&two, false);
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), SIGNALS, "interrupts");
	RF_CHECK_EQUAL(conform, words_of(&two, 0).sent, 0, "words of the dGPU");
	two_check_notified(&two, SIGNALS);
	two_end(&two);
}

/* An interrupt for each value that a CPU waits for, of either device, and for no other. */
static void cpu_waiters(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);
	struct rf_queue *queues[2] = { two_queue(&two, two.dgpu, RF_ENGINE_COPY, 0),
				       two_queue(&two, two.igpu, RF_ENGINE_COPY, 0) };
	struct rf_fence *fences[2] = { two.on_dgpu, two.on_igpu };
	uint64_t value, before = interrupts_of(&two, 0) + interrupts_of(&two, 1), waited = 0;

	for (value = 1; value <= SIGNALS; value++) {
		unsigned int from = value / 2 % 2, waiter = value % 2;
		bool waits = value % 3;
		struct rf_event *event = stack_notify(conform, fences[waiter], value + !waits);

		stack_signal(conform, queues[from], fences[from], value);
		stack_settle(conform);
		RF_CHECK_EQUAL(conform, stack_is_set(event), waits, "the waiter was woken");
		waited += waits;
		RF_CHECK_EQUAL(conform, interrupts_of(&two, 0) + interrupts_of(&two, 1) - before,
			       waited, "interrupts");
		/* one that waits for the next value is no waiter of that one */
		if (!waits) {
			value++;
			stack_signal(conform, queues[from], fences[from], value);
			stack_settle(conform);
			RF_CHECK(conform, stack_is_set(event), "the next value woke it");
			waited++;
		}
	}
	two_end(&two);
}

/* Queues of three devices pass a value on; the CPU only begins. */
static void ring_of_three(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);
	struct two_ring ring = two_ring_of_three(&two);
	uint64_t before = 0, after = 0;
	unsigned int i;

	for (i = 0; i < 3; i++)
		before += interrupts_of(&two, i);
	RF_CHECK_EQUAL(conform, rf_fence_signal(ring.fences[0][2], 1), 0, "rf_fence_signal");
	stack_settle(conform);
	for (i = 0; i < 3; i++) {
		after += interrupts_of(&two, i);
		RF_CHECK_EQUAL(conform, rf_queue_completed(ring.queues[i]), 1, "completed");
	}
	RF_CHECK_EQUAL(conform, rf_fence_value(ring.fences[0][1]), 5, "value after four rounds");
	RF_CHECK_EQUAL(conform, after - before, 0, "interrupts");
	rf_device_close(ring.third);
	two_end(&two);
}

/* --- limits -------------------------------------------------------------------------------------- */

/* One more fence than the region has pages: its signals take the CPU's way, the others' do not. */
static void one_fence_too_many(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);
	struct rf_fence *first[2] = { two.on_dgpu, two.on_igpu };
	unsigned int i;

	for (i = 0; i < RF_PEER_FENCES; i++) {
		two.on_dgpu = two_make_fence(conform, two.dgpu, RF_FENCE_DEFAULT, 0);
		two.on_igpu = two_open_fence(conform, two.igpu, two.on_dgpu);
	}
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), SIGNALS, "interrupts of the last fence");
	two.on_dgpu = first[0];
	two.on_igpu = first[1];
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), 0, "interrupts of the first fence");
	two_end(&two);
}

/* A fence that is open on one more device than a device can notify takes the CPU's way. */
static void one_target_too_many(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);
	struct rf_device *more[RF_PEER_TARGETS];
	struct rf_hosted_device *hosted;
	struct rf_fence *last = NULL;
	unsigned int i;

	for (i = 0; i < RF_PEER_TARGETS; i++) {
		check_peered(&two, true);
		more[i] = two_add_device(conform, NULL, &hosted);
		last = two_open_fence(conform, more[i], two.on_dgpu);
		stack_settle(conform);
	}
	check_peered(&two, false);
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), SIGNALS, "interrupts with one too many");
	rf_fence_destroy(last);
	stack_settle(conform);
	check_peered(&two, true);
	RF_CHECK_EQUAL(conform, rf_fence_signal(two.on_dgpu, 0), 0, "rf_fence_signal");
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), 0, "interrupts without it");
	for (i = 0; i < RF_PEER_TARGETS; i++)
		rf_device_close(more[i]);
	two_end(&two);
}

/* --- the page of another device ------------------------------------------------------------------ */

/* The kernel gives it to no process, nor to engines of one. */
static void page_is_in_no_process(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);
	unsigned int mapped = 0, others = 0;
	struct rfsim_bar bar;
	size_t i;

	check_peered(&two, true);
	RF_CHECK_EQUAL(conform, rfsim_bar(conform->setup.world.more[0].sim, 0, &bar), 0,
		       "rfsim_bar");
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), 0, "interrupts");
	for (i = 0; i < rf_watch_count(RF_WATCH_MAP); i++) {
		if (rf_watch_find(RF_WATCH_MAP, i)->mem->address - bar.address < bar.bytes)
			mapped++;
		else
			others++;
	}
	RF_CHECK(conform, others, "no mapping was seen");
	RF_CHECK_EQUAL(conform, mapped, 0, "mappings of the iGPU's registers");
	two_end(&two);
}

/* A doorbell is never where devices write. */
static void page_is_no_doorbell(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);
	unsigned int i;

	for (i = 0; i < 8; i++)
		stack_signal(conform, two_queue(&two, two.dgpu, RF_ENGINE_COPY, 0), two.on_dgpu, i);
	stack_settle(conform);
	RF_CHECK(conform, rf_watch_count(RF_WATCH_CONNECT_DOORBELL), "no doorbell is connected");
	for (i = 0; i < rf_watch_count(RF_WATCH_CONNECT_DOORBELL); i++)
		RF_CHECK(conform,
			 rf_watch_find(RF_WATCH_CONNECT_DOORBELL, i)->address / 4096 !=
				 adapter_of(&two, 0)->caps.peer_page / 4096,
			 "a doorbell is in the page that devices write");
	two_end(&two);
}

/* --- life ---------------------------------------------------------------------------------------- */

static void set_peer_delay(struct two *two, uint32_t cycles)
{
	struct rfsim_port_config config;

	rfsim_port_config(two->conform->setup.world.sim, &config);
	config.peer_delay_min = config.peer_delay_max = cycles;
	RF_CHECK_EQUAL(two->conform, rfsim_port_configure(two->conform->setup.world.sim, &config),
		       0, "rfsim_port_configure");
}

#define LATE 100000u /* cycles; more than it takes to make the next fence */

/* A word is held on its way until another fence has its page. */
static void late_word(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);
	struct rf_fence *next;
	struct words words;
	unsigned int i;

	set_peer_delay(&two, LATE);
	stack_signal(conform, two_queue(&two, two.dgpu, RF_ENGINE_COPY, 0), two.on_dgpu, 10);
	for (i = 0; i < 100 && rf_fence_value(two.on_igpu) != 10; i++)
		rfsim_step(conform->setup.world.simulation, 100);
	RF_CHECK_EQUAL(conform, rf_fence_value(two.on_igpu), 10, "value");
	rf_fence_destroy(two.on_dgpu);
	rf_fence_destroy(two.on_igpu);
	next = two_make_fence(conform, two.dgpu, RF_FENCE_DEFAULT, 0);
	two.on_dgpu = next;
	two.on_igpu = two_open_fence(conform, two.igpu, next);
	words = words_of(&two, 1);
	RF_CHECK_EQUAL(conform, words.good + words.stale, 0, "words that have come");
	check_peered(&two, true);
	rfsim_step(conform->setup.world.simulation, LATE);
	words = words_of(&two, 1);
	RF_CHECK_EQUAL(conform, words.stale, 1, "stale words");
	RF_CHECK_EQUAL(conform, words.good, 0, "words that were heeded");
	set_peer_delay(&two, 0);
	RF_CHECK_EQUAL(conform, rf_fence_value(two.on_igpu), 0, "value of the next fence");
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), 0, "interrupts");
	two_end(&two);
}

/* The iGPU sleeps while the dGPU signals; afterwards all is as before. */
static void one_sleeps(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);
	struct rf_queue *queue = two_wait(&two, two.igpu, two.on_igpu);

	check_peered(&two, true);
	RF_CHECK_EQUAL(conform, rf_hosted_sleep(two.second), 0, "rf_hosted_sleep");
	RF_CHECK_EQUAL(conform, two.second->bus->ops->reset_function(two.second->bus), 0, "reset");
	stack_settle(conform);
	RF_CHECK(conform, two.second->adapter->in_d3, "it does not sleep");
	check_peered(&two, false);
	stack_signal(conform, two_queue(&two, two.dgpu, RF_ENGINE_COPY, 0), two.on_dgpu, 10);
	RF_CHECK_EQUAL(conform, rf_queue_wait(queue, 20 * SECOND), 0, "rf_queue_wait");
	RF_CHECK(conform, !two.second->adapter->in_d3, "it sleeps still");
	two_check_released(&two, queue);
	check_peered(&two, true);
	RF_CHECK_EQUAL(conform, rf_fence_signal(two.on_dgpu, 0), 0, "rf_fence_signal");
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), 0, "interrupts");
	RF_CHECK_EQUAL(conform, words_of(&two, 1).stale, 0, "stale words");
	two_end(&two);
}

/*
 * A device is reset, and with it what its processes could signal. Another process of it opens
 * a fence of the device that is left, and all is as at first.
 */
static void reset_one(struct two *two, unsigned int device)
{
	struct rf_conform *conform = two->conform;
	struct rf_device *again;

	adapter_of(two, device)->recovery->hang_count =
		0; /* the limit of hangs is not in question */
	kmd_adapter_want_reset(adapter_of(two, device));
	kmd_adapter_work(adapter_of(two, device));
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(two->on_igpu), RF_FENCE_VALUE_LOST, "value");
	RF_CHECK_EQUAL(conform,
		       rf_device_open_hosted(
			       device ? two->second : conform->setup.world.hosted_device, &again),
		       0, "another process");
	rf_fence_destroy(two->on_dgpu);
	rf_fence_destroy(two->on_igpu);
	if (device) {
		rf_device_close(two->igpu);
		two->igpu = again;
		two->on_dgpu = two_make_fence(conform, two->dgpu, RF_FENCE_DEFAULT, 0);
		two->on_igpu = two_open_fence(conform, two->igpu, two->on_dgpu);
	} else {
		rf_device_close(two->dgpu);
		two->dgpu = conform->setup.device = again;
		two->on_igpu = two_make_fence(conform, two->igpu, RF_FENCE_DEFAULT, 0);
		two->on_dgpu = two_open_fence(conform, two->dgpu, two->on_igpu);
	}
	stack_settle(conform);
	check_peered(two, true);
}

static void one_is_reset(struct rf_conform *conform, unsigned int device)
{
	struct two two = two_new_peers(conform);
	struct rf_queue *queues[2] = { two_wait(&two, two.dgpu, two.on_dgpu),
				       two_wait(&two, two.igpu, two.on_igpu) };

	reset_one(&two, device);
	RF_CHECK_EQUAL(conform, rf_queue_completed(queues[!device]), 1,
		       "completed on the device that is left");
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), 0, "interrupts");
	two_end(&two);
}

static void waiter_is_reset(struct rf_conform *conform)
{
	one_is_reset(conform, 1);
}

static void signaller_is_reset(struct rf_conform *conform)
{
	one_is_reset(conform, 0);
}

/* --- races --------------------------------------------------------------------------------------- */

/*
 * Of the trace port: a word is performed; a queue of the compute node begins to wait; a fence packet
 * of the copy node is passed to its unit; a wait ends.
 */
#define EVENT_PERFORMED (1ull << 11)
#define EVENT_PASSED (1ull << 6)
#define EVENT_RELEASE (1ull << 13)
#define EVENT_WAIT (1ull << 40)

/*
 * In one world: the value of the last run; the cycles in which it was performed and the wait began;
 * how many waits began before it, and behind it.
 */
struct race {
	struct two two;
	struct rf_commands *signal, *wait;
	uint64_t value;
	uint64_t performed, wait_began;
	unsigned int before, behind;
};

static void race_submit(struct race *race, bool wait)
{
	struct rf_commands *commands = wait ? race->wait : race->signal;

	rf_commands_reset(commands);
	if (wait)
		rf_command_wait(commands, race->two.on_igpu, race->value);
	else
		rf_command_signal(commands, race->two.on_dgpu, race->value);
	stack_submit(race->two.conform, commands);
}

static void note_performed(void *context, struct rfsim_device *device, uint64_t cycle,
			   uint64_t events)
{
	struct race *race = context;

	(void)device;
	(void)events;
	if (!race->performed)
		race->performed = cycle;
}

static void note_wait(void *context, struct rfsim_device *device, uint64_t cycle, uint64_t events)
{
	struct race *race = context;

	(void)device;
	(void)events;
	race->wait_began = cycle;
}

/* The wait is rung so many cycles after the signal, or before it. No CPU can help. */
static void race_run(struct race *race, int cycles)
{
	struct rf_conform *conform = race->two.conform;
	struct rfsim_world *world = conform->setup.world.simulation;

	race->value++;
	race->performed = 0;
	rfsim_interrupts_hold(world);
	race_submit(race, cycles < 0);
	rfsim_step(world, cycles < 0 ? -cycles : cycles);
	race_submit(race, cycles >= 0);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_fence_value(race->two.on_igpu), race->value, "value");
	RF_CHECK_EQUAL(conform, rf_queue_completed(race->wait->queue), race->value,
		       "completed, with the wait in that cycle");
	if (race->wait_began < race->performed)
		race->before++;
	else
		race->behind++;
	rfsim_interrupts_release(world);
}

/* Cycles between the two rings, either way; both operations take about as long from there on. */
#define AROUND 160

static void notification_against_wait(struct rf_conform *conform)
{
	struct race race = { .two = two_new_peers(conform) };
	int cycles;

	check_peered(&race.two, true);
	race.signal =
		stack_commands(conform, two_queue(&race.two, race.two.dgpu, RF_ENGINE_COPY, 0));
	race.wait =
		stack_commands(conform, two_queue(&race.two, race.two.igpu, RF_ENGINE_COMPUTE, 0));
	rfsim_event_callback(conform->setup.world.sim, EVENT_PERFORMED, note_performed, &race);
	rfsim_event_callback(conform->setup.world.more[0].sim, EVENT_WAIT, note_wait, &race);
	race_run(&race, 0); /* the first time the TLBs know none of the pages */
	race.before = race.behind = 0;
	for (cycles = -AROUND; cycles < AROUND; cycles++)
		race_run(&race, cycles);
	RF_CHECK(conform, race.before > AROUND / 2 && race.behind > AROUND / 2,
		 "the sweep did not reach both sides: %u before the value, %u behind", race.before,
		 race.behind);
	rfsim_event_callback(conform->setup.world.sim, 0, NULL, NULL);
	rfsim_event_callback(conform->setup.world.more[0].sim, 0, NULL, NULL);
	two_end(&race.two);
}

/*
 * A queue that waits is taken off the device, as its context is suspended, and put back, while the
 * value and the word come: the signal, behind a copy, has more of a start each time.
 */
#define STEP 5u /* cycles */
#define STEPS 120u /* behind a link a third of them, each three times as long, and stretched */

static void notification_against_preemption(struct rf_conform *conform)
{
	struct two two = two_new_peers(conform);
	struct rf_queue *signals = two_queue(&two, two.dgpu, RF_ENGINE_COPY, 0), *waits;
	struct kmd_file *file = rf_list_first(&two.second->adapter->files, struct kmd_file, link);
	struct rf_commands *signal = stack_commands(conform, signals), *wait;
	const unsigned int stretch = rf_conform_stretch(conform), divide = stretch > 1 ? 3 : 1;
	unsigned int before = 0, behind = 0;
	struct rf_context *context;
	struct rf_memory *memory;
	uint64_t value;

	RF_CHECK_EQUAL(conform, rf_context_create(two.igpu, RF_ENGINE_COMPUTE, 0, &context), 0,
		       "rf_context_create");
	RF_CHECK_EQUAL(conform, rf_context_queue_create(context, 16, 0, &waits), 0,
		       "rf_context_queue_create");
	RF_CHECK_EQUAL(conform, rf_memory_create(two.dgpu, 8192, RF_MEMORY_SYSTEM, &memory), 0,
		       "rf_memory_create");
	wait = stack_commands(conform, waits);
	for (value = 1; value <= STEPS / divide; value++) {
		rf_commands_reset(wait);
		rf_command_wait(wait, two.on_igpu, value);
		stack_submit(conform, wait);
		stack_settle(conform);
		rf_commands_reset(signal);
		rf_command_copy(signal, rf_memory_address(memory), rf_memory_address(memory) + 4096,
				1024);
		rf_command_signal(signal, two.on_dgpu, value);
		stack_submit(conform, signal);
		rfsim_step(conform->setup.world.simulation, STEP * stretch * divide * value);
		RF_CHECK_EQUAL(conform, kmd_context_suspend(file, context->handle), 0,
			       "kmd_context_suspend");
		if (rf_fence_value(two.on_igpu) == value)
			before++;
		else
			behind++;
		RF_CHECK_EQUAL(conform, kmd_context_resume(file, context->handle), 0,
			       "kmd_context_resume");
		RF_CHECK_EQUAL(conform, rf_queue_wait(waits, 20 * SECOND), 0,
			       "rf_queue_wait, with that start");
		stack_settle(conform);
	}
	RF_CHECK(conform, before > 5 && behind > 5, "the sweep did not reach both sides: %u, %u",
		 before, behind);
	two_end(&two);
}

/* A reset of either side, in each cycle from SIGNAL until its word has done all it can. */
#define RESETS 260u /* stretched behind a link, and fewer */

static bool has_passed(void *context)
{
	return *(const bool *)context;
}

static void note_passed(void *context, struct rfsim_device *device, uint64_t cycle, uint64_t events)
{
	(void)device;
	(void)cycle;
	(void)events;
	*(bool *)context = true;
}

static void run_until_signal(struct two *two)
{
	struct rfsim_world *world = two->conform->setup.world.simulation;
	bool passed = false;

	rfsim_event_callback(two->conform->setup.world.sim, EVENT_PASSED, note_passed, &passed);
	RF_CHECK_EQUAL(two->conform,
		       rfsim_run_until(world, has_passed, &passed,
				       10000 * rf_conform_stretch(two->conform)),
		       0, "the packet");
	rfsim_event_callback(two->conform->setup.world.sim, 0, NULL, NULL);
}

static struct rf_queue *reset_queue(struct two *two, unsigned int device)
{
	return device ? two_queue(two, two->igpu, RF_ENGINE_COMPUTE, 0)
		      : two_queue(two, two->dgpu, RF_ENGINE_COPY, 0);
}

static void notification_against_reset(struct rf_conform *conform, unsigned int device)
{
	struct two two = two_new_peers(conform);
	struct rf_queue *queues[2] = { reset_queue(&two, 0), reset_queue(&two, 1) };
	struct rf_commands *commands[2] = { stack_commands(conform, queues[0]),
					    stack_commands(conform, queues[1]) };
	struct rfsim_device *waiter = conform->setup.world.more[0].sim;
	const uint64_t end = RESETS * rf_conform_stretch(conform);
	unsigned int before = 0, behind = 0, resets = 0;
	uint64_t cycle;
	bool released;

	for (cycle = 0; cycle < end; cycle += rf_conform_stride(conform, end, 100)) {
		rf_command_wait(commands[1], two.on_igpu, 10);
		stack_submit(conform, commands[1]);
		stack_settle(conform);
		rf_command_signal(commands[0], two.on_dgpu, 10);
		stack_submit(conform, commands[0]);
		run_until_signal(&two);
		released = false;
		rfsim_event_callback(waiter, EVENT_RELEASE, note_passed, &released);
		rfsim_step(conform->setup.world.simulation, cycle);
		rfsim_event_callback(waiter, 0, NULL, NULL);
		resets++;
		if (released)
			behind++;
		else
			before++;
		reset_one(&two, device);
		RF_CHECK_EQUAL(
			conform, rf_queue_completed(queues[!device]), resets,
			"completed on the device that is left, with the reset in that cycle");
		queues[device] = reset_queue(&two, device);
		commands[device] = stack_commands(conform, queues[device]);
		rf_commands_reset(commands[!device]);
	}
	RF_CHECK(conform, before > 5 && behind > 5, "the sweep did not reach both sides: %u, %u",
		 before, behind);
	RF_CHECK_EQUAL(conform, signal_many(&two, 0), 0, "interrupts");
	two_end(&two);
}

static void notification_against_reset_of_waiter(struct rf_conform *conform)
{
	notification_against_reset(conform, 1);
}

static void notification_against_reset_of_signaller(struct rf_conform *conform)
{
	notification_against_reset(conform, 0);
}

/*
 * A word that is on its way comes in each cycle from the end of its fence until another one has its
 * index, and a queue waits for that one. It does not end that wait, nor does that wait miss its own.
 */
struct reuse {
	struct two two;
	struct rf_queue *signals, *waits;
	uint64_t rounds;
	uint64_t cycles; /* from the signal of the old fence to the wait for the next one */
};

static void reuse_signal(struct reuse *reuse, uint64_t value)
{
	stack_signal(reuse->two.conform, reuse->signals, reuse->two.on_dgpu, value);
}

/* Returns whether the word was heeded. */
static bool reuse_run(struct reuse *reuse, uint32_t delay)
{
	struct two *two = &reuse->two;
	struct rf_conform *conform = two->conform;
	struct rfsim_world *world = conform->setup.world.simulation;
	struct words before = words_of(two, 1), after;
	struct rf_commands *wait = stack_commands(conform, reuse->waits);
	uint64_t signalled;

	set_peer_delay(two, delay);
	reuse_signal(reuse, 1);
	run_until_signal(two);
	signalled = rfsim_cycle(world);
	while (rf_fence_value(two->on_igpu) != 1)
		rfsim_step(world, 1);
	rf_fence_destroy(two->on_dgpu);
	rf_fence_destroy(two->on_igpu);
	two->on_dgpu = two_make_fence(conform, two->dgpu, RF_FENCE_DEFAULT, 0);
	two->on_igpu = two_open_fence(conform, two->igpu, two->on_dgpu);
	rf_command_wait(wait, two->on_igpu, 1);
	stack_submit(conform, wait);
	reuse->cycles = rfsim_cycle(world) - signalled;
	stack_settle(conform);
	after = words_of(two, 1);
	RF_CHECK_EQUAL(conform, after.good + after.stale - before.good - before.stale, 1,
		       "words that came, with that delay");
	RF_CHECK_EQUAL(conform, rf_queue_completed(reuse->waits), reuse->rounds,
		       "completed before the signal");
	set_peer_delay(two, 0);
	reuse_signal(reuse, 1);
	stack_settle(conform);
	RF_CHECK_EQUAL(conform, rf_queue_completed(reuse->waits), ++reuse->rounds, "completed");
	return after.good != before.good;
}

static void notification_against_reuse(struct rf_conform *conform)
{
	struct reuse reuse = { .two = two_new_peers(conform) };
	unsigned int heeded = 0, not_heeded = 0;
	uint64_t delay, cycles;

	reuse.signals = two_queue(&reuse.two, reuse.two.dgpu, RF_ENGINE_COPY, 0);
	reuse.waits = two_queue(&reuse.two, reuse.two.igpu, RF_ENGINE_COMPUTE, 0);
	reuse_run(&reuse, LATE);
	cycles = reuse.cycles;
	for (delay = 0; delay < cycles + 40 * rf_conform_stretch(conform);
	     delay += rf_conform_stride(conform, cycles, 120)) {
		if (reuse_run(&reuse, delay))
			heeded++;
		else
			not_heeded++;
	}
	RF_CHECK(conform, heeded > 5 && not_heeded > 5,
		 "the sweep did not reach both sides: %u, %u", heeded, not_heeded);
	two_end(&reuse.two);
}

#define STACK RF_CONFORM_STACK
#define SIM RF_CONFORM_SIM_ONLY

const struct rf_conform_test rf_conform_peer_tests[] = {
	{ "S0-87.peers_need_no_interrupt", NULL, STACK, SIM, no_interrupts },
	{ "S0-87.peers_in_both_directions", NULL, STACK, SIM, no_interrupts_back },
	{ "S0-79.each_signal_interrupts_without_a_route", "S0-80", STACK, SIM, no_route },
	{ "S0-89.peers_interrupt_for_cpu_waiters", "S0-82", STACK, SIM, cpu_waiters },
	{ "S0-74.ring_of_three_peers", NULL, STACK, SIM, ring_of_three },
	{ "S0-79.one_fence_more_than_the_region_has", "S0-87", STACK, SIM, one_fence_too_many },
	{ "S0-79.one_device_more_than_targets", "S0-87", STACK, SIM, one_target_too_many },
	{ "S0-74.page_of_another_device_is_in_no_process", NULL, STACK, SIM,
	  page_is_in_no_process },
	{ "S0-74.page_of_another_device_is_no_doorbell", NULL, STACK, SIM, page_is_no_doorbell },
	{ "S0-87.late_word_for_another_fence", NULL, STACK, SIM, late_word },
	{ "S3-46.peer_sleeps", NULL, STACK, SIM, one_sleeps },
	{ "A-10.peer_that_waits_is_reset", NULL, STACK, SIM, waiter_is_reset },
	{ "A-10.peer_that_signals_is_reset", NULL, STACK, SIM, signaller_is_reset },
	{ "A-10.notification_against_reset_of_the_waiter", "S0-87", STACK, SIM,
	  notification_against_reset_of_waiter },
	{ "A-10.notification_against_reset_of_the_signaller", "S0-87", STACK, SIM,
	  notification_against_reset_of_signaller },
	{ "S0-87.notification_against_reuse_of_the_index", NULL, STACK, SIM,
	  notification_against_reuse },
	{ "S0-87.notification_against_wait_of_a_peer", NULL, STACK, SIM,
	  notification_against_wait },
	{ "S3-34.notification_against_preemption_of_a_peer", "S0-87", STACK, SIM,
	  notification_against_preemption },
	{ 0 },
};
