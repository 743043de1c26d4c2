/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* What a process has to run on a node, in a priority band: processes take turns. */
#ifndef KMD_SHARE_H
#define KMD_SHARE_H

#include "rf_list.h"

/**
 * struct kmd_share - of a process, on a node, in a band
 * @link: in kmd_node.runnable, if it has runnable queues
 * @queues: its runnable queues, by kmd_residency.runnable_link, the longest runnable first
 * @packet_link: in kmd_node.turns, if it has waiting packets
 * @packets: its waiting packets, by kmd_dma.link, in the order in which they go
 *
 * Guarded by wait_lock.
 */
struct kmd_share {
	struct rf_list link;
	struct rf_list queues;
	struct rf_list packet_link;
	struct rf_list packets;
};

#endif /* KMD_SHARE_H */
