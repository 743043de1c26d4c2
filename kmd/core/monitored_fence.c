// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Monitored fences, as far as they differ from native ones: how the kernel notices that
 * an engine has signalled (S1-18).
 *
 * An engine with advanced support interrupts behind each signal, and the miniport says
 * so (MONITORED_FENCE_SIGNALED, or the flag of a native interrupt, S0-70): all monitored
 * fences are looked at. One with basic support only stores the value: the fences of a
 * process are looked at whenever a command buffer of its kernel-mode queues is complete
 * (S1-19). Fences that nobody waits for cost a test of a pointer.
 *
 * Locking: wait_lock.
 */
#include "core.h"

void kmd_monitored_fences_evaluate(struct kmd_adapter *adapter)
{
	struct kmd_native_fence *native;

	rf_list_for_each(native, &adapter->monitored_fences, link)
		kmd_fence_evaluate(native->fence);
}

void kmd_monitored_fences_evaluate_of(struct kmd_file *file)
{
	struct kmd_instance *instance;

	rf_list_for_each(instance, &file->instances, link)
		if (!instance->fence->is_native)
			kmd_fence_evaluate(instance->fence);
}
