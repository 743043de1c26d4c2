/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A sync domain: adapters that may share fences, the lock that is common to them, and the work
 * that a hold of this lock leaves behind.
 *
 * Locks of kmd/core, outermost first. What is guarded by two of them is changed under both, and
 * may be read under either.
 *
 *   adapter->mutex            PASSIVE. Life of everything on the adapter, and every PASSIVE
 *                             call of the miniport.
 *   adapter->doorbell_mutex   PASSIVE. Where doorbell pages point. It is not the mutex, because
 *                             the miniport disconnects a victim from inside connect_doorbell
 *                             of another doorbell.
 *   domain->wait_lock         DISPATCH. Waits, events, CurrentValue as the CPU writes it, the
 *                             armed MonitoredValue, doorbell status words, logs. One lock for
 *                             all adapters, since a wait spans fences.
 *   adapter->device_lock      DEVICE. The interrupt service and its notes;
 *                             update_monitored_values (S0-38).
 *   table->lock               DEVICE. A handle table.
 *   adapter->limit_lock       DEVICE. Charges against limits; a leaf.
 *
 * A pointer that was looked up is good as long as the lock is held under which it was looked up:
 * local fences and events under wait_lock or mutex, all others under the mutex. Destruction takes
 * the handle out of its table first, then takes wait_lock.
 */
#ifndef KMD_SYNC_DOMAIN_H
#define KMD_SYNC_DOMAIN_H

#include "rf_list.h"
#include "rf_os.h"

struct kmd_sync_domain;

/* Steps of work in one hold of wait_lock: the bound of the time with interrupts off */
#define KMD_HOLD_UNITS 256u

/* Rounds of loops in one hold, in core and miniport, as the hosted shell counts them */
#define KMD_HOLD_ROUNDS (8 * KMD_HOLD_UNITS)

/* Pending work. The first list that is not empty has the next step. */
enum kmd_pending {
	KMD_PENDING_READY, /* kernel-mode queues that may go on */
	KMD_PENDING_UNARMED, /* native fences whose MonitoredValue may be wrong */
	KMD_PENDING_REACHED, /* fences with waiters that are to end */
	KMD_PENDING_UNSCHEDULED, /* adapters whose queues may have to move */
	KMD_PENDING_WALKING, /* adapters whose objects are looked at one by one */
	KMD_PENDING_KINDS,
};

/* Takes one step, or some that it spends units on, of a list that is not empty. wait_lock held. */
typedef void (*kmd_pending_step)(struct kmd_sync_domain *domain);

/**
 * struct kmd_pending_steps - what is done with pending work, by the layers above
 * @wedged: begin to end the waits of adapters that were marked as wedged
 * @of: by kind
 */
struct kmd_pending_steps {
	kmd_pending_step wedged;
	kmd_pending_step of[KMD_PENDING_KINDS];
};

/**
 * struct kmd_sync_domain - adapters that may share fences
 * @os: host
 * @wait_lock: guards all that follows, and see above
 * @units: steps that this hold of @wait_lock may still take
 * @adapters: by kmd_adapter.domain_link
 * @any_wedged: an adapter was marked as wedged, and its waits may have to end; atomic
 * @shared: shared fences, by kmd_fence.shared_link
 * @pending: work that is left, by kind
 * @steps: for these lists
 * @busy: adapters whose device does something whose end no interrupt reports, by
 *        kmd_adapter.busy_link: kmd_sync_domain_go_on() is to be called while there are any
 */
struct kmd_sync_domain {
	struct rf_os *os;
	struct rf_spinlock wait_lock;
	u32 units;
	struct rf_list adapters;
	bool any_wedged;
	struct rf_list shared;
	struct rf_list pending[KMD_PENDING_KINDS];
	const struct kmd_pending_steps *steps;
	struct rf_list busy;
};

/* @steps: stays as long as the domain */
void kmd_sync_domain_init(struct kmd_sync_domain *domain, struct rf_os *os,
			  const struct kmd_pending_steps *steps);
/* Begin a hold of wait_lock; end it, after as much pending work as it may do; or both, one after
 * the other. Any level below DEVICE. */
unsigned long kmd_wait_lock(struct kmd_sync_domain *domain);
void kmd_wait_unlock(struct kmd_sync_domain *domain, unsigned long flags);
unsigned long kmd_wait_relock(struct kmd_sync_domain *domain, unsigned long flags);
/* What kmd_wait_unlock() does before it unlocks. wait_lock held, here and below. */
void kmd_flush_pending(struct kmd_sync_domain *domain);
/* Take a unit for one step. False: this hold has none left, and what is left to be done has to
 * become pending work. */
bool kmd_hold_spend(struct kmd_sync_domain *domain);
/* The same, for a loop that can be interrupted: the next hold begins if there is none left. */
unsigned long kmd_hold_step(struct kmd_sync_domain *domain, unsigned long flags);

#endif /* KMD_SYNC_DOMAIN_H */
