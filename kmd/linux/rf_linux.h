/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The objects of the Linux shell. Included by files of kmd/linux only.
 *
 *   rf_domain ────────┬─ kmd_sync_domain  the core's
 *                     │
 *   ringfence_device ─┼─ kmd_adapter
 *                     └─ rf_file ──┬───── kmd_file
 *                                  ├───── memory   a handle of rf_mem
 *                                  └───── window   what an mmap offset stands for
 *
 * Locks, outermost first:
 *
 *   (runtime power management calls with none held, and takes:)
 *   ringfence_device.life
 *   ringfence_device.requests  read: a request is under way, also one that blocks;
 *                              write: the device is being stopped. Of one device only
 *   ringfence_device.files_mutex  of one device, whichever that is
 *   the core's                 see kmd/core/base/sync_domain.h
 *   rf_file.sync_lock
 *   window.lock
 *   ringfence_device.bar_access  read: user mode gets a page of a BAR;
 *                                write: the BARs do not answer
 *   ringfence_device.local_mutex
 *   locks of dma_fences
 *
 * A page fault has mmap_lock and takes window.lock and what follows.
 */
#ifndef RF_LINUX_H
#define RF_LINUX_H

#include <drm/drm_device.h>
#include <drm/drm_mm.h>
#include <linux/list.h>
#include <linux/pci.h>
#include <linux/rwsem.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "kmd.h"

/**
 * struct rf_domain - what the devices of the driver have in common
 * @os: of the core's locks and waits
 * @core: the core's; constant
 * @sync_queue: for works that signal dma_fences or wait for them: they allocate no memory and wait
 *              for no lock under which memory is allocated
 * @go_on: kmd_sync_domain_go_on(), of @sync_queue
 * @lock: guards @devices
 * @devices: those with an adapter, by ringfence_device.domain_link
 */
struct rf_domain {
	struct rf_os os;
	struct kmd_sync_domain *core;
	struct workqueue_struct *sync_queue;
	struct work_struct go_on;
	spinlock_t lock;
	struct list_head devices;
};

/**
 * struct ringfence_device - one PCI function
 * @drm: the DRM device
 * @os: what the core's messages name
 * @bus: how the core reaches it
 * @bars: BAR 0, mapped uncached, and BAR 2, write-combining
 * @life: held while the device is started or stopped
 * @lost: stops a device that no longer responds
 * @domain: of all devices
 * @domain_link: in its list
 * @adapter: the core's; NULL while the device is stopped
 * @work: kmd_adapter_work()
 * @deferred: held by the deferred part of an interrupt, of whatever vector
 * @vectors: argument of interrupt i: its address less that of the first is i
 * @vector_count: interrupts that are requested
 * @requests: see the top of this file
 * @files: open files, by rf_file.link; guarded by @requests held for writing, or
 *         @files_mutex
 * @shares: fences that file descriptors stand for; guarded as @files
 * @files_mutex: see @files
 * @wake: see rf_power.c
 * @watch: see rf_power.c
 * @exported_fences: signals exported dma_fences within their time limit; see rf_power.c; disabled while
 *            the device is stopped
 * @watching: @watch is queued or runs
 * @configuration: saved configuration space of the function, from probe
 * @recovery: see rf_recovery.c
 * @recovering: @recovery is queued or runs
 * @attempts: restarts in a row; guarded by the lock of the device, as the next two
 * @failures: failed restarts since the last success
 * @recovered: time of the last success, in jiffies
 * @tell_wedged: sends the uevent for @wedged
 * @wedged: DRM_WEDGE_RECOVERY_*
 * @dump: room for a post-mortem dump, since none can be made while an engine is reset
 * @dump_bytes: bytes used of @dump; 0: it is free
 * @coredump: makes a device coredump of @dump
 * @observed_link: in the list of rf_observer.c
 * @bar_access: see the top of this file
 * @local_mutex: guards @local and the saved contents of local memory
 * @local: allocated ranges of BAR 2
 */
struct ringfence_device {
	struct drm_device drm;
	struct rf_os os;
	struct rf_bus bus;
	void __iomem *bars[RF_BAR_LOCAL_MEMORY + 1];

	struct mutex life;
	struct work_struct lost;
	struct rf_domain *domain;
	struct list_head domain_link;
	struct kmd_adapter *adapter;

	struct work_struct work;
	struct mutex deferred;
	struct ringfence_device *vectors[RF_MSIX_VECTORS];
	u32 vector_count;

	struct rw_semaphore requests;
	struct mutex files_mutex;
	struct list_head files;
	struct list_head shares;

	struct work_struct wake;
	struct delayed_work watch;
	struct delayed_work exported_fences;
	atomic_t watching;

	struct pci_saved_state *configuration;
	struct delayed_work recovery;
	atomic_t recovering;
	unsigned int attempts;
	unsigned int failures;
	unsigned long recovered;
	struct work_struct tell_wedged;
	unsigned long wedged;

	char *dump;
	size_t dump_bytes;
	struct work_struct coredump;
	struct list_head observed_link;

	struct rw_semaphore bar_access;
	struct mutex local_mutex;
	struct drm_mm local;
};

static inline struct ringfence_device *drm_to_ringfence(struct drm_device *drm)
{
	return container_of(drm, struct ringfence_device, drm);
}

static inline struct ringfence_device *bus_to_ringfence(struct rf_bus *bus)
{
	return container_of(bus, struct ringfence_device, bus);
}

static inline struct pci_dev *ringfence_pci(struct ringfence_device *device)
{
	return to_pci_dev(device->drm.dev);
}

/**
 * struct rf_file - an open file
 * @device: its device
 * @drm: the DRM file
 * @user: effective user id of the opener
 * @link: in ringfence_device.files
 * @file: the core's; NULL once the device is removed
 * @sync_lock: guards @imports
 * @imports: values that follow a dma_fence
 * @windows: by page of their mmap offset
 * @dummy: page that windows of a BAR show while that part of the BAR is not available
 */
struct rf_file {
	struct ringfence_device *device;
	struct drm_file *drm;
	kuid_t user;
	struct list_head link;
	struct kmd_file *file;
	spinlock_t sync_lock;
	struct list_head imports;
	struct xarray windows;
	struct page *dummy;
};

/*
 * Between rf_bar_access_end() and rf_bar_access_begin() an access by user mode to a mapping of a
 * BAR blocks in its page fault. PASSIVE.
 */
void rf_bar_access_end(struct ringfence_device *device);
void rf_bar_access_begin(struct ringfence_device *device);

int rf_file_init(struct rf_file *file);
void rf_file_destroy(struct rf_file *file);

/* --- rf_domain.c ---------------------------------------------------------------------- */

/* 0 or -ENOMEM. */
int rf_domain_init(struct rf_domain *domain);
/* No device has an adapter any more. */
void rf_domain_destroy(struct rf_domain *domain);
/* The device has an adapter from the one to the other. */
void rf_domain_join(struct ringfence_device *device);
void rf_domain_leave(struct ringfence_device *device);

/* --- rf_memory.c ---------------------------------------------------------------------- */

struct drm_gem_shmem_object;

/* Pages behind system memory; NULL for local memory, and where the next is not. */
struct drm_gem_shmem_object *rf_mem_shmem(struct rf_mem *mem);
/* The page behind host memory, or system memory made of it; else NULL. */
struct page *rf_mem_host_page(struct rf_mem *mem);

/*
 * Where what lies at @offset of BAR 2 is kept while the device has lost it; NULL: it is
 * there. local_mutex held.
 */
struct page *rf_local_memory_kept(struct ringfence_device *device, u64 offset);

/* --- rf_sync.c ------------------------------------------------------------------------ */

void rf_sync_init(struct rf_file *file);
/* Before the core's side of the file is closed. */
void rf_sync_end_imports(struct rf_file *file);
/* After that. */
void rf_sync_destroy(struct rf_file *file);

/* A request of the shell; the core's side of the file is open. */
int rf_sync_request(struct rf_file *file, unsigned int request, void *arguments);

/* --- rf_share.c ----------------------------------------------------------------------- */

/* As rf_sync_request(). */
int rf_share_request(struct rf_file *file, unsigned int request, void *arguments);
/* The device is being stopped: no descriptor opens anything any more. */
void rf_shares_end(struct ringfence_device *device);

/* --- rf_power.c ----------------------------------------------------------------------- */

extern const struct dev_pm_ops rf_power_ops;

void rf_power_init(struct ringfence_device *device);
/* Allow runtime suspend of the idle device; forbid it. */
void rf_power_allow(struct ringfence_device *device);
void rf_power_forbid(struct ringfence_device *device);

/*
 * The device is awake from one to the other, which removal waits for, and watched afterwards.
 * -ENODEV: it is removed; -EIO: it does not wake. PASSIVE.
 */
int rf_power_enter(struct ringfence_device *device, int *index);
void rf_power_exit(struct ringfence_device *device, int index);
/* A fence was exported: its deadline is watched from now on. */
void rf_power_fence_exported(struct ringfence_device *device);
/* There is an adapter from the first to the second: deadlines of exported fences are watched. */
void rf_power_started(struct ringfence_device *device);
void rf_power_stopping(struct ringfence_device *device);
/* After the last rf_power_exit(); the device does not wake by itself any more. */
void rf_power_end_watch(struct ringfence_device *device);

/* --- rf_recovery.c -------------------------------------------------------------------- */

void rf_recovery_init(struct ringfence_device *device);
/* Save the configuration space, which a reset restores. 0, -ENOMEM. */
int rf_recovery_keep_configuration(struct ringfence_device *device);
/* FLR, without a uevent; 0 or -EIO. */
int rf_recovery_reset_function(struct ringfence_device *device);
/* The core has reset the device. Any level. */
void rf_recovery_report_reset(struct ringfence_device *device);
/* The adapter is lost: schedule a restart of the device. Any level. */
void rf_recovery_begin(struct ringfence_device *device);
/* Not from here on; from here on again. PASSIVE, as the next. */
void rf_recovery_hold(struct ringfence_device *device);
void rf_recovery_release(struct ringfence_device *device);
/* The device is removed. */
void rf_recovery_end(struct ringfence_device *device);

/* --- rf_drv.c ------------------------------------------------------------------------- */

/* Stop the device, reset the function and start it. The lock of the device is held. */
int rf_restart(struct ringfence_device *device);

/* --- rf_observer.c -------------------------------------------------------------------- */

int rf_observer_init(struct ringfence_device *device);
/* Of an adapter that was made, or is about to be destroyed. */
void rf_observe(struct ringfence_device *device);
void rf_observe_end(struct ringfence_device *device);

/* --- rf_debugfs.c --------------------------------------------------------------------- */

/* Before the device is registered. */
void rf_debugfs_init(struct ringfence_device *device);

/* --- rf_pci_bus.c --------------------------------------------------------------------- */

extern const struct rf_bus_ops rf_pci_bus_ops;

#endif /* RF_LINUX_H */
