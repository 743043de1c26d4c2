// SPDX-License-Identifier: Apache-2.0
/*
 * Fences across adapters: propagation of signals by the CPU, and the life of both sides. Devices are
 * called 0, 1 and 2 here; in the sources' tables 0 is the dGPU and 1 the iGPU.
 */
#include <stdio.h>
#include <string.h>

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "waits/propagate.h"
#include "machine.h"

#define NATIVE 0u
#define SECOND_IS_MONITORED 2u

/* A cross-adapter fence that is open on two devices. */
struct pair {
	struct machine *machine;
	struct fake *first, *second;
	struct drm_ringfence_fence_create on_first;
	struct drm_ringfence_fence_open on_second;
};

static struct pair pair_new(u32 monitored)
{
	struct pair pair = { .machine = machine_new(2, monitored) };

	pair.first = &pair.machine->fakes[0];
	pair.second = &pair.machine->fakes[1];
	pair.on_first = machine_fence(pair.machine, 0, DRM_RINGFENCE_FENCE_DEFAULT, 0);
	pair.on_second = machine_open(pair.machine, 1, pair.on_first.share_token, 0);
	return pair;
}

static void pair_end(struct pair *pair)
{
	machine_destroy(pair->machine);
}

/* In a process, not in the system process. */
static struct fake_mapping *mapping_at(struct fake *fake, u64 address)
{
	struct fake_mapping *mapping;

	rf_list_for_each(mapping, &fake->mappings, link)
		if (mapping->h_process && mapping->address == (address & ~0xfffull))
			return mapping;
	fail_msg("nothing is mapped at %llx", (unsigned long long)address);
	return NULL;
}

static struct rf_mem *memory_at(struct fake *fake, u64 address)
{
	return mapping_at(fake, address)->mem;
}

static u64 current(struct pair *pair)
{
	u64 value = machine_value(pair->machine, 0, &pair->on_first.mapping);

	assert_int_equal(machine_value(pair->machine, 1, &pair->on_second.mapping), value);
	return value;
}

/* --- the object ----------------------------------------------------------------------------- */

static void one_page_and_two_monitored_values(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct rf_mem *mem[2], *monitored[2];

	(void)state;
	assert_int_equal(pair.on_second.type, DRM_RINGFENCE_FENCE_DEFAULT);
	mem[0] = memory_at(pair.first, pair.on_first.mapping.current_value_gpu_address);
	mem[1] = memory_at(pair.second, pair.on_second.mapping.current_value_gpu_address);
	assert_ptr_not_equal(mem[0], mem[1]);
	/* the bus addresses of the fakes are the CPU's */
	assert_int_equal(mem[0]->address, mem[1]->address);
	assert_int_equal(mem[0]->kind, RF_MEM_SYSTEM);
	monitored[0] = memory_at(pair.first, pair.on_first.mapping.monitored_value_gpu_address);
	monitored[1] = memory_at(pair.second, pair.on_second.mapping.monitored_value_gpu_address);
	assert_int_not_equal(monitored[0]->address, monitored[1]->address);
	pair_end(&pair);
}

static void assert_never_armed(struct fake *fake)
{
	assert_int_equal(fake_monitored(fake, fake_last_fence(fake)), 0);
	assert_int_equal(fake->calls[FAKE_UPDATE_MONITORED], 0);
}

static void monitored_value_is_0_for_life(void **state)
{
	struct pair pair = pair_new(NATIVE);
	u32 events[2];

	(void)state;
	assert_never_armed(pair.first);
	events[0] = wait_event(pair.machine->files[0], pair.on_first.handle, 5);
	events[1] = wait_event(pair.machine->files[1], pair.on_second.handle, 7);
	assert_never_armed(pair.first);
	assert_never_armed(pair.second);
	fake_signal(pair.first, fake_last_fence(pair.first), 6);
	assert_int_equal(look(pair.machine->files[0], events[0]), 0);
	assert_int_equal(look(pair.machine->files[1], events[1]), -ETIMEDOUT);
	assert_never_armed(pair.first);
	assert_never_armed(pair.second);
	pair_end(&pair);
}

static int try_create(struct rf_file *file, u32 type, u32 flags)
{
	struct drm_ringfence_fence_create create = { .type = type, .flags = flags };

	return rf_hosted_request(file, DRM_RINGFENCE_FENCE_CREATE, &create);
}

static void default_type_only(void **state)
{
	struct machine *machine = machine_new(1, NATIVE);

	(void)state;
	assert_int_equal(try_create(machine->files[0], DRM_RINGFENCE_FENCE_INTRA_GPU,
				    DRM_RINGFENCE_FENCE_CROSS_ADAPTER),
			 -EINVAL);
	assert_int_equal(try_create(machine->files[0], DRM_RINGFENCE_FENCE_DEFAULT,
				    DRM_RINGFENCE_FENCE_CROSS_ADAPTER),
			 0);
	machine_destroy(machine);
}

/* A fence that was not made for it is not found from another adapter. */
static void others_stay_on_their_adapter(void **state)
{
	struct machine *machine = machine_new(2, NATIVE);
	struct drm_ringfence_fence_create fence = make_fence(
		machine->files[0], DRM_RINGFENCE_FENCE_DEFAULT, DRM_RINGFENCE_FENCE_SHARED, 0);
	struct drm_ringfence_fence_open open = { .share_token = fence.share_token };

	(void)state;
	assert_int_equal(rf_hosted_request(machine->files[1], DRM_RINGFENCE_FENCE_OPEN, &open),
			 -ENOENT);
	assert_int_equal(rf_hosted_request(machine->files[0], DRM_RINGFENCE_FENCE_OPEN, &open), 0);
	machine_destroy(machine);
}

static void native_opens_as_monitored(void **state)
{
	struct pair pair = pair_new(SECOND_IS_MONITORED);

	(void)state;
	assert_int_equal(pair.on_second.type, DRM_RINGFENCE_FENCE_MONITORED);
	assert_int_equal(pair.on_second.mapping.current_value_gpu_address, 0);
	assert_int_equal(pair.second->calls[FAKE_CREATE_FENCE], 0);
	/* no 32 bits: an engine does not write it */
	assert_int_equal(signal_fence(pair.machine->files[1], pair.on_second.handle, 1ull << 40),
			 0);
	assert_int_equal(current(&pair), 1ull << 40);
	pair_end(&pair);
}

static void monitored_opens_as_native(void **state)
{
	struct machine *machine = machine_new(2, 1);
	struct drm_ringfence_fence_create made =
		machine_fence(machine, 0, DRM_RINGFENCE_FENCE_MONITORED, 3);
	struct drm_ringfence_fence_open open = machine_open(machine, 1, made.share_token, 0);

	(void)state;
	assert_int_equal(open.type, DRM_RINGFENCE_FENCE_DEFAULT);
	assert_int_equal(machine->fakes[1].calls[FAKE_CREATE_FENCE], 1);
	assert_int_equal(machine_value(machine, 1, &open.mapping), 3);
	fake_signal(&machine->fakes[1], fake_last_fence(&machine->fakes[1]), 4);
	assert_int_equal(machine_value(machine, 0, &made.mapping), 4);
	machine_destroy(machine);
}

/* --- scenario 1: both native ------------------------------------------------------------------ */

/* The interrupt is raised although nobody waits. */
static void every_signal_is_propagated(void **state)
{
	struct pair pair = pair_new(NATIVE);
	u64 i;

	(void)state;
	for (i = 1; i <= 3; i++) {
		fake_signal(pair.first, fake_last_fence(pair.first), i);
		assert_int_equal(pair.first->interrupts_raised, i);
		assert_int_equal(pair.second->notified_fences, i);
		assert_ptr_equal(pair.second->last_notified, fake_last_fence(pair.second));
	}
	/* the signalling device needs no notice, nor does the other one store the value */
	assert_int_equal(pair.first->notified_fences, 0);
	assert_int_equal(pair.second->update_current_fences, 0);
	assert_int_equal(machine_statistics(pair.machine, 1).notifications, 3);
	/* the other way */
	fake_signal(pair.second, fake_last_fence(pair.second), 9);
	assert_int_equal(pair.first->notified_fences, 1);
	assert_int_equal(pair.second->notified_fences, 3);
	pair_end(&pair);
}

/* C10 */
static void a_signal_of_0_is_silent(void **state)
{
	struct pair pair = pair_new(NATIVE);

	(void)state;
	fake_signal(pair.first, fake_last_fence(pair.first), 0);
	assert_int_equal(pair.first->interrupts_raised, 0);
	assert_int_equal(wait_fence(pair.machine->files[1], pair.on_second.handle, 0, 0), 0);
	pair_end(&pair);
}

/* What a notification finds. */
struct moment {
	struct pair *pair;
	u32 event;
	u32 seen;
};

static void waiter_still_waits(struct fake *fake, void *argument)
{
	struct moment *moment = argument;
	struct kmd_sync_domain *domain = moment->pair->machine->hosted->domain;
	struct kmd_adapter *adapter = moment->pair->machine->devices[1]->adapter;

	(void)fake;
	moment->seen++;
	/* this hold accesses one device */
	assert_ptr_equal(domain->accessed, adapter);
	assert_int_equal(adapter->statistics.wakes, 0);
}

static void gpu_signal_cpu_wait(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct moment moment = { .pair = &pair };

	(void)state;
	moment.event = wait_event(pair.machine->files[1], pair.on_second.handle, 10);
	pair.second->during_notify = waiter_still_waits;
	pair.second->argument = &moment;
	fake_signal(pair.first, fake_last_fence(pair.first), 10);
	/* the other device is notified before the waiter is released */
	assert_int_equal(moment.seen, 1);
	assert_int_equal(look(pair.machine->files[1], moment.event), 0);
	assert_int_equal(machine_statistics(pair.machine, 1).wakes, 1);
	pair_end(&pair);
}

static void cpu_signal(void **state)
{
	struct pair pair = pair_new(NATIVE);
	u32 event = wait_event(pair.machine->files[1], pair.on_second.handle, 10);
	u32 own = wait_event(pair.machine->files[0], pair.on_first.handle, 10);

	(void)state;
	assert_int_equal(signal_fence(pair.machine->files[0], pair.on_first.handle, 10), 0);
	/* a real update on the one, a notification on the other */
	assert_int_equal(pair.first->update_current_fences, 1);
	assert_int_equal(pair.first->notified_fences, 0);
	assert_int_equal(pair.second->update_current_fences, 0);
	assert_int_equal(pair.second->notified_fences, 1);
	assert_int_equal(look(pair.machine->files[1], event), 0);
	assert_int_equal(look(pair.machine->files[0], own), 0);
	assert_int_equal(current(&pair), 10);
	pair_end(&pair);
}

/* An interrupt without names: what has changed is propagated, and only that. */
static void null_array(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct drm_ringfence_fence_create other =
		machine_fence(pair.machine, 0, DRM_RINGFENCE_FENCE_DEFAULT, 0);
	struct fake_fence *fence = fake_last_fence(pair.first);

	(void)state;
	machine_open(pair.machine, 1, other.share_token, 0);
	pair.first->report = FAKE_REPORT_NULL;
	fake_signal(pair.first, fence, 1);
	assert_int_equal(pair.second->notified_fences, 1);
	fake_bus_raise(&pair.first->bus);
	assert_int_equal(pair.second->notified_fences, 1);
	fake_signal(pair.first, fence, 2);
	assert_int_equal(pair.second->notified_fences, 2);
	pair_end(&pair);
}

/* --- scenario 2: the second has no native fences ------------------------------------------------ */

struct kernel_queue {
	u32 handle, memory;
};

static struct kernel_queue kernel_queue_new(struct pair *pair, u32 device)
{
	struct rf_file *file = pair->machine->files[device];

	return (struct kernel_queue){
		.handle = make_kernel_queue(file, 0).handle,
		.memory = make_memory(file, 4096, 0).handle,
	};
}

static void monitored_waits(void **state)
{
	struct pair pair = pair_new(SECOND_IS_MONITORED);
	struct rf_file *file = pair.machine->files[1];
	struct kernel_queue queue = kernel_queue_new(&pair, 1);
	u32 event = wait_event(file, pair.on_second.handle, 10);

	(void)state;
	assert_int_equal(queue_wait(file, queue.handle, pair.on_second.handle, 10), 0);
	assert_int_equal(submit_empty(file, queue.handle, queue.memory), 0);
	assert_int_equal(pair.second->calls[FAKE_SUBMIT], 0);
	fake_signal(pair.first, fake_last_fence(pair.first), 9);
	assert_int_equal(pair.second->calls[FAKE_SUBMIT], 0);
	fake_signal(pair.first, fake_last_fence(pair.first), 10);
	assert_int_equal(pair.second->calls[FAKE_SUBMIT], 1);
	assert_int_equal(look(file, event), 0);
	/* by the CPU, too */
	event = wait_event(file, pair.on_second.handle, 11);
	assert_int_equal(queue_wait(file, queue.handle, pair.on_second.handle, 11), 0);
	assert_int_equal(submit_empty(file, queue.handle, queue.memory), 0);
	assert_int_equal(signal_fence(pair.machine->files[0], pair.on_first.handle, 11), 0);
	assert_int_equal(pair.second->calls[FAKE_SUBMIT], 2);
	assert_int_equal(look(file, event), 0);
	assert_int_equal(pair.second->calls[FAKE_UPDATE_CURRENT], 0);
	pair_end(&pair);
}

static void monitored_signals(void **state)
{
	struct pair pair = pair_new(SECOND_IS_MONITORED);
	struct rf_file *file = pair.machine->files[1];
	struct kernel_queue queue = kernel_queue_new(&pair, 1);
	u32 event = wait_event(pair.machine->files[0], pair.on_first.handle, 10);

	(void)state;
	assert_int_equal(submit_empty(file, queue.handle, queue.memory), 0);
	assert_int_equal(queue_signal(file, queue.handle, pair.on_second.handle, 10), 0);
	assert_int_equal(current(&pair), 0);
	/* the packet is at the head now */
	fake_complete(pair.second, fake_last_queue(pair.second));
	assert_int_equal(current(&pair), 10);
	assert_int_equal(pair.first->notified_fences, 1);
	assert_int_equal(look(pair.machine->files[0], event), 0);
	event = wait_event(pair.machine->files[0], pair.on_first.handle, 11);
	assert_int_equal(signal_fence(file, pair.on_second.handle, 11), 0);
	assert_int_equal(pair.first->notified_fences, 2);
	assert_int_equal(look(pair.machine->files[0], event), 0);
	/* the native device stores nothing, and the other one is not told */
	assert_int_equal(pair.first->update_current_fences, 0);
	assert_int_equal(pair.second->calls[FAKE_UPDATE_CURRENT], 0);
	pair_end(&pair);
}

/* A kernel-mode queue of a native adapter behaves as scenario 2 (S0-99). */
static void kernel_queues_of_a_native_adapter(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct rf_file *file = pair.machine->files[1];
	struct kernel_queue queue = kernel_queue_new(&pair, 1);

	(void)state;
	assert_int_equal(queue_wait(file, queue.handle, pair.on_second.handle, 4), 0);
	assert_int_equal(submit_empty(file, queue.handle, queue.memory), 0);
	assert_int_equal(queue_signal(file, queue.handle, pair.on_second.handle, 5), 0);
	assert_int_equal(pair.second->calls[FAKE_SUBMIT], 0);
	fake_signal(pair.first, fake_last_fence(pair.first), 4);
	assert_int_equal(pair.second->calls[FAKE_SUBMIT], 1);
	assert_int_equal(pair.first->notified_fences, 0);
	fake_complete(pair.second, fake_last_queue(pair.second));
	assert_int_equal(current(&pair), 5);
	assert_int_equal(pair.first->notified_fences, 1);
	pair_end(&pair);
}

/* --- three devices ---------------------------------------------------------------------------- */

static void one_waits_for_two_others(void **state)
{
	struct machine *machine = machine_new(3, NATIVE);
	struct drm_ringfence_fence_create from[2];
	struct drm_ringfence_fence_value values[2];
	struct rf_file *file = machine->files[2];
	u32 event = make_event(file), i;

	(void)state;
	for (i = 0; i < 2; i++) {
		from[i] = machine_fence(machine, i, DRM_RINGFENCE_FENCE_DEFAULT, 0);
		values[i] = (struct drm_ringfence_fence_value){
			.handle = machine_open(machine, 2, from[i].share_token, 0).handle,
			.value = 5,
		};
	}
	assert_int_equal(wait_fences(file, values, 2, 0, 0, event), 0);
	fake_signal(&machine->fakes[1], fake_last_fence(&machine->fakes[1]), 5);
	assert_int_equal(look(file, event), -ETIMEDOUT);
	fake_signal(&machine->fakes[0], fake_last_fence(&machine->fakes[0]), 5);
	assert_int_equal(look(file, event), 0);
	assert_int_equal(machine->fakes[2].notified_fences, 2);
	machine_destroy(machine);
}

static void count_wake(void *argument, int result)
{
	assert_int_equal(result, 0);
	++*(u32 *)argument;
}

/* The bound of a hold does not depend on how many adapters have the fence. */
static void many_waits_end_in_short_holds(void **state)
{
	struct machine *machine = machine_new(3, NATIVE);
	struct drm_ringfence_fence_create made =
		machine_fence(machine, 0, DRM_RINGFENCE_FENCE_DEFAULT, 0);
	u32 woken = 0, longest, i;

	(void)state;
	machine_open(machine, 1, made.share_token, 0);
	machine_open(machine, 2, made.share_token, 0);
	for (i = 0; i < 4 * KMD_HOLD_UNITS; i++)
		assert_int_equal(kmd_fence_notify(machine->files[0]->file, made.handle, 1 + i,
						  false, count_wake, &woken),
				 0);
	rf_hosted_longest_hold();
	fake_signal(&machine->fakes[1], fake_last_fence(&machine->fakes[1]), 4 * KMD_HOLD_UNITS);
	longest = rf_hosted_longest_hold();
	assert_int_equal(woken, 4 * KMD_HOLD_UNITS);
	printf("# at most %u rounds in one hold\n", longest);
	assert_in_range(longest, KMD_HOLD_UNITS / 2, KMD_HOLD_ROUNDS);
	machine_destroy(machine);
}

/* Each passes the value on, by a kernel-mode queue that waits for it and signals the next one. */
static void a_ring_of_three(void **state)
{
	struct machine *machine = machine_new(3, 4);
	struct drm_ringfence_fence_create made;
	u32 handles[3][3], queue, i, k;

	(void)state;
	for (i = 0; i < 3; i++) {
		made = machine_fence(
			machine, i,
			i == 2 ? DRM_RINGFENCE_FENCE_MONITORED : DRM_RINGFENCE_FENCE_DEFAULT, 0);
		for (k = 0; k < 3; k++)
			handles[i][k] = machine_open(machine, k, made.share_token, 0).handle;
	}
	for (i = 0; i < 3; i++) {
		struct rf_file *file = machine->files[i];

		queue = make_kernel_queue(file, 0).handle;
		for (k = 1; k <= 2; k++) {
			assert_int_equal(queue_wait(file, queue, handles[i][i], k), 0);
			assert_int_equal(queue_signal(file, queue, handles[(i + 1) % 3][i],
						      i == 2 ? k + 1 : k),
					 0);
		}
	}
	assert_int_equal(signal_fence(machine->files[1], handles[0][1], 1), 0);
	/* twice round */
	for (i = 0; i < 3; i++)
		assert_int_equal(wait_fence(machine->files[i], handles[0][i], 3, 0), 0);
	machine_destroy(machine);
}

/* --- life of both sides ------------------------------------------------------------------------- */

static void the_maker_leaves(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct drm_ringfence_fence_open again;
	u32 event = wait_event(pair.machine->files[1], pair.on_second.handle, 2);

	(void)state;
	rf_hosted_close(pair.machine->files[0]);
	rf_hosted_remove_device(pair.machine->devices[0]);
	pair.machine->files[0] = NULL;
	pair.machine->devices[0] = NULL;
	assert_int_equal(look(pair.machine->files[1], event), -ETIMEDOUT);
	again = machine_open(pair.machine, 1, pair.on_first.share_token, 0);
	fake_signal(pair.second, fake_last_fence(pair.second), 2);
	assert_int_equal(look(pair.machine->files[1], event), 0);
	assert_int_equal(machine_value(pair.machine, 1, &again.mapping), 2);
	pair_end(&pair);
}

/* What a hold cannot do, because it has accessed another device, follows in the next one. */
static void a_hold_is_for_one_device(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct kmd_sync_domain *domain = pair.machine->hosted->domain;
	unsigned long flags = kmd_wait_lock(domain);
	struct kmd_local_fence *local = kmd_table_find(&pair.machine->files[0]->file->table,
						       KMD_FENCE, pair.on_first.handle);

	(void)state;
	kmd_hold_access(domain, pair.machine->devices[0]->adapter);
	kmd_fence_propagate(local->fence, local->opening);
	kmd_wait_unlock(domain, flags);
	assert_int_equal(pair.second->notified_fences, 0);
	hosted_go_on(&pair.machine->hosted->os);
	assert_int_equal(pair.second->notified_fences, 1);
	pair_end(&pair);
}

/* Its interrupt comes when the signaller has closed its handle, or never. */
static void a_last_signal(void **state)
{
	struct pair pair = pair_new(NATIVE);
	u32 event = wait_event(pair.machine->files[1], pair.on_second.handle, 7);

	(void)state;
	pair.first->report = FAKE_REPORT_NOTHING;
	fake_signal(pair.first, fake_last_fence(pair.first), 7);
	assert_int_equal(pair.second->notified_fences, 0);
	destroy_fence(pair.machine->files[0], pair.on_first.handle);
	assert_int_equal(pair.second->notified_fences, 1);
	assert_int_equal(look(pair.machine->files[1], event), 0);
	pair_end(&pair);
}

/* The same of a device that is lost. */
static void a_last_signal_of_a_lost_device(void **state)
{
	struct pair pair = pair_new(NATIVE);
	u32 event = wait_event(pair.machine->files[1], pair.on_second.handle, 7);

	(void)state;
	pair.first->report = FAKE_REPORT_NOTHING;
	fake_signal(pair.first, fake_last_fence(pair.first), 7);
	kmd_adapter_notify_removal(pair.machine->devices[0]->adapter);
	assert_int_equal(pair.second->notified_fences, 1);
	assert_int_equal(look(pair.machine->files[1], event), 0);
	pair_end(&pair);
}

/* Only one of them could signal; the other has handles that may not, or one that may. */
static void a_lost_device(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct machine *machine = pair.machine;
	struct rf_file *file = machine->files[1];
	struct drm_ringfence_fence_create alone =
		machine_fence(machine, 0, DRM_RINGFENCE_FENCE_DEFAULT, 0);
	u32 handle =
		machine_open(machine, 1, alone.share_token, DRM_RINGFENCE_FENCE_NO_SIGNAL).handle;
	u32 shared = wait_event(file, pair.on_second.handle, 1);
	u32 only = wait_event(file, handle, 1);
	u32 of_lost = wait_event(machine->files[0], pair.on_first.handle, 1);

	(void)state;
	kmd_adapter_notify_removal(machine->devices[0]->adapter);
	assert_int_equal(look(file, only), -ENODEV);
	assert_int_equal(look(machine->files[0], of_lost), -ENODEV);
	assert_int_equal(look(file, shared), -ETIMEDOUT);
	assert_int_equal(wait_fence(file, handle, 1, 0), -ENODEV);
	/* the device that is left goes on */
	assert_int_equal(signal_fence(file, pair.on_second.handle, 1), 0);
	assert_int_equal(look(file, shared), 0);
	assert_int_equal(pair.first->notified_fences, 0);
	/* somebody who may signal it can still come */
	assert_int_equal(
		signal_fence(file, machine_open(machine, 1, alone.share_token, 0).handle, 1), 0);
	assert_int_equal(wait_fence(file, handle, 1, 0), 0);
	pair_end(&pair);
}

/* Processes of a device that is reset are lost, and with them what they could signal. */
static void a_device_is_reset(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct rf_file *file = pair.machine->files[1];
	struct kmd_adapter *adapter = pair.machine->devices[0]->adapter;
	u64 address = pair.on_second.mapping.current_value_gpu_address;
	u32 event = wait_event(file, pair.on_second.handle, 5);

	(void)state;
	make_kernel_queue(pair.machine->files[0], 0);
	kmd_adapter_want_reset(adapter);
	kmd_adapter_work(adapter);
	hosted_go_on(&pair.machine->hosted->os);
	hosted_work_for_all(pair.machine->hosted);
	assert_int_equal(pair.first->calls[FAKE_RESET_ADAPTER], 1);
	assert_int_not_equal(pair.second->notified_fences, 0);
	assert_int_equal(look(file, event), 0);
	assert_int_equal(current(&pair), U64_MAX);
	/* engines of the innocent adapter have another page */
	assert_int_equal(fake_gpu_write(pair.second, mapping_at(pair.second, address)->h_process,
					address, 3),
			 0);
	assert_int_equal(current(&pair), U64_MAX);
	pair_end(&pair);
}

/* As the shell of Linux opens a descriptor; meanwhile the sharer and its opening may go. */
static void a_share_on_another_adapter(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct rf_file **files = pair.machine->files;
	u32 flags = DRM_RINGFENCE_FENCE_NO_SIGNAL, plain_flags = 0, handle, type;
	struct drm_ringfence_fence_mapping mapping;
	struct kmd_opening *share, *plain_share;
	struct kmd_fence *fence, *plain;

	(void)state;
	assert_int_equal(signal_fence(files[0], pair.on_first.handle, 7), 0);
	assert_int_equal(kmd_fence_share(files[0]->file, pair.on_first.handle, &flags, &share), 0);
	assert_int_equal(kmd_fence_hold_share(files[1]->file, share, &fence), 0);
	kmd_fence_end_share(share);
	destroy_fence(files[0], pair.on_first.handle);
	destroy_fence(files[1], pair.on_second.handle);
	assert_int_equal(
		kmd_fence_open_held(files[1]->file, fence, flags, &handle, &type, &mapping), 0);
	kmd_fence_end_hold(fence);
	assert_int_equal(type, DRM_RINGFENCE_FENCE_DEFAULT);
	assert_int_equal(machine_value(pair.machine, 1, &mapping), 7);
	assert_int_equal(wait_fence(files[1], handle, 7, 0), 0);
	assert_int_equal(signal_fence(files[1], handle, 8), -EACCES);

	/* one that was made for its adapter only */
	handle = make_fence(files[0], DRM_RINGFENCE_FENCE_DEFAULT, DRM_RINGFENCE_FENCE_SHARED, 0)
			 .handle;
	assert_int_equal(kmd_fence_share(files[0]->file, handle, &plain_flags, &plain_share), 0);
	assert_int_equal(kmd_fence_hold_share(files[1]->file, plain_share, &plain), -EINVAL);
	assert_int_equal(kmd_fence_hold_share(files[0]->file, plain_share, &plain), 0);
	kmd_fence_end_share(plain_share);
	destroy_fence(files[0], handle);
	/* and that is gone from there */
	assert_int_equal(kmd_fence_open_held(files[0]->file, plain, 0, &handle, &type, &mapping),
			 -ENOENT);
	kmd_fence_end_hold(plain);
	pair_end(&pair);
}

/* A device in D3 is woken if it has queues, which may wait for the value. */
static void a_signal_wakes_a_sleeping_device(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct rf_hosted_device *sleeper = pair.machine->devices[1];
	u32 event = wait_event(pair.machine->files[1], pair.on_second.handle, 2);

	(void)state;
	assert_int_equal(rf_hosted_sleep(sleeper), 0);
	assert_int_equal(signal_fence(pair.machine->files[0], pair.on_first.handle, 1), 0);
	assert_true(pair.second->d3);
	assert_int_equal(signal_fence(pair.machine->files[0], pair.on_first.handle, 2), 0);
	assert_true(pair.second->d3);
	/* its CPU waiters do not need it */
	assert_int_equal(look(pair.machine->files[1], event), 0);
	make_kernel_queue(pair.machine->files[1], 0);
	assert_int_equal(rf_hosted_sleep(sleeper), 0);
	assert_int_equal(signal_fence(pair.machine->files[0], pair.on_first.handle, 3), 0);
	assert_false(pair.second->d3);
	/* by an engine: the work is done by the next thread that may sleep */
	assert_int_equal(rf_hosted_sleep(sleeper), 0);
	fake_signal(pair.first, fake_last_fence(pair.first), 4);
	make_event(pair.machine->files[0]);
	assert_false(pair.second->d3);
	pair_end(&pair);
}

/* What wanted to wake it is over when it sleeps the next time. */
static void a_wake_up_is_not_repeated(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct rf_hosted_device *sleeper = pair.machine->devices[1];

	(void)state;
	make_kernel_queue(pair.machine->files[1], 0);
	assert_int_equal(rf_hosted_sleep(sleeper), 0);
	fake_signal(pair.first, fake_last_fence(pair.first), 1);
	assert_true(pair.second->d3);
	assert_int_equal(rf_hosted_wake(sleeper), 0);
	assert_int_equal(rf_hosted_sleep(sleeper), 0);
	assert_true(pair.second->d3);
	pair_end(&pair);
}

struct falling_asleep {
	struct pair *pair;
	bool signalled;
};

/* Between two holds, once the doorbells of the second device are disconnected. */
static void signal_meanwhile(void *argument)
{
	struct falling_asleep *falling = argument;
	const struct machine *machine = falling->pair->machine;
	struct kmd_adapter *adapter = machine->devices[1]->adapter;

	if (falling->signalled || adapter->in_d3 || machine->hosted->domain->wait_lock.owner ||
	    adapter->device_lock.owner || !falling->pair->second->calls[FAKE_DISCONNECT_DOORBELL])
		return;
	falling->signalled = true;
	fake_signal(falling->pair->first, fake_last_fence(falling->pair->first), 1);
}

/* Its queues have left the device, and could not be notified. */
static void a_signal_while_it_falls_asleep(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct falling_asleep falling = { .pair = &pair };
	struct rig rig = make_rig(pair.machine->files[1], 0);
	struct drm_ringfence_doorbell_connect connect = { .handle = rig.doorbell.handle };

	(void)state;
	assert_int_equal(
		rf_hosted_request(pair.machine->files[1], DRM_RINGFENCE_DOORBELL_CONNECT, &connect),
		0);
	/* interrupts of all are held by the bus of the first */
	pair.first->bus.between_argument = &falling;
	pair.first->bus.between = signal_meanwhile;
	assert_int_equal(rf_hosted_sleep(pair.machine->devices[1]), 0);
	pair.first->bus.between = NULL;
	assert_true(falling.signalled);
	assert_int_equal(pair.second->notified_fences, 1);
	assert_int_equal(pair.second->calls[FAKE_D3], 1);
	assert_false(pair.second->d3);
	destroy_rig(pair.machine->files[1], &rig);
	pair_end(&pair);
}

/* A signal through a sleeping device reaches one that is awake. */
static void signals_of_a_sleeping_device(void **state)
{
	struct pair pair = pair_new(NATIVE);
	u32 event = wait_event(pair.machine->files[1], pair.on_second.handle, 2);

	(void)state;
	assert_int_equal(rf_hosted_sleep(pair.machine->devices[0]), 0);
	assert_int_equal(signal_fence(pair.machine->files[0], pair.on_first.handle, 2), 0);
	assert_int_equal(pair.second->notified_fences, 1);
	assert_int_equal(look(pair.machine->files[1], event), 0);
	pair_end(&pair);
}

/* The watchdog finds a signal whose interrupt was lost, for the others as well (C6). */
static void a_lost_interrupt(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct kmd_adapter *adapter = pair.machine->devices[0]->adapter;

	(void)state;
	pair.first->report = FAKE_REPORT_NOTHING;
	fake_signal(pair.first, fake_last_fence(pair.first), 3);
	kmd_adapter_watchdog(adapter);
	assert_int_equal(pair.second->notified_fences, 0);
	kmd_adapter_watchdog(adapter);
	hosted_go_on(&pair.machine->hosted->os);
	assert_int_equal(pair.second->notified_fences, 1);
	assert_int_equal(machine_statistics(pair.machine, 0).lost_interrupts, 1);
	kmd_adapter_watchdog(adapter);
	kmd_adapter_watchdog(adapter);
	hosted_go_on(&pair.machine->hosted->os);
	assert_int_equal(pair.second->notified_fences, 1);
	pair_end(&pair);
}

/* Every allocation of an open fails once: nothing is left, and the next one works. */
static void opens_that_fail(void **state)
{
	struct pair pair = pair_new(NATIVE);
	struct drm_ringfence_fence_open open = { .share_token = pair.on_first.share_token };

	(void)state;
	destroy_fence(pair.machine->files[1], pair.on_second.handle);
	pair.second->fail = FAKE_CREATE_FENCE;
	assert_int_not_equal(
		rf_hosted_request(pair.machine->files[1], DRM_RINGFENCE_FENCE_OPEN, &open), 0);
	pair.second->fail = FAKE_OPEN_FENCE;
	assert_int_not_equal(
		rf_hosted_request(pair.machine->files[1], DRM_RINGFENCE_FENCE_OPEN, &open), 0);
	pair.second->fail = FAKE_CALLS;
	pair.second->bus.no_memory = true;
	assert_int_not_equal(
		rf_hosted_request(pair.machine->files[1], DRM_RINGFENCE_FENCE_OPEN, &open), 0);
	pair.second->bus.no_memory = false;
	pair.on_second = machine_open(pair.machine, 1, pair.on_first.share_token, 0);
	fake_signal(pair.first, fake_last_fence(pair.first), 1);
	assert_int_equal(pair.second->notified_fences, 1);
	pair_end(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("S0-74,S0-76,S0-77.one-page-and-a-monitored-value-each",
		     one_page_and_two_monitored_values),
		TEST("S0-78.monitored-value-is-0-whoever-waits", monitored_value_is_0_for_life),
		TEST("S0-75.other-types-than-default-are-refused", default_type_only),
		TEST("S0-74.a-fence-of-one-adapter-is-not-found-on-another",
		     others_stay_on_their_adapter),
		TEST("S0-84.a-native-fence-is-monitored-where-there-are-none",
		     native_opens_as_monitored),
		TEST("S0-85.a-monitored-fence-is-native-where-there-are-some",
		     monitored_opens_as_native),
		TEST("S0-79..S0-81.each-signal-interrupts-and-the-others-are-notified",
		     every_signal_is_propagated),
		TEST("C10.a-signal-of-0-does-not-interrupt", a_signal_of_0_is_silent),
		TEST("S0-82,S0-89.a-cpu-waiter-of-the-other-adapter-after-its-device",
		     gpu_signal_cpu_wait),
		TEST("S0-88,S0-90.a-signal-by-the-cpu-is-stored-once", cpu_signal),
		TEST("S0-80.an-interrupt-without-names-propagates-what-has-changed", null_array),
		TEST("S0-91..S0-94.waits-of-an-adapter-without-native-fences", monitored_waits),
		TEST("S0-95..S0-98.signals-of-an-adapter-without-native-fences", monitored_signals),
		TEST("S0-99.kernel-mode-queues-of-a-native-adapter",
		     kernel_queues_of_a_native_adapter),
		TEST("S0-82.a-wait-for-fences-of-two-other-adapters", one_waits_for_two_others),
		TEST("S0-74.a-ring-of-three-adapters", a_ring_of_three),
		TEST("many-waits-end-in-short-holds", many_waits_end_in_short_holds),
		TEST("the-adapter-that-made-it-is-removed", the_maker_leaves),
		TEST("a-hold-is-for-one-device", a_hold_is_for_one_device),
		TEST("a-last-signal-before-the-handle-is-closed", a_last_signal),
		TEST("a-last-signal-before-the-device-is-lost", a_last_signal_of_a_lost_device),
		TEST("a-lost-device-fails-what-only-it-could-signal", a_lost_device),
		TEST("A-10,A-11.a-device-is-reset", a_device_is_reset),
		TEST("S0-56.a-share-is-opened-on-another-adapter", a_share_on_another_adapter),
		TEST("a-signal-wakes-a-device-in-d3-that-has-queues",
		     a_signal_wakes_a_sleeping_device),
		TEST("a-wake-up-is-not-repeated", a_wake_up_is_not_repeated),
		TEST("a-signal-while-a-device-falls-asleep", a_signal_while_it_falls_asleep),
		TEST("a-signal-through-a-device-in-d3", signals_of_a_sleeping_device),
		TEST("C6.a-lost-interrupt-is-found-for-all-adapters", a_lost_interrupt),
		TEST("opens-that-fail-leave-nothing", opens_that_fail),
	};

	return cmocka_run_group_tests_name("two_adapters", tests, NULL, NULL);
}
