// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Tokens of the global doorbell: see rf_token.h. */
#include "rf_token.h"

static void rf_token_add(struct rf_tokens *tokens, u16 token)
{
	/* 0 is no token: its index begins with the next one */
	tokens->free[(tokens->first + tokens->count++) % RF_TOKEN_INDICES] =
		token ? token : RF_TOKEN_INDICES;
}

void rf_tokens_init(struct rf_tokens *tokens)
{
	u32 i;

	tokens->first = 0;
	tokens->count = 0;
	for (i = 0; i < RF_TOKEN_INDICES; i++)
		rf_token_add(tokens, (u16)(i + 1));
}

int rf_token_take(struct rf_tokens *tokens)
{
	u32 place = tokens->first;

	if (!tokens->count)
		return -ENOSPC;
	tokens->first = (place + 1) % RF_TOKEN_INDICES;
	tokens->count--;
	return tokens->free[place];
}

void rf_token_give_back(struct rf_tokens *tokens, u32 token)
{
	rf_token_add(tokens, (u16)(token + RF_TOKEN_INDICES));
}
