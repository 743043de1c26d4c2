// SPDX-License-Identifier: Apache-2.0
/* The elastic buffer stays half full; at most one SKP of a set is dropped or repeated. */
#include <string.h>

#include "elastic.h"

#define LEVEL (ELASTIC_SYMBOLS / 2)

void elastic_reset(struct elastic *elastic)
{
	memset(elastic, 0, sizeof(*elastic));
	elastic->last.idle = true;
}

void elastic_push(struct elastic *elastic, const struct lane_symbol *symbol)
{
	if (elastic->count == ELASTIC_SYMBOLS) {
		elastic->overflows++;
		return;
	}
	elastic->fifo[(elastic->first + elastic->count++) % ELASTIC_SYMBOLS] = *symbol;
}

static struct lane_symbol take(struct elastic *elastic)
{
	struct lane_symbol symbol = elastic->fifo[elastic->first];

	elastic->first = (elastic->first + 1) % ELASTIC_SYMBOLS;
	elastic->count--;
	return symbol;
}

struct lane_symbol elastic_pop(struct elastic *elastic)
{
	struct lane_symbol *head = &elastic->fifo[elastic->first];
	bool behind_skp = lane_symbol_is(&elastic->last, LINK_SKP);

	/* Electrical idle lasts until the buffer is half full. */
	if (elastic->last.idle && elastic->count < LEVEL)
		return elastic->last;
	while (elastic->count > LEVEL && head->idle) {
		take(elastic);
		head = &elastic->fifo[elastic->first];
	}
	if (lane_symbol_is(&elastic->last, LINK_COM))
		elastic->moved = false;
	if (!elastic->count) {
		elastic->underflows++;
		elastic->last = (struct lane_symbol){ .code_error = true };
		return elastic->last;
	}
	if (behind_skp && !elastic->moved && elastic->count < LEVEL) {
		elastic->moved = true;
		return elastic->last;
	}
	if (behind_skp && !elastic->moved && elastic->count > LEVEL &&
	    lane_symbol_is(head, LINK_SKP)) {
		elastic->moved = true;
		take(elastic);
	}
	elastic->last = take(elastic);
	return elastic->last;
}
