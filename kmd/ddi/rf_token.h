/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tokens of the global doorbell. A ring names its queue by a token of 16 bits, never 0; the device
 * finds the queue by the low RF_DOORBELL_TOKEN_INDEX_BITS of it, the index, and compares the rest.
 * No two queues have the same index at a time. An index is used again as late as can be, and then
 * with another rest, so that a late ring of a queue that is gone finds none.
 */
#ifndef RF_TOKEN_H
#define RF_TOKEN_H

#include "rf_types.h"
#include "ringfence_hw.h"

#define RF_TOKEN_INDICES (1u << RF_DOORBELL_TOKEN_INDEX_BITS)

/**
 * struct rf_tokens - tokens that no queue has; its user sees to locking
 * @free: a ring, in the order in which they will be taken
 * @first: index of the next one in @free
 * @count: of those in @free
 */
struct rf_tokens {
	u16 free[RF_TOKEN_INDICES];
	u32 first;
	u32 count;
};

void rf_tokens_init(struct rf_tokens *tokens);
/* 1 to 0xffff, or -ENOSPC. */
int rf_token_take(struct rf_tokens *tokens);
/* Of rf_token_take(). */
void rf_token_give_back(struct rf_tokens *tokens, u32 token);

#endif
