// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Native fences. The device knows no fence objects: it compares words at
 * addresses. This file keeps the way back, from the CurrentValue address in an
 * interrupt record to the core's fence, and carries out the two value updates.
 */
#include "rf_miniport.h"

static_assert(RF_UPDATE_FENCES_MAX <= RF_UPDATE_DEPTH, "none is dropped");

static struct rf_list *rf_fence_bucket(struct rf_miniport *miniport,
				       const struct rf_address_space *space, u64 address)
{
	u64 hash = (address >> 3) ^ (address >> 12) ^ ((uintptr_t)space >> 6);

	return &miniport->fences[hash % RF_FENCE_BUCKETS];
}

static void rf_fence_name_insert(struct rf_miniport *miniport, struct rf_fence_name *name)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	rf_list_insert(&name->bucket, rf_fence_bucket(miniport, name->space, name->address));
	rf_spin_unlock(&miniport->lock, flags);
}

static void rf_fence_name_remove(struct rf_miniport *miniport, struct rf_fence_name *name)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	rf_list_remove(&name->bucket);
	rf_spin_unlock(&miniport->lock, flags);
}

int rf_create_native_fence(void *h_adapter, struct rf_create_native_fence *arguments)
{
	struct rf_global_fence *fence = rf_alloc(sizeof(*fence));
	struct rf_miniport *miniport = h_adapter;

	if (!fence)
		return -ENOMEM;
	fence->name.space = &miniport->system;
	fence->name.h_core = arguments->h_global_native_fence;
	fence->name.address = arguments->current_value_system_process_gpu_va;
	fence->monitored_address = arguments->monitored_value_system_process_gpu_va;
	rf_fence_name_insert(h_adapter, &fence->name);
	arguments->h_global_native_fence = fence;
	return 0;
}

int rf_open_native_fence(void *h_adapter, struct rf_open_native_fence *arguments)
{
	const struct rf_global_fence *global = arguments->h_global_native_fence;
	const struct rf_address_space *space = arguments->h_process;
	struct rf_local_fence *local = rf_alloc(sizeof(*local));

	if (!local)
		return -ENOMEM;
	local->name.h_core = global->name.h_core;
	local->name.space = space;
	local->name.address = arguments->current_value_gpu_va;
	rf_fence_name_insert(h_adapter, &local->name);
	arguments->h_local_native_fence = local;
	return 0;
}

int rf_close_native_fence(void *h_adapter, const struct rf_close_native_fence *arguments)
{
	struct rf_local_fence *local = arguments->h_local_native_fence;

	rf_fence_name_remove(h_adapter, &local->name);
	rf_free(local);
	return 0;
}

/* A process may only name fences that it has open, at the addresses it has them. */
void *rf_fence_find(struct rf_miniport *miniport, const struct rf_address_space *space,
		    u64 current_address)
{
	struct rf_fence_name *name;

	rf_list_for_each(name, rf_fence_bucket(miniport, space, current_address), bucket)
		if (name->space == space && name->address == current_address)
			return name->h_core;
	return NULL;
}

/* --- MonitoredValue ----------------------------------------------------------------- */

/*
 * Values in local memory go through the update port: the device stores the
 * value, reads CurrentValue, and interrupts if that is greater (S0-33, S0-34).
 * When UPDATE_DONE covers a posted update, no CurrentValue of a signal that used
 * the older MonitoredValue can become visible any more (S0-39).
 *
 * A value in system memory has no shadow: the device writes CurrentValue and then
 * reads MonitoredValue, the CPU writes MonitoredValue and, behind a full barrier,
 * reads CurrentValue (the core's resample, S0-40). Each writes before it reads
 * the other's word, so at least one sees the other.
 */
static int rf_updates_finish(struct rf_miniport *miniport)
{
	int error;

	if (!miniport->updating)
		miniport->updates = (struct rf_pending){
			.offset = RF_REGISTER(miniport, FENCE, UPDATE_DONE),
			.mask = RF_FENCE_UPDATE_DONE_DONE_MASK,
			.value = RF_FIELD(RF_FENCE_UPDATE_DONE_DONE, miniport->updates_posted),
		};
	error = rf_pending_look(miniport, &miniport->updates);
	miniport->updating = error == -EINPROGRESS;
	return error;
}

static void rf_update_post(struct rf_miniport *miniport, const struct rf_global_fence *fence,
			   u64 value)
{
	rf_register_write(miniport, RF_REGISTER(miniport, FENCE, UPDATE_CURRENT),
			  fence->name.address);
	rf_register_write(miniport, RF_REGISTER(miniport, FENCE, UPDATE_MONITORED),
			  fence->monitored_address);
	rf_register_write(miniport, RF_REGISTER(miniport, FENCE, UPDATE_VALUE), value);
	miniport->updates_posted++;
}

int rf_update_monitored_values(void *h_adapter, const struct rf_update_monitored_values *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	bool posted = false;
	int error;
	u32 i;

	if (miniport->updating) {
		error = rf_updates_finish(miniport);
		if (error)
			return error == -EINPROGRESS ? -EBUSY : error;
	}
	for (i = 0; i < arguments->num_fences; i++) {
		struct rf_value_address monitored = arguments->monitored_value_kernel_cpu_va[i];

		/* without an update port it may be local because the bus has no DMA */
		if (!miniport->monitored_shadow || monitored.mem->kind != RF_MEM_LOCAL) {
			rf_value_write(monitored, arguments->updated_value_array[i]);
			continue;
		}
		rf_update_post(miniport, arguments->native_fence_array[i],
			       arguments->updated_value_array[i]);
		posted = true;
	}
	rf_mb();
	return posted ? rf_updates_finish(miniport) : 0;
}

struct rf_updates_end {
	struct rf_miniport *miniport;
	bool done;
};

static void rf_updates_look(void *argument)
{
	struct rf_updates_end *end = argument;
	int error = end->miniport->updating ? rf_updates_finish(end->miniport) : 0;

	if (error == -EIO)
		rf_device_set_lost(end->miniport, "it was away during an update");
	end->done = error != -EINPROGRESS;
}

/* The device has stored what was posted. PASSIVE; it sleeps. */
static void rf_updates_await(struct rf_miniport *miniport)
{
	struct rf_updates_end end = { .miniport = miniport };

	miniport->callbacks->synchronize_execution(miniport->h_core, rf_updates_look, &end);
	while (!end.done) {
		rf_sleep(miniport->bus->os, RF_LOOK_PERIOD);
		miniport->callbacks->synchronize_execution(miniport->h_core, rf_updates_look, &end);
	}
}

int rf_destroy_native_fence(void *h_adapter, const struct rf_destroy_native_fence *arguments)
{
	struct rf_global_fence *fence = arguments->h_global_native_fence;

	/* its MonitoredValue may be another's next */
	rf_updates_await(h_adapter);
	rf_fence_name_remove(h_adapter, &fence->name);
	rf_free(fence);
	return 0;
}

/* --- CurrentValue from the CPU ------------------------------------------------------- */

int rf_update_current_values_from_cpu(void *h_adapter,
				      const struct rf_update_current_values_from_cpu *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	u32 i;

	rf_mb();
	if (!(arguments->flags & RF_UPDATE_NOTIFICATION_ONLY)) {
		for (i = 0; i < arguments->num_fences; i++)
			rf_value_write(arguments->current_value_kernel_cpu_va[i],
				       arguments->updated_value_array[i]);
		rf_wmb();
	}
	/* Waiting queues look again, behind the stores (S0-81). */
	rf_register_write(miniport, RF_REGISTER(miniport, FENCE, NOTIFY), 1);
	return 0;
}
