// SPDX-License-Identifier: Apache-2.0
/* Packets and their framing symbols. */
#include "framer.h"

unsigned int framer_make(enum packet_kind kind, const uint8_t *bytes, unsigned int count,
			 struct plain_symbol *symbols)
{
	unsigned int i;

	symbols[0].value = kind == PACKET_DLLP ? LINK_SDP : LINK_STP;
	symbols[0].k = true;
	for (i = 0; i < count; i++) {
		symbols[1 + i].value = bytes[i];
		symbols[1 + i].k = false;
	}
	symbols[1 + count].value = kind == PACKET_NULLIFIED_TLP ? LINK_EDB : LINK_END;
	symbols[1 + count].k = true;
	return count + 2;
}

enum deframer_event deframer_abort(struct deframer *deframer)
{
	bool tlp = deframer->state == DEFRAMER_IN_TLP, dllp = deframer->state == DEFRAMER_IN_DLLP;

	deframer->state = DEFRAMER_IDLE;
	if (tlp)
		return DEFRAMER_LOST_TLP;
	return dllp ? DEFRAMER_ERROR : DEFRAMER_NOTHING;
}

static enum deframer_event error(struct deframer *deframer)
{
	enum deframer_event event = deframer_abort(deframer);

	return event == DEFRAMER_NOTHING ? DEFRAMER_ERROR : event;
}

static enum deframer_event end(struct deframer *deframer, bool bad)
{
	bool tlp = deframer->state == DEFRAMER_IN_TLP;

	if (deframer->state == DEFRAMER_IDLE)
		return DEFRAMER_ERROR;
	if (!tlp && (bad || deframer->count != DLLP_BYTES))
		return error(deframer);
	deframer->state = DEFRAMER_IDLE;
	if (!tlp)
		return DEFRAMER_DLLP;
	return bad ? DEFRAMER_NULLIFIED_TLP : DEFRAMER_TLP;
}

enum deframer_event deframer_receive(struct deframer *deframer, const struct lane_symbol *symbol)
{
	enum deframer_event event = DEFRAMER_NOTHING;

	if (symbol->idle)
		return deframer_abort(deframer);
	if (lane_symbol_bad(symbol))
		return error(deframer);
	if (!symbol->k) {
		if (deframer->state == DEFRAMER_IDLE)
			return DEFRAMER_NOTHING; /* logical idle: the value is not looked at */
		if (deframer->count == PACKET_BYTES)
			return error(deframer);
		deframer->bytes[deframer->count++] = symbol->value;
		return DEFRAMER_NOTHING;
	}
	switch (symbol->value) {
	case LINK_STP:
	case LINK_SDP:
		event = deframer_abort(deframer);
		deframer->state = symbol->value == LINK_STP ? DEFRAMER_IN_TLP : DEFRAMER_IN_DLLP;
		deframer->count = 0;
		return event;
	case LINK_END:
		return end(deframer, false);
	case LINK_EDB:
		return end(deframer, true);
	default:
		return error(deframer);
	}
}
