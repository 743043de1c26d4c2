/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The miniport of one device: the objects of all layers in one allocation. Lower layers find theirs
 * by the pointers of struct rf_hw; only files that start or stop the whole include this.
 */
#ifndef RF_MINIPORT_H
#define RF_MINIPORT_H

#include "rf_bus.h"
#include "rf_doorbell.h"
#include "rf_engine.h"
#include "rf_fence.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_interrupt_ring.h"
#include "rf_invalidation.h"
#include "rf_packet_queue.h"
#include "rf_peer.h"
#include "rf_power.h"
#include "rf_quarantine.h"
#include "rf_queue.h"
#include "rf_record.h"
#include "rf_save_area.h"
#include "rf_slot.h"
#include "rf_space.h"

struct rf_miniport {
	struct rf_hw hw;
	struct rf_engines engines;
	struct rf_slots slots;
	struct rf_quarantine quarantine;
	struct rf_invalidations invalidations;
	struct rf_spaces spaces;
	struct rf_fences fences;
	struct rf_peers peers;
	struct rf_save_pages save_pages;
	struct rf_hw_contexts contexts;
	struct rf_queues queues;
	struct rf_doorbells doorbells;
	struct rf_packet_queue packet_queue[RF_NODES_MAX];
	struct rf_interrupt_ring interrupt_ring;
	struct rf_records records;
	struct rf_power power;
};

/* Makes no access to the device. NULL: no memory. PASSIVE. */
struct rf_miniport *rf_miniport_create(struct rf_bus *bus);
void rf_miniport_destroy(struct rf_miniport *miniport);

#endif /* RF_MINIPORT_H */
