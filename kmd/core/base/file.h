/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* A process on an adapter: an open file. It is created and closed in entry/. */
#ifndef KMD_FILE_H
#define KMD_FILE_H

#include "base/adapter.h"
#include "base/handle.h"
#include "base/limit.h"
#include "rf_list.h"
#include "rf_types.h"

struct kmd_adapter;
struct kmd_share;
struct rf_file;

/**
 * struct kmd_pair - a process and one on a linked adapter (base/link.h)
 * @offered: in kmd_sync_domain.offers, while @token is valid
 * @token: with which a process on another adapter makes the pair; 0: none
 * @other: the other process, or NULL; it may be on an adapter that is lost
 * @visits: requests of the other process that use this one
 */
struct kmd_pair {
	struct rf_list offered;
	u64 token;
	struct kmd_file *other;
	u32 visits;
};

/**
 * struct kmd_file - a process on an adapter
 * @adapter: its adapter
 * @shell: the shell's side
 * @link: in kmd_adapter.files
 * @user: user of the process
 * @used: amount used of each limited resource; guarded by limit_lock
 * @h_process: the miniport's handle
 * @table: handles of fences, events, queues, contexts and doorbells
 * @memories: by kmd_memory.link; guarded by the adapter's mutex
 * @pages: pages of packed fence values, by kmd_value_page.link; ditto
 * @mappings: value pages mapped in this process, by kmd_mapping.link; ditto
 * @local_fences: by kmd_local_fence.link; ditto, and wait_lock
 * @events: by kmd_event.link; ditto
 * @pair: of processes on linked adapters; guarded by wait_lock
 * @lost: its work hung an engine, or went with the adapter (S3-30); guarded by the mutex
 * @guilty: it is to be marked as @lost; guarded by wait_lock
 * @shares: by node and band, scheduling/share.h
 * @engine_time: by node, in ns, scheduling/usage.h; guarded by wait_lock
 */
struct kmd_file {
	struct kmd_adapter *adapter;
	struct rf_file *shell;
	struct rf_list link;
	struct kmd_user *user;
	u64 used[KMD_LIMITS];
	void *h_process;
	struct kmd_table table;
	struct rf_list memories;
	struct rf_list pages;
	struct rf_list mappings;
	struct rf_list local_fences;
	struct rf_list events;
	struct kmd_pair pair;
	bool lost;
	bool guilty;
	struct kmd_share *shares;
	u64 engine_time[KMD_NODES_MAX];
};

#endif /* KMD_FILE_H */
