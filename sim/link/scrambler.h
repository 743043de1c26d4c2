/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scrambler of a lane; descrambling is the same. PCI Express Base Specification 4.2.1.3 and
 * appendix C.
 */
#ifndef LINK_SCRAMBLER_H
#define LINK_SCRAMBLER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct scrambler - one direction of a lane.
 * @lfsr: x^16 + x^5 + x^4 + x^3 + 1; bit 15 is the output
 * @off: data pass as they are ("Disable Scrambling" in training sets)
 */
struct scrambler {
	uint16_t lfsr;
	bool off;
};

void scrambler_reset(struct scrambler *scrambler);

/*
 * One symbol. COM sets the LFSR, SKP leaves it, every other symbol advances it by eight shifts.
 * @plain: a data symbol in an ordered set or compliance pattern, which is not scrambled.
 * Returns the value; that of a control symbol never changes.
 */
uint8_t scrambler_symbol(struct scrambler *scrambler, uint8_t value, bool k, bool plain);

#endif
