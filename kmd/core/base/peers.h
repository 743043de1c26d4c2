/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Signals from device to device: the region of CurrentValues that adapters share, and which other
 * adapters an adapter notifies. waits/peering.c has the whole.
 *
 * Locking: wait_lock; what says "mutex" is changed under the adapter's mutex and wait_lock.
 */
#ifndef KMD_PEERS_H
#define KMD_PEERS_H

#include "rf_ddi.h"
#include "rf_list.h"

struct kmd_adapter;
struct kmd_fence;

/* Adapters of a domain that can be told apart by a bit of a u32; further ones have no peers */
#define KMD_PEER_ADAPTERS 32u

/* Which way a signal of a cross-adapter fence takes: see waits/peering.c */
enum kmd_peering {
	KMD_PEERING_OFF,
	KMD_PEERING_ENTERING,
	KMD_PEERING_ON,
	KMD_PEERING_LEAVING,
};

/**
 * struct kmd_peer_fence - a page of the region
 * @link: in KMD_PENDING_PEERS
 * @fence: its fence, or NULL
 * @peering: which way its signals take
 * @generation: of the entries that were written last
 * @changed: since then an adapter has opened or closed the fence, or has lost its entry
 */
struct kmd_peer_fence {
	struct rf_list link;
	struct kmd_fence *fence;
	enum kmd_peering peering;
	u32 generation;
	bool changed;
};

/**
 * struct kmd_peer_region - of a domain
 * @mem: host memory, or NULL as long as no fence needs it; never replaced
 * @fences: by page
 */
struct kmd_peer_region {
	struct rf_mem *mem;
	struct kmd_peer_fence fences[RF_PEER_REGION_FENCES];
};

/**
 * struct kmd_peer_target - a device that an adapter's device notifies
 * @adapter: its adapter, or NULL; mutex
 * @mem: its peer page, or NULL; without @adapter: it has left while this device was in D3; mutex
 */
struct kmd_peer_target {
	struct kmd_adapter *adapter;
	struct rf_mem *mem;
};

/**
 * struct kmd_adapter_peers - of an adapter
 * @bit: names the adapter in its domain; 0: it has no peers; constant
 * @region: the region on its bus, or NULL; mutex
 * @no_region: the device cannot use it; mutex
 * @targets: by their number; mutex
 * @wanted: adapters that have to become targets, by their bits
 * @refused: adapters that cannot: the bus does not route, or there are too many
 * @entries: bit i: the device has a valid entry for fence i
 * @asleep: it is going to D3, or is there
 * @leaving: it is being destroyed
 */
struct kmd_adapter_peers {
	u32 bit;
	struct rf_mem *region;
	bool no_region;
	struct kmd_peer_target targets[RF_PEER_TARGETS_MAX];
	u32 wanted;
	u32 refused;
	u64 entries;
	bool asleep;
	bool leaving;
};

#endif /* KMD_PEERS_H */
