// SPDX-License-Identifier: Apache-2.0
/*
 * The numbers of a dump as text. What a number means follows from its name, as rtl/ringfence.toml
 * and kmd/core/entry/dump.c have it.
 */
#include "dump_text.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "quantity.h"
#include "ringfence.h"

struct printer {
	FILE *output;
	uint64_t hz;
};

typedef void print_fn(const struct printer *printer, uint64_t number);

static void print_decimal(const struct printer *printer, uint64_t number)
{
	fprintf(printer->output, "%" PRIu64, number);
}

static void print_address(const struct printer *printer, uint64_t number)
{
	fprintf(printer->output, "0x%" PRIx64, number);
}

static void print_cycles(const struct printer *printer, uint64_t number)
{
	char text[2 * RF_QUANTITY_BYTES];

	fputs(rf_cycles_text(text, sizeof(text), number, printer->hz), printer->output);
}

static void print_ns(const struct printer *printer, uint64_t number)
{
	char text[RF_QUANTITY_BYTES];

	fputs(rf_time_text(text, sizeof(text), (double)number), printer->output);
}

static void print_bytes(const struct printer *printer, uint64_t number)
{
	char text[RF_QUANTITY_BYTES];

	fputs(rf_bytes_text(text, sizeof(text), number), printer->output);
}

static void print_log2_bytes(const struct printer *printer, uint64_t number)
{
	fprintf(printer->output, "%" PRIu64 " (", number);
	print_bytes(printer, 1ull << (number & 63));
	fputc(')', printer->output);
}

static void print_frequency(const struct printer *printer, uint64_t number)
{
	char text[RF_QUANTITY_BYTES];

	fputs(rf_frequency_text(text, sizeof(text), number), printer->output);
}

static void print_words(const struct printer *printer, uint64_t number)
{
	fprintf(printer->output, "%" PRIu64 " (", number);
	print_bytes(printer, 8 * number);
	fputc(')', printer->output);
}

static void print_slots(const struct printer *printer, uint64_t number)
{
	const char *separator = "slot";
	unsigned int i;

	for (i = 0; i < 64; i++) {
		if (!(number >> i & 1))
			continue;
		fprintf(printer->output, "%s %u", separator, i);
		separator = ",";
	}
}

static void print_monitored(const struct printer *printer, uint64_t number)
{
	if (number == UINT64_MAX)
		fputs("none: no CPU waits", printer->output);
	else
		print_decimal(printer, number);
}

static void print_error(const struct printer *printer, uint64_t number)
{
	fprintf(printer->output, "%" PRIu64 " (%s)", number,
		rf_queue_error_string((uint32_t)number));
}

/* The first that fits: @parent is a name of what the number is in, or NULL for any. */
static const struct {
	const char *parent;
	const char *ending;
	print_fn *print;
} rules[] = {
	{ "fence", "waiting", print_slots },
	{ "wait_stages", "", print_slots },
	{ "stages", "busy", print_slots },
	{ "stages", "failed", print_slots },
	{ NULL, "timestamp_hz", print_frequency },
	{ NULL, "timestamp", print_cycles },
	{ NULL, "wait_observed", print_cycles },
	{ NULL, "completion_timeout", print_cycles },
	{ NULL, "cycles", print_cycles },
	{ NULL, "quantum_left", print_cycles },
	{ NULL, "tdr_delay", print_ns },
	{ NULL, "_ns", print_ns },
	{ NULL, "bytes", print_bytes },
	{ NULL, "memory_log2", print_log2_bytes },
	{ NULL, "words", print_words },
	{ NULL, "monitored_value", print_monitored },
	{ "queues", "error", print_error },
	{ NULL, "address", print_address },
	{ NULL, "base", print_address },
	{ NULL, "place", print_address },
	{ NULL, "virtual", print_address },
	{ NULL, "physical", print_address },
	{ NULL, "page", print_address },
	{ NULL, "scratch", print_address },
	{ NULL, "correlation", print_address },
	{ NULL, "update_current", print_address },
	{ NULL, "update_monitored", print_address },
	{ NULL, "invalidate", print_address },
	{ NULL, "invalidate_first", print_address },
	{ NULL, "invalidate_last", print_address },
	{ NULL, "", print_decimal },
};

static print_fn *rule(const char *parent, const char *name)
{
	size_t length = strlen(name), ending, i = 0;

	for (;; i++) {
		ending = strlen(rules[i].ending);
		if (ending <= length && !strcmp(name + length - ending, rules[i].ending) &&
		    (!rules[i].parent || !strcmp(rules[i].parent, parent)))
			return rules[i].print;
	}
}

/* Of the numbers in it, none that is not 0; a state that has a name counts as one. */
static bool is_empty(struct json_object *value)
{
	size_t i;

	switch (json_object_get_type(value)) {
	case json_type_object:
		json_object_object_foreach(value, name, member)
		{
			(void)name;
			if (!is_empty(member))
				return false;
		}
		return true;
	case json_type_array:
		for (i = 0; i < json_object_array_length(value); i++)
			if (!is_empty(json_object_array_get_idx(value, i)))
				return false;
		return true;
	case json_type_string:
		return !strcmp(json_object_get_string(value), "none") ||
		       !strcmp(json_object_get_string(value), "disabled");
	default:
		return !json_object_get_uint64(value);
	}
}

static void print_value(const struct printer *printer, struct json_object *value,
			const char *parent, const char *name, int depth);

static void print_list(const struct printer *printer, struct json_object *list, const char *name,
		       int depth)
{
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++) {
		struct json_object *element = json_object_array_get_idx(list, i);
		char number[24];

		snprintf(number, sizeof(number), "%zu", i);
		print_value(printer, element, name, number, depth);
	}
}

static void print_value(const struct printer *printer, struct json_object *value,
			const char *parent, const char *name, int depth)
{
	const char *inside = name[0] >= '0' && name[0] <= '9' ? parent : name;

	if (is_empty(value))
		return;
	fprintf(printer->output, "%*s%s", 2 * depth, "", name);
	switch (json_object_get_type(value)) {
	case json_type_object:
		fputc('\n', printer->output);
		json_object_object_foreach(value, member_name, member)
			print_value(printer, member, inside, member_name, depth + 1);
		break;
	case json_type_array:
		fputc('\n', printer->output);
		print_list(printer, value, name, depth + 1);
		break;
	case json_type_string:
		fprintf(printer->output, " %s\n", json_object_get_string(value));
		break;
	default:
		fputc(' ', printer->output);
		rule(parent, name)(printer, json_object_get_uint64(value));
		fputc('\n', printer->output);
	}
}

void rf_print_dump(struct json_object *dump, FILE *output)
{
	struct printer printer = { .output = output };
	struct json_object *hz;

	/* devices of one dump have one clock */
	if (!json_pointer_get(dump, "/device/device/timestamp_hz", &hz) ||
	    !json_pointer_get(dump, "/devices/0/device/device/timestamp_hz", &hz))
		printer.hz = json_object_get_uint64(hz);
	if (printer.hz == UINT64_MAX)
		printer.hz = 0; /* the device does not respond */
	json_object_object_foreach(dump, name, member) print_value(&printer, member, "", name, 0);
}
