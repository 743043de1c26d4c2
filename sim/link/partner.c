// SPDX-License-Identifier: Apache-2.0
/* The link partner: a port that follows the rules, and channels and clocks that do not. */
#include <string.h>

#include "code_8b10b.h"
#include "partner.h"

#define MILLION 1000000

/*
 * The latency is measured at the device's end. Either lane delivers a symbol one symbol time later;
 * with @offset one more. Max_Payload_Size is not known here: the limit is the smallest one.
 */
#define LANE_TIMES 3
#define ACK_LIMIT (ACK_LATENCY_128 + LANE_TIMES)

void partner_reset(struct partner *partner, const struct port_config *config, uint64_t seed)
{
	memset(partner, 0, sizeof(*partner));
	port_start(&partner->port, config);
	channel_reset(&partner->to_device, seed);
	channel_reset(&partner->from_device, ~seed);
	watch_reset(&partner->watch, ACK_LIMIT);
}

/* Symbol times of the partner's clock in one of the device's. */
static unsigned int clock_steps(struct partner *partner)
{
	partner->drift += partner->ppm;
	if (partner->drift >= MILLION) {
		partner->drift -= MILLION;
		return 2;
	}
	if (partner->drift <= -MILLION) {
		partner->drift += MILLION;
		return 0;
	}
	return 1;
}

static void step(struct partner *partner)
{
	struct lane_symbol sent = port_step(&partner->port);
	int sequence = port_sent_tlp(&partner->port);

	if (sequence >= 0)
		watch_sent(&partner->watch, sequence);
	partner->waiting_count +=
		channel_pass(&partner->to_device, &sent, &partner->waiting[partner->waiting_count]);
}

static void watch(struct partner *partner, const struct lane_symbol *symbol)
{
	const struct ltssm *ltssm = &partner->port.ltssm;
	struct watch_state state = {
		.trained = ltssm->state == LTSSM_L0 && !ltssm->rx_l0s,
		.active = partner->port.data_link.state == DL_ACTIVE,
		.scrambling_off = partner->port.descrambler.off,
	};

	watch_symbol(&partner->watch, symbol, &state);
}

static unsigned int faults(const struct channel *channel)
{
	unsigned int sum = 0, kind;

	for (kind = 0; kind < CHANNEL_FAULT_KINDS; kind++)
		sum += channel->made[kind];
	return sum;
}

/* An error that was made, or what one makes of a later symbol */
static bool spoilt(struct partner *partner, const struct lane_symbol *out, unsigned int count)
{
	unsigned int made = faults(&partner->to_device) + faults(&partner->from_device), i;
	bool any = made != partner->faults;

	partner->faults = made;
	for (i = 0; i < count; i++)
		any |= out[i].idle || lane_symbol_bad(&out[i]);
	return any;
}

/* What is on its way is neither: the rules wait for the next set. */
static void set_polarity(struct partner *partner, bool inverted)
{
	if (partner->from_device.lane.invert == inverted)
		return;
	partner->from_device.lane.invert = inverted;
	partner->from_device.lane.known = false;
	partner->watch.locked = false;
}

unsigned int partner_exchange(struct partner *partner, const struct lane_symbol *in,
			      struct lane_symbol out[PARTNER_SYMBOLS])
{
	unsigned int steps = clock_steps(partner), i, count;
	struct lane_symbol sent = *in, received[2];

	if (partner->decoded && !sent.idle)
		sent.bits = code_8b10b_encode(sent.value, sent.k, &partner->positive);
	count = channel_pass(&partner->from_device, &sent, received);
	set_polarity(partner, partner->port.ltssm.inverted);
	for (i = 0; i < count; i++) {
		watch(partner, &received[i]);
		port_receive(&partner->port, &received[i]);
	}
	while (partner->waiting_count < steps)
		step(partner);
	memcpy(out, partner->waiting, steps * sizeof(*out));
	if (spoilt(partner, out, steps))
		watch_doubt(&partner->watch);
	partner->waiting_count -= steps;
	memmove(partner->waiting, &partner->waiting[steps], partner->waiting_count * sizeof(*out));
	return steps;
}

bool partner_send(struct partner *partner, const struct link_tlp *tlp)
{
	return port_send(&partner->port, tlp);
}

void partner_direct(struct partner *partner, enum ltssm_directive directive)
{
	ltssm_direct(&partner->port.ltssm, directive);
}
