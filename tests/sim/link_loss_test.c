// SPDX-License-Identifier: Apache-2.0
/*
 * The real device behind its link, with all kinds of TLPs under way, when the link is lost: the card is
 * pulled out, Hot Reset, PERST#, each without and with errors on the lane, and while or after PME_Turn_Off
 * takes the link to L2. Afterwards nothing of before happens any more, the device is as after power-up,
 * and what it did before it does again. In Recovery nothing is lost.
 *
 * RF_LINK_STEP=N: in every N-th cycle of the work (1001; while reads wait: 709; Recovery: 97), from
 * RF_LINK_FIRST (0) on.
 * RF_LINK_TEST=PATTERN: only these tests.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit.h"

#define BYTES 2000
#define HOST_BYTES 16384
#define SOURCE 5 /* in the host's memory */
#define TARGET 4099
#define FLAGS (HOST_BYTES - 64)
#define READS 8 /* of the host, under way at once: as many as the device takes */
#define CONFIGS 4 /* reads of configuration space, and as many writes */
#define ERRORS \
	2 /* of the host; the device reports them by as many messages or, if one waits, by one */
#define SPAN 5000 /* cycles; the work takes less */
#define OBSERVER 0x0300 /* requester whose completions are only counted */
#define PATIENCE 200000

static _Alignas(4096) uint8_t host[HOST_BYTES];

/*
 * @interrupts: that came; @completions: of OBSERVER's requests; @errors: messages ERR_NONFATAL;
 * @acks: PME_TO_Ack; @sent: TLPs of the device; @answers: completions for it; both begun in @since or
 * later; @unanswered: words that it has asked for, and that have not come
 */
struct lab {
	struct unit unit;
	uint64_t bus, since;
	unsigned int interrupts, completions, errors, acks, sent, answers, unanswered;
};

static void count_interrupt(void *context, struct rfsim_device *device, uint32_t data)
{
	struct lab *lab = context;

	(void)device, (void)data;
	lab->interrupts++;
}

static void count_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct lab *lab = context;
	bool message;

	(void)device;
	lab->sent += tlp->stream != RFSIM_RECEIVE && tlp->first_cycle >= lab->since;
	if (tlp->stream == RFSIM_READ)
		lab->unanswered += tlp_length(tlp->header);
	if (tlp->stream == RFSIM_RECEIVE && tlp_is_completion(tlp->header)) {
		lab->answers += tlp->first_cycle >= lab->since;
		lab->unanswered -= tlp->words;
	}
	if (tlp->stream != RFSIM_POSTED)
		return;
	message = tlp_is_message(tlp->header);
	lab->completions +=
		tlp_is_completion(tlp->header) && tlp_requester(tlp->header) == OBSERVER;
	lab->errors += message && tlp_message_code(tlp->header) == TLP_ERR_NONFATAL;
	lab->acks += message && tlp_message_code(tlp->header) == TLP_PME_TO_ACK;
}

/* The device reports errors by messages. */
static void enable_errors(struct lab *lab)
{
	struct rfsim_device *device = lab->unit.device;
	unsigned int control = rfsim_config_find(device, 0x10) + 8;
	uint32_t value;

	assert_int_equal(rfsim_config_read(device, control, 2, &value), 0);
	assert_int_equal(rfsim_config_write(device, control, 2, value | 0xf), 0);
}

static void open_lab(struct lab *lab, uint32_t errors)
{
	struct rfsim_config config;
	struct rfsim_world *world;

	memset(lab, 0, sizeof(*lab));
	rfsim_config_init(&config);
	config.assertions = true;
	config.link = RFSIM_LINK_GEN1X1;
	config.link_errors = errors;
	assert_int_equal(rfsim_world_create(&config, &world), 0);
	assert_int_equal(rfsim_memory_register(world, host, sizeof(host), &lab->bus), 0);
	unit_create(&lab->unit, world, lab->bus, sizeof(host));
	rfsim_interrupt_callback(lab->unit.device, count_interrupt, lab);
	rfsim_tlp_callback(lab->unit.device, count_tlp, lab);
	enable_errors(lab);
}

static void close_lab(struct lab *lab)
{
	const char *verdict = rfsim_world_check(lab->unit.world);

	if (verdict)
		fail_msg("%s", verdict);
	rfsim_world_destroy(lab->unit.world);
}

static void send(struct lab *lab, const uint32_t *header, uint32_t word)
{
	unsigned int words = tlp_payload_words(header);

	assert_int_equal(rfsim_tlp_send(lab->unit.device, header, &word, words, false), 0);
}

/*
 * Reads and writes of the device, doorbells, a write with an interrupt; reads and configuration requests of
 * the host, whose completions the device sends; writes that it reports as errors.
 */
static void begin_work(struct lab *lab)
{
	struct unit *unit = &lab->unit;
	const uint16_t device = 0x0100; /* as it was enumerated */
	uint32_t header[TLP_HEADER_WORDS];
	struct rfsim_bar bar;
	unsigned int i;

	lab->unanswered = 0;
	memset(host, 0, sizeof(host));
	for (i = 0; i < BYTES; i++)
		host[SOURCE + i] = (uint8_t)(i * 7 + (i >> 8) + 1);
	lab->interrupts = lab->completions = lab->errors = lab->acks = 0;
	unit_copy(unit, LOCAL_VA + DATA, SYSTEM_VA + SOURCE, BYTES, SYSTEM_VA + FLAGS);
	unit_copy(unit, SYSTEM_VA + TARGET, LOCAL_VA + DATA, BYTES, SYSTEM_VA + FLAGS + 8);
	write_register(unit, RF_REG_DEVICE_INTERRUPT_TEST, 1);
	assert_int_equal(rfsim_bar(unit->device, 2, &bar), 0);
	for (i = 0; i < READS; i++) {
		tlp_memory_bytes(header, false, OBSERVER, (uint8_t)i, bar.address + 256 * i, 64);
		send(lab, header, 0);
	}
	for (i = 0; i < 2 * CONFIGS; i++) { /* of Interrupt Line */
		tlp_config_request(header, i & 1, OBSERVER, (uint8_t)(READS + i), device, 0x3c, 1);
		send(lab, header, i);
	}
	for (i = 0; i < ERRORS; i++) { /* no BAR is there */
		tlp_memory_bytes(header, true, OBSERVER, 0, 0x1000, 4);
		send(lab, header, 0);
	}
}

/* Behind all that is under way */
static void turn_off(struct lab *lab)
{
	uint32_t header[TLP_HEADER_WORDS];

	tlp_message(header, TLP_MSG_BROADCAST, RFSIM_HOST_ID, TLP_PME_TURN_OFF);
	send(lab, header, 0);
}

static bool is_idle(void *context)
{
	return rfsim_idle(((struct lab *)context)->unit.world);
}

static bool is_up(void *context)
{
	return rfsim_link_up(((struct lab *)context)->unit.device);
}

static bool is_down(void *context)
{
	return !is_up(context);
}

static void await(struct lab *lab, rfsim_predicate_fn *what, const char *name, uint64_t cycle)
{
	if (rfsim_run_until(lab->unit.world, what, lab, PATIENCE))
		fail_msg("not %s, the event came %llu cycles after the work began", name,
			 (unsigned long long)cycle);
}

/* Chance of a cycle in which the root port takes no posted TLP */
static void stall_posted(struct lab *lab, uint32_t percent)
{
	struct rfsim_port_config config;

	rfsim_port_config(lab->unit.device, &config);
	config.posted_stall_percent = percent;
	assert_int_equal(rfsim_port_configure(lab->unit.device, &config), 0);
}

static void set_read_latency(struct lab *lab, uint32_t cycles)
{
	struct rfsim_port_config config;

	rfsim_port_config(lab->unit.device, &config);
	config.read_latency_min = config.read_latency_max = cycles;
	assert_int_equal(rfsim_port_configure(lab->unit.device, &config), 0);
}

static uint64_t posted_stalls(struct lab *lab)
{
	struct rfsim_statistics statistics;

	rfsim_statistics(lab->unit.device, &statistics);
	return statistics.transmit.stalls;
}

/* Nothing lost, nothing twice, no tag and no credit missing: it comes to rest. */
static void check_work(struct lab *lab, uint64_t cycle)
{
	await(lab, is_idle, "idle", cycle);
	assert_int_equal(lab->interrupts, 1);
	assert_int_equal(lab->completions, READS + 2 * CONFIGS);
	assert_in_range(lab->errors, 1, ERRORS);
	assert_memory_equal(host + TARGET, host + SOURCE, BYTES);
	assert_int_equal(host[TARGET - 1] | host[TARGET + BYTES], 0);
	assert_int_equal(host[FLAGS], 1);
	assert_int_equal(host[FLAGS + 8], 1);
}

/* It comes back as after power-up, and nothing of before arrives, either way; then the same work as ever. */
static void check_that_it_is_new(struct lab *lab, uint64_t cycle)
{
	static uint8_t before[HOST_BYTES];
	struct unit *unit = &lab->unit;
	uint64_t value;

	memcpy(before, host, sizeof(host));
	lab->interrupts = lab->sent = lab->answers = 0;
	lab->since = rfsim_cycle(unit->world); /* the end of a TLP that was amid is dropped */
	await(lab, is_up, "up", cycle);
	stall_posted(lab, 0);
	await(lab, is_idle, "idle behind the training", cycle);
	assert_int_equal(rfsim_step(unit->world, 3000), 0);
	assert_memory_equal(host, before, sizeof(host));
	assert_int_equal(lab->interrupts, 0);
	if (lab->sent || lab->answers)
		fail_msg("%u TLPs of the device and %u completions for it, of before cycle %llu",
			 lab->sent, lab->answers, (unsigned long long)cycle);
	/* no BAR answers */
	assert_int_equal(rfsim_bar_read(unit->device, 0, RF_REG_DEVICE_SCRATCH, &value, 8), -EIO);
	unit_start(unit, lab->bus, sizeof(host));
	enable_errors(lab);
	assert_int_equal(rfsim_bar_read(unit->device, 0, RF_REG_DEVICE_SCRATCH, &value, 8), 0);
	assert_int_equal(value, 0);
	assert_int_equal(rfsim_bar_read(unit->device, 0, RF_REG_SLOT_STATUS(1), &value, 8), 0);
	assert_int_equal(value & RF_SLOT_STATUS_STATE_MASK, RF_SLOT_STATE_DISABLED);
	begin_work(lab);
	check_work(lab, cycle);
}

/* The card is out until the work would long be over, or back as soon as it can be. */
static void pull_out(struct lab *lab, uint64_t cycle)
{
	rfsim_link_set(lab->unit.device, false);
	rfsim_step(lab->unit.world, cycle & 1 ? 100 : 4 * SPAN);
	rfsim_link_set(lab->unit.device, true);
}

static void hot_reset(struct lab *lab, uint64_t cycle)
{
	(void)cycle;
	assert_int_equal(rfsim_link_event(lab->unit.device, RFSIM_LINK_HOT_RESET), 0);
}

static void perst(struct lab *lab, uint64_t cycle)
{
	(void)cycle;
	assert_int_equal(rfsim_link_event(lab->unit.device, RFSIM_LINK_PERST), 0);
}

typedef void loss_fn(struct lab *lab, uint64_t cycle);

static uint64_t environment(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Cycles in which something happens: from @first on in steps; @some: if the environment does not say */
struct sweep {
	uint64_t first, step, cycle;
	unsigned int tenth; /* that was told of */
};

static struct sweep sweep_begin(uint64_t some)
{
	struct sweep sweep = { .first = environment("RF_LINK_FIRST", 0),
			       .step = environment("RF_LINK_STEP", some) };

	assert_true(sweep.step && sweep.first < SPAN);
	sweep.cycle = sweep.first;
	print_message("# in every cycle that is %llu modulo %llu, of %u\n",
		      (unsigned long long)sweep.first, (unsigned long long)sweep.step, SPAN);
	return sweep;
}

static bool sweep_goes_on(struct sweep *sweep)
{
	unsigned int tenth = sweep->cycle * 10 / SPAN;

	if (tenth > sweep->tenth && SPAN / sweep->step > 100) { /* it takes long */
		sweep->tenth = tenth;
		print_message("# cycle %llu\n", (unsigned long long)sweep->cycle);
		fflush(stdout);
	}
	return sweep->cycle < SPAN;
}

/*
 * How the link is lost: with errors on the lane, off, while the root port takes no posted TLPs, or has not
 * answered what the device reads
 */
enum { ERRORS_ON_LANE = 1, TURNED_OFF = 2, STALLED = 4, UNANSWERED = 8 };

static void sweep_loss(loss_fn *lose, unsigned int how)
{
	const bool errors = how & ERRORS_ON_LANE, off = how & TURNED_OFF, stalled = how & STALLED;
	unsigned int losses = 0, amid = 0, acknowledged = 0, unanswered = 0, held = 0;
	struct sweep sweep = sweep_begin(how & UNANSWERED ? 709 : 1001);
	struct lab lab;

	open_lab(&lab, errors ? 1000 : 0);
	if (how & UNANSWERED)
		set_read_latency(&lab, SPAN / 4);
	for (; sweep_goes_on(&sweep); sweep.cycle += sweep.step) {
		uint64_t stalls = posted_stalls(&lab);

		begin_work(&lab);
		write_register(&lab.unit, RF_REG_DEVICE_SCRATCH, 0x5ec2e7);
		if (off)
			turn_off(&lab);
		rfsim_step(lab.unit.world, sweep.cycle);
		if (stalled) {
			stall_posted(&lab, 100);
			rfsim_step(lab.unit.world, 400); /* until all credits are used */
			held += posted_stalls(&lab) != stalls;
		}
		amid += !host[FLAGS + 8];
		acknowledged += lab.acks;
		lose(&lab, sweep.cycle);
		await(&lab, is_down, "down", sweep.cycle);
		unanswered += lab.unanswered != 0;
		check_that_it_is_new(&lab, sweep.cycle);
		losses++;
	}
	close_lab(&lab);
	print_message(
		"# %u losses, %u amid the work, %u behind PME_TO_Ack, %u with reads of the device, "
		"%u with TLPs that the root port did not take\n",
		losses, amid, acknowledged, unanswered, held);
	assert_true(stalled ? held > losses / 4 : !held);
	assert_true(!(how & UNANSWERED) || unanswered > 1);
	assert_true(amid > losses / 4);
	/* with errors all takes longer; turned off, what is under way does not end */
	assert_true(errors || off || amid < losses);
	assert_true(off ? acknowledged && acknowledged < losses : !acknowledged);
}

static void card_is_pulled_out(void **state)
{
	(void)state;
	sweep_loss(pull_out, 0);
}

static void link_is_reset(void **state)
{
	(void)state;
	sweep_loss(hot_reset, 0);
}

static void slot_is_reset(void **state)
{
	(void)state;
	sweep_loss(perst, 0);
}

static void card_is_pulled_out_with_errors(void **state)
{
	(void)state;
	sweep_loss(pull_out, ERRORS_ON_LANE);
}

static void link_is_reset_with_errors(void **state)
{
	(void)state;
	sweep_loss(hot_reset, ERRORS_ON_LANE);
}

static void slot_is_reset_with_errors(void **state)
{
	(void)state;
	sweep_loss(perst, ERRORS_ON_LANE);
}

static void turned_off_and_pulled_out(void **state)
{
	(void)state;
	sweep_loss(pull_out, TURNED_OFF);
}

static void turned_off_and_reset(void **state)
{
	(void)state;
	sweep_loss(perst, TURNED_OFF);
}

static void slot_is_reset_while_the_root_port_stalls(void **state)
{
	(void)state;
	sweep_loss(perst, STALLED);
}

static void link_is_reset_while_reads_wait(void **state)
{
	(void)state;
	sweep_loss(hot_reset, UNANSWERED);
}

/* Every TLP arrives once, those that were on the lane, too. */
static void recovery_loses_nothing(void **state)
{
	struct sweep sweep = sweep_begin(97);
	struct lab lab;

	(void)state;
	open_lab(&lab, 0);
	for (; sweep_goes_on(&sweep); sweep.cycle += sweep.step) {
		begin_work(&lab);
		rfsim_step(lab.unit.world, sweep.cycle);
		assert_int_equal(rfsim_link_event(lab.unit.device, RFSIM_LINK_RETRAIN), 0);
		check_work(&lab, sweep.cycle);
		assert_true(rfsim_link_up(lab.unit.device));
	}
	close_lab(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(card_is_pulled_out),
		cmocka_unit_test(link_is_reset),
		cmocka_unit_test(slot_is_reset),
		cmocka_unit_test(card_is_pulled_out_with_errors),
		cmocka_unit_test(link_is_reset_with_errors),
		cmocka_unit_test(slot_is_reset_with_errors),
		cmocka_unit_test(turned_off_and_pulled_out),
		cmocka_unit_test(turned_off_and_reset),
		cmocka_unit_test(slot_is_reset_while_the_root_port_stalls),
		cmocka_unit_test(link_is_reset_while_reads_wait),
		cmocka_unit_test(recovery_loses_nothing),
	};

	if (getenv("RF_LINK_TEST"))
		cmocka_set_test_filter(getenv("RF_LINK_TEST"));
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("link_loss", tests, NULL, NULL);
}
