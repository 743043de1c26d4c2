// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Ringfence as a DRM render node: the PCI function, its interrupts, files, requests.
 * Requests are executed by the core; see kmd.h.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_print.h>
#include <linux/cred.h>
#include <linux/dma-fence.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "rf_ddi_tables.h"
#include "ringfence_drm.h"
#include "rf_linux.h"
#include "rf_trace.h"

/* Width of a physical address of the device, without the bit that selects local memory */
#define DMA_BITS 55

/* --- requests ------------------------------------------------------------------------- */

/* Start recovery if the adapter is lost. */
static void rf_device_check_lost(struct ringfence_device *device)
{
	bool lost;

	if (down_read_killable(&device->requests))
		return;
	lost = device->adapter && kmd_adapter_is_lost(device->adapter);
	up_read(&device->requests);
	if (lost)
		rf_recovery_begin(device);
}

/* After -EIO or -ENODEV: if the device no longer responds, schedule its removal. */
static int rf_device_check_presence(struct ringfence_device *device, int ret)
{
	if (ret != -EIO && ret != -ENODEV)
		return ret;
	if (!pci_device_is_present(ringfence_pci(device)))
		schedule_work(&device->lost);
	else if (ret == -ENODEV)
		rf_device_check_lost(device);
	return ret;
}

static int rf_ioctl_run(struct rf_file *file, struct kmd_call *call)
{
	struct ringfence_device *device = file->device;
	int ret;

	ret = down_read_killable(&device->requests);
	if (ret)
		return ret;
	rf_trace_request_begin(file, call);
	if (!file->file)
		ret = -ENODEV;
	else if (call->request < DRM_RINGFENCE_REQUESTS)
		ret = kmd_call_carry_out(call, file->file);
	else if (call->request < DRM_RINGFENCE_FENCE_TO_FD)
		ret = rf_sync_request(file, call->request, call->arguments);
	else
		ret = rf_share_request(file, call->request, call->arguments);
	rf_trace_request_end(file, call, ret);
	up_read(&device->requests);
	return ret;
}

static int rf_ioctl_run_awake(struct rf_file *file, struct kmd_call *call)
{
	struct ringfence_device *device = file->device;
	int index, ret;

	ret = rf_power_enter(device, &index);
	if (ret)
		return ret;
	ret = rf_ioctl_run(file, call);
	rf_power_exit(device, index);
	return ret;
}

/* Requests that may block for any time and do not need the device in D0: see rf_power.c. */
static bool rf_ioctl_only_waits(unsigned int request)
{
	return request == DRM_RINGFENCE_FENCE_WAIT || request == DRM_RINGFENCE_EVENT_WAIT;
}

/*
 * User memory is accessed only while no lock is held, the device is not kept in D0 and removal does
 * not wait for this request: a page fault there may take any time. An interrupted request has
 * changed nothing, so the kernel may restart it.
 */
static int rf_ioctl(struct drm_file *drm, unsigned int request, void *arguments)
{
	struct rf_file *file = drm->driver_priv;
	struct kmd_call call;
	int ret;

	ret = kmd_call_begin(&call, request, arguments);
	if (ret)
		return ret;
	if (rf_ioctl_only_waits(request))
		ret = rf_ioctl_run(file, &call);
	else
		ret = rf_ioctl_run_awake(file, &call);
	ret = ret == -EINTR ? -ERESTARTSYS : rf_device_check_presence(file->device, ret);
	return kmd_call_end(&call, ret);
}

#define FOR_ALL_REQUESTS(X) \
	X(QUERY)            \
	X(MEMORY_CREATE)    \
	X(MEMORY_DESTROY)   \
	X(FENCE_CREATE)     \
	X(FENCE_OPEN)       \
	X(FENCE_DESTROY)    \
	X(FENCE_SIGNAL)     \
	X(FENCE_WAIT)       \
	X(EVENT_CREATE)     \
	X(EVENT_DESTROY)    \
	X(EVENT_WAIT)       \
	X(QUEUE_CREATE)     \
	X(QUEUE_DESTROY)    \
	X(QUEUE_STATUS)     \
	X(QUEUE_NOTIFY)     \
	X(DOORBELL_CREATE)  \
	X(DOORBELL_CONNECT) \
	X(DOORBELL_DESTROY) \
	X(QUEUE_SUBMIT)     \
	X(QUEUE_WAIT)       \
	X(QUEUE_SIGNAL)     \
	X(QUEUE_RESUME)     \
	X(CONTEXT_CREATE)   \
	X(CONTEXT_DESTROY)  \
	X(QUEUE_RENDER)     \
	X(LINK)             \
	X(FENCE_EXPORT)     \
	X(FENCE_IMPORT)     \
	X(FENCE_EVENTFD)    \
	X(FENCE_TO_FD)      \
	X(FENCE_FROM_FD)

#define REQUEST(name)                                                                         \
	static int rf_ioctl_##name(struct drm_device *drm, void *data, struct drm_file *file) \
	{                                                                                     \
		return rf_ioctl(file, DRM_RINGFENCE_##name, data);                            \
	}
FOR_ALL_REQUESTS(REQUEST)

#define IOCTL(name) DRM_IOCTL_DEF_DRV(RINGFENCE_##name, rf_ioctl_##name, DRM_RENDER_ALLOW),
static const struct drm_ioctl_desc ioctls[] = { FOR_ALL_REQUESTS(IOCTL) };

#define COUNT(name) +1
static_assert(0 FOR_ALL_REQUESTS(COUNT) == DRM_RINGFENCE_REQUESTS + 5 /* the kernel's own */);

/* --- files ---------------------------------------------------------------------------- */

static int rf_file_open_core(struct ringfence_device *device, struct rf_file *file)
{
	int ret;

	ret = down_read_killable(&device->requests);
	if (ret)
		return ret;
	ret = device->adapter ? kmd_file_open(device->adapter, file, &file->file) : -ENODEV;
	if (!ret) {
		mutex_lock(&device->files_mutex);
		list_add_tail(&file->link, &device->files);
		mutex_unlock(&device->files_mutex);
	}
	up_read(&device->requests);
	return rf_device_check_presence(device, ret);
}

static int rf_file_open_core_awake(struct ringfence_device *device, struct rf_file *file)
{
	int index, ret;

	ret = rf_power_enter(device, &index);
	if (ret)
		return ret;
	ret = rf_file_open_core(device, file);
	rf_power_exit(device, index);
	return ret;
}

static int rf_drm_open(struct drm_device *drm, struct drm_file *drm_file)
{
	struct ringfence_device *device = drm_to_ringfence(drm);
	struct rf_file *file;
	int ret;

	file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	if (!file)
		return -ENOMEM;
	file->device = device;
	file->drm = drm_file;
	file->user = current_euid();
	ret = rf_file_init(file);
	if (ret)
		goto free_file;
	ret = rf_file_open_core_awake(device, file);
	if (ret)
		goto destroy_file;
	drm_file->driver_priv = file;
	return 0;

destroy_file:
	rf_file_destroy(file);
free_file:
	kfree(file);
	return ret;
}

/* The core's side of a file that is still open is closed when the device is removed. */
static void rf_file_close_core(struct rf_file *file)
{
	if (!file->file)
		return;
	rf_sync_end_imports(file);
	kmd_file_close(file->file);
	file->file = NULL;
}

static void rf_file_unlink_and_close(struct ringfence_device *device, struct rf_file *file)
{
	down_read(&device->requests);
	mutex_lock(&device->files_mutex);
	list_del(&file->link);
	mutex_unlock(&device->files_mutex);
	rf_file_close_core(file);
	up_read(&device->requests);
}

static void rf_drm_postclose(struct drm_device *drm, struct drm_file *drm_file)
{
	struct ringfence_device *device = drm_to_ringfence(drm);
	struct rf_file *file = drm_file->driver_priv;
	int index;
	bool awake = !rf_power_enter(device, &index); /* false: it is removed */

	rf_file_unlink_and_close(device, file);
	if (awake)
		rf_power_exit(device, index);
	rf_file_destroy(file);
	kfree(file);
}

/*
 * Documentation/gpu/drm-usage-stats.rst. A device that was removed has no memory any more, and its
 * engines did nothing.
 */
static const char *const engine_names[] = {
	[RF_NODE_COMPUTE] = "compute",
	[RF_NODE_COPY] = "copy",
	[RF_NODE_PAGING] = "paging",
};

/* Engine times are sampled (kmd/core/scheduling/usage.h); cycles are the same in another unit. */
static void rf_print_engines(struct drm_printer *printer, const u64 *ns, u64 hz)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(engine_names); i++) {
		const char *name = engine_names[i];

		drm_printf(printer, "drm-engine-%s:\t%llu ns\n", name, ns[i]);
		drm_printf(printer, "drm-cycles-%s:\t%llu\n", name,
			   mul_u64_u64_div_u64(ns[i], hz, NSEC_PER_SEC));
		drm_printf(printer, "drm-maxfreq-%s:\t%llu Hz\n", name, hz);
	}
}

/* Memory is pinned as long as it exists; local memory is elsewhere only while the device sleeps. */
static void rf_print_memory(struct drm_printer *printer, u64 bytes, const char *region)
{
	const struct drm_memory_stats stats = { .private = bytes, .resident = bytes };

	drm_print_memory_stats(printer, &stats, DRM_GEM_OBJECT_RESIDENT, region);
}

static void rf_drm_show_fdinfo(struct drm_printer *printer, struct drm_file *drm_file)
{
	struct rf_file *file = drm_file->driver_priv;
	u64 times[ARRAY_SIZE(engine_names)] = { 0 };
	u64 system = 0, local = 0, hz = 0;

	down_read(&file->device->requests);
	if (file->file) {
		system = kmd_file_memory_bytes(file->file, RF_MEM_SYSTEM);
		local = kmd_file_memory_bytes(file->file, RF_MEM_LOCAL);
		kmd_file_engine_times(file->file, times, ARRAY_SIZE(times));
		hz = kmd_adapter_frequency(file->device->adapter);
	}
	up_read(&file->device->requests);
	rf_print_engines(printer, times, hz);
	rf_print_memory(printer, system, "system");
	rf_print_memory(printer, local, "local");
}

static const struct file_operations ringfence_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	.show_fdinfo = drm_show_fdinfo,
};

static const struct drm_driver ringfence_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE,
	.open = rf_drm_open,
	.postclose = rf_drm_postclose,
	.ioctls = ioctls,
	.num_ioctls = ARRAY_SIZE(ioctls),
	.fops = &ringfence_fops,
	.show_fdinfo = rf_drm_show_fdinfo,
	.name = "ringfence",
	.desc = "Ringfence GPU command processor",
	.major = 1,
	.minor = 0,
};

/* --- interrupts ----------------------------------------------------------------------- */

static irqreturn_t rf_irq_service(int irq, void *argument)
{
	struct ringfence_device **vector = argument;
	struct ringfence_device *device = *vector;

	trace_ringfence_interrupt(device, vector - device->vectors);
	return kmd_adapter_interrupt(device->adapter, vector - device->vectors) ? IRQ_WAKE_THREAD
										: IRQ_HANDLED;
}

static irqreturn_t rf_irq_thread(int irq, void *argument)
{
	struct ringfence_device **vector = argument;
	struct ringfence_device *device = *vector;
	bool cookie = dma_fence_begin_signalling();

	mutex_lock(&device->deferred);
	if (kmd_adapter_dpc(device->adapter))
		schedule_work(&device->work);
	mutex_unlock(&device->deferred);
	dma_fence_end_signalling(cookie);
	return IRQ_HANDLED;
}

static void rf_device_work(struct work_struct *work)
{
	struct ringfence_device *device = container_of(work, struct ringfence_device, work);

	kmd_adapter_work(device->adapter);
}

static void rf_irq_free_all(struct ringfence_device *device)
{
	while (device->vector_count) {
		u32 i = --device->vector_count;

		free_irq(pci_irq_vector(ringfence_pci(device), i), &device->vectors[i]);
	}
	pci_free_irq_vectors(ringfence_pci(device));
}

static int rf_irq_request_all(struct ringfence_device *device)
{
	struct pci_dev *pci = ringfence_pci(device);
	u32 count = kmd_adapter_vectors(device->adapter);
	int ret;

	if (count > ARRAY_SIZE(device->vectors))
		return -ENODEV;
	ret = pci_alloc_irq_vectors(pci, count, count, PCI_IRQ_MSIX);
	if (ret < 0)
		return ret;
	while (device->vector_count < count) {
		u32 i = device->vector_count;

		device->vectors[i] = device;
		ret = request_threaded_irq(pci_irq_vector(pci, i), rf_irq_service, rf_irq_thread, 0,
					   "ringfence", &device->vectors[i]);
		if (ret) {
			rf_irq_free_all(device);
			return ret;
		}
		device->vector_count++;
	}
	return 0;
}

/* --- devices -------------------------------------------------------------------------- */

/*
 * Whether a page mapped for DMA needs cache maintenance between accesses by CPU and device. With
 * CONFIG_DMA_API_DEBUG dma_need_sync() is true for every page behind an IOMMU, so it is not used.
 */
static bool rf_dma_needs_sync(struct device *dev)
{
	struct page *page;
	dma_addr_t address;
	bool needed;

	if (IS_ENABLED(CONFIG_DMA_API_DEBUG))
		return false;
	page = alloc_page(GFP_KERNEL);
	if (!page)
		return true;
	address = dma_map_page(dev, page, 0, PAGE_SIZE, DMA_BIDIRECTIONAL);
	needed = dma_mapping_error(dev, address);
	if (!needed) {
		needed = dma_need_sync(dev, address);
		dma_unmap_page(dev, address, PAGE_SIZE, DMA_BIDIRECTIONAL);
	}
	__free_page(page);
	return needed;
}

/*
 * User mode polls memory that engines write, and engines read memory that user mode writes, without
 * a call into the kernel. So DMA must need neither cache maintenance nor bounce buffers.
 */
static int rf_dma_check_coherence(struct device *dev)
{
	if (dma_max_mapping_size(dev) != SIZE_MAX)
		return dev_err_probe(dev, -EOPNOTSUPP, "DMA goes through bounce buffers\n");
	if (rf_dma_needs_sync(dev))
		return dev_err_probe(dev, -EOPNOTSUPP, "DMA does not see the caches of CPUs\n");
	return 0;
}

/* Local memory is prefetchable: stores to it may be combined. */
static int rf_pci_map_bars(struct ringfence_device *device)
{
	struct pci_dev *pci = ringfence_pci(device);

	device->bars[RF_BAR_REGISTERS] = pcim_iomap(pci, RF_BAR_REGISTERS, 0);
	device->bars[RF_BAR_LOCAL_MEMORY] =
		devm_ioremap_wc(&pci->dev, pci_resource_start(pci, RF_BAR_LOCAL_MEMORY),
				pci_resource_len(pci, RF_BAR_LOCAL_MEMORY));
	return device->bars[RF_BAR_REGISTERS] && device->bars[RF_BAR_LOCAL_MEMORY] ? 0 : -ENOMEM;
}

static int rf_pci_map_device(struct ringfence_device *device)
{
	struct pci_dev *pci = ringfence_pci(device);
	int ret;

	ret = pcim_enable_device(pci);
	if (ret)
		return ret;
	ret = pcim_request_all_regions(pci, "ringfence");
	if (ret)
		return ret;
	ret = rf_pci_map_bars(device);
	if (ret)
		return ret;
	ret = dma_set_mask_and_coherent(&pci->dev, DMA_BIT_MASK(DMA_BITS));
	if (ret)
		return ret;
	dma_set_max_seg_size(&pci->dev, UINT_MAX);
	ret = rf_dma_check_coherence(&pci->dev);
	if (ret)
		return ret;
	pci_set_master(pci);
	return rf_recovery_keep_configuration(device);
}

static void rf_device_stop_core(struct ringfence_device *device)
{
	rf_observe_end(device);
	kmd_adapter_destroy(device->adapter);
	device->adapter = NULL;
	drm_mm_takedown(&device->local);
}

static int rf_device_start_core(struct ringfence_device *device)
{
	/* a doorbell is mapped as one page of the kernel: no doorbells if that is larger */
	const bool doorbells = PAGE_SIZE <= 1u << RF_PAGE_SHIFT;
	const struct kmd_features features = { true, true, true, doorbells };
	int ret;

	pci_set_master(ringfence_pci(device)); /* see rf_pci_stop_access() */
	drm_mm_init(&device->local, 0,
		    pci_resource_len(ringfence_pci(device), RF_BAR_LOCAL_MEMORY));
	ret = kmd_adapter_create(device->domain->core, &device->bus, &rf_ringfence_ddi, &features,
				 &device->adapter);
	if (ret) {
		drm_mm_takedown(&device->local);
		return ret;
	}
	rf_observe(device);
	return 0;
}

static int rf_device_start(struct ringfence_device *device)
{
	int ret;

	mutex_lock(&device->life);
	ret = rf_device_start_core(device);
	if (!ret) {
		enable_work(&device->work);
		rf_domain_join(device);
		ret = rf_irq_request_all(device);
		if (ret) {
			rf_domain_leave(device);
			disable_work_sync(&device->work);
			rf_device_stop_core(device);
		} else {
			rf_power_started(device);
		}
	}
	trace_ringfence_start(device, ret);
	mutex_unlock(&device->life);
	return ret;
}

/*
 * Every wait ends; then the core closes what is still open, while the device is still accessible.
 * Open files stay open; their requests return -ENODEV.
 */
static void rf_device_stop(struct ringfence_device *device)
{
	struct rf_file *file;

	mutex_lock(&device->life);
	if (device->adapter) {
		trace_ringfence_stop(device, 0);
		kmd_adapter_notify_removal(device->adapter);
		down_write(&device->requests);
		list_for_each_entry(file, &device->files, link)
			rf_file_close_core(file);
		rf_shares_end(device);
		rf_power_stopping(device);
		rf_irq_free_all(device);
		rf_domain_leave(device);
		disable_work_sync(&device->work);
		rf_device_stop_core(device);
		up_write(&device->requests);
	}
	mutex_unlock(&device->life);
}

int rf_restart(struct ringfence_device *device)
{
	int ret;

	rf_device_stop(device);
	ret = rf_recovery_reset_function(device);
	return ret ? ret : rf_device_start(device);
}

static void rf_device_lost_work(struct work_struct *work)
{
	struct ringfence_device *device = container_of(work, struct ringfence_device, lost);

	if (device->adapter)
		dev_err(device->drm.dev, "the device is gone\n");
	rf_device_stop(device);
}

/* From module_init to module_exit */
static struct rf_domain rf_domain;

static int rf_pci_probe(struct pci_dev *pci, const struct pci_device_id *id)
{
	struct ringfence_device *device;
	int ret;

	device = devm_drm_dev_alloc(&pci->dev, &ringfence_driver, struct ringfence_device, drm);
	if (IS_ERR(device))
		return PTR_ERR(device);
	pci_set_drvdata(pci, device);
	rf_os_init(&device->os, &pci->dev);
	device->bus.ops = &rf_pci_bus_ops;
	device->bus.os = &device->os;
	device->bus.shell = device;
	device->domain = &rf_domain;
	INIT_WORK(&device->work, rf_device_work);
	disable_work(&device->work); /* see rf_device_start() */
	INIT_WORK(&device->lost, rf_device_lost_work);
	rf_power_init(device);
	rf_recovery_init(device);
	init_rwsem(&device->requests);
	INIT_LIST_HEAD(&device->files);
	INIT_LIST_HEAD(&device->shares);
	mutex_init(&device->life);
	mutex_init(&device->deferred);
	mutex_init(&device->files_mutex);
	init_rwsem(&device->bar_access);
	mutex_init(&device->local_mutex);

	ret = rf_observer_init(device);
	if (ret)
		return ret;
	ret = rf_pci_map_device(device);
	if (ret)
		return ret;
	ret = rf_device_start(device);
	if (ret)
		return ret;
	rf_debugfs_init(device);
	ret = drm_dev_register(&device->drm, 0);
	if (ret) {
		rf_device_stop(device);
		return ret;
	}
	rf_power_allow(device);
	return 0;
}

static void rf_pci_remove(struct pci_dev *pci)
{
	struct ringfence_device *device = pci_get_drvdata(pci);

	rf_recovery_end(device);
	rf_power_forbid(device);
	rf_device_stop(device); /* first: it ends every blocking request */
	drm_dev_unplug(&device->drm);
	/* permanently: a request that only waits is not waited for, and may queue it later */
	disable_work_sync(&device->lost);
	rf_power_end_watch(device);
}

/* --- resets --------------------------------------------------------------------------- */

/* A reset clears the state of the device: files that are open have lost it. */
static void rf_pci_reset_prepare(struct pci_dev *pci)
{
	rf_device_stop(pci_get_drvdata(pci));
}

static void rf_pci_reset_done(struct pci_dev *pci)
{
	struct ringfence_device *device = pci_get_drvdata(pci);
	int ret = rf_device_start(device);

	if (!ret)
		return;
	dev_err(&pci->dev, "does not start after a reset: %d\n", ret);
	rf_recovery_begin(device);
}

static pci_ers_result_t rf_pci_error_detected(struct pci_dev *pci, pci_channel_state_t state)
{
	rf_pci_reset_prepare(pci);
	return state == pci_channel_io_perm_failure ? PCI_ERS_RESULT_DISCONNECT
						    : PCI_ERS_RESULT_NEED_RESET;
}

static pci_ers_result_t rf_pci_slot_reset(struct pci_dev *pci)
{
	struct ringfence_device *device = pci_get_drvdata(pci);

	if (pci_load_saved_state(pci, device->configuration))
		return PCI_ERS_RESULT_DISCONNECT;
	pci_restore_state(pci);
	return PCI_ERS_RESULT_RECOVERED;
}

static const struct pci_error_handlers ringfence_error_handlers = {
	.error_detected = rf_pci_error_detected,
	.slot_reset = rf_pci_slot_reset,
	.resume = rf_pci_reset_done,
	.reset_prepare = rf_pci_reset_prepare,
	.reset_done = rf_pci_reset_done,
};

/* --- the driver ----------------------------------------------------------------------- */

static const struct pci_device_id ringfence_ids[] = { { PCI_DEVICE(RF_VENDOR_ID, RF_DEVICE_ID) },
						      {} };
MODULE_DEVICE_TABLE(pci, ringfence_ids);

static struct pci_driver ringfence_pci_driver = {
	.name = "ringfence",
	.id_table = ringfence_ids,
	.probe = rf_pci_probe,
	.remove = rf_pci_remove,
	.err_handler = &ringfence_error_handlers,
	.driver.pm = pm_ptr(&rf_power_ops),
};

static int __init rf_module_init(void)
{
	int ret = rf_domain_init(&rf_domain);

	if (ret)
		return ret;
	ret = pci_register_driver(&ringfence_pci_driver);
	if (ret)
		rf_domain_destroy(&rf_domain);
	return ret;
}

/*
 * rf_value_fence_release() of rf_sync.c drops the last reference of the module in code of the
 * module: wait until a task that was preempted between that and its return has left it.
 */
static void __exit rf_module_exit(void)
{
	pci_unregister_driver(&ringfence_pci_driver);
	rf_domain_destroy(&rf_domain);
	synchronize_rcu_tasks();
}

module_init(rf_module_init);
module_exit(rf_module_exit);

MODULE_DESCRIPTION("Ringfence GPU command processor");
MODULE_LICENSE("Dual MIT/GPL");
