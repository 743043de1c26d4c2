// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * rf_shell.h in the kernel: user memory and windows.
 *
 * A window is what an mmap offset stands for: pages of memory, a range of local
 * memory, or a doorbell. It has no pages of its own, so that its contents can be
 * exchanged under the mapping; while they are not available it shows the file's dummy
 * page, so no access through a window raises SIGBUS (S3-28).
 *
 * A window lives as long as user mode has it mapped, also after its memory was destroyed: it holds
 * the pages, not the struct rf_mem with its DMA mapping.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/drm_vma_manager.h>
#include <linux/capability.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>

#include "rf_linux.h"

/**
 * struct window - what an mmap offset stands for
 * @base: gives it a place in the file's mmap offsets, and counts its users
 * @writable: user mode may store to it
 * @shmem: pages, pinned; or NULL
 * @page: without @shmem: a page of host memory; of a BAR, what is shown while there is nothing else
 * @is_bar: it shows a part of a BAR
 * @lock: guards @io
 * @io: CPU physical address of a BAR's part; 0: nothing there
 * @local: that is local memory, which may be elsewhere for a while
 */
struct window {
	struct drm_gem_object base;
	bool writable;
	struct drm_gem_shmem_object *shmem;
	struct page *page;
	bool is_bar;
	struct mutex lock;
	phys_addr_t io;
	bool local;
};

struct rf_doorbell_page {
	struct rf_file *file;
	struct window *window;
	u64 mmap_offset;
};

u64 rf_file_user(struct rf_file *file)
{
	return from_kuid(&init_user_ns, file->user);
}

u32 rf_file_pid(struct rf_file *file)
{
	u32 pid;

	rcu_read_lock();
	pid = pid_nr(rcu_dereference(file->drm->pid));
	rcu_read_unlock();
	return pid;
}

bool rf_file_may(struct rf_file *file, enum rf_privilege privilege)
{
	switch (privilege) {
	case RF_PRIVILEGE_PRIORITY:
		return capable(CAP_SYS_NICE);
	case RF_PRIVILEGE_LIMITS:
		return capable(CAP_SYS_RESOURCE);
	}
	return false;
}

/* A page fault may block for any time, and the process that serves it may need any lock. */

int rf_copy_to_user(u64 destination, const void *source, size_t bytes)
{
	lockdep_assert_none_held_once();
	return copy_to_user(u64_to_user_ptr(destination), source, bytes) ? -EFAULT : 0;
}

int rf_clear_user(u64 destination, size_t bytes)
{
	lockdep_assert_none_held_once();
	return clear_user(u64_to_user_ptr(destination), bytes) ? -EFAULT : 0;
}

int rf_copy_struct_from_user(void *destination, size_t bytes, u64 source, size_t source_bytes)
{
	int ret;

	lockdep_assert_none_held_once();
	ret = copy_struct_from_user(destination, bytes, u64_to_user_ptr(source), source_bytes);
	return ret == -E2BIG ? -EINVAL : ret;
}

/* --- windows -------------------------------------------------------------------------- */

static struct window *rf_to_window(struct drm_gem_object *object)
{
	return container_of(object, struct window, base);
}

static vm_fault_t rf_window_insert_doorbell(struct vm_fault *fault, phys_addr_t address)
{
	return vmf_insert_pfn_prot(fault->vma, fault->address, PHYS_PFN(address),
				   pgprot_noncached(fault->vma->vm_page_prot));
}

static vm_fault_t rf_window_insert_page(struct vm_fault *fault, struct page *page)
{
	return vmf_insert_pfn(fault->vma, fault->address, page_to_pfn(page));
}

static vm_fault_t rf_window_insert_local(struct ringfence_device *device, struct vm_fault *fault,
					 phys_addr_t address)
{
	phys_addr_t bar = pci_resource_start(ringfence_pci(device), RF_BAR_LOCAL_MEMORY);
	struct page *kept;
	vm_fault_t ret;

	mutex_lock(&device->local_mutex);
	kept = rf_local_memory_kept(device, address - bar);
	if (kept)
		ret = rf_window_insert_page(fault, kept);
	else
		ret = vmf_insert_pfn_prot(fault->vma, fault->address, PHYS_PFN(address),
					  pgprot_writecombine(fault->vma->vm_page_prot));
	mutex_unlock(&device->local_mutex);
	return ret;
}

static vm_fault_t rf_window_insert_io(struct window *window, struct vm_fault *fault, pgoff_t page)
{
	struct ringfence_device *device = drm_to_ringfence(window->base.dev);
	phys_addr_t address;
	vm_fault_t ret;
	int index;

	mutex_lock(&window->lock);
	down_read(&device->bar_access);
	address = window->io + PFN_PHYS(page);
	if (!window->io || !drm_dev_enter(&device->drm, &index)) {
		ret = rf_window_insert_page(fault, window->page);
	} else {
		if (window->local)
			ret = rf_window_insert_local(device, fault, address);
		else
			ret = rf_window_insert_doorbell(fault, address);
		drm_dev_exit(index);
	}
	up_read(&device->bar_access);
	mutex_unlock(&window->lock);
	return ret;
}

void rf_bar_access_begin(struct ringfence_device *device)
{
	up_write(&device->bar_access);
}

void rf_bar_access_end(struct ringfence_device *device)
{
	down_write(&device->bar_access);
	unmap_mapping_range(device->drm.anon_inode->i_mapping, 0, 0, 1);
}

static vm_fault_t rf_window_fault(struct vm_fault *fault)
{
	struct window *window = rf_to_window(fault->vma->vm_private_data);
	pgoff_t page = fault->pgoff - drm_vma_node_start(&window->base.vma_node);

	if (page >= window->base.size >> PAGE_SHIFT)
		return VM_FAULT_SIGBUS; /* cannot happen: mmap() allows no more than the size */
	if (window->is_bar)
		return rf_window_insert_io(window, fault, page);
	return rf_window_insert_page(fault, window->shmem ? window->shmem->pages[page]
							  : window->page + page);
}

static const struct vm_operations_struct window_vm_ops = {
	.fault = rf_window_fault,
	.open = drm_gem_vm_open,
	.close = drm_gem_vm_close,
};

static int rf_window_mmap(struct drm_gem_object *object, struct vm_area_struct *vma)
{
	struct window *window = rf_to_window(object);

	if (!(vma->vm_flags & VM_SHARED) || (vma->vm_flags & VM_EXEC))
		return -EINVAL;
	if (!window->writable && (vma->vm_flags & VM_WRITE))
		return -EACCES;
	if (!window->writable)
		vm_flags_clear(vma, VM_MAYWRITE);
	vm_flags_clear(vma, VM_MAYEXEC);
	vm_flags_set(vma, VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP);
	if (window->is_bar)
		vm_flags_set(vma, VM_IO | VM_DONTCOPY);
	return 0;
}

static void rf_window_free(struct drm_gem_object *object)
{
	struct window *window = rf_to_window(object);

	drm_gem_object_release(&window->base);
	if (window->shmem) {
		drm_gem_shmem_unpin(window->shmem);
		drm_gem_object_put(&window->shmem->base);
	} else {
		put_page(window->page);
	}
	mutex_destroy(&window->lock);
	kfree(window);
}

static const struct drm_gem_object_funcs window_funcs = {
	.free = rf_window_free,
	.mmap = rf_window_mmap,
	.vm_ops = &window_vm_ops,
};

/* Give a window a place in the file's mmap offsets. */
static int rf_window_publish(struct rf_file *file, struct window *window, u64 *offset)
{
	struct drm_vma_offset_node *node = &window->base.vma_node;
	int ret;

	ret = drm_gem_create_mmap_offset(&window->base);
	if (ret)
		return ret;
	ret = drm_vma_node_allow(node, file->drm);
	if (ret)
		return ret;
	ret = xa_err(xa_store(&file->windows, drm_vma_node_start(node), window, GFP_KERNEL));
	if (ret)
		drm_vma_node_revoke(node, file->drm);
	*offset = drm_vma_node_offset_addr(node);
	return ret;
}

/* @contents: what it shows. The window takes references of its own. */
static struct window *rf_window_create(struct rf_file *file, u64 bytes,
				       const struct window *contents, u64 *offset)
{
	struct window *window;
	int ret;

	window = kmemdup(contents, sizeof(*contents), GFP_KERNEL_ACCOUNT);
	if (!window)
		return ERR_PTR(-ENOMEM);
	if (window->shmem) {
		ret = drm_gem_shmem_pin(window->shmem);
		if (ret) {
			kfree(window);
			return ERR_PTR(ret);
		}
		drm_gem_object_get(&window->shmem->base);
	} else {
		get_page(window->page);
	}
	mutex_init(&window->lock);
	window->base.funcs = &window_funcs;
	drm_gem_private_object_init(&file->device->drm, &window->base, PAGE_ALIGN(bytes));
	ret = rf_window_publish(file, window, offset);
	if (ret) {
		drm_gem_object_put(&window->base);
		return ERR_PTR(ret);
	}
	return window;
}

/* Change the part of a BAR that a window shows: later accesses fault and map it. */
static void rf_window_set_io(struct window *window, phys_addr_t io)
{
	mutex_lock(&window->lock);
	window->io = io;
	mutex_unlock(&window->lock);
	drm_vma_node_unmap(&window->base.vma_node, window->base.dev->anon_inode->i_mapping);
}

/*
 * No new mappings. Existing mappings of pages keep their pages, which are not reused before the
 * last mapping ends. Existing mappings of a BAR show the dummy page, since that part of the BAR
 * will be given to another owner.
 */
static void rf_window_destroy(struct rf_file *file, u64 offset)
{
	struct window *window = xa_erase(&file->windows, offset >> PAGE_SHIFT);

	drm_vma_node_revoke(&window->base.vma_node, file->drm);
	if (window->is_bar)
		rf_window_set_io(window, 0);
	drm_gem_object_put(&window->base);
}

int rf_file_expose(struct rf_file *file, struct rf_mem *mem, bool writable, u64 *mmap_offset)
{
	struct pci_dev *pci = ringfence_pci(file->device);
	struct window contents = {
		.writable = writable,
		.shmem = rf_mem_shmem(mem),
		.page = rf_mem_host_page(mem),
	};

	if (mem->kind == RF_MEM_LOCAL) {
		contents.page = file->dummy;
		contents.is_bar = true;
		contents.io = pci_resource_start(pci, RF_BAR_LOCAL_MEMORY) + mem->address;
		contents.local = true;
	}
	if (WARN_ON_ONCE(!contents.shmem && !contents.page))
		return -EINVAL; /* rf_mem_create_private() */
	if (writable)
		rf_mem_set_untrusted(mem);
	return PTR_ERR_OR_ZERO(rf_window_create(file, mem->bytes, &contents, mmap_offset));
}

void rf_file_conceal(struct rf_file *file, u64 mmap_offset)
{
	rf_window_destroy(file, mmap_offset);
}

/* --- doorbell pages ------------------------------------------------------------------- */

int rf_doorbell_page_create(struct rf_file *file, u64 bytes, u64 *mmap_offset,
			    struct rf_doorbell_page **result)
{
	struct rf_doorbell_page *page = kzalloc(sizeof(*page), GFP_KERNEL_ACCOUNT);
	const struct window disconnected = {
		.writable = true,
		.page = file->dummy,
		.is_bar = true,
	};
	int ret;

	if (!page)
		return -ENOMEM;
	page->file = file;
	page->window = rf_window_create(file, bytes, &disconnected, &page->mmap_offset);
	if (IS_ERR(page->window)) {
		ret = PTR_ERR(page->window);
		kfree(page);
		return ret;
	}
	*mmap_offset = page->mmap_offset;
	*result = page;
	return 0;
}

void rf_doorbell_page_connect(struct rf_doorbell_page *page, u64 offset)
{
	struct pci_dev *pci = ringfence_pci(page->file->device);

	rf_window_set_io(page->window, pci_resource_start(pci, RF_BAR_REGISTERS) + offset);
}

void rf_doorbell_page_disconnect(struct rf_doorbell_page *page)
{
	rf_window_set_io(page->window, 0);
}

void rf_doorbell_page_destroy(struct rf_doorbell_page *page)
{
	rf_window_destroy(page->file, page->mmap_offset);
	kfree(page);
}

/* --- life ----------------------------------------------------------------------------- */

int rf_file_init(struct rf_file *file)
{
	file->dummy = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!file->dummy)
		return -ENOMEM;
	xa_init(&file->windows);
	rf_sync_init(file);
	return 0;
}

/* The core has closed its file: only the dummy page is left. */
void rf_file_destroy(struct rf_file *file)
{
	rf_sync_destroy(file);
	WARN_ON(!xa_empty(&file->windows));
	xa_destroy(&file->windows);
	put_page(file->dummy);
}
