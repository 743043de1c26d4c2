/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The elastic buffer between the received clock and a port's own: SKPs are dropped or repeated.
 * PCI Express Base Specification 4.2.8.
 */
#ifndef LINK_ELASTIC_H
#define LINK_ELASTIC_H

#include "symbol.h"

#define ELASTIC_SYMBOLS 16

/**
 * struct elastic - the buffer.
 * @fifo, @first, @count: its content
 * @last: the symbol that was given out last
 * @moved: a SKP of the present set was dropped or repeated
 * @overflows, @underflows: symbols lost or invented: the clocks are too far apart
 */
struct elastic {
	struct lane_symbol fifo[ELASTIC_SYMBOLS];
	unsigned int first, count;
	struct lane_symbol last;
	bool moved;
	unsigned int overflows, underflows;
};

/* Empty, and in electrical idle. */
void elastic_reset(struct elastic *elastic);

void elastic_push(struct elastic *elastic, const struct lane_symbol *symbol);

/* An empty buffer gives a code error, or electrical idle if that was last. */
struct lane_symbol elastic_pop(struct elastic *elastic);

#endif
