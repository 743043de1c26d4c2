// SPDX-License-Identifier: Apache-2.0
#include "setup.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "arguments.h"
#include "rf_bus.h"

const char *rf_setup_name(const char *name)
{
	if (!name)
		name = getenv("RINGFENCE_DEVICE");
	return name ? name : "sim:";
}

/* --- why not ---------------------------------------------------------------------------- */

struct reason {
	const char *prefix;
	int error;
	const char *text;
};

/* The first that fits. */
static const struct reason reasons[] = {
	{ "sim:", EINVAL, "the name is sim: or sim:seed=N" },
	{ "drm:", ENODEV, "the driver serves no such render node; as root: modprobe ringfence" },
	{ "drm:", ENOENT, "there is no such file; drm: is the first node of the driver" },
	{ "drm:", EACCES, "no permission; render nodes are for the group render" },
	{ "pci:", EINVAL, "the name is as in pci:0000:00:04.0" },
	{ "pci:", ENOENT,
	  "there is no such function; lspci -D -d 1e5f: shows those that there are" },
	{ "pci:", ENODEV, "the function is another device; lspci -D -d 1e5f: shows ours" },
	{ "pci:", EBUSY,
	  "a kernel driver has it; as root: echo FUNCTION >/sys/bus/pci/devices/FUNCTION/driver/unbind" },
	{ "pci:", EAGAIN, "another process has it" },
	{ "pci:", EACCES, "no permission; a bare function is for root" },
	{ "pci:", EPERM, "no permission; a bare function is for root" },
	{ "pci:", EIO, "it does not answer; is its link up?" },
	{ "serial:", ENOENT, "there is no such file; the name is as in serial:/dev/ttyUSB0" },
	{ "serial:", ENOTTY, "the file is no serial line" },
	{ "serial:", EACCES, "no permission; serial lines are for the group dialout" },
	{ "serial:", EBUSY, "another process has it" },
	{ "serial:", ETIMEDOUT, "no board answers at 1 Mbaud" },
};

static bool is_prefix(const char *prefix, const char *name)
{
	return !strncmp(prefix, name, strlen(prefix));
}

const char *rf_setup_why(const char *name, int error)
{
	size_t i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (is_prefix(reasons[i].prefix, name) && reasons[i].error == -error)
			return reasons[i].text;
	if (!is_prefix("sim:", name) && !is_prefix("drm:", name) && !is_prefix("pci:", name) &&
	    !is_prefix("serial:", name))
		return "a device is sim:, drm:, pci: or serial:, see ringfence(1)";
	return strerror(-error);
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

int rf_setup_create(struct rf_setup *setup, const struct rfsim_config *config,
		    const struct rf_ddi *ddi)
{
	const char *step = "PCIe enumeration";
	int error = rf_setup_create_bus(setup, config, NULL);

	if (!error)
		error = add_driver(setup, ddi, &step);
	if (error) {
		fprintf(stderr, "ringfence: %s failed: %s\n", step, strerror(-error));
		rf_setup_destroy(setup);
	}
	return error;
}

/* "sim:" or "sim:seed=N" */
static int open_sim(struct rf_setup *setup, const char *name)
{
	struct rfsim_config config;

	rfsim_config_init(&config);
	if (!strcmp(name, "sim:"))
		return rf_setup_create(setup, &config, NULL);
	if (!is_prefix("sim:seed=", name)) {
		fprintf(stderr, "ringfence: cannot open %s: %s\n", name,
			rf_setup_why(name, -EINVAL));
		return -EINVAL;
	}
	if (rf_parse_number(name + strlen("sim:seed="), "sim:seed", &config.seed))
		return -EINVAL;
	return rf_setup_create(setup, &config, NULL);
}

int rf_setup_open(struct rf_setup *setup, const char *name)
{
	const char *step;
	int error;

	memset(setup, 0, sizeof(*setup));
	if (is_prefix("sim:", name))
		return open_sim(setup, name);
	if (is_prefix("pci:", name)) {
		error = rf_world_create_pci_bus(&setup->world, name + strlen("pci:"));
		if (!error)
			error = add_driver(setup, NULL, &step);
	} else {
		error = rf_device_open(name, &setup->device);
	}
	if (error) {
		fprintf(stderr, "ringfence: cannot open %s: %s\n", name, rf_setup_why(name, error));
		rf_setup_destroy(setup);
	}
	return error;
}

int rf_setup_destroy(struct rf_setup *setup)
{
	int error;

	if (setup->device)
		rf_device_close(setup->device);
	error = rf_world_destroy(&setup->world);
	memset(setup, 0, sizeof(*setup));
	return error;
}

int rf_setup_function(const struct rf_setup *setup, const char *name, char function[16])
{
	char path[64], link[PATH_MAX];
	struct stat status;

	if (setup->world.sim)
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

uint64_t rf_setup_register(struct rf_setup *setup, uint64_t offset)
{
	return rf_bus_read64(setup->world.bus, RF_BAR_REGISTERS, offset);
}
