/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gearing and clock compensation of a board's SERDES, which a bitstream with Switches = 1 has as
 * switches: two settings of the console, and words of the SERDES behind its SCI (docs/board.md).
 */
#ifndef RF_LINK_GEARS_H
#define RF_LINK_GEARS_H

#include <stdbool.h>
#include <stdint.h>

#include "link_line.h"
#include "link_registers.h"

/*
 * One register of the SERDES; @request is of RF_LINK_SCI_REQUEST_*. 0 or -errno; @byte of a read,
 * else NULL.
 */
int rf_link_sci(struct rf_link_line *line, uint32_t request, unsigned int *byte);

/*
 * Sets the switches of @settings and all others in it: with the SERDES in reset, then as @settings
 * says. The caller checks afterwards what became of it. 0 or -errno.
 */
int rf_link_gears_set(struct rf_link_line *line, uint32_t settings);

/*
 * Whether the SERDES has the words that belong to @settings: @good, or the first register that has
 * them not, with what it has and what it should have in the bits of @mask. 0 or -errno.
 */
struct rf_link_gears {
	bool good;
	unsigned int address, mask, is, wanted;
};
int rf_link_gears_check(struct rf_link_line *line, uint32_t settings, struct rf_link_gears *gears);

#endif
