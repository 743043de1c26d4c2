// SPDX-License-Identifier: Apache-2.0
/*
 * Which model a device gets: the one that is linked, or, for waves, the one in a file of its own.
 * A model that can write waves takes twice as long to compile and is slower.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "device_model.h"
#include "rfsim.h"

typedef struct device_model *create_function(bool assertions);

static _Atomic(create_function *) create = verilated_create;

const char *rfsim_waves(void)
{
	static _Thread_local char problem[512];
	create_function *found = NULL;
	void *library;

	if (verilated_has_waves() || create != verilated_create)
		return NULL;
	if (access(RFSIM_WAVE_LIBRARY, F_OK)) {
		snprintf(problem, sizeof(problem),
			 "the model that writes waves is not there, %s: " RFSIM_WAVE_HINT,
			 RFSIM_WAVE_LIBRARY);
		return problem;
	}
	library = dlopen(RFSIM_WAVE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (library)
		*(void **)&found = dlsym(library, "verilated_create");
	if (!found) {
		snprintf(problem, sizeof(problem), "the model that writes waves: %s", dlerror());
		return problem;
	}
	create = found;
	return NULL;
}

struct device_model *model_create(bool assertions)
{
	return create(assertions);
}
