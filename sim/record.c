// SPDX-License-Identifier: Apache-2.0
/* Records of runs, and their replay. Both write the same line for a TLP; a replay compares them. */
#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "ringfence_hw.h"

#define FIRST_LINE "ringfence-record 1\n"
/* A line with the largest payload */
#define LINE_BYTES (128 + 9 * TLP_MAX_PAYLOAD_WORDS)

/* --- lines ---------------------------------------------------------------- */

static const char *kind_name(const struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	const uint32_t *header = tlp->header;
	uint64_t offset = tlp_address(header) - device->bars[0].address;

	if (tlp_is_completion(header))
		return "completion";
	if (tlp_is_memory_write(header)) {
		if (tlp->stream == RFSIM_POSTED)
			return tlp_address(header) - RFSIM_MSI_BASE < RFSIM_MSI_BYTES ? "msi"
										      : "write";
		return device->bars[0].bytes && offset >= RF_DOORBELL_BASE &&
				       offset < device->bars[0].bytes
			       ? "ring"
			       : "write";
	}
	if (tlp_is_memory_read(header))
		return "read";
	switch (tlp_type(header)) {
	case TLP_CFGRD0:
		return "config-read";
	case TLP_CFGWR0:
		return "config-write";
	}
	return "other";
}

/* FNV-1a: of what the device sends the payload is only compared. */
static uint64_t hash(const uint32_t *words, unsigned int count)
{
	const uint8_t *bytes = (const uint8_t *)words;
	uint64_t value = 0xcbf29ce484222325ull;
	size_t i;

	for (i = 0; i < 4ull * count; i++)
		value = (value ^ bytes[i]) * 0x100000001b3ull;
	return value;
}

/* With its newline. */
static void make_line(const struct rfsim_device *device, const struct rfsim_tlp *tlp, char *line)
{
	const struct outgoing *out = &device->out;
	const uint32_t *header = tlp->header;
	unsigned int i;

	if (tlp->stream == RFSIM_RECEIVE)
		line += sprintf(line, "> %" PRIu64 " %" PRIu64 " %s%s", out->taken, tlp->last_cycle,
				kind_name(device, tlp), out->link_error ? "!" : "");
	else
		line += sprintf(line, "< %" PRIu64 " %" PRIu64 " %s", tlp->first_cycle,
				tlp->last_cycle, kind_name(device, tlp));
	for (i = 0; i < TLP_HEADER_WORDS; i++)
		line += sprintf(line, " %08" PRIx32, header[i]);
	if (tlp->stream == RFSIM_RECEIVE) {
		for (i = 0; i < tlp->words; i++)
			line += sprintf(line, " %08" PRIx32, tlp->payload[i]);
	} else if (tlp->words) {
		line += sprintf(line, " %016" PRIx64, hash(tlp->payload, tlp->words));
	}
	strcpy(line, "\n");
}

/* --- recording ------------------------------------------------------------ */

struct rfsim_record {
	struct observer observer;
	struct rfsim_device *device;
	FILE *file;
	bool bars; /* were told */
	char line[LINE_BYTES];
};

static void tell_bars(struct rfsim_record *record)
{
	const struct rfsim_bar *bar = &record->device->bars[0];

	if (record->bars || !record->device->enumerated)
		return;
	record->bars = true;
	fprintf(record->file, "bar 0x%" PRIx64 " 0x%" PRIx64 "\n", bar->address, bar->bytes);
}

static void record_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct rfsim_record *record = context;

	tell_bars(record);
	make_line(device, tlp, record->line);
	fputs(record->line, record->file);
}

static void record_link(void *context, uint64_t cycle, bool up)
{
	struct rfsim_record *record = context;

	fprintf(record->file, "link %" PRIu64 " %s\n", cycle, up ? "up" : "down");
}

/* The command line, in one line. */
static void tell_program(FILE *file)
{
	FILE *arguments = fopen("/proc/self/cmdline", "re");
	int byte;

	fputs("program", file);
	if (arguments) {
		fputc(' ', file);
		while ((byte = fgetc(arguments)) != EOF)
			fputc(byte < ' ' ? ' ' : byte, file);
		fclose(arguments);
	}
	fputc('\n', file);
}

struct rfsim_record *rfsim_record_create(struct rfsim_device *device,
					 const struct rfsim_string *string, FILE *file)
{
	struct rfsim_record *record = malloc(sizeof(*record));

	if (!record)
		return NULL;
	record->device = device;
	record->file = file;
	record->bars = false;
	fprintf(file, FIRST_LINE "device %s\n", string->text);
	tell_program(file);
	record->observer =
		(struct observer){ .context = record, .tlp = record_tlp, .link = record_link };
	observer_add(device, &record->observer);
	return record;
}

void rfsim_record_destroy(struct rfsim_record *record)
{
	if (!record)
		return;
	observer_remove(record->device, &record->observer);
	fprintf(record->file, "end %" PRIu64 "\n", rfsim_cycle(record->device->world));
	free(record);
}

/* --- the file of a replay ------------------------------------------------- */

/**
 * struct replay - a replay that is under way
 * @lines: of the record, from the first TLP on, each with its newline
 * @count: how many there are
 * @next: the next one that the device's TLPs are compared with
 * @receive: the next one that may be for the device
 * @links: when the link goes up or down, in order
 * @link: the next one of these
 * @result: what is told of it
 */
struct replay {
	struct observer observer;
	char **lines;
	size_t count, capacity;
	size_t next, receive;
	struct replay_link {
		uint64_t cycle;
		bool up;
	} * links;
	size_t link_count, link;
	uint64_t end;
	struct rfsim_bar bar;
	struct rfsim_replay *result;
	char line[LINE_BYTES];
};

static int not_a_record(char *problem, const char *path, size_t line, const char *what)
{
	snprintf(problem, RFSIM_STRING_PROBLEM, "%.300s:%zu: %s", path, line, what);
	return -EINVAL;
}

/* Does a line of a TLP have all that it needs? */
static bool line_valid(const char *line)
{
	unsigned long long taken, last;
	unsigned int header[4], words = 0;
	char kind[16];
	int used = 0;

	if (sscanf(line + 1, " %llu %llu %15s %8x %8x %8x %8x%n", &taken, &last, kind, &header[0],
		   &header[1], &header[2], &header[3], &used) != 7)
		return false;
	if (line[0] == '<')
		return true;
	line += 1 + used;
	while (sscanf(line, " %8x%n", &header[0], &used) == 1) {
		line += used;
		words++;
	}
	return words <= TLP_MAX_PAYLOAD_WORDS && *line == '\n';
}

static int keep_line(struct replay *replay, const char *line)
{
	if (replay->count == replay->capacity) {
		size_t capacity = replay->capacity ? 2 * replay->capacity : 1024;
		char **grown = realloc(replay->lines, capacity * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		replay->lines = grown;
		replay->capacity = capacity;
	}
	replay->lines[replay->count] = strdup(line);
	return replay->lines[replay->count++] ? 0 : -ENOMEM;
}

static int keep_link(struct replay *replay, uint64_t cycle, const char *state)
{
	size_t bytes = (replay->link_count + 1) * sizeof(*replay->links);
	struct replay_link *grown = realloc(replay->links, bytes);

	if (!grown)
		return -ENOMEM;
	replay->links = grown;
	grown[replay->link_count++] = (struct replay_link){ cycle, !strcmp(state, "up") };
	return 0;
}

static int take_line(struct replay *replay, const char *line, bool *ended)
{
	unsigned long long first, bytes;
	char state[8];

	if (line[0] == '>' || line[0] == '<')
		return line_valid(line) ? keep_line(replay, line) : -EINVAL;
	if (!strncmp(line, "program", 7))
		return 0;
	if (sscanf(line, "bar %llx %llx", &first, &bytes) == 2) {
		replay->bar = (struct rfsim_bar){ first, bytes };
		return 0;
	}
	if (sscanf(line, "link %llu %7s", &first, state) == 2)
		return keep_link(replay, first, state);
	if (sscanf(line, "end %llu", &first) != 1)
		return -EINVAL;
	replay->end = first;
	*ended = true;
	return 0;
}

/* The program was killed, say: the record ends with its last line. */
static void cut_short(struct replay *replay)
{
	unsigned long long first, last = 0;

	if (replay->count)
		sscanf(replay->lines[replay->count - 1] + 1, "%llu %llu", &first, &last);
	replay->end = last + 1;
	replay->result->cut = true;
}

static int read_lines(struct replay *replay, FILE *file, const char *path, char *problem)
{
	struct rfsim_replay *result = replay->result;
	char *line = NULL;
	size_t size = 0, number = 2;
	bool ended = false;
	int error = 0;

	if (getline(&line, &size, file) < 0 || strcmp(line, FIRST_LINE))
		error = not_a_record(problem, path, 1,
				     "it is no record; record=FILE in a device string makes one");
	else if (getline(&line, &size, file) < 0 || strncmp(line, "device sim:", 11) ||
		 strlen(line) - 8 >= sizeof(result->string))
		error = not_a_record(problem, path, 2, "the device string is missing");
	else
		sprintf(result->string, "%.*s", (int)strcspn(line + 7, "\n"), line + 7);
	while (!error && !ended && getline(&line, &size, file) >= 0) {
		if (!strchr(line, '\n'))
			break; /* it was being written */
		number++;
		error = take_line(replay, line, &ended);
		if (error)
			not_a_record(problem, path, number,
				     error == -ENOMEM ? "no memory" : "the line is no TLP's");
	}
	if (!error && !ended)
		cut_short(replay);
	free(line);
	return error;
}

/* --- replaying ------------------------------------------------------------ */

static void differ(struct replay *replay, const char *now)
{
	const char *recorded =
		replay->next < replay->count ? replay->lines[replay->next] : "the end\n";

	if (*replay->result->difference)
		return;
	snprintf(replay->result->difference, sizeof(replay->result->difference),
		 "recorded '%.*s', now '%.*s'", (int)(strcspn(recorded, "\n") % 200), recorded,
		 (int)(strcspn(now, "\n") % 200), now);
}

static void compare(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct replay *replay = context;

	if (tlp->stream == RFSIM_RECEIVE)
		replay->result->received++;
	else
		replay->result->sent++;
	make_line(device, tlp, replay->line);
	if (replay->next == replay->count || strcmp(replay->lines[replay->next], replay->line))
		differ(replay, replay->line);
	else
		replay->next++;
}

bool replay_next(struct rfsim_device *device)
{
	struct replay *replay = device->replay;
	struct outgoing *out = &device->out;
	unsigned long long taken, last;
	const char *line;
	char kind[16];
	int used;

	while (replay->receive < replay->count && replay->lines[replay->receive][0] == '<')
		replay->receive++;
	if (replay->receive == replay->count)
		return false;
	line = replay->lines[replay->receive];
	sscanf(line, "> %llu %llu %15s%n", &taken, &last, kind, &used);
	if (taken > device->world->cycle)
		return false;
	replay->receive++;
	line += used;
	out->request = NULL;
	out->link_error = strchr(kind, '!');
	out->words = 0;
	for (used = 0; used < TLP_HEADER_WORDS; used++)
		out->header[used] = (uint32_t)strtoul(line, (char **)&line, 16);
	while (*line == ' ')
		out->payload[out->words++] = (uint32_t)strtoul(line, (char **)&line, 16);
	return true;
}

/* What the replayed device sends is for nobody: the record has the answers. */
static void run(struct replay *replay, struct rfsim_world *world, struct rfsim_device *device)
{
	replay->observer = (struct observer){ .context = replay, .tlp = compare };
	observer_add(device, &replay->observer);
	device->bars[0] = replay->bar;
	device->enumerated = true;
	device->replay = replay;
	while (rfsim_cycle(world) < replay->end && !*replay->result->difference) {
		while (replay->link < replay->link_count &&
		       replay->links[replay->link].cycle <= rfsim_cycle(world))
			rfsim_link_set(device, replay->links[replay->link++].up);
		rfsim_step(world, 1);
	}
	if (replay->next < replay->count)
		differ(replay, "the end\n");
	/* A wave shows what comes next. */
	if (*replay->result->difference)
		rfsim_step(world, 100);
	replay->result->cycles = rfsim_cycle(world);
	observer_remove(device, &replay->observer);
}

static int replay_device(struct replay *replay, const char *words, char *problem)
{
	struct rfsim_string *string = calloc(1, sizeof(*string));
	char text[4 * RFSIM_STRING_PATH];
	struct rfsim_device *device;
	struct rfsim_world *world;
	int error = string ? 0 : -ENOMEM;

	snprintf(text, sizeof(text), "%s%s%s", replay->result->string,
		 words && strcmp(replay->result->string, RFSIM_STRING_PREFIX) ? "," : "",
		 words ? words : "");
	if (!error)
		error = rfsim_string_parse(text, string, problem);
	if (error)
		goto free_string;
	string->fault_count = string->hold_count = string->cut_count = string->hang_count = 0;
	error = rfsim_string_create(string, &world, &device, problem);
	if (error)
		goto free_string;
	run(replay, world, device);
	error = rfsim_string_close(device, problem);
	rfsim_world_destroy(world);
free_string:
	free(string);
	return error;
}

int rfsim_replay(const char *path, const char *words, struct rfsim_replay *result,
		 char problem[RFSIM_STRING_PROBLEM])
{
	struct replay *replay = calloc(1, sizeof(*replay));
	FILE *file = fopen(path, "re");
	int error = 0;

	memset(result, 0, sizeof(*result));
	*problem = 0;
	if (!replay || !file) {
		error = file ? -ENOMEM : -errno;
		snprintf(problem, RFSIM_STRING_PROBLEM, "cannot read %.400s: %s", path,
			 strerror(-error));
	}
	if (!error) {
		replay->result = result;
		error = read_lines(replay, file, path, problem);
	}
	if (!error)
		error = replay_device(replay, words, problem);
	if (file)
		fclose(file);
	while (replay && replay->count)
		free(replay->lines[--replay->count]);
	if (replay) {
		free(replay->lines);
		free(replay->links);
	}
	free(replay);
	return error;
}
