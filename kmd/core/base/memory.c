// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Memory of a process in its GPU address space. Locking: see memory.h. */
#include "base/memory.h"

#include "base/adapter.h"
#include "base/charge.h"
#include "base/file.h"
#include "base/gpu_va.h"
#include "base/handle.h"
#include "base/limit.h"
#include "base/sync_domain.h"
#include "kmd.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_list.h"
#include "rf_os.h"
#include "rf_shell.h"

struct kmd_memory *kmd_memory_find(struct kmd_file *file, u32 handle)
{
	rf_assert_held(&file->adapter->mutex);
	return kmd_table_find(&file->table, KMD_MEMORY, handle);
}

struct rf_mem *kmd_file_memory(struct kmd_file *file, u32 handle)
{
	unsigned long flags = kmd_wait_lock(file->adapter->sync_domain);
	const struct kmd_memory *memory = kmd_table_find(&file->table, KMD_MEMORY, handle);
	struct rf_mem *mem = memory ? memory->mem : NULL;

	if (mem)
		rf_mem_get(mem);
	kmd_wait_unlock(file->adapter->sync_domain, flags);
	return mem;
}

struct kmd_memory *kmd_memory_get(struct kmd_file *file, u32 handle)
{
	struct kmd_memory *memory = kmd_memory_find(file, handle);

	if (memory)
		memory->references++;
	return memory;
}

/* Memory of the kernel's own; takes the reference of @mem, if it succeeds. */
static int kmd_memory_add(struct kmd_file *file, struct rf_mem *mem, struct kmd_memory **result)
{
	struct kmd_memory *memory = rf_alloc(sizeof(*memory));
	int ret;

	rf_assert_held(&file->adapter->mutex);
	if (!memory)
		return -ENOMEM;
	memory->file = file;
	memory->references = 1;
	memory->mem = mem;
	ret = kmd_gpu_map(file->adapter, file, mem, RF_MAP_READ_ONLY, &memory->gpu_address);
	if (ret) {
		rf_free(memory);
		return ret;
	}
	rf_list_insert(&memory->link, &file->memories);
	*result = memory;
	return 0;
}

struct kmd_memory *kmd_memory_create(struct kmd_file *file, u64 bytes)
{
	struct kmd_memory *memory;
	struct rf_mem *mem;

	if (rf_mem_create(file->adapter->bus, RF_MEM_SYSTEM, bytes, &mem))
		return NULL;
	if (!kmd_memory_add(file, mem, &memory))
		return memory;
	rf_mem_put(mem);
	return NULL;
}

int kmd_memory_import(struct kmd_file *file, struct rf_mem *pages, struct kmd_memory **result)
{
	struct rf_mem *mem;
	int ret = rf_mem_import(file->adapter->bus, pages, &mem);

	if (ret)
		return ret;
	ret = kmd_memory_add(file, mem, result);
	if (ret)
		rf_mem_put(mem);
	return ret;
}

/* Called before memory is created, with the requested size. */
int kmd_memory_charge(struct kmd_memory *memory, u64 bytes, enum kmd_limit kind)
{
	int ret;

	bytes = (bytes + KMD_PAGE_BYTES - 1) & ~(u64)(KMD_PAGE_BYTES - 1);
	ret = kmd_charge(memory->file, KMD_LIMIT_MEMORIES, 1);
	if (ret)
		return ret;
	ret = kmd_charge(memory->file, kind, bytes);
	if (ret) {
		kmd_uncharge(memory->file, KMD_LIMIT_MEMORIES, 1);
		return ret;
	}
	memory->charged = bytes;
	memory->charged_as = kind;
	return 0;
}

void kmd_memory_uncharge(struct kmd_memory *memory)
{
	if (!memory->charged)
		return;
	kmd_uncharge(memory->file, memory->charged_as, memory->charged);
	kmd_uncharge(memory->file, KMD_LIMIT_MEMORIES, 1);
}

void kmd_memory_put(struct kmd_memory *memory)
{
	rf_assert_held(&memory->file->adapter->mutex);
	if (--memory->references)
		return;
	kmd_gpu_unmap(memory->file->adapter, memory->file, memory->mem, memory->gpu_address);
	rf_list_remove(&memory->link);
	rf_mem_put(memory->mem);
	kmd_memory_uncharge(memory);
	rf_free(memory);
}

int kmd_memory_create_user(struct kmd_memory *memory, enum rf_mem_kind kind, u64 bytes)
{
	struct kmd_file *file = memory->file;
	int ret;

	rf_assert_held(&file->adapter->mutex);
	ret = rf_mem_create_user(file->adapter->bus, kind, bytes, &memory->mem);
	if (ret)
		return ret;
	ret = rf_file_expose(file->shell, memory->mem, true, &memory->mmap_offset);
	if (ret)
		rf_mem_put(memory->mem);
	return ret;
}

void kmd_memory_destroy_user(struct kmd_memory *memory)
{
	rf_assert_held(&memory->file->adapter->mutex);
	rf_file_conceal(memory->file->shell, memory->mmap_offset);
	rf_mem_put(memory->mem);
}

int kmd_memory_publish(struct kmd_memory *memory)
{
	int ret;

	rf_assert_held(&memory->file->adapter->mutex);
	ret = kmd_table_insert(&memory->file->table, KMD_MEMORY, memory, &memory->handle);
	if (!ret)
		rf_list_insert(&memory->link, &memory->file->memories);
	return ret;
}

/* Memory of the kernel's own has no handle. */
static void kmd_memory_close_handle(struct kmd_memory *memory)
{
	struct kmd_file *file = memory->file;

	if (!memory->handle)
		return;
	kmd_table_remove(&file->table, KMD_MEMORY, memory->handle);
	memory->handle = 0;
	rf_file_conceal(file->shell, memory->mmap_offset);
	/* a kmd_file_memory() that has found it has its reference after this */
	kmd_wait_unlock(file->adapter->sync_domain, kmd_wait_lock(file->adapter->sync_domain));
}

void kmd_memory_close(struct kmd_memory *memory)
{
	rf_assert_held(&memory->file->adapter->mutex);
	kmd_memory_close_handle(memory);
	kmd_memory_put(memory);
}
