// SPDX-License-Identifier: Apache-2.0
/*
 * Signals from device to device: when the core has the devices do that, and that no signal is lost
 * on the way there and back. The devices are fakes; fake_wait() is a queue in hardware that waits.
 */
#include <stdio.h>
#include <string.h>

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "recovery/recovery.h"
#include "waits/propagate.h"
#include "machine.h"
#include "ringfence_hw.h"

/* A cross-adapter fence, open on the first devices of a machine. */
struct shared {
	struct machine *machine;
	u64 token;
	u32 handles[MACHINE_DEVICES];
	struct fake_fence *fences[MACHINE_DEVICES];
};

static void shared_open(struct shared *shared, u32 device)
{
	shared->handles[device] = machine_open(shared->machine, device, shared->token, 0).handle;
	shared->fences[device] = fake_last_fence(&shared->machine->fakes[device]);
}

static void shared_close(struct shared *shared, u32 device)
{
	destroy_fence(shared->machine->files[device], shared->handles[device]);
	shared->fences[device] = NULL;
}

static struct shared shared_on(struct machine *machine, u32 count)
{
	struct drm_ringfence_fence_create made =
		machine_fence(machine, 0, DRM_RINGFENCE_FENCE_DEFAULT, 0);
	struct shared shared = { .machine = machine, .token = made.share_token };
	u32 i;

	shared.handles[0] = made.handle;
	shared.fences[0] = fake_last_fence(&machine->fakes[0]);
	for (i = 1; i < count; i++)
		shared_open(&shared, i);
	return shared;
}

/* @count devices of @devices have it. */
static struct shared shared_new(u32 devices, u32 count)
{
	return shared_on(machine_new_peers(devices), count);
}

static void shared_end(struct shared *shared)
{
	machine_destroy(shared->machine);
}

static struct fake *fake_at(struct shared *shared, u32 device)
{
	return &shared->machine->fakes[device];
}

static void settle(struct shared *shared)
{
	hosted_go_on(&shared->machine->hosted->os);
	hosted_work_for_all(shared->machine->hosted);
	hosted_go_on(&shared->machine->hosted->os);
}

static u64 monitored_at(struct shared *shared, u32 device)
{
	return fake_monitored(fake_at(shared, device), shared->fences[device]);
}

static void assert_monitored(struct shared *shared, u64 value)
{
	u32 i;

	for (i = 0; i < MACHINE_DEVICES; i++)
		if (shared->fences[i])
			assert_int_equal(monitored_at(shared, i), value);
}

static u32 interrupts(struct shared *shared)
{
	u32 i, sum = 0;

	for (i = 0; i < shared->machine->count; i++)
		sum += shared->machine->fakes[i].interrupts_raised;
	return sum;
}

static u32 notifications(struct shared *shared)
{
	u32 i, sum = 0;

	for (i = 0; i < shared->machine->count; i++)
		sum += shared->machine->fakes[i].notified_fences;
	return sum;
}

/* A signal of one device, for which a queue of another waits: does it go on? How many interrupts? */
static bool releases(struct shared *shared, u32 from, u32 to, u64 value, u32 *count)
{
	struct fake_wait *wait = fake_wait(fake_at(shared, to), shared->fences[to], value);
	u32 before = interrupts(shared);
	bool released;

	assert_false(wait->released);
	fake_signal(fake_at(shared, from), shared->fences[from], value);
	settle(shared);
	released = wait->released;
	fake_end_wait(fake_at(shared, to), wait);
	*count = interrupts(shared) - before;
	return released;
}

static void assert_peered(struct shared *shared, u64 value)
{
	u32 count, before = notifications(shared);

	assert_monitored(shared, RF_MONITORED_NONE);
	assert_true(releases(shared, 0, 1, value, &count));
	assert_int_equal(count, 0);
	assert_true(releases(shared, 1, 0, value + 1, &count));
	assert_int_equal(count, 0);
	assert_int_equal(notifications(shared), before);
}

static void assert_propagated(struct shared *shared, u64 value)
{
	u32 count;

	assert_monitored(shared, 0);
	assert_true(releases(shared, 0, 1, value, &count));
	assert_int_equal(count, 1);
	assert_true(releases(shared, 1, 0, value + 1, &count));
	assert_int_equal(count, 1);
	assert_int_equal(fake_at(shared, 0)->peers.good + fake_at(shared, 0)->peers.stale, 0);
}

/* --- signals ------------------------------------------------------------------------------------ */

static void no_interrupt(void **state)
{
	struct shared shared = shared_new(2, 2);

	(void)state;
	assert_peered(&shared, 1);
	assert_int_equal(fake_at(&shared, 0)->peers.good, 1);
	assert_int_equal(fake_at(&shared, 1)->peers.good, 1);
	shared_end(&shared);
}

/* MonitoredValue of each is for the waiters of all. */
static void cpu_waiters(void **state)
{
	struct shared shared = shared_new(2, 2);
	struct rf_file **files = shared.machine->files;
	u32 events[2] = { wait_event(files[0], shared.handles[0], 5),
			  wait_event(files[1], shared.handles[1], 7) };
	u32 count, before = notifications(&shared);

	(void)state;
	assert_monitored(&shared, 4);
	assert_true(releases(&shared, 0, 1, 4, &count));
	assert_int_equal(count, 0);
	assert_true(releases(&shared, 1, 0, 5, &count));
	assert_int_equal(count, 1);
	assert_int_equal(look(files[0], events[0]), 0);
	assert_int_equal(look(files[1], events[1]), -ETIMEDOUT);
	assert_monitored(&shared, 6);
	assert_true(releases(&shared, 0, 1, 9, &count));
	assert_int_equal(count, 1);
	assert_int_equal(look(files[1], events[1]), 0);
	assert_int_equal(notifications(&shared), before);
	assert_peered(&shared, 10);
	shared_end(&shared);
}

/* Devices notify of stores of their own only. */
static void signal_of_the_cpu(void **state)
{
	struct shared shared = shared_new(2, 2);
	struct fake_wait *waits[2];
	u32 i;

	(void)state;
	for (i = 0; i < 2; i++)
		waits[i] = fake_wait(fake_at(&shared, i), shared.fences[i], 3);
	assert_int_equal(signal_fence(shared.machine->files[0], shared.handles[0], 3), 0);
	assert_true(waits[0]->released);
	assert_true(waits[1]->released);
	assert_int_equal(interrupts(&shared), 0);
	shared_end(&shared);
}

/* Nothing is lost, and nothing is said to be. */
static void the_watchdog_is_silent(void **state)
{
	struct shared shared = shared_new(2, 2);
	u32 i;

	(void)state;
	fake_signal(fake_at(&shared, 0), shared.fences[0], 3);
	for (i = 0; i < 3; i++)
		kmd_adapter_watchdog(shared.machine->devices[0]->adapter);
	settle(&shared);
	assert_int_equal(machine_statistics(shared.machine, 0).lost_interrupts, 0);
	shared_end(&shared);
}

static void three_devices(void **state)
{
	struct shared shared = shared_new(3, 3);
	u32 count, i;

	(void)state;
	assert_peered(&shared, 1);
	for (i = 0; i < 3; i++) {
		assert_true(releases(&shared, i, (i + 1) % 3, 10 + 2 * i, &count));
		assert_int_equal(count, 0);
		assert_true(releases(&shared, i, (i + 2) % 3, 11 + 2 * i, &count));
		assert_int_equal(count, 0);
	}
	shared_end(&shared);
}

/* --- where it cannot be -------------------------------------------------------------------------- */

static void no_route(void **state)
{
	struct machine *machine = machine_new_peers(2);
	struct shared shared;

	(void)state;
	machine->fakes[1].peers.no_route = true; /* in one direction */
	shared = shared_on(machine, 2);
	assert_propagated(&shared, 1);
	/* the bus is asked once */
	shared_close(&shared, 1);
	shared_open(&shared, 1);
	assert_propagated(&shared, 3);
	assert_int_equal(fake_at(&shared, 1)->peers.asked, 1);
	shared_end(&shared);
}

static void no_region(void **state)
{
	struct machine *machine = machine_new_peers(2);
	struct shared shared;

	(void)state;
	machine->fakes[1].peers.no_region = true;
	shared = shared_on(machine, 2);
	assert_propagated(&shared, 1);
	shared_end(&shared);
}

static void the_block_is_missing(void **state)
{
	struct shared shared = shared_on(machine_new(2, 0), 2);

	(void)state;
	assert_propagated(&shared, 1);
	shared_end(&shared);
}

/* The 65th fence has no page in the region; one that ends makes room. */
static void too_many_fences(void **state)
{
	struct machine *machine = machine_new_peers(2);
	struct shared shared[RF_PEER_REGION_FENCES + 1];
	u32 i;

	(void)state;
	for (i = 0; i <= RF_PEER_REGION_FENCES; i++)
		shared[i] = shared_on(machine, 2);
	assert_int_equal(fake_entries(&machine->fakes[0]), RF_PEER_REGION_FENCES);
	assert_propagated(&shared[RF_PEER_REGION_FENCES], 1);
	assert_peered(&shared[0], 1);
	assert_peered(&shared[RF_PEER_REGION_FENCES - 1], 1);
	for (i = 0; i < 2; i++)
		shared_close(&shared[5], i);
	shared[5] = shared_on(machine, 2);
	assert_peered(&shared[5], 1);
	machine_destroy(machine);
}

/* A device that has as many targets as it can keeps to them. */
static void too_many_devices(void **state)
{
	struct shared shared = shared_new(6, 5);

	(void)state;
	assert_peered(&shared, 1);
	shared_open(&shared, 5);
	assert_monitored(&shared, 0);
	assert_int_equal(fake_entries(fake_at(&shared, 0)), 0);
	shared_close(&shared, 5);
	settle(&shared);
	assert_peered(&shared, 5);
	shared_end(&shared);
}

/* --- from one way to the other ---------------------------------------------------------------------- */

static void opened_and_closed(void **state)
{
	struct shared shared = shared_new(2, 1);
	u32 generation, i;

	(void)state;
	assert_monitored(&shared, 0);
	shared_open(&shared, 1);
	assert_peered(&shared, 1);
	generation = fake_at(&shared, 0)->peers.entries[0].generation;
	shared_close(&shared, 1);
	settle(&shared);
	for (i = 0; i < 2; i++)
		assert_int_equal(fake_entries(fake_at(&shared, i)), 0);
	assert_monitored(&shared, 0);
	shared_open(&shared, 1);
	assert_peered(&shared, 5);
	assert_int_not_equal(fake_at(&shared, 0)->peers.entries[0].generation, generation);
	shared_end(&shared);
}

/* In the system process */
static u64 address_of(const struct fake_fence *fence)
{
	return fence->arguments.current_value_system_process_gpu_va;
}

/* A word that comes when the index has another fence does nothing. */
static void a_late_word(void **state)
{
	struct shared shared = shared_new(2, 2), next;
	struct machine *machine = shared.machine;
	u64 word;
	u32 i;

	(void)state;
	/* a process can write all of its page */
	assert_int_equal(
		fake_gpu_write(&machine->fakes[0], NULL, address_of(shared.fences[0]) + 8, 7), 0);
	machine->fakes[0].peers.hold = true;
	fake_signal(&machine->fakes[0], shared.fences[0], 1);
	machine->fakes[0].peers.hold = false;
	for (i = 0; i < 2; i++)
		shared_close(&shared, i);
	next = shared_on(machine, 2);
	fake_release_word(&machine->fakes[0]);
	assert_int_equal(machine->fakes[1].peers.stale, 1);
	assert_int_equal(machine->fakes[1].peers.good, 0);
	/* nor has the new fence anything of the old one */
	assert_int_equal(fake_current(&machine->fakes[1], next.fences[1]), 0);
	assert_int_equal(
		fake_gpu_read(&machine->fakes[1], NULL, address_of(next.fences[1]) + 8, &word), 0);
	assert_int_equal(word, 0);
	assert_peered(&next, 1);
	machine_destroy(machine);
}

/*
 * A device looks up its entry some time after it has written the value: when it has none any more. No
 * MonitoredValue tells that the value, which was there before, has come back.
 */
static void a_late_look(void **state)
{
	struct machine *machine = machine_new_peers(3);
	struct shared shared = shared_on(machine, 3);
	struct fake *fake = &machine->fakes[0];
	struct fake_wait *wait;

	(void)state;
	assert_int_equal(signal_fence(machine->files[0], shared.handles[0], 5), 0);
	fake_signal(fake, shared.fences[0], 0);
	wait = fake_wait(&machine->fakes[1], shared.fences[1], 5);
	fake->peers.late = true;
	fake_signal(fake, shared.fences[0], 5);
	assert_false(wait->released);
	assert_int_equal(rf_hosted_sleep(machine->devices[2]), 0);
	settle(&shared);
	assert_int_equal(fake_entries(fake), 0);
	fake->peers.late = false;
	fake_look_up(fake);
	assert_true(wait->released);
	machine_destroy(machine);
}

/* It sleeps, stays asleep, is woken by a signal, and then it is as before. */
static void one_sleeps(void **state)
{
	struct shared shared = shared_new(2, 2);
	struct rf_hosted_device *sleeper = shared.machine->devices[1];

	(void)state;
	make_kernel_queue(shared.machine->files[1], 0);
	assert_peered(&shared, 1);
	assert_int_equal(rf_hosted_sleep(sleeper), 0);
	settle(&shared);
	assert_true(fake_at(&shared, 1)->d3);
	assert_int_equal(monitored_at(&shared, 0), 0);
	assert_int_equal(fake_entries(fake_at(&shared, 0)), 0);
	fake_signal(fake_at(&shared, 0), shared.fences[0], 5);
	settle(&shared);
	assert_false(fake_at(&shared, 1)->d3);
	assert_peered(&shared, 6);
	shared_end(&shared);
}

/* Give the core work that takes as many holds as there are devices, and comes before other work. */
static void keep_busy(struct shared *shared)
{
	struct kmd_sync_domain *domain = shared->machine->hosted->domain;
	struct kmd_adapter *adapter = shared->machine->devices[0]->adapter;
	unsigned long flags = kmd_wait_lock(domain);

	kmd_fence_propagate(rf_list_first(&adapter->fences, struct kmd_opening, link)->fence, NULL);
	kmd_wait_unlock(domain, flags);
}

/* It does not sleep before the work that ends its peering is done, which would wake it. */
static void one_sleeps_late(void **state)
{
	struct shared shared = shared_new(5, 5);

	(void)state;
	make_kernel_queue(shared.machine->files[4], 0);
	assert_peered(&shared, 1);
	keep_busy(&shared);
	assert_int_equal(rf_hosted_sleep(shared.machine->devices[4]), 0);
	settle(&shared);
	assert_true(fake_at(&shared, 4)->d3);
	shared_end(&shared);
}

/* A fence that the device can only wait for outlives the loss of its processes. */
static void one_is_reset(void **state)
{
	struct shared shared = shared_new(2, 1);
	struct kmd_adapter *adapter = shared.machine->devices[1]->adapter;

	(void)state;
	shared.handles[1] =
		machine_open(shared.machine, 1, shared.token, DRM_RINGFENCE_FENCE_NO_SIGNAL).handle;
	shared.fences[1] = fake_last_fence(fake_at(&shared, 1));
	assert_peered(&shared, 1);
	kmd_adapter_want_reset(adapter);
	kmd_adapter_work(adapter);
	settle(&shared);
	assert_int_equal(fake_at(&shared, 1)->calls[FAKE_RESET_ADAPTER], 1);
	assert_int_equal(fake_entries(fake_at(&shared, 1)), 1);
	assert_peered(&shared, 3);
	shared_end(&shared);
}

/* The reset is over before the other work of the core lets it find that an entry is lost. */
static void a_short_reset(void **state)
{
	struct shared shared = shared_new(5, 4);
	struct machine *machine = shared.machine;
	struct kmd_adapter *adapter = machine->devices[4]->adapter;
	u32 count;

	(void)state;
	shared.handles[4] =
		machine_open(machine, 4, shared.token, DRM_RINGFENCE_FENCE_NO_SIGNAL).handle;
	shared.fences[4] = fake_last_fence(fake_at(&shared, 4));
	settle(&shared);
	assert_peered(&shared, 1);
	keep_busy(&shared);
	kmd_adapter_want_reset(adapter);
	rf_mutex_lock(&adapter->mutex);
	kmd_adapter_recover_lost(adapter);
	rf_mutex_unlock(&adapter->mutex);
	settle(&shared);
	assert_int_equal(fake_entries(fake_at(&shared, 4)), 1);
	assert_true(releases(&shared, 0, 4, 5, &count));
	assert_int_equal(count, 0);
	shared_end(&shared);
}

/* A device signals behind its reset, before its MonitoredValue is 0 as it should be by then. */
struct behind_reset {
	struct shared *shared;
	bool signalled;
};

static void signal_behind_reset(void *argument)
{
	struct behind_reset *behind = argument;
	const struct machine *machine = behind->shared->machine;
	const struct kmd_adapter *adapter = machine->devices[2]->adapter;

	if (machine->hosted->domain->wait_lock.owner || adapter->device_lock.owner)
		return;
	/* meanwhile another one begins to sleep */
	if (adapter->resetting)
		machine->devices[1]->adapter->peers.asleep = true;
	if (behind->signalled || adapter->resetting || !adapter->statistics.adapter_resets ||
	    !monitored_at(behind->shared, 2))
		return;
	behind->signalled = true;
	fake_signal(fake_at(behind->shared, 2), behind->shared->fences[2], 5);
}

static void signal_before_arming(void **state)
{
	struct shared shared = shared_new(3, 2);
	struct machine *machine = shared.machine;
	struct kmd_adapter *adapter = machine->devices[2]->adapter;
	struct behind_reset behind = { .shared = &shared };
	struct fake_wait *wait;

	(void)state;
	shared.handles[2] =
		machine_open(machine, 2, shared.token, DRM_RINGFENCE_FENCE_NO_SIGNAL).handle;
	shared.fences[2] = fake_last_fence(fake_at(&shared, 2));
	settle(&shared);
	assert_peered(&shared, 1);
	wait = fake_wait(fake_at(&shared, 0), shared.fences[0], 5);
	machine->fakes[0].bus.between_argument = &behind;
	machine->fakes[0].bus.between = signal_behind_reset;
	kmd_adapter_want_reset(adapter);
	kmd_adapter_work(adapter);
	settle(&shared);
	machine->fakes[0].bus.between = NULL;
	assert_true(behind.signalled);
	assert_true(wait->released);
	shared_end(&shared);
}

/* A fence that is always signalled stands still for all. */
static void always_signaled(void **state)
{
	struct shared shared = shared_new(2, 2);
	struct kmd_adapter *adapter = shared.machine->devices[1]->adapter;
	struct fake_wait *wait = fake_wait(fake_at(&shared, 0), shared.fences[0], 5);

	(void)state;
	kmd_adapter_want_reset(adapter);
	kmd_adapter_work(adapter);
	settle(&shared);
	assert_true(wait->released);
	assert_monitored(&shared, 0);
	assert_int_equal(fake_entries(fake_at(&shared, 0)), 0);
	assert_int_equal(fake_entries(fake_at(&shared, 1)), 0);
	shared_end(&shared);
}

static void one_is_lost(void **state)
{
	struct shared shared = shared_new(3, 3);

	(void)state;
	assert_peered(&shared, 1);
	kmd_adapter_notify_removal(shared.machine->devices[2]->adapter);
	settle(&shared);
	shared.fences[2] = NULL;
	assert_monitored(&shared, 0);
	/* when its processes have closed it, the two that are left go on as before */
	rf_hosted_close(shared.machine->files[2]);
	shared.machine->files[2] = NULL;
	settle(&shared);
	assert_peered(&shared, 5);
	rf_hosted_remove_device(shared.machine->devices[2]);
	shared.machine->devices[2] = NULL;
	assert_peered(&shared, 7);
	shared_end(&shared);
}

/* A target that leaves makes room for another. */
static void one_leaves(void **state)
{
	struct shared shared = shared_new(2, 2);
	struct machine *machine = shared.machine;

	(void)state;
	assert_peered(&shared, 1);
	rf_hosted_close(machine->files[1]);
	rf_hosted_remove_device(machine->devices[1]);
	machine->files[1] = NULL;
	machine->devices[1] = NULL;
	assert_null(fake_at(&shared, 0)->peers.targets[0]);
	shared.fences[1] = NULL;
	assert_monitored(&shared, 0);
	shared_end(&shared);
}

/* The other one sleeps on; it forgets the link when it is awake. */
static void one_leaves_a_sleeper(void **state)
{
	struct shared shared = shared_new(2, 2);
	struct machine *machine = shared.machine;

	(void)state;
	assert_peered(&shared, 1);
	assert_int_equal(rf_hosted_sleep(machine->devices[0]), 0);
	settle(&shared);
	rf_hosted_close(machine->files[1]);
	rf_hosted_remove_device(machine->devices[1]);
	machine->files[1] = NULL;
	machine->devices[1] = NULL;
	settle(&shared);
	assert_true(fake_at(&shared, 0)->d3);
	assert_int_equal(rf_hosted_wake(machine->devices[0]), 0);
	assert_null(fake_at(&shared, 0)->peers.targets[0]);
	shared.fences[1] = NULL;
	assert_monitored(&shared, 0);
	shared_end(&shared);
}

/* --- no signal is lost on the way ---------------------------------------------------------------- */

/* What the third device does, while a queue of one of the others signals and another waits. */
enum change { OPENS, CLOSES, SLEEPS, IS_RESET, IS_LOST, CHANGES };

/*
 * One run: the signal is made at the @step-th point at which another thread or an engine could do
 * something: between two holds of a spinlock, or before or after the write of an entry.
 */
struct run {
	struct shared *shared;
	u32 from;
	u32 step;
	bool signalled;
};

static void at_step(struct run *run, bool in_hold)
{
	const struct machine *machine = run->shared->machine;
	u32 i;

	for (i = 0; i < machine->count && !in_hold; i++)
		if (machine->devices[i] && machine->devices[i]->adapter->device_lock.owner)
			return;
	if (!in_hold && machine->hosted->domain->wait_lock.owner)
		return;
	/* then no engine of it does anything */
	if (!machine->devices[run->from] || machine->devices[run->from]->adapter->resetting ||
	    machine->devices[run->from]->adapter->in_d3)
		return;
	if (run->signalled || run->step--)
		return;
	run->signalled = true;
	fake_signal(fake_at(run->shared, run->from), run->shared->fences[run->from], 5);
}

static void between(void *argument)
{
	at_step(argument, false);
}

static void during_enter(void *argument)
{
	at_step(argument, true);
}

static void make_change(struct shared *shared, enum change change)
{
	struct kmd_adapter *third = shared->machine->devices[2]->adapter;

	switch (change) {
	case OPENS:
		shared_open(shared, 2);
		break;
	case CLOSES:
		shared_close(shared, 2);
		break;
	case SLEEPS:
		assert_int_equal(rf_hosted_sleep(shared->machine->devices[2]), 0);
		assert_int_equal(rf_hosted_wake(shared->machine->devices[2]), 0);
		break;
	case IS_RESET:
		kmd_adapter_want_reset(third);
		kmd_adapter_work(third);
		break;
	case IS_LOST:
		kmd_adapter_notify_removal(third);
		break;
	case CHANGES:
		break;
	}
	settle(shared);
}

static void hook(struct run *run, bool on)
{
	struct machine *machine = run->shared->machine;
	u32 i;

	/* the bus of the first device holds the interrupts of all */
	machine->fakes[0].bus.between_argument = run;
	machine->fakes[0].bus.between = on ? between : NULL;
	for (i = 0; i < machine->count; i++) {
		machine->fakes[i].peers.enter_argument = run;
		machine->fakes[i].peers.during_enter = on ? during_enter : NULL;
	}
}

/* False: there is no such step. */
static bool run_change(enum change change, u32 from, bool cpu_waits, u32 step)
{
	struct shared shared = shared_new(3, 2);
	struct run run = { .shared = &shared, .from = from, .step = step };
	u32 to = !from;
	struct rf_file *file = shared.machine->files[to];
	struct fake_wait *wait;
	u32 event = 0;

	if (change != OPENS) {
		shared.handles[2] =
			machine_open(shared.machine, 2, shared.token, DRM_RINGFENCE_FENCE_NO_SIGNAL)
				.handle;
		shared.fences[2] = fake_last_fence(fake_at(&shared, 2));
	}
	settle(&shared);
	/* the value that it will have is the last one that the CPU has propagated */
	assert_int_equal(signal_fence(file, shared.handles[to], 5), 0);
	fake_signal(fake_at(&shared, from), shared.fences[from], 0);
	settle(&shared);
	wait = fake_wait(fake_at(&shared, to), shared.fences[to], 5);
	if (cpu_waits)
		event = wait_event(file, shared.handles[to], 5);
	hook(&run, true);
	make_change(&shared, change);
	hook(&run, false);
	settle(&shared);
	if (run.signalled && !wait->released)
		fail_msg("a queue of device %u waits after the signal at step %u of change %d", to,
			 step, change);
	if (run.signalled && cpu_waits && look(file, event))
		fail_msg("a CPU waits after the signal of %u at step %u of change %d", from, step,
			 change);
	/* and the state that is reached is a whole one */
	if (change == IS_LOST)
		shared.fences[2] = NULL;
	assert_monitored(&shared, change == IS_LOST		? 0
				  : cpu_waits && !run.signalled ? 4
								: RF_MONITORED_NONE);
	shared_end(&shared);
	return run.signalled;
}

static void sweep(enum change change)
{
	u32 from, cpu, step, steps = 0;

	/* the third, too, if it has the fence at both ends */
	for (from = 0; from < (change == SLEEPS || change == IS_RESET ? 3 : 2); from++)
		for (cpu = 0; cpu < 2; cpu++) {
			for (step = 0; run_change(change, from, cpu, step); step++)
				;
			steps += step;
		}
	printf("# %u signals\n", steps);
	assert_in_range(steps, 40, U32_MAX);
}

static void sweep_opens(void **state)
{
	(void)state;
	sweep(OPENS);
}

static void sweep_closes(void **state)
{
	(void)state;
	sweep(CLOSES);
}

static void sweep_sleeps(void **state)
{
	(void)state;
	sweep(SLEEPS);
}

static void sweep_reset(void **state)
{
	(void)state;
	sweep(IS_RESET);
}

static void sweep_lost(void **state)
{
	(void)state;
	sweep(IS_LOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a-signal-without-cpu-waiters-needs-no-interrupt", no_interrupt),
		TEST("monitored-values-are-for-the-waiters-of-all-adapters", cpu_waiters),
		TEST("a-signal-of-the-cpu-is-propagated", signal_of_the_cpu),
		TEST("the-watchdog-finds-nothing-lost", the_watchdog_is_silent),
		TEST("three-devices", three_devices),
		TEST("no-route-from-one-to-the-other", no_route),
		TEST("a-device-that-cannot-use-the-region", no_region),
		TEST("devices-without-the-registers", the_block_is_missing),
		TEST("the-65th-fence-is-propagated-by-the-cpu", too_many_fences),
		TEST("a-fence-of-six-devices-is-propagated-by-the-cpu", too_many_devices),
		TEST("entries-follow-the-openings", opened_and_closed),
		TEST("a-late-word-for-another-fence", a_late_word),
		TEST("a-late-look-at-an-entry", a_late_look),
		TEST("S3-46.a-device-sleeps-and-is-woken", one_sleeps),
		TEST("S3-46.a-device-sleeps-when-all-is-done", one_sleeps_late),
		TEST("a-device-is-reset", one_is_reset),
		TEST("a-reset-that-is-over-before-it-is-seen", a_short_reset),
		TEST("C6.a-signal-behind-a-reset", signal_before_arming),
		TEST("A-10,A-11.a-fence-that-is-always-signalled", always_signaled),
		TEST("a-device-is-lost", one_is_lost),
		TEST("a-device-leaves", one_leaves),
		TEST("a-device-leaves-while-another-sleeps", one_leaves_a_sleeper),
		TEST("signals-while-a-third-device-opens-it", sweep_opens),
		TEST("signals-while-a-third-device-closes-it", sweep_closes),
		TEST("signals-while-a-third-device-sleeps", sweep_sleeps),
		TEST("signals-while-a-third-device-is-reset", sweep_reset),
		TEST("signals-while-a-third-device-is-lost", sweep_lost),
	};

	return cmocka_run_group_tests_name("peers", tests, NULL, NULL);
}
