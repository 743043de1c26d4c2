// SPDX-License-Identifier: Apache-2.0
/* Symbol lock and decoder. */
#include "code_8b10b.h"
#include "lane.h"

#define COMMA 0x7c /* 0011111, first bit in bit 0 */
#define COMMA_INVERTED 0x03

static void find_comma(struct lane_receiver *receiver, uint32_t bits)
{
	unsigned int at;

	for (at = 0; at < 10; at++) {
		unsigned int seven = bits >> at & 0x7f;

		if (seven != COMMA && seven != COMMA_INVERTED)
			continue;
		if (!receiver->locked || at != receiver->phase)
			receiver->known = false;
		receiver->phase = at;
		receiver->locked = true;
		return;
	}
}

/* The first symbol sets the disparity, whichever column it is from. */
static enum code_result decode(struct lane_receiver *receiver, struct lane_symbol *symbol)
{
	bool before = receiver->positive;
	enum code_result result;

	result = code_8b10b_decode(symbol->bits, &receiver->positive, &symbol->value, &symbol->k);
	if (receiver->known || result != CODE_DISPARITY_ERROR) {
		receiver->known |= result == CODE_GOOD;
		return result;
	}
	receiver->positive = !before;
	receiver->known = true;
	return code_8b10b_decode(symbol->bits, &receiver->positive, &symbol->value, &symbol->k);
}

struct lane_symbol lane_receive(struct lane_receiver *receiver, const struct lane_symbol *symbol)
{
	struct lane_symbol out = { .idle = symbol->idle };
	enum code_result result;
	uint32_t bits;

	if (symbol->idle) {
		receiver->locked = false;
		receiver->known = false;
		receiver->before = 0x155; /* no comma */
		return out;
	}
	bits = symbol->bits ^ (receiver->invert ? 0x3ff : 0);
	bits = bits << 10 | receiver->before;
	receiver->before = bits >> 10;
	if (receiver->search || !receiver->locked)
		find_comma(receiver, bits);
	out.code_error = true;
	if (!receiver->locked)
		return out;
	out.bits = bits >> receiver->phase & 0x3ff;
	result = decode(receiver, &out);
	out.code_error = result == CODE_ERROR;
	out.disparity_error = result == CODE_DISPARITY_ERROR;
	return out;
}
