// SPDX-License-Identifier: Apache-2.0
/* Flow control: counters that only grow, compared modulo their size. */
#include <string.h>

#include "flow_control.h"

#define HEADER_SIZE 256
#define DATA_SIZE 4096

enum credit_class credit_class(const uint32_t *header)
{
	uint8_t type = tlp_type(header);

	if (tlp_is_completion(header) || (type & 0xbf) == (TLP_CPL | 1)) /* also of locked reads */
		return CREDIT_COMPLETION;
	if (tlp_is_memory_write(header) || (type & 0x38) == 0x30) /* messages: 4 DW, type 10rrr */
		return CREDIT_POSTED;
	return CREDIT_NON_POSTED;
}

struct credits credit_cost(const uint32_t *header)
{
	return (struct credits){ 1, (tlp_payload_words(header) + 3) / 4 };
}

static struct credits add(struct credits a, struct credits b)
{
	return (struct credits){ (a.header + b.header) % HEADER_SIZE,
				 (a.data + b.data) % DATA_SIZE };
}

/* Is @needed within @limit? Equation of 2.6.1.1. */
static bool within(unsigned int limit, unsigned int needed, unsigned int size)
{
	return (limit - needed) % size <= size / 2;
}

void flow_control_reset(struct flow_control *flow, const struct credits *advertised)
{
	memset(flow, 0, sizeof(*flow));
	memcpy(flow->advertised, advertised, sizeof(flow->advertised));
	memcpy(flow->allocated, advertised, sizeof(flow->allocated));
}

bool flow_control_init(struct flow_control *flow, enum credit_class class, struct credits credits)
{
	if (!flow->known[class]) {
		flow->known[class] = true;
		flow->limit[class] = credits;
		flow->infinite[class].header = !credits.header;
		flow->infinite[class].data = !credits.data;
	}
	return flow->known[0] && flow->known[1] && flow->known[2];
}

void flow_control_update(struct flow_control *flow, enum credit_class class, struct credits credits)
{
	flow->limit[class] = credits;
}

bool flow_control_admits(const struct flow_control *flow, const uint32_t *header)
{
	enum credit_class class = credit_class(header);
	struct credits cost = credit_cost(header), needed = add(flow->consumed[class], cost);
	const struct credits *limit = &flow->limit[class], *infinite = &flow->infinite[class];

	if (!infinite->header && !within(limit->header, needed.header, HEADER_SIZE))
		return false;
	return infinite->data || !cost.data || within(limit->data, needed.data, DATA_SIZE);
}

void flow_control_consume(struct flow_control *flow, const uint32_t *header)
{
	struct credits *consumed = &flow->consumed[credit_class(header)];

	*consumed = add(*consumed, credit_cost(header));
}

bool flow_control_arrived(struct flow_control *flow, const uint32_t *header)
{
	enum credit_class class = credit_class(header);
	const struct credits *advertised = &flow->advertised[class];
	const struct credits *allocated = &flow->allocated[class];
	struct credits received = add(flow->received[class], credit_cost(header));

	if (advertised->header && !within(allocated->header, received.header, HEADER_SIZE))
		return false;
	if (advertised->data && !within(allocated->data, received.data, DATA_SIZE))
		return false;
	flow->received[class] = received;
	return true;
}

void flow_control_freed(struct flow_control *flow, const uint32_t *header)
{
	struct credits *allocated = &flow->allocated[credit_class(header)];

	*allocated = add(*allocated, credit_cost(header));
}

struct credits flow_control_value(const struct flow_control *flow, enum credit_class class)
{
	struct credits value = flow->allocated[class];

	if (!flow->advertised[class].header)
		value.header = 0;
	if (!flow->advertised[class].data)
		value.data = 0;
	return value;
}
