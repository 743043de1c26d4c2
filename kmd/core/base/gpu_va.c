// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Mappings in GPU address spaces. Locking: see gpu_va.h. */
#include "base/gpu_va.h"

#include "base/adapter.h"
#include "base/file.h"
#include "rf_bus.h"
#include "rf_ddi.h"
#include "rf_os.h"

/* To be called before engines that work for the process can write to @mem. */
static void kmd_gpu_set_trust(const struct kmd_file *file, struct rf_mem *mem, u32 flags)
{
	if (file && !(flags & RF_MAP_READ_ONLY))
		rf_mem_set_untrusted(mem);
}

int kmd_gpu_map(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem, u32 flags,
		u64 *address)
{
	struct rf_map_gpu_virtual_address map = {
		.h_process = file ? file->h_process : NULL,
		.mem = mem,
		.flags = flags,
	};
	int ret;

	rf_assert_held(&adapter->mutex);
	kmd_gpu_set_trust(file, mem, flags);
	ret = adapter->ddi->map_gpu_virtual_address(adapter->h_adapter, &map);
	if (!ret)
		*address = map.gpu_virtual_address;
	return ret;
}

int kmd_gpu_map_at(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem,
		   u64 address)
{
	struct rf_map_gpu_virtual_address map = {
		.h_process = file ? file->h_process : NULL,
		.mem = mem,
		.gpu_virtual_address = address,
	};

	rf_assert_held(&adapter->mutex);
	kmd_gpu_set_trust(file, mem, 0);
	return adapter->ddi->map_gpu_virtual_address(adapter->h_adapter, &map);
}

int kmd_gpu_replace(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem,
		    u32 flags, u64 address)
{
	const struct rf_replace_gpu_page replace = {
		.h_process = file ? file->h_process : NULL,
		.mem = mem,
		.flags = flags,
		.gpu_virtual_address = address,
	};
	int ret;

	rf_assert_held(&adapter->mutex);
	kmd_gpu_set_trust(file, mem, flags);
	ret = adapter->ddi->replace_gpu_page(adapter->h_adapter, &replace);
	if (ret == -EIO)
		kmd_adapter_want_reset(adapter);
	return ret;
}

void kmd_gpu_unmap(struct kmd_adapter *adapter, struct kmd_file *file, struct rf_mem *mem,
		   u64 address)
{
	const struct rf_unmap_gpu_virtual_address unmap = {
		.h_process = file ? file->h_process : NULL,
		.mem = mem,
		.gpu_virtual_address = address,
	};

	rf_assert_held(&adapter->mutex);
	/* else the driver keeps the memory: an engine may still access it */
	if (adapter->ddi->unmap_gpu_virtual_address(adapter->h_adapter, &unmap))
		kmd_adapter_want_reset(adapter);
}
