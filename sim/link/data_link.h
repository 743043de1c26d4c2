/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data link layer of a port. PCI Express Base Specification chapter 3, credits of 2.6, link
 * power management of 5.3.2.
 *
 * Order: data_link_up() when the physical layer says so; then data_link_tick() each symbol time,
 * and of both directions what happens in it.
 */
#ifndef LINK_DATA_LINK_H
#define LINK_DATA_LINK_H

#include "dllp.h"
#include "flow_control.h"
#include "framer.h"
#include "replay.h"
#include "tlp_queue.h"

enum data_link_state {
	DL_INACTIVE,
	DL_FC_INIT1, /* DL_Init, DL_Down */
	DL_FC_INIT2, /* DL_Init, DL_Up */
	DL_ACTIVE,
};

/**
 * struct data_link_config - constants of a port.
 * @credits: advertised, by enum credit_class
 * @ack_latency: symbol times from a TLP to its Ack; 237 at most with payloads of 128 bytes
 * @update_interval: symbol times between UpdateFCs that nothing asks for; 7500 (30 us) at most
 * @replay_limit: of the replay timer, symbol times; 711 or more with payloads of 128 bytes
 * @deliver: a TLP came, @context goes with it; NULL: it is counted
 */
struct data_link_config {
	struct credits credits[CREDIT_CLASSES];
	uint32_t ack_latency, update_interval, replay_limit;
	void (*deliver)(void *context, const struct link_tlp *tlp);
	void *context;
};

/**
 * struct data_link_knobs - errors to make. Counts are of the next packets, and fall to 0.
 * @drop_dllps, @spoil_dllps: DLLPs that are not sent, or with a wrong CRC
 * @only: for these: of this type alone (enum dllp_type), or any if negative
 * @lose_tlps: TLPs that are not sent, though they have their sequence numbers
 * @spoil_tlps: sent with a wrong LCRC
 * @nullify_tlps: sent nullified (EDB, inverted LCRC), and then again as they should
 * @double_tlps: sent twice
 * @nak_tlps: received good ones that are refused by a Nak
 * @hold_acks: no Ack, no Nak
 * @hold_credits: what is received in these classes (a bit for each) does not free its credits
 */
struct data_link_knobs {
	unsigned int drop_dllps, spoil_dllps;
	int only;
	unsigned int lose_tlps, spoil_tlps, nullify_tlps, double_tlps, nak_tlps;
	bool hold_acks;
	unsigned int hold_credits;
};

/**
 * struct data_link_counters - what happened, since the port was made.
 * @tlps_sent: without repetitions
 * @bad_tlps: wrong LCRC or out of sequence (Bad TLP)
 * @bad_dllps: wrong CRC (Bad DLLP)
 * @protocol_errors: Acks of what was not sent (Data Link Protocol Error)
 * @overflows: TLPs without credits (Receiver Overflow); dropped
 * @malformed: wrong length
 * @nullified, @duplicates: TLPs that are not delivered, without an error
 * @downs: times that the link went down while it was active
 */
struct data_link_counters {
	unsigned int tlps_sent, tlps_received;
	unsigned int acks_sent, acks_received, naks_sent, naks_received, updates_sent;
	unsigned int updates_received;
	unsigned int bad_tlps, bad_dllps, protocol_errors, overflows, malformed;
	unsigned int nullified, duplicates, downs;
};

/**
 * struct data_link - the layer.
 * @expected: NEXT_RCV_SEQ
 * @nak_scheduled: as in 3.6.3.1
 * @ack_due, @nak_due: to be sent next
 * @ack_timer, @unacknowledged: time since, and number of, TLPs without an Ack
 * @updates: UpdateFCs to be sent, a bit for each class
 * @update_timer: since the last ones
 * @init_next, @rounds: InitFC: next class, full rounds of InitFC2
 * @fi2: flag FI2
 * @power_request: DLLP that this port sends until PM_Request_Ack, or 0
 * @power_granted: that came; no DLLP is sent any more
 * @power_asked: DLLP of the other side that asks for L1 or L2/L3, or 0
 * @held: credits that hold_credits keeps
 */
struct data_link {
	struct data_link_config config;
	struct data_link_knobs knobs;
	struct data_link_counters counters;
	enum data_link_state state;
	struct flow_control flow;
	struct replay replay;
	struct tlp_queue queue;
	uint16_t expected;
	bool nak_scheduled, ack_due, nak_due;
	uint32_t ack_timer;
	unsigned int unacknowledged;
	unsigned int updates;
	uint32_t update_timer;
	unsigned int init_next, rounds;
	bool fi2;
	uint8_t power_request, power_asked;
	bool power_granted;
	struct credits held[CREDIT_CLASSES];
	struct link_tlp tlp;
};

/* @config: copied. */
void data_link_reset(struct data_link *link, const struct data_link_config *config);

/* LinkUp of the physical layer. Down: everything that is under way is dropped. */
void data_link_up(struct data_link *link, bool up);

/* @trained: the link is in neither Recovery nor Configuration. */
void data_link_tick(struct data_link *link, bool trained);

/* A TLP to be sent; false: the link is not active or the queue is full. */
bool data_link_send(struct data_link *link, const struct link_tlp *tlp);

/* Nothing waits to be sent or acknowledged. */
bool data_link_empty(const struct data_link *link);

/* --- towards the physical layer --------------------------------------------------------- */

/* @sequence: of a TLP; negative: data_link_sent() has nothing to do */
struct link_packet {
	enum packet_kind kind;
	uint8_t bytes[PACKET_BYTES];
	unsigned int count;
	int sequence;
};

/* The next packet to be sent; false: logical idle. */
bool data_link_next(struct data_link *link, struct link_packet *packet);

/* The last symbol of that packet was sent. */
void data_link_sent(struct data_link *link, const struct link_packet *packet);

/* What the deframer found. @bytes, @count: of the packet. */
void data_link_received(struct data_link *link, enum deframer_event event, const uint8_t *bytes,
			unsigned int count);

/* --- power management ---------------------------------------------------------------------- */

/* Ask for L1 or L2/L3 Ready (upstream port): DLLP_PM_ENTER_L1, DLLP_PM_ENTER_L23; 0 ends it. */
void data_link_ask_power(struct data_link *link, uint8_t type);

/* The type for which PM_Request_Ack is sent now, or 0: the port waits for electrical idle. */
uint8_t data_link_answers_power(const struct data_link *link);

/* The link has entered that state, or left it, or trains: both are over. */
void data_link_power_done(struct data_link *link);

const char *data_link_state_name(enum data_link_state state);

#endif
