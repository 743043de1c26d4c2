/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KMD_CAPS_H
#define KMD_CAPS_H

#include "rf_ddi.h"

struct kmd_adapter;

/*
 * Store the capabilities of the miniport in the adapter. -EINVAL: they break the rules (S0-46,
 * S0-60, C7), and the log names the rule. PASSIVE.
 */
int kmd_caps_read(struct kmd_adapter *adapter);

/* Callbacks of the miniport: the feature interface (S0-45..S0-48). */
int kmd_is_feature_enabled(void *h_core, enum rf_feature_id feature,
			   struct rf_feature_result *result);
int kmd_query_feature_interface(void *h_core, enum rf_feature_id feature, u16 version, void *table,
				size_t bytes);

#endif /* KMD_CAPS_H */
