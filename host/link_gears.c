// SPDX-License-Identifier: Apache-2.0
#include "link_gears.h"

#include <stddef.h>

/* The eight words, in registers of the channel: the bits of each, and those that are 1 */
static const struct word {
	unsigned int address, mask, geared, bypassed;
} words[] = {
	{ .address = 0x02, .mask = 0x0c, .geared = 0x0c },
	{ .address = 0x04, .mask = 0x10, .bypassed = 0x10 },
	{ .address = 0x1f, .mask = 0x1f, .geared = 0x0a, .bypassed = 0x01 },
};

#define WORDS (sizeof(words) / sizeof(words[0]))

/* The request for a register of the channel */
static uint32_t request_of(const struct word *word)
{
	return RF_LINK_FIELD(RF_LINK_SCI_REQUEST_ADDRESS, word->address);
}

static unsigned int wanted(const struct word *word, uint32_t settings)
{
	return (settings & RF_LINK_SETTINGS_GEAR_MASK ? word->geared : 0) |
	       (settings & RF_LINK_SETTINGS_CTC_MASK ? 0 : word->bypassed);
}

int rf_link_sci(struct rf_link_line *line, uint32_t request, unsigned int *byte)
{
	uint32_t value;
	int error = rf_link_line_write(line, RF_LINK_REGISTER_SCI_REQUEST, request);

	/* It takes less than a byte on the line. */
	if (error || !byte)
		return error;
	error = rf_link_line_read(line, RF_LINK_REGISTER_SCI, 1, &value);
	if (!error)
		*byte = RF_LINK_GET(RF_LINK_SCI_BYTE, value);
	return error;
}

int rf_link_gears_set(struct rf_link_line *line, uint32_t settings)
{
	unsigned int byte;
	size_t i;
	int error;

	error = rf_link_line_write(line, RF_LINK_REGISTER_SETTINGS,
				   settings | RF_LINK_SETTINGS_HOLD_MASK);
	for (i = 0; !error && i < WORDS; i++) {
		error = rf_link_sci(line, request_of(&words[i]), &byte);
		if (error)
			break;
		byte = (byte & ~words[i].mask) | wanted(&words[i], settings);
		error = rf_link_sci(line,
				    RF_LINK_SCI_REQUEST_WRITE_MASK | request_of(&words[i]) |
					    RF_LINK_FIELD(RF_LINK_SCI_REQUEST_BYTE, byte),
				    NULL);
	}
	if (error)
		return error;
	return rf_link_line_write(line, RF_LINK_REGISTER_SETTINGS, settings);
}

int rf_link_gears_check(struct rf_link_line *line, uint32_t settings, struct rf_link_gears *gears)
{
	size_t i;
	int error;

	gears->good = true;
	for (i = 0; i < WORDS && gears->good; i++) {
		error = rf_link_sci(line, request_of(&words[i]), &gears->is);
		if (error)
			return error;
		gears->address = words[i].address;
		gears->mask = words[i].mask;
		gears->wanted = wanted(&words[i], settings);
		gears->is &= gears->mask;
		gears->good = gears->is == gears->wanted;
	}
	return 0;
}
