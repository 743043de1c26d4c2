/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One direction of the lane, with the errors that wires and clocks make: bits that flip, symbols
 * that are lost or come twice, wrong disparity, silence, swapped wires, any place of the symbols in
 * the bits. Its other end is a SERDES: symbols come out as bits and decoded.
 */
#ifndef LINK_CHANNEL_H
#define LINK_CHANNEL_H

#include "lane.h"

enum channel_fault_kind {
	CHANNEL_FLIP, /* bits of the code */
	CHANNEL_LOSE, /* the symbol */
	CHANNEL_DOUBLE,
	CHANNEL_DISPARITY, /* the code of the other column, in the next symbol that has two */
	CHANNEL_FAULT_KINDS,
};

/* @at: number of the symbol, as counted by struct channel; @bits: to flip, 1..1023 */
struct channel_fault {
	uint64_t at;
	enum channel_fault_kind kind;
	uint16_t bits;
};

#define CHANNEL_FAULTS 16

/**
 * struct channel - a direction. Everything up to @faults may be changed at any time.
 * @invert: wires are swapped
 * @offset: bits by which symbols are late, 0..9
 * @silent: electrical idle, whatever is sent
 * @silent_from: as @silent from this symbol on; 0: never
 * @error_every: random errors, one in that many symbols on average; 0: none
 * @error_kinds: of these kinds, bits of enum channel_fault_kind
 * @random: state of the generator, not 0
 * @lane: the SERDES at the end; its @invert is the device's wish
 * @faults, @fault_count: faults to come, in any order
 * @symbols: that came in
 * @made: faults, by kind
 */
struct channel {
	bool invert;
	unsigned int offset;
	bool silent;
	uint64_t silent_from;
	unsigned int error_every, error_kinds;
	uint64_t random;
	struct lane_receiver lane;
	struct channel_fault faults[CHANNEL_FAULTS];
	unsigned int fault_count;
	uint64_t symbols;
	unsigned int made[CHANNEL_FAULT_KINDS];
	uint16_t before;
	bool disparity_due;
};

/* Without errors. */
void channel_reset(struct channel *channel, uint64_t seed);

/* A fault at a symbol that is still to come; false: there are CHANNEL_FAULTS already. */
bool channel_fault(struct channel *channel, const struct channel_fault *fault);

/* A symbol in; returns how many come out: 0, 1 or 2. */
unsigned int channel_pass(struct channel *channel, const struct lane_symbol *in,
			  struct lane_symbol out[2]);

#endif
