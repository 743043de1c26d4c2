// SPDX-License-Identifier: Apache-2.0
/* A world and its devices as a device string says, and the files that it names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_string.h"
#include "internal.h"
#include "record.h"
#include "ringfence_hw.h"
#include "timeline.h"

/**
 * struct string_files - the files that are written for the devices of a world, kept by the first
 * @string: that names them
 * @timeline: what goes into the timeline's file and the page
 * @timeline_file: opened at once, so that a name that cannot be written is refused at once
 * @page_file: the page's
 * @record: what writes the record
 * @record_file: its file
 */
struct string_files {
	struct rfsim_string string;
	struct rf_timeline *timeline;
	FILE *timeline_file;
	FILE *page_file;
	struct rfsim_record *record;
	FILE *record_file;
};

static int complain(char *problem, const char *path, int error)
{
	snprintf(problem, RFSIM_STRING_PROBLEM, "cannot write %.400s: %s", path,
		 error == -ESPIPE ? "a wave is written at random places of a file"
				  : strerror(-error));
	return error;
}

/* --- faults and holds ----------------------------------------------------- */

static void link_down(void *device)
{
	rfsim_link_set(device, false);
}

static void link_up(void *device)
{
	rfsim_link_set(device, true);
}

static int apply_hang(const struct rfsim_engine_hang *hang, struct rfsim_device *device)
{
	return rfsim_store_at(device, hang->node ? RFSIM_EVENT_COPY : RFSIM_EVENT_COMPUTE,
			      hang->number, 0, RF_REG_NODE_ENGINE(hang->node),
			      RF_NODE_ENGINE_HOLD_MASK);
}

static int apply_cut(const struct rfsim_link_cut *cut, struct rfsim_device *device)
{
	int error = rfsim_at(device->world, cut->first, link_down, device);

	if (!error && cut->last != UINT64_MAX)
		error = rfsim_at(device->world, cut->last, link_up, device);
	return error;
}

static int apply_rule(const struct rfsim_string_rule *rule, struct rfsim_device *device)
{
	switch (rule->kind) {
	case RFSIM_STRING_FAULT:
		return rfsim_fault_add(device, &rule->fault);
	case RFSIM_STRING_HOLD:
		return rfsim_hold_add(device, &rule->hold);
	case RFSIM_STRING_HANG:
		return apply_hang(&rule->hang, device);
	default:
		return apply_cut(&rule->cut, device);
	}
}

/* Only memory can run out, since the parser has counted and checked. */
static int apply(const struct rfsim_string *string, struct rfsim_world *world)
{
	int error = 0;
	unsigned int i;

	for (i = 0; i < string->rule_count && !error; i++)
		error = apply_rule(&string->rules[i],
				   rfsim_world_device(world, string->rules[i].device));
	return error;
}

/* --- files ---------------------------------------------------------------- */

static int open_waves(struct rfsim_device *first, char *problem)
{
	const struct rfsim_string *string = &first->files->string;
	char path[RFSIM_STRING_WAVE];
	unsigned int i;
	int error = 0;

	for (i = 0; i < string->devices && !error; i++) {
		rfsim_string_wave(string, i, path);
		error = rfsim_trace(rfsim_world_device(first->world, i), path);
	}
	return error ? complain(problem, path, error) : 0;
}

static int close_waves(struct rfsim_device *first, char *problem)
{
	const struct rfsim_string *string = &first->files->string;
	char path[RFSIM_STRING_WAVE];
	int error = 0, later;
	unsigned int i;

	for (i = 0; i < string->devices; i++) {
		later = rfsim_trace(rfsim_world_device(first->world, i), NULL);
		rfsim_string_wave(string, i, path);
		if (later && !error)
			error = complain(problem, path, later);
	}
	return error;
}

static int open_files(struct rfsim_device *device, char *problem)
{
	struct string_files *files = device->files;

	if (*files->string.timeline) {
		files->timeline_file = fopen(files->string.timeline, "we");
		if (!files->timeline_file)
			return complain(problem, files->string.timeline, -errno);
	}
	if (*files->string.page) {
		files->page_file = fopen(files->string.page, "we");
		if (!files->page_file)
			return complain(problem, files->string.page, -errno);
	}
	if (files->timeline_file || files->page_file) {
		files->timeline = rf_timeline_create(device->world);
		if (!files->timeline)
			return -ENOMEM;
	}
	if (*files->string.record) {
		files->record_file = fopen(files->string.record, "we");
		if (!files->record_file)
			return complain(problem, files->string.record, -errno);
		/* Whole lines, also if the program is killed; and a child of fork() has none. */
		setvbuf(files->record_file, NULL, _IOLBF, 0);
		files->record =
			rfsim_record_create(device->world, &files->string, files->record_file);
		if (!files->record)
			return complain(problem, files->string.record, -ENOMEM);
	}
	return *files->string.wave ? open_waves(device, problem) : 0;
}

/* 0, or the error of a write, which may have been long ago. */
static int close_file(FILE *file)
{
	bool failed = ferror(file);

	errno = 0;
	failed |= fflush(file);
	failed |= fclose(file);
	return failed ? errno ? -errno : -EIO : 0;
}

static int close_timeline(struct string_files *files)
{
	int error = 0, later;

	if (!files->timeline_file)
		return 0;
	if (files->timeline)
		error = rf_timeline_write(files->timeline, files->timeline_file);
	later = close_file(files->timeline_file);
	return error ? error : later;
}

static int close_page(struct string_files *files)
{
	const struct rf_timeline_page page = { files->string.text, files->string.page,
					       files->string.timeline };
	int error = 0, later;

	if (!files->page_file)
		return 0;
	if (files->timeline)
		error = rf_timeline_write_page(files->timeline, files->page_file, &page);
	later = close_file(files->page_file);
	return error ? error : later;
}

static int close_record(struct string_files *files)
{
	rfsim_record_destroy(files->record);
	return files->record_file ? close_file(files->record_file) : 0;
}

int rfsim_string_close(struct rfsim_device *device, char problem[RFSIM_STRING_PROBLEM])
{
	struct string_files *files = device->files;
	int error, later;

	*problem = 0;
	if (!files)
		return 0;
	error = close_timeline(files);
	if (error)
		complain(problem, files->string.timeline, error);
	later = close_page(files);
	if (later && !error)
		error = complain(problem, files->string.page, later);
	rf_timeline_destroy(files->timeline);
	later = close_record(files);
	if (later && !error)
		error = complain(problem, files->string.record, later);
	if (*files->string.wave) {
		char of_wave[RFSIM_STRING_PROBLEM];

		later = close_waves(device, error ? of_wave : problem);
		error = error ? error : later;
	}
	free(files);
	device->files = NULL;
	return error;
}

/* --- creation ------------------------------------------------------------- */

static int create_devices(const struct rfsim_string *string, struct rfsim_world *world,
			  struct rfsim_device **result, char *problem)
{
	struct rfsim_device *device, *more;
	int error = rfsim_device_create(world, &device);
	unsigned int i;

	for (i = 1; i < string->devices && !error; i++)
		error = rfsim_device_create(world, &more);
	if (error)
		return error;
	device->files = calloc(1, sizeof(*device->files));
	if (!device->files)
		return -ENOMEM;
	device->files->string = *string;
	error = apply(string, device->world);
	if (!error)
		error = open_files(device, problem);
	if (error) {
		char ignored[RFSIM_STRING_PROBLEM];

		rfsim_string_close(device, ignored);
		return error;
	}
	*result = device;
	return 0;
}

int rfsim_string_create(const struct rfsim_string *string, struct rfsim_world **world,
			struct rfsim_device **device, char problem[RFSIM_STRING_PROBLEM])
{
	const char *missing = *string->wave	    ? rfsim_waves()
			      : string->config.link ? rfsim_link()
						    : NULL;
	int error;

	*problem = 0;
	if (missing) {
		snprintf(problem, RFSIM_STRING_PROBLEM, "%s", missing);
		return -ENOENT;
	}
	error = rfsim_world_create(&string->config, world);
	if (!error) {
		error = create_devices(string, *world, device, problem);
		if (error)
			rfsim_world_destroy(*world);
	}
	if (error && !*problem)
		snprintf(problem, RFSIM_STRING_PROBLEM, "%s", strerror(-error));
	return error;
}
