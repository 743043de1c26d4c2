// SPDX-License-Identifier: Apache-2.0
/*
 * A device that takes its time, under the real miniport and over a device of registers: for
 * each thing that only a register tells the end of, one that comes late, and one that never
 * ends. No code waits for it with interrupts disabled, the remaining work is done later, and a device that
 * does not do what it was told is reset.
 */
#include <string.h>
#include <unistd.h>

#include "../time_scale.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/storage.h"
#include "scheduling/queue.h"
#include "fake_device.h"
#include "rf_fence.h"
#include "rf_hw_context.h"
#include "rf_interrupt.h"
#include "rf_invalidation.h"
#include "rf_queue.h"
#include "rf_queue_ddi.h"
#include "rf_residence.h"
#include "rf_sim_bus.h"
#include "rf_space.h"

#define SECOND 1000000000ull
/* Reads: many looks, and far fewer than make a lost device */
#define LATE 1000u

static_assert(LATE > 4 * RF_READS_PER_POLL && LATE < RF_READS_MAX / 4, "late, and not lost");

static const char *const names[FAKE_SLOWS] = {
	"an invalidation", "an update", "a load", "a stop", "a resample", "a switch of logs",
};

/* --- one process ----------------------------------------------------------------------------- */

struct work {
	struct rig rig;
	struct rf_hw_queue *hw;
};

static struct rf_hw_queue *hw_queue(struct device_world *world, u32 handle)
{
	struct kmd_queue *queue = kmd_table_find(&world->file->file->table, KMD_QUEUE, handle);

	assert_non_null(queue);
	return queue->h_hw_queue;
}

static struct rf_hw *hw_of(struct device_world *world)
{
	return world->shell->adapter->h_adapter;
}

static int connect(struct device_world *world, const struct work *work)
{
	struct drm_ringfence_doorbell_connect connect = { .handle = work->rig.doorbell.handle };

	return rf_hosted_request(world->file, DRM_RINGFENCE_DOORBELL_CONNECT, &connect);
}

static struct work work_new(struct device_world *world)
{
	struct work work = { .rig = make_rig(world->file, 0) };

	work.hw = hw_queue(world, work.rig.queue.handle);
	return work;
}

static void watch(struct device_world *world)
{
	u32 i;

	for (i = 0; i < 12; i++)
		device_world_look(world, SECOND / 2);
}

static void assert_short_hold(const char *what)
{
	u32 longest = rf_hosted_longest_hold();

	print_message("# %s: at most %u rounds of loops in one hold\n", what, longest);
	assert_in_range(longest, 1, KMD_HOLD_ROUNDS);
}

static void destroy_memory(struct device_world *world, u32 handle)
{
	struct drm_ringfence_memory_destroy destroy = { .handle = handle };

	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_MEMORY_DESTROY, &destroy), 0);
}

static void notify(struct device_world *world, const struct work *work)
{
	struct drm_ringfence_queue_notify notify = { .handle = work->rig.queue.handle };

	rf_hosted_request(world->file, DRM_RINGFENCE_QUEUE_NOTIFY, &notify);
}

static void ignore_event(void *argument, const struct kmd_log_event *event)
{
	(void)argument;
	(void)event;
}

/* Everything that a driver waits for a device in. */
static void do_everything(struct device_world *world)
{
	struct kmd_adapter *adapter = world->shell->adapter;
	u32 memory = make_memory(world->file, 4096, 0).handle;
	struct work work = work_new(world);
	u32 fence = make_default(world->file, 0);

	connect(world, &work);
	notify(world, &work);
	wait_event(world->file, fence, 5);
	wait_event(world->file, fence, 3);
	kmd_adapter_trace(adapter, ignore_event, NULL);
	kmd_adapter_trace(adapter, NULL, NULL);
	destroy_memory(world, memory);
	/* the memory is not allocated again before that */
	if (world->device.slow[FAKE_SLOW_INVALIDATE] != FAKE_FOREVER)
		assert_int_equal(world->device.left[FAKE_SLOW_INVALIDATE][0], 0);
	destroy_rig(world->file, &work.rig);
}

/* --- each by itself ---------------------------------------------------------------------------- */

/* What was slow has been met, and the device was not told anything that it does not hear. */
static void late(enum fake_slow slow)
{
	struct device_world *world = device_world_new();
	struct fake_device *device = &world->device;
	u32 event, fence;

	rf_hosted_longest_hold();
	device->slow[slow] = LATE;
	device->reads = 0;
	do_everything(world);
	assert_true(device->reads >= LATE);
	assert_short_hold(names[slow]);
	assert_int_equal(device->unheard, 0);
	/* a wait that began meanwhile is armed */
	fence = make_default(world->file, 0);
	event = wait_event(world->file, fence, 9);
	assert_int_equal(signal_fence(world->file, fence, 9), 0);
	assert_int_equal(look(world->file, event), 0);
	watch(world);
	assert_int_equal(device->resets, 0);
	device_world_destroy(world);
}

static void everything_late(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < FAKE_SLOWS; i++)
		late(i);
}

/* All of it at once. */
static void a_slow_device(void **state)
{
	struct device_world *world = device_world_new();
	u32 i;

	(void)state;
	for (i = 0; i < FAKE_SLOWS; i++)
		world->device.slow[i] = LATE + 100 * i;
	do_everything(world);
	assert_short_hold("all of them");
	watch(world);
	assert_int_equal(world->device.unheard, 0);
	assert_int_equal(world->device.resets, 0);
	device_world_destroy(world);
}

/* A process that comes next finds a device that works. */
static void assert_next_run_works(struct device_world *world)
{
	struct rf_file *before = world->file;
	struct work work;

	assert_int_equal(rf_hosted_open(world->shell, &world->file), 0);
	work = work_new(world);
	assert_int_equal(connect(world, &work), 0);
	assert_int_equal(work.hw->residence.state, RF_QUEUE_RESIDENT);
	assert_false(work.hw->residence.loading);
	rf_hosted_close(world->file);
	world->file = before;
}

static void never(enum fake_slow slow)
{
	struct device_world *world = device_world_new();
	struct fake_device *device = &world->device;

	rf_hosted_longest_hold();
	device->slow[slow] = FAKE_FOREVER;
	do_everything(world);
	assert_short_hold(names[slow]);
	watch(world);
	assert_in_range(device->resets, 1, 2);
	assert_next_run_works(world);
	device_world_destroy(world);
}

static void nothing_ends(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < FAKE_SLOWS; i++)
		never(i);
}

/* Waiters whose update the device did not take are armed when it can. */
static void an_update_late(void **state)
{
	struct device_world *world = device_world_new();
	u32 fences[40], events[40], i;

	(void)state;
	world->device.slow[FAKE_SLOW_UPDATE] = LATE;
	for (i = 0; i < ARRAY_SIZE(fences); i++) {
		fences[i] = make_default(world->file, 0);
		events[i] = wait_event(world->file, fences[i], 7 + i);
	}
	for (i = 0; i < ARRAY_SIZE(fences); i++) {
		struct kmd_local_fence *instance =
			kmd_table_find(&world->file->file->table, KMD_FENCE, fences[i]);

		assert_int_equal(instance->opening->monitored_value, 6 + i);
		assert_int_equal(rf_value_read(kmd_value_address(&instance->opening->monitored)),
				 6 + i);
	}
	for (i = 0; i < ARRAY_SIZE(fences); i++) {
		assert_int_equal(signal_fence(world->file, fences[i], 7 + i), 0);
		assert_int_equal(look(world->file, events[i]), 0);
	}
	assert_int_equal(world->device.resets, 0);
	device_world_destroy(world);
}

/* A wait of the first fence, by the core alone: the remaining work is not continued. */
static u32 begin_wait(struct device_world *world, u32 fence, u64 value)
{
	struct drm_ringfence_fence_value one = { .handle = fence, .value = value };
	struct drm_ringfence_fence_wait wait = {
		.fences = { .array = (uintptr_t)&one, .count = 1, .stride = sizeof(one) },
		.event = make_event(world->file),
	};

	assert_int_equal(kmd_request(world->file->file, DRM_RINGFENCE_FENCE_WAIT, &wait), 0);
	return wait.event;
}

static struct kmd_opening *native_of(struct device_world *world, u32 fence)
{
	struct kmd_local_fence *instance =
		kmd_table_find(&world->file->file->table, KMD_FENCE, fence);

	return instance->opening;
}

static u64 monitored(struct kmd_opening *native)
{
	return rf_value_read(kmd_value_address(&native->monitored));
}

/* The device loses its memory with an update on its way: it is told again when it is back. */
static void an_update_before_d3(void **state)
{
	struct device_world *world = device_world_new();
	u32 fence = make_default(world->file, 0);
	struct kmd_opening *native = native_of(world, fence);

	(void)state;
	world->device.slow[FAKE_SLOW_UPDATE] = LATE;
	begin_wait(world, fence, 7);
	assert_true(native->posted);
	assert_int_not_equal(monitored(native), 6);
	assert_int_equal(rf_hosted_sleep(world->shell), 0);
	world->device.slow[FAKE_SLOW_UPDATE] = 0;
	assert_int_equal(rf_hosted_wake(world->shell), 0);
	destroy_event(world->file, make_event(world->file));
	assert_false(native->posted);
	assert_int_equal(monitored(native), 6);
	device_world_destroy(world);
}

/* A record names a fence that ends, while the device is waited for. */
static struct kmd_opening *named;

static void name_it(struct fake_device *device)
{
	struct kmd_opening *native = named;
	const struct rf_global_fence *global;

	named = NULL;
	if (!native)
		return;
	global = native->h_global;
	device->msi_off = true;
	fake_device_record(device, &(struct rf_interrupt_record){
					   .kind = RF_RECORD_KIND_MONITORED_UPDATE,
					   .address = global->name.address,
				   });
	device->msi_off = false;
	/* by the core alone, again */
	kmd_adapter_interrupt(native->adapter, 0);
	kmd_adapter_dpc(native->adapter);
}

static void a_fence_that_ends_is_named(void **state)
{
	struct device_world *world = device_world_new();
	struct drm_ringfence_fence_destroy destroy = { .handle = make_default(world->file, 0) };
	u32 other = make_default(world->file, 0), event;

	(void)state;
	world->device.slow[FAKE_SLOW_UPDATE] = LATE;
	event = begin_wait(world, destroy.handle, 7);
	named = native_of(world, destroy.handle);
	world->device.during_sleep = name_it;
	assert_int_equal(kmd_request(world->file->file, DRM_RINGFENCE_FENCE_DESTROY, &destroy), 0);
	assert_null(named);
	world->device.during_sleep = NULL;
	world->device.slow[FAKE_SLOW_UPDATE] = 0;
	assert_int_equal(look(world->file, event), -ECANCELED);
	event = wait_event(world->file, other, 3);
	assert_int_equal(signal_fence(world->file, other, 3), 0);
	assert_int_equal(look(world->file, event), 0);
	device_world_destroy(world);
}

/* --- a queue that is being loaded ------------------------------------------------------------------ */

/* A queue that is out, and the miniport, for every way to bring it in. */
struct loading {
	struct device_world *world;
	struct rf_hw *h_adapter;
	struct work work;
};

static bool enter(struct loading *loading)
{
	struct rf_make_hw_queue_resident make = { .h_hw_queue = loading->work.hw };

	assert_int_equal(rf_make_hw_queue_resident(loading->h_adapter, &make), 0);
	return make.is_busy;
}

static void leave(struct loading *loading)
{
	const struct rf_evict_hw_queue evict = { .h_hw_queue = loading->work.hw };

	rf_evict_hw_queue(loading->h_adapter, &evict);
}

static struct loading loading_begin(void)
{
	struct loading loading = { .world = device_world_new() };

	loading.h_adapter = hw_of(loading.world);
	loading.work = work_new(loading.world);
	assert_int_equal(connect(loading.world, &loading.work), 0);
	leave(&loading);
	assert_int_equal(loading.work.hw->residence.state, RF_QUEUE_SAVED);
	loading.world->device.slow[FAKE_SLOW_LOAD] = LATE;
	assert_true(enter(&loading));
	assert_true(loading.work.hw->residence.loading);
	return loading;
}

/* The DPC comes until it is loaded. */
static void load(struct loading *loading)
{
	u32 i;

	for (i = 0; i < LATE && loading->work.hw->residence.loading; i++)
		rf_dpc_routine(loading->h_adapter);
	assert_false(loading->work.hw->residence.loading);
	assert_in_range(i, 2, LATE / RF_READS_PER_POLL + 1);
	assert_int_equal(loading->world->device.unheard, 0);
}

static void loading_end(struct loading *loading)
{
	loading->world->device.slow[FAKE_SLOW_LOAD] = 0;
	leave(loading);
	assert_int_equal(loading->work.hw->residence.state, RF_QUEUE_SAVED);
	assert_int_equal(loading->world->device.resets, 0);
	device_world_destroy(loading->world);
}

static u64 bind_of(struct loading *loading)
{
	return *fake_device_register(&loading->world->device,
				     RF_REG_DOORBELL_BIND(loading->work.hw->binding.physical));
}

/* Its doorbell is the slot's, and its record is looked at, when it takes commands. */
static void loaded_late(void **state)
{
	struct loading loading = loading_begin();
	u32 samples = loading.world->device.samples;

	(void)state;
	assert_false(bind_of(&loading) & RF_DOORBELL_BIND_RESIDENT_MASK);
	assert_int_equal(loading.world->device.samples, samples);
	load(&loading);
	assert_true(bind_of(&loading) & RF_DOORBELL_BIND_RESIDENT_MASK);
	assert_int_equal(loading.world->device.samples, samples + 1);
	loading_end(&loading);
}

/* No request follows the one that had it brought in. */
static void loaded_by_the_dpc(void **state)
{
	struct device_world *world = device_world_new();
	struct work work;

	(void)state;
	world->device.slow[FAKE_SLOW_LOAD] = LATE;
	work = work_new(world);
	assert_int_equal(work.hw->residence.state, RF_QUEUE_RESIDENT);
	assert_false(work.hw->residence.loading);
	assert_int_equal(world->device.unheard, 0);
	device_world_destroy(world);
}

/* It is told to leave before it was there. */
static void evicted_while_loading(void **state)
{
	struct loading loading = loading_begin();

	(void)state;
	leave(&loading);
	assert_int_equal(loading.work.hw->residence.state, RF_QUEUE_LEAVING);
	load(&loading);
	assert_int_equal(loading.work.hw->residence.state, RF_QUEUE_SAVED);
	assert_false(bind_of(&loading) & RF_DOORBELL_BIND_RESIDENT_MASK);
	loading.world->device.slow[FAKE_SLOW_LOAD] = 0;
	assert_false(enter(&loading));
	loading_end(&loading);
}

/* It stood still, and is to go on: wherever its context is then. */
static void resumed_while_loading(void **state)
{
	const u64 stopped = RF_SLOT_FLAGS_STOPPED_MASK;
	u32 evicted;

	(void)state;
	for (evicted = 0; evicted < 2; evicted++) {
		struct loading loading = loading_begin();
		const struct rf_resume_hw_queue resume = { .h_hw_queue = loading.work.hw };
		u64 *flags = fake_device_register(
			&loading.world->device, RF_REG_SLOT_FLAGS(loading.work.hw->residence.slot));

		rf_save_area_write(&loading.work.hw->save, RF_CONTEXT(FLAGS), stopped);
		rf_resume_hw_queue(loading.h_adapter, &resume);
		if (evicted)
			leave(&loading);
		load(&loading);
		assert_false(loading.work.hw->residence.resuming);
		if (evicted) {
			assert_false(rf_save_area_read(&loading.work.hw->save, RF_CONTEXT(FLAGS)) &
				     stopped);
			loading.world->device.slow[FAKE_SLOW_LOAD] = 0;
			assert_false(enter(&loading));
		} else {
			assert_int_equal(*flags & stopped, 0);
		}
		loading_end(&loading);
	}
}

/* What is done to a queue that is loading waits until it is in its slot. */
static void destroyed_while_loading(void **state)
{
	struct loading loading = loading_begin();

	(void)state;
	loading.world->device.slow[FAKE_SLOW_STOP] = LATE;
	destroy_rig(loading.world->file, &loading.work.rig);
	assert_int_equal(loading.world->device.unheard, 0);
	assert_int_equal(loading.world->device.resets, 0);
	device_world_destroy(loading.world);
}

/* The watch finds a slot that is still free no lost queue. */
static void watched_while_loading(void **state)
{
	struct loading loading = loading_begin();

	(void)state;
	loading.world->device.left[FAKE_SLOW_LOAD][loading.work.hw->residence.slot] =
		RF_READS_MAX - 2000;
	watch(loading.world);
	assert_false(loading.work.hw->residence.loading);
	assert_int_equal(loading.world->device.unheard, 0);
	loading_end(&loading);
}

/* What could not be loaded is told, and the one whose handle the record has is left alone. */
static void a_load_that_fails(void **state)
{
	struct loading loading = loading_begin();
	struct device_world *world = loading.world;
	u64 *config = fake_device_register(&world->device,
					   RF_REG_SLOT_CONFIG(loading.work.hw->residence.slot));
	struct rf_make_hw_queue_resident make = { 0 };
	struct work other;

	(void)state;
	load(&loading);
	world->device.slow[FAKE_SLOW_LOAD] = 0;
	other = work_new(world);
	assert_int_equal(other.hw->residence.state, RF_QUEUE_RESIDENT);
	/* the slot of @other had another queue before, which is in the first slot now */
	rf_evict_hw_queue(loading.h_adapter, &(struct rf_evict_hw_queue){ .h_hw_queue = other.hw });
	*fake_device_register(&world->device, RF_REG_SLOT_CONFIG(other.hw->residence.slot)) =
		*config;
	make.h_hw_queue = other.hw;
	world->device.load_fails = true;
	assert_int_equal(rf_make_hw_queue_resident(loading.h_adapter, &make), 0);
	world->device.load_fails = false;
	assert_true(make.is_busy);
	fake_bus_raise(&world->device.fake.bus);
	assert_int_equal(other.hw->residence.state, RF_QUEUE_SAVED);
	assert_int_equal(loading.work.hw->residence.state, RF_QUEUE_RESIDENT);
	assert_int_equal(
		loading.h_adapter->spaces->vmid[other.hw->context->space->vmid].expected_records,
		1);
	assert_int_equal(world->device.resets, 0);
	assert_false(rf_hw_is_lost(loading.h_adapter));
	loading_end(&loading);
}

/* The device is away while a queue is loading: it is not asked repeatedly. */
static void away_while_loading(void **state)
{
	struct loading loading = loading_begin();
	struct fake_device *device = &loading.world->device;

	(void)state;
	alarm(time_limit(60));
	device->memory_off = true;
	rf_hw_set_busy(loading.h_adapter);
	fake_bus_raise(&device->fake.bus);
	make_event(loading.world->file);
	device->memory_off = false;
	device_world_look(loading.world, SECOND / 2);
	assert_false(loading.work.hw->residence.loading);
	alarm(0);
	loading_end(&loading);
}

/* --- VMIDs ---------------------------------------------------------------------------------------- */

/* A space that gets a VMID does not use it before the device has forgotten who had it. */
static void a_vmid_late(void **state)
{
	struct device_world *world = device_world_new();
	struct work work = work_new(world);
	struct rf_make_hw_queue_resident make = { .h_hw_queue = work.hw };
	struct rf_hw *h_adapter = hw_of(world);
	struct rf_address_space *space = work.hw->context->space;
	u32 i;

	(void)state;
	rf_evict_hw_queue(h_adapter, &(struct rf_evict_hw_queue){ .h_hw_queue = work.hw });
	assert_int_equal(work.hw->residence.state, RF_QUEUE_SAVED);
	h_adapter->spaces->vmid[space->vmid].space = NULL;
	space->vmid = RF_VMID_NONE;
	world->device.slow[FAKE_SLOW_INVALIDATE] = LATE;
	for (i = 0; rf_make_hw_queue_resident(h_adapter, &make) == -EINPROGRESS; i++)
		assert_int_equal(work.hw->residence.state, RF_QUEUE_SAVED);
	assert_in_range(i, LATE / RF_READS_PER_POLL - 1, LATE / RF_READS_PER_POLL + 1);
	assert_int_equal(world->device.left[FAKE_SLOW_INVALIDATE][0], 0);
	assert_int_equal(work.hw->residence.state, RF_QUEUE_RESIDENT);
	rf_evict_hw_queue(h_adapter, &(struct rf_evict_hw_queue){ .h_hw_queue = work.hw });
	assert_int_equal(world->device.resets, 0);
	device_world_destroy(world);
}

/* Two at once: the second one's begins when the first one's is over. */
static void two_vmids_late(void **state)
{
	struct device_world *world = device_world_new();
	struct rf_make_hw_queue_resident make[2] = { 0 };
	struct rf_hw *h_adapter = hw_of(world);
	struct rf_file *first = world->file, *second;
	struct work works[2];
	u32 i, done = 0;

	(void)state;
	works[0] = work_new(world);
	assert_int_equal(rf_hosted_open(world->shell, &second), 0);
	world->file = second;
	works[1] = work_new(world);
	for (i = 0; i < 2; i++) {
		struct rf_address_space *space = works[i].hw->context->space;

		make[i].h_hw_queue = works[i].hw;
		rf_evict_hw_queue(h_adapter,
				  &(struct rf_evict_hw_queue){ .h_hw_queue = works[i].hw });
		h_adapter->spaces->vmid[space->vmid].space = NULL;
		space->vmid = RF_VMID_NONE;
	}
	world->device.slow[FAKE_SLOW_INVALIDATE] = LATE;
	for (i = 0; done != 3 && i < LATE; i++)
		if (!(done & 1u << i % 2) &&
		    rf_make_hw_queue_resident(h_adapter, &make[i % 2]) != -EINPROGRESS)
			done |= 1u << i % 2;
	assert_int_equal(done, 3);
	assert_int_not_equal(works[0].hw->context->space->vmid, works[1].hw->context->space->vmid);
	for (i = 0; i < 2; i++)
		rf_evict_hw_queue(h_adapter,
				  &(struct rf_evict_hw_queue){ .h_hw_queue = works[i].hw });
	world->device.slow[FAKE_SLOW_INVALIDATE] = 0;
	world->file = first;
	rf_hosted_close(second);
	assert_int_equal(world->device.resets, 0);
	device_world_destroy(world);
}

/* A thread unmaps, and meanwhile a VMID changes hands: no invalidation begins in another. */
static struct rf_make_hw_queue_resident overtaking;
static struct rf_hw *overtaken;

static void overtake(struct fake_device *device)
{
	(void)device;
	if (overtaking.h_hw_queue &&
	    rf_make_hw_queue_resident(overtaken, &overtaking) != -EINPROGRESS)
		overtaking.h_hw_queue = NULL;
}

static void a_vmid_overtakes(void **state)
{
	struct device_world *world = device_world_new();
	u32 memory[2] = { make_memory(world->file, 4096, 0).handle,
			  make_memory(world->file, 4096, 0).handle };
	struct work work = work_new(world);
	struct rf_address_space *space = work.hw->context->space;
	u32 i, k;

	(void)state;
	overtaken = hw_of(world);
	rf_evict_hw_queue(overtaken, &(struct rf_evict_hw_queue){ .h_hw_queue = work.hw });
	for (i = 0; i < 2; i++) {
		u64 begun = overtaken->invalidations->begun;

		overtaken->spaces->vmid[space->vmid].space = NULL;
		space->vmid = RF_VMID_NONE;
		/* an update of another process is under way; the queue's and the thread's wait for it;
		 * now the one and then the other sees its end first */
		world->device.slow[FAKE_SLOW_INVALIDATE] = LATE + i * RF_READS_PER_POLL;
		overtaking.h_hw_queue = work.hw;
		assert_int_equal(rf_make_hw_queue_resident(overtaken, &overtaking), -EINPROGRESS);
		overtaken->spaces->vmid[space->vmid].space = NULL;
		space->vmid = RF_VMID_NONE;
		world->device.during_sleep = overtake;
		destroy_memory(world, memory[i]);
		world->device.during_sleep = NULL;
		for (k = 0; overtaking.h_hw_queue && k < LATE; k++)
			overtake(&world->device);
		assert_null(overtaking.h_hw_queue);
		assert_in_range(overtaken->invalidations->begun, begun + 2, begun + 4);
		assert_int_equal(work.hw->residence.state, RF_QUEUE_RESIDENT);
		rf_evict_hw_queue(overtaken, &(struct rf_evict_hw_queue){ .h_hw_queue = work.hw });
	}
	world->device.slow[FAKE_SLOW_INVALIDATE] = 0;
	assert_int_equal(world->device.resets, 0);
	device_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("everything-late", everything_late),
		TEST("a-slow-device", a_slow_device),
		TEST("nothing-ends", nothing_ends),
		TEST("S0-39,S0-40.an-update-late", an_update_late),
		TEST("S3-46.an-update-before-d3", an_update_before_d3),
		TEST("a-fence-that-ends-is-named", a_fence_that_ends_is_named),
		TEST("loaded-late", loaded_late),
		TEST("loaded-by-the-dpc", loaded_by_the_dpc),
		TEST("evicted-while-loading", evicted_while_loading),
		TEST("resumed-while-loading", resumed_while_loading),
		TEST("destroyed-while-loading", destroyed_while_loading),
		TEST("watched-while-loading", watched_while_loading),
		TEST("a-load-that-fails", a_load_that_fails),
		TEST("away-while-loading", away_while_loading),
		TEST("a-vmid-late", a_vmid_late),
		TEST("two-vmids-late", two_vmids_late),
		TEST("a-vmid-overtakes", a_vmid_overtakes),
	};

	return cmocka_run_group_tests_name("busy", tests, NULL, NULL);
}
