// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What root sees of a device in debugfs, dri/<address>/: statistics since it was started, one
 * name and number a line.
 */
#include <drm/drm_debugfs.h>
#include <linux/seq_file.h>

#include "rf_linux.h"

static int show_statistics(struct seq_file *file, void *data)
{
	struct drm_debugfs_entry *entry = file->private;
	struct ringfence_device *device = drm_to_ringfence(entry->dev);
	struct kmd_statistics statistics = { 0 };
	int ret;

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
	SHOW(log_entries);
	SHOW(log_overruns);
	SHOW(lost_interrupts);
	SHOW(residences);
	SHOW(evictions);
	SHOW(victims);
	SHOW(preemption_requests);
	SHOW(preemptions);
	SHOW(engine_resets);
	SHOW(adapter_resets);
#undef SHOW
	return 0;
}

void rf_debugfs_init(struct ringfence_device *device)
{
	drm_debugfs_add_file(&device->drm, "statistics", show_statistics, NULL);
}
