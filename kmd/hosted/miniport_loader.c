// SPDX-License-Identifier: GPL-2.0 OR MIT
/* See rf_miniport_loader.h. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "miniport_bus.h"
#include "rf_miniport_loader.h"

#define LOCAL_PAGE_BYTES 4096u

/**
 * struct rf_loaded_miniport - a device of a shared object
 * @bus: its bus
 * @ddi: its table, completed
 * @library: of dlopen()
 */
struct rf_loaded_miniport {
	struct miniport_bus bus;
	struct rf_ddi ddi;
	void *library;
};

/* --- functions that a table may leave out ------------------------------------------------- */

/* The core's handle of a process is the miniport's too. */
static int hosted_no_process(void *h_adapter, struct rf_create_process *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return 0;
}

static int hosted_no_process_destroy(void *h_adapter, const struct rf_destroy_process *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return 0;
}

/* An instance of a fence is a handle and nothing else. */
static int hosted_no_fence_open(void *h_adapter, struct rf_open_native_fence *arguments)
{
	void *handle = malloc(1);

	(void)h_adapter;
	if (!handle)
		return -ENOMEM;
	arguments->h_local_native_fence = handle;
	return 0;
}

static int hosted_no_fence_close(void *h_adapter, const struct rf_close_native_fence *arguments)
{
	(void)h_adapter;
	free(arguments->h_local_native_fence);
	return 0;
}

/* The core makes its queues resident. */
static void hosted_no_context_resume(void *h_adapter, const struct rf_resume_context *arguments)
{
	(void)h_adapter;
	(void)arguments;
}

/* No queue reports that it may be evicted. */
static void hosted_no_rearm(void *h_adapter, const struct rf_rearm_hw_queue *arguments)
{
	(void)h_adapter;
	(void)arguments;
}

/* It is made resident to find out. */
static void hosted_has_work(void *h_adapter, struct rf_query_hw_queue_work *arguments)
{
	(void)h_adapter;
	arguments->has_work = true;
}

/* The buffers stay empty; the core finds each signal by its value. */
static int hosted_no_log(void *h_adapter, const struct rf_set_native_fence_log_buffer *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return 0;
}

static int hosted_no_log_update(void *h_adapter,
				const struct rf_update_native_fence_logs *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return 0;
}

/* connect_doorbell never asks for it. */
static void hosted_no_notice(void *h_adapter, const struct rf_notify_work_submission *arguments)
{
	(void)h_adapter;
	(void)arguments;
}

static int hosted_no_context(void *h_adapter, struct rf_create_context *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return -EOPNOTSUPP;
}

static void hosted_no_context_destroy(void *h_adapter, const struct rf_destroy_context *arguments)
{
	(void)h_adapter;
	(void)arguments;
}

static int hosted_no_render(void *h_adapter, struct rf_render *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return -EINVAL;
}

static int hosted_no_patch(void *h_adapter, const struct rf_patch *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return -EINVAL;
}

static int hosted_no_submission(void *h_adapter, const struct rf_submit_command *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return -EIO;
}

static int hosted_no_paging(void *h_adapter, struct rf_build_paging_buffer *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return -EIO;
}

static void hosted_nothing(void *h_adapter)
{
	(void)h_adapter;
}

static int hosted_no_f_state(void *h_adapter,
			     const struct rf_set_power_component_f_state *arguments)
{
	(void)h_adapter;
	return arguments->f_state ? -EOPNOTSUPP : 0;
}

static int hosted_no_d_state(void *h_adapter, const struct rf_set_power_state *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return 0;
}

static int hosted_engine_is_responsive(void *h_adapter, struct rf_query_engine_status *arguments)
{
	(void)h_adapter;
	arguments->responsive = true;
	return 0;
}

static int hosted_engine_is_alone(void *h_adapter,
				  struct rf_query_dependent_engine_group *arguments)
{
	(void)h_adapter;
	arguments->dependent_node_ordinal_mask = 1ull << arguments->node_ordinal;
	return 0;
}

static int hosted_no_engine_reset(void *h_adapter, struct rf_reset_engine *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return -EIO;
}

static int hosted_no_hw_engine(void *h_adapter, const struct rf_hw_engine *arguments)
{
	(void)h_adapter;
	(void)arguments;
	return -EIO;
}

static int hosted_no_reset(void *h_adapter)
{
	(void)h_adapter;
	return -EIO;
}

#define COMPLETE(function, instead) ((ddi)->function = (ddi)->function ?: (instead))

/*
 * The packet model, power and recovery are no part of fences, queues and interrupts; and not every
 * device keeps something about processes, instances of fences or logs.
 */
static void hosted_complete_table(struct rf_ddi *ddi)
{
	COMPLETE(create_process, hosted_no_process);
	COMPLETE(destroy_process, hosted_no_process_destroy);
	COMPLETE(open_native_fence, hosted_no_fence_open);
	COMPLETE(close_native_fence, hosted_no_fence_close);
	COMPLETE(resume_context, hosted_no_context_resume);
	COMPLETE(rearm_hw_queue, hosted_no_rearm);
	COMPLETE(query_hw_queue_work, hosted_has_work);
	COMPLETE(set_native_fence_log_buffer, hosted_no_log);
	COMPLETE(update_native_fence_logs, hosted_no_log_update);
	COMPLETE(notify_work_submission, hosted_no_notice);
	COMPLETE(create_context, hosted_no_context);
	COMPLETE(destroy_context, hosted_no_context_destroy);
	COMPLETE(render, hosted_no_render);
	COMPLETE(patch, hosted_no_patch);
	COMPLETE(submit_command, hosted_no_submission);
	COMPLETE(build_paging_buffer, hosted_no_paging);
	COMPLETE(look_for_idle, hosted_nothing);
	COMPLETE(set_power_component_f_state, hosted_no_f_state);
	COMPLETE(set_power_state, hosted_no_d_state);
	COMPLETE(query_engine_status, hosted_engine_is_responsive);
	COMPLETE(query_dependent_engine_group, hosted_engine_is_alone);
	COMPLETE(reset_engine, hosted_no_engine_reset);
	COMPLETE(reset_hw_engine, hosted_no_hw_engine);
	COMPLETE(resume_hw_engine, hosted_no_hw_engine);
	COMPLETE(reset_from_timeout, hosted_no_reset);
	COMPLETE(restart_from_timeout, hosted_no_reset);
	COMPLETE(dpc_routine, hosted_nothing);
}

#define REQUIRED(function)                                   \
	{                                                    \
#function, offsetof(struct rf_ddi, function) \
	}

static const struct {
	const char *name;
	size_t offset;
} required[] = {
	REQUIRED(start_device),
	REQUIRED(stop_device),
	REQUIRED(query_adapter_info),
	REQUIRED(map_gpu_virtual_address),
	REQUIRED(replace_gpu_page),
	REQUIRED(unmap_gpu_virtual_address),
	REQUIRED(create_native_fence),
	REQUIRED(destroy_native_fence),
	REQUIRED(update_monitored_values),
	REQUIRED(update_current_values_from_cpu),
	REQUIRED(create_hw_context),
	REQUIRED(destroy_hw_context),
	REQUIRED(suspend_context),
	REQUIRED(create_hw_queue),
	REQUIRED(destroy_hw_queue),
	REQUIRED(submit_command_to_hw_queue),
	REQUIRED(make_hw_queue_resident),
	REQUIRED(evict_hw_queue),
	REQUIRED(resume_hw_queue),
	REQUIRED(create_doorbell),
	REQUIRED(connect_doorbell),
	REQUIRED(disconnect_doorbell),
	REQUIRED(destroy_doorbell),
	REQUIRED(interrupt_routine),
};

/* --- loading ------------------------------------------------------------------------------ */

static int hosted_check_table(const struct rf_miniport_module *module, char *problem)
{
	void (*function)(void);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(required); i++) {
		memcpy(&function, (const char *)module->ddi + required[i].offset, sizeof(function));
		if (function)
			continue;
		snprintf(problem, RF_MINIPORT_PROBLEM,
			 "its DDI table has no %s; kmd/ddi/rf_ddi.h (installed as rf_ddi.h) "
			 "says what it does",
			 required[i].name);
		return -EINVAL;
	}
	return 0;
}

static int hosted_check_module(const struct rf_miniport_module *module, char *problem)
{
	if (module->version != RF_MINIPORT_MODULE_VERSION) {
		snprintf(problem, RF_MINIPORT_PROBLEM,
			 "it has version %u of rf_miniport_module.h, this program version %u; "
			 "compile it with the headers of this program",
			 module->version, RF_MINIPORT_MODULE_VERSION);
		return -ENOEXEC;
	}
	if (module->ddi_bytes != sizeof(struct rf_ddi)) {
		snprintf(problem, RF_MINIPORT_PROBLEM,
			 "its struct rf_ddi has %u bytes, that of this program %zu; compile it "
			 "with the headers of this program",
			 module->ddi_bytes, sizeof(struct rf_ddi));
		return -ENOEXEC;
	}
	if (!module->ddi || !module->store) {
		snprintf(problem, RF_MINIPORT_PROBLEM, "its rf_miniport_module has no %s",
			 module->ddi ? "store" : "ddi");
		return -EINVAL;
	}
	if (module->local_memory_bytes % LOCAL_PAGE_BYTES) {
		snprintf(problem, RF_MINIPORT_PROBLEM,
			 "local_memory_bytes is %llu, which is no multiple of %u",
			 (unsigned long long)module->local_memory_bytes, LOCAL_PAGE_BYTES);
		return -EINVAL;
	}
	return hosted_check_table(module, problem);
}

static int hosted_open_module(struct rf_loaded_miniport *miniport,
			      const struct rf_miniport_module *module, char *problem)
{
	int ret = miniport_bus_init(&miniport->bus, module);

	if (ret) {
		snprintf(problem, RF_MINIPORT_PROBLEM, "no memory for %llu bytes of local memory",
			 (unsigned long long)module->local_memory_bytes);
		return ret;
	}
	ret = module->open ? module->open(&miniport->bus.base) : 0;
	if (ret) {
		snprintf(problem, RF_MINIPORT_PROBLEM, "its open() fails: %s", strerror(-ret));
		miniport_bus_destroy(&miniport->bus);
		return ret;
	}
	miniport->ddi = *module->ddi;
	hosted_complete_table(&miniport->ddi);
	if (module->run)
		miniport_serial_wrap(&miniport->bus, &miniport->ddi);
	return 0;
}

static int hosted_load_library(const char *path, void **library, char *problem)
{
	char slashed[4096];

	if (access(path, R_OK)) {
		snprintf(problem, RF_MINIPORT_PROBLEM, "cannot read %.100s: %s", path,
			 strerror(errno));
		return -ENOENT;
	}
	/* without a slash dlopen() looks elsewhere */
	if (snprintf(slashed, sizeof(slashed), "%s%s", strchr(path, '/') ? "" : "./", path) >=
	    (int)sizeof(slashed))
		return -ENOENT;
	*library = dlopen(slashed, RTLD_NOW | RTLD_LOCAL);
	if (*library)
		return 0;
	snprintf(problem, RF_MINIPORT_PROBLEM, "it is no shared object that can be loaded: %.180s",
		 dlerror());
	return -ENOEXEC;
}

int rf_miniport_load(const char *path, struct rf_loaded_miniport **result, char *problem)
{
	struct rf_loaded_miniport *miniport = calloc(1, sizeof(*miniport));
	const struct rf_miniport_module *module;
	int ret;

	if (!miniport) {
		snprintf(problem, RF_MINIPORT_PROBLEM, "no memory");
		return -ENOMEM;
	}
	ret = hosted_load_library(*path ? path : RF_MINIPORT_SAMPLE, &miniport->library, problem);
	if (ret == -ENOENT && !*path)
		snprintf(problem, RF_MINIPORT_PROBLEM,
			 "the sample is not there: " RF_MINIPORT_HINT ". A miniport of yours is "
			 "miniport:./mine.so");
	if (ret)
		goto free_miniport;
	module = dlsym(miniport->library, RF_MINIPORT_MODULE_SYMBOL);
	if (!module) {
		snprintf(problem, RF_MINIPORT_PROBLEM,
			 "it does not define " RF_MINIPORT_MODULE_SYMBOL
			 "; rf_miniport_module.h says how");
		ret = -ENOEXEC;
	} else {
		ret = hosted_check_module(module, problem);
	}
	if (!ret)
		ret = hosted_open_module(miniport, module, problem);
	if (ret)
		goto close_library;
	*result = miniport;
	return 0;

close_library:
	dlclose(miniport->library);
free_miniport:
	free(miniport);
	return ret;
}

void rf_miniport_unload(struct rf_loaded_miniport *miniport)
{
	if (miniport->bus.module->close)
		miniport->bus.module->close(&miniport->bus.base);
	miniport_bus_destroy(&miniport->bus);
	dlclose(miniport->library);
	free(miniport);
}

struct rf_bus *rf_miniport_get_bus(struct rf_loaded_miniport *miniport)
{
	return &miniport->bus.base.bus;
}

const struct rf_ddi *rf_miniport_get_ddi(const struct rf_loaded_miniport *miniport)
{
	return &miniport->ddi;
}

unsigned long long rf_miniport_interrupts(struct rf_loaded_miniport *miniport)
{
	unsigned long long count;

	pthread_mutex_lock(&miniport->bus.mutex);
	count = miniport->bus.raised;
	pthread_mutex_unlock(&miniport->bus.mutex);
	return count;
}

int rf_miniport_is_idle(struct rf_loaded_miniport *miniport)
{
	const struct rf_miniport_module *module = miniport->bus.module;

	return module->is_idle ? module->is_idle(&miniport->bus.base) : -EOPNOTSUPP;
}
