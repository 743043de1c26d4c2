/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow control of virtual channel 0, both directions. PCI Express Base Specification 2.6.1; without
 * Scaled Flow Control header credits count modulo 256, data credits (16 bytes each) modulo 4096.
 */
#ifndef LINK_FLOW_CONTROL_H
#define LINK_FLOW_CONTROL_H

#include "tlp.h"

enum credit_class {
	CREDIT_POSTED,
	CREDIT_NON_POSTED,
	CREDIT_COMPLETION,
	CREDIT_CLASSES,
};

#define CREDIT_ALL ((1u << CREDIT_CLASSES) - 1) /* a bit for each class */

/* @header: 1..127, @data: 1..2047; 0 is infinite, in advertisements. */
struct credits {
	uint16_t header;
	uint16_t data;
};

/**
 * struct flow_control - the counters.
 * @limit, @consumed: of the transmitter
 * @infinite: of @limit, non-zero where the other side advertised infinite
 * @known: InitFC of this class was recorded
 * @advertised: own, at the start
 * @allocated, @received: of the receiver
 */
struct flow_control {
	struct credits limit[CREDIT_CLASSES];
	struct credits consumed[CREDIT_CLASSES];
	struct credits infinite[CREDIT_CLASSES];
	bool known[CREDIT_CLASSES];
	struct credits advertised[CREDIT_CLASSES];
	struct credits allocated[CREDIT_CLASSES];
	struct credits received[CREDIT_CLASSES];
};

enum credit_class credit_class(const uint32_t *header);

/* Of one TLP: a header credit, and data credits for its payload. */
struct credits credit_cost(const uint32_t *header);

void flow_control_reset(struct flow_control *flow, const struct credits *advertised);

/* An InitFC arrived. True once all classes are known; later ones change nothing. */
bool flow_control_init(struct flow_control *flow, enum credit_class of, struct credits credits);

/* An UpdateFC arrived; what is infinite stays so. */
void flow_control_update(struct flow_control *flow, enum credit_class of, struct credits credits);

/* May this TLP be sent? */
bool flow_control_admits(const struct flow_control *flow, const uint32_t *header);

void flow_control_consume(struct flow_control *flow, const uint32_t *header);

/* A TLP arrived. False if the sender had no credits for it (Receiver Overflow): not counted. */
bool flow_control_arrived(struct flow_control *flow, const uint32_t *header);

/* Its buffer is free again. */
void flow_control_freed(struct flow_control *flow, const uint32_t *header);

/* What InitFC and UpdateFC carry: 0 where infinite. */
struct credits flow_control_value(const struct flow_control *flow, enum credit_class of);

#endif
