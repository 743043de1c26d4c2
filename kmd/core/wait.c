// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Waits by CPU threads and kernel-mode queues, and the MonitoredValue that follows from
 * them.
 *
 * A wait holds one waiter per fence. A waiter whose value is reached leaves its
 * fence's heap; when enough have left, the wait is over and its thread or event is
 * told. Whenever a heap changes, its fence is put on the domain's list of unarmed
 * fences, and before wait_lock is released kmd_flush_pending() works the list off:
 *
 *   MonitoredValue := least waited value - 1, or U64_MAX if nobody waits
 *   read CurrentValue again: whatever was signalled before the device knew the
 *   new MonitoredValue raised no interrupt, but is visible by now (S0-39, S0-40)
 *
 * so that outside of wait_lock no waiter is covered by CurrentValue without either
 * being woken or the device being told to interrupt, or its fence being on a list that is
 * still to be worked off.
 *
 * For nobody holds wait_lock, and with it interrupts, for longer than KMD_HOLD_UNITS steps,
 * whatever user mode has made: a hold has so many units, each step spends one, and with the
 * last one it leaves the rest on the lists of the domain,
 *
 *   covered    fences with waiters that are to be ended: their value is reached, or never will
 *   unarmed    fences whose MonitoredValue may be wrong. One that is covered as well is not
 *              armed before the last of those has gone: it would interrupt at once
 *   ready      kernel-mode queues
 *   unscheduled adapters
 *   busy       adapters whose device is at something that no interrupt ends. What waits for that,
 *              fences that could not be armed among it (kmd_adapter.stalled), is tried again a
 *              moment later
 *   walking    adapters all of whose fences, queues, contexts or events are to be looked at,
 *              each in its turn
 *
 * and has the shell call kmd_domain_go_on(), from a thread that may be preempted, which takes
 * the next hold. So the invariant is, whenever wait_lock is free:
 *
 *   a fence with waiters is armed for the least of them, and was read after that; or it is
 *   on one of these lists, and a call of kmd_domain_go_on() is to come; or the adapter
 *   is asleep, is reset or is lost, whose end looks at all fences
 *
 * and what comes after a hold of another's is no worse off than before: it finds a hold of
 * its own, with all units.
 *
 * Locking: wait_lock guards waits, waiters, heaps and armed values.
 * update_monitored_values runs under the adapter's device_lock in addition.
 */
#include "core.h"

static void kmd_fence_set_unarmed(struct kmd_fence *fence)
{
	struct kmd_native_fence *native = &fence->native;

	/* each signal of a monitored fence interrupts */
	if (!fence->is_native)
		return;
	if (rf_list_empty(&native->unarmed_link))
		rf_list_insert(&native->unarmed_link,
			       &native->adapter->domain->pending[KMD_PENDING_UNARMED]);
}

static void kmd_fence_set_reached(struct kmd_fence *fence)
{
	if (rf_list_empty(&fence->covered_link))
		rf_list_insert(&fence->covered_link,
			       &fence->native.adapter->domain->pending[KMD_PENDING_COVERED]);
}

static void kmd_waiter_add(struct kmd_waiter *waiter, u64 value)
{
	struct kmd_instance *instance = waiter->instance;

	kmd_heap_insert(&instance->fence->waiters, &waiter->node, value);
	rf_list_insert(&waiter->instance_link, &instance->waiters);
	kmd_fence_follow(instance->fence);
	kmd_fence_set_unarmed(instance->fence);
}

static void kmd_waiter_remove(struct kmd_waiter *waiter)
{
	struct kmd_fence *fence = waiter->instance->fence;

	if (fence->suspect == &waiter->node)
		fence->suspect = NULL;
	kmd_heap_remove(&fence->waiters, &waiter->node);
	rf_list_remove(&waiter->instance_link);
	kmd_fence_follow(fence);
	kmd_fence_set_unarmed(fence);
}

void kmd_wait_cancel(struct kmd_wait *wait)
{
	u32 i;

	for (i = 0; i < wait->count; i++)
		if (!rf_list_empty(&wait->waiters[i].instance_link))
			kmd_waiter_remove(&wait->waiters[i]);
	rf_list_remove(&wait->promise_link);
	wait->over = true;
}

void kmd_wait_end(struct kmd_wait *wait, int result)
{
	kmd_wait_cancel(wait);
	wait->result = result;
	wait->complete(wait, result);
}

void kmd_wait_count_end(struct kmd_wait *wait, int result)
{
	if (!result)
		wait->adapter->statistics.wakes++;
	if (wait->charged)
		kmd_uncharge(wait->charged, KMD_LIMIT_WAITS, 1);
}

/* The completion of a wait that a thread is blocked in. */
static void kmd_wait_wake_thread(struct kmd_wait *wait, int result)
{
	kmd_wait_count_end(wait, result);
	rf_completion_complete(&wait->completion);
}

/* False: some waits are left, for the next hold. */
static bool kmd_local_fence_cancel_waits(struct kmd_instance *instance)
{
	struct kmd_domain *domain = instance->fence->native.adapter->domain;

	while (!rf_list_empty(&instance->waiters) && kmd_hold_spend(domain))
		kmd_wait_end(
			rf_list_first(&instance->waiters, struct kmd_waiter, instance_link)->wait,
			-ECANCELED);
	return rf_list_empty(&instance->waiters);
}

void kmd_instance_close(struct kmd_instance *instance)
{
	struct kmd_domain *domain = instance->file->adapter->domain;
	unsigned long flags;

	/* no wait begins after this */
	kmd_table_remove(&instance->file->table, KMD_FENCE, instance->handle);
	flags = kmd_wait_lock(domain);
	rf_list_remove(&instance->link);
	while (!kmd_local_fence_cancel_waits(instance))
		flags = kmd_wait_relock(domain, flags);
	kmd_wait_unlock(domain, flags);
	kmd_instance_destroy(instance);
}

/* --- evaluation and arming ---------------------------------------------------------- */

/* Is the least waiter to be ended? */
static bool kmd_fence_is_reached(const struct kmd_fence *fence, u64 value)
{
	return fence->waiters.first && (fence->error || fence->waiters.first->value <= value);
}

/* End what CurrentValue satisfies, and all if it is to come no further; returns whether there
 * was anything. */
static bool kmd_fence_end_reached(struct kmd_fence *fence)
{
	struct kmd_domain *domain = fence->native.adapter->domain;
	bool woken = false;
	u64 value;

	if (!fence->waiters.first)
		return false;
	value = kmd_fence_read(fence);
	while (kmd_fence_is_reached(fence, value)) {
		struct kmd_waiter *waiter =
			container_of(fence->waiters.first, struct kmd_waiter, node);
		struct kmd_wait *wait = waiter->wait;

		if (!kmd_hold_spend(domain)) {
			kmd_fence_set_reached(fence);
			break;
		}
		if (waiter->node.value > value) {
			kmd_wait_end(wait, fence->error);
		} else {
			kmd_waiter_remove(waiter);
			if (!--wait->remaining)
				kmd_wait_end(wait, 0);
		}
		woken = true;
	}
	return woken;
}

void kmd_fence_evaluate(struct kmd_fence *fence)
{
	if (fence->native.dying)
		return;
	/* also when nobody is woken: a spurious interrupt recomputes MV (S0-41) */
	kmd_fence_set_unarmed(fence);
	if (fence->always_signaled)
		kmd_fence_store_always(fence);
	/* follow the value of a narrow one, also when nobody waits */
	if (fence->is_narrow)
		kmd_fence_read(fence);
	kmd_fence_end_reached(fence);
}

void kmd_fence_abandon(struct kmd_fence *fence, int error)
{
	fence->error = error;
	kmd_fence_end_reached(fence);
}

static u64 kmd_fence_wanted_monitored_value(const struct kmd_fence *fence)
{
	/* every signal is heard of, and undone */
	if (fence->always_signaled)
		return 0;
	/* a wait for 0 never gets here (C24), so that 0 - 1 does not happen */
	return fence->waiters.first ? fence->waiters.first->value - 1 : RF_MONITORED_NONE;
}

void kmd_fence_rearm(struct kmd_fence *fence)
{
	fence->native.unknown = true;
	kmd_fence_evaluate(fence);
}

static bool kmd_fence_is_armed(const struct kmd_native_fence *native)
{
	return !native->posted && !native->unknown &&
	       native->monitored_value == kmd_fence_wanted_monitored_value(native->fence);
}

/* Those that the device does not go by yet are looked at again when it had a moment. */
static void kmd_fence_stall(struct kmd_adapter *adapter, struct kmd_native_fence **natives, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (!kmd_fence_is_armed(natives[i]))
			rf_list_insert(&natives[i]->unarmed_link, &adapter->stalled);
	kmd_adapter_set_busy(adapter);
}

/* Those whose value the device has not are sent, and told of in @sent. */
static int kmd_fence_update_monitored_values(struct kmd_adapter *adapter, struct kmd_native_fence **natives,
				   u32 count, bool *sent)
{
	struct rf_value_address addresses[RF_UPDATE_FENCES_MAX];
	void *handles[RF_UPDATE_FENCES_MAX];
	u64 values[RF_UPDATE_FENCES_MAX];
	struct rf_update_monitored_values arguments = {
		.native_fence_array = handles,
		.updated_value_array = values,
		.monitored_value_kernel_cpu_va = addresses,
	};
	unsigned long flags;
	u32 i, k = 0;
	int ret;

	for (i = 0; i < count; i++) {
		u64 wanted = kmd_fence_wanted_monitored_value(natives[i]->fence);

		sent[i] = natives[i]->unknown || natives[i]->monitored_value != wanted;
		if (!sent[i])
			continue; /* it is posted, and has only to be done */
		handles[k] = natives[i]->h_global;
		values[k] = wanted;
		addresses[k++] = kmd_value_address(&natives[i]->monitored);
		kmd_value_write_old(&natives[i]->monitored, wanted);
	}
	arguments.num_fences = k;
	flags = rf_spin_lock(&adapter->device_lock);
	ret = adapter->ddi->update_monitored_values(adapter->h_adapter, &arguments);
	rf_spin_unlock(&adapter->device_lock, flags);
	if (!ret || ret == -EINPROGRESS)
		adapter->statistics.monitored_updates += k;
	return ret;
}

/* A reset looks at all fences. */
static void kmd_fence_update_failed(struct kmd_adapter *adapter)
{
	kmd_adapter_want_reset(adapter);
	kmd_adapter_set_busy(adapter);
}

/* What the device was told, by what came of it. */
static void kmd_fence_arm(struct kmd_adapter *adapter, struct kmd_native_fence **natives, u32 count)
{
	bool sent[RF_UPDATE_FENCES_MAX];
	int ret = kmd_fence_update_monitored_values(adapter, natives, count, sent);
	bool taken = !ret || ret == -EINPROGRESS;
	u32 i;

	for (i = 0; i < count; i++) {
		/* of those refused the old place has what the device has not */
		natives[i]->unknown = sent[i] && !taken;
		if (!taken)
			continue;
		natives[i]->monitored_value = kmd_fence_wanted_monitored_value(natives[i]->fence);
		/* whatever was posted before is done when more is taken */
		natives[i]->posted = ret && sent[i];
	}
	if (ret == -EINPROGRESS || ret == -EBUSY)
		kmd_fence_stall(adapter, natives, count);
	else if (ret)
		kmd_fence_update_failed(adapter);
}

/* Arm fences from the head of the list, as many as one call of a miniport takes. */
static void kmd_fence_arm_batch(struct kmd_domain *domain)
{
	struct kmd_native_fence *natives[RF_UPDATE_FENCES_MAX];
	struct kmd_native_fence *native, *next;
	struct kmd_adapter *adapter = NULL;
	u32 count = 0;
	u32 i;

	rf_list_for_each_safe(native, next, &domain->pending[KMD_PENDING_UNARMED], unarmed_link) {
		if (count == RF_UPDATE_FENCES_MAX || (adapter && adapter != native->adapter) ||
		    !kmd_hold_spend(domain))
			break;
		rf_list_remove(&native->unarmed_link);
		/* it comes back with the end of the last that is covered */
		if (!rf_list_empty(&native->fence->covered_link))
			continue;
		/* the wake-up from D3 makes up for what is left out */
		if (kmd_fence_is_armed(native) || native->adapter->asleep || native->adapter->resetting ||
		    kmd_adapter_is_fatal(native->adapter))
			continue;
		adapter = native->adapter;
		natives[count++] = native;
	}
	if (!count)
		return;
	if (rf_list_empty(&adapter->busy_link))
		kmd_fence_arm(adapter, natives, count);
	else
		kmd_fence_stall(adapter, natives, count); /* it would be asked in vain */
	for (i = 0; i < count; i++)
		if (kmd_fence_end_reached(natives[i]->fence))
			adapter->statistics.resample_hits++;
}

static void kmd_fence_end_first_reached(struct kmd_fence *fence)
{
	rf_list_remove(&fence->covered_link);
	kmd_fence_set_unarmed(fence);
	kmd_fence_end_reached(fence);
}

/* --- walks over all that there is ------------------------------------------------------ */

#define WALK_WAITED (KMD_WALK_NATIVE | KMD_WALK_MONITORED | KMD_WALK_LOST)
#define WALK_ALL (KMD_WALK_REARM | KMD_WALK_ABANDON | KMD_WALK_ARM)
#define WALK_FENCES (WALK_WAITED | WALK_ALL)
#define WALK_QUEUES \
	(KMD_WALK_ABANDON | KMD_WALK_LOOK | KMD_WALK_READY | KMD_WALK_LOGS | KMD_WALK_EVALUATE)

void kmd_walked_insert(struct kmd_walked *walked, u64 round, struct rf_list *list)
{
	walked->round = round;
	rf_list_insert(&walked->link, list);
}

/* Those that had their turn are behind those that had not: the next one, or NULL. */
static struct kmd_walked *kmd_walk_next_of(struct rf_list *list, u64 round)
{
	struct kmd_walked *walked;

	if (rf_list_empty(list))
		return NULL;
	walked = rf_list_first(list, struct kmd_walked, link);
	if (walked->round == round)
		return NULL;
	walked->round = round;
	rf_list_remove(&walked->link);
	rf_list_insert(&walked->link, list);
	return walked;
}

void kmd_adapter_walk(struct kmd_adapter *adapter, u32 what)
{
	/* those that had their turn for something else have it again */
	adapter->walk |= what;
	adapter->walk_round += !!(what & WALK_FENCES);
	adapter->queue_round += !!(what & WALK_QUEUES);
	if (rf_list_empty(&adapter->walking_link))
		rf_list_insert(&adapter->walking_link,
			       &adapter->domain->pending[KMD_PENDING_WALKING]);
}

static void kmd_walk_fence(struct kmd_fence *fence, u32 what)
{
	if (what & KMD_WALK_ABANDON)
		kmd_fence_abandon(fence, -ENODEV);
	/* in D3 there is no local memory to look at */
	if (fence->native.adapter->asleep && fence->type != RF_NATIVE_FENCE_TYPE_DEFAULT)
		return;
	/* what was on its way to the device when it lost its memory has not come there */
	if (fence->is_native &&
	    ((what & KMD_WALK_REARM) || ((what & KMD_WALK_ARM) && fence->native.posted)))
		kmd_fence_rearm(fence);
	else if (what & (KMD_WALK_ARM | (fence->is_native ? KMD_WALK_NATIVE : KMD_WALK_MONITORED)))
		kmd_fence_evaluate(fence);
	if (what & KMD_WALK_LOST)
		kmd_fence_look_for_lost(fence);
}

/* False: there is more to be done with it, in the next hold. */
static bool kmd_walk_queue(struct kmd_queue *queue, u32 what)
{
	if ((what & KMD_WALK_ABANDON) && queue->doorbell)
		kmd_doorbell_abort(queue->doorbell);
	if ((what & KMD_WALK_READY) && !queue->user_mode)
		kmd_kernel_queue_set_ready(queue);
	if (what & KMD_WALK_LOOK)
		kmd_schedule_look(queue);
	if (queue->file->adapter->asleep)
		return true;
	if ((what & KMD_WALK_EVALUATE) && (queue->file->adapter->walk_nodes >> queue->node & 1))
		return kmd_queue_read_logs(queue, true);
	return !(what & KMD_WALK_LOGS) || kmd_queue_read_logs(queue, false);
}

/* The next one that has its turn for one of these. */
static struct kmd_walked *kmd_walk_next_for(struct kmd_adapter *adapter, u32 what, struct rf_list *list)
{
	u64 round = list == &adapter->all_queues ? adapter->queue_round : adapter->walk_round;

	return adapter->walk & what ? kmd_walk_next_of(list, round) : NULL;
}

static void kmd_walk_step(struct kmd_adapter *adapter)
{
	struct kmd_walked *walked;

	walked = kmd_walk_next_for(adapter, WALK_ALL, &adapter->all_fences);
	if (walked) {
		kmd_walk_fence(rf_list_entry(walked, struct kmd_native_fence, walked)->fence,
			   adapter->walk & WALK_ALL);
		return;
	}
	walked = kmd_walk_next_for(adapter, WALK_WAITED, &adapter->waited_fences);
	if (walked) {
		kmd_walk_fence(rf_list_entry(walked, struct kmd_native_fence, waited)->fence,
			   adapter->walk & WALK_WAITED);
		return;
	}
	walked = kmd_walk_next_for(adapter, WALK_QUEUES, &adapter->all_queues);
	if (walked) {
		if (kmd_walk_queue(rf_list_entry(walked, struct kmd_queue, walked), adapter->walk))
			return;
		/* it is the next one, too */
		walked->round--;
		rf_list_remove(&walked->link);
		rf_list_insert(&walked->link, adapter->all_queues.next);
		return;
	}
	walked = kmd_walk_next_for(adapter, KMD_WALK_ABANDON, &adapter->all_contexts);
	if (walked) {
		rf_completion_complete(
			&rf_list_entry(walked, struct kmd_context, walked)->completion);
		return;
	}
	walked = kmd_walk_next_for(adapter, KMD_WALK_ABANDON, &adapter->all_events);
	if (walked) {
		rf_completion_complete(
			&rf_list_entry(walked, struct kmd_event, walked)->completion);
		return;
	}
	adapter->walk = 0;
	adapter->walk_nodes = 0;
	rf_list_remove(&adapter->walking_link);
}

/* --- all of it --------------------------------------------------------------------------- */

/* --- a step of each list --------------------------------------------------------------- */

void kmd_step_unarmed(struct kmd_domain *domain)
{
	kmd_fence_arm_batch(domain);
}

void kmd_step_covered(struct kmd_domain *domain)
{
	kmd_fence_end_first_reached(rf_list_first(&domain->pending[KMD_PENDING_COVERED], struct kmd_fence,
				  covered_link));
}

void kmd_step_walking(struct kmd_domain *domain)
{
	kmd_walk_step(rf_list_first(&domain->pending[KMD_PENDING_WALKING], struct kmd_adapter,
				walking_link));
}

/* --- a device that is busy --------------------------------------------------------------- */

void kmd_adapter_set_busy(struct kmd_adapter *adapter)
{
	if (rf_list_empty(&adapter->busy_link))
		rf_list_insert(&adapter->busy_link, &adapter->domain->busy);
}

/* What could not be done before is tried again; false: there is more than a hold takes. */
static bool kmd_fence_unstall(struct kmd_adapter *adapter)
{
	struct kmd_native_fence *native, *next;

	rf_list_for_each_safe(native, next, &adapter->stalled, unarmed_link) {
		/* with the other half of the hold they are armed */
		if (adapter->domain->units <= KMD_HOLD_UNITS / 2 ||
		    !kmd_hold_spend(adapter->domain))
			return false;
		rf_list_remove(&native->unarmed_link);
		rf_list_insert(&native->unarmed_link,
			       &adapter->domain->pending[KMD_PENDING_UNARMED]);
	}
	kmd_schedule_again(adapter);
	return true;
}

/* The next of them has its DPC; @work: as that of kmd_adapter_dpc(). wait_lock held, and given
 * meanwhile. */
static unsigned long kmd_sync_domain_visit_busy(struct kmd_domain *domain, unsigned long flags, bool *work)
{
	struct kmd_adapter *adapter;
	bool more, there;

	*work = false;
	if (rf_list_empty(&domain->busy))
		return flags;
	adapter = rf_list_first(&domain->busy, struct kmd_adapter, busy_link);
	rf_list_remove(&adapter->busy_link);
	*work = kmd_adapter_wants_reset(adapter);
	if (*work)
		return flags; /* whose end looks at all */
	more = !kmd_fence_unstall(adapter);
	there = !kmd_adapter_is_fatal(adapter) && !adapter->asleep && !adapter->resetting;
	adapter->visits++;
	kmd_wait_unlock(domain, flags);
	if (there)
		*work = kmd_adapter_dpc(adapter);
	flags = kmd_wait_lock(domain);
	adapter->visits--;
	if (more)
		kmd_adapter_set_busy(adapter);
	return flags;
}

bool kmd_domain_go_on(struct kmd_domain *domain, bool *work)
{
	unsigned long flags = kmd_wait_lock(domain);
	bool busy;

	flags = kmd_sync_domain_visit_busy(domain, flags, work);
	kmd_flush_pending(domain);
	busy = !rf_list_empty(&domain->busy);
	kmd_wait_unlock(domain, flags);
	return busy;
}

/* --- requests ------------------------------------------------------------------------ */

int kmd_copy_fence_values(const struct drm_ringfence_array *array,
			  struct drm_ringfence_fence_value values[DRM_RINGFENCE_OBJECTS_MAX])
{
	int ret = kmd_array_check(array, DRM_RINGFENCE_OBJECTS_MAX, sizeof(values[0]));
	u32 i;

	if (!ret && !array->count)
		ret = -EINVAL;
	for (i = 0; i < array->count && !ret; i++) {
		ret = kmd_array_copy(array, i, &values[i], sizeof(values[i]));
		if (!ret && values[i].pad)
			ret = -EINVAL;
	}
	return ret;
}

struct kmd_wait *kmd_wait_create(struct kmd_adapter *adapter, u32 count, bool any)
{
	struct kmd_wait *wait = rf_alloc(sizeof(*wait) + count * sizeof(wait->waiters[0]));
	u32 i;

	if (!wait)
		return NULL;
	wait->adapter = adapter;
	wait->complete = kmd_wait_wake_thread;
	wait->over = true;
	wait->count = count;
	wait->remaining = any ? 1 : count;
	rf_completion_init(&wait->completion, adapter->domain->os);
	rf_list_init(&wait->event_link);
	rf_list_init(&wait->promise_link);
	for (i = 0; i < count; i++) {
		wait->waiters[i].wait = wait;
		rf_list_init(&wait->waiters[i].instance_link);
	}
	return wait;
}

int kmd_wait_charge(struct kmd_wait *wait, struct kmd_file *file)
{
	int ret = kmd_charge(file, KMD_LIMIT_WAITS, 1);

	if (!ret)
		wait->charged = file;
	return ret;
}

/* One that is charged and has begun ends in kmd_wait_end(). */
void kmd_wait_free(struct kmd_wait *wait)
{
	if (wait->charged)
		kmd_uncharge(wait->charged, KMD_LIMIT_WAITS, 1);
	rf_completion_destroy(&wait->completion);
	rf_free(wait);
}

void kmd_wait_for_one(struct kmd_wait *wait, struct kmd_instance *instance, u64 value)
{
	wait->over = false;
	wait->remaining = 1;
	wait->waiters[0].instance = instance;
	kmd_waiter_add(&wait->waiters[0], value);
}

int kmd_wait_begin(struct kmd_file *file, struct kmd_wait *wait,
		   const struct drm_ringfence_fence_value *values)
{
	u32 blocked = 0; /* bit i: fence i is not reached */
	u64 now;
	u32 i;

	for (i = 0; i < wait->count; i++) {
		struct kmd_instance *instance =
			kmd_table_find(&file->table, KMD_FENCE, values[i].handle);

		if (!instance)
			return -ENOENT;
		if (instance->fence->type == RF_NATIVE_FENCE_TYPE_INTRA_GPU)
			return -EOPNOTSUPP;
		if (instance->flags & DRM_RINGFENCE_FENCE_NO_WAIT)
			return -EACCES;
		now = kmd_fence_read(instance->fence);
		if (kmd_fence_check_wait(instance->fence, now, values[i].value))
			return -ERANGE;
		if (now < values[i].value)
			blocked |= 1u << i;
		wait->waiters[i].instance = instance;
	}
	for (i = 0; i < wait->count; i++)
		if (!(blocked & (1u << i)) && !--wait->remaining)
			return 0;
	if (kmd_adapter_is_fatal(wait->adapter))
		return -ENODEV; /* nobody would end it */
	for (i = 0; i < wait->count; i++)
		if ((blocked & (1u << i)) && wait->waiters[i].instance->fence->error)
			return wait->waiters[i].instance->fence->error;

	for (i = 0; i < wait->count; i++)
		if (blocked & (1u << i))
			kmd_waiter_add(&wait->waiters[i], values[i].value);
	wait->over = false;
	return 1;
}

/* 0, -ETIMEDOUT, -EINTR, or -ETIME when the debug time-out came first (C6a). */
static int kmd_wait_block(struct kmd_wait *wait, const struct drm_ringfence_fence_wait *request)
{
	u64 now = rf_time();
	u64 debug = now + request->debug_timeout;
	int ret;

	if (!request->debug_timeout || debug < now || debug >= request->deadline)
		return rf_completion_wait_interruptible(&wait->completion, request->deadline);
	ret = rf_completion_wait_interruptible(&wait->completion, debug);
	return ret == -ETIMEDOUT ? -ETIME : ret;
}

int kmd_request_fence_wait(struct kmd_file *file, struct kmd_call *call)
{
	const struct drm_ringfence_fence_wait *request = call->arguments;
	struct kmd_domain *domain = file->adapter->domain;
	struct kmd_event *event = NULL;
	struct kmd_wait *wait;
	unsigned long flags;
	int ret;

	if ((request->flags & ~DRM_RINGFENCE_WAIT_ANY) ||
	    (request->event && (request->deadline || request->debug_timeout)))
		return -EINVAL;
	wait = kmd_wait_create(file->adapter, request->fences.count,
			       request->flags & DRM_RINGFENCE_WAIT_ANY);
	if (!wait)
		return -ENOMEM;
	ret = request->event ? kmd_wait_charge(wait, file) : 0;
	if (ret) {
		kmd_wait_free(wait);
		return ret;
	}

	flags = kmd_wait_lock(domain);
	if (request->event) {
		event = kmd_table_find(&file->table, KMD_EVENT, request->event);
		if (!event) {
			ret = -ENOENT;
			goto not_begun;
		}
	}
	ret = kmd_wait_begin(file, wait, call->values);
	if (ret <= 0) {
		if (!ret && event)
			kmd_event_set(event, 0);
		goto not_begun;
	}
	if (event)
		kmd_event_add(event, wait);
	wait->adapter->statistics.waits++;
	kmd_wait_unlock(domain, flags);
	if (event)
		return 0;

	ret = kmd_wait_block(wait, request);

	flags = kmd_wait_lock(domain);
	if (wait->over) {
		ret = wait->result;
	} else {
		if (ret == -ETIME)
			kmd_snapshot_log(file); /* with this wait in it */
		kmd_wait_end(wait, ret);
	}
	kmd_wait_unlock(domain, flags);
	kmd_wait_free(wait);
	return ret;

not_begun:
	kmd_wait_unlock(domain, flags);
	kmd_wait_free(wait);
	return ret;
}
