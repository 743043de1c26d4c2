// SPDX-License-Identifier: Apache-2.0
/* The queue: in order of arrival, except for what waits for credits. */
#include <string.h>

#include "tlp_queue.h"

bool tlp_queue_put(struct tlp_queue *queue, const struct link_tlp *tlp)
{
	struct link_tlp *new = &queue->tlps[queue->count];

	if (queue->count == TLP_QUEUE_DEPTH)
		return false;
	memcpy(new->header, tlp->header, sizeof(new->header));
	memcpy(new->payload, tlp->payload, 4 * link_payload_words(tlp));
	new->digest = tlp->digest;
	new->surplus = tlp->surplus;
	queue->count++;
	return true;
}

int tlp_queue_find(const struct tlp_queue *queue, const struct flow_control *flow)
{
	bool waits[CREDIT_CLASSES] = { false };
	unsigned int i;

	for (i = 0; i < queue->count && !waits[CREDIT_POSTED]; i++) {
		enum credit_class class = credit_class(queue->tlps[i].header);

		if (!waits[class] && flow_control_admits(flow, queue->tlps[i].header))
			return i;
		waits[class] = true;
	}
	return -1;
}

void tlp_queue_remove(struct tlp_queue *queue, int place)
{
	queue->count--;
	memmove(&queue->tlps[place], &queue->tlps[place + 1],
		(queue->count - place) * sizeof(queue->tlps[0]));
}
