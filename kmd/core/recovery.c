// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What becomes of an engine that does not answer. No engine is reset by itself yet: the
 * device is stopped as lost.
 *
 * Locking: none on entry; wait_lock inside.
 */
#include "core.h"

void kmd_engine_reset(struct kmd_adapter *adapter, u32 node)
{
	unsigned long flags;

	rf_log_error(adapter->domain->os, "the engine of node %u does not answer", node);
	kmd_adapter_set_fatal(adapter, "engine time-out");
	flags = rf_spin_lock(&adapter->domain->wait_lock);
	kmd_adapter_abandon(adapter);
	kmd_domain_settle(adapter->domain);
	rf_spin_unlock(&adapter->domain->wait_lock, flags);
}
