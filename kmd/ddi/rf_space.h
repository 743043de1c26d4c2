/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Address spaces, and the VMIDs that stand for them: the only writer of TRANSLATION.ROOT.
 *
 * Locking: spaces are made and ended at level PASSIVE, one at a time; VMIDs are guarded by
 * rf_hw.lock.
 */
#ifndef RF_SPACE_H
#define RF_SPACE_H

#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_types.h"
#include "rf_va.h"
#include "ringfence_hw.h"

struct rf_page_table;

#define RF_VMID_NONE U32_MAX
#define RF_PROCESSES_MAX 65536 /* each user may have few of them */

/**
 * struct rf_address_space - the address space of a process
 * @vmid: or RF_VMID_NONE; guarded by rf_hw.lock
 * @root: its page tables; PASSIVE
 * @va: its addresses; PASSIVE
 *
 * The system process has VMID 0. Of the others those with resident queues have one, and keep it
 * until another needs it. Contexts of the packet model use that of their node, which stands for
 * the space of the context that is loaded, or was last.
 */
struct rf_address_space {
	u32 vmid;
	struct rf_page_table *root;
	struct rf_va va;
};

/**
 * struct rf_vmid - what a VMID stands for; guarded by rf_hw.lock
 * @space: or NULL
 * @expected_records: queues in slots, or whose last record was not read. The VMID is not given to
 *                    another space before all records of its queues were read, of which the
 *                    `preempted` one is the last.
 * @is_node: a node has it for its packets
 * @invalidation: number of that after which it may be used
 */
struct rf_vmid {
	struct rf_address_space *space;
	u32 expected_records;
	bool is_node;
	u64 invalidation;
};

/**
 * struct rf_spaces - all of them
 * @system: the system process, which maps what the driver names to the device in registers
 * @vmid: by VMID
 * @created: spaces so far; decides where the addresses of the next one begin; PASSIVE
 */
struct rf_spaces {
	struct rf_address_space system;
	struct rf_vmid vmid[RF_VMIDS];
	u32 created;
};

/* PASSIVE. 0, -EIO, -ENOMEM. */
int rf_spaces_start(struct rf_hw *hw);
/* After a reset: every VMID has the root of its space, and the device no older translation. -EIO.
 * PASSIVE. */
int rf_spaces_restart(struct rf_hw *hw);
void rf_spaces_stop(struct rf_hw *hw);

int rf_create_process(void *h_adapter, struct rf_create_process *arguments);
int rf_destroy_process(void *h_adapter, const struct rf_destroy_process *arguments);

/* The space of a process of the DDI; NULL: the system process. */
struct rf_address_space *rf_process_space(struct rf_hw *hw, void *h_process);

/* --- rf_hw.lock is held for all that follow, unless they say otherwise ---------------------- */

/* VMIDs that stand for a space, as a mask: its own, and those of nodes. */
u64 rf_space_vmids(const struct rf_hw *hw, const struct rf_address_space *space);
/* What a VMID of a record stands for, or NULL. */
struct rf_address_space *rf_vmid_space(const struct rf_hw *hw, u32 vmid);
/*
 * Have an address space with a VMID; -EBUSY: all of them belong to spaces with resident queues;
 * -EINPROGRESS: the device is busy, call again; -EIO.
 */
int rf_space_assign(struct rf_hw *hw, struct rf_address_space *space);

/* A queue got a slot, or the slot of a node is to be saved. */
void rf_vmid_expect_record(struct rf_hw *hw, u32 vmid);
/* Its last record was read, or does not come any more. */
void rf_vmid_record_done(struct rf_hw *hw, u32 vmid);
/* The device was reset: no record of before comes any more. */
void rf_vmids_forget_records(struct rf_hw *hw);
/* Is it the VMID of a node, and no record expected? */
bool rf_vmid_is_idle_node(const struct rf_hw *hw, u32 vmid);

/* A VMID for a node, or 0: all of them belong to spaces with resident queues. */
u32 rf_node_vmid_alloc(struct rf_hw *hw);
/*
 * Have a node's VMID stand for a space. -EBUSY: not before records about the space that it stands
 * for were read; -EINPROGRESS: the device is busy, call again; -EIO.
 */
int rf_node_vmid_bind(struct rf_hw *hw, u32 vmid, struct rf_address_space *space);
/* The node does not use it any more; its records may still come. PASSIVE, without rf_hw.lock. */
void rf_node_vmid_free(struct rf_hw *hw, u32 vmid);

#endif /* RF_SPACE_H */
