/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols in the words of the PCIe link: two a word, as rf_link_pkg::word_t has them, the first one
 * in the lower bits.
 */
#ifndef RF_TEST_LINK_WORDS_H
#define RF_TEST_LINK_WORDS_H

#include <cstdint>

namespace rf {

/* @bad: a code or disparity error, then the others mean nothing */
struct Symbol {
	uint8_t value;
	bool k, bad;
};

inline uint32_t link_word(const Symbol &low, const Symbol &high)
{
	return low.value | high.value << 8 | low.k << 16 | high.k << 17 | low.bad << 18 |
	       high.bad << 19;
}

/* Symbol @place of a word, 0 or 1. A word that is sent has no errors. */
inline Symbol link_symbol(uint32_t word, unsigned place)
{
	return { uint8_t(word >> (8 * place)), bool(word >> (16 + place) & 1),
		 bool(word >> (18 + place) & 1) };
}

} /* namespace rf */

#endif
