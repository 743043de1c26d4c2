// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Opening a file. It is closed in process_end.c. Locking: the adapter's mutex. */
#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/handle.h"
#include "base/link.h"
#include "base/sync_domain.h"
#include "recovery/device_power.h"
#include "scheduling/schedule.h"
#include "kmd.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"

int kmd_file_open(struct kmd_adapter *adapter, struct rf_file *shell, struct kmd_file **result)
{
	struct rf_create_process create = { 0 };
	struct kmd_file *file;
	unsigned long flags;
	int ret;

	if (kmd_adapter_is_wedged(adapter))
		return -ENODEV;
	file = rf_alloc(sizeof(*file));
	if (!file)
		return -ENOMEM;
	file->adapter = adapter;
	file->shell = shell;
	ret = kmd_schedule_file_create(file);
	if (ret) {
		rf_free(file);
		return ret;
	}
	ret = kmd_file_join_user(file);
	if (ret) {
		kmd_schedule_file_destroy(file);
		rf_free(file);
		return ret;
	}
	kmd_table_init(&file->table, adapter->sync_domain->os);
	rf_list_init(&file->memories);
	rf_list_init(&file->pages);
	rf_list_init(&file->mappings);
	rf_list_init(&file->local_fences);
	rf_list_init(&file->events);
	kmd_link_init(file);

	ret = kmd_request_lock_awake(adapter);
	if (ret)
		goto free_file;
	create.h_process = file;
	ret = adapter->ddi->create_process(adapter->h_adapter, &create);
	if (!ret) {
		file->h_process = create.h_process;
		flags = kmd_wait_lock(adapter->sync_domain);
		rf_list_insert(&file->link, &adapter->files);
		kmd_wait_unlock(adapter->sync_domain, flags);
	}
	rf_mutex_unlock(&adapter->mutex);
	if (ret)
		goto free_file;
	*result = file;
	return 0;

free_file:
	kmd_table_destroy(&file->table);
	kmd_file_leave_user(file);
	kmd_schedule_file_destroy(file);
	rf_free(file);
	return ret;
}
