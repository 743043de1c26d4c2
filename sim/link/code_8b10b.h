/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 8b/10b code: 256 data and 12 control symbols. PCI Express Base Specification 4.2.1.1 and
 * appendix B, which take it from ANSI X3.230 clause 11 and IEEE 802.3 clause 36.2.4.
 *
 * A code has ten bits, bit 0 is "a", the first on the lane, bit 9 is "j".
 */
#ifndef LINK_CODE_8B10B_H
#define LINK_CODE_8B10B_H

#include <stdbool.h>
#include <stdint.h>

enum code_result {
	CODE_GOOD,
	CODE_DISPARITY_ERROR, /* in the column of the other disparity; value and k are right */
	CODE_ERROR, /* in neither column; value and k are not written */
};

/* Is there such a control symbol? */
bool code_8b10b_is_control(uint8_t value);

/*
 * The code of a symbol at a running disparity, which it updates. @k with a value that
 * code_8b10b_is_control() denies: undefined code.
 */
uint16_t code_8b10b_encode(uint8_t value, bool k, bool *positive);

/*
 * The symbol of a code. @positive is the running disparity; after an error, too, it becomes what
 * the received bits say (802.3, 36.2.4.4).
 */
enum code_result code_8b10b_decode(uint16_t bits, bool *positive, uint8_t *value, bool *k);

#endif
