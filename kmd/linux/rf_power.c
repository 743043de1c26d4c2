// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Power, and the watch.
 *
 * The watch is a work item that runs periodically while any engine is in F0. It finds engines that
 * hang, and sends idle engines to F1. When all engines are in F1 and no exported dma_fence is
 * pending, no work starts without a request: the watch ends, and the next request starts it. While
 * it runs it keeps the device in D0, as each request does. A request that only waits, and the store
 * of a value for a dma_fence, do not need D0: in D3 a fence is a word in memory.
 *
 * The watch may wait for a lock whose holder allocates memory, and reclaim may wait for a dma_fence
 * of this device. So a second work item, on the queue for dma_fences, signals these within their
 * time limit. It runs as long as one is pending, also in D3 and during system suspend. When the
 * device is stopped it ends after every wait has ended.
 *
 * The device goes to D3 after AUTOSUSPEND_MS without a user, whether files are open or not: the
 * core takes all queues off the device and saves local memory; then the PCI core changes the power
 * state. System suspend does the same while work is under way, with user mode frozen.
 *
 * A device in D3 whose queues may wait for a fence that another device has signalled is woken as by
 * a request, and then is watched.
 *
 * Interrupts stay requested in D3; the device raises none.
 */
#include <drm/drm_drv.h>
#include <linux/dma-fence.h>
#include <linux/interrupt.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/pm_runtime.h>

#include "rf_linux.h"
#include "rf_trace.h"

static unsigned int tdr_ms = 2000;
module_param(tdr_ms, uint, 0644);
MODULE_PARM_DESC(tdr_ms, "how long an engine may make no progress before it is asked for its work, "
			 "and again before it is reset");

/* Runs of the watch in a TDR delay */
#define LOOKS 4
#define TDR_MS_MIN 100

/* Idle time before runtime suspend */
#define AUTOSUSPEND_MS 2000

/* --- runtime power management --------------------------------------------------------- */

static void rf_power_put(struct ringfence_device *device)
{
	pm_runtime_mark_last_busy(device->drm.dev);
	pm_runtime_put_autosuspend(device->drm.dev);
}

/* --- the watch -------------------------------------------------------------------------- */

static unsigned int rf_tdr_delay_ms(void)
{
	return max(READ_ONCE(tdr_ms), TDR_MS_MIN);
}

static void rf_watch_schedule(struct ringfence_device *device)
{
	schedule_delayed_work(&device->watch, msecs_to_jiffies(rf_tdr_delay_ms() / LOOKS));
}

/* Mark the watch as running; false: it already runs. */
static bool rf_watch_begin(struct ringfence_device *device)
{
	return !atomic_xchg(&device->watching, 1);
}

int rf_power_enter(struct ringfence_device *device, int *index)
{
	if (!drm_dev_enter(&device->drm, index))
		return -ENODEV;
	if (!pm_runtime_resume_and_get(device->drm.dev))
		return 0;
	drm_dev_exit(*index);
	return -EIO;
}

void rf_power_exit(struct ringfence_device *device, int index)
{
	if (rf_watch_begin(device)) {
		pm_runtime_get_noresume(device->drm.dev);
		rf_watch_schedule(device);
	}
	rf_power_put(device);
	drm_dev_exit(index);
}

/* The module parameter may have changed. */
static void rf_watch_set_tdr_delay(struct kmd_adapter *adapter)
{
	kmd_adapter_set_tdr_delay(adapter, (u64)rf_tdr_delay_ms() * NSEC_PER_MSEC);
}

static void rf_watch_poll(struct kmd_adapter *adapter)
{
	rf_watch_set_tdr_delay(adapter);
	kmd_adapter_watch(adapter, ktime_get_ns());
	kmd_adapter_look_for_idle(adapter);
}

static bool rf_watch_is_idle(struct ringfence_device *device)
{
	return !device->adapter || kmd_adapter_is_idle(device->adapter);
}

static void rf_watch_work(struct work_struct *work)
{
	struct ringfence_device *device =
		container_of(to_delayed_work(work), struct ringfence_device, watch);
	bool goes_on = true;

	down_read(&device->requests);
	if (device->adapter)
		rf_watch_poll(device->adapter);
	if (device->adapter && kmd_adapter_is_lost(device->adapter))
		rf_recovery_begin(device);
	if (rf_watch_is_idle(device)) {
		atomic_xchg(&device->watching, 0);
		/* a request that came between these two relied on this watch */
		goes_on = !rf_watch_is_idle(device) && rf_watch_begin(device);
	}
	up_read(&device->requests);
	if (goes_on)
		rf_watch_schedule(device);
	else
		rf_power_put(device);
}

static void rf_exported_fences_work(struct work_struct *work)
{
	struct ringfence_device *device =
		container_of(to_delayed_work(work), struct ringfence_device, exported_fences);
	bool cookie = dma_fence_begin_signalling();
	u64 now = ktime_get_ns();
	u64 next = kmd_adapter_watch_exported_fences(device->adapter, now);

	if (next != RF_TIME_NEVER)
		queue_delayed_work(device->domain->sync_queue, &device->exported_fences,
				   nsecs_to_jiffies(next - now) + 1);
	dma_fence_end_signalling(cookie);
}

/* Without delay: its first run sets the deadline of the new fence. */
void rf_power_fence_exported(struct ringfence_device *device)
{
	rf_watch_set_tdr_delay(device->adapter); /* the deadline follows from it */
	mod_delayed_work(device->domain->sync_queue, &device->exported_fences, 0);
}

void rf_power_started(struct ringfence_device *device)
{
	enable_delayed_work(&device->exported_fences);
}

/*
 * As a request does. The core calls this in a work item that rf_device_stop() waits for, so it is
 * another one that waits for the device; while the machine is suspended it is frozen.
 */
static void rf_power_wake_work(struct work_struct *work)
{
	struct ringfence_device *device = container_of(work, struct ringfence_device, wake);
	int index;

	if (!rf_power_enter(device, &index))
		rf_power_exit(device, index);
}

void rf_shell_wake(struct rf_bus *bus)
{
	queue_work(system_freezable_wq, &bus_to_ringfence(bus)->wake);
}

void rf_power_stopping(struct ringfence_device *device)
{
	disable_delayed_work_sync(&device->exported_fences);
}

void rf_power_end_watch(struct ringfence_device *device)
{
	disable_work_sync(&device->wake);
	cancel_delayed_work_sync(&device->watch);
	if (atomic_xchg(&device->watching, 0))
		pm_runtime_put_noidle(device->drm.dev);
}

/* --- D3 ----------------------------------------------------------------------------------- */

static int rf_power_sleep(struct ringfence_device *device)
{
	u32 i;
	int ret;

	mutex_lock(&device->life);
	ret = device->adapter ? kmd_adapter_sleep(device->adapter) : 0;
	if (ret == -ENODEV)
		ret = 0; /* a lost device has no state to save */
	for (i = 0; i < device->vector_count && !ret; i++)
		synchronize_irq(pci_irq_vector(ringfence_pci(device), i));
	mutex_unlock(&device->life);
	trace_ringfence_sleep(device, ret);
	return ret;
}

static void rf_power_wake(struct ringfence_device *device)
{
	int ret;

	mutex_lock(&device->life);
	ret = device->adapter ? kmd_adapter_wake(device->adapter) : 0;
	if (ret) {
		kmd_adapter_notify_removal(device->adapter); /* ends every wait for the device */
		rf_recovery_begin(device);
	}
	mutex_unlock(&device->life);
	trace_ringfence_wake(device, ret);
}

/* After an error other than -EBUSY the PM core would disable runtime power management. */
static int rf_power_runtime_suspend(struct device *dev)
{
	return rf_power_sleep(dev_get_drvdata(dev)) ? -EBUSY : 0;
}

/* A device that does not wake up is lost: its requests return -ENODEV. */
static int rf_power_runtime_resume(struct device *dev)
{
	rf_power_wake(dev_get_drvdata(dev));
	return 0;
}

static void rf_watch_resume(struct ringfence_device *device)
{
	if (atomic_read(&device->watching))
		rf_watch_schedule(device);
}

/* User mode is frozen. */
static int rf_power_suspend(struct device *dev)
{
	struct ringfence_device *device = dev_get_drvdata(dev);
	int ret;

	cancel_delayed_work_sync(&device->watch);
	rf_recovery_hold(device);
	ret = rf_power_sleep(device);
	if (ret) {
		rf_recovery_release(device);
		rf_watch_resume(device);
	}
	return ret;
}

static int rf_power_resume(struct device *dev)
{
	struct ringfence_device *device = dev_get_drvdata(dev);

	rf_power_wake(device);
	rf_recovery_release(device);
	rf_watch_resume(device);
	return 0;
}

const struct dev_pm_ops rf_power_ops = { SYSTEM_SLEEP_PM_OPS(rf_power_suspend, rf_power_resume)
						 RUNTIME_PM_OPS(rf_power_runtime_suspend,
								rf_power_runtime_resume, NULL) };

void rf_power_init(struct ringfence_device *device)
{
	INIT_WORK(&device->wake, rf_power_wake_work);
	INIT_DELAYED_WORK(&device->watch, rf_watch_work);
	INIT_DELAYED_WORK(&device->exported_fences, rf_exported_fences_work);
	disable_delayed_work(&device->exported_fences);
}

void rf_power_allow(struct ringfence_device *device)
{
	struct device *dev = device->drm.dev;

	pm_runtime_set_autosuspend_delay(dev, AUTOSUSPEND_MS);
	pm_runtime_use_autosuspend(dev);
	pm_runtime_allow(dev);
	rf_power_put(device);
}

void rf_power_forbid(struct ringfence_device *device)
{
	struct device *dev = device->drm.dev;

	pm_runtime_get_sync(dev); /* the result does not matter: the device may be gone */
	pm_runtime_forbid(dev);
	pm_runtime_dont_use_autosuspend(dev);
}
