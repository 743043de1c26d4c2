// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The state of the device after a hang (DxgkDdiCollectDbgInfo): every register that can be read,
 * by the names of ringfence.toml, so that none is forgotten, and the TLB. A dump changes nothing
 * but the liveness count and the entry that the TLB has selected.
 */
#include "rf_dump.h"
#include "rf_bus.h"
#include "rf_discovery.h"
#include "rf_hw.h"
#include "rf_os.h"
#include "rf_poll.h"
#include "rf_registers.h"
#include "rf_types.h"
#include "rf_writer.h"
#include "ringfence_hw.h"

static void rf_dump_fields(struct rf_writer *writer,
			   const struct rf_register_description *description, u64 value)
{
	u32 i;

	for (i = 0; i < description->field_count; i++) {
		const struct rf_field_description *field = &description->fields[i];
		u64 number = value >> field->shift;

		if (field->width < 64)
			number &= (1ull << field->width) - 1;
		if (number < field->name_count && field->names[number])
			rf_write_string(writer, field->name, field->names[number]);
		else
			rf_write_number(writer, field->name, number);
	}
}

/* A register without fields is a number; else an object, which JSON has even if all is 0. */
static void rf_dump_register(struct rf_hw *hw, struct rf_writer *writer,
			     const struct rf_register_description *description, const char *name,
			     u64 offset)
{
	u64 value = rf_register_read(hw, offset);

	if (!description->field_count) {
		rf_write_number(writer, name, value);
		return;
	}
	if (!value && !writer->json)
		return;
	rf_write_object(writer, name);
	rf_dump_fields(writer, description, value);
	rf_write_object_end(writer);
}

static void rf_dump_registers(struct rf_hw *hw, struct rf_writer *writer,
			      const struct rf_register_description *description, u64 offset)
{
	u32 i;

	if (description->count == 1) {
		rf_dump_register(hw, writer, description, description->name, offset);
		return;
	}
	if (description->names)
		rf_write_object(writer, description->name);
	else
		rf_write_list(writer, description->name);
	for (i = 0; i < description->count; i++, offset += description->stride) {
		if (description->names) {
			rf_dump_register(hw, writer, description, description->names[i], offset);
			continue;
		}
		rf_write_element(writer, i);
		rf_dump_fields(writer, description, rf_register_read(hw, offset));
		rf_write_object_end(writer);
	}
	if (description->names)
		rf_write_object_end(writer);
	else
		rf_write_list_end(writer);
}

static void rf_dump_index(struct rf_hw *hw, struct rf_writer *writer,
			  const struct rf_block_description *description, u64 base)
{
	u32 i;

	for (i = 0; i < description->register_count; i++)
		if (description->registers[i].indexed)
			rf_dump_registers(hw, writer, &description->registers[i],
					  base + description->registers[i].offset);
}

static void rf_dump_block(struct rf_hw *hw, struct rf_writer *writer,
			  const struct rf_block_description *description)
{
	const struct rf_block *block = &hw->block[description->type];
	u32 i;

	rf_write_object(writer, description->name);
	for (i = 0; i < description->register_count; i++)
		if (!description->registers[i].indexed)
			rf_dump_registers(hw, writer, &description->registers[i],
					  block->offset + description->registers[i].offset);
	if (block->count) {
		rf_write_list(writer, "index");
		for (i = 0; i < block->count; i++) {
			rf_write_element(writer, i);
			rf_dump_index(hw, writer, description, block->base + i * block->stride);
			rf_write_object_end(writer);
		}
		rf_write_list_end(writer);
	}
	rf_write_object_end(writer);
}

static void rf_dump_tlb_entry(struct rf_hw *hw, struct rf_writer *writer, u32 way, u32 set)
{
	u64 select = RF_REGISTER(hw, TRANSLATION, TLB_SELECT);
	u64 tag;

	rf_register_write(hw, select,
			  RF_FIELD(RF_TRANSLATION_TLB_SELECT_WAY, way) |
				  RF_FIELD(RF_TRANSLATION_TLB_SELECT_SET, set));
	if (rf_register_await(hw, select, RF_TRANSLATION_TLB_SELECT_BUSY_MASK, 0))
		return;
	tag = rf_register_read(hw, RF_REGISTER(hw, TRANSLATION, TLB_TAG));
	if (!(tag & RF_TRANSLATION_TLB_TAG_OCCUPIED_MASK))
		return;
	rf_write_element(writer, set);
	rf_write_number(writer, "way", way);
	rf_write_number(writer, "vmid", RF_FIELD_GET(RF_TRANSLATION_TLB_TAG_VMID, tag));
	rf_write_number(writer, "virtual", tag & RF_TRANSLATION_TLB_TAG_PAGE_MASK);
	rf_write_number(writer, "physical",
			rf_register_read(hw, RF_REGISTER(hw, TRANSLATION, TLB_PAGE)));
	rf_write_number(writer, "writable", RF_FIELD_GET(RF_TRANSLATION_TLB_TAG_WRITABLE, tag));
	rf_write_object_end(writer);
}

static void rf_dump_tlb(struct rf_hw *hw, struct rf_writer *writer)
{
	u64 select = rf_register_read(hw, RF_REGISTER(hw, TRANSLATION, TLB_SELECT));
	u32 sets = 1u << RF_FIELD_GET(RF_TRANSLATION_TLB_SELECT_SETS_LOG2, select);
	u32 i;

	rf_write_list(writer, "tlb");
	for (i = 0; i < 2 * sets && select != U64_MAX; i++)
		rf_dump_tlb_entry(hw, writer, i % 2, i / 2);
	rf_write_list_end(writer);
}

void rf_collect_debug_info(void *h_adapter, struct rf_writer *writer)
{
	struct rf_hw *hw = h_adapter;
	u32 i;

	for (i = 0; i < rf_register_block_count; i++)
		rf_dump_block(hw, writer, &rf_register_blocks[i]);
	rf_dump_tlb(hw, writer);
}

int rf_dump_device(struct rf_bus *bus, struct rf_writer *writer)
{
	struct rf_hw *hw = rf_alloc(sizeof(*hw));
	int error;

	if (!hw)
		return -ENOMEM;
	hw->bus = bus;
	error = rf_discover(hw);
	if (!error)
		rf_collect_debug_info(hw, writer);
	rf_free(hw);
	return error;
}
