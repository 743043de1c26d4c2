// SPDX-License-Identifier: Apache-2.0
/*
 * The data link layer: initialisation of flow control, Ack and Nak, UpdateFC, power management.
 * Sequence numbers of the transmitter are in replay.c, credits in flow_control.c.
 */
#include <string.h>

#include "crc.h"
#include "data_link.h"

/* Sequence number, the shortest TLP, LCRC. */
#define SHORTEST_TLP (2 + 12 + 4)

static const uint8_t init1_types[] = { DLLP_INITFC1_P, DLLP_INITFC1_NP, DLLP_INITFC1_CPL };
static const uint8_t init2_types[] = { DLLP_INITFC2_P, DLLP_INITFC2_NP, DLLP_INITFC2_CPL };
static const uint8_t update_types[] = { DLLP_UPDATEFC_P, DLLP_UPDATEFC_NP, DLLP_UPDATEFC_CPL };

static void start(struct data_link *link)
{
	flow_control_reset(&link->flow, link->config.credits);
	replay_reset(&link->replay, link->config.replay_limit);
	link->queue.count = 0;
	link->expected = 0;
	link->nak_scheduled = link->ack_due = link->nak_due = false;
	link->ack_timer = link->unacknowledged = 0;
	link->updates = link->update_timer = 0;
	link->init_next = link->rounds = 0;
	link->fi2 = false;
	memset(link->held, 0, sizeof(link->held));
	data_link_power_done(link);
}

void data_link_reset(struct data_link *link, const struct data_link_config *config)
{
	memset(link, 0, sizeof(*link));
	link->config = *config;
	link->knobs.only = -1;
	start(link);
}

void data_link_up(struct data_link *link, bool up)
{
	if (up == (link->state != DL_INACTIVE))
		return;
	link->counters.downs += link->state == DL_ACTIVE;
	start(link);
	link->state = up ? DL_FC_INIT1 : DL_INACTIVE;
}

static bool holds_credits(const struct data_link *link, unsigned int class)
{
	return link->knobs.hold_credits >> class & 1;
}

static void free_held(struct data_link *link)
{
	unsigned int class;

	for (class = 0; class < CREDIT_CLASSES; class ++) {
		struct credits *allocated = &link->flow.allocated[class];

		if (!link->held[class].header || holds_credits(link, class))
			continue;
		allocated->header = (allocated->header + link->held[class].header) % 256;
		allocated->data = (allocated->data + link->held[class].data) % 4096;
		link->held[class] = (struct credits){ 0, 0 };
		link->updates |= 1u << class;
	}
}

void data_link_tick(struct data_link *link, bool trained)
{
	if (link->state == DL_INACTIVE)
		return;
	if (trained)
		replay_tick(&link->replay);
	if (link->unacknowledged && ++link->ack_timer >= link->config.ack_latency) {
		link->ack_due = !link->nak_scheduled;
		link->ack_timer = 0;
	}
	if (link->state == DL_ACTIVE && ++link->update_timer >= link->config.update_interval) {
		link->update_timer = 0;
		link->updates = CREDIT_ALL;
	}
	free_held(link);
}

bool data_link_send(struct data_link *link, const struct link_tlp *tlp)
{
	return link->state == DL_ACTIVE && tlp_queue_put(&link->queue, tlp);
}

bool data_link_empty(const struct data_link *link)
{
	return !link->queue.count && !link->replay.held;
}

/* --- sent ------------------------------------------------------------------------------ */

/* One of these that a knob takes? */
static bool taken(struct data_link *link, unsigned int *count, uint8_t type)
{
	if (!*count || (link->knobs.only >= 0 && link->knobs.only != type))
		return false;
	--*count;
	return true;
}

/* False if it is dropped. */
static bool make_dllp(struct data_link *link, struct link_packet *packet, const struct dllp *dllp)
{
	packet->kind = PACKET_DLLP;
	packet->count = DLLP_BYTES;
	packet->sequence = -1;
	dllp_encode(dllp, packet->bytes);
	if (taken(link, &link->knobs.drop_dllps, dllp->type))
		return false;
	if (taken(link, &link->knobs.spoil_dllps, dllp->type))
		packet->bytes[4] ^= 1;
	return true;
}

static bool make_credits(struct data_link *link, struct link_packet *packet, const uint8_t *types,
			 unsigned int class)
{
	struct credits value = flow_control_value(&link->flow, class);
	struct dllp dllp = { .type = types[class],
			     .header_credits = value.header,
			     .data_credits = value.data };

	return make_dllp(link, packet, &dllp);
}

/* P, NP, Cpl in this order, again and again. */
static bool next_init(struct data_link *link, struct link_packet *packet)
{
	unsigned int class = link->init_next;
	bool second = link->state == DL_FC_INIT2;

	link->init_next = (class + 1) % CREDIT_CLASSES;
	link->rounds += second && !link->init_next;
	return make_credits(link, packet, second ? init2_types : init1_types, class);
}

/* FC_INIT2 is left after a whole round, or the other side may never see all three. */
static void leave_init2(struct data_link *link)
{
	if (link->state != DL_FC_INIT2 || !link->fi2 || !link->rounds)
		return;
	link->state = DL_ACTIVE;
	link->update_timer = 0;
	link->updates = CREDIT_ALL;
}

static bool next_acknowledge(struct data_link *link, struct link_packet *packet)
{
	struct dllp dllp = { .type = link->nak_due ? DLLP_NAK : DLLP_ACK };

	dllp.sequence = (link->expected + SEQUENCE_NUMBERS - 1) % SEQUENCE_NUMBERS;
	link->counters.naks_sent += link->nak_due;
	link->counters.acks_sent += !link->nak_due;
	/* A Nak says what an Ack would. */
	link->nak_due = link->ack_due = false;
	link->unacknowledged = link->ack_timer = 0;
	return make_dllp(link, packet, &dllp);
}

static bool next_update(struct data_link *link, struct link_packet *packet)
{
	unsigned int class = __builtin_ctz(link->updates);

	link->updates &= ~(1u << class);
	link->counters.updates_sent++;
	return make_credits(link, packet, update_types, class);
}

/* Takes TLPs into the replay buffer while they have credits, and gives the next one. */
static bool next_tlp(struct data_link *link, struct link_packet *packet)
{
	struct data_link_knobs *knobs = &link->knobs;
	const struct replay_slot *slot;
	uint8_t bytes[LINK_TLP_BYTES];
	int place;

	slot = replay_next(&link->replay);
	if (!slot) {
		bool blocked = link->power_request || link->power_asked || link->replay.retrain;

		place = link->state == DL_ACTIVE && !blocked && !replay_full(&link->replay)
				? tlp_queue_find(&link->queue, &link->flow)
				: -1;
		if (place < 0)
			return false;
		flow_control_consume(&link->flow, link->queue.tlps[place].header);
		replay_put(&link->replay, bytes, tlp_to_bytes(&link->queue.tlps[place], bytes));
		tlp_queue_remove(&link->queue, place);
		link->counters.tlps_sent++;
		slot = replay_next(&link->replay);
	}
	packet->kind = PACKET_TLP;
	packet->count = slot->count;
	packet->sequence = slot->sequence;
	memcpy(packet->bytes, slot->bytes, slot->count);
	if (knobs->lose_tlps) {
		knobs->lose_tlps--;
		replay_sent(&link->replay, slot->sequence);
		return next_tlp(link, packet);
	}
	if (knobs->nullify_tlps) {
		knobs->nullify_tlps--;
		packet->kind = PACKET_NULLIFIED_TLP;
		packet->sequence = -1;
		for (place = 1; place <= 4; place++)
			packet->bytes[packet->count - place] ^= 0xff;
	} else if (knobs->double_tlps) {
		knobs->double_tlps--;
		packet->sequence = -1;
	} else if (knobs->spoil_tlps) {
		knobs->spoil_tlps--;
		packet->bytes[packet->count - 1] ^= 0x80;
	}
	return true;
}

static bool next_power(struct data_link *link, struct link_packet *packet)
{
	struct dllp dllp = { .type = DLLP_PM_REQUEST_ACK };

	if (link->power_request)
		dllp.type = link->power_request;
	else if (!data_link_answers_power(link))
		return false;
	return make_dllp(link, packet, &dllp);
}

static bool next(struct data_link *link, struct link_packet *packet)
{
	if ((link->nak_due || link->ack_due) && !link->knobs.hold_acks)
		return next_acknowledge(link, packet);
	if (link->state == DL_ACTIVE && link->updates)
		return next_update(link, packet);
	if (replay_next(&link->replay))
		return next_tlp(link, packet);
	if (link->state == DL_FC_INIT1 || link->state == DL_FC_INIT2)
		return next_init(link, packet);
	return next_tlp(link, packet) || next_power(link, packet);
}

bool data_link_next(struct data_link *link, struct link_packet *packet)
{
	bool given;

	if (link->state == DL_INACTIVE || link->power_granted)
		return false;
	given = next(link, packet);
	leave_init2(link);
	return given;
}

void data_link_sent(struct data_link *link, const struct link_packet *packet)
{
	if (packet->sequence >= 0)
		replay_sent(&link->replay, packet->sequence);
}

/* --- received TLPs ------------------------------------------------------------------------- */

static void schedule_nak(struct data_link *link)
{
	if (link->nak_scheduled)
		return;
	link->nak_scheduled = true;
	link->nak_due = true;
}

static void bad_tlp(struct data_link *link)
{
	link->counters.bad_tlps++;
	schedule_nak(link);
}

/* The numbers of a TLP that counts are used up, whatever becomes of it. */
static void accept(struct data_link *link, const uint8_t *bytes, unsigned int count)
{
	enum credit_class class;

	link->expected = (link->expected + 1) % SEQUENCE_NUMBERS;
	link->nak_scheduled = false;
	link->fi2 = true;
	link->unacknowledged++;
	if (!tlp_from_bytes(bytes + 2, count - 6, &link->tlp)) {
		link->counters.malformed++;
		return;
	}
	if (!flow_control_arrived(&link->flow, link->tlp.header)) {
		link->counters.overflows++;
		return;
	}
	link->counters.tlps_received++;
	class = credit_class(link->tlp.header);
	if (holds_credits(link, class)) {
		struct credits cost = credit_cost(link->tlp.header);

		link->held[class].header += cost.header;
		link->held[class].data += cost.data;
	} else {
		flow_control_freed(&link->flow, link->tlp.header);
		link->updates |= 1u << class;
	}
	if (link->config.deliver)
		link->config.deliver(link->config.context, &link->tlp);
}

static void receive_tlp(struct data_link *link, const uint8_t *bytes, unsigned int count,
			bool nullified)
{
	uint32_t crc = 0, right;
	unsigned int sequence, behind, i;

	if (count < SHORTEST_TLP) {
		bad_tlp(link);
		return;
	}
	for (i = 0; i < 4; i++)
		crc |= (uint32_t)bytes[count - 4 + i] << 8 * i;
	right = link_lcrc(bytes, count - 4);
	if (nullified && crc == (uint32_t)~right) {
		link->counters.nullified++;
		return;
	}
	if (nullified || crc != right) {
		bad_tlp(link);
		return;
	}
	sequence = (bytes[0] & 0xf) << 8 | bytes[1];
	behind = (link->expected - sequence) % SEQUENCE_NUMBERS;
	if (behind) {
		if (behind > SEQUENCE_NUMBERS / 2) {
			bad_tlp(link);
			return;
		}
		link->counters.duplicates++;
		link->ack_due = true;
		return;
	}
	if (link->knobs.nak_tlps) {
		link->knobs.nak_tlps--;
		schedule_nak(link);
		return;
	}
	accept(link, bytes, count);
}

/* --- received DLLPs -------------------------------------------------------------------------- */

static void receive_init(struct data_link *link, const struct dllp *dllp, bool second)
{
	enum credit_class class = (dllp->type >> 4 & 3);
	struct credits credits = { dllp->header_credits, dllp->data_credits };

	if (link->state == DL_FC_INIT1 && flow_control_init(&link->flow, class, credits)) {
		link->state = DL_FC_INIT2;
		link->init_next = 0;
	}
	if (link->state == DL_FC_INIT2)
		link->fi2 |= second;
}

static void receive_power(struct data_link *link, uint8_t type)
{
	if (type == DLLP_PM_REQUEST_ACK)
		link->power_granted |= link->power_request != 0;
	else if (type == DLLP_PM_ENTER_L1 || type == DLLP_PM_ENTER_L23)
		link->power_asked = type;
}

static void receive_dllp(struct data_link *link, const uint8_t *bytes)
{
	struct dllp dllp;
	struct credits credits;

	switch (dllp_decode(bytes, &dllp)) {
	case DLLP_BAD_CRC:
		link->counters.bad_dllps++;
		return;
	case DLLP_UNKNOWN:
		return;
	default:
		break;
	}
	credits = (struct credits){ dllp.header_credits, dllp.data_credits };
	switch (dllp.type) {
	case DLLP_ACK:
	case DLLP_NAK:
		link->counters.acks_received += dllp.type == DLLP_ACK;
		link->counters.naks_received += dllp.type == DLLP_NAK;
		if (!replay_acknowledge(&link->replay, dllp.sequence, dllp.type == DLLP_NAK))
			link->counters.protocol_errors++;
		break;
	case DLLP_INITFC1_P:
	case DLLP_INITFC1_NP:
	case DLLP_INITFC1_CPL:
		receive_init(link, &dllp, false);
		break;
	case DLLP_INITFC2_P:
	case DLLP_INITFC2_NP:
	case DLLP_INITFC2_CPL:
		receive_init(link, &dllp, true);
		break;
	case DLLP_UPDATEFC_P:
	case DLLP_UPDATEFC_NP:
	case DLLP_UPDATEFC_CPL:
		link->counters.updates_received++;
		if (link->state == DL_FC_INIT2)
			link->fi2 = true;
		if (link->state >= DL_FC_INIT2)
			flow_control_update(&link->flow, dllp.type >> 4 & 3, credits);
		break;
	default:
		receive_power(link, dllp.type);
		break;
	}
}

void data_link_received(struct data_link *link, enum deframer_event event, const uint8_t *bytes,
			unsigned int count)
{
	if (link->state == DL_INACTIVE)
		return;
	switch (event) {
	case DEFRAMER_DLLP:
		receive_dllp(link, bytes);
		break;
	case DEFRAMER_TLP:
	case DEFRAMER_NULLIFIED_TLP:
		/* In FC_INIT1 the layer is down: dropped without an Ack. */
		if (link->state == DL_FC_INIT1)
			break;
		receive_tlp(link, bytes, count, event == DEFRAMER_NULLIFIED_TLP);
		break;
	case DEFRAMER_LOST_TLP:
		if (link->state != DL_FC_INIT1)
			schedule_nak(link);
		break;
	default:
		break;
	}
}

/* --- power management --------------------------------------------------------------------------- */

void data_link_ask_power(struct data_link *link, uint8_t type)
{
	link->power_request = type;
	link->power_granted = false;
}

uint8_t data_link_answers_power(const struct data_link *link)
{
	return link->power_asked && !link->replay.held ? link->power_asked : 0;
}

void data_link_power_done(struct data_link *link)
{
	link->power_request = link->power_asked = 0;
	link->power_granted = false;
}

const char *data_link_state_name(enum data_link_state state)
{
	static const char *const names[] = { "DL_Inactive", "DL_Init, FC_INIT1",
					     "DL_Init, FC_INIT2", "DL_Active" };

	return names[state];
}
