// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The interrupt ring. The device writes records and fires the vector when the
 * ring goes from caught-up to not; writing CONSUMER re-arms it, and fires again
 * at once if more has come. Fence records may be dropped under the sticky
 * OVERFLOW flag: then the set of signalled fences is unknown and the core
 * evaluates every waiter (the NULL array, S0-66, S0-67), of monitored fences as well,
 * since their records are the same (S0-70). A record of any kind may be lost if it could
 * not be written: then the slots say what became of their queues (rf_check.c).
 *
 * The count of records is the device's word, and so is what is in a record: more records
 * than the ring holds are none, and a record that names what does not exist is as good as
 * a lost one. So one run of the service takes as many records as the ring has entries, at
 * the most, and reads a bounded number of registers.
 */
#include "rf_miniport.h"

#define RF_INTERRUPT_ENTRIES (1u << RF_INTERRUPT_LOG2)
#define RF_SIGNALED_MAX 32

static_assert(RF_INTERRUPT_ENTRIES >= RF_INTERRUPT_ENTRIES_MIN, "interrupt ring too small");

/* What one run of the interrupt service has to tell about one node. */
struct rf_signaled {
	u32 node;
	u32 count;
	bool unknown;
	void *fence[RF_SIGNALED_MAX];
};

int rf_interrupt_start(struct rf_miniport *miniport)
{
	u64 bytes = RF_INTERRUPT_ENTRIES * sizeof(struct rf_interrupt_record);
	struct rf_map_gpu_virtual_address map = { 0 };
	int error;

	error = rf_mem_create(miniport->bus, RF_MEM_SYSTEM, bytes, &miniport->ring);
	if (error)
		return error;
	map.mem = miniport->ring;
	error = rf_map_gpu_virtual_address(miniport, &map);
	if (error) {
		rf_mem_put(miniport->ring);
		return error;
	}
	miniport->ring_address = map.gpu_virtual_address;
	rf_interrupt_restart(miniport);
	return 0;
}

void rf_interrupt_restart(struct rf_miniport *miniport)
{
	miniport->consumer = 0;
	miniport->lost_told = false;
	miniport->nonsense_told = false;
	memset(miniport->looks, 0, sizeof(miniport->looks));
	rf_register_write(miniport, RF_REGISTER(miniport, INTERRUPT, RING_BASE),
			  miniport->ring_address);
	rf_register_write(miniport, RF_REGISTER(miniport, INTERRUPT, CONTROL),
			  RF_INTERRUPT_CONTROL_ENABLE_MASK |
				  RF_FIELD(RF_INTERRUPT_CONTROL_ENTRIES_LOG2, RF_INTERRUPT_LOG2));
}

void rf_interrupt_stop(struct rf_miniport *miniport)
{
	rf_register_write(miniport, RF_REGISTER(miniport, INTERRUPT, CONTROL), 0);
	/* A record that is on its way has arrived, or goes nowhere, when this returns. */
	rf_unmap_gpu_virtual_address(miniport,
				     &(struct rf_unmap_gpu_virtual_address){
					     .mem = miniport->ring,
					     .gpu_virtual_address = miniport->ring_address,
				     });
	rf_mem_put(miniport->ring);
}

static void rf_record_read(struct rf_miniport *miniport, u32 index,
			   struct rf_interrupt_record *record)
{
	u64 offset = (u64)(index % RF_INTERRUPT_ENTRIES) * sizeof(*record);
	u64 word = rf_private_read64(miniport->ring, offset);

	record->kind = (u8)word;
	record->node = (u8)(word >> 8);
	record->vmid = (u8)(word >> 16);
	record->detail = (u8)(word >> 24);
	record->handle = (u32)(word >> 32);
	record->address = rf_private_read64(miniport->ring, offset + 8);
	record->value = rf_private_read64(miniport->ring, offset + 16);
}

/* Lost records were of any fence, and of any node, which is asked for where queues are named. */
static void rf_tell_unknown(struct rf_miniport *miniport)
{
	struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_NATIVE_FENCE_SIGNALED,
		.flags = RF_INTERRUPT_EVALUATE_LEGACY_MONITORED_FENCES,
	};
	u32 nodes = miniport->optimized ? miniport->nodes : 1;
	u32 node;

	for (node = 0; node < nodes; node++) {
		data.native_fence_signaled.node_ordinal = node;
		miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	}
}

static void rf_signaled_tell(struct rf_miniport *miniport, struct rf_signaled *signaled)
{
	struct rf_notify_interrupt_data data = { .interrupt_type =
							 RF_INTERRUPT_NATIVE_FENCE_SIGNALED };

	if (!signaled->count && !signaled->unknown)
		return;
	data.native_fence_signaled.node_ordinal = signaled->node;
	if (!signaled->unknown) {
		data.native_fence_signaled.signaled_native_fence_count = signaled->count;
		data.native_fence_signaled.signaled_native_fence_array = signaled->fence;
	}
	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	signaled->count = 0;
	signaled->unknown = false;
}

static void rf_signaled_add(struct rf_signaled *signaled, void *fence)
{
	u32 i;

	for (i = 0; i < signaled->count; i++) {
		if (signaled->fence[i] == fence)
			return;
	}
	if (signaled->count == RF_SIGNALED_MAX)
		signaled->unknown = true;
	else
		signaled->fence[signaled->count++] = fence;
}

/* S0-126, S0-127: name the queue, or none for an update that no queue made. */
static void rf_tell_queue(struct rf_miniport *miniport, const struct rf_interrupt_record *record)
{
	struct rf_notify_interrupt_data data = { .interrupt_type =
							 RF_INTERRUPT_NATIVE_FENCE_SIGNALED };
	unsigned long flags;

	data.native_fence_signaled.node_ordinal = record->node;
	flags = rf_spin_lock(&miniport->lock);
	if (record->kind == RF_RECORD_KIND_FENCE_SIGNALED)
		data.native_fence_signaled.h_hw_queue = rf_queue_find(miniport, record->handle);
	rf_spin_unlock(&miniport->lock, flags);
	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
}

/*
 * No native fence: a monitored one, or one that was destroyed since, or none at all,
 * which is user mode's own affair.
 */
static void rf_tell_monitored(struct rf_miniport *miniport,
			      const struct rf_interrupt_record *record)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_MONITORED_FENCE_SIGNALED,
		.monitored_fence_signaled.node_ordinal = record->node,
	};

	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
}

static void rf_fence_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record,
			    struct rf_signaled *signaled)
{
	unsigned long flags;
	void *fence;

	if (miniport->optimized) {
		rf_tell_queue(miniport, record);
		return;
	}
	/* One report speaks of one node. */
	if (record->node != signaled->node)
		rf_signaled_tell(miniport, signaled);
	signaled->node = record->node;

	flags = rf_spin_lock(&miniport->lock);
	fence = rf_fence_find(miniport, miniport->vmid[record->vmid % RF_VMIDS].space,
			      record->address);
	rf_spin_unlock(&miniport->lock, flags);
	if (fence)
		rf_signaled_add(signaled, fence);
	else
		rf_tell_monitored(miniport, record);
}

void rf_tell_error(struct rf_miniport *miniport, struct rf_hw_queue *queue, u64 error, u64 address,
		   u64 status)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_HWQUEUE_PAGE_FAULTED,
		.hw_queue_page_faulted = {
			.faulted_hw_queue = queue,
			.faulted_virtual_address = address,
			.node_ordinal = queue->context->node,
			.page_table_level = (u32)RF_FIELD_GET(RF_SLOT_STATUS_LEVEL, status),
			.page_fault_flags = (u32)RF_FIELD_GET(RF_SLOT_STATUS_STORE, status),
			/* an error is one whatever its number */
			.fault_error_code = error && error <= RF_QUEUE_ERROR_ENGINE_RESET
						    ? (u32)error
						    : RF_QUEUE_ERROR_ENGINE,
		},
	};

	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
}

static void rf_error_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record)
{
	struct rf_hw_queue *queue;
	unsigned long flags;

	flags = rf_spin_lock(&miniport->lock);
	queue = rf_queue_find(miniport, record->handle);
	if (queue)
		queue->error_told = true;
	rf_spin_unlock(&miniport->lock, flags);
	if (queue)
		rf_tell_error(miniport, queue, record->detail, record->address, record->value);
}

void rf_tell_preemption_lost(struct rf_miniport *miniport, struct rf_hw_queue *queue)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_HWQUEUE_PREEMPTED,
		.hw_queue_preempted.preempted_hw_queue = queue,
	};

	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
	rf_tell_error(miniport, queue, RF_QUEUE_ERROR_BUS_MASTER_DISABLED, 0, 0);
}

static void rf_stop_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record)
{
	struct rf_notify_interrupt_data data = { .interrupt_type = RF_INTERRUPT_HWQUEUE_STOPPED };
	struct rf_hw_queue *queue;
	unsigned long flags;

	flags = rf_spin_lock(&miniport->lock);
	queue = rf_queue_find(miniport, record->handle);
	if (queue)
		queue->stop_told = true;
	rf_spin_unlock(&miniport->lock, flags);
	if (!queue)
		return;
	data.hw_queue_stopped.stopped_hw_queue = queue;
	data.hw_queue_stopped.reason =
		record->kind == RF_RECORD_KIND_TRAP ? RF_STOP_TRAP : RF_STOP_SOFTWARE_SIGNAL;
	data.hw_queue_stopped.argument = record->address;
	data.hw_queue_stopped.value = record->value;
	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
}

static void rf_hung_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record)
{
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_GPU_ENGINE_STATE_CHANGE,
		.engine_state_change = {
			.node_ordinal = record->node,
			.new_state = RF_ENGINE_HUNG,
		},
	};

	miniport->callbacks->notify_interrupt(miniport->h_core, &data);
}

static void rf_record(struct rf_miniport *miniport, const struct rf_interrupt_record *record,
		      struct rf_signaled *signaled)
{
	if (record->kind == RF_RECORD_KIND_PREEMPTED && record->detail != RF_ACCESS_STATUS_OK &&
	    (rf_restore_failed_record(miniport, record) ||
	     rf_packet_restore_failed_record(miniport, record)))
		return;
	if (rf_packet_record(miniport, record))
		return;
	switch (record->kind) {
	case RF_RECORD_KIND_FENCE_SIGNALED:
	case RF_RECORD_KIND_MONITORED_UPDATE:
		rf_fence_record(miniport, record, signaled);
		break;
	case RF_RECORD_KIND_QUEUE_ERROR:
		rf_error_record(miniport, record);
		break;
	case RF_RECORD_KIND_TRAP:
	case RF_RECORD_KIND_SOFTWARE_SIGNAL:
		rf_stop_record(miniport, record);
		break;
	case RF_RECORD_KIND_ENGINE_HUNG:
		rf_hung_record(miniport, record);
		break;
	case RF_RECORD_KIND_DOORBELL_PENDING:
		rf_pending_record(miniport, record);
		break;
	case RF_RECORD_KIND_PREEMPTED:
		/* what it signalled is told before */
		rf_signaled_tell(miniport, signaled);
		rf_preempted_record(miniport, record);
		break;
	case RF_RECORD_KIND_YIELD:
		rf_yield_record(miniport, record);
		break;
	}
}

/* Does it name what there is? */
static bool rf_record_makes_sense(struct rf_miniport *miniport,
				  const struct rf_interrupt_record *record)
{
	if (record->kind >= RF_RECORD_KIND_FENCE_SIGNALED &&
	    record->kind <= RF_RECORD_KIND_ENGINE_HUNG && record->node < miniport->nodes &&
	    record->vmid < RF_VMIDS)
		return true;
	if (!miniport->nonsense_told)
		rf_log_error(miniport->bus->os,
			     "interrupt record of kind %u, node %u, VMID %u makes no sense",
			     record->kind, record->node, record->vmid);
	miniport->nonsense_told = true;
	return false;
}

/* Whether records were lost; clears the flags before anybody evaluates. */
static bool rf_overflowed(struct rf_miniport *miniport)
{
	u64 offset = RF_REGISTER(miniport, INTERRUPT, OVERFLOW);
	u64 value = rf_register_read(miniport, offset);

	if (!value || value == U64_MAX)
		return false;
	rf_register_write(miniport, offset, value);
	return true;
}

/* --- nodes whose engine is in reset (A-5) ------------------------------------------------ */

static bool rf_is_quiet(struct rf_miniport *miniport, u32 node)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	bool quiet = node < miniport->nodes && miniport->node[node].stopped;

	rf_spin_unlock(&miniport->lock, flags);
	return quiet;
}

/* Is the record to be told later? */
static bool rf_record_defer(struct rf_miniport *miniport, const struct rf_interrupt_record *record)
{
	bool fence = record->kind == RF_RECORD_KIND_FENCE_SIGNALED ||
		     record->kind == RF_RECORD_KIND_MONITORED_UPDATE;

	if (!rf_is_quiet(miniport, record->node))
		return false;
	/* half of the places are for those that cannot be asked for otherwise */
	if (miniport->deferred_count < RF_DEFERRED_MAX / (fence ? 2 : 1))
		miniport->deferred[miniport->deferred_count++] = *record;
	else
		miniport->deferred_unknown = true;
	return true;
}

/* Records were lost, perhaps of a node that may not report now. */
static void rf_tell_deferred_unknown(struct rf_miniport *miniport)
{
	u32 node;

	for (node = 0; node < miniport->nodes; node++)
		if (rf_is_quiet(miniport, node))
			return;
	if (miniport->deferred_unknown)
		rf_tell_unknown(miniport);
	miniport->deferred_unknown = false;
}

void rf_records_deferred_tell(struct rf_miniport *miniport)
{
	struct rf_signaled signaled = { 0 };
	u32 i, kept = 0;

	for (i = 0; i < miniport->deferred_count; i++) {
		const struct rf_interrupt_record *record = &miniport->deferred[i];

		if (rf_is_quiet(miniport, record->node))
			miniport->deferred[kept++] = *record;
		else
			rf_record(miniport, record, &signaled);
	}
	rf_signaled_tell(miniport, &signaled);
	miniport->deferred_count = kept;
	rf_tell_deferred_unknown(miniport);
}

static bool rf_is_resetting(struct rf_miniport *miniport)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	bool resetting = miniport->resetting;

	rf_spin_unlock(&miniport->lock, flags);
	return resetting;
}

/* --- the service -------------------------------------------------------------------------- */

bool rf_interrupt_routine(void *h_adapter, u32 message_number)
{
	struct rf_signaled signaled = { 0 };
	struct rf_miniport *miniport = h_adapter;
	struct rf_interrupt_record record;
	bool unknown = false;
	u64 producer;

	(void)message_number;
	if (rf_is_resetting(miniport) || rf_device_is_lost(miniport))
		return true; /* of the life before */
	producer = rf_register_read(miniport, RF_REGISTER(miniport, INTERRUPT, PRODUCER));
	if (producer == U64_MAX)
		return false; /* the device is gone, or away: rf_check_device() asks again */
	if (producer > U32_MAX || (u32)producer - miniport->consumer > RF_INTERRUPT_ENTRIES) {
		rf_device_set_lost(miniport, "more records than the interrupt ring holds");
		rf_device_tell_lost(miniport);
		return true;
	}
	rf_rmb();
	while (miniport->consumer != (u32)producer) {
		rf_record_read(miniport, miniport->consumer++, &record);
		if (!rf_record_makes_sense(miniport, &record))
			unknown = true;
		else if (!rf_record_defer(miniport, &record))
			rf_record(miniport, &record, &signaled);
	}
	rf_signaled_tell(miniport, &signaled);
	unknown |= rf_overflowed(miniport);
	if (unknown) {
		rf_packet_nodes_look(miniport);
		rf_slots_check_errors(miniport);
		miniport->deferred_unknown = true;
	}
	rf_tell_deferred_unknown(miniport);
	miniport->callbacks->queue_dpc(miniport->h_core);
	rf_register_write(miniport, RF_REGISTER(miniport, INTERRUPT, CONSUMER), miniport->consumer);
	return true;
}

static void rf_look_busy(void *argument)
{
	struct rf_miniport *miniport = argument;

	if (rf_is_resetting(miniport))
		return;
	rf_packet_nodes_look(miniport);
	if (rf_queues_look_loaded(miniport))
		rf_tell_busy(miniport);
	if (rf_device_is_lost(miniport))
		rf_device_tell_lost(miniport);
}

void rf_dpc_routine(void *h_adapter)
{
	struct rf_miniport *miniport = h_adapter;

	/* all else was told by the interrupt service */
	if (__atomic_exchange_n(&miniport->busy, false, __ATOMIC_ACQ_REL))
		miniport->callbacks->synchronize_execution(miniport->h_core, rf_look_busy,
							   miniport);
}
