// SPDX-License-Identifier: Apache-2.0
/*
 * The link partner's data link layer against the same model as an upstream port: TLPs both ways
 * through errors, every knob, credits, Acks and their timers, and formats against published bytes.
 */
#include "link_pair.h"

#include "link/code_8b10b.h"

#define PARTNER (&pair.partner.port)
#define DEVICE (&pair.device)
#define DOWN (&PARTNER->data_link)
#define UP (&DEVICE->data_link)
#define COLD 60000

static int active_setup(void **state)
{
	pair_setup(state);
	return !pair_active(COLD);
}

/* --- formats ----------------------------------------------------------------------------- */

/* A published memory read with its LCRC: sequence number 0, address 1000h, requester 01:00.0. */
static void a_tlp_is_the_published_one(void **state)
{
	static const uint8_t published[] = { 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00,
					     0x0f, 0x00, 0x00, 0x10, 0x00, 0x9a, 0xe8, 0xf8, 0xc2 };
	static struct replay replay;
	struct link_tlp tlp = {};
	uint8_t bytes[LINK_TLP_BYTES];

	(void)state;
	tlp_memory_request(tlp.header, false, 0x0100, 0, 0x1000, 1, 0xf, 0);
	replay_reset(&replay, 1000);
	replay_put(&replay, bytes, tlp_to_bytes(&tlp, bytes));
	assert_int_equal(replay_next(&replay)->count, sizeof(published));
	assert_memory_equal(replay_next(&replay)->bytes, published, sizeof(published));
}

static void tlps_come_back_from_bytes(void **state)
{
	static struct link_tlp tlp, back;
	uint8_t bytes[LINK_TLP_BYTES];
	unsigned int count, digest;

	(void)state;
	for (digest = 0; digest < 2; digest++) {
		make_tlp(&tlp, CREDIT_POSTED, 7);
		tlp.header[0] |= digest ? TLP_DW0_DIGEST : 0;
		tlp.digest = 0x44332211;
		count = tlp_to_bytes(&tlp, bytes);
		/* Four words of header (the address is wide), eight of payload. */
		assert_int_equal(count, 4 * (4 + 8 + digest));
		assert_int_equal(bytes[0], 0x60); /* MWr with 4 DW */
		/* Payload: byte 0 of memory first. */
		assert_int_equal(bytes[16], tlp.payload[0] & 0xff);
		if (digest)
			assert_int_equal(bytes[count - 4], 0x11);
		assert_true(tlp_from_bytes(bytes, count, &back));
		assert_memory_equal(back.header, tlp.header, sizeof(tlp.header));
		assert_memory_equal(back.payload, tlp.payload, 4 * 8);
		assert_int_equal(back.digest, digest ? tlp.digest : 0);
		assert_false(tlp_from_bytes(bytes, count - 4, &back));
		assert_false(tlp_from_bytes(bytes, 8, &back));
	}
}

/* --- credits -------------------------------------------------------------------------------- */

static void classes_and_costs(void **state)
{
	static const struct {
		uint8_t type;
		enum credit_class class;
	} types[] = {
		{ TLP_MRD32, CREDIT_NON_POSTED },  { TLP_MRD64, CREDIT_NON_POSTED },
		{ TLP_MWR32, CREDIT_POSTED },	   { TLP_MWR64, CREDIT_POSTED },
		{ TLP_CFGRD0, CREDIT_NON_POSTED }, { TLP_CFGWR0, CREDIT_NON_POSTED },
		{ TLP_CPL, CREDIT_COMPLETION },	   { TLP_CPLD, CREDIT_COMPLETION },
		{ 0x0b, CREDIT_COMPLETION }, /* CplLk */
		{ 0x34, CREDIT_POSTED }, /* Msg */
		{ 0x74, CREDIT_POSTED }, /* MsgD, such as Set_Slot_Power_Limit */
		{ 0x02, CREDIT_NON_POSTED }, /* IORd */
	};
	uint32_t header[4] = { 0 };
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		header[0] = (uint32_t)types[i].type << 24 | 5;
		assert_int_equal(credit_class(header), types[i].class);
		assert_int_equal(credit_cost(header).header, 1);
		/* Five words are two units of 16 bytes. */
		assert_int_equal(credit_cost(header).data, types[i].type & 0x40 ? 2 : 0);
	}
}

/* 2.6.1: counters wrap, and half their range is the most that can be outstanding. */
static void credits_wrap(void **state)
{
	struct credits own[CREDIT_CLASSES] = { { 2, 3 }, { 1, 1 }, { 0, 0 } };
	struct flow_control flow, peer;
	uint32_t header[4];
	unsigned int i;

	(void)state;
	flow_control_reset(&flow, own);
	flow_control_reset(&peer, own);
	for (i = 0; i < CREDIT_CLASSES; i++)
		assert_int_equal(flow_control_init(&flow, i, own[i]), i == 2);
	for (i = 0; i < 5000; i++) {
		tlp_memory_request(header, true, 0, 0, 0, 8, 0xf, 0xf); /* two data credits */
		assert_true(flow_control_admits(&flow, header));
		flow_control_consume(&flow, header);
		assert_true(flow_control_arrived(&peer, header));
		/* A second one has a header credit, but no data credits. */
		assert_false(flow_control_admits(&flow, header));
		flow_control_freed(&peer, header);
		flow_control_update(&flow, CREDIT_POSTED, flow_control_value(&peer, CREDIT_POSTED));
	}
	flow_control_arrived(&peer, header);
	assert_false(flow_control_arrived(&peer, header)); /* Receiver Overflow */
	/* Infinite: never used up, and UpdateFC says 0. */
	tlp_completion(header, 0, TLP_STATUS_SUCCESS, 4096, 0, 0, 0, 1024);
	for (i = 0; i < 5000; i++) {
		assert_true(flow_control_admits(&flow, header));
		flow_control_consume(&flow, header);
		assert_true(flow_control_arrived(&peer, header));
		flow_control_freed(&peer, header);
	}
	assert_int_equal(flow_control_value(&peer, CREDIT_COMPLETION).data, 0);
}

/* Reads without credits wait; posted writes and completions pass them. */
static void reads_without_credits_block_nothing(void **state)
{
	unsigned int i;

	(void)state;
	DOWN->knobs.hold_credits = CREDIT_ALL;
	for (i = 0; i < 40; i++) {
		send_soon(false, CREDIT_NON_POSTED);
		pair_run(100);
		if (UP->queue.count)
			break;
	}
	assert_int_equal(i, 32); /* advertised; the next one waits */
	assert_true(send_next(false, CREDIT_POSTED));
	assert_true(send_next(false, CREDIT_COMPLETION));
	pair_run(2000);
	assert_int_equal(pair.at_partner.next[CREDIT_NON_POSTED], 32);
	assert_int_equal(pair.at_partner.next[CREDIT_POSTED], 1);
	assert_int_equal(pair.at_partner.next[CREDIT_COMPLETION], 1);
	DOWN->knobs.hold_credits = 0;
	assert_true(pair_drained(5000));
	assert_all_delivered();
	assert_int_equal(DOWN->counters.overflows, 0);
}

/* One class's credits are kept, and the others' freed; then those are, too. */
static void credits_are_held_by_class(void **state)
{
	unsigned int i;

	(void)state;
	DOWN->knobs.hold_credits = 1u << CREDIT_NON_POSTED;
	for (i = 0; i < 100; i++) {
		send_soon(false, CREDIT_POSTED);
		if (i < 40)
			send_next(false, CREDIT_NON_POSTED);
		pair_run(400);
	}
	assert_int_equal(pair.at_partner.next[CREDIT_POSTED], 100);
	assert_int_equal(pair.at_partner.next[CREDIT_NON_POSTED], 32); /* advertised */
	DOWN->knobs.hold_credits = 0;
	assert_true(pair_drained(20000));
	assert_int_equal(pair.at_partner.next[CREDIT_NON_POSTED], 40);
	assert_all_delivered();
	assert_int_equal(DOWN->counters.overflows, 0);
}

/* A blocked posted write holds back everything behind it. */
static void nothing_passes_a_posted_write(void **state)
{
	unsigned int i;

	(void)state;
	DOWN->knobs.hold_credits = CREDIT_ALL;
	for (i = 0; !UP->queue.count && i < 100; i++) {
		assert_true(send_next(false, CREDIT_POSTED));
		pair_run(400);
	}
	assert_true(send_next(false, CREDIT_NON_POSTED));
	assert_true(send_next(false, CREDIT_COMPLETION));
	pair_run(10000);
	assert_int_equal(pair.at_partner.next[CREDIT_POSTED], i - 1);
	assert_int_equal(pair.at_partner.next[CREDIT_NON_POSTED], 0);
	assert_int_equal(pair.at_partner.next[CREDIT_COMPLETION], 0);
	DOWN->knobs.hold_credits = 0;
	assert_true(pair_drained(20000));
	assert_all_delivered();
}

static void queue(struct tlp_queue *queue, enum credit_class class, unsigned int number)
{
	static struct link_tlp tlp;

	make_tlp(&tlp, class, number);
	assert_true(tlp_queue_put(queue, &tlp));
}

/* 2.4.1, in all: what may pass what, if only the other has credits. */
static void who_may_pass_whom(void **state)
{
	static struct tlp_queue tlps;
	/* Of two in this order, the first without credits: may the second go? */
	static const bool passes[CREDIT_CLASSES][CREDIT_CLASSES] = {
		[CREDIT_POSTED] = { false, false, false },
		[CREDIT_NON_POSTED] = { true, false, true },
		[CREDIT_COMPLETION] = { true, true, false },
	};
	unsigned int first, second, i;

	(void)state;
	for (first = 0; first < CREDIT_CLASSES; first++) {
		for (second = 0; second < CREDIT_CLASSES; second++) {
			struct credits own[CREDIT_CLASSES] = { { 8, 8 }, { 8, 8 }, { 8, 8 } };
			struct flow_control flow;

			flow_control_reset(&flow, own);
			for (i = 0; i < CREDIT_CLASSES; i++)
				flow_control_init(&flow, i, own[i]);
			tlps.count = 0;
			queue(&tlps, first, 31); /* 32 words: all eight data credits */
			queue(&tlps, second, 0); /* one */
			assert_int_equal(tlp_queue_find(&tlps, &flow), 0);
			flow_control_consume(&flow, tlps.tlps[1].header);
			if (first != second)
				flow_control_consume(&flow, tlps.tlps[0].header);
			/* A read has no data: its class has no header credits then. */
			flow.consumed[CREDIT_NON_POSTED].header =
				first == CREDIT_NON_POSTED ? 8 : 0;
			assert_int_equal(tlp_queue_find(&tlps, &flow),
					 passes[first][second] ? 1 : -1);
		}
	}
}

/* Without Acks the replay buffer fills up, and what follows waits outside. */
static void a_full_replay_buffer_takes_no_more(void **state)
{
	unsigned int i;

	(void)state;
	DOWN->knobs.hold_acks = true;
	UP->replay.limit = 50000; /* or it would only replay */
	for (i = 0; i < 300; i++) {
		send_next(false, i % CREDIT_CLASSES);
		pair_run(100);
		assert_in_range(UP->replay.held, 0, REPLAY_SLOTS);
	}
	assert_int_equal(UP->replay.held, REPLAY_SLOTS);
	DOWN->knobs.hold_acks = false;
	assert_true(pair_drained(COLD));
	pair_run(1000);
	assert_all_delivered();
}

/* --- traffic ----------------------------------------------------------------------------------- */

/* Random TLPs both ways for so many symbol times. */
static void traffic(unsigned int steps)
{
	while (steps--) {
		if (pair_draw() % 64 == 0)
			send_next(pair_draw() & 1, pair_draw() % CREDIT_CLASSES);
		pair_step();
	}
}

static void without_errors_nothing_is_repeated(void **state)
{
	(void)state;
	traffic(300000);
	assert_true(pair_drained(20000));
	assert_all_delivered();
	assert_in_range(pair.at_device.count, 1000, 100000);
	assert_in_range(pair.at_partner.count, 1000, 100000);
	assert_int_equal(DOWN->replay.replays + UP->replay.replays, 0);
	assert_int_equal(DOWN->counters.bad_tlps + UP->counters.bad_tlps, 0);
	assert_int_equal(DOWN->counters.bad_dllps + UP->counters.bad_dllps, 0);
	assert_int_equal(DOWN->counters.protocol_errors + UP->counters.protocol_errors, 0);
	assert_int_equal(DOWN->counters.overflows + UP->counters.overflows, 0);
	assert_int_equal(PARTNER->receiver_errors + DEVICE->receiver_errors, 0);
	assert_int_equal(PARTNER->ltssm.entries[LTSSM_RECOVERY_RCVRLOCK], 0);
	assert_no_violation();
}

/* A sender that knows no limit: what is too much is dropped and counted, and the link goes on. */
static void what_has_no_credits_is_dropped(void **state)
{
	unsigned int i;

	(void)state;
	UP->flow.infinite[CREDIT_NON_POSTED] = (struct credits){ 1, 1 };
	DOWN->knobs.hold_credits = CREDIT_ALL;
	for (i = 0; i < 35; i++) {
		send_soon(false, CREDIT_NON_POSTED);
	}
	assert_true(pair_drained(20000));
	assert_int_equal(pair.at_partner.count, 32); /* as advertised */
	assert_int_equal(DOWN->counters.overflows, 3);
	assert_int_equal(DOWN->counters.naks_sent, 0);
}

/* Whatever the smallest buffers are that the specification allows. */
static void minimal_credits_are_enough(void **state)
{
	static const struct credits least[] = { { 1, 8 }, { 1, 1 }, { 1, 8 } };
	struct port_config partner, device;

	(void)state;
	partner_setup(&partner);
	device_setup(&device);
	memcpy(partner.data_link.credits, least, sizeof(least));
	memcpy(device.data_link.credits, least, sizeof(least));
	pair_start(&partner, &device, 3);
	assert_true(pair_active(COLD));
	traffic(100000);
	assert_true(pair_drained(40000));
	assert_all_delivered();
	assert_in_range(pair.at_device.count, 100, 100000);
	assert_int_equal(DOWN->counters.overflows + UP->counters.overflows, 0);
	assert_int_equal(DOWN->replay.replays + UP->replay.replays, 0);
}

/* The same errors in every run; LINK_SEED=N makes others. */
static uint64_t seed_of_run(void)
{
	const char *text = getenv("LINK_SEED");

	return text ? strtoull(text, NULL, 0) : 20261127;
}

/* Each kind of error alone, then all. Each TLP arrives once and in order, whatever happens. */
static void errors_of_every_kind(void **state)
{
	static const struct {
		unsigned int kinds, every, steps;
		int ppm;
	} runs[] = {
		{ 1 << CHANNEL_FLIP, 1500, 300000, 0 },
		{ 1 << CHANNEL_LOSE, 6000, 300000, 0 },
		{ 1 << CHANNEL_DOUBLE, 6000, 300000, 0 },
		{ 1 << CHANNEL_DISPARITY, 1500, 300000, 0 },
		{ 0xf, 10000, 1500000, 300 },
		{ 0xf, 3000, 500000, -300 },
	};
	uint64_t seed = seed_of_run();
	unsigned int run, kind;

	(void)state;
	printf("# LINK_SEED=%llu\n", (unsigned long long)seed);
	for (run = 0; run < sizeof(runs) / sizeof(*runs); run++) {
		pair_setup(NULL);
		pair.partner.to_device.random = seed + run;
		pair.partner.from_device.random = ~seed + run;
		pair.random = seed + run;
		pair.partner.ppm = runs[run].ppm;
		assert_true(pair_active(COLD));
		/*
		 * Recovery.Idle that an error prolongs ends with the next pause between packets,
		 * or with its time-out. Short milliseconds may have no pause, and two time-outs
		 * take the link down. So they are longer here, and errors no more frequent.
		 */
		PARTNER->ltssm.config.millisecond = DEVICE->ltssm.config.millisecond =
			20 * MILLISECOND;
		pair.partner.to_device.error_kinds = pair.partner.from_device.error_kinds =
			runs[run].kinds;
		pair.partner.to_device.error_every = pair.partner.from_device.error_every =
			runs[run].every;
		traffic(runs[run].steps);
		pair.partner.to_device.error_every = pair.partner.from_device.error_every = 0;
		if (!pair_drained(6 * COLD) || pair.at_device.wrong || pair.at_partner.wrong ||
		    UP->counters.downs || DOWN->counters.downs)
			fail_msg("run %u, LINK_SEED=%llu: %u and %u wrong, %u downs, %s, %s", run,
				 (unsigned long long)seed, pair.at_device.wrong,
				 pair.at_partner.wrong, UP->counters.downs,
				 ltssm_state_name(PARTNER->ltssm.state),
				 ltssm_state_name(DEVICE->ltssm.state));
		pair_run(2000);
		assert_all_delivered();
		for (kind = 0; kind < CHANNEL_FAULT_KINDS; kind++)
			assert_int_equal(pair.partner.to_device.made[kind] > 5,
					 runs[run].kinds >> kind & 1);
		assert_in_range(pair.at_device.count, 500, 1000000);
		assert_in_range(UP->counters.bad_tlps + DEVICE->receiver_errors, 10, 1000000);
		assert_in_range(DOWN->replay.replays, 5, 1000000);
	}
}

static void sequence_numbers_wrap(void **state)
{
	unsigned int i;

	(void)state;
	DOWN->knobs.spoil_tlps = 1;
	for (i = 0; i < 9000; i++) {
		send_soon(i & 1, CREDIT_NON_POSTED);
		/* Errors around the wrap, too */
		if (i % 500 == 0)
			DOWN->knobs.lose_tlps = UP->knobs.spoil_tlps = 1;
	}
	assert_true(pair_drained(20000));
	assert_all_delivered();
	assert_int_equal(DOWN->replay.next_sequence, 4500 - 4096);
	assert_int_equal(UP->expected, 4500 - 4096);
}

/* --- knobs of the data link layer --------------------------------------------------------------- */

/* One posted write down; until it is acknowledged. */
static void send_one(void)
{
	assert_true(send_next(true, CREDIT_POSTED));
	assert_true(pair_drained(20000));
	pair_run(500);
	assert_all_delivered();
}

static void a_lost_ack_times_out(void **state)
{
	uint64_t start = pair.steps;

	(void)state;
	UP->knobs.drop_dllps = 1;
	UP->knobs.only = DLLP_ACK;
	send_one();
	assert_int_equal(DOWN->replay.timeouts, 1);
	assert_int_equal(UP->counters.duplicates, 1);
	assert_in_range(pair.steps - start, PARTNER->config.data_link.replay_limit, 20000);
}

static void a_spoiled_dllp_is_dropped(void **state)
{
	(void)state;
	DOWN->knobs.spoil_dllps = 1;
	pair_run(8000); /* an UpdateFC at least */
	assert_int_equal(DOWN->knobs.spoil_dllps, 0);
	assert_int_equal(UP->counters.bad_dllps, 1);
	send_one();
}

static void a_lost_tlp_is_noticed_by_the_next(void **state)
{
	(void)state;
	DOWN->knobs.lose_tlps = 1;
	assert_true(send_next(true, CREDIT_POSTED));
	send_one();
	assert_int_equal(UP->counters.bad_tlps, 1);
	assert_int_equal(DOWN->counters.naks_received, 1);
	assert_int_equal(DOWN->replay.timeouts, 0);
	/* The last one is noticed by the timer alone. */
	DOWN->knobs.lose_tlps = 1;
	send_one();
	assert_int_equal(DOWN->replay.timeouts, 1);
}

static void a_wrong_lcrc_is_refused(void **state)
{
	(void)state;
	DOWN->knobs.spoil_tlps = 1;
	send_one();
	assert_int_equal(UP->counters.bad_tlps, 1);
	assert_int_equal(UP->counters.naks_sent, 1);
	assert_int_equal(DOWN->replay.replays, 1);
	/* One Nak until a good TLP comes (3.6.3.1). */
	DOWN->knobs.spoil_tlps = 3;
	assert_true(send_next(true, CREDIT_POSTED));
	assert_true(send_next(true, CREDIT_POSTED));
	send_one();
	assert_in_range(UP->counters.bad_tlps, 4, 12);
	assert_int_equal(UP->counters.naks_sent, 2);
}

static void a_nullified_tlp_is_no_error(void **state)
{
	(void)state;
	DOWN->knobs.nullify_tlps = 2;
	send_one();
	assert_int_equal(UP->counters.nullified, 2);
	assert_int_equal(UP->counters.bad_tlps, 0);
	assert_int_equal(UP->counters.naks_sent, 0);
}

static void a_doubled_tlp_is_delivered_once(void **state)
{
	(void)state;
	DOWN->knobs.double_tlps = 2;
	send_one();
	assert_int_equal(UP->counters.duplicates, 2);
	assert_int_equal(pair.at_device.count, 1);
	assert_int_equal(UP->counters.naks_sent, 0);
}

static void a_nak_makes_the_device_replay(void **state)
{
	(void)state;
	DOWN->knobs.nak_tlps = 1;
	assert_true(send_next(false, CREDIT_POSTED));
	assert_true(send_next(false, CREDIT_POSTED));
	assert_true(pair_drained(5000));
	assert_all_delivered();
	assert_int_equal(UP->counters.naks_received, 1);
	assert_int_equal(UP->replay.replays, 1);
	assert_int_equal(UP->replay.timeouts, 0);
}

/* 3.6.2.1: the fourth replay without progress goes through Recovery. */
static void without_acks_the_device_retrains(void **state)
{
	(void)state;
	DOWN->knobs.hold_acks = true;
	assert_true(send_next(false, CREDIT_POSTED));
	assert_true(reaches(false, LTSSM_RECOVERY_RCVRLOCK, 20000));
	assert_int_equal(UP->replay.replays, 4);
	assert_int_equal(UP->replay.rollovers, 1);
	assert_true(reaches(false, LTSSM_L0, 5000));
	pair_run(1000);
	assert_int_equal(pair.at_partner.count, 1);
	DOWN->knobs.hold_acks = false;
	assert_true(pair_drained(5000));
	assert_all_delivered();
	assert_int_equal(UP->counters.downs, 0);
}

/* A Nak comes while a TLP is sent for the first time: the Ack of that one counts as well. */
static void a_replay_in_the_middle_of_a_tlp(void **state)
{
	static struct replay replay;
	uint8_t bytes[LINK_TLP_BYTES] = { 0 };
	unsigned int i;

	(void)state;
	replay_reset(&replay, 1000);
	for (i = 0; i < 3; i++)
		replay_put(&replay, bytes, 12);
	replay_sent(&replay, 0);
	assert_int_equal(replay_next(&replay)->sequence, 1);
	assert_true(replay_acknowledge(&replay, 4095, true)); /* Nak of TLP 0 */
	replay_sent(&replay, 1);
	assert_int_equal(replay_next(&replay)->sequence, 0);
	replay_sent(&replay, 0);
	assert_true(replay_acknowledge(&replay, 1, false));
	assert_int_equal(replay_next(&replay)->sequence, 2);
	assert_false(replay_acknowledge(&replay, 2, false)); /* never sent */
}

static void replay_ticks(struct replay *replay, unsigned int count)
{
	while (count--)
		replay_tick(replay);
}

static void resend(struct replay *replay)
{
	const struct replay_slot *slot;

	while ((slot = replay_next(replay)))
		replay_sent(replay, slot->sequence);
}

/* An Ack that acknowledges something starts the timer anew and resets REPLAY_NUM; others do not. */
static void progress_resets_timer_and_count(void **state)
{
	static struct replay replay;
	uint8_t bytes[LINK_TLP_BYTES] = { 0 };
	unsigned int i;

	(void)state;
	memset(&replay, 0, sizeof(replay));
	replay_reset(&replay, 1000);
	for (i = 0; i < 3; i++)
		replay_put(&replay, bytes, 12);
	resend(&replay);
	replay_ticks(&replay, 990);
	assert_true(replay_acknowledge(&replay, 0, false));
	replay_ticks(&replay, 990);
	assert_true(replay_acknowledge(&replay, 0, false)); /* again: no progress */
	assert_int_equal(replay.timeouts, 0);
	replay_ticks(&replay, 11);
	assert_int_equal(replay.timeouts, 1);
	for (i = 2; i <= 3; i++) {
		resend(&replay);
		replay_ticks(&replay, 1001);
		assert_int_equal(replay.timeouts, i);
	}
	/* Three replays; the fourth one would retrain. */
	assert_true(replay_acknowledge(&replay, 1, false));
	resend(&replay);
	for (i = 4; i <= 6; i++) {
		replay_ticks(&replay, 1001);
		assert_int_equal(replay.timeouts, i);
		assert_false(replay.retrain);
		resend(&replay);
	}
	replay_ticks(&replay, 1001);
	assert_true(replay.retrain);
	assert_null(replay_next(&replay));
	replay_retrained(&replay);
	assert_int_equal(replay_next(&replay)->sequence, 2);
	/* Nothing outstanding: it stands. */
	resend(&replay);
	assert_true(replay_acknowledge(&replay, 2, false));
	replay_ticks(&replay, 5000);
	assert_int_equal(replay.timeouts, 7);
}

/* The timer stands while the link trains. */
static void the_replay_timer_stands_in_recovery(void **state)
{
	(void)state;
	DOWN->knobs.hold_acks = true;
	assert_true(send_next(false, CREDIT_POSTED));
	pair_run(500);
	pair.partner.to_device.silent = true;
	ltssm_direct(&DEVICE->ltssm, LTSSM_RETRAIN);
	pair_run(5000);
	assert_int_equal(DEVICE->ltssm.state, LTSSM_RECOVERY_RCVRLOCK);
	assert_int_equal(UP->replay.timeouts, 0);
	pair.partner.to_device.silent = false;
	DOWN->knobs.hold_acks = false;
	assert_true(pair_drained(20000));
	assert_all_delivered();
}

static void run_while(const unsigned int *counter, unsigned int value)
{
	unsigned int limit = 20000;

	for (; *counter == value; pair_step())
		assert_int_not_equal(limit--, 0);
}

/* From the last symbol of a TLP to the Ack. */
static void acks_come_as_late_as_asked(void **state)
{
	static const uint32_t latencies[] = { 1, 100, 237, 600 };
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(latencies) / sizeof(*latencies); i++) {
		uint64_t arrived;

		DOWN->config.ack_latency = latencies[i];
		assert_true(send_next(false, CREDIT_NON_POSTED));
		run_while(&pair.at_partner.count, i);
		arrived = pair.steps;
		run_while(&DOWN->counters.acks_sent, i);
		assert_in_range(pair.steps - arrived, latencies[i] - 1, latencies[i] + 20);
		assert_true(pair_drained(5000));
	}
	assert_int_equal(UP->replay.timeouts, 0);
}

/* An Ack of what was never sent is an error, and changes nothing. */
static void an_impossible_ack_is_a_protocol_error(void **state)
{
	struct dllp dllp = { .type = DLLP_ACK, .sequence = 5 };
	uint8_t bytes[DLLP_BYTES];

	(void)state;
	dllp_encode(&dllp, bytes);
	data_link_received(UP, DEFRAMER_DLLP, bytes, DLLP_BYTES);
	assert_int_equal(UP->counters.protocol_errors, 1);
	dllp.sequence = 4095; /* ACKD_SEQ after reset: none */
	dllp_encode(&dllp, bytes);
	data_link_received(UP, DEFRAMER_DLLP, bytes, DLLP_BYTES);
	assert_int_equal(UP->counters.protocol_errors, 1);
	send_one();
}

/* Initialisation goes on if any of its DLLPs is lost, some times over. */
static void lost_initialisation_is_repeated(void **state)
{
	static const uint8_t types[] = { DLLP_INITFC1_P, DLLP_INITFC1_NP, DLLP_INITFC1_CPL,
					 DLLP_INITFC2_P, DLLP_INITFC2_NP, DLLP_INITFC2_CPL };
	unsigned int i, side;

	(void)state;
	for (i = 0; i < sizeof(types); i++) {
		for (side = 0; side < 2; side++) {
			struct data_link *link;

			pair_setup(NULL);
			link = side ? DOWN : UP;
			link->knobs.drop_dllps = 3;
			link->knobs.only = types[i];
			assert_true(pair_active(COLD));
			link->knobs.drop_dllps = 0;
			send_one();
		}
	}
}

/* 3.2.1: a layer that is down, up to FC_INIT1, drops TLPs without an Ack. */
static void tlps_count_from_fc_init2_on(void **state)
{
	static const uint8_t read[] = { 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00,
					0x0f, 0x00, 0x00, 0x10, 0x00, 0x9a, 0xe8, 0xf8, 0xc2 };
	unsigned int i;

	(void)state;
	UP->config.deliver = NULL;
	for (i = DL_INACTIVE; i <= DL_FC_INIT2; i++) {
		data_link_up(UP, false);
		data_link_up(UP, true);
		UP->state = i;
		data_link_received(UP, DEFRAMER_TLP, read, sizeof(read));
		assert_int_equal(UP->expected, i == DL_FC_INIT2);
		assert_int_equal(UP->unacknowledged, i == DL_FC_INIT2);
		assert_int_equal(UP->fi2, i == DL_FC_INIT2);
	}
}

/* 5.3.2.1: after PM_Request_Ack no DLLP is sent. */
static void permission_for_l1_silences_the_layer(void **state)
{
	static struct link_packet packet;

	(void)state;
	data_link_ask_power(UP, DLLP_PM_ENTER_L1);
	UP->updates = UP->ack_due = 0;
	assert_true(data_link_next(UP, &packet));
	assert_int_equal(packet.bytes[0], DLLP_PM_ENTER_L1);
	UP->power_granted = UP->ack_due = true;
	assert_false(data_link_next(UP, &packet));
}

/* FC_INIT2 lasts for a whole round of InitFC2, even if the other side is there already. */
static void a_whole_round_of_initfc2(void **state)
{
	unsigned int seen = 0;

	(void)state;
	pair_setup(NULL);
	while (UP->state != DL_ACTIVE && pair.steps < COLD) {
		UP->fi2 |= UP->state == DL_FC_INIT2;
		pair_step();
		if (DEVICE->item_send == SEND_PACKETS && DEVICE->packet.bytes[0] >= DLLP_INITFC2_P)
			seen |= 1u << (DEVICE->packet.bytes[0] >> 4 & 3);
	}
	assert_int_equal(UP->state, DL_ACTIVE);
	assert_int_equal(seen, 7); /* P, NP, Cpl */
}

/* 3.6.3.1: a Receiver Error in a TLP brings a Nak at once, not only a time-out. */
static void a_wrong_symbol_in_a_tlp_brings_a_nak(void **state)
{
	struct channel *lane = &pair.partner.to_device;

	(void)state;
	assert_true(send_next(true, CREDIT_POSTED));
	while (PARTNER->packet.kind != PACKET_TLP || PARTNER->item_at != 8)
		pair_step();
	channel_fault(lane, &(struct channel_fault){ lane->symbols, CHANNEL_DISPARITY, 0 });
	assert_true(pair_drained(5000));
	assert_all_delivered();
	assert_int_equal(UP->counters.naks_sent, 1);
	assert_int_equal(UP->counters.bad_tlps, 0);
	assert_int_equal(DOWN->replay.timeouts, 0);
}

/* 2.6.1: what is lost of UpdateFC comes again. */
static void updates_are_repeated(void **state)
{
	unsigned int before;

	(void)state;
	pair_run(8000);
	before = UP->counters.updates_received;
	pair_run(7500);
	assert_in_range(UP->counters.updates_received - before, 3, 6);
}

/* --- the lane ----------------------------------------------------------------------------------------- */

static void planned_faults_hit_their_symbol(void **state)
{
	unsigned int kind;

	(void)state;
	for (kind = 0; kind < CHANNEL_FAULT_KINDS; kind++) {
		struct channel *lane = &pair.partner.to_device;
		struct channel_fault fault = { lane->symbols + 40, kind, 0x3 };

		assert_true(channel_fault(lane, &fault));
		assert_true(send_next(true, CREDIT_POSTED));
		pair_run(35);
		assert_int_equal(lane->made[kind], 0);
		assert_int_equal(lane->fault_count, 1);
		pair_run(12);
		assert_int_equal(lane->made[kind], 1);
		assert_int_equal(lane->fault_count, 0);
		assert_true(pair_drained(20000));
		pair_run(3000);
		assert_all_delivered();
	}
}

/* Surprise down at a symbol: from then on nothing comes. */
static void silence_begins_at_its_symbol(void **state)
{
	struct channel *lane = &pair.partner.to_device;
	uint64_t from = lane->symbols + 500;
	struct lane_symbol sent = { .idle = true }, out[PARTNER_SYMBOLS];

	(void)state;
	lane->silent_from = from;
	while (lane->symbols < from + 1000) {
		uint64_t number = lane->symbols;

		assert_int_equal(partner_exchange(&pair.partner, &sent, out), 1);
		assert_int_equal(out[0].idle, number >= from);
	}
}

/* Of the symbols on the lane: SKP sets begin 1180 to 1538 symbol times apart, and catch up. */
static void skp_sets_are_in_time(void **state)
{
	static struct link_tlp tlp;
	unsigned int i, sets = 0, longest = 0, since = 0, run = 0, most = 0;

	(void)state;
	UP->config.deliver = NULL;
	/* The longest TLP there is delays some. */
	tlp_memory_request(tlp.header, true, 0x100, 0, 0x1000, 1024, 0xf, 0xf);
	for (i = 0; i < 60000; i++) {
		const struct lane_symbol *symbol;

		if (i == 30000) {
			assert_in_range(sets, 25, 26); /* in 30000 / 1180 */
			assert_in_range(longest, 1180, 1538);
			PARTNER->config.data_link.replay_limit = DOWN->replay.limit = 30000;
			assert_true(partner_send(&pair.partner, &tlp));
		}
		pair_step();
		symbol = &DEVICE->received;
		since++;
		if (lane_symbol_is(symbol, LINK_COM)) {
			if (sets && since > longest)
				longest = since;
			run = since <= 4 ? run + 1 : 1;
			most = run > most ? run : most;
			since = 0;
			sets++;
		}
	}
	assert_in_range(sets, 50, 51);
	assert_in_range(longest, 4096, 4096 + 1600);
	assert_in_range(most, 3, 4);
	assert_int_equal(UP->counters.tlps_received, 1);
}

/* SKP sets too far apart for the clocks: the knob does what it says. */
static void clocks_too_far_apart_lose_symbols(void **state)
{
	(void)state;
	PARTNER->config.skp_interval = 60000;
	pair.partner.ppm = 600;
	pair_run(120000);
	assert_in_range(DEVICE->elastic.overflows + DEVICE->elastic.underflows, 1, 1000);
}

/* The partner gives a device one symbol in each of its symbol times, if clocks are equal. */
static void one_symbol_each_time(void **state)
{
	struct lane_symbol idle = { .idle = true }, out[PARTNER_SYMBOLS];
	unsigned int i, total = 0;

	(void)state;
	pair.partner.to_device.error_every = 50;
	pair.partner.to_device.error_kinds = 1 << CHANNEL_LOSE | 1 << CHANNEL_DOUBLE;
	for (i = 0; i < 20000; i++)
		assert_int_equal(partner_exchange(&pair.partner, &idle, out), 1);
	assert_in_range(pair.partner.to_device.made[CHANNEL_LOSE], 100, 400);
	pair.partner.ppm = 1000;
	for (i = 0; i < 20000; i++)
		total += partner_exchange(&pair.partner, &idle, out);
	assert_int_equal(total, 20020);
	pair.partner.ppm = -1000;
	for (i = 0, total = 0; i < 20000; i++)
		total += partner_exchange(&pair.partner, &idle, out);
	assert_int_equal(total, 19980);
}

/* A device that has its SERDES outside: value and k, both ways. */
static void decoded_symbols_do_as_well(void **state)
{
	struct lane_symbol sent, received[PARTNER_SYMBOLS];
	bool positive = false;
	unsigned int i;

	(void)state;
	pair_setup(NULL);
	pair.partner.decoded = true;
	pair.partner.to_device.offset = 3;
	for (i = 0; i < COLD; i++) {
		sent = port_step(DEVICE);
		sent.bits = 0;
		assert_int_equal(partner_exchange(&pair.partner, &sent, received), 1);
		assert_false(DEVICE->ltssm.state == LTSSM_L0 && lane_symbol_bad(&received[0]));
		if (!received[0].idle)
			received[0].bits =
				code_8b10b_encode(received[0].value, received[0].k, &positive);
		port_receive(DEVICE, &received[0]);
	}
	assert_int_equal(UP->state, DL_ACTIVE);
	assert_int_equal(DOWN->state, DL_ACTIVE);
}

int main(void)
{
#define TEST(function)                                                \
	{                                                             \
		"link." #function, function, active_setup, NULL, NULL \
	}
	const struct CMUnitTest tests[] = {
		TEST(a_tlp_is_the_published_one),
		TEST(tlps_come_back_from_bytes),
		TEST(classes_and_costs),
		TEST(credits_wrap),
		TEST(reads_without_credits_block_nothing),
		TEST(credits_are_held_by_class),
		TEST(nothing_passes_a_posted_write),
		TEST(who_may_pass_whom),
		TEST(a_full_replay_buffer_takes_no_more),
		TEST(without_errors_nothing_is_repeated),
		TEST(what_has_no_credits_is_dropped),
		TEST(minimal_credits_are_enough),
		TEST(errors_of_every_kind),
		TEST(sequence_numbers_wrap),
		TEST(a_lost_ack_times_out),
		TEST(a_spoiled_dllp_is_dropped),
		TEST(a_lost_tlp_is_noticed_by_the_next),
		TEST(a_wrong_lcrc_is_refused),
		TEST(a_nullified_tlp_is_no_error),
		TEST(a_doubled_tlp_is_delivered_once),
		TEST(a_nak_makes_the_device_replay),
		TEST(without_acks_the_device_retrains),
		TEST(a_replay_in_the_middle_of_a_tlp),
		TEST(progress_resets_timer_and_count),
		TEST(the_replay_timer_stands_in_recovery),
		TEST(acks_come_as_late_as_asked),
		TEST(an_impossible_ack_is_a_protocol_error),
		TEST(lost_initialisation_is_repeated),
		TEST(tlps_count_from_fc_init2_on),
		TEST(permission_for_l1_silences_the_layer),
		TEST(a_whole_round_of_initfc2),
		TEST(a_wrong_symbol_in_a_tlp_brings_a_nak),
		TEST(updates_are_repeated),
		TEST(planned_faults_hit_their_symbol),
		TEST(silence_begins_at_its_symbol),
		TEST(skp_sets_are_in_time),
		TEST(clocks_too_far_apart_lose_symbols),
		TEST(one_symbol_each_time),
		TEST(decoded_symbols_do_as_well),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (getenv("RF_TEST"))
		cmocka_set_test_filter(getenv("RF_TEST"));
	return cmocka_run_group_tests_name("link_data", tests, NULL, NULL);
}
