// SPDX-License-Identifier: Apache-2.0
/*
 * The parser of device strings. Words are separated by commas; a backslash takes the next
 * character as it is. Every word is looked up in one of two tables: numbers of the root port, and
 * words with a function of their own. A problem is reported once, for the first wrong word.
 */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_string.h"
#include "number.h"

/**
 * struct parser - the state while a text is parsed
 * @string: what it says
 * @problem: receives the line; empty: none so far
 * @word: the present word, as it was written
 * @given: names that were given, by their place in the tables
 */
struct parser {
	struct rfsim_string *string;
	char *problem;
	const char *word;
	uint32_t given;
	unsigned int device; /* of the fault or hold that is taken */
	unsigned int highest; /* of all of them, and the word that names it */
	const char *highest_name;
};

static int __attribute__((format(printf, 2, 3)))
wrong(struct parser *parser, const char *format, ...)
{
	va_list arguments;
	int used = snprintf(parser->problem, RFSIM_STRING_PROBLEM, "'%.120s': ", parser->word);

	va_start(arguments, format);
	vsnprintf(parser->problem + used, (size_t)(RFSIM_STRING_PROBLEM - used), format, arguments);
	va_end(arguments);
	return -EINVAL;
}

/* --- numbers and ranges ------------------------------------------------------------------- */

/* A number of [least, most]. */
static int take_number(struct parser *parser, const char *text, uint64_t least, uint64_t most,
		       uint64_t *number)
{
	int error = rf_number(text, number);

	if (error == -ERANGE)
		return wrong(parser, "%s does not fit 64 bits", text);
	if (error)
		return wrong(parser, "'%s' is not a number; write it as 12 or 0xc", text);
	if (*number < least || *number > most) {
		if (most == UINT64_MAX)
			return wrong(parser, "%s is too small; the least is %llu", text,
				     (unsigned long long)least);
		return wrong(parser, "%s is not from %llu to %llu", text, (unsigned long long)least,
			     (unsigned long long)most);
	}
	return 0;
}

/* "A", "A..B" or, if @open, "A..", which ends at @most. */
static int take_range(struct parser *parser, char *text, uint64_t least, uint64_t most, bool open,
		      uint64_t *first, uint64_t *last)
{
	char *dots = strstr(text, "..");
	int error;

	if (!dots) {
		error = take_number(parser, text, least, most, first);
		*last = *first;
		return error;
	}
	*dots = 0;
	error = take_number(parser, text, least, most, first);
	if (error)
		return error;
	if (open && !dots[2]) {
		*last = most;
		return 0;
	}
	error = take_number(parser, dots + 2, least, most, last);
	if (!error && *last < *first)
		return wrong(parser, "%llu..%llu is backwards; the smaller number comes first",
			     (unsigned long long)*first, (unsigned long long)*last);
	return error;
}

/* Ordinals, counted from 1: "N", "N..M", "N.."; NULL: all. */
static int take_ordinals(struct parser *parser, char *text, uint64_t *first, uint64_t *last)
{
	if (!text) {
		*first = 1;
		*last = UINT64_MAX;
		return 0;
	}
	return take_range(parser, text, 1, UINT64_MAX, true, first, last);
}

/* Cut @text at the first @mark; what is behind it, or NULL. */
static char *cut(char *text, char mark)
{
	char *found = strchr(text, mark);

	if (found)
		*found++ = 0;
	return found;
}

/* --- names ---------------------------------------------------------------------------------- */

struct name {
	const char *text;
	int value;
};

static const struct name events[] = {
	{ "ring", RFSIM_EVENT_RING },
	{ "msi", RFSIM_EVENT_MSI },
	{ "read", RFSIM_EVENT_READ },
	{ "signal", RFSIM_EVENT_SIGNAL },
	{ "wait", RFSIM_EVENT_WAIT },
	{ "release", RFSIM_EVENT_RELEASE },
	{ "compute", RFSIM_EVENT_COMPUTE },
	{ "copy", RFSIM_EVENT_COPY },
	{ NULL, 0 },
};

static const struct name held[] = {
	{ "ring", RFSIM_HOLD_RING },
	{ "msi", RFSIM_HOLD_MSI },
	{ "completion", RFSIM_HOLD_COMPLETION },
	{ NULL, 0 },
};

static const struct name read_faults[] = {
	{ "unsupported", RFSIM_FAULT_UNSUPPORTED }, { "abort", RFSIM_FAULT_ABORT },
	{ "poisoned", RFSIM_FAULT_POISONED },	    { "completion-timeout", RFSIM_FAULT_SILENCE },
	{ "link-down", RFSIM_FAULT_LINK_DOWN },	    { NULL, 0 },
};

/* Nodes as in ringfence.toml: 0 computes, 1 copies. */
static const struct name nodes[] = { { "compute", 0 }, { "copy", 1 }, { NULL, 0 } };

static const struct name *find(const struct name *names, const char *text)
{
	for (; names->text; names++)
		if (!strcmp(names->text, text))
			return names;
	return NULL;
}

/* --- which device ------------------------------------------------------------------------------- */

/* "N/" before a fault or a hold: of device N. What follows it; NULL: it is wrong. */
static char *take_rule_device(struct parser *parser, char *value, const char *name)
{
	char *rule = cut(value, '/');
	uint64_t number;

	parser->device = 0;
	if (!rule)
		return value;
	if (take_number(parser, value, 0, RFSIM_STRING_DEVICES - 1, &number))
		return NULL;
	parser->device = (unsigned int)number;
	if (parser->device > parser->highest) {
		parser->highest = parser->device;
		parser->highest_name = name;
	}
	return rule;
}

/* --- faults --------------------------------------------------------------------------------- */

#define FAULT_FORMS                                                                            \
	"a fault is KIND@read[:N], KIND@ADDRESS..ADDRESS[:N] with KIND unsupported, abort, "   \
	"poisoned, completion-timeout or link-down; link-down@cycle:FIRST[..LAST]; "           \
	"lose-msi@N; or engine-hang@copy[:N], engine-hang@compute[:N]; of device 1 it begins " \
	"with 1/"

/* A rule for the device of the word; NULL: there are as many of its kind as there may be. */
static struct rfsim_string_rule *new_rule(struct parser *parser, enum rfsim_string_rule_kind kind)
{
	static const char *const names[] = {
		[RFSIM_STRING_FAULT] = "faults of reads",
		[RFSIM_STRING_HOLD] = "holds and lost MSIs",
		[RFSIM_STRING_HANG] = "engines that hang",
		[RFSIM_STRING_CUT] = "cuts of the link",
	};
	struct rfsim_string *string = parser->string;
	unsigned int i, count = 0;
	struct rfsim_string_rule *rule;

	for (i = 0; i < string->rule_count; i++)
		count += string->rules[i].kind == kind;
	if (count == RFSIM_STRING_RULES) {
		wrong(parser, "at most %d %s", RFSIM_STRING_RULES, names[kind]);
		return NULL;
	}
	rule = &string->rules[string->rule_count++];
	*rule = (struct rfsim_string_rule){ .kind = kind, .device = parser->device };
	return rule;
}

static int take_lost_msi(struct parser *parser, char *where)
{
	struct rfsim_string_rule *rule = new_rule(parser, RFSIM_STRING_HOLD);

	if (!rule)
		return -EINVAL;
	rule->hold = (struct rfsim_hold){ .what = RFSIM_HOLD_MSI, .until = RFSIM_UNTIL_NEVER };
	return take_ordinals(parser, where, &rule->hold.first, &rule->hold.last);
}

static int take_hang(struct parser *parser, char *where)
{
	char *number = cut(where, ':');
	const struct name *node = find(nodes, where);
	struct rfsim_string_rule *rule;

	if (!node)
		return wrong(parser, "there is no engine '%s'; there are copy and compute", where);
	rule = new_rule(parser, RFSIM_STRING_HANG);
	if (!rule)
		return -EINVAL;
	rule->hang = (struct rfsim_engine_hang){ .node = (unsigned int)node->value, .number = 1 };
	return number ? take_number(parser, number, 1, UINT64_MAX, &rule->hang.number) : 0;
}

static int take_cut(struct parser *parser, char *cycles)
{
	struct rfsim_string_rule *rule = new_rule(parser, RFSIM_STRING_CUT);
	bool forever = !strstr(cycles, "..");
	int error;

	if (!rule)
		return -EINVAL;
	error = take_range(parser, cycles, 0, UINT64_MAX, true, &rule->cut.first, &rule->cut.last);
	if (forever)
		rule->cut.last = UINT64_MAX;
	return error;
}

static int take_read_fault(struct parser *parser, enum rfsim_fault_kind kind, char *where)
{
	struct rfsim_string_rule *rule = new_rule(parser, RFSIM_STRING_FAULT);
	char *ordinals = cut(where, ':');
	struct rfsim_fault *fault;
	uint64_t first, last;
	int error;

	if (!rule)
		return -EINVAL;
	fault = &rule->fault;
	*fault = (struct rfsim_fault){ .kind = kind, .last = UINT64_MAX };
	if (strcmp(where, "read")) {
		if (where[0] < '0' || where[0] > '9')
			return wrong(parser, FAULT_FORMS);
		error = take_range(parser, where, 0, UINT64_MAX, false, &fault->first,
				   &fault->last);
		if (error)
			return error;
	}
	error = take_ordinals(parser, ordinals, &first, &last);
	if (error)
		return error;
	fault->skip = first - 1;
	fault->count = last == UINT64_MAX ? 0 : last - first + 1;
	return 0;
}

static int take_fault(struct parser *parser, char *value)
{
	const struct name *kind;
	char *where;

	value = take_rule_device(parser, value, "fault");
	if (!value)
		return -EINVAL;
	where = cut(value, '@');
	kind = find(read_faults, value);
	if (!strcmp(value, "lose-msi"))
		return take_lost_msi(parser, where);
	if (!where)
		return wrong(parser, FAULT_FORMS);
	if (!strcmp(value, "engine-hang"))
		return take_hang(parser, where);
	if (!kind)
		return wrong(parser, FAULT_FORMS);
	if (kind->value == RFSIM_FAULT_LINK_DOWN && !strncmp(where, "cycle:", 6))
		return take_cut(parser, where + 6);
	return take_read_fault(parser, (enum rfsim_fault_kind)kind->value, where);
}

/* --- holds ------------------------------------------------------------------------------------ */

#define HOLD_FORMS                                                                           \
	"a hold is ring@N, msi@N or completion@N, N also N..M or N.., and then until when: " \
	":+CYCLES, :cycle@CYCLE, :EVENT@N or :EVENT@N+CYCLES with EVENT ring, msi, read, "   \
	"signal, wait, release, copy or compute, or :idle, which is meant without it; of "   \
	"device 1 it begins with 1/"

/* "EVENT@N" or "EVENT@N+CYCLES" */
static int take_event(struct parser *parser, char *text, struct rfsim_hold *hold)
{
	char *number = cut(text, '@');
	char *cycles = number ? cut(number, '+') : NULL;
	const struct name *event = find(events, text);
	int error;

	if (!event || !number)
		return wrong(parser, HOLD_FORMS);
	hold->until = RFSIM_UNTIL_EVENT;
	hold->event = (enum rfsim_event)event->value;
	error = take_number(parser, number, 1, UINT64_MAX, &hold->number);
	if (!error && cycles)
		error = take_number(parser, cycles, 0, UINT64_MAX, &hold->cycles);
	return error;
}

static int take_until(struct parser *parser, char *until, struct rfsim_hold *hold)
{
	if (!until || !strcmp(until, "idle")) {
		if (hold->what == RFSIM_HOLD_COMPLETION)
			return wrong(parser,
				     "the device is not idle while it waits for a completion; say "
				     "until when, as in completion@3:+500");
		hold->until = RFSIM_UNTIL_IDLE;
		return 0;
	}
	if (*until == '+') {
		hold->until = RFSIM_UNTIL_AFTER;
		return take_number(parser, until + 1, 1, UINT64_MAX, &hold->cycles);
	}
	if (!strncmp(until, "cycle@", 6)) {
		hold->until = RFSIM_UNTIL_CYCLE;
		return take_number(parser, until + 6, 0, UINT64_MAX, &hold->cycles);
	}
	return take_event(parser, until, hold);
}

static int take_hold(struct parser *parser, char *value)
{
	char *until, *ordinals;
	const struct name *what;
	struct rfsim_string_rule *rule;
	int error;

	value = take_rule_device(parser, value, "hold");
	if (!value)
		return -EINVAL;
	until = cut(value, ':');
	ordinals = cut(value, '@');
	what = find(held, value);
	if (!what)
		return wrong(parser, HOLD_FORMS);
	rule = new_rule(parser, RFSIM_STRING_HOLD);
	if (!rule)
		return -EINVAL;
	rule->hold = (struct rfsim_hold){ .what = (enum rfsim_held)what->value };
	error = take_ordinals(parser, ordinals, &rule->hold.first, &rule->hold.last);
	return error ? error : take_until(parser, until, &rule->hold);
}

/* --- other words ------------------------------------------------------------------------------ */

/* "seed" and "random" were taken in the first pass. */
static int taken_already(struct parser *parser, char *value)
{
	(void)parser;
	(void)value;
	return 0;
}

static int take_assertions(struct parser *parser, char *value)
{
	(void)value;
	parser->string->config.assertions = true;
	return 0;
}

static int take_device(struct parser *parser, char *value)
{
	uint64_t number;
	int error = take_number(parser, value, 0, RFSIM_STRING_DEVICES - 1, &number);

	parser->string->device_given = true;
	if (!error)
		parser->string->device = (unsigned int)number;
	return error;
}

static int take_devices(struct parser *parser, char *value)
{
	uint64_t number;
	int error = take_number(parser, value, 1, RFSIM_STRING_DEVICES, &number);

	if (!error)
		parser->string->devices = (unsigned int)number;
	return error;
}

static int take_link(struct parser *parser, char *value)
{
	if (strcmp(value, "gen1x1"))
		return wrong(parser, "there is no link '%s'; there is gen1x1", value);
	parser->string->config.link = RFSIM_LINK_GEN1X1;
	return 0;
}

static int take_link_errors(struct parser *parser, char *value)
{
	uint64_t number;
	int error = take_number(parser, value, RFSIM_LINK_ERRORS_LEAST, UINT32_MAX, &number);

	if (!error)
		parser->string->config.link_errors = (uint32_t)number;
	return error;
}

static int take_host_timeout(struct parser *parser, char *value)
{
	return take_number(parser, value, 1, UINT64_MAX, &parser->string->config.host_timeout);
}

static int take_path(struct parser *parser, const char *value, char path[RFSIM_STRING_PATH])
{
	if (!*value)
		return wrong(parser, "the name of a file is missing");
	if (strlen(value) >= RFSIM_STRING_PATH)
		return wrong(parser, "the name of the file is too long; at most %d bytes",
			     RFSIM_STRING_PATH - 1);
	strcpy(path, value);
	return 0;
}

static int take_wave(struct parser *parser, char *value)
{
	return take_path(parser, value, parser->string->wave);
}

static int take_record(struct parser *parser, char *value)
{
	return take_path(parser, value, parser->string->record);
}

static int take_timeline(struct parser *parser, char *value)
{
	return take_path(parser, value, parser->string->timeline);
}

static int take_page(struct parser *parser, char *value)
{
	return take_path(parser, value, parser->string->page);
}

/**
 * struct special - a word with a function of its own
 * @many: may be given more than once
 * @bare: has no value
 */
static const struct special {
	const char *name;
	int (*take)(struct parser *parser, char *value);
	bool many, bare;
} specials[] = {
	{ "seed", taken_already, false, false },
	{ "random", taken_already, false, true },
	{ "host-timeout", take_host_timeout, false, false },
	{ "device", take_device, false, false },
	{ "devices", take_devices, false, false },
	{ "link", take_link, false, false },
	{ "link-errors", take_link_errors, false, false },
	{ "assertions", take_assertions, false, true },
	{ "fault", take_fault, true, false },
	{ "hold", take_hold, true, false },
	{ "wave", take_wave, false, false },
	{ "timeline", take_timeline, false, false },
	{ "page", take_page, false, false },
	{ "record", take_record, false, false },
};

#define SPECIALS (sizeof(specials) / sizeof(specials[0]))

/* --- numbers of the root port ------------------------------------------------------------------- */

#define MEMBER(name) offsetof(struct rfsim_port_config, name)

/**
 * struct knob - a number of struct rfsim_port_config, or a range
 * @first: where it goes
 * @last: where the end of the range goes, or a second place for the same number; else @first
 * @least, @most: what is allowed
 * @range: may be written A..B
 * @power: has to be a power of two
 */
static const struct knob {
	const char *name;
	size_t first, last;
	uint32_t least, most;
	bool range, power;
} knobs[] = {
	{ "read-latency", MEMBER(read_latency_min), MEMBER(read_latency_max), 0, 100000, true,
	  false },
	{ "read-early", MEMBER(read_early_percent), MEMBER(read_early_percent), 0, 100, false,
	  false },
	{ "split", MEMBER(split_percent), MEMBER(split_percent), 0, 100, false, false },
	{ "reorder", MEMBER(reorder_percent), MEMBER(reorder_percent), 0, 100, false, false },
	{ "receive-gap", MEMBER(receive_gap_percent), MEMBER(receive_gap_percent), 0, 99, false,
	  false },
	{ "backpressure", MEMBER(posted_stall_percent), MEMBER(read_stall_percent), 0, 99, false,
	  false },
	{ "posted-stall", MEMBER(posted_stall_percent), MEMBER(posted_stall_percent), 0, 99, false,
	  false },
	{ "read-stall", MEMBER(read_stall_percent), MEMBER(read_stall_percent), 0, 99, false,
	  false },
	{ "mps", MEMBER(max_payload), MEMBER(max_payload), 128, 4096, false, true },
	{ "mrrs", MEMBER(max_read), MEMBER(max_read), 128, 4096, false, true },
	{ "rcb", MEMBER(completion_boundary), MEMBER(completion_boundary), 64, 128, false, true },
	{ "msi-delay", MEMBER(msi_delay_min), MEMBER(msi_delay_max), 0, 1000000, true, false },
	{ "peer-delay", MEMBER(peer_delay_min), MEMBER(peer_delay_max), 0, 1000000, true, false },
	{ "peer-off", MEMBER(peer_off), MEMBER(peer_off), 0, 1, false, false },
	{ "transmit-rate", MEMBER(transmit_rate), MEMBER(transmit_rate), 0, 65536, false, false },
	{ "receive-rate", MEMBER(receive_rate), MEMBER(receive_rate), 0, 65536, false, false },
};

#define KNOBS (sizeof(knobs) / sizeof(knobs[0]))

static int take_knob(struct parser *parser, const struct knob *knob, char *value)
{
	char *port = (char *)&parser->string->config.port;
	uint64_t first, last;
	int error;

	if (knob->range)
		error = take_range(parser, value, knob->least, knob->most, false, &first, &last);
	else
		error = take_number(parser, value, knob->least, knob->most, &first);
	if (error)
		return error;
	if (!knob->range)
		last = first;
	if (knob->power && first & (first - 1))
		return wrong(parser, "%s is not a power of two from %u to %u", value, knob->least,
			     knob->most);
	*(uint32_t *)(port + knob->first) = (uint32_t)first;
	*(uint32_t *)(port + knob->last) = (uint32_t)last;
	return 0;
}

/* --- words --------------------------------------------------------------------------------------- */

static const char *word_name(size_t i)
{
	return i < SPECIALS ? specials[i].name : knobs[i - SPECIALS].name;
}

/* How many characters have to be inserted, removed or replaced to get from one to the other. */
static unsigned int distance(const char *one, const char *other)
{
	unsigned int row[32], columns = (unsigned int)strlen(other), i, j;

	for (j = 0; j <= columns; j++)
		row[j] = j;
	for (i = 0; one[i] && i < 32; i++) {
		unsigned int corner = row[0];

		row[0] = i + 1;
		for (j = 1; j <= columns; j++) {
			unsigned int best = corner + (one[i] != other[j - 1]);

			corner = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[columns];
}

static int unknown(struct parser *parser, const char *name)
{
	char list[400] = "";
	size_t i, used = 0, nearest = 0;

	for (i = 0; i < SPECIALS + KNOBS; i++) {
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
					 word_name(i));
		if (distance(name, word_name(i)) < distance(name, word_name(nearest)))
			nearest = i;
	}
	if (distance(name, word_name(nearest)) <= 2)
		return wrong(parser, "there is no word '%.40s'; is %s meant?", name,
			     word_name(nearest));
	return wrong(parser, "there is no word '%.40s'; there are %s", name, list);
}

static int take_word(struct parser *parser, char *name, char *value)
{
	const struct special *special = NULL;
	size_t i;

	for (i = 0; i < SPECIALS + KNOBS; i++)
		if (!strcmp(word_name(i), name))
			break;
	if (i == SPECIALS + KNOBS)
		return unknown(parser, name);
	if (i < SPECIALS)
		special = &specials[i];
	if (!value && !(special && special->bare))
		return wrong(parser, "a value is missing, as in %s=...", name);
	if (value && special && special->bare)
		return wrong(parser, "%s has no value", name);
	if (parser->given & 1u << i && !(special && special->many))
		return wrong(parser, "%s is given twice", name);
	parser->given |= 1u << i;
	return special ? special->take(parser, value)
		       : take_knob(parser, &knobs[i - SPECIALS], value);
}

/*
 * The next word of *text, without its comma and without backslashes, in @word; *text moves behind
 * it, and is NULL behind the last.
 */
static void next_word(const char **text, char *word)
{
	const char *from = *text;

	while (*from && *from != ',') {
		if (*from == '\\' && from[1])
			from++;
		*word++ = *from++;
	}
	*word = 0;
	*text = *from ? from + 1 : NULL;
}

/* Seed and "random" hold wherever they stand, since everything else replaces what is drawn. */
static int first_pass(struct parser *parser, const char *text, char *word)
{
	struct rfsim_config *config = &parser->string->config;
	uint64_t seed = 1;
	bool random = false;
	int error = 0;

	while (text && !error) {
		next_word(&text, word);
		parser->word = word;
		if (!strncmp(word, "seed=", 5))
			error = take_number(parser, word + 5, 0, UINT64_MAX, &seed);
		random |= !strcmp(word, "random");
	}
	if (random)
		rfsim_config_random(config, seed);
	else
		rfsim_config_init(config);
	config->seed = seed;
	return error;
}

static bool names_file(const char *name)
{
	return !strcmp(name, "wave") || !strcmp(name, "timeline") || !strcmp(name, "page") ||
	       !strcmp(name, "record");
}

/* Of words that name no file none has a comma or a backslash. */
static int keep_word(struct parser *parser, const char *word)
{
	char *text = parser->string->text;
	size_t used = strlen(text);

	if (used + strlen(word) + 2 > RFSIM_STRING_TEXT)
		return wrong(parser, "the string is too long; at most %d bytes without its files",
			     RFSIM_STRING_TEXT - 1);
	snprintf(text + used, RFSIM_STRING_TEXT - used, "%s%s",
		 used > strlen(RFSIM_STRING_PREFIX) ? "," : "", word);
	return 0;
}

static int second_pass(struct parser *parser, const char *text, char *word, char *written)
{
	int error = 0;

	while (text && !error) {
		next_word(&text, word);
		strcpy(written, word);
		parser->word = written;
		error = *word ? take_word(parser, word, cut(word, '='))
			      : wrong(parser, "a word is missing between commas, or at the end");
		if (!error && !names_file(word))
			error = keep_word(parser, written);
	}
	return error;
}

/* Words that have to fit each other. Without "devices=" a world grows (docs/device-string.md). */
static int check_devices(struct parser *parser)
{
	struct rfsim_string *string = parser->string;

	if (string->devices && string->device >= string->devices) {
		parser->word = "device";
		return wrong(parser, "%u is not a device of devices=%u; they are counted from 0",
			     string->device, string->devices);
	}
	if (!string->devices)
		string->devices = 1;
	if (parser->highest >= string->devices) {
		parser->word = parser->highest_name;
		return wrong(parser, "there is no device %u; say devices=%u", parser->highest,
			     parser->highest + 1);
	}
	return 0;
}

/* What a device behind a link cannot do, and what only a link has. */
static int check_link(struct parser *parser)
{
	const struct rfsim_string *string = parser->string;

	if (string->config.link_errors && !string->config.link) {
		parser->word = "link-errors";
		return wrong(parser, "there is no link; say link=gen1x1, too");
	}
	if (string->config.link && *string->wave) {
		parser->word = "wave";
		return wrong(parser, "a device behind a link writes no wave; leave out wave= or "
				     "link=; timeline= and page= show what it does");
	}
	return 0;
}

int rfsim_string_parse(const char *text, struct rfsim_string *string,
		       char problem[RFSIM_STRING_PROBLEM])
{
	struct parser parser = { .string = string, .problem = problem, .word = text };
	char *word, *written;
	int error;

	memset(string, 0, sizeof(*string));
	*problem = 0;
	if (strncmp(text, RFSIM_STRING_PREFIX, strlen(RFSIM_STRING_PREFIX)))
		return wrong(&parser, "a simulated device begins with sim:");
	strcpy(string->text, RFSIM_STRING_PREFIX);
	text += strlen(RFSIM_STRING_PREFIX);
	if (!*text)
		text = NULL;
	word = malloc(2 * (text ? strlen(text) : 0) + 2);
	if (!word) {
		snprintf(problem, RFSIM_STRING_PROBLEM, "no memory");
		return -ENOMEM;
	}
	written = word + (text ? strlen(text) : 0) + 1;
	error = first_pass(&parser, text, word);
	if (!error)
		error = second_pass(&parser, text, word, written);
	if (!error)
		error = check_devices(&parser);
	if (!error)
		error = check_link(&parser);
	free(word);
	return error;
}

/* The end of the first word of @text: its comma, or the end of @text. */
static const char *word_end(const char *text)
{
	while (*text && *text != ',')
		text += *text == '\\' && text[1] ? 2 : 1;
	return text;
}

void rfsim_string_world(const char *text, char *world)
{
	const char *from = text + strlen(RFSIM_STRING_PREFIX);
	bool first = true;

	world = stpcpy(world, RFSIM_STRING_PREFIX);
	for (;;) {
		const char *end = word_end(from);

		if (strncmp(from, "device=", strlen("device="))) {
			if (!first)
				*world++ = ',';
			memcpy(world, from, (size_t)(end - from));
			world += end - from;
			first = false;
		}
		if (!*end)
			break;
		from = end + 1;
	}
	*world = 0;
}

/* Before the ending of the name, by which viewers know the format. */
void rfsim_string_wave(const struct rfsim_string *string, unsigned int device,
		       char path[RFSIM_STRING_WAVE])
{
	const char *dot = strrchr(string->wave, '.'), *slash = strrchr(string->wave, '/');
	size_t stem = strlen(string->wave);

	if (dot && dot > (slash ? slash + 1 : string->wave))
		stem = (size_t)(dot - string->wave);
	if (device)
		snprintf(path, RFSIM_STRING_WAVE, "%.*s.%u%s", (int)stem, string->wave, device,
			 string->wave + stem);
	else
		snprintf(path, RFSIM_STRING_WAVE, "%s", string->wave);
}
