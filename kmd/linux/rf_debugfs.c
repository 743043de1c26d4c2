// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Files of a device in debugfs, dri/<address>/, for CAP_SYS_ADMIN: statistics since the device was
 * started, one name and number a line; and a dump of the present state of kernel and device, in
 * the format of a device coredump or as JSON.
 */
#include <drm/drm_debugfs.h>
#include <linux/capability.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>

#include "rf_linux.h"

static int rf_debugfs_show_statistics(struct seq_file *file, void *data)
{
	struct drm_debugfs_entry *entry = file->private;
	struct ringfence_device *device = drm_to_ringfence(entry->dev);
	struct kmd_statistics statistics = { 0 };
	int ret;

	if (!capable(CAP_SYS_ADMIN)) /* statistics cover all processes */
		return -EPERM;
	ret = down_read_killable(&device->requests);
	if (ret)
		return ret;
	if (device->adapter)
		kmd_adapter_statistics(device->adapter, &statistics);
	up_read(&device->requests);

#define SHOW(name) seq_printf(file, #name " %llu\n", statistics.name)
	SHOW(interrupts);
	SHOW(fences_listed);
	SHOW(evaluate_all);
	SHOW(evaluate_legacy);
	SHOW(monitored_updates);
	SHOW(resample_hits);
	SHOW(waits);
	SHOW(wakes);
	SHOW(notifications);
	SHOW(log_entries);
	SHOW(log_overruns);
	SHOW(log_refused);
	SHOW(lost_interrupts);
	SHOW(residences);
	SHOW(evictions);
	SHOW(victims);
	SHOW(f1_transitions);
	SHOW(preemption_requests);
	SHOW(preemptions);
	SHOW(engine_resets);
	SHOW(demotions);
	SHOW(adapter_resets);
#undef SHOW
	return 0;
}

/* The dump may grow between two calls. */
static int rf_debugfs_print_dump(struct seq_file *file, struct kmd_adapter *adapter, bool json)
{
	size_t size = 0, used;
	char *text = NULL;

	while ((used = kmd_adapter_dump(adapter, json, text, size)) > size) {
		vfree(text);
		size = 2 * used;
		text = vmalloc(size);
		if (!text)
			return -ENOMEM;
	}
	seq_write(file, text, used);
	vfree(text);
	return 0;
}

static int rf_debugfs_dump_awake(struct seq_file *file, struct ringfence_device *device, bool json)
{
	int ret = down_read_killable(&device->requests);

	if (ret)
		return ret;
	ret = device->adapter ? rf_debugfs_print_dump(file, device->adapter, json) : -ENODEV;
	up_read(&device->requests);
	return ret;
}

static int rf_debugfs_dump(struct seq_file *file, bool json)
{
	struct drm_debugfs_entry *entry = file->private;
	struct ringfence_device *device = drm_to_ringfence(entry->dev);
	int index, ret;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	ret = rf_power_enter(device, &index);
	if (ret)
		return ret;
	ret = rf_debugfs_dump_awake(file, device, json);
	rf_power_exit(device, index);
	return ret;
}

static int rf_debugfs_show_dump(struct seq_file *file, void *data)
{
	return rf_debugfs_dump(file, false);
}

static int rf_debugfs_show_dump_json(struct seq_file *file, void *data)
{
	return rf_debugfs_dump(file, true);
}

void rf_debugfs_init(struct ringfence_device *device)
{
	drm_debugfs_add_file(&device->drm, "statistics", rf_debugfs_show_statistics, NULL);
	drm_debugfs_add_file(&device->drm, "dump", rf_debugfs_show_dump, NULL);
	drm_debugfs_add_file(&device->drm, "dump.json", rf_debugfs_show_dump_json, NULL);
}
