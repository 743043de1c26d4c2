// SPDX-License-Identifier: Apache-2.0
/*
 * A port. Received symbols go through elastic buffer, ordered sets, descrambler and deframer.
 * What is sent is chosen when the last item, an ordered set or a packet, is complete.
 */
#include <string.h>

#include "code_8b10b.h"
#include "port.h"

#define MILLISECOND 250000
#define ERROR_WEIGHT 8 /* an error counts for that many good symbols */

void port_config_init(struct port_config *config, enum ltssm_role role)
{
	*config = (struct port_config){
		.ltssm = { .role = role,
			   .millisecond = MILLISECOND,
			   .detect = 250,
			   .link_number = 1,
			   .fts = 16 },
		.data_link = { .credits = { { 32, 256 }, { 32, 32 }, { 0, 0 } },
			       .ack_latency = 100,
			       .update_interval = 7000,
			       .replay_limit = 1000 },
		.skp_interval = 1180,
		.skp_length = 3,
		.retrain_errors = 8,
	};
}

void port_start(struct port *port, const struct port_config *config)
{
	memset(port, 0, sizeof(*port));
	port->config = *config;
	ltssm_reset(&port->ltssm, &config->ltssm);
	data_link_reset(&port->data_link, &config->data_link);
	scrambler_reset(&port->scrambler);
	scrambler_reset(&port->descrambler);
	elastic_reset(&port->elastic);
	port->received.idle = true;
}

/* --- receiver ---------------------------------------------------------------------------- */

void port_receive(struct port *port, const struct lane_symbol *symbol)
{
	struct lane_symbol decoded;

	port->lane.invert = port->ltssm.inverted;
	port->lane.search = port->ltssm.state != LTSSM_L0;
	decoded = lane_receive(&port->lane, symbol);
	elastic_push(&port->elastic, &decoded);
}

/* Errors that come too fast to be single ones: the lock is lost. */
static void watch_errors(struct port *port, bool bad)
{
	if (port->ltssm.state != LTSSM_L0 || port->ltssm.rx_l0s) {
		port->errors = 0;
		return;
	}
	if (bad)
		port->errors += ERROR_WEIGHT;
	else
		port->errors -= port->errors > 0;
	if (port->config.retrain_errors && port->ltssm.directive == LTSSM_TRAIN &&
	    port->errors >= ERROR_WEIGHT * port->config.retrain_errors)
		ltssm_direct(&port->ltssm, LTSSM_RETRAIN);
}

static void deframed(struct port *port, enum deframer_event event)
{
	const uint8_t *bytes = port->deframer.bytes;
	bool update = event == DEFRAMER_DLLP && bytes[0] >= DLLP_UPDATEFC_P &&
		      bytes[0] <= DLLP_UPDATEFC_CPL;

	if (event == DEFRAMER_NOTHING)
		return;
	if (event == DEFRAMER_LOST_TLP || event == DEFRAMER_ERROR)
		port->receiver_errors++;
	else
		ltssm_received_packet(&port->ltssm, update);
	data_link_received(&port->data_link, event, bytes, port->deframer.count);
}

/* A symbol of the data stream: packets, logical idle. */
static void receive_data(struct port *port, struct lane_symbol *symbol)
{
	bool idle;

	symbol->value = scrambler_symbol(&port->descrambler, symbol->value, symbol->k, false);
	idle = !symbol->k && !symbol->value && !lane_symbol_bad(symbol);
	if (port->ltssm.state == LTSSM_LOOPBACK_ACTIVE) {
		port->looped++;
		port->looped_wrong += !idle;
	}
	/* Inside of a packet it is data. */
	idle &= port->deframer.state == DEFRAMER_IDLE;
	ltssm_received_symbol(&port->ltssm, idle ? LTSSM_LOGICAL_IDLE : LTSSM_OTHER);
	if (ltssm_takes_packets(&port->ltssm))
		deframed(port, deframer_receive(&port->deframer, symbol));
	else
		deframer_abort(&port->deframer);
}

static void receive(struct port *port, struct lane_symbol symbol)
{
	enum ordered_set_progress progress;
	struct ordered_set set;

	if (symbol.idle) {
		memset(&port->sets, 0, sizeof(port->sets));
		ltssm_received_symbol(&port->ltssm, LTSSM_ELECTRICAL_IDLE);
		deframed(port, deframer_abort(&port->deframer));
		return;
	}
	watch_errors(port, lane_symbol_bad(&symbol));
	progress = ordered_set_receive(&port->sets, &symbol, &set);
	if (progress == ORDERED_SET_OUTSIDE || progress == ORDERED_SET_BROKEN) {
		receive_data(port, &symbol);
		return;
	}
	scrambler_symbol(&port->descrambler, symbol.value, symbol.k, true);
	ltssm_received_symbol(&port->ltssm, LTSSM_INSIDE_SET);
	deframed(port, deframer_abort(&port->deframer));
	if (progress == ORDERED_SET_COMPLETE)
		ltssm_received_set(&port->ltssm, &set);
}

/* --- transmitter --------------------------------------------------------------------------- */

static void put_set(struct port *port, const struct ordered_set *set)
{
	port->item_send = SEND_SET;
	port->item_set = *set;
	port->item_count = ordered_set_make(set, port->config.skp_length, port->item);
	port->item_plain = true;
}

/* 4.2.9: K28.5, D21.5, K28.5, D10.2, from negative disparity. */
static void put_compliance(struct port *port)
{
	static const struct plain_symbol pattern[] = { { LINK_COM, true },
						       { LINK_SYMBOL(21, 5), false },
						       { LINK_COM, true },
						       { LINK_SYMBOL(10, 2), false } };

	memcpy(port->item, pattern, sizeof(pattern));
	port->item_count = sizeof(pattern) / sizeof(*pattern);
	port->item_plain = true;
}

static void put_idle(struct port *port)
{
	port->item[0] = (struct plain_symbol){ 0, false };
	port->item_count = 1;
	port->item_plain = false;
}

static void put_packet(struct port *port)
{
	struct link_packet *packet = &port->packet;

	port->item_count = framer_make(packet->kind, packet->bytes, packet->count, port->item);
	port->item_plain = false;
}

static void choose(struct port *port)
{
	struct ordered_set set;

	port->item_at = port->item_count = 0;
	if (port->skps_due && ltssm_may_skip(&port->ltssm)) {
		port->skps_due--;
		put_set(port, &(struct ordered_set){ .kind = ORDERED_SET_SKP });
		return;
	}
	port->item_send = ltssm_next(&port->ltssm, &set);
	switch (port->item_send) {
	case SEND_SET:
		put_set(port, &set);
		break;
	case SEND_IDLE:
		put_idle(port);
		break;
	case SEND_PACKETS:
		if (data_link_next(&port->data_link, &port->packet)) {
			put_packet(port);
		} else {
			port->item_send = SEND_IDLE;
			put_idle(port);
		}
		break;
	case SEND_COMPLIANCE:
		put_compliance(port);
		break;
	default:
		break;
	}
}

static void tick_skp(struct port *port)
{
	if (!ltssm_may_skip(&port->ltssm)) {
		port->skp_timer = port->skps_due = 0;
		return;
	}
	if (++port->skp_timer >= port->config.skp_interval) {
		port->skp_timer = 0;
		port->skps_due++;
	}
}

/* The link is off at once, in the middle of whatever is sent. */
static bool cut(const struct port *port)
{
	return port->ltssm.state == LTSSM_DETECT_QUIET;
}

static struct lane_symbol transmit(struct port *port)
{
	const struct plain_symbol *plain;
	struct lane_symbol out = { .idle = true };

	tick_skp(port);
	if (cut(port))
		port->item_at = port->item_count = 0;
	if (port->item_at == port->item_count)
		choose(port);
	if (port->item_send == SEND_LOOP)
		return port->received;
	if (!port->item_count)
		return out;
	plain = &port->item[port->item_at++];
	out.idle = false;
	out.k = plain->k;
	out.value = scrambler_symbol(&port->scrambler, plain->value, plain->k, port->item_plain);
	out.bits = code_8b10b_encode(out.value, out.k, &port->positive);
	if (port->item_at < port->item_count)
		return out;
	if (port->item_send == SEND_PACKETS)
		data_link_sent(&port->data_link, &port->packet);
	ltssm_sent(&port->ltssm, port->item_send, &port->item_set);
	return out;
}

/* --- both ------------------------------------------------------------------------------------ */

/* What the data link layer and power management want of the LTSSM. */
static void direct(struct port *port)
{
	struct data_link *link = &port->data_link;
	enum ltssm_state state = port->ltssm.state;
	uint8_t answered = data_link_answers_power(link);

	data_link_up(link, port->ltssm.link_up);
	port->scrambler.off = port->descrambler.off =
		port->ltssm.scrambling_off && port->ltssm.link_up;
	if (ltssm_trains(&port->ltssm))
		data_link_power_done(link);
	if (state == LTSSM_RECOVERY_IDLE)
		replay_retrained(&link->replay);
	if (state == LTSSM_L1_IDLE && link->queue.count)
		ltssm_direct(&port->ltssm, LTSSM_RETRAIN);
	if (port->ltssm.directive != LTSSM_TRAIN)
		return;
	if (link->replay.retrain && state == LTSSM_L0)
		ltssm_direct(&port->ltssm, LTSSM_RETRAIN);
	if (link->power_granted)
		answered = link->power_request;
	if (answered && state == LTSSM_L0)
		ltssm_direct(&port->ltssm,
			     answered == DLLP_PM_ENTER_L1 ? LTSSM_ENTER_L1 : LTSSM_ENTER_L2);
}

struct lane_symbol port_step(struct port *port)
{
	port->steps++;
	ltssm_tick(&port->ltssm);
	data_link_tick(&port->data_link, !ltssm_trains(&port->ltssm));
	port->received = elastic_pop(&port->elastic);
	receive(port, port->received);
	direct(port);
	return transmit(port);
}

int port_sent_tlp(const struct port *port)
{
	bool last = port->item_count && port->item_at == port->item_count;

	return last && port->item_send == SEND_PACKETS ? port->packet.sequence : -1;
}

bool port_send(struct port *port, const struct link_tlp *tlp)
{
	return data_link_send(&port->data_link, tlp);
}

void port_ask_power(struct port *port, uint8_t type)
{
	data_link_ask_power(&port->data_link, type);
}
