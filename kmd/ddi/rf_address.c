// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Address spaces. Each VMID has one linear window to the bus and one to local
 * memory, at places of its own, so that a virtual address is never a physical
 * one and never means the same in two processes:
 *
 *   local memory   LOCAL_BASE + vmid * LOCAL_STRIDE + local address
 *   system memory  SYSTEM_BASE + vmid * SYSTEM_STRIDE + bus address
 *
 * The windows are as large as what lies behind them: isolation comes with page
 * tables, which replace the inside of this file.
 */
#include "rf_miniport.h"

#define RF_LOCAL_BASE 0x10000000ULL
#define RF_LOCAL_STRIDE 0x1000000ULL
#define RF_SYSTEM_BASE 0x1000000000ULL
#define RF_SYSTEM_STRIDE 0x10000000ULL
/* Bus addresses that a window reaches. */
#define RF_SYSTEM_BYTES (1ULL << 37)

static u64 rf_local_base(u32 vmid)
{
	return RF_LOCAL_BASE + vmid * RF_LOCAL_STRIDE;
}

static u64 rf_system_base(u32 vmid)
{
	return RF_SYSTEM_BASE + vmid * RF_SYSTEM_STRIDE;
}

static void rf_window_write(struct rf_miniport *miniport, u32 vmid, bool open)
{
	u64 local = rf_local_base(vmid), system = rf_system_base(vmid);

	rf_register_write(miniport, RF_REGISTER_AT(miniport, TRANSLATION, LOCAL_DELTA, vmid),
			  0 - local);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, TRANSLATION, LOCAL_BASE, vmid), local);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, TRANSLATION, LOCAL_LIMIT, vmid),
			  open ? local + miniport->local_memory_bytes - 1 : 0);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, TRANSLATION, SYSTEM_DELTA, vmid),
			  0 - system);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, TRANSLATION, SYSTEM_BASE, vmid),
			  system);
	rf_register_write(miniport, RF_REGISTER_AT(miniport, TRANSLATION, SYSTEM_LIMIT, vmid),
			  open ? system + RF_SYSTEM_BYTES - 1 : 0);
}

/* On return no access through an older window is in flight. */
static void rf_invalidate(struct rf_miniport *miniport, u32 vmid)
{
	u64 offset = RF_REGISTER(miniport, TRANSLATION, INVALIDATE);

	rf_register_write(miniport, offset, 1ULL << vmid);
	rf_register_poll(miniport, offset, 1ULL << vmid, 0);
}

void rf_address_start(struct rf_miniport *miniport)
{
	u32 vmid;

	for (vmid = 0; vmid < RF_VMIDS; vmid++) {
		miniport->space[vmid].vmid = vmid;
		rf_window_write(miniport, vmid, vmid == 0);
	}
	miniport->space[0].used = true;
}

int rf_create_process(void *h_adapter, struct rf_create_process *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	u32 vmid;

	for (vmid = 1; vmid < RF_VMIDS; vmid++) {
		if (miniport->space[vmid].used)
			continue;
		miniport->space[vmid].used = true;
		rf_window_write(miniport, vmid, true);
		arguments->h_process = &miniport->space[vmid];
		return 0;
	}
	rf_log_error(miniport->bus->os, "all %d address spaces are in use", RF_VMIDS - 1);
	return -EBUSY;
}

void rf_destroy_process(void *h_adapter, const struct rf_destroy_process *arguments)
{
	struct rf_miniport *miniport = h_adapter;
	struct rf_address_space *space = arguments->h_process;

	rf_window_write(miniport, space->vmid, false);
	rf_invalidate(miniport, space->vmid);
	space->used = false;
}

int rf_map_gpu_virtual_address(void *h_adapter, struct rf_map_gpu_virtual_address *arguments)
{
	const struct rf_address_space *space = arguments->h_process;
	struct rf_miniport *miniport = h_adapter;
	const struct rf_mem *mem = arguments->mem;
	u32 vmid = space ? space->vmid : 0;

	switch (mem->kind) {
	case RF_MEM_LOCAL:
		arguments->gpu_virtual_address = rf_local_base(vmid) + mem->address;
		return 0;
	case RF_MEM_SYSTEM:
		if (mem->address > RF_SYSTEM_BYTES || mem->bytes > RF_SYSTEM_BYTES - mem->address) {
			rf_log_error(miniport->bus->os, "bus address 0x%llx is out of the window",
				     (unsigned long long)mem->address);
			return -EINVAL;
		}
		arguments->gpu_virtual_address = rf_system_base(vmid) + mem->address;
		return 0;
	case RF_MEM_HOST:
		break;
	}
	return -EINVAL;
}

void rf_unmap_gpu_virtual_address(void *h_adapter,
				  const struct rf_unmap_gpu_virtual_address *arguments)
{
	const struct rf_address_space *space = arguments->h_process;

	/* The window stays; what was reached through it must be at rest. */
	rf_invalidate(h_adapter, space ? space->vmid : 0);
}

u64 rf_address_to_system(const struct rf_miniport *miniport, u32 vmid, u64 address)
{
	u64 local = address - rf_local_base(vmid), system = address - rf_system_base(vmid);

	if (local < miniport->local_memory_bytes)
		return rf_local_base(0) + local;
	if (system < RF_SYSTEM_BYTES)
		return rf_system_base(0) + system;
	return 0;
}
