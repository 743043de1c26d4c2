// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Callbacks of the core: trace events, and a device coredump of a hang.
 *
 * Fences wait for the reset of an engine, so nothing may be allocated before it: the dump is
 * written to memory allocated at probe, and a work item makes the device coredump. A second hang
 * before that work item has run leaves no dump.
 */
#include <drm/drm_managed.h>
#include <linux/devcoredump.h>
#include <linux/vmalloc.h>

#include "rf_linux.h"
#include "rf_trace.h"

/* Enough for the text dump of a fully loaded device, which leaves out fields that are 0 */
#define DUMP_BYTES (256u << 10)

/* --- post mortem -------------------------------------------------------------------------- */

static void rf_observer_hang(void *argument, u32 node)
{
	struct ringfence_device *device = argument;
	size_t bytes;

	trace_ringfence_hang(device, node);
	if (smp_load_acquire(&device->dump_bytes))
		return;
	bytes = kmd_adapter_dump_hang(device->adapter, false, device->dump, DUMP_BYTES);
	smp_store_release(&device->dump_bytes, min(bytes, DUMP_BYTES));
	schedule_work(&device->coredump);
}

static void rf_coredump_work(struct work_struct *work)
{
	struct ringfence_device *device = container_of(work, struct ringfence_device, coredump);
	size_t bytes = smp_load_acquire(&device->dump_bytes);
	void *copy = vmalloc(bytes);

	if (copy) {
		memcpy(copy, device->dump, bytes);
		dev_coredumpv(device->drm.dev, copy, bytes, GFP_KERNEL);
	}
	smp_store_release(&device->dump_bytes, 0);
}

/* --- traces --------------------------------------------------------------------------------- */

static void rf_observer_reset(void *argument, u32 node, int result)
{
	trace_ringfence_reset(argument, node, result);
	if (node == KMD_NODE_ALL && !result)
		rf_recovery_report_reset(argument);
}

static void rf_observer_preempt(void *argument, struct rf_file *file, u32 queue, u32 node,
				bool done)
{
	trace_ringfence_preempt(file, queue, node, done);
}

static void rf_observer_job(void *argument, struct rf_file *file, u32 queue, u32 node,
			    enum kmd_job_step step, u64 progress, u32 jobs)
{
	switch (step) {
	case KMD_JOB_SUBMITTED:
		trace_ringfence_submit(file, queue, node, progress, jobs);
		break;
	case KMD_JOB_BEGUN:
		trace_ringfence_run(file, queue, node, progress, jobs);
		break;
	case KMD_JOB_DONE:
		trace_ringfence_done(file, queue, node, progress, jobs);
		break;
	}
}

static const struct kmd_observer observer = {
	.hang = rf_observer_hang,
	.reset = rf_observer_reset,
	.preempt = rf_observer_preempt,
	.job = rf_observer_job,
};

/* --- traces of logs, which are larger while a tracer reads them ------------------------ */

static DEFINE_MUTEX(observed_mutex);
static LIST_HEAD(observed); /* devices; guarded by the mutex, as the next */
static unsigned int readers;

static void rf_observer_log_entry(void *argument, const struct kmd_log_event *event)
{
	if (event->type == RF_LOG_TYPE_SIGNALS)
		trace_ringfence_gpu_signal(event->file, event->queue, event->lost, event->entry);
	else
		trace_ringfence_gpu_wait(event->file, event->queue, event->lost, event->entry);
}

static void rf_observer_trace_logs(struct ringfence_device *device)
{
	kmd_adapter_trace(device->adapter, readers ? rf_observer_log_entry : NULL, device);
}

static void rf_observer_add_readers(int count)
{
	struct ringfence_device *device;

	mutex_lock(&observed_mutex);
	readers += count;
	list_for_each_entry(device, &observed, observed_link)
		rf_observer_trace_logs(device);
	mutex_unlock(&observed_mutex);
}

int rf_trace_logs_begin(void)
{
	rf_observer_add_readers(1);
	return 0;
}

void rf_trace_logs_end(void)
{
	rf_observer_add_readers(-1);
}

/* --- life ------------------------------------------------------------------------------------ */

void rf_observe(struct ringfence_device *device)
{
	kmd_adapter_observe(device->adapter, &observer, device);
	mutex_lock(&observed_mutex);
	list_add(&device->observed_link, &observed);
	rf_observer_trace_logs(device);
	mutex_unlock(&observed_mutex);
}

void rf_observe_end(struct ringfence_device *device)
{
	mutex_lock(&observed_mutex);
	list_del(&device->observed_link);
	mutex_unlock(&observed_mutex);
	kmd_adapter_trace(device->adapter, NULL, NULL);
	kmd_adapter_observe(device->adapter, NULL, NULL);
	flush_work(&device->coredump);
}

static void rf_observer_free_dump(struct drm_device *drm, void *dump)
{
	vfree(dump);
}

int rf_observer_init(struct ringfence_device *device)
{
	INIT_WORK(&device->coredump, rf_coredump_work);
	device->dump = vmalloc(DUMP_BYTES);
	if (!device->dump)
		return -ENOMEM;
	return drmm_add_action_or_reset(&device->drm, rf_observer_free_dump, device->dump);
}
