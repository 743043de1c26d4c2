// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Which queues are resident (docs/scheduling.md). The device schedules the queues in its slots;
 * this file decides which queues these are when there are more queues than slots.
 *
 * A queue that is not in a slot and could run is *runnable*. It enters as soon as a slot is free;
 * otherwise one resident queue is evicted for it:
 *
 *   queue to enter     from the node with the fewest residents, the highest band; within the band
 *                      processes take turns, however many queues they have; within a process the
 *                      queue that has been runnable for longest
 *   queue to evict     a queue that is lost or idle; else one that waits or has stopped at a
 *                      breakpoint; else on the same node one of the lowest band, if that is below;
 *                      else in the same band one that has used its quantum; else, on a node with at
 *                      least two residents more, one of the lowest band. Among equals the one that
 *                      has been so for longest
 *
 * So no queue, no process and no node is starved within a band. Hints of slots may be out of date:
 * if a queue has reported the end of its quantum and no queue can be evicted, its hint is rearmed.
 *
 * A queue that was waiting for a fence when it was preempted is parked until the fence has its
 * value: the kernel waits in its place, as for any CPU waiter (S0-21 holds for resident queues).
 * One that was waiting for a word that is not a fence is runnable again at once, since nothing
 * reports a change of that word.
 *
 * A node whose engine is off or being preempted takes no queues; its queues are runnable like any
 * other.
 *
 * Locking: wait_lock for everything here; miniport functions of level DISPATCH. It is run by
 * kmd_flush_pending(). The work done in one hold depends on the number of slots, nodes and bands,
 * and not on the number of queues.
 */
#include "scheduling/schedule.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/sync_domain.h"
#include "fences/fence.h"
#include "fences/fence_value.h"
#include "scheduling/context.h"
#include "scheduling/node.h"
#include "scheduling/queue.h"
#include "scheduling/residency.h"
#include "scheduling/share.h"
#include "waits/wait.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

static bool kmd_schedule_may_run(const struct kmd_queue *queue)
{
	return !queue->dying && !queue->error && !queue->packet_context &&
	       queue->context->state == KMD_CONTEXT_RESUMED &&
	       (queue->doorbell || !queue->user_mode);
}

static u32 kmd_schedule_slots(const struct kmd_adapter *adapter)
{
	return adapter->caps.hw_queue_slots - adapter->scheduler->taken_slots;
}

static void kmd_schedule_adapter(struct kmd_adapter *adapter)
{
	if (rf_list_empty(&adapter->scheduler->link))
		rf_list_insert(&adapter->scheduler->link,
			       &adapter->sync_domain->pending[KMD_PENDING_UNSCHEDULED]);
}

/* --- runnable queues ---------------------------------------------------------------- */

/* The process is the last of its band to have a turn. */
static void kmd_schedule_share_insert(const struct kmd_queue *queue)
{
	rf_list_insert(&kmd_queue_share(queue)->link,
		       &kmd_queue_node(queue)->runnable[queue->context->priority]);
}

int kmd_scheduler_create(struct kmd_adapter *adapter)
{
	struct kmd_scheduler *scheduler = rf_alloc(sizeof(*scheduler));

	if (!scheduler)
		return -ENOMEM;
	scheduler->adapter = adapter;
	rf_list_init(&scheduler->link);
	rf_list_init(&scheduler->in_slots);
	adapter->scheduler = scheduler;
	return 0;
}

void kmd_scheduler_destroy(struct kmd_adapter *adapter)
{
	rf_free(adapter->scheduler);
}

int kmd_schedule_file_create(struct kmd_file *file)
{
	u32 count = file->adapter->caps.node_count * RF_PRIORITY_BANDS, i;

	file->shares = rf_alloc(count * sizeof(file->shares[0]));
	if (!file->shares)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		rf_list_init(&file->shares[i].link);
		rf_list_init(&file->shares[i].queues);
		rf_list_init(&file->shares[i].packet_link);
		rf_list_init(&file->shares[i].packets);
	}
	return 0;
}

void kmd_schedule_file_destroy(struct kmd_file *file)
{
	rf_free(file->shares);
}

static void kmd_schedule_set_runnable(struct kmd_queue *queue)
{
	struct kmd_share *share = kmd_queue_share(queue);

	if (queue->residency.state != KMD_QUEUE_OUT || !kmd_schedule_may_run(queue))
		return;
	if (rf_list_empty(&queue->residency.runnable_link)) {
		rf_list_insert(&queue->residency.runnable_link, &share->queues);
		queue->file->adapter->scheduler->runnable++;
	}
	if (rf_list_empty(&share->link))
		kmd_schedule_share_insert(queue);
	kmd_schedule_adapter(queue->file->adapter);
}

void kmd_schedule_remove(struct kmd_queue *queue)
{
	struct kmd_share *share = kmd_queue_share(queue);

	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	if (rf_list_empty(&queue->residency.runnable_link))
		return;
	rf_list_remove(&queue->residency.runnable_link);
	queue->file->adapter->scheduler->runnable--;
	if (rf_list_empty(&share->queues))
		rf_list_remove(&share->link);
}

/* The queue enters a slot: other processes have the next turn. */
static void kmd_schedule_take_turn(struct kmd_queue *queue)
{
	struct kmd_share *share = kmd_queue_share(queue);

	kmd_schedule_remove(queue);
	if (rf_list_empty(&share->link))
		return;
	rf_list_remove(&share->link);
	kmd_schedule_share_insert(queue);
}

/* --- queues with work --------------------------------------------------------------- */

static bool kmd_schedule_query_work(struct kmd_queue *queue)
{
	struct rf_query_hw_queue_work query = { .h_hw_queue = queue->h_hw_queue };
	struct kmd_adapter *adapter = queue->file->adapter;

	kmd_hold_access(adapter->sync_domain, adapter);
	adapter->ddi->query_hw_queue_work(adapter->h_adapter, &query);
	return query.has_work;
}

void kmd_schedule_poll_ring(struct kmd_queue *queue)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	if (queue->residency.state == KMD_QUEUE_OUT && !queue->residency.parked &&
	    kmd_schedule_may_run(queue) && kmd_schedule_query_work(queue))
		kmd_schedule_set_runnable(queue);
}

bool kmd_schedule_has_work(struct kmd_queue *queue)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	if (queue->dying || queue->error || queue->packet_context ||
	    queue->context->state != KMD_CONTEXT_RESUMED)
		return false;
	return queue->residency.parked || kmd_schedule_query_work(queue);
}

void kmd_schedule_begin(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;

	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	/* user mode will ring its doorbell soon, and a slot is free */
	if (adapter->scheduler->residents < kmd_schedule_slots(adapter) &&
	    kmd_node_is_open(kmd_queue_node(queue)))
		kmd_schedule_set_runnable(queue);
	else
		kmd_schedule_poll_ring(queue);
}

/* --- parked queues ------------------------------------------------------------------ */

/* The local fence in the queue's process, or NULL. */
static struct kmd_local_fence *kmd_schedule_find_local_fence(const struct kmd_queue *queue,
							     void *h_native_fence)
{
	const struct kmd_opening *opening = kmd_table_find(
		&queue->file->adapter->globals, KMD_FENCE, (u32)(uintptr_t)h_native_fence);
	struct kmd_local_fence *local;

	if (!opening)
		return NULL;
	rf_list_for_each(local, &queue->file->local_fences, link)
		if (local->opening == opening)
			return local;
	return NULL;
}

static void kmd_schedule_park(struct kmd_queue *queue, struct kmd_local_fence *local, u64 value)
{
	queue->residency.parked = true;
	/* else it stays parked until it is destroyed: the fence will not be signalled any more */
	if (!local->fence->error)
		kmd_wait_for_one(queue->residency.parked_wait, local, value);
}

static void kmd_schedule_unpark(struct kmd_queue *queue)
{
	queue->residency.parked = false;
	kmd_wait_cancel(queue->residency.parked_wait);
}

/* The completion of a parked queue's wait. */
static void kmd_schedule_complete_parked_wait(struct kmd_wait *wait, int result)
{
	(void)result; /* the result does not matter */
	kmd_schedule_unpark(wait->owner);
	kmd_schedule_set_runnable(wait->owner);
}

int kmd_schedule_queue_init(struct kmd_queue *queue)
{
	rf_list_init(&queue->residency.runnable_link);
	rf_list_init(&queue->residency.slot_link);
	queue->residency.parked_wait = kmd_wait_create(queue->file->adapter, 1, false);
	if (!queue->residency.parked_wait)
		return -ENOMEM;
	queue->residency.parked_wait->complete = kmd_schedule_complete_parked_wait;
	queue->residency.parked_wait->owner = queue;
	return 0;
}

void kmd_schedule_queue_free(struct kmd_queue *queue)
{
	kmd_wait_free(queue->residency.parked_wait);
}

/* --- leaving a slot ----------------------------------------------------------------- */

static void kmd_schedule_set_leaving(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;

	queue->residency.state = KMD_QUEUE_LEAVING;
	adapter->scheduler->leaving++;
}

static void kmd_observe_preempt(struct kmd_queue *queue, bool done)
{
	struct kmd_adapter *adapter = queue->file->adapter;

	if (adapter->observer)
		adapter->observer->preempt(adapter->observer_argument, queue->file->shell,
					   queue->handle, queue->node, done);
}

static void kmd_schedule_evict(struct kmd_queue *queue)
{
	const struct rf_evict_hw_queue arguments = { .h_hw_queue = queue->h_hw_queue };
	struct kmd_adapter *adapter = queue->file->adapter;

	kmd_schedule_set_leaving(queue);
	adapter->statistics.evictions++;
	kmd_observe_preempt(queue, false);
	kmd_hold_access(adapter->sync_domain, adapter);
	adapter->ddi->evict_hw_queue(adapter->h_adapter, &arguments);
}

static void kmd_schedule_set_out(struct kmd_queue *queue)
{
	struct kmd_adapter *adapter = queue->file->adapter;

	if (queue->residency.state == KMD_QUEUE_OUT)
		return;
	if (queue->residency.state == KMD_QUEUE_LEAVING)
		adapter->scheduler->leaving--;
	adapter->scheduler->residents--;
	kmd_queue_node(queue)->residents--;
	rf_list_remove(&queue->residency.slot_link);
	queue->residency.state = KMD_QUEUE_OUT;
	kmd_schedule_adapter(adapter);
}

void kmd_schedule_preempted(struct kmd_queue *queue, bool is_waiting, void *h_native_fence,
			    u64 value)
{
	struct kmd_local_fence *local = NULL;

	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	/* the wait command was in the ring that was taken away */
	if (is_waiting && !queue->residency.ringless)
		local = kmd_schedule_find_local_fence(queue, h_native_fence);
	queue->residency.ringless = false;
	kmd_observe_preempt(queue, true);
	kmd_schedule_set_out(queue);
	if (!queue->user_mode)
		kmd_queue_set_ready(queue);
	if (queue->error)
		queue->halted = true;
	else if (local && kmd_fence_read(local->fence) < value)
		kmd_schedule_park(queue, local, value);
	else
		kmd_schedule_poll_ring(queue);
}

void kmd_schedule_yield(struct kmd_queue *queue, enum rf_yield_kind kind)
{
	struct kmd_adapter *adapter = queue->file->adapter;

	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	if (queue->residency.state != KMD_QUEUE_RESIDENT)
		return;
	queue->residency.yield = kind;
	queue->residency.since = ++adapter->scheduler->turns;
	if (adapter->scheduler->runnable)
		kmd_schedule_adapter(adapter);
}

void kmd_schedule_end(struct kmd_queue *queue)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	kmd_schedule_unpark(queue);
	kmd_schedule_remove(queue);
	if (queue->residency.state == KMD_QUEUE_RESIDENT)
		kmd_schedule_evict(queue);
	queue->residency.ringless = queue->residency.state == KMD_QUEUE_LEAVING;
}

void kmd_schedule_lost(struct kmd_queue *queue)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	kmd_schedule_unpark(queue);
	kmd_schedule_remove(queue);
	if (queue->residency.state == KMD_QUEUE_OUT && !queue->packet_context)
		queue->halted = true;
	else if (queue->residency.state == KMD_QUEUE_RESIDENT && !queue->halted)
		kmd_schedule_evict(queue);
}

/* It keeps its slot until the miniport has destroyed it, but is not evicted. */
void kmd_schedule_destroy(struct kmd_queue *queue)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	kmd_schedule_remove(queue);
	rf_list_remove(&queue->residency.slot_link);
}

void kmd_schedule_destroyed(struct kmd_queue *queue)
{
	rf_assert_held(&queue->file->adapter->sync_domain->wait_lock);
	kmd_schedule_unpark(queue);
	kmd_schedule_remove(queue);
	kmd_schedule_set_out(queue);
}

void kmd_schedule_suspend(struct kmd_context *context)
{
	struct kmd_queue *queue;

	rf_assert_held(&context->file->adapter->sync_domain->wait_lock);
	rf_list_for_each(queue, &context->members, context_link) {
		kmd_schedule_remove(queue);
		if (queue->residency.state == KMD_QUEUE_RESIDENT)
			kmd_schedule_set_leaving(queue); /* suspend_context evicts it */
	}
}

void kmd_schedule_resume(struct kmd_context *context)
{
	struct kmd_queue *queue;

	rf_assert_held(&context->file->adapter->sync_domain->wait_lock);
	rf_list_for_each(queue, &context->members, context_link)
		kmd_schedule_poll_ring(queue);
}

void kmd_schedule_evict_node(struct kmd_adapter *adapter, u32 node)
{
	struct kmd_queue *queue, *next;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	rf_list_for_each_safe(queue, next, &adapter->scheduler->in_slots, residency.slot_link)
		if (queue->node == node && queue->residency.state == KMD_QUEUE_RESIDENT)
			kmd_schedule_evict(queue);
}

bool kmd_schedule_is_empty(struct kmd_adapter *adapter, u32 node)
{
	return !adapter->nodes[node].residents;
}

void kmd_schedule_retry(struct kmd_adapter *adapter)
{
	rf_assert_held(&adapter->sync_domain->wait_lock);
	if (adapter->scheduler->runnable)
		kmd_schedule_adapter(adapter);
}

bool kmd_schedule_is_anything_runnable(const struct kmd_adapter *adapter)
{
	return adapter->scheduler->runnable;
}

bool kmd_schedule_has_runnable(const struct kmd_adapter *adapter, u32 node)
{
	u32 band;

	for (band = 0; band < RF_PRIORITY_BANDS; band++)
		if (!rf_list_empty(&adapter->nodes[node].runnable[band]))
			return true;
	return false;
}

/* --- queues that enter -------------------------------------------------------------- */

/* The next runnable queue of a node to enter, or NULL. */
static struct kmd_queue *kmd_schedule_first_runnable(struct kmd_adapter *adapter, u32 ordinal)
{
	struct kmd_node *node = &adapter->nodes[ordinal];
	u32 band = RF_PRIORITY_BANDS;
	struct kmd_share *share;

	while (kmd_node_is_open(node) && band--) {
		if (rf_list_empty(&node->runnable[band]))
			continue;
		share = rf_list_first(&node->runnable[band], struct kmd_share, link);
		return rf_list_first(&share->queues, struct kmd_queue, residency.runnable_link);
	}
	return NULL;
}

/* True: it is resident, or never will be. */
static bool kmd_schedule_enter(struct kmd_queue *queue)
{
	struct rf_make_hw_queue_resident arguments = { .h_hw_queue = queue->h_hw_queue };
	struct kmd_adapter *adapter = queue->file->adapter;
	int ret;

	if (adapter->scheduler->residents >= kmd_schedule_slots(adapter))
		return false;
	kmd_hold_access(adapter->sync_domain, adapter);
	ret = adapter->ddi->make_hw_queue_resident(adapter->h_adapter, &arguments);
	if (ret == -EIO)
		kmd_adapter_want_reset(adapter);
	if (ret == -EIO || ret == -EINPROGRESS || arguments.is_busy)
		kmd_adapter_set_busy(adapter);
	if (ret == -EBUSY || ret == -EINPROGRESS || ret == -EIO)
		return false;
	kmd_schedule_take_turn(queue);
	if (ret) {
		kmd_adapter_set_wedged(adapter, "make_hw_queue_resident failed");
		return true;
	}
	queue->residency.state = KMD_QUEUE_RESIDENT;
	queue->residency.yield = RF_YIELD_NONE;
	queue->residency.since = ++adapter->scheduler->turns;
	rf_list_insert(&queue->residency.slot_link, &adapter->scheduler->in_slots);
	adapter->scheduler->residents++;
	kmd_queue_node(queue)->residents++;
	adapter->statistics.residences++;
	return true;
}

/* --- queues that make room ----------------------------------------------------------------- */

enum reason { STAYS, FAR, HAD_ITS_TURN, BELOW, BLOCKED, IDLE };

static enum reason kmd_schedule_reason_to_leave(const struct kmd_queue *queue,
						const struct kmd_queue *runnable,
						const u32 *residents)
{
	if (queue->residency.state != KMD_QUEUE_RESIDENT)
		return STAYS;
	if (queue->error || queue->residency.yield == RF_YIELD_IDLE)
		return IDLE;
	if (queue->trapped || queue->residency.yield == RF_YIELD_BLOCKED)
		return BLOCKED;
	if (queue->node != runnable->node)
		return residents[queue->node] >= residents[runnable->node] + 2 ? FAR : STAYS;
	if (queue->context->priority < runnable->context->priority)
		return BELOW;
	if (queue->context->priority == runnable->context->priority &&
	    queue->residency.yield == RF_YIELD_QUANTUM)
		return HAD_ITS_TURN;
	return STAYS;
}

static bool kmd_schedule_leaves_before(const struct kmd_queue *queue, const struct kmd_queue *other,
				       enum reason reason)
{
	if ((reason == BELOW || reason == FAR) &&
	    queue->context->priority != other->context->priority)
		return queue->context->priority < other->context->priority;
	return queue->residency.since < other->residency.since;
}

static struct kmd_queue *kmd_schedule_find_victim(struct kmd_adapter *adapter,
						  const struct kmd_queue *runnable,
						  const u32 *residents)
{
	struct kmd_queue *queue, *victim = NULL;
	enum reason best = STAYS;

	rf_list_for_each(queue, &adapter->scheduler->in_slots, residency.slot_link) {
		enum reason reason = kmd_schedule_reason_to_leave(queue, runnable, residents);

		if (reason == STAYS || reason < best)
			continue;
		if (reason > best || kmd_schedule_leaves_before(queue, victim, reason)) {
			victim = queue;
			best = reason;
		}
	}
	return victim;
}

/* The ends of quanta reported so far are out of date: have them reported again. */
static void kmd_schedule_rearm_quantum(struct kmd_adapter *adapter)
{
	struct kmd_queue *queue;

	rf_list_for_each(queue, &adapter->scheduler->in_slots, residency.slot_link) {
		const struct rf_rearm_hw_queue arguments = { .h_hw_queue = queue->h_hw_queue };

		if (queue->residency.state != KMD_QUEUE_RESIDENT ||
		    queue->residency.yield != RF_YIELD_QUANTUM)
			continue;
		queue->residency.yield = RF_YIELD_NONE;
		kmd_hold_access(adapter->sync_domain, adapter);
		adapter->ddi->rearm_hw_queue(adapter->h_adapter, &arguments);
	}
}

void kmd_schedule_rearm_all(struct kmd_adapter *adapter)
{
	struct kmd_queue *queue;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	rf_list_for_each(queue, &adapter->scheduler->in_slots, residency.slot_link) {
		const struct rf_rearm_hw_queue arguments = { .h_hw_queue = queue->h_hw_queue };

		if (queue->residency.state != KMD_QUEUE_RESIDENT)
			continue;
		queue->residency.yield = RF_YIELD_NONE;
		kmd_hold_access(adapter->sync_domain, adapter);
		adapter->ddi->rearm_hw_queue(adapter->h_adapter, &arguments);
	}
}

/* --- moves ---------------------------------------------------------------------------------- */

static void kmd_schedule_count_residents(struct kmd_adapter *adapter, u32 *residents)
{
	struct kmd_queue *queue;
	u32 node;

	for (node = 0; node < KMD_NODES_MAX; node++)
		residents[node] = 0;
	rf_list_for_each(queue, &adapter->scheduler->in_slots, residency.slot_link)
		if (queue->residency.state == KMD_QUEUE_RESIDENT)
			residents[queue->node]++;
}

/* Remove from @nodes the one with the fewest residents, and return it. */
static u32 kmd_schedule_take_poorest(u32 *nodes, const u32 *residents)
{
	u32 node, poorest = KMD_NODES_MAX;

	for (node = 0; node < KMD_NODES_MAX; node++)
		if ((*nodes & (1u << node)) &&
		    (poorest == KMD_NODES_MAX || residents[node] < residents[poorest]))
			poorest = node;
	*nodes &= ~(1u << poorest);
	return poorest;
}

/* Move one queue into or out of a slot; false: there is nothing more to do now. */
static bool kmd_schedule_take_step(struct kmd_adapter *adapter)
{
	u32 nodes = (1u << adapter->caps.node_count) - 1;
	u32 residents[KMD_NODES_MAX];
	struct kmd_queue *runnable, *victim;
	bool waiting = false;

	kmd_schedule_count_residents(adapter, residents);
	while (nodes) {
		runnable = kmd_schedule_first_runnable(
			adapter, kmd_schedule_take_poorest(&nodes, residents));
		if (!runnable)
			continue;
		if (kmd_schedule_enter(runnable))
			return true;
		if (adapter->scheduler->leaving || kmd_adapter_wants_reset(adapter) ||
		    !rf_list_empty(&adapter->busy_link))
			return false; /* a queue can enter soon */
		victim = kmd_schedule_find_victim(adapter, runnable, residents);
		if (victim) {
			kmd_schedule_evict(victim);
			return false;
		}
		waiting = true;
	}
	if (waiting)
		kmd_schedule_rearm_quantum(adapter);
	return false;
}

/* A step visits all slots, and costs as many units; false: this hold has too few. */
static bool kmd_schedule_spend_step(struct kmd_adapter *adapter)
{
	u32 i;

	for (i = 0; i < adapter->scheduler->residents; i++)
		if (!kmd_hold_spend(adapter->sync_domain))
			return false;
	return true;
}

/* Move queues into and out of slots. */
static void kmd_schedule_run(struct kmd_adapter *adapter)
{
	rf_list_remove(&adapter->scheduler->link);
	while (adapter->scheduler->runnable && !kmd_adapter_is_wedged(adapter)) {
		if (!kmd_schedule_spend_step(adapter)) {
			kmd_schedule_adapter(adapter);
			return;
		}
		/* a busy device gets no more requests before a moment has passed */
		if (!kmd_schedule_take_step(adapter) || !rf_list_empty(&adapter->busy_link))
			return;
	}
}

struct kmd_adapter *kmd_adapter_to_schedule(struct kmd_sync_domain *domain)
{
	return rf_list_first(&domain->pending[KMD_PENDING_UNSCHEDULED], struct kmd_scheduler, link)
		->adapter;
}

void kmd_step_unscheduled(struct kmd_sync_domain *domain)
{
	rf_assert_held(&domain->wait_lock);
	kmd_schedule_run(kmd_adapter_to_schedule(domain));
}

/* --- slots for packet contexts ------------------------------------------------------ */

/*
 * A queue that has reported that it could leave, or else the one that has been resident for
 * longest.
 */
static struct kmd_queue *kmd_schedule_find_leaver(struct kmd_adapter *adapter)
{
	struct kmd_queue *queue, *leaver = NULL;

	rf_list_for_each(queue, &adapter->scheduler->in_slots, residency.slot_link) {
		bool willing = queue->error || queue->residency.yield != RF_YIELD_NONE;

		if (queue->residency.state != KMD_QUEUE_RESIDENT)
			continue;
		if (!leaver || (willing && leaver->residency.yield == RF_YIELD_NONE) ||
		    (willing == (leaver->residency.yield != RF_YIELD_NONE) &&
		     queue->residency.since < leaver->residency.since))
			leaver = queue;
	}
	return leaver;
}

/* True: there are free slots. wait_lock held. */
static bool kmd_schedule_make_room(struct kmd_adapter *adapter)
{
	struct kmd_queue *queue;

	rf_assert_held(&adapter->sync_domain->wait_lock);
	if (adapter->scheduler->residents <= kmd_schedule_slots(adapter))
		return true;
	while (adapter->scheduler->residents - adapter->scheduler->leaving >
	       kmd_schedule_slots(adapter)) {
		queue = kmd_schedule_find_leaver(adapter);
		if (!queue)
			break;
		kmd_schedule_evict(queue);
	}
	return false;
}

/* Sleep for a moment: the completion only times out. */
static void kmd_schedule_wait_a_moment(struct kmd_sync_domain *domain)
{
	struct rf_completion never;

	rf_completion_init(&never, domain->os);
	rf_completion_wait(&never, rf_time() + 20000);
	rf_completion_destroy(&never);
}

int kmd_schedule_take_slots(struct kmd_adapter *adapter, u32 count)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	u64 deadline = rf_time() + adapter->tdr_timeout;
	unsigned long flags;
	bool room;

	flags = kmd_wait_lock(domain);
	if (kmd_schedule_slots(adapter) <= count) {
		kmd_wait_unlock(domain, flags);
		return count ? -EBUSY : 0;
	}
	adapter->scheduler->taken_slots += count;
	while (!(room = kmd_schedule_make_room(adapter)) && rf_time() < deadline &&
	       !kmd_adapter_is_wedged(adapter)) {
		kmd_wait_unlock(domain, flags);
		kmd_schedule_wait_a_moment(domain);
		flags = kmd_wait_lock(domain);
	}
	kmd_wait_unlock(domain, flags);
	if (!room)
		kmd_schedule_give_slots(adapter, count);
	if (kmd_adapter_is_wedged(adapter))
		return -ENODEV;
	return room ? 0 : -EBUSY;
}

void kmd_schedule_give_slots(struct kmd_adapter *adapter, u32 count)
{
	struct kmd_sync_domain *domain = adapter->sync_domain;
	unsigned long flags = kmd_wait_lock(domain);

	adapter->scheduler->taken_slots -= count;
	kmd_schedule_adapter(adapter);
	kmd_wait_unlock(domain, flags);
}
