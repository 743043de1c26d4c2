// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Discovery. Register blocks are found by walking their chain, so one driver serves every
 * configuration; a block of a newer version than this driver knows is refused.
 */
#include "rf_discovery.h"
#include "rf_bus.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_types.h"
#include "ringfence_hw.h"

/* Registers of any block, without the indexed ones */
#define RF_BLOCK_BYTES 0x100u
/* Blocks in the chain, of known and unknown types */
#define RF_BLOCK_CHAIN_MAX 64
/* Above any clock */
#define RF_HZ_MAX 100000000000ull

/* Do all registers that the block declares lie in BAR 0? */
static bool rf_block_fits(struct rf_hw *hw, const struct rf_block *block, u64 stride)
{
	u64 bytes = hw->bus->ops->bar_bytes(hw->bus, RF_BAR_REGISTERS);

	if (block->offset % sizeof(u64) || block->offset + RF_BLOCK_BYTES > bytes)
		return false;
	return !block->count ||
	       (block->base % sizeof(u64) == 0 && block->stride % sizeof(u64) == 0 &&
		block->stride >= stride && block->base + block->count * block->stride <= bytes);
}

static int rf_discover_blocks(struct rf_hw *hw)
{
	static const u8 versions[] = {
		[RF_BLOCK_TYPE_DEVICE] = RF_DEVICE_BLOCK_VERSION,
		[RF_BLOCK_TYPE_DOORBELL] = RF_DOORBELL_BLOCK_VERSION,
		[RF_BLOCK_TYPE_SLOT] = RF_SLOT_BLOCK_VERSION,
		[RF_BLOCK_TYPE_FENCE] = RF_FENCE_BLOCK_VERSION,
		[RF_BLOCK_TYPE_INTERRUPT] = RF_INTERRUPT_BLOCK_VERSION,
		[RF_BLOCK_TYPE_TRANSLATION] = RF_TRANSLATION_BLOCK_VERSION,
		[RF_BLOCK_TYPE_COUNTER] = RF_COUNTER_BLOCK_VERSION,
		[RF_BLOCK_TYPE_NODE] = RF_NODE_BLOCK_VERSION,
		[RF_BLOCK_TYPE_PEER] = RF_PEER_BLOCK_VERSION,
	};
	static const u64 strides[] = {
		[RF_BLOCK_TYPE_SLOT] = RF_SLOT_INDEXED_STRIDE,
		[RF_BLOCK_TYPE_TRANSLATION] = RF_TRANSLATION_INDEXED_STRIDE,
		[RF_BLOCK_TYPE_NODE] = RF_NODE_INDEXED_STRIDE,
		[RF_BLOCK_TYPE_PEER] = 0,
	};
	u64 bytes = hw->bus->ops->bar_bytes(hw->bus, RF_BAR_REGISTERS);
	struct rf_os *os = hw->bus->os;
	unsigned int found = 0, steps = 0;
	u64 offset = 0;

	static_assert(ARRAY_SIZE(strides) == ARRAY_SIZE(versions), "of each type");
	if (bytes < RF_BLOCK_BYTES)
		return -ENODEV;
	do {
		u64 identity = rf_register_read(hw, offset + RF_BLOCK_HEADER_IDENTITY);
		u64 indexed = rf_register_read(hw, offset + RF_BLOCK_HEADER_INDEXED);
		u64 type = RF_FIELD_GET(RF_BLOCK_HEADER_IDENTITY_TYPE, identity);
		u64 version = RF_FIELD_GET(RF_BLOCK_HEADER_IDENTITY_VERSION, identity);

		if (identity == U64_MAX || ++steps > RF_BLOCK_CHAIN_MAX) {
			rf_log_error(os, "no register blocks at 0x%llx",
				     (unsigned long long)offset);
			return -ENODEV;
		}
		/* Blocks of unknown type are for newer drivers. */
		if (type > 0 && type < ARRAY_SIZE(versions)) {
			struct rf_block *block = &hw->block[type];

			if (version != versions[type]) {
				rf_log_error(os, "register block %llu has version %llu, not %u",
					     (unsigned long long)type, (unsigned long long)version,
					     versions[type]);
				return -ENODEV;
			}
			block->offset = offset;
			block->base = RF_FIELD_GET(RF_BLOCK_HEADER_INDEXED_BASE, indexed);
			block->stride = RF_FIELD_GET(RF_BLOCK_HEADER_INDEXED_STRIDE, indexed);
			block->count = (u32)RF_FIELD_GET(RF_BLOCK_HEADER_INDEXED_COUNT, indexed);
			if (!rf_block_fits(hw, block, strides[type])) {
				rf_log_error(os, "register block %llu does not fit into BAR 0",
					     (unsigned long long)type);
				return -ENODEV;
			}
			found |= 1u << type;
		}
		offset = RF_FIELD_GET(RF_BLOCK_HEADER_IDENTITY_NEXT, identity);
		if (offset % sizeof(u64) || offset + RF_BLOCK_BYTES > bytes) {
			rf_log_error(os, "a register block at 0x%llx is beyond BAR 0",
				     (unsigned long long)offset);
			return -ENODEV;
		}
	} while (offset);

	/* one that has no other devices to signal to may leave out that block */
	if ((found | 1u << RF_BLOCK_TYPE_PEER) != (1u << ARRAY_SIZE(versions)) - 2) {
		rf_log_error(os, "register blocks missing: found types 0x%x", found);
		return -ENODEV;
	}
	return 0;
}

static int rf_read_parameters(struct rf_hw *hw)
{
	u64 parameters = rf_register_read(hw, RF_REGISTER(hw, DEVICE, PARAMETERS));

	hw->slot_count = hw->block[RF_BLOCK_TYPE_SLOT].count;
	hw->doorbell_count = (u32)RF_FIELD_GET(RF_DEVICE_PARAMETERS_DOORBELLS, parameters);
	/* the paging node shares the engine of the last one */
	hw->node_count = hw->block[RF_BLOCK_TYPE_NODE].count + 1;
	hw->monitored_shadow = parameters & RF_DEVICE_PARAMETERS_MONITORED_SHADOW_MASK;
	hw->vector_engine = parameters & RF_DEVICE_PARAMETERS_VECTOR_ENGINE_MASK;
	hw->local_memory_bytes =
		1ULL << RF_FIELD_GET(RF_DEVICE_PARAMETERS_LOCAL_MEMORY_LOG2, parameters);
	hw->timestamp_hz = rf_register_read(hw, RF_REGISTER(hw, DEVICE, TIMESTAMP_HZ));

	if (!hw->slot_count || hw->slot_count > RF_SLOTS_MAX || !hw->doorbell_count ||
	    hw->doorbell_count > RF_DOORBELLS_MAX || hw->node_count != RF_NODES_MAX ||
	    !hw->timestamp_hz || hw->timestamp_hz > RF_HZ_MAX ||
	    hw->block[RF_BLOCK_TYPE_TRANSLATION].count < RF_VMIDS) {
		rf_log_error(hw->bus->os,
			     "%u slots, %u doorbells, %u nodes: not what this driver serves",
			     hw->slot_count, hw->doorbell_count, hw->node_count);
		return -ENODEV;
	}
	return 0;
}

int rf_discover(struct rf_hw *hw)
{
	int error = rf_discover_blocks(hw);

	return error ? error : rf_read_parameters(hw);
}
