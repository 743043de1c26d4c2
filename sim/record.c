// SPDX-License-Identifier: Apache-2.0
/* Records of runs, and their replay. Both write the same line for a TLP; a replay compares them. */
#define _GNU_SOURCE
#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "ringfence_hw.h"

#define FIRST_WORD "ringfence-record "
#define FIRST_LINE FIRST_WORD "2\n"
/* Of one device, whose number is in no line */
#define OLD_FIRST_LINE FIRST_WORD "1\n"
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
	case TLP_MSG_ROOT:
		switch (tlp_message_code(header)) {
		case TLP_ERR_COR:
			return "err-cor";
		case TLP_ERR_NONFATAL:
			return "err-nonfatal";
		case TLP_ERR_FATAL:
			return "err-fatal";
		}
	}
	return tlp_is_message(header) ? "message" : "other";
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
		line += sprintf(line, "> %u %" PRIu64 " %" PRIu64 " %s%s", device->index,
				out->taken, tlp->last_cycle, kind_name(device, tlp),
				out->link_error ? "!" : "");
	else
		line += sprintf(line, "< %u %" PRIu64 " %" PRIu64 " %s", device->index,
				tlp->first_cycle, tlp->last_cycle, kind_name(device, tlp));
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

/**
 * struct device_record - of one device
 * @record: that it is part of
 * @device: the device
 * @bars: they were told
 */
struct device_record {
	struct observer observer;
	struct rfsim_record *record;
	struct rfsim_device *device;
	bool bars;
};

struct rfsim_record {
	FILE *file;
	unsigned int count;
	struct device_record devices[RFSIM_STRING_DEVICES];
	char line[LINE_BYTES];
};

static const char *const link_names[] = {
	[OBSERVED_DOWN] = "down",
	[OBSERVED_UP] = "up",
	[OBSERVED_NEW] = "new",
};

static void tell_bars(struct device_record *of)
{
	const struct rfsim_bar *bar = &of->device->bars[0];

	if (of->bars || !of->device->enumerated)
		return;
	of->bars = true;
	fprintf(of->record->file, "bar %u 0x%" PRIx64 " 0x%" PRIx64 "\n", of->device->index,
		bar->address, bar->bytes);
}

static void record_tlp(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct device_record *of = context;

	tell_bars(of);
	make_line(device, tlp, of->record->line);
	fputs(of->record->line, of->record->file);
}

static void record_link(void *context, uint64_t cycle, enum observed_link link)
{
	const struct device_record *of = context;

	fprintf(of->record->file, "link %u %" PRIu64 " %s\n", of->device->index, cycle,
		link_names[link]);
}

static void record_device(struct rfsim_record *record, struct rfsim_device *device)
{
	struct device_record *of = &record->devices[record->count++];

	*of = (struct device_record){ .record = record, .device = device };
	of->observer = (struct observer){ .context = of, .tlp = record_tlp, .link = record_link };
	observer_add(device, &of->observer);
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

struct rfsim_record *rfsim_record_create(struct rfsim_world *world,
					 const struct rfsim_string *string, FILE *file)
{
	struct rfsim_record *record = malloc(sizeof(*record));
	unsigned int i;

	if (!record)
		return NULL;
	record->file = file;
	record->count = 0;
	fprintf(file, FIRST_LINE "device %s\n", string->text);
	tell_program(file);
	for (i = 0; i < string->devices; i++)
		record_device(record, rfsim_world_device(world, i));
	return record;
}

void rfsim_record_destroy(struct rfsim_record *record)
{
	unsigned int i;

	if (!record)
		return;
	for (i = 0; i < record->count; i++)
		observer_remove(record->devices[i].device, &record->devices[i].observer);
	fprintf(record->file, "end %" PRIu64 "\n", rfsim_cycle(record->devices[0].device->world));
	free(record);
}

/* --- the file of a replay ------------------------------------------------- */

struct replay_link {
	uint64_t cycle;
	enum observed_link link;
};

/**
 * struct device_replay - a replay of one device that is under way
 * @of: the replay that it is part of
 * @device: once it was made
 * @lines: of its record, from the first TLP on, each with its newline
 * @count: how many there are
 * @next: the next one that the device's TLPs are compared with
 * @receive: the next one that may be for the device
 * @links: when the link goes up or down, in order
 * @link: the next one of these
 * @bar: BAR 0
 */
struct device_replay {
	struct observer observer;
	struct replay *of;
	struct rfsim_device *device;
	char **lines;
	size_t count, capacity;
	size_t next, receive;
	struct replay_link *links;
	size_t link_count, link;
	struct rfsim_bar bar;
};

/**
 * struct replay - a replay that is under way
 * @devices: by their numbers
 * @device_count: of these, those that have lines
 * @old: the lines of the record have no number of a device
 * @end: the cycle in which the record ends
 * @result: what is told of it
 */
struct replay {
	struct device_replay devices[RFSIM_STRING_DEVICES];
	unsigned int device_count;
	bool old;
	uint64_t end;
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
	unsigned int device, header[4], words = 0;
	unsigned long long taken, last;
	char kind[16];
	int used = 0;

	if (sscanf(line + 1, " %u %llu %llu %15s %8x %8x %8x %8x%n", &device, &taken, &last, kind,
		   &header[0], &header[1], &header[2], &header[3], &used) != 8)
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

/* The device that a line names, or NULL. */
static struct device_replay *device_of(struct replay *replay, unsigned int number)
{
	if (number >= RFSIM_STRING_DEVICES)
		return NULL;
	if (number >= replay->device_count)
		replay->device_count = number + 1;
	return &replay->devices[number];
}

static int keep_line(struct device_replay *replay, const char *line)
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

static int keep_link(struct device_replay *replay, uint64_t cycle, const char *state)
{
	size_t bytes = (replay->link_count + 1) * sizeof(*replay->links);
	struct replay_link *grown = realloc(replay->links, bytes);
	enum observed_link link = OBSERVED_DOWN;

	if (!grown)
		return -ENOMEM;
	replay->links = grown;
	while (link < OBSERVED_NEW && strcmp(state, link_names[link]))
		link++;
	grown[replay->link_count++] = (struct replay_link){ cycle, link };
	return strcmp(state, link_names[link]) ? -EINVAL : 0;
}

static int take_tlp(struct replay *replay, const char *line)
{
	struct device_replay *of;

	if (!line_valid(line))
		return -EINVAL;
	of = device_of(replay, (unsigned int)strtoul(line + 1, NULL, 10));
	return of ? keep_line(of, line) : -EINVAL;
}

/* A line that names its device. */
static int take_line(struct replay *replay, const char *line, bool *ended)
{
	unsigned long long first, bytes;
	struct device_replay *of;
	unsigned int device;
	char state[8];

	if (line[0] == '>' || line[0] == '<')
		return take_tlp(replay, line);
	if (!strncmp(line, "program", 7))
		return 0;
	if (sscanf(line, "bar %u %llx %llx", &device, &first, &bytes) == 3) {
		of = device_of(replay, device);
		if (of)
			of->bar = (struct rfsim_bar){ first, bytes };
		return of ? 0 : -EINVAL;
	}
	if (sscanf(line, "link %u %llu %7s", &device, &first, state) == 3) {
		of = device_of(replay, device);
		return of ? keep_link(of, first, state) : -EINVAL;
	}
	if (sscanf(line, "end %llu", &first) != 1)
		return -EINVAL;
	replay->end = first;
	*ended = true;
	return 0;
}

/* A line of an old record: it gets the number of the only device. */
static int take_old_line(struct replay *replay, const char *line, bool *ended)
{
	static const char *const with_device[] = { ">", "<", "bar", "link" };
	char *whole;
	size_t i;
	int error;

	for (i = 0; i < sizeof(with_device) / sizeof(with_device[0]); i++) {
		size_t length = strlen(with_device[i]);

		if (strncmp(line, with_device[i], length))
			continue;
		if (asprintf(&whole, "%s 0%s", with_device[i], line + length) < 0)
			return -ENOMEM;
		error = take_line(replay, whole, ended);
		free(whole);
		return error;
	}
	return take_line(replay, line, ended);
}

/* The program was killed, say: the record ends with its last line. */
static void cut_short(struct replay *replay)
{
	unsigned int i;

	replay->end = 1;
	for (i = 0; i < replay->device_count; i++) {
		const struct device_replay *of = &replay->devices[i];
		unsigned long long last = 0;

		if (of->count)
			sscanf(of->lines[of->count - 1] + 1, "%*u %*u %llu", &last);
		if (last >= replay->end)
			replay->end = last + 1;
	}
	replay->result->cut = true;
}

/* The version, and the device string. */
static int take_head(struct replay *replay, const char *version, const char *device,
		     const char *path, char *problem)
{
	struct rfsim_replay *result = replay->result;

	replay->old = !strcmp(version, OLD_FIRST_LINE);
	if (strncmp(version, FIRST_WORD, strlen(FIRST_WORD)))
		return not_a_record(problem, path, 1,
				    "it is no record; record=FILE in a device string makes one");
	if (!replay->old && strcmp(version, FIRST_LINE))
		return not_a_record(
			problem, path, 1,
			"this program has versions 1 and 2 of the format; replay it with "
			"the program that wrote it");
	if (strncmp(device, "device sim:", 11) || strlen(device) - 8 >= sizeof(result->string))
		return not_a_record(problem, path, 2, "the device string is missing");
	sprintf(result->string, "%.*s", (int)strcspn(device + 7, "\n"), device + 7);
	return 0;
}

static int read_head(struct replay *replay, FILE *file, const char *path, char *problem)
{
	char *lines[2] = { NULL, NULL };
	size_t sizes[2] = { 0, 0 }, i;
	int error;

	for (i = 0; i < 2; i++)
		if (getline(&lines[i], &sizes[i], file) < 0)
			break;
	error = take_head(replay, i > 0 ? lines[0] : "", i > 1 ? lines[1] : "", path, problem);
	free(lines[0]);
	free(lines[1]);
	return error;
}

static int read_lines(struct replay *replay, FILE *file, const char *path, char *problem)
{
	int error = read_head(replay, file, path, problem);
	char *line = NULL;
	size_t size = 0, number = 2;
	bool ended = false;

	while (!error && !ended && getline(&line, &size, file) >= 0) {
		if (!strchr(line, '\n'))
			break; /* it was being written */
		number++;
		error = replay->old ? take_old_line(replay, line, &ended)
				    : take_line(replay, line, &ended);
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

static void differ(struct device_replay *replay, const char *now)
{
	const char *recorded =
		replay->next < replay->count ? replay->lines[replay->next] : "the end\n";
	struct rfsim_replay *result = replay->of->result;

	if (*result->difference)
		return;
	snprintf(result->difference, sizeof(result->difference), "recorded '%.*s', now '%.*s'",
		 (int)(strcspn(recorded, "\n") % 200), recorded, (int)(strcspn(now, "\n") % 200),
		 now);
}

static void compare(void *context, struct rfsim_device *device, const struct rfsim_tlp *tlp)
{
	struct device_replay *replay = context;
	char *line = replay->of->line;

	if (tlp->stream == RFSIM_RECEIVE)
		replay->of->result->received++;
	else
		replay->of->result->sent++;
	make_line(device, tlp, line);
	if (replay->next == replay->count || strcmp(replay->lines[replay->next], line))
		differ(replay, line);
	else
		replay->next++;
}

bool replay_next(struct rfsim_device *device)
{
	struct device_replay *replay = device->replay;
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
	sscanf(line, "> %*u %llu %llu %15s%n", &taken, &last, kind, &used);
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
static void begin(struct device_replay *replay)
{
	struct rfsim_device *device = replay->device;

	device->bars[0] = replay->bar;
	device->enumerated = true;
	device->replay = replay;
}

static int set_link(struct device_replay *replay, enum observed_link link)
{
	int error;

	if (link != OBSERVED_NEW) {
		rfsim_link_set(replay->device, link == OBSERVED_UP);
		return 0;
	}
	error = rfsim_device_replug(replay->device);
	begin(replay);
	return error;
}

/* What happens to the links in this cycle. */
static int set_links(struct replay *replay, uint64_t cycle)
{
	unsigned int i;
	int error = 0;

	for (i = 0; i < replay->device_count; i++) {
		struct device_replay *of = &replay->devices[i];

		while (of->link < of->link_count && of->links[of->link].cycle <= cycle && !error)
			error = set_link(of, of->links[of->link++].link);
	}
	return error;
}

static int run(struct replay *replay, struct rfsim_world *world)
{
	unsigned int i;
	int error = 0;

	for (i = 0; i < replay->device_count; i++) {
		struct device_replay *of = &replay->devices[i];

		of->of = replay;
		of->device = rfsim_world_device(world, i);
		of->observer = (struct observer){ .context = of, .tlp = compare };
		observer_add(of->device, &of->observer);
		begin(of);
	}
	while (rfsim_cycle(world) < replay->end && !*replay->result->difference && !error) {
		error = set_links(replay, rfsim_cycle(world));
		rfsim_step(world, 1);
	}
	for (i = 0; i < replay->device_count; i++)
		if (replay->devices[i].next < replay->devices[i].count)
			differ(&replay->devices[i], "the end\n");
	/* A wave shows what comes next. */
	if (*replay->result->difference)
		rfsim_step(world, 100);
	replay->result->cycles = rfsim_cycle(world);
	for (i = 0; i < replay->device_count; i++)
		observer_remove(replay->devices[i].device, &replay->devices[i].observer);
	return error;
}

static int replay_device(struct replay *replay, const char *words, char *problem)
{
	struct rfsim_string *string = calloc(1, sizeof(*string));
	char text[4 * RFSIM_STRING_PATH], ignored[RFSIM_STRING_PROBLEM];
	struct rfsim_device *device;
	struct rfsim_world *world;
	int error = string ? 0 : -ENOMEM, later;

	snprintf(text, sizeof(text), "%s%s%s", replay->result->string,
		 words && strcmp(replay->result->string, RFSIM_STRING_PREFIX) ? "," : "",
		 words ? words : "");
	if (!error)
		error = rfsim_string_parse(text, string, problem);
	if (error)
		goto free_string;
	string->rule_count = 0;
	if (string->devices < replay->device_count)
		string->devices = replay->device_count; /* device= without devices= */
	replay->device_count = replay->result->devices = string->devices;
	error = rfsim_string_create(string, &world, &device, problem);
	if (error)
		goto free_string;
	error = run(replay, world);
	if (error)
		snprintf(problem, RFSIM_STRING_PROBLEM, "%s", strerror(-error));
	later = rfsim_string_close(device, error ? ignored : problem);
	error = error ? error : later;
	rfsim_world_destroy(world);
free_string:
	free(string);
	return error;
}

static void free_replay(struct replay *replay)
{
	unsigned int i;

	for (i = 0; i < RFSIM_STRING_DEVICES; i++) {
		struct device_replay *of = &replay->devices[i];

		while (of->count)
			free(of->lines[--of->count]);
		free(of->lines);
		free(of->links);
	}
	free(replay);
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
	if (replay)
		free_replay(replay);
	return error;
}
