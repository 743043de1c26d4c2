// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Address spaces, each with page tables of its own. That of the system process, VMID 0,
 * maps what the driver names to the device in registers. The others have one of the
 * remaining VMIDs while they need it, which is while one of their queues is resident: a
 * VMID that changes hands gets the new root, and all of its translations are forgotten. A node
 * with packets has one of its own, which follows the context that is loaded, so that no
 * number of contexts keeps VMIDs from others.
 *
 * Addresses lie in the lower half of Sv39. The search for room goes on where the last
 * one ended and leaves a page free behind every mapping, so that an access beyond an
 * end, or soon after an unmapping, faults; and address spaces begin at different
 * places, so that an address of one is rarely one of another. Memory that is larger
 * than a large page lies in its large page as it does physically, so that the page
 * tables may use one. Smaller memory begins where a ring at its start is in one block.
 */
#include "rf_miniport.h"

#define RF_PAGE_BYTES RF_LEAF_BYTES(0)
#define RF_ADDRESS_FIRST (1ull << 20)
#define RF_ADDRESS_END (1ull << 38)
#define RF_ADDRESS_PLACES 16 /* at which address spaces begin */
#define RF_ADDRESS_STRIDE (RF_ADDRESS_END / RF_ADDRESS_PLACES)

/* A mapping of a piece of memory. */
struct rf_address_range {
	struct rf_list link; /* in rf_address_space.ranges, by address */
	u64 address;
	u64 bytes;
};

/* --- what the device forgets ---------------------------------------------------------- */

/*
 * When it is over no access through an older entry is in flight, and none will come. 0;
 * -EINPROGRESS; -EIO: that cannot be said, now or before a reset. lock held, here and below.
 */
static int rf_invalidation_look(struct rf_miniport *miniport, u64 number)
{
	struct rf_invalidations *invalidations = &miniport->invalidations;
	int error;

	if (rf_is_stale(miniport))
		return -EIO;
	if (number <= invalidations->done)
		return 0;
	error = rf_pending_look(miniport, &invalidations->pending);
	if (error == -EINPROGRESS)
		return error;
	if (error) {
		rf_set_stale(miniport);
		return -EIO;
	}
	invalidations->done = invalidations->begun;
	return 0;
}

/* Returns its number. All before are over: rf_invalidation_look() at rf_invalidations.begun has
 * said so in this hold of the lock. */
static u64 rf_invalidation_begin(struct rf_miniport *miniport, u64 vmids, u64 first, u64 last)
{
	struct rf_invalidations *invalidations = &miniport->invalidations;
	u64 offset = RF_REGISTER(miniport, TRANSLATION, INVALIDATE);

	rf_register_write(miniport, RF_REGISTER(miniport, TRANSLATION, INVALIDATE_FIRST), first);
	rf_register_write(miniport, RF_REGISTER(miniport, TRANSLATION, INVALIDATE_LAST), last);
	rf_register_write(miniport, offset, vmids);
	invalidations->pending = (struct rf_pending){ .offset = offset, .mask = 0xffff };
	return ++invalidations->begun;
}

/* Sleep until it is over. PASSIVE; the lock is given meanwhile. */
static int rf_invalidation_await(struct rf_miniport *miniport, u64 number, unsigned long *flags)
{
	int error;

	while ((error = rf_invalidation_look(miniport, number)) == -EINPROGRESS)
		*flags = rf_unlock_and_sleep(miniport, *flags);
	return error;
}

/* The same until all are over: others may begin meanwhile. */
static int rf_invalidations_await(struct rf_miniport *miniport, unsigned long *flags)
{
	int error;

	while ((error = rf_invalidation_look(miniport, miniport->invalidations.begun)) ==
	       -EINPROGRESS)
		*flags = rf_unlock_and_sleep(miniport, *flags);
	return error;
}

static void rf_root_write(struct rf_miniport *miniport, u32 vmid,
			  const struct rf_address_space *space)
{
	rf_register_write(miniport, RF_REGISTER_AT(miniport, TRANSLATION, ROOT, vmid),
			  space ? rf_page_table_root(space->root) : 0);
}

/* VMIDs have new roots, and the device forgets what they stood for. PASSIVE; as above. */
static int rf_forget_vmids(struct rf_miniport *miniport, u64 vmids, unsigned long *flags)
{
	int error = rf_invalidations_await(miniport, flags);

	if (error)
		return error;
	return rf_invalidation_await(
		miniport, rf_invalidation_begin(miniport, vmids, 0, RF_ADDRESS_END - 1), flags);
}

/*
 * A VMID stands for @space from now on, which may use it once the invalidation is over: 0;
 * -EINPROGRESS, and then perhaps nothing has begun yet; -EIO.
 */
static int rf_vmid_set(struct rf_miniport *miniport, u32 ordinal, struct rf_address_space *space)
{
	struct rf_vmid *vmid = &miniport->vmid[ordinal];
	int error;

	if (vmid->space != space) {
		error = rf_invalidation_look(miniport, miniport->invalidations.begun);
		if (error)
			return error;
		if (vmid->space && vmid->space->vmid == ordinal)
			vmid->space->vmid = RF_VMID_NONE;
		rf_wmb();
		rf_root_write(miniport, ordinal, space);
		vmid->space = space;
		vmid->invalidation =
			rf_invalidation_begin(miniport, 1ull << ordinal, 0, RF_ADDRESS_END - 1);
	}
	error = rf_invalidation_look(miniport, vmid->invalidation);
	if (error == -EIO)
		vmid->space = NULL;
	return error;
}

/* Those that stand for a space: its own, and those of nodes. lock held. */
static u64 rf_vmids_of(const struct rf_miniport *miniport, const struct rf_address_space *space)
{
	u64 vmids = 0;
	u32 vmid;

	for (vmid = 0; vmid < RF_VMIDS; vmid++)
		if (miniport->vmid[vmid].space == space)
			vmids |= 1ULL << vmid;
	return vmids;
}

/* --- VMIDs ----------------------------------------------------------------------------- */

/* One that is free, or of a process that does not need it; 0: there is none. */
static u32 rf_vmid_find(const struct rf_miniport *miniport)
{
	u32 vmid, idle = 0;

	for (vmid = 1; vmid < RF_VMIDS; vmid++) {
		if (miniport->vmid[vmid].queues || miniport->vmid[vmid].is_node)
			continue;
		if (!miniport->vmid[vmid].space)
			return vmid;
		idle = vmid;
	}
	return idle;
}

int rf_space_assign(struct rf_miniport *miniport, struct rf_address_space *space)
{
	u32 vmid = space->vmid;
	int error;

	if (vmid == RF_VMID_NONE) {
		vmid = rf_vmid_find(miniport);
		if (!vmid)
			return -EBUSY;
	}
	error = rf_vmid_set(miniport, vmid, space);
	space->vmid = miniport->vmid[vmid].space == space ? vmid : RF_VMID_NONE;
	return error;
}

/* -EIO: the device may still read its page tables. PASSIVE; it sleeps. */
static int rf_space_release(struct rf_miniport *miniport, struct rf_address_space *space)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	/* a VMID that it had may be on its way to another */
	int error = rf_invalidations_await(miniport, &flags);
	u64 vmids = rf_vmids_of(miniport, space);
	u32 vmid;

	for (vmid = 0; vmid < RF_VMIDS; vmid++) {
		if (!(vmids & 1ULL << vmid))
			continue;
		rf_root_write(miniport, vmid, NULL);
		miniport->vmid[vmid].space = NULL;
	}
	space->vmid = RF_VMID_NONE;
	if (vmids)
		error = rf_forget_vmids(miniport, vmids, &flags);
	rf_spin_unlock(&miniport->lock, flags);
	return error;
}

/* --- VMIDs of nodes ------------------------------------------------------------------- */

u32 rf_node_vmid_take(struct rf_miniport *miniport)
{
	u32 vmid = rf_vmid_find(miniport);

	if (!vmid)
		return 0;
	if (miniport->vmid[vmid].space)
		miniport->vmid[vmid].space->vmid = RF_VMID_NONE;
	/* what it stood for is forgotten when it stands for something else */
	miniport->vmid[vmid].space = NULL;
	miniport->vmid[vmid].is_node = true;
	return vmid;
}

void rf_node_vmid_give(struct rf_miniport *miniport, u32 vmid)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);

	miniport->vmid[vmid].is_node = false;
	miniport->vmid[vmid].space = NULL;
	rf_root_write(miniport, vmid, NULL);
	rf_forget_vmids(miniport, 1ull << vmid, &flags);
	rf_spin_unlock(&miniport->lock, flags);
}

int rf_node_vmid_bind(struct rf_miniport *miniport, u32 vmid, struct rf_address_space *space)
{
	if (miniport->vmid[vmid].space != space && miniport->vmid[vmid].queues)
		return -EBUSY;
	return rf_vmid_set(miniport, vmid, space);
}

/* --- spaces --------------------------------------------------------------------------- */

static int rf_space_open(struct rf_miniport *miniport, struct rf_address_space *space, u32 place)
{
	space->root = rf_page_table_create(miniport);
	if (!space->root)
		return -ENOMEM;
	rf_list_init(&space->ranges);
	space->next = RF_ADDRESS_FIRST + place % RF_ADDRESS_PLACES * RF_ADDRESS_STRIDE;
	space->vmid = RF_VMID_NONE;
	return 0;
}

static int rf_space_close(struct rf_miniport *miniport, struct rf_address_space *space)
{
	int error = rf_space_release(miniport, space);

	if (error)
		rf_list_insert(rf_page_table_link(space->root), &miniport->kept_tables);
	else
		rf_page_table_destroy(space->root);
	return error;
}

/* All VMIDs have the roots of what they stand for, and the device knows nothing older. */
int rf_address_restart(struct rf_miniport *miniport)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	int error;
	u32 vmid;

	miniport->invalidations.done = miniport->invalidations.begun;
	rf_wmb();
	for (vmid = 0; vmid < RF_VMIDS; vmid++)
		rf_root_write(miniport, vmid, miniport->vmid[vmid].space);
	error = rf_forget_vmids(miniport, (1ull << RF_VMIDS) - 1, &flags);
	rf_spin_unlock(&miniport->lock, flags);
	return error;
}

int rf_address_start(struct rf_miniport *miniport)
{
	int error = rf_space_open(miniport, &miniport->system, 0);

	if (error)
		return error;
	miniport->vmid[0].space = &miniport->system;
	miniport->system.vmid = 0;
	/* what a driver before this one left there means nothing any more */
	error = rf_address_restart(miniport);
	if (error)
		rf_space_close(miniport, &miniport->system);
	return error;
}

void rf_address_stop(struct rf_miniport *miniport)
{
	rf_space_close(miniport, &miniport->system);
}

int rf_create_process(void *h_adapter, struct rf_create_process *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_address_space *space;
	int error;

	if (miniport->processes == RF_PROCESSES_MAX)
		return -EBUSY;
	space = rf_alloc(sizeof(*space));
	if (!space)
		return -ENOMEM;
	error = rf_space_open(miniport, space, ++miniport->places);
	if (error) {
		rf_free(space);
		return error;
	}
	miniport->processes++;
	rf_schedule_count(miniport);
	arguments->h_process = space;
	return 0;
}

int rf_destroy_process(void *h_adapter, const struct rf_destroy_process *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	int error = rf_space_close(miniport, arguments->h_process);

	rf_free(arguments->h_process);
	miniport->processes--;
	rf_schedule_count(miniport);
	return error;
}

/* --- mappings ------------------------------------------------------------------------- */

/*
 * The first address from @start on that lies in its page of the largest size as @physical does,
 * or from which on @bytes cross as few blocks of a ring as they can.
 */
static u64 rf_address_like(u64 start, u64 physical, u64 bytes)
{
	u32 level = RF_PAGE_TABLE_LEVELS - 1;
	u64 align;

	while (level && bytes < RF_LEAF_BYTES(level))
		level--;
	align = RF_LEAF_BYTES(level);
	if (!level) {
		physical = 0;
		while (align < bytes && align < RF_RING_BLOCK_BYTES)
			align *= 2;
	}
	return start + ((physical - start) & (align - 1));
}

/* Room for @range from @start on: its address, and the range behind it. */
static bool rf_range_find(struct rf_address_space *space, u64 start, u64 physical,
			  struct rf_address_range *range, struct rf_list **behind)
{
	struct rf_address_range *other;

	range->address = rf_address_like(start, physical, range->bytes);
	rf_list_for_each(other, &space->ranges, link) {
		if (other->address >= range->address + range->bytes + RF_PAGE_BYTES)
			break;
		if (other->address + other->bytes + RF_PAGE_BYTES > range->address)
			range->address =
				rf_address_like(other->address + other->bytes + RF_PAGE_BYTES,
						physical, range->bytes);
	}
	*behind = &other->link;
	return range->address + range->bytes + RF_PAGE_BYTES <= RF_ADDRESS_END;
}

/* At @address, or, if that is 0, anywhere. */
static bool rf_range_choose(struct rf_address_space *space, u64 address, u64 physical,
			    struct rf_address_range *range, struct rf_list **behind)
{
	if (address)
		return rf_range_find(space, address, address, range, behind) &&
		       range->address == address;
	if (!rf_range_find(space, space->next, physical, range, behind) &&
	    !rf_range_find(space, RF_ADDRESS_FIRST, physical, range, behind))
		return false;
	space->next = range->address + range->bytes + RF_PAGE_BYTES;
	return true;
}

/*
 * On return no access through what was mapped in [address, address + bytes) is possible, or
 * (-EIO) that cannot be said: a space without a VMID, too, may have been forgotten badly.
 */
static int rf_space_invalidate(struct rf_miniport *miniport, const struct rf_address_space *space,
			       u64 address, u64 bytes)
{
	unsigned long flags = rf_spin_lock(&miniport->lock);
	int error = rf_invalidations_await(miniport, &flags);
	u64 vmids = rf_vmids_of(miniport, space);

	if (!error && vmids)
		error = rf_invalidation_await(
			miniport,
			rf_invalidation_begin(miniport, vmids, address, address + bytes - 1),
			&flags);
	rf_spin_unlock(&miniport->lock, flags);
	return error;
}

/* -EIO: the device may still reach @mem, which is kept. */
static int rf_range_unmap(struct rf_miniport *miniport, struct rf_address_space *space,
			  struct rf_address_range *range, struct rf_mem *mem)
{
	struct rf_list empty;
	int error;

	rf_list_init(&empty);
	rf_page_table_unmap(miniport, space->root, range->address, range->bytes, &empty);
	error = rf_space_invalidate(miniport, space, range->address, range->bytes);
	if (error) {
		rf_keep_tables(miniport, &empty);
		rf_keep_mem(miniport, mem);
	} else {
		rf_page_tables_free(&empty);
	}
	rf_list_remove(&range->link);
	rf_free(range);
	return error;
}

static struct rf_address_space *rf_space_of(struct rf_miniport *miniport, void *h_process)
{
	return h_process ? h_process : &miniport->system;
}

/* Bytes from @offset on that lie behind one another on the bus. */
static u64 rf_mem_run(const struct rf_mem *mem, u64 offset)
{
	u64 end = offset + RF_PAGE_BYTES;

	if (!mem->pages)
		return mem->bytes - offset;
	while (end < mem->bytes && mem->pages[end >> RF_PAGE_SHIFT] ==
					   mem->pages[(end - 1) >> RF_PAGE_SHIFT] + RF_PAGE_BYTES)
		end += RF_PAGE_BYTES;
	return end - offset;
}

static int rf_mem_map(struct rf_miniport *miniport, struct rf_address_space *space, u64 address,
		      const struct rf_mem *mem, bool writable)
{
	u64 offset, bytes;
	int error;

	for (offset = 0; offset < mem->bytes; offset += bytes) {
		u64 physical = rf_mem_physical(mem, offset);

		bytes = rf_mem_run(mem, offset);
		if (mem->kind == RF_MEM_SYSTEM && physical + bytes > RF_PHYSICAL_LOCAL) {
			rf_log_error(miniport->bus->os, "bus address 0x%llx has more than 55 bits",
				     (unsigned long long)physical);
			return -EINVAL;
		}
		error = rf_page_table_map(miniport, space->root, address + offset, physical, bytes,
					  writable);
		if (error)
			return error;
	}
	return 0;
}

int rf_map_gpu_virtual_address(void *h_adapter, struct rf_map_gpu_virtual_address *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_address_space *space = rf_space_of(miniport, arguments->h_process);
	const struct rf_mem *mem = arguments->mem;
	u64 physical = rf_mem_physical(mem, 0);
	struct rf_address_range *range;
	struct rf_list *behind;
	int error;

	if (mem->kind == RF_MEM_HOST || mem->bytes > RF_ADDRESS_END)
		return -EINVAL;
	range = rf_alloc(sizeof(*range));
	if (!range)
		return -ENOMEM;
	range->bytes = mem->bytes;
	if (!rf_range_choose(space, arguments->gpu_virtual_address, physical, range, &behind)) {
		rf_free(range);
		return -ENOSPC;
	}
	rf_list_insert(&range->link, behind);

	error = rf_mem_map(miniport, space, range->address, mem,
			   !(arguments->flags & RF_MAP_READ_ONLY));
	if (error) {
		rf_range_unmap(miniport, space, range, arguments->mem);
		return error;
	}
	arguments->gpu_virtual_address = range->address;
	return 0;
}

/* The tables are there already, so that nothing but the address can be wrong. */
int rf_replace_gpu_page(void *h_adapter, const struct rf_replace_gpu_page *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_address_space *space = rf_space_of(miniport, arguments->h_process);
	int error;

	if (arguments->mem->bytes != RF_PAGE_BYTES)
		return -EINVAL;
	error = rf_mem_map(miniport, space, arguments->gpu_virtual_address, arguments->mem,
			   !(arguments->flags & RF_MAP_READ_ONLY));
	if (error)
		return error;
	error = rf_space_invalidate(miniport, space, arguments->gpu_virtual_address, RF_PAGE_BYTES);
	if (error) /* whoever hears of that puts the old page back */
		rf_keep_mem(miniport, arguments->mem);
	return error;
}

int rf_unmap_gpu_virtual_address(void *h_adapter,
				 const struct rf_unmap_gpu_virtual_address *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_address_space *space = rf_space_of(miniport, arguments->h_process);
	struct rf_address_range *range;

	rf_list_for_each(range, &space->ranges, link) {
		if (range->address == arguments->gpu_virtual_address)
			return rf_range_unmap(miniport, space, range, arguments->mem);
	}
	return 0;
}
