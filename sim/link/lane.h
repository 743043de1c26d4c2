/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The receiver of a lane, as a SERDES has it: polarity, symbol lock by the comma, 8b/10b decoder.
 * PCI Express Base Specification 4.2.1.1.3 (initial disparity) and 4.2.5.5 (polarity).
 */
#ifndef LINK_LANE_H
#define LINK_LANE_H

#include "symbol.h"

/**
 * struct lane_receiver - ten bits in, one symbol out, the symbol up to one symbol time later.
 * @invert: the wires are swapped
 * @search: a comma at another place moves the lock; otherwise only in the first one found
 * @phase: where symbols begin in the bits that come
 * @locked: a comma was found since electrical idle
 * @positive: running disparity
 * @known: @positive is that of the lane
 * @before: the previous ten bits
 */
struct lane_receiver {
	bool invert, search;
	unsigned int phase;
	bool locked, positive, known;
	uint16_t before;
};

/* Only @idle and @bits of @symbol are read; without lock every symbol is a code error. */
struct lane_symbol lane_receive(struct lane_receiver *receiver, const struct lane_symbol *symbol);

#endif
