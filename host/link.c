// SPDX-License-Identifier: Apache-2.0
/* ringfence link: what the console of a board in a PCIe slot says of the link, and its switches. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "link_gears.h"
#include "link_line.h"
#include "number.h"

static const char usage[] =
	"Usage: ringfence link [--device serial:TTY] [--json] [OPTION]...\n"
	"Prints what a board in a PCIe slot knows of its link: SERDES, LTSSM with its last 512 states,\n"
	"error counters. It asks on the board's serial line, so the link need not work (docs/board.md).\n"
	"  --device DEVICE  \"serial:/dev/ttyUSB1\", a board with a PCIe top;\n"
	"                   default: $RINGFENCE_DEVICE\n"
	"  --json           as a JSON object, times in microseconds\n"
	"  --entries N      so many of the last states at most (default: 512)\n"
	"Switches, set before it prints; they stay until the board's reset:\n"
	"  --present STATE  on: a receiver is there, whatever detection says; off\n"
	"  --idle HOW       electrical idle is sent by bit, by pin, or by both (as after a reset)\n"
	"  --hold STATE     on: the SERDES stays in reset; off\n"
	"  --freeze STATE   on: no state is recorded any more; off\n"
	"  --gear STATE     on: the SERDES gears, two symbols a cycle; off: the fabric does\n"
	"  --ctc STATE      on: the SERDES' own clock compensation; off: the fabric's. Both reset\n"
	"                   the SERDES, and need a bitstream with Switches=1 (docs/board.md)\n"
	"  --restart        resets the SERDES, and so the link\n"
	"  --clear          empties the record and the counters\n"
	"  --sci WHAT       a register of the SERDES (TN1261): \"channel:0x1c\", \"common:2\" is read,\n"
	"                   \"channel:0x1c=0x40\" written, which counts from a --restart on\n";

#define IDENTITY 0x4b4c4652u /* "RFLK" */
#define VERSION 1
#define ENTRIES 512
#define COUNTERS 16
#define TIME_LIMIT 0x7fffff
#define UNIT_CYCLES 16
#define METER_CYCLES (4096 / 32) /* cycles of the console's clock for one count */

enum {
	REGISTER_IDENTITY,
	REGISTER_BUILD,
	REGISTER_STATUS,
	REGISTER_SETTINGS = RF_LINK_REGISTER_SETTINGS,
	REGISTER_COMMAND, /* written; read: the state that has not ended */
	REGISTER_POSITION,
	REGISTER_CLOCKS,
	REGISTER_SCI = RF_LINK_REGISTER_SCI,
	REGISTERS,
	REGISTER_ENTRIES = 0x400,
	REGISTER_COUNTERS = 0x600,
};

#define SETTING_PRESENT 1u
#define SETTING_NO_BIT 2u
#define SETTING_NO_PIN 4u
#define SETTING_HOLD RF_LINK_SETTING_HOLD
#define SETTING_FREEZE 16u
#define SETTING_GEAR RF_LINK_SETTING_GEAR
#define SETTING_CTC RF_LINK_SETTING_CTC

/* By rf_link_pkg::ltssm_state_e, with the names of the PCI Express Base Specification */
static const char *const states[32] = {
	"Detect.Quiet",
	"Detect.Active",
	"Polling.Active",
	"Polling.Configuration",
	"Polling.Compliance",
	"Configuration.Linkwidth.Start",
	"Configuration.Linkwidth.Accept",
	"Configuration.Lanenum.Wait",
	"Configuration.Lanenum.Accept",
	"Configuration.Complete",
	"Configuration.Idle",
	"L0",
	"Recovery.RcvrLock",
	"Recovery.RcvrCfg",
	"Recovery.Idle",
	"Hot Reset",
	"Disabled",
	"Loopback.Entry",
	"Loopback.Active",
	"Loopback.Exit",
	"L1.Entry",
	"L1.Idle",
	"L2.Entry",
	"L2.Idle",
};

/* By the steps of rf_ecp5_reset */
static const char *const steps[8] = {
	"in reset",	  "waits for the transmit PLL", "waits for a signal",
	"resets the CDR", "waits for the CDR",		"settles",
	"running",
};

static const char *const counters[COUNTERS] = {
	"receiver_errors",
	"bad_tlps",
	"bad_dllps",
	"replay_rollovers",
	"replay_timeouts",
	"protocol_errors",
	"entries_into_l0",
	"entries_into_recovery",
	"code_errors",
	"pll_losses",
	"cdr_losses",
	"detections_without_answer",
	"perst",
	NULL,
	NULL,
	"bad_frames",
};

/* What was read */
struct report {
	uint32_t registers[REGISTERS];
	uint32_t entries[ENTRIES]; /* the oldest first */
	unsigned int count;
	uint32_t counters[COUNTERS];
	bool has_sci;
	unsigned int sci;
	struct rf_link_gears gears; /* if the bitstream has Switches */
};

static bool has_switches(const struct report *report)
{
	return report->registers[REGISTER_BUILD] >> 8 & RF_LINK_BUILD_SWITCHES;
}

static bool status_bit(const struct report *report, unsigned int bit)
{
	return report->registers[REGISTER_STATUS] >> bit & 1;
}

static double clock_mhz(const struct report *report)
{
	return (report->registers[REGISTER_BUILD] >> 16) / 100.0;
}

static double meter_mhz(const struct report *report, unsigned int shift)
{
	return (report->registers[REGISTER_CLOCKS] >> shift & 0xffff) * clock_mhz(report) /
	       METER_CYCLES;
}

static double entry_microseconds(const struct report *report, uint32_t entry)
{
	return (entry & TIME_LIMIT) * UNIT_CYCLES / clock_mhz(report);
}

static const char *entry_state(uint32_t entry)
{
	const char *name = states[entry >> 27];

	return name ? name : "unknown";
}

/* --- asking ----------------------------------------------------------------------------- */

static int report_read(struct rf_link_line *line, uint64_t most, struct report *report)
{
	unsigned int position, count, number, i, some;
	int error;

	error = rf_link_line_read(line, 0, REGISTERS, report->registers);
	if (!error)
		error = rf_link_line_read(line, REGISTER_COUNTERS, COUNTERS, report->counters);
	if (!error && has_switches(report))
		error = rf_link_gears_check(line, report->registers[REGISTER_SETTINGS],
					    &report->gears);
	if (error)
		return error;
	position = report->registers[REGISTER_POSITION] & (ENTRIES - 1);
	count = report->registers[REGISTER_POSITION] >> 31 ? ENTRIES : position;
	report->count = most < count ? (unsigned int)most : count;
	for (i = 0; i < report->count; i += some) {
		number = (position + ENTRIES - report->count + i) % ENTRIES;
		some = ENTRIES - number;
		if (some > report->count - i)
			some = report->count - i;
		if (some > 128)
			some = 128;
		error = rf_link_line_read(line, REGISTER_ENTRIES + number, some,
					  report->entries + i);
		if (error)
			return error;
	}
	return 0;
}

/* "channel:0x1c" or "common:2=0x40"; what register REGISTER_SCI takes */
static int parse_sci(const char *text, uint32_t *request)
{
	char address_text[24];
	const char *colon = strchr(text, ':'), *equal = strchr(text, '=');
	uint64_t address, value = 0;
	size_t length;
	bool common = !strncmp(text, "common:", 7);

	if (!colon || (!common && strncmp(text, "channel:", 8)))
		goto fail;
	length = equal ? (size_t)(equal - colon - 1) : strlen(colon + 1);
	if (length >= sizeof(address_text))
		goto fail;
	memcpy(address_text, colon + 1, length);
	address_text[length] = 0;
	if (rf_number(address_text, &address) || address > 63)
		goto fail;
	if (equal && (rf_number(equal + 1, &value) || value > 255))
		goto fail;
	*request = (equal ? 1u << 31 : 0) | (uint32_t)common << 30 | (uint32_t)address << 8 |
		   (uint32_t)value;
	return 0;

fail:
	fprintf(stderr,
		"ringfence: --sci '%s': channel: or common: and a register of 0 to 63, "
		"also with =VALUE of 0 to 255\n",
		text);
	return -EINVAL;
}

static int sci_access(struct rf_link_line *line, uint32_t request, struct report *report)
{
	report->has_sci = !(request >> 31);
	return rf_link_sci(line, request, report->has_sci ? &report->sci : NULL);
}

/* --- printing --------------------------------------------------------------------------- */

static const char *idle_of(uint32_t settings)
{
	if (settings & SETTING_NO_BIT)
		return settings & SETTING_NO_PIN ? "neither" : "pin";
	return settings & SETTING_NO_PIN ? "bit" : "both";
}

static void print_text(const struct report *report)
{
	uint32_t build = report->registers[REGISTER_BUILD] >> 8;
	uint32_t settings = report->registers[REGISTER_SETTINGS], entry;
	uint32_t now = report->registers[REGISTER_COMMAND];
	unsigned int i;

	printf("built with          words of %s, gearing in the %s, clock compensation in the %s\n",
	       build & 1 ? "clarity" : "yumewatari", build & 4 ? "SERDES" : "fabric",
	       build & 2 ? "SERDES" : "fabric");
	if (has_switches(report))
		printf("switched to         gearing in the %s, clock compensation in the %s\n",
		       settings & SETTING_GEAR ? "SERDES" : "fabric",
		       settings & SETTING_CTC ? "SERDES" : "fabric");
	if (has_switches(report) && !report->gears.good)
		printf("                    but the SERDES' register 0x%02x has 0x%02x, not 0x%02x, "
		       "in 0x%02x: switch again\n",
		       report->gears.address, report->gears.is, report->gears.wanted,
		       report->gears.mask);
	printf("PERST#              %s\n", status_bit(report, 10) ? "released" : "asserted");
	printf("SERDES              %s\n",
	       steps[report->registers[REGISTER_STATUS] >> 2 & 7] ?: "unknown");
	printf("transmit PLL        %s\n", status_bit(report, 5) ? "not locked" : "locked");
	printf("receiver            %s, CDR %s, symbols %s%s%s\n",
	       status_bit(report, 7) ? "no signal" : "signal",
	       status_bit(report, 6) ? "not locked" : "locked",
	       status_bit(report, 8) ? "found" : "not found",
	       status_bit(report, 12) ? ", wires swapped" : "",
	       status_bit(report, 9) ? ", compensation failed" : "");
	printf("clocks              link %.1f MHz, received %.1f MHz\n", meter_mhz(report, 0),
	       meter_mhz(report, 16));
	printf("receiver detection  %s%s\n", status_bit(report, 11) ? "present" : "nothing",
	       settings & SETTING_PRESENT ? " (by --present on)" : "");
	printf("idle is sent by     %s\n", idle_of(settings));
	if (settings & SETTING_HOLD)
		printf("                    the SERDES is held in reset (--hold on)\n");
	if (settings & SETTING_FREEZE)
		printf("                    states are not recorded (--freeze on)\n");
	printf("LTSSM               %s for %s%.1f us\n", entry_state(now),
	       (now & TIME_LIMIT) == TIME_LIMIT ? "more than " : "",
	       entry_microseconds(report, now));
	printf("data link layer     %s\n", status_bit(report, 13) ? "active" : "not active");
	if (report->has_sci)
		printf("register            0x%02x\n", report->sci);
	printf("\nCounters\n");
	for (i = 0; i < COUNTERS; i++) {
		if (counters[i])
			printf("  %-26s %" PRIu32 "%s\n", counters[i], report->counters[i],
			       report->counters[i] == 65535 ? " or more" : "");
	}
	printf("\nStates that ended   microseconds  at the end: PERST# released, PLL, signal, ready\n");
	for (i = 0; i < report->count; i++) {
		entry = report->entries[i];
		printf("  %-30s %s%12.1f  %c%c%c%c\n", entry_state(entry),
		       (entry & TIME_LIMIT) == TIME_LIMIT ? ">" : " ",
		       entry_microseconds(report, entry), entry >> 26 & 1 ? 'P' : '-',
		       entry >> 25 & 1 ? 'L' : '-', entry >> 24 & 1 ? 'S' : '-',
		       entry >> 23 & 1 ? 'R' : '-');
	}
}

static const char *json_bool(bool value)
{
	return value ? "true" : "false";
}

static void print_entry(const struct report *report, uint32_t entry)
{
	printf("{\"state\": \"%s\", \"microseconds\": %.3f, \"longer\": %s, \"perst_released\": %s, "
	       "\"pll\": %s, \"signal\": %s, \"ready\": %s}",
	       entry_state(entry), entry_microseconds(report, entry),
	       json_bool((entry & TIME_LIMIT) == TIME_LIMIT), json_bool(entry >> 26 & 1),
	       json_bool(entry >> 25 & 1), json_bool(entry >> 24 & 1), json_bool(entry >> 23 & 1));
}

static void print_json(const struct report *report)
{
	uint32_t build = report->registers[REGISTER_BUILD] >> 8;
	uint32_t settings = report->registers[REGISTER_SETTINGS];
	const char *between = "";
	unsigned int i;

	printf("{\n  \"words\": \"%s\", \"serdes_gearing\": %s, \"serdes_compensation\": %s,\n",
	       build & 1 ? "clarity" : "yumewatari", json_bool(build & 4), json_bool(build & 2));
	printf("  \"perst_released\": %s, \"serdes\": \"%s\", \"pll_locked\": %s,\n",
	       json_bool(status_bit(report, 10)),
	       steps[report->registers[REGISTER_STATUS] >> 2 & 7] ?: "unknown",
	       json_bool(!status_bit(report, 5)));
	printf("  \"signal\": %s, \"cdr_locked\": %s, \"symbols\": %s, \"wires_swapped\": %s,\n",
	       json_bool(!status_bit(report, 7)), json_bool(!status_bit(report, 6)),
	       json_bool(status_bit(report, 8)), json_bool(status_bit(report, 12)));
	printf("  \"compensation_failed\": %s, \"receiver_present\": %s, \"link_active\": %s,\n",
	       json_bool(status_bit(report, 9)), json_bool(status_bit(report, 11)),
	       json_bool(status_bit(report, 13)));
	printf("  \"link_mhz\": %.2f, \"received_mhz\": %.2f,\n", meter_mhz(report, 0),
	       meter_mhz(report, 16));
	printf("  \"switches\": {\"present\": %s, \"idle\": \"%s\", \"hold\": %s, \"freeze\": %s",
	       json_bool(settings & SETTING_PRESENT), idle_of(settings),
	       json_bool(settings & SETTING_HOLD), json_bool(settings & SETTING_FREEZE));
	if (has_switches(report))
		printf(", \"gear\": %s, \"ctc\": %s, \"words_as_switched\": %s",
		       json_bool(settings & SETTING_GEAR), json_bool(settings & SETTING_CTC),
		       json_bool(report->gears.good));
	printf("},\n");
	if (report->has_sci)
		printf("  \"register\": %u,\n", report->sci);
	printf("  \"now\": ");
	print_entry(report, report->registers[REGISTER_COMMAND]);
	printf(",\n  \"counters\": {");
	for (i = 0; i < COUNTERS; i++) {
		if (!counters[i])
			continue;
		printf("%s\"%s\": %" PRIu32, between, counters[i], report->counters[i]);
		between = ", ";
	}
	printf("},\n  \"states\": [");
	for (i = 0; i < report->count; i++) {
		printf("%s\n    ", i ? "," : "");
		print_entry(report, report->entries[i]);
	}
	printf("\n  ]\n}\n");
}

/* --- the command ------------------------------------------------------------------------ */

/* "on" or "off" to bits of the settings; @text NULL: no change */
static int parse_switch(const char *text, const char *option, uint32_t bit, uint32_t *set,
			uint32_t *reset)
{
	if (!text)
		return 0;
	if (!strcmp(text, "on")) {
		*set |= bit;
	} else if (!strcmp(text, "off")) {
		*reset |= bit;
	} else {
		fprintf(stderr, "ringfence: %s '%s': on or off\n", option, text);
		return -EINVAL;
	}
	return 0;
}

static int parse_idle(const char *text, uint32_t *set, uint32_t *reset)
{
	if (!text)
		return 0;
	*reset |= SETTING_NO_BIT | SETTING_NO_PIN;
	if (!strcmp(text, "bit")) {
		*set |= SETTING_NO_PIN;
	} else if (!strcmp(text, "pin")) {
		*set |= SETTING_NO_BIT;
	} else if (strcmp(text, "both")) {
		fprintf(stderr, "ringfence: --idle '%s': bit, pin or both\n", text);
		return -EINVAL;
	}
	return 0;
}

static int say(const char *device, const char *text)
{
	fprintf(stderr, "ringfence: %s: %s\n", device, text);
	return 1;
}

static int say_opening(const char *device, int error)
{
	fprintf(stderr, "ringfence: cannot open %s: %s\n", device,
		error == -EBUSY	   ? "another process has it"
		: error == -ENOTTY ? "it is no serial line"
				   : strerror(-error));
	return 1;
}

static int say_answer(const struct rf_link_line *line, const char *device, int error)
{
	if (error == -EIO)
		return say(device, "the line has gone");
	if (line->foreign)
		return say(device, "what answers is no link console: a board with a PCIe top "
				   "has one (docs/board.md)");
	return say(device, "no answer: is it this port, and is a PCIe top on the board "
			   "(docs/board.md)?");
}

static int say_words(const char *device, const struct rf_link_gears *gears)
{
	fprintf(stderr,
		"ringfence: %s: the words did not stay: register 0x%02x of the SERDES has 0x%02x in "
		"the bits 0x%02x, not 0x%02x\n",
		device, gears->address, gears->is, gears->mask, gears->wanted);
	return 1;
}

int rf_main_link(int argc, char **argv)
{
	const char *device = NULL, *present = NULL, *idle = NULL, *hold = NULL, *freeze = NULL;
	const char *sci = NULL, *gear = NULL, *ctc = NULL;
	bool json = false, restart = false, clear = false;
	uint32_t set = 0, reset = 0, request = 0, settings;
	uint64_t entries = ENTRIES;
	const struct rf_option options[] = {
		{ .name = "device", .text = &device },
		{ .name = "json", .flag = &json },
		{ .name = "entries", .number = &entries, .least = 0, .most = ENTRIES },
		{ .name = "present", .text = &present },
		{ .name = "idle", .text = &idle },
		{ .name = "hold", .text = &hold },
		{ .name = "freeze", .text = &freeze },
		{ .name = "gear", .text = &gear },
		{ .name = "ctc", .text = &ctc },
		{ .name = "restart", .flag = &restart },
		{ .name = "clear", .flag = &clear },
		{ .name = "sci", .text = &sci },
		{},
	};
	struct rf_link_line line;
	struct report report = {};
	int error;

	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	if (parse_switch(present, "--present", SETTING_PRESENT, &set, &reset) ||
	    parse_switch(hold, "--hold", SETTING_HOLD, &set, &reset) ||
	    parse_switch(freeze, "--freeze", SETTING_FREEZE, &set, &reset) ||
	    parse_switch(gear, "--gear", SETTING_GEAR, &set, &reset) ||
	    parse_switch(ctc, "--ctc", SETTING_CTC, &set, &reset) ||
	    parse_idle(idle, &set, &reset) || (sci && parse_sci(sci, &request)))
		return 2;
	if (!device)
		device = getenv("RINGFENCE_DEVICE");
	if (!device) {
		fprintf(stderr, "ringfence: --device is missing\n%s", usage);
		return 2;
	}
	if (strncmp(device, "serial:", 7))
		return say(device, "a link console is on a serial line, serial:TTY");

	error = rf_link_line_open(&line, device + 7);
	if (error)
		return say_opening(device, error);
	error = rf_link_line_read(&line, 0, REGISTERS, report.registers);
	if (error) {
		error = say_answer(&line, device, error);
		goto close;
	}
	if (report.registers[REGISTER_IDENTITY] != IDENTITY ||
	    (report.registers[REGISTER_BUILD] & 0xff) != VERSION) {
		error = say(device, "what answers is no link console of this version");
		goto close;
	}
	if ((gear || ctc) && !has_switches(&report)) {
		error = say(device, "this bitstream has gearing and clock compensation as built: "
				    "make fpga BOARD=... PARAMETERS=\"Switches=1\" builds one that "
				    "switches them (docs/board.md)");
		goto close;
	}
	settings = (report.registers[REGISTER_SETTINGS] & ~reset) | set;
	if (gear || ctc)
		error = rf_link_gears_set(&line, settings);
	else if (set | reset)
		error = rf_link_line_write(&line, REGISTER_SETTINGS, settings);
	if (!error && (gear || ctc)) {
		error = rf_link_gears_check(&line, settings, &report.gears);
		if (!error && !report.gears.good) {
			error = say_words(device, &report.gears);
			goto close;
		}
	}
	if (!error && sci)
		error = sci_access(&line, request, &report);
	if (!error && (restart || clear))
		error = rf_link_line_write(&line, REGISTER_COMMAND, restart | clear << 1);
	if (!error)
		error = report_read(&line, entries, &report);
	if (error)
		error = say_answer(&line, device, error);
	else if (json)
		print_json(&report);
	else
		print_text(&report);
close:
	rf_link_line_close(&line);
	return error;
}
