// SPDX-License-Identifier: Apache-2.0
/* A timeline as files: Trace Event JSON, and a page that shows the same (timeline.html). */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "rfsim.h"
#include "timeline.h"
#include "timeline_items.h"
#include "tlp.h"

/* The page, with @DATA@ where its data goes; text that ends with 0. */
__asm__(".section .rodata\n"
	".globl rf_timeline_page_text\n"
	".hidden rf_timeline_page_text\n"
	"rf_timeline_page_text: .incbin \"sim/timeline.html\"\n"
	".byte 0\n"
	".previous\n");
extern const char rf_timeline_page_text[] __attribute__((visibility("hidden")));

#define PAGE_DATA "@DATA@"
#define NONE SIZE_MAX

/* --- fences and arrows -------------------------------------------------------------------- */

/* The last note on its handle up to its end, or NULL. */
static const struct fence_note *find_note(const struct timeline_items *kept,
					  const struct item *item)
{
	size_t low = 0, high = kept->note_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct fence_note *note = &kept->notes[middle];

		if (note->device < item->device ||
		    (note->device == item->device &&
		     (note->handle < item->handle ||
		      (note->handle == item->handle && note->cycle <= item->last))))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || kept->notes[low - 1].device != item->device ||
	    kept->notes[low - 1].handle != item->handle)
		return NULL;
	return &kept->notes[low - 1];
}

/* What stands for the fence of an item: the handle that was made first, if several are noted. */
static struct fence_maker find_maker(const struct timeline_items *kept, const struct item *item)
{
	const struct fence_note *note = find_note(kept, item);

	return note ? note->maker : (struct fence_maker){ item->device, item->handle };
}

/* Which fence an item belongs to; 0: not known. A value has one address for all devices. */
static uint64_t fence_key(const struct timeline_items *kept, const struct item *item)
{
	struct fence_maker maker;

	if (item->kind != ITEM_WAIT && item->kind != ITEM_SIGNAL)
		return 0;
	maker = find_maker(kept, item);
	if (item->handle)
		return 1ull << 60 | (uint64_t)maker.device << 32 | maker.handle;
	return item->address ? 2ull << 60 | item->address : 0;
}

static void fence_name(const struct timeline_items *kept, const struct item *item, char *name,
		       size_t bytes)
{
	struct fence_maker maker = find_maker(kept, item);
	unsigned int i;

	for (i = 0; i < kept->fence_count; i++) {
		const struct timeline_fence *fence = &kept->fences[i];

		if (item->handle && fence->handle == maker.handle &&
		    fence->device == maker.device) {
			snprintf(name, bytes, "%s", fence->name);
			return;
		}
	}
	if (item->handle && kept->devices > 1)
		snprintf(name, bytes, "fence %" PRIu32 " of device %u", maker.handle, maker.device);
	else if (item->handle)
		snprintf(name, bytes, "fence %" PRIu32, maker.handle);
	else
		snprintf(name, bytes, "value at 0x%" PRIx64, item->address);
}

/**
 * struct signal - a signal, to be found by its fence and time
 * @key: its fence
 * @first: its cycle
 * @item: its index
 */
struct signal {
	uint64_t key, first;
	size_t item;
};

struct fences {
	const struct timeline_items *kept;
	struct signal *signals; /* sorted by key, then by time */
	size_t signal_count;
	uint64_t *keys; /* sorted, each once */
	size_t *items; /* one item of each key */
	size_t key_count;
};

static int compare_signals(const void *left, const void *right)
{
	const struct signal *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

/* The first signal that is not before this one. */
static size_t find_signal(const struct fences *fences, uint64_t key, uint64_t first)
{
	size_t low = 0, high = fences->signal_count;
	const struct signal wanted = { .key = key, .first = first };

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (compare_signals(&fences->signals[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The signal that ended a wait, or NONE: a CPU did, or the wait did not block. */
static size_t released_by(const struct fences *fences, const struct item *wait)
{
	uint64_t key = fence_key(fences->kept, wait);
	size_t i;

	if (wait->kind != ITEM_WAIT || !key)
		return NONE;
	for (i = find_signal(fences, key, wait->first); i < fences->signal_count; i++) {
		const struct signal *signal = &fences->signals[i];

		if (signal->key != key || signal->first > wait->last)
			return NONE;
		if (fences->kept->items[signal->item].value >= wait->value)
			return signal->item;
	}
	return NONE;
}

/* Waits only look like signals here, so that a fence that nobody signals has a key, too. */
static int fences_create(struct fences *fences, const struct timeline_items *kept)
{
	struct signal *all = malloc((kept->count + 1) * sizeof(*all));
	size_t count = 0, i;

	memset(fences, 0, sizeof(*fences));
	fences->kept = kept;
	fences->signals = all;
	fences->keys = malloc((kept->count + 1) * sizeof(*fences->keys));
	fences->items = malloc((kept->count + 1) * sizeof(*fences->items));
	if (!all || !fences->keys || !fences->items)
		return -ENOMEM;
	for (i = 0; i < kept->count; i++) {
		uint64_t key = fence_key(kept, &kept->items[i]);

		if (key)
			all[count++] = (struct signal){ key, kept->items[i].first, i };
	}
	qsort(all, count, sizeof(*all), compare_signals);
	for (i = 0; i < count; i++) {
		if (!fences->key_count || fences->keys[fences->key_count - 1] != all[i].key) {
			fences->items[fences->key_count] = all[i].item;
			fences->keys[fences->key_count++] = all[i].key;
		}
		if (kept->items[all[i].item].kind == ITEM_SIGNAL)
			all[fences->signal_count++] = all[i];
	}
	return 0;
}

static void fences_destroy(struct fences *fences)
{
	free(fences->signals);
	free(fences->keys);
	free(fences->items);
}

/* --- TLPs --------------------------------------------------------------------------------- */

static const char *tlp_name(const struct item *item)
{
	const uint32_t header[TLP_HEADER_WORDS] = { (uint32_t)item->detail << 24 };

	if (tlp_is_completion(header))
		return "completion";
	if (tlp_is_memory_read(header))
		return "read";
	if (tlp_is_memory_write(header)) {
		bool message = item->kind == ITEM_POSTED && item->address >= RFSIM_MSI_BASE &&
			       item->address < RFSIM_MSI_BASE + RFSIM_MSI_BYTES;

		return message ? "MSI-X" : "write";
	}
	if (item->detail == TLP_CFGRD0 || item->detail == TLP_CFGWR0)
		return "configuration";
	if (item->detail == TLP_MSG_ROOT) {
		switch (item->code) {
		case TLP_ERR_COR:
			return "ERR_COR";
		case TLP_ERR_NONFATAL:
			return "ERR_NONFATAL";
		case TLP_ERR_FATAL:
			return "ERR_FATAL";
		}
	}
	return tlp_is_message(header) ? "message" : "other";
}

/* --- Trace Event JSON --------------------------------------------------------------------- */

#define PROCESS(device) (1 + (device)) /* one for each */
#define THREAD_QUEUE 1 /* and its slot */
#define THREAD_ENGINE 50 /* and its node */
#define THREAD_LINK 100 /* doorbells and interrupts, then the three streams of TLPs */

static unsigned int thread_of(const struct item *item)
{
	switch (item->kind) {
	case ITEM_RING:
	case ITEM_INTERRUPT:
	case ITEM_SUPPRESSED:
		return THREAD_LINK;
	case ITEM_RECEIVED:
	case ITEM_POSTED:
	case ITEM_READ:
		return THREAD_LINK + 1 + (item->kind - ITEM_RECEIVED);
	default:
		return THREAD_QUEUE + item->slot;
	}
}

static void print_thread(FILE *file, unsigned int device, unsigned int thread, const char *name)
{
	fprintf(file,
		",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":",
		PROCESS(device), thread);
	rf_print_json_string(file, name);
	fprintf(file, "}}");
}

static double microseconds(const struct timeline_items *kept, uint64_t cycle)
{
	return (double)(cycle - kept->begin) * (1e6 / RFSIM_HZ);
}

static void event_name(const struct timeline_items *kept, const struct item *item, char *name,
		       size_t bytes)
{
	static const char *const names[] = {
		[ITEM_WORK] = "work",	    [ITEM_WAIT] = "wait",
		[ITEM_SIGNAL] = "signal",   [ITEM_RING] = "doorbell",
		[ITEM_INTERRUPT] = "MSI-X", [ITEM_SUPPRESSED] = "no interrupt",
	};
	char fence[48];

	if (item->kind >= ITEM_RECEIVED) {
		snprintf(name, bytes, "%s", tlp_name(item));
	} else if (fence_key(kept, item)) {
		fence_name(kept, item, fence, sizeof(fence));
		snprintf(name, bytes, "%s %s %" PRIu64, names[item->kind], fence, item->value);
	} else {
		snprintf(name, bytes, "%s%s", names[item->kind], item->open ? ", not over" : "");
	}
}

static void print_event(FILE *file, const struct timeline_items *kept, const struct item *item,
			unsigned int thread)
{
	bool tlp = item->kind >= ITEM_RECEIVED;
	char name[96];

	event_name(kept, item, name, sizeof(name));
	fprintf(file, ",\n{\"pid\":%u,\"tid\":%u,\"name\":", PROCESS(item->device), thread);
	rf_print_json_string(file, name);
	fprintf(file, ",\"ts\":%.3f", microseconds(kept, item->first));
	if (tlp || item->kind == ITEM_WORK || item->kind == ITEM_WAIT)
		fprintf(file, ",\"ph\":\"X\",\"dur\":%.3f",
			microseconds(kept, item->last + tlp) - microseconds(kept, item->first));
	else
		fprintf(file, ",\"ph\":\"i\",\"s\":\"t\"");
	if (tlp)
		fprintf(file, ",\"args\":{\"address\":\"0x%" PRIx64 "\",\"bytes\":%" PRIu64 "}",
			item->address, item->value);
	fputc('}', file);
}

/* From a signal to the end of the wait that it ends. */
static void print_arrow(FILE *file, const struct timeline_items *kept, size_t signal, size_t wait)
{
	const struct item *from = &kept->items[signal], *to = &kept->items[wait];
	const char *common = "\"cat\":\"fence\",\"name\":\"fence\"";

	fprintf(file, ",\n{\"ph\":\"s\",%s,\"id\":%zu,\"pid\":%u,\"tid\":%u,\"ts\":%.3f}", common,
		wait, PROCESS(from->device), thread_of(from), microseconds(kept, from->first));
	fprintf(file,
		",\n{\"ph\":\"f\",\"bp\":\"e\",%s,\"id\":%zu,\"pid\":%u,\"tid\":%u,\"ts\":%.3f}",
		common, wait, PROCESS(to->device), thread_of(to), microseconds(kept, to->last));
}

static const char *const engines[TIMELINE_NODES] = { "compute engine", "copy engine" };

static void print_device(FILE *file, const struct timeline_items *kept, unsigned int device)
{
	static const char *const links[] = { "PCIe", "TLPs to the device",
					     "writes and completions of the device",
					     "read requests of the device" };
	char name[24] = "device";
	unsigned int i;

	if (kept->devices > 1)
		snprintf(name, sizeof(name), "device %u", device);
	fprintf(file,
		"%s{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}}",
		device ? ",\n" : "", PROCESS(device), name);
	for (i = 0; i < TIMELINE_SLOTS; i++)
		if (kept->seen[device][i])
			print_thread(file, device, THREAD_QUEUE + i, kept->name[device][i]);
	for (i = 0; i < TIMELINE_NODES; i++)
		print_thread(file, device, THREAD_ENGINE + i, engines[i]);
	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		print_thread(file, device, THREAD_LINK + i, links[i]);
}

int rf_timeline_write(struct rf_timeline *timeline, FILE *file)
{
	const struct timeline_items *kept = timeline_items(timeline);
	struct fences fences;
	int error = fences_create(&fences, kept);
	unsigned int i;
	size_t item;

	fprintf(file, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	for (i = 0; i < kept->devices; i++)
		print_device(file, kept, i);
	for (item = 0; item < kept->count && !error; item++) {
		const struct item *this = &kept->items[item];
		size_t signal = released_by(&fences, this);

		print_event(file, kept, this, thread_of(this));
		if (this->kind == ITEM_WORK)
			print_event(file, kept, this, THREAD_ENGINE + this->detail);
		if (signal != NONE)
			print_arrow(file, kept, signal, item);
	}
	fprintf(file, "\n]}\n");
	fences_destroy(&fences);
	return kept->truncated ? -ENOMEM : error;
}

/* --- the page ----------------------------------------------------------------------------- */

static void print_program(FILE *file)
{
	FILE *arguments = fopen("/proc/self/cmdline", "re");
	char text[1000] = "";
	size_t length = 0, i;

	if (arguments) {
		length = fread(text, 1, sizeof(text) - 1, arguments);
		fclose(arguments);
	}
	for (i = 0; i + 1 < length; i++)
		if (!text[i])
			text[i] = ' ';
	rf_print_json_string(file, text);
}

/* The trace as a link of the page: beside it, or by its whole name. */
static void print_link(FILE *file, const struct rf_timeline_page *page)
{
	const char *slash = strrchr(page->trace, '/'), *page_slash = strrchr(page->path, '/');
	size_t folder = slash ? (size_t)(slash - page->trace) + 1 : 0;
	size_t page_folder = page_slash ? (size_t)(page_slash - page->path) + 1 : 0;
	char whole[PATH_MAX];

	if (folder == page_folder && !strncmp(page->trace, page->path, folder))
		rf_print_json_string(file, page->trace + folder);
	else
		rf_print_json_string(file,
				     *page->trace && realpath(page->trace, whole) ? whole : "");
}

static void print_names(FILE *file, const struct fences *fences)
{
	const struct timeline_items *kept = fences->kept;
	char name[48];
	size_t i;

	fprintf(file, "\"devices\":%u,\n\"queues\":[", kept->devices);
	for (i = 0; i < kept->devices * TIMELINE_SLOTS; i++) {
		fputs(i ? "," : "", file);
		if (kept->seen[i / TIMELINE_SLOTS][i % TIMELINE_SLOTS])
			rf_print_json_string(file,
					     kept->name[i / TIMELINE_SLOTS][i % TIMELINE_SLOTS]);
		else
			fputs("null", file);
	}
	fprintf(file, "],\n\"engines\":[\"%s\",\"%s\"],\n\"fences\":[", engines[0], engines[1]);
	for (i = 0; i < fences->key_count; i++) {
		fence_name(kept, &kept->items[fences->items[i]], name, sizeof(name));
		fputs(i ? "," : "", file);
		rf_print_json_string(file, name);
	}
	fprintf(file, "],\n");
}

static int compare_keys(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* 64-bit values as text: a number of JavaScript has 53 bits. */
static void print_item(FILE *file, const struct fences *fences, const struct item *item,
		       const size_t *numbers)
{
	const struct timeline_items *kept = fences->kept;
	uint64_t key = fence_key(kept, item);
	const uint64_t *found;
	size_t signal;

	fprintf(file, "[%d,%d,%" PRIu64 ",%" PRIu64, item->kind,
		item->device * TIMELINE_SLOTS + item->slot, item->first - kept->begin,
		item->last - kept->begin);
	if (item->kind == ITEM_WORK) {
		fprintf(file, ",%d", item->detail);
	} else if (item->kind >= ITEM_RECEIVED) {
		fprintf(file, ",\"%s\",\"0x%" PRIx64 "\",%" PRIu64, tlp_name(item), item->address,
			item->value);
	} else if (key) {
		found = bsearch(&key, fences->keys, fences->key_count, sizeof(key), compare_keys);
		fprintf(file, ",%td,\"%" PRIu64 "\"", found - fences->keys, item->value);
		signal = released_by(fences, item);
		if (signal != NONE && numbers[signal] != NONE)
			fprintf(file, ",%zu", numbers[signal]);
	}
	if (item->open)
		fputs(",\"open\"", file);
	fputc(']', file);
}

/* The numbers of the items that the page has; NONE for others. Where those end. */
static size_t number_items(const struct timeline_items *kept, bool tlps, size_t *numbers)
{
	size_t shown = 0, end = kept->count, i;

	for (i = 0; i < kept->count; i++) {
		numbers[i] = NONE;
		if (!tlps && kept->items[i].kind >= ITEM_RECEIVED)
			continue;
		if (shown < RF_TIMELINE_PAGE_ITEMS)
			numbers[i] = shown++;
		else if (end == kept->count)
			end = i;
	}
	return end;
}

static void print_items(FILE *file, const struct fences *fences, size_t *numbers)
{
	const struct timeline_items *kept = fences->kept;
	bool tlps = kept->count <= RF_TIMELINE_PAGE_ITEMS;
	size_t end = number_items(kept, tlps, numbers), i;

	fprintf(file, "\"items\":[");
	for (i = 0; i < end; i++) {
		if (numbers[i] == NONE)
			continue;
		fputs(numbers[i] ? ",\n" : "\n", file);
		print_item(file, fences, &kept->items[i], numbers);
	}
	fprintf(file, "],\n\"all\":%zu,\n\"tlps\":%s,\n\"omittedFrom\":", kept->count,
		tlps ? "true" : "false");
	if (end < kept->count)
		fprintf(file, "%" PRIu64, kept->items[end].first - kept->begin);
	else
		fprintf(file, "null");
}

static void print_data(FILE *file, const struct fences *fences, size_t *numbers,
		       const struct rf_timeline_page *page)
{
	const struct timeline_items *kept = fences->kept;

	fprintf(file, "{\"program\":");
	print_program(file);
	fprintf(file, ",\n\"device\":");
	rf_print_json_string(file, page->device);
	fprintf(file, ",\n\"trace\":");
	print_link(file, page);
	fprintf(file, ",\n\"nanoseconds\":%g,\n\"begin\":%" PRIu64 ",\n\"cycles\":%" PRIu64 ",\n",
		1e9 / RFSIM_HZ, kept->begin, kept->end - kept->begin);
	print_names(file, fences);
	print_items(file, fences, numbers);
	fprintf(file, ",\n\"truncated\":%s}\n", kept->truncated ? "true" : "false");
}

int rf_timeline_write_page(struct rf_timeline *timeline, FILE *file,
			   const struct rf_timeline_page *page)
{
	const struct timeline_items *kept = timeline_items(timeline);
	size_t *numbers = malloc((kept->count + 1) * sizeof(*numbers));
	const char *data = strstr(rf_timeline_page_text, PAGE_DATA);
	struct fences fences;
	int error = fences_create(&fences, kept);

	if (!error && numbers) {
		fwrite(rf_timeline_page_text, 1, (size_t)(data - rf_timeline_page_text), file);
		print_data(file, &fences, numbers, page);
		fputs(data + strlen(PAGE_DATA), file);
	} else {
		error = -ENOMEM;
	}
	free(numbers);
	fences_destroy(&fences);
	return kept->truncated ? -ENOMEM : error;
}
