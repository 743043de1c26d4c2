// SPDX-License-Identifier: Apache-2.0
/*
 * The packet model of the fake miniport; see fake.h. Packets of the kernel are performed
 * as soon as they are at the head of their hardware queue; for others the test says when
 * they are done. A paging buffer of this device is one operation, in six words.
 */
#include <string.h>

#include "fake.h"

enum { WORD_OPERATION, WORD_SOURCE, WORD_DESTINATION, WORD_BYTES, WORD_PATTERN, PAGING_WORDS };

/* --- contexts ------------------------------------------------------------------------ */

static int allocate(struct fake *fake, struct fake_packet_context *context)
{
	context->allocation = (struct rf_create_context_allocation){
		.h_process = context->arguments.h_process,
		.h_context = context->arguments.h_context,
		.h_driver_allocation = context,
		.size = FAKE_CONTEXT_BYTES,
		.alignment = 256,
		.supported_segment_set = fake->context_segments,
		.eviction_segment_set = fake->eviction_segments,
		.preferred_segment = RF_MEM_LOCAL,
	};
	return fake->callbacks->create_context_allocation(fake->h_core, &context->allocation);
}

int fake_create_context(void *h_adapter, struct rf_create_context *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_packet_context *context;
	int ret = fake_enter(fake, FAKE_CREATE_PACKET_CONTEXT);

	if (ret)
		return ret;
	assert_true(arguments->node_ordinal < FAKE_NODES);
	context = calloc(1, sizeof(*context));
	context->arguments = *arguments;
	if (!(arguments->flags & RF_CONTEXT_SYSTEM))
		ret = allocate(fake, context);
	if (ret) {
		free(context);
		return ret;
	}
	rf_list_insert(&context->link, &fake->packet_contexts);
	arguments->h_context = context;
	return 0;
}

void fake_destroy_context(void *h_adapter, const struct rf_destroy_context *arguments)
{
	struct fake_packet_context *context = arguments->h_context;
	const struct rf_destroy_context_allocation destroy = {
		.h_allocation = context->allocation.h_allocation,
	};
	struct fake *fake = h_adapter;
	struct fake_node *node = &fake->nodes[context->arguments.node_ordinal];
	u32 i, kept = 0;

	fake_enter(fake, FAKE_DESTROY_PACKET_CONTEXT);
	for (i = 0; i < node->count; i++)
		if (node->packets[i].h_context != context)
			node->packets[kept++] = node->packets[i];
	node->count = kept;
	if (node->current == context)
		node->current = NULL;
	if (destroy.h_allocation)
		assert_int_equal(
			fake->callbacks->destroy_context_allocation(fake->h_core, &destroy), 0);
	rf_list_remove(&context->link);
	free(context);
}

static struct fake_packet_context *find_context(struct fake *fake, bool system)
{
	struct fake_packet_context *context, *found = NULL;

	rf_list_for_each(context, &fake->packet_contexts, link)
		if (system == !!(context->arguments.flags & RF_CONTEXT_SYSTEM))
			found = context;
	assert_non_null(found);
	return found;
}

struct fake_packet_context *fake_last_packet_context(struct fake *fake)
{
	return find_context(fake, false);
}

struct fake_packet_context *fake_system_context(struct fake *fake)
{
	return find_context(fake, true);
}

/* --- packets ------------------------------------------------------------------------- */

/* What is moved is no packet's that the device has. */
static void check_unused(struct fake *fake, u64 address)
{
	u32 i, j;

	for (i = 0; i < FAKE_NODES; i++) {
		for (j = 0; j < fake->nodes[i].count; j++) {
			struct fake_packet_context *context = fake->nodes[i].packets[j].h_context;

			if (context && !(context->arguments.flags & RF_CONTEXT_SYSTEM))
				assert_int_not_equal(context->allocation.gpu_virtual_address,
						     address);
		}
	}
}

static void perform_paging(struct fake *fake, const struct rf_submit_command *packet)
{
	u64 words[PAGING_WORDS], value, i;

	for (i = 0; i < PAGING_WORDS; i++)
		assert_int_equal(fake_gpu_read(fake, NULL,
					       packet->dma_buffer_virtual_address + 8 * i,
					       &words[i]),
				 0);
	if (words[WORD_OPERATION] == RF_PAGING_TRANSFER)
		check_unused(fake, words[WORD_SOURCE]);
	for (i = 0; i < words[WORD_BYTES]; i += 8) {
		value = words[WORD_PATTERN];
		if (words[WORD_OPERATION] == RF_PAGING_TRANSFER)
			assert_int_equal(fake_gpu_read(fake, NULL, words[WORD_SOURCE] + i, &value),
					 0);
		assert_int_equal(fake_gpu_write(fake, NULL, words[WORD_DESTINATION] + i, value), 0);
	}
}

static bool is_of_kernel(const struct rf_submit_command *packet)
{
	return packet->flags & (RF_SUBMIT_PAGING | RF_SUBMIT_CONTEXT_SWITCH);
}

/* Take the head off, done. */
void fake_finish_packet(struct fake *fake, u32 ordinal)
{
	struct fake_node *node = &fake->nodes[ordinal];
	const struct rf_submit_command packet = node->packets[0];
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_COMPLETED,
		.dma_completed = {
			.submission_fence_id = packet.submission_fence_id,
			.node_ordinal = ordinal,
		},
	};
	struct fake_packet_context *context = packet.h_context;
	u64 value;

	assert_true(node->count);
	/* its memory is in place */
	if (context && context->allocation.h_allocation)
		assert_int_equal(
			fake_gpu_read(fake, NULL, context->allocation.gpu_virtual_address, &value),
			0);
	node->current = context;
	if ((packet.flags & RF_SUBMIT_PAGING) && packet.dma_buffer_size)
		perform_paging(fake, &packet);
	node->count--;
	memmove(node->packets, node->packets + 1, node->count * sizeof(packet));
	node->last_completed = packet.submission_fence_id;
	fake_make_report(fake, &data);
}

static void go_on(struct fake *fake, u32 ordinal)
{
	struct fake_node *node = &fake->nodes[ordinal];

	while (node->count && !node->preemption && !fake->paging_stands &&
	       is_of_kernel(&node->packets[0])) {
		fake_finish_packet(fake, ordinal);
		fake_bus_raise(&fake->bus);
	}
}

void fake_complete_packet(struct fake *fake, u32 ordinal)
{
	fake_finish_packet(fake, ordinal);
	go_on(fake, ordinal);
	fake_bus_raise(&fake->bus);
}

int fake_submit_command(void *h_adapter, const struct rf_submit_command *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_node *node = &fake->nodes[arguments->node_ordinal];
	int ret = fake_enter(fake, FAKE_SUBMIT_COMMAND);

	if (ret)
		return ret;
	assert_int_equal(node->preemption, 0);
	assert_false(fake->f1 & 1u << arguments->node_ordinal);
	assert_true(node->count < FAKE_PACKETS);
	if (arguments->flags & RF_SUBMIT_CONTEXT_SWITCH) {
		assert_null(arguments->h_context);
		assert_int_equal(arguments->dma_buffer_size, 0);
	}
	node->packets[node->count++] = *arguments;
	node->diary[node->diary_length++ % ARRAY_SIZE(node->diary)] = *arguments;
	go_on(fake, arguments->node_ordinal);
	return 0;
}

void fake_fault_packet(struct fake *fake, u32 ordinal, u32 error, u64 address)
{
	struct fake_node *node = &fake->nodes[ordinal];
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_PAGE_FAULTED,
		.dma_page_faulted = {
			.faulted_fence_id = node->packets[0].submission_fence_id,
			.faulted_virtual_address = address,
			.node_ordinal = ordinal,
			.fault_error_code = error,
		},
	};
	const void *context = node->packets[0].h_context;
	u32 i, kept = 0;

	for (i = 0; i < node->count; i++)
		if (node->packets[i].h_context != context)
			node->packets[kept++] = node->packets[i];
	node->count = kept;
	fake_report(fake, &data);
}

/* --- preemption ---------------------------------------------------------------------- */

static struct rf_notify_interrupt_data answer(struct fake *fake, u32 ordinal)
{
	struct fake_node *node = &fake->nodes[ordinal];
	const struct rf_notify_interrupt_data data = {
		.interrupt_type = RF_INTERRUPT_DMA_PREEMPTED,
		.dma_preempted = {
			.preemption_fence_id = node->preemption,
			.last_completed_fence_id = node->last_completed,
			.node_ordinal = ordinal,
		},
	};

	node->preemption = 0;
	node->count = 0;
	return data;
}

void fake_answer_preemption(struct fake *fake, u32 ordinal)
{
	const struct rf_notify_interrupt_data data = answer(fake, ordinal);

	fake_report(fake, &data);
}

struct synchronized {
	struct fake *fake;
	u32 ordinal;
};

static void answer_at_interrupt_level(void *argument)
{
	const struct synchronized *now = argument;
	const struct rf_notify_interrupt_data data = answer(now->fake, now->ordinal);

	now->fake->callbacks->notify_interrupt(now->fake->h_core, &data);
}

int fake_preempt_command(void *h_adapter, const struct rf_preempt_command *arguments)
{
	struct fake *fake = h_adapter;
	struct fake_node *node = &fake->nodes[arguments->node_ordinal];
	struct synchronized now = { fake, arguments->node_ordinal };
	int ret = fake_enter(fake, FAKE_PREEMPT);

	if (ret)
		return ret;
	assert_int_equal(node->preemption, 0);
	node->preemption = arguments->preemption_fence_id;
	if (!node->count && node->reported == node->last_completed) {
		fake->callbacks->synchronize_execution(fake->h_core, answer_at_interrupt_level,
						       &now);
		return 0;
	}
	node->hardware_preemptions++;
	if (fake->preempts_at_once)
		fake_answer_preemption(fake, arguments->node_ordinal);
	return 0;
}

/* --- paging -------------------------------------------------------------------------- */

int fake_build_paging_buffer(void *h_adapter, struct rf_build_paging_buffer *arguments)
{
	u64 words[PAGING_WORDS] = { [WORD_OPERATION] = arguments->operation };
	int ret = fake_enter(h_adapter, FAKE_BUILD_PAGING);
	u32 i;

	if (ret)
		return ret;
	switch (arguments->operation) {
	case RF_PAGING_TRANSFER:
		words[WORD_SOURCE] = arguments->transfer.source;
		words[WORD_DESTINATION] = arguments->transfer.destination;
		words[WORD_BYTES] = arguments->transfer.bytes;
		break;
	case RF_PAGING_FILL:
		words[WORD_DESTINATION] = arguments->fill.destination;
		words[WORD_BYTES] = arguments->fill.bytes;
		words[WORD_PATTERN] = arguments->fill.pattern;
		break;
	case RF_PAGING_INIT_CONTEXT_RESOURCE:
		words[WORD_DESTINATION] = arguments->init_context_resource.destination;
		words[WORD_BYTES] = FAKE_CONTEXT_BYTES;
		words[WORD_PATTERN] =
			(uintptr_t)arguments->init_context_resource.h_driver_allocation;
		break;
	}
	for (i = 0; i < PAGING_WORDS; i++)
		rf_mem_write64(arguments->dma_buffer.mem, arguments->dma_buffer.offset + 8 * i,
			       words[i]);
	arguments->dma_used = sizeof(words);
	return 0;
}

/* --- render commands: words without meaning ------------------------------------------ */

int fake_render(void *h_adapter, struct rf_render *arguments)
{
	struct fake *fake = h_adapter;
	u32 left = arguments->command_length - arguments->multipass_offset, i, slot;
	u32 bytes = fake->render_words * 8 < left ? fake->render_words * 8 : left;
	int ret = fake_enter(fake, FAKE_RENDER);
	u32 bound = 0;

	if (ret)
		return ret;
	assert_true(bytes <= arguments->dma_size);
	for (i = 0; i < bytes; i += 8)
		rf_mem_write64(
			arguments->dma_buffer.mem, arguments->dma_buffer.offset + i,
			rf_mem_read64(arguments->command.mem,
				      arguments->command.offset + arguments->multipass_offset + i));
	arguments->patch_list_size = 0;
	for (i = 0; i < arguments->command_patch_list_size; i++) {
		struct rf_patch_location patch = arguments->command_patch_list[i];

		if (patch.patch_offset - arguments->multipass_offset >= bytes)
			continue;
		patch.patch_offset -= arguments->multipass_offset;
		arguments->patch_list[arguments->patch_list_size++] = patch;
		bound |= 1u << patch.slot_id;
	}
	for (slot = 0; slot < 32 && !fake->render_leaks; slot++)
		if (bound & 1u << slot)
			arguments->patch_list[arguments->patch_list_size++] =
				(struct rf_patch_location){ .slot_id = slot };
	assert_true(arguments->patch_list_size <= arguments->patch_list_room);
	arguments->dma_used = bytes;
	arguments->multipass_offset += bytes;
	return bytes == left ? 0 : -ENOSPC;
}

int fake_patch(void *h_adapter, const struct rf_patch *arguments)
{
	int ret = fake_enter(h_adapter, FAKE_PATCH);
	u32 i;

	for (i = 0; i < arguments->patch_list_size && !ret; i++) {
		const struct rf_patch_location *patch = &arguments->patch_list[i];

		if (patch->allocation_index)
			rf_mem_write64(arguments->dma_buffer.mem,
				       arguments->dma_buffer.offset + patch->patch_offset,
				       arguments->allocation_list[patch->allocation_index] +
					       patch->allocation_offset);
	}
	return ret;
}
