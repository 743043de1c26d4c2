/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Moving pages of values while engines use them.
 *
 * Locking: the adapter's mutex is held, and no spinlock.
 */
#ifndef KMD_VALUE_MOVE_H
#define KMD_VALUE_MOVE_H

#include "rf_types.h"

struct kmd_adapter;
struct kmd_value;

/* Move a page of MonitoredValues out of local memory; false: there is none, or no memory. */
bool kmd_value_page_demote(struct kmd_adapter *adapter);
/*
 * From now on engines access another page, in which this value is @number; only the CPU uses the
 * page itself. If there is no memory for that, nothing changes.
 */
void kmd_value_detach(struct kmd_adapter *adapter, const struct kmd_value *value, u64 number);

#endif /* KMD_VALUE_MOVE_H */
