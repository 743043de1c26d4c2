/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of a board's link console over its serial line: frames with a CRC, one request after
 * the other. The board's end is rtl/serial/rf_frame_registers.sv.
 */
#ifndef RF_LINK_LINE_H
#define RF_LINK_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct rf_link_line - a line.
 * @file: of the tty
 * @foreign: bytes came that are no answer
 */
struct rf_link_line {
	int file;
	bool foreign;
};

/*
 * The tty at @path, for this process alone, at 1 Mbaud. 0 or -errno; -EBUSY: another process has
 * it; -ENOTTY: it is none.
 */
int rf_link_line_open(struct rf_link_line *line, const char *path);
void rf_link_line_close(struct rf_link_line *line);

/*
 * Up to 255 registers from @address on; one of them. Both ask again if no answer comes. 0;
 * -ETIMEDOUT: none came; -EIO: the line has gone.
 */
int rf_link_line_read(struct rf_link_line *line, unsigned int address, unsigned int count,
		      uint32_t *values);
int rf_link_line_write(struct rf_link_line *line, unsigned int address, uint32_t value);

#endif
