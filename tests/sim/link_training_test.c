// SPDX-License-Identifier: Apache-2.0
/*
 * The link partner's LTSSM against the same model as an upstream port: training, every time-out,
 * recovery, reset, power states, and loss of the link at any time.
 */
#include "link_pair.h"

#define PARTNER (&pair.partner.port)
#define DEVICE (&pair.device)
#define COLD 60000 /* symbol times, ample for training from Detect.Quiet */
#define MICROSECOND 250

static void pass_traffic(void)
{
	unsigned int class;

	for (class = 0; class < CREDIT_CLASSES; class ++) {
		assert_true(send_next(true, class));
		assert_true(send_next(false, class));
	}
	assert_true(pair_drained(20000));
	pair_run(1000);
	assert_all_delivered();
}

static void trains_from_cold(void **state)
{
	uint64_t start;

	(void)state;
	assert_true(reaches(true, LTSSM_DETECT_ACTIVE, COLD));
	start = pair.steps;
	assert_true(reaches(true, LTSSM_L0, COLD));
	/* 1024 TS1s are 65.5 us; less than that breaks a rule, more than 100 us the project's goal. */
	assert_in_range(pair.steps - start, 16384, 100 * MICROSECOND);
	assert_true(pair_active(1000));
	assert_int_equal(PARTNER->ltssm.link, 1);
	assert_int_equal(DEVICE->ltssm.link, 1);
	assert_int_equal(DEVICE->ltssm.lane, 0);
	assert_int_equal(PARTNER->ltssm.entries[LTSSM_RECOVERY_RCVRLOCK], 0);
	assert_false(DEVICE->ltssm.scrambling_off);
	pass_traffic();
	assert_no_violation();
}

/* Clocks, wires and SKP sets as they may be. */
static void trains_with_every_lane(void **state)
{
	struct port_config partner, device;
	unsigned int run;

	(void)state;
	for (run = 0; run < 20; run++) {
		partner_setup(&partner);
		device_setup(&device);
		/* A single SKP cannot be dropped: only with equal clocks. */
		partner.skp_length = run % 3 ? 2 + run % 4 : 1 + run % 5;
		device.skp_length = run % 3 ? 5 - run % 4 : 5 - run % 5;
		partner.skp_interval = run & 1 ? 1180 : 1538;
		partner.ltssm.link_number = 255 - run;
		pair_start(&partner, &device, run + 1);
		pair.partner.ppm = run % 3 ? (run & 1 ? 600 : -600) : 0;
		pair.partner.to_device.offset = run % 10;
		pair.partner.from_device.offset = (run + 3) % 10;
		pair.partner.to_device.invert = run & 1;
		pair.partner.from_device.invert = run & 2;
		if (!pair_active(COLD))
			fail_msg("run %u: %s, %s", run, ltssm_state_name(PARTNER->ltssm.state),
				 ltssm_state_name(DEVICE->ltssm.state));
		assert_int_equal(DEVICE->ltssm.inverted, run & 1);
		assert_int_equal(PARTNER->ltssm.inverted, !!(run & 2));
		assert_int_equal(DEVICE->ltssm.link, 255 - run);
		pair_run(20000);
		pass_traffic();
		assert_int_equal(PARTNER->elastic.overflows + PARTNER->elastic.underflows, 0);
		assert_int_equal(DEVICE->elastic.overflows + DEVICE->elastic.underflows, 0);
		assert_int_equal(PARTNER->receiver_errors + DEVICE->receiver_errors, 0);
		if (device.skp_length == 3)
			assert_no_violation();
	}
}

static void without_a_receiver_it_detects_again(void **state)
{
	(void)state;
	PARTNER->ltssm.present = false;
	DEVICE->ltssm.directive = LTSSM_OFF;
	pair_run(10 * 12 * MILLISECOND);
	assert_in_range(PARTNER->ltssm.entries[LTSSM_DETECT_ACTIVE], 9, 10);
	assert_int_equal(PARTNER->ltssm.entries[LTSSM_POLLING_ACTIVE], 0);
}

static void a_passive_load_leads_to_compliance(void **state)
{
	struct lane_symbol idle = { .idle = true }, out[PARTNER_SYMBOLS];
	static const uint8_t pattern[] = { 0xbc, 0xb5, 0xbc, 0x4a };
	unsigned int i;

	(void)state;
	for (i = 0; i < 40 * MILLISECOND; i++)
		partner_exchange(&pair.partner, &idle, out);
	assert_int_equal(PARTNER->ltssm.state, LTSSM_POLLING_COMPLIANCE);
	for (i = 0; out[0].value != 0xb5; i++)
		partner_exchange(&pair.partner, &idle, out);
	for (i = 1; i < 100; i++) {
		assert_int_equal(out[0].value, pattern[i % 4]);
		assert_int_equal(out[0].k, i % 2 == 0);
		partner_exchange(&pair.partner, &idle, out);
	}
	/* Then somebody speaks. */
	assert_true(pair_active(2 * COLD));
}

static void compliance_as_directed(void **state)
{
	(void)state;
	ltssm_direct(&DEVICE->ltssm, LTSSM_OFF);
	partner_direct(&pair.partner, LTSSM_COMPLIANCE);
	assert_true(reaches(true, LTSSM_POLLING_COMPLIANCE, COLD));
	assert_int_equal(PARTNER->ltssm.time, 0);
	pair_run(5000);
	partner_direct(&pair.partner, LTSSM_TRAIN);
	assert_true(reaches(true, LTSSM_POLLING_ACTIVE, 50)); /* eight EIOSs */
	ltssm_direct(&DEVICE->ltssm, LTSSM_TRAIN);
	assert_true(pair_active(2 * COLD));
}

/* --- the state machine alone ---------------------------------------------------------------- */

static struct ltssm alone;

static const struct ordered_set ts1 = { .kind = ORDERED_SET_TS1,
					.link = LINK_NUMBER_PAD,
					.lane = LINK_NUMBER_PAD,
					.rate = TRAINING_RATE_2_5 };
static const struct ordered_set ts2 = { .kind = ORDERED_SET_TS2,
					.link = LINK_NUMBER_PAD,
					.lane = LINK_NUMBER_PAD,
					.rate = TRAINING_RATE_2_5 };

static void receive_sets(const struct ordered_set *set, unsigned int count)
{
	while (count--) {
		ltssm_received_symbol(&alone, LTSSM_INSIDE_SET);
		ltssm_received_set(&alone, set);
	}
	ltssm_tick(&alone);
}

static void send_sets(unsigned int count)
{
	struct ordered_set set;

	while (count--) {
		assert_int_equal(ltssm_next(&alone, &set), SEND_SET);
		ltssm_sent(&alone, SEND_SET, &set);
	}
	ltssm_tick(&alone);
}

static void to_polling_configuration(void)
{
	const struct port_config *config = &PARTNER->config;

	ltssm_reset(&alone, &config->ltssm);
	while (alone.state != LTSSM_POLLING_ACTIVE)
		ltssm_tick(&alone);
	receive_sets(&ts1, 8);
	send_sets(1023);
	assert_int_equal(alone.state, LTSSM_POLLING_ACTIVE);
	send_sets(1);
	assert_int_equal(alone.state, LTSSM_POLLING_CONFIGURATION);
}

/* 4.2.7.2.3: eight TS2s in a row, and sixteen sent since the first. */
static void eight_received_and_sixteen_sent(void **state)
{
	struct ordered_set sent = ts1;

	(void)state;
	/* Sent before the first one came: these do not count. */
	to_polling_configuration();
	send_sets(40);
	receive_sets(&ts2, 8);
	send_sets(15);
	assert_int_equal(alone.state, LTSSM_POLLING_CONFIGURATION);
	/* A TS1 that was begun in Polling.Active does not either. */
	ltssm_sent(&alone, SEND_SET, &sent);
	ltssm_tick(&alone);
	assert_int_equal(alone.state, LTSSM_POLLING_CONFIGURATION);
	send_sets(1);
	assert_int_equal(alone.state, LTSSM_CONFIGURATION_LINKWIDTH_START);
	/* Seven and an error, then eight */
	to_polling_configuration();
	receive_sets(&ts2, 7);
	send_sets(16);
	ltssm_received_symbol(&alone, LTSSM_OTHER);
	receive_sets(&ts2, 7);
	assert_int_equal(alone.state, LTSSM_POLLING_CONFIGURATION);
	receive_sets(&ts2, 1);
	assert_int_equal(alone.state, LTSSM_CONFIGURATION_LINKWIDTH_START);
	/* What comes behind the eight does not take them back. */
	to_polling_configuration();
	receive_sets(&ts2, 8);
	receive_sets(&ts1, 3);
	receive_sets(&ts2, 1);
	send_sets(16);
	assert_int_equal(alone.state, LTSSM_CONFIGURATION_LINKWIDTH_START);
}

/* --- time-outs ----------------------------------------------------------------------------- */

static const struct timeout {
	enum ltssm_state state;
	unsigned int milliseconds;
	enum ltssm_state next, device_next;
} timeouts[] = {
#define TIMEOUT(state, ms, next)                              \
	{                                                     \
		LTSSM_##state, ms, LTSSM_##next, LTSSM_##next \
	}
	TIMEOUT(POLLING_CONFIGURATION, 48, DETECT_QUIET),
	TIMEOUT(CONFIGURATION_LINKWIDTH_START, 24, DETECT_QUIET),
	TIMEOUT(CONFIGURATION_LINKWIDTH_ACCEPT, 2, DETECT_QUIET), /* of a device */
	TIMEOUT(CONFIGURATION_LANENUM_WAIT, 2, DETECT_QUIET),
	TIMEOUT(CONFIGURATION_COMPLETE, 2, DETECT_QUIET),
	TIMEOUT(CONFIGURATION_IDLE, 2, RECOVERY_RCVRLOCK),
	/* The device is here because of a TS1, so a link may still be configured. */
	{ LTSSM_RECOVERY_RCVRLOCK, 24, LTSSM_DETECT_QUIET, LTSSM_CONFIGURATION_LINKWIDTH_START },
	TIMEOUT(RECOVERY_RCVRCFG, 48, DETECT_QUIET),
	TIMEOUT(RECOVERY_IDLE, 2, RECOVERY_RCVRLOCK),
	TIMEOUT(HOT_RESET, 2, DETECT_QUIET),
};

/* The other side falls silent as soon as the state is reached. */
static void time_out(const struct timeout *timeout, bool partner)
{
	struct ltssm *ltssm = partner ? &PARTNER->ltssm : &DEVICE->ltssm;
	enum ltssm_state next = partner ? timeout->next : timeout->device_next;
	uint64_t start;

	pair_setup(NULL);
	if (timeout->state >= LTSSM_RECOVERY_RCVRLOCK) {
		assert_true(pair_active(COLD));
		partner_direct(&pair.partner, timeout->state == LTSSM_HOT_RESET ? LTSSM_RESET_LINK
										: LTSSM_RETRAIN);
	}
	assert_true(reaches(partner, timeout->state, COLD));
	if (partner)
		pair.partner.from_device.silent = true;
	else
		pair.partner.to_device.silent = true;
	/* What is in the elastic buffer may still be taken. */
	elastic_reset(partner ? &PARTNER->elastic : &DEVICE->elastic);
	start = pair.steps;
	while (ltssm->state == timeout->state && pair.steps - start < 100 * MILLISECOND)
		pair_step();
	if (ltssm->state != next)
		fail_msg("%s, %s: %s", partner ? "partner" : "device",
			 ltssm_state_name(timeout->state), ltssm_state_name(ltssm->state));
	assert_in_range(pair.steps - start, timeout->milliseconds * MILLISECOND - 1,
			timeout->milliseconds * MILLISECOND + 1);
	pair.partner.from_device.silent = pair.partner.to_device.silent = false;
	partner_direct(&pair.partner, LTSSM_TRAIN);
	assert_true(pair_active(8 * COLD));
}

static void every_time_out(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(timeouts) / sizeof(*timeouts); i++) {
		if (timeouts[i].state != LTSSM_CONFIGURATION_LINKWIDTH_ACCEPT)
			time_out(&timeouts[i], true);
		time_out(&timeouts[i], false);
	}
}

/* Idle that never comes: once to Recovery, then to Detect. */
static void idle_times_out_into_detect_at_the_second_time(void **state)
{
	(void)state;
	assert_true(reaches(true, LTSSM_CONFIGURATION_IDLE, COLD));
	/* The partner never counts eight. */
	while (PARTNER->ltssm.entries[LTSSM_DETECT_QUIET] < 2 && pair.steps < 4 * COLD) {
		PARTNER->ltssm.eight &= PARTNER->ltssm.state != LTSSM_CONFIGURATION_IDLE &&
					PARTNER->ltssm.state != LTSSM_RECOVERY_IDLE;
		pair_step();
	}
	assert_int_equal(PARTNER->ltssm.entries[LTSSM_DETECT_QUIET], 2);
	assert_int_equal(PARTNER->ltssm.entries[LTSSM_RECOVERY_IDLE], 1);
	assert_int_equal(PARTNER->ltssm.entries[LTSSM_L0], 0);
	assert_true(pair_active(4 * COLD));
}

/* 4.2.7.4.5: two TS1s with the lane number PAD lead from Recovery.Idle to Configuration. */
static void recovery_idle_follows_to_configuration(void **state)
{
	struct ordered_set set = ts1;

	(void)state;
	assert_true(pair_active(COLD));
	partner_direct(&pair.partner, LTSSM_RETRAIN);
	assert_true(reaches(true, LTSSM_RECOVERY_IDLE, 5000));
	set.link = 1;
	ltssm_received_set(&PARTNER->ltssm, &set);
	assert_int_equal(PARTNER->ltssm.state, LTSSM_RECOVERY_IDLE);
	ltssm_received_set(&PARTNER->ltssm, &set);
	assert_int_equal(PARTNER->ltssm.state, LTSSM_CONFIGURATION_LINKWIDTH_START);
	assert_true(reaches(true, LTSSM_L0, COLD));
	pass_traffic();
	assert_int_equal(DEVICE->data_link.counters.downs, 0);
}

/* Symbols move in the bits: errors without end lead to Recovery, where the lock is found anew. */
static void a_bit_slip_leads_to_recovery(void **state)
{
	(void)state;
	assert_true(pair_active(COLD));
	pair_run(1000);
	pair.partner.to_device.offset = 5;
	assert_true(reaches(false, LTSSM_RECOVERY_RCVRLOCK, 500));
	assert_true(reaches(false, LTSSM_L0, 10000));
	pass_traffic();
	assert_int_equal(DEVICE->lane.phase, 5);
	assert_int_equal(DEVICE->data_link.counters.downs, 0);
}

/* Zeros in a packet are data, not logical idle. */
static void zeros_in_a_packet_are_no_idle(void **state)
{
	(void)state;
	assert_true(pair_active(COLD));
	partner_direct(&pair.partner, LTSSM_RETRAIN);
	assert_true(reaches(true, LTSSM_RECOVERY_IDLE, 5000));
	PARTNER->deframer.state = DEFRAMER_IN_TLP;
	PARTNER->deframer.count = 0;
	pair_run(200);
	assert_int_equal(PARTNER->ltssm.state, LTSSM_RECOVERY_IDLE);
	assert_int_equal(PARTNER->ltssm.idles, 0);
	PARTNER->deframer.state = DEFRAMER_IDLE;
	assert_true(reaches(true, LTSSM_L0, 50));
	pass_traffic();
}

/* 4.2.7.5: STP or SDP in L0 gives Recovery.Idle its second chance back. */
static void packets_renew_the_second_chance(void **state)
{
	unsigned int run;

	(void)state;
	assert_true(pair_active(COLD));
	for (run = 1; run <= 3; run++) {
		partner_direct(&pair.partner, LTSSM_RETRAIN);
		assert_true(reaches(true, LTSSM_RECOVERY_IDLE, 5000));
		while (PARTNER->ltssm.state == LTSSM_RECOVERY_IDLE) {
			PARTNER->ltssm.eight = false;
			pair_step();
		}
		assert_int_equal(PARTNER->ltssm.state, LTSSM_RECOVERY_RCVRLOCK);
		assert_true(reaches(true, LTSSM_L0, 5000));
		pass_traffic();
	}
}

/* 4.2.5.4: neither SKP set nor UpdateFC for 128 us. */
static void silence_in_l0_leads_to_recovery(void **state)
{
	uint64_t start;

	(void)state;
	assert_true(pair_active(COLD));
	pair_run(3000);
	pair.partner.from_device.silent = true;
	start = pair.steps;
	assert_true(reaches(true, LTSSM_RECOVERY_RCVRLOCK, 2 * COLD));
	assert_in_range(pair.steps - start, 128 * MICROSECOND - 1300, 128 * MICROSECOND + 20);
	pair.partner.from_device.silent = false;
	assert_true(reaches(true, LTSSM_L0, COLD));
	pass_traffic();
}

/*
 * 4.2.7.4.1: a side that loses the other in Recovery.RcvrLock after a first set goes to
 * Configuration; the other follows from Recovery.RcvrCfg, and the link need not go down.
 */
static void recovery_may_go_through_configuration(void **state)
{
	(void)state;
	assert_true(pair_active(COLD));
	partner_direct(&pair.partner, LTSSM_RETRAIN);
	assert_true(reaches(false, LTSSM_RECOVERY_RCVRLOCK, 1000));
	pair.partner.to_device.silent = true;
	assert_true(reaches(true, LTSSM_RECOVERY_RCVRCFG, 1000));
	assert_true(reaches(false, LTSSM_CONFIGURATION_LINKWIDTH_START, 25 * MILLISECOND));
	pair.partner.to_device.silent = false;
	assert_true(reaches(true, LTSSM_CONFIGURATION_LINKWIDTH_START, 2 * MILLISECOND));
	assert_true(reaches(true, LTSSM_L0, 5000));
	pass_traffic();
	assert_int_equal(PARTNER->ltssm.entries[LTSSM_DETECT_QUIET], 1);
	assert_int_equal(DEVICE->ltssm.entries[LTSSM_DETECT_QUIET], 1);
	assert_int_equal(DEVICE->data_link.counters.downs, 0);
}

/* --- directives ------------------------------------------------------------------------------- */

static void recovery_from_either_side(void **state)
{
	unsigned int run;

	(void)state;
	assert_true(pair_active(COLD));
	for (run = 0; run < 6; run++) {
		ltssm_direct(run & 1 ? &PARTNER->ltssm : &DEVICE->ltssm, LTSSM_RETRAIN);
		assert_true(send_next(true, CREDIT_POSTED));
		assert_true(send_next(false, CREDIT_POSTED));
		pair_run(100 * run);
		assert_true(reaches(true, LTSSM_L0, COLD));
		pass_traffic();
		assert_int_equal(PARTNER->ltssm.entries[LTSSM_RECOVERY_RCVRLOCK], run + 1);
		assert_int_equal(DEVICE->ltssm.entries[LTSSM_RECOVERY_RCVRLOCK], run + 1);
	}
	/* The link stayed up all the time. */
	assert_int_equal(DEVICE->data_link.counters.downs, 0);
	assert_no_violation();
}

static void hot_reset(void **state)
{
	(void)state;
	assert_true(pair_active(COLD));
	partner_direct(&pair.partner, LTSSM_RESET_LINK);
	assert_true(reaches(false, LTSSM_HOT_RESET, 5000));
	pair_run(5 * MILLISECOND);
	/* As long as the bit is set, both stay. */
	assert_int_equal(PARTNER->ltssm.state, LTSSM_HOT_RESET);
	assert_int_equal(DEVICE->ltssm.state, LTSSM_HOT_RESET);
	assert_int_equal(DEVICE->data_link.state, DL_INACTIVE);
	assert_int_equal(PARTNER->data_link.state, DL_INACTIVE);
	assert_int_equal(DEVICE->data_link.counters.downs, 1);
	partner_direct(&pair.partner, LTSSM_TRAIN);
	assert_true(reaches(true, LTSSM_DETECT_QUIET, 10));
	assert_true(pair_active(3 * COLD));
	pass_traffic();
	assert_no_violation();
}

static void disabled_and_enabled(void **state)
{
	(void)state;
	assert_true(pair_active(COLD));
	partner_direct(&pair.partner, LTSSM_DISABLE);
	assert_true(reaches(false, LTSSM_DISABLED, 5000));
	pair_run(20 * MILLISECOND);
	assert_int_equal(PARTNER->ltssm.state, LTSSM_DISABLED);
	assert_int_equal(DEVICE->ltssm.state, LTSSM_DISABLED);
	assert_true(PARTNER->received.idle);
	assert_true(DEVICE->received.idle);
	partner_direct(&pair.partner, LTSSM_TRAIN);
	assert_true(pair_active(3 * COLD));
	pass_traffic();
	assert_no_violation();
	/* From Detect on, too. */
	pair_setup(NULL);
	partner_direct(&pair.partner, LTSSM_DISABLE);
	assert_true(reaches(false, LTSSM_DISABLED, COLD));
}

static void loopback(void **state)
{
	(void)state;
	assert_true(pair_active(COLD));
	partner_direct(&pair.partner, LTSSM_LOOP);
	assert_true(reaches(true, LTSSM_LOOPBACK_ACTIVE, 5000));
	pair_run(100);
	PARTNER->looped = PARTNER->looped_wrong = 0;
	pair_run(20000);
	assert_int_equal(DEVICE->ltssm.state, LTSSM_LOOPBACK_ACTIVE);
	assert_in_range(PARTNER->looped, 19500, 20000);
	assert_int_equal(PARTNER->looped_wrong, 0);
	/* Codes come back as they are, also wrong ones. */
	assert_true(channel_fault(
		&pair.partner.to_device,
		&(struct channel_fault){ pair.partner.to_device.symbols + 100, CHANNEL_FLIP, 3 }));
	pair_run(1000);
	assert_in_range(PARTNER->looped_wrong, 1, 2);
	partner_direct(&pair.partner, LTSSM_TRAIN);
	assert_true(reaches(false, LTSSM_LOOPBACK_EXIT, 200));
	assert_true(pair_active(3 * COLD));
}

static void scrambling_can_be_off(void **state)
{
	struct port_config partner, device;

	(void)state;
	partner_setup(&partner);
	device_setup(&device);
	partner.ltssm.no_scrambling = true;
	pair_start(&partner, &device, 1);
	assert_true(pair_active(COLD));
	assert_true(DEVICE->descrambler.off && DEVICE->scrambler.off);
	pass_traffic();
	assert_no_violation();
	/* Idle is then D0.0 on the lane. */
	pair_run(2);
	assert_int_equal(DEVICE->received.value, 0);
}

/* --- power states --------------------------------------------------------------------------------- */

static void l1_and_back(void **state)
{
	unsigned int run;

	(void)state;
	assert_true(pair_active(COLD));
	for (run = 0; run < 4; run++) {
		assert_true(send_next(true, CREDIT_POSTED));
		port_ask_power(DEVICE, DLLP_PM_ENTER_L1);
		assert_true(reaches(true, LTSSM_L1_IDLE, 5000));
		pair_run(10000);
		assert_int_equal(DEVICE->ltssm.state, LTSSM_L1_IDLE);
		assert_int_equal(PARTNER->ltssm.state, LTSSM_L1_IDLE);
		assert_true(PARTNER->received.idle && DEVICE->received.idle);
		/* A TLP of either side ends it. */
		assert_true(send_next(run & 1, CREDIT_POSTED));
		assert_true(reaches(true, LTSSM_L0, 10000));
		pass_traffic();
		pair_run(5000);
		assert_int_equal(PARTNER->ltssm.state, LTSSM_L0);
	}
	assert_int_equal(DEVICE->data_link.counters.downs, 0);
	assert_int_equal(PARTNER->ltssm.entries[LTSSM_L1_IDLE], 4);
	assert_no_violation();
}

/* 5.3.2.1: PM_Request_Ack waits for the Ack of what was sent. */
static void l1_waits_for_acks(void **state)
{
	(void)state;
	assert_true(pair_active(COLD));
	DEVICE->data_link.knobs.hold_acks = true;
	assert_true(send_next(true, CREDIT_POSTED));
	pair_run(200);
	port_ask_power(DEVICE, DLLP_PM_ENTER_L1);
	pair_run(600);
	assert_int_equal(DEVICE->ltssm.state, LTSSM_L0);
	assert_int_equal(PARTNER->data_link.power_asked, DLLP_PM_ENTER_L1);
	/* New TLPs of both wait until L1 is entered; then they end it. */
	assert_true(send_next(true, CREDIT_NON_POSTED));
	assert_true(send_next(false, CREDIT_NON_POSTED));
	pair_run(300);
	assert_int_equal(PARTNER->data_link.queue.count, 1);
	assert_int_equal(DEVICE->data_link.queue.count, 1);
	DEVICE->data_link.knobs.hold_acks = false;
	assert_true(reaches(true, LTSSM_L1_IDLE, 3000));
	assert_int_equal(pair.at_device.count, 1);
	assert_true(reaches(true, LTSSM_L0, 5000));
	pass_traffic();
	assert_int_equal(DEVICE->ltssm.entries[LTSSM_L1_IDLE], 1);
}

static void l2_ends_in_detect(void **state)
{
	(void)state;
	assert_true(pair_active(COLD));
	port_ask_power(DEVICE, DLLP_PM_ENTER_L23);
	assert_true(reaches(true, LTSSM_L2_IDLE, 5000));
	pair_run(20 * MILLISECOND);
	assert_int_equal(DEVICE->ltssm.state, LTSSM_L2_IDLE);
	partner_direct(&pair.partner, LTSSM_TRAIN);
	assert_true(pair_active(3 * COLD));
	pass_traffic();
	assert_no_violation();
}

static void l0s_of_one_direction(void **state)
{
	unsigned int run, i;

	(void)state;
	assert_true(pair_active(COLD));
	for (run = 0; run < 2; run++) {
		struct ltssm *sender = run ? &PARTNER->ltssm : &DEVICE->ltssm;
		struct ltssm *receiver = run ? &DEVICE->ltssm : &PARTNER->ltssm;
		struct channel *lane = &pair.partner.to_device;

		pair_run(2000);
		ltssm_direct(sender, LTSSM_ENTER_L0S);
		pair_run(500);
		assert_int_equal(receiver->rx_l0s, L0S_IDLE);
		assert_int_equal(receiver->state, LTSSM_L0);
		/* The other direction goes on. */
		assert_true(send_next(!run, CREDIT_POSTED));
		pair_run(300);
		ltssm_direct(sender, LTSSM_TRAIN);
		/* Errors until the lock is found again are nothing to retrain for. */
		for (i = 0; i < 12 && run; i++)
			channel_fault(lane, &(struct channel_fault){ lane->symbols + 10 + i,
								     CHANNEL_FLIP, 1 });
		pair_run(200); /* 16 FTSs, SKP set */
		assert_int_equal(receiver->rx_l0s, L0S_NONE);
		pass_traffic();
	}
	assert_int_equal(DEVICE->ltssm.entries[LTSSM_RECOVERY_RCVRLOCK], 0);
	assert_int_equal(PARTNER->ltssm.entries[LTSSM_RECOVERY_RCVRLOCK], 0);
	assert_int_equal(PARTNER->data_link.replay.timeouts, 0);
	assert_no_violation();
}

/* 4.2.7.6.1.3: no SKP set in time. */
static void l0s_without_its_end_leads_to_recovery(void **state)
{
	(void)state;
	assert_true(pair_active(COLD));
	pair_run(2000);
	ltssm_direct(&DEVICE->ltssm, LTSSM_ENTER_L0S);
	pair_run(500);
	DEVICE->ltssm.peer_fts = 255; /* sends for longer than the partner waits */
	ltssm_direct(&DEVICE->ltssm, LTSSM_TRAIN);
	pair_run(4 * 19 + 20);
	assert_int_equal(PARTNER->ltssm.state, LTSSM_L0);
	assert_true(reaches(true, LTSSM_RECOVERY_RCVRLOCK, 4 * 19));
	assert_true(reaches(true, LTSSM_L0, 10000));
	pass_traffic();
}

/* --- loss of the link -------------------------------------------------------------------------------- */

/* What was under way may be lost with the link, but nothing comes twice, damaged or late. */
static void train_anew(const char *what, unsigned int at)
{
	if (!pair_active(6 * COLD))
		fail_msg("%s at %u: %s, %s", what, at, ltssm_state_name(PARTNER->ltssm.state),
			 ltssm_state_name(DEVICE->ltssm.state));
	assert_int_equal(pair.at_device.wrong + pair.at_partner.wrong, 0);
	memset(pair.sent_down, 0, sizeof(pair.sent_down));
	memset(pair.sent_up, 0, sizeof(pair.sent_up));
	memset(&pair.at_device, 0, sizeof(pair.at_device));
	memset(&pair.at_partner, 0, sizeof(pair.at_partner));
	pass_traffic();
}

static void link_lost_in_any_cycle(void **state)
{
	static struct link_pair active;
	unsigned int at;

	(void)state;
	assert_true(pair_active(COLD));
	pair_run(1000);
	active = pair;
	for (at = 0; at < 420; at += 6) {
		pair = active;
		/* Both directions are busy with every kind of TLP. */
		for (unsigned int class = 0; class < CREDIT_CLASSES; class ++) {
			send_next(true, class);
			send_next(false, class);
		}
		pair_run(at);
		if (at % 4 == 0) {
			/* PERST#: both sides at once */
			ltssm_direct(&DEVICE->ltssm, LTSSM_OFF);
			partner_direct(&pair.partner, LTSSM_OFF);
		} else if (at % 36 == 6) {
			/* the partner alone: the device has to find out */
			partner_direct(&pair.partner, LTSSM_OFF);
			pair_run(130 * MICROSECOND);
		} else {
			/* the cable: back before anybody gives up */
			pair.partner.to_device.silent = pair.partner.from_device.silent = true;
			pair_run(50);
			pair.partner.to_device.silent = pair.partner.from_device.silent = false;
			if (!pair_drained(60000))
				fail_msg("cable at %u", at);
			pair_run(1000);
			assert_all_delivered();
			continue;
		}
		pair_run(20);
		ltssm_direct(&DEVICE->ltssm, LTSSM_TRAIN);
		partner_direct(&pair.partner, LTSSM_TRAIN);
		train_anew("link lost", at);
	}
}

/* PERST# cuts whatever is sent: electrical idle at once, not behind the packet. */
static void off_cuts_a_packet(void **state)
{
	static struct link_tlp tlp;
	unsigned int i;

	(void)state;
	assert_true(pair_active(COLD));
	tlp_memory_request(tlp.header, true, 0x100, 0, 0x1000, 1024, 0xf, 0xf);
	assert_true(partner_send(&pair.partner, &tlp));
	for (i = 0; PARTNER->item_at < 100 && i < 5000; i++)
		pair_step();
	assert_int_equal(PARTNER->item_send, SEND_PACKETS);
	partner_direct(&pair.partner, LTSSM_OFF);
	pair_run(ELASTIC_SYMBOLS + 3);
	assert_true(DEVICE->received.idle);
}

/* The same while it trains. */
static void link_lost_during_training(void **state)
{
	static struct link_pair polling;
	unsigned int at;

	(void)state;
	assert_true(reaches(true, LTSSM_POLLING_CONFIGURATION, COLD));
	polling = pair;
	for (at = 0; at < 900; at += 31) {
		pair = polling;
		pair_run(at);
		pair.partner.to_device.silent = true;
		pair_run(at % 2 ? 40 : 3 * MILLISECOND);
		pair.partner.to_device.silent = false;
		train_anew("training", at);
	}
}

int main(void)
{
#define TEST(function)                                              \
	{                                                           \
		"link." #function, function, pair_setup, NULL, NULL \
	}
	const struct CMUnitTest tests[] = {
		TEST(trains_from_cold),
		TEST(trains_with_every_lane),
		TEST(without_a_receiver_it_detects_again),
		TEST(a_passive_load_leads_to_compliance),
		TEST(compliance_as_directed),
		TEST(eight_received_and_sixteen_sent),
		TEST(every_time_out),
		TEST(recovery_idle_follows_to_configuration),
		TEST(a_bit_slip_leads_to_recovery),
		TEST(zeros_in_a_packet_are_no_idle),
		TEST(packets_renew_the_second_chance),
		TEST(idle_times_out_into_detect_at_the_second_time),
		TEST(silence_in_l0_leads_to_recovery),
		TEST(recovery_may_go_through_configuration),
		TEST(recovery_from_either_side),
		TEST(hot_reset),
		TEST(disabled_and_enabled),
		TEST(loopback),
		TEST(scrambling_can_be_off),
		TEST(l1_and_back),
		TEST(l1_waits_for_acks),
		TEST(l2_ends_in_detect),
		TEST(l0s_of_one_direction),
		TEST(l0s_without_its_end_leads_to_recovery),
		TEST(link_lost_in_any_cycle),
		TEST(off_cuts_a_packet),
		TEST(link_lost_during_training),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (getenv("RF_TEST"))
		cmocka_set_test_filter(getenv("RF_TEST"));
	return cmocka_run_group_tests_name("link_training", tests, NULL, NULL);
}
