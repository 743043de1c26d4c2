// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Fences that devices signal to each other.
 *
 * The window is mapped in the system process only (VMID 0), whose addresses no command of user mode
 * can name. The device writes there by itself, and only for fences whose entry is valid.
 */
#include "rf_peer.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_mapping.h"
#include "rf_quarantine.h"
#include "rf_space.h"
#include "rf_types.h"
#include "ringfence_hw.h"

#define RF_PEER_PAGE_BYTES (1ull << RF_PAGE_SHIFT)
#define RF_PEER_REGION_BYTES (RF_PEER_FENCES * RF_PEER_PAGE_BYTES)

static_assert(RF_PEER_REGION_ALIGN == RF_PEER_REGION_BYTES, "what the core is told");

bool rf_peers_are_supported(const struct rf_hw *hw)
{
	return hw->block[RF_BLOCK_TYPE_PEER].offset;
}

void rf_peers_start(struct rf_hw *hw)
{
	if (rf_peers_are_supported(hw))
		rf_register_write(hw, RF_REGISTER(hw, PEER, REGION), 0);
}

static void rf_peers_write_region(struct rf_hw *hw)
{
	u32 i;

	/* their reset values are undefined */
	for (i = 0; i < RF_PEER_FENCES; i++)
		rf_register_write(hw, RF_REGISTER(hw, PEER, ENTRY),
				  RF_FIELD(RF_PEER_ENTRY_INDEX, i));
	rf_register_write(hw, RF_REGISTER(hw, PEER, REGION),
			  hw->peers->region | RF_PEER_REGION_ENABLE_MASK);
}

static void rf_peers_write_window(struct rf_hw *hw)
{
	rf_register_write(hw, RF_REGISTER(hw, PEER, WINDOW), hw->peers->window.address);
}

void rf_peers_restart(struct rf_hw *hw)
{
	if (hw->peers->window.mem)
		rf_peers_write_window(hw);
	if (hw->peers->region)
		rf_peers_write_region(hw);
}

void rf_peers_stop(struct rf_hw *hw)
{
	if (hw->peers->region)
		rf_register_write(hw, RF_REGISTER(hw, PEER, REGION), 0);
	if (hw->peers->window.mem)
		rf_buffer_destroy(hw, rf_process_space(hw, NULL), &hw->peers->window);
}

int rf_set_peer_region(void *h_adapter, const struct rf_set_peer_region *arguments)
{
	const struct rf_mem *mem = arguments->mem;
	struct rf_hw *hw = h_adapter;

	if (mem->pages || mem->bytes != RF_PEER_REGION_BYTES ||
	    mem->address & ~RF_PEER_REGION_ADDRESS_MASK)
		return -EINVAL;
	hw->peers->region = mem->address;
	rf_peers_write_region(hw);
	return 0;
}

/* --- the window ------------------------------------------------------------------------- */

static int rf_peers_create_window(struct rf_hw *hw)
{
	int error;

	if (hw->peers->window.mem)
		return 0;
	/* an address that is aligned to its size: see rf_va.c */
	error = rf_buffer_create(hw, rf_process_space(hw, NULL), RF_MEM_SYSTEM,
				 RF_PEER_TARGETS * RF_PEER_PAGE_BYTES, 0, &hw->peers->window);
	if (!error)
		rf_peers_write_window(hw);
	return error;
}

static int rf_peers_set_page(struct rf_hw *hw, u32 target, struct rf_mem *mem)
{
	const struct rf_replace_gpu_page replace = {
		.mem = mem,
		.gpu_virtual_address = hw->peers->window.address + target * RF_PEER_PAGE_BYTES,
	};

	return rf_replace_gpu_page(hw, &replace);
}

/* The page of the window as it was made. */
static int rf_peers_clear_page(struct rf_hw *hw, u32 target)
{
	struct rf_mem *page;
	int error = rf_mem_page(hw->peers->window.mem, target * RF_PEER_PAGE_BYTES, &page);

	if (error)
		return error;
	error = rf_peers_set_page(hw, target, page);
	rf_mem_put(page);
	return error;
}

int rf_connect_peer(void *h_adapter, const struct rf_connect_peer *arguments)
{
	struct rf_hw *hw = h_adapter;
	int error = rf_peers_create_window(hw);

	if (!error)
		error = rf_peers_set_page(hw, arguments->target, arguments->mem);
	return error;
}

void rf_disconnect_peer(void *h_adapter, const struct rf_disconnect_peer *arguments)
{
	struct rf_hw *hw = h_adapter;

	if (rf_peers_clear_page(hw, arguments->target))
		rf_quarantine_mem(hw, arguments->mem);
}

/* --- entries ---------------------------------------------------------------------------- */

void rf_set_peer_fence(void *h_adapter, const struct rf_set_peer_fence *arguments)
{
	struct rf_hw *hw = h_adapter;

	rf_register_write(hw, RF_REGISTER(hw, PEER, ENTRY),
			  RF_FIELD(RF_PEER_ENTRY_INDEX, arguments->index) |
				  RF_FIELD(RF_PEER_ENTRY_VALID, arguments->targets != 0) |
				  RF_FIELD(RF_PEER_ENTRY_TARGETS, arguments->targets) |
				  RF_FIELD(RF_PEER_ENTRY_GENERATION, arguments->generation));
	/* what the device has written before is in memory now */
	rf_hw_flush(hw);
}
