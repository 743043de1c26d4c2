// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The sync domain of all devices of the driver, so that each may open fences of the others. It
 * lives as long as the module. Its work item does the pending work that a hold of the core's
 * wait_lock leaves, whichever device that is for.
 */
#include <linux/delay.h>
#include <linux/dma-fence.h>

#include "rf_linux.h"

/* Between two polls of a busy device */
#define BUSY_PERIOD_US 20

/* The core does not say which adapter has work; kmd_adapter_work() of one that has none does nothing. */
static void rf_domain_want_work(struct rf_domain *domain)
{
	struct ringfence_device *device;

	spin_lock(&domain->lock);
	list_for_each_entry(device, &domain->devices, domain_link)
		schedule_work(&device->work);
	spin_unlock(&domain->lock);
}

/* The core queues it again for its next step, behind the other works of the queue. */
static void rf_domain_go_on_work(struct work_struct *work)
{
	struct rf_domain *domain = container_of(work, struct rf_domain, go_on);
	bool cookie = dma_fence_begin_signalling();
	bool wanted;

	if (kmd_sync_domain_go_on(domain->core, &wanted))
		usleep_range(BUSY_PERIOD_US, 2 * BUSY_PERIOD_US);
	if (wanted)
		rf_domain_want_work(domain);
	dma_fence_end_signalling(cookie);
}

void rf_shell_go_on(struct rf_os *os)
{
	struct rf_domain *domain = container_of(os, struct rf_domain, os);

	queue_work(domain->sync_queue, &domain->go_on);
}

void rf_domain_join(struct ringfence_device *device)
{
	spin_lock(&device->domain->lock);
	list_add_tail(&device->domain_link, &device->domain->devices);
	spin_unlock(&device->domain->lock);
}

void rf_domain_leave(struct ringfence_device *device)
{
	spin_lock(&device->domain->lock);
	list_del(&device->domain_link);
	spin_unlock(&device->domain->lock);
}

int rf_domain_init(struct rf_domain *domain)
{
	int ret;

	rf_os_init(&domain->os, NULL);
	INIT_WORK(&domain->go_on, rf_domain_go_on_work);
	spin_lock_init(&domain->lock);
	INIT_LIST_HEAD(&domain->devices);
	domain->sync_queue =
		alloc_workqueue("ringfence-sync", WQ_UNBOUND | WQ_HIGHPRI | WQ_MEM_RECLAIM, 0);
	if (!domain->sync_queue)
		return -ENOMEM;
	ret = kmd_sync_domain_create(&domain->os, &domain->core);
	if (ret)
		destroy_workqueue(domain->sync_queue);
	return ret;
}

void rf_domain_destroy(struct rf_domain *domain)
{
	cancel_work_sync(&domain->go_on);
	kmd_sync_domain_destroy(domain->core);
	destroy_workqueue(domain->sync_queue);
}
