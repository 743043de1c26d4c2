/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A port of a PCIe Gen1 x1 link, symbol by symbol: transmitter, receiver, LTSSM and data link layer
 * of either role. It follows the rules; what breaks them is in partner.h, and in the knobs of
 * the data link layer.
 *
 * Its clock is port_step(): one symbol time. port_receive() belongs to the clock of the other side;
 * the elastic buffer lies between.
 */
#ifndef LINK_PORT_H
#define LINK_PORT_H

#include "data_link.h"
#include "elastic.h"
#include "lane.h"
#include "ltssm.h"
#include "scrambler.h"

/**
 * struct port_config - constants of a port.
 * @ltssm, @data_link: of its layers
 * @skp_interval: symbol times between SKP sets, 1180..1538
 * @skp_length: SKPs of a set, 3; a receiver must take 1..5
 * @retrain_errors: Recovery after that many code or disparity errors close together; 0: never
 */
struct port_config {
	struct ltssm_config ltssm;
	struct data_link_config data_link;
	unsigned int skp_interval, skp_length;
	unsigned int retrain_errors;
};

/**
 * struct port - a port.
 * @item, @item_count, @item_at: symbols that are being sent
 * @item_plain: they are an ordered set: data are not scrambled
 * @item_send, @item_set, @packet: what they are
 * @skp_timer, @skps_due: SKP sets that wait for the end of a packet
 * @positive: running disparity of the transmitter
 * @received: the last symbol, as it came out of the elastic buffer
 * @errors: code and disparity errors close together
 * @receiver_errors: code, disparity and framing errors
 * @looped, @looped_wrong: symbols that came back in loopback, and those that were not idle
 * @steps: symbol times since the port was made
 */
struct port {
	struct port_config config;
	struct ltssm ltssm;
	struct data_link data_link;
	struct scrambler scrambler, descrambler;
	struct lane_receiver lane;
	struct elastic elastic;
	struct ordered_set_receiver sets;
	struct deframer deframer;
	struct plain_symbol item[PACKET_SYMBOLS];
	unsigned int item_count, item_at;
	bool item_plain;
	enum ltssm_send item_send;
	struct ordered_set item_set;
	struct link_packet packet;
	unsigned int skp_timer, skps_due;
	bool positive;
	struct lane_symbol received;
	unsigned int errors, receiver_errors;
	unsigned int looped, looped_wrong;
	uint64_t steps;
};

/* Values that suit payloads of 128 bytes, at real time. */
void port_config_init(struct port_config *config, enum ltssm_role role);

/* In Detect.Quiet, with a receiver present at the other end. */
void port_start(struct port *port, const struct port_config *config);

/* A symbol of the other side: its bits, which the port's own SERDES decodes. */
void port_receive(struct port *port, const struct lane_symbol *symbol);

/* A symbol time: returns the symbol that the port sends, at both levels. */
struct lane_symbol port_step(struct port *port);

/* The sequence number of the TLP whose last symbol port_step() returned, or negative. */
int port_sent_tlp(const struct port *port);

/*
 * A TLP to be sent: it leaves the link once, in the order of PCIe. False: not now (queue full, or
 * the link is down; then nothing of it is sent later either). Takes the link out of L1.
 */
bool port_send(struct port *port, const struct link_tlp *tlp);

/*
 * Ask for L1 or L2/L3 Ready, as an upstream port may: DLLP_PM_ENTER_L1, DLLP_PM_ENTER_L23. A
 * downstream port follows by itself.
 */
void port_ask_power(struct port *port, uint8_t type);

#endif
