// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Restart of a lost device, and the uevent about it.
 *
 * The core resets the function when the device does not answer or has lost its state
 * (kmd/core/recovery/watchdog.c). If that fails, or the device broke its contract with the
 * miniport, the adapter is lost and a work item here restarts the device: rf_device_stop(), FLR,
 * rf_device_start(), as for a reset through sysfs. Files that were open stay lost. The delay before
 * the next attempt doubles while attempts fail; after RECOVERY_MAX failures the device is given up
 * until root resets it. A device that works between losses is restarted every 32 seconds at most.
 *
 * A reset restores the configuration space saved at probe and not the present one: bus mastering,
 * memory decode, BARs and payload sizes may have been changed from outside.
 *
 * User space gets the DRM uevent for wedged devices, also on kernels without
 * drm_dev_wedged_event(): WEDGED=none after a reset, WEDGED=rebind,bus-reset when the device is
 * given up.
 *
 * Locking: the lock of the device excludes probe, removal and other resets. Removal holds it while
 * it waits for the work item, so the work item only tries to take it.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <linux/kobject.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>

#include "rf_linux.h"

/* Failed restarts in a row before the device is given up */
#define RECOVERY_MAX 6
/* Delay of the second attempt, which doubles for each later one, up to so many times */
#define RECOVERY_MS 1000
#define RECOVERY_DOUBLE 5
/* A device that worked for so long starts again with the first delay */
#define RECOVERY_HEALTHY_MS 60000

/* --- configuration ------------------------------------------------------------------------ */

static void rf_recovery_free_configuration(void *argument)
{
	struct ringfence_device *device = argument;

	kfree(device->configuration);
}

int rf_recovery_keep_configuration(struct ringfence_device *device)
{
	struct pci_dev *pci = ringfence_pci(device);

	pci_save_state(pci);
	device->configuration = pci_store_saved_state(pci);
	if (!device->configuration)
		return -ENOMEM;
	return devm_add_action_or_reset(&pci->dev, rf_recovery_free_configuration, device);
}

int rf_recovery_reset_function(struct ringfence_device *device)
{
	struct pci_dev *pci = ringfence_pci(device);
	int ret;

	rf_bar_access_end(device);
	pci_write_config_word(pci, PCI_COMMAND, PCI_COMMAND_INTX_DISABLE);
	ret = pcie_reset_flr(pci, PCI_RESET_DO_RESET);
	if (!pci_load_saved_state(pci, device->configuration))
		pci_restore_state(pci);
	rf_bar_access_begin(device);
	return ret ? -EIO : 0;
}

/* --- uevents ------------------------------------------------------------------------------ */

#ifndef RF_HAVE_WEDGED_EVENT
#define DRM_WEDGE_RECOVERY_NONE BIT(0)
#define DRM_WEDGE_RECOVERY_REBIND BIT(1)
#define DRM_WEDGE_RECOVERY_BUS_RESET BIT(2)
#endif

static void rf_recovery_wedged_work(struct work_struct *work)
{
	struct ringfence_device *device = container_of(work, struct ringfence_device, tell_wedged);
	unsigned long method = READ_ONCE(device->wedged);
#if defined(RF_HAVE_WEDGE_TASK_INFO)
	drm_dev_wedged_event(&device->drm, method, NULL);
#elif defined(RF_HAVE_WEDGED_EVENT)
	drm_dev_wedged_event(&device->drm, method);
#else
	char *recovered[] = { "WEDGED=none", NULL };
	char *given_up[] = { "WEDGED=rebind,bus-reset", NULL };

	kobject_uevent_env(&device->drm.primary->kdev->kobj, KOBJ_CHANGE,
			   method == DRM_WEDGE_RECOVERY_NONE ? recovered : given_up);
#endif
}

/* A uevent allocates memory, so it is sent from a work item that no wait for the device needs. */
static void rf_recovery_set_wedged(struct ringfence_device *device, unsigned long method)
{
	WRITE_ONCE(device->wedged, method);
	if (device->drm.registered)
		schedule_work(&device->tell_wedged);
}

void rf_recovery_report_reset(struct ringfence_device *device)
{
	rf_recovery_set_wedged(device, DRM_WEDGE_RECOVERY_NONE);
}

/* --- starting anew -------------------------------------------------------------------------- */

static bool rf_recovery_is_healthy_again(const struct ringfence_device *device)
{
	return time_after(jiffies, device->recovered + msecs_to_jiffies(RECOVERY_HEALTHY_MS));
}

static void rf_recovery_queue_attempt(struct ringfence_device *device)
{
	unsigned int doubled = min(device->attempts, RECOVERY_DOUBLE);

	schedule_delayed_work(&device->recovery,
			      device->attempts ? msecs_to_jiffies(RECOVERY_MS << doubled) : 0);
}

void rf_recovery_begin(struct ringfence_device *device)
{
	if (!atomic_xchg(&device->recovering, 1))
		rf_recovery_queue_attempt(device);
}

static void rf_recovery_finish(struct ringfence_device *device)
{
	atomic_set(&device->recovering, 0);
}

static void rf_recovery_give_up(struct ringfence_device *device, int error)
{
	struct pci_dev *pci = ringfence_pci(device);

	dev_err(&pci->dev, "does not start after %u resets (%d) and is given up\n", RECOVERY_MAX,
		error);
	dev_err(&pci->dev, "when it is in order again: echo 1 > /sys/bus/pci/devices/%s/reset\n",
		pci_name(pci));
	device->failures = 0;
	rf_recovery_finish(device);
	rf_recovery_set_wedged(device, DRM_WEDGE_RECOVERY_REBIND | DRM_WEDGE_RECOVERY_BUS_RESET);
}

/* The lock of the device is held, and it is awake. */
static void rf_recovery_attempt(struct ringfence_device *device)
{
	int ret;

	if (device->adapter && !kmd_adapter_is_lost(device->adapter)) {
		rf_recovery_finish(device); /* a reset through sysfs has restarted it */
		return;
	}
	if (!pci_device_is_present(ringfence_pci(device))) {
		rf_recovery_finish(device);
		schedule_work(&device->lost);
		return;
	}
	device->attempts = rf_recovery_is_healthy_again(device) ? 1 : device->attempts + 1;
	dev_err(device->drm.dev, "is lost: it is reset and started anew\n");
	ret = rf_restart(device);
	if (!ret) {
		dev_info(device->drm.dev, "works again; files that were open have lost it\n");
		device->failures = 0;
		device->recovered = jiffies;
		rf_recovery_finish(device);
		rf_recovery_set_wedged(device, DRM_WEDGE_RECOVERY_NONE);
	} else if (++device->failures >= RECOVERY_MAX) {
		rf_recovery_give_up(device, ret);
	} else {
		rf_recovery_queue_attempt(device);
	}
}

static void rf_recovery_work(struct work_struct *work)
{
	struct ringfence_device *device =
		container_of(to_delayed_work(work), struct ringfence_device, recovery);
	struct device *dev = device->drm.dev;

	pm_runtime_get_sync(dev); /* its result does not matter: the device is reset next */
	if (device_trylock(dev)) {
		rf_recovery_attempt(device);
		device_unlock(dev);
	} else {
		schedule_delayed_work(&device->recovery, msecs_to_jiffies(RECOVERY_MS));
	}
	pm_runtime_put_autosuspend(dev);
}

void rf_recovery_init(struct ringfence_device *device)
{
	INIT_DELAYED_WORK(&device->recovery, rf_recovery_work);
	INIT_WORK(&device->tell_wedged, rf_recovery_wedged_work);
	/* healthy so far */
	device->recovered = jiffies - msecs_to_jiffies(2 * RECOVERY_HEALTHY_MS);
}

void rf_recovery_hold(struct ringfence_device *device)
{
	disable_delayed_work_sync(&device->recovery);
}

void rf_recovery_release(struct ringfence_device *device)
{
	enable_delayed_work(&device->recovery);
	if (atomic_read(&device->recovering))
		rf_recovery_queue_attempt(device);
}

void rf_recovery_end(struct ringfence_device *device)
{
	rf_recovery_hold(device);
	disable_work_sync(&device->tell_wedged);
}
