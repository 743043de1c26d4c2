// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * rf_shell.h in process: user memory is memory, mmap offsets are counted up, and a doorbell page is an object whose stores go to the bus or nowhere.
 *
 * Locking: rf_file.mutex guards mappings. A doorbell page has no lock, because a
 * doorbell store is not a call into the driver and must not wait for one. A store increments
 * @users, reads @target, stores, and decrements @users; disconnecting changes @target and then
 * waits until @users is 0, as a TLB shoot-down does.
 */
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "hosted.h"

/**
 * struct mapping - what an mmap offset stands for
 * @link: in rf_file.mappings
 * @offset: the offset
 * @bytes: how much
 * @mem: memory, or NULL
 * @view: read-only view of @mem, or NULL if it is writable
 * @page: doorbell page, or NULL
 */
struct mapping {
	struct rf_list link;
	u64 offset;
	u64 bytes;
	struct rf_mem *mem;
	void *view;
	struct rf_doorbell_page *page;
};

/**
 * struct rf_doorbell_page - where a doorbell's stores go
 * @file: process
 * @mmap_offset: its mapping
 * @users: stores under way; atomic
 * @target: doorbell's offset in BAR 0, or DUMMY; atomic
 */
struct rf_doorbell_page {
	struct rf_file *file;
	u64 mmap_offset;
	u32 users;
	u64 target;
};

#define DUMMY U64_MAX

u64 rf_file_user(struct rf_file *file)
{
	return file->user;
}

u32 rf_file_pid(struct rf_file *file)
{
	(void)file;
	return (u32)getpid();
}

bool rf_file_may(struct rf_file *file, enum rf_privilege privilege)
{
	(void)privilege;
	return file->privileged;
}

static int hosted_copy_from_user(void *destination, u64 source, size_t bytes)
{
	hosted_assert_no_lock_held(__func__);
	if (!source)
		return -EFAULT;
	memcpy(destination, (const void *)(uintptr_t)source, bytes);
	return 0;
}

int rf_copy_struct_from_user(void *destination, size_t bytes, u64 source, size_t source_bytes)
{
	const u8 *tail = (const u8 *)(uintptr_t)source + bytes;
	int ret = hosted_copy_from_user(destination, source, bytes);
	size_t i;

	for (i = 0; !ret && i < source_bytes - bytes; i++)
		ret = tail[i] ? -EINVAL : 0;
	return ret;
}

int rf_copy_to_user(u64 destination, const void *source, size_t bytes)
{
	hosted_assert_no_lock_held(__func__);
	if (!destination)
		return -EFAULT;
	memcpy((void *)(uintptr_t)destination, source, bytes);
	return 0;
}

int rf_clear_user(u64 destination, size_t bytes)
{
	hosted_assert_no_lock_held(__func__);
	if (!destination)
		return -EFAULT;
	memset((void *)(uintptr_t)destination, 0, bytes);
	return 0;
}

/* --- mappings ---------------------------------------------------------------------------- */

void hosted_file_init(struct rf_file *file, struct rf_hosted_device *device)
{
	file->device = device;
	pthread_mutex_init(&file->mutex, NULL);
	rf_list_init(&file->mappings);
	file->next_offset = HOSTED_PAGE_BYTES;
}

void hosted_file_destroy(struct rf_file *file)
{
	pthread_mutex_destroy(&file->mutex);
}

static int hosted_mapping_create(struct rf_file *file, u64 bytes, struct rf_mem *mem, void *view,
				 struct rf_doorbell_page *page, u64 *offset)
{
	struct mapping *mapping = malloc(sizeof(*mapping));

	if (!mapping)
		return -ENOMEM;
	mapping->bytes = (bytes + HOSTED_PAGE_BYTES - 1) / HOSTED_PAGE_BYTES * HOSTED_PAGE_BYTES;
	mapping->mem = mem;
	mapping->view = view;
	mapping->page = page;
	pthread_mutex_lock(&file->mutex);
	mapping->offset = file->next_offset;
	file->next_offset += mapping->bytes;
	rf_list_insert(&mapping->link, &file->mappings);
	pthread_mutex_unlock(&file->mutex);
	*offset = mapping->offset;
	return 0;
}

static struct mapping *hosted_find_mapping(struct rf_file *file, u64 offset)
{
	struct mapping *mapping;

	rf_list_for_each(mapping, &file->mappings, link)
		if (mapping->offset == offset)
			return mapping;
	return NULL;
}

static void hosted_mapping_destroy(struct rf_file *file, u64 offset)
{
	struct mapping *mapping;

	pthread_mutex_lock(&file->mutex);
	mapping = hosted_find_mapping(file, offset);
	rf_list_remove(&mapping->link);
	pthread_mutex_unlock(&file->mutex);
	if (mapping->view)
		hosted_view_destroy(mapping->mem, mapping->view);
	free(mapping);
}

int rf_file_expose(struct rf_file *file, struct rf_mem *mem, bool writable, u64 *mmap_offset)
{
	void *view = NULL;
	int ret;

	if (writable)
		rf_mem_set_untrusted(mem);
	if (!writable && hosted_memory_pointer(mem)) {
		view = hosted_view_create(mem);
		if (!view)
			return -ENOMEM;
	}
	ret = hosted_mapping_create(file, mem->bytes, mem, view, NULL, mmap_offset);
	if (ret && view)
		hosted_view_destroy(mem, view);
	return ret;
}

void rf_file_conceal(struct rf_file *file, u64 mmap_offset)
{
	hosted_mapping_destroy(file, mmap_offset);
}

int rf_hosted_map(struct rf_file *file, uint64_t offset, void **pointer)
{
	struct mapping *mapping;
	int ret = -EINVAL;

	pthread_mutex_lock(&file->mutex);
	mapping = hosted_find_mapping(file, offset);
	if (mapping && mapping->mem) {
		*pointer = mapping->view ? mapping->view : hosted_memory_pointer(mapping->mem);
		ret = *pointer ? 0 : -EOPNOTSUPP;
	}
	pthread_mutex_unlock(&file->mutex);
	return ret;
}

/* --- memory by its handle ------------------------------------------------------------------ */

static int hosted_check_range(const struct rf_mem *mem, u64 offset, size_t bytes)
{
	return bytes > mem->bytes || offset > mem->bytes - bytes ? -ERANGE : 0;
}

int rf_hosted_memory_read(struct rf_file *file, uint32_t handle, uint64_t offset, void *data,
			  size_t bytes)
{
	struct rf_mem *mem = kmd_file_memory(file->file, handle);
	int ret;

	if (!mem)
		return -ENOENT;
	ret = hosted_check_range(mem, offset, bytes);
	if (!ret && hosted_memory_pointer(mem))
		memcpy(data, (const char *)hosted_memory_pointer(mem) + offset, bytes);
	else if (!ret)
		hosted_local_memory_read(mem, offset, data, bytes);
	rf_mem_put(mem);
	return ret;
}

int rf_hosted_memory_write(struct rf_file *file, uint32_t handle, uint64_t offset, const void *data,
			   size_t bytes)
{
	struct rf_mem *mem = kmd_file_memory(file->file, handle);
	int ret;

	if (!mem)
		return -ENOENT;
	ret = hosted_check_range(mem, offset, bytes);
	if (!ret && hosted_memory_pointer(mem))
		memcpy((char *)hosted_memory_pointer(mem) + offset, data, bytes);
	else if (!ret)
		hosted_local_memory_write(mem, offset, data, bytes);
	rf_mem_put(mem);
	return ret;
}

/* --- doorbell pages ---------------------------------------------------------------------------- */

int rf_doorbell_page_create(struct rf_file *file, u64 bytes, u64 *mmap_offset,
			    struct rf_doorbell_page **result)
{
	struct rf_doorbell_page *page = malloc(sizeof(*page));
	int ret;

	if (!page)
		return -ENOMEM;
	page->file = file;
	page->users = 0;
	page->target = DUMMY;
	ret = hosted_mapping_create(file, bytes, NULL, NULL, page, &page->mmap_offset);
	if (ret) {
		free(page);
		return ret;
	}
	*mmap_offset = page->mmap_offset;
	*result = page;
	return 0;
}

void rf_doorbell_page_connect(struct rf_doorbell_page *page, u64 offset)
{
	__atomic_store_n(&page->target, offset, __ATOMIC_SEQ_CST);
}

void rf_doorbell_page_disconnect(struct rf_doorbell_page *page)
{
	__atomic_store_n(&page->target, DUMMY, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&page->users, __ATOMIC_SEQ_CST))
		sched_yield();
}

void rf_doorbell_page_destroy(struct rf_doorbell_page *page)
{
	hosted_mapping_destroy(page->file, page->mmap_offset);
	free(page);
}

struct rf_doorbell_page *rf_hosted_doorbell(struct rf_file *file, uint64_t offset, uint64_t *bytes)
{
	struct rf_doorbell_page *page = NULL;
	struct mapping *mapping;

	pthread_mutex_lock(&file->mutex);
	mapping = hosted_find_mapping(file, offset);
	if (mapping) {
		page = mapping->page;
		*bytes = mapping->bytes;
	}
	pthread_mutex_unlock(&file->mutex);
	return page;
}

void rf_hosted_ring(struct rf_doorbell_page *page, uint64_t value)
{
	u64 target;

	__atomic_fetch_add(&page->users, 1, __ATOMIC_SEQ_CST);
	target = __atomic_load_n(&page->target, __ATOMIC_SEQ_CST);
	if (target != DUMMY)
		rf_bus_write64(page->file->device->bus, RF_BAR_REGISTERS, target, value);
	__atomic_fetch_sub(&page->users, 1, __ATOMIC_SEQ_CST);
}
