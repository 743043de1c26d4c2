// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DMA buffers from render commands (S4-19, S4-23). Commands are packets of the device, and only
 * whole ones are copied to a buffer. No packet leaves anything bound on the device: a list of
 * patches ends with an entry for each slot that unbinds it.
 */
#include "rf_render.h"
#include "rf_ddi.h"
#include "rf_hw.h"
#include "rf_types.h"
#include "ringfence_hw.h"

#define RF_PATCH_SLOTS 32u

/* The packets' addresses that lie in words [from, to) of the command, and where they go */
static int rf_render_patches(struct rf_render *arguments, u32 from, u32 to, u32 *bound)
{
	u32 i;

	for (i = 0; i < arguments->command_patch_list_size; i++) {
		struct rf_patch_location patch = arguments->command_patch_list[i];

		if (patch.patch_offset < from || patch.patch_offset >= to)
			continue;
		if (patch.slot_id >= RF_PATCH_SLOTS ||
		    arguments->patch_list_size + RF_PATCH_SLOTS >= arguments->patch_list_room)
			return -EINVAL;
		patch.patch_offset = patch.patch_offset - from + arguments->dma_used;
		arguments->patch_list[arguments->patch_list_size++] = patch;
		*bound |= 1u << patch.slot_id;
	}
	return 0;
}

static void rf_render_unbind(struct rf_render *arguments, u32 bound)
{
	u32 slot;

	for (slot = 0; slot < RF_PATCH_SLOTS; slot++)
		if (bound & (1u << slot))
			arguments->patch_list[arguments->patch_list_size++] =
				(struct rf_patch_location){ .slot_id = slot };
}

/* The header is the one that was checked: user mode may change the command meanwhile. */
static void rf_render_copy(struct rf_render *arguments, u64 header, u32 words)
{
	struct rf_value_address from = arguments->command, to = arguments->dma_buffer;
	u32 i;

	from.offset += arguments->multipass_offset;
	to.offset += arguments->dma_used;
	rf_value_write(to, header);
	for (i = 1; i < words; i++) {
		from.offset += 8;
		to.offset += 8;
		rf_value_write(to, rf_untrusted_value_read(from));
	}
}

int rf_render(void *h_adapter, struct rf_render *arguments)
{
	u32 words, bytes, bound = 0;
	int error = 0;
	u64 header;

	(void)h_adapter;
	arguments->dma_used = 0;
	arguments->patch_list_size = 0;
	while (!error && arguments->multipass_offset != arguments->command_length) {
		struct rf_value_address at = arguments->command;

		at.offset += arguments->multipass_offset;
		header = rf_untrusted_value_read(at);
		words = (u32)RF_FIELD_GET(RF_PACKET_HEADER_WORDS, header);
		bytes = words * 8;
		if (!words || words > RF_PACKET_WORDS_MAX ||
		    bytes > arguments->command_length - arguments->multipass_offset)
			return -EINVAL;
		if (bytes > arguments->dma_size - arguments->dma_used) {
			error = -ENOSPC;
			break;
		}
		error = rf_render_patches(arguments, arguments->multipass_offset,
					  arguments->multipass_offset + bytes, &bound);
		rf_render_copy(arguments, header, words);
		arguments->dma_used += bytes;
		arguments->multipass_offset += bytes;
	}
	rf_render_unbind(arguments, bound);
	return error;
}

int rf_patch(void *h_adapter, const struct rf_patch *arguments)
{
	u32 i;

	(void)h_adapter;
	for (i = 0; i < arguments->patch_list_size; i++) {
		const struct rf_patch_location *patch = &arguments->patch_list[i];
		struct rf_value_address at = arguments->dma_buffer;

		if (!patch->allocation_index)
			continue;
		at.offset += patch->patch_offset;
		rf_value_write(at, arguments->allocation_list[patch->allocation_index] +
					   patch->allocation_offset);
	}
	return 0;
}
