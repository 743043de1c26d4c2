/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Pages of values that move while engines use them.
 *
 * Locking: the adapter's mutex is held, and no spinlock.
 */
#ifndef KMD_VALUE_MOVE_H
#define KMD_VALUE_MOVE_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_value;

/* Let a page of MonitoredValues leave local memory; false: there is none, or no room. */
bool kmd_value_page_demote(struct kmd_adapter *adapter);
/* From now on engines find another page, in which this value is @number; what is stored in the
 * page itself is the CPU's alone. Without memory for that nothing changes. */
void kmd_value_detach(struct kmd_adapter *adapter, const struct kmd_value *value, u64 number);

#endif /* KMD_VALUE_MOVE_H */
