// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A device that is lost, and who is told.
 *
 * The core resets the function by itself when the device does not answer or has forgotten what
 * it was (kmd/core/watchdog.c). When it cannot, or broke its contract with the miniport, the
 * adapter is used no more, and a work item here starts it anew: rf_device_stop(), a reset of the
 * function, rf_device_start(), as a reset by root would. Files that are open have lost it. The next
 * attempt comes later and later while none succeeds, and after RECOVERY_MAX of them root has
 * to see to it. A device that is lost again and again, but works in between, is started
 * again every half minute at the most.
 *
 * A reset of the function brings back the configuration with which the driver began, not the one
 * that is found: bus mastering, memory decode, BARs and sizes may have been changed under it.
 *
 * User space is told by the uevent of DRM for wedged devices, whether the kernel has a function
 * for that or not: WEDGED=none when it was reset, WEDGED=rebind,bus-reset when it is given up.
 *
 * Locking: the lock of the device keeps out probe, removal and other resets; removal holds it
 * while it waits for the work item, which therefore only tries.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <linux/kobject.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>

#include "rf_linux.h"

/* Starts that fail, one after the other, before it is given up */
#define RECOVERY_MAX 6
/* The second attempt comes after this, each later one after twice as long, up to so many times */
#define RECOVERY_MS 1000
#define RECOVERY_DOUBLE 5
/* A device that worked for so long is lost anew, not again */
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

/* --- who is told -------------------------------------------------------------------------- */

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

/* Events allocate, and so wait for nobody who waits for the device. */
static void rf_recovery_set_wedged(struct ringfence_device *device, unsigned long method)
{
	WRITE_ONCE(device->wedged, method);
	if (device->drm.registered)
		schedule_work(&device->tell_wedged);
}

void rf_recovery_tell_reset(struct ringfence_device *device)
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
		rf_recovery_finish(device); /* somebody else has started it anew */
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

	pm_runtime_get_sync(dev); /* whatever comes of it: it is reset next */
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
