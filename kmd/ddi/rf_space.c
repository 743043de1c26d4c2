// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Address spaces, each with page tables of its own. That of the system process has VMID 0. The
 * others have one of the remaining VMIDs while they need it, which is while one of their queues is
 * resident: a VMID that is given to another space gets the new root, and all of its translations are
 * invalidated. A node with packets has a VMID of its own, which follows the context that is
 * loaded, so that no number of contexts keeps VMIDs from others.
 */
#include "rf_space.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_invalidation.h"
#include "rf_os.h"
#include "rf_page_table.h"
#include "rf_quarantine.h"
#include "rf_slot.h"
#include "rf_types.h"
#include "rf_va.h"
#include "ringfence_hw.h"

static void rf_root_write(struct rf_hw *hw, u32 vmid, const struct rf_address_space *space)
{
	rf_register_write(hw, RF_REGISTER_AT(hw, TRANSLATION, ROOT, vmid),
			  space ? rf_page_table_root(space->root) : 0);
}

/* --- VMIDs ----------------------------------------------------------------------------- */

u64 rf_space_vmids(const struct rf_hw *hw, const struct rf_address_space *space)
{
	u64 vmids = 0;
	u32 vmid;

	rf_assert_held(&hw->lock);
	for (vmid = 0; vmid < RF_VMIDS; vmid++)
		if (hw->spaces->vmid[vmid].space == space)
			vmids |= 1ULL << vmid;
	return vmids;
}

struct rf_address_space *rf_vmid_space(const struct rf_hw *hw, u32 vmid)
{
	rf_assert_held(&hw->lock);
	return hw->spaces->vmid[vmid % RF_VMIDS].space;
}

/*
 * A VMID stands for @space from now on, which may use it once the invalidation is over: 0;
 * -EINPROGRESS, and then perhaps nothing has begun yet; -EIO.
 */
static int rf_vmid_set(struct rf_hw *hw, u32 ordinal, struct rf_address_space *space)
{
	struct rf_vmid *vmid = &hw->spaces->vmid[ordinal];
	int error;

	if (vmid->space != space) {
		error = rf_invalidation_poll(hw, RF_INVALIDATIONS_ALL);
		if (error)
			return error;
		if (vmid->space && vmid->space->vmid == ordinal)
			vmid->space->vmid = RF_VMID_NONE;
		rf_wmb();
		rf_root_write(hw, ordinal, space);
		vmid->space = space;
		vmid->invalidation = rf_invalidation_begin(hw, 1ull << ordinal, 0, RF_VA_END - 1);
	}
	error = rf_invalidation_poll(hw, vmid->invalidation);
	if (error == -EIO)
		vmid->space = NULL;
	return error;
}

/* One that is free, or of a process that does not need it; 0: there is none. */
static u32 rf_vmid_find(const struct rf_hw *hw)
{
	const struct rf_vmid *vmids = hw->spaces->vmid;
	u32 vmid, idle = 0;

	for (vmid = 1; vmid < RF_VMIDS; vmid++) {
		if (vmids[vmid].expected_records || vmids[vmid].is_node)
			continue;
		if (!vmids[vmid].space)
			return vmid;
		idle = vmid;
	}
	return idle;
}

int rf_space_assign(struct rf_hw *hw, struct rf_address_space *space)
{
	u32 vmid = space->vmid;
	int error;

	rf_assert_held(&hw->lock);
	if (vmid == RF_VMID_NONE) {
		vmid = rf_vmid_find(hw);
		if (!vmid)
			return -EBUSY;
	}
	error = rf_vmid_set(hw, vmid, space);
	space->vmid = hw->spaces->vmid[vmid].space == space ? vmid : RF_VMID_NONE;
	return error;
}

void rf_vmid_expect_record(struct rf_hw *hw, u32 vmid)
{
	rf_assert_held(&hw->lock);
	hw->spaces->vmid[vmid].expected_records++;
}

void rf_vmid_record_done(struct rf_hw *hw, u32 vmid)
{
	rf_assert_held(&hw->lock);
	if (hw->spaces->vmid[vmid].expected_records)
		hw->spaces->vmid[vmid].expected_records--;
}

void rf_vmids_forget_records(struct rf_hw *hw)
{
	u32 vmid;

	rf_assert_held(&hw->lock);
	for (vmid = 0; vmid < RF_VMIDS; vmid++)
		hw->spaces->vmid[vmid].expected_records = 0;
}

bool rf_vmid_is_idle_node(const struct rf_hw *hw, u32 vmid)
{
	rf_assert_held(&hw->lock);
	return !hw->spaces->vmid[vmid].expected_records && hw->spaces->vmid[vmid].is_node;
}

/* --- VMIDs of nodes ------------------------------------------------------------------- */

u32 rf_node_vmid_alloc(struct rf_hw *hw)
{
	struct rf_vmid *vmids = hw->spaces->vmid;
	u32 vmid = rf_vmid_find(hw);

	rf_assert_held(&hw->lock);
	if (!vmid)
		return 0;
	if (vmids[vmid].space)
		vmids[vmid].space->vmid = RF_VMID_NONE;
	/* its translations are invalidated when it stands for another space */
	vmids[vmid].space = NULL;
	vmids[vmid].is_node = true;
	return vmid;
}

int rf_node_vmid_bind(struct rf_hw *hw, u32 vmid, struct rf_address_space *space)
{
	const struct rf_vmid *bound = &hw->spaces->vmid[vmid];

	rf_assert_held(&hw->lock);
	if (bound->space != space && bound->expected_records)
		return -EBUSY;
	return rf_vmid_set(hw, vmid, space);
}

void rf_node_vmid_free(struct rf_hw *hw, u32 vmid)
{
	unsigned long flags = rf_spin_lock(&hw->lock);

	hw->spaces->vmid[vmid].is_node = false;
	hw->spaces->vmid[vmid].space = NULL;
	rf_root_write(hw, vmid, NULL);
	rf_invalidate(hw, 1ull << vmid, 0, RF_VA_END - 1, &flags);
	rf_spin_unlock(&hw->lock, flags);
}

/* --- spaces --------------------------------------------------------------------------- */

struct rf_address_space *rf_process_space(struct rf_hw *hw, void *h_process)
{
	return h_process ? h_process : &hw->spaces->system;
}

static int rf_space_open(struct rf_hw *hw, struct rf_address_space *space, u32 place)
{
	space->root = rf_page_table_create(hw->bus);
	if (!space->root)
		return -ENOMEM;
	rf_va_init(&space->va, place);
	space->vmid = RF_VMID_NONE;
	return 0;
}

/* No VMID stands for it any more. -EIO: the device may still read its page tables. PASSIVE. */
static int rf_space_release(struct rf_hw *hw, struct rf_address_space *space)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	/* a VMID that it had may be on its way to another */
	int error = rf_invalidation_await(hw, RF_INVALIDATIONS_ALL, &flags);
	u64 vmids = rf_space_vmids(hw, space);
	u32 vmid;

	for (vmid = 0; vmid < RF_VMIDS; vmid++) {
		if (!(vmids & 1ULL << vmid))
			continue;
		rf_root_write(hw, vmid, NULL);
		hw->spaces->vmid[vmid].space = NULL;
	}
	space->vmid = RF_VMID_NONE;
	if (vmids)
		error = rf_invalidate(hw, vmids, 0, RF_VA_END - 1, &flags);
	rf_spin_unlock(&hw->lock, flags);
	return error;
}

static int rf_space_close(struct rf_hw *hw, struct rf_address_space *space)
{
	int error = rf_space_release(hw, space);

	if (error)
		rf_quarantine_root(hw, space->root);
	else
		rf_page_table_destroy(space->root);
	return error;
}

int rf_spaces_restart(struct rf_hw *hw)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	int error;
	u32 vmid;

	rf_invalidations_restart(hw);
	rf_wmb();
	for (vmid = 0; vmid < RF_VMIDS; vmid++)
		rf_root_write(hw, vmid, hw->spaces->vmid[vmid].space);
	error = rf_invalidate(hw, (1ull << RF_VMIDS) - 1, 0, RF_VA_END - 1, &flags);
	rf_spin_unlock(&hw->lock, flags);
	return error;
}

int rf_spaces_start(struct rf_hw *hw)
{
	struct rf_address_space *system = &hw->spaces->system;
	int error = rf_space_open(hw, system, 0);

	if (error)
		return error;
	hw->spaces->vmid[0].space = system;
	system->vmid = 0;
	/* translations that an earlier driver left there are removed */
	error = rf_spaces_restart(hw);
	if (error)
		rf_space_close(hw, system);
	return error;
}

void rf_spaces_stop(struct rf_hw *hw)
{
	rf_space_close(hw, &hw->spaces->system);
}

int rf_create_process(void *h_adapter, struct rf_create_process *arguments)
{
	struct rf_hw *hw = h_adapter;
	struct rf_address_space *space;
	int error;

	if (hw->slots->process_count == RF_PROCESSES_MAX)
		return -EBUSY;
	space = rf_alloc(sizeof(*space));
	if (!space)
		return -ENOMEM;
	error = rf_space_open(hw, space, ++hw->spaces->created);
	if (error) {
		rf_free(space);
		return error;
	}
	rf_slots_count_process(hw, 1);
	arguments->h_process = space;
	return 0;
}

int rf_destroy_process(void *h_adapter, const struct rf_destroy_process *arguments)
{
	struct rf_hw *hw = h_adapter;
	int error = rf_space_close(hw, arguments->h_process);

	rf_free(arguments->h_process);
	rf_slots_count_process(hw, -1);
	return error;
}
