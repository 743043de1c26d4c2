// SPDX-License-Identifier: Apache-2.0
/*
 * Each rule that the link partner watches is broken on purpose; it must say so, and no rule before
 * it. That a device which keeps them all is not accused: link_training_test, link_data_test.
 */
#include "link_pair.h"

#define PARTNER (&pair.partner.port)
#define DEVICE (&pair.device)
#define WATCH (&pair.partner.watch)
#define COLD 60000

static void assert_verdict(enum watch_rule rule)
{
	if (WATCH->verdict != (int)rule)
		fail_msg("\"%s\" instead of \"%s\"",
			 WATCH->verdict < 0 ? "nothing" : watch_rule_text(WATCH->verdict),
			 watch_rule_text(rule));
	assert_in_range(WATCH->violations[rule], 1, 1000000);
}

static void start(const struct port_config *device)
{
	struct port_config partner;

	partner_setup(&partner);
	pair_start(&partner, device, 1);
}

static void activate(void)
{
	assert_true(pair_active(COLD));
	pair_run(1000);
	assert_no_violation();
}

static void code(void **state)
{
	(void)state;
	activate();
	channel_fault(&pair.partner.from_device,
		      &(struct channel_fault){ pair.partner.from_device.symbols + 10,
					       CHANNEL_DISPARITY, 0 });
	pair_run(100);
	assert_verdict(WATCH_CODE);
}

/* The lesson of others: a TS1 that is cut into a TS2. */
static void set_cut(void **state)
{
	unsigned int at;

	(void)state;
	for (at = 2; at < 16; at++) {
		pair_setup(NULL);
		assert_true(reaches(false, LTSSM_POLLING_ACTIVE, COLD));
		pair_run(1000);
		while (DEVICE->item_at != at)
			pair_step();
		assert_no_violation();
		DEVICE->item_at = DEVICE->item_count;
		pair_run(100);
		assert_verdict(WATCH_SET_CUT);
	}
}

static void framing(void **state)
{
	(void)state;
	activate();
	assert_true(send_next(false, CREDIT_POSTED));
	while (DEVICE->item_send != SEND_PACKETS || DEVICE->packet.kind != PACKET_TLP ||
	       DEVICE->item_at != 5)
		pair_step();
	/* A set in the middle of a packet */
	DEVICE->item_at = DEVICE->item_count;
	DEVICE->skps_due = 1;
	pair_run(100);
	assert_verdict(WATCH_FRAMING);
}

static void idle_data(void **state)
{
	(void)state;
	activate();
	while (DEVICE->item_send != SEND_IDLE)
		pair_step();
	DEVICE->scrambler.lfsr ^= 1;
	pair_run(100);
	assert_verdict(WATCH_IDLE_DATA);
}

static void quiet(void **state)
{
	(void)state;
	activate();
	ltssm_direct(&DEVICE->ltssm, LTSSM_OFF);
	pair_run(100);
	assert_verdict(WATCH_QUIET);
}

static void skp_length(void **state)
{
	struct port_config device;

	(void)state;
	device_setup(&device);
	device.skp_length = 2;
	start(&device);
	assert_true(pair_active(COLD));
	assert_verdict(WATCH_SKP_LENGTH);
}

static void skp_late(void **state)
{
	(void)state;
	activate();
	DEVICE->config.skp_interval = 1560;
	pair_run(5000);
	assert_verdict(WATCH_SKP_LATE);
	/* In training, too */
	pair_setup(NULL);
	DEVICE->config.skp_interval = 1560;
	assert_true(reaches(true, LTSSM_POLLING_CONFIGURATION, COLD));
	assert_verdict(WATCH_SKP_LATE);
}

static void few_ts1(void **state)
{
	(void)state;
	assert_true(reaches(false, LTSSM_POLLING_ACTIVE, COLD));
	DEVICE->ltssm.sent = 10;
	assert_true(reaches(false, LTSSM_POLLING_CONFIGURATION, COLD));
	pair_run(100);
	assert_verdict(WATCH_FEW_TS1);
}

static void dllp(void **state)
{
	(void)state;
	activate();
	DEVICE->data_link.knobs.spoil_dllps = 1;
	pair_run(8000);
	assert_verdict(WATCH_DLLP);
}

static void init_order(void **state)
{
	(void)state;
	DEVICE->data_link.knobs.drop_dllps = 1;
	DEVICE->data_link.knobs.only = DLLP_INITFC1_NP;
	assert_true(pair_active(COLD));
	assert_verdict(WATCH_INIT_ORDER);
}

/* A TLP to a device that acknowledges that late */
static void acknowledge(unsigned int latency)
{
	DEVICE->data_link.config.ack_latency = latency;
	assert_true(send_next(true, CREDIT_POSTED));
	pair_run(2000);
}

/* The limit is exact: the last symbol time that it allows passes, the next one does not. */
static void ack_late(void **state)
{
	unsigned int latency, last;

	(void)state;
	for (latency = 200; WATCH->verdict < 0; latency++) {
		assert_in_range(latency, 200, 240);
		last = WATCH->ack_longest;
		pair_setup(NULL);
		activate();
		acknowledge(latency);
	}
	assert_verdict(WATCH_ACK_LATE);
	assert_int_equal(last, WATCH->ack_limit);
	assert_in_range(WATCH->ack_limit, ACK_LATENCY_128, ACK_LATENCY_128 + 3);
}

/* TLPs both ways, as fast as they go; the device's Acks are due after that time. */
static void stream(unsigned int latency, unsigned int count)
{
	DEVICE->data_link.config.ack_latency = latency;
	while (count) {
		count -= send_next(true, CREDIT_POSTED);
		send_next(false, CREDIT_POSTED);
		pair_step();
	}
}

static void an_ack_waits_for_the_packet_under_way(void **state)
{
	(void)state;
	activate();
	stream(220, 500);
	assert_no_violation();
	/* A TLP of 128 bytes and a SKP set */
	assert_in_range(WATCH->ack_longest, WATCH->ack_limit + 100, WATCH->ack_limit + 160);
	assert_in_range(WATCH->acks, 100, 500);
	stream(280, 500);
	assert_verdict(WATCH_ACK_LATE);
}

static void errors(unsigned int every)
{
	struct channel *const lanes[] = { &pair.partner.to_device, &pair.partner.from_device };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		lanes[i]->error_every = every;
		lanes[i]->error_kinds = 1 << CHANNEL_FLIP | 1 << CHANNEL_DISPARITY |
					1 << CHANNEL_LOSE | 1 << CHANNEL_DOUBLE;
	}
}

/* With errors, a device that keeps the limit is not accused, and one that does not is. */
static void acks_are_judged_among_errors(void **state)
{
	static const unsigned int rates[] = { 20000, 2000, 1000 };
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		pair_setup(NULL);
		activate();
		errors(rates[i]);
		stream(100, 2000);
		assert_int_equal(WATCH->violations[WATCH_ACK_LATE], 0);
		assert_in_range(WATCH->acks, 100, 2000);
		assert_in_range(PARTNER->data_link.counters.naks_received, 5, 100000);
		stream(400, 500);
		assert_in_range(WATCH->violations[WATCH_ACK_LATE], 1, 500);
	}
}

static void update_late(void **state)
{
	(void)state;
	DEVICE->data_link.config.update_interval = 12000;
	activate();
	pair_run(20000);
	assert_verdict(WATCH_UPDATE_LATE);
}

/* clang-format off */
#define RULE_TESTS(X) \
	X(CODE, code) X(SET_CUT, set_cut) X(FRAMING, framing) X(IDLE_DATA, idle_data) \
	X(QUIET, quiet) X(SKP_LENGTH, skp_length) X(SKP_LATE, skp_late) X(FEW_TS1, few_ts1) \
	X(DLLP, dllp) X(INIT_ORDER, init_order) X(ACK_LATE, ack_late) X(UPDATE_LATE, update_late)
/* clang-format on */

static void every_rule_has_a_test(void **state)
{
	static const bool tested[WATCH_RULE_COUNT] = {
#define TESTED(name, function) [WATCH_##name] = true,
		RULE_TESTS(TESTED)
	};
	unsigned int rule;

	(void)state;
	for (rule = 0; rule < WATCH_RULE_COUNT; rule++) {
		if (!tested[rule])
			fail_msg("%s", watch_rule_text(rule));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name, function) { "link.rule_" #function, function, pair_setup, NULL, NULL },
		RULE_TESTS(TEST) TEST(, an_ack_waits_for_the_packet_under_way)
			TEST(, acks_are_judged_among_errors) TEST(, every_rule_has_a_test)
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (getenv("RF_TEST"))
		cmocka_set_test_filter(getenv("RF_TEST"));
	return cmocka_run_group_tests_name("link_watch", tests, NULL, NULL);
}
