// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Adapters: start and stop, the feature interface, the rules for caps, and what
 * happens when a driver breaks the contract.
 *
 * Locking: start and stop are PASSIVE with nobody else about. kmd_adapter.fatal
 * is set once, at any level, and read without a lock. Every wait there is ends after
 * that, under wait_lock; whoever begins one looks at fatal under wait_lock before: so no
 * wait is begun that nobody ends.
 */
#include "core.h"

#define NATIVE_FENCE_VERSION 1
#define USER_MODE_SUBMISSION_VERSION 1

/* What is done with the first of each list of pending work. */
static const kmd_pending_step pending_steps[KMD_PENDING_KINDS] = {
	[KMD_PENDING_READY] = kmd_step_ready,	  [KMD_PENDING_UNARMED] = kmd_step_unarmed,
	[KMD_PENDING_COVERED] = kmd_step_covered, [KMD_PENDING_UNSCHEDULED] = kmd_step_unscheduled,
	[KMD_PENDING_WALKING] = kmd_step_walking,
};

int kmd_domain_create(struct rf_os *os, struct kmd_domain **result)
{
	struct kmd_domain *domain = rf_alloc(sizeof(*domain));

	if (!domain)
		return -ENOMEM;
	kmd_domain_init(domain, os, pending_steps);
	*result = domain;
	return 0;
}

void kmd_domain_destroy(struct kmd_domain *domain)
{
	rf_spin_destroy(&domain->wait_lock);
	rf_free(domain);
}

/* --- feature interface (S0-45..S0-48) ------------------------------------------- */

static int kmd_is_feature_enabled(void *h_core, enum rf_feature_id feature,
			      struct rf_feature_result *result)
{
	struct kmd_adapter *adapter = h_core;

	result->enabled = false;
	result->version = 0;
	switch (feature) {
	case RF_FEATURE_NATIVE_FENCE:
		adapter->asked_native_fence = true;
		result->enabled = adapter->features.native_fence;
		result->version = result->enabled ? NATIVE_FENCE_VERSION : 0;
		return 0;
	case RF_FEATURE_USER_MODE_SUBMISSION:
		result->enabled = adapter->features.user_mode_submission;
		result->version = result->enabled ? USER_MODE_SUBMISSION_VERSION : 0;
		return 0;
	case RF_FEATURE_HWSCH:
	case RF_FEATURE_HWFLIPQUEUE:
		return 0;
	}
	return -EINVAL;
}

static int kmd_get_os_caps(void *h_core, struct rf_feature_native_fence_caps_1 *caps)
{
	const struct kmd_adapter *adapter = h_core;

	caps->support_optimized_default_fence_type = adapter->features.optimized_default_fence;
	caps->support_intra_gpu_fence_type = adapter->features.intra_gpu_fence;
	return 0;
}

static int kmd_query_feature_interface(void *h_core, enum rf_feature_id feature, u16 version,
				   void *table, size_t bytes)
{
	static const struct rf_feature_native_fence_1 native_fence = { .get_os_caps = kmd_get_os_caps };
	const struct kmd_adapter *adapter = h_core;

	if (feature != RF_FEATURE_NATIVE_FENCE || !adapter->features.native_fence ||
	    version != NATIVE_FENCE_VERSION || bytes != sizeof(native_fence))
		return -EINVAL;
	memcpy(table, &native_fence, sizeof(native_fence));
	return 0;
}

const struct rf_dxgk_callbacks kmd_callbacks = {
	.is_feature_enabled = kmd_is_feature_enabled,
	.query_feature_interface = kmd_query_feature_interface,
	.notify_interrupt = kmd_notify_interrupt,
	.queue_dpc = kmd_queue_dpc,
	.synchronize_execution = kmd_synchronize_execution,
	.invalidate_hw_context = kmd_invalidate_hw_context,
	.disconnect_doorbell = kmd_disconnect_doorbell,
	.create_context_allocation = kmd_create_context_allocation,
	.destroy_context_allocation = kmd_destroy_context_allocation,
};

/* --- caps --------------------------------------------------------------------------- */

static int kmd_caps_query(struct kmd_adapter *adapter, enum rf_query_type type, void *output, size_t size)
{
	const struct rf_query_adapter_info arguments = {
		.type = type,
		.output = output,
		.output_size = size,
	};

	return adapter->ddi->query_adapter_info(adapter->h_adapter, &arguments);
}

static int kmd_caps_refuse(struct kmd_adapter *adapter, const char *reason)
{
	rf_log_error(adapter->domain->os, "adapter refused: %s", reason);
	return -EINVAL;
}

static int kmd_caps_check_scheduling(struct kmd_adapter *adapter)
{
	u32 caps = adapter->caps.scheduling_caps;
	bool native = caps & RF_VIDSCH_NATIVE_GPU_FENCE;

	if ((caps & RF_VIDSCH_PREEMPTION_AWARE) && !(caps & RF_VIDSCH_MULTI_ENGINE_AWARE))
		return kmd_caps_refuse(adapter, "PreemptionAware without MultiEngineAware");
	if ((caps & RF_VIDSCH_NO_DMA_PATCHING) &&
	    (~caps & (RF_VIDSCH_PREEMPTION_AWARE | RF_VIDSCH_MULTI_ENGINE_AWARE)))
		return kmd_caps_refuse(adapter, "NoDmaPatching without PreemptionAware, MultiEngineAware");
	if ((caps & RF_VIDSCH_CANCEL_COMMAND_AWARE) && !(caps & RF_VIDSCH_MULTI_ENGINE_AWARE))
		return kmd_caps_refuse(adapter, "CancelCommandAware without MultiEngineAware");
	if ((caps & RF_VIDSCH_PREEMPTION_AWARE) && !adapter->ddi->preempt_command)
		return kmd_caps_refuse(adapter, "PreemptionAware, but preempt_command is missing");
	if (!(caps & RF_VIDSCH_NO_DMA_PATCHING) && !adapter->ddi->patch)
		return kmd_caps_refuse(adapter, "no NoDmaPatching, but patch is missing");
	if (native && !adapter->features.native_fence)
		return kmd_caps_refuse(adapter, "NativeGpuFence, but the feature is not enabled");
	if (native && !adapter->asked_native_fence)
		return kmd_caps_refuse(adapter, "NativeGpuFence, but the feature was not asked for");
	if (native && (caps & RF_VIDSCH_NO_64_BIT_ATOMICS))
		return kmd_caps_refuse(adapter, "NativeGpuFence with No64BitAtomics");
	return 0;
}

static bool kmd_caps_has_native_fence_ddi(const struct rf_ddi *ddi)
{
	return ddi->create_native_fence && ddi->open_native_fence && ddi->close_native_fence &&
	       ddi->destroy_native_fence && ddi->update_monitored_values &&
	       ddi->update_current_values_from_cpu && ddi->set_native_fence_log_buffer &&
	       ddi->update_native_fence_logs;
}

static int kmd_caps_query_native_fence(struct kmd_adapter *adapter)
{
	u32 stride;
	int ret;

	if (!kmd_caps_has_native_fence_ddi(adapter->ddi))
		return kmd_caps_refuse(adapter, "NativeGpuFence, but native-fence functions are missing");
	ret = kmd_caps_query(adapter, RF_QUERY_NATIVE_FENCE_CAPS, &adapter->native_caps,
		    sizeof(adapter->native_caps));
	if (ret)
		return ret;
	stride = adapter->native_caps.monitored_value_stride;
	if (stride < KMD_VALUE_BYTES_MIN || stride > KMD_PAGE_BYTES || (stride & (stride - 1)))
		return kmd_caps_refuse(adapter, "MonitoredValueStride is no power of two in 8 .. 4096");
	adapter->native_fence = true;
	adapter->value_stride = stride;
	adapter->optimized_interrupt =
		adapter->caps.scheduling_caps & RF_VIDSCH_OPTIMIZED_NATIVE_FENCE_SIGNALED_INTERRUPT;
	return 0;
}

static int kmd_caps_read(struct kmd_adapter *adapter)
{
	int ret;

	ret = kmd_caps_query(adapter, RF_QUERY_DRIVER_CAPS, &adapter->caps, sizeof(adapter->caps));
	if (ret)
		return ret;
	ret = kmd_caps_check_scheduling(adapter);
	if (ret)
		return ret;
	if (!adapter->caps.hw_queue_slots || adapter->caps.hw_queue_slots > KMD_SLOTS_MAX ||
	    adapter->caps.node_count > KMD_NODES_MAX)
		return kmd_caps_refuse(adapter, "no slots for queues, or too many, or too many nodes");
	kmd_limits_init(&adapter->limits, adapter->caps.local_memory_bytes);
	adapter->value_stride = KMD_VALUE_STRIDE;
	adapter->packet_cap =
		(adapter->caps.scheduling_caps & RF_VIDSCH_HW_QUEUE_PACKET_CAP_MASK) >>
		RF_VIDSCH_HW_QUEUE_PACKET_CAP_SHIFT;
	if (!adapter->packet_cap)
		adapter->packet_cap = RF_PACKET_CAP_DEFAULT;
	if (adapter->caps.scheduling_caps & RF_VIDSCH_NATIVE_GPU_FENCE) {
		ret = kmd_caps_query_native_fence(adapter);
		if (ret)
			return ret;
	}
	/* a user-mode queue's progress fence is a native fence */
	if (adapter->features.user_mode_submission && adapter->native_fence) {
		ret = kmd_caps_query(adapter, RF_QUERY_USER_MODE_SUBMISSION_CAPS, &adapter->submission_caps,
			    sizeof(adapter->submission_caps));
		if (ret)
			return ret;
		adapter->user_mode_submission = true;
	}
	return 0;
}

/* --- life ---------------------------------------------------------------------------- */

static void kmd_adapter_link(struct kmd_adapter *adapter, bool add)
{
	unsigned long flags = kmd_wait_lock(adapter->domain);

	if (add)
		rf_list_insert(&adapter->domain_link, &adapter->domain->adapters);
	else
		rf_list_remove(&adapter->domain_link);
	kmd_wait_unlock(adapter->domain, flags);
}

int kmd_adapter_create(struct kmd_domain *domain, struct rf_bus *bus, const struct rf_ddi *ddi,
		       const struct kmd_features *features, struct kmd_adapter **result)
{
	static const struct kmd_features everything = { true, true, true, true };
	struct rf_start_device start = {
		.bus = bus,
		.callbacks = &kmd_callbacks,
	};
	struct kmd_adapter *adapter;
	u32 i;
	int ret;

	adapter = rf_alloc(sizeof(*adapter));
	if (!adapter)
		return -ENOMEM;
	adapter->domain = domain;
	adapter->bus = bus;
	adapter->ddi = ddi;
	adapter->features = features ? *features : everything;
	adapter->recover_engine = kmd_engine_recover;
	adapter->tdr_timeout = KMD_TDR_TIMEOUT;
	adapter->tdr_delay = KMD_TDR_DELAY;
	rf_mutex_init(&adapter->mutex);
	rf_mutex_init(&adapter->doorbell_mutex);
	rf_spin_init(&adapter->device_lock, domain->os);
	rf_spin_init(&adapter->limit_lock, domain->os);
	rf_list_init(&adapter->users);
	rf_list_init(&adapter->files);
	rf_list_init(&adapter->fences);
	rf_list_init(&adapter->monitored_fences);
	rf_list_init(&adapter->queues);
	rf_list_init(&adapter->contexts);
	rf_list_init(&adapter->in_slots);
	rf_list_init(&adapter->unscheduled_link);
	rf_list_init(&adapter->busy_link);
	rf_list_init(&adapter->stalled);
	rf_list_init(&adapter->all_fences);
	rf_list_init(&adapter->waited_fences);
	rf_list_init(&adapter->all_queues);
	rf_list_init(&adapter->all_contexts);
	rf_list_init(&adapter->all_events);
	rf_list_init(&adapter->noted_contexts);
	rf_list_init(&adapter->walking_link);
	rf_list_init(&adapter->doorbells);
	rf_list_init(&adapter->signaled);
	rf_list_init(&adapter->noted);
	for (i = 0; i < KMD_QUEUE_BUCKETS; i++)
		rf_list_init(&adapter->buckets[i]);
	for (i = 0; i < KMD_QUEUE_BUCKETS; i++)
		rf_list_init(&adapter->context_buckets[i]);
	rf_list_init(&adapter->context_allocations);
	rf_list_init(&adapter->promises_made);
	rf_list_init(&adapter->promises);
	kmd_table_init(&adapter->globals, domain->os);
	kmd_adapter_link(adapter, true);

	start.h_core = adapter;
	ret = ddi->start_device(&start);
	if (ret)
		goto free_adapter;
	adapter->h_adapter = start.h_adapter;
	adapter->vectors = start.interrupt_vectors;

	ret = kmd_caps_read(adapter);
	if (!ret)
		ret = kmd_nodes_create(adapter);
	if (ret)
		goto stop_device;
	*result = adapter;
	return 0;

stop_device:
	ddi->stop_device(adapter->h_adapter);
free_adapter:
	kmd_adapter_link(adapter, false);
	kmd_table_destroy(&adapter->globals);
	rf_spin_destroy(&adapter->limit_lock);
	rf_spin_destroy(&adapter->device_lock);
	rf_mutex_destroy(&adapter->doorbell_mutex);
	rf_mutex_destroy(&adapter->mutex);
	rf_free(adapter);
	return ret;
}

/* ns between two looks whether somebody is still at an adapter that ends */
#define VISIT_PERIOD 20000u

void kmd_adapter_destroy(struct kmd_adapter *adapter)
{
	unsigned long flags;

	kmd_adapter_lock_awake(adapter);
	if (adapter->paging)
		kmd_packet_context_destroy(adapter->paging);
	/* whoever is at it, or is still to be, has nothing to do with this one any more */
	flags = kmd_wait_lock(adapter->domain);
	while (adapter->visits) {
		kmd_wait_unlock(adapter->domain, flags);
		rf_sleep(adapter->domain->os, VISIT_PERIOD);
		flags = kmd_wait_lock(adapter->domain);
	}
	rf_list_remove(&adapter->domain_link);
	rf_list_remove(&adapter->unscheduled_link);
	rf_list_remove(&adapter->walking_link);
	rf_list_remove(&adapter->busy_link);
	kmd_wait_unlock(adapter->domain, flags);
	rf_mutex_unlock(&adapter->mutex);
	adapter->ddi->stop_device(adapter->h_adapter);
	kmd_nodes_destroy(adapter);
	kmd_table_destroy(&adapter->globals);
	rf_spin_destroy(&adapter->limit_lock);
	rf_spin_destroy(&adapter->device_lock);
	rf_mutex_destroy(&adapter->doorbell_mutex);
	rf_mutex_destroy(&adapter->mutex);
	rf_free(adapter);
}

u32 kmd_adapter_vectors(const struct kmd_adapter *adapter)
{
	return adapter->vectors;
}

void kmd_adapter_statistics(struct kmd_adapter *adapter, struct kmd_statistics *statistics)
{
	unsigned long wait_flags = kmd_wait_lock(adapter->domain);
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	*statistics = adapter->statistics;
	rf_spin_unlock(&adapter->device_lock, flags);
	kmd_wait_unlock(adapter->domain, wait_flags);
}

void kmd_adapter_observe(struct kmd_adapter *adapter, const struct kmd_observer *observer,
			 void *argument)
{
	unsigned long flags;

	rf_mutex_lock(&adapter->mutex);
	flags = kmd_wait_lock(adapter->domain);
	adapter->observer = observer;
	adapter->observer_argument = argument;
	kmd_wait_unlock(adapter->domain, flags);
	rf_mutex_unlock(&adapter->mutex);
}

/* --- a driver that broke the contract, a device that goes ------------------------------ */

bool kmd_adapter_is_lost(const struct kmd_adapter *adapter)
{
	return kmd_adapter_is_fatal(adapter);
}

void kmd_adapter_set_fatal(struct kmd_adapter *adapter, const char *reason)
{
	if (!__atomic_exchange_n(&adapter->fatal, true, __ATOMIC_ACQ_REL))
		rf_log_error(adapter->domain->os, "fatal driver error: %s", reason);
	__atomic_store_n(&adapter->domain->wedged, true, __ATOMIC_RELEASE);
}

void kmd_adapter_end_waits(struct kmd_adapter *adapter)
{
	kmd_wait_unlock(adapter->domain, kmd_wait_lock(adapter->domain));
}

void kmd_adapter_fail(struct kmd_adapter *adapter, const char *reason)
{
	kmd_adapter_set_fatal(adapter, reason);
	kmd_adapter_end_waits(adapter);
}

/* Who holds the mutex may be waiting for the device, and hears of it, too. */
void kmd_adapter_notify_removal(struct kmd_adapter *adapter)
{
	__atomic_store_n(&adapter->fatal, true, __ATOMIC_RELEASE);
	__atomic_store_n(&adapter->domain->wedged, true, __ATOMIC_RELEASE);
	kmd_adapter_end_waits(adapter);
}
