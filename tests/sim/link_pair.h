/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The link partner and a counterpart: the same model as an upstream port, in the place of a
 * device. Milliseconds are short, so that time-outs can be waited for.
 */
#ifndef LINK_PAIR_H
#define LINK_PAIR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "link/partner.h"

#define MILLISECOND 2000 /* of both ports, in symbol times */

/* Of one receiver: numbers of the TLPs that are next, by class; how many were wrong. */
struct delivered {
	uint32_t next[CREDIT_CLASSES];
	unsigned int count, wrong;
};

struct link_pair {
	struct partner partner;
	struct port device;
	struct delivered at_partner, at_device;
	uint32_t sent_down[CREDIT_CLASSES], sent_up[CREDIT_CLASSES];
	uint64_t random, steps;
};

static struct link_pair pair;

/* TLPs carry their number in address and payload, which is as long as the number says. */
static void make_tlp(struct link_tlp *tlp, enum credit_class class, uint32_t number)
{
	unsigned int words = 1 + number % 32, i;

	if (class == CREDIT_COMPLETION)
		tlp_completion(tlp->header, 0, TLP_STATUS_SUCCESS, 4 * words, 0x100, number, 0,
			       words);
	else
		tlp_memory_request(tlp->header, class == CREDIT_POSTED, 0x100, number,
				   (uint64_t)(number & 1) << 32 | number << 2, words, 0xf,
				   words > 1 ? 0xf : 0);
	for (i = 0; i < words; i++)
		tlp->payload[i] = number * 0x9e3779b9u + i;
	tlp->digest = 0;
}

static void deliver(void *context, const struct link_tlp *tlp)
{
	struct delivered *delivered = context;
	enum credit_class class = credit_class(tlp->header);
	static struct link_tlp expected;

	make_tlp(&expected, class, delivered->next[class]++);
	delivered->count++;
	if (memcmp(expected.header, tlp->header, sizeof(expected.header)) ||
	    memcmp(expected.payload, tlp->payload, 4 * tlp_payload_words(expected.header)))
		delivered->wrong++;
}

static void partner_setup(struct port_config *config)
{
	port_config_init(config, LTSSM_DOWNSTREAM_PORT);
	config->ltssm.millisecond = MILLISECOND;
	config->data_link.deliver = deliver;
	config->data_link.context = &pair.at_partner;
}

static void device_setup(struct port_config *config)
{
	port_config_init(config, LTSSM_UPSTREAM_PORT);
	config->ltssm.millisecond = MILLISECOND;
	config->data_link.deliver = deliver;
	config->data_link.context = &pair.at_device;
}

/* Both in Detect.Quiet. */
static void pair_start(const struct port_config *partner, const struct port_config *device,
		       uint64_t seed)
{
	memset(&pair, 0, sizeof(pair));
	partner_reset(&pair.partner, partner, seed);
	port_start(&pair.device, device);
	pair.random = seed ? seed : 1;
}

static inline int pair_setup(void **state)
{
	struct port_config partner, device;

	(void)state;
	partner_setup(&partner);
	device_setup(&device);
	pair_start(&partner, &device, 1);
	return 0;
}

static void pair_step(void)
{
	struct lane_symbol sent = port_step(&pair.device), received[PARTNER_SYMBOLS];
	unsigned int count = partner_exchange(&pair.partner, &sent, received), i;

	for (i = 0; i < count; i++)
		port_receive(&pair.device, &received[i]);
	pair.steps++;
}

static inline void pair_run(unsigned int steps)
{
	while (steps--)
		pair_step();
}

static inline uint64_t pair_draw(void)
{
	pair.random ^= pair.random << 13;
	pair.random ^= pair.random >> 7;
	pair.random ^= pair.random << 17;
	return pair.random;
}

/* Until both data link layers are active; false after @limit symbol times. */
static inline bool pair_active(unsigned int limit)
{
	while (limit--) {
		pair_step();
		if (pair.partner.port.data_link.state == DL_ACTIVE &&
		    pair.device.data_link.state == DL_ACTIVE)
			return true;
	}
	return false;
}

static inline bool send_next(bool down, enum credit_class class)
{
	uint32_t *number = down ? &pair.sent_down[class] : &pair.sent_up[class];
	static struct link_tlp tlp;

	make_tlp(&tlp, class, *number);
	if (!(down ? partner_send(&pair.partner, &tlp) : port_send(&pair.device, &tlp)))
		return false;
	++*number;
	return true;
}

/* As soon as the queue has room. */
static inline void send_soon(bool down, enum credit_class class)
{
	unsigned int limit = 50000;

	while (!send_next(down, class)) {
		assert_int_not_equal(limit--, 0);
		pair_step();
	}
}

/* Until all that was sent has arrived; false after @limit symbol times. */
static inline bool pair_drained(unsigned int limit)
{
	while (limit--) {
		pair_step();
		if (data_link_empty(&pair.partner.port.data_link) &&
		    data_link_empty(&pair.device.data_link))
			return true;
	}
	return false;
}

/* Every TLP came once, whole, and in the order of its class. */
static inline void assert_all_delivered(void)
{
	unsigned int class;

	assert_int_equal(pair.at_partner.wrong, 0);
	assert_int_equal(pair.at_device.wrong, 0);
	for (class = 0; class < CREDIT_CLASSES; class ++) {
		assert_int_equal(pair.at_device.next[class], pair.sent_down[class]);
		assert_int_equal(pair.at_partner.next[class], pair.sent_up[class]);
	}
}

/* The device kept every rule that the partner watches. */
static inline void assert_no_violation(void)
{
	const struct watch *watch = &pair.partner.watch;

	if (watch->verdict >= 0)
		fail_msg("%s, at %llu", watch_rule_text(watch->verdict),
			 (unsigned long long)watch->verdict_time);
}

/* Until the partner, or the device, is in a state. */
static inline bool reaches(bool partner, enum ltssm_state state, unsigned int limit)
{
	while (limit--) {
		pair_step();
		if ((partner ? pair.partner.port.ltssm.state : pair.device.ltssm.state) == state)
			return true;
	}
	return false;
}

#endif
