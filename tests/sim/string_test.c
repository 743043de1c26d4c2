// SPDX-License-Identifier: Apache-2.0
/*
 * Device strings: what each word means, what is said about each wrong one, and, against the
 * stand-in device, that holds and faults act when they should.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../fuzz/strings.h"
#include "device_string.h"
#include "echo.h"
#include "internal.h"
#include "timeline.h"

static struct rfsim_string string;
static char problem[RFSIM_STRING_PROBLEM];

static void good(const char *text)
{
	if (rfsim_string_parse(text, &string, problem))
		fail_msg("%s: %s", text, problem);
	assert_string_equal(problem, "");
}

/* --- grammar -------------------------------------------------------------- */

static void without_words_it_is_the_default(void **state)
{
	struct rfsim_config config;

	(void)state;
	rfsim_config_init(&config);
	good("sim:");
	assert_memory_equal(&string.config, &config, sizeof(config));
	assert_int_equal(string.rule_count, 0);
	assert_string_equal(string.wave, "");
	assert_string_equal(string.timeline, "");
	assert_string_equal(string.page, "");
}

/* Each word changes its own fields to what it says, and no other. */
static void words_set_their_fields(void **state)
{
	struct rfsim_config expected;
	struct rfsim_port_config *port = &expected.port;

	(void)state;
#define WORD(text, ...)                                                           \
	do {                                                                      \
		rfsim_config_init(&expected);                                     \
		__VA_ARGS__;                                                      \
		good("sim:" text);                                                \
		assert_memory_equal(&string.config, &expected, sizeof(expected)); \
	} while (0)
	WORD("seed=7", expected.seed = 7);
	WORD("seed=0xffffffffffffffff", expected.seed = UINT64_MAX);
	WORD("random", rfsim_config_random(&expected, 1));
	WORD("random,seed=9", rfsim_config_random(&expected, 9));
	WORD("read-latency=40", port->read_latency_min = port->read_latency_max = 40);
	WORD("read-latency=200..4000", port->read_latency_min = 200; port->read_latency_max = 4000);
	WORD("read-early=10", port->read_early_percent = 10);
	WORD("split=11", port->split_percent = 11);
	WORD("reorder=100", port->reorder_percent = 100);
	WORD("receive-gap=99", port->receive_gap_percent = 99);
	WORD("backpressure=20", port->posted_stall_percent = port->read_stall_percent = 20);
	WORD("posted-stall=21", port->posted_stall_percent = 21);
	WORD("read-stall=22", port->read_stall_percent = 22);
	WORD("mps=128", port->max_payload = 128);
	WORD("mrrs=4096", port->max_read = 4096);
	WORD("rcb=128", port->completion_boundary = 128);
	WORD("msi-delay=3..9", port->msi_delay_min = 3; port->msi_delay_max = 9);
	WORD("transmit-rate=4", port->transmit_rate = 4);
	WORD("receive-rate=5", port->receive_rate = 5);
	WORD("host-timeout=5000", expected.host_timeout = 5000);
	WORD("assertions", expected.assertions = true);
	WORD("link=gen1x1", expected.link = RFSIM_LINK_GEN1X1);
	WORD("link-errors=2000,link=gen1x1", expected.link = RFSIM_LINK_GEN1X1;
	     expected.link_errors = 2000);
	WORD("link=gen1x1,random,seed=9", rfsim_config_random(&expected, 9);
	     expected.link = RFSIM_LINK_GEN1X1);
	/* what is named replaces what is drawn, wherever it stands */
	WORD("mps=128,random,seed=3", rfsim_config_random(&expected, 3); port->max_payload = 128);
#undef WORD
}

static void files_are_named(void **state)
{
	(void)state;
	good("sim:wave=a/b=c.fst,timeline=t\\,1\\\\.json,page=p.html");
	assert_string_equal(string.page, "p.html");
	assert_string_equal(string.wave, "a/b=c.fst");
	assert_string_equal(string.timeline, "t,1\\.json");
}

/* A rule of the string, which is of this kind. */
static const struct rfsim_string_rule *rule(unsigned int i, enum rfsim_string_rule_kind kind)
{
	assert_true(i < string.rule_count);
	assert_int_equal(string.rules[i].kind, kind);
	return &string.rules[i];
}

static void check_fault(const char *text, struct rfsim_fault expected)
{
	const struct rfsim_fault *fault;
	char whole[128];

	snprintf(whole, sizeof(whole), "sim:fault=%s", text);
	good(whole);
	assert_int_equal(string.rule_count, 1);
	fault = &rule(0, RFSIM_STRING_FAULT)->fault;
	assert_int_equal(fault->kind, expected.kind);
	assert_int_equal(fault->first, expected.first);
	assert_int_equal(fault->last, expected.last);
	assert_int_equal(fault->skip, expected.skip);
	assert_int_equal(fault->count, expected.count);
}

static void faults_of_reads(void **state)
{
	(void)state;
	check_fault("completion-timeout@read:8",
		    (struct rfsim_fault){ RFSIM_FAULT_SILENCE, 0, UINT64_MAX, 7, 1 });
	check_fault("unsupported@read",
		    (struct rfsim_fault){ RFSIM_FAULT_UNSUPPORTED, 0, UINT64_MAX, 0, 0 });
	check_fault("abort@read:3..",
		    (struct rfsim_fault){ RFSIM_FAULT_ABORT, 0, UINT64_MAX, 2, 0 });
	check_fault("poisoned@0x1000..0x1fff:2..4",
		    (struct rfsim_fault){ RFSIM_FAULT_POISONED, 0x1000, 0x1fff, 1, 3 });
	check_fault("link-down@read:5",
		    (struct rfsim_fault){ RFSIM_FAULT_LINK_DOWN, 0, UINT64_MAX, 4, 1 });
}

static void other_faults(void **state)
{
	(void)state;
	good("sim:fault=engine-hang@copy,fault=engine-hang@compute:3,fault=lose-msi@3..5,"
	     "fault=link-down@cycle:100,fault=link-down@cycle:200..300");
	assert_int_equal(string.rule_count, 5);
	assert_int_equal(rule(0, RFSIM_STRING_HANG)->hang.node, 1);
	assert_int_equal(rule(0, RFSIM_STRING_HANG)->hang.number, 1);
	assert_int_equal(rule(1, RFSIM_STRING_HANG)->hang.node, 0);
	assert_int_equal(rule(1, RFSIM_STRING_HANG)->hang.number, 3);
	assert_int_equal(rule(2, RFSIM_STRING_HOLD)->hold.what, RFSIM_HOLD_MSI);
	assert_int_equal(rule(2, RFSIM_STRING_HOLD)->hold.until, RFSIM_UNTIL_NEVER);
	assert_int_equal(rule(2, RFSIM_STRING_HOLD)->hold.first, 3);
	assert_int_equal(rule(2, RFSIM_STRING_HOLD)->hold.last, 5);
	assert_int_equal(rule(3, RFSIM_STRING_CUT)->cut.first, 100);
	assert_true(rule(3, RFSIM_STRING_CUT)->cut.last == UINT64_MAX);
	assert_int_equal(rule(4, RFSIM_STRING_CUT)->cut.last, 300);
}

static void check_hold(const char *text, struct rfsim_hold expected)
{
	const struct rfsim_hold *hold;
	char whole[128];

	snprintf(whole, sizeof(whole), "sim:hold=%s", text);
	good(whole);
	assert_int_equal(string.rule_count, 1);
	hold = &rule(0, RFSIM_STRING_HOLD)->hold;
	assert_int_equal(hold->what, expected.what);
	assert_true(hold->first == expected.first && hold->last == expected.last);
	assert_int_equal(hold->until, expected.until);
	assert_int_equal(hold->event, expected.event);
	assert_int_equal(hold->number, expected.number);
	assert_int_equal(hold->cycles, expected.cycles);
}

static void holds(void **state)
{
	(void)state;
	check_hold("ring", (struct rfsim_hold){ RFSIM_HOLD_RING, 1, UINT64_MAX, RFSIM_UNTIL_IDLE, 0,
						0, 0 });
	check_hold("ring@2..", (struct rfsim_hold){ RFSIM_HOLD_RING, 2, UINT64_MAX,
						    RFSIM_UNTIL_IDLE, 0, 0, 0 });
	check_hold("msi@2..3:idle",
		   (struct rfsim_hold){ RFSIM_HOLD_MSI, 2, 3, RFSIM_UNTIL_IDLE, 0, 0, 0 });
	check_hold("completion@4:+500", (struct rfsim_hold){ RFSIM_HOLD_COMPLETION, 4, 4,
							     RFSIM_UNTIL_AFTER, 0, 0, 500 });
	check_hold("ring@1:cycle@9000",
		   (struct rfsim_hold){ RFSIM_HOLD_RING, 1, 1, RFSIM_UNTIL_CYCLE, 0, 0, 9000 });
	check_hold("ring@1:signal@2+17",
		   (struct rfsim_hold){ RFSIM_HOLD_RING, 1, 1, RFSIM_UNTIL_EVENT,
					RFSIM_EVENT_SIGNAL, 2, 17 });
	check_hold("msi@1:copy@3", (struct rfsim_hold){ RFSIM_HOLD_MSI, 1, 1, RFSIM_UNTIL_EVENT,
							RFSIM_EVENT_COPY, 3, 0 });
}

static void every_event_has_a_name(void **state)
{
	static const char *const names[RFSIM_EVENT_COUNT] = {
		[RFSIM_EVENT_RING] = "ring",	   [RFSIM_EVENT_MSI] = "msi",
		[RFSIM_EVENT_READ] = "read",	   [RFSIM_EVENT_SIGNAL] = "signal",
		[RFSIM_EVENT_WAIT] = "wait",	   [RFSIM_EVENT_RELEASE] = "release",
		[RFSIM_EVENT_COMPUTE] = "compute", [RFSIM_EVENT_COPY] = "copy",
	};
	char text[64];
	int i;

	(void)state;
	for (i = 0; i < RFSIM_EVENT_COUNT; i++) {
		snprintf(text, sizeof(text), "sim:hold=ring:%s@1", names[i]);
		good(text);
		assert_int_equal(rule(0, RFSIM_STRING_HOLD)->hold.event, i);
	}
}

/* The wrong word is quoted, and the line says what would be right. */
static void wrong_words_are_answered(void **state)
{
	static const char *const wrong[][3] = {
		{ "drm:", "'drm:'", "begins with sim:" },
		{ "sim", "'sim'", "begins with sim:" },
		{ "sim:,", "''", "a word is missing" },
		{ "sim:random,", "''", "a word is missing" },
		{ "sim:bogus", "'bogus'", "there are seed, random" },
		{ "sim:reed-latency=3", "'reed-latency=3'", "is read-latency meant?" },
		{ "sim:Seed=3", "'Seed=3'", "is seed meant?" },
		{ "sim:seed", "'seed'", "a value is missing, as in seed=..." },
		{ "sim:seed=", "'seed='", "'' is not a number" },
		{ "sim:seed=-1", "'seed=-1'", "'-1' is not a number; write it as 12 or 0xc" },
		{ "sim:seed=18446744073709551616", "'seed=18446744073709551616'",
		  "does not fit 64 bits" },
		{ "sim:random=1", "'random=1'", "random has no value" },
		{ "sim:assertions=on", "'assertions=on'", "assertions has no value" },
		{ "sim:mps=128,mps=256", "'mps=256'", "mps is given twice" },
		{ "sim:seed=1,seed=2", "'seed=2'", "seed is given twice" },
		{ "sim:mps=100", "'mps=100'", "100 is not from 128 to 4096" },
		{ "sim:mps=200", "'mps=200'", "not a power of two from 128 to 4096" },
		{ "sim:mrrs=8192", "'mrrs=8192'", "from 128 to 4096" },
		{ "sim:rcb=32", "'rcb=32'", "from 64 to 128" },
		{ "sim:read-latency=5..2", "'read-latency=5..2'", "5..2 is backwards" },
		{ "sim:read-latency=100001", "'read-latency=100001'", "from 0 to 100000" },
		{ "sim:read-latency=1..", "'read-latency=1..'", "'' is not a number" },
		{ "sim:reorder=101", "'reorder=101'", "from 0 to 100" },
		{ "sim:backpressure=100", "'backpressure=100'", "from 0 to 99" },
		{ "sim:device=8", "'device=8'", "8 is not from 0 to 7" },
		{ "sim:device=1,device=1", "'device=1'", "device is given twice" },
		{ "sim:devices=0", "'devices=0'", "0 is not from 1 to 8" },
		{ "sim:devices=9", "'devices=9'", "9 is not from 1 to 8" },
		{ "sim:devices=2,device=2", "'device'", "2 is not a device of devices=2" },
		{ "sim:device=1,devices=1", "'device'", "1 is not a device of devices=1" },
		{ "sim:fault=1/lose-msi@3", "'fault'", "there is no device 1; say devices=2" },
		{ "sim:devices=2,hold=0/ring,hold=2/ring", "'hold'",
		  "there is no device 2; say devices=3" },
		{ "sim:fault=8/lose-msi", "'fault=8/lose-msi'", "8 is not from 0 to 7" },
		{ "sim:hold=/ring", "'hold=/ring'", "'' is not a number" },
		{ "sim:hold=x/ring", "'hold=x/ring'", "'x' is not a number" },
		{ "sim:devices=2,fault=1/bogus@read", "'fault=1/bogus@read'",
		  "a fault is KIND@read" },
		{ "sim:host-timeout=0", "'host-timeout=0'", "the least is 1" },
		{ "sim:link=gen2x1", "'link=gen2x1'",
		  "there is no link 'gen2x1'; there is gen1x1" },
		{ "sim:link", "'link'", "a value is missing, as in link=..." },
		{ "sim:link=gen1x1,link=gen1x1", "'link=gen1x1'", "link is given twice" },
		{ "sim:link-errors=2000", "'link-errors'", "there is no link; say link=gen1x1" },
		{ "sim:link=gen1x1,link-errors=499", "'link-errors=499'", "499 is not from 500" },
		{ "sim:link=gen1x1,link-errors=0", "'link-errors=0'", "0 is not from 500" },
		{ "sim:wave=w.fst,link=gen1x1", "'wave'", "a device behind a link writes no wave" },
		{ "sim:wave=", "'wave='", "the name of a file is missing" },
		{ "sim:fault=bogus@read", "'fault=bogus@read'", "a fault is KIND@read" },
		{ "sim:fault=abort", "'fault=abort'", "a fault is KIND@read" },
		{ "sim:fault=abort@write", "'fault=abort@write'", "a fault is KIND@read" },
		{ "sim:fault=abort@read:0", "'fault=abort@read:0'", "the least is 1" },
		{ "sim:fault=abort@9..3", "'fault=abort@9..3'", "backwards" },
		{ "sim:fault=engine-hang@paging", "'fault=engine-hang@paging'",
		  "there are copy and compute" },
		{ "sim:fault=link-down@cycle:x", "'fault=link-down@cycle:x'", "not a number" },
		{ "sim:hold=bogus", "'hold=bogus'", "a hold is ring@N" },
		{ "sim:hold=ring@0", "'hold=ring@0'", "the least is 1" },
		{ "sim:hold=ring:later", "'hold=ring:later'", "until when" },
		{ "sim:hold=ring:", "'hold=ring:'", "until when" },
		{ "sim:hold=ring:+0", "'hold=ring:+0'", "the least is 1" },
		{ "sim:hold=ring:msi@1+x", "'hold=ring:msi@1+x'", "'x' is not a number" },
		{ "sim:hold=completion@1", "'hold=completion@1'", "say until when" },
		{ "sim:hold=completion@1:idle", "'hold=completion@1:idle'", "say until when" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(rfsim_string_parse(wrong[i][0], &string, problem), -EINVAL);
		if (!strstr(problem, wrong[i][1]) || !strstr(problem, wrong[i][2]))
			fail_msg("%s: %s", wrong[i][0], problem);
		assert_null(strchr(problem, '\n'));
	}
}

/* What is left without the word that says which of its devices is meant. */
static void strings_name_worlds(void **state)
{
	static const char *const worlds[][2] = {
		{ "sim:", "sim:" },
		{ "sim:device=1", "sim:" },
		{ "sim:device=1,seed=7", "sim:seed=7" },
		{ "sim:seed=7,device=2,random", "sim:seed=7,random" },
		{ "sim:seed=7,device=0", "sim:seed=7" },
		{ "sim:devices=3,device=2", "sim:devices=3" },
		{ "sim:wave=a\\,device=1", "sim:wave=a\\,device=1" },
		{ "sim:wave=a\\\\,device=1", "sim:wave=a\\\\" },
	};
	char world[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(worlds) / sizeof(worlds[0]); i++) {
		rfsim_string_world(worlds[i][0], world);
		assert_string_equal(world, worlds[i][1]);
	}
	good("sim:seed=7,device=3");
	assert_int_equal(string.device, 3);
	good("sim:seed=7");
	assert_int_equal(string.device, 0);
	assert_int_equal(string.devices, 1);
	good("sim:devices=3,device=2");
	assert_int_equal(string.device, 2);
	assert_int_equal(string.devices, 3);
}

/* Each device of a world has a wave of its own. */
static void waves_have_names(void **state)
{
	static const char *const names[][2] = {
		{ "sim:wave=run.fst", "run.2.fst" }, { "sim:wave=run", "run.2" },
		{ "sim:wave=a.b/run", "a.b/run.2" }, { "sim:wave=a.b/run.fst", "a.b/run.2.fst" },
		{ "sim:wave=.run", ".run.2" },	     { "sim:wave=a/.run", "a/.run.2" },
	};
	char path[RFSIM_STRING_WAVE];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		good(names[i][0]);
		rfsim_string_wave(&string, 2, path);
		assert_string_equal(path, names[i][1]);
		rfsim_string_wave(&string, 0, path);
		assert_string_equal(path, string.wave);
	}
}

/* All devices are there from the first cycle on, the first one with what the string says of it. */
static void worlds_have_devices(void **state)
{
	struct rfsim_world *world;
	struct rfsim_device *device;
	unsigned int i;

	(void)state;
	good("sim:devices=3,fault=link-down@cycle:5");
	assert_int_equal(rfsim_string_create(&string, &world, &device, problem), 0);
	assert_int_equal(rfsim_cycle(world), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(rfsim_device_index(rfsim_world_device(world, i)), i);
	assert_ptr_equal(rfsim_world_device(world, 0), device);
	assert_null(rfsim_world_device(world, 3));
	assert_int_equal(rfsim_string_close(device, problem), 0);
	rfsim_world_destroy(world);
}

/* "N/" before a fault or a hold: of that device; without it of the first one. */
static void rules_are_of_a_device(void **state)
{
	(void)state;
	good("sim:fault=1/abort@read:2,fault=abort@read,fault=2/link-down@cycle:7,"
	     "fault=1/engine-hang@copy,hold=0/ring,hold=2/msi@1:+5,fault=1/lose-msi@3,devices=3");
	assert_int_equal(string.rule_count, 7);
	assert_int_equal(rule(0, RFSIM_STRING_FAULT)->device, 1);
	assert_int_equal(rule(0, RFSIM_STRING_FAULT)->fault.kind, RFSIM_FAULT_ABORT);
	assert_int_equal(rule(0, RFSIM_STRING_FAULT)->fault.skip, 1);
	assert_int_equal(rule(1, RFSIM_STRING_FAULT)->device, 0);
	assert_int_equal(rule(2, RFSIM_STRING_CUT)->device, 2);
	assert_int_equal(rule(2, RFSIM_STRING_CUT)->cut.first, 7);
	assert_int_equal(rule(3, RFSIM_STRING_HANG)->device, 1);
	assert_int_equal(rule(4, RFSIM_STRING_HOLD)->device, 0);
	assert_int_equal(rule(5, RFSIM_STRING_HOLD)->device, 2);
	assert_int_equal(rule(5, RFSIM_STRING_HOLD)->hold.cycles, 5);
	assert_int_equal(rule(6, RFSIM_STRING_HOLD)->device, 1);
	assert_int_equal(rule(6, RFSIM_STRING_HOLD)->hold.until, RFSIM_UNTIL_NEVER);
}

/* Words and names longer than any buffer, and one rule more than there is room for. */
static void too_much_is_refused(void **state)
{
	static const char *const rules[RFSIM_STRING_KINDS] = { ",hold=ring", ",fault=abort@read",
							       ",fault=engine-hang@copy",
							       ",fault=link-down@cycle:5" };
	static char text[8192];
	unsigned int i;

	(void)state;
	strcpy(text, "sim:wave=");
	memset(text + 9, 'x', RFSIM_STRING_PATH - 1);
	text[9 + RFSIM_STRING_PATH - 1] = 0;
	good(text);
	text[9 + RFSIM_STRING_PATH - 1] = 'x';
	assert_int_equal(rfsim_string_parse(text, &string, problem), -EINVAL);
	assert_non_null(strstr(problem, "too long"));
	memset(text + 4, 'x', sizeof(text) - 5);
	assert_int_equal(rfsim_string_parse(text, &string, problem), -EINVAL);
	assert_true(strlen(problem) < RFSIM_STRING_PROBLEM);
	strcpy(text, "sim:seed=1");
	/* as many of each kind as may be, and then one more of it */
	for (i = 0; i < RFSIM_STRING_KINDS * RFSIM_STRING_RULES; i++)
		strcat(text, rules[i % RFSIM_STRING_KINDS]);
	good(text);
	assert_int_equal(string.rule_count, RFSIM_STRING_KINDS * RFSIM_STRING_RULES);
	for (i = 0; i < RFSIM_STRING_KINDS; i++) {
		char more[sizeof(text)];

		snprintf(more, sizeof(more), "%s%s", text, rules[i]);
		assert_int_equal(rfsim_string_parse(more, &string, problem), -EINVAL);
		assert_non_null(strstr(problem, "at most 16"));
	}
}

static void nothing_else_is_taken_or_breaks_it(void **state)
{
	uint64_t right = 0;
	const char *wrong = fuzz_strings(1, 20000, &right);

	(void)state;
	if (wrong)
		fail_msg("%s", wrong);
	assert_true(right > 500);
}

/* --- effects -------------------------------------------------------------- */

/*
 * A world whose device echoes. Its script register lies where the doorbells of the real one
 * begin, so a store to it is a ring.
 */
struct bench {
	struct rfsim_world *world;
	struct rfsim_device *device;
	uint64_t *memory;
	uint64_t bus;
	uint64_t rung; /* cycle in which the last ring was taken by the device; 0: none */
	uint64_t read_cycle; /* of the last read request */
	uint64_t answered; /* of the last completion to the device */
	uint8_t answered_tag;
	uint64_t interrupted; /* cycle of the last interrupt */
	unsigned int interrupts;
};

static void on_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct bench *bench = context;
	struct rfsim_bar bar;

	assert_int_equal(rfsim_bar(device, 0, &bar), 0);
	if (tlp->stream == RFSIM_RECEIVE && tlp_is_memory_write(tlp->header) &&
	    tlp_address(tlp->header) == bar.address + ECHO_PLAY)
		bench->rung = tlp->last_cycle;
	if (tlp->stream == RFSIM_READ)
		bench->read_cycle = tlp->last_cycle;
	if (tlp->stream == RFSIM_RECEIVE && tlp_is_completion(tlp->header)) {
		bench->answered = tlp->first_cycle;
		bench->answered_tag = (uint8_t)tlp_tag(tlp->header);
	}
}

static void on_interrupt(void *context, struct rfsim_device *device, uint32_t data)
{
	struct bench *bench = context;

	(void)device;
	(void)data;
	bench->interrupts++;
	bench->interrupted = rfsim_cycle(bench->world);
}

static void bench_open(struct bench *bench, const char *text)
{
	memset(bench, 0, sizeof(*bench));
	good(text);
	assert_int_equal(rfsim_string_create(&string, &bench->world, &bench->device, problem), 0);
	assert_int_equal(rfsim_enumerate(bench->device), 0);
	assert_true(rfsim_msix_enable(bench->device) > 0);
	rfsim_tlp_callback(bench->device, on_tlp, bench);
	rfsim_interrupt_callback(bench->device, on_interrupt, bench);
	bench->memory = aligned_alloc(4096, 4096);
	memset(bench->memory, 0, 4096);
	assert_int_equal(rfsim_memory_register(bench->world, bench->memory, 4096, &bench->bus), 0);
}

static void bench_close(struct bench *bench)
{
	assert_int_equal(rfsim_string_close(bench->device, problem), 0);
	rfsim_world_destroy(bench->world);
	free(bench->memory);
}

static void settle(struct bench *bench)
{
	unsigned int i;

	for (i = 0; !rfsim_idle(bench->world) && i < 50000; i++)
		rfsim_step(bench->world, 1);
	assert_true(rfsim_idle(bench->world));
}

/* A ring that plays nothing. */
static void ring(struct bench *bench)
{
	const uint32_t nothing = 0;

	assert_int_equal(rfsim_bar_write(bench->device, 0, ECHO_PLAY, &nothing, sizeof(nothing)),
			 0);
}

/* Beats go to memory first; the ring that plays them is echo_play()'s. */
static void play(struct bench *bench, struct echo_script *script)
{
	assert_int_equal(echo_play(bench->device, script, 0), 0);
	script->beats = 0;
}

static void send_msi(struct bench *bench)
{
	struct echo_script script = { .beats = 0 };
	uint32_t header[4], word = 0;

	tlp_memory_bytes(header, true, 0x100, 0, RFSIM_MSI_BASE, 4);
	echo_tlp(&script, 0, header, &word, 1);
	play(bench, &script);
}

static void add_read(struct bench *bench, struct echo_script *script, uint8_t tag)
{
	uint32_t header[4];

	tlp_memory_bytes(header, false, 0x100, tag, bench->bus, 8);
	echo_beat(script, ECHO_READ_STREAM, header, 0);
}

static void a_ring_is_held_for_cycles(void **state)
{
	struct bench bench;
	uint64_t now;

	(void)state;
	bench_open(&bench, "sim:hold=ring@2:+100");
	now = rfsim_cycle(bench.world);
	ring(&bench);
	settle(&bench);
	/* not the first */
	assert_true(bench.rung && bench.rung < now + 10);
	bench.rung = 0;
	now = rfsim_cycle(bench.world);
	ring(&bench);
	assert_false(rfsim_idle(bench.world)); /* its time has to come */
	rfsim_step(bench.world, 100);
	assert_int_equal(bench.rung, 0);
	settle(&bench);
	/* let go in cycle now + 100, in which its one beat is presented */
	assert_int_equal(bench.rung, now + 100);
	/* and not the third */
	now = rfsim_cycle(bench.world);
	ring(&bench);
	settle(&bench);
	assert_true(bench.rung < now + 10);
	assert_int_equal(rfsim_event_count(bench.device, RFSIM_EVENT_RING), 3);
	bench_close(&bench);
}

static void a_ring_is_held_until_a_cycle(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench, "sim:hold=ring:cycle@3000");
	ring(&bench);
	settle(&bench);
	assert_int_equal(bench.rung, 3000);
	/* it is past */
	ring(&bench);
	rfsim_step(bench.world, 20);
	assert_true(bench.rung > 3000 && bench.rung < 3040);
	bench_close(&bench);
}

static void rings_are_held_until_all_is_idle(void **state)
{
	struct bench bench;
	uint32_t word = 0;

	(void)state;
	bench_open(&bench, "sim:hold=ring@1..2");
	ring(&bench);
	/* what the host does later overtakes it */
	assert_int_equal(rfsim_bar_read(bench.device, 2, 0, &word, sizeof(word)), 0);
	assert_int_equal(bench.rung, 0);
	ring(&bench);
	settle(&bench);
	assert_true(bench.rung);
	assert_int_equal(rfsim_event_count(bench.device, RFSIM_EVENT_RING), 2);
	bench_close(&bench);
}

static void a_ring_is_held_until_an_event(void **state)
{
	struct bench bench;
	uint64_t happened;

	(void)state;
	bench_open(&bench, "sim:hold=ring@1:ring@3+17");
	ring(&bench);
	/* Nothing will happen by itself. */
	rfsim_step(bench.world, 50);
	assert_true(rfsim_idle(bench.world));
	assert_int_equal(bench.rung, 0);
	ring(&bench);
	settle(&bench);
	bench.rung = 0;
	happened = rfsim_cycle(bench.world);
	ring(&bench);
	rfsim_step(bench.world, 10);
	assert_true(bench.rung && bench.rung < happened + 10); /* the third */
	settle(&bench);
	assert_int_equal(bench.rung, happened + 17); /* and then the first */
	bench_close(&bench);
}

static void an_msi_is_held_or_lost(void **state)
{
	struct bench bench;
	uint64_t begin;

	(void)state;
	bench_open(&bench, "sim:hold=msi@1:+200,fault=lose-msi@2");
	begin = rfsim_cycle(bench.world);
	send_msi(&bench);
	rfsim_step(bench.world, 200);
	assert_int_equal(bench.interrupts, 0);
	settle(&bench);
	assert_int_equal(bench.interrupts, 1);
	assert_true(bench.interrupted > begin + 200 && bench.interrupted < begin + 260);
	send_msi(&bench);
	settle(&bench);
	assert_int_equal(bench.interrupts, 1);
	send_msi(&bench);
	settle(&bench);
	assert_int_equal(bench.interrupts, 2);
	assert_int_equal(rfsim_event_count(bench.device, RFSIM_EVENT_MSI), 3);
	bench_close(&bench);
}

/* The second is answered meanwhile, although completions are in order. */
static void a_completion_is_held(void **state)
{
	struct echo_script script = { .beats = 0 };
	struct bench bench;

	(void)state;
	bench_open(&bench, "sim:hold=completion@1:+400");
	add_read(&bench, &script, 1);
	add_read(&bench, &script, 2);
	play(&bench, &script);
	rfsim_step(bench.world, 200);
	assert_int_equal(bench.answered_tag, 2);
	settle(&bench);
	assert_int_equal(bench.answered_tag, 1);
	/* one of them was accepted a cycle or two before the other */
	assert_in_range(bench.answered - bench.read_cycle, 390, 400);
	assert_int_equal(rfsim_event_count(bench.device, RFSIM_EVENT_READ), 2);
	bench_close(&bench);
}

static void the_link_goes_down_and_up(void **state)
{
	struct bench bench;
	uint32_t word = 0;

	(void)state;
	bench_open(&bench, "sim:fault=link-down@cycle:5000..6000");
	assert_int_equal(rfsim_bar_read(bench.device, 2, 0, &word, sizeof(word)), 0);
	rfsim_step(bench.world, 5001 - rfsim_cycle(bench.world));
	assert_int_equal(rfsim_bar_read(bench.device, 2, 0, &word, sizeof(word)), -ENOLINK);
	rfsim_step(bench.world, 1000);
	assert_int_equal(rfsim_bar_read(bench.device, 2, 0, &word, sizeof(word)), 0);
	bench_close(&bench);
}

/* The second device's rules do nothing to the first one. */
static void rules_of_the_second_device(void **state)
{
	struct rfsim_device *second;
	struct bench bench;
	uint32_t word = 0;

	(void)state;
	bench_open(&bench,
		   "sim:devices=2,fault=1/link-down@cycle:5000..6000,fault=1/unsupported@read,"
		   "hold=1/msi@1:+5");
	second = rfsim_world_device(bench.world, 1);
	assert_int_equal(rfsim_enumerate(second), 0);
	assert_int_equal(bench.device->fault_count + bench.device->hold_count, 0);
	assert_int_equal(second->fault_count, 1);
	assert_int_equal(second->hold_count, 1);
	rfsim_step(bench.world, 5001 - rfsim_cycle(bench.world));
	assert_int_equal(rfsim_bar_read(bench.device, 2, 0, &word, sizeof(word)), 0);
	assert_int_equal(rfsim_bar_read(second, 2, 0, &word, sizeof(word)), -ENOLINK);
	rfsim_step(bench.world, 1000);
	assert_int_equal(rfsim_bar_read(second, 2, 0, &word, sizeof(word)), 0);
	bench_close(&bench);
}

static void a_fault_hits_its_read(void **state)
{
	struct echo_script script = { .beats = 0 };
	struct bench bench;

	(void)state;
	bench_open(&bench, "sim:fault=completion-timeout@read:2");
	add_read(&bench, &script, 1);
	add_read(&bench, &script, 2);
	add_read(&bench, &script, 3);
	play(&bench, &script);
	rfsim_step(bench.world, 300);
	assert_int_equal(rfsim_fault_hits(bench.device), 1);
	assert_int_equal(bench.answered_tag, 3);
	bench_close(&bench);
}

static void a_timeline_is_written(void **state)
{
	char path[] = "/tmp/rf-string-test.XXXXXX", text[64], line[64] = "";
	struct bench bench;
	FILE *file;

	(void)state;
	close(mkstemp(path));
	snprintf(text, sizeof(text), "sim:timeline=%s", path);
	bench_open(&bench, text);
	bench_close(&bench);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	assert_non_null(strstr(line, "traceEvents"));
	fclose(file);
	unlink(path);
}

/* A page of so many TLPs and values for which no CPU waits, to be freed. */
static char *page_of(unsigned int tlps, unsigned int values)
{
	const uint32_t header[TLP_HEADER_WORDS] = { (uint32_t)TLP_MRD64 << 24 | 1, 0xf };
	char path[] = "/tmp/rf-string-test.XXXXXX", text[64];
	const struct observer *observer;
	struct bench bench;
	char *page;
	FILE *file;
	long bytes;

	close(mkstemp(path));
	snprintf(text, sizeof(text), "sim:page=%s", path);
	bench_open(&bench, text);
	observer = bench.device->observers; /* the timeline is the only one */
	for (; tlps; tlps--)
		observer->tlp(observer->context, bench.device,
			      &(struct rfsim_tlp){ RFSIM_READ, 9000, 9000, header, NULL, 0 });
	/* bit 10 of trace_o, as rf_device.sv says; the cycle is one that comes later */
	for (; values; values--)
		observer->event(observer->context, bench.device, 1000000 - values, 1ull << 10);
	bench_close(&bench);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	bytes = ftell(file);
	rewind(file);
	page = calloc(1, (size_t)bytes + 1);
	assert_int_equal(fread(page, 1, (size_t)bytes, file), bytes);
	fclose(file);
	unlink(path);
	return page;
}

/* Not by strstr(), which AddressSanitizer lets look for the end of the text each time. */
static unsigned int count(const char *text, const char *what)
{
	size_t length = strlen(what);
	unsigned int found = 0;

	for (; *text; text++)
		found += !strncmp(text, what, length);
	return found;
}

/* Lines of items begin so; kinds are those of enum item_kind. */
#define READ_ITEM "\n[8,"
#define SUPPRESSED_ITEM "\n[5,"

static void a_page_has_everything_that_fits(void **state)
{
	char *page = page_of(1000, 10);

	(void)state;
	assert_in_range(count(page, READ_ITEM), 1000, 1100);
	assert_int_equal(count(page, SUPPRESSED_ITEM), 10);
	assert_non_null(strstr(page, "\"tlps\":true,"));
	assert_non_null(strstr(page, "\"omittedFrom\":null,"));
	assert_non_null(strstr(page, "</html>"));
	free(page);
}

static void a_page_of_too_much_has_no_tlps(void **state)
{
	char *page = page_of(RF_TIMELINE_PAGE_ITEMS, 10);

	(void)state;
	assert_int_equal(count(page, READ_ITEM), 0);
	assert_int_equal(count(page, SUPPRESSED_ITEM), 10);
	assert_non_null(strstr(page, "\"tlps\":false,"));
	assert_non_null(strstr(page, "\"omittedFrom\":null,"));
	free(page);
}

static void a_page_of_far_too_much_ends_early(void **state)
{
	char *page = page_of(10, RF_TIMELINE_PAGE_ITEMS + 100);

	(void)state;
	assert_int_equal(count(page, SUPPRESSED_ITEM), RF_TIMELINE_PAGE_ITEMS);
	assert_non_null(strstr(page, "\"tlps\":false,"));
	/* the last hundred are not there */
	assert_non_null(strstr(page, "\"omittedFrom\":999900,"));
	free(page);
}

static void a_file_that_cannot_be_written_is_named(void **state)
{
	struct rfsim_device *device;
	struct rfsim_world *world;

	(void)state;
	good("sim:timeline=/nonexistent/t.json");
	assert_int_equal(rfsim_string_create(&string, &world, &device, problem), -ENOENT);
	assert_non_null(strstr(problem, "cannot write /nonexistent/t.json: "));
	good("sim:page=/nonexistent/t.html");
	assert_int_equal(rfsim_string_create(&string, &world, &device, problem), -ENOENT);
	assert_non_null(strstr(problem, "cannot write /nonexistent/t.html: "));
	good("sim:wave=/nonexistent/w.fst");
	assert_int_equal(rfsim_string_create(&string, &world, &device, problem), -ENOENT);
	assert_non_null(strstr(problem, "cannot write /nonexistent/w.fst: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_words_it_is_the_default),
		cmocka_unit_test(words_set_their_fields),
		cmocka_unit_test(files_are_named),
		cmocka_unit_test(faults_of_reads),
		cmocka_unit_test(other_faults),
		cmocka_unit_test(holds),
		cmocka_unit_test(every_event_has_a_name),
		cmocka_unit_test(wrong_words_are_answered),
		cmocka_unit_test(strings_name_worlds),
		cmocka_unit_test(waves_have_names),
		cmocka_unit_test(worlds_have_devices),
		cmocka_unit_test(rules_are_of_a_device),
		cmocka_unit_test(too_much_is_refused),
		cmocka_unit_test(nothing_else_is_taken_or_breaks_it),
		cmocka_unit_test(a_ring_is_held_for_cycles),
		cmocka_unit_test(a_ring_is_held_until_a_cycle),
		cmocka_unit_test(rings_are_held_until_all_is_idle),
		cmocka_unit_test(a_ring_is_held_until_an_event),
		cmocka_unit_test(an_msi_is_held_or_lost),
		cmocka_unit_test(a_completion_is_held),
		cmocka_unit_test(the_link_goes_down_and_up),
		cmocka_unit_test(rules_of_the_second_device),
		cmocka_unit_test(a_fault_hits_its_read),
		cmocka_unit_test(a_timeline_is_written),
		cmocka_unit_test(a_page_has_everything_that_fits),
		cmocka_unit_test(a_page_of_too_much_has_no_tlps),
		cmocka_unit_test(a_page_of_far_too_much_ends_early),
		cmocka_unit_test(a_file_that_cannot_be_written_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
