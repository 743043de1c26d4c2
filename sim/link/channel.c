// SPDX-License-Identifier: Apache-2.0
/* Errors on the lane. */
#include <string.h>

#include "channel.h"
#include "code_8b10b.h"

void channel_reset(struct channel *channel, uint64_t seed)
{
	memset(channel, 0, sizeof(*channel));
	channel->random = seed ? seed : 1;
	channel->lane.search = true;
}

bool channel_fault(struct channel *channel, const struct channel_fault *fault)
{
	if (channel->fault_count == CHANNEL_FAULTS)
		return false;
	channel->faults[channel->fault_count++] = *fault;
	return true;
}

/* xorshift64 */
static uint64_t draw(struct channel *channel)
{
	channel->random ^= channel->random << 13;
	channel->random ^= channel->random >> 7;
	channel->random ^= channel->random << 17;
	return channel->random;
}

/* A fault of this symbol, random or planned. */
static bool due(struct channel *channel, struct channel_fault *fault)
{
	unsigned int i;

	for (i = 0; i < channel->fault_count; i++) {
		if (channel->faults[i].at != channel->symbols)
			continue;
		*fault = channel->faults[i];
		channel->faults[i] = channel->faults[--channel->fault_count];
		return true;
	}
	if (!channel->error_every || !channel->error_kinds || draw(channel) % channel->error_every)
		return false;
	fault->bits = 1u << draw(channel) % 10;
	do
		fault->kind = draw(channel) % CHANNEL_FAULT_KINDS;
	while (!(channel->error_kinds >> fault->kind & 1));
	return true;
}

/* The code of the other column: the one that decodes to the same symbol. */
static void spoil_disparity(struct channel *channel, struct lane_symbol *symbol)
{
	bool positive;
	int column;

	for (column = 0; column < 2; column++) {
		uint16_t bits;

		positive = column;
		bits = code_8b10b_encode(symbol->value, symbol->k, &positive);
		if (bits == symbol->bits)
			continue;
		symbol->bits = bits;
		channel->disparity_due = false;
		channel->made[CHANNEL_DISPARITY]++;
		return;
	}
}

/* What the wires carry, and what a SERDES makes of it. */
static struct lane_symbol deliver(struct channel *channel, const struct lane_symbol *symbol)
{
	struct lane_symbol out = *symbol, decoded;
	uint32_t bits;

	if (!symbol->idle) {
		bits = (uint32_t)(symbol->bits ^ (channel->invert ? 0x3ff : 0)) << 10;
		bits |= channel->before;
		channel->before = bits >> 10;
		out.bits = bits >> (10 - channel->offset) & 0x3ff;
	}
	decoded = lane_receive(&channel->lane, &out);
	decoded.bits = out.bits;
	return decoded;
}

unsigned int channel_pass(struct channel *channel, const struct lane_symbol *in,
			  struct lane_symbol out[2])
{
	struct lane_symbol symbol = *in;
	struct channel_fault fault;
	unsigned int count = 1, i;

	if (channel->silent_from && channel->symbols >= channel->silent_from)
		channel->silent = true;
	if (channel->silent)
		symbol = (struct lane_symbol){ .idle = true };
	if (!symbol.idle && due(channel, &fault)) {
		if (fault.kind == CHANNEL_FLIP)
			symbol.bits ^= fault.bits;
		else if (fault.kind == CHANNEL_DISPARITY)
			channel->disparity_due = true;
		else
			count = fault.kind == CHANNEL_LOSE ? 0 : 2;
		channel->made[fault.kind] += fault.kind != CHANNEL_DISPARITY;
	}
	if (!symbol.idle && channel->disparity_due)
		spoil_disparity(channel, &symbol);
	channel->symbols++;
	for (i = 0; i < count; i++)
		out[i] = deliver(channel, &symbol);
	return count;
}
