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
#include "link_registers.h"
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

#define REGISTERS (RF_LINK_REGISTER_SCI + 1) /* read at once, from 0 on */
#define METER_CYCLES (RF_LINK_METER_WINDOW / RF_LINK_METER_CYCLES)
#define MHZ 1e6

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

/* What was read */
struct report {
	uint32_t registers[REGISTERS];
	uint32_t entries[RF_LINK_ENTRY_COUNT]; /* the oldest first */
	unsigned int count;
	uint32_t counters[RF_LINK_COUNTER_COUNT];
	bool has_sci;
	unsigned int sci;
	struct rf_link_gears gears; /* if the bitstream has Switches */
};

/* Of the registers in a report, a field */
#define FIELD(report, REGISTER, NAME) \
	RF_LINK_GET(RF_LINK_##REGISTER##_##NAME, (report)->registers[RF_LINK_REGISTER_##REGISTER])

static bool has_switches(const struct report *report)
{
	return FIELD(report, BUILD, SWITCHES);
}

static double clock_mhz(const struct report *report)
{
	return FIELD(report, BUILD, CLOCK) / (MHZ / RF_LINK_CLOCK_UNIT_HZ);
}

static double meter_mhz(const struct report *report, uint32_t count)
{
	return count * clock_mhz(report) / METER_CYCLES;
}

static double entry_microseconds(const struct report *report, uint32_t entry)
{
	return RF_LINK_GET(RF_LINK_ENTRY_LENGTH, entry) * RF_LINK_LENGTH_CYCLES / clock_mhz(report);
}

/* It was so long, or longer. */
static bool entry_is_longer(uint32_t entry)
{
	return (entry & RF_LINK_ENTRY_LENGTH_MASK) == RF_LINK_ENTRY_LENGTH_MASK;
}

static const char *entry_state(uint32_t entry)
{
	const char *name = states[RF_LINK_GET(RF_LINK_ENTRY_STATE, entry)];

	return name ? name : "unknown";
}

static const char *step_of(const struct report *report)
{
	return rf_link_steps[FIELD(report, STATUS, STEP)] ?: "unknown";
}

/* --- asking ----------------------------------------------------------------------------- */

static int report_read(struct rf_link_line *line, uint64_t most, struct report *report)
{
	unsigned int position, count, number, i, some;
	int error;

	error = rf_link_line_read(line, 0, REGISTERS, report->registers);
	if (!error)
		error = rf_link_line_read(line, RF_LINK_REGISTER_COUNTER, RF_LINK_COUNTER_COUNT,
					  report->counters);
	if (!error && has_switches(report))
		error = rf_link_gears_check(line, report->registers[RF_LINK_REGISTER_SETTINGS],
					    &report->gears);
	if (error)
		return error;
	position = FIELD(report, POSITION, NEXT);
	count = FIELD(report, POSITION, WRAPPED) ? RF_LINK_ENTRY_COUNT : position;
	report->count = most < count ? (unsigned int)most : count;
	for (i = 0; i < report->count; i += some) {
		number = (position + RF_LINK_ENTRY_COUNT - report->count + i) % RF_LINK_ENTRY_COUNT;
		some = RF_LINK_ENTRY_COUNT - number;
		if (some > report->count - i)
			some = report->count - i;
		if (some > 128)
			some = 128;
		error = rf_link_line_read(line, RF_LINK_REGISTER_ENTRY + number, some,
					  report->entries + i);
		if (error)
			return error;
	}
	return 0;
}

/* "channel:0x1c" or "common:2=0x40"; what RF_LINK_REGISTER_SCI_REQUEST takes */
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
	if (rf_number(address_text, &address) ||
	    address > RF_LINK_GET(RF_LINK_SCI_REQUEST_ADDRESS, ~0U))
		goto fail;
	if (equal &&
	    (rf_number(equal + 1, &value) || value > RF_LINK_GET(RF_LINK_SCI_REQUEST_BYTE, ~0U)))
		goto fail;
	*request = RF_LINK_FIELD(RF_LINK_SCI_REQUEST_WRITE, !!equal) |
		   RF_LINK_FIELD(RF_LINK_SCI_REQUEST_COMMON, common) |
		   RF_LINK_FIELD(RF_LINK_SCI_REQUEST_ADDRESS, address) |
		   RF_LINK_FIELD(RF_LINK_SCI_REQUEST_BYTE, value);
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
	report->has_sci = !(request & RF_LINK_SCI_REQUEST_WRITE_MASK);
	return rf_link_sci(line, request, report->has_sci ? &report->sci : NULL);
}

/* --- printing --------------------------------------------------------------------------- */

static const char *idle_of(uint32_t settings)
{
	if (settings & RF_LINK_SETTINGS_IDLE_NOT_BIT_MASK)
		return settings & RF_LINK_SETTINGS_IDLE_NOT_PIN_MASK ? "neither" : "pin";
	return settings & RF_LINK_SETTINGS_IDLE_NOT_PIN_MASK ? "bit" : "both";
}

static void print_text(const struct report *report)
{
	uint32_t settings = report->registers[RF_LINK_REGISTER_SETTINGS], entry;
	uint32_t now = report->registers[RF_LINK_REGISTER_NOW];
	unsigned int i;

	printf("built with          words of %s, gearing in the %s, clock compensation in the %s\n",
	       FIELD(report, BUILD, CLARITY) ? "clarity" : "yumewatari",
	       FIELD(report, BUILD, GEAR) ? "SERDES" : "fabric",
	       FIELD(report, BUILD, CTC) ? "SERDES" : "fabric");
	if (has_switches(report))
		printf("switched to         gearing in the %s, clock compensation in the %s\n",
		       settings & RF_LINK_SETTINGS_GEAR_MASK ? "SERDES" : "fabric",
		       settings & RF_LINK_SETTINGS_CTC_MASK ? "SERDES" : "fabric");
	if (has_switches(report) && !report->gears.good)
		printf("                    but the SERDES' register 0x%02x has 0x%02x, not 0x%02x, "
		       "in 0x%02x: switch again\n",
		       report->gears.address, report->gears.is, report->gears.wanted,
		       report->gears.mask);
	printf("PERST#              %s\n",
	       FIELD(report, STATUS, PERST_RELEASED) ? "released" : "asserted");
	printf("SERDES              %s\n", step_of(report));
	printf("transmit PLL        %s\n",
	       FIELD(report, STATUS, PLL_UNLOCKED) ? "not locked" : "locked");
	printf("receiver            %s, CDR %s, symbols %s%s%s\n",
	       FIELD(report, STATUS, NO_SIGNAL) ? "no signal" : "signal",
	       FIELD(report, STATUS, CDR_UNLOCKED) ? "not locked" : "locked",
	       FIELD(report, STATUS, SYMBOLS) ? "found" : "not found",
	       FIELD(report, STATUS, WIRES_SWAPPED) ? ", wires swapped" : "",
	       FIELD(report, STATUS, COMPENSATION_FAILED) ? ", compensation failed" : "");
	printf("clocks              link %.1f MHz, received %.1f MHz\n",
	       meter_mhz(report, FIELD(report, CLOCKS, LINK)),
	       meter_mhz(report, FIELD(report, CLOCKS, RECEIVED)));
	printf("receiver detection  %s%s\n",
	       FIELD(report, STATUS, RECEIVER_PRESENT) ? "present" : "nothing",
	       settings & RF_LINK_SETTINGS_PRESENT_MASK ? " (by --present on)" : "");
	printf("idle is sent by     %s\n", idle_of(settings));
	if (settings & RF_LINK_SETTINGS_HOLD_MASK)
		printf("                    the SERDES is held in reset (--hold on)\n");
	if (settings & RF_LINK_SETTINGS_FREEZE_MASK)
		printf("                    states are not recorded (--freeze on)\n");
	printf("LTSSM               %s for %s%.1f us\n", entry_state(now),
	       entry_is_longer(now) ? "more than " : "", entry_microseconds(report, now));
	printf("data link layer     %s\n",
	       FIELD(report, STATUS, LINK_ACTIVE) ? "active" : "not active");
	if (report->has_sci)
		printf("register            0x%02x\n", report->sci);
	printf("\nCounters\n");
	for (i = 0; i < RF_LINK_COUNTER_COUNT; i++) {
		if (rf_link_counters[i])
			printf("  %-26s %" PRIu32 "%s\n", rf_link_counters[i], report->counters[i],
			       report->counters[i] == RF_LINK_COUNTER_VALUE_MASK ? " or more" : "");
	}
	printf("\nStates that ended   microseconds  at the end: PERST# released, PLL, signal, ready\n");
	for (i = 0; i < report->count; i++) {
		entry = report->entries[i];
		printf("  %-30s %s%12.1f  %c%c%c%c\n", entry_state(entry),
		       entry_is_longer(entry) ? ">" : " ", entry_microseconds(report, entry),
		       entry & RF_LINK_ENTRY_PERST_RELEASED_MASK ? 'P' : '-',
		       entry & RF_LINK_ENTRY_TX_READY_MASK ? 'L' : '-',
		       entry & RF_LINK_ENTRY_SIGNAL_MASK ? 'S' : '-',
		       entry & RF_LINK_ENTRY_RX_READY_MASK ? 'R' : '-');
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
	       json_bool(entry_is_longer(entry)),
	       json_bool(entry & RF_LINK_ENTRY_PERST_RELEASED_MASK),
	       json_bool(entry & RF_LINK_ENTRY_TX_READY_MASK),
	       json_bool(entry & RF_LINK_ENTRY_SIGNAL_MASK),
	       json_bool(entry & RF_LINK_ENTRY_RX_READY_MASK));
}

static void print_json(const struct report *report)
{
	uint32_t settings = report->registers[RF_LINK_REGISTER_SETTINGS];
	const char *between = "";
	unsigned int i;

	printf("{\n  \"words\": \"%s\", \"serdes_gearing\": %s, \"serdes_compensation\": %s,\n",
	       FIELD(report, BUILD, CLARITY) ? "clarity" : "yumewatari",
	       json_bool(FIELD(report, BUILD, GEAR)), json_bool(FIELD(report, BUILD, CTC)));
	printf("  \"perst_released\": %s, \"serdes\": \"%s\", \"pll_locked\": %s,\n",
	       json_bool(FIELD(report, STATUS, PERST_RELEASED)), step_of(report),
	       json_bool(!FIELD(report, STATUS, PLL_UNLOCKED)));
	printf("  \"signal\": %s, \"cdr_locked\": %s, \"symbols\": %s, \"wires_swapped\": %s,\n",
	       json_bool(!FIELD(report, STATUS, NO_SIGNAL)),
	       json_bool(!FIELD(report, STATUS, CDR_UNLOCKED)),
	       json_bool(FIELD(report, STATUS, SYMBOLS)),
	       json_bool(FIELD(report, STATUS, WIRES_SWAPPED)));
	printf("  \"compensation_failed\": %s, \"receiver_present\": %s, \"link_active\": %s,\n",
	       json_bool(FIELD(report, STATUS, COMPENSATION_FAILED)),
	       json_bool(FIELD(report, STATUS, RECEIVER_PRESENT)),
	       json_bool(FIELD(report, STATUS, LINK_ACTIVE)));
	printf("  \"link_mhz\": %.2f, \"received_mhz\": %.2f,\n",
	       meter_mhz(report, FIELD(report, CLOCKS, LINK)),
	       meter_mhz(report, FIELD(report, CLOCKS, RECEIVED)));
	printf("  \"switches\": {\"present\": %s, \"idle\": \"%s\", \"hold\": %s, \"freeze\": %s",
	       json_bool(settings & RF_LINK_SETTINGS_PRESENT_MASK), idle_of(settings),
	       json_bool(settings & RF_LINK_SETTINGS_HOLD_MASK),
	       json_bool(settings & RF_LINK_SETTINGS_FREEZE_MASK));
	if (has_switches(report))
		printf(", \"gear\": %s, \"ctc\": %s, \"words_as_switched\": %s",
		       json_bool(settings & RF_LINK_SETTINGS_GEAR_MASK),
		       json_bool(settings & RF_LINK_SETTINGS_CTC_MASK),
		       json_bool(report->gears.good));
	printf("},\n");
	if (report->has_sci)
		printf("  \"register\": %u,\n", report->sci);
	printf("  \"now\": ");
	print_entry(report, report->registers[RF_LINK_REGISTER_NOW]);
	printf(",\n  \"counters\": {");
	for (i = 0; i < RF_LINK_COUNTER_COUNT; i++) {
		if (!rf_link_counters[i])
			continue;
		printf("%s\"%s\": %" PRIu32, between, rf_link_counters[i], report->counters[i]);
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
	*reset |= RF_LINK_SETTINGS_IDLE_NOT_BIT_MASK | RF_LINK_SETTINGS_IDLE_NOT_PIN_MASK;
	if (!strcmp(text, "bit")) {
		*set |= RF_LINK_SETTINGS_IDLE_NOT_PIN_MASK;
	} else if (!strcmp(text, "pin")) {
		*set |= RF_LINK_SETTINGS_IDLE_NOT_BIT_MASK;
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
	uint64_t entries = RF_LINK_ENTRY_COUNT;
	const struct rf_option options[] = {
		{ .name = "device", .text = &device },
		{ .name = "json", .flag = &json },
		{ .name = "entries", .number = &entries, .least = 0, .most = RF_LINK_ENTRY_COUNT },
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
	if (parse_switch(present, "--present", RF_LINK_SETTINGS_PRESENT_MASK, &set, &reset) ||
	    parse_switch(hold, "--hold", RF_LINK_SETTINGS_HOLD_MASK, &set, &reset) ||
	    parse_switch(freeze, "--freeze", RF_LINK_SETTINGS_FREEZE_MASK, &set, &reset) ||
	    parse_switch(gear, "--gear", RF_LINK_SETTINGS_GEAR_MASK, &set, &reset) ||
	    parse_switch(ctc, "--ctc", RF_LINK_SETTINGS_CTC_MASK, &set, &reset) ||
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
	if (report.registers[RF_LINK_REGISTER_IDENTITY] != RF_LINK_IDENTITY ||
	    FIELD(&report, BUILD, VERSION) != RF_LINK_VERSION) {
		error = say(device, "what answers is no link console of this version");
		goto close;
	}
	if ((gear || ctc) && !has_switches(&report)) {
		error = say(device, "this bitstream has gearing and clock compensation as built: "
				    "make fpga BOARD=... PARAMETERS=\"Switches=1\" builds one that "
				    "switches them (docs/board.md)");
		goto close;
	}
	settings = (report.registers[RF_LINK_REGISTER_SETTINGS] & ~reset) | set;
	if (gear || ctc)
		error = rf_link_gears_set(&line, settings);
	else if (set | reset)
		error = rf_link_line_write(&line, RF_LINK_REGISTER_SETTINGS, settings);
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
		error = rf_link_line_write(&line, RF_LINK_REGISTER_COMMAND,
					   RF_LINK_FIELD(RF_LINK_COMMAND_RESTART, restart) |
						   RF_LINK_FIELD(RF_LINK_COMMAND_CLEAR, clear));
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
