// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Native fences. The device has no fence objects: it compares words at addresses. This file
 * finds the core's fence by the CurrentValue address in an interrupt record, and carries out the
 * two value updates.
 */
#include "rf_fence.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_poll.h"
#include "rf_space.h"
#include "rf_types.h"
#include "ringfence_hw.h"

static_assert(RF_UPDATE_FENCES_MAX <= RF_UPDATE_DEPTH, "none is dropped");

void rf_fences_init(struct rf_fences *fences)
{
	u32 i;

	for (i = 0; i < RF_FENCE_BUCKETS; i++)
		rf_list_init(&fences->bucket[i]);
}

void rf_fences_restart(struct rf_hw *hw)
{
	hw->fences->updating = false;
	hw->fences->updates_posted = (u32)rf_register_read(hw, RF_REGISTER(hw, FENCE, UPDATE_DONE));
}

/* --- the table ------------------------------------------------------------------------- */

static struct rf_list *rf_fence_bucket(struct rf_hw *hw, const struct rf_address_space *space,
				       u64 address)
{
	u64 hash = (address >> 3) ^ (address >> 12) ^ ((uintptr_t)space >> 6);

	rf_assert_held(&hw->lock);
	return &hw->fences->bucket[hash % RF_FENCE_BUCKETS];
}

static void rf_fence_name_insert(struct rf_hw *hw, struct rf_fence_name *name)
{
	unsigned long flags = rf_spin_lock(&hw->lock);

	rf_list_insert(&name->bucket, rf_fence_bucket(hw, name->space, name->address));
	rf_spin_unlock(&hw->lock, flags);
}

static void rf_fence_name_remove(struct rf_hw *hw, struct rf_fence_name *name)
{
	unsigned long flags = rf_spin_lock(&hw->lock);

	rf_list_remove(&name->bucket);
	rf_spin_unlock(&hw->lock, flags);
}

int rf_create_native_fence(void *h_adapter, struct rf_create_native_fence *arguments)
{
	struct rf_global_fence *fence = rf_alloc(sizeof(*fence));
	struct rf_hw *hw = h_adapter;

	if (!fence)
		return -ENOMEM;
	fence->name.space = rf_process_space(hw, NULL);
	fence->name.h_core = arguments->h_global_native_fence;
	fence->name.address = arguments->current_value_system_process_gpu_va;
	fence->monitored_address = arguments->monitored_value_system_process_gpu_va;
	rf_fence_name_insert(hw, &fence->name);
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
void *rf_fence_find(struct rf_hw *hw, const struct rf_address_space *space, u64 current_address)
{
	struct rf_fence_name *name;

	rf_list_for_each(name, rf_fence_bucket(hw, space, current_address), bucket)
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
static int rf_updates_poll(struct rf_hw *hw)
{
	struct rf_fences *fences = hw->fences;
	int error;

	if (!fences->updating)
		fences->updates = (struct rf_pending){
			.offset = RF_REGISTER(hw, FENCE, UPDATE_DONE),
			.mask = RF_FENCE_UPDATE_DONE_DONE_MASK,
			.value = RF_FIELD(RF_FENCE_UPDATE_DONE_DONE, fences->updates_posted),
		};
	error = rf_pending_poll(hw, &fences->updates);
	fences->updating = error == -EINPROGRESS;
	return error;
}

static void rf_update_post(struct rf_hw *hw, const struct rf_global_fence *fence, u64 value)
{
	rf_register_write(hw, RF_REGISTER(hw, FENCE, UPDATE_CURRENT), fence->name.address);
	rf_register_write(hw, RF_REGISTER(hw, FENCE, UPDATE_MONITORED), fence->monitored_address);
	rf_register_write(hw, RF_REGISTER(hw, FENCE, UPDATE_VALUE), value);
	hw->fences->updates_posted++;
}

int rf_update_monitored_values(void *h_adapter, const struct rf_update_monitored_values *arguments)
{
	struct rf_hw *hw = h_adapter;
	bool posted = false;
	int error;
	u32 i;

	if (hw->fences->updating) {
		error = rf_updates_poll(hw);
		if (error)
			return error == -EINPROGRESS ? -EBUSY : error;
	}
	for (i = 0; i < arguments->num_fences; i++) {
		struct rf_value_address monitored = arguments->monitored_value_kernel_cpu_va[i];

		/* without an update port it may be local because the bus has no DMA */
		if (!hw->monitored_shadow || monitored.mem->kind != RF_MEM_LOCAL) {
			rf_value_write(monitored, arguments->updated_value_array[i]);
			continue;
		}
		rf_update_post(hw, arguments->native_fence_array[i],
			       arguments->updated_value_array[i]);
		posted = true;
	}
	rf_mb();
	return posted ? rf_updates_poll(hw) : 0;
}

struct rf_updates_call {
	struct rf_hw *hw;
	int error;
};

static void rf_updates_poll_synchronized(void *argument)
{
	struct rf_updates_call *call = argument;

	call->error = call->hw->fences->updating ? rf_updates_poll(call->hw) : 0;
	if (call->error == -EIO)
		rf_hw_set_lost(call->hw, "it was away during an update");
}

static int rf_updates_poll_done(struct rf_hw *hw, void *argument)
{
	struct rf_updates_call call = { .hw = hw };

	(void)argument;
	rf_synchronize(hw, rf_updates_poll_synchronized, &call);
	return call.error;
}

int rf_destroy_native_fence(void *h_adapter, const struct rf_destroy_native_fence *arguments)
{
	struct rf_global_fence *fence = arguments->h_global_native_fence;

	/* the place of its MonitoredValue may be given to another fence */
	rf_poll(h_adapter, rf_updates_poll_done, NULL);
	rf_fence_name_remove(h_adapter, &fence->name);
	rf_free(fence);
	return 0;
}

/* --- CurrentValue from the CPU ------------------------------------------------------- */

void rf_fence_notify_waiting(struct rf_hw *hw)
{
	rf_register_write(hw, RF_REGISTER(hw, FENCE, NOTIFY), 1);
}

int rf_update_current_values_from_cpu(void *h_adapter,
				      const struct rf_update_current_values_from_cpu *arguments)
{
	u32 i;

	rf_mb();
	if (!(arguments->flags & RF_UPDATE_NOTIFICATION_ONLY)) {
		for (i = 0; i < arguments->num_fences; i++)
			rf_value_write(arguments->current_value_kernel_cpu_va[i],
				       arguments->updated_value_array[i]);
		rf_wmb();
	}
	/* behind the stores (S0-81) */
	rf_fence_notify_waiting(h_adapter);
	return 0;
}
