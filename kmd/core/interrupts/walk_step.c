// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The operations of a walk on each object. Locking: wait_lock. */
#include "interrupts/walk_step.h"

#include "base/adapter.h"
#include "base/file.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "fences/fence.h"
#include "queues/doorbell.h"
#include "queues/log.h"
#include "scheduling/context.h"
#include "scheduling/queue.h"
#include "scheduling/schedule.h"
#include "waits/evaluate.h"
#include "waits/event.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

/* False: the next hold has to continue with this fence. */
static bool kmd_walk_fence(struct kmd_opening *opening, u32 what)
{
	bool is_native = opening->is_native;

	if ((what & KMD_WALK_FAIL_WAITS) && !kmd_opening_fail_waits(opening))
		return false;
	/* in D3 local memory cannot be read */
	if (opening->adapter->in_d3 && opening->fence->type != RF_NATIVE_FENCE_TYPE_DEFAULT)
		return true;
	/* a posted value may not have arrived before the device lost its memory: send it again */
	if (is_native && ((what & KMD_WALK_REARM) || ((what & KMD_WALK_ARM) && opening->posted)))
		kmd_opening_rearm(opening);
	else if (what & (KMD_WALK_ARM | (is_native ? KMD_WALK_NATIVE : KMD_WALK_MONITORED)))
		kmd_opening_check(opening);
	if (what & KMD_WALK_LOST)
		kmd_opening_find_lost_wakeup(opening);
	return true;
}

/* Visit it again in the next step. */
static void kmd_walk_repeat(struct kmd_walked *walked, struct rf_list *list)
{
	walked->round--;
	rf_list_remove(&walked->link);
	rf_list_insert(&walked->link, list->next);
}

/* False: the next hold has to continue with this queue. */
static bool kmd_walk_queue(struct kmd_queue *queue, u32 what)
{
	if ((what & KMD_WALK_FAIL_WAITS) && queue->doorbell)
		kmd_doorbell_abort(queue->doorbell);
	if ((what & KMD_WALK_READY) && !queue->user_mode)
		kmd_queue_set_ready(queue);
	if (what & KMD_WALK_POLL_RINGS)
		kmd_schedule_poll_ring(queue);
	if (queue->file->adapter->in_d3)
		return true;
	if ((what & KMD_WALK_EVALUATE) && (queue->file->adapter->walk.nodes >> queue->node & 1))
		return kmd_queue_read_logs(queue, true);
	return !(what & KMD_WALK_LOGS) || kmd_queue_read_logs(queue, false);
}

/* The next object to be visited for one of these operations, or NULL. */
static struct kmd_walked *kmd_walk_next_for(struct kmd_adapter *adapter, u32 what,
					    struct rf_list *list)
{
	u64 round =
		list == &adapter->walk.all_queues ? adapter->walk.queue_round : adapter->walk.round;

	return adapter->walk.what & what ? kmd_walk_next(list, round) : NULL;
}

static void kmd_walk_step(struct kmd_adapter *adapter)
{
	struct kmd_walked *walked;

	walked = kmd_walk_next_for(adapter, KMD_WALK_ALL_FENCES, &adapter->walk.all_fences);
	if (walked) {
		if (!kmd_walk_fence(rf_list_entry(walked, struct kmd_opening, walked),
				    adapter->walk.what & KMD_WALK_ALL_FENCES))
			kmd_walk_repeat(walked, &adapter->walk.all_fences);
		return;
	}
	walked = kmd_walk_next_for(adapter, KMD_WALK_WATCHED_FENCES, &adapter->walk.watched_fences);
	if (walked) {
		kmd_walk_fence(rf_list_entry(walked, struct kmd_opening, watched),
			       adapter->walk.what & KMD_WALK_WATCHED_FENCES);
		return;
	}
	walked = kmd_walk_next_for(adapter, KMD_WALK_QUEUES, &adapter->walk.all_queues);
	if (walked) {
		if (!kmd_walk_queue(rf_list_entry(walked, struct kmd_queue, walked),
				    adapter->walk.what))
			kmd_walk_repeat(walked, &adapter->walk.all_queues);
		return;
	}
	walked = kmd_walk_next_for(adapter, KMD_WALK_FAIL_WAITS, &adapter->walk.all_contexts);
	if (walked) {
		rf_completion_complete(
			&rf_list_entry(walked, struct kmd_context, walked)->completion);
		return;
	}
	walked = kmd_walk_next_for(adapter, KMD_WALK_FAIL_WAITS, &adapter->walk.all_events);
	if (walked) {
		rf_completion_complete(
			&rf_list_entry(walked, struct kmd_event, walked)->completion);
		return;
	}
	adapter->walk.what = 0;
	adapter->walk.nodes = 0;
	rf_list_remove(&adapter->walk.link);
}

struct kmd_adapter *kmd_adapter_to_walk(struct kmd_sync_domain *domain)
{
	return rf_list_first(&domain->pending[KMD_PENDING_WALKING], struct kmd_adapter, walk.link);
}

void kmd_step_walking(struct kmd_sync_domain *domain)
{
	rf_assert_held(&domain->wait_lock);
	kmd_walk_step(kmd_adapter_to_walk(domain));
}
