// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The miniport of one device: see rf_miniport.h. */
#include "rf_miniport.h"
#include "rf_bus.h"
#include "rf_fence.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_os.h"
#include "rf_packet_node.h"
#include "rf_packet_queue.h"
#include "rf_quarantine.h"
#include "rf_queue.h"
#include "rf_save_area.h"
#include "rf_types.h"

static void rf_miniport_link(struct rf_miniport *miniport)
{
	struct rf_hw *hw = &miniport->hw;

	hw->engines = &miniport->engines;
	hw->slots = &miniport->slots;
	hw->quarantine = &miniport->quarantine;
	hw->invalidations = &miniport->invalidations;
	hw->spaces = &miniport->spaces;
	hw->fences = &miniport->fences;
	hw->peers = &miniport->peers;
	hw->save_pages = &miniport->save_pages;
	hw->contexts = &miniport->contexts;
	hw->queues = &miniport->queues;
	hw->doorbells = &miniport->doorbells;
	hw->packet_queue = miniport->packet_queue;
	hw->interrupt_ring = &miniport->interrupt_ring;
	hw->records = &miniport->records;
	hw->power = &miniport->power;
}

struct rf_miniport *rf_miniport_create(struct rf_bus *bus)
{
	struct rf_miniport *miniport = rf_alloc(sizeof(*miniport));
	u32 i;

	if (!miniport)
		return NULL;
	miniport->hw.bus = bus;
	rf_spin_init(&miniport->hw.lock, bus->os);
	rf_miniport_link(miniport);
	rf_quarantine_init(&miniport->quarantine);
	rf_fences_init(&miniport->fences);
	rf_save_pages_init(&miniport->save_pages);
	rf_hw_contexts_init(&miniport->contexts);
	rf_queues_init(&miniport->queues);
	for (i = 0; i < RF_NODES_MAX; i++)
		miniport->packet_queue[i].node.ordinal = i;
	return miniport;
}

void rf_miniport_destroy(struct rf_miniport *miniport)
{
	rf_spin_destroy(&miniport->hw.lock);
	rf_free(miniport);
}
