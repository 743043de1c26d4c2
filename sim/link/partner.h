/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The link partner: the root port at the other end of a device's PCIe Gen1 x1 link, for tests of
 * RTL and simulations. It follows the PCI Express Base Specification unless a knob says otherwise;
 * README.md lists the knobs.
 *
 * Time is the device's: partner_exchange() is one of its symbol times (4 ns).
 */
#ifndef LINK_PARTNER_H
#define LINK_PARTNER_H

#include "channel.h"
#include "port.h"
#include "watch.h"

#define PARTNER_SYMBOLS 2

/**
 * struct partner - a root port, the lane to the device and that from it.
 * @port: @port.ltssm.state is its LTSSM, @port.data_link.state its data link layer
 * @to_device, @from_device: errors on the lane
 * @decoded: the device gives value and k; their codes are made here
 * @positive: running disparity of those
 * @watch: rules for what the device sends
 * @ppm: its clock is faster than the device's by this many millionths, or slower; -5600..5600
 * @drift: millionths of a symbol time that have added up
 * @faults: of both lanes, that @watch was told of
 * @waiting, @waiting_count: symbols for the next exchanges, behind one that came twice
 */
struct partner {
	struct port port;
	struct channel to_device, from_device;
	struct watch watch;
	bool decoded, positive;
	int ppm, drift;
	unsigned int faults;
	struct lane_symbol waiting[PARTNER_SYMBOLS + 2];
	unsigned int waiting_count;
};

/*
 * In Detect.Quiet. @config: of port_config_init(LTSSM_DOWNSTREAM_PORT), changed at will. @seed: of
 * the random errors.
 */
void partner_reset(struct partner *partner, const struct port_config *config, uint64_t seed);

/*
 * A symbol time: @in is what the device sends. Writes what it receives to @out and returns
 * how many symbols these are: 1, but now and then 2 or 0 with @ppm. Lost and doubled symbols do
 * not change that number.
 */
unsigned int partner_exchange(struct partner *partner, const struct lane_symbol *in,
			      struct lane_symbol out[PARTNER_SYMBOLS]);

/* As port_send(). What the device sends comes through the config's deliver(). */
bool partner_send(struct partner *partner, const struct link_tlp *tlp);

/* Replaces what was wanted before; see enum ltssm_directive. */
void partner_direct(struct partner *partner, enum ltssm_directive directive);

#endif
