// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * D0 and D3 of the device (S3-42..S3-46).
 *
 * To D3, each step complete before the next:
 *   0. fences that other devices signal by themselves are signalled by the CPU (peering.c)
 *   1. every context is suspended, and the suspension acknowledged; the kernel's own context
 *      leaves its node
 *   2. every doorbell is disconnected, with status RETRY
 *   3. the contents of local memory are saved in system memory (S3-43)
 *   4. the device loses its power, and all its state
 * To D0:
 *   1. the device is programmed again
 *   2. local memory is restored
 *   3. if a doorbell woke the device, it is connected
 *   4. every context is resumed, and the ring of each queue polled as after a doorbell ring (S3-46)
 *
 * A request that needs the device wakes it: kmd_adapter_lock_awake() locks the mutex of an adapter
 * in D0. Operations under wait_lock alone, waits and signals of the CPU, do without the device
 * while it is in D3: a fence is a word in system memory, the new MonitoredValues are sent after the
 * wake-up, and a signal wakes the device then, since a queue may wait for it.
 *
 * Locking: the adapter's mutex throughout; wait_lock and device_lock in addition for the state.
 */
#include "recovery/device_power.h"

#include "base/adapter.h"
#include "base/sync_domain.h"
#include "base/walk.h"
#include "fences/peer_link.h"
#include "queues/doorbell.h"
#include "queues/log.h"
#include "queues/paging.h"
#include "queues/suspension.h"
#include "recovery/recovery.h"
#include "scheduling/node.h"
#include "waits/peering.h"
#include "waits/propagate.h"
#include "kmd.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

static int kmd_power_set_state(struct kmd_adapter *adapter, enum rf_device_power_state state)
{
	const struct rf_set_power_state arguments = { .device_power_state = state };

	return adapter->ddi->set_power_state(adapter->h_adapter, &arguments);
}

static void kmd_power_set_in_d3(struct kmd_adapter *adapter, bool in_d3)
{
	unsigned long wait_flags = kmd_wait_lock(adapter->sync_domain);
	unsigned long flags = rf_spin_lock(&adapter->device_lock);

	adapter->in_d3 = in_d3;
	adapter->wake_wanted = false;
	rf_spin_unlock(&adapter->device_lock, flags);
	kmd_peers_forget(adapter, in_d3);
	kmd_wait_unlock(adapter->sync_domain, wait_flags);
}

/* Unserved interrupts may have been for any fence; retry what was deferred. */
static void kmd_power_evaluate_all(struct kmd_adapter *adapter)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	kmd_adapter_walk(adapter, KMD_WALK_ARM | KMD_WALK_READY);
	kmd_adapter_set_busy(adapter); /* retry what waits for the device */
	kmd_wait_unlock(adapter->sync_domain, flags);
}

static void kmd_power_disconnect_all(struct kmd_adapter *adapter)
{
	struct kmd_doorbell *doorbell;

	rf_list_for_each(doorbell, &adapter->doorbells, link)
		kmd_doorbell_disconnect(doorbell, RF_DOORBELL_DISCONNECTED_RETRY);
}

/* Notifications of other adapters' signals so far. */
static u64 kmd_power_notifications(struct kmd_adapter *adapter)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);
	u64 notifications = adapter->statistics.notifications;

	kmd_wait_unlock(adapter->sync_domain, flags);
	return notifications;
}

/*
 * What came since the queues began to leave the device has not reached them: it has to wake up
 * again.
 */
static void kmd_power_check_notifications(struct kmd_adapter *adapter, u64 before)
{
	unsigned long flags = kmd_wait_lock(adapter->sync_domain);

	if (adapter->statistics.notifications != before)
		kmd_adapter_want_wake(adapter);
	kmd_wait_unlock(adapter->sync_domain, flags);
}

/* @notifications: before queues were suspended */
static int kmd_power_down(struct kmd_adapter *adapter, u64 notifications)
{
	int ret;

	kmd_power_disconnect_all(adapter);
	kmd_power_set_in_d3(adapter, true);
	kmd_power_check_notifications(adapter, notifications);
	ret = rf_local_memory_evict(adapter->bus);
	if (ret) {
		kmd_power_set_in_d3(adapter, false);
		kmd_power_evaluate_all(adapter);
		return ret;
	}
	kmd_power_set_state(adapter, RF_DEVICE_D3);
	kmd_power_evaluate_all(adapter);
	return 0;
}

/* Queues leave the device, and then it loses its power. */
static int kmd_power_empty(struct kmd_adapter *adapter)
{
	u64 notifications = kmd_power_notifications(adapter);
	u32 late = KMD_NODES_MAX;
	int ret = kmd_contexts_suspend_all(adapter, NULL, &late);

	if (!ret && adapter->paging)
		ret = kmd_node_switch_to_null(adapter->paging->node);
	if (!ret)
		ret = kmd_power_down(adapter, notifications);
	if (late < KMD_NODES_MAX)
		kmd_engine_recover(adapter, late);
	if (ret)
		kmd_contexts_resume_all(adapter);
	return ret;
}

int kmd_adapter_sleep(struct kmd_adapter *adapter)
{
	int ret = 0;

	rf_mutex_lock(&adapter->mutex);
	if (!adapter->in_d3)
		kmd_adapter_recover_lost(adapter); /* else it could not start again */
	if (kmd_adapter_is_wedged(adapter)) {
		ret = -ENODEV;
	} else if (!adapter->in_d3) {
		ret = kmd_peers_suspend(adapter, rf_time() + adapter->tdr_timeout);
		if (!ret)
			ret = kmd_power_empty(adapter);
		if (ret)
			kmd_peers_resume(adapter);
	}
	rf_mutex_unlock(&adapter->mutex);
	kmd_adapter_work(adapter);
	return ret;
}

int kmd_adapter_power_up(struct kmd_adapter *adapter)
{
	int ret;

	rf_assert_held(&adapter->mutex);
	if (!adapter->in_d3)
		return 0;
	ret = kmd_power_set_state(adapter, RF_DEVICE_D0);
	if (ret)
		kmd_adapter_wedge(adapter, "the device does not come back from D3");
	rf_local_memory_restore(adapter->bus);
	kmd_power_set_in_d3(adapter, false);
	kmd_peer_links_clean(adapter);
	if (!ret) {
		kmd_logs_restart(adapter);
		kmd_power_evaluate_all(adapter);
	}
	return ret;
}

void kmd_power_wake(struct kmd_adapter *adapter)
{
	rf_assert_held(&adapter->mutex);
	if (!adapter->in_d3)
		return;
	kmd_adapter_power_up(adapter);
	kmd_contexts_resume_all(adapter);
	kmd_logs_enlarge(adapter);
}

void kmd_adapter_lock_awake(struct kmd_adapter *adapter)
{
	rf_mutex_lock(&adapter->mutex);
	kmd_power_wake(adapter);
}

/* mutex held; released if the device is lost */
static int kmd_power_check_wedged(struct kmd_adapter *adapter)
{
	rf_assert_held(&adapter->mutex);
	if (!kmd_adapter_is_wedged(adapter))
		return 0;
	rf_mutex_unlock(&adapter->mutex);
	return -ENODEV;
}

int kmd_request_lock(struct kmd_adapter *adapter)
{
	int ret = rf_mutex_lock_killable(&adapter->mutex);

	return ret ? ret : kmd_power_check_wedged(adapter);
}

int kmd_request_lock_awake(struct kmd_adapter *adapter)
{
	int ret = kmd_request_lock_destroy(adapter);

	return ret ? ret : kmd_power_check_wedged(adapter);
}

int kmd_request_lock_destroy(struct kmd_adapter *adapter)
{
	int ret = rf_mutex_lock_killable(&adapter->mutex);

	if (!ret)
		kmd_power_wake(adapter);
	return ret;
}

int kmd_adapter_wake(struct kmd_adapter *adapter)
{
	kmd_adapter_lock_awake(adapter);
	rf_mutex_unlock(&adapter->mutex);
	return kmd_adapter_is_wedged(adapter) ? -ENODEV : 0;
}
