// SPDX-License-Identifier: Apache-2.0
/*
 * Which model a device gets: the one that is linked, or one in a file of its own. For waves, since
 * a model that can write them takes twice as long to compile and is slower; and for a device behind
 * its PCIe link, which is another top.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "device_model.h"
#include "rfsim.h"

typedef struct device_model *create_function(bool assertions);
typedef struct device_model *create_linked_function(const struct linked_options *options);

static _Atomic(create_function *) create = verilated_create;
static _Atomic(create_linked_function *) create_linked;

/* @what is in the file; @hint: how to get it. NULL, and a line in @problem, if it is not there. */
static void *load(const char *path, const char *name, const char *what, const char *hint,
		  char problem[512])
{
	void *library, *found = NULL;

	if (access(path, F_OK)) {
		snprintf(problem, 512, "%s is not there, %s: %s", what, path, hint);
		return NULL;
	}
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (library)
		found = dlsym(library, name);
	if (!found)
		snprintf(problem, 512, "%s: %s", what, dlerror());
	return found;
}

const char *rfsim_waves(void)
{
	static _Thread_local char problem[512];
	create_function *found;

	if (verilated_has_waves() || create != verilated_create)
		return NULL;
	*(void **)&found = load(RFSIM_WAVE_LIBRARY, "verilated_create",
				"the model that writes waves", RFSIM_WAVE_HINT, problem);
	if (!found)
		return problem;
	create = found;
	return NULL;
}

const char *rfsim_link(void)
{
	static _Thread_local char problem[512];
	create_linked_function *found;
	const char *small;

	if (create_linked)
		return NULL;
	if (!verilated_link_library)
		return "link= is for Ringfence's own device, and the model in this program is "
		       "another one";
	small = verilated_link_library();
	*(void **)&found = load(small ? small : RFSIM_LINK_LIBRARY, "linked_create",
				"the model of a device behind a PCIe link",
				small ? "\"make link-model-small\"" : RFSIM_LINK_HINT, problem);
	if (!found)
		return problem;
	create_linked = found;
	return NULL;
}

struct device_model *model_create(bool assertions)
{
	return create(assertions);
}

struct device_model *linked_model_create(const struct linked_options *options)
{
	return create_linked(options);
}
