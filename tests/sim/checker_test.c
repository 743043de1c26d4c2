// SPDX-License-Identifier: Apache-2.0
/*
 * Each rule of the root complex is broken on purpose by the stand-in device;
 * the rule must say so, and no other rule may. A last test sends every legal
 * shape and expects silence.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "echo.h"

#define ID 0x0100 /* bus 1: the first device */
#define TIMEOUT 2000

static struct rfsim_world *world;
static struct rfsim_device *device;
static uint64_t memory[8192];
static uint64_t bus; /* of memory, page-aligned */
static struct echo_script script;
static uint32_t header[4];
static const uint32_t payload[1024];

static int setup(void **state)
{
	struct rfsim_config config;
	int error;

	(void)state;
	rfsim_config_init(&config);
	config.host_timeout = TIMEOUT;
	config.port.max_payload = 128;
	config.port.max_read = 256;
	error = rfsim_world_create(&config, &world);
	if (!error)
		error = rfsim_device_create(world, &device);
	if (!error)
		error = rfsim_enumerate(device);
	if (!error)
		error = rfsim_step(world, 50); /* idle: what was enumerated counts */
	bus = 0x200000000;
	if (!error)
		error = rfsim_memory_register_at(world, memory, sizeof(memory), bus);
	memset(&script, 0, sizeof(script));
	return error;
}

static int teardown(void **state)
{
	(void)state;
	rfsim_world_destroy(world);
	return 0;
}

/* --- helpers -------------------------------------------------------------- */

static void write_header(uint64_t address, unsigned int bytes)
{
	tlp_memory_bytes(header, true, ID, 0, address, bytes);
}

static void read_header(uint64_t address, unsigned int bytes, uint8_t tag)
{
	tlp_memory_bytes(header, false, ID, tag, address, bytes);
}

static void add_posted(unsigned int words)
{
	echo_tlp(&script, 0, header, payload, words);
}

static void add_read(uint32_t flags)
{
	echo_beat(&script, ECHO_READ_STREAM | flags, header, 0);
}

static void play(void)
{
	assert_int_equal(echo_play(device, &script, 0), 0);
	assert_int_equal(rfsim_step(world, 600), 0);
	script.beats = 0;
}

/* The given rule, and only it, was violated since the world began. */
static void expect(enum rfsim_rule wanted)
{
	unsigned int rule;

	for (rule = 0; rule < RFSIM_RULE_COUNT; rule++) {
		uint64_t count = rfsim_violations(world, (enum rfsim_rule)rule);

		if (rule == wanted ? !count : count)
			fail_msg("%s: %llu violations; first: %s",
				 rfsim_rule_name((enum rfsim_rule)rule), (unsigned long long)count,
				 rfsim_world_check(world));
	}
	assert_non_null(rfsim_world_check(world));
	assert_non_null(strstr(rfsim_world_check(world), rfsim_rule_name(wanted)));
}

/* Start over for another way to break the same rule. */
static void again(void)
{
	rfsim_world_destroy(world);
	assert_int_equal(setup(NULL), 0);
}

static void stall(uint32_t posted, uint32_t read)
{
	struct rfsim_port_config config;

	rfsim_port_config(device, &config);
	config.posted_stall_percent = posted;
	config.read_stall_percent = read;
	assert_int_equal(rfsim_port_configure(device, &config), 0);
}

/*
 * A completion that the device sends instead of its own answer to the next
 * request. byte count and lower address as of a read of bytes at BAR 2 + offset.
 */
static void completion_header(enum tlp_status status, unsigned int byte_count, unsigned int lower,
			      unsigned int words)
{
	tlp_completion(header, ID, status, byte_count, RFSIM_HOST_ID, 0, lower, words);
}

static void add_completion(unsigned int words)
{
	echo_tlp(&script, ECHO_COPY_TAG, header, payload, words);
}

static int read_armed(unsigned int offset, unsigned int bytes)
{
	uint8_t data[512];

	assert_int_equal(echo_play(device, &script, ECHO_ARMED), 0);
	script.beats = 0;
	return rfsim_bar_read(device, 2, offset, data, bytes);
}

/* --- every packet --------------------------------------------------------- */

static void type(void **state)
{
	(void)state;
	write_header(bus, 8);
	header[0] |= 0x12u << 24; /* a message with data */
	add_posted(2);
	play();
	expect(RFSIM_RULE_TYPE);

	again();
	write_header(bus, 4);
	add_read(0);
	play();
	expect(RFSIM_RULE_TYPE);
}

static void reserved(void **state)
{
	static const uint32_t bits[] = {
		1u << 23,	1u << 19, 1u << 17,	    TLP_DW0_HINT,
		TLP_DW0_DIGEST, 1u << 10, TLP_DW0_POISONED,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(bits) / sizeof(*bits); i++) {
		write_header(bus, 8);
		header[0] |= bits[i];
		add_posted(2);
		play();
		expect(RFSIM_RULE_RESERVED);
		again();
		read_header(bus, 8, 0);
		header[0] |= bits[i];
		add_read(0);
		play();
		expect(RFSIM_RULE_RESERVED);
		again();
	}
	write_header(bus, 8);
	header[3] |= 2;
	add_posted(2);
	play();
	expect(RFSIM_RULE_RESERVED);

	again();
	assert_int_equal(rfsim_memory_register_at(world, memory, 4096, 0x10000), 0);
	write_header(0x10000, 8);
	header[3] = 4;
	add_posted(2);
	play();
	expect(RFSIM_RULE_RESERVED);

	again();
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 1);
	header[1] |= 1u << 12;
	add_completion(1);
	assert_int_equal(read_armed(0, 4), 0);
	expect(RFSIM_RULE_RESERVED);

	again();
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 1);
	header[2] |= 1u << 7;
	add_completion(1);
	assert_int_equal(read_armed(0, 4), 0);
	expect(RFSIM_RULE_RESERVED);
}

static void length(void **state)
{
	(void)state;
	write_header(bus, 16);
	add_posted(2);
	play();
	expect(RFSIM_RULE_LENGTH);

	again();
	write_header(bus, 8);
	add_posted(4);
	play();
	expect(RFSIM_RULE_LENGTH);
}

static void strobe(void **state)
{
	(void)state;
	/* Half a beat in the middle. */
	write_header(bus, 12);
	echo_beat(&script, ECHO_SOP | ECHO_STRB(1), header, 0);
	echo_beat(&script, ECHO_EOP | ECHO_STRB(3), header, 0);
	play();
	expect(RFSIM_RULE_STROBE);

	/* The upper word alone. */
	again();
	write_header(bus, 4);
	echo_beat(&script, ECHO_SOP | ECHO_EOP | ECHO_STRB(2), header, 0);
	play();
	expect(RFSIM_RULE_STROBE);
}

static void framing(void **state)
{
	(void)state;
	/* sop twice */
	write_header(bus, 16);
	echo_beat(&script, ECHO_SOP | ECHO_STRB(3), header, 0);
	echo_beat(&script, ECHO_SOP | ECHO_EOP | ECHO_STRB(3), header, 0);
	play();
	expect(RFSIM_RULE_FRAMING);

	/* no sop */
	again();
	write_header(bus, 8);
	echo_beat(&script, ECHO_EOP | ECHO_STRB(3), header, 0);
	play();
	expect(RFSIM_RULE_FRAMING);

	/* another header on the second beat */
	again();
	write_header(bus, 16);
	echo_beat(&script, ECHO_SOP | ECHO_STRB(3), header, 0);
	header[3] += 64;
	echo_beat(&script, ECHO_EOP | ECHO_STRB(3), header, 0);
	play();
	expect(RFSIM_RULE_FRAMING);
}

static void stable(void **state)
{
	static const uint32_t ways[] = { ECHO_DROP, ECHO_TOGGLE };
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		stall(100, 0);
		write_header(bus, 8);
		echo_tlp(&script, ways[i], header, payload, 2);
		play();
		expect(RFSIM_RULE_STABLE);
		again();
		stall(0, 100);
		read_header(bus, 8, 0);
		add_read(ways[i]);
		play();
		expect(RFSIM_RULE_STABLE);
		again();
	}
	/* The same beats are no violation while the ports are ready. */
	write_header(bus, 8);
	echo_tlp(&script, ECHO_DROP, header, payload, 2);
	echo_tlp(&script, ECHO_TOGGLE, header, payload, 2);
	play();
	assert_null(rfsim_world_check(world));
}

static void traffic_class(void **state)
{
	(void)state;
	write_header(bus, 8);
	header[0] |= 1u << 20;
	add_posted(2);
	play();
	expect(RFSIM_RULE_TRAFFIC_CLASS);

	again();
	read_header(bus, 8, 0);
	header[0] |= 1u << 22;
	add_read(0);
	play();
	expect(RFSIM_RULE_TRAFFIC_CLASS);

	again();
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 1);
	header[0] |= 1u << 20;
	add_completion(1);
	assert_int_equal(read_armed(0, 4), 0);
	expect(RFSIM_RULE_TRAFFIC_CLASS);
}

/* A read by another requester, with these bits, and a completion with those. */
static uint16_t another = 0x0300;

static void answer_another(uint32_t asked, uint32_t answered, uint8_t tag)
{
	struct rfsim_bar bar;

	tlp_completion(header, ID, TLP_STATUS_SUCCESS, 4, another, 7, 0, 1);
	header[0] |= answered;
	echo_tlp(&script, 0, header, payload, 1);
	assert_int_equal(echo_play(device, &script, ECHO_ARMED), 0);
	script.beats = 0;
	assert_int_equal(rfsim_bar(device, 2, &bar), 0);
	tlp_memory_bytes(header, false, another, tag, bar.address, 4);
	header[0] |= asked;
	assert_int_equal(rfsim_tlp_send(device, header, NULL, 0, false), 0);
	assert_int_equal(rfsim_step(world, 600), 0);
}

/* A completion is of the class of its request, from any requester (2.2.9). */
static void class_of_the_request(void **state)
{
	static const struct {
		uint32_t bit;
		enum rfsim_rule rule;
	} bits[] = {
		{ 1u << 20, RFSIM_RULE_TRAFFIC_CLASS },
		{ 1u << 21, RFSIM_RULE_TRAFFIC_CLASS },
		{ 1u << 22, RFSIM_RULE_TRAFFIC_CLASS },
		{ TLP_DW0_RELAXED, RFSIM_RULE_ATTRIBUTES },
		{ TLP_DW0_NO_SNOOP, RFSIM_RULE_ATTRIBUTES },
		{ TLP_DW0_ID_ORDER, RFSIM_RULE_ATTRIBUTES },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(bits) / sizeof(*bits); i++) {
		answer_another(bits[i].bit, bits[i].bit, 7);
		assert_null(rfsim_world_check(world));
		/* of the two that have this tag it may be the first one's */
		answer_another(0, bits[i].bit, 7);
		assert_null(rfsim_world_check(world));
		again();
		answer_another(bits[i].bit, 0, 7);
		expect(bits[i].rule);
		again();
		answer_another(0, bits[i].bit, 7);
		expect(bits[i].rule);
		again();
	}
	/* by hand in the host's name: no request of the library's, and asked for */
	another = RFSIM_HOST_ID;
	answer_another(1u << 20, 1u << 20, 7);
	assert_null(rfsim_world_check(world));
	again();
	answer_another(0, 0, 8);
	expect(RFSIM_RULE_UNEXPECTED_COMPLETION);
	another = 0x0300;
}

static void attributes(void **state)
{
	static const uint32_t bits[] = { TLP_DW0_RELAXED, TLP_DW0_NO_SNOOP, TLP_DW0_ID_ORDER };
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		write_header(bus, 8);
		header[0] |= bits[i];
		add_posted(2);
		play();
		expect(RFSIM_RULE_ATTRIBUTES);
		again();
		read_header(bus, 8, 0);
		header[0] |= bits[i];
		add_read(0);
		play();
		expect(RFSIM_RULE_ATTRIBUTES);
		again();
		completion_header(TLP_STATUS_SUCCESS, 4, 0, 1);
		header[0] |= bits[i];
		add_completion(1);
		assert_int_equal(read_armed(0, 4), 0);
		expect(RFSIM_RULE_ATTRIBUTES);
		again();
	}
}

/* --- requests ------------------------------------------------------------- */

static void address_format(void **state)
{
	(void)state;
	assert_int_equal(rfsim_memory_register_at(world, memory, 4096, 0x10000), 0);
	write_header(0x10000, 8);
	header[0] |= 1u << 29;
	header[3] = header[2];
	header[2] = 0;
	add_posted(2);
	play();
	expect(RFSIM_RULE_ADDRESS_FORMAT);
}

static void page_crossing(void **state)
{
	(void)state;
	write_header(bus + 4096 - 8, 16);
	add_posted(4);
	play();
	expect(RFSIM_RULE_PAGE_CROSSING);

	again();
	read_header(bus + 4096 - 8, 16, 0);
	add_read(0);
	play();
	expect(RFSIM_RULE_PAGE_CROSSING);
}

static void max_payload(void **state)
{
	(void)state;
	write_header(bus, 132);
	add_posted(33);
	play();
	expect(RFSIM_RULE_MAX_PAYLOAD);
}

static void max_read(void **state)
{
	(void)state;
	read_header(bus, 260, 0);
	add_read(0);
	play();
	expect(RFSIM_RULE_MAX_READ);
}

static void byte_enables(void **state)
{
	static const struct {
		unsigned int words, first, last, offset;
	} bad[] = {
		{ 1, 0xf, 0x1, 0 }, /* last enables of one word */
		{ 2, 0x0, 0xf, 0 }, /* nothing in the first */
		{ 2, 0xf, 0x0, 0 }, /* nothing in the last */
		{ 2, 0x5, 0xf, 4 }, /* gap, and not an aligned pair */
		{ 4, 0x7, 0xf, 0 }, /* the first ends early */
		{ 4, 0xf, 0xe, 0 }, /* the last begins late */
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		tlp_memory_request(header, true, ID, 0, bus + bad[i].offset, bad[i].words,
				   bad[i].first, bad[i].last);
		add_posted(bad[i].words);
		play();
		expect(RFSIM_RULE_BYTE_ENABLES);
		again();
	}
	/* Gaps are legal in one word and in an aligned pair. */
	tlp_memory_request(header, true, ID, 0, bus, 1, 0x9, 0);
	add_posted(1);
	tlp_memory_request(header, true, ID, 0, bus, 2, 0x5, 0xa);
	add_posted(2);
	play();
	assert_null(rfsim_world_check(world));
}

static void tag_in_flight(void **state)
{
	(void)state;
	read_header(bus, 8, 3);
	add_read(0);
	add_read(0);
	play();
	expect(RFSIM_RULE_TAG_IN_FLIGHT);

	/* After its completion the tag is free again. */
	again();
	read_header(bus, 8, 3);
	add_read(0);
	add_read(ECHO_WAIT(100));
	play();
	assert_null(rfsim_world_check(world));
}

static void tag_range(void **state)
{
	(void)state;
	read_header(bus, 8, 32);
	add_read(0);
	play();
	expect(RFSIM_RULE_TAG_RANGE);
}

static void requester(void **state)
{
	(void)state;
	write_header(bus, 8);
	header[1] ^= 1u << 24;
	add_posted(2);
	play();
	expect(RFSIM_RULE_REQUESTER);

	again();
	read_header(bus, 8, 0);
	header[1] ^= 1u << 16;
	add_read(0);
	play();
	expect(RFSIM_RULE_REQUESTER);
}

static void bus_master(void **state)
{
	(void)state;
	assert_int_equal(rfsim_config_write(device, 4, 2, 2), 0);
	write_header(bus, 8);
	add_posted(2);
	play();
	expect(RFSIM_RULE_BUS_MASTER);

	again();
	assert_int_equal(rfsim_config_write(device, 4, 2, 2), 0);
	read_header(bus, 8, 0);
	add_read(0);
	play();
	expect(RFSIM_RULE_BUS_MASTER);

	again();
	assert_int_equal(rfsim_config_write(device, 4, 2, 2), 0);
	assert_int_equal(rfsim_config_write(device, 4, 2, 6), 0);
	add_read(0);
	play();
	assert_null(rfsim_world_check(world));

	/* What the link kept waiting is not taken back. */
	again();
	stall(0, 100);
	read_header(bus, 8, 0);
	add_read(0);
	play();
	assert_int_equal(rfsim_config_write(device, 4, 2, 2), 0);
	stall(0, 0);
	assert_int_equal(rfsim_step(world, 100), 0);
	assert_null(rfsim_world_check(world));
}

static void read_order(void **state)
{
	(void)state;
	stall(100, 0);
	write_header(bus, 8);
	add_posted(2);
	read_header(bus + 64, 8, 0);
	add_read(ECHO_UNORDERED | ECHO_WAIT(60));
	play();
	expect(RFSIM_RULE_READ_ORDER);

	/* Within a write, though none of its beats has to wait for long. */
	again();
	write_header(bus, 24);
	echo_beat(&script, ECHO_SOP | ECHO_STRB(3), header, 1);
	echo_beat(&script, ECHO_STRB(3) | ECHO_WAIT(30), header, 2);
	read_header(bus + 64, 8, 0);
	add_read(ECHO_UNORDERED | ECHO_WAIT(20));
	write_header(bus, 24);
	echo_beat(&script, ECHO_EOP | ECHO_STRB(3), header, 3);
	play();
	expect(RFSIM_RULE_READ_ORDER);

	/* A read that may have been issued before the write is not judged. */
	again();
	stall(100, 0);
	write_header(bus, 8);
	add_posted(2);
	read_header(bus + 64, 8, 0);
	add_read(ECHO_UNORDERED | ECHO_WAIT(4));
	play();
	assert_null(rfsim_world_check(world));

	/* Nor is one after the write was accepted. */
	again();
	write_header(bus, 8);
	add_posted(2);
	read_header(bus + 64, 8, 0);
	add_read(ECHO_WAIT(60));
	play();
	assert_null(rfsim_world_check(world));
}

static void msi_format(void **state)
{
	(void)state;
	write_header(RFSIM_MSI_BASE, 8);
	add_posted(2);
	play();
	expect(RFSIM_RULE_MSI_FORMAT);

	again();
	write_header(RFSIM_MSI_BASE, 2);
	add_posted(1);
	play();
	expect(RFSIM_RULE_MSI_FORMAT);
}

static void unmapped(void **state)
{
	(void)state;
	write_header(bus + sizeof(memory), 8);
	add_posted(2);
	play();
	expect(RFSIM_RULE_UNMAPPED);

	again();
	read_header(bus - 8, 8, 0);
	add_read(0);
	play();
	expect(RFSIM_RULE_UNMAPPED);

	/* No longer registered. */
	again();
	assert_int_equal(rfsim_memory_unregister(world, bus), 0);
	write_header(bus, 8);
	add_posted(2);
	play();
	expect(RFSIM_RULE_UNMAPPED);

	/* Half outside. */
	again();
	assert_int_equal(rfsim_memory_register_at(world, memory, 12, 0x10000), 0);
	write_header(0x10008, 8);
	add_posted(2);
	play();
	expect(RFSIM_RULE_UNMAPPED);
}

/* --- completions ---------------------------------------------------------- */

static void completer(void **state)
{
	(void)state;
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 1);
	header[1] ^= 1u << 27;
	add_completion(1);
	assert_int_equal(read_armed(0, 4), 0);
	expect(RFSIM_RULE_COMPLETER);
}

static void unexpected_completion(void **state)
{
	(void)state;
	/* Without a request. */
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 1);
	add_posted(1);
	play();
	expect(RFSIM_RULE_UNEXPECTED_COMPLETION);

	/* Answered twice. */
	again();
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 1);
	add_completion(1);
	add_completion(1);
	assert_int_equal(read_armed(0, 4), 0);
	rfsim_step(world, 100);
	expect(RFSIM_RULE_UNEXPECTED_COMPLETION);
}

static void completion_status(void **state)
{
	(void)state;
	completion_header((enum tlp_status)3, 4, 0, 0);
	add_completion(0);
	assert_int_equal(read_armed(0, 4), -EIO);
	expect(RFSIM_RULE_COMPLETION_STATUS);

	/* Retry is for configuration requests. */
	again();
	completion_header(TLP_STATUS_RETRY, 4, 0, 0);
	add_completion(0);
	assert_int_equal(read_armed(0, 4), -EIO);
	expect(RFSIM_RULE_COMPLETION_STATUS);
}

static void completion_length(void **state)
{
	(void)state;
	/* More than was asked for. */
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 2);
	add_completion(2);
	assert_int_equal(read_armed(0, 4), -EIO);
	expect(RFSIM_RULE_COMPLETION_LENGTH);

	/* Success without data. */
	again();
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 0);
	add_completion(0);
	assert_int_equal(read_armed(0, 4), -EIO);
	expect(RFSIM_RULE_COMPLETION_LENGTH);

	/* Failure with data. */
	again();
	completion_header(TLP_STATUS_UNSUPPORTED, 4, 0, 1);
	add_completion(1);
	assert_int_equal(read_armed(0, 4), -EIO);
	expect(RFSIM_RULE_COMPLETION_LENGTH);

	/* Data for a configuration write. */
	again();
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 1);
	add_completion(1);
	assert_int_equal(echo_play(device, &script, ECHO_ARMED), 0);
	assert_int_equal(rfsim_config_write(device, 4, 2, 6), -EIO);
	expect(RFSIM_RULE_COMPLETION_LENGTH);
}

static void byte_count(void **state)
{
	(void)state;
	completion_header(TLP_STATUS_SUCCESS, 8, 0, 1);
	add_completion(1);
	assert_int_equal(read_armed(0, 4), 0);
	expect(RFSIM_RULE_BYTE_COUNT);
}

static void lower_address(void **state)
{
	(void)state;
	completion_header(TLP_STATUS_SUCCESS, 4, 0x44, 1);
	add_completion(1);
	assert_int_equal(read_armed(0x40, 4), 0);
	expect(RFSIM_RULE_LOWER_ADDRESS);
}

static void completion_boundary(void **state)
{
	(void)state;
	/* 256 bytes cut at 64: only a root complex may. */
	completion_header(TLP_STATUS_SUCCESS, 256, 0, 16);
	add_completion(16);
	completion_header(TLP_STATUS_SUCCESS, 192, 0x40, 16);
	add_completion(16);
	completion_header(TLP_STATUS_SUCCESS, 128, 0, 32);
	add_completion(32);
	assert_int_equal(read_armed(0, 256), 0);
	expect(RFSIM_RULE_COMPLETION_BOUNDARY);
}

static void memory_space(void **state)
{
	const uint32_t first = 0u | 1u << 10 | ECHO_ARMED;
	const uint32_t second = 1u | 1u << 10 | ECHO_ARMED;
	uint8_t data[4];

	(void)state;
	/*
	 * Beat 0 swallows the configuration write that turns memory space off, so
	 * that the device goes on taking writes and arms beat 1 for the read.
	 */
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 0);
	add_completion(0);
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 1);
	add_completion(1);
	assert_int_equal(rfsim_bar_write(device, 0, 0, script.words, 64), 0);
	assert_int_equal(rfsim_bar_write(device, 0, ECHO_PLAY, &first, 4), 0);
	assert_int_equal(rfsim_config_write(device, 4, 2, 4), 0);
	assert_int_equal(rfsim_bar_write(device, 0, ECHO_PLAY, &second, 4), 0);
	assert_null(rfsim_world_check(world));
	assert_int_equal(rfsim_bar_read(device, 2, 0, data, 4), 0);
	expect(RFSIM_RULE_MEMORY_SPACE);

	/* An Unsupported Request is what a device answers then. */
	again();
	assert_int_equal(rfsim_config_write(device, 4, 2, 4), 0);
	assert_int_equal(rfsim_bar_read(device, 2, 0, data, 4), -EIO);
	assert_null(rfsim_world_check(world));
}

static void missing_completion(void **state)
{
	uint64_t before = rfsim_cycle(world);
	uint32_t nothing = ECHO_ARMED, value = 0;

	(void)state;
	assert_int_equal(rfsim_bar_write(device, 0, ECHO_PLAY, &nothing, 4), 0);
	assert_int_equal(rfsim_bar_read(device, 2, 0, &value, 4), -ETIMEDOUT);
	assert_int_equal(value, 0xffffffff);
	assert_in_range(rfsim_cycle(world) - before, TIMEOUT, TIMEOUT + 50);
	expect(RFSIM_RULE_MISSING_COMPLETION);
	/* The next read is not disturbed. */
	assert_int_equal(rfsim_bar_read(device, 2, 0, &value, 4), 0);
}

/* --- messages ------------------------------------------------------------- */

static const enum tlp_message error_codes[RFSIM_ERRORS] = {
	[RFSIM_ERROR_CORRECTABLE] = TLP_ERR_COR,
	[RFSIM_ERROR_NONFATAL] = TLP_ERR_NONFATAL,
	[RFSIM_ERROR_FATAL] = TLP_ERR_FATAL,
};

/* SERR# Enable of Command; the enables of Device Control, bit by severity. */
static void enable_errors(bool serr, unsigned int enables)
{
	unsigned int control = rfsim_config_find(device, 0x10) + 8;

	assert_int_equal(rfsim_config_write(device, 4, 2, serr ? 0x106 : 6), 0);
	assert_int_equal(rfsim_config_write(device, control, 2, 0x1000 | enables), 0);
	assert_int_equal(rfsim_step(world, 50), 0);
}

static void error_message(void **state)
{
	struct rfsim_statistics statistics;
	unsigned int error, enables, control;

	(void)state;
	for (error = 0; error < RFSIM_ERRORS; error++) {
		for (enables = 0; enables < 16; enables++) {
			bool serr = enables & 8;

			enable_errors(serr, enables & 7);
			tlp_message(header, TLP_MSG_ROOT, ID, error_codes[error]);
			add_posted(0);
			play();
			if (enables >> error & 1 || (serr && error != RFSIM_ERROR_CORRECTABLE)) {
				assert_null(rfsim_world_check(world));
				rfsim_statistics(device, &statistics);
				assert_true(statistics.errors[error] > 0);
				assert_int_equal(statistics.transmit.tlps[RFSIM_TLP_OTHER], 0);
				continue;
			}
			expect(RFSIM_RULE_ERROR_MESSAGE);
			again();
		}
	}

	/* One that was found while it was enabled may come as long as the device is not idle. */
	enable_errors(false, 1);
	control = rfsim_config_find(device, 0x10) + 8;
	completion_header(TLP_STATUS_SUCCESS, 4, 0, 0);
	add_completion(0);
	tlp_message(header, TLP_MSG_ROOT, ID, TLP_ERR_COR);
	add_posted(0);
	assert_int_equal(echo_play(device, &script, ECHO_ARMED), 0);
	script.beats = 0;
	assert_int_equal(rfsim_config_write(device, control, 2, 0x1000), 0);
	assert_int_equal(rfsim_step(world, 50), 0);
	rfsim_statistics(device, &statistics);
	assert_true(statistics.errors[RFSIM_ERROR_CORRECTABLE] > 0);
	assert_null(rfsim_world_check(world));
	again();

	/* A device that was reset reports nothing. */
	enable_errors(true, 7);
	assert_int_equal(rfsim_config_write(device, rfsim_config_find(device, 0x10) + 8, 2, 0x8007),
			 0);
	assert_int_equal(rfsim_enumerate(device), 0);
	assert_int_equal(rfsim_step(world, 50), 0);
	tlp_message(header, TLP_MSG_ROOT, ID, TLP_ERR_FATAL);
	add_posted(0);
	play();
	expect(RFSIM_RULE_ERROR_MESSAGE);
}

static void messages(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 8; i++) {
		enable_errors(true, 7);
		tlp_message(header, TLP_MSG_ROOT, ID, TLP_ERR_NONFATAL);
		switch (i) {
		case 0: /* nobody asked for it */
			tlp_message(header, TLP_MSG_GATHERED, ID, TLP_PME_TO_ACK);
			break;
		case 1:
			header[1] ^= 3; /* no such error */
			break;
		case 2:
			header[1] |= 0x300; /* a tag */
			break;
		case 3:
			header[2] = 1;
			break;
		case 4:
			header[0] |= 1; /* a length */
			break;
		case 5:
			header[0] |= 1 << 20;
			break;
		case 6:
			header[0] |= TLP_DW0_RELAXED;
			break;
		case 7:
			header[1] ^= 8 << 16;
			break;
		}
		add_posted(0);
		play();
		expect(i < 2	? RFSIM_RULE_TYPE
		       : i < 5	? RFSIM_RULE_RESERVED
		       : i == 5 ? RFSIM_RULE_TRAFFIC_CLASS
		       : i == 6 ? RFSIM_RULE_ATTRIBUTES
				: RFSIM_RULE_REQUESTER);
		again();
	}
}

/* One for each PME_Turn_Off (5.3.3.2.1) */
static void acknowledgement_of_turn_off(void **state)
{
	uint32_t turn_off[TLP_HEADER_WORDS];

	(void)state;
	tlp_message(turn_off, TLP_MSG_BROADCAST, RFSIM_HOST_ID, TLP_PME_TURN_OFF);
	assert_int_equal(rfsim_tlp_send(device, turn_off, NULL, 0, false), 0);
	assert_int_equal(rfsim_step(world, 50), 0);
	tlp_message(header, TLP_MSG_GATHERED, ID, TLP_PME_TO_ACK);
	add_posted(0);
	play();
	assert_null(rfsim_world_check(world));
	add_posted(0);
	play();
	expect(RFSIM_RULE_TYPE);
}

/* --- and what is right ---------------------------------------------------- */

static void legal_packets_pass(void **state)
{
	unsigned int bytes, offset;
	uint8_t data[512];

	(void)state;
	for (offset = 0; offset < 8; offset++) {
		for (bytes = 1; bytes <= 120; bytes += bytes < 12 ? 1 : 27) {
			write_header(bus + 4096 - 128 + offset, bytes);
			add_posted(tlp_length(header));
			read_header(bus + 4096 - 128 + offset, bytes, bytes % 32);
			add_read(0);
			play();
			assert_int_equal(rfsim_bar_read(device, 2, offset + 100, data, bytes + 200),
					 0);
		}
	}
	tlp_memory_request(header, false, ID, 0, bus, 1, 0, 0); /* no bytes */
	add_read(0);
	write_header(RFSIM_MSI_BASE + 16, 4);
	add_posted(1);
	play();
	if (rfsim_world_check(world))
		fail_msg("%s", rfsim_world_check(world));
}

/* A rule without a test here would not be known to fire. */
/* One rule a line. */
/* clang-format off */
#define RULE_TESTS(X) \
	X(TYPE, type) \
	X(RESERVED, reserved) \
	X(LENGTH, length) \
	X(STROBE, strobe) \
	X(FRAMING, framing) \
	X(STABLE, stable) \
	X(ADDRESS_FORMAT, address_format) \
	X(PAGE_CROSSING, page_crossing) \
	X(MAX_PAYLOAD, max_payload) \
	X(MAX_READ, max_read) \
	X(BYTE_ENABLES, byte_enables) \
	X(TAG_IN_FLIGHT, tag_in_flight) \
	X(TAG_RANGE, tag_range) \
	X(REQUESTER, requester) \
	X(COMPLETER, completer) \
	X(ATTRIBUTES, attributes) \
	X(TRAFFIC_CLASS, traffic_class) \
	X(BUS_MASTER, bus_master) \
	X(READ_ORDER, read_order) \
	X(MSI_FORMAT, msi_format) \
	X(ERROR_MESSAGE, error_message) \
	X(UNEXPECTED_COMPLETION, unexpected_completion) \
	X(COMPLETION_STATUS, completion_status) \
	X(COMPLETION_LENGTH, completion_length) \
	X(BYTE_COUNT, byte_count) \
	X(LOWER_ADDRESS, lower_address) \
	X(COMPLETION_BOUNDARY, completion_boundary) \
	X(MEMORY_SPACE, memory_space) \
	X(MISSING_COMPLETION, missing_completion) \
	X(UNMAPPED, unmapped)
/* clang-format on */

static void every_rule_has_a_test(void **state)
{
	static const bool tested[RFSIM_RULE_COUNT] = {
#define TESTED(name, function) [RFSIM_RULE_##name] = true,
		RULE_TESTS(TESTED)
	};
	unsigned int rule;

	(void)state;
	for (rule = 0; rule < RFSIM_RULE_COUNT; rule++) {
		if (!tested[rule])
			fail_msg("%s", rfsim_rule_name((enum rfsim_rule)rule));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name, function) { "checker." #function, function, setup, teardown, NULL },
		RULE_TESTS(TEST) TEST(, class_of_the_request) TEST(, messages)
			TEST(, acknowledgement_of_turn_off) TEST(, legal_packets_pass)
				TEST(, every_rule_has_a_test)
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("checker", tests, NULL, NULL);
}
