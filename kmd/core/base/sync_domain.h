/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A sync domain: adapters that may share fences, their common lock, and the pending work that a
 * hold of this lock leaves.
 *
 * Locks of kmd/core, outermost first. Data guarded by two of them is changed under both, and may be
 * read under either.
 *
 *   adapter->mutex            PASSIVE. Life of every object of the adapter, and every PASSIVE
 *                             call of the miniport.
 *   adapter->doorbell_mutex   PASSIVE. Where doorbell pages point. It is not the mutex, because
 *                             the miniport disconnects a victim from inside connect_doorbell
 *                             of another doorbell.
 *   domain->wait_lock         DISPATCH. Waits, events, CurrentValue as the CPU writes it, the
 *                             armed MonitoredValue, doorbell status words, logs. One lock for
 *                             all adapters, since a wait spans fences. A hold accesses the
 *                             device of one adapter at most: kmd_hold_access().
 *   adapter->device_lock      DEVICE. The interrupt service and its notes;
 *                             update_monitored_values (S0-38).
 *   table->lock               DEVICE. A handle table.
 *   adapter->limit_lock       DEVICE. Charges against limits; a leaf.
 *
 * A thread holds locks of one adapter only: what a fence needs on another adapter is pending work, and
 * a broadcast to a linked adapter takes the mutexes one after the other.
 *
 * A pointer is valid as long as the lock is held under which it was looked up: local fences and
 * events under wait_lock or mutex, all others under the mutex. Destruction takes the handle out of
 * its table first, then takes wait_lock.
 */
#ifndef KMD_SYNC_DOMAIN_H
#define KMD_SYNC_DOMAIN_H

#include "base/peers.h"
#include "rf_list.h"
#include "rf_os.h"

struct kmd_adapter;
struct kmd_sync_domain;

/* Steps of work in one hold of wait_lock: bounds the time with interrupts disabled */
#define KMD_HOLD_UNITS 256u

/* Loop iterations in one hold, in core and miniport, as the hosted shell counts them */
#define KMD_HOLD_ROUNDS (8 * KMD_HOLD_UNITS)

/* Pending work. The next step is taken from the first list that is not empty. */
enum kmd_pending {
	KMD_PENDING_READY, /* kernel-mode queues that may be able to continue */
	KMD_PENDING_NOTIFY, /* openings of fences that another adapter has signalled */
	KMD_PENDING_PEERS, /* fences whose peering may have to change */
	KMD_PENDING_UNARMED, /* native fences whose MonitoredValue may be wrong */
	KMD_PENDING_REACHED, /* fences with waiters that are to be ended */
	KMD_PENDING_UNSCHEDULED, /* adapters whose queues may have to enter or leave slots */
	KMD_PENDING_WALKING, /* adapters whose objects are being walked (walk.h) */
	KMD_PENDING_KINDS,
};

/*
 * Takes one step, or several that each spend a unit, of a list that is not empty. wait_lock held.
 */
typedef void (*kmd_pending_step)(struct kmd_sync_domain *domain);

/**
 * struct kmd_pending_steps - functions of higher layers that do pending work
 * @wedged: begin to end the waits of adapters that were marked as wedged
 * @of: by kind
 * @adapter_of: by kind, the adapter whose device the next step may access; NULL: it accesses none
 */
struct kmd_pending_steps {
	kmd_pending_step wedged;
	kmd_pending_step of[KMD_PENDING_KINDS];
	struct kmd_adapter *(*adapter_of[KMD_PENDING_KINDS])(struct kmd_sync_domain *domain);
};

/**
 * struct kmd_sync_domain - adapters that may share fences
 * @os: host
 * @wait_lock: guards all that follows; see also above
 * @units: steps that this hold of @wait_lock may still take
 * @accessed: the adapter whose device this hold has accessed, or NULL
 * @adapters: by kmd_adapter.domain_link
 * @any_wedged: an adapter was marked as wedged, and its waits may have to end; atomic
 * @shared: shared fences, by kmd_fence.shared_link
 * @pending: lists of pending work, by kind
 * @steps: functions for these lists
 * @offers: processes that can be linked, by kmd_pair.offered
 * @peers: fences whose signals may go from device to device
 * @busy: adapters whose device is busy without an interrupt at the end, by kmd_adapter.busy_link;
 *        kmd_sync_domain_go_on() has to be called while there are any
 */
struct kmd_sync_domain {
	struct rf_os *os;
	struct rf_spinlock wait_lock;
	u32 units;
	const struct kmd_adapter *accessed;
	struct rf_list adapters;
	bool any_wedged;
	struct rf_list shared;
	struct rf_list pending[KMD_PENDING_KINDS];
	const struct kmd_pending_steps *steps;
	struct rf_list offers;
	struct kmd_peer_region peers;
	struct rf_list busy;
};

/* @steps: must live as long as the domain */
void kmd_sync_domain_init(struct kmd_sync_domain *domain, struct rf_os *os,
			  const struct kmd_pending_steps *steps);
/*
 * Begin a hold of wait_lock; end it, after as much pending work as its units allow; or end it and
 * begin the next. Any level below DEVICE.
 */
unsigned long kmd_wait_lock(struct kmd_sync_domain *domain);
void kmd_wait_unlock(struct kmd_sync_domain *domain, unsigned long flags);
unsigned long kmd_wait_relock(struct kmd_sync_domain *domain, unsigned long flags);
/* Period of looks whether others have left an object, in ns */
#define KMD_VISIT_PERIOD 20000u
/*
 * Sleep with the lock dropped until *@visits, which it guards, is 0: none uses the object without
 * it. Level PASSIVE. Returns the flags of the hold that found so.
 */
unsigned long kmd_wait_visits(struct kmd_sync_domain *domain, unsigned long flags,
			      const u32 *visits);
/*
 * Do pending work while there are units; part of kmd_wait_unlock(). wait_lock held, here and below.
 */
void kmd_flush_pending(struct kmd_sync_domain *domain);
/*
 * Spend a unit for one step. False: this hold has none left, and the rest has to become pending
 * work.
 */
bool kmd_hold_spend(struct kmd_sync_domain *domain);
/* The same, for a loop that may drop the lock: the next hold begins if no unit is left. */
unsigned long kmd_hold_step(struct kmd_sync_domain *domain, unsigned long flags);

/*
 * This hold is about to access the device of the adapter, and accesses no other one: a device that
 * is slow delays waits for others, but never within a hold that they need. Part of every call of a
 * miniport under wait_lock.
 */
void kmd_hold_access(struct kmd_sync_domain *domain, const struct kmd_adapter *adapter);

/* The peering of a fence, or of all, may have to change: pending work. */
void kmd_peers_changed_of(struct kmd_sync_domain *domain, struct kmd_peer_fence *peer);
void kmd_peers_changed(struct kmd_sync_domain *domain);

#endif /* KMD_SYNC_DOMAIN_H */
