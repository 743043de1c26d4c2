/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLPs that wait for credits. PCI Express Base Specification 2.4.1: posted requests pass what
 * waits, completions and non-posted requests pass only non-posted requests or completions that wait.
 */
#ifndef LINK_TLP_QUEUE_H
#define LINK_TLP_QUEUE_H

#include "flow_control.h"
#include "tlp_bytes.h"

#define TLP_QUEUE_DEPTH 16

struct tlp_queue {
	struct link_tlp tlps[TLP_QUEUE_DEPTH];
	unsigned int count;
};

/* False if it is full. */
bool tlp_queue_put(struct tlp_queue *queue, const struct link_tlp *tlp);

/* The place of the oldest one that has credits and may pass those before it, or -1. */
int tlp_queue_find(const struct tlp_queue *queue, const struct flow_control *flow);

void tlp_queue_remove(struct tlp_queue *queue, int place);

#endif
