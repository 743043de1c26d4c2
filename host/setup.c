// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "setup.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "output.h"
#include "problem.h"
#include "rf_bus.h"
#include "rf_miniport_loader.h"
#include "timeline.h"
#include "wave.h"

const char *rf_setup_name(const char *name)
{
	if (!name)
		name = getenv("RINGFENCE_DEVICE");
	return name ? name : "sim:";
}

static bool is_prefix(const char *prefix, const char *name)
{
	return !strncmp(prefix, name, strlen(prefix));
}

/* --- opening ------------------------------------------------------------------------------ */

/* The driver over the bus, and a process. */
static int add_driver(struct rf_setup *setup, const struct rf_ddi *ddi, const char **step)
{
	int error;

	*step = "driver";
	error = rf_world_add_driver(&setup->world, ddi);
	if (error)
		return error;
	*step = "device open";
	return rf_device_open_hosted(setup->world.hosted_device, &setup->device);
}

/* The driver over the bus of the next device, and a process. */
static int add_device(struct rf_setup *setup, const struct rf_ddi *ddi, const char **step)
{
	struct rf_device **process = &setup->more[setup->world.more_count];
	struct rf_hosted_device *hosted;
	int error;

	*step = "driver of a further device";
	error = rf_world_add_device(&setup->world, ddi, &hosted);
	if (error)
		return error;
	*step = "open of a further device";
	return rf_device_open_hosted(hosted, process);
}

int rf_setup_create_bus(struct rf_setup *setup, const struct rfsim_config *config, const char *line)
{
	struct rfsim_config strict;

	memset(setup, 0, sizeof(*setup));
	if (config)
		strict = *config;
	else
		rfsim_config_init(&strict);
	strict.assertions = true; /* the only driver is ours */
	return rf_world_create_bus(&setup->world, &strict, line);
}

static int complain_of_step(struct rf_setup *setup, const char *step, int error)
{
	fprintf(stderr, "ringfence: %s failed: %s\n", step, strerror(-error));
	rf_setup_destroy(setup);
	return error;
}

int rf_setup_create(struct rf_setup *setup, const struct rfsim_config *config,
		    const struct rf_ddi *ddi)
{
	const char *step = "PCIe enumeration";
	int error = rf_setup_create_bus(setup, config, NULL);

	if (!error)
		error = add_driver(setup, ddi, &step);
	return error ? complain_of_step(setup, step, error) : 0;
}

/* --- device strings ----------------------------------------------------------------------- */

/* Of commands that work with all devices of the world, RF_SETUP_DEVICES at most */
static int check_devices(const struct rfsim_string *string, char *problem)
{
	if (string->device_given)
		snprintf(problem, RFSIM_STRING_PROBLEM,
			 "'device=%u': this command works with all devices of the world; leave "
			 "the word out",
			 string->device);
	else if (string->devices > RF_SETUP_DEVICES)
		snprintf(problem, RFSIM_STRING_PROBLEM,
			 "'devices=%u': this command works with 1 or %u devices", string->devices,
			 RF_SETUP_DEVICES);
	else
		return 0;
	return -EINVAL;
}

static int parse_string(const char *name, bool all, struct rfsim_string *string)
{
	char problem[RFSIM_STRING_PROBLEM];
	int error = rfsim_string_parse(name, string, problem);

	if (!error && all)
		error = check_devices(string, problem);
	if (error)
		fprintf(stderr, "ringfence: cannot open %s: %s\n", name, problem);
	else if (string->device >= string->devices)
		string->devices = string->device + 1;
	return error;
}

int rf_setup_parse(const char *name, struct rfsim_string *string)
{
	return parse_string(name, false, string);
}

int rf_setup_create_string_bus(struct rf_setup *setup, const struct rfsim_string *string)
{
	struct rfsim_string ours = *string;
	char problem[RFSIM_STRING_PROBLEM];
	int error;

	memset(setup, 0, sizeof(*setup));
	ours.config.assertions = true;
	ours.wave[0] = ours.timeline[0] = ours.page[0] = 0;
	error = rf_world_create_string(&setup->world, &ours, problem);
	if (error) {
		fprintf(stderr, "ringfence: %s\n", problem);
		rf_setup_destroy(setup);
	}
	return error;
}

int rf_setup_create_string(struct rf_setup *setup, const struct rfsim_string *string,
			   const struct rf_ddi *ddi)
{
	const char *step;
	int error = rf_setup_create_string_bus(setup, string);

	if (error)
		return error;
	error = add_driver(setup, ddi, &step);
	return error ? complain_of_step(setup, step, error) : 0;
}

/* A driver and a process for each of the others. */
static int add_devices(struct rf_setup *setup, const struct rfsim_string *string)
{
	const char *step;
	unsigned int i;
	int error = 0;

	for (i = 1; i < string->devices && !error; i++)
		error = add_device(setup, NULL, &step);
	return error ? complain_of_step(setup, step, error) : 0;
}

static int begin_waves(struct rf_setup *setup, const struct rfsim_string *string)
{
	uint64_t cycle = rfsim_cycle(setup->world.simulation);
	char path[RFSIM_STRING_WAVE];
	unsigned int i;
	int error = 0;

	for (i = 0; i < string->devices && !error; i++) {
		rfsim_string_wave(string, i, path);
		error = rf_wave_begin(rfsim_world_device(setup->world.simulation, i), path, cycle);
	}
	return error;
}

static int begin_timeline(struct rf_setup *setup, const struct rfsim_string *string)
{
	setup->string = *string;
	if (!*string->timeline && !*string->page)
		return 0;
	setup->timeline = rf_timeline_create(setup->world.simulation);
	if (!setup->timeline) {
		fprintf(stderr, "ringfence: no memory for a timeline\n");
		return -ENOMEM;
	}
	if (*string->timeline)
		setup->timeline_file = rf_output_open(string->timeline);
	if (*string->page)
		setup->page_file = rf_output_open(string->page);
	return (*string->timeline && !setup->timeline_file) || (*string->page && !setup->page_file)
		       ? -EIO
		       : 0;
}

/* @written: 0, or -ENOMEM if there was no memory for all of it. */
static int end_file(FILE *file, const char *path, int written)
{
	if (written)
		fprintf(stderr, "ringfence: no memory for all of %s\n", path);
	return rf_output_close(file, path) ? -EIO : written;
}

static int end_timeline(struct rf_setup *setup)
{
	const struct rfsim_string *string = &setup->string;
	const struct rf_timeline_page page = { string->text, string->page, string->timeline };
	int error = 0, later = 0;

	if (setup->timeline_file)
		error = end_file(setup->timeline_file, string->timeline,
				 rf_timeline_write(setup->timeline, setup->timeline_file));
	if (setup->page_file)
		later = end_file(setup->page_file, string->page,
				 rf_timeline_write_page(setup->timeline, setup->page_file, &page));
	rf_timeline_destroy(setup->timeline);
	return error ? error : later;
}

/* @all: the others get drivers too */
static int create_sim(struct rf_setup *setup, const struct rfsim_string *string, bool all)
{
	int error = *string->wave ? rf_wave_prepare() : 0;

	if (!error)
		error = rf_setup_create_string(setup, string, NULL);
	if (!error && all)
		error = add_devices(setup, string);
	if (error)
		return error;
	rf_world_watch(&setup->world);
	error = begin_timeline(setup, string);
	if (!error && *string->wave)
		error = begin_waves(setup, string);
	if (error)
		rf_setup_destroy(setup);
	return error;
}

static int open_sim(struct rf_setup *setup, const char *name, bool all)
{
	struct rfsim_string string;
	int error = parse_string(name, all, &string);

	return error ? error : create_sim(setup, &string, all);
}

/* The word that --devices stands for, behind the others. */
static int open_sim_devices(struct rf_setup *setup, const char *name, uint64_t count)
{
	bool words = name[strlen("sim:")];
	char *text;
	int error;

	if (!count)
		return open_sim(setup, name, true);
	if (asprintf(&text, "%s%sdevices=%" PRIu64, name, words ? "," : "", count) < 0) {
		fprintf(stderr, "ringfence: no memory\n");
		return -ENOMEM;
	}
	error = open_sim(setup, text, true);
	free(text);
	return error;
}

/* --- loaded miniports ------------------------------------------------------------------ */

int rf_setup_create_miniport(struct rf_setup *setup, const char *path)
{
	char problem[RF_MINIPORT_PROBLEM];
	int error;

	memset(setup, 0, sizeof(*setup));
	error = rf_world_create_miniport(&setup->world, path, problem);
	if (error)
		fprintf(stderr, "ringfence: cannot open miniport:%s: %s\n", path, problem);
	return error;
}

static int open_miniport(struct rf_setup *setup, const char *name)
{
	const char *step;
	int error = rf_setup_create_miniport(setup, name + strlen(RF_MINIPORT_PREFIX));

	if (error)
		return error;
	error = add_driver(setup, NULL, &step);
	return error ? complain_of_step(setup, step, error) : 0;
}

/* --- any device --------------------------------------------------------------------------- */

int rf_setup_open(struct rf_setup *setup, const char *name)
{
	const char *step;
	int error;

	memset(setup, 0, sizeof(*setup));
	if (is_prefix("sim:", name))
		return open_sim(setup, name, false);
	if (is_prefix("pci:", name)) {
		error = rf_world_create_pci_bus(&setup->world, name + strlen("pci:"));
		if (!error)
			error = add_driver(setup, NULL, &step);
	} else if (is_prefix(RF_MINIPORT_PREFIX, name)) {
		return open_miniport(setup, name);
	} else {
		error = rf_device_open(name, &setup->device);
	}
	if (error) {
		fprintf(stderr, "ringfence: cannot open %s: %s\n", name,
			rf_open_reason(name, error));
		rf_setup_destroy(setup);
	}
	return error;
}

int rf_setup_open_world(struct rf_setup *setup, const char *name)
{
	struct rfsim_string string;
	int error;

	if (!is_prefix("sim:", name))
		return rf_setup_open(setup, name);
	memset(setup, 0, sizeof(*setup));
	error = rf_setup_parse(name, &string);
	return error ? error : create_sim(setup, &string, !string.device_given);
}

int rf_setup_open_devices(struct rf_setup *setup, const char *name, uint64_t count)
{
	memset(setup, 0, sizeof(*setup));
	if (is_prefix("sim:", name))
		return open_sim_devices(setup, name, count);
	if (count <= 1)
		return rf_setup_open(setup, name);
	fprintf(stderr,
		"ringfence: cannot open %s with --devices %" PRIu64 ": only simulated devices are "
		"several; leave out --devices, or use --device sim:\n",
		name, count);
	return -EINVAL;
}

/* Between two calls: a few accesses of the host, and nothing else */
#define STALLED_CYCLES 4096u

void rf_setup_stalled(struct rf_setup *setup)
{
	struct rfsim_world *world = setup->world.simulation;

	if (!world)
		return;
	if (rfsim_cycle(world) - setup->stalled < STALLED_CYCLES)
		rfsim_step(world, RF_WORLD_TDR_CYCLES / 4);
	setup->stalled = rfsim_cycle(world);
}

int rf_setup_destroy(struct rf_setup *setup)
{
	int error = rf_wave_end();
	unsigned int i;

	if (end_timeline(setup))
		error = -EIO;
	for (i = 0; i < RF_WORLD_DEVICES - 1; i++)
		if (setup->more[i])
			rf_device_close(setup->more[i]);
	if (setup->device)
		rf_device_close(setup->device);
	if (rf_world_destroy(&setup->world))
		error = -EIO;
	memset(setup, 0, sizeof(*setup));
	return error;
}

int rf_setup_function(const struct rf_setup *setup, const char *name, char function[16])
{
	char path[64], link[PATH_MAX];
	struct stat status;

	if (setup->world.sim || setup->world.miniport)
		return -ENODEV;
	if (setup->world.bus) {
		snprintf(function, 16, "%s", name + strlen("pci:"));
		return 0;
	}
	if (fstat(rf_device_fd(setup->device), &status))
		return -ENODEV;
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device", major(status.st_rdev),
		 minor(status.st_rdev));
	if (!realpath(path, link))
		return -ENODEV;
	snprintf(function, 16, "%s", strrchr(link, '/') + 1);
	return 0;
}

unsigned int rf_setup_count(const struct rf_setup *setup)
{
	return 1 + setup->world.more_count;
}

struct rf_device *rf_setup_device(const struct rf_setup *setup, unsigned int device)
{
	return device ? setup->more[device - 1] : setup->device;
}

struct rf_hosted_device *rf_setup_hosted(const struct rf_setup *setup, unsigned int device)
{
	return device ? setup->world.more[device - 1].hosted_device : setup->world.hosted_device;
}

struct rfsim_device *rf_setup_sim(const struct rf_setup *setup, unsigned int device)
{
	return device ? setup->world.more[device - 1].sim : setup->world.sim;
}

uint64_t rf_setup_register(struct rf_setup *setup, unsigned int device, uint64_t offset)
{
	struct rf_bus *bus = device ? setup->world.more[device - 1].bus : setup->world.bus;

	return rf_bus_read64(bus, RF_BAR_REGISTERS, offset);
}
