// SPDX-License-Identifier: Apache-2.0
/*
 * ringfence tlp: what GTKWave asks, as a translate filter process, for the rows of TLP headers. It
 * sends a value in hexadecimal per line, and waits for a line of text.
 */
#include "tlp_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "commands.h"
#include "tlp.h"

static const char usage[] =
	"Usage: ringfence tlp <HEADERS\n"
	"Reads TLP headers from standard input, one per line, as 32 hexadecimal digits (word 0 first),\n"
	"and prints each as text: type, address, bytes, tag. The save file of a wave has GTKWave call\n"
	"it as a translate filter process.\n";

#define HEADER_DIGITS (8 * TLP_HEADER_WORDS)

static const char *status_name(enum tlp_status status)
{
	switch (status) {
	case TLP_STATUS_SUCCESS:
		return "SC";
	case TLP_STATUS_UNSUPPORTED:
		return "UR";
	case TLP_STATUS_RETRY:
		return "CRS";
	case TLP_STATUS_ABORT:
		return "CA";
	}
	return "reserved status";
}

static void message_text(const uint32_t *header, char *text, size_t bytes)
{
	const char *name = tlp_has_data(header) ? "MsgD" : "Msg";

	switch (tlp_message_code(header)) {
	case TLP_ERR_COR:
		snprintf(text, bytes, "%s ERR_COR", name);
		break;
	case TLP_ERR_NONFATAL:
		snprintf(text, bytes, "%s ERR_NONFATAL", name);
		break;
	case TLP_ERR_FATAL:
		snprintf(text, bytes, "%s ERR_FATAL", name);
		break;
	case TLP_SET_SLOT_POWER_LIMIT:
		snprintf(text, bytes, "%s Set_Slot_Power_Limit", name);
		break;
	default:
		snprintf(text, bytes, "%s code 0x%02x", name, tlp_message_code(header));
	}
}

void rf_tlp_text(const uint32_t *header, char *text, size_t bytes)
{
	static const char *const names[] = {
		[TLP_MRD32] = "MRd32", [TLP_MRD64] = "MRd64",	[TLP_MWR32] = "MWr32",
		[TLP_MWR64] = "MWr64", [TLP_CFGRD0] = "CfgRd0", [TLP_CFGWR0] = "CfgWr0",
		[TLP_CPL] = "Cpl",     [TLP_CPLD] = "CplD",
	};
	const size_t count = sizeof(names) / sizeof(names[0]);
	const uint8_t type = tlp_type(header);
	const char *name = type < count ? names[type] : NULL;
	const char *poisoned = header[0] & TLP_DW0_POISONED ? " poisoned" : "";

	if (!name && tlp_is_message(header))
		message_text(header, text, bytes);
	else if (!name)
		snprintf(text, bytes, "type 0x%02x", type);
	else if (type == TLP_CPLD)
		snprintf(text, bytes, "%s tag %u %u bytes%s", name, tlp_tag(header),
			 4 * tlp_length(header), poisoned);
	else if (type == TLP_CPL)
		snprintf(text, bytes, "%s tag %u %s", name, tlp_tag(header),
			 status_name(tlp_completion_status(header)));
	else if (type == TLP_CFGRD0 || type == TLP_CFGWR0)
		snprintf(text, bytes, "%s 0x%03x tag %u%s", name, header[2] & 0xffc,
			 tlp_tag(header), poisoned);
	else
		snprintf(text, bytes, "%s 0x%" PRIx64 " %u bytes tag %u%s", name,
			 tlp_first_byte(header), tlp_request_bytes(header), tlp_tag(header),
			 poisoned);
}

/* 0, or -1: a digit is unknown (x, z) or missing */
static int parse_header(const char *line, uint32_t *header)
{
	const char *digits = "0123456789abcdef";
	size_t i;

	if (strlen(line) != HEADER_DIGITS ||
	    strspn(line, "0123456789abcdefABCDEF") != HEADER_DIGITS)
		return -1;
	memset(header, 0, TLP_HEADER_WORDS * sizeof(*header));
	for (i = 0; i < HEADER_DIGITS; i++)
		header[i / 8] =
			header[i / 8] << 4 | (uint32_t)(strchr(digits, line[i] | 0x20) - digits);
	return 0;
}

int rf_main_tlp(int argc, char **argv)
{
	const struct rf_option options[] = { { 0 } };
	char line[256], text[RF_TLP_TEXT_BYTES];
	uint32_t header[TLP_HEADER_WORDS];

	if (rf_parse_arguments(argc, argv, usage, options))
		return 2;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\r\n")] = 0;
		if (parse_header(line, header))
			snprintf(text, sizeof(text), "%.40s", line); /* as it is */
		else
			rf_tlp_text(header, text, sizeof(text));
		puts(text);
		fflush(stdout); /* the other side waits for it */
	}
	return 0;
}
