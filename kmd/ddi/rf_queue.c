// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Hardware queues: see rf_queue.h. */
#include "rf_queue.h"
#include "rf_hw.h"
#include "rf_hw_context.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_save_area.h"
#include "rf_slot.h"
#include "rf_token.h"
#include "rf_types.h"
#include "ringfence_hw.h"

void rf_queues_init(struct rf_queues *queues)
{
	u32 i;

	for (i = 0; i < RF_QUEUE_BUCKETS; i++)
		rf_list_init(&queues->bucket[i]);
	rf_tokens_init(&queues->tokens);
}

static struct rf_list *rf_queue_bucket(struct rf_hw *hw, u32 handle)
{
	rf_assert_held(&hw->lock);
	return &hw->queues->bucket[handle % RF_QUEUE_BUCKETS];
}

struct rf_hw_queue *rf_queue_find(struct rf_hw *hw, u32 handle)
{
	struct rf_hw_queue *queue;

	rf_list_for_each(queue, rf_queue_bucket(hw, handle), bucket)
		if (queue->handle == handle)
			return queue;
	return NULL;
}

struct rf_hw_queue *rf_queue_find_token(struct rf_hw *hw, u32 token)
{
	struct rf_hw_queue *queue;
	u32 i;

	for (i = 0; i < RF_QUEUE_BUCKETS; i++)
		rf_list_for_each(queue, rf_queue_bucket(hw, i), bucket)
			if (queue->token == token)
				return queue;
	return NULL;
}

int rf_queue_link(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&hw->lock);
	int token = 0;

	if (hw->configuration.global_doorbell)
		token = rf_token_take(&hw->queues->tokens);
	if (token < 0) {
		rf_spin_unlock(&hw->lock, flags);
		return token;
	}
	queue->token = token;
	queue->handle = rf_hw_new_handle(hw);
	rf_list_insert(&queue->bucket, rf_queue_bucket(hw, queue->handle));
	rf_list_insert(&queue->context_link, &queue->context->queues);
	rf_spin_unlock(&hw->lock, flags);
	rf_slots_count_queue(hw, 1);
	return 0;
}

void rf_queue_unlink(struct rf_hw *hw, struct rf_hw_queue *queue)
{
	unsigned long flags = rf_spin_lock(&hw->lock);

	if (queue->token)
		rf_token_give_back(&hw->queues->tokens, queue->token);
	rf_list_remove(&queue->bucket);
	rf_list_remove(&queue->context_link);
	rf_spin_unlock(&hw->lock, flags);
	rf_slots_count_queue(hw, -1);
}

/* --- its context ------------------------------------------------------------------------- */

bool rf_queue_in_slot(const struct rf_hw_queue *queue)
{
	return queue->residence.state == RF_QUEUE_RESIDENT && !queue->residence.loading;
}

bool rf_queue_command(struct rf_hw *hw, const struct rf_hw_queue *queue, u64 command)
{
	rf_assert_held(&hw->lock);
	if (!rf_queue_in_slot(queue))
		return false;
	rf_slot_command(hw, queue->residence.slot, command);
	return true;
}

u64 rf_queue_read(struct rf_hw *hw, const struct rf_hw_queue *queue, u64 offset)
{
	rf_assert_held(&hw->lock);
	if (rf_queue_in_slot(queue))
		return rf_slot_read(hw, queue->residence.slot, offset);
	return rf_save_area_read(&queue->save, offset);
}

void rf_queue_resume_saved(struct rf_hw_queue *queue)
{
	u64 flags = rf_save_area_read(&queue->save, RF_CONTEXT(FLAGS));

	rf_save_area_write(&queue->save, RF_CONTEXT(FLAGS), flags & ~RF_SLOT_FLAGS_STOPPED_MASK);
}
