// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Signals from the CPU: by a request (S1-7, S1-25..S1-27), by a packet of a kernel-mode
 * queue or by a packet that asks the host (S1-16).
 *
 * A native fence is stored to by the miniport, which also makes the device look at its
 * waiting queues (C21). A monitored fence is a word in memory: no engine waits for it,
 * the kernel does so for them (S1-22), and so a store is all it takes.
 *
 * In D3 a native fence is no more than a word in memory either: no queue is in the device
 * that could wait for it.
 *
 * A fence that is always signalled has its greatest value at once, and engines
 * are kept from it as soon as that can be: those of others who share it, and who have done
 * nothing wrong, find another page where its value was. What they signal there is seen by
 * their waits, interrupts, and is undone; CPUs never see it.
 *
 * Locking: wait_lock.
 */
#include "core.h"

int kmd_instance_check_signal(const struct kmd_instance *instance)
{
	if (instance->fence->type == RF_NATIVE_FENCE_TYPE_INTRA_GPU)
		return -EOPNOTSUPP;
	/* a progress fence is its queue's */
	if (instance->queue || (instance->flags & DRM_RINGFENCE_FENCE_NO_SIGNAL))
		return -EACCES;
	return 0;
}

static void kmd_signal_in_d3(const struct rf_update_current_values_from_cpu *update)
{
	u32 i;

	rf_mb();
	for (i = 0; i < update->num_fences; i++)
		rf_value_write(update->current_value_kernel_cpu_va[i],
			       update->updated_value_array[i]);
}

static int kmd_signal_native(struct kmd_adapter *adapter, const struct kmd_signal *signals, u32 count)
{
	struct rf_value_address addresses[DRM_RINGFENCE_OBJECTS_MAX];
	void *handles[DRM_RINGFENCE_OBJECTS_MAX];
	u64 values[DRM_RINGFENCE_OBJECTS_MAX];
	struct rf_update_current_values_from_cpu update = {
		.native_fence_array = handles,
		.updated_value_array = values,
		.current_value_kernel_cpu_va = addresses,
	};
	u32 i;

	for (i = 0; i < count; i++) {
		if (!signals[i].fence->is_native || signals[i].fence->always_signaled)
			continue;
		handles[update.num_fences] = signals[i].fence->native.h_global;
		values[update.num_fences] = signals[i].value;
		addresses[update.num_fences] = kmd_value_address(&signals[i].fence->current_value);
		update.num_fences++;
	}
	if (!update.num_fences)
		return 0;
	if (adapter->asleep) {
		kmd_signal_in_d3(&update);
		return 0;
	}
	return adapter->ddi->update_current_values_from_cpu(adapter->h_adapter, &update);
}

static void kmd_signal_monitored(const struct kmd_signal *signals, u32 count)
{
	u32 i;

	rf_mb(); /* what was done before is seen by whoever sees the value */
	for (i = 0; i < count; i++)
		if (!signals[i].fence->is_native && !signals[i].fence->always_signaled)
			kmd_monitored_fence_write(signals[i].fence, signals[i].value);
}

void kmd_fence_signal_always(struct kmd_fence *fence)
{
	bool first = !fence->always_signaled;

	fence->always_signaled = true;
	kmd_fence_follow(fence);
	kmd_fence_store_always(fence);
	if (!first)
		return;
	fence->native.adapter->work = true; /* engines are to be kept off */
	kmd_fence_evaluate(fence);
}

static void kmd_fence_detach(struct kmd_adapter *adapter, struct kmd_fence *fence)
{
	struct kmd_domain *domain = adapter->domain;
	unsigned long flags;

	/* who else could signal it has been lost with its process */
	if (!fence->always_signaled || !fence->share_token || fence->current_value.page->engines)
		return;
	kmd_value_detach(adapter, &fence->current_value, fence->is_narrow ? U32_MAX : U64_MAX);
	/* a signal that came before is the last one that was stored */
	flags = kmd_wait_lock(domain);
	kmd_fence_evaluate(fence);
	kmd_wait_unlock(domain, flags);
}

void kmd_fences_detach(struct kmd_adapter *adapter)
{
	struct kmd_native_fence *native;

	rf_list_for_each(native, &adapter->fences, link)
		kmd_fence_detach(adapter, native->fence);
	rf_list_for_each(native, &adapter->monitored_fences, link)
		kmd_fence_detach(adapter, native->fence);
}

unsigned long kmd_fences_give_up(struct kmd_file *file, unsigned long flags)
{
	struct kmd_instance *instance;

	rf_list_for_each(instance, &file->instances, link) {
		if (!instance->queue && !(instance->flags & DRM_RINGFENCE_FENCE_NO_SIGNAL) &&
		    !instance->fence->keeps_value)
			kmd_fence_signal_always(instance->fence);
		flags = kmd_hold_step(file->adapter->domain, flags);
	}
	return flags;
}

int kmd_fences_signal(struct kmd_adapter *adapter, const struct kmd_signal *signals, u32 count)
{
	int ret = kmd_signal_native(adapter, signals, count);
	u32 i;

	if (ret) {
		kmd_adapter_set_fatal(adapter, "update_current_values_from_cpu failed");
		ret = -ENODEV;
	}
	kmd_signal_monitored(signals, count);
	for (i = 0; i < count; i++)
		kmd_fence_evaluate(signals[i].fence);
	return ret;
}

int kmd_request_fence_signal(struct kmd_file *file, struct kmd_call *call)
{
	const struct drm_ringfence_fence_signal *request = call->arguments;
	const struct drm_ringfence_fence_value *values = call->values;
	struct kmd_signal signals[DRM_RINGFENCE_OBJECTS_MAX];
	struct kmd_adapter *adapter = file->adapter;
	unsigned long flags;
	bool asleep;
	u32 i;
	int ret = 0;

	if (request->flags || request->pad)
		return -EINVAL;
	flags = kmd_wait_lock(adapter->domain);
	for (i = 0; i < request->fences.count && !ret; i++) {
		struct kmd_instance *instance =
			kmd_table_find(&file->table, KMD_FENCE, values[i].handle);

		ret = instance ? kmd_instance_check_signal(instance) : -ENOENT;
		if (!ret)
			ret = kmd_fence_check_signal(instance->fence, values[i].value);
		if (!ret)
			signals[i] = (struct kmd_signal){ instance->fence, values[i].value };
	}
	if (!ret)
		ret = kmd_fences_signal(adapter, signals, request->fences.count);
	asleep = !ret && adapter->asleep;
	kmd_wait_unlock(adapter->domain, flags);
	if (asleep)
		ret = kmd_adapter_wake(adapter);
	return ret;
}
